/* SPDX-License-Identifier: MIT */
/*
 * Derives verdicts again without the board: checks a campaign's findings against the cases and answers that
 * it holds.
 *
 * Each comparison (unit, profile, board) is replayed with all cases that the store kept of it: those of the
 * findings and those that touched something new, each with the board's recorded answer. A finding follows if
 * its id comes out again: ids are made of unit, profile, board, verdict and causes. The other findings are
 * checked one by one (enum derived).
 *
 * A campaign compares far more cases than it keeps. What it ruled out by a case that it did not keep cannot
 * be ruled out again. That is reported, and is no fault.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H
#define MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H

#include "oracle/store/store.h"

enum derived {
    DERIVED_FOLLOWS,    /* the same finding comes out of the kept cases again */
    DERIVED_STANDS,     /* its case shows what it says and its cause reproduces the board, but cases that were
                           not kept decided for this cause */
    DERIVED_NOT_FOLLOW, /* its case, its answer, its cause and its verdict contradict each other */
    DERIVED_UNKNOWN,    /* only the board could tell */
    DERIVEDS
};
extern const char *const derived_name[DERIVEDS]; /* "follows", ... */

struct derivation {
    char id[24];
    enum verdict verdict;
    enum derived derived;
    char why[ERROR_TEXT_MAX];
};

/* One for each finding, in the order of store_findings, and how many cases were replayed. Free with free().
 * NULL with an error. */
struct derivation *rederive(struct store *s, unsigned *count, uint64_t *cases, struct error *e);

#endif
