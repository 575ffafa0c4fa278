/* SPDX-License-Identifier: MIT */
/*
 * Minimizes a corpus of one unit: chooses a few small cases that together have all features of the corpus
 * (fuzz/generate/features.h). The choice is greedy; then each case that the others make needless is left out
 * again. So every kept case is needed, though there may be a smaller choice. The order in which cases come
 * does not matter.
 */
#ifndef MISPRINT_FUZZ_MINIMIZE_H
#define MISPRINT_FUZZ_MINIMIZE_H

#include "fuzz/generate/features.h"

struct minimizer;
struct minimizer *minimizer_new(const struct unit *u);
void minimizer_free(struct minimizer *m);

/* Offers a case; `tag` comes back if it is kept. False without memory. */
bool minimizer_add(struct minimizer *m, const struct test_case *c, uint32_t tag, struct error *e);

/* Counts of cases; and of features of each kind, which are the same for the corpus and for what is kept. */
struct minimized {
    unsigned cases, twins, kept; /* offered; equal to another; kept */
    unsigned features[FEATURE_KINDS];
};
/* Chooses, and calls `keep` for each case that is kept, small ones first, until a call fails. */
typedef bool minimizer_keep(void *context, const struct test_case *c, uint32_t tag, struct error *e);
bool minimizer_choose(struct minimizer *m, minimizer_keep *keep, void *context, struct minimized *what,
                      struct error *e);

#endif
