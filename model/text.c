/* SPDX-License-Identifier: MIT */
#include "model/text.h"

#include <stdarg.h>
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
    char *chars = realloc(t->chars, capacity);
    if (!chars)
        abort(); /* a few hundred bytes of text: nothing sensible is left to do */
    t->chars = chars;
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

/* Levenshtein distance, words cut at 63 characters. */
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

const char *text_nearest(const char *word, const char *(*name)(const void *context, unsigned i), const void *context)
{
    const char *best = NULL;
    unsigned best_distance = (unsigned)strnlen(word, 63) / 2 + 1; /* further away than that is no hint */
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
