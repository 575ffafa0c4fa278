/* SPDX-License-Identifier: MIT */
/* Cases of vc4-vpm as programs of vc4-qpu. In the model both have the same outcome, under both built-in
 * profiles. */
#include "harness/vc4/program/vpm_program.h"
#include "harness/verify/verifier.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct test_case vpm, qpu;

/* Converts the outcome of a program to an outcome of the vc4-vpm case. */
static void take_outcome(const struct outcome *as_program, struct outcome *back)
{
    static uint16_t to[OUTCOME_ROWS_MAX];
    uint32_t width = back->unit->layout.row_words;
    vpm_program_rows(to);
    outcome_reset(back, &vpm);
    for (uint32_t row = 0; row < as_program->unit->layout.rows; row++) {
        if (to[row] == VPM_PROGRAM_NO_ROW || !outcome_touched(as_program, row))
            continue;
        memcpy(outcome_row(back, to[row], width), as_program->value + row * width, width * sizeof(uint32_t));
        outcome_touch(back, to[row]);
    }
    vpm_program_mask(&vpm, back);
}

static void programs_do_what_the_cases_do(void **state)
{
    (void)state;
    const struct unit *from = unit_named("vc4-vpm"), *to = unit_named("vc4-qpu");
    struct executor *x = executor_new(from), *y = executor_new(to);
    struct outcome *direct = outcome_new(from), *as_program = outcome_new(to), *back = outcome_new(from);
    static const char *const names[] = {"manual", "bcm2835"};
    struct error e = {0};
    unsigned cases = support_scaled(30000), made = 0, provable = 0;
    struct random r;
    random_seed(&r, 4);
    for (unsigned n = 0; n < cases; n++) {
        struct profile p, q;
        struct verifier_proof proof;
        case_init(&vpm, from);
        from->generate(&r, &vpm);
        if (!vpm_program_make(&vpm, MEMORY_BASE_DEFAULT, &qpu, &e))
            continue;
        assert_true(profile_resolve(from, names[n % 2], &p, &e) && profile_resolve(to, names[n % 2], &q, &e));
        executor_run(x, &vpm, &p, RUN_PLAIN, direct);
        executor_run(y, &qpu, &q, RUN_PLAIN, as_program);
        made++;
        if (direct->end != END_DONE || as_program->end != END_DONE)
            continue;
        provable += verifier_prove(&qpu, MEMORY_BASE_DEFAULT, &proof, &e);
        take_outcome(as_program, back);
        if (!outcomes_equal(direct, back, NULL, NULL))
            support_fail_case(&vpm, "as a program it comes to something else");
    }
    printf("%u of %u cases as programs, %u of them provable\n", made, cases, provable);
    assert_true(made * 4 > cases && provable * 20 > cases);
    executor_free(x);
    executor_free(y);
    outcome_free(direct);
    outcome_free(as_program);
    outcome_free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_do_what_the_cases_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
