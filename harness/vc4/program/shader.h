/* SPDX-License-Identifier: MIT */
/*
 * A case as a fragment shader that Linux's vc4 driver takes: code that brings
 * about the case's initial state, the case's own instructions, and code that
 * shows in pixels what they left. Cases of unit vc4-qpu that the verifier and
 * the kernel's rules let pass, and that leave the VPM alone.
 *
 * In: constants, and vectors that differ between elements by look-ups in a
 * buffer, of the form that the kernel allows. Out: a rectangle of pixels, 64
 * wide, in blocks of 8 by 8; blocks 2r and 2r+1 show row r of the output. Which
 * elements the rasteriser gives to which quad of pixels is its own affair, so
 * each quad says so itself: in even blocks its first pixel, in odd ones its last
 * holds the stamp and the element's number, the other three hold the row's words
 * of their elements.
 *
 * A fragment shader's varyings are the hardware's: what VARYING_READ gives
 * belongs to a pixel, not to an element, so only varyings that are the same
 * everywhere can be asked for: VARYING_READ gives 0, and r5 gets C.
 *
 * Owns the code and the meaning of pixels; where they lie and how they are drawn
 * is shader_batch.h's.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_SHADER_H
#define MISPRINT_HARNESS_VC4_PROGRAM_SHADER_H

#include "harness/verify/verifier.h"
#include "model/core/outcome.h"
#include "model/vc4/vc4.h"

enum {
    SHADER_CODE_MAX = 1000,                          /* instructions */
    SHADER_ROWS_MAX = 73,                            /* of the output: both files, accumulators, flags */
    SHADER_INPUT_MAX = 72,                           /* rows of 16 words */
    SHADER_UNIFORMS_MAX = 1 + SHADER_INPUT_MAX + 68, /* words */
    SHADER_BLOCK = 8,                                /* pixels on a side */
    SHADER_WIDTH = 64,
    SHADER_VARYINGS_MAX = 8,
};

/* Where one shader goes: room for the most of each kind. */
struct shader_slot {
    uint32_t *code, *uniforms;
    uint32_t *input;   /* rows in the buffer that look-ups reach ... */
    uint32_t input_at; /* ... from this offset on, in bytes */
    uint32_t x, y;     /* first pixel; multiples of SHADER_WIDTH and SHADER_BLOCK */
};

/* A shader that was put into its slot. */
struct shader {
    unsigned code, input, uniforms; /* instructions, rows (as many look-ups), words of the stream */
    unsigned own_lookups;           /* that the case's program makes, behind these */
    unsigned varyings;              /* that the case's program reads, and what each is everywhere */
    uint32_t varying[SHADER_VARYINGS_MAX];
    uint32_t stamp; /* bits 3:0 are 0 */
    uint32_t x, y, height;
    unsigned rows;
    uint16_t row[SHADER_ROWS_MAX]; /* of each row of the output: its number in the outcome */
};

/* What the kernel says of the case's own program, whatever stands around it; all 0: that depends. */
struct shader_part {
    bool plain; /* it takes it, and counts so many words of the stream */
    uint32_t uniforms;
};

/*
 * False with an error: the verifier, or a rule of the kernel's, is against it, or it needs what fragment
 * shaders have not. `room` is room for a case.
 */
bool shader_prove(const struct test_case *c, struct test_case *room, struct verifier_proof *p,
                  struct shader_part *part, struct error *e);

/* Pixels that the shader of a case wants from top to bottom. */
uint32_t shader_height(const struct verifier_proof *p);

/*
 * Puts the shader of a case into its slot. `initial` holds the case's initial
 * state (outcome_reset). False with an error: a state that no shader can bring
 * about, or too long.
 */
bool shader_build(const struct test_case *c, const struct verifier_proof *p, const struct shader_part *part,
                  const struct outcome *initial, uint32_t stamp, const struct shader_slot *slot,
                  struct shader *s, struct error *e);

/*
 * Reads a target's pixels, `pitch` words a line, into the outcome that
 * shader_build was given. False: a part of it is missing, or its pixels
 * contradict each other.
 */
bool shader_collect(const struct shader *s, const uint32_t *target, uint32_t pitch, struct outcome *o);

/* Has it drawn everywhere, on a target that was full of `clear`? */
bool shader_has_drawn(const struct shader *s, const uint32_t *target, uint32_t pitch, uint32_t clear);

#endif
