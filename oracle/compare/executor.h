/* SPDX-License-Identifier: MIT */
/*
 * The one way in which a case is run on the model: the fuzzer, the replayer,
 * the reducer, attribution and `misprint run` all use an executor, so that a
 * case means the same to each of them. Not shared between threads.
 */
#ifndef MISPRINT_ORACLE_COMPARE_EXECUTOR_H
#define MISPRINT_ORACLE_COMPARE_EXECUTOR_H

#include "model/core/unit.h"

struct board_identity;

struct executor {
    const struct unit *unit;
    void *state;          /* unit->state_size bytes */
    uint32_t memory_base; /* of the machine compared with */
    uint32_t code_base;
    struct coverage last; /* of the last run alone */
    uint64_t runs, steps; /* since executor_new; runs also such as were spared because what they come to is
                             known (run_cache.h) */
};

struct executor *executor_new(const struct unit *u);
void executor_free(struct executor *x);

/* From now on cases run at this board's bus addresses; before, at those of virtual boards. Whatever is
 * compared with an outcome must run where it did. */
void executor_place(struct executor *x, const struct board_identity *who);

/* Runs a case under a profile into `out`. `mode` is RUN_PLAIN or RUN_CHECKED. */
void executor_run(struct executor *x, const struct test_case *c, const struct profile *p, enum run_mode mode,
                  struct outcome *out);

/* The same with everything open: filler, trace. `r` needs tc, profile, out, mode; the rest is filled in. */
void executor_run_with(struct executor *x, struct run *r);

#endif
