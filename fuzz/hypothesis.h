/* SPDX-License-Identifier: MIT */
/*
 * Judges a user's own rules, or any other change of a profile: does the model with them do what a board does,
 * where it would not without them?
 */
#ifndef MISPRINT_FUZZ_HYPOTHESIS_H
#define MISPRINT_FUZZ_HYPOTHESIS_H

#include "oracle/board/board.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <signal.h>

enum hypothesis_result {
    HYPOTHESIS_UNTOUCHED, /* with and without it the model does the same in this case */
    HYPOTHESIS_OPEN,      /* they differ only where the board leaves both open */
    HYPOTHESIS_HOLDS,     /* only with it the model does what the board did */
    HYPOTHESIS_REFUTED,   /* with it the model does something else than the board */
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
/* Adds a line that says what the last judgement rests on. */
void hypothesis_print(const struct hypothesis *h, enum hypothesis_result r, struct text *t);

/* Generated cases that the hypothesis touches, and what the board did in them. */
struct hypothesis_trial {
    uint64_t seed, most_cases; /* set by the caller */
    uint64_t cases, touched, agreed, refuted, unanswered;
    struct test_case *refuting;   /* the first case that refutes it; or NULL. Freed by the caller */
    struct text first_difference; /* lines; freed by the caller */
};
/* Asks the board only about cases that the hypothesis touches. `stop`: ends the trial early. False if the
 * board failed. */
bool hypothesis_try(struct hypothesis *h, struct board *b, const volatile sig_atomic_t *stop,
                    struct hypothesis_trial *t, struct error *e);
/* Adds the sentence: how many cases it changed, and in how many of them the board agreed. */
void hypothesis_trial_print(const struct hypothesis_trial *t, struct text *to);

#endif
