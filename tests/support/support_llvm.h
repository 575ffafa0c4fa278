/* SPDX-License-Identifier: MIT */
/* LLVM's assembler and disassembler for AMD GPUs (llvm-mc 19, Debian package llvm-19) as an independent
 * reference. Each call runs llvm-mc once, for a whole batch of instructions. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the command: MISPRINT_LLVM_MC or llvm-mc-19; NULL if it is missing or not version 19. */
const char *llvm_mc(void);

/* Sets text[n] to LLVM's text of a 64-bit instruction, or to NULL if LLVM refuses it. Release with llvm_free.
 * False if llvm-mc cannot run or prints something unexpected. */
bool llvm_disassemble(const char *cpu, const uint64_t *words, size_t count, char **text);

/* Like llvm_disassemble. Each instruction has `room` words of 32 bits, of which `length` returns the number
 * in use. */
bool llvm_disassemble_words(const char *cpu, const uint32_t *words, unsigned room,
                            unsigned (*length)(const uint32_t *words), size_t count, char **text);

/* Sets words[n] to the encoding of text[n]. Sets good[n] if LLVM accepts the line as a 64-bit instruction. */
bool llvm_assemble(const char *cpu, char *const *text, size_t count, uint64_t *words, bool *good);

/* Assembles a program with instructions of any length. `options` go to llvm-mc. False if llvm-mc cannot run
 * or refuses a line; then prints its error. */
bool llvm_program(const char *cpu, const char *options, const char *text, uint32_t *words, size_t room,
                  size_t *count);

void llvm_free(char **text, size_t count);

#endif
