/* SPDX-License-Identifier: MIT */
/*
 * How cases reach hardware as fragment shaders (batch.h): each case is proven and
 * made a shader (shader.h), which draws a rectangle of one target (command_list.h,
 * drm_vc4.h). A case of vc4-tmu first becomes a program (tmu_program.h).
 *
 * Owns the buffers, and which rectangle belongs to which case.
 */
#ifndef MISPRINT_HARNESS_VC4_SHADER_BATCH_H
#define MISPRINT_HARNESS_VC4_SHADER_BATCH_H

#include "harness/launch/batch.h"
#include "harness/vc4/drm_vc4.h"

struct shader_batch;
extern const struct batch_way shader_batch_way; /* of unit vc4-qpu */
extern const struct batch_way lookup_batch_way; /* of unit vc4-tmu */

/* The context of either way. The node stays the caller's and must stay open. NULL with an error. */
struct shader_batch *shader_batch_new(const struct batch_way *way, const struct drm_vc4 *v, struct error *e);
void shader_batch_free(struct shader_batch *b); /* NULL is fine */

#endif
