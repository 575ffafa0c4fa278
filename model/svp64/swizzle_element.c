/* SPDX-License-Identifier: MIT */
#include "model/svp64/swizzle_element.h"

/* ---- places of elements ---- */

static const uint8_t width_bytes[WIDTHS] = {[WIDTH_64] = 8, [WIDTH_32] = 4, [WIDTH_16] = 2, [WIDTH_8] = 1};

/* The bit of a register's number that must be 0; 0 if there is none. */
static unsigned even_bit(const struct swizzle_machine *m, unsigned extra, unsigned number, unsigned mode)
{
    enum { FIELD_BIT = 4 }; /* the lowest bit of RTp and RAp, where EXTRA adds two below it */
    if (!(extra & SWIZZLE_EXTRA_VECTOR) || !(number & (1 | FIELD_BIT)))
        return 1;
    switch (swizzle_reading(m, SWIZ_ODD_VECTOR, mode)) {
    case ODD_VECTOR_ANY:
        return 0;
    case ODD_VECTOR_FIELD:
        return FIELD_BIT;
    default:
        return 1;
    }
}

static enum swizzle_stop side(const struct swizzle_machine *m, const struct swizzle_insn *i, bool is_source,
                              struct swizzle_side *s)
{
    unsigned field = i->field[is_source ? SWIZZLE_RA : SWIZZLE_RT],
             extra = i->field[is_source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST];
    unsigned mode = is_source ? 0 : 1, number = swizzle_register(field, extra);
    unsigned even = even_bit(m, extra, number, mode);
    if (number & even && swizzle_reading(m, SWIZ_ODD_REG, swizzle_is_fp(i)) != ODD_ROUNDS_DOWN)
        return SWIZZLE_STOP_ODD_REGISTER;
    s->format = i->field[is_source ? SWIZZLE_ELWIDTH_SRC : SWIZZLE_ELWIDTH];
    s->bytes = width_bytes[s->format];
    s->base = (number & ~even) * SVP64_REGISTER_BYTES;
    if (swizzle_is_fp(i) && s->format == WIDTH_8) {
        if (swizzle_reading(m, SWIZ_FMV_EW, mode) == FMV_EW_ILLEGAL)
            return SWIZZLE_STOP_FMV_WIDTH;
        s->bytes = 2;
    }
    s->stride = s->bytes;
    if (s->format != WIDTH_64 && swizzle_reading(m, SWIZ_RT_PLUS, mode) != RT_ELEMENTS)
        s->stride = SVP64_REGISTER_BYTES;
    return SWIZZLE_GO;
}

enum swizzle_stop swizzle_sides(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                struct swizzle_side *source, struct swizzle_side *destination)
{
    source->file = destination->file = swizzle_file(m, i);
    enum swizzle_stop stop = side(m, i, true, source);
    return stop ? stop : side(m, i, false, destination);
}

/* An element is part of one word, or the two words of a register. */
uint64_t swizzle_get(const struct swizzle_side *s, uint32_t element, bool checked, bool *defined)
{
    uint32_t byte = swizzle_byte(s, element), shift = byte % 4 * 8,
             mask = s->bytes < 4 ? (1U << s->bytes * 8) - 1 : UINT32_MAX;
    const uint32_t *value = s->file->value + byte / 4, *bits = s->file->defined + byte / 4;
    *defined = !checked || ((bits[0] >> shift & mask) == mask && (s->bytes < 8 || bits[1] == UINT32_MAX));
    uint64_t low = value[0] >> shift & mask;
    return s->bytes < 8 ? low : (uint64_t)value[1] << 32 | low;
}

static void put_word(uint32_t *word, uint32_t value, uint32_t mask)
{
    *word = (*word & ~mask) | (value & mask);
}

void swizzle_put(const struct swizzle_side *s, uint32_t element, uint64_t value, bool checked, bool defined)
{
    uint32_t byte = swizzle_byte(s, element), shift = byte % 4 * 8,
             mask = (s->bytes < 4 ? (1U << s->bytes * 8) - 1 : UINT32_MAX) << shift;
    uint32_t *word = s->file->value + byte / 4, *bits = s->file->defined + byte / 4,
             is_defined = defined ? UINT32_MAX : 0;
    put_word(&word[0], (uint32_t)value << shift, mask);
    if (s->bytes == 8)
        word[1] = (uint32_t)(value >> 32);
    if (checked) {
        put_word(&bits[0], is_defined, mask);
        if (s->bytes == 8)
            bits[1] = is_defined;
    }
    svp64_touch(s->file, byte);
}

/* ---- floating-point formats: binary64, binary32, binary16, bfloat16 ---- */

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

static uint64_t float_one(const struct format *f)
{
    return (uint64_t)bias(f) << f->fraction_bits;
}

static uint64_t float_largest(const struct format *f)
{
    return (largest_exponent(f) << f->fraction_bits) - 1;
}

static bool is_nan(const struct format *f, uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << f->fraction_bits) - 1);
    return (bits >> f->fraction_bits & largest_exponent(f)) == largest_exponent(f) && fraction;
}

static uint64_t convert_nan(const struct format *from, const struct format *to, uint64_t bits,
                            unsigned reading)
{
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

/* Drops `drop` low bits, rounding to nearest, ties to even. */
static uint64_t round_off(uint64_t value, int drop)
{
    if (drop <= 0)
        return value << -drop;
    if (drop > 62)
        return 0;
    uint64_t half = UINT64_C(1) << (drop - 1), rest = value & (2 * half - 1), kept = value >> drop;
    return kept + (rest > half || (rest == half && kept & 1));
}

/* A number, not a NaN, in another format, rounded to nearest even. */
static uint64_t convert_float(const struct format *from, const struct format *to, uint64_t bits)
{
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

static uint64_t quieten(const struct format *f, uint64_t bits)
{
    return is_nan(f, bits) ? bits | UINT64_C(1) << (f->fraction_bits - 1) : bits;
}

/* ---- conversion ---- */

static uint64_t largest_unsigned(unsigned bits)
{
    return UINT64_MAX >> (64 - bits);
}

static uint64_t sign_extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((value & largest_unsigned(bits)) ^ sign) - sign;
}

/* The value of selector 1 in a general register. */
static uint64_t integer_one(const struct swizzle_machine *m, unsigned kind,
                            const struct swizzle_conversion *c)
{
    if (kind == MODE_SIMPLE)
        return 1;
    unsigned bits = c->to_bits;
    if (c->from_bits != c->to_bits &&
        swizzle_reading(m, SWIZ_SAT_WIDTH, c->from_bits > c->to_bits) == SAT_SOURCE_WIDTH)
        bits = c->from_bits;
    return kind == MODE_SATURATE_SIGNED ? largest_unsigned(bits - 1) : largest_unsigned(bits);
}

static void convert_integers(const struct swizzle_machine *m, unsigned kind, bool copies,
                             struct swizzle_conversion *c)
{
    if (!copies || c->from_bits == c->to_bits)
        return;
    if (c->from_bits > c->to_bits) {
        c->kind = kind == MODE_SATURATE_SIGNED     ? CLAMP_SIGNED
                  : kind == MODE_SATURATE_UNSIGNED ? CLAMP_UNSIGNED
                                                   : AS_IT_IS;
        return;
    }
    unsigned reading = swizzle_reading(m, SWIZ_WIDTH_CHANGE, 0);
    bool sign = reading == WIDTH_SIGN_EXTENDS || (reading == READING_MANUAL && kind == MODE_SATURATE_SIGNED);
    c->kind = sign ? EXTEND_SIGN : EXTEND_ZERO;
}

static void convert_floats(const struct swizzle_machine *m, bool copies, struct swizzle_conversion *c)
{
    if (!copies)
        return;
    if (c->from == c->to)
        c->kind = QUIETEN; /* consults the clause for each signalling NaN */
    else if (swizzle_reading(m, SWIZ_FMV_WIDTH_CHANGE, c->from_bits > c->to_bits) == FMV_CONVERTS)
        c->kind = CONVERT_FLOAT;
}

enum swizzle_stop swizzle_conversion(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                     const struct swizzle_side *source,
                                     const struct swizzle_side *destination, bool copies, bool ones,
                                     struct swizzle_conversion *c)
{
    unsigned kind = i->field[SWIZZLE_MODE] >> MODE_KIND_SHIFT;
    *c = (struct swizzle_conversion){
        .kind = AS_IT_IS,
        .from = source->format,
        .to = destination->format,
        .from_bits = (uint8_t)(source->bytes * 8),
        .to_bits = (uint8_t)(destination->bytes * 8),
    };
    if (!swizzle_is_fp(i)) {
        convert_integers(m, kind, copies, c);
        c->one = ones ? integer_one(m, kind, c) : 1;
        return SWIZZLE_GO;
    }
    unsigned saturation = kind == MODE_SIMPLE ? READING_MANUAL : swizzle_reading(m, SWIZ_SAT_FMV, 0);
    if (saturation == SAT_FMV_ILLEGAL)
        return SWIZZLE_STOP_FMV_SATURATION;
    convert_floats(m, copies, c);
    c->one = saturation == SAT_FMV_LARGEST ? float_largest(&formats[c->to]) : float_one(&formats[c->to]);
    return SWIZZLE_GO;
}

static uint64_t clamp_signed(uint64_t value, unsigned from_bits, unsigned to_bits)
{
    uint64_t most = largest_unsigned(to_bits - 1), extended = sign_extend(value, from_bits);
    if (extended >> 63)
        return ~extended > most ? most + 1 : extended;
    return extended > most ? most : extended;
}

uint64_t swizzle_convert(const struct swizzle_machine *m, const struct swizzle_conversion *c, uint64_t value)
{
    uint64_t quiet;
    switch (c->kind) {
    case AS_IT_IS:
    case EXTEND_ZERO:
        return value;
    case EXTEND_SIGN:
        return sign_extend(value, c->from_bits);
    case CLAMP_UNSIGNED:
        return value > largest_unsigned(c->to_bits) ? largest_unsigned(c->to_bits) : value;
    case CLAMP_SIGNED:
        return clamp_signed(value, c->from_bits, c->to_bits);
    case CONVERT_FLOAT:
        if (is_nan(&formats[c->from], value))
            return convert_nan(&formats[c->from], &formats[c->to], value,
                               swizzle_reading(m, SWIZ_FMV_NAN, c->from_bits > c->to_bits));
        return convert_float(&formats[c->from], &formats[c->to], value);
    case QUIETEN:
        quiet = quieten(&formats[c->from], value);
        return quiet != value && swizzle_reading(m, SWIZ_FMV_BITS, 0) == FMV_QUIETS ? quiet : value;
    }
    return value;
}
