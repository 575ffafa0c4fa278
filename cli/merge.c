/* SPDX-License-Identifier: MIT */
/* `misprint merge`: several campaigns become one. */
#include "cli/cli.h"

#include "oracle/describe/escape.h"
#include "oracle/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The same directory twice, by whatever name, would count its cases twice. */
static bool check_apart(const struct arguments *a, const char *output, struct error *e)
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
            return error_set(e, "%s is named twice; its cases would be counted twice", a->word[i]);
    }
    return true;
}

/* The campaign that is to hold them all: a new one, or one in which nothing was run yet. */
static struct store *open_output(const char *output, struct error *e)
{
    unsigned runs = 0;
    struct store *s = store_open(output, true, e);
    struct run_facts *run = s ? store_runs(s, &runs, e) : NULL;
    free(run);
    if (run && !runs)
        return s;
    if (run)
        error_set(e, "%s holds a campaign already; name a new directory, and that one among those to merge",
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
    int status;
    if (a->option[OPTION_JSON]) {
        status = print_json(json_pack("{s:o, s:i, s:i, s:I, s:i, s:I}", "campaign", json_text(output),
                                      "campaigns", a->words, "runs", (int)r.runs, "cases", (json_int_t)cases,
                                      "findings", (int)r.findings, "dropped", (json_int_t)r.dropped),
                            STATUS_EQUAL);
    } else {
        text_add(&t,
                 "%s: %d campaign%s, %u run%s, %" PRIu64 " case%s, %u finding%s, %" PRIu64
                 " case%s without an outcome to compare\n",
                 output, a->words, plural((unsigned)a->words), r.runs, plural(r.runs), cases, plural(cases),
                 r.findings, plural(r.findings), r.dropped, plural(r.dropped));
        status = print_text(&t, STATUS_EQUAL);
    }
    text_free(&t);
    report_free(&r);
    return status;
}

static int run_merge(const struct arguments *a)
{
    struct error e = {0};
    const char *output = a->option[OPTION_FOLDER];
    if (!output) {
        error_set(&e, "say which directory is to hold the merged campaign (-o DIR)");
        return fail(STATUS_USAGE, &e);
    }
    bool good = check_apart(a, output, &e);
    for (int i = 0; good && i < a->words; i++) { /* before anything is made */
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
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .synopsis = "CAMPAIGN...",
    .about = "put several campaigns together as one",
    .details = "Makes campaign DIR (-o DIR, new or empty) of what the others hold: a finding that several "
               "have becomes one, with\n"
               "its cases and evidence added up and its smallest case kept; runs follow each other. The "
               "others stay as they are. What\n"
               "would be counted twice is refused: a campaign that is within another one, or runs from the "
               "same seed.\n\n"
               "  misprint merge a b -o both",
    .options = {OPTION_FOLDER, OPTION_JSON, OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_merge,
};
