/* SPDX-License-Identifier: MIT */
/*
 * Verdicts derived anew, without the board: what a campaign states of its
 * findings, checked against the cases and answers that it holds.
 *
 * Each comparison (unit, profile, board) is run again as a replay of all that
 * the store kept of it: the findings' cases and those that touched something new,
 * each with the board's recorded answer. A finding whose id comes out again
 * follows: ids are made of unit, profile, board, verdict and causes. Others are
 * looked at one by one (see enum derived).
 *
 * A campaign compares far more cases than it keeps. So what a campaign ruled out
 * by a case that it did not keep cannot be ruled out again; that is said, and is
 * no fault.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H
#define MISPRINT_FUZZ_CAMPAIGN_REDERIVE_H

#include "oracle/store/store.h"

enum derived {
    DERIVED_FOLLOWS,    /* the same finding comes out of the kept cases again */
    DERIVED_STANDS,     /* its case shows what it says, its cause reproduces the board; that it is this cause
                           rests on cases that were not kept */
    DERIVED_NOT_FOLLOW, /* its case, its answer, its cause and its verdict contradict each other */
    DERIVED_UNKNOWN,    /* cannot be told: only the board could */
    DERIVEDS
};
extern const char *const derived_name[DERIVEDS]; /* "follows", ... */

struct derivation {
    char id[24];
    enum verdict verdict;
    enum derived derived;
    char why[ERROR_TEXT_MAX];
};

/* For each finding, in the order of store_findings. Free with free(). NULL with an error. */
struct derivation *rederive(struct store *s, unsigned *count, uint64_t *cases, struct error *e);

#endif
