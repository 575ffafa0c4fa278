/* SPDX-License-Identifier: MIT */
/*
 * Tolerances. Where a document or a clause allows a distance, the tolerance says how far a right word may be
 * from the model's word. A tolerance is one word, so that outcomes can keep it in an array beside the values
 * and masks:
 *
 *   0                          no tolerance: the mask alone says which bits are defined
 *   1 .. TOLERANCE_ULPS_MAX    the word is a float; the number is a distance in units in the last place
 *   TOLERANCE_BYTES | ...      the word is four unsigned bytes; bits 7n+6:7n are the distance of byte n
 *
 * A distance of n units in the last place (ulps) means n steps in the order of all floats: -Inf, the negative
 * normal and denormal numbers, zero, the positive ones, +Inf. Each step leads from one float to the next. So
 * a step just below a power of two is half as large as one just above it. Both zeros are one place in this
 * order. A NaN has no place, so it is not within any distance of a number.
 *
 * A word is right if it is within the tolerance and equal in the bits of its mask. The mask holds:
 * - the leading bits that all words within the distance share, for code that knows only masks
 * - bytes without a distance
 * - other bits that are known to be the same in all right words
 */
#ifndef MISPRINT_MODEL_NUMBER_TOLERANCE_H
#define MISPRINT_MODEL_NUMBER_TOLERANCE_H

#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

/* A tolerance of 2^30 ulps or more would leave less than one bit of the word known. */
enum { TOLERANCE_ULPS_MAX = 0x3FFFFFFF, TOLERANCE_BYTE_MAX = 127 };
#define TOLERANCE_BYTES UINT32_C(0x80000000)

/* Returns a float's place in the order; 0 for both zeros. Not for NaNs. */
int32_t tolerance_place(uint32_t x);
/* Returns the float at a place; +0 at place 0, an infinity beyond the ends. */
uint32_t tolerance_float_at(int64_t place);

/*
 * Returns the tolerance of a float if every float from `low` to `high` is right, and sets `mask`. `value` is
 * one of these floats. If an end is a NaN, or if less than one bit is known, the tolerance and the mask are
 * 0. If all three words are equal, the word is fully defined.
 */
uint32_t tolerance_of_floats(uint32_t value, uint32_t low, uint32_t high, uint32_t *mask);

/* Returns the tolerance of a word of four bytes. */
uint32_t tolerance_of_bytes(const uint8_t distance[4]);
/* Returns a mask of the leading bits that all bytes within the distance share. */
uint32_t tolerance_mask_of_byte(uint32_t value, uint32_t distance);

/* Returns how far apart two words may be if each has a tolerance. One of the tolerances may be 0. If both are
 * of different kinds, returns 0. */
uint32_t tolerance_sum(uint32_t a, uint32_t b);

/* Returns a mask of the bits of a word that are compared: the bits of its mask, and the leading bits of a
 * float or byte with a distance. A distance of n leaves out as many low bits as the number 2n has. */
uint32_t tolerance_compared_bits(uint32_t tolerance, uint32_t defined);

/* Returns the compared bits in which two words differ; 0 if one word is right where the model has the other.
 * If a float or a byte is beyond its distance, the result has at least one bit set. `defined`: the mask. */
uint32_t tolerance_difference(uint32_t tolerance, uint32_t defined, uint32_t a, uint32_t b);

/* Prints "within 4 ulps", "within 4, 4, 4, 0 of each byte" (the lowest byte first). */
void tolerance_print(uint32_t tolerance, struct text *t);

#endif
