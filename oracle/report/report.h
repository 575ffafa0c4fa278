/* SPDX-License-Identifier: MIT */
/*
 * Reports of a campaign: one collection of facts, four writers. The reports decide nothing: verdicts, causes
 * and evidence come from the store and the ledger. The smallest cases run again on the model for the
 * pictures. All sentences about findings are made from the fields of the ledger and the finding.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_H
#define MISPRINT_ORACLE_REPORT_REPORT_H

#include "oracle/files/digest.h"
#include "oracle/store/store.h"

/* The boards that showed one finding. */
struct report_boards {
    struct board_evidence *board;
    unsigned boards;
};

/* What an input of a replay does today. */
enum input_today {
    TODAY_NOTHING,      /* model and board agree, as before */
    TODAY_GONE,         /* they agree, but it was a finding, a crash or a hang */
    TODAY_FINDING,      /* they differ */
    TODAY_SAME,         /* the finding that it was */
    TODAY_OTHER,        /* another one */
    TODAY_NOT_COMPARED, /* no outcome, or not reached */
    TODAY_CRASHES,      /* the model itself */
    TODAY_HANGS,        /* the model itself */
    TODAYS
};
extern const char *const today_name[TODAYS];

struct report_input {
    char *path;
    const char *origin; /* "crash", "hang", "finding", ...: what it was kept for */
    bool artifact;      /* it was kept because of what it did */
    const struct unit *unit;
    enum input_today today;
    char was[24];        /* the finding that it was; "" if that is not known */
    char (*finding)[24]; /* those that it shows today */
    unsigned findings;
};

/* How one run's coverage grew. */
struct report_progress {
    struct progress_point *point;
    unsigned points;
};

struct report {
    bool loose;              /* no campaign has the cases */
    const char *title;       /* the campaign's directory, as the user wrote it; not owned */
    struct finding *finding; /* ordered by finding_order */
    unsigned findings;
    struct run_facts *run;
    unsigned runs;
    uint64_t dropped;                 /* cases that were never compared */
    struct report_progress *progress; /* one for each run; NULL without a store */
    struct report_boards *boards;     /* one for each finding; NULL without a store */
    struct dropped_reason *reason;    /* why cases were dropped, most first; may be NULL */
    unsigned reasons;
    uint64_t links;             /* of the campaign's chain; 0 without a store */
    char head[DIGEST_HEX];      /* its last link */
    struct report_input *input; /* of a replay: all its inputs; not owned */
    unsigned inputs;
};

/* Reads all from a store. On failure nothing is left to free. */
bool report_gather(struct store *s, const char *title, struct report *r, struct error *e);
void report_free(struct report *r);

/* Self-contained: works without scripts, requests nothing. */
void report_html(const struct report *r, struct text *t);
void report_markdown(const struct report *r, struct text *t);
void report_json(const struct report *r, struct text *t); /* schema: oracle/report/report.schema.json */
void report_junit(const struct report *r, struct text *t);
/* For a terminal: how many inputs did what, and each input that was kept because of what it did. */
void inputs_words(const struct report *r, struct text *t);

/* How many programs the two proofs before hardware disagree on. */
uint64_t report_disagreements(const struct report *r);

#endif
