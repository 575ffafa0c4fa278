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

static void note(void *context, const struct observation *seen)
{
    struct visits *v = context;
    const struct point *p = &v->unit->points[seen->point];
    uint32_t inputs = point_input_words(p);
    if (v->count == VISITS_MAX || v->words + p->lanes + inputs > VISITS_WORDS_MAX) {
        v->cut = true;
        return;
    }
    v->visit[v->count++] = (struct visit){.point = (uint16_t)seen->point,
                                          .value = store(v, seen->value, p->lanes),
                                          .input = store(v, seen->input, inputs)};
    if (v->first[seen->point])
        v->visit[v->last[seen->point] - 1].next = (uint16_t)v->count;
    else
        v->first[seen->point] = (uint16_t)v->count;
    v->last[seen->point] = (uint16_t)v->count;
}

void visits_run(struct executor *x, const struct test_case *c, const struct profile *p, struct outcome *out,
                struct visits *v)
{
    struct run r = {.tc = c, .profile = p, .out = out, .mode = RUN_CHECKED, .see = note, .see_context = v};
    v->unit = x->unit;
    v->count = v->words = 0;
    v->cut = false;
    memset(v->first, 0, sizeof v->first);
    executor_run_with(x, &r);
}

struct force_run {
    const struct forced *forced;
    uint32_t visit; /* number of visits of the point so far */
    uint32_t lanes;
};

static void force(void *context, const struct observation *seen, uint32_t *value)
{
    struct force_run *f = context;
    if (seen->point != f->forced->point)
        return;
    uint32_t i = f->visit++;
    for (uint32_t lane = 0; i < f->forced->count && lane < f->lanes; lane++)
        if (f->forced->visit[i].lanes >> lane & 1)
            value[lane] = f->forced->visit[i].value[lane];
}

void visits_force(struct executor *x, const struct test_case *c, const struct profile *p,
                  const struct forced *f, struct outcome *out)
{
    struct force_run context = {.forced = f, .lanes = x->unit->points[f->point].lanes};
    struct run r = {
        .tc = c, .profile = p, .out = out, .mode = RUN_CHECKED, .force = force, .see_context = &context};
    executor_run_with(x, &r);
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

bool visit_rule(const struct unit *u, const struct visit *v, const struct rule *r,
                uint32_t result[POINT_LANES_MAX])
{
    const struct point *p = &u->points[v->point];
    struct expression_context c = visit_context(u, v, 0);
    uint32_t mask = p->width < 32 ? (1U << p->width) - 1 : UINT32_MAX;
    bool changed = false;
    for (; c.lane < c.lanes; c.lane++) {
        bool acts = !r->guard.count || expression_evaluate(r->guard.node, r->guard.count, &c);
        uint32_t before = v->value[c.lane];
        result[c.lane] = acts ? expression_evaluate(r->result.node, r->result.count, &c) & mask : before;
        changed |= result[c.lane] != before;
    }
    return changed;
}

bool visits_changed(const struct visits *v, const struct rule *r)
{
    uint32_t result[POINT_LANES_MAX];
    bool changed = v->cut;
    for (const struct visit *at = visits_first(v, r->point); at && !changed; at = visits_next(v, at))
        changed = visit_rule(v->unit, at, r, result);
    return changed;
}
