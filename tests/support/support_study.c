/* SPDX-License-Identifier: MIT */
#include "tests/support/support_study.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/board/board_kind.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

void resolve(const struct unit *u, const char *rules, struct profile *p)
{
    struct error e = {0};
    if (!profile_resolve(u, rules, p, &e))
        fail_msg("%s: %s", rules, e.text);
}

void open_study(struct bench *b, const char *unit, const char *rules, uint64_t seed)
{
    struct error e = {0};
    char spec[256];
    const struct unit *u = unit_named(unit);
    (void)snprintf(spec, sizeof spec, "virtual:%s", rules);
    resolve(u, "manual", &b->manual);
    resolve(u, rules, &b->board);
    b->o = (struct learn_options){.unit = u, .base = &b->manual, .seed = seed};
    b->o.board = board_open(spec, u, &e);
    if (!b->o.board)
        fail_msg("%s", e.text);
    b->l = learner_open(&b->o);
    b->l->r->profile = b->manual;
    b->s = memory_new(1, sizeof *b->s);
    b->s->l = b->l;
}

void open_bench_seed(struct bench *b, const char *unit, const char *rules, uint64_t seed)
{
    struct outcome *outcome;
    enum answer answer;
    open_study(b, unit, rules, seed);
    b->s->example = b->s->scratch;
    b->s->runs_left = 100000;
    outcome = b->l->answer[0];
    do {
        case_generate(&b->l->random, b->o.unit, b->l->small);
        assert_true(learner_ask(b->l, &b->l->small, 1, &outcome, &answer));
        executor_run(b->l->x, b->l->small, &b->manual, RUN_CHECKED, b->l->model);
    } while (answer != ANSWER_OUTCOME || outcomes_equal(b->l->model, outcome, NULL, NULL));
    assert_true(near_explore(b->s));
}

void open_bench(struct bench *b, const char *unit, const char *rules)
{
    open_bench_seed(b, unit, rules, 1);
}

void close_bench(struct bench *b)
{
    near_free(b->s);
    judgements_free(b->s);
    free(b->s);
    learner_close(b->l);
    board_close(b->o.board);
}
