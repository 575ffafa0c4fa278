/* SPDX-License-Identifier: MIT */
/*
 * The inputs that users name on a command line: case files, traces, a fuzzer's raw inputs, folders of these,
 * and "-" for a case on standard input. Some commands also take programs of bare words. Folders are read in
 * the order of names, so that every run sees the same order. All inputs are read and checked before anything
 * runs.
 */
#ifndef MISPRINT_CLI_SESSION_INPUTS_H
#define MISPRINT_CLI_SESSION_INPUTS_H

#include "cli/cli.h"

enum input_kind { INPUT_CASE, INPUT_TRACE, INPUT_RAW, INPUT_PROGRAM };

/* Why a fuzzer or campaign kept a case. The file's name says it. */
enum input_origin {
    ORIGIN_PLAIN,   /* no known reason */
    ORIGIN_FINDING, /* a campaign's finding: F-ID.case, or "# finding F-ID" as its first line */
    ORIGIN_CRASH,   /* from AFL++ (crashes/id:...) or libFuzzer (crash-...) */
    ORIGIN_HANG,    /* hangs/id:..., timeout-..., slow-unit-... */
    ORIGIN_LEAK,    /* leak-... */
    ORIGIN_MEMORY,  /* oom-... */
    ORIGIN_CORPUS,  /* queue/id:..., or a name of 40 or 16 hexadecimal digits: it added coverage */
    ORIGINS
};
extern const char *const origin_name[ORIGINS];

struct input {
    char *path; /* the path, or "standard input" */
    enum input_kind kind;
    bool named; /* the user named it; otherwise it was found in a folder */
    const struct unit *unit;
    enum input_origin origin;
    char finding[24]; /* ORIGIN_FINDING: the finding's id */
    char *bytes;      /* read from standard input; NULL for files */
    size_t count;
};

/*
 * The unit of a raw input is the one that --unit names. Without --unit, the file must have a name that
 * fuzzers give, and the unit is the one whose name is a word of the path
 * ("out/diff_vc4-vpm/default/crashes/id:000000"), or else the unit of the campaign in which the file lies. A
 * raw input may hold several cases (fuzz/generate/mutator.h). From an output folder of AFL++, crashes/,
 * hangs/ and queue/ are read.
 */
struct inputs {
    struct input *file;
    unsigned count, room;
    bool programs;                    /* accept programs of bare words */
    char campaign[4096];              /* cache: the last campaign whose unit was looked up */
    const struct unit *campaign_unit; /* cache: its unit */
};

/*
 * Finds and checks the inputs that the arguments name. `programs`: a named file of bare words
 * (oracle/files/words.h) is a program of vc4-qpu. NULL with an error if a named file is no input, a file is
 * damaged, or a folder has no input.
 */
struct inputs *inputs_open(const struct arguments *a, bool programs, struct error *e);
void inputs_close(struct inputs *in); /* NULL is fine */

/* Returns the unit of all inputs; NULL with an error if they have several. */
const struct unit *inputs_only_unit(const struct inputs *in, struct error *e);

/* Does any input have cases of the unit? Traces count only with `traces`. */
bool inputs_have(const struct inputs *in, const struct unit *u, bool traces);

/* Reads the cases of one input in order. Returns 1, 0 at the end, -1 with an error. The label is valid until
 * the next call. */
struct input_reader;
struct input_reader *input_open(const struct input *file, struct error *e);
int input_next(struct input_reader *r, struct test_case *c, const char **label, struct error *e);
void input_close(struct input_reader *r); /* NULL is fine */

/* Calls `f` for each case of an input, until a call returns false. */
typedef bool each_case(void *context, const struct test_case *c, const char *label, struct error *e);
bool input_each(const struct input *file, each_case *f, void *context, struct error *e);
/* Does the same for all inputs of a unit. */
bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e);

#endif
