/* SPDX-License-Identifier: MIT */
/*
 * Finds values at an observation point that explain a difference ("angelic values": Chandra and others, ICSE
 * 2011).
 *
 * The search goes through the visits of the point, one lane after the other. In each lane it runs the model
 * with other values forced, and keeps the value that brings the model's outcome nearest to the board's. If
 * the outcome is finally the board's, the kept values are examples of what the machine does at this point.
 */
#include "fuzz/learn/study.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    NARROW = 8,     /* at points of at most so many bits, the search tries every value */
    POOL_MAX = 320, /* limit of values that the search tries in one lane */
    SOLVED_MAX = 40 /* limit of cases from which the search takes examples */
};

bool example_allows(const struct example *e, uint32_t value)
{
    if (e->narrow)
        return value < 256 && (e->allowed[value / 32] >> (value % 32) & 1);
    bool found = false;
    for (uint32_t i = 0; i < e->count; i++)
        found |= e->value[i] == value;
    return found;
}

/* One search in one case. */
struct solving {
    struct study *s;
    const struct near_case *k;
    const struct point *point;
    struct forced forced;
    uint64_t distance; /* bits that differ from the board's outcome, with the values forced so far */
    uint32_t pool[POOL_MAX];
    uint32_t pooled;
};

static void add_to_pool(struct solving *v, uint32_t value)
{
    if (v->point->width < 32)
        value &= (1U << v->point->width) - 1;
    for (uint32_t i = 0; i < v->pooled; i++)
        if (v->pool[i] == value)
            return;
    if (v->pooled < POOL_MAX)
        v->pool[v->pooled++] = value;
}

/* Lists the values to try in place of the one that passed. At a narrow point these are all values. At a wider
 * point they are words of the board's outcome, other lanes, inputs, and small changes of the value. */
static void fill_pool(struct solving *v, const struct visit *at, uint32_t lane)
{
    uint32_t value = at->value[lane];
    v->pooled = 0;
    if (v->point->width <= NARROW) {
        for (uint32_t i = 0; i < 1U << v->point->width; i++)
            add_to_pool(v, i);
        return;
    }
    add_to_pool(v, value);
    if (v->k->agrees) { /* a few other values show whether the value matters at all */
        add_to_pool(v, ~value);
        add_to_pool(v, value ^ 1);
        add_to_pool(v, value ^ 1U << (v->point->width - 1));
        return;
    }
    const struct differences *d = &v->k->difference;
    for (uint32_t i = 0; i < d->listed && i < 24; i++) {
        add_to_pool(v, d->word[i].board);
        add_to_pool(v, value ^ d->word[i].differ);
    }
    for (uint32_t i = 0; i < v->point->lanes; i++)
        add_to_pool(v, at->value[i]);
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && v->point->input[i].name; i++) {
        uint32_t input = visit_input(v->s->l->o->unit, at, i, lane);
        add_to_pool(v, input);
        add_to_pool(v, value + input);
        add_to_pool(v, value - input);
    }
    add_to_pool(v, 0);
    add_to_pool(v, UINT32_MAX);
    for (uint32_t i = 0; i < v->point->width; i++) {
        add_to_pool(v, value ^ 1U << i);
        add_to_pool(v, value + (1U << i));
        add_to_pool(v, value - (1U << i));
        add_to_pool(v, value & ((1U << i) - 1));
        add_to_pool(v, value & ~((1U << i) - 1));
    }
}

static uint64_t forced_distance(struct solving *v, uint64_t enough)
{
    struct learner *l = v->s->l;
    visits_force(l->x, v->k->tc, &l->r->profile, &v->forced, l->model);
    v->s->runs_left -= v->s->runs_left > 0;
    return l->model->end == END_UNDEFINED ? DISTANCE_ENDS : outcomes_distance(l->model, v->k->board, enough);
}

/* Tries the values of the pool in one lane of one visit. Forces the best value from now on, and lists all
 * values that are as good in *e. */
static void try_lane(struct solving *v, const struct visit *at, uint32_t visit, uint32_t lane,
                     struct example *e)
{
    uint64_t best = v->distance;
    uint32_t *forced = &v->forced.visit[visit].value[lane], chosen = at->value[lane];
    *e = (struct example){.at = at, .lane = (uint8_t)lane, .narrow = v->point->width <= NARROW};
    v->forced.visit[visit].lanes |= (uint16_t)(1U << lane);
    for (uint32_t i = 0; i < v->pooled; i++) {
        *forced = v->pool[i];
        uint64_t distance = *forced == at->value[lane] ? v->distance : forced_distance(v, best);
        if (distance > best)
            continue;
        if (distance < best) {
            best = distance;
            chosen = *forced;
            e->count = 0;
            memset(e->allowed, 0, sizeof e->allowed);
        }
        if (e->narrow)
            e->allowed[*forced / 32] |= 1U << (*forced % 32);
        else if (e->count < EXAMPLE_VALUES_MAX)
            e->value[e->count] = *forced;
        e->count++;
    }
    v->distance = best;
    *forced = chosen;
    e->differs = chosen != at->value[lane];
    if (!e->differs)
        v->forced.visit[visit].lanes &= (uint16_t) ~(1U << lane);
}

/* Does the model with the forced values give the board's outcome? */
static bool is_solved(struct solving *v)
{
    const struct near_case *k = v->k;
    if (v->distance || forced_distance(v, 0))
        return false;
    return k->agrees ||
           (k->difference.end_differs ? v->s->l->model->end == k->board->end
                                      : differences_decided(&k->difference, v->s->l->model) == DECIDED_ALL);
}

/* Does an example rule out enough values to be useful? At a narrow point it must rule out one. At a wider
 * point only few values may be allowed. */
static bool is_telling(const struct example *e, const struct point *p)
{
    if (e->narrow)
        return e->count < 1U << p->width;
    return e->count <= EXAMPLE_VALUES_MAX && (e->differs || e->count <= 2);
}

/* Shall this lane give an example? A vector gives examples of only four lanes, so that the examples of many
 * cases have room. The lanes are others in each case. */
static bool is_sampled(const struct study *s, const struct solving *v, uint32_t lane)
{
    uint32_t turn = (uint32_t)(v->k - s->near);
    return v->point->lanes == 1 || (lane + turn) % (v->point->lanes / 4) == 0;
}

/* Adds the examples of one case. Returns false if no values at the point reproduce the case. */
static bool solve(struct study *s, const struct near_case *k, unsigned point)
{
    struct solving v = {.s = s, .k = k, .point = &s->l->o->unit->points[point], .distance = k->distance};
    uint32_t before = s->examples;
    v.forced.point = point;
    for (uint32_t i = 0; i < k->visits->count && v.forced.count < FORCED_MAX; i++) {
        const struct visit *at = &k->visits->visit[i];
        if (at->point != point)
            continue;
        uint32_t visit = v.forced.count++;
        for (uint32_t lane = 0; lane < v.point->lanes && s->runs_left; lane++) {
            struct example e;
            fill_pool(&v, at, lane);
            try_lane(&v, at, visit, lane, &e);
            if (is_telling(&e, v.point) && s->examples < EXAMPLES_MAX && is_sampled(s, &v, lane))
                s->example[s->examples++] = e;
        }
    }
    if (v.forced.count && is_solved(&v))
        return true;
    s->examples = before;
    return false;
}

/* Returns a hash of the values and inputs at a case's visits of the point; 0 if there is no visit. */
static uint64_t passing(const struct study *s, const struct near_case *k, unsigned point)
{
    const struct point *p = &s->l->o->unit->points[point];
    uint64_t hash = 0;
    for (uint32_t i = 0; i < k->visits->count; i++) {
        const struct visit *at = &k->visits->visit[i];
        if (at->point != point)
            continue;
        for (uint32_t lane = 0; lane < p->lanes; lane++)
            hash = random_mix64(hash + 1) ^ at->value[lane];
        for (uint32_t input = 0; input < point_input_words(p); input++)
            hash = random_mix64(hash + 1) ^ at->input[input];
    }
    return hash;
}

/* Returns the next case in which other values and inputs pass the point than in the cases before; NULL: none.
 * The reduced case comes first, then the latest cases, because experiments added these. */
static const struct near_case *next_case(const struct study *s, unsigned point, bool agrees, uint32_t *i,
                                         uint64_t *known, uint32_t *count)
{
    for (; *i < s->nears; ++*i) {
        const struct near_case *k = &s->near[*i ? s->nears - *i : 0];
        uint64_t hash = k->agrees == agrees ? passing(s, k, point) : 0;
        uint32_t at = 0;
        while (at < *count && known[at] != hash)
            at++;
        if (!hash || at < *count)
            continue;
        known[(*count)++] = hash;
        ++*i;
        return k;
    }
    return NULL;
}

static int compare_examples(const void *a, const void *b)
{
    const struct example *x = a, *y = b;
    return y->differs - x->differs;
}

/* Takes examples from differing and from agreeing cases in turn, because both are needed. Sorts the examples
 * that differ to the front. */
bool where_examples(struct study *s, unsigned point)
{
    uint64_t known[SOLVED_MAX + 1];
    uint32_t count = 0, next[2] = {0, 0};
    const struct near_case *k = next_case(s, point, false, &next[0], known, &count);
    s->examples = 0;
    if (k != s->near || !solve(s, k, point) || !s->examples)
        return false;
    bool more[2] = {true, true};
    for (unsigned turn = 0; count < SOLVED_MAX && s->runs_left && (more[0] || more[1]); turn++) {
        k = next_case(s, point, turn & 1, &next[turn & 1], known, &count);
        more[turn & 1] = k;
        if (k)
            (void)solve(s, k, point);
    }
    qsort(s->example, s->examples, sizeof *s->example, compare_examples);
    return true;
}
