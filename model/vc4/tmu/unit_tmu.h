/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of unit vc4-tmu: the case and the operations. The unit drives one TMU directly, with
 * one register write or load for each operation.
 *
 * An operation is two words (direct_unit.h). The first is the operand; the second has these bits:
 * - 3:0: the operation (enum tmu_op_code)
 * - 4: a write of a register writes the operand to all elements; if the bit is 0, it writes a row of the
 *   image `data`, whose number is the operand
 *
 * All other bits are ignored. A code that tmu_ops does not list does nothing. Uniforms are operations, too.
 * In the order of the list they form the stream from which register writes take their parameters. After the
 * last uniform, the stream has zeros.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_UNIT_TMU_H
#define MISPRINT_MODEL_VC4_TMU_UNIT_TMU_H

#include "model/vc4/direct_unit.h"

enum {
    TMU_OPS_MAX = 96,
    TMU_DATA_ROWS = 32,
};

enum tmu_op_code {
    TMU_OP_NOP,
    TMU_OP_P0, /* a uniform: parameter 0; its base counts from the start of the memory */
    TMU_OP_P1,
    TMU_OP_P2, /* parameter 2 or 3 */
    TMU_OP_UNIFORM,
    TMU_OP_S,
    TMU_OP_T,
    TMU_OP_R,
    TMU_OP_B,
    TMU_OP_S_ADDRESS, /* the elements are byte offsets into the case's memory */
    TMU_OP_LOAD,
    TMU_OP_CODES
};

enum { TMU_OP_ALL = 1 << 4 };

/* The kinds of operand. */
enum tmu_operand {
    TMU_OPERAND_NONE,
    TMU_OPERAND_WORD,
    TMU_OPERAND_P0,
    TMU_OPERAND_P1,
    TMU_OPERAND_P2,
    TMU_OPERAND_VECTOR
};

struct tmu_op {
    const char *name; /* NULL: parameter 2 or 3, which is named by its form (tmu_config.h) */
    enum tmu_operand operand;
};
extern const struct tmu_op tmu_ops[TMU_OP_CODES];

static inline bool tmu_op_is_uniform(uint32_t code)
{
    return code >= TMU_OP_P0 && code <= TMU_OP_UNIFORM;
}

/* The unit's case; test_case.words begins with it. */
struct tmu_case {
    struct image_head memory;
    struct direct_image_row memory_row[VC4_MEMORY_ROWS];
    struct image_head data;
    struct direct_image_row data_row[TMU_DATA_ROWS];
    uint32_t op_count;
    uint32_t op[TMU_OPS_MAX][OP_WORDS];
};

/* The text of one operation, and its bits (struct code). */
void tmu_op_print(const uint32_t *words, struct text *t);
extern const char tmu_op_syntax[];
extern const struct code_names tmu_op_names[];
bool tmu_op_parse(const char *chars, size_t count, uint32_t *words, struct error *e);
const struct bit_field *tmu_op_bits(const uint32_t *words);
const struct bit_field *tmu_op_second_bits(const uint32_t *words);

void tmu_case_generate(struct random *r, struct test_case *c);
void tmu_case_mend(struct test_case *c);
void tmu_op_generate(struct random *r, uint32_t *words);
void tmu_op_mutate(struct random *r, uint32_t *words);

#endif
