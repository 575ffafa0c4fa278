/* SPDX-License-Identifier: MIT */
/*
 * Compares scripts/example-board.py with the model under profile bcm2835. Both implement the known chip,
 * independently. They must agree on every generated case that the board does not refuse.
 */
#include "fuzz/generate/generate.h"
#include "oracle/board/board.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 };

static struct test_case cases[BATCH];
static const struct test_case *case_list[BATCH];
static struct outcome *answered[BATCH];
static enum answer answers[BATCH];

static void report(const struct unit *u, const struct test_case *c, const struct differences *d,
                   const struct outcome *model, const struct outcome *board)
{
    struct text t = {0};
    case_print(c, &t);
    text_add(&t, "model: %s, board: %s\n", end_name(model->end), end_name(board->end));
    differences_print(u, d, 20, &t);
    print_error("%s\n", text_chars(&t));
    text_free(&t);
}

/* Counts refusals, because a board that refuses everything agrees with everything. */
static void agrees_with_the_model(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    const char *scale = getenv("MISPRINT_TEST_SCALE");
    unsigned batches = 40 * (scale ? (unsigned)atoi(scale) : 100) / 100, differing = 0;
    struct error e = {0};
    struct board *b = board_open("exec:python3 '" MISPRINT_SOURCE_DIR "/scripts/example-board.py'", u, &e);
    if (!b)
        fail_msg("%s", e.text);
    struct profile p;
    assert_true(profile_resolve(u, "bcm2835", &p, &e));
    struct executor *x = executor_new(u);
    struct outcome *model = outcome_new(u);
    struct random r;
    random_seed(&r, 20);
    struct tally t = {0};
    for (unsigned i = 0; i < BATCH; i++) {
        case_list[i] = &cases[i];
        answered[i] = outcome_new(u);
    }
    for (unsigned n = 0; n <= batches; n++) {
        for (unsigned i = 0; i < BATCH; i++)
            case_generate(&r, u, &cases[i]);
        if (!board_run(b, case_list, BATCH, answered, answers, &e))
            fail_msg("%s", e.text);
        for (unsigned i = 0; i < BATCH; i++) {
            struct differences d;
            t.answers[answers[i]]++;
            if (answers[i] != ANSWER_OUTCOME)
                continue;
            executor_run(x, &cases[i], &p, RUN_CHECKED, model);
            if (!outcomes_equal(model, answered[i], &t, &d) && differing++ < 3)
                report(u, &cases[i], &d, model, answered[i]);
        }
    }
    struct text say = {0};
    tally_print(&t, &say);
    print_message("%s\n%llu answered, %llu refused\n", text_chars(&say),
                  (unsigned long long)t.answers[ANSWER_OUTCOME],
                  (unsigned long long)t.answers[ANSWER_REFUSED]);
    text_free(&say);
    assert_int_equal(differing, 0);
    assert_int_equal(t.answers[ANSWER_NOTHING], 0);
    assert_true(t.answers[ANSWER_OUTCOME] > 20);
    assert_true(t.bits > 0);
    for (unsigned i = 0; i < BATCH; i++)
        outcome_free(answered[i]);
    outcome_free(model);
    executor_free(x);
    board_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
