/* SPDX-License-Identifier: MIT */
#include "model/rule/expression.h"

#include <string.h>

static uint32_t rotate(uint32_t a, uint32_t left)
{
    left &= 31;
    return left ? a << left | a >> (32 - left) : a;
}

static uint32_t shift_arithmetic(uint32_t a, uint32_t b)
{
    uint32_t sign = a >> 31 ? UINT32_MAX : 0;
    return b == 0 ? a : b < 32 ? a >> b | sign << (32 - b) : sign;
}

/* Copies bit `bits` - 1 to all bits above it. */
static uint32_t sign_extend(uint32_t a, uint32_t bits)
{
    if (bits == 0 || bits >= 32)
        return bits ? a : 0;
    uint32_t sign = 1U << (bits - 1);
    a &= (sign << 1) - 1;
    return (a ^ sign) - sign;
}

static uint32_t reverse(uint32_t a)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (a >> i & 1) << (31 - i);
    return r;
}

#define ARITY_UNARY(name, text, value)           [EXPRESSION_##name] = 1,
#define ARITY_BINARY(name, text, rank, value)    [EXPRESSION_##name] = 2,
#define ARITY_FUNCTION(name, text, count, value) [EXPRESSION_##name] = (count),
static const uint8_t arity[EXPRESSION_OPERATORS] = {[EXPRESSION_AT] = 1,
                                                    EXPRESSION_UNARY(ARITY_UNARY)
                                                        EXPRESSION_BINARY(ARITY_BINARY)
                                                            EXPRESSION_FUNCTION(ARITY_FUNCTION)};

unsigned expression_arity(enum expression_operator op)
{
    return arity[op];
}

static uint32_t leaf(const struct expression_node *n, const struct expression_context *c)
{
    switch (n->op) {
    case EXPRESSION_CONSTANT:
        return n->operand;
    case EXPRESSION_VALUE:
        return c->value[c->lane];
    case EXPRESSION_INPUT:
        return c->input[point_input_at(c->vectors, n->operand) + (n->operand < c->vectors ? c->lane : 0)];
    default:
        return c->lane;
    }
}

/* The result of an operator that needs its operands only. */
static uint32_t apply(unsigned op, uint32_t a, uint32_t b, uint32_t c)
{
#define APPLY_3(name, text, value)                                                                           \
    case EXPRESSION_##name:                                                                                  \
        return (uint32_t)(value);
#define APPLY_4(name, text, rank, value) APPLY_3(name, text, value)
    switch (op) {
        EXPRESSION_UNARY(APPLY_3)
        EXPRESSION_BINARY(APPLY_4)
        EXPRESSION_FUNCTION(APPLY_4)
    default:
        return 0;
    }
}

uint32_t expression_evaluate(const struct expression_node *nodes, uint32_t count,
                             const struct expression_context *c)
{
    uint32_t stack[EXPRESSION_NODES_MAX + 3] = {0};
    unsigned top = 0; /* number of entries */
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_node *n = &nodes[i];
        unsigned taken = arity[n->op];
        if (!taken) {
            stack[top++] = leaf(n, c);
            continue;
        }
        top -= taken;
        stack[top] = n->op == EXPRESSION_AT ? c->value[stack[top] % c->lanes]
                                            : apply(n->op, stack[top], stack[top + 1], stack[top + 2]);
        top++;
    }
    return stack[0];
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
        memcpy(to, c->input + point_input_at(c->vectors, n->operand), sizeof(lanes));
    else if (n->op == EXPRESSION_LANE)
        for (unsigned i = 0; i < POINT_LANES_MAX; i++)
            to[i] = i;
    else
        fill(to, leaf(n, c));
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
    lanes stack[EXPRESSION_NODES_MAX + 3];
    unsigned top = 0; /* number of entries */
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_node *n = &nodes[i];
        unsigned taken = arity[n->op];
        top -= taken;
        if (!taken)
            leaf_lanes(n, c, stack[top]);
        else if (n->op == EXPRESSION_AT)
            for (unsigned k = 0; k < POINT_LANES_MAX; k++)
                stack[top][k] = c->value[stack[top][k] % c->lanes];
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
