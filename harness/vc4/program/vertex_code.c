/* SPDX-License-Identifier: MIT */
/* The code of the shaders that vertex.h describes. */
#include "harness/vc4/program/emit.h"
#include "harness/vc4/program/vertex.h"
#include "harness/vc4/vc4_kernel.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <assert.h>

enum {
    SMALL_HALF = 47, /* the small immediate 0.5 */
    W_REGISTER = 15, /* register of file A in which a fragment shader finds W (p51 T29) */
    /* Register of the file that the case does not use: its reads go to B, its vectors are in A. */
    PLACE = 31,
    HALF_MASK = 0xFFFF,
};

/* ---- the vertex shader ---- */

/* Shifts by 8 twice. A small immediate above 15 is a negative number, and clause shift-amount decides how far
 * it shifts. */
static void emit_shift_half(struct emitter *m, uint8_t op, uint8_t accumulator)
{
    for (unsigned i = 0; i < 2; i++)
        emit_one(m, op, accumulator, accumulator, 8);
}

static void emit_float(struct emitter *m, uint8_t to, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_move(to, 0, mux, raddr);
    i.op_add = QPU_ADD_ITOF;
    emit(m, &i);
}

/* Shows a vector that was read as two varyings. r3 holds the mask of a half. */
static void emit_halves(struct emitter *m, uint8_t read)
{
    emit_move(m, QPU_W_R0, 0, QPU_MUX_B, read);
    emit_two(m, QPU_ADD_AND, 1, 0, 3);
    emit_float(m, QPU_W_VPM, QPU_MUX_R1, 0);
    emit_shift_half(m, QPU_ADD_SHR, 0);
    emit_float(m, QPU_W_VPM, QPU_MUX_R0, 0);
}

/* Sets up a read of input rows. The first read may be the third instruction after the setup (p56). */
static void emit_read_setup(struct emitter *m, uint32_t first, unsigned rows)
{
    emit_set(m, QPU_W_VPM_SETUP, EMIT_FILE_A, rows << VPM_READ_NUM_LOW | SETUP_WHOLE_ROWS | first);
    emit_nops(m, 2);
}

static void emit_row(struct emitter *m, uint32_t row, uint8_t waddr, uint8_t file)
{
    emit_read_setup(m, row, 1);
    emit_move(m, waddr, file, QPU_MUX_A, QPU_R_VPM);
}

/* Writes rows 0 to 2 of the output, the vertex's place. */
static void emit_place(struct emitter *m, uint8_t mux)
{
    emit_set(m, QPU_W_VPM_SETUP, EMIT_FILE_B, SETUP_WHOLE_ROWS);
    emit_move(m, QPU_W_VPM, 0, mux, PLACE);
    emit_set(m, QPU_W_VPM, 0, DRAW_POINT_Z);
    emit_set(m, QPU_W_VPM, 0, DRAW_POINT_W);
}

static void emit_number(struct emitter *m)
{
    emit_float(m, QPU_W_VPM, QPU_MUX_A, QPU_R_NUMBER);
}

/* Reads everything before it first writes, because no document says whether the rows of the input are those
 * of the output. */
static void emit_reading(struct emitter *m, const struct qpu_case *program, const struct vertex_case *v,
                         unsigned part)
{
    emit_row(m, v->place_row, PLACE, EMIT_FILE_A);
    emit_body(m, program);
    emit_place(m, QPU_MUX_A);
    emit_number(m);
    emit_set(m, QPU_W_R3, 0, HALF_MASK);
    for (unsigned i = 0; i < vertex_words(v, part); i++)
        emit_halves(m, (uint8_t)(VERTEX_WORDS * part + i));
}

/* First copies the case's rows from the input to the output, row by row at the same places, in case the two
 * are the same rows. */
static void emit_writing(struct emitter *m, const struct qpu_case *program, const struct vertex_case *v)
{
    emit_row(m, v->place_row, PLACE, EMIT_FILE_B);
    for (uint32_t i = 0; i < program->ra.count; i++)
        emit_row(m, VERTEX_DATA_ROW + program->ra.row[i].index, (uint8_t)program->ra.row[i].index,
                 EMIT_FILE_A);
    emit_read_setup(m, VERTEX_FIRST_ROW, VERTEX_ROWS);
    emit_set(m, QPU_W_VPM_SETUP, EMIT_FILE_B, SETUP_WHOLE_ROWS | VERTEX_FIRST_ROW);
    for (unsigned i = 0; i < VERTEX_ROWS; i++) {
        emit_move(m, QPU_W_R0, 0, QPU_MUX_A, QPU_R_VPM);
        emit_move(m, QPU_W_VPM, 0, QPU_MUX_R0, 0);
    }
    emit_body(m, program);
    emit_place(m, QPU_MUX_B);
    emit_set(m, QPU_W_VPM_SETUP, EMIT_FILE_B, SETUP_WHOLE_ROWS | VERTEX_KNOWN_ROW);
    emit_set(m, QPU_W_VPM, 0, VERTEX_KNOWN_WORD);
    emit_number(m);
}

bool vertex_build(const struct test_case *program, const struct vertex_case *v, unsigned part, uint32_t *code,
                  unsigned *count, struct error *e)
{
    const struct qpu_case *c = (const void *)program->words;
    struct emitter m = {.room = VERTEX_CODE_MAX};
    /* The kernel always accepts the code around a plain program (tests/harness/test_vertex.c). */
    struct vc4_kernel_shader k;
    m.at = code;
    if (v->reads)
        emit_reading(&m, c, v, part);
    else
        emit_writing(&m, c, v);
    emit_signal(&m, QPU_SIG_END);
    emit_nops(&m, EMIT_END_INSTRUCTIONS - 1);
    assert(!m.full); /* no case's program is long enough to fill it */
    *count = m.count;
    return v->plain || vc4_kernel_accepts(code, m.count, &k, e) ||
           error_where(e, "the kernel's validator refuses it as a vertex shader");
}

/* ---- the fragment shader ---- */

/* Reads the next varying: VARYING_READ times W goes to an accumulator, and the vertex's word, C, to r5 (p51).
 */
static void emit_varying(struct emitter *m, uint8_t accumulator)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    i.op_mul = QPU_MUL_FMUL;
    i.cond_mul = QPU_COND_ALWAYS;
    i.waddr_mul = (uint8_t)(QPU_W_R0 + accumulator);
    i.mul_a = QPU_MUX_A;
    i.raddr_a = W_REGISTER;
    i.mul_b = QPU_MUX_B;
    i.raddr_b = QPU_R_VARYING;
    emit(m, &i);
    emit_nops(m, 1);
}

/*
 * Reads the varyings that the hardware puts before those of the vertex: the pixel's place in the point. The
 * shader record does not count them. This shader has no use for them, but every shader has to read them
 * (Mesa, vc4_program.c: point_x and point_y, which no optimisation there removes).
 */
static void emit_place_in_point(struct emitter *m)
{
    for (unsigned i = 0; i < DRAW_POINT_VARYINGS; i++)
        emit_varying(m, 1);
}

/* Reads the next varying and rounds it to a whole number. */
static void emit_whole(struct emitter *m, uint8_t accumulator)
{
    emit_varying(m, accumulator);
    emit_two(m, QPU_ADD_FADD, accumulator, accumulator, 5);
    emit_one(m, QPU_ADD_FADD, accumulator, accumulator,
             SMALL_HALF); /* ftoi truncates, and the varying may be a little too small */
    emit_two(m, QPU_ADD_FTOI, accumulator, accumulator, accumulator);
}

/* Adds r3 = op(accumulator x, r1), only in the pixel whose number (r0) is `pixel`. A pixel shows r3. */
static void emit_show(struct emitter *m, uint8_t op, uint8_t pixel, uint8_t x)
{
    struct qpu_insn i = emit_make_small(QPU_ADD_XOR, QPU_W_NOTHING, 0, QPU_MUX_R0, 0, pixel);
    i.sf = 1;
    emit(m, &i);
    i = emit_make_move(QPU_W_R3, 0, (uint8_t)(QPU_MUX_R0 + x), 0);
    i.op_add = op;
    i.add_b = QPU_MUX_R1;
    i.cond_add = QPU_COND_ZS;
    emit(m, &i);
}

/* Sets r0 to the pixel's number in its point. Uses r1. */
static void emit_pixel_number(struct emitter *m)
{
    emit_small(m, QPU_ADD_AND, QPU_W_R0, 0, QPU_MUX_A, QPU_R_COORDINATE, DRAW_POINT_PIXELS - 1);
    emit_move(m, QPU_W_R0 + 1, 0, QPU_MUX_B, QPU_R_COORDINATE);
    emit_one(m, QPU_ADD_AND, 1, 1, DRAW_POINT_PIXELS - 1);
    emit_one(m, QPU_ADD_SHL, 1, 1, 2);
    emit_two(m, QPU_ADD_ADD, 0, 0, 1);
}

static void emit_element_number(struct emitter *m)
{
    emit_whole(m, 1);
    emit_show(m, QPU_ADD_ADD, VERTEX_NUMBER_PIXEL, 3);
}

static void show_reads(struct emitter *m, unsigned words)
{
    emit_element_number(m);
    for (unsigned k = 0; k < words; k++) {
        emit_whole(m, 1);
        emit_whole(m, 2);
        emit_shift_half(m, QPU_ADD_SHL, 2);
        emit_show(m, QPU_ADD_OR, (uint8_t)k, 2);
    }
}

/* Shows varyings that need not be numbers. Uses only C (r5), which is the unchanged word. */
static void show_rows(struct emitter *m)
{
    for (uint32_t row = VERTEX_FIRST_ROW; row <= VERTEX_KNOWN_ROW; row++) {
        emit_varying(m, 1);
        emit_two(m, QPU_ADD_MOV, 1, 5, 5);
        if (row < VERTEX_FIRST_ROW + VERTEX_ROWS || row == VERTEX_KNOWN_ROW)
            emit_show(m, QPU_ADD_OR,
                      (uint8_t)(row == VERTEX_KNOWN_ROW ? VERTEX_KNOWN_PIXEL : row - VERTEX_FIRST_ROW), 1);
    }
    emit_element_number(m);
}

unsigned vertex_make_copy_out(unsigned kind, uint32_t code[2 * VERTEX_COPY_MAX])
{
    struct emitter m = {.room = VERTEX_COPY_MAX};
    m.at = code;
    emit_pixel_number(&m);
    emit_move(&m, QPU_W_R3, 0, QPU_MUX_A, QPU_R_UNIFORM);
    emit_place_in_point(&m);
    if (kind < VERTEX_WORDS)
        show_reads(&m, kind + 1);
    else
        show_rows(&m);
    emit_colour(&m, QPU_MUX_R3, 0);
    assert(!m.full);
    return m.count;
}
