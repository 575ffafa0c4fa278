/* SPDX-License-Identifier: MIT */
/*
 * Cases on their way from a source to the board, a batch at a time. A board that looks ahead is given the
 * next batch before it runs this one.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_BATCH_H
#define MISPRINT_FUZZ_CAMPAIGN_BATCH_H

#include "fuzz/campaign/campaign.h"

enum { BATCH_MAX = 256 };

struct slot {
    struct test_case tc;
    struct outcome *board; /* what the board did */
    enum answer answer;
    char label[128];
    char reason[BOARD_REASON_MAX]; /* why there is no outcome, if the board says */
};

struct batch {
    struct slot *slot;
    unsigned count;
    bool filled; /* its cases were not run yet */
    bool end;    /* no case comes after these */
    bool failed; /* the source failed after these, with `error` */
    struct error error;
    const struct test_case *tc[BATCH_MAX]; /* of the slots, as boards take them */
    struct outcome *outcome[BATCH_MAX];
    void *memory; /* the outcomes' */
};

/* The caller sets all above `looks_ahead`. */
struct batches {
    struct case_source *source;
    struct board *board; /* NULL: the source brings the outcomes */
    uint64_t max_cases;  /* 0: no limit */
    unsigned size;       /* cases of a batch, at most BATCH_MAX */
    bool looks_ahead;    /* the rest is the batches' own */
    uint64_t given;      /* cases that the source gave */
    struct batch batch[2];
    unsigned turn; /* which of the two is run next */
};

bool batches_open(struct batches *b, const struct unit *u, struct error *e);
void batches_close(struct batches *b);

/*
 * Runs the next batch, which has fewer cases before the end or a failure of the source. False if the board
 * failed.
 */
bool batches_run(struct batches *b, struct batch **ran, struct error *e);

#endif
