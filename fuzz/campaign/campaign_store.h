/* SPDX-License-Identifier: MIT */
/*
 * Writes a running campaign's results to its store, and reads them back when a later run continues the
 * campaign: findings as they are opened and moved, cases that touched something new, dropped cases, tallies,
 * coverage over time. Without a store, all functions succeed and do nothing.
 *
 * After the first failure of the store, these functions write nothing more, and every later call reports that
 * failure. The failure counts as the machine's, because the store was writable when the campaign began.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_STORE_H
#define MISPRINT_FUZZ_CAMPAIGN_CAMPAIGN_STORE_H

#include "fuzz/campaign/campaign.h"
#include "oracle/attribution/findings.h"

struct campaign_store {
    struct store *store;
    struct campaign_result *result; /* its tally, coverage and dropped cases are stored */
    struct findings *findings;
    struct run_facts facts;
    int64_t run; /* number of the run in the store */
    /* As in the campaign's options. If a campaign has several jobs, each moves its own cases in the store,
     * and the first job also those of earlier runs. */
    unsigned job, jobs;
    bool resumed; /* campaign_store_resume added the store's findings to `findings` */
    bool failed;
    struct error error;
    struct kept_case *fresh; /* cases that are not in the store yet */
    unsigned fresh_count;
    uint64_t dropped_kept, dropped_stored[CAMPAIGN_REASONS_MAX]; /* by reason, as in the result */
    double began;                                                /* clock_seconds at the start of the run */
    struct progress_point shown;                                 /* the last point that was stored */
};

/* Makes the record of the run, or continues record `run` if `run` is not 0. The run counts as interrupted
 * until campaign_store_end. */
bool campaign_store_begin(struct campaign_store *k, const struct run_facts *facts, int64_t run,
                          struct error *e);
void campaign_store_free(struct campaign_store *k);

/* Returns false if the store failed. `e` gets the store's first failure. */
bool campaign_store_is_well(const struct campaign_store *k, struct error *e);

/* Returns the index of a reason in the result's list. If there are too many reasons, returns the last
 * index. */
unsigned campaign_reason(struct campaign_result *r, const char *why);

/* Stores a finding at once, when it is opened or its rules are withdrawn, and logs it. */
bool campaign_store_opened(struct campaign_store *k, struct finding *f, struct error *e);
/* Moves the cases of one finding into another in the store. Always returns true, so that the findings in
 * memory stay right after a failure; campaign_store_is_well reports the failure. */
bool campaign_store_moved(struct campaign_store *k, const struct finding *from, const struct finding *to,
                          bool last);
/* Moves `cases` cases of a finding into another one, in one transaction. Stores the other one first if it is
 * not in the store. */
bool move_in_store(struct store *s, const struct finding *from, const struct finding *to, uint64_t cases,
                   bool last, struct error *e);
/* Keeps a case that touched new (clause, mode) pairs in memory until the next save stores it. */
void campaign_store_fresh(struct campaign_store *k, const struct test_case *c, const struct outcome *board,
                          const char *label, unsigned pairs);
/* Stores a case that was not compared, and why. `at`: index of the reason in the result. */
bool campaign_store_dropped(struct campaign_store *k, const struct test_case *c, const char *label,
                            const char *why, unsigned at, struct error *e);
/* Stores all that changed since the last call. */
bool campaign_store_save(struct campaign_store *k, double seconds, struct error *e);
/* Stores everything at the end of the run, after the last attribution. */
bool campaign_store_end(struct campaign_store *k, double seconds, struct error *e);

/*
 * Reads back the results of earlier runs of the same comparison. Adds their findings, with no cases of this
 * run, so that their causes are known. Adds their learned rules to the profile. Calls `each` for each kept
 * case with the board's outcome (decoded into `board`), or with NULL if there is none.
 */
typedef void (*campaign_store_case)(void *context, const struct test_case *c, const struct outcome *board,
                                    unsigned pairs);
bool campaign_store_resume(struct campaign_store *k, const struct unit *u, struct profile *profile,
                           struct outcome *board, campaign_store_case each, void *context, struct error *e);

#endif
