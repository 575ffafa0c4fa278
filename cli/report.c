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

static bool write_reports(const struct arguments *a, const struct report *r, struct error *e)
{
    struct text t = {0};
    bool any = false, good = true;
    for (unsigned i = 0; good && i < WRITERS; i++) {
        const char *path = a->option[writers[i].option];
        if (!path)
            continue;
        any = true;
        text_clear(&t);
        writers[i].write(r, &t);
        good = file_write(path, text_chars(&t), t.length, e);
        if (good && strcmp(path, "-") != 0)
            (void)fprintf(stderr, "misprint: %s: %u findings, %zu bytes\n", path, r->findings, t.length);
    }
    if (good && !any) {
        report_markdown(r, &t);
        good = file_write("-", text_chars(&t), t.length, e);
    }
    text_free(&t);
    return good;
}

static int run_report(const struct arguments *a)
{
    struct error e = {0};
    struct report r;
    struct store *s = store_open(a->word[0], false, &e);
    if (!s)
        return fail(STATUS_USAGE, &e);
    bool gathered = report_gather(s, a->word[0], &r, &e);
    int status = STATUS_EQUAL;
    if (!gathered)
        status = fail(STATUS_USAGE, &e);
    else if (!write_reports(a, &r, &e))
        status = fail(STATUS_BROKEN, &e);
    else
        for (unsigned i = 0; i < r.findings; i++)
            if (r.finding[i].verdict != VERDICT_UNDEFINED)
                status = STATUS_DIFFERENT;
    if (gathered)
        report_free(&r);
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
