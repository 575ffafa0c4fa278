/* SPDX-License-Identifier: MIT */
/*
 * Enumerates expressions for one observation point, smallest first, and keeps those that give a wanted
 * outcome. Expressions that give the same values at all visits of the case are tried on the model once.
 */
#ifndef MISPRINT_FUZZ_LEARN_SYNTHESIS_H
#define MISPRINT_FUZZ_LEARN_SYNTHESIS_H

#include "fuzz/learn/visits.h"

/* Does the model, with this rule, do what the board did? */
typedef bool (*synthesis_fits)(void *context, const struct rule *r);
/* Takes an expression that fits; false: no more are wanted. */
typedef bool (*synthesis_found)(void *context, const struct rule *r);

struct synthesis {
    const struct visits *visits;
    unsigned point;
    uint32_t runs_max; /* of the model */
    synthesis_fits fits;
    synthesis_found found;
    void *context;
    uint32_t runs, tried; /* out */
};

/* Tries the expressions of one size class: 0 (a number or name) to SYNTHESIS_CLASSES - 1. */
enum { SYNTHESIS_CLASSES = 4 };
void synthesis_run(struct synthesis *s, unsigned size_class);

/*
 * Calls `each` with guards: comparisons and single bits of the value and the inputs, then pairs of them. A
 * guard holds at all visits in `hold`, and at none of those in `fail`. Stops when `each` returns false.
 */
struct guard_search {
    const struct unit *unit;
    const struct visit *hold, *fail;
    uint32_t holds, fails;
    bool (*each)(void *context, const struct expression *guard);
    void *context;
};
void guard_search_run(const struct guard_search *s);

#endif
