/* SPDX-License-Identifier: MIT */
/* Functions that the learner's files share: apply changes, check limits, report progress, run and keep cases.
 */
#include "fuzz/learn/learner.h"

#include "fuzz/learn/sweep.h"
#include "harness/system/clock.h"
#include "oracle/describe/rule_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool learn_apply(const struct learn_change *c, struct profile *p)
{
    if (c->is_rule)
        return rules_add_first(&p->rules, &c->rule);
    p->reading[c->clause] = c->reading;
    return true;
}

void learn_print_change(const struct unit *u, const struct learn_change *c, struct text *t)
{
    const struct clause *clause = unit_clause(u, c->clause);
    if (c->is_rule)
        rule_print(u, &c->rule, t);
    else
        text_add(t, "%s=%s", clause->id, clause->readings[c->reading].id);
}

void learn_describe_change(const struct unit *u, const struct learn_change *c, struct text *t)
{
    const struct clause *clause = unit_clause(u, c->clause);
    if (c->is_rule) {
        rule_describe(u, &c->rule, t);
        text_add(t, ". ");
        rule_document(u, &c->rule, t);
    } else {
        text_add(t, "%s (%s): %s", clause->title, clause->where, clause->readings[c->reading].says);
    }
}

void learner_say(const struct learner *l, const char *format, ...)
{
    char line[512];
    va_list values;
    if (!l->o->say)
        return;
    va_start(values, format);
    (void)vsnprintf(line, sizeof line, format, values);
    va_end(values);
    l->o->say(l->o->context, line);
}

uint64_t learner_effort(const struct learner *l)
{
    enum { RUN = 4, STEPS = 16 }; /* effort of a run; so many steps in it are one more */
    return l->effort + RUN * l->x->runs + l->x->steps / STEPS;
}

bool learner_spent(const struct learner *l)
{
    const uint64_t effort = learner_effort(l) - l->effort_before;
    return l->failed || (l->o->max_effort && effort >= l->o->max_effort) ||
           (l->search_effort && effort >= l->search_effort) ||
           (l->o->max_seconds > 0 && clock_seconds() - l->began >= l->o->max_seconds) ||
           (l->o->stopped && l->o->stopped(l->o->context));
}

const char *learner_end_reason(const struct learner *l)
{
    return l->o->stopped && l->o->stopped(l->o->context) ? "it was interrupted"
           : l->failed && !l->o->board->stopped          ? "the board failed"
                                                         : "the time ran out";
}

void learner_save(struct learner *l)
{
    l->saved = clock_seconds();
    l->r->seconds = l->earlier_seconds + l->saved - l->began;
    if (l->o->save && !l->failed)
        l->failed = !l->o->save(l->o->context, l->r, l->e);
}

bool learner_ask(struct learner *l, struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, enum answer *answers)
{
    l->failed = l->failed || !board_run(l->o->board, (const struct test_case *const *)cases, count, outcomes,
                                        answers, l->e);
    return !l->failed;
}

void learner_keep_case(struct learner *l, const struct test_case *c, struct outcome **board, bool differs)
{
    enum { HALF = LEARN_KEPT_MAX / 2 };
    struct learn_kept *k = &l->kept[(differs ? HALF : 0) + l->kept_count[differs]++ % HALF];
    struct outcome *old = k->board;
    case_copy(k->tc, c);
    k->board = *board;
    *board = old;
}

bool learner_differs(struct learner *l, const struct test_case *c, const struct outcome *board,
                     struct differences *d)
{
    executor_run(l->x, c, &l->r->profile, RUN_CHECKED, l->model);
    return !outcomes_equal(l->model, board, NULL, d);
}

bool learner_asked_differs(struct learner *l, struct test_case *c)
{
    enum answer answer;
    return learner_ask(l, &c, 1, &l->answer[1], &answer) && answer == ANSWER_OUTCOME &&
           learner_differs(l, c, l->answer[1], NULL);
}

void learner_find_cases(struct learner *l, struct learned *best, const struct profile *with)
{
    const struct learn_change *c = &best->change;
    const struct nearest n = {.executor = l->x,
                              .board = l->o->board,
                              .without = &l->r->profile,
                              .with = with,
                              .also = l->o->base,
                              .rule = c->is_rule ? &c->rule : NULL};
    best->board_outcome = finding_encode_outcome(l->answer[0], &best->board_outcome_size);
    l->failed = l->failed || !nearest_find(&n, l->small, &best->related[RELATED_AGREES], l->e) ||
                (c->is_rule && !sweep_find(&n, l->small, &best->related[RELATED_SWEEP], l->e));
}

void learner_find_cases_again(struct learner *l, struct learned *k, const struct profile *before)
{
    const struct profile now = l->r->profile;
    struct profile with = *before;
    l->r->profile = *before;
    case_copy(l->small, k->smallest);
    if (learn_apply(&k->change, &with) && learner_asked_differs(l, l->small)) {
        struct outcome *old = l->answer[0];
        l->answer[0] = l->answer[1];
        l->answer[1] = old;
        free(k->board_outcome);
        k->board_outcome = NULL;
        for (unsigned i = 0; i < RELATED_ROLES; i++)
            related_case_free(&k->related[i]);
        learner_find_cases(l, k, &with);
    }
    l->r->profile = now;
}

void learned_free(struct learned *k)
{
    free(k->smallest);
    free(k->board_outcome);
    k->smallest = NULL;
    k->board_outcome = NULL;
    for (unsigned i = 0; i < RELATED_ROLES; i++)
        related_case_free(&k->related[i]);
}
