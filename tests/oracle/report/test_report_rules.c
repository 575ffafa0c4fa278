/* SPDX-License-Identifier: MIT */
/*
 * What reports say of learned rules. The board takes STRIDE modulo 32, the rule says modulo 16, the manual
 * has six bits. So the board agrees with both below 16, with the manual from 16 to 31, with the rule from 32
 * to 47, where the moduli are equal, and with neither above.
 */
#include "oracle/compare/executor.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/rule/report_sweep.h"
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t stride, by_rule;
    const char *board;
} swept[] = {{3, 3, "same"},  {15, 15, "same"}, {16, 0, "model"},   {21, 5, "model"},   {35, 3, "rule"},
             {40, 8, "rule"}, {45, 13, "rule"}, {50, 2, "neither"}, {63, 15, "neither"}};
enum { SWEPT = sizeof swept / sizeof *swept };

static struct finding finding;
static struct report report;
static struct finding_viewer *viewer;
static struct finding_view view;
static struct text text;

/* Makes the case with a stride, and the board's encoded outcome of it. */
static void ask_board(uint32_t stride, struct test_case *c, struct outcome *board)
{
    struct executor *x = executor_new(finding.unit);
    struct profile p;
    struct error e = {0};
    char chars[160];
    (void)
        snprintf(chars, sizeof chars,
                 "misprint-case 1 vc4-vpm\ndata fill index\nops {\n  wr_setup h32 y=3 stride=%u\n  write 0\n"
                 "  write 1\n}\n",
                 (unsigned)stride);
    if (!case_parse(c, chars, strlen(chars), &e) ||
        !profile_resolve(finding.unit, "manual;vc4-vpm block.stride = value & 31", &p, &e))
        fail_msg("%s", e.text);
    executor_run(x, c, &p, RUN_PLAIN, board);
    executor_free(x);
}

static int begin(void **state)
{
    static struct test_case c;
    (void)state;
    finding = (struct finding){.unit = unit_named("vc4-vpm"),
                               .verdict = VERDICT_UNDOCUMENTED,
                               .profile = "manual",
                               .board = {.spec = "exec:./it", .kind = "exec"},
                               .learned = {.rules = "vc4-vpm block.stride = value & 15",
                                           .alternatives = "vc4-vpm block.stride = value % 16\n"
                                                           "vc4-vpm block.stride = low(value, 4)",
                                           .alternatives_count = 5,
                                           .explained = 41,
                                           .experiments = 17}};
    struct outcome *board = outcome_new(finding.unit);
    ask_board(40, &c, board);
    assert_true(finding_set_case(&finding, &c, board, "seed 1 case 7, reduced"));
    for (unsigned i = 0; i < SWEPT; i++) {
        size_t size;
        ask_board(swept[i].stride, &c, board);
        uint8_t *bytes = finding_encode_outcome(board, &size);
        finding_set_related(&finding, RELATED_SWEEP + i, &c, "a sweep", bytes, size);
        free(bytes);
    }
    outcome_free(board);
    report = (struct report){.finding = &finding, .findings = 1};
    viewer = finding_viewer_new();
    finding_view(viewer, &report, 0, &view);
    assert_true(view.shown);
    return 0;
}

static int end(void **state)
{
    (void)state;
    finding_viewer_free(viewer);
    finding_free_contents(&finding);
    text_free(&text);
    return 0;
}

static void json_has_what_the_board_did_with_each_value(void **state)
{
    (void)state;
    json_t *all = rules_json(&view), *rules = json_object_get(all, "rules");
    assert_int_equal(json_array_size(rules), 1);
    json_t *rule = json_array_get(rules, 0), *measured = json_object_get(rule, "measured"),
           *sweep = json_object_get(rule, "sweep");
    assert_string_equal(json_string_value(json_object_get(rule, "rule")),
                        "vc4-vpm block.stride = value & 0xf");
    assert_int_equal(json_array_size(measured), SWEPT);
    for (unsigned i = 0; i < SWEPT; i++) {
        json_t *one = json_array_get(measured, i);
        assert_int_equal(json_integer_value(json_object_get(one, "value")), swept[i].stride);
        assert_int_equal(json_integer_value(json_object_get(one, "rule")), swept[i].by_rule);
        assert_string_equal(json_string_value(json_object_get(one, "board")), swept[i].board);
    }
    assert_true(json_is_true(json_object_get(rule, "whole")));
    assert_int_equal(json_array_size(sweep), 64);
    for (unsigned i = 0; i < 64; i++) {
        json_t *pair = json_array_get(sweep, i);
        assert_int_equal(json_integer_value(json_array_get(pair, 0)), i);
        assert_int_equal(json_integer_value(json_array_get(pair, 1)), i % 16);
    }
    assert_int_equal(json_integer_value(json_object_get(all, "explained")), 41);
    assert_int_equal(json_integer_value(json_object_get(all, "experiments")), 17);
    assert_int_equal(json_array_size(json_object_get(all, "alternatives")), 2);
    assert_int_equal(json_integer_value(json_object_get(all, "alternatives_count")), 5);
    assert_true(json_is_null(json_object_get(all, "withdrawn")));
    json_decref(all);
}

/* The scale of the picture goes from 60 to 410 for the values 0 to 63, and from 194 up to 12. */
static void the_page_draws_what_the_board_did(void **state)
{
    (void)state;
    html_rules(&view, &text);
    assert_has(text_chars(&text), "<h4>The rule</h4>");
    assert_has(text_chars(&text),
               "<code>block.stride</code> <span>what its value becomes; every value</span>");
    assert_int_equal(occurrences(text_chars(&text), "<circle class=\"cv\""), 64);
    assert_int_equal(occurrences(text_chars(&text), "<circle class=\"cv x\""), 64);
    assert_int_equal(occurrences(text_chars(&text), "<circle class=\"cb\""), 7);
    assert_int_equal(occurrences(text_chars(&text), "<path class=\"cb\""), 2);
    assert_has(text_chars(&text),
               "<circle class=\"cb\" cx=\"176.7\" cy=\"133.3\" r=\"4\"/>"); /* 21 stays 21 */
    assert_has(text_chars(&text),
               "<circle class=\"cb\" cx=\"282.2\" cy=\"170.9\" r=\"4\"/>"); /* 40 becomes 8 */
    assert_has(text_chars(&text),
               "The board ran the smallest case with 9 values of the field. With 3 values it "
               "did what the rule says and the model does not; with 2 values rule and model "
               "say the same, and the board did it; with 2 values it did what the model "
               "does and the rule does not say; with 2 values it did neither.");
    assert_has(text_chars(&text), "Rules that no experiment distinguished: 5");
    assert_has(text_chars(&text), "--profile manual --rule");
}

static void alternatives_are_lines(void **state)
{
    (void)state;
    words_alternatives(&view, &text);
    assert_string_equal(text_chars(&text), "vc4-vpm block.stride = value % 16\n"
                                           "vc4-vpm block.stride = low(value, 4)\n"
                                           "# and 3 more\n");
    text_clear(&text);
    finding.learned.alternatives_count = 2;
    words_alternatives(&view, &text);
    assert_lacks(text_chars(&text), "more");
    text_clear(&text);
    finding.learned.alternatives[0] = 0;
    finding.learned.alternatives_count = 0;
    words_alternatives(&view, &text);
    assert_int_equal(text.length, 0);
}

static void without_a_rule_nothing_is_said(void **state)
{
    (void)state;
    finding.learned = (struct finding_learned){.rules = ""};
    html_rules(&view, &text);
    words_rules(&view, &text);
    words_rule_trials(&view, &text);
    words_rule_sweeps(&view, &text);
    words_rule_commands(&view, &text);
    words_ledger_draft(&view, &text);
    assert_int_equal(text.length, 0);
    json_t *all = rules_json(&view);
    assert_true(json_is_null(all));
    json_decref(all);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(json_has_what_the_board_did_with_each_value),
        TEST(the_page_draws_what_the_board_did),
        TEST(alternatives_are_lines),
        TEST(without_a_rule_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
