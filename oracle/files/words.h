/* SPDX-License-Identifier: MIT */
/* Reads files of instruction words: raw little-endian bytes, or hexadecimal text with '#' comments. The text
 * has 8 digits a word in memory order, or 16 digits an instruction with bit 63 first. */
#ifndef MISPRINT_ORACLE_FILES_WORDS_H
#define MISPRINT_ORACLE_FILES_WORDS_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

struct words {
    uint32_t *word; /* free() it */
    size_t count;
};

bool words_look_hexadecimal(const char *bytes, size_t count);

/* Errors name the file, the line and the word. Free `w->word` in any case. */
bool words_read(const char *name, const char *bytes, size_t count, struct words *w, struct error *e);

/* Reads the file NAME, or of "raw:@NAME" its bytes as little-endian words even if they look like text. Free
 * `w->word` in any case. */
bool words_load(const char *source, struct words *w, struct error *e);

#endif
