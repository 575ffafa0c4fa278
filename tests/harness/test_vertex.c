/* SPDX-License-Identifier: MIT */
/*
 * Cases of vc4-vpm as vertex shaders (harness/vc4/program/vertex.h), without a GPU. vertex_prove accepts the
 * right cases, and the case's rows and setup words reach the hardware unchanged. The test paints pixels as
 * that header describes; they become reads. vertex_collect rejects pixels if a part is missing, if they are
 * of another launch, or if a vertex is in another column. tests/harness/test_drm.sh tests what shaders paint.
 */
#include "harness/vc4/program/vertex.h"

#include "harness/vc4/vc4_kernel.h"
#include "model/core/unit.h"
#include "model/number/bytes.h"
#include "model/number/random.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "tests/model/vc4/qpu/support_scoreboard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { PITCH = 64, LINES = 32, READS = 10, LANES = 16, CLEAR = 0x7B7B7B7B };

static struct test_case tc, program;
static struct vertex_case vertex;
static struct outcome *outcome;
static uint32_t code[2 * VERTEX_CODE_MAX], target[PITCH * LINES];

static bool prove(const char *ops, struct error *e)
{
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "misprint-case 1 vc4-vpm\nvpm fill index\ndata fill random 6\nops {\n%s}\n", ops);
    if (!case_parse(&tc, text, strlen(text), e))
        fail_msg("%s", e->text);
    return vertex_prove(&tc, &program, &vertex, e);
}

/* Prepares a case that reads two vectors of bytes down column 3, then eight rows: ten reads in two parts. */
static void prepare(void)
{
    struct error e = {0};
    if (!prove("  rd_setup v8-laned num=2 stride=4 x=3 b=1\n  nop 2\n  read\n  read\n"
               "  rd_setup h32 num=8 stride=1 y=20\n  nop 2\n  read\n  read\n  read\n  read\n  read\n  "
               "read\n  read\n  read\n",
               &e))
        fail_msg("%s", e.text);
    vertex.stamp = 0xABCDEF00;
    vertex.at[0] = (struct draw_place){0, 16, 16, 16};
    vertex.at[1] = (struct draw_place){32, 0, 16, 16};
}

static void cases_that_only_read_are_accepted(void **state)
{
    (void)state;
    prepare();
    assert_int_equal(vertex.reads, READS);
    assert_int_equal(vertex.parts, 2);
    assert_int_equal(vertex_words(&vertex, 0), 8);
    assert_int_equal(vertex_words(&vertex, 1), 2);
    assert_int_equal(vertex_varyings(&vertex, 0), 17); /* 2 for each word, 1 for the element's number */
    assert_int_equal(vertex_varyings(&vertex, 1), 5);
    assert_int_equal(vertex.place_row, 17); /* the case reads rows 0 to 15 (column 3) and 20 to 27, and row
                                             * 16 under a reading in which Y counts fours */
}

static void other_cases_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *ops, *why;
    } rows[] = {
        {"  wr_setup h32 stride=1 y=0\n  write 3\n", "it writes only rows 0 to 2"},
        {"  wr_setup h32 stride=1 y=15\n  write 3\n  write 4\n", "it writes row 16"},
        {"  wr_setup v16 stride=1 yblock=1 x=0\n  write 3\n", "it writes row 23"},
        {"  wr_setup 0x80904000\n  wr_setup h32 stride=1 y=3\n  write 3\n",
         "operation 0: the kernel lets no shader start a DMA"},
        {"  wr_setup h32 stride=1 y=3\n  write 3\n  rd_setup h32 num=1 stride=1 y=3\n  nop 2\n  read\n",
         "it reads and writes"},
        {"  wr_setup h32 stride=1 y=3\n  write 3 lanes=0x00ff\n", "under a condition"},
        {"  write 3\n", "without a setup"},
        {"  rd_setup h32 num=1 stride=1 y=0\n  nop 2\n  read\n  st_addr 0x40\n",
         "operation 3: the kernel lets no shader start a DMA"},
        {"  rd_setup 0x80011000\n  nop 2\n", "operation 0: the kernel lets no shader start a DMA"},
        {"  st_wait\n", "DMA"},
        {"  nop 3\n", "it neither reads nor writes"},
        {"  read\n", "no setup asked for"},
        {"  rd_setup h32 num=2 stride=1 y=0\n  nop 2\n  read\n", "still to be read"},
        {"  rd_setup h32 num=1 stride=1 y=0\n  nop 2\n  read\n  with nop 1\n",
         "two accesses in one instruction"},
        {"  rd_setup h32 num=1 stride=1 y=63\n  nop 2\n  read\n", "it reads VPM row 63"},
        {"  rd_setup h32 num=2 stride=1 y=62\n  nop 2\n  read\n  read\n", "it reads VPM row 63"},
        {"  rd_setup v32 num=1 stride=1 yblock=3 x=2\n  nop 2\n  read\n", "it reads VPM row 63"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        assert_false(prove(rows[i].ops, &e));
        if (!strstr(e.text, rows[i].why))
            fail_msg("%u: %s", i, e.text);
    }
}

/* Does an instruction write this word to a setup register? That is address 49 of file A for reads, of file B
 * for writes. */
static bool sets_up_of(unsigned instructions, unsigned file, uint32_t word)
{
    for (unsigned n = 0; n < instructions; n++) {
        struct qpu_insn i;
        if (qpu_decode(code[2 * n] | (uint64_t)code[2 * n + 1] << 32, &i) && i.class == QPU_LDI_32 &&
            i.waddr_add == 49 && i.ws == file && i.immediate == word)
            return true;
    }
    return false;
}

static bool sets_up(unsigned instructions, uint32_t word)
{
    return sets_up_of(instructions, 0, word);
}

/* The first read may be the third instruction after its setup (p56). A later one wastes the shader's room. */
static void reads_begin_at_once(unsigned instructions)
{
    unsigned setups = 0;
    for (unsigned n = 0; n + 3 < instructions; n++) {
        struct qpu_insn i, then;
        if (!qpu_decode(code[2 * n] | (uint64_t)code[2 * n + 1] << 32, &i) || i.class != QPU_LDI_32 ||
            i.waddr_add != 49 || i.ws)
            continue;
        for (unsigned k = 1; k <= 3; k++) {
            assert_true(qpu_decode(code[2 * (n + k)] | (uint64_t)code[2 * (n + k) + 1] << 32, &then));
            assert_int_equal(then.class <= QPU_ALU_SMALL && (then.raddr_a == 48 || then.raddr_b == 48),
                             k == 3);
        }
        setups++;
    }
    assert_true(setups > 0);
}

static void the_kernel_accepts_the_shaders(void **state)
{
    (void)state;
    struct vc4_kernel_shader k;
    struct error e = {0};
    unsigned count;
    prepare();
    for (unsigned part = 0; part < 2; part++) {
        assert_true(vertex_build(&program, &vertex, part, code, &count, &e));
        assert_true(vc4_kernel_accepts(code, count, &k, &e));
        reads_begin_at_once(count);
        assert_int_equal(k.instructions, count);
        assert_int_equal(k.uniforms + k.samples, 0);
        assert_false(k.threaded);
        assert_true(sets_up(count, 0x0020440D)); /* NUM 2, STRIDE 4, LANED, ADDR = X 3, B 1 (p58 T33) */
        assert_true(sets_up(count, 0x00801A14)); /* NUM 8, STRIDE 1, HORIZ, SIZE 2, Y 20 */
        assert_true(sets_up(count, 0x00101A11)); /* reads row 17, which holds the places */
    }
    for (unsigned kind = 0; kind < VERTEX_COPIES; kind++) {
        count = vertex_make_copy_out(kind, code);
        assert_true(vc4_kernel_accepts(code, count, &k, &e));
        const char *fault = scoreboard_fault(code, count);
        if (fault)
            fail_msg("copy %u: %s", kind, fault);
        assert_int_equal(k.uniforms, 1);
        assert_int_equal(k.samples, 0);
        assert_false(k.threaded);
    }
}

/* The kernel's rules accept every complete shader, although vertex_build does not check all of them. */
static void the_kernel_accepts_every_built_shader(void **state)
{
    enum { CASES = 20000, PLAIN_LEAST = 1000 };
    static struct vc4_kernel_shader k;
    unsigned built[2] = {0}; /* [1] counts shaders of plain programs, [0] the others */
    struct random r;
    (void)state;
    random_seed(&r, 12);
    for (unsigned i = 0; i < CASES; i++) {
        struct error e = {0};
        unsigned count;
        case_init(&tc, outcome->unit);
        tc.unit->generate(&r, &tc);
        if (!vertex_prove(&tc, &program, &vertex, &e))
            continue;
        for (unsigned part = 0; part < vertex.parts; part++) {
            if (!vertex_build(&program, &vertex, part, code, &count, &e))
                continue;
            if (!vc4_kernel_accepts(code, count, &k, &e))
                fail_msg("case %u: %s", i, e.text);
            assert_int_equal(k.instructions, count);
            assert_int_equal(k.uniforms + k.samples, 0);
            built[vertex.plain]++;
        }
    }
    print_message("%u shaders of plain programs, %u of others\n", built[1], built[0]);
    assert_true(built[1] >= PLAIN_LEAST);
}

/* Word y of vertex n goes to row y, column n of the VPM (p60). The row of places holds the places instead. */
static void rows_become_attributes(void **state)
{
    (void)state;
    static uint32_t rows[DRAW_POINTS * DRAW_ROWS], places[DRAW_POINTS * DRAW_VERTEX_WORDS], vpm[128 * LANES];
    prepare();
    for (unsigned i = 0; i < 128 * LANES; i++)
        vpm[i] = 0x5000 + i;
    vertex_put(&program, &vertex, 1, vpm, rows);
    vertex_put_places(&vertex.at[1], places);
    for (unsigned n = 0; n < DRAW_POINTS; n++)
        for (unsigned y = 0; y < DRAW_ROWS; y++)
            assert_int_equal(rows[n * DRAW_ROWS + y],
                             y == 17 ? places[n * DRAW_VERTEX_WORDS + 4] : 0x5000 + LANES * y + n);
    assert_int_equal(places[4],
                     (0 + 2) * 16 << 16 |
                         (32 + 2) * 16); /* the centre of the square of the first point in the second part */
}

static uint32_t word_of(unsigned read, unsigned n)
{
    return 0xC0000000 + 0x10001 * (read + 1) + n;
}

static uint32_t *pixel(unsigned part, unsigned n, unsigned k)
{
    return &target[(vertex.at[part].y + n / 4 * 4 + k / 4) * PITCH + vertex.at[part].x + n % 4 * 4 + k % 4];
}

static void paint(void)
{
    for (unsigned i = 0; i < PITCH * LINES; i++)
        target[i] = CLEAR;
    for (unsigned part = 0; part < 2; part++)
        for (unsigned n = 0; n < LANES; n++)
            for (unsigned k = 0; k < 16; k++)
                *pixel(part, n, k) = k < (part ? 2 : 8) ? word_of(8 * part + k, n)
                                                        : (0xABCDEF00 | part << 4 | (k == 14 ? n : 0));
}

static void pixels_become_reads(void **state)
{
    (void)state;
    prepare();
    paint();
    outcome_reset(outcome, &tc);
    assert_true(vertex_has_drawn(&vertex, target, PITCH, CLEAR));
    assert_true(vertex_collect(&vertex, target, PITCH, outcome));
    uint32_t first = layout_region_named(&outcome->unit->layout, "reads")->first_row;
    for (unsigned read = 0; read < READS; read++)
        for (unsigned n = 0; n < LANES; n++)
            assert_int_equal(outcome->value[(first + read) * LANES + n], word_of(read, n));
    assert_false(outcome->complete);
    for (uint32_t row = 0; row < outcome->unit->layout.rows; row++)
        assert_int_equal(outcome_touched(outcome, row), row >= first && row < first + READS);
}

static void refused(unsigned part, unsigned n, unsigned k, uint32_t word)
{
    paint();
    *pixel(part, n, k) = word;
    assert_false(vertex_collect(&vertex, target, PITCH, outcome));
}

static void wrong_pixels_are_rejected(void **state)
{
    (void)state;
    prepare();
    refused(1, 15, 15, CLEAR);         /* a point is missing */
    refused(0, 3, 9, 0xABCDEE00);      /* a point is of another launch */
    refused(1, 3, 9, 0xABCDEF00);      /* a point is of the other part */
    refused(0, 7, 14, 0xABCDEF00 | 8); /* a vertex is in another column */
    refused(1, 0, 2, word_of(2, 0));   /* a point has a third word, but this part has only two */
    paint();
    *pixel(1, 9, 15) = CLEAR;
    assert_false(vertex_has_drawn(&vertex, target, PITCH, CLEAR));
}

/* ---- cases that write ---- */

static void prepare_writing(void)
{
    struct error e = {0};
    if (!prove("  wr_setup h16-laned stride=2 y=6 h=1\n  write 3\n  write 31\n", &e))
        fail_msg("%s", e.text);
    vertex.stamp = 0xABCDEF00;
    vertex.at[0] = (struct draw_place){32, 0, 16, 16};
}

/* The shader has sixteen varyings: rows 3 to 15, row 16, which is not shown, the known word in row 17, and
 * the element's number. */
static void cases_that_only_write_are_accepted(void **state)
{
    (void)state;
    static uint32_t rows[DRAW_POINTS * DRAW_ROWS], places[DRAW_POINTS * DRAW_VERTEX_WORDS], vpm[128 * LANES],
        data[LANES];
    struct vc4_kernel_shader k;
    struct error e = {0};
    unsigned count;
    prepare_writing();
    assert_int_equal(vertex.reads, 0);
    assert_int_equal(vertex.parts, 1);
    assert_int_equal(vertex_varyings(&vertex, 0), 16);
    assert_int_equal(vertex_copy_out(&vertex, 0), VERTEX_COPIES - 1);
    assert_true(vertex_build(&program, &vertex, 0, code, &count, &e));
    assert_true(vc4_kernel_accepts(code, count, &k, &e));
    assert_true(
        sets_up_of(count, 1, 0x00002D0D)); /* STRIDE 2, HORIZ, LANED, SIZE 1, ADDR = Y 6, H 1 (p57 T32) */
    for (unsigned i = 0; i < 128 * LANES; i++)
        vpm[i] = 0x5000 + i;
    vertex_put(&program, &vertex, 0, vpm, rows);
    vertex_put_places(&vertex.at[0], places);
    image_row(&tc, schema_field(&tc.unit->schema, "data"), 31, data);
    for (unsigned n = 0; n < DRAW_POINTS; n++) {
        assert_int_equal(rows[n * DRAW_ROWS], places[n * DRAW_VERTEX_WORDS + 4]);
        for (unsigned y = 3; y < 16; y++)
            assert_int_equal(rows[n * DRAW_ROWS + y], 0x5000 + LANES * y + n);
        assert_int_equal(rows[n * DRAW_ROWS + 18 + 31], data[n]);
    }
}

/* Returns the word that the test paints for a row: a float. The setup engine may have changed some of these
 * floats. */
static uint32_t float_of(unsigned k, unsigned n)
{
    static const uint32_t others[] = {0, 0x80000000, 0x00000001, 0x807FFFFF, 0x7F800000, 0xFFC00001};
    return k == 2 && n < 6 ? others[n] : 0x3F800000 + 16 * k + n;
}

static void paint_rows(void)
{
    for (unsigned i = 0; i < PITCH * LINES; i++)
        target[i] = CLEAR;
    for (unsigned n = 0; n < LANES; n++)
        for (unsigned k = 0; k < 16; k++)
            *pixel(0, n, k) = k < 13    ? float_of(k, n)
                              : k == 13 ? VERTEX_KNOWN_WORD
                                        : (0xABCDEF00 | (k == 14 ? n : 0));
}

static void pixels_become_rows(void **state)
{
    (void)state;
    prepare_writing();
    paint_rows();
    outcome_reset(outcome, &tc);
    assert_true(vertex_collect(&vertex, target, PITCH, outcome));
    uint32_t first = layout_region_named(&outcome->unit->layout, "vpm")->first_row;
    assert_true(outcome->checked && !outcome->complete);
    for (uint32_t row = 0; row < outcome->unit->layout.rows; row++)
        assert_int_equal(outcome_touched(outcome, row), row >= first + 3 && row < first + 16);
    for (unsigned k = 0; k < 13; k++)
        for (unsigned n = 0; n < LANES; n++) {
            size_t at = (first + 3 + k) * LANES + n;
            assert_int_equal(outcome->value[at], float_of(k, n));
            assert_int_equal(outcome->defined[at], k == 2 && n < 6 ? 0 : 0xFFFFFFFF);
        }
    *pixel(0, 11, 13) ^= 1; /* changes the known word of one vertex */
    assert_false(vertex_collect(&vertex, target, PITCH, outcome));
    paint_rows();
    *pixel(0, 11, 14) ^= 1; /* puts the vertex into another column */
    assert_false(vertex_collect(&vertex, target, PITCH, outcome));
}

static int make_outcome(void **state)
{
    (void)state;
    outcome = outcome_new(unit_named("vc4-vpm"));
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
        cmocka_unit_test(cases_that_only_read_are_accepted),
        cmocka_unit_test(other_cases_are_refused_with_a_reason),
        cmocka_unit_test(the_kernel_accepts_the_shaders),
        cmocka_unit_test(the_kernel_accepts_every_built_shader),
        cmocka_unit_test(rows_become_attributes),
        cmocka_unit_test(pixels_become_reads),
        cmocka_unit_test(wrong_pixels_are_rejected),
        cmocka_unit_test(cases_that_only_write_are_accepted),
        cmocka_unit_test(pixels_become_rows),
    };
    return cmocka_run_group_tests(tests, make_outcome, free_outcome);
}
