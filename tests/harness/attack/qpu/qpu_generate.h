/* SPDX-License-Identifier: MIT */
/*
 * Generates hostile programs for the VideoCore IV QPU: cases of unit vc4-qpu close to the limits of what a
 * verifier may accept. A correct verifier accepts most of them. Shares nothing with the unit's own generator,
 * because the verifier's authors know that generator's habits.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_GENERATE_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_GENERATE_H

#include "model/core/case.h"

/*
 * Makes case `number`. The result depends only on the seed, the number and `odd`. Its memory is at
 * MEMORY_BASE_DEFAULT. `odd`: percentage of words that the program computes in ways that a static proof
 * cannot follow.
 */
void qpu_hostile_case(uint64_t seed, uint64_t number, unsigned odd, struct test_case *tc);

#endif
