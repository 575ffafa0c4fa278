/* SPDX-License-Identifier: MIT */
/* The suites of a JUnit report. The format says what to expect: each count is the number of elements. */
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned attribute(const char *chars, const char *name)
{
    const char *at = strstr(chars, name);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(name), NULL, 10);
}

/* The counts of a suite and of the document are the numbers of elements inside. Each finding is in the suite
 * of its board's run. */
static void junit_suites_hold_their_findings(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text t = {0};
    report_junit(&r, &t);
    unsigned tests = attribute(t.chars, " tests=\""), failures = attribute(t.chars, " failures=\""),
             found = 0;
    char *end;
    for (char *at = strstr(t.chars, "<testsuite "); at; at = strstr(end + 1, "<testsuite ")) {
        end = strstr(at, "</testsuite>");
        assert_non_null(end);
        *end = 0;
        unsigned inside = occurrences(at, "<testcase ");
        assert_int_equal(attribute(at, " tests=\""), inside);
        assert_int_equal(attribute(at, " failures=\""), occurrences(at, "<failure "));
        tests -= inside;
        failures -= occurrences(at, "<failure ");
        for (unsigned i = 0; i < r.findings; i++) {
            char spec[sizeof r.finding[i].board.spec + 16];
            snprintf(spec, sizeof spec, "board %s (", r.finding[i].board.spec);
            found += strstr(at, r.finding[i].id) != NULL;
            if (strstr(at, r.finding[i].id) && !strstr(at, "findings without a run"))
                assert_has(at, spec);
        }
    }
    assert_int_equal(tests, 0);
    assert_int_equal(failures, 0);
    assert_int_equal(found, r.findings);
    text_free(&t);
    toy_report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(junit_suites_hold_their_findings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
