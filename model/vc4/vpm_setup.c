/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm_setup.h"

#include <ctype.h>
#include <string.h>

#define PLACE(word, name)                                                                                                                            \
    {                                                                                                                                                \
#name, word##_##name##_LOW, word##_##name##_WIDTH, NULL                                                                                      \
    }
#define ROW(word, name, low, width) {#name, low, width, NULL},

/* ADDR by mode (p57 T32): Y is a row; in vertical modes YBLOCK is Y[5:4], a block of 16 rows; ADDR_HIGH is what the mode does not use. */
#define ADDR_H8                                                                                                                                      \
    {"Y", 2, 6, NULL},                                                                                                                               \
    {                                                                                                                                                \
        "B", 0, 2, NULL                                                                                                                              \
    }
#define ADDR_H16                                                                                                                                     \
    {"ADDR_HIGH", 7, 1, NULL}, {"Y", 1, 6, NULL},                                                                                                    \
    {                                                                                                                                                \
        "H", 0, 1, NULL                                                                                                                              \
    }
#define ADDR_H32                                                                                                                                     \
    {"ADDR_HIGH", 6, 2, NULL},                                                                                                                       \
    {                                                                                                                                                \
        "Y", 0, 6, NULL                                                                                                                              \
    }
#define ADDR_V8                                                                                                                                      \
    {"YBLOCK", 6, 2, NULL}, {"X", 2, 4, NULL},                                                                                                       \
    {                                                                                                                                                \
        "B", 0, 2, NULL                                                                                                                              \
    }
#define ADDR_V16                                                                                                                                     \
    {"ADDR_HIGH", 7, 1, NULL}, {"YBLOCK", 5, 2, NULL}, {"X", 1, 4, NULL},                                                                            \
    {                                                                                                                                                \
        "H", 0, 1, NULL                                                                                                                              \
    }
#define ADDR_V32                                                                                                                                     \
    {"ADDR_HIGH", 6, 2, NULL}, {"YBLOCK", 4, 2, NULL},                                                                                               \
    {                                                                                                                                                \
        "X", 0, 4, NULL                                                                                                                              \
    }

#define WRITE_FIELDS                                                                                                                                 \
    PLACE(VPM_WRITE, ID), PLACE(VPM_WRITE, UNUSED), PLACE(VPM_WRITE, STRIDE), PLACE(VPM_WRITE, HORIZ), PLACE(VPM_WRITE, LANED), PLACE(VPM_WRITE, SIZE)
#define READ_FIELDS                                                                                                                                  \
    PLACE(VPM_READ, ID), PLACE(VPM_READ, UNUSED_HIGH), PLACE(VPM_READ, NUM), PLACE(VPM_READ, UNUSED), PLACE(VPM_READ, STRIDE),                       \
        PLACE(VPM_READ, HORIZ), PLACE(VPM_READ, LANED), PLACE(VPM_READ, SIZE)
#define END_OF_FIELDS                                                                                                                                \
    {                                                                                                                                                \
        NULL, 0, 0, NULL                                                                                                                             \
    }

static const struct bit_field write_h8[] = {WRITE_FIELDS, ADDR_H8, END_OF_FIELDS}, write_h16[] = {WRITE_FIELDS, ADDR_H16, END_OF_FIELDS},
                              write_h32[] = {WRITE_FIELDS, ADDR_H32, END_OF_FIELDS}, write_v8[] = {WRITE_FIELDS, ADDR_V8, END_OF_FIELDS},
                              write_v16[] = {WRITE_FIELDS, ADDR_V16, END_OF_FIELDS}, write_v32[] = {WRITE_FIELDS, ADDR_V32, END_OF_FIELDS};
static const struct bit_field read_h8[] = {READ_FIELDS, ADDR_H8, END_OF_FIELDS}, read_h16[] = {READ_FIELDS, ADDR_H16, END_OF_FIELDS},
                              read_h32[] = {READ_FIELDS, ADDR_H32, END_OF_FIELDS}, read_v8[] = {READ_FIELDS, ADDR_V8, END_OF_FIELDS},
                              read_v16[] = {READ_FIELDS, ADDR_V16, END_OF_FIELDS}, read_v32[] = {READ_FIELDS, ADDR_V32, END_OF_FIELDS};
static const struct bit_field store_fields[] = {VDW_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field store_stride_fields[] = {VDW_STRIDE_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field load_fields[] = {VDR_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field load_pitch_fields[] = {VDR_PITCH_TABLE(ROW) END_OF_FIELDS};

/* The same fields decide the mode in both registers: ID 31:30, HORIZ 11, LANED 10, SIZE 9:8. */
#define MODE_MASK (SETUP_MASK(VPM_WRITE_ID) | SETUP_MASK(VPM_WRITE_HORIZ) | SETUP_MASK(VPM_WRITE_LANED) | SETUP_MASK(VPM_WRITE_SIZE))
#define MODE(name, horiz, laned, size, fields)                                                                                                       \
    {                                                                                                                                                \
        name, MODE_MASK, (horiz) << VPM_WRITE_HORIZ_LOW | (laned) << VPM_WRITE_LANED_LOW | (size) << VPM_WRITE_SIZE_LOW, fields                      \
    }
/* LANED means nothing in 32-bit modes; the words with it set still want names. */
#define MODES(kind)                                                                                                                                  \
    MODE("h8", 1U, 0U, 0U, kind##_h8), MODE("h8-laned", 1U, 1U, 0U, kind##_h8), MODE("h16", 1U, 0U, 1U, kind##_h16),                                 \
        MODE("h16-laned", 1U, 1U, 1U, kind##_h16), MODE("h32", 1U, 0U, 2U, kind##_h32), MODE("h32-laned", 1U, 1U, 2U, kind##_h32),                   \
        MODE("v8", 0U, 0U, 0U, kind##_v8), MODE("v8-laned", 0U, 1U, 0U, kind##_v8), MODE("v16", 0U, 0U, 1U, kind##_v16),                             \
        MODE("v16-laned", 0U, 1U, 1U, kind##_v16), MODE("v32", 0U, 0U, 2U, kind##_v32), MODE("v32-laned", 0U, 1U, 2U, kind##_v32)

#define STORE_MASK (SETUP_MASK(VDW_ID) | SETUP_MASK(VDW_HORIZ))
#define LOAD_MASK  (SETUP_MASK(VDR_ID) | SETUP_MASK(VDR_VERT))

static const struct setup_format write_formats[] = {
    MODES(write),
    {"store-h", STORE_MASK, 2U << VDW_ID_LOW | 1U << VDW_HORIZ_LOW, store_fields},
    {"store-v", STORE_MASK, 2U << VDW_ID_LOW, store_fields},
    {"store-stride", SETUP_MASK(VDW_STRIDE_ID), 3U << VDW_STRIDE_ID_LOW, store_stride_fields},
    {NULL, 0, 0, NULL},
};
static const struct setup_format read_formats[] = {
    MODES(read),
    {"load-pitch", SETUP_MASK(VDR_PITCH_ID), 9U << VDR_PITCH_ID_LOW, load_pitch_fields}, /* before the loads: T37's ID is one of T36's MODEW values */
    {"load-h", LOAD_MASK, 1U << VDR_ID_LOW, load_fields},
    {"load-v", LOAD_MASK, 1U << VDR_ID_LOW | 1U << VDR_VERT_LOW, load_fields},
    {NULL, 0, 0, NULL},
};

const struct setup_format *setup_format_at(enum setup_register which, unsigned i)
{
    const struct setup_format *f = (which == SETUP_WRITE ? write_formats : read_formats) + i;
    return f->name ? f : NULL;
}

const struct setup_format *setup_format_of(enum setup_register which, uint32_t word)
{
    const struct setup_format *f;
    for (unsigned i = 0; (f = setup_format_at(which, i)); i++)
        if ((word & f->mask) == f->match)
            return f;
    return NULL;
}

static uint32_t field_mask(const struct bit_field *f)
{
    return (uint32_t)(((UINT64_C(1) << f->width) - 1) << f->low);
}

void setup_print(enum setup_register which, uint32_t word, struct text *t)
{
    const struct setup_format *format = setup_format_of(which, word);
    if (!format) {
        text_add(t, "0x%08X", (unsigned)word);
        return;
    }
    text_add(t, "%s", format->name);
    for (const struct bit_field *f = format->fields; f->name; f++) {
        uint32_t value = (word & field_mask(f)) >> f->low;
        if ((format->mask & field_mask(f)) == field_mask(f) || value == 0)
            continue;
        text_add(t, " ");
        for (const char *c = f->name; *c; c++)
            text_add(t, "%c", tolower((unsigned char)*c));
        text_add(t, "=%u", (unsigned)value);
    }
}

/* A scanner over the characters of one word's text. */
struct scanner {
    const char *chars;
    size_t count, at, column; /* `column`: of the first character */
};

/* The next token up to a blank or '='; its length, 0 at the end. */
static size_t next_token(struct scanner *s, const char **token)
{
    while (s->at < s->count && (s->chars[s->at] == ' ' || s->chars[s->at] == '\t'))
        s->at++;
    size_t start = s->at;
    *token = s->chars + start;
    while (s->at < s->count && s->chars[s->at] != ' ' && s->chars[s->at] != '\t' && s->chars[s->at] != '=')
        s->at++;
    return s->at - start;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool setup_parse_number(const char *chars, size_t count, uint32_t *value)
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

static bool same_name(const char *name, const char *chars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (name[i] == 0 || tolower((unsigned char)name[i]) != tolower((unsigned char)chars[i]))
            return false;
    return name[count] == 0;
}

static const char *field_name_at(const void *context, unsigned i)
{
    const struct setup_format *format = context;
    unsigned seen = 0;
    for (const struct bit_field *f = format->fields; f->name; f++)
        if ((format->mask & field_mask(f)) != field_mask(f) && seen++ == i)
            return f->name;
    return NULL;
}

static const char *write_format_name_at(const void *context, unsigned i)
{
    (void)context;
    const struct setup_format *f = setup_format_at(SETUP_WRITE, i);
    return f ? f->name : NULL;
}

static const char *read_format_name_at(const void *context, unsigned i)
{
    (void)context;
    const struct setup_format *f = setup_format_at(SETUP_READ, i);
    return f ? f->name : NULL;
}

static bool unknown_format(enum setup_register which, const char *token, size_t length, size_t column, struct error *e)
{
    char word[32];
    size_t n = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, token, n);
    word[n] = 0;
    const bool writes = which == SETUP_WRITE;
    (void)error_unknown(e, writes ? "kind of write setup" : "kind of read setup", word, writes ? write_format_name_at : read_format_name_at, NULL,
                        "write one, such as \"h32\", or the word as a number");
    return error_where(e, "column %zu", column);
}

static bool unknown_field(const struct setup_format *format, const char *token, size_t length, size_t column, struct error *e)
{
    char word[32];
    size_t n = length < sizeof word - 1 ? length : sizeof word - 1;
    for (size_t i = 0; i < n; i++)
        word[i] = (char)toupper((unsigned char)token[i]);
    word[n] = 0;
    return error_set(e, "column %zu: a %s setup has no field '%.*s'%s", column, format->name, (int)n, token,
                     text_hint(word, field_name_at, format).chars);
}

/* Reads "name=value" into the word. */
static bool parse_field(const struct setup_format *format, struct scanner *s, const char *token, size_t length, uint32_t *seen, uint32_t *word,
                        struct error *e)
{
    size_t column = (size_t)(token - s->chars) + s->column;
    const struct bit_field *f = format->fields;
    while (f->name && ((format->mask & field_mask(f)) == field_mask(f) || !same_name(f->name, token, length)))
        f++;
    if (!f->name)
        return unknown_field(format, token, length, column, e);
    if (s->at >= s->count || s->chars[s->at] != '=')
        return error_set(e, "column %zu: expected \"=\" and a number after \"%.*s\"", s->at + s->column, (int)length, token);
    s->at++;
    const char *number;
    size_t at = s->at, digits = next_token(s, &number);
    uint32_t value, most = field_mask(f) >> f->low;
    if (!setup_parse_number(number, digits, &value))
        return error_set(e, "column %zu: expected a decimal or 0x number after \"%.*s=\"", at + s->column, (int)length, token);
    if (value > most)
        return error_set(e, "column %zu: %.*s is at most %u", at + s->column, (int)length, token, (unsigned)most);
    if (*seen & field_mask(f))
        return error_set(e, "column %zu: \"%.*s\" stands twice", column, (int)length, token);
    *seen |= field_mask(f);
    *word |= value << f->low;
    return true;
}

bool setup_parse(enum setup_register which, const char *chars, size_t count, size_t column, uint32_t *word, struct error *e)
{
    struct scanner s = {chars, count, 0, column};
    const char *token;
    size_t length = next_token(&s, &token);
    column += (size_t)(token - chars);
    const struct setup_format *format = NULL;
    if (length == 0)
        return error_set(e, "column %zu: expected a setup, such as \"h32 stride=1 y=2\", or the word as a number", column);
    if (token[0] >= '0' && token[0] <= '9') {
        if (!setup_parse_number(token, length, word))
            return error_set(e, "column %zu: \"%.*s\" is no 32-bit number", column, (int)length, token);
    } else {
        for (unsigned i = 0; (format = setup_format_at(which, i)) && !same_name(format->name, token, length);)
            i++;
        if (!format)
            return unknown_format(which, token, length, column, e);
        *word = format->match;
    }
    uint32_t seen = 0;
    while ((length = next_token(&s, &token)) > 0) {
        if (!format)
            return error_set(e, "column %zu: nothing may follow a word given as a number", (size_t)(token - chars) + s.column);
        if (!parse_field(format, &s, token, length, &seen, word, e))
            return false;
    }
    if (s.at < count)
        return error_set(e, "column %zu: expected a field's name before \"=\"", s.at + s.column);
    if (format && setup_format_of(which, *word) != format)
        return error_set(e, "these fields make a word of another kind (%s); give the word as a number", setup_format_of(which, *word)->name);
    return true;
}
