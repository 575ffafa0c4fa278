/* SPDX-License-Identifier: MIT */
/*
 * The vectors that set a case's initial state (harness/vc4/program/emit.h). The flags come from a sum, as on
 * any adder: Z if it is 0, N if bit 31 is set, C if it carries out of bit 31 (VideoCoreIV-AG100-R p30).
 * And a case of vc4-tmu as a program (harness/vc4/program/tmu_program.h).
 */
#include "harness/vc4/program/emit.h"
#include "harness/vc4/program/tmu_program.h"

#include "model/core/unit.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { LANES = 16 };

static struct outcome *o;
static struct emit_state s;

static uint32_t *row(const char *region, unsigned n)
{
    return o->value + (layout_region_named(&o->unit->layout, region)->first_row + n) * LANES;
}

static void set_flags(unsigned lane, unsigned flags)
{
    for (unsigned bit = 0; bit < 3; bit++)
        row("flags", bit)[lane] = flags >> bit & 1;
}

/* The six combinations that a sum can have: Z and N exclude each other. */
static const unsigned possible[] = {0, 1, 2, 4, 5, 6};

static unsigned flags_of(unsigned lane, unsigned turn)
{
    return possible[(lane * lane + lane / 3 + turn) % 6];
}

static void sums_set_the_flags_of_each_element(void **state)
{
    (void)state;
    const struct verifier_places in = {.other = VERIFIER_FLAGS};
    struct error e = {0};
    for (unsigned turn = 0; turn < 6; turn++) {
        for (unsigned lane = 0; lane < LANES; lane++)
            set_flags(lane, flags_of(lane, turn));
        assert_true(emit_plan_state(&in, o, &s, &e));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t sum = (uint64_t)s.x[lane] + s.y[lane];
            unsigned zero = (uint32_t)sum == 0, negative = sum >> 31 & 1, carry = sum >> 32 & 1;
            assert_int_equal(zero | negative << 1 | carry << 2, flags_of(lane, turn));
        }
        assert_int_equal(s.count, 2);
        assert_ptr_equal(s.load[0].row, s.x);
        assert_ptr_equal(s.load[1].row, s.y);
        assert_int_equal(s.load[0].waddr, 32); /* r0 and r1 (p28 T14) */
        assert_int_equal(s.load[1].waddr, 33);
        assert_false(s.load[0].sets_flags);
        assert_true(s.load[1].sets_flags);
    }
}

static void no_sum_is_zero_and_negative(void **state)
{
    (void)state;
    const struct verifier_places in = {.other = VERIFIER_FLAGS};
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned flags = 3; flags < 8; flags += 4) {
            struct error e = {0};
            for (unsigned i = 0; i < LANES; i++)
                set_flags(i, i == lane ? flags : 5);
            assert_false(emit_plan_state(&in, o, &s, &e));
            assert_non_null(strstr(e.text, "both Z and N"));
        }
}

/* The addresses of the registers (p28 T14): ra and rb 0 to 31 in their files, r0 to r3 from 32 on in both, r5
 * is 37 in file B (one word for all elements). */
static void each_register_is_loaded_from_its_row(void **state)
{
    (void)state;
    const struct verifier_places in = {.file = UINT64_C(1) << 3 | UINT64_C(1) << 31 | UINT64_C(1) << 32 |
                                               UINT64_C(1) << 63,
                                       .other = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 5};
    static const struct {
        const char *region;
        unsigned row, waddr, file;
    } loads[] = {{"ra", 3, 3, 0},   {"ra", 31, 31, 0}, {"rb", 0, 0, 1},  {"rb", 31, 31, 1},
                 {"acc", 0, 32, 0}, {"acc", 3, 35, 0}, {"acc", 5, 37, 1}};
    struct error e = {0};
    for (unsigned lane = 0; lane < LANES; lane++)
        row("acc", 5)[lane] = 0x12345;
    assert_true(emit_plan_state(&in, o, &s, &e));
    assert_int_equal(s.count, sizeof loads / sizeof *loads); /* r4 is loaded by the texture unit, not here */
    for (unsigned i = 0; i < s.count; i++) {
        assert_ptr_equal(s.load[i].row, row(loads[i].region, loads[i].row));
        assert_int_equal(s.load[i].waddr, loads[i].waddr);
        if (loads[i].waddr < 32 || loads[i].waddr == 37) /* r0 to r3 are in both files */
            assert_int_equal(s.load[i].file, loads[i].file);
        assert_false(s.load[i].sets_flags);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        row("acc", 5)[lane] ^= 0x80000000;
        assert_false(emit_same_in_all_elements(row("acc", 5)));
        assert_false(emit_plan_state(&in, o, &s, &e));
        assert_non_null(strstr(e.text, "r5 differs"));
        row("acc", 5)[lane] ^= 0x80000000;
    }
}

/* Two look-ups of memory and a load after each: the two vectors of addresses are ra0 and ra1, the two results
 * rb0 and rb1 (tmu_program.h). Without its second load the case has no end. */
static void each_operation_of_a_tmu_case_is_made(void **state)
{
    (void)state;
    static struct test_case tmu, qpu;
    static const char text[] = "misprint-case 1 vc4-tmu\nops {\n  s-address all 0x40\n  load\n"
                               "  s-address all 0x80\n  load\n}\n";
    static const char cut[] = "misprint-case 1 vc4-tmu\nops {\n  s-address all 0x40\n  load\n"
                              "  s-address all 0x80\n}\n";
    struct verifier_proof p;
    struct error e = {0};
    assert_true(case_parse(&tmu, text, strlen(text), &e));
    if (!tmu_program_make(&tmu, &qpu, &p, &e))
        fail_msg("%s", e.text);
    assert_true(p.in.file == 3 && p.out.file == (UINT64_C(3) << 32));
    assert_true(case_parse(&tmu, cut, strlen(cut), &e));
    assert_false(tmu_program_make(&tmu, &qpu, &p, &e));
    assert_non_null(strstr(e.text, "its result is not loaded"));
}

static int make_outcome(void **state)
{
    (void)state;
    o = outcome_new(&vc4_qpu_unit);
    return o ? 0 : -1;
}

static int free_outcome(void **state)
{
    (void)state;
    outcome_free(o);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_set_the_flags_of_each_element),
        cmocka_unit_test(no_sum_is_zero_and_negative),
        cmocka_unit_test(each_register_is_loaded_from_its_row),
        cmocka_unit_test(each_operation_of_a_tmu_case_is_made),
    };
    return cmocka_run_group_tests(tests, make_outcome, free_outcome);
}
