/* SPDX-License-Identifier: MIT */
/*
 * How simple a case is. Reduction makes the measure smaller; of two cases of one
 * finding the simpler is kept. Reads the schema only.
 */
#ifndef MISPRINT_MODEL_CORE_MEASURE_H
#define MISPRINT_MODEL_CORE_MEASURE_H

#include "model/core/unit.h"

/* Compared in this order. A row of equal words counts as one word. */
struct measure {
    uint64_t code;  /* instructions */
    uint64_t items; /* entries of other lists, own rows of images */
    uint64_t fills; /* images whose fill is not zero */
    uint64_t words; /* words that differ from their default (in instructions: from the nop) */
    uint64_t
        bits; /* bits that differ from it (in instructions: from the simplest, plus its bits from the nop) */
};
struct measure case_measure(const struct test_case *c);
int measure_order(const struct measure *a, const struct measure *b); /* <0: `a` is simpler; 0; >0 */

/* The instruction toward which `words` are reduced field by field. */
void measure_simplest(const struct code *code, const uint32_t *words, uint32_t simplest[CODE_WORDS_MAX]);

#endif
