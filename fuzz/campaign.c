/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign.h"

#include "model/memory.h"

#include "fuzz/news.h"
#include "fuzz/witnesses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH_VIRTUAL = 16, /* few, so that cases and outcomes stay in the cache */
    BATCH_OTHER = 256,  /* many, so that the way to the board is paid once */
    MAX_CHANGES = 3,
    SEARCH_BUDGET = 20000000,
    WITNESS_FIRST = 1024, /* cases of an endless source that are all witnesses: a short campaign needs each ... */
    WITNESS_EVERY = 64,   /* ... then one in so many; of finite sources, all */
};

struct slot {
    struct test_case tc;
    struct outcome *board;
    enum answer answer;
    char label[128];
    char reason[BOARD_REASON_MAX]; /* why there is no outcome, if the board says */
};

struct campaign {
    const struct campaign_options *o;
    struct case_source *source;
    struct campaign_result *result;
    struct news news;
    struct witnesses *witnesses;
    unsigned called;                      /* findings whose case is among the witnesses */
    struct outcome *model, *called_board; /* what the model did; what the board once did on a finding's case */
    struct slot *slot;
    unsigned slots;
    struct run_facts facts;
    int64_t run; /* in the store */
    bool store_failed;
    struct error store_error; /* the first of the store's: it could be written when the campaign began, so the machine is to blame */
    uint64_t dropped_kept, dropped_stored[CAMPAIGN_REASONS_MAX]; /* of the result's reasons */
    bool unfinished;                                             /* cases that the source gave were left */
    double start, now, shown, saved, found_at;
    unsigned found; /* findings at found_at */
};

static double monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool asked_to_stop(const struct campaign *c)
{
    return c->o->stop && *c->o->stop;
}

static bool ending(void *context)
{
    struct campaign *c = context;
    return asked_to_stop(c) || (c->o->max_seconds > 0 && monotonic_seconds() - c->start >= c->o->max_seconds);
}

/* --- the store ---------------------------------------------------------------------------------------------------------------- */

/* Notes the store's first failure, and says it to whoever asks; true as long as there was none. */
static bool store_stands(struct campaign *c, bool good, const struct error *said, struct error *e)
{
    if (!good && !c->store_failed) {
        c->store_failed = true;
        c->store_error = *said;
        c->store_error.of_machine = true;
    }
    if (c->store_failed)
        *e = c->store_error;
    return !c->store_failed;
}

static bool put_finding(struct campaign *c, struct finding *f, struct error *e)
{
    struct finding more = *f;
    struct error said = {0};
    if (!c->o->store)
        return true;
    more.cases = f->cases - f->stored;
    if (!store_stands(c, c->store_failed || store_put_finding(c->o->store, &more, &said), &said, e))
        return false;
    f->stored = f->cases;
    return true;
}

static bool finding_opened(void *context, struct finding *f, struct error *e)
{
    struct campaign *c = context;
    struct text t = {0};
    struct error said = {0};
    if (!put_finding(c, f, e))
        return false;
    if (!c->o->store)
        return true;
    text_add(&t, "%s %s %s: ", f->id, f->unit->name, verdict_name(f->verdict));
    if (f->explanation.rivals)
        cause_print(f->unit, &f->explanation.rival[0], &t);
    text_add(&t, " (%s)", f->label);
    bool good = store_log(c->o->store, text_chars(&t), &said);
    text_free(&t);
    return store_stands(c, good, &said, e);
}

/* The book goes on without a store that failed; doubt and finish see that it did. */
static bool finding_moved(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct campaign *c = context;
    struct finding none = *to; /* makes sure that the target is there */
    struct error said = {0};
    none.cases = 0;
    if (!c->o->store || c->store_failed)
        return true;
    bool good = store_put_finding(c->o->store, &none, &said) && store_move_finding(c->o->store, from->id, to->id, last, &said);
    store_stands(c, good, &said, &said);
    return true;
}

/* The moves took the cases of findings along: the store has them all. */
static void settled(struct campaign *c)
{
    for (unsigned i = 0; i < book_count(c->news.book); i++)
        book_finding(c->news.book, i)->stored = book_finding(c->news.book, i)->cases;
}

/* Dropped cases that were only counted. */
static bool save_dropped(struct campaign *c, struct error *e)
{
    for (unsigned i = 0; i < c->result->reasons; i++) {
        const struct dropped_reason *r = &c->result->reason[i];
        if (r->cases == c->dropped_stored[i])
            continue;
        if (!store_count_dropped(c->o->store, r->reason, r->cases - c->dropped_stored[i], e))
            return false;
        c->dropped_stored[i] = r->cases;
    }
    return true;
}

/* All that changed since the last time. */
static bool save(struct campaign *c, struct error *e)
{
    struct error said = {0};
    if (!c->o->store)
        return true;
    if (!store_stands(c, true, &said, e))
        return false;
    for (unsigned i = 0; i < book_count(c->news.book); i++) {
        struct finding *f = book_finding(c->news.book, i);
        if (f->cases != f->stored && !put_finding(c, f, e))
            return false;
    }
    c->facts.tally = c->result->tally;
    c->facts.coverage = c->result->coverage;
    c->facts.seconds = c->now - c->start;
    c->facts.interrupted = c->result->interrupted;
    bool good = save_dropped(c, &said) && store_update_run(c->o->store, c->run, &c->facts, &said);
    return store_stands(c, good, &said, e);
}

/* "refused: memory of others". Numbers in a reason are of one case, so only the first reasons are told apart. */
static unsigned reason_of(struct campaign_result *r, const struct slot *s)
{
    char reason[sizeof r->reason[0].reason];
    unsigned at = 0;
    (void)snprintf(reason, sizeof reason, "%s%s%.230s", answer_name(s->answer), s->reason[0] ? ": " : "", s->reason);
    while (at < r->reasons && strcmp(r->reason[at].reason, reason) != 0)
        at++;
    if (at < r->reasons || at == CAMPAIGN_REASONS_MAX)
        return at < r->reasons ? at : CAMPAIGN_REASONS_MAX - 1;
    memcpy(r->reason[at].reason, at == CAMPAIGN_REASONS_MAX - 1 ? "other reasons" : reason, sizeof reason);
    return r->reasons++;
}

static bool drop_case(struct campaign *c, struct slot *s, struct error *e)
{
    unsigned why = reason_of(c->result, s);
    c->result->dropped++;
    c->result->reason[why].cases++;
    if (!c->o->store || c->dropped_kept == STORE_DROPPED_MAX)
        return true;
    c->dropped_kept++;
    c->dropped_stored[why]++;
    struct error said = {0};
    bool good = store_put_dropped(c->o->store, &s->tc, s->label, c->result->reason[why].reason, &said);
    return store_stands(c, good, &said, e);
}

/* --- the jury ----------------------------------------------------------------------------------------------------------------- */

/* A finding's own case is a witness too. */
static void call_finding(struct campaign *c, const struct finding *f)
{
    struct executor *x = c->news.executor;
    executor_run(x, f->smallest, c->o->profile, RUN_PLAIN, c->model);
    struct coverage touched = x->last;
    struct error ignored; /* a finding whose outcome cannot be read is no witness */
    if (outcome_decode(c->called_board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
        witnesses_add(c->witnesses, f->smallest, c->called_board, &touched);
}

static struct book_jury call_jury(struct campaign *c)
{
    for (; c->called < book_count(c->news.book); c->called++)
        call_finding(c, book_finding(c->news.book, c->called));
    return witnesses_jury(c->witnesses, c->news.max_changes);
}

static bool doubt(void *context, struct error *e)
{
    struct campaign *c = context;
    if (!save(c, e)) /* so that what moves in the book moves in the store as well */
        return false;
    struct book_jury jury = call_jury(c);
    book_hear(c->news.book, &jury, finding_moved, c);
    c->called = book_count(c->news.book);
    settled(c);
    return store_stands(c, true, e, e);
}

/* --- progress ----------------------------------------------------------------------------------------------------------------- */

static void show(struct campaign *c, bool ended)
{
    struct campaign_view v = {.unit = c->o->unit,
                              .seconds = c->now - c->start,
                              .tally = &c->result->tally,
                              .coverage = &c->result->coverage,
                              .findings = book_count(c->news.book),
                              .ended = ended};
    if (v.findings != c->found) {
        c->found = v.findings;
        c->found_at = c->now;
    }
    v.since_new = c->now - c->found_at;
    for (unsigned i = 0; i < v.findings; i++)
        v.verdicts[book_finding(c->news.book, i)->verdict]++;
    if (c->o->show)
        c->o->show(c->o->show_context, &v);
}

/* Twice a second the status line, once a second the store. */
static bool tick(struct campaign *c, struct error *e)
{
    c->now = monotonic_seconds();
    if (c->now - c->shown >= 0.5) {
        c->shown = c->now;
        show(c, false);
    }
    if (c->now - c->saved < 1)
        return true;
    c->saved = c->now;
    return save(c, e);
}

/* --- the loop ----------------------------------------------------------------------------------------------------------------- */

static bool is_witness(const struct campaign *c)
{
    uint64_t cases = c->result->tally.cases;
    return c->news.exact || cases < WITNESS_FIRST || cases % WITNESS_EVERY == 0;
}

static bool compare_case(struct campaign *c, struct slot *s, struct error *e)
{
    struct news *n = &c->news;
    struct tally *all = &c->result->tally;
    executor_run(n->executor, &s->tc, c->o->profile, RUN_PLAIN, c->model);
    unsigned pairs = coverage_merge(&c->result->coverage, &n->executor->last);
    if (pairs && c->source->fresh)
        c->source->fresh(c->source->context, &s->tc, pairs);
    struct tally t = {0};
    if (outcomes_equal(c->model, s->board, &t, NULL)) {
        tally_merge(all, &t);
        if (is_witness(c))
            witnesses_add(c->witnesses, &s->tc, s->board, &n->executor->last);
        return true;
    }
    if (news_is_old(n, &s->tc, s->board)) {
        tally_merge(all, &t);
        return true;
    }
    struct differences d;
    memset(&t, 0, sizeof t);
    enum standing standing = model_standing(n->executor, &s->tc, c->o->profile, s->board, c->model, &t, &d);
    t.undefined_only += standing != STANDS_DIFFERENT;
    tally_merge(all, &t);
    if (standing != STANDS_DIFFERENT)
        return true;
    if (is_witness(c))
        witnesses_add(c->witnesses, &s->tc, s->board, &n->executor->last);
    return news_take(n, &s->tc, s->board, differences_signature(c->o->unit, c->model, s->board, &d), s->label, e);
}

/* Cases for one batch; fewer at the end. False on failure. */
static bool fill_batch(struct campaign *c, unsigned *count, bool *end, struct error *e)
{
    uint64_t left = c->o->max_cases ? c->o->max_cases - c->result->tally.cases : c->slots;
    struct error source_error = {0};
    *count = 0;
    while (*count < c->slots && *count < left) {
        struct slot *s = &c->slot[*count];
        const char *label = "";
        bool has_outcome = false;
        if (!c->source->next(c->source->context, &s->tc, s->board, &has_outcome, &label, &source_error)) {
            *end = source_error.text[0] || !c->source->wait || !c->source->wait(c->source->context);
            if (source_error.text[0])
                *e = source_error;
            return !source_error.text[0];
        }
        size_t length = strnlen(label, sizeof s->label - 1);
        memcpy(s->label, label, length);
        s->label[length] = 0;
        s->answer = has_outcome ? ANSWER_OUTCOME : ANSWER_UNKNOWN;
        s->reason[0] = 0;
        ++*count;
    }
    *end = c->o->max_cases && c->result->tally.cases + *count >= c->o->max_cases;
    return true;
}

static bool ask_board(struct campaign *c, unsigned count, struct error *e)
{
    const struct test_case *cases[BATCH_OTHER];
    struct outcome *outcomes[BATCH_OTHER];
    enum answer answers[BATCH_OTHER];
    for (unsigned i = 0; i < count; i++) {
        cases[i] = &c->slot[i].tc;
        outcomes[i] = c->slot[i].board;
    }
    if (!count || !c->o->board)
        return true;
    if (!board_run(c->o->board, cases, count, outcomes, answers, e))
        return false;
    for (unsigned i = 0; i < count; i++) {
        c->slot[i].answer = answers[i];
        if (answers[i] != ANSWER_OUTCOME)
            (void)snprintf(c->slot[i].reason, sizeof c->slot[i].reason, "%s", board_reason(c->o->board, i));
    }
    return true;
}

static bool run_batch(struct campaign *c, bool *end, struct error *e)
{
    unsigned count;
    struct error second = {0}; /* what fails after the source did: the source's failure is the one to tell */
    /* What the source gave before it failed is still compared. */
    bool filled = fill_batch(c, &count, end, e);
    e = filled ? e : &second;
    if (!ask_board(c, count, e))
        return false;
    for (unsigned i = 0; i < count; i++) {
        struct slot *s = &c->slot[i];
        tally_answer(&c->result->tally, s->answer);
        if (!(s->answer == ANSWER_OUTCOME ? compare_case(c, s, e) : drop_case(c, s, e)))
            return false;
        if (asked_to_stop(c)) {
            c->unfinished = i + 1 < count;
            break;
        }
    }
    return filled && tick(c, e);
}

static void end_campaign(struct campaign *c)
{
    struct executor *x = c->news.executor;
    witnesses_free(c->witnesses);
    for (unsigned i = 0; c->slot && i < c->slots; i++)
        outcome_free(c->slot[i].board);
    free(c->slot);
    outcome_free(c->model);
    outcome_free(c->called_board);
    news_end(&c->news);
    book_free(c->news.book);
    executor_free(x);
}

static bool begin_campaign(struct campaign *c, const struct run_facts *facts, struct error *e)
{
    const struct campaign_options *o = c->o;
    bool is_virtual = o->board && board_is_virtual(&o->board->identity);
    const struct board_identity *who = o->board ? &o->board->identity : c->source->identity ? c->source->identity : &facts->board;
    c->facts = *facts;
    c->slots = o->batch ? o->batch : is_virtual || !o->board ? BATCH_VIRTUAL : BATCH_OTHER;
    if (c->slots > BATCH_OTHER)
        c->slots = BATCH_OTHER;
    struct news *n = &c->news;
    *n = (struct news){.unit = o->unit,
                       .profile = o->profile,
                       .board = o->board,
                       .exact = o->exact || !o->board,
                       .reduce = o->reduce,
                       .max_changes = o->max_changes ? o->max_changes : MAX_CHANGES,
                       .budget = o->search_budget ? o->search_budget : SEARCH_BUDGET,
                       .tally = &c->result->tally,
                       .ending = ending,
                       .opened = finding_opened,
                       .doubt = doubt,
                       .context = c};
    n->executor = executor_new(o->unit);
    executor_place(n->executor, who);
    c->witnesses = witnesses_new(n->executor);
    n->book = book_new(o->unit, o->profile, o->profile_name, who);
    c->model = outcome_new(o->unit);
    c->called_board = outcome_new(o->unit);
    c->slot = memory_new(c->slots, sizeof *c->slot);
    for (unsigned i = 0; i < c->slots; i++)
        c->slot[i].board = outcome_new(o->unit);
    news_begin(n);
    c->start = c->now = c->saved = c->found_at = monotonic_seconds();
    c->shown = c->start;
    if (o->store && !(c->run = store_begin_run(o->store, &c->facts, e)))
        return false;
    return true;
}

/* Open questions that earlier runs left in the campaign, and this one has answered. */
static bool answer_earlier(struct campaign *c, struct error *e)
{
    unsigned count;
    struct finding *all = store_findings(c->o->store, &count, e);
    bool good = all != NULL;
    for (unsigned i = 0; good && i < count; i++) {
        const struct finding *old = &all[i];
        const struct explanation *x = &old->explanation;
        bool moved =
            x->rivals < 2 || x->excused || old->verdict == VERDICT_FLAKY || old->unit != c->o->unit || strcmp(old->profile, c->o->profile_name) != 0;
        for (unsigned k = 0; !moved && k < book_count(c->news.book); k++) {
            const struct finding *f = book_finding(c->news.book, k);
            if (f->explanation.rivals != 1 || f->explanation.excused || f->verdict == VERDICT_FLAKY || strcmp(f->board.spec, old->board.spec) != 0)
                continue;
            for (unsigned r = 0; r < x->rivals && !moved; r++)
                moved = cause_equal(&x->rival[r], &f->explanation.rival[0]);
            if (moved)
                good = store_move_finding(c->o->store, old->id, f->id, true, e);
        }
    }
    if (all)
        store_free_findings(all, count);
    return good;
}

/* Settles and keeps what was found, also after a failure. */
static bool finish(struct campaign *c, struct error *e)
{
    struct error said = {0};
    bool good = save(c, e);
    struct book_jury jury = call_jury(c);
    book_settle(c->news.book, &jury, finding_moved, c);
    good = store_stands(c, true, &said, e) && good;
    settled(c);
    for (unsigned i = 0; good && c->o->store && i < book_count(c->news.book); i++) {
        struct finding none = *book_finding(c->news.book, i); /* what settling learned of it: its rivals */
        none.cases = 0;
        good = store_stands(c, store_put_finding(c->o->store, &none, &said), &said, e);
    }
    good = good && (!c->o->store || store_stands(c, answer_earlier(c, &said), &said, e));
    c->now = monotonic_seconds();
    c->result->seconds = c->now - c->start;
    good = good && save(c, e);
    show(c, true);
    c->result->finding = book_take(c->news.book, &c->result->findings);
    return good;
}

bool campaign_run(const struct campaign_options *o, struct case_source *source, const struct run_facts *facts, struct campaign_result *result,
                  struct error *e)
{
    struct campaign c = {.o = o, .source = source, .result = result};
    struct error error = {0}, second = {0}; /* of what went wrong while it was being finished, when something had before */
    memset(result, 0, sizeof *result);
    bool good = begin_campaign(&c, facts, &error), end = false;
    if (good) {
        while (good && !end && !ending(&c))
            good = run_batch(&c, &end, &error);
        bool ends_by_itself = o->exact || !o->board || o->max_cases || o->max_seconds > 0;
        if (!good && o->board && o->board->stopped) { /* a board that was waited for when the user asked to stop has not failed */
            good = true;
            end = false;
            error = (struct error){0};
        }
        result->interrupted = asked_to_stop(&c) && ends_by_itself && (!end || c.unfinished);
        good = finish(&c, good ? &error : &second) && good;
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
    r->finding = NULL;
    r->findings = 0;
}
