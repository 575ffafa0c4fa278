/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/attribute.h"

#include "model/core/memory.h"
#include "oracle/attribution/solver.h"

#include <stdlib.h>
#include <string.h>

enum {
    RESCUE_BUDGET = 60000, /* limit of model runs for the exact search if cases stay unexplained */
    EXACT_BUDGET = 400000, /* limit of model runs for the exact search otherwise */
};

/* Searches for a small set that explains all cases, if the set so far leaves some unexplained. Such a set may
 * exist, because several changes may explain a case only together. */
static void rescue(struct solver *s)
{
    solver_search(s, CHANGES_MAX, RESCUE_BUDGET);
    if (!s->out->sets)
        return;
    s->now = s->base;
    cause_apply(&s->out->set[0], &s->now);
    for (unsigned i = 0; i < s->count; i++)
        s->item[i].distance = solver_distance(s, i, &s->now, s->item[i].touched);
}

/* Removes the doubtful changes (confidence.c). Judges all changes before it removes one, because the cases
 * that the removal leaves unexplained say nothing about the other changes. */
static void remove_doubtful(struct solver *s)
{
    struct cause back[CLAUSES_MAX];
    unsigned count = solver_low_confidence(s, back);
    for (unsigned i = 0; i < count; i++) {
        s->weighings++;
        solver_accept(s, &back[i], s->weighings);
    }
}

/* Finds all smallest sets, if they are small enough for an exact search. */
static void find_sets(struct solver *s)
{
    if (solver_leaves_any(s))
        rescue(s);
    remove_doubtful(s);
    solver_list_changes(s);
    if (s->out->sets || !s->out->changes || s->out->changes > CHANGES_MAX || solver_spent(s))
        return;
    for (unsigned i = 0; i < s->count; i++)
        s->item[i].aside = s->item[i].distance != 0;
    solver_search(s, s->out->changes, EXACT_BUDGET);
}

static void count_unexplained(struct solver *s)
{
    struct item_count count = {0};
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance)
            solver_count(s, i, &count);
    s->out->unexplained = item_count_cases(&count);
}

/* Counts the items that differ under the base and agree under the set only because their differing bits are
 * undefined there. */
static void count_masked(struct solver *s)
{
    struct item_count count = {0};
    struct differences d;
    for (unsigned i = 0; i < s->count; i++) {
        if (!s->item[i].differed || s->item[i].distance || !solver_symptom(s, i, &s->base, &d))
            continue;
        if (model_match(s->x, s->tc, &s->now, s->board, s->model, NULL, NULL) == MATCH_UNDEFINED ||
            differences_decided(&d, s->model) == DECIDED_NONE)
            solver_count(s, i, &count);
    }
    s->out->masked = item_count_cases(&count);
}

static void solver_open(struct solver *s)
{
    s->explainer = explainer_new(s->x);
    s->run_cache = s->limits->run_cache ? s->limits->run_cache : run_cache_new();
    s->model = outcome_new(s->x->unit);
    s->board = outcome_new(s->x->unit);
    s->tc = memory_new(1, sizeof *s->tc);
    s->item = memory_new(s->count + 1U, sizeof *s->item);
    s->weighed = memory_new(s->count + 1U, sizeof *s->weighed);
    s->order = memory_new(s->count + 1U, sizeof *s->order);
}

static void solver_close(struct solver *s)
{
    explainer_free(s->explainer);
    if (s->run_cache != s->limits->run_cache)
        run_cache_free(s->run_cache);
    outcome_free(s->model);
    outcome_free(s->board);
    free(s->tc);
    free(s->item);
    free(s->weighed);
    free(s->order);
}

void attribute(struct executor *x, const struct evidence_set *v, const struct profile *base,
               const struct attribution_limits *limits, struct attribution *out)
{
    struct solver s = {.x = x,
                       .v = v,
                       .limits = limits,
                       .loaded = UINT32_MAX,
                       .count = evidence_set_count(v),
                       .base = *base,
                       .now = *base,
                       .start = x->runs,
                       .out = out};
    memset(out, 0, sizeof *out);
    out->profile = *base;
    solver_open(&s);
    solver_build(&s);
    find_sets(&s);
    count_unexplained(&s);
    count_masked(&s);
    out->runs = x->runs - s.start;
    solver_close(&s);
}

static bool allows(const struct attribution *a, unsigned clause, unsigned reading)
{
    if (a->profile.reading[clause] == reading)
        return true;
    for (unsigned i = 0; i < a->changes; i++)
        for (unsigned k = 0; k < a->change[i].candidates; k++)
            if (a->change[i].candidate[k].clause == clause && a->change[i].candidate[k].reading == reading)
                return true;
    return false;
}

bool attribution_allows(const struct attribution *a, const struct cause *c)
{
    for (unsigned i = 0; i < a->sets; i++)
        if (cause_within(c, &a->set[i]))
            return true;
    for (unsigned i = 0; i < c->count; i++)
        if (!allows(a, c->change[i].clause, c->change[i].reading))
            return false;
    return true;
}

bool attribution_allows_mask(const struct attribution *a, const struct cause *c)
{
    bool allowed = !a->many_unknown;
    for (unsigned i = 0; i < c->count; i++)
        allowed &= !(a->outpredicted[c->change[i].clause] >> c->change[i].reading & 1);
    return allowed;
}
