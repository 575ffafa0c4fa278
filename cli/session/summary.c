/* SPDX-License-Identifier: MIT */
#include "cli/session/summary.h"
#include "cli/session/state.h"
#include "model/core/memory.h"
#include "model/rule/point.h"
#include "oracle/compare/executor.h"
#include "oracle/describe/authority.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/rule_text.h"
#include "oracle/files/load.h"
#include "oracle/report/report_cause.h"
#include "oracle/report/rule/report_nearest.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums up the concurrent jobs of one command as one run. */
static struct run_facts all_jobs(const struct report *r)
{
    struct run_facts all = r->run[0];
    for (unsigned i = 1; i < r->runs; i++) {
        const struct run_facts *job = &r->run[i];
        tally_merge(&all.tally, &job->tally);
        (void)coverage_merge(&all.coverage, &job->coverage);
        all.interrupted |= job->interrupted;
        all.seconds = job->seconds > all.seconds ? job->seconds : all.seconds;
    }
    return all;
}

static void print_run(const struct run_facts *r, unsigned jobs, struct text *t)
{
    text_add(t, "%s: profile %s against %s (%s)\n  %s\n  ", r->unit, r->profile, r->board.spec,
             r->board.silicon ? "measured on silicon" : "no silicon", r->board.description);
    if (r->interrupted)
        text_add(t, "INTERRUPTED after %" PRIu64 " cases, so this is incomplete: ", r->tally.cases);
    tally_print(&r->tally, t);
    text_add(t, "\n  the cases used %u of %u clauses; %.1f s, %.0f cases/s", coverage_clauses(&r->coverage),
             unit_clauses(unit_named(r->unit)), r->seconds,
             r->seconds > 0 ? (double)r->tally.cases / r->seconds : 0.0);
    if (jobs > 1)
        text_add(t, " in %u jobs", jobs);
    text_add(t, "\n");
}

/* Prints a reason in the words of its first case, because the numbers in them help to find the fault. */
static void print_reason(const struct dropped_reason *r, struct text *t)
{
    bool several = r->cases > 1 && r->first[0] && strcmp(r->first, r->reason) != 0;
    text_add(t, "  %9" PRIu64 "  %s%s\n", r->cases, r->first[0] ? r->first : r->reason,
             several ? ", and the like" : "");
}

/* Prints how often one proof passed a program that the other refused. Each time, one of the proofs is
 * wrong. */
static void print_disagreements(const struct summary *s, struct text *t)
{
    uint64_t cases = report_disagreements(s->report);
    if (!cases)
        return;
    text_add(t, "the two proofs disagree on %" PRIu64 " program%s, which %s not launched; %s\n", cases,
             plural(cases), cases == 1 ? "was" : "were",
             s->folder ? "this is a bug in misprint, please report it: `misprint dropped CAMPAIGN` lists them"
                       : "--campaign DIR keeps them");
    for (unsigned i = 0; i < s->report->reasons; i++)
        if (dropped_by_disagreement(s->report->reason[i].reason))
            print_reason(&s->report->reason[i], t);
}

static void print_dropped(const struct summary *s, struct text *t)
{
    enum { NAMED = 5 };
    text_add(t, "%" PRIu64 " case%s no outcome to compare%s\n", s->report->dropped,
             s->report->dropped == 1 ? " has" : "s have",
             s->folder ? "; the campaign keeps the first of them with their reasons" : "");
    for (unsigned i = 0; i < s->report->reasons && i < NAMED; i++)
        print_reason(&s->report->reason[i], t);
    if (s->report->reasons > NAMED)
        text_add(t, "  and %u more reason%s\n", s->report->reasons - NAMED,
                 plural(s->report->reasons - NAMED));
    print_disagreements(s, t);
}

/* Prints each learned rule as a sentence. If the rule has no guard and depends on the value alone, also
 * prints a sweep of values with the rule's results. */
static void print_rules(const struct finding *f, struct text *t)
{
    static const uint32_t no_input[POINT_INPUT_WORDS_MAX];
    struct rule_sweep *s = memory_new(1, sizeof *s);
    const char *line = f->learned.rules;
    struct rule rule;
    while (rule_next(f->unit, &line, &rule)) {
        text_add(t, "      ");
        rule_describe(f->unit, &rule, t);
        text_add(t, ". ");
        rule_document(f->unit, &rule, t);
        if (!rule.guard.count && rule_of_value(&rule)) {
            rule_sweep(f->unit, &rule, no_input, s);
            text_add(t, "\n      ");
            rule_sweep_print(s, t);
        }
        text_add(t, "\n");
    }
    free(s);
}

static void print_findings(const struct summary *s, struct text *t)
{
    struct text near = {0};
    int width = 14; /* columns of the verdicts */
    for (unsigned i = 0; i < s->report->findings; i++) {
        int length = (int)strlen(verdict_name(s->report->finding[i].verdict));
        width = length > width ? length : width;
    }
    for (unsigned i = 0; i < s->report->findings; i++) {
        const struct finding *f = &s->report->finding[i];
        struct text verdict = {0};
        authority_add(f->unit, verdict_name(f->verdict), &verdict);
        text_add(t, "  %s  %-*s %9" PRIu64 " case%s  ", f->id, width, text_chars(&verdict), f->cases,
                 f->cases == 1 ? " " : "s");
        text_free(&verdict);
        cause_summary(f, t);
        text_add(t, "\n");
        if (!f->learned.withdrawn)
            print_rules(f, t);
        words_agreeing(f, &near);
        if (near.length)
            text_add(t, "      %s\n", text_chars(&near));
        text_clear(&near);
    }
    text_free(&near);
}

/* Prints all counters: a paragraph for each run, and what went wrong with boards and inputs. */
static void print_counters(const struct summary *s, struct text *t)
{
    const struct report *r = s->report;
    if (s->comparison)
        comparison_print(s->comparison, t);
    if (!strcmp(s->command, "fuzz")) {
        struct run_facts all = all_jobs(r);
        print_run(&all, r->runs, t);
    }
    for (unsigned i = 0; strcmp(s->command, "fuzz") != 0 && i < r->runs; i++)
        print_run(&r->run[i], 1, t);
    if (s->report->engine_cases)
        text_add(t, "the engine ran %" PRIu64 " case%s; the counts above are of those that it kept\n",
                 s->report->engine_cases, plural(s->report->engine_cases));
    if (r->dropped)
        print_dropped(s, t);
    if (s->report->restarts)
        text_add(t, "the board was restarted %" PRIu64 " time%s because it hung, exited or went away\n",
                 s->report->restarts, plural(s->report->restarts));
    if (r->inputs)
        inputs_words(r, t);
}

/* Prints every finding with its cause, and the attributions. */
static void print_causes(const struct summary *s, struct text *t)
{
    const struct report *r = s->report;
    text_add(t, "%u finding%s%s\n", r->findings, plural(r->findings), r->findings ? ":" : "");
    print_findings(s, t);
    text_add(t, "%s", s->attributions);
}

/* ---- the short form ---- */

/* Adds a count that a person can read: "9,876", "412,345", "3.4 million". */
static void add_count(struct text *t, uint64_t n)
{
    static const char *const names[] = {"million", "billion", "trillion"};
    double rest = (double)n / 1e6;
    unsigned name = 0;
    for (; rest >= 999.95 && name < 2; name++)
        rest /= 1000;
    if (n < 1000000)
        text_add_grouped(t, n);
    else
        text_add(t, "%.1f %s", rest, names[name]);
}

static void add_counted(struct text *t, uint64_t n, const char *noun)
{
    add_count(t, n);
    text_add(t, " %s%s", noun, plural(n));
}

/* Adds text as one line of at most `width` columns, and marks what was cut by "...". */
static void add_line(struct text *t, const char *chars, size_t width)
{
    char line[4096];
    size_t room = width < sizeof line ? width + 1 : sizeof line;
    bool whole = strlen(chars) < room;
    text_copy_utf8(line, whole ? room : room - 3, chars, strlen(chars));
    text_add(t, "%s%s", line, whole ? "" : "...");
}

static void end_line(const struct summary *s, struct text *line, struct text *t)
{
    add_line(t, text_chars(line), s->width);
    text_add(t, "\n");
    text_free(line);
}

static void add_duration(struct text *t, double seconds)
{
    uint64_t whole = (uint64_t)(seconds + 0.5);
    if (seconds < 10)
        text_add(t, "%.1f s", seconds);
    else if (whole < 120)
        text_add(t, "%" PRIu64 " s", whole);
    else if (whole < 7200)
        text_add(t, "%" PRIu64 " min", (whole + 30) / 60);
    else
        text_add(t, "%.1f h", seconds / 3600);
}

/* Says what was done: cases, time, rate, clauses; then what was compared with what. */
static void add_work(const struct summary *s, const struct run_facts *r, struct text *t)
{
    struct text done = {0}, sides = {0};
    text_add(&done, "%s", r->interrupted ? "INTERRUPTED: " : "");
    add_counted(&done, r->tally.cases, "case");
    text_add(&done, " in ");
    add_duration(&done, r->seconds);
    if (r->seconds > 0) {
        text_add(&done, " (");
        add_count(&done, (uint64_t)((double)r->tally.cases / r->seconds));
        text_add(&done, " a second)");
    }
    text_add(&done, "; they used %u of %u clauses", coverage_clauses(&r->coverage),
             unit_clauses(unit_named(r->unit)));
    end_line(s, &done, t);
    /* The kind of board comes first, because a long name of a board is cut. */
    text_add(&sides, "%s, %s: profile %s against %s", r->unit,
             r->board.silicon ? "measured on silicon" : "no silicon", r->profile, r->board.spec);
    end_line(s, &sides, t);
    if (s->report->engine_cases) {
        text_add(&sides, "the engine ran ");
        add_counted(&sides, s->report->engine_cases, "case");
        text_add(&sides, "; these are the ones that it kept");
        end_line(s, &sides, t);
    }
}

static const char *const verdict_says[VERDICTS] = {
    [VERDICT_MANUAL_ERRATUM] = "the manual says one thing, the board follows another reading",
    [VERDICT_MANUAL_GAP] = "the manual is silent, the board shows which reading holds",
    [VERDICT_PROFILE_WRONG] = "the board follows the manual, the profile does not",
    [VERDICT_UNDOCUMENTED] = "no known reading does this, a learned rule does",
    [VERDICT_IMPLEMENTATION_CHOICE] = "it chose where the manual is silent",
    [VERDICT_UNEXPLAINED] = "no known reading explains what the board did",
    [VERDICT_UNDEFINED] = "the documents do not define these bits",
    [VERDICT_FLAKY] = "the board disagrees with itself",
    [VERDICT_WITHDRAWN] = "a rule was believed until a case refuted it",
};

/* Adds the ids of the clauses that explain a finding, or the finding's own id. */
static void add_id(const struct finding *f, struct text *t)
{
    const struct cause *c = &f->explanation.candidate[0];
    if (cause_status(f) < CAUSE_MASKS)
        text_add(t, "%s", f->id);
    for (unsigned i = 0; cause_status(f) >= CAUSE_MASKS && i < c->count; i++)
        text_add(t, "%s%s", i ? "+" : "", unit_clause(f->unit, c->change[i].clause)->id);
}

/* The widths of the columns that are not cut. */
struct widths {
    size_t cases, id;
};

static void widen(struct widths *w, const struct finding *f)
{
    struct text id = {0}, cases = {0};
    add_id(f, &id);
    add_counted(&cases, f->cases, "case");
    w->id = id.length > w->id ? id.length : w->id;
    w->cases = cases.length > w->cases ? cases.length : w->cases;
    text_free(&id);
    text_free(&cases);
}

/* Adds the first instruction of a finding's case, and the first word that differs. Adds nothing if the
 * board's outcome is not known. */
static void add_difference(const struct finding *f, struct text *t)
{
    const struct code *code = case_code(f->smallest);
    struct executor *x = executor_new(f->unit);
    struct outcome *model = outcome_new(f->unit), *board = outcome_new(f->unit);
    struct differences d;
    struct profile p;
    struct error ignored;
    executor_place(x, &f->board);
    if (profile_load(f->unit, f->profile, &p, &ignored) &&
        outcome_decode(board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored) &&
        model_match(x, f->smallest, &p, board, model, NULL, &d) == MATCH_DIFFERENT) {
        struct text line = {0};
        for (unsigned i = 0; code && i < f->unit->schema.field_count && !line.length; i++) {
            const struct field *field = &f->unit->schema.fields[i];
            const uint32_t *words = case_field_const(f->smallest, field);
            if (field->kind == FIELD_CODE && words[0])
                code->print(words + 1, &line);
        }
        text_add(t, "%s%s", text_chars(&line), line.length ? ": " : "");
        text_clear(&line);
        differences_print(f->unit, &d, 1, &line);
        const char *first = text_chars(&line) + strspn(text_chars(&line), " ");
        text_add(t, "%.*s; ", (int)strcspn(first, "\n"), first);
        text_free(&line);
    }
    outcome_free(board);
    outcome_free(model);
    executor_free(x);
}

static void add_finding(const struct summary *s, const struct finding *f, const struct widths *w,
                        struct text *t)
{
    struct text sentence = {0}, cases = {0}, id = {0}, cut = {0};
    if (f->verdict == VERDICT_UNEXPLAINED)
        add_difference(f, &sentence);
    cause_sentence(f, &sentence);
    add_counted(&cases, f->cases, "case");
    add_id(f, &id);
    size_t others = 2 + 2 + w->cases + 2 + w->id, room = s->width > others + 20 ? s->width - others : 20;
    add_line(&cut, text_chars(&sentence), room);
    text_add(t, "  %-*s  %*s  %s\n", s->width == UINT_MAX ? 0 : (int)room, text_chars(&cut), (int)w->cases,
             text_chars(&cases), text_chars(&id));
    text_free(&sentence);
    text_free(&cases);
    text_free(&id);
    text_free(&cut);
}

/* What an implementation contradicts; 0 for another verdict. */
static unsigned contradicts(const struct finding *f)
{
    bool differs = f->verdict == VERDICT_IMPLEMENTATION_DIFFERS && f->explanation.candidates;
    return differs ? cause_contradicts(f->unit, &f->explanation.candidate[0]) : 0;
}

/* Is this an unexplained finding whose search did not end? */
static bool is_unsearched(const struct finding *f)
{
    return f->verdict == VERDICT_UNEXPLAINED && f->unsearched;
}

static bool same_heading(const struct finding *a, const struct finding *b)
{
    return a->verdict == b->verdict && contradicts(a) == contradicts(b) &&
           is_unsearched(a) == is_unsearched(b);
}

/* Sorts a report's findings by heading: those with a sentence, by verdict, as they are, then by what they
 * contradict, silicon that was measured first; then the unexplained ones, because a cause or a rule says more
 * than the case of a difference that nothing explains. The caller frees the list. */
static const struct finding **by_heading(const struct report *r)
{
    const struct finding **list = memory_new(r->findings + 1U, sizeof *list);
    unsigned count = 0;
    for (unsigned explained = 2; explained-- > 0;)
        for (unsigned i = 0, end; i < r->findings; i = end) {
            const enum verdict v = r->finding[i].verdict;
            for (end = i; end < r->findings && r->finding[end].verdict == v;)
                end++;
            for (unsigned sides = CONTRADICTS_KINDS; sides-- > 0 && (v != VERDICT_UNEXPLAINED) == explained;)
                for (unsigned late = 0; late < 2; late++)
                    for (unsigned k = i; k < end; k++)
                        if (contradicts(&r->finding[k]) == sides && is_unsearched(&r->finding[k]) == late)
                            list[count++] = &r->finding[k];
        }
    return list;
}

static void add_heading(const struct summary *s, const struct finding *f, struct text *t)
{
    const char *says = f->verdict == VERDICT_IMPLEMENTATION_DIFFERS ? contradiction_words(contradicts(f))
                       : is_unsearched(f) ? "no known reading explains it; the search for a rule did not end"
                                          : verdict_says[f->verdict];
    text_add(t, "%s", s->colours ? "\033[1m" : "");
    authority_add(f->unit, verdict_name(f->verdict), t);
    text_add(t, "%s: ", s->colours ? "\033[0m" : "");
    authority_add(f->unit, says, t);
    text_add(t, "\n");
}

/* Returns how many lines the unexplained findings get, whatever comes before them. */
static unsigned lines_of_unexplained(const struct report *r)
{
    enum { LISTED = 3 };
    unsigned count = 0;
    for (unsigned i = 0; i < r->findings; i++)
        count += r->finding[i].verdict == VERDICT_UNEXPLAINED;
    return count ? 1 + (count < LISTED ? count : LISTED) : 0;
}

/* Lists the findings by verdict in at most `lines` lines, a heading for each verdict included. */
static void list_findings(const struct summary *s, unsigned lines, struct text *t)
{
    const struct report *r = s->report;
    const struct finding **list = by_heading(r);
    struct widths widths = {0};
    unsigned kept = lines_of_unexplained(r), left_out = 0;
    for (unsigned i = 0; i < r->findings && i < lines; i++)
        widen(&widths, list[i]);
    kept = kept < lines ? kept : lines;
    for (unsigned i = 0, shown = UINT_MAX; i < r->findings; i++) {
        const struct finding *f = list[i];
        bool heading = shown == UINT_MAX || !same_heading(f, list[shown]), last = i + 1 == r->findings;
        if (f->verdict == VERDICT_UNEXPLAINED)
            kept = 0;
        if (lines < kept + 1U + heading + !(last && !left_out)) {
            left_out++;
            continue;
        }
        lines -= 1U + heading;
        shown = i;
        if (heading)
            add_heading(s, f, t);
        add_finding(s, f, &widths, t);
    }
    if (left_out)
        text_add(t, "  and %u more, which the report lists\n", left_out);
    free(list);
}

/* Says how many findings there are, and why the display showed another number. */
static void add_findings(const struct summary *s, unsigned lines, struct text *t)
{
    unsigned n = s->report->findings;
    text_add(t, "%u finding%s%s", n, plural(n), s->folder ? " in this run" : "");
    if (s->displayed && s->displayed != n && s->report->runs == 1)
        text_add(t, " (the display said %u; at the end, findings with the same cause became one)",
                 s->displayed);
    text_add(t, "%s\n", n ? ":" : "");
    list_findings(s, lines, t);
}

/* Says why boards gave no outcome, the most frequent reasons first. */
static void add_reasons(const struct summary *s, uint64_t unanswered, struct text *t)
{
    enum { NAMED = 3 };
    uint64_t said = 0;
    for (unsigned i = 0; i < s->report->reasons; i++)
        said += s->report->reason[i].cases;
    for (unsigned i = 0; i < s->report->reasons && i < NAMED; i++)
        print_reason(&s->report->reason[i], t);
    if (s->report->reasons > NAMED)
        text_add(t, "             and %u more reason%s\n", s->report->reasons - NAMED,
                 plural(s->report->reasons - NAMED));
    if (unanswered > said && said)
        text_add(t, "  %9" PRIu64 "  the board gave no reason\n", unanswered - said);
}

/* Says which share of the cases was compared, if boards gave no outcome for some of them. */
static void add_share(const struct tally *a, uint64_t unanswered, struct text *t)
{
    if (!unanswered || !a->compared)
        return;
    text_add(t, "compared: ");
    add_count(t, a->compared);
    text_add(t, " of ");
    add_counted(t, a->cases, "case");
    text_add(t, " (%.0f %%)\n", 100.0 * (double)a->compared / (double)a->cases);
}

/* Says what was not compared, and why; nothing if all was. */
static void add_not_compared(const struct summary *s, const struct tally *a, struct text *t)
{
    const struct {
        uint64_t number;
        const char *noun, *why;
    } rows[] = {
        {a->answers[ANSWER_REFUSED], "case", " refused by the board"},
        {a->answers[ANSWER_UNKNOWN], "case", " not in the trace"},
        {a->answers[ANSWER_NOTHING], "case", " without an answer"},
        {a->vacuous, "case", " without a defined bit"},
        {a->masked_board, "unrecorded bit", ""},
        {a->masked_model, "undefined bit", ""},
    };
    struct text line = {0};
    uint64_t unanswered =
        a->answers[ANSWER_REFUSED] + a->answers[ANSWER_UNKNOWN] + a->answers[ANSWER_NOTHING];
    add_share(a, unanswered, t);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number) {
            text_add(&line, "%s", line.length ? "; " : "not compared: ");
            add_counted(&line, rows[i].number, rows[i].noun);
            text_add(&line, "%s", rows[i].why);
        }
    if (line.length)
        end_line(s, &line, t);
    add_reasons(s, unanswered, t);
}

/* Names the profile under which the known readings of an emulator are no findings, if they are many. */
static void add_profile(const struct summary *s, struct text *t)
{
    enum { MANY = 5 };
    const struct finding *f = s->report->finding;
    unsigned known = 0;
    for (unsigned i = 0; i < s->report->findings; i++)
        known += f[i].explanation.candidates > 0 && !strcmp(f[i].profile, "manual") &&
                 board_class(&f[i].board) == BOARD_CLASS_IMPLEMENTATION;
    if (known < MANY)
        return;
    const struct builtin_profile *best = &f->unit->profiles[f->unit->best_profile];
    if (strcmp(best->name, "manual") != 0)
        text_add(t, "%u are known readings; to compare with the silicon that is known best: --profile %s\n",
                 known, best->name);
}

/* Says where the findings are, and which command comes next. */
static void add_next(const struct summary *s, struct text *t)
{
    add_profile(s, t);
    if (!s->folder)
        text_add(t, "%s\n", s->not_kept);
    if (s->failed && !s->report->findings && !s->report->dropped) {
        text_add(t, "next: mend what standard error says; nothing was compared until then\n");
        return;
    }
    text_add(t, "next: ");
    bool nothing = s->report->dropped && !s->report->findings;
    if (s->folder && (s->report->findings || nothing)) {
        text_add(t, "misprint %s ", nothing ? "dropped" : "report");
        state_add_path(t, s->folder);
        text_add(t, "%s\n", nothing ? "" : " -o report.html");
    } else {
        text_add(t, "%s\n", s->again);
    }
}

static unsigned count_lines(const struct text *t)
{
    unsigned lines = 0;
    for (size_t i = 0; i < t->length; i++)
        lines += t->chars[i] == '\n';
    return lines;
}

void summary_print(const struct summary *s, struct text *t)
{
    struct text end = {0};
    bool fuzz = !strcmp(s->command, "fuzz");
    if (!fuzz || s->stats)
        print_counters(s, t);
    if (s->stats)
        print_causes(s, t);
    else if (!fuzz)
        add_findings(s, UINT_MAX, t);
    if (fuzz) {
        struct run_facts all = all_jobs(s->report);
        if (!s->stats) {
            add_work(s, &all, t);
            add_not_compared(s, &all.tally, &end);
            print_disagreements(s, &end);
        }
        if (s->report->restarts && !s->stats)
            text_add(&end, "the board was restarted %" PRIu64 " time%s\n", s->report->restarts,
                     plural(s->report->restarts));
        add_next(s, &end);
        unsigned used = count_lines(t) + 1 + count_lines(&end);
        if (!s->stats)
            add_findings(s, used < SUMMARY_LINES ? SUMMARY_LINES - used : 0, t);
    } else if (s->folder && s->report->findings) {
        text_add(&end, "`misprint report ");
        escape_shell(&end, s->folder);
        text_add(&end, " --html report.html` writes the report\n");
    }
    text_add(t, "%s", text_chars(&end));
    text_free(&end);
}
