/* SPDX-License-Identifier: MIT */
/* What the files of the learner share. */
#ifndef MISPRINT_FUZZ_LEARN_LEARNER_H
#define MISPRINT_FUZZ_LEARN_LEARNER_H

#include "fuzz/learn/learn.h"
#include "fuzz/learn/visits.h"
#include "model/number/random.h"
#include "oracle/compare/compare.h"

enum {
    LEARN_BATCH = 64,
    LEARN_KEPT_MAX = 192, /* half for cases that agreed when they were kept, half for those that differed */
    LEARN_NEAR_MAX = 128, /* cases near the reduced one */
    LEARN_CANDIDATES_MAX = 768,
    LEARN_BROKEN_MAX = 192,
    LEARN_BROKEN_PER_POINT = 6,
    LEARN_ALIVE_MAX = 96, /* candidates that go into experiments */
};

struct learn_kept {
    struct test_case *tc;
    struct outcome *board;
};

struct learn_candidate {
    struct learn_change change;
    uint32_t size; /* of the rule; 0: a reading */
    bool alive;
    uint32_t spoiled;   /* near cases that agree without it and differ with it */
    uint32_t explained; /* kept cases that differ without it */
    /* Experiments that it passed. Of those that differ without it: how many it reproduces, and in how many it
     * changes the outcome to another one than the board's. */
    uint32_t passed, reproduced, missed;
};

struct learner {
    const struct learn_options *o;
    struct learn_result *r;
    struct executor *x;
    struct random random;
    struct learn_kept kept[LEARN_KEPT_MAX];
    uint32_t kept_count[2]; /* ever kept: agreeing, differing */
    struct outcome *model, *base, *board[LEARN_BATCH];
    struct outcome *answer[2]; /* the board's outcome of the reduced case, and of a candidate for it */
    struct test_case *tc[LEARN_BATCH], *small;
    struct visits visits;
    struct learn_candidate candidate[LEARN_CANDIDATES_MAX];
    uint32_t candidates, alive;
    struct learn_candidate broken[LEARN_BROKEN_MAX]; /* fit the reduced case, but spoil others */
    uint32_t brokens;
    struct learn_kept near[LEARN_NEAR_MAX]; /* the reduced case, changed a little, and the board's outcomes */
    uint32_t nears, near_differing;
    struct differences difference; /* of the reduced case, without any change */
    double began;
    struct error *e;
    bool failed; /* the board failed */
};

bool learner_spent(const struct learner *l);
void learner_say(const struct learner *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs cases on the board; answers[i] says what came. */
bool learner_ask(struct learner *l, struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, enum answer *answers);

/* Finds the candidates for l->small, whose outcome on the board is l->answer[0]; then refutes. Leaves the
 * best one in *best. False: nothing explains it. */
bool learner_explain(struct learner *l, struct learned *best);

/* Drops candidates that kept cases or experiments refute. */
void learner_refute(struct learner *l);
/* Drops those that spoil kept cases. `begin`: the first candidate to look at. */
void learner_sift(struct learner *l, uint32_t begin);

/* Does the model under `p` do what the board did, in bits that it defines? `without`: how the model differs
 * under the profile without the change. */
bool learner_reproduces(struct learner *l, const struct test_case *c, const struct profile *p,
                        const struct outcome *board, const struct differences *without);

#endif
