/* SPDX-License-Identifier: MIT */
/* What the tests of the QPU's arithmetic share: the built-in profiles as rules, and one-lane forms of its
 * functions. */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_ALU_H

#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/alu/qpu_sfu.h"

enum { PROFILE_MANUAL, PROFILE_SILICON }; /* indices into in_profile */

/* The readings that a built-in profile has for the arithmetic clauses; all others are the manual's. */
struct profile support_alu_profile(unsigned which);
/* Rules of such a profile for the best of this host. */
struct alu_rules support_alu_rules(unsigned which);
/* The clause's index by its id; fails the test if there is none. */
unsigned support_alu_clause(const char *id);

/* The operation of this name on both pipes: kernel and row, NULL if the pipe has none. */
const struct alu_op *support_alu_op(const struct alu_rules *rules, const char *name, alu_kernel **kernel);

/* One lane. */
uint32_t support_alu_one(const struct alu_rules *rules, alu_kernel *kernel, uint32_t a, uint32_t b,
                         uint32_t *carry);
uint32_t support_alu_sfu(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t *defined);

/* Z and N of a result, as lane masks. */
void support_alu_zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n);

#endif
