/* SPDX-License-Identifier: MIT */
/*
 * Tolerances of registers. The test's own device gives SFU results anywhere within the tolerance of
 * sfu-precision. The model's checked outcome must allow what the device leaves, whatever the program does
 * with the results. If the program only moves a result, the comparison must still use its distance.
 */
/* The device's alu_sfu is below. It calls the model's alu_sfu, which this file compiles under another
 * name. */
#define alu_sfu sfu_as_documented
#define answer  sfu_answer             /* board.h has another `answer` */
#include "model/vc4/qpu/alu/qpu_sfu.c" /* NOLINT(bugprone-suspicious-include): its own functions */
#undef alu_sfu
#undef answer

#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/number/random.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/model/vc4/qpu/alu/support_alu.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct random device; /* chooses results within the tolerance */
static bool perturbs;

/* Returns a random word that is right for a result. */
static uint32_t any_right(uint32_t value, uint32_t mask, uint32_t tolerance)
{
    uint32_t magnitude = value & 0x7FFFFFFF, step = (mask & 0xFF) == 0xFF ? 256 : 1;
    uint32_t by = random_below(&device, tolerance / step + 1) * step;
    bool up = random_one_in(&device, 2) || by > magnitude;
    uint32_t other = (value & 0x80000000) | (up ? magnitude + by : magnitude - by);
    return tolerance_difference(tolerance, mask, value, other) ? value : other;
}

void alu_sfu(const struct alu_rules *rules, enum sfu_function f, const struct vc4_vector *in,
             struct vc4_vector *out, struct vc4_vector *defined, struct vc4_vector *tolerance)
{
    sfu_as_documented(rules, f, in, out, defined, tolerance);
    for (unsigned i = 0; perturbs && i < VC4_LANES; i++)
        if (tolerance->lane[i])
            out->lane[i] = any_right(out->lane[i], defined->lane[i], tolerance->lane[i]);
}

struct place {
    struct executor *executor;
    struct outcome *model, *board;
    struct test_case *tc;
    struct profile profile;
    struct random random;
};

static void open_place(struct place *p)
{
    struct error e = {0};
    p->executor = executor_new(&vc4_qpu_unit);
    p->model = outcome_new(&vc4_qpu_unit);
    p->board = outcome_new(&vc4_qpu_unit);
    p->tc = malloc(sizeof *p->tc);
    assert_non_null(p->tc);
    assert_true(profile_resolve(&vc4_qpu_unit, "bcm2835", &p->profile, &e));
    random_seed(&p->random, 70);
    random_seed(&device, 71);
}

static void close_place(struct place *p)
{
    executor_free(p->executor);
    outcome_free(p->model);
    outcome_free(p->board);
    free(p->tc);
}

static void run_both(struct place *p)
{
    executor_run(p->executor, p->tc, &p->profile, RUN_CHECKED, p->model);
    perturbs = true;
    executor_run(p->executor, p->tc, &p->profile, RUN_PLAIN, p->board);
    perturbs = false;
}

static unsigned tolerant_words(const struct outcome *o)
{
    const struct layout *l = &vc4_qpu_unit.layout;
    unsigned n = 0;
    for (uint32_t row = 0; row < l->rows; row++)
        for (uint32_t i = 0; outcome_touched(o, row) && i < l->row_words; i++)
            n += o->tolerance[row * l->row_words + i] != 0;
    return n;
}

/* Replaces a few instructions by moves, because the generator rarely makes moves. */
static void add_moves(struct place *p)
{
    static const char *const lines[] = {"mov ra3, r4 ; nop",       "nop ; mov rb5, r4",
                                        "mov r2, r4 ; nop",        "mov ra7, r2 ; nop",
                                        "nop ; mov r1, ra3",       "mov.zs ra3, r4 ; nop",
                                        "mov.ns r2, ra7 ; nop",    "nop ; mov.cc rb5, r4",
                                        "mov r0, r4 ; mov rb5, r2"};
    struct qpu_case *c = (void *)p->tc->words;
    struct error e = {0};
    for (unsigned n = 0; n < 6 && c->program.count > 3; n++) {
        const char *line = lines[random_below(&p->random, sizeof lines / sizeof *lines)];
        uint32_t at = random_below(&p->random, c->program.count - 3);
        if (!vc4_qpu_unit.code->parse(line, strlen(line), c->program.word + 2 * at, &e))
            fail_msg("%s: %s", line, e.text);
    }
}

static void devices_within_the_tolerance_agree(void **state)
{
    (void)state;
    struct place p;
    unsigned cases = support_scaled(30000), tolerant = 0, moved = 0;
    open_place(&p);
    for (unsigned n = 0; n < cases; n++) {
        struct differences d;
        case_generate(&p.random, &vc4_qpu_unit, p.tc);
        add_moves(&p);
        run_both(&p);
        unsigned words = tolerant_words(p.model);
        tolerant += words > 0;
        for (uint32_t row = QPU_ROW_RA; row < QPU_ROW_ACC && p.model->end == END_DONE; row++)
            moved += outcome_tolerant(p.model, row);
        if (outcomes_equal(p.model, p.board, NULL, &d))
            continue;
        struct text t = {0};
        differences_print(&vc4_qpu_unit, &d, 4, &t);
        support_fail_case(p.tc, "a device within the tolerance counts as wrong: %s", text_chars(&t));
    }
    print_message("  %u cases, %u with tolerances; %u rows of register files\n", cases, tolerant, moved);
    assert_true(tolerant > cases / 100 && moved > cases / 100);
    close_place(&p);
}

/* Makes a case of this program, in which r1 holds `operand` in all elements. */
static void make_case(struct place *p, const char *program, uint32_t operand)
{
    struct error e = {0};
    struct text t = {0};
    text_add(&t, "misprint-case 1 vc4-qpu\nacc row 1 = all %08x\nprogram {\n%s}\n", operand, program);
    if (!case_parse(p->tc, text_chars(&t), strlen(text_chars(&t)), &e))
        fail_msg("%s", e.text);
    text_free(&t);
}

static const char moves[] = "nop ; mov sfu_recip, r1\n"
                            "nop\n"
                            "nop\n"
                            "mov ra3, r4 ; nop\n"
                            "nop ; mov rb5, r4\n"
                            "mov r2, ra3 ; nop\n"
                            "mov ra7, r2 ; nop\n"
                            "fadd r3, r4, r4 ; nop\n"
                            "nop ; end\n"
                            "nop\n"
                            "nop\n";

/* The result of 1/1 is next to a power of two. So a mask alone says almost nothing about it. */
static void moved_results_keep_their_distance(void **state)
{
    (void)state;
    struct place p;
    open_place(&p);
    make_case(&p, moves, 0x3F800000);
    executor_run(p.executor, p.tc, &p.profile, RUN_CHECKED, p.model);
    executor_run(p.executor, p.tc, &p.profile, RUN_PLAIN, p.board);
    assert_int_equal(p.model->end, END_DONE);
    static const uint32_t rows[] = {QPU_ROW_ACC + 4, QPU_ROW_RA + 3, QPU_ROW_RB + 5, QPU_ROW_ACC + 2,
                                    QPU_ROW_RA + 7};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t at = rows[n] * VC4_LANES, *word = &p.board->value[at];
        assert_int_equal(p.model->tolerance[at], 1024); /* 2^-14, in ulps below 1 */
        assert_int_equal(*word, 0x3F800000);
        *word = 0x3F800000 - 1024;
        assert_true(outcomes_equal(p.model, p.board, NULL, NULL));
        *word = 0x3F800000 - 1280;
        assert_false(outcomes_equal(p.model, p.board, NULL, NULL));
        *word = 0x3F800000 + 256 + 1; /* wrong, because every published word ends in eight zeros */
        assert_false(outcomes_equal(p.model, p.board, NULL, NULL));
        *word = 0x3F800000;
    }
    assert_int_equal(p.model->tolerance[(QPU_ROW_ACC + 3) * VC4_LANES], 0); /* a sum has only a mask */
    assert_true(p.model->defined[(QPU_ROW_ACC + 3) * VC4_LANES] != UINT32_MAX);
    close_place(&p);
}

/* 2^x is a power of two, and exact, if x is whole. Otherwise it has a tolerance, because the published figure
 * is 11 bits. */
static void powers_of_two_are_exact(void **state)
{
    static const float whole[] = {0, 1, -1, 3, -7, 17, 100, -100},
                       other[] = {0.5F, -0.5F, 1.5F, 2.25F, -3.125F, 17.5F, 99.75F, 1e-3F};
    struct profile p = support_alu_profile(PROFILE_MANUAL);
    struct alu_rules rules;
    struct vc4_vector x, result, defined, tolerance;
    (void)state;
    p.reading[support_alu_clause("sfu-precision")] = 1; /* observed */
    alu_resolve(&p, &rules);
    for (unsigned i = 0; i < VC4_LANES; i++)
        memcpy(&x.lane[i], i < 8 ? &whole[i] : &other[i - 8], sizeof x.lane[i]);
    sfu_as_documented(&rules, SFU_EXP, &x, &result, &defined, &tolerance);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        if (i < 8)
            assert_int_equal(result.lane[i], (uint32_t)((int32_t)whole[i] + 127) << 23);
        assert_int_equal(tolerance.lane[i] != 0, i >= 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(devices_within_the_tolerance_agree),
                                       cmocka_unit_test(powers_of_two_are_exact),
                                       cmocka_unit_test(moved_results_keep_their_distance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
