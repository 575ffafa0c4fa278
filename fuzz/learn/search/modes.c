/* SPDX-License-Identifier: MIT */
/*
 * Finds rules for one mode. A machine often does something else in each mode: for each opcode, say. Then no
 * expression fits the examples of all modes. Here the search takes only the examples with the reduced case's
 * value of one input, and makes rules "when INPUT == VALUE".
 */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>

enum {
    INPUTS_MAX = 4,     /* limit of inputs that are tried at a point */
    RULES_OF_MODE = 12, /* limit of rules for each of them */
    LEAST = 3,          /* a mode needs so many examples that differ */
};

/* An input, and its value in the reduced case. */
struct mode {
    unsigned input;
    uint32_t value;
    uint32_t within, without; /* differing examples that have this value, and those that have not */
};

/* Returns a differing example of near[0]; NULL: none. */
static const struct example *reduced_example(const struct study *s)
{
    const struct visits *v = s->near[0].visits;
    for (uint32_t i = 0; i < s->examples; i++) {
        const struct example *e = &s->example[i];
        if (e->differs && e->at >= v->visit && e->at < v->visit + v->count)
            return e;
    }
    return NULL;
}

static bool is_in(const struct study *s, const struct example *e, const struct mode *m)
{
    return visit_input(s->l->o->unit, e->at, m->input, e->lane) == m->value;
}

static int compare(const void *a, const void *b)
{
    const struct mode *x = a, *y = b;
    if (x->without != y->without)
        return x->without > y->without ? -1 : 1;
    return (int)x->input - (int)y->input;
}

/* Lists the inputs of few bits that divide the differing examples, those first that leave most of them out.
 */
static uint32_t list_modes(const struct study *s, const struct example *reduced,
                           struct mode list[POINT_INPUTS_MAX])
{
    const struct unit *u = s->l->o->unit;
    const struct point *p = &u->points[reduced->at->point];
    uint32_t count = 0;
    for (unsigned i = point_vectors(p); i < POINT_INPUTS_MAX && p->input[i].name; i++) {
        struct mode m = {.input = i, .value = visit_input(u, reduced->at, i, reduced->lane)};
        if (p->input[i].width > 8)
            continue;
        for (uint32_t k = 0; k < s->examples; k++)
            if (s->example[k].differs)
                *(is_in(s, &s->example[k], &m) ? &m.within : &m.without) += 1;
        if (m.without && m.within >= LEAST)
            list[count++] = m;
    }
    qsort(list, count, sizeof *list, compare);
    return count < INPUTS_MAX ? count : INPUTS_MAX;
}

void modes_add(struct study *s, unsigned point)
{
    struct mode list[POINT_INPUTS_MAX];
    const struct example *reduced = reduced_example(s);
    const uint32_t count = reduced ? list_modes(s, reduced, list) : 0;
    struct example *some = memory_new(SYNTHESIS_EXAMPLES, sizeof *some);
    struct expression *found = memory_new(SYNTHESIS_MAX, sizeof *found);
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++) {
        struct learn_change c = {.is_rule = true, .rule = {.point = (uint16_t)point}};
        c.rule.guard = (struct expression){.count = 3,
                                           .node = {{EXPRESSION_INPUT, list[i].input},
                                                    {EXPRESSION_CONSTANT, list[i].value},
                                                    {EXPRESSION_EQUAL, 0}}};
        const uint32_t examples = contexts_add(s, s->example, s->examples, &c.rule.guard, some);
        uint32_t rules = synthesis_run(s->l->o->unit, some, examples, found, &s->l->effort);
        for (uint32_t k = 0; k < rules && k < RULES_OF_MODE && !learner_spent(s->l); k++) {
            c.rule.result = found[k];
            judge_add(s, &c);
        }
    }
    free(found);
    free(some);
}
