/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the QPU's ADD and MUL pipes on vectors of 16 elements:
 * results, flags, overflow, definedness, clauses touched. Which rounding, which
 * NaN, which saturation: clauses (alu_clauses.h), resolved once per profile
 * into `struct alu_rules`, so that no reading is chosen in the loop.
 *
 * Every kernel gives the same bits on every host. No host floating point
 * decides a bit here, but for AVX-512 instructions that state their rounding
 * (qpu_alu_avx512.c), which are held to the integer code bit by bit.
 *
 * Packing and unpacking: qpu_pack.h. SFU: qpu_sfu.h.
 * Source of the operations: VideoCoreIV-AG100-R p35-36 T12, T13.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_H

#include "model/number/float32.h"
#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/vc4.h"

#include <stddef.h>

struct alu_rules;

/*
 * A kernel: result and the C flag of one operation. `carry` gets 0 or FFFFFFFF
 * in each lane; it may be NULL when nobody wants flags. Z and N follow from the
 * result (alu_zero_negative). `result` may be `a` or `b`, and these the same
 * vector; `carry` is apart from all.
 */
typedef void alu_kernel(const struct alu_rules *rules, const struct vc4_vector *a, const struct vc4_vector *b,
                        struct vc4_vector *result, struct vc4_vector *carry);

/* Flags as lane masks: 0 or FFFFFFFF in each lane. */
struct alu_flags {
    struct vc4_vector z, n, c;
};

/*
 * Which result bits, and which lanes of C (0 or FFFFFFFF), are defined, from
 * the operands and their masks: whatever the undefined operand bits hold, a
 * bit reported as defined is the same. `carry_defined` may be NULL. No overlap,
 * as for kernels.
 */
typedef void alu_definedness(const struct alu_rules *rules, const struct vc4_vector *a,
                             const struct vc4_vector *b, const struct vc4_vector *a_defined,
                             const struct vc4_vector *b_defined, struct vc4_vector *defined,
                             struct vc4_vector *carry_defined);

/* What alu_overflow says of a lane. */
enum {
    ALU_OVERFLOW = 1,      /* signed overflow of add or sub */
    ALU_OVERFLOW_WIDE = 2, /* the exact result of another operation leaves 32 bits: counts for pack code 8
                              only (pack-32s-ops) */
    ALU_OVERFLOW_LOW = 4,  /* saturation goes to the negative end (pack-sub-direction) */
};
typedef void alu_overflow_kernel(const struct alu_rules *rules, const struct vc4_vector *a,
                                 const struct vc4_vector *b, const struct vc4_vector *result,
                                 struct vc4_vector *overflow);

/* A row of qpu_operations.h; its kernels are the hosts'. */
struct alu_op {
    const char *name; /* as the manual spells it: "fadd"; NULL: reserved */
    uint8_t operands; /* 0 (nop), 1 (operand A only, but see unary-operand), 2 */
    bool minus_b;     /* operand B is a float, taken with its sign inverted */
    bool float_in;    /* reads its operands as floats: decides how regfile A is unpacked (p31 T6) */
    bool float_out;   /* gives a float: decides how the result is packed (p31 T7) */
    unsigned (*choose_kernel)(
        const struct alu_rules *rules); /* number of the kernel, among the row's, that the rules want */
    alu_definedness *defined;
    alu_overflow_kernel *overflow; /* NULL: cannot overflow; pass a NULL overflow to alu_pack_a */
    const uint8_t *clauses;        /* that its result can depend on, ended by ALU_NO_CLAUSE */
    const uint8_t *flag_clauses;   /* that its C flag can depend on besides, ended by ALU_NO_CLAUSE */
};
extern const struct alu_op alu_add_ops[32], alu_mul_ops[8];

/* What else is done to whole vectors, in the host's instructions. */
struct alu_tools {
    /* To where `lanes` (0 or FFFFFFFF in each) holds. */
    void (*select)(const struct vc4_vector *value, const struct vc4_vector *lanes, struct vc4_vector *to);
    /* `lanes`, or with `invert` all ones where these do not hold. */
    void (*invert)(const struct vc4_vector *lanes, uint32_t invert, struct vc4_vector *to);
    /* Element i goes to i + n; in quads: to the element of its own quad. `to` may be `value`. */
    void (*rotate)(const struct vc4_vector *value, unsigned n, bool in_quads, struct vc4_vector *to);
    /* Do all elements of both vectors, as floats, lie far from the ends of the format, and does no pair of
     * them cancel? */
    bool (*ordinary)(const struct vc4_vector *a, const struct vc4_vector *b);
    void (*zero_negative)(const struct vc4_vector *result, struct vc4_vector *z,
                          struct vc4_vector *n); /* alu_zero_negative */
};

/* A profile's readings of the arithmetic clauses in the form that the kernels use. Filled by alu_resolve;
 * plain data, may be copied. */
struct alu_rules {
    const struct alu_tools *tools;
    alu_kernel *add[32], *mul[8];  /* NULL: reserved */
    struct float_rules fadd, fmul; /* fsub as fadd */
    struct float_rules itof;       /* its rounding */
    struct order_rules order;      /* fmin, fmax, fminabs, fmaxabs */
    struct ftoi_rules ftoi;
    uint32_t unary_b;    /* all ones: operations of one operand read operand B (unary-operand) */
    uint32_t shift_mask; /* an amount is b & shift_mask; 32 and more shift everything out (shift-amount) */
    uint32_t clz_zero;   /* clz of 0 */
    uint32_t fadd_c, fmul_c, itof_c, minmax_c, shift_c, mul24_c24,
        mul24_c32;           /* all ones: this rule of C is in force */
    uint32_t sub_c;          /* all ones: sub's C is "no borrow" */
    uint32_t overflow_end_b; /* all ones: saturation takes its end from the sign of operand B
                                (pack-sub-direction) */
    uint32_t overflow_wide;  /* all ones: pack code 8 saturates any operation (pack-32s-ops) */
    uint8_t reading[64];     /* reading of clause ALU_CLAUSE_FIRST + i */
};

/* The reading in force of one of the clauses of alu_clauses.h. */
static inline unsigned alu_reading(const struct alu_rules *rules, unsigned clause)
{
    return rules->reading[clause - ALU_CLAUSE_FIRST];
}

/* Sets of instructions of the host that the kernels are compiled for. All give the same bits. */
enum alu_host { ALU_HOST_PLAIN, ALU_HOST_AVX2, ALU_HOST_AVX512, ALU_HOSTS };

void alu_resolve(const struct profile *p, struct alu_rules *rules); /* for the best that this host has */
bool alu_resolve_for(const struct profile *p, enum alu_host host,
                     struct alu_rules *rules); /* false if this host (or build) lacks it */
alu_kernel *alu_add_kernel(const struct alu_rules *rules, unsigned op); /* op 0..31; NULL: reserved */
alu_kernel *alu_mul_kernel(const struct alu_rules *rules, unsigned op); /* op 0..7; NULL: reserved */

/* Z and N of a result, and which lanes of them are defined, as lane masks of 0 or FFFFFFFF. */
void alu_zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n);
void alu_zero_negative_defined(const struct vc4_vector *result, const struct vc4_vector *defined,
                               struct vc4_vector *z_defined, struct vc4_vector *n_defined);

/*
 * What the result and C of an operation can have depended on, given these
 * operands: marks a subset of the row's lists. A clause that is not marked
 * cannot change this result (or, with `flags`, this C) by any reading, the
 * other clauses' readings staying as they are.
 */
void alu_cover_add(const struct alu_rules *rules, unsigned op, const struct vc4_vector *a,
                   const struct vc4_vector *b, bool flags, struct coverage *c);
void alu_cover_mul(const struct alu_rules *rules, unsigned op, const struct vc4_vector *a,
                   const struct vc4_vector *b, bool flags, struct coverage *c);

/* Marks all clauses of a list ended by ALU_NO_CLAUSE. */
void alu_cover_list(const uint8_t *clauses, struct coverage *c);

#endif
