/* SPDX-License-Identifier: MIT */
/*
 * The process behind a board: a shell command with one socket as its standard input and output (so that a
 * dead child raises no SIGPIPE) and our standard error. It leads a process group, which is killed as a whole,
 * also by board_kill_all (oracle/board/board.h) in another thread.
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

/* False with an error: no child was started. */
bool board_child_start(struct board_child *c, const char *command, struct error *e);
/* Kills the group, and waits up to 5 s until nobody holds the socket's other end. No child: does nothing. */
void board_child_kill(struct board_child *c);
/* Waits until `deadline` (clock_ms) for the child's end and describes it, or says that it only closed its
 * output; `when`: "before it answered". Returns its exit status; -1 if it has none. */
int board_child_describe_end(const struct board_child *c, int64_t deadline, const char *when,
                             struct error *e);
/* Waits until `deadline` for the child's end. */
void board_child_await_end(const struct board_child *c, int64_t deadline);

/* How often board_kill_all was called. After a call nobody starts a child. */
unsigned board_child_kills(void);

#endif
