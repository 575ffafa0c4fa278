/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of the text of buffer instructions: parsing, printing, and random words. */
#ifndef MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_TEXT_H
#define MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_TEXT_H

#include "model/amd/encoding/amd_insn.h"
#include "model/number/random.h"

/* Returns the word of a line. Fails the test if the line is not valid. */
uint64_t amd_test_parse(enum amd_generation g, const char *line);
/* Writes the text of a word to `t`. */
const char *amd_test_print(enum amd_generation g, uint64_t word, struct text *t);
/* Prints a word to `t`. Fails the test unless parsing the text gives the same word. */
void amd_test_round_trip(enum amd_generation g, uint64_t word, struct text *t);

/* Does the word have the scalar encoding (SMEM)? */
bool amd_test_is_scalar(enum amd_generation g, uint64_t word);
/* Returns random bits with one of the three encodings. */
uint64_t amd_test_random_word(enum amd_generation g, struct random *r);
/* Returns a word that LLVM accepts completely: its opcode, registers and operands exist, and its unused bits
 * are 0. */
uint64_t amd_test_random_valid_word(enum amd_generation g, struct random *r);

#endif
