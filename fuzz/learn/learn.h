/* SPDX-License-Identifier: MIT */
/*
 * Learns what a board does: which readings it follows, and which rules describe it where no reading fits.
 *
 * Generated cases run on the board and on the model. A case that differs is reduced. A candidate is a
 * reading, or a small expression at an observation point that the reduced case passes, with which the model
 * gives the board's outcome in the bits that the model defines. Kept cases, and new cases on which the
 * candidates disagree, refute candidates until no experiment distinguishes the rest. The learner adds the
 * candidate that explains most, or the smallest of several such, to the model's profile. Then it compares
 * further cases.
 */
#ifndef MISPRINT_FUZZ_LEARN_LEARN_H
#define MISPRINT_FUZZ_LEARN_LEARN_H

#include "model/rule/rule.h"
#include "oracle/board/board.h"

enum { LEARNED_MAX = 64, LEARN_ASIDE_MAX = 32, LEARN_ALTERNATIVES_MAX = 3, LEARN_FRESH_USUAL = 20000 };

/* One change to a profile. */
struct learn_change {
    bool is_rule;
    uint8_t reading;
    uint16_t clause;
    struct rule rule;
};

struct learned {
    struct learn_change change;
    uint32_t explained;    /* kept cases that differed without it and agree with it */
    uint32_t experiments;  /* cases that could have refuted the change; it passed all of them */
    uint32_t alternatives; /* changes that no experiment distinguished from this one */
    struct learn_change alternative[LEARN_ALTERNATIVES_MAX];
    struct test_case *smallest; /* the reduced case that showed the change */
};

/* A difference that nothing explains. */
struct learn_aside {
    struct test_case *smallest;
    uint64_t signature, cases;
};

/* Where the search lost the last difference that it did not explain. */
enum learn_lost {
    LEARN_LOST_NOTHING,       /* the search explained every difference */
    LEARN_LOST_NO_POINT,      /* no values at any single observation point explain the difference */
    LEARN_LOST_NO_EXPRESSION, /* values do, but no expression gives them */
    LEARN_LOST_NO_GUARD,      /* expressions fit the case, but spoil others, and no guard prevents that */
    LEARN_LOST_REFUTED,       /* experiments refuted all candidates */
    LEARN_LOST_BUDGET,
};

enum learn_end {
    LEARN_AGREES, /* enough fresh cases in a row agreed */
    LEARN_SPENT,  /* the budget of time or cases ended */
    LEARN_STOPPED,
};

struct learn_options {
    const struct unit *unit;
    struct board *board;
    const struct profile *base;
    uint64_t seed, max_cases;                     /* max_cases 0: no limit */
    double max_seconds;                           /* 0: no limit */
    uint32_t fresh;                               /* cases in a row that must agree */
    const bool *hidden;                           /* indexed by clause: readings may not change; NULL: none */
    bool (*stopped)(void *context);               /* or NULL */
    void (*say)(void *context, const char *line); /* progress; or NULL */
    void *context;
};

struct learn_result {
    struct profile profile; /* base, with what was learned */
    struct learned learned[LEARNED_MAX];
    uint32_t count;
    struct learn_aside aside[LEARN_ASIDE_MAX];
    uint32_t asides;
    enum learn_end end;
    enum learn_lost lost;
    uint64_t cases;      /* generated, without experiments */
    uint64_t agreed;     /* in a row at the end */
    uint32_t taken_back; /* beliefs that a later case refuted */
    uint64_t differing, set_aside, flaky, refused, experiments;
    double seconds;
};

/* Returns false if the board failed. The result holds all changes learned before that. */
bool learn(const struct learn_options *o, struct learn_result *r, struct error *e);
void learn_free(struct learn_result *r);

/* --- one difference at a time, for a campaign that goes on by itself */

enum learn_answer {
    LEARN_EXPLAINED,
    LEARN_UNEXPLAINED,
    LEARN_UNSTEADY, /* the board did not repeat its answer */
    LEARN_FAILED,   /* the board failed */
};
struct learner;
/* Makes a learner that keeps the board's answers from one difference to the next. It does not use `o->base`.
 * `o->max_seconds` limits the search for each difference. `o` must outlive the learner. */
struct learner *learner_open(const struct learn_options *o);
void learner_close(struct learner *l);
/* Explains one case that differs under a profile. Puts the change and the reduced case, which the caller
 * frees, into *out. If nothing explains the case, *lost says at which step the search failed. */
enum learn_answer learner_explain_case(struct learner *l, const struct profile *p, const struct test_case *c,
                                       struct learned *out, enum learn_lost *lost, struct error *e);

/* Applies a change to a profile; false if there is no room for another rule. */
bool learn_apply(const struct learn_change *c, struct profile *p);
/* Prints "vpm-addr-h8=row-div-4", or the rule. */
void learn_print_change(const struct unit *u, const struct learn_change *c, struct text *t);

#endif
