/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/qpu/qpu_generate.h"

#include "tests/harness/attack/qpu/qpu_maker.h"

#include "model/core/units.h"

#include <string.h>

enum { END_SLOTS = 2 };

/* ---- the initial state ---- */

static void seed_row(struct maker *m, uint32_t *index, uint32_t number, uint32_t *words)
{
    uint32_t word = maker_word(m), step = maker_chance(m, 15) ? 4 : 0;
    *index = number;
    for (unsigned i = 0; i < VC4_LANES; i++)
        words[i] = word + i * step;
}

static void seed_registers(struct maker *m)
{
    struct qpu_case *c = m->c;
    for (uint32_t i = 0; i < MAKER_REGISTERS; i++) {
        seed_row(m, &c->ra.row[i].index, i, c->ra.row[i].word);
        seed_row(m, &c->rb.row[i].index, i, c->rb.row[i].word);
    }
    for (uint32_t i = 0; i < 6; i++)
        seed_row(m, &c->acc.row[i].index, i, c->acc.row[i].word);
    c->ra.count = c->rb.count = MAKER_REGISTERS;
    c->acc.count = 6;
    c->flags.count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t bits = maker_chance(m, 30) ? 0 : random_u32(&m->random);
        c->flags.row[i].index = i;
        for (unsigned lane = 0; lane < VC4_LANES; lane++)
            c->flags.row[i].word[lane] = bits >> lane & 1;
    }
    for (unsigned lane = 0; lane < VC4_LANES; lane++) /* no instruction sets both Z and N in an element */
        c->flags.row[1].word[lane] &= ~c->flags.row[0].word[lane];
    c->ra.fill = c->rb.fill = c->vpm.fill = c->memory.fill = FILL_INDEX;
    c->qpu_number = maker_below(m, 12);
    c->stale_a = maker_word(m);
    c->stale_b = maker_word(m);
    c->stale_mul = maker_word(m);
}

/* ---- the end ---- */

/* Adds uniforms for look-ups (clause tmu-uniform-direct): for all of them, for all but one, or for none. */
static void fit_uniforms(struct maker *m)
{
    struct qpu_case *c = m->c;
    uint32_t all = m->reads + m->lookups, count = m->reads;
    unsigned n = maker_below(m, 10);
    if (n < 5)
        count = all;
    else if (n == 5)
        count = all ? all - 1 : 0;
    else if (n == 6)
        count = m->reads ? m->reads - maker_chance(m, 30) : 0;
    else if (n == 7)
        count = all + maker_below(m, 4);
    if (count > QPU_CASE_UNIFORMS_MAX)
        count = QPU_CASE_UNIFORMS_MAX;
    for (uint32_t i = m->reads; i < count; i++)
        c->uniforms.item[i] = (struct case_uniform){.value = maker_word(m)};
    c->uniforms.count = count;
}

static void end_slot(struct maker *m)
{
    if (maker_chance(m, 60))
        maker_nops(m, 1);
    else
        maker_noise(m, maker_chance(m, 80));
}

static void put_end(struct maker *m)
{
    struct qpu_insn end = maker_insn(QPU_ALU);
    if (maker_chance(m, 20)) {
        end.op_add = QPU_ADD_ADD;
        end.add_a = maker_below(m, 4);
        end.add_b = maker_below(m, 4);
        end.waddr_add = (uint8_t)(QPU_W_R0 + maker_below(m, 4));
    }
    end.sig = QPU_SIG_END;
    m->no_uniforms = true;
    maker_put(m, &end);
    for (unsigned n = 0; n < END_SLOTS; n++)
        end_slot(m);
}

/* ---- a case ---- */

void qpu_hostile_case(uint64_t seed, uint64_t number, unsigned odd, struct test_case *tc)
{
    struct maker m = {.c = (void *)tc->words, .last = MAKER_PLACES, .odd = odd};
    case_init(tc, &vc4_qpu_unit);
    random_seed(&m.random, random_mix64(seed) ^ number);
    seed_registers(&m);
    for (unsigned blocks = 1 + maker_below(&m, 4); blocks && !maker_is_full(&m); blocks--) {
        maker_some_noise(&m, 30);
        maker_block(&m);
    }
    if (m.c->program.count > MAKER_ROOM + 100)
        m.c->program.count = MAKER_ROOM;
    fit_uniforms(&m);
    put_end(&m);
    for (unsigned changes = maker_chance(&m, 45) ? 0 : 1 + maker_below(&m, 2); changes; changes--) {
        uint32_t count = m.c->program.count, end = count > END_SLOTS ? count - 1 - END_SLOTS : 0;
        maker_perturb(&m, maker_chance(&m, 10) ? count : end);
    }
}
