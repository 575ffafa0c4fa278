/* SPDX-License-Identifier: MIT */
/* Makes other guards from a guard: its two sides, wider ones, and weaker ones (study.h). */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns where the operand that ends before node `end` begins. */
static uint32_t operand_from(const struct expression *e, uint32_t end)
{
    uint32_t at = end, wanted = 1;
    while (wanted) { /* a table's cells stand before it, and are no operands */
        const struct expression_node *n = &e->node[--at];
        wanted += expression_arity((enum expression_operator)n->op) - 1;
        at -= n->op == EXPRESSION_TABLE ? n->operand : 0;
    }
    return at;
}

static struct expression part_of(const struct expression *e, uint32_t from, uint32_t to)
{
    struct expression part = {.count = to - from};
    memcpy(part.node, e->node + from, part.count * sizeof *part.node);
    return part;
}

bool guard_split(const struct expression *guard, struct expression part[2])
{
    const uint32_t last = guard->count - 1;
    if (!guard->count || guard->node[last].op != EXPRESSION_LOGICAL_OR ||
        guard->count + 2 > EXPRESSION_NODES_MAX)
        return false;
    const uint32_t middle = operand_from(guard, last);
    const struct expression side[2] = {part_of(guard, 0, middle), part_of(guard, middle, last)};
    for (unsigned i = 0; i < 2; i++) {
        struct expression other = side[!i];
        other.node[other.count++] = (struct expression_node){EXPRESSION_LOGICAL_NOT, 0};
        part[i] = expression_join(EXPRESSION_LOGICAL_AND, &side[i], &other);
    }
    return true;
}

/* ---- wider and weaker guards ---- */

/* Moves the number of the comparison at node `at` to the first visit at which it does not hold. Returns false
 * if there is none, or if the comparison would say the same as before. */
static bool widen_at(const struct guarded_visit *visits, uint32_t count, const struct unit *u,
                     struct expression *e, uint32_t at)
{
    const uint32_t op = e->node[at].op, number = e->node[at - 1].operand;
    const bool below = op == EXPRESSION_LESS || op == EXPRESSION_LESS_EQUAL;
    const int64_t limit = op == EXPRESSION_LESS_EQUAL      ? (int64_t)number + 1
                          : op == EXPRESSION_GREATER_EQUAL ? (int64_t)number - 1
                                                           : number; /* the first number beyond */
    const struct expression operand = part_of(e, operand_from(e, at - 1), at - 1);
    int64_t next = 0;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_context c = visit_context(u, visits[i].at, visits[i].lane);
        const int64_t x = expression_evaluate(operand.node, operand.count, &c);
        if ((below ? x >= limit : x <= limit) && (!found || (below ? x < next : x > next))) {
            next = x;
            found = true;
        }
    }
    if (!found || next == limit)
        return false;
    e->node[at - 1].operand = (uint32_t)next;
    e->node[at].op = below ? EXPRESSION_LESS : next ? EXPRESSION_GREATER : EXPRESSION_DIFFERENT;
    return true;
}

bool guard_widen(const struct unit *u, const struct guarded_visit *visits, uint32_t count,
                 const struct expression *guard, struct expression *wide)
{
    bool any = false;
    *wide = *guard;
    for (uint32_t at = 2; at < wide->count; at++) {
        const uint32_t op = wide->node[at].op;
        const bool orders = op == EXPRESSION_LESS || op == EXPRESSION_LESS_EQUAL ||
                            op == EXPRESSION_GREATER || op == EXPRESSION_GREATER_EQUAL;
        if (orders && wide->node[at - 1].op == EXPRESSION_CONSTANT && !expression_is_cell(&wide->node[at]))
            any |= widen_at(visits, count, u, wide, at);
    }
    return any;
}

/* Splits "a && b && c" into its conditions. Returns how many; 1 if it is not of this form. */
static uint32_t split_and(const struct expression *guard, struct expression part[WEAKER_PARTS])
{
    uint32_t count = 0, end = guard->count;
    while (end && guard->node[end - 1].op == EXPRESSION_LOGICAL_AND && count + 2 < WEAKER_PARTS) {
        const uint32_t from = operand_from(guard, end - 1);
        part[count++] = part_of(guard, from, end - 1);
        end = from;
    }
    part[count++] = part_of(guard, 0, end);
    return count;
}

/* Joins conditions by "and". Takes `by` for condition `which`, or leaves it out if `by` is null. */
static struct expression join_parts(const struct expression *part, uint32_t count, uint32_t which,
                                    const struct expression *by)
{
    struct expression e = {.count = 0};
    for (uint32_t i = count; i-- > 0;) {
        const struct expression *one = i == which ? by : &part[i];
        if (one)
            e = e.count ? expression_join(EXPRESSION_LOGICAL_AND, &e, one) : *one;
    }
    return e;
}

/* Makes "x == NUMBER" the condition that x is a float of the same kind as the number: a NaN, an infinity, a
 * zero or a denormal number, of either sign. Returns false for other conditions and numbers. */
static bool weaken_float(const struct point *p, const struct expression *e, struct expression *to)
{
    const struct expression_node *n = e->node;
    if (e->count != 3 || n[2].op != EXPRESSION_EQUAL || n[1].op != EXPRESSION_CONSTANT ||
        (n[0].op != EXPRESSION_VALUE && n[0].op != EXPRESSION_INPUT) ||
        (n[0].op == EXPRESSION_VALUE ? p->width : p->input[n[0].operand].width) != 32)
        return false;
    const uint32_t number = n[1].operand & 0x7FFFFFFF, infinity = 0x7F800000, normal = 0x00800000;
    const struct expression x = part_of(e, 0, 1),
                            magnitude = expression_compared(&x, EXPRESSION_AND, 0x7FFFFFFF);
    if (number == infinity || number == 0)
        *to = expression_compared(&magnitude, EXPRESSION_EQUAL, number);
    else if (number > infinity || number < normal) {
        *to = x;
        to->node[to->count++] =
            (struct expression_node){number > infinity ? EXPRESSION_IS_NAN : EXPRESSION_IS_DENORMAL, 0};
    } else
        return false;
    return true;
}

uint32_t guard_weaker(const struct point *p, const struct expression *guard,
                      struct expression found[WEAKER_MAX])
{
    struct expression *part = memory_new(WEAKER_PARTS, sizeof *part), weak;
    const uint32_t parts = guard->count ? split_and(guard, part) : 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < parts; i++) {
        found[count++] = join_parts(part, parts, i, NULL);
        if (guard->count + 2 <= EXPRESSION_NODES_MAX && weaken_float(p, &part[i], &weak))
            found[count++] = join_parts(part, parts, i, &weak);
    }
    free(part);
    return count;
}
