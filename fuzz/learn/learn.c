/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/learn.h"

#include "fuzz/generate/generate.h"
#include "fuzz/learn/aside.h"
#include "fuzz/learn/revise.h"
#include "fuzz/reduce.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REDUCE_TRIES = 800,
    ATTEMPTS_MAX = 48,
    SAVE_SECONDS = 3, /* between two savings when nothing is learned */
};

/* ---- the learner ---- */

static struct learner *learner_new(const struct learn_options *o, struct learn_result *r, struct error *e)
{
    struct learner *l = memory_new(1, sizeof *l);
    l->o = o;
    l->r = r;
    l->e = e;
    l->x = executor_new(o->unit);
    executor_place(l->x, &o->board->identity);
    /* Each run of a campaign needs a stream of its own, because it must not repeat the cases of another. */
    random_seed(&l->random, r->cases ? random_mix64(o->seed ^ random_mix64(r->cases)) : o->seed);
    l->earlier_cases = r->cases;
    l->earlier_seconds = r->seconds;
    l->model = outcome_new(o->unit);
    l->base = outcome_new(o->unit);
    l->values = outcome_new(o->unit);
    l->defining = outcome_new(o->unit);
    l->start = outcome_new(o->unit);
    l->small = memory_new(1, sizeof *l->small);
    l->visits = memory_new(1, sizeof *l->visits);
    for (unsigned i = 0; i < 2; i++)
        l->answer[i] = outcome_new(o->unit);
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        l->board[i] = outcome_new(o->unit);
        l->tc[i] = memory_new(1, sizeof *l->tc[i]);
    }
    for (unsigned i = 0; i < LEARN_KEPT_MAX; i++) {
        l->kept[i].tc = memory_new(1, sizeof *l->kept[i].tc);
        l->kept[i].board = outcome_new(o->unit);
    }
    l->began = clock_seconds();
    return l;
}

static void learner_free(struct learner *l)
{
    for (unsigned i = 0; i < LEARN_KEPT_MAX; i++) {
        free(l->kept[i].tc);
        outcome_free(l->kept[i].board);
    }
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        outcome_free(l->board[i]);
        free(l->tc[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        outcome_free(l->answer[i]);
    free(l->small);
    free(l->visits);
    outcome_free(l->base);
    outcome_free(l->values);
    outcome_free(l->defining);
    outcome_free(l->start);
    outcome_free(l->model);
    executor_free(l->x);
    free(l);
}

/* ---- one difference ---- */

static bool still_differs(void *context, const struct test_case *candidate)
{
    struct learner *l = context;
    if (!learner_asked_differs(l, (struct test_case *)(uintptr_t)candidate))
        return false;
    if ((l->refuting && !revise_is_refuted(l, candidate, l->answer[1])) ||
        (l->excusing && revise_excuser(l, candidate, l->answer[1]) != l->excuser))
        return false;
    if (l->with)
        executor_run(l->x, candidate, l->with, RUN_CHECKED, l->model);
    return !l->with || outcomes_equal(l->model, l->answer[1], NULL, NULL);
}

/* Reduces l->small, and puts the board's outcome of the reduced case into l->answer[0]. Returns false if the
 * board does not repeat its answer. */
static bool reduce_small(struct learner *l)
{
    enum answer answer;
    for (unsigned again = 0; again < 2; again++)
        if (!learner_asked_differs(l, l->small))
            return false;
    (void)case_reduce(l->small, still_differs, l, REDUCE_TRIES);
    if (!learner_asked_differs(l, l->small) || !learner_ask(l, &l->small, 1, &l->answer[0], &answer) ||
        answer != ANSWER_OUTCOME)
        return false;
    return outcomes_equal(l->answer[0], l->answer[1], NULL, NULL) &&
           learner_differs(l, l->small, l->answer[0], &l->difference);
}

/* Keeps the reduced case with the change that was learned from it, and further cases for the reader. Returns
 * false if the profile has no room for the change. */
static bool keep_cases(struct learner *l, struct learned *best)
{
    struct profile with = l->r->profile;
    bool good = learn_apply(&best->change, &with);
    l->with = &with;
    good = good && (!l->elsewhere || reduce_small(l));
    l->with = NULL;
    if (!good)
        return false;
    best->smallest = memory_new(1, sizeof *best->smallest);
    case_copy(best->smallest, l->small);
    learner_find_cases(l, best, &with);
    return true;
}

/* Counts cases as set aside no longer. */
static void take_from_count(struct learn_result *r, uint64_t cases)
{
    r->set_aside -= cases < r->set_aside ? cases : r->set_aside;
}

/* Forgets the unexplained differences that the profile explains now. Measures the circumstances of the others
 * again, because fewer cases differ now. */
static void review_asides(struct learner *l)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->asides;) {
        struct learn_aside *a = &r->aside[i];
        bool unexplained = learner_asked_differs(l, a->smallest);
        if (l->failed)
            return;
        if (unexplained) {
            a->next = a->cases + ASIDE_FIRST_SAMPLE;
            if (a->circumstance.found)
                (void)circumstance_measure(l, &a->circumstance);
            i++;
        } else {
            take_from_count(r, a->cases);
            aside_forget(r, i);
        }
    }
}

/* Adds a learned change to the profile. */
static bool believe(struct learner *l, struct learned *best)
{
    struct learn_result *r = l->r;
    struct text t = {0};
    if (r->count == LEARNED_MAX || !keep_cases(l, best))
        return false;
    r->agreed = 0;
    l->beliefs++;
    if (revise_merge(l, best)) {
        learned_free(best);
        review_asides(l);
        return true;
    }
    (void)learn_apply(&best->change, &r->profile);
    r->learned[r->count++] = *best;
    learn_print_change(l->o->unit, &best->change, &t);
    learner_say(l, "learned %s: explains %u case%s, passed %u experiment%s", text_chars(&t), best->explained,
                plural(best->explained), best->experiments, plural(best->experiments));
    text_free(&t);
    revise_drop_needless(l);
    revise_join(l);
    review_asides(l);
    return true;
}

/*
 * Explains the reduced case. A search may go astray where another case leads to the cause in seconds. So a
 * search has a limit of effort, unless two before it were put off since the last one that found something.
 * `put_off`: the limit ended it.
 */
static bool explain(struct learner *l, struct learned *best, bool *put_off)
{
    static const uint64_t most[] = {4000000, 16000000};
    l->effort_before = learner_effort(l);
    l->search_effort = l->put_off < sizeof most / sizeof *most ? most[l->put_off] : 0;
    const bool explained = learner_explain(l, NULL, best);
    *put_off = !explained && l->search_effort && learner_effort(l) - l->effort_before >= l->search_effort;
    l->search_effort = 0;
    l->put_off = *put_off ? l->put_off + 1 : explained ? 0 : l->put_off;
    return explained;
}

/* Reduces the case in l->small, which differs, and learns a change that explains it. If no change does, sets
 * the difference aside. `refutes`: the case refutes a learned change, and so does the reduced one. */
static void study(struct learner *l, bool refutes)
{
    struct learned best;
    l->refuting = refutes;
    const bool steady = reduce_small(l);
    l->refuting = false;
    if (!steady) {
        l->r->flaky += !l->failed;
        return;
    }
    learner_say(l, "case %llu differs; reduced, looking for a reading or a rule",
                (unsigned long long)l->r->cases);
    const enum revised revised = revise_for_case(l);
    if (revised != REVISED_NOTHING)
        learner_save(l);
    if (revised == REVISED_REPAIRED) {
        l->beliefs++;
        review_asides(l);
        return;
    }
    if (revised == REVISED_OTHER_CASE && !reduce_small(l))
        return;
    bool put_off = false;
    const bool explained = explain(l, &best, &put_off);
    if (!explained || !believe(l, &best)) {
        if (!explained && !put_off && revise_instead(l)) {
            l->beliefs++;
            review_asides(l);
            return;
        }
        learner_differs(l, l->small, l->answer[0], &l->difference);
        l->r->set_aside++;
        aside_add(l, differences_signature(l->o->unit, l->model, l->answer[0], &l->difference),
                  put_off || learner_spent(l));
    }
}

/* Learned rule `i` leaves undefined in the case l->small what differs without the rule. Reduces the case, and
 * seeks a change in place of the rule. */
static void study_excused(struct learner *l, uint32_t i)
{
    const struct profile now = l->r->profile;
    learner_say(l, "case %llu agrees only because a learned rule leaves bits undefined; looking for another",
                (unsigned long long)l->r->cases);
    revise_profile_without(l, i, &l->r->profile);
    l->excusing = true;
    l->excuser = i;
    const bool steady = reduce_small(l);
    l->excusing = false;
    l->r->profile = now;
    l->r->flaky += !steady && !l->failed;
    if (!steady || !revise_excuse(l, i))
        return;
    l->beliefs++;
    review_asides(l);
    learner_save(l);
}

/* The sweep of the last rule (sweep.h) has values that generated cases seldom have. Studies the first of its
 * cases that still differs. Returns false if none does. */
static bool study_sweep(struct learner *l)
{
    const struct learn_result *r = l->r;
    if (!r->count)
        return false;
    for (unsigned i = 0; i < SWEEP_MAX && !learner_spent(l); i++) {
        const struct related_case *swept = &r->learned[r->count - 1].related[RELATED_SWEEP + i];
        if (!swept->tc)
            return false;
        case_copy(l->small, swept->tc);
        if (!learner_asked_differs(l, l->small))
            continue;
        const bool refutes = revise_is_refuted(l, l->small, l->answer[1]);
        learner_keep_case(l, l->small, &l->answer[1], true);
        study(l, refutes);
        return true;
    }
    return false;
}

/* ---- the campaign ---- */

/* Counts the comparison of a case. Does the model under the profile so far agree with the board? */
static bool compare(struct learner *l, const struct test_case *c, const struct outcome *board)
{
    executor_run(l->x, c, &l->r->profile, RUN_CHECKED, l->model);
    coverage_merge(&l->r->coverage, &l->x->last);
    return outcomes_equal(l->model, board, &l->r->tally, NULL);
}

/* Compares one answered case. Studies a difference, unless it has a known circumstance, or the last
 * ATTEMPTS_MAX studies learned nothing. */
static void take(struct learner *l, unsigned i, unsigned *attempts)
{
    struct learn_result *r = l->r;
    bool sample = false;
    if (compare(l, l->tc[i], l->board[i])) {
        r->agreed++;
        const uint32_t excuser = revise_excuser(l, l->tc[i], l->board[i]);
        if (excuser < r->count) {
            case_copy(l->small, l->tc[i]);
            study_excused(l, excuser);
            return;
        }
        if (r->cases - l->earlier_cases < 64 || random_one_in(&l->random, 64))
            learner_keep_case(l, l->tc[i], &l->board[i], false);
        return;
    }
    r->differing++;
    const bool refutes = revise_is_refuted(l, l->tc[i], l->board[i]);
    if (!refutes && (aside_takes(l, l->tc[i], l->board[i], &sample) || *attempts == ATTEMPTS_MAX)) {
        r->set_aside++;
        return;
    }
    const uint32_t beliefs = l->beliefs;
    case_copy(l->small, l->tc[i]);
    learner_keep_case(l, l->tc[i], &l->board[i], true);
    study(l, refutes);
    for (uint32_t known = beliefs; l->beliefs > known && study_sweep(l);)
        known++;
    *attempts = l->beliefs > beliefs ? 0 : *attempts + !sample;
    learner_save(l);
}

/* Makes a case that the board has all parts of. */
static void make_case(struct learner *l, struct test_case *c)
{
    enum { TRIES = 16 };
    const struct board *b = l->o->board;
    case_generate(&l->random, l->o->unit, c);
    for (unsigned i = 1; b->lacks && i < TRIES && board_lacks_of(b->lacks, c); i++)
        case_generate(&l->random, l->o->unit, c);
    if (b->lacks)
        board_lacks_mend(b->lacks, c);
}

/* Runs generated cases on the board: l->tc and l->board. Returns false if the board failed. */
static bool ask_generated(struct learner *l, enum answer answers[LEARN_BATCH])
{
    struct outcome *outcomes[LEARN_BATCH];
    for (unsigned i = 0; i < LEARN_BATCH; i++)
        make_case(l, l->tc[i]);
    memcpy(outcomes, l->board, sizeof outcomes);
    return learner_ask(l, l->tc, LEARN_BATCH, outcomes, answers);
}

/* Has the run compared all cases that it may? A search may go on for longer. */
static bool is_finished(const struct learner *l)
{
    const struct learn_result *r = l->r;
    bool all = l->o->max_cases && r->cases - l->earlier_cases >= l->o->max_cases;
    return all || tally_is_mute(&r->tally) || r->agreed >= l->o->fresh || learner_spent(l);
}

/* Keeps the last reason for which the board gave no outcome. Must come before the board runs other cases. */
static void keep_reason(struct learner *l, const enum answer answers[LEARN_BATCH])
{
    for (unsigned i = 0; i < LEARN_BATCH; i++)
        if (answers[i] != ANSWER_OUTCOME && board_reason(l->o->board, i)[0])
            (void)snprintf(l->r->reason, sizeof l->r->reason, "%s", board_reason(l->o->board, i));
}

static bool run_batch(struct learner *l, unsigned *attempts)
{
    enum answer answers[LEARN_BATCH];
    if (!ask_generated(l, answers))
        return false;
    keep_reason(l, answers);
    for (unsigned i = 0; i < LEARN_BATCH && !is_finished(l); i++) {
        l->r->cases++;
        tally_answer(&l->r->tally, answers[i]);
        if (answers[i] == ANSWER_OUTCOME)
            take(l, i, attempts);
        else
            l->r->refused++;
    }
    if (clock_seconds() - l->saved >= SAVE_SECONDS)
        learner_save(l);
    return !l->failed;
}

/* Runs generated cases on the board and keeps them, because the learner judges candidates by kept cases, too.
 */
static bool keep_generated(struct learner *l)
{
    if (l->generated)
        return true;
    enum answer answers[LEARN_BATCH];
    if (!ask_generated(l, answers))
        return false;
    for (unsigned i = 0; i < LEARN_BATCH; i++)
        if (answers[i] == ANSWER_OUTCOME)
            learner_keep_case(l, l->tc[i], &l->board[i], learner_differs(l, l->tc[i], l->board[i], NULL));
    return l->generated = true;
}

/* Studies again the differences whose search the end of an earlier run cut short, or was put off. */
static void finish_searches(struct learner *l)
{
    struct learn_result *r = l->r;
    const uint32_t put_off = l->put_off;
    for (uint32_t i = 0; i < r->asides && !learner_spent(l);) {
        if (!r->aside[i].unfinished) {
            i++;
            continue;
        }
        uint64_t more = r->aside[i].cases - 1;
        case_copy(l->small, r->aside[i].smallest);
        take_from_count(r, more + 1);
        aside_forget(r, i);
        uint64_t before = r->set_aside;
        l->put_off = UINT32_MAX; /* no limit */
        study(l, false);
        if (r->set_aside > before && r->asides) { /* it counted one case; the new entry is the last one */
            r->set_aside += more;
            r->aside[r->asides - 1].cases += more;
        }
        learner_save(l);
    }
    l->put_off = put_off;
}

/* Ends the searches that were put off. Returns true if this explained one; then others are worth a try again.
 */
static bool finish_put_off(struct learner *l, unsigned *attempts)
{
    const uint32_t beliefs = l->beliefs;
    finish_searches(l);
    *attempts = l->beliefs > beliefs ? 0 : *attempts;
    return l->beliefs > beliefs;
}

/* Finds the cases of what earlier runs learned, because learn.json has no outcomes. */
static void recall_cases(struct learner *l)
{
    struct learn_result *r = l->r;
    struct profile before = *l->o->base;
    for (uint32_t i = 0; i < r->count && !learner_spent(l); i++) {
        learner_find_cases_again(l, &r->learned[i], &before);
        (void)learn_apply(&r->learned[i].change, &before);
    }
}

/* Starts from the result of an earlier run. */
static void resume(struct learner *l)
{
    struct learn_result *r = l->r;
    learner_say(l, "continues after %llu cases, with %u learned change%s and %u unexplained difference%s",
                (unsigned long long)r->cases, r->count, plural(r->count), r->asides, plural(r->asides));
    recall_cases(l);
    review_asides(l);
    if (!l->failed && r->asides && keep_generated(l))
        finish_searches(l);
}

bool learn(const struct learn_options *o, struct learn_result *r, struct error *e)
{
    struct learner *l;
    struct error ignored;
    unsigned attempts = 0;
    if (!o->resumed) {
        memset(r, 0, sizeof *r);
        r->profile = *o->base;
    }
    r->end = LEARN_STOPPED; /* until it ends otherwise: a killed run leaves what it saved */
    l = learner_new(o, r, e);
    l->wants_circumstance = true;
    board_limit_time(o->board, o->max_seconds);
    if (o->resumed)
        resume(l);
    learner_save(l);
    do {
        while (!is_finished(l) && run_batch(l, &attempts)) {}
    } while (!learner_spent(l) && finish_put_off(l, &attempts));
    bool good = !l->failed || o->board->stopped; /* which is no failure */
    bool stopped = !good || (o->stopped && o->stopped(o->context));
    board_limit_time(o->board, 0);
    r->end = r->agreed >= o->fresh ? LEARN_AGREES : stopped ? LEARN_STOPPED : LEARN_SPENT;
    if (l->failed) { /* the error of the failure stays */
        l->failed = false;
        l->e = &ignored;
    }
    learner_save(l);
    good = good && !l->failed;
    if (good)
        *e = (struct error){0};
    learner_free(l);
    return good;
}

void learn_free(struct learn_result *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        learned_free(&r->learned[i]);
    for (uint32_t i = 0; i < r->asides; i++)
        free(r->aside[i].smallest);
    r->count = r->asides = 0;
}

/* ---- one difference at a time ---- */

struct learner *learner_open(const struct learn_options *o)
{
    return learner_new(o, memory_new(1, sizeof(struct learn_result)), NULL);
}

void learner_close(struct learner *l)
{
    if (!l)
        return;
    learn_free(l->r);
    free(l->r);
    learner_free(l);
}

bool learner_keep(struct learner *l, const struct profile *p, const struct test_case *c,
                  const uint8_t *outcome, size_t size, struct error *e)
{
    struct error unreadable;
    l->e = e;
    l->failed = false;
    l->effort_before = learner_effort(l);
    l->r->profile = *p;
    if (!keep_generated(l)) /* first, because a search prefers the cases kept last */
        return !l->failed;
    if (outcome_decode(l->board[0], c, outcome, size, &unreadable))
        learner_keep_case(l, c, &l->board[0], false);
    return true;
}

enum learn_answer learner_explain_case(struct learner *l, const struct profile *p, const struct test_case *c,
                                       struct learned *out, enum learn_lost *lost, struct error *e)
{
    *lost = LEARN_LOST_NOTHING;
    l->e = e;
    l->failed = false;
    l->effort_before = learner_effort(l);
    l->r->profile = *p;
    case_copy(l->small, c);
    bool steady = keep_generated(l) && reduce_small(l);
    bool explained = steady && learner_explain(l, NULL, out) && keep_cases(l, out);
    if (explained && l->failed)
        learned_free(out);
    *lost = l->r->lost;
    return l->failed   ? LEARN_FAILED
           : !steady   ? LEARN_UNSTEADY
           : explained ? LEARN_EXPLAINED
                       : LEARN_UNEXPLAINED;
}
