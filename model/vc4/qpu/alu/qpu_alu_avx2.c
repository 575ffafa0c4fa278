/* SPDX-License-Identifier: MIT */
/* The QPU's operations in AVX2 instructions, which qpu_alu.c chooses if the host has them. */
#include "model/vc4/qpu/alu/qpu_alu_host.h"

#if ALU_HAS_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt")
#endif
#define ALU_KERNELS alu_kernels_avx2
#include "model/vc4/qpu/alu/qpu_alu_kernels.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
