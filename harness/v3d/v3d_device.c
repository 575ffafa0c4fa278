/* SPDX-License-Identifier: MIT */
#include "harness/v3d/v3d_device.h"

#include "harness/system/clock.h"
#include "harness/v3d/v3d_uapi.h"

#include <drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From this revision of V3D 7.1 on, CFG4 is the number of batches; before, one less (Mesa's v3d driver). */
enum { REVISION_COUNTS_BATCHES = 6 };

struct v3d_device {
    struct drm_node node;
    struct v3d_facts facts;
    uint32_t handle, bus;
    uint8_t *at;
    uint64_t resets, own_resets; /* the kernel's counters after the last launch */
    unsigned noticed, of_others;
};

/* ---- which GPU ---- */

static int ask(const struct v3d_device *d, uint32_t parameter, uint64_t *value)
{
    struct v3d_uapi_get_param p = {.param = parameter};
    int failure = drm_ask(&d->node, V3D_UAPI_GET_PARAM, &p);
    *value = failure ? 0 : p.value;
    return failure;
}

static bool identify(struct v3d_device *d, struct error *e)
{
    static const uint32_t parameters[] = {V3D_UAPI_CORE_IDENT0, V3D_UAPI_CORE_IDENT1, V3D_UAPI_HUB_IDENT3};
    uint64_t ident[3], csd;
    for (unsigned n = 0; n < 3; n++) {
        int failure = ask(d, parameters[n], &ident[n]);
        if (failure)
            return error_set(e, "%s: the kernel does not say which V3D this is (%s)", d->node.path,
                             strerror(failure));
    }
    struct v3d_facts *f = &d->facts;
    f->version[0] = (unsigned)(ident[0] >> 24 & 0xFF);
    f->version[1] = (unsigned)(ident[1] & 15);
    f->version[2] = (unsigned)(ident[2] >> 8 & 0xFF);
    f->slices = (unsigned)(ident[1] >> 4 & 15);
    f->qpus = f->slices * (unsigned)(ident[1] >> 8 & 15);
    bool known = (f->version[0] == 4 && f->version[1] == 2) || (f->version[0] == 7 && f->version[1] == 1);
    if (!known)
        return error_set(e,
                         "%s: this is V3D %u.%u; only 4.2 (Raspberry Pi 4) and 7.1 (Raspberry Pi 5) are "
                         "modelled",
                         d->node.path, f->version[0], f->version[1]);
    if (ask(d, V3D_UAPI_SUPPORTS_CSD, &csd) || !csd)
        return error_set(e,
                         "%s: this kernel is too old: its driver v3d %d.%d.%d starts no compute jobs (CSD); "
                         "use Linux 5.4 or later",
                         d->node.path, d->node.version[0], d->node.version[1], d->node.version[2]);
    f->counts_resets =
        !ask(d, V3D_UAPI_GLOBAL_RESETS, &d->resets) && !ask(d, V3D_UAPI_CONTEXT_RESETS, &d->own_resets);
    return true;
}

/* ---- memory ---- */

static bool make_memory(struct v3d_device *d, struct error *e)
{
    struct v3d_uapi_create_bo create = {.size = V3D_MEMORY_BYTES};
    int failure = drm_ask(&d->node, V3D_UAPI_CREATE_BO, &create);
    struct v3d_uapi_mmap_bo map = {.handle = create.handle};
    if (!failure) {
        d->handle = create.handle;
        d->bus = create.offset;
        failure = drm_ask(&d->node, V3D_UAPI_MMAP_BO, &map);
    }
    d->at = failure ? NULL : drm_map(&d->node, map.offset, V3D_MEMORY_BYTES);
    if (d->at)
        return true;
    return error_set(e, "the kernel has no memory for a buffer of %u KB (%s); end other programs, or restart",
                     V3D_MEMORY_BYTES / 1024U, strerror(failure ? failure : errno));
}

/* ---- launches ---- */

static bool submit(void *context, const uint32_t config[V3D_CONFIG_WORDS], struct error *e)
{
    struct v3d_device *d = context;
    struct v3d_uapi_submit_csd s = {.bo_handles = (uint64_t)(uintptr_t)&d->handle, .bo_handle_count = 1};
    memcpy(s.cfg, config, sizeof s.cfg);
    int failure = drm_ask(&d->node, V3D_UAPI_SUBMIT_CSD, &s);
    if (!failure)
        return true;
    error_set(e, "%s: the kernel starts no compute job (%s)%s", d->node.path, strerror(failure),
              failure == ENOMEM ? "; end other programs, or restart" : "");
    return error_of_machine(e);
}

/* Notices resets. Returns true if a job of ours caused one. Without counters, only a long wait tells. */
static bool was_reset(struct v3d_device *d, int64_t took_ms)
{
    uint64_t all = d->resets, own = d->own_resets;
    if (!d->facts.counts_resets) {
        bool hung = took_ms >= V3D_HUNG_MS;
        d->noticed += hung;
        return hung;
    }
    (void)ask(d, V3D_UAPI_GLOBAL_RESETS, &all);
    (void)ask(d, V3D_UAPI_CONTEXT_RESETS, &own);
    bool ours = own != d->own_resets;
    d->noticed += (unsigned)(all - d->resets);
    d->of_others += (unsigned)((all - d->resets) - (own - d->own_resets));
    d->resets = all;
    d->own_resets = own;
    return ours;
}

/* A reset that others caused is no hang: the kernel starts our jobs again. A case that lost its results is
 * launched a second time. */
static enum launch_result wait_for_all(void *context, struct error *e)
{
    struct v3d_device *d = context;
    int64_t begin = clock_ms();
    struct v3d_uapi_wait_bo w = {.handle = d->handle, .timeout_ns = UINT64_C(1000000) * V3D_WAIT_MS};
    int failure = drm_ask(&d->node, V3D_UAPI_WAIT_BO, &w);
    if (!failure)
        return was_reset(d, clock_ms() - begin) ? LAUNCH_HUNG : LAUNCH_DONE;
    error_set(
        e,
        "%s: a compute job does not end (%s), and the kernel did not reset the GPU within %d s; restart "
        "the board",
        d->node.path, strerror(failure), V3D_WAIT_MS / 1000);
    (void)error_of_machine(e);
    return LAUNCH_LOST;
}

/* ---- the device ---- */

struct v3d_device *v3d_device_open(const char *path, struct error *e)
{
    static const char advice[] = "board drm:v3d needs a Raspberry Pi 4 or 5 with its kernel driver: put "
                                 "dtoverlay=vc4-kms-v3d into config.txt";
    struct v3d_device *d = calloc(1, sizeof *d);
    if (!d) {
        error_memory(e, "for a board");
        return NULL;
    }
    d->node.fd = -1;
    if (drm_open(&d->node, "v3d", path, advice, e)) {
        if (identify(d, e) && make_memory(d, e))
            return d;
        (void)error_of_machine(e);
    }
    v3d_device_close(d);
    return NULL;
}

void v3d_device_close(struct v3d_device *d)
{
    if (!d)
        return;
    if (d->at)
        munmap(d->at, V3D_MEMORY_BYTES);
    if (d->handle) {
        struct drm_gem_close gone = {.handle = d->handle};
        (void)drm_ask(&d->node, DRM_IOCTL_GEM_CLOSE, &gone);
    }
    drm_close(&d->node);
    free(d);
}

const struct v3d_facts *v3d_device_facts(const struct v3d_device *d)
{
    return &d->facts;
}

const struct drm_node *v3d_device_node(const struct v3d_device *d)
{
    return &d->node;
}

unsigned v3d_device_resets(const struct v3d_device *d, unsigned *of_others)
{
    *of_others = d->of_others;
    return d->noticed;
}

struct v3d_gpu v3d_device_gpu(struct v3d_device *d)
{
    const struct v3d_facts *f = &d->facts;
    return (struct v3d_gpu){.context = d,
                            .generation = f->version[0] == 4 ? V3D_42 : V3D_71,
                            .counts_from_1 = f->version[0] == 7 && f->version[2] >= REVISION_COUNTS_BATCHES,
                            .at = d->at,
                            .bus = d->bus,
                            .submit = submit,
                            .wait = wait_for_all};
}
