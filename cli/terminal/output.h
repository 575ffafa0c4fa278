/* SPDX-License-Identifier: MIT */
/* Writes the output and the errors of all commands. */
#ifndef MISPRINT_CLI_TERMINAL_OUTPUT_H
#define MISPRINT_CLI_TERMINAL_OUTPUT_H

#include "model/core/error.h"
#include "model/text/text.h"

#include <jansson.h>

struct arguments;

/* Prints "misprint: TEXT" on standard error. Returns `status`, or STATUS_BROKEN for an error of the machine.
 */
int fail(int status, const struct error *e);
/* Prints a message on standard error; returns STATUS_USAGE. */
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints the text on standard output and frees it. Returns `status`; STATUS_BROKEN if writing fails (a full
 * disk); STATUS_CLOSED, after setting `interrupted`, if nobody reads standard output any more.
 */
int print_text(struct text *t, int status);
int print_json(json_t *j, int status);
/* Adds the document as print_json prints it, and frees it. Returns false if there is no memory. */
bool text_add_json(struct text *t, json_t *j);
/* Prints the document with --json, otherwise the text. Frees both. */
int print_result(const struct arguments *a, struct text *t, json_t *j, int status);
/* Writes to a file that the user named, or to standard output ("-"). Returns STATUS_USAGE if the file cannot
 * be created. */
int write_text(const char *path, const struct text *t, int status);

extern bool output_closed; /* nobody reads standard output any more */

/* Is standard error a terminal, and was --quiet not given? */
bool wants_progress(const struct arguments *a);

#endif
