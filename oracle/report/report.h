/* SPDX-License-Identifier: MIT */
/*
 * Reports of a campaign: one gathering of facts, four writers. Nothing here
 * decides anything: verdicts, causes and evidence come from the store and the
 * ledger; the smallest cases are run again on the model for the pictures. No
 * sentence about a finding is written by hand: all are made from the ledger's
 * fields and the finding's.
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

/* One input of a replay, and what it does today. */
enum input_today {
    TODAY_NOTHING,      /* model and board agree, and nothing else was known of it */
    TODAY_GONE,         /* they agree, though it once was a finding, a crash, a hang */
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
    bool artifact;      /* it was kept for something it did */
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
    bool loose;              /* kept nowhere: there is no campaign that holds the cases */
    const char *title;       /* the campaign's directory, as the user wrote it; not owned */
    struct finding *finding; /* ordered by finding_order */
    unsigned findings;
    struct run_facts *run;
    unsigned runs;
    uint64_t dropped;                 /* cases that were never compared */
    struct report_progress *progress; /* one for each run; NULL where there is no store to ask */
    struct report_boards *boards;     /* one for each finding; NULL where there is no store to ask */
    struct dropped_reason *reason;    /* why cases were dropped, most first; may be NULL */
    unsigned reasons;
    uint64_t links;             /* of the campaign's chain; 0 where there is no store to ask */
    char head[DIGEST_HEX];      /* its last link */
    struct report_input *input; /* of a replay: all its inputs; not owned */
    unsigned inputs;
};

/* Takes all from a store. On failure nothing is left to free. */
bool report_gather(struct store *s, const char *title, struct report *r, struct error *e);
void report_free(struct report *r);

void report_html(const struct report *r,
                 struct text *t); /* self-contained, works without scripts, no request to anywhere */
void report_markdown(const struct report *r, struct text *t);
void report_json(const struct report *r, struct text *t); /* schema: oracle/report/report.schema.json */
void report_junit(const struct report *r, struct text *t);
/* For a terminal: how many inputs did what, and each that was kept for something. */
void inputs_words(const struct report *r, struct text *t);

/* Programs on which the two proofs before hardware disagree. */
uint64_t report_disagreements(const struct report *r);

#endif
