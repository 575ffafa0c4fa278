/* SPDX-License-Identifier: MIT */
/* Numbers and names of assembler text. The expectations are the sentences of model/text/reader.h. Numbers are
 * converted by hand, and floats by the C compiler. */
#include "model/text/reader.h"
#include "tests/support/support_bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct error error;

static struct reader at(const char *line)
{
    error = (struct error){0};
    return (struct reader){line, line, line + strlen(line), &error};
}

static void integers_have_64_bits(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool good;
        uint64_t value;
    } rows[] = {
        {"0", true, 0},
        {"7", true, 7},
        {"007", true, 7}, /* decimal, not octal */
        {"+9", true, 9},
        {"-1", true, UINT64_MAX},
        {"0x0", true, 0},
        {"0xff", true, 255},
        {"0x9a", true, 154},
        {"-0x10", true, UINT64_MAX - 15},
        {"18446744073709551615", true, UINT64_MAX},
        {"0xffffffffffffffff", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"18446744073709551620", false, 0},
        {"0x10000000000000000", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"+", false, 0},
        {"0x", false, 0},
        {"a", false, 0},
        {"1a", false, 0},
        {"0xg", false, 0},
        {"--1", false, 0},
        {"1.0", false, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t value = 0;
        if (reader_integer(rows[i].word, &value) != rows[i].good || (rows[i].good && value != rows[i].value))
            fail_msg("\"%s\" gives %llx", rows[i].word, (unsigned long long)value);
    }
}

static void words_have_32_bits(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool good;
        uint32_t value;
    } rows[] = {
        {"4294967295", true, UINT32_MAX},
        {"4294967296", false, 0},
        {"-1", true, UINT32_MAX},
        {"-2147483648", true, 0x80000000},
        {"-2147483649", false, 0},
        {"-4294967296", false, 0},
        {"-0x80000000", true, 0x80000000},
        {"-0x80000001", false, 0},
        {"-18446744073709551615", false, 0},
        {"0x100000000", false, 0},
        {"1.0", true, 0x3F800000},
        {"-1.0", true, 0xBF800000},
        {"0.1", true, 0x3DCCCCCD},
        {"1e0", true, 0x3F800000},
        {"-2e-3", true, 0xBB03126F},
        {"1e39", true, 0x7F800000},
        {"1.0x", false, 0},
        {"1.5.", false, 0},
        {"nan", false, 0},
        {"inf", false, 0},
        {"0x1.8", false, 0},
        {"", false, 0},
    };
    assert_int_equal(bits_of(0.1F), 0x3DCCCCCD);
    assert_int_equal(bits_of(-2e-3F), 0xBB03126F);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t value = 0;
        if (reader_word(rows[i].word, &value) != rows[i].good || (rows[i].good && value != rows[i].value))
            fail_msg("\"%s\" gives %x", rows[i].word, (unsigned)value);
    }
}

static void tokens_end_where_they_should(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name, *number; /* `name` and `number`: what each reads from the line's start */
    } rows[] = {
        {"  Abc_1+2", "abc_1", "abc_1"},
        {"\tx.y", "x", "x.y"},
        {"-", "-", "-"},
        {"- 5", "-", "-5"},
        {"--", "-", "-"},
        {"+3,4", "", "+3"},
        {"1e-5+2", "1e", "1e-5"},
        {"0x1e-5", "0x1e", "0x1e"},
        {"0X1E-5", "0x1e", "0x1e"},
        {"1E+5", "1e", "1e+5"},
        {"3/4 5", "3", "3/4"},
        {"[", "", ""},
        {"@x", "", ""},
        {"`z{", "", ""},
        {"Zz9", "zz9", "zz9"},
        {"", "", ""},
        {"abcdefghijklmnopqrstuvwxyz01234", "abcdefghijklmnopqrstuvwxyz01234",
         "abcdefghijklmnopqrstuvwxyz01234"}, /* 31 characters fit */
        {"abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklmnopqrstuvwxyz0123_",
         "abcdefghijklmnopqrstuvwxyz0123_"}, /* a longer word ends in '_', so it is no name */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct token t;
        struct reader r = at(rows[i].line);
        reader_name(&r, &t);
        assert_string_equal(t.word, rows[i].name);
        r = at(rows[i].line);
        reader_number(&r, &t);
        assert_string_equal(t.word, rows[i].number);
        assert_ptr_equal(t.at, rows[i].line + strspn(rows[i].line, " \t"));
    }
}

static void numbers_are_seen_before_they_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool number;
    } rows[] = {{"1", true},   {" 9", true}, {"-1", true}, {"+0", true},  {"-", false},  {"+", false},
                {"-a", false}, {"a", false}, {"", false},  {".5", false}, {"- 1", false}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reader r = at(rows[i].line);
        assert_int_equal(reader_at_number(&r), rows[i].number);
    }
    struct reader cut = {"-1", "-1", "-1", &error};
    cut.end = cut.p + 1; /* the digit is after the line's end */
    assert_false(reader_at_number(&cut));
}

static void errors_name_the_column(void **state)
{
    (void)state;
    uint64_t value = 0;
    struct reader r = at(" ab");
    assert_true(reader_accept(&r, 'a'));
    assert_false(reader_accept(&r, 'c'));
    assert_false(reader_expect(&r, ','));
    assert_string_equal(error.text, "column 3: expected ','");
    r = at("x 9");
    assert_true(reader_accept(&r, 'x'));
    assert_false(reader_whole(&r, 8, "a shift", &value));
    assert_string_equal(error.text, "column 3: expected a shift from 0 to 8, found '9'");
    r = at("8");
    assert_true(reader_whole(&r, 8, "a shift", &value));
    assert_int_equal(value, 8);
    r = at("-0");
    assert_false(reader_whole(&r, 8, "a shift", &value));
    r = at("");
    assert_false(reader_whole(&r, 8, "a shift", &value));
    assert_string_equal(error.text, "column 1: expected a shift from 0 to 8");
    r = at("");
    assert_false(reader_accept(&r, 0)); /* the end is no character */
    assert_true(reader_at_end(&r));
    r = at(" \t ");
    assert_true(reader_at_end(&r));
}

static void names_are_found_and_suggested(void **state)
{
    (void)state;
    static const char *const one[] = {"add", "-", "sub", NULL}, *const two[] = {"mul", NULL};
    static const struct name_lists lists = {{one, two}};
    assert_int_equal(reader_find_name(one, "add"), 0);
    assert_int_equal(reader_find_name(one, "sub"), 2);
    assert_int_equal(reader_find_name(one, "-"), READER_NONE); /* "-" in a list is an index without a name */
    assert_int_equal(reader_find_name(one, "ad"), READER_NONE);
    assert_int_equal(reader_find_name(one, "addx"), READER_NONE);
    static const char *const rows[][2] = {{"sob", "sub"}, {"mull", "mul"}, {"ad", "add"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct token t;
        char said[80];
        struct reader r = at(rows[i][0]);
        reader_name(&r, &t);
        assert_false(reader_fail_name(&r, &t, "an operation", &lists));
        snprintf(said, sizeof said, "column 1: expected an operation, found '%s'; did you mean '%s'?",
                 rows[i][0], rows[i][1]);
        assert_string_equal(error.text, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_64_bits),
        cmocka_unit_test(words_have_32_bits),
        cmocka_unit_test(tokens_end_where_they_should),
        cmocka_unit_test(numbers_are_seen_before_they_are_read),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(names_are_found_and_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
