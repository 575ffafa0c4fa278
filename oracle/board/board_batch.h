/* SPDX-License-Identifier: MIT */
/*
 * What the boards that launch cases in batches (harness/launch/batch.h) have in common:
 * which units' cases they run, the journal, and what the rest of the
 * program is told of each case.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_BATCH_H
#define MISPRINT_ORACLE_BOARD_BOARD_BATCH_H

#include "harness/launch/batch.h"
#include "oracle/board/board.h"

/* The units that a board runs: bits. */
enum {
    BATCH_RUNS_QPU = 1,
    BATCH_RUNS_VPM = 2,
    BATCH_RUNS_TMU = 4,
    BATCH_RUNS_AMD = 8,
};

struct board_batch;

/* False with an error that names the units a board runs, if the one it was opened for is none of them. */
bool board_batch_has_unit(const struct board *b, unsigned runs, struct error *e);

/* For a board. `context` is the way's and stays the caller's. NULL with an error. */
struct board_batch *board_batch_new(const struct board *b, const struct batch_way *way, void *context,
                                    struct error *e);
void board_batch_free(struct board_batch *bb); /* NULL is fine */

/* For a board whose launches end within so many milliseconds, hung ones too: its answer_seconds. */
uint32_t board_batch_answer_seconds(unsigned launch_ms);

/* A kind's `run`. */
bool board_batch_run(struct board_batch *bb, struct board *b, const struct test_case *const *cases,
                     unsigned count, struct outcome *const *outcomes, enum answer *answers, struct error *e);

#endif
