/* SPDX-License-Identifier: MIT */
/*
 * What the writers of a report share: sums over runs and findings, a finding's
 * outcomes run and decoded again, and the sentences made from the ledger.
 *
 * Sentences are plain text in which `backticks` mark names; each writer turns
 * those into its own markup and escapes the rest.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_FACTS_H
#define MISPRINT_ORACLE_REPORT_REPORT_FACTS_H

#include "oracle/describe/picture.h"
#include "oracle/report/report.h"

#include <jansson.h>

/* What kind of board a finding or run stands on. A virtual board is never silicon, whatever its record
 * claims. */
enum board_class {
    BOARD_CLASS_SILICON, /* measured on hardware */
    BOARD_CLASS_VIRTUAL, /* the model under another profile */
    BOARD_CLASS_OTHER,   /* another program: an emulator, a child process */
    BOARD_CLASSES
};
enum board_class board_class(const struct board_identity *b);
extern const char *const board_class_label[BOARD_CLASSES]; /* "silicon", "virtual board, not silicon", ... */
extern const char *const board_class_key[BOARD_CLASSES];   /* one word, for style sheets and JSON */

/* Sums over the runs and findings of one unit (or, in `all`, of all). */
struct unit_facts {
    char name[32];
    const struct unit *unit; /* NULL if this program does not know it */
    struct tally tally;
    struct coverage coverage;
    unsigned findings[BOARD_CLASSES][VERDICTS];
    bool has_board_class[BOARD_CLASSES];   /* some run or finding stood on such a board */
    uint16_t clause_findings[CLAUSES_MAX]; /* findings whose cause names the clause */
};
enum { REPORT_UNITS_MAX = 32 };
struct report_facts {
    struct unit_facts all;
    struct unit_facts unit[REPORT_UNITS_MAX];
    unsigned units;
};
void report_sum(const struct report *r, struct report_facts *f);

/* One run's or a sum's tally as rows "what, number", empty rows left out; for every writer's tables. NULL
 * name after the last. */
struct tally_row {
    const char *key, *name; /* for JSON; for people */
    uint64_t number;
    bool removed; /* taken away by a mask, filter or refusal */
};
enum { TALLY_ROWS_MAX = 24 };
void tally_rows(const struct tally *t, struct tally_row rows[TALLY_ROWS_MAX]);

/* A finding's smallest case, on the model again and as the board answered it. */
struct finding_view {
    const struct finding *finding;
    const struct report_boards *boards; /* NULL: only the finding's own board is known */
    enum board_class board_class;
    bool loose;          /* no campaign holds the case */
    struct profile base; /* the finding's profile, if `shown` */
    bool shown;          /* the picture and differences hold; otherwise `why_not` says what is missing */
    struct error why_not;
    struct picture picture; /* valid until the next view of the same viewer */
    struct differences differences;
};

/* Where views are made: executors and outcomes, one set a unit. */
struct finding_viewer;
struct finding_viewer *finding_viewer_new(void);
void finding_viewer_free(struct finding_viewer *b);
void finding_view(struct finding_viewer *b, const struct report *r, unsigned at, struct finding_view *v);

/* The clauses a finding's explanation names, each once: those of its cause first, then those only of rivals.
 */
struct named_clause {
    unsigned index;
    int followed; /* the reading of the cause it was filed under; -1: only a rival names this clause */
};
enum { NAMED_CLAUSES_MAX = CHANGES_MAX + CANDIDATES_MAX * CHANGES_MAX };
unsigned finding_clauses(const struct finding *f, struct named_clause out[NAMED_CLAUSES_MAX]);

/* --- inputs of a replay */

void inputs_count(const struct report *r, unsigned *failures, unsigned *errors, unsigned *skipped);
json_t *inputs_json(const struct report *r);
void inputs_junit(const struct report *r, struct text *t);

/* --- sentences */

void words_title(const struct report *r, struct text *t); /* the last part of the campaign's path */
void words_summary(const struct report *r, const struct report_facts *f,
                   struct text *t); /* what was compared with what: one paragraph */
void words_evidence(const struct report_facts *f,
                    struct text *t); /* what kind of evidence there is, and is not */
void words_board(const struct board_identity *b,
                 struct text *t); /* description and provenance, said once where one contains the other */
void words_run(const struct run_facts *run, struct text *t); /* "`vc4-vpm` under profile `manual` with ..." */

void words_chain(
    const struct report *r,
    struct text *t); /* the head of the campaign's chain, and how to check it; nothing without a chain */

void words_headline(const struct finding_view *v,
                    struct text *t); /* plain: the clauses' titles, or what there is instead */
void words_verdict(const struct finding_view *v,
                   struct text *t); /* the verdict's name, with "(virtual board)" where it is one */
void words_meaning(const struct finding_view *v,
                   struct text *t); /* what the verdict says of manual and board: a sentence or two */
void words_strength(const struct finding_view *v, struct text *t); /* what this campaign's evidence weighs */
void words_candidates(const struct finding_view *v,
                      struct text *t); /* "Could also be ..."; nothing if there is no other explanation */
void words_nearest(const struct finding_view *v,
                   struct text *t); /* unexplained: the nearest miss; nothing otherwise */
void words_support(const struct finding_view *v, const struct named_clause *n,
                   struct text *t); /* which reading the evidence supports */

/* Commands that show the finding again, from the campaign's directory; one a line. Without a campaign, only
 * those that need no case. */
void words_commands(const struct finding_view *v, struct text *t);

/* How each side ended, where that is not "done" on both; nothing otherwise. */
void words_ends(const struct finding_view *v, struct text *t);

/* The smallest case as text, at most `lines` lines. */
void words_case(const struct finding *f, unsigned lines, struct text *t);

#endif
