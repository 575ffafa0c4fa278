/* SPDX-License-Identifier: MIT */
/*
 * Injected faults: errors of a virtual board that no reading of any clause describes. They test whether the
 * search finds errata that the ledger does not know. The model does not change. A fault changes the case
 * before the run (the board misreads an operand) or the outcome after it (the board writes a wrong result).
 *
 * A fault names a bit field of the unit's schema or a region of its layout. So every kind of fault works with
 * every unit.
 */
#ifndef MISPRINT_ORACLE_COMPARE_INJECTED_FAULT_H
#define MISPRINT_ORACLE_COMPARE_INJECTED_FAULT_H

#include "model/core/unit.h"

enum { INJECTED_FAULTS_MAX = 8, INJECTED_FAULT_NAME_MAX = 48 };

struct injected_fault_kind;

struct injected_fault {
    const struct injected_fault_kind *kind;
    const struct field *field;          /* operand kinds: the case's field */
    char bits[INJECTED_FAULT_NAME_MAX]; /* operand kinds: the bit field in its words; "": the whole word */
    const struct region *region;        /* result kinds: the region */
    uint32_t number;                    /* lane, bit, byte, row or amount; the kind says which */
};

/* Parses KIND:PLACE:NUMBER. For operand kinds PLACE is FIELD or FIELD.BITS of the case, for result kinds a
 * region of the outcome: "operand-add:ops.STRIDE:1", "lane-drop:vpm:3". */
bool injected_fault_parse(const struct unit *u, const char *text, struct injected_fault *fault,
                          struct error *e);
/* Parses several faults, each preceded by '~'; "": none. */
bool injected_faults_parse(const struct unit *u, const char *text,
                           struct injected_fault fault[INJECTED_FAULTS_MAX], unsigned *count,
                           struct error *e);

/* Name and meaning of kind i; NULL after the last. */
const char *injected_fault_kind_name(unsigned i, const char **about, bool *of_operands);

/* Changes the case as the faulty board would misread it. Does nothing for result kinds. */
void injected_fault_change_case(const struct injected_fault *fault, struct test_case *c);
/* Changes the outcome if the case ran to its end. `before` is what outcome_reset makes from the case. Does
 * nothing for operand kinds. */
void injected_fault_change_outcome(const struct injected_fault *fault, const struct outcome *before,
                                   struct outcome *o);

#endif
