/* SPDX-License-Identifier: MIT */
#include "cli/session/report_files.h"

#include "cli/cli.h"
#include "oracle/files/file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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
_Static_assert(sizeof writers / sizeof *writers == REPORT_FORMS, "the number of forms");

/* Is it a device or a pipe? Its name has no ending that could choose a form. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool place_by_ending(const char *place[REPORT_FORMS], const char *path, struct error *e)
{
    const char *dot = strrchr(path, '.');
    unsigned form = 0;
    while (strcmp(path, "-") != 0 && form < REPORT_FORMS &&
           (!dot || strcasecmp(dot, writers[form].ending) != 0))
        form++;
    if (form == REPORT_FORMS && is_special(path))
        form = 0;
    if (form == REPORT_FORMS)
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

bool report_places_named(const struct arguments *a, const char *place[REPORT_FORMS], struct error *e)
{
    unsigned standard = 0;
    for (unsigned i = 0; i < REPORT_FORMS; i++) {
        place[i] = place[i] ? place[i] : a->option[writers[i].option];
        if (place[i] && !file_check(place[i], e))
            return false;
        standard += place[i] && !strcmp(place[i], "-");
    }
    return standard < 2 ||
           error_set(e, "only one report can go to standard output (-); name files for the others");
}

bool report_places(const struct arguments *a, const char *place[REPORT_FORMS], struct error *e)
{
    const char *output = a->option[OPTION_OUTPUT];
    bool named = output;
    for (unsigned i = 0; i < REPORT_FORMS; i++) {
        place[i] = a->option[writers[i].option];
        named |= place[i] != NULL;
    }
    return ((!output && named) || place_by_ending(place, output ? output : "-", e)) &&
           report_places_named(a, place, e);
}

int report_write(const char *const place[REPORT_FORMS], const struct report *r, int status)
{
    struct text t = {0};
    for (unsigned i = 0; status <= STATUS_DIFFERENT && i < REPORT_FORMS; i++) {
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
