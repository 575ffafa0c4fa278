/* SPDX-License-Identifier: MIT */
/* A machine before its first step: readings, rules, initial state, and the program as steps. */
#include "model/utgard/gp_step.h"

#include <stddef.h>

static void set_rules(struct gp *g)
{
    struct gp_rules *r = &g->rules;
    bool flush = READING(DENORMAL) == GP_DENORMAL_FLUSH, truncate = READING(ROUNDING) == GP_ROUNDING_TRUNCATE;
    *r = (struct gp_rules){
        .f = {.rounding = truncate ? ROUND_TRUNCATE : ROUND_NEAREST_EVEN, .flush = flush},
        .ordinary = !flush && !truncate,
        .nan = READING(NAN_PAYLOAD),
        .minmax_nan = READING(MINMAX_NAN),
        .minmax_zero = READING(MINMAX_ZERO),
        .compare_nan = READING(COMPARE_NAN),
        .sign_edge = READING(SIGN_EDGE),
        .identity = READING(IDENTITY),
        .clamp = READING(CLAMP_ORDER),
        .truth = READING(TRUTH),
        .partials = READING(PARTIALS),
        .accuracy = READING(COMPLEX_ACCURACY),
        .special = READING(COMPLEX_SPECIAL),
    };
}

/* Registers, address registers and results before the first instruction (gp-initial-state). */
static void set_initial(struct gp *g)
{
    unsigned reading = READING(INITIAL_STATE);
    bool undefined = reading == READING_MANUAL;
    uint32_t value = undefined ? g->filler : 0, defined = undefined ? 0 : UINT32_MAX;
    for (unsigned row = 0; row < GP_REGISTERS; row++) {
        for (unsigned c = 0; c < GP_VEC; c++)
            g->reg[row][c] = value;
        for (unsigned c = 0; c < GP_VEC && g->checked; c++)
            g->reg_defined[row][c] = defined;
        if (reading == GP_INITIAL_KEPT)
            g->setup.register_before(g->setup.context, row, g->reg[row]);
    }
    for (unsigned n = 0; n < GP_INPUTS; n++) {
        g->bank[n] = value;
        g->bank_defined[n] = defined;
        g->bank_hangs[n] = n < GP_SOURCES ? GP_HAZARD_BIT(INITIAL) : 0;
    }
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        gp_set_result(g, (enum gp_unit)unit, value, defined, GP_PLAIN);
        g->result_hangs[unit] = unit == GP_UNIT_UNKNOWN ? 0 : GP_HAZARD_BIT(INITIAL);
    }
    for (unsigned n = 0; n < GP_ADDRESS_REGISTERS; n++)
        g->address_defined[n] = !undefined;
}

static void set_constants(struct gp *g)
{
    g->bank[GP_INPUT_ZERO] = 0;
    g->bank[GP_INPUT_ONE] = GP_ONE;
    g->bank[GP_INPUT_UNDEFINED] = g->filler;
    g->bank_defined[GP_INPUT_ZERO] = g->bank_defined[GP_INPUT_ONE] = UINT32_MAX;
    g->bank_defined[GP_INPUT_UNDEFINED] = 0;
    bool zero = READING(STORE_SOURCE_5) == GP_STORE_5_ZERO;
    gp_set_result(g, GP_UNIT_UNKNOWN, zero ? 0 : g->filler, zero ? UINT32_MAX : 0, GP_PLAIN);
}

/* Does it read what a register unit fetched one instruction before? Then every instruction must fetch, used
 * or not. */
static void note_previous(struct gp *g, uint32_t n)
{
    struct gp_insn i;
    gp_decode(g->program + GP_WORDS * n, &i);
    uint32_t selectors = 1U << i.mul0_src0 | 1U << i.mul0_src1 | 1U << i.mul1_src0 | 1U << i.mul1_src1 |
                         1U << i.acc0_src0 | 1U << i.acc0_src1 | 1U << i.acc1_src0 | 1U << i.acc1_src1 |
                         1U << i.complex_src | 1U << i.pass_src;
    const bool reads[2] = {selectors >> GP_REG0_PREVIOUS_X != 0, (selectors >> GP_UNKNOWN_8 & 0xF) != 0};
    for (unsigned k = 0; k < 2; k++) {
        uint64_t *word = &g->reads_previous[k][n / 64], bit = UINT64_C(1) << (n % 64);
        *word = reads[k] ? *word | bit : *word & ~bit;
    }
}

/* The clauses that read otherwise than in the run before. */
static uint64_t take_readings(struct gp *g, const struct profile *p)
{
    uint64_t changed = 0;
    if (!memcmp(g->reading, p->reading, sizeof g->reading))
        return 0;
    for (unsigned c = 0; c < GP_CLAUSES; c++) {
        uint8_t reading = (uint8_t)reading_of(p, c);
        changed |= (uint64_t)(g->reading[c] != reading) << c;
        g->reading[c] = reading;
    }
    return changed;
}

/* A program that did not run before: steps hold where its instructions are those of the last one. */
static void learn_program(struct gp *g, const struct gp_setup *setup)
{
    for (uint32_t n = 0; n < setup->count; n++) {
        const uint32_t *words = setup->program + GP_WORDS * n;
        if (n < g->known && !memcmp(&g->program[GP_WORDS * n], words, GP_WORDS * sizeof *words))
            continue;
        memcpy(&g->program[GP_WORDS * n], words, GP_WORDS * sizeof *words);
        note_previous(g, n);
        g->step[n].settled = false;
    }
    g->known = setup->count;
}

/* The program as steps: those of the run before still hold if it is the same, and all readings that they hang
 * on. */
static void take_program(struct gp *g, const struct gp_setup *setup, uint64_t changed)
{
    uint64_t previous[2] = {0};
    if (g->known != setup->count ||
        memcmp(g->program, setup->program, setup->count * GP_WORDS * sizeof *g->program) != 0)
        learn_program(g, setup);
    for (uint32_t n = 0; changed && n < setup->count; n++)
        g->step[n].settled = g->step[n].settled && !(g->step[n].asked & changed);
    for (uint32_t first = 0; first < setup->count; first += 64) {
        uint64_t here = setup->count - first < 64 ? (UINT64_C(1) << (setup->count - first)) - 1 : UINT64_MAX;
        previous[0] |= g->reads_previous[0][first / 64] & here;
        previous[1] |= g->reads_previous[1][first / 64] & here;
    }
    g->previous0 = previous[0] != 0;
    g->previous1 = previous[1] != 0;
}

void gp_prepare(struct gp *g, const struct gp_setup *setup)
{
    memset(g, 0, offsetof(struct gp, attribute));
    g->setup = *setup;
    g->checked = setup->checked;
    g->filler = setup->filler;
    g->count = setup->count;
    g->reg_writes.first = g->reg_writes.end = g->memory_writes.first = g->memory_writes.end =
        g->address_writes.first = g->address_writes.end = 0;
    take_program(g, setup, take_readings(g, setup->profile));
    set_rules(g);
    g->register_latency = (uint8_t)(GP_REGISTER_WINDOW - READING(REGISTER_LATENCY));
    g->memory_latency = (uint8_t)(GP_MEMORY_WINDOW - READING(TEMPORARY_LATENCY));
    g->address_latency = (uint8_t)(GP_ADDRESS_WINDOW - READING(ADDRESS_LATENCY));
    set_initial(g);
    set_constants(g);
}
