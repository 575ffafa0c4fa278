/* SPDX-License-Identifier: MIT */
/* Whether a case distinguishes two readings of a clause. */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_DISTINGUISH_H
#define MISPRINT_ORACLE_ATTRIBUTION_DISTINGUISH_H

#include "oracle/compare/executor.h"
#include "oracle/files/corpus.h"

enum distinction {
    DISTINCT_NOT,
    DISTINCT_UNDEFINED, /* one reading leaves undefined what the other defines, and nothing else differs: no
                           board can show which holds */
    DISTINCT_DEFINED,   /* they differ in bits that both define, or in how the case ends */
};

/* All other clauses are as `p` has them. */
enum distinction case_distinguishes(struct executor *x, const struct test_case *c, const struct profile *p,
                                    unsigned clause, unsigned one, unsigned other);
/* The best that one of the clause's separating cases does. */
enum distinction corpus_distinguishes(struct executor *x, const struct corpus *c, const struct profile *p,
                                      unsigned clause, unsigned one, unsigned other);

#endif
