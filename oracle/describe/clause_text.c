/* SPDX-License-Identifier: MIT */
#include "oracle/describe/clause_text.h"

#include "oracle/describe/authority.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/slices.h"

#include <string.h>

enum { WRAP = 96 };

const char *evidence_words(enum evidence e)
{
    static const char *const words[] = {
        [EVIDENCE_ARGUMENT] = "argument only",       [EVIDENCE_DOCUMENT] = "a document",
        [EVIDENCE_SOURCE] = "software in the field", [EVIDENCE_STATED] = "stated of silicon",
        [EVIDENCE_SILICON] = "measured on silicon",
    };
    return words[e];
}

enum evidence clause_best_evidence(const struct clause *c)
{
    enum evidence best = EVIDENCE_ARGUMENT;
    for (unsigned i = 0; i < clause_readings(c); i++)
        best = c->readings[i].evidence > best ? c->readings[i].evidence : best;
    return best;
}

/* Breaks text into lines of at most WRAP columns. The first line starts at column `at`; each other line is
 * indented by `indent` blanks. */
static void add_wrapped(struct text *t, const char *chars, int indent, int at)
{
    const char *word = chars;
    bool first = true;
    while (*word) {
        size_t length = strcspn(word, " \n");
        if (!first && at + 1 + (int)length > WRAP) {
            text_add(t, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            text_add(t, " ");
            at++;
        }
        text_add_chars(t, word, length);
        at += (int)length;
        first = false;
        word += length;
        word += strspn(word, " \n");
    }
    text_add(t, "\n");
}

void clause_list_print(const struct unit *u, struct text *t)
{
    unsigned count = unit_clauses(u), width = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned length = (unsigned)strlen(unit_clause(u, i)->id);
        width = length > width ? length : width;
    }
    text_add(t, "%s: %u clause%s\n", u->name, count, plural(count));
    for (unsigned i = 0; i < count; i++) {
        const struct clause *c = unit_clause(u, i);
        text_add(t, "  %-*s  %-6s  %s [", (int)width, c->id, c->silent ? "silent" : "", c->title);
        for (unsigned k = 0; k < clause_readings(c); k++)
            text_add(t, "%s%s", k ? ", " : "", c->readings[k].id);
        text_add(t, "]\n");
    }
}

static void add_labelled(struct text *t, const char *label, const char *chars)
{
    text_add(t, "%-10s ", label);
    add_wrapped(t, chars, 11, 11);
}

/* Adds the built-in profiles that choose the reading: "  chosen by profile manual, bcm2835". */
static void add_profiles(const struct unit *u, const struct clause *c, unsigned reading, struct text *t)
{
    const char *before = "  chosen by profile ";
    for (unsigned p = 0; u->profiles[p].name; p++) {
        if (c->in_profile[p] != reading)
            continue;
        text_add(t, "%s%s", before, u->profiles[p].name);
        before = ", ";
    }
}

void clause_print_support(const struct clause *c, struct text *t)
{
    enum evidence best = clause_best_evidence(c);
    unsigned count = 0;
    for (unsigned i = 0; i < clause_readings(c); i++)
        if (c->readings[i].evidence == best)
            text_add(t, "%s%s", count++ ? ", " : "", c->readings[i].id);
    text_add(t, " (%s%s)", evidence_words(best), count > 1 ? " for each" : "");
}

void clause_show(const struct unit *u, const struct clause *c, struct text *t)
{
    text_add(t, "%s\n", c->id);
    add_labelled(t, "title", c->title);
    add_labelled(t, "unit", u->name);
    add_labelled(t, "where", c->where);
    struct text definite = {0};
    authority_add(u,
                  c->silent
                      ? "the manual is silent or ambiguous: hardware that differs shows a gap in it"
                      : "the manual is definite: hardware that follows another reading shows an error in it",
                  &definite);
    add_labelled(t, "text", text_chars(&definite));
    text_free(&definite);
    if (c->modes) {
        text_add(t, "%-10s ", "modes");
        for (unsigned i = 0; c->modes[i]; i++)
            text_add(t, "%s%s", i ? ", " : "", c->modes[i]);
        text_add(t, "\n");
    }
    for (unsigned i = 0; i < clause_readings(c); i++) {
        const struct reading *r = &c->readings[i];
        text_add(t, "\nreading %s", r->id);
        add_profiles(u, c, i, t);
        text_add(t, "\n  says     ");
        add_wrapped(t, r->says, 11, 11);
        slices_draw(r->says, 11, t);
        text_add(t, "  source   ");
        add_wrapped(t, r->source, 11, 11);
        text_add(t, "  evidence %s (%s)\n", evidence_name(r->evidence), evidence_words(r->evidence));
    }
    if (c->proposed || c->workaround)
        text_add(t, "\n");
    if (c->proposed)
        add_labelled(t, "proposed", c->proposed);
    if (c->workaround)
        add_labelled(t, "workaround", c->workaround);
}

json_t *change_to_json(const struct unit *u, unsigned clause, unsigned reading)
{
    const struct clause *c = unit_clause(u, clause);
    return json_pack("{s:s, s:s}", "clause", c->id, "reading", c->readings[reading].id);
}

json_t *cause_to_json(const struct unit *u, const struct cause *cause)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < cause->count; i++)
        json_array_append_new(list, change_to_json(u, cause->change[i].clause, cause->change[i].reading));
    return list;
}

json_t *clause_to_json(const struct clause *c)
{
    json_t *readings = json_array(), *modes = json_array();
    for (unsigned i = 0; i < clause_readings(c); i++) {
        const struct reading *r = &c->readings[i];
        json_array_append_new(readings,
                              json_pack("{s:s, s:s, s:s, s:s}", "id", r->id, "says", r->says, "source",
                                        r->source, "evidence", evidence_name(r->evidence)));
    }
    for (unsigned i = 0; c->modes && c->modes[i]; i++)
        json_array_append_new(modes, json_text(c->modes[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:s?, s:s?}", "id", c->id, "title", c->title, "where",
                     c->where, "silent", (int)c->silent, "readings", readings, "modes", modes, "proposed",
                     c->proposed, "workaround", c->workaround);
}

json_t *clause_show_json(const struct unit *u, const struct clause *c)
{
    json_t *o = clause_to_json(c), *profiles = json_object();
    for (unsigned p = 0; u->profiles[p].name; p++)
        json_object_set_new(profiles, u->profiles[p].name, json_text(c->readings[c->in_profile[p]].id));
    json_object_set_new(o, "unit", json_text(u->name));
    json_object_set_new(o, "profiles", profiles);
    return o;
}

json_t *clause_list_json(const struct unit *u)
{
    json_t *clauses = json_array();
    for (unsigned i = 0; i < unit_clauses(u); i++)
        json_array_append_new(clauses, clause_show_json(u, unit_clause(u, i)));
    return json_pack("{s:s, s:o}", "unit", u->name, "clauses", clauses);
}
