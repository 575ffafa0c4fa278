/* SPDX-License-Identifier: MIT */
#include "oracle/describe/matrix.h"

#include "oracle/describe/rule_text.h"
#include "oracle/report/report_page.h"

#include <stdio.h>
#include <string.h>

/* A cell: readings, and the case that shows them. */
struct cell {
    char readings[256];
    const struct unit *of;     /* whose case it is */
    const char *folder, *name; /* of the case: "" or "learned/"; name NULL: none */
};

/* ---- columns ---- */

enum { COLUMN_MANUAL, COLUMN_SILICON, COLUMN_PROFILES };

/* The built-in profiles other than `manual`, which has a column of its own. */
static unsigned profiles_of(const struct unit *u)
{
    unsigned n = 0;
    while (u->profiles[n].name)
        n++;
    return n - 1;
}

static unsigned columns_of(const struct matrix *m)
{
    return COLUMN_PROFILES + profiles_of(m->unit) + m->learned->count;
}

static const struct learned *learned_at(const struct matrix *m, unsigned column)
{
    unsigned first = COLUMN_PROFILES + profiles_of(m->unit);
    return column < first ? NULL : &m->learned->of[column - first];
}

static const char *column_name(const struct matrix *m, unsigned column)
{
    const struct learned *l = learned_at(m, column);
    return column == COLUMN_MANUAL    ? "manual"
           : column == COLUMN_SILICON ? "silicon"
           : l                        ? l->name
                                      : m->unit->profiles[column - COLUMN_PROFILES + 1].name;
}

/* ---- cells ---- */

static void add_reading(struct cell *c, const char *reading)
{
    size_t length = strlen(c->readings);
    (void)snprintf(c->readings + length, sizeof c->readings - length, "%s%s", length ? ", " : "", reading);
}

/* Finds the case that separates the readings of a clause: the unit's own, or that of a unit with which it
 * shares the clause. NULL: there is none. */
static const struct corpus_entry *shown_case(const struct matrix *m, const char *clause,
                                             const struct unit **of)
{
    const struct corpus_entry *found = NULL;
    for (unsigned i = 0; i < m->units; i++) {
        const struct unit *u = unit_at(i);
        const struct corpus_entry *c = m->cases[i] ? corpus_separating(m->cases[i], clause, 0) : NULL;
        if (c && unit_clause_index(u, clause) >= 0 && (!found || u == m->unit)) {
            found = c;
            *of = u;
        }
    }
    return found;
}

static struct cell cell_at(const struct matrix *m, unsigned clause, unsigned column)
{
    struct cell cell = {.of = m->unit, .folder = ""};
    const struct clause *c = unit_clause(m->unit, clause);
    const struct learned *l = learned_at(m, column);
    const struct learned_line *n = l ? learned_clause(l, clause) : NULL;
    if (n) {
        add_reading(&cell, c->readings[n->reading].id);
        cell.folder = "learned/";
        cell.name = n->case_name;
        return cell;
    }
    if (column == COLUMN_MANUAL)
        add_reading(&cell, c->silent ? "silent" : "manual");
    for (unsigned i = 0; column == COLUMN_SILICON && i < clause_readings(c); i++) {
        const struct reading *r = &c->readings[i];
        char stated[80];
        (void)snprintf(stated, sizeof stated, "%s (stated)", r->id);
        if (r->evidence >= EVIDENCE_STATED)
            add_reading(&cell, r->evidence == EVIDENCE_SILICON ? r->id : stated);
    }
    if (column >= COLUMN_PROFILES && !l)
        add_reading(&cell, c->readings[c->in_profile[column - COLUMN_PROFILES + 1]].id);
    const struct corpus_entry *shown = *cell.readings ? shown_case(m, c->id, &cell.of) : NULL;
    cell.name = shown ? shown->name : NULL;
    return cell;
}

static bool is_rule(const struct learned_line *n)
{
    return n->clause < 0;
}

/* Adds the rule as a sentence. */
static void describe_line(const struct unit *u, const struct learned_line *n, struct text *t)
{
    struct rule r;
    const char *line = n->line;
    if (rule_next(u, &line, &r))
        rule_describe(u, &r, t);
    else
        text_add(t, "%s", n->line);
}

/* ---- HTML ---- */

static void html_cell(const struct matrix *m, unsigned clause, unsigned column, struct text *t)
{
    struct cell c = cell_at(m, clause, column);
    text_add(t, *c.readings ? "<td" : "<td class=\"unknown\"");
    xml_add(t, " data-h=\"%s\">", column_name(m, column));
    if (c.name)
        xml_add(t, "<a href=\"#case-%s-%s%s\"><code>%s</code></a>", c.of->name, *c.folder ? "learned-" : "",
                c.name, c.readings);
    else if (*c.readings)
        xml_add(t, "<code>%s</code>", c.readings);
    else
        text_add(t, "<span class=\"soft\">not known</span>");
    text_add(t, "</td>");
}

static void html_line(const struct matrix *m, const struct learned_line *n, struct text *t)
{
    struct text sentence = {0};
    xml_add(t, "<p class=\"more\" id=\"case-%s-learned-%s\"><code>%s</code></p>\n", m->unit->name,
            n->case_name, n->line);
    if (is_rule(n)) {
        describe_line(m->unit, n, &sentence);
        html_element(t, "p", "", text_chars(&sentence));
    }
    html_pre(t, n->case_text);
    text_free(&sentence);
}

static void html_implementations(const struct matrix *m, struct text *t)
{
    for (unsigned i = 0; i < m->learned->count; i++) {
        const struct learned *l = &m->learned->of[i];
        xml_add(t, "<h3>What <code>%s</code> does otherwise than the manual's readings</h3>\n", l->name);
        xml_add(t, "<p class=\"soft\">%s. Learned: %s.</p>\n", l->implementation, l->when);
        for (unsigned k = 0; k < l->count; k++)
            html_line(m, &l->line[k], t);
    }
}

/* The manual of a unit without one is the text that the field goes by. An implementation has its version and
 * the date of the comparison below its name. */
static void html_head(const struct matrix *m, unsigned column, struct text *t)
{
    const struct learned *l = learned_at(m, column);
    char date[32];
    xml_add(t, "<th>%s", column_name(m, column));
    if (column == COLUMN_MANUAL && m->unit->authority)
        xml_add(t, "<br><span class=\"soft\">there is none: %s</span>", m->unit->authority);
    if (l) {
        (void)snprintf(date, sizeof date, "%.*s", (int)strcspn(l->when, ","), l->when);
        xml_add(t, "<br><span class=\"soft\">%s, learned %s</span>", l->implementation, date);
    }
    text_add(t, "</th>");
}

void matrix_html(const struct matrix *m, struct text *t)
{
    struct text head = {0};
    text_add(t,
             "<details id=\"matrix-%s\"><summary>Who does what: clauses by implementations</summary>\n"
             "<p class=\"soft\">A name is the reading that is followed; it links a case that shows it. "
             "Silicon: readings that were measured, or that others state of silicon without the values "
             "(stated). Not known: nobody looked, or no case could tell; a narrow screen leaves these out. "
             "Of an implementation the table has what differs from the manual's readings.</p>\n",
             m->unit->name);
    text_add(&head, "<th>Clause</th>");
    for (unsigned i = 0; i < columns_of(m); i++)
        html_head(m, i, &head);
    html_table(t, "cards matrix", "", text_chars(&head));
    for (unsigned k = 0; k < unit_clauses(m->unit); k++) {
        const char *id = unit_clause(m->unit, k)->id;
        xml_add(t, "<tr><td data-h=\"Clause\"><a href=\"#%s\"><code>%s</code></a></td>", id, id);
        for (unsigned i = 0; i < columns_of(m); i++)
            html_cell(m, k, i, t);
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    html_implementations(m, t);
    text_add(t, "</details>\n");
    text_free(&head);
}

/* ---- Markdown ---- */

static void markdown_cell(const struct matrix *m, unsigned clause, unsigned column, struct text *t)
{
    struct cell c = cell_at(m, clause, column);
    if (c.name)
        text_add(t, " [%s](corpus/%s/%s%s.case) |", c.readings, c.of->name, c.folder, c.name);
    else
        text_add(t, " %s |", c.readings);
}

static void markdown_implementations(const struct matrix *m, struct text *t)
{
    for (unsigned i = 0; i < m->learned->count; i++) {
        const struct learned *l = &m->learned->of[i];
        text_add(t, "\n%s: ", l->name);
        escape_markdown(t, l->implementation);
        text_add(t, ". Learned: ");
        escape_markdown(t, l->when);
        text_add(t, ".\n\n");
        for (unsigned k = 0; k < l->count; k++)
            if (is_rule(&l->line[k])) {
                text_add(t, "- [`%s`](corpus/%s/learned/%s.case) ", l->line[k].line, m->unit->name,
                         l->line[k].case_name);
                describe_line(m->unit, &l->line[k], t);
                text_add(t, "\n");
            }
    }
}

void matrix_markdown(const struct matrix *m, struct text *t)
{
    text_add(t, "## %s\n\n| clause |", m->unit->name);
    for (unsigned i = 0; i < columns_of(m); i++)
        text_add(t, " %s |", column_name(m, i));
    text_add(t, "\n| --- |");
    for (unsigned i = 0; i < columns_of(m); i++)
        text_add(t, " --- |");
    text_add(t, "\n");
    for (unsigned k = 0; k < unit_clauses(m->unit); k++) {
        text_add(t, "| %s |", unit_clause(m->unit, k)->id);
        for (unsigned i = 0; i < columns_of(m); i++)
            markdown_cell(m, k, i, t);
        text_add(t, "\n");
    }
    markdown_implementations(m, t);
    text_add(t, "\n");
}
