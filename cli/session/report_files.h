/* SPDX-License-Identifier: MIT */
/* The files into which a command writes a report: HTML, Markdown, JSON, JUnit XML. */
#ifndef MISPRINT_CLI_SESSION_REPORT_FILES_H
#define MISPRINT_CLI_SESSION_REPORT_FILES_H

#include "cli/cli.h"
#include "oracle/report/report.h"

enum { REPORT_FORMS = 4 };

/* Sets the file of each form, from its option or from the ending of -o FILE, and checks that it can be
 * written. Without any of these options, the first form goes to standard output. */
bool report_places(const struct arguments *a, const char *place[REPORT_FORMS], struct error *e);
/* Does the same for the options of the forms that the command has, without -o. Keeps the places that are set
 * already. */
bool report_places_named(const struct arguments *a, const char *place[REPORT_FORMS], struct error *e);
/* Writes the report to its files. Returns the exit status. */
int report_write(const char *const place[REPORT_FORMS], const struct report *r, int status);

#endif
