/* SPDX-License-Identifier: MIT */
/*
 * What people name on a command line as input: case files, traces, a fuzzer's
 * raw inputs, folders of any of these, and "-" for a case on standard input.
 * Folders are walked in the order of names, so that two runs see the same
 * order. Everything is read to its end and checked before anything runs.
 */
#ifndef MISPRINT_CLI_INPUTS_H
#define MISPRINT_CLI_INPUTS_H

#include "cli/cli.h"

enum input_kind { INPUT_CASE, INPUT_TRACE, INPUT_RAW };

struct input {
    char *path; /* or "standard input" */
    enum input_kind kind;
    const struct unit *unit;
    char *bytes; /* what came from standard input; NULL for files */
    size_t count;
};

struct inputs {
    struct input *file;
    unsigned count, room;
    unsigned passed_over; /* files in folders that are none of these (documentation, pictures) */
};

/* Finds out what each of the arguments' words is. NULL with an error: a file that is nothing of these, or damaged; an empty folder. */
struct inputs *inputs_open(const struct arguments *a, struct error *e);
void inputs_close(struct inputs *in); /* NULL is fine */

/* The unit that all inputs are of; NULL with an error if there are several. */
const struct unit *inputs_only_unit(const struct inputs *in, struct error *e);

/* Has the unit cases in inputs; with `traces`, those in traces count. */
bool inputs_have(const struct inputs *in, const struct unit *u, bool traces);

/* The case of an input that is no trace. */
bool input_load(const struct input *file, struct test_case *c, struct error *e);

/* Calls `f` with each case of an input (of a trace: with all), until one call fails. */
typedef bool each_case(void *context, const struct test_case *c, const char *label, struct error *e);
bool input_each(const struct input *file, each_case *f, void *context, struct error *e);
bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e);

#endif
