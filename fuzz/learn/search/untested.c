/* SPDX-License-Identifier: MIT */
/*
 * Takes out of a rule what no experiment could test. A board that lacks a part of its unit refuses the cases
 * that need it, so a rule may pass all experiments although it also speaks of values that the board never
 * answered for. Such a rule holds only where it was tested.
 */
#include "fuzz/learn/search/study.h"

#include <string.h>

enum { EXCLUDED_MOST = 2 }; /* limit of values that a guard excludes one by one */

/* Does the search note the values at the rule's point? There must be few. */
static bool is_narrow(const struct unit *u, const struct rule *r)
{
    const struct point *p = &u->points[r->point];
    return p->lanes == 1 && p->width <= TESTED_WIDTH;
}

void untested_note(struct candidate *c, const struct visits *v, bool answered)
{
    const struct rule *r = &c->change.rule;
    uint32_t result[POINT_LANES_MAX];
    if (!c->change.is_rule || !is_narrow(v->unit, r))
        return;
    for (const struct visit *at = visits_first(v, r->point); at; at = visits_next(v, at))
        if (visit_rule(v->unit, at, r, result)) {
            const uint32_t value = at->value[0] % (1U << TESTED_WIDTH);
            (answered ? c->tested : c->refused)[value / 64] |= UINT64_C(1) << (value % 64);
        }
}

/* Adds "value OP number" to the guard. */
static bool add_condition(struct expression *guard, enum expression_operator op, uint32_t number)
{
    const bool joined = guard->count;
    if (guard->count + 4 > EXPRESSION_NODES_MAX)
        return false;
    guard->node[guard->count++] = (struct expression_node){EXPRESSION_VALUE, 0};
    guard->node[guard->count++] = (struct expression_node){EXPRESSION_CONSTANT, number};
    guard->node[guard->count++] = (struct expression_node){(uint32_t)op, 0};
    if (joined)
        guard->node[guard->count++] = (struct expression_node){EXPRESSION_LOGICAL_AND, 0};
    return true;
}

bool untested_exclude(const struct candidate *c, struct rule *r)
{
    uint32_t tested = 0, untested = 0, last = 0;
    bool good = true;
    for (unsigned w = 0; w < TESTED_WORDS; w++) {
        tested += (uint32_t)__builtin_popcountll(c->tested[w]);
        untested += (uint32_t)__builtin_popcountll(c->refused[w] & ~c->tested[w]);
        last = c->tested[w] ? w * 64 + (uint32_t)__builtin_ctzll(c->tested[w]) : last;
    }
    *r = c->change.rule;
    if (!c->change.is_rule || !untested || !tested || (tested > 1 && untested > EXCLUDED_MOST))
        return false;
    if (tested == 1)
        return add_condition(&r->guard, EXPRESSION_EQUAL, last);
    for (uint32_t value = 0; value < TESTED_WORDS * 64; value++)
        if ((c->refused[value / 64] & ~c->tested[value / 64]) >> (value % 64) & 1)
            good = good && add_condition(&r->guard, EXPRESSION_DIFFERENT, value);
    return good;
}
