/* SPDX-License-Identifier: MIT */
/* What every HTML page of ours is made of: its beginning, words, paragraphs; style sheet and script, as text
 * (report_style.c). */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_PAGE_H
#define MISPRINT_ORACLE_REPORT_REPORT_PAGE_H

#include "model/text/text.h"

extern const char report_style[];  /* light, dark, phone and print */
extern const char report_script[]; /* filters the list of findings and opens what is folded before printing;
                                      the page is whole without it */

/* A page up to its heading, style sheet and all; `kind` and `tag` are our own words, in HTML. */
void html_open(const char *title, const char *kind, const char *tag, struct text *t);

/* Sentences with `names` in backticks, escaped, the names as <code>. */
void html_words(struct text *t, const char *chars);
/* The same as a paragraph, if there is any; clears `words`. `class` may be NULL. */
void html_paragraph(struct text *t, const char *class, struct text *words);

/* Text as it stands, in <pre>. */
void html_pre(struct text *t, const char *chars);

#endif
