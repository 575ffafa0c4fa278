/* SPDX-License-Identifier: MIT */
/* Does a case distinguish two readings of a clause? */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_DISTINGUISH_H
#define MISPRINT_ORACLE_ATTRIBUTION_DISTINGUISH_H

#include "oracle/compare/executor.h"
#include "oracle/files/corpus.h"

enum distinction {
    DISTINCT_NOT,
    DISTINCT_UNDEFINED, /* only one reading defines the differing bits, so no board can show which reading
                           holds */
    DISTINCT_DEFINED,   /* both readings define differing bits, or the case ends differently */
};

/* Runs the case under `p` with either reading of the clause. */
enum distinction case_distinguishes(struct executor *x, const struct test_case *c, const struct profile *p,
                                    unsigned clause, unsigned one, unsigned other);
/*
 * Was this case a trial of profile `p` against `rival`, and did `p` pass it? That is so if the board could
 * have refuted `p` but did not: `rival` gives other bits than the board, and `p` gives the board's bits. If
 * `p` leaves all these bits undefined, it cannot be wrong about them, so the case is no trial. `out` is
 * scratch.
 */
bool case_is_trial(struct executor *x, const struct test_case *c, const struct outcome *board,
                   const struct profile *p, const struct profile *rival, struct outcome *out);
/* Returns the highest result of case_distinguishes over the corpus's cases for this clause. */
enum distinction corpus_distinguishes(struct executor *x, const struct corpus *c, const struct profile *p,
                                      unsigned clause, unsigned one, unsigned other);

#endif
