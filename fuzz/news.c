/* SPDX-License-Identifier: MIT */
#include "fuzz/news.h"

#include "model/memory.h"

#include "fuzz/reduce.h"
#include "fuzz/single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPEATS = 3,           /* more runs that a live board must agree with itself on before a difference, or its reduced case, is believed */
    ROUNDS = 4,            /* causes that are looked for in one case whose differences have several */
    KNOWN_SEARCHED = 1024, /* cases that are no news, yet are tried with all single changes: they may tell rivals apart; after these ... */
    KNOWN_EVERY = 64,      /* ... one in so many of those that are looked at */
    LOOKED_EVERY = 16,     /* of cases that known causes may foretell, one in so many is compared with the profile all the same */
    FLOOD_FROM = 256,      /* cases that differ, from which on news is left out: all of fewer is searched */
    SKIPS_MAX = 255,       /* news left out after news that opened no finding: 1, 3, 7, ... and at most so many, until one does */
    DOUBT_AT = 32,         /* news that open no finding, until the causes found so far are doubted; twice as many each time */
    REDUCE_NEWS = 1500,    /* candidates of the reduction that comes before the search */
    REDUCE_FINDING = 4000, /* candidates of the reduction of a finding's case */
    SINGLE_TRIES = 6000,   /* cases that are made on the model alone to find one in which one part of a cause stands alone */
    SINGLE_ASKED = 8       /* of such cases, those of which the board is asked */
};

void news_begin(struct news *n)
{
    n->doubt_at = DOUBT_AT;
    n->clauses = unit_clauses(n->unit);
    n->explainer = explainer_new(n->executor);
    n->model = outcome_new(n->unit);
    n->answer = outcome_new(n->unit);
    n->again = outcome_new(n->unit);
    n->small = memory_new(1, sizeof *n->small);
}

void news_end(struct news *n)
{
    explainer_free(n->explainer);
    outcome_free(n->model);
    outcome_free(n->answer);
    outcome_free(n->again);
    free(n->small);
    n->explainer = NULL;
    n->model = n->answer = n->again = NULL;
    n->small = NULL;
}

static enum known_says take_up(struct news *n)
{
    enum known_says says = n->says;
    n->says = KNOWN_UNASKED;
    return says;
}

/* Do all causes found so far together explain it? */
static bool is_known(struct news *n, const struct test_case *c, const struct outcome *board)
{
    const struct profile *known = book_known(n->book);
    enum known_says says = take_up(n);
    if (!memcmp(known, n->profile, sizeof *known))
        return false;
    if (says == KNOWN_UNASKED) {
        executor_run(n->executor, c, known, RUN_PLAIN, n->model);
        if (outcomes_equal(n->model, board, NULL, NULL))
            return true;
    }
    return says != KNOWN_DIFFERENT && model_standing(n->executor, c, known, board, n->model, NULL, NULL) != STANDS_DIFFERENT;
}

static bool leaves_undefined(struct news *n, const struct test_case *c, const struct profile *p, const struct outcome *board, struct tally *t)
{
    *t = (struct tally){.undefined_only = 1};
    return model_standing(n->executor, c, p, board, n->model, t, NULL) != STANDS_DIFFERENT;
}

/*
 * A run of the model under the known causes, and, where that is not what the board did, the checked one; first with those causes that only excuse,
 * if they have a say in the case.
 */
static bool known_foretells(struct news *n, const struct test_case *c, const struct coverage *seen, const struct outcome *board, struct tally *t)
{
    const struct profile *known = book_known(n->book);
    executor_run(n->executor, c, known, RUN_PLAIN, n->model);
    if (!coverage_holds(seen, &n->executor->last))
        return false;
    if (outcomes_equal(n->model, board, t, NULL))
        return true;
    const struct profile *excusing = book_excusing(n->book);
    bool excuses = coverage_parts(&n->executor->last, known, excusing, n->clauses);
    if (!leaves_undefined(n, c, excuses ? excusing : known, board, t) && !(excuses && leaves_undefined(n, c, known, board, t))) {
        n->says = KNOWN_DIFFERENT;
        return false;
    }
    return true;
}

bool news_foretells(struct news *n, const struct test_case *c, const struct coverage *seen, const struct outcome *board, struct tally *t)
{
    const struct profile *known = book_known(n->book);
    memset(t, 0, sizeof *t);
    n->says = KNOWN_UNASKED;
    n->looked = false;
    if (n->exact || n->known < KNOWN_SEARCHED || !memcmp(known, n->profile, sizeof *known))
        return false;
    n->looked = n->may_foretell++ % LOOKED_EVERY == 0;
    if (n->looked)
        return false;
    bool foretold = known_foretells(n, c, seen, board, t);
    t->foretold = t->equal;
    t->equal = 0;
    return foretold;
}

/*
 * Runs the case again; *steady tells whether the board did the same each time. Virtual boards too: a model that carries
 * something over from one case to the next is found out here.
 */
static bool repeat(struct news *n, const struct test_case *c, const struct outcome *board, bool *steady, struct error *e)
{
    *steady = true;
    if (!n->board)
        return true;
    for (unsigned i = 0; i < REPEATS && *steady; i++) {
        enum answer answer;
        if (!board_run_one(n->board, c, n->again, &answer, e))
            return false;
        *steady = answer == ANSWER_OUTCOME && outcomes_equal(n->again, board, NULL, NULL);
    }
    return true;
}

/* Singles always; larger sets as long as the budget lasts. */
static void explain(struct news *n, const struct test_case *c, const struct outcome *board, struct explanation *x)
{
    explainer_run(n->explainer, c, n->profile, board, 1, 0, x);
    if (x->rivals || n->max_changes < 2)
        return;
    if (!n->budget) {
        x->cut = true;
        return;
    }
    explainer_run(n->explainer, c, n->profile, board, n->max_changes, n->budget, x);
    explainer_deepen(n->explainer, c, n->profile, board, x);
    n->budget -= x->runs < n->budget ? x->runs : n->budget;
}

struct same {
    struct reduce_same_cause keep;
    struct news *n;
};

static bool keeps_same(void *context, const struct test_case *candidate)
{
    struct same *s = context;
    return !s->n->ending(s->n->context) && reduce_keeps_cause(&s->keep, candidate);
}

#define LABEL_PART ", in part" /* of a case: what was not known of it */

/* "seed 1 case 427, in part" -> "seed 1 case 427, reduced" */
static void label_reduced(const char *label, char reduced[128])
{
    size_t length = strlen(label), mark = sizeof LABEL_PART - 1;
    if (length >= mark && !strcmp(label + length - mark, LABEL_PART))
        length -= mark;
    (void)snprintf(reduced, 128, "%.*s" LABEL_REDUCED, length < LABEL_SOURCE_MAX ? (int)length : LABEL_SOURCE_MAX, label);
}

/* The finding takes over the reduced case in n->small, if the board stands by it. */
static bool take_reduced(struct news *n, struct finding *f, const char *label, struct error *e)
{
    struct differences d;
    enum answer answer;
    bool steady;
    if (!board_run_one(n->board, n->small, n->answer, &answer, e) || !repeat(n, n->small, n->answer, &steady, e))
        return false;
    if (!steady || answer != ANSWER_OUTCOME || model_standing(n->executor, n->small, n->profile, n->answer, n->model, NULL, &d) != STANDS_DIFFERENT)
        return true;
    f->signature = f->explanation.rivals ? differences_signature(n->unit, n->model, n->answer, &d) : f->signature;
    return finding_set_case(f, n->small, n->answer, label) || error_memory(e, "while reducing a case");
}

/* Reduces the case of a finding. One that cannot get smaller is a reduced one, too. */
static bool reduce_finding(struct news *n, struct finding *f, struct error *e)
{
    struct same same = {.n = n};
    struct reduce_same_cause *keep = &same.keep;
    char label[sizeof f->label];
    if (!n->reduce || !n->board || f->verdict == VERDICT_FLAKY)
        return true;
    *keep = (struct reduce_same_cause){.executor = n->executor,
                                       .board = n->board,
                                       .profile = n->profile,
                                       .explanation = &f->explanation,
                                       .known = book_known(n->book),
                                       .signature = f->signature};
    reduce_begin(keep);
    case_copy(n->small, f->smallest);
    (void)case_reduce(n->small, keeps_same, &same, REDUCE_FINDING);
    label_reduced(f->label, label);
    bool good = !keep->failed;
    if (good && !case_equal(n->small, f->smallest))
        good = take_reduced(n, f, label, &keep->error);
    else if (good && !n->ending(n->context))
        (void)snprintf(f->label, sizeof f->label, "%s", label);
    if (!good)
        *e = keep->error;
    reduce_end(keep);
    return good;
}

bool news_reduce(struct news *n, struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < book_count(n->book); i++) {
        struct finding *f = book_finding(n->book, i);
        good = !f->cases || label_says_reduced(f->label) || reduce_finding(n, f, e);
    }
    return good;
}

/* Files a case; a new finding gets its smallest case and is announced. */
static bool file_case(struct news *n, const struct explanation *x, bool flaky, uint64_t signature, const struct test_case *c,
                      const struct outcome *board, const char *label, struct error *e)
{
    struct evidence_of_case what = {
        .explanation = x, .flaky = flaky, .signature = signature, .tc = c, .board = board, .label = label, .filed = n->filed, .context = n->context};
    struct finding *f;
    enum filed filed = book_file(n->book, &what, &f, e);
    n->unfiled |= filed == FILED_NOWHERE;
    if (filed != FILED_NEW) {
        if (filed == FILED_FAILED || n->exact || n->sampled || ++n->stale < n->doubt_at)
            return filed != FILED_FAILED;
        n->stale = 0;
        n->doubt_at *= 2;
        return n->doubt(n->context, e);
    }
    n->skips = n->skips_left = 0;
    bool reduced = reduce_finding(n, f, e);
    struct error second = {0};
    return n->opened(n->context, f, reduced ? e : &second) && reduced; /* a finding is kept even if the board died while it was reduced */
}

/* Counts a case that was searched: one with a part that no finding took in is not to look as if it were in the report. */
static bool count_searched(struct news *n, bool good)
{
    *(n->unfiled ? &n->tally->unfiled : &n->tally->attributed) += 1;
    return good;
}

/* The question of the reduction that comes before a search. */
struct unknown {
    struct news *n;
    struct error error;
    bool failed;
};

static bool keeps_unknown(void *context, const struct test_case *candidate)
{
    struct unknown *u = context;
    struct news *n = u->n;
    enum answer answer;
    if (u->failed || n->ending(n->context))
        return false;
    if (!board_run_one(n->board, candidate, n->answer, &answer, &u->error)) {
        u->failed = true;
        return false;
    }
    return answer == ANSWER_OUTCOME && model_standing(n->executor, candidate, n->profile, n->answer, n->model, NULL, NULL) == STANDS_DIFFERENT &&
           model_standing(n->executor, candidate, book_known(n->book), n->answer, n->model, NULL, NULL) == STANDS_DIFFERENT;
}

/*
 * Reduces a copy of the case to what is not yet known of it, explains and files
 * that. *more: the case's other differences may have further causes.
 */
static bool file_unknown_part(struct news *n, const struct test_case *c, const char *label, bool *more, struct error *e)
{
    struct unknown keep = {.n = n};
    struct test_case *part = memory_new(1, sizeof *part);
    struct outcome *board = outcome_new(n->unit);
    struct explanation x = {0};
    struct differences d;
    enum answer answer;
    char where[128];
    bool steady = false;
    *more = false;
    case_copy(part, c);
    case_reduce(part, keeps_unknown, &keep, REDUCE_NEWS);
    bool good = !keep.failed && board_run_one(n->board, part, board, &answer, &keep.error) && repeat(n, part, board, &steady, &keep.error);
    if (!good)
        *e = keep.error;
    if (good && answer == ANSWER_OUTCOME && model_standing(n->executor, part, n->profile, board, n->model, NULL, &d) == STANDS_DIFFERENT) {
        uint64_t signature = differences_signature(n->unit, n->model, board, &d);
        struct profile before = *book_known(n->book);
        if (steady)
            explain(n, part, board, &x);
        snprintf(where, sizeof where, "%.*s" LABEL_PART, LABEL_SOURCE_MAX, label);
        good = file_case(n, &x, !steady, signature, part, board, where, e);
        *more = good && memcmp(&before, book_known(n->book), sizeof before) != 0;
    }
    free(part);
    outcome_free(board);
    return good;
}

/* A differing case of an endless source that is not known, and that no single change explains. */
static bool take_in_parts(struct news *n, const struct test_case *c, const struct outcome *board, const char *label, struct error *e)
{
    bool more = true;
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        if (!n->budget) {
            n->tally->unattributed++;
            return true;
        }
        if (round && is_known(n, c, board))
            break;
        if (!file_unknown_part(n, c, label, &more, e)) {
            n->tally->unattributed++; /* the board died, or the disk is full: the case stays in the count */
            return false;
        }
    }
    return count_searched(n, true);
}

/* Is the case explained by what is known, and not of the sample that is searched all the same? If it is, `x` holds what single changes explain it. */
static bool is_no_news(struct news *n, const struct test_case *c, const struct outcome *board, struct explanation *x)
{
    n->sampled = false;
    if (n->exact || !is_known(n, c, board))
        return false;
    n->known++;
    if (n->known > KNOWN_SEARCHED && n->known % KNOWN_EVERY)
        return true;
    n->sampled = true;
    explainer_run(n->explainer, c, n->profile, board, 1, 0, x);
    return !x->rivals;
}

/* Most news of a flood says once more what earlier news said. Searching all of it would leave no time for cases. */
static bool is_skipped(struct news *n)
{
    if (n->exact || n->tally->different < FLOOD_FROM || !n->skips_left)
        return false;
    n->skips_left -= n->looked && n->skips_left > LOOKED_EVERY ? LOOKED_EVERY : 1;
    n->tally->unattributed++;
    return true;
}

static void skip_after(struct news *n)
{
    n->skips = 2 * n->skips + 1 < SKIPS_MAX ? 2 * n->skips + 1 : SKIPS_MAX;
    n->skips_left = n->skips;
}

/* Searches for what explains a case, and files it. */
static bool search(struct news *n, const struct test_case *c, const struct outcome *board, uint64_t signature, const char *label, struct error *e)
{
    struct explanation x;
    if (n->exact) {
        explain(n, c, board, &x);
    } else {
        explainer_run(n->explainer, c, n->profile, board, 1, 0, &x);
        if (!x.rivals)
            return take_in_parts(n, c, board, label, e);
    }
    return count_searched(n, file_case(n, &x, false, signature, c, board, label, e));
}

bool news_take(struct news *n, const struct test_case *c, const struct outcome *board, uint64_t signature, const char *label, struct error *e)
{
    static const struct explanation none;
    struct explanation x;
    bool steady;
    n->unfiled = false;
    if (is_no_news(n, c, board, &x)) {
        n->tally->known++;
        return true;
    }
    if (!n->sampled && is_skipped(n))
        return true;
    if (!repeat(n, c, board, &steady, e)) {
        n->tally->unattributed++;
        return false;
    }
    if (n->sampled)
        return count_searched(n, file_case(n, steady ? &x : &none, !steady, signature, c, board, label, e));
    skip_after(n); /* file_case takes it back for a new finding */
    if (steady)
        return search(n, c, board, signature, label, e);
    return count_searched(n, file_case(n, &none, true, signature, c, board, label, e));
}

/* Is there a finding of which this change alone is the cause, and nothing else can be? */
static bool stands_alone(const struct news *n, unsigned clause, uint8_t reading)
{
    for (unsigned i = 0; i < book_count(n->book); i++) {
        const struct explanation *x = &book_finding(n->book, i)->explanation;
        const struct cause *cause = &x->rival[0];
        if (x->rivals == 1 && !x->excused && cause->count == 1 && cause->change[0].clause == clause && cause->change[0].reading == reading)
            return true;
    }
    return false;
}

/* Asks the board of a case in which, by the model, one change stands alone. Where it does not, there is more to the board than is known. */
static bool file_single(struct news *n, const struct test_case *c, const char *label, struct error *e)
{
    struct explanation x;
    struct differences d;
    enum answer answer;
    bool steady, more;
    struct outcome *board = outcome_new(n->unit);
    bool good = board_run_one(n->board, c, board, &answer, e) && repeat(n, c, board, &steady, e);
    if (good && answer == ANSWER_OUTCOME && steady && model_standing(n->executor, c, n->profile, board, n->model, NULL, &d) == STANDS_DIFFERENT) {
        uint64_t signature = differences_signature(n->unit, n->model, board, &d);
        explainer_run(n->explainer, c, n->profile, board, 1, 0, &x);
        if (x.rivals)
            good = file_case(n, &x, false, signature, c, board, label, e);
        else if (!is_known(n, c, board))
            good = file_unknown_part(n, c, label, &more, e);
    }
    outcome_free(board);
    return good;
}

/* One part of a finding's cause; `from`: its case. */
static bool single_out(struct news *n, const struct test_case *from, const char *label, unsigned clause, uint8_t reading, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    struct single_search s = {.executor = n->executor, .base = n->profile, .clause = clause, .reading = reading, .from = from, .tries = SINGLE_TRIES};
    bool good = true;
    for (; s.draw < SINGLE_ASKED && good && !stands_alone(n, clause, reading); s.draw++) {
        s.known = book_known(n->book);
        if (!single_find(&s, c))
            break;
        good = file_single(n, c, label, e);
    }
    free(c);
    return good;
}

/* The parts of a finding's cause. It is not looked at after the first case was filed: filing may settle the book, and then it may be gone. */
static bool single_out_parts(struct news *n, const struct finding *f, struct error *e)
{
    bool good = true;
    const struct cause cause = f->explanation.rivals ? f->explanation.rival[0] : (struct cause){0};
    bool excused = cause.excuses && book_attributes(n->book, &cause); /* other cases need it, and no finding says so */
    if (cause.count < 2 && !excused)
        return true;
    struct test_case *from = memory_new(1, sizeof *from);
    char label[sizeof f->label];
    case_copy(from, f->smallest);
    (void)snprintf(label, sizeof label, "%.100s, singled out", f->label);
    for (unsigned k = 0; k < cause.count && good; k++)
        good = single_out(n, from, label, cause.change[k].clause, cause.change[k].reading, e);
    free(from);
    return good;
}

bool news_single_out(struct news *n, struct error *e)
{
    bool good = true;
    unsigned findings = book_count(n->book);
    n->says = KNOWN_UNASKED; /* it was of the last case */
    for (unsigned i = 0; i < findings && i < book_count(n->book) && good && !n->exact && n->board; i++)
        good = single_out_parts(n, book_finding(n->book, i), e);
    return good;
}
