/* SPDX-License-Identifier: MIT */
/* One finding as an <article> of the HTML report, and the plots beside it. */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H
#define MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H

#include "oracle/report/report_facts.h"

/* `pictures` false: without pictures and diagrams, saying so; for pages that would grow too large. */
void html_article(const struct finding_view *v, bool pictures, struct text *t);

/* How coverage and findings grew, as plots (report_curve.c); nothing where no run was long enough. */
void html_curves(const struct report *r, const struct report_facts *f, struct text *t);

#endif
