/* SPDX-License-Identifier: MIT */
/*
 * Results of the SFU of V3D are compared within the tolerance that tests of real boards allow: 1/10,000 of
 * the value on V3D 4.2, 1/100 on 7.1. The boards here are models with a rule that moves the result of rsqrt
 * by some units in the last place, except infinities. 839 units are 1/10,000 of 1.0, and 1677 of a number
 * just below 2.0.
 */
#include "model/core/units.h"
#include "model/v3d/v3d_insn.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* rsqrt to a register; a copy of it; a copy in memory; and a sum, which has no tolerance. */
static const char program[] =
    "misprint-case 1 v3d-qpu\n"
    "generation = %s\n"
    "program {\n"
    "  rsqrt rf7, rf5\n"
    "  nop ; mov rf8, rf7\n"
    "  mov tmud, rf8\n"
    "  nop ; nop ; ldunifrf.tmua\n"
    "  tmuwt -\n"
    "  fadd rf9, rf7, rf5\n"
    "  nop ; nop ; thrsw\n"
    "  nop\n"
    "  nop\n"
    "}\n"
    "uniforms {\n  @100\n}\n"
    "rf row 5 = 3f800000 40000000 40400000 40800000 3f000000 3e800000 3dcccccd 42c80000 "
    "00000000 40e00000 3fc00000 447a0000 4b000000 30000000 3f800001 3f7fffff\n";

/* Compares the program's outcome with that of a board whose rsqrt is some ulps off. */
static bool equal(const char *generation, int ulps, struct tally *t)
{
    char text[2048], spec[128];
    struct error e = {0};
    struct profile p, other;
    struct test_case *tc = test_malloc(sizeof *tc);
    struct executor *x = executor_new(&v3d_qpu_unit);
    struct outcome *model = outcome_new(&v3d_qpu_unit), *board = outcome_new(&v3d_qpu_unit);
    (void)snprintf(text, sizeof text, program, generation);
    if (!case_parse(tc, text, strlen(text), &e))
        fail_msg("%s", e.text);
    (void)snprintf(spec, sizeof spec,
                   "manual;v3d-qpu add.result when op == %d && value != 0x7f800000 = value + %d", V3D_A_RSQRT,
                   ulps);
    assert_true(profile_resolve(&v3d_qpu_unit, "manual", &p, &e));
    if (!profile_resolve(&v3d_qpu_unit, spec, &other, &e))
        fail_msg("%s", e.text);
    executor_run(x, tc, &p, RUN_CHECKED, model);
    executor_run(x, tc, &other, RUN_PLAIN, board);
    assert_int_equal(model->end, END_DONE);
    *t = (struct tally){0};
    bool is = outcomes_equal(model, board, t, NULL);
    outcome_free(model);
    outcome_free(board);
    executor_free(x);
    test_free(tc);
    return is;
}

static void a_board_within_the_tolerance_is_right(void **state)
{
    (void)state;
    struct tally t;
    assert_true(equal("v3d42", 800, &t));
    assert_true(t.bits > 2 * 15 * 15); /* two registers; 15 lanes have a tolerance, 21 bits are compared */
    assert_true(equal("v3d42", -400, &t));
    assert_true(equal("v3d71", 80000, &t));
}

static void a_board_beyond_the_tolerance_is_wrong(void **state)
{
    (void)state;
    struct tally t;
    assert_false(equal("v3d42", 1700, &t));
    assert_false(equal("v3d42", -1700, &t));
    assert_false(equal("v3d71", 170000, &t));
    assert_false(equal("v3d71", -170000, &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_within_the_tolerance_is_right),
        cmocka_unit_test(a_board_beyond_the_tolerance_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
