/* SPDX-License-Identifier: MIT */
/*
 * The operations of the QPU's two ALUs, one row each. Three files expand the rows: qpu_insn.h to opcode
 * names, qpu_alu.c to struct alu_op, and qpu_alu_kernels.h to the tables of kernels. The compiler rejects a
 * row that names a missing kernel or rule, and a kernel that no row names. Sources:
 * VideoCoreIV-AG100-R p35-36 T12 (ADD), p36 T13 (MUL).
 *
 * The columns of OP:
 *   id, opcode, name   QPU_ADD_id or QPU_MUL_id; the name as the manual spells it
 *   draws              weight with which the generator draws the ADD operation: 0, 1 or 2
 *                      (unit_qpu_generate.c)
 *   operands           number of operands: 0, 1 (operand A, but see clause unary-operand) or 2
 *   reads, gives       WORD or FLOAT: how regfile A is unpacked, the result packed (p31 T6, T7);
 *                      FLOAT_MINUS_B: floats, the second with its sign inverted
 *   kernels, choice    bodies in qpu_alu_kernels.h; the function that chooses one for a profile (qpu_alu.c)
 *   defined            the rule for the defined bits of the result (qpu_alu_defined.h)
 *   overflow           computes the overflow word for saturating packs (qpu_alu.c); NULL: no overflow
 *   clauses            the clauses that the result can depend on (alu_clauses.h)
 *   c_clauses          further clauses that the C flag can depend on
 *
 * RESERVED stands for an opcode that no table of the manual names; a new operation replaces it.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_OPERATIONS_H
#define MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_OPERATIONS_H

/* clang-format off */
#define QPU_FADD_CLAUSES \
  (ALU_FLOAT_DENORMALS, ALU_FLOAT_NEG_ZERO, ALU_FLOAT_NAN, ALU_FADD_TRUNCATION, ALU_FADD_OVERFLOW)
#define QPU_FMUL_CLAUSES \
  (ALU_FLOAT_DENORMALS, ALU_FLOAT_NEG_ZERO, ALU_FLOAT_NAN, ALU_FMUL_ZERO_NAN, ALU_FMUL_ROUNDING)
#define QPU_FMIN_CLAUSES (ALU_FMIN_ORDER, ALU_FMIN_TIES, ALU_FMIN_NEG_DENORMAL)
#define QPU_FABS_CLAUSES (ALU_FMIN_ORDER, ALU_FMINABS_SIGN)
#define QPU_FTOI_CLAUSES (ALU_UNARY_OPERAND, ALU_FTOI_MODE, ALU_FTOI_OUT_OF_RANGE)

#define QPU_ADD_OPERATIONS(OP, RESERVED) \
  OP(NOP,      0, "nop",     0, 0, WORD,  WORD,  (nop), only, defined_nothing, NULL, (), ()) \
  OP(FADD,     1, "fadd",    2, 2, FLOAT, FLOAT, (fadd_any, fadd_ieee, fadd_silicon), by_fadd_rules, \
     defined_float, NULL, QPU_FADD_CLAUSES, (ALU_FADD_C_FLAG)) \
  OP(FSUB,     2, "fsub",    2, 2, FLOAT_MINUS_B, FLOAT, (fsub_any, fsub_ieee, fsub_silicon), by_fadd_rules, \
     defined_float, NULL, QPU_FADD_CLAUSES, (ALU_FADD_C_FLAG)) \
  OP(FMIN,     3, "fmin",    1, 2, FLOAT, FLOAT, (fmin_ordered), only, \
     defined_float, NULL, QPU_FMIN_CLAUSES, (ALU_MINMAX_C_FLAG)) \
  OP(FMAX,     4, "fmax",    1, 2, FLOAT, FLOAT, (fmax_ordered), only, \
     defined_float, NULL, QPU_FMIN_CLAUSES, (ALU_MINMAX_C_FLAG)) \
  OP(FMINABS,  5, "fminabs", 1, 2, FLOAT, FLOAT, (fminabs_unsigned, fminabs_signed), by_fminabs_sign, \
     defined_float, NULL, QPU_FABS_CLAUSES, (ALU_MINMAX_C_FLAG)) \
  OP(FMAXABS,  6, "fmaxabs", 1, 2, FLOAT, FLOAT, (fmaxabs_unsigned, fmaxabs_signed), by_fminabs_sign, \
     defined_float, NULL, QPU_FABS_CLAUSES, (ALU_MINMAX_C_FLAG)) \
  OP(FTOI,     7, "ftoi",    1, 1, FLOAT, WORD,  (ftoi), only, defined_unary, NULL, QPU_FTOI_CLAUSES, ()) \
  OP(ITOF,     8, "itof",    1, 1, WORD,  FLOAT, (itof), only, defined_unary, NULL, \
     (ALU_UNARY_OPERAND, ALU_ITOF_TRUNCATION), (ALU_ITOF_C_FLAG)) \
  RESERVED(9) RESERVED(10) RESERVED(11) \
  OP(ADD,     12, "add",     2, 2, WORD,  WORD,  (add), only, defined_sum, overflow_add, (), ()) \
  OP(SUB,     13, "sub",     2, 2, WORD,  WORD,  (sub), only, \
     defined_sum, overflow_sub, (), (ALU_SUB_C_FLAG)) \
  OP(SHR,     14, "shr",     1, 2, WORD,  WORD,  (shr), only, \
     defined_shr, NULL, (ALU_SHIFT_AMOUNT), (ALU_SHIFT_C_FLAG)) \
  OP(ASR,     15, "asr",     1, 2, WORD,  WORD,  (asr), only, \
     defined_asr, NULL, (ALU_SHIFT_AMOUNT), (ALU_SHIFT_C_FLAG)) \
  OP(ROR,     16, "ror",     1, 2, WORD,  WORD,  (ror), only, defined_ror, NULL, (), ()) \
  OP(SHL,     17, "shl",     1, 2, WORD,  WORD,  (shl), only, \
     defined_shl, overflow_shl, (ALU_SHIFT_AMOUNT), (ALU_SHIFT_C_FLAG)) \
  OP(MIN,     18, "min",     1, 2, WORD,  WORD,  (min), only, defined_minmax, NULL, (), (ALU_MINMAX_C_FLAG)) \
  OP(MAX,     19, "max",     1, 2, WORD,  WORD,  (max), only, defined_minmax, NULL, (), (ALU_MINMAX_C_FLAG)) \
  OP(AND,     20, "and",     1, 2, WORD,  WORD,  (and), only, defined_and, NULL, (), ()) \
  OP(OR,      21, "or",      1, 2, WORD,  WORD,  (or), only, defined_or, NULL, (), ()) \
  OP(XOR,     22, "xor",     1, 2, WORD,  WORD,  (xor), only, defined_xor, NULL, (), ()) \
  OP(NOT,     23, "not",     1, 1, WORD,  WORD,  (not), only, defined_not, NULL, (ALU_UNARY_OPERAND), ()) \
  OP(CLZ,     24, "clz",     1, 1, WORD,  WORD,  (clz), only, \
     defined_unary, NULL, (ALU_UNARY_OPERAND, ALU_CLZ_ZERO), ()) \
  RESERVED(25) RESERVED(26) RESERVED(27) RESERVED(28) RESERVED(29) \
  OP(V8ADDS,  30, "v8adds",  1, 2, WORD,  WORD,  (v8adds), only, defined_bytes, NULL, (), ()) \
  OP(V8SUBS,  31, "v8subs",  1, 2, WORD,  WORD,  (v8subs), only, defined_bytes, NULL, (), ())

#define QPU_MUL_OPERATIONS(OP, RESERVED) \
  OP(NOP,      0, "nop",     0, 0, WORD,  WORD,  (nop), only, defined_nothing, NULL, (), ()) \
  OP(FMUL,     1, "fmul",    1, 2, FLOAT, FLOAT, (fmul_any, fmul_ieee, fmul_silicon), by_fmul_rules, \
     defined_float, NULL, QPU_FMUL_CLAUSES, (ALU_FMUL_C_FLAG)) \
  OP(MUL24,    2, "mul24",   1, 2, WORD,  WORD,  (mul24_unsigned, mul24_signed, mul24_low24), by_mul24, \
     defined_mul24, overflow_mul24, (ALU_MUL24), (ALU_MUL24_C_FLAG)) \
  OP(V8MULD,   3, "v8muld",  1, 2, WORD,  WORD,  (v8muld_rounded, v8muld_byte_3, v8muld_truncated), \
     by_v8muld_formula, defined_v8muld, NULL, (ALU_V8MULD_FORMULA), ()) \
  OP(V8MIN,    4, "v8min",   1, 2, WORD,  WORD,  (v8min), only, defined_v8minmax, NULL, (), ()) \
  OP(V8MAX,    5, "v8max",   1, 2, WORD,  WORD,  (v8max), only, defined_v8minmax, NULL, (), ()) \
  OP(V8ADDS,   6, "v8adds",  1, 2, WORD,  WORD,  (v8adds), only, defined_bytes, NULL, (), ()) \
  OP(V8SUBS,   7, "v8subs",  1, 2, WORD,  WORD,  (v8subs), only, defined_bytes, NULL, (), ())
/* clang-format on */

#endif
