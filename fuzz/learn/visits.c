/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/visits.h"

#include <string.h>

static void note(void *context, const struct observation *seen)
{
    struct visits *v = context;
    const struct point *p = &v->unit->points[seen->point];
    if (v->count == VISITS_MAX) {
        v->cut = true;
        return;
    }
    struct visit *to = &v->visit[v->count++];
    to->point = (uint16_t)seen->point;
    memcpy(to->value, seen->value, p->lanes * sizeof *to->value);
    memcpy(to->input, seen->input, point_input_words(p) * sizeof *to->input);
}

void visits_run(struct executor *x, const struct test_case *c, const struct profile *p, struct outcome *out,
                struct visits *v)
{
    struct run r = {.tc = c, .profile = p, .out = out, .mode = RUN_CHECKED, .see = note, .see_context = v};
    v->unit = x->unit;
    v->count = 0;
    v->cut = false;
    executor_run_with(x, &r);
}

struct expression_context visit_context(const struct unit *u, const struct visit *v)
{
    const struct point *p = &u->points[v->point];
    return (struct expression_context){.value = v->value,
                                       .input = v->input,
                                       .vectors = point_vectors(p),
                                       .lanes = p->lanes};
}

bool visit_rule(const struct unit *u, const struct visit *v, const struct rule *r,
                uint32_t result[POINT_LANES_MAX])
{
    const struct point *p = &u->points[v->point];
    struct expression_context c = visit_context(u, v);
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
    for (uint32_t i = 0; i < v->count && !changed; i++)
        changed = v->visit[i].point == r->point && visit_rule(v->unit, &v->visit[i], r, result);
    return changed;
}
