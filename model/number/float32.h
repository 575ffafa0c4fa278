/* SPDX-License-Identifier: MIT */
/*
 * Binary32 arithmetic of one lane, in integer operations: add, multiply, order, conversions. Where machines
 * differ, a member of a rules struct says what to do. Units fill these structs from a profile. If all members
 * are 0, the rules are those of IEEE 754. The functions have no branches. So compilers vectorise a loop over
 * lanes if the rules are constant.
 */
#ifndef MISPRINT_MODEL_NUMBER_FLOAT32_H
#define MISPRINT_MODEL_NUMBER_FLOAT32_H

#include <stdbool.h>
#include <stdint.h>

#define FLOAT_INLINE static inline __attribute__((always_inline))

#define FLOAT_SIGN   UINT32_C(0x80000000)
#define FLOAT_INF    UINT32_C(0x7F800000)
#define FLOAT_MAX    UINT32_C(0x7F7FFFFF)
#define FLOAT_NAN    UINT32_C(0x7FC00000) /* the NaN that operations produce */
#define FLOAT_HIDDEN UINT32_C(0x00800000)

enum float_rounding { ROUND_NEAREST_EVEN, ROUND_TRUNCATE, ROUND_HALF_AWAY };

/* All members 0: IEEE 754 with the default NaN. */
struct float_rules {
    uint8_t rounding;      /* enum float_rounding */
    bool flush;            /* denormal operands and results count as +0 */
    bool no_negative_zero; /* a result of -0 becomes +0 */
    /* An operand with exponent 255 makes the result an infinity. Its sign is that of the last such operand
     * when adding, and the XOR of the signs when multiplying. */
    bool nan_is_infinity;
    bool zero_wins; /* multiplying: exponent 0 in an operand gives +0 even if the other has exponent 255 */
    bool overflow_is_max; /* adding: a result beyond the range becomes the largest finite number, not Inf */
};

/* What conversion to integer returns for a finite number that is out of range. */
enum ftoi_range { FTOI_SATURATES, FTOI_ENDS_REPORTED, FTOI_ZERO, FTOI_SHIFTER };
struct ftoi_rules {
    uint8_t rounding;      /* ROUND_TRUNCATE or ROUND_NEAREST_EVEN */
    bool infinity_is_zero; /* Inf gives 0; otherwise Inf saturates. NaN gives 0 in both cases */
    uint8_t range;         /* enum ftoi_range */
};

FLOAT_INLINE uint32_t float_exponent(uint32_t x)
{
    return (x >> 23) & 255;
}

FLOAT_INLINE uint32_t float_magnitude(uint32_t x)
{
    return x & 0x7FFFFFFF;
}

/* Returns all ones if the condition holds, otherwise 0. */
FLOAT_INLINE uint32_t lane_mask(bool condition)
{
    return 0U - (uint32_t)condition;
}

/* Returns the number of leading zeros of x (32 for 0), without a branch. */
FLOAT_INLINE uint32_t lane_clz(uint32_t x)
{
    uint32_t n = 0, more;
    more = (uint32_t)(x < 0x10000) << 4;
    n += more;
    x <<= more;
    more = (uint32_t)(x < 0x1000000) << 3;
    n += more;
    x <<= more;
    more = (uint32_t)(x < 0x10000000) << 2;
    n += more;
    x <<= more;
    more = (uint32_t)(x < 0x40000000) << 1;
    n += more;
    x <<= more;
    n += (uint32_t)(x < 0x80000000);
    x <<= (uint32_t)(x < 0x80000000);
    return n + (uint32_t)(x == 0);
}

/* Return all ones if x is a NaN (float_is_nan) or a denormal other than zero (float_is_denormal). */
FLOAT_INLINE uint32_t float_is_nan(uint32_t x)
{
    return lane_mask(float_magnitude(x) > FLOAT_INF);
}

FLOAT_INLINE uint32_t float_is_denormal(uint32_t x)
{
    return lane_mask(float_magnitude(x) - 1 < FLOAT_HIDDEN - 1);
}

/* What kind of number a float is. */
enum float_class {
    FLOAT_CLASS_ZERO,
    FLOAT_CLASS_DENORMAL,
    FLOAT_CLASS_NORMAL,
    FLOAT_CLASS_INFINITE,
    FLOAT_CLASS_NAN
};
FLOAT_INLINE uint32_t float_class_of(uint32_t magnitude, uint32_t least_normal, uint32_t infinity)
{
    return magnitude == 0             ? FLOAT_CLASS_ZERO
           : magnitude < least_normal ? FLOAT_CLASS_DENORMAL
           : magnitude < infinity     ? FLOAT_CLASS_NORMAL
           : magnitude == infinity    ? FLOAT_CLASS_INFINITE
                                      : FLOAT_CLASS_NAN;
}
FLOAT_INLINE uint32_t float_class(uint32_t x)
{
    return float_class_of(float_magnitude(x), FLOAT_HIDDEN, FLOAT_INF);
}
/* The same of a binary16 number. */
FLOAT_INLINE uint32_t half_class(uint32_t half)
{
    return float_class_of(half & 0x7FFF, 0x0400, 0x7C00);
}

FLOAT_INLINE uint32_t lane_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns x >> n for n up to 31. Also sets bit 0 if any of the bits shifted out is set (sticky). */
FLOAT_INLINE uint32_t shift_sticky(uint32_t x, uint32_t n)
{
    uint32_t kept = x >> n;
    return kept | (uint32_t)((kept << n) != x);
}

/*
 * Rounds a magnitude with exponent field e (at least 1). Bit 26 of `sum` is the hidden bit. Bits 2:0 are
 * below the result, and bit 0 is sticky. If e = 1 the hidden bit may be clear (a denormal). Returns the bits
 * of the positive float. A result of FLOAT_INF or more is out of range.
 */
FLOAT_INLINE uint32_t float_round(struct float_rules r, uint32_t e, uint32_t sum)
{
    uint32_t low = sum & 7, kept = sum >> 3;
    uint32_t half = lane_mask(low >= 4), above = lane_mask(low > 4);
    uint32_t up = (lane_mask(r.rounding == ROUND_NEAREST_EVEN) & (above | (half & (0U - (kept & 1))))) |
                  (lane_mask(r.rounding == ROUND_HALF_AWAY) & half);
    return ((e - 1) << 23) + kept + (up & 1);
}

/* Applies the sign to a rounded result, and the rules for overflow, denormals and zero. */
FLOAT_INLINE uint32_t float_finish(struct float_rules r, bool overflow_is_max, uint32_t sign, uint32_t bits)
{
    uint32_t top = overflow_is_max ? FLOAT_MAX : FLOAT_INF;
    bits = bits >= FLOAT_INF ? top : bits;
    uint32_t gone = (lane_mask(r.flush) & lane_mask(bits - 1 < FLOAT_HIDDEN - 1)) |
                    (lane_mask(r.no_negative_zero) & lane_mask(bits == 0));
    return (bits | sign) & ~gone;
}

FLOAT_INLINE uint32_t float_flush(struct float_rules r, uint32_t x)
{
    return x & ~(lane_mask(r.flush) & float_is_denormal(x));
}

/* Returns the sum if an operand has exponent 255. */
FLOAT_INLINE uint32_t float_add_special(struct float_rules r, uint32_t a, uint32_t b)
{
    uint32_t b_wins = lane_mask(float_exponent(b) == 255);
    uint32_t winner = (b & b_wins) | (a & ~b_wins);
    uint32_t infinity = (winner & FLOAT_SIGN) | FLOAT_INF;
    uint32_t cancel = lane_mask(float_magnitude(a) == FLOAT_INF) & lane_mask((a ^ b) == FLOAT_SIGN);
    uint32_t is_nan = lane_mask(!r.nan_is_infinity) & (float_is_nan(a) | float_is_nan(b) | cancel);
    return (infinity & ~is_nan) | (FLOAT_NAN & is_nan);
}

FLOAT_INLINE uint32_t float_add(struct float_rules r, uint32_t a, uint32_t b)
{
    a = float_flush(r, a);
    b = float_flush(r, b);
    uint32_t special = lane_mask(float_exponent(a) == 255) | lane_mask(float_exponent(b) == 255);
    uint32_t special_result = float_add_special(r, a, b);

    uint32_t swap = lane_mask(float_magnitude(b) > float_magnitude(a));
    uint32_t large = (b & swap) | (a & ~swap), small = (a & swap) | (b & ~swap);
    uint32_t hidden_large = (uint32_t)(float_exponent(large) != 0),
             hidden_small = (uint32_t)(float_exponent(small) != 0);
    uint32_t e = float_exponent(large) + (hidden_large ^ 1),
             e_small = float_exponent(small) + (hidden_small ^ 1);
    uint32_t m_large = ((large & 0x7FFFFF) | hidden_large << 23) << 3,
             m_small = ((small & 0x7FFFFF) | hidden_small << 23) << 3;
    m_small = shift_sticky(m_small, lane_min(e - e_small, 31));

    uint32_t subtract = 0U - ((a ^ b) >> 31);
    uint32_t sum = m_large + ((m_small ^ subtract) - subtract);

    /* Normalise: shift right by 1 after a carry, otherwise shift left as far as the exponent allows. */
    uint32_t carry = sum >> 27;
    uint32_t left = lane_min(lane_clz(sum) - 5 + carry, e - 1);
    uint32_t normal = ((sum >> carry) | (sum & carry)) << left;
    uint32_t bits = float_round(r, e + carry - left, normal);

    uint32_t sign = (large & FLOAT_SIGN) & ~(lane_mask(sum == 0) & subtract);
    uint32_t result = float_finish(r, r.overflow_is_max, sign, bits & ~lane_mask(sum == 0));
    return (result & ~special) | (special_result & special);
}

/* Returns the product if an operand has exponent 255. */
FLOAT_INLINE uint32_t float_multiply_special(struct float_rules r, uint32_t a, uint32_t b)
{
    uint32_t infinity = ((a ^ b) & FLOAT_SIGN) | FLOAT_INF;
    uint32_t zero = lane_mask(float_magnitude(a) == 0) | lane_mask(float_magnitude(b) == 0);
    uint32_t is_nan = zero | (lane_mask(!r.nan_is_infinity) & (float_is_nan(a) | float_is_nan(b)));
    return (infinity & ~is_nan) | (FLOAT_NAN & is_nan);
}

FLOAT_INLINE uint32_t float_multiply(struct float_rules r, uint32_t a, uint32_t b)
{
    uint32_t zero_wins =
        lane_mask(r.zero_wins) & (lane_mask(float_exponent(a) == 0) | lane_mask(float_exponent(b) == 0));
    uint32_t special = lane_mask(float_exponent(a) == 255) | lane_mask(float_exponent(b) == 255);
    a = float_flush(r, a);
    b = float_flush(r, b);
    uint32_t special_result = float_multiply_special(r, a, b) & ~zero_wins;
    uint32_t sign = (a ^ b) & FLOAT_SIGN;
    uint32_t zero = lane_mask(float_magnitude(a) == 0) | lane_mask(float_magnitude(b) == 0);

    uint32_t m_a = (a & 0x7FFFFF) | (uint32_t)(float_exponent(a) != 0) << 23,
             m_b = (b & 0x7FFFFF) | (uint32_t)(float_exponent(b) != 0) << 23;
    uint32_t e = float_exponent(a) + (uint32_t)(float_exponent(a) == 0) + float_exponent(b) +
                 (uint32_t)(float_exponent(b) == 0);
    if (!r.flush) { /* denormal operands: normalise to bit 23 */
        uint32_t up_a = (lane_clz(m_a) - 8) & 31, up_b = (lane_clz(m_b) - 8) & 31;
        m_a <<= up_a;
        m_b <<= up_b;
        e -= up_a + up_b;
    }
    uint64_t product = (uint64_t)m_a * m_b; /* 2^46 .. 2^48 */
    uint32_t low = (uint32_t)product & 0xFFFFF;
    uint32_t sum = (uint32_t)(product >> 20) | (uint32_t)(low != 0);
    uint32_t carry = sum >> 27;
    sum = (sum >> carry) | (sum & carry);
    e = e + carry -
        127; /* exponent field of the result; as a signed number, below 1 for denormals and smaller results */
    uint32_t tiny = lane_mask((int32_t)e < 1);
    uint32_t down = lane_min((1 - e) & tiny, 31);
    uint32_t bits = float_round(r, (e & ~tiny) | (tiny & 1), shift_sticky(sum, down)) & ~zero;
    uint32_t result = float_finish(r, false, sign, bits);
    return (result & ~special) | (special_result & special);
}

/*
 * The order in which fmin and fmax see numbers. If all members are 0, numbers are ordered by value, with -0
 * below +0 (but flag C takes these as equal), and a number wins against a NaN (IEEE 754-2019 minimumNumber).
 * The result always has all bits of the chosen operand.
 */
struct order_rules {
    bool nan_ordered;       /* NaNs are ordered by sign and magnitude, beyond Inf */
    bool zeros_tie;         /* -0 and +0 are equal: then min gives a and max gives b */
    bool denormal_absolute; /* two denormals compare by magnitude */
};

/* Returns a signed integer with the same order as the float; both zeros give the same integer. */
FLOAT_INLINE int32_t float_key(uint32_t x)
{
    uint32_t negative = 0U - (x >> 31);
    return (int32_t)((float_magnitude(x) ^ negative) - negative);
}

/* Returns all ones if a > b by value, as flag C compares them. */
FLOAT_INLINE uint32_t float_greater(struct order_rules r, uint32_t a, uint32_t b)
{
    uint32_t absolute = lane_mask(r.denormal_absolute) & float_is_denormal(a) & float_is_denormal(b);
    uint32_t ordered = lane_mask(r.nan_ordered) | ~(float_is_nan(a) | float_is_nan(b));
    uint32_t by_value = lane_mask(float_key(a) > float_key(b)),
             by_magnitude = lane_mask(float_magnitude(a) > float_magnitude(b));
    return ((by_value & ~absolute) | (by_magnitude & absolute)) & ordered;
}

/* Returns the greater (if `max`) or the lesser of a and b. */
FLOAT_INLINE uint32_t float_select(struct order_rules r, bool max, uint32_t a, uint32_t b)
{
    uint32_t zeros = lane_mask(!r.zeros_tie) & lane_mask(((a | b) << 1) == 0);
    uint32_t greater = (float_greater(r, a, b) & ~zeros) |
                       (lane_mask(a < b) & zeros); /* +0 is greater than -0: its sign bit is clear */
    uint32_t takes_a = max ? greater : ~greater;
    uint32_t a_nan = lane_mask(!r.nan_ordered) & float_is_nan(a),
             b_nan = lane_mask(!r.nan_ordered) & float_is_nan(b);
    takes_a = (takes_a & ~a_nan) | b_nan;
    uint32_t result = (a & takes_a) | (b & ~takes_a);
    uint32_t both = a_nan & b_nan;
    return (result & ~both) | (FLOAT_NAN & both);
}

FLOAT_INLINE uint32_t float_min(struct order_rules r, uint32_t a, uint32_t b)
{
    return float_select(r, false, a, b);
}

FLOAT_INLINE uint32_t float_max(struct order_rules r, uint32_t a, uint32_t b)
{
    return float_select(r, true, a, b);
}

/* fminabs and fmaxabs choose a magnitude. Returns this magnitude with the sign of its operand, or with the
 * sign of a if both operands have this magnitude. */
FLOAT_INLINE uint32_t float_sign_back(uint32_t chosen, uint32_t a, uint32_t b)
{
    uint32_t is_a = lane_mask(chosen == float_magnitude(a)), is_b = lane_mask(chosen == float_magnitude(b));
    return chosen | (((a & is_a) | (b & is_b & ~is_a)) & FLOAT_SIGN);
}

/* Shifts right by n, up to 31, and fills with the sign. */
FLOAT_INLINE uint32_t shift_arithmetic(uint32_t x, uint32_t n)
{
    uint32_t negative = 0U - (x >> 31);
    return ((x ^ negative) >> n) ^ negative;
}

/* Converts a signed integer to a float. */
FLOAT_INLINE uint32_t float_from_int(struct float_rules r, uint32_t x)
{
    uint32_t sign = x & FLOAT_SIGN;
    uint32_t magnitude = (x ^ (0U - (x >> 31))) + (x >> 31);
    uint32_t left = lane_clz(magnitude) & 31;
    uint32_t top = magnitude << left; /* highest bit at bit 31 */
    uint32_t sum = (top >> 5) | (uint32_t)((top & 31) != 0);
    uint32_t bits = float_round(r, 158 - left, sum);
    return (bits | sign) & ~lane_mask(x == 0);
}

/* Returns all ones if x is finite and its magnitude is 2^31 or more, except for -2^31. */
FLOAT_INLINE uint32_t ftoi_out_of_range(struct ftoi_rules r, uint32_t x)
{
    uint32_t negative = 0U - (x >> 31), magnitude = float_magnitude(x);
    uint32_t saturated = 0x7FFFFFFF ^ negative;
    uint32_t reported = 0x80000000 & (lane_mask(x == 0x4F000000) | lane_mask(magnitude == FLOAT_MAX));
    /* FTOI_SHIFTER: shifts left by the low 5 bits of the amount; INT_MIN if the result does not fit */
    uint32_t shifted = ((x & 0x7FFFFF) | FLOAT_HIDDEN) << ((float_exponent(x) - 150) & 31);
    uint32_t beyond = 0U - (shifted >> 31);
    uint32_t wrapped = (((shifted ^ negative) - negative) & ~beyond) | (0x80000000 & beyond);
    return (saturated & lane_mask(r.range == FTOI_SATURATES)) |
           (reported & lane_mask(r.range == FTOI_ENDS_REPORTED)) |
           (wrapped & lane_mask(r.range == FTOI_SHIFTER));
}

/* Converts a float to a signed integer. */
FLOAT_INLINE uint32_t float_to_int(struct ftoi_rules r, uint32_t x)
{
    uint32_t e = float_exponent(x), magnitude = float_magnitude(x);
    uint32_t negative = 0U - (x >> 31);
    uint32_t mantissa = (x & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    /* shift left from 2^23 on, otherwise right, keeping two more bits for rounding */
    uint32_t whole = mantissa << (lane_min(e - 150, 8) & lane_mask(e >= 150));
    uint32_t down = lane_min((150 - e) & lane_mask(e < 150), 31);
    uint32_t rest = shift_sticky(mantissa << 2, down);
    uint32_t truncated = rest >> 2, low = rest & 3;
    uint32_t up = lane_mask(r.rounding == ROUND_NEAREST_EVEN) &
                  (lane_mask(low == 3) | (lane_mask(low == 2) & (0U - (truncated & 1))));
    uint32_t in_range = lane_mask(e >= 150) & whole;
    in_range |= lane_mask(e < 150) & (truncated + (up & 1));
    uint32_t value = (in_range ^ negative) - negative;
    uint32_t out = lane_mask(e >= 158) & lane_mask(e != 255) & lane_mask(x != 0xCF000000);
    uint32_t infinity = lane_mask(magnitude == FLOAT_INF), nan = lane_mask(magnitude > FLOAT_INF);
    uint32_t infinite_result = (0x7FFFFFFF ^ negative) & lane_mask(!r.infinity_is_zero);
    uint32_t inside = ~(out | infinity | nan);
    return (value & inside) | (ftoi_out_of_range(r, x) & out) | (infinite_result & infinity);
}

/* Half precision. */

/* Converts a half to a float. `shift_denormals`: denormals are shifted but not normalised. `keep_payload`:
 * signalling NaNs stay signalling. */
FLOAT_INLINE uint32_t float_from_half(bool shift_denormals, bool keep_payload, uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, e = (half >> 10) & 31, mantissa = half & 0x3FF;
    uint32_t normal = ((e + 112) << 23) | mantissa << 13;
    uint32_t quiet = lane_mask(!keep_payload && mantissa != 0) & 0x00400000;
    uint32_t special = FLOAT_INF | mantissa << 13 | quiet;
    uint32_t left = (lane_clz(mantissa) - 21) & 31; /* brings the highest bit to bit 10 */
    uint32_t normalised =
        (((113 - left) << 23) | ((mantissa << left) & 0x3FF) << 13) & lane_mask(mantissa != 0);
    uint32_t small = shift_denormals ? mantissa << 13 : normalised;
    uint32_t is_small = lane_mask(e == 0), is_special = lane_mask(e == 31);
    return sign | (small & is_small) | (special & is_special) | (normal & ~is_small & ~is_special);
}

/* Rules for converting a float to a half. `plain`: NaN becomes Inf, and a value that is too small becomes +0
 * (there are no denormals and no -0). `away`: inexact values are rounded away from zero; otherwise to
 * nearest, ties to even. `saturate`: Inf and values that are too large become the largest finite half. */
struct half_rules {
    bool plain, away, saturate;
};

FLOAT_INLINE uint32_t float_to_half(struct half_rules r, uint32_t x)
{
    uint32_t sign = (x >> 16) & 0x8000, e = float_exponent(x), magnitude = float_magnitude(x);
    uint32_t mantissa = (x & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    /* the half's exponent field; if it is below 1, shift the mantissa right instead */
    uint32_t tiny = lane_mask(e < 113);
    uint32_t field = ((e - 112) & ~tiny) | (tiny & 1);
    uint32_t rest =
        shift_sticky(mantissa, 11 + lane_min((113 - e) & tiny, 20)); /* two bits of rest: half, sticky */
    uint32_t kept = rest >> 2, low = rest & 3;
    uint32_t nearest = lane_mask(low == 3) | (lane_mask(low == 2) & (0U - (kept & 1)));
    uint32_t up = r.away ? lane_mask(low != 0) : nearest;
    uint32_t bits = ((field - 1) << 10) + kept + (up & 1);
    uint32_t top = r.saturate ? 0x7BFF : 0x7C00;
    bits = bits >= 0x7C00 ? top : bits;
    bits = magnitude == FLOAT_INF ? top : bits;
    uint32_t nan = 0x7E00 | ((x >> 13) & 0x3FF);
    bits = magnitude > FLOAT_INF ? (r.plain ? 0x7C00 : nan) : bits;
    uint32_t gone = lane_mask(r.plain && bits < 0x400);
    return (bits | sign) & ~gone;
}

/* Returns v / 255 for v in 0..255, truncated or rounded to nearest. The binary fraction of v / 255 is the
 * byte v repeated forever. */
FLOAT_INLINE uint32_t float_from_colour(bool truncate, uint32_t v)
{
    uint32_t repeated = v * 0x01010101;      /* the fraction's first 32 bits */
    uint32_t left = lane_clz(repeated) & 31; /* at most 7 for v > 0 */
    uint32_t fraction =
        (repeated << left) | (v >> (8 - (left & 7))); /* 32 significant bits of the repeated fraction */
    uint32_t up = truncate ? 0 : (fraction >> 7) & 1; /* there are no ties, because the fraction never ends */
    uint32_t bits = ((125 - left) << 23) + (fraction >> 8) + up;
    bits = v == 255 ? 0x3F800000 : bits;
    return bits & ~lane_mask(v == 0);
}

/* Returns round(f * 255) or trunc(f * 255). With `clamp`, clamps the integer to 0..255; otherwise returns its
 * low byte. NaN gives 0. */
FLOAT_INLINE uint32_t float_to_colour(bool nearest, bool clamp, uint32_t f)
{
    uint32_t e = float_exponent(f), magnitude = float_magnitude(f), negative = 0U - (f >> 31);
    uint32_t mantissa = (f & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    uint32_t product = mantissa * 255; /* below 2^32; the value is product * 2^(e - 150) */
    uint32_t big = lane_mask(e >= 150), down = (150 - e) & ~big;
    uint32_t doubled = (product >> ((lane_min(down, 32) - 1) & 31)) & lane_mask(down <= 32);
    uint32_t value = (doubled >> 1) + (nearest ? doubled & 1 : 0);
    uint32_t nan = lane_mask(magnitude > FLOAT_INF);
    if (clamp)
        return lane_min((value & ~big) | (big & 255), 255) & ~negative & ~nan;
    /* the integer modulo 256; 0 if the shift is 32 or more, which leaves no low bits */
    uint32_t wrapped =
        (value & ~big) | (big & (product << (lane_min(e - 150, 31) & big)) & lane_mask(e < 182));
    return ((wrapped ^ negative) - negative) & 255 & ~nan;
}

#endif
