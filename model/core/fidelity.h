/* SPDX-License-Identifier: MIT */
/*
 * How far a checked run can be trusted: what its steps' results were, and
 * whether anything that is not exact decided where the run went. Owns the
 * counts and their sentence; what counts as which is the unit's.
 */
#ifndef MISPRINT_MODEL_CORE_FIDELITY_H
#define MISPRINT_MODEL_CORE_FIDELITY_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct fidelity {
    uint64_t exact;     /* all bits of the result are defined */
    uint64_t tolerance; /* some are not, because a stated tolerance is on them or on what they were made of */
    uint64_t undefined; /* some are not, for another reason */
    uint64_t unsupported; /* the model cannot execute the step, or no document says what it does (a reserved
                             encoding) */
    bool to_control;      /* an inexact value reached a branch */
    bool to_address;      /* an inexact value reached an address or a setup */
};

/* "14 exact, 2 within a tolerance, 0 undefined, 0 unsupported; no inexact value reached a branch or an
 * address" */
void fidelity_print(const struct fidelity *f, struct text *t);

#endif
