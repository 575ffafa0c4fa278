/* SPDX-License-Identifier: MIT */
/*
 * The plan of a vectorised swizzle: which elements the two loops visit, and which
 * source element goes to which destination element. Owns selectors, end markers,
 * predicates, Pack, Unpack and Vertical-First, but not widths or values.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_PLAN_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_PLAN_H

#include "model/svp64/swizzle.h"

/* The swizzle of one group. */
struct swizzle_shape {
    uint8_t selector[SWIZZLE_POSITIONS];
    uint8_t end;       /* position of the first end marker; 4 if there is none */
    uint8_t source;    /* elements in a source group: SUBVL */
    uint8_t stride;    /* elements in a destination group */
    uint8_t to_source; /* positions that the source loop visits */
    uint8_t to_dest;   /* positions that the destination loop visits */
};

#endif
