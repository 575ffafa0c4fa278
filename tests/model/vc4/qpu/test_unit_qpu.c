/* SPDX-License-Identifier: MIT */
/*
 * Unit vc4-qpu as a target of fuzzing. Programs of any words end. Defined bits do not depend on the values of
 * undefined bits. Plain, checked and traced runs give the same outcome. The generator's programs end without
 * a fault.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/vc4/qpu/alu/alu_clauses.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct executor *executor;
static struct outcome *one, *other;
static struct test_case *tc;

static int open_place(void **state)
{
    (void)state;
    executor = executor_new(&vc4_qpu_unit);
    one = outcome_new(&vc4_qpu_unit);
    other = outcome_new(&vc4_qpu_unit);
    tc = malloc(sizeof *tc);
    return !tc;
}

static int close_place(void **state)
{
    (void)state;
    executor_free(executor);
    outcome_free(one);
    outcome_free(other);
    free(tc);
    return 0;
}

/* Gives each clause a random reading. */
static void any_profile(struct random *r, struct profile *p)
{
    for (unsigned i = 0; i < unit_clauses(&vc4_qpu_unit); i++)
        p->reading[i] = (uint8_t)random_below(r, clause_readings(unit_clause(&vc4_qpu_unit, i)));
}

static void builtin(unsigned which, struct profile *p)
{
    for (unsigned i = 0; i < unit_clauses(&vc4_qpu_unit); i++)
        p->reading[i] = unit_clause(&vc4_qpu_unit, i)->in_profile[which];
}

static void run(const struct profile *p, enum run_mode mode, uint32_t filler, struct outcome *out)
{
    struct run r = {.tc = tc, .profile = p, .out = out, .mode = mode, .filler = filler};
    executor_run_with(executor, &r);
}

static void assert_same_where_defined(void)
{
    struct differences d = {0};
    if (outcomes_equal(one, other, NULL, &d))
        return;
    struct text t = {0};
    differences_print(&vc4_qpu_unit, &d, 4, &t);
    support_fail_case(tc, "%s", text_chars(&t));
}

/* Runs random words under random readings. The run must end; how it ends does not matter. */
static void random_words_end_somehow(void **state)
{
    (void)state;
    struct random r;
    unsigned ends[END_UNDEFINED + 1] = {0}, cases = support_scaled(1000000);
    random_seed(&r, 1);
    case_init(tc, &vc4_qpu_unit);
    struct qpu_case *c = (void *)tc->words;
    for (unsigned n = 0; n < cases; n++) {
        struct profile p = {0};
        any_profile(&r, &p);
        c->limit = 200;
        c->program.count = random_below(&r, 24);
        for (uint32_t i = 0; i < 2 * c->program.count; i++)
            c->program.word[i] = random_u32(&r);
        for (uint32_t i = 0; i < c->program.count; i++) /* most signals do not end the program */
            if (random_below(&r, 4)) {
                static const uint32_t signals[] = {1, 1, 1, 13, 13, 14, 15, 3, 2, 4};
                uint32_t *high = &c->program.word[2 * i + 1];
                *high = (*high & 0x0FFFFFFF) | signals[random_below(&r, sizeof signals / sizeof *signals)]
                                                   << 28;
                if (*high >> 28 == 15) /* keeps the branch target near, and thus often inside the program */
                    c->program.word[2 * i] &= 0x78;
            }
        run(&p, n % 2 ? RUN_CHECKED : RUN_PLAIN, random_u32(&r), one);
        assert_true(one->end <= END_UNDEFINED && one->end != END_REFUSED);
        ends[one->end]++;
    }
    print_message("  %u cases: %u done, %u hang, %u fault, %u undefined\n", cases, ends[END_DONE],
                  ends[END_HANG], ends[END_FAULT], ends[END_UNDEFINED]);
    assert_true(ends[END_DONE] > 0 && ends[END_HANG] > 0 && ends[END_FAULT] > 0);
}

/* Under random readings, defined bits must not depend on undefined ones. Every mask relies on this. */
static void defined_bits_do_not_depend_on_the_filler(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 2);
    unsigned cases = support_scaled(100000), compared = 0;
    for (unsigned n = 0; n < cases; n++) {
        struct profile p = {0};
        any_profile(&r, &p);
        case_init(tc, &vc4_qpu_unit);
        case_generate(&r, &vc4_qpu_unit, tc);
        run(&p, RUN_CHECKED, 0, one);
        run(&p, RUN_CHECKED, UINT32_MAX, other);
        assert_int_equal(one->end, other->end);
        assert_same_where_defined();
        compared += one->end == END_DONE;
    }
    print_message("  %u cases, %u of them to the end\n", cases, compared);
    assert_true(compared > cases / 4);
}

/* Compares runs that compute only values with runs that also track which bits are defined. */
static void plain_and_checked_runs_agree_under_any_readings(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 3);
    unsigned cases = support_scaled(100000);
    for (unsigned n = 0; n < cases; n++) {
        struct profile p = {0};
        any_profile(&r, &p);
        case_init(tc, &vc4_qpu_unit);
        case_generate(&r, &vc4_qpu_unit, tc);
        run(&p, RUN_PLAIN, 0, one);
        run(&p, RUN_CHECKED, 0, other);
        if (other->end == END_UNDEFINED)
            continue;
        if (one->end != other->end || one->reason != other->reason)
            support_fail_case(tc, "ends as %u, %u in the plain run, as %u, %u in the checked one", one->end,
                              one->reason, other->end, other->reason);
        assert_same_where_defined();
    }
}

/* A clause that a run does not cover cannot change its outcome, whatever the other readings are. Attribution
 * relies on this. */
static void uncovered_clauses_do_not_matter_under_any_readings(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 6);
    unsigned cases = support_scaled(50000), changes = 0;
    for (unsigned n = 0; n < cases; n++) {
        struct profile p = {0};
        any_profile(&r, &p);
        case_init(tc, &vc4_qpu_unit);
        case_generate(&r, &vc4_qpu_unit, tc);
        enum run_mode mode = n % 2 ? RUN_CHECKED : RUN_PLAIN;
        run(&p, mode, 0, one);
        struct coverage first = executor->last;
        for (unsigned tries = 0; tries < 6; tries++) {
            unsigned clause = random_below(&r, unit_clauses(&vc4_qpu_unit));
            struct profile changed = p;
            changed.reading[clause] =
                (uint8_t)random_below(&r, clause_readings(unit_clause(&vc4_qpu_unit, clause)));
            if (covered(&first, clause) || changed.reading[clause] == p.reading[clause])
                continue;
            changes++;
            run(&changed, mode, 0, other);
            if (one->end != other->end || !outcomes_equal(one, other, NULL, NULL))
                support_fail_case(tc, "%s is not covered, but matters",
                                  unit_clause(&vc4_qpu_unit, clause)->id);
        }
    }
    print_message("  %u cases, %u changes of uncovered clauses\n", cases, changes);
    assert_true(changes > cases);
}

/* Bit 5 of the amount comes from an SFU result that has not arrived, so it is undefined. The clause
 * shift-amount decides whether this bit matters, and so whether the shift is defined. Element 0 is not
 * written, so only the other elements' amounts count. */
static void undefined_amounts_ask_what_counts_of_them(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-qpu\nacc row 2 = all 00000020\nprogram {\n"
                               "  or.setf nop, element_number, element_number\n"
                               "  mov sfu_recip, r0\n  and r3, r4, r2\n"
                               "  shl.zc ra1, r2, r3\n  nop\n  nop ; end\n  nop\n  nop\n}\n";
    struct error e = {0};
    struct profile p = {0};
    if (!case_parse(tc, text, sizeof text - 1, &e))
        fail_msg("%s", e.text);
    for (unsigned reading = 0; reading < 2; reading++) {
        p.reading[ALU_SHIFT_AMOUNT] = (uint8_t)(reading ? SHIFT_AMOUNT_MOD_32 : READING_MANUAL);
        run(&p, RUN_CHECKED, 0, one);
        const uint32_t row = layout_region_named(&vc4_qpu_unit.layout, "ra")->first_row + 1U;
        assert_int_equal(one->defined[row * VC4_LANES + 1], reading ? UINT32_MAX : 0);
        assert_int_equal(one->defined[row * VC4_LANES], UINT32_MAX);
        assert_true(covered(&executor->last, ALU_SHIFT_AMOUNT));
    }
}

static void count_line(void *context, const char *line)
{
    (void)line;
    ++*(uint64_t *)context;
}

static void keep_text(void *context, const char *line)
{
    text_add(context, "%s\n", line);
}

/* A trace shows a value that reaches r4 or r5 later, at the instruction that causes it: p29 (a load signal),
 * p23 (an SFU write; r4 has the result from the third instruction on), p51 (C of a varying). */
static void a_trace_shows_what_is_on_its_way(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 vc4-qpu\nstage = fragment\nvarying-count = 1\nvaryings row 0 = all 3f800000\n"
        "varyings row 1 = all 40400000\nuniforms { @0 }\nmemory row 0 = all 00000011\nacc row 0 = all "
        "40000000\n"
        "program {\n  mov tmu0_s, uniform\n  nop ; load_tmu0\n  mov r1, varying\n  mov sfu_recip, r0\n  "
        "nop\n  nop\n"
        "  nop ; end\n  nop\n  nop\n}\n";
    struct error e = {0};
    struct profile p;
    struct text lines = {0};
    if (!case_parse(tc, text, strlen(text), &e))
        fail_msg("%s", e.text);
    profile_builtin(&vc4_qpu_unit, VC4_PROFILE_BCM2835, &p);
    struct run traced = {
        .tc = tc, .profile = &p, .out = one, .mode = RUN_TRACED, .trace = keep_text, .trace_context = &lines};
    executor_run_with(executor, &traced);
    assert_int_equal(one->end, END_DONE);
    assert_non_null(strstr(text_chars(&lines), "  nop ; load_tmu0; r4 = all 00000011\n"));
    assert_non_null(strstr(text_chars(&lines), "  mov r1, varying; r1 = all 3f800000; r5 = all 40400000\n"));
    assert_non_null(
        strstr(text_chars(&lines), "  mov sfu_recip, r0; r4 from the third instruction on = all 3f0"));
    text_free(&lines);
}

static void a_trace_has_one_line_for_each_step(void **state)
{
    (void)state;
    struct random r;
    struct profile p = {0};
    random_seed(&r, 4);
    for (unsigned n = support_scaled(5000); n-- > 0;) {
        uint64_t lines = 0;
        builtin(n % 4 ? VC4_PROFILE_BCM2835 : VC4_PROFILE_MANUAL, &p);
        case_init(tc, &vc4_qpu_unit);
        case_generate(&r, &vc4_qpu_unit, tc);
        struct run traced = {.tc = tc,
                             .profile = &p,
                             .out = one,
                             .mode = RUN_TRACED,
                             .trace = count_line,
                             .trace_context = &lines};
        traced.count_fidelity = true;
        executor_run_with(executor, &traced);
        struct run checked = {
            .tc = tc, .profile = &p, .out = other, .mode = RUN_CHECKED, .count_fidelity = true};
        executor_run_with(executor, &checked);
        assert_int_equal(lines, traced.steps);
        assert_int_equal(one->end, other->end);
        assert_same_where_defined();
        assert_memory_equal(one->defined, other->defined,
                            vc4_qpu_unit.layout.rows * vc4_qpu_unit.layout.row_words * sizeof *one->defined);
        assert_memory_equal(one->touched, other->touched, sizeof one->touched);
        assert_memory_equal(&traced.fidelity, &checked.fidelity, sizeof checked.fidelity);
    }
}

static void generated_programs_mostly_end_well(void **state)
{
    (void)state;
    struct random r;
    struct profile p = {0};
    unsigned done = 0, cases = 10000;
    uint64_t touched = 0;
    builtin(VC4_PROFILE_BCM2835, &p);
    random_seed(&r, 5);
    for (unsigned n = 0; n < cases; n++) {
        case_init(tc, &vc4_qpu_unit);
        vc4_qpu_unit.generate(&r, tc);
        run(&p, RUN_CHECKED, 0, one);
        done += one->end == END_DONE;
        for (unsigned i = 0; i < OUTCOME_ROWS_MAX / 64; i++)
            touched += (uint64_t)__builtin_popcountll(one->touched[i]);
    }
    print_message("  %u of %u end well; %.1f rows touched by each\n", done, cases, (double)touched / cases);
    assert_true(done > cases * 3 / 4);
    assert_true(touched > 3 * cases);
}

static void mending_gives_an_end_once(void **state)
{
    (void)state;
    case_init(tc, &vc4_qpu_unit);
    struct qpu_case *c = (void *)tc->words;
    vc4_qpu_unit.mend(tc);
    assert_int_equal(c->program.count, 3);
    vc4_qpu_unit.mend(tc);
    assert_int_equal(c->program.count, 3);
    c->program.count = QPU_CASE_PROGRAM_MAX;
    memset(c->program.word, 0x11, sizeof c->program.word);
    vc4_qpu_unit.mend(tc);
    assert_int_equal(c->program.count, QPU_CASE_PROGRAM_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_words_end_somehow),
        cmocka_unit_test(defined_bits_do_not_depend_on_the_filler),
        cmocka_unit_test(plain_and_checked_runs_agree_under_any_readings),
        cmocka_unit_test(uncovered_clauses_do_not_matter_under_any_readings),
        cmocka_unit_test(undefined_amounts_ask_what_counts_of_them),
        cmocka_unit_test(a_trace_shows_what_is_on_its_way),
        cmocka_unit_test(a_trace_has_one_line_for_each_step),
        cmocka_unit_test(generated_programs_mostly_end_well),
        cmocka_unit_test(mending_gives_an_end_once),
    };
    return cmocka_run_group_tests(tests, open_place, close_place);
}
