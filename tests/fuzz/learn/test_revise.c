/* SPDX-License-Identifier: MIT */
/* Learned rules are revised when later cases say otherwise (fuzz/learn/revise.c). The board is the model with
 * rules that the test knows. */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/revise.h"
#include "fuzz/learn/same.h"
#include "model/core/memory.h"
#include "tests/support/support_study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rule as if it had been learned from the case at hand. */
static struct learned learned_of(struct bench *b, const char *rules)
{
    struct profile p;
    resolve(b->o.unit, rules, &p);
    struct learned k = {.change = {.is_rule = true, .rule = rules_get(&p.rules, 0)}};
    k.smallest = memory_new(1, sizeof *k.smallest);
    case_copy(k.smallest, b->l->small);
    k.board_outcome = finding_encode_outcome(b->l->answer[0], &k.board_outcome_size);
    return k;
}

/* Makes a learned rule the only change of the profile. */
static void believe(struct bench *b, const struct learned *k)
{
    b->l->r->learned[b->l->r->count++] = *k;
    assert_true(learn_apply(&k->change, &b->l->r->profile));
}

static bool model_agrees(struct bench *b, const struct profile *p)
{
    executor_run(b->l->x, b->l->small, p, RUN_CHECKED, b->l->model);
    return outcomes_equal(b->l->model, b->l->answer[0], NULL, NULL);
}

/* Makes the case at hand another one: the board differs from the model under the profile so far, and agrees
 * with the model with these rules. */
static void find_other_case(struct bench *b, const char *rules)
{
    struct outcome *outcome = b->l->answer[0];
    struct profile p;
    enum answer answer;
    resolve(b->o.unit, rules, &p);
    do {
        case_generate(&b->l->random, b->o.unit, b->l->small);
        assert_true(learner_ask(b->l, &b->l->small, 1, &outcome, &answer));
    } while (answer != ANSWER_OUTCOME || model_agrees(b, &b->l->r->profile) || !model_agrees(b, &p));
}

static void expect_learned(struct bench *b, const char *rule)
{
    struct profile p;
    char rules[256];
    (void)snprintf(rules, sizeof rules, "manual;%s", rule);
    resolve(b->o.unit, rules, &p);
    const struct rule wanted = rules_get(&p.rules, 0);
    assert_int_equal(b->l->r->count, 1);
    assert_true(rules_are_same(b->o.unit, &b->l->r->learned[0].change.rule, &wanted));
    assert_int_equal(b->l->r->profile.rules.count, 1);
}

/* A later case shows that a rule acts where it must not, or does not act where it must. The rule stays the
 * only finding, with another guard. */
static void a_rule_with_a_wrong_guard_is_repaired(void **state)
{
    (void)state;
    static const char *const right = "vc4-vpm block.stride when value >= 16 = value ^ 1",
                             *const wrong[] = {
                                 "manual;vc4-vpm block.stride = value ^ 1",
                                 "manual;vc4-vpm block.stride when (value & 16) != 0 = value ^ 1"};
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        char rules[256];
        (void)snprintf(rules, sizeof rules, "manual;%s", right);
        open_bench(&b, "vc4-vpm", rules);
        find_other_case(&b, wrong[i]);
        const struct learned k = learned_of(&b, wrong[i]);
        believe(&b, &k);
        find_other_case(&b, i ? "manual;vc4-vpm block.stride = value ^ 1" : "manual");
        assert_int_equal(revise_for_case(b.l), REVISED_REPAIRED);
        expect_learned(&b, right);
        assert_int_equal(b.l->r->taken_back, i == 0);
        close_bench(&b);
    }
}

/* Does the model with these rules agree with the board in the case at hand? */
static bool rules_agree(struct bench *b, const char *rules)
{
    struct profile p;
    resolve(b->o.unit, rules, &p);
    return model_agrees(b, &p);
}

/* A case refutes a rule, and differs for another cause, too, which nothing explains yet. */
static void a_rule_is_refuted_beside_another_difference(void **state)
{
    (void)state;
    static const char *const wrong = "manual;vc4-vpm block.stride = value ^ 1",
                             *const other = "manual;vc4-vpm load.mpitch = value ^ 1",
                             *const both = "manual;vc4-vpm block.stride = value ^ 1;"
                                           "vc4-vpm load.mpitch = value ^ 1";
    struct bench b;
    struct outcome *outcome;
    enum answer answer;
    unsigned found = 0, refuted = 0;
    open_bench(&b, "vc4-vpm",
               "manual;vc4-vpm block.stride when value >= 16 = value ^ 1;vc4-vpm load.mpitch = value ^ 1");
    find_other_case(&b, wrong);
    const struct learned k = learned_of(&b, wrong);
    believe(&b, &k);
    outcome = b.l->answer[0];
    while (found < 20) {
        case_generate(&b.l->random, b.o.unit, b.l->small);
        assert_true(learner_ask(b.l, &b.l->small, 1, &outcome, &answer));
        if (answer != ANSWER_OUTCOME || !rules_agree(&b, other) || rules_agree(&b, "manual") ||
            rules_agree(&b, both) || rules_agree(&b, wrong))
            continue;
        found++;
        refuted += revise_is_refuted(b.l, b.l->small, outcome);
    }
    assert_in_range(refuted, 15, 20); /* in the others, both causes change the same words */
    while (!revise_is_refuted(b.l, b.l->small, outcome)) {
        case_generate(&b.l->random, b.o.unit, b.l->small);
        assert_true(learner_ask(b.l, &b.l->small, 1, &outcome, &answer));
    }
    assert_int_not_equal(revise_for_case(b.l), REVISED_NOTHING);
    assert_int_equal(b.l->r->taken_back, 1);
    assert_false(b.l->r->count && !b.l->r->learned[0].change.rule.guard.count);
    close_bench(&b);
}

/* One answer speaks against a rule that the board follows in all other cases. The rule stays, as it was, and
 * no case refutes it any more. A rule that new cases refute, too, goes. */
static void a_rule_stands_against_one_exception(void **state)
{
    (void)state;
    static const char *const rule = "vc4-vpm block.stride = value ^ 1";
    for (unsigned follows = 0; follows < 2; follows++) {
        struct bench b;
        char rules[256];
        struct profile manual;
        (void)snprintf(rules, sizeof rules, "manual;%s", rule);
        open_bench(&b, "vc4-vpm", rules);
        const struct learned k = learned_of(&b, rules);
        believe(&b, &k);
        struct board *inner = b.o.board;
        struct error e = {0};
        if (!follows)
            b.o.board = board_open("virtual:manual", b.o.unit, &e);
        assert_non_null(b.o.board);
        resolve(b.o.unit, "manual", &manual);
        do {
            case_generate(&b.l->random, b.o.unit, b.l->small);
            executor_run(b.l->x, b.l->small, &manual, RUN_CHECKED, b.l->answer[0]);
        } while (!revise_is_refuted(b.l, b.l->small, b.l->answer[0]));
        struct test_case *exception = memory_new(1, sizeof *exception);
        case_copy(exception, b.l->small);
        assert_int_equal(revise_for_case(b.l), REVISED_OTHER_CASE);
        assert_int_equal(b.l->r->count, follows);
        assert_int_equal(b.l->r->taken_back, !follows);
        if (follows) {
            expect_learned(&b, rule);
            assert_true(b.l->r->learned[0].stands);
            executor_run(b.l->x, exception, &manual, RUN_CHECKED, b.l->answer[0]);
            assert_false(revise_is_refuted(b.l, exception, b.l->answer[0]));
        } else {
            board_close(b.o.board);
            b.o.board = inner;
        }
        free(exception);
        close_bench(&b);
    }
}

/* A change that the profile has no use for is dropped; the others stay. */
static void a_needless_rule_is_dropped(void **state)
{
    (void)state;
    static const char *const right = "vc4-vpm block.stride when value >= 16 = value ^ 1";
    struct bench b;
    char rules[256];
    (void)snprintf(rules, sizeof rules, "manual;%s", right);
    open_bench(&b, "vc4-vpm", rules);
    const struct learned narrow = learned_of(&b, "manual;vc4-vpm block.stride when value >= 32 = value ^ 1"),
                         wide = learned_of(&b, rules);
    believe(&b, &narrow);
    believe(&b, &wide);
    revise_drop_needless(b.l);
    expect_learned(&b, right);
    close_bench(&b);
}

/* The prefix word is shifted, so that most instructions with a prefix are refused. Rules that refuse them
 * were learned first. They refute the true rule in experiments. One rule takes the place of both. */
static void one_rule_takes_the_place_of_wrong_ones(void **state)
{
    (void)state;
    static const char *const right = "svp64-swizzle insn.word when of_prefix = value << 1",
                             *const wrong[] = {"manual;svp64-swizzle convert.stop = 1",
                                               "manual;svp64-swizzle insn.xo when (prefix & 6) != 0 = 0"};
    struct bench b;
    char rules[256];
    (void)snprintf(rules, sizeof rules, "manual;%s", right);
    open_bench(&b, "svp64-swizzle", rules);
    for (unsigned i = 0; i < 2; i++) {
        find_other_case(&b, wrong[i]);
        const struct learned k = learned_of(&b, wrong[i]);
        believe(&b, &k);
    }
    find_other_case(&b, rules);
    b.l->r->lost = LEARN_LOST_NO_POINT;
    assert_false(revise_instead(b.l)); /* no belief can be the reason */
    b.l->r->lost = LEARN_LOST_REFUTED;
    assert_true(revise_instead(b.l));
    expect_learned(&b, right);
    close_bench(&b);
}

/* Two causes are two findings. The search for one change in place of both finds none, leaves all as it was,
 * and is not repeated for ever. */
static void two_causes_stay_two_rules(void **state)
{
    (void)state;
    static const char *const rule[] = {"manual;vc4-vpm load.mpitch = value ^ 1",
                                       "manual;vc4-vpm block.stride when value >= 16 = value ^ 1"},
                             *const both = "manual;vc4-vpm load.mpitch = value ^ 1;"
                                           "vc4-vpm block.stride when value >= 16 = value ^ 1";
    struct bench b;
    open_bench(&b, "vc4-vpm", both);
    for (unsigned i = 0; i < 2; i++) {
        find_other_case(&b, i ? both : rule[0]);
        const struct learned k = learned_of(&b, rule[i]);
        believe(&b, &k);
    }
    const struct profile before = b.l->r->profile;
    b.l->r->lost = LEARN_LOST_REFUTED;
    uint64_t effort = 0;
    do {
        effort = learner_effort(b.l);
        revise_join(b.l);
        assert_int_equal(b.l->r->count, 2);
        assert_memory_equal(&b.l->r->profile, &before, sizeof before);
        assert_int_equal(b.l->r->lost, LEARN_LOST_REFUTED);
        assert_int_equal(b.l->search_effort, 0);
    } while (learner_effort(b.l) > effort && b.l->vain_joins < 8);
    assert_in_range(b.l->vain_joins, 1, 7);
    close_bench(&b);
}

/* ---- undefined bits ---- */

/* The board sets no address registers. A model that follows it reads registers that nothing has set, and
 * calls undefined what depends on them. */
#define SETS_NOTHING "manual;utgard-gp address.set = 0"
/* With this rule they are set to an undefined value. So what depends on them is undefined, too, but has other
 * values. */
#define SETS_UNDEFINED "manual;utgard-gp unit.input when op >= 28 = 34"

static enum judged judge_rule(struct bench *b, const struct near_case *k, const char *rule)
{
    struct profile p;
    resolve(b->o.unit, rule, &p);
    const struct learn_change c = {.is_rule = true, .rule = rules_get(&p.rules, 0)};
    return judge_case(b->s, k, &c);
}

static void undefined_bits_that_a_rule_gets_right_speak_for_it(void **state)
{
    (void)state;
    struct bench b;
    struct profile right;
    uint32_t undefined = 0, judged[2][3] = {{0}}, other[3] = {0};
    open_bench(&b, "utgard-gp", SETS_NOTHING);
    resolve(b.o.unit, SETS_NOTHING, &right);
    for (uint32_t i = 0; i < b.s->nears; i++) {
        const struct near_case *k = &b.s->near[i];
        executor_run(b.l->x, k->tc, &right, RUN_CHECKED, b.l->model);
        undefined += !k->agrees && b.l->model->end == END_UNDEFINED;
        judged[k->agrees][judge_rule(&b, k, SETS_NOTHING)]++;
        other[judge_rule(&b, k, SETS_UNDEFINED)] += !k->agrees;
    }
    assert_true(undefined > 8);
    assert_true(judged[false][JUDGED_REPRODUCES] > 8);
    for (unsigned agrees = 0; agrees < 2; agrees++)
        assert_int_equal(judged[agrees][JUDGED_DIFFERS] + judged[agrees][JUDGED_UNDEFINED], 0);
    assert_true(other[JUDGED_UNDEFINED] > 0);
    close_bench(&b);
}

/* Where the model without a rule is right, the rule makes other values of it, though it calls them undefined.
 */
static void a_rule_that_loses_what_was_right_is_wrong(void **state)
{
    (void)state;
    struct bench b;
    struct profile p;
    uint32_t lost = 0;
    open_bench(&b, "utgard-gp", "manual;utgard-gp address.set when register == 3 = 0");
    resolve(b.o.unit, SETS_NOTHING, &p);
    for (uint32_t i = 0; i < b.s->nears; i++) {
        const struct near_case *k = &b.s->near[i];
        executor_run(b.l->x, k->tc, &p, RUN_CHECKED, b.l->model);
        lost += k->agrees && b.l->model->end == END_UNDEFINED &&
                judge_rule(&b, k, SETS_NOTHING) == JUDGED_DIFFERS;
    }
    assert_true(lost > 0);
    close_bench(&b);
}

/* Puts the next generated case that a learned rule excuses into b->l->small. Returns false if there is none
 * among `most`. */
static bool find_excused_case(struct bench *b, unsigned most)
{
    struct outcome *outcome = b->l->answer[0];
    enum answer answer;
    for (unsigned i = 0; i < most; i++) {
        case_generate(&b->l->random, b->o.unit, b->l->small);
        assert_true(learner_ask(b->l, &b->l->small, 1, &outcome, &answer));
        if (answer == ANSWER_OUTCOME && revise_excuser(b->l, b->l->small, outcome) < b->l->r->count)
            return true;
    }
    return false;
}

/* Another cause, which has nothing to do with address registers. */
#define OTHER "utgard-gp sum.sign = 1"

/* Learns two rules, each as if from a case that only it explains beside the other. */
static void believe_two(struct bench *b, const char *first, const char *second)
{
    char both[256];
    (void)snprintf(both, sizeof both, "%s;%s", first, second + strlen("manual;"));
    find_other_case(b, first);
    const struct learned k = learned_of(b, first);
    believe(b, &k);
    find_other_case(b, both);
    const struct learned other = learned_of(b, second);
    believe(b, &other);
}

/* The younger rule is true, and the older one excuses what the board does. The search takes the older one for
 * the excuser, tries twice at most, and leaves the true one alone. */
static void a_rule_that_only_excuses_is_sought_again(void **state)
{
    (void)state;
    struct bench b;
    bool found = false;
    open_bench(&b, "utgard-gp", SETS_NOTHING ";" OTHER);
    believe_two(&b, SETS_UNDEFINED, "manual;" OTHER);
    const struct rule other = b.l->r->learned[1].change.rule;
    for (unsigned i = 0; i < 20; i++) {
        assert_true(find_excused_case(&b, 20000));
        assert_int_equal(revise_excuser(b.l, b.l->small, b.l->answer[0]), 0);
    }
    while (!found && find_excused_case(&b, 20000))
        found = revise_excuse(b.l, 0);
    assert_true(found);
    assert_int_equal(b.l->r->count, 2);
    assert_int_equal(b.l->r->taken_back, 1);
    assert_true(rules_are_same(b.o.unit, &b.l->r->learned[1].change.rule, &other));
    assert_false(find_excused_case(&b, 4000));
    for (unsigned i = 0; i < 4000; i++) {
        enum answer answer;
        case_generate(&b.l->random, b.o.unit, b.l->small);
        assert_true(learner_ask(b.l, &b.l->small, 1, &b.l->answer[0], &answer));
        assert_true(answer != ANSWER_OUTCOME || model_agrees(&b, &b.l->r->profile));
    }
    close_bench(&b);
}

static struct learn_change change_of(const struct bench *b, const char *rules)
{
    struct profile p;
    resolve(b->o.unit, rules, &p);
    return (struct learn_change){.is_rule = true, .rule = rules_get(&p.rules, 0)};
}

/* Of three alternatives, the first is wrong. The second is right. It is larger than the rule, so a search
 * would not take it. No case tells it from the third. */
static void an_alternative_takes_the_place_of_an_excuse(void **state)
{
    (void)state;
    struct bench b;
    bool found = false;
    static const char larger[] = "manual;utgard-gp address.set = value & (value ^ 1) & (register ^ register)";
    open_bench(&b, "utgard-gp", SETS_NOTHING);
    find_other_case(&b, SETS_UNDEFINED);
    struct learned k = learned_of(&b, SETS_UNDEFINED);
    k.alternatives = 3;
    k.alternative[0] = change_of(&b, "manual;" OTHER);
    k.alternative[1] = change_of(&b, larger);
    k.alternative[2] = change_of(&b, SETS_NOTHING);
    believe(&b, &k);
    while (!found && find_excused_case(&b, 20000))
        found = revise_excuse(b.l, 0);
    assert_true(found);
    const struct learned *now = &b.l->r->learned[0];
    assert_true(rules_are_same(b.o.unit, &now->change.rule, &k.alternative[1].rule));
    assert_int_equal(now->alternatives, 1);
    assert_true(rules_are_same(b.o.unit, &now->alternative[0].rule, &k.alternative[2].rule));
    assert_false(find_excused_case(&b, 4000));
    close_bench(&b);
}

/* The end of each case in which the rule shows is undefined with it. */
static void a_rule_that_leaves_ends_undefined_is_not_needless(void **state)
{
    (void)state;
    struct bench b;
    static const char rule[] = "manual;utgard-gp address.set when register == 0 = 0";
    open_bench(&b, "utgard-gp", "manual;" OTHER ";utgard-gp address.set when register == 0 = 0");
    believe_two(&b, "manual;" OTHER, rule);
    revise_drop_needless(b.l);
    assert_int_equal(b.l->r->count, 2);
    close_bench(&b);
}

/* In agreeing cases the board sets no register 0 either, but this does not show. So no example may say that
 * the registers are set there. */
static void examples_allow_undefined_values_that_fit(void **state)
{
    (void)state;
    struct bench b;
    static const char rule[] = "manual;utgard-gp address.set when register == 0 = 0";
    uint32_t asked = 0;
    open_bench(&b, "utgard-gp", rule);
    const unsigned point = b.board.rules.rule[0].point;
    b.s->runs_left = UINT32_MAX;
    for (uint32_t i = 0; i < b.s->nears; i++) {
        const struct near_case *k = &b.s->near[i];
        if (!k->agrees || judge_rule(&b, k, rule) != JUDGED_REPRODUCES)
            continue;
        executor_run(b.l->x, k->tc, &b.board, RUN_CHECKED, b.l->model);
        if (b.l->model->end != END_UNDEFINED)
            continue;
        asked++;
        b.s->examples = 0;
        (void)where_values(b.s, k, point);
        for (uint32_t e = 0; e < b.s->examples; e++)
            assert_true(example_allows(&b.s->example[e], 0));
    }
    assert_true(asked > 0);
    b.s->examples = 0;
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_with_a_wrong_guard_is_repaired),
        cmocka_unit_test(a_rule_is_refuted_beside_another_difference),
        cmocka_unit_test(a_rule_stands_against_one_exception),
        cmocka_unit_test(a_needless_rule_is_dropped),
        cmocka_unit_test(one_rule_takes_the_place_of_wrong_ones),
        cmocka_unit_test(two_causes_stay_two_rules),
        cmocka_unit_test(undefined_bits_that_a_rule_gets_right_speak_for_it),
        cmocka_unit_test(a_rule_that_loses_what_was_right_is_wrong),
        cmocka_unit_test(a_rule_that_only_excuses_is_sought_again),
        cmocka_unit_test(an_alternative_takes_the_place_of_an_excuse),
        cmocka_unit_test(a_rule_that_leaves_ends_undefined_is_not_needless),
        cmocka_unit_test(examples_allow_undefined_values_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
