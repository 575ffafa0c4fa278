/* SPDX-License-Identifier: MIT */
#include "oracle/escape.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Length of the well-formed UTF-8 sequence at `s` (RFC 3629, `room` bytes there), and its character; 0 if there is none. */
static size_t utf8_sequence(const unsigned char *s, size_t room, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > room)
        return 0;
    uint32_t c = length == 1 ? s[0] : (uint32_t)(s[0] & (0x7F >> length));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3F);
    }
    if (c < least[length] || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF)
        return 0;
    *character = c;
    return length;
}

static bool is_harmless(uint32_t c)
{
    if (c < 0x20)
        return c == '\n' || c == '\t';
    if (c >= 0x7F && c < 0xA0)
        return false; /* C1 controls */
    if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069))
        return false; /* explicit direction */
    return c != 0xFFFE && c != 0xFFFF;
}

/* Calls `put` for each character, cleaned. */
typedef void put_character(struct text *t, const char *chars, size_t length);

static void each_character(struct text *t, const char *chars, size_t count, put_character *put)
{
    for (size_t i = 0; i < count;) {
        uint32_t c = 0;
        size_t length = utf8_sequence((const unsigned char *)chars + i, count - i, &c);
        if (length == 0 || !is_harmless(c))
            text_add_chars(t, REPLACEMENT, strlen(REPLACEMENT));
        else
            put(t, chars + i, length);
        i += length ? length : 1;
    }
}

static void put_plain(struct text *t, const char *chars, size_t length)
{
    text_add_chars(t, chars, length);
}

void escape_utf8(struct text *t, const char *chars, size_t count)
{
    each_character(t, chars, count, put_plain);
}

static void put_xml(struct text *t, const char *chars, size_t length)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *found = strchr(special, chars[0]);
    if (found)
        text_add_chars(t, entity[found - special], strlen(entity[found - special]));
    else
        text_add_chars(t, chars, length);
}

void escape_xml_count(struct text *t, const char *chars, size_t count)
{
    each_character(t, chars, count, put_xml);
}

void escape_xml(struct text *t, const char *chars)
{
    escape_xml_count(t, chars, strlen(chars));
}

static void put_markdown(struct text *t, const char *chars, size_t length)
{
    if (chars[0] == '\n' || chars[0] == '\t')
        text_add_chars(t, " ", 1);
    else if (chars[0] == '<')
        text_add_chars(t, "&lt;", 4); /* some renderers pass a backslashed tag through */
    else {
        if (strchr("\\`*_{}[]#|!~>&$@", chars[0]))
            text_add_chars(t, "\\", 1);
        text_add_chars(t, chars, length);
    }
}

void escape_markdown_count(struct text *t, const char *chars, size_t count)
{
    each_character(t, chars, count, put_markdown);
}

void escape_markdown(struct text *t, const char *chars)
{
    escape_markdown_count(t, chars, strlen(chars));
}

void escape_markdown_block(struct text *t, const char *chars)
{
    size_t longest = 2, run = 0, count = strlen(chars);
    for (const char *c = chars; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (unsigned side = 0; side < 2; side++) {
        for (size_t i = 0; i <= longest; i++)
            text_add_chars(t, "`", 1);
        text_add_chars(t, side ? "\n" : "text\n", side ? 1 : 5);
        if (side == 0) {
            escape_utf8(t, chars, count);
            if (count && chars[count - 1] != '\n')
                text_add_chars(t, "\n", 1);
        }
    }
}

void text_add_grouped(struct text *t, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text_add_chars(t, ",", 1);
        text_add_chars(t, &digits[i], 1);
    }
}

void escape_shell(struct text *t, const char *chars)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (chars[0] && strspn(chars, safe) == strlen(chars)) {
        text_add_chars(t, chars, strlen(chars));
        return;
    }
    text_add_chars(t, "'", 1);
    for (const char *c = chars; *c; c++) {
        if (*c == '\'')
            text_add_chars(t, "'\\''", 4);
        else
            text_add_chars(t, c, 1);
    }
    text_add_chars(t, "'", 1);
}
