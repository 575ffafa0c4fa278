/* SPDX-License-Identifier: MIT */
/* Passes operands after their unpacks, the halves of operations on halves, and the choices of the SFU to the
 * observer. The kernel's result stays in lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/alu/v3d_parts.h"

#include <string.h>

enum v3d_unpack v3d_observe_unpack_number(const struct v3d_machine *m, const struct v3d_half *h,
                                          unsigned port, enum v3d_unpack unpack)
{
    const uint32_t own = h->src[port].unpack, other = h->src[!port].unpack;
    if (!own)
        return unpack;
    const uint32_t now = V3D_SEE(m, UNPACK_NUMBER, (uint32_t)unpack, own, other, h->op, port,
                                 h->op >= V3D_ADD_OPS, m->generation == V3D_71);
    return now < V3D_UNPACKS ? (enum v3d_unpack)now : unpack;
}

void v3d_observe_unpack(const struct v3d_machine *m, const struct v3d_half *h, unsigned port,
                        enum v3d_unpack unpack, struct v3d_vector *v)
{
    const struct v3d_vector before = *v;
    uint32_t input[V3D_LANES + 4];
    v3d_unpack(m->rules, unpack, v);
    if (unpack == V3D_UNPACK_FF)
        v3d_observe_to_half(m, h->op, &before, V3D_BOTH_HALVES, v);
    if (!v3d_wants(m, V3D_POINT_UNPACK_VALUE))
        return;
    memcpy(v3d_put(input, before.lane),
           (const uint32_t[]){(uint32_t)unpack, h->op, port, h->op >= V3D_ADD_OPS}, 4 * sizeof *input);
    observe_lanes(m->observer, V3D_POINT_UNPACK_VALUE, v->lane, input);
}

/* ---- operations on halves ---- */

void v3d_observe_half_operand(const struct v3d_machine *m, const struct v3d_half *h, unsigned port,
                              struct v3d_vector *v)
{
    const bool changes_by_c = h->flags == V3D_FLAGS_PUSHC || h->flags >= V3D_FLAGS_ANDC;
    const struct v3d_vector word = *v;
    for (enum v3d_format f = V3D_LOW_HALF; f <= V3D_HIGH_HALF; f++) {
        uint32_t input[V3D_LANES + 4], half[V3D_LANES];
        memcpy(v3d_put(input, word.lane), (const uint32_t[]){h->op, port, (uint32_t)f, changes_by_c},
               4 * sizeof *input);
        V3D_EACH_LANE half[n] = v3d_take_number(f, word.lane[n]);
        observe_lanes(m->observer, V3D_POINT_HALF_OPERAND, half, input);
        V3D_EACH_LANE v->lane[n] = v3d_put_number(f, v->lane[n], half[n]);
    }
}

void v3d_observe_half_result(const struct v3d_machine *m, unsigned op, struct v3d_vector *result)
{
    const struct v3d_vector word = *result;
    if (!v3d_is_of_halves(op) || !v3d_wants(m, V3D_POINT_HALF_RESULT))
        return;
    for (enum v3d_format f = V3D_LOW_HALF; f <= V3D_HIGH_HALF; f++) {
        uint32_t input[V3D_LANES + 2], half[V3D_LANES];
        memcpy(v3d_put(input, word.lane), (const uint32_t[]){op, (uint32_t)f}, 2 * sizeof *input);
        V3D_EACH_LANE half[n] = v3d_take_number(f, word.lane[n]);
        observe_lanes(m->observer, V3D_POINT_HALF_RESULT, half, input);
        V3D_EACH_LANE result->lane[n] = v3d_put_number(f, result->lane[n], half[n]);
    }
}

/* ---- the SFU ---- */

/* Passes a choice of the SFU in each lane. */
static void see_choice(const struct v3d_machine *m, unsigned point, unsigned op, const struct v3d_vector *a,
                       uint32_t choice[V3D_LANES])
{
    uint32_t input[3 * V3D_LANES + 1];
    if (!v3d_wants(m, point))
        return;
    V3D_EACH_LANE
    {
        input[n] = float_class(a->lane[n]);
        input[V3D_LANES + n] = a->lane[n] >> 31;
        input[2 * V3D_LANES + n] = float_magnitude(a->lane[n]);
    }
    input[3 * V3D_LANES] = op;
    observe_lanes(m->observer, point, choice, input);
}

void v3d_observe_sfu(const struct v3d_machine *m, unsigned op, enum v3d_function f,
                     const struct v3d_vector *a, struct v3d_vector *result)
{
    uint32_t infinite[V3D_LANES], function[V3D_LANES];
    if (!V3D_WANTS_ANY(m, V3D_POINT_SFU_INFINITE, V3D_POINT_SFU_FUNCTION))
        return;
    V3D_EACH_LANE
    {
        infinite[n] = float_class(a->lane[n]) == FLOAT_CLASS_INFINITE;
        function[n] = (uint32_t)f;
    }
    if (f != V3D_SINE)
        see_choice(m, V3D_POINT_SFU_INFINITE, op, a, infinite);
    see_choice(m, V3D_POINT_SFU_FUNCTION, op, a, function);
    V3D_EACH_LANE
    {
        const uint32_t x = a->lane[n], class = float_class(x);
        if (class == FLOAT_CLASS_ZERO || class == FLOAT_CLASS_NAN || function[n] > V3D_SINE)
            continue;
        if (infinite[n] && class != FLOAT_CLASS_INFINITE)
            result->lane[n] = v3d_sfu(m->rules, f, (x & FLOAT_SIGN) | FLOAT_INF);
        else if (!infinite[n] && (class == FLOAT_CLASS_INFINITE || function[n] != (uint32_t)f))
            result->lane[n] = v3d_sfu(m->rules, (enum v3d_function)function[n],
                                      class == FLOAT_CLASS_INFINITE ? x - 1 : x); /* the largest number */
    }
}

/* ---- flags ---- */

uint16_t v3d_observe_sign(const struct v3d_machine *m, const struct v3d_half *h, enum v3d_flags_of of,
                          enum v3d_flag_letter letter, const struct v3d_lanes *const src[2],
                          const struct v3d_vector *result, uint16_t set)
{
    const unsigned point = letter == V3D_LETTER_Z ? V3D_POINT_FLAG_ZERO : V3D_POINT_FLAG_NEGATIVE;
    uint32_t input[3 * V3D_LANES + 3], lane[V3D_LANES], now = 0;
    if (of == V3D_FLAGS_OF_COMPARE || !v3d_wants(m, point))
        return set;
    V3D_EACH_LANE
    {
        input[n] = result->lane[n];
        input[V3D_LANES + n] = float_class(result->lane[n]);
        input[2 * V3D_LANES + n] = v3d_order(src[0]->value.lane[n], src[1]->value.lane[n]);
        lane[n] = set >> n & 1;
    }
    memcpy(input + (size_t)3 * V3D_LANES, (const uint32_t[]){(uint32_t)of, h->op, h->op >= V3D_ADD_OPS},
           3 * sizeof *input);
    observe_lanes(m->observer, point, lane, input);
    V3D_EACH_LANE now |= (lane[n] & 1) << n;
    return (uint16_t)now;
}
