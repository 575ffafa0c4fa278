/* SPDX-License-Identifier: MIT */
/*
 * Functions that no instruction set gets right to the last bit (1/x, 2^x, log2
 * x, roots), computed to about 54 correct bits in integer arithmetic and then
 * rounded once, so every host gives the same bits. What hardware makes of them
 * (tolerances, special operands) is the units' business.
 */
#ifndef MISPRINT_MODEL_NUMBER_REAL_H
#define MISPRINT_MODEL_NUMBER_REAL_H

#include "model/number/float32.h"

/* A positive number: m * 2^e, m's top bit set; `sticky`: the exact number is a little greater. m = 0: zero.
 */
struct real {
    uint64_t m;
    int32_t e;
    bool sticky;
};

struct real real_of(uint64_t m, int32_t e, bool sticky); /* of any m */
uint32_t real_round(struct float_rules rules,
                    struct real r); /* to a float's magnitude bits; too large: FLOAT_INF */

/* A float's magnitude as mantissa (24 bits, highest set; denormals normalised) and exponent: m * 2^e. */
uint32_t float_split(uint32_t x, int32_t *e);
/* The leading bits that all floats from low to high share. */
uint32_t float_common_bits(uint32_t low, uint32_t high);

/* Of positive finite floats, zero excepted. */
struct real real_reciprocal(uint32_t x);
struct real real_reciprocal_root(uint32_t x);
struct real real_root(uint32_t x);
struct real real_exp2(uint32_t x);                 /* of either sign, |x| below 2^8 */
struct real real_log2(uint32_t x, uint32_t *sign); /* the result as sign (FLOAT_SIGN or 0) and magnitude */

#endif
