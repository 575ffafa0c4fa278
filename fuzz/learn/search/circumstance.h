/* SPDX-License-Identifier: MIT */
/*
 * The circumstance of a difference that no reading and no rule explains: a predicate over one observation
 * point. It holds in a case if, at some visit of the point, in some lane, the guard is not 0. The counts say
 * how well it predicts the difference in new generated cases.
 */
#ifndef MISPRINT_FUZZ_LEARN_SEARCH_CIRCUMSTANCE_H
#define MISPRINT_FUZZ_LEARN_SEARCH_CIRCUMSTANCE_H

#include "model/rule/rule.h"

struct visits;

struct circumstance {
    bool found; /* if not, all other members are unused */
    uint16_t point;
    struct expression guard; /* count 0: the predicate holds in every case that passes the point */
    /* New generated cases on which the predicate was measured: all, those in which it holds, those that
     * differ, and those that differ and in which it holds. */
    uint32_t cases, holds, differing, both;
    uint32_t elsewhere; /* cases that differ and in which only the circumstance of another difference holds */
};

bool circumstance_holds(const struct circumstance *c, const struct visits *v);

/* The share of the cases with the circumstance that differ, and the share of the differing cases that have
 * the circumstance. Both are 0 if nothing was counted. */
double circumstance_precision(const struct circumstance *c);
double circumstance_recall(const struct circumstance *c);
/* The harmonic mean of precision and recall (F1). Cases of other circumstances do not count against it. */
double circumstance_score(const struct circumstance *c);

/* Prints "vc4-vpm block.stride when value >= 0x20", in the language of rules. */
void circumstance_print(const struct unit *u, const struct circumstance *c, struct text *t);

#endif
