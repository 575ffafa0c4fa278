/* SPDX-License-Identifier: MIT */
/*
 * The cases that a fuzzer changes. The counters of fuzz/engines/engine_harness.h decide which:
 *
 * - A case is kept if it sets a counter for the first time, or is the smallest so far that sets one. Then it
 *   represents the counter. Sometimes another case of the same size replaces it, so that parts of the case
 *   that do not matter for the counter vary.
 * - The next change starts from a case that represents a counter which few cases set.
 * - Fields whose changes set new counters are changed more often.
 *
 * So a fuzzer spends its time on clauses that few cases touch. Equal calls make equal choices.
 */
#ifndef MISPRINT_FUZZ_GENERATE_POOL_H
#define MISPRINT_FUZZ_GENERATE_POOL_H

#include "model/core/unit.h"

struct pool;
/* Makes a pool that holds the default case of the unit. */
struct pool *pool_new(const struct unit *u);
void pool_free(struct pool *p); /* NULL is fine */

/* Makes the next case by one to four changes of `from`; if that is NULL, of a kept case. If the pool holds
 * several cases, one of eight cases first gets a part of a kept one (case_cross). */
void pool_make(struct pool *p, struct random *r, const struct test_case *from, struct test_case *c);

/* Takes the counters of a case that was run (by default, of the case made last), and clears them. Returns
 * true if the case was kept. */
bool pool_ran(struct pool *p, const struct test_case *c, volatile uint8_t *counters);

#endif
