/* SPDX-License-Identifier: MIT */
#include "model/utgard/points/gp_points.h"

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
      "place that is stored to; 0 register, 1 varying, 2 temporary, 3 address register 1 to 3"},
    {"other", "input 1 for input 0 and the other way round; of clamp, the other bound"},
    {"complex", "complex unit's result in the instruction before"},
    {"first", "selector of input 0"},
    {"unit.action.second", "selector of input 1"},
    {"third", "selector of input 0 of mul1 for mul0; 21 for other units"},
    {"fourth", "selector of input 1 of mul1 for mul0; 21 for other units"},
    {"moves", "1: a unit of the instruction moves; 0: no unit of the instruction moves"},
    {"reads", "set of the selectors that the program reads; a bit each"},
    {"fetch.always.last", "set of the selectors that the last instruction reads; a bit each"},
    {"fetch.always.slot", "1: it is slot 1; 0: it is slot 0"},
    {"fetch.acts.addr", "number of the register, attribute or vector of memory"},
    {"set", "set of the address registers that hold a number; a bit each"},
    {"store.units.first", "unit whose result component x or z stores; 7 none"},
    {"store.units.second", "unit whose result component y or w stores; 7 none"},
    {"store.turn.space", "place that is stored to; 0 register, 2 temporary, 3 address register"},
    {"commit.space", "place that is stored to; 0 register, 2 temporary"},
    {"pending.space", "place that is stored to; 0 register, 2 temporary, 3 address register"},
    {"pending.word", "number of the word that is stored; of an address register its number"},
    {"read", "set of the components that the instruction reads of the slot; a bit each"},
    {"read0", "set of the components that the instruction reads of slot 0; a bit each"},
    {"read1", "set of the components that the instruction reads of slot 1; a bit each"},
    {"fetch.offset", "address register that the load adds; 7 none"},
    {"fetch.pending",
      "set of the kinds of stores on their way; bit 0 to the component in another vector, bit 1 to another "
      "component of the vector, bit 2 to this component of the vector, bit 3 to other components of other "
      "vectors"},
    {"load.pending", "1: a store to memory is on its way; 0: no store to memory is on its way"},
    {"load.register", "address register that the load adds; 7 none"},
    {"load.offset.register", "number of the address register"},
    {"addr0", "register of slot or half 0"},
    {"addr1", "register of slot or half 1"},
    {"space0", "place that half 0 stores to; 0 register, 1 varying, 2 temporary"},
    {"space1", "place that half 1 stores to; 0 register, 1 varying, 2 temporary"},
    {"stores0", "1: half 0 stores a component; 0: half 0 stores nothing"},
    {"stores1", "1: half 1 stores a component; 0: half 1 stores nothing"},
    {"word", "number that has two bits for each attribute; its number of components minus 1"},
    {"product", "1: the unit's result is negated; 0: the unit's result is not negated"},
    {"shifted",
      "word of the same unit or register at the other time; of a newer word the older one, of an older word "
      "the newer one; of a register the word of the last instruction that fetched"},
    {"greater",
      "1: a is greater than b; 0: a is not greater than b; NaNs count as beyond the infinities"},
    {"less", "1: the operation is lt; 0: the operation is ge"},
    {"sum.operand",
      "number of the operand; of a product its input; of a sum 0 the one with the greater magnitude, 1 the "
      "other"},
    {"input", "1: it is input 1; 0: it is input 0"},
    {"product.operand", "1: it is input 1; 0: it is input 0"},
    {"sum.word", "word of the operand"},
    {"product.word", "word of the operand"},
    {"class", "class of the number; 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"swap", "1: input 1 has the greater magnitude; 0: input 1 does not have the greater magnitude"},
    {"greater_exponent", "exponent field of the operand with the greater magnitude"},
    {"lesser_exponent", "exponent field of the operand with the smaller magnitude"},
    {"a_exponent", "exponent field of input 0"},
    {"b_exponent", "exponent field of input 1"},
    {"apart", "difference of the exponents"},
    {"down", "number of places by which the significand is shifted to the right"},
    {"term", "significand of the operand; 1.0 is bit 30"},
    {"differ", "set of the bits in which the inputs differ"},
    {"sum.high", "upper half of the sum of significands; 1.0 is bit 23"},
    {"top", "number of the leading bit of the sum of significands; bit 55 is 1.0"},
    {"sum.sign.greater", "operand with the greater magnitude"},
    {"lesser", "operand with the smaller magnitude"},
    {"leading", "number that has the two leading bits of the product; 2.0 is bit 1"},
    {"carry", "carry of the product of significands; 1 if it is 2.0 or more"},
    {"high", "upper half of the significand; of a sum its leading bit is bit 31"},
    {"low", "lower half of the significand"},
    {"rest", "number that is rounded off; bit 31 is a half, bit 0 stands for all lower bits"},
    {"above", "1: more than a half is rounded off; 0: at most a half is rounded off"},
    {"tie", "1: exactly a half is rounded off; 0: more or less than a half is rounded off"},
    {"odd", "1: the lowest bit that is kept is 1; 0: the lowest bit that is kept is 0"},
    {"rounding.exponent", "exponent field before rounding; signed"},
    {"sum.exponent", "exponent field before rounding; signed"},
    {"kept", "significand without the bits that are rounded off"},
    {"rounding.up", "1: the magnitude is rounded up; 0: the magnitude is not rounded up"},
    {"sum.first", "1: operand 0 is a normal number; 0: operand 0 is no normal number"},
    {"sum.second", "1: operand 1 is a normal number; 0: operand 1 is no normal number"},
    {"ordinary",
      "1: the steps for normal numbers gave the result; 0: the steps for normal numbers did not give the "
      "result"},
    {"a_zero", "1: input 0 is a zero; 0: input 0 is no zero"},
    {"b_zero", "1: input 1 is a zero; 0: input 1 is no zero"},
    {"a_normal", "1: input 0 is a normal number; 0: input 0 is no normal number"},
    {"b_normal", "1: input 1 is a normal number; 0: input 1 is no normal number"},
    {"times", "1: it is a product; 0: it is a sum"},
    {"special",
      "1: an operand or the result has a magnitude below 2^-126 or from 2^127 on, or is a NaN; 0: no operand "
      "and no result has one"},
    {"move.word", "word that is moved"},
    {"copy.word", "word that is copied"},
    {"move.special",
      "1: the word is a denormal, an infinity or a NaN; 0: the word is a normal number or 0"},
    {"copy.special",
      "1: the word is a denormal, an infinity or a NaN; 0: the word is a normal number or 0"},
    {"exponent", "exponent field of the number"},
    {"fraction", "set of the bits that are the fraction"},
    {"up", "1: the magnitude grows; 0: the magnitude does not grow"},
    {"store.row.other", "register or varying of the other half in the instruction"},
    {"conflict",
      "1: both halves store to different registers; 0: the halves do not store to different registers"},
    {"store.value.before", "word of the place before the store"},
    {"complex1", "1: the multipliers run complex1; 0: the multipliers do not run complex1"},
    {"store.done.x", "unit whose result component x stores; 7 none"},
    {"store.done.y", "unit whose result component y stores; 7 none"},
    {"store.done.z", "unit whose result component z stores; 7 none"},
    {"store.done.w", "unit whose result component w stores; 7 none"},
    {"varyings", "number of varyings of the vertex"},
    {"age", "number of instructions since the store"},
    {"condition.true.operand", "input of the pass unit"},
    {"holds", "1: the condition holds; 0: the condition does not hold"},
    {"limit", "number of instructions after which a run is ended"},
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
    {"address.source.operand", "input of the complex unit"},
    {"second", "selector of input 1 of acc and mul"},
    {"nans", "set of inputs that are NaNs; bit 0 input a, bit 1 input b, bit 2 input c"},
    {"zeros", "1: both inputs are zeros; 0: an input is no zero"},
    {"zero", "1: the number is a zero; 0: the number is no zero"},
    {"negative", "1: the number is negative; 0: the number is not negative"},
    {"broken", "1: a bit of the fraction is 1; 0: all bits of the fraction are 0"},
    {"max", "1: the operation is a maximum; 0: the operation is a minimum"},
    {"memory", "word of the attribute in memory; also of a component that the attribute does not have"},
    {"x", "operand of the function"},
    {"taken", "1: select takes the operand of mul 1; 0: select takes the operand of mul 0"},
    {"mul0_negate", "1: the product of mul 0 is negated; 0: the product of mul 0 is not negated"},
    {"mul1_negate", "1: the product of mul 1 is negated; 0: the product of mul 1 is not negated"},
    {"truncated", "result with a sum or product rounded toward zero"},
    {"float", "1: the unit computes with its inputs as floats; 0: the unit hands on bits"},
    {"operand", "number of the input"},
    {"insn.negate.selector", "selector of the input; of a product, of input 1"},
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
    {"unit.reads.selector",
      "source of the input; 0 to 31 selectors, 32 the constant 0, 33 the constant 1, 34 undefined"},
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

static void observe_negate(const struct gp *g, uint16_t *negate, unsigned unit, unsigned operand, unsigned op,
                           unsigned selector)
{
    *negate = (uint16_t)(GP_SEE(g, INSN_NEGATE, *negate, unit, operand, op, selector) & 1);
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
    observe_negate(g, &i->acc0_src0_neg, GP_ACC0, 0, acc, i->acc0_src0);
    observe_negate(g, &i->acc0_src1_neg, GP_ACC0, 1, acc, i->acc0_src1);
    observe_negate(g, &i->acc1_src0_neg, GP_ACC1, 0, acc, i->acc1_src0);
    observe_negate(g, &i->acc1_src1_neg, GP_ACC1, 1, acc, i->acc1_src1);
    observe_negate(g, &i->mul0_neg, GP_MUL0, 2, mul, i->mul0_src1);
    observe_negate(g, &i->mul1_neg, GP_MUL1, 2, mul, i->mul1_src1);
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
