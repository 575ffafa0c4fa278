/* SPDX-License-Identifier: MIT */
/*
 * Attribution over all evidence: which smallest sets of reading changes make the model reproduce all that a
 * board did, agreeing cases included?
 *
 * 1. Build one consistent set. The differing cases, simplest first, are explained one by one on top of the
 * set so far (explain.h). Of each case's candidates the set takes the one that brings the model nearest to
 * the board over all evidence that the candidate touches, if one brings it nearer. Changes that became
 * needless are removed.
 * 2. Set aside the cases that no change explains, and remove the changes that may be part of what causes them
 *    (confidence.c; docs/verdicts.md has the rules).
 * 3. For each change of the set, list the single changes that reproduce the rest just as well: its
 * candidates.
 * 4. If the set has at most CHANGES_MAX changes, find every set of that size or smaller (solver_search.c).
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H
#define MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H

#include "oracle/attribution/evidence.h"
#include "oracle/attribution/explain.h"

enum {
    EXCHANGES_MAX = 6,
    PREDICTIONS_MIN =
        16, /* A reading that predicted the bits of so many cases beats one that leaves them undefined. */
};

/* One change of the consistent set, and what could stand in for it. */
struct attributed_change {
    uint16_t clause;
    uint8_t reading;
    uint8_t candidates;
    bool more_candidates;
    uint64_t needed_by; /* cases that differ without it */
    struct {
        uint16_t clause;
        uint8_t reading;
        bool masks; /* it leaves undefined what the change predicts */
    } candidate[EXCHANGES_MAX];
};

struct attribution {
    struct profile profile; /* the base with all changes: reproduces all evidence but the unexplained */
    unsigned changes;
    struct attributed_change change[CLAUSES_MAX]; /* by clause */
    bool exact; /* `set` holds every smallest set, and no smaller one reproduces the evidence */
    unsigned sets;
    struct cause set[CANDIDATES_MAX]; /* of at most CHANGES_MAX changes */
    bool more_sets;
    uint64_t cases, different; /* in the evidence; differing under the base profile */
    uint64_t unexplained;      /* cases that no known reading explains along with the rest */
    bool cut;                  /* the budget stopped a search: there may be smaller or further sets */
    uint64_t runs;
};

struct attribution_limits {
    unsigned most;    /* changes to explain one case by */
    uint64_t budget;  /* model runs; 0: no limit */
    unsigned sampled; /* weigh a change by at most so many cases of each kind; 0: by all */
    struct run_cache
        *run_cache; /* of the evidence's earlier attributions, or NULL; saves time, changes nothing */
};

/* Attributes all evidence. `x` runs the model at the bases of the evidence's board. */
void attribute(struct executor *x, const struct evidence_set *v, const struct profile *base,
               const struct attribution_limits *limits, struct attribution *out);

/* Does the evidence allow this explanation of a case? It does if each of its changes is in the set, or is a
 * candidate for one. */
bool attribution_allows(const struct attribution *a, const struct cause *c);

#endif
