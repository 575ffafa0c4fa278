/* SPDX-License-Identifier: MIT */
/* The differences that the learner did not explain: counts their cases, and merges those with one
 * circumstance. */
#ifndef MISPRINT_FUZZ_LEARN_ASIDE_H
#define MISPRINT_FUZZ_LEARN_ASIDE_H

#include "fuzz/learn/learner.h"

enum { ASIDE_FIRST_SAMPLE = 16 }; /* after so many cases with a known circumstance, one is searched */

/* Sets aside the reduced case l->small, which nothing explains. `signature`: of its difference. Its
 * circumstance is l->circumstance. */
void aside_add(struct learner *l, uint64_t signature, bool unfinished);

/* Counts a differing case in which the circumstance of an unexplained difference holds. Returns false if the
 * case must be studied: it has no such circumstance, or is a sample (*sample), or many cases in that
 * circumstance agree and the difference is of a new kind, so that it may have another cause. `board`: the
 * board's outcome; l->model: the model's. */
bool aside_takes(struct learner *l, const struct test_case *c, const struct outcome *board, bool *sample);

/* Are two circumstances the same in effect, so that their differences are merged? At least nine of ten of the
 * cases in which the rarer one holds must have both, and one case at least. */
bool aside_is_same(uint32_t both, uint32_t rarer);

/* Forgets a difference. The last one takes its place. */
void aside_forget(struct learn_result *r, uint32_t i);

#endif
