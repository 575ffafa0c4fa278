/* SPDX-License-Identifier: MIT */
/*
 * How cases of unit vc4-vpm reach hardware as vertex shaders (batch.h): each case
 * is proven and made one vertex shader for each of its parts (vertex.h), whose
 * points are drawn into a square of one target (command_list.h, drm_vc4.h).
 *
 * Owns the buffers, and which square belongs to which case.
 */
#ifndef MISPRINT_HARNESS_VC4_VERTEX_BATCH_H
#define MISPRINT_HARNESS_VC4_VERTEX_BATCH_H

#include "harness/launch/batch.h"
#include "harness/vc4/drm_vc4.h"

struct vertex_batch;
extern const struct batch_way vertex_batch_way;

/* The way's context. The node stays the caller's and must stay open. NULL with an error. */
struct vertex_batch *vertex_batch_new(const struct drm_vc4 *v, struct error *e);
void vertex_batch_free(struct vertex_batch *b); /* NULL is fine */

#endif
