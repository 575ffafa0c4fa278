/* SPDX-License-Identifier: MIT */
/*
 * The nearest agreeing case. The boards follow rules or readings that the test chose, so the test knows which
 * number of a case decides, and its value next to the border.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/nearest.h"
#include "fuzz/learn/places.h"
#include "fuzz/learn/same.h"
#include "fuzz/learn/sweep.h"
#include "oracle/compare/compare.h"
#include "oracle/describe/case_difference.h"
#include "oracle/report/rule/report_sweep.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct test_case *read_case(const char *text)
{
    struct test_case *c = calloc(1, sizeof *c);
    struct error e = {0};
    if (!case_parse(c, text, strlen(text), &e))
        fail_msg("%s", e.text);
    return c;
}

/* Does the model under `manual` agree with the board `virtual:SPEC` in a case? */
static bool agrees(const char *spec, const struct test_case *c)
{
    struct executor *x = executor_new(c->unit);
    struct outcome *a = outcome_new(c->unit), *b = outcome_new(c->unit);
    struct profile manual, board;
    struct error e = {0};
    assert_true(profile_resolve(c->unit, "manual", &manual, &e));
    assert_true(profile_resolve(c->unit, spec, &board, &e));
    executor_run(x, c, &manual, RUN_CHECKED, a);
    executor_run(x, c, &board, RUN_CHECKED, b);
    bool same = outcomes_equal(a, b, NULL, NULL);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    return same;
}

/* Finds the nearest agreeing case on the board `virtual:SPEC`, whose profile differs from `manual` in a rule
 * or, if `rule` is NULL, in a reading. */
static struct related_case find(const char *spec, const char *rule, const struct test_case *c)
{
    struct profile manual, with;
    struct rule change;
    struct related_case found = {0};
    struct error e = {0};
    char name[256];
    const struct unit *of;
    (void)snprintf(name, sizeof name, "virtual:%s", spec);
    struct board *b = board_open(name, c->unit, &e);
    assert_non_null(b);
    assert_true(profile_resolve(c->unit, "manual", &manual, &e));
    assert_true(profile_resolve(c->unit, spec, &with, &e));
    assert_true(!rule || rule_parse(rule, strlen(rule), &of, &change, &e));
    struct nearest n = {.executor = executor_new(c->unit),
                        .board = b,
                        .without = &manual,
                        .with = &with,
                        .rule = rule ? &change : NULL};
    assert_true(nearest_find(&n, c, &found, &e));
    executor_free(n.executor);
    board_close(b);
    return found;
}

/* The nearest agreeing case of `text` is that case with the change that `says` names. */
static void expect_nearest(const char *spec, const char *rule, const char *text, const char *says)
{
    struct test_case *c = read_case(text);
    struct case_difference d;
    struct text words = {0};
    assert_false(agrees(spec, c));
    struct related_case found = find(spec, rule, c);
    assert_non_null(found.tc);
    assert_true(agrees(spec, found.tc));
    assert_true(found.board_outcome_size > 0);
    case_difference_find(c, found.tc, &d);
    case_difference_print(&d, &words);
    assert_string_equal(text_chars(&words), says);
    text_free(&words);
    case_difference_free(&d);
    related_case_free(&found);
    free(c);
}

#define TWO_VECTORS(setup)                                                                                   \
    "misprint-case 1 vc4-vpm\ndata fill index\nops {\n  wr_setup " setup "\n  write 0\n  write 1\n}\n"

static void the_value_next_to_the_border(void **state)
{
    (void)state;
    expect_nearest("manual;vc4-vpm block.stride = value & 31", "vc4-vpm block.stride = value & 31",
                   TWO_VECTORS("h32 y=3 stride=40"), "`stride=40` becomes `stride=31`");
}

static void the_number_of_the_guard(void **state)
{
    (void)state;
    expect_nearest("manual;vc4-vpm block.stride when size == 2 && value >= 9 = value + 3",
                   "vc4-vpm block.stride when size == 2 && value >= 9 = value + 3",
                   TWO_VECTORS("h32 y=3 stride=9"), "`stride=9` becomes `stride=8`");
}

/* Stride 0 means 64: that is 32 rows further in a 16-bit mode (p57 T32). The board stays at the same row. Any
 * other stride means the same to both. */
static void a_reading(void **state)
{
    (void)state;
    expect_nearest("manual,vpm-stride-zero=stays", NULL, TWO_VECTORS("h16 y=1"), "`stride=1` is added");
}

/* A rule that changes every value has no border. The search finds a case that does not show the rule. */
static void a_rule_without_a_border(void **state)
{
    (void)state;
    static const char spec[] = "manual;vc4-vpm block.stride = value + 1";
    struct test_case *c = read_case(TWO_VECTORS("h32 y=3 stride=2"));
    assert_false(agrees(spec, c));
    struct related_case found = find(spec, "vc4-vpm block.stride = value + 1", c);
    assert_non_null(found.tc);
    assert_true(agrees(spec, found.tc));
    assert_false(case_equal(c, found.tc));
    related_case_free(&found);
    free(c);
}

/* Changes each place of generated cases. Only that place changes, and all of it. */
static void places_are_apart(void **state)
{
    (void)state;
    struct place *list = calloc(PLACES_MAX, sizeof *list);
    struct test_case *c = calloc(1, sizeof *c), *changed = calloc(1, sizeof *changed);
    struct random r;
    random_seed(&r, 5);
    for (unsigned u = 0; unit_at(u); u++)
        for (unsigned n = 0; n < support_scaled(20); n++) {
            case_generate(&r, unit_at(u), c);
            uint32_t count = places_list(c, list);
            assert_true(count > 0);
            for (uint32_t i = 0; i < count; i++) {
                const struct place *p = &list[i];
                uint32_t old = place_get(c, p), range = p->most - p->least,
                         any = range == UINT32_MAX ? random_u32(&r) : random_below(&r, range + 1),
                         value = p->least + any;
                assert_true(old >= p->least && old <= p->most);
                case_copy(changed, c);
                place_set(changed, p, value);
                assert_int_equal(place_get(changed, p), value);
                assert_int_equal(case_equal(c, changed), value == old);
                place_set(changed, p, old);
                assert_true(case_equal(c, changed));
            }
        }
    free(changed);
    free(c);
    free(list);
}

/* Returns the stride in the text of a case. */
static unsigned stride_of(const struct test_case *c)
{
    struct text t = {0};
    unsigned stride = 0; /* the text omits 0 */
    case_print(c, &t);
    const char *at = strstr(text_chars(&t), "stride=");
    if (at)
        stride = (unsigned)strtoul(at + strlen("stride="), NULL, 10);
    text_free(&t);
    return stride;
}

/* The board takes STRIDE modulo 32, and the rule under test says modulo 16. The sweep has the values at the
 * borders 15, 16 of the rule, and shows with which values the board does what the rule says: below 16 all
 * agree; from 16 to 31 the board does what the manual says; from 32 to 47 both moduli are equal; above, they
 * differ. */
static void a_sweep_shows_what_the_board_does(void **state)
{
    static const char rule[] = "vc4-vpm block.stride = value & 15";
    static struct finding_view view;
    struct finding f = {.cases = 1};
    struct measurement m;
    struct profile with;
    struct error e = {0};
    struct rule change;
    const struct unit *u;
    bool seen[64] = {0};
    (void)state;
    struct test_case *c = read_case(TWO_VECTORS("h32 y=3 stride=40"));
    struct board *b = board_open("virtual:manual;vc4-vpm block.stride = value & 31", c->unit, &e);
    assert_non_null(b);
    assert_true(rule_parse(rule, strlen(rule), &u, &change, &e));
    assert_true(profile_resolve(u, "manual", &view.base, &e));
    assert_true(profile_resolve(u, "manual;vc4-vpm block.stride = value & 15", &with, &e));
    struct nearest n = {
        .executor = executor_new(u), .board = b, .without = &view.base, .with = &with, .rule = &change};
    assert_true(sweep_find(&n, c, &f.related[RELATED_SWEEP], &e));
    for (unsigned i = 0; i < SWEEP_MAX; i++) {
        assert_non_null(f.related[RELATED_SWEEP + i].tc);
        unsigned stride = stride_of(f.related[RELATED_SWEEP + i].tc);
        assert_true(stride < 64 && !seen[stride]);
        seen[stride] = true;
    }
    assert_true(seen[15] && seen[16]);
    f.unit = u;
    f.board = b->identity;
    (void)snprintf(f.learned.rules, sizeof f.learned.rules, "%s", rule);
    view.finding = &f;
    view.shown = true;
    sweep_measure(&view, &change, &m);
    assert_int_equal(m.count, SWEEP_MAX);
    for (uint32_t i = 0; i < m.count; i++) {
        const uint32_t value = m.at[i].value;
        assert_true(seen[value]);
        assert_int_equal(m.at[i].result, value % 16);
        assert_int_equal(m.at[i].how, value < 16   ? MEASURED_SAME
                                      : value < 32 ? MEASURED_MODEL
                                      : value < 48 ? MEASURED_RULE
                                                   : MEASURED_NEITHER);
    }
    finding_free_contents(&f);
    executor_free(n.executor);
    board_close(b);
    free(c);
}

/* Returns the number of values in the sweep of a rule, which the board follows. */
static unsigned swept(const char *rule)
{
    struct finding f = {.cases = 1};
    struct profile manual, with;
    struct error e = {0};
    struct rule change;
    const struct unit *u;
    char spec[128], board[160];
    unsigned count = 0;
    struct test_case *c = read_case(TWO_VECTORS("h16 y=3 stride=40"));
    (void)snprintf(spec, sizeof spec, "manual;%s", rule);
    (void)snprintf(board, sizeof board, "virtual:%s", spec);
    struct board *b = board_open(board, c->unit, &e);
    assert_non_null(b);
    assert_true(rule_parse(rule, strlen(rule), &u, &change, &e));
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(profile_resolve(u, spec, &with, &e));
    struct nearest n = {
        .executor = executor_new(u), .board = b, .without = &manual, .with = &with, .rule = &change};
    assert_true(sweep_find(&n, c, &f.related[RELATED_SWEEP], &e));
    while (count < SWEEP_MAX && f.related[RELATED_SWEEP + count].tc)
        count++;
    finding_free_contents(&f);
    executor_free(n.executor);
    board_close(b);
    free(c);
    return count;
}

/* SIZE has two bits. LANED has one, so there is nothing between its two values that a picture could show. */
static void a_sweep_of_two_bits_is_shown_and_of_one_bit_is_not(void **state)
{
    (void)state;
    assert_int_equal(swept("vc4-vpm block.size = value ^ 3"), 4);
    assert_int_equal(swept("vc4-vpm block.laned = value ^ 1"), 0);
}

static bool same(const char *a, const char *b)
{
    struct rule x, y;
    const struct unit *u;
    struct error e = {0};
    assert_true(rule_parse(a, strlen(a), &u, &x, &e));
    assert_true(rule_parse(b, strlen(b), &u, &y, &e));
    return rules_are_same(u, &x, &y);
}

static void one_rule_in_two_ways(void **state)
{
    (void)state;
    assert_true(same("vc4-vpm block.stride = value & 31", "vc4-vpm block.stride = value % 32"));
    assert_true(same("vc4-vpm block.stride when reading == 0 = value + 1",
                     "vc4-vpm block.stride when reading <= laned && reading + laned <= 1 = value + 1"));
    assert_true(same("vc4-vpm block.value = value[lane + 1]", "vc4-vpm block.value = value[lane - 15]"));
    assert_false(same("vc4-vpm block.stride = value & 31", "vc4-vpm block.stride = value & 15"));
    assert_false(same("vc4-vpm block.stride = value & 31", "vc4-vpm block.addr = value & 31"));
    assert_false(
        same("vc4-vpm block.stride = value + 1", "vc4-vpm block.stride when word != 0x104e20 = value + 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_next_to_the_border),
        cmocka_unit_test(the_number_of_the_guard),
        cmocka_unit_test(a_reading),
        cmocka_unit_test(a_rule_without_a_border),
        cmocka_unit_test(places_are_apart),
        cmocka_unit_test(one_rule_in_two_ways),
        cmocka_unit_test(a_sweep_shows_what_the_board_does),
        cmocka_unit_test(a_sweep_of_two_bits_is_shown_and_of_one_bit_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
