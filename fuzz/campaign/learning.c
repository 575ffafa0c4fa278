/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/learning.h"

#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIMES_MAX = 2, /* limit of searches for one signature that found nothing */
    FUTILE_MAX = 12,
};

void learning_end(struct learning *l)
{
    learner_close(l->learner);
    l->learner = NULL;
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

/* Adds a change as a line of text. Adds nothing if there is no room for the whole line. */
static void add_line(const struct unit *u, const struct learn_change *c, char *to, size_t room)
{
    struct text t = {0};
    size_t used = strlen(to);
    learn_print_change(u, c, &t);
    if (used + t.length + 2 < room)
        (void)snprintf(to + used, room - used, "%s%s", used ? "\n" : "", text_chars(&t));
    text_free(&t);
}

/* Stores a learned change in the result. Returns false if the rule is too long for a finding. */
static bool take_change(const struct learning *l, const struct learned *k, struct learning_result *r)
{
    const struct unit *u = l->options.unit;
    if (!k->change.is_rule) {
        r->explanation.candidates = 1;
        return cause_add(&r->explanation.candidate[0], k->change.clause, k->change.reading);
    }
    r->rules.explained = k->explained;
    r->rules.experiments = k->experiments;
    r->rules.alternatives_count = k->alternatives;
    add_line(u, &k->change, r->rules.rules, sizeof r->rules.rules);
    for (uint32_t i = 0; i < k->alternatives && i < LEARN_ALTERNATIVES_MAX; i++)
        add_line(u, &k->alternative[i], r->rules.alternatives, sizeof r->rules.alternatives);
    return r->rules.rules[0];
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
        r->found = take_change(l, k, r);
    }
    if (r->found)
        l->tried_count = l->futile = 0;
    else
        note_in_vain(l, signature);
    if (!r->found)
        free(r->smallest);
    free(k);
    return answer != LEARN_FAILED;
}
