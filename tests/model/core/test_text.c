/* SPDX-License-Identifier: MIT */
/*
 * Text from outside in records, errors and JSON. Any bytes become well-formed UTF-8 without control
 * characters, truncated only between characters.
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
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define FFFD "\xEF\xBF\xBD"

/* RFC 3629's table of well-formed sequences. As the Unicode standard recommends, each bad byte becomes one
 * U+FFFD. */
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
    {"cut \xE2\x82", "cut " FFFD FFFD},        /* truncated within a character */
    {"\x80", FFFD},                            /* begins within a character */
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

/* Fails unless the JSON reader accepts the text as UTF-8. */
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
        assert_int_equal(to[room], 'x'); /* the byte after the room is unchanged */
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

/* The error has characters of several bytes, and is longer than its room. */
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
    for (size_t room = 1; room < 16; room++) { /* truncated; the byte after the room is unchanged */
        memset(to, 'x', sizeof to);
        text_kind(to, room, "about 0x123456 and more");
        assert_int_equal(to[strlen(to) + 1], 'x');
        assert_int_equal(strlen(to), room - 1);
        assert_memory_equal(to, "about # and more", room - 1);
    }
}

/* Compares text_character with the C library's decoder, which follows RFC 3629, and with the Unicode
 * standard's tables of characters. */
static void check_sequence(const char *bytes, size_t count)
{
    wchar_t c = 0;
    mbstate_t fresh = {0};
    size_t length = mbrtowc(&c, bytes, count, &fresh);
    bool sound = length != (size_t)-1 && length != (size_t)-2 && c <= 0x10FFFF, good;  /* RFC 3629 */
    bool control = (c < 0x20 && c != L'\n' && c != L'\t') || (c >= 0x7F && c <= 0x9F); /* Cc */
    bool turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);         /* Bidi_Control */
    bool none = c == 0xFFFE || c == 0xFFFF;
    size_t got = text_character(bytes, count, &good);
    if (good != (sound && !control && !turns && !none) || got != (sound && length ? length : 1))
        fail_msg("%02x %02x %02x %02x in %zu: %d, length %zu", bytes[0] & 0xFF, bytes[1] & 0xFF,
                 bytes[2] & 0xFF, bytes[3] & 0xFF, count, good, got);
}

static void characters_are_those_of_the_c_library(void **state)
{
    (void)state;
    static const unsigned char last[] = {0x00, 0x41, 0x7F, 0x80, 0x81, 0xBE, 0xBF, 0xC0, 0xFF};
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        skip();
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (unsigned c = 0; c < 256; c++)
                for (unsigned d = 0; d < (a < 0xF0 ? 1 : sizeof last); d++) {
                    const char bytes[4] = {(char)a, (char)b, (char)c, (char)last[d]};
                    if (a >= 0xE0)
                        check_sequence(bytes, 4);
                    if (a >= 0xE0 && d == 0)
                        check_sequence(bytes, 3);
                    if (c == 0 && d == 0)
                        check_sequence(bytes, 2);
                    if (b == 0 && c == 0 && d == 0)
                        check_sequence(bytes, 1);
                }
    assert_non_null(setlocale(LC_CTYPE, "C"));
}

static const char *name_at(const void *names, unsigned i)
{
    return ((const char *const *)names)[i];
}

/* A name is near if its Levenshtein distance is at most half the word's length. The distances are those of
 * textbooks. */
static void hints_are_near_words(void **state)
{
    (void)state;
    static const struct {
        const char *word, *names[4], *hint;
    } rows[] = {
        {"sitting", {"kitten"}, "; did you mean 'kitten'?"},          /* 3 of 7 */
        {"saturday", {"sunday"}, "; did you mean 'sunday'?"},         /* 3 of 8 */
        {"sunday", {"saturday"}, "; did you mean 'saturday'?"},       /* 3 of 6 */
        {"flaw", {"lawn"}, "; did you mean 'lawn'?"},                 /* 2 of 4: remove one letter, add one */
        {"lawn", {"flaw"}, "; did you mean 'flaw'?"},                 /* the reverse */
        {"gumbo", {"gambol"}, "; did you mean 'gambol'?"},            /* 2 of 5 */
        {"abcd", {"bcda", "wxyz"}, "; did you mean 'bcda'?"},         /* 2 of 4 */
        {"abcd", {"wbcd", "abcx", "abce"}, "; did you mean 'wbcd'?"}, /* the first name at 1 */
        {"abcdef", {"xxxdef", "abcxxf", "abcdxf"}, "; did you mean 'abcdxf'?"},
        {"abcd", {"axyz"}, ""}, /* 3 of 4 */
        {"ab", {"ba"}, ""},     /* 2 of 2 */
        {"a", {"b"}, ""},
        {"abcd", {NULL}, ""},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_hint(rows[i].word, name_at, rows[i].names).chars, rows[i].hint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_those_of_the_c_library),
        cmocka_unit_test(hints_are_near_words),
        cmocka_unit_test(any_bytes_become_clean_text),
        cmocka_unit_test(cuts_fall_between_characters),
        cmocka_unit_test(random_bytes_become_clean_text),
        cmocka_unit_test(similar_messages_have_one_kind),
        cmocka_unit_test(long_errors_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
