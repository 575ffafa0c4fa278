/* SPDX-License-Identifier: MIT */
/* Instructions that only compute, and instructions that may change a word in use. */
#include "tests/harness/attack/qpu/qpu_maker.h"

/* ---- instructions that only compute ---- */

static uint8_t noise_mux(struct maker *m)
{
    return maker_below(m, 8);
}

static uint8_t noise_target(struct maker *m, bool plain)
{
    unsigned place = maker_free_place(m);
    if (plain || place >= PLACE_R0) {
        place = PLACE_R0 + maker_below(m, 4);
        return maker_is_busy(m, place) ? QPU_W_NOTHING : (uint8_t)(QPU_W_R0 + place - PLACE_R0);
    }
    if (maker_chance(m, 10) && !maker_is_busy(m, PLACE_R5))
        return QPU_W_R5;
    if (maker_chance(m, 8) && (!maker_is_busy(m, PLACE_R4) || maker_chance(m, 20)))
        return (uint8_t)(QPU_W_SFU_RECIP + maker_below(m, 4));
    return place % 32;
}

static void note_target(struct maker *m, struct qpu_insn *i, bool mul)
{
    uint8_t *waddr = mul ? &i->waddr_mul : &i->waddr_add;
    if (*waddr < QPU_FILE_ROWS) {
        unsigned place = *waddr + (i->ws != mul ? PLACE_RB : 0U);
        if (maker_is_busy(m, place))
            *waddr = QPU_W_NOTHING;
        else
            maker_forget_initial(m, place);
    } else if (*waddr <= QPU_W_R3 || *waddr == QPU_W_R5) {
        maker_forget_initial(m, PLACE_R0 + *waddr - QPU_W_R0);
    } else if (*waddr >= QPU_W_SFU_RECIP && *waddr <= QPU_W_SFU_LOG) {
        maker_forget_initial(m, PLACE_R4);
    }
}

static void noise_load(struct maker *m, bool plain)
{
    static const uint8_t classes[] = {QPU_LDI_32, QPU_LDI_32, QPU_LDI_SIGNED, QPU_LDI_UNSIGNED};
    struct qpu_insn i = maker_insn(classes[maker_below(m, 4)]);
    i.ws = maker_below(m, 2);
    i.waddr_add = noise_target(m, plain);
    if (maker_chance(m, 25))
        i.waddr_mul = noise_target(m, true);
    if (i.waddr_mul == i.waddr_add)
        i.waddr_mul = QPU_W_NOTHING;
    i.cond_add = maker_chance(m, 25) ? maker_below(m, 8) : QPU_COND_ALWAYS;
    i.sf = maker_chance(m, 20);
    i.immediate = maker_word(m);
    note_target(m, &i, false);
    note_target(m, &i, true);
    maker_put(m, &i);
}

static void noise_operands(struct maker *m, struct qpu_insn *i)
{
    static const uint8_t ops[] = {1,  2,  3,  4,  5,  6,  7,  8,  12, 12, 13, 14, 15,
                                  16, 17, 18, 19, 20, 21, 21, 22, 23, 24, 30, 31};
    unsigned pipes = 1 + maker_below(m, 3);
    i->op_add = pipes & 1 ? ops[maker_below(m, sizeof ops)] : 0;
    i->op_mul = pipes & 2 ? (uint8_t)(1 + maker_below(m, 7)) : 0;
    i->add_a = noise_mux(m);
    i->add_b = noise_mux(m);
    i->mul_a = noise_mux(m);
    i->mul_b = noise_mux(m);
    i->raddr_a =
        maker_chance(m, 5) ? QPU_R_NUMBER : maker_below(m, maker_chance(m, 70) ? MAKER_REGISTERS : 32);
    i->raddr_b = maker_below(m, maker_chance(m, 70) ? MAKER_REGISTERS : 32);
    if (i->class == QPU_ALU_SMALL)
        i->raddr_b = maker_below(m, 64);
    if (maker_chance(m, 10)) {
        i->pm = maker_below(m, 2);
        i->pack = maker_below(m, 16);
        i->unpack = maker_below(m, 8);
    }
}

/* Makes the instruction read a uniform, and in most cases use it as an operand. */
static void noise_uniform(struct maker *m, struct qpu_insn *i)
{
    if (m->stream_moved ? !m->stream_left : !maker_push_uniform(m, maker_word(m), false))
        return;
    m->stream_left -= m->stream_moved;
    if (i->class == QPU_ALU && maker_chance(m, 50))
        i->raddr_b = QPU_R_UNIFORM;
    else
        i->raddr_a = QPU_R_UNIFORM;
    if (!maker_chance(m, 15)) { /* in most cases makes sure that the operation uses it */
        i->op_add = QPU_ADD_ADD;
        i->add_a = i->raddr_a == QPU_R_UNIFORM ? QPU_MUX_A : QPU_MUX_B;
    }
}

void maker_noise(struct maker *m, bool plain)
{
    if (maker_chance(m, 20)) {
        noise_load(m, plain);
        return;
    }
    struct qpu_insn i = maker_insn(maker_chance(m, 25) ? QPU_ALU_SMALL : QPU_ALU);
    noise_operands(m, &i);
    if (!plain && maker_chance(m, 4))
        noise_uniform(m, &i);
    i.ws = maker_below(m, 2);
    if (i.op_add)
        i.waddr_add = noise_target(m, plain);
    if (i.op_mul)
        i.waddr_mul = noise_target(m, plain);
    bool both_sfu = i.waddr_add >= QPU_W_SFU_RECIP && i.waddr_mul >= QPU_W_SFU_RECIP;
    if (both_sfu || (i.waddr_mul == i.waddr_add && !maker_chance(m, 10)))
        i.waddr_mul = QPU_W_NOTHING;
    if (maker_chance(m, 30))
        i.cond_add = maker_below(m, 8);
    if (maker_chance(m, 30))
        i.cond_mul = maker_below(m, 8);
    i.sf = maker_chance(m, 25);
    note_target(m, &i, false);
    note_target(m, &i, true);
    maker_put(m, &i);
}

void maker_some_noise(struct maker *m, unsigned percent)
{
    while (maker_chance(m, percent) && !maker_is_full(m))
        maker_noise(m, false);
}

/* ---- instructions that may change a word in use ---- */

static void write_sfu(struct maker *m)
{
    struct qpu_insn i = maker_insn(QPU_ALU);
    i.op_add = QPU_ADD_MOV;
    i.add_a = i.add_b = maker_below(m, 6);
    i.waddr_add = (uint8_t)(QPU_W_SFU_RECIP + maker_below(m, 4));
    if (maker_chance(m, 15))
        i.cond_add = maker_below(m, 8);
    maker_put(m, &i);
    maker_nops(m, maker_below(m, 4));
}

/* Writes the place, or the register of the same number in the other file. Uses one or both pipes, conditions,
 * packs and rotations. */
static void overwrite(struct maker *m, unsigned place)
{
    struct qpu_insn i = maker_insn(maker_chance(m, 30) ? QPU_ALU_SMALL : QPU_ALU);
    unsigned pipes = 1 + maker_below(m, 3);
    noise_operands(m, &i);
    i.op_add = QPU_ADD_MOV;
    i.op_mul = QPU_MUL_MOV;
    i.mul_b = i.mul_a;
    i.sf = maker_chance(m, 30);
    if (pipes & 1)
        maker_aim(&i, false, place);
    if (pipes & 2)
        maker_aim(&i, true, place);
    i.cond_add = maker_chance(m, 50) ? QPU_COND_NEVER : maker_below(m, 8);
    i.cond_mul = maker_chance(m, 50)   ? QPU_COND_NEVER
                 : maker_chance(m, 50) ? i.cond_add ^ 1U
                                       : maker_below(m, 8);
    if (place < PLACE_R0 && maker_chance(m, 40)) {
        i.ws = !i.ws;
        if (maker_is_busy(m, place ^ PLACE_RB))
            i.waddr_add = i.waddr_mul = QPU_W_NOTHING;
        maker_forget_initial(m, place ^ PLACE_RB);
    }
    if (i.waddr_add == QPU_W_NOTHING && maker_chance(m, 50))
        i.op_add = 0;
    maker_put(m, &i);
}

static void load_conditionally(struct maker *m, unsigned place)
{
    struct qpu_insn i = maker_insn(QPU_LDI_32);
    maker_aim(&i, maker_chance(m, 50), place);
    i.immediate = maker_word(m);
    i.cond_add = i.cond_mul = maker_chance(m, 60) ? QPU_COND_NEVER : maker_below(m, 8);
    i.pack = maker_chance(m, 20) ? maker_below(m, 16) : 0;
    i.pm = maker_chance(m, 20);
    maker_put(m, &i);
}

static void write_r5(struct maker *m)
{
    struct qpu_insn i = maker_insn(QPU_ALU);
    bool mul = maker_chance(m, 50);
    i.op_add = mul ? 0 : QPU_ADD_MOV;
    i.op_mul = mul ? QPU_MUL_MOV : 0;
    i.add_a = i.add_b = i.mul_a = i.mul_b = maker_below(m, 6);
    *(mul ? &i.waddr_mul : &i.waddr_add) = QPU_W_R5;
    i.ws = maker_below(m, 2);
    i.cond_add = i.cond_mul = maker_chance(m, 50) ? QPU_COND_NEVER : maker_below(m, 8);
    maker_put(m, &i);
}

void maker_interfere(struct maker *m, unsigned place)
{
    if (maker_is_full(m))
        return;
    if (place == PLACE_R4) {
        write_sfu(m);
    } else if (place == PLACE_R5) {
        write_r5(m);
    } else if (place >= MAKER_PLACES) {
        maker_noise(m, false);
    } else if (maker_chance(m, 30)) {
        load_conditionally(m, place);
    } else {
        overwrite(m, place);
    }
}
