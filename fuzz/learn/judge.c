/* SPDX-License-Identifier: MIT */
/* Judges a change: counts the near cases that it explains, and those that it spoils. */
#include "fuzz/learn/study.h"
#include "model/core/memory.h"

#include <stdlib.h>

enum { LOOK_AT = 12, GUARDED_VISITS_MAX = 256 };

bool judge_agrees(const struct outcome *model, const struct outcome *board)
{
    return model->end != END_UNDEFINED && outcomes_equal(model, board, NULL, NULL);
}

/* Sets `p` to the profile so far with one more change. Returns false if the profile has no room for it. */
static bool changed_profile(const struct study *s, const struct learn_change *c, struct profile *p)
{
    *p = s->l->r->profile;
    return learn_apply(c, p);
}

bool judge_reproduces(struct study *s, const struct near_case *k, const struct learn_change *c)
{
    struct learner *l = s->l;
    struct profile p;
    if (!changed_profile(s, c, &p))
        return false;
    executor_run(l->x, k->tc, &p, RUN_CHECKED, l->model);
    if (!judge_agrees(l->model, k->board))
        return false;
    if (k->agrees)
        return true;
    return k->difference.end_differs ? l->model->end == k->board->end
                                     : differences_decided(&k->difference, l->model) == DECIDED_ALL;
}

bool judge_fits(struct study *s, const struct learn_change *c)
{
    return judge_reproduces(s, &s->near[0], c);
}

bool judge_matters(const struct near_case *k, const struct learn_change *c)
{
    return c->is_rule ? visits_changed(k->visits, &c->rule) : covered(&k->covered, c->clause);
}

static bool same_change(const struct learn_change *a, const struct learn_change *b)
{
    if (a->is_rule != b->is_rule)
        return false;
    if (!a->is_rule)
        return a->clause == b->clause && a->reading == b->reading;
    return a->rule.point == b->rule.point && expression_equal(&a->rule.guard, &b->rule.guard) &&
           expression_equal(&a->rule.result, &b->rule.result);
}

/* Adds a candidate to a list. In a full list, the candidate replaces the worst entry if it is better: it
 * explains more, or as much with a smaller size. */
static void put(struct candidate *list, uint32_t *count, uint32_t most, const struct candidate *c)
{
    struct candidate *worst = NULL;
    for (uint32_t i = 0; i < *count; i++) {
        if (same_change(&list[i].change, &c->change))
            return;
        if (!worst || list[i].explained < worst->explained ||
            (list[i].explained == worst->explained && list[i].size > worst->size))
            worst = &list[i];
    }
    if (*count < most)
        list[(*count)++] = *c;
    else if (worst &&
             (c->explained > worst->explained || (c->explained == worst->explained && c->size < worst->size)))
        *worst = *c;
}

/* Adds a rule to s->broken. Keeps only the best few rules of each point, so that rules of other points have
 * room. */
static void put_broken(struct study *s, const struct candidate *c)
{
    enum { PER_POINT = 6 };
    uint32_t here = 0;
    struct candidate *worst = NULL;
    for (uint32_t i = 0; i < s->brokens; i++) {
        struct candidate *b = &s->broken[i];
        if (b->change.rule.point != c->change.rule.point)
            continue;
        here++;
        if (!worst || b->explained < worst->explained ||
            (b->explained == worst->explained && b->size > worst->size))
            worst = b;
    }
    if (here < PER_POINT)
        put(s->broken, &s->brokens, BROKEN_MAX, c);
    else if (c->explained > worst->explained || (c->explained == worst->explained && c->size < worst->size))
        *worst = *c;
}

void judge_add(struct study *s, const struct learn_change *c)
{
    struct candidate k = {.change = *c, .alive = true};
    uint32_t seen = 0;
    if (c->is_rule)
        k.size = expression_size(&c->rule.guard) + expression_size(&c->rule.result);
    for (uint32_t i = 0; i < s->nears; i++) {
        const struct near_case *n = &s->near[i];
        seen += !n->agrees;
        if (judge_matters(n, c)) {
            bool good = judge_reproduces(s, n, c);
            k.explained += good && !n->agrees;
            k.spoiled += !good && n->agrees;
        }
        if (seen == LOOK_AT && k.explained < 2 && i + 1 < s->nears)
            return;
    }
    if (!k.explained)
        return;
    s->fitted = true;
    if (!k.spoiled) {
        s->judged = true;
        put(s->candidate, &s->candidates, CANDIDATES_MAX, &k);
    } else if (c->is_rule && !c->rule.guard.count) {
        put_broken(s, &k);
    }
}

/* ---- guards ---- */

/* Adds the visits of a near case at which a rule changes a value. `acts`: the rule must act there. */
static void add_visits(const struct near_case *k, const struct rule *r, bool acts, struct guarded_visit *to,
                       uint32_t most, uint32_t *count)
{
    uint32_t result[POINT_LANES_MAX];
    const struct visits *v = k->visits;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct visit *at = &v->visit[i];
        if (at->point != r->point || !visit_rule(v->unit, at, r, result))
            continue;
        for (uint32_t lane = 0; lane < v->unit->points[r->point].lanes && *count < most; lane++)
            if (result[lane] != at->value[lane])
                to[(*count)++] = (struct guarded_visit){.at = at, .lane = (uint8_t)lane, .acts = acts};
    }
}

/* Lists the visits from which guard_run makes a guard. The rule must act in cases that it explains, and must
 * not act in cases that it spoils. The explained cases come first and get at most half of the room. */
static uint32_t label_visits(struct study *s, const struct learn_change *c, struct guarded_visit *to)
{
    uint32_t count = 0;
    for (unsigned turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < s->nears; i++) {
            const struct near_case *k = &s->near[i];
            bool explains;
            if (!judge_matters(k, c))
                continue;
            explains = judge_reproduces(s, k, c);
            uint32_t most = turn ? GUARDED_VISITS_MAX : GUARDED_VISITS_MAX / 2;
            if (turn == 0 && !k->agrees && explains)
                add_visits(k, &c->rule, true, to, most, &count);
            if (turn == 1 && k->agrees && !explains)
                add_visits(k, &c->rule, false, to, most, &count);
        }
    return count;
}

void judge_guard(struct study *s)
{
    struct guarded_visit *visits = memory_new(GUARDED_VISITS_MAX, sizeof *visits);
    struct expression *guards = memory_new(GUARDS_MAX, sizeof *guards);
    for (uint32_t i = 0; i < s->brokens && !learner_spent(s->l); i++) {
        struct learn_change c = s->broken[i].change;
        uint32_t count = label_visits(s, &c, visits);
        uint32_t found = guard_run(s->l->o->unit, visits, count, guards);
        for (uint32_t k = 0; k < found; k++) {
            c.rule.guard = guards[k];
            judge_add(s, &c);
        }
    }
    free(guards);
    free(visits);
}
