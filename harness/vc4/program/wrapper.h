/* SPDX-License-Identifier: MIT */
/*
 * A case as a program that real QPUs can run by themselves: code that brings
 * about the case's initial state, the case's own instructions, code that writes
 * all they may have changed to memory, and a stamp behind it. Cases of unit
 * vc4-qpu that the verifier has let pass.
 *
 * Only what the proof names is loaded and dumped. The VPM is the one way in and
 * out, and all programs share it, so it is used under the QPUs' mutex; a program
 * that uses the VPM itself keeps the mutex from beginning to end, all others run
 * their own instructions beside each other. The case's memory is one window at a
 * fixed address, so that addresses are the same as in the model; its rows are
 * copied in and out by each program.
 *
 * Owns the code and the layout of its data; where they lie and how they are
 * launched is batch.h's.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_WRAPPER_H
#define MISPRINT_HARNESS_VC4_PROGRAM_WRAPPER_H

#include "harness/verify/verifier.h"
#include "model/vc4/vc4.h"

enum {
    WRAPPER_CODE_MAX = 1024, /* instructions */
    WRAPPER_INPUT_MAX = 400, /* rows of 16 words, as all below */
    WRAPPER_OUTPUT_MAX = 400,
    WRAPPER_UNIFORMS_MAX = 68, /* words: QPUs read ahead, so some follow the last */
    WRAPPER_POISON = 0x7B7B7B7B,
};

/* A place in memory that both sides see. */
struct wrapper_area {
    volatile uint32_t *at; /* as the processor sees it (gpu_memory.h) */
    uint32_t bus;          /* as QPUs see it; a multiple of 64 */
};

/* Where one program goes. Each area has room for the most of its kind. */
struct wrapper_slot {
    struct wrapper_area code, input, output, uniforms;
    uint32_t window; /* bus address of the case's memory */
};

/* What goes into a slot, word for word. */
struct wrapper_image {
    uint32_t body, body_count; /* which instructions are the case's own: the first, how many */
    uint32_t code_count, input_rows, uniform_count; /* uniform_count: of the case; zeros follow */
    uint32_t code[2 * WRAPPER_CODE_MAX];
    uint32_t input[WRAPPER_INPUT_MAX * VC4_LANES];
    uint32_t uniforms[WRAPPER_UNIFORMS_MAX];
};

/* A program that was made for its slot. */
struct wrapper_program {
    unsigned code, input, outputs; /* instructions, rows, rows */
    uint32_t stamp;
    uint16_t
        row[WRAPPER_OUTPUT_MAX]; /* of each row of the output: its number in the outcome, or WRAPPER_NO_ROW */
};
enum { WRAPPER_NO_ROW = 0xFFFF };

/*
 * Makes the program of a case for a slot, and puts nothing there. `initial` holds the case's initial state
 * (outcome_reset). False with an error: a state that no program can bring about, or too long.
 */
bool wrapper_build(const struct test_case *c, const struct verifier_proof *p, const struct outcome *initial,
                   uint32_t stamp, const struct wrapper_slot *slot, struct wrapper_image *image,
                   struct wrapper_program *w, struct error *e);

/* Puts it into its slot, and poison into its output. */
void wrapper_place(const struct wrapper_image *image, const struct wrapper_program *w,
                   const struct wrapper_slot *slot);

/* Reads its output into the outcome that wrapper_build was given. False: it did not come to its end, or a row
 * of its output is missing. */
bool wrapper_collect(const struct wrapper_program *w, const volatile uint32_t *output, struct outcome *o);

#endif
