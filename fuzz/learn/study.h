/* SPDX-License-Identifier: MIT */
/*
 * The study of one difference: it starts from a reduced case and finds the change that explains the case.
 *
 *   near.c        cases near the reduced one, and what the board does with them
 *   where.c       at which points other values explain a difference, and which values
 *   synthesis.c   expressions that give such values
 *   guard.c       when a rule acts
 *   judge.c       whether a change explains the cases near the reduced one, and spoils none
 *   experiments.c new cases on which the candidates disagree
 *   study.c       the order of all this
 */
#ifndef MISPRINT_FUZZ_LEARN_STUDY_H
#define MISPRINT_FUZZ_LEARN_STUDY_H

#include "fuzz/learn/learner.h"
#include "fuzz/learn/visits.h"

enum {
    NEAR_MAX = 512,      /* cases near the reduced one */
    CANDIDATES_MAX = 96, /* changes that go into experiments */
    CANDIDATE_ACTED_MAX = 4,
    BROKEN_MAX = 64, /* rules that spoil other cases; with a guard they may not */
    EXAMPLES_MAX = 96,
    EXAMPLE_VALUES_MAX = 16,
};

/* A case, the board's outcome, and the model's run under the profile so far. */
struct near_case {
    struct test_case *tc;
    const struct outcome *board; /* the board's outcome: points to `own`, or to one that the learner keeps */
    struct outcome *own;
    struct visits *visits;
    struct coverage covered;
    struct differences difference;
    uint64_t distance; /* number of differing bits; 0: the model agrees */
    bool agrees;
};

struct candidate {
    struct learn_change change;
    uint32_t size;      /* size of the rule; 0: a reading */
    uint32_t explained; /* near cases that differ without the change and agree with it */
    uint32_t spoiled;   /* near cases that agree without the change and differ with it */
    /* Experiments that could have refuted the change and did not. Experiments that differ without the change:
     * how many it reproduces, and in how many it acts but does not reproduce the board. */
    uint32_t passed, reproduced, missed;
    /* Different hashes of the values and inputs on which the rule acted, one for each case (note_acts). */
    uint64_t acted[CANDIDATE_ACTED_MAX];
    uint32_t acts;
    bool alive;
};

/* The values at one visit of a point, in one lane, with which the model reproduces a case: "allowed". */
struct example {
    const struct visit *at;
    uint8_t lane;
    bool differs;        /* the value that passed in the model's own run is not allowed */
    bool narrow;         /* the point has at most eight bits, so `allowed` holds the set */
    uint32_t allowed[8]; /* one bit for each value */
    uint32_t count, value[EXAMPLE_VALUES_MAX];
};

struct study {
    struct learner *l;
    struct near_case near[NEAR_MAX]; /* [0] is the reduced case */
    uint32_t nears, differing;
    uint32_t reserve; /* near cases with memory */
    struct candidate candidate[CANDIDATES_MAX];
    uint32_t candidates;
    struct candidate broken[BROKEN_MAX];
    uint32_t brokens;
    struct example example[EXAMPLES_MAX];
    uint32_t examples;
    bool suspects, fitted, judged; /* found: a point for rules, a change that explains, one without harm */
    uint64_t runs_left;            /* model runs left for the search for values */
};

/* ---- near.c ---- */

/* Runs the reduced case and cases near it on the board. */
bool near_explore(struct study *s);
/* Adds a case that the board answered, if there is room. Swaps *board with an unused outcome. */
void near_add(struct study *s, const struct test_case *c, struct outcome **board);
void near_free(struct study *s);

/* ---- where.c ---- */

/* Finds values at the point with which the model reproduces the board in the reduced case and in cases near
 * it. Puts them into s->example. Returns false if no values at the point reproduce the reduced case. */
bool where_examples(struct study *s, unsigned point);
bool example_allows(const struct example *e, uint32_t value);

/* ---- synthesis.c ---- */

/* Finds expressions that give an allowed value in all examples of one point, and the best of those that give
 * one in some examples, the smallest first. Returns how many. */
enum { SYNTHESIS_MAX = 48 };
uint32_t synthesis_run(const struct unit *u, const struct example *examples, uint32_t count,
                       struct expression found[SYNTHESIS_MAX]);
/* Calls `each` for small expressions that change a value at a visit of the point in `v`. Of expressions that
 * give the same values at all visits, calls it for one only. Stops when `each` returns false. */
void synthesis_small(const struct visits *v, unsigned point,
                     bool (*each)(void *context, const struct expression *e), void *context);

/* ---- guard.c ---- */

/* A visit's lane, and whether a rule must act there. */
struct guarded_visit {
    const struct visit *at;
    uint8_t lane;
    bool acts;
};
/* Finds guards that hold at the visits where the rule must act and at no others, the smallest first. Returns
 * how many. */
enum { GUARDS_MAX = 48 };
uint32_t guard_run(const struct unit *u, const struct guarded_visit *visits, uint32_t count,
                   struct expression found[GUARDS_MAX]);

/* ---- judge.c ---- */

/* Does the model with the change do what the board did, in bits that the model defines? */
bool judge_reproduces(struct study *s, const struct near_case *k, const struct learn_change *c);
bool judge_fits(struct study *s, const struct learn_change *c); /* the reduced case */
/* Can the change make a difference to the run of a near case? */
bool judge_matters(const struct near_case *k, const struct learn_change *c);
/* Judges a change by all near cases. Adds it to the candidates, or to the broken ones. */
void judge_add(struct study *s, const struct learn_change *c);
/* Adds guarded forms of the broken rules. */
void judge_guard(struct study *s);
/* Is the model's outcome equal to the board's? False for END_UNDEFINED, where nothing is compared. */
bool judge_agrees(const struct outcome *model, const struct outcome *board);

/* ---- experiments.c ---- */

/* Runs cases on the board on which candidates disagree, until no further case distinguishes those left. */
void experiments_run(struct study *s);

#endif
