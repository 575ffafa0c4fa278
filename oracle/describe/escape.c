/* SPDX-License-Identifier: MIT */
#include "oracle/describe/escape.h"

#include <stdio.h>
#include <string.h>

/* each_character calls this for each good character. It writes U+FFFD itself for each bad one. */
typedef void put_character(struct text *t, const char *chars, size_t length);

static void each_character(struct text *t, const char *chars, size_t count, put_character *put)
{
    for (size_t i = 0; i < count;) {
        bool good;
        size_t length = text_character(chars + i, count - i, &good);
        if (good)
            put(t, chars + i, length);
        else
            text_add_chars(t, TEXT_REPLACEMENT, strlen(TEXT_REPLACEMENT));
        i += length;
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

void text_add_escaped(struct text *t, void escape(struct text *t, const char *chars), const char *form,
                      va_list values)
{
    for (const char *at = form;;) {
        size_t plain = strcspn(at, "%");
        text_add_chars(t, at, plain);
        at += plain;
        if (!*at)
            return;
        char one[16];
        size_t flags = 1 + strspn(at + 1, "-+ #0'.123456789"), length = flags + strspn(at + flags, "l");
        (void)snprintf(one, sizeof one, "%.*s%c", (int)length, at, at[length]);
        unsigned longs = (unsigned)(length - flags);
        switch (at[length]) {
        case '%':
            text_add_chars(t, "%", 1);
            break;
        case 's':
            escape(t, va_arg(values, const char *));
            break;
        case 'f':
            text_add(t, one, va_arg(values, double));
            break;
        default:
            if (longs == 0 && !strchr(one, '\''))
                text_add(t, one, va_arg(values, unsigned));
            else if (!strchr(one, '\''))
                longs == 1 ? text_add(t, one, va_arg(values, unsigned long))
                           : text_add(t, one, va_arg(values, unsigned long long));
            else
                text_add_grouped(t, longs == 0   ? va_arg(values, unsigned)
                                    : longs == 1 ? va_arg(values, unsigned long)
                                                 : va_arg(values, unsigned long long));
        }
        at += length + 1;
    }
}

void xml_add(struct text *t, const char *form, ...)
{
    va_list values;
    va_start(values, form);
    text_add_escaped(t, escape_xml, form, values);
    va_end(values);
}

static void put_markdown(struct text *t, const char *chars, size_t length)
{
    if (chars[0] == '\n' || chars[0] == '\t')
        text_add_chars(t, " ", 1);
    else if (chars[0] == '<')
        text_add_chars(t, "&lt;", 4); /* some renderers let a tag with a backslash through */
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

json_t *json_text(const char *chars)
{
    struct text t = {0};
    escape_utf8(&t, chars, strlen(chars));
    json_t *string = json_string(text_chars(&t));
    text_free(&t);
    return string;
}
