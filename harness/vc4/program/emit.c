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

struct qpu_insn emit_make_move(uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i;
    qpu_canonical_here(QPU_ALU, &i);
    i.op_add = QPU_ADD_MOV;
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = file;
    i.add_a = i.add_b = mux;
    i.raddr_a = mux == QPU_MUX_A ? raddr : i.raddr_a;
    i.raddr_b = mux == QPU_MUX_B ? raddr : i.raddr_b;
    return i;
}

void emit_move(struct emitter *m, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr)
{
    struct qpu_insn i = emit_make_move(waddr, file, mux, raddr);
    emit(m, &i);
}

struct qpu_insn emit_make_small(uint8_t op, uint8_t waddr, uint8_t file, uint8_t mux, uint8_t raddr,
                                uint8_t small)
{
    struct qpu_insn i;
    qpu_canonical_here(QPU_ALU_SMALL, &i);
    i.op_add = op;
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.ws = file;
    i.add_a = mux;
    if (mux == QPU_MUX_A)
        i.raddr_a = raddr;
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

bool emit_flag_operands(const uint32_t *flags, uint32_t x[VC4_LANES], uint32_t y[VC4_LANES], struct error *e)
{
    /* by z | n << 1 | c << 2 */
    static const uint32_t xs[8] = {1, 0, 0x80000000, 0, 0xFFFFFFFF, 0x80000000, 0xC0000000, 0};
    static const uint32_t ys[8] = {0, 0, 0, 0, 2, 0x80000000, 0xC0000000, 0};
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t z = flags[i] & 1, n = flags[VC4_LANES + i] & 1, c = flags[2 * VC4_LANES + i] & 1;
        if (z && n)
            return error_set(e, "its initial flags have Z and N in one element, which no program can set");
        x[i] = xs[z | n << 1 | c << 2];
        y[i] = ys[z | n << 1 | c << 2];
    }
    return true;
}

void emit_set_flags(struct emitter *m)
{
    struct qpu_insn i = emit_make_move(QPU_W_NOTHING, 0, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_ADD;
    i.add_b = QPU_MUX_R1;
    i.sf = 1;
    emit(m, &i);
}

/* Has no branch for each element: it is called for every row that is loaded, with unpredictable results. */
bool emit_same_in_all_elements(const uint32_t *row)
{
    uint32_t different = 0;
    for (unsigned i = 1; i < VC4_LANES; i++)
        different |= row[i] ^ row[0];
    return !different;
}
