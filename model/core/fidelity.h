/* SPDX-License-Identifier: MIT */
/*
 * How far the results of a checked run can be trusted: counts of steps, and the sentence that prints them.
 * The unit decides how to count a step.
 */
#ifndef MISPRINT_MODEL_CORE_FIDELITY_H
#define MISPRINT_MODEL_CORE_FIDELITY_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct fidelity {
    /* Steps, by their result: */
    uint64_t exact;       /* all bits are defined */
    uint64_t tolerance;   /* some bits are undefined only because of a stated tolerance */
    uint64_t undefined;   /* some bits are undefined, for another reason */
    uint64_t unsupported; /* the model cannot execute the step, or no document describes it */
    bool to_control;      /* an inexact value reached a branch */
    bool to_address;      /* an inexact value reached an address or a setup */
};

/* Adds "14 exact, 2 within a tolerance, 0 undefined, 0 unsupported; no inexact value reached a ..." */
void fidelity_print(const struct fidelity *f, struct text *t);

#endif
