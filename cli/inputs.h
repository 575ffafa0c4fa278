/* SPDX-License-Identifier: MIT */
/*
 * What people name on a command line as input: case files, traces, a fuzzer's
 * raw inputs, and folders of any of these. Folders are walked in the order of
 * names, so that two runs see the same order.
 */
#ifndef MISPRINT_CLI_INPUTS_H
#define MISPRINT_CLI_INPUTS_H

#include "cli/cli.h"

enum input_kind { INPUT_CASE, INPUT_TRACE, INPUT_RAW };

struct input {
    char *path;
    enum input_kind kind;
    const struct unit *unit;
};

struct inputs {
    struct input *file;
    unsigned count, room;
    unsigned passed_over; /* files in folders that are none of these (documentation, pictures) */
};

/* Finds out what each of the arguments' words is. NULL with an error: a file that is nothing of these, an empty folder. */
struct inputs *inputs_open(const struct arguments *a, struct error *e);
void inputs_close(struct inputs *in); /* NULL is fine */

/* The unit that all inputs are of; NULL with an error if there are several. */
const struct unit *inputs_only_unit(const struct inputs *in, struct error *e);

/* Calls `f` with each case of a unit's inputs, the cases in traces included, until one call fails. */
bool inputs_each(const struct inputs *in, const struct unit *u,
                 bool (*f)(void *context, const struct test_case *c, const char *label, struct error *e), void *context, struct error *e);

#endif
