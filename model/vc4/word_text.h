/* SPDX-License-Identifier: MIT */
/*
 * The text of words with named bit fields, such as VPM setups (vpm_setup.c) and texture parameters
 * (tmu_config.c): "field=value" for each field that is not 0, with names in lower case and - for _. The text
 * keeps every bit that is in a field or in the form's mask.
 */
#ifndef MISPRINT_MODEL_VC4_WORD_TEXT_H
#define MISPRINT_MODEL_VC4_WORD_TEXT_H

#include "model/core/case.h"
#include "model/core/error.h"
#include "model/text/text.h"

/* A kind of word: all words with (word & mask) == match. Every bit outside the mask is in exactly one
 * field. */
struct word_form {
    const char *name; /* in the text: "h8-laned", "load-pitch", "p0" */
    uint32_t mask, match;
    const struct bit_field *fields; /* all 32 bits, those of the mask included */
};

/* Prints the fields, each preceded by a blank: " stride=1 y=2". */
void word_print(const struct word_form *form, uint32_t word, struct text *t);

/* Reads fields in any order into a word of this form. `column`: of the first character, for errors. */
bool word_parse(const struct word_form *form, const char *chars, size_t count, size_t column, uint32_t *word,
                struct error *e);

/* Do the characters spell this name? Ignores case, and treats - and _ as equal. */
bool word_is_name(const char *name, const char *chars, size_t count);

#endif
