/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/emit.h"

#include "model/vc4/qpu/encoding/qpu_fields.h"

static void put(struct emitter *m, uint32_t low, uint32_t high)
{
    if (m->count == m->room) {
        m->full = true;
        return;
    }
    m->at[2 * m->count] = low;
    m->at[2 * m->count++ + 1] = high;
}

void emit(struct emitter *m, const struct qpu_insn *i)
{
    uint64_t word = qpu_encode_here(i);
    put(m, (uint32_t)word, (uint32_t)(word >> 32));
}

void emit_signal(struct emitter *m, uint8_t signal)
{
    struct qpu_insn i;
    qpu_canonical_here(QPU_ALU, &i);
    i.sig = signal;
    emit(m, &i);
}

void emit_nops(struct emitter *m, unsigned count)
{
    while (count--)
        emit_signal(m, QPU_SIG_NONE);
}

void emit_word(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t cond, uint32_t word)
{
    struct qpu_insn i;
    qpu_canonical_here(QPU_LDI_32, &i);
    i.cond_add = cond;
    i.waddr_add = waddr;
    i.ws = file;
    i.immediate = word;
    emit(m, &i);
}

void emit_set(struct emitter *m, uint8_t waddr, uint8_t file, uint32_t word)
{
    emit_word(m, waddr, file, QPU_COND_ALWAYS, word);
}

static struct qpu_insn make_add(enum qpu_class class, uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux,
                                uint8_t raddr)
{
    struct qpu_insn i;
    qpu_canonical_here(class, &i);
    i.op_add = op;
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = file;
    i.add_a = i.add_b = mux;
    i.raddr_a = mux == QPU_MUX_A ? raddr : i.raddr_a;
    i.raddr_b = mux == QPU_MUX_B ? raddr : i.raddr_b;
    return i;
}

struct qpu_insn emit_make_move(uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr)
{
    return make_add(QPU_ALU, QPU_ADD_MOV, waddr, file, mux, raddr);
}

void emit_move(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_move(waddr, file, mux, raddr);
    emit(m, &i);
}

struct qpu_insn emit_make_small(uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                                uint8_t small)
{
    struct qpu_insn i = make_add(QPU_ALU_SMALL, op, waddr, file, mux, raddr);
    i.add_b = QPU_MUX_B;
    i.raddr_b = small;
    return i;
}

void emit_small(struct emitter *m, uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                uint8_t small)
{
    struct qpu_insn i = emit_make_small(op, waddr, file, mux, raddr, small);
    emit(m, &i);
}

void emit_two(struct emitter *m, uint8_t op, unsigned to, unsigned x, unsigned y)
{
    struct qpu_insn i = emit_make_move((uint8_t)(QPU_W_R0 + to), 0, (uint8_t)(QPU_MUX_R0 + x), 0);
    i.op_add = op;
    i.add_b = (uint8_t)(QPU_MUX_R0 + y);
    emit(m, &i);
}

void emit_one(struct emitter *m, uint8_t op, unsigned to, unsigned x, uint8_t small)
{
    emit_small(m, op, (uint8_t)(QPU_W_R0 + to), 0, (uint8_t)(QPU_MUX_R0 + x), 0, small);
}

void emit_colour(struct emitter *m, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_move(QPU_W_TLB_COLOUR_ALL, 0, mux, raddr);
    i.sig = QPU_SIG_SCOREBOARD_WAIT;
    emit(m, &i);
    emit_nops(m, 1);
    emit_signal(m, QPU_SIG_END);
    emit_nops(m, 1);
    emit_signal(m, QPU_SIG_SCOREBOARD_UNLOCK);
}

void emit_body(struct emitter *m, const struct qpu_case *c)
{
    for (uint32_t i = 0; i < c->program.count; i++) {
        uint32_t high = c->program.word[2 * i + 1];
        if (i + EMIT_END_INSTRUCTIONS == c->program.count)
            high = (high & 0x0FFFFFFF) | (uint32_t)QPU_SIG_NONE << 28;
        put(m, c->program.word[2 * i], high);
    }
}

/*
 * Makes two vectors whose sum sets the flags as in `flags` (rows z, n, c): a sum of 0 sets Z, a sum with bit
 * 31 sets N, a carry out sets C, and 0 + 1 sets none. False: some element has both Z and N, which no
 * instruction can set together.
 */
static bool make_flag_operands(const uint32_t *flags, uint32_t x[VC4_LANES], uint32_t y[VC4_LANES])
{
    /* indexed by z | n << 1 | c << 2 */
    static const uint32_t xs[8] = {1, 0, 0x80000000, 0, 0xFFFFFFFF, 0x80000000, 0xC0000000, 0};
    static const uint32_t ys[8] = {0, 0, 0, 0, 2, 0x80000000, 0xC0000000, 0};
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t z = flags[i] & 1, n = flags[VC4_LANES + i] & 1, c = flags[2 * VC4_LANES + i] & 1;
        if (z && n)
            return false;
        x[i] = xs[z | n << 1 | c << 2];
        y[i] = ys[z | n << 1 | c << 2];
    }
    return true;
}

static void add_load(struct emit_state *s, const uint32_t *row, unsigned waddr, uint8_t file)
{
    s->load[s->count++] = (struct emit_load){row, (uint8_t)waddr, file, false};
}

bool emit_plan_state(const struct verifier_places *in, const struct outcome *initial, struct emit_state *s,
                     struct error *e)
{
    enum { PLACE_R0 = 64, PLACE_R5 = PLACE_R0 + 5 };
    const uint32_t *row = initial->value + QPU_ROW_RA * VC4_LANES; /* rows have the order of places */
    const uint32_t *r5 = row + PLACE_R5 * VC4_LANES;
    s->count = 0;
    for (uint64_t left = in->file; left; left &= left - 1) {
        unsigned place = (unsigned)__builtin_ctzll(left);
        add_load(s, row + place * VC4_LANES, place % 32, place >= 32);
    }
    if (in->other & VERIFIER_FLAGS) {
        if (!make_flag_operands(initial->value + QPU_ROW_FLAGS * VC4_LANES, s->x, s->y))
            return error_set(e, "an element of the initial flags has both Z and N, which no program can set");
        add_load(s, s->x, QPU_W_R0, 0);
        add_load(s, s->y, QPU_W_R0 + 1, 0);
        s->load[s->count - 1].sets_flags = true;
    }
    for (unsigned i = 0; i < 4; i++)
        if (verifier_has_place(in, PLACE_R0 + i))
            add_load(s, row + (PLACE_R0 + i) * VC4_LANES, QPU_W_R0 + i, 0);
    if (!verifier_has_place(in, PLACE_R5))
        return true;
    if (!emit_same_in_all_elements(r5))
        return error_set(e, "the initial r5 differs between elements, which no program can set");
    add_load(s, r5, QPU_W_R5, EMIT_FILE_B);
    return true;
}
_Static_assert(QPU_ROW_RB == QPU_ROW_RA + 32 && QPU_ROW_ACC == QPU_ROW_RA + 64,
               "rows have the order of places");

void emit_set_flags(struct emitter *m)
{
    struct qpu_insn i = emit_make_move(QPU_W_NOTHING, 0, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_ADD;
    i.add_b = QPU_MUX_R1;
    i.sf = 1;
    emit(m, &i);
}

/* Has no branch in the loop, because this function runs for every row that is loaded, and the branch would be
 * mispredicted often. */
bool emit_same_in_all_elements(const uint32_t *row)
{
    uint32_t different = 0;
    for (unsigned i = 1; i < VC4_LANES; i++)
        different |= row[i] ^ row[0];
    return !different;
}
