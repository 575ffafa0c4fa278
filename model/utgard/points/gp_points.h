/* SPDX-License-Identifier: MIT */
/*
 * The observation points of the Utgard GP, and the functions with which a step shows values at points.
 * Columns of the table: number, name, width in bits, what the value is, section of "Utgard GP", inputs. No
 * point has lanes.
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_POINTS_H
#define MISPRINT_MODEL_UTGARD_GP_POINTS_H

#include "model/rule/point.h"
#include "model/utgard/gp.h"

/* clang-format off */
#define GP_POINTS(F) \
    F(INSN_SOURCE, "insn.source", 5, "selector of a unit's input", "Inputs", \
      {"unit", 3}, {"operand", 1}, {"op", 6}) \
    F(INSN_NEGATE, "insn.negate", 1, "1: an input or a product (operand 2) is negated", "Inputs", \
      {"unit", 3}, {"operand", 2}, {"op", 6}, {"selector", 5}) \
    F(INSN_OP, "insn.op", 4, "opcode of acc (0), mul (2), pass (4) or complex (6)", "Opcodes", {"unit", 3}) \
    F(INSN_LOAD_ADDR, "insn.load-addr", 9, "vector of memory that is loaded", "Load", {"offset", 3}) \
    F(INSN_LOAD_OFFSET, "insn.load-offset", 3, "address register that is added; 1 to 3, 7 none", "Load", \
      {"addr", 9}) \
    F(INSN_REGISTER, "insn.register", 4, "register or attribute that a slot fetches", "Registers", \
      {"slot", 1}, {"attribute", 1}) \
    F(INSN_ATTRIBUTE, "insn.attribute", 1, "1: slot 0 fetches an attribute", "Registers", {"addr", 4}) \
    F(INSN_STORE_SOURCE, "insn.store-source", 3, "unit whose result a component stores; 7 none", "Stores", \
      {"component", 2}, {"neighbour", 3}) \
    F(INSN_STORE_ADDR, "insn.store-addr", 4, "register or varying of a store", "Stores", {"half", 1}, \
      {"other", 4}) \
    F(INSN_STORE_VARYING, "insn.store-varying", 1, "1: a store goes to a varying", "Stores", {"half", 1}, \
      {"other", 1}) \
    F(INSN_STORE_TEMPORARY, "insn.store-temporary", 1, "1: a store goes to a temporary", "Stores", \
      {"half", 1}, {"flags", 4}, {"other", 1}) \
    F(INSN_BRANCH, "insn.branch", 1, "1: the instruction is a branch", "Branch", {"flags", 4}) \
    F(INSN_FLAGS, "insn.flags", 4, "set of flags in bits 116 to 119", "Unknown bits", {"branch", 1}) \
    F(INSN_BRANCH_TARGET, "insn.branch-target", 9, "number of the instruction that a branch names", \
      "Branch", {"branch", 1}) \
    F(UNIT_ACTION, "unit.action", 5, \
      "operation of a unit; 0 idle, 1 add, 2 floor, 3 sign, 4 ge, 5 lt, 6 min, 7 max, 8 mul, 9 move, " \
      "10 copy, 11 select, 12 complex1, 13 complex2, 14 function, 15 preexp2, 16 postlog2, 17 clamp, " \
      "18 sets address registers, 19 zero, 20 undefined", "Opcodes", \
      {"unit", 3}, {"op", 6}, {"first", 5}, {"second", 5}, {"negates", 2}, {"third", 5}, {"fourth", 5}, \
      {"moves", 1}) \
    F(UNIT_INPUT, "unit.input", 6, \
      "source of a unit's input; 0 to 31 selectors, 32 the constant 0, 33 the constant 1, 34 undefined", \
      "Inputs", {"unit", 3}, {"operand", 2}, {"selector", 5}, {"op", 6}, {"action", 5}) \
    F(UNIT_COMPUTES, "unit.computes", 1, \
      "1: a unit computes its result; 0: a unit hands on its first input", "Opcodes", \
      {"unit", 3}, {"op", 6}, {"action", 5}) \
    F(UNIT_READS, "unit.reads", 1, \
      "1: a unit reads an input, so that the register or vector that has it is fetched", "Inputs", \
      {"unit", 3}, {"operand", 2}, {"selector", 6}, {"op", 6}, {"action", 5}) \
    F(FETCH_ALWAYS, "fetch.always", 1, \
      "1: a slot fetches in each instruction, because the program reads what an instruction before has " \
      "fetched", "Registers", {"slot", 1}, {"reads", 32}, {"last", 32}) \
    F(FETCH_ACTS, "fetch.acts", 1, \
      "1: an instruction fetches the register of a slot (0, 1) or a vector of memory (2); no effect if the " \
      "program reads what the instruction before has fetched", \
      "Registers", {"slot", 2}, {"read", 4}, {"attribute", 1}, {"addr", 9}) \
    F(FETCH_CONFLICT, "fetch.conflict", 1, \
      "1: both slots fetch different registers, so that what slot 1 fetches is undefined", "Registers", \
      {"read0", 4}, {"read1", 4}, {"attribute", 1}, {"addr0", 4}, {"addr1", 4}) \
    F(STORE_CONFLICT, "store.conflict", 1, \
      "1: both halves store to different registers, so that what the second half stores is undefined", \
      "Stores", {"space0", 2}, {"space1", 2}, {"addr0", 4}, {"addr1", 4}, {"stores0", 1}, {"stores1", 1}) \
    F(ATTRIBUTE_COMPONENTS, "attribute.components", 3, "number of components that an attribute has", \
      "Registers", {"row", 4}, {"word", 32}) \
    F(FETCH_VALUE, "fetch.value", 32, "component of a fetched vector", "Registers", \
      {"slot", 2}, {"component", 2}, {"row", 9}, {"attribute", 1}, {"components", 3}, {"memory", 32}, \
      {"last", 32}, {"read", 4}, {"offset", 3}, {"pending", 4}) \
    F(LOAD_KNOWN, "load.known", 1, "1: the address register that a load adds holds a number", "Load", \
      {"register", 2}, {"set", 4}, {"addr", 9}) \
    F(LOAD_OFFSET, "load.offset", 32, "number that an address register adds to a load's vector; signed", \
      "Load", \
      {"register", 2}, {"addr", 9}, {"register0", 32}, {"register1", 32}, {"register2", 32}, \
      {"register3", 32}, {"pending", 1}) \
    F(LOAD_ROW, "load.row", 32, "vector of memory that is loaded; signed", "Load", \
      {"addr", 9}, {"offset", 32}, {"register", 3}, {"pending", 1}) \
    F(LOAD_BEYOND, "load.beyond", 1, "1: the vector of a load is outside the memory", "Load", \
      {"row", 32}, {"addr", 9}, {"register", 3}, {"pending", 1}) \
    F(LOAD_WORD, "load.word", 11, \
      "number of the word of memory that a component of a load reads; 4 words are a vector", "Load", \
      {"component", 2}, {"row", 9}, {"addr", 9}, {"register", 3}, {"pending", 1}) \
    F(OPERAND_VALUE, "operand.value", 32, "a unit's input before its negation", "Inputs", \
      {"unit", 3}, {"operand", 2}, {"selector", 6}, {"op", 6}, {"negate", 1}, {"float", 1}, \
      {"other", 32}, {"complex", 32}, {"action", 5}, {"product", 1}, {"shifted", 32}) \
    F(RESULT_VALUE, "result.value", 32, "result of a unit", "Opcodes", {"unit", 3}, {"op", 6}, {"a", 32}, \
      {"b", 32}, {"c", 32}, {"before", 32}, \
      {"busy", 1}, {"move", 1}, {"float", 1}, {"second", 6}, {"truncated", 32}, {"nans", 3}) \
    F(EXTREME_VALUE, "extreme.value", 32, "result of min or max or of a step of clamp", "Opcodes", \
      {"a", 32}, {"b", 32}, {"max", 1}, {"nans", 3}, {"greater", 1}, {"zeros", 1}) \
    F(EXTREME_OPPOSITE, "extreme.opposite", 1, "1: min or max compares -0 and +0", "Opcodes", \
      {"a", 32}, {"b", 32}, {"max", 1}, {"zeros", 1}) \
    F(EXTREME_FIRST, "extreme.first", 1, "1: min or max gives input 0", "Opcodes", \
      {"a", 32}, {"b", 32}, {"max", 1}, {"greater", 1}) \
    F(COMPARE_TRUE, "compare.true", 1, "1: the comparison of ge or lt holds", "Opcodes", \
      {"a", 32}, {"b", 32}, {"less", 1}, {"nans", 3}, {"greater", 1}) \
    F(SUM_NORMAL, "sum.normal", 1, "1: an operand of a sum or product is a normal number", "Opcodes", \
      {"operand", 1}, {"word", 32}, {"class", 3}, {"times", 1}) \
    F(SUM_SWAP, "sum.swap", 1, "1: input 1 of a sum has the greater magnitude", "Opcodes", \
      {"a", 32}, {"b", 32}) \
    F(SUM_GREATER, "sum.greater", 32, "operand of a sum with the greater magnitude", "Opcodes", \
      {"a", 32}, {"b", 32}, {"swap", 1}) \
    F(SUM_LESSER, "sum.lesser", 32, "operand of a sum with the smaller magnitude", "Opcodes", \
      {"a", 32}, {"b", 32}, {"swap", 1}) \
    F(SUM_APART, "sum.apart", 9, "difference of the exponents of a sum's operands", "Opcodes", \
      {"greater_exponent", 8}, {"lesser_exponent", 8}) \
    F(SUM_TERM, "sum.term", 32, "significand of an operand of a sum before it is shifted; 1.0 is bit 30", \
      "Opcodes", {"operand", 1}, {"word", 32}) \
    F(SUM_DOWN, "sum.down", 6, \
      "number of places by which the smaller operand of a sum is shifted to the right", "Opcodes", \
      {"apart", 9}) \
    F(SUM_STICKY, "sum.sticky", 1, "1: the shift of a sum's smaller operand drops a bit that is 1", \
      "Opcodes", {"down", 6}, {"term", 32}) \
    F(SUM_SUBTRACT, "sum.subtract", 1, "1: a sum subtracts the magnitudes of its operands", "Opcodes", \
      {"a", 32}, {"b", 32}, {"differ", 32}) \
    F(SUM_TOP, "sum.top", 6, "number of the leading bit of a sum of significands; bit 55 is 1.0", \
      "Opcodes", {"high", 32}) \
    F(SUM_PLACED, "sum.placed", 32, \
      "upper half of a sum of significands after its leading bit is shifted to bit 31", "Opcodes", \
      {"high", 32}, {"top", 6}) \
    F(SUM_EXPONENT, "sum.exponent", 32, "exponent field of a sum before rounding; signed", "Opcodes", \
      {"greater_exponent", 8}, {"top", 6}) \
    F(SUM_SIGN, "sum.sign", 1, "1: the sum is negative", "Opcodes", {"greater", 32}, {"lesser", 32}) \
    F(PRODUCT_SIGNIFICAND, "product.significand", 32, \
      "significand of an operand of a product; 1.0 is bit 23", "Opcodes", {"operand", 1}, {"word", 32}) \
    F(PRODUCT_CARRY, "product.carry", 2, "carry of a product of significands; 1 if it is 2.0 or more", \
      "Opcodes", {"leading", 2}) \
    F(PRODUCT_EXPONENT, "product.exponent", 32, "exponent field of a product before rounding; signed", \
      "Opcodes", {"a_exponent", 8}, {"b_exponent", 8}, {"carry", 2}) \
    F(PRODUCT_DOWN, "product.down", 6, "number of bits of a product of significands that are rounded off", \
      "Opcodes", {"carry", 2}) \
    F(PRODUCT_SIGN, "product.sign", 1, "1: the product is negative", "Opcodes", \
      {"a", 32}, {"b", 32}) \
    F(ROUNDING_KEPT, "rounding.kept", 32, \
      "significand of a sum or product without the bits that are rounded off", "Opcodes", \
      {"times", 1}, {"high", 32}, {"low", 32}, {"down", 6}) \
    F(ROUNDING_UP, "rounding.up", 1, "1: a sum or product is rounded to the greater magnitude", "Opcodes", \
      {"times", 1}, {"rest", 32}, {"above", 1}, {"tie", 1}, {"odd", 1}) \
    F(ROUNDING_BITS, "rounding.bits", 32, "rounded sum or product without its sign", "Opcodes", \
      {"times", 1}, {"exponent", 32}, {"kept", 32}, {"up", 1}) \
    F(SUM_WITHIN, "sum.within", 1, \
      "1: the exponent of a sum or product is that of a normal number below 2^127", "Opcodes", \
      {"times", 1}, {"exponent", 32}) \
    F(SUM_ORDINARY, "sum.ordinary", 1, \
      "1: the steps for normal numbers give a sum or product; 0: only the steps for zeros can change it", \
      "Opcodes", {"times", 1}, {"first", 1}, {"second", 1}) \
    F(SUM_ZERO, "sum.zero", 1, "1: an operand of a sum or product is a zero", "Opcodes", \
      {"input", 1}, {"word", 32}, {"times", 1}) \
    F(SUM_BOTH, "sum.both", 1, "1: both operands of a sum are zeros", "Opcodes", \
      {"a_zero", 1}, {"b_zero", 1}) \
    F(SUM_OF_ZEROS, "sum.of-zeros", 32, "sum of two zeros", "Opcodes", {"a", 32}, {"b", 32}) \
    F(SUM_ALONE, "sum.alone", 1, "1: a sum is a normal number plus a zero", "Opcodes", \
      {"a_normal", 1}, {"b_normal", 1}, {"a_zero", 1}, {"b_zero", 1}) \
    F(SUM_OPERAND, "sum.operand", 32, "sum of a normal number and a zero", "Opcodes", {"a", 32}, {"b", 32}) \
    F(PRODUCT_IS_ZERO, "product.is-zero", 1, "1: a product is a zero because an operand is a zero", \
      "Opcodes", {"a_normal", 1}, {"b_normal", 1}, {"a_zero", 1}, {"b_zero", 1}) \
    F(PRODUCT_ZERO, "product.zero", 32, "product one operand of which is a zero", "Opcodes", \
      {"a", 32}, {"b", 32}) \
    F(SUM_VALUE, "sum.value", 32, "sum or product before the product's negation", "Opcodes", \
      {"unit", 3}, {"a", 32}, {"b", 32}, {"times", 1}, {"special", 1}, {"nans", 3}, {"ordinary", 1}) \
    F(MOVE_NEGATE, "move.negate", 1, "1: a move through acc or mul negates the word", "Inputs", \
      {"unit", 3}, {"word", 32}, {"special", 1}) \
    F(COPY_NEGATE, "copy.negate", 1, "1: a unit that copies all bits negates the word", "Inputs", \
      {"unit", 3}, {"word", 32}, {"special", 1}) \
    F(FLOOR_WHOLE, "floor.whole", 1, "1: floor returns its operand because it has no fraction", "Opcodes", \
      {"a", 32}, {"exponent", 8}, {"zero", 1}) \
    F(FLOOR_NEGATIVE, "floor.negative", 1, "1: floor takes its operand for negative", "Opcodes", {"a", 32}) \
    F(FLOOR_SMALL, "floor.small", 1, "1: the operand of floor has a magnitude below 1", "Opcodes", \
      {"a", 32}, {"exponent", 8}) \
    F(FLOOR_OF_SMALL, "floor.of-small", 32, "result of floor of a number whose magnitude is below 1", \
      "Opcodes", {"a", 32}, {"negative", 1}) \
    F(FLOOR_FRACTION, "floor.fraction", 32, "set of the bits of a number that floor takes for its fraction", \
      "Opcodes", {"a", 32}, {"exponent", 8}) \
    F(FLOOR_UP, "floor.up", 1, "1: floor goes to the next number with a greater magnitude", "Opcodes", \
      {"a", 32}, {"fraction", 32}, {"negative", 1}, {"broken", 1}) \
    F(FLOOR_VALUE, "floor.value", 32, \
      "result of floor of a number whose magnitude is from 1 to below 2^23", "Opcodes", \
      {"a", 32}, {"fraction", 32}, {"up", 1}, {"exponent", 8}) \
    F(FUNCTION_OPERAND, "function.operand", 32, "operand of a function of the complex unit", \
      "Complex functions", {"op", 6}, {"class", 3}, {"negative", 1}) \
    F(FUNCTION_SIGN, "function.sign", 1, "1: the operand of a function is negative", \
      "Complex functions", {"op", 6}, {"x", 32}) \
    F(FUNCTION_INVALID, "function.invalid", 1, "1: a function gives a NaN", \
      "Complex functions", {"op", 6}, {"x", 32}, {"class", 3}, {"negative", 1}) \
    F(FUNCTION_VALUE, "function.value", 32, "function of the complex unit that complex1 delivers", \
      "Complex functions", {"op", 6}, {"x", 32}, {"class", 3}, {"negative", 1}) \
    F(ADDRESS_SOURCE, "address.source", 32, "word that address registers are set from", \
      "Address registers", {"op", 6}, {"pass", 32}, {"operand", 32}) \
    F(ADDRESS_VALUE, "address.value", 32, "vector number that an address register is set to", \
      "Address registers", {"register", 2}, {"source", 32}, {"pass", 32}, \
      {"operand", 32}, {"op", 6}) \
    F(ADDRESS_VALID, "address.valid", 1, \
      "1: an address register keeps or gets a number when address registers are set", "Address registers", \
      {"register", 2}, {"op", 6}) \
    F(ADDRESS_SET, "address.set", 1, "1: an address register is set", "Address registers", \
      {"register", 2}, {"op", 6}, {"named", 6}) \
    F(STORE_UNITS, "store.units", 7, "set of the units whose results a half stores; a bit each", "Stores", \
      {"half", 1}, {"first", 3}, {"second", 3}) \
    F(STORE_ROW, "store.row", 32, "register, varying or vector of memory that a store writes; signed", \
      "Stores", {"half", 1}, {"space", 2}, {"field", 4}, {"base", 32}, {"other", 4}, {"conflict", 1}) \
    F(STORE_UNIT, "store.unit", 3, \
      "unit whose result is written; 7 an unknown one, whose result is 0.0 or undefined", "Stores", \
      {"component", 2}, {"neighbour", 3}, {"space", 2}, {"row", 9}) \
    F(STORE_SPACE, "store.space", 2, \
      "place that a component is stored to; 0 register, 1 varying, 2 temporary", "Stores", \
      {"component", 2}, {"unit", 3}, {"row", 9}, {"field", 4}) \
    F(STORE_VALUE, "store.value", 32, "word that a store writes", "Stores", \
      {"component", 2}, {"unit", 3}, {"space", 2}, {"row", 9}, {"before", 32}, {"complex1", 1}, \
      {"conflict", 1}) \
    F(STORE_COMPONENT, "store.component", 2, "component that a store writes; 0 x, 1 y, 2 z, 3 w", "Stores", \
      {"component", 2}, {"unit", 3}, {"space", 2}, {"row", 9}) \
    F(STORE_WORD, "store.word", 11, \
      "number of the word that a store writes in its place; 4 words are a register, varying or vector", \
      "Stores", {"component", 2}, {"unit", 3}, {"space", 2}, {"row", 9}) \
    F(STORE_DONE, "store.done", 1, "1: the component is written", "Stores", \
      {"component", 2}, {"unit", 3}, {"space", 2}, {"row", 9}, {"written", 1}, {"x", 3}, {"y", 3}, {"z", 3}, \
      {"w", 3}, {"varyings", 5}) \
    F(STORE_PENDING, "store.pending", 1, \
      "1: a store to memory whose latency is not over when the program ends takes effect", "Latencies", \
      {"component", 2}, {"row", 9}, {"age", 3}) \
    F(STORE_TURN, "store.turn", 16, \
      "number of the store that takes effect next; counted from 0 in the order of the stores", "Latencies", \
      {"space", 2}) \
    F(COMMIT_WORD, "commit.word", 11, \
      "number of the word that a store changes after its latency; 4 words are a register or vector", \
      "Latencies", {"space", 2}, {"row", 9}, {"component", 2}) \
    F(PENDING_ROW, "pending.row", 9, \
      "register or vector of memory that a store on its way goes to; 0 for address registers", "Latencies", \
      {"space", 2}, {"word", 11}, {"component", 2}) \
    F(STORE_LATENCY, "store.latency", 3, \
      "number of instructions until a store or a set address register can be read; at most 3 for a " \
      "register, or else 4", "Latencies", {"space", 2}) \
    F(ADDRESS0_LATENCY, "address0.latency", 3, \
      "number of instructions until address register 0 can be used after it is set; at most 4", "Latencies", \
      {NULL, 0}) \
    F(CONDITION_TRUE, "condition.true", 1, "1: a condition of a branch or of select holds", "Branch", \
      {"condition", 32}, {"select", 1}, {"operand", 32}) \
    F(BRANCH_TAKEN, "branch.taken", 1, "1: the program goes on at the branch target", "Branch", \
      {"branch", 1}, {"condition", 32}, {"holds", 1}) \
    F(SELECT_NEGATE, "select.negate", 1, "1: select negates the operand that it takes", "Opcodes", \
      {"taken", 1}, {"mul0_negate", 1}, {"mul1_negate", 1}) \
    F(BRANCH_DELAY, "branch.delay", 1, "1: the instruction after a taken branch runs", "Branch", \
      {"target", 9}) \
    F(BRANCH_BUBBLES, "branch.bubbles", 2, "number of empty cycles after a taken branch", "Branch", \
      {"target", 9}) \
    F(BRANCH_TARGET, "branch.target", 9, "number of the instruction at which a taken branch goes on", \
      "Branch", {"index", 9}, {"count", 10}) \
    F(BRANCH_BEYOND, "branch.beyond", 1, "1: a taken branch goes beyond the program", "Branch", \
      {"target", 9}, {"count", 10}) \
    F(VARYING_UNWRITTEN, "varying.unwritten", 32, "word of a varying that was never stored", "Stores", \
      {"component", 2}, {"row", 4}, {"before", 32}) \
    F(RUN_COUNT, "run.count", 10, "number of the program's instructions that can run", "Branch", \
      {"limit", 32}) \
    F(RUN_LIMIT, "run.limit", 32, "number of instructions after which a run is ended", "Branch", \
      {"count", 10}) \
    F(RUN_STOP, "run.stop", 2, "reason number of the end; 0 done, 1 limit, 2 a branch beyond the program", \
      "Branch", {"steps", 32}, {"count", 10})
/* clang-format on */

#define GP_POINT_NUMBER(number, ...) GP_POINT_##number,
enum { GP_POINTS(GP_POINT_NUMBER) GP_POINT_COUNT };

extern const struct point gp_points[GP_POINT_COUNT];
extern const struct input_note gp_input_notes[];
/* Names opcodes (struct unit). */
void gp_name_value(const struct point *p, const char *input, uint32_t number,
                   const struct known_inputs *known, struct text *t);

/* ---- for the files that execute steps ---- */

/* Returns the value after the machine's rules for this point. The inputs follow. */
#define GP_SEE(g, point, value, ...) OBSERVE((g)->setup.observer, GP_POINT_##point, (value), __VA_ARGS__)

/* Can the observer change a field of an instruction? */
bool gp_changes_fields(const struct observer *o);
/* Shows the fields of a decoded instruction, and stores what rules make of them. */
void gp_observe_fields(const struct gp *g, struct gp_insn *i);
/* Shows the actions and the inputs of the units, and stores what rules make of them. */
void gp_observe_units(const struct gp *g, const struct gp_insn *i, struct gp_step *s);
/* Shows the four words that a slot fetched. Slots: 0 and 1 the register units, 2 the load unit. `last`: the
 * words of the fetch before. */
void gp_observe_fetch(struct gp *g, const struct gp_step *s, unsigned slot, const uint32_t last[GP_VEC]);
/* The same for the number of components of an attribute. */
unsigned gp_observe_components(const struct gp *g, unsigned row, unsigned components);
/* Is a store to memory on its way? */
bool gp_memory_is_pending(const struct gp *g);
/* Shows the inputs of all units. If a rule changes an input, makes the step read the new value from a place
 * of its own in the bank. */
void gp_observe_operands(struct gp *g, struct gp_step *s);
/* Returns a bit for each of two inputs that is a NaN (input `nans` of points). */
static inline uint32_t gp_nans_of_two(uint32_t a, uint32_t b)
{
    return (float_is_nan(a) & 1) | (float_is_nan(b) & 2);
}
/* Shows the steps of a sum or product, and its result. Returns the result, before a product's negation.
 * `value`: the result without rules. */
uint32_t gp_observe_sum(const struct gp *g, unsigned unit, bool times, uint32_t a, uint32_t b,
                        uint32_t value);
/* Shows how a function of the complex unit treats its operand x, and its value. Returns the value. */
uint32_t gp_observe_function(const struct gp *g, unsigned op, enum gp_complex_op function, uint32_t x,
                             uint32_t value);
/* Shows the results of all units. `before`: the results of the previous instruction. */
void gp_observe_results(struct gp *g, const struct gp_step *s, const uint32_t before[GP_UNITS]);

#endif
