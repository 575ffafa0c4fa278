/* SPDX-License-Identifier: MIT */
#include "model/amd/amd_convert.h"

#include <stddef.h>

enum { F16_MANTISSA = 10, SMALL_BIAS = 15, SMALL_INFINITY = 31 };

/* The functions that compute digits have a watch as their last parameter; NULL: nobody watches. They are
 * inlined, so code without a watch pays nothing. */
#define STEP static inline __attribute__((always_inline))

/* Passes a step's value: records it with its inputs, or returns the one that the watch has for it. */
STEP uint32_t pass(struct amd_watch *see, enum amd_step step, uint32_t value, uint32_t a, uint32_t b,
                   uint32_t c, uint32_t d)
{
    if (!see)
        return value;
    if (see->known >> step & 1)
        return see->value[step];
    see->passed |= UINT64_C(1) << step;
    see->seen[step] = value;
    see->input[0][step] = a;
    see->input[1][step] = b;
    see->input[2][step] = c;
    see->input[3][step] = d;
    return value;
}

/* `...`: one to four inputs of the step's point, in its order. */
#define PASS_FOUR(step, value, a, b, c, d, ...) pass(see, AMD_##step, value, a, b, c, d)
#define PASS(step, value, ...)                  PASS_FOUR(step, value, __VA_ARGS__, 0, 0, 0, 0)

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

/* Extends a field, or the half of a D16 store, to 32 bits. */
STEP uint32_t extend(uint32_t field, unsigned bits, struct amd_watch *see)
{
    return PASS(LOADED_EXTENDED, sign_extend(field, bits), field);
}

/* Returns the number of bits of the integer that stands for 1.0. */
STEP unsigned norm_bits(unsigned bits, struct amd_watch *see)
{
    const unsigned now = PASS(NORM_BITS, bits, 0);
    return now < 1 || now > 32 ? 32 : now;
}

/* ---- to single precision ---- */

/* Puts a single together. `exponent`: that of its leading digit. `mantissa`: rounded, with its leading 1; a
 * carry increments the exponent. `kept`, `rest`: for the watch. */
STEP uint32_t f32_of(int exponent, uint32_t mantissa, uint32_t kept, uint32_t rest, struct amd_watch *see)
{
    if (see)
        exponent = (int8_t)PASS(SINGLE_EXPONENT, (uint8_t)exponent, kept);
    mantissa = PASS(SINGLE_MANTISSA, mantissa, kept, rest);
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
    const bool up = rest > half || (rest == half && (mantissa & 1));
    mantissa += PASS(SINGLE_UP, up, kept, rest > half, rest == half);
    return f32_of(63 + exponent - (int)zeros, mantissa, kept, (uint32_t)(m >> 8), see);
}

/* The single nearest to v * 2^(exponent - 64), where v holds the first 64 digits of a periodic binary
 * fraction. Such a fraction is never half-way between two singles, so the digit behind the mantissa alone
 * decides the rounding. */
STEP uint32_t f32_of_digits(uint64_t v, int exponent, struct amd_watch *see)
{
    unsigned zeros = (unsigned)__builtin_clzll(v | 1);
    v <<= zeros;
    const uint32_t up = (uint32_t)(v >> 39) & 1;
    uint32_t mantissa = (uint32_t)(v >> 40) + PASS(SINGLE_UP, up, (uint32_t)(v >> 40), up, 0);
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
    uint32_t s = extend(field, bits, see), negative = s & f32_sign, n = negative ? 0U - s : s;
    n = PASS(LOADED_MAGNITUDE, n, field, ones(bits - 1));
    if (PASS(LOADED_LEAST, n > ones(bits - 1), n, ones(bits - 1))) /* only -2^(bits-1) */
        return negative |
               (rules->snorm_unclamped ? f32_of_digits(UINT64_C(1) << 63 | unit >> 1, 1, see) : f32_one);
    return n ? negative | ratio(n, width, unit, rules, see) : 0;
}

/* Converts a half exactly; NaNs keep their payload. */
STEP uint32_t f32_of_half(uint32_t half, bool flush, struct amd_watch *see)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = (half >> F16_MANTISSA) & 31,
             mantissa = half & ones(F16_MANTISSA), single;
    sign = PASS(FIELD_SIGN, sign, half);
    exponent = PASS(FIELD_EXPONENT, exponent, half);
    mantissa = PASS(FIELD_MANTISSA, mantissa, half, exponent);
    if (PASS(FIELD_SPECIAL, exponent == SMALL_INFINITY, exponent))
        single = sign | f32_infinity | mantissa << (F32_MANTISSA - F16_MANTISSA);
    else if (PASS(FIELD_NORMAL, exponent != 0, exponent))
        single = sign | PASS(FIELD_BIASED, exponent + F32_BIAS - SMALL_BIAS, exponent) << F32_MANTISSA |
                 mantissa << (F32_MANTISSA - F16_MANTISSA);
    else
        single = flush ? sign : sign | f32_nearest(mantissa, -14 - F16_MANTISSA, see);
    return PASS(FIELD_SINGLE, single, half, exponent, mantissa, sign);
}

/* Converts a float without sign: 5 bits of exponent, the rest mantissa. */
STEP uint32_t f32_of_small(uint32_t field, unsigned bits, struct amd_watch *see)
{
    unsigned width = bits - 5;
    uint32_t exponent = (field >> width) & 31, mantissa = field & ones(width), single;
    exponent = PASS(FIELD_EXPONENT, exponent, field);
    mantissa = PASS(FIELD_MANTISSA, mantissa, field, exponent);
    if (PASS(FIELD_SPECIAL, exponent == SMALL_INFINITY, exponent))
        single = f32_infinity + (mantissa << (F32_MANTISSA - width));
    else if (PASS(FIELD_NORMAL, exponent != 0, exponent))
        single = PASS(FIELD_BIASED, exponent + F32_BIAS - SMALL_BIAS, exponent) << F32_MANTISSA |
                 mantissa << (F32_MANTISSA - width);
    else
        single = f32_nearest(mantissa, -14 - (int)width, see);
    return PASS(FIELD_SINGLE, single, field, exponent, mantissa, 0);
}

STEP uint32_t load_float(uint32_t field, unsigned bits, const struct amd_rules *rules, struct amd_watch *see)
{
    return bits == 32   ? field
           : bits == 16 ? f32_of_half(field, rules->half_flush, see)
                        : f32_of_small(field, bits, see);
}

STEP uint32_t load_sscaled(uint32_t field, unsigned bits, struct amd_watch *see)
{
    uint32_t s = extend(field, bits, see), negative = s & f32_sign;
    const uint32_t n = PASS(LOADED_MAGNITUDE, negative ? 0U - s : s, field, ones(bits - 1));
    return negative | f32_nearest(n, 0, see);
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
        EACH(extend(values[i], bits, see));
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

/* An exponent as its points have it: signed, in 9 bits. */
static inline uint32_t nine_bits(int exponent)
{
    return (uint32_t)exponent & 0x1FF;
}

/* Returns m and sets the exponent of |f| = m * 2^exponent, for finite f. */
STEP uint64_t parts(uint32_t f, int *exponent, struct amd_watch *see)
{
    uint32_t m = f32_parts(f, exponent);
    if (see) {
        enum { SIGN = 0x100 };
        uint32_t last = PASS(CONVERTED_EXPONENT, nine_bits(*exponent), f);
        *exponent = (int)(last ^ SIGN) - SIGN;
        m = PASS(CONVERTED_MANTISSA, m, f, last);
    }
    return m;
}

/* m / 2^shift, rounded to the nearest integer, ties to even, or downwards. `exponent`: of the single's last
 * digit, for the watch. */
STEP uint64_t shift_right(uint64_t m, unsigned shift, int exponent, bool nearest, struct amd_watch *see)
{
    shift = PASS(ROUND_SHIFT, shift < 64 ? shift : 64, (uint32_t)m, nine_bits(exponent));
    if (shift > 63)
        return 0;
    if (!shift)
        return m;
    uint64_t q = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    const bool above = rest > half || (rest == half && (q & 1)),
               up = PASS(ROUND_UP, nearest && above, (uint32_t)q, above, nearest,
                         (uint32_t)(rest > half) | (uint32_t)(rest == half) << 1);
    const uint64_t rounded = q + up;
    return see ? PASS(ROUND_DIGITS, (uint32_t)rounded, (uint32_t)q,
                      (uint32_t)(shift <= 32 ? rest << (32 - shift) : rest >> (shift - 32)), up)
               : rounded;
}

/* Is a single a NaN? */
STEP bool is_nan(uint32_t f, struct amd_watch *see)
{
    return PASS(CONVERTED_NAN, f32_is_nan(f), f);
}

/* |f| * most, rounded to the nearest integer, at most `most`. */
STEP uint32_t scale_to(uint32_t f, uint32_t most, struct amd_watch *see)
{
    int exponent;
    uint32_t magnitude = f & ~f32_sign;
    most = PASS(STORED_MOST, most, f);
    if (see && magnitude >= f32_infinity) /* without a watch, the exponent shows it */
        return PASS(STORED_INTEGER, most, magnitude, most);
    uint64_t m = parts(magnitude, &exponent, see), product = m * most;
    if (PASS(STORED_LIMITS, exponent >= -F32_MANTISSA, magnitude, nine_bits(exponent))) /* 1.0 and more */
        return PASS(STORED_INTEGER, most, magnitude, most);
    if (see) {
        const uint32_t low = PASS(STORED_PRODUCT, (uint32_t)product, (uint32_t)m, most);
        product = (product >> 32 << 32) | low;
    }
    /* below 1.0 the exponent is at most -24 */
    const uint32_t n = (uint32_t)shift_right(product, (unsigned)-exponent, exponent, true, see);
    return PASS(STORED_INTEGER, n, magnitude, most);
}

STEP uint32_t store_unorm(uint32_t f, unsigned bits, struct amd_watch *see)
{
    return PASS(STORED_ZERO, is_nan(f, see) || f & f32_sign, f)
               ? 0
               : scale_to(f, ones(norm_bits(bits, see)), see);
}

STEP uint32_t store_snorm(uint32_t f, unsigned bits, struct amd_watch *see)
{
    if (is_nan(f, see))
        return 0;
    uint32_t n = scale_to(f, ones(norm_bits(bits - 1, see)), see);
    n = PASS(STORED_MAGNITUDE, n, f);
    return (f & f32_sign ? 0U - n : n) & ones(bits);
}

/* |f| rounded downwards to an integer, at most `most`. */
STEP uint32_t truncate_to(uint32_t f, uint32_t most, struct amd_watch *see)
{
    int exponent;
    most = PASS(STORED_MOST, most, f);
    if ((f & ~f32_sign) >= f32_infinity)
        return PASS(STORED_INTEGER, most, f & ~f32_sign, most);
    uint64_t m = parts(f, &exponent, see);
    if (PASS(STORED_LIMITS, exponent > 8, f & ~f32_sign, nine_bits(exponent))) /* 2^32 and more */
        return PASS(STORED_INTEGER, most, f & ~f32_sign, most);
    if (see && exponent > 39) /* only after rules */
        return 0;
    m = exponent < 0 ? shift_right(m, (unsigned)-exponent, exponent, false, see) : m << exponent;
    return PASS(STORED_INTEGER, m > most ? most : (uint32_t)m, f & ~f32_sign, most, (uint32_t)m);
}

STEP uint32_t store_scaled(uint32_t f, unsigned bits, bool is_signed, struct amd_watch *see)
{
    if (PASS(STORED_ZERO, is_nan(f, see) || (!is_signed && f & f32_sign), f))
        return 0;
    if (!is_signed)
        return truncate_to(f, ones(bits), see);
    uint32_t most = ones(bits - 1) + (f & f32_sign ? 1 : 0);
    uint32_t n = PASS(STORED_MAGNITUDE, truncate_to(f, most, see), f);
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
    uint64_t m = parts(f, &exponent, see);
    int power = exponent + F32_MANTISSA; /* of the leading digit; denormal singles round to 0 anyway */
    if (see)                             /* without rules, it is -126 to 127 */
        power = (int8_t)PASS(SMALL_EXPONENT,
                             (uint8_t)(power < INT8_MIN   ? INT8_MIN
                                       : power > INT8_MAX ? INT8_MAX
                                                          : power),
                             (uint32_t)m);
    if (PASS(SMALL_OVERFLOWS, power > SMALL_BIAS, (uint8_t)power))
        return PASS(SMALL_BEYOND, (uint32_t)SMALL_INFINITY << width, (uint8_t)power, UINT32_C(1) << width);
    exponent = power - F32_MANTISSA;
    unsigned shift = F32_MANTISSA - width;
    if (PASS(SMALL_DENORMAL, power < -14, (uint8_t)power)) {
        const unsigned dropped = PASS(SMALL_DROPPED, shift - 14U - (unsigned)power, (uint32_t)power);
        return (uint32_t)shift_right(m, dropped, exponent, nearest, see);
    }
    const uint32_t base = (uint32_t)(power + 14) << width,
                   digits = (uint32_t)shift_right(m, shift, exponent, nearest, see);
    return PASS(SMALL_SUM, base + digits, base, digits, UINT32_C(1) << width);
}

/* Finite values beyond the largest half become the largest half (`saturate`) or infinity. */
STEP uint32_t half_of_f32(uint32_t f, bool nearest, bool saturate, struct amd_watch *see)
{
    uint32_t sign = (f & f32_sign) >> 16, infinity = (uint32_t)SMALL_INFINITY << F16_MANTISSA, half;
    sign = PASS(SMALL_SIGN, sign, f);
    nearest = PASS(SMALL_NEAREST, nearest, f);
    if (is_nan(f, see))
        half = infinity | (f32_quiet | (f & ones(F32_MANTISSA))) >> (F32_MANTISSA - F16_MANTISSA);
    else if (PASS(SMALL_INFINITE, (f & ~f32_sign) == f32_infinity, f))
        half = infinity;
    else {
        half = shrink(f, F16_MANTISSA, nearest, see);
        half = PASS(SMALL_LIMITED, half >= infinity && saturate, half, saturate) ? infinity - 1 : half;
    }
    return PASS(SMALL_RESULT, sign | half, f, half);
}

STEP uint32_t small_of_f32(uint32_t f, unsigned bits, bool nearest, struct amd_watch *see)
{
    unsigned width = bits - 5;
    uint32_t infinity = (uint32_t)SMALL_INFINITY << width, small;
    nearest = PASS(SMALL_NEAREST, nearest, f);
    if (is_nan(f, see))
        small = infinity | UINT32_C(1) << (width - 1);
    else if (PASS(STORED_ZERO, (f & f32_sign) != 0, f))
        small = 0;
    else if (PASS(SMALL_INFINITE, f == f32_infinity, f))
        small = infinity;
    else {
        small = shrink(f, width, nearest, see);
        small = PASS(SMALL_LIMITED, small >= infinity, small, 1) ? infinity - 1 : small;
    }
    return PASS(SMALL_RESULT, small, f, small);
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

uint32_t amd_store_half_watched(enum amd_number number, uint32_t half, const struct amd_rules *rules,
                                struct amd_watch *see)
{
    if (number == AMD_SINT)
        return extend(half, 16, see);
    return number == AMD_UINT ? half & 0xFFFF : f32_of_half(half & 0xFFFF, rules->half_flush, see);
}

uint32_t amd_store_half(enum amd_number number, uint32_t half, const struct amd_rules *rules)
{
    return amd_store_half_watched(number, half, rules, NULL);
}
