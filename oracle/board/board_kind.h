/* SPDX-License-Identifier: MIT */
/* Functions that the kinds of boards call: reasons, state, notices and the stop flag. */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_KIND_H
#define MISPRINT_ORACLE_BOARD_BOARD_KIND_H

#include "oracle/board/board.h"

/* Sets what the board lacks (board_lacks.h). Called in a kind's `open`. False with an error. */
bool board_set_lacks(struct board *b, const char *text, struct error *e);

/* Sets why case i has no outcome. Called in a kind's `run`. */
void board_give_reason(struct board *b, unsigned i, const char *why);

/* Sets the board's state and puts it in place of the last one at the end of the provenance. Called in `open`
 * and `run`. */
void board_note_state(struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True at most ten times a second, so that reading the state does not slow down cases that are launched
 * singly. */
bool board_state_is_due(struct board *b);

/*
 * Cases in a row in which a board hung. The generator gives one program up to 16 times, with other values
 * (unit.vary). If one of these hangs, most of them do, and the board is well. So it counts as broken only
 * after three programs, or after 32 cases. Where cases are not varied, each is a program of its own.
 */
struct board_hangs {
    unsigned cases, programs;
    uint64_t program; /* of the last of them: a hash */
};
void board_hangs_add(struct board_hangs *h, const struct test_case *c);  /* NULL: the case is not known */
bool board_hangs_too_often(const struct board_hangs *h, unsigned cases); /* in at least so many cases? */

/* Sends one line to the user: by the board's `notify`, or else by the function that board_notify_on set. */
void board_notify(const struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void board_notify_on(void (*notify)(const char *line)); /* NULL: discard the lines */

/* Sets a flag that a signal handler may raise; boards that wait then give up. NULL: there is none. */
void board_stop_on(const volatile sig_atomic_t *flag);
/* Must a wait in this run end, because of that flag or the time limit? A wait that ends so is no hang. */
bool board_must_stop(const struct board *b);
/* Ends a run because of board_must_stop: sets b->stopped and the error, and tells the user if it was the time
 * limit. `heard`: when the board last answered (clock_ms). Returns false. */
bool board_stop(struct board *b, int64_t heard, struct error *e);

#endif
