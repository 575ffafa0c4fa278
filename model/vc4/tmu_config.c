/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu_config.h"

#include "model/vc4/vpm_setup.h"

#include <ctype.h>
#include <string.h>

#define ROW(word, name, low, width) {#name, low, width, NULL},
#define END_OF_FIELDS                                                                                                                                \
    {                                                                                                                                                \
        NULL, 0, 0, NULL                                                                                                                             \
    }

static const struct bit_field p0_fields[] = {TMU_P0_TABLE(ROW) END_OF_FIELDS}, p1_fields[] = {TMU_P1_TABLE(ROW) END_OF_FIELDS},
                              unused_fields[] = {TMU_UNUSED_TABLE(ROW) END_OF_FIELDS}, cube_fields[] = {TMU_CUBE_TABLE(ROW) END_OF_FIELDS},
                              child_size_fields[] = {TMU_CHILD_SIZE_TABLE(ROW) END_OF_FIELDS},
                              child_offset_fields[] = {TMU_CHILD_OFFSET_TABLE(ROW) END_OF_FIELDS};

#define PTYPE_MASK         TMU_MASK(CUBE_PTYPE)
#define PTYPE(form, value) TMU_PUT(form##_PTYPE, TMU_PTYPE_##value)
const struct tmu_word tmu_words[TMU_FORMS] = {
    [TMU_FORM_P0] = {"p0", 0, 0, p0_fields},
    [TMU_FORM_P1] = {"p1", 0, 0, p1_fields},
    [TMU_FORM_UNUSED] = {"unused", PTYPE_MASK, PTYPE(UNUSED, UNUSED), unused_fields},
    [TMU_FORM_CUBE] = {"cube", PTYPE_MASK, PTYPE(CUBE, CUBE), cube_fields},
    [TMU_FORM_CHILD_SIZE] = {"child-size", PTYPE_MASK, PTYPE(CHILD_SIZE, CHILD_SIZE), child_size_fields},
    [TMU_FORM_CHILD_OFFSET] = {"child-offset", PTYPE_MASK, PTYPE(CHILD_OFFSET, CHILD_OFFSET), child_offset_fields},
};

enum tmu_form tmu_form_of(uint32_t word)
{
    return (enum tmu_form)(TMU_FORM_UNUSED + TMU_FIELD(word, CUBE_PTYPE));
}

static uint32_t field_mask(const struct bit_field *f)
{
    return (uint32_t)(((UINT64_C(1) << f->width) - 1) << f->low);
}

/* A field's name as the text form spells it. */
static char text_char(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

void tmu_word_print(enum tmu_form form, uint32_t word, struct text *t)
{
    const struct tmu_word *w = &tmu_words[form];
    for (const struct bit_field *f = w->fields; f->name; f++) {
        uint32_t value = (word & field_mask(f)) >> f->low;
        if ((w->mask & field_mask(f)) || value == 0)
            continue;
        text_add(t, " ");
        for (const char *c = f->name; *c; c++)
            text_add(t, "%c", text_char(*c));
        text_add(t, "=%u", (unsigned)value);
    }
}

static bool same_name(const char *name, const char *chars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (name[i] == 0 || text_char(name[i]) != chars[i])
            return false;
    return name[count] == 0;
}

static const char *field_name_at(const void *context, unsigned i)
{
    const struct tmu_word *w = context;
    unsigned seen = 0;
    for (const struct bit_field *f = w->fields; f->name; f++)
        if (!(w->mask & field_mask(f)) && seen++ == i)
            return f->name;
    return NULL;
}

static bool unknown_field(const struct tmu_word *w, const char *token, size_t length, size_t column, struct error *e)
{
    char upper[32];
    size_t n = length < sizeof upper - 1 ? length : sizeof upper - 1;
    for (size_t i = 0; i < n; i++)
        upper[i] = token[i] == '-' ? '_' : (char)toupper((unsigned char)token[i]);
    upper[n] = 0;
    return error_set(e, "column %zu: %s has no field '%.*s'%s", column, w->name, (int)n, token, text_hint(upper, field_name_at, w).chars);
}

/* Reads one "name=value" of `length` characters. */
static bool parse_field(const struct tmu_word *w, const char *token, size_t length, size_t column, uint32_t *seen, uint32_t *word, struct error *e)
{
    const char *equals = memchr(token, '=', length);
    size_t name = equals ? (size_t)(equals - token) : length;
    const struct bit_field *f = w->fields;
    while (f->name && ((w->mask & field_mask(f)) || !same_name(f->name, token, name)))
        f++;
    if (!f->name)
        return unknown_field(w, token, name, column, e);
    uint32_t value, most = field_mask(f) >> f->low;
    if (!equals || !setup_parse_number(equals + 1, length - name - 1, &value))
        return error_set(e, "column %zu: expected \"%.*s=\" and a decimal or 0x number", column, (int)name, token);
    if (value > most)
        return error_set(e, "column %zu: %.*s is at most %u", column, (int)name, token, (unsigned)most);
    if (*seen & field_mask(f))
        return error_set(e, "column %zu: \"%.*s\" stands twice", column, (int)name, token);
    *seen |= field_mask(f);
    *word |= value << f->low;
    return true;
}

bool tmu_word_parse(enum tmu_form form, const char *chars, size_t count, size_t column, uint32_t *word, struct error *e)
{
    const struct tmu_word *w = &tmu_words[form];
    uint32_t seen = 0;
    *word = w->match;
    for (size_t at = 0; at < count;) {
        if (chars[at] == ' ' || chars[at] == '\t') {
            at++;
            continue;
        }
        size_t start = at;
        while (at < count && chars[at] != ' ' && chars[at] != '\t')
            at++;
        if (!parse_field(w, chars + start, at - start, column + start, &seen, word, e))
            return false;
    }
    return true;
}
