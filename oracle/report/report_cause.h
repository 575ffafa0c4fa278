/* SPDX-License-Identifier: MIT */
/*
 * Makes every sentence about a finding's cause that the terminal, the reports and `misprint explain` print.
 * A sentence claims only as much as the campaign's trials support.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_CAUSE_H
#define MISPRINT_ORACLE_REPORT_REPORT_CAUSE_H

#include "oracle/store/finding.h"

/* How firmly the campaign's cases support a finding's cause. */
enum cause_status {
    CAUSE_NONE,      /* there is no explanation */
    CAUSE_LEARNED,   /* no reading explains the finding; a rule that was learned does */
    CAUSE_WITHDRAWN, /* a rule was learned, and a later case refuted it */
    CAUSE_MASKS,     /* every explanation only leaves the differing bits undefined; none reproduces them */
    CAUSE_OPEN,      /* there are several explanations, and no case distinguishes them */
    CAUSE_FITS,      /* there is one explanation, but no case distinguishes it from some other reading of its
                        clauses */
    CAUSE_TRIED,     /* there is one explanation; for each other reading of its clauses, there is a case on
                        which the board could have followed that reading, and did not */
};
enum cause_status cause_status(const struct finding *f);
extern const char *const
    cause_status_name[]; /* "none", "learned", "withdrawn", "undefined", "open", "fits", "tried": for JSON */

/* Adds one line for the terminal: the cause and the explanations that no case excludes, or why there is no
 * cause. The line has no backticks. */
void cause_summary(const struct finding *f, struct text *t);

/* Adds what the board does as one sentence: title and first sentence of each reading of the cause, or the
 * learned rule in words. "perhaps: " comes first if the cause is less than certain, with what else it may
 * be: "perhaps (or vpm-concurrent=undefined): ". Without a cause, says where the finding was first seen. */
void cause_sentence(const struct finding *f, struct text *t);

/* Returns what a set of CONTRADICTS_ (oracle/store/finding.h) means, as a sentence: "it contradicts the
 * manual". */
const char *contradiction_words(unsigned sides);

/* Returns how a set of readings explains a case: "explained by" or "left undefined by". */
const char *cause_explains_how(const struct cause *c);

#endif
