/* SPDX-License-Identifier: MIT */
/*
 * Minimizing a corpus of one unit: a few small cases that together show all
 * that the corpus shows (fuzz/generate/features.h). The choice is greedy, then each case
 * that the others make needless is taken out again: so none can be spared, though
 * another choice might be smaller still. It does not depend on the order in which cases come.
 */
#ifndef MISPRINT_FUZZ_MINIMIZE_H
#define MISPRINT_FUZZ_MINIMIZE_H

#include "fuzz/generate/features.h"

struct minimizer;
struct minimizer *minimizer_new(const struct unit *u);
void minimizer_free(struct minimizer *m);

/* Offers a case; `tag` is handed back for those that are kept. False without memory. */
bool minimizer_add(struct minimizer *m, const struct test_case *c, uint32_t tag, struct error *e);

/* What became of the cases; of features, how many of each kind the corpus shows, and so does what is kept. */
struct minimized {
    unsigned cases, twins, kept; /* offered; equal to another; kept */
    unsigned features[FEATURE_KINDS];
};
/* Chooses, and calls `keep` with each case that is kept, small ones first, until one call fails. */
typedef bool minimizer_keep(void *context, const struct test_case *c, uint32_t tag, struct error *e);
bool minimizer_choose(struct minimizer *m, minimizer_keep *keep, void *context, struct minimized *what,
                      struct error *e);

#endif
