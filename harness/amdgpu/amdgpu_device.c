/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_device.h"

#include "harness/launch/drm.h"
#include "harness/system/clock.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <xf86drm.h>

enum {
    PAGE = 65536, /* the largest page that GPUs use for small buffers */
    WINDOW_ALIGN = 2 << 20,
    POLL_MS = 50,
};

struct buffer {
    amdgpu_bo_handle bo;
    amdgpu_va_handle range;
    uint64_t bytes;
    struct amdgpu_area area;
};

struct amdgpu_device {
    struct drm_node node;
    amdgpu_device_handle handle;
    amdgpu_context_handle context;
    amdgpu_bo_list_handle list;
    struct buffer arena, windows;
    struct amdgpu_facts facts;
    struct amdgpu_limits limits;
    uint32_t ring;
    unsigned lost_to_others; /* submissions in a row that other programs seem to have disturbed */
};

/* Reports a failed call to libdrm, whose errors are negative errnos. */
static bool failed(struct error *e, const char *what, int result)
{
    e->of_machine = true;
    return error_set(e, "%s: the kernel says %s", what, strerror(-result));
}

/* ---- which GPU ---- */

/* Family numbers of the kernel (amdgpu_drm.h; libdrm's older copies lack the last), with the first revision
 * of each chip. */
static int amdgpu_generation_of(uint32_t family, uint32_t external_rev, struct error *e)
{
    enum { OTHER = -1 };
    static const struct {
        uint32_t family, from;
        int generation;
        const char *name;
    } known[] = {
        {130, 0x00, OTHER, "Iceland or Tonga (gfx802: its waves must have exactly 96 SGPRs)"},
        {130, 0x3C, AMD_GFX8, "Fiji to Vega M"},
        {135, 0x00, AMD_GFX8, "Carrizo"},
        {135, 0x61, OTHER, "Stoney (its D16 data lies as in no other GFX8)"},
        {141, 0x00, AMD_GFX9, "Vega 10 to 20"},
        {141, 0x32, OTHER, "CDNA"},
        {142, 0x00, AMD_GFX9, "Raven, Renoir"},
        {143, 0x00, OTHER, "RDNA 1"},
        {143, 0x28, AMD_GFX10, "Navi 21 to 24"},
        {143, 0x82, OTHER, "Cyan Skillfish (RDNA 1)"},
        {144, 0x00, AMD_GFX10, "Van Gogh"},
        {145, 0x00, AMD_GFX11, "Navi 31 to 33"},
        {146, 0x00, AMD_GFX10, "Yellow Carp"},
        {148, 0x00, AMD_GFX11, "Phoenix"},
        {149, 0x00, AMD_GFX10, "Raphael"},
        {151, 0x00, AMD_GFX10, "Mendocino"},
    };
    int generation = OTHER;
    const char *name = "a family that this version does not know";
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].family == family && external_rev >= known[i].from) {
            generation = known[i].generation;
            name = known[i].name;
        }
    if (generation == OTHER) {
        e->of_machine = true;
        error_set(
            e, "this GPU has family %u, revision 0x%02x: %s; only GFX8, GFX9, GFX10.3 and GFX11 are modelled",
            (unsigned)family, (unsigned)external_rev, name);
    }
    return generation;
}

static void identify(struct amdgpu_device *d, const struct amdgpu_gpu_info *info)
{
    static const char fake[] = "Fake ";
    struct amdgpu_facts *f = &d->facts;
    struct utsname system = {0};
    const char *name = amdgpu_get_marketing_name(d->handle);
    drmVersionPtr v = drmGetVersion(d->node.fd);
    f->fake = v && v->desc_len >= (int)sizeof fake - 1 && !strncmp(v->desc, fake, sizeof fake - 1);
    if (name && !f->fake)
        (void)snprintf(f->name, sizeof f->name, "%s", name);
    else
        (void)snprintf(f->name, sizeof f->name, "%.*s", v ? v->desc_len : 0, v ? v->desc : "");
    if (v)
        drmFreeVersion(v);
    (void)uname(&system);
    (void)snprintf(f->kernel, sizeof f->kernel, "%.100s, amdgpu %d.%d.%d", system.release, d->node.version[0],
                   d->node.version[1], d->node.version[2]);
    f->pci_id = info->asic_id;
    f->family = info->family_id;
    f->chip_rev = info->chip_rev;
    f->external_rev = info->chip_external_rev;
    f->compute_units = info->cu_active_number;
    f->engine_khz = (uint32_t)info->max_engine_clk;
    f->memory_khz = (uint32_t)info->max_memory_clk;
}

static bool query(struct amdgpu_device *d, struct error *e)
{
    struct amdgpu_gpu_info info = {0};
    struct drm_amdgpu_info_hw_ip compute = {0};
    int r = amdgpu_query_gpu_info(d->handle, &info);
    if (r)
        return failed(e, "asking which GPU it is", r);
    int generation = amdgpu_generation_of(info.family_id, info.chip_external_rev, e);
    if (generation < 0)
        return false;
    r = amdgpu_query_hw_ip_info(d->handle, AMDGPU_HW_IP_COMPUTE, 0, &compute);
    if (r)
        return failed(e, "asking for its compute rings", r);
    if (!compute.available_rings) {
        e->of_machine = true;
        return error_set(e, "the kernel offers no compute ring on this GPU");
    }
    d->ring = (uint32_t)__builtin_ctz(compute.available_rings);
    /* The kernel sets SH_MEM_CONFIG's mode to UNALIGNED on all these generations (gfx_v8_0.c to gfx_v11_0.c).
     */
    d->limits = (struct amdgpu_limits){.generation = (enum amd_generation)generation,
                                       .alignment = AMD_ALIGN_UNALIGNED};
    identify(d, &info);
    return true;
}

bool amdgpu_device_state(struct amdgpu_device *d, uint32_t *clock_mhz, uint32_t *millidegrees)
{
    return amdgpu_query_sensor_info(d->handle, AMDGPU_INFO_SENSOR_GFX_SCLK, sizeof *clock_mhz, clock_mhz) ==
               0 &&
           amdgpu_query_sensor_info(d->handle, AMDGPU_INFO_SENSOR_GPU_TEMP, sizeof *millidegrees,
                                    millidegrees) == 0;
}

/* ---- memory ---- */

static bool map(struct amdgpu_device *d, const struct buffer *b, uint64_t offset, uint64_t bytes, uint64_t va,
                struct error *e)
{
    uint64_t flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE;
    int r = amdgpu_bo_va_op_raw(d->handle, b->bo, offset, bytes, va, flags, AMDGPU_VA_OP_MAP);
    return r == 0 || failed(e, "mapping memory into the GPU's addresses", r);
}

/* Maps addresses without memory, as for partially resident textures: loads return 0, stores are dropped,
 * nothing faults. */
static bool map_nothing(struct amdgpu_device *d, uint64_t va, uint64_t bytes, struct error *e)
{
    int r = amdgpu_bo_va_op_raw(d->handle, NULL, 0, bytes, va, AMDGPU_VM_PAGE_PRT, AMDGPU_VA_OP_MAP);
    return r == 0 || failed(e, "reserving the guards around the cases' memory", r);
}

/* Allocates a buffer that host and GPU see, and `span` bytes of GPU addresses for it. */
static bool allocate(struct amdgpu_device *d, struct buffer *b, uint64_t bytes, uint64_t span,
                     struct error *e)
{
    void *at;
    b->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    struct amdgpu_bo_alloc_request request = {.alloc_size = b->bytes,
                                              .phys_alignment = PAGE,
                                              .preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
                                              .flags = 0};
    int r = amdgpu_bo_alloc(d->handle, &request, &b->bo);
    if (r)
        return failed(e, "allocating GPU memory", r);
    r = amdgpu_va_range_alloc(d->handle, amdgpu_gpu_va_range_general, (span + PAGE - 1) / PAGE * PAGE,
                              WINDOW_ALIGN, 0, &b->area.va, &b->range, 0);
    if (r)
        return failed(e, "reserving GPU addresses", r);
    r = amdgpu_bo_cpu_map(b->bo, &at);
    if (r)
        return failed(e, "mapping GPU memory", r);
    b->area.at = at;
    return true;
}

static bool allocate_windows(struct amdgpu_device *d, struct error *e)
{
    const uint64_t pitch = AMDGPU_WINDOW_PITCH, guard = AMDGPU_GUARD, bytes = AMD_MEMORY_BYTES;
    struct buffer *b = &d->windows;
    if (!allocate(d, b, AMDGPU_WINDOWS * bytes, AMDGPU_WINDOWS * pitch, e))
        return false;
    for (uint64_t i = 0; i < AMDGPU_WINDOWS; i++) {
        uint64_t at = b->area.va + i * pitch;
        if (!map_nothing(d, at, guard, e) || !map(d, b, i * bytes, bytes, at + guard, e) ||
            !map_nothing(d, at + guard + bytes, pitch - guard - bytes, e))
            return false;
    }
    return true;
}

static bool prepare(struct amdgpu_device *d, struct error *e)
{
    if (!allocate(d, &d->arena, AMDGPU_ARENA_BYTES, AMDGPU_ARENA_BYTES, e) ||
        !map(d, &d->arena, 0, d->arena.bytes, d->arena.area.va, e) || !allocate_windows(d, e))
        return false;
    amdgpu_bo_handle both[] = {d->arena.bo, d->windows.bo};
    int r = amdgpu_bo_list_create(d->handle, 2, both, NULL, &d->list);
    if (r)
        return failed(e, "listing the GPU's memory", r);
    r = amdgpu_cs_ctx_create(d->handle, &d->context);
    return r == 0 || failed(e, "making a context on the GPU", r);
}

static void drop(struct buffer *b)
{
    if (b->area.at)
        (void)amdgpu_bo_cpu_unmap(b->bo);
    if (b->bo)
        (void)amdgpu_bo_free(b->bo); /* also unmaps it; closing the node unmaps the guards */
    if (b->range)
        (void)amdgpu_va_range_free(b->range);
}

/* ---- submissions ---- */

static bool new_context(struct amdgpu_device *d, struct error *e)
{
    (void)amdgpu_cs_ctx_free(d->context);
    d->context = NULL;
    int r = amdgpu_cs_ctx_create(d->handle, &d->context);
    return r == 0 || failed(e, "making a new context after the GPU hung (reboot the machine)", r);
}

/*
 * Did other programs make the kernel take our submission off the GPU? The submission's error tells why the
 * kernel took it: -ETIME if our submission timed out, -ENODATA if the kernel killed its waves without a
 * reset, -ECANCELED if others caused a reset. But older kernels also give -ECANCELED if our submission caused
 * the reset, and mark our context as guilty. Linux 6.12 gives -ECANCELED in place of -ETIME if it resets only
 * the queue, and then marks no context (amdgpu_job.c, sched_main.c; Mesa, amdgpu_cs.cpp). So recover() blames
 * others once, not twice in a row. Without error and reset, either an older kernel killed the waves or the
 * work was slow; the stamps in the output show which.
 */
static bool was_others(int error, uint64_t flags)
{
    bool reset = flags & AMDGPU_CTX_QUERY2_FLAGS_RESET, guilty = flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
    return error != -ETIME && error != -ENODATA && !guilty && (error == -ECANCELED || reset);
}

/* Handles a submission that did not end in time, or ended with an error: waits until it has left the GPU,
 * then makes a new context. */
static enum launch_result recover(struct amdgpu_device *d, struct amdgpu_cs_fence *fence, int error,
                                  struct error *e)
{
    uint64_t flags = 0;
    uint32_t expired = 0;
    int64_t end = clock_ms() + AMDGPU_RESET_MS;
    while (!error && !expired) {
        error = amdgpu_cs_query_fence_status(fence, UINT64_C(1000000) * POLL_MS, 0, &expired);
        if (!error && !expired && clock_ms() > end) {
            e->of_machine = true;
            error_set(e, "the GPU hangs and the kernel did not reset it within %d s; reboot the machine",
                      AMDGPU_RESET_MS / 1000);
            return LAUNCH_LOST;
        }
    }
    if (error && error != -ETIME && error != -ENODATA && error != -ECANCELED) {
        failed(e, "waiting for work", error);
        return LAUNCH_LOST;
    }
    int r = amdgpu_cs_query_reset_state2(d->context, &flags);
    if (r) {
        failed(e, "asking whether the GPU was reset", r);
        return LAUNCH_LOST;
    }
    if (!new_context(d, e))
        return LAUNCH_LOST;
    d->lost_to_others = was_others(error, flags) ? d->lost_to_others + 1 : 0;
    return d->lost_to_others == 1 ? LAUNCH_DONE : LAUNCH_HUNG; /* cases without a stamp are launched again */
}

static enum launch_result submit(void *context, unsigned words, struct error *e)
{
    struct amdgpu_device *d = context;
    struct amdgpu_cs_ib_info ib = {.ib_mc_address = d->arena.area.va, .size = words};
    struct amdgpu_cs_request request = {.ip_type = AMDGPU_HW_IP_COMPUTE,
                                        .ring = d->ring,
                                        .resources = d->list,
                                        .number_of_ibs = 1,
                                        .ibs = &ib};
    struct amdgpu_cs_fence fence = {.context = d->context, .ip_type = AMDGPU_HW_IP_COMPUTE, .ring = d->ring};
    uint32_t expired = 0;
    int r = amdgpu_cs_submit(d->context, 0, &request, 1);
    if (r == -ECANCELED) /* an earlier reset made the context invalid */
        return recover(d, &fence, r, e);
    if (r) {
        failed(e, "submitting work", r);
        return LAUNCH_LOST;
    }
    fence.fence = request.seq_no;
    r = amdgpu_cs_query_fence_status(&fence, UINT64_C(1000000) * AMDGPU_HUNG_MS, 0, &expired);
    if (r || !expired)
        return recover(d, &fence, r, e);
    d->lost_to_others = 0;
    return LAUNCH_DONE;
}

/* ---- the device ---- */

struct amdgpu_device *amdgpu_device_open(const char *path, struct error *e)
{
    static const char advice[] = "board drm:amdgpu needs an AMD GPU and its kernel driver: load amdgpu";
    uint32_t major, minor;
    struct amdgpu_device *d = calloc(1, sizeof *d);
    if (!d) {
        error_memory(e, "for a board");
        return NULL;
    }
    d->node.fd = -1;
    if (drm_open(&d->node, "amdgpu", path, advice, e)) {
        int r = amdgpu_device_initialize(d->node.fd, &major, &minor, &d->handle);
        if (r)
            failed(e, "opening the GPU", r);
        else if (query(d, e) && prepare(d, e))
            return d;
    }
    amdgpu_device_close(d);
    return NULL;
}

void amdgpu_device_close(struct amdgpu_device *d)
{
    if (!d)
        return;
    if (d->context)
        (void)amdgpu_cs_ctx_free(d->context);
    if (d->list)
        (void)amdgpu_bo_list_destroy(d->list);
    drop(&d->arena);
    drop(&d->windows);
    if (d->handle)
        (void)amdgpu_device_deinitialize(d->handle);
    drm_close(&d->node);
    free(d);
}

const struct amdgpu_facts *amdgpu_device_facts(const struct amdgpu_device *d)
{
    return &d->facts;
}

struct amdgpu_machine amdgpu_device_machine(struct amdgpu_device *d)
{
    return (struct amdgpu_machine){.context = d,
                                   .limits = d->limits,
                                   .arena = d->arena.area,
                                   .windows = d->windows.area,
                                   .submit = submit};
}
