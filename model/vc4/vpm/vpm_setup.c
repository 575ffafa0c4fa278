/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_setup.h"

#include "model/vc4/qpu/encoding/op_text.h"

#include <string.h>

#define PLACE(word, name)                                                                                    \
    {                                                                                                        \
#name, word##_##name##_LOW, word##_##name##_WIDTH, NULL                                              \
    }
#define ROW(word, name, low, width) {#name, low, width, NULL},

/* ADDR by mode (p57 T32): Y is a row; in vertical modes YBLOCK is Y[5:4], a block of 16 rows; ADDR_HIGH is
 * what the mode does not use. */
#define ADDR_H8                                                                                              \
    {"Y", 2, 6, NULL},                                                                                       \
    {                                                                                                        \
        "B", 0, 2, NULL                                                                                      \
    }
#define ADDR_H16                                                                                             \
    {"ADDR_HIGH", 7, 1, NULL}, {"Y", 1, 6, NULL},                                                            \
    {                                                                                                        \
        "H", 0, 1, NULL                                                                                      \
    }
#define ADDR_H32                                                                                             \
    {"ADDR_HIGH", 6, 2, NULL},                                                                               \
    {                                                                                                        \
        "Y", 0, 6, NULL                                                                                      \
    }
#define ADDR_V8                                                                                              \
    {"YBLOCK", 6, 2, NULL}, {"X", 2, 4, NULL},                                                               \
    {                                                                                                        \
        "B", 0, 2, NULL                                                                                      \
    }
#define ADDR_V16                                                                                             \
    {"ADDR_HIGH", 7, 1, NULL}, {"YBLOCK", 5, 2, NULL}, {"X", 1, 4, NULL},                                    \
    {                                                                                                        \
        "H", 0, 1, NULL                                                                                      \
    }
#define ADDR_V32                                                                                             \
    {"ADDR_HIGH", 6, 2, NULL}, {"YBLOCK", 4, 2, NULL},                                                       \
    {                                                                                                        \
        "X", 0, 4, NULL                                                                                      \
    }

#define WRITE_FIELDS                                                                                         \
    PLACE(VPM_WRITE, ID), PLACE(VPM_WRITE, UNUSED), PLACE(VPM_WRITE, STRIDE), PLACE(VPM_WRITE, HORIZ),       \
        PLACE(VPM_WRITE, LANED), PLACE(VPM_WRITE, SIZE)
#define READ_FIELDS                                                                                          \
    PLACE(VPM_READ, ID), PLACE(VPM_READ, UNUSED_HIGH), PLACE(VPM_READ, NUM), PLACE(VPM_READ, UNUSED),        \
        PLACE(VPM_READ, STRIDE), PLACE(VPM_READ, HORIZ), PLACE(VPM_READ, LANED), PLACE(VPM_READ, SIZE)
#define END_OF_FIELDS                                                                                        \
    {                                                                                                        \
        NULL, 0, 0, NULL                                                                                     \
    }

static const struct bit_field write_h8[] = {WRITE_FIELDS, ADDR_H8, END_OF_FIELDS},
                              write_h16[] = {WRITE_FIELDS, ADDR_H16, END_OF_FIELDS},
                              write_h32[] = {WRITE_FIELDS, ADDR_H32, END_OF_FIELDS},
                              write_v8[] = {WRITE_FIELDS, ADDR_V8, END_OF_FIELDS},
                              write_v16[] = {WRITE_FIELDS, ADDR_V16, END_OF_FIELDS},
                              write_v32[] = {WRITE_FIELDS, ADDR_V32, END_OF_FIELDS};
static const struct bit_field read_h8[] = {READ_FIELDS, ADDR_H8, END_OF_FIELDS},
                              read_h16[] = {READ_FIELDS, ADDR_H16, END_OF_FIELDS},
                              read_h32[] = {READ_FIELDS, ADDR_H32, END_OF_FIELDS},
                              read_v8[] = {READ_FIELDS, ADDR_V8, END_OF_FIELDS},
                              read_v16[] = {READ_FIELDS, ADDR_V16, END_OF_FIELDS},
                              read_v32[] = {READ_FIELDS, ADDR_V32, END_OF_FIELDS};
static const struct bit_field store_fields[] = {VDW_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field store_stride_fields[] = {VDW_STRIDE_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field load_fields[] = {VDR_TABLE(ROW) END_OF_FIELDS};
static const struct bit_field load_pitch_fields[] = {VDR_PITCH_TABLE(ROW) END_OF_FIELDS};

/* The same fields decide the mode in both registers: ID 31:30, HORIZ 11, LANED 10, SIZE 9:8. */
#define MODE_MASK                                                                                            \
    (SETUP_MASK(VPM_WRITE_ID) | SETUP_MASK(VPM_WRITE_HORIZ) | SETUP_MASK(VPM_WRITE_LANED) |                  \
     SETUP_MASK(VPM_WRITE_SIZE))
#define MODE(name, horiz, laned, size, fields)                                                               \
    {                                                                                                        \
        name, MODE_MASK,                                                                                     \
            (horiz) << VPM_WRITE_HORIZ_LOW | (laned) << VPM_WRITE_LANED_LOW | (size) << VPM_WRITE_SIZE_LOW,  \
            fields                                                                                           \
    }
/* LANED means nothing in 32-bit modes; the words with it set still want names. */
#define MODES(kind)                                                                                          \
    MODE("h8", 1U, 0U, 0U, kind##_h8), MODE("h8-laned", 1U, 1U, 0U, kind##_h8),                              \
        MODE("h16", 1U, 0U, 1U, kind##_h16), MODE("h16-laned", 1U, 1U, 1U, kind##_h16),                      \
        MODE("h32", 1U, 0U, 2U, kind##_h32), MODE("h32-laned", 1U, 1U, 2U, kind##_h32),                      \
        MODE("v8", 0U, 0U, 0U, kind##_v8), MODE("v8-laned", 0U, 1U, 0U, kind##_v8),                          \
        MODE("v16", 0U, 0U, 1U, kind##_v16), MODE("v16-laned", 0U, 1U, 1U, kind##_v16),                      \
        MODE("v32", 0U, 0U, 2U, kind##_v32), MODE("v32-laned", 0U, 1U, 2U, kind##_v32)

#define STORE_MASK (SETUP_MASK(VDW_ID) | SETUP_MASK(VDW_HORIZ))
#define LOAD_MASK  (SETUP_MASK(VDR_ID) | SETUP_MASK(VDR_VERT))

static const struct word_form write_formats[] = {
    MODES(write),
    {"store-h", STORE_MASK, 2U << VDW_ID_LOW | 1U << VDW_HORIZ_LOW, store_fields},
    {"store-v", STORE_MASK, 2U << VDW_ID_LOW, store_fields},
    {"store-stride", SETUP_MASK(VDW_STRIDE_ID), 3U << VDW_STRIDE_ID_LOW, store_stride_fields},
    {NULL, 0, 0, NULL},
};
static const struct word_form read_formats[] = {
    MODES(read),
    {"load-pitch", SETUP_MASK(VDR_PITCH_ID), 9U << VDR_PITCH_ID_LOW,
     load_pitch_fields}, /* before the loads: T37's ID is one of T36's MODEW values */
    {"load-h", LOAD_MASK, 1U << VDR_ID_LOW, load_fields},
    {"load-v", LOAD_MASK, 1U << VDR_ID_LOW | 1U << VDR_VERT_LOW, load_fields},
    {NULL, 0, 0, NULL},
};

const struct word_form *setup_format_at(enum setup_register which, unsigned i)
{
    const struct word_form *f = (which == SETUP_WRITE ? write_formats : read_formats) + i;
    return f->name ? f : NULL;
}

const struct word_form *setup_format_of(enum setup_register which, uint32_t word)
{
    const struct word_form *f;
    for (unsigned i = 0; (f = setup_format_at(which, i)); i++)
        if ((word & f->mask) == f->match)
            return f;
    return NULL;
}

void setup_print(enum setup_register which, uint32_t word, struct text *t)
{
    const struct word_form *format = setup_format_of(which, word);
    if (!format) {
        text_add(t, "0x%08X", (unsigned)word);
        return;
    }
    text_add(t, "%s", format->name);
    word_print(format, word, t);
}

static const char *format_name_at(const void *which, unsigned i)
{
    const struct word_form *f = setup_format_at(*(const enum setup_register *)which, i);
    return f ? f->name : NULL;
}

static bool unknown_format(enum setup_register which, const char *name, size_t length, size_t column,
                           struct error *e)
{
    char word[32];
    size_t n = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, name, n);
    word[n] = 0;
    (void)error_unknown(e, which == SETUP_WRITE ? "kind of write setup" : "kind of read setup", word,
                        format_name_at, &which, "write one, such as \"h32\", or the word as a number");
    return error_where(e, "column %zu", column);
}

bool setup_parse(enum setup_register which, const char *chars, size_t count, size_t column, uint32_t *word,
                 struct error *e)
{
    struct op_line line = {chars, count, 0};
    const char *name;
    size_t length = op_word(&line, &name);
    size_t at = column + (size_t)(name - chars);
    if (length == 0)
        return error_set(
            e, "column %zu: expected a setup, such as \"h32 stride=1 y=2\", or the word as a number", at);
    if (name[0] >= '0' && name[0] <= '9') {
        if (!op_parse_number(name, length, word))
            return error_set(e, "column %zu: \"%.*s\" is no 32-bit number", at, (int)length, name);
        return op_word(&line, &name) == 0 ||
               error_set(e, "column %zu: nothing may follow a word given as a number",
                         column + (size_t)(name - chars));
    }
    const struct word_form *format;
    for (unsigned i = 0; (format = setup_format_at(which, i)) && !word_is_name(format->name, name, length);)
        i++;
    if (!format)
        return unknown_format(which, name, length, at, e);
    if (!word_parse(format, chars + line.at, count - line.at, column + line.at, word, e))
        return false;
    return setup_format_of(which, *word) == format ||
           error_set(e, "these fields make a word of another kind (%s); give the word as a number",
                     setup_format_of(which, *word)->name);
}

uint32_t setup_stay_in_rows(uint32_t word, uint32_t vectors)
{
    uint32_t size = SETUP_FIELD(word, VPM_WRITE_SIZE),
             room = size == 2 ? 64 : 128; /* values of ADDR up to row 63 */
    uint32_t address = SETUP_FIELD(word, VPM_WRITE_ADDR) % room, stride = SETUP_FIELD(word, VPM_WRITE_STRIDE);
    if (size == 0 || size == 3) /* ADDR of 8-bit modes has no bit more */
        return word;
    if (address + (vectors - 1) * setup_count(stride, 64) >= room) {
        stride = 1;
        address = address < room - vectors ? address : room - vectors;
    }
    word &= ~(SETUP_MASK(VPM_WRITE_ADDR) | SETUP_MASK(VPM_WRITE_STRIDE));
    return word | address << VPM_WRITE_ADDR_LOW | stride << VPM_WRITE_STRIDE_LOW;
}

uint32_t setup_mend_write(uint32_t word)
{
    enum { VECTORS = 4 };
    return SETUP_FIELD(word, VPM_WRITE_ID) == 0 ? setup_stay_in_rows(word, VECTORS) : word;
}

uint32_t setup_mend_read(uint32_t word)
{
    bool block = SETUP_FIELD(word, VPM_READ_ID) == 0;
    return block ? setup_stay_in_rows(word, setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16)) : word;
}
