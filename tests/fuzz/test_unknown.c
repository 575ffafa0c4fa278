/* SPDX-License-Identifier: MIT */
/* `bench unknown`: which boards it makes, and how it judges what was learned. */
#include "fuzz/generate/generate.h"
#include "fuzz/measure/unknown.h"
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
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FRESH = 3000 };

static const struct unit *swizzle(void)
{
    return unit_named("svp64-swizzle");
}

static struct unknown_board board_of(const struct unit *u, const char *readings)
{
    struct unknown_board b = {.unit = u};
    struct error e = {0};
    (void)snprintf(b.kind, sizeof b.kind, "reading");
    (void)snprintf(b.name, sizeof b.name, "%s", readings);
    (void)snprintf(b.spec, sizeof b.spec, "virtual:manual,%s", readings);
    if (!cause_parse(u, readings, &b.hidden, &e))
        fail_msg("%s: %s", readings, e.text);
    return b;
}

/* Judges the profile `learned` as if a search with the base `on` had learned it. */
static struct unknown_result *judged(const struct unknown_board *b, const char *on, const char *learned)
{
    struct unknown_result *r = calloc(1, sizeof *r);
    struct error e = {0};
    struct profile base, profile;
    assert_true(profile_resolve(b->unit, on, &base, &e));
    if (!profile_resolve(b->unit, learned, &profile, &e))
        fail_msg("%s: %s", learned, e.text);
    r->learned.profile = profile;
    for (unsigned i = 0; i < unit_clauses(b->unit); i++)
        if (profile.reading[i] != base.reading[i])
            r->learned.learned[r->learned.count++].change =
                (struct learn_change){.clause = (uint16_t)i, .reading = profile.reading[i]};
    for (uint32_t i = 0; i < profile.rules.count; i++)
        r->learned.learned[r->learned.count++].change =
            (struct learn_change){.is_rule = true, .rule = rules_get(&profile.rules, i)};
    if (!unknown_judge(b, &base, 1, FRESH, r, &e))
        fail_msg("%s: %s", b->spec, e.text);
    assert_int_equal(r->fresh, FRESH);
    return r;
}

/* ---- boards ---- */

/* Does the reading change a defined bit in one of the test's own cases? */
static bool shows(const struct unit *u, unsigned clause, unsigned reading)
{
    struct executor *x = executor_new(u);
    struct outcome *by[2] = {outcome_new(u), outcome_new(u)};
    struct test_case *c = calloc(1, sizeof *c);
    struct profile p = {0};
    struct random r;
    bool found = false;
    random_seed(&r, 77);
    assert_non_null(c);
    for (unsigned n = 0; n < 1000 && !found; n++) {
        case_generate(&r, u, c);
        for (unsigned k = 0; k < 2; k++) {
            p.reading[clause] = (uint8_t)(k ? reading : READING_MANUAL);
            executor_run(x, c, &p, RUN_CHECKED, by[k]);
        }
        found = !outcomes_equal(by[0], by[1], NULL, NULL);
    }
    free(c);
    outcome_free(by[0]);
    outcome_free(by[1]);
    executor_free(x);
    return found;
}

static void boards_follow_every_reading_that_shows(void **state)
{
    (void)state;
    const struct unit *u = swizzle();
    unsigned count, left_out, readings = 0, of_kind[3] = {0};
    struct unknown_board *list = unknown_boards_of(u, 1, 5, 5, &count, &left_out);
    for (unsigned i = 0; i < unit_clauses(u); i++)
        readings += clause_readings(unit_clause(u, i)) - 1;
    for (unsigned i = 0; i < count; i++) {
        const struct cause *h = &list[i].hidden;
        of_kind[0] += h->count == 1;
        of_kind[1] += h->count == 2;
        of_kind[2] += h->count == 4;
        for (unsigned k = 0; k < h->count; k++) {
            assert_int_not_equal(h->change[k].reading, READING_MANUAL);
            assert_true(!k || h->change[k].clause > h->change[k - 1].clause);
        }
        for (unsigned k = 0; k < i && h->count == 1; k++)
            assert_string_not_equal(list[i].spec, list[k].spec);
    }
    for (unsigned i = 0; i < unit_clauses(u); i++)
        for (unsigned reading = 1; reading < clause_readings(unit_clause(u, i)); reading++) {
            bool listed = false;
            for (unsigned k = 0; k < count; k++)
                listed |= list[k].hidden.count == 1 && list[k].hidden.change[0].clause == i &&
                          list[k].hidden.change[0].reading == reading;
            assert_true(listed || !shows(u, i, reading));
        }
    assert_int_equal(of_kind[0] + left_out, readings);
    assert_true(of_kind[0] > left_out);
    assert_int_equal(of_kind[1], 5);
    assert_int_equal(of_kind[2], 5);
    assert_int_equal(count, of_kind[0] + 10);
    free(list);
}

static void the_seed_draws_the_sets(void **state)
{
    (void)state;
    unsigned count[3], left_out, same[2] = {0};
    const uint64_t seed[3] = {1, 1, 2};
    struct unknown_board *list[3];
    for (unsigned i = 0; i < 3; i++)
        list[i] = unknown_boards_of(swizzle(), seed[i], 5, 5, &count[i], &left_out);
    for (unsigned i = 0; i < count[0]; i++)
        for (unsigned k = 0; k < 2; k++)
            same[k] += !strcmp(list[0][i].spec, list[k + 1][i].spec);
    assert_int_equal(same[0], count[0]);
    assert_true(same[1] >= count[0] - 10 && same[1] < count[0]);
    for (unsigned i = 0; i < 3; i++)
        free(list[i]);
}

/* ---- judging ---- */

/* The clock of this program: the machine's, or one that moves by a second with each look at it. */
static bool clock_counts;

int clock_gettime(clockid_t which, struct timespec *t)
{
    static time_t looks;
    if (!clock_counts)
        return (int)syscall(SYS_clock_gettime, which, t);
    *t = (struct timespec){.tv_sec = ++looks};
    return 0;
}

/* To compare a batch takes one look at the clock, on both boards. So the learned profile is as fast as an
 * equal board. */
static void both_boards_are_timed_alike(void **state)
{
    (void)state;
    struct unknown_board b = board_of(swizzle(), "swiz-half-order=high-first");
    clock_counts = true;
    struct unknown_result *r = judged(&b, "manual", "manual,swiz-half-order=high-first");
    clock_counts = false;
    assert_true(fabs(r->rate - 1) < 1e-9);
    free(r);
}

static void the_truth_is_stated(void **state)
{
    (void)state;
    struct unknown_board b = board_of(swizzle(), "swiz-half-order=high-first");
    struct unknown_result *truth = judged(&b, "manual", "manual,swiz-half-order=high-first");
    struct unknown_result *nothing = judged(&b, "manual", "manual");
    assert_true(truth->stated && truth->shown);
    assert_int_equal(truth->left + truth->wrong + truth->excused, 0);
    assert_false(nothing->stated);
    assert_int_equal(nothing->left, nothing->shown);
    assert_true(truth->rate > 0);
    free(truth);
    free(nothing);
}

static void an_innocent_clause_is_refuted(void **state)
{
    (void)state;
    struct unknown_board b = board_of(swizzle(), "swiz-half-order=high-first");
    struct unknown_result *r = judged(&b, "manual", "manual,swiz-half-order=high-first,swiz-imm-slices=lsb0");
    assert_false(r->stated);
    assert_int_equal(r->wrong, 1);
    for (unsigned i = 0; i < 2; i++) {
        const char *id = unit_clause(b.unit, r->learned.learned[i].change.clause)->id;
        assert_int_equal(r->refuted[i], !strcmp(id, "swiz-imm-slices"));
    }
    free(r);
}

static void a_false_rule_is_refuted(void **state)
{
    (void)state;
    struct unknown_board b = board_of(unit_named("vc4-vpm"), "vpm-stride-zero=stays");
    struct unknown_result *r =
        judged(&b, "manual", "manual,vpm-stride-zero=stays;vc4-vpm write.stride when value == 7 = 9");
    assert_false(r->stated);
    assert_int_equal(r->wrong, 0);
    assert_int_equal(r->false_rules, 1);
    free(r);
}

/* The board flips another bit of the words in which the learned rule acts. That rule's own bit still refutes
 * it. */
static void only_the_bits_of_a_change_refute_it(void **state)
{
    (void)state;
    struct unknown_board b = {.unit = unit_named("vc4-vpm"), .kind = "rule", .name = "bit 0"};
    (void)snprintf(b.spec, sizeof b.spec, "virtual:manual;vc4-vpm block.value = value ^ 1");
    struct unknown_result *r = judged(&b, "manual", "manual;vc4-vpm block.value = value ^ 2");
    assert_false(r->stated);
    assert_int_equal(r->false_rules, 1);
    free(r);
}

/* The board and the base copy overlapping elements in different ways. The learned profile leaves these
 * elements undefined, which removes the difference but does not state the cause. */
static void an_excuse_is_no_cause(void **state)
{
    (void)state;
    struct unknown_board b = board_of(swizzle(), "swiz-overlap=buffered");
    struct unknown_result *r = judged(&b, "manual,swiz-overlap=sequential", "manual");
    assert_int_equal(r->left, 0);
    assert_true(r->shown && r->excused);
    assert_false(r->stated);
    free(r);
}

/* The learned profile leaves overlapping elements undefined. If the board's masks do so, too, that is right.
 * If the board copies them in some order, it is an excuse. Without masks, a run for values only tells whether
 * the profile copies them as the board does. */
static void masks_tell_what_is_right_from_an_excuse(void **state)
{
    (void)state;
    static const char *const boards[] = {"virtual:manual", "virtual:manual,swiz-overlap=buffered"};
    for (unsigned i = 0; i < 2; i++) {
        struct unknown_board b = {.unit = swizzle(), .kind = "mine", .name = "overlap"};
        (void)snprintf(b.spec, sizeof b.spec, "%s", boards[i]);
        struct unknown_result *without = judged(&b, "manual,swiz-overlap=sequential", "manual");
        (void)snprintf(b.masks, sizeof b.masks, "%s~masks", boards[i]);
        struct unknown_result *with = judged(&b, "manual,swiz-overlap=sequential", "manual");
        assert_true(with->shown > 0);
        assert_int_equal(with->shown, without->shown);
        assert_int_equal(with->left, 0);
        assert_int_equal(without->is_excused, i == 1);
        assert_int_equal(without->stated, i == 0);
        assert_int_equal(with->excused > 0, i == 1);
        assert_int_equal(with->stated, i == 0);
        free(without);
        free(with);
    }
}

/* After one case in ten, the board gives wrong values for the next one. No other board is unsteady. */
static void a_board_that_remembers_cases_is_unsteady(void **state)
{
    (void)state;
    struct unknown_board b = {.unit = swizzle(), .kind = "mine", .name = "stale"};
    const char *const stale[] = {"", ",stale=10"};
    for (unsigned i = 0; i < 2; i++) {
        (void)snprintf(b.spec, sizeof b.spec, "plugin:%s/tests/plugin_model.so,inline,profile=manual%s",
                       getenv("MISPRINT_BUILD_DIR"), stale[i]);
        struct unknown_result *r = judged(&b, "manual", "manual");
        if (i)
            assert_in_range(r->unsteady, r->fresh / 12, r->fresh / 4);
        else
            assert_int_equal(r->unsteady, 0);
        free(r);
    }
}

/* ---- learning ---- */

static struct unknown_result *run(const struct unknown_board *b, double seconds, double rate, uint32_t fresh)
{
    struct unknown_result *r = calloc(1, sizeof *r);
    struct unknown_budget o = {.seconds = seconds, .rate = rate, .seed = 1, .fresh = fresh, .judged = fresh};
    struct error e = {0};
    if (!unknown_run(b, &o, r, &e))
        fail_msg("%s: %s", b->spec, e.text);
    assert_true(r->seconds >= (double)r->answered / rate);
    unknown_free(r);
    return r;
}

/* The search may use the reading that the first board follows, but not the one of the second board. */
static void a_hidden_reading_is_not_used(void **state)
{
    (void)state;
    struct unknown_board open = board_of(swizzle(), "swiz-half-order=high-first"), hidden = open;
    open.hidden.count = 0;
    struct unknown_result *a = run(&open, 60, 10000, FRESH), *b = run(&hidden, 1, 10000, FRESH);
    int clause = unit_clause_index(swizzle(), "swiz-half-order");
    assert_true(a->stated);
    assert_int_equal(a->wrong, 0);
    assert_true(a->answered > FRESH);
    assert_int_equal(a->learned.profile.reading[clause], 1);
    assert_true(b->learned.differing);
    assert_int_equal(b->learned.profile.reading[clause], READING_MANUAL);
    free(a);
    free(b);
}

/* A slow board's answers use up the time. */
static void a_slow_board_spends_the_budget(void **state)
{
    (void)state;
    struct unknown_board b = board_of(swizzle(), "swiz-half-order=high-first");
    b.hidden.count = 0;
    struct unknown_result *r = run(&b, 10, 100, FRESH);
    assert_int_not_equal(r->learned.end, LEARN_AGREES);
    assert_true(r->seconds >= 10);
    assert_true(r->answered < 2 * 10 * 100);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_follow_every_reading_that_shows),
        cmocka_unit_test(the_seed_draws_the_sets),
        cmocka_unit_test(both_boards_are_timed_alike),
        cmocka_unit_test(the_truth_is_stated),
        cmocka_unit_test(an_innocent_clause_is_refuted),
        cmocka_unit_test(a_false_rule_is_refuted),
        cmocka_unit_test(only_the_bits_of_a_change_refute_it),
        cmocka_unit_test(an_excuse_is_no_cause),
        cmocka_unit_test(masks_tell_what_is_right_from_an_excuse),
        cmocka_unit_test(a_board_that_remembers_cases_is_unsteady),
        cmocka_unit_test(a_hidden_reading_is_not_used),
        cmocka_unit_test(a_slow_board_spends_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
