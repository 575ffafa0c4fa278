/* SPDX-License-Identifier: MIT */
/*
 * The frame of the `misprint` command. Each subcommand is a `struct command` at the end of its own file.
 * cli/main.c has the table of subcommands, cli/terminal/arguments.c the table of options. The help texts and
 * the man page are generated from both tables (cli/terminal/help.c).
 */
#ifndef MISPRINT_CLI_CLI_H
#define MISPRINT_CLI_CLI_H

#include "cli/terminal/interrupt.h"
#include "cli/terminal/output.h"
#include "oracle/board/board.h"

/* Exit statuses. Scripts rely on them. */
enum {
    STATUS_EQUAL = 0,     /* no discrepancy */
    STATUS_DIFFERENT = 1, /* discrepancies */
    STATUS_USAGE = 2,     /* wrong use or bad input */
    STATUS_BROKEN = 3,    /* a board or the machine failed, or a signal ended the work early */
    STATUS_CLOSED = 141,  /* the reader closed standard output: the status that a shell gives SIGPIPE */
};

enum option_id {
    OPTION_END, /* ends the list of a command's options */
    OPTION_ADD_TID,
    OPTION_ALL,
    OPTION_ALSO_UNDER,
    OPTION_BASE,
    OPTION_BOARD,
    OPTION_BOARD_IS,
    OPTION_BOARDS,
    OPTION_CAMPAIGN,
    OPTION_CASES,
    OPTION_CHANGES,
    OPTION_CHECK,
    OPTION_COUNT,
    OPTION_DESCRIPTOR,
    OPTION_ENGINE,
    OPTION_EXPECT,
    OPTION_EXPLAIN,
    OPTION_FIDELITY,
    OPTION_FOLDER,
    OPTION_HEAD,
    OPTION_HTML,
    OPTION_INDEX_STRIDE,
    OPTION_ISA,
    OPTION_JOBS,
    OPTION_JSON,
    OPTION_JSON_FILE,
    OPTION_JUNIT,
    OPTION_KERNEL,
    OPTION_KIND,
    OPTION_LANG,
    OPTION_LAUNCH,
    OPTION_LIMIT,
    OPTION_MAN,
    OPTION_MD,
    OPTION_MEMORY,
    OPTION_NO_CORPUS,
    OPTION_NO_REDUCE,
    OPTION_ONLY,
    OPTION_OOB,
    OPTION_OUTPUT,
    OPTION_PAGES,
    OPTION_PROFILE,
    OPTION_QPUS,
    OPTION_QUIET,
    OPTION_RECORD,
    OPTION_RECORDS,
    OPTION_RESULTS,
    OPTION_RULE,
    OPTION_SCHEDULE,
    OPTION_SEED,
    OPTION_SET,
    OPTION_SILICON,
    OPTION_STATS,
    OPTION_STEP,
    OPTION_STRIDE,
    OPTION_SWIZZLE,
    OPTION_THREADS,
    OPTION_TIME,
    OPTION_TRACE,
    OPTION_UNIFORMS,
    OPTION_UNIT,
    OPTIONS
};

struct arguments {
    const char *option[OPTIONS]; /* the value, "" for a flag; NULL: not given */
    const char *const *word;     /* the arguments other than options, in order */
    int words;
    struct text sets;    /* each --set on a line */
    struct text rules;   /* each --rule after a semicolon, as in a profile */
    struct text profile; /* the profile that the user named, with the rules of --rule */
};

struct command {
    const char *name;
    const char *synopsis;         /* the arguments, without options: "UNIT [FILE]" */
    const char *about;            /* one line of at most 66 columns: "run cases" */
    const char *examples;         /* lines that start with two spaces */
    const char *details;          /* paragraphs: what the command does and prints */
    void (*list)(struct text *t); /* adds lines from a table in another file; NULL: none */
    enum option_id options[OPTIONS];
    int min_words, max_words;              /* max_words -1: any number */
    int (*run)(const struct arguments *a); /* returns an exit status */
};

/* The commit that was built, shortened, with "-dirty" after it if files differed; empty if unknown. Each
 * build writes it (cmake/commit.cmake). */
extern const char misprint_commit[];

extern const struct command command_units, command_boards, command_clauses, command_show, command_asm,
    command_disasm, command_run, command_fuzz, command_replay, command_record, command_import, command_reduce,
    command_explain, command_adjudicate, command_learn, command_points, command_spec, command_report,
    command_merge, command_minimize, command_dropped, command_verify, command_prove, command_agent,
    command_bench, command_check_board, command_new_board, command_where, command_help;

const char *option_name(enum option_id o); /* "--board" */

/* Splits the arguments after the subcommand into options and words. `all` lists every command and ends with
 * NULL. False with an error that names the wrong argument. */
bool arguments_parse(const struct command *c, const struct command *const *all, int count, char **words,
                     struct arguments *a, struct error *e);

/* These functions return the values of options. Those that return bool return false with an error if a value
 * is malformed. */
/* --profile, or `manual` if it was not given, with the rules of --rule. */
const char *argument_profile(const struct arguments *a);
/* Frees what arguments_parse allocated. */
void arguments_free(struct arguments *a);
/* Reads a whole number in decimal, or in hexadecimal after 0x; `otherwise` if the option was not given. */
bool argument_number(const struct arguments *a, enum option_id o, uint64_t otherwise, uint64_t *v,
                     struct error *e);
/* Reads a count of at least 1; 0 if the option was not given. */
bool argument_count(const struct arguments *a, enum option_id o, uint64_t *v, struct error *e);
/* Reads --changes; CHANGES_USUAL if it was not given. */
bool argument_changes(const struct arguments *a, unsigned *v, struct error *e);
/* Reads a time as seconds: "30", "30s", "5m", "2h", "1d"; 0 if the option was not given. */
bool argument_seconds(const struct arguments *a, enum option_id o, double *v, struct error *e);

/* Returns the name of clause number `i` of all units, for error_unknown; NULL after the last one. */
const char *name_of_any_clause(const void *context, unsigned i);

/* A heading in the list of commands, above the first of its commands. */
struct command_group {
    const char *title;
    const struct command *first;
};

/* Adds words in lines of at most 80 columns. The first line starts at `column`, all others at `indent`. */
void help_fill(struct text *t, const char *words, size_t count, unsigned column, unsigned indent);
/* Assembles the lines of a file into hexadecimal words (cli/assemble.c). `isa` may be NULL. */
bool assemble_text(const char *path, const struct unit *u, const char *isa, const char *bytes, size_t count,
                   struct text *words, struct error *e);
/* Adds the text form of a unit's instructions (cli/assemble.c). */
bool help_instructions(const char *unit, const char *isa, struct text *t, struct error *e);
void help_short(struct text *t); /* what a user sees who types no command */
void help_command(const struct command *c, struct text *t);
/* `group`: the headings in the order of the commands; the last one has no title. */
void help_all(const struct command *const *commands, const struct command_group *group, struct text *t);
void help_environment(struct text *t); /* environment variables and exit statuses */
void help_man(const struct command *const *commands, struct text *t); /* roff */
void help_man_command(const struct command *c, struct text *t);
/* What a shell reads to complete command lines (cli/terminal/completion.c). */
void completion_bash(const struct command *const *commands, struct text *t);
void completion_zsh(const struct command *const *commands, struct text *t);
void completion_fish(const struct command *const *commands, struct text *t);

#endif
