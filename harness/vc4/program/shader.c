/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/shader.h"

#include "harness/vc4/program/emit.h"
#include "harness/vc4/vc4_kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_BYTES = 4 * VC4_LANES,
    BLOCKS_ACROSS = SHADER_WIDTH / SHADER_BLOCK,
    QUADS = SHADER_BLOCK / 2, /* on a side of a block */
    LANE_BITS = 15,
    PLACES = 70,
    FLAG_ROWS = 3,
    NEVER = 1 << 30, /* a count that no output is long enough to bring down to 0 */
    SMALL_MINUS_8 = 24,
    R5_BIT = 1 << 5, /* of verifier_places.other */
};

/* Regions of the outcome that are loaded and shown. */
enum { RA = QPU_ROW_RA, RB = QPU_ROW_RB, ACC = QPU_ROW_ACC, FLAGS = QPU_ROW_FLAGS };

/* File registers that the case leaves alone. */
struct scratch {
    uint8_t place; /* 0 to 31: ra, 32 to 63: rb */
};

struct builder {
    const struct verifier_proof *p;
    const struct outcome *initial;
    const struct shader_slot *slot;
    struct shader *s;
    struct emitter code;
    bool full;
    struct scratch countdown; /* rows until an element's word is on; file A */
    struct scratch offset;    /* of an element in a row of the input; file A */
    struct scratch shown;     /* what the element's pixel will show */
    struct scratch flag[FLAG_ROWS];
};

/* ---- which cases ---- */

static bool reads_varying(const struct qpu_insn *i)
{
    return i->class <= QPU_ALU_SMALL &&
           (i->raddr_a == QPU_R_VARYING || (i->class == QPU_ALU && i->raddr_b == QPU_R_VARYING));
}

/* Can the hardware be made to give these varyings? */
static bool check_varyings(const struct test_case *c, struct error *e)
{
    const struct qpu_case *q = (const void *)c->words;
    const struct field *image = schema_field(&c->unit->schema, "varyings");
    if (q->varying_count > SHADER_VARYINGS_MAX)
        return error_set(e, "it has %lu varyings; %d are the most here", (unsigned long)q->varying_count,
                         SHADER_VARYINGS_MAX);
    for (uint32_t n = 0; n < q->varying_count; n++) {
        uint32_t part[VC4_LANES], coefficient[VC4_LANES];
        image_row(c, image, 2 * n, part);
        image_row(c, image, 2 * n + 1, coefficient);
        if (part[0] || !emit_same_in_all_elements(part) || !emit_same_in_all_elements(coefficient))
            return error_set(e,
                             "varying %lu differs between elements, and hardware makes it by the place of a "
                             "pixel: only VARYING_READ 0 and one C "
                             "can be brought about",
                             (unsigned long)n);
    }
    return true;
}

/*
 * A fragment shader's program for the verifier, which knows only user programs: a varying is to it one more
 * word of the uniform stream, of which it takes nothing for granted that could lead anywhere; nothing of the
 * case's memory is reached here.
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
            continue; /* the verifier will say so */
        if (i.class == QPU_BRANCH)
            return error_set(
                e, "instruction %lu branches: which varyings a fragment shader then reads is not proven",
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
        return error_set(e, "it reads %lu of %lu varyings; a shader has to read each once",
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
    if (good && q->varying_count) { /* r5 gets C, which the twin does not know */
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
        return error_set(e, "it uses the VPM, of which the kernel gives fragment shaders nothing");
    if (p->cached)
        return error_set(e, "it reads the case's memory, which lies elsewhere under the kernel's driver");
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

/* ---- registers of our own ---- */

static bool take_scratch(uint64_t *used, unsigned first, unsigned end, struct scratch *r)
{
    for (unsigned i = first; i < end; i++)
        if (!(*used >> i & 1)) {
            *used |= UINT64_C(1) << i;
            r->place = (uint8_t)i;
            return true;
        }
    return false;
}

static bool take_registers(struct builder *b, struct error *e)
{
    uint64_t used = b->p->in.file | b->p->out.file;
    bool good = take_scratch(&used, 0, 32, &b->countdown) && take_scratch(&used, 0, 32, &b->offset) &&
                take_scratch(&used, 0, 64, &b->shown);
    for (unsigned f = 0; f < FLAG_ROWS && good && b->p->out.other & VERIFIER_FLAGS; f++)
        good = take_scratch(&used, 0, 64, &b->flag[f]);
    return good || error_set(e, "it leaves too few registers to what shows its state");
}

static uint8_t file_of(struct scratch r)
{
    return r.place >= 32;
}

static uint8_t register_of(struct scratch r)
{
    return r.place % 32;
}

/* ---- which pixel shows what ---- */

/* An operation of the ADD pipe on two accumulators. */
static void emit_two(struct builder *b, uint8_t op, uint8_t to, uint8_t x, uint8_t y)
{
    struct qpu_insn i = emit_make_move((uint8_t)(QPU_W_R0 + to), 0, (uint8_t)(QPU_MUX_R0 + x), 0);
    i.op_add = op;
    i.add_b = (uint8_t)(QPU_MUX_R0 + y);
    emit(&b->code, &i);
}

/* The same on an accumulator and a small immediate. */
static void emit_one(struct builder *b, uint8_t op, uint8_t to, uint8_t x, uint8_t small)
{
    emit_small(&b->code, op, (uint8_t)(QPU_W_R0 + to), 0, (uint8_t)(QPU_MUX_R0 + x), 0, small);
}

/* Uses r0 to r3 and the flags. Y counts from the slot's first line. */
static void emit_layout(struct builder *b)
{
    struct emitter *m = &b->code;
    emit_small(m, QPU_ADD_SHR, QPU_W_R0, 0, QPU_MUX_A, QPU_R_COORDINATE, 3);
    emit_move(m, QPU_W_R0 + 1, 0, QPU_MUX_B, QPU_R_COORDINATE);
    emit_set(m, QPU_W_R0 + 2, 0, b->slot->y);
    emit_one(b, QPU_ADD_AND, 0, 0, BLOCKS_ACROSS - 1); /* the block's number in its line */
    emit_two(b, QPU_ADD_SUB, 1, 1, 2);
    emit_one(b, QPU_ADD_AND, 1, 1, SMALL_MINUS_8); /* eight blocks a line, of eight lines of pixels */
    emit_two(b, QPU_ADD_ADD, 0, 0, 1);             /* r0: the block's number */
    emit_one(b, QPU_ADD_AND, 1, 0, 1);
    emit_one(b, QPU_ADD_SHL, 2, 1, 1);
    emit_two(b, QPU_ADD_ADD, 1, 1, 2); /* r1: the pixel of a quad that tells: 0, in odd blocks 3 */
    emit_small(m, QPU_ADD_AND, QPU_W_R0 + 2, 0, QPU_MUX_A, QPU_R_NUMBER, 3);
    emit_one(b, QPU_ADD_SHR, 3, 0, 1);
    emit_small(m, QPU_ADD_ADD, register_of(b->countdown), EMIT_FILE_A, QPU_MUX_R3, 0, 1);
    struct qpu_insn i = emit_make_move(QPU_W_NOTHING, 0, QPU_MUX_R1, 0);
    i.op_add = QPU_ADD_XOR;
    i.add_b = QPU_MUX_R2;
    i.sf = 1;
    emit(m, &i);
    emit_word(m, register_of(b->countdown), EMIT_FILE_A, QPU_COND_ZS, NEVER);
    emit_set(m, QPU_W_R0 + 3, 0, b->s->stamp);
    i = emit_make_move(register_of(b->shown), file_of(b->shown), QPU_MUX_R3, 0);
    i.add_b = QPU_MUX_A;
    i.raddr_a = QPU_R_NUMBER;
    emit(m, &i);
}

/* ---- the case's state ---- */

static const uint32_t *initial_row(const struct builder *b, unsigned region, unsigned row)
{
    return b->initial->value + (region + row) * VC4_LANES;
}

static void add_uniform(struct builder *b, uint32_t word)
{
    if (b->s->uniforms == SHADER_UNIFORMS_MAX)
        b->full = true;
    else
        b->slot->uniforms[b->s->uniforms++] = word;
}

/* The kernel takes a look-up in memory only at an offset that goes through max with 0 and min with a uniform.
 * Uses r0. */
static void emit_offset(struct builder *b)
{
    struct emitter *m = &b->code;
    emit_small(m, QPU_ADD_SHL, QPU_W_R0, 0, QPU_MUX_A, QPU_R_NUMBER, 2);
    emit_one(b, QPU_ADD_MAX, 0, 0, 0);
    struct qpu_insn i = emit_make_move(register_of(b->offset), EMIT_FILE_A, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_MIN;
    i.add_b = QPU_MUX_A;
    i.raddr_a = QPU_R_UNIFORM;
    emit(m, &i);
    add_uniform(b, ROW_BYTES - 4);
    emit_nops(m, 1); /* it is read next, at the earliest after this */
}

/* A row to r4: the kernel adds the buffer's address to the uniform. */
static void emit_lookup(struct builder *b, const uint32_t *row)
{
    struct shader *s = b->s;
    if (s->input == SHADER_INPUT_MAX) {
        b->full = true;
        return;
    }
    memcpy(b->slot->input + s->input * VC4_LANES, row, ROW_BYTES);
    struct qpu_insn i = emit_make_move(QPU_W_TMU0_S, 0, QPU_MUX_A, register_of(b->offset));
    i.op_add = QPU_ADD_ADD;
    i.add_b = QPU_MUX_B;
    i.raddr_b = QPU_R_UNIFORM;
    emit(&b->code, &i);
    add_uniform(b, b->slot->input_at + ROW_BYTES * s->input++);
    emit_signal(&b->code, QPU_SIG_LOAD_TMU0);
}

static void emit_load(struct builder *b, const uint32_t *row, uint8_t waddr, uint8_t file)
{
    if (emit_same_in_all_elements(row)) {
        emit_set(&b->code, waddr, file, row[0]);
        return;
    }
    emit_lookup(b, row);
    emit_move(&b->code, waddr, file, QPU_MUX_R4, 0);
}

static bool emit_state(struct builder *b, struct error *e)
{
    const struct verifier_places *in = &b->p->in;
    uint32_t x[VC4_LANES], y[VC4_LANES];
    emit_offset(b);
    for (unsigned i = 0; i < 64; i++)
        if (verifier_has_place(in, i))
            emit_load(b, initial_row(b, i < 32 ? RA : RB, i % 32), (uint8_t)(i % 32), i >= 32);
    if (in->other & VERIFIER_FLAGS) {
        if (!emit_flag_operands(initial_row(b, FLAGS, 0), x, y, e))
            return false;
        emit_load(b, x, QPU_W_R0, 0);
        emit_load(b, y, QPU_W_R0 + 1, 0);
        emit_set_flags(&b->code);
    }
    for (unsigned i = 0; i < 4; i++)
        if (verifier_has_place(in, 64 + i))
            emit_load(b, initial_row(b, ACC, i), (uint8_t)(QPU_W_R0 + i), 0);
    if (verifier_has_place(in, 69)) {
        if (!emit_same_in_all_elements(initial_row(b, ACC, 5)))
            return error_set(e, "its initial r5 differs between elements, which no program can bring about");
        emit_set(&b->code, QPU_W_R5, EMIT_FILE_B, initial_row(b, ACC, 5)[0]);
    }
    if (verifier_has_place(in, 68))
        emit_lookup(b, initial_row(b, ACC, 4));
    emit_nops(&b->code, 2); /* nothing that was just written is read by the first instruction */
    return true;
}

/* ---- what it left ---- */

/* The next row of the output: on where the countdown comes to 0. */
static void show(struct builder *b, uint32_t number, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_small(QPU_ADD_SUB, register_of(b->countdown), EMIT_FILE_A, QPU_MUX_A,
                                        register_of(b->countdown), 1);
    i.sf = 1;
    emit(&b->code, &i);
    i = emit_make_move(register_of(b->shown), file_of(b->shown), mux, raddr);
    i.cond_add = QPU_COND_ZS;
    emit(&b->code, &i);
    b->s->row[b->s->rows++] = (uint16_t)number;
}

static void show_state(struct builder *b)
{
    static const uint8_t conds[FLAG_ROWS] = {QPU_COND_ZS, QPU_COND_NS, QPU_COND_CS};
    const struct verifier_places *out = &b->p->out;
    bool flags = out->other & VERIFIER_FLAGS;
    emit_nops(&b->code, 3); /* results of the SFU and of the last writes arrive */
    for (unsigned f = 0; f < FLAG_ROWS && flags; f++) {
        emit_set(&b->code, register_of(b->flag[f]), file_of(b->flag[f]), 0);
        emit_word(&b->code, register_of(b->flag[f]), file_of(b->flag[f]), conds[f], 1);
    }
    for (unsigned i = 0; i < PLACES; i++)
        if (verifier_has_place(out, i))
            show(b, QPU_ROW_RA + i, /* rows stand in the order of places */
                 i >= 64  ? (uint8_t)(i - 64)
                 : i < 32 ? QPU_MUX_A
                          : QPU_MUX_B,
                 (uint8_t)(i % 32));
    for (unsigned f = 0; f < FLAG_ROWS && flags; f++)
        show(b, FLAGS + f, file_of(b->flag[f]) ? QPU_MUX_B : QPU_MUX_A, register_of(b->flag[f]));
    if (!b->s->rows) /* it only has to come to its end: nothing is shown but the stamps */
        b->s->row[b->s->rows++] = UINT16_MAX;
}

static void emit_end(struct builder *b)
{
    emit_nops(&b->code, 1);
    struct qpu_insn i = emit_make_move(QPU_W_TLB_COLOUR_ALL, 0, file_of(b->shown) ? QPU_MUX_B : QPU_MUX_A,
                                       register_of(b->shown));
    i.sig = QPU_SIG_SCOREBOARD_WAIT;
    emit(&b->code, &i);
    emit_nops(&b->code, 1);
    emit_signal(&b->code, QPU_SIG_END);
    emit_nops(&b->code, 1);
    emit_signal(&b->code, QPU_SIG_SCOREBOARD_UNLOCK);
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
 * Does the kernel take the whole? Where the case's program is plain, that is known: what stands around it is
 * always taken, reads as many words of the stream as were put there for it, and makes the look-ups that load
 * the state (tests/harness/test_shader.c compares). It was a tenth of the host's time.
 */
static bool kernel_takes(const struct builder *b, const struct shader_part *part, uint32_t words_before,
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
    if (!emit_state(&b, e))
        return false;
    uint32_t words_before = s->uniforms;
    for (uint32_t i = 0; i < q->uniforms.count; i++)
        add_uniform(&b,
                    q->uniforms.item[i].value + (q->uniforms.item[i].is_address ? MEMORY_BASE_DEFAULT : 0));
    emit_body(&b.code, q);
    show_state(&b);
    emit_end(&b);
    s->code = b.code.count;
    if (b.full || b.code.full)
        return error_set(e, "with what loads and shows its state it is longer than %d instructions",
                         SHADER_CODE_MAX);
    if (!kernel_takes(&b, part, words_before, &k, e))
        return error_where(e, "the kernel's validator refuses it with what loads and shows its state");
    if (k.uniforms > s->uniforms || k.samples < s->input)
        return error_set(e, "the kernel counts %lu uniforms and %lu look-ups, not %u and %u",
                         (unsigned long)k.uniforms, (unsigned long)k.samples, s->uniforms, s->input);
    s->own_lookups = k.samples - s->input;
    s->uniforms = k.uniforms; /* words that no instruction names are not the kernel's */
    return true;
}

/* ---- reading pixels ---- */

/* One row of the output, as it comes together. */
struct shown_row {
    uint32_t word[VC4_LANES], seen; /* bit n of `seen`: element n */
};

/* The four pixels of one quad, of which number `tells` (0 or 3) says which elements they are. Without a
 * branch for those that were seen before. */
static inline bool read_quad(const struct shader *s, const uint32_t *at, uint32_t pitch, unsigned tells,
                             struct shown_row *r)
{
    const uint32_t pixel[4] = {at[0], at[1], at[pitch], at[pitch + 1]};
    uint32_t lane = pixel[tells] ^ s->stamp, differs = 0;
    if (lane > LANE_BITS || lane % 4 != tells)
        return false;
    uint32_t *word = r->word + (lane - tells), seen = r->seen >> (lane - tells);
    for (unsigned i = tells == 0; i < 3U + (tells == 0); i++) {
        differs |= (word[i] ^ pixel[i]) & (0U - (seen >> i & 1));
        word[i] = pixel[i];
    }
    r->seen |= (tells == 0 ? 14U : 7U) << (lane - tells);
    return !differs;
}

static inline bool read_block(const struct shader *s, const uint32_t *first, uint32_t pitch, unsigned tells,
                              struct shown_row *r)
{
    for (unsigned y = 0; y < QUADS; y++, first += 2 * pitch)
        for (unsigned x = 0; x < QUADS; x++)
            if (!read_quad(s, first + 2 * x, pitch, tells, r))
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
    for (uint32_t y = s->y; y < s->y + s->height;
         y += SHADER_BLOCK) /* each line of blocks, since they may lie in two tiles */
        if (target[y * pitch + s->x] == clear)
            return false;
    return true;
}
