/* SPDX-License-Identifier: MIT */
/* How a rotating step moves its operands and its result: chosen by qpu_plan.c, done by qpu_rotate.inc.h. */
#ifndef MISPRINT_MODEL_VC4_QPU_QPU_STEP_H
#define MISPRINT_MODEL_VC4_QPU_QPU_STEP_H

enum qpu_rotate_rule {
    QPU_ROTATE_SPLIT, /* r0 to r3 move between quads, other operands do not; the result rotates inside its
                         quad */
    QPU_ROTATE_ALL_IN_QUAD, /* no operand moves between quads */
    QPU_ROTATE_ALL_FULL,    /* every operand moves between quads */
    QPU_ROTATE_UNDEFINED,
};

#endif
