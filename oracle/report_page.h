/* SPDX-License-Identifier: MIT */
/* The parts of the HTML report that never change: style sheet and script, as text (report_style.c). */
#ifndef MISPRINT_ORACLE_REPORT_PAGE_H
#define MISPRINT_ORACLE_REPORT_PAGE_H

extern const char report_style[];  /* light, dark, phone and print */
extern const char report_script[]; /* filters the list of findings and opens what is folded before printing; the page is whole without it */

#endif
