/* SPDX-License-Identifier: MIT */
/*
 * Declarations that only the files that execute steps share: gp_setup.c (before the first step), gp_run.c
 * (the step), gp_memory.c (fetches and stores with latencies), gp_units.c (units beyond plain arithmetic).
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_STEP_H
#define MISPRINT_MODEL_UTGARD_GP_STEP_H

#include "model/utgard/gp.h"
#include "model/utgard/gp_alu.h"

#include <string.h>

/* Returns the profile's reading of a clause without covering the clause. A hazard, CONSULT or COVER covers it
 * elsewhere. */
#define READING(clause) (g->reading[GP_CLAUSE_##clause])
/* Returns the reading and covers the clause. */
#define CONSULT(clause, mode)    (COVER_MODE(clause, mode), READING(clause))
#define COVER_MODE(clause, mode) (g->covered[mode] |= GP_CLAUSE_BIT(GP_CLAUSE_##clause))
#define COVER(clause)            COVER_MODE(clause, 0)
#define ALWAYS                   static inline __attribute__((always_inline))

/* Adds a hazard to the values of the four selectors from `selector` on: to selector + c if `components` has
 * bit c. */
ALWAYS void gp_add_hazard(struct gp *g, enum gp_hazard h, uint32_t components, unsigned selector)
{
    for (unsigned c = 0; c < GP_VEC; c++)
        g->bank_hazards[selector + c] |= (components >> c & 1) << h;
}

ALWAYS void gp_place_undefined(struct gp *g, unsigned selector, uint32_t value)
{
    for (unsigned c = 0; c < GP_VEC; c++) {
        g->bank[selector + c] = value;
        g->bank_known[selector + c] = gp_bits(0);
        g->bank_kind[selector + c] = GP_PLAIN;
    }
}

ALWAYS void gp_push(struct gp_writes *w, const struct gp_write *write)
{
    w->write[w->end++ % GP_WRITES] = *write;
}

ALWAYS uint32_t gp_flip(uint32_t value, bool negate)
{
    return value ^ (negate ? FLOAT_SIGN : 0);
}

/* Returns a unit's input as an operand. Values of a kind other than GP_PLAIN have no defined bits. */
ALWAYS struct gp_operand gp_operand_of(const struct gp *g, unsigned place, bool negate)
{
    return (struct gp_operand){gp_flip(g->bank[place], negate),
                               g->bank_kind[place] ? gp_bits(0) : g->bank_known[place]};
}

ALWAYS void gp_set_result(struct gp *g, enum gp_unit unit, uint32_t value, struct gp_known known,
                          uint8_t kind)
{
    g->result[unit] = value;
    g->result_known[unit] = known;
    g->result_kind[unit] = kind;
}

ALWAYS void gp_set_undefined(struct gp *g, enum gp_unit unit)
{
    gp_set_result(g, unit, g->filler, gp_bits(0), GP_PLAIN);
}

/* Sets `known` to the known parts of a row of memory. */
ALWAYS void gp_memory_known(const struct gp *g, unsigned row, struct gp_known known[GP_VEC])
{
    for (unsigned c = 0; c < GP_VEC; c++)
        known[c] = (struct gp_known){g->setup.memory_defined[GP_VEC * row + c],
                                     g->setup.memory_tolerance[GP_VEC * row + c]};
}

/* gp_memory.c: fetches that do more than copy, stores, and what happens when a store's latency is over. */
void gp_fetch_register(struct gp *g, unsigned row, unsigned selector);
void gp_fetch_attribute(struct gp *g, unsigned row);
void gp_load(struct gp *g, const struct gp_step *s);
void gp_store_half(struct gp *g, const struct gp_step *s, unsigned half);
void gp_commit_register(struct gp *g, const struct gp_write *w);
void gp_commit_memory(struct gp *g, const struct gp_write *w);
/* The same for a store that is on its way when the program ends. */
void gp_commit_pending(struct gp *g, const struct gp_write *w);
void gp_commit_address(struct gp *g, const struct gp_write *w);

/* gp_units.c */
void gp_do_other(struct gp *g, const struct gp_step *s, enum gp_unit unit);
void gp_do_checked(struct gp *g, const struct gp_unit_step *u, enum gp_unit unit);
void gp_set_addresses(struct gp *g, const struct gp_step *s);

#endif
