/* SPDX-License-Identifier: MIT */
/* The table of options (cli/terminal/arguments.c). The parser and the help texts read it. */
#ifndef MISPRINT_CLI_TERMINAL_OPTIONS_H
#define MISPRINT_CLI_TERMINAL_OPTIONS_H

#include "cli/cli.h"

struct option_row {
    const char *name;
    const char *argument; /* NULL: a flag */
    const char *about;
    const char *short_name; /* "-o", or NULL */
};

/* An option means the same in every command, except that --json takes a FILE only in `report`. */
extern const struct option_row option_rows[OPTIONS];

#endif
