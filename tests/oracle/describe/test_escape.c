/* SPDX-License-Identifier: MIT */
/* Text from outside in XML, Markdown and shell commands. Expectations come from XML 1.0 and CommonMark. A
 * real shell must read back what was quoted for it. printf must format what xml_add formats. */
#include "oracle/describe/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(void escape(struct text *t, const char *chars), const char *chars, const char *expected)
{
    struct text t = {0};
    escape(&t, chars);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

static void fences_are_longer_than_their_text(void **state)
{
    (void)state;
    check(escape_markdown_block, "", "```text\n```\n");
    check(escape_markdown_block, "a", "```text\na\n```\n");
    check(escape_markdown_block, "a\nb\n", "```text\na\nb\n```\n");
    check(escape_markdown_block, "`a``b", "```text\n`a``b\n```\n");
    check(escape_markdown_block, "```", "````text\n```\n````\n");
    check(escape_markdown_block, "a `````\n```", "``````text\na `````\n```\n``````\n");
    check(escape_markdown_block, "``\n``\n", "```text\n``\n``\n```\n"); /* two runs of two, not one of four */
}

static void punctuation_is_no_markup(void **state)
{
    (void)state;
    check(escape_markdown, "plain text, 1.5-2 (x) 'y'", "plain text, 1.5-2 (x) 'y'");
    check(escape_markdown, "a\nb\tc", "a b c");
    check(escape_markdown, "\\`*_{}[]#|!~>&$@", "\\\\\\`\\*\\_\\{\\}\\[\\]\\#\\|\\!\\~\\>\\&\\$\\@");
    check(escape_markdown, "<b>", "&lt;b\\>");
    check(escape_markdown, "\xC3\xA9\xFF", "\xC3\xA9\xEF\xBF\xBD");
    check(escape_xml, "a<b>c&d\"e'f", "a&lt;b&gt;c&amp;d&quot;e&#39;f");
    check(escape_xml, "\xC3\xA9\x01\n", "\xC3\xA9\xEF\xBF\xBD\n");
    check(escape_xml, "", "");
}

static void digits_are_grouped(void **state)
{
    (void)state;
    static const struct {
        uint64_t number;
        const char *expected;
    } rows[] = {{0, "0"},
                {12, "12"},
                {999, "999"},
                {1000, "1,000"},
                {65536, "65,536"},
                {123456, "123,456"},
                {2795520, "2,795,520"},
                {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        text_add_grouped(&t, rows[i].number);
        assert_string_equal(text_chars(&t), rows[i].expected);
        text_free(&t);
    }
}

static void conversions_are_those_of_printf(void **state)
{
    (void)state;
    struct text t = {0};
    char expected[200];
    xml_add(&t, "%d %u %x %04X %5u|%-5u| %lu %llx %c %.2f %6.1f %% %s", -3, 4U, 255U, 0xABU, 7U, 8U,
            5000000000UL, 0x123456789AULL, 'z', 1.005, 2.25, "<s>");
    snprintf(expected, sizeof expected, "%d %u %x %04X %5u|%-5u| %lu %llx %c %.2f %6.1f %% %s", -3, 4U, 255U,
             0xABU, 7U, 8U, 5000000000UL, 0x123456789AULL, 'z', 1.005, 2.25, "&lt;s&gt;");
    assert_string_equal(text_chars(&t), expected);
    text_clear(&t);
    xml_add(&t, "%'u %'lu %'llu end", 1234U, 1234567UL, 12345678901ULL);
    assert_string_equal(text_chars(&t), "1,234 1,234,567 12,345,678,901 end");
    text_clear(&t);
    xml_add(&t, "%s", "");
    assert_string_equal(text_chars(&t), "");
    text_free(&t);
}

/* The shell prints the word that it read. */
static void a_shell_reads_the_same_word(void **state)
{
    (void)state;
    static const char *const words[] = {"plain",     "/a/b-c_d.e:f=g,h@i%j+k",
                                        "two words", "",
                                        "it's",      "'",
                                        "''",        "$HOME",
                                        "`id`",      "a;b",
                                        "a\nb",      "*",
                                        "~",         "#x",
                                        "\\",        "\"q\"",
                                        "!x",        "(a)",
                                        "a&b",       "a|b",
                                        "<a",        ">a",
                                        "{a,b}",     "[ab]",
                                        "?",         "\t"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        struct text t = {0};
        char got[100] = "";
        text_add(&t, "printf %%s. ");
        escape_shell(&t, words[i]);
        FILE *p = popen(text_chars(&t), "r");
        assert_non_null(p);
        size_t count = fread(got, 1, sizeof got - 1, p);
        assert_int_equal(pclose(p), 0);
        assert_int_equal(count, strlen(words[i]) + 1);
        got[count - 1] = 0;
        assert_string_equal(got, words[i]);
        text_free(&t);
    }
    check(escape_shell, "/a/b-c_d.e", "/a/b-c_d.e"); /* harmless text stays readable */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_are_longer_than_their_text),
        cmocka_unit_test(punctuation_is_no_markup),
        cmocka_unit_test(digits_are_grouped),
        cmocka_unit_test(conversions_are_those_of_printf),
        cmocka_unit_test(a_shell_reads_the_same_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
