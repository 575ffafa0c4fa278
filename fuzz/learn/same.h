/* SPDX-License-Identifier: MIT */
/* Are two rules the same rule, written in two ways? */
#ifndef MISPRINT_FUZZ_LEARN_SAME_H
#define MISPRINT_FUZZ_LEARN_SAME_H

#include "model/core/unit.h"
#include "model/rule/rule.h"

/* Do two rules of one point give the same for all of many values and inputs? These are random, the numbers in
 * the rules and their neighbours, 0, and the highest number. */
bool rules_are_same(const struct unit *u, const struct rule *a, const struct rule *b);

#endif
