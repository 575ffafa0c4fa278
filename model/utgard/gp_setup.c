/* SPDX-License-Identifier: MIT */
/* Prepares a machine for a run: readings, rules, initial state, and the program. */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

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
        .rsqrt_zero = READING(RSQRT_ZERO),
    };
}

/* Sets registers, address registers and results to their values before the first instruction
 * (gp-initial-state). */
static void set_initial(struct gp *g)
{
    unsigned reading = READING(INITIAL_STATE);
    bool undefined = reading == READING_MANUAL;
    uint32_t value = undefined ? g->filler : 0;
    const struct gp_known known = gp_bits(undefined ? 0 : UINT32_MAX);
    for (unsigned row = 0; row < GP_REGISTERS; row++) {
        for (unsigned c = 0; c < GP_VEC; c++)
            g->reg[row][c] = value;
        for (unsigned c = 0; c < GP_VEC && g->checked; c++)
            g->reg_known[row][c] = known;
        if (reading == GP_INITIAL_KEPT)
            g->setup.register_before(g->setup.context, row, g->reg[row]);
    }
    for (unsigned n = 0; n < GP_INPUTS; n++) {
        g->bank[n] = value;
        g->bank_known[n] = known;
        g->bank_hazards[n] = n < GP_SOURCES ? GP_HAZARD_BIT(INITIAL) : 0;
    }
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        gp_set_result(g, (enum gp_unit)unit, value, known, GP_PLAIN);
        g->result_hazards[unit] = unit == GP_UNIT_UNKNOWN ? 0 : GP_HAZARD_BIT(INITIAL);
    }
    for (unsigned n = 0; n < GP_ADDRESS_REGISTERS; n++)
        g->address_defined[n] = !undefined;
}

static void set_constants(struct gp *g)
{
    g->bank[GP_INPUT_ZERO] = 0;
    g->bank[GP_INPUT_ONE] = GP_ONE;
    g->bank[GP_INPUT_UNDEFINED] = g->filler;
    g->bank_known[GP_INPUT_ZERO] = g->bank_known[GP_INPUT_ONE] = gp_bits(UINT32_MAX);
    g->bank_known[GP_INPUT_UNDEFINED] = gp_bits(0);
    bool zero = READING(STORE_SOURCE_5) == GP_STORE_5_ZERO;
    gp_set_result(g, GP_UNIT_UNKNOWN, zero ? 0 : g->filler, gp_bits(zero ? UINT32_MAX : 0), GP_PLAIN);
}

/* Copies the program and the readings to the machine. If both equal those of the last run, keeps the resolved
 * steps. A run with an observer, and the run after it, resolve them again. */
static void take_program(struct gp *g, const struct gp_setup *setup)
{
    size_t bytes = setup->count * GP_WORDS * sizeof *g->program;
    bool observed = g->was_observed || setup->observer;
    g->was_observed = setup->observer != NULL;
    if (!observed && g->known == setup->count && !memcmp(g->program, setup->program, bytes) &&
        !memcmp(g->reading, setup->profile->reading, sizeof g->reading))
        return;
    memcpy(g->program, setup->program, bytes);
    memcpy(g->reading, setup->profile->reading, sizeof g->reading);
    g->known = setup->count;
    uint32_t selectors = 0, last = 0;
    for (uint32_t n = 0; n < setup->count; n++) {
        struct gp_insn i;
        gp_decode(g->program + GP_WORDS * n, &i);
        last = gp_selectors(&i);
        selectors |= last;
        g->step[n].settled = false;
    }
    bool any = setup->observer && gp_changes_fields(setup->observer);
    const bool previous0 = any || selectors >> GP_REG0_PREVIOUS_X,
               previous1 = any || selectors >> GP_UNKNOWN_8 & 0xF;
    g->previous0 = GP_SEE(g, FETCH_ALWAYS, previous0, 0, selectors, last);
    g->previous1 = GP_SEE(g, FETCH_ALWAYS, previous1, 1, selectors, last);
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
    take_program(g, setup);
    set_rules(g);
    g->address0_latency = 0;
    g->register_latency = (uint8_t)(GP_REGISTER_WINDOW - READING(REGISTER_LATENCY));
    g->memory_latency = (uint8_t)(GP_MEMORY_WINDOW - READING(TEMPORARY_LATENCY));
    g->address_latency = (uint8_t)(GP_ADDRESS_WINDOW - READING(ADDRESS_LATENCY));
    if (setup->observer) {
        g->register_latency = (uint8_t)GP_SEE(g, STORE_LATENCY, g->register_latency, GP_TO_REGISTER);
        g->memory_latency = (uint8_t)GP_SEE(g, STORE_LATENCY, g->memory_latency, GP_TO_TEMPORARY);
        g->address_latency = (uint8_t)GP_SEE(g, STORE_LATENCY, g->address_latency, GP_TO_ADDRESS);
        g->address0_latency = (uint8_t)GP_SEE(g, ADDRESS0_LATENCY, 0, 0);
    }
    if (setup->observer) {
        const uint32_t count = GP_SEE(g, RUN_COUNT, g->count, setup->limit);
        g->count = count < setup->count ? count : setup->count;
        const uint32_t limit = GP_SEE(g, RUN_LIMIT, setup->limit, g->count), most = 2 * setup->limit;
        g->setup.limit = limit < most ? limit : most; /* so that a rule cannot make a run endless */
    }
    set_initial(g);
    set_constants(g);
}
