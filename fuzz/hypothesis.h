/* SPDX-License-Identifier: MIT */
/*
 * Judges a hypothesis: a user's own rules, or any other change of a profile. It looks at cases in which the
 * change matters. Does the model with the change do what the board does there?
 */
#ifndef MISPRINT_FUZZ_HYPOTHESIS_H
#define MISPRINT_FUZZ_HYPOTHESIS_H

#include "oracle/board/board.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <signal.h>

enum hypothesis_result {
    HYPOTHESIS_UNTOUCHED, /* the model does the same with and without the hypothesis in this case */
    HYPOTHESIS_OPEN,      /* it changes the outcome, but the board's outcome fits both */
    HYPOTHESIS_HOLDS,     /* only the model with the hypothesis does what the board did */
    HYPOTHESIS_REFUTED,   /* the model with the hypothesis does not do what the board did */
};
const char *hypothesis_name(enum hypothesis_result r); /* "holds" */

struct hypothesis {
    struct executor *executor;
    struct profile without, with;
    struct outcome *plain, *ruled; /* of the last case */
    /* of the last case that was judged: */
    bool plain_agrees;             /* does the model do what the board did without the hypothesis? */
    struct differences difference; /* between the model with the hypothesis and the board */
};

/* `who`: the board. */
struct hypothesis *hypothesis_new(const struct unit *u, const struct profile *without,
                                  const struct profile *with, const struct board_identity *who);
void hypothesis_free(struct hypothesis *h);

/* Does the hypothesis change a defined bit of this case's outcome? */
bool hypothesis_touches(struct hypothesis *h, const struct test_case *c);
enum hypothesis_result hypothesis_judge(struct hypothesis *h, const struct test_case *c,
                                        const struct outcome *board);
/* Adds a line with the reason of the last judgement. */
void hypothesis_print(const struct hypothesis *h, enum hypothesis_result r, struct text *t);

/* The result of a trial: generated cases that the hypothesis touches run on the board. */
struct hypothesis_trial {
    uint64_t seed, most_cases; /* set by the caller */
    uint64_t cases, touched, agreed, refuted, unanswered;
    uint64_t undefined; /* cases that it does not touch, and in which it leaves defined bits undefined */
    struct test_case *refuting;   /* the first case that refutes it; or NULL. Freed by the caller */
    struct text first_difference; /* lines; freed by the caller */
};
/* Generates cases, and runs those that the hypothesis touches on the board. `stop` ends the trial early.
 * Returns false if the board failed. */
bool hypothesis_try(struct hypothesis *h, struct board *b, const volatile sig_atomic_t *stop,
                    struct hypothesis_trial *t, struct error *e);
/* Adds a sentence: how many cases the hypothesis changed, and in how many of them the board agreed. */
void hypothesis_trial_print(const struct hypothesis_trial *t, struct text *to);

#endif
