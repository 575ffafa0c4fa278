/* SPDX-License-Identifier: MIT */
#include "harness/vc4/drm_vc4.h"

#include "harness/system/pages.h"
#include "harness/vc4/vc4_registers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vc4_drm.h>

enum {
    RGBA8888_LINEAR = 1 << 2, /* render target: format in bits 3:2, layout in 7:6 (p76 T43) */
    NO_SURFACE = -1,
};

static const char advice[] = "on a Raspberry Pi 1 to 3, put dtoverlay=vc4-kms-v3d into config.txt";

static uint64_t pointer(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static int ask_parameter(const struct drm_vc4 *v, uint32_t parameter, uint64_t *value)
{
    struct drm_vc4_get_param p = {.param = parameter};
    int failure = drm_ask(&v->node, DRM_IOCTL_VC4_GET_PARAM, &p);
    *value = p.value;
    return failure;
}

static bool identify(struct drm_vc4 *v, struct error *e)
{
    for (uint32_t i = 0; i < DRM_VC4_IDENTS; i++) {
        uint64_t value;
        int failure = ask_parameter(v, DRM_VC4_PARAM_V3D_IDENT0 + i, &value);
        if (failure) /* on a Raspberry Pi 4 this driver drives only the display */
            return error_set(
                e, "%s: the kernel's vc4 driver has no V3D here (%s); use a Raspberry Pi 1 to 3 or Zero",
                v->node.path, strerror(failure));
        v->ident[i] = (uint32_t)value;
    }
    return v->ident[0] == VC4_REGISTER_IDENT0_VALUE ||
           error_set(e, "%s: the V3D's register IDENT0 reads %08lX, not %08lX: this is another GPU",
                     v->node.path, (unsigned long)v->ident[0], (unsigned long)VC4_REGISTER_IDENT0_VALUE);
}

bool drm_vc4_open(struct drm_vc4 *v, const char *path, struct error *e)
{
    uint64_t branches;
    if (!drm_open(&v->node, "vc4", path, advice, e))
        return false;
    bool good = identify(v, e);
    if (good && (ask_parameter(v, DRM_VC4_PARAM_SUPPORTS_BRANCHES, &branches) || !branches))
        good = error_set(e, "this kernel's vc4 driver is too old: it accepts no branches in shaders; use "
                            "Linux 4.8 or later");
    if (good)
        return true;
    drm_vc4_close(v);
    return error_of_machine(e);
}

void drm_vc4_close(struct drm_vc4 *v)
{
    drm_close(&v->node);
}

bool drm_vc4_answers(const struct drm_vc4 *v, struct error *e)
{
    uint64_t value = 0;
    int failure = ask_parameter(v, DRM_VC4_PARAM_V3D_IDENT0, &value);
    if (!failure && value == v->ident[0])
        return true;
    error_set(e, "%s: the V3D does not answer after a reset (%s): reboot the board", v->node.path,
              strerror(failure));
    return error_of_machine(e);
}

bool drm_vc4_temperature(uint32_t *millidegrees)
{
    char number[32];
    int fd = open("/sys/class/thermal/thermal_zone0/temp", O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, number, sizeof number - 1);
    if (fd >= 0)
        close(fd);
    if (count <= 0)
        return false;
    number[count] = 0;
    *millidegrees = (uint32_t)strtoul(number, NULL, 10);
    return true;
}

static bool no_memory(size_t bytes, int failure, struct error *e)
{
    error_set(e,
              "the kernel has no memory for a buffer of %zu KB (%s); give it more contiguous memory "
              "(cma=128M in cmdline.txt)",
              bytes / 1024, strerror(failure));
    return error_of_machine(e);
}

bool drm_vc4_make(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *b, struct error *e)
{
    struct drm_vc4_create_bo create = {.size = (uint32_t)bytes};
    int failure = drm_ask(&v->node, DRM_IOCTL_VC4_CREATE_BO, &create);
    struct drm_vc4_mmap_bo map = {.handle = create.handle};
    failure = failure ? failure : drm_ask(&v->node, DRM_IOCTL_VC4_MMAP_BO, &map);
    *b = (struct drm_vc4_buffer){.handle = create.handle, .bytes = bytes};
    b->at = failure ? NULL : drm_map(&v->node, map.offset, bytes);
    return b->at || no_memory(bytes, failure ? failure : errno, e);
}

void drm_vc4_unmap(struct drm_vc4_buffer *b)
{
    if (b->at)
        munmap(b->at, b->bytes);
    b->at = NULL;
}

/* ---- drawing ---- */

static void fill(uint32_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pixels[i] = DRM_VC4_CLEAR;
}

bool drm_vc4_begin(struct drm_vc4_drawing *d, const struct drm_vc4 *v, size_t target_bytes, struct error *e)
{
    d->v = v;
    d->handles = d->kept;
    d->pixels = pages_new(1, target_bytes);
    if (!d->pixels)
        return error_memory(e, "for a copy of the render target");
    if (!drm_vc4_make(v, target_bytes, &d->target, e))
        return false;
    d->handle[DRM_VC4_TARGET] = d->target.handle;
    fill(d->target.at, target_bytes / sizeof *d->pixels);
    return true;
}

void drm_vc4_end(struct drm_vc4_drawing *d)
{
    drm_vc4_unmap(&d->target);
    free(d->pixels);
}

bool drm_vc4_put_shader(struct drm_vc4_drawing *d, unsigned number, const uint32_t *code,
                        unsigned instructions, struct error *e)
{
    struct drm_vc4_create_shader_bo create = {.size = 8 * instructions, .data = pointer(code)};
    int failure = drm_ask(&d->v->node, DRM_IOCTL_VC4_CREATE_SHADER_BO, &create);
    d->handle[number] = create.handle;
    if (!failure)
        return true;
    if (failure == EINVAL)
        return error_set(e, "this kernel's validator refuses the shader, but Misprint's copy of its rules "
                            "accepts it: one of the two is wrong");
    (void)no_memory(8 * (size_t)instructions, failure, e);
    d->failure = *e;
    return false;
}

void drm_vc4_drop_shaders(struct drm_vc4_drawing *d)
{
    while (d->handles > d->kept) {
        struct drm_gem_close gone = {.handle = d->handle[--d->handles]};
        (void)drm_ask(&d->v->node, DRM_IOCTL_GEM_CLOSE, &gone);
    }
}

static enum launch_result wait_for(const struct drm_vc4 *v, uint64_t seqno, struct error *e)
{
    struct drm_vc4_wait_seqno wait = {.seqno = seqno, .timeout_ns = UINT64_C(1000000) * DRM_VC4_DRAW_MS};
    int failure = drm_ask(&v->node, DRM_IOCTL_VC4_WAIT_SEQNO, &wait);
    if (!failure)
        return LAUNCH_DONE;
    error_set(e, "%s: a draw does not end (%s), and the kernel does not reset the V3D: reboot the board",
              v->node.path, strerror(failure));
    (void)error_of_machine(e);
    return LAUNCH_LOST;
}

enum launch_result drm_vc4_launch(struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down,
                                  struct error *e)
{
    const struct drm_vc4_submit_rcl_surface none = {.hindex = (uint32_t)NO_SURFACE};
    const struct command_list *l = &d->list;
    if (*d->failure.text) {
        *e = d->failure;
        return LAUNCH_LOST;
    }
    draw_end(&d->list, tiles_across, tiles_down);
    struct drm_vc4_submit_cl submit = {
        .bin_cl = pointer(l->bin),
        .bin_cl_size = l->bin_bytes,
        .shader_rec = pointer(l->records),
        .shader_rec_size = l->records_bytes,
        .shader_rec_count = l->draws,
        .uniforms = pointer(l->uniforms),
        .uniforms_size = 4 * l->uniform_words,
        .bo_handles = pointer(d->handle),
        .bo_handle_count = d->handles,
        .width = (uint16_t)(tiles_across * DRAW_TILE),
        .height = (uint16_t)(tiles_down * DRAW_TILE),
        .max_x_tile = (uint8_t)(tiles_across - 1),
        .max_y_tile = (uint8_t)(tiles_down - 1),
        .color_read = none,
        .color_write = {.hindex = DRM_VC4_TARGET, .bits = RGBA8888_LINEAR},
        .zs_read = none,
        .zs_write = none,
        .msaa_color_write = none,
        .msaa_zs_write = none,
        .clear_color = {DRM_VC4_CLEAR, DRM_VC4_CLEAR},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
    };
    int failure = drm_ask(&d->v->node, DRM_IOCTL_VC4_SUBMIT_CL, &submit);
    if (!failure)
        return wait_for(d->v, submit.seqno, e);
    if (failure == EINVAL) {
        error_set(e, "this kernel refuses the command list of the case, but Misprint's copy of its rules "
                     "accepts it: one of the two is wrong (with drm.debug=1 in cmdline.txt the kernel's log "
                     "says why)");
        return LAUNCH_REFUSED;
    }
    error_set(e, "%s: the kernel accepts no command list (%s)", d->v->node.path, strerror(failure));
    (void)error_of_machine(e);
    return LAUNCH_LOST;
}

/* Copies and clears one piece after the other, so that each piece is still in the cache when it is cleared.
 */
void drm_vc4_fetch(const struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down)
{
    enum { PIECE = 1024 }; /* pixels; divides a tile */
    size_t pixels = (size_t)tiles_across * tiles_down * DRAW_TILE * DRAW_TILE;
    for (size_t i = 0; i < pixels; i += PIECE) {
        uint32_t *from = (uint32_t *)d->target.at + i;
        memcpy(d->pixels + i, from, PIECE * sizeof *from);
        fill(from, PIECE);
    }
}
