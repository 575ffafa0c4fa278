/* SPDX-License-Identifier: MIT */
/*
 * 1/x, 2^x, log2 x and roots, computed to about 54 correct bits in integer
 * arithmetic and rounded once, so that every host gives the same bits. The units
 * add what hardware makes of them (tolerances, special operands).
 */
#ifndef MISPRINT_MODEL_NUMBER_REAL_H
#define MISPRINT_MODEL_NUMBER_REAL_H

#include "model/number/float32.h"

/* A positive number m * 2^e with m's top bit set, or zero (m = 0). `sticky`: the exact number is a little
 * greater. */
struct real {
    uint64_t m;
    int32_t e;
    bool sticky;
};

struct real real_of(uint64_t m, int32_t e, bool sticky); /* of any m */
/* A float's magnitude bits; FLOAT_INF if it is too large. */
uint32_t real_round(struct float_rules rules, struct real r);

/* A float's magnitude as mantissa (24 bits, highest set; denormals normalised) and exponent: m * 2^e. */
uint32_t float_split(uint32_t x, int32_t *e);
/* The leading bits that all floats from low to high share. */
uint32_t float_common_bits(uint32_t low, uint32_t high);

/* Of positive finite floats other than zero. */
struct real real_reciprocal(uint32_t x);
struct real real_reciprocal_root(uint32_t x);
struct real real_root(uint32_t x);
struct real real_exp2(uint32_t x);                 /* of either sign, |x| below 2^8 */
struct real real_log2(uint32_t x, uint32_t *sign); /* the result as sign (FLOAT_SIGN or 0) and magnitude */

#endif
