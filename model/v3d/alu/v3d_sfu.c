/* SPDX-License-Identifier: MIT */
/* The special functions. No source gives the hardware's tables, so results are rounded once from exact values
 * and count as known within a tolerance only. */
#include "model/v3d/alu/v3d_alu.h"

#include "model/number/real.h"

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

static uint32_t sine(uint32_t x)
{
    uint32_t sign = x & FLOAT_SIGN, magnitude = float_magnitude(x);
    if (magnitude > FLOAT_INF)
        return FLOAT_NAN;
    return sign | (magnitude >= 0x3F000000 ? 0x3F800000 : sin_of_half_turns(magnitude));
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

uint32_t v3d_sfu(enum v3d_function f, uint32_t x)
{
    const struct float_rules ieee = {0};
    uint32_t sign = x & FLOAT_SIGN, magnitude = float_magnitude(x);
    if (f == V3D_SINE)
        return sine(x);
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
