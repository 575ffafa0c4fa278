/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * A stand-in for an AMD GPU's kernel driver, to be preloaded. It has what libdrm_amdgpu and
 * harness/amdgpu/amdgpu_device.c use: one render node, its memory, address space, contexts and command
 * submission. It decodes indirect buffers packet by packet. tests/devices/gcn_machine.c executes each wave
 * that the packets launch.
 *
 * Environment:
 *   FAKE_AMDGPU_CHIP      gfx1100 (default), gfx1030, gfx900, gfx803, or one that is not modelled: gfx1010,
 *                         gfx1013, gfx802
 *   FAKE_AMDGPU_PROFILE   the profile of its buffer instructions (default: the chip's best profile);
 *                         "gfx1100,CLAUSE=READING" injects a fault
 *   FAKE_AMDGPU_PLANT     odd-atomics: additions return a wrong value that no reading explains
 *   FAKE_AMDGPU_FAULT     no-device, no-right, other-driver, no-memory, no-rings, no-guards;
 *                         in-use: another process has the node;
 *                         dies-after=N: the device is gone after N submissions;
 *                         hangs-on=WORD: a program with this instruction word (hexadecimal) never ends;
 *                         never-recovers=WORD: such a program never ends, and neither do later programs;
 *                         stuck=WORD: such a program never ends, and the kernel does not reset the GPU;
 *                         innocent-reset=N: the first submission is lost because another process hangs the
 *                         GPU; N waits for the submission time out before the reset
 *   FAKE_AMDGPU_RESET     how the kernel removes a hanging program from the GPU: queue (default), queue-6.12,
 *                         gpu, gpu-older, waves, waves-older
 *   FAKE_AMDGPU_TIME      a file that gets, after each submission, the nanoseconds spent executing waves
 */
/* clang-format on */
#include "harness/amdgpu/amdgpu_pm4.h"
#include "model/core/unit.h"
#include "tests/devices/gcn_machine.h"
#include "tests/devices/preload.h"

#include <amdgpu_drm.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_BYTES = 64 << 20, BUFFERS_MAX = 16, MAPPINGS_MAX = 2048 };

static const struct chip {
    const char *name;
    int generation;
    uint32_t family, external_rev, device_id;
    const char *profile;
} chips[] = {
    {"gfx1100", AMD_GFX11, 145, 0x01, 0x744C, "gfx1100"},
    {"gfx1030", AMD_GFX10, 143, 0x28, 0x73BF, "gfx1030"},
    {"gfx900", AMD_GFX9, 141, 0x01, 0x687F, "gfx900"},
    {"gfx803", AMD_GFX8, 130, 0x50, 0x67DF, "gfx803"},
    {"gfx1010", AMD_GFX10, 143, 0x01, 0x731F, "manual"},
    {"gfx1013", AMD_GFX10, 143, 0x82, 0x13FE, "manual"},
    {"gfx802", AMD_GFX8, 130, 0x14, 0x6939, "gfx803"},
};

static struct {
    int file; /* one file serves as the node and as the device's memory; -1: not opened yet */
    dev_t device;
    ino_t inode;
    uint8_t *memory;
    uint64_t used;
    const struct chip *chip;
    struct profile profile;
    struct {
        uint64_t at, bytes;
    } buffer[BUFFERS_MAX]; /* index: handle - 1 */
    unsigned buffers;
    struct mapping {
        uint64_t va, bytes;
        uint64_t at; /* offset in `memory` */
        bool nothing;
    } mapping[MAPPINGS_MAX];
    unsigned mappings;
    bool sorted;
    unsigned submissions;
    struct reset {
        const char *name;
        int error;      /* error of the submission */
        uint64_t flags; /* flags of the context */
        bool cancels;   /* later submissions of the context fail, too */
    } reset;            /* reset of the last submission; all zero: none */
    unsigned waits;     /* number of waits that will time out; wait_until skips their time */
} gpu = {.file = -1};

/* What user space sees of a reset, in several versions of Linux. Sources: amdgpu_job.c and the scheduler's
 * drm_sched_main.c for the error, AMDGPU_CTX_OP_QUERY_STATE2 in amdgpu_ctx.c for the flags. */
static const struct reset resets[] = {
    {"queue", ETIME, AMDGPU_CTX_QUERY2_FLAGS_RESET, false},
    {"queue-6.12", ECANCELED, AMDGPU_CTX_QUERY2_FLAGS_RESET, false},
    {"gpu", ETIME, AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY, true},
    {"gpu-older", ECANCELED, AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY, true},
    {"waves", ENODATA, 0, false},
    {"waves-older", 0, 0, false},
    {"others'", ECANCELED, AMDGPU_CTX_QUERY2_FLAGS_RESET, true},
};
enum { WAITS_FOR_RESET = 3, OTHERS_RESET = sizeof resets / sizeof *resets - 1 };

static const char *fault(const char *kind)
{
    return preload_fault("FAKE_AMDGPU_FAULT", kind);
}

static int fails(int error)
{
    errno = error;
    return -1;
}

/* ---- the node ---- */

static void power_on(void)
{
    struct stat s;
    struct error e = {0};
    const char *name = preload_setting("FAKE_AMDGPU_CHIP", "gfx1100");
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++)
        if (!strcmp(chips[i].name, name))
            gpu.chip = &chips[i];
    gpu.file = memfd_create("fake-amdgpu", MFD_CLOEXEC);
    if (!gpu.chip || gpu.file < 0 || ftruncate(gpu.file, MEMORY_BYTES) != 0 || fstat(gpu.file, &s) != 0)
        abort();
    gpu.device = s.st_dev;
    gpu.inode = s.st_ino;
    gpu.memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.file, 0);
    if (gpu.memory == MAP_FAILED ||
        !profile_resolve(unit_named("amd-buffer"), preload_setting("FAKE_AMDGPU_PROFILE", gpu.chip->profile),
                         &gpu.profile, &e)) {
        (void)fprintf(stderr, "fake_amdgpu: %s\n", e.text);
        abort();
    }
}

int fake_open(const char *path)
{
    if (strncmp(path, "/dev/dri/", 9) != 0)
        return PRELOAD_NOT_OURS;
    if (strcmp(path, "/dev/dri/renderD128") != 0 || fault("no-device"))
        return fails(ENOENT);
    if (fault("no-right"))
        return fails(EACCES);
    if (gpu.file < 0)
        power_on();
    if (fault("in-use"))
        preload_lock(gpu.file);
    return fcntl(gpu.file, F_DUPFD_CLOEXEC, 0);
}

/* A buffer's offset for mmap is its offset in the file. So libc's mmap can map it. */
bool fake_map(int fd, size_t length, uint64_t offset, void **result)
{
    (void)fd;
    (void)length;
    (void)offset;
    (void)result;
    return false;
}

static bool is_ours(int fd)
{
    struct stat s;
    return gpu.file >= 0 && fstat(fd, &s) == 0 && s.st_dev == gpu.device && s.st_ino == gpu.inode;
}

/* ---- information ---- */

static int answer_text(const char *text, char *to, __kernel_size_t *length)
{
    size_t is = strlen(text);
    if (to && *length)
        memcpy(to, text, is < *length ? is : *length);
    *length = is;
    return 0;
}

static int answer_version(struct drm_version *v)
{
    v->version_major = 3;
    v->version_minor = 49;
    v->version_patchlevel = 0;
    (void)answer_text(fault("other-driver") ? "i915" : "amdgpu", v->name, &v->name_len);
    (void)answer_text("20150101", v->date, &v->date_len);
    return answer_text("Fake AMD GPU (a model, no silicon)", v->desc, &v->desc_len);
}

static int answer_info(const struct drm_amdgpu_info *i)
{
    union {
        uint32_t word[64];
        struct drm_amdgpu_info_device device;
        struct drm_amdgpu_info_hw_ip ip;
    } u = {{0}};
    switch (i->query) {
    case AMDGPU_INFO_ACCEL_WORKING:
        u.word[0] = 1;
        break;
    case AMDGPU_INFO_DEV_INFO:
        u.device = (struct drm_amdgpu_info_device){.device_id = gpu.chip->device_id,
                                                   .family = gpu.chip->family,
                                                   .external_rev = gpu.chip->external_rev,
                                                   .num_shader_engines = 1,
                                                   .num_shader_arrays_per_engine = 1,
                                                   .max_engine_clock = 1000000,
                                                   .max_memory_clock = 500000,
                                                   .cu_active_number = 1,
                                                   .virtual_address_offset = 1 << 20,
                                                   .virtual_address_max = UINT64_C(1) << 46,
                                                   .virtual_address_alignment = 4096,
                                                   .pte_fragment_size = 2 << 20,
                                                   .gart_page_size = 4096};
        break;
    case AMDGPU_INFO_HW_IP_INFO:
        u.ip.hw_ip_version_major = 8;
        u.ip.available_rings = fault("no-rings") ? 0 : 0xF0;
        break;
    case AMDGPU_INFO_SENSOR:
        u.word[0] = i->sensor_info.type == AMDGPU_INFO_SENSOR_GPU_TEMP ? 61000 : 1234;
        break;
    default: /* registers, and information that libdrm requests but does not need */
        break;
    }
    memcpy((void *)(uintptr_t)i->return_pointer, &u, i->return_size < sizeof u ? i->return_size : sizeof u);
    return 0;
}

/* ---- memory ---- */

static int create(union drm_amdgpu_gem_create *c)
{
    uint64_t bytes = (c->in.bo_size + GCN_PAGE - 1) / GCN_PAGE * GCN_PAGE;
    if (fault("no-memory") || gpu.buffers == BUFFERS_MAX || bytes > MEMORY_BYTES - gpu.used)
        return fails(ENOMEM);
    gpu.buffer[gpu.buffers].at = gpu.used;
    gpu.buffer[gpu.buffers++].bytes = bytes;
    gpu.used += bytes;
    c->out.handle = gpu.buffers;
    return 0;
}

static int change_addresses(const struct drm_amdgpu_gem_va *v)
{
    struct mapping m = {v->va_address, v->map_size, 0, (v->flags & AMDGPU_VM_PAGE_PRT) != 0};
    if (v->operation != AMDGPU_VA_OP_MAP)
        return 0; /* closing the node unmaps them */
    if (v->va_address % 4096 || v->map_size % 4096 || gpu.mappings == MAPPINGS_MAX ||
        (m.nothing && fault("no-guards")))
        return fails(EINVAL);
    if (!m.nothing) {
        if (v->handle == 0 || v->handle > gpu.buffers ||
            v->offset_in_bo + v->map_size > gpu.buffer[v->handle - 1].bytes)
            return fails(ENOENT);
        m.at = gpu.buffer[v->handle - 1].at + v->offset_in_bo;
    }
    gpu.mapping[gpu.mappings++] = m;
    gpu.sorted = false;
    return 0;
}

static int by_address(const void *a, const void *b)
{
    const struct mapping *x = a, *y = b;
    return x->va < y->va ? -1 : x->va > y->va;
}

static enum gcn_mapping page(void *context, uint64_t va, uint8_t **at)
{
    static const struct mapping *last = gpu.mapping;
    unsigned low = 0, high = gpu.mappings;
    (void)context;
    if (va - last->va >= last->bytes) {
        while (low + 1 < high) {
            unsigned middle = (low + high) / 2;
            if (gpu.mapping[middle].va <= va)
                low = middle;
            else
                high = middle;
        }
        last = &gpu.mapping[low];
    }
    if (va - last->va >= last->bytes)
        return GCN_FAULT;
    if (last->nothing)
        return GCN_NOTHING;
    *at = gpu.memory + last->at + (va - last->va);
    return GCN_MEMORY;
}

/* ---- command submission ---- */

static struct command {
    uint32_t reg[PM4_SH_REGS];
    bool fresh; /* the program invalidated the caches after the host's writes */
} command;

/* Runs one wave, as the registers describe it. Returns NULL, or why it did not end. */
static const char *dispatch(const uint32_t *words)
{
    const uint32_t *reg = command.reg;
    unsigned lanes = reg[PM4_COMPUTE_NUM_THREAD_X], rsrc2 = reg[PM4_COMPUTE_PGM_RSRC2];
    unsigned wave = words[3] & PM4_INITIATOR_WAVE32 ? 32 : 64;
    struct gcn_launch l = {.code = (uint64_t)reg[PM4_COMPUTE_PGM_HI] << 40 | (uint64_t)reg[PM4_COMPUTE_PGM_LO]
                                                                                 << 8,
                           .user_sgprs = rsrc2 >> PM4_RSRC2_USER_SGPRS_SHIFT & 31,
                           .lanes = lanes,
                           .vgprs = ((reg[PM4_COMPUTE_PGM_RSRC1] & 63) + 1) * (wave == 32 ? 8 : 4),
                           .lds_bytes = (rsrc2 >> PM4_RSRC2_LDS_SHIFT & 511) * PM4_LDS_UNIT};
    const char *word = fault("hangs-on")         ? fault("hangs-on")
                       : fault("never-recovers") ? fault("never-recovers")
                                                 : fault("stuck");
    struct gcn_machine m = {.generation = (enum amd_generation)gpu.chip->generation,
                            .profile = &gpu.profile,
                            .page = page,
                            .never_ends = word ? (uint32_t)strtoul(word, NULL, 16) : 0,
                            .atomics_return_odd =
                                !strcmp(preload_setting("FAKE_AMDGPU_PLANT", ""), "odd-atomics")};
    if (!command.fresh)
        return "a launch before caches were invalidated";
    if (lanes != wave || reg[PM4_COMPUTE_START_X + 4] != 1 || reg[PM4_COMPUTE_START_X + 5] != 1 ||
        words[0] != 1 || words[1] != 1 || words[2] != 1 || !(words[3] & PM4_INITIATOR_COMPUTE))
        return "a launch of something else than one whole wave";
    if (wave == 32 && (m.generation == AMD_GFX8 || m.generation == AMD_GFX9))
        return "a wave of 32 lanes, which this generation does not have";
    if (!reg[PM4_COMPUTE_STATIC_THREAD_MGMT_SE0])
        return "no compute unit to run on";
    if (wave == 32 && m.generation == AMD_GFX11 && l.user_sgprs < PM4_USER_SGPRS_MAX)
        return "a wave of 32 lanes with fewer user SGPRs than Navi 31 and 33 need";
    memcpy(l.user_data, reg + PM4_COMPUTE_USER_DATA_0, sizeof l.user_data);
    return gcn_run(&m, &l);
}

/* Executes a packet, whose `count` words follow its header. Returns NULL, or what is wrong with it. */
static const char *packet(unsigned opcode, const uint32_t *words, unsigned count)
{
    bool old = gpu.chip->generation == AMD_GFX8 || gpu.chip->generation == AMD_GFX9;
    switch (opcode) {
    case PM4_SET_SH_REG_INDEX:
    case PM4_SET_SH_REG: {
        uint32_t first = words[0] & 0xFFFF;
        if (first + count - 1 > PM4_SH_REGS || (opcode == PM4_SET_SH_REG_INDEX && old))
            return "a register that does not exist";
        memcpy(command.reg + first, words + 1, (count - 1) * sizeof *words);
        return NULL;
    }
    case PM4_ACQUIRE_MEM:
        command.fresh = true;
        return count == (old ? 6U : 7U) ? NULL : "an ACQUIRE_MEM of another generation";
    case PM4_EVENT_WRITE:
    case PM4_NOP:
        return NULL;
    case PM4_DISPATCH_DIRECT:
        return count == 4 ? dispatch(words) : "a launch of another form";
    default:
        return "a packet that this stand-in does not implement";
    }
}

static const char *run_buffer(const uint32_t *word, unsigned count)
{
    command = (struct command){.fresh = false};
    for (unsigned n = 0; n < count;) {
        unsigned body = (word[n] >> 16 & 0x3FFF) + 1;
        if (word[n] == PM4_FILLER) {
            n++;
            continue;
        }
        if (word[n] >> 30 != 3 || n + 1 + body > count)
            return "a packet of another type, or a truncated one";
        const char *wrong = packet(word[n] >> 8 & 0xFF, word + n + 1, body);
        if (wrong)
            return wrong;
        n += 1 + body;
    }
    return NULL;
}

static uint64_t processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void note_time(uint64_t from)
{
    static uint64_t nanoseconds;
    const char *path = getenv("FAKE_AMDGPU_TIME");
    FILE *f = path ? fopen(path, "w") : NULL;
    nanoseconds += processor_time() - from;
    if (f) {
        (void)fprintf(f, "%" PRIu64 "\n", nanoseconds);
        (void)fclose(f);
    }
}

static int submit(union drm_amdgpu_cs *cs)
{
    const uint64_t *chunks = (const uint64_t *)(uintptr_t)cs->in.chunks;
    static const char hangs[] = "an instruction that never ends";
    static bool dead;
    const char *dies = fault("dies-after"), *wrong = dead ? hangs : NULL;
    uint32_t count = cs->in.num_chunks;
    uint64_t start = processor_time();
    if (gpu.reset.cancels)
        return fails(ECANCELED);
    if (dies && gpu.submissions >= strtoul(dies, NULL, 10))
        return fails(ENODEV);
    gpu.submissions++;
    if (!gpu.sorted)
        qsort(gpu.mapping, gpu.mappings, sizeof *gpu.mapping, by_address);
    gpu.sorted = true;
    cs->out.handle = gpu.submissions;
    gpu.waits = 0;
    if (fault("innocent-reset") && gpu.submissions == 1) {
        gpu.reset = resets[OTHERS_RESET];
        gpu.waits = (unsigned)strtoul(fault("innocent-reset"), NULL, 10);
        return 0;
    }
    for (uint32_t i = 0; i < count && !wrong; i++) {
        const struct drm_amdgpu_cs_chunk *chunk = (const void *)(uintptr_t)chunks[i];
        const struct drm_amdgpu_cs_chunk_ib *ib = (const void *)(uintptr_t)chunk->chunk_data;
        uint8_t *at;
        if (chunk->chunk_id != AMDGPU_CHUNK_ID_IB)
            continue;
        if (ib->ip_type != AMDGPU_HW_IP_COMPUTE || page(NULL, ib->va_start, &at) != GCN_MEMORY ||
            ib->va_start % 32 || ib->ib_bytes % 32)
            return fails(EINVAL);
        wrong = run_buffer((const uint32_t *)(const void *)at, ib->ib_bytes / 4);
    }
    note_time(start);
    dead = wrong && fault("never-recovers");
    if (wrong && strcmp(wrong, hangs) != 0)
        (void)fprintf(stderr, "fake_amdgpu: the GPU encountered %s\n", wrong);
    if (wrong) {
        gpu.waits = fault("stuck") ? UINT_MAX : WAITS_FOR_RESET;
        for (const struct reset *r = resets; r < resets + OTHERS_RESET; r++)
            if (!strcmp(r->name, preload_setting("FAKE_AMDGPU_RESET", "queue")))
                gpu.reset = *r;
    }
    return 0;
}

static int change_context(union drm_amdgpu_ctx *c)
{
    uint32_t op = c->in.op;
    memset(&c->out, 0, sizeof c->out);
    switch (op) {
    case AMDGPU_CTX_OP_ALLOC_CTX:
        c->out.alloc.ctx_id = 1;
        memset(&gpu.reset, 0, sizeof gpu.reset);
        return 0;
    case AMDGPU_CTX_OP_FREE_CTX:
        return 0;
    case AMDGPU_CTX_OP_QUERY_STATE2:
        c->out.state.flags = gpu.waits ? 0 : gpu.reset.flags;
        return 0;
    default:
        return fails(EINVAL);
    }
}

static int list_buffers(union drm_amdgpu_bo_list *l)
{
    if (l->in.operation == AMDGPU_BO_LIST_OP_CREATE)
        l->out.list_handle = 1;
    return 0;
}

/* ---- time ---- */

static uint64_t skipped; /* nanoseconds that wait_until skipped */

static uint64_t nanoseconds_of(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
}

/* Replaces libc's clock_gettime, which gives the callers' deadlines. Adds the skipped time. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are reserved */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, t);
    if (clock == CLOCK_MONOTONIC && skipped) {
        uint64_t now = nanoseconds_of(t) + skipped;
        *t = (struct timespec){.tv_sec = (time_t)(now / 1000000000), .tv_nsec = (long)(now % 1000000000)};
    }
    return result;
}

static void wait_until(uint64_t moment)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    if (moment > nanoseconds_of(&t))
        skipped += moment - nanoseconds_of(&t);
}

static int wait_for(union drm_amdgpu_wait_cs *w)
{
    bool busy = gpu.waits != 0;
    if (busy) {
        gpu.waits -= gpu.waits != UINT_MAX;
        wait_until(w->in.timeout);
    } else if (gpu.reset.error) {
        return fails(gpu.reset.error);
    }
    w->out.status = busy;
    return 0;
}

static int request(unsigned long number, void *argument)
{
    switch (_IOC_NR(number)) { /* like the kernel, ignores the direction bits, which libdrm can set wrongly */
    case _IOC_NR(DRM_IOCTL_VERSION):
        return answer_version(argument);
    case _IOC_NR(DRM_IOCTL_GET_CLIENT):
        ((struct drm_client *)argument)->auth = 1;
        return 0;
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
        return 0;
    case _IOC_NR(DRM_IOCTL_AMDGPU_INFO):
        return answer_info(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_GEM_CREATE):
        return create(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_GEM_MMAP): {
        union drm_amdgpu_gem_mmap *m = argument;
        if (m->in.handle == 0 || m->in.handle > gpu.buffers)
            return fails(ENOENT);
        m->out.addr_ptr = gpu.buffer[m->in.handle - 1].at;
        return 0;
    }
    case _IOC_NR(DRM_IOCTL_AMDGPU_GEM_VA):
        return change_addresses(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_CTX):
        return change_context(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_BO_LIST):
        return list_buffers(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_CS):
        return submit(argument);
    case _IOC_NR(DRM_IOCTL_AMDGPU_WAIT_CS):
        return wait_for(argument);
    default:
        return fails(EINVAL);
    }
}

bool fake_ioctl(int fd, unsigned long number, void *argument, int *result)
{
    if (!is_ours(fd))
        return false;
    *result = request(number, argument);
    return true;
}
