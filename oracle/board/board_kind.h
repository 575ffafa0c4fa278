/* SPDX-License-Identifier: MIT */
/* For the files that are a kind of board each: what they say of a board and its cases, and whether somebody
 * waits for them to stop. */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_KIND_H
#define MISPRINT_ORACLE_BOARD_BOARD_KIND_H

#include "oracle/board/board.h"

/* For a kind's `run`: why case i has no outcome. */
void board_give_reason(struct board *b, unsigned i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For `open` and `run`: how the board is now, which goes into the provenance of all that is recorded from now
 * on. */
void board_note_state(struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Is it time to look? Ten times a second at the most, or cases that run alone would wait for it. */
bool board_state_is_due(struct board *b);

/* Says what whoever waits for the board should know, in one line: to the board's `tell`, or to what
 * board_tell_on set. */
void board_tell(const struct board *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void board_tell_on(void (*tell)(const char *line)); /* NULL: nobody listens */

/* Boards that wait look at this flag, which a signal handler may set, and give up when it is set. NULL: there
 * is none. */
void board_stop_on(const volatile sig_atomic_t *flag);
bool board_asked_to_stop(void);

#endif
