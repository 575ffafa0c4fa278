/* SPDX-License-Identifier: MIT */
/*
 * Reduction: the smallest case that still shows the same thing. Shortest
 * program first, then the smallest state, then the simplest operands; works
 * from the schema, deterministic.
 */
#ifndef MISPRINT_FUZZ_REDUCE_H
#define MISPRINT_FUZZ_REDUCE_H

#include "oracle/board.h"
#include "oracle/explain.h"
#include "oracle/executor.h"

/* Whether a candidate still shows it; asked often. */
typedef bool (*reduce_keeps)(void *context, const struct test_case *candidate);

/* Reduces in place; returns how many candidates were tried (at most `budget`, 0: no limit). */
uint64_t case_reduce(struct test_case *c, reduce_keeps keeps, void *context, uint64_t budget);

/* Keeps a difference between model and board that the same cause explains (or, with cause->count 0, any unexplained one of the same signature). */
struct reduce_same_cause {
    struct executor *executor;
    struct board *board;
    const struct profile *profile;
    struct cause cause;
    uint64_t signature;
};
bool reduce_keeps_cause(void *context /* struct reduce_same_cause */, const struct test_case *candidate);

#endif
