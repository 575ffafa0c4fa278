/* SPDX-License-Identifier: MIT */
/* Passes the steps of packs, of sums of two halves, of flafirst and of sin to the observer. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/alu/v3d_parts.h"

#include <string.h>

/* ---- packs of two operands with two halves each ---- */

enum { FIELDS = 4, SMALL_FIELDS = 3 };

/* Passes the half that becomes field `k`. `most`: the greatest number of the field. */
static void see_field(const struct v3d_machine *m, unsigned op, unsigned k, uint32_t most,
                      struct v3d_operands *src)
{
    const enum v3d_format f = k % 2 ? V3D_HIGH_HALF : V3D_LOW_HALF;
    struct v3d_vector *v = v3d_own_operand(src, k / 2);
    uint32_t half[V3D_LANES], input[V3D_LANES + 3];
    const bool small = op == V3D_A_V11FPACK;
    memcpy(input, v->lane, sizeof v->lane);
    input[V3D_LANES] = small ? k : most;
    input[V3D_LANES + 1] = op;
    input[V3D_LANES + 2] = k;
    V3D_EACH_LANE half[n] = v3d_take_number(f, v->lane[n]);
    observe_lanes(m->observer, small ? V3D_POINT_V11_NUMBER : V3D_POINT_PACK_NUMBER, half, input);
    V3D_EACH_LANE v->lane[n] = v3d_put_number(f, v->lane[n], half[n]);
}

void v3d_observe_fields_to_pack(const struct v3d_machine *m, unsigned op, struct v3d_operands *src)
{
    const bool small = op == V3D_A_V11FPACK;
    if (!(small ? v3d_wants(m, V3D_POINT_V11_NUMBER)
                : (op == V3D_A_V8PACK || op == V3D_A_V10PACK) && v3d_wants(m, V3D_POINT_PACK_NUMBER)))
        return;
    for (unsigned k = 0; k < (small ? SMALL_FIELDS : FIELDS); k++)
        see_field(m, op, k, op == V3D_A_V8PACK ? 0xFF : k == FIELDS - 1 ? 3 : 0x3FF, src);
}

/* ---- the fields of packs ---- */

/* Where the fields of a pack are. */
struct pack_layout {
    uint8_t fields, shift[FIELDS], bits[FIELDS];
};

static const struct pack_layout *pack_of(unsigned op)
{
    static const struct pack_layout bytes = {4, {0, 8, 16, 24}, {8, 8, 8, 8}},
                                    tens = {4, {0, 10, 20, 30}, {10, 10, 10, 2}},
                                    halves = {2, {0, 16}, {16, 16}}, small = {3, {0, 11, 22}, {11, 11, 10}},
                                    norm8 = {2, {0, 16}, {8, 8}}, norm10 = {2, {0, 16}, {10, 10}};
    switch (op) {
    case V3D_A_V8PACK:
        return &bytes;
    case V3D_A_V10PACK:
        return &tens;
    case V3D_A_V11FPACK:
        return &small;
    case V3D_A_VPACK:
    case V3D_A_VFPACK:
        return &halves;
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

/* Returns the number that becomes field `k` of a pack of two operands: of vfpack a float, of others a half.
 */
static uint32_t packed_number(unsigned op, unsigned k, const struct v3d_vector *a, const struct v3d_vector *b,
                              unsigned lane)
{
    if (op == V3D_A_VPACK || op == V3D_A_VFPACK)
        return (k ? b : a)->lane[lane];
    return (k / 2 ? b : a)->lane[lane] >> (k % 2 * 16) & 0xFFFF;
}

/* Passes the fields of a pack and their places; of fractions only the places. */
static void see_packed(const struct v3d_machine *m, unsigned op, const struct pack_layout *l,
                       const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    struct v3d_vector now = {{0}};
    bool changed = false;
    for (unsigned k = 0; k < l->fields; k++) {
        uint32_t field[V3D_LANES], old[V3D_LANES], input[V3D_LANES + 2];
        V3D_EACH_LANE input[n] = packed_number(op, k, a, b, n);
        V3D_EACH_LANE field[n] = old[n] = result->lane[n] >> l->shift[k] & ((1U << l->bits[k]) - 1);
        input[V3D_LANES] = op;
        input[V3D_LANES + 1] = k;
        if (op < V3D_ADD_OPS && v3d_wants(m, V3D_POINT_PACK_FIELD))
            observe_lanes(m->observer, V3D_POINT_PACK_FIELD, field, input);
        const uint32_t place = op < V3D_ADD_OPS ? V3D_SEE(m, PACK_PLACE, l->shift[k], op, k)
                                                : V3D_SEE(m, FRACTION_PLACE, l->shift[k], op, k);
        changed = changed || place != l->shift[k] || memcmp(field, old, sizeof old) != 0;
        V3D_EACH_LANE now.lane[n] |= field[n] << place;
    }
    if (changed)
        *result = now;
}

/* ---- small floats ---- */

/* Returns field `k` of v11fpack with the mantissa's six or five bits moved to six. */
static uint32_t small_of(unsigned k, uint32_t word)
{
    return k == 2 ? word >> 22 << 1 : word >> (11 * k) & 0x7FF;
}

static void put_small(unsigned k, uint32_t small, uint32_t *word)
{
    const uint32_t mask = k == 2 ? 0x3FF : 0x7FF, v = k == 2 ? small >> 1 : small;
    *word = (*word & ~(mask << (11 * k))) | (v & mask) << (11 * k);
}

static uint32_t class_of_small(uint32_t small)
{
    return float_class_of(small, 0x40, 0x7C0);
}

/* Returns the field as one of another class. The greatest number is one below the infinity. */
static uint32_t small_with_class(unsigned k, uint32_t small, uint32_t class)
{
    const uint32_t step = k == 2 ? 2 : 1;
    return class == class_of_small(small)  ? small
           : class == FLOAT_CLASS_ZERO     ? 0
           : class == FLOAT_CLASS_INFINITE ? 0x7C0
           : class == FLOAT_CLASS_NAN      ? 0x7C0 + step
           : class == FLOAT_CLASS_NORMAL   ? 0x7C0 - step
                                           : small;
}

/* Passes the classes of the fields of v11fpack, and the mantissas of NaNs. `unlimited`: the fields before
 * numbers beyond the greatest become the greatest. */
static void see_small(const struct v3d_machine *m, const struct v3d_vector *unlimited,
                      struct v3d_vector *result)
{
    for (unsigned k = 0; k < SMALL_FIELDS; k++) {
        uint32_t class[V3D_LANES], old[V3D_LANES], nan[V3D_LANES], input[V3D_LANES + 1], any = 0;
        V3D_EACH_LANE input[n] = class_of_small(small_of(k, unlimited->lane[n]));
        V3D_EACH_LANE class[n] = old[n] = class_of_small(small_of(k, result->lane[n]));
        input[V3D_LANES] = k;
        if (v3d_wants(m, V3D_POINT_V11_CLASS))
            observe_lanes(m->observer, V3D_POINT_V11_CLASS, class, input);
        V3D_EACH_LANE if (class[n] != old[n])
            put_small(k, small_with_class(k, small_of(k, result->lane[n]), class[n]), &result->lane[n]);
        V3D_EACH_LANE
        {
            const uint32_t now = small_of(k, result->lane[n]);
            const bool is_nan = class_of_small(now) == FLOAT_CLASS_NAN;
            nan[n] = old[n] = is_nan ? now & 0x3F : k == 2 ? 2 : 1;
            any |= (uint32_t)is_nan << n;
        }
        if (any && v3d_wants(m, V3D_POINT_V11_NAN))
            observe_lanes(m->observer, V3D_POINT_V11_NAN, nan, (const uint32_t[]){k});
        V3D_EACH_LANE if ((any >> n & 1) && nan[n] != old[n]) put_small(k, 0x7C0 | nan[n], &result->lane[n]);
    }
}

/* ---- sums of two halves, and flafirst ---- */

static void see_sum(const struct v3d_machine *m, unsigned op, enum v3d_format f, const struct v3d_vector *a,
                    const struct v3d_vector *b, struct v3d_vector *result)
{
    uint32_t sum[V3D_LANES], old[V3D_LANES], input[2 * V3D_LANES + 2];
    V3D_EACH_LANE
    {
        const uint32_t x = shift_arithmetic(v3d_take_number(f, a->lane[n]) << 16, 16),
                       y = shift_arithmetic(v3d_take_number(f, b->lane[n]) << 16, 16);
        input[n] = x;
        input[V3D_LANES + n] = y;
        sum[n] = old[n] = op == V3D_A_VSUB ? x - y : x + y;
    }
    input[2 * V3D_LANES] = op;
    input[2 * V3D_LANES + 1] = f;
    observe_lanes(m->observer, V3D_POINT_HALVES_SUM, sum, input);
    V3D_EACH_LANE if (sum[n] != old[n]) result->lane[n] = v3d_put_number(f, result->lane[n], sum[n]);
}

/* Returns what flafirst gives in a lane if `first` is the lowest lane of the set. */
static uint32_t first_word(const struct v3d_machine *m, uint32_t first, unsigned lane)
{
    const bool any = first < V3D_LANES;
    return m->rules.first_lane == 1   ? (any ? 1U << first : 0)
           : m->rules.first_lane == 2 ? (any ? first : 0)
                                      : lane == first;
}

static void see_first(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                      struct v3d_vector *result)
{
    const uint32_t set = op == V3D_A_FLAFIRST ? x->flag_a : (uint16_t)~x->flag_a,
                   first = set ? (uint32_t)__builtin_ctz(set) : V3D_LANES,
                   now = V3D_SEE(m, SET_FIRST, first, set, op, v3d_second_lane(set));
    V3D_EACH_LANE if (now != first) result->lane[n] = first_word(m, now, n);
    if (v3d_wants(m, V3D_POINT_FIRST_LANE))
        observe_lanes(m->observer, V3D_POINT_FIRST_LANE, result->lane,
                      (const uint32_t[]){first % V3D_LANES, set != 0, op});
}

/* Passes the parts of a fraction that an integer becomes. */
static void see_funpack(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                        const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    const bool high = op == V3D_M_FUNPACKUNORMHI || op == V3D_M_FUNPACKSNORMHI,
               is_signed = op == V3D_M_FUNPACKSNORMLO || op == V3D_M_FUNPACKSNORMHI;
    const uint32_t one = is_signed ? 0x7FFF : 0xFFFF, now = V3D_SEE(m, FUNPACK_ONE, one, op);
    uint32_t input[3 * V3D_LANES + 1], number[V3D_LANES], old[V3D_LANES];
    struct v3d_alu other = *x;
    struct v3d_vector bytes;
    other.rules.funpack = 1;
    v3d_operation[op].kernel(&other, a, b, &bytes, NULL);
    V3D_EACH_LANE
    {
        const uint32_t half = a->lane[n] >> (high ? 16 : 0) & 0xFFFF;
        number[n] = old[n] = is_signed ? shift_arithmetic(half << 16, 16) : half;
    }
    memcpy(input, a->lane, sizeof a->lane);
    input[V3D_LANES] = op;
    if (v3d_wants(m, V3D_POINT_FUNPACK_NUMBER))
        observe_lanes(m->observer, V3D_POINT_FUNPACK_NUMBER, number, input);
    V3D_EACH_LANE if (now != one || number[n] != old[n]) result->lane[n] = v3d_fraction_of(number[n], now);
    memcpy(input + V3D_LANES, bytes.lane, sizeof bytes.lane);
    memcpy(input + (size_t)2 * V3D_LANES, number, sizeof number);
    input[3 * V3D_LANES] = op;
    if (v3d_wants(m, V3D_POINT_FUNPACK_VALUE))
        observe_lanes(m->observer, V3D_POINT_FUNPACK_VALUE, result->lane, input);
}

void v3d_observe_integers(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                          const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    if ((op == V3D_A_VADD || op == V3D_A_VSUB) && v3d_wants(m, V3D_POINT_HALVES_SUM)) {
        see_sum(m, op, V3D_LOW_HALF, a, b, result);
        see_sum(m, op, V3D_HIGH_HALF, a, b, result);
    } else if (op == V3D_A_FLAFIRST || op == V3D_A_FLNAFIRST) {
        see_first(m, x, op, result);
    } else if (op == V3D_A_V11FPACK && V3D_WANTS_ANY(m, V3D_POINT_V11_CLASS, V3D_POINT_V11_NAN)) {
        struct v3d_alu other = *x;
        struct v3d_vector unlimited;
        other.rules.v11_range = V3D_V11_INFINITE;
        v3d_operation[op].kernel(&other, a, b, &unlimited, NULL);
        see_small(m, &unlimited, result);
    }
    if (pack_of(op))
        see_packed(m, op, pack_of(op), a, b, result);
    if (op >= V3D_M_FUNPACKUNORMLO && op <= V3D_M_FUNPACKSNORMHI &&
        V3D_WANTS_ANY(m, V3D_POINT_FUNPACK_ONE, V3D_POINT_FUNPACK_NUMBER, V3D_POINT_FUNPACK_VALUE))
        see_funpack(m, x, op, a, b, result);
}

/* ---- sin ---- */

void v3d_observe_sine(const struct v3d_machine *m, const struct v3d_vector *operand,
                      struct v3d_vector *result)
{
    const struct order_rules order = {0};
    const uint32_t half = 0x3F000000;
    struct v3d_alu_rules rules = m->rules;
    uint32_t angle[V3D_LANES], old[V3D_LANES];
    if (!v3d_wants(m, V3D_POINT_SINE_ANGLE))
        return;
    rules.sine = V3D_SINE_HALF_TURNS;
    V3D_EACH_LANE
    {
        const uint32_t x = operand->lane[n];
        angle[n] = old[n] =
            float_is_nan(x) ? x : float_max(order, float_min(order, x, half), half | FLOAT_SIGN);
    }
    observe_lanes(m->observer, V3D_POINT_SINE_ANGLE, angle, operand->lane);
    V3D_EACH_LANE if (angle[n] != old[n])
    {
        const bool beyond =
            float_magnitude(angle[n]) == FLOAT_INF && float_magnitude(operand->lane[n]) < FLOAT_INF;
        result->lane[n] =
            beyond ? 0 : v3d_sfu(rules, V3D_SINE, angle[n]); /* such a float counts whole turns */
    }
}
