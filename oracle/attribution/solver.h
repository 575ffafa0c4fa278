/* SPDX-License-Identifier: MIT */
/*
 * What the files of the attribution share (attribute.c, confidence.c; nobody else includes this): the
 * evidence as items, and the set of changes so far. attribute.h says what they make of it.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_SOLVER_H
#define MISPRINT_ORACLE_ATTRIBUTION_SOLVER_H

#include "oracle/attribution/attribute.h"

enum {
    REFUTED_MAX = 64, /* wrong changes to be kept in mind */
    CORE_MAX = 64,    /* cases that refuted sets of the exact search last: tried first on the next */
    NEEDED_LEAST = 8, /* cases that must need a change in the end for each that speaks against it, when no
                         other change is missing that could be the reason */
};

struct item {
    uint64_t touched[TOUCHED_WORDS]; /* under the set so far */
    uint64_t distance;               /* bits that differ under it; 0: it agrees */
    bool differed;                   /* under the base profile */
    bool aside;                      /* unexplained: does not count */
    bool unknown;                    /* unexplained, and no reading on top of the set explains or excuses it
                                        (solver_low_confidence) */
    unsigned stuck_at;               /* the version of the set that did not explain it */
};

/* How an item comes out under a set that is only weighed so far. */
struct weighed_run {
    uint64_t touched[TOUCHED_WORDS];
    uint64_t distance;
    unsigned of; /* the weighing that ran it */
};

struct solver {
    struct executor *x;
    const struct evidence_set *v;
    const struct attribution_limits *limits;
    struct explainer *explainer;
    struct run_cache *run_cache;
    struct outcome *model, *board;
    struct test_case *tc;
    unsigned loaded; /* the item in `tc` and `board`; UINT32_MAX: none */
    struct item *item;
    struct weighed_run *weighed; /* of each item, when it was last weighed */
    unsigned weighings;
    unsigned *order; /* items that may differ, simplest first */
    unsigned count, ordered, version;
    struct profile base, now;
    uint64_t start, exact_end; /* counts of model runs: at the start; at which the exact search is cut */
    struct attribution *out;
    unsigned core[CORE_MAX], cores;
    struct cause refuted[REFUTED_MAX];
    unsigned refuted_count;
};

/* Puts item i into `tc` and `board`; false if it was lost for want of memory. */
bool solver_load(struct solver *s, unsigned i);
/* Explains item i on top of a profile (explainer_run). Without rivals if it was lost. */
void solver_explain(struct solver *s, unsigned i, const struct profile *p, unsigned most, uint64_t budget,
                    struct explanation *out);

/*
 * Counts of cases are of those that ran. A called one is another form of such a case, which need not be among
 * the evidence itself any more: where only called ones speak, they stand for one.
 */
void solver_count(const struct solver *s, unsigned i, uint64_t *cases, bool *any);
static inline uint64_t at_least_one(uint64_t cases, bool any)
{
    return any && !cases ? 1 : cases;
}

bool solver_leaves_any(const struct solver *s); /* unexplained, by the set so far */

/* confidence.c: the changes that could as well be part of something unknown: for each the change back to the
 * base profile. How many. */
unsigned solver_low_confidence(struct solver *s, struct cause back[CLAUSES_MAX]);

static inline bool has(const uint64_t touched[TOUCHED_WORDS], unsigned clause)
{
    return touched[clause / 64] >> (clause % 64) & 1;
}

static inline bool touches(const struct item *item, const struct cause *c)
{
    for (unsigned i = 0; i < c->count; i++)
        if (has(item->touched, c->change[i].clause))
            return true;
    return false;
}

static inline struct cause single(unsigned clause, unsigned reading)
{
    struct cause c = {0};
    (void)cause_add(&c, clause, reading);
    return c;
}

#endif
