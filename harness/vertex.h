/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm that only reads, as vertex shaders that Linux's vc4
 * driver takes. In: the case's rows are attributes of sixteen vertices, which the
 * hardware puts into the VPM before the shader begins, one vertex a column. The
 * shader makes the case's reads with the case's own setup words. Out: what it
 * read are flat varyings, each vertex is a point, and a fragment shader that is
 * the same for all writes them through the tile buffer.
 *
 * The setup engine takes varyings for floats, so that a word goes out as two:
 * its halves, as numbers from 0 to 65535, which are the same in every rounding
 * and in no mode NaN or denormal. A draw shows VERTEX_WORDS of the vectors that
 * were read; a case that reads more is drawn again, in parts.
 *
 * Point n is a square of 16 pixels: pixel k, line by line, has word k of vertex
 * n; of the others one has the stamp and the element's number, and the rest only
 * the stamp.
 *
 * Writes are no part of this: what a vertex shader writes are its vertices.
 *
 * Owns the code and the meaning of pixels; where they lie and how they are drawn
 * is vertex_batch.h's.
 */
#ifndef MISPRINT_HARNESS_VERTEX_H
#define MISPRINT_HARNESS_VERTEX_H

#include "harness/draw_list.h"
#include "model/outcome.h"

enum {
    VERTEX_WORDS = 8,     /* vectors that one draw shows */
    VERTEX_PARTS_MAX = 4, /* the registers hold 32 of them */
    VERTEX_CODE_MAX = 640,
    VERTEX_COPY_MAX = 160, /* of the fragment shader */
};

/* A case that passed, and where it is drawn. */
struct vertex_case {
    unsigned reads, parts;
    uint32_t place_row; /* of the VPM: no read reaches it, so it has the vertices' places */
    uint32_t stamp;     /* the low byte is 0 */
    struct draw_place at[VERTEX_PARTS_MAX];
};

/*
 * Makes the case's program, of unit vc4-qpu. False with an error: it does more than read, the verifier is against it, or it reaches rows that no
 * attribute brings.
 */
bool vertex_prove(const struct test_case *vpm, struct test_case *program, struct vertex_case *v, struct error *e);

unsigned vertex_varyings(const struct vertex_case *v, unsigned part);
unsigned vertex_words(const struct vertex_case *v, unsigned part); /* vectors that it shows */

/* The shader of one part. False with an error: a rule of the kernel's is against it. `code` has room for VERTEX_CODE_MAX instructions. */
bool vertex_build(const struct test_case *program, const struct vertex_case *v, unsigned part, uint32_t *code, unsigned *count, struct error *e);

/* The fragment shader for so many words; its one uniform is vertex_stamp. Returns how many instructions. */
unsigned vertex_make_copy_out(unsigned words, uint32_t code[2 * VERTEX_COPY_MAX]);
uint32_t vertex_stamp(const struct vertex_case *v, unsigned part);

/* The attributes of one part: DRAW_ROWS words a vertex, and the words of its coordinates. `vpm`: the case's rows. */
void vertex_put(const struct vertex_case *v, unsigned part, const uint32_t *vpm, uint32_t *rows, uint32_t *places);

/* Reads a target's pixels, `pitch` words a line, into the outcome. False: a part of it is missing, or vertices are not in their columns. */
bool vertex_collect(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, struct outcome *o);

/* Has it drawn everywhere, on a target that was full of `clear`? */
bool vertex_has_drawn(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, uint32_t clear);

#endif
