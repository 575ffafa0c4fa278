/* SPDX-License-Identifier: MIT */
#include "cli/session/board.h"

struct board *session_board(const struct arguments *a, const char *spec, const struct unit *u,
                            const struct profile *campaign, struct error *e)
{
    const char *word = a->option[OPTION_BOARD_IS];
    struct board *b = campaign ? board_open_under(spec, u, campaign, e) : board_open(spec, u, e);
    if (b && word && !board_class_set(&b->identity, word, e)) {
        board_close(b);
        return NULL;
    }
    return b;
}
