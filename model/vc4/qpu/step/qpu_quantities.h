/* SPDX-License-Identifier: MIT */
/* Quantities inside the ALUs that rules can read at observation points: what a float is, what the comparator
 * finds, and what does not fit in a word. Each function computes all elements. */
#ifndef MISPRINT_MODEL_VC4_QPU_STEP_QPU_QUANTITIES_H
#define MISPRINT_MODEL_VC4_QPU_STEP_QPU_QUANTITIES_H

#include "model/vc4/qpu/alu/qpu_alu.h"

/* The class of a binary32 float: 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN. */
void quantity_class(const struct vc4_vector *floats, struct vc4_vector *class);
/* The same of a binary16 float, the low half of a word. */
void quantity_half_class(const struct vc4_vector *halves, struct vc4_vector *class);
/* Bits 30:23. */
void quantity_exponent(const struct vc4_vector *floats, struct vc4_vector *exponent);
/* The operand whose absolute value fminabs or fmaxabs gives; the result of other operations. */
void quantity_picked(unsigned opcode, const struct vc4_vector *a, const struct vc4_vector *b,
                     const struct vc4_vector *result, struct vc4_vector *picked);

/* Products of byte `byte` of both operands, and of that of operand A and the highest one of operand B. */
void quantity_products(unsigned byte, const struct vc4_vector *a, const struct vc4_vector *b,
                       struct vc4_vector *product, struct vc4_vector *high);
/* Byte `byte` of each word. */
void quantity_bytes(unsigned byte, const struct vc4_vector *words, struct vc4_vector *bytes);

/* 1 if an ADD operation that takes a minimum or maximum finds operand A greater; 0 for other operations. */
void quantity_greater(const struct alu_rules *rules, unsigned opcode, const struct vc4_vector *a,
                      const struct vc4_vector *b, struct vc4_vector *greater);
/*
 * The bits of the exact result that do not fit in the word, the nearest in bit 0: the carry of add, the
 * borrow of sub, bits 63:32 of mul24 and shl, the bits that shr and asr shift out. 0 for other operations.
 */
void quantity_beyond(bool is_mul, unsigned opcode, const struct vc4_vector *a, const struct vc4_vector *b,
                     struct vc4_vector *beyond);

#endif
