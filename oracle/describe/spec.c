/* SPDX-License-Identifier: MIT */
#include "oracle/describe/spec.h"

#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/matrix.h"
#include "oracle/report/report_page.h"

#include <string.h>

enum { SPEC_UNITS_MAX = 32 };

struct spec {
    const char *folder;
    struct corpus *corpus[SPEC_UNITS_MAX];
    struct learned_list learned[SPEC_UNITS_MAX];
    unsigned units;
};

/* Is this the first unit that has the clause? A clause that units share is printed only there. */
static bool owns(unsigned unit, const char *clause)
{
    for (unsigned i = 0; i < unit; i++)
        if (unit_clause_index(unit_at(i), clause) >= 0)
            return false;
    return true;
}

/* --- the head and the list */

struct spec_sums {
    unsigned clauses, readings, silent, evidence[EVIDENCE_SILICON + 1];
};

static struct spec_sums count_all(void)
{
    struct spec_sums n = {0};
    for (unsigned i = 0; unit_at(i); i++)
        for (unsigned k = 0; k < unit_clauses(unit_at(i)); k++) {
            const struct clause *c = unit_clause(unit_at(i), k);
            if (!owns(i, c->id))
                continue;
            n.clauses++;
            n.readings += clause_readings(c);
            n.silent += c->silent;
            n.evidence[clause_best_evidence(c)]++;
        }
    return n;
}

static void write_head(const struct spec *s, struct text *t)
{
    struct spec_sums n = count_all();
    html_open("What the manuals leave open", "Misprint", "Misprint: the ledger of clauses and readings", t);
    text_add(
        t,
        "<p class=\"lead\">%u sentences of %u units' documents that are wrong, silent or ambiguous, "
        "with %u readings. In %u of them the document says nothing definite.</p>\n<p "
        "class=\"callout\">Each reading says how surely it is known. The "
        "best evidence for any reading is a measurement on silicon for %u clauses, a statement about silicon "
        "without its values for %u, software in the field for %u, a document for %u, argument only for "
        "%u.</p>\n",
        n.clauses, s->units, n.readings, n.silent, n.evidence[EVIDENCE_SILICON], n.evidence[EVIDENCE_STATED],
        n.evidence[EVIDENCE_SOURCE], n.evidence[EVIDENCE_DOCUMENT], n.evidence[EVIDENCE_ARGUMENT]);
    if (!s->folder)
        text_add(t, "<p class=\"callout\">The project's cases are not installed where this page was written, "
                    "so it shows no separating cases.</p>\n");
    text_add(t, "<nav aria-label=\"Sections\"><a href=\"#ledger\">All clauses</a>");
    for (unsigned i = 0; i < s->units; i++)
        text_add(t, "<a href=\"#unit-%s\">%s</a>", unit_at(i)->name, unit_at(i)->name);
    text_add(t, "</nav>\n</header>\n<main>\n");
}

static void write_list(const struct spec *s, struct text *t)
{
    text_add(t, "<section id=\"ledger\">\n<h2>All clauses</h2>\n<div class=\"filter\" hidden><label "
                "for=\"filter\" class=\"soft\">Show only clauses with these words</label><br>"
                "<input type=\"search\" id=\"filter\"></div>\n");
    html_table(t, "cards", " id=\"list\"",
               "<th>Clause</th><th>About</th><th>Where</th><th>Readings</th><th>Best evidence</th>");
    for (unsigned i = 0; i < s->units; i++)
        for (unsigned k = 0; k < unit_clauses(unit_at(i)); k++) {
            const struct clause *c = unit_clause(unit_at(i), k);
            if (!owns(i, c->id))
                continue;
            text_add(t, "<tr><td><a href=\"#%s\"><code>%s</code></a></td>", c->id, c->id);
            html_element(t, "td", "", c->title);
            text_add(t, "<td data-h=\"Where\">");
            html_words(t, c->where);
            text_add(t, "%s</td><td data-h=\"Readings\">",
                     c->silent ? " <span class=\"soft\">(silent)</span>" : "");
            for (unsigned r = 0; r < clause_readings(c); r++)
                xml_add(t, r ? ", <code>%s</code>" : "<code>%s</code>", c->readings[r].id);
            text_add(t, "</td><td data-h=\"Best evidence\">%s</td></tr>\n",
                     evidence_words(clause_best_evidence(c)));
        }
    text_add(t, "</tbody></table></div>\n</section>\n");
}

/* --- one clause */

static void write_readings(const struct unit *u, const struct clause *c, struct text *t)
{
    struct text marks = {0};
    html_table(t, "cards", "", HTML_READINGS);
    for (unsigned i = 0; i < clause_readings(c); i++) {
        text_clear(&marks);
        for (unsigned p = 0; u->profiles[p].name; p++)
            if (c->in_profile[p] == i)
                text_add(&marks, "<br><span class=\"mark%s\">profile %s</span>",
                         p == u->best_profile ? "" : " model", u->profiles[p].name);
        html_reading(t, &c->readings[i], c->in_profile[u->best_profile] == i, text_chars(&marks));
    }
    text_free(&marks);
    text_add(t, "</tbody></table></div>\n");
}

/* Lists the clause's separating cases. It searches the folders of all units, because units share clauses. */
static void write_cases(const struct spec *s, const struct clause *c, struct text *t)
{
    unsigned found = 0;
    for (unsigned i = 0; s->folder && i < s->units; i++) {
        const struct corpus_entry *n;
        for (unsigned k = 0; (n = corpus_separating(s->corpus[i], c->id, k)); k++) {
            if (!found++)
                text_add(t, "<h4>Cases on which the readings differ</h4>\n");
            xml_add(t, "<p class=\"more\" id=\"case-%s-%s\"><code>corpus/%s/%s.case</code></p>\n",
                    unit_at(i)->name, n->name, unit_at(i)->name, n->name);
            html_pre(t, n->text);
        }
    }
}

static void write_clause(const struct spec *s, unsigned unit, const struct clause *c, struct text *t)
{
    const struct unit *u = unit_at(unit);
    text_add(t, "<article class=\"finding %s\" id=\"%s\">\n<p class=\"chips\"><span class=\"chip\">%s</span>",
             c->silent ? "manual-gap" : "manual-erratum", c->id,
             c->silent ? "silent or ambiguous" : "definite");
    for (unsigned i = 0; i < s->units; i++)
        if (unit_clause_index(unit_at(i), c->id) >= 0)
            text_add(t, "<span class=\"chip witness\">%s</span>", unit_at(i)->name);
    text_add(t, "<a class=\"id\" href=\"#%s\"><code>%s</code></a></p>\n", c->id, c->id);
    html_element(t, "h3", "", c->title);
    text_add(t, "\n");
    html_element(t, "p", " class=\"soft\"", c->where);
    text_add(t, "\n");
    write_readings(u, c, t);
    if (c->modes) {
        text_add(t, "<p class=\"more\">Modes that coverage tells apart: ");
        for (unsigned i = 0; c->modes[i]; i++)
            xml_add(t, i ? ", %s" : "%s", c->modes[i]);
        text_add(t, "</p>\n");
    }
    html_part(t, "Proposed wording", "blockquote", c->proposed);
    html_part(t, "Workaround", "p", c->workaround);
    write_cases(s, c, t);
    text_add(t, "</article>\n");
}

static void write_unit(const struct spec *s, unsigned unit, struct text *t)
{
    const struct unit *u = unit_at(unit);
    unsigned elsewhere = 0;
    text_add(t, "<section id=\"unit-%s\">\n<h2><code>%s</code></h2>\n", u->name, u->name);
    html_element(t, "p", "", u->about);
    text_add(t, "\n<dl class=\"facts\">");
    for (unsigned p = 0; u->profiles[p].name; p++) {
        text_add(t, "<dt>profile %s</dt>", u->profiles[p].name);
        html_element(t, "dd", "", u->profiles[p].about);
    }
    text_add(t, "</dl>\n");
    matrix_html(&(struct matrix){u, s->corpus, s->units, &s->learned[unit]}, t);
    for (unsigned k = 0; k < unit_clauses(u); k++) {
        const struct clause *c = unit_clause(u, k);
        if (owns(unit, c->id)) {
            write_clause(s, unit, c, t);
            continue;
        }
        text_add(t, elsewhere++ ? ", " : "<p>Shared with units above: ");
        text_add(t, "<a href=\"#%s\"><code>%s</code></a>", c->id, c->id);
    }
    text_add(t, elsewhere ? "</p>\n</section>\n" : "</section>\n");
}

static void spec_close(struct spec *s)
{
    for (unsigned i = 0; i < s->units; i++) {
        corpus_close(s->corpus[i]);
        learned_close(&s->learned[i]);
    }
}

/* Loads the cases and the learned profiles of all units. spec_close releases them, also after an error. */
static bool spec_open(struct spec *s, struct error *e)
{
    bool good = true;
    for (; good && unit_at(s->units) && s->units < SPEC_UNITS_MAX; s->units++)
        if (s->folder)
            good = (s->corpus[s->units] = corpus_open(unit_at(s->units), s->folder, e)) != NULL &&
                   learned_open(unit_at(s->units), s->folder, &s->learned[s->units], e);
    return good;
}

bool spec_html(const char *folder, struct text *t, struct error *e)
{
    struct spec s = {.folder = folder};
    bool good = spec_open(&s, e);
    if (good) {
        write_head(&s, t);
        write_list(&s, t);
        for (unsigned i = 0; i < s.units; i++)
            write_unit(&s, i, t);
        text_add(t,
                 "</main>\n<footer>Written by misprint " MISPRINT_VERSION
                 ". A virtual board is not silicon: a profile says what is known of a chip, and "
                 "each reading says how.</footer>\n<script>%s</script>\n</body>\n</html>\n",
                 report_script);
    }
    spec_close(&s);
    return good;
}

bool spec_markdown(const char *folder, struct text *t, struct error *e)
{
    struct spec s = {.folder = folder};
    bool good = spec_open(&s, e);
    if (good)
        text_add(t, "# Who does what: clauses by implementations\n\nA cell names the reading that is "
                    "followed, and links a case that shows it. Silicon: readings that were measured, or that "
                    "others state of silicon without the values (stated). An empty cell: not known. Of an "
                    "implementation the table has what differs from the manual's readings.\n\n");
    for (unsigned i = 0; good && i < s.units; i++)
        matrix_markdown(&(struct matrix){unit_at(i), s.corpus, s.units, &s.learned[i]}, t);
    spec_close(&s);
    return good;
}
