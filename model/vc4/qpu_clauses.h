/* SPDX-License-Identifier: MIT */
/*
 * The clauses about the QPU's encoding, registers, signals and hazards: the
 * rows themselves stand in qpu_clauses.c. Arithmetic and packing are in
 * alu_clauses.h, VPM and DMA in vpm_clauses.h. The indices follow those, so
 * that one profile serves the three groups of unit vc4-qpu.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_CLAUSES_H
#define MISPRINT_MODEL_VC4_QPU_CLAUSES_H

#include "model/clause.h"
#include "model/vc4/alu_clauses.h"

enum qpu_clause {
    QPU_CLAUSE_FIRST = ALU_CLAUSE_END,
    QPU_R5_BYTE_CONCAT = QPU_CLAUSE_FIRST,
    QPU_R5_COND_ELEMENT0,
    QPU_ACCUMULATOR_COUNT,
    QPU_T9_MUL_PACK_8A,
    QPU_SF_NEVER,
    QPU_SF_PER_ELEMENT,
    QPU_BRANCH_SF_ALIAS,
    QPU_BRANCH_ELEMENT,
    QPU_BRANCH_LINK_COND,
    QPU_BRANCH_SPACING,
    QPU_LDI_OP_TEXT,
    QPU_LDI_MODE_2_5_6_7,
    QPU_SEMA_RESULT,
    QPU_SEMA_COND_NEVER,
    QPU_SMALL_IMM_48_63,
    QPU_ROTATE_NON_ACCU,
    QPU_ROTATE_MIXED_OPERANDS,
    QPU_ROTATE_HAZARD_SCOPE,
    QPU_NOP_READ_STALE,
    QPU_MUL_NOP_WRITE,
    QPU_RADDR_SIDE_EFFECT,
    QPU_IO_READ_BOTH_FILES,
    QPU_COND_WRITE_PERIPHERAL,
    QPU_INVERSE_COND_PERIPHERAL,
    QPU_PACK_PERIPHERAL,
    QPU_HOST_INT_NONZERO,
    QPU_MUTEX_READ_DATA,
    QPU_UNIF_ADDR_B,
    QPU_COORDS_OUTSIDE_FS,
    QPU_MS_REV_FLAGS_STORAGE,
    QPU_SFU_LIST,
    QPU_REGFILE_HAZARD,
    QPU_SFU_R4_HAZARD,
    QPU_ROTATE_R5_HAZARD,
    QPU_UNIF_ADDR_DELAY,
    QPU_END_REGFILE_WRITE,
    QPU_TMU_NOSWAP_VALUE,
    QPU_TMU_UNIFORM_SHARE,
    QPU_VARYING_EXCESS,
    QPU_TLB_OUTSIDE_FRAGMENT,
    QPU_TLB_Z_MS_FLAGS,
    QPU_HW_2796,
    QPU_CLAUSE_END
};

extern const struct clause qpu_clauses[QPU_CLAUSE_END - QPU_CLAUSE_FIRST];

/*
 * The readings other than READING_MANUAL, by the order of the rows' tables.
 * What each does stands in its row.
 */
enum { R5_REPLICATE = 1 };
enum { R5_COND_SOURCE_ELEMENT = 1, R5_COND_ELEMENT_0 };
enum { ACCUMULATORS_FIVE = 1 };
enum { T9_BYTE_BY_CODE = 1 };
enum { SF_NOP_ONLY = 1 };
enum { SF_CONDITION_TRUE = 1 };
enum { BRANCH_SF_BIT_45 = 1 };
enum { BRANCH_ELEMENT_15 = 1 };
enum { BRANCH_LINK_TAKEN = 1 };
enum { BRANCH_SPACING_CRASH = 1, BRANCH_SPACING_LOST };
enum { LDI_ADD_ZERO = 1 };
enum { LDI_MODE_PARTIAL = 1 };
enum { SEMA_RESULT_COUNTER = 1 };
enum { SEMA_ACTS = 1 };
enum { SMALL_IMM_INTEGER = 1, SMALL_IMM_ZERO };
enum { ROTATE_IN_QUAD = 1, ROTATE_FULL };
enum { ROTATE_MIXED_SPLIT = 1, ROTATE_MIXED_IN_QUAD };
enum { ROTATE_HAZARD_LOWER = 1, ROTATE_HAZARD_LOWER_OLD, ROTATE_HAZARD_OLD };
enum { NOP_READ_STALE = 1, NOP_READ_ZERO };
enum { MUL_NOP_STALE = 1 };
enum { RADDR_ALONE = 1 };
enum { IO_READ_ONCE = 1 };
enum { COND_WRITE_ALWAYS = 1, COND_WRITE_UNCONDITIONAL };
enum { INVERSE_COND_EXCLUSIVE = 1, INVERSE_COND_ADD_ONLY };
enum { PACK_PERIPHERAL_JUNK = 1, PACK_PERIPHERAL_UNPACKED };
enum { HOST_INT_NONZERO = 1 };
enum { MUTEX_READ_CONSTANT = 1, MUTEX_READ_STALE };
enum { UNIF_ADDR_RELATIVE = 1 };
enum { COORDS_FIXED = 1 };
enum { MS_REV_REPLICATED = 1 };
enum { SFU_LIST_REGISTER_MAP = 1 };
enum { REGFILE_OLD = 1, REGFILE_NEW };
enum { SFU_R4_OLD = 1, SFU_R4_NEW };
enum { ROTATE_R5_OLD = 1, ROTATE_R5_NEW };
enum { UNIF_DELAY_OLD = 1, UNIF_DELAY_NEW };
enum { END_WRITE_DONE = 1, END_WRITE_LOST };
enum { TMU_NOSWAP_NONZERO = 1 };
enum { TMU_UNIFORM_SHARE_IN_ORDER = 1 };
enum { VARYING_EXCESS_UNDEFINED = 1 };
enum { TLB_OUTSIDE_WAITS = 1 };
enum { TLB_Z_MS_FLAGS_NEW = 1 };
enum { HW_2796_WORKS = 1 };

#endif
