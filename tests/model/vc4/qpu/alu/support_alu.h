/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of the QPU's arithmetic: rules of the built-in profiles, and arithmetic on a single
 * lane. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/alu/qpu_sfu.h"

enum { PROFILE_MANUAL, PROFILE_SILICON }; /* indices into in_profile */

/* Returns the readings of the arithmetic clauses in a built-in profile. Other clauses get the reading
 * `manual`. */
struct profile support_alu_profile(unsigned which);
/* Returns the rules of a built-in profile, for the fastest variant that this host can run. */
struct alu_rules support_alu_rules(unsigned which);
/* Returns the index of the clause with this id. Fails the test if there is none. */
unsigned support_alu_clause(const char *id);

/* Returns the row of the operation with this name, of either pipe, and sets *kernel. NULL if there is
 * none. */
const struct alu_op *support_alu_op(const struct alu_rules *rules, const char *name, alu_kernel **kernel);

/* Compute a result in one lane. */
uint32_t support_alu_one(const struct alu_rules *rules, alu_kernel *kernel, uint32_t a, uint32_t b,
                         uint32_t *carry);
uint32_t support_alu_sfu(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t *defined);
/* Returns the tolerance of the SFU's result. */
uint32_t support_alu_sfu_tolerance(const struct alu_rules *rules, enum sfu_function f, uint32_t x);

/* Sets the flags Z and N of a result, as lane masks. */
void support_alu_zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n);

#endif
