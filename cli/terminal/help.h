/* SPDX-License-Identifier: MIT */
/* The parts of help texts that `--help` (help.c), manual pages (man.c) and completions (completion.c) share.
 */
#ifndef MISPRINT_CLI_TERMINAL_HELP_H
#define MISPRINT_CLI_TERMINAL_HELP_H

#include "cli/cli.h"

/* A piece of a help text: a paragraph to fill, or lines to keep as they are. Empty lines and lines that start
 * with a space are kept. */
struct help_piece {
    const char *chars;
    size_t count; /* 0: the text has ended */
    bool prose;
};

/* Returns the next piece of a help text, and advances *chars. */
struct help_piece help_next(const char **chars);
/* Adds an option's description, with values that other files define. */
void help_option(enum option_id o, struct text *t);

struct help_variable {
    const char *name, *about;
};

extern const struct help_variable help_variables[]; /* environment variables; ends with a NULL name */
extern const char help_exit_status[];

#endif
