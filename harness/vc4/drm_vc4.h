/* SPDX-License-Identifier: MIT */
/*
 * The kernel's vc4 driver, through its render node (drm.h): buffers, shaders that
 * its validator accepts, and drawing into a target that is then read. Needs
 * access to the node and no other rights. The kernel resets a GPU that hangs.
 *
 * Source: Linux, include/uapi/drm/vc4_drm.h, drivers/gpu/drm/vc4/vc4_gem.c. This
 * project has run none of this on a Raspberry Pi.
 */
#ifndef MISPRINT_HARNESS_VC4_DRM_VC4_H
#define MISPRINT_HARNESS_VC4_DRM_VC4_H

#include "harness/launch/batch.h"
#include "harness/launch/drm.h"
#include "harness/vc4/command_list.h"

enum {
    DRM_VC4_IDENTS = 3,
    /* The kernel checks every 100 ms whether the GPU makes progress, and resets it if not. A draw that takes
     * longer than this shows that the kernel does not. */
    DRM_VC4_DRAW_MS = 10000,
};

struct drm_vc4 {
    struct drm_node node;
    uint32_t ident[DRM_VC4_IDENTS];
};

/* `path` "": the driver's first node. The error says what is wrong and what to do. */
bool drm_vc4_open(struct drm_vc4 *v, const char *path, struct error *e);
void drm_vc4_close(struct drm_vc4 *v); /* frees buffers and shaders, but not the mappings */

/* Whether the V3D still answers as it did when it was opened. */
bool drm_vc4_answers(const struct drm_vc4 *v, struct error *e);

/* The chip's temperature, which any user may read. False: it cannot be read. */
bool drm_vc4_temperature(uint32_t *millidegrees);

/* A buffer that GPU and processor share. */
struct drm_vc4_buffer {
    uint32_t handle;
    void *at;
    size_t bytes;
};
bool drm_vc4_make(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *b, struct error *e);
void drm_vc4_unmap(struct drm_vc4_buffer *b);

/* What the launches of one board draw with. The caller sets `handle`, `kept` and the room of `list`. */
struct drm_vc4_drawing {
    const struct drm_vc4 *v;
    struct drm_vc4_buffer target; /* 32-bit pixels, line after line without a gap */
    uint32_t *pixels;             /* a copy of them, because the buffer may not be cached */
    uint32_t *handle;             /* of all buffers and shaders by number; 0 is the target's */
    unsigned handles, kept;       /* how many; how many of them stay after a launch */
    struct command_list list;
    struct error failure; /* why the kernel failed to make a shader; or "" */
};
enum { DRM_VC4_TARGET = 0 };
#define DRM_VC4_CLEAR UINT32_C(0x7B7B7B7B) /* what the target is full of before a launch */

bool drm_vc4_begin(struct drm_vc4_drawing *d, const struct drm_vc4 *v, size_t target_bytes, struct error *e);
void drm_vc4_end(struct drm_vc4_drawing *d);

/* Gives the kernel a shader, as number `number`. False with an error: its validator refuses it, or the kernel
 * failed, which the next launch reports too. */
bool drm_vc4_put_shader(struct drm_vc4_drawing *d, unsigned number, const uint32_t *code,
                        unsigned instructions, struct error *e);
/* Frees the shaders of the launch before. */
void drm_vc4_drop_shaders(struct drm_vc4_drawing *d);

/* Draws the list, and waits until the kernel says that it is finished or that the GPU was reset.
 * BATCH_REFUSED: the kernel does not accept the list. */
enum batch_launch drm_vc4_launch(struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down,
                                 struct error *e);
/* Copies the pixels that were drawn, and clears the target. */
void drm_vc4_fetch(const struct drm_vc4_drawing *d, unsigned tiles_across, unsigned tiles_down);

#endif
