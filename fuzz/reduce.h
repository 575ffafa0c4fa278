/* SPDX-License-Identifier: MIT */
/*
 * Reduction makes a case as small as possible while a condition of the caller still holds. It first makes the
 * program short, then the state small, then the operands simple. It works by the schema, is deterministic,
 * and runs candidates on the same executor and board as the campaign.
 */
#ifndef MISPRINT_FUZZ_REDUCE_H
#define MISPRINT_FUZZ_REDUCE_H

#include "oracle/attribution/explain.h"
#include "oracle/board/board.h"
#include "oracle/compare/executor.h"

/* The caller's condition: does the candidate still show what the case showed? */
typedef bool (*reduce_keeps)(void *context, const struct test_case *candidate);

/*
 * Reduces in place. Returns how many candidates were tried (at most `budget`; 0: no limit). `keeps` must hold
 * for the case itself.
 */
uint64_t case_reduce(struct test_case *c, reduce_keeps keeps, void *context, uint64_t budget);

/*
 * Keeps a difference between model and board that has the same explanation: the candidate's smallest
 * explaining sets are among the given ones, and the first given set is one of them. If nothing explains the
 * difference, keeps one with the same signature that neither a single change nor `known` explains.
 */
struct reduce_same_cause {
    struct executor *executor;
    struct board *board;
    const struct profile *profile;
    const struct explanation *explanation;
    const struct profile *known; /* an unexplained case must differ from this profile, too; NULL: none */
    uint64_t signature;
    bool failed;                 /* output: the board failed, and no candidate is accepted any more */
    struct error error;          /* output: why the board failed */
    struct explainer *explainer; /* from here on: reduce_begin's */
    struct outcome *model, *answer;
};
void reduce_begin(struct reduce_same_cause *r); /* the caller sets all above `failed` */
void reduce_end(struct reduce_same_cause *r);
bool reduce_keeps_cause(void *context /* struct reduce_same_cause */, const struct test_case *candidate);

#endif
