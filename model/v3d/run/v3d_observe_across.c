/* SPDX-License-Identifier: MIT */
/* Passes the steps of operations whose lanes read other lanes, of v8dot and of setmsf to the observer. The
 * kernel's result stays in lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"

#include <string.h>

void v3d_observe_source(const struct v3d_machine *m, unsigned point, const struct v3d_vector *vector,
                        const uint32_t *others, uint32_t source[V3D_LANES])
{
    uint32_t input[POINT_INPUT_WORDS_MAX];
    if (!v3d_wants(m, point))
        return;
    memcpy(v3d_put(input, vector->lane), others,
           (point_input_words(&v3d_points[point]) - V3D_LANES) * sizeof *others);
    observe_lanes(m->observer, point, source, input);
}

/* ---- lanes that take other lanes ---- */

/* Returns the lowest lane of a set; V3D_LANES if the set is empty. */
static uint32_t first_of(uint32_t set)
{
    return set ? (uint32_t)__builtin_ctz(set) : V3D_LANES;
}

/* Passes the numbers of lanes by which rot, rotq and shuffle move, and what they add up to with the lane's
 * own number. `before`: receives that before any rule. Other operations leave both alone. */
static void see_turns(const struct v3d_machine *m, unsigned op, const struct v3d_vector *b,
                      uint32_t turn[V3D_LANES], uint32_t before[V3D_LANES])
{
    struct v3d_vector amount;
    if (op != V3D_A_ROT && op != V3D_A_ROTQ && op != V3D_A_SHUFFLE)
        return;
    V3D_EACH_LANE amount.lane[n] = b->lane[op == V3D_A_ROT ? 0 : op == V3D_A_ROTQ ? n / 4 * 4 : n];
    V3D_EACH_LANE before[n] = amount.lane[n] + (op == V3D_A_SHUFFLE ? 0 : n);
    v3d_observe_source(m, V3D_POINT_ACROSS_AMOUNT, b, (const uint32_t[]){op}, amount.lane);
    V3D_EACH_LANE turn[n] = amount.lane[n] + (op == V3D_A_SHUFFLE ? 0 : n);
    v3d_observe_source(m, V3D_POINT_ACROSS_TURN, &amount, (const uint32_t[]){op}, turn);
}

/* Returns the lane whose word lane `n` takes. `port`: 1 for the second operand of fdx or fdy. */
static uint32_t source_of(unsigned op, uint32_t turn, uint32_t active, unsigned port, unsigned n)
{
    switch (op) {
    case V3D_A_ROT:
    case V3D_A_SHUFFLE:
        return turn % V3D_LANES;
    case V3D_A_ROTQ:
        return n / 4 * 4 + turn % 4;
    case V3D_A_BCASTF:
        return first_of(active) % V3D_LANES;
    case V3D_A_FDX:
        return port ? n & ~1U : n | 1;
    default:
        return port ? n & ~2U : n | 2;
    }
}

/* Passes the sources of one operand. Returns the lanes that a rule changes. */
static uint16_t see_sources(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                            const struct v3d_vector *b, unsigned port, uint32_t source[V3D_LANES])
{
    uint32_t input[2 * V3D_LANES + 2], old[V3D_LANES], changed = 0, turn[V3D_LANES] = {0},
                                                       before[V3D_LANES] = {0};
    uint32_t *rest = v3d_put_set(v3d_put(input, b->lane), x->active);
    rest[0] = op;
    rest[1] = port;
    see_turns(m, op, b, turn, before);
    V3D_EACH_LANE old[n] = source_of(op, before[n], x->active, port, n);
    V3D_EACH_LANE source[n] = source_of(op, turn[n], x->active, port, n);
    if (op == V3D_A_BCASTF && v3d_wants(m, V3D_POINT_SET_FIRST)) {
        const uint32_t first =
            V3D_SEE(m, SET_FIRST, first_of(x->active), x->active, op, v3d_second_lane(x->active));
        V3D_EACH_LANE source[n] = first % V3D_LANES;
    }
    if (v3d_wants(m, V3D_POINT_ACROSS_SOURCE))
        observe_lanes(m->observer, V3D_POINT_ACROSS_SOURCE, source, input);
    V3D_EACH_LANE changed |= (uint32_t)(source[n] != old[n]) << n;
    return (uint16_t)changed;
}

static void see_taken(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                      const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    uint32_t source[V3D_LANES];
    const bool limited = op != V3D_A_BCASTF && x->rules.across_cond;
    const uint16_t changed = see_sources(m, x, op, b, 0, source);
    V3D_EACH_LANE if (changed >> n & 1) result->lane[n] =
        limited && !(x->active >> source[n] & 1) ? 0 : a->lane[source[n]];
}

static void see_difference(const struct v3d_machine *m, struct v3d_alu *x, unsigned op,
                           const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result)
{
    uint32_t source[2][V3D_LANES];
    struct v3d_vector right, left, now;
    uint16_t changed = see_sources(m, x, op, b, 0, source[0]);
    changed |= see_sources(m, x, op, b, 1, source[1]);
    V3D_EACH_LANE right.lane[n] = a->lane[source[0][n]];
    V3D_EACH_LANE left.lane[n] = a->lane[source[1][n]];
    v3d_operation[V3D_A_FSUB].kernel(x, &right, &left, &now, NULL);
    V3D_EACH_LANE if (changed >> n & 1) result->lane[n] = now.lane[n];
}

/* ---- lanes that are compared or counted ---- */

static bool same_word(unsigned op, uint32_t a, uint32_t b)
{
    if (op == V3D_A_ALLEQ)
        return a == b;
    return !(float_is_nan(a) | float_is_nan(b)) && float_key(a) == float_key(b);
}

static void see_all_equal(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                          const struct v3d_vector *a, struct v3d_vector *result)
{
    const uint32_t next = v3d_second_lane(x->active),
                   lowest = V3D_SEE(m, SET_FIRST, first_of(x->active), x->active, op, next),
                   first = V3D_SEE(m, ACROSS_FIRST, lowest, x->active, op, next),
                   other = a->lane[first % V3D_LANES];
    uint32_t input[3 * V3D_LANES + 2], equal[V3D_LANES], all = 1;
    uint32_t *rest = v3d_put(input, a->lane);
    V3D_EACH_LANE rest[n] = other;
    v3d_put_set(rest + V3D_LANES, x->active)[0] = op;
    input[3 * V3D_LANES + 1] = first;
    V3D_EACH_LANE equal[n] = n < first || !(x->active >> n & 1) || same_word(op, a->lane[n], other);
    if (v3d_wants(m, V3D_POINT_ACROSS_EQUAL))
        observe_lanes(m->observer, V3D_POINT_ACROSS_EQUAL, equal, input);
    V3D_EACH_LANE all &= equal[n];
    V3D_EACH_LANE result->lane[n] = all;
}

static void see_ballot(const struct v3d_machine *m, const struct v3d_alu *x, const struct v3d_vector *a,
                       struct v3d_vector *result)
{
    uint32_t input[2 * V3D_LANES], votes[V3D_LANES], set = 0;
    (void)v3d_put_set(v3d_put(input, a->lane), x->active);
    V3D_EACH_LANE votes[n] = a->lane[n] != 0 && (x->active >> n & 1);
    observe_lanes(m->observer, V3D_POINT_BALLOT_LANE, votes, input);
    V3D_EACH_LANE set |= (votes[n] & 1) << n;
    V3D_EACH_LANE result->lane[n] = set;
}

/* ---- v8dot and setmsf ---- */

/* Passes byte `number` of an operand of v8dot. `place`: its lowest bit. */
static struct v3d_vector see_byte(const struct v3d_machine *m, const struct v3d_vector *word, unsigned number,
                                  uint32_t place, unsigned port, bool is_signed)
{
    struct v3d_vector byte;
    uint32_t input[V3D_LANES + 4], *rest = v3d_put(input, word->lane);
    rest[0] = number;
    rest[1] = port;
    rest[2] = is_signed;
    rest[3] = place;
    V3D_EACH_LANE
    {
        const uint32_t b = word->lane[n] >> place & 0xFF;
        byte.lane[n] = is_signed && b >> 7 ? b | 0xFFFFFF00 : b;
    }
    if (v3d_wants(m, V3D_POINT_DOT_BYTE))
        observe_lanes(m->observer, V3D_POINT_DOT_BYTE, byte.lane, input);
    return byte;
}

static void see_dot(const struct v3d_machine *m, const struct v3d_alu *x, const struct v3d_vector *a,
                    const struct v3d_vector *b, struct v3d_vector *result)
{
    struct v3d_vector sum = {{0}};
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t place = V3D_SEE(m, DOT_PLACE, 8 * k, k);
        const struct v3d_vector left = see_byte(m, a, k, place, 0, x->signed_a),
                                right = see_byte(m, b, k, place, 1, x->signed_b);
        uint32_t product[V3D_LANES], input[2 * V3D_LANES + 1];
        v3d_put(v3d_put(input, left.lane), right.lane)[0] = k;
        V3D_EACH_LANE product[n] = left.lane[n] * right.lane[n];
        if (v3d_wants(m, V3D_POINT_DOT_PRODUCT))
            observe_lanes(m->observer, V3D_POINT_DOT_PRODUCT, product, input);
        V3D_EACH_LANE sum.lane[n] += product[n];
    }
    *result = sum;
}

static void see_setmsf(const struct v3d_machine *m, struct v3d_alu *x, const struct v3d_vector *a,
                       const struct v3d_vector *before)
{
    uint32_t input[3 * V3D_LANES];
    (void)v3d_put_set(v3d_put(v3d_put(input, a->lane), before->lane), x->active);
    observe_lanes(m->observer, V3D_POINT_MSF_VALUE, x->msf.lane, input);
}

void v3d_observe_lanes(const struct v3d_machine *m, struct v3d_thread *t, unsigned op,
                       const struct v3d_operands *src, const struct v3d_vector *msf,
                       struct v3d_vector *result)
{
    const struct v3d_vector *a = &src->at[0]->value, *b = &src->at[1]->value;
    const bool sources =
        V3D_WANTS_ANY(m, V3D_POINT_ACROSS_SOURCE, V3D_POINT_ACROSS_AMOUNT, V3D_POINT_ACROSS_TURN);
    switch (op) {
    case V3D_A_ROT:
    case V3D_A_ROTQ:
    case V3D_A_SHUFFLE:
    case V3D_A_BCASTF:
        if (sources || v3d_wants(m, V3D_POINT_SET_FIRST))
            see_taken(m, &t->alu, op, a, b, result);
        return;
    case V3D_A_FDX:
    case V3D_A_FDY:
        if (sources)
            see_difference(m, &t->alu, op, a, b, result);
        return;
    case V3D_A_ALLEQ:
    case V3D_A_ALLFEQ:
        see_all_equal(m, &t->alu, op, a, result);
        return;
    case V3D_A_BALLOT:
        if (v3d_wants(m, V3D_POINT_BALLOT_LANE))
            see_ballot(m, &t->alu, a, result);
        return;
    case V3D_M_V8DOT:
        if (V3D_WANTS_ANY(m, V3D_POINT_DOT_BYTE, V3D_POINT_DOT_PRODUCT, V3D_POINT_DOT_PLACE))
            see_dot(m, &t->alu, a, b, result);
        return;
    case V3D_A_SETMSF:
        if (v3d_wants(m, V3D_POINT_MSF_VALUE))
            see_setmsf(m, &t->alu, a, msf);
        return;
    default:
        return;
    }
}
