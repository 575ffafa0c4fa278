/* SPDX-License-Identifier: MIT */
/*
 * The `misprint` command: each subcommand is a `struct command`
 * row at the end of the file that has it; cli/main.c holds the table of them, cli/arguments.c the table of
 * options. Help texts and the man page are made from these rows.
 */
#ifndef MISPRINT_CLI_CLI_H
#define MISPRINT_CLI_CLI_H

#include "oracle/board.h"

#include <jansson.h>
#include <signal.h>

/* Exit statuses: part of the command's interface. */
enum {
    STATUS_EQUAL = 0,     /* no discrepancy */
    STATUS_DIFFERENT = 1, /* discrepancies */
    STATUS_USAGE = 2,     /* wrong use or bad input */
    STATUS_BROKEN = 3,    /* a board or the machine failed, or a signal cut the work short */
    STATUS_CLOSED = 141,  /* whoever read standard output is gone; as shells report the signal for it */
};

enum option_id {
    OPTION_END, /* ends a command's list */
    OPTION_BOARD,
    OPTION_CAMPAIGN,
    OPTION_CASES,
    OPTION_CHANGES,
    OPTION_ENGINE,
    OPTION_FOLDER,
    OPTION_HEAD,
    OPTION_HTML,
    OPTION_ISA,
    OPTION_JOBS,
    OPTION_JSON,
    OPTION_JSON_FILE,
    OPTION_JUNIT,
    OPTION_KERNEL,
    OPTION_MAN,
    OPTION_MD,
    OPTION_MEMORY,
    OPTION_NO_CORPUS,
    OPTION_NO_REDUCE,
    OPTION_OUTPUT,
    OPTION_PROFILE,
    OPTION_QPUS,
    OPTION_QUIET,
    OPTION_SCHEDULE,
    OPTION_SEED,
    OPTION_SILICON,
    OPTION_STEP,
    OPTION_THREADS,
    OPTION_TIME,
    OPTION_TRACE,
    OPTION_UNIFORMS,
    OPTION_UNIT,
    OPTIONS
};

struct arguments {
    const char *option[OPTIONS]; /* the value given ("" for a flag), NULL if not given */
    const char *const *word;     /* the other words, in order */
    int words;
};

struct command {
    const char *name;
    const char *synopsis; /* its words, without options: "UNIT [FILE]" */
    const char *about;    /* one line */
    const char *details;  /* paragraphs: what it does, what it prints, examples */
    enum option_id options[OPTIONS];
    int least, most;                       /* words; most -1: any number */
    int (*run)(const struct arguments *a); /* returns an exit status */
};

extern const struct command command_units, command_boards, command_clauses, command_show, command_asm, command_disasm, command_run, command_fuzz,
    command_replay, command_record, command_import, command_reduce, command_explain, command_adjudicate, command_spec, command_report, command_merge,
    command_minimize, command_dropped, command_verify, command_agent, command_bench, command_help;

/* All commands, NULL after the last. */
const struct command *command_at(unsigned i);

/* Splits the words behind the subcommand. False with an error that names the option and what to do. */
bool arguments_parse(const struct command *c, int count, char **words, struct arguments *a, struct error *e);
/* The profile asked for, or `manual`. */
const char *argument_profile(const struct arguments *a);
bool argument_number(const struct arguments *a, enum option_id o, uint64_t otherwise, uint64_t *v, struct error *e);
const char *option_name(enum option_id o); /* "--board" */
/* The same for a count that cannot be 0; 0 if not given. */
bool argument_count(const struct arguments *a, enum option_id o, uint64_t *v, struct error *e);
bool argument_seconds(const struct arguments *a, enum option_id o, double *v, struct error *e); /* "30", "30s", "5m", "2h", "1d"; 0 if not given */

void help_command(const struct command *c, struct text *t);
void help_all(struct text *t);
void help_man(struct text *t); /* roff */

/* Prints "misprint: TEXT" on standard error and returns `status`, or STATUS_BROKEN if the error is of the machine. */
int fail(int status, const struct error *e);

/* Writes to standard output; returns `status`, or STATUS_BROKEN if that fails (a full disk). Nobody there to read: ends long work quietly. */
int print_text(const struct text *t, int status);
/* The same to a file that the user named, or "-"; STATUS_USAGE where it cannot be created. */
int write_text(const char *path, const struct text *t, int status);
int print_json(json_t *j /* reference is taken */, int status);

/* True on a standard error that a person watches, unless --quiet. */
bool wants_progress(const struct arguments *a);

/*
 * Ctrl-C, SIGTERM and a closed terminal set this; long work ends soon and keeps everything. A second one ends at once,
 * the boards' children too. So does output that nobody reads any more.
 */
extern volatile sig_atomic_t interrupted;
extern bool output_closed; /* by whoever read it */
void catch_interrupts(void);

#endif
