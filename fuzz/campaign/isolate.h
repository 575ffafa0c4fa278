/* SPDX-License-Identifier: MIT */
/*
 * Search, on the model alone, for a case in which one reading change does what all changes known so far do
 * together. Where a finding blames several changes at once, such cases show that each of them is a cause.
 * The search changes cases and makes new ones, towards outcomes that differ in fewer bits from those of all
 * changes.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_ISOLATE_H
#define MISPRINT_FUZZ_CAMPAIGN_ISOLATE_H

#include "oracle/compare/executor.h"

struct isolation {
    struct executor *executor;
    const struct profile *base;  /* the model's */
    const struct profile *known; /* with all changes known so far */
    unsigned clause;             /* of the change that is to act alone */
    uint8_t reading;
    const struct test_case *from; /* a case to begin with */
    unsigned tries;               /* cases, at most */
    uint64_t draw;                /* another number finds another case */
};

/* Finds such a case into `out`; false if there was none. Equal calls find equal cases. */
bool isolate(const struct isolation *s, struct test_case *out);

#endif
