/* SPDX-License-Identifier: MIT */
/*
 * How cases of unit vc4-vpm reach hardware as vertex shaders (batch.h): each is
 * proven and made one vertex shader a part (vertex.h), whose points are drawn
 * into a square of one target (command_list.h, drm_vc4.h).
 *
 * Owns which square is whose, and the buffers.
 */
#ifndef MISPRINT_HARNESS_VC4_VERTEX_BATCH_H
#define MISPRINT_HARNESS_VC4_VERTEX_BATCH_H

#include "harness/launch/batch.h"
#include "harness/vc4/drm_vc4.h"

struct vertex_batch;
extern const struct batch_way vertex_batch_way;

/* The context of the way, on a node that stays the caller's and must stay. NULL with an error. */
struct vertex_batch *vertex_batch_new(const struct drm_vc4 *v, struct error *e);
void vertex_batch_free(struct vertex_batch *b); /* NULL is fine */

#endif
