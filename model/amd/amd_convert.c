/* SPDX-License-Identifier: MIT */
#include "model/amd/amd_convert.h"

#include <stddef.h>

enum { F16_MANTISSA = 10, SMALL_BIAS = 15, SMALL_INFINITY = 31 };

/* The functions that compute digits have a watch as their last parameter; NULL: nobody watches. They are
 * inlined, so code without a watch pays nothing. */
#define STEP static inline __attribute__((always_inline))

/* Passes a step's value: records it, or returns the one that the watch has for it. */
STEP uint32_t pass(struct amd_watch *see, enum amd_step step, uint32_t value, uint32_t digits, uint32_t rest)
{
    if (!see)
        return value;
    if (see->known >> step & 1)
        return see->value[step];
    if (see->now == step) {
        see->passed = true;
        see->seen = value;
        see->digits = digits;
        see->rest = rest;
    }
    return value;
}

/* All ones in the low 1..32 bits. */
static uint32_t ones(unsigned bits)
{
    return UINT32_MAX >> ((32U - bits) & 31U);
}

static uint32_t sign_extend(uint32_t field, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << ((bits - 1U) & 31U);
    return ((field & ones(bits)) ^ sign) - sign;
}

/* Returns the number of bits of the integer that stands for 1.0. */
STEP unsigned norm_bits(unsigned bits, struct amd_watch *see)
{
    const unsigned now = pass(see, AMD_NORM_BITS, bits, 0, 0);
    return now < 1 || now > 32 ? 32 : now;
}

/* ---- to single precision ---- */

/* Puts a single together. `exponent`: that of its leading digit. `mantissa`: rounded, with its leading 1; a
 * carry increments the exponent. `kept`, `rest`: for the watch. */
STEP uint32_t f32_of(int exponent, uint32_t mantissa, uint32_t kept, uint32_t rest, struct amd_watch *see)
{
    if (see)
        exponent = (int8_t)pass(see, AMD_SINGLE_EXPONENT, (uint8_t)exponent, kept, 0);
    mantissa = pass(see, AMD_SINGLE_MANTISSA, mantissa, kept, rest);
    return ((uint32_t)(F32_BIAS + exponent) << F32_MANTISSA) + (mantissa - (UINT32_C(1) << F32_MANTISSA));
}

/* The single nearest to m * 2^exponent, ties to even, if that is in the normal range. */
STEP uint32_t f32_nearest(uint64_t m, int exponent, struct amd_watch *see)
{
    if (!m)
        return 0;
    unsigned zeros = (unsigned)__builtin_clzll(m);
    m <<= zeros;
    uint32_t mantissa = (uint32_t)(m >> 40);
    uint64_t rest = m & ((UINT64_C(1) << 40) - 1), half = UINT64_C(1) << 39;
    const uint32_t kept = mantissa;
    mantissa += rest > half || (rest == half && (mantissa & 1));
    return f32_of(63 + exponent - (int)zeros, mantissa, kept, (uint32_t)(m >> 8), see);
}

/* The single nearest to v * 2^(exponent - 64), where v holds the first 64 digits of a periodic binary
 * fraction. Such a fraction is never half-way between two singles, so the digit behind the mantissa alone
 * decides the rounding. */
STEP uint32_t f32_of_digits(uint64_t v, int exponent, struct amd_watch *see)
{
    unsigned zeros = (unsigned)__builtin_clzll(v | 1);
    v <<= zeros;
    uint32_t mantissa = (uint32_t)(v >> 40) + ((uint32_t)(v >> 39) & 1);
    return f32_of(exponent - 1 - (int)zeros, mantissa, (uint32_t)(v >> 40), (uint32_t)(v >> 8), see);
}

/* n / (2^width - 1) is the periodic fraction 0.nnn..., each n in `width` binary digits. So its first 64
 * digits are n times those of 1 / (2^width - 1): no division for each value (4 times faster). */
static inline uint64_t digits_of_unit(unsigned width)
{
    return UINT64_MAX / ones(width);
}

STEP uint32_t ratio_exact(uint32_t n, uint64_t unit, struct amd_watch *see)
{
    return n ? f32_of_digits(n * unit, 0, see) : 0;
}

/* n times the reciprocal, which is first rounded to a single. */
STEP uint32_t ratio_by_reciprocal(uint32_t n, unsigned width, struct amd_watch *see)
{
    uint32_t r = width == 1 ? f32_one : f32_of_digits(digits_of_unit(width), 0, NULL);
    uint32_t mantissa = (r & ones(F32_MANTISSA)) | UINT32_C(1) << F32_MANTISSA;
    return f32_nearest((uint64_t)n * mantissa, (int)(r >> F32_MANTISSA) - F32_BIAS - F32_MANTISSA, see);
}

STEP uint32_t ratio(uint32_t n, unsigned width, uint64_t unit, const struct amd_rules *rules,
                    struct amd_watch *see)
{
    return rules->unorm_reciprocal ? ratio_by_reciprocal(n, width, see) : ratio_exact(n, unit, see);
}

/* `width`: number of bits of the integer that stands for 1.0. */
STEP uint32_t load_snorm(uint32_t field, unsigned bits, unsigned width, uint64_t unit,
                         const struct amd_rules *rules, struct amd_watch *see)
{
    uint32_t s = sign_extend(field, bits), negative = s & f32_sign, n = negative ? 0U - s : s;
    n = pass(see, AMD_LOADED_MAGNITUDE, n, field, 0);
    if (n > ones(bits - 1)) /* only -2^(bits-1) */
        return negative |
               (rules->snorm_unclamped ? f32_of_digits(UINT64_C(1) << 63 | unit >> 1, 1, see) : f32_one);
    return n ? negative | ratio(n, width, unit, rules, see) : 0;
}

/* Converts a half exactly; NaNs keep their payload. */
STEP uint32_t f32_of_half(uint32_t half, bool flush, struct amd_watch *see)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = (half >> F16_MANTISSA) & 31,
             mantissa = half & ones(F16_MANTISSA);
    exponent = pass(see, AMD_FIELD_EXPONENT, exponent, half, 0);
    mantissa = pass(see, AMD_FIELD_MANTISSA, mantissa, half, 0);
    if (exponent == SMALL_INFINITY)
        return sign | f32_infinity | mantissa << (F32_MANTISSA - F16_MANTISSA);
    if (exponent)
        return sign | (exponent + F32_BIAS - SMALL_BIAS) << F32_MANTISSA |
               mantissa << (F32_MANTISSA - F16_MANTISSA);
    return flush ? sign : sign | f32_nearest(mantissa, -14 - F16_MANTISSA, NULL);
}

/* Converts a float without sign: 5 bits of exponent, the rest mantissa. */
STEP uint32_t f32_of_small(uint32_t field, unsigned bits, struct amd_watch *see)
{
    unsigned width = bits - 5;
    uint32_t exponent = (field >> width) & 31, mantissa = field & ones(width);
    exponent = pass(see, AMD_FIELD_EXPONENT, exponent, field, 0);
    mantissa = pass(see, AMD_FIELD_MANTISSA, mantissa, field, 0);
    if (exponent == SMALL_INFINITY)
        return f32_infinity + (mantissa << (F32_MANTISSA - width));
    if (exponent)
        return (exponent + F32_BIAS - SMALL_BIAS) << F32_MANTISSA | mantissa << (F32_MANTISSA - width);
    return f32_nearest(mantissa, -14 - (int)width, NULL);
}

STEP uint32_t load_float(uint32_t field, unsigned bits, const struct amd_rules *rules, struct amd_watch *see)
{
    return bits == 32   ? field
           : bits == 16 ? f32_of_half(field, rules->half_flush, see)
                        : f32_of_small(field, bits, see);
}

STEP uint32_t load_sscaled(uint32_t field, unsigned bits, struct amd_watch *see)
{
    uint32_t s = sign_extend(field, bits), negative = s & f32_sign;
    return negative | f32_nearest(pass(see, AMD_LOADED_MAGNITUDE, negative ? 0U - s : s, field, 0), 0, see);
}

/* Converts all values in one loop. Each kind of number has its own loop, so that no loop branches on the
 * kind. */
#define EACH(expression)                                                                                     \
    do {                                                                                                     \
        for (unsigned i = 0; i < count; i++)                                                                 \
            values[i] = (expression);                                                                        \
    } while (0)

STEP void load_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                      unsigned count, struct amd_watch *see)
{
    uint32_t mask = ones(bits);
    const bool norm = number == AMD_UNORM || number == AMD_SNORM;
    const unsigned all = number == AMD_SNORM && bits > 1 ? bits - 1 : bits;
    const unsigned width = norm ? norm_bits(all, see) : all;
    uint64_t unit = digits_of_unit(width);
    switch (number) {
    case AMD_UNORM:
        EACH(ratio(values[i] & mask, width, unit, rules, see));
        break;
    case AMD_SNORM:
        EACH(load_snorm(values[i], bits, width, unit, rules, see));
        break;
    case AMD_USCALED:
        EACH(f32_nearest(values[i] & mask, 0, see));
        break;
    case AMD_SSCALED:
        EACH(load_sscaled(values[i], bits, see));
        break;
    case AMD_SINT:
        EACH(sign_extend(values[i], bits));
        break;
    case AMD_FLOAT:
        EACH(load_float(values[i] & mask, bits, rules, see));
        break;
    default: /* UINT; reserved kinds are never converted */
        EACH(values[i] & mask);
    }
}

void amd_load_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                     unsigned count)
{
    load_values(number, bits, rules, values, count, NULL);
}

void amd_load_watched(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *value,
                      struct amd_watch *see)
{
    load_values(number, bits, rules, value, 1, see);
}

/* ---- from single precision ---- */

/* m / 2^shift, rounded to the nearest integer, ties to even, or downwards. */
STEP uint64_t shift_right(uint64_t m, unsigned shift, bool nearest, struct amd_watch *see)
{
    shift = pass(see, AMD_ROUND_SHIFT, shift < 64 ? shift : 64, (uint32_t)m, 0);
    if (shift > 63)
        return 0;
    if (!shift)
        return m;
    uint64_t q = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    const uint64_t rounded = q + (nearest && (rest > half || (rest == half && (q & 1))));
    return see ? pass(see, AMD_ROUND_DIGITS, (uint32_t)rounded, (uint32_t)q,
                      (uint32_t)(shift <= 32 ? rest << (32 - shift) : rest >> (shift - 32)))
               : rounded;
}

/* |f| * most, rounded to the nearest integer, at most `most`. */
STEP uint32_t scale_to(uint32_t f, uint32_t most, struct amd_watch *see)
{
    int exponent;
    uint32_t magnitude = f & ~f32_sign;
    if (magnitude >= f32_one)
        return most;
    uint64_t m = f32_parts(magnitude, &exponent);
    /* below 1.0 the exponent is at most -24 */
    return (uint32_t)shift_right(m * most, (unsigned)-exponent, true, see);
}

STEP uint32_t store_unorm(uint32_t f, unsigned bits, struct amd_watch *see)
{
    return f32_is_nan(f) || f & f32_sign ? 0 : scale_to(f, ones(norm_bits(bits, see)), see);
}

STEP uint32_t store_snorm(uint32_t f, unsigned bits, struct amd_watch *see)
{
    if (f32_is_nan(f))
        return 0;
    uint32_t n = scale_to(f, ones(norm_bits(bits - 1, see)), see);
    n = pass(see, AMD_STORED_MAGNITUDE, n, f, 0);
    return (f & f32_sign ? 0U - n : n) & ones(bits);
}

/* |f| rounded downwards to an integer, at most `most`. */
STEP uint32_t truncate_to(uint32_t f, uint32_t most, struct amd_watch *see)
{
    int exponent;
    if ((f & ~f32_sign) >= f32_infinity)
        return most;
    uint64_t m = f32_parts(f, &exponent);
    if (exponent > 8) /* 2^32 and more */
        return most;
    m = exponent < 0 ? shift_right(m, (unsigned)-exponent, false, see) : m << exponent;
    return m > most ? most : (uint32_t)m;
}

STEP uint32_t store_scaled(uint32_t f, unsigned bits, bool is_signed, struct amd_watch *see)
{
    if (f32_is_nan(f) || (!is_signed && f & f32_sign))
        return 0;
    if (!is_signed)
        return truncate_to(f, ones(bits), see);
    uint32_t most = ones(bits - 1) + (f & f32_sign ? 1 : 0);
    uint32_t n = pass(see, AMD_STORED_MAGNITUDE, truncate_to(f, most, see), f, 0);
    return (f & f32_sign ? 0U - n : n) & ones(bits);
}

static uint32_t store_integer(uint32_t value, unsigned bits, bool is_signed, bool clamp)
{
    if (clamp && !is_signed)
        return value > ones(bits) ? ones(bits) : value;
    uint32_t most = bits > 1 ? ones(bits - 1) : 0;
    if (clamp && value & f32_sign)
        return (0U - value > most + 1 ? most + 1 : value) & ones(bits);
    if (clamp)
        return value > most ? most : value;
    return value & ones(bits);
}

/* Returns |f|, finite, as the bits of a float with 5 exponent bits (bias 15) and `width` mantissa bits.
 * Rounding may carry into the exponent up to infinity, which also stands for larger values. */
STEP uint32_t shrink(uint32_t f, unsigned width, bool nearest, struct amd_watch *see)
{
    int exponent;
    uint64_t m = f32_parts(f, &exponent);
    int power = exponent + F32_MANTISSA; /* of the leading digit; denormal singles round to 0 anyway */
    if (see)                             /* beyond these limits, all give 0 or infinity */
        power = (int8_t)pass(see, AMD_SMALL_EXPONENT,
                             (uint8_t)(power < -64  ? -64
                                       : power > 63 ? 63
                                                    : power),
                             (uint32_t)m, 0);
    if (power > SMALL_BIAS)
        return (uint32_t)SMALL_INFINITY << width;
    unsigned shift = F32_MANTISSA - width;
    if (power < -14)
        return (uint32_t)shift_right(m, shift - 14U - (unsigned)power, nearest, see);
    return ((uint32_t)(power + 14) << width) + (uint32_t)shift_right(m, shift, nearest, see);
}

/* Finite values beyond the largest half become the largest half (`saturate`) or infinity. */
STEP uint32_t half_of_f32(uint32_t f, bool nearest, bool saturate, struct amd_watch *see)
{
    uint32_t sign = (f & f32_sign) >> 16, infinity = (uint32_t)SMALL_INFINITY << F16_MANTISSA;
    if (f32_is_nan(f))
        return sign | infinity | (f32_quiet | (f & ones(F32_MANTISSA))) >> (F32_MANTISSA - F16_MANTISSA);
    if (pass(see, AMD_SMALL_INFINITE, (f & ~f32_sign) == f32_infinity, f, 0))
        return sign | infinity;
    uint32_t half = shrink(f, F16_MANTISSA, nearest, see);
    return sign | (half >= infinity && saturate ? infinity - 1 : half);
}

STEP uint32_t small_of_f32(uint32_t f, unsigned bits, bool nearest, struct amd_watch *see)
{
    unsigned width = bits - 5;
    uint32_t infinity = (uint32_t)SMALL_INFINITY << width;
    if (f32_is_nan(f))
        return infinity | UINT32_C(1) << (width - 1);
    if (f & f32_sign)
        return 0;
    if (pass(see, AMD_SMALL_INFINITE, f == f32_infinity, f, 0))
        return infinity;
    uint32_t small = shrink(f, width, nearest, see);
    return small >= infinity ? infinity - 1 : small;
}

STEP uint32_t store_float(uint32_t f, unsigned bits, const struct amd_rules *rules, struct amd_watch *see)
{
    if (bits == 32)
        return f;
    if (bits == 16)
        return half_of_f32(f, !rules->f16_store_truncate, rules->f16_store_truncate, see);
    return small_of_f32(f, bits, !rules->small_truncate, see);
}

STEP void store_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                       unsigned count, struct amd_watch *see)
{
    switch (number) {
    case AMD_UNORM:
        EACH(store_unorm(values[i], bits, see));
        break;
    case AMD_SNORM:
        EACH(store_snorm(values[i], bits, see));
        break;
    case AMD_USCALED:
    case AMD_SSCALED:
        EACH(store_scaled(values[i], bits, number == AMD_SSCALED, see));
        break;
    case AMD_FLOAT:
        EACH(store_float(values[i], bits, rules, see));
        break;
    default:
        EACH(store_integer(values[i], bits, number == AMD_SINT, rules->int_store_clamp));
    }
}

void amd_store_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                      unsigned count)
{
    store_values(number, bits, rules, values, count, NULL);
}

void amd_store_watched(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *value,
                       struct amd_watch *see)
{
    store_values(number, bits, rules, value, 1, see);
}

/* ---- D16 ---- */

uint32_t amd_load_half_watched(enum amd_number number, unsigned bits, uint32_t value,
                               const struct amd_rules *rules, struct amd_watch *see)
{
    if (amd_is_integer(number))
        return (rules->d16_int_saturate ? store_integer(value, 16, number == AMD_SINT, true) : value) &
               0xFFFF;
    bool truncate = number == AMD_FLOAT && bits == 32 && rules->d16_float != AMD_D16_NEAREST;
    return half_of_f32(value, !truncate, truncate && rules->d16_float == AMD_D16_TRUNCATE, see);
}

uint32_t amd_load_half(enum amd_number number, unsigned bits, uint32_t value, const struct amd_rules *rules)
{
    return amd_load_half_watched(number, bits, value, rules, NULL);
}

uint32_t amd_store_half(enum amd_number number, uint32_t half, const struct amd_rules *rules)
{
    if (number == AMD_SINT)
        return sign_extend(half, 16);
    return number == AMD_UINT ? half & 0xFFFF : f32_of_half(half & 0xFFFF, rules->half_flush, NULL);
}
