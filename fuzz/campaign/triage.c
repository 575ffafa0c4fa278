/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/triage.h"

#include "fuzz/campaign/agreeing.h"
#include "fuzz/campaign/isolate.h"
#include "fuzz/reduce.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Runs in which a live board must give the same outcome before a difference is accepted. */
    REPEATS = 3,
    ROUNDS = 4, /* limit of parts of a case that triage searches, if the case shows several causes */
    KNOWN_SEARCHED = 1024, /* triage searches all known cases up to this number for single changes */
    KNOWN_EVERY = 64,      /* triage searches one in so many of the later known cases */
    PROFILE_EVERY = 16,    /* one in so many cases that may be predicted is compared with the profile */
    FLOOD_FROM = 256,      /* triage skips cases after so many differing ones */
    /* Limit of cases to skip after a search. The number is 1, 3, 7, ... until a new finding resets it. */
    SKIPS_MAX = 255,
    /* Searches without a new finding after which the campaign attributes again; doubles each time. */
    FUTILE_MOST = 32,
    REDUCE_UNKNOWN = 1500, /* limit of candidates in the reduction to a part that is not known */
    REDUCE_FINDING = 4000, /* limit of candidates in the reduction of a finding's case */
    OFTEN = 8,             /* the search for rules relies on causes with at least so many cases */
    CALM = 256,            /* the search for rules begins after so many cases without a new cause */
    ISOLATE_TRIES = 6000,  /* limit of cases made to find one in which one change acts alone */
    ISOLATE_ASKED = 8      /* limit of such cases that the board runs for one change */
};

void triage_begin(struct triage *n)
{
    n->futile_most = FUTILE_MOST;
    n->explainer = explainer_new(n->executor);
    n->model = outcome_new(n->unit);
    n->answer = outcome_new(n->unit);
    n->again = outcome_new(n->unit);
    n->small = memory_new(1, sizeof *n->small);
    n->refuter.executor = n->executor;
    n->refuter.findings = n->findings;
}

void triage_end(struct triage *n)
{
    explainer_free(n->explainer);
    outcome_free(n->model);
    outcome_free(n->answer);
    outcome_free(n->again);
    free(n->small);
}

/* Does the model under a profile differ from the board in a defined bit? Sets *d unless `d` is NULL. */
static bool differs(struct triage *n, const struct test_case *c, const struct profile *p,
                    const struct outcome *board, struct differences *d)
{
    return model_match(n->executor, c, p, board, n->model, NULL, d) == MATCH_DIFFERENT;
}

/* ---- is it known? ---- */

static bool nothing_is_known(const struct triage *n)
{
    return !memcmp(findings_known(n->findings), n->profile, sizeof *n->profile);
}

/* Runs the model in checked mode under a profile. Does its outcome equal the board's in all defined bits? */
static bool matches(struct triage *n, struct triage_case *c, const struct profile *p)
{
    c->tally = (struct tally){.undefined_only = 1};
    return model_match(n->executor, c->tc, p, c->board, n->model, &c->tally, NULL) != MATCH_DIFFERENT;
}

/* Finds out whether a case is known, by runs of the model with the known causes. */
static enum known ask(struct triage *n, struct triage_case *c)
{
    const struct profile *known = findings_known(n->findings), *masking = findings_known_masked(n->findings);
    const struct coverage *last = &n->executor->last;
    executor_run(n->executor, c->tc, known, RUN_PLAIN, n->model);
    c->touches_new = !coverage_contains(n->seen, last);
    c->tally = (struct tally){0};
    if (outcomes_equal(n->model, c->board, &c->tally, NULL))
        return KNOWN_MATCHES;
    bool masks = coverage_distinguishes(last, known, masking, unit_clauses(n->unit));
    if (matches(n, c, known))
        return KNOWN_MATCHES;
    return masks && matches(n, c, masking) ? KNOWN_MASKED : KNOWN_NOT;
}

bool triage_is_known(struct triage *n, struct triage_case *c)
{
    if (c->known == KNOWN_UNASKED)
        c->known = n->exact || nothing_is_known(n) ? KNOWN_NOT : ask(n, c);
    return c->known == KNOWN_MATCHES;
}

bool triage_is_predicted(struct triage *n, struct triage_case *c)
{
    if (n->exact || n->known < KNOWN_SEARCHED || nothing_is_known(n))
        return false;
    c->turn = n->may_predict++ % PROFILE_EVERY == 0;
    if (c->turn || !(triage_is_known(n, c) || c->known == KNOWN_MASKED) || c->touches_new)
        return false;
    c->tally.predicted = c->tally.equal;
    c->tally.equal = 0;
    return true;
}

bool triage_is_sampled(struct triage *n, struct triage_case *c)
{
    n->known++;
    if (n->known > KNOWN_SEARCHED && n->known % KNOWN_EVERY)
        return false;
    explainer_run(n->explainer, c->tc, n->profile, c->board, 1, 0, &c->single);
    return c->sampled = c->single.candidates;
}

bool triage_is_skipped(struct triage *n, const struct triage_case *c)
{
    if (c->sampled || n->exact || n->tally->different < FLOOD_FROM || !n->skips_left)
        return false;
    n->skips_left -= c->turn && n->skips_left > PROFILE_EVERY ? PROFILE_EVERY : 1;
    return true;
}

/* ---- does the board repeat it? ---- */

/* Runs a case on the board again, to see whether the board gives the same outcome. Does so on a virtual
 * board, too, to see whether the model carries state over from case to case. */
static bool repeat(struct triage *n, const struct test_case *c, const struct outcome *board, bool *steady,
                   struct error *e)
{
    *steady = true;
    for (unsigned i = 0; n->board && i < REPEATS && *steady; i++) {
        enum answer answer;
        if (!board_run_one(n->board, c, n->again, &answer, e))
            return false;
        *steady = answer == ANSWER_OUTCOME && outcomes_equal(n->again, board, NULL, NULL);
    }
    return true;
}

/* ---- the smallest form of a finding's case ---- */

struct reduction {
    struct reduce_same_cause keep;
    struct triage *n;
};

static bool keeps_cause(void *context, const struct test_case *candidate)
{
    struct reduction *r = context;
    return !r->n->ending(r->n->context) && reduce_keeps_cause(&r->keep, candidate);
}

/* Runs the reduced case in n->small on the board. If the board repeats its outcome and the case still
 * differs, the finding gets this case. */
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
    if (f->explanation.candidates)
        f->signature = differences_signature(n->unit, n->model, n->answer, &d);
    return finding_set_case(f, n->small, n->answer, label) || error_memory(e, "while reducing a case");
}

/* Reduces the case of a finding. If no smaller case was found, only changes the label to say that the case is
 * reduced. */
static bool reduce_finding(struct triage *n, struct finding *f, struct error *e)
{
    struct reduction r = {.n = n,
                          .keep = {.executor = n->executor,
                                   .board = n->board,
                                   .profile = n->profile,
                                   .explanation = &f->explanation,
                                   .known = findings_known(n->findings),
                                   .signature = f->signature}};
    char label[sizeof f->label];
    if (!n->reduce || !n->board || f->verdict == VERDICT_FLAKY || f->learned.rules[0])
        return true; /* a finding with learned rules already has a reduced case */
    reduce_begin(&r.keep);
    case_copy(n->small, f->smallest);
    (void)case_reduce(n->small, keeps_cause, &r, REDUCE_FINDING);
    label_set_reduced(f->label, label);
    bool good = !r.keep.failed;
    if (good && !case_equal(n->small, f->smallest))
        good = take_reduced(n, f, label, &r.keep.error);
    else if (good && !n->ending(n->context))
        (void)snprintf(f->label, sizeof f->label, "%s", label);
    if (!good)
        *e = r.keep.error;
    reduce_end(&r.keep);
    return good && (n->ending(n->context) ||
                    agreeing_find(n->executor, n->board, n->profile, n->refuter.chosen, f, e));
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

/* ---- search and file ---- */

/* Searches for changes that explain a case: all single changes, then larger sets while n->budget lasts. */
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

/*
 * Files `what`, which is case `c` or a part of it, in the finding of explanation `x`. Reduces the case of a
 * new finding, and calls n->opened. Files a difference that the board does not repeat without an explanation.
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
                                        .learned = what->learned,
                                        .related = what->related,
                                        .filed = n->filed,
                                        .context = n->context};
    struct finding *f;
    enum filed filed = findings_file_case(n->findings, &evidence, &f, e);
    c->unfiled |= filed == FILED_NOWHERE;
    if (filed == FILED_FAILED)
        return false;
    if (filed == FILED_NEW && x && x->candidates)
        n->caused_at = n->tally->cases;
    n->to_learn |= filed == FILED_NEW && what->steady && !what->learned && !x->candidates;
    if (filed == FILED_NEW && what->learned) {
        n->skips = n->skips_left = 0;
        return n->opened(n->context, f, e) && n->learned(n->context, what->learned, e);
    }
    if (filed == FILED_NEW) {
        struct error later = {0};
        n->skips = n->skips_left = 0;
        bool reduced = reduce_finding(n, f, e);
        /* keep the finding even if the board failed during the reduction */
        return n->opened(n->context, f, reduced ? e : &later) && reduced;
    }
    if (n->exact || c->sampled || ++n->futile < n->futile_most)
        return true;
    n->futile = 0;
    n->futile_most *= 2;
    return n->reattribute(n->context, e);
}

/* The condition of the reduction to a part that is not known: the board's outcome differs from the model's
 * both under the profile under test and with the known causes. */
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
    u->failed = !board_run_one(n->board, candidate, n->answer, &answer, &u->error);
    return !u->failed && answer == ANSWER_OUTCOME && differs(n, candidate, n->profile, n->answer, NULL) &&
           differs(n, candidate, findings_known(n->findings), n->answer, NULL);
}

/* Runs a part of a case on the board several times. Sets the part's outcome, part->steady and *differing.
 * Returns false if the board failed. */
static bool run_part(struct triage *n, struct triage_case *part, struct outcome *board, bool *differing,
                     struct error *e)
{
    struct differences d;
    enum answer answer;
    part->board = board;
    if (!board_run_one(n->board, part->tc, board, &answer, e) ||
        !repeat(n, part->tc, board, &part->steady, e))
        return false;
    *differing = answer == ANSWER_OUTCOME && differs(n, part->tc, n->profile, board, &d);
    if (*differing)
        part->signature = differences_signature(n->unit, n->model, board, &d);
    return true;
}

/* ---- learning ---- */

/*
 * Searches, by experiments with the board, for a reading or rules that explain a part of case `c`. If the
 * search succeeds, files the part and sets *found.
 */
static bool learn_part(struct triage *n, struct triage_case *c, const struct triage_case *part, bool *found,
                       struct error *e)
{
    struct learning_result r;
    struct profile known;
    struct outcome *board;
    char label[128];
    bool differing;
    *found = false;
    findings_often_seen(n->findings, OFTEN, &known);
    if (!n->learning || n->exact || !n->board || !part->steady || learning_is_over(n->learning) ||
        !learning_is_worth(n->learning, part->signature) || !differs(n, part->tc, &known, part->board, NULL))
        return true;
    if (!learning_explain(n->learning, &known, part->tc, part->signature, &r, e))
        return false;
    if (!r.found || refuter_knows(&n->refuter, r.rules.rules)) {
        learning_result_free(&r);
        return true;
    }
    struct triage_case small = {.tc = r.smallest, .label = label, .related = r.related};
    small.learned = r.rules.rules[0] ? &r.rules : NULL;
    label_set_reduced(c->label, label);
    board = outcome_new(n->unit);
    bool good = run_part(n, &small, board, &differing, e);
    *found = good && differing && small.steady;
    if (*found)
        good = file_as(n, c, &small, &r.explanation, e);
    outcome_free(board);
    learning_result_free(&r);
    return good;
}

/* Withdraws the rules of a finding that a case refutes, and sets *of to the finding; NULL: none. */
static bool withdraw_refuted(struct triage *n, const struct test_case *tc, const struct outcome *board,
                             const char *label, struct finding **of, struct error *e)
{
    bool good = refuter_judge(&n->refuter, tc, board, label, of, e);
    if (!good || !*of)
        return good;
    (*of)->cases++;
    n->skips = n->skips_left = 0;
    if (n->filed)
        n->filed(n->context, *of);
    return !n->learning || learning_keep(n->learning, n->profile, &(*of)->related[RELATED_REFUTES], e);
}

/*
 * Reduces a copy of the case to a part that the known causes do not explain, because a small case mostly has
 * one cause. Explains and files that part. Sets *more if this found a new cause, because the rest of the case
 * may then show another one.
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
    struct finding *refuted = NULL;
    if (good && differing && part.steady)
        good = withdraw_refuted(n, small, board, c->label, &refuted, e);
    *more = refuted;
    if (good && differing && !refuted) {
        struct profile before = *findings_known(n->findings);
        bool learned = false;
        if (part.steady)
            explain(n, small, board, &x);
        (void)snprintf(label, sizeof label, "%.*s" LABEL_PART, LABEL_SOURCE_MAX, c->label);
        bool calm = n->tally->cases >= n->caused_at + CALM;
        good = x.candidates || x.unspecified || !calm || learn_part(n, c, &part, &learned, e);
        if (good && !learned)
            good = file_as(n, c, &part, &x, e);
        *more = good && memcmp(&before, findings_known(n->findings), sizeof before) != 0;
    }
    free(small);
    outcome_free(board);
    return good;
}

/* Files a case part by part until it is known. Sets *searched to false if a limit or a failure ended the
 * search. */
static bool file_parts(struct triage *n, struct triage_case *c, bool *searched, struct error *e)
{
    bool more = true;
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        *searched = n->budget != 0;
        /* Ask again, because the causes that the last round found may explain the rest of the case. */
        c->known = round ? KNOWN_UNASKED : c->known;
        if (!*searched || triage_is_known(n, c))
            return true;
        if (!file_unknown_part(n, c, &more, e)) {
            *searched = false; /* the board or the store failed: the tally counts the case as unattributed */
            return false;
        }
    }
    return true;
}

/* Searches for what explains a case that is not known, and files it. */
static bool file_unknown(struct triage *n, struct triage_case *c, bool *searched, struct error *e)
{
    struct explanation x;
    n->skips = 2 * n->skips + 1 < SKIPS_MAX ? 2 * n->skips + 1 : SKIPS_MAX; /* a new finding resets it */
    n->skips_left = n->skips;
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

/* Runs the case of a finding again. If it still differs, calls `search` for it. */
static bool search_finding(struct triage *n, const struct finding *f,
                           bool (*search)(struct triage *n, struct triage_case *c, bool *found,
                                          struct error *e),
                           bool *found, struct error *e)
{
    struct test_case *tc = memory_new(1, sizeof *tc);
    char label[sizeof f->label];
    struct outcome *board = outcome_new(n->unit);
    struct triage_case c = {.tc = tc, .label = label};
    bool differing;
    *found = false;
    case_copy(tc, f->smallest); /* a copy, because the search may move the finding into another one */
    (void)snprintf(label, sizeof label, "%s", f->label);
    bool good = run_part(n, &c, board, &differing, e);
    if (good && differing)
        good = search(n, &c, found, e);
    outcome_free(board);
    free(tc);
    return good;
}

static bool search_unless_known(struct triage *n, struct triage_case *c, bool *searched, struct error *e)
{
    return triage_is_known(n, c) || file_unknown(n, c, searched, e);
}

/* Searches again what withdrawn rules explained: the cases from which they were learned. */
static bool search_again(struct triage *n, struct error *e)
{
    bool good = true, searched;
    while (good && n->searched_again < n->refuter.count)
        good =
            search_finding(n, n->refuter.withdrawn[n->searched_again++], search_unless_known, &searched, e);
    return good;
}

bool triage_search(struct triage *n, struct triage_case *c, struct error *e)
{
    struct finding *refuted = NULL;
    bool searched = repeat(n, c->tc, c->board, &c->steady, e), good = searched;
    if (good && c->steady && !c->sampled)
        good = searched = withdraw_refuted(n, c->tc, c->board, c->label, &refuted, e);
    if (good && !refuted)
        good = c->sampled ? file_as(n, c, c, &c->single, e) : file_unknown(n, c, &searched, e);
    good = good && search_again(n, e);
    /* a case counts as attributed only if every part of it is in a finding */
    ++*(!searched ? &n->tally->unattributed : c->unfiled ? &n->tally->unfiled : &n->tally->attributed);
    return good;
}

bool triage_should_learn(const struct triage *n)
{
    return n->learning && n->to_learn && n->tally->cases >= n->caused_at + CALM;
}

static bool learn_unless_known(struct triage *n, struct triage_case *c, bool *found, struct error *e)
{
    return !differs(n, c->tc, findings_known(n->findings), c->board, NULL) || learn_part(n, c, c, found, e);
}

bool triage_learn(struct triage *n, bool thorough, struct error *e)
{
    bool good = search_again(n, e), found = n->tally->cases >= CALM; /* known readings come first */
    n->to_learn = false;
    if (n->learning)
        learning_allow(n->learning, thorough);
    while (good && found && n->learning && !n->exact && n->board) {
        found = false;
        learning_count(n->learning, n->findings);
        const struct finding *f = NULL;
        for (unsigned i = 0;
             i < findings_count(n->findings) && good && !found && (f = learning_next(n->findings, f)); i++) {
            n->learning->searching++;
            good = search_finding(n, f, learn_unless_known, &found, e);
            if (!found && learning_is_over(n->learning)) {
                learning_note_unsearched(n->learning, n->findings);
                return good;
            }
        }
    }
    if (n->learning)
        n->learning->searching = n->learning->to_search = 0;
    return good;
}

/* ---- changes that act alone ---- */

/* Runs a case on the board in which, by the model, one change acts alone. If the board differs from the
 * profile under test, files the case under the single changes that explain it. If no single change does,
 * files the part of it that is not known. */
static bool file_isolated(struct triage *n, const struct test_case *tc, const char *label, struct error *e)
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
        else if (!triage_is_known(n, &c))
            good = file_unknown_part(n, &c, &more, e);
    }
    outcome_free(board);
    return good;
}

static bool isolate_change(struct triage *n, const struct test_case *from, const char *label, unsigned clause,
                           uint8_t reading, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    struct isolation s = {.executor = n->executor,
                          .base = n->profile,
                          .clause = clause,
                          .reading = reading,
                          .from = from,
                          .tries = ISOLATE_TRIES};
    bool good = true;
    for (; s.draw < ISOLATE_ASKED && good && !isolate_is_done(n->findings, clause, reading); s.draw++) {
        s.known = findings_known(n->findings);
        if (!isolate(&s, c))
            break;
        good = file_isolated(n, c, label, e);
    }
    free(c);
    return good;
}

/* Isolates each change of a finding's cause. Copies the cause first, because filing a case may move the
 * finding into another one. */
static bool isolate_cause(struct triage *n, const struct finding *f, struct error *e)
{
    bool good = true;
    const struct cause cause = f->explanation.candidates ? f->explanation.candidate[0] : (struct cause){0};
    bool masks = cause.masks && findings_attributes(n->findings, &cause);
    if (cause.count < 2 && !masks)
        return true;
    struct test_case *from = memory_new(1, sizeof *from);
    char label[sizeof f->label];
    case_copy(from, f->smallest);
    (void)snprintf(label, sizeof label, "%.100s, singled out", f->label);
    for (unsigned k = 0; k < cause.count && good; k++)
        good = isolate_change(n, from, label, cause.change[k].clause, cause.change[k].reading, e);
    free(from);
    return good;
}

bool triage_isolate(struct triage *n, struct error *e)
{
    bool good = true;
    unsigned findings = n->exact || !n->board ? 0 : findings_count(n->findings);
    for (unsigned i = 0; i < findings && i < findings_count(n->findings) && good; i++)
        good = isolate_cause(n, findings_at(n->findings, i), e);
    return good;
}
