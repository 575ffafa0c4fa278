/* SPDX-License-Identifier: MIT */
#include "model/utgard/gp_points.h"

#include "model/rule/rules.h"
#include "model/text/text.h"
#include "model/utgard/gp_step.h"

#include <string.h>

#define ROW(number, name_, width_, about_, where_, ...)                                                      \
    [GP_POINT_##number] = {.name = (name_),                                                                  \
                           .about = (about_),                                                                \
                           .where = "Utgard GP, " where_,                                                    \
                           .width = (width_),                                                                \
                           .lanes = 1,                                                                       \
                           .input = {__VA_ARGS__}},

const struct point gp_points[GP_POINT_COUNT] = {GP_POINTS(ROW)};

/* clang-format off */
const struct input_note gp_input_notes[] = {
    {"unit", "unit; 0 acc0, 1 acc1, 2 mul0, 3 mul1, 4 pass, 6 complex"},
    {"op", "opcode; 8 is added for the multipliers, 16 for the complex unit, 32 for the pass unit"},
    {"space", "place that is stored to; 0 register, 1 varying, 2 temporary"},
    {"store.latency.space",
      "place that is stored to; 0 register, 1 varying, 2 temporary, 3 address register"},
    {"other", "input 1 for input 0 and the other way round; of clamp, the other bound"},
    {"complex", "complex unit's result in the instruction before"},
    {"first", "selector of input 0"},
    {"unit.action.second", "selector of input 1"},
    {"negates", "set of inputs that are negated; bit 0 input 0, bit 1 input 1; of mul bit 0 the product"},
    {"action", "operation of the unit"},
    {"last", "word of the component in the fetch before"},
    {"register0", "address register 0"},
    {"register1", "address register 1"},
    {"register2", "address register 2"},
    {"register3", "address register 3"},
    {"neighbour", "unit of the other component of the half; 7 none"},
    {"insn.store-addr.other", "register or varying of the other half"},
    {"insn.store-varying.other",
      "1: the other half goes to a varying; 0: the other half does not go to a varying"},
    {"insn.store-temporary.other",
      "1: the other half goes to a temporary; 0: the other half does not go to a temporary"},
    {"pass", "result of the pass unit"},
    {"address.value.operand", "input of the complex unit"},
    {"second", "selector of input 1 of acc and mul"},
    {"nans", "set of inputs that are NaNs; bit 0 input a, bit 1 input b, bit 2 input c"},
    {"max", "1: the operation is a maximum; 0: the operation is a minimum"},
    {"memory", "word of the attribute in memory; also of a component that the attribute does not have"},
    {"x", "operand of the function"},
    {"taken", "1: select takes the operand of mul 1; 0: select takes the operand of mul 0"},
    {"mul0_negate", "1: the product of mul 0 is negated; 0: the product of mul 0 is not negated"},
    {"mul1_negate", "1: the product of mul 1 is negated; 0: the product of mul 1 is not negated"},
    {"truncated", "result with a sum or product rounded toward zero"},
    {"float", "1: the unit computes with its inputs as floats; 0: the unit hands on bits"},
    {"operand", "number of the input"},
    {"insn.source.operand", "1: it is input 1; 0: it is input 0"},
    {"insn.offset", "address register that is added; 1 to 3, 7 none"},
    {"addr", "number of the vector of memory"},
    {"insn.attribute.addr", "number of the register or attribute"},
    {"slot", "number of the slot"},
    {"insn.register.slot", "1: it is slot 1; 0: it is slot 0"},
    {"attribute", "1: the slot fetches an attribute; 0: the slot fetches a register"},
    {"component", "number of the component; 0 x, 1 y, 2 z, 3 w"},
    {"half", "1: it is components z and w; 0: it is components x and y"},
    {"flags", "set of flags in bits 116 to 119"},
    {"branch", "1: the instruction is a branch; 0: the instruction is no branch"},
    {"row", "number of the vector"},
    {"components", "number of components of the attribute"},
    {"register", "number of the address register"},
    {"named", "set of address registers that the opcode names; from bit 4 on those that it leaves undefined"},
    {"load.offset", "number that the address register adds"},
    {"selector", "selector of the input"},
    {"negate", "1: the input is negated; 0: the input is not negated"},
    {"a", "input 0 after its negation"},
    {"b", "input 1 after its negation"},
    {"c", "input 2 after its negation"},
    {"before", "result of the unit in the instruction before"},
    {"varying.before", "word of the varying before the run"},
    {"busy", "1: the unit has an operation; 0: the unit is idle"},
    {"move", "1: the operation is a move; 0: the operation is no move"},
    {"source", "word that the address register is set from"},
    {"field", "register, varying or temporary in the instruction"},
    {"base", "number that the address register adds"},
    {"written", "1: the component has a source; 0: the component has no source"},
    {"condition", "word of the condition"},
    {"select", "1: it is the condition of select; 0: it is the condition of a branch"},
    {"target", "number of the instruction that the branch goes to"},
    {"index", "number of the instruction that the branch names"},
    {"count", "number of instructions of the program"},
    {"steps", "number of instructions that ran"},
    {NULL, NULL},
};
/* clang-format on */

/* ---- names of codes ---- */

enum { OP_MUL = 8, OP_COMPLEX = 16, OP_PASS = 32 }; /* added to opcodes, so that each unit has its own */

/* Returns entry `number` of a list that ends with NULL, or NULL. */
static const char *entry(const char *const *names, uint32_t number)
{
    uint32_t count = 0;
    while (names[count] && count < number)
        count++;
    return names[count];
}

void gp_name_value(const struct point *p, const char *input, uint32_t number,
                   const struct known_inputs *known, struct text *t)
{
    static const uint32_t first[] = {0, 0, OP_MUL, OP_MUL, OP_PASS, 0, OP_COMPLEX};
    const uint32_t unit = point_known(p, known, "unit", sizeof first / sizeof *first);
    const char *name = NULL;
    if (!input && p == &gp_points[GP_POINT_INSN_OP] && unit < sizeof first / sizeof *first)
        number += first[unit];
    else if (!input || strcmp(input, "op") != 0)
        return;
    if (number < OP_MUL)
        name = entry(gp_acc_names, number);
    else if (number < OP_COMPLEX)
        name = entry(gp_mul_names, number - OP_MUL);
    else if (number < OP_PASS)
        name = entry(gp_complex_names, number - OP_COMPLEX);
    else
        name = entry(gp_pass_names, number - OP_PASS);
    text_add(t, "%s", name ? name : "");
}

/* ---- fields ---- */

static void observe_op(const struct gp *g, uint16_t *op, unsigned unit, unsigned bits)
{
    *op = (uint16_t)(GP_SEE(g, INSN_OP, *op, unit) & ((1U << bits) - 1));
}

static void observe_source(const struct gp *g, uint16_t *selector, unsigned unit, unsigned operand,
                           unsigned op)
{
    *selector = (uint16_t)(GP_SEE(g, INSN_SOURCE, *selector, unit, operand, op) % GP_SOURCES);
}

static void observe_negate(const struct gp *g, uint16_t *negate, unsigned unit, unsigned operand, unsigned op)
{
    *negate = (uint16_t)(GP_SEE(g, INSN_NEGATE, *negate, unit, operand, op) & 1);
}

static void observe_units(const struct gp *g, struct gp_insn *i)
{
    observe_op(g, &i->acc_op, GP_ACC0, 3);
    observe_op(g, &i->mul_op, GP_MUL0, 3);
    observe_op(g, &i->pass_op, GP_PASS, 3);
    observe_op(g, &i->complex_op, GP_COMPLEX, 4);
    unsigned acc = i->acc_op, mul = OP_MUL + i->mul_op;
    observe_source(g, &i->acc0_src0, GP_ACC0, 0, acc);
    observe_source(g, &i->acc0_src1, GP_ACC0, 1, acc);
    observe_source(g, &i->acc1_src0, GP_ACC1, 0, acc);
    observe_source(g, &i->acc1_src1, GP_ACC1, 1, acc);
    observe_source(g, &i->mul0_src0, GP_MUL0, 0, mul);
    observe_source(g, &i->mul0_src1, GP_MUL0, 1, mul);
    observe_source(g, &i->mul1_src0, GP_MUL1, 0, mul);
    observe_source(g, &i->mul1_src1, GP_MUL1, 1, mul);
    observe_source(g, &i->pass_src, GP_PASS, 0, OP_PASS + i->pass_op);
    observe_source(g, &i->complex_src, GP_COMPLEX, 0, OP_COMPLEX + i->complex_op);
    observe_negate(g, &i->acc0_src0_neg, GP_ACC0, 0, acc);
    observe_negate(g, &i->acc0_src1_neg, GP_ACC0, 1, acc);
    observe_negate(g, &i->acc1_src0_neg, GP_ACC1, 0, acc);
    observe_negate(g, &i->acc1_src1_neg, GP_ACC1, 1, acc);
    observe_negate(g, &i->mul0_neg, GP_MUL0, 2, mul);
    observe_negate(g, &i->mul1_neg, GP_MUL1, 2, mul);
}

static void observe_loads(const struct gp *g, struct gp_insn *i)
{
    uint16_t addr = i->load_addr;
    i->load_addr = (uint16_t)(GP_SEE(g, INSN_LOAD_ADDR, addr, i->load_offset) % GP_MEMORY_ROWS);
    i->load_offset = (uint16_t)(GP_SEE(g, INSN_LOAD_OFFSET, i->load_offset, addr) & 7);
    i->register0_attribute =
        (uint16_t)(GP_SEE(g, INSN_ATTRIBUTE, i->register0_attribute, i->register0_addr) & 1);
    i->register0_addr =
        (uint16_t)(GP_SEE(g, INSN_REGISTER, i->register0_addr, 0, i->register0_attribute) & 0xF);
    i->register1_addr = (uint16_t)(GP_SEE(g, INSN_REGISTER, i->register1_addr, 1, 0) & 0xF);
}

static void observe_stores(const struct gp *g, struct gp_insn *i)
{
    uint16_t *sources[] = {&i->store0_src_x, &i->store0_src_y, &i->store1_src_z, &i->store1_src_w},
             *addresses[] = {&i->store0_addr, &i->store1_addr},
             *varyings[] = {&i->store0_varying, &i->store1_varying},
             *temporaries[] = {&i->store0_temporary, &i->store1_temporary};
    const uint32_t before[] = {i->store0_src_x, i->store0_src_y, i->store1_src_z, i->store1_src_w},
                   addr[] = {i->store0_addr, i->store1_addr},
                   varying[] = {i->store0_varying, i->store1_varying},
                   temporary[] = {i->store0_temporary, i->store1_temporary};
    for (unsigned c = 0; c < GP_VEC; c++)
        *sources[c] = (uint16_t)(GP_SEE(g, INSN_STORE_SOURCE, *sources[c], c, before[c ^ 1]) & 7);
    for (unsigned half = 0; half < 2; half++) {
        const unsigned other = 1 - half;
        *addresses[half] = (uint16_t)(GP_SEE(g, INSN_STORE_ADDR, *addresses[half], half, addr[other]) & 0xF);
        *varyings[half] =
            (uint16_t)(GP_SEE(g, INSN_STORE_VARYING, *varyings[half], half, varying[other]) & 1);
        *temporaries[half] =
            (uint16_t)(GP_SEE(g, INSN_STORE_TEMPORARY, *temporaries[half], half, i->flags, temporary[other]) &
                       1);
    }
}

bool gp_changes_fields(const struct observer *o)
{
    return o->force || o->rules->points[0] & ((UINT64_C(2) << GP_POINT_UNIT_INPUT) - 1);
}

void gp_observe_fields(const struct gp *g, struct gp_insn *i)
{
    observe_units(g, i);
    observe_loads(g, i);
    observe_stores(g, i);
    i->branch = (uint16_t)(GP_SEE(g, INSN_BRANCH, i->branch, i->flags) & 1);
    i->flags = (uint16_t)(GP_SEE(g, INSN_FLAGS, i->flags, i->branch) & 0xF);
    gp_set_branch_target(i, GP_SEE(g, INSN_BRANCH_TARGET, gp_branch_target(i), i->branch) & 0x1FF);
}

/* ---- values ---- */

void gp_observe_fetch(struct gp *g, const struct gp_step *s, unsigned slot, const uint32_t last[GP_VEC])
{
    static const uint8_t selectors[] = {GP_REG0_X, GP_REG1_X, GP_LOAD_X};
    unsigned row = slot == 0   ? s->register0
                   : slot == 1 ? s->register1
                               : s->load,
             attribute = slot == 0 && s->attribute,
             components = attribute ? (g->setup.components >> (2 * row) & 3) + 1 : GP_VEC;
    uint32_t *words = &g->bank[selectors[slot]], memory[GP_VEC] = {0};
    if (attribute)
        g->setup.attribute(g->setup.context, row, memory);
    for (unsigned c = 0; c < GP_VEC; c++)
        words[c] = GP_SEE(g, FETCH_VALUE, words[c], slot, c, row, attribute, components, memory[c], last[c]);
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
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        struct gp_unit_step *u = &s->unit[unit];
        if (unit == GP_UNIT_UNKNOWN)
            continue;
        unsigned action =
            GP_SEE(g, UNIT_ACTION, u->action, unit, u->op, first[unit], second[unit], negates[unit]);
        if (action != u->action)
            u->action = fits_unit(action, unit) ? (uint8_t)action : (uint8_t)GP_DO_UNKNOWN;
        if (u->action == GP_DO_ADD || u->action == GP_DO_CLAMP)
            u->flip = 0; /* only products are negated */
        uint8_t *places[] = {&u->a, &u->b, &u->c};
        for (unsigned n = 0; n < inputs_of(u->action); n++)
            *places[n] = (uint8_t)(GP_SEE(g, UNIT_INPUT, *places[n], unit, n, n ? second[unit] : first[unit],
                                          u->op, u->action) %
                                   GP_INPUTS);
    }
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
             after = GP_SEE(g, OPERAND_VALUE, before, unit, operand, *p->place, u->op, p->negated,
                            is_float(u), other, g->bank[GP_COMPLEX_D1]);
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

/* Shows a minimum or maximum. */
static uint32_t observe_extreme(const struct gp *g, enum gp_action action, uint32_t a, uint32_t b,
                                uint32_t value)
{
    return GP_SEE(g, EXTREME_VALUE, value, a, b, action == GP_DO_MAX,
                  (float_is_nan(a) & 1) | (float_is_nan(b) & 2));
}

/* Shows the minimum or maximum that a unit takes, or the two that clamp takes. */
static void observe_extremes(struct gp *g, const struct gp_unit_step *u, unsigned unit)
{
    const struct gp_clamp_order *o = &gp_clamp_orders[g->rules.clamp];
    const uint32_t a = gp_flip(g->bank[u->a], u->flip_a), b = g->bank[u->b], c = g->bank[u->c];
    uint64_t covered = 0;
    if (u->action == GP_DO_MIN || u->action == GP_DO_MAX) {
        g->result[unit] =
            observe_extreme(g, (enum gp_action)u->action, a, gp_flip(b, u->flip_b), g->result[unit]);
    } else if (u->action == GP_DO_CLAMP) {
        const uint32_t x = o->y_first ? c : b, y = o->y_first ? b : c,
                       once = observe_extreme(g, o->first, a, x,
                                              gp_compute(&g->rules, o->first, a, x, &covered));
        g->result[unit] =
            observe_extreme(g, o->second, once, y, gp_compute(&g->rules, o->second, once, y, &covered));
    }
}

void gp_observe_results(struct gp *g, const struct gp_step *s, const uint32_t before[GP_UNITS])
{
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        const struct gp_unit_step *u = &s->unit[unit];
        if (unit == GP_UNIT_UNKNOWN)
            continue;
        observe_extremes(g, u, unit);
        uint32_t b = gp_flip(g->bank[u->b], u->action != GP_DO_CLAMP && u->flip_b), c = g->bank[u->c];
        g->result[unit] =
            GP_SEE(g, RESULT_VALUE, g->result[unit], unit, u->op, gp_flip(g->bank[u->a], u->flip_a), b, c,
                   before[unit], u->action != GP_DO_IDLE, u->action == GP_DO_MOVE, is_float(u),
                   s->second[unit], truncated(g, u, g->result[unit]), nans(g, u));
        if (u->action == GP_DO_COMPLEX1)
            g->late.result.value = g->result[unit];
    }
}
