/* SPDX-License-Identifier: MIT */
/* What the boards have in common that launch cases in batches on hardware of this machine
 * (harness/launch/batch.h). */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_BATCH_H
#define MISPRINT_ORACLE_BOARD_BOARD_BATCH_H

#include "harness/launch/batch.h"
#include "oracle/board/board.h"

struct batch_device {
    const char *units[4]; /* whose cases it runs; NULL after the last */
    bool (*take)(struct board *b, const char *argument, struct error *e); /* as board_kind.take */
    /* Prepares for cases of b->unit; returns their way and its context. NULL with an error. */
    const struct batch_way *(*prepare)(struct board *b, void **context, struct error *e);
    void (*identify)(struct board *b);
    void (*note_state)(struct board *b); /* called when the state is due */
    void (*close)(struct board *b);      /* as board_kind.close */
};

/* A kind's `open` and `run`. */
bool board_batch_open(struct board *b, const char *argument, const struct batch_device *d, struct error *e);
bool board_batch_run(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers, struct error *e);
/* For a kind's `close`: first of all. */
void board_batch_free(struct board *b);

/* The answer_seconds of a board whose launches, hung ones included, end within so many milliseconds. */
uint32_t board_batch_answer_seconds(unsigned launch_ms);

#endif
