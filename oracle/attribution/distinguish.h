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
/* The best result of the clause's separating cases. */
enum distinction corpus_distinguishes(struct executor *x, const struct corpus *c, const struct profile *p,
                                      unsigned clause, unsigned one, unsigned other);

#endif
