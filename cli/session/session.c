/* SPDX-License-Identifier: MIT */
#include "cli/session/session.h"
#include "cli/session/attribution.h"
#include "cli/session/state.h"
#include "cli/session/summary.h"
#include "harness/system/machine.h"
#include "model/core/memory.h"
#include "oracle/describe/escape.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool session_open(struct session *s, const char *command, const struct arguments *a, struct error *e)
{
    *s = (struct session){.arguments = a, .command = command};
    s->profile_name = argument_profile(a);
    display_open(&s->display, command, s->profile_name, wants_progress(a), a->option[OPTION_QUIET] != NULL);
    catch_interrupts();
    const char *junit = a->option[OPTION_JUNIT];
    if (junit && !strcmp(junit, "-") && a->option[OPTION_JSON])
        return error_set(e,
                         "--json and --junit - both write to standard output; name a file for one of them");
    return argument_changes(a, &s->max_changes, e) && (!junit || file_check(junit, e));
}

bool session_open_store(struct session *s, struct error *e)
{
    const char *campaign = s->arguments->option[OPTION_CAMPAIGN];
    if (campaign) {
        s->store = store_open(campaign, true, e);
        (void)snprintf(s->folder, sizeof s->folder, "%s", campaign);
    } else if (s->keep && state_make_campaign(s->keep->name, s->folder, sizeof s->folder, &s->not_kept)) {
        s->store = store_open(s->folder, true, &s->not_kept);
    }
    s->report.title = s->store ? s->folder : s->command;
    s->report.loose = !s->store;
    if (!s->store)
        s->folder[0] = 0;
    return s->store || !campaign;
}

void session_abandon(struct session *s)
{
    store_close(s->store);
    text_free(&s->not_reached);
}

void session_fail(struct session *s, const struct error *e)
{
    *(fail(STATUS_USAGE, e) == STATUS_BROKEN ? &s->broken : &s->unusable) = true;
}

void session_not_reached(struct session *s, const char *path)
{
    enum { NAMED = 5 };
    if (s->inputs_not_reached++ < NAMED)
        text_add(&s->not_reached, "%s%s", s->inputs_not_reached > 1 ? ", " : "", path);
    else if (s->inputs_not_reached == NAMED + 1)
        text_add(&s->not_reached, ", ...");
}

/* Moves a run's findings into the session. Merges findings with the same id into one. */
static void merge_findings(struct session *s, struct campaign_result *r)
{
    for (unsigned i = 0; i < r->findings; i++) {
        unsigned at = 0;
        while (at < s->report.findings && strcmp(s->report.finding[at].id, r->finding[i].id) != 0)
            at++;
        if (at < s->report.findings) {
            s->report.finding[at].cases += r->finding[i].cases;
            continue;
        }
        s->report.finding = memory_grow(s->report.finding, s->report.findings + 1, sizeof *s->report.finding);
        s->report.finding[s->report.findings++] = r->finding[i];
        r->finding[i].smallest = NULL; /* now owned by the session */
        r->finding[i].board_outcome = NULL;
        memset(r->finding[i].related, 0, sizeof r->finding[i].related);
    }
}

static void add_run(struct session *s, const struct run_facts *f)
{
    s->report.run = memory_grow(s->report.run, s->report.runs + 1, sizeof *s->report.run);
    s->report.run[s->report.runs++] = *f;
    tally_merge(&s->tally, &f->tally);
}

static void merge_reasons(struct session *s, const struct campaign_result *r)
{
    for (unsigned i = 0; i < r->reasons; i++) {
        unsigned at = 0;
        while (at < s->report.reasons && strcmp(s->report.reason[at].reason, r->reason[i].reason) != 0)
            at++;
        if (at == s->report.reasons) {
            s->report.reason = memory_grow(s->report.reason, at + 1, sizeof *s->report.reason);
            s->report.reason[s->report.reasons++] = r->reason[i];
        } else {
            s->report.reason[at].cases += r->reason[i].cases;
        }
    }
}

/*
 * Makes each job wait until all jobs have read what earlier runs left in the campaign. Otherwise one job
 * could read what another has just written, and the result would depend on their speed.
 */
struct session_start {
    pthread_mutex_t lock;
    pthread_cond_t all;
    unsigned expected, begun;
};

static void wait_for_all(void *context)
{
    struct session_start *s = context;
    pthread_mutex_lock(&s->lock);
    s->begun++;
    pthread_cond_broadcast(&s->all);
    while (s->begun < s->expected)
        pthread_cond_wait(&s->all, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* Removes a job whose thread could not be created, so that the other jobs do not wait for it. */
static void expect_fewer(struct session_start *s)
{
    pthread_mutex_lock(&s->lock);
    s->expected--;
    pthread_cond_broadcast(&s->all);
    pthread_mutex_unlock(&s->lock);
}

bool session_ready(struct session *s, struct session_job *j, struct error *e)
{
    j->facts =
        (struct run_facts){.seed = j->seed, .board = j->board ? j->board->identity : *j->source.identity};
    snprintf(j->facts.command, sizeof j->facts.command, "%s", s->command);
    snprintf(j->facts.unit, sizeof j->facts.unit, "%s", j->unit->name);
    snprintf(j->facts.engine, sizeof j->facts.engine, "%s", j->engine ? j->engine : "");
    machine_describe(j->facts.machine, sizeof j->facts.machine);
    return profile_spec(j->unit, s->profile_name, j->facts.profile, sizeof j->facts.profile, e) &&
           profile_load(j->unit, s->profile_name, &j->profile, e);
}

bool session_take_seed(struct session *s, struct session_job *j, struct error *e)
{
    struct run_facts begun = j->facts;
    begun.seed = j->seed;
    begun.interrupted = begun.unreconciled = true; /* true until the run ends, as in campaign_store_begin */
    if (s->store) {
        bool good = store_begin(s->store, e);
        if (!good)
            return false;
        good = store_next_seed(s->store, j->unit, j->seed, &begun.seed, e) &&
               (j->run = store_begin_run(s->store, &begun, e)) != 0;
        if (!store_end(s->store, good, e))
            return false;
    }
    j->facts.seed = j->seed = begun.seed;
    return true;
}

static bool job_prepare(struct session *s, struct session_job *j, unsigned job, unsigned jobs)
{
    bool first = job == 0;
    j->session = s;
    j->store = s->store;
    if (!j->facts.unit[0] && !session_ready(s, j, &j->error))
        return false;
    if (s->store && !first && !(j->store = store_open(s->report.title, false, &j->error)))
        return false;
    if (first) {
        s->display.board = j->facts.board.spec;
        s->display.max_seconds = j->max_seconds;
    }
    s->display.max_cases += j->max_cases;
    struct display_of_job *view = display_job(&s->display, first);
    j->options = (struct campaign_options){
        .unit = j->unit,
        .profile = &j->profile,
        .profile_name = j->facts.profile,
        .board = j->board,
        .store = j->store,
        .run = j->run,
        .seed = j->seed,
        .max_cases = j->max_cases,
        .max_seconds = j->max_seconds,
        .search_seconds = j->search_seconds,
        .max_changes = s->max_changes,
        .exact = !j->engine,
        .job = job,
        .jobs = jobs,
        .resume = j->engine != NULL,
        .learn = j->engine != NULL,
        .reduce = !s->arguments->option[OPTION_NO_REDUCE],
        .show = display_show,
        .show_context = view,
        .tell = display_message,
        .tell_context = view,
        .quiet = s->display.quiet,
        .stop = &interrupted,
        .begun = wait_for_all,
        .begun_context = j->start,
    };
    return true;
}

/* After a failure, keeps only the findings that the store has, each with the cases that it counts there. */
static void count_stored(struct session *s)
{
    unsigned kept = 0, all = s->report.findings;
    for (unsigned i = 0; i < all; i++) {
        struct finding *f = &s->report.finding[i];
        int64_t cases = store_finding_cases(s->store, f->id);
        if (cases < 0) {
            finding_free_contents(f);
            continue;
        }
        f->cases = (uint64_t)cases;
        s->report.finding[kept++] = *f;
    }
    s->report.findings = kept;
    if (kept < all)
        fprintf(stderr, "misprint: %u finding%s could not be stored and %s not listed below\n", all - kept,
                plural(all - kept), all - kept == 1 ? "is" : "are");
}

static void *job_run(void *context)
{
    struct session_job *j = context;
    j->good = campaign_run(&j->options, &j->source, &j->facts, &j->result, &j->error);
    return NULL;
}

static void job_finish(struct session *s, struct session_job *j)
{
    if (!j->good)
        session_fail(s, &j->error);
    if (j->options.unit) { /* session_ready succeeded */
        j->facts.tally = j->result.tally;
        j->facts.coverage = j->result.coverage;
        j->facts.seconds = j->result.seconds;
        j->facts.interrupted = j->result.interrupted;
        add_run(s, &j->facts);
        merge_findings(s, &j->result);
        s->report.dropped += j->result.dropped;
        s->report.restarts += j->board ? j->board->restarts : 0;
        merge_reasons(s, &j->result);
        campaign_free(&j->result);
    }
    if (j->store != s->store)
        store_close(j->store);
}

/* Attributes over the joint evidence of all jobs, because all jobs make the same comparison. */
static void settle_jobs(struct session *s, struct session_job *jobs, unsigned count)
{
    struct campaign_result *result[SESSION_JOBS_MAX];
    struct session_job *ran = NULL;
    unsigned runs = 0, findings = 0;
    for (unsigned i = 0; i < count; i++)
        if (jobs[i].result.evidence) {
            ran = ran ? ran : &jobs[i];
            result[runs++] = &jobs[i].result;
            findings += jobs[i].result.findings;
        }
    if (!findings)
        return;
    struct attribution *all = memory_new(1, sizeof *all);
    struct error e = {0};
    *all = ran->result.attribution;
    if (runs > 1 && !campaigns_settle(&ran->options, result, runs, all, &e)) {
        fail(STATUS_BROKEN, &e);
        s->broken = true;
    }
    attribution_print(ran->unit, all, &s->attributions);
    free(all);
}

void session_run(struct session *s, struct session_job *jobs, unsigned count)
{
    pthread_t thread[SESSION_JOBS_MAX];
    bool started[SESSION_JOBS_MAX] = {false};
    struct session_start start = {.lock = PTHREAD_MUTEX_INITIALIZER, .all = PTHREAD_COND_INITIALIZER};
    for (unsigned i = 0; i < count; i++) {
        jobs[i].start = &start;
        jobs[i].good = job_prepare(s, &jobs[i], i, count);
        start.expected += jobs[i].good;
    }
    for (unsigned i = 1; i < count; i++) {
        started[i] = jobs[i].good && pthread_create(&thread[i], NULL, job_run, &jobs[i]) == 0;
        if (jobs[i].good && !started[i])
            expect_fewer(&start);
    }
    for (unsigned i = 0; i < count; i++) {
        if (started[i])
            pthread_join(thread[i], NULL);
        else if (jobs[i].good)
            job_run(&jobs[i]); /* this job runs in the session's own thread */
    }
    settle_jobs(s, jobs, count);
    for (unsigned i = 0; i < count; i++)
        job_finish(s, &jobs[i]);
    if (s->store && s->broken)
        count_stored(s);
}

void session_note_engines(struct session *s, const struct engines *engines, const char *unit)
{
    struct engines_view v = engines_look(engines);
    struct error e = {.of_machine = true};
    s->report.engine_cases = v.cases;
    if (!v.defects)
        return;
    error_set(&e,
              "the model itself fails on %u input%s of the engine (a crash, a hang, or a difference that no "
              "clause can explain), first %s; `misprint replay %s --unit %s` shows it",
              v.defects, plural(v.defects), v.defect, v.defect, unit);
    session_fail(s, &e);
}

static bool was_interrupted(const struct session *s)
{
    for (unsigned i = 0; i < s->report.runs; i++)
        if (s->report.run[i].interrupted)
            return true;
    return s->inputs_not_reached > 0;
}

static void print_interrupted(const struct session *s)
{
    struct error e = {0};
    error_set(&e, "interrupted after %" PRIu64 " cases%s%s", s->tally.cases,
              s->inputs_not_reached ? "; not reached: " : ", before the end", text_chars(&s->not_reached));
    fail(STATUS_BROKEN, &e);
}

/* Says where the campaign is that the user did not name. */
static void print_place(const struct session *s)
{
    struct text t = {0};
    state_add_path(&t, s->folder);
    fprintf(stderr, "misprint: kept in %s\n", text_chars(&t));
    text_free(&t);
}

static int session_status(const struct session *s)
{
    if (s->broken)
        return STATUS_BROKEN;
    if (s->unusable)
        return STATUS_USAGE;
    if (s->model_failed)
        return STATUS_DIFFERENT;
    struct error e = {.text = "nothing was compared: no case had an outcome with a defined bit or an end "
                              "other than \"done\" (see the counts above)"};
    if (s->tally.cases && !s->tally.answers[ANSWER_OUTCOME])
        error_set(&e,
                  "nothing was compared: the board gave no outcome for any of %" PRIu64
                  " case%s; see above why",
                  s->tally.cases, plural(s->tally.cases));
    if (tally_compared_nothing(&s->tally) && !interrupted)
        return fail(STATUS_BROKEN, &e);
    if (s->tally.unattributed || s->tally.unfiled)
        return STATUS_DIFFERENT;
    for (unsigned i = 0; i < s->report.findings; i++)
        if (verdict_is_discrepancy(s->report.finding[i].verdict))
            return STATUS_DIFFERENT;
    bool board_failed = s->tally.answers[ANSWER_NOTHING] > 0;
    return was_interrupted(s) || board_failed ? STATUS_BROKEN : STATUS_EQUAL;
}

/* Writes the command that goes on with what was done, on new cases. */
static void add_again(const struct session *s, struct text *t)
{
    static const enum option_id kept[] = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_ENGINE,
                                          OPTION_JOBS,  OPTION_TIME,     OPTION_CASES};
    const struct arguments *a = s->arguments;
    text_add(t, "misprint %s", s->command);
    for (int i = 0; i < a->words; i++) {
        text_add(t, " ");
        escape_shell(t, a->word[i]);
    }
    if (strcmp(argument_profile(a), "manual") != 0) {
        text_add(t, " %s ", option_name(OPTION_PROFILE));
        escape_shell(t, argument_profile(a));
    }
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        if (a->option[kept[i]]) {
            text_add(t, " %s ", option_name(kept[i]));
            escape_shell(t, a->option[kept[i]]);
        }
    if (s->store) {
        text_add(t, " %s ", option_name(OPTION_CAMPAIGN));
        state_add_path(t, s->folder);
    } else if (s->report.runs) {
        text_add(t, " %s %" PRIu64, option_name(OPTION_SEED), s->report.run[s->report.runs - 1].seed + 1);
    }
}

/* Without a terminal nothing is cut. */
static unsigned terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return UINT_MAX;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

static void print_summary(const struct session *s, struct text *t)
{
    struct text again = {0}, not_kept = {0};
    add_again(s, &again);
    text_add(&not_kept, "not kept%s%s; --campaign DIR keeps the findings", s->not_kept.text[0] ? ": " : "",
             s->not_kept.text);
    struct summary all = {
        .command = s->command,
        .comparison = s->comparison,
        .report = &s->report,
        .attributions = text_chars(&s->attributions),
        .displayed = s->display.findings,
        .folder = s->store ? s->folder : NULL,
        .not_kept = text_chars(&not_kept),
        .again = text_chars(&again),
        .failed = s->broken || s->unusable,
        .stats = s->arguments->option[OPTION_STATS] != NULL,
        .width = terminal_width(),
        .colours = s->display.colours && isatty(STDOUT_FILENO),
    };
    summary_print(&all, t);
    text_free(&again);
    text_free(&not_kept);
}

static int most_first(const void *a, const void *b)
{
    const struct dropped_reason *x = a, *y = b;
    return x->cases != y->cases ? (x->cases < y->cases) - (x->cases > y->cases)
                                : strcmp(x->reason, y->reason);
}

/* A difference that no known reading explains needs a person most; then one that only a learned rule does. */
static int unexplained_first(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int order = (y->verdict == VERDICT_UNEXPLAINED) - (x->verdict == VERDICT_UNEXPLAINED);
    if (!order && x->verdict == y->verdict)
        order = (y->learned.rules[0] != 0) - (x->learned.rules[0] != 0);
    return order ? order : finding_order(a, b);
}

int session_close(struct session *s)
{
    const struct arguments *a = s->arguments;
    struct text t = {0};
    if (s->report.findings)
        qsort(s->report.finding, s->report.findings, sizeof *s->report.finding, unexplained_first);
    if (s->report.reasons)
        qsort(s->report.reason, s->report.reasons, sizeof *s->report.reason, most_first);
    const char *junit = a->option[OPTION_JUNIT];
    if (a->option[OPTION_JSON])
        report_json(&s->report, &t);
    else if (s->report.runs && !(junit && !strcmp(junit, "-")))
        print_summary(s, &t);
    int written = t.length ? print_text(&t, STATUS_EQUAL) : STATUS_EQUAL;
    if (junit) {
        report_junit(&s->report, &t);
        written = write_text(junit, &t, written);
    }
    if (was_interrupted(s) && !output_closed)
        print_interrupted(s);
    if (a->option[OPTION_JSON] && s->store && !a->option[OPTION_CAMPAIGN] && !a->option[OPTION_QUIET])
        print_place(s);
    int status = session_status(s);
    for (unsigned i = 0; i < s->report.findings; i++)
        finding_free_contents(&s->report.finding[i]);
    free(s->report.finding);
    free(s->report.run);
    free(s->report.reason);
    text_free(&s->not_reached);
    text_free(&s->attributions);
    store_close(s->store);
    text_free(&t);
    return written != STATUS_EQUAL ? written : status;
}
