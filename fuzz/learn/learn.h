/* SPDX-License-Identifier: MIT */
/*
 * Learns what a board does: which readings it follows, and which rules it obeys where no reading fits.
 *
 * Generated cases run on the board and on the model. A case that differs is reduced. Every reading, and every
 * small expression at every observation point that the reduced case passes, is a candidate if the model then
 * does what the board did, in bits that the model defines. Cases that were kept, and new cases on which the
 * candidates disagree, refute candidates until those that are left cannot be told apart. The smallest one is
 * learned, and the campaign goes on with a model that obeys it.
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
    uint32_t experiments;  /* cases on which a rival, or its absence, gives another outcome; it passed all */
    uint32_t alternatives; /* changes that no experiment told apart from it */
    struct learn_change alternative[LEARN_ALTERNATIVES_MAX];
    struct test_case *smallest; /* that showed it */
};

/* A difference that nothing explains. */
struct learn_aside {
    struct test_case *smallest;
    uint64_t signature, cases;
};

/* Where the search lost the last difference that it did not explain. */
enum learn_lost {
    LEARN_LOST_NOTHING,       /* all was explained */
    LEARN_LOST_NO_POINT,      /* no values at one observation point explain it */
    LEARN_LOST_NO_EXPRESSION, /* no expression gives these values */
    LEARN_LOST_NO_GUARD,      /* expressions do, but not everywhere, and no guard says where */
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

/* False if the board failed; what was learned until then is in the result. */
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
/* A learner that keeps what it asked the board from one difference to the next. `o->base` is not used;
 * `o->max_seconds` is for each difference. `o` must outlive it. */
struct learner *learner_open(const struct learn_options *o);
void learner_close(struct learner *l);
/* Explains one case that differs under a profile. Leaves the change in *out, with the reduced case, which the
 * caller frees. Says in *lost where the search for an unexplained case ended. */
enum learn_answer learner_explain_case(struct learner *l, const struct profile *p, const struct test_case *c,
                                       struct learned *out, enum learn_lost *lost, struct error *e);

/* Applies a change to a profile; false if there is no room for another rule. */
bool learn_apply(const struct learn_change *c, struct profile *p);
/* Prints "vpm-addr-h8=row-div-4", or the rule. */
void learn_print_change(const struct unit *u, const struct learn_change *c, struct text *t);

#endif
