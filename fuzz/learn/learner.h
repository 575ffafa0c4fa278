/* SPDX-License-Identifier: MIT */
/* The learner's state, and functions that the files of the learner share. */
#ifndef MISPRINT_FUZZ_LEARN_LEARNER_H
#define MISPRINT_FUZZ_LEARN_LEARNER_H

#include "fuzz/learn/learn.h"
#include "fuzz/learn/search/visits.h"
#include "model/number/random.h"
#include "oracle/compare/compare.h"

enum {
    LEARN_BATCH = 64,
    LEARN_KINDS_MAX = 256,
    LEARN_KEPT_MAX = 192, /* half for cases that agreed when they were kept, half for those that differed */
};

struct learn_kept {
    struct test_case *tc;
    struct outcome *board;
};

struct learner {
    const struct learn_options *o;
    struct learn_result *r;
    struct executor *x;
    struct random random;
    struct learn_kept kept[LEARN_KEPT_MAX];
    uint32_t kept_count[2]; /* number of cases ever kept: agreeing ones, differing ones */
    struct outcome *model, *base, *board[LEARN_BATCH];
    struct outcome *values;    /* of a run for values only */
    struct outcome *defining;  /* of the run that says which bits of `values` count */
    struct outcome *start;     /* the words before the experiment at hand */
    struct outcome *answer[2]; /* the board's outcomes of the reduced case, and of the last case asked */
    struct test_case *tc[LEARN_BATCH], *small;
    struct visits *visits;
    uint64_t kind[LEARN_KINDS_MAX]; /* signatures of the differences that were studied */
    uint32_t kinds;
    bool wants_circumstance;          /* if not, the search for circumstances is left out */
    struct circumstance circumstance; /* of the last difference that the search did not explain */
    struct differences difference;    /* differences of the reduced case under the profile so far */
    uint64_t effort;                  /* of all searches so far, without the model's runs */
    uint64_t effort_before;           /* the effort when the search for the difference at hand began */
    uint64_t search_effort;           /* limit of that search's effort; 0: none */
    uint32_t put_off;                 /* searches in a row that this limit ended */
    double began, saved;              /* when this run began, and when the result was last saved */
    double earlier_seconds;           /* of earlier runs, as earlier_cases */
    uint64_t earlier_cases;
    struct error *e;
    bool generated;             /* generated cases were kept */
    const struct profile *with; /* a reduction keeps that the model under this profile agrees; or NULL */
    bool refuting;              /* a reduction keeps that the case refutes a learned change */
    bool excusing;              /* a reduction keeps that one learned rule excuses the case, */
    uint32_t excuser;           /* this one, as revise_excuser numbers it */
    uint32_t beliefs;           /* changes that this run learned or repaired */
    uint32_t vain_repairs;      /* repairs of learned rules that found nothing better */
    uint32_t vain_instead;      /* searches for one change in place of others that found none */
    uint32_t vain_joins;        /* searches for one change in place of two that found none */
    uint32_t replaced;          /* searches for a change in place of a refuted rule */
    uint32_t excuses;           /* searches for a change in place of a rule that excuses cases */
    bool elsewhere;             /* the last search has put another case into `small`, which is not reduced */
    bool failed;                /* the board failed, or the result could not be saved */
};

/* The effort of all searches so far: a count of work, the same on every machine. One unit takes about a
 * microsecond. */
uint64_t learner_effort(const struct learner *l);
/* Must the search end: no time or effort left, a signal, a failure? While search_effort is 0, this means the
 * end of the run. */
bool learner_spent(const struct learner *l);
/* Why must it end: "the time ran out", ... */
const char *learner_end_reason(const struct learner *l);
/* Saves the result so far, if the options say how. */
void learner_save(struct learner *l);
void learner_say(const struct learner *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs cases on the board. answers[i] says how the board answered cases[i]. */
bool learner_ask(struct learner *l, struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, enum answer *answers);

/* Learned changes that another one is to replace. The profile so far has none of them. The new change must
 * explain the smallest case of each, too. */
struct instead_of {
    const struct learned *change[LEARNED_MAX];
    uint32_t count;
};

/* Finds candidates that explain the case l->small, whose outcome on the board is l->answer[0]. `those`: the
 * learned changes that the new one is to replace, or NULL. Tries to refute them by experiments. Puts the best
 * remaining one into *best. It may be one that explains another differing case; then sets l->elsewhere, and
 * puts that case into l->small. If no candidate remains, returns false, and puts the circumstance of the
 * difference into l->circumstance. */
bool learner_explain(struct learner *l, const struct instead_of *those, struct learned *best);

/* Learned rules in whose place one other rule is sought. */
enum { REVISION_HINTS = 12 };
struct revision {
    struct learn_change hint[REVISION_HINTS]; /* rules with the expressions that the new one may have */
    uint32_t hints;
    struct instead_of instead_of;
};
/* Finds a rule with one of these expressions that explains the case l->small, whose outcome on the board is
 * l->answer[0]. The profile so far has none of the rules. Tries to refute it by experiments. Returns false if
 * there is none. */
bool learner_revise(struct learner *l, const struct revision *v, struct learned *best);

/* Keeps a case in place of the oldest kept one of its half. Swaps *board with the outcome of the old case. */
void learner_keep_case(struct learner *l, const struct test_case *c, struct outcome **board, bool differs);
/* Does the model under the profile so far differ from the board in a defined bit of this case? */
bool learner_differs(struct learner *l, const struct test_case *c, const struct outcome *board,
                     struct differences *d);
/* Runs a case on the board into l->answer[1]. Does the model differ from this outcome? */
bool learner_asked_differs(struct learner *l, struct test_case *c);
/* Keeps the board's outcome of the reduced case, finds the nearest agreeing case, and sweeps the value at a
 * rule's point. `with`: the profile with the change. */
void learner_find_cases(struct learner *l, struct learned *k, const struct profile *with);
/* Runs the smallest case of a learned change on the board again, and finds its further cases anew. `before`:
 * the profile with all that was learned before. */
void learner_find_cases_again(struct learner *l, struct learned *k, const struct profile *before);

/* Measures a circumstance on new cases under the profile so far. Returns false, and forgets the circumstance,
 * if it is no longer one. */
bool circumstance_measure(struct learner *l, struct circumstance *c);

#endif
