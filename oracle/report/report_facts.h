/* SPDX-License-Identifier: MIT */
/*
 * The parts that all writers of reports share: sums over runs and findings, a finding's outcomes, sentences.
 *
 * Sentences are plain text. Names in them are marked with `backticks`. Each writer turns the marks into its
 * own markup and escapes the rest.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_FACTS_H
#define MISPRINT_ORACLE_REPORT_REPORT_FACTS_H

#include "oracle/describe/picture.h"
#include "oracle/report/report.h"

#include <jansson.h>

extern const char *const board_class_label[BOARD_CLASSES]; /* "silicon", "virtual board, not silicon", ... */
extern const char *const board_class_key[BOARD_CLASSES];   /* one word, for style sheets and JSON */

/* Sums over the runs and findings of one unit; the member `all` sums over all units. */
struct unit_facts {
    char name[32];
    const struct unit *unit; /* NULL if this version of misprint does not know the unit */
    struct tally tally;
    struct coverage coverage;
    unsigned findings[BOARD_CLASSES][VERDICTS];
    bool has_board_class[BOARD_CLASSES];   /* a run or finding has a board of this class */
    uint16_t clause_findings[CLAUSES_MAX]; /* number of findings whose cause names the clause */
};
enum { REPORT_UNITS_MAX = 32 };
struct report_facts {
    struct unit_facts all;
    struct unit_facts unit[REPORT_UNITS_MAX];
    unsigned units;
};
/* Returns the order in which reports list findings, as indices: those of silicon first, then virtual boards,
 * then implementations; within these as in r->finding. free() it. */
unsigned *report_order(const struct report *r);
/* The finding that matters most: of those like the first one of report_order, the one with the most cases.
 * NULL: there is no finding. */
const struct finding *report_first(const struct report *r);
void report_sum(const struct report *r, struct report_facts *f);

/* A tally as rows, for the tables of all writers. The last row has no name. */
struct tally_row {
    const char *key, *name; /* for JSON; for people */
    uint64_t number;
    bool removed; /* the row counts what a mask, a filter or a refusal removed */
};
enum { TALLY_ROWS_MAX = 24 };
void tally_rows(const struct tally *t, struct tally_row rows[TALLY_ROWS_MAX]);

/* A finding's smallest case with two outcomes: the model runs it again; the board's is the recorded one. */
struct finding_view {
    const struct finding *finding;
    const struct report_boards *boards; /* NULL: only the finding's own board is known */
    enum board_class board_class;
    bool loose;          /* the case is in no campaign */
    struct profile base; /* the finding's profile, if `shown` */
    bool shown;          /* picture, differences and coverage are valid; if not, `why_not` says why */
    struct error why_not;
    struct picture picture; /* valid until the next view of the same viewer */
    struct differences differences;
    struct coverage coverage; /* the clauses and modes that the smallest case touches */
};

/* Makes views. It holds an executor and outcomes for each unit, which all views share. */
struct finding_viewer;
struct finding_viewer *finding_viewer_new(void);
void finding_viewer_free(struct finding_viewer *viewer);
void finding_view(struct finding_viewer *viewer, const struct report *r, unsigned at, struct finding_view *v);

/* The clauses that a finding's explanation names, each once: first those of the cause, then those of other
 * candidates. */
struct named_clause {
    unsigned index;
    int followed; /* the cause's reading; -1: only another candidate names this clause */
};
enum { NAMED_CLAUSES_MAX = CHANGES_MAX + CANDIDATES_MAX * CHANGES_MAX };
unsigned finding_clauses(const struct finding *f, struct named_clause out[NAMED_CLAUSES_MAX]);

/* --- inputs of a replay */

void inputs_count(const struct report *r, unsigned *failures, unsigned *errors, unsigned *skipped);
json_t *inputs_json(const struct report *r);
void inputs_junit(const struct report *r, struct text *t);

/* --- rules that were learned (report_rule.c); without such a rule, these functions add nothing */

void words_rules(const struct finding_view *v, struct text *t);        /* a sentence for each rule */
void words_rule_names(const struct finding_view *v, struct text *t);   /* what the names in the rules are */
void words_rule_trials(const struct finding_view *v, struct text *t);  /* experiments and alternatives */
void words_alternatives(const struct finding_view *v, struct text *t); /* one rule in a line */
/* Says of withdrawn rules that they were believed, and which case refuted them. */
void words_withdrawn(const struct finding_view *v, struct text *t);
/* The options to paste. Adds nothing if the rules were withdrawn. */
void words_rule_commands(const struct finding_view *v, struct text *t);
void words_rule_sweeps(const struct finding_view *v, struct text *t); /* a line for each rule */
void words_ledger_draft(const struct finding_view *v,
                        struct text *t);                       /* a row for the clause table, as text */
void html_rules(const struct finding_view *v, struct text *t); /* all of it, with pictures */
json_t *rules_json(const struct finding_view *v);

/* --- sentences */

void words_title(const struct report *r, struct text *t); /* the last part of the campaign's path */
/* Says what was compared with what, in one line. */
void words_tested(const struct report *r, const struct report_facts *f, struct text *t);
/* Says which of the differing cases the findings count, unless they count all. */
void words_counted(const struct report_facts *f, struct text *t);
/* Says what was compared with what, and how much of it, in one paragraph. */
void words_summary(const struct report *r, const struct report_facts *f, struct text *t);
void words_evidence(const struct report_facts *f, struct text *t); /* which kinds of boards gave evidence */
/* Says why a reader must not rely on the report: the campaign was changed, or a run was cut short. */
void words_warning(const struct report *r, struct text *t);
void words_board(const struct board_identity *b, struct text *t); /* description and provenance */
void words_run(const struct run_facts *run, struct text *t); /* "`vc4-vpm` under profile `manual` with ..." */
void words_chain(const struct report *r, struct text *t);    /* the head of the chain, and how to check it */

/* These describe a finding; some may add nothing: */
void words_headline(const struct finding_view *v, struct text *t); /* the clauses' titles, or what differs */
/* What the board does, as one sentence; nothing for a learned rule, whose headline is the sentence. */
void words_does(const struct finding *f, struct text *t);
void words_clause_ids(const struct finding *f,
                      struct text *t); /* all that an explanation names, and the finding */
/* Says in which of a clause's modes the smallest case touches it. Adds nothing if the clause has one mode. */
void words_modes(const struct finding_view *v, unsigned clause, struct text *t);
void words_verdict(const struct finding_view *v, struct text *t);    /* the verdict, with "(virtual board)" */
void words_meaning(const struct finding_view *v, struct text *t);    /* what the verdict says of the manual */
void words_strength(const struct finding_view *v, struct text *t);   /* the campaign's evidence */
void words_candidates(const struct finding_view *v, struct text *t); /* other explanations */
void words_nearest(const struct finding_view *v, struct text *t);    /* unexplained: the nearest set */
void words_ends(const struct finding_view *v, struct text *t); /* how each side ended, unless both are done */
/* Says how a reading of a clause relates to the finding: "the board follows this". Adds nothing if no
 * explanation has the reading. */
void words_mark(const struct finding_view *v, unsigned clause, unsigned reading, struct text *t);
/* The label of the cause's reading in a comparison with the manual: "Silicon does". */
void words_side(const struct finding_view *v, struct text *t);
/* Says how many findings have a cause, and how firmly the cases support it. */
void words_causes(const struct report *r, struct text *t);
/* Says which reading of a clause the evidence of ledger and campaign supports. */
void words_support(const struct finding_view *v, const struct named_clause *n, struct text *t);
/* Prints the commands that show the finding again, one in a line, to be run in the campaign's directory.
 * Without a campaign, prints only the commands that need no case file. */
void words_commands(const struct finding_view *v, struct text *t);
/* Prints the first `lines` lines of the case that refuted the rules; nothing if they were not withdrawn. */
void words_refuting(const struct finding *f, unsigned lines, struct text *t);
/* Prints the first `lines` lines of a further case; nothing if the finding has none of this role. */
void words_related(const struct finding *f, enum related_role role, unsigned lines, struct text *t);
/* Prints the first `lines` lines of the smallest case. */
void words_case(const struct finding *f, unsigned lines, struct text *t);

#endif
