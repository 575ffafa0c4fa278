/* SPDX-License-Identifier: MIT */
/*
 * The process behind a board: a shell command. One socket is its standard input and output, so that writing
 * to a dead child raises no SIGPIPE; its standard error is ours. It leads a process group. The group is
 * killed as a whole, also by board_kill_all (oracle/board/board.h) in another thread.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_CHILD_H
#define MISPRINT_ORACLE_BOARD_BOARD_CHILD_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct board_child {
    pid_t pid; /* 0: none */
    int fd;    /* our end of the socket; -1: none */
};

/* Starts the command. False with an error if it could not. */
bool board_child_start(struct board_child *c, const char *command, struct error *e);
/* Kills the group, and waits up to 5 s until no process holds the socket. Does nothing without a child. */
void board_child_kill(struct board_child *c);
/* Waits for the child's end until `deadline` (clock_ms). Describes the end in `e`, or says that the child
 * only closed its output. `when`: "before it answered". Returns its exit status; -1: none. */
int board_child_describe_end(const struct board_child *c, int64_t deadline, const char *when,
                             struct error *e);
/* Waits until `deadline` for the child's end. */
void board_child_await_end(const struct board_child *c, int64_t deadline);

/* How often board_kill_all was called. Once it was, no child is started any more. */
unsigned board_child_kills(void);

#endif
