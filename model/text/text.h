/* SPDX-License-Identifier: MIT */
/*
 * Growing text: what the assembler, the case files, the reports and the command
 * print is put together here. Not used while a case runs.
 */
#ifndef MISPRINT_MODEL_TEXT_TEXT_H
#define MISPRINT_MODEL_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *chars; /* NUL terminated once anything was added; NULL before */
    size_t length, capacity;
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_chars(struct text *t, const char *chars, size_t count);
void text_clear(struct text *t); /* keeps the memory */
void text_free(struct text *t);
const char *text_chars(const struct text *t); /* never NULL */

/* The ending of what is counted: "1 case", "2 cases". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#define TEXT_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD, in place of what is no good character */

/*
 * Bytes of the character at `chars` (at least 1). `good`: it is well-formed UTF-8
 * (RFC 3629) and neither a control character (line ends and tabs are good) nor
 * one that turns the direction of writing.
 */
size_t text_character(const char *chars, size_t room, bool *good);

/*
 * Copies a stranger's text into an array of `room` bytes, for one line: cut between characters, what is no
 * good character replaced, line ends and tabs as blanks. How every text from outside gets into a record.
 */
void text_copy_utf8(char *to, size_t room, const char *chars, size_t count);

/*
 * Copies a message without what only one of its kind says: '#' for each number of five digits or more, also
 * hexadecimal ones ("0x" or not) such as stamps and addresses, and for where in a case something is
 * ("instruction 4"). Other short ones (a limit, a row) stay.
 */
void text_kind(char *to, size_t room, const char *message);

/* The same as the end of a sentence: "; did you mean 'NEAREST'?", or "" where none is near. */
struct text_hint {
    char chars[96];
};
struct text_hint text_hint(const char *word, const char *(*name)(const void *context, unsigned i),
                           const void *context);

#endif
