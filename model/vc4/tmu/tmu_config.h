/* SPDX-License-Identifier: MIT */
/*
 * The texture parameters that uniforms supply: the places of their fields, and their text form (p41-42
 * T15-T17). One table for each word gives decoding, text and pictures. tmu_texture.c says what the fields do.
 *
 * TMU_FIELD(word, P1_WIDTH) is the value of a field.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_CONFIG_H
#define MISPRINT_MODEL_VC4_TMU_TMU_CONFIG_H

#include "model/vc4/word_text.h"

/* clang-format off */
/* Rows: a field as the manual spells it, its lowest bit, its width. */
#define TMU_P0_TABLE(F) /* T15 */ \
    F(P0, BASE, 12, 20) F(P0, CSWIZ, 10, 2) F(P0, CMMODE, 9, 1) F(P0, FLIPY, 8, 1) F(P0, TYPE, 4, 4) \
    F(P0, MIPLVLS, 0, 4)
#define TMU_P1_TABLE(F) /* T16 */ \
    F(P1, TYPE4, 31, 1) F(P1, HEIGHT, 20, 11) F(P1, ETCFLIP, 19, 1) F(P1, WIDTH, 8, 11) F(P1, MAGFILT, 7, 1) \
    F(P1, MINFILT, 4, 3) F(P1, WRAP_T, 2, 2) F(P1, WRAP_S, 0, 2)
/* T17, PTYPE 0 to 3 */
#define TMU_UNUSED_TABLE(F) F(UNUSED, PTYPE, 30, 2) F(UNUSED, BITS, 0, 30)
#define TMU_CUBE_TABLE(F) \
    F(CUBE, PTYPE, 30, 2) F(CUBE, CMST, 12, 18) F(CUBE, RESERVED, 1, 11) F(CUBE, BSLOD, 0, 1)
#define TMU_CHILD_SIZE_TABLE(F) \
    F(CHILD_SIZE, PTYPE, 30, 2) F(CHILD_SIZE, RESERVED_HIGH, 23, 7) F(CHILD_SIZE, CHEIGHT, 12, 11) \
    F(CHILD_SIZE, RESERVED, 11, 1) F(CHILD_SIZE, CWIDTH, 0, 11)
#define TMU_CHILD_OFFSET_TABLE(F) \
    F(CHILD_OFFSET, PTYPE, 30, 2) F(CHILD_OFFSET, RESERVED_HIGH, 23, 7) F(CHILD_OFFSET, CYOFF, 12, 11) \
    F(CHILD_OFFSET, RESERVED, 11, 1) F(CHILD_OFFSET, CXOFF, 0, 11)

#define TMU_FIELD_PLACE(word, name, low, width) \
    TMU_##word##_##name##_LOW = (low), TMU_##word##_##name##_WIDTH = (width),
enum {
    TMU_P0_TABLE(TMU_FIELD_PLACE)
    TMU_P1_TABLE(TMU_FIELD_PLACE)
    TMU_UNUSED_TABLE(TMU_FIELD_PLACE)
    TMU_CUBE_TABLE(TMU_FIELD_PLACE)
    TMU_CHILD_SIZE_TABLE(TMU_FIELD_PLACE)
    TMU_CHILD_OFFSET_TABLE(TMU_FIELD_PLACE)
};
/* clang-format on */

#define TMU_MASK(field)        ((uint32_t)((UINT64_C(1) << TMU_##field##_WIDTH) - 1U) << TMU_##field##_LOW)
#define TMU_FIELD(word, field) (((uint32_t)(word)&TMU_MASK(field)) >> TMU_##field##_LOW)
#define TMU_PUT(field, value)  ((uint32_t)(value) << TMU_##field##_LOW & TMU_MASK(field))

enum tmu_ptype { TMU_PTYPE_UNUSED, TMU_PTYPE_CUBE, TMU_PTYPE_CHILD_SIZE, TMU_PTYPE_CHILD_OFFSET };
enum tmu_wrap { TMU_WRAP_REPEAT, TMU_WRAP_CLAMP, TMU_WRAP_MIRROR, TMU_WRAP_BORDER };
enum tmu_min_filter {
    TMU_MIN_LINEAR,
    TMU_MIN_NEAREST,
    TMU_MIN_NEAREST_MIP_NEAREST,
    TMU_MIN_NEAREST_MIP_LINEAR,
    TMU_MIN_LINEAR_MIP_NEAREST,
    TMU_MIN_LINEAR_MIP_LINEAR,
    TMU_MIN_RESERVED
};
enum { TMU_MAG_LINEAR, TMU_MAG_NEAREST };

/* The kinds of parameter word. */
enum tmu_form {
    TMU_FORM_P0,
    TMU_FORM_P1,
    TMU_FORM_UNUSED,
    TMU_FORM_CUBE,
    TMU_FORM_CHILD_SIZE,
    TMU_FORM_CHILD_OFFSET,
    TMU_FORMS
};

extern const struct word_form tmu_words[TMU_FORMS];

/* The form of a word that is parameter 2 or 3, by its PTYPE. */
enum tmu_form tmu_form_of(uint32_t word);

#endif
