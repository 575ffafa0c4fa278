/* SPDX-License-Identifier: MIT */
/*
 * How simple a case is: what reduction makes smaller, and what decides which of
 * two cases of one finding is kept. Reads the schema only.
 */
#ifndef MISPRINT_MODEL_CORE_MEASURE_H
#define MISPRINT_MODEL_CORE_MEASURE_H

#include "model/core/unit.h"

/* Compared in this order. */
struct measure {
    uint64_t code;  /* instructions */
    uint64_t items; /* entries of other lists, own rows of images */
    uint64_t fills; /* images that are not zero where they have no own row */
    uint64_t words; /* words that are not their default, of instructions the idle one's; rows whose words are
                       all the same count as one */
    uint64_t bits;  /* in which these differ from it, or of instructions from the least with the same fields,
                       and this from the idle one */
};
struct measure case_measure(const struct test_case *c);
int measure_order(const struct measure *a, const struct measure *b); /* <0: `a` is simpler; 0; >0 */

/* The instruction toward which one is reduced field by field: at most CODE_WORDS_MAX words. */
void measure_simplest(const struct code *code, const uint32_t *words, uint32_t least[CODE_WORDS_MAX]);

#endif
