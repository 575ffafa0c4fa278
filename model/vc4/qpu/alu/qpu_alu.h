/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the QPU's ADD and MUL pipes on vectors of 16 elements: results, flags, overflow,
 * definedness, covered clauses. Clauses (alu_clauses.h) decide rounding, NaN and saturation. alu_resolve
 * turns a profile's readings into `struct alu_rules` once, so that kernels need not test readings.
 *
 * Every kernel gives the same bits on every host. The only host floating point is AVX-512 instructions that
 * state their rounding (qpu_alu_avx512.c). The tests compare these with the integer code bit by bit.
 *
 * Packing and unpacking: qpu_pack.h. SFU: qpu_sfu.h. Source of the operations: VideoCoreIV-AG100-R p35-36
 * T12, T13.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_ALU_H

#include "model/number/float32.h"
#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/vc4.h"

#include <stddef.h>

struct alu_rules;

/*
 * Computes the result and the C flag of one operation. `carry` gets 0 or FFFFFFFF in each lane, or is NULL. Z
 * and N follow from the result (alu_tools.zero_negative). `a`, `b` and `result` may be the same vector.
 * `carry` must be another one.
 */
typedef void alu_kernel(const struct alu_rules *rules, const struct vc4_vector *a, const struct vc4_vector *b,
                        struct vc4_vector *result, struct vc4_vector *carry);

/* Flags as lane masks: 0 or FFFFFFFF in each lane. */
struct alu_flags {
    struct vc4_vector z, n, c;
};
static inline const struct vc4_vector *alu_flag(const struct alu_flags *f, unsigned i)
{
    return i == 0 ? &f->z : i == 1 ? &f->n : &f->c;
}

/*
 * Finds which result bits, and which lanes of C (0 or FFFFFFFF), are defined: those that are the same
 * whatever the undefined operand bits hold. `carry_defined` may be NULL. Outputs must not overlap inputs.
 */
typedef void alu_definedness(const struct alu_rules *rules, const struct vc4_vector *a,
                             const struct vc4_vector *b, const struct vc4_vector *a_defined,
                             const struct vc4_vector *b_defined, struct vc4_vector *defined,
                             struct vc4_vector *carry_defined);

/* The result of an overflow kernel for one lane, as bits. */
enum {
    ALU_OVERFLOW = 1, /* signed overflow of add or sub */
    /* the exact result of shl or mul24 needs more than 32 bits; only pack code 8 uses this (pack-32s-ops) */
    ALU_OVERFLOW_WIDE = 2,
    ALU_OVERFLOW_LOW = 4, /* saturation goes to the negative end (pack-sub-direction) */
};
typedef void alu_overflow_kernel(const struct alu_rules *rules, const struct vc4_vector *a,
                                 const struct vc4_vector *b, const struct vc4_vector *result,
                                 struct vc4_vector *overflow);

/* A row of qpu_operations.h without its kernels, which are in struct alu_kernels. */
struct alu_op {
    const char *name; /* as the manual spells it: "fadd"; NULL: reserved */
    uint8_t operands; /* 0 (nop), 1 (operand A only, but see unary-operand), 2 */
    bool minus_b;     /* operand B is a float, taken with its sign inverted */
    bool float_in;    /* reads its operands as floats: decides how regfile A is unpacked (p31 T6) */
    bool float_out;   /* gives a float: decides how the result is packed (p31 T7) */
    unsigned (*choose_kernel)(const struct alu_rules *rules); /* number of the kernel in the row's list */
    alu_definedness *defined;
    alu_overflow_kernel *overflow; /* NULL: cannot overflow, and alu_pack_a gets NULL */
    const uint8_t *clauses;        /* clauses that the result can depend on, ended by ALU_NO_CLAUSE */
    const uint8_t *flag_clauses;   /* further clauses that the C flag can depend on, ended by ALU_NO_CLAUSE */
};
extern const struct alu_op alu_add_ops[32], alu_mul_ops[8];

/* Other functions on whole vectors, compiled for the host's instruction sets. */
struct alu_tools {
    /* Copies the elements whose `lanes` are FFFFFFFF. */
    void (*select)(const struct vc4_vector *value, const struct vc4_vector *lanes, struct vc4_vector *to);
    /* lanes ^ invert. */
    void (*invert)(const struct vc4_vector *lanes, uint32_t invert, struct vc4_vector *to);
    /* Moves element i to i + n, or to the same place within its quad. `to` may be `value`. */
    void (*rotate)(const struct vc4_vector *value, unsigned n, bool in_quads, struct vc4_vector *to);
    /* Are all elements far from the limits of the float format? Also false if a and b have the same magnitude
     * in some lane. */
    bool (*ordinary)(const struct vc4_vector *a, const struct vc4_vector *b);
    /* Z and N of a result, as lane masks of 0 or FFFFFFFF. */
    void (*zero_negative)(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n);
};

/* A profile's readings of the arithmetic clauses, in the form that kernels use. alu_resolve fills it in.
 * Callers may copy it. */
struct alu_rules {
    const struct alu_tools *tools;
    alu_kernel *add[32], *mul[8];  /* NULL: reserved */
    struct float_rules fadd, fmul; /* fsub as fadd */
    struct float_rules itof;       /* only the rounding */
    struct order_rules order;      /* fmin, fmax, fminabs, fmaxabs */
    struct ftoi_rules ftoi;
    uint32_t unary_b;    /* all ones: operations with one operand read operand B (unary-operand) */
    uint32_t shift_mask; /* an amount is b & shift_mask; 32 and more shift everything out (shift-amount) */
    uint32_t clz_zero;   /* clz of 0 */
    uint32_t fadd_c, fmul_c, itof_c, minmax_c, shift_c, mul24_c24,
        mul24_c32;           /* all ones: the observed C rule applies */
    uint32_t sub_c;          /* all ones: sub's C is "no borrow" */
    uint32_t overflow_end_b; /* all ones: B's sign chooses to which end an overflow saturates
                                (pack-sub-direction) */
    uint32_t overflow_wide;  /* all ones: pack code 8 saturates any operation (pack-32s-ops) */
    uint8_t reading[64];     /* reading of clause ALU_CLAUSE_FIRST + i */
};

/* The profile's reading of a clause of alu_clauses.h. */
static inline unsigned alu_reading(const struct alu_rules *rules, unsigned clause)
{
    return rules->reading[clause - ALU_CLAUSE_FIRST];
}

/* Sets of instructions of the host that the kernels are compiled for. All give the same bits. */
enum alu_host { ALU_HOST_PLAIN, ALU_HOST_AVX2, ALU_HOST_AVX512, ALU_HOSTS };

void alu_resolve(const struct profile *p, struct alu_rules *rules); /* for the best set that this host has */
/* False if this host or build lacks the set. */
bool alu_resolve_for(const struct profile *p, enum alu_host host, struct alu_rules *rules);

/* Which lanes of Z and N are defined, as lane masks of 0 or FFFFFFFF. */
void alu_zero_negative_defined(const struct vc4_vector *result, const struct vc4_vector *defined,
                               struct vc4_vector *z_defined, struct vc4_vector *n_defined);

/*
 * Marks the clauses of the row's lists that can change the result for these operands, and with `flags` also
 * those that can change C. If a clause stays unmarked, changing only its reading changes neither.
 */
void alu_cover(const struct alu_rules *rules, const struct alu_op *op, bool is_mul,
               const struct vc4_vector *a, const struct vc4_vector *b, bool flags, struct coverage *c);

/* Marks all clauses of a list ended by ALU_NO_CLAUSE. */
void alu_cover_list(const uint8_t *clauses, struct coverage *c);

#endif
