/* SPDX-License-Identifier: MIT */
/* `misprint report` writes what a campaign found as HTML, Markdown, JSON or JUnit XML. */
#include "cli/cli.h"
#include "cli/session/report_files.h"
#include "oracle/store/store_verify.h"

static int run_report(const struct arguments *a)
{
    struct error e = {0};
    struct report r;
    const char *place[REPORT_FORMS];
    struct store *s = report_places(a, place, &e) ? store_open(a->word[0], false, &e) : NULL;
    if (!s)
        return fail(STATUS_USAGE, &e);
    int status = STATUS_EQUAL;
    bool changed = false;
    struct error what;
    if (store_check(s, &changed, &what, &e) && report_gather(s, a->word[0], &r, &e)) {
        r.changed = changed;
        for (unsigned i = 0; i < r.findings; i++)
            if (verdict_is_discrepancy(r.finding[i].verdict))
                status = STATUS_DIFFERENT;
        status = report_write(place, &r, status);
        report_free(&r);
        if (changed && status <= STATUS_DIFFERENT)
            status = fail(STATUS_USAGE, &what);
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
    .examples = "  misprint report my-campaign -o report.html\n"
                "  misprint report my-campaign --html report.html --json report.json",
    .details =
        "Writes what a campaign holds in each form that an option asks for; without options, Markdown on "
        "standard output. -o FILE chooses the form by the ending of FILE: .html, .md, .json or .xml (JUnit). "
        "The HTML page is self-contained. The exit status is 1 if the campaign has discrepancies, and "
        "2 if something other than misprint changed it; the report then says so at its top.",
    .options = {OPTION_OUTPUT, OPTION_HTML, OPTION_MD, OPTION_JSON_FILE, OPTION_JUNIT, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_report,
};
