/* SPDX-License-Identifier: MIT */
/*
 * A cache of model runs on evidence items. For each item, an attribution computes some hundred times in how
 * many bits the model under some profile differs from the board. The next attribution mostly repeats these
 * runs. A clause that a run did not consult cannot change the run's outcome (model/core/clause.h). So the key
 * is the item and the readings of the consulted clauses.
 *
 * A caller counts a cached run like a real one, so that budgets, and thereby all results, do not depend on
 * the cache.
 */
#ifndef MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H
#define MISPRINT_ORACLE_ATTRIBUTION_RUN_CACHE_H

#include "model/core/clause.h"

enum { TOUCHED_WORDS = (CLAUSES_MAX + 63) / 64 };

struct cached_run {
    uint64_t distance; /* differing bits under the defined mask; DISTANCE_ENDS: it ends differently */
    unsigned runs;     /* model runs for this result: 2 if the plain run's bits differed, else 1 */
    uint64_t touched[TOUCHED_WORDS];
};

/* The clauses that a run consulted, as a bit set. */
void touched_by(const struct coverage *c, unsigned clauses, uint64_t touched[TOUCHED_WORDS]);

/* One cache belongs to one evidence set and one executor. It may lose entries. */
struct run_cache;
struct run_cache *run_cache_new(void);
void run_cache_free(struct run_cache *r);
/* `item`: evidence_set_id. */
bool run_cache_find(const struct run_cache *r, uint64_t item, const struct profile *p,
                    struct cached_run *run);
void run_cache_put(struct run_cache *r, uint64_t item, const struct profile *p, const struct cached_run *run);

#endif
