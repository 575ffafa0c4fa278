/* SPDX-License-Identifier: MIT */
/*
 * Who goes where: what the two loops of a vectorised swizzle visit, and which
 * source meets which destination. Owns selectors, end markers, predicates,
 * Pack, Unpack and Vertical-First; knows nothing of widths and values.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_PLAN_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_PLAN_H

#include "model/svp64/swizzle.h"

/* The swizzle of one group. */
struct swizzle_shape {
    uint8_t selector[SWIZZLE_POSITIONS];
    uint8_t end;       /* position of the first end marker; 4 if there is none */
    uint8_t source;    /* elements of a source group: SUBVL */
    uint8_t stride;    /* elements of a destination group */
    uint8_t to_source; /* positions that the source loop visits */
    uint8_t to_dest;   /* positions that the destination loop visits */
};

/* Reads the selectors, and checks what the end marker allows. */
enum swizzle_stop swizzle_shape(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                struct swizzle_shape *s);

/* Fills m->action. */
enum swizzle_stop swizzle_plan(struct swizzle_machine *m, const struct swizzle_insn *i,
                               const struct swizzle_shape *s);

#endif
