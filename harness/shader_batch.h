/* SPDX-License-Identifier: MIT */
/*
 * How cases of unit vc4-qpu reach hardware as fragment shaders (batch.h): each
 * is proven and made a shader (shader.h), which draws a rectangle of one target
 * (draw_list.h, drm_vc4.h).
 *
 * Owns which rectangle is whose, and the buffers.
 */
#ifndef MISPRINT_HARNESS_SHADER_BATCH_H
#define MISPRINT_HARNESS_SHADER_BATCH_H

#include "harness/batch.h"
#include "harness/drm_vc4.h"

struct shader_batch;
extern const struct batch_way shader_batch_way;

/* The way's context, on a node that stays the caller's and must stay. NULL with an error. */
struct shader_batch *shader_batch_new(const struct drm_vc4 *v, struct error *e);
void shader_batch_free(struct shader_batch *b); /* NULL is fine */

#endif
