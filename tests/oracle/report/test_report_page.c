/* SPDX-License-Identifier: MIT */
/* The parts that all HTML pages share. Expectations follow English grammar and the rules of HTML. */
#include "model/core/unit.h"
#include "model/text/text.h"
#include "oracle/report/report_page.h"
#include "oracle/report/rule/report_nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
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

static struct test_case *parse(const char *text)
{
    struct test_case *c = calloc(1, sizeof *c);
    struct error e;
    assert_non_null(c);
    if (!case_parse(c, text, strlen(text), &e))
        fail_msg("%s", e.text);
    return c;
}

/* Without its marks, the page shows each of the two cases as it is written, and not a byte more. */
static void two_cases_stand_in_full_with_their_difference_marked(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    struct finding f = {.unit = u,
                        .smallest = parse("misprint-case 1 vc4-vpm\nops {\n  wr_setup h8 y=1 b=2\n}\n")};
    f.related[RELATED_AGREES].tc = parse("misprint-case 1 vc4-vpm\nops {\n  wr_setup h8 y=2 b=2\n}\n");
    struct test_case *const shown[2] = {f.smallest, f.related[RELATED_AGREES].tc};
    struct text t = {0};
    html_cases(&f, &t);
    const char *at = text_chars(&t);
    for (unsigned i = 0; i < 2; i++) {
        struct text page = {0}, is = {0};
        const char *begin = strstr(at, "<pre>"), *end = begin ? strstr(begin, "</pre>") : NULL;
        assert_non_null(end);
        unsigned marks = 0;
        for (begin += strlen("<pre>"); begin < end; begin++)
            if (*begin == '<') {
                marks++;
                begin = strchr(begin, '>');
            } else {
                text_add_chars(&page, begin, 1);
            }
        case_print(shown[i], &is);
        assert_string_equal(text_chars(&page), text_chars(&is));
        assert_int_equal(page.length, is.length);
        assert_int_equal(marks, 2);
        text_free(&page);
        text_free(&is);
        free(shown[i]);
        at = end;
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(text_from_outside_is_escaped),
        cmocka_unit_test(two_cases_stand_in_full_with_their_difference_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
