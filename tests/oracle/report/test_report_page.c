/* SPDX-License-Identifier: MIT */
/* The parts that all HTML pages share. Expectations follow English grammar and the rules of HTML. */
#include "model/text/text.h"
#include "oracle/report/report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void what_is_left_out_is_counted(void **state)
{
    (void)state;
    static const char *const expected[] = {"", "<p class=\"more\">1 further line is not drawn.</p>",
                                           "<p class=\"more\">2 further lines are not drawn.</p>"};
    for (unsigned count = 0; count < 3; count++) {
        struct text t = {0};
        html_not_drawn(&t, count, "line");
        assert_string_equal(text_chars(&t), expected[count]);
        text_free(&t);
    }
}

static void text_from_outside_is_escaped(void **state)
{
    (void)state;
    struct text t = {0};
    html_who(&t, "a<b & \"c\"");
    assert_string_equal(text_chars(&t), "<p class=\"who\">a&lt;b &amp; &quot;c&quot;</p>");
    text_free(&t);
    const struct reading r = {"a-b", "1 < 2", "A & B", EVIDENCE_DOCUMENT};
    html_reading(&t, &r, true, "<b>x</b>"); /* the marks are HTML already */
    assert_non_null(strstr(text_chars(&t), "<tr class=\"followed\"><td><code>a-b</code><b>x</b></td>"));
    assert_non_null(strstr(text_chars(&t), "1 &lt; 2"));
    assert_non_null(strstr(text_chars(&t), "A &amp; B"));
    assert_null(strstr(text_chars(&t), "1 < 2"));
    text_clear(&t);
    html_reading(&t, &r, false, "");
    assert_memory_equal(text_chars(&t), "<tr><td><code>a-b</code></td>", 29);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(text_from_outside_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
