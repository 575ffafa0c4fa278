/* SPDX-License-Identifier: MIT */
#include "cli/session/board.h"

#include <stdio.h>

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

void session_label(const struct board *b, const char *name, char label[TRACE_LABEL_MAX + 1])
{
    const char *state = b->identity.state;
    snprintf(label, TRACE_LABEL_MAX + 1, "%.*s%s%s%s",
             *state ? (int)(TRACE_LABEL_MAX - sizeof b->identity.state) : TRACE_LABEL_MAX, name,
             *state ? " [" : "", state, *state ? "]" : "");
}
