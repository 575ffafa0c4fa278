/* SPDX-License-Identifier: MIT */
/*
 * The study of one difference: from a reduced case to the change that explains it.
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
    BROKEN_MAX = 64, /* rules that spoil other cases; a guard may mend them */
    EXAMPLES_MAX = 96,
    EXAMPLE_VALUES_MAX = 16,
};

/* A case, the board's outcome, and the model's run under the profile so far. */
struct near_case {
    struct test_case *tc;
    const struct outcome *board; /* `own`, or one that the learner keeps */
    struct outcome *own;
    struct visits *visits;
    struct coverage covered;
    struct differences difference;
    uint64_t distance; /* in bits; 0: the model agrees */
    bool agrees;
};

struct candidate {
    struct learn_change change;
    uint32_t size;      /* of the rule; 0: a reading */
    uint32_t explained; /* near cases that differ without it and agree with it */
    uint32_t spoiled;   /* near cases that agree without it and differ with it */
    /* Experiments that it passed. Of those that differ without it: how many it reproduces, and in how many it
     * acts but does not reproduce them. */
    uint32_t passed, reproduced, missed;
    /* What passed the rule's point where it acted in reproduced cases, as hashes of different ones. */
    uint64_t acted[CANDIDATE_ACTED_MAX];
    uint32_t acts;
    bool alive;
};

/* Which values explain a case at one visit of a point, in one lane. */
struct example {
    const struct visit *at;
    uint8_t lane;
    bool differs;        /* the value that passed is not among them */
    bool narrow;         /* the point has at most eight bits; the set is in `allowed` */
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
    bool suspects, fitted, judged; /* a point, an expression, a change was found that fits the reduced case */
    uint64_t runs_left;            /* of the model, in the search for values */
};

/* ---- near.c ---- */

/* Asks the board about the reduced case and cases near it. */
bool near_explore(struct study *s);
/* Adds a case that the board answered, if there is room. The outcomes change places. */
void near_add(struct study *s, const struct test_case *c, struct outcome **board);
void near_free(struct study *s);

/* ---- where.c ---- */

/* Finds values at the point under which the model does what the board did in the reduced case, and in cases
 * near it; leaves the examples in the study. False: the point explains nothing. */
bool where_examples(struct study *s, unsigned point);
bool example_allows(const struct example *e, uint32_t value);

/* ---- synthesis.c ---- */

/* Expressions over the examples of one point: those that give an allowed value in all, and the best of those
 * that do in some, the smallest first. Returns how many. */
enum { SYNTHESIS_MAX = 48 };
uint32_t synthesis_run(const struct unit *u, const struct example *examples, uint32_t count,
                       struct expression found[SYNTHESIS_MAX]);
/* Calls `each` for small expressions that change a value at a visit of the point in `v`, one of each kind
 * that gives the same values at all visits. Stops when `each` returns false. */
void synthesis_small(const struct visits *v, unsigned point,
                     bool (*each)(void *context, const struct expression *e), void *context);

/* ---- guard.c ---- */

/* A visit's lane, and whether a rule must act there. */
struct guarded_visit {
    const struct visit *at;
    uint8_t lane;
    bool acts;
};
/* Guards that hold at the visits where the rule acts and at no others, the smallest first. Returns how
 * many. */
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
/* Is the run equal to the board's in something that was compared? */
bool judge_agrees(const struct outcome *model, const struct outcome *board);

/* ---- experiments.c ---- */

/* Puts cases to the board on which candidates disagree, until those left cannot be told apart. */
void experiments_run(struct study *s);

#endif
