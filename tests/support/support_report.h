/* SPDX-License-Identifier: MIT */
/*
 * An invented small unit and campaigns of it, for the tests of reports. It has every way to draw, every
 * verdict, every kind of board, and hostile text. No table of units has it, so the tests show that reports
 * work for any unit.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_REPORT_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_REPORT_H

#include "oracle/report/report.h"

extern const struct unit toy_unit;

enum toy_clause { TOY_ADDR, TOY_ROUND, TOY_FLAG, TOY_STALL, TOY_UNTOUCHED, TOY_CLAUSES };

/* Makes the case of the findings. It writes byte 1 of VPM row 2, copies the row to memory, and sets three
 * registers. */
void toy_case(struct test_case *c);

/* A hostile label or description: markup of every kind, bytes that are not UTF-8, control characters. */
extern const char toy_hostile[];

/* The findings of the toy campaign, one of each kind. */
enum toy_finding {
    TOY_ERRATUM_SILICON,
    TOY_GAP_SILICON,
    TOY_ERRATUM_VIRTUAL,
    TOY_ENDS_VIRTUAL,
    TOY_CANDIDATES,
    TOY_UNEXPLAINED,
    TOY_UNDEFINED,
    TOY_FLAKY,
    TOY_FINDINGS
};
void toy_report(struct report *r);
/* Makes the toy campaign with `count` findings, for measurements. */
void toy_report_of(struct report *r, unsigned count);
void toy_report_free(struct report *r);

unsigned occurrences(const char *in, const char *what);
void assert_has(const char *in, const char *what);
void assert_lacks(const char *in, const char *what);

#endif
