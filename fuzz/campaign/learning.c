/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/learning.h"

#include "fuzz/learn/learn_findings.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIMES_MAX = 2, /* limit of searches for one signature that found nothing */
    FUTILE_MAX = 12,
    SHORT = 6000000, /* effort (learn.h) of a search beside the campaign */
    LONG = 32000000, /* ... and after its last case */
};

void learning_end(struct learning *l)
{
    learner_close(l->learner);
    l->learner = NULL;
}

bool learning_is_over(const struct learning *l)
{
    return l->options.stopped && l->options.stopped(l->options.context);
}

void learning_allow(struct learning *l, bool thorough)
{
    if (thorough && l->options.max_effort != LONG)
        l->tried_count = l->futile = 0; /* longer searches may find what the short ones missed */
    l->options.max_effort = thorough ? LONG : SHORT;
}

void learning_count(struct learning *l, struct findings *fs)
{
    l->searching = l->to_search = 0;
    for (unsigned i = 0; i < findings_count(fs); i++)
        l->to_search += findings_at(fs, i)->verdict == VERDICT_UNEXPLAINED;
}

const struct finding *learning_next(struct findings *fs, const struct finding *last)
{
    const struct finding *next = NULL;
    bool passed = !last;
    for (unsigned i = 0; i < findings_count(fs); i++) {
        const struct finding *f = findings_at(fs, i);
        const bool after = !last || f->cases < last->cases || (f->cases == last->cases && passed);
        passed |= f == last;
        if (f->verdict == VERDICT_UNEXPLAINED && after && f != last && (!next || f->cases > next->cases))
            next = f;
    }
    return next;
}

void learning_note_unsearched(struct learning *l, struct findings *fs)
{
    for (unsigned i = 0, n = 0; i < findings_count(fs); i++) {
        struct finding *f = findings_at(fs, i);
        n += f->verdict == VERDICT_UNEXPLAINED;
        f->unsearched |= f->verdict == VERDICT_UNEXPLAINED && n >= l->searching;
    }
    l->searching = l->to_search = 0;
}

bool learning_is_worth(const struct learning *l, uint64_t signature)
{
    if (l->futile >= FUTILE_MAX)
        return false;
    for (unsigned i = 0; i < l->tried_count; i++)
        if (l->tried[i].signature == signature)
            return l->tried[i].times < TIMES_MAX;
    return l->tried_count < LEARNING_TRIED_MAX;
}

static void note_in_vain(struct learning *l, uint64_t signature)
{
    unsigned at = 0;
    l->futile++;
    while (at < l->tried_count && l->tried[at].signature != signature)
        at++;
    if (at == LEARNING_TRIED_MAX)
        return;
    l->tried_count += at == l->tried_count;
    l->tried[at].signature = signature;
    l->tried[at].times++;
}

/* Stores a learned change in the result. Returns false if the rule is too long for a finding. */
static bool take_change(const struct learning *l, const struct learned *k, struct learning_result *r)
{
    const struct unit *u = l->options.unit;
    if (!k->change.is_rule) {
        r->explanation.candidates = 1;
        return cause_add(&r->explanation.candidate[0], k->change.clause, k->change.reading);
    }
    learn_rules_of(u, k, &r->rules);
    return r->rules.rules[0];
}

void learning_result_free(struct learning_result *r)
{
    free(r->smallest);
    r->smallest = NULL;
    for (unsigned i = 0; i < RELATED_ROLES; i++)
        related_case_free(&r->related[i]);
}

bool learning_keep(struct learning *l, const struct profile *known, const struct related_case *c,
                   struct error *e)
{
    if (!l->learner)
        l->learner = learner_open(&l->options);
    l->tried_count = l->futile = 0; /* another case is known, so the next search may find something else */
    return learner_keep(l->learner, known, c->tc, c->board_outcome, c->board_outcome_size, e);
}

bool learning_explain(struct learning *l, const struct profile *known, const struct test_case *c,
                      uint64_t signature, struct learning_result *r, struct error *e)
{
    struct learned *k = memory_new(1, sizeof *k);
    enum learn_lost lost;
    memset(r, 0, sizeof *r);
    if (!l->learner)
        l->learner = learner_open(&l->options);
    enum learn_answer answer = learner_explain_case(l->learner, known, c, k, &lost, e);
    if (answer == LEARN_EXPLAINED) {
        r->smallest = k->smallest;
        free(k->board_outcome); /* the campaign runs the case again */
        memcpy(r->related, k->related, sizeof r->related);
        r->found = take_change(l, k, r);
    }
    if (r->found)
        l->tried_count = l->futile = 0;
    else if (!learning_is_over(l))
        note_in_vain(l, signature);
    if (!r->found)
        learning_result_free(r);
    free(k);
    return answer != LEARN_FAILED;
}
