/* SPDX-License-Identifier: MIT */
/*
 * Reports of a campaign. Four writers (HTML, Markdown, JSON, JUnit) print the same facts. A report decides
 * nothing: verdicts, causes and evidence come from the store and the ledger. For the pictures, the smallest
 * cases run again on the model. The sentences about findings are made from fields of the ledger and the
 * finding.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_H
#define MISPRINT_ORACLE_REPORT_REPORT_H

#include "oracle/files/digest.h"
#include "oracle/store/store.h"

/* The boards on which one finding was seen. */
struct report_boards {
    struct board_evidence *board;
    unsigned boards;
};

/* What an input of a replay shows now. */
enum input_today {
    TODAY_NOTHING,      /* model and board agree, and the input was no finding, crash or hang before */
    TODAY_GONE,         /* model and board agree, but the input was a finding, a crash or a hang before */
    TODAY_FINDING,      /* model and board differ */
    TODAY_SAME,         /* model and board differ: the same finding as before */
    TODAY_OTHER,        /* model and board differ: another finding than before */
    TODAY_NOT_COMPARED, /* the board gave no outcome, or the replay ended before this input */
    TODAY_CRASHES,      /* the model itself crashes */
    TODAY_HANGS,        /* the model itself hangs */
    TODAYS
};
extern const char *const today_name[TODAYS];

struct report_input {
    char *path;
    const char *origin; /* why the input was kept: "crash", "hang", "finding", ... */
    bool artifact;      /* a fuzzer or campaign kept it because it showed a finding, a crash or a hang */
    const struct unit *unit;
    enum input_today today;
    char was[24];        /* the finding that it showed before; "": unknown */
    char (*finding)[24]; /* the findings that it shows now */
    unsigned findings;
};

/* How one run's coverage grew. */
struct report_progress {
    struct progress_point *point;
    unsigned points;
};

struct report {
    bool loose;              /* no campaign holds the cases */
    const char *title;       /* the campaign's directory, as the user wrote it; not owned */
    struct finding *finding; /* sorted by finding_order */
    unsigned findings;
    struct run_facts *run;
    unsigned runs;
    uint64_t dropped;                 /* cases that could not be compared */
    struct report_progress *progress; /* one for each run; NULL without a store */
    struct report_boards *boards;     /* one for each finding; NULL without a store */
    struct dropped_reason *reason;    /* why cases were dropped, most frequent reason first; may be NULL */
    unsigned reasons;
    uint64_t links;             /* links of the campaign's chain; 0 without a store */
    char head[DIGEST_HEX];      /* the chain's last link */
    bool changed;               /* something other than misprint changed the campaign (store_check) */
    struct report_input *input; /* all inputs of a replay; not owned */
    unsigned inputs;
    /* Of a command that has just ended, because a campaign does not keep them: how often boards were started
     * again, and the cases that the processes of libFuzzer or AFL++ ran. */
    uint64_t restarts, engine_cases;
};

/* Reads everything from a store. On failure nothing needs to be freed. */
bool report_gather(struct store *s, const char *title, struct report *r, struct error *e);
void report_free(struct report *r);

/* Writes a self-contained page, which works without scripts and loads no other files. */
void report_html(const struct report *r, struct text *t);
void report_markdown(const struct report *r, struct text *t);
void report_json(const struct report *r, struct text *t); /* schema: oracle/report/page/report.schema.json */
void report_junit(const struct report *r, struct text *t);
/* Prints for the terminal what the inputs show now, as counts. Lists each input that was kept because it
 * showed a finding, a crash or a hang. */
void inputs_words(const struct report *r, struct text *t);

/* Returns the number of programs on which the two proofs before hardware disagree. */
uint64_t report_disagreements(const struct report *r);

#endif
