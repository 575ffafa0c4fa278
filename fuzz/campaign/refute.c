/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/refute.h"

#include "fuzz/reduce.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    REPEATS = 3,        /* runs in which the board must give the outcome of the refuting case again */
    REDUCE_TRIES = 800, /* limit of candidates in the reduction of the refuting case */
};

struct judging {
    struct refuter *r;
    const struct finding *of;
    struct profile with, without; /* the profile under test, and the same without the rules of `of` */
    struct outcome *model, *answer;
    struct error *e;
    bool failed;
};

/* Sets the two profiles of a finding. `known`: with all known causes, too. */
static void choose_profiles(struct judging *j, const struct finding *of, bool known)
{
    const struct refuter *r = j->r;
    struct error ignored; /* the rules were applied before */
    j->of = of;
    struct profile rest = *r->chosen;
    for (unsigned i = 0; i < findings_count(r->findings); i++) {
        const struct finding *f = findings_at(r->findings, i);
        if (f != of)
            (void)learned_apply(f->unit, &f->learned, &rest, &ignored);
    }
    j->with = j->without = known ? *findings_known(r->findings) : *r->profile;
    j->without.rules = rest.rules;
}

/* Does the case refute the rules? */
static bool refutes(struct judging *j, const struct test_case *c, const struct outcome *board)
{
    struct executor *x = j->r->executor;
    struct differences d;
    return model_match(x, c, &j->with, board, j->model, NULL, &d) == MATCH_DIFFERENT &&
           model_match(x, c, &j->without, board, j->model, NULL, NULL) == MATCH_EQUAL &&
           (d.end_differs || differences_decided(&d, j->model) != DECIDED_NONE);
}

/* Runs a case on the board into j->answer. Does it refute the rules? */
static bool asked_refutes(struct judging *j, const struct test_case *c)
{
    enum answer answer;
    if (j->failed)
        return false;
    j->failed = !board_run_one(j->r->board, c, j->answer, &answer, j->e);
    return !j->failed && answer == ANSWER_OUTCOME && refutes(j, c, j->answer);
}

static bool keeps_refuting(void *context, const struct test_case *candidate)
{
    struct judging *j = context;
    return !j->r->ending(j->r->context) && asked_refutes(j, candidate);
}

/* Reduces the case. Returns true if the board repeats its outcome of the reduced case, which is then in
 * j->answer. */
static bool reduce_refuting(struct judging *j, struct test_case *c)
{
    struct outcome *first = outcome_new(j->r->executor->unit);
    (void)case_reduce(c, keeps_refuting, j, REDUCE_TRIES);
    bool steady = asked_refutes(j, c);
    for (unsigned i = 0; i < REPEATS && steady; i++) {
        struct outcome *old = first;
        first = j->answer;
        j->answer = old;
        steady = asked_refutes(j, c) && outcomes_equal(j->answer, first, NULL, NULL);
    }
    outcome_free(first);
    return steady;
}

/* Finds the finding whose rules the case refutes, under the profile under test or with the known causes. */
static struct finding *find_refuted(struct judging *j, const struct test_case *c, const struct outcome *board)
{
    for (unsigned i = 0; i < findings_count(j->r->findings); i++) {
        struct finding *f = findings_at(j->r->findings, i);
        for (unsigned known = 0; known < 2 && f->learned.rules[0] && !f->learned.withdrawn; known++) {
            choose_profiles(j, f, known);
            if (refutes(j, c, board))
                return f;
        }
    }
    return NULL;
}

bool refuter_judge(struct refuter *r, const struct test_case *c, const struct outcome *board,
                   const char *label, struct finding **of, struct error *e)
{
    struct judging j = {.r = r, .e = e};
    bool good = true;
    *of = NULL;
    if (!r->board || !r->profile->rules.count || r->count == WITHDRAWN_MAX)
        return true;
    j.model = outcome_new(r->executor->unit);
    struct finding *f = find_refuted(&j, c, board);
    if (f) {
        struct test_case *small = memory_new(1, sizeof *small);
        char reduced[128];
        case_copy(small, c);
        label_set_reduced(label, reduced);
        j.answer = outcome_new(r->executor->unit);
        if (reduce_refuting(&j, small) && !j.failed) {
            good = r->withdraw(r->context, f, small, j.answer, reduced, e);
            r->withdrawn[r->count++] = *of = f;
        }
        good = good && !j.failed;
        outcome_free(j.answer);
        free(small);
    }
    outcome_free(j.model);
    return good;
}

bool refuter_knows(const struct refuter *r, const char *rules)
{
    for (unsigned i = 0; i < findings_count(r->findings); i++) {
        const struct finding_learned *l = &findings_at(r->findings, i)->learned;
        if (l->withdrawn && !strcmp(l->rules, rules))
            return true;
    }
    return false;
}
