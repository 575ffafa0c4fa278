/* SPDX-License-Identifier: MIT */
/*
 * Rules that put any value at any point. The model must stay within its memory. Plain and checked runs must
 * leave the same values in all bits that the checked run defines.
 *
 * Rules that change no value. They must change no outcome, so all values must fit the widths of their points.
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

enum { CASES = 24, RULES = 6, WIDE_CASES = 4000, SAME_CASES = 200 };

struct adversary {
    const struct unit *u;
    struct executor *x;
    struct outcome *plain, *checked, *before;
    struct test_case *c, *first;
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

static void read_rule(const char *text, struct profile *p)
{
    struct rule rule;
    const struct unit *u;
    struct error e = {0};
    if (!rule_parse(text, strlen(text), &u, &rule, &e))
        fail_msg("%s: %s", text, e.text);
    assert_true(rules_add(&p->rules, &rule));
}

static void open_adversary(struct adversary *a, const struct unit *u)
{
    *a = (struct adversary){.u = u,
                            .x = executor_new(u),
                            .plain = outcome_new(u),
                            .checked = outcome_new(u),
                            .before = outcome_new(u),
                            .c = calloc(1, sizeof *a->c),
                            .first = calloc(1, sizeof *a->first)};
    random_seed(&a->r, 20261124);
}

static void close_adversary(struct adversary *a)
{
    free(a->c);
    free(a->first);
    outcome_free(a->before);
    outcome_free(a->checked);
    outcome_free(a->plain);
    executor_free(a->x);
}

/* Do two checked runs end alike, and define the same bits with the same values? */
static bool same_outcome(const struct outcome *x, const struct outcome *y)
{
    const size_t words = (size_t)x->unit->layout.rows * x->unit->layout.row_words;
    size_t i = 0;
    while (i < words && x->defined[i] == y->defined[i] && !((x->value[i] ^ y->value[i]) & x->defined[i]))
        i++;
    return x->end == y->end && x->reason == y->reason && i == words;
}

/* Runs cases under a rule. The first one comes again at the end: what other cases left must not matter. */
static void run_under(struct adversary *a, const char *text)
{
    struct profile p = {0};
    read_rule(text, &p);
    case_generate(&a->r, a->u, a->c);
    case_copy(a->first, a->c);
    executor_run(a->x, a->first, &p, RUN_CHECKED, a->before);
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
    executor_run(a->x, a->first, &p, RUN_CHECKED, a->checked);
    if (!same_outcome(a->before, a->checked))
        fail_msg("%s: a case runs in another way after others", text);
}

static void any_value_is_harmless(void **state)
{
    (void)state;
    unsigned rules = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        struct adversary a;
        open_adversary(&a, unit_at(i));
        for (unsigned point = 0; point < a.u->point_count; point++)
            for (unsigned k = 0; k < support_scaled(RULES); k++) {
                char text[256];
                draw_rule(&a, point, text, sizeof text);
                if (getenv("MISPRINT_TEST_SHOW"))
                    fprintf(stderr, "%s\n", text);
                run_under(&a, text);
                rules++;
            }
        close_adversary(&a);
    }
    print_message("%u rules\n", rules);
    assert_true(rules > 100);
}

/* The bits of values and inputs that passed the points of a unit, and lie beyond the widths. */
struct widths {
    const struct unit *u;
    uint64_t values;
    uint32_t value[POINTS_MAX], input[POINTS_MAX][POINT_INPUTS_MAX];
};

static void note_width(void *context, const struct observation *seen)
{
    struct widths *w = context;
    const struct point *p = &w->u->points[seen->point];
    const unsigned vectors = point_vectors(p);
    for (unsigned lane = 0; lane < p->lanes; lane++)
        w->value[seen->point] |= seen->value[lane] & ~point_mask(p);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        for (unsigned lane = 0; lane < (i < vectors ? POINT_LANES_MAX : 1U); lane++)
            w->input[seen->point][i] |=
                seen->input[point_input_at(vectors, i) + lane] & ~(UINT32_MAX >> (32 - p->input[i].width));
    w->values++;
}

static unsigned print_widths(const struct widths *w)
{
    unsigned wrong = 0;
    for (unsigned k = 0; k < w->u->point_count; k++) {
        const struct point *p = &w->u->points[k];
        if (w->value[k])
            fprintf(stderr, "%s %s: %x beyond %u bits\n", w->u->name, p->name, w->value[k], p->width);
        wrong += w->value[k] != 0;
        for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++) {
            if (w->input[k][i])
                fprintf(stderr, "%s %s: %s %x beyond %u bits\n", w->u->name, p->name, p->input[i].name,
                        w->input[k][i], p->input[i].width);
            wrong += w->input[k][i] != 0;
        }
    }
    return wrong;
}

static void values_fit_their_points(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        struct adversary a;
        struct widths *w = calloc(1, sizeof *w);
        struct profile p;
        w->u = unit_at(i);
        open_adversary(&a, w->u);
        profile_builtin(a.u, a.u->best_profile, &p);
        for (unsigned n = 0; n < support_scaled(WIDE_CASES); n++) {
            struct run r = {.tc = a.c,
                            .profile = &p,
                            .out = a.plain,
                            .mode = RUN_PLAIN,
                            .see = note_width,
                            .see_context = w};
            case_generate(&a.r, a.u, a.c);
            executor_run_with(a.x, &r);
        }
        assert_true(w->values > support_scaled(WIDE_CASES));
        wrong += print_widths(w);
        close_adversary(&a);
        free(w);
    }
    assert_int_equal(wrong, 0);
}

static void the_same_value_changes_nothing(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        struct adversary a;
        struct profile p;
        open_adversary(&a, unit_at(i));
        profile_builtin(a.u, a.u->best_profile, &p);
        for (unsigned point = 0; point < a.u->point_count; point++) {
            struct profile ruled = p;
            char text[256];
            (void)snprintf(text, sizeof text, "%s %s = value", a.u->name, a.u->points[point].name);
            read_rule(text, &ruled);
            for (unsigned n = 0; n < support_scaled(SAME_CASES); n++) {
                case_generate(&a.r, a.u, a.c);
                executor_run(a.x, a.c, &p, RUN_CHECKED, a.checked);
                executor_run(a.x, a.c, &ruled, RUN_PLAIN, a.plain);
                if (outcomes_equal(a.checked, a.plain, NULL, NULL))
                    continue;
                fprintf(stderr, "%s changes an outcome\n", text);
                wrong++;
                break;
            }
        }
        close_adversary(&a);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_value_is_harmless),
                                       cmocka_unit_test(values_fit_their_points),
                                       cmocka_unit_test(the_same_value_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
