/* SPDX-License-Identifier: MIT */
/* Pictures show the bytes that differ, `show` prints the whole ledger, and escaped text cannot become
 * markup. */
#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/picture.h"
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_facts.h"
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- pictures */

/* The case writes one byte in each lane: byte 1 of row 2 in the model, but byte 1 of row 0 in a machine with
 * row-div-4 (by the clause's formula). */
static void a_grid_marks_the_differing_bytes(void **state)
{
    (void)state;
    struct report r;
    struct finding_view v;
    struct text t = {0};
    toy_report(&r);
    struct finding_viewer *bench = finding_viewer_new();
    finding_view(bench, &r, TOY_ERRATUM_VIRTUAL, &v);
    assert_true(v.shown);
    const struct region *vpm = layout_region_named(&toy_unit.layout, "vpm");
    unsigned changed = 0, missing = 0;
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned col = 0; col < 16; col++) {
            for (unsigned byte = 0; byte < 4; byte++) {
                enum look model = picture_look(&v.picture, vpm, SIDE_MODEL, row, col, 0xFFU << 8 * byte);
                enum look board = picture_look(&v.picture, vpm, SIDE_BOARD, row, col, 0xFFU << 8 * byte);
                bool here = byte == 1 && (row == 0 || row == 2);
                assert_int_equal(model, !here ? LOOK_PLAIN : row == 2 ? LOOK_DIFFERS : LOOK_DIFFERS_MISSING);
                assert_int_equal(board, !here ? LOOK_PLAIN : row == 0 ? LOOK_DIFFERS : LOOK_DIFFERS_MISSING);
                changed += model == LOOK_DIFFERS;
                missing += model == LOOK_DIFFERS_MISSING;
            }
        }
    }
    assert_int_equal(changed, 16);
    assert_int_equal(missing, 16);
    svg_outcomes(&v.picture, (const char *const[]){"one", "two"}, &t);
    const char *memory = strstr(t.chars, "<b>memory</b>");
    assert_non_null(memory);
    t.chars[memory - t.chars] = 0; /* keep only the grid */
    /* Byte 1 of column 0 of row 2, on the model's side: 26 for the label, 2 and a byte of 6 into the first
     * box, 5 wide. The row's middle is 16 for the column numbers and 2.5 rows of 12 below the top. The 16
     * columns are 27 apart. */
    assert_has(t.chars, "<path class=\"s d\" d=\"M34 46h5M61 46h5");
    assert_has(t.chars, "M439 46h5\"/>");
    assert_has(t.chars, "<path class=\"m\" d=\"M34 18h5v8h-5z"); /* row 0, which only the board wrote */
    assert_int_equal(occurrences(t.chars, "h5v8h-5z"), 32);
    assert_int_equal(occurrences(t.chars, "h5M") + occurrences(t.chars, "h5\""), 32);
    assert_has(t.chars, " data-n=\"vpm\" data-d=\"8\" data-v=\"");
    assert_has(t.chars, "byte 0 (bits 7:0) on its left");
    /* The box of four rows of 12, and 16 columns of 27. */
    assert_has(t.chars, "<rect class=\"k\" x=\"26\" y=\"16\" width=\"432\" height=\"48\"/>");
    assert_int_equal(occurrences(t.chars, "<svg class=\"grid\""), 2);
    assert_has(t.chars, "rows 4 to 63 unchanged");
    text_clear(&t);
    picture_print(&v.picture, &t);
    assert_has(t.chars,
               "\n    0  .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b.. .b..\n");
    assert_has(t.chars,
               "\n    2  .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m.. .m..\n");
    text_free(&t);
    finding_viewer_free(bench);
    toy_report_free(&r);
}

static void undefined_bits_are_not_compared(void **state)
{
    (void)state;
    struct report r;
    struct finding_view v;
    toy_report(&r);
    struct finding_viewer *bench = finding_viewer_new();
    finding_view(bench, &r, TOY_UNDEFINED, &v);
    const struct region *flags = layout_region_named(&toy_unit.layout, "flags");
    for (unsigned col = 0; col < 16; col++)
        assert_int_equal(picture_look(&v.picture, flags, SIDE_BOARD, flags->first_row + 1U, col, 1),
                         LOOK_UNKNOWN);
    assert_false(picture_differs(&v.picture, flags));
    finding_viewer_free(bench);
    toy_report_free(&r);
}

/* One outcome, as `misprint run` draws it. */
static void one_outcome_is_drawn(void **state)
{
    (void)state;
    struct report r;
    struct text t = {0};
    toy_report(&r);
    const struct finding *f = &r.finding[TOY_ERRATUM_VIRTUAL];
    struct outcome *o = outcome_new(&toy_unit);
    outcome_reset(o, f->smallest);
    assert_true(outcome_decode(o, f->smallest, f->board_outcome, f->board_outcome_size, NULL));
    outcome_picture(o, f->smallest, &t);
    assert_has(t.chars, "\n    0  .#.. .#..");
    assert_lacks(t.chars, "\n    2 ");
    for (const char *line = t.chars; line; line = strchr(line, '\n'))
        assert_true(strcspn(++line, "\n") <= 100);
    text_free(&t);
    outcome_free(o);
    toy_report_free(&r);
}

/* Fields over the word 80001809: ID 31:30 = 2, HORIZ bit 11, SIZE 9:8 = 0 with a name, ADDR 7:0 = 9. */
static void bit_fields_are_drawn(void **state)
{
    (void)state;
    struct text t = {0};
    const struct field *setup = schema_field(&toy_unit.schema, "setup");
    svg_bit_fields(setup->bits, &(const uint32_t){0x80001809}, 1, &t);
    assert_has(t.chars, "<td class=\"s\" colspan=\"2\"><i>31:30</i><b>2</b><u>ID</u></td>");
    assert_has(t.chars, "<td class=\"s\" colspan=\"1\"><i>11</i><b>1</b><u class=\"n\">HORIZ</u></td>");
    assert_has(t.chars, "<td colspan=\"2\" data-v=\"0\"><i>9:8</i><b>8-bit</b><u>SIZE</u></td>");
    assert_has(t.chars, "<td class=\"s\" colspan=\"8\"><i>7:0</i><b>9</b><u>ADDR</u></td>");
    text_clear(&t);
    /* A value has its own name, and a value behind the last name has none. */
    static const char *const names[] = {"zero", "one", "two", NULL, "behind the end", "behind the end"};
    const struct bit_field kind[] = {{"KIND", 4, 3, names}, {0}};
    svg_bit_fields(kind, &(const uint32_t){0x20}, 1, &t);
    assert_has(t.chars, "<i>6:4</i><b>two</b>");
    svg_bit_fields(kind, &(const uint32_t){0x40}, 1, &t);
    assert_has(t.chars, "<i>6:4</i><b>4</b>");
    text_clear(&t);
    /* A field that crosses the two words of an instruction: bits 35:28 of 00000007_3F5EDD42 are 0x73. */
    struct test_case *c = calloc(1, sizeof *c);
    unsigned left_out;
    toy_case(c);
    assert_int_equal(svg_case_words(c, 8, &left_out, &t), 3); /* the setup and two instructions */
    assert_int_equal(left_out, 0);
    assert_has(t.chars, "<i>35:32</i><b>0x73</b><u>straddles</u>");
    assert_has(t.chars, "<i>31:28</i><b>0x73</b><u>straddles</u>");
    text_clear(&t);
    assert_int_equal(svg_case_words(c, 2, &left_out, &t), 2);
    assert_int_equal(left_out, 1);
    free(c);
    text_free(&t);
}

/* Each unit in use has a cell, and each slot has a title with what it reads. A line leads to the next
 * instruction. */
static void slots_are_drawn(void **state)
{
    (void)state;
    struct text t = {0};
    struct test_case *c = calloc(1, sizeof *c);
    toy_case(c);
    svg_slots(c, &t);
    assert_has(t.chars, ">doubler</text>");
    assert_has(t.chars, ">reader</text>");
    assert_lacks(t.chars, "idler");
    assert_has(t.chars, "<title>0 reader take &lt;it&gt;</title>");
    assert_has(t.chars, "<title>1 reader take &lt;it&gt;; reads doubler of 0</title>");
    assert_has(t.chars, "<line class=\"t\"");
    assert_lacks(t.chars, "too early");
    uint32_t *count, *items = case_items(c, schema_field(&toy_unit.schema, "code"), &count);
    memset(items, 0, 2 * 2 * sizeof *items * 15);
    *count = 30;
    text_clear(&t);
    svg_slots(c, &t);
    assert_has(t.chars, "<title>2 reader take &lt;it&gt;; reads doubler of 1 (too early)</title>");
    assert_has(t.chars, "<line class=\"m\"");
    assert_has(t.chars, "6 further instructions are not drawn");
    case_init(c, unit_named("vc4-qpu")); /* instructions without slots are not drawn */
    text_clear(&t);
    svg_slots(c, &t);
    assert_int_equal(t.length, 0);
    free(c);
    text_free(&t);
}

/* --- the ledger as text */

static void clauses_are_described(void **state)
{
    (void)state;
    struct text t = {0};
    clause_list_print(&toy_unit, &t);
    assert_has(t.chars, "toy-vpm: 5 clauses\n");
    assert_has(t.chars, "  toy-flag       silent  C flag of sums [manual, result-positive]\n");
    text_clear(&t);
    clause_show(&toy_unit, unit_clause(&toy_unit, TOY_ROUND), &t);
    static const char *const said[] = {"toy-round\n",
                                       "Toy Guide p35 T11",
                                       "the manual is definite",
                                       "reading manual  chosen by profile manual\n",
                                       "reading truncate  chosen by profile toy1\n",
                                       "alu.csv, 675 of 675 rows",
                                       "evidence silicon (measured on silicon)",
                                       "proposed   Results of",
                                       "workaround Add half"};
    for (unsigned i = 0; i < sizeof said / sizeof *said; i++)
        assert_has(t.chars, said[i]);
    text_free(&t);
    json_t *o = clause_show_json(&toy_unit, unit_clause(&toy_unit, TOY_ROUND));
    const char *reading = NULL, *evidence = NULL;
    assert_int_equal(json_unpack(o, "{s:{s:s}, s:[{}, {s:s}]}", "profiles", "toy1", &reading, "readings",
                                 "evidence", &evidence),
                     0);
    assert_string_equal(reading, "truncate");
    assert_string_equal(evidence, "silicon");
    json_decref(o);
    o = clause_list_json(&toy_unit);
    assert_int_equal(json_array_size(json_object_get(o, "clauses")), TOY_CLAUSES);
    json_decref(o);
}

static void text_is_escaped(void **state)
{
    (void)state;
    struct text t = {0};
    /* Valid codes of two and four bytes; a surrogate, a code above 10FFFF, a code that is cut off. */
    static const char bytes[] = "a\xC3\xA9\xF0\x9F\x98\x80|\xED\xA0\x80|\xF4\x90\x80\x80|\xC3";
    escape_utf8(&t, bytes, sizeof bytes - 1);
    assert_string_equal(text_chars(&t), "a\xC3\xA9\xF0\x9F\x98\x80|\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|"
                                        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|\xEF\xBF\xBD");
    text_clear(&t);
    escape_xml(&t, "<a href=\"b\" c='d'>&amp;</a>");
    assert_string_equal(text_chars(&t), "&lt;a href=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp;&lt;/a&gt;");
    text_clear(&t);
    escape_markdown_block(&t, "a ```` b");
    assert_string_equal(text_chars(&t), "`````text\na ```` b\n`````\n");
    text_clear(&t);
    escape_shell(&t, "it's $HOME");
    assert_string_equal(text_chars(&t), "'it'\\''s $HOME'");
    text_clear(&t);
    text_add_grouped(&t, UINT64_MAX);
    text_add(&t, " ");
    text_add_grouped(&t, 100);
    assert_string_equal(text_chars(&t), "18,446,744,073,709,551,615 100");
    text_free(&t);
}

/* The sentence of authority.h. */
static void a_unit_may_have_another_authority(void **state)
{
    (void)state;
    static const struct {
        const char *says, *of_mesa;
    } rows[] = {
        {"The manual says so, the manual is silent", "Mesa says so, Mesa is silent"},
        {"against a definite manual: manual-erratum", "against Mesa: mesa-erratum"},
        {"manual-gap", "mesa-gap"},
        {"no man is an island", "no man is an island"},
    };
    static struct unit unit = {.authority = "Mesa"}, with_manual;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0}, of_manual = {0}, of_none = {0};
        authority_add(&unit, rows[i].says, &t);
        authority_add(&with_manual, rows[i].says, &of_manual);
        authority_add(NULL, rows[i].says, &of_none);
        assert_string_equal(text_chars(&t), rows[i].of_mesa);
        assert_string_equal(text_chars(&of_manual), rows[i].says);
        assert_string_equal(text_chars(&of_none), rows[i].says);
        text_free(&t);
        text_free(&of_manual);
        text_free(&of_none);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_marks_the_differing_bytes),
        cmocka_unit_test(undefined_bits_are_not_compared),
        cmocka_unit_test(one_outcome_is_drawn),
        cmocka_unit_test(bit_fields_are_drawn),
        cmocka_unit_test(slots_are_drawn),
        cmocka_unit_test(clauses_are_described),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(a_unit_may_have_another_authority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
