/* SPDX-License-Identifier: MIT */
/* Writes the output and the errors of all commands, and decides the exit status where nobody reads them. */
#ifndef MISPRINT_CLI_TERMINAL_OUTPUT_H
#define MISPRINT_CLI_TERMINAL_OUTPUT_H

#include "model/core/error.h"
#include "model/text/text.h"

#include <jansson.h>

struct arguments;

/* Prints "misprint: TEXT" on standard error. Returns `status`, or STATUS_BROKEN for an error of the machine.
 */
int fail(int status, const struct error *e);
/* The same for a message of its own; returns STATUS_USAGE. */
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints on standard output, and frees what was printed. Returns `status`; STATUS_BROKEN if writing fails (a
 * full disk); STATUS_CLOSED if nobody reads standard output any more, which also ends long work.
 */
int print_text(struct text *t, int status);
int print_json(json_t *j, int status);
/* Prints the document with --json, else the text; frees both. */
int print_result(const struct arguments *a, struct text *t, json_t *j, int status);
/* Writes to a file that the user named, or to standard output ("-"). STATUS_USAGE: it cannot be created. */
int write_text(const char *path, const struct text *t, int status);

extern bool output_closed; /* nobody reads standard output any more */

/* True if standard error is a terminal and --quiet was not given. */
bool wants_progress(const struct arguments *a);

#endif
