/* SPDX-License-Identifier: MIT */
#include "model/rule/rule.h"

#include <string.h>

/* ---- running ---- */

static bool has_rule(const struct rules *r, unsigned point)
{
    return r->points[point / 64] >> (point % 64) & 1;
}

/* Returns which of the unit's points 64 * `word` and up the observer wants, a bit each. */
static uint64_t wanted(const struct observer *o, unsigned word)
{
    if (word >= POINTS_MAX / 64)
        return 0;
    uint64_t watched = 0;
    if (o->see || o->force)
        watched = o->watched ? o->watched[word] : UINT64_MAX;
    return o->rules->points[word] | watched;
}

bool observer_set_part(struct observer *o, unsigned first, unsigned count)
{
    uint64_t any = 0;
    o->first = first;
    for (unsigned i = 0; i < POINTS_MAX / 64; i++) {
        unsigned at = first / 64 + i, shift = first % 64, left = count > i * 64 ? count - i * 64 : 0;
        uint64_t here = wanted(o, at) >> shift | (shift ? wanted(o, at + 1) << (64 - shift) : 0);
        o->wants[i] = left < 64 ? here & ((UINT64_C(1) << left) - 1) : here;
        any |= o->wants[i];
    }
    return any;
}

/* Returns the value of one lane after the first rule whose guard holds. */
static uint32_t ruled(const struct rules *r, unsigned point, const struct expression_context *c,
                      uint32_t mask)
{
    for (unsigned i = 0; i < r->count; i++) {
        const struct rule_entry *e = &r->rule[i];
        const struct expression_node *guard = r->node + e->first, *result = guard + e->guard;
        if (e->point == point && (!e->guard || expression_evaluate(guard, e->guard, c)))
            return expression_evaluate(result, e->result, c) & mask;
    }
    return c->value[c->lane];
}

/* Does the same for all lanes of a vector. */
static void rule_lanes(const struct rules *r, unsigned point, const struct expression_context *c,
                       uint32_t mask, uint32_t *lanes)
{
    uint32_t open[POINT_LANES_MAX]; /* not 0: no guard has held yet */
    memset(open, 0xFF, sizeof open);
    for (unsigned i = 0; i < r->count; i++) {
        const struct rule_entry *e = &r->rule[i];
        const struct expression_node *guard = r->node + e->first, *result = guard + e->guard;
        uint32_t holds[POINT_LANES_MAX], now[POINT_LANES_MAX], any = 0;
        if (e->point != point)
            continue;
        memset(holds, 0xFF, sizeof holds);
        if (e->guard)
            expression_evaluate_lanes(guard, e->guard, c, holds);
        for (unsigned k = 0; k < POINT_LANES_MAX; k++)
            any |= holds[k] = holds[k] && open[k] ? UINT32_MAX : 0;
        if (!any)
            continue;
        expression_evaluate_lanes(result, e->result, c, now);
        for (unsigned k = 0; k < POINT_LANES_MAX; k++) {
            lanes[k] ^= (lanes[k] ^ (now[k] & mask)) & holds[k];
            open[k] &= ~holds[k];
        }
    }
}

uint32_t observe(const struct observer *o, unsigned number, uint32_t value, const uint32_t *input)
{
    const unsigned point = o->first + number;
    const struct observation seen = {.point = point, .value = &value, .input = input};
    uint32_t result = value;
    if (o->see && observer_watches(o, point))
        o->see(o->context, &seen);
    if (has_rule(o->rules, point)) {
        struct expression_context c = {.value = &value, .input = input, .lanes = 1};
        result = ruled(o->rules, point, &c, point_mask(&o->points[point]));
    }
    if (o->force && observer_watches(o, point))
        o->force(o->context, &seen, &result);
    return result;
}

uint32_t point_known(const struct point *p, const struct known_inputs *known, const char *input,
                     uint32_t otherwise)
{
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (known->given >> i & 1 && !strcmp(p->input[i].name, input))
            return known->number[i];
    return otherwise;
}

void observe_lanes(const struct observer *o, unsigned number, uint32_t *lanes, const uint32_t *input)
{
    const unsigned point = o->first + number;
    uint32_t before[POINT_LANES_MAX];
    const struct observation seen = {.point = point, .value = before, .input = input};
    memcpy(before, lanes, sizeof before);
    if (o->see && observer_watches(o, point))
        o->see(o->context, &seen);
    if (has_rule(o->rules, point)) {
        const struct point *p = &o->points[point];
        struct expression_context c = {.value = before,
                                       .input = input,
                                       .vectors = point_vectors(p),
                                       .lanes = p->lanes};
        rule_lanes(o->rules, point, &c, point_mask(p), lanes);
    }
    if (o->force && observer_watches(o, point))
        o->force(o->context, &seen, lanes);
}

uint32_t observe_overridden(const struct observer *o, unsigned number, const uint32_t *lanes,
                            const uint32_t *input)
{
    const unsigned point = o->first + number;
    const struct observer rules = {.points = o->points, .rules = o->rules, .first = o->first};
    const uint32_t mask = point_mask(&o->points[point]);
    uint32_t same[POINT_LANES_MAX], other[POINT_LANES_MAX], overridden = 0;
    if (!has_rule(o->rules, point))
        return 0;
    for (unsigned k = 0; k < POINT_LANES_MAX; k++) {
        same[k] = lanes[k];
        other[k] = ~lanes[k] & mask;
    }
    observe_lanes(&rules, number, same, input);
    observe_lanes(&rules, number, other, input);
    for (unsigned k = 0; k < POINT_LANES_MAX; k++)
        overridden |= (uint32_t)(same[k] == other[k]) << k;
    return overridden;
}

/* ---- sets of rules ---- */

bool rules_add(struct rules *r, const struct rule *rule)
{
    if (r->count == RULES_MAX || r->nodes + rule->guard.count + rule->result.count > RULES_NODES_MAX)
        return false;
    struct rule_entry *to = &r->rule[r->count++];
    *to = (struct rule_entry){.point = rule->point,
                              .first = (uint16_t)r->nodes,
                              .guard = (uint16_t)rule->guard.count,
                              .result = (uint16_t)rule->result.count};
    memcpy(r->node + r->nodes, rule->guard.node, rule->guard.count * sizeof *r->node);
    r->nodes += rule->guard.count;
    memcpy(r->node + r->nodes, rule->result.node, rule->result.count * sizeof *r->node);
    r->nodes += rule->result.count;
    r->points[rule->point / 64] |= UINT64_C(1) << (rule->point % 64);
    return true;
}

bool rules_add_first(struct rules *r, const struct rule *rule)
{
    if (!rules_add(r, rule))
        return false;
    const struct rule_entry last = r->rule[r->count - 1];
    memmove(r->rule + 1, r->rule, (r->count - 1) * sizeof *r->rule);
    r->rule[0] = last;
    return true;
}

struct rule rules_get(const struct rules *r, uint32_t i)
{
    const struct rule_entry *from = &r->rule[i];
    struct rule rule = {.point = from->point, .guard.count = from->guard, .result.count = from->result};
    memcpy(rule.guard.node, r->node + from->first, from->guard * sizeof *r->node);
    memcpy(rule.result.node, r->node + from->first + from->guard, from->result * sizeof *r->node);
    return rule;
}
