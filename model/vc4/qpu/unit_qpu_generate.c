/* SPDX-License-Identifier: MIT */
/*
 * Generates cases of unit vc4-qpu that are worth running. Instructions use few registers, so that later ones
 * read earlier results. Operands are often at the edges of formats. VPM and DMA accesses follow their setups.
 * Branches are short and go forward. Every program has an end.
 */
#include "model/vc4/qpu/unit_qpu.h"

#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/vpm/vpm_setup.h"

enum { END_WORDS = 3 };

static uint8_t below(struct random *r, uint32_t n)
{
    return (uint8_t)random_below(r, n);
}

static uint8_t pick(struct random *r, const uint8_t *from, uint32_t count)
{
    return from[random_below(r, count)];
}
#define PICK(r, list) pick(r, list, sizeof(list))

/* ---- one instruction ---- */

/* Lists each ADD opcode as often as the `draws` column of qpu_operations.h says. */
#define DRAWS_0(opcode)
#define DRAWS_1(opcode)                     opcode,
#define DRAWS_2(opcode)                     opcode, opcode,
#define DRAWS(id, opcode, name, draws, ...) DRAWS_##draws(opcode)
#define NO_DRAWS(opcode)
static const uint8_t add_ops[] = {QPU_ADD_OPERATIONS(DRAWS, NO_DRAWS)};
static const uint8_t plain_writes[] = {32, 33, 34, 35, 32, 33, 34, 35, 0, 1, 2, 3, 4, 5, 6, 7, 37, 39};
static const uint8_t rare_writes[] = {38, 40, 41, 42, 48, 51, 52, 53, 54, 55, 52, 53, 31};
static const uint8_t rare_reads[] = {32, 38, 39, 41, 42, 48, 49, 50, 51, 32, 38};

static uint8_t any_write(struct random *r)
{
    return random_one_in(r, 24) ? PICK(r, rare_writes) : PICK(r, plain_writes);
}

static uint8_t any_read(struct random *r)
{
    return random_one_in(r, 20) ? PICK(r, rare_reads) : below(r, 8);
}

static uint8_t any_cond(struct random *r)
{
    static const uint8_t conds[64] = {
        [0 ... 39] = QPU_COND_ALWAYS, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    return PICK(r, conds);
}

static uint8_t mux_of(uint64_t four_bits)
{
    static const uint8_t muxes[16] = {0,         1,         2,          3,         0,         1,
                                      2,         3,         QPU_MUX_A,  QPU_MUX_A, QPU_MUX_A, QPU_MUX_B,
                                      QPU_MUX_B, QPU_MUX_B, QPU_MUX_R4, QPU_MUX_R5};
    return muxes[four_bits & 15];
}

static struct qpu_insn alu_start(void)
{
    return (struct qpu_insn){.class = QPU_ALU,
                             .sig = QPU_SIG_NONE,
                             .cond_add = QPU_COND_ALWAYS,
                             .cond_mul = QPU_COND_ALWAYS,
                             .waddr_add = QPU_W_NOTHING,
                             .waddr_mul = QPU_W_NOTHING,
                             .raddr_a = QPU_R_NOTHING,
                             .raddr_b = QPU_R_NOTHING};
}

static void make_pack(struct random *r, struct qpu_insn *i)
{
    if (random_one_in(r, 3)) { /* colours of the MUL pipe, r4 to float */
        i->pm = 1;
        i->pack = random_one_in(r, 2) ? (uint8_t)(3 + below(r, 5)) : 0;
        i->unpack = random_one_in(r, 2) ? below(r, 8) : 0;
        return;
    }
    i->pack = random_one_in(r, 2) ? below(r, 16) : 0;
    i->unpack = random_one_in(r, 2) ? below(r, 8) : 0;
    if (i->pack) /* into file A */
        *(i->ws ? &i->waddr_mul : &i->waddr_add) = below(r, 8);
}

/* Takes small choices from bits of one draw, and chooses the pipes without a branch, because mispredicted
 * branches are slow (see any_word). */
static void make_alu(struct random *r, struct qpu_insn *i)
{
    uint64_t dice = random_u64(r);
    bool add = (dice >> 20 & 7) < 6, mul = add ? dice >> 23 & 1 : true;
    *i = alu_start();
    i->add_a = mux_of(dice);
    i->add_b = mux_of(dice >> 4);
    i->mul_a = mux_of(dice >> 8);
    i->mul_b = mux_of(dice >> 12);
    i->sf = !(dice >> 16 & 3);
    i->ws = !(dice >> 18 & 3);
    i->raddr_a = any_read(r);
    i->raddr_b = any_read(r);
    uint8_t op_add = random_one_in(r, 100) ? below(r, 32) : PICK(r, add_ops), cond_add = any_cond(r),
            waddr_add = any_write(r);
    uint8_t op_mul = random_one_in(r, 60) ? 0 : (uint8_t)(1 + below(r, 7)), cond_mul = any_cond(r),
            waddr_mul = any_write(r);
    i->op_add = add ? op_add : 0;
    i->cond_add = add ? cond_add : QPU_COND_ALWAYS;
    i->waddr_add = add ? waddr_add : QPU_W_NOTHING;
    i->op_mul = mul ? op_mul : 0;
    i->cond_mul = mul ? cond_mul : QPU_COND_ALWAYS;
    i->waddr_mul = mul ? waddr_mul : QPU_W_NOTHING;
    if ((i->waddr_add >= QPU_FILE_ROWS) & (i->waddr_add == i->waddr_mul) && (dice >> 24 & 15))
        i->waddr_mul = QPU_W_NOTHING;
    if (!(dice >> 28 & 3))
        make_pack(r, i);
    if (!(dice >> 30 & 3)) {
        i->class = QPU_ALU_SMALL;
        i->sig = QPU_SIG_SMALL_IMMEDIATE;
        i->raddr_b = below(r, i->op_mul && random_one_in(r, 2) ? 64 : QPU_SMALL_ROTATE);
        if (i->raddr_b >= QPU_SMALL_ROTATE && !random_one_in(r, 4)) { /* mostly operands that rotate fully */
            i->mul_a &= 3;
            i->mul_b &= 3;
        }
    }
}

/*
 * Returns a word to compute with: an edge of a format (in three of eight cases), a float of ordinary size
 * (two), a small number (one), or anything (two). Computes all four from one draw and selects one, because
 * mispredicted branches took half the time of a generated case (1.9 -> 1.0 us).
 */
static uint32_t any_word(struct random *r)
{
    static const uint32_t edges[] = {0,          1,          0x7F,       0x80,       0x7FFF,     0x8000,
                                     0xFFFFFF,   0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000,
                                     0x40000000, 0x3F000000, 0x437F0000, 0x4F000000, 0x7F800000, 0xFF800000,
                                     0x7FC00000, 0x00800000, 0x33800000, 0x3F7FFFFF, 0x3C003800, 0x7C000400};
    static const uint8_t kinds[8] = {0, 0, 0, 1, 1, 2, 3, 3};
    uint64_t dice = random_u64(r), share = dice >> 32 & 0x1FFFFFFF; /* of 2^29 */
    uint32_t low = (uint32_t)dice;
    const uint32_t words[4] = {
        edges[share * (sizeof edges / sizeof *edges) >> 29],
        (low & 0x807FFFFF) | (uint32_t)(118 + (share * 20 >> 29)) << 23,
        (uint32_t)(share >> 21) - 64,
        low,
    };
    return words[kinds[dice >> 61]];
}

static void make_load(struct random *r, struct qpu_insn *i)
{
    static const uint8_t classes[] = {QPU_LDI_32, QPU_LDI_32, QPU_LDI_SIGNED, QPU_LDI_UNSIGNED,
                                      QPU_SEMAPHORE};
    qpu_canonical(PICK(r, classes), i);
    i->waddr_add = any_write(r);
    i->waddr_mul = random_one_in(r, 4) ? PICK(r, plain_writes) : QPU_W_NOTHING;
    if (i->waddr_add >= QPU_FILE_ROWS && i->waddr_add == i->waddr_mul)
        i->waddr_mul = QPU_W_NOTHING;
    i->cond_add = any_cond(r);
    i->cond_mul = any_cond(r);
    i->sf = random_one_in(r, 4);
    i->ws = random_one_in(r, 4);
    i->pack = random_one_in(r, 6) ? below(r, 16) : 0;
    i->immediate = i->class == QPU_LDI_32 ? any_word(r) : random_u32(r);
    if (i->class ==
        QPU_SEMAPHORE) { /* mostly increments of few counters: a single QPU that waits at 0 waits for ever */
        i->immediate = below(r, 3);
        i->immediate |= random_one_in(r, 3) ? 16 : 0;
    }
}

static void make_branch(struct random *r, struct qpu_insn *i)
{
    qpu_canonical(QPU_BRANCH, i);
    i->rel = 1;
    i->cond_br = random_one_in(r, 4) ? 15 : below(r, 12);
    i->immediate = 8 * random_below(r, 3);
    i->raddr_a = random_one_in(r, 4) ? below(r, 8) : 0;
    if (random_one_in(r, 3))
        i->waddr_add = PICK(r, plain_writes);
}

void qpu_generate_word(struct random *r, uint32_t *words)
{
    struct qpu_insn i;
    uint32_t n = random_below(r, 32);
    (n < 27 ? make_alu : n < 31 ? make_load : make_branch)(r, &i);
    qpu_split(qpu_encode(&i), words);
}

/* Changes one field of the instruction, flips one bit of the word, or replaces the instruction. */
void qpu_mutate_word(struct random *r, uint32_t *words)
{
    uint64_t word = qpu_join(words);
    struct qpu_insn i;
    uint32_t n = random_below(r, 16);
    if (n == 0 || !qpu_decode(word, &i)) {
        qpu_generate_word(r, words);
        return;
    }
    if (n < 4) {
        word ^= UINT64_C(1) << random_below(r, 60); /* the signal stays */
    } else {
        uint8_t *const muxes[] = {&i.add_a, &i.add_b, &i.mul_a, &i.mul_b};
        uint8_t *field;
        switch (n % 6) {
        case 0:
            i.op_add = PICK(r, add_ops);
            break;
        case 1:
            i.op_mul = below(r, 8);
            break;
        case 2:
            field = muxes[random_below(r, 4)];
            *field = mux_of(random_u32(r));
            break;
        case 3:
            field = random_one_in(r, 2) ? &i.waddr_add : &i.waddr_mul;
            *field = any_write(r);
            break;
        case 4:
            field = random_one_in(r, 2) ? &i.raddr_a : &i.raddr_b;
            *field = any_read(r);
            break;
        default:
            i.immediate ^= any_word(r);
            field = random_one_in(r, 2) ? &i.cond_add : &i.cond_mul;
            *field = any_cond(r);
            break;
        }
        if (i.class == QPU_BRANCH)
            i.raddr_a &= 31;
        word = qpu_encode(&i);
    }
    qpu_split(word, words);
}

/* ---- programs ---- */

static void add_end(struct qpu_case *c)
{
    qpu_add_word(c, QPU_END_WORD);
    qpu_add_word(c, QPU_NOP_WORD);
    qpu_add_word(c, QPU_NOP_WORD);
}

static void add_load(struct qpu_case *c, uint8_t waddr, bool file_b, uint32_t word)
{
    struct qpu_insn i;
    qpu_canonical(QPU_LDI_32, &i);
    i.cond_add = i.cond_mul = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = file_b;
    i.immediate = word;
    qpu_add_insn(c, &i);
}

static struct qpu_insn move(uint8_t waddr, uint8_t raddr, uint8_t mux)
{
    struct qpu_insn i = alu_start();
    i.op_add = QPU_ADD_MOV;
    i.raddr_a = raddr;
    i.add_a = i.add_b = mux;
    i.waddr_add = waddr;
    return i;
}

/* Adds a move of an accumulator to a peripheral, sometimes under a condition. */
static void add_move(struct random *r, struct qpu_case *c, uint8_t waddr)
{
    struct qpu_insn i = move(waddr, QPU_R_NOTHING, below(r, 4));
    i.cond_add = random_one_in(r, 8) ? below(r, 8) : QPU_COND_ALWAYS;
    qpu_add_insn(c, &i);
}

/* The fields that block setups for reads and writes share: stride, LANED and HORIZ, size, address. */
static uint32_t block_setup(struct random *r, uint32_t size)
{
    uint32_t stride = random_below(r, 4), orientation = random_below(r, 4), address = random_below(r, 256);
    return stride << 12 | orientation << 10 | size << 8 | address;
}

static void add_vpm_write(struct random *r, struct qpu_case *c)
{
    uint32_t size = random_one_in(r, 2) ? 2 : random_below(r, 3), vectors = 1 + random_below(r, 3);
    add_load(c, QPU_W_VPM_SETUP, true, block_setup(r, size));
    for (uint32_t i = 0; i < vectors; i++)
        add_move(r, c, QPU_W_VPM);
}

static void add_vpm_read(struct random *r, struct qpu_case *c)
{
    uint32_t vectors = 1 + random_below(r, 3), wait = random_one_in(r, 6) ? random_below(r, 3) : 3,
             size = random_below(r, 3);
    add_load(c, QPU_W_VPM_SETUP, false, vectors << 20 | block_setup(r, size));
    for (uint32_t i = 0; i < wait; i++)
        qpu_add_word(c, QPU_NOP_WORD);
    for (uint32_t i = 0; i < vectors + random_one_in(r, 40); i++) {
        struct qpu_insn in = move(below(r, 8), QPU_R_VPM, QPU_MUX_A);
        qpu_add_insn(c, &in);
    }
}

/* Adds a DMA transfer to or from the case's memory. Replaces the uniforms by addresses, and the program takes
 * the transfer's address from one, so that it runs wherever the memory is. */
static void add_dma(struct random *r, struct qpu_case *c)
{
    bool store = random_one_in(r, 2);
    uint32_t rows = 1 + random_below(r, 4), depth = 1 + random_below(r, 16), y = random_below(r, 64),
             x = random_below(r, 4);
    if (store)
        add_load(c, QPU_W_VPM_SETUP, true,
                 UINT32_C(2) << 30 | rows << 23 | depth << 16 | random_below(r, 2) << 14 | y << 7 | x << 3);
    else
        add_load(c, QPU_W_VPM_SETUP, false,
                 UINT32_C(1) << 31 | 3U << 24 | (depth & 15) << 20 | rows << 16 | 1U << 12 |
                     random_below(r, 2) << 11 | y << 4 | x);
    c->uniforms.count = 8;
    for (uint32_t i = 0; i < c->uniforms.count; i++)
        c->uniforms.item[i] =
            (struct case_uniform){.is_address = 1, .value = 64 * random_below(r, VC4_MEMORY_ROWS - 16)};
    struct qpu_insn in = move(QPU_W_DMA_ADDRESS, QPU_R_UNIFORM, QPU_MUX_A);
    in.ws = store;
    qpu_add_insn(c, &in);
    in = alu_start();
    *(store ? &in.raddr_b : &in.raddr_a) = QPU_R_DMA_WAIT;
    qpu_add_insn(c, &in);
}

/* Redirects a branch that would leave the program to the program's end. */
static void limit_branch(struct qpu_case *c, uint32_t at, uint32_t end)
{
    struct qpu_insn i;
    uint64_t word = qpu_join(c->program.word + 2 * at);
    if (word >> 60 != QPU_SIG_BRANCH || !qpu_decode(word, &i) || !i.rel)
        return;
    uint32_t most = end > at + 4 ? end - at - 4 : 0;
    if (i.immediate / 8 > most) {
        i.immediate = 8 * most;
        qpu_split(qpu_encode(&i), c->program.word + 2 * at);
    }
}

static bool is_signal(const struct qpu_case *c, uint32_t at, uint32_t sig)
{
    return c->program.word[2 * at + 1] >> 28 == sig;
}

/* Makes the program end: signal 3 in the third instruction from the last, unless it is there already. */
void qpu_mend_case(struct test_case *tc)
{
    struct qpu_case *c = (void *)tc->words;
    uint32_t count = c->program.count;
    if (count >= END_WORDS && is_signal(c, count - END_WORDS, QPU_SIG_END))
        return;
    if (count > QPU_CASE_PROGRAM_MAX - END_WORDS)
        c->program.count = QPU_CASE_PROGRAM_MAX - END_WORDS;
    add_end(c);
}

/* ---- initial state ---- */

/* Makes 16 elements from four drawn words, so that neighbours differ at little cost. */
static void make_words(struct random *r, uint32_t *word)
{
    uint32_t four[4], places = random_u32(r);
    for (unsigned i = 0; i < 4; i++)
        four[i] = any_word(r);
    for (unsigned i = 0; i < VC4_LANES; i++)
        word[i] = four[places >> 2 * i & 3];
}

static void make_row(struct random *r, uint32_t *index, uint32_t row, uint32_t *word)
{
    *index = row;
    make_words(r, word);
}

static void make_flags(struct random *r, uint32_t *word)
{
    uint32_t bits = random_u32(r);
    for (unsigned i = 0; i < VC4_LANES; i++)
        word[i] = bits >> i & 1;
}

static void make_state(struct random *r, struct qpu_case *c)
{
    for (uint32_t i = 0; i < 3; i++) {
        make_row(r, &c->acc.row[i].index, i, c->acc.row[i].word);
        make_row(r, &c->ra.row[i].index, 2 * i, c->ra.row[i].word);
        make_row(r, &c->rb.row[i].index, 2 * i + 1, c->rb.row[i].word);
    }
    c->acc.count = c->ra.count = c->rb.count = 3;
    c->ra.fill = c->rb.fill = FILL_INDEX;
    c->acc.fill = FILL_INDEX;
    if (random_one_in(r, 2)) {
        c->flags.count = 3;
        for (uint32_t i = 0; i < 3; i++) {
            c->flags.row[i].index = i;
            make_flags(r, c->flags.row[i].word);
        }
    }
    c->uniforms.count = random_below(r, 8);
    for (uint32_t i = 0; i < c->uniforms.count; i++) {
        c->uniforms.item[i].is_address = random_one_in(r, 4);
        c->uniforms.item[i].value =
            c->uniforms.item[i].is_address ? 64 * random_below(r, VC4_MEMORY_ROWS) : any_word(r);
    }
    c->vpm.fill = FILL_INDEX;
    c->memory.fill = FILL_INDEX;
    c->qpu_number = random_below(r, 12);
    if (random_one_in(r, 4)) {
        c->stale_a = any_word(r);
        c->stale_b = any_word(r);
        c->stale_mul = any_word(r);
    }
}

void qpu_generate_case(struct random *r, struct test_case *tc)
{
    struct qpu_case *c = (void *)tc->words;
    uint32_t length = 2 + random_below(r, 18);
    make_state(r, c);
    c->program.count = 0;
    if (random_one_in(r, 8))
        qpu_generate_graphics(r, c);
    while (c->program.count < length) {
        uint32_t n = random_below(r, 64);
        if (n < 5 && c->stage == QPU_STAGE_FRAGMENT && !random_one_in(r, 8))
            n = 5; /* a VPM access ends most fragment shaders (vpm-in-fragment) */
        if (n < 2)
            add_vpm_write(r, c);
        else if (n < 4)
            add_vpm_read(r, c);
        else if (n < 5)
            add_dma(r, c);
        else
            qpu_generate_word(r, c->program.word + 2 * c->program.count++);
    }
    uint32_t end = c->program.count;
    for (uint32_t i = 0; i < end; i++)
        limit_branch(c, i, end);
    add_end(c);
}

/* Changes registers and flags, from which most programs compute. Keeps the initial state of a fragment
 * shader, and the uniforms, which may be addresses and textures. */
void qpu_vary_case(struct random *r, struct test_case *tc)
{
    struct qpu_case *c = (void *)tc->words;
    for (uint32_t i = 0; i < c->acc.count; i++)
        make_words(r, c->acc.row[i].word);
    for (uint32_t i = 0; i < c->ra.count; i++)
        make_words(r, c->ra.row[i].word);
    for (uint32_t i = 0; i < c->rb.count; i++)
        make_words(r, c->rb.row[i].word);
    for (uint32_t i = 0; i < c->flags.count; i++)
        make_flags(r, c->flags.row[i].word);
}

/* ---- for boards that prove programs ---- */

/* Does the instruction set up the VPM by an immediate? `file` gets 0 for reads, 1 for writes. */
static bool sets_vpm(const struct qpu_insn *i, unsigned *file)
{
    *file = i->waddr_add == QPU_W_VPM_SETUP ? i->ws : !i->ws;
    return i->class == QPU_LDI_32 && (i->waddr_add == QPU_W_VPM_SETUP || i->waddr_mul == QPU_W_VPM_SETUP);
}

/* Changes setups so that block accesses stay in rows 0 to 63. Adds a uniform for each look-up, because one
 * reading of tmu-uniform-direct takes one more. */
void qpu_mend_case_for_proof(struct test_case *tc)
{
    struct qpu_case *c = (struct qpu_case *)(void *)tc->words;
    struct qpu_insn insn;
    unsigned file;
    for (uint32_t i = 0; i < c->program.count; i++) {
        uint32_t *word = c->program.word + 2 * i;
        if (!qpu_decode(qpu_join(word), &insn))
            continue;
        if (sets_vpm(&insn, &file))
            word[0] = file ? setup_mend_write(word[0]) : setup_mend_read(word[0]);
        unsigned lookups = 0;
        lookups += insn.waddr_add == QPU_W_TMU0_S || insn.waddr_add == QPU_W_TMU1_S;
        lookups += insn.waddr_mul == QPU_W_TMU0_S || insn.waddr_mul == QPU_W_TMU1_S;
        for (; lookups && c->uniforms.count && c->uniforms.count < QPU_CASE_UNIFORMS_MAX;
             lookups--, c->uniforms.count++)
            c->uniforms.item[c->uniforms.count] = c->uniforms.item[c->uniforms.count - 1];
    }
}
