/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/wrapper.h"

#include "harness/vc4/gpu_memory.h"
#include "harness/vc4/program/emit.h"

#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

/* Places of the verifier that are not file registers. */
enum { PLACE_R0 = 64, PLACE_R4 = PLACE_R0 + 4, PLACE_R5, PLACE_FLAGS };

enum {
    ROW_WORDS = VC4_LANES,
    ROW_BYTES = 4 * ROW_WORDS,
    DMA_LOAD_ROWS = 16,   /* largest number of rows in one DMA load (p59 T36: NROWS) */
    FILE_A = EMIT_FILE_A, /* file of setups and DMA for loads and reads */
    FILE_B = EMIT_FILE_B, /* the same for stores and writes */
};

struct builder {
    const struct qpu_case *c;
    const struct verifier_proof *p;
    const struct outcome *initial;
    const struct wrapper_slot *slot;
    struct wrapper_image *image;
    struct wrapper_program *w;
    struct emitter code;
    bool full;
    bool holds_mutex;
    unsigned ready, fetched; /* rows left in the VPM's read FIFO; rows fetched so far */
};

static void wait_for_dma(struct builder *b, uint8_t file)
{
    emit_move(&b->code, QPU_W_NOTHING, 0, file ? QPU_MUX_B : QPU_MUX_A, QPU_R_DMA_WAIT);
}

static void take_mutex(struct builder *b)
{
    if (!b->holds_mutex)
        emit_move(&b->code, QPU_W_NOTHING, 0, QPU_MUX_A, QPU_R_MUTEX);
    b->holds_mutex = true;
}

static void release_mutex(struct builder *b)
{
    if (b->holds_mutex)
        emit_set(&b->code, QPU_W_MUTEX, 0, 1);
    b->holds_mutex = false;
}

/* ---- the VPM and its DMA: whole rows, horizontal, 32 bits ---- */

/* Loads at most DMA_LOAD_ROWS rows from memory to VPM rows from `y` on, and waits for the end. */
static void dma_load(struct builder *b, uint32_t address, unsigned rows, uint32_t y)
{
    emit_set(&b->code, QPU_W_VPM_SETUP, FILE_A,
             1U << VDR_ID_LOW | 3U << VDR_MPITCH_LOW | (rows % DMA_LOAD_ROWS) << VDR_NROWS_LOW |
                 1U << VDR_VPITCH_LOW | y << VDR_Y_LOW);
    emit_set(&b->code, QPU_W_DMA_ADDRESS, FILE_A, address);
    wait_for_dma(b, FILE_A);
}

/* Stores VPM rows from 0 on to memory, and waits for the end. A row ends where the next begins, so a stride
 * of 0 means the same under every reading. */
static void dma_store(struct builder *b, uint32_t address, unsigned rows)
{
    emit_set(&b->code, QPU_W_VPM_SETUP, FILE_B,
             2U << VDW_ID_LOW | rows << VDW_UNITS_LOW | ROW_WORDS << VDW_DEPTH_LOW | 1U << VDW_HORIZ_LOW);
    emit_set(&b->code, QPU_W_VPM_SETUP, FILE_B, 3U << VDW_STRIDE_ID_LOW);
    emit_set(&b->code, QPU_W_DMA_ADDRESS, FILE_B, address);
    wait_for_dma(b, FILE_B);
}

/* ---- input and output ---- */

static const uint32_t *initial_row(const struct builder *b, unsigned row)
{
    return b->initial->value + row * ROW_WORDS;
}

/* Removes the lowest place from a set, and returns it. */
static unsigned take_place(uint64_t *places)
{
    unsigned place = (unsigned)__builtin_ctzll(*places);
    *places &= *places - 1;
    return place;
}

/* Puts rows into the input. Returns the bus address of the first. */
static uint32_t stage(struct builder *b, const uint32_t *rows, unsigned count)
{
    struct wrapper_program *w = b->w;
    uint32_t at = b->slot->input.bus + ROW_BYTES * w->input;
    if (w->input + count > WRAPPER_INPUT_MAX) {
        b->full = true;
        return at;
    }
    memcpy(b->image->input + w->input * ROW_WORDS, rows, count * ROW_BYTES);
    w->input += count;
    return at;
}

static uint32_t next_output(const struct builder *b)
{
    return b->slot->output.bus + ROW_BYTES * b->w->outputs;
}

static void expect_row(struct builder *b, unsigned number)
{
    if (b->w->outputs == WRAPPER_OUTPUT_MAX)
        b->full = true;
    else
        b->w->row[b->w->outputs++] = (uint16_t)number;
}

/* ---- the case's memory ---- */

/* Finds the next run of at most DMA_LOAD_ROWS rows that begins and ends with rows of the set. Returns its
 * length. */
static unsigned next_run(const struct verifier_rows *set, unsigned *first)
{
    unsigned count = 0;
    while (*first < VERIFIER_WINDOW_ROWS && !verifier_has_row(set, *first)) {
        uint64_t rest = set->bits[*first / 64] >> *first % 64;
        *first = rest ? *first + (unsigned)__builtin_ctzll(rest) : (*first / 64 + 1) * 64;
    }
    for (unsigned i = 0; i < DMA_LOAD_ROWS && *first + i < VERIFIER_WINDOW_ROWS; i++)
        if (verifier_has_row(set, *first + i))
            count = i + 1;
    return count;
}

static void copy_memory_in(struct builder *b)
{
    struct verifier_rows all = b->p->read;
    for (unsigned i = 0; i < sizeof all.bits / sizeof *all.bits; i++)
        all.bits[i] |= b->p->written.bits[i];
    unsigned first = 0, count;
    while ((count = next_run(&all, &first)) > 0) {
        uint32_t from = stage(b, initial_row(b, QPU_ROW_MEMORY + first), count);
        dma_load(b, from, count, 0);
        dma_store(b, b->slot->window + ROW_BYTES * first, count);
        first += count;
    }
}

static void copy_memory_out(struct builder *b)
{
    unsigned first = 0, count;
    while ((count = next_run(&b->p->written, &first)) > 0) {
        uint32_t to = next_output(b);
        for (unsigned i = 0; i < count; i++)
            expect_row(b, verifier_has_row(&b->p->written, first + i) ? QPU_ROW_MEMORY + first + i
                                                                      : WRAPPER_NO_ROW);
        dma_load(b, b->slot->window + ROW_BYTES * first, count, 0);
        dma_store(b, to, count);
        first += count;
    }
}

/* The vectors of the state that are not constants, staged one after the other. */
struct staged {
    unsigned count;
    uint32_t from;
};

static struct staged stage_state(struct builder *b, const struct emit_state *state)
{
    struct staged staged = {0, 0};
    for (unsigned i = 0; i < state->count; i++)
        if (!emit_same_in_all_elements(state->load[i].row)) {
            uint32_t at = stage(b, state->load[i].row, 1);
            if (!staged.count++)
                staged.from = at;
        }
    return staged;
}

/* Makes VPM_READ return the next vectors, the first of them after three instructions (p56). */
static void fetch(struct builder *b, const struct staged *s)
{
    unsigned left = s->count - b->fetched, rows = left < DMA_LOAD_ROWS ? left : DMA_LOAD_ROWS;
    dma_load(b, s->from + ROW_BYTES * b->fetched, rows, 0);
    emit_set(&b->code, QPU_W_VPM_SETUP, FILE_A,
             (rows % DMA_LOAD_ROWS) << VPM_READ_NUM_LOW | SETUP_WHOLE_ROWS);
    emit_nops(&b->code, 3);
    b->ready = rows;
    b->fetched += rows;
}

static void emit_vector(struct builder *b, const struct staged *s, const struct emit_load *v)
{
    if (emit_same_in_all_elements(v->row)) {
        emit_set(&b->code, v->waddr, v->file, v->row[0]);
        return;
    }
    if (!b->ready)
        fetch(b, s);
    b->ready--;
    emit_move(&b->code, v->waddr, v->file, QPU_MUX_A, QPU_R_VPM);
}

/* Loads r4. Only a TMU can load it, so each element looks up its word of a row. Uses r0 and r1. */
static void load_r4(struct builder *b)
{
    uint32_t from = stage(b, initial_row(b, QPU_ROW_RA + PLACE_R4), 1);
    struct qpu_insn i;
    emit_small(&b->code, QPU_ADD_SHL, QPU_W_R0, 0, QPU_MUX_A, QPU_R_NUMBER, 2); /* 4 bytes for each element */
    emit_set(&b->code, QPU_W_R0 + 1, 0, from);
    i = emit_make_move(QPU_W_TMU0_S, 0, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_ADD;
    i.add_b = QPU_MUX_R1;
    emit(&b->code, &i);
    emit_signal(&b->code, QPU_SIG_LOAD_TMU0);
    /* The look-up may have taken a word of the uniform stream (clause tmu-uniform-direct). So the program
     * sets the stream to its beginning again. */
    emit_set(&b->code, QPU_W_UNIFORMS_ADDRESS, FILE_A, b->slot->uniforms.bus);
}

static bool load_registers(struct builder *b, struct error *e)
{
    struct emit_state state;
    if (!emit_plan_state(&b->p->in, b->initial, &state, e))
        return false;
    struct staged staged = stage_state(b, &state);
    if (staged.count)
        take_mutex(b);
    if (verifier_has_place(&b->p->in, PLACE_R4))
        load_r4(b);
    for (unsigned i = 0; i < state.count; i++) {
        emit_vector(b, &staged, &state.load[i]);
        if (state.load[i].sets_flags)
            emit_set_flags(&b->code);
    }
    return true;
}

static bool emit_prologue(struct builder *b, struct error *e)
{
    if (b->p->vpm || b->p->cached) {
        take_mutex(b);
        copy_memory_in(b);
    }
    if (!load_registers(b, e))
        return false;
    if (b->p->vpm) {
        uint32_t from = stage(b, initial_row(b, QPU_ROW_VPM), VC4_VPM_ROWS_OF_QPU);
        for (unsigned y = 0; y < VC4_VPM_ROWS_OF_QPU; y += DMA_LOAD_ROWS)
            dma_load(b, from + ROW_BYTES * y, DMA_LOAD_ROWS, y);
        emit_set(&b->code, QPU_W_VPM_SETUP, FILE_B, 3U << VDW_STRIDE_ID_LOW);
        emit_set(&b->code, QPU_W_VPM_SETUP, FILE_A, 9U << VDR_PITCH_ID_LOW);
    } else if (!b->p->cached) {
        release_mutex(b);
    }
    emit_nops(&b->code, 2); /* the first instruction may read what was just written */
    return true;
}

/* Rows of the VPM that were written, and the address in memory that they go to. */
struct dump {
    unsigned rows;
    uint32_t to;
};

static struct dump begin_dump(struct builder *b)
{
    emit_set(&b->code, QPU_W_VPM_SETUP, FILE_B, SETUP_WHOLE_ROWS);
    return (struct dump){0, next_output(b)};
}

/* Makes room in the VPM for so many more rows. If there is none, first stores the rows that are there. */
static void make_room(struct builder *b, struct dump *d, unsigned rows)
{
    if (d->rows + rows > VC4_VPM_ROWS_OF_QPU) {
        dma_store(b, d->to, d->rows);
        *d = begin_dump(b);
    }
    d->rows += rows;
}

static void dump_registers(struct builder *b)
{
    const struct verifier_places *out = &b->p->out;
    struct dump d = begin_dump(b);
    uint64_t files = out->file, accumulators = out->other & ((1U << (PLACE_FLAGS - PLACE_R0)) - 1);
    while (files || accumulators) {
        unsigned place = files ? take_place(&files) : PLACE_R0 + take_place(&accumulators);
        uint8_t mux = place < 32         ? QPU_MUX_A
                      : place < PLACE_R0 ? QPU_MUX_B
                                         : (uint8_t)(QPU_MUX_R0 + place - PLACE_R0);
        make_room(b, &d, 1);
        emit_move(&b->code, QPU_W_VPM, 0, mux, (uint8_t)(place % 32));
        expect_row(b, QPU_ROW_RA + place);
    }
    static const uint8_t conds[] = {QPU_COND_ZS, QPU_COND_NS, QPU_COND_CS};
    unsigned flags = out->other & VERIFIER_FLAGS ? sizeof conds : 0;
    make_room(b, &d, flags + 1);
    for (unsigned f = 0; f < flags; f++) {
        emit_set(&b->code, QPU_W_R0, 0, 0);
        emit_word(&b->code, QPU_W_R0, 0, conds[f], 1);
        emit_move(&b->code, QPU_W_VPM, 0, QPU_MUX_R0, 0);
        expect_row(b, QPU_ROW_FLAGS + f);
    }
    emit_set(&b->code, QPU_W_R0, 0, b->w->stamp);
    emit_move(&b->code, QPU_W_VPM, 0, QPU_MUX_R0, 0);
    expect_row(b, WRAPPER_NO_ROW);
    dma_store(b, d.to, d.rows);
}

static void emit_epilogue(struct builder *b)
{
    emit_nops(&b->code, 3); /* time for results of the SFU and of the last writes to arrive */
    if (b->p->vpm) {
        wait_for_dma(b, FILE_A);
        wait_for_dma(b, FILE_B);
        uint32_t to = next_output(b);
        for (unsigned i = 0; i < VC4_VPM_ROWS_OF_QPU; i++)
            expect_row(b, QPU_ROW_VPM + i);
        dma_store(b, to, VC4_VPM_ROWS_OF_QPU);
        copy_memory_out(b);
    }
    take_mutex(b);
    dump_registers(b);
    release_mutex(b);
    emit_set(&b->code, QPU_W_INTERRUPT, 0, 1);
    emit_signal(&b->code, QPU_SIG_END);
    emit_nops(&b->code, 2);
}

static void put_uniforms(const struct builder *b)
{
    struct wrapper_image *m = b->image;
    memset(m->uniforms, 0, sizeof m->uniforms);
    m->uniform_count = b->c->uniforms.count;
    for (uint32_t i = 0; i < b->c->uniforms.count; i++) {
        const struct case_uniform *u = &b->c->uniforms.item[i];
        m->uniforms[i] = u->value + (u->is_address ? b->slot->window : 0);
    }
}

bool wrapper_build(const struct test_case *c, const struct verifier_proof *p, const struct outcome *initial,
                   uint32_t stamp, const struct wrapper_slot *slot, struct wrapper_image *image,
                   struct wrapper_program *w, struct error *e)
{
    struct builder b = {.c = (const void *)c->words,
                        .p = p,
                        .initial = initial,
                        .slot = slot,
                        .image = image,
                        .w = w,
                        .code = {.at = image->code, .room = WRAPPER_CODE_MAX}};
    w->input = w->outputs = 0;
    w->stamp = stamp;
    if (!emit_prologue(&b, e))
        return false;
    image->body = b.code.count;
    emit_body(&b.code, b.c);
    image->body_count = b.code.count - image->body;
    emit_epilogue(&b);
    image->code_count = w->code = b.code.count;
    image->input_rows = w->input;
    if (b.full || b.code.full)
        return error_set(
            e, "with the code that loads and dumps its state it is longer than %d instructions or %d rows",
            WRAPPER_CODE_MAX, WRAPPER_INPUT_MAX);
    put_uniforms(&b);
    return true;
}

void wrapper_place(const struct wrapper_image *image, const struct wrapper_program *w,
                   const struct wrapper_slot *slot)
{
    gpu_write(slot->input.at, image->input, (size_t)image->input_rows * ROW_WORDS);
    gpu_write(slot->uniforms.at, image->uniforms, WRAPPER_UNIFORMS_MAX);
    gpu_write(slot->code.at, image->code, (size_t)2 * image->code_count);
    gpu_fill(slot->output.at, WRAPPER_POISON, (size_t)w->outputs * ROW_WORDS);
}

/* The bits in which the pairs of words of a row differ from poison, and from those of another row. */
struct row_difference {
    uint64_t from_poison, from_other;
};

/* Reads a row and compares it pair by pair: a processor stalls if it writes `row` in pairs and then reads it
 * in larger vectors. */
static struct row_difference read_row(uint32_t *row, const volatile uint32_t *from, const uint32_t *other)
{
    struct row_difference l = {0, 0};
    for (unsigned i = 0; i < ROW_WORDS; i += 2) {
        uint64_t is = gpu_read_pair(from + i), was;
        memcpy(&was, other + i, sizeof was);
        memcpy(row + i, &is, sizeof is);
        l.from_poison |= is ^ ((uint64_t)WRAPPER_POISON << 32 | WRAPPER_POISON);
        l.from_other |= is ^ was;
    }
    return l;
}

bool wrapper_collect(const struct wrapper_program *w, const volatile uint32_t *output, struct outcome *o)
{
    uint32_t row[ROW_WORDS];
    gpu_read(row, output + (w->outputs - 1) * ROW_WORDS, ROW_WORDS);
    if (row[0] != w->stamp || !emit_same_in_all_elements(row))
        return false;
    for (unsigned n = 0; n + 1 < w->outputs; n++) {
        bool kept = w->row[n] != WRAPPER_NO_ROW;
        uint32_t *to = kept ? o->value + w->row[n] * ROW_WORDS : row;
        struct row_difference l = read_row(row, output + n * ROW_WORDS, to);
        if (!l.from_poison)
            return false;
        if (!kept || !l.from_other)
            continue;
        memcpy(to, row, sizeof row);
        outcome_touch(o, w->row[n]);
    }
    return true;
}
