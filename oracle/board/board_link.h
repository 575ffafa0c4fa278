/* SPDX-License-Identifier: MIT */
/*
 * The link to a child process (board_child.h) that speaks harness/PROTOCOL.md. Starts the child, exchanges
 * HELLO, and restarts a child that was lost. If a child that once answered does not start (its machine
 * reboots, the connection is down), the link retries for some minutes. board_exec.c decides what is sent over
 * the link.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_LINK_H
#define MISPRINT_ORACLE_BOARD_BOARD_LINK_H

#include "harness/protocol/protocol.h"
#include "oracle/board/board_child.h"
#include "oracle/board/board_kind.h"

struct board_link {
    char *command;
    const char *name; /* the board's spec, as the user wrote it */
    bool by_ssh;
    struct board_child child;
    unsigned kills;     /* what board_child_kills returned when the link was opened */
    uint32_t newest;    /* newest version of the protocol that we offer (MISPRINT_BOARD_PROTOCOL) */
    int64_t limit;      /* default time for an answer; all times are in milliseconds */
    bool limit_is_set;  /* the user set `limit`, so the board's answer-seconds do not count */
    int64_t patience;   /* time for the next answer */
    int64_t comes_back; /* how long board_link_reconnect retries */
    const char *advice; /* what to do about a failed greeting; NULL: the board's text says it */
    struct protocol_stream stream;
    struct protocol_hello hello; /* what the child sent */
};

/* Reads the time for an answer, in milliseconds; `*is_set`: the user set it (MISPRINT_BOARD_TIMEOUT). */
bool board_link_limit(int64_t *ms, bool *is_set, struct error *e);
/* Reads the settings, starts the command and exchanges HELLO. False with an error: no child is left. */
bool board_link_open(struct board_link *l, struct board *b, const char *command, struct error *e);
void board_link_say_bye(struct board_link *l); /* then waits up to 1 s for the child's end */
void board_link_close(struct board_link *l);

/* Kills the child. */
void board_link_drop(struct board_link *l);
/* Starts the child again after board_link_drop. Retries for `comes_back` while the child does not greet. */
bool board_link_reconnect(struct board_link *l, struct board *b, struct error *e);
/* True if all children were killed because the process is ending. */
bool board_link_is_shut(const struct board_link *l);

/* Waits for the next frame. Returns PROTOCOL_LATE at `due` (clock_ms), or as soon as board_must_stop. */
enum protocol_event board_link_next(struct board_link *l, const struct board *b, int64_t due,
                                    struct protocol_frame *f, struct error *e);

/* ---- errors; the functions that return bool return false ---- */

/* Adds the board's name and `advice` to the error. NULL: the board's own text says what to do. */
bool board_link_failed(const struct board_link *l, struct error *e, const char *advice);
/* Describes a broken link: any event but a frame or a deadline. */
bool board_link_broken(struct board_link *l, enum protocol_event event, const char *when, struct error *e);

const char *board_link_by_hand(const struct board_link *l); /* the advice to start the command by hand */
/* Describes how the child ended. */
void board_link_describe_end(const struct board_link *l, const char *when, struct error *e);
/* Copies the text of an ERROR frame into the error. */
void board_link_take_error(const struct protocol_frame *f, struct error *e);

#endif
