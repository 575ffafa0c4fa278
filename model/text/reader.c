/* SPDX-License-Identifier: MIT */
#include "model/text/reader.h"

#include "model/text/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool reader_fail(struct reader *r, const char *at, const char *format, ...)
{
    char text[ERROR_TEXT_MAX];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return error_set(r->error, "column %zu: %s", (size_t)(at - r->start) + 1, text);
}

static const char *list_name(const void *context, unsigned n)
{
    const struct name_lists *lists = context;
    for (unsigned l = 0; l < 6 && lists->list[l]; l++)
        for (const char *const *name = lists->list[l]; *name; name++)
            if (!reader_same(*name, "-") && n-- == 0)
                return *name;
    return NULL;
}

const char *reader_nearest(const struct name_lists *lists, const char *word)
{
    return word[0] ? text_nearest(word, list_name, lists) : NULL;
}

bool reader_fail_name(struct reader *r, const struct token *t, const char *what,
                      const struct name_lists *lists)
{
    return reader_fail_unknown(r, t, what, list_name, lists);
}

bool reader_fail_unknown(struct reader *r, const struct token *t, const char *what,
                         const char *(*name)(const void *context, unsigned i), const void *context)
{
    return t->word[0] ? reader_fail(r, t->at, "expected %s, found '%s'%s", what, t->word,
                                    text_hint(t->word, name, context).chars)
                      : reader_fail(r, t->at, "expected %s", what);
}

/* ---- tokens ---- */

char reader_peek(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
        r->p++;
    return r->p < r->end ? *r->p : 0;
}

bool reader_at_end(struct reader *r)
{
    reader_peek(r);
    return r->p == r->end;
}

bool reader_accept(struct reader *r, char c)
{
    bool there = reader_peek(r) == c && r->p < r->end;
    r->p += there;
    return there;
}

bool reader_expect(struct reader *r, char c)
{
    return reader_accept(r, c) || reader_fail(r, r->p, "expected '%c'", c);
}

static inline bool is_word(char c)
{
    return (unsigned char)((c | 32) - 'a') < 26 || char_is_digit(c) || c == '_';
}

static inline void token_add(struct token *t, unsigned *n, char c)
{
    if (*n < TOKEN_MAX - 1)
        t->word[(*n)++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    else
        t->word[TOKEN_MAX - 2] = '_'; /* too long: the '_' makes the word neither a name nor a number */
}

void reader_name(struct reader *r, struct token *t)
{
    unsigned n = 0;
    reader_peek(r);
    t->at = r->p;
    while (r->p < r->end && is_word(*r->p))
        token_add(t, &n, *r->p++);
    if (n == 0 && r->p < r->end && *r->p == '-')
        token_add(t, &n, *r->p++);
    t->word[n] = 0;
}

bool reader_at_number(struct reader *r)
{
    char c = reader_peek(r);
    return char_is_digit(c) || ((c == '-' || c == '+') && r->end - r->p > 1 && char_is_digit(r->p[1]));
}

void reader_number(struct reader *r, struct token *t)
{
    unsigned n = 0;
    bool exponent = false; /* after the e of an exponent a sign may follow: 1e-5, but not 0x1e-5 */
    reader_peek(r);
    t->at = r->p;
    t->word[0] = t->word[1] = 0;
    if (r->p < r->end && (*r->p == '-' || *r->p == '+')) {
        token_add(t, &n, *r->p++);
        reader_peek(r);
    }
    while (r->p < r->end &&
           (is_word(*r->p) || *r->p == '.' || *r->p == '/' || (exponent && (*r->p == '-' || *r->p == '+')))) {
        exponent = (*r->p == 'e' || *r->p == 'E') && t->word[1] != 'x';
        token_add(t, &n, *r->p++);
    }
    t->word[n] = 0;
}

bool reader_suffix(struct reader *r, struct token *t)
{
    if (r->p == r->end || *r->p != '.')
        return false;
    r->p++;
    if (r->p < r->end && is_word(*r->p)) {
        reader_name(r, t);
    } else {
        t->at = r->p;
        t->word[0] = 0;
    }
    return true;
}

/* ---- numbers and names ---- */

bool reader_integer(const char *word, uint64_t *value)
{
    bool negative = word[0] == '-';
    word += word[0] == '-' || word[0] == '+';
    unsigned base = word[0] == '0' && word[1] == 'x' ? 16 : 10;
    word += base == 16 ? 2 : 0;
    uint64_t v = 0;
    if (!*word)
        return false;
    for (; *word; word++) {
        unsigned digit = char_is_digit(*word)           ? (unsigned)(*word - '0')
                         : *word >= 'a' && *word <= 'f' ? (unsigned)(*word - 'a') + 10
                                                        : 99;
        if (digit >= base || v > (UINT64_MAX - digit) / base)
            return false;
        v = v * base + digit;
    }
    *value = negative ? 0U - v : v;
    return true;
}

bool reader_bounded(struct reader *r, const struct token *t, uint64_t most, const char *what, uint64_t *value)
{
    bool good = t->word[0] != '-' && reader_integer(t->word, value) && *value <= most;
    bool found = t->word[0] != 0;
    return good || reader_fail(r, t->at, "expected %s from 0 to %" PRIu64 "%s%s%s", what, most,
                               found ? ", found '" : "", t->word, found ? "'" : "");
}

bool reader_whole(struct reader *r, uint64_t most, const char *what, uint64_t *value)
{
    struct token t;
    reader_number(r, &t);
    return reader_bounded(r, &t, most, what, value);
}

bool reader_float(const char *word, uint32_t *bits)
{
    char *end;
    if (strchr(word, 'x') || !strpbrk(word, ".e"))
        return false;
    float value = strtof(word, &end);
    if (*end)
        return false;
    memcpy(bits, &value, sizeof *bits);
    return true;
}

bool reader_word(const char *word, uint32_t *value)
{
    uint64_t v;
    if (reader_integer(word, &v)) {
        bool fits = word[0] == '-' ? 0U - v <= UINT64_C(0x80000000) : v <= UINT32_MAX;
        *value = (uint32_t)v;
        return fits;
    }
    return reader_float(word, value);
}

int reader_find_name(const char *const *names, const char *word)
{
    for (int n = 0; names[n]; n++)
        if (reader_same(names[n], word))
            return reader_same(word, "-") ? READER_NONE : n;
    return READER_NONE;
}
