/* SPDX-License-Identifier: MIT */
/*
 * Attribution of one case: which smallest sets of reading changes make the
 * model reproduce what the board did. Exact: every set up to the asked size
 * among the clauses that the case touches is tried, smallest first (a change
 * may make further clauses touched; those count too).
 */
#ifndef MISPRINT_ORACLE_EXPLAIN_H
#define MISPRINT_ORACLE_EXPLAIN_H

#include "oracle/compare.h"
#include "oracle/executor.h"

enum { CHANGES_MAX = 4, RIVALS_MAX = 16 };

/* A set of reading changes against a base profile, ordered by clause index. */
struct cause {
    uint8_t count; /* 0: nothing explains it */
    struct { uint16_t clause; uint8_t reading; } change[CHANGES_MAX];
};

struct explanation {
    unsigned rivals;                /* how many smallest sets were found; 0: unexplained */
    struct cause rival[RIVALS_MAX]; /* all of the same size; in the order of clause and reading index */
    bool more_rivals;               /* there were more than RIVALS_MAX */
    bool cut;                       /* the search was stopped (budget); the answer may be incomplete */
    uint64_t runs;                  /* model runs it took */
    struct cause nearest;           /* unexplained: the set that leaves the fewest differing bits */
    uint64_t nearest_bits;          /* how many */
};

bool cause_equal(const struct cause *a, const struct cause *b);
void cause_apply(const struct cause *c, struct profile *p);
/* "clause=reading,clause=reading" */
void cause_print(const struct unit *u, const struct cause *c, struct text *t);
bool cause_parse(const struct unit *u, const char *text, struct cause *c, struct error *e);

/* `most` changes at the most (up to CHANGES_MAX); `budget` model runs at the most, 0: no limit. */
void explain_case(struct executor *x, const struct test_case *c, const struct profile *base, const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

#endif
