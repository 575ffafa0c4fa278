/* SPDX-License-Identifier: MIT */
/*
 * The forms of cases and profiles, on a small invented unit. The bytes and texts are typed by hand from the
 * documented layouts. Errors name the place.
 */
#include "model/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct toy_case {
    uint32_t mode, limit, setup;
    struct {
        uint32_t count, item[4];
    } list;
    struct {
        uint32_t count;
        struct case_uniform item[4];
    } uniforms;
    struct {
        uint32_t count, item[4];
    } program;
    CASE_IMAGE(8, 4) image;
};

static const char *const mode_names[] = {"packed", "laned", "other"};
static const struct bit_field setup_bits[] = {{"STRIDE", 0, 4, NULL},
                                              {"HORIZ", 4, 1, NULL},
                                              {NULL, 0, 0, NULL}};

static const struct field toy_fields[] = {
    {.name = "mode",
     .kind = FIELD_ENUM,
     .offset = CASE_AT(struct toy_case, mode),
     .max = 3,
     .names = mode_names},
    {.name = "limit",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct toy_case, limit),
     .min_value = 1,
     .max_value = 1000,
     .initial = 100},
    {.name = "setup", .kind = FIELD_WORD, .offset = CASE_AT(struct toy_case, setup), .bits = setup_bits},
    {.name = "list", .kind = FIELD_WORDS, .offset = CASE_AT(struct toy_case, list), .max = 4},
    {.name = "uniforms", .kind = FIELD_UNIFORMS, .offset = CASE_AT(struct toy_case, uniforms), .max = 4},
    {.name = "program", .kind = FIELD_CODE, .offset = CASE_AT(struct toy_case, program), .max = 4},
    {.name = "image",
     .kind = FIELD_IMAGE,
     .offset = CASE_AT(struct toy_case, image),
     .max = 8,
     .row_words = 4},
};

static void toy_print(const uint32_t *words, struct text *t)
{
    text_add(t, "op %u", words[0]);
}

static bool toy_parse(const char *text, size_t count, uint32_t *words, struct error *e)
{
    char line[64];
    (void)snprintf(line, sizeof line, "%.*s", (int)count, text);
    return sscanf(line, " op %u", words) == 1 || error_set(e, "column 1: expected 'op N'");
}

static const struct code toy_code = {.words = 1, .print = toy_print, .parse = toy_parse};
static const struct builtin_profile toy_profiles[] = {{.name = "manual"},
                                                      {.name = "chip", .silicon = "CHIP"},
                                                      {0}};
static const struct clause toy_clauses[] = {
    {.id = "first-clause",
     .readings = {{.id = "manual"}, {.id = "observed"}, {.id = "blog"}},
     .in_profile = {0, 2}},
    {.id = "second-clause", .readings = {{.id = "manual"}, {.id = "observed"}}, .in_profile = {0, 1}},
};
static const char *const toy_reasons[] = {"", NULL};
static const struct unit toy = {
    .name = "toy",
    .schema = {.fields = toy_fields,
               .field_count = sizeof toy_fields / sizeof *toy_fields,
               .words = sizeof(struct toy_case) / 4},
    .clauses = {{toy_clauses, 2}},
    .profiles = toy_profiles,
    .reasons = toy_reasons,
    .code = &toy_code,
};

static struct test_case a, b;

static void the_binary_form_is_as_documented(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        4,                                        /* mode: 4 mod 3 = 1 */
        0xE9, 0x03, 0,    0,                      /* limit: 1001 is above 1000, so 1 + 1001 mod 1000 */
        0x78, 0x56, 0x34, 0x12,                   /* setup */
        7,    1,    0,    0,    0,    2, 0, 0, 0, /* list: 7 mod 5 = 2 items */
        1,    3,    0x40, 0,    0,    0, /* one uniform: bit 0 of 3 is set, so an address; offset 0x40 */
        1,    9,    0,    0,    0,       /* program: one instruction */
        5,    0xEF, 0xBE, 0xAD, 0xDE,    /* image: fill 5 mod 3 = 2 (random), then its seed */
        2,                               /* two rows: */
        11,   0,    0xAA, 0,    0,    0, /* row 11 mod 8 = 3: one word for the whole row */
        1,    1,    1,    0,    0,    0, 2, 0, 0,
        0,    3,    0,    0,    0,    4, 0, 0, 0, /* row 1: all its words; the second row, but sorted first */
    };
    case_decode(&a, &toy, bytes, sizeof bytes);
    const struct toy_case *c = (const struct toy_case *)a.words;
    assert_int_equal(c->mode, 1);
    assert_int_equal(c->limit, 2);
    assert_int_equal(c->setup, 0x12345678);
    assert_int_equal(c->list.count, 2);
    assert_int_equal(c->list.item[1], 2);
    assert_int_equal(c->uniforms.item[0].is_address, 1);
    assert_int_equal(c->uniforms.item[0].value, 0x40);
    assert_int_equal(c->program.item[0], 9);
    assert_int_equal(c->image.fill, FILL_RANDOM);
    assert_int_equal(c->image.seed, 0xDEADBEEF);
    assert_int_equal(c->image.count, 2);
    assert_int_equal(c->image.row[0].index, 1);
    assert_int_equal(c->image.row[0].word[3], 4);
    assert_int_equal(c->image.row[1].index, 3);
    assert_int_equal(c->image.row[1].word[3], 0xAA);
}

static void missing_bytes_read_as_zero_and_end_lists(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 2};
    case_decode(&a, &toy, bytes, sizeof bytes);
    const struct toy_case *c = (const struct toy_case *)a.words;
    assert_int_equal(c->limit, 1); /* 0 is not in 1..1000 */
    assert_int_equal(c->list.count, 2);
    assert_int_equal(c->list.item[1], 2);
    assert_int_equal(c->program.count, 0);
    case_decode(&a, &toy, NULL, 0);
    assert_int_equal(((const struct toy_case *)a.words)->list.count, 0);
}

static void fill_rules_are_as_documented(void **state)
{
    (void)state;
    uint32_t words[4];
    image_fill_row(FILL_INDEX, 0, 3, 4, words);
    for (unsigned k = 0; k < 16; k++) {
        unsigned n = 3 * 16 + k;
        assert_int_equal((words[k / 4] >> (8 * (k % 4))) & 0xFF, (n * 37 + n / 251 + 17) % 256);
    }
    image_fill_row(FILL_ZERO, 0, 3, 4, words);
    assert_int_equal(words[2], 0);
    image_fill_row(FILL_RANDOM, 0, 0, 4, words);
    /* the first output of the published splitmix64 from state 0 is E220A8397B1DCDAF */
    assert_int_equal(words[0], 0xE220A839);
}

static const char text_form[] = "# a comment first\n"
                                "misprint-case 1 toy\n"
                                "mode = laned\n"
                                "limit = 0x10   # sixteen\n"
                                "setup = { horiz 1, STRIDE 3 }\n"
                                "list { 1 2\n  deadbeef }\n"
                                "uniforms { 3f800000 @40 }\n"
                                "program {\n  op 7   # the only one\n\n}\n"
                                "image fill random 1f\n"
                                "image row 2 = 1 2 3 4\n"
                                "image row 5 = all 3f800000\n";

static bool parse_toy(const char *text, struct test_case *c, struct error *e)
{
    return case_parse_as(c, &toy, text, strlen(text), e);
}

static void the_text_form_is_as_documented(void **state)
{
    (void)state;
    struct error e = {0};
    if (!parse_toy(text_form, &a, &e))
        fail_msg("%s", e.text);
    const struct toy_case *c = (const struct toy_case *)a.words;
    assert_int_equal(c->mode, 1);
    assert_int_equal(c->limit, 16);
    assert_int_equal(c->setup, 0x13);
    assert_int_equal(c->list.count, 3);
    assert_int_equal(c->list.item[2], 0xDEADBEEF);
    assert_int_equal(c->uniforms.item[0].is_address, 0);
    assert_int_equal(c->uniforms.item[1].is_address, 1);
    assert_int_equal(c->program.item[0], 7);
    assert_int_equal(c->image.seed, 0x1F);
    assert_int_equal(c->image.row[0].word[2], 3);
    assert_int_equal(c->image.row[1].word[0], 0x3F800000);
    struct text t = {0};
    case_print(&a, &t);
    if (!parse_toy(text_chars(&t), &b, &e))
        fail_msg("%s", e.text);
    assert_true(case_equal(&a, &b));
    text_free(&t);
}

/* The text may omit the last words of a row. They are 0, whatever fills the image. */
static void rows_may_be_short(void **state)
{
    struct error e = {0};
    (void)state;
    if (!parse_toy("misprint-case 1 toy\nimage fill index\nimage row 1 = 1 2 # two of four\n", &a, &e))
        fail_msg("%s", e.text);
    const uint32_t *row = ((const struct toy_case *)a.words)->image.row[0].word;
    assert_true(row[0] == 1 && row[1] == 2 && row[2] == 0 && row[3] == 0);
}

static void errors_name_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "line 1, column 1: expected 'misprint-case"},
        {"misprint-case 2 toy\n", "version 1"},
        {"misprint-case 1 toy\nmood = packed\n", "line 2, column 1"},
        {"misprint-case 1 toy\nmode = pakced\n",
         "line 2, column 8: unknown value 'pakced'; did you mean 'packed'?"},
        {"misprint-case 1 toy\nlimit = 1001\n", "1 to 1000"},
        {"misprint-case 1 toy\nlimit = ten\n", "line 2, column 9: expected a number"},
        {"misprint-case 1 toy\nsetup = { WIDTH 1 }\n", "bit field"},
        {"misprint-case 1 toy\nsetup = { STRIDE 16 }\n", "fits"},
        {"misprint-case 1 toy\nlist { 1 2 3 4 5 }\n", "full"},
        {"misprint-case 1 toy\nlist { 1 2\n", "line 3, column 1"},
        {"misprint-case 1 toy\nprogram {\n  op x\n}\n", "line 3, column 1: expected 'op N'"},
        {"misprint-case 1 toy\nprogram {\n  op 1\n", "line 4, column 1"},
        {"misprint-case 1 toy\nimage row 8 = all 0\n", "a row within the image"},
        {"misprint-case 1 toy\nimage row 1 =\n", "line 2, column 14"},
        {"misprint-case 1 toy\nimage row 1 = 1 2 3 4 5\n", "line 2, column 23: expected the end"},
        {"misprint-case 1 toy\nsetup = 00001000\n", "line 2, column 9: expected 0x before"},
        {"misprint-case 1 toy\nsetup = 10001000\n", "line 2, column 9: expected 0x before"},
        {"misprint-case 1 toy\nlimit = 010\n", "line 2, column 9: expected 0x before"},
        {"misprint-case 1 toy\nimage full index\n", "'fill' or 'row'"},
        {"misprint-case 1 toy\nmode = packed laned\n", "the end of the line"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        assert_false(parse_toy(wrong[i].text, &a, &e));
        if (!strstr(e.text, wrong[i].says))
            fail_msg("'%s' gave '%s', not '%s'", wrong[i].text, e.text, wrong[i].says);
    }
}

static void the_unit_is_the_one_in_the_first_line(void **state)
{
    (void)state;
    static const char text[] = "# misprint-case 1 vc4-qpu (an old note)\nmisprint-case 1 vc4-vpm\n";
    struct error e = {0};
    const struct unit *u = case_text_unit(text, sizeof text - 1, &e);
    assert_non_null(u);
    assert_string_equal(u->name, "vc4-vpm");
    assert_false(parse_toy("misprint-case 1 toy\nlimit = 0000000000000000000000000000000000000009\n", &a,
                           &e)); /* longer than any number */
}

static void damaged_text_never_crashes(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 5);
    for (unsigned i = 0; i < 50000; i++) {
        char text[sizeof text_form];
        memcpy(text, text_form, sizeof text);
        for (unsigned k = random_below(&r, 6) + 1; k; k--)
            text[random_below(&r, sizeof text - 1)] =
                random_one_in(&r, 2) ? (char)random_u32(&r) : " \n{}=@#"[random_below(&r, 7)];
        struct error e = {0};
        size_t count = random_below(&r, sizeof text);
        bool good = case_parse_as(&a, &toy, text, count, &e);
        assert_true(good || e.text[0]);
    }
}

static void profiles_resolve(void **state)
{
    (void)state;
    struct profile p;
    struct error e = {0};
    assert_true(profile_resolve(&toy, "manual", &p, &e));
    assert_int_equal(p.reading[0], 0);
    assert_true(profile_resolve(&toy, "chip", &p, &e));
    assert_int_equal(p.reading[0], 2);
    assert_int_equal(p.reading[1], 1);
    assert_true(profile_resolve(&toy, "chip,first-clause=observed", &p, &e));
    assert_int_equal(p.reading[0], 1);
    assert_int_equal(p.reading[1], 1);
    assert_true(profile_resolve(&toy, "second-clause=observed", &p, &e));
    assert_int_equal(p.reading[0], 0);
    assert_int_equal(p.reading[1], 1);
    assert_true(profile_parse(&toy, "# mine\nbase = chip\n\nfirst-clause = manual # no\n", &p, &e));
    assert_int_equal(p.reading[0], 0);
    assert_int_equal(p.reading[1], 1);
    assert_false(profile_resolve(&toy, "chop", &p, &e));
    assert_non_null(strstr(e.text, "did you mean 'chip'"));
    assert_false(profile_resolve(&toy, "chip,fist-clause=manual", &p, &e));
    assert_non_null(strstr(e.text, "did you mean 'first-clause'"));
    assert_false(profile_resolve(&toy, "first-clause=blgo", &p, &e));
    assert_non_null(strstr(e.text, "did you mean 'blog'"));
    assert_true(profile_resolve(&toy, "manual,vpm-addr-h8=row-div-4", &p,
                                &e)); /* a clause of another unit is ignored ... */
    assert_false(
        profile_resolve(&toy, "manual,vpm-addr-h8=row-div-5", &p, &e)); /* ... but its reading must exist */
    assert_false(profile_resolve(&toy, "", &p, &e));
    assert_false(profile_parse(&toy, "first-clause = blog\nbase = chip\n", &p,
                               &e)); /* `base` would overwrite the line above it */
    assert_non_null(strstr(e.text, "before all clauses"));
    assert_false(profile_parse(&toy, "first-clause = blog\nsecond-clause\n", &p, &e));
    assert_non_null(strstr(e.text, "line 2"));
}

/* case_choose_code changes any instruction set to any other. */
static void instruction_sets_are_chosen_by_name(void **state)
{
    (void)state;
    struct test_case *c = malloc(sizeof *c);
    unsigned sets = 0;
    assert_non_null(c);
    for (unsigned u = 0; unit_at(u); u++) {
        const struct code *code = unit_at(u)->code;
        const struct field *f =
            code && code->sets ? schema_field(&unit_at(u)->schema, code->chosen_by) : NULL;
        for (uint32_t from = 0; f && from < f->max; from++)
            for (uint32_t to = 0; to < f->max; to++, sets++) {
                case_init(c, unit_at(u));
                *case_field(c, f) = from;
                case_choose_code(c, NULL); /* NULL changes nothing */
                assert_int_equal(*case_field(c, f), from);
                case_choose_code(c, f->names[to]);
                assert_int_equal(*case_field(c, f), to);
            }
    }
    assert_true(sets > 0);
    free(c);
}

/* Packed cases, one after the other, are read back as they were. Words that a case does not use are not. */
static void packed_cases_come_back(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    static uint32_t words[COUNT * CASE_WORDS_MAX];
    static struct test_case c[COUNT], back;
    struct random r;
    random_seed(&r, 3);
    for (unsigned n = 0; unit_at(n); n++) {
        uint32_t *to = words;
        const uint32_t *from = words;
        for (unsigned i = 0; i < COUNT; i++) {
            case_init(&c[i], unit_at(n));
            if (i)
                unit_at(n)->generate(&r, &c[i]);
            uint32_t used = case_pack(&c[i], to);
            assert_in_range(used, 1, unit_at(n)->schema.words);
            to += used;
        }
        for (unsigned i = 0; i < COUNT; i++) {
            memset(&back, 0xA5, sizeof back);
            from += case_unpack(&back, unit_at(n), from);
            assert_true(case_equal(&c[i], &back));
            memset(&back, 0xA5, sizeof back);
            case_take(&back, unit_at(n), c[i].words);
            assert_true(case_equal(&c[i], &back));
        }
        assert_ptr_equal(from, to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_binary_form_is_as_documented),
        cmocka_unit_test(missing_bytes_read_as_zero_and_end_lists),
        cmocka_unit_test(fill_rules_are_as_documented),
        cmocka_unit_test(the_text_form_is_as_documented),
        cmocka_unit_test(errors_name_the_place),
        cmocka_unit_test(rows_may_be_short),
        cmocka_unit_test(the_unit_is_the_one_in_the_first_line),
        cmocka_unit_test(damaged_text_never_crashes),
        cmocka_unit_test(instruction_sets_are_chosen_by_name),
        cmocka_unit_test(profiles_resolve),
        cmocka_unit_test(packed_cases_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
