/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/encoding/op_text.h"

#include "model/text/character.h"

#include <string.h>

size_t op_word(struct op_line *s, const char **word)
{
    while (s->at < s->count && (s->chars[s->at] == ' ' || s->chars[s->at] == '\t'))
        s->at++;
    size_t start = s->at;
    while (s->at < s->count && s->chars[s->at] != ' ' && s->chars[s->at] != '\t')
        s->at++;
    *word = s->chars + start;
    return s->at - start;
}

bool op_word_is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(word, name, length);
}

size_t op_column(const struct op_line *s, const char *word)
{
    return (size_t)(word - s->chars) + 1;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = char_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool op_parse_number(const char *chars, size_t count, uint32_t *value)
{
    unsigned base = 10;
    if (count > 2 && chars[0] == '0' && (chars[1] == 'x' || chars[1] == 'X')) {
        base = 16;
        chars += 2;
        count -= 2;
    }
    uint64_t n = 0;
    for (size_t i = 0; i < count; i++) {
        int digit = digit_of(chars[i]);
        if (digit >= (int)base)
            return false;
        n = n * base + (unsigned)digit;
        if (n > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)n;
    return count > 0;
}

bool op_parse_named(const struct op_line *s, const char *word, size_t length, const char *name,
                    uint32_t *value, struct error *e)
{
    size_t n = strlen(name);
    if (length <= n + 1 || memcmp(word, name, n) != 0 || word[n] != '=' ||
        !op_parse_number(word + n + 1, length - n - 1, value))
        return error_set(e, "column %zu: expected %s=NUMBER instead of \"%.*s\"", op_column(s, word), name,
                         (int)(length < 40 ? length : 40), word);
    return true;
}

static bool parse_hex_word(const char *word, size_t length, uint32_t *value)
{
    char prefixed[10] = "0x";
    if (length == 0 || length > 8)
        return false;
    memcpy(prefixed + 2, word, length);
    return op_parse_number(prefixed, length + 2, value);
}

bool op_parse_raw(struct op_line *s, uint32_t words[2], struct error *e)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *word;
        size_t length = op_word(s, &word);
        if (!parse_hex_word(word, length, &words[i]))
            return error_set(e,
                             "column %zu: expected \"raw\" and two words of up to eight hexadecimal digits",
                             op_column(s, word));
    }
    return true;
}

bool op_parse_end(struct op_line *s, struct error *e)
{
    const char *word;
    size_t length = op_word(s, &word);
    return length == 0 || error_set(e, "column %zu: expected the end of the line instead of \"%.*s\"",
                                    op_column(s, word), (int)(length < 40 ? length : 40), word);
}

bool op_unknown(const struct op_line *s, const char *word, size_t length,
                const char *(*name_at)(const void *context, unsigned i), struct error *e)
{
    char copy[24] = {0};
    memcpy(copy, word, length < sizeof copy - 1 ? length : sizeof copy - 1);
    (void)error_unknown(e, "operation", copy, name_at, NULL, NULL);
    return error_where(e, "column %zu", op_column(s, word));
}
