/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/campaign.h"

#include "fuzz/campaign/campaign_store.h"
#include "fuzz/campaign/triage.h"
#include "harness/launch/clock.h"
#include "harness/vc4/pages.h"
#include "model/core/memory.h"
#include "oracle/attribution/attribute.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_VIRTUAL = 16, /* few, so that they stay in the cache */
    BATCH_OTHER = 256,  /* many, so that the way to the board is paid once */
    SEARCH_BUDGET = 20000000,
    WITNESS_FIRST =
        1024, /* cases of an endless source that are all witnesses: a short campaign needs each ... */
    WEIGHED_MAX = 2048,   /* cases of each kind that one change is weighed by */
    WITNESS_EVERY = 64,   /* ... then one in so many, and half as often each time there are as many again; of
                             finite sources, all */
    WITNESS_TURNS = 1024, /* witnesses of one rate: attribution runs each of them some hundred times */
    SETTLE_FIRST = 1 << 19, /* cases after which the book is settled while a long campaign goes on, and then
                               when there are four times as many */
    REDUCE_LAST = 5, /* seconds for reducing what is left at the end, where the clock or the user ended it */
};

struct slot {
    struct test_case tc;
    struct outcome *board;
    enum answer answer;
    char label[128];
    char reason[BOARD_REASON_MAX]; /* why there is no outcome, if the board says */
};

/* Cases that a board is given at once. */
struct batch {
    struct slot *slot;
    void *outcomes; /* the memory of the slots' */
    unsigned count;
    bool filled;      /* waits to be run; all below then */
    bool end, failed; /* the source gives no more; it failed, with this error */
    struct error error;
};

struct campaign {
    const struct campaign_options *o;
    struct case_source *source;
    struct campaign_result *result;
    struct triage triage;
    struct evidence_set *witnesses; /* the result's evidence */
    struct run_cache *run_cache;    /* of what its runs came to */
    struct outcome *model,
        *called_board; /* what the model did; what the board once did on a finding's case */
    struct batch batch[2];
    unsigned turn; /* which of them runs next: with a board that looks ahead the other one is filled before,
                      else there is only one */
    unsigned slots;
    bool looks_ahead;
    struct campaign_store campaign_store;
    char state[sizeof((struct board_identity *)0)->state]; /* of the board, as the log has it */
    uint64_t settle_at;                                    /* cases */
    bool unfinished;                                       /* cases that the source gave were left */
    bool finishing;                                        /* no more cases come */
    double start, now, shown, saved, found_at;
    unsigned found; /* findings at found_at */
};

static bool asked_to_stop(const struct campaign *c)
{
    return c->o->stop && *c->o->stop;
}

static bool ending(void *context)
{
    struct campaign *c = context;
    if (c->finishing) /* without a limit in time, equal runs are to have equal findings: that takes the time
                         it needs */
        return (asked_to_stop(c) || c->o->max_seconds > 0) && clock_seconds() - c->now >= REDUCE_LAST;
    return asked_to_stop(c) || (c->o->max_seconds > 0 && clock_seconds() - c->start >= c->o->max_seconds);
}

/* --- what is kept
 * -------------------------------------------------------------------------------------------------------------
 */

static bool finding_opened(void *context, struct finding *f, struct error *e)
{
    struct campaign *c = context;
    return campaign_store_opened(&c->campaign_store, f, e);
}

static bool finding_moved(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct campaign *c = context;
    if (c->source->watch)
        c->source->watch->moved(c->source->watch->context, from, to, last);
    return campaign_store_moved(&c->campaign_store, from, to, last);
}

static void case_filed(void *context, const struct finding *f)
{
    const struct campaign *c = context;
    if (c->source->watch)
        c->source->watch->filed(c->source->watch->context, c->result->tally.cases - 1, f);
}

/* The moves took the cases of findings along: the store has them all. */
static void settled(struct campaign *c)
{
    for (unsigned i = 0; i < findings_count(c->triage.findings); i++)
        findings_at(c->triage.findings, i)->stored = findings_at(c->triage.findings, i)->cases;
}

/* A line whenever the board's clock or temperature is another. */
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

/* The board went away, or is back. A log that cannot be written is noticed by the next one who saves. */
static void board_told(void *context, const char *line)
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
    if (!log_state(c, e))
        return false;
    return campaign_store_save(&c->campaign_store, c->now - c->start, e);
}

/* Its number among the kinds of reasons; when these are too many, the last. */
static unsigned kind_of(struct campaign_result *r, const char *why)
{
    char reason[sizeof r->reason[0].reason];
    unsigned at = 0;
    text_kind(reason, sizeof reason, why);
    while (at < r->reasons && strcmp(r->reason[at].reason, reason) != 0)
        at++;
    if (at < r->reasons || at == CAMPAIGN_REASONS_MAX)
        return at < r->reasons ? at : CAMPAIGN_REASONS_MAX - 1;
    bool last = at == CAMPAIGN_REASONS_MAX - 1;
    (void)snprintf(r->reason[at].reason, sizeof reason, "%s", last ? "other reasons" : reason);
    (void)snprintf(r->reason[at].first, sizeof r->reason[at].first, "%s", last ? "" : why);
    return r->reasons++;
}

static bool drop_case(struct campaign *c, const struct slot *s, struct error *e)
{
    char why[sizeof c->result->reason[0].reason]; /* "refused: memory of others" */
    (void)snprintf(why, sizeof why, "%s%s%.230s", answer_name(s->answer), s->reason[0] ? ": " : "",
                   s->reason);
    unsigned kind = kind_of(c->result, why);
    c->result->dropped++;
    c->result->reason[kind].cases++;
    return campaign_store_dropped(&c->campaign_store, &s->tc, s->label, why, kind, e);
}

/* --- attribution over all evidence
 * -------------------------------------------------------------------------------------------- */

/* A finding's own case, which may be the reduced form of one that ran, is a witness too, and one that is not
 * forgotten. */
static void call_finding(struct campaign *c, const struct finding *f)
{
    struct error ignored; /* a finding whose outcome cannot be read is no witness */
    if (outcome_decode(c->called_board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
        evidence_set_add_uncounted(c->witnesses, f->smallest, c->called_board);
}

static unsigned changes_at_most(const struct campaign_options *o)
{
    return o->max_changes ? o->max_changes : CHANGES_USUAL;
}

struct attribution_limits campaign_limits(const struct campaign_options *o)
{
    return (struct attribution_limits){.most = changes_at_most(o), .sampled = WEIGHED_MAX};
}

/* Settles the book by all evidence there is. */
static void reconcile(struct campaign *c)
{
    struct attribution_limits limits = campaign_limits(c->o);
    limits.run_cache = c->run_cache;
    uint64_t cases = c->result->tally.cases;
    c->settle_at = cases < SETTLE_FIRST / 4 ? SETTLE_FIRST : 4 * cases;
    struct attribution *a = &c->result->attribution;
    if (!findings_count(c->triage.findings)) {
        *a = (struct attribution){.profile = *c->o->profile,
                                  .cases = c->result->tally.compared,
                                  .exact = true};
        return;
    }
    for (unsigned i = 0; i < findings_count(c->triage.findings);
         i++) /* again each time: their cases get smaller */
        call_finding(c, findings_at(c->triage.findings, i));
    attribute(c->triage.executor, c->witnesses, c->o->profile, &limits, a);
    findings_reconcile(c->triage.findings, c->triage.executor, a, c->result->tally.compared, finding_moved,
                       c);
}

/*
 * Does the attribution still hold, with what was found since? It does if it reproduces the findings' cases,
 * and if nothing was left open that these could decide: more evidence makes no further rivals and no smaller
 * sets. Attributing all anew takes as long as 40000 cases.
 */
static bool attribution_holds(struct campaign *c)
{
    const struct attribution *a = &c->result->attribution;
    struct error ignored;
    bool open = a->unexplained || a->cut || a->more_sets || a->sets > 1;
    for (unsigned i = 0; i < a->changes; i++)
        open |= a->change[i].candidates || a->change[i].more_candidates;
    for (unsigned i = 0; i < findings_count(c->triage.findings) && !open; i++) {
        const struct finding *f = findings_at(c->triage.findings, i);
        open = !outcome_decode(c->called_board, f->smallest, f->board_outcome, f->board_outcome_size,
                               &ignored) ||
               model_match(c->triage.executor, f->smallest, &a->profile, c->called_board, c->model, NULL,
                           NULL) == MATCH_DIFFERENT;
    }
    return !open;
}

/* Settles the book once more. */
static void settle_again(struct campaign *c)
{
    if (!attribution_holds(c)) {
        reconcile(c);
        return;
    }
    for (unsigned i = 0; i < findings_count(c->triage.findings); i++)
        call_finding(c, findings_at(c->triage.findings, i));
    findings_reconcile(c->triage.findings, c->triage.executor, &c->result->attribution,
                       c->result->tally.compared, finding_moved, c);
}

static bool doubt(void *context, struct error *e)
{
    struct campaign *c = context;
    if (!save(c, e)) /* so that what moves in the book moves in the store as well */
        return false;
    reconcile(c);
    settled(c);
    return campaign_store_stands(&c->campaign_store, e);
}

/* What opened one by one may have few causes: whoever watches a long campaign is not to see dozens of
 * findings until its end. */
static bool settle_now_and_then(struct campaign *c, struct error *e)
{
    return c->triage.exact || c->result->tally.cases < c->settle_at || doubt(c, e);
}

/* --- progress
 * -----------------------------------------------------------------------------------------------------------------
 */

static void show(struct campaign *c, bool ended)
{
    struct campaign_view v = {.unit = c->o->unit,
                              .seconds = c->now - c->start,
                              .tally = &c->result->tally,
                              .coverage = &c->result->coverage,
                              .findings = findings_count(c->triage.findings),
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

/* Twice a second the status line, once a second the store. */
static bool tick(struct campaign *c, struct error *e)
{
    c->now = clock_seconds();
    if (c->now - c->shown >= 0.5) {
        c->shown = c->now;
        show(c, false);
    }
    if (c->now - c->saved < 1)
        return true;
    c->saved = c->now;
    return save(c, e);
}

/* --- the loop
 * -----------------------------------------------------------------------------------------------------------------
 */

static bool is_witness(const struct campaign *c)
{
    uint64_t cases = c->result->tally.cases, every = WITNESS_EVERY;
    while (cases / every >= WITNESS_TURNS)
        every *= 2;
    return c->triage.exact || cases < WITNESS_FIRST || cases % every == 0;
}

static void keep_evidence(struct campaign *c, const struct slot *s)
{
    if (is_witness(c))
        evidence_set_add(c->witnesses, &s->tc, s->board, false);
}

/* A case that touched something new is kept, and worth changing. */
static void count_coverage(struct campaign *c, const struct slot *s, const struct coverage *touched)
{
    unsigned pairs = coverage_merge(&c->result->coverage, touched);
    if (!pairs)
        return;
    if (c->source->fresh)
        c->source->fresh(c->source->context, &s->tc, pairs);
    campaign_store_fresh(&c->campaign_store, &s->tc, s->board, s->label, pairs);
}

/*
 * Compares what the board did with the model under the profile: a plain run first, and where its bits are
 * others the checked one, under the mask of what is defined. MATCH_UNDEFINED: only undefined bits differ.
 */
static enum match match_profile(struct campaign *c, const struct slot *s, struct tally *t,
                                struct differences *d)
{
    struct executor *x = c->triage.executor;
    *t = (struct tally){0};
    executor_run(x, &s->tc, c->o->profile, RUN_PLAIN, c->model);
    count_coverage(c, s, &x->last);
    if (outcomes_equal(c->model, s->board, t, NULL))
        return MATCH_EQUAL;
    *t = (struct tally){0};
    if (model_match(x, &s->tc, c->o->profile, s->board, c->model, t, d) == MATCH_DIFFERENT)
        return MATCH_DIFFERENT;
    t->undefined_only++;
    return MATCH_UNDEFINED;
}

static void note_first_difference(struct campaign *c)
{
    if (c->result->first_case)
        return;
    c->result->first_case = c->result->tally.cases;
    c->result->first_seconds = clock_seconds() - c->start;
}

/*
 * The way of one case that the board has answered (DESIGN.md, "The way of one case").
 *
 * The campaign's profile is the profile with all causes found so far. Once these explain most of what
 * differs, a case is compared with the campaign's profile first, and is counted where that predicts it; the
 * profile alone is asked of the rest, and of a sample. A case that differs from the profile is known and
 * counted; or it is run again, reduced, explained and filed.
 *
 * Whether it is known is asked before it is run again, because a board behind a wire answers one case in the
 * time that it takes for hundreds, and what is known was run again when it was found.
 */
static bool campaign_take_case(struct campaign *c, const struct slot *s, struct error *e)
{
    struct triage *n = &c->triage;
    struct tally t, *all = &c->result->tally;
    struct triage_case it = {.tc = &s->tc, .board = s->board, .label = s->label};
    struct differences d;
    enum match match = MATCH_EQUAL;
    if (!triage_predicts(n, &it, &c->result->coverage, &t))
        match = match_profile(c, s, &t, &d);
    tally_merge(all, &t);
    if (match != MATCH_UNDEFINED)
        keep_evidence(c, s);
    if (match != MATCH_DIFFERENT)
        return true;
    note_first_difference(c);
    it.signature = differences_signature(c->o->unit, c->model, s->board, &d);
    if (triage_is_known(n, &it)) {
        all->known++;
        return true;
    }
    if (triage_is_skipped(n, &it)) {
        all->unattributed++;
        return true;
    }
    if (!triage_repeat(n, &it, e)) {
        all->unattributed++;
        return false;
    }
    return triage_file(n, &it, e);
}

/* Cases for one batch; fewer at the end, or before a failure of the source. */
static void fill_batch(struct campaign *c, struct batch *n)
{
    uint64_t given = c->result->tally.cases + (c->batch[0].filled ? c->batch[0].count : 0) +
                     (c->batch[1].filled ? c->batch[1].count : 0);
    uint64_t left = c->o->max_cases ? c->o->max_cases - given : c->slots;
    *n = (struct batch){.slot = n->slot, .outcomes = n->outcomes, .filled = true};
    while (n->count < c->slots && n->count < left) {
        struct slot *s = &n->slot[n->count];
        const char *label = "";
        bool has_outcome = false;
        if (!c->source->next(c->source->context, &s->tc, s->board, &has_outcome, &label, &n->error)) {
            n->failed = n->error.text[0];
            n->end = n->failed || !c->source->wait || !c->source->wait(c->source->context);
            return;
        }
        size_t length = strnlen(label, sizeof s->label - 1);
        memcpy(s->label, label, length);
        s->label[length] = 0;
        s->answer = has_outcome ? ANSWER_OUTCOME : ANSWER_UNKNOWN;
        s->reason[0] = 0;
        n->count++;
    }
    n->end = c->o->max_cases && given + n->count >= c->o->max_cases;
}

/* A batch as a board is given it. */
struct asked {
    const struct test_case *cases[BATCH_OTHER];
    struct outcome *outcomes[BATCH_OTHER];
};

static void ask_for(struct asked *a, struct slot *slot, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        a->cases[i] = &slot[i].tc;
        a->outcomes[i] = slot[i].board;
    }
}

/* Fills a batch, and gives it to a board that looks ahead. */
static bool prepare_batch(struct campaign *c, struct batch *n, struct error *e)
{
    struct asked a;
    fill_batch(c, n);
    ask_for(&a, n->slot, n->count);
    return !c->looks_ahead || board_ahead(c->o->board, a.cases, n->count, a.outcomes, e);
}

static bool ask_board(struct campaign *c, struct slot *slot, unsigned count, struct error *e)
{
    struct asked a;
    enum answer answers[BATCH_OTHER];
    if (!count || !c->o->board)
        return true;
    ask_for(&a, slot, count);
    if (!board_run(c->o->board, a.cases, count, a.outcomes, answers, e))
        return false;
    if (c->o->board->identity.state[0])
        findings_set_board(c->triage.findings, &c->o->board->identity); /* as it is now */
    for (unsigned i = 0; i < count; i++) {
        slot[i].answer = answers[i];
        if (answers[i] != ANSWER_OUTCOME)
            (void)snprintf(slot[i].reason, sizeof slot[i].reason, "%s", board_reason(c->o->board, i));
    }
    return true;
}

/* Takes what the board left of a case, or keeps why it left nothing; the source is told what came of it. */
static bool take_slot(struct campaign *c, const struct slot *s, struct error *e)
{
    struct tally *all = &c->result->tally;
    const struct case_watch *watch = c->source->watch;
    uint64_t number = all->cases, different = all->different;
    bool compared = s->answer == ANSWER_OUTCOME;
    tally_answer(all, s->answer);
    if (!(compared ? campaign_take_case(c, s, e) : drop_case(c, s, e)))
        return false;
    if (watch)
        watch->came(watch->context, number,
                    !compared                     ? FATE_NOT_COMPARED
                    : all->different != different ? FATE_DIFFERENT
                                                  : FATE_EQUAL);
    return true;
}

/* One batch is run and compared; with a board that looks ahead, while it has the next one already. */
static bool run_batch(struct campaign *c, bool *end, struct error *e)
{
    struct batch *n = &c->batch[c->turn], *next = &c->batch[c->looks_ahead ? !c->turn : c->turn];
    if (!n->filled && !prepare_batch(c, n, e))
        return false;
    if (!next->filled && !n->end && !prepare_batch(c, next, e))
        return false;
    struct error second = {0}; /* what fails after the source did: the source's failure is the one to tell */
    bool failed = n->failed;
    if (failed)
        *e = n->error;
    e = failed ? &second : e;
    *end = n->end;
    if (!ask_board(c, n->slot, n->count, e))
        return false;
    n->filled = false; /* what the source gave before it failed is compared */
    for (unsigned i = 0; i < n->count; i++) {
        if (!take_slot(c, &n->slot[i], e))
            return false;
        if (asked_to_stop(c)) {
            c->unfinished = i + 1 < n->count || next->filled;
            break;
        }
    }
    c->turn = (unsigned)(next - c->batch);
    return !failed && settle_now_and_then(c, e) && tick(c, e);
}

static void end_campaign(struct campaign *c)
{
    struct executor *x = c->triage.executor;
    if (c->o->board) {
        c->o->board->tell = NULL;
        c->o->board->until = 0;
    }
    for (unsigned k = 0; k < 2; k++) {
        free(c->batch[k].outcomes);
        free(c->batch[k].slot);
    }
    outcome_free(c->model);
    campaign_store_free(&c->campaign_store);
    outcome_free(c->called_board);
    run_cache_free(c->run_cache);
    triage_end(&c->triage);
    findings_free(c->triage.findings);
    executor_free(x);
}

/* A case that an earlier run kept: it touches again what it touched, and says again what the board did. */
static void take_back(void *context, const struct test_case *tc, const struct outcome *board, unsigned pairs)
{
    struct campaign *c = context;
    executor_run(c->triage.executor, tc, c->o->profile, RUN_PLAIN, c->model);
    coverage_merge(&c->result->coverage, &c->triage.executor->last);
    if (c->source->fresh)
        c->source->fresh(c->source->context, tc, pairs);
    if (board)
        evidence_set_add(c->witnesses, tc, board, false);
}

/* The book's findings, without those of earlier runs that this one did not meet. */
static struct finding *take_findings(struct findings *b, unsigned *count)
{
    unsigned all, met = 0;
    struct finding *f = findings_release(b, &all);
    for (unsigned i = 0; f && i < all; i++)
        if (f[i].cases)
            f[met++] = f[i];
        else
            finding_free_contents(&f[i]);
    *count = met;
    return f;
}

static bool make_slots(const struct campaign *c, struct batch *n, struct error *e)
{
    struct outcome *board[BATCH_OTHER];
    n->slot = pages_new(c->slots, sizeof *n->slot);
    n->outcomes = pages_of_outcomes(c->o->unit, c->slots, board);
    if (!n->slot || !n->outcomes)
        return error_memory(e, "for a campaign's cases");
    for (unsigned i = 0; i < c->slots; i++)
        n->slot[i].board = board[i];
    return true;
}

static bool begin_campaign(struct campaign *c, const struct run_facts *facts, struct error *e)
{
    const struct campaign_options *o = c->o;
    bool is_virtual = o->board && board_is_virtual(&o->board->identity);
    const struct board_identity *who = o->board              ? &o->board->identity
                                       : c->source->identity ? c->source->identity
                                                             : &facts->board;
    if (o->board) {
        o->board->tell = board_told;
        o->board->tell_context = c;
        o->board->until = o->max_seconds > 0 ? clock_ms() + (int64_t)(1000 * o->max_seconds) : 0;
    }
    c->slots = o->batch ? o->batch : is_virtual || !o->board ? BATCH_VIRTUAL : BATCH_OTHER;
    if (c->slots > BATCH_OTHER)
        c->slots = BATCH_OTHER;
    struct triage *n = &c->triage;
    *n = (struct triage){.unit = o->unit,
                         .profile = o->profile,
                         .board = o->board,
                         .exact = o->exact || !o->board,
                         .reduce = o->reduce,
                         .max_changes = changes_at_most(o),
                         .budget = o->search_budget ? o->search_budget : SEARCH_BUDGET,
                         .tally = &c->result->tally,
                         .ending = ending,
                         .opened = finding_opened,
                         .doubt = doubt,
                         .filed = case_filed,
                         .context = c};
    n->executor = executor_new(o->unit);
    executor_place(n->executor, who);
    c->witnesses = c->result->evidence = evidence_set_new(o->unit);
    c->run_cache = run_cache_new();
    n->findings = findings_new(o->unit, o->profile, o->profile_name, who,
                               o->max_findings ? o->max_findings : FINDINGS_MAX);
    c->model = outcome_new(o->unit);
    c->called_board = outcome_new(o->unit);
    c->looks_ahead = o->board && o->board->takes_ahead >= c->slots &&
                     !c->source->wait; /* what waits for cases must not keep others waiting */
    bool good = true;
    for (unsigned k = 0; k < 1 + (unsigned)c->looks_ahead; k++)
        good = good && make_slots(c, &c->batch[k], e);
    triage_begin(n);
    c->settle_at = SETTLE_FIRST;
    c->start = c->now = c->saved = c->found_at = clock_seconds();
    c->shown = c->start;
    c->campaign_store = (struct campaign_store){
        .store = o->store, .job = o->job, .jobs = o->jobs, .result = c->result, .findings = n->findings};
    return good && campaign_store_begin(&c->campaign_store, facts, o->run, e) &&
           (!o->resume ||
            campaign_store_resume(&c->campaign_store, o->unit, c->batch[0].slot[0].board, take_back, c, e));
}

/* A live board that was told to stop is not asked any more. */
static bool reduce_rest(struct campaign *c, struct error *e)
{
    c->finishing = true;
    c->now = clock_seconds();
    return !c->o->board || c->o->board->stopped ||
           (asked_to_stop(c) && !board_is_virtual(&c->o->board->identity)) || triage_reduce(&c->triage, e);
}

/* Settles and keeps what was found, also after a failure. */
static bool finish(struct campaign *c, bool failed, struct error *e)
{
    bool good = save(c, e);
    reconcile(c);
    unsigned settled_findings = findings_count(c->triage.findings);
    if (good && !failed && !asked_to_stop(c) && !(c->o->board && c->o->board->stopped)) {
        settled(c);
        good = triage_single_out(&c->triage, e) && save(c, e);
        if (findings_count(c->triage.findings) != settled_findings)
            settle_again(c);
    }
    good = (failed || reduce_rest(c, e)) && good;
    good = campaign_store_stands(&c->campaign_store, e) && good;
    settled(c);
    c->now = clock_seconds();
    c->result->seconds = c->now - c->start;
    good =
        (good ? campaign_store_end : campaign_store_save)(&c->campaign_store, c->result->seconds, e) && good;
    show(c, true);
    c->result->finding = take_findings(c->triage.findings, &c->result->findings);
    return good;
}

bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts,
                  struct campaign_result *result, struct error *e)
{
    struct campaign c = {.o = o, .source = source, .result = result};
    struct error error = {0},
                 second = {0}; /* of what went wrong while it was being finished, when something had before */
    memset(result, 0, sizeof *result);
    bool good = begin_campaign(&c, facts, &error), end = false;
    if (o->begun)
        o->begun(o->begun_context);
    if (good) {
        while (good && !end && !ending(&c))
            good = run_batch(&c, &end, &error);
        bool ends_by_itself = o->exact || !o->board || o->max_cases || o->max_seconds > 0;
        if (!good && o->board && o->board->stopped) { /* a board that was waited for when the user asked to
                                                         stop, or the time was over, has not failed */
            good = true;
            end = false;
            error = (struct error){0};
        }
        result->interrupted = asked_to_stop(&c) && ends_by_itself && (!end || c.unfinished);
        good = finish(&c, !good, good ? &error : &second) && good;
    }
    if (!good)
        *e = error;
    end_campaign(&c);
    return good;
}

void campaign_free(struct campaign_result *r)
{
    for (unsigned i = 0; i < r->findings; i++)
        finding_free_contents(&r->finding[i]);
    free(r->finding);
    evidence_set_free(r->evidence);
    r->finding = NULL;
    r->evidence = NULL;
    r->findings = 0;
}
