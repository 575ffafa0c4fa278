/* SPDX-License-Identifier: MIT */
/* Finds the nearest agreeing case (fuzz/learn/nearest.h) of a finding whose cause is a reading. */
#ifndef MISPRINT_FUZZ_CAMPAIGN_AGREEING_H
#define MISPRINT_FUZZ_CAMPAIGN_AGREEING_H

#include "oracle/compare/executor.h"
#include "oracle/store/finding.h"

/* If the finding's cause is one change, gives the finding the nearest agreeing case of its smallest case, if
 * there is one. The case agrees under two profiles: `profile`, to which the cause is a change, and `chosen`.
 * Returns false if the board failed. */
bool agreeing_find(struct executor *x, struct board *board, const struct profile *profile,
                   const struct profile *chosen, struct finding *f, struct error *e);

#endif
