/* SPDX-License-Identifier: MIT */
/*
 * A Raspberry Pi's kernel and firmware, as far as harness/vcio.c uses them: a
 * library to be preloaded. Stands in for /dev/vcio, /dev/mem and the device
 * tree; what is launched runs on the model's machine (memory and QPU code), of
 * which it knows no more than the firmware does: a table of addresses.
 *
 * Programs start through the firmware's tag, or through the V3D's registers where the processor lets us see accesses to them.
 *
 * Environment:
 *   FAKE_VCIO_PROFILE   what the QPUs do (default bcm2835); a planted deviation is "bcm2835,CLAUSE=READING"
 *   FAKE_VCIO_SYSTEM    pi (default), kms, pi4, none: what the device tree says
 *   FAKE_VCIO_FAULT     no-device, no-right, no-memory, no-enable; dies-after=N: after N launches the firmware answers no more;
 *                       hangs-on=WORD: a program in which this word (hexadecimal) is an immediate never ends;
 *                       and after it never-recovers=WORD: no other does either; stays-on=WORD: the V3D is not switched off;
 *                       no-power=WORD: nor on again, as its registers say; errstat-on=WORD: such a program runs, and has a bit of ERRSTAT set
 *   FAKE_VCIO_TIME      a file: nanoseconds spent executing programs are written there at the end of each launch
 */
#include "harness/v3d.h"
#include "model/unit.h"
#include "model/vc4/machine.h"
#include "tests/preload.h"
#include "tests/support_registers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMORY_AT = 0x0C000000, /* physical */
    PERIPHERALS = 0x3F000000,
    V3D_AT = PERIPHERALS + 0xC00000,
    HANDLE = 7,
    QPUS = 12,
    LIMIT = 1000000,
    VCD_IDLE = 1 << 12, /* bits of ERRSTAT: no error, and one */
    VPM_WRITE_RANGE = 1 << 4,
    ALIAS_DIRECT = 3, /* bits 31:30 of the bus address of uncached memory */
};

static int vcio_fd = -1, mem_fd = -1, memory_file = -1;
static uint8_t *memory; /* our own view of what was allocated */
static uint32_t bytes;
static bool locked, enabled, has_hung, has_erred;
static unsigned launches;

static const char *setting(const char *name, const char *otherwise)
{
    return preload_setting(name, otherwise);
}

static const char *fault(const char *kind)
{
    return preload_fault("FAKE_VCIO_FAULT", kind);
}

static uint32_t bus_address(void)
{
    return (uint32_t)ALIAS_DIRECT << 30 | MEMORY_AT;
}

/* ---- files ---- */

/* A property of the device tree. */
static int open_property(const char *name)
{
    static const char ranges[] = "\x7e\0\0\0\x3f\0\0\0\x01\0\0\0";
    const char *system = setting("FAKE_VCIO_SYSTEM", "pi");
    if (!strcmp(system, "none")) {
        errno = ENOENT;
        return -1;
    }
    if (!strcmp(name, "compatible")) {
        static const char pi3[] = "raspberrypi,3-model-b\0brcm,bcm2837", pi4[] = "raspberrypi,4-model-b\0brcm,bcm2711";
        return !strcmp(system, "pi4") ? preload_file(pi4, sizeof pi4) : preload_file(pi3, sizeof pi3);
    }
    if (!strcmp(name, "model"))
        return preload_file("Fake Raspberry Pi 3 (a model, no silicon)", 42);
    if (!strcmp(name, "soc/ranges"))
        return preload_file(ranges, sizeof ranges - 1);
    if (!strcmp(name, "soc/v3d@7ec00000/compatible"))
        return preload_file("brcm,vc4-v3d", 13);
    if (!strcmp(name, "soc/v3d@7ec00000/status"))
        return !strcmp(system, "kms") ? preload_file("okay", 5) : preload_file("disabled", 9);
    errno = ENOENT;
    return -1;
}

int fake_open(const char *path)
{
    static const char tree[] = "/proc/device-tree/";
    if (!strncmp(path, tree, sizeof tree - 1))
        return open_property(path + sizeof tree - 1);
    if (!strcmp(path, "/dev/vcio")) {
        if (fault("no-device") || fault("no-right")) {
            errno = fault("no-device") ? ENOENT : EACCES;
            return -1;
        }
        return vcio_fd = preload_file("", 0);
    }
    if (!strcmp(path, "/dev/mem"))
        return mem_fd = preload_file("", 0);
    return PRELOAD_NOT_OURS;
}

static uint32_t read_v3d(uint32_t offset);
static void write_v3d(uint32_t offset, uint32_t value);

/* On processors where no access can be seen, only what never changes can be read. */
static void *map_v3d(size_t length)
{
    static const struct registers device = {read_v3d, write_v3d};
    uint32_t *v3d = registers_map(&device, length);
    if (v3d)
        return v3d;
    v3d = mmap64(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    v3d[V3D_IDENT0 / 4] = read_v3d(V3D_IDENT0);
    v3d[V3D_IDENT1 / 4] = read_v3d(V3D_IDENT1);
    return v3d;
}

static void *map_ours(size_t length, uint64_t offset)
{
    if (offset == V3D_AT)
        return map_v3d(length);
    if (offset < MEMORY_AT || offset + length > (uint64_t)MEMORY_AT + bytes || !locked) {
        errno = EPERM;
        return MAP_FAILED;
    }
    return preload_map(length, memory_file, offset - MEMORY_AT);
}

bool fake_map(int fd, size_t length, uint64_t offset, void **result)
{
    if (fd != mem_fd)
        return false;
    mem_fd = -1; /* it is closed next */
    *result = map_ours(length, offset);
    return true;
}

/* ---- the QPUs ---- */

static struct profile profile;
static struct coverage coverage;
static struct machine *machine;
static struct vc4_vector vpm_rows[VC4_VPM_ROWS];
static uint64_t nanoseconds;

static void make_machine(void)
{
    struct error e = {0};
    size_t size = (machine_bytes(QPUS) + 63) / 64 * 64;
    void *at = aligned_alloc(64, size);
    if (!at || !profile_resolve(unit_named("vc4-qpu"), setting("FAKE_VCIO_PROFILE", "bcm2835"), &profile, &e)) {
        (void)fprintf(stderr, "fake_vcio: %s\n", e.text);
        abort();
    }
    memset(at, 0, size);
    machine = machine_in(at, QPUS);
}

static uint32_t word_at(uint32_t bus)
{
    uint32_t word;
    if (bus - bus_address() > bytes - 4)
        abort(); /* the firmware would read whatever stands there */
    memcpy(&word, memory + (bus - bus_address()), sizeof word);
    return word;
}

/* Instructions from `code` on, as many as there can be. */
static uint32_t program_length(uint32_t code)
{
    uint32_t room = (bytes - (code - bus_address())) / 8;
    return room < QPU_PROGRAM_MAX ? room : QPU_PROGRAM_MAX;
}

static const char *word_that_hangs(void)
{
    static const char *const kinds[] = {"hangs-on", "never-recovers", "stays-on", "no-power"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fault(kinds[i]))
            return fault(kinds[i]);
    return NULL;
}

/* Has the program this word (as text, NULL: none) as an immediate? */
static bool has_word(uint32_t code, uint32_t count, const char *word)
{
    uint32_t wanted = word ? (uint32_t)strtoul(word, NULL, 16) : 0;
    for (uint32_t i = 0; word && i < count; i++) {
        if (word_at(code + 8 * i) == wanted)
            return true;
        if (word_at(code + 8 * i + 4) >> 28 == QPU_SIG_END)
            break;
    }
    return false;
}

static bool never_ends(uint32_t code, uint32_t count)
{
    bool dead = has_hung && fault("never-recovers");
    has_hung = has_hung || has_word(code, count, word_that_hangs());
    return dead || has_word(code, count, word_that_hangs());
}

/* What is to run: a program and its uniforms, by bus address. */
struct request {
    uint32_t uniforms, code;
};

/* Up to QPUS programs at once; how many came to their end. One that never ends keeps those behind it from starting. */
static unsigned run_some(const struct request *request, unsigned count)
{
    struct machine_start start[QPUS];
    bool good = true;
    unsigned runs = 0;
    for (unsigned i = 0; i < count && good; i++) {
        uint32_t code = request[i].code;
        start[runs] = (struct machine_start){.program = (const uint32_t *)(const void *)(memory + (code - bus_address())),
                                             .count = program_length(code),
                                             .code_base = code,
                                             .uniforms = {.in_memory = true, .address = request[i].uniforms},
                                             .number = i};
        good = !never_ends(code, start[runs].count);
        has_erred = has_erred || has_word(code, start[runs].count, fault("errstat-on"));
        runs += good;
    }
    struct machine_setup setup = {
        .env = {.profile = &profile,
                .coverage = &coverage,
                .memory_base = bus_address(),
                .memory = {.value = (struct vc4_vector *)(void *)memory, .rows = bytes / sizeof(struct vc4_vector)}},
        .vpm = {.value = vpm_rows, .rows = VC4_VPM_ROWS},
        .qpus = runs,
        .start = start,
        .limit = LIMIT,
        .seed = launches,
    };
    if (!runs)
        return 0;
    machine_prepare(machine, &setup);
    enum vc4_stop stop = machine_run(machine);
    if (stop) {
        struct text t = {0};
        machine_explain(machine, &t);
        (void)fprintf(stderr, "fake_vcio: %s\n%s", vc4_reasons[stop], text_chars(&t));
        text_free(&t);
    }
    return stop ? 0 : runs;
}

static void note_time(uint64_t from)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    nanoseconds += (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - from;
    const char *path = getenv("FAKE_VCIO_TIME");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) {
        (void)fprintf(f, "%llu\n", (unsigned long long)nanoseconds);
        (void)fclose(f);
    }
}

static unsigned launch(const struct request *request, unsigned count)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    if (!machine)
        make_machine();
    launches++;
    unsigned ended = run_some(request, count);
    note_time((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
    return ended;
}

/* The firmware's way: a table of requests in memory. */
static bool execute(uint32_t count, uint32_t table)
{
    struct request request[QPUS];
    unsigned queued = 0;
    for (uint32_t i = 0; i < count; i++) {
        request[queued++] = (struct request){word_at(table + 8 * i), word_at(table + 8 * i + 4)};
        if (queued < QPUS && i + 1 < count)
            continue;
        if (launch(request, queued) != queued)
            return false;
        queued = 0;
    }
    return true;
}

/* ---- the V3D's registers ---- */

static struct {
    struct request queue[QPUS];
    unsigned queued, requested, completed;
    uint32_t uniforms;
    bool overflow, l2_cleared, slices_cleared, vpm_for_users;
} v3d;

static void complain(const char *what)
{
    (void)fprintf(stderr, "fake_vcio: %s\n", what);
}

/* What is queued starts when somebody looks: then all of one batch run together. */
static void start_queued(void)
{
    if (v3d.queued && !(v3d.l2_cleared && v3d.slices_cleared))
        complain("programs started without clearing the caches");
    if (v3d.queued && !v3d.vpm_for_users)
        complain("programs started without VPM for user programs");
    v3d.completed += v3d.queued ? launch(v3d.queue, v3d.queued) : 0;
    v3d.queued = 0;
}

static uint32_t read_v3d(uint32_t offset)
{
    switch (offset) {
    case V3D_IDENT0:
        return has_hung && fault("no-power") ? 0xDEADBEEF : V3D_IDENT0_VALUE;
    case V3D_ERRSTAT:
        return VCD_IDLE | (has_erred ? VPM_WRITE_RANGE : 0);
    case V3D_IDENT1:
        return 0xC1102431;
    case V3D_SRQCS:
        start_queued();
        return (uint32_t)v3d.overflow << 7 | (v3d.requested & 0xFF) << 8 | (v3d.completed & 0xFF) << 16;
    default:
        return 0;
    }
}

static void queue_program(uint32_t code)
{
    v3d.requested++;
    if (v3d.queued < QPUS)
        v3d.queue[v3d.queued++] = (struct request){v3d.uniforms, code};
    else
        v3d.overflow = true;
}

static void clear_counts(uint32_t bits)
{
    v3d.overflow &= !(bits & 1 << 7);
    v3d.requested = bits & 1 << 8 ? 0 : v3d.requested;
    v3d.completed = bits & 1 << 16 ? 0 : v3d.completed;
}

static void write_v3d(uint32_t offset, uint32_t value)
{
    switch (offset) {
    case V3D_L2CACTL:
        v3d.l2_cleared = value & 4;
        break;
    case V3D_SLCACTL:
        v3d.slices_cleared = value == UINT32_MAX;
        break;
    case V3D_VPMBASE:
        v3d.vpm_for_users = value == 16;
        break;
    case V3D_SRQUA:
        v3d.uniforms = value;
        break;
    case V3D_SRQPC:
        queue_program(value);
        break;
    case V3D_SRQCS:
        clear_counts(value);
        break;
    default:
        break;
    }
}

/* ---- the firmware ---- */

static void allocate(uint32_t *values)
{
    if (fault("no-memory") || memory) {
        values[0] = 0;
        return;
    }
    bytes = values[0];
    memory_file = memfd_create("fake-gpu-memory", MFD_CLOEXEC);
    if (memory_file < 0 || ftruncate(memory_file, (off_t)bytes) != 0)
        abort();
    memory = preload_map(bytes, memory_file, 0);
    values[0] = HANDLE;
}

static void enable(uint32_t *values)
{
    bool on = values[0];
    bool stays = !on && has_hung && fault("stays-on");
    values[0] = fault("no-enable") ? 0x80000001 : on == enabled || stays ? 0x80000000 : 0;
    enabled = on || stays;
    has_erred = has_erred && enabled;
}

/* What one tag answers; false: a tag that this firmware does not know. */
static bool answer(uint32_t tag, uint32_t *values)
{
    switch (tag) {
    case 0x00001:
        values[0] = 0x5EED;
        return true;
    case 0x10002:
        values[0] = 0xA02082;
        return true;
    case 0x30006:
        values[1] = 45000 + 1000 * (launches / 64); /* it gets warm */
        return true;
    case 0x30047:
        values[1] = 300000000;
        return true;
    case 0x3000C:
        allocate(values);
        return true;
    case 0x3000D:
        locked = values[0] == HANDLE;
        values[0] = locked ? bus_address() : 0;
        return true;
    case 0x3000E:
    case 0x3000F:
        values[0] = 0;
        return true;
    case 0x30011:
        values[0] = execute(values[0], values[1]) ? 0 : 0x80000000;
        return true;
    case 0x30012:
        enable(values);
        return true;
    }
    return false;
}

static int property(uint32_t *message)
{
    const char *dies = fault("dies-after");
    if (message[0] < 12 || message[0] % 4 || message[1] != 0) {
        errno = EINVAL;
        return -1;
    }
    if (dies && launches >= strtoul(dies, NULL, 10)) {
        errno = ETIMEDOUT;
        return -1;
    }
    for (uint32_t at = 2; message[at] != 0 && at + 3 < message[0] / 4; at += 3 + message[at + 1] / 4)
        if (answer(message[at], message + at + 3))
            message[at + 2] |= 0x80000000;
    message[1] = 0x80000000;
    return 0;
}

bool fake_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    if (fd != vcio_fd)
        return false;
    *result = -1;
    errno = ENOTTY;
    if (request == _IOWR(100, 0, char *))
        *result = property(argument);
    return true;
}
