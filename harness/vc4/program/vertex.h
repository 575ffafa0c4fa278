/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm that only reads, or only writes, as vertex shaders that
 * Linux's vc4 driver takes. In: rows are attributes of sixteen vertices, which
 * the hardware puts into the VPM before the shader begins, one vertex a column.
 * The shader makes the case's accesses with the case's own setup words. Out:
 * flat varyings; each vertex is a point, and a fragment shader that is the same
 * for all writes them through the tile buffer; the two that a point has by itself
 * come first.
 *
 * The setup engine takes varyings for floats, so a word that was read goes out
 * as two: its halves, as numbers from 0 to 65535, which are the same in every
 * rounding and in no mode NaN or denormal. A draw shows VERTEX_WORDS of the
 * vectors that were read; a case that reads more is drawn again, in parts.
 *
 * What a shader writes are its vertices: rows 0 to 2 the place, and from
 * VERTEX_FIRST_ROW on varyings, which are shown as they come. Those that are no
 * plain floats count as not recorded. One row that no case writes has a known
 * word, without which nothing of the case is believed.
 *
 * Point n is a square of 16 pixels: pixel k, line by line, has word k of vertex
 * n; of the others one has the stamp and the element's number, and the rest only
 * the stamp.
 *
 * Owns the code (vertex_code.c) and the meaning of pixels; where they lie and
 * how they are drawn is vertex_batch.h's.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_VERTEX_H
#define MISPRINT_HARNESS_VC4_PROGRAM_VERTEX_H

#include "harness/vc4/command_list.h"
#include "model/core/outcome.h"

enum {
    VERTEX_WORDS = 8,     /* vectors that one draw shows */
    VERTEX_PARTS_MAX = 4, /* the registers hold 32 of them */
    VERTEX_CODE_MAX = 704,
    VERTEX_COPY_MAX = 160, /* of a fragment shader */
    VERTEX_COPIES = VERTEX_WORDS + 1,
    VERTEX_NUMBER_PIXEL = 14,
    /* of a case that writes */
    VERTEX_FIRST_ROW = 3,
    VERTEX_ROWS = 13,      /* that are shown */
    VERTEX_KNOWN_ROW = 17, /* row 16 is left out: it is row 4 where rows count fours */
    VERTEX_KNOWN_PIXEL = VERTEX_ROWS,
    VERTEX_DATA_ROW = 18, /* of the input: the first of the vectors that it writes */
};
#define VERTEX_KNOWN_WORD UINT32_C(0xC2ABCDEF)

/* A case that passed, and where it is drawn. */
struct vertex_case {
    unsigned reads, parts; /* no reads: it writes */
    uint32_t place_row;    /* of the VPM: no read reaches it, so it has the vertices' places */
    uint32_t stamp;        /* the low byte is 0 */
    bool plain;            /* the kernel takes the case's own program, whatever stands around it */
    struct draw_place at[VERTEX_PARTS_MAX];
};

/*
 * Makes the case's program, of unit vc4-qpu. False with an error: it does more than either, the verifier is
 * against it, or it reaches rows that no attribute brings or no varying shows.
 */
bool vertex_prove(const struct test_case *vpm, struct test_case *program, struct vertex_case *v,
                  struct error *e);

unsigned vertex_varyings(const struct vertex_case *v, unsigned part);
unsigned vertex_words(const struct vertex_case *v, unsigned part); /* of a point that it shows */

/* The shader of one part. False with an error: a rule of the kernel's is against it. `code` has room for
 * VERTEX_CODE_MAX instructions. */
bool vertex_build(const struct test_case *program, const struct vertex_case *v, unsigned part, uint32_t *code,
                  unsigned *count, struct error *e);

/* Which of the VERTEX_COPIES fragment shaders shows a part; makes one of them. Its one uniform is
 * vertex_stamp. Returns how many instructions. */
unsigned vertex_copy_out(const struct vertex_case *v, unsigned part);
unsigned vertex_make_copy_out(unsigned kind, uint32_t code[2 * VERTEX_COPY_MAX]);
uint32_t vertex_stamp(const struct vertex_case *v, unsigned part);

/* The attributes of one part: DRAW_ROWS words a vertex. `vpm`: the case's rows. */
void vertex_put(const struct test_case *program, const struct vertex_case *v, unsigned part,
                const uint32_t *vpm, uint32_t *rows);
/* Its coordinates, the same for all that is drawn there: DRAW_VERTEX_WORDS words a vertex. */
void vertex_put_places(const struct draw_place *at, uint32_t *places);

/* Reads a target's pixels, `pitch` words a line, into the outcome. False: a part of it is missing, or
 * vertices are not in their columns. */
bool vertex_collect(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, struct outcome *o);

/* Has it drawn everywhere, on a target that was full of `clear`? */
bool vertex_has_drawn(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, uint32_t clear);

#endif
