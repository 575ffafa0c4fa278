/* SPDX-License-Identifier: MIT */
/*
 * A case as a program that a real QPU can run by itself. The program has code that sets the case's initial
 * state, the case's own instructions, and code that writes to memory everything that they may have changed,
 * and a stamp after it. For cases of unit vc4-qpu that pass the verifier.
 *
 * The program loads and dumps only what the proof names. It does so through the VPM, which all programs
 * share, so it holds the QPUs' mutex meanwhile. A program whose case uses the VPM, or reads memory through
 * caches, holds the mutex from beginning to end. All other programs run their cases' instructions at the same
 * time. All cases have their memory in one window at a fixed address, so that addresses are the same as in
 * the model. Each program copies the rows that its case accesses to the window, and after the case copies the
 * rows that the case may have written to its output.
 *
 * Owns the program's code and the layout of its data. user_launch.h owns their places in memory and launches
 * the programs.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_WRAPPER_H
#define MISPRINT_HARNESS_VC4_PROGRAM_WRAPPER_H

#include "harness/verify/verifier.h"
#include "model/vc4/vc4.h"

enum {
    WRAPPER_CODE_MAX = 1024, /* instructions */
    WRAPPER_INPUT_MAX = 400, /* rows of 16 words */
    WRAPPER_OUTPUT_MAX = 400,
    WRAPPER_UNIFORMS_MAX = 68, /* words, with some after the last one, because QPUs read ahead */
    WRAPPER_POISON = 0x7B7B7B7B,
};

/* A place in memory that processor and QPUs share. */
struct wrapper_area {
    volatile uint32_t *at; /* as the processor sees it (gpu_memory.h) */
    uint32_t bus;          /* as QPUs see it; a multiple of 64 */
};

/* Where one program goes. Each area has room for the largest program. */
struct wrapper_slot {
    struct wrapper_area code, input, output, uniforms;
    uint32_t window; /* bus address of the case's memory */
};

/* The words that go into a slot. */
struct wrapper_image {
    /* Number of the case's first own instruction, and how many there are. */
    uint32_t body, body_count;
    uint32_t code_count, input_rows, uniform_count; /* zeros follow the case's uniforms */
    uint32_t code[2 * WRAPPER_CODE_MAX];
    uint32_t input[WRAPPER_INPUT_MAX * VC4_LANES];
    uint32_t uniforms[WRAPPER_UNIFORMS_MAX];
};

/* A program that was made for a slot. */
struct wrapper_program {
    unsigned code, input, outputs; /* numbers of instructions, of input rows, of output rows */
    uint32_t stamp;
    uint16_t row[WRAPPER_OUTPUT_MAX]; /* the outcome's row for each row of the output, or WRAPPER_NO_ROW */
};
enum { WRAPPER_NO_ROW = 0xFFFF };

/*
 * Makes the program of a case for a slot, but does not write the slot. `initial` holds the case's initial
 * state (outcome_reset). False with an error: no program can set this state, or it is too long.
 */
bool wrapper_build(const struct test_case *c, const struct verifier_proof *p, const struct outcome *initial,
                   uint32_t stamp, const struct wrapper_slot *slot, struct wrapper_image *image,
                   struct wrapper_program *w, struct error *e);

/* Writes the program into its slot, and poison into its output. */
void wrapper_place(const struct wrapper_image *image, const struct wrapper_program *w,
                   const struct wrapper_slot *slot);

/* Reads a program's output into the case's outcome, which holds its initial state. False: the program did not
 * end, or a row of its output is missing. */
bool wrapper_collect(const struct wrapper_program *w, const volatile uint32_t *output, struct outcome *o);

#endif
