/* SPDX-License-Identifier: MIT */
/* `misprint report` writes what a campaign found as HTML, Markdown, JSON or JUnit XML. */
#include "cli/cli.h"

#include "oracle/files/file.h"
#include "oracle/report/report.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The ending of -o FILE chooses the form. Without any option, the first form is printed. */
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

static bool place_by_ending(const char *place[WRITERS], const char *path, struct error *e)
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
    if (place[form])
        return error_set(e, "-o %s and %s %s ask for the same form", path, option_name(writers[form].option),
                         place[form]);
    place[form] = path;
    return true;
}

/* Sets the file of each form, and checks that it can be written. */
static bool find_places(const struct arguments *a, const char *place[WRITERS], struct error *e)
{
    const char *output = a->option[OPTION_OUTPUT];
    unsigned named = output != NULL, standard = 0;
    for (unsigned i = 0; i < WRITERS; i++) {
        place[i] = a->option[writers[i].option];
        named += place[i] != NULL;
    }
    if ((output || !named) && !place_by_ending(place, output ? output : "-", e))
        return false;
    for (unsigned i = 0; i < WRITERS; i++) {
        if (place[i] && !file_check(place[i], e))
            return false;
        standard += place[i] && !strcmp(place[i], "-");
    }
    return standard < 2 ||
           error_set(e, "only one report can go to standard output (-); name files for the others");
}

static int write_reports(const char *const place[WRITERS], const struct report *r, int status)
{
    struct text t = {0};
    for (unsigned i = 0; status <= STATUS_DIFFERENT && i < WRITERS; i++) {
        if (!place[i])
            continue;
        text_clear(&t);
        writers[i].write(r, &t);
        status = write_text(place[i], &t, status);
        if (status <= STATUS_DIFFERENT && strcmp(place[i], "-") != 0)
            fprintf(stderr, "misprint: %s: %u finding%s, %zu bytes\n", place[i], r->findings,
                    plural(r->findings), t.length);
    }
    text_free(&t);
    return status;
}

static int run_report(const struct arguments *a)
{
    struct error e = {0};
    struct report r;
    const char *place[WRITERS];
    struct store *s = find_places(a, place, &e) ? store_open(a->word[0], false, &e) : NULL;
    if (!s)
        return fail(STATUS_USAGE, &e);
    int status = STATUS_EQUAL;
    if (report_gather(s, a->word[0], &r, &e)) {
        for (unsigned i = 0; i < r.findings; i++)
            if (verdict_is_discrepancy(r.finding[i].verdict))
                status = STATUS_DIFFERENT;
        status = write_reports(place, &r, status);
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
