/* SPDX-License-Identifier: MIT */
/*
 * Runs one case in a fuzzing engine's process under the profile. If a virtual board reads a touched clause
 * differently, the case also runs under the board's profile. Some of the other cases do too, to check that
 * the board's readings change nothing there. Some cases also run under one further reading of a clause. The
 * readings that a case touched and distinguished become counters, which the engine uses as coverage. Each
 * counter belongs to one clause, reading and mode:
 *
 * - touched: the clause decided something in this mode while this reading was in force;
 * - separated: this reading gave other bits, or another end, than the reading in force.
 *
 * The case alone decides the further reading, so a case always has the same counters. Over many cases all
 * readings are tried.
 *
 * The harness checks one property: readings that a run does not consult do not matter. So if profile and
 * board give different outcomes, the board's readings of the clauses that the run touches explain the
 * difference.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_HARNESS_H

#include "model/core/unit.h"

enum { ENGINE_HARNESS_COUNTERS_MAX = 8192 };

enum engine_harness_result {
    ENGINE_HARNESS_EQUAL,
    /* Profile and board differ, and readings that the case touches may be the cause. */
    ENGINE_HARNESS_DIFFERENT,
    ENGINE_HARNESS_UNEXPLAINED, /* they differ, and no such reading is the cause: a defect of the model */
};

struct engine_harness;
/* Both profiles as users write them. NULL: manual, and the unit's best-known silicon profile. Returns NULL
 * with an error. */
struct engine_harness *engine_harness_new(const struct unit *u, const char *profile, const char *board,
                                          struct error *e);
void engine_harness_free(struct engine_harness *h);
/* Chooses which counters are set; the default is all. Benchmarks use it to measure the value of each kind. */
enum engine_harness_feedback { FEEDBACK_NONE, FEEDBACK_TOUCHED, FEEDBACK_ALL };
void engine_harness_set_feedback(struct engine_harness *h, enum engine_harness_feedback f);

/* How many counters a unit has, at most ENGINE_HARNESS_COUNTERS_MAX: first those of touched readings, then as
 * many of separated readings. */
unsigned engine_harness_counters(const struct unit *u);

/* Runs a case and sets its counters to 1. Other counters keep their values. `draw`: a hash of the case. */
enum engine_harness_result engine_harness_run(struct engine_harness *h, const struct test_case *c,
                                              uint64_t draw, volatile uint8_t *counters);

/* What the last case touched under the profile. */
const struct coverage *engine_harness_touched(const struct engine_harness *h);

#endif
