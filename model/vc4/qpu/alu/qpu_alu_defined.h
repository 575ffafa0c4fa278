/* SPDX-License-Identifier: MIT */
/*
 * Definedness of the QPU's operations: one function for each family, named in the rows of qpu_operations.h.
 * The rules are sound but not complete: they may call a bit undefined that has the same value for every
 * filler.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_DEFINED_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_DEFINED_H

#include "model/vc4/qpu/alu/qpu_alu.h"

alu_definedness defined_nothing; /* nop, reserved */
alu_definedness defined_and, defined_or, defined_xor, defined_not;
alu_definedness defined_sum;   /* add, sub: carries run upwards */
alu_definedness defined_mul24; /* like defined_sum, of the low 24 bits */
alu_definedness defined_shl, defined_shr, defined_asr, defined_ror;
alu_definedness defined_minmax;                /* integer; a move if both operands are one register */
alu_definedness defined_unary, defined_float;  /* all or nothing */
alu_definedness defined_bytes, defined_v8muld; /* byte by byte */
alu_definedness defined_v8minmax;              /* byte by byte; a move if both operands are one register */

#endif
