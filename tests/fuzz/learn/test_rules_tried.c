/* SPDX-License-Identifier: MIT */
/*
 * Rules that the search tries without values to start from (small.c), rules for one mode (modes.c), the many
 * cases that confirm a change (experiments.c), weaker guards (guard.c), repairs of refuted rules (refine.c),
 * and values in all lanes together (where.c); all in fuzz/learn/search. The board is the model with a rule
 * that the test knows.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/same.h"
#include "fuzz/learn/search/novelty.h"
#include "model/core/memory.h"
#include "tests/support/support_study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The candidate that is the board's rule `number`; NULL: none. */
static struct candidate *find_rule(struct bench *b, uint32_t number)
{
    const struct rule r = rules_get(&b->board.rules, number);
    for (uint32_t i = 0; i < b->s->candidates; i++)
        if (b->s->candidate[i].change.is_rule &&
            rules_are_same(b->o.unit, &b->s->candidate[i].change.rule, &r))
            return &b->s->candidate[i];
    return NULL;
}

static void expect_explains_all(struct bench *b)
{
    const struct candidate *c = find_rule(b, 0);
    assert_non_null(c);
    assert_int_equal(c->explained + c->excused, b->s->differing);
    assert_int_equal(c->spoiled, 0);
    assert_true(c->fits);
}

/* ---- small expressions ---- */

static void small_expressions_are_tried(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.address = value + 3");
    small_add(b.s, b.board.rules.rule[0].point, NULL, 0);
    assert_true(b.s->suspects);
    expect_explains_all(&b);
    close_bench(&b);
}

/* Several cases judge an expression: it must explain the first, and is better the more it explains. */
static void small_expressions_are_judged_by_several_cases(void **state)
{
    (void)state;
    struct bench b;
    const struct near_case *by[SUSPECTED_MAX];
    uint32_t count = 0;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.address = value + 3");
    for (uint32_t i = 0; i < b.s->nears && count < SUSPECTED_MAX; i++)
        if (!b.s->near[i].agrees)
            by[count++] = &b.s->near[i];
    assert_int_equal(count, SUSPECTED_MAX);
    small_add(b.s, b.board.rules.rule[0].point, by, count);
    expect_explains_all(&b);
    close_bench(&b);
}

static void small_expressions_are_tried_with_guards(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.address when horizontal == 0 = 0");
    small_add(b.s, b.board.rules.rule[0].point, NULL, 0);
    expect_explains_all(&b);
    close_bench(&b);
}

/* The board differs after this point, so no value there explains all that differs. */
static void nothing_is_added_where_the_board_does_not_differ(void **state)
{
    (void)state;
    struct bench b;
    struct profile p;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.value = value ^ 0x5A5A5A5A");
    resolve(b.o.unit, "manual;vc4-vpm block.address = 0", &p);
    small_add(b.s, p.rules.rule[0].point, NULL, 0);
    assert_int_equal(b.s->candidates, 0);
    assert_false(b.s->judged);
    close_bench(&b);
}

/* Does a rule with a guard explain all near cases that differ? */
static bool guarded_rule_explains_all(const struct bench *b)
{
    bool any = false;
    for (uint32_t i = 0; i < b->s->candidates; i++)
        any |= b->s->candidate[i].change.rule.guard.count && b->s->candidate[i].explained == b->s->differing;
    return any;
}

/* The search names no point. It finds the rule itself, and gives it a guard if it needs one. A guard can be
 * written in several ways. */
static void the_smallest_expressions_are_tried_at_all_points(void **state)
{
    (void)state;
    static const char *const rules[] = {"block.row = value ^ 1", "block.stride = 0",
                                        "block.stride when value != 1 = 0",
                                        "block.stride when size == 2 = 0"};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bench b;
        char profile[80];
        (void)snprintf(profile, sizeof profile, "manual;vc4-vpm %s", rules[i]);
        open_bench(&b, "vc4-vpm", profile);
        small_everywhere(b.s);
        if (rules_get(&b.board.rules, 0).guard.count)
            assert_true(guarded_rule_explains_all(&b));
        else
            expect_explains_all(&b);
        close_bench(&b);
    }
}

/* ---- effort ---- */

/* A limit of effort that ends the search when it has the right rule still lets it run the experiments. */
static void a_search_with_a_rule_may_run_its_experiments(void **state)
{
    (void)state;
    struct bench b;
    unsigned found = 0, beyond = 0;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.row = value ^ 1");
    for (uint64_t limit = 5000; limit <= 200000; limit += 5000) {
        struct learned best;
        b.l->effort_before = learner_effort(b.l);
        b.l->search_effort = limit;
        if (!learner_explain(b.l, NULL, &best))
            continue;
        assert_true(best.change.is_rule);
        found++;
        beyond += learner_effort(b.l) - b.l->effort_before > limit;
    }
    assert_true(found > beyond);
    assert_true(beyond > 0);
    close_bench(&b);
}

/* ---- modes ---- */

/* Makes rules for each mode of a board with two. Is one of them the board's? */
static bool finds_a_mode(uint64_t seed)
{
    struct bench b;
    open_bench_seed(&b, "vc4-vpm",
                    "manual;vc4-vpm block.y when horizontal == 0 = value + 5;"
                    "vc4-vpm block.y when horizontal == 1 = value + 2",
                    seed);
    const struct rule of[2] = {rules_get(&b.board.rules, 0), rules_get(&b.board.rules, 1)};
    bool any = false;
    assert_true(where_examples(b.s, of[0].point));
    modes_add(b.s, of[0].point);
    for (uint32_t i = 0; i < b.s->candidates; i++) {
        const struct candidate *c = &b.s->candidate[i];
        any |= expression_equal(&c->change.rule.guard, &of[0].guard) ||
               expression_equal(&c->change.rule.guard, &of[1].guard);
        assert_true(c->explained && !c->spoiled);
        assert_true(c->explained < b.s->differing); /* the other mode differs, too */
    }
    close_bench(&b);
    return any;
}

/* In some studies nearly all cases have accesses of both modes, and then no rule for one mode explains any.
 */
static void each_mode_has_its_rule(void **state)
{
    (void)state;
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= 6; seed++)
        found += finds_a_mode(seed);
    assert_in_range(found, 3, 6);
}

static void without_examples_there_is_no_mode(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm read.num = value ^ 1");
    const unsigned point = b.board.rules.rule[0].point;
    b.s->examples = 0;
    modes_add(b.s, point);
    assert_int_equal(b.s->candidates, 0);
    close_bench(&b);
}

/* ---- confirmation ---- */

static struct candidate *add_rule(struct bench *b, const char *rule)
{
    struct profile p;
    resolve(b->o.unit, rule, &p);
    struct candidate *c = &b->s->candidate[b->s->candidates++];
    *c = (struct candidate){.change = {.is_rule = true, .rule = rules_get(&p.rules, 0)},
                            .alive = true,
                            .fits = true};
    return c;
}

/* The false rule is wrong for two of 64 values, which few cases have. */
static void a_rule_that_is_seldom_wrong_is_refuted(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.stride when (value & 31) != 9 = value ^ 1");
    struct candidate *wrong = add_rule(&b, "manual;vc4-vpm block.stride = value ^ 1");
    experiments_confirm(b.s, wrong);
    assert_false(wrong->alive);
    b.s->candidates = 0;
    struct candidate *right = add_rule(&b, "manual;vc4-vpm block.stride when (value & 31) != 9 = value ^ 1");
    experiments_confirm(b.s, right);
    assert_true(right->alive);
    assert_true(right->reproduced >= 300);
    assert_int_equal(right->missed, 0);
    close_bench(&b);
}

/* Each write of the board has other values than the model's, so no case with a write agrees, whatever its
 * stride. But the places of the writes tell the rules apart. */
static void a_second_cause_does_not_hide_that_a_rule_is_wrong(void **state)
{
    (void)state;
    static const char
        *const second = "manual;vc4-vpm block.value when reading == 0 = value * 0x9E3779B1 + 0x7F4A7C15;",
               *const wrong_rule = "vc4-vpm block.stride when reading == 0 = value ^ 1",
               *const right_rule = "vc4-vpm block.stride when reading == 0 && (value & 7) != 1 = value ^ 1";
    struct bench b;
    char rules[256];
    (void)snprintf(rules, sizeof rules, "%s%s", second, right_rule);
    open_bench(&b, "vc4-vpm", rules);
    for (unsigned right = 0; right < 2; right++) {
        b.s->candidates = 0;
        (void)snprintf(rules, sizeof rules, "manual;%s", right ? right_rule : wrong_rule);
        struct candidate *c = add_rule(&b, rules);
        experiments_confirm(b.s, c);
        assert_int_equal(c->alive, right);
        assert_int_equal(c->reproduced, 0);
        assert_true(right ? c->speaks_against * 50 < c->speaks_for : c->speaks_against > 2);
    }
    close_bench(&b);
}

#define WRITES(setup) "misprint-case 1 vc4-vpm\nops {\n wr_setup " setup "\n write 0\n}\n"

/* Runs the model on a case, and records its visits in b->l->visits. */
static void visit(struct bench *b, const char *text)
{
    struct error e = {0};
    if (!case_parse(b->l->small, text, strlen(text), &e))
        fail_msg("%s", e.text);
    visits_run(b->l->x, b->l->small, &b->manual, b->l->base, b->l->visits);
}

/* ---- what no experiment tested ---- */

static void expect_guard(const struct bench *b, const struct candidate *c, const char *wanted)
{
    struct rule r;
    struct text t = {0};
    assert_true(untested_exclude(c, &r));
    expression_print(&r.guard, &b->o.unit->points[r.point], &t);
    assert_string_equal(text_chars(&t), wanted);
    text_free(&t);
}

/* A board that lacks bytes and halves refuses what would tell whether the rule holds for them. */
static void a_rule_holds_only_where_it_was_tested(void **state)
{
    (void)state;
    struct bench b;
    struct rule r;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.stride = value ^ 1");
    struct candidate *c = add_rule(&b, "manual;vc4-vpm block.size = 2");
    visit(&b, WRITES("0x00000300")); /* SIZE 3 */
    untested_note(c, b.l->visits, true);
    assert_false(untested_exclude(c, &r));
    visit(&b, WRITES("h32"));
    untested_note(c, b.l->visits, false); /* the rule does not change SIZE 2 */
    assert_false(untested_exclude(c, &r));
    visit(&b, WRITES("h8"));
    untested_note(c, b.l->visits, false);
    expect_guard(&b, c, "value == 3");
    visit(&b, WRITES("h16"));
    untested_note(c, b.l->visits, true);
    expect_guard(&b, c, "value != 0");
    visit(&b, WRITES("h8"));
    untested_note(c, b.l->visits, true);
    assert_false(untested_exclude(c, &r));
    close_bench(&b);
}

/* ---- new ways to act ---- */

static bool is_new(struct bench *b, struct novelty *n, const char *text, const struct learn_change *c)
{
    visit(b, text);
    const bool new = novelty_note(n, b->l->visits, c, false);
    for (unsigned i = 0; i < NOVELTY_TIMES; i++)
        assert_int_equal(novelty_note(n, b->l->visits, c, true), new);
    return new;
}

static void a_case_is_new_at_another_value_or_at_the_border_of_a_guard(void **state)
{
    (void)state;
    struct bench b;
    struct novelty n = {.seen = {{0}}};
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.stride = value ^ 1");
    const struct learn_change c = add_rule(&b, "manual;vc4-vpm block.stride when word < 0x2000 = 7")->change;
    assert_true(is_new(&b, &n, WRITES("h32 stride=1"), &c));
    assert_false(is_new(&b, &n, WRITES("h32 stride=1"), &c));
    assert_false(is_new(&b, &n, WRITES("h32 stride=3"), &c)); /* the rule does not act */
    assert_true(is_new(&b, &n, WRITES("v32 stride=1"), &c));
    assert_true(is_new(&b, &n, WRITES("0x00001fff"), &c)); /* one below the border */
    assert_false(is_new(&b, &n, WRITES("0x00001fff"), &c));
    close_bench(&b);
}

/* ---- values ---- */

/* The interrupt is raised if one element raises it. So no value in one lane alone changes the outcome. (A
 * case may write it twice.) */
static void values_in_all_lanes_together_explain_a_difference(void **state)
{
    (void)state;
    struct bench b;
    uint32_t solved = 0, differing = 0;
    open_bench(&b, "vc4-qpu", "manual;vc4-qpu interrupt.raised = 0");
    for (uint32_t i = 0; i < b.s->nears && !solved; i++) {
        if (b.s->near[i].agrees || !where_values(b.s, &b.s->near[i], b.board.rules.rule[0].point))
            continue;
        solved++;
        for (uint32_t k = 0; k < b.s->examples; k++) {
            assert_true(example_allows(&b.s->example[k], 0));
            differing += b.s->example[k].differs;
        }
    }
    assert_int_equal(solved, 1);
    assert_true(differing > 0);
    close_bench(&b);
}

/* ---- weaker guards ---- */

static void expect_weaker(const char *guard, const char *const *wanted, uint32_t count)
{
    const struct unit *u = unit_named("utgard-gp");
    struct profile p;
    struct expression *found = memory_new(WEAKER_MAX, sizeof *found);
    char line[256];
    (void)snprintf(line, sizeof line, "manual;utgard-gp result.value when %s = a", guard);
    resolve(u, line, &p);
    const struct rule r = rules_get(&p.rules, 0);
    const uint32_t n = guard_weaker(&u->points[r.point], &r.guard, found);
    assert_int_equal(n, count);
    for (uint32_t i = 0; i < count; i++) {
        struct text t = {0};
        expression_print(&found[i], &u->points[r.point], &t);
        assert_string_equal(t.length ? text_chars(&t) : "", wanted[i]);
        text_free(&t);
    }
    free(found);
}

static void guards_lose_a_condition_or_become_classes_of_floats(void **state)
{
    (void)state;
    expect_weaker("op == 5", (const char *const[]){""}, 1);
    expect_weaker("op == 5 && c > b", (const char *const[]){"op == 5", "c > b"}, 2);
    expect_weaker("op == 5 && unit < 2 && c > b",
                  (const char *const[]){"op == 5 && unit < 2", "op == 5 && c > b", "unit < 2 && c > b"}, 3);
    expect_weaker("a == 0x7fc00000", (const char *const[]){"", "isnan(a)"}, 2);
    expect_weaker("a == 0xff800000", (const char *const[]){"", "(a & 0x7fffffff) == 0x7f800000"}, 2);
    expect_weaker("a == 0x80000000", (const char *const[]){"", "(a & 0x7fffffff) == 0"}, 2);
    expect_weaker("value == 7", (const char *const[]){"", "isdenormal(value)"}, 2);
    expect_weaker("a == 0x3f800000", (const char *const[]){""}, 1);
    expect_weaker("table(op, 4: 1, 6: 1, else: 0) && unit < 2",
                  (const char *const[]){"table(op, 4: 1, 6: 1, else: 0)", "unit < 2"}, 2);
}

/* ---- repairs ---- */

/* Makes a rule the only candidate, as if experiments had refuted it. */
static void set_refuted(struct bench *b, const char *rule)
{
    struct profile with;
    resolve(b->o.unit, rule, &with);
    struct candidate c = {.change = {.is_rule = true, .rule = rules_get(&with.rules, 0)}};
    for (uint32_t i = 0; i < b->s->nears; i++) {
        const struct near_case *k = &b->s->near[i];
        const bool explains =
            !k->agrees && judge_matters(k, &c.change) && judge_case(b->s, k, &c.change) == JUDGED_REPRODUCES;
        c.explains[i / 64] |= (uint64_t)explains << (i % 64);
        c.explained += explains;
    }
    assert_in_range(c.explained, 1, b->s->differing - 1); /* it explains some cases, but not all */
    b->s->candidate[0] = c;
    b->s->candidates = 1;
}

/* Repairs the candidate. The refuted rule is gone, and no other rule is wrong in a near case that agrees. */
static void expect_repaired(struct bench *b)
{
    const struct learn_change refuted = b->s->candidate[0].change;
    assert_true(refine_repair(b->s));
    for (uint32_t i = 0; i < b->s->candidates; i++) {
        const struct candidate *c = &b->s->candidate[i];
        assert_true(c->alive && c->explained && c->fits);
        assert_false(rules_are_same(b->o.unit, &c->change.rule, &refuted.rule));
        for (uint32_t k = 0; k < b->s->nears; k++)
            if (b->s->near[k].agrees && judge_matters(&b->s->near[k], &c->change))
                assert_int_not_equal(judge_case(b->s, &b->s->near[k], &c->change), JUDGED_DIFFERS);
    }
}

/* max(min(a, c), b) of floats, with a minimum of signed numbers instead: it is wrong for two negative ones.
 */
static void a_refuted_expression_is_replaced(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "utgard-gp", "manual;utgard-gp result.value when op == 38 = fmax(fmin(a, c), b)");
    set_refuted(&b, "manual;utgard-gp result.value when op == 38 = fmax(smin(a, c), b)");
    expect_repaired(&b);
    close_bench(&b);
}

static void a_refuted_guard_is_replaced(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.row when size == 2 && horizontal == 0 = value ^ 1");
    set_refuted(&b, "manual;vc4-vpm block.row when size == 2 && horizontal == 0 && value > 9 = value ^ 1");
    expect_repaired(&b);
    close_bench(&b);
}

static void without_a_refuted_rule_nothing_is_repaired(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "vc4-vpm", "manual;vc4-vpm block.row = value ^ 1");
    assert_false(refine_repair(b.s));
    assert_int_equal(b.s->candidates, 0);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_expressions_are_tried),
        cmocka_unit_test(small_expressions_are_judged_by_several_cases),
        cmocka_unit_test(small_expressions_are_tried_with_guards),
        cmocka_unit_test(nothing_is_added_where_the_board_does_not_differ),
        cmocka_unit_test(the_smallest_expressions_are_tried_at_all_points),
        cmocka_unit_test(a_search_with_a_rule_may_run_its_experiments),
        cmocka_unit_test(each_mode_has_its_rule),
        cmocka_unit_test(without_examples_there_is_no_mode),
        cmocka_unit_test(a_rule_that_is_seldom_wrong_is_refuted),
        cmocka_unit_test(a_second_cause_does_not_hide_that_a_rule_is_wrong),
        cmocka_unit_test(a_rule_holds_only_where_it_was_tested),
        cmocka_unit_test(a_case_is_new_at_another_value_or_at_the_border_of_a_guard),
        cmocka_unit_test(values_in_all_lanes_together_explain_a_difference),
        cmocka_unit_test(guards_lose_a_condition_or_become_classes_of_floats),
        cmocka_unit_test(a_refuted_expression_is_replaced),
        cmocka_unit_test(a_refuted_guard_is_replaced),
        cmocka_unit_test(without_a_refuted_rule_nothing_is_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
