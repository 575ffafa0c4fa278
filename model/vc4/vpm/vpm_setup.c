/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_setup.h"

#include "model/vc4/qpu/encoding/op_text.h"

#include <stdio.h>

#define ROW(word, name, low, width) {#name, low, width, NULL},

/*
 * ADDR by mode (p57 T32). Y is a row. In vertical modes YBLOCK is Y[5:4], a block of 16 rows. ADDR_HIGH
 * has the bits that the mode does not use.
 */
#define ADDR_H8  ROW(, Y, 2, 6) ROW(, B, 0, 2)
#define ADDR_H16 ROW(, ADDR_HIGH, 7, 1) ROW(, Y, 1, 6) ROW(, H, 0, 1)
#define ADDR_H32 ROW(, ADDR_HIGH, 6, 2) ROW(, Y, 0, 6)
#define ADDR_V8  ROW(, YBLOCK, 6, 2) ROW(, X, 2, 4) ROW(, B, 0, 2)
#define ADDR_V16 ROW(, ADDR_HIGH, 7, 1) ROW(, YBLOCK, 5, 2) ROW(, X, 1, 4) ROW(, H, 0, 1)
#define ADDR_V32 ROW(, ADDR_HIGH, 6, 2) ROW(, YBLOCK, 4, 2) ROW(, X, 0, 4)

/* clang-format off */
enum { H8, H16, H32, V8, V16, V32, BLOCK_FORMATS };
#define BLOCK_FIELDS(table) { \
    [H8] = {table(ROW) ADDR_H8}, [H16] = {table(ROW) ADDR_H16}, [H32] = {table(ROW) ADDR_H32}, \
    [V8] = {table(ROW) ADDR_V8}, [V16] = {table(ROW) ADDR_V16}, [V32] = {table(ROW) ADDR_V32}, \
}
enum { BLOCK_FIELDS_MAX = 13 }; /* including the empty one at the end */
typedef struct bit_field block_fields[BLOCK_FORMATS][BLOCK_FIELDS_MAX];
static const block_fields write_fields = BLOCK_FIELDS(VPM_WRITE_MODE_TABLE);
static const block_fields read_fields = BLOCK_FIELDS(VPM_READ_MODE_TABLE);
static const struct bit_field store_fields[] = {VDW_TABLE(ROW) {0}};
static const struct bit_field store_stride_fields[] = {VDW_STRIDE_TABLE(ROW) {0}};
static const struct bit_field load_fields[] = {VDR_TABLE(ROW) {0}};
static const struct bit_field load_pitch_fields[] = {VDR_PITCH_TABLE(ROW) {0}};

/* The same fields decide the mode in both registers: ID 31:30, HORIZ 11, LANED 10, SIZE 9:8. */
#define MODE_MASK (SETUP_MASK(VPM_WRITE_ID) | SETUP_MASK(VPM_WRITE_HORIZ) | \
                   SETUP_MASK(VPM_WRITE_LANED) | SETUP_MASK(VPM_WRITE_SIZE))
#define MODE(name, horiz, size, fields) \
    {name, MODE_MASK, (horiz) << VPM_WRITE_HORIZ_LOW | (size) << VPM_WRITE_SIZE_LOW, fields}, \
    {name "-laned", MODE_MASK, (horiz) << VPM_WRITE_HORIZ_LOW | 1U << VPM_WRITE_LANED_LOW | \
                               (size) << VPM_WRITE_SIZE_LOW, fields},
/* LANED has no effect in 32-bit modes, but words with this bit need a name, too. */
#define MODES(fields) \
    MODE("h8", 1U, 0U, fields[H8]) MODE("h16", 1U, 1U, fields[H16]) MODE("h32", 1U, 2U, fields[H32]) \
    MODE("v8", 0U, 0U, fields[V8]) MODE("v16", 0U, 1U, fields[V16]) MODE("v32", 0U, 2U, fields[V32])

#define STORE_MASK (SETUP_MASK(VDW_ID) | SETUP_MASK(VDW_HORIZ))
#define LOAD_MASK  (SETUP_MASK(VDR_ID) | SETUP_MASK(VDR_VERT))

static const struct word_form write_formats[] = {
    MODES(write_fields)
    {"store-h", STORE_MASK, 2U << VDW_ID_LOW | 1U << VDW_HORIZ_LOW, store_fields},
    {"store-v", STORE_MASK, 2U << VDW_ID_LOW, store_fields},
    {"store-stride", SETUP_MASK(VDW_STRIDE_ID), 3U << VDW_STRIDE_ID_LOW, store_stride_fields},
    {0},
};
static const struct word_form read_formats[] = {
    MODES(read_fields)
    /* before the loads, whose forms match pitch words, too: T37's ID 9 is T36's ID 1 with MODEW 1 */
    {"load-pitch", SETUP_MASK(VDR_PITCH_ID), 9U << VDR_PITCH_ID_LOW, load_pitch_fields},
    {"load-h", LOAD_MASK, 1U << VDR_ID_LOW, load_fields},
    {"load-v", LOAD_MASK, 1U << VDR_ID_LOW | 1U << VDR_VERT_LOW, load_fields},
    {0},
};
/* clang-format on */

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
    (void)snprintf(word, sizeof word, "%.*s", (int)length, name);
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
            return error_set(e, "column %zu: \"%.*s\" is not a 32-bit number", at, (int)length, name);
        return op_word(&line, &name) == 0 ||
               error_set(e, "column %zu: nothing may follow a setup word that is a number",
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
           error_set(e, "these fields make a setup of another kind (%s); write the word as a number",
                     setup_format_of(which, *word)->name);
}

/* Changes ADDR and STRIDE so that `vectors` vectors stay in rows 0 to 63. In 8-bit modes every ADDR is in
 * these rows. */
static uint32_t stay_in_rows(uint32_t word, uint32_t vectors)
{
    uint32_t size = SETUP_FIELD(word, VPM_WRITE_SIZE), end = size == 2 ? 64 : 128; /* ADDR after row 63 */
    uint32_t address = SETUP_FIELD(word, VPM_WRITE_ADDR) % end, stride = SETUP_FIELD(word, VPM_WRITE_STRIDE);
    if (SETUP_FIELD(word, VPM_WRITE_ID) != 0 || size == 0 || size == 3)
        return word;
    if (address + (vectors - 1) * setup_count(stride, 64) >= end) {
        stride = 1;
        address = address < end - vectors ? address : end - vectors;
    }
    word &= ~(SETUP_MASK(VPM_WRITE_ADDR) | SETUP_MASK(VPM_WRITE_STRIDE));
    return word | address << VPM_WRITE_ADDR_LOW | stride << VPM_WRITE_STRIDE_LOW;
}

uint32_t setup_mend_write(uint32_t word)
{
    return stay_in_rows(word, 4);
}

uint32_t setup_mend_read(uint32_t word)
{
    return stay_in_rows(word, setup_count(SETUP_FIELD(word, VPM_READ_NUM), 16));
}
