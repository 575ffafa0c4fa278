/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/solver.h"

#include <string.h>

bool solver_spent(struct solver *s)
{
    if (s->limits->budget && s->x->runs - s->start >= s->limits->budget)
        s->out->cut = true;
    return s->out->cut;
}

bool solver_load(struct solver *s, unsigned i)
{
    if (s->loaded != i)
        s->loaded = evidence_set_load(s->v, i, s->tc, s->board) ? i : UINT32_MAX;
    return s->loaded == i;
}

static void measure_checked(struct solver *s, const struct profile *p, struct cached_run *run)
{
    run->runs = 2;
    if (model_match(s->x, s->tc, p, s->board, s->model, NULL, NULL) == MATCH_DIFFERENT)
        run->distance = outcomes_distance(s->model, s->board, UINT64_MAX);
    touched_by(&s->x->last, unit_clauses(s->x->unit), run->touched);
}

/*
 * Runs item i. Returns false if the item was lost. An item that differed under the current set usually still
 * differs. So the checked run of such an item comes first, and usually makes the plain run unnecessary.
 */
static bool measure(struct solver *s, unsigned i, const struct profile *p, struct cached_run *run)
{
    uint64_t before = s->x->runs, plain[TOUCHED_WORDS];
    if (!solver_load(s, i))
        return false;
    *run = (struct cached_run){0};
    if (s->item[i].distance)
        measure_checked(s, p, run);
    if (!run->distance) {
        bool checked = run->runs;
        executor_run(s->x, s->tc, p, RUN_PLAIN, s->model);
        touched_by(&s->x->last, unit_clauses(s->x->unit), plain);
        if (outcomes_equal(s->model, s->board, NULL, NULL)) {
            run->runs = 1;
            memcpy(run->touched, plain, sizeof plain);
        } else if (!checked) {
            measure_checked(s, p, run);
        }
    }
    if (run->distance || !memcmp(plain, run->touched, sizeof plain))
        run_cache_put(s->run_cache, evidence_set_id(s->v, i), p, run);
    s->x->runs = before + run->runs; /* count as if the plain run always came first */
    return true;
}

uint64_t solver_distance(struct solver *s, unsigned i, const struct profile *p,
                         uint64_t touched[TOUCHED_WORDS])
{
    struct cached_run run;
    if (run_cache_find(s->run_cache, evidence_set_id(s->v, i), p, &run))
        s->x->runs += run.runs;
    else if (!measure(s, i, p, &run))
        return 0;
    if (touched)
        memcpy(touched, run.touched, sizeof run.touched);
    return run.distance;
}

uint32_t solver_symptom(struct solver *s, unsigned i, const struct profile *p, struct differences *d)
{
    uint32_t symptom = 0;
    struct cached_run run;
    if (run_cache_find(s->run_cache, evidence_set_id(s->v, i), p, &run) && !run.distance) {
        s->x->runs++;
        return 0;
    }
    if (!solver_load(s, i) || model_match(s->x, s->tc, p, s->board, s->model, NULL, d) != MATCH_DIFFERENT)
        return 0;
    if (d->end_differs)
        return UINT32_C(1) << (REGIONS_MAX + s->board->end);
    const struct layout *l = &s->x->unit->layout;
    for (uint32_t k = 0; k < d->listed; k++)
        symptom |= UINT32_C(1) << (layout_region(l, d->word[k].row) - l->regions);
    return symptom;
}

void solver_explain(struct solver *s, unsigned i, const struct profile *p, unsigned most, uint64_t budget,
                    struct explanation *out)
{
    *out = (struct explanation){0};
    if (!solver_load(s, i))
        return;
    explainer_use_run_cache(s->explainer, s->run_cache, evidence_set_id(s->v, i));
    explainer_run(s->explainer, s->tc, p, s->board, most, budget, out);
}

void solver_accept(struct solver *s, const struct cause *c, unsigned weighing)
{
    cause_apply(c, &s->now);
    s->version++;
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        if (!touches(item, c))
            continue;
        if (s->weighed[i].weighing == weighing) {
            item->distance = s->weighed[i].distance;
            memcpy(item->touched, s->weighed[i].touched, sizeof item->touched);
        } else {
            item->distance = solver_distance(s, i, &s->now, item->touched);
        }
    }
}

void solver_count(const struct solver *s, unsigned i, struct item_count *n)
{
    n->cases += !evidence_set_is_uncounted(s->v, i);
    n->any = true;
}

bool solver_leaves_any(const struct solver *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance)
            return true;
    return false;
}
