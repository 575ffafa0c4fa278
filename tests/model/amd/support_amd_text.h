/* SPDX-License-Identifier: MIT */
/* What tests of the text of buffer instructions share: parsing, printing, and random words. */
#ifndef MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_TEXT_H
#define MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_TEXT_H

#include "model/amd/encoding/amd_insn.h"
#include "model/number/random.h"

/* The word of a line. Fails the test if the line is not valid. */
uint64_t amd_test_parse(enum amd_generation g, const char *line);
/* The text of a word, in `t`. */
const char *amd_test_print(enum amd_generation g, uint64_t word, struct text *t);
/* Prints a word to `t`, and fails the test unless that reads as the word. */
void amd_test_round_trip(enum amd_generation g, uint64_t word, struct text *t);

/* Is it a word of the scalar encoding (SMEM)? */
bool amd_test_is_scalar(enum amd_generation g, uint64_t word);
/* A word of one of the three encodings with random bits. */
uint64_t amd_test_random_word(enum amd_generation g, struct random *r);
/* A word that LLVM accepts in full: its opcode, registers and operands exist, its unused bits are 0. */
uint64_t amd_test_random_valid_word(enum amd_generation g, struct random *r);

#endif
