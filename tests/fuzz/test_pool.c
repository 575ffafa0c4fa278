/* SPDX-License-Identifier: MIT */
/* The pool of cases: which cases it keeps, which case represents a counter, and which case it changes
 * next. */
#include "fuzz/engines/engine_harness.h"
#include "fuzz/generate/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct unit *unit(void)
{
    return unit_named("svp64-swizzle");
}

static bool ran(struct pool *p, const struct test_case *c, unsigned counter)
{
    static uint8_t counters[ENGINE_HARNESS_COUNTERS_MAX];
    counters[counter] = 1;
    bool kept = pool_ran(p, c, counters);
    for (unsigned i = 0; i < sizeof counters; i++)
        assert_int_equal(counters[i], 0);
    return kept;
}

/* The pool keeps the first case that sets a counter. It keeps the 2nd, 4th, 8th, ... later case if it is of
 * the same size, but no larger case. */
static void first_cases_are_kept(void **state)
{
    (void)state;
    struct pool *p = pool_new(unit());
    static struct test_case c, larger;
    const struct schema *s = &unit()->schema;
    const struct field *image = schema_field(s, "gpr");
    unsigned last = engine_harness_counters(unit()) - 1;
    case_init(&c, unit());
    case_init(&larger, unit());
    assert_non_null(image_own_row(&larger, image, 3, true));
    assert_true(ran(p, &c, 3));
    for (unsigned n = 2; n <= 100; n++)
        assert_int_equal(ran(p, &c, 3), !(n & (n - 1)));
    assert_true(ran(p, &larger, 4));
    assert_true(ran(p, &c, 4));
    for (unsigned n = 3; n <= 8; n++)
        assert_false(ran(p, &larger, 4));
    assert_true(ran(p, &c, last));
    pool_free(p);
}

/* The pool must not change the bytes after a unit's counters. */
static void only_the_units_counters_are_cleared(void **state)
{
    (void)state;
    static uint8_t counters[ENGINE_HARNESS_COUNTERS_MAX + 64];
    static struct test_case c;
    for (unsigned i = 0; unit_at(i); i++) {
        if (!unit_at(i)->schema.field_count)
            continue;
        unsigned count = engine_harness_counters(unit_at(i)), whole = (count + 7) / 8 * 8;
        struct pool *p = pool_new(unit_at(i));
        case_init(&c, unit_at(i));
        memset(counters, 0, sizeof counters);
        counters[0] = counters[count - 1] = 1;
        memset(counters + whole, 0xAA, 64); /* starts at `whole`, because the pool may clear whole blocks
                                             * of eight counters */
        assert_true(pool_ran(p, &c, counters));
        for (unsigned k = 0; k < 64; k++)
            assert_int_equal(counters[whole + k], 0xAA);
        for (unsigned k = 0; k < count; k++)
            assert_int_equal(counters[k], 0);
        pool_free(p);
    }
}

/* Over time the pool keeps more cases than it has places. */
static void places_are_reused(void **state)
{
    (void)state;
    enum { ROWS = 16, COUNTERS = 100, MORE_THAN_ALL = 3000 };
    struct pool *p = pool_new(unit());
    static struct test_case c;
    const struct field *images[] = {schema_field(&unit()->schema, "gpr"),
                                    schema_field(&unit()->schema, "fpr")};
    unsigned kept = 0;
    for (unsigned rows = 2 * ROWS + 1; rows-- > 0;) {
        case_init(&c, unit());
        for (unsigned row = 0; row < rows; row++)
            assert_non_null(image_own_row(&c, images[row / ROWS], row % ROWS, true));
        for (unsigned i = 0; i < COUNTERS; i++, kept++)
            assert_true(ran(p, &c, i));
    }
    assert_true(kept > MORE_THAN_ALL);
    pool_free(p);
}

/* Returns the number of words in which two cases differ. */
static unsigned distance(const struct test_case *c, const struct test_case *of)
{
    unsigned words = 0;
    for (unsigned i = 0; i < unit()->schema.words; i++)
        words += c->words[i] != of->words[i];
    return words;
}

/* The pool changes the case of a rare counter more often than the case of a counter that every case sets. */
static void cases_of_rare_counters_are_changed(void **state)
{
    (void)state;
    struct pool *p = pool_new(unit());
    static struct test_case often, rare, made;
    struct random r;
    unsigned from_rare = 0;
    random_seed(&r, 5);
    case_init(&often, unit());
    case_init(&rare, unit());
    for (unsigned i = 0; i < 20; i++) { /* moves `rare` far from `often`, so that the test can tell which
                                         * case was changed */
        struct pool *away = pool_new(unit());
        pool_make(away, &r, &rare, &made);
        case_copy(&rare, &made);
        pool_free(away);
    }
    assert_true(distance(&rare, &often) > 8);
    ran(p, &often, 1);
    ran(p, &rare, 2);
    for (unsigned i = 0; i < 1000; i++) {
        pool_make(p, &r, NULL, &made);
        from_rare += distance(&made, &rare) < distance(&made, &often);
        ran(p, &often, 1);
    }
    assert_in_range(from_rare, 600, 1000);
    pool_free(p);
}

/* A pool with one case has no second case of which a change could take a part. A part of the first one, which
 * lists no rows, would replace all rows of an image. */
static void a_lone_case_is_not_crossed(void **state)
{
    (void)state;
    enum { ROWS = 16 };
    struct pool *p = pool_new(unit());
    static struct test_case c, made;
    const struct field *image = schema_field(&unit()->schema, "gpr");
    struct random r;
    random_seed(&r, 6);
    case_init(&c, unit());
    for (unsigned row = 0; row < ROWS; row++)
        assert_non_null(image_own_row(&c, image, row, true));
    for (unsigned i = 0; i < 2000; i++) {
        pool_make(p, &r, &c, &made);
        assert_in_range(case_field(&made, image)[2], ROWS - 4, ROWS + 4); /* its number of rows */
    }
    pool_free(p);
}

/* One of eight cases gets one field, or a part of it, of a kept case. The kept cases have no rows in `gpr`,
 * so the made case has lost its 16 rows if that field was taken. */
static void one_of_eight_cases_is_crossed(void **state)
{
    (void)state;
    enum { ROWS = 16, MADE = 400000 };
    struct pool *p = pool_new(unit());
    static struct test_case c, made;
    const struct field *image = schema_field(&unit()->schema, "gpr");
    unsigned taken = 0, expected = MADE / 8 / unit()->schema.field_count;
    struct random r;
    random_seed(&r, 8);
    case_init(&c, unit());
    ran(p, &c, 1);
    for (unsigned row = 0; row < ROWS; row++)
        assert_non_null(image_own_row(&c, image, row, true));
    for (unsigned i = 0; i < MADE; i++) {
        pool_make(p, &r, &c, &made);
        taken += case_field(&made, image)[2] <= 4; /* as many rows as four changes can add */
    }
    print_message("%u of %u cases took field gpr; one of eight would be %u\n", taken, MADE, expected);
    assert_in_range(taken, expected * 95 / 100, expected * 105 / 100);
    pool_free(p);
}

static void equal_calls_make_equal_cases(void **state)
{
    (void)state;
    struct pool *p[2] = {pool_new(unit()), pool_new(unit())};
    static struct test_case made[2];
    struct random r[2];
    random_seed(&r[0], 7);
    random_seed(&r[1], 7);
    for (unsigned i = 0; i < 500; i++) {
        for (unsigned k = 0; k < 2; k++) {
            pool_make(p[k], &r[k], NULL, &made[k]);
            ran(p[k], &made[k], made[k].words[0] % engine_harness_counters(unit()));
        }
        assert_true(case_equal(&made[0], &made[1]));
    }
    pool_free(p[0]);
    pool_free(p[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_cases_are_kept),
        cmocka_unit_test(only_the_units_counters_are_cleared),
        cmocka_unit_test(places_are_reused),
        cmocka_unit_test(cases_of_rare_counters_are_changed),
        cmocka_unit_test(a_lone_case_is_not_crossed),
        cmocka_unit_test(one_of_eight_cases_is_crossed),
        cmocka_unit_test(equal_calls_make_equal_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
