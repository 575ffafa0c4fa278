/* SPDX-License-Identifier: MIT */
/* `misprint spec` writes the ledger as an HTML page. */
#include "oracle/describe/spec.h"
#include "cli/cli.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_spec(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    const char *output = a->option[OPTION_OUTPUT], *html = a->option[OPTION_HTML],
               *path = output ? output
                       : html ? html
                              : "-";
    if (output && html)
        return fail_usage("-o and --html both name the page's file; give only one of them");
    char *folder = corpus_find();
    int status = STATUS_USAGE;
    if (file_check(path, &e) && spec_html(folder, &t, &e)) {
        status = write_text(path, &t, STATUS_EQUAL);
        if (!folder)
            fprintf(stderr, "misprint: the page shows no cases: the corpus is not installed here "
                            "(MISPRINT_CORPUS names its folder)\n");
        if (strcmp(path, "-") != 0 && status == STATUS_EQUAL)
            fprintf(stderr, "misprint: %s: %zu bytes\n", path, t.length);
    }
    free(folder);
    text_free(&t);
    return e.text[0] ? fail(status, &e) : status;
}

const struct command command_spec = {
    .name = "spec",
    .synopsis = "",
    .about = "write the ledger as a reference page (HTML)",
    .examples = "  misprint spec -o ledger.html",
    .details =
        "Writes one self-contained HTML page with every clause of every unit: its readings, their sources "
        "and evidence, the profiles that choose them, proposed wording, and the cases that distinguish the "
        "readings. It goes to standard output, or to the file that -o or --html names.",
    .options = {OPTION_OUTPUT, OPTION_HTML, OPTION_END},
    .run = run_spec,
};
