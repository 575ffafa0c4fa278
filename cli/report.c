/* SPDX-License-Identifier: MIT */
/* `misprint report`: what a campaign found, for people and for programs. */
#include "cli/cli.h"

#include "oracle/file.h"
#include "oracle/report.h"

#include <stdio.h>
#include <string.h>

static const struct {
    enum option_id option;
    void (*write)(const struct report *r, struct text *t);
} writers[] = {
    {OPTION_HTML, report_html},
    {OPTION_MD, report_markdown},
    {OPTION_JSON_FILE, report_json},
    {OPTION_JUNIT, report_junit},
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* Nobody can tell two documents on one stream apart; and a place that cannot be written is known before the work. */
static bool check_places(const struct arguments *a, struct error *e)
{
    unsigned standard = 0;
    for (unsigned i = 0; i < WRITERS; i++) {
        const char *path = a->option[writers[i].option];
        if (path && !file_check(path, e))
            return false;
        standard += path && !strcmp(path, "-");
    }
    return standard < 2 || error_set(e, "only one report can go to standard output (-)");
}

static int write_reports(const struct arguments *a, const struct report *r, int status)
{
    struct text t = {0};
    bool any = false;
    for (unsigned i = 0; status <= STATUS_DIFFERENT && i < WRITERS; i++) {
        const char *path = a->option[writers[i].option];
        if (!path)
            continue;
        any = true;
        text_clear(&t);
        writers[i].write(r, &t);
        status = write_text(path, &t, status);
        if (status <= STATUS_DIFFERENT && strcmp(path, "-") != 0)
            (void)fprintf(stderr, "misprint: %s: %u finding%s, %zu bytes\n", path, r->findings, plural(r->findings), t.length);
    }
    if (!any) {
        report_markdown(r, &t);
        status = print_text(&t, status);
    }
    text_free(&t);
    return status;
}

static int run_report(const struct arguments *a)
{
    struct error e = {0};
    struct report r;
    struct store *s = check_places(a, &e) ? store_open(a->word[0], false, &e) : NULL;
    if (!s)
        return fail(STATUS_USAGE, &e);
    int status = STATUS_EQUAL;
    if (report_gather(s, a->word[0], &r, &e)) {
        for (unsigned i = 0; i < r.findings; i++)
            if (verdict_is_discrepancy(r.finding[i].verdict))
                status = STATUS_DIFFERENT;
        status = write_reports(a, &r, status);
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
    .details = "Writes what a campaign directory holds in each form that is asked for; without any, Markdown on standard\n"
               "output. The HTML page is one file without outside parts. Exit status 1 if the campaign has discrepancies.\n\n"
               "  misprint report my-campaign --html report.html --json report.json",
    .options = {OPTION_HTML, OPTION_MD, OPTION_JSON_FILE, OPTION_JUNIT, OPTION_END},
    .least = 1,
    .most = 1,
    .run = run_report,
};
