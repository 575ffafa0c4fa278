/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of the QPU's arithmetic: the built-in profiles as rules, and its functions for one
 * lane. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/alu/qpu_sfu.h"

enum { PROFILE_MANUAL, PROFILE_SILICON }; /* indices into in_profile */

/* The readings of the arithmetic clauses in a built-in profile. Other clauses have the reading `manual`. */
struct profile support_alu_profile(unsigned which);
/* Rules of such a profile for the fastest variant that this host can run. */
struct alu_rules support_alu_rules(unsigned which);
/* Returns the index of the clause with this id. Fails the test if there is none. */
unsigned support_alu_clause(const char *id);

/* The operation with this name on both pipes: kernel and row. NULL if the pipe has no such operation. */
const struct alu_op *support_alu_op(const struct alu_rules *rules, const char *name, alu_kernel **kernel);

/* One lane. */
uint32_t support_alu_one(const struct alu_rules *rules, alu_kernel *kernel, uint32_t a, uint32_t b,
                         uint32_t *carry);
uint32_t support_alu_sfu(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t *defined);
/* The same result's tolerance. */
uint32_t support_alu_sfu_tolerance(const struct alu_rules *rules, enum sfu_function f, uint32_t x);

/* The flags Z and N of a result, as lane masks. */
void support_alu_zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n);

#endif
