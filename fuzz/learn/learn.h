/* SPDX-License-Identifier: MIT */
/*
 * Learns the profile of a board: which readings the board follows, and which rules describe it where no
 * reading fits.
 *
 * The learner runs generated cases on the board and on the model. If a case differs, it reduces the case and
 * lists candidates. A candidate is a change of the profile with which the model gives the board's outcome of
 * the reduced case in the bits that the model defines: another reading, or a rule with a small expression at
 * an observation point that the case passes. Experiments (new cases on which candidates disagree) and earlier
 * cases refute candidates, until no experiment distinguishes the remaining ones. The learner adds the
 * candidate that explains most cases to the profile; of equal candidates, the smallest. Then it compares
 * further cases.
 */
#ifndef MISPRINT_FUZZ_LEARN_LEARN_H
#define MISPRINT_FUZZ_LEARN_LEARN_H

#include "fuzz/learn/search/circumstance.h"
#include "oracle/board/board.h"
#include "oracle/compare/compare.h"
#include "oracle/store/related.h"

enum {
    LEARNED_MAX = 64,
    LEARN_ASIDE_MAX = 32,
    LEARN_ALTERNATIVES_MAX = 3,
    LEARN_STANDING_CASES = 16384, /* a rule stands against one case if none of so many new ones refutes it */
    LEARN_FRESH_USUAL = 100000,   /* misses a difference in 1 of 20,000 cases once in 150 runs */
};

/* One change to a profile. */
struct learn_change {
    bool is_rule;
    uint8_t reading;
    uint16_t clause;
    struct rule rule;
};

struct learned {
    struct learn_change change;
    uint32_t explained;    /* near cases (study.h) that differ without the change and agree with it */
    uint32_t experiments;  /* cases that could have refuted the change; it passed all of them */
    bool stands;           /* a case refuted it, but no new one did (revise.h) */
    uint32_t alternatives; /* changes that no experiment distinguished from this one */
    struct learn_change alternative[LEARN_ALTERNATIVES_MAX];
    struct test_case *smallest; /* the reduced case that showed the change */
    uint8_t *board_outcome;     /* the board's outcome of it, encoded */
    size_t board_outcome_size;
    struct related_case related[RELATED_ROLES]; /* the nearest agreeing case, and the sweep; without labels */
};

/* A difference that nothing explains. Cases in which its circumstance holds count as cases of this difference
 * without a search. But the 16th, the 32nd, the 64th and so on is searched, because it may have another
 * cause. If no circumstance was found, cases with the same signature count. */
struct learn_aside {
    struct test_case *smallest;
    uint64_t signature, cases;
    uint64_t next;   /* the next case with the circumstance is searched when `cases` reaches this number */
    bool unfinished; /* the search did not end, because the run ended before */
    struct circumstance circumstance;
};

/* The step at which the search failed for the last difference that it did not explain. */
enum learn_lost {
    LEARN_LOST_NOTHING,       /* the search explained every difference */
    LEARN_LOST_NO_POINT,      /* no values at any single observation point explain the difference */
    LEARN_LOST_NO_EXPRESSION, /* values at a point explain it, but no expression gives these values */
    LEARN_LOST_NO_GUARD,      /* expressions explain it, but spoil other cases, and no guard prevents this */
    LEARN_LOST_REFUTED,       /* experiments refuted all candidates */
    LEARN_LOST_BUDGET,        /* the budget of time or cases ended */
};

enum learn_end {
    LEARN_AGREES,  /* enough fresh cases in a row agreed */
    LEARN_SPENT,   /* the budget of time or cases ended */
    LEARN_STOPPED, /* a signal or a failure ended the run early */
};

struct learn_result;

struct learn_options {
    const struct unit *unit;
    struct board *board;
    const struct profile *base;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
    /* Limit of the search for one difference in learner_explain_case, in units of about a microsecond
     * (learner_effort), which do not depend on the machine; 0: no limit. */
    uint64_t max_effort;
    uint32_t fresh;                               /* cases in a row that must agree */
    const bool *hidden;                           /* clauses whose readings may not change; NULL: none */
    bool (*stopped)(void *context);               /* or NULL */
    void (*say)(void *context, const char *line); /* progress; or NULL */
    /* Keeps the result so far. Called whenever something is learned, set aside or taken back, every few
     * seconds in between, and at the end. If it returns false with an error, learning ends as if the board
     * had failed. Or NULL. */
    bool (*save)(void *context, const struct learn_result *r, struct error *e);
    void *context;
    /* *r holds what an earlier run with the same unit, board and base profile saved. This run continues it
     * with other random cases. The limits above are for this run, the counts in *r for all runs. */
    bool resumed;
};

struct learn_result {
    struct profile profile; /* the base profile with all learned changes */
    struct learned learned[LEARNED_MAX];
    uint32_t count;
    struct learn_aside aside[LEARN_ASIDE_MAX];
    uint32_t asides;
    enum learn_end end;
    enum learn_lost lost;
    uint64_t cases;      /* generated cases, without experiments */
    uint64_t agreed;     /* the last cases, in a row, that agreed */
    uint32_t taken_back; /* learned changes that a later case refuted, or that another one replaced */
    uint64_t differing, set_aside, flaky, experiments;
    uint64_t refused;              /* how many of `cases` the board gave no outcome for */
    char reason[BOARD_REASON_MAX]; /* why it gave none for the last of these; "": not known */
    double seconds;
    struct tally tally; /* of the generated cases of this run; learn.json does not keep it */
    struct coverage coverage;
};

/* Returns false if the board or `save` failed. The result holds all changes learned before the failure. */
bool learn(const struct learn_options *o, struct learn_result *r, struct error *e);
void learn_free(struct learn_result *r);
void learned_free(struct learned *k); /* frees the cases */

/* --- one difference at a time, for the campaign loop (fuzz/campaign/learning.h) */

enum learn_answer {
    LEARN_EXPLAINED,
    LEARN_UNEXPLAINED,
    LEARN_UNSTEADY, /* the board did not repeat its answer */
    LEARN_FAILED,   /* the board failed */
};
struct learner;
/* Makes a learner that keeps cases with the board's answers from one difference to the next. The
 * nearest agreeing case agrees under `o->base`, too. `o->max_effort` limits the search for each difference.
 * `o` must outlive the learner. */
struct learner *learner_open(const struct learn_options *o);
void learner_close(struct learner *l);
/* Explains one case that differs under a profile. Puts the change and its cases, which the caller
 * frees with learned_free, into *out. If nothing explains the case, *lost says at which step the search
 * failed. */
enum learn_answer learner_explain_case(struct learner *l, const struct profile *p, const struct test_case *c,
                                       struct learned *out, enum learn_lost *lost, struct error *e);

/* Keeps a case that agrees with the board under a profile, with the board's outcome in binary form. A search
 * judges its candidates by this case, too. False if the board failed. */
bool learner_keep(struct learner *l, const struct profile *p, const struct test_case *c,
                  const uint8_t *outcome, size_t size, struct error *e);

/* Applies a change to a profile, a rule before the others there, so that a later rule can take the place of
 * an earlier one; false if there is no room for another rule. */
bool learn_apply(const struct learn_change *c, struct profile *p);
/* Prints "vpm-addr-h8=row-div-4", or the rule. */
void learn_print_change(const struct unit *u, const struct learn_change *c, struct text *t);
/* Prints what the board does, as a sentence in the manual's terms. */
void learn_describe_change(const struct unit *u, const struct learn_change *c, struct text *t);

#endif
