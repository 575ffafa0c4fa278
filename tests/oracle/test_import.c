/* SPDX-License-Identifier: MIT */
/*
 * Import of tables: which cases the values become (written by hand), which tables are refused, and whether
 * the traces of the corpus contain what the published tables contain.
 */
#include "oracle/files/import.h"

#include "model/number/random.h"
#include "oracle/files/trace.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/misprint-import-XXXXXX";
static char csv[80], made[80];
static struct test_case expected, got;

static void write_csv(const char *text)
{
    FILE *f = fopen(csv, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

/* --- what a value becomes */

static const char alu_table[] = "# Measured on my Pi by me. Licence: MIT.\n"
                                "op,a,b,result,result_32s,flags\n"
                                "sub,00000001,ffffffff,00000002,00000002,c\n"
                                "# a remark\n"
                                "fmul,70000000,90000000,c0800000,c0800000,n\n";

static const char sub_case[] = "misprint-case 1 vc4-qpu\n"
                               "program {\n"
                               "  sub.setf r2, r0, r1\n"
                               "  end\n"
                               "  nop\n"
                               "  nop\n"
                               "}\n"
                               "acc row 0 = all 00000001\n"
                               "acc row 1 = all ffffffff\n";

static const char fmul_32s_case[] = "misprint-case 1 vc4-qpu\n"
                                    "program {\n"
                                    "  fmul ra1.32s, r0, r1\n"
                                    "  end\n"
                                    "  nop\n"
                                    "  nop\n"
                                    "}\n"
                                    "acc row 0 = all 70000000\n"
                                    "acc row 1 = all 90000000\n";

static const char unpack_table[] = "# Measured on my Pi by me.\n"
                                   "word,16b_int,8d_float\n"
                                   "90000000,ffff9000,3f109090\n";

static const char unpack_16b_case[] = "misprint-case 1 vc4-qpu\n"
                                      "program {\n"
                                      "  or r2, ra0.16b, ra0.16b\n"
                                      "  end\n"
                                      "  nop\n"
                                      "  nop\n"
                                      "}\n"
                                      "ra row 0 = all 90000000\n";

static const char unpack_8d_case[] = "misprint-case 1 vc4-qpu\n"
                                     "program {\n"
                                     "  fmin r2, ra0.8d, ra0.8d\n"
                                     "  end\n"
                                     "  nop\n"
                                     "  nop\n"
                                     "}\n"
                                     "ra row 0 = all 90000000\n";

/* Expects the next record to have this case and this label, and this number of recorded rows. */
static void next_is(struct trace_reader *r, struct outcome *o, const char *text, const char *label,
                    unsigned rows)
{
    struct error e = {0};
    const char *name;
    if (!case_parse(&expected, text, strlen(text), &e))
        fail_msg("%s", e.text);
    if (trace_next(r, &got, o, &name, &e) != 1)
        fail_msg("%s: %s", label, e.text);
    assert_string_equal(name, label);
    if (!case_equal(&expected, &got)) {
        struct text t = {0};
        case_print(&got, &t);
        fail_msg("%s is\n%s", label, text_chars(&t));
    }
    assert_int_equal(o->end, END_DONE);
    assert_false(o->complete);
    unsigned touched = 0;
    for (uint32_t row = 0; row < o->unit->layout.rows; row++)
        touched += outcome_touched(o, row);
    assert_int_equal(touched, rows);
}

/* Expects every element of the region's row to have this value, with all bits recorded. */
static void row_is(const struct outcome *o, const char *region, uint32_t row, uint32_t value)
{
    const struct layout *l = &o->unit->layout;
    const struct region *g = layout_region_named(l, region);
    assert_true(outcome_touched(o, g->first_row + row));
    for (uint32_t i = 0; i < g->cols; i++) {
        assert_int_equal(o->value[(g->first_row + row) * l->row_words + i], value);
        assert_int_equal(o->defined[(g->first_row + row) * l->row_words + i], UINT32_MAX);
    }
}

static void values_become_cases(void **state)
{
    (void)state;
    struct error e = {0};
    struct import_facts facts;
    write_csv(alu_table);
    if (!import_table("vc4-alu", csv, made, true, &facts, &e))
        fail_msg("%s", e.text);
    assert_int_equal(facts.rows, 2);
    assert_int_equal(facts.cases, 4);
    assert_int_equal(facts.masked, 1);                      /* the MUL row's flags */
    assert_int_equal(facts.bits, 4 * 16 * 32 + 3 * 16 * 1); /* four results, three flags */
    struct trace_reader *r = trace_open(made, &e);
    assert_non_null(r);
    assert_string_equal(trace_identity(r)->description, "Measured on my Pi by me");
    assert_non_null(strstr(trace_identity(r)->provenance, "Licence: MIT."));
    assert_true(trace_identity(r)->silicon);
    struct outcome *o = outcome_new(trace_unit(r));
    next_is(r, o, sub_case, "t.csv:3 result", 4);
    row_is(o, "acc", 2, 2);
    row_is(o, "flags", 0, 0);
    row_is(o, "flags", 1, 0);
    row_is(o, "flags", 2, 1);
    assert_int_equal(trace_next(r, &got, o, NULL, &e), 1);
    row_is(o, "ra", 1, 2);
    assert_int_equal(trace_next(r, &got, o, NULL, &e), 1);
    row_is(o, "acc", 2, 0xC0800000);
    next_is(r, o, fmul_32s_case, "t.csv:5 result_32s", 1);
    row_is(o, "ra", 1, 0xC0800000);
    assert_int_equal(trace_next(r, &got, o, NULL, &e), 0);
    trace_close(r);
    write_csv(unpack_table);
    assert_true(import_table("vc4-unpack", csv, made, false, &facts, &e));
    r = trace_open(made, &e);
    assert_false(trace_identity(r)->silicon); /* the user did not say that the values are from silicon */
    next_is(r, o, unpack_16b_case, "t.csv:3 16b_int", 1);
    row_is(o, "acc", 2, 0xFFFF9000);
    next_is(r, o, unpack_8d_case, "t.csv:3 8d_float", 1);
    row_is(o, "acc", 2, 0x3F109090);
    trace_close(r);
    outcome_free(o);
}

static void columns_have_any_order(void **state)
{
    (void)state;
    struct error e = {0};
    struct import_facts facts;
    write_csv("# me\nb,8a,op,a\r\n00000001,00000003,add,00000002\r\n");
    if (!import_table("vc4-pack", csv, made, true, &facts, &e))
        fail_msg("%s", e.text);
    assert_int_equal(facts.cases, 1);
}

/* --- tables that are refused */

static const struct {
    const char *kind, *text, *says;
} refused[] = {
    {"vc4-foo", "# me\nop\n", "the kinds are vc4-alu, vc4-pack, vc4-unpack"},
    {"vc4-alu", "", "no header"},
    {"vc4-alu", "# me\n", "no header"},
    {"vc4-alu", "op,a,b,result\nadd,00000000,00000000,00000000\n", "does not say where it comes from"},
    {"vc4-alu", "# me\nop,a,b,result\n", "no rows"},
    {"vc4-alu", "# me\nop,a,result\nadd,00000000,00000000\n", ": line 2: no column 'b'"},
    {"vc4-alu", "# me\nop,a,b,reslut\n", ": line 2, column 8: unknown column 'reslut'"},
    {"vc4-alu", "# me\nop,a,b,result,result\n", ": line 2, column 15: a second column 'result'"},
    {"vc4-alu", "# me\nop,a,b\nadd,00000000,00000000\n", "no column of measured values"},
    {"vc4-alu", "# me\nop,a,b,result_32s,flags\nadd,00000000,00000000,00000000,z\n", "flags without"},
    {"vc4-alu", "# me\nop,a,b,result\nadd,00000000,00000000\n",
     ": line 3, column 1: 3 fields; the header has 4"},
    {"vc4-alu", "# me\nop,a,b,result\nadd,00000000,,00000000\n", ": line 3, column 14: an empty field"},
    {"vc4-alu", "# me\nop,a,b,result\nfrob,00000000,00000000,00000000\n",
     ": line 3, column 1: unknown operation 'frob'"},
    {"vc4-alu", "# me\nop,a,b,result\nadd,0000000,00000000,00000000\n",
     ": line 3, column 5: '0000000' in column a"},
    {"vc4-alu", "# me\nop,a,b,result\nadd,00000000,00000000,0000000x\n",
     ": line 3, column 23: '0000000x' in column result"},
    {"vc4-alu", "# me\nop,a,b,result,flags\nadd,00000000,00000000,00000000,zq\n",
     ": line 3, column 33: 'zq' in column flags"},
    {"vc4-alu", "# me\nop,a,b,result,flags\nadd,00000000,00000000,00000000,zz\n",
     ": line 3, column 33: 'zz' in column flags"},
    {"vc4-unpack", "# me\nword,16c_int\n00000000,00000000\n", ": line 2, column 6: unknown column '16c_int'"},
};

static void bad_tables_are_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct error e = {0};
        unlink(made);
        write_csv(refused[i].text);
        assert_false(import_table(refused[i].kind, csv, made, true, NULL, &e));
        if (!strstr(e.text, refused[i].says) || (strcmp(refused[i].kind, "vc4-foo") && !strstr(e.text, csv)))
            fail_msg("table %u: expected '%s' and the file in: %s", i, refused[i].says, e.text);
        assert_int_not_equal(access(made, F_OK), 0); /* and no trace is left */
    }
    struct error e = {0};
    assert_false(import_table("vc4-alu", "/no/such/file.csv", made, true, NULL, &e));
    assert_non_null(strstr(e.text, "/no/such/file.csv"));
}

static void any_bytes_are_read_safely(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 4);
    char text[sizeof alu_table];
    for (unsigned n = 0; n < 1000; n++) {
        memcpy(text, alu_table, sizeof text);
        for (unsigned i = 1 + random_below(&r, 4); i > 0; i--)
            text[random_below(&r, sizeof text - 1)] = "\n,#x0 \r-\x80"[random_below(&r, 9)];
        struct error e = {0};
        write_csv(text);
        if (!import_table("vc4-alu", csv, made, true, NULL, &e))
            assert_true(e.text[0] != 0);
    }
}

/* --- the corpus */

static void same_records(const char *a_path, const char *b_path, unsigned expect)
{
    struct error e = {0};
    struct trace_reader *a = trace_open(a_path, &e), *b = a ? trace_open(b_path, &e) : NULL;
    if (!b)
        fail_msg("%s", e.text);
    assert_string_equal(trace_identity(a)->description, trace_identity(b)->description);
    assert_string_equal(trace_identity(a)->provenance, trace_identity(b)->provenance);
    assert_true(trace_identity(a)->silicon && trace_identity(b)->silicon);
    struct trace_record x, y;
    unsigned count = 0;
    int more, also;
    while ((more = trace_next_record(a, &x, &e)) > 0 && (also = trace_next_record(b, &y, &e)) > 0) {
        count++;
        assert_string_equal(x.label, y.label);
        assert_int_equal(x.case_size, y.case_size);
        assert_memory_equal(x.case_bytes, y.case_bytes, x.case_size);
        assert_int_equal(x.outcome_size, y.outcome_size);
        assert_memory_equal(x.outcome_bytes, y.outcome_bytes, x.outcome_size);
    }
    assert_int_equal(more, 0);
    assert_int_equal(trace_next_record(b, &y, &e), 0);
    assert_int_equal(count, expect);
    trace_close(a);
    trace_close(b);
}

static void the_corpus_is_what_was_published(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned records;
    } tables[] = {{"alu", 2 * 5460}, {"pack", 16 * 5460}, {"unpack", 15 * 15}};
    for (unsigned i = 0; i < 3; i++) {
        const char *table = support_data("vc4-silicon/%s.csv", tables[i].name);
        char kind[16], trace[512];
        struct error e = {0};
        snprintf(kind, sizeof kind, "vc4-%s", tables[i].name);
        snprintf(trace, sizeof trace, MISPRINT_SOURCE_DIR "/corpus/vc4-qpu/silicon/%s.trace", tables[i].name);
        if (access(table, R_OK) != 0) {
            print_message("SKIP: %s is not there; set MISPRINT_TEST_DATA\n", table);
            skip();
        }
        if (!import_table(kind, table, made, true, NULL, &e))
            fail_msg("%s", e.text);
        same_records(trace, made, tables[i].records);
    }
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(csv, sizeof csv, "%s/t.csv", directory);
    snprintf(made, sizeof made, "%s/t.trace", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(csv);
    unlink(made);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_become_cases),
        cmocka_unit_test(columns_have_any_order),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(any_bytes_are_read_safely),
        cmocka_unit_test(the_corpus_is_what_was_published),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
