/* SPDX-License-Identifier: MIT */
/*
 * What a running campaign keeps in its store, and what it takes back from it
 * when it goes on: findings as they are opened and moved, the cases that touched
 * something new, dropped cases, tallies, coverage over time. Without a store
 * everything here succeeds and does nothing.
 *
 * The first failure of the store ends all writing; it is the machine's, because
 * the store could be written when the campaign began, and every later call says it again.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_STORE_H
#define MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_STORE_H

#include "fuzz/campaign/campaign.h"
#include "oracle/attribution/findings.h"

struct campaign_store {
    struct store *store;
    struct campaign_result *result; /* whose tally, coverage, dropped cases are kept */
    struct findings *findings;
    struct run_facts facts;
    int64_t run;        /* in the store */
    unsigned job, jobs; /* as in the options: of several, each moves its own cases in the store, and the first
                           those of earlier runs */
    bool resumed;       /* what the store had of its findings is in the book */
    bool failed;
    struct error error;
    struct kept_case *fresh; /* not yet in the store */
    unsigned fresh_count;
    uint64_t dropped_kept, dropped_stored[CAMPAIGN_REASONS_MAX]; /* of the result's reasons */
    double began;                                                /* clock_seconds */
    struct progress_point shown;                                 /* the last one stored */
};

/* Starts the run's record, or takes up `run`, if that is one. The run counts as interrupted until
 * campaign_store_end says otherwise. */
bool campaign_store_begin(struct campaign_store *k, const struct run_facts *facts, int64_t run,
                          struct error *e);
void campaign_store_free(struct campaign_store *k);

/* Is all well so far? Else false, and `e` says what the store's first failure was. */
bool campaign_store_is_well(const struct campaign_store *k, struct error *e);

bool campaign_store_opened(struct campaign_store *k, struct finding *f,
                           struct error *e); /* at once: from here on it is reported */
bool campaign_store_moved(struct campaign_store *k, const struct finding *from, const struct finding *to,
                          bool last);
/* A case that touched `pairs` (clause, mode) pairs for the first time; with the board's outcome. Stored with
 * the next save. */
void campaign_store_fresh(struct campaign_store *k, const struct test_case *c, const struct outcome *board,
                          const char *label, unsigned pairs);
/* A case that was not compared, and why; `kind`: the index of the like among the result's reasons. */
bool campaign_store_dropped(struct campaign_store *k, const struct test_case *c, const char *label,
                            const char *why, unsigned kind, struct error *e);
/* All that changed since the last time. */
bool campaign_store_save(struct campaign_store *k, double seconds, struct error *e);
/* Everything, after the book was settled. */
bool campaign_store_end(struct campaign_store *k, double seconds, struct error *e);

/*
 * What earlier runs of the same comparison left. Findings go into the book with no cases of their own, so
 * that their causes are known; each kept case is handed to `each`, its board outcome decoded into `board` if
 * there is one.
 */
typedef void (*campaign_store_case)(void *context, const struct test_case *c,
                                    const struct outcome *board /* or NULL */, unsigned pairs);
bool campaign_store_resume(struct campaign_store *k, const struct unit *u, struct outcome *board,
                           campaign_store_case each, void *context, struct error *e);

#endif
