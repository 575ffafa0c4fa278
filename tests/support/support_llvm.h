/* SPDX-License-Identifier: MIT */
/* LLVM's assembler and disassembler for AMD GPUs (llvm-mc 19, Debian package llvm-19) as an independent
 * reference. Works on batches of instructions, a process for each. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command: llvm-mc-19 or MISPRINT_LLVM_MC; NULL if it is missing or not version 19. */
const char *llvm_mc(void);

/* Sets text[n] to LLVM's text of the 64-bit word (release it with llvm_free), or to NULL where LLVM refuses
 * it. False if the program cannot run or its output is not understood. */
bool llvm_disassemble(const char *cpu, const uint64_t *words, size_t count, char **text);

/* The same for instructions in `room` words of 32 bits each, of which each has as many as `length` says. */
bool llvm_disassemble_words(const char *cpu, const uint32_t *words, unsigned room,
                            unsigned (*length)(const uint32_t *words), size_t count, char **text);

/* Sets words[n] to the encoding of a line, good[n] to whether LLVM accepts it as a 64-bit instruction. */
bool llvm_assemble(const char *cpu, char *const *text, size_t count, uint64_t *words, bool *good);

/* The words of a program with instructions of any length; `options` go to llvm-mc. False as above, or if LLVM
 * refuses a line, which is printed. */
bool llvm_program(const char *cpu, const char *options, const char *text, uint32_t *words, size_t room,
                  size_t *count);

void llvm_free(char **text, size_t count);

#endif
