/* SPDX-License-Identifier: MIT */
/*
 * Campaigns that continue with what they have learned. The boards follow rules that only the test knows. The
 * test compares the learned profile with the board on fresh cases of another seed.
 */
#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CASES = 1500, FRESH = 3000 };

static struct campaign_result result;
static const struct unit *unit;

/* The test's board passes cases on to another board, and makes some of its answers wrong. */
static struct board *inner;
static uint32_t wrong_every; /* on average one answer of this many is wrong; 0: none */
static struct random chance;

static bool run_sometimes_wrong(struct board *b, const struct test_case *const *cases, unsigned count,
                                struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    (void)b;
    if (!board_run(inner, cases, count, outcomes, answers, e))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (answers[i] != ANSWER_OUTCOME || !wrong_every || !random_one_in(&chance, wrong_every))
            continue;
        uint32_t words = unit->layout.row_words;
        for (uint32_t row = 0; row < unit->layout.rows; row++)
            if (outcome_touched(outcomes[i], row)) {
                outcomes[i]->value[row * words + random_below(&chance, words)] ^=
                    1U << random_below(&chance, 32);
                break;
            }
    }
    return true;
}

/* The clock of this program: the machine's, or one that moves by `clock_step` seconds with each look at it.
 */
static int clock_step = -1; /* -1: the machine's clock */

int clock_gettime(clockid_t which, struct timespec *t)
{
    static time_t now = 1000000;
    if (clock_step < 0)
        return (int)syscall(SYS_clock_gettime, which, t);
    now += clock_step;
    *t = (struct timespec){.tv_sec = now};
    return 0;
}

static unsigned withdrawn_lines;

static void hear(void *context, const char *line)
{
    (void)context;
    print_message("%s\n", line);
    withdrawn_lines += !strncmp(line, "withdrawn: ", 11);
}

static struct store *store; /* of the next run; NULL: none */

/* Runs a campaign with the profile `manual` on the board `virtual:SPEC`. */
static void run(const char *spec, uint64_t cases)
{
    static const struct board_kind kind = {.name = "test", .run = run_sometimes_wrong};
    char name[512];
    struct error e = {0};
    struct profile manual;
    unit = unit_named("vc4-vpm");
    assert_true(profile_resolve(unit, "manual", &manual, &e));
    (void)snprintf(name, sizeof name, "virtual:%s", spec);
    inner = board_open(name, unit, &e);
    if (!inner)
        fail_msg("%s: %s", name, e.text);
    random_seed(&chance, 11);
    struct board board = {.kind = &kind, .unit = unit, .identity = inner->identity};
    struct generator_source *g = generator_new(unit, 1);
    struct case_source source = generator_as_source(g);
    struct campaign_options o = {.unit = unit,
                                 .profile = &manual,
                                 .profile_name = "manual",
                                 .board = &board,
                                 .store = store,
                                 .seed = 1,
                                 .max_cases = cases,
                                 .learn = true,
                                 .tell = hear,
                                 .reduce = true};
    struct run_facts facts = {.command = "fuzz", .profile = "manual", .board = board.identity, .seed = 1};
    snprintf(facts.unit, sizeof facts.unit, "%s", unit->name);
    if (!campaign_run(&o, &source, &facts, &result, &e))
        fail_msg("%s: %s", spec, e.text);
    for (unsigned i = 0; i < result.findings; i++)
        print_message("%s: %s %s\n", spec, verdict_name(result.finding[i].verdict),
                      result.finding[i].learned.rules);
    generator_free(g);
    board_close(inner);
}

/* The same with a store in a new directory. */
static void run_stored(const char *spec, uint64_t cases)
{
    char root[] = "/tmp/misprint-test-XXXXXX", directory[64], command[128];
    struct error e = {0};
    assert_non_null(mkdtemp(root));
    (void)snprintf(directory, sizeof directory, "%s/c", root);
    store = store_open(directory, true, &e);
    if (!store)
        fail_msg("%s", e.text);
    run(spec, cases);
    store_close(store);
    store = NULL;
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
}

static void assert_same_result(const struct finding *a, const struct finding *b)
{
    assert_string_equal(a->id, b->id);
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->cases, b->cases);
    assert_string_equal(a->label, b->label);
    assert_string_equal(a->learned.rules, b->learned.rules);
    assert_int_equal(a->learned.explained, b->learned.explained);
    assert_int_equal(a->learned.experiments, b->learned.experiments);
    assert_true(case_equal(a->smallest, b->smallest));
}

/* In how many of FRESH cases does the model with all findings' learned changes differ from the board? */
static unsigned fresh_differences(const char *spec)
{
    struct executor *x = executor_new(unit);
    struct outcome *a = outcome_new(unit), *b = outcome_new(unit);
    struct test_case *c = calloc(1, sizeof *c);
    struct profile learned, board;
    struct error e = {0};
    struct random r;
    unsigned differing = 0;
    assert_true(profile_resolve(unit, "manual", &learned, &e));
    assert_true(profile_resolve(unit, spec, &board, &e));
    for (unsigned i = 0; i < result.findings; i++)
        assert_true(learned_apply(unit, &result.finding[i].learned, &learned, &e));
    random_seed(&r, 4711);
    for (unsigned i = 0; i < FRESH; i++) {
        case_generate(&r, unit, c);
        executor_run(x, c, &learned, RUN_CHECKED, a);
        executor_run(x, c, &board, RUN_CHECKED, b);
        differing += !outcomes_equal(a, b, NULL, NULL);
    }
    free(c);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    return differing;
}

/* Does the model under a profile agree with the outcome of the board `virtual:SPEC` in a case? */
static bool agrees(const char *profile, const char *spec, const struct test_case *c)
{
    struct executor *x = executor_new(unit);
    struct outcome *a = outcome_new(unit), *b = outcome_new(unit);
    struct profile p, board;
    struct error e = {0};
    assert_true(profile_resolve(unit, profile, &p, &e));
    assert_true(profile_resolve(unit, spec, &board, &e));
    executor_run(x, c, &p, RUN_CHECKED, a);
    executor_run(x, c, &board, RUN_CHECKED, b);
    bool same = outcomes_equal(a, b, NULL, NULL);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    return same;
}

static void one_rule_is_one_finding(void **state)
{
    static const char spec[] = "manual;vc4-vpm write.stride = value & 31";
    (void)state;
    run(spec, CASES);
    assert_int_equal(result.findings, 1);
    assert_int_equal(result.finding[0].verdict, VERDICT_UNDOCUMENTED);
    assert_true(result.finding[0].learned.experiments > 50);
    assert_int_equal(fresh_differences(spec), 0);
    /* The board agrees with the manual on the nearest agreeing case, and not on the smallest. */
    const struct test_case *near = result.finding[0].related[RELATED_AGREES].tc;
    assert_non_null(near);
    assert_false(agrees("manual", spec, result.finding[0].smallest));
    assert_true(agrees("manual", spec, near));
    campaign_free(&result);
}

/* The rules must be the board's two. A rule about the setup word with the guard "reading != 0 || value ==
 * 0x20000" explains cases of both causes, but says nothing true of either. */
static void a_second_rule_is_seen(void **state)
{
    static const char spec[] = "manual;vc4-vpm write.stride = value & 31;vc4-vpm load.x = value + 1";
    (void)state;
    run(spec, CASES);
    assert_int_equal(result.findings, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(result.finding[i].verdict, VERDICT_UNDOCUMENTED);
    const char *first = result.finding[0].learned.rules, *second = result.finding[1].learned.rules;
    if (strstr(first, "dma.x")) {
        first = second;
        second = result.finding[0].learned.rules;
    }
    assert_string_equal(first, "vc4-vpm block.stride when reading == 0 = value & 0x1f");
    assert_string_equal(second, "vc4-vpm dma.x = 1 - (store - value)"); /* `store` is 0 in a load */
    assert_int_equal(fresh_differences(spec), 0);
    campaign_free(&result);
}

/* A campaign gives the same findings, with the same cases and counts, on a machine so slow that seven seconds
 * pass with each look at the clock, and on one where no time passes (`result`). On the slow machine, the
 * campaign saves after each batch; on the other, only where findings change. Frees both results. */
static void assert_slow_machine_finds_the_same(const char *spec)
{
    struct campaign_result quick = result;
    clock_step = 7;
    run_stored(spec, 3 * (uint64_t)CASES);
    clock_step = -1;
    assert_true(quick.seconds < 1);
    assert_true(result.seconds > 1000);
    assert_int_equal(result.findings, quick.findings);
    for (unsigned i = 0; i < quick.findings; i++)
        assert_same_result(&quick.finding[i], &result.finding[i]);
    assert_memory_equal(&quick.tally, &result.tally, sizeof quick.tally);
    campaign_free(&quick);
    campaign_free(&result);
}

/* A rule has an exception that the cases before it was learned do not show, because few cases have a DMA of
 * 12 rows, and that no sweep shows, because it does not depend on the value at the point. When a case shows
 * it, the rule is withdrawn, and the search finds the rule with its exception. */
static void a_wrong_rule_is_withdrawn(void **state)
{
    static const char spec[] = "manual;vc4-vpm dma.x when units != 12 = value + 1";
    const struct finding *wrong = NULL;
    char believed[LEARNED_RULES_TEXT + 16];
    (void)state;
    withdrawn_lines = 0;
    clock_step = 0;
    run_stored(spec, 3 * (uint64_t)CASES);
    assert_int_equal(withdrawn_lines, 1);
    assert_int_equal(result.findings, 2);
    for (unsigned i = 0; i < result.findings; i++)
        if (result.finding[i].verdict == VERDICT_WITHDRAWN)
            wrong = &result.finding[i];
        else
            assert_int_equal(result.finding[i].verdict, VERDICT_UNDOCUMENTED);
    assert_non_null(wrong);
    assert_string_equal(wrong->learned.rules, "vc4-vpm dma.x = value + 1");
    assert_true(wrong->learned.withdrawn);
    assert_true(wrong->learned.experiments > 0);
    /* The case that refuted it does refute it. */
    const struct related_case *r = &wrong->related[RELATED_REFUTES];
    assert_non_null(r->tc);
    assert_true(r->label[0]);
    (void)snprintf(believed, sizeof believed, "manual;%s", wrong->learned.rules);
    assert_false(agrees(believed, spec, r->tc));
    assert_true(agrees("manual", spec, r->tc));
    assert_int_equal(fresh_differences(spec), 0);
    assert_slow_machine_finds_the_same(spec);
}

static void equal_boards_have_no_finding(void **state)
{
    (void)state;
    run("manual", 4 * (uint64_t)CASES);
    assert_int_equal(result.findings, 0);
    campaign_free(&result);
}

/* A campaign learns nothing from a board of which one answer in a thousand is wrong. */
static void of_a_flaky_board_nothing_is_learned(void **state)
{
    (void)state;
    wrong_every = 1000;
    run("manual", 8 * (uint64_t)CASES);
    wrong_every = 0;
    assert_true(result.findings > 0);
    for (unsigned i = 0; i < result.findings; i++) {
        assert_int_equal(result.finding[i].verdict, VERDICT_FLAKY);
        assert_int_equal(result.finding[i].learned.rules[0], 0);
    }
    campaign_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rule_is_one_finding),
        cmocka_unit_test(a_second_rule_is_seen),
        cmocka_unit_test(a_wrong_rule_is_withdrawn),
        cmocka_unit_test(equal_boards_have_no_finding),
        cmocka_unit_test(of_a_flaky_board_nothing_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
