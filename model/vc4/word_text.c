/* SPDX-License-Identifier: MIT */
#include "model/vc4/word_text.h"

#include "model/text/character.h"
#include "model/vc4/qpu/encoding/op_text.h"

#include <string.h>

static uint32_t field_mask(const struct bit_field *f)
{
    return (uint32_t)(((UINT64_C(1) << f->width) - 1) << f->low);
}

/* Do all words of the form have the same value in this field? Then the text omits the field. */
static bool is_fixed(const struct word_form *form, const struct bit_field *f)
{
    return (form->mask & field_mask(f)) == field_mask(f);
}

static char text_char(char c)
{
    return c == '_' ? '-' : char_lower(c);
}

void word_print(const struct word_form *form, uint32_t word, struct text *t)
{
    for (const struct bit_field *f = form->fields; f->name; f++) {
        uint32_t value = (word & field_mask(f)) >> f->low;
        if (is_fixed(form, f) || value == 0)
            continue;
        text_add(t, " ");
        for (const char *c = f->name; *c; c++)
            text_add(t, "%c", text_char(*c));
        text_add(t, "=%u", (unsigned)value);
    }
}

bool word_is_name(const char *name, const char *chars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (name[i] == 0 || text_char(name[i]) != text_char(chars[i]))
            return false;
    return name[count] == 0;
}

static const char *field_name_at(const void *context, unsigned i)
{
    const struct word_form *form = context;
    unsigned seen = 0;
    for (const struct bit_field *f = form->fields; f->name; f++)
        if (!is_fixed(form, f) && seen++ == i)
            return f->name;
    return NULL;
}

static bool unknown_field(const struct word_form *form, const char *name, size_t length, size_t column,
                          struct error *e)
{
    char as_in_table[32];
    size_t n = length < sizeof as_in_table - 1 ? length : sizeof as_in_table - 1;
    for (size_t i = 0; i < n; i++)
        as_in_table[i] = name[i] == '-' ? '_' : char_upper(name[i]);
    as_in_table[n] = 0;
    struct text_hint hint = text_hint(as_in_table, field_name_at, form);
    for (char *c = hint.chars; *c; c++)
        *c = text_char(*c);
    return error_set(e, "column %zu: %s has no field '%.*s'%s", column, form->name, (int)n, name, hint.chars);
}

/* Reads one "field=value" of `length` characters. */
static bool parse_field(const struct word_form *form, const char *said, size_t length, size_t column,
                        uint32_t *seen, uint32_t *word, struct error *e)
{
    const char *equals = memchr(said, '=', length);
    size_t name = equals ? (size_t)(equals - said) : length;
    const struct bit_field *f = form->fields;
    while (f->name && (is_fixed(form, f) || !word_is_name(f->name, said, name)))
        f++;
    if (!name)
        return error_set(e, "column %zu: expected a field's name before \"=\"", column);
    if (!f->name)
        return unknown_field(form, said, name, column, e);
    uint32_t value, most = field_mask(f) >> f->low;
    size_t number_at = column + name + 1;
    if (!equals)
        return error_set(e, "column %zu: expected \"=\" and a number after \"%.*s\"", column + name,
                         (int)name, said);
    if (!op_parse_number(equals + 1, length - name - 1, &value))
        return error_set(e, "column %zu: expected a decimal or 0x number after \"%.*s=\"", number_at,
                         (int)name, said);
    if (value > most)
        return error_set(e, "column %zu: %.*s is at most %u", number_at, (int)name, said, (unsigned)most);
    if (*seen & field_mask(f))
        return error_set(e, "column %zu: the field \"%.*s\" is given twice", column, (int)name, said);
    *seen |= field_mask(f);
    *word |= value << f->low;
    return true;
}

bool word_parse(const struct word_form *form, const char *chars, size_t count, size_t column, uint32_t *word,
                struct error *e)
{
    struct op_line line = {chars, count, 0};
    uint32_t seen = 0;
    const char *said;
    size_t length;
    *word = form->match;
    while ((length = op_word(&line, &said)) > 0)
        if (!parse_field(form, said, length, column + (size_t)(said - chars), &seen, word, e))
            return false;
    return true;
}
