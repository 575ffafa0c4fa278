/* SPDX-License-Identifier: MIT */
/*
 * What Mesa never lets a program do, although each instruction alone is fine: the checks of its validator,
 * which cites "Summary of Instruction Restrictions" of a private document, and the rules that its scheduler
 * keeps. What the hardware does with a program that breaks one is not known, so most are clauses.
 *
 * The check reads the program once from the first instruction to the last, as Mesa's does, and follows no
 * branch. It does not check what needs more than the program: writes of Z to the tile buffer (fragment
 * shaders), the depth of the TMU's FIFOs, and GFXH-1633, which concerns chips before 4.2.14.
 */
#ifndef MISPRINT_MODEL_V3D_V3D_RESTRICT_H
#define MISPRINT_MODEL_V3D_V3D_RESTRICT_H

#include "model/core/clause.h"
#include "model/v3d/v3d_insn.h"

enum v3d_restriction {
    V3D_BREAKS_BRANCH_IN_BRANCH_SLOT,
    V3D_BREAKS_BRANCH_IN_THRSW_SLOT,
    V3D_BREAKS_THRSW_IN_BRANCH_SLOT,
    V3D_BREAKS_THRSW_SPACING,
    V3D_BREAKS_SECOND_LAST_THRSW,
    V3D_BREAKS_END_WRITE,
    V3D_BREAKS_END_PAYLOAD,
    V3D_BREAKS_END_TMUWT,
    V3D_BREAKS_SFU_IN_THRSW_SLOT,
    V3D_BREAKS_SFU_R4,
    V3D_BREAKS_PERIPHERALS,
    V3D_BREAKS_IMMEDIATE,
    V3D_BREAKS_UMUL24,
    V3D_BREAKS_TWO_UNIFORMS,
    V3D_BREAKS_UNIFA_DELAY,
    V3D_BREAKS_UNIFA_BRANCH,
    V3D_BREAKS_UNIFA_THRSW,
    V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT,
    V3D_BREAKS_ROT_EARLY,
    V3D_BREAKS_ROT_DESTINATION,
    V3D_BREAKS_RF0_AT_THRSW,
    V3D_RESTRICTION_CLAUSES, /* those below cannot decide anything in a compute program that ends */
    V3D_BREAKS_RESERVED = V3D_RESTRICTION_CLAUSES,
    V3D_BREAKS_LAST_THRSW,
    V3D_BREAKS_END,
    V3D_BREAKS_LDVARY_IN_THRSW_SLOT,
    V3D_BREAKS_LDUNIF_AFTER_LDVARY,
    V3D_BREAKS_RF0_AFTER_LDVARY,
    V3D_RESTRICTIONS
};

struct v3d_restriction_row {
    const char *id;     /* of the clause: what happens if a program breaks it */
    const char *says;   /* what programs do not do, as a sentence */
    const char *source; /* who enforces it */
};
extern const struct v3d_restriction_row v3d_restrictions[V3D_RESTRICTIONS];
/* What happens if a program breaks a restriction, as clauses. */
extern const struct clause v3d_restriction_clauses[V3D_RESTRICTION_CLAUSES];

/* An instruction that breaks a restriction. */
struct v3d_breach {
    uint32_t at; /* number of the instruction; of V3D_BREAKS_LAST_THRSW and _END the program's length */
    uint8_t which;
};

/*
 * Checks a program of `count` decoded instructions. `single` says that it is a single segment (bit 1
 * of the start address), which has no last thread switch. Returns how many restrictions it breaks, and stores
 * the first `room` of them. An instruction breaks each restriction once at most.
 */
unsigned v3d_check(enum v3d_generation g, const struct v3d_insn *program, uint32_t count, bool single,
                   struct v3d_breach *found, unsigned room);

/* The same, and passes counts to an observer. */
struct observer;
unsigned v3d_check_by(const struct observer *o, enum v3d_generation g, const struct v3d_insn *program,
                      uint32_t count, bool single, struct v3d_breach *found, unsigned room);

/* Prints each breach on a line, and returns how many there are. */
unsigned v3d_check_text(enum v3d_generation g, const struct v3d_insn *program, uint32_t count, bool single,
                        struct text *t);
/* Has the program one thread switch? Then it is a single segment, if nothing else says what it is. */
bool v3d_is_single(const struct v3d_insn *program, uint32_t count);

#endif
