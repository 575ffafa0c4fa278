/* SPDX-License-Identifier: MIT */
/* Opens the board that the command line names, with the kind that --board-is declares; labels its outcomes.
 */
#ifndef MISPRINT_CLI_SESSION_BOARD_H
#define MISPRINT_CLI_SESSION_BOARD_H

#include "cli/cli.h"
#include "oracle/board/board.h"
#include "oracle/files/trace.h"

/* Opens a board. `spec`: --board, or the campaign's board. `campaign`: a profile under which the board also
 * proves programs before launch; may be NULL. Returns NULL with an error. */
struct board *session_board(const struct arguments *a, const char *spec, const struct unit *u,
                            const struct profile *campaign, struct error *e);

/* Writes the label of a recorded case: the case's name, and the board's state (clock, temperature) during the
 * run, if it is known. */
void session_label(const struct board *b, const char *name, char label[TRACE_LABEL_MAX + 1]);

#endif
