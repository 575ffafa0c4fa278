/* SPDX-License-Identifier: MIT */
/*
 * Rules that put any value at any point. The model must stay within its memory. Plain and checked runs must
 * leave the same values in all bits that the checked run defines.
 */
#include "fuzz/generate/generate.h"
#include "model/rule/rule.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 24, RULES = 6 };

struct adversary {
    const struct unit *u;
    struct executor *x;
    struct outcome *plain, *checked;
    struct test_case *c;
    struct random r;
};

/* Writes a rule that sets the point to a number, or computes a new value from the old one. */
static void draw_rule(struct adversary *a, unsigned point, char *text, size_t size)
{
    static const char *const forms[] = {"%s %s = 0x%x", "%s %s = value ^ 0x%x", "%s %s = value + 0x%x",
                                        "%s %s = value * 0x%x + 1"};
    unsigned form = random_below(&a->r, 4), width = 1 + random_below(&a->r, 32);
    uint32_t number = random_below(&a->r, 4) ? random_u32(&a->r) >> (32 - width) : UINT32_MAX;
    (void)snprintf(text, size, forms[form], a->u->name, a->u->points[point].name, number);
}

static void run_under(struct adversary *a, const char *text)
{
    struct profile p = {0};
    struct rule rule;
    const struct unit *u;
    struct error e = {0};
    if (!rule_parse(text, strlen(text), &u, &rule, &e))
        fail_msg("%s: %s", text, e.text);
    assert_true(rules_add(&p.rules, &rule));
    for (unsigned i = 0; i < CASES; i++) {
        case_generate(&a->r, a->u, a->c);
        executor_run(a->x, a->c, &p, RUN_PLAIN, a->plain);
        executor_run(a->x, a->c, &p, RUN_CHECKED, a->checked);
        if (!outcomes_equal(a->checked, a->plain, NULL, NULL)) {
            struct text t = {0};
            case_print(a->c, &t);
            fprintf(stderr, "%s\n", text_chars(&t)); /* print_error would cut it */
            text_free(&t);
            fail_msg("%s: plain and checked runs differ", text);
        }
    }
}

static void any_value_is_harmless(void **state)
{
    (void)state;
    unsigned rules = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        struct adversary a = {.u = unit_at(i)};
        a.x = executor_new(a.u);
        a.plain = outcome_new(a.u);
        a.checked = outcome_new(a.u);
        a.c = calloc(1, sizeof *a.c);
        random_seed(&a.r, 20261124);
        for (unsigned point = 0; point < a.u->point_count; point++)
            for (unsigned k = 0; k < support_scaled(RULES); k++) {
                char text[256];
                draw_rule(&a, point, text, sizeof text);
                if (getenv("MISPRINT_TEST_SHOW"))
                    fprintf(stderr, "%s\n", text);
                run_under(&a, text);
                rules++;
            }
        free(a.c);
        outcome_free(a.checked);
        outcome_free(a.plain);
        executor_free(a.x);
    }
    print_message("%u rules\n", rules);
    assert_true(rules > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_value_is_harmless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
