/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_article.h"

#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/slices.h"
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_page.h"
#include "oracle/report/rule/report_nearest.h"

#include <inttypes.h>

enum { CASE_LINES = 80, DIFFERENCE_LINES = 12, WORDS_DRAWN = 8, WORDS_OPEN = 3 };

static void write_chips(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const char *key = board_class_key[v->board_class];
    struct text w = {0};
    words_verdict(v, &w);
    xml_add(t,
            "<p class=\"chips\"><span class=\"chip verdict %s\">%s</span><span class=\"chip witness "
            "%s\">%s</span>"
            "<code>%s</code><span class=\"id\"><a href=\"#%s\"><code>%s</code></a> <a "
            "href=\"#findings\">&#8593; all findings</a></span></p>\n",
            key, text_chars(&w), key,
            v->board_class == BOARD_CLASS_SILICON ? "measured on silicon" : board_class_label[v->board_class],
            f->unit->name, f->id, f->id);
    text_free(&w);
}

/* Adds the box of one reading: whose it is, what it says, its name, source and evidence. */
static void write_reading(const struct finding_view *v, const struct named_clause *n, unsigned i,
                          struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    const struct reading *r = &c->readings[i];
    bool followed = n->followed == (int)i, model = v->shown && v->base.reading[n->index] == i;
    struct text side = {0}, mark = {0}, slices = {0};
    if (i == READING_MANUAL)
        authority_add(v->finding->unit,
                      c->silent ? "A careful reader of the manual assumes" : "The manual says", &side);
    if (followed) {
        text_add(&side, "%s", side.length ? " (" : "");
        words_side(v, &side);
        text_add(&side, "%s", i == READING_MANUAL ? " this)" : "");
    } else if (i != READING_MANUAL) {
        text_add(&side, "Another reading");
    }
    words_mark(v, n->index, i, &mark);
    text_add(t, "<div%s><p class=\"tag\">%s</p>", mark.length ? " class=\"board\"" : "", text_chars(&side));
    html_element(t, "p", "", r->says);
    if (slices_draw(r->says, 0, &slices))
        html_pre(t, text_chars(&slices));
    xml_add(t, "<p class=\"soft\"><code>%s</code>: ", r->id);
    html_words(t, r->source);
    text_add(t, " (%s)</p>", evidence_words(r->evidence));
    if (mark.length)
        text_add(t, "<span class=\"mark\">%s</span> ", text_chars(&mark));
    text_add(t, "%s</div>\n", model ? "<span class=\"mark model\">the model ran with this</span>" : "");
    text_free(&side);
    text_free(&mark);
    text_free(&slices);
}

static void write_support(const struct finding_view *v, const struct named_clause *n, struct text *t)
{
    struct text w = {0};
    text_add(t, "<div class=\"contrast\">");
    write_reading(v, n, READING_MANUAL, t);
    if (n->followed > READING_MANUAL)
        write_reading(v, n, (unsigned)n->followed, t);
    for (unsigned i = 1; i < clause_readings(unit_clause(v->finding->unit, n->index)); i++)
        if (n->followed != (int)i)
            write_reading(v, n, i, t);
    text_add(t, "</div>\n");
    words_support(v, n, &w);
    html_paragraph(t, NULL, &w);
    text_free(&w);
}

static void write_clause(const struct finding_view *v, const struct named_clause *n, bool titled,
                         struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    struct text modes = {0};
    xml_add(t, "<section class=\"clause\"><p><code>%s</code> ", c->id);
    if (titled)
        html_element(t, "b", "", c->title);
    text_add(t, titled ? " &#183; <span class=\"soft\">" : "<span class=\"soft\">&#183; ");
    html_words(t, c->where);
    text_add(t, c->silent ? " &#183; silent or ambiguous there" : "");
    words_modes(v, n->index, &modes);
    if (modes.length)
        xml_add(t, " &#183; in the smallest case: %s", text_chars(&modes));
    text_add(t, "</span></p>\n");
    write_support(v, n, t);
    if (n->followed >= 0) {
        html_part(t, "Proposed wording", "blockquote", c->proposed);
        html_part(t, "Workaround", "p", c->workaround);
    }
    text_add(t, "</section>\n");
    text_free(&modes);
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
        html_not_drawn(t, left_out, "word");
        text_add(t, left_out ? "\n" : "");
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
    text_add(t, "<p class=\"more\">From the campaign's directory:</p>\n");
    words_commands(v, &w);
    html_commands(t, text_chars(&w));
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
    text_add(&board, "%s (%s)", v->finding->board.spec, board_class_label[v->board_class]);
    svg_outcomes(&v->picture, (const char *const[]){text_chars(&model), text_chars(&board)}, &w);
    if (w.length) {
        svg_legend(t);
        text_add_chars(t, text_chars(&w), w.length);
    }
    for (unsigned side = 0; side < SIDES; side++) {
        text_clear(&w);
        picture_describe(&v->picture, side, &w);
        if (!w.length)
            continue;
        xml_add(t, "<p class=\"who\">%s</p>", text_chars(side == SIDE_MODEL ? &model : &board));
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
        xml_add(t, "<p>It can't be shown: %s.</p>\n", v->why_not.text);
        return;
    }
    words_ends(v, &w);
    html_paragraph(t, NULL, &w);
    if (v->differences.words) {
        differences_print(v->finding->unit, &v->differences, DIFFERENCE_LINES, &w);
        xml_add(t, "<pre class=\"wrap\">%s</pre>\n", text_chars(&w));
    } else if (!v->differences.end_differs) {
        text_add(t, "<p>Run again for this report, model and recorded answer do not differ in any bit that "
                    "both define.</p>\n");
    }
    if (pictures)
        write_pictures(v, t);
    else
        text_add(t, "<p class=\"more\">Its pictures are left out, because this page has very many findings; "
                    "the first command below draws the outcome.</p>\n");
    text_free(&w);
}

static void write_fact(struct text *t, const char *name, const char *chars)
{
    if (chars[0])
        xml_add(t, "<dt>%s</dt><dd>%s</dd>", name, chars);
}

static void write_board(const struct finding_view *v, const struct board_identity *b, uint64_t cases,
                        struct text *t)
{
    struct text w = {0};
    words_board(b, &w);
    xml_add(t, "<dt>Board</dt><dd><code>%s</code> (%s), %'" PRIu64 " case%s<br>%s</dd>", b->spec,
            board_class_label[v->board_class], cases, plural(cases), text_chars(&w));
    text_free(&w);
}

static void write_facts(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    text_add(t, "<details><summary>Where it was seen</summary>\n<dl class=\"facts\">");
    write_fact(t, "Smallest case", f->label);
    write_fact(t, "Model's profile", f->profile);
    for (unsigned i = 0; v->boards && i < v->boards->boards; i++)
        write_board(v, &v->boards->board[i].board, v->boards->board[i].cases, t);
    if (!v->boards || !v->boards->boards)
        write_board(v, &f->board, f->cases, t);
    text_add(t, "</dl></details>\n");
}

void html_article(const struct finding_view *v, bool pictures, bool later, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    text_add(t, "<article class=\"finding %s\" id=\"%s\">\n", verdict_name(f->verdict), f->id);
    text_add(t, "%s", later ? "<noscript>" : "");
    write_chips(v, t);
    words_headline(v, &w);
    html_element(t, "h3", "", text_chars(&w));
    text_add(t, "\n");
    text_clear(&w);
    words_meaning(v, &w);
    html_paragraph(t, "lead", &w);
    words_strength(v, &w);
    html_paragraph(t, "soft", &w);
    html_rules(v, t);
    write_clauses(v, t);
    write_difference(v, pictures, t);
    if (f->smallest)
        html_cases(f, t);
    write_case(v, pictures, t);
    write_facts(v, t);
    text_add(t, "%s</article>\n", later ? "</noscript>" : "");
    text_free(&w);
}
