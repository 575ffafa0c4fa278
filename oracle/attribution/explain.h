/* SPDX-License-Identifier: MIT */
/*
 * Attribution of one case: finds the smallest sets of reading changes under which the model reproduces the
 * board. The search is exact. It tries every set up to the given size among the clauses that the case
 * touches, smallest sets first. A change may make the case touch further clauses; these are included.
 *
 * Outcomes are compared under the defined mask of the changed model's own checked run. The search ends with
 * the first size that explains the case, so every change of an explanation is needed.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H
#define MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H

#include "oracle/attribution/run_cache.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

enum { CHANGES_MAX = 4, CHANGES_USUAL = 3 /* by default */, CANDIDATES_MAX = 16 };

/* A set of reading changes to a base profile, sorted by clause index. */
struct cause {
    uint8_t count; /* 0: nothing explains the case */
    bool masks;    /* of a candidate: it leaves the differing bits undefined; cause_equal ignores this */
    struct {
        uint16_t clause;
        uint8_t reading;
    } change[CHANGES_MAX];
};

struct explanation {
    unsigned candidates;                    /* number of smallest sets found; 0: unexplained */
    struct cause candidate[CANDIDATES_MAX]; /* all of the same size, sorted by candidate_order */
    bool more_candidates;                   /* there are more than CANDIDATES_MAX */
    bool masked;                            /* all candidates only leave the differing bits undefined */
    bool unspecified;     /* unexplained, and the model stopped where no document says what happens
                             (unit->unspecified) */
    bool cut;             /* the budget ended the search early, so it may have missed something */
    uint64_t runs;        /* model runs of the search */
    struct cause nearest; /* unexplained: the set with the fewest differing bits; empty: no set has fewer than
                             the base profile */
    uint64_t nearest_bits; /* number of these bits; DISTANCE_ENDS: the case ends differently */
};

bool cause_equal(const struct cause *a, const struct cause *b);
/* Compares by size, then by clause and reading index: <0, 0, >0. */
int cause_order(const struct cause *a, const struct cause *b);
/* The order of candidates: first those whose weakest evidence is strongest, then those that reproduce bits
 * before those that mask them, then cause_order. */
int candidate_order(const struct unit *u, const struct cause *a, const struct cause *b);
/* Is each change of `part` also in `whole`? */
bool cause_within(const struct cause *part, const struct cause *whole);
/* Inserts a change in order. False if there is no room, or the cause changes this clause already. */
bool cause_add(struct cause *c, unsigned clause, unsigned reading);
void cause_apply(const struct cause *c, struct profile *p);
/* "clause=reading,clause=reading" */
void cause_print(const struct unit *u, const struct cause *c, struct text *t);
bool cause_parse(const struct unit *u, const char *text, struct cause *c, struct error *e);

/* Does the model under a profile reproduce what the board did, under the model's defined mask? */
enum match {
    MATCH_EQUAL,
    MATCH_DIFFERENT,
    MATCH_UNDEFINED, /* nothing could be compared: no bit was left, or the outcome depends on an undefined bit
                      */
};
/* Runs the case in checked mode into `out`, and compares. `t` and `d` may be NULL. MATCH_UNDEFINED counts as
 * vacuous in `t`. */
enum match model_match(struct executor *x, const struct test_case *c, const struct profile *p,
                       const struct outcome *board, struct outcome *out, struct tally *t,
                       struct differences *d);

/* Does the model under `base` with this cause do what the board did, and does it need each of the changes for
 * that? `out` is scratch. */
bool cause_explains(struct executor *x, const struct test_case *c, const struct profile *base,
                    const struct cause *cause, const struct outcome *board, struct outcome *out);

/* Buffers of searches, reused for each case. The executor must outlive it. */
struct explainer;
struct explainer *explainer_new(struct executor *x);
void explainer_free(struct explainer *s);

/* Explains one case that differs under `base`, with at most `most` changes (up to CHANGES_MAX) and `budget`
 * model runs (0: no limit). If the case does not differ, there are no candidates and nearest_bits is 0. */
void explainer_run(struct explainer *s, const struct test_case *c, const struct profile *base,
                   const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

/*
 * Searches further if explainer_run found no candidate; otherwise does nothing. It tries sets of up to
 * CHANGES_MAX changes. If there are too many of those, it adds up to two changes to the nearest set. Then not
 * all sets were tried, so more_candidates is true.
 */
void explainer_deepen(struct explainer *s, const struct test_case *c, const struct profile *base,
                      const struct outcome *board, struct explanation *out);

/* Excludes causes that are known to be wrong: no set that contains one of them counts as an explanation.
 * Keeps the pointer; count 0: none. */
void explainer_refute(struct explainer *s, const struct cause *refuted, unsigned count);

/* Says that the next cases are this item of the evidence (evidence_set_id), so that their runs may be cached.
 * NULL: they are not in the evidence. */
void explainer_use_run_cache(struct explainer *s, struct run_cache *r, uint64_t item);

/* The same as explainer_run, with a temporary explainer. */
void explain_case(struct executor *x, const struct test_case *c, const struct profile *base,
                  const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

#endif
