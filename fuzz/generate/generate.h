/* SPDX-License-Identifier: MIT */
/*
 * Making and changing cases from the schema alone: generator, mutator,
 * crossover. A unit's own hooks (unit->generate, code->generate, code->mutate,
 * unit->mend) are used where it has them. The same code serves every fuzzing
 * engine. The result is always in range, and depends on `r` and the case alone.
 */
#ifndef MISPRINT_FUZZ_GENERATE_GENERATE_H
#define MISPRINT_FUZZ_GENERATE_GENERATE_H

#include "model/core/unit.h"

/* Makes a case; mostly by the unit's own generator where it has one. */
void case_generate(struct random *r, const struct unit *u, struct test_case *c);
/* Makes one to four changes. */
void case_mutate(struct random *r, struct test_case *c);
/* The same, where some fields are changed more often than others. */
struct mutation {
    uint32_t weight[FIELDS_MAX]; /* how likely each field is, among their sum; the unit's fields in order */
    uint64_t changed;            /* out: the fields that were, as bits */
};
void case_mutate_by(struct random *r, struct test_case *c, struct mutation *m);
/* Takes one field of `other`, or a run of items, into `c`; both of the same unit. */
void case_cross(struct random *r, const struct test_case *other, struct test_case *c);

/* A word worth trying: one of `interesting` if there are any, a boundary of integers or floats, or any word.
 */
uint32_t random_word(struct random *r, const uint32_t *interesting, uint32_t count);

#endif
