/* SPDX-License-Identifier: MIT */
#include "cli/boards/check.h"

#include "cli/terminal/interrupt.h"
#include "model/core/memory.h"
#include "oracle/describe/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 12 /* cases of a section without --all */, REASONS_MAX = 64, NAMES = 3 };

/* "--board 'exec:./board'", for commands that the user can copy. */
static void add_board(const struct check *k, struct text *t)
{
    text_add(t, " --board ");
    escape_shell(t, k->board->spec);
}

static void add_lines(const char *lines, const char *indent, struct text *t)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        while (length && *lines == ' ') {
            lines++;
            length--;
        }
        text_add(t, "%s%.*s\n", indent, (int)length, lines);
        lines += length;
        lines += *lines == '\n';
    }
}

static uint64_t sum(const uint64_t count[CHECK_RESULTS])
{
    uint64_t cases = 0;
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        cases += count[r];
    return cases;
}

static void print_table_counts(const struct check_item *item, struct text *t)
{
    text_add(t, ": %" PRIu64 " of %" PRIu64 " cases run", sum(item->count), item->recorded);
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        if (item->count[r])
            text_add(t, ", %" PRIu64 " %s", item->count[r], check_result_name[r]);
    if (item->label.length)
        text_add(t, "; the first:");
}

static void print_item(const struct check *k, unsigned i, struct text *t)
{
    const struct check_item *item = &k->item[i];
    text_add(t, "  %3u  %-13s  %s", i + 1, item->done ? check_result_name[item->result] : "not run",
             item->name);
    if (!item->tc && item->done)
        print_table_counts(item, t);
    text_add(t, "\n");
    if (item->label.length) {
        text_add(t, "         ");
        escape_utf8(t, text_chars(&item->label), item->label.length);
        text_add(t, "\n");
    }
    add_lines(text_chars(&item->what), "         ", t);
    if (item->reading.length)
        text_add(t, "         %s\n", text_chars(&item->reading));
}

static bool is_listed(enum check_result r)
{
    return r == CHECK_WRONG || r == CHECK_FLAKY || r == CHECK_UNANSWERED || r == CHECK_READING;
}

void check_print_item(const struct check *k, unsigned i, struct check_shown *shown, struct text *t)
{
    const struct check_item *item = &k->item[i];
    if (!shown->all && !(item->done && is_listed(item->result)))
        return;
    if (!shown->titled)
        text_add(t, "%s, the easy ones first\n",
                 shown->all ? "all known cases"
                            : "known cases that are not right, or right by another reading");
    shown->titled = true;
    if (shown->count[item->result]++ < LISTED || shown->all)
        print_item(k, i, t);
}

/* Says how many known cases were not printed. */
static void print_left_out(const struct check_shown *shown, struct text *t)
{
    const char *between = "       and ";
    bool any = false;
    for (unsigned r = 0; r < CHECK_RESULTS && !shown->all; r++)
        if (shown->count[r] > LISTED) {
            text_add(t, "%s%u more %s", any ? ", " : between, shown->count[r] - LISTED, check_result_name[r]);
            any = true;
        }
    if (any)
        text_add(t, " (--all lists them)\n");
}

/* How many bytes of a reason name it? Of an exception, its type and its place, without its message. */
static size_t reason_length(const char *why, enum check_result r)
{
    const char *place = r == CHECK_EXCEPTION ? strstr(why, " at ") : NULL;
    return place ? strcspn(place + 4, " ") + (size_t)(place + 4 - why) : strlen(why) + 1;
}

/* Prints the reasons of the cases with this result, each with its first cases. */
static void print_reasons(const struct check *k, enum check_result result, const char *title, struct text *t)
{
    const char *reason[REASONS_MAX];
    unsigned reasons = 0;
    for (unsigned i = 0; i < k->items; i++) {
        if (!k->item[i].done || k->item[i].result != result)
            continue;
        const char *why = text_chars(&k->item[i].what);
        unsigned r = 0;
        while (r < reasons && strncmp(reason[r], why, reason_length(why, result)) != 0)
            r++;
        if (r == reasons && reasons < REASONS_MAX)
            reason[reasons++] = why;
    }
    if (reasons)
        text_add(t, "%s\n", title);
    for (unsigned r = 0; r < reasons; r++) {
        unsigned count = 0;
        struct text names = {0};
        for (unsigned i = 0; i < k->items; i++) {
            const struct check_item *item = &k->item[i];
            if (!item->done || item->result != result ||
                strncmp(text_chars(&item->what), reason[r], reason_length(reason[r], result)) != 0)
                continue;
            if (count++ < NAMES)
                text_add(&names, "%s%s", count > 1 ? ", " : "", item->name);
        }
        text_add(t, "  %3u  %s: %s%s\n", count, reason[r][0] ? reason[r] : "no reason given",
                 text_chars(&names), count > NAMES ? ", ..." : "");
        text_free(&names);
    }
}

static void print_first(const struct check *k, struct text *t)
{
    const struct check_item *first = check_first(k);
    if (!first)
        return;
    text_add(t, "look first at %s%s\n", first->name, first->tc ? ":" : "");
    if (first->tc && *first->path) {
        text_add(t, "  misprint run ");
        escape_shell(t, first->path);
        text_add(t, " --profile %s --trace    # what is right, step by step\n  misprint run ",
                 k->profile_name);
        escape_shell(t, first->path);
        add_board(k, t);
        text_add(t, "\n");
    } else if (!first->tc) {
        text_add(t, "  misprint replay ");
        escape_shell(t, first->path);
        text_add(t, " --profile %s", k->profile_name);
        add_board(k, t);
        text_add(t, "    # the whole table\n");
    } else {
        text_add(t, "  echo 'misprint-case 1 %s' >empty.case\n  misprint run empty.case", k->unit->name);
        add_board(k, t);
        text_add(t, "\n");
    }
    if (check_count(k, CHECK_FLAKY))
        text_add(
            t,
            "  flaky: asked again alone, the board answers otherwise; look for what one case leaves for the "
            "next\n");
    unsigned list[CHECK_SUSPECTS], count = check_suspects(k, list);
    const char *failing =
        check_count(k, CHECK_UNANSWERED) + check_count(k, CHECK_EXCEPTION) ? "failing" : "wrong";
    for (unsigned i = 0; i < count; i++) {
        const struct check_feature *f = &k->feature[list[i]];
        text_add(t, "  %s %s: in %u %s case%s, in %u right one%s\n", i ? "then" : "suspect", f->name,
                 f->wrong, failing, plural(f->wrong), f->right, plural(f->right));
    }
}

static const char *const result_words[CHECK_RESULTS] = {
    [CHECK_RIGHT] = "right",          [CHECK_READING] = "follow another known reading",
    [CHECK_WRONG] = "wrong",          [CHECK_EXCEPTION] = "stopped by an exception",
    [CHECK_REFUSED] = "refused",      [CHECK_UNANSWERED] = "without an answer",
    [CHECK_UNKNOWN] = "not recorded", [CHECK_EMPTY] = "with nothing defined to compare",
    [CHECK_FLAKY] = "flaky",
};

static void add_counts(const uint64_t count[CHECK_RESULTS], struct text *t)
{
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        if (count[r] || r == CHECK_RIGHT || r == CHECK_WRONG)
            text_add(t, "%s%" PRIu64 " %s", r ? ", " : ": ", count[r], result_words[r]);
    text_add(t, "\n");
}

static void print_counts(const struct check *k, struct text *t)
{
    uint64_t count[CHECK_RESULTS];
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        count[r] = check_count(k, r);
    text_add(t, "%" PRIu64 " case%s", sum(count), plural(sum(count)));
    add_counts(count, t);
}

/* Prints the first generated case that was not right, and the commands that run it. */
static void print_generated_case(const struct check *k, struct text *t)
{
    const struct check_item *g = &k->generated;
    text_add(t, "  the first that is %s: %s\n", result_words[g->result], text_chars(&g->label));
    add_lines(text_chars(&g->what), "    ", t);
    text_add(t, "  cat >generated.case <<'end'\n%send\n", text_chars(&g->text));
    text_add(t, "  misprint run generated.case --profile %s --trace    # what is right, step by step\n",
             k->profile_name);
    text_add(t, "  misprint run generated.case");
    add_board(k, t);
    text_add(t, "\n");
}

/* Prints what generated cases showed, and the command to go on with. */
static void print_generated(const struct check *k, struct text *t)
{
    const struct check_item *g = &k->generated;
    const uint64_t failed = g->count[CHECK_UNANSWERED] + g->count[CHECK_EXCEPTION];
    const bool unanswered = check_count(k, CHECK_UNANSWERED) > 0;
    if (unanswered || check_count(k, CHECK_EXCEPTION))
        text_add(t, "generated cases: not run, because known cases %s\n",
                 unanswered ? "got no answer" : "ended with an exception");
    else if (check_count(k, CHECK_WRONG) || check_count(k, CHECK_FLAKY))
        text_add(t, "generated cases: not run, because known cases are not right\n");
    if (!check_compared(g->count) && !failed)
        return;
    text_add(t, "%" PRIu64 " generated case%s", sum(g->count), plural(sum(g->count)));
    add_counts(g->count, t);
    for (unsigned i = 0; i < k->readings; i++)
        text_add(t, "  %s: %" PRIu64 "\n", text_chars(&k->reading[i].name), k->reading[i].cases);
    if (g->text.length)
        print_generated_case(k, t);
    text_add(t, "%s:\n  misprint fuzz %s --profile %s",
             g->count[CHECK_WRONG] ? "this reduces them and names causes" : "next, more generated cases",
             k->unit->name, k->profile_name);
    add_board(k, t);
    text_add(t, " --time 60\n");
}

static void print_speed(const struct check *k, struct text *t)
{
    if (k->speed.batched <= 0) {
        text_add(t, "speed: not measured, because %s\n",
                 check_unanswered(k) ? "a case got no answer" : "the board ran no generated case");
        return;
    }
    text_add(t, "speed: ");
    text_add_grouped(t, (uint64_t)k->speed.batched);
    const double share = 100 * k->speed.batched / k->speed.model;
    text_add(t, " cases a second, 256 at a time (%.*f %% of the built-in model's ", share < 10 ? 1 : 0,
             share);
    text_add_grouped(t, (uint64_t)k->speed.model);
    text_add(t, "); ");
    text_add_grouped(t, (uint64_t)k->speed.alone);
    text_add(t, " one at a time\n");
}

void check_print_head(const struct check *k, struct text *t)
{
    text_add(t, "check-board %s: %s (%s), compared with profile %s%s\n", k->unit->name,
             k->board->identity.spec, k->board->identity.silicon ? "measured on silicon" : "no silicon",
             k->profile_name, k->strict ? "" : " and all known readings");
    text_add(t, "  ");
    escape_utf8(t, k->board->identity.description, strlen(k->board->identity.description));
    text_add(t, "\n");
}

void check_print_rest(const struct check *k, const struct check_shown *shown, struct text *t)
{
    print_left_out(shown, t);
    print_reasons(k, CHECK_EXCEPTION,
                  "the board's program failed with an exception; standard error has the trace", t);
    print_reasons(k, CHECK_REFUSED, "refused, and why", t);
    print_counts(k, t);
    print_first(k, t);
    if (interrupted) {
        text_add(t, "interrupted: the cases after these were not run\n");
        return;
    }
    print_generated(k, t);
    print_speed(k, t);
}

/* --- JSON --- */

static json_t *counts_json(const uint64_t *count)
{
    json_t *o = json_object();
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        json_object_set_new(o, check_result_name[r], json_integer((json_int_t)count[r]));
    return o;
}

static json_t *item_json(const struct check_item *item)
{
    json_t *o =
        json_pack("{s:o, s:o, s:s, s:o, s:o, s:o}", "name", json_text(item->name), "file",
                  json_text(item->path), "result", item->done ? check_result_name[item->result] : "not-run",
                  "counts", counts_json(item->count), "details", json_text(text_chars(&item->what)),
                  "reading", json_text(text_chars(&item->reading)));
    if (!item->tc)
        json_object_set_new(o, "recorded", json_integer((json_int_t)item->recorded));
    if (item->label.length)
        json_object_set_new(o, "record", json_text(text_chars(&item->label)));
    if (item->text.length)
        json_object_set_new(o, "case", json_text(text_chars(&item->text)));
    return o;
}

json_t *check_json(const struct check *k)
{
    json_t *cases = json_array(), *suspects = json_array();
    uint64_t count[CHECK_RESULTS];
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        count[r] = check_count(k, r);
    for (unsigned i = 0; i < k->items; i++)
        json_array_append_new(cases, item_json(&k->item[i]));
    unsigned list[CHECK_SUSPECTS], suspected = check_suspects(k, list);
    for (unsigned i = 0; i < suspected; i++)
        json_array_append_new(suspects, json_pack("{s:s, s:i, s:i}", "feature", k->feature[list[i]].name,
                                                  "wrong", (int)k->feature[list[i]].wrong, "right",
                                                  (int)k->feature[list[i]].right));
    const struct check_item *first = check_first(k);
    return json_pack("{s:s, s:o, s:o, s:b, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:{s:f, s:f, s:f}}", "unit",
                     k->unit->name, "board", json_text(k->board->identity.spec), "description",
                     json_text(k->board->identity.description), "silicon", k->board->identity.silicon,
                     "profile", k->profile_name, "other_readings_pass", !k->strict, "counts",
                     counts_json(count), "first", first ? json_text(first->name) : json_null(), "suspects",
                     suspects, "cases", cases, "generated", item_json(&k->generated), "cases_per_second",
                     "batched", k->speed.batched, "alone", k->speed.alone, "built_in_model", k->speed.model);
}

/* --- JUnit --- */

static void junit_item(const struct check *k, const struct check_item *item, struct text *t)
{
    xml_add(t, "    <testcase classname=\"%s\" name=\"%s\">", k->unit->name, item->name);
    struct text w = {0};
    if (!item->tc)
        print_table_counts(item, &w);
    text_add(&w, "%s\n%s", text_chars(&item->label), text_chars(&item->what));
    if (item->reading.length)
        text_add(&w, "%s\n", text_chars(&item->reading));
    const char *name = check_result_name[item->result];
    if (!item->done)
        text_add(t, "<skipped message=\"not run\"/>");
    else if (item->result == CHECK_WRONG || item->result == CHECK_FLAKY)
        xml_add(t, "<failure type=\"%s\" message=\"%s\">%s</failure>", name, name, text_chars(&w));
    else if (item->result == CHECK_UNANSWERED || item->result == CHECK_EXCEPTION)
        xml_add(t, "<error type=\"%s\" message=\"%s\">%s</error>", name, name, text_chars(&w));
    else if (item->result != CHECK_RIGHT && item->result != CHECK_READING)
        xml_add(t, "<skipped message=\"%s: %s\"/>", name, text_chars(&item->what));
    text_add(t, "</testcase>\n");
    text_free(&w);
}

static void count_junit(const struct check_item *item, unsigned *failures, unsigned *errors,
                        unsigned *skipped)
{
    *failures += item->done && (item->result == CHECK_WRONG || item->result == CHECK_FLAKY);
    *errors += item->done && (item->result == CHECK_UNANSWERED || item->result == CHECK_EXCEPTION);
    *skipped += !item->done || item->result == CHECK_REFUSED || item->result == CHECK_UNKNOWN ||
                item->result == CHECK_EMPTY;
}

void check_junit(const struct check *k, struct text *t)
{
    unsigned failures = 0, errors = 0, skipped = 0;
    for (unsigned i = 0; i < k->items; i++)
        count_junit(&k->item[i], &failures, &errors, &skipped);
    count_junit(&k->generated, &failures, &errors, &skipped);
    text_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    xml_add(t, "  <testsuite name=\"check-board %s, %s\"", k->unit->name, k->board->identity.spec);
    text_add(t, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n", k->items + 1, failures,
             errors, skipped);
    for (unsigned i = 0; i < k->items; i++)
        junit_item(k, &k->item[i], t);
    junit_item(k, &k->generated, t);
    text_add(t, "  </testsuite>\n</testsuites>\n");
}
