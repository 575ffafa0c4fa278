/* SPDX-License-Identifier: MIT */
/*
 * Adds visits at which any value is allowed to the examples of a point. Two expressions that agree in all
 * examples often differ there: the number 0 and an input that is 0 in all examples, for instance. Then the
 * enumeration (synthesis.c) keeps both, and the near cases decide.
 */
#include "fuzz/learn/search/study.h"

/* Returns a visit of the point for which the mode holds; NULL: none. */
static const struct visit *find(const struct near_case *k, unsigned point, const struct expression *mode,
                                uint32_t lane)
{
    for (const struct visit *at = visits_first(k->visits, point); at; at = visits_next(k->visits, at)) {
        const struct expression_context c = visit_context(k->visits->unit, at, lane);
        if (!mode->count || expression_evaluate(mode->node, mode->count, &c))
            return at;
    }
    return NULL;
}

uint32_t contexts_add(const struct study *s, const struct example *from, uint32_t count,
                      const struct expression *mode, struct example to[SYNTHESIS_EXAMPLES])
{
    const struct unit *u = s->l->o->unit;
    uint32_t copied = 0, added = 0;
    for (uint32_t i = 0; i < count && copied < SYNTHESIS_LABELLED; i++) {
        const struct expression_context c = visit_context(u, from[i].at, from[i].lane);
        if (!mode->count || expression_evaluate(mode->node, mode->count, &c))
            to[copied++] = from[i];
    }
    if (!copied)
        return 0;
    const unsigned point = to[0].at->point, lanes = u->points[point].lanes;
    /* The latest cases come first, because experiments added these. */
    for (uint32_t i = s->nears; i-- > 0 && added < SYNTHESIS_CONTEXTS;) {
        const uint32_t lane = i % lanes;
        const struct visit *at = find(&s->near[i], point, mode, lane);
        if (at)
            to[copied + added++] = (struct example){.at = at, .lane = (uint8_t)lane, .open = true};
    }
    return copied + added;
}
