/* SPDX-License-Identifier: MIT */
/* Passes the steps of arithmetic on floats to the observer: classes of numbers, roundings, the choice of a
 * minimum or maximum, NaNs. The kernel's result stays in lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/alu/v3d_parts.h"

#include <string.h>

/* Is the operation one of halves, which computes each half apart? */
bool v3d_is_of_halves(unsigned op)
{
    return op == V3D_A_VFADD || op == V3D_A_VFSUB || op == V3D_A_VFCMP || op == V3D_A_VFMIN ||
           op == V3D_A_VFMAX || op == V3D_M_VFMUL;
}

static bool chooses(unsigned op)
{
    return op == V3D_A_FMIN || op == V3D_A_FMAX || op == V3D_A_VFMIN || op == V3D_A_VFMAX;
}

/* Is the operation a sum or product of numbers of 32 bits? */
static bool is_sum(unsigned op)
{
    return op == V3D_A_FADD || op == V3D_A_FADDNF || op == V3D_A_FSUB || op == V3D_A_FCMP ||
           op == V3D_A_FDX || op == V3D_A_FDY || op == V3D_M_FMUL;
}

static bool is_of_sfu(unsigned op)
{
    return v3d_operation[op].kind == V3D_KERNEL_SFU;
}

/* ---- classes ---- */

/* What the numbers of a class are for, as input `form` numbers it. */
enum { SUMS = 1, WHOLE, SFU };

/* Passes the classes of numbers to a point. Returns the lanes that a rule changed. */
static uint16_t see_class(const struct v3d_machine *m, unsigned point, const uint32_t *input,
                          enum v3d_format f, struct v3d_vector *v)
{
    uint32_t class[V3D_LANES], old[V3D_LANES], changed = 0;
    V3D_EACH_LANE class[n] = old[n] = v3d_class(f, v3d_take_number(f, v->lane[n]));
    observe_lanes(m->observer, point, class, input);
    V3D_EACH_LANE
    {
        const uint32_t number = v3d_take_number(f, v->lane[n]);
        if (class[n] == old[n])
            continue;
        v->lane[n] = v3d_put_number(f, v->lane[n], v3d_with_class(f, number, class[n]));
        changed |= 1U << n;
    }
    return (uint16_t)changed;
}

static void see_float(const struct v3d_machine *m, unsigned op, unsigned port, enum v3d_format f,
                      struct v3d_vector *v)
{
    const uint32_t form = is_of_sfu(op) ? SFU : v3d_is_whole(op) ? WHOLE : SUMS;
    (void)see_class(m, V3D_POINT_FLOAT_CLASS,
                    (const uint32_t[]){op, port, form, (uint32_t)f, m->generation == V3D_71}, f, v);
}

void v3d_observe_classes(const struct v3d_machine *m, unsigned op, unsigned port, struct v3d_vector *v)
{
    if (!v3d_wants(m, V3D_POINT_FLOAT_CLASS) || (port == V3D_PORT_RESULT && v3d_is_whole(op)))
        return;
    if (v3d_is_of_halves(op)) {
        see_float(m, op, port, V3D_LOW_HALF, v);
        see_float(m, op, port, V3D_HIGH_HALF, v);
    } else if (is_sum(op) || chooses(op) || v3d_is_whole(op) || is_of_sfu(op)) {
        see_float(m, op, port, V3D_BINARY32, v);
    }
}

bool v3d_has_classes(unsigned op)
{
    return v3d_is_of_halves(op) || is_sum(op) || chooses(op) || v3d_is_whole(op) || is_of_sfu(op);
}

/* ---- rounding ---- */

enum { REST_OF_SUM = 4 }; /* input `rest`: nobody asks how much is cut off a sum or product */

/* Takes apart two vectors of floats: those that were rounded toward zero, and those that count. */
static struct v3d_rounding rounding_of(enum v3d_format f, const struct v3d_vector *kept,
                                       const struct v3d_vector *now)
{
    const uint32_t sign = f == V3D_BINARY32 ? FLOAT_SIGN : 0x8000;
    struct v3d_rounding r = {.changed = 0};
    V3D_EACH_LANE
    {
        const uint32_t k = v3d_take_number(f, kept->lane[n]), v = v3d_take_number(f, now->lane[n]);
        r.kept[n] = k & ~sign;
        r.negative[n] = (k & sign) != 0;
        r.up[n] = v3d_class(f, k) < FLOAT_CLASS_INFINITE && (k & ~sign) != (v & ~sign);
        r.rest[n] = REST_OF_SUM;
    }
    return r;
}

/* Puts a float together. Infinities and NaNs are not rounded. */
static uint32_t rounded(enum v3d_format f, const struct v3d_rounding *r, unsigned n)
{
    const uint32_t sign = f == V3D_BINARY32 ? FLOAT_SIGN : 0x8000;
    const bool finite = v3d_class(f, r->kept[n]) < FLOAT_CLASS_INFINITE;
    return (r->negative[n] ? sign : 0) | (r->kept[n] + (finite && r->up[n]));
}

/* Runs the kernel of an operation with other rules. */
static struct v3d_vector run_by(const struct v3d_alu *x, struct v3d_alu_rules rules, unsigned op,
                                const struct v3d_vector *a, const struct v3d_vector *b)
{
    struct v3d_alu other = *x;
    struct v3d_vector result;
    other.rules = rules;
    v3d_operation[op].kernel(&other, a, b, &result, NULL);
    return result;
}

/* Sums and products of binary32, and conversions from integers. */
static void see_binary32(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                         const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    struct v3d_alu_rules cut = m->rules;
    cut.float_round = cut.itof_round = 1;
    const bool across = op == V3D_A_FDX || op == V3D_A_FDY;
    const struct v3d_vector kept = run_by(x, cut, across ? V3D_A_FSUB : op, a, b);
    struct v3d_rounding r = rounding_of(V3D_BINARY32, &kept, result);
    V3D_EACH_LANE if (!is_sum(op)) r.rest[n] = v3d_rest_of_integer(op == V3D_A_ITOF, a->lane[n]);
    v3d_observe_rounding(m, op, is_sum(op) ? V3D_ROUNDS_SUM : V3D_ROUNDS_INTEGER, is_sum(op), &r);
    V3D_EACH_LANE if (r.changed >> n & 1) result->lane[n] = rounded(V3D_BINARY32, &r, n);
}

static struct v3d_vector halves_of(struct v3d_alu_rules rules, const struct v3d_vector *v)
{
    struct v3d_vector to;
    V3D_EACH_LANE to.lane[n] = v3d_half_of(rules, v->lane[n]);
    return to;
}

/* Passes the rounding of binary32 numbers to halves. Returns the lanes that changed; they are in `to`. */
static uint16_t see_to_half(const struct v3d_machine *m, struct v3d_alu_rules rules, unsigned op, bool sum,
                            const struct v3d_vector *v, struct v3d_vector *to)
{
    struct v3d_alu_rules cut = rules;
    cut.half_round = V3D_HALF_TO_ZERO;
    const struct v3d_vector kept = halves_of(cut, v);
    *to = halves_of(rules, v);
    struct v3d_rounding r = rounding_of(V3D_LOW_HALF, &kept, to);
    V3D_EACH_LANE r.rest[n] = v3d_rest_of_half(v->lane[n], kept.lane[n]);
    v3d_observe_rounding(m, op, V3D_ROUNDS_TO_HALF, sum, &r);
    V3D_EACH_LANE if (r.changed >> n & 1) to->lane[n] = rounded(V3D_LOW_HALF, &r, n);
    if (v3d_wants(m, V3D_POINT_HALF_CLASS))
        r.changed |= see_class(m, V3D_POINT_HALF_CLASS, (const uint32_t[]){op, sum}, V3D_LOW_HALF, to);
    return r.changed;
}

/* A sum or product of halves is rounded to binary32 first. */
static void see_half(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op, enum v3d_format f,
                     const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    const unsigned wide = op == V3D_M_VFMUL ? V3D_M_FMUL : V3D_A_FADD;
    const uint32_t turn = op == V3D_A_VFSUB || op == V3D_A_VFCMP ? 0x8000 : 0;
    struct v3d_alu_rules now = {.float_round = m->rules.float_round}, cut = {.float_round = 1},
                         narrow = m->rules;
    struct v3d_vector left, right, half;
    V3D_EACH_LANE left.lane[n] = v3d_binary32_of(v3d_take_number(f, a->lane[n]));
    V3D_EACH_LANE right.lane[n] = v3d_binary32_of(v3d_take_number(f, b->lane[n]) ^ turn);
    struct v3d_vector near = run_by(x, now, wide, &left, &right);
    const struct v3d_vector kept = run_by(x, cut, wide, &left, &right);
    struct v3d_rounding r = rounding_of(V3D_BINARY32, &kept, &near);
    v3d_observe_rounding(m, op, V3D_ROUNDS_SUM, true, &r);
    V3D_EACH_LANE if (r.changed >> n & 1) near.lane[n] = rounded(V3D_BINARY32, &r, n);
    if (m->rules.float_round)
        narrow.half_round = V3D_HALF_TO_ZERO;
    const uint16_t changed = r.changed | see_to_half(m, narrow, op, true, &near, &half);
    V3D_EACH_LANE if (changed >> n & 1) result->lane[n] = v3d_put_number(f, result->lane[n], half.lane[n]);
}

void v3d_observe_to_half(const struct v3d_machine *m, unsigned op, const struct v3d_vector *v,
                         enum v3d_halves_in where, struct v3d_vector *to)
{
    struct v3d_vector half;
    if (!V3D_WANTS_ANY(m, V3D_POINT_ROUND_UP, V3D_POINT_HALF_CLASS))
        return;
    const uint16_t changed = see_to_half(m, m->rules, op, false, v, &half);
    V3D_EACH_LANE if (changed >> n & 1)
    {
        if (where != V3D_ONLY_HIGH)
            to->lane[n] = v3d_put_number(V3D_LOW_HALF, to->lane[n], half.lane[n]);
        if (where != V3D_ONLY_LOW)
            to->lane[n] = v3d_put_number(V3D_HIGH_HALF, to->lane[n], half.lane[n]);
    }
}

/* The fields of fractions. */
struct field_layout {
    uint8_t fields, shift[2], bits[2];
};

static const struct field_layout *layout_of(unsigned op)
{
    static const struct field_layout norm16 = {1, {0}, {16}}, norm8 = {2, {0, 16}, {8, 8}},
                                     norm10 = {2, {0, 16}, {10, 10}};
    switch (op) {
    case V3D_M_FTOUNORM16:
    case V3D_M_FTOSNORM16:
        return &norm16;
    case V3D_M_VFTOUNORM8:
    case V3D_M_VFTOSNORM8:
        return &norm8;
    case V3D_M_VFTOUNORM10LO:
    case V3D_M_VFTOUNORM10HI:
        return &norm10;
    default:
        return NULL;
    }
}

/* Passes the fields of a conversion to fractions after they are rounded. */
static void see_fractions(const struct v3d_machine *m, unsigned op, const struct field_layout *l,
                          const struct v3d_vector *a, struct v3d_vector *result)
{
    for (unsigned k = 0; k < l->fields; k++) {
        const uint32_t mask = (1U << l->bits[k]) - 1;
        uint32_t input[4 * V3D_LANES + 2], field[V3D_LANES], old[V3D_LANES];
        V3D_EACH_LANE
        {
            const uint32_t f =
                l->fields == 1 ? a->lane[n]
                               : v3d_widen(k ? V3D_HIGH_HALF : V3D_LOW_HALF, a->lane[n] >> (16 * k) & 0xFFFF);
            input[n] = f;
            input[V3D_LANES + n] = float_class(f);
            input[2 * V3D_LANES + n] = f >> 31;
            input[3 * V3D_LANES + n] = float_magnitude(f) >= 0x3F800000;
            field[n] = old[n] = result->lane[n] >> l->shift[k] & mask;
        }
        input[4 * V3D_LANES] = op;
        input[4 * V3D_LANES + 1] = k;
        observe_lanes(m->observer, V3D_POINT_FRACTION_FIELD, field, input);
        V3D_EACH_LANE if (field[n] != old[n]) result->lane[n] =
            (result->lane[n] & ~(mask << l->shift[k])) | (field[n] & mask) << l->shift[k];
    }
}

static void see_roundings(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                          const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    if (!V3D_WANTS_ANY(m, V3D_POINT_ROUND_UP, V3D_POINT_HALF_CLASS))
        return;
    if (is_sum(op) || op == V3D_A_ITOF || op == V3D_A_UTOF)
        see_binary32(m, x, op, a, b, result);
    else if (v3d_is_of_halves(op) && !chooses(op)) {
        see_half(m, x, op, V3D_LOW_HALF, a, b, result);
        see_half(m, x, op, V3D_HIGH_HALF, a, b, result);
    } else if (op == V3D_A_VFPACK) {
        v3d_observe_to_half(m, op, a, V3D_ONLY_LOW, result);
        v3d_observe_to_half(m, op, b, V3D_ONLY_HIGH, result);
    }
}

/* ---- minimum and maximum ---- */

enum { TAKES_A, TAKES_B, TAKES_NAN }; /* what fmin and its kin give */
enum { A_IS_LESS, EQUAL, A_IS_GREATER, UNORDERED };

static uint32_t order_of(enum v3d_format f, uint32_t a, uint32_t b)
{
    const uint32_t x = v3d_widen(f, a), y = v3d_widen(f, b);
    if (float_is_nan(x) | float_is_nan(y))
        return UNORDERED;
    if (!(float_magnitude(x) | float_magnitude(y)))
        return EQUAL;
    return x == y ? EQUAL : float_greater((struct order_rules){0}, x, y) ? A_IS_GREATER : A_IS_LESS;
}

/* What the result is: an operand, or a NaN. */
static uint32_t taken(enum v3d_format f, uint32_t a, uint32_t b, uint32_t result)
{
    const bool usual = result == v3d_narrow_nan(f, FLOAT_NAN);
    return !usual && result == a ? TAKES_A : !usual && result == b ? TAKES_B : TAKES_NAN;
}

static void see_choice(const struct v3d_machine *m, unsigned op, enum v3d_format f,
                       const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    uint32_t input[5 * V3D_LANES + 4], take[V3D_LANES], old[V3D_LANES];
    V3D_EACH_LANE
    {
        const uint32_t x = v3d_take_number(f, a->lane[n]), y = v3d_take_number(f, b->lane[n]);
        const unsigned sign = f == V3D_BINARY32 ? 31 : 15;
        input[n] = order_of(f, x, y);
        input[V3D_LANES + n] = v3d_class(f, x);
        input[2 * V3D_LANES + n] = v3d_class(f, y);
        input[3 * V3D_LANES + n] = x >> sign;
        input[4 * V3D_LANES + n] = y >> sign;
        take[n] = old[n] = taken(f, x, y, v3d_take_number(f, result->lane[n]));
    }
    memcpy(input + (size_t)5 * V3D_LANES,
           (const uint32_t[]){op == V3D_A_FMAX || op == V3D_A_VFMAX, f, m->propagates,
                              m->generation == V3D_71},
           4 * sizeof *input);
    observe_lanes(m->observer, V3D_POINT_CHOICE, take, input);
    V3D_EACH_LANE if (take[n] != old[n])
    {
        uint32_t now = take[n] == TAKES_A   ? v3d_take_number(f, a->lane[n])
                       : take[n] == TAKES_B ? v3d_take_number(f, b->lane[n])
                                            : v3d_narrow_nan(f, FLOAT_NAN);
        if (f != V3D_BINARY32) /* a half passes as binary32, and a NaN loses its bits */
            now = v3d_half_of((struct v3d_alu_rules){0}, v3d_binary32_of(now));
        result->lane[n] = v3d_put_number(f, result->lane[n], now);
    }
}

/* ---- NaNs ---- */

static void see_nan(const struct v3d_machine *m, unsigned op, enum v3d_format f, const struct v3d_vector *a,
                    const struct v3d_vector *b, struct v3d_vector *result)
{
    uint32_t input[4 * V3D_LANES + 2], nan[V3D_LANES], any = 0;
    struct v3d_vector old;
    V3D_EACH_LANE
    {
        const uint32_t x = v3d_take_number(f, a->lane[n]), y = v3d_take_number(f, b->lane[n]),
                       r = v3d_take_number(f, result->lane[n]);
        const bool is_nan = v3d_class(f, r) == FLOAT_CLASS_NAN;
        input[n] = v3d_widen(f, x);
        input[V3D_LANES + n] = v3d_widen(f, y);
        input[2 * V3D_LANES + n] = v3d_class(f, x);
        input[3 * V3D_LANES + n] = v3d_class(f, y);
        nan[n] = old.lane[n] = is_nan ? v3d_widen(f, r) : FLOAT_NAN;
        any |= (uint32_t)is_nan << n;
    }
    if (!any)
        return;
    input[4 * V3D_LANES] = op;
    input[4 * V3D_LANES + 1] = f;
    observe_lanes(m->observer, V3D_POINT_NAN_BITS, nan, input);
    V3D_EACH_LANE if ((any >> n & 1) && nan[n] != old.lane[n]) result->lane[n] =
        v3d_put_number(f, result->lane[n], v3d_narrow_nan(f, nan[n]));
}

/* ---- all of them ---- */

void v3d_observe_number(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                        const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    const bool halves = v3d_is_of_halves(op), across = op == V3D_A_FDX || op == V3D_A_FDY,
               float_result = v3d_is_whole(op) && !v3d_gives_integer(op);
    struct v3d_vector right, left; /* of fdx and fdy, which subtract lanes */
    if (across) {
        const unsigned bit = op == V3D_A_FDX ? 1 : 2;
        V3D_EACH_LANE right.lane[n] = a->lane[n | bit];
        V3D_EACH_LANE left.lane[n] = a->lane[n & ~bit];
    }
    v3d_observe_fraction(m, op, a, result);
    if (op == V3D_A_V11FPACK)
        v3d_observe_small(m, a, b, result);
    if (op == V3D_A_UTOF)
        v3d_observe_utof(m, a, result);
    see_roundings(m, x, op, across ? &right : a, across ? &left : b, result);
    if (layout_of(op) && v3d_wants(m, V3D_POINT_FRACTION_FIELD))
        see_fractions(m, op, layout_of(op), a, result);
    v3d_observe_whole(m, op, a, result);
    for (enum v3d_format f = halves ? V3D_LOW_HALF : V3D_BINARY32;
         f <= (halves ? V3D_HIGH_HALF : V3D_BINARY32); f++) {
        if (chooses(op) && v3d_wants(m, V3D_POINT_CHOICE))
            see_choice(m, op, f, a, b, result);
        if ((halves || is_sum(op) || chooses(op) || float_result) && v3d_wants(m, V3D_POINT_NAN_BITS))
            see_nan(m, op, f, across ? &right : a, across ? &left : b, result);
    }
}
