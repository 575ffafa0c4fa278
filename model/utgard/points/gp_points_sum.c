/* SPDX-License-Identifier: MIT */
/* The observation points of sums and products: the steps of gp_add and gp_multiply, which round normal
 * numbers, and what they do for other numbers. Without rules, the steps give the result that the unit gave.
 */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

/* `o`: the observer, or NULL to show nothing. */
#define SEE(point, value, ...) OBSERVE(o, GP_POINT_##point, (value), __VA_ARGS__)

/* The result of the steps of a sum or product. `within`: it is 0, or has the exponent of a normal number
 * below 2^127. */
struct steps {
    uint32_t value;
    bool within;
};

static uint32_t significand_of(uint32_t word)
{
    return (word & 0x7FFFFF) | FLOAT_HIDDEN;
}

/* Returns the rounded magnitude. `rest`: the bits that are rounded off; the highest is bit 63. */
static uint32_t rounded(const struct observer *o, const struct gp_rules *r, bool times, uint32_t exponent,
                        uint32_t kept, uint64_t rest)
{
    const uint64_t half = UINT64_C(1) << 63;
    const bool above = rest > half, tie = rest == half, odd = kept & 1;
    const bool nearest = r->f.rounding != ROUND_TRUNCATE;
    const uint32_t up = SEE(ROUNDING_UP, nearest && (above || (tie && odd)), times,
                            (uint32_t)(rest >> 32) | ((uint32_t)rest != 0), above, tie, odd);
    return SEE(ROUNDING_BITS, ((exponent - 1) << 23) + kept + up, times, exponent, kept, up);
}

static bool see_within(const struct observer *o, bool times, uint32_t exponent)
{
    return SEE(SUM_WITHIN, exponent - 1 < 253, times, exponent);
}

/* The steps of a product of normal numbers. */
static struct steps product_steps(const struct observer *o, const struct gp_rules *r, uint32_t a, uint32_t b)
{
    const uint64_t m = SEE(PRODUCT_SIGNIFICAND, significand_of(a), 0, a),
                   n = SEE(PRODUCT_SIGNIFICAND, significand_of(b), 1, b), product = m * n;
    const uint32_t carry = SEE(PRODUCT_CARRY, (uint32_t)(product >> 47) & 3, (uint32_t)(product >> 46) & 3),
                   a_exponent = float_exponent(a), b_exponent = float_exponent(b),
                   exponent = SEE(PRODUCT_EXPONENT, a_exponent + b_exponent + carry - 127, a_exponent,
                                  b_exponent, carry);
    const bool within = see_within(o, true, exponent);
    o = within ? o : NULL; /* the further steps do not give the result */
    const uint32_t down = SEE(PRODUCT_DOWN, 23 + carry, carry);
    const uint64_t rest = down ? product << (64 - down) : 0;
    const uint32_t kept = SEE(ROUNDING_KEPT, (uint32_t)(product >> down), 1, (uint32_t)(product >> 32),
                              (uint32_t)product, down),
                   bits = rounded(o, r, true, exponent, kept, rest),
                   sign = SEE(PRODUCT_SIGN, (a ^ b) >> 31, a, b) << 31;
    return (struct steps){.value = sign | bits, .within = within};
}

/* Returns the sum or difference of the significands; its bit 55 is 1.0. */
static uint64_t add_significands(const struct observer *o, uint32_t a, uint32_t b, uint32_t greater,
                                 uint32_t lesser)
{
    enum { FARTHEST = 60 }; /* beyond all bits */
    const uint32_t greater_exponent = float_exponent(greater), lesser_exponent = float_exponent(lesser),
                   apart = SEE(SUM_APART, (greater_exponent - lesser_exponent) & 0x1FF, greater_exponent,
                               lesser_exponent),
                   m = SEE(SUM_TERM, significand_of(greater) << 7, 0, greater),
                   n = SEE(SUM_TERM, significand_of(lesser) << 7, 1, lesser),
                   down = SEE(SUM_DOWN, apart < FARTHEST ? apart : FARTHEST, apart);
    const uint64_t large = (uint64_t)m << 25, small = (uint64_t)n << 25,
                   sticky = SEE(SUM_STICKY, (uint32_t)((small & ((UINT64_C(1) << down) - 1)) != 0), down, n),
                   shifted = small >> down | sticky;
    return SEE(SUM_SUBTRACT, (a ^ b) >> 31, a, b, a ^ b) ? large - shifted : large + shifted;
}

/* The steps of a sum of normal numbers. `greater`: the operand with the greater magnitude. */
static struct steps sum_steps(const struct observer *o, const struct gp_rules *r, uint32_t a, uint32_t b,
                              uint32_t greater, uint32_t lesser)
{
    const uint64_t sum = add_significands(o, a, b, greater, lesser);
    if (!sum)
        return (struct steps){.within = true};
    const uint32_t top = SEE(SUM_TOP, 63 - (uint32_t)__builtin_clzll(sum), (uint32_t)(sum >> 32)),
                   greater_exponent = float_exponent(greater),
                   exponent = SEE(SUM_EXPONENT, greater_exponent + top - 55, greater_exponent, top);
    const bool within = see_within(o, false, exponent);
    o = within ? o : NULL; /* the further steps do not give the result */
    const uint64_t shifted = sum << (63 - top), high = shifted >> 32,
                   placed = (uint64_t)SEE(SUM_PLACED, (uint32_t)high, (uint32_t)(sum >> 32), top) << 32 |
                            (uint32_t)shifted;
    const uint32_t kept = SEE(ROUNDING_KEPT, (uint32_t)(placed >> 40), 0, (uint32_t)(placed >> 32),
                              (uint32_t)placed, 40),
                   bits = rounded(o, r, false, exponent, kept, placed << 24),
                   sign = SEE(SUM_SIGN, greater >> 31, greater, lesser) << 31;
    return (struct steps){.value = sign | bits, .within = within};
}

/* What the steps find out about the operands. normal[0]: of a sum, of the operand with the greater magnitude;
 * of a product, of input 0. zero[0]: of input 0. */
struct kinds {
    bool normal[2], zero[2];
};

static uint32_t slow_sum(const struct observer *o, uint32_t a, uint32_t b, const struct kinds *k, bool swap,
                         uint32_t value)
{
    const bool a_zero = k->zero[0], b_zero = k->zero[1], a_normal = k->normal[swap],
               b_normal = k->normal[!swap];
    if (SEE(SUM_BOTH, a_zero && b_zero, a_zero, b_zero))
        return SEE(SUM_OF_ZEROS, a & b, a, b);
    if (SEE(SUM_ALONE, (a_normal && b_zero) || (b_normal && a_zero), a_normal, b_normal, a_zero, b_zero))
        return SEE(SUM_OPERAND, a_zero ? b : a, a, b);
    return value;
}

static uint32_t slow_product(const struct observer *o, uint32_t a, uint32_t b, const struct kinds *k,
                             uint32_t value)
{
    const bool a_zero = k->zero[0], b_zero = k->zero[1], a_normal = k->normal[0], b_normal = k->normal[1];
    const bool is_zero = (a_normal && b_zero) || (b_normal && a_zero) || (a_zero && b_zero);
    if (SEE(PRODUCT_IS_ZERO, is_zero, a_normal, b_normal, a_zero, b_zero))
        return SEE(PRODUCT_ZERO, (a ^ b) & FLOAT_SIGN, a, b);
    return value;
}

static bool see_normal(const struct observer *o, bool times, unsigned operand, uint32_t word)
{
    return SEE(SUM_NORMAL, gp_is_normal(word), operand, word, float_class(word), times);
}

static bool see_zero(const struct observer *o, bool times, unsigned input, uint32_t word)
{
    return SEE(SUM_ZERO, !(word << 1), input, word, times);
}

/* Shows the steps. Returns the result, and sets *ordinary to whether the steps for normal numbers gave it. */
static uint32_t observe_steps(const struct gp *g, bool times, uint32_t a, uint32_t b, uint32_t value,
                              bool *ordinary)
{
    const struct observer *o = g->setup.observer;
    bool swap = false;
    uint32_t first = a, second = b;
    if (!times) {
        swap = SEE(SUM_SWAP, float_magnitude(b) > float_magnitude(a), a, b);
        first = SEE(SUM_GREATER, swap ? b : a, a, b, swap);
        second = SEE(SUM_LESSER, swap ? a : b, a, b, swap);
    }
    struct kinds k = {{see_normal(o, times, 0, first), see_normal(o, times, 1, second)}, {false, false}};
    const bool normal = k.normal[0] && k.normal[1];
    const struct observer *shown = normal ? o : NULL; /* of other numbers, the steps have no meaning */
    const struct steps s =
        times ? product_steps(shown, &g->rules, a, b) : sum_steps(shown, &g->rules, a, b, first, second);
    *ordinary = SEE(SUM_ORDINARY, normal && s.within, times, k.normal[0], k.normal[1]);
    if (*ordinary)
        return s.value;
    k.zero[0] = see_zero(o, times, 0, a);
    k.zero[1] = see_zero(o, times, 1, b);
    return times ? slow_product(o, a, b, &k, value) : slow_sum(o, a, b, &k, swap, value);
}

/* Does a number have a magnitude below 2^-126 or from 2^127 on, or is it a NaN? */
static bool is_special(uint32_t x)
{
    return float_exponent(x) == 0 || float_exponent(x) >= 254;
}

/* Does the observer want a point of the steps, or the result? */
static bool wants_steps(const struct observer *o)
{
    enum { FIRST = GP_POINT_SUM_NORMAL, LAST = GP_POINT_SUM_VALUE };
    uint64_t wanted = 0;
    for (unsigned n = FIRST / 64; n <= LAST / 64; n++)
        wanted |= o->wants[n] & (n == FIRST / 64 ? UINT64_MAX << FIRST % 64 : UINT64_MAX) &
                  (n == LAST / 64 ? UINT64_MAX >> (63 - LAST % 64) : UINT64_MAX);
    return wanted;
}

uint32_t gp_observe_sum(const struct gp *g, unsigned unit, bool times, uint32_t a, uint32_t b, uint32_t value)
{
    bool ordinary = false;
    if (!g->setup.observer || !wants_steps(g->setup.observer))
        return value;
    value = observe_steps(g, times, a, b, value, &ordinary);
    const bool special = is_special(a) || is_special(b) || is_special(value);
    return GP_SEE(g, SUM_VALUE, value, unit, a, b, times, special, gp_nans_of_two(a, b), ordinary);
}
