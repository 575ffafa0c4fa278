/* SPDX-License-Identifier: MIT */
/*
 * Readings of clauses, stated as rules. The model's code implements each reading. Hand-written rules at
 * observation points, added to the base profile, must have the same effect. This shows that rules can state
 * what a machine does, and that the points are at the right places.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_READINGS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_READINGS_H

#include "model/core/unit.h"

struct support_reading {
    const char *reading; /* "vpm-stride-zero=stays" */
    const char *rules;   /* separated by ";", without the unit's name; NULL: rules cannot state the reading */
    const char *why_not; /* the reason, if there are no rules */
};

/*
 * Tries every reading of the unit on `cases` generated cases. A reading that changes a defined bit of the
 * base profile's outcomes must have a row. If the row has rules, these must leave the same ends and the same
 * defined bits in every case. At least `percent` of the readings that change a bit must have rules.
 */
void support_readings_as_rules(const struct unit *u, const char *base, const struct support_reading *rows,
                               unsigned count, unsigned cases, unsigned percent);

#endif
