/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the attribution; no other file includes it. attribute.c runs the steps:
 *
 *     solver_build.c      builds a consistent set of changes, case by case
 *     confidence.c        finds changes of the set that the unexplained cases make doubtful
 *     solver_exchange.c   finds changes that could replace a change of the set
 *     solver_search.c     finds every smallest set
 *
 * The steps call solver.c and outpredict.c (which refutes readings that only leave bits undefined), never
 * each other.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_SOLVER_H
#define MISPRINT_ORACLE_ATTRIBUTION_SOLVER_H

#include "oracle/attribution/attribute.h"

enum {
    REFUTED_MAX = 64,
    CORE_MAX = 64,
    NEEDED_RATIO = 8, /* for each case against a change, at least so many cases must need the change */
};

/* One item of the evidence. "The set" below is the consistent set of changes built so far. */
struct item {
    uint64_t touched[TOUCHED_WORDS]; /* clauses that its run touches under the set */
    uint64_t distance;               /* bits that differ under the set; 0: it agrees */
    bool differed;                   /* it differs under the base profile */
    bool aside;                      /* unexplained, so the exact search ignores it */
    bool unknown;      /* unexplained, and no single further reading explains or masks it (confidence.c) */
    unsigned stuck_at; /* the version of the set that failed to explain it */
};

/* The last run of an item while a change was weighed. */
struct weighed_run {
    uint64_t touched[TOUCHED_WORDS];
    uint64_t distance;
    unsigned weighing;
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
    struct weighed_run *weighed; /* one for each item */
    unsigned weighings;
    unsigned *order; /* items that may differ, simplest first */
    unsigned count, ordered;
    unsigned version; /* how often the set has changed */
    struct profile base, now;
    uint64_t start; /* the executor's count of runs at the start */
    struct attribution *out;
    unsigned core[CORE_MAX], cores; /* items that refuted the last sets; tried first on the next set */
    struct cause refuted[REFUTED_MAX];
    unsigned refuted_count;
    uint8_t judged[CLAUSES_MAX]; /* readings that solver_outpredicts has judged, a bit each */
};

/* --- solver.c */

/* Is the budget of model runs used up? If so, marks the result as cut. */
bool solver_spent(struct solver *s);
/* Decodes item i into `tc` and `board`. False if it was lost. */
bool solver_load(struct solver *s, unsigned i);
/* The number of bits of item i that the model gets wrong under a profile; undefined bits are not wrong. Also
 * returns what the run touched (NULL: not wanted). 0 for an item that was lost. */
uint64_t solver_distance(struct solver *s, unsigned i, const struct profile *p,
                         uint64_t touched[TOUCHED_WORDS]);
/* What differs in item i, as a bit set. Bit r: region r. Bit REGIONS_MAX + e: the board ended as `e`, and the
 * model did not. 0: nothing differs. */
uint32_t solver_symptom(struct solver *s, unsigned i, const struct profile *p, struct differences *d);
/* Explains item i on top of a profile (explainer_run). There is no candidate if the item was lost. */
void solver_explain(struct solver *s, unsigned i, const struct profile *p, unsigned most, uint64_t budget,
                    struct explanation *out);
/* Adds a cause to the set. Reuses the runs that `weighing` made under it, if no later weighing overwrote
 * them. */
void solver_accept(struct solver *s, const struct cause *c, unsigned weighing);
bool solver_leaves_any(const struct solver *s); /* does the set leave items unexplained? */

/*
 * Counts item i. An uncounted item (evidence.h) is another form of a case that may no longer be in the
 * evidence. If there are only uncounted items, they count as one case.
 */
struct item_count {
    uint64_t cases;
    bool any;
};
void solver_count(const struct solver *s, unsigned i, struct item_count *n);
static inline uint64_t item_count_cases(const struct item_count *n)
{
    return n->any && !n->cases ? 1 : n->cases;
}

/* --- outpredict.c */

/* Is this candidate, which only leaves bits undefined, outpredicted? It is if it contains a reading such that
 * the set without the reading predicted, in PREDICTIONS_MIN agreeing cases, words that the reading leaves
 * undefined. Notes such readings in out->outpredicted. */
bool solver_outpredicts(struct solver *s, const struct cause *c);

/* --- the steps */

/* Builds the set in `now`, starting with all items that differ, in `order`. */
void solver_build(struct solver *s);
/* Lists the doubtful changes of the set, each as a change back to the base profile. Returns their number. */
unsigned solver_low_confidence(struct solver *s, struct cause back[CLAUSES_MAX]);
/* Lists the changes of the set in `out`, each with the changes that could replace it. */
void solver_list_changes(struct solver *s);
/* Lists in `out` every smallest set of up to `most` changes that reproduces all items not set aside. Stops
 * after `budget` model runs. */
void solver_search(struct solver *s, unsigned most, uint64_t budget);

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

static inline unsigned clauses_touched(const struct item *item)
{
    unsigned n = 0;
    for (unsigned i = 0; i < TOUCHED_WORDS; i++)
        n += (unsigned)__builtin_popcountll(item->touched[i]);
    return n;
}

static inline struct cause single_change(unsigned clause, unsigned reading)
{
    return (struct cause){.count = 1, .change = {{(uint16_t)clause, (uint8_t)reading}}};
}

#endif
