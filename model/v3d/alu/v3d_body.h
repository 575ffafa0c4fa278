/* SPDX-License-Identifier: MIT */
/* Macros for the kernels of operations. Private to the files of this folder. */
#ifndef MISPRINT_MODEL_V3D_ALU_V3D_BODY_H
#define MISPRINT_MODEL_V3D_ALU_V3D_BODY_H

#include "model/number/float32.h"
#include "model/number/wide.h"
#include "model/v3d/alu/v3d_alu.h"

#include <string.h>

/*
 * Sum and product by IEEE 754 with the default NaN, as float_add and float_multiply compute them if all rules
 * are 0. The host's own arithmetic is used, which takes a tenth of the time. It is exact because the host
 * rounds to nearest and keeps denormals; plugin_library.c restores that after it has loaded a library. A host
 * that computes in a wider format gets the same sums and products: 64 bits of mantissa are more than
 * twice 24.
 */
FLOAT_INLINE float v3d_host_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

FLOAT_INLINE uint32_t v3d_float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return float_magnitude(bits) > FLOAT_INF ? FLOAT_NAN : bits;
}

FLOAT_INLINE uint32_t v3d_sum(uint32_t a, uint32_t b)
{
    return v3d_float_bits(v3d_host_float(a) + v3d_host_float(b));
}

FLOAT_INLINE uint32_t v3d_product(uint32_t a, uint32_t b)
{
    return v3d_float_bits(v3d_host_float(a) * v3d_host_float(b));
}

/* Makes a zero of a denormal number, if what computes with it does: V3D_FLUSH_ADD or _MUL. */
static inline uint32_t v3d_flush(struct v3d_alu_rules rules, uint8_t which, uint32_t v)
{
    return v & ~(lane_mask(rules.denormal & which) & float_is_denormal(v) & ~FLOAT_SIGN);
}

/* Returns a result of a and b with the bits that the rules give to a NaN. */
static inline uint32_t v3d_name_nan(struct v3d_alu_rules rules, uint32_t result, uint32_t a, uint32_t b)
{
    if (!float_is_nan(result))
        return result;
    uint32_t payload = float_is_nan(a) ? a : float_is_nan(b) ? b : FLOAT_NAN;
    return rules.nan_bits == V3D_NAN_OPERAND    ? payload | 0x400000
           : rules.nan_bits == V3D_NAN_ALL_ONES ? 0x7FFFFFFF
                                                : FLOAT_NAN;
}

/* Sum and product by the rules. `flush`: what computes (V3D_FLUSH_ADD, V3D_FLUSH_MUL); 0: nothing flushes. */
static inline uint32_t v3d_sum_by(struct v3d_alu_rules rules, uint8_t flush, uint32_t a, uint32_t b)
{
    const struct float_rules truncates = {.rounding = ROUND_TRUNCATE, .overflow_is_max = true};
    uint32_t x = v3d_flush(rules, flush, a), y = v3d_flush(rules, flush, b);
    uint32_t result = rules.float_round ? float_add(truncates, x, y) : v3d_sum(x, y);
    return v3d_name_nan(rules, v3d_flush(rules, flush, result), a, b);
}

/* The difference. A NaN that is an operand keeps its sign. */
static inline uint32_t v3d_difference_by(struct v3d_alu_rules rules, uint8_t flush, uint32_t a, uint32_t b)
{
    return v3d_name_nan(rules, v3d_sum_by(rules, flush, a, b ^ FLOAT_SIGN), a, b);
}

static inline uint32_t v3d_product_by(struct v3d_alu_rules rules, uint8_t flush, uint32_t a, uint32_t b)
{
    const struct float_rules truncates = {.rounding = ROUND_TRUNCATE};
    uint32_t x = v3d_flush(rules, flush, a), y = v3d_flush(rules, flush, b);
    uint32_t result = rules.float_round ? float_multiply(truncates, x, y) : v3d_product(x, y);
    if (rules.float_round && float_magnitude(result) == FLOAT_INF && float_magnitude(x) < FLOAT_INF &&
        float_magnitude(y) < FLOAT_INF)
        result--; /* the largest finite number */
    return v3d_name_nan(rules, v3d_flush(rules, flush, result), a, b);
}

/* Returns the lower half of a word, a binary16 number, as binary32. Always inline, because the compiler then
 * computes all lanes of a kernel at once. That took a tenth of the time of fuzzing off. */
FLOAT_INLINE uint32_t v3d_of_half(uint32_t half)
{
    return float_from_half(false, false, half & 0xFFFF);
}

/* Rounds a binary32 number to a half. */
FLOAT_INLINE uint32_t v3d_to_half(struct v3d_alu_rules rules, uint32_t v)
{
    uint32_t half = float_to_half((struct half_rules){.saturate = rules.half_round == V3D_HALF_SATURATES}, v);
    if (rules.half_round != V3D_HALF_TO_ZERO || float_magnitude(v) >= FLOAT_INF)
        return half;
    /* the nearest half, or the one before it if it is farther from zero */
    uint32_t magnitude = half & 0x7FFF;
    bool beyond = magnitude > 0x7BFF || v3d_of_half(magnitude) > float_magnitude(v);
    return half - beyond;
}

#define EACH_LANE for (unsigned i = 0; i < V3D_LANES; i++)

/* The kernel of operation ID. */
#define KERNEL(ID)                                                                                           \
    WIDE void v3d_do_##ID(struct v3d_alu *x, const struct v3d_vector *va, const struct v3d_vector *vb,       \
                          struct v3d_vector *result, struct v3d_vector *carry)

/* Sets all lanes of the result to R, and flag C to the condition C, in terms of the operands a and b. */
#define EACH_RESULT(R, C)                                                                                    \
    EACH_LANE                                                                                                \
    {                                                                                                        \
        uint32_t a = va->lane[i], b = vb->lane[i];                                                           \
        (void)a, (void)b;                                                                                    \
        if (carry)                                                                                           \
            carry->lane[i] = lane_mask(C);                                                                   \
        result->lane[i] = (R);                                                                               \
    }

/* A kernel as expressions for one lane. */
#define LANES(ID, R, C)                                                                                      \
    KERNEL(ID)                                                                                               \
    {                                                                                                        \
        const struct v3d_alu_rules rules = x->rules;                                                         \
        (void)rules;                                                                                         \
        EACH_RESULT(R, C)                                                                                    \
    }

/* The same, where FAST gives the result if no rule in RULES is set. The rest is a function of its own: within
 * the kernel it took a sixth of the time of a loop, because of the registers that it saves. */
#define LANES_FAST(ID, RULES, FAST, R, C)                                                                    \
    static __attribute__((noinline)) void by_rules_##ID(struct v3d_alu *x, const struct v3d_vector *va,      \
                                                        const struct v3d_vector *vb,                         \
                                                        struct v3d_vector *result, struct v3d_vector *carry) \
    {                                                                                                        \
        const struct v3d_alu_rules rules = x->rules;                                                         \
        EACH_RESULT(R, C)                                                                                    \
    }                                                                                                        \
    KERNEL(ID)                                                                                               \
    {                                                                                                        \
        const struct v3d_alu_rules rules = x->rules;                                                         \
        if (carry || (RULES)) {                                                                              \
            by_rules_##ID(x, va, vb, result, carry);                                                         \
            return;                                                                                          \
        }                                                                                                    \
        EACH_RESULT(FAST, false)                                                                             \
    }

#endif
