/* SPDX-License-Identifier: MIT */
/* `misprint clauses` and `misprint show` print the ledger. */
#include "cli/cli.h"

#include "oracle/describe/clause_text.h"

#include <string.h>
#include <strings.h>

/* Returns the clause with this id and the first unit that has it, or NULL. */
static const struct clause *find_clause(const char *id, const struct unit **u)
{
    for (unsigned i = 0; unit_at(i); i++) {
        int index = unit_clause_index(unit_at(i), id);
        if (index < 0)
            continue;
        *u = unit_at(i);
        return unit_clause(unit_at(i), (unsigned)index);
    }
    return NULL;
}

static bool contains(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; *text; text++)
        if (!strncasecmp(text, word, length))
            return true;
    return false;
}

/* Does the id or the title contain the word, in upper or lower case? */
static bool is_about(const struct clause *c, const char *word)
{
    return *word && (contains(c->id, word) || contains(c->title, word));
}

static bool clauses_about(const char *word)
{
    for (unsigned u = 0; unit_at(u); u++)
        for (unsigned i = 0; i < unit_clauses(unit_at(u)); i++)
            if (is_about(unit_clause(unit_at(u), i), word))
                return true;
    return false;
}

static int run_clauses(const struct arguments *a)
{
    struct error e = {0};
    const struct unit *only = a->words ? unit_find(a->word[0], &e) : NULL, *other;
    if (a->words && !only && find_clause(a->word[0], &other))
        return fail_usage("%s is a clause, not a unit; `misprint show %s` prints it", a->word[0], a->word[0]);
    if (a->words && !only && clauses_about(a->word[0]))
        return fail_usage("unknown unit '%s'; `misprint show %s` lists the clauses about it", a->word[0],
                          a->word[0]);
    if (a->words && !only)
        return fail(STATUS_USAGE, &e);
    json_t *list = json_array();
    struct text t = {0};
    for (unsigned i = 0; unit_at(i); i++) {
        if (only && unit_at(i) != only)
            continue;
        json_array_append_new(list, clause_list_json(unit_at(i)));
        text_add(&t, t.length ? "\n" : "");
        clause_list_print(unit_at(i), &t);
    }
    return print_result(a, &t, list, STATUS_EQUAL);
}

const struct command command_clauses = {
    .name = "clauses",
    .synopsis = "[UNIT]",
    .about = "list the ledger: every sentence that has more than one reading",
    .examples = "  misprint clauses vc4-vpm",
    .details =
        "Lists the clauses of one unit or of all. A clause is a sentence of a document that is wrong, silent "
        "or ambiguous; each is listed with its readings. A clause that two units share is listed under both.",
    .options = {OPTION_JSON, OPTION_END},
    .max_words = 1,
    .run = run_clauses,
};

const char *name_of_any_clause(const void *context, unsigned i)
{
    (void)context;
    for (unsigned u = 0; unit_at(u); u++) {
        unsigned count = unit_clauses(unit_at(u));
        if (i < count)
            return unit_clause(unit_at(u), i)->id;
        i -= count;
    }
    return NULL;
}

/* Does an earlier unit have the clause, too? Units of one family share clauses. */
static bool is_repeated(unsigned unit, const char *id)
{
    while (unit--)
        if (unit_clause_index(unit_at(unit), id) >= 0)
            return true;
    return false;
}

/* Adds each clause whose id starts with the word, or, if `about`, each that is about it, to `list`; if that
 * is NULL, to the text. Returns how many. */
static unsigned list_clauses(const char *word, bool about, struct text *t, json_t *list)
{
    unsigned found = 0;
    for (unsigned u = 0; unit_at(u); u++)
        for (unsigned i = 0; i < unit_clauses(unit_at(u)); i++) {
            const struct clause *c = unit_clause(unit_at(u), i);
            bool fits = about ? is_about(c, word) : !strncasecmp(c->id, word, strlen(word));
            if (!fits || is_repeated(u, c->id))
                continue;
            found++;
            if (list) {
                json_array_append_new(list, clause_show_json(unit_at(u), c));
                continue;
            }
            text_add(t, "%-29s %s\n%29s evidence so far: ", c->id, c->title, "");
            clause_print_support(c, t);
            text_add(t, "\n");
        }
    return found;
}

static int run_show(const struct arguments *a)
{
    struct error e = {0};
    const struct unit *u;
    const struct clause *c = find_clause(a->word[0], &u);
    if (!c && unit_named(a->word[0]))
        return fail_usage("%s is a unit, not a clause; `misprint clauses %s` lists its clauses", a->word[0],
                          a->word[0]);
    struct text t = {0};
    if (!c) {
        json_t *list = a->option[OPTION_JSON] ? json_array() : NULL;
        if (*a->word[0] &&
            (list_clauses(a->word[0], false, &t, list) || list_clauses(a->word[0], true, &t, list)))
            return print_result(a, &t, list, STATUS_EQUAL);
        json_decref(list);
        error_unknown(&e, "clause", a->word[0], name_of_any_clause, NULL, "`misprint clauses` lists them");
        return fail(STATUS_USAGE, &e);
    }
    if (a->option[OPTION_JSON])
        return print_json(clause_show_json(u, c), STATUS_EQUAL);
    clause_show(u, c, &t);
    return print_text(&t, STATUS_EQUAL);
}

const struct command command_show = {
    .name = "show",
    .synopsis = "CLAUSE|WORD",
    .about = "print one clause in full: readings, sources, evidence",
    .examples = "  misprint show vpm-addr-h8\n"
                "  misprint show vpm-addr\n"
                "  misprint show saturate",
    .details =
        "Prints one clause: what the document says and where, every reading with its source and the "
        "strength of its evidence, which profiles choose which reading, and what to do about it. With "
        "the beginning of an id, lists all clauses that it fits, each with the readings that the strongest "
        "evidence supports. If no id begins so, lists the clauses whose id or title has the word.",
    .options = {OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_show,
};
