/* SPDX-License-Identifier: MIT */
/*
 * LLVM's assembler and disassembler for AMD GPUs (llvm-mc 19, Debian package
 * llvm-19) as a second, independent opinion: whole batches of instructions, one
 * process for each batch.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command, llvm-mc-19 or what MISPRINT_LLVM_MC names; NULL if it is not there or is no version 19. */
const char *llvm_mc(void);

/*
 * text[n] becomes LLVM's text of the 64-bit word, to be freed with
 * llvm_free, or NULL where LLVM refuses it. False if the program could not be run or its output not be
 * understood.
 */
bool llvm_disassemble(const char *cpu, const uint64_t *words, size_t count, char **text);

/* words[n] becomes the encoding of a line, good[n] whether LLVM takes the line as a 64-bit instruction. */
bool llvm_assemble(const char *cpu, char *const *text, size_t count, uint64_t *words, bool *good);

/* A whole program's words, instructions of any length; `options` are more of llvm-mc's. False as above, or if
 * LLVM refuses a line, which is printed.
 */
bool llvm_program(const char *cpu, const char *options, const char *text, uint32_t *words, size_t room,
                  size_t *count);

void llvm_free(char **text, size_t count);

#endif
