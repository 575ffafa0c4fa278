/* SPDX-License-Identifier: MIT */
/*
 * What instructions of the QPU do: the coordinate shader, operands, destinations, flags, rotation.
 * Expectations come from the manual (VideoCoreIV-AG100-R, pages as named), and from what the addendum to it
 * and public tests report of a Raspberry Pi. The coordinate shader's results come from a Pi's console.
 */
#include "model/core/units.h"
#include "model/vc4/qpu/qpu_clauses.h"
#include "oracle/files/load.h"
#include "tests/model/vc4/qpu/support_qpu.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the coordinate shader ---- */

static const uint32_t console[7] = {0xBF665C24, 0x3F5EDD42, 0x00000000, 0x3F800000,
                                    0x1C000200, 0x3F800000, 0x3F800000};

static void coordinate_shader_matches_the_console(void **state)
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

static void coordinate_shader_is_undefined_under_the_manual(void **state)
{ /* p38: address 39 reads nothing */
    (void)state;
    struct error e = {0};
    struct profile p;
    assert_true(
        case_load(MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/silicon/coordinate-shader.case", NULL, bench.tc, &e));
    assert_true(profile_resolve(&vc4_qpu_unit, "manual", &p, &e));
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    assert_int_equal(defined("ra0", 0),
                     0x1C000200); /* uniform OR undefined: only the uniform's ones are defined */
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
{ /* p27: with ws 0, ADD writes file A and MUL writes file B */
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
{ /* p33; the words and their values (-2 -1 0 1 0 ..., 3 2 1 0 ...) are in the addendum */
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

static void uniforms_after_the_last_are_undefined(void **state)
{
    (void)state;
    run("bcm2835", "  mov r0, uniform\n", "");
    expect_undefined("r0", 0);
}

static void uniforms_address_moves_the_stream(void **state)
{ /* p22: at least two instructions must follow */
    (void)state;
    run("manual", "  mov uniforms_address, uniform\n  nop\n  nop\n  mov r0, uniform\n  mov r1, uniform\n",
        "uniforms { @40 }\nmemory row 1 = 000000aa 000000bb 00000000 00000000 00000000 00000000 00000000 "
        "00000000 00000000 00000000 00000000 "
        "00000000 00000000 00000000 00000000 00000000\n");
    expect_all("r0", 0xAA);
    expect_all("r1", 0xBB);
}

static void r5_copies_by_file(void **state)
{ /* p38 T14 and the addendum: A37 copies elements 0, 4, 8, 12 to their quads, B37 element 0 to all */
    (void)state;
    run("bcm2835", "  mov r5_quad, r0\n  mov r1, r5\n  mov r5_all, r0\n", "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r1", i, i & ~3U);
    expect_all("r5", 0);
}

static void packs_do_not_touch_accumulators(void **state)
{ /* p31: only writes to file A are packed */
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
        expect("r3", i, i < 8 ? 4 : 0); /* after sub, C is the borrow */
    }
}

static void flags_of_unwritten_elements_stay(void **state)
{
    (void)state;
    run("bcm2835", "  sub.ns.setf nop, r0, r0\n", "flags row 1" ODD_SET);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(value("z", i), i & 1);
}

static void mul_sets_the_flags_if_add_is_nop(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; v8min.setf r1, r0, r0\n", "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(value("z", i), i == 0);
}

/* ---- rotation ---- */

static void accumulators_rotate_up(void **state)
{ /* element i moves to element (i + n) mod 16 */
    (void)state;
    run("bcm2835",
        "  nop ; v8min.rot3 r1, r0, r0\n  ldi r5_all, -2\n  nop\n  nop ; v8min.rot_r5 r2, r0, r0\n",
        "acc row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++) {
        expect("r1", (i + 3) % 16, i);
        expect("r2", (i + 14) % 16, i); /* only the low four bits of r5 matter */
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

/* The addendum: a rotation stays within the quads (slices), unless both operands come from r0 to r3. */
static void mixed_operands_rotate_in_their_quads(void **state)
{
    (void)state;
    run("bcm2835", "  nop ; v8adds.rot5 r2, r0, ra0\n", "acc row 0" NUMBERS "ra row 0" NUMBERS);
    for (unsigned i = 0; i < 16; i++)
        expect("r2", i / 4 * 4 + (i + 1) % 4, 2 * i);
    run("bcm2835", "  nop ; v8min r2, r0, -11 {small_immed=53}\n",
        "acc row 0" NUMBERS); /* the immediate counts as an operand */
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

/* ---- a texture shader ---- */

/* Returns the word of a float. The test's numbers are exact. */
static uint32_t word_of(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* The shader ran on silicon, so it must end under profile bcm2835. S and T are VP * W + C (p51). r0 keeps S,
 * and r1 keeps T without C. */
static void texture_shader_ends_on_silicon(void **state)
{
    (void)state;
    struct error e = {0};
    struct profile p;
    if (!case_load(MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/texture-shader.case", NULL, bench.tc, &e) ||
        !profile_resolve(&vc4_qpu_unit, "bcm2835", &p, &e))
        fail_msg("%s", e.text);
    executor_run(bench.executor, bench.tc, &p, RUN_CHECKED, bench.out);
    expect_end(END_DONE);
    for (unsigned i = 0; i < 16; i++) {
        expect("r0", i, word_of((float)(2 * i + 1) / 128 * 2 + 0.25F));
        expect("r1", i, word_of(((float)((7 * i + 3) % 16) + 0.5F) / 16 - 0.125F));
        assert_int_equal(defined("r4", i), UINT32_MAX);
        expect("tile0", i, value("r4", i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_shader_matches_the_console),
        cmocka_unit_test(coordinate_shader_is_undefined_under_the_manual),
        cmocka_unit_test(coordinate_shader_words_are_the_published_ones),
        cmocka_unit_test(texture_shader_ends_on_silicon),
        cmocka_unit_test(both_pipes_see_the_state_before_the_instruction),
        cmocka_unit_test(write_swap_chooses_the_file),
        cmocka_unit_test(element_and_qpu_number_read),
        cmocka_unit_test(loads_fill_elements),
        cmocka_unit_test(a_load_writes_both_destinations),
        cmocka_unit_test(uniforms_come_in_order),
        cmocka_unit_test(uniforms_after_the_last_are_undefined),
        cmocka_unit_test(uniforms_address_moves_the_stream),
        cmocka_unit_test(r5_copies_by_file),
        cmocka_unit_test(packs_do_not_touch_accumulators),
        cmocka_unit_test(conditions_test_the_flags_before),
        cmocka_unit_test(flags_of_unwritten_elements_stay),
        cmocka_unit_test(mul_sets_the_flags_if_add_is_nop),
        cmocka_unit_test(accumulators_rotate_up),
        cmocka_unit_test(other_operands_rotate_in_their_quads),
        cmocka_unit_test(mixed_operands_rotate_in_their_quads),
        cmocka_unit_test(the_add_pipe_sees_unrotated_accumulators),
    };
    return cmocka_run_group_tests(tests, support_qpu_open, support_qpu_close);
}
