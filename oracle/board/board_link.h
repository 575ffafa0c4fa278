/* SPDX-License-Identifier: MIT */
/*
 * The link to a child process (board_child.h) that speaks harness/PROTOCOL.md: starts it, greets it, and
 * starts it again when it is lost. A child that answered once and then does not start (its machine reboots,
 * the connection is down) is tried again for some minutes. board_exec.c owns what is sent over the link.
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
    unsigned kills;     /* board_child_kills when it was opened */
    int64_t limit;      /* for an answer, in milliseconds as all here */
    bool limit_is_said; /* by the user: then the board's answer-seconds do not count */
    int64_t patience;   /* for the next answer */
    int64_t comes_back; /* for a board that is away */
    const char *advice; /* what to do about the greeting that failed; NULL: the board's text says it */
    struct protocol_stream stream;
    struct protocol_hello hello; /* the child's */
};

/* Reads the settings, starts the command and greets it. False with an error: nothing is left of it. */
bool board_link_open(struct board_link *l, const struct board *b, const char *command, struct error *e);
void board_link_say_bye(struct board_link *l); /* and gives it a second to end by itself */
void board_link_close(struct board_link *l);

/* Ends the child. */
void board_link_drop(struct board_link *l);
/* Starts it again after that, repeatedly if it is away. */
bool board_link_come_back(struct board_link *l, struct board *b, struct error *e);
/* All children were killed, because the process ends. */
bool board_link_is_shut(const struct board_link *l);

/* Waits for the next frame. PROTOCOL_LATE after `limit`, or as soon as the process is asked to stop. */
enum protocol_event board_link_next(struct board_link *l, int64_t limit, struct protocol_frame *f,
                                    struct error *e);

/* ---- errors, as one sentence; the functions that return bool return false ---- */

/* Adds the board's name and `advice`; NULL: the board's own text says what to do. */
bool board_link_failed(const struct board_link *l, struct error *e, const char *advice);
/* The link broke: an event other than a frame or a deadline. */
bool board_link_broken(struct board_link *l, enum protocol_event event, const char *when, struct error *e);
bool board_link_stopped(const struct board_link *l, struct error *e);

const char *board_link_by_hand(const struct board_link *l); /* the general advice */
/* Describes how the child ended. */
void board_link_describe_end(const struct board_link *l, const char *when, struct error *e);
/* Takes over the text of an ERROR frame. */
void board_link_take_error(const struct protocol_frame *f, struct error *e);

#endif
