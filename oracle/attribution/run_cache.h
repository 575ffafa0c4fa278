/* SPDX-License-Identifier: MIT */
/*
 * A cache of model runs of the evidence. Attribution asks some hundred times for each item how far the model
 * is from the board under a profile, and the next attribution asks mostly the same. A clause that a run did
 * not consult cannot change it (model/core/clause.h), so the key is the item and the readings of the clauses
 * that were consulted.
 *
 * A caller counts a cached run as made, so that budgets, and with them all results, are the same without the
 * cache.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H
#define MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H

#include "model/core/clause.h"

enum { TOUCHED_WORDS = (CLAUSES_MAX + 63) / 64 };

struct cached_run {
    uint64_t distance; /* wrong bits under the defined mask; 0: none; DISTANCE_ENDS: it ends differently */
    unsigned runs;     /* model runs that it took: 2 where the plain run's bits were wrong */
    uint64_t touched[TOUCHED_WORDS];
};

/* The clauses that a run consulted, as a bit set. */
void touched_by(const struct coverage *c, unsigned clauses, uint64_t touched[TOUCHED_WORDS]);

/* One cache belongs to one evidence set and one executor. It may forget. */
struct run_cache;
struct run_cache *run_cache_new(void);
void run_cache_free(struct run_cache *r);
/* `item`: evidence_set_id. */
bool run_cache_find(const struct run_cache *r, uint64_t item, const struct profile *p,
                    struct cached_run *run);
void run_cache_put(struct run_cache *r, uint64_t item, const struct profile *p, const struct cached_run *run);

#endif
