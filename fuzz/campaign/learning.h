/* SPDX-License-Identifier: MIT */
/*
 * Learns rules from experiments with a campaign's board where no reading explains a difference. Decides which
 * differences are worth a search. After two searches in vain for one difference, there is no third until a
 * search for another difference learned something. After FUTILE_MAX searches in vain, there is no search at
 * all until then.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_LEARNING_H
#define MISPRINT_FUZZ_CAMPAIGN_LEARNING_H

#include "fuzz/learn/learn.h"
#include "oracle/store/finding.h"

enum { LEARNING_TRIED_MAX = 64 };

struct learning {
    struct learn_options options;
    struct learner *learner; /* NULL until the first search */
    struct {
        uint64_t signature;
        unsigned times;
    } tried[LEARNING_TRIED_MAX]; /* in vain */
    unsigned tried_count;
    unsigned futile; /* searches in vain since the last success */
};

/* The result of the search for one difference. */
struct learning_result {
    bool found;                     /* a reading or rules */
    struct explanation explanation; /* a reading: the one candidate */
    struct finding_learned rules;   /* empty: a reading */
    struct test_case *smallest;     /* if found: the reduced case; the caller frees it */
};

void learning_end(struct learning *l);
/* Is a difference with this signature worth a search? */
bool learning_is_worth(const struct learning *l, uint64_t signature);
/* Explains a case that differs under `known`. False if the board failed. */
bool learning_explain(struct learning *l, const struct profile *known, const struct test_case *c,
                      uint64_t signature, struct learning_result *r, struct error *e);

#endif
