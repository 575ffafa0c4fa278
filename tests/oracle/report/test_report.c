/* SPDX-License-Identifier: MIT */
/*
 * Reports: what they say about each kind of finding and board. No text from outside becomes markup, JSON
 * follows its published schema, and a thousand findings are written in time.
 */
#include "oracle/report/report_facts.h"
#include "tests/support/support_report.h"
#include "tests/support/support_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef void writer(const struct report *r, struct text *t);
static writer *const writers[] = {report_html, report_markdown, report_json, report_junit};
enum { HTML, MARKDOWN, JSON, JUNIT, WRITERS };

static struct text written(const struct report *r, unsigned which)
{
    struct text t = {0};
    writers[which](r, &t);
    return t;
}

/* Returns the article of a finding, from its opening to its closing tag. */
static struct text article_of(const struct text *page, const struct finding *f)
{
    struct text t = {0}, head = {0};
    text_add(&head, "id=\"%s\">", f->id);
    const char *from = strstr(page->chars, text_chars(&head));
    assert_non_null(from);
    const char *to = strstr(from, "</article>");
    assert_non_null(to);
    text_add_chars(&t, from, (size_t)(to - from));
    text_free(&head);
    return t;
}

/* --- markup */

enum { DEPTH_MAX = 64, NAME_MAX = 32 };

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "link", "br", "input"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Returns the end of the tag that starts at `s`. Skips quoted attributes. */
static const char *tag_end(const char *s)
{
    char quote = 0;
    for (; *s && (quote || *s != '>'); s++) {
        if (quote)
            quote = *s == quote ? 0 : quote;
        else if (*s == '"' || *s == '\'')
            quote = *s;
    }
    return s;
}

/* Expects every tag to be closed in order, and no bare '<' or '>' in text. Skips the content of <style> and
 * <script>. */
static void assert_balanced(const char *s)
{
    char open[DEPTH_MAX][NAME_MAX];
    unsigned depth = 0;
    for (; *s; s++) {
        if (*s == '>')
            fail_msg("a bare '>' in text: %.60s", s);
        if (*s != '<')
            continue;
        const char *end = tag_end(s);
        char name[NAME_MAX] = {0};
        assert_true(*end == '>');
        (void)sscanf(s + 1 + (s[1] == '/'), "%31[a-zA-Z0-9]", name);
        if (s[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (s[1] != '!' && s[1] != '?' && end[-1] != '/' && !is_void(name)) {
            assert_true(depth < DEPTH_MAX);
            memcpy(open[depth++], name, sizeof name);
            if (!strcmp(name, "style") || !strcmp(name, "script")) {
                s = strstr(end, "</") - 1;
                continue;
            }
        }
        s = end;
    }
    assert_int_equal(depth, 0);
}

static void markup_is_balanced(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    for (unsigned w = 0; w < WRITERS; w++) {
        struct text t = written(&r, w);
        if (w == HTML || w == JUNIT)
            assert_balanced(text_chars(&t));
        text_free(&t);
    }
    toy_report_free(&r);
}

/* Removes fenced blocks and code spans from Markdown, because they contain no markup. */
static void strip_code(struct text *t)
{
    struct text out = {0};
    size_t fence = 0;
    for (char *line = t->chars; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t ticks = strspn(line, "`"), length = strcspn(line, "\n");
        if (fence || ticks >= 3) {
            fence = !fence ? ticks : ticks == fence && length == ticks ? 0 : fence;
            continue;
        }
        for (size_t i = 0; i < length; i++) {
            if (line[i] == '`' && memchr(line + i + 1, '`', length - i - 1))
                i += 1 + strcspn(line + i + 1, "`");
            else if (line[i] == '\\')
                i++;
            else
                text_add_chars(&out, line + i, 1);
        }
        text_add_chars(&out, "\n", 1);
    }
    assert_int_equal(fence, 0);
    text_free(t);
    *t = out;
}

static void hostile_text_stays_text(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    for (unsigned w = 0; w < WRITERS; w++) {
        struct text t = written(&r, w);
        assert_lacks(t.chars, "\x1B");
        assert_lacks(t.chars, "\xE2\x80\xAE"); /* right-to-left override */
        assert_lacks(t.chars, "\xC0\xAF");     /* overlong */
        assert_int_equal(strlen(t.chars), t.length);
        json_t *utf8 = json_stringn(t.chars, t.length); /* Returns NULL unless `s` is valid UTF-8. */
        assert_non_null(utf8);
        json_decref(utf8);
        if (w == MARKDOWN) {
            strip_code(&t);
            assert_lacks(t.chars, "*a*");
            assert_lacks(t.chars, "](");
        }
        if (w != JSON) { /* another test parses the strings of JSON */
            assert_lacks(t.chars, "<script>alert");
            assert_lacks(t.chars, "<img");
        }
        text_free(&t);
    }
    toy_report_free(&r);
}

static void html_is_self_contained(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text t = written(&r, HTML);
    static const char *const outside[] = {"src=\"", "href=\"http", "href=\"//", "href=\"file",
                                          "url(",   "@import",     "http://",   "https://"};
    for (unsigned i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_lacks(t.chars, outside[i]);
    assert_has(t.chars, "default-src 'none'");
    static const char *const parts[] = {"summary", "overview", "compared", "runs", "coverage", "findings"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "id=\"%s\"", parts[i]);
        assert_int_equal(occurrences(t.chars, id), 1);
    }
    assert_int_equal(occurrences(t.chars, "<article"), TOY_FINDINGS);
    text_free(&t);
    toy_report_free(&r);
}

/* --- what is said */

static void virtual_boards_are_never_silicon(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text page = written(&r, HTML);
    for (unsigned i = 0; i < TOY_FINDINGS; i++) {
        const struct finding *f = &r.finding[i];
        struct text a = article_of(&page, f);
        if (board_class(&f->board) == BOARD_CLASS_SILICON) {
            assert_has(a.chars, ">measured on silicon</span>");
            assert_has(a.chars, "Silicon follows reading");
        } else {
            assert_lacks(a.chars, "Silicon ");
            assert_lacks(a.chars, "(silicon)");
            assert_lacks(a.chars, ">manual erratum<");
            assert_has(a.chars, "not silicon");
            assert_has(a.chars, "no evidence about silicon");
        }
        text_free(&a);
    }
    /* The finding claims to be from silicon, but its board is virtual. */
    struct text a = article_of(&page, &r.finding[TOY_ERRATUM_VIRTUAL]);
    assert_has(a.chars, "The virtual board follows reading <code>row-div-4</code> of <code>toy-addr</code>");
    assert_has(a.chars, "manual erratum (virtual board)");
    text_free(&a);
    text_free(&page);
    toy_report_free(&r);
}

/* The table of evidence and the sentence about it. The ledger has the facts of both. */
static void evidence_is_weighed(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text page = written(&r, HTML);
    struct text a = article_of(&page, &r.finding[TOY_ERRATUM_VIRTUAL]);
    assert_has(a.chars, "The evidence in the ledger supports <code>manual</code> (software in the field). "
                        "The virtual board follows <code>row-div-4</code>, for "
                        "which there is argument only; that adds no evidence for it.");
    assert_has(a.chars, "a blog&#39;s wording, taken literally");
    assert_has(a.chars, "three assemblers encode it so");
    text_free(&a);
    a = article_of(&page, &r.finding[TOY_ERRATUM_SILICON]);
    assert_has(a.chars, "A recorded trace of silicon shows it: the evidence supports <code>truncate</code>");
    assert_has(a.chars, "<blockquote>Results of <code>fadd</code> and <code>fsub</code> are rounded toward "
                        "zero.</blockquote>");
    assert_has(a.chars, "Add half a unit first where it matters.");
    assert_has(a.chars, "Toy Guide p35 T11");
    assert_has(a.chars, "recorded by N. N., published at a forum in 2019, MIT licence");
    text_free(&a);
    a = article_of(&page, &r.finding[TOY_GAP_SILICON]);
    assert_has(a.chars, "where the manual leaves the question open");
    assert_has(a.chars, "A careful reader of the manual assumes");
    text_free(&a);
    text_free(&page);
    toy_report_free(&r);
}

static void each_finding_is_described(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text page = written(&r, HTML), a = article_of(&page, &r.finding[TOY_CANDIDATES]), line = {0};
    assert_has(a.chars, "No case tells this from <code>toy-addr=row-div-4,toy-flag=result-positive</code>.");
    assert_has(a.chars, "Clauses of the other possible explanations: 1");
    text_add(&line, "<li><code>misprint explain cases/%s.case --profile manual --board virtual:toy1</code>",
             r.finding[TOY_CANDIDATES].id);
    assert_has(a.chars, line.chars);
    assert_has(a.chars, "setup = 0x00001809");
    text_free(&a);
    a = article_of(&page, &r.finding[TOY_UNEXPLAINED]);
    assert_has(a.chars, "Nearest: <code>toy-round=truncate</code>, which leaves 1 bit different of 2.");
    assert_has(a.chars, "model 00000002, board 00018002");
    text_free(&a);
    a = article_of(&page, &r.finding[TOY_ENDS_VIRTUAL]);
    assert_has(a.chars, "The model ended with <code>done</code>; the board ended with <code>hang</code> (a "
                        "read that nothing will ever satisfy).");
    assert_lacks(a.chars, "<figcaption><b>vpm</b>");
    text_free(&a);
    a = article_of(&page, &r.finding[TOY_UNDEFINED]);
    assert_has(a.chars, "do not differ in any bit that both define");
    text_free(&a);
    text_free(&line);
    text_free(&page);
    toy_report_free(&r);
}

static void tallies_add_up(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    for (unsigned w = HTML; w <= MARKDOWN; w++) {
        struct text t = written(&r, w);
        /* The sums over the three runs: 5460 + 3005460 + 6005460 cases offered; 3 * 2795520 bits compared; 0
         * + 1 + 2 cases refused; 1234 + 2468 bits masked; 10^6 + 2 * 10^6 cases predicted */
        assert_has(t.chars, "9,016,380");
        assert_has(t.chars, "8,386,560");
        assert_has(t.chars, "3,702");
        assert_has(t.chars, "3,000,000 of the compared cases ran only on the model with the causes");
        assert_has(t.chars, "AMD EPYC 7B13");
        assert_has(t.chars, "toy-untouched");
        assert_has(t.chars, "4 of 5 clauses touched");
        assert_lacks(t.chars, "Nothing was compared");
        text_free(&t);
    }
    toy_report_free(&r);
    struct report empty = {.title = "empty"};
    struct text t = written(&empty, HTML);
    assert_has(t.chars, "Nothing was compared");
    assert_has(t.chars, "No discrepancy was found");
    assert_balanced(t.chars);
    text_free(&t);
}

/* Returns what follows the last occurrence of these words. */
static const char *behind_last(const char *chars, const char *words)
{
    const char *last = NULL;
    for (const char *at = chars; (at = strstr(at, words)); at += strlen(words))
        last = at;
    assert_non_null(last);
    return last + strlen(words);
}

/* The plot of a run has a dot for each point. The dot at the top right is the last point: 10^4 cases and the
 * largest number of findings. A curve needs two points. */
static void growth_is_plotted(void **state)
{
    (void)state;
    struct report r;
    struct progress_point point[] = {{.seconds = 0.1, .cases = 10, .clauses = 1, .findings = 1},
                                     {.seconds = 0.5, .cases = 100, .clauses = 3, .findings = 4},
                                     {.seconds = 9, .cases = 10000, .clauses = 4, .findings = 8}};
    toy_report(&r);
    struct report_progress *progress = calloc(r.runs, sizeof *progress);
    assert_non_null(progress);
    struct text none = written(&r, HTML);
    assert_lacks(none.chars, "How it grew");
    text_free(&none);
    r.progress = progress;
    progress[0] = (struct report_progress){.point = point, .points = 1};
    none = written(&r, HTML);
    assert_lacks(none.chars, "How it grew");
    text_free(&none);
    progress[0].points = 3;
    struct text t = written(&r, HTML);
    assert_balanced(t.chars);
    assert_has(t.chars, "How it grew");
    assert_has(t.chars, "findings over cases compared, up to 8");
    const char *dot = behind_last(t.chars, "<circle class=\"cv x\" ");
    assert_true(!strncmp(dot, "cx=\"328.0\" cy=\"12.0\"", 20));
    text_free(&t);
    t = written(&r, MARKDOWN);
    const char *heading = strstr(t.chars, "### How it grew\n\n| Run |");
    assert_non_null(heading);
    assert_lacks(heading + 5, "How it grew");                /* one heading for all rows */
    assert_has(t.chars, "\n| 1 | toy-vpm | 10 | 1 | 1 |\n"); /* the first run */
    assert_has(t.chars, " 100 | 3 | 4 |\n");
    assert_has(t.chars, " 10,000 | 4 | 8 |\n");
    text_free(&t);
    free(progress);
    r.progress = NULL;
    toy_report_free(&r);
}

/* Every form of the report names the last link of the campaign's chain. */
static void the_chain_is_named(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    r.links = 1234;
    (void)snprintf(r.head, sizeof r.head, "%064x", 0xABCDEU);
    for (unsigned w = 0; w < WRITERS; w++) {
        struct text t = written(&r, w);
        if (w == HTML || w == MARKDOWN || w == JSON)
            assert_has(t.chars, r.head);
        if (w == HTML || w == MARKDOWN)
            assert_has(t.chars, "1,234 links");
        text_free(&t);
    }
    r.links = 0;
    toy_report_free(&r);
}

/* --- JSON and JUnit */

static json_t *published_schema(void)
{
    json_error_t e;
    json_t *schema = json_load_file(MISPRINT_SOURCE_DIR "/oracle/report/page/report.schema.json", 0, &e);
    if (!schema)
        fail_msg("oracle/report/page/report.schema.json:%d: %s", e.line, e.text);
    return schema;
}

static void json_follows_its_schema(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text t = written(&r, JSON), why = {0};
    json_t *schema = published_schema(), *report = json_loads(t.chars, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(report);
    assert_lacks(t.chars, "\"tolerance\""); /* the unit allows for none */
    assert_has(t.chars, "\"mask\"");
    if (!schema_accepts(schema, report, &why))
        fail_msg("%s", text_chars(&why));
    /* The schema must be able to reject a report. */
    json_object_set_new(json_array_get(json_object_get(report, "findings"), 0), "verdict",
                        json_string("erratum of silicon"));
    assert_false(schema_accepts(schema, report, &why));
    json_object_del(report, "findings");
    assert_false(schema_accepts(schema, report, &why));
    json_decref(report);
    json_decref(schema);
    text_free(&t);
    text_free(&why);
    toy_report_free(&r);
}

static void json_has_the_facts(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    struct text t = written(&r, JSON);
    json_t *report = json_loads(t.chars, 0, NULL),
           *f = json_array_get(json_object_get(report, "findings"), TOY_UNEXPLAINED);
    assert_string_equal(json_string_value(json_object_get(report, "title")), "toy & co");
    assert_string_equal(json_string_value(
                            json_object_get(json_array_get(json_object_get(report, "runs"), 2), "seed")),
                        "18446744073709551615");
    const char *region = NULL, *model = NULL, *board = NULL;
    int row = 0, column = 0, bits = 0;
    assert_int_equal(json_unpack(f, "{s:{s:i, s:[{s:s, s:i, s:i, s:s, s:s}]}}", "difference", "bits", &bits,
                                 "listed", "region", &region, "row", &row, "column", &column, "model", &model,
                                 "board", &board),
                     0);
    assert_string_equal(region, "ra");
    assert_int_equal(row, 1);
    assert_int_equal(column, 5);
    assert_int_equal(bits, 2);
    assert_string_equal(model, "00000002"); /* 7 ^ 5 */
    assert_string_equal(board, "00018002");
    json_t *claimed = json_array_get(json_object_get(report, "findings"), TOY_ERRATUM_VIRTUAL);
    assert_string_equal(json_string_value(json_object_get(claimed, "evidence")), "virtual");
    json_decref(report);
    text_free(&t);
    toy_report_free(&r);
}

static void junit_counts(void **state)
{
    (void)state;
    struct report r;
    toy_report(&r);
    r.run[1].tally.compared = 0; /* a run that compared nothing is a failure */
    struct text t = written(&r, JUNIT);
    assert_has(
        t.chars,
        "<testsuites name=\"toy &amp; co\" tests=\"11\" failures=\"9\" errors=\"0\">"); /* 8 findings and 3
                                                                                           runs; 8 and 1 fail
                                                                                         */
    assert_int_equal(occurrences(t.chars, "<testcase "), 11);
    assert_int_equal(occurrences(t.chars, "<failure "), 9);
    /* No run in the store has the board of one finding. */
    assert_int_equal(occurrences(t.chars, "<testsuite "), 4);
    assert_has(t.chars, "name=\"findings without a run\"");
    text_free(&t);
    toy_report_free(&r);
}

static void equal_facts_give_equal_reports(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WRITERS; w++) {
        struct report a, b;
        toy_report(&a);
        toy_report(&b);
        struct text one = written(&a, w), two = written(&b, w);
        assert_int_equal(one.length, two.length);
        assert_memory_equal(one.chars, two.chars, one.length);
        text_free(&one);
        text_free(&two);
        toy_report_free(&a);
        toy_report_free(&b);
    }
}

/* --- speed */

static void a_thousand_findings_take_three_seconds(void **state)
{
    (void)state;
    const char *instrumented = getenv("MISPRINT_INSTRUMENTED");
    double limit = instrumented && !strcmp(instrumented, "1") ? 30 : 3;
    struct report r;
    toy_report_of(&r, 1000);
    for (unsigned w = 0; w < WRITERS; w++) {
        clock_t before = clock();
        struct text t = written(&r, w);
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        print_message("1000 findings: writer %u, %zu bytes, %.2f s\n", w, t.length, seconds);
        assert_true(seconds < limit);
        if (w == HTML) {
            assert_int_equal(occurrences(t.chars, "<article"), 1000);
            assert_true(t.length < (40U << 20));
        }
        text_free(&t);
    }
    toy_report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_balanced),
        cmocka_unit_test(hostile_text_stays_text),
        cmocka_unit_test(html_is_self_contained),
        cmocka_unit_test(virtual_boards_are_never_silicon),
        cmocka_unit_test(evidence_is_weighed),
        cmocka_unit_test(each_finding_is_described),
        cmocka_unit_test(tallies_add_up),
        cmocka_unit_test(growth_is_plotted),
        cmocka_unit_test(the_chain_is_named),
        cmocka_unit_test(json_follows_its_schema),
        cmocka_unit_test(json_has_the_facts),
        cmocka_unit_test(junit_counts),
        cmocka_unit_test(equal_facts_give_equal_reports),
        cmocka_unit_test(a_thousand_findings_take_three_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
