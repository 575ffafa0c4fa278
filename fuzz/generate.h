/* SPDX-License-Identifier: MIT */
/*
 * Making and changing cases from the schema alone: generator, mutator,
 * crossover. A unit's own hooks (unit->generate, code->generate, unit->mend)
 * are used where it has them. The same code serves every fuzzing engine.
 */
#ifndef MISPRINT_FUZZ_GENERATE_H
#define MISPRINT_FUZZ_GENERATE_H

#include "model/unit.h"

void case_generate(struct random *r, const struct unit *u, struct test_case *c);
void case_mutate(struct random *r, struct test_case *c);
void case_cross(struct random *r, const struct test_case *other, struct test_case *c);

#endif
