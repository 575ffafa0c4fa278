/* SPDX-License-Identifier: MIT */
/*
 * What runs of the evidence came to, so that none is made twice: attribution asks of each witness some
 * hundred times how far the model is from the board under a profile, from one attribution to the next mostly
 * the same. A clause that a run did not consult cannot change it (model/core/clause.h), so a run is known by
 * its witness and the readings of what it consulted.
 *
 * Whoever finds a run here counts it as made: budgets, and with them all that is found, are the same with and
 * without.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H
#define MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H

#include "model/core/clause.h"

enum { TOUCHED_WORDS = (CLAUSES_MAX + 63) / 64 };

/* How a witness came out under a profile. */
struct cached_run {
    uint64_t
        distance;  /* bits that are wrong under the defined mask (DISTANCE_ENDS: how it ends is); 0: none */
    unsigned runs; /* that it took to tell: 2 where the bits of the plain run are others */
    uint64_t touched[TOUCHED_WORDS];
};

/* The clauses that a run consulted. */
void touched_by(const struct coverage *c, unsigned clauses, uint64_t touched[TOUCHED_WORDS]);

/* Of one body of evidence, and one executor. It may forget. */
struct run_cache;
struct run_cache *run_cache_new(unsigned clauses);
void run_cache_free(struct run_cache *r);
/* `witness` is the number by evidence_set_id. */
bool run_cache_find(const struct run_cache *r, uint64_t witness, const struct profile *p,
                    struct cached_run *run);
void run_cache_put(struct run_cache *r, uint64_t witness, const struct profile *p,
                   const struct cached_run *run);

#endif
