/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_article.h"

#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_page.h"
#include "oracle/report/report_svg.h"

#include <string.h>

enum { CASE_LINES = 80, DIFFERENCE_LINES = 12, WORDS_DRAWN = 8, WORDS_OPEN = 3 };

static void write_chips(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    words_verdict(v, &w);
    text_add(t, "<p class=\"chips\"><span class=\"chip verdict %s\">", witness_class[v->witness]);
    escape_xml(t, text_chars(&w));
    text_add(t, "</span><span class=\"chip witness %s\">%s</span><code>", witness_class[v->witness],
             v->witness == WITNESS_SILICON ? "measured on silicon" : witness_label[v->witness]);
    escape_xml(t, f->unit->name);
    text_add(t, "</code><a class=\"id\" href=\"#%s\"><code>%s</code></a></p>\n", f->id, f->id);
    text_free(&w);
}

static void one_says(const char *class, const char *tag, const struct reading *r, struct text *t)
{
    text_add(t, "<div class=\"%s\"><p class=\"tag\">%s</p><p>", class, tag);
    html_words(t, r->says);
    text_add(t, "</p><p class=\"soft\">reading <code>");
    escape_xml(t, r->id);
    text_add(t, "</code></p></div>");
}

static void write_support(const struct finding_view *v, const struct named_clause *n, struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    struct text w = {0};
    text_add(t, "<h4>Which reading does the evidence support?</h4>\n<div class=\"scroll\"><table "
                "class=\"cards\"><thead><tr><th>Reading</th><th>A "
                "machine that follows it</th><th>Source</th>"
                "<th>Evidence</th></tr></thead>\n<tbody>\n");
    for (unsigned i = 0; i < clause_readings(c); i++) {
        const struct reading *r = &c->readings[i];
        bool followed = n->followed == (int)i, model = v->shown && v->base.reading[n->index] == i;
        text_add(t, "<tr%s><td><code>", followed ? " class=\"followed\"" : "");
        escape_xml(t, r->id);
        text_add(t, "</code>%s%s</td><td>",
                 followed ? "<br><span class=\"mark\">the board follows this</span>" : "",
                 model ? "<br><span class=\"mark model\">the model ran with this</span>" : "");
        html_words(t, r->says);
        text_add(t, "</td><td data-h=\"Source\">");
        html_words(t, r->source);
        text_add(t, "</td><td data-h=\"Evidence\">%s</td></tr>\n", evidence_words(r->evidence));
    }
    text_add(t, "</tbody></table></div>\n");
    words_support(v, n, &w);
    html_paragraph(t, NULL, &w);
    text_free(&w);
}

static void write_clause(const struct finding_view *v, const struct named_clause *n, bool titled,
                         struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    text_add(t, "<section class=\"clause\"><p><code>");
    escape_xml(t, c->id);
    text_add(t, "</code> %s", titled ? "<b>" : "");
    if (titled)
        html_words(t, c->title);
    text_add(t, "%s<span class=\"soft\">%s", titled ? "</b> &#183; " : "", titled ? "" : "&#183; ");
    html_words(t, c->where);
    text_add(t, c->silent ? " &#183; silent or ambiguous there</span></p>\n" : "</span></p>\n");
    if (n->followed >= 0) {
        text_add(t, "<div class=\"contrast\">");
        one_says("manual", c->silent ? "A careful reader of the manual assumes" : "The manual says",
                 &c->readings[READING_MANUAL], t);
        if (n->followed != READING_MANUAL)
            one_says("board",
                     v->witness == WITNESS_SILICON   ? "Silicon does"
                     : v->witness == WITNESS_VIRTUAL ? "The virtual board does"
                                                     : "The board does",
                     &c->readings[n->followed], t);
        else if (v->shown)
            one_says("board", "The model's profile has", &c->readings[v->base.reading[n->index]], t);
        text_add(t, "</div>\n");
    }
    write_support(v, n, t);
    if (n->followed >= 0 && c->proposed) {
        text_add(t, "<h4>Proposed wording</h4>\n<blockquote>");
        html_words(t, c->proposed);
        text_add(t, "</blockquote>\n");
    }
    if (n->followed >= 0 && c->workaround) {
        text_add(t, "<h4>Workaround</h4>\n<p>");
        html_words(t, c->workaround);
        text_add(t, "</p>\n");
    }
    text_add(t, "</section>\n");
}

static void write_clauses(const struct finding_view *v, struct text *t)
{
    struct named_clause named[NAMED_CLAUSES_MAX];
    unsigned count = finding_clauses(v->finding, named), own = 0;
    while (own < count && named[own].followed >= 0)
        own++;
    for (unsigned i = 0; i < own; i++)
        write_clause(v, &named[i], own > 1, t);
    struct text w = {0};
    words_candidates(v, &w);
    html_paragraph(t, NULL, &w);
    if (own < count) {
        text_add(t, "<details><summary>Clauses of the other possible explanations: %u</summary>\n",
                 count - own);
        for (unsigned i = own; i < count; i++)
            write_clause(v, &named[i], true, t);
        text_add(t, "</details>\n");
    }
    words_nearest(v, &w);
    html_paragraph(t, NULL, &w);
    text_free(&w);
}

static void write_encodings(const struct finding *f, struct text *t)
{
    struct text diagrams = {0}, phrase = {0};
    unsigned left_out, drawn = svg_case_words(f->smallest, WORDS_DRAWN, &left_out, &diagrams);
    if (drawn) {
        text_add(t, "<details%s><summary>Bit fields of the case's words: %u</summary>\n",
                 drawn <= WORDS_OPEN ? " open" : "", drawn);
        text_add_chars(t, text_chars(&diagrams), diagrams.length);
        if (left_out)
            text_add(t, "<p class=\"more\">%u further word%s not drawn.</p>\n", left_out,
                     left_out == 1 ? " is" : "s are");
        case_describe_phrase(f->smallest, &phrase);
        if (phrase.length)
            html_pre(t, text_chars(&phrase));
        text_add(t, "</details>\n");
    }
    text_free(&phrase);
    text_free(&diagrams);
}

static void write_case(const struct finding_view *v, bool pictures, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    if (f->smallest) {
        text_add(t, "<h4>Smallest case</h4>\n");
        words_case(f, CASE_LINES, &w);
        html_pre(t, text_chars(&w));
        text_clear(&w);
    }
    text_add(t, "<p class=\"more\">From the campaign's directory:</p>\n");
    words_commands(v, &w);
    html_pre(t, text_chars(&w));
    text_clear(&w);
    if (f->smallest && pictures) {
        svg_slots(f->smallest, t);
        write_encodings(f, t);
    }
    text_free(&w);
}

static void write_pictures(const struct finding_view *v, struct text *t)
{
    struct text model = {0}, board = {0}, w = {0};
    text_add(&model, "model, profile %s", v->finding->profile);
    text_add(&board, "%s (%s)", v->finding->board.spec, witness_label[v->witness]);
    svg_outcomes(&v->picture, (const char *const[]){text_chars(&model), text_chars(&board)}, &w);
    if (w.length) {
        svg_legend(t);
        text_add_chars(t, text_chars(&w), w.length);
    }
    for (unsigned side = 0; side < SIDES; side++) {
        text_clear(&w);
        picture_tell(&v->picture, side, &w);
        if (!w.length)
            continue;
        text_add(t, "<p class=\"who\">");
        escape_xml(t, text_chars(side == SIDE_MODEL ? &model : &board));
        text_add(t, "</p>");
        html_pre(t, text_chars(&w));
    }
    text_free(&model);
    text_free(&board);
    text_free(&w);
}

static void write_difference(const struct finding_view *v, bool pictures, struct text *t)
{
    struct text w = {0};
    text_add(t, "<h4>The difference</h4>\n");
    if (!v->shown) {
        text_add(t, "<p>It can't be shown: ");
        escape_xml(t, v->why_not.text);
        text_add(t, ".</p>\n");
        return;
    }
    words_ends(v, &w);
    html_paragraph(t, NULL, &w);
    if (v->differences.words) {
        differences_print(v->finding->unit, &v->differences, DIFFERENCE_LINES, &w);
        html_pre(t, text_chars(&w));
        text_clear(&w);
    } else if (!v->differences.end_differs) {
        text_add(t, "<p>Run again for this report, model and recorded answer do not differ in any bit that "
                    "both define.</p>\n");
    }
    if (pictures)
        write_pictures(v, t);
    else
        text_add(t, "<p class=\"more\">Its pictures are left out, because this page has very many findings; "
                    "the first command below draws the "
                    "outcome.</p>\n");
    text_free(&w);
}

static void fact(struct text *t, const char *name, const char *chars)
{
    if (!chars[0])
        return;
    text_add(t, "<dt>%s</dt><dd>", name);
    escape_xml(t, chars);
    text_add(t, "</dd>");
}

static void write_board(const struct finding_view *v, const struct board_identity *b, uint64_t cases,
                        struct text *t)
{
    struct text w = {0};
    text_add(t, "<dt>Board</dt><dd><code>");
    escape_xml(t, b->spec);
    text_add(t, "</code> (%s), ", witness_label[v->witness]);
    text_add_grouped(t, cases);
    text_add(t, " case%s<br>", plural(cases));
    words_board(b, &w);
    escape_xml(t, text_chars(&w));
    text_free(&w);
    text_add(t, "</dd>");
}

static void write_facts(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    text_add(t, "<h4>Origin</h4>\n<dl class=\"facts\">");
    fact(t, "Smallest case", f->label);
    fact(t, "Model's profile", f->profile);
    for (unsigned i = 0; v->boards && i < v->boards->boards; i++)
        write_board(v, &v->boards->board[i].board, v->boards->board[i].cases, t);
    if (!v->boards || !v->boards->boards)
        write_board(v, &f->board, f->cases, t);
    text_add(t, "</dl>\n");
}

void html_article(const struct finding_view *v, bool pictures, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    text_add(t, "<article class=\"finding %s\" id=\"%s\">\n", verdict_name(f->verdict), f->id);
    write_chips(v, t);
    words_headline(v, &w);
    text_add(t, "<h3>");
    html_words(t, text_chars(&w));
    text_add(t, "</h3>\n");
    text_clear(&w);
    words_meaning(v, &w);
    html_paragraph(t, "lead", &w);
    words_strength(v, &w);
    html_paragraph(t, "soft", &w);
    write_clauses(v, t);
    write_difference(v, pictures, t);
    write_case(v, pictures, t);
    write_facts(v, t);
    text_add(t, "</article>\n");
    text_free(&w);
}
