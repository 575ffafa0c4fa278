/* SPDX-License-Identifier: MIT */
/* The text and JSON that describe an attribution. Each number agrees in grammar with its noun, and text and
 * JSON have the same content. */
#include "cli/session/attribution.c" /* NOLINT(bugprone-suspicious-include): its own functions */
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static struct attribution a;

static void check(const char *expected)
{
    struct text t = {0};
    attribution_print(&vc4_vpm_unit, &a, &t);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

static void start_again(unsigned changes)
{
    memset(&a, 0, sizeof a);
    a.cases = 9;
    a.different = 4;
    a.changes = changes;
    for (unsigned i = 0; i < changes; i++)
        a.change[i] = (struct attributed_change){.clause = (uint16_t)i, .reading = 1, .needed_by = 1 + i};
    for (unsigned i = 0; i < changes; i++)
        a.profile.reading[i] = 1;
}

/* A set of two changes: each clause gets its reading 1. */
static struct cause pair(uint16_t one, uint16_t other)
{
    return (struct cause){.count = 2, .change = {{one, 1}, {other, 1}}};
}

/* The first three clauses of the unit, each with its first reading other than the manual's. */
#define FIRST  "vpm-addr-h8=row-div-4"
#define SECOND "vpm-addr-h16=row-div-4"
#define THIRD  "vpm-addr-v8=row-div-4"

static void one_change(void **state)
{
    (void)state;
    assert_string_equal(unit_clause(&vc4_vpm_unit, 0)->id, "vpm-addr-h8");
    start_again(1);
    a.exact = true;
    check("9 cases were kept as evidence; 4 differ. With this reading changed the model reproduces all 4:\n"
          "    " FIRST " (1 case differs without it)\n"
          "  no smaller set does; no other set of this size does\n");
    a.cases = a.different = 1;
    check("1 case was kept as evidence; 1 differs. With this reading changed the model reproduces 1:\n"
          "    " FIRST " (1 case differs without it)\n"
          "  no smaller set does; no other set of this size does\n");
    a.different = a.cases = 3;
    a.unexplained = 2;
    check(
        "3 cases were kept as evidence; 3 differ. With this reading changed the model reproduces 1 of them:\n"
        "    " FIRST " (1 case differs without it)\n"
        "  no smaller set does; no other set of this size does\n"
        "  2 cases are not reproduced together with the others (some may be of findings with the verdict "
        "undefined)\n");
}

static void several_sets(void **state)
{
    (void)state;
    start_again(2);
    a.change[0].candidates = 1;
    a.change[0].candidate[0].clause = 1;
    a.change[0].candidate[0].reading = 1;
    a.change[1].more_candidates = true;
    a.exact = true;
    a.sets = 2;
    a.set[0] = pair(0, 1); /* this set is the one that the text already lists */
    a.set[1] = pair(0, 2);
    static const char head[] = "9 cases were kept as evidence; 4 differ. With these 2 readings changed the "
                               "model reproduces all 4:\n"
                               "    " FIRST ", or " SECOND " (1 case differs without it)\n"
                               "    " SECOND ", or others (2 cases differ without it)\n";
    char expected[600];
    snprintf(expected, sizeof expected,
             "%s  no smaller set does; all others of this size follow\n  or: " FIRST "," THIRD "\n", head);
    check(expected);
    a.set[0] = pair(0, 2); /* the listed set may also be the second one */
    a.set[1] = pair(0, 1);
    check(expected);
    a.more_sets = true;
    snprintf(expected, sizeof expected,
             "%s  no smaller set does; many others of this size do\n  or: " FIRST "," THIRD "\n", head);
    check(expected);
    a.more_sets = false;
    a.sets = 1;
    a.set[0] = (struct cause){.count = 1, .change = {{2, 1}}};
    snprintf(expected, sizeof expected,
             "%s  a smaller set does; all others of this size follow\n  or: " THIRD "\n", head);
    check(expected);
    a.exact = false;
    a.sets = 0;
    snprintf(expected, sizeof expected,
             "%s  the search was cut short; there may be smaller sets, or others\n", head);
    check(expected);
}

/* The text does not count a case as reproduced if a reading leaves its differing bits undefined. */
static void what_is_only_undefined_is_not_reproduced(void **state)
{
    (void)state;
    start_again(1);
    a.exact = true;
    a.masked = 1;
    a.change[0].needed_by = 4;
    a.change[0].masked = 1;
    check(
        "9 cases were kept as evidence; 4 differ. With this reading changed the model reproduces 3 of them, "
        "and leaves the differing bits of 1 undefined:\n"
        "    " FIRST " (4 cases differ without it; it leaves the bits of 1 of them undefined)\n"
        "  no smaller set does; no other set of this size does\n");
    a.masked = a.change[0].masked = 4;
    check("9 cases were kept as evidence; 4 differ. With this reading changed the model leaves the differing "
          "bits of 4 undefined:\n"
          "    " FIRST " (4 cases differ without it; it leaves the bits of 4 of them undefined)\n"
          "  no smaller set does; no other set of this size does\n");
}

static void many_and_none(void **state)
{
    (void)state;
    start_again(0);
    a.unexplained = 1;
    check("9 cases were kept as evidence; 4 differ. No change of readings was found with which the model "
          "agrees better.\n"
          "  1 case is not reproduced together with the others (some may be of findings with the verdict "
          "undefined)\n");
    start_again(CHANGES_MAX + 1);
    struct text t = {0};
    attribution_print(&vc4_vpm_unit, &a, &t);
    assert_non_null(strstr(text_chars(&t), "  Without any one of them more cases differ. Replacing each by "
                                           "one other reading was tried, not by two or more.\n"));
    text_free(&t);
    start_again(CHANGES_MAX);
    attribution_print(&vc4_vpm_unit, &a, &t);
    assert_null(strstr(text_chars(&t), "Replacing"));
    text_free(&t);
}

static void json_says_the_same(void **state)
{
    (void)state;
    start_again(2);
    a.change[1].candidates = 1;
    a.change[1].candidate[0].reading = 1;
    a.unexplained = 3;
    a.cut = true;
    a.sets = 2;
    a.set[0] = a.set[1] = (struct cause){.count = 1};
    a.set[0].change[0].reading = a.set[1].change[0].reading = 1;
    a.set[1].change[0].clause = 1;
    json_t *j = attribution_json(&vc4_vpm_unit, &a);
    char *chars = json_dumps(j, JSON_COMPACT | JSON_SORT_KEYS);
#define JSON_FIRST  "{\"clause\":\"vpm-addr-h8\",\"reading\":\"row-div-4\"}"
#define JSON_SECOND "{\"clause\":\"vpm-addr-h16\",\"reading\":\"row-div-4\"}"
    assert_string_equal(
        chars,
        "{\"cases\":9,\"changes\":["
        "{\"clause\":\"vpm-addr-h8\",\"needed_by\":1,\"reading\":\"row-div-4\",\"rivals\":[],\"undefined\":0}"
        ","
        "{\"clause\":\"vpm-addr-h16\",\"needed_by\":2,\"reading\":\"row-div-4\",\"rivals\":[" JSON_FIRST
        "],\"undefined\":0}],\"cut\":true,\"different\":4,\"exact\":false,"
        "\"sets\":[[" JSON_FIRST "],[" JSON_SECOND
        "]],\"undefined\":0,\"unexplained\":3,\"unit\":\"vc4-vpm\"}");
    free(chars);
    json_decref(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_change),
        cmocka_unit_test(several_sets),
        cmocka_unit_test(what_is_only_undefined_is_not_reproduced),
        cmocka_unit_test(many_and_none),
        cmocka_unit_test(json_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
