/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/triage.h"

#include "model/core/memory.h"

#include "fuzz/engines/isolate.h"
#include "fuzz/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPEATS = 3,           /* runs that a live board must repeat before a difference is believed */
    ROUNDS = 4,            /* causes that are looked for in one case whose differences have several */
    KNOWN_SEARCHED = 1024, /* known cases tried with all single changes: they may tell rivals apart; ... */
    KNOWN_EVERY = 64,      /* ... one in so many of those that are looked at */
    LOOKED_EVERY = 16,     /* of cases that known causes may predict, one in so many goes to the profile */
    FLOOD_FROM = 256,      /* cases that differ, from which on some are left out */
    SKIPS_MAX = 255,       /* cases left out after one that opened no finding: 1, 3, 7, ... to this many */
    DOUBT_AT = 32,         /* searched cases without a new finding, until causes are doubted, doubling */
    REDUCE_UNKNOWN = 1500, /* candidates of the reduction that comes before the search */
    REDUCE_FINDING = 4000, /* candidates of the reduction of a finding's case */
    SINGLE_TRIES = 6000,   /* cases made on the model to find one in which one part of a cause stands alone */
    SINGLE_ASKED = 8       /* of such cases, those of which the board is asked */
};

void triage_begin(struct triage *n)
{
    n->doubt_at = DOUBT_AT;
    n->clauses = unit_clauses(n->unit);
    n->explainer = explainer_new(n->executor);
    n->model = outcome_new(n->unit);
    n->answer = outcome_new(n->unit);
    n->again = outcome_new(n->unit);
    n->small = memory_new(1, sizeof *n->small);
}

void triage_end(struct triage *n)
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

static bool nothing_is_known(const struct triage *n)
{
    return !memcmp(findings_known(n->findings), n->profile, sizeof *n->profile);
}

/* Does the model under a profile do something else than the board, in defined bits? `d` may be NULL. */
static bool differs(struct triage *n, const struct test_case *c, const struct profile *p,
                    const struct outcome *board, struct differences *d)
{
    return model_match(n->executor, c, p, board, n->model, NULL, d) == MATCH_DIFFERENT;
}

static bool leaves_undefined(struct triage *n, const struct triage_case *c, const struct profile *p,
                             struct tally *t)
{
    if (t)
        *t = (struct tally){.undefined_only = 1};
    return model_match(n->executor, c->tc, p, c->board, n->model, t, NULL) != MATCH_DIFFERENT;
}

/* What a prediction is asked with: what was touched before, and the tally that counts what is compared. */
struct prediction {
    const struct coverage *seen;
    struct tally *t;
};

/*
 * The one place that asks whether a case is known. Runs the model under the profile with all causes found so
 * far; where that is not what the board did, a checked run. A prediction (`p`; else NULL) also holds where
 * causes that only excuse, and have a say in the case, leave the difference undefined; and none is made for a
 * case that touches something new.
 */
static enum known ask(struct triage *n, const struct triage_case *c, const struct prediction *p)
{
    const struct profile *known = findings_known(n->findings), *masking = findings_known_masked(n->findings);
    struct tally *t = p ? p->t : NULL;
    executor_run(n->executor, c->tc, known, RUN_PLAIN, n->model);
    if (p && !coverage_holds(p->seen, &n->executor->last))
        return KNOWN_UNASKED;
    if (outcomes_equal(n->model, c->board, t, NULL))
        return KNOWN_MATCHES;
    bool masks = p && coverage_parts(&n->executor->last, known, masking, n->clauses);
    bool matches = (masks && leaves_undefined(n, c, masking, t)) || leaves_undefined(n, c, known, t);
    return matches ? KNOWN_MATCHES : KNOWN_NOT;
}

static bool is_known(struct triage *n, const struct triage_case *c)
{
    return !nothing_is_known(n) && ask(n, c, NULL) == KNOWN_MATCHES;
}

bool triage_predicts(struct triage *n, struct triage_case *c, const struct coverage *seen, struct tally *t)
{
    const struct prediction p = {.seen = seen, .t = t};
    memset(t, 0, sizeof *t);
    if (n->exact || n->known < KNOWN_SEARCHED || nothing_is_known(n))
        return false;
    c->turn = n->may_predict++ % LOOKED_EVERY == 0;
    if (c->turn)
        return false;
    c->known = ask(n, c, &p);
    t->predicted = t->equal;
    t->equal = 0;
    return c->known == KNOWN_MATCHES;
}

bool triage_is_known(struct triage *n, struct triage_case *c)
{
    if (n->exact)
        return false;
    if (c->known == KNOWN_UNASKED)
        c->known = is_known(n, c) ? KNOWN_MATCHES : KNOWN_NOT;
    if (c->known != KNOWN_MATCHES)
        return false;
    n->known++;
    if (n->known > KNOWN_SEARCHED && n->known % KNOWN_EVERY)
        return true;
    explainer_run(n->explainer, c->tc, n->profile, c->board, 1, 0, &c->single);
    c->sampled = c->single.candidates;
    return !c->sampled;
}

bool triage_is_skipped(struct triage *n, const struct triage_case *c)
{
    if (c->sampled || n->exact || n->tally->different < FLOOD_FROM || !n->skips_left)
        return false;
    n->skips_left -= c->turn && n->skips_left > LOOKED_EVERY ? LOOKED_EVERY : 1;
    return true;
}

static void skip_after(struct triage *n)
{
    n->skips = 2 * n->skips + 1 < SKIPS_MAX ? 2 * n->skips + 1 : SKIPS_MAX;
    n->skips_left = n->skips;
}

/* Runs the case again; *steady tells whether the board did the same each time. */
static bool repeat(struct triage *n, const struct test_case *c, const struct outcome *board, bool *steady,
                   struct error *e)
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

bool triage_repeat(struct triage *n, struct triage_case *c, struct error *e)
{
    return repeat(n, c->tc, c->board, &c->steady, e);
}

/* Singles always; larger sets as long as the budget lasts. */
static void explain(struct triage *n, const struct test_case *c, const struct outcome *board,
                    struct explanation *x)
{
    explainer_run(n->explainer, c, n->profile, board, 1, 0, x);
    if (x->candidates || n->max_changes < 2)
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
    struct triage *n;
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
    (void)snprintf(reduced, 128, "%.*s" LABEL_REDUCED,
                   length < LABEL_SOURCE_MAX ? (int)length : LABEL_SOURCE_MAX, label);
}

/* The finding takes over the reduced case in n->small, if the board stands by it. */
static bool take_reduced(struct triage *n, struct finding *f, const char *label, struct error *e)
{
    struct differences d;
    enum answer answer;
    bool steady;
    if (!board_run_one(n->board, n->small, n->answer, &answer, e) ||
        !repeat(n, n->small, n->answer, &steady, e))
        return false;
    if (!steady || answer != ANSWER_OUTCOME || !differs(n, n->small, n->profile, n->answer, &d))
        return true;
    f->signature =
        f->explanation.candidates ? differences_signature(n->unit, n->model, n->answer, &d) : f->signature;
    return finding_set_case(f, n->small, n->answer, label) || error_memory(e, "while reducing a case");
}

/* Reduces the case of a finding. One that cannot get smaller is a reduced one, too. */
static bool reduce_finding(struct triage *n, struct finding *f, struct error *e)
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
                                       .known = findings_known(n->findings),
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

bool triage_reduce(struct triage *n, struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < findings_count(n->findings); i++) {
        struct finding *f = findings_at(n->findings, i);
        good = !f->cases || label_says_reduced(f->label) || reduce_finding(n, f, e);
    }
    return good;
}

/*
 * Files a case, or the part of it that is `what`, under what explains it; a new finding gets its smallest
 * case and is announced. What the board does not do each time is explained by nothing.
 */
static bool file_as(struct triage *n, struct triage_case *c, const struct triage_case *what,
                    const struct explanation *x, struct error *e)
{
    static const struct explanation none;
    struct evidence_of_case evidence = {.explanation = what->steady ? x : &none,
                                        .flaky = !what->steady,
                                        .signature = what->signature,
                                        .tc = what->tc,
                                        .board = what->board,
                                        .label = what->label,
                                        .filed = n->filed,
                                        .context = n->context};
    struct finding *f;
    enum filed filed = findings_file_case(n->findings, &evidence, &f, e);
    c->unfiled |= filed == FILED_NOWHERE;
    if (filed != FILED_NEW) {
        if (filed == FILED_FAILED || n->exact || c->sampled || ++n->stale < n->doubt_at)
            return filed != FILED_FAILED;
        n->stale = 0;
        n->doubt_at *= 2;
        return n->doubt(n->context, e);
    }
    n->skips = n->skips_left = 0;
    bool reduced = reduce_finding(n, f, e);
    struct error second = {0};
    /* a finding is kept even if the board died while it was reduced */
    return n->opened(n->context, f, reduced ? e : &second) && reduced;
}

/* The question of the reduction that comes before a search. */
struct unknown {
    struct triage *n;
    struct error error;
    bool failed;
};

static bool keeps_unknown(void *context, const struct test_case *candidate)
{
    struct unknown *u = context;
    struct triage *n = u->n;
    enum answer answer;
    if (u->failed || n->ending(n->context))
        return false;
    if (!board_run_one(n->board, candidate, n->answer, &answer, &u->error)) {
        u->failed = true;
        return false;
    }
    return answer == ANSWER_OUTCOME && differs(n, candidate, n->profile, n->answer, NULL) &&
           differs(n, candidate, findings_known(n->findings), n->answer, NULL);
}

/* Runs a part of a case on the board, several times; false if that fails. Does it differ from the profile? */
static bool run_part(struct triage *n, struct triage_case *part, struct outcome *board, bool *differing,
                     struct error *e)
{
    struct differences d;
    enum answer answer;
    part->board = board;
    if (!board_run_one(n->board, part->tc, board, &answer, e) || !triage_repeat(n, part, e))
        return false;
    *differing = answer == ANSWER_OUTCOME && differs(n, part->tc, n->profile, board, &d);
    if (*differing)
        part->signature = differences_signature(n->unit, n->model, board, &d);
    return true;
}

/*
 * Reduces a copy of the case to what is not yet known of it, explains and files
 * that. *more: the case's other differences may have further causes.
 */
static bool file_unknown_part(struct triage *n, struct triage_case *c, bool *more, struct error *e)
{
    struct unknown keep = {.n = n};
    struct test_case *small = memory_new(1, sizeof *small);
    struct outcome *board = outcome_new(n->unit);
    struct explanation x = {0};
    char label[128];
    struct triage_case part = {.tc = small, .label = label};
    bool differing = false;
    *more = false;
    case_copy(small, c->tc);
    case_reduce(small, keeps_unknown, &keep, REDUCE_UNKNOWN);
    bool good = !keep.failed && run_part(n, &part, board, &differing, &keep.error);
    if (!good)
        *e = keep.error;
    if (good && differing) {
        struct profile before = *findings_known(n->findings);
        if (part.steady)
            explain(n, small, board, &x);
        snprintf(label, sizeof label, "%.*s" LABEL_PART, LABEL_SOURCE_MAX, c->label);
        good = file_as(n, c, &part, &x, e);
        *more = good && memcmp(&before, findings_known(n->findings), sizeof before) != 0;
    }
    free(small);
    outcome_free(board);
    return good;
}

/* A case of an endless source that is not known, nor explained by a single change. *searched: to its end. */
static bool file_parts(struct triage *n, struct triage_case *c, bool *searched, struct error *e)
{
    bool more = true;
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        *searched = n->budget != 0;
        if (!*searched || (round && is_known(n, c))) /* by what the round before found */
            return true;
        if (!file_unknown_part(n, c, &more, e)) {
            *searched = false; /* the board died, or the disk is full: the case stays in the count */
            return false;
        }
    }
    return true;
}

/* Searches for what explains a case that is not known, and files it. */
static bool search(struct triage *n, struct triage_case *c, bool *searched, struct error *e)
{
    struct explanation x;
    skip_after(n); /* file_as takes it back for a new finding */
    if (!c->steady)
        return file_as(n, c, c, NULL, e);
    if (n->exact) {
        explain(n, c->tc, c->board, &x);
    } else {
        explainer_run(n->explainer, c->tc, n->profile, c->board, 1, 0, &x);
        if (!x.candidates)
            return file_parts(n, c, searched, e);
    }
    return file_as(n, c, c, &x, e);
}

bool triage_file(struct triage *n, struct triage_case *c, struct error *e)
{
    bool searched = true;
    bool good = c->sampled ? file_as(n, c, c, &c->single, e) : search(n, c, &searched, e);
    /* a case with a part that no finding took in is not to look as if it were in the report */
    *(!searched ? &n->tally->unattributed : c->unfiled ? &n->tally->unfiled : &n->tally->attributed) += 1;
    return good;
}

/* Is there a finding of which this change alone is the cause, and nothing else can be? */
static bool stands_alone(const struct triage *n, unsigned clause, uint8_t reading)
{
    for (unsigned i = 0; i < findings_count(n->findings); i++) {
        const struct explanation *x = &findings_at(n->findings, i)->explanation;
        const struct cause *cause = &x->candidate[0];
        if (x->candidates == 1 && !x->masked && cause->count == 1 && cause->change[0].clause == clause &&
            cause->change[0].reading == reading)
            return true;
    }
    return false;
}

/*
 * Asks the board of a case in which, by the model, one change stands alone. Where it does not, there is more
 * to the board than is known.
 */
static bool file_single(struct triage *n, const struct test_case *tc, const char *label, struct error *e)
{
    struct explanation x;
    bool differing, more;
    struct outcome *board = outcome_new(n->unit);
    struct triage_case c = {.tc = tc, .label = label};
    bool good = run_part(n, &c, board, &differing, e);
    if (good && differing && c.steady) {
        explainer_run(n->explainer, tc, n->profile, board, 1, 0, &x);
        if (x.candidates)
            good = file_as(n, &c, &c, &x, e);
        else if (!is_known(n, &c))
            good = file_unknown_part(n, &c, &more, e);
    }
    outcome_free(board);
    return good;
}

/* One part of a finding's cause; `from`: its case. */
static bool single_out(struct triage *n, const struct test_case *from, const char *label, unsigned clause,
                       uint8_t reading, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    struct single_search s = {.executor = n->executor,
                              .base = n->profile,
                              .clause = clause,
                              .reading = reading,
                              .from = from,
                              .tries = SINGLE_TRIES};
    bool good = true;
    for (; s.draw < SINGLE_ASKED && good && !stands_alone(n, clause, reading); s.draw++) {
        s.known = findings_known(n->findings);
        if (!single_find(&s, c))
            break;
        good = file_single(n, c, label, e);
    }
    free(c);
    return good;
}

/*
 * The parts of a finding's cause. It is not looked at after the first case was filed: filing may settle the
 * book, and then it may be gone.
 */
static bool single_out_parts(struct triage *n, const struct finding *f, struct error *e)
{
    bool good = true;
    const struct cause cause = f->explanation.candidates ? f->explanation.candidate[0] : (struct cause){0};
    /* other cases need it, and no finding says so */
    bool masked = cause.masks && findings_attributes(n->findings, &cause);
    if (cause.count < 2 && !masked)
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

bool triage_single_out(struct triage *n, struct error *e)
{
    bool good = true;
    unsigned findings = findings_count(n->findings);
    for (unsigned i = 0; i < findings && i < findings_count(n->findings) && good && !n->exact && n->board;
         i++)
        good = single_out_parts(n, findings_at(n->findings, i), e);
    return good;
}
