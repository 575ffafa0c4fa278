/* SPDX-License-Identifier: MIT */
/*
 * The cases that a fuzzer goes on from, chosen by what the ledger says of them
 * (fuzz/engines/engine_harness.h's counters):
 *
 *   a case is kept if it sets a counter for the first time, or is the smallest so far that sets one: that one
 * stands for the counter; now and then one as small takes its place, so that what does not matter for the
 * counter varies the next change starts from the case that stands for a counter which few cases set fields of
 * the case whose changes set new counters are changed more often
 *
 * So a fuzzer's time goes where clauses were seldom asked, not where most cases
 * end up. Depends on what it is given alone: equal calls, equal choices.
 */
#ifndef MISPRINT_FUZZ_GENERATE_POOL_H
#define MISPRINT_FUZZ_GENERATE_POOL_H

#include "model/core/unit.h"

struct pool;
/* For cases of a unit; the first one to go on from is the default case. */
struct pool *pool_new(const struct unit *u);
void pool_free(struct pool *p); /* NULL is fine */

/* Makes the next case by one to four changes: of `from`, or, if that is NULL, of one that is kept, now and
 * then with something of another. */
void pool_make(struct pool *p, struct random *r, const struct test_case *from, struct test_case *c);

/* The case that was made last, or another one, was run and set these counters, which are cleared. True if it
 * was kept. */
bool pool_ran(struct pool *p, const struct test_case *c, volatile uint8_t *counters);

#endif
