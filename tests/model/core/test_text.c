/* SPDX-License-Identifier: MIT */
/*
 * Text from outside in records, errors and JSON: any bytes become well-formed
 * UTF-8 without control characters, cut between characters.
 */
#include "model/core/error.h"
#include "model/number/random.h"
#include "model/text/text.h"
#include "oracle/describe/escape.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define FFFD "\xEF\xBF\xBD"

/* RFC 3629's table of well-formed sequences; the Unicode standard's practice of one U+FFFD for each bad byte.
 */
static const struct {
    const char *bytes, *clean;
} samples[] = {
    {"", ""},
    {"plain", "plain"},
    {"two\tfields\nlines", "two fields lines"},
    {"\xC3\xA9t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8D\x93", "\xC3\xA9t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8D\x93"},
    {"\x1B[31mred", FFFD "[31mred"},
    {"\x7F", FFFD},
    {"\xC2\x9B", FFFD},                        /* CSI as a C1 control */
    {"\xE2\x80\xAE", FFFD},                    /* right-to-left override */
    {"\xFF\xFE", FFFD FFFD},                   /* no byte of UTF-8 */
    {"\xC0\xAF", FFFD FFFD},                   /* overlong '/' */
    {"\xE0\x80\xAF", FFFD FFFD FFFD},          /* overlong '/' */
    {"\xED\xA0\x80", FFFD FFFD FFFD},          /* a surrogate */
    {"\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD}, /* beyond U+10FFFF */
    {"cut \xE2\x82", "cut " FFFD FFFD},        /* ends within a character */
    {"\x80", FFFD},                            /* begins within one */
};

static void any_bytes_become_clean_text(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        char to[64];
        text_copy_utf8(to, sizeof to, samples[i].bytes, strlen(samples[i].bytes));
        assert_string_equal(to, samples[i].clean);
    }
}

/* The JSON reader decides what is UTF-8. */
static void assert_is_utf8(const char *chars)
{
    json_t *j = json_string(chars);
    if (!j)
        fail_msg("no UTF-8 is left of %zu bytes", strlen(chars));
    json_decref(j);
}

static void cuts_fall_between_characters(void **state)
{
    (void)state;
    const char *euros = "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC";
    for (size_t room = 1; room <= 10; room++) {
        char to[16];
        memset(to, 'x', sizeof to);
        text_copy_utf8(to, room, euros, strlen(euros));
        assert_int_equal(strlen(to), (room - 1) / 3 * 3);
        assert_memory_equal(to, euros, strlen(to));
        assert_int_equal(to[room], 'x'); /* nothing is written behind the room */
        assert_is_utf8(to);
    }
}

static void random_bytes_become_clean_text(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 1);
    for (unsigned n = support_scaled(100000); n; n--) {
        char from[40], to[24];
        size_t count = random_below(&r, sizeof from);
        for (size_t i = 0; i < count; i++) /* mostly bytes that begin or continue a character */
            from[i] = (char)(random_below(&r, 4) ? 0x80 | random_below(&r, 0x80) : random_below(&r, 0x100));
        text_copy_utf8(to, 1 + random_below(&r, sizeof to), from, count);
        assert_is_utf8(to);
        for (const char *at = to; *at; at++)
            assert_true((unsigned char)*at >= ' ' && *at != 0x7F);
        char text[41] = {0};
        memcpy(text, from, count);
        json_t *j = json_text(text);
        assert_non_null(j);
        json_decref(j);
        struct error e = {0};
        error_set(&e, "'%s' is no name", text);
        error_where(&e, "%s", text);
        assert_is_utf8(e.text);
    }
}

/* An error of multi-byte characters that is longer than its room. */
static void long_errors_are_cut_between_characters(void **state)
{
    (void)state;
    struct error e = {0};
    char name[3 * 400 + 1] = {0};
    for (unsigned i = 0; i < 400; i++)
        memcpy(name + 3 * (size_t)i, "\xE2\x82\xAC", 3);
    for (unsigned shift = 0; shift < 3; shift++) {
        assert_false(error_set(&e, "%.*s%s", (int)shift, "xy", name));
        assert_true(strlen(e.text) > ERROR_TEXT_MAX - 8);
        assert_false(error_where(&e, "a file"));
        assert_memory_equal(e.text, "a file: ", 8);
        assert_is_utf8(e.text);
    }
    assert_false(error_set(&e, "column 3: what"));
    assert_false(error_where(&e, "line 2"));
    assert_string_equal(e.text, "line 2, column 3: what");
}

static void similar_messages_have_one_kind(void **state)
{
    static const struct {
        const char *said, *kind;
    } samples[] = {
        {"its done-stamp is 00ffee1234567890, not 1234567890abcdef", "its done-stamp is #, not #"},
        {"address 0x12345 is outside", "address # is outside"},
        {"0x1234 of 16 rows, at most 4096", "0x1234 of 16 rows, at most 4096"},
        {"a facade, decade and CRC-32", "a facade, decade and CRC-32"},
        {"12345 and FEEDFACE", "# and #"},
        {"static proof: instruction 17 names mutex; operation 3",
         "static proof: instruction # names mutex; operation #"},
        {"", ""},
    };
    char to[64];
    (void)state;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        text_kind(to, sizeof to, samples[i].said);
        assert_string_equal(to, samples[i].kind);
    }
    for (size_t room = 1; room < 16; room++) { /* cut, and nothing is written behind the room */
        memset(to, 'x', sizeof to);
        text_kind(to, room, "about 0x123456 and more");
        assert_int_equal(to[strlen(to) + 1], 'x');
        assert_int_equal(strlen(to), room - 1);
        assert_memory_equal(to, "about # and more", room - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_become_clean_text),
        cmocka_unit_test(cuts_fall_between_characters),
        cmocka_unit_test(random_bytes_become_clean_text),
        cmocka_unit_test(similar_messages_have_one_kind),
        cmocka_unit_test(long_errors_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
