/* SPDX-License-Identifier: MIT */
/* The `open` and `run` of all boards that launch cases on hardware of this machine, many at once
 * (harness/launch/launcher.h). */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_LAUNCH_H
#define MISPRINT_ORACLE_BOARD_BOARD_LAUNCH_H

#include "harness/launch/launcher.h"
#include "oracle/board/board.h"

struct launch_device {
    const char *units[4]; /* units that it can run; NULL after the last */
    bool (*take)(struct board *b, const char *argument, struct error *e); /* as board_kind.take */
    /* Prepares for cases of b->unit. Returns the launch backend and its context. NULL with an error. */
    const struct launch_backend *(*prepare)(struct board *b, void **context, struct error *e);
    void (*identify)(struct board *b);
    void (*note_state)(struct board *b); /* reads the state; called when board_state_is_due says so */
    void (*close)(struct board *b);      /* as board_kind.close */
};

/* Implements a kind's `open` and `run`. */
bool board_launch_open(struct board *b, const char *argument, const struct launch_device *d, struct error *e);
bool board_launch_run(struct board *b, const struct test_case *const *cases, unsigned count,
                      struct outcome *const *outcomes, enum answer *answers, struct error *e);
/* A kind's `close` calls this first. */
void board_launch_free(struct board *b);

/* Returns b->answer_seconds for a board that ends each launch within `launch_ms`, even a launch that hangs:
 * the time of LAUNCHES_MAX launches. */
uint32_t board_launch_answer_seconds(unsigned launch_ms);

#endif
