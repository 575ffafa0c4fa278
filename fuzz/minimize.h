/* SPDX-License-Identifier: MIT */
/*
 * Minimizes a corpus of one unit: chooses a few small cases that together have all features of the corpus
 * (fuzz/generate/features.h). The choice is greedy. Then each case whose features the other chosen cases all
 * have is removed. So every kept case is needed, though a smaller choice may exist. The order in which cases
 * are offered has no effect.
 */
#ifndef MISPRINT_FUZZ_MINIMIZE_H
#define MISPRINT_FUZZ_MINIMIZE_H

#include "fuzz/generate/features.h"

struct minimizer;
struct minimizer *minimizer_new(const struct unit *u);
void minimizer_free(struct minimizer *m);

/* Offers a case. `tag` is returned if the case is kept. Returns false without memory. */
bool minimizer_add(struct minimizer *m, const struct test_case *c, uint32_t tag, struct error *e);

/* Counts of cases, and counts of features of each kind. The features are the same for the corpus and for the
 * kept cases. */
struct minimized {
    unsigned cases, twins, kept; /* cases offered; equal to another case; kept */
    unsigned features[FEATURE_KINDS];
};
/* Chooses cases, and calls `keep` for each case that is kept, small ones first, until a call fails. */
typedef bool minimizer_keep(void *context, const struct test_case *c, uint32_t tag, struct error *e);
bool minimizer_choose(struct minimizer *m, minimizer_keep *keep, void *context, struct minimized *what,
                      struct error *e);

#endif
