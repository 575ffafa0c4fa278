/* SPDX-License-Identifier: MIT */
/*
 * Deviations: what a virtual board does that no reading of any clause says, so
 * that the search for unknown errata can be tried against known ones. The model
 * stays clean: a deviation changes the case before it runs (an operand is
 * misunderstood) or the outcome after it ran (a result is mangled on its way).
 *
 * Both are written over a unit's tables: the fields and bit fields of its
 * schema, the regions of its layout. So a new unit has them all.
 */
#ifndef MISPRINT_ORACLE_COMPARE_INJECTED_FAULT_H
#define MISPRINT_ORACLE_COMPARE_INJECTED_FAULT_H

#include "model/core/unit.h"

enum { INJECTED_FAULTS_MAX = 8, INJECTED_FAULT_NAME_MAX = 48 };

struct injected_fault_kind;

struct injected_fault {
    const struct injected_fault_kind *kind;
    const struct field *field;          /* kinds of operands: the case's field ... */
    char bits[INJECTED_FAULT_NAME_MAX]; /* ... and the bit field in its words; "" is the whole word */
    const struct region *region;        /* kinds of results */
    uint32_t number;                    /* lane, bit, byte, row or amount: the kind says */
};

/* "KIND:PLACE:NUMBER": "operand-add:ops.STRIDE:1", "lane-drop:vpm:3". Errors name what there is. */
bool injected_fault_parse(const struct unit *u, const char *text, struct injected_fault *d, struct error *e);
/* Several, each behind a '~'; "" is none. Sets *count. */
bool injected_faults_parse(const struct unit *u, const char *text,
                           struct injected_fault d[INJECTED_FAULTS_MAX], unsigned *count, struct error *e);

/* Names and meanings of the kinds, in listing order; NULL after the last. */
const char *injected_fault_kind_name(unsigned i, const char **about, bool *of_operands);

/* Changes the case as the board understands it. Does nothing for kinds of results. */
void injected_fault_change_case(const struct injected_fault *d, struct test_case *c);
/* Changes what the board leaves behind, if it ran to its end; `before` is an outcome reset to the case. Does
 * nothing for kinds of operands. */
void injected_fault_change_outcome(const struct injected_fault *d, const struct outcome *before,
                                   struct outcome *o);

#endif
