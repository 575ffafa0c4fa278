/* SPDX-License-Identifier: MIT */
/*
 * The launcher (harness/launch/launcher.h) on a backend that executes nothing: the test decides which cases
 * hang, are refused, disturb the hardware or leave no stamp, and counts what runs. Expectations are the
 * promises of that header.
 */
#include "harness/launch/launcher.h"

#include "tests/harness/launch/support_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct test_case *cases[CASES_MAX];
static struct outcome *outcomes[CASES_MAX];
static char reason[CASES_MAX][LAUNCH_REASON];
static struct error e;

static struct launch_backend handing;

/* A working device and `count` cases that are well. */
static void begin(unsigned count)
{
    memset(&device, 0, sizeof device);
    device.room = PLACED_MAX;
    e = (struct error){0};
    for (unsigned i = 0; i < count; i++)
        outcomes[i]->value[0] = 0;
}

static bool run_with(const struct launch_backend *b, struct journal *journal, uint64_t seed, unsigned count)
{
    struct launcher *l = launcher_new(b, &device, journal, seed, &e);
    assert_non_null(l);
    const struct test_case *list[CASES_MAX];
    for (unsigned i = 0; i < count; i++)
        list[i] = cases[i];
    bool good = launcher_run(l, list, count, outcomes, reason, &e);
    assert_true(launcher_seconds(l) >= 0 && launcher_seconds(l) <= (double)clock() / CLOCKS_PER_SEC);
    launcher_free(l);
    return good;
}

static bool run(const struct launch_backend *b, unsigned count)
{
    struct journal *journal = journal_open(NULL, &e);
    bool good = run_with(b, journal, 7, count);
    journal_close(journal);
    return good;
}

/* All cases from `from` on that are well have their outcomes. */
static void are_well(unsigned from, unsigned count)
{
    for (unsigned i = from; i < count; i++) {
        if (device.kind[i] != WELL && device.kind[i] != SOLITARY)
            continue;
        if (*reason[i] || outcomes[i]->end != END_DONE || outcomes[i]->value[0] != VALUE + i)
            fail_msg("case %u: '%s'", i, reason[i]);
    }
}

static void all_cases_run_in_one_launch_in_random_order(void **state)
{
    (void)state;
    unsigned first[20], moved = 0, seen = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        begin(20);
        struct journal *journal = journal_open(NULL, &e);
        assert_true(run_with(&simple, journal, seed, 20));
        journal_close(journal);
        assert_int_equal(device.launches, 1);
        assert_int_equal(device.ordered, 20);
        are_well(0, 20);
        for (unsigned i = 0; i < 20; i++) {
            assert_int_equal(device.ran[i], 1);
            assert_int_equal(device.judged[i], 1);
            moved += seed == 1 ? device.order[i] != i : device.order[i] != first[i];
            seen |= 1U << device.order[i];
        }
        memcpy(first, device.order, sizeof first);
        assert_int_equal(seen, (1U << 20) - 1);
    }
    assert_true(moved > 20);
}

static void a_full_launch_is_followed_by_others(void **state)
{
    (void)state;
    begin(20);
    device.room = 2 + 6;
    assert_true(run(&handing, 20));
    assert_int_equal(device.launches, 4); /* 6 + 6 + 6 + 2 */
    are_well(0, 20);
    begin(CASES_MAX);
    assert_true(run(&simple, CASES_MAX));
    are_well(0, CASES_MAX);
    assert_int_equal(device.launches, 1);
    begin(20);
    device.kind[3] = device.kind[9] = device.kind[10] = SOLITARY;
    assert_true(run(&simple, 20));
    assert_int_equal(device.launches, 3);
    are_well(0, 20);
}

static void cases_that_may_not_run_have_a_reason(void **state)
{
    (void)state;
    begin(9);
    device.kind[0] = device.kind[8] = FORBIDDEN;
    device.kind[4] = UNPLACED;
    device.kind[5] = device.kind[6] = UNWANTED;
    assert_true(run(&handing, 9));
    are_well(0, 9);
    assert_int_equal(device.launches, 1);
    assert_string_equal(reason[0], "case 0 is forbidden");
    assert_string_equal(reason[8], "case 8 is forbidden");
    assert_string_equal(reason[4], "case 4 has no place");
    assert_string_equal(reason[5], "the driver does not want case 5");
    assert_string_equal(reason[6], "the driver does not want case 6");
    assert_int_equal(device.ran[0] + device.ran[4] + device.ran[5] + device.ran[6] + device.ran[8], 0);
    begin(3);
    device.kind[0] = device.kind[1] = device.kind[2] = FORBIDDEN;
    assert_true(run(&simple, 3));
    assert_int_equal(device.launches, 0);
}

static void only_the_case_that_hangs_is_lost(void **state)
{
    (void)state;
    for (unsigned hangs = 0; hangs < 13; hangs++) {
        begin(13);
        device.kind[hangs] = HANGS;
        assert_true(run(&simple, 13));
        are_well(0, 13);
        assert_string_equal(reason[hangs], "");
        assert_int_equal(outcomes[hangs]->end, END_HANG);
        assert_int_equal(device.alone[hangs], 1);
        assert_int_equal(device.resets, device.ran[hangs]);
        assert_int_equal(device.judged[hangs], 1);
        for (unsigned n = 0; device.order[n] != hangs; n++) /* they ended before the hang */
            assert_int_equal(device.ran[device.order[n]], 1);
        assert_true(device.launches <= 2 * (2 * 13 - 1));
    }
    begin(13); /* the worst case: all hang */
    for (unsigned i = 0; i < 13; i++)
        device.kind[i] = HANGS;
    assert_true(run(&simple, 13));
    for (unsigned i = 0; i < 13; i++) {
        assert_int_equal(outcomes[i]->end, END_HANG);
        assert_int_equal(device.alone[i], 1);
    }
    assert_true(device.launches <= 2 * (2 * 13 - 1));
}

static void a_case_that_hung_never_runs_again(void **state)
{
    (void)state;
    struct journal *journal = journal_open(NULL, &e);
    begin(5);
    device.kind[2] = HANGS;
    assert_true(run_with(&simple, journal, 1, 5));
    begin(5);
    assert_true(run_with(&simple, journal, 2, 5)); /* it would not hang today */
    are_well(3, 5);
    assert_int_equal(device.ran[2], 0);
    assert_int_equal(device.launches, 1);
    assert_int_equal(outcomes[2]->end, END_HANG);
    assert_string_equal(reason[2], "");
    journal_close(journal);
}

static void only_the_case_that_is_refused_is_lost(void **state)
{
    (void)state;
    static const struct {
        enum kind kind;
        const char *why;
    } rows[] = {{REFUSED, "the driver refuses the list"}, {DISTURBS, "a read is out of range"}};
    for (unsigned n = 0; n < 2; n++)
        for (unsigned at = 0; at < 6; at += 5) {
            begin(6);
            device.kind[at] = rows[n].kind;
            assert_true(run(&simple, 6));
            are_well(0, 6);
            assert_string_equal(reason[at], rows[n].why);
            assert_int_equal(device.alone[at], 1);
            assert_true(rows[n].kind == REFUSED ? device.resets == 0 : device.resets >= 1);
        }
}

static void a_missing_stamp_is_tried_twice(void **state)
{
    (void)state;
    begin(6);
    device.kind[1] = STAMPLESS;
    assert_true(run(&simple, 6));
    are_well(0, 6);
    assert_string_equal(reason[1], "the case's program ended 2 times with incomplete output");
    assert_int_equal(device.ran[1], 2);
    assert_int_equal(device.ran[0], 1);
    assert_int_equal(device.launches, 2);
}

/* A canary that is wrong or missing once: the launch is repeated. Twice: the board has failed. */
static void canaries_decide_whether_a_launch_counts(void **state)
{
    (void)state;
    begin(4);
    device.wrong = 1;
    assert_true(run(&simple, 4));
    are_well(0, 4);
    assert_int_equal(device.ran[0], 2);
    begin(4);
    device.missing = 1;
    assert_true(run(&simple, 4));
    are_well(0, 4);
    assert_int_equal(device.ran[0], 2);
    begin(4);
    device.wrong = 2;
    assert_false(run(&simple, 4));
    assert_non_null(strstr(e.text, "known answers) failed 2 times"));
    assert_true(e.of_machine);
    assert_int_equal(outcomes[0]->value[0], 0);
}

static void nobody_is_blamed_for_a_board_that_does_not_recover(void **state)
{
    (void)state;
    struct journal *journal = journal_open(NULL, &e);
    begin(1);
    device.kind[0] = HANGS;
    device.dies = true;
    assert_false(run_with(&simple, journal, 1, 1));
    assert_non_null(strstr(e.text, "does not recover"));
    assert_non_null(strstr(e.text, "hung 2 times; no case is blamed"));
    assert_true(e.of_machine);
    assert_int_equal(device.launches, 3); /* the case, then the canaries alone, twice */
    begin(1);
    assert_true(run_with(&simple, journal, 1, 1));
    are_well(0, 1);
    begin(3);
    device.kind[1] = HANGS;
    device.reset_fails = true;
    assert_false(run_with(&simple, journal, 1, 3));
    assert_string_equal(e.text, "the reset failed");
    for (unsigned at = 1; at <= 2; at++) { /* the cases' launch; the canaries alone */
        begin(3);
        device.kind[2] = HANGS;
        device.lost_at = at;
        assert_false(run_with(&simple, journal, 1, 3));
        assert_string_equal(e.text, "the board is gone");
    }
    for (unsigned wrong = 1; wrong <= 2; wrong++) {
        begin(3);
        device.kind[2] = HANGS;
        device.wrong = wrong;
        assert_int_equal(run(&simple, 3), wrong == 1);
        assert_int_equal(strstr(e.text, "failed 2 times; no case is blamed") != NULL, wrong == 2);
    }
    journal_close(journal);
}

/* The journal names a case by the FNV-1a hash of its binary form (RFC 9923: basis and prime). */
static void a_hang_is_named_by_its_hash(void **state)
{
    (void)state;
    static uint8_t bytes[CASE_BYTES_MAX];
    char path[] = "/tmp/test_launcher.XXXXXX", wanted[40], text[1000] = "";
    assert_true(close(mkstemp(path)) == 0 && unlink(path) == 0);
    struct journal *journal = journal_open(path, &e);
    begin(2);
    device.kind[1] = HANGS;
    assert_true(run_with(&simple, journal, 1, 2));
    journal_close(journal);
    uint64_t hash = UINT64_C(14695981039346656037);
    size_t size = case_encode(cases[1], bytes);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    (void)snprintf(wanted, sizeof wanted, "hang %016" PRIx64, hash);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    (void)fclose(f);
    (void)unlink(path);
    assert_non_null(strstr(text, wanted));
}

/* The journal tells the next run which cases were running when the machine died. */
static void suspects_run_alone(void **state)
{
    (void)state;
    char path[] = "/tmp/test_launcher.XXXXXX";
    assert_true(close(mkstemp(path)) == 0 && unlink(path) == 0);
    struct journal *journal = journal_open(path, &e);
    assert_non_null(journal);
    begin(4);
    device.lost_at = 1;
    assert_false(run_with(&simple, journal, 1, 2)); /* cases 0 and 1 */
    journal_close(journal);
    begin(4);
    journal = journal_open(path, &e);
    assert_true(run_with(&simple, journal, 1, 4));
    are_well(0, 4);
    assert_int_equal(device.launches, 3);
    assert_int_equal(device.alone[0], 1);
    assert_int_equal(device.alone[1], 1);
    assert_int_equal(device.alone[2] + device.alone[3], 0);
    begin(4);
    assert_true(run_with(&simple, journal, 1, 4)); /* they have run alone since */
    assert_int_equal(device.launches, 1);
    journal_close(journal);
    (void)unlink(path);
}

/* A canary that the backend refuses is an error of the board: when the launcher is made, or at a launch. */
static void canaries_must_be_able_to_run(void **state)
{
    (void)state;
    struct launch_backend b = simple;
    struct journal *journal = journal_open(NULL, &e);
    begin(1);
    b.canary[1] = "misprint-case 1 vc4-vpm\nnonsense\n";
    assert_null(launcher_new(&b, &device, journal, 1, &e));
    assert_non_null(strstr(e.text, "canary 1"));
    begin(1);
    b.canary[1] = CANARY_TEXT("0"); /* to this test's device: case 0 */
    device.kind[0] = FORBIDDEN;
    assert_null(launcher_new(&b, &device, journal, 1, &e));
    assert_non_null(strstr(e.text, "case 0 is forbidden"));
    begin(3);
    device.kind[0] = UNPLACED;
    struct launcher *l = launcher_new(&b, &device, journal, 1, &e);
    const struct test_case *list[] = {cases[1]};
    assert_non_null(l);
    assert_false(launcher_run(l, list, 1, outcomes, reason, &e));
    assert_non_null(
        strstr(e.text, "a canary (a program with a known answer) may not run: case 0 has no place"));
    assert_true(e.of_machine);
    assert_int_equal(device.launches, 0);
    launcher_free(l);
    b.canary[0] = b.canary[1];
    b.canary[1] = simple.canary[1];
    begin(3);
    device.kind[0] = UNPLACED;
    l = launcher_new(&b, &device, journal, 1, &e);
    assert_false(launcher_run(l, list, 1, outcomes, reason, &e));
    assert_non_null(strstr(e.text, "may not run: case 0 has no place"));
    launcher_free(l);
    launcher_free(NULL);
    journal_close(journal);
}

static int make_cases(void **state)
{
    (void)state;
    handing = simple;
    handing.hand_over = hand_over;
    for (unsigned i = 0; i < CASES_MAX; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "misprint-case 1 vc4-vpm\nvpm row 3 = all %x\nops {\n  nop 3\n}\n",
                       i);
        cases[i] = calloc(1, sizeof *cases[i]);
        if (!cases[i] || !case_parse(cases[i], text, strlen(text), &e))
            return -1;
        outcomes[i] = outcome_new(cases[i]->unit);
    }
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES_MAX; i++) {
        free(cases[i]);
        outcome_free(outcomes[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_run_in_one_launch_in_random_order),
        cmocka_unit_test(a_full_launch_is_followed_by_others),
        cmocka_unit_test(cases_that_may_not_run_have_a_reason),
        cmocka_unit_test(only_the_case_that_hangs_is_lost),
        cmocka_unit_test(a_case_that_hung_never_runs_again),
        cmocka_unit_test(only_the_case_that_is_refused_is_lost),
        cmocka_unit_test(a_missing_stamp_is_tried_twice),
        cmocka_unit_test(canaries_decide_whether_a_launch_counts),
        cmocka_unit_test(nobody_is_blamed_for_a_board_that_does_not_recover),
        cmocka_unit_test(a_hang_is_named_by_its_hash),
        cmocka_unit_test(suspects_run_alone),
        cmocka_unit_test(canaries_must_be_able_to_run),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
