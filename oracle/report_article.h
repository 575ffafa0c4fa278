/* SPDX-License-Identifier: MIT */
/* One finding as an <article> of the HTML report, and the helpers it shares with the page. */
#ifndef MISPRINT_ORACLE_REPORT_ARTICLE_H
#define MISPRINT_ORACLE_REPORT_ARTICLE_H

#include "oracle/report_facts.h"

/* `pictures` false: without pictures and diagrams, saying so; for pages that would grow too large. */
void html_article(const struct finding_view *v, bool pictures, struct text *t);

/* How coverage and findings grew, as plots (report_curve.c); nothing where no run was long enough. */
void html_curves(const struct report *r, const struct report_facts *f, struct text *t);

/* A page up to its heading, style sheet and all; `kind` and `tag` are our own words, in HTML. */
void html_open(const char *title, const char *kind, const char *tag, struct text *t);

/* Sentences with `names` in backticks, escaped, the names as <code>. */
void html_words(struct text *t, const char *chars);
/* The same as a paragraph, if there is any; clears `words`. `class` may be NULL. */
void html_paragraph(struct text *t, const char *class, struct text *words);

/* Text as it stands, in <pre>. */
void html_pre(struct text *t, const char *chars);

#endif
