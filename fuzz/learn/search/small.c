/* SPDX-License-Identifier: MIT */
/*
 * Tries small expressions in the model. At a point of many bits, the search for values (where.c) tries only
 * some of them. So the value that an expression gives may not be among them, although the model reproduces
 * the board with it: a limit that is compared, for instance, may have any of many values. Here each
 * expression with at most one operator runs in the model.
 */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_MAX = 48,    /* limit of expressions at a point that go to all near cases */
    GUARDED = 64,     /* so many expressions are tried with guards, too, */
    GUARDS_EACH = 32, /* and with so many guards each */
};

struct kept {
    struct expression e;
    uint32_t reproduced; /* cases of `by` */
    uint32_t size;
};

struct small {
    struct study *s;
    unsigned point;
    const struct near_case *const *by;
    uint32_t count, tried, guarded, kept;
    struct kept keep[KEPT_MAX];
};

static bool reproduces(const struct small *m, uint32_t i, const struct learn_change *c)
{
    return judge_matters(m->by[i], c) && judge_case(m->s, m->by[i], c) == JUDGED_REPRODUCES;
}

/* Keeps an expression. In a full list, it replaces the worst one if it is better. */
static void keep(struct small *m, const struct kept *new)
{
    uint32_t at = m->kept;
    while (at && (m->keep[at - 1].reproduced < new->reproduced ||
                  (m->keep[at - 1].reproduced == new->reproduced && m->keep[at - 1].size > new->size)))
        at--;
    if (at == KEPT_MAX)
        return;
    m->kept += m->kept < KEPT_MAX;
    memmove(&m->keep[at + 1], &m->keep[at], (m->kept - at - 1) * sizeof *m->keep);
    m->keep[at] = *new;
}

/* Adds the rule with guards "INPUT == NUMBER" with which it reproduces the first case. The numbers are those
 * of the visits that the rule changes. */
static void try_guards(struct small *m, struct learn_change *c)
{
    const struct visits *v = m->by[0]->visits;
    const struct point *p = &v->unit->points[m->point];
    uint32_t result[POINT_LANES_MAX], tried[GUARDS_EACH][2], count = 0;
    for (const struct visit *at = visits_first(v, m->point); at; at = visits_next(v, at))
        for (unsigned i = point_vectors(p); i < POINT_INPUTS_MAX && p->input[i].name; i++) {
            uint32_t value = visit_input(v->unit, at, i, 0), known = 0;
            while (known < count && (tried[known][0] != i || tried[known][1] != value))
                known++;
            if (p->input[i].width > 8 || known < count || count == GUARDS_EACH ||
                !visit_rule(v->unit, at, &(struct rule){.point = c->rule.point, .result = c->rule.result},
                            result))
                continue;
            tried[count][0] = i;
            tried[count++][1] = value;
            c->rule.guard = (struct expression){.count = 3,
                                                .node = {{EXPRESSION_INPUT, i},
                                                         {EXPRESSION_CONSTANT, value},
                                                         {EXPRESSION_EQUAL, 0}}};
            if (m->guarded < KEPT_MAX && reproduces(m, 0, c)) {
                m->guarded++;
                m->s->suspects = true;
                judge_add(m->s, c);
            }
        }
}

/* Keeps the expression if it reproduces the first case; if not, and it is one of the first, tries guards. */
static bool try_expression(void *context, const struct expression *e)
{
    struct small *m = context;
    struct learn_change c = {.is_rule = true, .rule = {.point = (uint16_t)m->point, .result = *e}};
    if (reproduces(m, 0, &c)) {
        struct kept new = {.e = *e, .reproduced = 1, .size = expression_size(e)};
        for (uint32_t i = 1; i < m->count; i++)
            new.reproduced += reproduces(m, i, &c);
        keep(m, &new);
    } else if (m->tried < GUARDED) {
        try_guards(m, &c);
    }
    m->tried++;
    return !learner_spent(m->s->l);
}

void small_add(struct study *s, unsigned point, const struct near_case *const *by, uint32_t count)
{
    const struct near_case *const reduced = s->near;
    const struct visits *runs[SUSPECTED_MAX];
    struct small *m = memory_new(1, sizeof *m);
    m->s = s;
    m->point = point;
    m->by = count ? by : &reduced;
    m->count = count ? count : 1;
    for (uint32_t i = 0; i < m->count; i++)
        runs[i] = m->by[i]->visits;
    synthesis_small(runs, m->count, point, SYNTHESIS_ONE_OPERATOR, try_expression, m);
    for (uint32_t i = 0; i < m->kept && !learner_spent(s->l); i++) {
        const struct learn_change c = {.is_rule = true,
                                       .rule = {.point = (uint16_t)point, .result = m->keep[i].e}};
        s->suspects = true;
        judge_add(s, &c);
    }
    free(m);
}

/* ---- the smallest expressions ---- */

/* Judges the rule if it reproduces the first case. */
static bool try_smallest(void *context, const struct expression *e)
{
    struct small *m = context;
    const struct learn_change c = {.is_rule = true, .rule = {.point = (uint16_t)m->point, .result = *e}};
    if (reproduces(m, 0, &c)) {
        m->s->suspects = true;
        judge_add(m->s, &c);
    }
    return !learner_spent(m->s->l);
}

/* Tries the smallest expressions at one point: one of those that do the same in the reduced case and in some
 * further differing ones. */
static void add_smallest(struct study *s, unsigned point)
{
    const struct near_case *by[SUSPECTED_MAX];
    const struct visits *runs[SUSPECTED_MAX];
    struct small m = {.s = s, .point = point, .by = by};
    for (uint32_t i = 0; i < s->nears && m.count < SUSPECTED_MAX; i++)
        if (!s->near[i].agrees && visits_first(s->near[i].visits, point)) {
            runs[m.count] = s->near[i].visits;
            by[m.count++] = &s->near[i];
        }
    synthesis_small(runs, m.count, point, SYNTHESIS_FEW, try_smallest, &m);
}

/* Drops the broken rules that do not allow nine tenths of the differing near cases. */
static void keep_broken_of_nearly_all(struct study *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->brokens; i++)
        if (candidate_allows_nearly_all(s, &s->broken[i]))
            s->broken[kept++] = s->broken[i];
    s->brokens = kept;
}

void small_everywhere(struct study *s)
{
    const struct visits *v = s->near[0].visits;
    s->nearly_all = true;
    for (uint32_t i = 0; i < v->count && !learner_spent(s->l); i++)
        if (visits_first(v, v->visit[i].point) == &v->visit[i])
            add_smallest(s, v->visit[i].point);
    s->nearly_all = false;
    keep_broken_of_nearly_all(s);
    judge_guard(s);
    s->brokens = 0;
}
