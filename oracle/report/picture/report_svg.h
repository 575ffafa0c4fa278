/* SPDX-License-Identifier: MIT */
/*
 * Pictures for the HTML report as inline SVG. They are drawn from a unit's tables alone: outcomes from the
 * layout (each region in the form that its `drawing` names), encodings from the bit fields. Colours are
 * classes of the style sheet (report.css).
 */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_SVG_H
#define MISPRINT_ORACLE_REPORT_REPORT_SVG_H

#include "oracle/describe/picture.h"

/* Adds a <figure> for each region that differs. Adds nothing if a side did not run to its end. `who`: names
 * of the sides. */
void svg_outcomes(const struct picture *p, const char *const who[SIDES], struct text *t);

/* Shows which lane accessed which bytes, one <figure> for each group of accesses (report_reach.c). Adds
 * nothing for units without a struct reach. */
void svg_reach(const struct picture *p, const char *const who[SIDES], struct text *t);

/* Shows which execution units each instruction of a case drives, and which later instructions read their
 * results (report_slots.c). Adds nothing for units without a struct code_slot. */
void svg_slots(const struct test_case *c, struct text *t);
/* Shows as arrows what each element of the destination received (report_flow.c). Adds nothing for units
 * without a struct flow. */
void svg_flow(const struct picture *p, const char *const who[SIDES], struct text *t);

/* Explains the colours. A page needs it once. */
void svg_legend(struct text *t);

/* Draws bit-field diagrams of at most `most` words of a case: instructions and setup words. Returns their
 * number. */
unsigned svg_case_words(const struct test_case *c, unsigned most, unsigned *left_out, struct text *t);

/* Draws one word, or an instruction of several words (lowest first), as boxes over its bits. A line has 32
 * bits, the highest bit first. */
void svg_bit_fields(const struct bit_field *fields, const uint32_t *words, unsigned count, struct text *t);

#endif
