/* SPDX-License-Identifier: MIT */
/*
 * The QPU's behaviour, by name. Expectations are those of the manual
 * (VideoCoreIV-AG100-R, pages named), of what its addendum and public tests
 * report of a Raspberry Pi, and for the coordinate shader of a Pi's console.
 * One file, though a long one: whoever looks a behaviour up finds it by its
 * section, and all of them are three lines of program and what they leave.
 */
#include "model/core/units.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THE_END "  nop ; end\n  nop\n  nop\n}\n"

struct bench {
    struct executor *executor;
    struct outcome *out;
    struct test_case *tc;
};
static struct bench bench;

static int open_bench(void **state)
{
    (void)state;
    bench.executor = executor_new(&vc4_qpu_unit);
    bench.out = outcome_new(&vc4_qpu_unit);
    bench.tc = malloc(sizeof *bench.tc);
    return !bench.tc;
}

static int close_bench(void **state)
{
    (void)state;
    executor_free(bench.executor);
    outcome_free(bench.out);
    free(bench.tc);
    return 0;
}

/* Runs a program (its lines, without the end) from the state that `rest` gives, plain and checked; the
 * checked outcome stays in bench.out. */
static void run(const char *profile, const char *program, const char *rest)
{
    char text[8192];
    struct error e = {0};
    struct profile p;
    (void)snprintf(text, sizeof text, "misprint-case 1 vc4-qpu\nprogram {\n%s" THE_END "%s", program, rest);
    if (!case_parse(bench.tc, text, strlen(text), &e) || !profile_resolve(&vc4_qpu_unit, profile, &p, &e))
        fail_msg("%s", e.text);
    executor_run(bench.executor, bench.tc, &p, RUN_PLAIN, bench.out);
    enum end plain = bench.out->end;
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    if (bench.out->end != END_UNDEFINED)
        assert_int_equal(plain, bench.out->end);
}

static uint32_t row_of(const char *name)
{
    static const char *const acc[] = {"r0", "r1", "r2", "r3", "r4", "r5"}, *const flags[] = {"z", "n", "c"};
    for (unsigned i = 0; i < 6; i++)
        if (!strcmp(name, acc[i]))
            return layout_region_named(&vc4_qpu_unit.layout, "acc")->first_row + i;
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(name, flags[i]))
            return layout_region_named(&vc4_qpu_unit.layout, "flags")->first_row + i;
    char region[16];
    unsigned number = 0;
    assert_int_equal(sscanf(name, "%15[a-z]%u", region, &number), 2);
    return layout_region_named(&vc4_qpu_unit.layout, region)->first_row + number;
}

static uint32_t value(const char *row, unsigned element)
{
    return bench.out->value[row_of(row) * 16 + element];
}
static uint32_t defined(const char *row, unsigned element)
{
    return bench.out->defined[row_of(row) * 16 + element];
}

static void expect(const char *row, unsigned element, uint32_t word)
{
    if (defined(row, element) != UINT32_MAX)
        fail_msg("%s element %u: only bits %08x are defined", row, element, defined(row, element));
    if (value(row, element) != word)
        fail_msg("%s element %u: %08x, expected %08x", row, element, value(row, element), word);
}

static void expect_all(const char *row, uint32_t word)
{
    for (unsigned i = 0; i < 16; i++)
        expect(row, i, word);
}

static void expect_undefined(const char *row, unsigned element)
{
    assert_int_equal(defined(row, element), 0);
}

static void expect_end(enum end end)
{
    assert_int_equal(bench.out->end, end);
}

#define NUMBERS                                                                                              \
    " = 00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007 00000008 00000009 0000000a " \
    "0000000b 0000000c 0000000d 0000000e "                                                                   \
    "0000000f\n"
#define ODD_SET                                                                                              \
    " = 00000000 00000001 00000000 00000001 00000000 00000001 00000000 00000001 00000000 00000001 00000000 " \
    "00000001 00000000 00000001 00000000 "                                                                   \
    "00000001\n"

/* ---- the coordinate shader ---- */

static const uint32_t console[7] = {0xBF665C24, 0x3F5EDD42, 0x00000000, 0x3F800000,
                                    0x1C000200, 0x3F800000, 0x3F800000};

static void coordinate_shader_leaves_what_the_console_showed(void **state)
{
    (void)state;
    struct error e = {0};
    struct profile p;
    if (!case_load(MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/silicon/coordinate-shader.case", NULL, bench.tc,
                   &e) ||
        !profile_resolve(&vc4_qpu_unit, "bcm2835", &p, &e))
        fail_msg("%s", e.text);
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    expect_end(END_DONE);
    for (unsigned i = 0; i < 7; i++) {
        char row[16];
        (void)snprintf(row, sizeof row, "memory%u", 4 + i); /* the fourth uniform is byte 0x100 */
        expect_all(row, console[i]);
    }
}

static void coordinate_shader_under_the_manual_is_not_defined(void **state)
{ /* p38: a read of address 39 reads nothing */
    (void)state;
    struct error e = {0};
    struct profile p;
    assert_true(
        case_load(MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/silicon/coordinate-shader.case", NULL, bench.tc, &e));
    assert_true(profile_resolve(&vc4_qpu_unit, "manual", &p, &e));
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    assert_int_equal(defined("ra0", 0),
                     0x1C000200); /* uniform OR nobody knows what: only its ones are sure */
}

static void coordinate_shader_words_are_the_published_ones(void **state)
{
    (void)state;
    const char *path = support_data("seed-coordinate-shader.txt");
    char line[256];
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    struct error e = {0};
    assert_true(
        case_load(MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/silicon/coordinate-shader.case", NULL, bench.tc, &e));
    const struct field *program = schema_field(&vc4_qpu_unit.schema, "program");
    uint32_t *count, *word = case_items(bench.tc, program, &count), words = 0, low, high;
    while (fgets(line, sizeof line, f))
        if (*line != '#' && sscanf(line, "%x %x", &low, &high) == 2) {
            assert_int_equal(word[2 * words], low);
            assert_int_equal(word[2 * words + 1], high);
            words++;
        }
    (void)fclose(f);
    assert_int_equal(words, *count);
    assert_int_equal(words, 29);
}

/* ---- operands and destinations ---- */

static void both_pipes_see_the_state_before_the_instruction(void **state)
{
    (void)state;
    run("bcm2835", "  add r0, r0, r1 ; v8min r1, r0, r0\n",
        "acc row 0 = all 00000005\nacc row 1 = all 00000003\n");
    expect_all("r0", 8);
    expect_all("r1", 5);
}

static void write_swap_chooses_the_file(void **state)
{ /* p27: ws = 0: ADD writes A, MUL writes B */
    (void)state;
    run("bcm2835", "  mov ra3, r0 ; v8min rb4, r1, r1\n  mov rb5, r0 ; v8min ra6, r1, r1\n",
        "acc row 0 = all 00000005\nacc row 1 = all 00000003\n");
    expect_all("ra3", 5);
    expect_all("rb4", 3);
    expect_all("rb5", 5);
    expect_all("ra6", 3);
}

static void element_and_qpu_number_read(void **state)
{
    (void)state;
    run("bcm2835", "  mov r0, element_number\n  mov r1, qpu_number\n", "qpu-number = 7\n");
    for (unsigned i = 0; i < 16; i++)
        expect("r0", i, i);
    expect_all("r1", 7);
}

static void loads_fill_elements(void **state)
{ /* p33; the words that the addendum of encodings gives: -2 -1 0 1 0 ..., 3 2 1 0 ... */
    (void)state;
    run("bcm2835", "  ldi r0, 0x12345678\n  .quad 0xE20208670003000A\n  .quad 0xE60208A700030005\n", "");
    expect_all("r0", 0x12345678);
    static const uint32_t as_signed[4] = {UINT32_MAX - 1, UINT32_MAX, 0, 1}, as_unsigned[4] = {3, 2, 1, 0};
    for (unsigned i = 0; i < 4; i++) {
        expect("r1", i, as_signed[i]);
        expect("r2", i, as_unsigned[i]);
    }
    expect("r1", 4, 0);
    expect("r2", 4, 0);
}

static void a_load_writes_both_destinations(void **state)
{
    (void)state;
    run("bcm2835", "  ldi ra1, rb2, 0x55\n", "");
    expect_all("ra1", 0x55);
    expect_all("rb2", 0x55);
}

static void uniforms_come_in_order(void **state)
{
    (void)state;
    run("bcm2835", "  mov r0, uniform\n  mov r1, uniform\n", "uniforms { 00000011 00000022 }\n");
    expect_all("r0", 0x11);
    expect_all("r1", 0x22);
}

static void uniforms_run_out_into_nothing_defined(void **state)
{
    (void)state;
    run("bcm2835", "  mov r0, uniform\n", "");
    expect_undefined("r0", 0);
}

static void uniforms_address_moves_the_stream(void **state)
{ /* p22: two instructions must follow */
    (void)state;
    run("manual", "  mov uniforms_address, uniform\n  nop\n  nop\n  mov r0, uniform\n  mov r1, uniform\n",
        "uniforms { @40 }\nmemory row 1 = 000000aa 000000bb 00000000 00000000 00000000 00000000 00000000 "
        "00000000 00000000 00000000 00000000 "
        "00000000 00000000 00000000 00000000 00000000\n");
    expect_all("r0", 0xAA);
    expect_all("r1", 0xBB);
}

static void r5_copies_by_file(void **state)
{ /* p38 T14 and the addendum: A37 elements 0, 4, 8, 12 to their quads, B37 element 0 to all */
    (void)state;
    run("bcm2835", "  mov r5_quad, r0\n  mov r1, r5\n  mov r5_all, r0\n", "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r1", i, i & ~3U);
    expect_all("r5", 0);
}

static void packs_do_not_touch_accumulators(void **state)
{ /* p31: of regfile A only */
    (void)state;
    run("bcm2835", "  mov r1, r0 {pack=1}\n", "acc row 0 = all 12345678\n");
    expect_all("r1", 0x12345678);
}

/* ---- flags and conditions ---- */

static void conditions_test_the_flags_before(void **state)
{ /* p28 T2 */
    (void)state;
    run("bcm2835", "  sub.setf nop, r0, 8\n  mov.ns r1, 1\n  mov.nc r1, 2\n  mov.zs r2, 3\n  mov.cs r3, 4\n",
        "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++) {
        expect("r1", i, i < 8 ? 1 : 2);
        expect("r2", i, i == 8 ? 3 : 0);
        expect("r3", i, i < 8 ? 4 : 0); /* sub: C is the borrow */
    }
}

static void flags_of_elements_left_out_stay(void **state)
{
    (void)state;
    run("bcm2835", "  sub.ns.setf nop, r0, r0\n", "flags row 1" ODD_SET);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(value("z", i), i & 1);
}

static void a_nop_add_leaves_the_flags_to_mul(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; v8min.setf r1, r0, r0\n", "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(value("z", i), i == 0);
}

/* ---- rotation ---- */

static void accumulators_rotate_up(void **state)
{ /* element (i + n) mod 16 comes from element i */
    (void)state;
    run("bcm2835",
        "  nop ; v8min.rot3 r1, r0, r0\n  ldi r5_all, -2\n  nop\n  nop ; v8min.rot_r5 r2, r0, r0\n",
        "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++) {
        expect("r1", (i + 3) % 16, i);
        expect("r2", (i + 14) % 16, i); /* only the low four bits of r5 count */
    }
}

static void other_operands_rotate_in_their_quads(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; v8min.rot6 r1, ra0, ra0\n", "ra row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r1", i / 4 * 4 + (i + 2) % 4, i);
    run("manual", "  nop ; v8min.rot6 r1, ra0, ra0\n", "ra row 0" NUMBERS);
    expect_undefined("r1", 0);
}

/* The addendum: unless both operands come from r0 to r3, a rotation stays within the slices. */
static void mixed_operands_rotate_in_their_quads(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; v8adds.rot5 r2, r0, ra0\n", "acc row 0" NUMBERS "ra row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r2", i / 4 * 4 + (i + 1) % 4, 2 * i);
    run("bcm2835", "  nop ; v8min r2, r0, -11 {small_immed=53}\n",
        "acc row 0" NUMBERS); /* the immediate is an operand too */
    for (unsigned i = 0; i < 16; i++)
        expect("r2", i / 4 * 4 + (i + 1) % 4, i);
}

static void the_add_pipe_sees_unrotated_accumulators(void **state)
{
    (void)state;
    run("bcm2835", "  mov r2, r0 ; v8min.rot1 r1, r0, r0\n", "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++) {
        expect("r2", i, i);
        expect("r1", (i + 1) % 16, i);
    }
}

/* ---- hazards ---- */

static void a_register_is_not_readable_in_the_next_instruction(void **state)
{ /* p37 */
    (void)state;
    run("manual", "  ldi ra0, 2\n  mov r0, ra0\n  mov r1, ra0\n", "");
    expect_undefined("r0", 0);
    expect_all("r1", 2);
    run("manual,regfile-hazard=old", "  ldi ra0, 2\n  mov r0, ra0\n", "ra row 0 = all 00000001\n");
    expect_all("r0", 1);
}

static void a_branch_carries_the_hazard_to_its_target(void **state)
{
    (void)state;
    run("manual", "  brr 8\n  nop\n  nop\n  ldi ra0, 2\n  nop\n  mov r0, ra0\n", "");
    expect_undefined("r0", 0);
    run("manual", "  brr 8\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  mov r0, ra0\n", "ra row 0 = all 00000001\n");
    expect_all("r0", 1); /* the write above the target was not executed */
}

static void what_stood_above_a_target_in_the_program_before_is_no_hazard(void **state)
{ /* The SFU's write makes the target, once its plan is known, look for hazards; nothing that this program
     executes writes ra0. */
    (void)state;
    static const enum run_mode modes[] = {RUN_PLAIN, RUN_CHECKED};
    struct profile manual;
    struct error e;
    assert_true(profile_resolve(&vc4_qpu_unit, "manual", &manual, &e));
    for (unsigned m = 0; m < 2; m++) {
        run("manual", "  nop\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  nop\n", "");
        run("manual", "  brr 8\n  nop\n  nop\n  mov sfu_recip, r3\n  nop\n  mov r0, ra0\n",
            "ra row 0 = all 00000001\n");
        for (unsigned times = 0; times < 2; times++)
            executor_run(bench.executor, bench.tc, &manual, modes[m], bench.out);
        assert_int_equal(value("r0", 0), 1);
    }
}

static void nor_where_an_operand_of_the_target_is_not_whole(void **state)
{ /* The target is in a hazard with the step above it, which was not executed before it. ra0, a reciprocal,
     has undefined bits. */
    (void)state;
    static const char program[] = "  mov sfu_recip, r3\n  nop\n  nop\n  mov ra0, r4\n  brr 8\n  nop\n  nop\n "
                                  " nop\n  nop\n  mov r0, ra0\n";
    struct profile silicon;
    struct error e;
    assert_true(profile_resolve(&vc4_qpu_unit, "bcm2835", &silicon, &e));
    run("bcm2835", "  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  nop\n  ldi ra0, 2\n  nop\n", "");
    run("bcm2835", program, "acc row 3 = all 40400000\n");
    for (unsigned times = 0; times < 2; times++) {
        assert_true(defined("ra0", 0) != 0 && defined("ra0", 0) != UINT32_MAX);
        assert_int_equal(defined("r0", 0), defined("ra0", 0));
        assert_int_equal(value("r0", 0), value("ra0", 0));
        assert_false(covered(&bench.executor->last, QPU_REGFILE_HAZARD));
        executor_run(bench.executor, bench.tc, &silicon, RUN_CHECKED, bench.out);
    }
}

static void r4_comes_with_the_third_instruction(void **state)
{ /* p37 */
    (void)state;
    run("bcm2835", "  mov sfu_recip, r3\n  mov r0, r4\n  mov r1, r4\n  mov r2, r4\n",
        "acc row 3 = all 40400000\n");
    expect_undefined("r0", 0);
    expect_undefined("r1", 0);
    assert_int_equal(value("r2", 0) >> 16, 0x3EAA); /* 1/3 */
    assert_int_equal(defined("r2", 0) >> 20, 0xFFF);
}

/* The addendum: a VPM access beside a TMU's load signal is unreliable, too. */
static void the_vpm_is_not_reached_beside_a_load_signal(void **state)
{
    (void)state;
    static const char *const pairs[] = {"  mov r1, vpm ; load_tmu0\n", "  mov vpm, r0 ; load_tmu0\n",
                                        "  mov vw_setup, r0 ; load_tmu0\n"};
    static const char rest[] = "uniforms { @0 00001a01 }\nmemory row 0 = all 00000011\nvpm row 3 = all "
                               "00000033\nacc row 0 = all 00001a02\n";
    for (unsigned i = 0; i < 3; i++) {
        char program[512];
        (void)snprintf(program, sizeof program,
                       "  mov tmu0_s, uniform\n  mov vw_setup, uniform\n  ldi vr_setup, 0x101a03\n  nop\n  "
                       "nop\n  nop\n%s  mov r2, r4\n",
                       pairs[i]);
        run("bcm2835", program, rest);
        expect_end(END_UNDEFINED);
        run("manual", program, rest); /* p25: at any time */
        expect_end(END_DONE);
        expect_all("r2", 0x11);
        if (i == 0)
            expect_all("r1", 0x33);
        if (i == 1)
            expect_all("vpm1", 0x1A02);
    }
}

/* p37: nothing that writes r4 may begin while a result is on its way there. Nobody says which of the two
 * stays. */
static void a_load_beside_an_sfu_result_leaves_nothing_known(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop ; load_tmu0\n  nop\n  mov r1, r4\n",
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop\n  nop ; load_tmu0\n  mov r1, r4\n"};
    for (unsigned i = 0; i < 4; i++) {
        run(i % 2 ? "bcm2835" : "manual", programs[i / 2], "uniforms { @0 }\nacc row 0 = all 40000000\n");
        expect_end(END_DONE);
        expect_undefined("r1", 0);
        expect_undefined("r4", 0);
    }
    run("bcm2835",
        "  mov tmu0_s, uniform\n  mov sfu_recip, r0\n  nop\n  nop\n  nop ; load_tmu0\n  mov r1, r4\n", /* the
                                                                                                          third
                                                                                                          may
                                                                                                        */
        "uniforms { @0 }\nmemory row 0 = all 00000011\nacc row 0 = all 40000000\n");
    expect_all("r1", 0x11);
}

/* p37, HW-2796: neither an access to the tile nor the signal may wait for the scoreboard in a fragment
 * shader's first two instructions. */
static void a_wait_for_the_scoreboard_may_not_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        bool good;
    } rows[] = {{"  nop ; wait_scoreboard\n  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  nop ; wait_scoreboard\n  nop\n  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  mov tlb_colour_all, r0\n", false},
                {"  nop\n  nop\n  nop ; wait_scoreboard\n  mov tlb_colour_all, r0\n", true},
                {"  nop\n  nop\n  mov tlb_colour_all, r0\n", true}};
    static const char rest[] =
        "stage = fragment\nsamples = 15\nacc row 0 = all 00000077\ntile row 0 = all 00000055\n";
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        run("manual", rows[i].program, rest);
        expect_end(END_DONE);
        if (rows[i].good)
            expect_all("tile0", 0x77);
        else
            expect_undefined("tile0", 0);
        run("manual,hw-2796=lost", rows[i].program, rest);
        expect_all("tile0", rows[i].good ? 0x77 : 0x55);
        run("manual,hw-2796=works", rows[i].program, rest);
        expect_all("tile0", 0x77);
    }
}

static void both_alus_to_one_accumulator_is_undefined(void **state)
{ /* p19; with opposite conditions the addendum reports each element from its own side */
    (void)state;
    run("bcm2835", "  mov r2, r0 ; v8min r2, r1, r1\n", "");
    expect_undefined("r2", 0);
    run("bcm2835", "  or.zs r2, r0, r0 ; v8min.zc r2, r1, r1\n",
        "acc row 0 = all 0000000a\nacc row 1 = all 0000000b\nflags row 0" ODD_SET);
    for (unsigned i = 0; i < 16; i++)
        expect("r2", i, i & 1 ? 0xA : 0xB);
}

/* ---- program flow ---- */

static void a_stop_in_the_last_delay_slot_is_not_that_of_a_branch(void **state)
{ /* A setup whose condition nobody knows stops the run, and no branch does: not the one above the target,
     which was not executed. */
    (void)state;
    struct profile silicon;
    struct error e;
    run("bcm2835",
        "  mov r2, r0 ; v8min r2, r1, r1\n  mov.setf -, r2\n  brr 8\n  nop\n  nop\n  mov.zs vr_setup, r0\n  "
        "brr 0\n  nop\n",
        "");
    expect_end(END_UNDEFINED);
    assert_true(profile_resolve(&vc4_qpu_unit, "bcm2835", &silicon, &e));
    struct run r = {
        .tc = bench.tc, .profile = &silicon, .out = bench.out, .mode = RUN_CHECKED, .count_fidelity = true};
    executor_run_with(bench.executor, &r);
    assert_true(r.fidelity.to_address);
    assert_false(r.fidelity.to_control);
}

static void a_branch_has_three_delay_slots(void **state)
{ /* p20 */
    (void)state;
    run("bcm2835", "  brr ra5, 8\n  ldi r0, 1\n  ldi r1, 1\n  ldi r2, 1\n  ldi r3, 1\n", "");
    expect_all("r0", 1);
    expect_all("r1", 1);
    expect_all("r2", 1);
    expect_all("r3", 0);
    expect_all("ra5", bench.executor->code_base + 32); /* the link: byte address of the branch + 32 */
}

static void branch_conditions_look_at_all_elements(void **state)
{ /* p35 T11; a taken branch skips the load */
    (void)state;
    static const struct {
        const char *condition;
        bool none, some, all; /* taken with Z set in that many elements */
    } rows[] = {{"all_zs", false, false, true},
                {"all_zc", true, false, false},
                {"any_zs", false, true, true},
                {"any_zc", true, true, false}};
    static const char *const flags[3] = {"", "flags row 0" ODD_SET, "flags row 0 = all 00000001\n"};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned f = 0; f < 3; f++) {
            char program[256];
            bool taken = f == 0 ? rows[i].none : f == 1 ? rows[i].some : rows[i].all;
            (void)snprintf(program, sizeof program, "  brr.%s 8\n  nop\n  nop\n  nop\n  ldi r0, 1\n",
                           rows[i].condition);
            run("bcm2835", program, flags[f]);
            assert_int_equal(value("r0", 0), taken ? 0 : 1);
        }
}

static void programs_that_do_not_end_say_why(void **state)
{
    (void)state;
    run("bcm2835", "  brr -32\n  nop\n  nop\n  nop\n", "limit = 100\n");
    expect_end(END_HANG);
    run("bcm2835", "  acquire 3\n", "");
    expect_end(END_HANG);
    run("bcm2835", "  mov r0, mutex\n  mov r0, mutex\n", "");
    expect_end(END_HANG);
    run("bcm2835", "  brr 4096\n  nop\n  nop\n  nop\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  .quad 0\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  mov tmu0_s, r0\n", "");
    expect_end(END_FAULT);
    run("bcm2835", "  nop ; load_tmu0\n", "");
    expect_end(END_HANG);
    run("manual", "  mov.setf r0, nop\n  brr.any_zs 0\n  nop\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
}

static void a_release_hangs_at_fifteen(void **state)
{ /* p33: 4 bits */
    (void)state;
    char program[1024] = "";
    for (unsigned i = 0; i < 15; i++)
        strcat(program, "  release 2\n");
    run("bcm2835", program, "");
    expect_end(END_DONE);
    assert_int_equal(value("semaphores0", 2), 15);
    strcat(program, "  release 2\n");
    run("bcm2835", program, "");
    expect_end(END_HANG);
}

static void the_end_has_two_delay_slots(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; end\n  ldi r0, 1\n  ldi r1, 1\n  ldi r2, 1\n", "");
    expect_end(END_DONE);
    expect_all("r0", 1);
    expect_all("r1", 1);
    expect_all("r2", 0);
}

static void a_thread_switch_loses_accumulators_and_flags(void **state)
{ /* p21 */
    (void)state;
    run("bcm2835", "  nop ; thread_switch\n  mov ra0, r0\n  mov ra1, r0\n  mov ra2, r0\n",
        "acc row 0 = all 00000005\n");
    expect_all("ra1", 5);
    expect_undefined("ra2", 0);
}

/* ---- peripherals ---- */

static void vpm_reads_after_three_instructions(void **state)
{ /* p56 */
    (void)state;
    run("manual", "  ldi vr_setup, 0x101a03\n  nop\n  nop\n  nop\n  mov r0, vpm\n", "vpm row 3" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r0", i, i);
}

static void vpm_writes_where_the_setup_says(void **state)
{
    (void)state;
    run("manual", "  ldi vw_setup, 0x1a05\n  mov vpm, r0\n  mov vpm, r1\n",
        "acc row 0" NUMBERS "acc row 1 = all 00000077\n");
    for (unsigned i = 0; i < 16; i++)
        expect("vpm5", i, i);
    expect_all("vpm6", 0x77);
}

static void the_host_interrupt_is_an_outcome(void **state)
{
    (void)state;
    run("bcm2835", "  mov host_int, 1\n", "");
    expect("sync0", 0, 1);
    run("bcm2835", "  mov mutex, mutex\n", "");
    expect("sync0", 1, 0);
}

/* p22: what a uniform read too early takes from which stream is not said, so all that follow are in doubt
 * until the address is set anew. */
static void an_early_uniform_leaves_the_stream_in_doubt(void **state)
{
    (void)state;
    static const char rest[] =
        "uniforms { @80 @80 }\nmemory row 2 = all 00000033\nacc row 0 = all 00000077\n";
    run("manual",
        "  mov r3, uniform\n  mov uniforms_address, uniform\n  mov r0, uniform\n  nop\n  mov r1, uniform\n",
        rest);
    expect_undefined("r0", 0);
    expect_undefined("r1", 0);
    run("manual",
        "  mov r3, uniform\n  mov uniforms_address, uniform\n  mov r0, uniform\n  mov uniforms_address, r3\n "
        " nop\n  nop\n  mov r1, uniform\n",
        rest);
    expect_undefined("r0", 0);
    expect_all("r1", 0x33);
    run("manual", "  mov uniforms_address, uniform\n  nop\n  nop\n  mov r1, uniform\n", rest);
    expect_all("r1", 0x33);
}

/* p37: neither the end instruction nor its two slots may use uniforms, VPM or DMA. */
static void no_shared_unit_is_used_at_the_end(void **state)
{
    (void)state;
    static const char rest[] = "uniforms { 00000011 }\nacc row 0 = all 00000077\n";
    run("manual", "  mov r1, uniform ; end\n  nop\n  nop\n", rest);
    expect_end(END_DONE);
    expect_undefined("r1", 0);
    run("manual", "  nop ; end\n  nop\n  mov r1, uniform\n", rest);
    expect_undefined("r1", 0);
    run("manual,end-io-access=works", "  nop ; end\n  nop\n  mov r1, uniform\n", rest);
    expect_all("r1", 0x11);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_end(END_UNDEFINED);
    run("bcm2835,end-io-access=works", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_all("vpm1", 0x77);
    run("bcm2835,end-io-access=lost", "  ldi vw_setup, 0x1a01\n  nop ; end\n  mov vpm, r0\n  nop\n", rest);
    expect_all("vpm1", 0);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  mov vpm, r0\n  nop ; end\n  mov r1, r0\n  nop\n",
        rest); /* in time */
    expect_end(END_DONE);
    expect_all("vpm1", 0x77);
    expect_all("r1", 0x77);
}

/* p33, p37: of writes of TMU, tile buffer and SFU, loads from TMU and tile, mutex reads and semaphores an
 * instruction has at most one. */
static void peripherals_do_not_meet(void **state)
{
    (void)state;
    static const char words[] = "uniforms { @0 @40 @80 }\nmemory row 0 = all 00000011\nmemory row 1 = all "
                                "00000022\nacc row 0 = all 3f800000\n";
    static const char fragment[] = "stage = fragment\nsamples = 15\ntile row 0 = all 00000055\nuniforms { @0 "
                                   "}\nacc row 0 = all 3f800000\n";
    static const struct {
        const char *pair, *rest;
    } forbidden[] = {
        {"  mov tmu0_s, uniform\n  mov tmu0_s, uniform ; load_tmu0\n", words}, /* r4-signal-same-instr */
        {"  mov tmu0_s, uniform\n  mov tmu1_s, uniform ; load_tmu0\n", words},
        {"  mov tmu0_s, uniform\n  mov sfu_recip, r0 ; load_tmu0\n", words},
        {"  mov tmu0_t, r0 ; v8min tmu0_s, r0, r0\n", words},
        {"  mov tmu0_s, r0 ; v8min sfu_log, r0, r0\n", words},
        {"  ldi tmu0_s, sfu_exp, 0\n", words},
        {"  mov tmu0_s, mutex@a\n", words},
        {"  release tmu0_s, 9\n", words},
        {"  nop\n  nop\n  mov tlb_z, r0 ; v8min tlb_colour_all, r0, r0\n", fragment},
        {"  nop\n  nop\n  mov tlb_z, r0 ; load_colour\n", fragment},
        {"  nop\n  nop\n  mov sfu_exp, r0 ; load_colour\n", fragment},
        {"  nop\n  nop\n  mov tlb_colour_all, r0 ; load_alpha\n", fragment},
    };
    for (unsigned i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        for (unsigned p = 0; p < 2; p++) {
            run(p ? "bcm2835" : "manual", forbidden[i].pair, forbidden[i].rest);
            expect_end(END_UNDEFINED);
        }
    run("bcm2835,peripherals-in-one=works",
        "  mov tmu0_s, uniform\n  mov tmu0_s, uniform ; load_tmu0\n  mov r1, r4\n  nop ; load_tmu0\n  mov "
        "r2, r4\n",
        words);
    expect_end(END_DONE);
    expect_all("r1", 0x11);
    expect_all("r2", 0x22);
    run("bcm2835", "  nop\n  nop\n  mov tlb_colour_ms, r0 ; load_colour\n  mov r1, r4\n",
        fragment); /* p37, p48: this pair is one access */
    expect_end(END_DONE);
    expect_all("r1", 0x55);
    expect_all("tile0", 0x3F800000);
    run("bcm2835", "  release sfu_recip, 9\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
    run("bcm2835", "  mov sfu_recip, mutex@a\n  nop\n  nop\n", "");
    expect_end(END_UNDEFINED);
    run("manual,peripherals-in-one=sfu-lost", "  mov sfu_recip, mutex@a\n  nop\n  nop\n",
        "acc row 4 = all 00000077\n");
    expect_end(END_DONE);
    expect_all("r4", 0x77);
    run("bcm2835", "  release -, 9\n  mov sfu_recip, 1.0\n  nop\n  nop\n", ""); /* one after the other */
    expect_end(END_DONE);
}

/* p33: a load immediate is packed as an integer, never converted. The addendum: of colour packs to
 * peripherals only single bytes fail. */
static void immediates_are_no_colours_and_colours_fill_words(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        run(i ? "bcm2835" : "manual", "  ldi -, r1.c8a, 1.0\n", "acc row 1 = all 11223344\n");
        expect_all("r1", 0x3F800000);
    }
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  fmul vpm.c8888, r0, r0\n", "acc row 0 = all 3f800000\n");
    expect_all("vpm1", 0xFFFFFFFF);
    run("bcm2835", "  ldi vw_setup, 0x1a01\n  fmul vpm.c8a, r0, r0\n", "acc row 0 = all 3f800000\n");
    expect_undefined("vpm1", 0);
}

/* p28 T3 read literally: an address that no operand selects reads nothing, so it leaves nothing behind
 * either. */
static void unselected_addresses_read_nothing_under_the_manual(void **state)
{
    (void)state;
    static const char program[] = "  mov r0, ra1\n  mov r1, r0 {raddr_a=0}\n  mov r2, nop@a\n";
    static const char rest[] = "ra row 0 = all 00000011\nra row 1 = all 00000022\n";
    run("bcm2835", program, rest);
    expect_all("r2", 0x11);
    run("bcm2835,raddr-side-effect=manual", program, rest);
    expect_all("r2", 0x22);
}

/* Whatever the SFU makes of NaN and denormals, the clauses about fadd and fmul have no say in it. */
static void the_sfu_has_clauses_of_its_own(void **state)
{
    (void)state;
    static const char program[] = "  mov sfu_recip, r0\n  nop\n  nop\n  mov r1, r4\n",
                      nan[] = "acc row 0 = all 7fc00000\n";
    run("manual,sfu-list=reciprocal,float-nan=second-wins,float-denormals=flush", program, nan);
    expect_all("r1", 0x7FC00000);
    run("manual,sfu-list=reciprocal,sfu-special=no-nan", program, nan);
    expect_all("r1", 0);
    run("bcm2835", program, nan);
    expect_undefined("r1", 0);
    run("manual,sfu-list=reciprocal,float-denormals=flush", program,
        "acc row 0 = all 00400000\n"); /* 2^-127 */
    expect_all("r1", 0x7F000000);
    run("manual,sfu-list=reciprocal,sfu-denormal=flush", program, "acc row 0 = all 00400000\n");
    expect_all("r1", 0x7F800000);
    run("manual,sfu-list=reciprocal,sfu-denormal=flush", program,
        "acc row 0 = all 7f000001\n"); /* just below 2^-127 */
    expect_all("r1", 0);
    run("bcm2835", program, "acc row 0 = all 00400000\n");
    expect_undefined("r1", 0);
}

/* A branch that links to r5 where there is none leaves r5 alone: also what was not defined of it. */
static void a_link_to_no_r5_defines_nothing(void **state)
{
    (void)state;
    static const char program[] =
        "  nop ; thread_switch\n  nop\n  nop\n  brr r5_all, 0\n  nop\n  nop\n  nop\n"; /* p21: r5 is lost */
    run("manual,accumulator-count=five", program, "");
    expect_undefined("r5", 0);
    run("manual", program, "");
    assert_int_equal(defined("r5", 0), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_shader_leaves_what_the_console_showed),
        cmocka_unit_test(coordinate_shader_under_the_manual_is_not_defined),
        cmocka_unit_test(coordinate_shader_words_are_the_published_ones),
        cmocka_unit_test(both_pipes_see_the_state_before_the_instruction),
        cmocka_unit_test(write_swap_chooses_the_file),
        cmocka_unit_test(element_and_qpu_number_read),
        cmocka_unit_test(loads_fill_elements),
        cmocka_unit_test(a_load_writes_both_destinations),
        cmocka_unit_test(uniforms_come_in_order),
        cmocka_unit_test(uniforms_run_out_into_nothing_defined),
        cmocka_unit_test(uniforms_address_moves_the_stream),
        cmocka_unit_test(r5_copies_by_file),
        cmocka_unit_test(packs_do_not_touch_accumulators),
        cmocka_unit_test(conditions_test_the_flags_before),
        cmocka_unit_test(flags_of_elements_left_out_stay),
        cmocka_unit_test(a_nop_add_leaves_the_flags_to_mul),
        cmocka_unit_test(accumulators_rotate_up),
        cmocka_unit_test(other_operands_rotate_in_their_quads),
        cmocka_unit_test(mixed_operands_rotate_in_their_quads),
        cmocka_unit_test(the_add_pipe_sees_unrotated_accumulators),
        cmocka_unit_test(a_register_is_not_readable_in_the_next_instruction),
        cmocka_unit_test(a_branch_carries_the_hazard_to_its_target),
        cmocka_unit_test(what_stood_above_a_target_in_the_program_before_is_no_hazard),
        cmocka_unit_test(nor_where_an_operand_of_the_target_is_not_whole),
        cmocka_unit_test(r4_comes_with_the_third_instruction),
        cmocka_unit_test(the_vpm_is_not_reached_beside_a_load_signal),
        cmocka_unit_test(a_load_beside_an_sfu_result_leaves_nothing_known),
        cmocka_unit_test(a_wait_for_the_scoreboard_may_not_come_first),
        cmocka_unit_test(both_alus_to_one_accumulator_is_undefined),
        cmocka_unit_test(a_stop_in_the_last_delay_slot_is_not_that_of_a_branch),
        cmocka_unit_test(a_branch_has_three_delay_slots),
        cmocka_unit_test(branch_conditions_look_at_all_elements),
        cmocka_unit_test(programs_that_do_not_end_say_why),
        cmocka_unit_test(a_release_hangs_at_fifteen),
        cmocka_unit_test(the_end_has_two_delay_slots),
        cmocka_unit_test(a_thread_switch_loses_accumulators_and_flags),
        cmocka_unit_test(vpm_reads_after_three_instructions),
        cmocka_unit_test(vpm_writes_where_the_setup_says),
        cmocka_unit_test(the_host_interrupt_is_an_outcome),
        cmocka_unit_test(an_early_uniform_leaves_the_stream_in_doubt),
        cmocka_unit_test(no_shared_unit_is_used_at_the_end),
        cmocka_unit_test(peripherals_do_not_meet),
        cmocka_unit_test(immediates_are_no_colours_and_colours_fill_words),
        cmocka_unit_test(unselected_addresses_read_nothing_under_the_manual),
        cmocka_unit_test(the_sfu_has_clauses_of_its_own),
        cmocka_unit_test(a_link_to_no_r5_defines_nothing),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
