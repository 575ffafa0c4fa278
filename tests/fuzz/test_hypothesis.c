/* SPDX-License-Identifier: MIT */
/*
 * Hypotheses: what one case says about a rule, and what a trial counts. The board's outcomes come from rules
 * that the test chose, so the test knows each judgement.
 */
#include "fuzz/hypothesis.h"
#include "fuzz/learn/learn.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Writes row 5. */
static const char text[] =
    "misprint-case 1 vc4-vpm\ndata fill index\nops {\n  wr_setup h32 y=5\n  write 0\n}\n";
static const char rule[] = "manual;vc4-vpm write.row = value ^ 2";
static struct test_case tc;
static struct outcome *board;

static void profile_of(const char *spec, struct profile *p)
{
    struct error e = {0};
    if (!profile_resolve(&vc4_vpm_unit, spec, p, &e))
        fail_msg("%s", e.text);
}

static struct hypothesis *hypothesis_of(const char *with)
{
    static const struct board_identity who = {.memory_base = MEMORY_BASE_DEFAULT,
                                              .code_base = CODE_BASE_DEFAULT};
    struct profile manual, changed;
    profile_of("manual", &manual);
    profile_of(with, &changed);
    return hypothesis_new(&vc4_vpm_unit, &manual, &changed, &who);
}

/* Runs the case on a board that follows `spec`. */
static void run_board(const char *spec)
{
    struct executor *x = executor_new(&vc4_vpm_unit);
    struct profile p;
    profile_of(spec, &p);
    executor_run(x, &tc, &p, RUN_PLAIN, board);
    executor_free(x);
}

static void expect(const char *with, enum hypothesis_result wanted, const char *sentence, const char *row)
{
    struct hypothesis *h = hypothesis_of(with);
    struct text t = {0};
    enum hypothesis_result r = hypothesis_judge(h, &tc, board);
    assert_int_equal(r, wanted);
    hypothesis_print(h, r, &t);
    if (!strstr(text_chars(&t), sentence) ||
        (row ? !strstr(text_chars(&t), row) : t.length != strlen(sentence)))
        fail_msg("%s", text_chars(&t));
    text_free(&t);
    hypothesis_free(h);
}

/* docs/rules.md explains the answers. */
static void one_case_holds_refutes_or_leaves_open(void **state)
{
    (void)state;
    struct error e = {0};
    assert_true(case_parse(&tc, text, strlen(text), &e));
    board = outcome_new(&vc4_vpm_unit);
    run_board(rule);
    expect(rule, HYPOTHESIS_HOLDS,
           "holds: with the rule the model does what the board did, and without the rule it does not\n",
           NULL);
    expect("manual;vc4-vpm load.x = 3", HYPOTHESIS_UNTOUCHED,
           "not touched: the rule changes nothing in this case. The model differs from the board for another "
           "reason.\n",
           "vpm 5 ");
    run_board("manual;vc4-vpm write.row = value ^ 4");
    expect(rule, HYPOTHESIS_REFUTED,
           "refuted by this case: with the rule the model differs from the board. Without the rule the model "
           "differs from the board, too.\n",
           "vpm 1 ");
    run_board("manual");
    expect(rule, HYPOTHESIS_REFUTED,
           "refuted by this case: with the rule the model differs from the board. Without the rule the model "
           "does what the board did.\n",
           "vpm 5 ");
    expect("manual;vc4-vpm load.x = 3", HYPOTHESIS_UNTOUCHED,
           "not touched: the rule changes nothing in this case. The model does what the board did.\n", NULL);
    board->complete = false; /* the board recorded neither row 5 nor row 7 */
    memset(board->touched, 0, sizeof board->touched);
    expect(rule, HYPOTHESIS_OPEN, "open: the rule changes only bits that the board did not show\n", NULL);
    outcome_free(board);
}

/* Tries `rule` on a board with generated cases. */
static struct hypothesis_trial try_on(const char *spec, uint64_t cases)
{
    struct hypothesis_trial t = {.seed = 3, .most_cases = cases};
    struct error e = {0};
    volatile sig_atomic_t stop = 0;
    struct board *b = board_open(spec, &vc4_vpm_unit, &e);
    struct hypothesis *h = hypothesis_of(rule);
    assert_non_null(b);
    assert_true(hypothesis_try(h, b, &stop, &t, &e));
    assert_true(t.cases <= cases && t.touched <= t.cases);
    hypothesis_free(h);
    board_close(b);
    return t;
}

static void a_trial_counts_the_cases_that_the_rule_changes(void **state)
{
    (void)state;
    struct hypothesis_trial t = try_on("virtual:manual;vc4-vpm write.row = value ^ 2", 200);
    assert_in_range(t.touched, 20, 200);
    assert_int_equal(t.cases, 200);
    assert_int_equal(t.agreed, t.touched);
    assert_int_equal(t.refuted + t.unanswered, 0);
    assert_null(t.refuting);
    uint64_t touched = t.touched;
    t = try_on("virtual:manual", 200);
    assert_int_equal(t.touched, touched);
    assert_int_equal(t.refuted, touched);
    assert_int_equal(t.agreed + t.unanswered, 0);
    assert_non_null(t.refuting);
    tc = *t.refuting;
    board = outcome_new(&vc4_vpm_unit);
    run_board("manual");
    struct hypothesis *h = hypothesis_of(rule);
    assert_int_equal(hypothesis_judge(h, &tc, board), HYPOTHESIS_REFUTED);
    assert_true(h->plain_agrees && t.first_difference.length > 0);
    hypothesis_free(h);
    outcome_free(board);
    free(t.refuting);
    text_free(&t.first_difference);
    t = try_on("virtual:manual", 100000); /* enough after 256 */
    assert_int_equal(t.touched, 256);
    free(t.refuting);
    text_free(&t.first_difference);
}

/* An address register that is not set has no defined value, so nothing that it addresses is compared. */
static void a_trial_counts_the_cases_that_the_rule_leaves_undefined(void **state)
{
    (void)state;
    static const struct board_identity who = {.memory_base = MEMORY_BASE_DEFAULT,
                                              .code_base = CODE_BASE_DEFAULT};
    const struct unit *u = unit_named("utgard-gp");
    struct hypothesis_trial t = {.seed = 3, .most_cases = 2000};
    struct error e = {0};
    struct profile manual, changed;
    volatile sig_atomic_t stop = 0;
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(profile_resolve(u, "manual;utgard-gp address.set = 0", &changed, &e));
    struct board *b = board_open("virtual:manual", u, &e);
    struct hypothesis *h = hypothesis_new(u, &manual, &changed, &who);
    assert_non_null(b);
    assert_true(hypothesis_try(h, b, &stop, &t, &e));
    assert_int_equal(t.touched, 0);
    assert_in_range(t.undefined, 20, t.cases / 2);
    hypothesis_free(h);
    board_close(b);
}

static void expect_sentence(struct hypothesis_trial t, const char *sentence)
{
    struct text printed = {0};
    hypothesis_trial_print(&t, &printed);
    assert_string_equal(text_chars(&printed), sentence);
    text_free(&printed);
}

static void the_sentence_has_the_counts(void **state)
{
    (void)state;
    expect_sentence((struct hypothesis_trial){.cases = 1},
                    "the rule was not touched: it changed no defined bit in 1 generated case\n");
    expect_sentence((struct hypothesis_trial){.cases = 70},
                    "the rule was not touched: it changed no defined bit in 70 generated cases\n");
    expect_sentence((struct hypothesis_trial){.cases = 70, .undefined = 2},
                    "the rule was not touched: it changed no defined bit in 70 generated cases; in 2 it left "
                    "bits undefined that the document defines\n");
    expect_sentence((struct hypothesis_trial){.cases = 70, .touched = 9, .agreed = 9},
                    "the rule holds: it changed 9 of 70 generated cases; the board agreed in 9 of them\n");
    expect_sentence(
        (struct hypothesis_trial){.cases = 70, .touched = 30, .agreed = 9, .unanswered = 5},
        "the rule holds: it changed 30 of 70 generated cases; the board agreed in 9 of them; in 16 "
        "it did not show the difference; in 5 it gave no outcome\n");
    expect_sentence(
        (struct hypothesis_trial){.cases = 70, .touched = 16},
        "the rule stays open: it changed 16 of 70 generated cases; the board agreed in 0 of them; "
        "in 16 it did not show the difference\n");
    expect_sentence((struct hypothesis_trial){.cases = 70, .touched = 16, .agreed = 9, .refuted = 7},
                    "the rule is refuted: it changed 16 of 70 generated cases; the board agreed in 9 of them "
                    "and disagreed in 7\n");
}

/* A learned change is a reading or a rule. Both can be added to a profile, rules as long as there is room. */
static void learned_changes_are_applied(void **state)
{
    (void)state;
    const struct unit *u;
    struct error e = {0};
    struct profile p;
    struct learn_change reading = {.clause = 2, .reading = 1}, added = {.is_rule = true};
    static const char of_row[] = "vc4-vpm write.row = value ^ 2";
    unsigned count = 0;
    profile_of("manual", &p);
    assert_true(learn_apply(&reading, &p));
    assert_int_equal(p.reading[2], 1);
    assert_int_equal(p.rules.count, 0);
    assert_true(rule_parse(of_row, strlen(of_row), &u, &added.rule, &e));
    while (count < 1000 && learn_apply(&added, &p))
        assert_int_equal(p.rules.count, ++count);
    assert_true(count >= 1 && count < 1000);
    assert_int_equal(p.rules.count, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_case_holds_refutes_or_leaves_open),
        cmocka_unit_test(a_trial_counts_the_cases_that_the_rule_changes),
        cmocka_unit_test(a_trial_counts_the_cases_that_the_rule_leaves_undefined),
        cmocka_unit_test(the_sentence_has_the_counts),
        cmocka_unit_test(learned_changes_are_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
