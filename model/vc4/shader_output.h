/* SPDX-License-Identifier: MIT */
/*
 * Names the VPM rows that coordinate and vertex shaders write, reads vertices from these rows, and checks
 * them. The shaders leave the vertices for the binner (PTB) or the setup engine (PSE): one vertex in each
 * column, one word of it in each row, from row 0 on (p60-61, fig 11).
 */
#ifndef MISPRINT_MODEL_VC4_SHADER_OUTPUT_H
#define MISPRINT_MODEL_VC4_SHADER_OUTPUT_H

#include "model/text/text.h"
#include "model/vc4/qpu/qpu_graphics.h"

/* Words of a vertex before point size and varyings. */
enum { SHADER_COORDINATE_WORDS = 7, SHADER_VERTEX_WORDS = 3, SHADER_WORDS_MAX = 64 };

struct shader_vertex {
    bool has_clip; /* coordinate shaders: clip holds XC YC ZC WC */
    float clip[4], zs, inverse_w;
    int16_t xs, ys; /* sixteenths of a pixel, from the middle of the viewport */
};

/* The name of a row: "xc", "ys:xs", "varying 2"; NULL if the stage does not write the row. `point_size`: the
 * vertex has a word for the point size. */
const char *shader_row_name(enum qpu_stage stage, bool point_size, uint32_t row);

/* Reads the vertex of a column. */
void shader_read(enum qpu_stage stage, const struct vc4_rows *vpm, uint32_t column, struct shader_vertex *v);

/* Checks the rows that a shader wrote (bit n of `written`: row n). Returns false if vertices are wrong; then
 * `why` names them and the error. 1/WC may be off by the SFU's tolerance, 2^-12 of its value. */
bool shader_check(enum qpu_stage stage, const struct vc4_rows *vpm, uint64_t written, struct text *why);

/* Prints the vertices. Equal vertices in neighbouring columns share a line. */
void shader_print(enum qpu_stage stage, const struct vc4_rows *vpm, uint64_t written, struct text *t);

#endif
