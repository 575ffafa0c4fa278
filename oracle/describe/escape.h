/* SPDX-License-Identifier: MIT */
/*
 * Escapes text for the languages of reports. Labels, board descriptions and file names come from outside and
 * must never become markup. Every function here writes U+FFFD in place of bytes that are not UTF-8, control
 * characters, and characters that change the direction of writing.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_ESCAPE_H
#define MISPRINT_ORACLE_DESCRIBE_ESCAPE_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>

/* Replaces bad characters, keeps line ends and tabs, and escapes nothing. For JSON strings, because the JSON
 * library quotes them. */
void escape_utf8(struct text *t, const char *chars, size_t count);

/* Makes a JSON string. It replaces bad characters, because the JSON library returns NULL for invalid UTF-8.
 * All text that is not from our own tables must use this function. */
json_t *json_text(const char *chars);

/* For HTML and XML: text, and attribute values in either kind of quotes. Keeps line ends and tabs. */
void escape_xml(struct text *t, const char *chars);
void escape_xml_count(struct text *t, const char *chars, size_t count);
/* Adds markup like printf, and escapes each %s. The flag ' groups the digits of integers (2,795,520). */
void xml_add(struct text *t, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Does the same as xml_add, but escapes each %s by `escape`. Supports the conversions c, d, u, x, X, f, s
 * and %. */
void text_add_escaped(struct text *t, void escape(struct text *t, const char *chars), const char *form,
                      va_list values);

/* For running text in Markdown (CommonMark with tables): makes one line, with a backslash before each
 * punctuation mark that could have a meaning. */
void escape_markdown(struct text *t, const char *chars);
void escape_markdown_count(struct text *t, const char *chars, size_t count);

/* Adds a fenced code block whose fence is longer than any in the text. */
void escape_markdown_block(struct text *t, const char *chars);

/* 2795520 as "2,795,520". */
void text_add_grouped(struct text *t, uint64_t number);

/* Adds one word of a shell command, quoted if necessary. */
void escape_shell(struct text *t, const char *chars);

#endif
