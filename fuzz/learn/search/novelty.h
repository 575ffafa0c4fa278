/* SPDX-License-Identifier: MIT */
/* The ways in which a change has acted so far. */
#ifndef MISPRINT_FUZZ_LEARN_SEARCH_NOVELTY_H
#define MISPRINT_FUZZ_LEARN_SEARCH_NOVELTY_H

#include "fuzz/learn/learn.h"
#include "fuzz/learn/search/visits.h"

enum { NOVELTY_WORDS = 256, NOVELTY_TIMES = 4 };

struct novelty {
    uint64_t seen[NOVELTY_TIMES][NOVELTY_WORDS]; /* sets of hashes: of ways that were met once, twice, ... */
};

/* Does the change act in the run in a way that was met less than NOVELTY_TIMES times? One case may not show
 * what a way does, because the change acts in several ways there. Counts the run's ways if `mark`. */
bool novelty_note(struct novelty *n, const struct visits *v, const struct learn_change *c, bool mark);

#endif
