/* SPDX-License-Identifier: MIT */
/* The special functions. No source gives the hardware's tables, so results are rounded once from exact values
 * and count as known within a tolerance only. */
#include "model/v3d/alu/v3d_alu.h"

#include "model/number/real.h"
#include "model/number/tolerance.h"

static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32), other = a_low * b_high + (uint32_t)middle;
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

/* Returns sin(pi x) for a magnitude x of at most one half. */
static uint32_t sin_of_half_turns(uint32_t x)
{
    static const uint64_t pi = UINT64_C(0xC90FDAA22168C235); /* * 2^-62 */
    static const uint64_t one = UINT64_C(1) << 62;
    int32_t e;
    if (!x)
        return 0;
    uint64_t y = multiply_high((uint64_t)float_split(x, &e) << 40, pi); /* at least 2^62 */
    int32_t scale = e - 40 + 2;                                         /* the angle is y * 2^scale */
    uint32_t down = (uint32_t)(-62 - scale);
    uint64_t angle = down < 64 ? y >> down : 0, square = multiply_high(angle, angle) << 2, sum = one;
    for (uint64_t k = 10; k > 0; k--) /* the series of sin(y) / y, in units of 2^-62 */
        sum = one - (multiply_high(square, sum) << 2) / (2 * k * (2 * k + 1));
    return real_round((struct float_rules){0}, real_of(multiply_high(y, sum << 1), scale + 1, true));
}

/* Returns sin(pi x) for any finite magnitude, with its sign. */
static uint32_t periodic_sine(uint32_t x)
{
    int32_t e;
    uint32_t m = float_split(x, &e), sign = 0;
    if (e > 0)
        return 0; /* an even number */
    if (x >= 0x3F000000) {
        uint32_t one = UINT32_C(1) << -e; /* x is m / one */
        m &= 2 * one - 1;
        sign = m >= one ? FLOAT_SIGN : 0;
        m &= one - 1;
        m = 2 * m > one ? one - m : m;
        x = real_round((struct float_rules){0}, real_of(m, e, false));
        x = m ? x : 0;
    }
    return sign | sin_of_half_turns(x);
}

static uint32_t sine(enum v3d_sine_range range, uint32_t x)
{
    uint32_t sign = x & FLOAT_SIGN, magnitude = float_magnitude(x);
    if (magnitude > FLOAT_INF || (magnitude == FLOAT_INF && range != V3D_SINE_SATURATES))
        return FLOAT_NAN;
    if (range == V3D_SINE_SATURATES)
        return sign | (magnitude >= 0x3F000000 ? 0x3F800000 : sin_of_half_turns(magnitude));
    if (range == V3D_SINE_TURNS)
        magnitude = float_exponent(magnitude) ? magnitude + 0x800000 : magnitude << 1;
    return magnitude < FLOAT_INF ? sign ^ periodic_sine(magnitude) : 0;
}

static uint32_t of_zero(enum v3d_function f, uint32_t sign)
{
    switch (f) {
    case V3D_RECIP:
    case V3D_RSQRT:
        return sign | FLOAT_INF;
    case V3D_LOG:
        return FLOAT_SIGN | FLOAT_INF;
    default:
        return 0x3F800000;
    }
}

static uint32_t of_infinity(enum v3d_function f, uint32_t sign)
{
    if (f == V3D_RECIP)
        return sign;
    if (f == V3D_EXP)
        return sign ? 0 : FLOAT_INF;
    return sign ? FLOAT_NAN : f == V3D_LOG ? FLOAT_INF : 0;
}

static uint32_t function(enum v3d_function f, uint32_t x)
{
    const struct float_rules ieee = {0};
    uint32_t sign = x & FLOAT_SIGN, magnitude = float_magnitude(x);
    if (magnitude > FLOAT_INF)
        return FLOAT_NAN;
    if (!magnitude)
        return of_zero(f, sign);
    if (magnitude == FLOAT_INF)
        return of_infinity(f, sign);
    if (f == V3D_RECIP)
        return sign | real_round(ieee, real_reciprocal(magnitude));
    if (f == V3D_EXP)
        return magnitude >= 0x43800000 ? of_infinity(f, sign) : real_round(ieee, real_exp2(x));
    if (sign)
        return FLOAT_NAN;
    if (f == V3D_RSQRT)
        return real_round(ieee, real_reciprocal_root(magnitude));
    uint32_t log_sign = 0;
    uint32_t log = real_round(ieee, real_log2(magnitude, &log_sign));
    return log_sign | log;
}

/* Is x a negative number of which the function has no value? */
static bool is_below_domain(struct v3d_alu_rules rules, enum v3d_function f, uint32_t x)
{
    uint32_t magnitude = float_magnitude(x);
    bool zero = !magnitude || (rules.sfu_special == V3D_SFU_FLUSHED && float_is_denormal(x));
    return (f == V3D_LOG || f == V3D_RSQRT) && x >> 31 && !zero && magnitude <= FLOAT_INF;
}

bool v3d_sfu_is_unstated(struct v3d_alu_rules rules, enum v3d_function f, uint32_t x)
{
    return rules.negative == V3D_NEGATIVE_UNDEFINED && is_below_domain(rules, f, x);
}

uint32_t v3d_sfu(struct v3d_alu_rules rules, enum v3d_function f, uint32_t x)
{
    bool flushed = rules.sfu_special == V3D_SFU_FLUSHED;
    if (flushed && float_is_denormal(x))
        x &= FLOAT_SIGN;
    if (rules.negative == V3D_NEGATIVE_MAGNITUDE && is_below_domain(rules, f, x))
        x &= ~FLOAT_SIGN;
    uint32_t result = f == V3D_SINE ? sine((enum v3d_sine_range)rules.sine, x) : function(f, x);
    if (flushed && float_is_denormal(result))
        result &= FLOAT_SIGN;
    if (rules.sfu_special == V3D_SFU_LARGEST && float_magnitude(result) == FLOAT_INF)
        result--; /* the largest finite number */
    return result;
}

uint32_t v3d_sfu_tolerance(enum v3d_generation g, uint32_t result, bool absolute, uint32_t *mask)
{
    static const uint32_t millionth = 0x358637BD;
    uint32_t mantissa = (result & 0x7FFFFF) | FLOAT_HIDDEN;
    uint32_t ulps = mantissa / (g == V3D_42 ? 10000 : 100) + 1;
    uint32_t room =
        mantissa - FLOAT_HIDDEN; /* down to the power of two, below which an ulp is half as large */
    int64_t toward_zero = ulps + (ulps > room ? ulps - room : 0), place = tolerance_place(result);
    int64_t low = place - (result >> 31 ? ulps : toward_zero),
            high = place + (result >> 31 ? toward_zero : ulps);
    if (absolute) {
        int32_t least = tolerance_place(float_add((struct float_rules){0}, result, millionth | FLOAT_SIGN)),
                most = tolerance_place(float_add((struct float_rules){0}, result, millionth));
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    return tolerance_of_floats(result, tolerance_float_at(low), tolerance_float_at(high), mask);
}
