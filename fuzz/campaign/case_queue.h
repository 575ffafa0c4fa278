/* SPDX-License-Identifier: MIT */
/*
 * Takes cases from a source and passes them to the board in batches. A board that prefetches gets the next
 * batch before the queue waits for the outcomes of the current one.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_CASE_QUEUE_H
#define MISPRINT_FUZZ_CAMPAIGN_CASE_QUEUE_H

#include "fuzz/campaign/campaign.h"

enum { CASE_BATCH_MAX = 256 };

struct slot {
    struct test_case tc;
    struct outcome *board; /* the board's outcome */
    enum answer answer;
    char label[128];
    char reason[BOARD_REASON_MAX]; /* why there is no outcome; "" if the board does not say */
};

struct case_batch {
    struct slot *slot;
    unsigned count;
    bool filled; /* the batch holds cases that were not run yet */
    bool end;    /* the source has no case after this batch */
    bool failed; /* the source or the board failed after this batch, with `error` */
    struct error error;
    const struct test_case *tc[CASE_BATCH_MAX]; /* the slots' cases and outcomes, as arguments of board_run */
    struct outcome *outcome[CASE_BATCH_MAX];
    void *memory; /* holds the outcomes */
};

/* The caller sets the members above `looks_ahead`. The others belong to the queue. `size` 0: 16 for virtual
 * boards, else CASE_BATCH_MAX. */
struct case_queue {
    struct case_source *source;
    struct board *board; /* NULL: the source delivers the outcomes too */
    uint64_t max_cases;  /* 0: no limit */
    unsigned size;       /* cases in a batch, at most CASE_BATCH_MAX */
    bool looks_ahead;    /* the board prefetches */
    uint64_t given;      /* cases taken from the source */
    double began;        /* when the queue was opened (clock_seconds) */
    double slowest;      /* seconds that the board took for a batch, at most */
    struct case_batch batch[2];
    unsigned turn; /* the batch that runs next */
};

bool case_queue_open(struct case_queue *b, const struct unit *u, struct error *e);
void case_queue_close(struct case_queue *b);

/*
 * Runs the next batch. The batch is not full if the source ended or failed. Returns false with an error if
 * the board failed or was stopped (board.h). If it was stopped, the batch has the cases that it answered.
 */
bool case_queue_run(struct case_queue *b, struct case_batch **ran, struct error *e);

/* After a run that the time limit stopped: did the board hang? Its silence must be much longer than it took
 * for a batch, or for all that it answered of the first one. Sets the error if it did. */
bool case_queue_hung(const struct case_queue *b, struct error *e);

#endif
