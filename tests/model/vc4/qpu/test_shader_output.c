/* SPDX-License-Identifier: MIT */
/*
 * What coordinate and vertex shaders leave for the binner and the setup engine (VideoCoreIV-AG100-R p60-61,
 * fig 11): the check, the description and the picture. The numbers are worked out by hand.
 */
#include "model/vc4/shader_output.h"

#include "oracle/compare/executor.h"
#include "oracle/describe/picture.h"
#include "oracle/report/picture/report_svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For all vertices: XC YC ZC WC = 1 0.5 0 2; XS = 2 pixels, YS = 1 pixel; ZS = 0.5; 1/WC = 0.5. */
static const uint32_t vertex_words[] = {0x3F800000, 0x3F000000, 0x00000000, 0x40000000,
                                        0x00100020, 0x3F000000, 0x3F000000};

/* Makes a shader that writes `count` of these words, from row 0 on. */
static struct test_case *shader(const char *stage, const uint32_t *words, unsigned count)
{
    struct test_case *c = malloc(sizeof *c);
    struct text t = {0};
    struct error e = {0};
    assert_non_null(c);
    text_add(
        &t,
        "misprint-case 1 vc4-qpu\nstage = %s\nvpm fill index\nprogram {\n  ldi vw_setup, nop, 0x00001a00\n",
        stage);
    for (unsigned i = 0; i < count; i++)
        text_add(&t, "  ldi vpm, nop, 0x%08x\n", words[i]);
    text_add(&t, "  nop ; nop ; end\n  nop\n  nop\n}\n");
    if (!case_parse(c, text_chars(&t), t.length, &e))
        fail_msg("%s", e.text);
    text_free(&t);
    return c;
}

/* The description of the case, and the picture of its VPM beside that of a board with nearly the same
 * outcome. */
struct seen {
    struct text told, text, svg;
};

static struct seen look(struct test_case *c)
{
    struct seen s = {0};
    struct executor *x = executor_new(c->unit);
    struct outcome *model = outcome_new(c->unit), *board = outcome_new(c->unit),
                   *initial = outcome_new(c->unit);
    struct profile p;
    profile_builtin(c->unit, 0, &p);
    executor_run(x, c, &p, RUN_CHECKED, model);
    executor_run(x, c, &p, RUN_CHECKED, board);
    const struct region *vpm = layout_region_named(&c->unit->layout, "vpm");
    outcome_row(board, vpm->first_row + 4U, VC4_LANES)[3] ^= 1; /* a difference to draw */
    outcome_reset(initial, c);
    struct picture both = {.unit = c->unit, .tc = c, .initial = initial, .side = {model, board}};
    struct picture one = {.unit = c->unit, .tc = c, .initial = initial, .side = {model, NULL}};
    picture_describe(&one, SIDE_MODEL, &s.told);
    picture_print(&both, &s.text);
    svg_outcomes(&both, (const char *const[]){"the model", "the board"}, &s.svg);
    outcome_free(model);
    outcome_free(board);
    outcome_free(initial);
    executor_free(x);
    free(c);
    return s;
}

static void seen_free(struct seen *s)
{
    text_free(&s->told);
    text_free(&s->text);
    text_free(&s->svg);
}

static void expect_in(const struct text *t, const char *wanted)
{
    if (!strstr(t->length ? text_chars(t) : "", wanted))
        fail_msg("no \"%s\" in:\n%s", wanted, t->length ? text_chars(t) : "(nothing)");
}

static void coordinate_shaders_are_told_of_and_drawn(void **state)
{
    (void)state;
    struct seen s = look(shader("coordinate", vertex_words, 7));
    expect_in(&s.told, "for the binner (PTB): vertices in its form\n");
    expect_in(
        &s.told,
        "vertices 0-15   xs    2.0000  ys    1.0000  zs 0.5          1/wc 0.5           clip 1 0.5 0 2\n");
    expect_in(&s.text, "  ys:xs\n");
    expect_in(&s.text, "board, for the binner (PTB)");
    expect_in(&s.text, "vertex 3        xs    2.0625  ys    1.0000");
    expect_in(&s.svg, ">ys:xs</text>");
    expect_in(&s.svg, ">1/wc</text>");
    seen_free(&s);
}

static void vertex_shaders_are_told_of(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xFFF00020, 0x3F000000, 0x3F000000, 0x41200000, 0x41300000};
    struct seen s = look(shader("vertex", words, 5));
    expect_in(&s.told, "for the setup engine (PSE): vertices in its form\n");
    expect_in(&s.told, "xs    2.0000  ys   -1.0000  zs 0.5          1/wc 0.5           then 10 11\n");
    assert_string_equal(shader_row_name(QPU_STAGE_VERTEX, false, 4), "varying 1");
    assert_string_equal(shader_row_name(QPU_STAGE_VERTEX, true, 3), "point size");
    assert_null(shader_row_name(QPU_STAGE_FRAGMENT, false, 0));
    seen_free(&s);
}

static void what_is_not_in_the_form_is_said(void **state)
{
    (void)state;
    uint32_t words[10];
    memcpy(words, vertex_words, sizeof vertex_words);
    words[7] = words[8] = words[9] = 0x3F800000;
    const struct {
        const char *stage;
        unsigned count;
        uint32_t wc;
        const char *why;
    } rows[] = {
        {"coordinate", 6, 0x40000000, "only 6 words a vertex, and every vertex needs 7"},
        {"coordinate", 9, 0x40000000, "9 words a vertex; a coordinate shader leaves 7, and point size"},
        {"coordinate", 7, 0x40400000, "vertices 0-15: WC 3 times 1/WC 0.5 is 1.5"},
        {"vertex", 2, 0x40000000, "only 2 words a vertex, and every vertex needs 3"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        words[3] = rows[i].wc;
        struct seen s = look(shader(rows[i].stage, words, rows[i].count));
        expect_in(&s.told, "not in its form\n");
        expect_in(&s.told, rows[i].why);
        seen_free(&s);
    }
}

/* Varying n is in the n-th row after the fixed words and the point size, if there is one. */
static void rows_have_names(void **state)
{
    (void)state;
    for (unsigned size = 0; size < 2; size++) {
        uint32_t first = SHADER_VERTEX_WORDS + size;
        assert_string_equal(shader_row_name(QPU_STAGE_VERTEX, false, 0),
                            shader_row_name(QPU_STAGE_VERTEX, true, 0));
        if (size)
            assert_string_equal(shader_row_name(QPU_STAGE_VERTEX, true, first - 1), "point size");
        for (uint32_t n = 0; n < 32; n++) {
            char name[20];
            (void)snprintf(name, sizeof name, "varying %u", (unsigned)n);
            assert_string_equal(shader_row_name(QPU_STAGE_VERTEX, size, first + n), name);
        }
        assert_null(shader_row_name(QPU_STAGE_VERTEX, size, first + 32));
        assert_null(shader_row_name(QPU_STAGE_COORDINATE, size, SHADER_COORDINATE_WORDS + size));
    }
}

static void user_programs_leave_no_vertices(void **state)
{
    (void)state;
    struct seen s = look(shader("user", vertex_words, 7));
    assert_int_equal(s.told.length, 0);
    assert_null(strstr(text_chars(&s.svg), "ys:xs"));
    seen_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_shaders_are_told_of_and_drawn),
        cmocka_unit_test(vertex_shaders_are_told_of),
        cmocka_unit_test(what_is_not_in_the_form_is_said),
        cmocka_unit_test(rows_have_names),
        cmocka_unit_test(user_programs_leave_no_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
