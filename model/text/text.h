/* SPDX-License-Identifier: MIT */
/*
 * Growing text, for the output of the assembler, case files, reports and the
 * command. Not used while a case runs.
 */
#ifndef MISPRINT_MODEL_TEXT_TEXT_H
#define MISPRINT_MODEL_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *chars; /* NUL-terminated; NULL while empty */
    size_t length, capacity;
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_chars(struct text *t, const char *chars, size_t count);
void text_clear(struct text *t); /* keeps the memory */
void text_free(struct text *t);
const char *text_chars(const struct text *t); /* never NULL */

/* Returns the ending of a counted noun: "1 case", "2 cases". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#define TEXT_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/*
 * Returns the length of the character at `chars` in bytes, at least 1. Sets `good` if it is well-formed UTF-8
 * (RFC 3629), is no control character other than line ends and tabs, and does not change the writing
 * direction.
 */
size_t text_character(const char *chars, size_t room, bool *good);

/*
 * Copies text from outside into an array of `room` bytes as one line. Truncates the text between characters,
 * and replaces bad characters by U+FFFD, line ends and tabs by blanks. Every record that stores text from
 * outside must use this function.
 */
void text_copy_utf8(char *to, size_t room, const char *chars, size_t count);

/*
 * Copies a message so that messages that differ only in numbers become equal. Replaces these numbers by '#':
 * numbers of five digits or more, also hexadecimal ones with or without "0x" (stamps, addresses), and the
 * numbers of places in a case ("instruction 4"). Other short numbers (a limit, a row) stay.
 */
void text_kind(char *to, size_t room, const char *message);

/* Returns the known name nearest to `word` by edit distance; NULL if none is near. name(context, i) returns
 * the known names in order, then NULL. */
const char *text_nearest(const char *word, const char *(*name)(const void *context, unsigned i),
                         const void *context);

/* The end of a message about an unknown word: "; did you mean 'NEAREST'?", or "" if no name is near. */
struct text_hint {
    char chars[96];
};
struct text_hint text_hint(const char *word, const char *(*name)(const void *context, unsigned i),
                           const void *context);

#endif
