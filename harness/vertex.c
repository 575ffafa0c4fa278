/* SPDX-License-Identifier: MIT */
#include "harness/vertex.h"

#include "harness/emit.h"
#include "harness/vc4_kernel.h"
#include "harness/verifier.h"
#include "harness/vpm_program.h"
#include "model/memory.h"
#include "model/vc4/unit_vpm.h"
#include "model/vc4/vpm_address.h"
#include "model/vc4/vpm_setup.h"

#include <assert.h>
#include <string.h>

enum {
    NUMBER_PIXEL = 14, /* of a point's 16: the stamp and the element's number */
    STAMP_PIXEL = 15,
    PART_SHIFT = 4,
    POINTS_ACROSS = DRAW_POINTS_PIXELS / DRAW_POINT_PIXELS,
    SMALL_HALF = 47, /* the small immediate 0.5 */
    W_REGISTER = 15, /* of file A, as a fragment shader begins (p51 T29) */
    PLACE = 0,       /* the vertex shader's ra0; the case's reads are in file B */
    HALF_MASK = 0xFFFF,
};
/* Horizontal, 32 bits, a row a vector. */
#define PLAIN_ROWS (1U << VPM_WRITE_STRIDE_LOW | 1U << VPM_WRITE_HORIZ_LOW | 2U << VPM_WRITE_SIZE_LOW)
#define ALL_ROWS   ((UINT64_C(1) << DRAW_ROWS) - 1)

/* ---- which cases ---- */

static const char writes[] = "a vertex shader's writes are its vertices, which nothing gives back bit by bit: only reads go this way";
static const char no_dma[] = "the kernel lets no shader start a DMA, so there is none to wait for either";
static const char *const refusals[VPM_OP_CODES] = {
    [VPM_OP_WR_SETUP] = writes, [VPM_OP_WRITE] = writes,   [VPM_OP_ST_ADDR] = no_dma, [VPM_OP_LD_ADDR] = no_dma,
    [VPM_OP_ST_WAIT] = no_dma,  [VPM_OP_LD_WAIT] = no_dma, [VPM_OP_ST_BUSY] = no_dma, [VPM_OP_LD_BUSY] = no_dma,
};

/* Rows that a vector at this address could be read from, in any way that ADDR is understood. */
static uint64_t rows_reached(const struct vpm_mode *m, uint32_t address)
{
    static const struct vpm_addressing ways[] = {{63, 0, 0}, {63, 2, 0}, {15, 0, 0}, {15, 2, 0}};
    uint64_t rows = 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct vpm_span s = vpm_locate(m, &ways[i], address);
        unsigned count = m->horizontal ? 1 : (unsigned)VC4_LANES / m->per_word;
        rows |= ((UINT64_C(1) << count) - 1) << s.row;
    }
    return rows;
}

static bool reads_only(const struct vpm_case *c, struct error *e)
{
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t code = c->op[i][1] & VPM_OP_CODE_MASK;
        const char *why = code < VPM_OP_CODES ? refusals[code] : NULL;
        if (code == VPM_OP_RD_SETUP && SETUP_FIELD(c->op[i][0], VDR_ID))
            why = no_dma;
        if (why)
            return error_set(e, "operation %lu: %s", (unsigned long)i, why);
    }
    return true;
}

/* Counts the reads of a case that the verifier has passed, and finds a row that none of them reaches. */
static bool plan(const struct vpm_case *c, struct vertex_case *v, struct error *e)
{
    const struct vpm_mode *m = vpm_modes;
    uint64_t reached = 0;
    uint32_t address[2] = {0}, stride[2] = {0}; /* where a stride of 0 is 64, and where it is 0 */
    v->reads = 0;
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t word = c->op[i][0], code = c->op[i][1] & VPM_OP_CODE_MASK;
        if (code == VPM_OP_RD_SETUP) {
            m = &vpm_modes[word >> VPM_READ_SIZE_LOW & (VPM_MODES - 1)];
            address[0] = address[1] = SETUP_FIELD(word, VPM_READ_ADDR);
            stride[1] = SETUP_FIELD(word, VPM_READ_STRIDE);
            stride[0] = setup_count(stride[1], 64);
        } else if (code == VPM_OP_READ) {
            for (unsigned way = 0; way < 2; address[way] += stride[way], way++)
                reached |= rows_reached(m, address[way]);
            v->reads++;
        }
    }
    if (!v->reads)
        return error_set(e, "it reads nothing of the VPM, and nothing else is seen here");
    if (reached & ~ALL_ROWS)
        return error_set(e, "it reads row %d of the VPM; attributes bring rows 0 to %d", DRAW_ROWS, DRAW_ROWS - 1);
    if (reached == ALL_ROWS)
        return error_set(e, "it reads all rows of the VPM that attributes bring, and one must hold the vertices' places");
    v->place_row = (uint32_t)__builtin_ctzll(~reached);
    v->parts = (v->reads + VERTEX_WORDS - 1) / VERTEX_WORDS;
    return true;
}

bool vertex_prove(const struct test_case *vpm, struct test_case *program, struct vertex_case *v, struct error *e)
{
    const struct vpm_case *c = (const void *)vpm->words;
    struct verifier_proof proof;
    return reads_only(c, e) && vpm_program_make(vpm, MEMORY_BASE_DEFAULT, program, e) && verifier_prove(program, MEMORY_BASE_DEFAULT, &proof, e) &&
           plan(c, v, e);
}

unsigned vertex_words(const struct vertex_case *v, unsigned part)
{
    unsigned left = v->reads - VERTEX_WORDS * part;
    return left < VERTEX_WORDS ? left : VERTEX_WORDS;
}

/* The element's number, and the two halves of each word. */
static unsigned varyings_of(unsigned words)
{
    return 1 + 2 * words;
}

unsigned vertex_varyings(const struct vertex_case *v, unsigned part)
{
    return varyings_of(vertex_words(v, part));
}

uint32_t vertex_stamp(const struct vertex_case *v, unsigned part)
{
    return v->stamp | part << PART_SHIFT;
}

/* ---- the vertex shader ---- */

static void emit_two(struct emitter *m, uint8_t op, uint8_t to, uint8_t x, uint8_t y)
{
    struct qpu_insn i = emit_make_move(to, 0, (uint8_t)(QPU_MUX_R0 + x), 0);
    i.op_add = op;
    i.add_b = (uint8_t)(QPU_MUX_R0 + y);
    emit(m, &i);
}

static void emit_one(struct emitter *m, uint8_t op, uint8_t to, uint8_t x, uint8_t small)
{
    emit_small(m, op, to, 0, (uint8_t)(QPU_MUX_R0 + x), 0, small);
}

/* By eights, because what becomes of a shift's amount above 15 as a small immediate is a clause of its own. */
static void emit_shift_half(struct emitter *m, uint8_t op, uint8_t accumulator)
{
    for (unsigned i = 0; i < 2; i++)
        emit_one(m, op, (uint8_t)(QPU_W_R0 + accumulator), accumulator, 8);
}

static void emit_float(struct emitter *m, uint8_t to, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_move(to, 0, mux, raddr);
    i.op_add = QPU_ADD_ITOF;
    emit(m, &i);
}

/* One of the vectors that were read, as two varyings. r3 holds the mask of a half. */
static void emit_halves(struct emitter *m, uint8_t read)
{
    emit_move(m, QPU_W_R0, 0, QPU_MUX_B, read);
    emit_two(m, QPU_ADD_AND, QPU_W_R0 + 1, 0, 3);
    emit_float(m, QPU_W_VPM, QPU_MUX_R1, 0);
    emit_shift_half(m, QPU_ADD_SHR, 0);
    emit_float(m, QPU_W_VPM, QPU_MUX_R0, 0);
}

/* All that it reads it reads before it first writes: nobody says whether rows of the input are those of the output. */
bool vertex_build(const struct test_case *program, const struct vertex_case *v, unsigned part, uint32_t *code, unsigned *count, struct error *e)
{
    struct emitter m = {.at = code, .room = VERTEX_CODE_MAX};
    struct vc4_kernel_shader k;
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_A, 1U << VPM_READ_NUM_LOW | PLAIN_ROWS | v->place_row);
    emit_nops(&m, 2); /* three instructions stand between a read's setup and the first read (p56) */
    emit_move(&m, PLACE, EMIT_FILE_A, QPU_MUX_A, QPU_R_VPM);
    emit_body(&m, (const struct qpu_case *)(const void *)program->words);
    emit_set(&m, QPU_W_VPM_SETUP, EMIT_FILE_B, PLAIN_ROWS);
    emit_move(&m, QPU_W_VPM, 0, QPU_MUX_A, PLACE);
    emit_set(&m, QPU_W_VPM, 0, DRAW_POINT_Z);
    emit_set(&m, QPU_W_VPM, 0, DRAW_POINT_W);
    emit_float(&m, QPU_W_VPM, QPU_MUX_A, QPU_R_NUMBER);
    emit_set(&m, QPU_W_R3, 0, HALF_MASK);
    for (unsigned i = 0; i < vertex_words(v, part); i++)
        emit_halves(&m, (uint8_t)(VERTEX_WORDS * part + i));
    emit_signal(&m, QPU_SIG_END);
    emit_nops(&m, EMIT_END_INSTRUCTIONS - 1);
    assert(!m.full); /* no case's program is that long */
    *count = m.count;
    return vc4_kernel_accepts(code, m.count, &k, e) || error_where(e, "the kernel's validator refuses it as a vertex shader");
}

void vertex_put(const struct vertex_case *v, unsigned part, const uint32_t *vpm, uint32_t *rows, uint32_t *places)
{
    for (unsigned n = 0; n < DRAW_POINTS; n++) {
        uint32_t *vertex = rows + (size_t)n * DRAW_ROWS;
        for (unsigned row = 0; row < DRAW_ROWS; row++)
            vertex[row] = vpm[row * VC4_LANES + n];
        vertex[v->place_row] = draw_put_point(places, &v->at[part], n);
    }
}

/* ---- the fragment shader ---- */

/* The next varying, a whole number, to an accumulator. What VARYING_READ gives comes before it has W's part, and C is added behind it (p51). */
static void emit_varying(struct emitter *m, uint8_t accumulator)
{
    struct qpu_insn i;
    uint8_t to = (uint8_t)(QPU_W_R0 + accumulator);
    qpu_canonical(QPU_ALU, &i);
    i.op_mul = QPU_MUL_FMUL;
    i.cond_mul = QPU_COND_ALWAYS;
    i.waddr_mul = to;
    i.mul_a = QPU_MUX_A;
    i.raddr_a = W_REGISTER;
    i.mul_b = QPU_MUX_B;
    i.raddr_b = QPU_R_VARYING;
    emit(m, &i);
    emit_nops(m, 1);
    emit_two(m, QPU_ADD_FADD, to, accumulator, 5);
    emit_one(m, QPU_ADD_FADD, to, accumulator, SMALL_HALF); /* what comes out a little less is not the number below */
    emit_two(m, QPU_ADD_FTOI, to, accumulator, accumulator);
}

/* Where r0, the pixel's number, is `pixel`: r3, which is shown, by an operation on itself and r1. */
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

unsigned vertex_make_copy_out(unsigned words, uint32_t code[2 * VERTEX_COPY_MAX])
{
    struct emitter m = {.room = VERTEX_COPY_MAX};
    m.at = code;
    emit_small(&m, QPU_ADD_AND, QPU_W_R0, 0, QPU_MUX_A, QPU_R_COORDINATE, DRAW_POINT_PIXELS - 1);
    emit_move(&m, QPU_W_R0 + 1, 0, QPU_MUX_B, QPU_R_COORDINATE);
    emit_one(&m, QPU_ADD_AND, QPU_W_R0 + 1, 1, DRAW_POINT_PIXELS - 1);
    emit_one(&m, QPU_ADD_SHL, QPU_W_R0 + 1, 1, 2);
    emit_two(&m, QPU_ADD_ADD, QPU_W_R0, 0, 1);
    emit_move(&m, QPU_W_R3, 0, QPU_MUX_A, QPU_R_UNIFORM);
    emit_varying(&m, 1);
    emit_show(&m, QPU_ADD_ADD, NUMBER_PIXEL, 3);
    for (unsigned k = 0; k < words; k++) {
        emit_varying(&m, 1);
        emit_varying(&m, 2);
        emit_shift_half(&m, QPU_ADD_SHL, 2);
        emit_show(&m, QPU_ADD_OR, (uint8_t)k, 2);
    }
    struct qpu_insn i = emit_make_move(QPU_W_TLB_COLOUR_ALL, 0, QPU_MUX_R3, 0);
    i.sig = QPU_SIG_SCOREBOARD_WAIT;
    emit(&m, &i);
    emit_nops(&m, 1);
    emit_signal(&m, QPU_SIG_END);
    emit_nops(&m, 1);
    emit_signal(&m, QPU_SIG_SCOREBOARD_UNLOCK);
    assert(!m.full);
    return m.count;
}

/* ---- reading pixels ---- */

/* Pixel k of point n. */
static uint32_t pixel_of(const struct draw_place *at, unsigned n, unsigned k, const uint32_t *target, uint32_t pitch)
{
    uint32_t x = at->x + n % POINTS_ACROSS * DRAW_POINT_PIXELS + k % DRAW_POINT_PIXELS;
    uint32_t y = at->y + n / POINTS_ACROSS * DRAW_POINT_PIXELS + k / DRAW_POINT_PIXELS;
    return target[y * pitch + x];
}

/* Is all of point n there, and its vertex in column n? */
static bool is_whole(const struct vertex_case *v, unsigned part, unsigned n, const uint32_t *target, uint32_t pitch)
{
    for (unsigned k = vertex_words(v, part); k <= STAMP_PIXEL; k++)
        if (pixel_of(&v->at[part], n, k, target, pitch) != (vertex_stamp(v, part) | (k == NUMBER_PIXEL ? n : 0)))
            return false;
    return true;
}

bool vertex_collect(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, struct outcome *o)
{
    uint32_t first = layout_region_named(&o->unit->layout, "reads")->first_row;
    for (unsigned part = 0; part < v->parts; part++)
        for (unsigned n = 0; n < DRAW_POINTS; n++) {
            if (!is_whole(v, part, n, target, pitch))
                return false;
            for (unsigned k = 0; k < vertex_words(v, part); k++)
                outcome_row(o, first + VERTEX_WORDS * part + k, VC4_LANES)[n] = pixel_of(&v->at[part], n, k, target, pitch);
        }
    for (unsigned i = 0; i < v->reads; i++)
        outcome_touch(o, first + i);
    o->complete = false; /* of the VPM only what was read is known */
    return true;
}

bool vertex_has_drawn(const struct vertex_case *v, const uint32_t *target, uint32_t pitch, uint32_t clear)
{
    for (unsigned part = 0; part < v->parts; part++)
        for (unsigned n = 0; n < DRAW_POINTS; n++)
            if (pixel_of(&v->at[part], n, STAMP_PIXEL, target, pitch) == clear)
                return false;
    return true;
}
