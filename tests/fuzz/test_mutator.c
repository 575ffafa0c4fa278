/* SPDX-License-Identifier: MIT */
/*
 * The parts that all engines share. The mutator changes cases as bytes: every result is the canonical form of
 * a case in range, and a seed always gives the same result. Batches of cases in one file. The harness: a case
 * always sets the same counters, and every difference is explained. The tests use the tables of all units.
 */
#include "fuzz/engines/engine_harness.h"
#include "fuzz/generate/generate.h"
#include "fuzz/generate/mutator.h"
#include "model/core/memory.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHANGES = 4000, TRIALS = 3000 };

static uint8_t first[CASE_BYTES_MAX], second[CASE_BYTES_MAX], third[CASE_BYTES_MAX];

static size_t generate(struct random *r, const struct unit *u, uint8_t bytes[CASE_BYTES_MAX])
{
    static struct test_case c;
    case_generate(r, u, &c);
    return case_encode(&c, bytes);
}

/* Checks that the bytes are what case_encode writes for a case in range. */
static void assert_canonical(const struct unit *u, const uint8_t *bytes, size_t count)
{
    static struct test_case c, again;
    static uint8_t encoded[CASE_BYTES_MAX];
    case_decode(&c, u, bytes, count);
    case_copy(&again, &c);
    case_sanitise(&again);
    assert_true(case_equal(&c, &again));
    assert_int_equal(case_encode(&c, encoded), count);
    assert_memory_equal(encoded, bytes, count);
}

static void test_changes_are_canonical_and_follow_from_the_seed(void **state)
{
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        struct mutator *m = mutator_new(u), *other = mutator_new(u);
        struct random r;
        random_seed(&r, 1);
        size_t count = generate(&r, u, first);
        unsigned changed = 0, long_ones = 0;
        for (unsigned i = 0; i < support_scaled(CHANGES); i++) {
            size_t made = mutator_change(m, i, first, count, second, sizeof second);
            assert_true(made > 0);
            assert_int_equal(mutator_change(other, i, first, count, third, sizeof third), made);
            assert_memory_equal(second, third, made);
            assert_canonical(u, second, made);
            changed += made != count || memcmp(first, second, made) != 0;
            size_t narrow = mutator_change(m, i, first, count, third, made - 1);
            assert_int_equal(narrow, 0); /* the result does not fit; the mutator must not cut it */
            long_ones += made > count;
            if (i % 8 == 7) { /* the next changes start from this result */
                memcpy(first, second, made);
                count = made;
            }
        }
        assert_true(changed > support_scaled(CHANGES) / 2);
        assert_true(long_ones > 0);
        mutator_free(m);
        mutator_free(other);
    }
}

static void test_crossing_takes_from_both(void **state)
{
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        struct mutator *m = mutator_new(u);
        struct random r;
        random_seed(&r, 2);
        unsigned new = 0;
        for (unsigned i = 0; i < support_scaled(CHANGES) / 4; i++) {
            size_t a = generate(&r, u, first), b = generate(&r, u, second);
            size_t made = mutator_cross(m, i, first, a, second, b, third, sizeof third);
            assert_true(made > 0);
            assert_canonical(u, third, made);
            new +=
                (made != a || memcmp(third, first, a) != 0) && (made != b || memcmp(third, second, b) != 0);
        }
        assert_true(new > support_scaled(CHANGES) / 8);
        mutator_free(m);
    }
}

static void test_any_bytes_can_be_changed(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 3);
    for (unsigned n = 0; unit_at(n); n++) {
        struct mutator *m = mutator_new(unit_at(n));
        for (unsigned i = 0; i < support_scaled(CHANGES) / 4; i++) {
            size_t count = random_below(&r, 200);
            for (size_t k = 0; k < count; k++)
                first[k] = (uint8_t)random_u32(&r);
            size_t made = mutator_change(m, i, first, count, second, sizeof second);
            assert_canonical(unit_at(n), second, made);
        }
        mutator_free(m);
    }
}

static void test_batches(void **state)
{
    (void)state;
    static const uint8_t written[] = {0xB5, 'M', 'B', 1, 3, 0, 0, 0, 'a', 'b',
                                      'c',  0,   0,   0, 0, 1, 0, 0, 0,   'd'};
    uint8_t bytes[sizeof written + 5];
    struct pack_writer w;
    size_t room;
    assert_true(pack_begin(&w, bytes, sizeof written));
    memcpy(pack_place(&w, &room), "abc", 3);
    assert_int_equal(room, 12);
    pack_added(&w, 3);
    assert_non_null(pack_place(&w, &room));
    pack_added(&w, 0);
    memcpy(pack_place(&w, &room), "d", 1);
    assert_int_equal(room, 1);
    pack_added(&w, 1);
    assert_null(pack_place(&w, &room));
    assert_int_equal(w.used, sizeof written);
    assert_memory_equal(bytes, written, sizeof written);

    static const struct {
        size_t bytes;      /* the file has so many bytes of `written` */
        const char *parts; /* lengths of the cases that the reader returns, one digit each */
    } cut[] = {{sizeof written, "301"},
               {sizeof written - 1, "300"},
               {15, "30"},
               {14, "3"},
               {9, "1"},
               {8, "0"},
               {7, ""},
               {4, ""},
               {3, "3"},
               {0, "0"}};
    for (unsigned i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct pack_reader r;
        const uint8_t *one;
        size_t count;
        pack_open(&r, written, cut[i].bytes);
        for (const char *part = cut[i].parts; *part; part++) {
            assert_true(pack_next(&r, &one, &count));
            assert_int_equal(count, *part - '0');
            assert_true(one + count <= written + cut[i].bytes);
        }
        assert_false(pack_next(&r, &one, &count));
    }
}

/* Runs a case twice, and checks that it sets the same counters. Adds the number of these counters to
 * `set`. */
static enum engine_harness_result run_twice(struct engine_harness *t, const struct test_case *c,
                                            uint64_t draw, unsigned *set)
{
    static uint8_t once[ENGINE_HARNESS_COUNTERS_MAX], twice[ENGINE_HARNESS_COUNTERS_MAX];
    memset(once, 0, sizeof once);
    memset(twice, 0, sizeof twice);
    enum engine_harness_result result = engine_harness_run(t, c, draw, once);
    assert_int_equal(engine_harness_run(t, c, draw, twice), result);
    assert_memory_equal(once, twice, sizeof once);
    for (unsigned i = 0; i < engine_harness_counters(c->unit); i++) {
        *set += once[i];
        once[i] = 0;
    }
    assert_memory_equal(once, once + 1, sizeof once - 1); /* no counter beyond the unit's is set */
    return result;
}

static void test_the_harness_explains_every_difference(void **state)
{
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        struct test_case *c = memory_new(1, sizeof *c);
        struct error e = {0};
        struct engine_harness *against_best = engine_harness_new(u, NULL, NULL, &e),
                              *against_itself = engine_harness_new(u, "manual", "manual", &e);
        struct random r;
        unsigned different = 0, set = 0;
        assert_non_null(against_best);
        assert_non_null(against_itself);
        random_seed(&r, 4);
        for (unsigned i = 0; i < support_scaled(TRIALS); i++) {
            case_generate(&r, u, c);
            enum engine_harness_result result = run_twice(against_best, c, random_u64(&r), &set);
            assert_int_not_equal(result, ENGINE_HARNESS_UNEXPLAINED);
            different += result == ENGINE_HARNESS_DIFFERENT;
            assert_int_equal(run_twice(against_itself, c, random_u64(&r), &set), ENGINE_HARNESS_EQUAL);
        }
        assert_true(different > 0 && set > 0);
        engine_harness_free(against_best);
        engine_harness_free(against_itself);
        free(c);
    }
}

static void test_without_feedback_nothing_is_counted(void **state)
{
    (void)state;
    const struct unit *u = unit_at(0);
    struct test_case *c = memory_new(1, sizeof *c);
    struct error e = {0};
    struct engine_harness *blind = engine_harness_new(u, NULL, NULL, &e);
    struct random r;
    unsigned set = 0, touched = 0;
    engine_harness_set_feedback(blind, FEEDBACK_NONE);
    random_seed(&r, 5);
    for (unsigned i = 0; i < 200; i++) {
        case_generate(&r, u, c);
        (void)run_twice(blind, c, random_u64(&r), &set);
        touched += coverage_clauses(engine_harness_touched(blind));
    }
    assert_true(touched > 0);
    assert_int_equal(set, 0);
    engine_harness_free(blind);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_are_canonical_and_follow_from_the_seed),
        cmocka_unit_test(test_crossing_takes_from_both),
        cmocka_unit_test(test_any_bytes_can_be_changed),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_the_harness_explains_every_difference),
        cmocka_unit_test(test_without_feedback_nothing_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
