/* SPDX-License-Identifier: MIT */
#include "cli/terminal/fill.h"

#include <string.h>

void fill_words(struct text *t, const char *words, size_t count, unsigned column, unsigned indent)
{
    const char *end = words + count;
    bool first = true;
    while (words < end) {
        size_t length = 0;
        while (words + length < end && words[length] != ' ' && words[length] != '\n')
            length++;
        if (length && !first && column + 1 + length > FILL_WIDTH) {
            text_add(t, "\n%*s", (int)indent, "");
            column = indent;
        } else if (length && !first) {
            text_add(t, " ");
            column++;
        }
        text_add_chars(t, words, length);
        column += (unsigned)length;
        first = first && !length;
        words += length < (size_t)(end - words) ? length + 1 : length;
    }
}

static bool is_prose(const char *line)
{
    return *line && *line != ' ' && *line != '\n';
}

struct piece fill_next(const char **chars)
{
    struct piece p = {.chars = *chars, .prose = is_prose(*chars)};
    while (**chars && is_prose(*chars) == p.prose) {
        size_t line = strcspn(*chars, "\n");
        *chars += line + ((*chars)[line] == '\n');
    }
    p.count = (size_t)(*chars - p.chars);
    return p;
}
