/* SPDX-License-Identifier: MIT */
/*
 * The ioctls of the kernel's vc4 driver on its render node (drm.h): allocates buffers, passes shaders to the
 * kernel's validator, draws into a render target and reads the pixels back. Needs access to the node and no
 * other rights. The kernel resets a GPU that hangs. The contents of shaders and command lists belong to the
 * callers.
 *
 * Source: Linux, include/uapi/drm/vc4_drm.h, drivers/gpu/drm/vc4/vc4_gem.c. This project has run none of this
 * on a Raspberry Pi.
 */
#ifndef MISPRINT_HARNESS_VC4_DRM_VC4_H
#define MISPRINT_HARNESS_VC4_DRM_VC4_H

#include "harness/launch/drm.h"
#include "harness/launch/launcher.h"
#include "harness/vc4/command_list.h"

enum {
    DRM_VC4_IDENTS = 3,
    /* The time limit of a draw. The kernel checks every 100 ms whether the GPU makes progress, and resets it
     * if not. So a draw that takes this long shows that the kernel's reset does not work. */
    DRM_VC4_DRAW_MS = 10000,
};

struct drm_vc4 {
    struct drm_node node;
    uint32_t ident[DRM_VC4_IDENTS];
};

/* Opens the node at `path`, or with "" the first node of the driver. False with an error. */
bool drm_vc4_open(struct drm_vc4 *v, const char *path, struct error *e);
void drm_vc4_close(struct drm_vc4 *v); /* frees buffers and shaders, but not the mappings */

/* True if the V3D still returns the IDENT0 that drm_vc4_open read. */
bool drm_vc4_answers(const struct drm_vc4 *v, struct error *e);

/* Reads the chip's temperature, which needs no rights. False: it cannot be read. */
bool drm_vc4_temperature(uint32_t *millidegrees);

/* A buffer that the GPU and the CPU share. */
struct drm_vc4_buffer {
    uint32_t handle;
    void *at;
    size_t bytes;
};
bool drm_vc4_make(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *b, struct error *e);
void drm_vc4_unmap(struct drm_vc4_buffer *b);

/* The render target, handles and command list of one board's launches. The caller sets `handle`, `kept` and
 * the room of `list`. */
struct drm_vc4_drawing {
    const struct drm_vc4 *v;
    struct drm_vc4_buffer target; /* 32-bit pixels, line after line without a gap */
    uint32_t *pixels;             /* a copy of the target, because the target may be uncached memory */
    uint32_t *handle;             /* handles of all buffers and shaders; index 0 is the target */
    unsigned handles, kept;       /* number of handles; how many of them stay after a launch */
    struct command_list list;
    struct error failure; /* why the kernel failed to create a shader, or "" */
};
enum { DRM_VC4_TARGET = 0 };
#define DRM_VC4_CLEAR UINT32_C(0x7B7B7B7B) /* every pixel of the target before a launch */

bool drm_vc4_begin(struct drm_vc4_drawing *d, const struct drm_vc4 *v, size_t target_bytes, struct error *e);
void drm_vc4_end(struct drm_vc4_drawing *d);

/* Passes a shader to the kernel and stores its handle at index `number`. False with an error: the kernel's
 * validator refuses the shader, or the kernel failed. The next launch reports a failure of the kernel again.
 */
bool drm_vc4_put_shader(struct drm_vc4_drawing *d, unsigned number, const uint32_t *code,
                        unsigned instructions, struct error *e);
/* Frees the shaders of the previous launch. */
void drm_vc4_drop_shaders(struct drm_vc4_drawing *d);

/* Submits the list and waits until the kernel reports that it is finished, which it also does after a reset
 * of the GPU. LAUNCH_REFUSED: the kernel does not accept the list. */
enum launch_result drm_vc4_launch(struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down,
                                  struct error *e);
/* Copies the drawn pixels to `pixels` and clears the target. */
void drm_vc4_fetch(const struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down);

#endif
