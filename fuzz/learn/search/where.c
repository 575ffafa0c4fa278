/* SPDX-License-Identifier: MIT */
/*
 * Finds values at an observation point that explain a difference ("angelic values": Chandra and others, ICSE
 * 2011).
 *
 * The search goes through the visits of the point. It runs the model with other values forced, in all lanes
 * at once, and keeps in each lane the value that brings this lane's words of the outcome nearest to the
 * board's. Where a lane's value shows up in other lanes, the search does the same lane by lane. If the
 * outcome is finally the board's, the kept values are examples of what the machine does at this point.
 */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOGETHER = 4,    /* at points of at most so many bits, it also tries each value in all lanes */
    NARROW = 8,      /* at points of at most so many bits, the search tries every value */
    POOL_MAX = 320,  /* limit of values that the search tries in one lane */
    SOLVED_MAX = 40, /* limit of cases from which the search takes examples */
    EACH_MAX = 16,   /* limit of examples of each of them */
    ALONE_MAX = 6,   /* limit of groups of visits that are tried alone */
    BACKWARD = 3,    /* at points of at most so many bits, it also goes through the visits backward */
    SHORT_RUN = 128, /* so many visits of a run without forced values count as one more run */
    ALL = UINT32_MAX
};

struct example example_of(const struct visit *at, const struct point *p, uint32_t lane, uint32_t value)
{
    struct example e = {.at = at, .lane = (uint8_t)lane, .narrow = p->width <= NARROW, .differs = true};
    e.count = 1;
    e.value[0] = value;
    if (e.narrow)
        e.allowed[value / 32] = 1U << (value % 32);
    return e;
}

/* One search in one case. */
struct solving {
    struct study *s;
    const struct near_case *k;
    const struct point *point;
    const struct rule *refuted; /* the search is for values that this rule must not give; NULL: for any */
    struct forced forced;
    uint64_t distance; /* from the board's outcome, as run_forced gives it, with the values forced so far */
    bool nearer;       /* some value brought some lane nearer to the board's outcome */
    uint32_t only;     /* the group of visits that gets other values, or ALL */
    bool backward;     /* begins with the last group */
    /* Of each lane: the values to try, and what the trials gave. */
    struct {
        uint32_t value[POOL_MAX];
        uint64_t distance[POOL_MAX];
        uint32_t count;
    } pool[POINT_LANES_MAX];
    struct example example[POINT_LANES_MAX];
    uint64_t best[POINT_LANES_MAX];
};

static void add_to_pool(struct solving *v, uint32_t lane, uint32_t value)
{
    uint32_t *count = &v->pool[lane].count;
    value &= point_mask(v->point);
    for (uint32_t i = 0; i < *count; i++)
        if (v->pool[lane].value[i] == value)
            return;
    if (*count == POOL_MAX)
        return;
    v->pool[lane].distance[*count] = 0;
    v->pool[lane].value[(*count)++] = value;
}

/* The search is for values that a rule must not give. Adds some that show which other values are wrong, too.
 */
static void add_refuted(struct solving *v, const struct visit *at, uint32_t lane)
{
    const uint32_t value = at->value[lane];
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && v->point->input[i].name; i++)
        add_to_pool(v, lane, visit_input(v->s->l->o->unit, at, i, lane));
    add_to_pool(v, lane, 0);
    add_to_pool(v, lane, value + 1);
    for (uint32_t i = 2; i < v->point->width; i += 4)
        add_to_pool(v, lane, value ^ 1U << i);
}

/* Lists the values to try in place of the one that passed. At a narrow point these are all values. At a wider
 * point they are words of the board's outcome, other lanes, inputs, and small changes of the value. */
static void fill_pool(struct solving *v, const struct visit *at, uint32_t lane)
{
    uint32_t value = at->value[lane], result[POINT_LANES_MAX];
    v->pool[lane].count = 0;
    if (v->point->width <= NARROW) {
        for (uint32_t i = 0; i < 1U << v->point->width; i++)
            add_to_pool(v, lane, i);
        return;
    }
    add_to_pool(v, lane, at->now[lane]);
    add_to_pool(v, lane, value);
    if (v->refuted && visit_rule(v->s->l->o->unit, at, v->refuted, result))
        add_to_pool(v, lane, result[lane]);
    if (v->k->agrees || !v->distance) { /* a few other values show whether the value matters at all */
        add_to_pool(v, lane, ~value);
        add_to_pool(v, lane, value ^ 1);
        add_to_pool(v, lane, value ^ 1U << (v->point->width - 1));
        if (v->refuted)
            add_refuted(v, at, lane);
        return;
    }
    const struct differences *d = &v->k->difference;
    for (uint32_t i = 0, taken = 0; i < d->listed && taken < 24; i++) {
        if (d->word[i].col % v->point->lanes != lane && i >= 8)
            continue;
        add_to_pool(v, lane, d->word[i].board);
        add_to_pool(v, lane, value ^ d->word[i].differ);
        taken++;
    }
    for (uint32_t i = 0; i < v->point->lanes; i++)
        add_to_pool(v, lane, at->value[i]);
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && v->point->input[i].name; i++) {
        uint32_t input = visit_input(v->s->l->o->unit, at, i, lane);
        add_to_pool(v, lane, input);
        add_to_pool(v, lane, value + input);
        add_to_pool(v, lane, value - input);
        add_to_pool(v, lane, input - value);
        add_to_pool(v, lane, input - 1 - value);
    }
    add_to_pool(v, lane, 0);
    add_to_pool(v, lane, UINT32_MAX);
    for (uint32_t i = 0; i < 32 && v->point->width == 32; i += 8)
        add_to_pool(v, lane, (value >> i & 0xff) * 0x01010101);
    for (uint32_t i = 0; i < 32 && v->point->width == 32; i += 16)
        add_to_pool(v, lane, (value >> i & 0xffff) * 0x00010001);
    for (uint32_t i = 0; i < v->point->width; i++) {
        add_to_pool(v, lane, value ^ 1U << i);
        add_to_pool(v, lane, value + (1U << i));
        add_to_pool(v, lane, value - (1U << i));
        add_to_pool(v, lane, value & ((1U << i) - 1));
        add_to_pool(v, lane, value & ~((1U << i) - 1));
    }
}

/* Takes runs of the model on the case from those that the search for values has left. */
static void spend_runs(struct solving *v, uint32_t runs)
{
    const uint64_t cost = runs * (1 + v->k->visits->passed / SHORT_RUN);
    v->s->runs_left -= cost < v->s->runs_left ? cost : v->s->runs_left;
}

/* Runs the model with the forced values, and gives the distance of each of `lanes` lanes to the board. A bit
 * that differs counts 2. So a value that leaves it undefined is better, but not as good as one that gives the
 * board's. If a value leaves bits undefined that must decide, a run for values only may still fit the board
 * (judge_forced_values). */
static void run_forced(struct solving *v, uint32_t lanes, uint64_t distance[POINT_LANES_MAX])
{
    struct learner *l = v->s->l;
    uint64_t differ = 0, undecided = 0;
    visits_force(l->x, v->k->tc, &l->r->profile, &v->forced, l->model);
    spend_runs(v, 1);
    outcomes_lane_distances(l->model, v->k->board, lanes, distance);
    bool vague = l->model->end == END_UNDEFINED;
    if (vague || distance[0] == DISTANCE_ENDS) {
        for (uint32_t i = 0; i < lanes; i++)
            distance[i] = DISTANCE_ENDS;
    } else {
        for (uint32_t i = 0; i < lanes; i++)
            differ |= distance[i] *= 2;
        differences_undecided(&v->k->difference, l->model, lanes, distance);
        for (uint32_t i = 0; i < lanes; i++)
            undecided |= distance[i];
        vague = !differ && undecided;
    }
    if (!vague)
        return;
    spend_runs(v, 2);
    if (judge_forced_values(v->s, v->k, &v->forced) == JUDGED_REPRODUCES)
        memset(distance, 0, lanes * sizeof *distance);
}

/* May the search run the model again? A run of a case that never ends takes a thousand times as long as a
 * usual one. So the number of runs alone neither limits the time nor ends the search after a signal. */
static bool may_go_on(const struct study *s)
{
    return s->runs_left && !learner_spent(s->l);
}

/* Notes the distance that a value gave in a lane. Of values that are as good, the one that passed wins. */
static void note_value(struct solving *v, uint32_t lane, uint32_t value, uint64_t distance, uint32_t *chosen)
{
    struct example *e = &v->example[lane];
    if (distance > v->best[lane])
        return;
    if (distance < v->best[lane]) {
        v->best[lane] = distance;
        *chosen = value;
        e->count = 0;
        memset(e->allowed, 0, sizeof e->allowed);
    }
    if (value == e->at->now[lane])
        *chosen = value;
    if (e->narrow)
        e->allowed[value / 32] |= 1U << (value % 32);
    else if (e->count < EXAMPLE_VALUES_MAX)
        e->value[e->count] = value;
    e->count++;
}

/* Lists in the example the values that are not allowed, because too many are. */
static void list_refused(struct solving *v, uint32_t lane)
{
    struct example *e = &v->example[lane];
    e->open = true;
    e->count = 0;
    for (uint32_t i = 0; i < v->pool[lane].count && e->count < EXAMPLE_VALUES_MAX; i++)
        if (v->pool[lane].distance[i] > v->best[lane])
            e->value[e->count++] = v->pool[lane].value[i];
}

/* Tries the pools of `count` lanes from `first` on, at once: value I of every lane in run I. Forces the best
 * values in a group of visits from now on, and lists all values that are as good in the examples. */
static void try_lanes(struct solving *v, uint32_t group, uint32_t first, uint32_t count)
{
    const struct visit *at = v->forced.group[group].first;
    uint32_t most = 0, *forced = v->forced.group[group].value, chosen[POINT_LANES_MAX];
    uint64_t distance[POINT_LANES_MAX], own[POINT_LANES_MAX];
    const uint16_t before = v->forced.group[group].lanes;
    for (uint32_t lane = first; lane < first + count; lane++) {
        v->example[lane] =
            (struct example){.at = at, .lane = (uint8_t)lane, .narrow = v->point->width <= NARROW};
        v->best[lane] = own[lane] = UINT64_MAX;
        chosen[lane] = at->now[lane];
        v->forced.group[group].lanes |= (uint16_t)(1U << lane);
        fill_pool(v, at, lane);
        most = v->pool[lane].count > most ? v->pool[lane].count : most;
    }
    for (uint32_t i = 0; i < most && may_go_on(v->s); i++) {
        for (uint32_t lane = first; lane < first + count; lane++)
            forced[lane] = v->pool[lane].value[i < v->pool[lane].count ? i : v->pool[lane].count - 1];
        run_forced(v, count, distance);
        for (uint32_t lane = first; lane < first + count; lane++) {
            if (forced[lane] == at->now[lane])
                own[lane] = distance[lane - first];
            if (i >= v->pool[lane].count)
                continue;
            v->pool[lane].distance[i] = distance[lane - first];
            note_value(v, lane, forced[lane], distance[lane - first], &chosen[lane]);
        }
    }
    for (uint32_t lane = first; lane < first + count; lane++) {
        if (v->best[lane] < own[lane]) {
            v->nearer = true;
            v->s->nearer |= v->k == v->s->near;
        }
        v->example[lane].differs = chosen[lane] != at->now[lane];
        /* Few values are tried in an agreeing case. If several are allowed, others may be allowed, too. */
        if (v->example[lane].count > (v->refuted ? 1 : EXAMPLE_VALUES_MAX) && !v->example[lane].narrow)
            list_refused(v, lane);
        forced[lane] = chosen[lane];
        if (!v->example[lane].differs)
            v->forced.group[group].lanes &= (uint16_t) ~(1U << lane);
    }
    run_forced(v, 1, distance);
    if (distance[0] <= v->distance)
        v->distance = distance[0];
    else
        v->forced.group[group].lanes = before;
}

/* Tries the same value in all lanes, at a point of few bits. Where one lane is enough, as of those that raise
 * an interrupt, no value in one lane alone brings the outcome nearer to the board's. */
static void try_together(struct solving *v, uint32_t group)
{
    const struct visit *at = v->forced.group[group].first;
    const uint32_t lanes = v->point->lanes, values = 1U << v->point->width;
    uint32_t allowed = 0, chosen = 0;
    uint64_t best = UINT64_MAX, distance[POINT_LANES_MAX];
    v->forced.group[group].lanes = (uint16_t)((1U << lanes) - 1);
    for (uint32_t value = 0; value < values && may_go_on(v->s); value++) {
        for (uint32_t lane = 0; lane < lanes; lane++)
            v->forced.group[group].value[lane] = value;
        run_forced(v, 1, distance);
        allowed = (distance[0] < best ? 0 : allowed) | (distance[0] <= best ? 1U << value : 0);
        chosen = distance[0] < best ? value : chosen;
        best = distance[0] < best ? distance[0] : best;
    }
    if (best < v->distance)
        v->distance = best;
    else
        v->forced.group[group].lanes = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        v->forced.group[group].value[lane] = chosen;
        v->example[lane] = (struct example){.at = at, .lane = (uint8_t)lane, .narrow = true};
        v->example[lane].allowed[0] = v->forced.group[group].lanes ? allowed : UINT32_MAX;
        v->example[lane].count =
            v->forced.group[group].lanes ? (uint32_t)__builtin_popcount(allowed) : values;
        v->example[lane].differs = !example_allows(&v->example[lane], at->now[lane]);
    }
}

/* Does another value in a group of visits change the outcome? Tries a few, in all lanes at once; at a narrow
 * point, those with one other bit, because a field can have codes without an effect. Compares the outcomes,
 * because a row in the wrong place is as far from the board's as in another wrong place. */
static bool matters(struct solving *v, uint32_t group)
{
    const uint32_t lanes = v->point->lanes, mask = point_mask(v->point);
    const struct visit *at = v->forced.group[group].first;
    uint32_t *forced = v->forced.group[group].value;
    struct learner *l = v->s->l;
    uint64_t distance[POINT_LANES_MAX];
    bool any = false;
    visits_force(l->x, v->k->tc, &l->r->profile, &v->forced, l->base);
    v->forced.group[group].lanes = (uint16_t)((1U << lanes) - 1);
    const unsigned bits = v->point->width <= NARROW ? v->point->width : 0;
    for (unsigned probe = 0; probe < 4 + bits && !any; probe++) {
        for (uint32_t lane = 0; lane < lanes; lane++)
            forced[lane] = mask & (probe == 0   ? ~at->now[lane]
                                   : probe == 1 ? at->now[lane] ^ 1
                                   : probe == 2 ? at->now[lane] ^ (mask ^ mask >> 1)
                                   : probe == 3 ? 0
                                                : at->now[lane] ^ 1U << (probe - 4));
        run_forced(v, lanes, distance);
        any = l->model->end != l->base->end || !outcomes_equal(l->model, l->base, NULL, NULL) ||
              !outcomes_equal(l->base, l->model, NULL, NULL); /* now undefined */
    }
    v->forced.group[group].lanes = 0;
    return any;
}

/* Does an example rule out enough values to be useful? It must rule out one. At a wide point only few values
 * may be allowed, unless the search is for values that a rule must not give. */
static bool is_telling(const struct solving *v, uint32_t lane)
{
    const struct example *e = &v->example[lane];
    if (e->narrow)
        return e->count < 1U << v->point->width;
    if (e->open)
        return e->count && v->refuted;
    return e->differs || e->count <= 2 || v->refuted;
}

/* Shall this lane give an example? Of the lanes that need no other value, only four of a vector do, so that
 * the examples of many cases have room. These lanes are others in each case. */
static bool is_sampled(const struct study *s, const struct solving *v, uint32_t lane)
{
    uint32_t turn = (uint32_t)(v->k - s->near);
    return v->example[lane].differs || v->point->lanes == 1 || (lane + turn) % (v->point->lanes / 4) == 0;
}

/* Adds the examples of one case if values at the point reproduce it. `at_once`: number of lanes that are
 * tried at once, each with values of its own; 0: all lanes, with the same value. */
static enum judged solve_by(struct solving *v, uint32_t at_once)
{
    struct study *s = v->s;
    uint32_t before = s->examples;
    v->distance = v->k->distance < DISTANCE_ENDS / 2 ? 2 * v->k->distance : DISTANCE_ENDS;
    visits_group(v->k->visits, v->forced.point, &v->forced);
    for (uint32_t i = 0; i < v->forced.groups && may_go_on(s); i++) {
        const uint32_t group = v->backward ? v->forced.groups - 1 - i : i;
        if ((v->only != ALL && v->only != group) ||
            (!v->k->agrees && v->distance && v->point->width > 3 && !matters(v, group)))
            continue;
        if (!at_once)
            try_together(v, group);
        for (uint32_t lane = 0; at_once && lane < v->point->lanes && may_go_on(s); lane += at_once)
            try_lanes(v, group, lane, at_once);
        for (uint32_t lane = 0; lane < v->point->lanes && may_go_on(s); lane++)
            if (is_telling(v, lane) && s->examples < EXAMPLES_MAX && is_sampled(s, v, lane))
                s->example[s->examples++] = v->example[lane];
    }
    const enum judged judged = v->forced.groups ? judge_forced(v->s, v->k, &v->forced) : JUDGED_DIFFERS;
    if (judged != JUDGED_REPRODUCES)
        s->examples = before;
    return judged;
}

/* The same, with other values in one group of visits only. A value in an earlier group may have brought the
 * outcome nearer to the board's, and hidden that one group is enough: one of the two operands, for instance.
 */
static enum judged solve_alone(struct solving *v)
{
    enum judged judged = JUDGED_DIFFERS;
    const uint32_t groups = v->forced.groups < ALONE_MAX ? v->forced.groups : ALONE_MAX;
    for (v->only = 0; v->only < groups && judged == JUDGED_DIFFERS && may_go_on(v->s); v->only++)
        judged = solve_by(v, v->point->lanes);
    v->only = ALL;
    return judged;
}

/* The same from the last group to the first. A selector that ends all that follow, for instance, brings the
 * outcome so near that the values after it can no longer be found. */
static enum judged solve_backward(struct solving *v)
{
    v->backward = true;
    const enum judged judged = solve_by(v, v->point->lanes);
    v->backward = false;
    return judged;
}

/* The same with all lanes at once. Then lane by lane, if a value of the reduced case brought a lane nearer.
 */
static enum judged solve(struct study *s, const struct near_case *k, unsigned point)
{
    struct solving v = {.s = s, .k = k, .point = &s->l->o->unit->points[point], .only = ALL};
    enum judged judged = JUDGED_DIFFERS;
    v.forced.point = point;
    if (k == s->near)
        s->lane_by_lane = s->nearer = false;
    if (!s->lane_by_lane && (judged = solve_by(&v, v.point->lanes)) != JUDGED_DIFFERS)
        return judged;
    if (!k->agrees && v.nearer && v.forced.groups > 1 && v.point->width > NARROW &&
        (judged = solve_alone(&v)) != JUDGED_DIFFERS)
        return judged;
    if (!k->agrees && v.nearer && v.forced.groups > 1 && v.point->width <= BACKWARD &&
        (judged = solve_backward(&v)) != JUDGED_DIFFERS)
        return judged;
    if (v.point->lanes > 1 && v.point->width <= TOGETHER && (judged = solve_by(&v, 0)) != JUDGED_DIFFERS)
        return judged;
    if (v.point->lanes == 1 || !(k == s->near ? v.nearer : s->lane_by_lane))
        return JUDGED_DIFFERS;
    s->lane_by_lane = true;
    return solve_by(&v, 1);
}

bool where_values(struct study *s, const struct near_case *k, unsigned point)
{
    s->examples = 0;
    const enum judged judged = solve(s, k, point);
    return judged == JUDGED_UNDEFINED || (judged == JUDGED_REPRODUCES && s->examples);
}

/* Returns a hash of the values and inputs at a case's visits of the point; 0 if there is no visit. */
static uint64_t passing(const struct study *s, const struct near_case *k, unsigned point)
{
    const struct point *p = &s->l->o->unit->points[point];
    uint64_t hash = 0;
    for (const struct visit *at = visits_first(k->visits, point); at; at = visits_next(k->visits, at)) {
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

uint32_t where_solved(struct study *s, unsigned point, const struct near_case *by[SUSPECTED_MAX])
{
    uint64_t known[SUSPECTED_MAX + 1];
    uint32_t count = 0, next = 0, solved = 0;
    const struct near_case *k;
    s->examples = 0;
    while (count < SUSPECTED_MAX && may_go_on(s) && (k = next_case(s, point, false, &next, known, &count))) {
        const enum judged judged = solve(s, k, point);
        if (k == s->near && judged == JUDGED_DIFFERS)
            return 0;
        if (judged == JUDGED_REPRODUCES)
            by[solved++] = k;
    }
    s->examples = 0;
    return solved;
}

/* Orders by case: first the first example of each case, then the second ones. Examples of one case are often
 * alike. */
static int compare_examples(const void *a, const void *b)
{
    const struct example *x = a, *y = b;
    if (x->differs != y->differs)
        return y->differs - x->differs;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Moves `room` of the examples from `from` on that differ, or of those that do not, to s->example[*kept].
 * They lie as far apart as possible. */
static void keep_some(struct study *s, const struct example *from, uint32_t count, bool differs,
                      uint32_t room, uint32_t *kept)
{
    uint32_t all = 0, seen = 0;
    for (uint32_t i = 0; i < count; i++)
        all += from[i].differs == differs;
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].differs != differs)
            continue;
        if (all <= room || seen * room / all != (seen + 1) * room / all)
            s->example[(*kept)++] = from[i];
        seen++;
    }
}

/* Limits the examples of one case, those from `first` on, to EACH_MAX. */
static void limit_examples(struct study *s, uint32_t first)
{
    const uint32_t count = s->examples - first;
    struct example *all = memory_new(count + 1, sizeof *all);
    uint32_t differing = 0, kept = first;
    memcpy(all, s->example + first, count * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        differing += all[i].differs;
    const uint32_t agreeing = count - differing < EACH_MAX / 4 ? count - differing : EACH_MAX / 4;
    keep_some(s, all, count, true, EACH_MAX - agreeing, &kept);
    keep_some(s, all, count, false, EACH_MAX - (kept - first), &kept);
    for (uint32_t i = first; i < kept; i++)
        s->example[i].order = (i - first) << 16 | i;
    s->examples = kept;
    free(all);
}

/* Sorts the examples that differ to the front. If there are more examples than synthesis_run looks at, a
 * third of those that it looks at agree. */
static void order_examples(struct study *s)
{
    const uint32_t most = SYNTHESIS_LABELLED / 3 * 2;
    uint32_t differing = 0;
    qsort(s->example, s->examples, sizeof *s->example, compare_examples);
    while (differing < s->examples && s->example[differing].differs)
        differing++;
    for (uint32_t i = 0; differing > most && most + i < SYNTHESIS_LABELLED && differing + i < s->examples;
         i++) {
        struct example other = s->example[most + i];
        s->example[most + i] = s->example[differing + i];
        s->example[differing + i] = other;
    }
}

/* Moves the examples from `from` on to the front of those that agree, where synthesis_run looks at them. */
static void move_forward(struct study *s, uint32_t from)
{
    const uint32_t most = SYNTHESIS_LABELLED / 3 * 2;
    uint32_t differing = 0;
    while (differing < from && differing < most && s->example[differing].differs)
        differing++;
    for (uint32_t i = from; i < s->examples; i++) {
        const struct example added = s->example[i];
        memmove(&s->example[differing + 1], &s->example[differing], (i - differing) * sizeof added);
        s->example[differing] = added;
    }
}

bool where_counterexample(struct study *s, const struct near_case *k, const struct rule *r)
{
    const uint32_t before = s->examples;
    struct solving v = {.s = s, .k = k, .point = &s->l->o->unit->points[r->point], .refuted = r, .only = ALL};
    v.forced.point = r->point;
    (void)solve_by(&v, s->lane_by_lane ? 1 : v.point->lanes);
    move_forward(s, before);
    return s->examples > before;
}

/* Takes examples from differing and from agreeing cases in turn, because both are needed. */
bool where_examples(struct study *s, unsigned point)
{
    uint64_t known[SOLVED_MAX + 1];
    uint32_t count = 0, next[2] = {0, 0};
    const struct near_case *k = next_case(s, point, false, &next[0], known, &count);
    s->examples = 0;
    if (k != s->near || solve(s, k, point) == JUDGED_DIFFERS)
        return false;
    limit_examples(s, 0);
    bool more[2] = {true, true};
    for (unsigned turn = 0; count < SOLVED_MAX && may_go_on(s) && (more[0] || more[1]); turn++) {
        k = next_case(s, point, turn & 1, &next[turn & 1], known, &count);
        more[turn & 1] = k;
        const uint32_t before = s->examples;
        if (k)
            (void)solve(s, k, point);
        limit_examples(s, before);
    }
    order_examples(s);
    return s->examples;
}
