/* SPDX-License-Identifier: MIT */
/*
 * Rules at the points of arithmetic against readings of the ledger. The kernels follow a reading in code of
 * their own. So a rule that says the same in terms of a point must give the same outcomes of generated cases.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

enum { GENERATED = 400 };

static const struct {
    const char *reading, *rules;
} pairs[] = {
    {"v3d-round-tie=away", "v3d-qpu whole.up when rest == 2 && direction == 0 = 1"},
    {"v3d-round-tie=up", "v3d-qpu whole.up when rest == 2 && direction == 0 = !negative"},
    {"v3d-ftoc=truncates", "v3d-qpu whole.up when op == 0x5c = 0"},
    {"v3d-ftoc=unsigned", "v3d-qpu whole.unsigned when op == 0x5c = 1"},
    {"v3d-float-to-int-range=wraps", "v3d-qpu whole.range = 0"},
    {"v3d-float-to-int-range=fixed", "v3d-qpu whole.range when value != 0 = 2"},
    {"v3d-float-round=toward-zero", "v3d-qpu round.up when sum = 0"},
    {"v3d-half-round=toward-zero", "v3d-qpu round.up when kind == 3 = 0"},
    {"v3d-half-round=saturates", "v3d-qpu half.class when value == 3 = 2"},
    {"v3d-itof-round=truncates", "v3d-qpu round.up when kind == 2 = 0"},
    {"v3d-norm-round=truncates", "v3d-qpu round.up when kind == 4 = 0"},
    {"v3d-v11fpack-round=truncates", "v3d-qpu round.up when kind == 5 = 0"},
    {"v3d-denormal=flushed", "v3d-qpu float.class when value == 1 && form < 3 = 0"},
    {"v3d-denormal=single", "v3d-qpu float.class when value == 1 && form < 3 && half == 0 = 0"},
    {"v3d-denormal=add", "v3d-qpu float.class when value == 1 && form < 3 && half == 0 && op != 0x7e = 0"},
    {"v3d-denormal=mul", "v3d-qpu float.class when value == 1 && op == 0x7e = 0"},
    {"v3d-denormal=halves", "v3d-qpu float.class when value == 1 && form < 3 && half = 0"},
    {"v3d-faddnf=fadd-flushes", "v3d-qpu float.class when value == 1 && op == 0 = 0"},
    {"v3d-sfu-special=flushed", "v3d-qpu float.class when value == 1 && form == 3 = 0"},
    {"v3d-sfu-special=largest", "v3d-qpu float.class when value == 3 && form == 3 && port == 2 = 2"},
    {"v3d-min-max-nan=propagates", "v3d-qpu choice.takes when order == 3 = 2"},
    {"v3d-min-max-nan=by-bit", "v3d-qpu choice.takes when order == 3 && propagates && !generation = 2"},
    {"v3d-min-max-nan=second", "v3d-qpu choice.takes when order == 3 = 1"},
    {"v3d-min-max-zero=a-then-b", "v3d-qpu choice.takes when order == 1 = max"},
    {"v3d-nan-bits=all-ones", "v3d-qpu nan.bits = 0x7fffffff"},
    {"v3d-nan-bits=operand", "v3d-qpu nan.bits when class_a == 4 = a | 0x400000;"
                             "v3d-qpu nan.bits when class_b == 4 = b | 0x400000"},
    {"v3d-v8pack=saturates", "v3d-qpu pack.number when op == 0x62 = min(value, most)"},
    {"v3d-v10pack=saturates", "v3d-qpu pack.number when op == 0x65 = min(value, most)"},
    {"v3d-v11fpack-range=infinite", "v3d-qpu v11.class = rounded"},
    {"v3d-v11fpack-range=magnitude", "v3d-qpu v11.number = value & 0x7fff"},
    {"v3d-v11fpack-range=quiet-nan", "v3d-qpu v11.nan = 0x20"},
    {"v3d-vadd=saturates", "v3d-qpu halves.sum = smax(smin(value, 0x7fff), 0xffff8000)"},
    {"v3d-flafirst=mask", "v3d-qpu first.word = any << first"},
    {"v3d-flafirst=index", "v3d-qpu first.word = first"},
    {"v3d-sin-range=half-turns", "v3d-qpu sine.angle = operand"},
    {"v3d-sin-range=turns", "v3d-qpu sine.angle = fadd(operand, operand)"},
    {"v3d-uniform-cache=old", "v3d-qpu uniform.value = initial;v3d-qpu unifa.value = initial"},
    {"v3d-store-conflict=lowest-lane", "v3d-qpu tmu.stores = lower == 0"},
    {"v3d-atomic-operand=tmudref", "v3d-qpu tmu.operand = named"},
    {"v3d-atomic-operand=one-fifo", "v3d-qpu tmu.operand = queued"},
    {"v3d-four-threads=alias", "v3d-qpu rf.number when four_threads = value & 31"},
    {"v3d-flpop=restores", "v3d-qpu flag.popped when bit == 0 = a"},
    {"v3d-flpop=restores-both", "v3d-qpu flag.popped = a >> bit"},
    {"v3d-two-writers=mix", "v3d-qpu write.meets when alus = earlier | later"},
    {"v3d-signal-writer=alu", "v3d-qpu write.meets when alus == 0 = earlier"},
    {"v3d-signal-writer=mix", "v3d-qpu write.meets when alus == 0 = earlier | later"},
    {"v3d-carry=adder", "v3d-qpu flag.lane when letter == 2 && table(op, 4: 1, 1, 8: 1, 32: 1, 82: 1, else: "
                        "op > 103) == 0 = adder"},
    {"v3d-carry-mul=zero", "v3d-qpu flag.lane when letter == 2 && op > 103 = 0"},
    {"v3d-nop-flags=of-zero",
     "v3d-qpu flag.changes when table(op, 32: 1, 54..57: 1, 115: 1, else: 0) = 0xffff"},
};

/* Runs a case under both profiles. Returns false if they differ in a defined bit. */
static bool agree(struct executor *x, const struct test_case *tc, const struct profile *reading,
                  const struct profile *rules, struct outcome *a, struct outcome *b)
{
    executor_run(x, tc, reading, RUN_CHECKED, a);
    executor_run(x, tc, rules, RUN_CHECKED, b);
    return a->end == END_UNDEFINED || b->end == END_UNDEFINED || outcomes_equal(a, b, NULL, NULL);
}

static void rules_do_what_readings_do(void **state)
{
    (void)state;
    struct executor *x = executor_new(&v3d_qpu_unit);
    struct outcome *a = outcome_new(&v3d_qpu_unit), *b = outcome_new(&v3d_qpu_unit);
    struct test_case *tc = test_calloc(1, sizeof *tc);
    unsigned wrong = 0;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        char spec[512];
        struct error e = {0};
        struct profile reading, rules;
        struct random r;
        unsigned differ = 0;
        random_seed(&r, 11);
        (void)snprintf(spec, sizeof spec, "manual,%s", pairs[n].reading);
        assert_true(profile_resolve(&v3d_qpu_unit, spec, &reading, &e));
        (void)snprintf(spec, sizeof spec, "manual;%s", pairs[n].rules);
        if (!profile_resolve(&v3d_qpu_unit, spec, &rules, &e))
            fail_msg("%s: %s", pairs[n].rules, e.text);
        for (unsigned k = 0; k < GENERATED; k++) {
            case_generate(&r, &v3d_qpu_unit, tc);
            differ += !agree(x, tc, &reading, &rules, a, b);
        }
        if (differ)
            print_message("%s: %u of %u cases differ from %s\n", pairs[n].rules, differ, GENERATED,
                          pairs[n].reading);
        wrong += differ != 0;
    }
    test_free(tc);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
    assert_int_equal(wrong, 0);
}

/* Counts the bits that `a` defines and `b` does not. */
static unsigned lost(const struct outcome *a, const struct outcome *b)
{
    const uint32_t words = a->unit->layout.row_words;
    unsigned count = 0;
    for (uint32_t row = 0; row < a->unit->layout.rows; row++)
        for (uint32_t i = row * words; i < (row + 1) * words && outcome_touched(a, row); i++)
            count +=
                (unsigned)__builtin_popcount(a->defined[i] & ~(outcome_touched(b, row) ? b->defined[i] : 0));
    return count;
}

/* A rule that gives another value whatever the point's own value is leaves no more bits undefined than the
 * reading that says the same. The point's own value may be undefined. */
static void rules_that_ignore_a_value_ignore_that_it_is_undefined(void **state)
{
    enum { CASES = 12000 };
    static const char *const same[][2] = {{"manual,v3d-rf-forward=stale", "manual;v3d-qpu rf.value = before"},
                                          {"manual,v3d-flpop=restores-both",
                                           "manual;v3d-qpu flag.popped = a >> bit"}};
    (void)state;
    struct executor *x = executor_new(&v3d_qpu_unit);
    struct outcome *a = outcome_new(&v3d_qpu_unit), *b = outcome_new(&v3d_qpu_unit);
    struct test_case *tc = test_calloc(1, sizeof *tc);
    for (unsigned n = 0; n < 2; n++) {
        struct error e = {0};
        struct profile p[2];
        struct random r;
        random_seed(&r, 5);
        assert_true(profile_resolve(&v3d_qpu_unit, same[n][0], &p[0], &e));
        assert_true(profile_resolve(&v3d_qpu_unit, same[n][1], &p[1], &e));
        for (unsigned k = 0; k < support_scaled(CASES); k++) {
            case_generate(&r, &v3d_qpu_unit, tc);
            assert_true(agree(x, tc, &p[0], &p[1], a, b));
            assert_int_equal(a->end, b->end);
            if (a->end != END_UNDEFINED)
                assert_int_equal(lost(a, b), 0);
        }
    }
    test_free(tc);
    outcome_free(a);
    outcome_free(b);
    executor_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_do_what_readings_do),
        cmocka_unit_test(rules_that_ignore_a_value_ignore_that_it_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
