/* SPDX-License-Identifier: MIT */
/* The executor runs a case on the model. The fuzzer, the replayer, the reducer, attribution and `misprint
 * run` all use it, so that a case means the same everywhere. Each thread needs its own executor. */
#ifndef MISPRINT_ORACLE_COMPARE_EXECUTOR_H
#define MISPRINT_ORACLE_COMPARE_EXECUTOR_H

#include "model/core/unit.h"

struct board_identity;

struct executor {
    const struct unit *unit;
    void *state;          /* unit->state_size bytes */
    uint32_t memory_base; /* bus addresses of the board that is compared */
    uint32_t code_base;
    struct coverage last; /* coverage of the last run */
    uint64_t runs, steps; /* since executor_new; runs found in the cache (run_cache.h) count, too */
};

struct executor *executor_new(const struct unit *u);
void executor_free(struct executor *x);

/* Sets the executor's bus addresses to this board's, because the model must run a case at the addresses at
 * which the board ran it. A new executor has the addresses of virtual boards. */
void executor_place(struct executor *x, const struct board_identity *who);

/* Runs a case under a profile into `out`. `mode` is RUN_PLAIN or RUN_CHECKED. */
void executor_run(struct executor *x, const struct test_case *c, const struct profile *p, enum run_mode mode,
                  struct outcome *out);

/* As executor_run, but with filler and trace. The caller sets filler, trace, tc, profile, out and mode of
 * `r`. */
void executor_run_with(struct executor *x, struct run *r);

#endif
