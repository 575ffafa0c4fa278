/* SPDX-License-Identifier: MIT */
/* Functions that the learner's files share: apply changes, check limits, report progress, run cases. */
#include "fuzz/learn/learner.h"

#include "harness/system/clock.h"
#include "oracle/describe/rule_text.h"

#include <stdarg.h>
#include <stdio.h>

bool learn_apply(const struct learn_change *c, struct profile *p)
{
    if (c->is_rule)
        return rules_add(&p->rules, &c->rule);
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
    return l->failed || (l->o->max_effort && learner_effort(l) - l->effort_before >= l->o->max_effort) ||
           (l->o->max_seconds > 0 && clock_seconds() - l->began >= l->o->max_seconds) ||
           (l->o->stopped && l->o->stopped(l->o->context));
}

const char *learner_end_reason(const struct learner *l)
{
    return l->failed                                       ? "the board failed"
           : l->o->stopped && l->o->stopped(l->o->context) ? "it was interrupted"
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
