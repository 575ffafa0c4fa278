/* SPDX-License-Identifier: MIT */
#include "oracle/report/rule/report_nearest.h"

#include "oracle/describe/case_difference.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/report_page.h"
#include "oracle/report/report_text.h"

enum { CASE_LINES = 80, WORDS_MAX = 12 };

/* Compares the smallest case with the nearest agreeing one. False if there is none. */
static bool find(const struct finding *f, struct case_difference *d)
{
    const struct test_case *near = f->related[RELATED_AGREES].tc;
    if (!near || !f->smallest)
        return false;
    case_difference_find(f->smallest, near, d);
    return true;
}

void words_agreeing(const struct finding *f, struct text *t)
{
    struct case_difference d;
    if (!find(f, &d))
        return;
    text_add(t, "Model and board agree if the smallest case changes: ");
    if (case_difference_words(&d) <= WORDS_MAX) {
        case_difference_print(&d, t);
    } else {
        words_number(t, case_difference_words(&d), "word", "words");
        text_add(t, " of its text change%s", case_difference_words(&d) == 1 ? "s" : "");
    }
    text_add(t, ".");
    case_difference_free(&d);
}

void words_agreeing_lines(const struct finding *f, struct text *t)
{
    struct case_difference d;
    if (!find(f, &d))
        return;
    case_difference_lines(&d, t);
    case_difference_free(&d);
}

/* Adds the text of a case in <pre>, with the bytes from `begin` to `end` marked. */
static void add_marked(struct text *t, const struct text *chars, size_t begin, size_t end)
{
    text_add(t, "<pre>");
    if (begin < end && end <= chars->length) {
        escape_xml_count(t, text_chars(chars), begin);
        text_add(t, "<mark>");
        escape_xml_count(t, text_chars(chars) + begin, end - begin);
        text_add(t, "</mark>");
    } else {
        end = 0;
    }
    escape_xml_count(t, text_chars(chars) + end, chars->length - end);
    text_add(t, "</pre>\n");
}

void html_cases(const struct finding *f, struct text *t)
{
    struct case_difference d;
    struct text w = {0};
    bool near = find(f, &d);
    text_add(t, "<h4>Smallest case</h4>\n");
    words_case(f, CASE_LINES, &w);
    add_marked(t, &w, near ? d.part[0].begin : 0, near ? d.part[0].end : 0);
    text_clear(&w);
    if (near) {
        text_add(t, "<h4>Nearest agreeing case</h4>\n");
        words_agreeing(f, &w);
        html_paragraph(t, NULL, &w);
        words_related(f, RELATED_AGREES, CASE_LINES, &w);
        add_marked(t, &w, d.part[1].begin, d.part[1].end);
        case_difference_free(&d);
    }
    text_free(&w);
}

json_t *agreeing_json(const struct finding *f)
{
    struct case_difference d;
    if (!find(f, &d))
        return json_null();
    json_t *part[2];
    for (unsigned i = 0; i < 2; i++)
        part[i] =
            json_stringn(text_chars(&d.part[i].text) + d.part[i].begin, d.part[i].end - d.part[i].begin);
    json_t *j = json_pack("{s:o, s:o, s:o}", "case", json_text(text_chars(&d.part[1].text)), "has", part[1],
                          "instead_of", part[0]);
    case_difference_free(&d);
    return j;
}
