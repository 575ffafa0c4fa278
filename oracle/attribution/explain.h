/* SPDX-License-Identifier: MIT */
/*
 * Attribution of one case: which smallest sets of reading changes make the
 * model reproduce what the board did. Exact: it tries every set up to the given
 * size among the clauses that the case touches, smallest first (a change may
 * make further clauses touched; those count too).
 *
 * Outcomes are compared under the defined mask of the changed model's own
 * checked run. The search ends at the first size that explains the case, so
 * every change of an explanation is needed.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H
#define MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H

#include "oracle/attribution/run_cache.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

enum { CHANGES_MAX = 4, CHANGES_USUAL = 3 /* by default */, CANDIDATES_MAX = 16 };

/* A set of reading changes against a base profile, ordered by clause index. */
struct cause {
    uint8_t count; /* 0: nothing explains it */
    bool masks;    /* of a candidate: it leaves the differing bits undefined; cause_equal ignores it */
    struct {
        uint16_t clause;
        uint8_t reading;
    } change[CHANGES_MAX];
};

struct explanation {
    unsigned candidates;                    /* smallest sets found; 0: unexplained */
    struct cause candidate[CANDIDATES_MAX]; /* all of one size, in candidate_order */
    bool more_candidates;                   /* there are more than CANDIDATES_MAX */
    bool masked;                            /* all candidates mask the differing bits, none reproduces them */
    bool unspecified;      /* unexplained, and the model stopped where no document says what happens
                              (unit->unspecified) */
    bool cut;              /* the budget stopped the search, which may have missed something */
    uint64_t runs;         /* model runs it took */
    struct cause nearest;  /* unexplained: the set that leaves the fewest differing bits; empty: none comes
                              nearer  than the base profile */
    uint64_t nearest_bits; /* how many; DISTANCE_ENDS: they end differently */
};

bool cause_equal(const struct cause *a, const struct cause *b);
/* By size, then clause and reading index: <0, 0, >0. */
int cause_order(const struct cause *a, const struct cause *b);
/* The order of candidates: the best evidence for its readings first, then what reproduces the bits before
 * what masks them, then cause_order. */
int candidate_order(const struct unit *u, const struct cause *a, const struct cause *b);
/* Is each change of `part` in `whole`? */
bool cause_within(const struct cause *part, const struct cause *whole);
/* Adds a change in its place; false if there is no room or the clause is already in it. */
bool cause_add(struct cause *c, unsigned clause, unsigned reading);
void cause_apply(const struct cause *c, struct profile *p);
/* "clause=reading,clause=reading" */
void cause_print(const struct unit *u, const struct cause *c, struct text *t);
bool cause_parse(const struct unit *u, const char *text, struct cause *c, struct error *e);

/* Does the model under a profile do what a board did, under the model's defined mask? */
enum match {
    MATCH_EQUAL,
    MATCH_DIFFERENT,
    MATCH_UNDEFINED, /* nothing could be compared: no bit was left, or the outcome depends on an undefined bit
                      */
};
/* Runs the case, checked, into `out` and compares. `t` and `d` may be NULL; MATCH_UNDEFINED counts as vacuous
 * in `t`. */
enum match model_match(struct executor *x, const struct test_case *c, const struct profile *p,
                       const struct outcome *board, struct outcome *out, struct tally *t,
                       struct differences *d);

/* The memory of searches, kept from case to case. The executor must outlive it. */
struct explainer;
struct explainer *explainer_new(struct executor *x);
void explainer_free(struct explainer *s);

/* Explains one case that differs from `base`, by at most `most` changes (up to CHANGES_MAX) and `budget`
 * model runs (0: no limit). If the case does not differ, there are no candidates and nearest_bits is 0. */
void explainer_run(struct explainer *s, const struct test_case *c, const struct profile *base,
                   const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

/*
 * Searches further where explainer_run found no candidates, else does nothing. It tries sets of up to
 * CHANGES_MAX changes; if those are too many, it adds up to two changes to the set that came nearest. Then
 * not all sets were tried, so more_candidates is true.
 */
void explainer_deepen(struct explainer *s, const struct test_case *c, const struct profile *base,
                      const struct outcome *board, struct explanation *out);

/* Excludes causes known to be wrong: no set that contains one of them explains anything any more. Keeps the
 * pointer; count 0: none. */
void explainer_refute(struct explainer *s, const struct cause *refuted, unsigned count);

/* Says that the next cases are this item of the evidence (evidence_set_id), whose runs may be cached. NULL:
 * they are not of the evidence. */
void explainer_use_run_cache(struct explainer *s, struct run_cache *r, uint64_t item);

/* explainer_run with an explainer of its own. */
void explain_case(struct executor *x, const struct test_case *c, const struct profile *base,
                  const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

#endif
