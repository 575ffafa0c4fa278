/* SPDX-License-Identifier: MIT */
/*
 * Strangers' text made safe for the languages that reports are written in.
 * Labels, board descriptions and file names come from outside: nothing of
 * theirs may become markup. In all forms, bytes that are no UTF-8, control
 * characters and characters that turn the direction of writing become U+FFFD.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_ESCAPE_H
#define MISPRINT_ORACLE_DESCRIBE_ESCAPE_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdint.h>

/* Cleaned only; line ends and tabs stay. For JSON strings, whose quoting the JSON library does. */
void escape_utf8(struct text *t, const char *chars, size_t count);

/* A JSON string, cleaned: never NULL for want of valid UTF-8. Whatever did not come from our own tables gets
 * into JSON through it. */
json_t *json_text(const char *chars);

/* For HTML and XML, in text and between quotes of either kind; line ends and tabs stay. */
void escape_xml(struct text *t, const char *chars);
void escape_xml_count(struct text *t, const char *chars, size_t count);

/* For running Markdown text (CommonMark with tables): one line, all punctuation that could mean something
 * gets a backslash. */
void escape_markdown(struct text *t, const char *chars);
void escape_markdown_count(struct text *t, const char *chars, size_t count);

/* A fenced block that nothing inside can end. */
void escape_markdown_block(struct text *t, const char *chars);

/* 2795520 as "2,795,520". */
void text_add_grouped(struct text *t, uint64_t number);

/* As one word of a shell's command line: quoted only if it needs to be. */
void escape_shell(struct text *t, const char *chars);

#endif
