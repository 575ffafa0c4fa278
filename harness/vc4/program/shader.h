/* SPDX-License-Identifier: MIT */
/*
 * A case as a fragment shader that Linux's vc4 driver accepts. The shader has code that sets the case's
 * initial state, the case's own instructions, and code that shows the state after them in pixels. For cases
 * of unit vc4-qpu that pass the verifier and the kernel's rules, and do not use the VPM.
 *
 * Input: the code sets a vector by a constant if all its elements are equal. It loads any other vector by a
 * look-up in a buffer, in the form that the kernel accepts. Output: a rectangle of pixels, 64 wide, in blocks
 * of 8 by 8. Blocks 2r and 2r+1 show row r of the output. No document says which elements the rasteriser
 * gives to which quad of pixels, so one pixel of each quad shows the stamp and its element's number: the
 * first pixel in even blocks, the last one in odd blocks. Each of the other three shows the row's word of its
 * element.
 *
 * The hardware computes a fragment shader's varyings from the place of a pixel, so VARYING_READ returns a
 * value of the pixel, not of the element. The launch can only set varyings that are the same in all elements:
 * VARYING_READ returns 0, and r5 becomes C.
 *
 * Owns the shader's code and the meaning of pixels. shader_launch.h owns where the rectangles are and draws
 * them.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_SHADER_H
#define MISPRINT_HARNESS_VC4_PROGRAM_SHADER_H

#include "harness/verify/verifier.h"
#include "model/core/outcome.h"
#include "model/vc4/vc4.h"

enum {
    SHADER_CODE_MAX = 1000,                          /* instructions */
    SHADER_ROWS_MAX = 73,                            /* rows of the output: both files, accumulators, flags */
    SHADER_INPUT_MAX = 72,                           /* rows of 16 words */
    SHADER_UNIFORMS_MAX = 1 + SHADER_INPUT_MAX + 68, /* words */
    SHADER_BLOCK = 8,                                /* pixels on a side */
    SHADER_WIDTH = 64,
    SHADER_VARYINGS_MAX = 8,
};

/* Where one shader goes. Each part has room for the largest shader. */
struct shader_slot {
    uint32_t *code, *uniforms;
    uint32_t *input;   /* rows of the buffer that look-ups reach */
    uint32_t input_at; /* their offset in the buffer, in bytes */
    uint32_t x, y;     /* first pixel; multiples of SHADER_WIDTH and SHADER_BLOCK */
};

/* A shader in its slot. */
struct shader {
    /* Numbers of instructions, of input rows (one look-up loads each), of words in the uniform stream. */
    unsigned code, input, uniforms;
    unsigned own_lookups; /* look-ups that the case's program makes after those of the input */
    unsigned varyings;    /* varyings that the case's program reads, and their values */
    uint32_t varying[SHADER_VARYINGS_MAX];
    uint32_t stamp; /* bits 3:0 are 0 */
    uint32_t x, y, height;
    unsigned rows;
    uint16_t row[SHADER_ROWS_MAX]; /* the outcome's row for each row of the output */
};

/* What the kernel's rules say about the case's own program alone. */
struct shader_part {
    /* The kernel accepts the program whatever is around it. If not, shader_build checks the whole shader. */
    bool plain;
    uint32_t uniforms; /* words of the stream that the kernel counts for it, if it is plain */
};

/*
 * Proves a case. False with an error: the verifier or a rule of the kernel refuses it, or it needs something
 * that fragment shaders do not have. `room` gets the program that was proven in place of a case that is a
 * fragment shader: the same as a user program without varyings.
 */
bool shader_prove(const struct test_case *c, struct test_case *room, struct verifier_proof *p,
                  struct shader_part *part, struct error *e);

/* Returns the height in pixels that the shader of a case needs. */
uint32_t shader_height(const struct verifier_proof *p);

/*
 * Puts the shader of a case into its slot. `initial` holds the case's initial state (outcome_reset). False
 * with an error: no shader can set this state, or the shader is too long.
 */
bool shader_build(const struct test_case *c, const struct verifier_proof *p, const struct shader_part *part,
                  const struct outcome *initial, uint32_t stamp, const struct shader_slot *slot,
                  struct shader *s, struct error *e);

/*
 * Reads a target's pixels, `pitch` words a line, into the case's outcome, which holds its initial state.
 * False: a part of the rectangle is missing, or pixels contradict each other.
 */
bool shader_collect(const struct shader *s, const uint32_t *target, uint32_t pitch, struct outcome *o);

/* Does no pixel of the shader still hold `clear`, the value that filled the target? */
bool shader_has_drawn(const struct shader *s, const uint32_t *target, uint32_t pitch, uint32_t clear);

#endif
