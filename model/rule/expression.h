/* SPDX-License-Identifier: MIT */
/*
 * Expressions of rules: integer arithmetic on 32-bit unsigned numbers. An expression reads the value at an
 * observation point and the point's inputs. It is stored in postfix order and evaluated on a small stack.
 * Every operator is defined for all operands: shifts by 32 or more give 0, division by 0 gives 0.
 */
#ifndef MISPRINT_MODEL_RULE_EXPRESSION_H
#define MISPRINT_MODEL_RULE_EXPRESSION_H

#include "model/core/error.h"
#include "model/rule/expression_table.h"
#include "model/rule/point.h"
#include "model/rule/rules.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stddef.h>

/* All operators except tables. Each row: the name in C, the text, the precedence of an infix operator (larger
 * binds tighter) or the number of a function's operands, and the result for operands a, b, c
 * (operations.h). */
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
    F(SIGNED_MINIMUM, "smin", 2, word_less(a, b) ? a : b) \
    F(SIGNED_MAXIMUM, "smax", 2, word_less(b, a) ? a : b) \
    F(ARITHMETIC_SHIFT, "asr", 2, word_asr(a, b)) \
    F(ROTATE_LEFT, "rotl", 2, word_rotate(a, b)) F(ROTATE_RIGHT, "rotr", 2, word_rotate(a, 0U - b)) \
    F(SIGN_EXTEND, "sext", 2, word_sign_extend(a, b)) F(LOW_BITS, "low", 2, a & word_ones(b)) \
    F(BITS, "bits", 3, b < 32 ? a >> b & word_ones(c) : 0) \
    F(SWAP_BYTES, "bswap", 1, __builtin_bswap32(a)) F(REVERSE_BITS, "reverse", 1, word_reverse(a)) \
    F(SELECT, "if", 3, a ? b : c) \
    F(BYTE, "byte", 2, b < 4 ? a >> 8 * b & 0xFF : 0) F(HALF, "half", 2, b < 2 ? a >> 16 * b & 0xFFFF : 0) \
    F(LEADING_ZEROS, "clz", 1, lane_clz(a)) F(ONES, "popcount", 1, __builtin_popcount(a)) \
    F(SIGNED_LESS, "slt", 2, word_less(a, b)) F(SIGNED_LESS_EQUAL, "sle", 2, !word_less(b, a)) \
    F(UNSIGNED_SATURATE, "usat", 2, word_usat(a, b)) F(SIGNED_SATURATE, "ssat", 2, word_ssat(a, b)) \
    F(MULTIPLY_HIGH, "mulhi", 2, word_high(a, b)) F(SIGNED_HIGH, "smulhi", 2, word_signed_high(a, b)) \
    F(MULTIPLY_24, "mul24", 2, (a & 0xFFFFFF) * (b & 0xFFFFFF)) \
    F(BYTES_ADD, "v8adds", 2, word_bytes(BYTES_ADD, a, b)) \
    F(BYTES_SUBTRACT, "v8subs", 2, word_bytes(BYTES_SUBTRACT, a, b)) \
    F(BYTES_MINIMUM, "v8min", 2, word_bytes(BYTES_MINIMUM, a, b)) \
    F(BYTES_MAXIMUM, "v8max", 2, word_bytes(BYTES_MAXIMUM, a, b)) \
    F(BYTES_MULTIPLY, "v8muld", 2, word_bytes(BYTES_MULTIPLY, a, b)) \
    F(FLOAT_ADD, "fadd", 2, float_add(operations_ieee, a, b)) \
    F(FLOAT_SUBTRACT, "fsub", 2, float_add(operations_ieee, a, b ^ FLOAT_SIGN)) \
    F(FLOAT_MULTIPLY, "fmul", 2, float_multiply(operations_ieee, a, b)) \
    F(FLOAT_ADD_RTZ, "fadd_rtz", 2, float_add(operations_rtz, a, b)) \
    F(FLOAT_SUBTRACT_RTZ, "fsub_rtz", 2, float_add(operations_rtz, a, b ^ FLOAT_SIGN)) \
    F(FLOAT_MULTIPLY_RTZ, "fmul_rtz", 2, float_multiply(operations_rtz, a, b)) \
    F(FLOAT_MINIMUM, "fmin", 2, float_min(operations_order, a, b)) \
    F(FLOAT_MAXIMUM, "fmax", 2, float_max(operations_order, a, b)) \
    F(FLOAT_OF_INT, "itof", 1, float_from_int(operations_ieee, a)) \
    F(FLOAT_OF_INT_RTZ, "itof_rtz", 1, float_from_int(operations_rtz, a)) \
    F(INT_OF_FLOAT, "ftoi", 1, float_to_int(operations_ftoi, a)) \
    F(INT_OF_FLOAT_FLOOR, "ftoi_floor", 1, float_floor_to_int(a)) \
    F(INT_OF_FLOAT_NEAREST, "ftoi_nearest", 1, float_to_int(operations_ftoi_nearest, a)) \
    F(FLOAT_OF_HALF, "htof", 1, float_from_half(false, false, a & 0xFFFF)) \
    F(HALF_OF_FLOAT, "ftoh", 1, float_to_half(operations_half, a)) \
    F(IS_NAN, "isnan", 1, float_is_nan(a) & 1) F(IS_DENORMAL, "isdenormal", 1, float_is_denormal(a) & 1) \
    F(HALF_IS_NAN, "hisnan", 1, half_class(a) == FLOAT_CLASS_NAN) \
    F(HALF_IS_DENORMAL, "hisdenormal", 1, half_class(a) == FLOAT_CLASS_DENORMAL)
/* clang-format on */

#define EXPRESSION_NAME3(name, text, value)       EXPRESSION_##name,
#define EXPRESSION_NAME4(name, text, rank, value) EXPRESSION_##name,
enum expression_operator {
    EXPRESSION_CONSTANT, /* `operand` */
    EXPRESSION_VALUE,    /* the value at the point */
    EXPRESSION_INPUT,    /* input number `operand` of the point */
    EXPRESSION_LANE,     /* the number of the lane: 0 at points with one lane */
    EXPRESSION_AT,       /* the value of another lane. Takes the lane's number, modulo the lanes */
    EXPRESSION_AT_INPUT, /* input number `operand`, a vector, of another lane */
    EXPRESSION_UNARY(EXPRESSION_NAME3) EXPRESSION_BINARY(EXPRESSION_NAME4)
        EXPRESSION_FUNCTION(EXPRESSION_NAME4)
    /* A table look-up. Takes x and a default, which is the result if the table does not list x. The `operand`
     * nodes directly before this one are the table's cells (expression_table.h). */
    EXPRESSION_TABLE,
    EXPRESSION_OPERATORS
};

enum { EXPRESSION_NODES_MAX = 96 };

struct expression {
    uint32_t count; /* 0: no expression */
    struct expression_node node[EXPRESSION_NODES_MAX];
};

/* Adds a table. The expression must end with its operands: x, and the result for an x that is not listed.
 * Returns false if there is no room. */
bool expression_add_table(struct expression *e, const struct expression_table *t);

/* Returns the number of operands that an operator takes from the stack. */
unsigned expression_arity(enum expression_operator op);

/* What an expression reads: the value that passes a point, and the point's inputs. */
struct expression_context {
    const uint32_t *value; /* of each lane */
    const uint32_t *input; /* the words of all inputs */
    uint32_t vectors;      /* the number of inputs that are vectors */
    uint32_t lane, lanes;
};
uint32_t expression_evaluate(const struct expression_node *nodes, uint32_t count,
                             const struct expression_context *c);

/* Can a guard hold if some inputs of the point have these values? `known`: bit n is set if input n is given;
 * `input`: the given inputs, by number. Returns false only if the guard is 0 whatever the value and the other
 * inputs are. */
bool expression_can_hold(const struct expression_node *nodes, uint32_t count, const uint32_t *input,
                         uint32_t known);

/* Computes the results in all 16 lanes of a vector point, and does not use c->lane. Takes a tenth of the time
 * of one evaluation for each lane. */
void expression_evaluate_lanes(const struct expression_node *nodes, uint32_t count,
                               const struct expression_context *c, uint32_t *result);

/* Prints with the fewest parentheses; `p` has the names of the inputs. Numbers from 10 on are hexadecimal. */
void expression_print(const struct expression *e, const struct point *p, struct text *t);

/* Prints the result of a rule. Uses the words "skip", "twice" and "late 2" where the language has them. */
void expression_print_result(const struct expression *e, const struct point *p, struct text *t);

/*
 * Parses characters from *at on. Stops at the end, or before a character that cannot continue an expression
 * ("=", ")"). Sets *at to the index of the first character not parsed. The error names the column in `text`
 * (1-based) and the nearest known name.
 */
bool expression_parse(const struct point *p, const char *text, size_t count, size_t *at, struct expression *e,
                      struct error *error);

bool expression_equal(const struct expression *a, const struct expression *b);

#endif
