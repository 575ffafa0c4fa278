/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/search/visits.h"

#include <string.h>

static const uint32_t *store(struct visits *v, const uint32_t *word, uint32_t count)
{
    uint32_t *to = v->word + v->words;
    memcpy(to, word, count * sizeof *to);
    v->words += count;
    return to;
}

/* Stores the values after the profile's rules, if they are others. */
static const uint32_t *store_ruled(struct visits *v, const struct observation *seen, const uint32_t *value)
{
    const struct observer o = {.points = v->unit->points, .rules = v->rules};
    const uint32_t lanes = v->unit->points[seen->point].lanes;
    uint32_t now[POINT_LANES_MAX];
    memcpy(now, value, lanes * sizeof *now);
    if (lanes > 1)
        observe_lanes(&o, seen->point, now, seen->input);
    else
        now[0] = observe(&o, seen->point, now[0], seen->input);
    return memcmp(now, value, lanes * sizeof *now) ? store(v, now, lanes) : value;
}

static void note(void *context, const struct observation *seen)
{
    struct visits *v = context;
    const struct point *p = &v->unit->points[seen->point];
    uint32_t inputs = point_input_words(p);
    v->passed++;
    if (v->count == VISITS_MAX || v->words + 2 * p->lanes + inputs > VISITS_WORDS_MAX)
        return;
    v->visit[v->count++] = (struct visit){.point = (uint16_t)seen->point,
                                          .value = store(v, seen->value, p->lanes),
                                          .input = store(v, seen->input, inputs)};
    struct visit *at = &v->visit[v->count - 1];
    const bool ruled = v->rules->points[seen->point / 64] >> (seen->point % 64) & 1;
    at->now = ruled ? store_ruled(v, seen, at->value) : at->value;
    if (v->first[seen->point])
        v->visit[v->last[seen->point] - 1].next = (uint16_t)v->count;
    else
        v->first[seen->point] = (uint16_t)v->count;
    v->last[seen->point] = (uint16_t)v->count;
}

void visits_run_some(struct executor *x, const struct test_case *c, const struct profile *p,
                     const uint64_t *points, struct outcome *out, struct visits *v)
{
    struct run r = {.tc = c,
                    .profile = p,
                    .out = out,
                    .mode = RUN_CHECKED,
                    .see = note,
                    .watched = points,
                    .see_context = v};
    v->unit = x->unit;
    v->rules = &p->rules;
    v->count = v->words = 0;
    v->passed = 0;
    memset(v->first, 0, sizeof v->first);
    executor_run_with(x, &r);
}

void visits_run(struct executor *x, const struct test_case *c, const struct profile *p, struct outcome *out,
                struct visits *v)
{
    visits_run_some(x, c, p, NULL, out, v);
}

static bool are_alike(const struct visit *a, const struct visit *b, const struct point *p)
{
    return !memcmp(a->value, b->value, p->lanes * sizeof *a->value) &&
           !memcmp(a->input, b->input, point_input_words(p) * sizeof *a->input);
}

void visits_group(const struct visits *v, unsigned point, struct forced *f)
{
    const struct point *p = &v->unit->points[point];
    f->point = point;
    f->visits = f->groups = 0;
    for (const struct visit *at = visits_first(v, point); at && f->visits < FORCED_VISITS_MAX;
         at = visits_next(v, at)) {
        uint32_t g = 0;
        while (g < f->groups && !are_alike(f->group[g].first, at, p))
            g++;
        if (g == f->groups && g < FORCED_MAX) {
            f->group[g].first = at;
            f->group[g].lanes = 0;
            f->groups++;
        }
        f->group_of[f->visits++] = g < FORCED_MAX ? (uint8_t)g : (uint8_t)FORCED_NONE;
    }
}

struct force_run {
    const struct forced *forced;
    uint32_t visit; /* number of visits of the point so far */
    uint32_t lanes;
};

static void force(void *context, const struct observation *seen, uint32_t *value)
{
    (void)seen;
    struct force_run *f = context;
    uint32_t i = f->visit++, g = i < f->forced->visits ? f->forced->group_of[i] : FORCED_NONE;
    for (uint32_t lane = 0; g != FORCED_NONE && lane < f->lanes; lane++)
        if (f->forced->group[g].lanes >> lane & 1)
            value[lane] = f->forced->group[g].value[lane];
}

static void run_forced(struct executor *x, struct run *r, const struct forced *f)
{
    uint64_t at[POINTS_MAX / 64] = {0};
    at[f->point / 64] = UINT64_C(1) << (f->point % 64);
    struct force_run context = {.forced = f, .lanes = x->unit->points[f->point].lanes};
    r->force = force;
    r->watched = at;
    r->see_context = &context;
    executor_run_with(x, r);
}

void visits_force(struct executor *x, const struct test_case *c, const struct profile *p,
                  const struct forced *f, struct outcome *out)
{
    run_forced(x, &(struct run){.tc = c, .profile = p, .out = out, .mode = RUN_CHECKED}, f);
}

void visits_force_values(struct executor *x, const struct test_case *c, const struct profile *p,
                         const struct forced *f, uint32_t filler, struct outcome *out)
{
    run_forced(x, &(struct run){.tc = c, .profile = p, .out = out, .mode = RUN_PLAIN, .filler = filler}, f);
}

struct expression_context visit_context(const struct unit *u, const struct visit *v, uint32_t lane)
{
    const struct point *p = &u->points[v->point];
    return (struct expression_context){
        .value = v->value, .input = v->input, .vectors = point_vectors(p), .lane = lane, .lanes = p->lanes};
}

uint32_t visit_input(const struct unit *u, const struct visit *v, unsigned i, uint32_t lane)
{
    unsigned vectors = point_vectors(&u->points[v->point]);
    return v->input[point_input_at(vectors, i) + (i < vectors ? lane : 0)];
}

/* visit_rule at a vector point. */
static bool rule_lanes(const struct expression_context *c, const struct rule *r, uint32_t mask,
                       const uint32_t *now, uint32_t result[POINT_LANES_MAX])
{
    uint32_t acts[POINT_LANES_MAX], changed = 0;
    expression_evaluate_lanes(r->result.node, r->result.count, c, result);
    if (r->guard.count)
        expression_evaluate_lanes(r->guard.node, r->guard.count, c, acts);
    for (uint32_t lane = 0; lane < POINT_LANES_MAX; lane++) {
        result[lane] = r->guard.count && !acts[lane] ? now[lane] : result[lane] & mask;
        changed |= result[lane] ^ now[lane];
    }
    return changed;
}

bool visit_rule(const struct unit *u, const struct visit *v, const struct rule *r,
                uint32_t result[POINT_LANES_MAX])
{
    const struct point *p = &u->points[v->point];
    struct expression_context c = visit_context(u, v, 0);
    uint32_t mask = point_mask(p);
    bool changed = false;
    if (c.lanes == POINT_LANES_MAX)
        return rule_lanes(&c, r, mask, v->now, result);
    for (; c.lane < c.lanes; c.lane++) {
        bool acts = !r->guard.count || expression_evaluate(r->guard.node, r->guard.count, &c);
        uint32_t before = v->now[c.lane];
        result[c.lane] = acts ? expression_evaluate(r->result.node, r->result.count, &c) & mask : before;
        changed |= result[c.lane] != before;
    }
    return changed;
}

bool visits_changed(const struct visits *v, const struct rule *r)
{
    uint32_t result[POINT_LANES_MAX];
    bool changed = v->passed > v->count;
    for (const struct visit *at = visits_first(v, r->point); at && !changed; at = visits_next(v, at))
        changed = visit_rule(v->unit, at, r, result);
    return changed;
}
