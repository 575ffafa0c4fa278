/* SPDX-License-Identifier: MIT */
/*
 * The observation points of a QPU: places where the model passes a value to an observer. Each row has a
 * number, a name, the width in bits, the number of lanes, the meaning of the value, the document, and the
 * inputs. Pages are of VideoCoreIV-AG100-R. There are four lists. They differ in the code that passes the
 * values:
 *
 * - QPU_FIELD_POINTS: the fields of an instruction. QPU_PLAN_POINTS: decisions about a step. qpu_plan.c and
 *   its neighbours pass both when they plan a step. If the observer has hooks (`see`, `force`), they
 *   plan a step at each execution.
 * - QPU_STEP_POINTS: the body of a step (qpu_step.inc.h) passes operands, results, flags and writes.
 * - QPU_UNIT_POINTS: the files of I/O registers, branches and signals pass these.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_STEP_QPU_POINTS_H
#define MISPRINT_MODEL_VC4_QPU_STEP_QPU_POINTS_H

#include "model/rule/point.h"
#include "model/vc4/tmu/tmu_points.h"
#include "model/vc4/vpm/vpm_points.h"

/* clang-format off */
/* The other fields of the same instruction, as they are in its word. */
#define QPU_FIELD_INPUTS \
    {"sig", 4}, {"op_add", 5}, {"op_mul", 3}, {"pm", 1}, {"waddr_add", 6}, {"waddr_mul", 6}, \
    {"raddr_a", 6}, {"raddr_b", 6}
#define QPU_MUX_INPUTS \
    {"op", 5}, {"operands", 2}, {"other", 3}, {"sig", 4}, {"raddr_a", 6}, {"raddr_b", 6}, {"pm", 1}, \
    {"unpack", 3}
#define QPU_BRANCH_INPUTS \
    {"cond_br", 4}, {"rel", 1}, {"reg", 1}, {"raddr_a", 5}, {"waddr_add", 6}, {"waddr_mul", 6}, {"ws", 1}, \
    {"immediate", 32}

#define QPU_FIELD_POINTS(F) \
    F(SIG, "insn.sig", 4, 1, "signal of the instruction", "p26 fig 3, p29 T4", QPU_FIELD_INPUTS) \
    F(MODE, "insn.mode", 3, 1, "kind of a load immediate; bits 59:57: 0, 1, 3, or 4 for a semaphore", "p33", \
      {"pm", 1}, {"pack", 4}, {"sf", 1}, {"immediate", 32}) \
    F(CLASS, "insn.class", 3, 1, \
      "class of the instruction; 0 ALU, 1 ALU with a small immediate, 2 load of a word, 3 load of signed " \
      "numbers, 4 load of unsigned numbers, 5 semaphore, 6 branch, 7 undefined", "p26 fig 3, p33-34", \
      {"sig", 4}, {"mode", 3}) \
    F(UNPACK, "insn.unpack", 3, 1, "unpack mode", "p27 T1", QPU_FIELD_INPUTS) \
    F(PM, "insn.pm", 1, 1, \
      "field pm; 0: pack and unpack of regfile A, 1: pack of the MUL result and unpack of r4", "p27 T1", \
      QPU_FIELD_INPUTS) \
    F(PACK, "insn.pack", 4, 1, "pack mode", "p27 T1", QPU_FIELD_INPUTS) \
    F(COND_ADD, "insn.cond_add", 3, 1, "condition of the ADD ALU's write", "p28 T2", QPU_FIELD_INPUTS) \
    F(COND_MUL, "insn.cond_mul", 3, 1, "condition of the MUL ALU's write", "p28 T2", QPU_FIELD_INPUTS) \
    F(SF, "insn.sf", 1, 1, "1: the instruction sets flags", "p27 T1", QPU_FIELD_INPUTS) \
    F(WS, "insn.ws", 1, 1, "1: the ADD ALU writes file B and the MUL ALU file A", "p27 T1", \
      QPU_FIELD_INPUTS) \
    F(WADDR_ADD, "insn.waddr_add", 6, 1, "write address of the ADD ALU", "p27 T1", QPU_FIELD_INPUTS) \
    F(WADDR_MUL, "insn.waddr_mul", 6, 1, "write address of the MUL ALU", "p27 T1", QPU_FIELD_INPUTS) \
    F(OP_MUL, "insn.op_mul", 3, 1, "operation of the MUL ALU", "p36 T13", QPU_FIELD_INPUTS) \
    F(OP_ADD, "insn.op_add", 5, 1, "operation of the ADD ALU", "p35 T12", QPU_FIELD_INPUTS) \
    F(RADDR_A, "insn.raddr_a", 6, 1, "read address of file A", "p27 T1", QPU_FIELD_INPUTS) \
    F(RADDR_B, "insn.raddr_b", 6, 1, "read address of file B", "p27 T1", QPU_FIELD_INPUTS) \
    F(SMALL_IMMED, "insn.small_immed", 6, 1, "small immediate", "p29 T5", QPU_FIELD_INPUTS) \
    F(ADD_A, "insn.add_a", 3, 1, "operand A of the ADD ALU; 0 to 5 accumulators, 6 file A, 7 file B", \
      "p28 T3", QPU_MUX_INPUTS) \
    F(ADD_B, "insn.add_b", 3, 1, "operand B of the ADD ALU; 0 to 5 accumulators, 6 file A, 7 file B", \
      "p28 T3", QPU_MUX_INPUTS) \
    F(MUL_A, "insn.mul_a", 3, 1, "operand A of the MUL ALU; 0 to 5 accumulators, 6 file A, 7 file B", \
      "p28 T3", QPU_MUX_INPUTS) \
    F(MUL_B, "insn.mul_b", 3, 1, "operand B of the MUL ALU; 0 to 5 accumulators, 6 file A, 7 file B", \
      "p28 T3", QPU_MUX_INPUTS) \
    F(IMMEDIATE, "load.immediate", 32, 1, "word of a load immediate", "p33", \
      {"mode", 3}, {"pm", 1}, {"pack", 4}, {"sf", 1}, {"waddr_add", 6}, {"waddr_mul", 6}) \
    F(SEMAPHORE_SA, "semaphore.sa", 1, 1, "1: the semaphore is decremented", "p33", \
      {"cond_add", 3}, {"cond_mul", 3}, {"sf", 1}, {"word", 32}) \
    F(SEMAPHORE_NUMBER, "semaphore.number", 4, 1, "number of the semaphore", "p33", \
      {"cond_add", 3}, {"cond_mul", 3}, {"sf", 1}, {"word", 32}) \
    F(BRANCH_COND, "branch.cond", 4, 1, "condition of a branch", "p35 T11", QPU_BRANCH_INPUTS) \
    F(BRANCH_REL, "branch.rel", 1, 1, "1: the target is relative to the fourth next instruction", "p34 T10", \
      QPU_BRANCH_INPUTS) \
    F(BRANCH_REG, "branch.reg", 1, 1, "1: a register is added to the target", "p34 T10", QPU_BRANCH_INPUTS) \
    F(BRANCH_RADDR_A, "branch.raddr_a", 5, 1, \
      "number of the register that is added to the target of a branch", "p34 T10", \
      QPU_BRANCH_INPUTS) \
    F(BRANCH_IMMEDIATE, "branch.immediate", 32, 1, "immediate of a branch in bytes", "p34 T10", \
      QPU_BRANCH_INPUTS)

#define QPU_PLAN_POINTS(F) \
    F(READ_DONE, "read.done", 1, 1, "1: the address is read through the file", "p28 T3, p37 T14", \
      {"file", 1}, {"address", 6}, {"used", 1}, {"other", 6}, {"acts", 1}, {"sig", 4}, {"op_add", 5}, \
      {"op_mul", 3}, {"add_a", 3}, {"add_b", 3}, {"mul_a", 3}, {"mul_b", 3}) \
    F(READ_FILE, "read.file", 1, 1, \
      "1: an operand of file B gets file B's value; 0: an operand of file B gets the other file's value", \
      "p37 T14", \
      {"address", 6}, {"other", 6}, {"other_read", 1}, {"used", 1}, {"acts", 1}, {"sig", 4}) \
    F(SMALL_VALUE, "small.value", 32, 1, "operand that a small immediate stands for", "p29 T5", \
      {"code", 6}, {"op_add", 5}, {"op_mul", 3}) \
    F(UNPACK_MODE, "unpack.mode", 3, 1, "mode in which an operand is unpacked", "p31 T6, p32 T8", \
      {"from_r4", 1}, {"unpack", 3}, {"pm", 1}, {"address", 6}, {"op_add", 5}, {"op_mul", 3}, \
      {"add_reads", 1}, {"mul_reads", 1}) \
    F(UNPACK_FLOAT, "unpack.float", 1, 1, "1: regfile A is unpacked to floats", "p31 T6", \
      {"mode", 3}, {"op_add", 5}, {"op_mul", 3}, {"add_reads", 1}, {"mul_reads", 1}) \
    F(ROTATE_DONE, "rotate.done", 1, 1, "1: the MUL result rotates", "p20, p30 T5", \
      {"code", 6}, {"small", 1}, {"op", 3}, {"mux_a", 3}, {"mux_b", 3}) \
    F(WRITE_FILE, "write.file", 1, 1, "1: an ALU writes register file B; 0: an ALU writes register file A", \
      "p27 T1", {"pipe", 1}, {"ws", 1}, {"address", 6}, {"pm", 1}, {"class", 3}) \
    F(PACK_COLOURS, "pack.colours", 1, 1, \
      "1: a pack makes a colour of the MUL result; 0: a pack is one of regfile A", "p27 T1, p31 T7, p32 T9", \
      {"pm", 1}, {"pipe", 1}, {"pack", 4}, {"file", 1}, {"address", 6}, {"op", 5}) \
    F(PACK_MODE, "pack.mode", 4, 1, "mode in which a result is packed; 0: it is not packed", \
      "p31 T7, p32 T9", \
      {"pipe", 1}, {"pack", 4}, {"pm", 1}, {"op", 5}, {"file", 1}, {"address", 6}, {"sig", 4}, {"float", 1}) \
    F(LOAD_BIT, "load.bit", 1, 16, "bit that an element takes of half a load immediate", "p33", \
      {"immediate", 32}, {"half", 1}, {"kind", 3}) \
    F(LOAD_VALUE, "load.value", 32, 16, "word that a load immediate gives an element", "p33", \
      {"low", 1, 16}, {"high", 1, 16}, {"immediate", 32}, {"kind", 3}) \
    F(FLAGS_FROM, "flags.from", 2, 1, "number of the ALU that sets the flags; 1 ADD, 2 MUL, 0 none", \
      "p27 T1", \
      {"op_add", 5}, {"op_mul", 3}, {"cond_add", 3}, {"cond_mul", 3}, {"sig", 4}) \
    F(FLAGS_KEEP_C, "flags.keep-c", 1, 1, "1: flag C keeps its value; 0: flag C gets a new value", \
      "p28, p33", {"pipe", 1}, {"op", 5}, {"cond", 3}, {"sig", 4})

#define QPU_STEP_POINTS(F) \
    F(READ_HAZARD, "read.hazard", 1, 1, \
      "1: an instruction reads a register that the instruction before writes", "p37", \
      {"file", 1}, {"address", 6}, {"both_a", 32}, {"both_b", 32}, {"sig", 4}) \
    F(READ_VALUE, "read.value", 32, 16, "word that is read at an address of a file", "p37 T14", \
      {"file", 1}, {"address", 6}, {"used", 1}, {"pending", 1}, {"fragment", 1}, {"sig", 4}, \
      {"other_pending", 1}) \
    F(UNPACK_PART, "unpack.part", 16, 16, "byte or half that an unpack takes of a word", \
      "p31 T6, p32 T8", {"word", 32, 16}, {"moved", 32, 16}, {"from_r4", 1}, {"mode", 3}, {"float", 1}) \
    F(UNPACK_VALUE, "unpack.value", 32, 16, "operand after it is unpacked", "p31 T6, p32 T8", \
      {"word", 32, 16}, {"part", 16, 16}, {"class", 3, 16}, {"moved", 32, 16}, {"from_r4", 1}, {"mode", 3}, \
      {"float", 1}) \
    F(OPERAND_VALUE, "operand.value", 32, 16, "operand of an operation", "p28 T3, p35-36", \
      {"other", 32, 16}, {"class", 3, 16}, {"exponent", 8, 16}, {"pipe", 1}, {"port", 1}, {"mux", 3}, \
      {"op", 5}, {"operands", 2}, {"kind", 2}, {"address", 6}) \
    F(MUL24_OPERAND, "mul24.operand", 32, 16, "operand of mul24; the low 24 bits of the word", "p36 T13", \
      {"word", 32, 16}, {"other", 32, 16}, {"port", 1}) \
    F(SHIFT_AMOUNT, "shift.amount", 6, 16, \
      "number of places that a shift or ror moves by; 32: all bits move out", "p35 T12", \
      {"word", 32, 16}, {"a", 32, 16}, {"op", 5}) \
    F(ADD_RESULT, "add.result", 32, 16, "result of the ADD ALU", "p35 T12", \
      {"a", 32, 16}, {"b", 32, 16}, {"greater", 1, 16}, {"picked", 32, 16}, {"op", 5}, {"cond", 3}, \
      {"sf", 1}, {"pm", 1}, {"pack", 4}, {"address", 6}) \
    F(MUL_RESULT, "mul.result", 32, 16, "result of the MUL ALU before it is rotated", "p36 T13", \
      {"a", 32, 16}, {"b", 32, 16}, {"op", 3}, {"cond", 3}, {"sf", 1}, {"pm", 1}, {"pack", 4}, \
      {"address", 6}) \
    F(FLOAT_RESULT, "float.result", 32, 16, \
      "result of fadd, fsub or fmul; it follows add.result or mul.result", \
      "p35-36 T12-T13", {"a", 32, 16}, {"b", 32, 16}, {"class", 3, 16}, {"class_a", 3, 16}, \
      {"class_b", 3, 16}, {"pipe", 1}, {"op", 5}) \
    F(BYTE_PRODUCT, "byte.product", 16, 16, "product of two bytes before its division by 255", "p36 T13", \
      {"x", 8, 16}, {"y", 8, 16}, {"high_product", 16, 16}, {"byte", 2}) \
    F(BYTE_RESULT, "byte.result", 8, 16, "byte of the result of a byte operation", "p35-36 T12-T13", \
      {"x", 8, 16}, {"y", 8, 16}, {"product", 16, 16}, {"high_product", 16, 16}, {"byte", 2}, {"pipe", 1}, \
      {"op", 5}) \
    F(OVERFLOW_DIFFERS, "overflow.differs", 1, 16, \
      "1: the signs of two numbers differ; add overflows if the signs of both operands differ from the " \
      "result's, sub if the signs of operand B and of the result differ from operand A's", "p31 T7", \
      {"first", 1, 16}, {"second", 1, 16}, {"pair", 1}, {"op", 5}) \
    F(OVERFLOW_RESTORED, "overflow.restored", 32, 16, \
      "result of shl after a shift back to the right; shl overflows if this is not operand A", "p31 T7", \
      {"a", 32, 16}, {"b", 32, 16}, {"result", 32, 16}, {"op", 5}) \
    F(OVERFLOW_FACTOR, "overflow.factor", 32, 16, \
      "operand of mul24 as the test for overflow multiplies it; the low 24 bits of the word", "p31 T7", \
      {"word", 32, 16}, {"other", 32, 16}, {"port", 1}) \
    F(OVERFLOW_OCCURS, "overflow.occurs", 1, 16, \
      "1: the exact result of an operation does not fit in the word", "p31 T7", \
      {"a", 32, 16}, {"b", 32, 16}, {"result", 32, 16}, {"beyond", 32, 16}, {"differ", 2, 16}, \
      {"pipe", 1}, {"op", 5}, {"mode", 4}) \
    F(OVERFLOW_BELOW, "overflow.below", 1, 16, \
      "1: an overflow is below the range; 0: an overflow is above the range", "p31 T7", \
      {"a", 32, 16}, {"b", 32, 16}, {"result", 32, 16}, {"occurs", 1, 16}, {"pipe", 1}, {"op", 5}, \
      {"mode", 4}) \
    F(OVERFLOW, "overflow", 3, 16, \
      "kind of overflow of an operation; 1 of add or sub, 2 of others, 4 below the range", "p31 T7", \
      {"a", 32, 16}, {"b", 32, 16}, {"result", 32, 16}, {"beyond", 32, 16}, {"pipe", 1}, {"op", 5}, \
      {"mode", 4}, {"rotated", 4}) \
    F(ROTATE_ELEMENT, "rotate.element", 4, 1, "element of r5 that holds the amount of a rotation", \
      "p20, p30 T5", {"mux_a", 3}, {"mux_b", 3}, {"op", 3}) \
    F(ROTATE_AMOUNT, "rotate.amount", 4, 1, "number of elements that the MUL result rotates by", \
      "p20, p30 T5", \
      {"code", 6}, {"r5", 32}, {"mux_a", 3}, {"mux_b", 3}, {"op", 3}) \
    F(ROTATE_IN_QUADS, "rotate.in-quads", 1, 1, "1: the MUL result rotates inside its quads", "p20, p30 T5", \
      {"amount", 4}, {"mux_a", 3}, {"mux_b", 3}, {"code", 6}) \
    F(ROTATE_OPERAND, "rotate.operand", 4, 16, \
      "element that takes the place of an element of an operand when its quads rotate", "p20, p30 T5", \
      {"amount", 4}, {"mux", 3}, {"moves", 1}) \
    F(ROTATE_CHANGES, "rotate.changes", 4, 1, \
      "set of bits of an element's number that a rotation changes; 3 inside quads, otherwise 15", \
      "p20, p30 T5", {"amount", 4}, {"in_quads", 1}) \
    F(ROTATE_SOURCE, "rotate.source", 4, 16, "element of the MUL result that an element receives", \
      "p20, p30 T5", {"amount", 4}, {"in_quads", 1}) \
    F(ROTATE_VALUE, "rotate.value", 32, 16, "result of the MUL ALU after its rotation", "p20, p30 T5", \
      {"before", 32, 16}, {"amount", 4}, {"in_quads", 1}, {"mux_a", 3}, {"mux_b", 3}, {"op", 3}) \
    F(WRITE_ELEMENT, "write.element", 1, 16, "1: an ALU writes the element", "p28 T2", \
      {"z", 1, 16}, {"n", 1, 16}, {"c", 1, 16}, {"pipe", 1}, {"cond", 3}, {"file", 1}, {"address", 6}) \
    F(WRITE_LANES, "write.lanes", 16, 1, "set of elements that an ALU writes", "p28 T2", \
      {"pipe", 1}, {"cond", 3}, {"file", 1}, {"address", 6}, {"z", 16}, {"n", 16}, {"c", 16}, {"sig", 4}) \
    F(PACK_INPUT, "pack.input", 32, 16, "word that is packed", "p31 T7, p32 T9", \
      {"class", 3, 16}, {"exponent", 8, 16}, {"overflow", 3, 16}, {"mode", 4}, {"pm", 1}, {"float", 1}, \
      {"pipe", 1}, {"op", 5}, {"address", 6}) \
    F(PACK_SATURATES, "pack.saturates", 1, 1, "1: a pack saturates; 0: a pack takes the low bits", "p31 T7", \
      {"mode", 4}, {"float", 1}, {"pipe", 1}) \
    F(PACK_LEAST, "pack.least", 32, 1, "least number that a saturating pack of an integer gives", "p31 T7", \
      {"mode", 4}, {"float", 1}, {"pipe", 1}) \
    F(PACK_MOST, "pack.most", 32, 1, "greatest number that a saturating pack of an integer gives", "p31 T7", \
      {"mode", 4}, {"float", 1}, {"pipe", 1}) \
    F(PACK_INTEGER, "pack.integer", 32, 16, \
      "integer whose byte a pack takes; a float is converted to an integer", "p31 T7", \
      {"result", 32, 16}, {"class", 3, 16}, {"mode", 4}, {"float", 1}, {"pipe", 1}, {"op", 5}) \
    F(PACK_CLAMPED, "pack.clamped", 32, 16, "integer after a saturating pack clamps it to its range", \
      "p31 T7", {"integer", 32, 16}, {"overflow", 3, 16}, {"least", 32}, {"most", 32}, {"mode", 4}, \
      {"pipe", 1}, {"op", 5}) \
    F(PACK_END, "pack.end", 32, 16, "end of the range that a saturating pack takes after an overflow", \
      "p31 T7", {"integer", 32, 16}, {"overflow", 3, 16}, {"least", 32}, {"most", 32}, {"mode", 4}, \
      {"pipe", 1}, {"op", 5}) \
    F(PACK_TAKES_END, "pack.takes-end", 1, 16, \
      "1: after an overflow the end of the range takes part; 0: the pack gives the clamped integer", \
      "p31 T7", {"integer", 32, 16}, {"overflow", 3, 16}, {"mode", 4}, {"pipe", 1}, {"op", 5}) \
    F(PACK_FIELD, "pack.field", 32, 16, "packed value before it goes to its place in the word", \
      "p31 T7, p32 T9", {"result", 32, 16}, {"overflow", 3, 16}, {"truncated", 32, 16}, \
      {"class", 3, 16}, {"exponent", 8, 16}, {"mode", 4}, {"pm", 1}, {"float", 1}, {"pipe", 1}, {"op", 5}, \
      {"address", 6}) \
    F(PACK_MASK, "pack.mask", 32, 1, \
      "set of bits of the destination that a pack writes; others keep their value", \
      "p31 T7", {"mode", 4}, {"pipe", 1}, {"file", 1}, {"address", 6}) \
    F(PACK_PLACE, "pack.place", 5, 1, \
      "place of a packed value in the word; the number of its lowest bit", "p31 T7, p32 T9", \
      {"mode", 4}, {"pm", 1}) \
    F(PACK_FACTOR, "pack.factor", 32, 1, \
      "factor that repeats a packed value in the word; 0x01010101 for four bytes, otherwise 1", \
      "p31 T7, p32 T9", {"mode", 4}, {"pm", 1}) \
    F(PACK_WORD, "pack.word", 32, 16, "packed value in its place; the bits that a pack keeps join it", \
      "p31 T7, p32 T9", {"field", 32, 16}, {"old", 32, 16}, {"result", 32, 16}, {"mode", 4}, {"pm", 1}, \
      {"mask", 32}, {"place", 5}, {"factor", 32}, {"float", 1}, {"pipe", 1}, {"op", 5}) \
    F(PACK_KEEPS, "pack.keeps", 32, 1, "set of bits of the destination that a pack keeps", "p31 T7, p32 T9", \
      {"mode", 4}, {"pm", 1}, {"mask", 32}, {"pipe", 1}, {"file", 1}, {"address", 6}) \
    F(PACK_KEPT, "pack.kept", 32, 16, "part of the destination's word that a pack keeps", "p31 T7, p32 T9", \
      {"old", 32, 16}, {"keeps", 32}, {"mode", 4}, {"pm", 1}, {"pipe", 1}, {"file", 1}, {"address", 6}) \
    F(PACK_RESULT, "pack.result", 32, 16, "word with the packed value and the part that the pack keeps", \
      "p31 T7, p32 T9", {"kept", 32, 16}, {"word", 32, 16}, {"field", 32, 16}, {"result", 32, 16}, \
      {"mode", 4}, {"pm", 1}, {"mask", 32}, {"pipe", 1}, {"op", 5}, {"file", 1}, {"address", 6}) \
    F(WRITE_VALUE, "write.value", 32, 16, "word that an ALU writes", "p27 T1, p37 T14", \
      {"result", 32, 16}, {"old", 32, 16}, {"pipe", 1}, {"file", 1}, {"address", 6}, {"mode", 4}, \
      {"lanes", 16}, {"sig", 4}) \
    F(R5_SOURCE, "r5.source", 4, 16, "element whose word or byte an element of r5 gets", "p18, p38 T14", \
      {"file", 1}, {"joins", 1}, {"byte", 2}) \
    F(R5_JOINS, "r5.joins", 1, 1, "1: four bytes become a word of r5; 0: a word of r5 is a whole word", \
      "p18, p38 T14", {"file", 1}, {"cond", 3}) \
    F(R5_BYTE, "r5.byte", 8, 16, "byte that becomes a part of a word of r5", "p38 T14", \
      {"word", 32, 16}, {"byte", 2}) \
    F(R5_PLACE, "r5.place", 5, 1, "place of a byte in a word of r5; the number of its lowest bit", \
      "p38 T14", {"byte", 2}) \
    F(R5_PART, "r5.part", 32, 16, "byte in its place in a word of r5; four of them are joined", "p38 T14", \
      {"word", 32, 16}, {"taken", 8, 16}, {"byte", 2}, {"place", 5}) \
    F(R5_LANES, "r5.lanes", 16, 1, "set of elements of r5 that are written", "p18, p38 T14", \
      {"lanes", 16}, {"file", 1}, {"cond", 3}) \
    F(R5_VALUE, "r5.value", 32, 16, "word that r5 gets", "p18, p38 T14", \
      {"word", 32, 16}, {"file", 1}, {"cond", 3}, {"lanes", 16}, {"link", 1}) \
    F(FLAGS_VALUE, "flags.value", 32, 16, "result that Z and N follow", "p28", \
      {"packed", 32, 16}, {"other", 32, 16}, {"pipe", 1}, {"op", 5}, {"mode", 4}, {"cond", 3}, {"sig", 4}) \
    F(FLAGS_Z, "flags.z", 1, 16, "flag Z of a result", "p28", \
      {"result", 32, 16}, {"old", 1, 16}, {"pipe", 1}, {"op", 5}, {"cond", 3}, {"sig", 4}) \
    F(FLAGS_N, "flags.n", 1, 16, "flag N of a result", "p28", \
      {"result", 32, 16}, {"old", 1, 16}, {"pipe", 1}, {"op", 5}, {"cond", 3}, {"sig", 4}) \
    F(FLAGS_C, "flags.c", 1, 16, "flag C of a result", "p28", {"a", 32, 16}, {"b", 32, 16}, \
      {"result", 32, 16}, {"greater", 1, 16}, {"beyond", 32, 16}, {"pipe", 1}, {"op", 5}, {"cond", 3}, \
      {"sig", 4}, {"rotated", 4}) \
    F(FLAGS_LANES, "flags.lanes", 16, 1, "set of elements whose flags are set", "p28", \
      {"enable", 16}, {"cond", 3}, {"pipe", 1}, {"op", 5}, {"sig", 4})

#define QPU_UNIT_POINTS(F) \
    F(SFU_FUNCTION, "sfu.function", 3, 1, \
      "function of the SFU; 0 reciprocal, 1 reciprocal square root, 2 exp2, 3 log2, 4 square root", "p23", \
      {"address", 6}, {"file", 1}) \
    F(SFU_OPERAND, "sfu.operand", 32, 16, "operand of a special function", "p23", \
      {"class", 3, 16}, {"function", 3}, {"address", 6}, {"file", 1}) \
    F(SFU_SIGN, "sfu.sign", 32, 16, "sign bit of the operand of a special function; bit 31 of the word", \
      "p23", {"operand", 32, 16}, {"class_of_operand", 3, 16}, {"function", 3}, {"address", 6}, {"file", 1}) \
    F(SFU_INVALID, "sfu.invalid", 1, 16, "1: the result of a special function is a NaN", "p23", \
      {"operand", 32, 16}, {"class_of_operand", 3, 16}, {"negative", 1, 16}, {"function", 3}, {"root", 1}) \
    F(SFU_BEYOND, "sfu.beyond", 1, 16, \
      "1: an operand of exp2 is out of range, so the result is zero or an infinity", "p23", \
      {"operand", 32, 16}, {"class_of_operand", 3, 16}, {"exponent", 8, 16}, {"magnitude", 31, 16}, \
      {"negative", 1, 16}) \
    F(SFU_RESULT, "sfu.result", 32, 16, "result of a special function", "p23", \
      {"operand", 32, 16}, {"class", 3, 16}, {"class_of_operand", 3, 16}, {"exponent", 8, 16}, \
      {"computed", 1, 16}, {"function", 3}, {"address", 6}, {"file", 1}) \
    F(SFU_LANES, "sfu.lanes", 16, 1, "set of elements of r4 that get a result of the SFU", "p23, p37", \
      {"lanes", 16}, {"function", 3}) \
    F(SFU_LATENCY, "sfu.latency", 4, 1, \
      "number of instructions until r4 has the result of a special function", "p23, p37", \
      {"function", 3}, {"address", 6}, {"file", 1}) \
    F(R4_VALUE, "r4.value", 32, 16, "word of the SFU or of a load that arrives in r4", "p19, p23, p29 T4", \
      {"sfu", 1}, {"sig", 4}) \
    F(ARRIVAL_LATENCY, "arrival.latency", 4, 1, \
      "number of instructions until a loaded word is in r4 or a varying is in r5", "p19, p29 T4, p51", \
      {"varying", 1}, {"sig", 4}) \
    F(R5_PRESENT, "r5.present", 1, 1, "1: accumulator r5 exists; 0: accumulator r5 does not exist", \
      "p18, p28 T3", {"access", 3}, {"file", 1}) \
    F(ACCESS_DONE, "access.done", 1, 1, \
      "1: an access to an I/O register takes place; 0: the access is lost and a read gives 0", \
      "p37-38 T14", {"write", 1}, {"file", 1}, {"address", 6}, {"ending", 1}) \
    F(IO_RESERVED, "io.reserved", 1, 1, "1: no document defines the access; the run then stops", \
      "p37-38 T14", {"write", 1}, {"file", 1}, {"address", 6}, {"stage", 2}) \
    F(IO_ELEMENT, "io.element", 4, 1, \
      "element whose word an I/O register takes; the mutex, UNIFORMS_ADDRESS, TMU_NOSWAP, TLB_STENCIL, and " \
      "the setups and addresses of VPM and DMA take one word", "p38 T14, p55", \
      {"file", 1}, {"address", 6}, {"lanes", 16}) \
    F(IO_WORD, "io.word", 32, 1, "word that an I/O register takes", "p38 T14, p55", \
      {"file", 1}, {"address", 6}, {"element", 4}, {"lanes", 16}) \
    F(IO_DONE, "io.done", 1, 1, "1: an I/O register takes the word; 0: the word is lost", "p38 T14, p55", \
      {"file", 1}, {"address", 6}, {"element", 4}, {"lanes", 16}, {"word", 32}) \
    F(COORDINATE_PLACE, "coordinate.place", 1, 16, "place of an element in its quad of pixels on an axis", \
      "p38 T14", {"file", 1}) \
    F(COORDINATE_VALUE, "coordinate.value", 32, 16, "coordinate of a pixel", "p38 T14", \
      {"quad", 32, 16}, {"place", 1, 16}, {"file", 1}) \
    F(INTERRUPT_RAISED, "interrupt.raised", 1, 16, "1: the element raises the host interrupt", "p24", \
      {"word", 32, 16}, {"lanes", 16}) \
    F(MUTEX_HELD, "mutex.held", 1, 1, "1: the mutex is held after an access", "p24", {"write", 1}, \
      {"word", 32}) \
    F(WAITS, "wait.waits", 1, 1, "1: the instruction waits for a semaphore or the mutex", "p24, p33", \
      {"mutex", 1}, {"count", 4}, {"sa", 1}, {"number", 4}, {"acts", 1}) \
    F(WAIT_LASTS, "wait.lasts", 1, 1, \
      "1: an instruction that waits holds the program; 0: an instruction that waits is lost", "p24, p33", \
      {"mutex", 1}, {"sa", 1}, {"number", 4}) \
    F(UNIFORM_PLACE, "uniform.place", 32, 1, "number of the uniform in its list or its address in memory", \
      "p22", {"in_memory", 1}, {"for_tmu", 1}, {"both", 1}) \
    F(UNIFORM_SOURCE, "uniform.source", 32, 1, \
      "number of the list's word that is read as the uniform", "p22", \
      {"place", 32}, {"count", 32}, {"for_tmu", 1}, {"both", 1}) \
    F(UNIFORM_MEMORY_WORD, "uniform.memory-word", 32, 1, \
      "number of the word of memory that is read as the uniform", "p22", {"place", 32}, {"offset", 32}) \
    F(UNIFORM_STEP, "uniform.step", 8, 1, "number of words that the stream of uniforms advances by", "p22", \
      {"in_memory", 1}, {"for_tmu", 1}, {"both", 1}, {"place", 32}) \
    F(UNIFORM_NEXT, "uniform.next", 32, 1, \
      "number of the next uniform in the list or its address in memory", "p22", \
      {"in_memory", 1}, {"for_tmu", 1}, {"both", 1}, {"place", 32}, {"step", 8}) \
    F(UNIFORM_VALUE, "uniform.value", 32, 1, "word of the stream of uniforms", "p22", \
      {"in_memory", 1}, {"for_tmu", 1}, {"both", 1}, {"place", 32}) \
    F(UNIFORM_TO_MEMORY, "uniform.to-memory", 1, 1, \
      "1: a write of UNIFORMS_ADDRESS chooses a place in memory; 0: a write of UNIFORMS_ADDRESS moves " \
      "in the list", "p22, p38 T14", {"file", 1}, {"in_memory", 1}, {"word", 32}) \
    F(UNIFORM_ADDRESS, "uniform.address", 32, 1, "new address of the stream of uniforms", "p22, p38 T14", \
      {"file", 1}, {"in_memory", 1}, {"word", 32}, {"before", 32}) \
    F(VARYING_NUMBER, "varying.number", 6, 1, "number of the varying that is read", "p51", {"count", 6}) \
    F(VARYING_WAITS, "varying.waits", 1, 1, "1: a read after the last varying waits for ever", "p51", \
      {"number", 6}, {"count", 6}) \
    F(VARYING_STEP, "varying.step", 4, 1, "number of varyings that a read advances by", "p51", \
      {"number", 6}, {"count", 6}) \
    F(VARYING_VALUE, "varying.value", 32, 16, "part of a varying that a read gives", "p51", \
      {"c", 32, 16}, {"number", 6}, {"count", 6}) \
    F(VARYING_C, "varying.c", 32, 16, "part of a varying that arrives in r5", "p51", \
      {"part", 32, 16}, {"number", 6}, {"count", 6}) \
    F(BRANCH_DONE, "branch.done", 1, 1, \
      "1: a branch is executed; 0: a branch is lost with its link and its effect on the flags", "p20, p34", \
      {"cond", 4}, {"distance", 8}, {"rel", 1}, {"reg", 1}) \
    F(BRANCH_END, "branch.end", 5, 1, \
      "reason number for which a branch stops the QPU; as in end.reason; 0: it does not stop", \
      "p20, p34-35", {"cond", 4}, {"distance", 8}) \
    F(BRANCH_PENDING, "branch.pending", 3, 1, \
      "number of earlier branches that stay valid while their delay slots run", \
      "p20", {"distance", 8}, {"cond", 4}) \
    F(BRANCH_HOLDS, "branch.holds", 16, 1, "set of elements in which the condition of a branch holds", \
      "p35 T11", {"cond", 4}, {"z", 16}, {"n", 16}, {"c", 16}) \
    F(BRANCH_ANY, "branch.any", 1, 1, \
      "1: a branch needs its condition in one element; 0: a branch needs its condition in all elements", \
      "p35 T11", {"cond", 4}, {"holds", 16}) \
    F(BRANCH_TAKEN, "branch.taken", 1, 1, "1: the branch is taken", "p35 T11", \
      {"cond", 4}, {"z", 16}, {"n", 16}, {"c", 16}, {"distance", 8}, {"reg", 1}, {"rel", 1}, \
      {"holds", 16}) \
    F(BRANCH_ADDRESS, "branch.address", 32, 1, "address of a branch from which its target and link count", \
      "p34", {"cond", 4}, {"rel", 1}, {"reg", 1}) \
    F(BRANCH_ELEMENT, "branch.element", 4, 1, \
      "element of the register that is added to the target of a branch", "p20, p34 T10", \
      {"number", 5}) \
    F(BRANCH_PART, "branch.part", 32, 1, "register's word that is added to the target of a branch", \
      "p20, p34 T10", \
      {"number", 5}, {"element", 4}, {"pending", 1}) \
    F(BRANCH_TARGET, "branch.target", 32, 1, "address that a branch goes to", "p20, p34", \
      {"address", 32}, {"immediate", 32}, {"part", 32}, {"rel", 1}, {"reg", 1}) \
    F(BRANCH_INSTRUCTION, "branch.instruction", 32, 1, \
      "number of the instruction that a branch goes to; the first of the program is 0", "p20, p34", \
      {"target", 32}, {"odd", 3}) \
    F(BRANCH_SLOTS, "branch.slots", 2, 1, "number of delay slots of a branch", "p20", {"cond", 4}, \
      {"distance", 8}) \
    F(BRANCH_LINKS, "branch.links", 1, 1, "1: the branch writes its link address", "p34", \
      {"taken", 1}, {"cond", 4}, {"reg", 1}, {"rel", 1}) \
    F(BRANCH_LINK, "branch.link", 32, 1, "link address of a branch", "p34", \
      {"address", 32}, {"taken", 1}, {"reg", 1}, {"rel", 1}) \
    F(BRANCH_LINK_DONE, "branch.link.done", 1, 1, \
      "1: an ALU's write address gets the link address of a branch", "p34", \
      {"pipe", 1}, {"file", 1}, {"address", 6}) \
    F(BRANCH_JUMPS, "branch.jumps", 1, 1, \
      "1: a branch that is taken goes to its target; 0: it only writes its link address", "p20, p34", \
      {"cond", 4}, {"distance", 8}) \
    F(BRANCH_FLAG, "branch.flag", 1, 1, "flag that a branch sets from the link address", "p34 T10", \
      {"flag", 2}, {"link", 32}) \
    F(BRANCH_FLAGS, "branch.flags", 1, 1, "1: the branch sets the flags from the link address", "p34 T10", \
      {"taken", 1}, {"raddr_a", 5}, {"cond", 4}) \
    F(SEMAPHORE_DECREMENTS, "semaphore.decrements", 1, 1, "1: the semaphore counts down", "p33", \
      {"word", 32}, {"number", 4}) \
    F(SEMAPHORE_ACTS, "semaphore.acts", 1, 1, "1: the semaphore changes", "p33", \
      {"cond_add", 3}, {"cond_mul", 3}, {"sa", 1}, {"number", 4}) \
    F(SEMAPHORE_COUNT, "semaphore.count", 4, 1, "new count of the semaphore", "p33", \
      {"before", 4}, {"sa", 1}, {"number", 4}) \
    F(SEMAPHORE_RESULT, "semaphore.result", 32, 1, "word that a semaphore instruction writes", "p33", \
      {"count", 4}, {"word", 32}) \
    F(END_SLOTS, "end.slots", 3, 1, "number of instructions that run after the program end instruction", \
      "p20", \
      {"sig", 4}) \
    F(SWITCH_SLOTS, "switch.slots", 3, 1, \
      "number of instructions that run after a thread switch instruction", "p20", \
      {"sig", 4}) \
    F(SWITCH_LOSES, "switch.loses", 1, 1, "1: a thread switch loses accumulators and flags", "p21", \
      {"two_threads", 1}) \
    F(TMU_NUMBER, "tmu.number", 1, 1, "number of the TMU that is used", "p40", \
      {"named", 1}, {"no_swap", 1}, {"qpu", 4}, {"sig", 4}, {"address", 6}) \
    F(TMU_NO_SWAP, "tmu.no-swap", 1, 1, "TMU_NOSWAP after a write", "p45 T21", {"word", 32}, {"before", 1}) \
    F(TMU_REGISTER, "tmu.register", 2, 1, "register of the TMU that is written; 0 s, 1 t, 2 r, 3 b", "p39", \
      {"address", 6}) \
    F(TMU_WRITE_DONE, "tmu.write.done", 1, 1, "1: a write of a TMU register is done", "p39-40", \
      {"lanes", 16}, {"address", 6}) \
    F(TMU_TAKES, "tmu.takes", 1, 1, \
      "1: the TMU takes a word that is written; 0: the word is lost after the TMU took its uniform", \
      "p39-40", {"register", 2}, {"address", 6}, {"number", 1}) \
    F(TILE_REACHED, "tile.reached", 1, 1, "1: the program reaches the tile buffer", "p46-48", \
      {"stage", 2}, {"write", 1}) \
    F(TILE_ROW, "tile.row", 3, 1, \
      "part of the tile buffer that is loaded; 0 to 3 colour of a sample, 4 Z, 5 stencil, 6 alpha mask, " \
      "7 coverage", "p29 T4, p46-48", {"sig", 4}, {"sample", 2}) \
    F(TILE_DONE, "tile.done", 1, 1, "1: a write of the tile buffer is done; 0: a write of the tile " \
      "buffer is lost", "p37, p46-48, p108", \
      {"executed", 2}, {"early", 1}, {"ending", 1}, {"address", 6}) \
    F(TILE_SAMPLE, "tile.sample", 2, 1, "the sample that a colour load or a write of one sample reaches", \
      "p47", {"write", 1}, {"sig", 4}, {"count", 8}) \
    F(TILE_WORD, "tile.word", 32, 16, "word that a write of the tile buffer takes", "p46-48", \
      {"address", 6}, {"lanes", 16}) \
    F(TILE_ALPHA, "tile.alpha", 32, 16, "alpha mask that is written to the tile buffer", "p46-48", \
      {"word", 32, 16}, {"lanes", 16}) \
    F(TILE_WHICH, "tile.which", 4, 1, "set of samples that a colour write is for", "p47", \
      {"address", 6}, {"sample", 2}) \
    F(TILE_SAMPLES, "tile.samples", 4, 16, "set of samples that a colour write reaches", "p47", \
      {"word", 32, 16}, {"flags", 4, 16}, {"enabled", 1, 16}, {"which", 4}, {"lanes", 16}) \
    F(TILE_TESTED, "tile.tested", 1, 1, "1: a write of Z tests the pixel", "p48", \
      {"flags", 4}, {"element", 4}, {"lanes", 16}) \
    F(TILE_COMPARED, "tile.compared", 24, 1, \
      "number that a test of a pixel compares; only bits of its mask are set", "p48, p71", \
      {"word", 32}, {"mask", 24}, {"stencil", 1}, {"stored", 1}, {"element", 4}) \
    F(TILE_HOLDS, "tile.holds", 1, 1, "1: two numbers fulfil the function of a test of a pixel", "p48, p71", \
      {"new", 24}, {"old", 24}, {"function", 3}, {"stencil", 1}, {"element", 4}) \
    F(TILE_PASSES, "tile.passes", 1, 1, "1: a pixel passes the test of its Z", "p48, p71", \
      {"z", 24}, {"old", 24}, {"function", 3}, {"element", 4}) \
    F(STENCIL_ELEMENT, "stencil.element", 4, 1, "the element whose REV_FLAG chooses the stencil setup", \
      "p48 T26", {"element", 4}) \
    F(STENCIL_SIDE, "stencil.side", 1, 1, "side whose stencil setup applies to a pixel; 0 front, 1 back", \
      "p48 T26", {"element", 4}, {"reversed", 1}, {"differ", 1}) \
    F(STENCIL_SET, "stencil.set", 1, 1, "1: a stencil setup is for the side", "p48 T26", \
      {"word", 32}, {"sides", 2}, {"side", 1}) \
    F(STENCIL_SIDES, "stencil.sides", 2, 1, \
      "set of sides that a stencil setup is for; bit 0 front, bit 1 back; 0 for the masks alone", "p48 T26", \
      {"word", 32}) \
    F(STENCIL_WRITABLE, "stencil.writable", 8, 1, "set of stencil bits that a write of Z changes", \
      "p48 T26", {"word", 32}, {"sides", 2}, {"side", 1}) \
    F(STENCIL_REFERENCE, "stencil.reference", 8, 1, "reference value of a stencil setup", "p48 T26", \
      {"setup", 32}, {"side", 1}, {"element", 4}) \
    F(STENCIL_MASK, "stencil.mask", 8, 1, "set of bits that the stencil test compares", "p48 T26", \
      {"setup", 32}, {"side", 1}, {"element", 4}) \
    F(STENCIL_FUNCTION, "stencil.function", 3, 1, "function of the stencil test", "p48 T26", \
      {"setup", 32}, {"side", 1}, {"element", 4}) \
    F(STENCIL_OPERATION, "stencil.operation", 3, 1, "number of the stencil operation of a pixel", "p48 T26", \
      {"setup", 32}, {"side", 1}, {"stencil_passes", 1}, {"z_passes", 1}, {"element", 4}) \
    F(STENCIL_PASSES, "stencil.passes", 1, 1, "1: a pixel passes the stencil test", "p48 T26", \
      {"reference", 8}, {"old", 8}, {"function", 3}, {"element", 4}) \
    F(STENCIL_VALUE, "stencil.value", 8, 1, "new stencil value of a pixel before the mask", "p48 T26", \
      {"old", 8}, {"reference", 8}, {"operation", 3}, {"element", 4}) \
    F(STENCIL_STORED, "stencil.stored", 8, 1, "new stencil value of a pixel after the mask", "p48 T26", \
      {"value", 8}, {"old", 8}, {"writable", 8}, {"element", 4}) \
    F(PIXEL_PASSES, "pixel.passes", 1, 1, "1: a pixel passes its tests", "p48", \
      {"z_passes", 1}, {"stencil_passes", 1}, {"element", 4}) \
    F(PIXEL_Z, "pixel.z", 24, 1, "new Z of a pixel", "p48", {"old", 24}, {"element", 4}) \
    F(PIXEL_FLAGS, "pixel.flags", 4, 1, "set of samples in MS_FLAGS after the tests of a pixel", "p47-48", \
      {"before", 4}, {"passes", 1}, {"element", 4}) \
    F(START_FLAG, "start.flag", 1, 16, "flag of an element before the first instruction", "p28", \
      {"z", 1, 16}, {"n", 1, 16}, {"c", 1, 16}, {"flag", 2}) \
    F(START_SAMPLES, "start.samples", 4, 1, "set of samples in MS_FLAGS before the first instruction", \
      "p38 T14, p47", {"reversed", 1}) \
    F(START_REVERSED, "start.reversed", 1, 1, "1: REV_FLAG is set before the first instruction", \
      "p38 T14, p48", {"samples", 4}) \
    F(START_QUAD, "start.quad", 32, 16, "coordinate of the quad of an element", "p38 T14, p51", {"file", 1}) \
    F(END_FLAG, "end.flag", 1, 16, "flag of an element after the program", "p28", \
      {"z", 1, 16}, {"n", 1, 16}, {"c", 1, 16}, {"before", 1, 16}, {"flag", 2}, {"reason", 5}, \
      {"last_sets", 1}) \
    F(END_SEMAPHORE, "end.semaphore", 4, 16, "count of a semaphore after the program", "p33", {"reason", 5}) \
    F(END_INTERRUPT, "end.interrupt", 1, 1, "1: the host interrupt is raised after the program", "p24", \
      {"mutex", 1}, {"reason", 5}) \
    F(END_MUTEX, "end.mutex", 1, 1, "1: the mutex is held after the program", "p24", \
      {"interrupt", 1}, {"reason", 5}) \
    F(END_REASON, "end.reason", 5, 1, \
      "reason number for which the QPU stops before the program end; never 0", \
      "p20-37", {"sig", 4}, {"raddr_a", 6}, {"raddr_b", 6}, {"waddr_add", 6}, {"waddr_mul", 6})

#define QPU_POINTS(F) QPU_FIELD_POINTS(F) QPU_PLAN_POINTS(F) QPU_STEP_POINTS(F) QPU_UNIT_POINTS(F)
#define QPU_POINT_NUMBER(number, ...) QPU_POINT_##number,
enum { QPU_POINTS(QPU_POINT_NUMBER) QPU_POINT_COUNT };
#undef QPU_POINT_NUMBER
/* The first points of the second, third and fourth list. */
enum {
    QPU_POINT_PLANS = QPU_POINT_READ_DONE,
    QPU_POINT_STEPS = QPU_POINT_READ_HAZARD,
    QPU_POINT_UNITS = QPU_POINT_SFU_FUNCTION,
};
/* clang-format on */

/* The points of unit vc4-qpu: the QPU's, then the VPM's under names with "vpm." before them, then a TMU's
 * under names with "tmu.". */
enum {
    QPU_POINTS_OF_VPM = QPU_POINT_COUNT,
    QPU_POINTS_OF_TMU = QPU_POINTS_OF_VPM + VPM_POINT_COUNT,
    QPU_POINTS_ALL = QPU_POINTS_OF_TMU + TMU_POINT_COUNT,
};
extern const struct point qpu_points[QPU_POINTS_ALL];
extern const struct input_note qpu_input_notes[];
/* Names opcodes, signals and conditions (struct unit). */
void qpu_name_value(const struct point *p, const char *input, uint32_t number,
                    const struct known_inputs *known, struct text *t);

#endif
