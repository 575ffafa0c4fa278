/* SPDX-License-Identifier: MIT */
/* One finding as an <article> of the HTML report, and the curves of growth. */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H
#define MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H

#include "oracle/report/report_facts.h"

/* Adds the article of one finding. If `pictures` is false, the article says that they are left out, because
 * the page would become too large. */
void html_article(const struct finding_view *v, bool pictures, struct text *t);

/* Plots how coverage and findings grew (report_curve.c). Adds nothing if no run was long enough. */
void html_curves(const struct report *r, const struct report_facts *f, struct text *t);

#endif
