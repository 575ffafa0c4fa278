/* SPDX-License-Identifier: MIT */
/*
 * Finds the exceptions of a rule. Experiments seldom meet a single value of a field, so a short expression
 * may pass all of them although the board does something else at one value. Where a number of the reduced
 * case decides the value at the rule's point, the search sweeps this number on the board. A rule that a swept
 * value contradicts is not learned. In its place comes the rule with a guard, if the value passes unchanged
 * there, or with a table of the board's results.
 */
#include "fuzz/learn/search/study.h"
#include "fuzz/learn/sweep.h"
#include "model/core/memory.h"
#include "model/rule/expression_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    SWEPT_MAX = 512,
    AGAIN = 2,         /* runs in which the board must repeat an outcome that contradicts the rule */
    RUNS_MAX = 100000, /* limit of model runs in the search for values */
    GUARDED_MOST = 2,  /* limit of values that a guard excludes */
    NARROW = 8,        /* bits of the numbers of a table */
};

struct exceptions {
    struct study *s;
    struct candidate *c;
    uint32_t count, value[SWEPT_MAX], result[SWEPT_MAX]; /* the contradicting values, what they become */
    uint32_t unsolved; /* swept cases that differ, and that no values at the point explain */
    struct near_case k;
    struct example example[EXAMPLES_MAX];
};

/* Does the rule's guard hold at the place of an example? */
static bool acts_at(const struct exceptions *x, const struct example *e)
{
    const struct expression *guard = &x->c->change.rule.guard;
    const struct expression_context context = visit_context(x->s->l->o->unit, e->at, e->lane);
    return !guard->count || expression_evaluate(guard->node, guard->count, &context);
}

/* Notes what the board makes of the value of an example, if this contradicts the rule. If several results are
 * allowed, takes the value itself, or else the smallest of them. */
static void take_example(struct exceptions *x, const struct example *e)
{
    uint32_t result[POINT_LANES_MAX], at = 0, value = e->at->value[e->lane], becomes = e->at->now[e->lane];
    (void)visit_rule(x->s->l->o->unit, e->at, &x->c->change.rule, result);
    if (!acts_at(x, e) || example_allows(e, result[e->lane]))
        return;
    if (!example_allows(e, becomes)) {
        becomes = e->narrow ? 0 : e->value[0];
        while (e->narrow && becomes < 256 && !example_allows(e, becomes))
            becomes++;
    }
    while (at < x->count && x->value[at] != value)
        at++;
    if (at == SWEPT_MAX)
        return;
    x->count += at == x->count;
    x->value[at] = value;
    x->result[at] = becomes;
}

/* Runs the model on x->k.tc. Returns false if nothing can be compared with the board's outcome. */
static bool run_model(struct exceptions *x)
{
    struct learner *l = x->s->l;
    struct near_case *k = &x->k;
    visits_run(l->x, k->tc, &l->r->profile, l->base, k->visits);
    k->covered = l->x->last;
    k->agrees = outcomes_equal(l->base, k->board, NULL, &k->difference);
    k->distance = k->agrees ? 0 : outcomes_distance(l->base, k->board, UINT64_MAX);
    return l->base->end != END_UNDEFINED;
}

/* Does the board repeat its outcome of x->k.tc? */
static bool repeats(struct exceptions *x)
{
    struct outcome **again = &x->s->l->answer[1];
    enum answer answer;
    for (unsigned i = 0; i < AGAIN; i++)
        if (!learner_ask(x->s->l, &x->k.tc, 1, again, &answer) || answer != ANSWER_OUTCOME ||
            !outcomes_equal(*again, x->k.board, NULL, NULL))
            return false;
    return true;
}

/* Drops the other rules at the same point that one swept case refutes. */
static void drop_others(struct exceptions *x)
{
    struct study *s = x->s;
    for (uint32_t i = 0; i < s->candidates; i++) {
        struct candidate *other = &s->candidate[i];
        if (other != x->c && other->alive && other->change.is_rule &&
            other->change.rule.point == x->c->change.rule.point && judge_matters(&x->k, &other->change) &&
            judge_case(s, &x->k, &other->change) == JUDGED_DIFFERS)
            other->alive = false;
    }
}

/* Compares one swept case, whose board's outcome is x->k.board. */
static void take_case(struct exceptions *x)
{
    struct study *s = x->s;
    const unsigned point = x->c->change.rule.point;
    if (!run_model(x))
        return;
    const enum judged judged = judge_case(s, &x->k, &x->c->change);
    if (judged == JUDGED_REPRODUCES)
        drop_others(x);
    if (judged != JUDGED_DIFFERS)
        return;
    s->example = x->example;
    const uint32_t before = x->count;
    if (repeats(x)) {
        x->unsolved += !where_values(s, &x->k, point);
        for (uint32_t i = 0; i < s->examples; i++)
            take_example(x, &s->example[i]);
    }
    if (x->count > before)
        drop_others(x);
    s->example = s->scratch;
    s->examples = 0;
}

/* Sweeps the value on the board. */
static void sweep(struct exceptions *x)
{
    struct learner *l = x->s->l;
    struct test_case *cases[SWEPT_MAX];
    struct outcome *outcomes[LEARN_BATCH];
    enum answer answers[LEARN_BATCH];
    const struct nearest n = {.executor = l->x,
                              .board = l->o->board,
                              .without = &l->r->profile,
                              .rule = &x->c->change.rule};
    for (unsigned i = 0; i < SWEPT_MAX; i++)
        cases[i] = memory_new(1, sizeof *cases[i]);
    for (unsigned i = 0; i < LEARN_BATCH; i++)
        outcomes[i] = outcome_new(l->o->unit);
    uint32_t count = sweep_cases(&n, x->s->near[0].tc, cases, SWEPT_MAX);
    for (uint32_t i = 0; i < count && !learner_spent(l); i += LEARN_BATCH) {
        const uint32_t some = count - i < LEARN_BATCH ? count - i : LEARN_BATCH;
        bool good = learner_ask(l, cases + i, some, outcomes, answers);
        for (uint32_t k = 0; k < some && good; k++) {
            x->k.tc = cases[i + k];
            x->k.board = outcomes[k];
            if (answers[k] == ANSWER_OUTCOME)
                take_case(x);
        }
    }
    for (unsigned i = 0; i < SWEPT_MAX; i++)
        free(cases[i]);
    for (unsigned i = 0; i < LEARN_BATCH; i++)
        outcome_free(outcomes[i]);
}

static bool add_node(struct expression *e, enum expression_operator op, uint32_t operand)
{
    if (e->count == EXPRESSION_NODES_MAX)
        return false;
    e->node[e->count++] = (struct expression_node){(uint32_t)op, operand};
    return true;
}

/* Adds "value != NUMBER" for each exception to the guard. */
static bool guard_against(const struct exceptions *x, struct rule *r)
{
    bool good = true;
    for (uint32_t i = 0; i < x->count && good; i++) {
        const bool joined = r->guard.count;
        good = add_node(&r->guard, EXPRESSION_VALUE, 0) &&
               add_node(&r->guard, EXPRESSION_CONSTANT, x->value[i]) &&
               add_node(&r->guard, EXPRESSION_DIFFERENT, 0) &&
               (!joined || add_node(&r->guard, EXPRESSION_LOGICAL_AND, 0));
    }
    return good;
}

/* Makes the result a table of the exceptions. Other values have the result of before. */
static bool tabulate(const struct exceptions *x, struct rule *r)
{
    struct expression_table *t = memory_new(1, sizeof *t);
    struct expression e = {.count = 0};
    bool good = add_node(&e, EXPRESSION_VALUE, 0) && e.count + r->result.count <= EXPRESSION_NODES_MAX;
    if (good) {
        memcpy(e.node + e.count, r->result.node, r->result.count * sizeof *r->result.node);
        e.count += r->result.count;
    }
    for (uint32_t i = 0; i < x->count; i++) {
        t->value[x->value[i] % TABLE_ENTRIES] = x->result[i];
        t->listed[x->value[i] % TABLE_ENTRIES] = true;
    }
    good = good && expression_add_table(&e, t);
    if (good)
        r->result = e;
    free(t);
    return good;
}

/* Adds the rule with its exceptions. It has passed the experiments of the rule. */
static void add_with_exceptions(struct exceptions *x)
{
    struct study *s = x->s;
    const struct candidate old = *x->c;
    struct learn_change c = old.change;
    bool unchanged = x->count <= GUARDED_MOST;
    for (uint32_t i = 0; i < x->count; i++)
        unchanged &= x->value[i] == x->result[i];
    if (!(unchanged ? guard_against(x, &c.rule)
                    : s->l->o->unit->points[c.rule.point].width <= NARROW && tabulate(x, &c.rule)))
        return;
    judge_add_like(s, &c, &old);
}

enum rule_swept exceptions_find(struct study *s, struct candidate *c)
{
    const struct unit *u = s->l->o->unit;
    if (!c->change.is_rule || u->points[c->change.rule.point].lanes > 1)
        return RULE_HOLDS;
    struct exceptions *x = memory_new(1, sizeof *x);
    const uint64_t runs_left = s->runs_left;
    x->s = s;
    x->c = c;
    x->k.visits = memory_new(1, sizeof *x->k.visits);
    s->runs_left = RUNS_MAX;
    sweep(x);
    s->runs_left = runs_left;
    const enum rule_swept swept = x->count ? RULE_CONTRADICTED : x->unsolved ? RULE_DOUBTFUL : RULE_HOLDS;
    if (swept == RULE_CONTRADICTED) {
        c->alive = false;
        add_with_exceptions(x);
    }
    free(x->k.visits);
    free(x);
    return swept;
}
