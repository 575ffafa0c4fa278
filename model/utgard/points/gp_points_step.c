/* SPDX-License-Identifier: MIT */
/* The observation points of a step: what units do, what they read, and what they give. gp_points.c has the
 * table of all points, and the points of an instruction's fields. */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

#include <string.h>

/* ---- values ---- */

unsigned gp_observe_components(const struct gp *g, unsigned row, unsigned components)
{
    return GP_SEE(g, ATTRIBUTE_COMPONENTS, components, row, g->setup.components);
}

bool gp_memory_is_pending(const struct gp *g)
{
    return g->memory_writes.first != g->memory_writes.end;
}

/* Returns the kinds of stores that are on their way when a component is fetched (input `pending`). */
static unsigned pending_stores(const struct gp_writes *w, unsigned row, unsigned component)
{
    unsigned kinds = 0;
    for (unsigned n = w->first; n != w->end; n++) {
        const unsigned place = w->write[n % GP_WRITES].place;
        const bool same = place % GP_VEC == component;
        kinds |= place / GP_VEC == row ? same ? 4 : 2 : same ? 1 : 8;
    }
    return kinds;
}

void gp_observe_fetch(struct gp *g, const struct gp_step *s, unsigned slot, const uint32_t last[GP_VEC])
{
    static const uint8_t selectors[] = {GP_REG0_X, GP_REG1_X, GP_LOAD_X};
    unsigned row = slot == 0   ? s->register0
                   : slot == 1 ? s->register1
                               : s->load,
             attribute = slot == 0 && s->attribute, components = attribute ? g->components[row] : GP_VEC,
             offset = slot == 2 && s->offset != GP_UNKNOWN_OFFSET ? s->offset : GP_NO_OFFSET;
    const struct gp_writes *writes = slot == 2 ? &g->memory_writes : &g->reg_writes;
    uint32_t *words = &g->bank[selectors[slot]], memory[GP_VEC] = {0};
    if (attribute)
        g->setup.attribute(g->setup.context, row, memory);
    for (unsigned c = 0; c < GP_VEC; c++) {
        const unsigned pending = attribute ? 0 : pending_stores(writes, slot == 2 ? g->loaded_row : row, c);
        words[c] = GP_SEE(g, FETCH_VALUE, words[c], slot, c, row, attribute, components, memory[c], last[c],
                          s->uses >> selectors[slot] & 0xF, offset, pending);
    }
}

#define ACTION(name) (1U << GP_DO_##name)
enum {
    TWO_INPUTS = ACTION(ADD) | ACTION(GE) | ACTION(LT) | ACTION(MIN) | ACTION(MAX) | ACTION(MUL) |
                 ACTION(SELECT) | ACTION(CLAMP) | ACTION(COMPLEX2),
    THREE_INPUTS = ACTION(SELECT) | ACTION(CLAMP),
    NO_INPUTS = ACTION(IDLE) | ACTION(COMPLEX1) | ACTION(ZERO) | ACTION(UNKNOWN),
    ROUNDS = ACTION(ADD) | ACTION(MUL),
};

/* Does the unit compute with its inputs as floats? The other units hand on bits. */
static bool is_float(const struct gp_unit_step *u)
{
    return (u->action != GP_DO_IDLE && u->action < GP_DO_COPY) || u->action == GP_DO_CLAMP ||
           u->action == GP_DO_FUNCTION;
}

/* Returns the number of inputs that an action reads. */
static unsigned inputs_of(unsigned action)
{
    return NO_INPUTS >> action & 1 ? 0 : THREE_INPUTS >> action & 1 ? 3 : TWO_INPUTS >> action & 1 ? 2 : 1;
}

/* Can the unit have the action? The actions of one unit set the results of others. */
static bool fits_unit(unsigned action, unsigned unit)
{
    switch (action) {
    case GP_DO_MOVE: /* plain runs finish a move only in these units */
        return unit <= GP_MUL1;
    case GP_DO_COMPLEX1:
    case GP_DO_COMPLEX2:
        return unit == GP_MUL0;
    case GP_DO_FUNCTION:
    case GP_DO_SET_ADDRESS:
        return unit == GP_COMPLEX;
    default:
        return action <= GP_DO_UNKNOWN;
    }
}

void gp_observe_units(const struct gp *g, const struct gp_insn *i, struct gp_step *s)
{
    const uint16_t first[GP_UNITS] = {i->acc0_src0, i->acc1_src0, i->mul0_src0,  i->mul1_src0,
                                      i->pass_src,  GP_NONE,      i->complex_src},
                   second[GP_UNITS] = {i->acc0_src1, i->acc1_src1, i->mul0_src1, i->mul1_src1,
                                       GP_NONE,      GP_NONE,      GP_NONE},
                   negates[GP_UNITS] = {(uint16_t)(i->acc0_src0_neg | i->acc0_src1_neg << 1),
                                        (uint16_t)(i->acc1_src0_neg | i->acc1_src1_neg << 1), i->mul0_neg,
                                        i->mul1_neg};
    bool moves = false;
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        moves = moves || s->unit[unit].action == GP_DO_MOVE;
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        struct gp_unit_step *u = &s->unit[unit];
        if (unit == GP_UNIT_UNKNOWN)
            continue;
        unsigned action =
            GP_SEE(g, UNIT_ACTION, u->action, unit, u->op, first[unit], second[unit], negates[unit],
                   unit == GP_MUL0 ? i->mul1_src0 : GP_NONE, unit == GP_MUL0 ? i->mul1_src1 : GP_NONE, moves);
        if (action != u->action)
            u->action = fits_unit(action, unit) ? (uint8_t)action : (uint8_t)GP_DO_UNKNOWN;
        if (u->action == GP_DO_ADD || u->action == GP_DO_CLAMP)
            u->flip = 0; /* only products are negated */
        uint8_t *places[] = {&u->a, &u->b, &u->c};
        const bool select = u->action == GP_DO_SELECT;
        const uint16_t selectors[] = {first[unit], select ? i->mul1_src0 : second[unit], second[unit]};
        for (unsigned n = 0; n < inputs_of(u->action); n++)
            *places[n] =
                (uint8_t)(GP_SEE(g, UNIT_INPUT, *places[n], unit, n, selectors[n], u->op, u->action) %
                          GP_INPUTS);
    }
}

/* Returns the place of the same unit or register at the other time: one instruction earlier or later. */
static unsigned shifted_place(unsigned place)
{
    static const uint8_t shifted[GP_SOURCES] = {28, 29, 30, 31, 8,  9,  10, 11, 4,  5,  6,
                                                7,  12, 13, 14, 15, 24, 25, 26, 27, 23, 21,
                                                22, 20, 16, 17, 18, 19, 0,  1,  2,  3};
    return place < GP_SOURCES ? shifted[place] : place;
}

struct operand_place {
    uint8_t *place; /* in the bank */
    bool negated;
};

/* `other`: the value of the input with which this one could be mixed up. */
static void observe_operand(struct gp *g, struct gp_step *s, unsigned unit, unsigned operand,
                            const struct operand_place *p, uint32_t other)
{
    const struct gp_unit_step *u = &s->unit[unit];
    uint32_t before = g->bank[*p->place],
             after =
                 GP_SEE(g, OPERAND_VALUE, before, unit, operand, *p->place, u->op, p->negated, is_float(u),
                        other, g->bank[GP_COMPLEX_D1], u->action, u->flip, g->bank[shifted_place(*p->place)]);
    if (after == before)
        return;
    unsigned at = GP_INPUTS + 3 * unit + operand;
    g->bank[at] = after;
    g->bank_known[at] = g->bank_known[*p->place];
    g->bank_kind[at] = g->bank_kind[*p->place];
    g->bank_hazards[at] = g->bank_hazards[*p->place];
    if (s->from[unit] == *p->place)
        s->from[unit] = (uint8_t)at;
    *p->place = (uint8_t)at;
}

void gp_observe_operands(struct gp *g, struct gp_step *s)
{
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        struct gp_unit_step *u = &s->unit[unit];
        bool raw = unit == GP_PASS && s->branch_raw;
        if (unit == GP_UNIT_UNKNOWN || (NO_INPUTS >> u->action & 1 && !raw))
            continue;
        if (unit == GP_COMPLEX && s->from_pass)
            continue;
        const struct operand_place p[] = {{&u->a, u->flip_a}, {&u->b, u->flip_b}, {&u->c, false}};
        const unsigned inputs = inputs_of(u->action), count = inputs ? inputs : 1,
                       first = u->action == GP_DO_CLAMP; /* the input and its bounds are never mixed up */
        uint32_t value[3];
        for (unsigned n = 0; n < count; n++)
            value[n] = g->bank[*p[n].place];
        for (unsigned n = 0; n < count; n++) {
            unsigned other = n == first ? first + 1 : n == first + 1 ? first : n;
            observe_operand(g, s, unit, n, &p[n], value[other < count ? other : n]);
        }
    }
}

/* Returns a unit's result if sums and products were rounded toward zero. */
static uint32_t truncated(const struct gp *g, const struct gp_unit_step *u, uint32_t result)
{
    struct gp_rules r = g->rules;
    uint64_t covered = 0;
    if (!(ROUNDS >> u->action & 1))
        return result;
    r.f.rounding = ROUND_TRUNCATE;
    r.ordinary = false;
    uint32_t a = gp_flip(g->bank[u->a], u->flip_a), b = gp_flip(g->bank[u->b], u->flip_b);
    return gp_flip(gp_compute(&r, (enum gp_action)u->action, a, b, &covered), u->flip);
}

/* Returns a bit for each of a unit's inputs that is a NaN. */
static uint32_t nans(const struct gp *g, const struct gp_unit_step *u)
{
    return (float_is_nan(g->bank[u->a]) & 1) |
           (TWO_INPUTS >> u->action & float_is_nan(g->bank[u->b]) & 1) << 1 |
           (THREE_INPUTS >> u->action & float_is_nan(g->bank[u->c]) & 1) << 2;
}

/* Is float a above float b? NaNs count as beyond the infinities. */
static bool is_greater(uint32_t a, uint32_t b)
{
    return float_key(a) > float_key(b);
}

static bool are_zeros(uint32_t a, uint32_t b)
{
    return !((a | b) << 1);
}

/* Shows how min or max chooses between two numbers. Returns the result. */
static uint32_t observe_choice(const struct gp *g, bool max, uint32_t a, uint32_t b)
{
    const bool zeros = are_zeros(a, b);
    a = float_flush(g->rules.f, a);
    b = float_flush(g->rules.f, b);
    if (GP_SEE(g, EXTREME_OPPOSITE, a != b && are_zeros(a, b), a, b, max, zeros))
        return g->rules.minmax_zero == GP_MINMAX_ZERO_FIRST ? a : max ? 0 : FLOAT_SIGN;
    return GP_SEE(g, EXTREME_FIRST, is_greater(a, b) == max, a, b, max, is_greater(a, b)) ? a : b;
}

/* Shows a minimum or maximum. `value`: the result without rules. */
static uint32_t observe_extreme(const struct gp *g, enum gp_action action, uint32_t a, uint32_t b,
                                uint32_t value)
{
    const bool max = action == GP_DO_MAX;
    const uint32_t nans = gp_nans_of_two(a, b);
    if (!nans)
        value = observe_choice(g, max, a, b);
    return GP_SEE(g, EXTREME_VALUE, value, a, b, max, nans, is_greater(a, b), are_zeros(a, b));
}

/* Shows the two steps of clamp. Returns its result. */
static uint32_t observe_clamp(const struct gp *g, uint32_t a, uint32_t b, uint32_t c)
{
    const struct gp_clamp_order *o = &gp_clamp_orders[g->rules.clamp];
    uint64_t covered = 0;
    const uint32_t x = o->y_first ? c : b, y = o->y_first ? b : c,
                   once = observe_extreme(g, o->first, a, x, gp_compute(&g->rules, o->first, a, x, &covered));
    return observe_extreme(g, o->second, once, y, gp_compute(&g->rules, o->second, once, y, &covered));
}

static uint32_t observe_comparison(const struct gp *g, bool less, uint32_t a, uint32_t b, uint32_t value)
{
    const bool before = value != 0,
               after = GP_SEE(g, COMPARE_TRUE, before, a, b, less, gp_nans_of_two(a, b), is_greater(a, b));
    return after == before ? value : after ? GP_ONE : 0;
}

/* Shows the steps of floor of a number that is no NaN. */
static uint32_t observe_floor(const struct gp *g, uint32_t a)
{
    const uint32_t exponent = float_exponent(a);
    if (GP_SEE(g, FLOOR_WHOLE, exponent >= 150 || !(a << 1), a, exponent, !(a << 1)))
        return a;
    const bool negative = GP_SEE(g, FLOOR_NEGATIVE, a >> 31, a);
    if (GP_SEE(g, FLOOR_SMALL, exponent < 127, a, exponent))
        return GP_SEE(g, FLOOR_OF_SMALL, negative ? FLOAT_SIGN | GP_ONE : 0, a, negative);
    const uint32_t places = exponent >= 150 ? 0 : 150 - exponent,
                   all = (UINT32_C(1) << (places < 31 ? places : 31)) - 1,
                   fraction = GP_SEE(g, FLOOR_FRACTION, all, a, exponent);
    const bool broken = a & fraction,
               up = GP_SEE(g, FLOOR_UP, negative && broken, a, fraction, negative, broken);
    return GP_SEE(g, FLOOR_VALUE, up ? (a | fraction) + 1 : a & ~fraction, a, fraction, up, exponent);
}

static uint32_t observe_move(const struct gp *g, const struct gp_unit_step *u, unsigned unit, uint32_t value)
{
    const uint32_t word = g->bank[u->a];
    const bool special = word << 1 && !gp_is_normal(word), before = u->flip != u->flip_a,
               after = u->action == GP_DO_COPY ? GP_SEE(g, COPY_NEGATE, before, unit, word, special)
                                               : GP_SEE(g, MOVE_NEGATE, before, unit, word, special);
    return gp_flip(value, after != before);
}

/* Shows the steps of a unit's operation. Returns the unit's result before its negation. */
static uint32_t observe_steps(const struct gp *g, const struct gp_unit_step *u, unsigned unit)
{
    const uint32_t result = gp_flip(g->result[unit], u->flip), a = gp_flip(g->bank[u->a], u->flip_a),
                   b = gp_flip(g->bank[u->b], u->flip_b);
    switch (u->action) {
    case GP_DO_MIN:
    case GP_DO_MAX:
        return observe_extreme(g, (enum gp_action)u->action, a, b, result);
    case GP_DO_CLAMP:
        return observe_clamp(g, a, g->bank[u->b], g->bank[u->c]);
    case GP_DO_GE:
    case GP_DO_LT:
        return observe_comparison(g, u->action == GP_DO_LT, a, b, result);
    case GP_DO_FLOOR:
        return float_is_nan(a) ? result : observe_floor(g, float_flush(g->rules.f, a));
    case GP_DO_ADD:
    case GP_DO_MUL:
        return gp_observe_sum(g, unit, u->action == GP_DO_MUL, a, b, result);
    case GP_DO_MOVE:
    case GP_DO_COPY:
        return observe_move(g, u, unit, result);
    default:
        return result;
    }
}

uint32_t gp_observe_function(const struct gp *g, unsigned op, enum gp_complex_op function, uint32_t x,
                             uint32_t value)
{
    const uint32_t before = x & FLOAT_SIGN, class = float_class(x),
                   sign = GP_SEE(g, FUNCTION_SIGN, x >> 31, op, x) << 31;
    const bool valid = !gp_function_is_invalid(&g->rules, function, x, sign),
               invalid = GP_SEE(g, FUNCTION_INVALID, !valid, op, x, class, sign != 0);
    if (sign != before || invalid == valid)
        value = gp_function_by(&g->rules, function, x, sign, invalid);
    return GP_SEE(g, FUNCTION_VALUE, value, op, x, class, x >> 31);
}

void gp_observe_results(struct gp *g, const struct gp_step *s, const uint32_t before[GP_UNITS])
{
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        const struct gp_unit_step *u = &s->unit[unit];
        if (unit == GP_UNIT_UNKNOWN)
            continue;
        g->result[unit] = gp_flip(observe_steps(g, u, unit), u->flip);
        uint32_t b = gp_flip(g->bank[u->b], u->action != GP_DO_CLAMP && u->flip_b), c = g->bank[u->c];
        g->result[unit] =
            GP_SEE(g, RESULT_VALUE, g->result[unit], unit, u->op, gp_flip(g->bank[u->a], u->flip_a), b, c,
                   before[unit], u->action != GP_DO_IDLE, u->action == GP_DO_MOVE, is_float(u),
                   s->second[unit], truncated(g, u, g->result[unit]), nans(g, u));
        if (u->action == GP_DO_COMPLEX1)
            g->late.result.value = g->result[unit];
    }
}
