/* SPDX-License-Identifier: MIT */
/*
 * The setup words of the VPM and of its DMA: the places of their fields, and their text form. One table for
 * each word gives decoding, text and pictures. vpm.c (block access) and vcd.c (DMA) say what the fields do.
 *
 * SETUP_FIELD(word, VDW_DEPTH) is the value of a field.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_SETUP_H
#define MISPRINT_MODEL_VC4_VPM_VPM_SETUP_H

#include "model/vc4/word_text.h"

/* clang-format off */
/* Rows: a field as the manual spells it, its lowest bit, its width. A split field (VPMBASE, ADDRXY) has a row
 * for each of its parts. */
#define VPM_WRITE_MODE_TABLE(F) /* p57 T32, without ADDR */ \
    F(VPM_WRITE, ID, 30, 2) F(VPM_WRITE, UNUSED, 18, 12) F(VPM_WRITE, STRIDE, 12, 6) \
    F(VPM_WRITE, HORIZ, 11, 1) F(VPM_WRITE, LANED, 10, 1) F(VPM_WRITE, SIZE, 8, 2)
#define VPM_READ_MODE_TABLE(F) /* p58 T33, without ADDR; bits 17:0 as in T32 */ \
    F(VPM_READ, ID, 30, 2) F(VPM_READ, UNUSED_HIGH, 24, 6) F(VPM_READ, NUM, 20, 4) \
    F(VPM_READ, UNUSED, 18, 2) F(VPM_READ, STRIDE, 12, 6) F(VPM_READ, HORIZ, 11, 1) \
    F(VPM_READ, LANED, 10, 1) F(VPM_READ, SIZE, 8, 2)
#define VPM_ADDR_TABLE(F) F(VPM_WRITE, ADDR, 0, 8) F(VPM_READ, ADDR, 0, 8)
#define VDW_TABLE(F) /* p58 T34 */ \
    F(VDW, ID, 30, 2) F(VDW, UNITS, 23, 7) F(VDW, DEPTH, 16, 7) F(VDW, LANED, 15, 1) F(VDW, HORIZ, 14, 1) \
    F(VDW, Y, 7, 7) F(VDW, X, 3, 4) F(VDW, MODEW, 0, 3)
#define VDW_STRIDE_TABLE(F) /* p59 T35, which gives STRIDE 13 bits: see clause vdw-stride-width */ \
    F(VDW_STRIDE, ID, 30, 2) F(VDW_STRIDE, UNUSED, 17, 13) F(VDW_STRIDE, BLOCKMODE, 16, 1) \
    F(VDW_STRIDE, STRIDE, 0, 16)
#define VDR_TABLE(F) /* p59 T36 */ \
    F(VDR, ID, 31, 1) F(VDR, MODEW, 28, 3) F(VDR, MPITCH, 24, 4) F(VDR, ROWLEN, 20, 4) F(VDR, NROWS, 16, 4) \
    F(VDR, VPITCH, 12, 4) F(VDR, VERT, 11, 1) F(VDR, Y, 4, 7) F(VDR, X, 0, 4)
#define VDR_PITCH_TABLE(F) /* p60 T37 */ \
    F(VDR_PITCH, ID, 28, 4) F(VDR_PITCH, UNUSED, 13, 15) F(VDR_PITCH, MPITCHB, 0, 13)

#define SETUP_FIELD_PLACE(word, name, low, width) \
    word##_##name##_LOW = (low), word##_##name##_WIDTH = (width),
enum {
    VPM_WRITE_MODE_TABLE(SETUP_FIELD_PLACE)
    VPM_READ_MODE_TABLE(SETUP_FIELD_PLACE)
    VPM_ADDR_TABLE(SETUP_FIELD_PLACE)
    VDW_TABLE(SETUP_FIELD_PLACE)
    VDW_STRIDE_TABLE(SETUP_FIELD_PLACE)
    VDR_TABLE(SETUP_FIELD_PLACE)
    VDR_PITCH_TABLE(SETUP_FIELD_PLACE)
};
/* clang-format on */

#define SETUP_MASK(field)        (((1U << field##_WIDTH) - 1U) << field##_LOW)
#define SETUP_FIELD(word, field) (((uint32_t)(word) >> field##_LOW) & ((1U << field##_WIDTH) - 1U))

/* A block setup for whole rows: horizontal, 32 bits, STRIDE 1; ADDR is the first row. */
#define SETUP_WHOLE_ROWS (1U << VPM_WRITE_STRIDE_LOW | 1U << VPM_WRITE_HORIZ_LOW | 2U << VPM_WRITE_SIZE_LOW)

/*
 * Changes ADDR and STRIDE of a block setup, if necessary, so that its vectors stay in rows 0 to 63. Clause
 * vpm-addr-high-bits leaves open where vectors beyond row 63 are, so no case with such vectors may run on
 * hardware. Other words stay the same. A write setup does not say how many vectors follow; it is made to fit
 * four.
 */
uint32_t setup_mend_write(uint32_t word);
uint32_t setup_mend_read(uint32_t word);

/* The count in a field, where the manual gives 0 the meaning `zero_means`. */
static inline uint32_t setup_count(uint32_t field, uint32_t zero_means)
{
    return field ? field : zero_means;
}

enum setup_register { SETUP_WRITE, SETUP_READ }; /* VPMVCD_WR_SETUP, VPMVCD_RD_SETUP */

/* The format of a word. NULL if the manual does not define it; then its text is the bare number. */
const struct word_form *setup_format_of(enum setup_register which, uint32_t word);
/* The formats in listing order; NULL after the last. */
const struct word_form *setup_format_at(enum setup_register which, unsigned i);

/*
 * The text of a word: the format's name, then its fields (word_text.h), as in
 * "h32 stride=1 y=2" and "store-h units=7 depth=16"; or a bare number for the
 * whole word. Unused bits are fields too, so nothing is lost. `column` is that of
 * the first character, for errors.
 */
void setup_print(enum setup_register which, uint32_t word, struct text *t);
bool setup_parse(enum setup_register which, const char *chars, size_t count, size_t column, uint32_t *word,
                 struct error *e);

#endif
