/* SPDX-License-Identifier: MIT */
/* The clauses of the swizzle moves, and the numbers of their readings. swizzle_clauses.c describes them. */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_CLAUSES_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_CLAUSES_H

#include "model/core/clause.h"

enum swizzle_profile {
    SWIZZLE_PROFILE_MANUAL,
    SWIZZLE_PROFILE_PSEUDOCODE,
    SWIZZLE_PROFILE_PROSE,
    SWIZZLE_PROFILE_REPAIRED
};

enum swizzle_clause {
    /* The page contradicts itself: */
    SWIZ_END_LENGTH,
    SWIZ_MINUS_3,
    SWIZ_SRC_RANGE,
    SWIZ_END_IN_DEST,
    SWIZ_CONST_LOST,
    SWIZ_ZIP,
    SWIZ_DOTDOT_XY,
    SWIZ_SKIP_ZERO,
    SWIZ_PACK_INDEX,
    SWIZ_PACK_SKIP,
    SWIZ_VF_CODE,
    SWIZ_VF_UNPACK,
    SWIZ_IMM_SLICES,
    SWIZ_RT_PLUS,
    SWIZ_BREAK_MISSING,
    /* The page is silent: */
    SWIZ_IN_PLACE,
    SWIZ_ODD_REG,
    SWIZ_ODD_VECTOR,
    SWIZ_SINGLE,
    SWIZ_END_SCALAR,
    SWIZ_AFTER_END,
    SWIZ_END_FIRST,
    SWIZ_NN_RANGE,
    SWIZ_SUBVL1,
    SWIZ_HALF_ORDER,
    SWIZ_FMV_ONE,
    SWIZ_FMV_EW,
    SWIZ_FMV_BITS,
    SWIZ_FMV_FILE,
    SWIZ_FMV_WIDTH_CHANGE,
    SWIZ_FMV_NAN,
    SWIZ_WIDTH_CHANGE,
    SWIZ_SAT_WIDTH,
    SWIZ_SAT_FMV,
    SWIZ_ZEROING_SRC,
    SWIZ_ZEROING_DST,
    SWIZ_PRED_BITS,
    SWIZ_OVERLAP,
    SWIZZLE_CLAUSES
};

/* Readings other than READING_MANUAL, by clause. */
enum { LENGTH_BEFORE_END = 1 };
enum { MINUS_4 = 1 };
enum { SRC_RANGE_DESTINATION = 1 };
enum { END_NOT_YIELDED = 1 };
enum { CONST_CARRIED = 1 };
enum { ZIP_BY_POSITION = 1, ZIP_ERROR };
enum { DOTDOT_SENTENCE = 1 };
enum { SKIP_KEEPS = 1 };
enum { PACK_STEP = 1, PACK_ADDR };
enum { PACK_FILTERS = 1 };
enum { VF_ACTIVE = 1 };
enum { VF_UNPACK_DESTINATION = 1, VF_UNPACK_ACTIVE };
enum { IMM_LSB0 = 1 };
enum { RT_ELEMENTS = 1 };
enum { BREAK_LAST = 1 };
enum { IN_PLACE_IN_ORDER = 1 };
enum { ODD_ROUNDS_DOWN = 1 };
enum { ODD_VECTOR_ANY = 1, ODD_VECTOR_FIELD };
enum { SINGLE_ONE_GROUP = 1, SINGLE_RESERVED };
enum { END_SCALAR_SKIPS = 1, END_SCALAR_RESERVED };
enum { AFTER_END_ZEROS = 1, AFTER_END_ENDS };
enum { END_FIRST_RESERVED = 1 };
enum { NN_ZERO = 1, NN_UNDEFINED };
enum { SUBVL1_ILLEGAL = 1 };
enum { HALF_HIGH_FIRST = 1 };
enum { FMV_ONE_UPPER_DOUBLE = 1 };
enum { FMV_EW_ILLEGAL = 1 };
enum { FMV_QUIETS = 1 };
enum { FMV_GPR = 1 };
enum { FMV_CONVERTS = 1 };
enum { FMV_NAN_DEFAULT = 1, FMV_NAN_MOVES };
enum { WIDTH_ZERO_EXTENDS = 1, WIDTH_SIGN_EXTENDS };
enum { SAT_SOURCE_WIDTH = 1 };
enum { SAT_FMV_LARGEST = 1, SAT_FMV_ILLEGAL };
enum { ZEROING_SRC_CONSTANTS = 1 };
enum { ZEROING_DST_WHOLE = 1 };
enum { PRED_PER_ELEMENT = 1 };
enum { OVERLAP_SEQUENTIAL = 1, OVERLAP_BUFFERED, OVERLAP_VERTICAL_BUFFERED };

extern const struct clause swizzle_clauses[SWIZZLE_CLAUSES];

#endif
