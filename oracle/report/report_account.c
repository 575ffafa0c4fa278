/* SPDX-License-Identifier: MIT */
/* What stands behind the findings of the HTML report: overview, coverage, tallies and runs. */
#include "oracle/report/report_article.h"
#include "oracle/report/report_page.h"

#include <inttypes.h>
#include <string.h>

static void number_cell(struct text *t, const char *head, uint64_t n)
{
    xml_add(t, "<td class=\"num%s\" data-h=\"%s\">%'" PRIu64 "</td>", n ? "" : " zero", head, n);
}

/* --- overview: verdicts of each unit, without empty rows and columns */

static const char *const verdict_meaning[VERDICTS] = {
    [VERDICT_MANUAL_ERRATUM] = "The board contradicts the manual and fits another known reading.",
    [VERDICT_MANUAL_GAP] =
        "The manual is silent or ambiguous; the board fits another reading than the one that a "
        "careful reader assumes.",
    [VERDICT_PROFILE_WRONG] =
        "The board does what the manual says; the profile that the model ran under does not.",
    [VERDICT_UNDOCUMENTED] =
        "No known reading does what the board does. It follows a rule that was learned and is "
        "stated.",
    [VERDICT_IMPLEMENTATION_DIFFERS] = "The implementation does not do what a definite manual says, or what "
                                       "silicon does; its card says which of the two.",
    [VERDICT_IMPLEMENTATION_CHOICE] =
        "The manual is silent or ambiguous; the implementation chose a reading.",
    [VERDICT_UNEXPLAINED] = "No known reading explains the board: a new erratum, or a fault of the model.",
    [VERDICT_UNDEFINED] =
        "No document says what happens, or a known reading leaves the differing bits undefined.",
    [VERDICT_FLAKY] = "The board disagrees with itself.",
    [VERDICT_WITHDRAWN] =
        "A rule was learned and believed until a later case refuted it. Other findings hold "
        "what it explained.",
};

static unsigned verdict_findings(const struct report_facts *f, unsigned verdict)
{
    unsigned sum = 0;
    for (unsigned w = 0; w < BOARD_CLASSES; w++)
        sum += f->all.findings[w][verdict];
    return sum;
}

static void overview_row(const struct report_facts *f, const struct unit_facts *u, enum board_class class,
                         struct text *t)
{
    uint64_t sum = 0;
    for (unsigned v = 0; v < VERDICTS; v++)
        sum += u->findings[class][v];
    if (!sum)
        return;
    xml_add(t, "<tr><th scope=\"row\"><code>%s</code></th><td data-h=\"Evidence\">%s</td>", u->name,
            board_class_label[class]);
    for (unsigned v = 0; v < VERDICTS; v++)
        if (verdict_findings(f, v))
            number_cell(t, verdict_name((enum verdict)v), u->findings[class][v]);
    number_cell(t, "findings", sum);
    text_add(t, "</tr>\n");
}

static void write_verdicts(const struct report_facts *f, struct text *t)
{
    text_add(t, "<h3>What the verdicts mean</h3>\n<dl class=\"facts\">");
    for (unsigned v = 0; v < VERDICTS; v++)
        if (verdict_findings(f, v))
            text_add(t, "<dt>%s</dt><dd>%s</dd>", verdict_name((enum verdict)v), verdict_meaning[v]);
    if (f->all.has_board_class[BOARD_CLASS_VIRTUAL] || f->all.has_board_class[BOARD_CLASS_IMPLEMENTATION])
        text_add(t,
                 "<dt>dashed outline</dt><dd>The verdict is based on a virtual board or an implementation. "
                 "It is about that board, not about silicon.</dd>");
    text_add(t, "</dl>\n");
}

static void write_overview(const struct report *r, const struct report_facts *f, struct text *t)
{
    struct text head = {0}, w = {0};
    text_add(t, "<section id=\"overview\">\n<h2>Overview</h2>\n");
    words_summary(r, f, &w);
    html_paragraph(t, NULL, &w);
    if (r->findings) {
        text_add(&head, "<th>Unit</th><th>Evidence</th>");
        for (unsigned v = 0; v < VERDICTS; v++)
            if (verdict_findings(f, v))
                text_add(&head, "<th class=\"num\">%s</th>", verdict_name((enum verdict)v));
        text_add(&head, "<th class=\"num\">findings</th>");
        html_table(t, "cards", "", text_chars(&head));
        for (unsigned i = 0; i < f->units; i++)
            for (unsigned c = 0; c < BOARD_CLASSES; c++)
                overview_row(f, &f->unit[i], (enum board_class)c, t);
        text_add(t, "</tbody></table></div>\n");
        write_verdicts(f, t);
    }
    html_curves(r, f, t);
    text_add(t, "</section>\n");
    text_free(&head);
    text_free(&w);
}

/* --- coverage */

static void coverage_cell(const struct unit_facts *u, unsigned i, struct text *t)
{
    static const char *const level[] = {"", " some few", " some", " some most", " all"};
    const struct clause *c = unit_clause(u->unit, i);
    unsigned all = clause_modes(c), touched = (unsigned)__builtin_popcount(u->coverage.modes[i]),
             found = u->clause_findings[i];
    unsigned heat = touched >= all ? 4U : touched ? 1U + 3U * touched / (all + 1U) : 0U;
    xml_add(t, "<span class=\"cell%s%s\" title=\"%s: %stouched", level[heat], found ? " found" : "", c->id,
            touched ? "" : "not ");
    if (touched && all > 1)
        text_add(t, " in %u of %u mode%s", touched, all, plural(all));
    if (found)
        text_add(t, ", %u finding%s", found, plural(found));
    text_add(t, "\"></span>");
}

enum { IDS_OPEN = 12 }; /* a longer list is folded */

/* Lists the clauses that cases touched in all their modes (level 2), in some (1), or not at all (0). */
static void coverage_ids(const struct unit_facts *u, unsigned level, const char *summary, bool open,
                         struct text *t)
{
    unsigned count = 0;
    struct text ids = {0};
    for (unsigned i = 0; i < unit_clauses(u->unit); i++) {
        const struct clause *c = unit_clause(u->unit, i);
        unsigned touched = (unsigned)__builtin_popcount(u->coverage.modes[i]);
        if ((touched >= clause_modes(c) ? 2U : touched ? 1U : 0U) != level)
            continue;
        xml_add(&ids, "%s<code>%s</code>", count++ ? ", " : "", c->id);
        for (unsigned m = 0, listed = 0; level == 1 && c->modes[m]; m++)
            if (!((u->coverage.modes[i] >> m) & 1))
                xml_add(&ids, "%s%s", listed++ ? ", " : " (without ", c->modes[m]);
        text_add(&ids, level == 1 ? ")" : "");
    }
    if (count)
        text_add(t, "<details%s><summary>%s: %u</summary><p class=\"ids\">%s</p></details>\n",
                 open ? " open" : "", summary, count, text_chars(&ids));
    text_free(&ids);
}

static void unit_coverage(const struct unit_facts *u, struct text *t)
{
    xml_add(t, "<h3><code>%s</code>", u->name);
    if (!u->unit) {
        text_add(t, "</h3>\n<p>This program does not know the unit, so its clauses can't be named.</p>\n");
        return;
    }
    unsigned all = unit_clauses(u->unit), touched = coverage_clauses(&u->coverage);
    xml_add(t,
            ": %u of %u clauses touched</h3>\n<div class=\"cells\" role=\"img\" aria-label=\"clause coverage "
            "of %s\">",
            touched, all, u->name);
    for (unsigned k = 0; k < all; k++)
        coverage_cell(u, k, t);
    text_add(t, "</div>\n");
    coverage_ids(u, 0, "Not touched", all - touched <= IDS_OPEN, t);
    coverage_ids(u, 1, "Touched in some modes only", false, t);
    coverage_ids(u, 2, "Touched in every mode", false, t);
}

static void write_coverage(const struct report_facts *f, struct text *t)
{
    text_add(t, "<section id=\"coverage\">\n<h2>Clause coverage</h2>\n<p>A clause is touched when it decided "
                "something in a case. A box is a clause, in the ledger's order.</p>\n"
                "<ul class=\"key\"><li><span class=\"cell all\"></span>touched in every mode</li>"
                "<li><span class=\"cell some most\"></span><span class=\"cell some\"></span>"
                "<span class=\"cell some few\"></span>in most, some, few of its modes</li>"
                "<li><span class=\"cell\"></span>not touched</li>"
                "<li><span class=\"cell all found\"></span>with findings</li></ul>\n");
    for (unsigned i = 0; i < f->units; i++)
        unit_coverage(&f->unit[i], t);
    text_add(t, "</section>\n");
}

/* --- tallies and runs. Rows without a number are left out. */

static void tally_group(const struct report_facts *f, bool removed, struct text *t)
{
    struct tally_row rows[REPORT_UNITS_MAX + 1][TALLY_ROWS_MAX];
    for (unsigned i = 0; i < f->units; i++)
        tally_rows(&f->unit[i].tally, rows[i]);
    tally_rows(&f->all.tally, rows[f->units]);
    bool headed = false;
    for (unsigned k = 0; rows[f->units][k].name; k++) {
        if (rows[f->units][k].removed != removed || !rows[f->units][k].number)
            continue;
        if (!headed)
            text_add(t, "<tr class=\"group\"><th colspan=\"%u\">%s</th></tr>\n", f->units + 2,
                     removed ? "Taken away by masks, filters and refusals" : "Compared");
        headed = true;
        text_add(t, "<tr><th scope=\"row\">%s</th>", rows[f->units][k].name);
        for (unsigned i = 0; i < f->units; i++)
            number_cell(t, f->unit[i].unit ? f->unit[i].name : "unknown unit", rows[i][k].number);
        if (f->units > 1)
            number_cell(t, "all", rows[f->units][k].number);
        text_add(t, "</tr>\n");
    }
}

static void write_disagreements(const struct report *r, struct text *t)
{
    uint64_t cases = report_disagreements(r);
    if (cases)
        xml_add(t,
                "<p><strong>The two proofs before hardware disagree on %'" PRIu64
                " program%s.</strong> None was launched. One of the proofs is wrong: <code>misprint dropped "
                "CAMPAIGN</code> prints the "
                "cases.</p>\n",
                cases, plural(cases));
}

static void write_dropped(const struct report *r, struct text *t)
{
    if (!r->dropped)
        return;
    xml_add(t, "<p>%'" PRIu64 " %s dropped without a comparison", r->dropped,
            r->dropped == 1 ? "case was" : "cases were");
    for (unsigned i = 0; i < r->reasons; i++)
        xml_add(t, "%s%'" PRIu64 " &#215; %s", i ? "; " : ": ", r->reason[i].cases, r->reason[i].reason);
    text_add(t, ".</p>\n");
    write_disagreements(r, t);
}

static void write_tallies(const struct report *r, const struct report_facts *f, struct text *t)
{
    struct text head = {0};
    text_add(&head, "<th></th>");
    for (unsigned i = 0; i < f->units; i++)
        xml_add(&head, "<th class=\"num\">%s</th>", f->unit[i].name);
    text_add(&head, "%s", f->units > 1 ? "<th class=\"num\">all</th>" : "");
    text_add(t, "<section id=\"compared\">\n<h2>What was compared</h2>\n");
    html_table(t, "tally cards", "", text_chars(&head));
    text_free(&head);
    tally_group(f, false, t);
    tally_group(f, true, t);
    text_add(t, "</tbody></table></div>\n");
    write_dropped(r, t);
    text_add(t, "</section>\n");
}

static void write_run(const struct run_facts *run, unsigned number, struct text *t)
{
    struct text board = {0};
    double a_second = run->seconds > 0 ? (double)run->tally.cases / run->seconds : 0;
    words_board(&run->board, &board);
    xml_add(t,
            "<tr><td class=\"num\" data-h=\"Run\">%u</td><td data-h=\"Command\"><code>%s %s</code>"
            "<br><span class=\"soft\">profile</span> <code>%s</code>",
            number, run->command, run->unit, run->profile);
    if (strcmp(run->command, "replay") != 0)
        text_add(t, "<br><span class=\"soft\">seed %" PRIu64 "</span>", run->seed);
    text_add(t, run->interrupted ? "<br><b>interrupted before its end</b>" : "");
    xml_add(t, "</td><td data-h=\"Board\"><code>%s</code> <b>(%s)</b><br><span class=\"soft\">%s</span></td>",
            run->board.spec, board_class_label[board_class(&run->board)], text_chars(&board));
    number_cell(t, "Cases", run->tally.cases);
    text_add(t, "<td class=\"num\" data-h=\"Seconds\">%.1f</td>", run->seconds);
    number_cell(t, "Cases/s", a_second < 1e15 ? (uint64_t)a_second : 0);
    xml_add(t, "<td data-h=\"Machine\" class=\"soft\">%s</td></tr>\n", run->machine);
    text_free(&board);
}

static void write_runs(const struct report *r, struct text *t)
{
    struct text chain = {0};
    text_add(t, "<section id=\"runs\">\n<h2>Runs</h2>\n");
    html_table(t, "cards runs", "",
               "<th class=\"num\">Run</th><th>Command</th><th>Board</th><th class=\"num\">Cases</th>"
               "<th class=\"num\">Seconds</th><th class=\"num\">Cases/s</th><th>Machine</th>");
    for (unsigned i = 0; i < r->runs; i++)
        write_run(&r->run[i], i + 1, t);
    text_add(t, "</tbody></table></div>\n");
    words_chain(r, &chain);
    html_paragraph(t, "chain", &chain);
    text_free(&chain);
    text_add(t, "</section>\n");
}

void html_account(const struct report *r, const struct report_facts *f, struct text *t)
{
    write_overview(r, f, t);
    write_runs(r, t);
    write_coverage(f, t);
    write_tallies(r, f, t);
}
