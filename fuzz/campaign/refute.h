/* SPDX-License-Identifier: MIT */
/*
 * Finds learned rules that a case refutes. The model with the rules differs from the board in the case. The
 * model without the rules of one finding, but with the rules of all others, agrees with the board, and
 * defines bits in which it differed.
 */
#ifndef MISPRINT_FUZZ_CAMPAIGN_REFUTE_H
#define MISPRINT_FUZZ_CAMPAIGN_REFUTE_H

#include "oracle/attribution/findings.h"

/* A campaign withdraws at most so many rules, because rules and cases of several unknown causes could refute
 * each other without an end. */
enum { WITHDRAWN_MAX = 16 };

struct refuter {
    struct executor *executor;
    struct board *board;
    struct findings *findings;
    const struct profile *chosen;  /* the profile that the user chose, without learned rules */
    const struct profile *profile; /* the profile under test, with the rules that are believed */
    bool (*ending)(void *context); /* must the campaign end now? */
    /* Withdraws the rules of `f`, which case `c` refutes (findings_withdraw). */
    bool (*withdraw)(void *context, struct finding *f, const struct test_case *c, const struct outcome *board,
                     const char *label, struct error *e);
    void *context;
    struct finding *withdrawn[WITHDRAWN_MAX]; /* the findings whose rules were withdrawn, in order */
    unsigned count;
};

/*
 * Withdraws the rules of the first finding that a case refutes, and sets *of to it; NULL: the case refutes no
 * rules. First reduces a copy of the case while it refutes the rules. The board must give the same outcome of
 * the reduced case each time. Returns false if the board or `withdraw` failed.
 */
bool refuter_judge(struct refuter *r, const struct test_case *c, const struct outcome *board,
                   const char *label, struct finding **of, struct error *e);

/* Were these rules withdrawn in this campaign, or in an earlier run of it? */
bool refuter_knows(const struct refuter *r, const char *rules);

#endif
