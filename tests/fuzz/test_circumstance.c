/* SPDX-License-Identifier: MIT */
/*
 * The circumstance of a difference that the search cannot explain. The boards follow rules whose expressions
 * are too large for the search. The test prints the circumstance that was found, parses the text, and holds
 * it against the board's own guard on fresh cases of another seed.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/learn.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mixes all bits of a word with its place. No expression of two operators gives these values, not even for
 * one value that is frequent. */
#define MIX                                                                                                  \
    "rotl((value ^ (address + lane) * 0x9e3779b1) * 0x85ebca6b, 7) + ((value ^ lane) * 0xc2b2ae35 ^ "        \
    "(value + address) >> 3)"

enum { FRESH = 4000, CASES = 30 };

/* Watches one run. `held`: the guard of `rule` held at some visit of the rule's point. */
struct watch {
    const struct unit *unit;
    struct rule rule;
    bool held;
};

static void see(void *context, const struct observation *seen)
{
    struct watch *w = context;
    const struct point *p = &w->unit->points[w->rule.point];
    if (seen->point != w->rule.point)
        return;
    for (uint32_t lane = 0; lane < p->lanes; lane++) {
        const struct expression_context c = {.value = seen->value,
                                             .input = seen->input,
                                             .vectors = point_vectors(p),
                                             .lane = lane,
                                             .lanes = p->lanes};
        const struct expression *g = &w->rule.guard;
        w->held |= !g->count || expression_evaluate(g->node, g->count, &c);
    }
}

static void watch_text(const struct unit *u, const char *when, struct watch *w)
{
    struct text t = {0};
    struct error e = {0};
    text_add(&t, "%s = value", when);
    w->unit = u;
    if (!rule_parse(text_chars(&t), t.length, &w->unit, &w->rule, &e))
        fail_msg("%s: %s", text_chars(&t), e.text);
    text_free(&t);
}

/* Fresh cases: those with the circumstance that was found, with the board's own guard, with both; those that
 * differ, and those that differ and have the circumstance. */
struct counts {
    unsigned found, truth, agree, differing, both;
};

static struct counts count_fresh(const struct unit *u, const struct circumstance *k, const char *truth,
                                 const struct profile *p, const struct profile *board)
{
    struct executor *x = executor_new(u);
    struct outcome *a = outcome_new(u), *b = outcome_new(u);
    struct test_case *c = calloc(1, sizeof *c);
    struct watch found, own;
    struct counts n = {0};
    struct random r;
    struct text t = {0};
    circumstance_print(u, k, &t);
    watch_text(u, text_chars(&t), &found);
    watch_text(u, truth, &own);
    text_free(&t);
    random_seed(&r, 4711);
    for (unsigned i = 0; i < FRESH; i++) {
        case_generate(&r, u, c);
        struct watch *const watched[] = {&own, &found};
        for (unsigned w = 0; w < 2; w++) {
            struct run run = {.tc = c, .profile = p, .out = a, .mode = RUN_CHECKED, .see = see};
            watched[w]->held = false;
            run.see_context = watched[w];
            executor_run_with(x, &run);
        }
        executor_run(x, c, board, RUN_CHECKED, b);
        bool differs = !outcomes_equal(a, b, NULL, NULL);
        n.found += found.held;
        n.truth += own.held;
        n.agree += found.held && own.held;
        n.differing += differs;
        n.both += differs && found.held;
    }
    free(c);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    return n;
}

static struct learn_result *learn_board(const struct unit *u, const char *spec, uint64_t cases,
                                        struct profile *truth)
{
    struct learn_result *r = calloc(1, sizeof *r);
    struct text name = {0};
    struct error e = {0};
    struct profile manual;
    text_add(&name, "virtual:%s", spec);
    assert_true(profile_resolve(u, "manual", &manual, &e));
    if (!profile_resolve(u, spec, truth, &e))
        fail_msg("%s: %s", spec, e.text);
    struct board *b = board_open(text_chars(&name), u, &e);
    if (!b)
        fail_msg("%s: %s", spec, e.text);
    const struct learn_options o = {
        .unit = u, .board = b, .base = &manual, .seed = 1, .max_cases = cases, .fresh = CASES};
    assert_true(learn(&o, r, &e));
    board_close(b);
    text_free(&name);
    return r;
}

static void print_asides(const struct unit *u, const struct learn_result *r)
{
    for (uint32_t i = 0; i < r->asides; i++) {
        const struct learn_aside *a = &r->aside[i];
        struct text t = {0};
        if (a->circumstance.found)
            circumstance_print(u, &a->circumstance, &t);
        print_message("  %llu cases: %s: precision %.3f recall %.3f\n", (unsigned long long)a->cases,
                      a->circumstance.found ? text_chars(&t) : "no circumstance",
                      circumstance_precision(&a->circumstance), circumstance_recall(&a->circumstance));
        text_free(&t);
    }
    print_message("  %u learned, %.1f s\n", r->count, r->seconds);
}

/* The circumstance must hold in the cases in which the board's guard holds, and its printed precision and
 * recall must be those of the fresh cases. */
static void check_circumstance(const struct unit *u, const struct learn_aside *a, const char *truth,
                               const struct profile *board)
{
    struct profile manual;
    struct error e = {0};
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(a->circumstance.found);
    struct counts n = count_fresh(u, &a->circumstance, truth, &manual, board);
    print_message("  %s: %u cases with it, %u with the circumstance found, %u with both\n", truth, n.truth,
                  n.found, n.agree);
    assert_true(n.agree > 100);
    assert_true(n.agree * 100 >= n.truth * 98 && n.agree * 100 >= n.found * 98);
    assert_true(fabs(circumstance_precision(&a->circumstance) - (double)n.both / n.found) < 0.1);
    assert_true(fabs(circumstance_recall(&a->circumstance) - (double)n.both / n.differing) < 0.1);
}

/* One cause gives one circumstance, which is the guard of the board's rule. */
static void one_cause_has_one_circumstance(void **state)
{
    (void)state;
    static const char *const guards[] = {
        "vc4-vpm block.value when address >= 0x40",
        "vc4-vpm block.value when !reading && size == 2",
    };
    const struct unit *u = unit_named("vc4-vpm");
    for (unsigned i = 0; i < sizeof guards / sizeof *guards; i++) {
        char spec[400];
        struct profile board;
        snprintf(spec, sizeof spec, "manual;%s = %s", guards[i], MIX);
        struct learn_result *r = learn_board(u, spec, CASES, &board);
        print_message("%s\n", guards[i]);
        print_asides(u, r);
        assert_int_equal(r->asides, 1);
        check_circumstance(u, &r->aside[0], guards[i], &board);
        learn_free(r);
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cause_has_one_circumstance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
