/* SPDX-License-Identifier: MIT */
/* Descriptors as text, both ways. */
#include "model/amd/encoding/amd_descriptor.h"
#include "model/amd/encoding/amd_descriptor_bits.h"
#include "model/text/reader.h"

#include <string.h>

/* ---- printing ---- */

static const char sel_letters[] = "01  xyzw"; /* by dst_sel; ' ': has no letter */

static const char *value_name(const struct bit_field *f, uint32_t value)
{
    for (uint32_t n = 0; f->values && f->values[n]; n++)
        if (n == value)
            return f->values[n];
    return NULL;
}

static bool is_select(const struct bit_field *f)
{
    return !strncmp(f->name, "DST_SEL_", 8);
}

static void add_lower(struct text *t, const char *name)
{
    for (; *name; name++)
        text_add(t, "%c", char_lower(*name));
}

/* Prints "dst_sel=xyzw", or nothing for all zeros. Returns false if a selector has no letter. */
static bool print_select(const struct amd_descriptor *d, struct text *t)
{
    char letters[5] = {0};
    for (unsigned i = 0; i < 4; i++) {
        letters[i] = sel_letters[d->dst_sel[i]];
        if (letters[i] == ' ')
            return false;
    }
    if (strcmp(letters, "0000") != 0)
        text_add(t, " dst_sel=%s", letters);
    return true;
}

void amd_descriptor_print(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS], struct text *t)
{
    struct amd_descriptor d;
    struct text line = {0}; /* each field begins with a space */
    bool select_said = false;
    amd_descriptor_decode(g, words, &d);
    if (d.base)
        text_add(&line, " base=0x%llx", (unsigned long long)d.base);
    for (const struct bit_field *f = amd_descriptor_bits(g); f->name; f++) {
        uint32_t value = amd_field_get(words, f);
        if (!strcmp(f->name, "DST_SEL_X"))
            select_said = print_select(&d, &line);
        if (value == 0 || !strncmp(f->name, "BASE", 4) || (is_select(f) && select_said))
            continue;
        text_add(&line, " ");
        add_lower(&line, f->name);
        const char *name = value_name(f, value);
        text_add(&line, name ? "=" : f->width > 16 ? "=0x%x" : "=%u", (unsigned)value);
        add_lower(&line, name ? name : "");
    }
    text_add(t, "%s", line.length ? text_chars(&line) + 1 : "zero");
    text_free(&line);
}

/* ---- reading ---- */

static const char *field_name_at(const void *context, unsigned n)
{
    return ((const struct bit_field *)context)[n].name;
}

static const struct bit_field *find_field(const struct bit_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (names_equal(fields->name, name))
            return fields;
    return NULL;
}

static const char *value_name_at(const void *context, unsigned n)
{
    return ((const struct bit_field *)context)->values[n];
}

/* Reads the name of one of the field's values, or the number of a value without a name. */
static bool read_value(struct reader *r, const struct bit_field *f, uint32_t *value)
{
    struct token t;
    uint64_t number;
    reader_number(r, &t);
    for (*value = 0; f->values && f->values[*value]; ++*value)
        if (names_equal(f->values[*value], t.word))
            return true;
    if (f->values && t.word[0] && !reader_integer(t.word, &number)) {
        struct text_hint hint = text_hint(t.word, value_name_at, f);
        if (hint.chars[0])
            return reader_fail(r, t.at, "expected a value of %s%s", f->name, hint.chars);
    }
    if (!reader_bounded(r, &t, (UINT64_C(1) << f->width) - 1, f->name, &number))
        return false;
    *value = (uint32_t)number;
    const char *name = value_name(f, *value);
    return !name || reader_fail(r, t.at, "this value of %s has a name: write '%s'", f->name, name);
}

static bool read_base(struct reader *r, uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    uint64_t base;
    if (!reader_whole(r, (UINT64_C(1) << 48) - 1, "BASE", &base))
        return false;
    words[0] = (uint32_t)base;
    words[1] = (words[1] & 0xFFFF0000) | (uint32_t)(base >> 32);
    return true;
}

static bool read_select(struct reader *r, enum amd_generation g, uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    static const char *const names[] = {"DST_SEL_X", "DST_SEL_Y", "DST_SEL_Z", "DST_SEL_W"};
    struct token t;
    reader_name(r, &t);
    for (unsigned i = 0; i < 4; i++) {
        const char *letter = t.word[i] && t.word[i] != ' ' ? strchr(sel_letters, t.word[i]) : NULL;
        if (!letter || strlen(t.word) != 4)
            return reader_fail(r, t.at, "expected four of 0 1 x y z w");
        amd_field_set(words, find_field(amd_descriptor_bits(g), names[i]), (uint32_t)(letter - sel_letters));
    }
    return true;
}

static bool fail_field(struct reader *r, enum amd_generation g, const struct token *t)
{
    char capitals[TOKEN_MAX] = "";
    for (unsigned i = 0; t->word[i]; i++)
        capitals[i] = char_upper(t->word[i]);
    for (const struct bit_field *f = amd_descriptor_bits(g); capitals[0] && f->name; f++)
        if (!strncmp(f->name, capitals, strlen(capitals)))
            return reader_fail(r, t->at, "expected a field of %s's descriptor; did you mean '%s'?",
                               amd_generation_names[g], f->name);
    return reader_fail(r, t->at, "expected a field of %s's descriptor%s", amd_generation_names[g],
                       text_hint(capitals, field_name_at, amd_descriptor_bits(g)).chars);
}

/* Makes the descriptor that begins with a builder's name. */
static bool read_builder(enum amd_generation g, const char *name, uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    struct amd_descriptor d;
    if (reader_same(name, "raw"))
        d = amd_descriptor_raw(g, 0, 0);
    else if (reader_same(name, "typed"))
        d = amd_descriptor_typed(g, 0, 0, 0, 0);
    else if (reader_same(name, "scratch"))
        d = amd_descriptor_scratch(g, 0, 0, 64);
    else
        return false;
    amd_descriptor_encode(g, &d, words);
    return true;
}

bool amd_descriptor_parse(enum amd_generation g, const char *line, size_t from, size_t count,
                          uint32_t words[AMD_DESCRIPTOR_WORDS], struct error *e)
{
    struct reader r = {.start = line, .p = line + from, .end = line + count, .error = e};
    struct token t;
    uint32_t value = 0;
    memset(words, 0, AMD_DESCRIPTOR_WORDS * sizeof *words);
    for (bool first = true; first || !reader_at_end(&r); first = false) {
        reader_name(&r, &t);
        if (first && reader_same(t.word, "zero") && reader_at_end(&r))
            return true;
        if (first && read_builder(g, t.word, words))
            continue;
        bool select = reader_same(t.word, "dst_sel");
        const struct bit_field *f = select ? NULL : find_field(amd_descriptor_bits(g), t.word);
        if (!select && !f)
            return fail_field(&r, g, &t);
        if (!reader_expect(&r, '=') || !(select        ? read_select(&r, g, words)
                                         : f->low == 0 ? read_base(&r, words)
                                                       : read_value(&r, f, &value)))
            return false;
        if (!select && f->low != 0)
            amd_field_set(words, f, value);
    }
    return true;
}
