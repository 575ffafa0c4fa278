/* SPDX-License-Identifier: MIT */
/*
 * Attribution over all evidence: given a board and the cases that were run on
 * it, the agreeing ones too, which smallest sets of reading changes make the
 * model reproduce all of it?
 *
 * First one consistent set is built: the differing cases, simplest first, are
 * explained one by one on top of what is known by then (explain.h), and of each
 * case's rivals the one is taken that brings the model nearer to the board over
 * all evidence that touches it, if it brings it nearer at all. What is needless
 * in the end goes. Cases that nothing so found explains are set aside as
 * unexplained, and so are those of changes that could as well be part of what
 * makes these (confidence.c; docs/verdicts.md has the rules). Then, over the rest:
 * - If the set has at most CHANGES_MAX changes, every set of that size or
 *   smaller is searched, exactly: whatever reproduces a differing case must
 *   change a clause that the case's run touched, so the search branches over the
 *   clauses of one differing case, and where one change is left over those that
 *   all differing cases have in common.
 * - If it has more, each change is exchanged for every other single change; what
 *   reproduces everything just as well is its rival.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H
#define MISPRINT_ORACLE_ATTRIBUTION_ATTRIBUTE_H

#include "oracle/attribution/evidence.h"
#include "oracle/attribution/explain.h"

enum {
    EXCHANGES_MAX = 6,
    PREDICTIONS_LEAST = 16, /* cases whose bits one reading must have predicted before another is no rival for
                               leaving them undefined */
};

/* One change of the consistent set, and what could stand in its place as far as the evidence goes. */
struct attributed_change {
    uint16_t clause;
    uint8_t reading;
    uint8_t candidates;
    bool more_candidates;
    uint64_t needed_by; /* cases that would differ without it */
    struct {
        uint16_t clause;
        uint8_t reading;
        bool excuses; /* it only leaves undefined what the change foretells */
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
    uint64_t cases, different;  /* that ran and were looked at; differing under the base profile */
    uint64_t unexplained;       /* set aside: none of the known readings explains them along with the rest */
    unsigned first_unexplained; /* the smallest of these, by its number in the evidence */
    bool cut; /* a search was stopped (budget): there may be smaller sets, or further ones */
    uint64_t runs;
};

struct attribution_limits {
    unsigned most;    /* changes to explain one case by */
    uint64_t budget;  /* model runs; 0: no limit */
    unsigned sampled; /* weigh a change by at most so many cases of each kind; 0: by all */
    /* What runs of this evidence came to in earlier attributions; NULL: nothing is known. It changes how long
     * this takes, and no more. */
    struct run_cache *run_cache;
};

/* `x` runs the model; its bases are those of the evidence. */
void attribute(struct executor *x, const struct witnesses *v, const struct profile *base,
               const struct attribution_limits *limits, struct attribution *out);

/* May a rival explanation of one case hold, for all that the evidence says? It does if each of its changes is
 * in the set, or a change's rival. */
bool attribution_allows(const struct attribution *a, const struct cause *c);

#endif
