/* SPDX-License-Identifier: MIT */
/*
 * One case as a fuzzing engine runs it, in its own process and without leaving
 * it: under the profile, under that of a virtual board where this reads differently what the case touches
 * (elsewhere one case in some, for it must change nothing), and, one case in some, under one reading more.
 * What it shows of the ledger becomes counters that the engine takes for coverage:
 *
 *   touched    clause x reading x mode: the clause decided something in this mode while this reading was in
 * force separated  clause x reading x mode: this reading instead of the one in force gave other bits, or
 * another end
 *
 * Which reading more is tried follows from the case alone, so that a case has
 * the same counters each time it runs; over many cases all are tried.
 *
 * And one property is checked: readings that a run did not consult do not
 * matter. If profile and board differ in an outcome, the board's readings of the clauses that the run touches
 * explain it.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H

#include "model/core/unit.h"

enum { ENGINE_HARNESS_COUNTERS_MAX = 8192 };

enum engine_harness_result {
    ENGINE_HARNESS_EQUAL,
    ENGINE_HARNESS_DIFFERENT,   /* model and board differ, and readings that the case touches may be why */
    ENGINE_HARNESS_UNEXPLAINED, /* they differ, and no reading that the case touches can be why: a defect of
                                   the model */
};

struct engine_harness;
/* Both profiles as users write them; NULL: manual, and the unit's best-known silicon profile. NULL with an
 * error. */
struct engine_harness *engine_harness_new(const struct unit *u, const char *profile, const char *board,
                                          struct error *e);
void engine_harness_free(struct engine_harness *t);
/* Which counters are set, for measuring what they are worth; at first all. */
enum engine_harness_feedback { FEEDBACK_NONE, FEEDBACK_TOUCHED, FEEDBACK_ALL };
void engine_harness_set_feedback(struct engine_harness *t, enum engine_harness_feedback f);

/* How many counters cases of a unit have, at most ENGINE_HARNESS_COUNTERS_MAX: the first half says what was
 * touched, the second what was separated. */
unsigned engine_harness_counters(const struct unit *u);

/* Runs a case and sets its counters to 1 (others are left). `draw`: any number that follows from the case, a
 * hash. */
enum engine_harness_result engine_harness_run(struct engine_harness *t, const struct test_case *c,
                                              uint64_t draw, volatile uint8_t *counters);

/* What the last case touched under the profile. */
const struct coverage *engine_harness_touched(const struct engine_harness *t);

#endif
