/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the QPU's ADD and MUL pipes on vectors of 16 elements:
 * results, flags, definedness, regfile-A and r4 unpacking, regfile-A and MUL
 * packing, SFU functions. Which rounding, which NaN, which saturation: clauses
 * (alu_clauses.h), resolved once per program into `struct alu_rules` and kernel pointers.
 * No host floating point decides a bit here except through intrinsics with a stated rounding mode.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_H
#define MISPRINT_MODEL_VC4_QPU_ALU_H

#include "model/vc4/vc4.h"

/* Flags as lane masks: 0 or FFFFFFFF in each lane. */
struct alu_flags {
    struct vc4_vector z, n, c;
};

/* The profile's readings of the arithmetic clauses, in the form that the kernels use. Filled by alu_resolve. */
struct alu_rules;

/* A kernel: result and the C flag's lane mask of one operation (Z and N follow from the result). `carry` may be NULL. */
typedef void alu_kernel(const struct alu_rules *rules, const struct vc4_vector *a, const struct vc4_vector *b, struct vc4_vector *result, struct vc4_vector *carry);
/* Which result bits (and carry lanes) are defined, from the operands and their masks. */
typedef void alu_definedness(const struct vc4_vector *a, const struct vc4_vector *b, const struct vc4_vector *a_defined, const struct vc4_vector *b_defined,
                             struct vc4_vector *defined, struct vc4_vector *carry_defined);

/* One row per operation: all that is known of it stands here. */
struct alu_op {
    const char *name;  /* as the manual spells it: "fadd"; NULL: reserved */
    uint8_t operands;  /* 0 (nop), 1 (operand A only), 2 */
    bool float_in;     /* reads its operands as floats: decides how regfile A is unpacked (p31 T6) */
    bool float_out;    /* decides how the result is packed (p31 T7) */
    alu_definedness *defined;
    const uint8_t *clauses; /* the clauses its result or flags can depend on, ended by 255 */
};
extern const struct alu_op alu_add_ops[32], alu_mul_ops[8];

size_t alu_rules_size(void);
void alu_resolve(const struct profile *p, struct alu_rules *rules);
alu_kernel *alu_add_kernel(const struct alu_rules *rules, unsigned op); /* never NULL: reserved operations give what their clause says */
alu_kernel *alu_mul_kernel(const struct alu_rules *rules, unsigned op);

#endif
