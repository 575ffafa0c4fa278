/* SPDX-License-Identifier: MIT */
/*
 * The link to a child process (oracle/board/board_child.h) that speaks harness/PROTOCOL.md:
 * started, greeted, listened to, lost, and found again. A child that once answered and
 * then does not come up (its machine reboots, the connection is down) is tried again for
 * some minutes. What is sent over it is board_exec.c's matter.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_LINK_H
#define MISPRINT_ORACLE_BOARD_BOARD_LINK_H

#include "harness/protocol/protocol.h"
#include "oracle/board/board_child.h"
#include "oracle/board/board_kind.h"

struct board_link {
    char *command;
    const char *name; /* the board's, as the user wrote it */
    bool by_ssh;
    struct board_child child;
    unsigned kills;     /* of board_kill_all, when it was opened */
    int64_t limit;      /* for a greeting, in milliseconds as all here */
    bool limit_is_said; /* by the user, who knows better than the board */
    int64_t patience;   /* from one answer to the next */
    int64_t comes_back; /* how long it has to, when it went away */
    const char *advice; /* what to do about the greeting that failed; NULL: the board has said it */
    struct protocol_stream stream;
    struct protocol_hello hello; /* the child's */
};

/* Reads the settings, starts the command and greets it. False with the reason, and nothing is left of it. */
bool board_link_open(struct board_link *l, const struct board *b, const char *command, struct error *e);
void board_link_say_bye(struct board_link *l); /* and gives it a moment to end by itself */
void board_link_close(struct board_link *l);

/* Ends the child. */
void board_link_drop(struct board_link *l);
/* After that: starts it again; again and again, if it is away. */
bool board_link_come_back(struct board_link *l, struct board *b, struct error *e);
/* All children were killed, because the process ends. */
bool board_link_is_shut(const struct board_link *l);

/* The next frame, PROTOCOL_LATE after `limit`, or earlier if the process was asked to stop. */
enum protocol_event board_link_next(struct board_link *l, int64_t limit, struct protocol_frame *f,
                                    struct error *e);

/* ---- what went wrong, as one sentence; all return false ---- */

/* Names the board, and `advice`; NULL: the board said itself what to do. */
bool board_link_failed(const struct board_link *l, struct error *e, const char *advice);
/* An event that is neither a frame nor lateness. */
bool board_link_broken(struct board_link *l, enum protocol_event event, const char *when, struct error *e);
bool board_link_stopped(const struct board_link *l, struct error *e);

const char *board_link_by_hand(const struct board_link *l); /* the advice where no other is known */
/* Says how the child ended, which is more than that the stream closed. */
void board_link_tell_end(const struct board_link *l, const char *when, struct error *e);
/* What the board says in an ERROR. */
void board_link_take_error(const struct protocol_frame *f, struct error *e);

#endif
