/* SPDX-License-Identifier: MIT */
/*
 * What people name on a command line as input: case files, traces, a fuzzer's
 * raw inputs, folders of any of these, "-" for a case on standard input; and,
 * where a command takes them, programs of bare words.
 * Folders are walked in the order of names, so that two runs see the same
 * order. Everything is read to its end and checked before anything runs.
 */
#ifndef MISPRINT_CLI_TERMINAL_INPUTS_H
#define MISPRINT_CLI_TERMINAL_INPUTS_H

#include "cli/cli.h"

enum input_kind { INPUT_CASE, INPUT_TRACE, INPUT_RAW, INPUT_PROGRAM };

/* Where a case comes from, by its name: what it once did. */
enum input_origin {
    ORIGIN_PLAIN,   /* nothing is known of it */
    ORIGIN_FINDING, /* a campaign's finding: F-ID.case, or "# finding F-ID" as its first line */
    ORIGIN_CRASH,   /* of AFL++ (crashes/id:...) or libFuzzer (crash-...) */
    ORIGIN_HANG,    /* hangs/id:..., timeout-..., slow-unit-... */
    ORIGIN_LEAK,    /* leak-... */
    ORIGIN_MEMORY,  /* oom-... */
    ORIGIN_CORPUS,  /* queue/id:..., or a name of 40 or 16 hex digits: no more than worth keeping */
    ORIGINS
};
extern const char *const origin_name[ORIGINS];

struct input {
    char *path; /* or "standard input" */
    enum input_kind kind;
    bool named; /* by the user; else found in a folder */
    const struct unit *unit;
    enum input_origin origin;
    char finding[24]; /* ORIGIN_FINDING: its id */
    char *bytes;      /* what came from standard input; NULL for files */
    size_t count;
};

/*
 * A fuzzer's raw input is of the unit that --unit names; else of the one whose name stands in its path as a
 * word
 * ("out/diff_vc4-vpm/default/crashes/id:000000"), or of the campaign in whose directory it lies, if it is
 * named as the engines name their files. It may hold several cases (fuzz/generate/mutator.h). Of an output
 * folder of AFL++, crashes/, hangs/ and queue/ are taken.
 */
struct inputs {
    struct input *file;
    unsigned count, room;
    bool programs;       /* are taken */
    char campaign[4096]; /* the last that was asked for its unit */
    const struct unit *campaign_unit;
};

/* Finds out what each of the arguments' words is. NULL with an error: a file that is nothing of these, or
 * damaged; an empty folder. */
struct inputs *inputs_open(const struct arguments *a, struct error *e);
/* The same; files of bare words (oracle/files/words.h) that the user names are programs of vc4-qpu. Those in
 * folders are passed over. */
struct inputs *inputs_open_programs(const struct arguments *a, struct error *e);
void inputs_close(struct inputs *in); /* NULL is fine */

/* The unit that all inputs are of; NULL with an error if there are several. */
const struct unit *inputs_only_unit(const struct inputs *in, struct error *e);

/* Has the unit cases in inputs; with `traces`, those in traces count. */
bool inputs_have(const struct inputs *in, const struct unit *u, bool traces);

/* The cases of one input, one after the other: 1, 0 at the end, -1 with an error. The label is good until the
 * next call. */
struct input_reader;
struct input_reader *input_open(const struct input *file, struct error *e);
int input_next(struct input_reader *r, struct test_case *c, const char **label, struct error *e);
void input_close(struct input_reader *r); /* NULL is fine */

/* Calls `f` with each case of an input (of a trace: with all), until one call fails. */
typedef bool each_case(void *context, const struct test_case *c, const char *label, struct error *e);
bool input_each(const struct input *file, each_case *f, void *context, struct error *e);
bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e);

#endif
