/* SPDX-License-Identifier: MIT */
/*
 * Derives the verdicts of a campaign again without the board, from the cases and answers that the campaign's
 * store holds.
 *
 * `rederive` replays each comparison (unit, profile, board) with all its cases in the store: those of the
 * findings and those that touched something new, each with the board's recorded answer. A finding follows if
 * the replay gives its id again, because an id is made of unit, profile, board, verdict and causes. Each
 * other finding is checked against its own case (enum derived).
 *
 * A campaign compares far more cases than it keeps. If a case that was not kept ruled out a cause, the replay
 * cannot rule out that cause again. `rederive` reports such findings as DERIVED_STANDS, which is no fault.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H
#define MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H

#include "oracle/store/store.h"

enum derived {
    DERIVED_FOLLOWS, /* the kept cases give the same finding again */
    /* The finding's case shows the stated differences, and the model with the finding's cause reproduces the
     * board. But the replay does not give the finding again: the campaign did not keep the deciding cases, or
     * rules were learned by experiments, which only the board can repeat. */
    DERIVED_STANDS,
    DERIVED_NOT_FOLLOW, /* the finding's case, answer, cause and verdict contradict each other */
    DERIVED_UNKNOWN,    /* only the board could decide, because the finding says that it was flaky */
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
