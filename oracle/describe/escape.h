/* SPDX-License-Identifier: MIT */
/*
 * Makes text safe for the languages that reports are written in. Labels, board descriptions and file names
 * come from outside, and none of them may become markup. In all forms, bytes that are not UTF-8, control
 * characters and characters that change the direction of writing become U+FFFD.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_ESCAPE_H
#define MISPRINT_ORACLE_DESCRIBE_ESCAPE_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>

/* Cleaned only; line ends and tabs stay. For JSON strings, whose quoting the JSON library does. */
void escape_utf8(struct text *t, const char *chars, size_t count);

/* A cleaned JSON string, never NULL for want of valid UTF-8. Everything that is not from our own tables gets
 * into JSON through it. */
json_t *json_text(const char *chars);

/* For HTML and XML, in text and between quotes of either kind; line ends and tabs stay. */
void escape_xml(struct text *t, const char *chars);
void escape_xml_count(struct text *t, const char *chars, size_t count);
/* Adds markup as printf would, with each %s escaped. Integers with the flag ' are grouped (2,795,520). */
void xml_add(struct text *t, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* The same with another function for %s. Knows the conversions c, d, u, x, X, f, s and %. */
void text_add_escaped(struct text *t, void escape(struct text *t, const char *chars), const char *form,
                      va_list values);

/* For running Markdown text (CommonMark with tables): becomes one line, with a backslash before each
 * punctuation mark that could mean something. */
void escape_markdown(struct text *t, const char *chars);
void escape_markdown_count(struct text *t, const char *chars, size_t count);

/* As a fenced block that nothing inside can end. */
void escape_markdown_block(struct text *t, const char *chars);

/* 2795520 as "2,795,520". */
void text_add_grouped(struct text *t, uint64_t number);

/* As one word of a shell command, quoted if necessary. */
void escape_shell(struct text *t, const char *chars);

#endif
