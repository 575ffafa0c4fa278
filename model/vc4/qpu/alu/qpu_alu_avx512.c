/* SPDX-License-Identifier: MIT */
/* The QPU's operations in AVX-512 instructions, which qpu_alu.c chooses if the host has them. */
#include "model/vc4/qpu/alu/qpu_alu_host.h"

#if ALU_HAS_X86
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target(                                                          \
                                 "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt"))),       \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt,prefer-vector-width=512")
#endif

/*
 * fadd, fsub and fmul with the host's floating-point unit. Its instructions with a stated rounding give the
 * same bits on every host, except near the limits of the format: there IEEE 754, silicon and the host's
 * control register (which may flush denormals) differ. If an operand or a result is near a limit, all
 * elements take a slow path: the silicon code below, or the integer code. Programs rarely take it, so the
 * branch is predicted well. Times for a vector with integer code, the slow path, and the fast path: fadd 22,
 * 4 and 1.5 ns; fmul 18, 5 and 1.5 ns. The vector type guarantees 64-byte alignment.
 */
enum {
    TO_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC,
    TO_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC
};
enum {
    CLASS_NEGATIVE_ZERO = 0x04,
    CLASS_INFINITE = 0x18,
    CLASS_DENORMAL = 0x20,
    CLASS_NAN = 0x81
}; /* of VFPCLASSPS */

static inline __m512 load_floats(const struct vc4_vector *v)
{
    return _mm512_load_ps((const void *)v->lane);
}

static inline void store_floats(struct vc4_vector *v, __m512 x)
{
    _mm512_store_ps((void *)v->lane, x);
}

/* ---- silicon: truncates, knows no denormals, no -0, no NaN ---- */

/* Turns an overflow into infinity. Truncation turns an overflow into the largest finite magnitude, which can
 * also be a correct result. `half` is half of the exact result: it reaches 2^127 only after an overflow. */
static inline __m512i overflow_to_infinity(__m512i truncated, __m512 half)
{
    const __m512i magnitude = _mm512_set1_epi32(0x7FFFFFFF), infinity = _mm512_set1_epi32((int)FLOAT_INF);
    __mmask16 over = _mm512_cmpge_epi32_mask(_mm512_and_si512(_mm512_castps_si512(half), magnitude),
                                             _mm512_set1_epi32(0x7F000000));
    return _mm512_mask_or_epi32(truncated, over, _mm512_andnot_si512(magnitude, truncated), infinity);
}

static inline __mmask16 largest(__m512i x)
{
    return _mm512_cmpeq_epi32_mask(_mm512_and_si512(x, _mm512_set1_epi32(0x7FFFFFFF)),
                                   _mm512_set1_epi32((int)FLOAT_MAX));
}

/* Handles what differs from IEEE 754: denormals before the operation; exponent 255, zeros and overflow after
 * it. */
static ALU_INLINE __m512 add_edges(__m512 fa, __m512 fb)
{
    const __m512i infinity = _mm512_set1_epi32((int)FLOAT_INF), sign = _mm512_set1_epi32((int)FLOAT_SIGN);
    const __m512 half = _mm512_set1_ps(0.5F);
    __m512i a = _mm512_castps_si512(fa), b = _mm512_castps_si512(fb);
    __mmask16 a_special = _mm512_cmpeq_epi32_mask(_mm512_and_si512(a, infinity), infinity);
    __mmask16 b_special = _mm512_cmpeq_epi32_mask(_mm512_and_si512(b, infinity), infinity);
    __m512 x = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(a, infinity), a));
    __m512 y = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(b, infinity), b));
    __m512i r = _mm512_castps_si512(_mm512_add_round_ps(x, y, TO_ZERO));
    if (__builtin_expect(largest(r) != 0, 0))
        r = overflow_to_infinity(r, _mm512_add_round_ps(_mm512_mul_round_ps(x, half, TO_ZERO),
                                                        _mm512_mul_round_ps(y, half, TO_ZERO), TO_ZERO));
    r = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(r, infinity), r);
    r = _mm512_mask_or_epi32(r, a_special, _mm512_and_si512(a, sign), infinity);
    return _mm512_castsi512_ps(_mm512_mask_or_epi32(r, b_special, _mm512_and_si512(b, sign), infinity));
}

static ALU_INLINE __m512 multiply_edges(__m512 fa, __m512 fb)
{
    const __m512i infinity = _mm512_set1_epi32((int)FLOAT_INF), sign = _mm512_set1_epi32((int)FLOAT_SIGN);
    __m512i a = _mm512_castps_si512(fa), b = _mm512_castps_si512(fb), e_a = _mm512_and_si512(a, infinity),
            e_b = _mm512_and_si512(b, infinity);
    __mmask16 nonzero = _mm512_test_epi32_mask(e_a, e_a) & _mm512_test_epi32_mask(e_b, e_b);
    __mmask16 special = _mm512_cmpeq_epi32_mask(e_a, infinity) | _mm512_cmpeq_epi32_mask(e_b, infinity);
    /* If the exponents sum to 126 or less, the product is below 2^-126 and becomes 0. The host's float unit
     * would be slow on such a denormal. */
    __m512i sum = _mm512_add_epi32(_mm512_srli_epi32(e_a, 23), _mm512_srli_epi32(e_b, 23));
    __mmask16 normal = nonzero & (__mmask16)~special & _mm512_cmpgt_epi32_mask(sum, _mm512_set1_epi32(126));
    __m512 x = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(normal, a)),
           y = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(normal, b));
    __m512i r = _mm512_castps_si512(_mm512_mul_round_ps(x, y, TO_ZERO));
    if (__builtin_expect(largest(r) != 0, 0))
        r = overflow_to_infinity(r, _mm512_mul_round_ps(_mm512_mul_round_ps(x, _mm512_set1_ps(0.5F), TO_ZERO),
                                                        y, TO_ZERO));
    r = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(r, infinity) & normal, r);
    return _mm512_castsi512_ps(
        _mm512_mask_or_epi32(r, nonzero & special, _mm512_and_si512(_mm512_xor_si512(a, b), sign), infinity));
}

static inline __mmask16 at_edge(__m512 x, __m512 y)
{
    enum { EDGES = CLASS_NAN | CLASS_INFINITE | CLASS_DENORMAL };
    return _kor_mask16(_mm512_fpclass_ps_mask(x, EDGES), _mm512_fpclass_ps_mask(y, EDGES));
}

/* Elements near a limit. The largest number counts, because truncation turns an overflow into it. */
static inline __mmask16 result_at_edge(__m512 r)
{
    __mmask16 top = _mm512_cmpeq_epi32_mask(_mm512_slli_epi32(_mm512_castps_si512(r), 1),
                                            _mm512_set1_epi32((int)(FLOAT_MAX << 1)));
    return _kor_mask16(_mm512_fpclass_ps_mask(r, CLASS_NEGATIVE_ZERO | CLASS_DENORMAL), top);
}

/* Does either mask have an element? Tells the compiler that usually none has. */
#define ANY(k, l) __builtin_expect(!_kortestz_mask16_u8(k, l), 0)

static ALU_INLINE void add_silicon(__m512 x, __m512 y, struct vc4_vector *result)
{
    __m512 r = _mm512_add_round_ps(x, y, TO_ZERO);
    if (ANY(at_edge(x, y), result_at_edge(r)))
        r = add_edges(x, y);
    store_floats(result, r);
}

static ALU_INLINE void multiply_silicon(__m512 x, __m512 y, struct vc4_vector *result)
{
    __mmask16 edge = at_edge(x, y);
    __m512 r = x;
    if (!ANY(edge, edge)) { /* tested before the product, which is slow for denormals */
        r = _mm512_mul_round_ps(x, y, TO_ZERO);
        edge = result_at_edge(r);
    }
    if (ANY(edge, edge))
        r = multiply_edges(x, y);
    store_floats(result, r);
}

static inline __m512 minus(__m512 x)
{
    return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), _mm512_set1_epi32((int)FLOAT_SIGN)));
}

/* ---- the manual: IEEE 754 with one NaN, where no denormal is near ---- */

/* Elements with exponent 255 and denormals. With `zero_too` (for results) also 0, because the host's control
 * register may flush a denormal result to 0. */
static inline __mmask16 not_normal(__m512 x, bool zero_too)
{
    __m512i moved = _mm512_add_epi32(_mm512_slli_epi32(_mm512_castps_si512(x), 1),
                                     _mm512_set1_epi32(0x01000000)); /* exponents 255, 0, 1, ... */
    __mmask16 end = _mm512_cmplt_epu32_mask(moved, _mm512_set1_epi32(0x02000000));
    return zero_too ? end : _mm512_mask_cmpneq_epi32_mask(end, moved, _mm512_set1_epi32(0x01000000));
}

static __attribute__((noinline)) void add_any_ieee(const struct vc4_vector *a, const struct vc4_vector *b,
                                                   uint32_t b_flip, struct vc4_vector *result)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        result->lane[i] = float_add(float_ieee, a->lane[i], b->lane[i] ^ b_flip);
}

static __attribute__((noinline)) void multiply_any_ieee(const struct vc4_vector *a,
                                                        const struct vc4_vector *b, struct vc4_vector *result)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        result->lane[i] = float_multiply(float_ieee, a->lane[i], b->lane[i]);
}

static ALU_INLINE void add_ieee(const struct vc4_vector *a, const struct vc4_vector *b, uint32_t b_flip,
                                struct vc4_vector *result)
{
    __m512 x = load_floats(a), y = load_floats(b),
           r = _mm512_add_round_ps(x, b_flip ? minus(y) : y, TO_NEAREST);
    if (ANY(_kor_mask16(not_normal(x, false), not_normal(y, false)), not_normal(r, true)))
        add_any_ieee(a, b, b_flip, result);
    else
        store_floats(result, r);
}

static ALU_INLINE void multiply_ieee(const struct vc4_vector *a, const struct vc4_vector *b,
                                     struct vc4_vector *result)
{
    __m512 x = load_floats(a), y = load_floats(b), r = x;
    __mmask16 edge = _kor_mask16(not_normal(x, false), not_normal(y, false));
    if (!ANY(edge, edge)) {
        r = _mm512_mul_round_ps(x, y, TO_NEAREST);
        edge = not_normal(r, true);
    }
    if (ANY(edge, edge))
        multiply_any_ieee(a, b, result);
    else
        store_floats(result, r);
}

static void rotate(const struct vc4_vector *value, unsigned n, bool in_quads, struct vc4_vector *to)
{
    const __m512i element = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i within = _mm512_set1_epi32(in_quads ? 3 : 15),
            from = _mm512_sub_epi32(element, _mm512_set1_epi32((int)n));
    from = _mm512_or_si512(_mm512_andnot_si512(within, element), _mm512_and_si512(from, within));
    _mm512_store_si512((void *)to->lane,
                       _mm512_permutexvar_epi32(from, _mm512_load_si512((const void *)value->lane)));
}

/* Elements whose exponent is out of the ordinary range. `x` is shifted left by one. */
static inline __mmask16 out_of_range(__m512i x)
{
    return _mm512_cmpge_epu32_mask(_mm512_sub_epi32(x, _mm512_set1_epi32((int)ORDINARY_LEAST)),
                                   _mm512_set1_epi32((int)ORDINARY_RANGE));
}

static bool ordinary(const struct vc4_vector *a, const struct vc4_vector *b)
{
    __m512i x = _mm512_slli_epi32(_mm512_load_si512((const void *)a->lane), 1),
            y = _mm512_slli_epi32(_mm512_load_si512((const void *)b->lane), 1);
    return _kortestz_mask16_u8(_kor_mask16(out_of_range(x), out_of_range(y)), _mm512_cmpeq_epi32_mask(x, y));
}

#define ALU_OWN_TOOLS
#define ALU_FADD_SILICON add_silicon(load_floats(a), load_floats(b), result)
#define ALU_FSUB_SILICON add_silicon(load_floats(a), minus(load_floats(b)), result)
#define ALU_FMUL_SILICON multiply_silicon(load_floats(a), load_floats(b), result)
#define ALU_FADD_IEEE    add_ieee(a, b, 0, result)
#define ALU_FSUB_IEEE    add_ieee(a, b, FLOAT_SIGN, result)
#define ALU_FMUL_IEEE    multiply_ieee(a, b, result)
#define ALU_KERNELS      alu_kernels_avx512
#include "model/vc4/qpu/alu/qpu_alu_kernels.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
