/* SPDX-License-Identifier: MIT */
/*
 * The setup words of the VPM and of its DMA: where their fields lie, and their
 * text. One table a word; the model's decoding, the text form and the pictures
 * are all made from it. What the fields do: vpm.c (block access), vcd.c (DMA).
 *
 * A field's place is had by SETUP_FIELD(word, VDW_DEPTH).
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_SETUP_H
#define MISPRINT_MODEL_VC4_VPM_VPM_SETUP_H

#include "model/vc4/word_text.h"

/* Each table row: field as the manual spells it, lowest bit, width. Split fields (VPMBASE, ADDRXY) stand
 * under the names of their parts. */
#define VPM_WRITE_TABLE(F) /* p57 T32 */                                                                     \
    F(VPM_WRITE, ID, 30, 2)                                                                                  \
    F(VPM_WRITE, UNUSED, 18, 12)                                                                             \
    F(VPM_WRITE, STRIDE, 12, 6)                                                                              \
    F(VPM_WRITE, HORIZ, 11, 1) F(VPM_WRITE, LANED, 10, 1) F(VPM_WRITE, SIZE, 8, 2) F(VPM_WRITE, ADDR, 0, 8)
#define VPM_READ_TABLE(F) /* p58 T33; bits 17:0 as in T32 */                                                 \
    F(VPM_READ, ID, 30, 2)                                                                                   \
    F(VPM_READ, UNUSED_HIGH, 24, 6)                                                                          \
    F(VPM_READ, NUM, 20, 4)                                                                                  \
    F(VPM_READ, UNUSED, 18, 2)                                                                               \
    F(VPM_READ, STRIDE, 12, 6)                                                                               \
    F(VPM_READ, HORIZ, 11, 1) F(VPM_READ, LANED, 10, 1) F(VPM_READ, SIZE, 8, 2) F(VPM_READ, ADDR, 0, 8)
#define VDW_TABLE(F) /* p58 T34 */                                                                           \
    F(VDW, ID, 30, 2)                                                                                        \
    F(VDW, UNITS, 23, 7)                                                                                     \
    F(VDW, DEPTH, 16, 7)                                                                                     \
    F(VDW, LANED, 15, 1) F(VDW, HORIZ, 14, 1) F(VDW, Y, 7, 7) F(VDW, X, 3, 4) F(VDW, MODEW, 0, 3)
#define VDW_STRIDE_TABLE(F) /* p59 T35, which gives STRIDE 13 bits: see clause vdw-stride-width */           \
    F(VDW_STRIDE, ID, 30, 2)                                                                                 \
    F(VDW_STRIDE, UNUSED, 17, 13) F(VDW_STRIDE, BLOCKMODE, 16, 1) F(VDW_STRIDE, STRIDE, 0, 16)
#define VDR_TABLE(F) /* p59 T36 */                                                                           \
    F(VDR, ID, 31, 1)                                                                                        \
    F(VDR, MODEW, 28, 3)                                                                                     \
    F(VDR, MPITCH, 24, 4)                                                                                    \
    F(VDR, ROWLEN, 20, 4)                                                                                    \
    F(VDR, NROWS, 16, 4) F(VDR, VPITCH, 12, 4) F(VDR, VERT, 11, 1) F(VDR, Y, 4, 7) F(VDR, X, 0, 4)
#define VDR_PITCH_TABLE(F) /* p60 T37 */                                                                     \
    F(VDR_PITCH, ID, 28, 4) F(VDR_PITCH, UNUSED, 13, 15) F(VDR_PITCH, MPITCHB, 0, 13)

#define SETUP_FIELD_PLACE(word, name, low, width)                                                            \
    word##_##name##_LOW = (low), word##_##name##_WIDTH = (width),
enum {
    VPM_WRITE_TABLE(SETUP_FIELD_PLACE) VPM_READ_TABLE(SETUP_FIELD_PLACE) VDW_TABLE(SETUP_FIELD_PLACE)
        VDW_STRIDE_TABLE(SETUP_FIELD_PLACE) VDR_TABLE(SETUP_FIELD_PLACE) VDR_PITCH_TABLE(SETUP_FIELD_PLACE)
};

#define SETUP_MASK(field)        (((1U << field##_WIDTH) - 1U) << field##_LOW)
#define SETUP_FIELD(word, field) (((uint32_t)(word) >> field##_LOW) & ((1U << field##_WIDTH) - 1U))

/*
 * The block setup with ADDR and STRIDE changed, if need be, so that `vectors` vectors stay in rows 0 to 63.
 * Where they run on, clause vpm-addr-high-bits leaves open where to, and no such case may run on hardware.
 */
uint32_t setup_stay_in_rows(uint32_t word, uint32_t vectors);
/* The same of any setup word: only block setups change; of writes for four vectors, because a setup does not
 * say how many come. */
uint32_t setup_mend_write(uint32_t word);
uint32_t setup_mend_read(uint32_t word);

/* The field's number n, where 0 stands for `zero_means`. */
static inline uint32_t setup_count(uint32_t field, uint32_t zero_means)
{
    return field ? field : zero_means;
}

enum setup_register { SETUP_WRITE, SETUP_READ }; /* VPMVCD_WR_SETUP, VPMVCD_RD_SETUP */

/* The format of a word; NULL if the manual defines none (then the text form is the number). */
const struct word_form *setup_format_of(enum setup_register which, uint32_t word);
/* Formats in listing order; NULL after the last. */
const struct word_form *setup_format_at(enum setup_register which, unsigned i);

/*
 * The text of a word: the format's name, then its fields (word_text.h): "h32
 * stride=1 y=2", "store-h units=7 depth=16"; or a bare number, the whole word.
 * Loss-free: unused bits are fields too. In errors, `column` is that of the
 * first of the characters.
 */
void setup_print(enum setup_register which, uint32_t word, struct text *t);
bool setup_parse(enum setup_register which, const char *chars, size_t count, size_t column, uint32_t *word,
                 struct error *e);

#endif
