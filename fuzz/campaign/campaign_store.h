/* SPDX-License-Identifier: MIT */
/*
 * What a running campaign keeps in its store, and what it reads back when it continues: findings as they are
 * opened and moved, cases that touched something new, dropped cases, tallies, coverage over time. Without a
 * store, all functions succeed and do nothing.
 *
 * After the first failure of the store nothing is written, and every later call reports that failure. The
 * failure counts as the machine's, because the store was writable when the campaign began.
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
    bool resumed; /* the store's findings were added to `findings` */
    bool failed;
    struct error error;
    struct kept_case *fresh; /* cases that are not in the store yet */
    unsigned fresh_count;
    uint64_t dropped_kept, dropped_stored[CAMPAIGN_REASONS_MAX]; /* by reason, as in the result */
    double began;                                                /* clock_seconds */
    struct progress_point shown;                                 /* the last point that was stored */
};

/* Makes the record of the run, or continues record `run` if that is not 0. The run counts as interrupted
 * until campaign_store_end. */
bool campaign_store_begin(struct campaign_store *k, const struct run_facts *facts, int64_t run,
                          struct error *e);
void campaign_store_free(struct campaign_store *k);

/* Returns false if the store failed. `e` gets the store's first failure. */
bool campaign_store_is_well(const struct campaign_store *k, struct error *e);

/* Stores a finding at once. */
bool campaign_store_opened(struct campaign_store *k, struct finding *f, struct error *e);
/* Always returns true: campaign_store_is_well reports a failure, and the findings in memory stay right. */
bool campaign_store_moved(struct campaign_store *k, const struct finding *from, const struct finding *to,
                          bool last);
/* Moves `cases` of a finding into another one, which is stored first if it is not stored yet, in one
 * transaction. */
bool move_in_store(struct store *s, const struct finding *from, const struct finding *to, uint64_t cases,
                   bool last, struct error *e);
/* Remembers a case that touched new (clause, mode) pairs for the next save. */
void campaign_store_fresh(struct campaign_store *k, const struct test_case *c, const struct outcome *board,
                          const char *label, unsigned pairs);
/* Stores a case that was not compared, and why. `at`: index of the reason in the result. */
bool campaign_store_dropped(struct campaign_store *k, const struct test_case *c, const char *label,
                            const char *why, unsigned at, struct error *e);
/* Stores all that changed since the last call. */
bool campaign_store_save(struct campaign_store *k, double seconds, struct error *e);
/* Stores everything, after the last attribution. */
bool campaign_store_end(struct campaign_store *k, double seconds, struct error *e);

/*
 * Reads back what earlier runs of the same comparison left. Their findings are added with no cases of this
 * run, so that their causes are known; rules that they learned are added to the profile. Each kept case is
 * given to `each`, with the board's outcome (decoded into `board`) or NULL.
 */
typedef void (*campaign_store_case)(void *context, const struct test_case *c, const struct outcome *board,
                                    unsigned pairs);
bool campaign_store_resume(struct campaign_store *k, const struct unit *u, struct profile *profile,
                           struct outcome *board, campaign_store_case each, void *context, struct error *e);

#endif
