/* SPDX-License-Identifier: MIT */
/*
 * Readings of clauses as rules. The model obeys a reading in its own code; hand-written rules at observation
 * points must make the same of the manual's behaviour. So each row shows that a rule can state what a machine
 * does, and that the point is where it happens.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_READINGS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_READINGS_H

#include "model/core/unit.h"

struct support_reading {
    const char *reading; /* "vpm-stride-zero=stays" */
    const char *rules;   /* without the unit's name, separated by ";". NULL: rules cannot state it */
    const char *why_not; /* the reason, if there are no rules */
};

/*
 * Tries every reading of the unit that differs from the base profile in a defined bit of one of `cases`
 * generated cases. Each must have a row, and its rules must leave the same ends and the same defined bits in
 * every case. At least `percent` of these readings must have rules.
 */
void support_readings_as_rules(const struct unit *u, const char *base, const struct support_reading *rows,
                               unsigned count, unsigned cases, unsigned percent);

#endif
