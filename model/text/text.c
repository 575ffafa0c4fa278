/* SPDX-License-Identifier: MIT */
#include "model/text/text.h"

#include "model/core/memory.h"
#include "model/text/character.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *t, size_t more)
{
    if (t->capacity - t->length > more)
        return;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity - t->length <= more)
        capacity *= 2;
    t->chars = memory_grow(t->chars, capacity, 1);
    t->capacity = capacity;
}

void text_add_chars(struct text *t, const char *chars, size_t count)
{
    reserve(t, count);
    memcpy(t->chars + t->length, chars, count);
    t->length += count;
    t->chars[t->length] = 0;
}

void text_add(struct text *t, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int count = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (count > 0) {
        reserve(t, (size_t)count);
        (void)vsnprintf(t->chars + t->length, (size_t)count + 1, format, again);
        t->length += (size_t)count;
    }
    va_end(again);
}

void text_clear(struct text *t)
{
    t->length = 0;
    if (t->chars)
        t->chars[0] = 0;
}

void text_free(struct text *t)
{
    free(t->chars);
    *t = (struct text){0};
}

const char *text_chars(const struct text *t)
{
    return t->chars ? t->chars : "";
}

/* Decodes a UTF-8 sequence (RFC 3629) at `s`. Returns its length; 0 if it is malformed. */
static size_t utf8_sequence(const unsigned char *s, size_t room, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = 1U + (s[0] >= 0xC0) + (s[0] >= 0xE0) + (s[0] >= 0xF0);
    if ((s[0] >= 0x80 && s[0] < 0xC0) || s[0] > 0xF4 || length > room)
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
        return false; /* C1 control characters */
    if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069))
        return false; /* characters that change the writing direction */
    return c != 0xFFFE && c != 0xFFFF;
}

size_t text_character(const char *chars, size_t room, bool *good)
{
    uint32_t character = 0;
    size_t length = utf8_sequence((const unsigned char *)chars, room, &character);
    *good = length && is_harmless(character);
    return length ? length : 1;
}

void text_copy_utf8(char *to, size_t room, const char *chars, size_t count)
{
    static const char replacement[] = TEXT_REPLACEMENT;
    size_t used = 0;
    for (size_t i = 0, length; i < count; i += length) {
        bool good;
        length = text_character(chars + i, count - i, &good);
        const char *from = !good ? replacement : chars[i] == '\n' || chars[i] == '\t' ? " " : chars + i;
        size_t more = good ? length : sizeof replacement - 1;
        if (used + more >= room)
            break;
        memcpy(to + used, from, more);
        used += more;
    }
    to[used] = 0;
}

/* Is this word a number that differs between otherwise equal messages? A word of letters a to f alone is one
 * only if it has eight letters. */
static bool is_long_number(const char *word, size_t length)
{
    enum { LONG = 5, NO_WORD = 8 };
    size_t prefix = length > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? 2 : 0;
    bool digit = false;
    for (size_t i = prefix; i < length; i++) {
        if (!char_is_hex_digit(word[i]))
            return false;
        digit |= char_is_digit(word[i]);
    }
    return length - prefix >= (digit ? LONG : NO_WORD);
}

/* Does the message end in a word that comes before the number of a place in a case ("instruction ",
 * "operation ")? */
static bool names_a_place(const char *message, size_t length)
{
    static const char *const words[] = {"instruction ", "operation "};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        size_t word = strlen(words[i]);
        if (length >= word && !memcmp(message + length - word, words[i], word))
            return true;
    }
    return false;
}

void text_kind(char *to, size_t room, const char *message)
{
    const char *begin = message;
    size_t used = 0;
    while (*message && used + 1 < room) {
        size_t length = 0;
        while (char_is_alphanumeric(message[length]))
            length++;
        bool place = char_is_digit(*message) && names_a_place(begin, (size_t)(message - begin));
        if (place || is_long_number(message, length)) {
            to[used++] = '#';
            message += length;
            continue;
        }
        for (length += !length; length && used + 1 < room; length--)
            to[used++] = *message++;
    }
    to[used] = 0;
}

/* Returns the Levenshtein distance of two words, which are cut at 63 characters. */
static unsigned edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= nb; j++)
        row[j] = j;
    for (unsigned i = 1; i <= na; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= nb; j++) {
            unsigned best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[nb];
}

const char *text_nearest(const char *word, const char *(*name)(const void *context, unsigned i),
                         const void *context)
{
    const char *best = NULL;
    /* names at this distance or farther are not near */
    unsigned best_distance = (unsigned)strnlen(word, 63) / 2 + 1;
    for (unsigned i = 0; name(context, i); i++) {
        const char *candidate = name(context, i);
        unsigned distance = edit_distance(word, candidate);
        if (strstr(candidate, word) && word[0] && distance > 1)
            distance = 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

struct text_hint text_hint(const char *word, const char *(*name)(const void *context, unsigned i),
                           const void *context)
{
    struct text_hint hint = {""};
    const char *near = word[0] ? text_nearest(word, name, context) : NULL;
    if (near && strcmp(near, "-") != 0)
        (void)snprintf(hint.chars, sizeof hint.chars, "; did you mean '%.64s'?", near);
    return hint;
}
