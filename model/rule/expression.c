/* SPDX-License-Identifier: MIT */
#include "model/rule/expression.h"

#include "model/rule/operations.h"

#include <string.h>

#define ARITY_UNARY(name, text, value)           [EXPRESSION_##name] = 1,
#define ARITY_BINARY(name, text, rank, value)    [EXPRESSION_##name] = 2,
#define ARITY_FUNCTION(name, text, count, value) [EXPRESSION_##name] = (count),
static const uint8_t arity[EXPRESSION_OPERATORS] = {[EXPRESSION_AT] = 1,
                                                    [EXPRESSION_AT_INPUT] = 1,
                                                    [EXPRESSION_TABLE] = 2,
                                                    EXPRESSION_UNARY(ARITY_UNARY)
                                                        EXPRESSION_BINARY(ARITY_BINARY)
                                                            EXPRESSION_FUNCTION(ARITY_FUNCTION)};

unsigned expression_arity(enum expression_operator op)
{
    return arity[op];
}

bool expression_add_table(struct expression *e, const struct expression_table *t)
{
    uint32_t room = EXPRESSION_NODES_MAX - e->count, cells;
    cells = room ? expression_cells(t, e->node + e->count, room - 1) : 1;
    if (cells + 1 > room)
        return false;
    e->node[e->count + cells] = (struct expression_node){.op = EXPRESSION_TABLE, .operand = cells};
    e->count += cells + 1;
    return true;
}

/* Returns the words of input `i`. */
static const uint32_t *input_of(const struct expression_context *c, uint32_t i)
{
    return c->input + point_input_at(c->vectors, i);
}

/* One loop with one switch: runs with rules spend much of their time here. */
uint32_t expression_evaluate(const struct expression_node *nodes, uint32_t count,
                             const struct expression_context *context)
{
    uint32_t stack[EXPRESSION_NODES_MAX], *top = stack; /* the first free entry */
    stack[0] = 0;
/* Takes the operands from the stack. */
#define EVALUATE(taken, value)                                                                               \
    {                                                                                                        \
        const uint32_t a = *(top -= (taken)), b = (taken) > 1 ? top[1] : 0, c = (taken) > 2 ? top[2] : 0;    \
        (void)b, (void)c;                                                                                    \
        *top++ = (uint32_t)(value);                                                                          \
        break;                                                                                               \
    }
#define EVALUATE_UNARY(name, text, value)                                                                    \
    case EXPRESSION_##name:                                                                                  \
        EVALUATE(1, value)
#define EVALUATE_BINARY(name, text, rank, value)                                                             \
    case EXPRESSION_##name:                                                                                  \
        EVALUATE(2, value)
#define EVALUATE_FUNCTION(name, text, taken, value)                                                          \
    case EXPRESSION_##name:                                                                                  \
        EVALUATE(taken, value)
    for (const struct expression_node *n = nodes; n != nodes + count; n++)
        switch (n->op) {
        case EXPRESSION_CONSTANT:
            *top++ = n->operand;
            break;
        case EXPRESSION_VALUE:
            *top++ = context->value[context->lane];
            break;
        case EXPRESSION_INPUT:
            *top++ = input_of(context, n->operand)[n->operand < context->vectors ? context->lane : 0];
            break;
        case EXPRESSION_LANE:
            *top++ = context->lane;
            break;
        case EXPRESSION_AT:
            EVALUATE(1, context->value[a % context->lanes])
        case EXPRESSION_AT_INPUT:
            EVALUATE(1, input_of(context, n->operand)[a % context->lanes])
        case EXPRESSION_TABLE:
            EVALUATE(2, expression_cells_find(n - n->operand, n->operand, a, b))
            EXPRESSION_UNARY(EVALUATE_UNARY)
            EXPRESSION_BINARY(EVALUATE_BINARY)
            EXPRESSION_FUNCTION(EVALUATE_FUNCTION)
        default: /* a cell of a table */
            break;
        }
    return stack[0];
}

/* ---- what is known of a guard ---- */

struct partial {
    uint32_t value;
    bool known;
};

static struct partial combine(const struct expression_node *n, const struct partial *x)
{
    unsigned taken = arity[n->op];
    bool first = x[0].known, second = taken > 1 && x[1].known, third = taken > 2 && x[2].known;
    if (n->op == EXPRESSION_LOGICAL_AND && ((first && !x[0].value) || (second && !x[1].value)))
        return (struct partial){0, true};
    bool known = first && (second || taken < 2) && (third || taken < 3);
    if (!known || n->op == EXPRESSION_AT || n->op == EXPRESSION_AT_INPUT || n->op == EXPRESSION_TABLE)
        return (struct partial){0, false};
    struct expression_node node[4];
    for (unsigned i = 0; i < taken; i++)
        node[i] = (struct expression_node){EXPRESSION_CONSTANT, x[i].value};
    node[taken] = *n;
    return (struct partial){expression_evaluate(node, taken + 1, NULL), true};
}

bool expression_can_hold(const struct expression_node *nodes, uint32_t count, const uint32_t *input,
                         uint32_t known)
{
    struct partial stack[EXPRESSION_NODES_MAX + 1] = {{1, true}}; /* without a guard, a rule applies */
    unsigned top = 0;                                             /* number of entries */
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_node *n = &nodes[i];
        if (expression_is_cell(n))
            continue;
        top -= arity[n->op];
        if (arity[n->op])
            stack[top] = combine(n, &stack[top]);
        else if (n->op == EXPRESSION_INPUT && known >> n->operand & 1)
            stack[top] = (struct partial){input[n->operand], true};
        else
            stack[top] = (struct partial){n->operand, n->op == EXPRESSION_CONSTANT};
        top++;
    }
    return !stack[0].known || stack[0].value;
}

/* ---- all lanes at once ---- */

typedef uint32_t lanes[POINT_LANES_MAX];

static void fill(uint32_t *to, uint32_t word)
{
    for (unsigned i = 0; i < POINT_LANES_MAX; i++)
        to[i] = word;
}

static void leaf_lanes(const struct expression_node *n, const struct expression_context *c, uint32_t *to)
{
    if (n->op == EXPRESSION_VALUE)
        memcpy(to, c->value, sizeof(lanes));
    else if (n->op == EXPRESSION_INPUT && n->operand < c->vectors)
        memcpy(to, input_of(c, n->operand), sizeof(lanes));
    else if (n->op == EXPRESSION_LANE)
        for (unsigned i = 0; i < POINT_LANES_MAX; i++)
            to[i] = i;
    else
        fill(to, expression_evaluate(n, 1, c));
}

/* Replaces numbers of lanes by the words of `from` in these lanes. */
static void take_lanes(const uint32_t *from, uint32_t count, uint32_t *to)
{
    for (unsigned i = 0; i < POINT_LANES_MAX; i++)
        to[i] = from[to[i] % count];
}

/* Replaces the first operand by the result. */
static void apply_lanes(unsigned op, uint32_t *x, const uint32_t *y, const uint32_t *z)
{
#define APPLY_LANES_3(name, text, value)                                                                     \
    case EXPRESSION_##name:                                                                                  \
        for (unsigned i = 0; i < POINT_LANES_MAX; i++) {                                                     \
            uint32_t a = x[i], b = y[i], c = z[i];                                                           \
            (void)b, (void)c;                                                                                \
            x[i] = (uint32_t)(value);                                                                        \
        }                                                                                                    \
        return;
#define APPLY_LANES_4(name, text, rank, value) APPLY_LANES_3(name, text, value)
    switch (op) {
        EXPRESSION_UNARY(APPLY_LANES_3)
        EXPRESSION_BINARY(APPLY_LANES_4)
        EXPRESSION_FUNCTION(APPLY_LANES_4)
    default:
        return;
    }
}

void expression_evaluate_lanes(const struct expression_node *nodes, uint32_t count,
                               const struct expression_context *c, uint32_t *result)
{
    lanes stack[EXPRESSION_NODES_MAX];
    unsigned top = 0; /* number of entries */
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_node *n = &nodes[i];
        if (expression_is_cell(n))
            continue;
        unsigned taken = arity[n->op];
        top -= taken;
        if (!taken)
            leaf_lanes(n, c, stack[top]);
        else if (n->op == EXPRESSION_AT || n->op == EXPRESSION_AT_INPUT)
            take_lanes(n->op == EXPRESSION_AT ? c->value : input_of(c, n->operand), c->lanes, stack[top]);
        else if (n->op == EXPRESSION_TABLE)
            for (unsigned k = 0; k < POINT_LANES_MAX; k++)
                stack[top][k] =
                    expression_cells_find(n - n->operand, n->operand, stack[top][k], stack[top + 1][k]);
        else
            apply_lanes(n->op, stack[top], stack[top + (taken > 1)], stack[top + (taken > 2 ? 2 : 0)]);
        top++;
    }
    memcpy(result, stack[0], sizeof(lanes));
}

bool expression_equal(const struct expression *a, const struct expression *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->node[i].op != b->node[i].op || a->node[i].operand != b->node[i].operand)
            return false;
    return true;
}
