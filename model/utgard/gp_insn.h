/* SPDX-License-Identifier: MIT */
/*
 * The encoding of a Utgard GP instruction: 128 bits, all 39 fields in one
 * table. Owns decoding and encoding, and the numbers of selectors, opcodes and
 * store sources. gp_prepare.c and gp_run.c execute instructions.
 *
 * Source: "Utgard GP" (mali-isa-docs), "Instruction format" and "Inputs to the
 * ALU's"; Mesa's lima driver, ir/gp/codegen.h, agrees on every field.
 */
#ifndef MISPRINT_MODEL_UTGARD_GP_INSN_H
#define MISPRINT_MODEL_UTGARD_GP_INSN_H

#include "model/core/unit.h"

enum {
    GP_WORDS = 4,
    GP_PROGRAM_MAX = 512,
    GP_ATTRIBUTES = 16,
    GP_REGISTERS = 16,
    GP_VARYINGS = 16,
    GP_MEMORY_ROWS = 512,
    GP_VEC = 4
};

struct gp_insn {
#define X(name, low, width, idle) uint16_t name;
#include "model/utgard/gp_fields.inc.h"
#undef X
};

/* The source of a unit's input: a selector of five bits. "D1" and "D2" name results of one and two
 * instructions ago. */
enum gp_source {
    GP_REG0_X = 0, /* to 3: fetched by the register 0 unit in this instruction */
    GP_REG1_X = 4,
    GP_UNKNOWN_8 = 8, /* to 11 */
    GP_LOAD_X = 12,
    GP_ACC0_D1 = 16,
    GP_ACC1_D1,
    GP_MUL0_D1,
    GP_MUL1_D1,
    GP_PASS_D1,
    GP_NONE,
    GP_COMPLEX_D1, /* as second input of acc and mul: the identity, 0 or 1 */
    GP_PASS_D2,
    GP_ACC0_D2,
    GP_ACC1_D2,
    GP_MUL0_D2,
    GP_MUL1_D2,
    GP_REG0_PREVIOUS_X, /* to 31: fetched by the register 0 unit in the previous instruction */
    GP_SOURCES = 32
};

/* The six units with a result. Fields that name a store's source use these numbers. In the next instruction,
 * selector GP_ACC0_D1 + unit reads the result. */
enum gp_unit {
    GP_ACC0,
    GP_ACC1,
    GP_MUL0,
    GP_MUL1,
    GP_PASS,
    GP_UNIT_UNKNOWN,
    GP_COMPLEX,
    GP_UNITS,
    GP_STORE_NONE = 7
};

enum gp_acc_op {
    GP_ACC_ADD,
    GP_ACC_FLOOR,
    GP_ACC_SIGN,
    GP_ACC_3,
    GP_ACC_GE,
    GP_ACC_LT,
    GP_ACC_MIN,
    GP_ACC_MAX
};
enum gp_mul_op { GP_MUL_MUL, GP_MUL_COMPLEX1, GP_MUL_2, GP_MUL_COMPLEX2, GP_MUL_SELECT };
enum gp_complex_op {
    GP_COMPLEX_IDLE,
    GP_COMPLEX_EXP2 = 2,
    GP_COMPLEX_LOG2,
    GP_COMPLEX_RSQRT,
    GP_COMPLEX_RCP,
    GP_COMPLEX_MOV = 9,
    GP_COMPLEX_ADDR01,
    GP_COMPLEX_ADDR0 = 12, /* to 15: sets address register 0 to 3 */
};
enum gp_pass_op { GP_PASS_MOV = 2, GP_PASS_PREEXP2 = 4, GP_PASS_POSTLOG2, GP_PASS_CLAMP };
enum { GP_OFFSET_NONE = 7, GP_FLAGS_TEMPORARY = 12, GP_FLAGS_BRANCH = 13, GP_ADDRESS_REGISTERS = 4 };

extern const struct gp_insn gp_nop; /* as compilers write it */
extern const uint32_t gp_nop_words[GP_WORDS];

/* Returns a field, which may cross a word's end. Callers pass constant positions, so compilers fold this to a
 * shift or two. */
static inline uint32_t gp_field_get(const uint32_t *words, unsigned low, unsigned width)
{
    uint64_t two = words[low / 32];
    if (low % 32 + width > 32)
        two |= (uint64_t)words[low / 32 + 1] << 32;
    return (uint32_t)(two >> (low % 32)) & ((1U << width) - 1);
}

/* Decodes an instruction. Any 128 bits are an instruction, and encoding it gives the same bits. Inline, so
 * that a caller pays only for the fields that it uses. */
static inline void gp_decode(const uint32_t words[GP_WORDS], struct gp_insn *i)
{
#define X(name, low, width, idle) i->name = (uint16_t)gp_field_get(words, low, width);
#include "model/utgard/gp_fields.inc.h"
#undef X
}
void gp_encode(const struct gp_insn *i, uint32_t words[GP_WORDS]);
extern const struct bit_field gp_bit_fields[];

/* Returns the selectors that the units of an instruction read, one bit each. */
static inline uint32_t gp_selectors(const struct gp_insn *i)
{
    return 1U << i->mul0_src0 | 1U << i->mul0_src1 | 1U << i->mul1_src0 | 1U << i->mul1_src1 |
           1U << i->acc0_src0 | 1U << i->acc0_src1 | 1U << i->acc1_src0 | 1U << i->acc1_src1 |
           1U << i->complex_src | 1U << i->pass_src;
}

/* Returns the branch target: an absolute instruction number. Bit 70 of the instruction is the inverse of the
 * number's bit 8. */
static inline unsigned gp_branch_target(const struct gp_insn *i)
{
    return i->branch_target + (i->branch_target_lo ? 0U : 256U);
}
void gp_set_branch_target(struct gp_insn *i, unsigned target);

/* Returns the flags that compilers write for this choice of branch and temporary stores. */
static inline unsigned gp_usual_flags(const struct gp_insn *i)
{
    return i->branch ? GP_FLAGS_BRANCH : i->store0_temporary | i->store1_temporary ? GP_FLAGS_TEMPORARY : 0;
}

/* One instruction as text, without end of line; gp_text.c describes the grammar. */
void gp_print(const uint32_t *words, struct text *t);
bool gp_parse(const char *chars, size_t count, uint32_t *words, struct error *e);

/* Names by number, NULL-terminated. Selector 22 is "complex@1", but gp_identity_name as a second input. */
/* The text form for people: examples, and the words in it (struct code in model/core/unit.h). */
extern const char gp_syntax[];
extern const struct code_names gp_syntax_names[];
extern const char *const gp_acc_names[], *const gp_mul_names[], *const gp_complex_names[];
extern const char *const gp_pass_names[], *const gp_source_names[], *const gp_store_names[],
                                                                        *const gp_unit_names[];
extern const char gp_identity_name[];

/* The units of an instruction, as slots for pictures (struct code). */
extern const char *const gp_slot_names[];
void gp_slots(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots);

#endif
