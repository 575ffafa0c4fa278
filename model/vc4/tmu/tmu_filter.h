/* SPDX-License-Identifier: MIT */
/*
 * Blending: computes one texel from up to eight (2 x 2 in two levels), each with a weight. The hardware's
 * arithmetic is not published, so clause tmu-filter has several readings. Clauses tmu-blend-neg-pow2 and
 * tmu-blend-inf describe two known errors of the hardware with halves.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_FILTER_H
#define MISPRINT_MODEL_VC4_TMU_TMU_FILTER_H

#include "model/vc4/tmu/texture_format.h"

enum {
    TMU_TAPS_MAX = 8,
    /* The weights of a blend sum to 2^40: 16 bits for each direction of a level, 8 bits between levels. */
    TMU_WEIGHT_BITS = 40,
    /* Of a blended byte, in 255ths, under reading `unknown` of tmu-filter. Covers every filter whose
     * fractions have at least seven bits and that rounds once. */
    TMU_FILTER_TOLERANCE = 4,
};

struct tmu_tap {
    uint64_t texel, defined, weight; /* weight is at least 1 */
};

struct observer;

/* How to blend; `filter`, `neg_pow2` and `inf` are readings of the clauses. */
struct tmu_blend {
    uint8_t channels; /* enum texture_channels */
    uint8_t filter, neg_pow2, inf;
    bool linear;                     /* the filter is linear, even if only one texel has a weight */
    bool levels;                     /* texels of two levels are blended */
    const struct observer *observer; /* NULL: none */
    /* For the observer: the element, the type's number, and whether the texture is only point-sampled. */
    uint32_t lane, type, points;
};

/* What is known of a texel. */
struct tmu_known {
    uint64_t defined;    /* a mask */
    uint8_t distance[4]; /* tolerance of each byte, for TEXTURE_BYTES and TEXTURE_BYTE */
};

/* Blends `taps` texels. Adds the consulted clauses to `clauses`, as bits 1 << enum tmu_clause. `result`: what
 * is known of the blended texel; NULL in unchecked runs. */
uint64_t tmu_blend(const struct tmu_blend *b, const struct tmu_tap *tap, unsigned taps, uint32_t *clauses,
                   struct tmu_known *result);

#endif
