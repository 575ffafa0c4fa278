/* SPDX-License-Identifier: MIT */
/* Makes cases near the reduced case, and runs them on the board. */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>

enum {
    EXPLORED = 320,        /* near cases that the search wants */
    EXPLORED_MOST = 1280,  /* limit of cases for that, because a board may refuse many */
    GENERATED = 1536,      /* limit of new cases that the board runs in search of differing ones */
    GENERATED_DIFFER = 48, /* enough of these */
    DECIDING = 32,         /* cases that the search wants in which a reading decides a bit, */
    DECIDING_MADE = 2000,  /* of so many that it makes */
};

/* Returns the next entry of s->near, and allocates its memory if necessary. */
static struct near_case *next_place(struct study *s)
{
    struct near_case *k = &s->near[s->nears];
    if (s->nears == s->reserve) {
        k->tc = memory_new(1, sizeof *k->tc);
        k->own = outcome_new(s->l->o->unit);
        k->visits = memory_new(1, sizeof *k->visits);
        s->reserve++;
    }
    return k;
}

/* Runs the case in the next entry of s->near on the model. Keeps the case if its outcome can be compared. */
static void take(struct study *s)
{
    struct learner *l = s->l;
    struct near_case *k = &s->near[s->nears];
    visits_run(l->x, k->tc, &l->r->profile, l->base, k->visits);
    k->covered = l->x->last;
    k->began_from = k->must = false;
    if (l->base->end == END_UNDEFINED)
        return;
    k->agrees = outcomes_equal(l->base, k->board, NULL, &k->difference);
    k->distance = k->agrees ? 0 : outcomes_distance(l->base, k->board, UINT64_MAX);
    s->differing += !k->agrees;
    s->nears++;
}

void near_add(struct study *s, const struct test_case *c, struct outcome **board)
{
    if (s->nears == NEAR_MAX)
        return;
    struct near_case *k = next_place(s);
    struct outcome *old = k->own;
    case_copy(k->tc, c);
    k->board = k->own = *board;
    *board = old;
    take(s);
}

/* Returns a hash of the circumstances of a run: the values at points of one lane and at most 16 bits, which
 * are fields, counts, enables and addresses. */
static uint64_t circumstances(const struct visits *v)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct visit *at = &v->visit[i];
        const struct point *p = &v->unit->points[at->point];
        if (p->lanes == 1 && p->width <= 16)
            hash = random_mix64(hash ^ at->point) + at->value[0];
    }
    return hash;
}

/* Makes a case. Every fourth is a new one. The others are the reduced one, or a kept one that differed, with
 * one to three changes: mutations, or other values in the same places. */
static void make(struct study *s, struct test_case *c, unsigned turn)
{
    struct learner *l = s->l;
    uint32_t differing = l->kept_count[1] < LEARN_KEPT_MAX / 2 ? l->kept_count[1] : LEARN_KEPT_MAX / 2;
    if (turn % 4 == 3 || l->o->unit->point_count == 0) {
        case_generate(&l->random, l->o->unit, c);
        return;
    }
    bool kept = turn % 4 == 2 && differing;
    case_copy(c, kept ? l->kept[LEARN_KEPT_MAX / 2 + random_below(&l->random, differing)].tc : l->small);
    for (unsigned k = 0; k <= turn % 3; k++)
        (random_one_in(&l->random, 2) ? case_nudge : case_mutate)(&l->random, c);
}

/* Makes cases. Tries a few times to give each case circumstances() that no earlier case had. The first case
 * of the first batch is the reduced case. */
static void make_batch(struct study *s, struct test_case **cases, uint64_t *known, uint32_t asked)
{
    enum { TRIES = 6 };
    struct learner *l = s->l;
    struct visits *v = memory_new(1, sizeof *v);
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        bool fresh = false;
        cases[i] = memory_new(1, sizeof *cases[i]);
        case_copy(cases[i], l->small);
        for (unsigned tries = 0; asked + i && tries < TRIES && !fresh; tries++) {
            make(s, cases[i], i);
            visits_run(l->x, cases[i], &l->r->profile, l->base, v);
            known[asked + i] = circumstances(v);
            fresh = l->base->end != END_UNDEFINED;
            for (uint32_t k = 0; k < asked + i && fresh; k++)
                fresh = known[k] != known[asked + i];
        }
    }
    free(v);
}

/* Adds cases that the learner kept with the board's outcome: the latest ones that agreed, and the latest ones
 * that differed when they were kept. */
static void add_kept(struct study *s)
{
    enum { HALF = LEARN_KEPT_MAX / 2, MOST = 48 };
    struct learner *l = s->l;
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t i = 0; i < l->kept_count[half] && i < MOST && s->nears < NEAR_MAX; i++) {
            const struct learn_kept *kept = &l->kept[half * HALF + (l->kept_count[half] - 1 - i) % HALF];
            struct near_case *k = next_place(s);
            case_copy(k->tc, kept->tc);
            k->board = kept->board;
            take(s);
        }
}

/* Runs up to LEARN_BATCH cases on the board. Adds all of them to the near ones; or, if `only_differing`,
 * those in which the model differs. Frees the cases. Returns false if the board failed. */
static bool run_batch(struct study *s, struct test_case **cases, unsigned count, bool only_differing)
{
    struct learner *l = s->l;
    struct outcome *outcomes[LEARN_BATCH];
    enum answer answers[LEARN_BATCH];
    for (unsigned i = 0; i < count; i++)
        outcomes[i] = outcome_new(l->o->unit);
    bool good = !count || learner_ask(l, cases, count, outcomes, answers);
    for (unsigned i = 0; i < count; i++) {
        bool wanted = good && answers[i] == ANSWER_OUTCOME;
        if (wanted && only_differing) {
            executor_run(l->x, cases[i], &l->r->profile, RUN_CHECKED, l->base);
            wanted = !outcomes_equal(l->base, outcomes[i], NULL, NULL);
        }
        if (wanted)
            near_add(s, cases[i], &outcomes[i]);
        free(cases[i]);
        outcome_free(outcomes[i]);
    }
    return good;
}

/* Adds differing cases that have nothing else in common with the reduced one. Otherwise a rule that holds
 * only near the reduced case would explain as much as the true one. */
static bool add_generated(struct study *s)
{
    struct test_case *cases[LEARN_BATCH];
    const uint32_t enough = s->differing + GENERATED_DIFFER;
    s->new_from = s->nears;
    bool good = true;
    for (uint32_t made = 0; made < GENERATED && s->differing < enough && good; made += LEARN_BATCH) {
        for (unsigned i = 0; i < LEARN_BATCH; i++) {
            cases[i] = memory_new(1, sizeof *cases[i]);
            case_generate(&s->l->random, s->l->o->unit, cases[i]);
        }
        good = run_batch(s, cases, LEARN_BATCH, true);
    }
    return good;
}

/* Do the model with a change and the model without it define a bit differently? */
static bool decides(struct study *s, const struct test_case *c, const struct profile *changed)
{
    struct learner *l = s->l;
    executor_run(l->x, c, &l->r->profile, RUN_CHECKED, l->base);
    if (l->base->end == END_UNDEFINED)
        return false;
    executor_run(l->x, c, changed, RUN_CHECKED, l->model);
    return l->model->end != END_UNDEFINED && !outcomes_equal(l->base, l->model, NULL, NULL);
}

bool near_decide(struct study *s, const struct learn_change *reading)
{
    struct test_case *cases[DECIDING];
    struct learner *l = s->l;
    struct profile changed = l->r->profile;
    unsigned count = 0;
    if (!learn_apply(reading, &changed))
        return true;
    struct test_case *made = memory_new(1, sizeof *made);
    for (uint32_t i = 0; i < DECIDING_MADE && count < DECIDING && !learner_spent(l); i++) {
        make(s, made, i);
        if (!decides(s, made, &changed))
            continue;
        cases[count] = memory_new(1, sizeof *made);
        case_copy(cases[count++], made);
    }
    free(made);
    return run_batch(s, cases, count, false);
}

/* Makes near[0] the reduced case, because make_batch gives it first. */
bool near_explore(struct study *s)
{
    struct test_case *cases[LEARN_BATCH];
    uint64_t known[EXPLORED_MOST] = {0};
    bool good = true;
    for (uint32_t asked = 0; asked < EXPLORED_MOST && s->nears < EXPLORED && good; asked += LEARN_BATCH) {
        make_batch(s, cases, known, asked);
        good = run_batch(s, cases, LEARN_BATCH, false);
    }
    add_kept(s);
    good = good && add_generated(s);
    return good && s->nears && !s->near[0].agrees;
}

void near_free(struct study *s)
{
    for (uint32_t i = 0; i < s->reserve; i++) {
        free(s->near[i].tc);
        outcome_free(s->near[i].own);
        free(s->near[i].visits);
    }
}

/* ---- the case to begin with ---- */

static void swap_with_first(struct study *s, uint32_t i)
{
    const struct near_case first = s->near[0];
    s->near[0] = s->near[i];
    s->near[i] = first;
    judgements_forget(s);
}

bool near_begin_elsewhere(struct study *s)
{
    uint32_t best = 0;
    if (s->began_from)
        swap_with_first(s, s->began_from);
    for (uint32_t i = s->new_from; i < s->nears; i++)
        if (!s->near[i].agrees && !s->near[i].began_from && !s->near[i].must &&
            (!best || s->near[i].visits->count < s->near[best].visits->count))
            best = i;
    s->began_from = best;
    if (!best)
        return false;
    s->near[best].began_from = true;
    swap_with_first(s, best);
    return true;
}

bool near_begin_shorter(struct study *s)
{
    enum { TIMES = 4, LONG = 512 };
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->new_from; i++)
        if (!s->near[i].agrees && !s->near[i].must &&
            s->near[i].visits->passed < s->near[best].visits->passed)
            best = i;
    if (s->near[0].visits->passed < LONG || s->near[0].must ||
        s->near[best].visits->passed > s->near[0].visits->passed / TIMES)
        return false;
    s->began_from = best;
    s->near[best].began_from = true;
    swap_with_first(s, best);
    return true;
}

void near_begin_again(struct study *s)
{
    swap_with_first(s, s->began_from);
    s->began_from = 0;
}
