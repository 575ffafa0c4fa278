/* SPDX-License-Identifier: MIT */
/* `misprint learn` finds the profile of a board: readings, and rules where no reading fits. */
#include "cli/cli.h"
#include "cli/session/board.h"
#include "cli/session/learn_file.h"
#include "cli/session/report_files.h"
#include "fuzz/learn/learn_findings.h"
#include "fuzz/learn/learn_json.h"
#include "harness/system/machine.h"
#include "model/core/memory.h"
#include "oracle/describe/case_difference.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIME_USUAL = 300 };

struct learning {
    struct learn_options options;
    struct profile base;
    char profile[PROFILE_SPEC_MAX]; /* the base profile as text */
    struct learn_file file;         /* of the campaign; not open without --campaign */
    const char *place[REPORT_FORMS];
    struct learn_result result;
};

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted;
}

static void say(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "misprint: %s\n", line);
}

static bool save(void *context, const struct learn_result *r, struct error *e)
{
    const struct learning *g = context;
    return learn_file_write(&g->file, r, e);
}

/* ---- what was learned, in words ---- */

static void print_learned(const struct unit *u, const struct learned *k, struct text *t)
{
    const struct test_case *near = k->related[RELATED_AGREES].tc;
    text_add(t, "  ");
    learn_print_change(u, &k->change, t);
    text_add(t, "\n    ");
    learn_describe_change(u, &k->change, t);
    text_add(t, "\n    explains %" PRIu32 " kept case%s; %" PRIu32 " experiment%s could have refuted it\n",
             k->explained, plural(k->explained), k->experiments, plural(k->experiments));
    if (k->stands)
        text_add(t, "    a case refutes it, but none of %u new cases did\n", LEARN_STANDING_CASES);
    for (uint32_t i = 0; i < k->alternatives && i < LEARN_ALTERNATIVES_MAX; i++) {
        text_add(t, "    no case told it apart from: ");
        learn_print_change(u, &k->alternative[i], t);
        text_add(t, "\n");
    }
    if (k->alternatives > LEARN_ALTERNATIVES_MAX)
        text_add(t, "    and from %" PRIu32 " more\n", k->alternatives - LEARN_ALTERNATIVES_MAX);
    text_add(t, "    the smallest case:\n");
    case_print(k->smallest, t);
    if (near) {
        struct case_difference d;
        case_difference_find(k->smallest, near, &d);
        text_add(t, "    model and board agree if one thing in this case changes: ");
        case_difference_print(&d, t);
        text_add(t, "\n");
        case_difference_free(&d);
    }
}

/* Prints "310 of 320 new cases in this circumstance differ (97 %); it covers 310 of 313 differing cases". */
static void print_circumstance(const struct unit *u, const struct circumstance *c, struct text *t)
{
    text_add(t, "  ");
    circumstance_print(u, c, t);
    text_add(t, "\n    %" PRIu32 " of %" PRIu32 " new cases in this circumstance differ (%.0f %%); ", c->both,
             c->holds, 100 * circumstance_precision(c));
    text_add(t, "it covers %" PRIu32 " of %" PRIu32 " differing cases (%.0f %%)\n", c->both, c->differing,
             100 * circumstance_recall(c));
}

/* Lists the differences whose search the end of the run cut short. Nobody knows whether a change explains
 * them.
 */
static void print_unfinished(const struct learn_result *r, uint32_t count, struct text *t)
{
    text_add(t, "not searched to the end: %" PRIu32 " kind%s of difference; the search for it did not end: ",
             count, plural(count));
    text_add(t, "%s; the smallest case of each:\n",
             r->end == LEARN_STOPPED ? "the run was interrupted" : "the time ran out");
    for (uint32_t i = 0; i < r->asides; i++)
        if (r->aside[i].unfinished)
            case_print(r->aside[i].smallest, t);
}

static void print_asides(const struct unit *u, const struct learn_result *r, struct text *t)
{
    uint32_t circumstances = 0, unfinished = 0;
    for (uint32_t i = 0; i < r->asides; i++) {
        unfinished += r->aside[i].unfinished;
        circumstances += !r->aside[i].unfinished && r->aside[i].circumstance.found;
    }
    if (unfinished)
        print_unfinished(r, unfinished, t);
    if (circumstances)
        text_add(t, "unexplained: %" PRIu32 " circumstance%s\n", circumstances, plural(circumstances));
    for (uint32_t i = 0; i < r->asides; i++) {
        const struct learn_aside *a = &r->aside[i];
        if (a->unfinished || !a->circumstance.found)
            continue;
        print_circumstance(u, &a->circumstance, t);
        text_add(t, "    %" PRIu64 " case%s; the smallest:\n", a->cases, plural(a->cases));
        case_print(a->smallest, t);
    }
    const uint32_t unknown = r->asides - unfinished - circumstances;
    if (!unknown)
        return;
    text_add(t,
             "unexplained, circumstance unknown: %" PRIu32
             " kind%s of difference; the smallest case of each:\n",
             unknown, plural(unknown));
    for (uint32_t i = 0; i < r->asides; i++)
        if (!r->aside[i].unfinished && !r->aside[i].circumstance.found)
            case_print(r->aside[i].smallest, t);
}

static void print_result_text(const struct learn_options *o, const struct learn_result *r, struct text *t)
{
    const struct board_identity *b = &o->board->identity;
    text_add(t, "%s against %s (%s)\n", o->unit->name, b->spec, b->silicon ? "silicon" : "no silicon");
    text_add(t, "  %" PRIu64 " cases and %" PRIu64 " experiments in %.1f s, %" PRIu64 " cases differed\n",
             r->cases, r->experiments, r->seconds, r->differing);
    if (r->refused)
        text_add(t, "  the board gave no outcome for %" PRIu64 " of these cases (%.0f %%)%s%s\n", r->refused,
                 100.0 * (double)r->refused / (double)r->cases, r->reason[0] ? "; the last reason: " : "",
                 r->reason);
    text_add(t, "learned: %" PRIu32 "\n", r->count);
    for (uint32_t i = 0; i < r->count; i++)
        print_learned(o->unit, &r->learned[i], t);
    print_asides(o->unit, r, t);
    if (r->flaky)
        text_add(t, "%" PRIu64 " differences did not repeat\n", r->flaky);
    if (r->end == LEARN_AGREES)
        text_add(t, "the last %" PRIu64 " fresh cases agree%s\n", r->agreed,
                 r->set_aside ? ", but for those set aside" : "");
    else
        text_add(t, "%s before %" PRIu32 " fresh cases in a row agreed%s\n",
                 r->end == LEARN_STOPPED ? "interrupted" : "the time or the cases ran out", o->fresh,
                 o->save ? "; repeat the command to continue" : "");
}

/* ---- the profile ---- */

/* Writes how a rule was tried: "Passed 120 experiments that could have refuted it." */
static void write_trials(const struct learn_result *r, const struct rule *rule, struct text *t)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct learned *k = &r->learned[i];
        if (!k->change.is_rule || k->change.rule.point != rule->point ||
            !expression_equal(&k->change.rule.guard, &rule->guard) ||
            !expression_equal(&k->change.rule.result, &rule->result))
            continue;
        text_add(t, "# %" PRIu32 " experiment%s could have refuted it, and none did.\n", k->experiments,
                 plural(k->experiments));
        if (k->stands)
            text_add(t, "# A case refutes it, but none of %u new cases did.\n", LEARN_STANDING_CASES);
    }
}

static void write_profile(const struct learn_options *o, const struct learn_result *r, const char *base,
                          struct text *t)
{
    char day[32] = "", about[512];
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts))
        (void)strftime(day, sizeof day, "%Y-%m-%d", &parts);
    text_copy_utf8(about, sizeof about, o->board->identity.spec, strlen(o->board->identity.spec));
    text_add(t, "# %s on %s, learned by `misprint learn` on %s, on top of profile %s.\n", o->unit->name,
             about, day, base);
    for (unsigned i = 0; i < unit_clauses(o->unit); i++)
        if (r->profile.reading[i]) {
            const struct clause *c = unit_clause(o->unit, i);
            text_add(t, "%s = %s\n", c->id, c->readings[r->profile.reading[i]].id);
        }
    for (uint32_t i = 0; i < r->profile.rules.count; i++) {
        const struct rule rule = rules_get(&r->profile.rules, i);
        text_add(t, "# ");
        learn_describe_change(o->unit, &(struct learn_change){.is_rule = true, .rule = rule}, t);
        text_add(t, "\n");
        write_trials(r, &rule, t);
        rule_print(o->unit, &rule, t);
        text_add(t, "\n");
    }
}

/* Writes the reports that the options ask for. Returns `status`, unless a report cannot be written. */
static int write_reports(const struct learning *g, int status)
{
    const struct learn_options *o = &g->options;
    const struct learn_result *r = &g->result;
    struct run_facts run = {.command = "learn",
                            .board = o->board->identity,
                            .seed = o->seed,
                            .seconds = r->seconds,
                            .engine = "builtin",
                            .interrupted = r->end == LEARN_STOPPED,
                            .tally = r->tally,
                            .coverage = r->coverage};
    struct report report = {.loose = true, .title = o->unit->name, .run = &run, .runs = 1};
    (void)snprintf(run.unit, sizeof run.unit, "%s", o->unit->name);
    run.tally.attributed = run.tally.different;
    (void)snprintf(run.profile, sizeof run.profile, "%s", g->profile);
    machine_describe(run.machine, sizeof run.machine);
    report.finding = learn_findings(o, g->profile, r, &report.findings);
    int written = report_write(g->place, &report, STATUS_EQUAL); /* also of a run that was cut short */
    for (unsigned i = 0; i < report.findings; i++)
        finding_free_contents(&report.finding[i]);
    free(report.finding);
    return written == STATUS_EQUAL ? status : written;
}

static int finish(const struct arguments *a, const struct learning *g)
{
    const struct learn_options *o = &g->options;
    const struct learn_result *r = &g->result;
    struct text t = {0}, profile = {0};
    struct error e = {0};
    const char *output = a->option[OPTION_OUTPUT];
    int status = r->end == LEARN_AGREES && !r->set_aside ? STATUS_EQUAL
                 : r->end == LEARN_STOPPED               ? STATUS_BROKEN
                                                         : STATUS_DIFFERENT;
    print_result_text(o, r, &t);
    status = print_result(a, &t, learn_json(o, g->profile, r), status);
    if (status <= STATUS_BROKEN)
        status = write_reports(g, status);
    if (!output)
        return status;
    write_profile(o, r, argument_profile(a), &profile);
    /* Asked again, because somebody may have written the file since. */
    if (learn_file_may_replace(&g->file, output, &e) && learn_file_note_profile(&g->file, &profile, &e))
        status = write_text(output, &profile, status);
    else
        status = fail(STATUS_USAGE, &e);
    text_free(&profile);
    return status;
}

static bool read_options(const struct arguments *a, struct learning *g, struct error *e)
{
    struct learn_options *o = &g->options;
    o->unit = unit_find(a->word[0], e);
    if (!o->unit || !profile_load(o->unit, argument_profile(a), &g->base, e) ||
        !profile_spec(o->unit, argument_profile(a), g->profile, sizeof g->profile, e) ||
        !argument_number(a, OPTION_SEED, 1, &o->seed, e) ||
        !argument_count(a, OPTION_CASES, &o->max_cases, e) ||
        !argument_seconds(a, OPTION_TIME, &o->max_seconds, e) || !report_places_named(a, g->place, e))
        return false;
    if (!a->option[OPTION_BOARD])
        return error_set(e, "name the board to learn: --board B (`misprint boards` lists the kinds)");
    if (o->max_seconds <= 0 && !o->max_cases)
        o->max_seconds = TIME_USUAL;
    o->base = &g->base;
    o->fresh = LEARN_FRESH_USUAL;
    o->stopped = is_interrupted;
    o->say = a->option[OPTION_QUIET] ? NULL : say;
    o->board = session_board(a, a->option[OPTION_BOARD], o->unit, &g->base, e);
    return o->board;
}

/* Opens the campaign, if there is one, and reads what an earlier run left in it. */
static bool open_campaign(const struct arguments *a, struct learning *g, struct error *e)
{
    struct learn_options *o = &g->options;
    uint64_t seed = 0;
    if (!a->option[OPTION_CAMPAIGN])
        return true;
    g->file.options = o;
    g->file.profile = g->profile;
    o->save = save;
    o->context = g;
    if (!learn_file_open(&g->file, a->option[OPTION_CAMPAIGN], e))
        return false;
    int earlier = learn_file_read(&g->file, &g->result, &seed, e);
    o->resumed = earlier > 0;
    if (o->resumed && !a->option[OPTION_SEED])
        o->seed = seed;
    if (o->resumed && o->seed != seed) /* a new seed asks for as many fresh cases again */
        g->result.agreed = 0;
    return earlier >= 0;
}

/* Learns, unless an earlier run of the campaign has ended. False with an error if the board failed or gave no
 * outcome at all. */
static bool run_options(struct learning *g, struct error *e)
{
    struct learn_options *o = &g->options;
    if (o->resumed && g->result.agreed >= o->fresh) {
        if (o->say)
            fprintf(stderr,
                    "misprint: %s: this run has ended; another --seed continues it with other cases\n",
                    g->file.path);
        return true;
    }
    if (!learn(o, &g->result, e))
        return false;
    const struct learn_result *r = &g->result;
    if (!r->cases && r->end != LEARN_STOPPED)
        return error_set(e, "nothing was compared: the time was over before the board answered");
    return !r->cases || r->refused < r->cases ||
           error_set(e, "nothing was compared: the board gave no outcome for any of %" PRIu64 " case%s%s%s",
                     r->cases, plural(r->cases), r->reason[0] ? "; the last reason: " : "", r->reason);
}

static int run_learn(const struct arguments *a)
{
    struct error e = {0};
    struct learning *g = memory_new(1, sizeof *g);
    int status = STATUS_USAGE;
    g->file.folder = -1;
    catch_interrupts();
    const char *output = a->option[OPTION_OUTPUT];
    if (read_options(a, g, &e) && open_campaign(a, g, &e) &&
        (!output || learn_file_may_replace(&g->file, output, &e))) {
        bool good = run_options(g, &e);
        status = finish(a, g);
        if (!good)
            status = fail(STATUS_BROKEN, &e);
    } else {
        status = fail(STATUS_USAGE, &e);
    }
    learn_free(&g->result);
    learn_file_close(&g->file);
    board_close(g->options.board);
    free(g);
    return status;
}

const struct command command_learn = {
    .name = "learn",
    .synopsis = "UNIT",
    .about = "find the profile of an unknown board: readings and rules",
    .examples = "  misprint learn vc4-vpm --board 'exec:ssh pi ./board' -o mine.profile\n"
                "  misprint learn vc4-vpm --board 'exec:ssh pi ./board' --campaign pi --time 1h",
    .details =
        "Runs generated cases on a board and on the model. Reduces a case that differs, and looks for "
        "the one change under which the model does what the board did: another reading of a clause, "
        "or a rule at an observation point (`misprint points UNIT`, docs/rules.md). Cases on which "
        "the candidates disagree are put to the board until those that are left cannot be told apart. "
        "The smallest is learned, and the search goes on with it, until 100,000 fresh cases in a row "
        "agree, or --time or --cases ends. Without these the limit is five minutes.\n\n"
        "The profile is the manual, unless --profile names another one. An emulator should do what silicon "
        "does: compare it with the unit's best-known silicon, as `check-board` and the kits of "
        "`new-board` do (--profile bcm2835 for VideoCore IV).\n\n"
        "With --campaign the result is kept in DIR/learn.json. A run that was interrupted or killed, "
        "or whose time or cases ran out, continues when the command is repeated: with all that was "
        "learned, and with other random cases. --time and --cases limit one run; the numbers in the "
        "result are of all runs.\n\n"
        "-o writes the profile for --profile. It replaces a file only if the same --campaign wrote what "
        "is in it, never a profile that you edited. --html and --md write a report. Exit status: 0 "
        "fresh cases agree; 1 something stays unexplained, or the time or the cases ran out before enough "
        "fresh cases agreed; 3 the board failed, or Ctrl-C ended the run. A rule is what passed the "
        "experiments, not a proof: its alternatives are printed.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_CAMPAIGN, OPTION_OUTPUT,
                OPTION_HTML, OPTION_MD, OPTION_CASES, OPTION_TIME, OPTION_SEED, OPTION_QUIET, OPTION_JSON,
                OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_learn,
};
