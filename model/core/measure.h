/* SPDX-License-Identifier: MIT */
/*
 * How simple a case is. Reducing makes the measure smaller. Of two cases of one finding, the simpler one is
 * kept. The measure needs the schema alone, so it fits every unit.
 */
#ifndef MISPRINT_MODEL_CORE_MEASURE_H
#define MISPRINT_MODEL_CORE_MEASURE_H

#include "model/core/unit.h"

/* Compared in this order. A row of equal words counts as one word. */
struct measure {
    uint64_t code;  /* instructions */
    uint64_t items; /* entries of other lists, and listed rows of images */
    uint64_t fills; /* images whose fill is not zero */
    uint64_t words; /* words that differ from their default; for instructions, from the nop */
    uint64_t
        bits; /* bits that differ from it (in instructions: from the simplest, plus its bits from the nop) */
};
struct measure case_measure(const struct test_case *c);
/* <0: `a` is simpler; 0: equal; >0: `b` is */
int measure_order(const struct measure *a, const struct measure *b);

/* The instruction that reducing moves `words` toward, field by field. */
void measure_simplest(const struct code *code, const uint32_t *words, uint32_t simplest[CODE_WORDS_MAX]);

#endif
