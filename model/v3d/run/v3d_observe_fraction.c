/* SPDX-License-Identifier: MIT */
/* Passes the steps of conversions of floats to fractions, and of halves to the small floats of v11fpack, to
 * the observer. The kernel's result stays in lanes in which no rule changes a step. */
#include "model/v3d/run/v3d_observe.h"

#include "model/number/float32.h"
#include "model/v3d/alu/v3d_parts.h"

/* Passes what stays of numbers whose low bits are cut off, and their roundings. `number`: their low words,
 * `shift`: how many bits. Sets `up`. */
static void see_cut(const struct v3d_machine *m, unsigned op, unsigned field,
                    const uint32_t number[V3D_LANES], const uint32_t shift[V3D_LANES], bool truncates,
                    struct v3d_rounding *r)
{
    uint32_t input[2 * V3D_LANES + 2];
    v3d_observe_step(m, V3D_POINT_ROUND_KEPT, input, v3d_put(v3d_put(input, number), shift), op, field,
                     r->kept);
    V3D_EACH_LANE r->up[n] = !truncates && (r->rest[n] == 3 || (r->rest[n] == 2 && (r->kept[n] & 1)));
    v3d_observe_rounding(m, op, op == V3D_A_V11FPACK ? V3D_ROUNDS_SMALL : V3D_ROUNDS_FRACTION, false, r);
}

/* Cuts numbers of one lane. `rounds`: otherwise nothing is kept or cut off. */
static void cut(struct v3d_rounding *r, unsigned n, bool rounds, uint64_t number, uint32_t down)
{
    const struct v3d_cut c = rounds ? v3d_cut_of(number, down) : (struct v3d_cut){0};
    r->kept[n] = c.kept;
    r->rest[n] = c.rest;
    r->part[n] = c.sixteenths;
}

/* ---- fractions ---- */

static bool gives_fractions(unsigned op)
{
    return (op >= V3D_M_FTOUNORM16 && op <= V3D_M_VFTOSNORM8) || op == V3D_M_VFTOUNORM10LO ||
           op == V3D_M_VFTOUNORM10HI;
}

/* Returns what the kernel gives, as far as rounding is concerned. */
static uint32_t usual(struct v3d_alu_rules rules, const struct v3d_fraction *f)
{
    const struct v3d_cut c = v3d_cut_of((uint64_t)f->mantissa * f->scale, f->shift);
    const bool up = !rules.norm_round && (c.rest == 3 || (c.rest == 2 && (c.kept & 1)));
    return v3d_fraction_number(f, c.kept + up);
}

/* Passes products and their roundings. Returns the numbers. */
static void see_products(const struct v3d_machine *m, unsigned op, unsigned k,
                         const struct v3d_fraction f[V3D_LANES], uint32_t now[V3D_LANES])
{
    uint32_t product[V3D_LANES], mantissa[V3D_LANES], shift[V3D_LANES], input[V3D_LANES + 3];
    struct v3d_rounding r;
    V3D_EACH_LANE
    {
        mantissa[n] = f[n].mantissa;
        shift[n] = f[n].shift;
        product[n] = f[n].mantissa * f[n].scale;
    }
    uint32_t *rest = v3d_put(input, mantissa);
    rest[2] = k;
    v3d_observe_step(m, V3D_POINT_FRACTION_PRODUCT, input, rest, f[0].scale, op, product);
    V3D_EACH_LANE
    {
        const uint64_t whole = (uint64_t)f[n].mantissa * f[n].scale;
        cut(&r, n, v3d_fraction_rounds(&f[n]), product[n] == (uint32_t)whole ? whole : product[n], shift[n]);
        r.negative[n] = f[n].negative;
    }
    see_cut(m, op, k, product, shift, m->rules.norm_round, &r);
    V3D_EACH_LANE now[n] = v3d_fraction_number(&f[n], r.kept[n] + r.up[n]);
}

/* Passes the steps to field `k`. `number`: the floats. Changes the field in lanes in which a step changes. */
static void see_fraction(const struct v3d_machine *m, unsigned op, unsigned k, unsigned bits,
                         const uint32_t number[V3D_LANES], struct v3d_vector *result)
{
    struct v3d_fraction f[V3D_LANES];
    uint32_t mantissa[V3D_LANES], shift[V3D_LANES], saturates[V3D_LANES], old[V3D_LANES], exponent[V3D_LANES],
        negative[V3D_LANES], input[2 * V3D_LANES + 2], now[V3D_LANES];
    const uint32_t mask = UINT32_MAX >> (32 - bits);
    V3D_EACH_LANE
    {
        f[n] = v3d_fraction_parts(op, k, number[n]);
        old[n] = usual(m->rules, &f[n]) & mask;
        negative[n] = f[n].negative;
        mantissa[n] = f[n].mantissa;
        shift[n] = f[n].shift;
        saturates[n] = f[n].saturates;
        exponent[n] = float_exponent(number[n]);
    }
    const uint32_t scale = V3D_SEE(m, FRACTION_SCALE, f[0].scale, op, k),
                   is_signed = V3D_SEE(m, FRACTION_SIGNED, f[0].is_signed, op, k);
    v3d_observe_step(m, V3D_POINT_FRACTION_NEGATIVE, input, v3d_put(v3d_put(input, exponent), number), op, k,
                     negative);
    v3d_observe_step(m, V3D_POINT_FRACTION_SATURATES, input, v3d_put(v3d_put(input, exponent), number), op, k,
                     saturates);
    v3d_observe_mantissas(m, op, k, number, mantissa, shift);
    V3D_EACH_LANE
    {
        f[n].scale = scale;
        f[n].negative = negative[n];
        f[n].is_signed = is_signed;
        f[n].saturates = saturates[n];
        f[n].mantissa = mantissa[n];
        f[n].shift = shift[n];
    }
    see_products(m, op, k, f, now);
    V3D_EACH_LANE if ((now[n] & mask) != old[n]) result->lane[n] =
        (result->lane[n] & ~(mask << (16 * k))) | (now[n] & mask) << (16 * k);
}

void v3d_observe_fraction(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                          struct v3d_vector *result)
{
    const bool wide = op == V3D_M_FTOUNORM16 || op == V3D_M_FTOSNORM16;
    const unsigned bits = op == V3D_M_FTOUNORM16                             ? 32 /* nothing cuts it */
                          : wide                                             ? 16
                          : op == V3D_M_VFTOUNORM8 || op == V3D_M_VFTOSNORM8 ? 8
                                                                             : 10;
    if (!gives_fractions(op) ||
        !V3D_WANTS_ANY(m, V3D_POINT_FRACTION_SCALE, V3D_POINT_FRACTION_SIGNED, V3D_POINT_FRACTION_NEGATIVE,
                       V3D_POINT_FRACTION_SATURATES, V3D_POINT_MANTISSA_VALUE, V3D_POINT_MANTISSA_SHIFT,
                       V3D_POINT_FRACTION_PRODUCT, V3D_POINT_ROUND_KEPT, V3D_POINT_ROUND_UP))
        return;
    for (unsigned k = 0; k < (wide ? 1U : 2U); k++) {
        uint32_t number[V3D_LANES];
        V3D_EACH_LANE number[n] =
            wide ? a->lane[n] : v3d_widen(V3D_LOW_HALF, a->lane[n] >> (16 * k) & 0xFFFF);
        see_fraction(m, op, k, bits, number, result);
    }
}

/* ---- small floats ---- */

enum { SMALL_FIELDS = 3 };

/* Passes the steps to field `k`. `half`: its halves. A field that a rule makes too wide is not cut. */
static void see_small(const struct v3d_machine *m, unsigned k, const uint32_t half[V3D_LANES],
                      uint32_t field[V3D_LANES])
{
    const uint32_t infinity = k == 2 ? 0x3E0 : 0x7C0;
    uint32_t magnitude[V3D_LANES], exponent[V3D_LANES], shift[V3D_LANES], input[V3D_LANES + 2];
    struct v3d_rounding r;
    V3D_EACH_LANE
    {
        magnitude[n] = half[n] & 0x7FFF;
        exponent[n] = magnitude[n] >> 10;
        shift[n] = k == 2 ? 5 : 4;
        r.negative[n] = half[n] >> 15;
    }
    v3d_observe_step(m, V3D_POINT_MANTISSA_SHIFT, input, v3d_put(input, exponent), V3D_A_V11FPACK, k, shift);
    V3D_EACH_LANE cut(&r, n, exponent[n] < 31, magnitude[n], shift[n]);
    see_cut(m, V3D_A_V11FPACK, k, magnitude, shift, m->rules.v11_round, &r);
    V3D_EACH_LANE
    {
        const uint32_t number = r.kept[n] + r.up[n];
        if (exponent[n] < 31 && (!r.negative[n] || m->rules.v11_range == V3D_V11_MAGNITUDE))
            field[n] = number == infinity && m->rules.v11_range != V3D_V11_INFINITE ? infinity - 1 : number;
    }
}

void v3d_observe_small(const struct v3d_machine *m, const struct v3d_vector *a, const struct v3d_vector *b,
                       struct v3d_vector *result)
{
    if (!V3D_WANTS_ANY(m, V3D_POINT_MANTISSA_SHIFT, V3D_POINT_ROUND_KEPT, V3D_POINT_ROUND_UP))
        return;
    struct v3d_vector now = {{0}};
    for (unsigned k = 0; k < SMALL_FIELDS; k++) {
        uint32_t half[V3D_LANES], field[V3D_LANES];
        V3D_EACH_LANE half[n] =
            v3d_take_number(k == 1 ? V3D_HIGH_HALF : V3D_LOW_HALF, (k == 2 ? b : a)->lane[n]);
        V3D_EACH_LANE field[n] = result->lane[n] >> (11 * k) & (k == 2 ? 0x3FF : 0x7FF);
        see_small(m, k, half, field);
        V3D_EACH_LANE now.lane[n] |= field[n] << (11 * k);
    }
    *result = now;
}
