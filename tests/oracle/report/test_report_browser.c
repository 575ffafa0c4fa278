/* SPDX-License-Identifier: MIT */
/* The HTML report in headless Chromium (scripts/page-check): the first screen, overflow, contrast, filter,
 * copying, nothing loaded from elsewhere, and the time that a thousand findings take to open. */
#include "oracle/report/report_facts.h"
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct text page_of(const struct report *r)
{
    struct text t = {0};
    report_html(r, &t);
    return t;
}

/* Checks a page. What the checker complained of is in `complaints` afterwards. */
static char complaints[4096];
static int check_page(const char *chars, size_t length)
{
    char path[] = "/tmp/test_report.XXXXXX.html", command[1024];
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, chars, length), (ssize_t)length);
    close(file);
    (void)snprintf(command, sizeof command, "'%s/scripts/page-check' %s 2>&1", MISPRINT_SOURCE_DIR, path);
    FILE *checker = popen(command, "r");
    assert_non_null(checker);
    complaints[fread(complaints, 1, sizeof complaints - 1, checker)] = 0;
    int status = pclose(checker);
    unlink(path);
    print_message("%s", complaints);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A page of 1000 findings takes less than two seconds to open. */
static void a_browser_opens_a_thousand_findings(void **state)
{
    (void)state;
    if (!getenv("MISPRINT_TEST_LONG"))
        skip();
    struct report r;
    toy_report_of(&r, 1000);
    for (unsigned i = 0; i < r.findings; i++)
        (void)snprintf(r.finding[i].id, sizeof r.finding[i].id, "F-%012x", i);
    struct text t = page_of(&r);
    int status = check_page(t.chars, t.length);
    text_free(&t);
    toy_report_free(&r);
    if (status == 77)
        skip();
    assert_int_equal(status, 0);
}

static void a_browser_opens_the_page(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text t = page_of(&r);
    int status = check_page(t.chars, t.length);
    if (status != 77) {
        assert_int_equal(status, 0);
        /* The checker must refuse a first screen without a finding, an overflow, and pale text, all with
         * one style, in all four forms. */
        struct text pale = {0};
        text_add(&pale,
                 "%s<style>header.top{padding-top:950px}main{min-width:1500px}.soft{color:#999!important}"
                 "</style>",
                 t.chars);
        assert_int_equal(check_page(pale.chars, pale.length), 1);
        text_free(&pale);
        assert_has(complaints, "400x800 light: the first row of the list ends at");
        assert_has(complaints, "1400x900 dark: the first row of the list ends at");
        assert_has(complaints, "400x800 dark: the page is 15");
        assert_has(complaints, "1400x900 light: contrast 2.");
        /* It must refuse a script error, an outside image, and a missing part. */
        char *end = strstr(t.chars, "<script>");
        assert_non_null(end);
        text_add(&t, "<script>undefined_function()</script>");
        assert_int_equal(check_page(t.chars, t.length), 1);
        memcpy(strstr(t.chars, "id=\"coverage\""), "id=\"coverofe\"", 13);
        assert_int_equal(check_page(t.chars, (size_t)(end - t.chars)), 1);
        static const char outside[] = "<!doctype html><img src=\"http://127.0.0.1:9/a.png\">";
        assert_int_equal(check_page(outside, sizeof outside - 1), 1);
    }
    text_free(&t);
    toy_report_free(&r);
    if (status == 77) {
        print_message("no Chromium here: the page was not opened\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_browser_opens_the_page),
        cmocka_unit_test(a_browser_opens_a_thousand_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
