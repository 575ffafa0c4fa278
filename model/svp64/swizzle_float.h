/* SPDX-License-Identifier: MIT */
/*
 * The floating-point formats of elements, by enum swizzle_width: binary64, binary32, binary16, and bfloat16
 * for width code WIDTH_8. Owns the formats' constants and conversions. Depends on no profile.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_FLOAT_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* The exponent's bias, and the sizes of a format's parts in bits. */
unsigned swizzle_float_bias(unsigned width);
unsigned swizzle_float_exponent_bits(unsigned width);
unsigned swizzle_float_fraction_bits(unsigned width);
uint64_t swizzle_float_one(unsigned width);
uint64_t swizzle_float_largest(unsigned width); /* finite */
bool swizzle_float_is_nan(unsigned width, uint64_t bits);
uint64_t swizzle_float_quiet_bit(unsigned width);
/* Converts a NaN to another format, by a reading of SWIZ_FMV_NAN. */
uint64_t swizzle_float_convert_nan(unsigned from, unsigned to, uint64_t bits, unsigned reading);
/* Converts a number (no NaN) to another format, rounding to nearest even. */
uint64_t swizzle_float_convert(unsigned from, unsigned to, uint64_t bits);

#endif
