/* SPDX-License-Identifier: MIT */
/*
 * Derives verdicts again without the board. It checks a campaign's findings against the cases and answers
 * that the campaign holds.
 *
 * Each comparison (unit, profile, board) is replayed with all its cases in the store: those of the findings
 * and those that touched something new, each with the board's recorded answer. A finding follows if the
 * replay gives its id again, because an id is made of unit, profile, board, verdict and causes. The other
 * findings are checked one by one (enum derived).
 *
 * A campaign compares far more cases than it keeps. If a case that was not kept ruled out a cause, the replay
 * cannot rule out that cause again. `rederive` reports such findings as DERIVED_STANDS, which is no fault.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H
#define MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H

#include "oracle/store/store.h"

enum derived {
    DERIVED_FOLLOWS, /* the kept cases give the same finding again */
    /* The finding's case shows what the finding says, and its cause reproduces the board. But cases that were
     * not kept decided for this cause. */
    DERIVED_STANDS,
    DERIVED_NOT_FOLLOW, /* its case, its answer, its cause and its verdict contradict each other */
    DERIVED_UNKNOWN,    /* only the board could decide */
    DERIVEDS
};
extern const char *const derived_name[DERIVEDS]; /* "follows", ... */

struct derivation {
    char id[24];
    enum verdict verdict;
    enum derived derived;
    char why[ERROR_TEXT_MAX];
};

/* Returns a result for each finding, in the order of store_findings, and sets how many cases were replayed.
 * Free with free(). NULL with an error. */
struct derivation *rederive(struct store *s, unsigned *count, uint64_t *cases, struct error *e);

#endif
