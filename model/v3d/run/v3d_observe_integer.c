/* SPDX-License-Identifier: MIT */
/* Passes the steps of simple operations on integers and flags to the observer. The kernel's result stays in
 * lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

/* Passes whether min or its kin takes a for the greater operand. */
static void see_greater(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                        const struct v3d_vector *b, struct v3d_vector *result, struct v3d_vector *carry)
{
    const bool is_signed = op == V3D_A_MIN || op == V3D_A_MAX, max = op == V3D_A_MAX || op == V3D_A_UMAX;
    const uint32_t turn = is_signed ? 0x80000000 : 0;
    uint32_t input[2 * V3D_LANES + 1], greater[V3D_LANES], old[V3D_LANES];
    if (!v3d_wants(m, V3D_POINT_MIN_GREATER))
        return;
    v3d_put(v3d_put(input, a->lane), b->lane)[0] = op;
    V3D_EACH_LANE greater[n] = old[n] = (a->lane[n] ^ turn) > (b->lane[n] ^ turn);
    observe_lanes(m->observer, V3D_POINT_MIN_GREATER, greater, input);
    V3D_EACH_LANE
    {
        if (greater[n] == old[n])
            continue;
        result->lane[n] = (greater[n] != 0) == max ? a->lane[n] : b->lane[n];
        if (carry)
            carry->lane[n] = 0 - greater[n];
    }
}

/* Passes the two parts of ror. */
static void see_rotation(const struct v3d_machine *m, const struct v3d_vector *a, const struct v3d_vector *b,
                         struct v3d_vector *result)
{
    uint32_t input[2 * V3D_LANES + 1], part[2][V3D_LANES];
    if (!v3d_wants(m, V3D_POINT_ROR_PART))
        return;
    v3d_put(v3d_put(input, a->lane), b->lane);
    for (uint32_t up = 0; up < 2; up++) {
        V3D_EACH_LANE part[up][n] = up ? a->lane[n] << (-b->lane[n] & 31) : a->lane[n] >> (b->lane[n] & 31);
        input[2 * V3D_LANES] = up;
        observe_lanes(m->observer, V3D_POINT_ROR_PART, part[up], input);
    }
    V3D_EACH_LANE result->lane[n] = part[0][n] | part[1][n];
}

/* Passes the flag that vfla and its kin, flapush and flbpush read, and the operand that the pushes and flpop
 * move by two bits. */
static void see_flags(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                      const struct v3d_vector *a, struct v3d_vector *result)
{
    const bool pushes = op == V3D_A_FLAPUSH || op == V3D_A_FLBPUSH, pops = op == V3D_A_FLPOP,
               of_b = op == V3D_A_VFLB || op == V3D_A_VFLNB || op == V3D_A_FLBPUSH,
               turns = op == V3D_A_VFLNA || op == V3D_A_VFLNB;
    uint32_t input[2 * V3D_LANES + 1], flag[V3D_LANES], moved[V3D_LANES] = {0};
    if (!V3D_WANTS_ANY(m, V3D_POINT_FLAG_READ, V3D_POINT_FLAG_MOVED))
        return;
    V3D_EACH_LANE
    {
        input[n] = x->flag_a >> n & 1;
        input[V3D_LANES + n] = x->flag_b >> n & 1;
        flag[n] = (of_b ? x->flag_b : x->flag_a) >> n & 1;
    }
    input[2 * V3D_LANES] = op;
    if (!pops && v3d_wants(m, V3D_POINT_FLAG_READ))
        observe_lanes(m->observer, V3D_POINT_FLAG_READ, flag, input);
    if (pushes || pops) {
        v3d_put(input, a->lane)[0] = op;
        V3D_EACH_LANE moved[n] = pops ? a->lane[n] >> 2 : a->lane[n] << 2;
        if (v3d_wants(m, V3D_POINT_FLAG_MOVED))
            observe_lanes(m->observer, V3D_POINT_FLAG_MOVED, moved, input);
    }
    V3D_EACH_LANE result->lane[n] = pops     ? moved[n]
                                    : pushes ? moved[n] | flag[n] * 3
                                             : (flag[n] ^ (uint32_t)turns) * 0x10001;
}

void v3d_observe_simple(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                        const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result,
                        struct v3d_vector *carry)
{
    if (op >= V3D_A_MIN && op <= V3D_A_UMAX)
        see_greater(m, op, a, b, result, carry);
    else if (op == V3D_A_ROR)
        see_rotation(m, a, b, result);
    else if ((op >= V3D_A_FLAPUSH && op <= V3D_A_FLPOP) || (op >= V3D_A_VFLA && op <= V3D_A_VFLNB))
        see_flags(m, x, op, a, result);
}
