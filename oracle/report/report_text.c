/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_text.h"

#include "oracle/describe/escape.h"

#include <inttypes.h>

/* Adds a string with ' in place of backticks, which would end a name, and blanks in place of line ends. */
static void add_clean(struct text *t, const char *chars)
{
    for (const char *c = chars; *c; c++)
        text_add_chars(t, *c == '`' ? "'" : *c == '\n' ? " " : c, 1);
}

void words_add(struct text *t, const char *form, ...)
{
    va_list values;
    va_start(values, form);
    text_add_escaped(t, add_clean, form, values);
    va_end(values);
}

void words_number(struct text *t, uint64_t number, const char *one, const char *many)
{
    words_add(t, "%'" PRIu64 " %s", number, number == 1 ? one : many);
}

const char *words_joint(unsigned i, unsigned count)
{
    return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}
