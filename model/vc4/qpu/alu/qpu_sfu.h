/* SPDX-License-Identifier: MIT */
/*
 * The Special Functions Unit: reciprocal, reciprocal square root, 2^x, log2, and the square root that one
 * page of the manual promises (sfu-list). Source: VideoCoreIV-AG100-R p16, p23, p38 T14, and for silicon the
 * clauses sfu-*.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_SFU_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_SFU_H

#include "model/vc4/qpu/alu/qpu_alu.h"

enum sfu_function { SFU_RECIP, SFU_RECIPSQRT, SFU_EXP, SFU_LOG, SFU_SQRT, SFU_FUNCTIONS };

/*
 * Computes the results and which of their bits are defined. Under the reading `manual` of sfu-precision the
 * result is correctly rounded and all bits are defined. Under `observed` a device may return any result
 * within a tolerance (model/number/tolerance.h). Defined are then the leading bits that all such results
 * share, and the low bits that are always 0. Undefined bits of `out` come from the correctly rounded result.
 */
void alu_sfu(const struct alu_rules *rules, enum sfu_function f, const struct vc4_vector *in,
             struct vc4_vector *out, struct vc4_vector *defined, struct vc4_vector *tolerance);
/* Clears `defined` and `tolerance` (from alu_sfu) in lanes whose operand has an undefined bit. */
void alu_sfu_narrow(const struct vc4_vector *in_defined, struct vc4_vector *defined,
                    struct vc4_vector *tolerance);

/* Parts of an operation, for observed runs. */
struct sfu_parts {
    uint32_t sign; /* the operand's, in bit 31 */
    bool invalid;  /* the result is a NaN */
    bool beyond;   /* 2^x is out of range */
};
uint32_t alu_sfu_sign(uint32_t x);
bool alu_sfu_has_root(enum sfu_function f); /* the function has no real value for negative numbers */
bool alu_sfu_invalid(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t sign);
bool alu_sfu_beyond(enum sfu_function f, uint32_t x);
/* Does the SFU compute the result? Otherwise it gives a constant. */
bool alu_sfu_computes(const struct alu_rules *rules, enum sfu_function f, uint32_t x);
/* The result with other parts than the operand's. */
uint32_t alu_sfu_with(const struct alu_rules *rules, enum sfu_function f, uint32_t x,
                      const struct sfu_parts *parts);

extern const uint8_t *const alu_sfu_clauses[SFU_FUNCTIONS]; /* each ended by ALU_NO_CLAUSE */

#endif
