/* SPDX-License-Identifier: MIT */
/* Whether the board's outcome of a case speaks for a change or against it. */
#ifndef MISPRINT_FUZZ_LEARN_SEARCH_BEARING_H
#define MISPRINT_FUZZ_LEARN_SEARCH_BEARING_H

#include "oracle/compare/compare.h"

/* Of the words that a change gives other bits: how many have the board's bits only with the change, and how
 * many only without it. */
struct bearing {
    uint32_t words_for, words_against;
};
struct bearing bearing_of(const struct outcome *without, const struct outcome *with,
                          const struct outcome *board);

/* Does the case refute the change? The board ends as the model does without the change, and not as with it.
 * Or the board has in all words that the change alters what the model has without it. Words as a whole are
 * compared, because another cause may give a word a third value with the same bits by chance. */
bool bearing_refutes(const struct outcome *without, const struct outcome *with, const struct outcome *board);

/* Does the change leave a word undefined that the model without it and the board define? `start` has the
 * words before the case: one that keeps its value says nothing. */
bool bearing_loses(const struct outcome *without, const struct outcome *with, const struct outcome *board,
                   const struct outcome *start);

/* `values`: the outcome of a run for values only. Does it have the board's bits wherever the run `defining`
 * defines them, within that run's tolerances? It gets the masks and tolerances of that run. If the two runs
 * do not both end with END_DONE, all bits count. */
bool bearing_values_fit(const struct outcome *defining, struct outcome *values, const struct outcome *board);

#endif
