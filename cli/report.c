/* SPDX-License-Identifier: MIT */
/* `misprint report` writes what a campaign found as HTML, Markdown, JSON or JUnit XML. */
#include "cli/cli.h"

#include "oracle/files/file.h"
#include "oracle/report/report.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* -o FILE chooses the form by the ending. Without any option the first form is printed. */
static const struct {
    enum option_id option;
    const char *ending;
    void (*write)(const struct report *r, struct text *t);
} writers[] = {
    {OPTION_MD, ".md", report_markdown},
    {OPTION_HTML, ".html", report_html},
    {OPTION_JSON_FILE, ".json", report_json},
    {OPTION_JUNIT, ".xml", report_junit},
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* Where each form goes; NULL: nowhere. */
struct places {
    const char *path[WRITERS];
};

static bool place_by_ending(struct places *p, const char *path, struct error *e)
{
    const char *dot = strrchr(path, '.');
    unsigned form = 0;
    while (strcmp(path, "-") != 0 && form < WRITERS && (!dot || strcasecmp(dot, writers[form].ending) != 0))
        form++;
    if (form == WRITERS)
        return error_set(e,
                         "-o %s: unknown form; end the name in .html, .md, .json or .xml (JUnit), or say "
                         "--html %s",
                         path, path);
    if (p->path[form])
        return error_set(e, "-o %s and %s %s ask for the same form", path, option_name(writers[form].option),
                         p->path[form]);
    p->path[form] = path;
    return true;
}

/* Finds out where each form goes, and checks that it can be written there. */
static bool find_places(const struct arguments *a, struct places *p, struct error *e)
{
    const char *output = a->option[OPTION_OUTPUT];
    unsigned named = output != NULL, standard = 0;
    for (unsigned i = 0; i < WRITERS; i++) {
        p->path[i] = a->option[writers[i].option];
        named += p->path[i] != NULL;
    }
    if ((output || !named) && !place_by_ending(p, output ? output : "-", e))
        return false;
    for (unsigned i = 0; i < WRITERS; i++) {
        if (p->path[i] && !file_check(p->path[i], e))
            return false;
        standard += p->path[i] && !strcmp(p->path[i], "-");
    }
    return standard < 2 ||
           error_set(e, "only one report can go to standard output (-); name files for the others");
}

static int write_reports(const struct places *p, const struct report *r, int status)
{
    struct text t = {0};
    for (unsigned i = 0; status <= STATUS_DIFFERENT && i < WRITERS; i++) {
        if (!p->path[i])
            continue;
        text_clear(&t);
        writers[i].write(r, &t);
        status = write_text(p->path[i], &t, status);
        if (status <= STATUS_DIFFERENT && strcmp(p->path[i], "-") != 0)
            (void)fprintf(stderr, "misprint: %s: %u finding%s, %zu bytes\n", p->path[i], r->findings,
                          plural(r->findings), t.length);
    }
    text_free(&t);
    return status;
}

static int run_report(const struct arguments *a)
{
    struct error e = {0};
    struct report r;
    struct places places;
    struct store *s = find_places(a, &places, &e) ? store_open(a->word[0], false, &e) : NULL;
    if (!s)
        return fail(STATUS_USAGE, &e);
    int status = STATUS_EQUAL;
    if (report_gather(s, a->word[0], &r, &e)) {
        for (unsigned i = 0; i < r.findings; i++)
            if (verdict_is_discrepancy(r.finding[i].verdict))
                status = STATUS_DIFFERENT;
        status = write_reports(&places, &r, status);
        report_free(&r);
    } else {
        status = fail(STATUS_USAGE, &e);
    }
    store_close(s);
    return status;
}

const struct command command_report = {
    .name = "report",
    .synopsis = "CAMPAIGN",
    .about = "write a campaign's findings as HTML, Markdown, JSON or JUnit XML",
    .details =
        "Writes what a campaign holds in each form that an option asks for; without options, Markdown on "
        "standard output. -o FILE chooses the form by the ending of FILE: .html, .md, .json or .xml "
        "(JUnit). The HTML page is self-contained. The exit status is 1 if the campaign has "
        "discrepancies.\n\n"
        "  misprint report my-campaign -o report.html\n"
        "  misprint report my-campaign --html report.html --json report.json",
    .options = {OPTION_OUTPUT, OPTION_HTML, OPTION_MD, OPTION_JSON_FILE, OPTION_JUNIT, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_report,
};
