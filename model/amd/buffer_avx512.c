/* SPDX-License-Identifier: MIT */
/* The kernels in AVX512 instructions. */
#include "model/amd/buffer.h"

#if BUFFER_HAS_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target(                                                          \
                                 "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt"))),       \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt,prefer-vector-width=512")
#endif
#define BUFFER_KERNELS buffer_kernels_avx512
#include "model/amd/buffer_kernels.inc.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
