/* SPDX-License-Identifier: MIT */
/* Passes the steps of conversions of floats to whole numbers, and of unsigned integers to floats, to the
 * observer. The kernel's result stays in lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/alu/v3d_parts.h"

void v3d_observe_step(const struct v3d_machine *m, unsigned point, const uint32_t *input, uint32_t *ends,
                      uint32_t first, uint32_t last, uint32_t lane[V3D_LANES])
{
    ends[0] = first;
    ends[1] = last;
    if (v3d_wants(m, point))
        observe_lanes(m->observer, point, lane, input);
}

void v3d_observe_mantissas(const struct v3d_machine *m, unsigned op, unsigned field,
                           const uint32_t number[V3D_LANES], uint32_t mantissa[V3D_LANES],
                           uint32_t shift[V3D_LANES])
{
    uint32_t input[2 * V3D_LANES + 2], exponent[V3D_LANES];
    V3D_EACH_LANE exponent[n] = float_exponent(number[n]);
    v3d_observe_step(m, V3D_POINT_MANTISSA_VALUE, input, v3d_put(v3d_put(input, number), exponent), op, field,
                     mantissa);
    v3d_observe_step(m, V3D_POINT_MANTISSA_SHIFT, input, v3d_put(input, exponent), op, field, shift);
}

/* ---- whole numbers ---- */

/* Passes mantissas, and whether fround and its kin round. */
static void see_whole_mantissas(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                                struct v3d_whole w[V3D_LANES])
{
    uint32_t mantissa[V3D_LANES], shift[V3D_LANES], rounds[V3D_LANES], input[2 * V3D_LANES + 2];
    V3D_EACH_LANE
    {
        mantissa[n] = w[n].mantissa;
        shift[n] = w[n].shift;
        rounds[n] = w[n].rounds;
        input[n] = float_exponent(a->lane[n]);
        input[V3D_LANES + n] = w[n].negative;
    }
    v3d_observe_mantissas(m, op, 0, a->lane, mantissa, shift);
    if (!v3d_gives_integer(op))
        v3d_observe_step(m, V3D_POINT_WHOLE_ROUNDS, input, input + (size_t)2 * V3D_LANES, op, 0, rounds);
    V3D_EACH_LANE
    {
        if (mantissa[n] == w[n].mantissa && shift[n] == w[n].shift && rounds[n] == w[n].rounds)
            continue;
        w[n].mantissa = mantissa[n];
        w[n].shift = shift[n];
        w[n].rounds = rounds[n] && float_magnitude(a->lane[n]) <= FLOAT_INF;
        v3d_whole_round(m->rules, &w[n]);
    }
}

/* Passes what is cut off magnitudes. */
static void see_rests(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                      struct v3d_whole w[V3D_LANES])
{
    uint32_t rest[V3D_LANES], input[2 * V3D_LANES + 2];
    if (!v3d_wants(m, V3D_POINT_WHOLE_REST))
        return;
    V3D_EACH_LANE
    {
        rest[n] = w[n].rest;
        input[n] = float_exponent(a->lane[n]);
        input[V3D_LANES + n] = w[n].negative;
    }
    v3d_observe_step(m, V3D_POINT_WHOLE_REST, input, input + (size_t)2 * V3D_LANES, op, 0, rest);
    V3D_EACH_LANE
    {
        if (rest[n] == w[n].rest)
            continue;
        w[n].rest = rest[n];
        v3d_whole_up(m->rules, &w[n]);
    }
}

/* Passes the direction of rounding. */
static void see_direction(const struct v3d_machine *m, unsigned op, struct v3d_whole w[V3D_LANES])
{
    const enum v3d_direction was = w[0].direction,
                             now = (enum v3d_direction)V3D_SEE(m, WHOLE_DIRECTION, (uint32_t)was, op);
    V3D_EACH_LANE if (now != was)
    {
        w[n].direction = now;
        v3d_whole_up(m->rules, &w[n]);
    }
}

/* Passes a sign of the floats. `w`: receives it. */
static void see_signs(const struct v3d_machine *m, unsigned point, unsigned op, const struct v3d_vector *a,
                      struct v3d_whole w[V3D_LANES])
{
    uint32_t negative[V3D_LANES], input[V3D_LANES + 2];
    V3D_EACH_LANE negative[n] = w[n].negative;
    v3d_observe_step(m, point, input, v3d_put(input, a->lane), op, 0, negative);
    V3D_EACH_LANE w[n].negative = negative[n];
}

/* Passes the signs by which the floats are rounded up or down. */
static void see_rounding_signs(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                               struct v3d_whole w[V3D_LANES])
{
    see_signs(m, V3D_POINT_WHOLE_ROUND_NEGATIVE, op, a, w);
    V3D_EACH_LANE
    {
        const bool negative = a->lane[n] >> 31;
        if (w[n].negative != negative)
            v3d_whole_up(m->rules, &w[n]);
        w[n].negative = negative;
    }
}

/* Passes whether magnitudes are rounded up, and the magnitudes after it. */
static void see_magnitudes(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                           struct v3d_whole w[V3D_LANES])
{
    uint32_t rest[V3D_LANES], odd[V3D_LANES], negative[V3D_LANES], up[V3D_LANES], kept[V3D_LANES],
        exponent[V3D_LANES], magnitude[V3D_LANES], input[4 * V3D_LANES + 2];
    V3D_EACH_LANE
    {
        rest[n] = w[n].rest;
        odd[n] = w[n].kept & 1;
        negative[n] = w[n].negative;
        up[n] = w[n].up;
        kept[n] = w[n].kept;
        exponent[n] = float_exponent(a->lane[n]);
    }
    v3d_observe_step(m, V3D_POINT_WHOLE_UP, input, v3d_put(v3d_put(v3d_put(input, rest), odd), negative),
                     w[0].direction, op, up);
    V3D_EACH_LANE magnitude[n] = kept[n] + up[n];
    v3d_observe_step(m, V3D_POINT_WHOLE_MAGNITUDE, input,
                     v3d_put(v3d_put(v3d_put(v3d_put(input, kept), up), exponent), negative), op, 0,
                     magnitude);
    V3D_EACH_LANE
    {
        w[n].up = up[n];
        w[n].magnitude = magnitude[n];
    }
}

static void see_ranges(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                       const struct v3d_whole w[V3D_LANES], uint32_t range[V3D_LANES])
{
    uint32_t input[4 * V3D_LANES + 3], *rest = input + (size_t)4 * V3D_LANES;
    V3D_EACH_LANE
    {
        range[n] = (uint32_t)v3d_range_of(&w[n], a->lane[n]);
        input[n] = float_exponent(a->lane[n]);
        input[V3D_LANES + n] = w[n].magnitude;
        input[2 * V3D_LANES + n] = w[n].negative;
        input[3 * V3D_LANES + n] = w[n].rest;
    }
    rest[2] = w[0].direction;
    v3d_observe_step(m, V3D_POINT_WHOLE_RANGE, input, rest, !w[0].is_signed, op, range);
}

/* Passes the greatest magnitudes of integers. */
static void see_limits(const struct v3d_machine *m, unsigned op, struct v3d_whole w[V3D_LANES])
{
    uint32_t limit[V3D_LANES], input[V3D_LANES + 2];
    V3D_EACH_LANE
    {
        limit[n] = w[n].limit = v3d_limit_of(w[n].is_signed, w[n].negative);
        input[n] = w[n].negative;
    }
    v3d_observe_step(m, V3D_POINT_WHOLE_LIMIT, input, input + V3D_LANES, !w[0].is_signed, op, limit);
    V3D_EACH_LANE w[n].limit = limit[n];
}

/* Passes the integers, or the floats that fround and its kin give. `range`: of the integers. */
static void see_whole_results(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                              const struct v3d_whole w[V3D_LANES], const uint32_t range[V3D_LANES],
                              uint32_t now[V3D_LANES])
{
    uint32_t magnitude[V3D_LANES], other[V3D_LANES], input[3 * V3D_LANES + 2], was[V3D_LANES];
    const bool integer = v3d_gives_integer(op);
    V3D_EACH_LANE
    {
        magnitude[n] = w[n].magnitude;
        other[n] = integer ? range[n] : w[n].rounds;
        was[n] = now[n];
    }
    v3d_observe_step(m, integer ? V3D_POINT_WHOLE_INTEGER : V3D_POINT_WHOLE_FLOAT, input,
                     v3d_put(v3d_put(v3d_put(input, a->lane), magnitude), other), op, 0, now);
    V3D_EACH_LANE if (!integer && !w[n].rounds) now[n] = was[n];
}

static uint32_t whole_result(unsigned op, const struct v3d_whole *w, uint32_t v, uint32_t range)
{
    return v3d_gives_integer(op) ? v3d_integer_of(w, (enum v3d_range_of)range) : v3d_rounded_float(w, v);
}

void v3d_observe_whole(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                       struct v3d_vector *result)
{
    struct v3d_whole w[V3D_LANES];
    struct v3d_vector before;
    uint32_t range[V3D_LANES] = {0};
    if (!v3d_is_whole(op) ||
        !V3D_WANTS_ANY(m, V3D_POINT_MANTISSA_VALUE, V3D_POINT_MANTISSA_SHIFT, V3D_POINT_WHOLE_ROUNDS,
                       V3D_POINT_WHOLE_REST, V3D_POINT_WHOLE_DIRECTION, V3D_POINT_WHOLE_UP,
                       V3D_POINT_WHOLE_MAGNITUDE, V3D_POINT_WHOLE_LIMIT, V3D_POINT_WHOLE_UNSIGNED,
                       V3D_POINT_WHOLE_RANGE, V3D_POINT_WHOLE_INTEGER, V3D_POINT_WHOLE_FLOAT,
                       V3D_POINT_WHOLE_ROUND_NEGATIVE, V3D_POINT_WHOLE_NEGATIVE))
        return;
    V3D_EACH_LANE
    {
        w[n] = v3d_whole_of(m->rules, op, a->lane[n]);
        before.lane[n] = whole_result(op, &w[n], a->lane[n], v3d_range_of(&w[n], a->lane[n]));
    }
    const bool integer = v3d_gives_integer(op), was = !w[0].is_signed,
               is_signed = !(integer ? V3D_SEE(m, WHOLE_UNSIGNED, was, op) : was);
    see_whole_mantissas(m, op, a, w);
    see_rests(m, op, a, w);
    see_direction(m, op, w);
    see_rounding_signs(m, op, a, w);
    see_magnitudes(m, op, a, w);
    V3D_EACH_LANE w[n].is_signed = is_signed;
    if (integer) {
        see_signs(m, V3D_POINT_WHOLE_NEGATIVE, op, a, w);
        see_limits(m, op, w);
        see_ranges(m, op, a, w, range);
    }
    uint32_t now[V3D_LANES];
    V3D_EACH_LANE now[n] = whole_result(op, &w[n], a->lane[n], range[n]);
    see_whole_results(m, op, a, w, range, now);
    V3D_EACH_LANE if (now[n] != before.lane[n]) result->lane[n] = now[n];
}

/* ---- utof ---- */

void v3d_observe_utof(const struct v3d_machine *m, const struct v3d_vector *a, struct v3d_vector *result)
{
    const struct float_rules rules = {.rounding = m->rules.itof_round ? ROUND_TRUNCATE : ROUND_NEAREST_EVEN};
    uint32_t mantissa[V3D_LANES], exponent[V3D_LANES], top[V3D_LANES], lost[V3D_LANES], zeros[V3D_LANES],
        places[V3D_LANES], old[V3D_LANES], input[2 * V3D_LANES + 2];
    if (!V3D_WANTS_ANY(m, V3D_POINT_UTOF_MANTISSA, V3D_POINT_UTOF_EXPONENT, V3D_POINT_UTOF_SHIFT))
        return;
    V3D_EACH_LANE
    {
        zeros[n] = lane_clz(a->lane[n]);
        places[n] = zeros[n] & 31;
    }
    v3d_observe_step(m, V3D_POINT_UTOF_SHIFT, input, v3d_put(input, a->lane), 0, 0, places);
    V3D_EACH_LANE
    {
        const uint32_t usual = a->lane[n] << (zeros[n] & 31);
        old[n] = float_round(rules, 158 - (zeros[n] & 31), usual >> 5 | (uint32_t)((usual & 31) != 0));
        top[n] = a->lane[n] << places[n];
        lost[n] = (top[n] & 31) != 0;
        mantissa[n] = top[n] >> 5 | lost[n];
        exponent[n] = 158 - places[n];
    }
    v3d_observe_step(m, V3D_POINT_UTOF_MANTISSA, input, v3d_put(v3d_put(input, top), lost), 0, 0, mantissa);
    v3d_observe_step(m, V3D_POINT_UTOF_EXPONENT, input, v3d_put(v3d_put(input, a->lane), zeros), 0, 0,
                     exponent);
    V3D_EACH_LANE
    {
        const uint32_t now = float_round(rules, exponent[n], mantissa[n]);
        if (now != old[n] && a->lane[n])
            result->lane[n] = now;
    }
}
