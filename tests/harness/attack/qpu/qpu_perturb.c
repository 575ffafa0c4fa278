/* SPDX-License-Identifier: MIT */
/* Changes one thing in a finished program: changes a field, adds or removes an instruction, or swaps two. */
#include "tests/harness/attack/qpu/qpu_maker.h"

#include "model/vc4/qpu/encoding/qpu_fields.h"

#include <string.h>

static uint32_t *word_at(struct maker *m, uint32_t at)
{
    return m->c->program.word + 2 * at;
}

static void encode(struct maker *m, uint32_t at, const struct qpu_insn *i)
{
    uint64_t word = qpu_encode_here(i);
    word_at(m, at)[0] = (uint32_t)word;
    word_at(m, at)[1] = (uint32_t)(word >> 32);
}

static void make_room(struct maker *m, uint32_t at)
{
    memmove(word_at(m, at + 1), word_at(m, at), 2 * sizeof(uint32_t) * (m->c->program.count - at));
    m->c->program.count++;
}

static void drop(struct maker *m, uint32_t at)
{
    m->c->program.count--;
    memmove(word_at(m, at), word_at(m, at + 1), 2 * sizeof(uint32_t) * (m->c->program.count - at));
}

/* Returns another register or peripheral for a field. */
static uint8_t any_address(struct maker *m)
{
    return maker_chance(m, 50) ? maker_below(m, MAKER_REGISTERS) : (uint8_t)(32 + maker_below(m, 32));
}

static void change_alu(struct maker *m, struct qpu_insn *i)
{
    uint8_t *const bits[] = {&i->sf, &i->ws, &i->pm};
    uint8_t *const threes[] = {&i->cond_add, &i->cond_mul, &i->unpack, &i->add_a,
                               &i->add_b,    &i->mul_a,    &i->mul_b,  &i->op_mul};
    uint8_t *const addresses[] = {&i->waddr_add, &i->waddr_mul, &i->raddr_a, &i->raddr_b};
    static const uint8_t signals[] = {QPU_SIG_NONE,          QPU_SIG_LOAD_TMU0,          QPU_SIG_LOAD_TMU1,
                                      QPU_SIG_THREAD_SWITCH, QPU_SIG_LAST_THREAD_SWITCH, QPU_SIG_END};
    unsigned n = maker_below(m, 16);
    if (n < 3)
        *bits[n] ^= 1;
    else if (n < 8)
        *threes[maker_below(m, 8)] = maker_below(m, 8);
    else if (n < 13)
        *addresses[maker_below(m, 4)] = any_address(m);
    else if (n < 14)
        i->op_add = maker_below(m, 32);
    else if (n < 15)
        i->pack = maker_below(m, 16);
    else if (i->class == QPU_ALU)
        i->sig = signals[maker_below(m, sizeof signals)];
    else
        i->raddr_b = maker_below(m, 64);
}

static void change_load(struct maker *m, struct qpu_insn *i)
{
    uint8_t *const fields[] = {&i->cond_add, &i->cond_mul};
    uint8_t *const addresses[] = {&i->waddr_add, &i->waddr_mul};
    switch (maker_below(m, 6)) {
    case 0:
        *fields[maker_below(m, 2)] = maker_below(m, 8);
        break;
    case 1:
        *addresses[maker_below(m, 2)] = any_address(m);
        break;
    case 2:
        i->ws ^= 1;
        break;
    case 3:
        i->pack = maker_below(m, 16);
        break;
    default: /* flips a bit, or moves the immediate to the next or previous word */
        i->immediate = maker_chance(m, 50) ? i->immediate ^ 1U << maker_below(m, 32)
                                           : i->immediate + (maker_chance(m, 50) ? 4U : 0U - 4U);
        break;
    }
}

static void change_branch(struct maker *m, struct qpu_insn *i)
{
    switch (maker_below(m, 5)) {
    case 0:
        i->immediate += maker_chance(m, 50) ? 8U : 0U - 8U;
        break;
    case 1:
        i->cond_br = maker_below(m, 16);
        break;
    case 2:
        i->raddr_a = maker_below(m, 32);
        break;
    case 3:
        i->branch_unused = maker_below(m, 16);
        break;
    default:
        i->immediate = 8U * maker_below(m, 20);
        break;
    }
}

static void change_field(struct maker *m, uint32_t at)
{
    struct qpu_insn i;
    const uint32_t *word = word_at(m, at);
    if (!qpu_decode(word[0] | (uint64_t)word[1] << 32, &i))
        return;
    if (i.class <= QPU_ALU_SMALL)
        change_alu(m, &i);
    else if (i.class == QPU_BRANCH)
        change_branch(m, &i);
    else
        change_load(m, &i);
    encode(m, at, &i);
}

/* Inserts an instruction: makes it at the end, and then moves it to `at`. */
static void insert(struct maker *m, uint32_t at)
{
    uint32_t count = m->c->program.count, word[2];
    if (count + 8 >= QPU_CASE_PROGRAM_MAX)
        return;
    m->busy_acc = 0;
    m->busy_file = 0;
    if (maker_chance(m, 50))
        maker_noise(m, false);
    else
        maker_interfere(m, maker_chance(m, 30) ? PLACE_R4 + maker_below(m, 2) : maker_below(m, MAKER_PLACES));
    memcpy(word, word_at(m, count), sizeof word);
    m->c->program.count = count;
    make_room(m, at);
    memcpy(word_at(m, at), word, sizeof word);
}

static void swap(struct maker *m, uint32_t at)
{
    uint32_t word[2];
    memcpy(word, word_at(m, at), sizeof word);
    memcpy(word_at(m, at), word_at(m, at + 1), sizeof word);
    memcpy(word_at(m, at + 1), word, sizeof word);
}

void maker_perturb(struct maker *m, uint32_t end)
{
    if (end < 2)
        return;
    uint32_t at = random_below(&m->random, end);
    unsigned n = maker_below(m, 10);
    if (n < 5)
        change_field(m, at);
    else if (n < 7)
        insert(m, at);
    else if (n < 8)
        drop(m, at);
    else if (n < 9)
        swap(m, random_below(&m->random, end - 1));
    else if (m->c->uniforms.count)
        m->c->uniforms.count--;
}
