/* SPDX-License-Identifier: MIT */
/* The differences that the learner did not explain: counts their cases, and merges those with one
 * circumstance. */
#ifndef MISPRINT_FUZZ_LEARN_ASIDE_H
#define MISPRINT_FUZZ_LEARN_ASIDE_H

#include "fuzz/learn/learner.h"

enum { ASIDE_FIRST_SAMPLE = 16 }; /* after so many cases with a known circumstance, one is searched */

/* Sets aside the reduced case l->small, which nothing explains. `signature`: of its difference. Its
 * circumstance is l->circumstance. */
void aside_add(struct learner *l, uint64_t signature);

/* Returns the difference whose circumstance holds in a case, or NULL. */
struct learn_aside *aside_of(struct learner *l, const struct test_case *c);

/* Are two circumstances the same in effect, so that their differences are merged? At least nine of ten of the
 * cases in which the rarer one holds must have both, and one case at least. */
bool aside_is_same(uint32_t both, uint32_t rarer);

/* Forgets a difference. The last one takes its place. */
void aside_forget(struct learn_result *r, uint32_t i);

#endif
