/* SPDX-License-Identifier: MIT */
/* Opens the board that the command line names, as what the user says that it is. */
#ifndef MISPRINT_CLI_SESSION_BOARD_H
#define MISPRINT_CLI_SESSION_BOARD_H

#include "cli/cli.h"
#include "oracle/board/board.h"

/* `spec`: --board, or the campaign's board. `campaign`: the profile under which programs are also proven
 * before launch, or NULL. NULL with an error. */
struct board *session_board(const struct arguments *a, const char *spec, const struct unit *u,
                            const struct profile *campaign, struct error *e);

#endif
