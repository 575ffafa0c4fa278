/* SPDX-License-Identifier: MIT */
/* `misprint spec`: the ledger as a page to browse. */
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
    char *folder = corpus_find();
    int status = STATUS_USAGE;
    if (output && html)
        error_set(&e, "-o and --html both name the place of the page; say one of them");
    else if (file_check(path, &e) && spec_html(folder, &t, &e)) {
        status = write_text(path, &t, STATUS_EQUAL);
        if (!folder)
            (void)fprintf(stderr, "misprint: the project's cases are not installed here (MISPRINT_CORPUS "
                                  "says where they are); the page shows none\n");
        if (strcmp(path, "-") != 0 && status == STATUS_EQUAL)
            (void)fprintf(stderr, "misprint: %s: %zu bytes\n", path, t.length);
    }
    free(folder);
    text_free(&t);
    return e.text[0] ? fail(status, &e) : status;
}

const struct command command_spec = {
    .name = "spec",
    .synopsis = "",
    .about = "write the ledger as a reference page (HTML)",
    .details = "Writes every clause of every unit, with its readings, their sources and evidence, the "
               "profiles that choose\n"
               "them, proposed wording and the cases that tell the readings apart, as one HTML page without "
               "outside parts:\n"
               "what is known of this hardware, and how surely. On standard output, or in the file that -o "
               "or --html names.\n\n"
               "  misprint spec -o ledger.html",
    .options = {OPTION_OUTPUT, OPTION_HTML, OPTION_END},
    .run = run_spec,
};
