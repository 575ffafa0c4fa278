/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the GP's units on single values, under the rules of a
 * profile. Functions add the clauses that decided something to `covered`. The
 * functions with `known` work on values that are only partly known: the result's
 * tolerance includes the results of all values within the operands' tolerances,
 * and no defined bit of the result depends on an undefined bit.
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_ALU_H
#define MISPRINT_MODEL_UTGARD_GP_ALU_H

#include "model/utgard/gp.h"

enum { GP_ONE = 0x3F800000 };

/* Returns the result of an action from GP_DO_ADD to GP_DO_MOVE, which has one or two operands. */
uint32_t gp_compute(const struct gp_rules *r, enum gp_action action, uint32_t a, uint32_t b,
                    uint64_t *covered);

/* The two most frequent operations, whose fast paths are inline. */
uint32_t gp_add_slow(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered);
uint32_t gp_multiply_slow(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered);

/* Is x a number with exponent field 1 to 254? */
FLOAT_INLINE bool gp_is_normal(uint32_t x)
{
    return (x & 0x7FFFFFFF) - FLOAT_HIDDEN < FLOAT_INF - FLOAT_HIDDEN;
}

FLOAT_INLINE uint32_t gp_multiply(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered)
{
    uint64_t product =
        (uint64_t)((a & 0x7FFFFF) | FLOAT_HIDDEN) * ((b & 0x7FFFFF) | FLOAT_HIDDEN); /* 2^46 .. 2^48 */
    uint32_t carry = (uint32_t)(product >> 47), e = float_exponent(a) + float_exponent(b) + carry - 127;
    if (!gp_is_normal(a) || !gp_is_normal(b) || e - 1 >= 253 || !r->ordinary)
        return gp_multiply_slow(r, a, b, covered);
    uint32_t down = 23 + carry;
    uint64_t rest = product & ((UINT64_C(1) << down) - 1), half = UINT64_C(1) << (down - 1);
    uint32_t kept = (uint32_t)(product >> down);
    uint32_t up = rest > half || (rest == half && (kept & 1));
    *covered |= rest ? GP_CLAUSE_BIT(GP_CLAUSE_ROUNDING) : 0;
    return ((a ^ b) & FLOAT_SIGN) | (((e - 1) << 23) + kept + up);
}

FLOAT_INLINE uint32_t gp_add(const struct gp_rules *r, uint32_t a, uint32_t b, uint64_t *covered)
{
    bool swap = float_magnitude(b) > float_magnitude(a);
    uint32_t large = swap ? b : a, small = swap ? a : b;
    uint32_t e = float_exponent(large), apart = e - float_exponent(small);
    if (!gp_is_normal(large) || !gp_is_normal(small) || !r->ordinary)
        return gp_add_slow(r, a, b, covered);
    uint64_t m = (uint64_t)((large & 0x7FFFFF) | FLOAT_HIDDEN) << 32,
             n = (uint64_t)((small & 0x7FFFFF) | FLOAT_HIDDEN) << 32;
    uint32_t down = apart < 60 ? apart : 60;
    uint64_t lost = n & ((UINT64_C(1) << down) - 1);
    n = (n >> down) | (lost != 0);
    uint64_t sum = (a ^ b) >> 31 ? m - n : m + n; /* the hidden bit is bit 55 */
    if (!sum)
        return 0;
    uint32_t top = 63 - (uint32_t)__builtin_clzll(sum);
    uint32_t field = e + top - 55; /* exponent field of the result */
    if (field - 1 >= 253)
        return gp_add_slow(r, a, b, covered);
    uint64_t placed = sum << (63 - top); /* the hidden bit is bit 63 */
    uint32_t kept = (uint32_t)(placed >> 40);
    uint64_t rest = placed << 24, half = UINT64_C(1) << 63;
    uint32_t up = rest > half || (rest == half && (kept & 1));
    *covered |= rest ? GP_CLAUSE_BIT(GP_CLAUSE_ROUNDING) : 0;
    return (large & FLOAT_SIGN) | (((field - 1) << 23) + kept + up);
}

/* min(max(in, x), y), or by the other readings of gp-clamp-order. */
uint32_t gp_clamp(const struct gp_rules *r, uint32_t in, uint32_t x, uint32_t y, uint64_t *covered);
/* The two steps of clamp, by readings of gp-clamp-order: minimum or maximum, and which bound comes first. */
struct gp_clamp_order {
    enum gp_action first, second;
    bool y_first;
};
extern const struct gp_clamp_order gp_clamp_orders[];
/* Do the readings of gp-clamp-order give different values? */
bool gp_clamp_is_disputed(const struct gp_rules *r, uint32_t in, uint32_t x, uint32_t y, uint64_t *covered);

/* Is a condition true? */
bool gp_truth(const struct gp_rules *r, uint32_t condition, uint64_t *covered);

struct gp_operand {
    uint32_t value;
    struct gp_known known;
};

/* Do the defined bits of a condition decide its truth? A NaN decides it even if its sign and payload are
 * undefined. */
bool gp_truth_is_known(const struct gp_operand *condition);

/* Returns a function's value, and sets `known` to its known part. */
uint32_t gp_function(const struct gp_rules *r, enum gp_complex_op op, struct gp_operand x,
                     struct gp_known *known, uint64_t *covered);
/* For observation points: does the function give a NaN for an operand with this sign (FLOAT_SIGN or 0)? */
bool gp_function_is_invalid(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, uint32_t sign);
/* For observation points: returns the function's value if a rule decides the operand's sign (FLOAT_SIGN or
 * 0), or whether the function gives a NaN (`invalid`). */
uint32_t gp_function_by(const struct gp_rules *r, enum gp_complex_op op, uint32_t x, uint32_t sign,
                        bool invalid);
/* Returns the partial result that the complex unit gives if a function has value `full` (gp-partials). */
uint32_t gp_partial(const struct gp_rules *r, uint32_t full);

/* Sets *value to the result, and returns its known part. Operands that an action does not use count as fully
 * known. */
struct gp_known gp_compute_known(const struct gp_rules *r, enum gp_action action,
                                 const struct gp_operand operand[3], uint32_t *value, uint64_t *covered);

/* Converts a value to the vector number that an address register then holds. */
int32_t gp_address(unsigned reading, uint32_t value);

#endif
