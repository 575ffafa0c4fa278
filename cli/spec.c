/* SPDX-License-Identifier: MIT */
/* `misprint spec` writes the ledger as an HTML page, and its matrix as Markdown. */
#include "oracle/describe/spec.h"
#include "cli/cli.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the matrix to the file. */
static int write_markdown(const char *folder, const char *path)
{
    struct error e = {0};
    struct text t = {0};
    int status = STATUS_USAGE;
    if (file_check(path, &e) && spec_markdown(folder, &t, &e))
        status = write_text(path, &t, STATUS_EQUAL);
    text_free(&t);
    return e.text[0] ? fail(status, &e) : status;
}

static int write_page(const char *folder, const char *path)
{
    struct error e = {0};
    struct text t = {0};
    int status = STATUS_USAGE;
    if (file_check(path, &e) && spec_html(folder, &t, &e)) {
        status = write_text(path, &t, STATUS_EQUAL);
        if (strcmp(path, "-") != 0 && status == STATUS_EQUAL)
            fprintf(stderr, "misprint: %s: %zu bytes\n", path, t.length);
    }
    text_free(&t);
    return e.text[0] ? fail(status, &e) : status;
}

static int run_spec(const struct arguments *a)
{
    const char *output = a->option[OPTION_OUTPUT], *html = a->option[OPTION_HTML],
               *markdown = a->option[OPTION_MD];
    if (a->words && unit_named(a->word[0]))
        return fail_usage(
            "spec writes one page of all units, with a section for each; `misprint clauses %s` lists "
            "the clauses of %s",
            a->word[0], a->word[0]);
    if (a->words)
        return fail_usage("unexpected argument '%s'; usage: misprint spec (it takes only options)",
                          a->word[0]);
    if (output && html)
        return fail_usage("-o and --html both name the page's file; give only one of them");
    char *folder = corpus_find();
    int status = STATUS_EQUAL;
    if (!folder)
        fprintf(stderr, "misprint: the page shows no cases: the corpus is not installed here "
                        "(MISPRINT_CORPUS names its folder)\n");
    if (markdown)
        status = write_markdown(folder, markdown);
    if (status == STATUS_EQUAL && (output || html || !markdown))
        status = write_page(folder, output ? output : html ? html : "-");
    free(folder);
    return status;
}

const struct command command_spec = {
    .name = "spec",
    .synopsis = "",
    .about = "write the ledger as a reference page (HTML)",
    .examples = "  misprint spec -o ledger.html\n"
                "  misprint spec --md matrix.md",
    .details =
        "Writes one self-contained HTML page with every clause of every unit: its readings, their sources "
        "and evidence, the profiles that choose them, proposed wording, and the cases that distinguish the "
        "readings. It goes to standard output, or to the file that -o or --html names.\n\n"
        "For each unit, the page has a matrix of clauses by implementations: which reading the manual, "
        "silicon, "
        "the built-in profiles and public emulators follow, with a case that shows it. --md writes only the "
        "matrices, as Markdown (- is standard output).",
    .options = {OPTION_OUTPUT, OPTION_HTML, OPTION_MD, OPTION_END},
    .max_words = 1,
    .run = run_spec,
};
