/* SPDX-License-Identifier: MIT */
/*
 * How large an expression is: of rules that explain as much, the smallest is learned. A size says how many
 * bits a description takes, in tenths, and how seldom hardware does such a thing. So "value & 0x1f" is
 * smaller than "v8subs(value, kind)".
 */
#include "fuzz/learn/search/study.h"

enum {
    SIZE_OPERAND = 50, /* the value, a number, */
    SIZE_INPUT = 70,   /* an input, the lane: a number that passes by chance costs as much as 3 */
    SIZE_BIT = 10,     /* each bit of a number ... */
    SIZE_RUN = 80,     /* ... or each run of ones in it, if that is less */
    SIZE_USUAL = 60,   /* an operator that addresses, masks and comparisons are made of */
    SIZE_SELDOM = 90,
    SIZE_CELL = 100,    /* one run of numbers in a table */
    SIZE_CLASS = 200,   /* a test for NaN or denormal: it often fits numbers that are no floats, by chance */
    SIZE_SPECIAL = 140, /* an operation of floats, of bytes, or of high halves */
};

static uint32_t runs_of_ones(uint32_t number)
{
    return (uint32_t)__builtin_popcount(number & ~(number << 1));
}

static uint32_t size_of_number(uint32_t number)
{
    uint32_t length = number ? 32U - (uint32_t)__builtin_clz(number) : 0;
    uint32_t as_bits = SIZE_BIT * length, as_runs = SIZE_RUN * runs_of_ones(number);
    return SIZE_OPERAND + (as_bits < as_runs ? as_bits : as_runs);
}

bool number_is_arbitrary(uint32_t number)
{
    return size_of_number(number) > SIZE_OPERAND + 2 * SIZE_RUN;
}

uint32_t node_size(uint32_t op, uint32_t operand)
{
    switch (op) {
    case EXPRESSION_CONSTANT:
        return size_of_number(operand);
    case EXPRESSION_VALUE:
        return SIZE_OPERAND;
    case EXPRESSION_INPUT:
    case EXPRESSION_LANE:
        return SIZE_INPUT;
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_XOR:
    case EXPRESSION_SHIFT_LEFT:
    case EXPRESSION_SHIFT_RIGHT:
    case EXPRESSION_EQUAL:
    case EXPRESSION_DIFFERENT:
    case EXPRESSION_LESS:
    case EXPRESSION_LESS_EQUAL:
    case EXPRESSION_GREATER:
    case EXPRESSION_GREATER_EQUAL:
    case EXPRESSION_SIGNED_LESS:
    case EXPRESSION_SIGNED_LESS_EQUAL:
    case EXPRESSION_LOGICAL_AND:
    case EXPRESSION_LOGICAL_OR:
    case EXPRESSION_LOGICAL_NOT:
    case EXPRESSION_NOT:
        return SIZE_USUAL;
    case EXPRESSION_NEGATE:
    case EXPRESSION_AT:
    case EXPRESSION_AT_INPUT:
    case EXPRESSION_MINIMUM:
    case EXPRESSION_MAXIMUM:
    case EXPRESSION_SIGNED_MINIMUM:
    case EXPRESSION_SIGNED_MAXIMUM:
    case EXPRESSION_ARITHMETIC_SHIFT:
    case EXPRESSION_SIGN_EXTEND:
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_LOW_BITS:
    case EXPRESSION_BITS:
    case EXPRESSION_SELECT:
        return SIZE_SELDOM;
    case EXPRESSION_IS_NAN:
    case EXPRESSION_IS_DENORMAL:
    case EXPRESSION_HALF_IS_NAN:
    case EXPRESSION_HALF_IS_DENORMAL:
        return SIZE_CLASS;
    default:
        return SIZE_SPECIAL;
    }
}

uint32_t expression_size(const struct expression *e)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < e->count; i++)
        size += expression_is_cell(&e->node[i]) ? SIZE_CELL : node_size(e->node[i].op, e->node[i].operand);
    return size;
}
