/* SPDX-License-Identifier: MIT */
#include "tests/model/vc4/qpu/alu/support_slow_float.h"

#include "tests/support/support_bits.h"

#include <math.h>
#include <stdbool.h>

const uint32_t slow_boundary[] = {
    0x00000000, 0x80000000, /* zeros */
    0x00000001, 0x80000001, 0x00000002, 0x00400000, 0x80400000, 0x007FFFFE,
    0x007FFFFF, 0x807FFFFF,                                                 /* denormals */
    0x00800000, 0x80800000, 0x00800001, 0x00FFFFFF, 0x01000000, 0x81000001, /* smallest normals */
    0x33000000, 0x33800000, 0x33800001, 0x34000000, 0x34000001, 0xB3800000,
    0xB4000001, /* half and whole ulps of 1 */
    0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFE, 0x3F7FFFFF, 0x3F800000,
    0x3F800001, 0x3F800002, 0xBF800000, 0xBF7FFFFF, 0xBF800001, 0x3FFFFFFF,
    0x40000000, 0x40000001, 0x40490FDB, 0xC0000000, 0x3EAAAAAB, 0x3FB504F3,
    0x3FB504F4, 0x3F3504F3, 0x437F0000, 0x46FFFE00, 0x477FE000, 0x477FEFFF,
    0x477FF000, 0x47800000, 0x387FC000, 0x387FE000, 0x38800000, 0x33000001, /* ends of the half format */
    0x4B000000, 0x4B7FFFFF, 0x4B800000, 0x4B800001, 0xCB800000, 0x4AFFFFFF,
    0x4A800001, /* whole numbers */
    0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000,
    0xCF800000, /* 2^31, 2^32 */
    0x70000000, 0xF0000000, 0x90000000, 0x10000000, 0x7E800000, 0x7EFFFFFF,
    0x7F000000, 0xFF000000, 0x7F7FFFFE, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000,
    0xFF800000,                                                             /* largest floats, infinities */
    0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FFFFFFF, 0xFFC00000, 0xFFFFFFFF, /* NaN */
    0x00007FFF, 0x00008000, 0x0000007F, 0x00000080, 0x0000001F, 0x00000020,
    0x00000021, 0x000000FF, 0x00000100, 0x00FFFFFF, 0x01FFFFFF, 0x7F01FE80,
};
const unsigned slow_boundary_count = sizeof slow_boundary / sizeof slow_boundary[0];

double slow_half_value(uint32_t half)
{
    int e = (int)(half >> 10 & 31);
    double m = half & 0x3FF;
    double v = e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
    return half & 0x8000 ? -v : v;
}

double slow_value(uint32_t x)
{
    return (double)float_of(x);
}

uint64_t slow_random_next(struct slow_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint32_t operand(struct slow_random *r, uint32_t other)
{
    uint64_t n = slow_random_next(r);
    uint32_t word = (uint32_t)n;
    switch ((n >> 32) & 7) {
    case 0: /* a boundary word or a neighbour */
        return slow_boundary[word % slow_boundary_count] + (uint32_t)((n >> 40) & 3) - 1;
    case 1: /* an exponent near that of `other`, any mantissa and sign */
        return ((other & 0x7F800000) + ((uint32_t)((n >> 40) & 63) << 23) - (UINT32_C(31) << 23)) ^
               (word & 0x807FFFFF);
    case 2: /* a value near `other`, of either sign */
        return (other + (uint32_t)((n >> 40) & 15) - 7) ^ (word & 0x80000000);
    case 3: /* few mantissa bits, which give ties */
        return word & 0xFFF80000;
    case 4: /* a small integer */
        return word & ((1U << ((n >> 40) & 31)) - 1);
    case 5: /* 1 with few bits changed */
        return 0x3F800000 ^ (word & 0x80C00007);
    default:
        return word;
    }
}

void slow_random_operands(struct slow_random *r, uint32_t *a, uint32_t *b)
{
    *a = operand(r, 0x3F800000);
    *b = operand(r, *a);
}

#ifdef HAVE_MPFR
#include <mpfr.h>

enum { EXACT_BITS = 700 }; /* enough for any sum or product of two floats */

static bool exponent_is(uint32_t x, uint32_t e)
{
    return ((x >> 23) & 255) == e;
}

/* Rounds an exact value to binary32 with gradual underflow. */
static uint32_t round_ieee(const mpfr_t exact, mpfr_rnd_t rounding)
{
    mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
    mpfr_t narrow;
    mpfr_init2(narrow, 24);
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    int ternary = mpfr_set(narrow, exact, rounding);
    ternary = mpfr_check_range(narrow, ternary, rounding);
    mpfr_subnormalize(narrow, ternary, rounding);
    uint32_t bits = bits_of(mpfr_get_flt(narrow, MPFR_RNDN));
    mpfr_set_emin(low);
    mpfr_set_emax(high);
    mpfr_clear(narrow);
    return bits;
}

/* Rounds to nearest, ties away from zero: adds half a unit, then truncates. This is right for normal and
 * denormal results. */
static uint32_t round_half_away(const mpfr_t exact)
{
    mpfr_t magnitude, half;
    mpfr_inits2(EXACT_BITS, magnitude, half, (mpfr_ptr)0);
    mpfr_abs(magnitude, exact, MPFR_RNDN);
    uint32_t sign = mpfr_signbit(exact) ? 0x80000000 : 0;
    mpfr_exp_t unit = mpfr_zero_p(exact) ? -149 : mpfr_get_exp(exact) - 24;
    mpfr_set_ui_2exp(half, 1, (unit < -149 ? -149 : unit) - 1, MPFR_RNDN);
    mpfr_add(magnitude, magnitude, half, MPFR_RNDN);
    uint32_t bits = mpfr_cmp_ui_2exp(magnitude, 1, 128) >= 0 ? 0x7F800000 : round_ieee(magnitude, MPFR_RNDZ);
    mpfr_clears(magnitude, half, (mpfr_ptr)0);
    return bits | sign;
}

/* Truncates to 24 bits. Results below 2^-126 become +0, and results from 2^128 on become Inf. */
static uint32_t round_silicon(const mpfr_t exact)
{
    mpfr_t narrow;
    uint32_t bits;
    mpfr_init2(narrow, 24);
    mpfr_set(narrow, exact, MPFR_RNDZ);
    if (mpfr_zero_p(narrow) || mpfr_get_exp(narrow) < -125)
        bits = 0;
    else if (mpfr_get_exp(narrow) > 128)
        bits = 0x7F800000 | (mpfr_signbit(narrow) ? 0x80000000 : 0);
    else
        bits = bits_of(mpfr_get_flt(narrow, MPFR_RNDZ));
    mpfr_clear(narrow);
    return bits;
}

enum operation { ADD, MULTIPLY };

static void exactly(mpfr_t exact, enum operation op, uint32_t a, uint32_t b)
{
    mpfr_t y;
    mpfr_init2(y, 24);
    mpfr_set_flt(exact, float_of(a), MPFR_RNDN);
    mpfr_set_flt(y, float_of(b), MPFR_RNDN);
    if (op == ADD)
        mpfr_add(exact, exact, y, MPFR_RNDN);
    else
        mpfr_mul(exact, exact, y, MPFR_RNDN);
    mpfr_clear(y);
}

static uint32_t ieee(enum operation op, uint32_t a, uint32_t b, bool away)
{
    mpfr_t exact;
    if (bits_are_nan(a) || bits_are_nan(b))
        return 0x7FC00000;
    mpfr_init2(exact, EXACT_BITS);
    exactly(exact, op, a, b);
    uint32_t bits = mpfr_nan_p(exact)            ? 0x7FC00000
                    : away && !mpfr_inf_p(exact) ? round_half_away(exact)
                                                 : round_ieee(exact, MPFR_RNDN);
    mpfr_clear(exact);
    return bits;
}

uint32_t slow_ieee_add(uint32_t a, uint32_t b)
{
    return ieee(ADD, a, b, false);
}

uint32_t slow_ieee_multiply(uint32_t a, uint32_t b)
{
    return ieee(MULTIPLY, a, b, false);
}

uint32_t slow_away_multiply(uint32_t a, uint32_t b)
{
    return ieee(MULTIPLY, a, b, true);
}

static uint32_t silicon(enum operation op, uint32_t a, uint32_t b)
{
    mpfr_t exact;
    mpfr_init2(exact, EXACT_BITS);
    exactly(exact, op, a, b);
    uint32_t bits = round_silicon(exact);
    mpfr_clear(exact);
    return bits;
}

uint32_t slow_silicon_add(uint32_t a, uint32_t b)
{
    if (exponent_is(b, 255))
        return 0x7F800000 | (b & 0x80000000);
    if (exponent_is(a, 255))
        return 0x7F800000 | (a & 0x80000000);
    return silicon(ADD, exponent_is(a, 0) ? 0 : a, exponent_is(b, 0) ? 0 : b);
}

uint32_t slow_silicon_multiply(uint32_t a, uint32_t b)
{
    if (exponent_is(a, 0) || exponent_is(b, 0))
        return 0;
    if (exponent_is(a, 255) || exponent_is(b, 255))
        return 0x7F800000 | ((a ^ b) & 0x80000000);
    return silicon(MULTIPLY, a, b);
}

static uint32_t from_int(uint32_t x, mpfr_rnd_t rounding)
{
    mpfr_t exact;
    mpfr_init2(exact, 64);
    mpfr_set_si(exact, (long)(int32_t)x, MPFR_RNDN);
    uint32_t bits = round_ieee(exact, rounding);
    mpfr_clear(exact);
    return x ? bits : 0;
}

uint32_t slow_ieee_from_int(uint32_t x)
{
    return from_int(x, MPFR_RNDN);
}

uint32_t slow_silicon_from_int(uint32_t x)
{
    return from_int(x, MPFR_RNDZ);
}

uint32_t slow_function(char which, uint32_t x)
{
    mpfr_t v;
    /* round_ieee rounds a second time. With 200 bits no result is near a tie unless it is one. */
    mpfr_init2(v, 200);
    mpfr_set_flt(v, float_of(x), MPFR_RNDN);
    switch (which) {
    case 'r':
        mpfr_ui_div(v, 1, v, MPFR_RNDN);
        break;
    case 'q':
        mpfr_rec_sqrt(v, v, MPFR_RNDN);
        break;
    case 'e':
        mpfr_exp2(v, v, MPFR_RNDN);
        break;
    case 'l':
        mpfr_log2(v, v, MPFR_RNDN);
        break;
    default:
        mpfr_sqrt(v, v, MPFR_RNDN);
    }
    uint32_t bits = round_ieee(v, MPFR_RNDN);
    mpfr_clear(v);
    return bits;
}

uint32_t slow_ieee_to_half(uint32_t x)
{
    mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
    uint32_t sign = x >> 31 ? 0x8000 : 0;
    if (bits_are_nan(x))
        return 0x7E00;
    mpfr_t v, narrow;
    mpfr_init2(v, 24);
    mpfr_init2(narrow, 11);
    mpfr_set_flt(v, float_of(x & 0x7FFFFFFF), MPFR_RNDN);
    mpfr_set_emin(-23);
    mpfr_set_emax(16);
    int ternary = mpfr_set(narrow, v, MPFR_RNDN);
    ternary = mpfr_check_range(narrow, ternary, MPFR_RNDN);
    mpfr_subnormalize(narrow, ternary, MPFR_RNDN);
    double d = mpfr_get_d(narrow, MPFR_RNDN);
    mpfr_set_emin(low);
    mpfr_set_emax(high);
    mpfr_clears(v, narrow, (mpfr_ptr)0);
    if (d > 65504)
        return sign | 0x7C00;
    /* Searches for the half with this value, because a search needs no knowledge of rounding. */
    uint32_t half = 0;
    for (uint32_t bit = 0x4000; bit; bit >>= 1)
        if ((half | bit) < 0x7C00 && slow_half_value(half | bit) <= d)
            half |= bit;
    return sign | half;
}

uint32_t slow_colour(uint32_t v, int truncate)
{
    mpfr_t x;
    mpfr_init2(x, 24);
    mpfr_set_ui(x, v, MPFR_RNDN);
    mpfr_div_ui(x, x, 255, truncate ? MPFR_RNDZ : MPFR_RNDN);
    uint32_t bits = bits_of(mpfr_get_flt(x, MPFR_RNDN));
    mpfr_clear(x);
    return bits;
}

void slow_done(void)
{
    mpfr_free_cache();
}

#endif
