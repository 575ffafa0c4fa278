/* SPDX-License-Identifier: MIT */
/*
 * Learning what a board does. Only the test knows the boards: they follow a reading that the search may not
 * use, or a rule of the test. The test compares the learned profile with the board on fresh cases of another
 * seed.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/learn.h"
#include "oracle/board/board_kind.h"
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

enum { FRESH = 20000, SECONDS = 180 }; /* a busy machine may take long */

struct score {
    double seconds; /* limit for each board; 0: SECONDS */
    unsigned boards, noticed, exact, changes;
};

/* In how many of `count` fresh cases do two profiles leave different values in a bit that both define? */
static unsigned count_differing(const struct unit *u, const struct profile *p, const struct profile *q,
                                unsigned count)
{
    struct executor *x = executor_new(u);
    struct outcome *a = outcome_new(u), *b = outcome_new(u);
    struct test_case *c = calloc(1, sizeof *c);
    struct random r;
    unsigned differing = 0;
    random_seed(&r, 4711);
    for (unsigned i = 0; i < count; i++) {
        case_generate(&r, u, c);
        executor_run(x, c, p, RUN_CHECKED, a);
        executor_run(x, c, q, RUN_CHECKED, b);
        differing += !outcomes_equal(a, b, NULL, NULL);
    }
    free(c);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    return differing;
}

static void run_learn(const struct unit *u, const char *spec, const bool *hidden, double seconds,
                      struct learn_result *r)
{
    char name[256];
    struct error e = {0};
    struct profile manual;
    assert_true(profile_resolve(u, "manual", &manual, &e));
    (void)snprintf(name, sizeof name, "virtual:%s", spec);
    struct board *b = board_open(name, u, &e);
    if (!b)
        fail_msg("%s: %s", name, e.text);
    struct learn_options o = {.unit = u,
                              .board = b,
                              .base = &manual,
                              .seed = 1,
                              .max_seconds = seconds,
                              .fresh = FRESH,
                              .hidden = hidden};
    if (!learn(&o, r, &e))
        fail_msg("%s: %s", name, e.text);
    board_close(b);
}

/* Learns one board, and adds the result to the score. Ignores boards that do not differ from the manual. */
static void score_board(const struct unit *u, const char *spec, const bool *hidden, struct score *s)
{
    struct learn_result *r = calloc(1, sizeof *r);
    struct profile manual, truth;
    struct error e = {0};
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(profile_resolve(u, spec, &truth, &e));
    if (!count_differing(u, &manual, &truth, FRESH)) {
        free(r);
        return;
    }
    run_learn(u, spec, hidden, s->seconds > 0 ? s->seconds : SECONDS, r);
    unsigned left = count_differing(u, &r->profile, &truth, FRESH);
    struct text t = {0};
    for (uint32_t i = 0; i < r->count; i++) {
        text_add(&t, i ? "; " : "");
        learn_print_change(u, &r->learned[i].change, &t);
    }
    print_message("%-60s %5u left, %4.1f s: %s\n", spec, left, r->seconds, text_chars(&t));
    text_free(&t);
    s->boards++;
    s->noticed += r->differing != 0;
    s->exact += !left;
    s->changes += r->count;
    learn_free(r);
    free(r);
}

static void report(const char *what, const struct score *s)
{
    print_message("%s: %u boards, %u noticed, %u learned exactly, %u changes\n", what, s->boards, s->noticed,
                  s->exact, s->changes);
}

/* For every reading other than the manual's: learns a board that follows it, with its clause hidden from the
 * search. Long tier only; prints a table. */
static void hidden_readings_are_learned(void **state)
{
    (void)state;
    if (!getenv("MISPRINT_TEST_LONG"))
        skip();
    const struct unit *u = unit_named("vc4-vpm");
    struct score s = {0};
    for (unsigned i = 0; i < unit_clauses(u); i++)
        for (unsigned k = 1; k < clause_readings(unit_clause(u, i)); k++) {
            char spec[160];
            bool hidden[CLAUSES_MAX] = {0};
            hidden[i] = true;
            snprintf(spec, sizeof spec, "manual,%s=%s", unit_clause(u, i)->id,
                     unit_clause(u, i)->readings[k].id);
            score_board(u, spec, hidden, &s);
        }
    report("hidden readings", &s);
    assert_int_equal(s.noticed, s.boards);
}

/* Learns boards that follow one rule of the test. */
static void rules_are_learned(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "vc4-vpm block.stride = value & 31",
        "vc4-vpm block.row = value ^ 2",
        "vc4-vpm load.vpitch = value - 1",
        "vc4-vpm block.shift when size == 1 = value ^ 16",
        "vc4-vpm block.value = rotl(value, 8)",
        "vc4-vpm dma.x = value + 1",
        "vc4-vpm dma.pitch = value + 4",
        "vc4-vpm write.lanes = value & 0x7fff",
        "svp64-swizzle insn.subvl = value ^ 1",
        "amd-buffer stride.address when mode == 2 = 0",
        "vc4-tmu half.exponent = value + 1",
        "amd-buffer small.exponent = value - 46",
        "vc4-vpm block.value when reading == 1 = if(lane, 0, value[15])",
    };
    struct score s = {0};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        char spec[160], name[32];
        (void)snprintf(spec, sizeof spec, "manual;%s", rules[i]);
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(rules[i], " "), rules[i]);
        score_board(unit_named(name), spec, NULL, &s);
    }
    report("rules", &s);
    assert_int_equal(s.exact, sizeof rules / sizeof *rules);
    assert_int_equal(s.changes, s.boards); /* the search finds one rule for each board */
}

/* Readings that leave undefined nearly all that they change. The first decides only cases in which no
 * element's condition holds. Under the second, a program that has too few uniforms becomes undefined. */
static void readings_that_decide_little_are_learned(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *clause, *reading;
    } of[] = {{"vc4-vpm", "cond-vpm-write", "pushes"}, {"vc4-qpu", "tmu-uniform-direct", "every-write"}};
    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        const struct unit *u = unit_named(of[i].unit);
        struct learn_result *r = calloc(1, sizeof *r);
        char spec[128];
        assert_non_null(r);
        (void)snprintf(spec, sizeof spec, "manual,%s=%s", of[i].clause, of[i].reading);
        run_learn(u, spec, NULL, SECONDS, r);
        assert_int_equal(r->count, 1);
        assert_false(r->learned[0].change.is_rule);
        assert_string_equal(unit_clause(u, r->learned[0].change.clause)->id, of[i].clause);
        assert_int_equal(r->asides, 0);
        assert_int_equal(r->end, LEARN_AGREES);
        learn_free(r);
        free(r);
    }
}

/* Texels of one and of four bits in another order are one rule at texel.shift. The first case has texels of
 * one bit only. So the search learns a rule for these, then one for four bits, and then one change for both.
 */
static void one_change_replaces_two(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-tmu");
    bool hidden[CLAUSES_MAX] = {0};
    struct score s = {.seconds = 3 * SECONDS}; /* it takes 30 s of an idle machine */
    for (unsigned i = 0; i < unit_clauses(u); i++)
        hidden[i] = !strcmp(unit_clause(u, i)->id, "tex-bit-order");
    score_board(u, "manual,tex-bit-order=high-first", hidden, &s);
    assert_int_equal(s.exact, 1);
    assert_int_equal(s.changes, 1);
}

/* A rule of vectors that acts seldom: ftoi of an infinity. A guard that fits the first cases would let it act
 * where other operations have the same operand. Long tier only. */
static void a_rare_rule_of_vectors_is_learned(void **state)
{
    (void)state;
    if (!getenv("MISPRINT_TEST_LONG"))
        skip();
    struct score s = {0};
    score_board(unit_named("vc4-qpu"),
                "manual;vc4-qpu add.result when op == 7 && (a & 0x7fffffff) == 0x7f800000 = 0x1234", NULL,
                &s);
    report("ftoi", &s);
    assert_int_equal(s.exact, 1);
    assert_in_range(s.changes, 1, 2); /* one for both infinities, or one for each */
}

static void note_replaced(void *context, const char *line)
{
    *(unsigned *)context += strstr(line, "repaired: ") != NULL;
}

/* Is the outcome that a learned change keeps the board's outcome of its smallest case? Does the case differ
 * from the manual? */
static void check_cases(const struct unit *u, const struct learned *k, const struct profile *truth)
{
    struct executor *x = executor_new(u);
    struct outcome *kept = outcome_new(u), *board = outcome_new(u);
    struct profile manual;
    struct error e = {0};
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(outcome_decode(kept, k->smallest, k->board_outcome, k->board_outcome_size, &e));
    executor_run(x, k->smallest, truth, RUN_CHECKED, board);
    assert_true(outcomes_equal(board, kept, NULL, NULL));
    executor_run(x, k->smallest, &manual, RUN_CHECKED, board);
    assert_false(outcomes_equal(board, kept, NULL, NULL));
    outcome_free(kept);
    outcome_free(board);
    executor_free(x);
}

/* At first no case tells a rule from its rivals. A later case refutes it, and a rival takes its place. This
 * seed gives such cases. Long tier only. */
static void a_rival_replaces_a_refuted_rule(void **state)
{
    (void)state;
    if (!getenv("MISPRINT_TEST_LONG"))
        skip();
    static const char spec[] = "manual;vc4-vpm dma.pitch when value > 100 = value + 4";
    const struct unit *u = unit_named("vc4-vpm");
    struct learn_result *r = calloc(1, sizeof *r);
    struct profile manual, truth;
    struct error e = {0};
    unsigned replaced = 0;
    assert_true(profile_resolve(u, "manual", &manual, &e) && profile_resolve(u, spec, &truth, &e));
    struct board *b = board_open("virtual:manual;vc4-vpm dma.pitch when value > 100 = value + 4", u, &e);
    struct learn_options o = {.unit = u,
                              .board = b,
                              .base = &manual,
                              .seed = 3,
                              .fresh = FRESH,
                              .max_seconds = 5 * SECONDS,
                              .say = note_replaced,
                              .context = &replaced};
    assert_true(learn(&o, r, &e));
    assert_in_range(replaced, 1, 16);
    assert_int_equal(count_differing(u, &r->profile, &truth, FRESH), 0);
    for (uint32_t i = 0; i < r->count; i++)
        check_cases(u, &r->learned[i], &truth);
    board_close(b);
    learn_free(r);
    free(r);
}

static void an_equal_board_teaches_nothing(void **state)
{
    (void)state;
    struct learn_result *r = calloc(1, sizeof *r);
    run_learn(unit_named("vc4-vpm"), "manual", NULL, 0, r);
    assert_int_equal(r->end, LEARN_AGREES);
    assert_int_equal(r->count, 0);
    assert_int_equal(r->differing, 0);
    learn_free(r);
    free(r);
}

/* The learner makes cases that the board has all parts of, so the board's host refuses none. */
static void cases_keep_within_what_a_board_lacks(void **state)
{
    (void)state;
    const struct unit *u = unit_named("amd-buffer");
    struct learn_result *r = calloc(1, sizeof *r);
    struct error e = {0};
    struct profile manual;
    struct board *b = board_open("virtual:manual", u, &e);
    assert_non_null(b);
    assert_true(profile_resolve(u, "manual", &manual, &e));
    assert_true(board_set_lacks(b, "generation=gfx1100 generation=gfx1200 alignment code>1", &e));
    struct learn_options o = {
        .unit = u, .board = b, .base = &manual, .seed = 1, .max_cases = 1000, .fresh = FRESH};
    assert_true(learn(&o, r, &e));
    assert_true(r->cases >= 1000 && r->agreed >= 1000);
    assert_int_equal(r->refused, 0);
    learn_free(r);
    free(r);
    board_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_keep_within_what_a_board_lacks),
        cmocka_unit_test(rules_are_learned),
        cmocka_unit_test(readings_that_decide_little_are_learned),
        cmocka_unit_test(one_change_replaces_two),
        cmocka_unit_test(a_rare_rule_of_vectors_is_learned),
        cmocka_unit_test(a_rival_replaces_a_refuted_rule),
        cmocka_unit_test(hidden_readings_are_learned),
        cmocka_unit_test(an_equal_board_teaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
