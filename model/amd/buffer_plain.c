/* SPDX-License-Identifier: MIT */
/* The kernels in instructions that all hosts of the architecture have, and the choice of a host's variant. */
#define BUFFER_KERNELS buffer_kernels_plain
#include "model/amd/buffer_kernels.inc.h"

const struct buffer_kernels *buffer_kernels(void)
{
#if BUFFER_HAS_X86
    bool avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    if (avx512)
        return &buffer_kernels_avx512;
    if (avx2)
        return &buffer_kernels_avx2;
#endif
    return &buffer_kernels_plain;
}
