/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/solver.h"

#include <stdlib.h>

enum {
    STUCK_MAX = 200, /* after this many differing items in a row without a credible change, the build tries
                        only kept items */
    /* limit of model runs to explain a kept item; other items are explained by single changes alone */
    CASE_BUDGET = 20000,
    HARM_LOOKS = 16, /* items against a change that are examined */
    ROUNDS = 3,      /* how often the set is built; each round excludes what the last one refuted */
    /* a change is credible only if it brings more than this many items nearer to the board for each item that
     * it moves away */
    BETTER_RATIO = 2,
};

/* The effect of a change on the items that it touches. `fixed`: items that then agree with the board.
 * `better`: items that come nearer to the board, including the fixed ones. `worse`: items that move away. */
struct weight {
    uint64_t fixed, better, worse;
};

/*
 * Weighs a cause on top of the set. Items that differ come first, because only they can improve. The weighing
 * stops once `decided` says that no remaining item can change the decision. This saves time: most causes that
 * one case suggests are coincidences, and a few agreeing cases show that.
 */
static struct weight weigh(struct solver *s, const struct cause *c,
                           bool (*decided)(const struct weight *w, const struct weight *best),
                           const struct weight *best)
{
    struct weight w = {0};
    struct profile with = s->now;
    uint64_t agreeing = 0, differing = 0, seen[2] = {0, 0};
    cause_apply(c, &with);
    s->weighings++;
    for (unsigned i = 0; i < s->count; i++)
        if (touches(&s->item[i], c))
            s->item[i].distance ? differing++ : agreeing++;
    uint64_t most = s->limits->sampled ? s->limits->sampled : UINT64_MAX;
    uint64_t stride[2] = {agreeing / most + 1, differing / most + 1};
    for (unsigned differs = 2; differs-- > 0;)
        for (unsigned i = 0; i < s->count; i++) {
            const struct item *item = &s->item[i];
            if (differs != (item->distance != 0) || !touches(item, c) || seen[differs]++ % stride[differs])
                continue;
            uint64_t hope = differs ? differing - seen[differs] + stride[differs] : 0;
            if (decided(&(struct weight){w.fixed + hope, w.better + hope, w.worse}, best))
                return w;
            uint64_t distance = solver_distance(s, i, &with, s->weighed[i].touched);
            s->weighed[i].distance = distance;
            s->weighed[i].weighing = s->weighings;
            w.fixed += stride[differs] * (item->distance && !distance);
            w.better += stride[differs] * (distance < item->distance);
            w.worse += stride[differs] * (distance > item->distance);
        }
    return w;
}

static bool is_credible(const struct weight *w)
{
    return w->fixed && w->better > BETTER_RATIO * w->worse;
}

static bool is_better(const struct weight *a, const struct weight *b)
{
    int64_t x = (int64_t)a->better - (int64_t)a->worse, y = (int64_t)b->better - (int64_t)b->worse;
    return x != y ? x > y : a->fixed > b->fixed;
}

/* Is the cause not credible, or not better than the best so far? Items that move away later cannot change
 * this answer. */
static bool is_rejected(const struct weight *w, const struct weight *best)
{
    return !is_credible(w) || (best && !is_better(w, best));
}

/* Is the change needed? `w` is the weight of undoing it: the more harm the undoing does, the surer is the
 * change. If this returns true, harm_of need not run. */
static bool is_needed(const struct weight *w, const struct weight *best)
{
    (void)best;
    return w->worse > w->better && w->worse > (w->fixed ? (uint64_t)NEEDED_RATIO * HARM_LOOKS : 0);
}

/* Explains a differing item on top of the set, and adds the best credible candidate to the set. */
static bool explain_item(struct solver *s, unsigned i)
{
    struct explanation x;
    struct cause best = {0};
    struct weight most = {0};
    unsigned weighing = 0;
    bool kept = evidence_set_is_kept(s->v, i);
    solver_explain(s, i, &s->now, 1, 0, &x);
    for (unsigned size = 2; kept && !x.candidates && size <= s->limits->most && !solver_spent(s); size++)
        solver_explain(s, i, &s->now, size, CASE_BUDGET, &x);
    for (unsigned k = 0; k < x.candidates; k++) {
        if (x.candidate[k].masks)
            continue;
        struct weight w = weigh(s, &x.candidate[k], is_rejected, best.count ? &most : NULL);
        if (is_credible(&w) && (!best.count || is_better(&w, &most))) {
            best = x.candidate[k];
            most = w;
            weighing = s->weighings;
        }
    }
    if (best.count)
        solver_accept(s, &best, weighing);
    return best.count != 0;
}

static _Thread_local const struct solver *sorted; /* qsort passes no context */

/* The order in which items are tried: first the kept items, which are reduced cases; then those that touch
 * the fewest clauses; then the oldest. */
static int by_simplicity(const void *a, const void *b)
{
    unsigned i = *(const unsigned *)a, k = *(const unsigned *)b;
    int kept = (int)evidence_set_is_kept(sorted->v, k) - (int)evidence_set_is_kept(sorted->v, i);
    if (kept)
        return kept;
    unsigned x = clauses_touched(&sorted->item[i]), y = clauses_touched(&sorted->item[k]);
    return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

/* Runs all items under the base profile. Lists those that differ in `order`. */
static void run_all(struct solver *s)
{
    struct item_count all = {0}, different = {0};
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        item->distance = solver_distance(s, i, &s->now, item->touched);
        item->differed = item->distance != 0;
        item->stuck_at = UINT32_MAX;
        solver_count(s, i, &all);
        if (!item->differed)
            continue;
        s->order[s->ordered++] = i;
        solver_count(s, i, &different);
    }
    s->out->cases = item_count_cases(&all);
    s->out->different = item_count_cases(&different);
    sorted = s;
    qsort(s->order, s->ordered, sizeof *s->order, by_simplicity);
}

/* Appends the items that agreed at first and differ now to `order`. */
static void add_new_differences(struct solver *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance && !s->item[i].differed) {
            s->item[i].differed = true;
            s->order[s->ordered++] = i;
        }
}

static void explain_all(struct solver *s)
{
    for (bool progress = true; progress && !solver_spent(s);) {
        unsigned stuck = 0;
        progress = false;
        for (unsigned k = 0; k < s->ordered && !solver_spent(s); k++) {
            struct item *item = &s->item[s->order[k]];
            if (!item->distance || item->stuck_at == s->version ||
                (stuck >= STUCK_MAX && !evidence_set_is_kept(s->v, s->order[k])))
                continue;
            if (explain_item(s, s->order[k])) {
                progress = true;
                stuck = 0;
            } else {
                item->stuck_at = s->version;
                stuck++;
            }
        }
        add_new_differences(s);
    }
}

/* Excludes a change from the next round: it is wrong, because it does harm together with the others. */
static bool refute(struct solver *s, unsigned clause)
{
    if (s->refuted_count == REFUTED_MAX)
        return false;
    s->refuted[s->refuted_count++] = single_change(clause, s->now.reading[clause]);
    explainer_refute(s->explainer, s->refuted, s->refuted_count);
    s->version++;
    return true;
}

/* Is there an explanation that does not change this clause? */
static bool explained_otherwise(const struct explanation *x, unsigned clause)
{
    for (unsigned i = 0; i < x->candidates; i++) {
        bool same = false;
        for (unsigned k = 0; k < x->candidate[i].count; k++)
            same |= x->candidate[i].change[k].clause == clause;
        if (!same)
            return true;
    }
    return false;
}

/* Counts the items that would be equal without the change, and that no other single change explains. Two true
 * changes can hide each other, so an item that one more change explains is not counted. */
static uint64_t harm_of(struct solver *s, const struct cause *back)
{
    struct profile without = s->now;
    uint64_t harm = 0, looked = 0;
    cause_apply(back, &without);
    for (unsigned i = 0; i < s->count && looked < HARM_LOOKS; i++) {
        struct explanation x = {0};
        if (!s->item[i].distance || !touches(&s->item[i], back) || solver_distance(s, i, &without, NULL))
            continue;
        looked++;
        solver_explain(s, i, &s->now, 1, 0, &x); /* taking the change back is always one explanation */
        harm += !explained_otherwise(&x, back->change[0].clause);
    }
    return harm;
}

/* Removes changes that other changes have made unnecessary, and harmful changes: a true change never does
 * harm. Returns whether any change was harmful. */
static bool prune(struct solver *s)
{
    bool refuted = false;
    for (bool changed = true; changed && !solver_spent(s);) {
        changed = false;
        for (unsigned c = 0; c < unit_clauses(s->x->unit); c++) {
            struct cause back = single_change(c, s->base.reading[c]);
            if (s->now.reading[c] == s->base.reading[c])
                continue;
            struct weight w = weigh(s, &back, is_needed, NULL);
            if (is_needed(&w, NULL))
                continue;
            uint64_t harm = w.worse > w.better && w.fixed ? harm_of(s, &back) : w.fixed;
            if (w.worse > w.better && w.worse > NEEDED_RATIO * harm)
                continue;
            if (w.fixed)
                refuted |= refute(s, c);
            solver_accept(s, &back, s->weighings);
            changed = true;
        }
    }
    return refuted;
}

void solver_build(struct solver *s)
{
    run_all(s);
    for (unsigned round = 0; round < ROUNDS; round++) {
        explain_all(s);
        if (!prune(s))
            break;
    }
}
