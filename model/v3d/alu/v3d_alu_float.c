/* SPDX-License-Identifier: MIT */
/* The kernels of binary32 operations, and conversions between floats and integers. */
#include "model/v3d/alu/v3d_body.h"
#include "model/v3d/alu/v3d_kernels.h"

static const struct float_rules ieee = {0};

static uint32_t flush(struct v3d_alu_rules rules, uint32_t v)
{
    return v3d_flush(rules, V3D_FLUSH_ADD, v);
}

void v3d_flush_denormals(const struct v3d_vector *from, struct v3d_vector *to)
{
    EACH_LANE to->lane[i] = flush((struct v3d_alu_rules){.denormal = V3D_FLUSH_ADD}, from->lane[i]);
}

static uint32_t sum(struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    return v3d_sum_by(rules, V3D_FLUSH_ADD, a, b);
}

static uint32_t difference(struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    return v3d_difference_by(rules, V3D_FLUSH_ADD, a, b);
}

static uint32_t sum_flushed(struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    rules.denormal |= rules.faddnf == 1 ? V3D_FLUSH_ADD : 0;
    return sum(rules, a, b);
}

static uint32_t sum_unflushed(struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    uint32_t payload = float_magnitude(a) > FLOAT_INF ? a : b;
    if (rules.faddnf == 2 && float_magnitude(payload) > FLOAT_INF)
        return payload;
    return sum(rules, a, b);
}

static bool less_or_equal(uint32_t a, uint32_t b)
{
    return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) <= float_key(b);
}

/* Does a rule change sums? */
#define OTHER_SUMS ((rules.denormal & V3D_FLUSH_ADD) | rules.float_round | rules.nan_bits)

LANES_FAST(A_FADD, OTHER_SUMS | rules.faddnf, v3d_sum(a, b), sum_flushed(rules, a, b), false)
LANES_FAST(A_FADDNF, OTHER_SUMS | rules.faddnf, v3d_sum(a, b), sum_unflushed(rules, a, b), false)
LANES_FAST(A_FSUB, OTHER_SUMS, v3d_sum(a, b ^ FLOAT_SIGN), difference(rules, a, b), false)
LANES_FAST(M_FMUL, (rules.denormal & V3D_FLUSH_MUL) | rules.float_round | rules.nan_bits, v3d_product(a, b),
           v3d_product_by(rules, V3D_FLUSH_MUL, a, b), false)

static bool compare_carry(struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    uint32_t d = difference(rules, a, b);
    if (rules.fcmp_flags)
        return d >> 31 || !d;
    return less_or_equal(flush(rules, a), flush(rules, b));
}
LANES_FAST(A_FCMP, OTHER_SUMS, v3d_sum(a, b ^ FLOAT_SIGN), difference(rules, a, b),
           compare_carry(rules, a, b))

static uint32_t choose(struct v3d_alu_rules rules, bool max, uint32_t a, uint32_t b)
{
    const struct order_rules order = {.zeros_tie = rules.zeros_tie};
    if (rules.min_max_nan && (float_is_nan(a) | float_is_nan(b)))
        return rules.min_max_nan == 3 ? b : v3d_name_nan(rules, FLOAT_NAN, a, b);
    return v3d_name_nan(rules, float_select(order, max, flush(rules, a), flush(rules, b)), a, b);
}

/* Does a rule change fmin and fmax? */
#define OTHER_ORDER (rules.min_max_nan | (rules.denormal & V3D_FLUSH_ADD) | rules.zeros_tie | rules.nan_bits)
LANES_FAST(A_FMIN, OTHER_ORDER, float_min((struct order_rules){0}, a, b), choose(rules, false, a, b),
           float_greater((struct order_rules){0}, a, b))
LANES_FAST(A_FMAX, OTHER_ORDER, float_max((struct order_rules){0}, a, b), choose(rules, true, a, b),
           float_greater((struct order_rules){0}, a, b))

LANES(A_RECIP, v3d_sfu(rules, V3D_RECIP, a), false)
LANES(A_RSQRT, v3d_sfu(rules, V3D_RSQRT, a), false)
LANES(A_RSQRT2, v3d_sfu(rules, V3D_RSQRT, a), false)
LANES(A_EXP, v3d_sfu(rules, V3D_EXP, a), false)
LANES(A_LOG, v3d_sfu(rules, V3D_LOG, a), false)
LANES(A_SIN, v3d_sfu(rules, V3D_SINE, a), false)

/* ---- whole numbers ---- */

enum direction { TO_NEAREST, TO_ZERO, DOWN, UP };

/* Returns a finite float's magnitude as a whole number, rounded; below 2^24. For magnitudes below 2^23. */
static uint32_t whole(enum direction d, uint8_t tie, uint32_t v)
{
    uint32_t e = float_exponent(v), mantissa = (v & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    uint32_t rest = shift_sticky(mantissa << 2, lane_min(150 - (e ? e : 1), 31));
    uint32_t kept = rest >> 2, low = rest & 3;
    bool negative = v >> 31, up = false;
    if (d == TO_NEAREST)
        up = low == 3 || (low == 2 && (tie == V3D_TIE_EVEN   ? kept & 1
                                       : tie == V3D_TIE_AWAY ? true
                                                             : !negative));
    else if (d != TO_ZERO)
        up = low != 0 && negative == (d == DOWN);
    return kept + up;
}

static uint32_t round_float(struct v3d_alu_rules rules, enum direction d, uint32_t operand)
{
    uint32_t v = flush(rules, operand);
    if (float_magnitude(v) > FLOAT_INF)
        return v3d_name_nan(rules, FLOAT_NAN, v, v);
    if (float_exponent(v) >= 150)
        return v;
    return (v & FLOAT_SIGN) | float_from_int(ieee, whole(d, rules.tie, v));
}
LANES(A_FROUND, round_float(rules, TO_NEAREST, a), false)
LANES(A_FTRUNC, round_float(rules, TO_ZERO, a), false)
LANES(A_FFLOOR, round_float(rules, DOWN, a), false)
LANES(A_FCEIL, round_float(rules, UP, a), false)

/* Converts to an integer of 32 bits, signed or not. */
static uint32_t to_int(struct v3d_alu_rules rules, enum direction d, bool is_signed, uint32_t v)
{
    v = flush(rules, v);
    uint32_t e = float_exponent(v), negative = lane_mask(v >> 31), magnitude = 0;
    if (e < 150)
        magnitude = whole(d, rules.tie, v);
    else if (e < 182)
        magnitude = ((v & 0x7FFFFF) | FLOAT_HIDDEN) << (e - 150);
    uint32_t limit = is_signed ? 0x7FFFFFFF + (negative & 1) : negative ? 0 : UINT32_MAX;
    bool inside = e < (is_signed ? 158U : 159U) || (is_signed && v == 0xCF000000);
    inside = inside && magnitude <= limit;
    if (!is_signed && negative)
        magnitude = 0; /* as in the tests of py-videocore6 and 7 */
    if (inside || rules.to_int == V3D_TO_INT_WRAPS)
        return (magnitude ^ negative) - negative;
    if (rules.to_int == V3D_TO_INT_MIN)
        return is_signed ? FLOAT_SIGN : 0;
    if (float_magnitude(v) > FLOAT_INF)
        return 0;
    return (limit ^ negative) - negative;
}
LANES(A_FTOIN, to_int(rules, TO_NEAREST, true, a), false)
LANES(A_FTOIZ, to_int(rules, TO_ZERO, true, a), false)
LANES(A_FTOUZ, to_int(rules, TO_ZERO, false, a), false)
LANES(A_FTOC, to_int(rules, rules.ftoc == 2 ? TO_ZERO : UP, rules.ftoc != 1, a), false)

static struct float_rules of_integers(struct v3d_alu_rules rules)
{
    return (struct float_rules){.rounding = rules.itof_round ? ROUND_TRUNCATE : ROUND_NEAREST_EVEN};
}
LANES(A_ITOF, float_from_int(of_integers(rules), a), false)

static uint32_t from_unsigned(struct v3d_alu_rules rules, uint32_t v)
{
    uint32_t left = lane_clz(v) & 31, top = v << left;
    return v ? float_round(of_integers(rules), 158 - left, (top >> 5) | (uint32_t)((top & 31) != 0)) : 0;
}
LANES(A_UTOF, from_unsigned(rules, a), false)
