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

extern const uint8_t *const alu_sfu_clauses[SFU_FUNCTIONS]; /* each ended by ALU_NO_CLAUSE */

#endif
