/* SPDX-License-Identifier: MIT */
/*
 * A second, slow, independent implementation of the QPU's float arithmetic for
 * tests: exact values in MPFR, rounded once by MPFR. The IEEE functions follow
 * the standard; the silicon functions follow the rules worked out from values
 * recorded on a Raspberry Pi (doe300/VC4C test/opcode_test.h). Shares no code
 * with model/.
 */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_SLOW_FLOAT_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_SLOW_FLOAT_H

#include <stdint.h>

/* IEEE 754 binary32, rounded to nearest even. Every NaN is 7FC00000. */
uint32_t slow_ieee_add(uint32_t a, uint32_t b);
uint32_t slow_ieee_multiply(uint32_t a, uint32_t b);
uint32_t slow_ieee_from_int(uint32_t x);
/* Like slow_ieee_multiply, but ties are rounded away from zero. */
uint32_t slow_away_multiply(uint32_t a, uint32_t b);

/* Arithmetic as on silicon: truncates, flushes denormals, and gives neither NaN nor -0. */
uint32_t slow_silicon_add(uint32_t a, uint32_t b);
uint32_t slow_silicon_multiply(uint32_t a, uint32_t b);
uint32_t slow_silicon_from_int(uint32_t x);

/* Correctly rounded functions: 'r' 1/x, 'q' 1/sqrt x, 'e' 2^x, 'l' log2 x, 's' sqrt x. For q, l and s, x must
 * be positive and finite. */
uint32_t slow_function(char which, uint32_t x);
/* Returns the binary16 of a float, rounded to nearest even. Every NaN becomes 7E00. */
uint32_t slow_ieee_to_half(uint32_t x);
/* Returns v / 255, rounded to nearest even or toward zero. */
uint32_t slow_colour(uint32_t v, int truncate);
/* Return the exact value of a half (no NaN, no Inf) or of a finite float. */
double slow_half_value(uint32_t half);
double slow_value(uint32_t x);

/* Frees what MPFR caches. All functions above except slow_half_value and slow_value, and this one, exist only
 * if HAVE_MPFR is defined. */
void slow_done(void);

/* A stream of random words, and of operands near special values: boundary words, their neighbours, and pairs
 * with close exponents. */
struct slow_random {
    uint64_t state;
};
uint64_t slow_random_next(struct slow_random *r);
void slow_random_operands(struct slow_random *r, uint32_t *a, uint32_t *b);

/* Literal boundary operands. */
extern const uint32_t slow_boundary[];
extern const unsigned slow_boundary_count;

#endif
