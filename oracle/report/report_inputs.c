/* SPDX-License-Identifier: MIT */
/* Reports the inputs of a replay as a part of the JSON report, as a suite of the JUnit report, and as a list
 * for the terminal. */
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

#include <limits.h>
#include <string.h>

const char *const today_name[TODAYS] = {"nothing",       "gone",         "finding", "same finding",
                                        "other finding", "not compared", "crashes", "hangs"};

/* The same for a person, who reads them after a number: "2 equal". */
static const char *const today_words[TODAYS] = {"equal",         "now equal",    "different", "same finding",
                                                "other finding", "not compared", "crash",     "hang"};

/* The same after a number of inputs: "2 with the same finding as before". */
static const char *const today_counted[TODAYS] = {
    "equal",        "now equal", "different", "with the same finding as before", "with another finding",
    "not compared", "crash",     "hang"};

static const char *const today_says[TODAYS] = {
    "model and board agree",
    "model and board agree now",
    "model and board differ",
    "it shows the finding that it showed before",
    "it shows another finding than before",
    "the board gave no outcome to compare",
    "it crashes the model",
    "it hangs the model",
};

static bool input_is_discrepancy(const struct report *r, const struct report_input *in)
{
    for (unsigned i = 0; i < in->findings; i++)
        for (unsigned k = 0; k < r->findings; k++)
            if (!strcmp(r->finding[k].id, in->finding[i]) && verdict_is_discrepancy(r->finding[k].verdict))
                return true;
    return in->today == TODAY_CRASHES || in->today == TODAY_HANGS;
}

json_t *inputs_json(const struct report *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->inputs; i++) {
        const struct report_input *in = &r->input[i];
        json_t *findings = json_array();
        for (unsigned k = 0; k < in->findings; k++)
            json_array_append_new(findings, json_text(in->finding[k]));
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:s, s:s, s:s, s:o, s:b}", "path", json_text(in->path),
                                        "unit", in->unit->name, "origin", in->origin, "was", in->was, "today",
                                        today_name[in->today], "findings", findings, "discrepancy",
                                        (int)input_is_discrepancy(r, in)));
    }
    return list;
}

/* Prints "it shows another finding than before: F-1, F-2; it was F-3". */
static void say(const struct report_input *in, struct text *t)
{
    text_add(t, "%s", today_says[in->today]);
    for (unsigned k = 0; k < in->findings; k++)
        text_add(t, "%s%s", k ? ", " : ": ", in->finding[k]);
    if (in->was[0] && in->today != TODAY_SAME)
        text_add(t, "; it was %s", in->was);
}

void inputs_junit(const struct report *r, struct text *t)
{
    unsigned failures, errors, skipped;
    inputs_count(r, &failures, &errors, &skipped);
    if (!r->inputs)
        return;
    text_add(t,
             "  <testsuite name=\"inputs\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
             "time=\"0\">\n",
             r->inputs, failures, errors, skipped);
    for (unsigned i = 0; i < r->inputs; i++) {
        const struct report_input *in = &r->input[i];
        bool broken = in->today == TODAY_CRASHES || in->today == TODAY_HANGS;
        struct text words = {0};
        say(in, &words);
        xml_add(t, "    <testcase classname=\"%s\" name=\"%s\">", in->unit->name, in->path);
        if (broken || input_is_discrepancy(r, in)) {
            xml_add(t, "<%s type=\"%s\" message=\"%s\"/>", broken ? "error" : "failure",
                    today_name[in->today], text_chars(&words));
        } else if (in->today == TODAY_NOT_COMPARED) {
            text_add(t, "<skipped message=\"%s\"/>", today_says[in->today]);
        }
        text_add(t, "</testcase>\n");
        text_free(&words);
    }
    text_add(t, "  </testsuite>\n");
}

void inputs_count(const struct report *r, unsigned *failures, unsigned *errors, unsigned *skipped)
{
    *failures = *errors = *skipped = 0;
    for (unsigned i = 0; i < r->inputs; i++) {
        const struct report_input *in = &r->input[i];
        bool broken = in->today == TODAY_CRASHES || in->today == TODAY_HANGS,
             differs = input_is_discrepancy(r, in);
        *errors += broken;
        *failures += differs && !broken;
        *skipped += in->today == TODAY_NOT_COMPARED && !differs;
    }
}

/* Lists inputs that were kept because they showed a finding, a crash or a hang: with `same` those that show
 * the same finding as before, else all others. Returns their number. */
static unsigned list_inputs(const struct report *r, bool same, unsigned most, struct text *t)
{
    unsigned found = 0;
    for (unsigned i = 0; i < r->inputs; i++) {
        const struct report_input *in = &r->input[i];
        if ((!in->was[0] && !in->artifact) || (in->today == TODAY_SAME) != same || found++ >= most)
            continue;
        text_add(t, "  %-14s %s (%s): ", today_words[in->today], in->path, in->origin);
        say(in, t);
        text_add(t, "\n");
    }
    return found;
}

void inputs_words(const struct report *r, struct text *t)
{
    enum { SAME_NAMED = 40 };
    unsigned of[TODAYS] = {0};
    for (unsigned i = 0; i < r->inputs; i++)
        of[r->input[i].today]++;
    text_add(t, "%u input%s:", r->inputs, plural(r->inputs));
    for (unsigned k = 0, first = 1; k < TODAYS; k++)
        if (of[k]) {
            text_add(t, "%s %u %s", first ? "" : ",", of[k], today_counted[k]);
            first = 0;
        }
    text_add(t, "\n");
    (void)list_inputs(r, false, UINT_MAX, t); /* first the inputs that changed, all of them */
    unsigned same = list_inputs(r, true, SAME_NAMED, t);
    if (same > SAME_NAMED)
        text_add(t, "  and %u more of the same; --json and --junit list all\n", same - SAME_NAMED);
}
