/* SPDX-License-Identifier: MIT */
/* Shared only by the files of the ALU and of the step: the table of kernels, which qpu_alu_plain.c,
 * qpu_alu_avx2.c and qpu_alu_avx512.c each fill in. */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_HOST_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_HOST_H

#include "model/number/wide.h"
#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu.h"

static const struct float_rules float_ieee = {0};
static const struct float_rules float_silicon = {.rounding = ROUND_TRUNCATE,
                                                 .flush = true,
                                                 .no_negative_zero = true,
                                                 .nan_is_infinity = true,
                                                 .zero_wins = true};

/* The kernels for one set of host instructions, by opcode and by place in the row of qpu_operations.h. */
enum { ALU_KERNEL_CHOICES = 3 };
struct alu_kernels {
    struct alu_tools tools;
    alu_kernel *add[32][ALU_KERNEL_CHOICES], *mul[8][ALU_KERNEL_CHOICES];
};

#if defined(__x86_64__)
#define ALU_HAS_X86 1
#else
#define ALU_HAS_X86 0
#endif
extern const struct alu_kernels alu_kernels_plain, alu_kernels_avx2, alu_kernels_avx512;

/* The range of a float's word, shifted left by one, whose exponent is 66 to 189. No sum or product of two
 * floats in this range is near a limit of the format. */
#define ORDINARY_LEAST (UINT32_C(66) << 24)
#define ORDINARY_RANGE (UINT32_C(124) << 24)

#define ALU_INLINE inline __attribute__((always_inline))

#endif
