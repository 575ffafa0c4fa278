/* SPDX-License-Identifier: MIT */
/*
 * Conversion between the fields of a data format in memory and what registers
 * hold: both ways, one component at a time, every result rounded exactly as
 * the rules say. Integer arithmetic only, so the host's rounding mode and
 * contraction cannot matter.
 *
 * Sources: "RDNA3" guide 9.3, 9.3.1; where the guide is silent the rules are
 * clauses (amd_clauses_format.c), handed in here as struct amd_rules.
 */
#ifndef MISPRINT_MODEL_AMD_AMD_CONVERT_H
#define MISPRINT_MODEL_AMD_AMD_CONVERT_H

#include "model/amd/amd_format.h"

#include <stdbool.h>
#include <stdint.h>

/* What the clauses of conversion decided; all 0 is the manual's reading of each. */
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

/* Fields of `bits` bits become 32-bit registers' values, in place. FLOAT has 32, 16, 11 or 10 bits; the
 * others 1 to 32. */
void amd_load_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                     unsigned count);

/* Registers' values become fields of `bits` bits, in place; bits above them are 0. */
void amd_store_values(enum amd_number number, unsigned bits, const struct amd_rules *rules, uint32_t *values,
                      unsigned count);

/* A loaded value (of a field of `bits` bits) made 16 bits wide, as D16 loads do; and a D16 store's half made
 * a register's value. */
uint32_t amd_load_half(enum amd_number number, unsigned bits, uint32_t value, const struct amd_rules *rules);
uint32_t amd_store_half(enum amd_number number, uint32_t half, const struct amd_rules *rules);

static inline bool amd_is_integer(enum amd_number number)
{
    return number == AMD_UINT || number == AMD_SINT;
}

#endif
