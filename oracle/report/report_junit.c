/* SPDX-License-Identifier: MIT */
/*
 * The report for continuous integration, in JUnit XML. Each run is a test suite. A suite has one test that
 * fails if nothing was compared, and one with an error if a signal ended the run. The last run of a
 * comparison also has a failed test for each finding of that comparison. Findings without a run have a suite
 * of their own. So do the inputs of a replay.
 */
#include "model/core/memory.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIFFERENCE_LINES = 12, CASE_LINES = 80 };

static bool belongs(const struct finding *f, const struct run_facts *r)
{
    return !strcmp(f->unit->name, r->unit) && !strcmp(f->profile, r->profile) &&
           !strcmp(f->board.spec, r->board.spec);
}

/* Returns the index of the run whose suite lists the finding; r->runs if there is none. */
static unsigned run_of(const struct report *r, const struct finding *f)
{
    for (unsigned i = r->runs; i > 0; i--)
        if (belongs(f, &r->run[i - 1]))
            return i - 1;
    return r->runs;
}

static void write_finding(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    struct text w = {0};
    text_add(&w, "%s ", f->id);
    words_headline(v, &w);
    xml_add(t, "    <testcase classname=\"%s\" name=\"%s\">\n", f->unit->name, text_chars(&w));
    text_clear(&w);
    words_verdict(v, &w);
    text_add(&w, ": ");
    words_meaning(v, &w);
    xml_add(t, "      <failure type=\"%s\" message=\"%s\">", verdict_name(f->verdict), text_chars(&w));
    text_clear(&w);
    words_strength(v, &w);
    text_add(&w, "\n");
    words_candidates(v, &w);
    words_nearest(v, &w);
    words_ends(v, &w);
    text_add(&w, "\n");
    if (v->shown)
        differences_print(f->unit, &v->differences, DIFFERENCE_LINES, &w);
    else
        text_add(&w, "The difference can't be shown: %s.\n", v->why_not.text);
    if (f->smallest)
        words_case(f, CASE_LINES, &w);
    if (!v->loose)
        text_add(&w, "From the campaign's directory:\n");
    words_commands(v, &w);
    xml_add(t, "%s</failure>\n    </testcase>\n", text_chars(&w));
    text_free(&w);
}

static void property(struct text *t, const char *name, const char *value)
{
    xml_add(t, "      <property name=\"%s\" value=\"%s\"/>\n", name, value);
}

static void write_properties(const struct run_facts *run, struct text *t)
{
    struct tally_row rows[TALLY_ROWS_MAX];
    text_add(t, "    <properties>\n");
    property(t, "board", run->board.description);
    property(t, "evidence", board_class_label[board_class(&run->board)]);
    property(t, "machine", run->machine);
    tally_rows(&run->tally, rows);
    for (unsigned i = 0; rows[i].name; i++)
        text_add(t, "      <property name=\"%s\" value=\"%llu\"/>\n", rows[i].key,
                 (unsigned long long)rows[i].number);
    text_add(t, "    </properties>\n");
}

/* Did the run compare nothing? False if a signal ended the run, because its suite has an error already. */
static bool is_vacuous(const struct run_facts *run)
{
    return tally_compared_nothing(&run->tally) && !run->interrupted;
}

/* Writes the suite of run `at`; `at` == r->runs means the findings without a run. */
static void write_suite(const struct report *r, unsigned at, const unsigned *home,
                        struct finding_viewer *viewer, struct text *t)
{
    const struct run_facts *run = at < r->runs ? &r->run[at] : NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < r->findings; i++)
        count += home[i] == at;
    if (!run && !count)
        return;
    bool vacuous = run && is_vacuous(run), cut = run && run->interrupted;
    struct text name = {0};
    if (run)
        text_add(&name, "run %u: %s %s, profile %s, board %s (%s)", at + 1, run->command, run->unit,
                 run->profile, run->board.spec, board_class_label[board_class(&run->board)]);
    else
        text_add(&name, "findings without a run");
    xml_add(t, "  <testsuite name=\"%s\"", text_chars(&name));
    text_add(t, " tests=\"%u\" failures=\"%u\" errors=\"%d\" skipped=\"0\" time=\"%.3f\">\n",
             count + (run != NULL) + cut, count + vacuous, cut, run ? run->seconds : 0.0);
    if (run) {
        write_properties(run, t);
        xml_add(t, "    <testcase classname=\"%s\"", run->unit);
        text_add(t, " name=\"something was compared\">%s</testcase>\n",
                 vacuous ? "<failure type=\"vacuous\" message=\"no case of this run was compared\"/>" : "");
    }
    if (cut) {
        xml_add(t,
                "    <testcase classname=\"%s\" name=\"the run came to its end\"><error type=\"interrupted\" "
                "message=\"interrupted after %" PRIu64 " cases\"/></testcase>\n",
                run->unit, run->tally.cases);
    }
    for (unsigned i = 0; i < r->findings; i++) {
        struct finding_view v;
        if (home[i] != at)
            continue;
        finding_view(viewer, r, i, &v);
        write_finding(&v, t);
    }
    text_add(t, "  </testsuite>\n");
    text_free(&name);
}

void report_junit(const struct report *r, struct text *t)
{
    unsigned *home = memory_new(r->findings + 1U, sizeof *home), vacuous = 0, cut = 0;
    for (unsigned i = 0; i < r->findings; i++)
        home[i] = run_of(r, &r->finding[i]);
    for (unsigned i = 0; i < r->runs; i++) {
        vacuous += is_vacuous(&r->run[i]);
        cut += r->run[i].interrupted;
    }
    struct finding_viewer *viewer = finding_viewer_new();
    struct text title = {0};
    unsigned failures, errors, skipped;
    inputs_count(r, &failures, &errors, &skipped);
    words_title(r, &title);
    xml_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"%s\"", text_chars(&title));
    text_free(&title);
    text_add(t, " tests=\"%u\" failures=\"%u\" errors=\"%u\">\n", r->findings + r->runs + cut + r->inputs,
             r->findings + vacuous + failures, cut + errors);
    for (unsigned i = 0; i <= r->runs; i++)
        write_suite(r, i, home, viewer, t);
    inputs_junit(r, t);
    text_add(t, "</testsuites>\n");
    finding_viewer_free(viewer);
    free(home);
}
