/* SPDX-License-Identifier: MIT */
/* `misprint import` turns tables of measured values into traces. */
#include "oracle/files/import.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

static int run_import(const struct arguments *a)
{
    struct error e = {0};
    struct import_facts f;
    if (!a->option[OPTION_OUTPUT])
        return fail_usage("name the trace to write: -o TRACE");
    if (!import_table(a->word[0], a->word[1], a->option[OPTION_OUTPUT], a->option[OPTION_SILICON] != NULL, &f,
                      &e))
        return fail(STATUS_USAGE, &e);
    struct text t = {0};
    text_add(&t,
             "%s: %" PRIu64 " row%s, %" PRIu64 " measured value%s as cases, %" PRIu64 " bit%s; %" PRIu64 " "
             "field%s skipped as not valid\n"
             "  %s (%s)\n",
             a->option[OPTION_OUTPUT], f.rows, plural(f.rows), f.cases, plural(f.cases), f.bits,
             plural(f.bits), f.masked, plural(f.masked), f.who.description,
             f.who.silicon ? "measured on silicon"
                           : "no silicon; if this was measured on hardware, say --silicon");
    return print_text(&t, STATUS_EQUAL);
}

static void list_kinds(struct text *t)
{
    for (unsigned i = 0; import_kind_at(i); i++)
        text_add(t, "  %-10s %s\n", import_kind_at(i)->name, import_kind_at(i)->columns);
}

const struct command command_import = {
    .name = "import",
    .synopsis = "KIND FILE.csv",
    .about = "turn a table of measured values into a trace",
    .examples = "  misprint import vc4-alu alu.csv --silicon -o alu.trace",
    .details =
        "Makes one case of each measured value in a table and writes them as a trace. The first lines of "
        "the table begin with '#' and say who measured it on what; they go into the trace. Only with "
        "--silicon does the trace say that its values were measured on hardware.\n\n"
        "Kinds and their columns:\n\n",
    .list = list_kinds,
    .options = {OPTION_OUTPUT, OPTION_SILICON, OPTION_END},
    .min_words = 2,
    .max_words = 2,
    .run = run_import,
};
