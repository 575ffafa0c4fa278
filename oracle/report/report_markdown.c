/* SPDX-License-Identifier: MIT */
/* The Markdown report (CommonMark with GitHub's tables). It has the content of the HTML report, with pictures
 * as text. */
#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/rule/report_nearest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_LINES = 80, DIFFERENCE_LINES = 12 };

/* Adds sentences with `names` in backticks. A name becomes code, unless it contains a bar and is in a table:
 * a bar ends a table's cell even in code. All other text is escaped. */
static void add_words(struct text *t, const char *chars, bool in_table)
{
    while (*chars) {
        size_t length = strcspn(chars, "`");
        escape_markdown_count(t, chars, length);
        chars += length;
        if (*chars != '`')
            return;
        size_t inside = strcspn(chars + 1, "`");
        if (chars[1 + inside] != '`' || inside == 0 || (in_table && memchr(chars + 1, '|', inside))) {
            escape_markdown_count(t, chars, 1);
            chars++;
            continue;
        }
        text_add(t, "`");
        escape_utf8(t, chars + 1, inside);
        text_add(t, "`");
        chars += inside + 2;
    }
}

static void md_words(struct text *t, const char *chars)
{
    add_words(t, chars, false);
}

static void md_paragraph(struct text *t, const char *before, struct text *words)
{
    if (words->length) {
        text_add(t, "%s", before);
        md_words(t, text_chars(words));
        text_add(t, "\n\n");
    }
    text_clear(words);
}

static void md_cell(struct text *t, const char *chars)
{
    text_add(t, " ");
    add_words(t, chars, true);
    text_add(t, " |");
}

/* Adds Markdown like printf, and escapes each %s. The flag ' groups the digits of integers (2,795,520). */
static void md_add(struct text *t, const char *form, ...) __attribute__((format(printf, 2, 3)));
static void md_add(struct text *t, const char *form, ...)
{
    va_list values;
    va_start(values, form);
    text_add_escaped(t, escape_markdown, form, values);
    va_end(values);
}

static void md_number(struct text *t, uint64_t n)
{
    md_add(t, " %'" PRIu64 " |", n);
}

/* Writes the findings as a table whose rows are sentences. */
static void write_list(const struct report *r, const struct text *rows, struct text *t)
{
    text_add(t, "## %u finding%s\n\n", r->findings, plural(r->findings));
    if (!r->findings)
        text_add(t, "No discrepancy was found.\n\n");
    else
        text_add(t,
                 "| What was found | Verdict | Evidence | Unit | Cases | Finding |\n| --- | --- | --- | --- "
                 "| ---: | "
                 "--- |\n%s\n",
                 text_chars(rows));
}

static void list_row(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0}, does = {0};
    words_headline(v, &w);
    words_does(f, &does);
    text_add(&w, "%s%s", w.length && does.length ? ": " : "", text_chars(&does));
    text_free(&does);
    text_add(t, "|");
    md_cell(t, text_chars(&w));
    text_clear(&w);
    words_verdict(v, &w);
    md_cell(t, text_chars(&w));
    md_cell(t, board_class_label[v->board_class]);
    md_cell(t, f->unit->name);
    md_number(t, f->cases);
    text_clear(&w);
    words_clause_ids(f, &w);
    md_cell(t, text_chars(&w));
    text_add(t, "\n");
    text_free(&w);
}

/* Writes the verdicts of each unit, without empty rows and columns. */
static void write_overview(const struct report *r, const struct report_facts *f, struct text *t)
{
    struct text w = {0};
    unsigned sum[VERDICTS] = {0}, row[REPORT_UNITS_MAX][BOARD_CLASSES] = {{0}};
    for (unsigned v = 0; v < VERDICTS; v++)
        for (unsigned c = 0; c < BOARD_CLASSES; c++) {
            sum[v] += f->all.findings[c][v];
            for (unsigned i = 0; i < f->units; i++)
                row[i][c] += f->unit[i].findings[c][v];
        }
    text_add(t, "## Overview\n\n");
    words_summary(r, f, &w);
    md_paragraph(t, "", &w);
    text_add(t, "| Unit | Evidence |");
    for (unsigned v = 0; v < VERDICTS; v++)
        if (sum[v])
            text_add(t, " %s |", verdict_name((enum verdict)v));
    text_add(t, "\n| --- | --- |");
    for (unsigned v = 0; v < VERDICTS; v++)
        text_add(t, "%s", sum[v] ? " ---: |" : "");
    text_add(t, "\n");
    for (unsigned i = 0; i < f->units; i++)
        for (unsigned c = 0; c < BOARD_CLASSES; c++) {
            if (!row[i][c])
                continue;
            text_add(t, "|");
            md_cell(t, f->unit[i].name);
            md_cell(t, board_class_label[c]);
            for (unsigned v = 0; v < VERDICTS; v++)
                if (sum[v])
                    md_number(t, f->unit[i].findings[c][v]);
            text_add(t, "\n");
        }
    text_add(t, "\nA verdict on a virtual board is about that board, not about silicon.\n\n");
    text_free(&w);
}

static void write_tallies(const struct report *r, const struct report_facts *f, struct text *t)
{
    struct tally_row rows[REPORT_UNITS_MAX + 1][TALLY_ROWS_MAX], all[TALLY_ROWS_MAX];
    unsigned columns = f->units + (f->units > 1);
    tally_rows(&f->all.tally, all);
    for (unsigned i = 0; i < columns; i++)
        tally_rows(i < f->units ? &f->unit[i].tally : &f->all.tally, rows[i]);
    text_add(t, "## What was compared\n\n| |");
    for (unsigned i = 0; i < columns; i++)
        md_cell(t, i < f->units ? f->unit[i].name : "all");
    text_add(t, "\n| --- |");
    for (unsigned i = 0; i < columns; i++)
        text_add(t, " ---: |");
    text_add(t, "\n");
    for (unsigned k = 0; columns && all[k].name; k++) {
        if (!all[k].number)
            continue;
        text_add(t, "| %s%s |", all[k].removed ? "*removed:* " : "", all[k].name);
        for (unsigned i = 0; i < columns; i++)
            md_number(t, rows[i][k].number);
        text_add(t, "\n");
    }
    text_add(t, "\n");
    for (unsigned i = 0; i < r->reasons; i++)
        md_add(t, "- dropped without a comparison: %'" PRIu64 ", %s\n", r->reason[i].cases,
               r->reason[i].reason);
    if (report_disagreements(r))
        text_add(
            t,
            "- **The two proofs before hardware disagree on %llu of these programs.** None was launched.\n",
            (unsigned long long)report_disagreements(r));
    text_add(t, "%s", r->reasons ? "\n" : "");
}

static void write_runs(const struct report *r, struct text *t)
{
    text_add(
        t, "## Runs\n\n| Run | Command | Comparison | Board | Cases | Cases/s | Seconds | Seed | Machine |\n"
           "| ---: | --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n");
    for (unsigned i = 0; i < r->runs; i++) {
        const struct run_facts *run = &r->run[i];
        struct text w = {0};
        text_add(t, "| %u |", i + 1);
        md_cell(t, run->command);
        words_run(run, &w);
        md_cell(t, text_chars(&w));
        text_clear(&w);
        words_board(&run->board, &w);
        md_add(t, " %s |", text_chars(&w));
        md_number(t, run->tally.cases);
        double a_second = run->seconds > 0 ? (double)run->tally.cases / run->seconds : 0;
        md_number(t, a_second < 1e15 ? (uint64_t)a_second : 0);
        text_add(t, " %.1f | ", run->seconds);
        text_add(t, strcmp(run->command, "replay") != 0 ? "%llu | " : "| ", (unsigned long long)run->seed);
        md_add(t, "%s |\n", run->machine);
        text_free(&w);
    }
    text_add(t, "\n");
}

/* Writes the curves of the HTML report as a table. For each run, the table has the first point after each
 * power of ten, and the last point. */
static void write_growth(const struct report *r, struct text *t)
{
    bool headed = false;
    for (unsigned i = 0; r->progress && i < r->runs; i++) {
        const struct report_progress *run = &r->progress[i];
        uint64_t next = 1;
        for (unsigned k = 0; run->points > 1 && k < run->points; k++) {
            const struct progress_point *at = &run->point[k];
            if (at->cases < next && k + 1 < run->points)
                continue;
            while (next <= at->cases)
                next *= 10;
            if (!headed)
                text_add(t, "### How it grew\n\n| Run | Unit | Cases compared | Clauses touched | Findings "
                            "|\n| ---: | --- | ---: | ---: | ---: |\n");
            headed = true;
            text_add(t, "| %u |", i + 1);
            md_cell(t, r->run[i].unit);
            md_number(t, at->cases);
            text_add(t, " %u | %u |\n", at->clauses, at->findings);
        }
    }
    text_add(t, headed ? "\n" : "");
}

static void write_coverage(const struct report_facts *f, struct text *t)
{
    text_add(t, "## Clause coverage\n\n");
    for (unsigned i = 0; i < f->units; i++) {
        const struct unit_facts *u = &f->unit[i];
        if (!u->unit)
            continue;
        unsigned all = unit_clauses(u->unit), touched = coverage_clauses(&u->coverage);
        text_add(t, "- `%s`: %u of %u clauses touched.%s", u->name, touched, all,
                 touched < all ? " Not touched: " : "");
        for (unsigned k = 0, listed = 0; k < all; k++)
            if (!covered(&u->coverage, k))
                text_add(t, "%s`%s`", listed++ ? ", " : "", unit_clause(u->unit, k)->id);
        text_add(t, "\n");
    }
    text_add(t, "\n");
}

static void write_reading(const struct finding_view *v, const struct named_clause *n, unsigned i,
                          struct text *t)
{
    const struct reading *r = &unit_clause(v->finding->unit, n->index)->readings[i];
    struct text mark = {0};
    words_mark(v, n->index, i, &mark);
    text_add(t, "| `%s`", r->id);
    if (mark.length)
        text_add(t, " **(%s)**", text_chars(&mark));
    text_add(t, "%s |", v->shown && v->base.reading[n->index] == i ? " (the model ran with this)" : "");
    text_free(&mark);
    md_cell(t, r->says);
    md_cell(t, r->source);
    text_add(t, " %s |\n", evidence_words(r->evidence));
}

static void write_clause(const struct finding_view *v, const struct named_clause *n, struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    struct text w = {0};
    text_add(t, "**`%s`** ", c->id);
    md_words(t, c->title);
    text_add(t, " (");
    md_words(t, c->where);
    text_add(t, "%s)\n\n", c->silent ? "; silent or ambiguous there" : "");
    text_add(t, "| Reading | ");
    authority_add(v->finding->unit,
                  c->silent ? "A machine that follows it (`manual` is what a careful reader assumes)"
                            : "A machine that follows it (`manual` is what the manual says)",
                  t);
    text_add(t, " | Source | Evidence |\n| --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < clause_readings(c); i++)
        write_reading(v, n, i, t);
    text_add(t, "\n");
    words_support(v, n, &w);
    md_paragraph(t, "", &w);
    if (n->followed >= 0) {
        if (c->proposed) {
            text_add(t, "- Proposed wording: ");
            md_words(t, c->proposed);
        }
        if (c->workaround) {
            text_add(t, c->proposed ? "\n- Workaround: " : "- Workaround: ");
            md_words(t, c->workaround);
        }
        text_add(t, c->proposed || c->workaround ? "\n\n" : "");
    }
    text_free(&w);
}

static void write_difference(const struct finding_view *v, struct text *t)
{
    struct text w = {0};
    if (!v->shown) {
        md_add(t, "The difference can't be shown: %s.\n\n", v->why_not.text);
        return;
    }
    words_ends(v, &w);
    md_paragraph(t, "", &w);
    if (v->differences.words) {
        differences_print(v->finding->unit, &v->differences, DIFFERENCE_LINES, &w);
        text_add(t, "The difference:\n\n");
        escape_markdown_block(t, text_chars(&w));
        text_add(t, "\n");
        text_clear(&w);
    } else if (!v->differences.end_differs) {
        text_add(t, "Run again for this report, model and recorded answer do not differ in any bit that both "
                    "define.\n\n");
    }
    picture_print(&v->picture, &w);
    if (w.length) {
        escape_markdown_block(t, text_chars(&w));
        text_add(t, "\n");
    }
    text_free(&w);
}

static void write_rules(const struct finding_view *v, struct text *t)
{
    struct text w = {0};
    words_rule_names(v, &w);
    md_paragraph(t, "Names in the rule. ", &w);
    words_rule_sweeps(v, &w);
    md_paragraph(t, "", &w);
    words_refuting(v->finding, CASE_LINES, &w);
    if (w.length) {
        text_add(t, "The case that refuted the rule:\n\n");
        escape_markdown_block(t, text_chars(&w));
        text_add(t, "\n");
        text_clear(&w);
    }
    words_rule_commands(v, &w);
    if (w.length) {
        text_add(t, "The rule to paste:\n\n");
        escape_markdown_block(t, text_chars(&w));
        text_clear(&w);
        text_add(t, "\nDraft of a ledger row:\n\n");
        words_ledger_draft(v, &w);
        escape_markdown_block(t, text_chars(&w));
        text_add(t, "\n");
    }
    text_clear(&w);
    words_alternatives(v, &w);
    if (w.length) {
        text_add(t, "Rules that no experiment distinguished:\n\n");
        escape_markdown_block(t, text_chars(&w));
        text_add(t, "\n");
    }
    text_free(&w);
}

static void write_finding(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    struct named_clause named[NAMED_CLAUSES_MAX];
    struct text w = {0};
    text_add(t, "### ");
    words_headline(v, &w);
    md_paragraph(t, "", &w);
    text_add(t, "`%s` in `%s`: **", f->id, f->unit->name);
    words_verdict(v, t);
    text_add(t, "**. ");
    words_meaning(v, &w);
    md_paragraph(t, "", &w);
    words_strength(v, &w);
    md_paragraph(t, "", &w);
    write_rules(v, t);
    for (unsigned i = 0, count = finding_clauses(f, named); i < count; i++)
        write_clause(v, &named[i], t);
    words_candidates(v, &w);
    md_paragraph(t, "", &w);
    words_nearest(v, &w);
    md_paragraph(t, "", &w);
    write_difference(v, t);
    if (f->smallest) {
        words_case(f, CASE_LINES, &w);
        md_add(t, "Smallest case, from %s:\n\n", f->label);
        escape_markdown_block(t, text_chars(&w));
        text_clear(&w);
    }
    words_agreeing(f, &w);
    md_paragraph(t, "\n", &w);
    words_agreeing_lines(f, &w);
    if (w.length)
        escape_markdown_block(t, text_chars(&w));
    text_clear(&w);
    text_add(t, "\nFrom the campaign's directory:\n\n");
    words_commands(v, &w);
    escape_markdown_block(t, text_chars(&w));
    text_add(t, "\n");
    text_free(&w);
}

void report_markdown(const struct report *r, struct text *t)
{
    struct report_facts f;
    struct text w = {0};
    report_sum(r, &f);
    words_title(r, &w);
    md_add(t, "# %s \xE2\x80\x93 Misprint report\n\n", text_chars(&w));
    text_clear(&w);
    words_warning(r, &w);
    md_paragraph(t, "> **Warning.** ", &w);
    words_tested(r, &f, &w);
    md_paragraph(t, "", &w);
    words_evidence(&f, &w);
    md_paragraph(t, "> ", &w);
    const struct finding *first = report_first(r);
    if (first)
        md_add(t, "Read first: finding `%s` (%s, %'" PRIu64 " case%s).\n\n", first->id,
               verdict_name(first->verdict), first->cases, plural(first->cases));
    if (!f.all.tally.compared && !r->findings)
        text_add(t, "> **Nothing was compared.** This report proves nothing.\n\n");
    struct finding_viewer *viewer = finding_viewer_new();
    struct text rows = {0}, cards = {0};
    unsigned *order = report_order(r);
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding_view v;
        finding_view(viewer, r, order[i], &v);
        list_row(&v, &rows);
        write_finding(&v, &cards);
    }
    finding_viewer_free(viewer);
    free(order);
    write_list(r, &rows, t);
    words_counted(&f, &w);
    md_paragraph(t, "", &w);
    text_add_chars(t, text_chars(&cards), cards.length);
    if (r->findings)
        write_overview(r, &f, t);
    write_growth(r, t);
    write_runs(r, t);
    words_chain(r, &w);
    md_paragraph(t, "", &w);
    write_coverage(&f, t);
    write_tallies(r, &f, t);
    text_free(&rows);
    text_free(&cards);
    text_free(&w);
}
