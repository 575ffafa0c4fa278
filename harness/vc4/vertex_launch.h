/* SPDX-License-Identifier: MIT */
/*
 * The launch backend (launcher.h) that runs cases of vc4-vpm as vertex shaders. Each case is proven, cut into
 * parts and turned into one vertex shader for each part (vertex.h). The points that these shaders place are
 * drawn into squares of a shared render target (command_list.h, drm_vc4.h).
 *
 * Owns the buffers, and which square belongs to which case.
 */
#ifndef MISPRINT_HARNESS_VC4_VERTEX_LAUNCH_H
#define MISPRINT_HARNESS_VC4_VERTEX_LAUNCH_H

#include "harness/launch/launcher.h"
#include "harness/vc4/drm_vc4.h"

struct vertex_launch;
extern const struct launch_backend vertex_backend;

/* Returns the backend's context. The caller keeps the node open. NULL with an error. */
struct vertex_launch *vertex_launch_new(const struct drm_vc4 *v, struct error *e);
void vertex_launch_free(struct vertex_launch *b); /* NULL is fine */

#endif
