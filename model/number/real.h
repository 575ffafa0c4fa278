/* SPDX-License-Identifier: MIT */
/*
 * 1/x, 2^x, log2 x and roots. They are computed in integers and rounded once, so that every host gives the
 * same bits. 2^x and log2 have about 54 correct bits. 1/x has 40 bits and roots have 31. Both are truncated,
 * and `sticky` says whether the exact number is greater. So they round like the exact number. Each unit adds
 * its hardware's tolerances and results for special operands.
 */
#ifndef MISPRINT_MODEL_NUMBER_REAL_H
#define MISPRINT_MODEL_NUMBER_REAL_H

#include "model/number/float32.h"

/* A positive number m * 2^e whose m has its top bit set; or zero (m = 0). `sticky`: the exact number is
 * slightly greater. */
struct real {
    uint64_t m;
    int32_t e;
    bool sticky;
};

struct real real_of(uint64_t m, int32_t e, bool sticky); /* takes any m, and normalises it */
/* Rounds to the bits of a float's magnitude; FLOAT_INF if it is too large. */
uint32_t real_round(struct float_rules rules, struct real r);

/* Splits a float's magnitude into mantissa and exponent: m * 2^e. The mantissa has 24 bits, the highest set;
 * denormals are normalised. */
uint32_t float_split(uint32_t x, int32_t *e);
/* Returns a mask of the leading bits that all floats from low to high share. */
uint32_t float_common_bits(uint32_t low, uint32_t high);

/* These functions take positive finite floats other than zero. */
struct real real_reciprocal(uint32_t x);
struct real real_reciprocal_root(uint32_t x);
struct real real_root(uint32_t x);
struct real real_exp2(uint32_t x);                 /* x of either sign, |x| below 2^8 */
struct real real_log2(uint32_t x, uint32_t *sign); /* the result as sign (FLOAT_SIGN or 0) and magnitude */

#endif
