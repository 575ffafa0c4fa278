/* SPDX-License-Identifier: MIT */
/*
 * A small invented unit and campaigns of it, for the tests of reports: every way to draw, every verdict,
 * every kind of board, and hostile text. It is in no table of units, so the tests show what reports make of
 * any unit.
 */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_REPORT_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_REPORT_H

#include "oracle/report/report.h"

extern const struct unit toy_unit;

enum toy_clause { TOY_ADDR, TOY_ROUND, TOY_FLAG, TOY_STALL, TOY_UNTOUCHED, TOY_CLAUSES };

/* The case of the findings: byte 1 of VPM row 2 is written, its row copied to memory, three registers set. */
void toy_case(struct test_case *c);

/* A hostile label or description: markup of every kind, bytes that are not UTF-8, control characters. */
extern const char toy_hostile[];

/* A campaign with a finding of each kind: see toy_findings. */
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
/* The same with `count` findings, for measuring. */
void toy_report_of(struct report *r, unsigned count);
void toy_report_free(struct report *r);

unsigned occurrences(const char *in, const char *what);
void assert_has(const char *in, const char *what);
void assert_lacks(const char *in, const char *what);

#endif
