/* SPDX-License-Identifier: MIT */
/*
 * The meaning of pixels (harness/vc4/program/shader.h), without a GPU. The test paints pixels as that header
 * describes. They become rows of the outcome, whichever elements a quad holds. shader_collect rejects pixels
 * if a part is missing, if they are of another launch, or if they contradict each other.
 * tests/harness/test_drm.sh tests what shaders paint.
 */
#include "harness/vc4/program/shader.h"
#include "harness/vc4/vc4_kernel.h"
#include "model/core/unit.h"
#include "model/number/random.h"
#include "tests/model/vc4/qpu/support_scoreboard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { PITCH = 128, LINES = 64, X = 64, Y = 16, ROWS = 5, CLEAR = 0x7B7B7B7B };

static struct test_case tc, room;
static struct verifier_proof proof;
static struct shader_part part;
static struct outcome *outcome;
static struct shader shader;
static uint32_t code[2 * SHADER_CODE_MAX], uniforms[SHADER_UNIFORMS_MAX], input[SHADER_INPUT_MAX * VC4_LANES],
    target[PITCH * LINES];

static bool prove(const char *program, struct error *e)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "misprint-case 1 vc4-qpu\nra row 3 = 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e "
                   "1f\nuniforms { 55 }\n"
                   "program {\n%s  nop ; end\n  nop\n  nop\n}\n",
                   program);
    if (!case_parse(&tc, text, strlen(text), e))
        fail_msg("%s", e->text);
    return shader_prove(&tc, &room, &proof, &part, e);
}

static void build(void)
{
    struct error e = {0};
    struct shader_slot slot = {
        .code = code, .uniforms = uniforms, .input = input, .input_at = 4096, .x = X, .y = Y};
    if (!prove("  add.setf ra7, ra3, uniform ; mov r2, ra3\n", &e))
        fail_msg("%s", e.text);
    outcome_reset(outcome, &tc);
    assert_true(shader_build(&tc, &proof, &part, outcome, 0xABCDEF31, &slot, &shader, &e));
}

/* Returns the word that the test paints for element n of row `row`. */
static uint32_t word_of(unsigned row, unsigned n)
{
    return 0x1000 * (row + 1) + n;
}

/* Paints all rows. Quad q of a block holds the four elements from 4 * ((q + turn) % 4) on. */
static void paint(unsigned turn)
{
    for (unsigned i = 0; i < PITCH * LINES; i++)
        target[i] = CLEAR;
    for (unsigned block = 0; block < 2 * ROWS; block++)
        for (unsigned quad = 0; quad < 16; quad++)
            for (unsigned pixel = 0; pixel < 4; pixel++) {
                unsigned x = X + block % 8 * 8 + quad % 4 * 2 + pixel % 2,
                         y = Y + block / 8 * 8 + quad / 4 * 2 + pixel / 2;
                unsigned n = 4 * ((quad + turn) % 4) + pixel;
                target[y * PITCH + x] =
                    pixel == (block % 2 ? 3 : 0) ? (0xABCDEF30 | n) : word_of(block / 2, n);
            }
}

static void built_shaders_fit_the_case(void **state)
{
    (void)state;
    struct vc4_kernel_shader k;
    struct error e = {0};
    build();
    assert_int_equal(shader.rows, ROWS); /* the rows are ra7, r2 and three of flags */
    assert_int_equal(shader.height, 16); /* ten blocks, of which eight are in one line */
    assert_int_equal(shader.stamp, 0xABCDEF30);
    assert_int_equal(shader.input, 1);
    for (unsigned n = 0; n < VC4_LANES; n++)
        assert_int_equal(input[n], 0x10 + n);
    /* The uniforms are the largest number that the shader adds to a row's address, the row's address, and the
     * case's own uniform. */
    const uint32_t stream[] = {60, 4096, 0x55};
    assert_int_equal(shader.uniforms, 3);
    assert_memory_equal(uniforms, stream, sizeof stream);
    assert_true(vc4_kernel_accepts(code, shader.code, &k, &e));
    assert_false(k.threaded);
}

/* Every built shader obeys the kernel's rules, whether or not its program is plain. It also obeys the
 * scoreboard's rules, which no kernel checks. */
static void the_kernel_accepts_every_built_shader(void **state)
{
    enum { CASES = 20000, BUILT_LEAST = 400 };
    static struct vc4_kernel_shader k;
    const struct unit *u = unit_named("vc4-qpu");
    struct shader_slot slot = {
        .code = code, .uniforms = uniforms, .input = input, .input_at = 4096, .x = X, .y = Y};
    unsigned built[2] = {0}; /* [1] counts plain programs, [0] the others */
    struct random r;
    (void)state;
    random_seed(&r, 11);
    for (unsigned i = 0; i < CASES; i++) {
        struct error e = {0};
        case_init(&tc, u);
        u->generate(&r, &tc);
        if (!shader_prove(&tc, &room, &proof, &part, &e))
            continue;
        outcome_reset(outcome, &tc);
        if (!shader_build(&tc, &proof, &part, outcome, 0xABCDEF31, &slot, &shader, &e))
            continue;
        if (!vc4_kernel_accepts(code, shader.code, &k, &e))
            fail_msg("case %u: %s", i, e.text);
        const char *fault = scoreboard_fault(code, shader.code);
        if (fault)
            fail_msg("case %u: %s", i, fault);
        assert_int_equal(shader.uniforms, k.uniforms);
        assert_int_equal(shader.input + shader.own_lookups, k.samples);
        built[part.plain]++;
    }
    print_message("%u of %u cases built, %u of them plain\n", built[0] + built[1], (unsigned)CASES, built[1]);
    assert_true(built[1] >= BUILT_LEAST);
}

static void pixels_become_rows(void **state)
{
    (void)state;
    build();
    for (unsigned turn = 0; turn < 4; turn++) {
        paint(turn);
        outcome_reset(outcome, &tc);
        assert_true(shader_has_drawn(&shader, target, PITCH, CLEAR));
        assert_true(shader_collect(&shader, target, PITCH, outcome));
        for (unsigned row = 0; row < ROWS; row++)
            for (unsigned n = 0; n < VC4_LANES; n++)
                assert_int_equal(outcome->value[shader.row[row] * VC4_LANES + n], word_of(row, n));
    }
    const struct layout *l = &outcome->unit->layout;
    assert_int_equal(shader.row[0], layout_region_named(l, "ra")->first_row + 7);
    assert_int_equal(shader.row[1], layout_region_named(l, "acc")->first_row + 2);
    assert_int_equal(shader.row[2], layout_region_named(l, "flags")->first_row);
}

static void refused(unsigned x, unsigned y, uint32_t word)
{
    paint(1);
    target[(Y + y) * PITCH + X + x] = word;
    assert_false(shader_collect(&shader, target, PITCH, outcome));
}

static void wrong_pixels_are_rejected(void **state)
{
    (void)state;
    build();
    refused(0, 0, CLEAR);             /* a quad is not drawn */
    refused(0, 0, 0xABCDEF40 | 4);    /* a quad is of another launch */
    refused(0, 0, 0xABCDEF30 | 5);    /* the first pixel of a quad claims to be the second */
    refused(1, 0, word_of(0, 5) ^ 1); /* a quad contradicts the other quads of its elements */
    paint(0);
    /* Makes the quads of elements 12 to 15 of row 0 repeat elements 8 to 11, so that no quad holds 12 to
     * 15. */
    for (unsigned block = 0; block < 2; block++)
        for (unsigned y = 0; y < 8; y += 2)
            for (unsigned pixel = 0; pixel < 4; pixel++)
                target[(Y + y + pixel / 2) * PITCH + X + block * 8 + 6 + pixel % 2] =
                    target[(Y + y + pixel / 2) * PITCH + X + block * 8 + 4 + pixel % 2];
    assert_false(shader_collect(&shader, target, PITCH, outcome));
    paint(0);
    for (unsigned i = 0; i < PITCH * 8; i++) /* as if the tile of the second line were not drawn */
        target[(Y + 8) * PITCH + i] = CLEAR;
    assert_false(shader_has_drawn(&shader, target, PITCH, CLEAR));
    assert_false(shader_collect(&shader, target, PITCH, outcome));
}

static void cases_that_shaders_cannot_run_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *program, *why;
    } rows[] = {
        {"  ldi vw_addr, 0\n", "instruction 0"},
        {"  ldi vw_setup, 0x1a00\n  mov vpm, ra3\n", "VPM"},
        {"  ldi r0, 0x40000000\n  mov tmu0_s, r0\n  nop ; load_tmu0\n", "kernel's validator"},
        {"  mov tlb_z, ra3\n", "instruction 0"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        assert_false(prove(rows[i].program, &e));
        if (!strstr(e.text, rows[i].why))
            fail_msg("%u: %s", i, e.text);
    }
}

static int make_outcome(void **state)
{
    (void)state;
    outcome = outcome_new(unit_named("vc4-qpu"));
    return outcome ? 0 : -1;
}

static int free_outcome(void **state)
{
    (void)state;
    outcome_free(outcome);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_shaders_fit_the_case),
        cmocka_unit_test(the_kernel_accepts_every_built_shader),
        cmocka_unit_test(pixels_become_rows),
        cmocka_unit_test(wrong_pixels_are_rejected),
        cmocka_unit_test(cases_that_shaders_cannot_run_are_refused),
    };
    return cmocka_run_group_tests(tests, make_outcome, free_outcome);
}
