/* SPDX-License-Identifier: MIT */
/*
 * Makes and changes cases by the schema: generator, mutator and crossover for all fuzzing engines. Uses a
 * unit's own hooks (unit->generate, code->generate, code->mutate, unit->mend) if it has them. The result is
 * always in range, and depends only on `r` and the case.
 */
#ifndef MISPRINT_FUZZ_GENERATE_GENERATE_H
#define MISPRINT_FUZZ_GENERATE_GENERATE_H

#include "model/core/unit.h"

/* Makes a case, mostly by the unit's own generator if it has one. */
void case_generate(struct random *r, const struct unit *u, struct test_case *c);
/* Makes one to four changes. */
void case_mutate(struct random *r, struct test_case *c);
/* Makes one to four changes, in some fields more often than in others. */
struct mutation {
    uint32_t weight[FIELDS_MAX]; /* for each of the unit's fields */
    uint64_t changed;            /* out: the fields that were changed, as bits */
};
void case_mutate_by(struct random *r, struct test_case *c, struct mutation *m);
/* Changes one or two values of fields, rows and items that the case sets, and adds and removes none. So of a
 * reduced case it changes only what the case needs. */
void case_nudge(struct random *r, struct test_case *c);
/* Removes `n` items of a list, or rows of an image, from item `at` on. */
void case_drop_items(struct test_case *c, const struct field *f, uint32_t at, uint32_t n);
/* Copies one field of `other`, or a run of items, into `c`. Both cases belong to the same unit. */
void case_cross(struct random *r, const struct test_case *other, struct test_case *c);

/* Chooses one of `interesting` if there are any, a boundary value of integers or floats, or any word. */
uint32_t random_word(struct random *r, const uint32_t *interesting, uint32_t count);

#endif
