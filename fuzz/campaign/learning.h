/* SPDX-License-Identifier: MIT */
/*
 * Learns rules by experiments with a campaign's board where no reading explains a difference, and decides
 * which differences are worth a search. After two searches for one difference that found nothing, it is not
 * searched again until a search for another difference finds something. After FUTILE_MAX searches in a row
 * that found nothing, no difference is worth a search.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_LEARNING_H
#define MISPRINT_FUZZ_CAMPAIGN_LEARNING_H

#include "fuzz/learn/learn.h"
#include "oracle/attribution/findings.h"

enum { LEARNING_TRIED_MAX = 64 };

struct learning {
    struct learn_options options;
    struct learner *learner; /* NULL until the first search */
    struct {
        uint64_t signature;
        unsigned times;
    } tried[LEARNING_TRIED_MAX]; /* differences for which searches found nothing, and how many searches */
    unsigned tried_count;
    double until;                  /* when searches end (clock_seconds); 0: no limit */
    unsigned searching, to_search; /* for the display: campaign_view */
    unsigned futile;               /* searches that found nothing since the last one that found something */
};

/* The result of the search for one difference. */
struct learning_result {
    bool found;                     /* the search found a reading or rules */
    struct explanation explanation; /* its one candidate is the reading, if the search found one */
    struct finding_learned rules;   /* the rules; empty if the search found a reading */
    struct test_case *smallest;     /* if found: the reduced case */
    struct related_case related[RELATED_ROLES]; /* further cases of the finding */
};
void learning_result_free(struct learning_result *r); /* frees the cases */

void learning_end(struct learning *l);
/* Must the searches end now? */
bool learning_is_over(const struct learning *l);
/* Limits the effort of the search for one difference: to a few seconds, or to half a minute. */
void learning_allow(struct learning *l, bool thorough);
/* Counts the unexplained findings before a round of searches. */
void learning_count(struct learning *l, struct findings *fs);
/* Returns the unexplained finding that comes after `last`: those with the most cases first, because a common
 * cause disturbs the search for a rare one. NULL: none. */
const struct finding *learning_next(struct findings *fs, const struct finding *last);
/* After a round that was over too early: says of the findings from `searching` on that their search did not
 * end.
 */
void learning_note_unsearched(struct learning *l, struct findings *fs);
/* Is a difference with this signature worth a search? */
bool learning_is_worth(const struct learning *l, uint64_t signature);
/* Keeps a case that refuted rules for the next searches, with the board's outcome. It agrees with the board
 * under profile `known`. False if the board failed. */
bool learning_keep(struct learning *l, const struct profile *known, const struct related_case *c,
                   struct error *e);
/* Explains a case that differs under `known`. False if the board failed. */
bool learning_explain(struct learning *l, const struct profile *known, const struct test_case *c,
                      uint64_t signature, struct learning_result *r, struct error *e);

#endif
