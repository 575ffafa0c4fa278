/* SPDX-License-Identifier: MIT */
/*
 * Searches, on the model alone, for a case in which one change of a reading has the same effect as all known
 * changes together. If a finding blames several changes at once, a board's answers to such cases show whether
 * each of the changes is a cause. The search mutates cases and makes new ones. It prefers cases in which the
 * outcome under the one change differs in fewer bits from the outcome under all changes.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_ISOLATE_H
#define MISPRINT_FUZZ_CAMPAIGN_ISOLATE_H

#include "oracle/attribution/findings.h"
#include "oracle/compare/executor.h"

struct isolation {
    struct executor *executor;
    const struct profile *base;  /* the profile under test, without any change */
    const struct profile *known; /* the profile with all known changes */
    unsigned clause;             /* the clause of the change that is to act alone */
    uint8_t reading;
    const struct test_case *from; /* a case to begin with */
    unsigned tries;               /* limit of cases */
    uint64_t draw;                /* seed of the search: another number may find another case */
};

/* Writes a case in which the change acts alone to `out`. Returns false if the search found none. Equal calls
 * find equal cases. */
bool isolate(const struct isolation *s, struct test_case *out);

/* Is there a finding whose only candidate is this change alone? */
bool isolate_is_done(struct findings *fs, unsigned clause, uint8_t reading);

#endif
