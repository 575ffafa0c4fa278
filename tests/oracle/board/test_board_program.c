/* SPDX-License-Identifier: MIT */
/*
 * Boards that run programs: our own model, given only code, uniforms and memory, leaves what the model does
 * with the case; so does the tests' compute unit of an AMD GPU. A library that refuses, faults, writes
 * nothing or crashes costs its case.
 */
#include "harness/system/pages.h"
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

enum { CASES = 256 };

static struct test_case *tc;
static const struct test_case *list[CASES];
static struct outcome *outcome[CASES];
static enum answer answer[CASES];

static struct board *open_board(const char *unit, const char *options, struct error *e)
{
    char spec[512];
    (void)snprintf(spec, sizeof spec, "program:%s/%s.so,inline%s", MISPRINT_TESTS_BUILD_DIR,
                   strcmp(unit, "amd-buffer") ? "plugin_program" : "plugin_wave", options);
    return board_open(spec, unit_named(unit), e);
}

/* Makes cases that the proof accepts, and runs them. Returns the memory of their outcomes. */
static void *run_cases(struct board *b)
{
    struct random r;
    struct error e = {0};
    random_seed(&r, 3);
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&tc[i], b->unit);
        b->unit->generate(&r, &tc[i]);
        if (b->unit->mend_for_proof)
            b->unit->mend_for_proof(&tc[i]);
        if (b->lacks)
            board_lacks_mend(b->lacks, &tc[i]);
        list[i] = &tc[i];
    }
    void *memory = pages_of_outcomes(b->unit, CASES, outcome);
    if (!board_run(b, list, CASES, outcome, answer, &e))
        fail_msg("%s", e.text);
    return memory;
}

static void equals_the_model(const char *unit, const char *profile, unsigned least)
{
    struct error e = {0};
    struct tally tally = {0};
    struct profile p;
    struct board *b = open_board(unit, "", &e);
    if (!b)
        fail_msg("%s", e.text);
    struct executor *x = executor_new(b->unit);
    struct outcome *model = outcome_new(b->unit);
    unsigned ran = 0;
    void *memory = run_cases(b);
    profile_builtin(b->unit, (unsigned)unit_profile_index(b->unit, profile), &p);
    executor_place(x, &b->identity);
    for (unsigned i = 0; i < CASES; i++) {
        if (answer[i] != ANSWER_OUTCOME) {
            assert_int_equal(answer[i], ANSWER_REFUSED);
            assert_true(board_reason(b, i)[0] != 0);
            continue;
        }
        executor_run(x, &tc[i], &p, RUN_CHECKED, model);
        if (model->end == END_UNDEFINED)
            continue;
        assert_true(outcomes_equal(model, outcome[i], &tally, NULL));
        ran++;
    }
    print_message("%s: %u of %d cases ran, %lu lanes compared\n", unit, ran, CASES,
                  (unsigned long)tally.lanes);
    assert_true(ran >= least && tally.lanes > 0);
    free(memory);
    outcome_free(model);
    executor_free(x);
    board_close(b);
}

static void a_program_does_what_the_case_does(void **state)
{
    (void)state;
    equals_the_model("vc4-qpu", "bcm2835", 20);
    equals_the_model("vc4-vpm", "bcm2835", 50);
    equals_the_model("amd-buffer", "gfx1100", 100);
}

static void each_end_is_the_case_s_own(void **state)
{
    (void)state;
    static const struct {
        const char *option, *reason;
        enum answer answer;
        enum end end;
    } rows[] = {{",refuse", "no such operation", ANSWER_REFUSED, END_REFUSED},
                {",fault", "", ANSWER_OUTCOME, END_FAULT},
                {",deaf", "ended with incomplete output", ANSWER_NOTHING, END_REFUSED}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct error e = {0};
        struct board *b = open_board("vc4-vpm", rows[n].option, &e);
        assert_non_null(b);
        void *memory = run_cases(b);
        unsigned found = 0;
        for (unsigned i = 0; i < CASES; i++)
            if (answer[i] == rows[n].answer && strstr(board_reason(b, i), rows[n].reason)) {
                assert_int_equal(outcome[i]->end, rows[n].end);
                found++;
            }
        assert_true(found >= 50);
        free(memory);
        board_close(b);
    }
}

static void fails(const char *unit, const char *options, const char *error)
{
    struct error e = {0};
    assert_null(open_board(unit, options, &e));
    if (!strstr(e.text, error))
        fail_msg("'%s' lacks '%s'", e.text, error);
}

static void what_cannot_be_opened_is_an_error(void **state)
{
    (void)state;
    struct error e = {0};
    fails("utgard-gp", "", "it runs cases of vc4-qpu, vc4-vpm, amd-buffer, not of utgard-gp");
    fails("vc4-vpm", ",profile=none", "it says: ");
    fails("vc4-vpm", ",base", "memory_base c0000004 is not a multiple of 4096");
    assert_null(board_open("program:", unit_named("vc4-vpm"), &e));
    assert_non_null(strstr(e.text, "needs a shared library"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_does_what_the_case_does),
        cmocka_unit_test(each_end_is_the_case_s_own),
        cmocka_unit_test(what_cannot_be_opened_is_an_error),
    };
    tc = pages_new(CASES, sizeof *tc);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
