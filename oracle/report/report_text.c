/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_text.h"

#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

#include <inttypes.h>
#include <stdio.h>

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

/* Prints the first `lines` lines of a case. Of the rest, says how many lines it has. */
static void print_some(const struct test_case *c, unsigned lines, const char *rest_in, struct text *t)
{
    struct text whole = {0};
    unsigned shown = 0, more = 0;
    case_print(c, &whole);
    const char *end = text_chars(&whole);
    for (; *end; end++)
        if (*end == '\n') {
            shown++;
            if (shown == lines)
                break;
        }
    size_t length = (size_t)(end - text_chars(&whole));
    text_add_chars(t, text_chars(&whole), length);
    for (const char *at = end; *at; at++)
        more += *at == '\n' && at[1];
    if (more)
        text_add(t, "\n# %u more line%s%s\n", more, plural(more), rest_in);
    text_free(&whole);
}

void words_case(const struct finding *f, unsigned lines, struct text *t)
{
    char rest_in[64];
    (void)snprintf(rest_in, sizeof rest_in, " in cases/%s.case", f->id);
    print_some(f->smallest, lines, rest_in, t);
}

void words_related(const struct finding *f, enum related_role role, unsigned lines, struct text *t)
{
    if (f->related[role].tc)
        print_some(f->related[role].tc, lines, "", t);
}

void words_refuting(const struct finding *f, unsigned lines, struct text *t)
{
    if (f->learned.withdrawn)
        words_related(f, RELATED_REFUTES, lines, t);
}
