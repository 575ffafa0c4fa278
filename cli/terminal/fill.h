/* SPDX-License-Identifier: MIT */
/* Breaks help texts into lines that fit a terminal. */
#ifndef MISPRINT_CLI_TERMINAL_FILL_H
#define MISPRINT_CLI_TERMINAL_FILL_H

#include "model/text/text.h"

enum { FILL_WIDTH = 80 };

/* Adds words as lines of at most FILL_WIDTH columns, unless one word is longer. The first line begins at
 * `column`, all others at column `indent`. */
void fill_words(struct text *t, const char *words, size_t count, unsigned column, unsigned indent);

/* A paragraph, which may be broken anew, or lines that stay as they are: empty ones and those that begin with
 * a space. */
struct piece {
    const char *chars;
    size_t count; /* includes the last line break, if there is one; 0: the text has ended */
    bool prose;
};
struct piece fill_next(const char **chars); /* moves *chars behind the piece */

#endif
