/* SPDX-License-Identifier: MIT */
/*
 * What may be said of a finding's cause. Every sentence about a cause is made here, from what was tried: the
 * terminal, the reports and `misprint explain` print these.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_CAUSE_H
#define MISPRINT_ORACLE_REPORT_REPORT_CAUSE_H

#include "oracle/store/finding.h"

/* How far a finding's cause was tried. */
enum cause_status {
    CAUSE_NONE,    /* there is no explanation */
    CAUSE_LEARNED, /* no reading explains it; a rule that was learned does */
    CAUSE_MASKS,   /* every explanation only leaves the differing bits undefined; none reproduces them */
    CAUSE_OPEN,    /* no case told several explanations apart */
    CAUSE_FITS,    /* there is one explanation, but some other reading of its clauses was not told from it */
    CAUSE_TRIED,   /* there is one explanation, and the board could have refuted it in favour of each other
                      reading of its clauses */
};
enum cause_status cause_status(const struct finding *f);
extern const char
    *const cause_status_name[]; /* "none", "learned", "undefined", "open", "fits", "tried": for JSON */

/* One line for the terminal: the cause and what is open about it; or why there is none. No backticks. */
void cause_summary(const struct finding *f, struct text *t);

/* How one case is explained by a set, for the terminal: "explained by", "left undefined by". */
const char *cause_explains_how(const struct cause *c);

#endif
