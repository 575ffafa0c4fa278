/* SPDX-License-Identifier: MIT */
/*
 * Converts fields of a data format in memory to register values and back, and does the arithmetic of singles
 * that atomics need. Integer arithmetic only: the host's rounding mode and contraction do not matter.
 *
 * Sources: "RDNA3" guide 9.3, 9.3.1; where the guide is silent the rules are clauses (amd_clauses_format.c),
 * whose readings arrive in struct amd_rules.
 */
#ifndef MISPRINT_MODEL_AMD_AMD_CONVERT_H
#define MISPRINT_MODEL_AMD_AMD_CONVERT_H

#include "model/amd/encoding/amd_format.h"

#include <stdbool.h>
#include <stdint.h>

/* The readings of the clauses of conversion; 0 is the manual's. */
struct amd_rules {
    uint8_t unorm_reciprocal;   /* unorm-exactness: n times the rounded 1/(2^b-1) */
    uint8_t snorm_unclamped;    /* snorm-min: the most negative field is below -1.0 */
    uint8_t half_flush;         /* f16-denorm-nan: half denormals become zero */
    uint8_t int_store_clamp;    /* int-store-clamp */
    uint8_t f16_store_truncate; /* f16-store-rounding */
    uint8_t small_truncate;     /* uf11-store-rounding: the 10- and 11-bit floats */
    uint8_t d16_float;          /* d16-f32-truncate: enum amd_d16_float */
    uint8_t d16_int_saturate;   /* d16-int-load-clamp */
};
enum amd_d16_float { AMD_D16_TRUNCATE, AMD_D16_TRUNCATE_TO_INFINITY, AMD_D16_NEAREST };

/* The steps of a conversion that have observation points, in the order of these (amd_points.h). Each step
 * follows the ones that decide whether it takes place. */
enum amd_step {
    AMD_CONVERTED_NAN,
    AMD_STORED_ZERO,
    AMD_NORM_BITS,
    AMD_LOADED_EXTENDED,
    AMD_LOADED_MAGNITUDE,
    AMD_LOADED_LEAST,
    AMD_FIELD_SIGN,
    AMD_FIELD_EXPONENT,
    AMD_FIELD_MANTISSA,
    AMD_FIELD_SPECIAL,
    AMD_FIELD_NORMAL,
    AMD_FIELD_BIASED,
    AMD_SINGLE_EXPONENT,
    AMD_SINGLE_UP,
    AMD_SINGLE_MANTISSA,
    AMD_FIELD_SINGLE,
    AMD_STORED_MOST,
    AMD_SMALL_SIGN,
    AMD_SMALL_NEAREST,
    AMD_SMALL_INFINITE,
    AMD_CONVERTED_EXPONENT,
    AMD_CONVERTED_MANTISSA,
    AMD_STORED_LIMITS,
    AMD_STORED_PRODUCT,
    AMD_SMALL_EXPONENT,
    AMD_SMALL_OVERFLOWS,
    AMD_SMALL_BEYOND,
    AMD_SMALL_DENORMAL,
    AMD_SMALL_DROPPED,
    AMD_ROUND_SHIFT,
    AMD_ROUND_UP,
    AMD_ROUND_DIGITS,
    AMD_SMALL_SUM,
    AMD_SMALL_LIMITED,
    AMD_SMALL_RESULT,
    AMD_STORED_INTEGER,
    AMD_STORED_MAGNITUDE,
    AMD_STEPS
};

enum { AMD_STEP_INPUTS = 4 };

/* Watches the conversion of one value. A step that takes place adds itself to the set `passed`, and puts its
 * value and its inputs into the last members. A step of the set `known` takes its value from the watch. */
struct amd_watch {
    uint64_t known, passed;
    uint32_t value[AMD_STEPS], seen[AMD_STEPS], input[AMD_STEP_INPUTS][AMD_STEPS];
};

/* Converts fields of `bits` bits to 32-bit register values, in place. FLOAT has 32, 16, 11 or 10 bits; other
 * numbers have 1 to 32. */
void amd_load_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                     unsigned count);

/* The same for one value, with a watch. */
void amd_load_watched(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *value,
                      struct amd_watch *see);

/* Converts register values to fields of `bits` bits, in place; higher bits become 0. */
void amd_store_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                      unsigned count);

void amd_store_watched(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *value,
                       struct amd_watch *see);

/* Converts the loaded value of a field of `bits` bits to 16 bits, for D16 loads. */
uint32_t amd_load_half(enum amd_number number, unsigned bits, uint32_t value, const struct amd_rules *rules);
uint32_t amd_load_half_watched(enum amd_number number, unsigned bits, uint32_t value,
                               const struct amd_rules *rules, struct amd_watch *see);
/* Converts the 16 bits of a D16 store to a register value. */
uint32_t amd_store_half(enum amd_number number, uint32_t half, const struct amd_rules *rules);
uint32_t amd_store_half_watched(enum amd_number number, uint32_t half, const struct amd_rules *rules,
                                struct amd_watch *see);

/* Singles, by their bits. */
enum { F32_MANTISSA = 23, F32_BIAS = 127 };
static const uint32_t f32_sign = 0x80000000, f32_infinity = 0x7F800000, f32_quiet = 0x00400000,
                      f32_one = 0x3F800000;

static inline bool f32_is_nan(uint32_t f)
{
    return (f & ~f32_sign) > f32_infinity;
}

/* |f| = m * 2^exponent, for finite f. Returns m. */
static inline uint32_t f32_parts(uint32_t f, int *exponent)
{
    uint32_t biased = (f >> F32_MANTISSA) & 0xFF, m = f & ((UINT32_C(1) << F32_MANTISSA) - 1);
    *exponent = (int)(biased ? biased : 1) - F32_BIAS - F32_MANTISSA;
    return biased ? m | UINT32_C(1) << F32_MANTISSA : m;
}

static inline bool amd_is_integer(enum amd_number number)
{
    return number == AMD_UINT || number == AMD_SINT;
}

#endif
