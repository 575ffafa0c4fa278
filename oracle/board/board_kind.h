/* SPDX-License-Identifier: MIT */
/* What the files of the single kinds of boards call: reasons, state, notices, and the wish to stop. */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_KIND_H
#define MISPRINT_ORACLE_BOARD_BOARD_KIND_H

#include "oracle/board/board.h"

/* For a kind's `run`: why case i has no outcome. */
void board_give_reason(struct board *b, unsigned i, const char *why);

/* For `open` and `run`: the board's state, part of the provenance of all that is recorded from now on. */
void board_note_state(struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True at most ten times a second, so that reading the state does not slow down cases that run alone. */
bool board_state_is_due(struct board *b);

/* Sends one line to the user who waits: to the board's `notify`, or to what board_notify_on set. */
void board_notify(const struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void board_notify_on(void (*notify)(const char *line)); /* NULL: nobody listens */

/* A flag that a signal handler may set, so that boards that wait give up. NULL: there is none. */
void board_stop_on(const volatile sig_atomic_t *flag);
bool board_asked_to_stop(void);

#endif
