/* SPDX-License-Identifier: MIT */
/*
 * The bodies of the QPU's operations, as a template. Each qpu_alu_HOST.c chooses the host's instructions,
 * names its table (ALU_KERNELS), and includes this file. Loops run over 16 lanes (or 64 bytes) without
 * branches, so that compilers vectorise them. Readings are masks and numbers in the rules, or choose among
 * several kernels.
 *
 * Operations and flags: VideoCoreIV-AG100-R p35-36 T12-T13 and the clauses.
 */
#include "model/vc4/qpu/alu/qpu_alu_host.h"
#include "model/vc4/qpu/encoding/qpu_operations.h"

/* Tells the compiler that lanes are independent, so that a result may overwrite its operand. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* unoptimised builds do not vectorise */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < VC4_LANES; i++)
#define EACH_BYTE _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < 4 * VC4_LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < VC4_LANES; i++)
#define EACH_BYTE _Pragma("GCC ivdep") for (unsigned i = 0; i < 4 * VC4_LANES; i++)
#endif

/* Every operation NAME has a body, NAME_lanes, and a kernel made from it. */
/* clang-format off */
#define BODY(name) \
    static ALU_INLINE void name##_lanes(const struct alu_rules *restrict rules, const struct vc4_vector *a, \
                                        const struct vc4_vector *b, struct vc4_vector *result)

#define KERNEL_OF_BODY(name, C) \
    static void name(const struct alu_rules *rules, const struct vc4_vector *a, const struct vc4_vector *b, \
                     struct vc4_vector *result, struct vc4_vector *carry) \
    { \
        if (!carry) { \
            name##_lanes(rules, a, b, result); \
            return; \
        } \
        struct vc4_vector now; \
        name##_lanes(rules, a, b, &now); \
        EACH_LANE \
        { \
            uint32_t x = a->lane[i], y = b->lane[i], r = now.lane[i]; \
            (void)x, (void)y, (void)r; \
            carry->lane[i] = (C); \
        } \
        *result = now; \
    }

/* A kernel as a statement about whole vectors: a, b, result. */
#define VECTOR_KERNEL(name, statement, C) \
    BODY(name) \
    { \
        (void)rules; \
        statement; \
    } \
    KERNEL_OF_BODY(name, C)

/* A kernel as expressions: `R` in terms of x, y; `C` (0 or all ones) in terms of x, y and the result r. */
#define KERNEL(name, R, C) \
    BODY(name) \
    { \
        (void)rules; \
        EACH_LANE \
        { \
            uint32_t x = a->lane[i], y = b->lane[i]; \
            (void)x, (void)y; \
            result->lane[i] = (R); \
        } \
    } \
    KERNEL_OF_BODY(name, C)

/* The same for bytes, with C = 0. x and y are unsigned; the low byte of R is the result. */
#define BYTE_KERNEL(name, R) \
    BODY(name) \
    { \
        const uint8_t *bytes_a = (const uint8_t *)a->lane, *bytes_b = (const uint8_t *)b->lane; \
        uint8_t *bytes = (uint8_t *)result->lane; \
        (void)rules; \
        EACH_BYTE \
        { \
            unsigned x = bytes_a[i], y = bytes_b[i]; \
            bytes[i] = (uint8_t)(R); \
        } \
    } \
    KERNEL_OF_BODY(name, 0)
/* clang-format on */

#define POSITIVE(r) lane_mask((r)-1 < 0x7FFFFFFF) /* sign 0 and not zero */
#define SIGNED(x)   ((int32_t)(x))
#define UNARY(x, y) (((y)&rules->unary_b) | ((x) & ~rules->unary_b))

KERNEL(nop, 0, 0)

/* Floats. The _ieee and _silicon kernels have the rules of the built-in profiles as constants. The _any
 * kernels read any other combination of rules at run time. */
#define FADD_C (POSITIVE(r) & rules->fadd_c)
KERNEL(fadd_any, float_add(rules->fadd, x, y), FADD_C)
KERNEL(fsub_any, float_add(rules->fadd, x, float_flush(rules->fadd, y) ^ FLOAT_SIGN), FADD_C)
#define FMUL_C (((float_is_nan(x) | float_is_nan(y)) & lane_mask(r == FLOAT_INF)) & rules->fmul_c)
KERNEL(fmul_any, float_multiply(rules->fmul, x, y), FMUL_C)

#ifdef ALU_FADD_SILICON /* the including file defines faster code with the same results */
VECTOR_KERNEL(fadd_silicon, ALU_FADD_SILICON, FADD_C)
VECTOR_KERNEL(fsub_silicon, ALU_FSUB_SILICON, FADD_C)
VECTOR_KERNEL(fmul_silicon, ALU_FMUL_SILICON, FMUL_C)
VECTOR_KERNEL(fadd_ieee, ALU_FADD_IEEE, FADD_C)
VECTOR_KERNEL(fsub_ieee, ALU_FSUB_IEEE, FADD_C)
VECTOR_KERNEL(fmul_ieee, ALU_FMUL_IEEE, FMUL_C)
#else
KERNEL(fadd_silicon, float_add(float_silicon, x, y), FADD_C)
KERNEL(fsub_silicon, float_add(float_silicon, x, y ^ FLOAT_SIGN), FADD_C)
KERNEL(fmul_silicon, float_multiply(float_silicon, x, y), FMUL_C)
KERNEL(fadd_ieee, float_add(float_ieee, x, y), FADD_C)
KERNEL(fsub_ieee, float_add(float_ieee, x, y ^ FLOAT_SIGN), FADD_C)
KERNEL(fmul_ieee, float_multiply(float_ieee, x, y), FMUL_C)
#endif

#define MINMAX_C (float_greater(rules->order, x, y) & rules->minmax_c)
KERNEL(fmin_ordered, float_min(rules->order, x, y), MINMAX_C)
KERNEL(fmax_ordered, float_max(rules->order, x, y), MINMAX_C)
#define MINMAX_ABS_C (float_greater(rules->order, float_magnitude(x), float_magnitude(y)) & rules->minmax_c)
KERNEL(fminabs_unsigned, float_min(rules->order, float_magnitude(x), float_magnitude(y)), MINMAX_ABS_C)
KERNEL(fmaxabs_unsigned, float_max(rules->order, float_magnitude(x), float_magnitude(y)), MINMAX_ABS_C)
KERNEL(fminabs_signed, float_sign_back(float_min(rules->order, float_magnitude(x), float_magnitude(y)), x, y),
       MINMAX_ABS_C)
KERNEL(fmaxabs_signed, float_sign_back(float_max(rules->order, float_magnitude(x), float_magnitude(y)), x, y),
       MINMAX_ABS_C)

KERNEL(ftoi, float_to_int(rules->ftoi, UNARY(x, y)), 0)
KERNEL(itof, float_from_int(rules->itof, UNARY(x, y)), POSITIVE(r) & rules->itof_c)

/* Integers. */
KERNEL(add, x + y, lane_mask(r < x))
KERNEL(sub, x - y, lane_mask(x < y) ^ rules->sub_c)
KERNEL(min, SIGNED(x) > SIGNED(y) ? y : x, lane_mask(SIGNED(x) > SIGNED(y)) & rules->minmax_c)
KERNEL(max, SIGNED(x) > SIGNED(y) ? x : y, lane_mask(SIGNED(x) > SIGNED(y)) & rules->minmax_c)
KERNEL(and, (x & y), 0)
KERNEL(or, x | y, 0)
KERNEL(xor, x ^ y, 0)
KERNEL(not, ~UNARY(x, y), 0)
#define CLZ_OF(x) (lane_clz(x) ^ (lane_mask((x) == 0) & (32 ^ rules->clz_zero)))
KERNEL(clz, CLZ_OF(UNARY(x, y)), 0)

/* Shifts. With an amount n in 1..32, the last bit out is bit n - 1 (right) or 32 - n (left). Beyond 32, asr
 * shifts out copies of the sign. */
#define AMOUNT       (y & rules->shift_mask)
#define BIT_OUT(bit) ((0U - ((x >> ((bit)&31)) & 1)) & lane_mask(AMOUNT - 1 < 32) & rules->shift_c)
KERNEL(shr, (x >> (AMOUNT & 31)) & lane_mask(AMOUNT < 32), BIT_OUT(AMOUNT - 1))
KERNEL(shl, (x << (AMOUNT & 31)) & lane_mask(AMOUNT < 32), BIT_OUT(32 - AMOUNT))
KERNEL(asr, shift_arithmetic(x, lane_min(AMOUNT, 31)),
       BIT_OUT(AMOUNT - 1) | ((0U - (x >> 31)) & lane_mask(AMOUNT > 32) & rules->shift_c))
KERNEL(ror, (x >> (y & 31)) | (x << ((0U - y) & 31)), 0)

/* 24-bit products: the low 32 bits. C follows from the exact unsigned product. */
#define LOW24(x)     ((x)&0xFFFFFF)
#define HIGH32(x, y) ((uint32_t)(((uint64_t)LOW24(x) * LOW24(y)) >> 32))
#define MUL24_C                                                                                              \
    ((lane_mask(HIGH32(x, y) != 0) & (rules->mul24_c24 | rules->mul24_c32)) |                                \
     (lane_mask(LOW24(x) * LOW24(y) > 0xFFFFFF) & rules->mul24_c24))
#define SIGN24(x) ((((x)&0xFFFFFF) ^ 0x800000) - 0x800000)
KERNEL(mul24_unsigned, LOW24(x) * LOW24(y), MUL24_C)
KERNEL(mul24_signed, SIGN24(x) * SIGN24(y), MUL24_C)
KERNEL(mul24_low24, LOW24(LOW24(x) * LOW24(y)), MUL24_C)

/* A function of bytes, not of unsigned, so that compilers use byte instructions. */
static inline uint8_t byte_min(uint8_t x, uint8_t y)
{
    return x < y ? x : y;
}

/* Bytes. (p + 128 + (p + 128) / 256) / 256 is (p + 127) / 255 for every product p of two bytes. */
#define ROUND_255(p) ((((p) + 128) + (((p) + 128) >> 8)) >> 8)
BYTE_KERNEL(v8muld_rounded, ROUND_255((x * y)))
BYTE_KERNEL(v8muld_truncated, (x * y) / 255)
BYTE_KERNEL(v8min, byte_min((uint8_t)x, (uint8_t)y))
BYTE_KERNEL(v8max, x > y ? x : y)
BYTE_KERNEL(v8adds, x + byte_min((uint8_t)y, (uint8_t)~x)) /* 255 - x is the most that fits */
BYTE_KERNEL(v8subs, x - byte_min((uint8_t)x, (uint8_t)y))
#define BYTE_PRODUCT(n) (ROUND_255(((x >> (n)) & 255) * (y >> 24)) << (n))
KERNEL(v8muld_byte_3, BYTE_PRODUCT(0) | BYTE_PRODUCT(8) | BYTE_PRODUCT(16) | BYTE_PRODUCT(24), 0)

/* ---- tools ---- */

static void select_lanes(const struct vc4_vector *value, const struct vc4_vector *lanes,
                         struct vc4_vector *to)
{
    EACH_LANE
    to->lane[i] ^= (to->lane[i] ^ value->lane[i]) & lanes->lane[i];
}

static void invert_lanes(const struct vc4_vector *lanes, uint32_t invert, struct vc4_vector *to)
{
    EACH_LANE
    to->lane[i] = lanes->lane[i] ^ invert;
}

static void zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n)
{
    EACH_LANE
    {
        uint32_t r = result->lane[i];
        z->lane[i] = lane_mask(r == 0);
        n->lane[i] = 0U - (r >> 31);
    }
}

#ifndef ALU_OWN_TOOLS /* the including file may define its own rotate and ordinary */
static void rotate(const struct vc4_vector *value, unsigned n, bool in_quads, struct vc4_vector *to)
{
    struct vc4_vector from = *value;
    unsigned within = in_quads ? 3 : 15;
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->lane[i] = from.lane[(i & ~within) | ((i - n) & within)];
}

static bool ordinary(const struct vc4_vector *a, const struct vc4_vector *b)
{
    uint32_t odd = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = a->lane[i] << 1, y = b->lane[i] << 1;
        odd |= (uint32_t)(x - ORDINARY_LEAST >= ORDINARY_RANGE) |
               (uint32_t)(y - ORDINARY_LEAST >= ORDINARY_RANGE) | (uint32_t)(x == y);
    }
    return !odd;
}
#endif

/* ---- the table ---- */

/* clang-format off */
#define KERNELS(...) {__VA_ARGS__}
#define KERNEL_ROW(id, opcode, name, draws, operands, reads, gives, kernels, ...) [opcode] = KERNELS kernels,
/* clang-format on */
#define NO_KERNEL(opcode)

const struct alu_kernels ALU_KERNELS = {
    .tools = {select_lanes, invert_lanes, rotate, ordinary, zero_negative},
    .add = {QPU_ADD_OPERATIONS(KERNEL_ROW, NO_KERNEL)},
    .mul = {QPU_MUL_OPERATIONS(KERNEL_ROW, NO_KERNEL)},
};
