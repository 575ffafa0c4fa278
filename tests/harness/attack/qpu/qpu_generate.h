/* SPDX-License-Identifier: MIT */
/*
 * Hostile programs for the VideoCore IV QPU: cases of unit vc4-qpu that a careful verifier mostly accepts,
 * and that come as near as they can to the edge of what it may accept. Owns how such a case is made; shares
 * nothing with the unit's own generator, whose habits the verifier's authors know.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_GENERATE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_GENERATE_H

#include "model/core/case.h"

/*
 * Makes case `number`; only the seed, the number and `odd` decide which. Its memory is meant to lie at
 * MEMORY_BASE_DEFAULT. `odd`: percentage of words that are computed in ways that a run follows and a static
 * proof does not.
 */
void qpu_hostile_case(uint64_t seed, uint64_t number, unsigned odd, struct test_case *tc);

#endif
