/* SPDX-License-Identifier: MIT */
/*
 * The clauses of the VPM and of the DMA between VPM and memory, and their readings, by number. Their rows
 * (sentences, sources, evidence) are in vpm_clauses.c. A clause's name here is its id with _ for -.
 *
 * These clauses come first in every unit that has a VPM, so the numbers here are the unit's clause indices.
 * Other groups continue from VPM_CLAUSE_COUNT.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_CLAUSES_H
#define MISPRINT_MODEL_VC4_VPM_VPM_CLAUSES_H

#include "model/core/clause.h"

/* Built-in profiles of the vc4 units, as indices into clause.in_profile. */
enum vc4_profile {
    VC4_PROFILE_MANUAL,
    VC4_PROFILE_BCM2835, /* best known behaviour of the chips of Raspberry Pi 0 to 3 */
};

enum vpm_clause {
    VPM_CLAUSE_ADDR_H8,
    VPM_CLAUSE_ADDR_H16,
    VPM_CLAUSE_ADDR_V8,
    VPM_CLAUSE_ADDR_V16,
    VPM_CLAUSE_ADDR_VERTICAL, /* 32-bit */
    VPM_CLAUSE_ADDR_HIGH_BITS,
    VPM_CLAUSE_ADDR_LS4,
    VPM_CLAUSE_SETUP_UNUSED,
    VPM_CLAUSE_FIG8A,
    VPM_CLAUSE_SUBWORD_READ,
    VPM_CLAUSE_STRIDE_ZERO,
    VPM_CLAUSE_READ_EARLY,
    VPM_CLAUSE_READ_EXCESS,
    VPM_CLAUSE_READ_QUEUE,
    VPM_CLAUSE_FIFO_DEPTH,
    VPM_CLAUSE_CONCURRENT,
    VPM_CLAUSE_READ_WRITE_SAME,
    VPM_CLAUSE_COND_VPM_WRITE,
    VPM_CLAUSE_BUSY,
    VPM_CLAUSE_WAIT_DATA,
    VPM_CLAUSE_VDW_STRIDE_WIDTH,
    VPM_CLAUSE_VDW_STRIDE_MEANING,
    VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT,
    VPM_CLAUSE_VDW_LANED,
    VPM_CLAUSE_VDW_BLOCKMODE,
    VPM_CLAUSE_VDR_ADDRXY_WIDTH,
    VPM_CLAUSE_VDR_VPITCH_CARRY,
    VPM_CLAUSE_VCD_ROW_OVERRUN,
    VPM_CLAUSE_SIZE,
    VPM_CLAUSE_VCD_START_WHILE_BUSY,
    VPM_CLAUSE_VCD_BASE_SETUP,
    VPM_CLAUSE_COUNT
};

/* Readings other than `manual`, which is 0 everywhere, in the order of the clauses. */
enum {
    VPM_ADDR_ROW_DIV_4 = 1, /* of vpm-addr-h8, -h16, -v8, -v16, -vertical */
    VPM_ADDR_ROW_DIV_2 = 2, /* of vpm-addr-h16, -v16 */
    VPM_ADDR_HIGH_ROW_BITS = 1,
    VPM_ADDR_LS4_LITERAL = 1,
    VPM_UNUSED_REFUSED = 1,
    VPM_FIG8A_IN_ORDER = 1,
    VPM_SUBWORD_SIGN = 1,
    VPM_SUBWORD_REPLICATE = 2,
    VPM_STRIDE_ZERO_STAYS = 1,
    VPM_EARLY_BLOCKS = 1,
    VPM_EARLY_NOT_TAKEN = 2,
    VPM_EXCESS_BLOCKS = 1,
    VPM_QUEUE_ONE_OUTSTANDING = 1,
    VPM_QUEUE_REDIRECTS = 2,
    VPM_FIFO_FOUR = 1,
    VPM_CONCURRENT_SETUP_LOST = 1,
    VPM_CONCURRENT_UNDEFINED = 2,
    VPM_SAME_WRITE_LOST = 1,
    VPM_COND_PUSHES = 1,
    VPM_STATUS_UNMAPPED = 1, /* of vpm-busy and vpm-wait-data */
    VPM_VDW_STRIDE_16_BITS = 1,
    VPM_VDW_START_TO_START = 1,
    VPM_VDR_SAME_POLARITY = 1,
    VPM_VDW_LANED_OBEYED = 1,
    VPM_VDW_BLOCKMODE_IGNORED = 1,
    VPM_VDR_SEVEN_BIT_Y = 1,
    VPM_VPITCH_CARRIES = 1,
    VPM_VPITCH_CARRIES_16_ONLY = 2,
    VPM_OVERRUN_WRAPS = 1,
    VPM_SIZE_12_KB = 1,
    VPM_SIZE_16_KB = 2,
    VPM_BUSY_START_DROPPED = 1,
    VPM_BASE_SETUP_IGNORED = 1,
};

extern const struct clause vpm_clauses[VPM_CLAUSE_COUNT];

#endif
