/* SPDX-License-Identifier: MIT */
/*
 * The kernel's vc4 driver, by its render node (drm.h): buffers, shaders that its
 * validator has taken, and drawing into a target that is then read. Needs no
 * rights but those on the node. The kernel resets the GPU by itself when it hangs.
 *
 * Source: Linux, include/uapi/drm/vc4_drm.h, drivers/gpu/drm/vc4/vc4_gem.c. None
 * of this was run on a Raspberry Pi by this project.
 */
#ifndef MISPRINT_HARNESS_VC4_DRM_VC4_H
#define MISPRINT_HARNESS_VC4_DRM_VC4_H

#include "harness/launch/batch.h"
#include "harness/launch/drm.h"
#include "harness/vc4/command_list.h"

enum { DRM_VC4_IDENTS = 3 };
/* The kernel looks every 100 ms whether the GPU gets on, and resets it if not; a draw that is waited for as
 * long as this is a kernel that does not.
 */
enum { DRM_VC4_DRAW_MS = 10000 };

/* A buffer that both sides see. */
struct drm_vc4_buffer {
    uint32_t handle;
    void *at;
    size_t bytes;
};

struct drm_vc4 {
    struct drm_node node;
    uint32_t ident[DRM_VC4_IDENTS];
};

/* `path` "": the driver's first node. False with an error that says what stands in the way and what to do. */
bool drm_vc4_open(struct drm_vc4 *v, const char *path, struct error *e);
void drm_vc4_close(struct drm_vc4 *v); /* buffers and shaders go with it, but not the mappings */

/* Does the V3D still answer as it did when it was opened? */
bool drm_vc4_answers(const struct drm_vc4 *v, struct error *e);

/* Of the chip, as the kernel tells anybody; its clocks it tells only root. False: it does not. */
bool drm_vc4_temperature(uint32_t *millidegrees);

bool drm_vc4_make(const struct drm_vc4 *v, size_t bytes, struct drm_vc4_buffer *b, struct error *e);
void drm_vc4_unmap(struct drm_vc4_buffer *b);

/* Of the kernel; all but the first come with an error. */
enum drm_vc4_verdict { DRM_VC4_TAKEN, DRM_VC4_REFUSED, DRM_VC4_FAILED };
/* Hands the kernel a shader. DRM_VC4_REFUSED: its validator is against it. */
enum drm_vc4_verdict drm_vc4_make_shader(const struct drm_vc4 *v, const uint32_t *code, unsigned instructions,
                                         uint32_t *handle, struct error *e);
void drm_vc4_drop(const struct drm_vc4 *v, uint32_t handle);

/* What lists are drawn into: 32-bit pixels, line after line without a gap, and a copy of them, because the
 * buffer may not be cached. */
struct drm_vc4_target {
    struct drm_vc4_buffer buffer;
    uint32_t *pixels;
};
/* It is full of `clear`. */
bool drm_vc4_make_target(const struct drm_vc4 *v, size_t bytes, uint32_t clear, struct drm_vc4_target *t,
                         struct error *e);
void drm_vc4_free_target(struct drm_vc4_target *t);

/* What is drawn of a target: so many tiles from its first one on. */
struct drm_vc4_part {
    uint32_t number; /* of the target's buffer among the handles */
    unsigned tiles_across, tiles_down;
    uint32_t clear; /* what it is full of before */
};

/* Draws a list, and waits until the kernel says that it is over, which a reset is too. BATCH_REFUSED: the
 * kernel does not take the list. */
enum batch_launch drm_vc4_draw(const struct drm_vc4 *v, const struct command_list *l, const uint32_t *handles,
                               unsigned count, const struct drm_vc4_part *part, struct error *e);

/* Copies the pixels of what was drawn, and makes the target full of `clear` again. */
void drm_vc4_fetch(const struct drm_vc4_target *t, const struct drm_vc4_part *part);

#endif
