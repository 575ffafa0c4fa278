/* SPDX-License-Identifier: MIT */
/*
 * The nearest agreeing case: the smallest case of a finding with one number changed, as little as possible,
 * so that model and board agree. The pair of cases shows what the difference depends on.
 *
 * The search prefers a changed case in which the rule's point is still passed, but the rule changes no value.
 * Then the changed number is what decides.
 */
#ifndef MISPRINT_FUZZ_LEARN_NEAREST_H
#define MISPRINT_FUZZ_LEARN_NEAREST_H

#include "model/rule/rule.h"
#include "oracle/board/board.h"
#include "oracle/compare/executor.h"
#include "oracle/store/related.h"

/* A change of a profile that explains a case. */
struct nearest {
    struct executor *executor;
    struct board *board;
    const struct profile *without, *with; /* the profile without and with the change */
    /* Another profile without the change, under which the model must agree with the board, too; or NULL. */
    const struct profile *also;
    const struct rule *rule; /* the change, if it is a rule; NULL: it is a reading */
};

/* Finds the nearest agreeing case of `c`. Puts it into *found, with the board's outcome. Leaves *found alone
 * if there is none. Returns false if the board failed. */
bool nearest_find(const struct nearest *n, const struct test_case *c, struct related_case *found,
                  struct error *e);

#endif
