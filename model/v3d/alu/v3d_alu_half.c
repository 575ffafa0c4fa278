/* SPDX-License-Identifier: MIT */
/* The kernels of operations on two halves of a word, packs, and conversions to and from fractions. */
#include "model/v3d/alu/v3d_body.h"
#include "model/v3d/alu/v3d_kernels.h"

/* A kernel that computes R of the low halves and of the high halves, as binary16 numbers. A sum or product of
 * halves that is rounded to binary32 first rounds to the same half. EXACT gives it if no rule is set that
 * concerns operations on halves. ROUNDS: a result may be no half before it is rounded. */
#define HALVES(ID, ROUNDS, EXACT, R)                                                                         \
    FLOAT_INLINE uint32_t half_##ID(struct v3d_alu_rules rules, uint32_t a, uint32_t b)                      \
    {                                                                                                        \
        rules.half_round = (ROUNDS) ? rules.half_round : V3D_HALF_NEAREST;                                   \
        return v3d_to_half(rules, EXACT);                                                                    \
    }                                                                                                        \
    static uint32_t other_##ID(struct v3d_alu_rules rules, uint32_t half_a, uint32_t half_b)                 \
    {                                                                                                        \
        uint32_t a = v3d_of_half(flush_half(rules, half_a)), b = v3d_of_half(flush_half(rules, half_b));     \
        rules.half_round = !(ROUNDS)           ? V3D_HALF_NEAREST                                            \
                           : rules.float_round ? V3D_HALF_TO_ZERO                                            \
                                               : rules.half_round;                                           \
        return name_nan_half(rules, flush_half(rules, v3d_to_half(rules, R)), half_a, half_b);               \
    }                                                                                                        \
    LANES_FAST(ID, OTHER_HALVES,                                                                             \
               half_##ID(rules, v3d_of_half(a), v3d_of_half(b)) |                                            \
                   half_##ID(rules, v3d_of_half(a >> 16), v3d_of_half(b >> 16)) << 16,                       \
               other_##ID(rules, a & 0xFFFF, b & 0xFFFF) | other_##ID(rules, a >> 16, b >> 16) << 16, false)

/* Does a rule change operations on halves? */
#define OTHER_HALVES                                                                                         \
    ((rules.denormal & V3D_FLUSH_HALVES) | rules.float_round | rules.nan_bits | rules.min_max_nan |          \
     rules.zeros_tie)

static uint32_t flush_half(struct v3d_alu_rules rules, uint32_t half)
{
    return rules.denormal & V3D_FLUSH_HALVES && !(half & 0x7C00) ? half & 0x8000 : half;
}

static bool is_nan_half(uint32_t half)
{
    return (half & 0x7FFF) > 0x7C00;
}

/* Returns a half with the bits that the rules give to a NaN. */
static uint32_t name_nan_half(struct v3d_alu_rules rules, uint32_t half, uint32_t a, uint32_t b)
{
    if (!is_nan_half(half) || rules.nan_bits == V3D_NAN_DEFAULT)
        return half;
    return rules.nan_bits == V3D_NAN_ALL_ONES ? 0x7FFF
           : is_nan_half(a)                   ? a | 0x200
           : is_nan_half(b)                   ? b | 0x200
                                              : half;
}

static uint32_t choose(struct v3d_alu_rules rules, bool max, uint32_t a, uint32_t b)
{
    if (rules.min_max_nan && (float_is_nan(a) | float_is_nan(b)))
        return rules.min_max_nan == 3 ? b : FLOAT_NAN;
    return float_select((struct order_rules){.zeros_tie = rules.zeros_tie}, max, a, b);
}

HALVES(A_VFADD, true, v3d_sum(a, b), v3d_sum_by(rules, 0, a, b))
HALVES(A_VFSUB, true, v3d_sum(a, b ^ FLOAT_SIGN), v3d_difference_by(rules, 0, a, b))
HALVES(A_VFCMP, true, v3d_sum(a, b ^ FLOAT_SIGN), v3d_difference_by(rules, 0, a, b))
HALVES(A_VFMIN, false, float_min((struct order_rules){0}, a, b), choose(rules, false, a, b))
HALVES(A_VFMAX, false, float_max((struct order_rules){0}, a, b), choose(rules, true, a, b))
HALVES(M_VFMUL, true, v3d_product(a, b), v3d_product_by(rules, 0, a, b))

LANES(A_VFMOV, a, false)
LANES(A_VFABS, a & 0x7FFF7FFF, false)
LANES(A_VFNEG, a ^ 0x80008000, false)
LANES(A_VFNAB, a | 0x80008000, false)
LANES(A_VFPACK, v3d_to_half(rules, a) | v3d_to_half(rules, b) << 16, false)
LANES(A_VPACK, (a & 0xFFFF) | b << 16, false)

/* Returns the byte that v8pack makes of a half. */
static uint32_t byte_of(struct v3d_alu_rules rules, uint32_t half)
{
    return rules.v8pack ? lane_min(half & 0xFFFF, 0xFF) : half & 0xFF;
}
LANES(A_V8PACK,
      byte_of(rules, a) | byte_of(rules, a >> 16) << 8 | byte_of(rules, b) << 16 |
          byte_of(rules, b >> 16) << 24,
      false)
/* Returns the field that v10pack makes of a half. */
static uint32_t field_of(struct v3d_alu_rules rules, uint32_t half, uint32_t mask)
{
    return rules.v10pack ? lane_min(half & 0xFFFF, mask) : half & mask;
}
LANES(A_V10PACK,
      field_of(rules, a, 0x3FF) | field_of(rules, a >> 16, 0x3FF) << 10 | field_of(rules, b, 0x3FF) << 20 |
          field_of(rules, b >> 16, 3) << 30,
      false)

/* Converts a half to an unsigned float of `bits` mantissa bits and five exponent bits. */
static uint32_t small_float(struct v3d_alu_rules rules, uint32_t half, unsigned bits)
{
    uint32_t magnitude = half & 0x7FFF, down = 10 - bits, infinity = 0x1FU << bits;
    if (magnitude > 0x7C00)
        return infinity | (rules.v11_range == V3D_V11_QUIET_NAN ? 1U << (bits - 1) : 1);
    if ((half & 0x8000) && rules.v11_range != V3D_V11_MAGNITUDE)
        return 0;
    if (magnitude == 0x7C00)
        return infinity;
    uint32_t rest = magnitude & ((1U << down) - 1), kept = magnitude >> down, middle = 1U << (down - 1);
    kept += !rules.v11_round && (rest > middle || (rest == middle && (kept & 1)));
    return kept == infinity && rules.v11_range != V3D_V11_INFINITE ? infinity - 1 : kept;
}
LANES(A_V11FPACK,
      small_float(rules, a, 6) | small_float(rules, a >> 16, 6) << 11 | small_float(rules, b, 5) << 22, false)

static uint32_t add_halves(struct v3d_alu_rules rules, uint32_t a, uint32_t b, bool subtract)
{
    if (rules.vadd == 1) {
        uint32_t sign = subtract ? 0x8000 : 0;
        return v3d_to_half(rules, v3d_sum(v3d_of_half(a), v3d_of_half(b ^ sign)));
    }
    uint32_t left = shift_arithmetic(a << 16, 16), right = shift_arithmetic(b << 16, 16);
    uint32_t now = subtract ? left - right : left + right;
    if (rules.vadd == 2 && now + 0x8000 > 0xFFFF)
        now = now >> 31 ? 0x8000 : 0x7FFF;
    return now & 0xFFFF;
}
LANES(A_VADD, add_halves(rules, a, b, false) | add_halves(rules, a >> 16, b >> 16, false) << 16, false)
LANES(A_VSUB, add_halves(rules, a, b, true) | add_halves(rules, a >> 16, b >> 16, true) << 16, false)

/* ---- fractions ---- */

/* Returns round(f * scale) for f clamped to [low, 1]; low is 0, or -1 if `is_signed`. */
static uint32_t fraction_of(struct v3d_alu_rules rules, uint32_t f, uint32_t scale, bool is_signed)
{
    uint32_t negative = lane_mask(f >> 31), magnitude = float_magnitude(f);
    if (magnitude > FLOAT_INF || (negative && !is_signed))
        return 0;
    uint32_t e = float_exponent(magnitude), mantissa = (magnitude & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    if (magnitude >= 0x3F800000)
        return (scale ^ negative) - negative;
    uint64_t product = (uint64_t)mantissa * scale;
    uint32_t down = 150 - (e ? e : 1); /* at least 24 */
    if (down > 62)
        return 0;
    uint64_t kept = product >> down, rest = product & ((UINT64_C(1) << down) - 1),
             middle = UINT64_C(1) << (down - 1);
    kept += !rules.norm_round && (rest > middle || (rest == middle && (kept & 1)));
    return ((uint32_t)kept ^ negative) - negative;
}

LANES(M_FTOUNORM16, fraction_of(rules, a, 0xFFFF, false), false)
LANES(M_FTOSNORM16, fraction_of(rules, a, 0x7FFF, true) & 0xFFFF, false)

static uint32_t fractions(struct v3d_alu_rules rules, uint32_t a, uint32_t low_scale, uint32_t high_scale,
                          bool is_signed, uint32_t mask)
{
    uint32_t low = fraction_of(rules, v3d_of_half(a), low_scale, is_signed) & mask,
             high = fraction_of(rules, v3d_of_half(a >> 16), high_scale, is_signed) & mask;
    return low | high << 16;
}
LANES(M_VFTOUNORM8, fractions(rules, a, 0xFF, 0xFF, false, 0xFF), false)
LANES(M_VFTOSNORM8, fractions(rules, a, 0x7F, 0x7F, true, 0xFF), false)
LANES(M_VFTOUNORM10LO, fractions(rules, a, 0x3FF, 0x3FF, false, 0x3FF), false)
LANES(M_VFTOUNORM10HI, fractions(rules, a, 0x3FF, 3, false, 0x3FF), false)

/* Returns v / scale as a float, at least -1 and at most 1. Both are exact as floats, and v3d_body.h says why
 * the host's division rounds as IEEE 754 does. */
FLOAT_INLINE uint32_t quotient(uint32_t v, int32_t scale)
{
    float q = (float)(int32_t)v / (float)scale;
    return v3d_float_bits(q < -1 ? -1 : q);
}

/* Two fractions of 8 bits as halves. */
static uint32_t byte_quotients(struct v3d_alu_rules rules, uint32_t v, bool is_signed)
{
    int32_t scale = is_signed ? 0x7F : 0xFF;
    uint32_t halves = 0;
    for (unsigned n = 0; n < 2; n++) {
        uint32_t byte = v >> (8 * n) & 0xFF;
        byte = is_signed ? shift_arithmetic(byte << 24, 24) : byte;
        halves |= v3d_to_half(rules, quotient(byte, scale)) << (16 * n);
    }
    return halves;
}

/* `half`: the operand's half in bits 15:0. */
static uint32_t fraction(struct v3d_alu_rules rules, uint32_t half, bool is_signed)
{
    if (rules.funpack)
        return byte_quotients(rules, half, is_signed);
    return is_signed ? quotient(shift_arithmetic(half << 16, 16), 0x7FFF) : quotient(half & 0xFFFF, 0xFFFF);
}
LANES(M_FUNPACKUNORMLO, fraction(rules, a, false), false)
LANES(M_FUNPACKUNORMHI, fraction(rules, a >> 16, false), false)
LANES(M_FUNPACKSNORMLO, fraction(rules, a, true), false)
LANES(M_FUNPACKSNORMHI, fraction(rules, a >> 16, true), false)
