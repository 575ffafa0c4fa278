/* SPDX-License-Identifier: MIT */
/* The case of unit svp64-swizzle: one swizzle move, both register files, the condition register and SVSTATE.
 */
#ifndef MISPRINT_MODEL_SVP64_UNIT_SWIZZLE_H
#define MISPRINT_MODEL_SVP64_UNIT_SWIZZLE_H

#include "model/core/unit.h"
#include "model/svp64/swizzle.h"

enum { SWIZZLE_INSNS_MAX = 1, SWIZZLE_CR_ROWS = 1 };

struct swizzle_image_row {
    uint32_t index, word[SVP64_ROW_WORDS];
};

/* The case struct, at the start of test_case.words. */
struct swizzle_case {
    uint32_t svstate_high, svstate_low;
    struct image_head cr;
    struct swizzle_image_row cr_row[SWIZZLE_CR_ROWS];
    struct image_head gpr;
    struct swizzle_image_row gpr_row[SVP64_FILE_ROWS];
    struct image_head fpr;
    struct swizzle_image_row fpr_row[SVP64_FILE_ROWS];
    uint32_t insn_count;
    uint32_t insn[SWIZZLE_INSNS_MAX][SWIZZLE_WORDS];
};

/* Fields of SVSTATE's two halves (openpower-isa svstate.py). SVSTATE's bit 0 is bit 31 of the high half. */
enum {
    SVSTATE_MAXVL_SHIFT = 25,
    SVSTATE_VL_SHIFT = 18,
    SVSTATE_SRCSTEP_SHIFT = 11,
    SVSTATE_DSTSTEP_SHIFT = 4,
    SVSTATE_DSUBSTEP_SHIFT = 2,
    SVSTATE_SSUBSTEP_SHIFT = 0
};
enum { SVSTATE_PACK = 1 << 10, SVSTATE_UNPACK = 1 << 9, SVSTATE_VERTICAL_FIRST = 1 << 0 };

extern const struct code swizzle_code;

void swizzle_case_generate(struct random *r, struct test_case *c);
void swizzle_case_mend(struct test_case *c);
void swizzle_insn_generate(struct random *r, uint32_t *words);
void swizzle_insn_mutate(struct random *r, uint32_t *words);

#endif
