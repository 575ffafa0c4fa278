/* SPDX-License-Identifier: MIT */
#include "model/v3d/alu/v3d_parts.h"

#include "model/v3d/alu/v3d_body.h"

uint32_t v3d_take_number(enum v3d_format f, uint32_t word)
{
    return f == V3D_BINARY32 ? word : f == V3D_LOW_HALF ? word & 0xFFFF : word >> 16;
}

uint32_t v3d_put_number(enum v3d_format f, uint32_t word, uint32_t number)
{
    return f == V3D_BINARY32   ? number
           : f == V3D_LOW_HALF ? (word & 0xFFFF0000) | (number & 0xFFFF)
                               : (word & 0xFFFF) | number << 16;
}

uint32_t v3d_widen(enum v3d_format f, uint32_t number)
{
    if (f == V3D_BINARY32)
        return number;
    if ((number & 0x7FFF) > 0x7C00)
        return (number & 0x8000) << 16 | FLOAT_INF | (number & 0x3FF) << 13;
    return v3d_of_half(number);
}

uint32_t v3d_narrow_nan(enum v3d_format f, uint32_t nan)
{
    return f == V3D_BINARY32 ? nan : (nan >> 16 & 0x8000) | 0x7C00 | (nan >> 13 & 0x3FF);
}

uint32_t v3d_class(enum v3d_format f, uint32_t number)
{
    return f == V3D_BINARY32 ? float_class(number) : half_class(number);
}

uint32_t v3d_with_class(enum v3d_format f, uint32_t number, uint32_t class)
{
    const bool word = f == V3D_BINARY32;
    const uint32_t old = v3d_class(f, number), sign = number & (word ? FLOAT_SIGN : 0x8000),
                   infinity = word ? FLOAT_INF : 0x7C00;
    if (class == old)
        return number;
    switch (class) {
    case FLOAT_CLASS_ZERO:
        return sign;
    case FLOAT_CLASS_NORMAL:
        return old == FLOAT_CLASS_INFINITE ? number - 1 : number;
    case FLOAT_CLASS_INFINITE:
        return sign | infinity;
    case FLOAT_CLASS_NAN:
        return v3d_narrow_nan(f, FLOAT_NAN);
    default:
        return number;
    }
}

uint32_t v3d_order(uint32_t a, uint32_t b)
{
    const int32_t x = float_key(a), y = float_key(b);
    return (float_is_nan(a) | float_is_nan(b)) ? 3 : x < y ? 0 : x == y ? 1 : 2;
}

uint32_t v3d_fraction_of(uint32_t integer, uint32_t one)
{
    float q = (float)(int32_t)integer / (float)one;
    return v3d_float_bits(q < -1 ? -1 : q);
}

uint32_t v3d_half_of(struct v3d_alu_rules rules, uint32_t v)
{
    return v3d_to_half(rules, v);
}

uint32_t v3d_binary32_of(uint32_t half)
{
    return v3d_of_half(half);
}

/* Returns what is cut off, in terms of the numbers or of what is cut off. */
static uint32_t rest_of(uint32_t v, uint32_t kept, uint32_t middle)
{
    return v == kept ? 0 : v < middle ? 1 : v == middle ? 2 : 3;
}

uint32_t v3d_rest_of_half(uint32_t v, uint32_t kept)
{
    const struct float_rules ieee = {0};
    const uint32_t half = kept & 0x7FFF, wide = v3d_of_half(half);
    if (float_magnitude(v) >= FLOAT_INF || half >= 0x7C00)
        return 0;
    return rest_of(float_magnitude(v), wide,
                   half < 0x400 ? float_from_int(ieee, 2 * half + 1) - (25U << 23) : wide + (1U << 12));
}

uint32_t v3d_rest_of_integer(bool is_signed, uint32_t v)
{
    const uint32_t magnitude = is_signed && v >> 31 ? 0 - v : v, zeros = lane_clz(magnitude);
    if (zeros >= 8)
        return 0;
    return rest_of(magnitude & ((1U << (8 - zeros)) - 1), 0, 1U << (7 - zeros));
}

bool v3d_is_whole(unsigned op)
{
    return op >= V3D_A_FROUND && op <= V3D_A_FTOC;
}

bool v3d_gives_integer(unsigned op)
{
    return op == V3D_A_FTOIN || op == V3D_A_FTOIZ || op == V3D_A_FTOUZ || op == V3D_A_FTOC;
}

static enum v3d_direction direction_of(struct v3d_alu_rules rules, unsigned op)
{
    return op == V3D_A_FROUND || op == V3D_A_FTOIN                      ? V3D_TO_NEAREST
           : op == V3D_A_FFLOOR                                         ? V3D_DOWN
           : op == V3D_A_FCEIL || (op == V3D_A_FTOC && rules.ftoc != 2) ? V3D_UP
                                                                        : V3D_TO_ZERO;
}

static bool rounds_up(struct v3d_alu_rules rules, const struct v3d_whole *w)
{
    if (w->direction == V3D_TO_ZERO)
        return false;
    if (w->direction != V3D_TO_NEAREST)
        return w->rest && w->negative == (w->direction == V3D_DOWN);
    return w->rest == 3 || (w->rest == 2 && (rules.tie == V3D_TIE_EVEN   ? w->kept & 1
                                             : rules.tie == V3D_TIE_AWAY ? true
                                                                         : !w->negative));
}

void v3d_whole_round(struct v3d_alu_rules rules, struct v3d_whole *w)
{
    const uint32_t up = 0 - w->shift; /* the mantissa moves up */
    w->kept = w->rest = 0;
    if (w->rounds || !(w->shift >> 31)) {
        const uint32_t shifted = shift_sticky(w->mantissa << 2, lane_min(w->shift, 31));
        w->kept = shifted >> 2;
        w->rest = shifted & 3;
    } else if (up < 32) {
        w->kept = w->mantissa << up;
    }
    v3d_whole_up(rules, w);
}

void v3d_whole_up(struct v3d_alu_rules rules, struct v3d_whole *w)
{
    w->up = rounds_up(rules, w);
    w->magnitude = w->kept + w->up;
}

uint32_t v3d_limit_of(bool is_signed, bool negative)
{
    return is_signed ? 0x7FFFFFFF + (uint32_t)negative : negative ? 0 : UINT32_MAX;
}

struct v3d_whole v3d_whole_of(struct v3d_alu_rules rules, unsigned op, uint32_t v)
{
    struct v3d_whole w = {.direction = direction_of(rules, op), .negative = v >> 31};
    const uint32_t e = float_exponent(v);
    w.mantissa = (v & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    w.shift = 150 - (e ? e : 1);
    w.is_signed = op != V3D_A_FTOUZ && !(op == V3D_A_FTOC && rules.ftoc == 1);
    w.limit = v3d_limit_of(w.is_signed, w.negative);
    w.rounds = !v3d_gives_integer(op) && e < 150;
    v3d_whole_round(rules, &w);
    return w;
}

enum v3d_range_of v3d_range_of(const struct v3d_whole *w, uint32_t v)
{
    const uint32_t e = float_exponent(v);
    if (float_magnitude(v) > FLOAT_INF)
        return V3D_NO_NUMBER;
    const bool inside = e < (w->is_signed ? 158U : 159U) || (w->is_signed && v == 0xCF000000);
    return inside && w->magnitude <= w->limit ? V3D_INSIDE : w->negative ? V3D_BELOW : V3D_ABOVE;
}

uint32_t v3d_integer_of(const struct v3d_whole *w, enum v3d_range_of range)
{
    const uint32_t negative = lane_mask(w->negative),
                   magnitude = w->negative && !w->is_signed ? 0 : w->magnitude;
    switch (range) {
    case V3D_INSIDE:
        return (magnitude ^ negative) - negative;
    case V3D_ABOVE:
        return w->negative ? v3d_limit_of(w->is_signed, false) : w->limit;
    case V3D_BELOW:
        return 0 - (w->negative ? w->limit : v3d_limit_of(w->is_signed, true));
    default:
        return 0;
    }
}

uint32_t v3d_rounded_float(const struct v3d_whole *w, uint32_t v)
{
    const struct float_rules ieee = {0};
    return w->rounds ? (v & FLOAT_SIGN) | float_from_int(ieee, w->magnitude) : v;
}

struct v3d_fraction v3d_fraction_parts(unsigned op, unsigned field, uint32_t v)
{
    const uint32_t e = float_exponent(v), magnitude = float_magnitude(v);
    const bool is_signed = op == V3D_M_FTOSNORM16 || op == V3D_M_VFTOSNORM8;
    struct v3d_fraction f = {.is_signed = is_signed, .negative = v >> 31, .is_nan = magnitude > FLOAT_INF};
    f.scale = op == V3D_M_FTOUNORM16               ? 0xFFFF
              : op == V3D_M_FTOSNORM16             ? 0x7FFF
              : op == V3D_M_VFTOUNORM8             ? 0xFF
              : op == V3D_M_VFTOSNORM8             ? 0x7F
              : op == V3D_M_VFTOUNORM10HI && field ? 3
                                                   : 0x3FF;
    f.mantissa = (v & 0x7FFFFF) | (uint32_t)(e != 0) << 23;
    f.shift = 150 - (e ? e : 1);
    f.saturates = magnitude >= 0x3F800000;
    return f;
}

bool v3d_fraction_rounds(const struct v3d_fraction *f)
{
    return !f->is_nan && !f->saturates && !(f->negative && !f->is_signed);
}

uint32_t v3d_fraction_number(const struct v3d_fraction *f, uint32_t magnitude)
{
    const uint32_t negative = lane_mask(f->negative);
    if (f->is_nan || (f->negative && !f->is_signed))
        return 0;
    return ((f->saturates ? f->scale : magnitude) ^ negative) - negative;
}

struct v3d_cut v3d_cut_of(uint64_t number, uint32_t down)
{
    down = lane_min(down, 60); /* fractions have at most 40 bits */
    const uint64_t cut = number & ((UINT64_C(1) << down) - 1), moved = cut << 4 >> down << down;
    const uint32_t part = (uint32_t)(cut << 4 >> down);
    return (struct v3d_cut){.kept = (uint32_t)(number >> down),
                            .rest = !cut                             ? 0
                                    : part < 8                       ? 1
                                    : part == 8 && moved == cut << 4 ? 2
                                                                     : 3,
                            .sixteenths = (part & 14) | (moved != cut << 4 || (part & 1))};
}
