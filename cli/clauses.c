/* SPDX-License-Identifier: MIT */
/* `misprint clauses` and `misprint show`: the ledger. */
#include "cli/cli.h"

#include "oracle/describe/clause_text.h"

#include <string.h>

/* A clause by its id, with the first unit that has it; NULL: there is none. */
static const struct clause *find_clause(const char *id, const struct unit **u)
{
    for (unsigned i = 0; unit_at(i); i++) {
        int index = unit_clause_index(unit_at(i), id);
        if (index < 0)
            continue;
        if (u)
            *u = unit_at(i);
        return unit_clause(unit_at(i), (unsigned)index);
    }
    return NULL;
}

static int run_clauses(const struct arguments *a)
{
    struct error e = {0};
    const struct unit *only = a->words ? unit_find(a->word[0], &e) : NULL;
    if (a->words && !only) {
        if (find_clause(a->word[0], NULL))
            error_set(&e, "%s is a clause, no unit; `misprint show %s` prints it", a->word[0], a->word[0]);
        return fail(STATUS_USAGE, &e);
    }
    json_t *list = json_array();
    struct text t = {0};
    for (unsigned i = 0; unit_at(i); i++) {
        if (only && unit_at(i) != only)
            continue;
        json_array_append_new(list, clause_list_json(unit_at(i)));
        text_add(&t, t.length ? "\n" : "");
        clause_list_print(unit_at(i), &t);
    }
    int status =
        a->option[OPTION_JSON] ? print_json(json_incref(list), STATUS_EQUAL) : print_text(&t, STATUS_EQUAL);
    json_decref(list);
    text_free(&t);
    return status;
}

const struct command command_clauses = {
    .name = "clauses",
    .synopsis = "[UNIT]",
    .about = "list the ledger: every sentence that has more than one reading",
    .details =
        "Lists the clauses of one unit or of all: the sentences of the documents that are wrong, silent\n"
        "or ambiguous, each with its readings. A clause that two units share is listed under both.",
    .options = {OPTION_JSON, OPTION_END},
    .most = 1,
    .run = run_clauses,
};

/* Clause ids of all units in one list, for "did you mean". */
static const char *name_of_any_clause(const void *context, unsigned i)
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

static int run_show(const struct arguments *a)
{
    struct error e = {0};
    const struct unit *u;
    const struct clause *c = find_clause(a->word[0], &u);
    if (!c) {
        if (unit_named(a->word[0]))
            error_set(&e, "%s is a unit, no clause; `misprint clauses %s` lists its clauses", a->word[0],
                      a->word[0]);
        else
            error_unknown(&e, "clause", a->word[0], name_of_any_clause, NULL,
                          "`misprint clauses` lists them");
        return fail(STATUS_USAGE, &e);
    }
    if (a->option[OPTION_JSON])
        return print_json(clause_show_json(u, c), STATUS_EQUAL);
    struct text t = {0};
    clause_show(u, c, &t);
    int status = print_text(&t, STATUS_EQUAL);
    text_free(&t);
    return status;
}

const struct command command_show = {
    .name = "show",
    .synopsis = "CLAUSE",
    .about = "print one clause in full: readings, sources, evidence",
    .details =
        "Prints one clause: what the document says and where, every reading of it with its source and the\n"
        "strength of its evidence, which profiles choose which reading, and what to do about it.",
    .options = {OPTION_JSON, OPTION_END},
    .least = 1,
    .most = 1,
    .run = run_show,
};
