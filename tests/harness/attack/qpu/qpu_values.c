/* SPDX-License-Identifier: MIT */
/* Puts words into registers, and uses them, sometimes with interfering instructions in between. */
#include "tests/harness/attack/qpu/qpu_maker.h"

#include "model/vc4/qpu/encoding/qpu_fields.h"

/* ---- instructions ---- */

/* Returns a nop. A caller that adds operations to it gets results that are written unconditionally. */
struct qpu_insn maker_insn(enum qpu_class class)
{
    struct qpu_insn i;
    qpu_canonical_here(class, &i);
    i.cond_add = i.cond_mul = QPU_COND_ALWAYS;
    return i;
}

static uint8_t written_place(const struct qpu_insn *i)
{
    if (i->waddr_add < QPU_FILE_ROWS)
        return (uint8_t)(i->waddr_add + (i->ws ? PLACE_RB : 0));
    if (i->waddr_mul < QPU_FILE_ROWS)
        return (uint8_t)(i->waddr_mul + (i->ws ? 0 : PLACE_RB));
    return MAKER_PLACES;
}

void maker_put(struct maker *m, const struct qpu_insn *i)
{
    uint32_t at = m->c->program.count;
    if (at >= QPU_CASE_PROGRAM_MAX)
        return;
    uint64_t word = qpu_encode_here(i);
    m->c->program.word[2 * at] = (uint32_t)word;
    m->c->program.word[2 * at + 1] = (uint32_t)(word >> 32);
    m->c->program.count++;
    m->last = written_place(i);
}

void maker_nops(struct maker *m, unsigned count)
{
    struct qpu_insn nop = maker_insn(QPU_ALU);
    while (count--)
        maker_put(m, &nop);
}

/* ---- places ---- */

/* A set of places has one bit for each place: `file` for those of the files, `accumulators` for the
 * others. */
static bool has_place(uint64_t file, uint8_t accumulators, unsigned place)
{
    uint64_t bits = place < PLACE_R0 ? file >> place : (uint64_t)accumulators >> (place - PLACE_R0);
    return bits & 1;
}

bool maker_is_busy(const struct maker *m, unsigned place)
{
    return has_place(m->busy_file, m->busy_acc, place);
}

void maker_hold(struct maker *m, unsigned place, bool busy)
{
    if (place >= MAKER_PLACES)
        return;
    uint64_t file = place < PLACE_R0 ? UINT64_C(1) << place : 0;
    uint8_t acc = (uint8_t)(place < PLACE_R0 ? 0U : 1U << (place - PLACE_R0));
    m->busy_file = busy ? m->busy_file | file : m->busy_file & ~file;
    m->busy_acc = (uint8_t)(busy ? m->busy_acc | acc : m->busy_acc & ~acc);
}

void maker_forget_initial(struct maker *m, unsigned place)
{
    if (place < PLACE_R0)
        m->seeded_file |= UINT64_C(1) << place;
    else if (place < MAKER_PLACES)
        m->seeded_acc = (uint8_t)(m->seeded_acc | 1U << (place - PLACE_R0));
}

static unsigned any_place(struct maker *m)
{
    unsigned n = maker_below(m, 10);
    if (n < 6)
        return PLACE_R0 + maker_below(m, 4);
    return (n < 8 ? 0U : PLACE_RB) + maker_below(m, maker_chance(m, 80) ? MAKER_REGISTERS : 32);
}

unsigned maker_free_place(struct maker *m)
{
    unsigned place = any_place(m);
    for (unsigned tries = 0; maker_is_busy(m, place) && tries < 20; tries++)
        place = any_place(m);
    return place;
}

struct source maker_source(unsigned place)
{
    if (place >= PLACE_R0)
        return (struct source){(uint8_t)(place - PLACE_R0), 0, (uint8_t)place};
    return (struct source){place < PLACE_RB ? QPU_MUX_A : QPU_MUX_B, place % 32, (uint8_t)place};
}

void maker_take_operand(struct qpu_insn *i, uint8_t *mux, struct source s)
{
    *mux = s.mux;
    if (s.mux == QPU_MUX_A)
        i->raddr_a = s.raddr;
    if (s.mux == QPU_MUX_B)
        i->raddr_b = s.raddr;
}

void maker_aim(struct qpu_insn *i, bool mul, unsigned place)
{
    uint8_t file = place >= PLACE_RB && place < PLACE_R0;
    uint8_t waddr = (uint8_t)(place >= PLACE_R0 ? QPU_W_R0 + place - PLACE_R0 : place % 32);
    *(mul ? &i->waddr_mul : &i->waddr_add) = waddr;
    if (place < PLACE_R0)
        i->ws = mul ? !file : file;
}

/* ---- words ---- */

uint32_t maker_word(struct maker *m)
{
    static const uint32_t words[] = {MAKER_BASE,
                                     MAKER_BASE + MAKER_WINDOW - 4,
                                     MAKER_BASE + MAKER_WINDOW - 64,
                                     MAKER_BASE + 64,
                                     MAKER_BASE + MAKER_WINDOW / 2,
                                     MAKER_BASE + MAKER_WINDOW,
                                     MAKER_BASE - 4,
                                     0x80904000,
                                     0xC0000000,
                                     0xC0000040,
                                     0x90000040,
                                     0x83101000,
                                     0x00001A00,
                                     0x00101A00,
                                     0x00201A3E,
                                     0x00000200,
                                     0x7F000000,
                                     0x3F800000,
                                     0,
                                     4,
                                     64,
                                     0x10000,
                                     0x40010000,
                                     0xFFFFFFFF};
    uint64_t dice = random_u64(&m->random);
    if (dice % 4 == 0)
        return (uint32_t)(dice >> 32);
    if (dice % 4 == 1)
        return MAKER_BASE + ((uint32_t)(dice >> 32) % MAKER_WINDOW & ~3U);
    return words[(dice >> 8) % (sizeof words / sizeof *words)];
}

static void seed_lanes(uint32_t *words, uint32_t word)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        words[i] = word;
}

/* Returns the row that holds a place's initial content; NULL if the case does not set this content. */
static uint32_t *initial_row(struct maker *m, unsigned place)
{
    if (place >= PLACE_R0)
        return m->c->acc.row[place - PLACE_R0].word;
    if (place % 32 >= MAKER_REGISTERS)
        return NULL;
    return place < PLACE_RB ? m->c->ra.row[place].word : m->c->rb.row[place - PLACE_RB].word;
}

/* ---- operands ---- */

static void load_immediate(struct maker *m, unsigned place, uint32_t word)
{
    struct qpu_insn i = maker_insn(QPU_LDI_32);
    bool mul = maker_chance(m, 25);
    maker_aim(&i, mul, place);
    i.immediate = word;
    if (maker_chance(m, 20)) /* the other pipe loads the word into another register */
        *(mul ? &i.waddr_add : &i.waddr_mul) = (uint8_t)(QPU_W_R0 + maker_below(m, 4));
    if (i.waddr_add == i.waddr_mul ||
        maker_is_busy(m, PLACE_R0 + *(mul ? &i.waddr_add : &i.waddr_mul) - QPU_W_R0))
        *(mul ? &i.waddr_add : &i.waddr_mul) = QPU_W_NOTHING;
    maker_put(m, &i);
}

/* Moves an operand to a place, with either pipe. */
static void move_to(struct maker *m, unsigned place, struct source s)
{
    struct qpu_insn i = maker_insn(QPU_ALU);
    bool mul = maker_chance(m, 40);
    if (mul) {
        i.op_mul = QPU_MUL_MOV;
        maker_take_operand(&i, &i.mul_a, s);
        i.mul_b = i.mul_a;
    } else {
        i.op_add = QPU_ADD_MOV;
        maker_take_operand(&i, &i.add_a, s);
        i.add_b = i.add_a;
    }
    maker_aim(&i, mul, place);
    maker_put(m, &i);
}

bool maker_push_uniform(struct maker *m, uint32_t word, bool address)
{
    struct qpu_case *c = m->c;
    if (m->stream_moved || m->no_uniforms || m->reads >= QPU_CASE_UNIFORMS_MAX)
        return false;
    c->uniforms.item[m->reads++] = (struct case_uniform){address, address ? word - MAKER_BASE : word};
    c->uniforms.count = m->reads;
    return true;
}

static struct source from_uniform(struct maker *m, uint32_t word)
{
    uint8_t mux = maker_chance(m, 50) ? QPU_MUX_A : QPU_MUX_B;
    bool address = word - MAKER_BASE < MAKER_WINDOW && maker_chance(m, 70);
    if (!maker_push_uniform(m, word, address)) {
        unsigned place = maker_free_place(m);
        load_immediate(m, place, word);
        return maker_source(place);
    }
    return (struct source){mux, QPU_R_UNIFORM, MAKER_PLACES};
}

/* Chooses a register, and makes the word its initial content. Returns false if the chosen register is not
 * free. */
static bool from_start(struct maker *m, uint32_t word, struct source *s)
{
    unsigned place = any_place(m);
    if (maker_chance(m, 25))
        place = PLACE_R4 + maker_below(m, 2);
    bool seeded = has_place(m->seeded_file, m->seeded_acc, place);
    uint32_t *row = initial_row(m, place);
    if (seeded || maker_is_busy(m, place) || !row)
        return false;
    seed_lanes(row, word);
    maker_forget_initial(m, place);
    *s = maker_source(place);
    return true;
}

/* Chooses two words, and returns the operation that computes `word` from them. */
static uint8_t split(struct maker *m, uint32_t word, uint32_t *a, uint32_t *b)
{
    uint32_t x = maker_chance(m, 50) ? maker_word(m) : 4U * maker_below(m, 200);
    unsigned zeros = word ? (unsigned)__builtin_ctz(word) : 31;
    switch (maker_below(m, 7)) {
    case 0:
        *a = word + x;
        *b = x;
        return QPU_ADD_SUB;
    case 1:
        *a = word ^ x;
        *b = x;
        return QPU_ADD_XOR;
    case 2:
        *a = word & x;
        *b = word & ~x;
        return QPU_ADD_OR;
    case 3:
        *a = word | x;
        *b = word | ~x;
        return QPU_ADD_AND;
    case 4:
        *b = maker_below(m, zeros + 1);
        *a = word >> *b;
        return QPU_ADD_SHL;
    default:
        *a = word - x;
        *b = x;
        return QPU_ADD_ADD;
    }
}

static bool meet_in_file(struct source a, struct source b)
{
    return a.mux == b.mux && a.mux >= QPU_MUX_A && (a.raddr != b.raddr || a.raddr == QPU_R_UNIFORM);
}

static bool is_small(uint32_t word)
{
    return word < 16 || word >= UINT32_MAX - 15;
}

void maker_wait_for(struct maker *m, struct source s)
{
    if (s.place < PLACE_R0 && m->last == s.place && !maker_chance(m, 2)) {
        if (maker_chance(m, 50))
            maker_noise(m, false);
        else
            maker_nops(m, 1);
    }
}

/* Moves an operand to an accumulator. */
struct source maker_accumulator(struct maker *m, struct source s)
{
    unsigned place = PLACE_R0 + maker_below(m, 4);
    for (unsigned n = 0; n < 4 && maker_is_busy(m, place); n++)
        place = PLACE_R0 + n;
    maker_wait_for(m, s);
    move_to(m, place, s);
    maker_forget_initial(m, place);
    return maker_source(place);
}

static struct source compute(struct maker *m, uint32_t word)
{
    uint32_t x, y;
    uint8_t op = split(m, word, &x, &y);
    struct source a = maker_value(m, x);
    bool small = is_small(y) && a.mux != QPU_MUX_B && maker_chance(m, 70);
    struct qpu_insn i = maker_insn(small ? QPU_ALU_SMALL : QPU_ALU);
    i.op_add = op;
    if (small) {
        i.raddr_b = y & 31;
        i.add_b = QPU_MUX_B;
    } else {
        maker_hold(m, a.place, true);
        if (a.place ==
            MAKER_PLACES) { /* a uniform that is not read yet; the code for `b` may read the next */
            unsigned place = maker_free_place(m);
            move_to(m, place, a);
            a = maker_source(place);
            maker_hold(m, place, true);
        }
        struct source b = maker_value(m, y);
        if (meet_in_file(a, b))
            b = maker_accumulator(m, b);
        maker_wait_for(m, b);
        maker_take_operand(&i, &i.add_b, b);
        maker_free(m, b);
    }
    maker_wait_for(m, a);
    maker_take_operand(&i, &i.add_a, a);
    maker_free(m, a);
    unsigned place = maker_free_place(m);
    maker_aim(&i, false, place);
    maker_put(m, &i);
    return maker_source(place);
}

struct source maker_value(struct maker *m, uint32_t word)
{
    struct source s;
    unsigned way = maker_below(m, 20), place = MAKER_PLACES;
    if (maker_is_full(m))
        way = 0;
    if (m->depth < 2 && maker_chance(m, m->odd) && !maker_is_full(m)) {
        m->depth++;
        s = maker_compute_oddly(m, word);
        m->depth--;
    } else if (m->depth < 2 && way >= 16) {
        m->depth++;
        s = compute(m, word);
        m->depth--;
    } else if (way >= 12) {
        s = from_uniform(m, word);
    } else if (way < 5 || !from_start(m, word, &s)) {
        place = maker_free_place(m);
        load_immediate(m, place, word);
        s = maker_source(place);
    }
    if (maker_chance(m, 10)) { /* moves the word once more */
        unsigned to;
        maker_hold(m, s.place, true);
        to = maker_free_place(m);
        maker_wait_for(m, s);
        move_to(m, to, s);
        maker_free(m, s);
        s = maker_source(to);
    }
    if (s.place != MAKER_PLACES)
        maker_forget_initial(m, s.place);
    maker_hold(m, s.place, true);
    return s;
}

void maker_free(struct maker *m, struct source s)
{
    maker_hold(m, s.place, false);
}

/* ---- uses ---- */

static void unpack_something(struct maker *m, struct qpu_insn *i)
{
    i->pm = maker_below(m, 2);
    i->unpack = maker_below(m, 8);
}

void maker_send_source(struct maker *m, uint8_t waddr, uint8_t file, struct source s)
{
    struct qpu_insn i = maker_insn(QPU_ALU);
    bool mul = maker_chance(m, 35);
    if (maker_chance(m, 12))
        maker_interfere(m, s.place);
    maker_some_noise(m, 25);
    maker_wait_for(m, s);
    if (mul) {
        i.op_mul = QPU_MUL_MOV;
        maker_take_operand(&i, &i.mul_a, s);
        i.mul_b = i.mul_a;
        i.waddr_mul = waddr;
        i.ws = !file;
    } else {
        i.op_add = QPU_ADD_MOV;
        maker_take_operand(&i, &i.add_a, s);
        i.add_b = i.add_a;
        i.waddr_add = waddr;
        i.ws = file;
    }
    if (maker_chance(m, 1))
        unpack_something(m, &i);
    if (maker_chance(m, 1))
        *(mul ? &i.cond_mul : &i.cond_add) = maker_below(m, 8);
    i.sf = maker_chance(m, 10);
    maker_put(m, &i);
    maker_free(m, s);
}

void maker_send(struct maker *m, uint8_t waddr, uint8_t file, uint32_t word)
{
    if (maker_chance(m, 40)) {
        struct qpu_insn i = maker_insn(QPU_LDI_32);
        bool mul = maker_chance(m, 30);
        *(mul ? &i.waddr_mul : &i.waddr_add) = waddr;
        i.ws = mul ? !file : file;
        i.immediate = word;
        maker_put(m, &i);
        return;
    }
    maker_send_source(m, waddr, file, maker_value(m, word));
}
