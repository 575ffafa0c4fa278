/* SPDX-License-Identifier: MIT */
/* What commands say: their output, their errors, and what becomes of the exit status when nobody reads them.
 */
#ifndef MISPRINT_CLI_TERMINAL_OUTPUT_H
#define MISPRINT_CLI_TERMINAL_OUTPUT_H

#include "model/core/error.h"
#include "model/text/text.h"

#include <jansson.h>

struct arguments;

/* Prints "misprint: TEXT" on standard error and returns `status`, or STATUS_BROKEN if the error is of the
 * machine. */
int fail(int status, const struct error *e);

/* Writes to standard output; returns `status`, or STATUS_BROKEN if that fails (a full disk). Nobody there to
 * read: ends long work quietly. */
int print_text(const struct text *t, int status);
/* The same to a file that the user named, or "-"; STATUS_USAGE where it cannot be created. */
int write_text(const char *path, const struct text *t, int status);
int print_json(json_t *j /* reference is taken */, int status);

extern bool output_closed; /* standard output, by whoever read it */

/* True on a standard error that a person watches, unless --quiet. */
bool wants_progress(const struct arguments *a);

#endif
