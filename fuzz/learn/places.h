/* SPDX-License-Identifier: MIT */
/* The numbers of a case that can be changed alone: enumerations, words, and the bit fields of words and of
 * instructions. */
#ifndef MISPRINT_FUZZ_LEARN_PLACES_H
#define MISPRINT_FUZZ_LEARN_PLACES_H

#include "model/core/case.h"

enum { PLACES_MAX = 2048 };
struct place {
    uint32_t at;          /* index in the words of the case */
    uint8_t low;          /* the lowest bit of the number; 32 and more: in the words that follow */
    uint8_t bits;         /* its number of bits, at most 32 */
    uint32_t least, most; /* its range */
};

/* Fills `list` with the numbers of the case that can change alone, in the order of its words. Returns their
 * count. */
uint32_t places_list(const struct test_case *c, struct place list[PLACES_MAX]);
uint32_t place_get(const struct test_case *c, const struct place *p);
void place_set(struct test_case *c, const struct place *p, uint32_t value);

#endif
