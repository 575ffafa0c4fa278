/* SPDX-License-Identifier: MIT */
/*
 * A case of unit vc4-vpm that only reads, or only writes, as vertex shaders that Linux's vc4 driver accepts.
 *
 * Input: the case's VPM rows are the attributes of sixteen vertices. The hardware writes them to the VPM
 * before the shader begins, one vertex to each column. The shader makes the case's accesses with the case's
 * own setup words. Output: flat varyings. Each vertex is a point. A fragment shader, which is one of
 * VERTEX_COPIES for all cases, writes the point's varyings to pixels through the tile buffer. The hardware
 * puts two varyings of its own before them (DRAW_POINT_VARYINGS).
 *
 * A case that reads: the setup engine treats varyings as floats. So the shader writes each word that it read
 * as two varyings: the word's halves, as numbers from 0 to 65535, which no rounding and no float mode
 * changes. One draw shows VERTEX_WORDS of the vectors that were read. A case that reads more has several
 * draws, its parts.
 *
 * A case that writes: the rows that the shader writes are the vertices. Rows 0 to 2 hold the vertex's place.
 * Rows from VERTEX_FIRST_ROW on are varyings, which the fragment shader shows unchanged. Words that are not
 * plain floats count as not recorded. No case writes row VERTEX_KNOWN_ROW, so the shader writes a known word
 * to it. If this word comes back wrong, vertex_collect rejects all results of the case.
 *
 * Point n is a square of 16 pixels. Pixel k, line by line, shows word k of vertex n. Pixel
 * VERTEX_NUMBER_PIXEL shows the stamp and the element's number. The pixels that are left show the stamp.
 *
 * Owns the shaders' code (vertex_code.c) and the meaning of pixels. vertex_launch.h owns where the points are
 * and draws them.
 */
#ifndef MISPRINT_HARNESS_VC4_PROGRAM_VERTEX_H
#define MISPRINT_HARNESS_VC4_PROGRAM_VERTEX_H

#include "harness/vc4/command_list.h"
#include "model/core/outcome.h"

enum {
    VERTEX_WORDS = 8,     /* vectors that one draw shows */
    VERTEX_PARTS_MAX = 4, /* the registers hold 32 vectors */
    VERTEX_CODE_MAX = 704,
    VERTEX_COPY_MAX = 160, /* instructions of a fragment shader */
    VERTEX_COPIES = VERTEX_WORDS + 1,
    VERTEX_NUMBER_PIXEL = 14,
    /* in a case that writes */
    VERTEX_FIRST_ROW = 3,
    VERTEX_ROWS = 13,      /* rows that are shown */
    VERTEX_KNOWN_ROW = 17, /* not 16, which is row 4 under the reading row-div-4 */
    VERTEX_KNOWN_PIXEL = VERTEX_ROWS,
    VERTEX_DATA_ROW = 18, /* input row that holds the first vector for the case to write */
};
#define VERTEX_KNOWN_WORD UINT32_C(0xC2ABCDEF)

/* A case that was proven, and where it is drawn. */
struct vertex_case {
    unsigned reads, parts; /* if `reads` is 0, the case writes */
    uint32_t place_row;    /* VPM row that holds the vertices' places, because no read reaches it */
    uint32_t stamp;        /* the low byte is 0 */
    bool plain;            /* the kernel accepts the case's own program, whatever is around it */
    struct draw_place at[VERTEX_PARTS_MAX];
};

/*
 * Makes the case's program, a case of unit vc4-qpu. False with an error: the case does more than only read or
 * only write, the verifier refuses it, or it reads a row that is no attribute, or writes a row that is no
 * varying.
 */
bool vertex_prove(const struct test_case *vpm, struct test_case *program, struct vertex_case *v,
                  struct error *e);

unsigned vertex_varyings(const struct vertex_case *v, unsigned part);
unsigned vertex_words(const struct vertex_case *v, unsigned part); /* words that a point shows */

/* Makes the shader of one part. False with an error: a rule of the kernel refuses it. `code` has room for
 * VERTEX_CODE_MAX instructions. */
bool vertex_build(const struct test_case *program, const struct vertex_case *v, unsigned part, uint32_t *code,
                  unsigned *count, struct error *e);

/* vertex_copy_out returns which of the VERTEX_COPIES fragment shaders shows a part. vertex_make_copy_out
 * makes one of them and returns its number of instructions. The shader's only uniform is vertex_stamp. */
unsigned vertex_copy_out(const struct vertex_case *v, unsigned part);
unsigned vertex_make_copy_out(unsigned kind, uint32_t code[2 * VERTEX_COPY_MAX]);
uint32_t vertex_stamp(const struct vertex_case *v, unsigned part);

/* Writes the attributes of one part, DRAW_ROWS words a vertex. `vpm`: the case's rows. */
void vertex_put(const struct test_case *program, const struct vertex_case *v, unsigned part,
                const uint32_t *vpm, uint32_t *rows);
/* Writes the coordinates of everything that is drawn at a place, DRAW_VERTEX_WORDS words a vertex. */
void vertex_put_places(const struct draw_place *at, uint32_t *places);

/* Reads a target's pixels, `pitch` words a line, into the outcome. False: a part of it is missing, or
 * vertices are not in their columns. */
bool vertex_collect(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, struct outcome *o);

/* Has the shader drawn all its pixels on a target that was full of `clear`? */
bool vertex_has_drawn(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, uint32_t clear);

#endif
