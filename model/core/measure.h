/* SPDX-License-Identifier: MIT */
/*
 * How simple a case is. The reducer makes the measure smaller. Of two cases of one finding, the campaign
 * keeps the simpler one. The measure needs the schema alone, so it works for every unit.
 */
#ifndef MISPRINT_MODEL_CORE_MEASURE_H
#define MISPRINT_MODEL_CORE_MEASURE_H

#include "model/core/unit.h"

/* measure_order compares these numbers in this order. A row of equal words counts as one word. */
struct measure {
    uint64_t code;  /* instructions */
    uint64_t items; /* entries of other lists, and listed rows of images */
    uint64_t fills; /* images whose fill is not zero */
    uint64_t words; /* words that differ from their default; for instructions, from the nop */
    /* Bits that differ from the default. For an instruction: bits that differ from the simplest instruction
     * (measure_simplest), plus bits of the simplest instruction that differ from the nop. */
    uint64_t bits;
};
struct measure case_measure(const struct test_case *c);
/* Returns a number below 0 if `a` is simpler, above 0 if `b` is simpler, and 0 if both are equal. */
int measure_order(const struct measure *a, const struct measure *b);

/* Writes the instruction toward which the reducer moves `words`, field by field. */
void measure_simplest(const struct code *code, const uint32_t *words, uint32_t simplest[CODE_WORDS_MAX]);

#endif
