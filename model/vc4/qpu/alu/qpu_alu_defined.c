/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/alu/qpu_alu_defined.h"

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu_host.h"

/* clang-format off */
#define DEFINED_ARGUMENTS \
    const struct alu_rules *rules, const struct vc4_vector *a, const struct vc4_vector *b, \
        const struct vc4_vector *a_defined, const struct vc4_vector *b_defined, struct vc4_vector *defined, \
        struct vc4_vector *carry_defined

/* Defines a rule. The expressions `D` and `C` give the defined bits of the result and of the C flag from the
 * operands x, y and their masks dx, dy. */
#define DEFINED(name, D, C) \
    WIDE void name(DEFINED_ARGUMENTS) \
    { \
        (void)rules; \
        for (unsigned i = 0; i < VC4_LANES; i++) { \
            uint32_t x = a->lane[i], y = b->lane[i], dx = a_defined->lane[i], dy = b_defined->lane[i]; \
            (void)x, (void)y, (void)dx, (void)dy; \
            defined->lane[i] = (D); \
            if (carry_defined) \
                carry_defined->lane[i] = (C); \
        } \
    }
/* clang-format on */

#define ALL         UINT32_MAX
#define WHOLE(mask) lane_mask((mask) == ALL)
/* The mask of the operand that an operation of one operand reads. */
#define UNARY_MASK ((dy & rules->unary_b) | (dx & ~rules->unary_b))

/* Returns all bits below the lowest undefined bit. */
static uint32_t below_undefined(uint32_t mask)
{
    return (~mask & (0U - ~mask)) - 1;
}

/* Returns the bytes whose bits are all defined. */
static uint32_t whole_bytes(uint32_t mask)
{
    uint32_t undefined = ~mask;
    undefined |= (undefined >> 4) & 0x0F0F0F0F;
    undefined |= (undefined >> 2) & 0x03030303;
    undefined |= (undefined >> 1) & 0x01010101;
    return ~((undefined & 0x01010101) * 255);
}

DEFINED(defined_nothing, 0, 0)
DEFINED(defined_and, (dx & dy) | (dx & ~x) | (dy & ~y), ALL)
DEFINED(defined_or, (dx & dy) | (dx & x) | (dy & y), ALL)
DEFINED(defined_xor, (dx & dy), ALL)
DEFINED(defined_not, UNARY_MASK, ALL)
DEFINED(defined_sum, below_undefined((dx & dy)), WHOLE((dx & dy)))
DEFINED(defined_mul24, below_undefined((dx & dy) | 0xFF000000), WHOLE((dx & dy) | 0xFF000000))
DEFINED(defined_unary, WHOLE(UNARY_MASK), WHOLE(UNARY_MASK))
DEFINED(defined_float, WHOLE((dx & dy)), WHOLE((dx & dy)))
DEFINED(defined_bytes, whole_bytes(dx &dy), ALL)

/* Under the reading byte-3, each byte of the result depends on b's byte 3 and no other byte of b. */
static uint32_t v8muld_mask(const struct alu_rules *rules, uint32_t dx, uint32_t dy)
{
    bool byte_3 = alu_reading(rules, ALU_V8MULD_FORMULA) == V8MULD_BYTE_3;
    return whole_bytes(byte_3 ? dx & lane_mask((dy | 0x00FFFFFF) == ALL) : dx & dy);
}
DEFINED(defined_v8muld, v8muld_mask(rules, dx, dy), ALL)

/* Shifts. If the amount is defined, the mask moves with the bits. Zeros that move in are defined. Copies of
 * the sign that move in (asr) are defined if the sign is. */
#define SHIFT_AMOUNT_OF(y)   ((y)&rules->shift_mask)
#define AMOUNT_DEFINED(mask) lane_mask((dy & (mask)) == (mask))
#define SHIFT_C_DEFINED      (WHOLE(dx & (dy | ~rules->shift_mask)))
#define SHIFT_KEPT           (31 & SHIFT_AMOUNT_OF(y))
#define SHIFT_GONE           lane_mask(SHIFT_AMOUNT_OF(y) > 31)
DEFINED(defined_shl,
        (((dx << SHIFT_KEPT) | ~(ALL << SHIFT_KEPT)) | SHIFT_GONE) & AMOUNT_DEFINED(rules->shift_mask),
        SHIFT_C_DEFINED)
DEFINED(defined_shr,
        (((dx >> SHIFT_KEPT) | ~(ALL >> SHIFT_KEPT)) | SHIFT_GONE) & AMOUNT_DEFINED(rules->shift_mask),
        SHIFT_C_DEFINED)
DEFINED(defined_asr,
        shift_arithmetic(dx, lane_min(SHIFT_AMOUNT_OF(y), 31)) & AMOUNT_DEFINED(rules->shift_mask),
        SHIFT_C_DEFINED)
DEFINED(defined_ror, ((dx >> (y & 31)) | (dx << ((0U - y) & 31))) & AMOUNT_DEFINED(31U), ALL)

/* The move idioms: min, max, v8min and v8max of a register with itself give that register, and never set
 * C. */
static bool same_operand(const struct vc4_vector *a, const struct vc4_vector *b,
                         const struct vc4_vector *a_defined, struct vc4_vector *defined,
                         struct vc4_vector *carry_defined)
{
    if (a != b)
        return false;
    *defined = *a_defined;
    for (unsigned i = 0; carry_defined && i < VC4_LANES; i++)
        carry_defined->lane[i] = ALL;
    return true;
}

void defined_minmax(DEFINED_ARGUMENTS)
{
    if (!same_operand(a, b, a_defined, defined, carry_defined))
        defined_float(rules, a, b, a_defined, b_defined, defined, carry_defined);
}

void defined_v8minmax(DEFINED_ARGUMENTS)
{
    if (!same_operand(a, b, a_defined, defined, carry_defined))
        defined_bytes(rules, a, b, a_defined, b_defined, defined, carry_defined);
}
