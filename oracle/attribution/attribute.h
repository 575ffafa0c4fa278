/* SPDX-License-Identifier: MIT */
/*
 * Attribution over all evidence: finds the smallest sets of reading changes under which the model reproduces
 * everything that a board did, agreeing cases included.
 *
 * 1. Build one consistent set. Explain the differing cases, simplest first, one by one on top of the set so
 * far (explain.h). Of a case's candidates, add to the set the one that brings the model nearest to the board
 * over all evidence that touches the candidate's clauses. If no candidate brings the model nearer, add none.
 * Remove changes that are no longer needed.
 *
 * 2. Set aside the cases that no change explains. A reading that only leaves the differing bits of a case
 * undefined does not explain the case if the set predicted such bits in other cases (outpredict.c), or if
 * many cases have an unknown cause. Remove the changes that may be part of an unknown cause (confidence.c;
 * docs/verdicts.md has the rules).
 *
 * 3. For each change of the set, list its candidates: the single changes that reproduce the rest just as
 * well.
 *
 * 4. If the set has at most CHANGES_MAX changes, find every set of that size or smaller (solver_search.c).
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H
#define MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H

#include "oracle/attribution/evidence.h"
#include "oracle/attribution/explain.h"

enum {
    EXCHANGES_MAX = 6,
    PREDICTIONS_MIN =
        16, /* A reading that predicted the bits of this many cases beats one that leaves them undefined. */
};
_Static_assert(READINGS_MAX <= 8, "struct attribution has a byte for the readings of a clause");

/* One change of the consistent set, and the changes that could replace it. */
struct attributed_change {
    uint16_t clause;
    uint8_t reading;
    uint8_t candidates;
    bool more_candidates;
    uint64_t needed_by; /* cases that differ without this change */
    uint64_t masked;    /* of these, cases whose differing bits the change leaves undefined */
    struct {
        uint16_t clause;
        uint8_t reading;
        bool masks; /* it leaves undefined what this change predicts */
    } candidate[EXCHANGES_MAX];
};

struct attribution {
    struct profile profile; /* the base with all changes; reproduces all evidence except the unexplained */
    unsigned changes;
    struct attributed_change change[CLAUSES_MAX]; /* sorted by clause */
    bool exact; /* `set` has every smallest set, and no smaller set reproduces the evidence */
    unsigned sets;
    struct cause set[CANDIDATES_MAX]; /* each of at most CHANGES_MAX changes */
    bool more_sets;
    uint64_t cases, different; /* number of cases in the evidence, and of those that differ under the base */
    uint64_t unexplained;      /* cases that no set explains together with the others */
    uint64_t masked; /* of the other differing cases, those whose differing bits `profile` leaves undefined */
    /* For each clause, a bit for each outpredicted reading. Such a reading leaves the unexplained bits
     * undefined, but does not explain them: in PREDICTIONS_MIN cases, the model without the reading predicted
     * bits that the reading leaves undefined. */
    uint8_t outpredicted[CLAUSES_MAX];
    bool many_unknown; /* the cases with an unknown cause are more than an eighth of the explained ones */
    bool cut;          /* the budget ended a search early, so there may be smaller or further sets */
    uint64_t runs;
};

struct attribution_limits {
    unsigned most;    /* most changes for explaining one case */
    uint64_t budget;  /* limit of model runs; 0: none */
    unsigned sampled; /* weigh a change by at most this many cases of each kind; 0: by all */
    struct run_cache
        *run_cache; /* cache from earlier attributions of this evidence, or NULL; only saves time */
};

/* Attributes all evidence. `x` must use the bus addresses of the evidence's board (executor_place). */
void attribute(struct executor *x, const struct evidence_set *v, const struct profile *base,
               const struct attribution_limits *limits, struct attribution *out);

/* Is this explanation of a case consistent with all evidence? It is if each of its changes is in the set or
 * is a candidate for a change of the set. */
bool attribution_allows(const struct attribution *a, const struct cause *c);

/* May this cause, which only leaves the differing bits of a case undefined, explain the case? It may not if
 * it is outpredicted, or if so many other cases have an unknown cause that this case may have one too. */
bool attribution_allows_mask(const struct attribution *a, const struct cause *c);

#endif
