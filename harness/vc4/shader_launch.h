/* SPDX-License-Identifier: MIT */
/*
 * The launch backends (launcher.h) that run cases of vc4-qpu and vc4-tmu as fragment shaders. Each case is
 * proven and turned into a shader (shader.h), which draws one rectangle of a shared render target
 * (command_list.h, drm_vc4.h). A case of vc4-tmu is first turned into a QPU program (tmu_program.h).
 *
 * Owns the buffers, and which rectangle belongs to which case.
 */
#ifndef MISPRINT_HARNESS_VC4_SHADER_LAUNCH_H
#define MISPRINT_HARNESS_VC4_SHADER_LAUNCH_H

#include "harness/launch/launcher.h"
#include "harness/vc4/drm_vc4.h"

struct shader_launch;
extern const struct launch_backend shader_backend; /* of unit vc4-qpu */
extern const struct launch_backend lookup_backend; /* of unit vc4-tmu */

/* Returns the context of `backend`, one of the two above. The caller keeps the node open. NULL with an
 * error. */
struct shader_launch *shader_launch_new(const struct launch_backend *backend, const struct drm_vc4 *v,
                                        struct error *e);
void shader_launch_free(struct shader_launch *b); /* NULL is fine */

#endif
