/* SPDX-License-Identifier: MIT */
/*
 * Expressions of rules: integer arithmetic on 32-bit unsigned numbers, over the value at an observation point
 * and the inputs known there. An expression is stored in postfix order and evaluated on a small stack. Every
 * operator is defined for all operands: shifts by 32 or more give 0, division by 0 gives 0.
 */
#ifndef MISPRINT_MODEL_RULE_EXPRESSION_H
#define MISPRINT_MODEL_RULE_EXPRESSION_H

#include "model/core/error.h"
#include "model/rule/point.h"
#include "model/rule/rules.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stddef.h>

/* All operators: name in C, arity, text, precedence (infix only; larger binds tighter), result for a, b, c.
 */
/* clang-format off */
#define EXPRESSION_UNARY(F) \
    F(NOT, "~", ~a) F(NEGATE, "-", 0U - a) F(LOGICAL_NOT, "!", !a)
#define EXPRESSION_BINARY(F) \
    F(LOGICAL_OR, "||", 1, a || b) F(LOGICAL_AND, "&&", 2, a && b) \
    F(OR, "|", 3, a | b) F(XOR, "^", 4, a ^ b) F(AND, "&", 5, a & b) \
    F(EQUAL, "==", 6, a == b) F(DIFFERENT, "!=", 6, a != b) \
    F(LESS, "<", 7, a < b) F(LESS_EQUAL, "<=", 7, a <= b) F(GREATER, ">", 7, a > b) \
    F(GREATER_EQUAL, ">=", 7, a >= b) \
    F(SHIFT_LEFT, "<<", 8, b < 32 ? a << b : 0) F(SHIFT_RIGHT, ">>", 8, b < 32 ? a >> b : 0) \
    F(ADD, "+", 9, a + b) F(SUBTRACT, "-", 9, a - b) \
    F(MULTIPLY, "*", 10, a * b) F(DIVIDE, "/", 10, b ? a / b : 0) F(REMAINDER, "%", 10, b ? a % b : 0)
#define EXPRESSION_FUNCTION(F) \
    F(MINIMUM, "min", 2, a < b ? a : b) F(MAXIMUM, "max", 2, a > b ? a : b) \
    F(SIGNED_MINIMUM, "smin", 2, (int32_t)a < (int32_t)b ? a : b) \
    F(SIGNED_MAXIMUM, "smax", 2, (int32_t)a > (int32_t)b ? a : b) \
    F(ARITHMETIC_SHIFT, "asr", 2, shift_arithmetic(a, b)) \
    F(ROTATE_LEFT, "rotl", 2, rotate(a, b)) F(ROTATE_RIGHT, "rotr", 2, rotate(a, 0U - b)) \
    F(SIGN_EXTEND, "sext", 2, sign_extend(a, b)) F(LOW_BITS, "low", 2, b < 32 ? a & ((1U << b) - 1) : a) \
    F(BITS, "bits", 3, b < 32 ? a >> b & (c < 32 ? (1U << c) - 1 : UINT32_MAX) : 0) \
    F(SWAP_BYTES, "bswap", 1, __builtin_bswap32(a)) F(REVERSE_BITS, "reverse", 1, reverse(a)) \
    F(SELECT, "if", 3, a ? b : c)
/* clang-format on */

#define EXPRESSION_NAME3(name, text, value)       EXPRESSION_##name,
#define EXPRESSION_NAME4(name, text, rank, value) EXPRESSION_##name,
enum expression_operator {
    EXPRESSION_CONSTANT, /* `operand` */
    EXPRESSION_VALUE,    /* the value at the point */
    EXPRESSION_INPUT,    /* input number `operand` of the point */
    EXPRESSION_LANE,     /* the number of the lane: 0 at points with one lane */
    EXPRESSION_AT,       /* the value of another lane; its number, modulo the lanes, is on the stack */
    EXPRESSION_UNARY(EXPRESSION_NAME3) EXPRESSION_BINARY(EXPRESSION_NAME4)
        EXPRESSION_FUNCTION(EXPRESSION_NAME4) EXPRESSION_OPERATORS
};

enum { EXPRESSION_NODES_MAX = 32 };

struct expression {
    uint32_t count; /* 0: no expression */
    struct expression_node node[EXPRESSION_NODES_MAX];
};

/* How many operands an operator takes from the stack. */
unsigned expression_arity(enum expression_operator op);

/* What an expression is evaluated over: a value that passes a point, and the inputs. */
struct expression_context {
    const uint32_t *value; /* of each lane */
    const uint32_t *input; /* the words of all inputs */
    uint32_t vectors;      /* how many inputs are vectors */
    uint32_t lane, lanes;
};
uint32_t expression_evaluate(const struct expression_node *nodes, uint32_t count,
                             const struct expression_context *c);

/* The results in all 16 lanes of a vector point, whatever c->lane is. Takes a tenth of the time of one
 * evaluation for each lane. */
void expression_evaluate_lanes(const struct expression_node *nodes, uint32_t count,
                               const struct expression_context *c, uint32_t *result);

/* Prints with the fewest parentheses; `p` has the names of the inputs. Numbers from 10 on are hexadecimal. */
void expression_print(const struct expression *e, const struct point *p, struct text *t);

/*
 * Parses characters from *at on, and stops at the end or before a character that cannot go on ("=", ")").
 * *at: of the first character not parsed. The error names the column in `text` (1-based) and the nearest
 * known name.
 */
bool expression_parse(const struct point *p, const char *text, size_t count, size_t *at, struct expression *e,
                      struct error *error);

bool expression_equal(const struct expression *a, const struct expression *b);

#endif
