/* SPDX-License-Identifier: MIT */
/* The parts that all HTML pages share: beginning, sentences, tables; style sheet (report.css) and script
 * (report.js). */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_PAGE_H
#define MISPRINT_ORACLE_REPORT_REPORT_PAGE_H

#include "model/core/clause.h"
#include "oracle/describe/escape.h"

extern const char report_style[]; /* the style sheet, for light and dark screens, phones and print */
extern const char
    report_script[]; /* filters the list and unfolds parts for printing; the page works without it */

/* Starts a page, up to its heading. `kind` and `tag` are HTML. */
void html_open(const char *title, const char *kind, const char *tag, struct text *t);

/* Adds sentences with `names` in backticks. Escapes them; the names become <code>. */
void html_words(struct text *t, const char *chars);
/* Adds such sentences within an element: <ELEMENT ATTRIBUTES>...</ELEMENT>. */
void html_element(struct text *t, const char *element, const char *attributes, const char *chars);
/* Adds a titled part of a clause, unless `chars` is empty or NULL. */
void html_part(struct text *t, const char *title, const char *element, const char *chars);
/* Adds the words as a paragraph, unless there are none, and clears them. `class` may be NULL. */
void html_paragraph(struct text *t, const char *class, struct text *words);

/* Adds text in <pre>. */
void html_pre(struct text *t, const char *chars);

/* Adds commands, one in a line. The script copies each by a click. */
void html_commands(struct text *t, const char *lines);

/* Starts a table, up to its body. `head` is HTML: a row of <th>. */
void html_table(struct text *t, const char *class, const char *id, const char *head);

/* The head of a table of readings, and a function that adds a row. `marks`: HTML after the reading's name. */
#define HTML_READINGS "<th>Reading</th><th>A machine that follows it</th><th>Source</th><th>Evidence</th>"
void html_reading(struct text *t, const struct reading *r, bool followed, const char *marks);

/* Adds "<p>N further WHATs are not drawn.</p>" if `count` N is not 0. */
void html_not_drawn(struct text *t, unsigned count, const char *what);

/* Starts a picture of this size; `label` describes it. */
void html_svg(struct text *t, const char *class, unsigned width, unsigned height, const char *label);
/* Adds the name of a side, to stand above its picture. */
void html_who(struct text *t, const char *who);

#endif
