/* SPDX-License-Identifier: MIT */
#include "oracle/describe/slices.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { BITS_MAX = 16, NAME_CHARS = 8 };

struct slices {
    char field[NAME_CHARS + 1];
    unsigned bits;              /* how many; the highest comes first */
    char of[BITS_MAX];          /* the number that the bit comes from: 'Y' */
    unsigned char at[BITS_MAX]; /* its place in that number */
};

/* Reads "Y[5:0]" or "H[0]" and returns what follows; NULL if it is something else or too much. */
static const char *read_slice(const char *at, struct slices *s)
{
    unsigned high, low;
    int end = 0;
    char of;
    if (!isupper((unsigned char)*at) || sscanf(at, "%c[%u:%u]%n", &of, &high, &low, &end) < 3 || !end) {
        end = 0;
        if (sscanf(at, "%c[%u]%n", &of, &high, &end) < 2 || !end)
            return NULL;
        low = high;
    }
    if (high < low || high > 9 || s->bits + (high - low + 1) > BITS_MAX)
        return NULL;
    for (unsigned bit = high + 1; bit-- > low;) {
        s->of[s->bits] = of;
        s->at[s->bits++] = (unsigned char)bit;
    }
    return at + end;
}

static bool read_formula(const char *says, struct slices *s)
{
    const char *at = strstr(says, " = {"), *name = at;
    if (!at)
        return false;
    while (name > says && name[-1] != ' ')
        name--;
    if (at - name > NAME_CHARS || at == name)
        return false;
    memcpy(s->field, name, (size_t)(at - name));
    for (at += strlen(" = {"); (at = read_slice(at, s)); at += 2) {
        if (*at == '}')
            return true;
        if (strncmp(at, ", ", 2) != 0)
            return false;
    }
    return false;
}

static void add_border(const struct slices *s, unsigned left, const char *first, const char *between,
                       const char *last, struct text *t)
{
    text_add(t, "%*s%s", (int)left, "", first);
    for (unsigned i = 0; i < s->bits; i++)
        text_add(t, "────%s", i + 1 < s->bits ? between : last);
    text_add(t, "\n");
}

bool slices_draw(const char *says, unsigned indent, struct text *t)
{
    struct slices s = {0};
    if (!read_formula(says, &s))
        return false;
    unsigned left = indent + (unsigned)strlen(s.field) + 2;
    text_add(t, "%*s", (int)left, "");
    for (unsigned i = 0; i < s.bits; i++)
        text_add(t, i ? "%5u" : "%4u", s.bits - 1 - i);
    text_add(t, "\n");
    add_border(&s, left, "┌", "┬", "┐", t);
    text_add(t, "%*s%s  │", (int)indent, "", s.field);
    for (unsigned i = 0; i < s.bits; i++)
        text_add(t, " %c%u │", s.of[i], s.at[i]);
    text_add(t, "\n");
    add_border(&s, left, "└", "┴", "┘", t);
    return true;
}
