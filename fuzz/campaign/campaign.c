/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/campaign.h"

#include "fuzz/campaign/campaign_store.h"
#include "fuzz/campaign/case_queue.h"
#include "fuzz/campaign/triage.h"
#include "harness/system/clock.h"
#include "oracle/attribution/attribute.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEARCH_BUDGET = 20000000,
    /* A run that is not exact keeps the first EVIDENCE_FIRST cases as evidence, so that short campaigns have
     * some. Then it keeps one case in EVIDENCE_EVERY. At EVIDENCE_EVERY * EVIDENCE_TURNS cases, and whenever
     * that number has doubled, it halves this share. */
    EVIDENCE_FIRST = 1024,
    EVIDENCE_EVERY = 64,
    EVIDENCE_TURNS = 1024,
    REATTRIBUTE_FIRST = 1 << 19, /* cases before the first attribution; 4 times as many before the next */
    REDUCE_LAST = 1,   /* seconds for the last reductions, after the clock or the user ended the campaign */
    TAKE_LAST = 1,     /* seconds to compare what the board answered before the clock stopped it */
    SEARCH_LAST = 120, /* seconds for the search after the last case, without a limit of time (campaign.h) */
};

struct campaign {
    const struct campaign_options *o;
    struct case_source *source;
    struct campaign_result *result;
    struct profile profile; /* the profile under test, with the rules that were learned */
    struct learning learning;
    struct triage triage;
    struct run_cache *run_cache;
    struct outcome *model, *board; /* scratch: the model's outcome, the board's outcome of a kept case */
    struct case_queue batches;
    struct campaign_store store;
    /* The board's clock and temperature that were last logged. */
    char state[sizeof((struct board_identity *)0)->state];
    uint64_t reattribute_at; /* number of cases at which the campaign attributes next */
    bool unfinished;         /* the run stopped before it compared all cases of the source */
    bool finishing;          /* the source has no more cases */
    bool cut;                /* the board was stopped (board.h), so the campaign ends without it */
    double start, now, shown, saved, found_at;
    unsigned found; /* number of findings at the time found_at */
};

static bool asked_to_stop(const struct campaign *c)
{
    return c->o->stop && *c->o->stop;
}

static bool ending(void *context)
{
    struct campaign *c = context;
    bool limited = c->o->max_seconds > 0;
    /* Without a time limit, the last reductions run to their end, so that equal runs have equal findings. */
    if (c->finishing)
        return (asked_to_stop(c) || limited) && clock_seconds() - c->now >= REDUCE_LAST;
    return asked_to_stop(c) || (limited && clock_seconds() - c->start >= c->o->max_seconds);
}

/* ---- store and log ---- */

static bool finding_opened(void *context, struct finding *f, struct error *e)
{
    return campaign_store_opened(&((struct campaign *)context)->store, f, e);
}

static bool finding_moved(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct campaign *c = context;
    if (c->source->watch)
        c->source->watch->moved(c->source->watch->context, from, to, last);
    return campaign_store_moved(&c->store, from, to, last);
}

static void case_filed(void *context, const struct finding *f)
{
    const struct campaign *c = context;
    if (c->source->watch)
        c->source->watch->filed(c->source->watch->context, c->result->tally.cases - 1, f);
}

/* Marks all cases as stored. Called after findings moved, because the store has moved their cases, too. */
static void note_stored(struct campaign *c)
{
    for (unsigned i = 0; i < findings_count(c->triage.findings); i++) {
        struct finding *f = findings_at(c->triage.findings, i);
        f->stored = f->cases;
    }
}

/* Logs the board's clock and temperature if they changed. */
static bool log_state(struct campaign *c, struct error *e)
{
    const char *state = c->o->board ? c->o->board->identity.state : "";
    struct text t = {0};
    if (!c->o->store || !strcmp(state, c->state))
        return true;
    (void)snprintf(c->state, sizeof c->state, "%s", state);
    text_add(&t, "board: %s, after %" PRIu64 " case%s", state, c->result->tally.cases,
             plural(c->result->tally.cases));
    bool good = store_log(c->o->store, text_chars(&t), e);
    text_free(&t);
    return good;
}

/* Passes on a message of the board. Ignores a failure of the log, because the next save reports it. */
static void on_board_message(void *context, const char *line)
{
    const struct campaign *c = context;
    struct error ignored;
    if (c->o->store)
        (void)store_log(c->o->store, line, &ignored);
    if (c->o->tell)
        c->o->tell(c->o->tell_context, line);
}

static bool save(struct campaign *c, struct error *e)
{
    return log_state(c, e) && campaign_store_save(&c->store, c->now - c->start, e);
}

static bool drop_case(struct campaign *c, const struct slot *s, struct error *e)
{
    char why[sizeof c->result->reason[0].reason]; /* "refused: memory of others" */
    (void)snprintf(why, sizeof why, "%s%s%.230s", answer_name(s->answer), s->reason[0] ? ": " : "",
                   s->reason);
    unsigned at = campaign_reason(c->result, why);
    c->result->dropped++;
    c->result->reason[at].cases++;
    return campaign_store_dropped(&c->store, &s->tc, s->label, why, at, e);
}

/* ---- attribution over all evidence ---- */

/*
 * Adds the findings' own cases to the evidence, as cases that it never drops. Each attribution adds them
 * again, because triage may have reduced the cases in the meantime.
 */
static void keep_findings(struct campaign *c)
{
    struct error ignored; /* a finding whose outcome cannot be read is no evidence */
    for (unsigned i = 0; i < findings_count(c->triage.findings); i++) {
        const struct finding *f = findings_at(c->triage.findings, i);
        if (outcome_decode(c->board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
            evidence_set_add_uncounted(c->result->evidence, f->smallest, c->board);
    }
}

/* Attributes over all evidence, and reconciles the findings with the result. */
static void reattribute(struct campaign *c)
{
    struct attribution *a = &c->result->attribution;
    struct attribution_limits limits = campaign_limits(c->o);
    uint64_t cases = c->result->tally.cases, compared = c->result->tally.compared;
    limits.run_cache = c->run_cache;
    c->reattribute_at = cases < REATTRIBUTE_FIRST / 4 ? REATTRIBUTE_FIRST : 4 * cases;
    if (!findings_count(c->triage.findings)) {
        *a = (struct attribution){.profile = c->profile, .cases = compared, .exact = true};
        return;
    }
    keep_findings(c);
    attribute(c->triage.executor, c->result->evidence, &c->profile, &limits, a);
    findings_reconcile(c->triage.findings, c->triage.executor, a, compared, finding_moved, c);
}

/* Empties the run cache, because its runs were with other rules, and says what changed. */
static bool rules_changed(struct campaign *c, const char *line, struct error *e)
{
    run_cache_free(c->run_cache);
    c->run_cache = run_cache_new();
    note_stored(c);
    if (c->o->tell && !c->o->quiet)
        c->o->tell(c->o->tell_context, line);
    return campaign_store_is_well(&c->store, e);
}

/* Adds learned rules to the profile under test. */
static bool rules_learned(void *context, const struct finding_learned *by, struct error *e)
{
    struct campaign *c = context;
    char line[LEARNED_RULES_TEXT + 16];
    if (!save(c, e) /* see reattribute_and_save */ || !learned_apply(c->o->unit, by, &c->profile, e))
        return false;
    findings_learn(c->triage.findings, c->triage.executor, &c->profile, by, finding_moved, c);
    (void)snprintf(line, sizeof line, "learned: %s", by->rules);
    return rules_changed(c, line, e);
}

/* Removes the rules of a finding, which a case refutes, from the profile under test. */
static bool rules_withdrawn(void *context, struct finding *f, const struct test_case *tc,
                            const struct outcome *board, const char *label, struct error *e)
{
    struct campaign *c = context;
    struct profile rest = *c->o->profile;
    char line[LEARNED_RULES_TEXT + sizeof f->label + 32];
    bool good = save(c, e); /* see reattribute_and_save */
    for (unsigned i = 0; good && i < findings_count(c->triage.findings); i++) {
        const struct finding *other = findings_at(c->triage.findings, i);
        good = other == f || learned_apply(c->o->unit, &other->learned, &rest, e);
    }
    if (!good)
        return false;
    c->profile = rest;
    findings_withdraw(c->triage.findings, c->triage.executor, &rest, f, tc, board, label, finding_moved, c);
    (void)snprintf(line, sizeof line, "withdrawn: %s (%s refutes it)", f->learned.rules, label);
    return campaign_store_opened(&c->store, f, e) && rules_changed(c, line, e);
}

static bool reattribute_and_save(void *context, struct error *e)
{
    struct campaign *c = context;
    if (!save(c, e)) /* first save, because the store can only move findings and cases that it has */
        return false;
    reattribute(c);
    note_stored(c);
    return campaign_store_is_well(&c->store, e);
}

/* Attributes now and then during a long campaign, so that a user who watches it sees reconciled findings. */
static bool reattribute_now_and_then(struct campaign *c, struct error *e)
{
    return c->triage.exact || c->result->tally.cases < c->reattribute_at || reattribute_and_save(c, e);
}

/* ---- progress ---- */

static void show(struct campaign *c, bool ended)
{
    struct campaign_view v = {.unit = c->o->unit,
                              .seconds = c->now - c->start,
                              .tally = &c->result->tally,
                              .coverage = &c->result->coverage,
                              .findings = findings_count(c->triage.findings),
                              .searching = c->learning.searching,
                              .to_search = c->learning.to_search,
                              .ended = ended};
    if (v.findings != c->found) {
        c->found = v.findings;
        c->found_at = c->now;
    }
    v.since_new = c->now - c->found_at;
    for (unsigned i = 0; i < v.findings; i++)
        v.verdicts[findings_at(c->triage.findings, i)->verdict]++;
    if (c->o->show)
        c->o->show(c->o->show_context, &v);
}

static void show_twice_a_second(struct campaign *c)
{
    c->now = clock_seconds();
    if (c->now - c->shown < 0.5)
        return;
    c->shown = c->now;
    show(c, false);
}

/* Must a search for causes end? Shows progress, too, because a search may take long. */
static bool search_ending(void *context)
{
    struct campaign *c = context;
    if (!c->cut) /* take_batch counts from c->now */
        show_twice_a_second(c);
    return ending(c) || (c->learning.until > 0 && clock_seconds() >= c->learning.until);
}

/* Shows progress, and saves once a second. */
static bool tick(struct campaign *c, struct error *e)
{
    show_twice_a_second(c);
    if (c->now - c->saved < 1)
        return true;
    c->saved = c->now;
    return save(c, e);
}

/* ---- the loop ---- */

static void keep_evidence(struct campaign *c, const struct slot *s)
{
    uint64_t cases = c->result->tally.cases, every = EVIDENCE_EVERY;
    while (cases / every >= EVIDENCE_TURNS)
        every *= 2;
    if (c->triage.exact || cases < EVIDENCE_FIRST || cases % every == 0)
        evidence_set_add(c->result->evidence, &s->tc, s->board, false);
}

static void count_coverage(struct campaign *c, const struct slot *s)
{
    unsigned pairs = coverage_merge(&c->result->coverage, &c->triage.executor->last);
    if (!pairs)
        return;
    if (c->source->fresh)
        c->source->fresh(c->source->context, &s->tc, pairs);
    campaign_store_fresh(&c->store, &s->tc, s->board, s->label, pairs);
}

/*
 * Compares the board's outcome with the model's under the profile under test. Runs the model in plain mode
 * first, because this is fast. If any bit differs, runs it in checked mode and compares under the mask of
 * defined bits. MATCH_UNDEFINED: only undefined bits differ.
 */
static enum match match_profile(struct campaign *c, const struct slot *s, struct differences *d)
{
    struct executor *x = c->triage.executor;
    struct tally t = {0};
    enum match match = MATCH_EQUAL;
    executor_run(x, &s->tc, &c->profile, RUN_PLAIN, c->model);
    count_coverage(c, s);
    if (!outcomes_equal(c->model, s->board, &t, NULL)) {
        t = (struct tally){0};
        match = model_match(x, &s->tc, &c->profile, s->board, c->model, &t, d);
        match = match == MATCH_DIFFERENT ? MATCH_DIFFERENT : MATCH_UNDEFINED;
        t.undefined_only += match == MATCH_UNDEFINED;
    }
    tally_merge(&c->result->tally, &t);
    return match;
}

static void note_first_difference(struct campaign *c)
{
    if (c->result->first_case)
        return;
    c->result->first_case = c->result->tally.cases;
    c->result->first_seconds = clock_seconds() - c->start;
}

/*
 * Handles one case that the board has answered, as the first comment of campaign.h describes. The board does
 * not run known cases again, because a remote board takes as long for one case as for hundreds.
 */
static bool campaign_take_case(struct campaign *c, const struct slot *s, struct error *e)
{
    struct triage *n = &c->triage;
    struct tally *all = &c->result->tally;
    struct triage_case it = {.tc = &s->tc, .board = s->board, .label = s->label};
    struct differences d;
    if (triage_is_predicted(n, &it)) {
        tally_merge(all, &it.tally);
        keep_evidence(c, s);
        return true;
    }
    enum match match = match_profile(c, s, &d);
    if (match != MATCH_UNDEFINED)
        keep_evidence(c, s);
    if (match != MATCH_DIFFERENT)
        return true;
    note_first_difference(c);
    if (triage_is_known(n, &it) && !triage_is_sampled(n, &it)) {
        all->known++;
        return true;
    }
    if (triage_is_skipped(n, &it)) {
        all->unattributed++;
        return true;
    }
    it.signature = differences_signature(c->o->unit, c->model, s->board, &d);
    return triage_search(n, &it, e);
}

/* Handles one case: compares the board's outcome, or notes the reason why there is none. Passes the result to
 * the source's watch. */
static bool take_slot(struct campaign *c, const struct slot *s, struct error *e)
{
    struct tally *all = &c->result->tally;
    const struct case_watch *watch = c->source->watch;
    uint64_t number = all->cases, different = all->different;
    bool compared = s->answer == ANSWER_OUTCOME;
    tally_answer(all, s->answer);
    if (!(compared ? campaign_take_case(c, s, e) : drop_case(c, s, e)))
        return false;
    struct compared_case its = {.tc = &s->tc,
                                .board = s->board,
                                .profile = &c->profile,
                                .executor = c->triage.executor};
    if (watch)
        watch->came(watch->context, number,
                    !compared                     ? FATE_NOT_COMPARED
                    : all->different != different ? FATE_DIFFERENT
                                                  : FATE_EQUAL,
                    compared ? &its : NULL);
    return true;
}

static bool take_batch(struct campaign *c, const struct case_batch *n, struct error *e)
{
    if (c->o->board && c->o->board->identity.state[0])
        findings_set_board(c->triage.findings, &c->o->board->identity); /* its state may have changed */
    for (unsigned i = 0; i < n->count; i++) {
        if (!take_slot(c, &n->slot[i], e))
            return false;
        if (asked_to_stop(c) || (c->cut && clock_seconds() - c->now >= TAKE_LAST)) {
            c->unfinished = i + 1 < n->count || c->batches.batch[c->batches.turn].filled;
            return true;
        }
    }
    return true;
}

/* Returns `good`. But if a signal or the clock stopped the board, which is no failure, ends the campaign. */
static bool good_or_cut(struct campaign *c, bool good, struct error *e)
{
    if (good || !c->o->board || !c->o->board->stopped || case_queue_hung(&c->batches, e))
        return good;
    c->cut = true;
    *e = (struct error){0};
    return true;
}

/* Runs one batch and compares its cases: those before a failure of the source or a stop of the board. */
static bool run_batch(struct campaign *c, bool *end, struct error *e)
{
    struct case_batch *n;
    bool ran = case_queue_run(&c->batches, &n, e);
    c->cut = !ran && c->o->board && c->o->board->stopped;
    c->now = c->cut ? clock_seconds() : c->now;
    bool good = (ran || (c->cut && !asked_to_stop(c))) && take_batch(c, n, e);
    if (c->cut)
        return good && !case_queue_hung(&c->batches, e);
    *end = n->end;
    if (n->failed)
        *e = n->error;
    good = good && (n->failed || !triage_should_learn(&c->triage) || triage_learn(&c->triage, false, e));
    return good && !n->failed && reattribute_now_and_then(c, e) && tick(c, e);
}

/* ---- begin and end ---- */

static void end_campaign(struct campaign *c)
{
    if (c->o->board) {
        c->o->board->notify = NULL;
        board_limit_time(c->o->board, 0);
    }
    case_queue_close(&c->batches);
    campaign_store_free(&c->store);
    outcome_free(c->model);
    outcome_free(c->board);
    run_cache_free(c->run_cache);
    learning_end(&c->learning);
    triage_end(&c->triage);
    findings_free(c->triage.findings);
    executor_free(c->triage.executor);
}

/* Takes over a case that an earlier run kept: counts its coverage, gives it to the source (`fresh`), and adds
 * it with the board's outcome, if there is one, to the evidence. */
static void take_back(void *context, const struct test_case *tc, const struct outcome *board, unsigned pairs)
{
    struct campaign *c = context;
    executor_run(c->triage.executor, tc, &c->profile, RUN_PLAIN, c->model);
    coverage_merge(&c->result->coverage, &c->triage.executor->last);
    if (c->source->fresh)
        c->source->fresh(c->source->context, tc, pairs);
    if (board)
        evidence_set_add(c->result->evidence, tc, board, false);
}

static void begin_triage(struct campaign *c, const struct board_identity *who)
{
    const struct campaign_options *o = c->o;
    struct executor *x = executor_new(o->unit);
    executor_place(x, who);
    c->triage = (struct triage){.unit = o->unit,
                                .profile = &c->profile,
                                .board = o->board,
                                .exact = o->exact || !o->board,
                                .reduce = o->reduce,
                                .max_changes = campaign_limits(o).most,
                                .budget = o->search_budget ? o->search_budget : SEARCH_BUDGET,
                                .executor = x,
                                .findings = findings_new(o->unit, &c->profile, o->profile_name, who,
                                                         o->max_findings ? o->max_findings : FINDINGS_MAX),
                                .tally = &c->result->tally,
                                .seen = &c->result->coverage,
                                .ending = ending,
                                .opened = finding_opened,
                                .learned = rules_learned,
                                .learning = o->learn ? &c->learning : NULL,
                                .refuter = {.board = o->board,
                                            .chosen = o->profile,
                                            .profile = &c->profile,
                                            .ending = ending,
                                            .withdraw = rules_withdrawn,
                                            .context = c},
                                .reattribute = reattribute_and_save,
                                .filed = case_filed,
                                .context = c};
    triage_begin(&c->triage);
}

static bool begin_campaign(struct campaign *c, const struct run_facts *facts, struct error *e)
{
    const struct campaign_options *o = c->o;
    const struct board_identity *who = o->board              ? &o->board->identity
                                       : c->source->identity ? c->source->identity
                                                             : &facts->board;
    if (o->board) {
        o->board->notify = on_board_message;
        o->board->notify_context = c;
        board_limit_time(o->board, o->max_seconds);
    }
    c->profile = *o->profile;
    c->learning.options = (struct learn_options){.unit = o->unit,
                                                 .board = o->board,
                                                 .base = o->profile,
                                                 .seed = o->seed,
                                                 .stopped = search_ending,
                                                 .context = c};
    learning_allow(&c->learning, false);
    begin_triage(c, who);
    c->result->evidence = evidence_set_new(o->unit);
    c->run_cache = run_cache_new();
    c->model = outcome_new(o->unit);
    c->board = outcome_new(o->unit);
    c->batches = (struct case_queue){.source = c->source,
                                     .board = o->board,
                                     .max_cases = o->max_cases,
                                     .size = o->batch};
    bool good = case_queue_open(&c->batches, o->unit, e);
    c->reattribute_at = REATTRIBUTE_FIRST;
    c->start = c->now = c->saved = c->found_at = c->shown = clock_seconds();
    c->learning.until = o->search_seconds > 0 ? c->start + o->search_seconds : 0;
    c->store = (struct campaign_store){.store = o->store,
                                       .job = o->job,
                                       .jobs = o->jobs,
                                       .result = c->result,
                                       .findings = c->triage.findings};
    return good && campaign_store_begin(&c->store, facts, o->run, e) &&
           (!o->resume ||
            campaign_store_resume(&c->store, o->unit, &c->profile, c->board, take_back, c, e)) &&
           findings_learn_again(c->triage.findings, c->triage.executor, finding_moved, c);
}

/* Reduces the findings' cases that are not reduced yet, unless the board was stopped. If the user asked to
 * stop, this uses virtual boards only. */
static bool reduce_rest(struct campaign *c, struct error *e)
{
    const struct board *b = c->o->board;
    bool left_out = !b || c->cut || (asked_to_stop(c) && !board_is_virtual(&b->identity));
    c->finishing = true;
    c->now = clock_seconds();
    return left_out || good_or_cut(c, triage_reduce(&c->triage, e), e);
}

/* Learns, isolates, reduces, attributes and saves. After a failure, only attributes and saves. */
static bool finish(struct campaign *c, bool failed, struct error *e)
{
    bool good = save(c, e);
    reattribute(c);
    unsigned findings = findings_count(c->triage.findings), rules = c->profile.rules.count;
    if (good && !failed && !asked_to_stop(c) && !c->cut) {
        note_stored(c);
        if (c->o->max_seconds <= 0 && c->o->search_seconds <= 0 && c->o->board &&
            !board_is_virtual(&c->o->board->identity))
            c->learning.until = clock_seconds() + SEARCH_LAST;
        good = good_or_cut(c, triage_learn(&c->triage, true, e) && triage_isolate(&c->triage, e), e) &&
               save(c, e);
        if (findings_count(c->triage.findings) != findings || c->profile.rules.count != rules)
            reattribute(c);
    }
    good = (failed || reduce_rest(c, e)) && good;
    findings_count_trials(c->triage.findings, c->triage.executor, c->result->evidence,
                          &c->result->attribution);
    good = campaign_store_is_well(&c->store, e) && good;
    note_stored(c);
    c->now = clock_seconds();
    c->result->seconds = c->now - c->start;
    good = (good ? campaign_store_end : campaign_store_save)(&c->store, c->result->seconds, e) && good;
    show(c, true);
    c->result->finding = findings_release_met(c->triage.findings, &c->result->findings);
    return good;
}

bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts,
                  struct campaign_result *result, struct error *e)
{
    struct campaign c = {.o = o, .source = source, .result = result};
    struct error error = {0}, later = {0}; /* only the first failure is reported: later ones follow from it */
    memset(result, 0, sizeof *result);
    bool good = begin_campaign(&c, facts, &error), end = false;
    if (o->begun)
        o->begun(o->begun_context);
    if (good) {
        while (good && !end && !c.cut && !ending(&c) && (o->exact || !tally_is_mute(&result->tally)))
            good = good_or_cut(&c, run_batch(&c, &end, &error), &error);
        bool ends_by_itself = o->exact || !o->board || o->max_cases || o->max_seconds > 0;
        result->interrupted = asked_to_stop(&c) && ends_by_itself && (!end || c.cut || c.unfinished);
        good = finish(&c, !good, good ? &error : &later) && good;
    }
    if (!good)
        *e = error;
    end_campaign(&c);
    return good;
}
