/* SPDX-License-Identifier: MIT */
/*
 * The clauses of the texture and memory look-up unit and of the texture formats,
 * by index, and their readings by number. Their rows (sentences, sources,
 * evidence) are in tmu_clauses.c. A clause's name here is its id with _ for -.
 *
 * The numbers count from 0 in this group. A unit may have other groups before
 * it: struct tmu holds the unit's index of the first clause (tmu_reset).
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_CLAUSES_H
#define MISPRINT_MODEL_VC4_TMU_TMU_CLAUSES_H

#include "model/core/clause.h"

enum tmu_clause {
    /* look-ups, parameters, FIFOs */
    TMU_CLAUSE_FIFO_8,
    TMU_CLAUSE_UNIFORM_DIRECT,
    TMU_CLAUSE_TWO_PARAMS,
    TMU_CLAUSE_PARAM_ORDER,
    TMU_CLAUSE_T17_TEXT,
    TMU_CLAUSE_EXPLICIT_LOD,
    TMU_CLAUSE_CSWIZ,
    TMU_CLAUSE_CHILD_2048,
    /* where texels are stored */
    TMU_CLAUSE_LT_THRESHOLD,
    TMU_CLAUSE_T_ROW_DIRECTION,
    TMU_CLAUSE_MIP_POT,
    TMU_CLAUSE_RASTER_NPOT,
    TMU_CLAUSE_CUBE_FACES,
    /* how texels are decoded */
    TMU_CLAUSE_TYPE_RGA,
    TMU_CLAUSE_CHANNEL_ORDER,
    TMU_CLAUSE_EXPANSION,
    TMU_CLAUSE_BIT_ORDER,
    TMU_CLAUSE_SINGLE_PACKING,
    TMU_CLAUSE_YUYV,
    TMU_CLAUSE_ETCFLIP,
    TMU_CLAUSE_BORDER_SOURCE,
    TMU_CLAUSE_BORDER_ORDER,
    /* sampling */
    TMU_CLAUSE_TEXEL_EDGE,
    TMU_CLAUSE_FILTER,
    TMU_CLAUSE_LOD,
    TMU_CLAUSE_BLEND_NEG_POW2,
    TMU_CLAUSE_BLEND_INF,
    TMU_CLAUSE_COUNT
};

/* Readings other than `manual`, which is 0 everywhere, in the order of the clauses. */
enum {
    TMU_FIFO_UNRELIABLE = 1,
    TMU_FIFO_SLOT_FOUR_AHEAD = 2,
    TMU_FIFO_BOTH = 3,
    TMU_UNIFORM_EVERY_WRITE = 1,
    TMU_TWO_PARAMS_ALWAYS = 1,
    TMU_PARAM_EVERY_WRITE = 1,
    TMU_T17_CHILD_SIZE = 1,
    TMU_EXPLICIT_LOD_ANY = 1,
    TMU_CSWIZ_REFUSED = 1,
    TMU_CHILD_2048_WORKS = 1,
    TMU_CHILD_2048_EMPTY = 2,
    TMU_LT_SUBTILE = 1,
    TMU_T_EVEN_ROWS_FORWARD = 1,
    TMU_MIP_FROM_POT = 1,
    TMU_MIP_UNPADDED = 2,
    TMU_RASTER_AS_WIDE = 1,
    TMU_CUBE_NEGATIVE_FIRST = 1,
    TMU_TYPE_RGB = 1,
    TMU_CHANNELS_RED_HIGH = 1,
    TMU_EXPANSION_SHIFT = 1,
    TMU_EXPANSION_SCALE = 2,
    TMU_BITS_HIGH_FIRST = 1,
    TMU_SINGLE_REPEATED = 1,
    TMU_YUYV_RGB = 1,
    TMU_ETCFLIP_TOP_DOWN = 1,
    TMU_BORDER_EXTRA_LEVEL = 1,
    TMU_BORDER_FORMAT_ORDER = 1,
    TMU_EDGE_ROUNDED = 1,
    TMU_EDGE_UNKNOWN = 2,
    TMU_FILTER_EIGHT_BITS = 1,
    TMU_FILTER_UNKNOWN = 2,
    TMU_LOD_LARGEST = 1,
    TMU_LOD_UNKNOWN = 2,
    TMU_BLEND_SIGN_LOST = 1,
    TMU_BLEND_INF_NEGATIVE = 1,
};

extern const struct clause tmu_clauses[TMU_CLAUSE_COUNT];

#endif
