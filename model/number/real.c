/* SPDX-License-Identifier: MIT */
#include "model/number/real.h"

static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32),
             other = a_low * b_high + (uint32_t)middle;
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

static uint32_t clz64(uint64_t x)
{
    return x >> 32 ? lane_clz((uint32_t)(x >> 32)) : 32 + lane_clz((uint32_t)x);
}

struct real real_of(uint64_t m, int32_t e, bool sticky)
{
    if (!m)
        return (struct real){0, 0, false};
    uint32_t left = clz64(m);
    return (struct real){m << left, e - (int32_t)left, sticky};
}

uint32_t float_split(uint32_t x, int32_t *e)
{
    uint32_t field = float_exponent(x), m = (x & 0x7FFFFF) | (field ? FLOAT_HIDDEN : 0);
    uint32_t left = (lane_clz(m) - 8) & 31;
    *e = (int32_t)(field ? field : 1) - 150 - (int32_t)left;
    return m << left;
}

uint32_t real_round(struct float_rules rules, struct real r)
{
    if (!r.m)
        return 0;
    int32_t field = r.e + 63 + 127;
    if (field > 254)
        return FLOAT_INF;
    uint32_t down = field < 1 ? (uint32_t)(1 - field) : 0;
    /* float_round needs the hidden bit at bit 26, with three bits below the result */
    uint64_t sum = r.m >> 37;
    bool rest = (r.m & ((UINT64_C(1) << 37) - 1)) != 0 || r.sticky;
    uint32_t jammed = shift_sticky((uint32_t)sum | (uint32_t)rest, lane_min(down, 31));
    return float_round(rules, (uint32_t)(field < 1 ? 1 : field), jammed);
}

struct real real_reciprocal(uint32_t x)
{
    int32_t e;
    uint32_t m = float_split(x, &e);
    uint64_t one = UINT64_C(1) << 63;
    return real_of(one / m, -63 - e, one % m != 0);
}

static uint64_t square_root_64(uint64_t y)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= y)
            root |= bit;
    return root;
}

/* Splits a float into m * 2^e with an even exponent. */
static uint32_t split_even(uint32_t x, int32_t *e)
{
    uint32_t m = float_split(x, e);
    if (*e & 1) {
        m <<= 1;
        *e -= 1;
    }
    return m;
}

struct real real_reciprocal_root(uint32_t x)
{
    int32_t e;
    uint32_t m = split_even(x, &e);
    uint64_t one = UINT64_C(1) << 63, high = one / m, left = one % m;
    uint64_t quotient = (high << 23) + (left << 23) / m; /* 2^86 / m */
    bool rest = (left << 23) % m != 0;
    uint64_t root = square_root_64(quotient); /* 31 or 32 bits */
    return real_of(root, -43 - e / 2, rest || root * root != quotient);
}

struct real real_root(uint32_t x)
{
    int32_t e;
    uint32_t m = split_even(x, &e);
    uint64_t y = (uint64_t)m << 38, root = square_root_64(y);
    return real_of(root, e / 2 - 19, root * root != y);
}

/* 2^x for |x| < 2^8: sums the exponential series of the fraction, in units of 2^-62. */
struct real real_exp2(uint32_t x)
{
    static const uint64_t ln2 = UINT64_C(0xB17217F7D1CF79AB); /* * 2^-64 */
    static const uint64_t one = UINT64_C(1) << 62;
    int32_t e;
    uint32_t m = float_split(x, &e);
    uint32_t down = (uint32_t)-e; /* 16 .. 172 */
    int32_t whole = down < 32 ? (int32_t)(m >> down) : 0;
    uint64_t fraction = down <= 63  ? (uint64_t)m << (64 - down)
                        : down < 88 ? (uint64_t)m >> (down - 64)
                                    : 1; /* * 2^-64 */
    if (x >> 31) {
        whole = -whole - (fraction != 0);
        fraction = 0 - fraction;
    }
    uint64_t y = multiply_high(fraction, ln2), sum = one;
    for (uint64_t k = 20; k > 0; k--)
        sum = one + multiply_high(y, sum) / k;
    return real_of(sum, whole - 62, fraction != 0);
}

/* Returns log2 of x as sign and magnitude: 2 / ln 2 * atanh(s) with s = (m - 1) / (m + 1), for m between
 * sqrt(1/2) and sqrt(2). */
struct real real_log2(uint32_t x, uint32_t *sign)
{
    static const uint64_t two_over_ln2 = UINT64_C(0xB8AA3B295C17F0BB); /* * 2^-62 */
    int32_t e;
    uint32_t m = float_split(x, &e), one = FLOAT_HIDDEN;
    int32_t whole = e + 23;
    if (m > 0xB504F3) {
        one <<= 1;
        whole++;
    }
    uint32_t negative = lane_mask(m < one), numerator = m < one ? one - m : m - one, denominator = m + one;
    if (!numerator) {
        *sign = whole < 0 ? FLOAT_SIGN : 0;
        return real_of((uint64_t)(whole < 0 ? -whole : whole), 0, false);
    }
    uint32_t left = clz64(numerator);
    uint64_t shifted = (uint64_t)numerator << left;
    uint64_t s = ((shifted / denominator) << 24) +
                 ((shifted % denominator) << 24) / denominator;                 /* * 2^-(left + 24) */
    uint64_t s64 = s >> (left - 40), square = multiply_high(s64, s64), sum = 0; /* * 2^-64 */
    for (uint64_t k = 17; k-- > 0;)
        sum = (UINT64_C(1) << 62) / (2 * k + 1) + multiply_high(square, sum);
    uint64_t log = multiply_high(multiply_high(s, sum) << 1, two_over_ln2); /* * 2^-(left + 21) */
    if (!whole) {
        *sign = negative & FLOAT_SIGN;
        return real_of(log, -(int32_t)left - 21, true);
    }
    *sign = whole < 0 ? FLOAT_SIGN : 0;
    uint64_t integer = (uint64_t)(whole < 0 ? -whole : whole) << 55, part = log >> (left - 34);
    return real_of((whole < 0) == (negative != 0) ? integer + part : integer - part, -55, true);
}

uint32_t float_common_bits(uint32_t low, uint32_t high)
{
    uint32_t differ = low ^ high;
    return differ ? ~(UINT32_MAX >> (lane_clz(differ) & 31)) : UINT32_MAX;
}
