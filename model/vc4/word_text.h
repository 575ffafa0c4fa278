/* SPDX-License-Identifier: MIT */
/*
 * The text of words that are made of named bit fields, such as the VPM's setups
 * (vpm_setup.c) and texture parameters (tmu_config.c): "field=value" for each
 * field that is not 0, the names in lower case with - for _. Loss-free, as long
 * as every bit is in a field or in the form's mask.
 */
#ifndef MISPRINT_MODEL_VC4_WORD_TEXT_H
#define MISPRINT_MODEL_VC4_WORD_TEXT_H

#include "model/core/case.h"
#include "model/core/error.h"
#include "model/text/text.h"

/* One kind of word: all with (word & mask) == match. Every bit outside the mask is in exactly one field. */
struct word_form {
    const char *name; /* in the text: "h8-laned", "load-pitch", "p0" */
    uint32_t mask, match;
    const struct bit_field *fields; /* all 32 bits, those of the mask included */
};

/* The fields alone, each after a blank: " stride=1 y=2". */
void word_print(const struct word_form *form, uint32_t word, struct text *t);

/* The word of this form whose fields the characters name, in any order. In errors, `column` is that of the
 * first of the characters. */
bool word_parse(const struct word_form *form, const char *chars, size_t count, size_t column, uint32_t *word,
                struct error *e);

/* Is this the name, in capitals or not, with - or _? */
bool word_is_name(const char *name, const char *chars, size_t count);

#endif
