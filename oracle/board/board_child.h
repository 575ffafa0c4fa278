/* SPDX-License-Identifier: MIT */
/*
 * The process behind a board: a shell command with one socket as its standard
 * input and output (so that a dead child raises no SIGPIPE); its standard error
 * passes through. It leads a process group of its own, which is killed as one:
 * of what it started nothing is left, also where another thread's
 * board_kill_all (oracle/board/board.h) ends it.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_CHILD_H
#define MISPRINT_ORACLE_BOARD_BOARD_CHILD_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct board_child {
    pid_t pid; /* 0: none */
    int fd;    /* the socket's other end; -1: none */
};

/* False with an error: then there is none. */
bool board_child_start(struct board_child *c, const char *command, struct error *e);
/* Ends it and all that it started, and waits until nobody holds the socket's other end, a few seconds at the
 * most. None there: nothing happens. */
void board_child_kill(struct board_child *c);
/*
 * Says how it ended, for which it has until `deadline` (clock_ms), or that only its output is closed; `when`:
 * "before it answered". Returns its exit status; -1 if it has none.
 */
int board_child_tell_end(const struct board_child *c, int64_t deadline, const char *when, struct error *e);
/* Waits so long for its end after it was asked to end. */
void board_child_await_end(const struct board_child *c, int64_t deadline);

/* How often board_kill_all was called: after that, nobody starts a child again. */
unsigned board_child_kills(void);

#endif
