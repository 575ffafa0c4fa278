/* SPDX-License-Identifier: MIT */
/*
 * Pictures for the HTML report, as inline SVG made from a unit's tables alone: outcomes from the layout (each
 * region as its `drawing` says), encodings from the bit fields. Colours are classes of the style sheet
 * (report.css).
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_SVG_H
#define MISPRINT_ORACLE_REPORT_REPORT_SVG_H

#include "oracle/describe/picture.h"

/* One <figure> for each region that differs, unless a side did not run to its end. `who`: the names of the
 * sides. */
void svg_outcomes(const struct picture *p, const char *const who[SIDES], struct text *t);

/* Which lane accessed which bytes (struct reach), one <figure> a group of accesses; nothing for units without
 * it. report_reach.c */
void svg_reach(const struct picture *p, const char *const who[SIDES], struct text *t);

/* Which unit each instruction of a case's programs drives, and where its result is read (struct code_slot);
 * nothing for units without it. report_slots.c */
void svg_slots(const struct test_case *c, struct text *t);
/* What each element of the destination received (struct flow), as arrows; nothing for units without it.
 * report_flow.c */
void svg_flow(const struct picture *p, const char *const who[SIDES], struct text *t);

/* What the colours mean; needed once a page. */
void svg_legend(struct text *t);

/* Bit-field diagrams of the words of a case: instructions, setup words. Draws at most `most`; returns how
 * many. */
unsigned svg_case_words(const struct test_case *c, unsigned most, unsigned *left_out, struct text *t);

/* One word, or an instruction of several words (lowest first), as boxes over its bits, 32 bits a line,
 * highest bit first. */
void svg_bit_fields(const struct bit_field *fields, const uint32_t *words, unsigned count, struct text *t);

#endif
