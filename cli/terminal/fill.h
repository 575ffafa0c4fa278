/* SPDX-License-Identifier: MIT */
/* Prose for terminals: words filled into lines that fit, examples left as they are. */
#ifndef MISPRINT_CLI_TERMINAL_FILL_H
#define MISPRINT_CLI_TERMINAL_FILL_H

#include "model/text/text.h"

enum { FILL_WIDTH = 80 };

/* Words from a line's `column` on; further lines begin at column `indent`. No line is longer than FILL_WIDTH
 * unless one word is. */
void fill_words(struct text *t, const char *words, size_t count, unsigned column, unsigned indent);

/* The next piece of a help text: a paragraph, whose line breaks mean nothing, or lines that begin with a
 * space, or empty ones, to be left as they are. */
struct piece {
    const char *chars;
    size_t count; /* with the line break behind its last line, if there is one; 0: no more */
    bool prose;
};
struct piece fill_next(const char **chars);

#endif
