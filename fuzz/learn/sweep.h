/* SPDX-License-Identifier: MIT */
/*
 * Sweeps the value at a rule's point on the board: runs the smallest case again and again, with another
 * number in the one place of the case from which the value at the point comes. The reports draw what the
 * board did beside what model and rule do.
 */
#ifndef MISPRINT_FUZZ_LEARN_SWEEP_H
#define MISPRINT_FUZZ_LEARN_SWEEP_H

#include "fuzz/learn/nearest.h"

/* Puts at most SWEEP_MAX cases with different values at the point of n->rule into `swept`, with the board's
 * outcomes. Puts none if no single number of case `c` decides the value. Returns false if the board failed.
 */
bool sweep_find(const struct nearest *n, const struct test_case *c, struct related_case swept[SWEEP_MAX],
                struct error *e);

/* Copies the case into to[0] and on, with different values at the point of n->rule: all values that the
 * numbers in each place of the case lead to, one place after the other, at most `most`. Asks no board.
 * Returns how many; 0 if no single number decides the value. */
uint32_t sweep_cases(const struct nearest *n, const struct test_case *c, struct test_case *const *to,
                     uint32_t most);

#endif
