/* SPDX-License-Identifier: MIT */
/*
 * One case as a fuzzing engine runs it, in its own process and without leaving
 * it: under the profile, under that of a virtual board where this reads differently what the case touches
 * (elsewhere one case in some, for it must change nothing), and, one case in some, under one reading more.
 * What it shows of the ledger becomes counters that the engine takes for coverage:
 *
 *   touched    clause x reading x mode: the clause decided something in this mode while this reading was in force
 *   separated  clause x reading x mode: this reading instead of the one in force gave other bits, or another end
 *
 * Which reading more is tried follows from the case alone, so that a case has
 * the same counters each time it runs; over many cases all are tried.
 *
 * And one property is checked: readings that a run did not consult do not
 * matter. If profile and board differ in an outcome, the board's readings of the clauses that the run touches explain it.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H

#include "model/core/unit.h"

enum { TRIAL_COUNTERS_MAX = 8192 };

enum trial_result {
    TRIAL_EQUAL,
    TRIAL_DIFFERENT,   /* model and board differ, and readings that the case touches may be why */
    TRIAL_UNEXPLAINED, /* they differ, and no reading that the case touches can be why: a defect of the model */
};

struct trial;
/* Both profiles as users write them; NULL: manual, and the unit's best-known silicon profile. NULL with an error. */
struct trial *trial_new(const struct unit *u, const char *profile, const char *board, struct error *e);
void trial_free(struct trial *t);
/* Which counters are set, for measuring what they are worth; at first all. */
enum trial_feedback { FEEDBACK_NONE, FEEDBACK_TOUCHED, FEEDBACK_ALL };
void trial_set_feedback(struct trial *t, enum trial_feedback f);

/* How many counters cases of a unit have, at most TRIAL_COUNTERS_MAX: the first half says what was touched, the second what was separated. */
unsigned trial_counters(const struct unit *u);

/* Runs a case and sets its counters to 1 (others are left). `draw`: any number that follows from the case, a hash. */
enum trial_result trial_run(struct trial *t, const struct test_case *c, uint64_t draw, volatile uint8_t *counters);

/* What the last case touched under the profile. */
const struct coverage *trial_touched(const struct trial *t);

#endif
