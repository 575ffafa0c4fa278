/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_float.h"

#include "model/svp64/swizzle_clauses.h"
#include "model/svp64/swizzle_insn.h"

static const struct format {
    uint8_t exponent_bits, fraction_bits;
} formats[WIDTHS] = {[WIDTH_64] = {11, 52}, [WIDTH_32] = {8, 23}, [WIDTH_16] = {5, 10}, [WIDTH_8] = {8, 7}};

static int bias(const struct format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

static uint64_t largest_exponent(const struct format *f)
{
    return (UINT64_C(1) << f->exponent_bits) - 1;
}

unsigned swizzle_float_bias(unsigned width)
{
    return (unsigned)bias(&formats[width]);
}

unsigned swizzle_float_exponent_bits(unsigned width)
{
    return formats[width].exponent_bits;
}

unsigned swizzle_float_fraction_bits(unsigned width)
{
    return formats[width].fraction_bits;
}

uint64_t swizzle_float_one(unsigned width)
{
    const struct format *f = &formats[width];
    return (uint64_t)bias(f) << f->fraction_bits;
}

uint64_t swizzle_float_largest(unsigned width)
{
    const struct format *f = &formats[width];
    return (largest_exponent(f) << f->fraction_bits) - 1;
}

bool swizzle_float_is_nan(unsigned width, uint64_t bits)
{
    const struct format *f = &formats[width];
    uint64_t fraction = bits & ((UINT64_C(1) << f->fraction_bits) - 1);
    return (bits >> f->fraction_bits & largest_exponent(f)) == largest_exponent(f) && fraction;
}

uint64_t swizzle_float_quiet_bit(unsigned width)
{
    return UINT64_C(1) << (formats[width].fraction_bits - 1);
}

uint64_t swizzle_float_convert_nan(unsigned from_width, unsigned to_width, uint64_t bits, unsigned reading)
{
    const struct format *from = &formats[from_width], *to = &formats[to_width];
    uint64_t fraction = bits & ((UINT64_C(1) << from->fraction_bits) - 1),
             kept = from->fraction_bits > to->fraction_bits
                        ? fraction >> (from->fraction_bits - to->fraction_bits)
                        : fraction << (to->fraction_bits - from->fraction_bits),
             sign = (bits >> (from->fraction_bits + from->exponent_bits) & 1)
                    << (to->fraction_bits + to->exponent_bits),
             infinity = largest_exponent(to) << to->fraction_bits,
             quiet = UINT64_C(1) << (to->fraction_bits - 1);
    switch (reading) {
    case FMV_NAN_DEFAULT:
        return infinity | quiet;
    case FMV_NAN_MOVES:
        return sign | infinity | kept;
    default:
        return sign | infinity | quiet | kept;
    }
}

/* Removes the low `drop` bits of a value, rounding to nearest, ties to even. */
static uint64_t round_off(uint64_t value, int drop)
{
    if (drop <= 0)
        return value << -drop;
    if (drop > 62)
        return 0;
    uint64_t half = UINT64_C(1) << (drop - 1), rest = value & (2 * half - 1), kept = value >> drop;
    return kept + (rest > half || (rest == half && kept & 1));
}

uint64_t swizzle_float_convert(unsigned from_width, unsigned to_width, uint64_t bits)
{
    const struct format *from = &formats[from_width], *to = &formats[to_width];
    uint64_t fraction = bits & ((UINT64_C(1) << from->fraction_bits) - 1),
             exponent = bits >> from->fraction_bits & largest_exponent(from);
    uint64_t sign = (bits >> (from->fraction_bits + from->exponent_bits) & 1)
                    << (to->fraction_bits + to->exponent_bits);
    uint64_t infinity = largest_exponent(to) << to->fraction_bits;
    if (exponent == largest_exponent(from))
        return sign | infinity;
    if (exponent == 0 && fraction == 0)
        return sign;
    int e = (int)exponent - bias(from);
    uint64_t significand = fraction | UINT64_C(1) << from->fraction_bits;
    if (exponent == 0) { /* subnormal: normalise */
        significand = fraction;
        for (e++; !(significand >> from->fraction_bits); e--)
            significand <<= 1;
    }
    int scaled = e + bias(to), drop = from->fraction_bits - to->fraction_bits;
    if (scaled >= (int)largest_exponent(to))
        return sign | infinity;
    if (scaled < 1)
        drop += 1 - scaled; /* the result is subnormal or 0 */
    uint64_t rounded = round_off(significand, drop);
    /* the significand's leading one adds 1 to the exponent field, and so does a carry out of rounding */
    return sign | (rounded + (scaled < 1 ? 0 : (uint64_t)(scaled - 1) << to->fraction_bits));
}
