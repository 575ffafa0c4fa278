/* SPDX-License-Identifier: MIT */
/* Passes conditions, tests and changes of flags, and the parts of products to the observer. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"

#include <string.h>

/* Passes a set of lanes, one bit in each lane. Returns the set. */
static uint16_t see_set(const struct v3d_machine *m, unsigned point, uint32_t set, const uint32_t *input)
{
    uint32_t lane[V3D_LANES], now = 0;
    (void)v3d_put_set(lane, set);
    observe_lanes(m->observer, point, lane, input);
    V3D_EACH_LANE now |= (lane[n] & 1) << n;
    return (uint16_t)now;
}

/* ---- conditions ---- */

uint16_t v3d_observe_condition(const struct v3d_machine *m, const struct v3d_thread *t,
                               const struct v3d_half *h, uint16_t active)
{
    uint32_t input[2 * V3D_LANES + 4];
    if (!v3d_wants(m, V3D_POINT_CONDITION_LANE))
        return active;
    uint32_t *rest = v3d_put_set(v3d_put_set(input, t->alu.flag_a), t->alu.flag_b);
    memcpy(rest, (const uint32_t[]){h->cond, h->op, h->magic, h->waddr}, 4 * sizeof *rest);
    return see_set(m, V3D_POINT_CONDITION_LANE, active, input);
}

void v3d_observe_active(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h)
{
    if ((h->op >= V3D_A_BALLOT && h->op <= V3D_A_ALLFEQ) || h->op == V3D_A_SETMSF)
        t->alu.active =
            (uint16_t)V3D_SEE(m, ACROSS_ACTIVE, t->alu.active, h->op, h->cond, t->alu.flag_a, t->alu.flag_b);
}

/* ---- flags ---- */

enum v3d_flag_letter v3d_observe_letter(const struct v3d_machine *m, const struct v3d_half *h,
                                        enum v3d_flag_letter letter)
{
    const uint32_t now =
        V3D_SEE(m, FLAG_LETTER, letter, h->flags, h->op, h->op >= V3D_ADD_OPS, m->generation == V3D_71);
    return now <= V3D_LETTER_C ? (enum v3d_flag_letter)now : letter;
}

enum { A_IS_LESS, EQUAL, A_IS_GREATER, UNORDERED };

static uint32_t order_of(int32_t a, int32_t b)
{
    return a == b ? EQUAL : a < b ? A_IS_LESS : A_IS_GREATER;
}

/* Is the flag set for operands in this order? */
static bool has_flag(unsigned letter, uint32_t order)
{
    return letter == V3D_LETTER_Z   ? order == EQUAL
           : letter == V3D_LETTER_N ? order == A_IS_LESS
                                    : order <= EQUAL;
}

uint16_t v3d_observe_order(const struct v3d_machine *m, const struct v3d_half *h,
                           const struct v3d_operands *src, unsigned letter, uint16_t x)
{
    uint32_t input[5 * V3D_LANES + 3], order[V3D_LANES], old[V3D_LANES];
    if (h->op != V3D_A_FCMP || !v3d_wants(m, V3D_POINT_COMPARE_ORDER))
        return x;
    struct v3d_vector operand[2] = {src->at[0]->value, src->at[1]->value};
    for (unsigned n = 0; n < 2 && (m->rules.denormal & V3D_FLUSH_ADD); n++)
        v3d_flush_denormals(&src->at[n]->value, &operand[n]);
    const uint32_t *a = operand[0].lane, *b = operand[1].lane;
    V3D_EACH_LANE
    {
        const bool numbers = !(float_is_nan(a[n]) | float_is_nan(b[n]));
        input[n] = float_class(a[n]);
        input[V3D_LANES + n] = float_class(b[n]);
        input[2 * V3D_LANES + n] = (uint32_t)float_key(a[n]);
        input[3 * V3D_LANES + n] = (uint32_t)float_key(b[n]);
        input[4 * V3D_LANES + n] = order_of(float_key(a[n]), float_key(b[n]));
        order[n] = old[n] = numbers ? input[4 * V3D_LANES + n] : UNORDERED;
    }
    memcpy(input + (size_t)5 * V3D_LANES, (const uint32_t[]){letter, h->flags, m->generation == V3D_71},
           3 * sizeof *input);
    observe_lanes(m->observer, V3D_POINT_COMPARE_ORDER, order, input);
    V3D_EACH_LANE if (order[n] != old[n]) x =
        (uint16_t)((x & ~(1U << n)) | (uint32_t)has_flag(letter, order[n]) << n);
    return x;
}

void v3d_observe_compared(const struct v3d_machine *m, const struct v3d_half *h, unsigned letter,
                          struct v3d_vector operand[2])
{
    for (uint32_t port = 0; port < 2; port++)
        V3D_SEE_LANES(m, COMPARE_OPERAND, &operand[port], port, letter, h->flags);
}

void v3d_observe_update(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h,
                        uint16_t x, uint16_t lanes, uint16_t a, uint16_t b)
{
    uint32_t input[4 * V3D_LANES + 4];
    if (!v3d_wants(m, V3D_POINT_FLAG_UPDATE))
        return;
    for (uint32_t flag = 0; flag < 2; flag++) {
        uint32_t *rest = v3d_put_set(v3d_put_set(input, flag ? b : a), flag ? a : b);
        rest = v3d_put_set(v3d_put_set(rest, x), lanes);
        memcpy(rest, (const uint32_t[]){h->flags, flag, h->op, h->op >= V3D_ADD_OPS}, 4 * sizeof *rest);
        uint16_t *now = flag ? &t->alu.flag_b : &t->alu.flag_a;
        *now = see_set(m, V3D_POINT_FLAG_UPDATE, *now, input);
    }
}

/* ---- products ---- */

/* Passes a part of an operand. `high`: its high byte, otherwise its low 24 bits. */
static struct v3d_vector see_part(const struct v3d_machine *m, unsigned op, unsigned port, bool high,
                                  const struct v3d_vector *word)
{
    struct v3d_vector part;
    uint32_t input[V3D_LANES + 2], *rest = v3d_put(input, word->lane);
    V3D_EACH_LANE
    {
        const uint32_t v = word->lane[n];
        part.lane[n] = high ? v >> 24 : op == V3D_M_SMUL24 ? shift_arithmetic(v << 8, 8) : v & 0xFFFFFF;
    }
    rest[0] = high ? port : op;
    rest[1] = port;
    if (v3d_wants(m, high ? V3D_POINT_PRODUCT_HIGH : V3D_POINT_PRODUCT_OPERAND))
        observe_lanes(m->observer, high ? V3D_POINT_PRODUCT_HIGH : V3D_POINT_PRODUCT_OPERAND, part.lane,
                      input);
    return part;
}

/* multop leaves the part of the product that needs the high bytes. */
static void see_multop(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_vector *a,
                       const struct v3d_vector *b, const struct v3d_vector *x, const struct v3d_vector *y)
{
    const struct v3d_vector high_a = see_part(m, V3D_M_MULTOP, 0, true, a),
                            high_b = see_part(m, V3D_M_MULTOP, 1, true, b);
    uint32_t cross[2][V3D_LANES];
    for (uint32_t k = 0; k < 2; k++) {
        const struct v3d_vector *high = k ? &high_b : &high_a, *low = k ? x : y;
        uint32_t input[2 * V3D_LANES + 1];
        v3d_put(v3d_put(input, high->lane), low->lane)[0] = k;
        V3D_EACH_LANE cross[k][n] = high->lane[n] * low->lane[n];
        if (v3d_wants(m, V3D_POINT_PRODUCT_CROSS) && !m->rules.rtop_bytes)
            observe_lanes(m->observer, V3D_POINT_PRODUCT_CROSS, cross[k], input);
    }
    V3D_EACH_LANE
    {
        const uint32_t usual = ((a->lane[n] >> 24) * (b->lane[n] & 0xFFFFFF) +
                                (a->lane[n] & 0xFFFFFF) * (b->lane[n] >> 24))
                               << 24,
                       now = (cross[0][n] + cross[1][n]) << 24;
        const bool bytes = high_a.lane[n] != a->lane[n] >> 24 || high_b.lane[n] != b->lane[n] >> 24;
        if (m->rules.rtop_bytes ? bytes : now != usual)
            t->alu.rtop.lane[n] = m->rules.rtop_bytes ? high_a.lane[n] << 8 | high_b.lane[n] : now;
    }
}

void v3d_observe_products(const struct v3d_machine *m, struct v3d_thread *t, unsigned op,
                          const struct v3d_operands *src, struct v3d_vector *result)
{
    const struct v3d_vector *a = &src->at[0]->value, *b = &src->at[1]->value;
    if (op >= V3D_A_SETNNMODE_UU && op <= V3D_A_SETNNMODE_SS) {
        t->alu.signed_a = V3D_SEE(m, MODE_SIGNED, t->alu.signed_a, op, 0);
        t->alu.signed_b = V3D_SEE(m, MODE_SIGNED, t->alu.signed_b, op, 1);
    }
    if (op != V3D_M_UMUL24 && op != V3D_M_SMUL24 && op != V3D_M_MULTOP)
        return;
    if (!V3D_WANTS_ANY(m, V3D_POINT_PRODUCT_OPERAND, V3D_POINT_PRODUCT_HIGH, V3D_POINT_PRODUCT_CROSS,
                       V3D_POINT_PRODUCT_LOW))
        return;
    const struct v3d_vector x = see_part(m, op, 0, false, a), y = see_part(m, op, 1, false, b);
    if (op == V3D_M_MULTOP) {
        see_multop(m, t, a, b, &x, &y);
        return;
    }
    struct v3d_vector left = x, right = y;
    V3D_EACH_LANE left.lane[n] =
        op == V3D_M_SMUL24 ? shift_arithmetic(a->lane[n] << 8, 8) : a->lane[n] & 0xFFFFFF;
    V3D_EACH_LANE right.lane[n] =
        op == V3D_M_SMUL24 ? shift_arithmetic(b->lane[n] << 8, 8) : b->lane[n] & 0xFFFFFF;
    uint32_t product[V3D_LANES], input[2 * V3D_LANES + 1];
    v3d_put(v3d_put(input, x.lane), y.lane)[0] = op;
    V3D_EACH_LANE product[n] = x.lane[n] * y.lane[n];
    if (v3d_wants(m, V3D_POINT_PRODUCT_LOW))
        observe_lanes(m->observer, V3D_POINT_PRODUCT_LOW, product, input);
    V3D_EACH_LANE result->lane[n] += product[n] - left.lane[n] * right.lane[n]; /* RTOP stays in the sum */
}
