/* SPDX-License-Identifier: MIT */
/*
 * Reads the words of a line that describes one operation of a unit without programs. A line has blanks
 * between words, "NAME=number", or "raw" and two words. unit_vpm_code.c and unit_tmu_code.c define the
 * operations.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ENCODING_OP_TEXT_H
#define MISPRINT_MODEL_VC4_QPU_ENCODING_OP_TEXT_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

struct op_line {
    const char *chars;
    size_t count, at; /* `at`: index of the next character */
};

size_t op_word(struct op_line *s, const char **word); /* the next word's length; 0 at the end */
bool op_word_is(const char *word, size_t length, const char *name);
size_t op_column(const struct op_line *s, const char *word); /* from 1 */

/* Reads a decimal or 0x hexadecimal number of at most 32 bits. False if other characters follow it. */
bool op_parse_number(const char *chars, size_t count, uint32_t *value);

/* The following functions name the column in their errors. */
bool op_parse_named(const struct op_line *s, const char *word, size_t length, const char *name,
                    uint32_t *value, struct error *e); /* "NAME=number" */
/* Reads two words of up to eight hexadecimal digits. */
bool op_parse_raw(struct op_line *s, uint32_t words[2], struct error *e);
bool op_parse_end(struct op_line *s, struct error *e);
/* Sets the error "unknown operation" and returns false. `name_at` as for text_hint. */
bool op_unknown(const struct op_line *s, const char *word, size_t length,
                const char *(*name_at)(const void *context, unsigned i), struct error *e);

#endif
