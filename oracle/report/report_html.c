/* SPDX-License-Identifier: MIT */
/* The HTML report: the page's head, its contents list, the table of findings, and their cards. */
#include "oracle/report/report_article.h"
#include "oracle/report/report_page.h"
#include "oracle/report/report_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Says which finding to read first. */
static void write_first(const struct report *r, struct finding_viewer *viewer, struct text *t)
{
    const struct finding *first = report_first(r);
    struct finding_view v;
    struct text w = {0};
    if (!first)
        return;
    finding_view(viewer, r, (unsigned)(first - r->finding), &v);
    xml_add(t, "<p>Read first: <a href=\"#%s\">", first->id);
    words_headline(&v, &w);
    html_words(t, text_chars(&w));
    text_clear(&w);
    words_verdict(&v, &w);
    xml_add(t, "</a> (%s, %s, %'" PRIu64 " case%s).</p>\n", text_chars(&w), board_class_label[v.board_class],
            first->cases, plural(first->cases));
    text_free(&w);
}

/* Writes what the report is about: "36 findings about vc4-qpu and vc4-vpm". */
static void add_subject(const struct report *r, const struct report_facts *f, struct text *t)
{
    text_add(t, "%u finding%s", r->findings, plural(r->findings));
    for (unsigned i = 0; i < f->units; i++)
        text_add(t, "%s%s", !i ? " about " : i + 1 == f->units ? " and " : ", ", f->unit[i].name);
}

static void write_head(const struct report *r, const struct report_facts *f, struct finding_viewer *viewer,
                       struct text *t)
{
    struct text w = {0}, title = {0}, kind = {0}, folder = {0};
    add_subject(r, f, &title);
    words_title(r, &folder);
    xml_add(&kind, "Misprint report &#183; campaign %s", text_chars(&folder));
    html_open(text_chars(&title), "Misprint report", text_chars(&kind), t);
    text_free(&kind);
    text_free(&folder);
    words_warning(r, &w);
    html_paragraph(t, "callout warning", &w);
    words_tested(r, f, &w);
    html_paragraph(t, "lead", &w);
    words_evidence(f, &w);
    bool pure = f->all.has_board_class[BOARD_CLASS_SILICON] && !f->all.has_board_class[BOARD_CLASS_VIRTUAL] &&
                !f->all.has_board_class[BOARD_CLASS_IMPLEMENTATION];
    html_paragraph(t, pure ? "callout silicon" : "callout", &w);
    write_first(r, viewer, t);
    if (!f->all.tally.compared && !r->findings)
        text_add(t, "<p class=\"callout\"><b>Nothing was compared.</b> This report proves nothing.</p>\n");
    text_add(t, "</header>\n");
    text_free(&w);
    text_free(&title);
}

/* --- the table of findings */

static void list_row(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    xml_add(t, "<tr><td data-h=\"\"><a href=\"#%s\">", f->id);
    words_headline(v, &w);
    html_element(t, "b", "", text_chars(&w));
    text_clear(&w);
    words_does(f, &w);
    text_add(t, w.length ? ": " : "");
    html_words(t, text_chars(&w));
    text_add(t, "</a><br><span class=\"soft ids\">");
    text_clear(&w);
    words_clause_ids(f, &w);
    html_words(t, text_chars(&w));
    text_clear(&w);
    words_verdict(v, &w);
    xml_add(t,
            "</span></td><td data-h=\"Verdict\"><span class=\"dot %s\"></span>%s</td><td "
            "data-h=\"Evidence\">%s</td>",
            verdict_name(f->verdict), text_chars(&w), board_class_label[v->board_class]);
    xml_add(t,
            "<td data-h=\"Unit\"><code>%s</code></td><td class=\"num\" data-h=\"Cases\">%'" PRIu64
            "</td></tr>\n",
            f->unit->name, f->cases);
    text_free(&w);
}

/* Writes the list that stays visible on wide screens. */
static void write_contents(const struct text *entries, unsigned left_out, struct text *t)
{
    text_add(t, "<nav class=\"contents\" aria-label=\"Contents\"><a href=\"#summary\">Summary</a>"
                "<a href=\"#findings\">Findings</a>");
    if (entries->length)
        text_add(t, "<ol>%s</ol>", text_chars(entries));
    if (left_out)
        text_add(t, "<span class=\"more\">and %u more</span>", left_out);
    text_add(t, "<a href=\"#overview\">Overview</a><a href=\"#runs\">Runs</a><a href=\"#coverage\">Clause "
                "coverage</a><a href=\"#compared\">What was compared</a></nav>\n");
}

enum { CONTENTS_MOST = 60, CARDS_AT_ONCE = 50 };

/* bytes of a page after which pictures are left out, so that a phone can still open it */
enum { PICTURES_UNTIL = 4 << 20 };

struct parts {
    struct text contents, list, cards;
};

/* Writes list, contents and cards in one pass, so that each smallest case runs only once. */
static void write_parts(const struct report *r, struct parts *p)
{
    struct finding_viewer *viewer = finding_viewer_new();
    unsigned *order = report_order(r);
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding_view v;
        struct text w = {0};
        finding_view(viewer, r, order[i], &v);
        list_row(&v, &p->list);
        html_article(&v, p->cards.length < PICTURES_UNTIL, i >= CARDS_AT_ONCE, &p->cards);
        words_headline(&v, &w);
        if (i < CONTENTS_MOST) {
            xml_add(&p->contents, "<li><a href=\"#%s\">", v.finding->id);
            html_words(&p->contents, text_chars(&w));
            text_add(&p->contents, "</a></li>");
        }
        text_free(&w);
    }
    free(order);
    finding_viewer_free(viewer);
}

static void write_list(const struct report *r, const struct report_facts *f, const struct text *rows,
                       struct text *t)
{
    struct text w = {0};
    text_add(t, "<section id=\"findings\">\n<h2>%u finding%s</h2>\n", r->findings, plural(r->findings));
    if (!r->findings) {
        text_add(t, "<p>No discrepancy was found.</p>\n");
        return;
    }
    text_add(
        t,
        "<div class=\"filter\" hidden><input type=\"search\" id=\"filter\" aria-label=\"Show only findings "
        "with these words\" placeholder=\"Show only: clause, verdict, unit, mode, ...\"> <span "
        "class=\"more\" id=\"shown\"></span></div>\n");
    html_table(t, "cards", " id=\"list\"",
               "<th>What was found</th><th>Verdict</th><th>Evidence</th><th>Unit</th><th "
               "class=\"num\">Cases</th>");
    text_add_chars(t, text_chars(rows), rows->length);
    text_add(t, "</tbody></table></div>\n");
    words_counted(f, &w);
    html_paragraph(t, "soft", &w);
    text_free(&w);
}

void report_html(const struct report *r, struct text *t)
{
    struct report_facts f;
    struct parts p = {0};
    report_sum(r, &f);
    write_parts(r, &p);
    struct finding_viewer *viewer = finding_viewer_new();
    write_head(r, &f, viewer, t);
    finding_viewer_free(viewer);
    write_contents(&p.contents, r->findings > CONTENTS_MOST ? r->findings - CONTENTS_MOST : 0, t);
    text_add(t, "<main>\n");
    write_list(r, &f, &p.list, t);
    text_add_chars(t, text_chars(&p.cards), p.cards.length);
    text_add(t, "</section>\n");
    html_account(r, &f, t);
    text_add(t,
             "</main>\n<footer>Written by misprint " MISPRINT_VERSION
             ". Sentences about clauses come from its ledger; <code>misprint show CLAUSE</code> prints any "
             "of them in full."
             "</footer>\n<script>%s</script>\n</body>\n</html>\n",
             report_script);
    text_free(&p.contents);
    text_free(&p.list);
    text_free(&p.cards);
}
