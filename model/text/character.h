/* SPDX-License-Identifier: MIT */
/*
 * Classes of ASCII characters, independent of the locale. <ctype.h> and strcasecmp depend on the locale of
 * the host program, and the model must not. Bytes beyond ASCII are no letters.
 */
#ifndef MISPRINT_MODEL_TEXT_CHARACTER_H
#define MISPRINT_MODEL_TEXT_CHARACTER_H

#include <stdbool.h>

static inline bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char char_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char char_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool char_is_hex_digit(char c)
{
    char lower = char_lower(c);
    return char_is_digit(c) || (lower >= 'a' && lower <= 'f');
}

static inline bool char_is_alphanumeric(char c)
{
    char lower = char_lower(c);
    return char_is_digit(c) || (lower >= 'a' && lower <= 'z');
}

/* A blank, tab, line feed, vertical tab, form feed or carriage return. */
static inline bool char_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Are these names equal, ignoring case? */
static inline bool names_equal(const char *a, const char *b)
{
    while (*a && char_lower(*a) == char_lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

#endif
