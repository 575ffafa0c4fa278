/* SPDX-License-Identifier: MIT */
/* The QPU's operations in AVX512 instructions; qpu_alu.c takes them where the host has these. */
#include "model/vc4/qpu_alu_host.h"

#if ALU_HAS_X86
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt,prefer-vector-width=512")
#endif

/*
 * fadd, fsub and fmul as silicon does them, by the host's own float unit: its
 * instructions with the rounding stated in them round toward zero exactly. What
 * differs from IEEE 754 is taken out before (denormals) and put in after
 * (exponent 255, zeros, overflow, which IEEE truncates to the largest number).
 * The control register does not matter: the rounding is in the instruction,
 * denormals are 0 before and after. Measured: 22 -> 4 ns a vector for fadd,
 * 18 -> 5 ns for fmul. Vectors must lie at multiples of 64 bytes, as their type says.
 */
enum { TO_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };

static inline __m512i load(const struct vc4_vector *v)
{
    return _mm512_load_si512((const void *)v->lane);
}

/* C of fadd and fsub: the result is positive. C of fmul: +Inf from a NaN. */
static void store_with_carry(__m512i value, __mmask16 c, uint32_t rule, struct vc4_vector *restrict result, struct vc4_vector *restrict carry)
{
    _mm512_store_si512((void *)result->lane, value);
    if (carry)
        _mm512_store_si512((void *)carry->lane, _mm512_maskz_set1_epi32(c, (int)rule));
}

/* Where a truncated magnitude is the largest finite one, it may stand for one beyond: then half of it reaches 2^127. */
static inline __m512i overflow_to_infinity(__m512i truncated, __m512 half)
{
    const __m512i magnitude = _mm512_set1_epi32(0x7FFFFFFF), infinity = _mm512_set1_epi32((int)FLOAT_INF);
    __mmask16 over = _mm512_cmpge_epi32_mask(_mm512_and_si512(_mm512_castps_si512(half), magnitude), _mm512_set1_epi32(0x7F000000));
    return _mm512_mask_or_epi32(truncated, over, _mm512_andnot_si512(magnitude, truncated), infinity);
}

static inline __mmask16 largest(__m512i x)
{
    return _mm512_cmpeq_epi32_mask(_mm512_and_si512(x, _mm512_set1_epi32(0x7FFFFFFF)), _mm512_set1_epi32((int)FLOAT_MAX));
}

static inline __m512i add_silicon(__m512i a, __m512i b)
{
    const __m512i infinity = _mm512_set1_epi32((int)FLOAT_INF), sign = _mm512_set1_epi32((int)FLOAT_SIGN);
    const __m512 half = _mm512_set1_ps(0.5F);
    __mmask16 a_special = _mm512_cmpeq_epi32_mask(_mm512_and_si512(a, infinity), infinity);
    __mmask16 b_special = _mm512_cmpeq_epi32_mask(_mm512_and_si512(b, infinity), infinity);
    __m512 x = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(a, infinity), a));
    __m512 y = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(b, infinity), b));
    __m512i r = _mm512_castps_si512(_mm512_add_round_ps(x, y, TO_ZERO));
    if (__builtin_expect(largest(r) != 0, 0))
        r = overflow_to_infinity(r, _mm512_add_round_ps(_mm512_mul_round_ps(x, half, TO_ZERO), _mm512_mul_round_ps(y, half, TO_ZERO), TO_ZERO));
    r = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(r, infinity), r);
    r = _mm512_mask_or_epi32(r, a_special, _mm512_and_si512(a, sign), infinity);
    return _mm512_mask_or_epi32(r, b_special, _mm512_and_si512(b, sign), infinity);
}

static __mmask16 positive(__m512i r)
{
    return _mm512_cmpgt_epi32_mask(r, _mm512_setzero_si512());
}

static void fadd_silicon(const struct alu_rules *restrict rules, const struct vc4_vector *restrict a, const struct vc4_vector *restrict b,
                         struct vc4_vector *restrict result, struct vc4_vector *restrict carry)
{
    __m512i r = add_silicon(load(a), load(b));
    store_with_carry(r, positive(r), rules->fadd_c, result, carry);
}

static void fsub_silicon(const struct alu_rules *restrict rules, const struct vc4_vector *restrict a, const struct vc4_vector *restrict b,
                         struct vc4_vector *restrict result, struct vc4_vector *restrict carry)
{
    __m512i r = add_silicon(load(a), _mm512_xor_si512(load(b), _mm512_set1_epi32((int)FLOAT_SIGN)));
    store_with_carry(r, positive(r), rules->fadd_c, result, carry);
}

static void fmul_silicon(const struct alu_rules *restrict rules, const struct vc4_vector *restrict va, const struct vc4_vector *restrict vb,
                         struct vc4_vector *restrict result, struct vc4_vector *restrict carry)
{
    const __m512i infinity = _mm512_set1_epi32((int)FLOAT_INF), sign = _mm512_set1_epi32((int)FLOAT_SIGN);
    __m512i a = load(va), b = load(vb), e_a = _mm512_and_si512(a, infinity), e_b = _mm512_and_si512(b, infinity);
    __mmask16 nonzero = _mm512_test_epi32_mask(e_a, e_a) & _mm512_test_epi32_mask(e_b, e_b);
    __mmask16 special = _mm512_cmpeq_epi32_mask(e_a, infinity) | _mm512_cmpeq_epi32_mask(e_b, infinity);
    /* exponents' sum 126 and less: below 2^-126 for sure, and kept away from the float unit, which is slow at denormal products */
    __m512i sum = _mm512_add_epi32(_mm512_srli_epi32(e_a, 23), _mm512_srli_epi32(e_b, 23));
    __mmask16 normal = nonzero & (__mmask16)~special & _mm512_cmpgt_epi32_mask(sum, _mm512_set1_epi32(126));
    __m512 x = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(normal, a)), y = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(normal, b));
    __m512i r = _mm512_castps_si512(_mm512_mul_round_ps(x, y, TO_ZERO));
    if (__builtin_expect(largest(r) != 0, 0))
        r = overflow_to_infinity(r, _mm512_mul_round_ps(_mm512_mul_round_ps(x, _mm512_set1_ps(0.5F), TO_ZERO), y, TO_ZERO));
    r = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(r, infinity) & normal, r);
    r = _mm512_mask_or_epi32(r, nonzero & special, _mm512_and_si512(_mm512_xor_si512(a, b), sign), infinity);
    __m512i m_a = _mm512_andnot_si512(sign, a), m_b = _mm512_andnot_si512(sign, b);
    __mmask16 nan = _mm512_cmpgt_epi32_mask(m_a, infinity) | _mm512_cmpgt_epi32_mask(m_b, infinity);
    store_with_carry(r, nan & _mm512_cmpeq_epi32_mask(r, infinity), rules->fmul_c, result, carry);
}

#define ALU_OWN_SILICON_FLOATS
#define ALU_KERNELS alu_kernels_avx512
#include "model/vc4/qpu_alu_kernels.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
