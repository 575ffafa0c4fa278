/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of unit vc4-vpm: the case and the operations. The unit drives the VPM and its DMA
 * directly. Each operation is an instruction of its own, unless its bit 4 is set.
 *
 * An operation is two words (direct_unit.h). The first is the operand; the second has these bits:
 * - 3:0: the operation (enum vpm_op_code)
 * - 4: the operation is in the same instruction as the one before it
 * - 31:16: for a write, bit i is set if the condition of element i failed
 *
 * All other bits are ignored. A code that vpm_ops does not list does nothing.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_UNIT_VPM_H
#define MISPRINT_MODEL_VC4_VPM_UNIT_VPM_H

#include "model/vc4/direct_unit.h"

enum {
    VPM_OPS_MAX = 64,
    VPM_DATA_ROWS = 32,
    VPM_READ_ROWS = VPM_OPS_MAX,
    VPM_STATUS_ROWS = VPM_OPS_MAX / VC4_LANES,
};

enum vpm_op_code {
    VPM_OP_NOP,
    VPM_OP_WR_SETUP,
    VPM_OP_RD_SETUP,
    VPM_OP_WRITE,
    VPM_OP_READ,
    VPM_OP_ST_ADDR,
    VPM_OP_LD_ADDR,
    VPM_OP_ST_WAIT,
    VPM_OP_LD_WAIT,
    VPM_OP_ST_BUSY,
    VPM_OP_LD_BUSY,
    VPM_OP_CODES
};

enum { VPM_OP_WITH = 1 << 4, VPM_OP_LANES_OFF_SHIFT = 16 };

/* The kinds of operand. */
enum vpm_operand {
    VPM_OPERAND_NONE,
    VPM_OPERAND_WRITE_SETUP,
    VPM_OPERAND_READ_SETUP,
    VPM_OPERAND_ROW,
    VPM_OPERAND_OFFSET,
    VPM_OPERAND_COUNT
};

struct vpm_op {
    const char *name;
    enum vpm_operand operand; /* an operation without an operand reads a register */
};
extern const struct vpm_op vpm_ops[VPM_OP_CODES];

/* The unit's case; test_case.words begins with it. */
struct vpm_case {
    uint32_t stale; /* what a read of an address without a register returns */
    struct image_head vpm;
    struct direct_image_row vpm_row[VC4_VPM_ROWS];
    struct image_head memory;
    struct direct_image_row memory_row[VC4_MEMORY_ROWS];
    struct image_head data;
    struct direct_image_row data_row[VPM_DATA_ROWS];
    uint32_t op_count;
    uint32_t op[VPM_OPS_MAX][OP_WORDS];
};

/* The text of one operation, and its bits (struct code). */
void vpm_op_print(const uint32_t *words, struct text *t);
extern const char vpm_op_syntax[];
extern const struct code_names vpm_op_names[];
bool vpm_op_parse(const char *chars, size_t count, uint32_t *words, struct error *e);
const struct bit_field *vpm_op_bits(const uint32_t *words);
const struct bit_field *vpm_op_second_bits(const uint32_t *words);

void vpm_case_generate(struct random *r, struct test_case *c);
void vpm_case_mend(struct test_case *c);
void vpm_case_mend_for_proof(struct test_case *c);
void vpm_op_generate(struct random *r, uint32_t *words);
void vpm_op_mutate(struct random *r, uint32_t *words);

#endif
