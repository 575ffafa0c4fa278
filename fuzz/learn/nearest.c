/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/nearest.h"

#include "fuzz/learn/places.h"
#include "fuzz/learn/search/visits.h"
#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/describe/case_difference.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUNS_MAX = 8000, /* limit of changed cases that the model runs */
    TRIES_MAX = 256, /* changed cases that are kept */
    ENOUGH = 48,     /* the search ends when so many changed cases of the best rank are known */
    ASKED_MAX = 16,  /* changed cases that the board runs */
    REPEATS = 2,     /* runs in which the board must give the same outcome again */
    SMALL_BITS = 6,  /* all values of numbers of so many bits are tried */
    VALUES = 128,    /* limit of values tried for one number */
};

/* Why model and board agree in a changed case; the best reason first. */
enum rank {
    RANK_NOT_CHANGED, /* the rule's point is passed, but the rule changes no value */
    RANK_NOT_PASSED,  /* the point is not passed */
    RANK_NOT_SEEN,    /* the rule changes a value, but no bit of the outcome */
    RANKS
};

/* One changed case. */
struct
try {
    uint32_t place, value, distance; /* distance: between the old and the new number */
    enum rank rank;
    bool ends_otherwise; /* than the smallest case */
    unsigned words;      /* words of the case's text that change */
};

struct search {
    const struct nearest *n;
    const struct test_case *tc;
    struct test_case *changed;
    struct outcome *without, *with;
    struct visits *visits;
    enum end end; /* how the smallest case ends */
    struct place *place;
    uint32_t places, runs, best;
    struct try try[TRIES_MAX];
    uint32_t tries;
};

/* Sets *to to a value at about the n-th smallest distance from `value`. Returns false if that value is not in
 * the place's range. */
static bool nth_value(const struct place *p, uint32_t value, unsigned n, uint32_t *to)
{
    const uint32_t step = p->bits <= SMALL_BITS ? n / 2 + 1 : n / 2 < 32 ? UINT32_C(1) << n / 2 : 0;
    *to = n % 2 ? value + step : value - step;
    return step && *to >= p->least && *to <= p->most && (n % 2 ? *to > value : *to < value);
}

/* Makes the changed case in s->changed. Returns false if the unit's repair of cases would undo the change or
 * change more. */
static bool make(struct search *s, const struct place *p, uint32_t value)
{
    bool good = true;
    case_copy(s->changed, s->tc);
    place_set(s->changed, p, value);
    if (s->tc->unit->mend) {
        struct test_case *before = memory_new(1, sizeof *before);
        case_copy(before, s->changed);
        s->tc->unit->mend(s->changed);
        good = case_equal(before, s->changed);
        free(before);
    }
    return good;
}

/* Does the run in s->visits pass the rule's point? True for a reading: whether its clause is consulted says
 * little, because the model consults many clauses only where they decide. */
static bool passes(const struct search *s)
{
    bool passed = !s->n->rule;
    for (uint32_t i = 0; i < s->visits->count && !passed; i++)
        passed = s->visits->visit[i].point == s->n->rule->point;
    return passed;
}

/* Runs the changed case on the model, without and with the change. Returns false if the change has an effect
 * on its outcome, or if nothing of the outcome is defined. */
static bool judge(struct search *s, struct try *t)
{
    const struct nearest *n = s->n;
    struct tally tally = {0};
    s->runs++;
    visits_run(n->executor, s->changed, n->without, s->without, s->visits);
    bool passed = passes(s);
    t->rank = passed ? RANK_NOT_CHANGED : RANK_NOT_PASSED;
    t->ends_otherwise = s->without->end != s->end;
    if (s->without->end == END_UNDEFINED)
        return false;
    if (n->rule && !visits_changed(s->visits, n->rule))
        return true;
    executor_run(n->executor, s->changed, n->with, RUN_CHECKED, s->with);
    if (n->rule)
        t->rank = RANK_NOT_SEEN;
    return s->with->end != END_UNDEFINED && outcomes_equal(s->without, s->with, &tally, NULL) &&
           !tally.vacuous;
}

static int compare_tries(const void *a, const void *b)
{
    const struct try *x = a, *y = b;
    if (x->ends_otherwise != y->ends_otherwise)
        return x->ends_otherwise - y->ends_otherwise;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->words != y->words)
        return x->words < y->words ? -1 : 1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static unsigned changed_words(const struct search *s)
{
    struct case_difference d;
    case_difference_find(s->tc, s->changed, &d);
    unsigned words = case_difference_words(&d);
    case_difference_free(&d);
    return words;
}

/* Keeps a changed case. In a full list, it replaces the worst one if it is better. */
static void keep(struct search *s, const struct try *t)
{
    struct try *worst = s->try;
    s->best += t->rank == RANK_NOT_CHANGED && !t->ends_otherwise;
    if (s->tries < TRIES_MAX) {
        s->try[s->tries++] = *t;
        return;
    }
    for (uint32_t i = 1; i < s->tries; i++)
        if (compare_tries(&s->try[i], worst) > 0)
            worst = &s->try[i];
    if (compare_tries(t, worst) < 0)
        *worst = *t;
}

/* Lists changed cases in which the model says that the change has no effect, the nearest ones first. */
static void list_tries(struct search *s)
{
    for (unsigned n = 0; n < VALUES && s->best < ENOUGH; n++)
        for (uint32_t i = 0; i < s->places && s->runs < RUNS_MAX; i++) {
            const struct place *p = &s->place[i];
            uint32_t old = place_get(s->tc, p);
            struct try t = {.place = i};
            if (!nth_value(p, old, n, &t.value) || !make(s, p, t.value) || !judge(s, &t))
                continue;
            t.distance = t.value > old ? t.value - old : old - t.value;
            keep(s, &t);
        }
    for (uint32_t i = 0; i < s->tries; i++) {
        (void)make(s, &s->place[s->try[i].place], s->try[i].value);
        s->try[i].words = changed_words(s);
    }
    qsort(s->try, s->tries, sizeof *s->try, compare_tries);
}

/* Does the model without the change agree with what the board did in the case, in bits that are defined? */
static bool agrees(struct search *s, const struct test_case *c, const struct profile *p,
                   const struct outcome *board)
{
    struct tally t = {0};
    executor_run(s->n->executor, c, p, RUN_CHECKED, s->without);
    return s->without->end != END_UNDEFINED && outcomes_equal(s->without, board, &t, NULL) && !t.vacuous;
}

/* Runs the case in s->changed on the board. Sets *good if model and board agree, and the board repeats its
 * outcome. Returns false if the board failed. */
static bool ask(struct search *s, struct outcome *board, bool *good, struct error *e)
{
    const struct nearest *n = s->n;
    struct outcome *again = outcome_new(n->executor->unit);
    enum answer answer;
    bool works = board_run_one(n->board, s->changed, board, &answer, e);
    *good = works && answer == ANSWER_OUTCOME && agrees(s, s->changed, n->without, board) &&
            (!n->also || agrees(s, s->changed, n->also, board));
    for (unsigned i = 0; i < REPEATS && works && *good; i++) {
        works = board_run_one(n->board, s->changed, again, &answer, e);
        *good = works && answer == ANSWER_OUTCOME && outcomes_equal(again, board, NULL, NULL);
    }
    outcome_free(again);
    return works;
}

/* Runs the best changed cases on the board until one agrees, and puts that one into *found. */
static bool ask_in_turn(struct search *s, struct related_case *found, struct error *e)
{
    struct outcome *board = outcome_new(s->tc->unit);
    bool works = true, good = false;
    size_t size;
    for (uint32_t i = 0; i < s->tries && i < ASKED_MAX && works && !good; i++) {
        (void)make(s, &s->place[s->try[i].place], s->try[i].value);
        works = ask(s, board, &good, e);
    }
    if (good) {
        uint8_t *bytes = finding_encode_outcome(board, &size);
        related_case_set(found, s->changed, "", bytes, size);
        free(bytes);
    }
    outcome_free(board);
    return works;
}

bool nearest_find(const struct nearest *n, const struct test_case *c, struct related_case *found,
                  struct error *e)
{
    struct search *s = memory_new(1, sizeof *s);
    s->n = n;
    s->tc = c;
    s->changed = memory_new(1, sizeof *s->changed);
    s->without = outcome_new(c->unit);
    s->with = outcome_new(c->unit);
    s->visits = memory_new(1, sizeof *s->visits);
    s->place = memory_new(PLACES_MAX, sizeof *s->place);
    s->places = places_list(c, s->place);
    visits_run(n->executor, c, n->without, s->without, s->visits);
    s->end = s->without->end;
    list_tries(s);
    bool works = ask_in_turn(s, found, e);
    free(s->changed);
    outcome_free(s->without);
    outcome_free(s->with);
    free(s->visits);
    free(s->place);
    free(s);
    return works;
}
