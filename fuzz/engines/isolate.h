/* SPDX-License-Identifier: MIT */
/*
 * A case of its own for one part of a cause: in it, one reading change does
 * what all changes known so far do together. Where a finding blames several
 * changes at once, such cases show that each of them is one.
 *
 * Looked for on the model alone, by changes of a case and by new ones, towards
 * outcomes that differ in fewer bits from those of all changes; only what the
 * model promises is worth asking a board.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ISOLATE_H
#define MISPRINT_FUZZ_ENGINES_ISOLATE_H

#include "oracle/compare/executor.h"

struct single_search {
    struct executor *executor;
    const struct profile *base;  /* the model's */
    const struct profile *known; /* with all changes known so far */
    unsigned clause;             /* the part: */
    uint8_t reading;
    const struct test_case *from; /* a case to begin with */
    unsigned tries;               /* cases, at the most */
    uint64_t draw;                /* another one, another case */
};

/* Finds such a case into `out`. False: none was found. Equal calls find equal cases. */
bool single_find(const struct single_search *s, struct test_case *out);

#endif
