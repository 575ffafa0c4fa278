/* SPDX-License-Identifier: MIT */
/*
 * The process behind a board: a shell command, or this program once more. One socket is the child's standard
 * input and output, so that writing to a dead child raises no SIGPIPE. The child shares our standard error.
 * It leads a process group, which board_child_kill and board_kill_all (oracle/board/board.h) kill as a whole.
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

/* Starts the command as the shell would, but without the shell if it is nothing but words. False with an
 * error if it could not. */
bool board_child_start(struct board_child *c, const char *command, struct error *e);
/* Starts this process's own program with other words. Its descriptor 3 is a socket that keeps the bounds of
 * messages, its descriptor 4 is `memory`, and its standard output is our standard error. */
bool board_child_start_again(struct board_child *c, char *const *words, int memory, struct error *e);
/* Kills the group, and waits up to 5 s until no process holds the socket. Does nothing without a child. */
void board_child_kill(struct board_child *c);
/* Waits for the child's end until `deadline` (clock_ms). Describes the end in `e`, or says there that the
 * child only closed its output. `when` ends the text: "before it answered". Returns the child's exit status;
 * -1: none. */
int board_child_describe_end(const struct board_child *c, int64_t deadline, const char *when,
                             struct error *e);
/* Waits until `deadline` for the child's end. */
void board_child_await_end(const struct board_child *c, int64_t deadline);

/* Returns how often board_kill_all was called. A link that was opened before the last call starts no child
 * any more (board_link_is_shut). */
unsigned board_child_kills(void);

#endif
