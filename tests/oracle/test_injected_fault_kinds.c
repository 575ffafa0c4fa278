/* SPDX-License-Identifier: MIT */
/* What each kind of injected fault does to an outcome. The expectations are worked out by hand from the
 * sentence that the table of kinds has for it. */
#include "model/core/case.h"
#include "model/core/units.h"
#include "oracle/compare/injected_fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { LANES = 16 };

static struct test_case c;
static struct outcome *before, *now;
static uint32_t first; /* first row of the region `vpm` */

/* Makes a case whose run wrote 100, 101, ... to row 2 of the VPM, and wrote its old content to row 5. */
static void write_rows(void)
{
    case_init(&c, &vc4_vpm_unit);
    outcome_reset(before, &c);
    outcome_reset(now, &c);
    first = layout_region_named(&now->unit->layout, "vpm")->first_row;
    for (uint32_t i = 0; i < LANES; i++) {
        before->value[(first + 2) * LANES + i] = now->value[(first + 2) * LANES + i] = 7;
        before->value[(first + 5) * LANES + i] = now->value[(first + 5) * LANES + i] = 50 + i;
        outcome_row(now, first + 2, LANES)[i] = 100 + i;
    }
    outcome_touch(now, first + 2);
    outcome_touch(now, first + 5);
}

static const uint32_t *row(uint32_t n)
{
    return now->value + (first + n) * LANES;
}

static void inject(const char *text)
{
    struct error e = {0};
    struct injected_fault fault;
    write_rows();
    if (!injected_fault_parse(&vc4_vpm_unit, text, &fault, &e))
        fail_msg("%s: %s", text, e.text);
    injected_fault_change_outcome(&fault, before, now);
    for (uint32_t i = 0; i < LANES; i++) /* the run did not change row 5, so the fault does not either */
        assert_int_equal(row(5)[i], 50 + i);
}

static void lanes_are_dropped_and_turned(void **state)
{
    (void)state;
    inject("lane-drop:vpm:3");
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(row(2)[i], i == 3 ? 7 : 100 + i);
    inject("lane-turn:vpm:1");
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(row(2)[i], i ? 100 + i - 1 : 115);
    inject("lane-turn:vpm:15");
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(row(2)[i], 100 + (i + 1) % 16);
}

static void rows_are_written_too_far(void **state)
{
    (void)state;
    for (uint32_t far = 1; far < 3; far++) {
        inject(far == 1 ? "row-shift:vpm:1" : "row-shift:vpm:2");
        for (uint32_t i = 0; i < LANES; i++) {
            assert_int_equal(row(2)[i], 7);
            assert_int_equal(row(2 + far)[i], 100 + i);
        }
        assert_true(outcome_touched(now, first + 2 + far));
        assert_false(outcome_touched(now, first + 5 - far));
    }
    inject("row-shift:vpm:400"); /* the rows would lie beyond the region, so nothing is written */
    for (uint32_t n = 0; n < layout_region_named(&now->unit->layout, "vpm")->rows; n++)
        for (uint32_t i = 0; i < LANES && n != 5; i++)
            assert_int_equal(row(n)[i], n == 2 ? 7 : 0);
}

static void words_are_changed(void **state)
{
    (void)state;
    static const struct {
        const char *fault;
        uint32_t word[3]; /* replace 100, 101 and 104 (0x64, 0x65, 0x68) */
    } rows[] = {
        {"byte-swap:vpm:0", {0x6400, 0x6500, 0x6800}},
        {"byte-swap:vpm:1", {100, 101, 104}},
        {"bit-clear:vpm:2", {96, 97, 104}},
        {"bit-clear:vpm:0", {100, 100, 104}},
        {"bit-set:vpm:31", {100U | 1U << 31, 101U | 1U << 31, 104U | 1U << 31}},
        {"bit-set:vpm:0", {101, 101, 105}},
        {"value-add:vpm:1", {101, 102, 105}},
        {"value-add:vpm:4294967295", {99, 100, 103}},
        {"value-clamp:vpm:6", {63, 63, 63}},
        {"value-clamp:vpm:7", {100, 101, 104}},
        {"value-clamp:vpm:31", {100, 101, 104}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        inject(rows[i].fault);
        assert_int_equal(row(2)[0], rows[i].word[0]);
        assert_int_equal(row(2)[1], rows[i].word[1]);
        assert_int_equal(row(2)[4], rows[i].word[2]);
    }
}

static void faults_wait_for_the_end(void **state)
{
    struct error e = {0};
    struct injected_fault fault;
    (void)state;
    assert_true(injected_fault_parse(&vc4_vpm_unit, "value-add:vpm:1", &fault, &e));
    write_rows();
    now->end = END_HANG;
    injected_fault_change_outcome(&fault, before, now);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(row(2)[i], 100 + i);
}

static int make(void **state)
{
    (void)state;
    before = outcome_new(&vc4_vpm_unit);
    now = outcome_new(&vc4_vpm_unit);
    return before && now ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    outcome_free(before);
    outcome_free(now);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_dropped_and_turned),
        cmocka_unit_test(rows_are_written_too_far),
        cmocka_unit_test(words_are_changed),
        cmocka_unit_test(faults_wait_for_the_end),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
