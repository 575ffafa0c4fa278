/* SPDX-License-Identifier: MIT */
/*
 * Attribution of one case: which smallest sets of reading changes make the
 * model reproduce what the board did. Exact: every set up to the asked size
 * among the clauses that the case touches is tried, smallest first (a change
 * may make further clauses touched; those count too).
 *
 * Sets are compared under the defined mask of the changed model's own checked
 * run. Because a smaller set that explains ends the search, every change of an
 * explanation is needed.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H
#define MISPRINT_ORACLE_ATTRIBUTION_EXPLAIN_H

#include "oracle/attribution/run_cache.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

enum { CHANGES_MAX = 4, CHANGES_USUAL = 3 /* where nobody says how many */, CANDIDATES_MAX = 16 };

/* A set of reading changes against a base profile, ordered by clause index. */
struct cause {
    uint8_t count; /* 0: nothing explains it */
    bool masks;    /* of a rival: it does not reproduce the differing bits, it leaves them undefined; no part
                        of what the cause is */
    struct {
        uint16_t clause;
        uint8_t reading;
    } change[CHANGES_MAX];
};

struct explanation {
    unsigned candidates;                    /* how many smallest sets were found; 0: unexplained */
    struct cause candidate[CANDIDATES_MAX]; /* all of the same size; the best known first (candidate_order) */
    bool more_candidates;                   /* there were more than CANDIDATES_MAX */
    bool masked; /* all rivals only excuse: no set of this size reproduces the differing bits. If some do, it
                     is a question that this case cannot answer */
    bool unspecified;      /* unexplained, and the model stopped where no document says what happens
                              (unit->unspecified) */
    bool cut;              /* the search was stopped (budget); the answer may be incomplete */
    uint64_t runs;         /* model runs it took */
    struct cause nearest;  /* unexplained: the set that leaves the fewest differing bits; empty: no change
                              brings it nearer */
    uint64_t nearest_bits; /* how many; DISTANCE_ENDS: they end differently */
};

bool cause_equal(const struct cause *a, const struct cause *b);
int cause_order(const struct cause *a,
                const struct cause *b); /* by size, then clause and reading index: <0, 0, >0 */
/* Rivals as they are listed: the best known readings first, what reproduces the bits before what excuses
 * them, then as cause_order. */
int candidate_order(const struct unit *u, const struct cause *a, const struct cause *b);
bool cause_within(const struct cause *part,
                  const struct cause *whole); /* is each change of `part` in `whole`? */
/* Adds a change in its place; false if there is no room or the clause is already in it. */
bool cause_add(struct cause *c, unsigned clause, unsigned reading);
void cause_apply(const struct cause *c, struct profile *p);
/* "clause=reading,clause=reading" */
void cause_print(const struct unit *u, const struct cause *c, struct text *t);
bool cause_parse(const struct unit *u, const char *text, struct cause *c, struct error *e);

/* How the model under a profile stands to what a board did, under the model's defined mask. */
enum match {
    MATCH_EQUAL,
    MATCH_DIFFERENT,
    MATCH_UNDEFINED, /* the specification does not say: no bit was left to compare, or the way the case goes
                         depends on an undefined bit */
};
/* Makes a checked run into `out` and compares. `t` and `d` may be NULL; a way that depends on undefined bits
 * counts as vacuous in `t`. */
enum match model_match(struct executor *x, const struct test_case *c, const struct profile *p,
                       const struct outcome *board, struct outcome *out, struct tally *t,
                       struct differences *d);

/* Scratch memory of searches; makes no allocation per case once warm. The executor must outlive it. */
struct explainer;
struct explainer *explainer_new(struct executor *x);
void explainer_free(struct explainer *s);

/*
 * Explains one case that differs from `base`. `most` changes at the most (up to
 * CHANGES_MAX); `budget` model runs at the most, 0: no limit. If the case does
 * not differ, there are no rivals and nearest_bits is 0.
 */
void explainer_run(struct explainer *s, const struct test_case *c, const struct profile *base,
                   const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

/*
 * What explainer_run did not explain may take more changes than it tried: tries sets of up to CHANGES_MAX; if
 * those are too many, what its search came to and up to two changes beyond the set that came nearest. Then
 * not all sets were tried, and what it finds is said to have further rivals (more_candidates). Does nothing
 * where there are rivals.
 */
void explainer_deepen(struct explainer *s, const struct test_case *c, const struct profile *base,
                      const struct outcome *board, struct explanation *out);

/* Causes known to be wrong: from now on no set that contains one of them explains anything. The list must
 * outlive its use; 0: none. */
void explainer_refute(struct explainer *s, const struct cause *refuted, unsigned count);

/* The cases from now on are this witness, some of whose runs are known; NULL: they are of no evidence. */
void explainer_run_cache(struct explainer *s, struct run_cache *r, uint64_t witness);

/* The same for a single case. */
void explain_case(struct executor *x, const struct test_case *c, const struct profile *base,
                  const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out);

#endif
