/* SPDX-License-Identifier: MIT */
/*
 * Computes words in ways that a static proof cannot follow: by byte operations, floats, packs and unpacks,
 * rotations, r5 and conditions, or by passing words through the VPM or memory.
 */
#include "tests/harness/attack/qpu/qpu_maker.h"

#include "model/vc4/vpm/vpm_setup.h"

#include <string.h>

/* Applies an operation of one pipe to a word. The second operand is the small immediate `small`, or the word
 * itself if `small` is negative. */
static struct source apply(struct maker *m, bool mul, uint8_t op, uint32_t word, int small)
{
    struct source s = maker_value(m, word);
    if (s.mux == QPU_MUX_B && small >= 0) {
        maker_free(m, s);
        s = maker_accumulator(m, s);
    }
    struct qpu_insn i = maker_insn(small >= 0 ? QPU_ALU_SMALL : QPU_ALU);
    uint8_t *a = mul ? &i.mul_a : &i.add_a, *b = mul ? &i.mul_b : &i.add_b;
    maker_wait_for(m, s);
    *(mul ? &i.op_mul : &i.op_add) = op;
    maker_take_operand(&i, a, s);
    *b = small >= 0 ? QPU_MUX_B : *a;
    if (small >= 0)
        i.raddr_b = (uint8_t)small;
    maker_free(m, s);
    unsigned place = maker_free_place(m);
    maker_aim(&i, mul, place);
    maker_put(m, &i);
    return maker_source(place);
}

static uint32_t rotate_left(uint32_t word, unsigned n)
{
    return n ? word << n | word >> (32 - n) : word;
}

/* Makes an operation of one pipe whose result is `word`. */
static struct source by_operation(struct maker *m, uint32_t word)
{
    unsigned n = maker_below(m, 16);
    switch (maker_below(m, 9)) {
    case 0:
        return apply(m, false, QPU_ADD_NOT, ~word, -1);
    case 1:
        return apply(m, false, QPU_ADD_ROR, rotate_left(word, n), (int)n);
    case 2:
        return apply(m, false, word >> 31 ? QPU_ADD_MIN : QPU_ADD_MAX, word, 0);
    case 3:
        return apply(m, true, QPU_MUL_V8MAX, word, 0);
    case 4:
        return apply(m, true, QPU_MUL_V8ADDS, word, 0);
    case 5:
        return apply(m, true, QPU_MUL_MOV, word,
                     QPU_SMALL_ROTATE + 1 +
                         maker_below(m, 15)); /* a rotation changes nothing, because all elements are equal */
    case 6:
        return apply(m, false, QPU_ADD_ASR, word, 0);
    case 7:
        return word >> 24 ? apply(m, false, QPU_ADD_FMAXABS, word, -1)
                          : apply(m, true, QPU_MUL_MUL24, word, 1);
    default:
        return apply(m, false, QPU_ADD_V8SUBS, word, 0);
    }
}

/* Copies the word through r5, which gives all elements the value of element 0. */
static struct source by_r5(struct maker *m, uint32_t word)
{
    struct source s = maker_value(m, word);
    struct qpu_insn i = maker_insn(QPU_ALU);
    maker_wait_for(m, s);
    i.op_add = QPU_ADD_MOV;
    maker_take_operand(&i, &i.add_a, s);
    i.add_b = i.add_a;
    i.waddr_add = QPU_W_R5;
    i.ws = maker_below(m, 2);
    maker_put(m, &i);
    maker_free(m, s);
    maker_forget_initial(m, PLACE_R5);
    return maker_source(PLACE_R5);
}

static void load_half(struct maker *m, unsigned place, uint32_t half, uint8_t pack)
{
    struct qpu_insn i = maker_insn(QPU_LDI_32);
    maker_aim(&i, false, place);
    i.pack = pack;
    i.immediate = half;
    maker_put(m, &i);
}

/* Loads the two halves of the word into one register of file A, by packs. */
static struct source by_packs(struct maker *m, uint32_t word)
{
    unsigned place = maker_below(m, MAKER_REGISTERS);
    if (maker_is_busy(m, place))
        return by_operation(m, word);
    load_half(m, place, word & 0xFFFF, 1);
    load_half(m, place, word >> 16, 2);
    maker_forget_initial(m, place);
    return maker_source(place);
}

/* Loads the word under a condition, and then under the opposite condition. */
static struct source by_choice(struct maker *m, uint32_t word)
{
    unsigned place = PLACE_R0 + maker_below(m, 4);
    uint8_t cond = (uint8_t)(2 + maker_below(m, 6));
    if (maker_is_busy(m, place))
        return by_operation(m, word);
    for (unsigned n = 0; n < 2; n++) {
        struct qpu_insn i = maker_insn(QPU_LDI_32);
        maker_aim(&i, maker_chance(m, 50), place);
        i.cond_add = i.cond_mul = (uint8_t)(cond ^ n);
        i.immediate = word;
        maker_put(m, &i);
    }
    maker_forget_initial(m, place);
    return maker_source(place);
}

/* Passes the word through a row of the VPM. */
static struct source by_vpm(struct maker *m, uint32_t word)
{
    uint32_t block = 1U << VPM_WRITE_STRIDE_LOW | 1U << VPM_WRITE_HORIZ_LOW | 2U << VPM_WRITE_SIZE_LOW |
                     maker_below(m, 64);
    struct qpu_insn i = maker_insn(QPU_ALU);
    if (m->storing || m->loading || m->vpm_read)
        return by_operation(m, word);
    m->vpm_read = true; /* the value to write must not come from another VPM read */
    maker_send(m, QPU_W_VPM_SETUP, 1, block);
    maker_send(m, QPU_W_VPM, 0, word);
    maker_send(m, QPU_W_VPM_SETUP, 0, 1U << VPM_READ_NUM_LOW | block);
    maker_nops(m, 3);
    m->vpm_read = false;
    m->write_set = true;
    unsigned place = maker_free_place(m);
    i.op_add = QPU_ADD_MOV;
    i.raddr_a = QPU_R_VPM;
    i.add_a = i.add_b = QPU_MUX_A;
    maker_aim(&i, false, place);
    maker_put(m, &i);
    return maker_source(place);
}

/* Puts the word into memory, and loads it by a look-up. */
static struct source by_memory(struct maker *m, uint32_t word)
{
    struct qpu_case *c = m->c;
    struct qpu_insn load = maker_insn(QPU_ALU);
    uint32_t row = c->memory.count;
    if (m->stored || row >= 4 || maker_is_busy(m, PLACE_R4) || m->depth)
        return by_operation(m, word);
    c->memory.row[row].index = row;
    for (unsigned i = 0; i < VC4_LANES; i++)
        c->memory.row[row].word[i] = word;
    c->memory.count++;
    m->depth += 2; /* the address must not come from another look-up */
    maker_send(m, QPU_W_TMU0_S, 0, MAKER_BASE + 64 * row + 4U * maker_below(m, 16));
    m->depth -= 2;
    m->lookups += !m->stream_moved;
    m->stream_left -= m->stream_moved && m->stream_left;
    load.sig = QPU_SIG_LOAD_TMU0;
    maker_put(m, &load);
    maker_forget_initial(m, PLACE_R4);
    return maker_source(PLACE_R4);
}

struct source maker_compute_oddly(struct maker *m, uint32_t word)
{
    switch (maker_below(m, 12)) {
    case 0:
        return by_r5(m, word);
    case 1:
    case 2:
        return by_packs(m, word);
    case 3:
    case 4:
        return by_choice(m, word);
    case 5:
        return by_vpm(m, word);
    case 6:
    case 7:
        return by_memory(m, word);
    default:
        return by_operation(m, word);
    }
}
