/* SPDX-License-Identifier: MIT */
/* Boards in shared libraries: our own model as a plug-in answers as the virtual board does, for all units. */
#include "harness/system/pages.h"
#include "oracle/board/board_kind.h"
#include "oracle/compare/compare.h"

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

struct answers {
    struct outcome *outcome[CASES];
    enum answer answer[CASES];
    void *memory;
};

static void make_cases(const struct unit *u)
{
    struct random r;
    random_seed(&r, 7);
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&tc[i], u);
        u->generate(&r, &tc[i]);
        list[i] = &tc[i];
    }
}

static struct board *open_board(const struct unit *u, const char *name, const char *options)
{
    struct error e = {0};
    char spec[512];
    snprintf(spec, sizeof spec, "plugin:%s/%s.so%s", MISPRINT_TESTS_BUILD_DIR, name, options);
    struct board *b = board_open(spec, u, &e);
    if (!b)
        fail_msg("%s", e.text);
    return b;
}

static void run(struct board *b, struct answers *a)
{
    struct error e = {0};
    a->memory = pages_of_outcomes(b->unit, CASES, a->outcome);
    if (!board_run(b, list, CASES, a->outcome, a->answer, &e))
        fail_msg("%s", e.text);
}

static void equal_to_virtual(const struct unit *u, const char *options)
{
    struct error e = {0};
    struct answers plugin, virtual;
    struct tally tally = {0};
    struct board *b = open_board(u, "plugin_model", options), *v = board_open("virtual:", u, &e);
    make_cases(u);
    run(v, &virtual);
    for (unsigned again = 0; again < 2; again++) {
        run(b, &plugin);
        for (unsigned i = 0; i < CASES; i++) {
            assert_int_equal(plugin.answer[i], ANSWER_OUTCOME);
            assert_int_equal(plugin.outcome[i]->end, virtual.outcome[i]->end);
            assert_memory_equal(plugin.outcome[i]->touched, virtual.outcome[i]->touched,
                                sizeof plugin.outcome[i]->touched);
            assert_true(outcomes_equal(virtual.outcome[i], plugin.outcome[i], &tally, NULL));
        }
        free(plugin.memory);
    }
    assert_true(tally.lanes > 0);
    free(virtual.memory);
    board_close(b);
    board_close(v);
}

static void the_model_as_a_plug_in_answers_as_virtual(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++)
        equal_to_virtual(unit_at(i), ",inline");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_as_a_plug_in_answers_as_virtual),
    };
    tc = pages_new(CASES, sizeof *tc);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
