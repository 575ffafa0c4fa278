/* SPDX-License-Identifier: MIT */
/* The kernels in AVX2 instructions. */
#include "model/amd/buffer.h"

#if BUFFER_HAS_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt")
#endif
#define BUFFER_KERNELS buffer_kernels_avx2
#include "model/amd/buffer_kernels.inc.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
