/* SPDX-License-Identifier: MIT */
/*
 * What the operators of expressions compute (expression.h). All operands and results are 32-bit words, and
 * every operation is defined for all operands. Float arithmetic is that of model/number/float32.h, in
 * integers.
 */
#ifndef MISPRINT_MODEL_RULE_OPERATIONS_H
#define MISPRINT_MODEL_RULE_OPERATIONS_H

#include "model/number/float32.h"

static inline uint32_t word_rotate(uint32_t a, uint32_t left)
{
    left &= 31;
    return left ? a << left | a >> (32 - left) : a;
}

static inline uint32_t word_asr(uint32_t a, uint32_t b)
{
    uint32_t sign = a >> 31 ? UINT32_MAX : 0;
    return b == 0 ? a : b < 32 ? a >> b | sign << (32 - b) : sign;
}

/* Copies bit `bits` - 1 to all bits above it. */
static inline uint32_t word_sign_extend(uint32_t a, uint32_t bits)
{
    if (bits == 0 || bits >= 32)
        return bits ? a : 0;
    uint32_t sign = 1U << (bits - 1);
    a &= (sign << 1) - 1;
    return (a ^ sign) - sign;
}

static inline uint32_t word_reverse(uint32_t a)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (a >> i & 1) << (31 - i);
    return r;
}

/* Returns a word whose low n bits are set. */
static inline uint32_t word_ones(uint32_t n)
{
    return n < 32 ? (1U << n) - 1 : UINT32_MAX;
}

/* Clamps the signed number a to the unsigned numbers of n bits. */
static inline uint32_t word_usat(uint32_t a, uint32_t n)
{
    return a >> 31 ? 0 : lane_min(a, word_ones(n));
}

/* Clamps the signed number a to the signed numbers of n bits. */
static inline uint32_t word_ssat(uint32_t a, uint32_t n)
{
    if (n == 0 || n >= 32)
        return n ? a : 0;
    uint32_t most = word_ones(n - 1);
    return a >> 31 ? ~lane_min(~a, most) : lane_min(a, most);
}

static inline uint32_t word_less(uint32_t a, uint32_t b)
{
    return (a ^ FLOAT_SIGN) < (b ^ FLOAT_SIGN);
}

static inline uint32_t word_high(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

/* Returns the high word of the signed product. */
static inline uint32_t word_signed_high(uint32_t a, uint32_t b)
{
    return word_high(a, b) - (a >> 31 ? b : 0) - (b >> 31 ? a : 0);
}

/* The vector operations of the QPU, on the four bytes of a word. */
enum byte_operation { BYTES_ADD, BYTES_SUBTRACT, BYTES_MINIMUM, BYTES_MAXIMUM, BYTES_MULTIPLY };
static inline uint32_t word_bytes(enum byte_operation op, uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        uint32_t x = a >> i & 255, y = b >> i & 255, z;
        if (op == BYTES_ADD)
            z = lane_min(x + y, 255);
        else if (op == BYTES_SUBTRACT)
            z = x - lane_min(x, y);
        else if (op == BYTES_MULTIPLY)
            z = (x * y + 127) / 255;
        else
            z = (op == BYTES_MINIMUM) == (x < y) ? x : y;
        r |= z << i;
    }
    return r;
}

static const struct float_rules operations_ieee = {0};
/* The rules of the QPU's silicon: it rounds toward zero, takes denormals as 0, and returns no NaN and no
 * -0. */
static const struct float_rules operations_rtz = {.rounding = ROUND_TRUNCATE,
                                                  .flush = true,
                                                  .no_negative_zero = true,
                                                  .nan_is_infinity = true,
                                                  .zero_wins = true};
static const struct order_rules operations_order = {0};
static const struct ftoi_rules operations_ftoi = {.rounding = ROUND_TRUNCATE};
static const struct ftoi_rules operations_ftoi_nearest = {.rounding = ROUND_NEAREST_EVEN};
static const struct half_rules operations_half = {0};

/* Converts a float to a signed integer, rounding down. Below 2^23, where numbers have fractions, the
 * conversion back is exact. */
static inline uint32_t float_floor_to_int(uint32_t x)
{
    const uint32_t whole = float_to_int(operations_ftoi, x);
    const bool rounded_up =
        x > FLOAT_SIGN && float_exponent(x) < 150 && float_from_int(operations_ieee, whole) != x;
    return whole - rounded_up;
}

#endif
