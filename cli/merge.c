/* SPDX-License-Identifier: MIT */
/* `misprint merge` makes one campaign of several. */
#include "cli/cli.h"

#include "oracle/describe/escape.h"
#include "oracle/files/file.h"
#include "oracle/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Refuses a directory that is named twice, as inputs or as input and output: its cases would count twice. */
static bool check_distinct(const struct arguments *a, const char *output, struct error *e)
{
    for (int i = 0; i < a->words; i++) {
        char *one = realpath(a->word[i], NULL), *target = realpath(output, NULL);
        bool same = one && target && !strcmp(one, target);
        for (int k = 0; !same && one && k < i; k++) {
            char *other = realpath(a->word[k], NULL);
            same = other && !strcmp(one, other);
            free(other);
        }
        free(one);
        free(target);
        if (same)
            return error_set(e, "%s is given twice; its cases would be counted twice", a->word[i]);
    }
    return true;
}

/* Creates the new campaign. A campaign that exists already must have no runs. */
static struct store *open_output(const char *output, struct error *e)
{
    unsigned runs = 0;
    struct store *s = store_open(output, true, e);
    struct run_facts *run = s ? store_runs(s, &runs, e) : NULL;
    free(run);
    if (run && !runs)
        return s;
    if (run)
        error_set(e, "%s already holds a campaign; name a new directory, and list this one among the inputs",
                  output);
    store_close(s);
    return NULL;
}

static int print_merged(struct store *s, const struct arguments *a, const char *output)
{
    struct error e = {0};
    struct report r;
    struct text t = {0};
    if (!report_gather(s, output, &r, &e))
        return fail(STATUS_USAGE, &e);
    uint64_t cases = 0;
    for (unsigned i = 0; i < r.runs; i++)
        cases += r.run[i].tally.cases;
    text_add(&t,
             "%s: %d campaign%s, %u run%s, %" PRIu64 " case%s, %u finding%s, %" PRIu64 " case%s without an "
             "outcome to compare\n",
             output, a->words, plural((unsigned)a->words), r.runs, plural(r.runs), cases, plural(cases),
             r.findings, plural(r.findings), r.dropped, plural(r.dropped));
    json_t *j = json_pack("{s:o, s:i, s:i, s:I, s:i, s:I}", "campaign", json_text(output), "campaigns",
                          a->words, "runs", (int)r.runs, "cases", (json_int_t)cases, "findings",
                          (int)r.findings, "dropped", (json_int_t)r.dropped);
    report_free(&r);
    return print_result(a, &t, j, STATUS_EQUAL);
}

static int run_merge(const struct arguments *a)
{
    struct error e = {0};
    const char *output = a->option[OPTION_FOLDER];
    if (!output)
        return fail_usage("name the directory for the merged campaign: -o DIR");
    bool good = check_distinct(a, output, &e);
    for (int i = 0; good && i < a->words; i++) { /* check all inputs before the output is created */
        struct store *one = store_open(a->word[i], false, &e);
        good = one != NULL;
        store_close(one);
    }
    struct store *s = good ? open_output(output, &e) : NULL;
    good = s != NULL;
    for (int i = 0; good && i < a->words; i++)
        good = store_merge(s, a->word[i], &e);
    int status = good ? print_merged(s, a, output) : fail(STATUS_USAGE, &e);
    store_close(s);
    if (s && !good)
        file_remove_folder(output); /* it was new or empty, and a part of the campaigns would look like all */
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .synopsis = "CAMPAIGN...",
    .about = "put several campaigns together as one",
    .examples = "  misprint merge a b -o both",
    .details = "Makes a campaign in DIR (-o DIR, new or empty) from several others, which stay as they are. "
               "A finding that several have becomes one: its cases and evidence are added up and its "
               "smallest case is kept. Runs follow each other.\n\n"
               "It refuses to count anything twice: a campaign that is part of another one, or two runs from "
               "the same seed.",
    .options = {OPTION_FOLDER, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_merge,
};
