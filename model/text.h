/* SPDX-License-Identifier: MIT */
/*
 * Growing text: what the assembler, the case files, the reports and the command
 * print is put together here. Not used while a case runs.
 */
#ifndef MISPRINT_MODEL_TEXT_H
#define MISPRINT_MODEL_TEXT_H

#include <stddef.h>

struct text {
    char *chars; /* NUL terminated once anything was added; NULL before */
    size_t length, capacity;
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_chars(struct text *t, const char *chars, size_t count);
void text_clear(struct text *t); /* keeps the memory */
void text_free(struct text *t);
const char *text_chars(const struct text *t); /* never NULL */

/*
 * The candidate nearest to `word` by edit distance, for "did you mean" in
 * errors; NULL when none is near. `name(context, i)` is NULL at the end of the list.
 */
const char *text_nearest(const char *word, const char *(*name)(const void *context, unsigned i), const void *context);

#endif
