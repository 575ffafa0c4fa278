/* SPDX-License-Identifier: MIT */
/* The results of one instruction, of both ALUs and of signals, and what becomes of those that meet in one
 * register. */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_RESULTS_H
#define MISPRINT_MODEL_V3D_RUN_V3D_RESULTS_H

#include "model/v3d/run/v3d_compute.h"

/* What the signals of an instruction deliver: to a named destination, and to r5 or rf0. */
struct v3d_arrivals {
    struct v3d_lanes named, implicit;
    bool has_named, has_implicit;
};

/* Writes all results of an instruction. `r`: those of the ALUs, which it packs. */
enum v3d_stop v3d_write_results(struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                                struct v3d_alu_result r[V3D_HALVES], struct v3d_arrivals *a);
/* Can two results of an instruction go to one register? */
bool v3d_may_meet(enum v3d_generation g, const struct v3d_insn *i);

#endif
