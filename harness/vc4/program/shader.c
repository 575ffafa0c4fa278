/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/shader.h"

#include "harness/vc4/program/emit.h"
#include "harness/vc4/vc4_kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    BLOCKS_ACROSS = SHADER_WIDTH / SHADER_BLOCK,
    QUADS = SHADER_BLOCK / 2, /* quads on a side of a block */
    LANE_BITS = 15,
    PLACES = 70,
    PLACE_R4 = 68,
    FLAG_ROWS = 3,
    NEVER = 1 << 30, /* a countdown that does not reach 0, because no output has so many rows */
    SMALL_MINUS_8 = 24,
    R5_BIT = 1 << 5, /* bit in verifier_places.other */
};

struct builder {
    const struct verifier_proof *p;
    const struct outcome *initial;
    const struct shader_slot *slot;
    struct shader *s;
    struct emitter code;
    bool full;
    /* File registers that the case does not use: 0 to 31 are file A, 32 to 63 file B. */
    uint8_t countdown; /* rows until the pixel's row comes; file A */
    uint8_t offset;    /* offset of an element in a row of the input; file A */
    uint8_t shown;     /* what the element's pixel will show */
    uint8_t flag[FLAG_ROWS];
};

/* ---- proof ---- */

static bool reads_varying(const struct qpu_insn *i)
{
    return i->class <= QPU_ALU_SMALL &&
           (i->raddr_a == QPU_R_VARYING || (i->class == QPU_ALU && i->raddr_b == QPU_R_VARYING));
}

static bool check_varyings(const struct test_case *c, struct error *e)
{
    const struct qpu_case *q = (const void *)c->words;
    const struct field *image = schema_field(&c->unit->schema, "varyings");
    if (q->varying_count > SHADER_VARYINGS_MAX)
        return error_set(e, "it has %lu varyings; at most %d are possible", (unsigned long)q->varying_count,
                         SHADER_VARYINGS_MAX);
    for (uint32_t n = 0; n < q->varying_count; n++) {
        uint32_t part[VC4_LANES], coefficient[VC4_LANES];
        image_row(c, image, 2 * n, part);
        image_row(c, image, 2 * n + 1, coefficient);
        if (part[0] || !emit_same_in_all_elements(part) || !emit_same_in_all_elements(coefficient))
            return error_set(e,
                             "varying %lu differs between elements, but hardware makes it by the place of a "
                             "pixel: only VARYING_READ 0 and one C for all can be set",
                             (unsigned long)n);
    }
    return true;
}

/*
 * Turns a fragment shader's program into one that the verifier can prove, because it knows only user
 * programs. A varying becomes one more word of the uniform stream. The verifier does not rely on such a word
 * for anything that could reach memory.
 */
static bool make_twin(const struct test_case *c, struct test_case *twin, struct error *e)
{
    struct qpu_case *q = (struct qpu_case *)(void *)twin->words;
    uint32_t reads = 0;
    case_copy(twin, c);
    q->stage = QPU_STAGE_USER;
    if (!check_varyings(c, e))
        return false;
    for (uint32_t at = 0; at < q->program.count; at++) {
        uint32_t *word = &q->program.word[2 * at];
        struct qpu_insn i;
        if (!qpu_decode(word[0] | (uint64_t)word[1] << 32, &i))
            continue; /* the verifier reports it */
        if (i.class == QPU_BRANCH)
            return error_set(e, "instruction %lu branches, so it is not proven which varyings are read",
                             (unsigned long)at);
        if (!reads_varying(&i))
            continue;
        i.raddr_a = i.raddr_a == QPU_R_VARYING ? QPU_R_UNIFORM : i.raddr_a;
        i.raddr_b = i.class == QPU_ALU && i.raddr_b == QPU_R_VARYING ? QPU_R_UNIFORM : i.raddr_b;
        uint64_t now = qpu_encode(&i);
        word[0] = (uint32_t)now;
        word[1] = (uint32_t)(now >> 32);
        reads++;
    }
    if (reads != q->varying_count)
        return error_set(e, "it reads %lu of %lu varyings; a shader must read each once",
                         (unsigned long)reads, (unsigned long)q->varying_count);
    if (q->uniforms.count + reads > QPU_CASE_UNIFORMS_MAX)
        return error_set(e, "it has more than %d uniforms and varyings", QPU_CASE_UNIFORMS_MAX);
    memset(q->uniforms.item + q->uniforms.count, 0, reads * sizeof *q->uniforms.item);
    q->uniforms.count += reads;
    return true;
}

static bool prove_fragment(const struct test_case *c, struct test_case *twin, struct verifier_proof *p,
                           struct error *e)
{
    const struct qpu_case *q = (const void *)c->words;
    bool good = make_twin(c, twin, e) &&
                (verifier_prove(twin, MEMORY_BASE_DEFAULT, p, e) || error_where(e, "static proof"));
    if (good && q->varying_count) { /* r5 gets C, which the rewritten program does not know */
        p->in.other |= R5_BIT;
        p->out.other |= R5_BIT;
    }
    return good;
}

bool shader_prove(const struct test_case *c, struct test_case *room, struct verifier_proof *p,
                  struct shader_part *part, struct error *e)
{
    const struct qpu_case *q = (const void *)c->words;
    struct vc4_kernel_shader k;
    if (!(q->stage == QPU_STAGE_FRAGMENT
              ? prove_fragment(c, room, p, e)
              : verifier_prove(c, MEMORY_BASE_DEFAULT, p, e) || error_where(e, "static proof")))
        return false;
    if (!vc4_kernel_accepts_part(q->program.word, q->program.count, &k, e))
        return error_where(e, "the kernel's validator refuses it");
    *part = (struct shader_part){k.plain, k.uniforms};
    if (p->vpm)
        return error_set(e, "it uses the VPM, but the kernel gives fragment shaders no part of it");
    if (p->cached)
        return error_set(e,
                         "it reads the case's memory, which is at another address under the kernel's driver");
    return true;
}

static unsigned rows_of(const struct verifier_proof *p)
{
    unsigned rows = (unsigned)__builtin_popcountll(p->out.file) +
                    (unsigned)__builtin_popcount(p->out.other & (VERIFIER_FLAGS - 1)) +
                    (p->out.other & VERIFIER_FLAGS ? FLAG_ROWS : 0);
    return rows ? rows : 1;
}

uint32_t shader_height(const struct verifier_proof *p)
{
    return (2 * rows_of(p) + BLOCKS_ACROSS - 1) / BLOCKS_ACROSS * SHADER_BLOCK;
}

/* Takes the first unused register below `end`. */
static bool take_register(uint64_t *used, unsigned end, uint8_t *r)
{
    uint64_t unused = ~*used & (UINT64_MAX >> (64 - end));
    if (!unused)
        return false;
    *r = (uint8_t)__builtin_ctzll(unused);
    *used |= UINT64_C(1) << *r;
    return true;
}

static bool take_registers(struct builder *b, struct error *e)
{
    uint64_t used = b->p->in.file | b->p->out.file;
    bool good = take_register(&used, 32, &b->countdown) && take_register(&used, 32, &b->offset) &&
                take_register(&used, 64, &b->shown);
    for (unsigned f = 0; f < FLAG_ROWS && good && b->p->out.other & VERIFIER_FLAGS; f++)
        good = take_register(&used, 64, &b->flag[f]);
    return good || error_set(e, "it uses too many registers: the code that shows its state needs some");
}

static uint8_t mux_of(uint8_t place)
{
    return place >= 32 ? QPU_MUX_B : QPU_MUX_A;
}

/* ---- which pixel shows what ---- */

/* Sets the countdown, and what a pixel shows if no row replaces it: the stamp and the element's number. Uses
 * r0 to r3 and the flags. */
static void emit_layout(struct builder *b)
{
    struct emitter *m = &b->code;
    emit_small(m, QPU_ADD_SHR, QPU_W_R0, 0, QPU_MUX_A, QPU_R_COORDINATE, 3);
    emit_move(m, QPU_W_R0 + 1, 0, QPU_MUX_B, QPU_R_COORDINATE);
    emit_set(m, QPU_W_R0 + 2, 0, b->slot->y);
    emit_one(m, QPU_ADD_AND, 0, 0, BLOCKS_ACROSS - 1); /* the block's number in its line of blocks */
    emit_two(m, QPU_ADD_SUB, 1, 1, 2);
    /* Eight blocks in a line; a block has eight lines of pixels. */
    emit_one(m, QPU_ADD_AND, 1, 1, SMALL_MINUS_8);
    emit_two(m, QPU_ADD_ADD, 0, 0, 1); /* r0: the block's number */
    emit_one(m, QPU_ADD_AND, 1, 0, 1);
    emit_one(m, QPU_ADD_SHL, 2, 1, 1);
    emit_two(m, QPU_ADD_ADD, 1, 1, 2); /* r1: the pixel that holds the stamp in a quad: 0, in odd blocks 3 */
    emit_small(m, QPU_ADD_AND, QPU_W_R0 + 2, 0, QPU_MUX_A, QPU_R_NUMBER, 3);
    emit_one(m, QPU_ADD_SHR, 3, 0, 1);
    emit_small(m, QPU_ADD_ADD, b->countdown, EMIT_FILE_A, QPU_MUX_R3, 0, 1);
    struct qpu_insn i = emit_make_move(QPU_W_NOTHING, 0, QPU_MUX_R1, 0);
    i.op_add = QPU_ADD_XOR;
    i.add_b = QPU_MUX_R2;
    i.sf = 1;
    emit(m, &i);
    emit_word(m, b->countdown, EMIT_FILE_A, QPU_COND_ZS, NEVER);
    emit_set(m, QPU_W_R0 + 3, 0, b->s->stamp);
    i = emit_make_move(b->shown % 32, b->shown >= 32, QPU_MUX_R3, 0);
    i.add_b = QPU_MUX_A;
    i.raddr_a = QPU_R_NUMBER;
    emit(m, &i);
}

/* ---- the case's state ---- */

static void add_uniform(struct builder *b, uint32_t word)
{
    if (b->s->uniforms == SHADER_UNIFORMS_MAX)
        b->full = true;
    else
        b->slot->uniforms[b->s->uniforms++] = word;
}

/* Makes the offset for look-ups. The kernel accepts a look-up in memory only at an offset that went through
 * max with 0 and min with a uniform. Uses r0. */
static void emit_offset(struct builder *b)
{
    struct emitter *m = &b->code;
    emit_small(m, QPU_ADD_SHL, QPU_W_R0, 0, QPU_MUX_A, QPU_R_NUMBER, 2);
    emit_one(m, QPU_ADD_MAX, 0, 0, 0);
    struct qpu_insn i = emit_make_move(b->offset, EMIT_FILE_A, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_MIN;
    i.add_b = QPU_MUX_A;
    i.raddr_a = QPU_R_UNIFORM;
    emit(m, &i);
    add_uniform(b, ROW_BYTES - 4);
    emit_nops(m, 1); /* a register cannot be read right after it was written */
}

/* Loads a row to r4. The kernel adds the buffer's address to the uniform. */
static void emit_lookup(struct builder *b, const uint32_t *row)
{
    struct shader *s = b->s;
    if (s->input == SHADER_INPUT_MAX) {
        b->full = true;
        return;
    }
    memcpy(b->slot->input + s->input * VC4_LANES, row, ROW_BYTES);
    struct qpu_insn i = emit_make_move(QPU_W_TMU0_S, 0, QPU_MUX_A, b->offset);
    i.op_add = QPU_ADD_ADD;
    i.add_b = QPU_MUX_B;
    i.raddr_b = QPU_R_UNIFORM;
    emit(&b->code, &i);
    add_uniform(b, b->slot->input_at + ROW_BYTES * s->input++);
    emit_signal(&b->code, QPU_SIG_LOAD_TMU0);
}

static void emit_vector(struct builder *b, const uint32_t *row, uint8_t waddr, uint8_t file)
{
    if (emit_same_in_all_elements(row)) {
        emit_set(&b->code, waddr, file, row[0]);
        return;
    }
    emit_lookup(b, row);
    emit_move(&b->code, waddr, file, QPU_MUX_R4, 0);
}

static bool load_state(struct builder *b, struct error *e)
{
    struct emit_state state;
    if (!emit_plan_state(&b->p->in, b->initial, &state, e))
        return false;
    emit_offset(b);
    for (unsigned i = 0; i < state.count; i++) {
        const struct emit_load *l = &state.load[i];
        emit_vector(b, l->row, l->waddr, l->file);
        if (l->sets_flags)
            emit_set_flags(&b->code);
    }
    if (verifier_has_place(&b->p->in, PLACE_R4))
        emit_lookup(b, b->initial->value + (QPU_ROW_RA + PLACE_R4) * VC4_LANES);
    emit_nops(&b->code, 2); /* the first instruction may read what was just written */
    return true;
}

/* Shows the next row of the output, in the pixels in which the countdown reaches 0. */
static void show(struct builder *b, uint32_t number, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_small(QPU_ADD_SUB, b->countdown, EMIT_FILE_A, QPU_MUX_A, b->countdown, 1);
    i.sf = 1;
    emit(&b->code, &i);
    i = emit_make_move(b->shown % 32, b->shown >= 32, mux, raddr);
    i.cond_add = QPU_COND_ZS;
    emit(&b->code, &i);
    b->s->row[b->s->rows++] = (uint16_t)number;
}

static void show_state(struct builder *b)
{
    static const uint8_t conds[FLAG_ROWS] = {QPU_COND_ZS, QPU_COND_NS, QPU_COND_CS};
    const struct verifier_places *out = &b->p->out;
    bool flags = out->other & VERIFIER_FLAGS;
    emit_nops(&b->code, 3); /* time for results of the SFU and of the last writes to arrive */
    for (unsigned f = 0; f < FLAG_ROWS && flags; f++) {
        emit_set(&b->code, b->flag[f] % 32, b->flag[f] >= 32, 0);
        emit_word(&b->code, b->flag[f] % 32, b->flag[f] >= 32, conds[f], 1);
    }
    for (unsigned i = 0; i < PLACES; i++)
        if (verifier_has_place(out, i))
            show(b, QPU_ROW_RA + i, /* rows are in the order of places */
                 i >= 64  ? (uint8_t)(i - 64)
                 : i < 32 ? QPU_MUX_A
                          : QPU_MUX_B,
                 (uint8_t)(i % 32));
    for (unsigned f = 0; f < FLAG_ROWS && flags; f++)
        show(b, QPU_ROW_FLAGS + f, mux_of(b->flag[f]), b->flag[f] % 32);
    if (!b->s->rows) /* no row to show, but the stamps must show that the case ended */
        b->s->row[b->s->rows++] = UINT16_MAX;
}

static void take_varyings(const struct test_case *c, struct shader *s)
{
    const struct qpu_case *q = (const void *)c->words;
    s->varyings = q->stage == QPU_STAGE_FRAGMENT ? q->varying_count : 0;
    for (unsigned n = 0; n < s->varyings; n++) {
        uint32_t coefficient[VC4_LANES];
        image_row(c, schema_field(&c->unit->schema, "varyings"), 2 * n + 1, coefficient);
        s->varying[n] = coefficient[0];
    }
}

/*
 * Does the kernel accept the whole shader? If the case's program is plain, the answer is known: the kernel
 * always accepts the code around it, counts as many words of the stream as that code adds, and counts the
 * look-ups that load the state (tests/harness/test_shader.c compares). Running the kernel's rules took a
 * tenth of the host's time.
 */
static bool kernel_accepts(const struct builder *b, const struct shader_part *part, uint32_t words_before,
                           struct vc4_kernel_shader *k, struct error *e)
{
    if (!part->plain)
        return vc4_kernel_accepts(b->slot->code, b->code.count, k, e);
    k->uniforms = words_before + part->uniforms;
    k->samples = b->s->input;
    return true;
}

bool shader_build(const struct test_case *c, const struct verifier_proof *p, const struct shader_part *part,
                  const struct outcome *initial, uint32_t stamp, const struct shader_slot *slot,
                  struct shader *s, struct error *e)
{
    const struct qpu_case *q = (const void *)c->words;
    struct builder b = {.p = p,
                        .initial = initial,
                        .slot = slot,
                        .s = s,
                        .code = {.at = slot->code, .room = SHADER_CODE_MAX}};
    struct vc4_kernel_shader k;
    s->input = s->uniforms = s->rows = 0;
    s->stamp = stamp & ~(uint32_t)LANE_BITS;
    s->x = slot->x;
    s->y = slot->y;
    s->height = shader_height(p);
    take_varyings(c, s);
    if (!take_registers(&b, e))
        return false;
    emit_layout(&b);
    if (!load_state(&b, e))
        return false;
    uint32_t words_before = s->uniforms;
    for (uint32_t i = 0; i < q->uniforms.count; i++)
        add_uniform(&b,
                    q->uniforms.item[i].value + (q->uniforms.item[i].is_address ? MEMORY_BASE_DEFAULT : 0));
    emit_body(&b.code, q);
    show_state(&b);
    emit_nops(&b.code, 1);
    emit_colour(&b.code, mux_of(b.shown), b.shown % 32);
    s->code = b.code.count;
    if (b.full || b.code.full)
        return error_set(e, "with the code that loads and shows its state it is longer than %d instructions",
                         SHADER_CODE_MAX);
    if (!kernel_accepts(&b, part, words_before, &k, e))
        return error_where(e,
                           "the kernel's validator refuses it with the code that loads and shows its state");
    if (k.uniforms > s->uniforms || k.samples < s->input)
        return error_set(e, "the kernel counts %lu uniforms and %lu look-ups, not %u and %u",
                         (unsigned long)k.uniforms, (unsigned long)k.samples, s->uniforms, s->input);
    s->own_lookups = k.samples - s->input;
    s->uniforms = k.uniforms; /* the kernel does not count words that no instruction reads */
    return true;
}

/* ---- reading pixels ---- */

struct shown_row {
    uint32_t word[VC4_LANES], seen; /* bit n of `seen`: element n was seen */
};

/* Reads the four pixels of a quad. Pixel `marked` (0 or 3) has the stamp and the number of its element. Has
 * no branch for elements that were seen before. */
static inline bool read_quad(const struct shader *s, const uint32_t *at, uint32_t pitch, unsigned marked,
                             struct shown_row *r)
{
    const uint32_t pixel[4] = {at[0], at[1], at[pitch], at[pitch + 1]};
    uint32_t lane = pixel[marked] ^ s->stamp, differs = 0;
    if (lane > LANE_BITS || lane % 4 != marked)
        return false;
    uint32_t *word = r->word + (lane - marked), seen = r->seen >> (lane - marked);
    for (unsigned i = marked == 0; i < 3U + (marked == 0); i++) {
        differs |= (word[i] ^ pixel[i]) & (0U - (seen >> i & 1));
        word[i] = pixel[i];
    }
    r->seen |= (marked == 0 ? 14U : 7U) << (lane - marked);
    return !differs;
}

static inline bool read_block(const struct shader *s, const uint32_t *first, uint32_t pitch, unsigned marked,
                              struct shown_row *r)
{
    for (unsigned y = 0; y < QUADS; y++, first += 2 * pitch)
        for (unsigned x = 0; x < QUADS; x++)
            if (!read_quad(s, first + 2 * x, pitch, marked, r))
                return false;
    return true;
}

static const uint32_t *blocks_of_row(unsigned row, const uint32_t *first, uint32_t pitch)
{
    return first + 2 * row / BLOCKS_ACROSS * SHADER_BLOCK * pitch + 2 * row % BLOCKS_ACROSS * SHADER_BLOCK;
}

static bool read_row(const struct shader *s, const uint32_t *at, uint32_t pitch, struct shown_row *r)
{
    *r = (struct shown_row){.seen = 0};
    return read_block(s, at, pitch, 0, r) && read_block(s, at + SHADER_BLOCK, pitch, 3, r) &&
           r->seen == 0xFFFF;
}

static bool put_row(uint32_t *to, const uint32_t *from)
{
    uint32_t differs = 0;
    for (unsigned i = 0; i < VC4_LANES; i++)
        differs |= to[i] ^ from[i];
    if (differs)
        memcpy(to, from, ROW_BYTES);
    return differs;
}

bool shader_collect(const struct shader *s, const uint32_t *target, uint32_t pitch, struct outcome *o)
{
    const uint32_t *first = target + s->y * pitch + s->x;
    for (unsigned n = 0; n < s->rows; n++) {
        struct shown_row r;
        if (!read_row(s, blocks_of_row(n, first, pitch), pitch, &r))
            return false;
        if (s->row[n] != UINT16_MAX && put_row(o->value + s->row[n] * VC4_LANES, r.word))
            outcome_touch(o, s->row[n]);
    }
    return true;
}

bool shader_has_drawn(const struct shader *s, const uint32_t *target, uint32_t pitch, uint32_t clear)
{
    for (uint32_t y = s->y; y < s->y + s->height; y += SHADER_BLOCK) /* the blocks may be in two tiles */
        if (target[y * pitch + s->x] == clear)
            return false;
    return true;
}
