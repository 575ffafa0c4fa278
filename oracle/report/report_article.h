/* SPDX-License-Identifier: MIT */
/* One finding as an <article> of the HTML report, what stands behind the findings, and the curves of growth.
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H
#define MISPRINT_ORACLE_REPORT_REPORT_ARTICLE_H

#include "oracle/report/report_facts.h"

/* Adds the article of one finding. If `pictures` is false, the article says that they are left out, because
 * the page would become too large. If `later` is true, its content is in <noscript>: a browser with scripts
 * takes it as text, and the page's script makes elements of it when the article comes into view. So a page of
 * 1000 findings opens four times as fast. */
void html_article(const struct finding_view *v, bool pictures, bool later, struct text *t);

/* Adds the sections behind the findings: overview, runs, coverage, tallies (report_account.c). */
void html_account(const struct report *r, const struct report_facts *f, struct text *t);

/* Plots how coverage and findings grew (report_curve.c). Adds nothing if no run was long enough. */
void html_curves(const struct report *r, const struct report_facts *f, struct text *t);

#endif
