/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/learn.h"

#include "fuzz/generate/generate.h"
#include "fuzz/learn/aside.h"
#include "fuzz/learn/sweep.h"
#include "fuzz/reduce.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REDUCE_TRIES = 800,
    ATTEMPTS_MAX = 48,
    TAKEN_BACK_MAX = 16,
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
    outcome_free(l->model);
    executor_free(l->x);
    free(l);
}

/* Keeps a case in place of the oldest kept one of its half. Swaps *board with the outcome of the old case. */
static void keep(struct learner *l, const struct test_case *c, struct outcome **board, bool differs)
{
    enum { HALF = LEARN_KEPT_MAX / 2 };
    struct learn_kept *k = &l->kept[(differs ? HALF : 0) + l->kept_count[differs]++ % HALF];
    struct outcome *old = k->board;
    case_copy(k->tc, c);
    k->board = *board;
    *board = old;
}

/* ---- one difference ---- */

/* Does the model under the profile so far differ from the board in a defined bit of this case? */
static bool differs(struct learner *l, const struct test_case *c, const struct outcome *board,
                    struct differences *d)
{
    executor_run(l->x, c, &l->r->profile, RUN_CHECKED, l->model);
    return !outcomes_equal(l->model, board, NULL, d);
}

/* Runs a case on the board into l->answer[1]. Does the model differ from this outcome? */
static bool asked_differs(struct learner *l, struct test_case *c)
{
    enum answer answer;
    return learner_ask(l, &c, 1, &l->answer[1], &answer) && answer == ANSWER_OUTCOME &&
           differs(l, c, l->answer[1], NULL);
}

static bool still_differs(void *context, const struct test_case *candidate)
{
    struct learner *l = context;
    if (!asked_differs(l, (struct test_case *)(uintptr_t)candidate))
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
        if (!asked_differs(l, l->small))
            return false;
    (void)case_reduce(l->small, still_differs, l, REDUCE_TRIES);
    if (!asked_differs(l, l->small) || !learner_ask(l, &l->small, 1, &l->answer[0], &answer) ||
        answer != ANSWER_OUTCOME)
        return false;
    return outcomes_equal(l->answer[0], l->answer[1], NULL, NULL) &&
           differs(l, l->small, l->answer[0], &l->difference);
}

/* Keeps the board's outcome of the reduced case, finds the nearest agreeing case, and sweeps the value at a
 * rule's point. `with`: the profile with the change. */
static void find_cases(struct learner *l, struct learned *best, const struct profile *with)
{
    const struct learn_change *c = &best->change;
    const struct nearest n = {.executor = l->x,
                              .board = l->o->board,
                              .without = &l->r->profile,
                              .with = with,
                              .also = l->o->base,
                              .rule = c->is_rule ? &c->rule : NULL};
    best->board_outcome = finding_encode_outcome(l->answer[0], &best->board_outcome_size);
    l->failed = l->failed || !nearest_find(&n, l->small, &best->related[RELATED_AGREES], l->e) ||
                (c->is_rule && !sweep_find(&n, l->small, &best->related[RELATED_SWEEP], l->e));
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
    find_cases(l, best, &with);
    return true;
}

void learned_free(struct learned *k)
{
    free(k->smallest);
    free(k->board_outcome);
    k->smallest = NULL;
    k->board_outcome = NULL;
    for (unsigned i = 0; i < RELATED_ROLES; i++)
        related_case_free(&k->related[i]);
}

/* Sets `p` to the base profile with all learned changes except number `without`. */
static void profile_without(const struct learner *l, uint32_t without, struct profile *p)
{
    const struct learn_result *r = l->r;
    *p = *l->o->base;
    for (uint32_t i = 0; i < r->count; i++)
        if (i != without)
            (void)learn_apply(&r->learned[i].change, p);
}

/* Removes a learned change if the model without it agrees with the board in l->small. Returns true if it
 * removed one. Then it sets l->small to the case from which the change was learned, because that case differs
 * again. */
static bool take_back(struct learner *l)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->count; i++) {
        struct profile p;
        struct text t = {0};
        profile_without(l, i, &p);
        executor_run(l->x, l->small, &p, RUN_CHECKED, l->model);
        if (l->model->end == END_UNDEFINED || !outcomes_equal(l->model, l->answer[0], NULL, NULL))
            continue;
        learn_print_change(l->o->unit, &r->learned[i].change, &t);
        learner_say(l, "a case refutes %s; taken back", text_chars(&t));
        text_free(&t);
        r->profile = p;
        keep(l, l->small, &l->answer[0], false);
        case_copy(l->small, r->learned[i].smallest);
        learned_free(&r->learned[i]);
        memmove(&r->learned[i], &r->learned[i + 1], (r->count - i - 1) * sizeof *r->learned);
        r->count--;
        r->taken_back++;
        return true;
    }
    return false;
}

/* Runs the smallest case of a learned change on the board again, and finds its further cases anew. `before`:
 * the profile with all that was learned before. */
static void find_cases_again(struct learner *l, struct learned *k, const struct profile *before)
{
    const struct profile now = l->r->profile;
    struct profile with = *before;
    l->r->profile = *before;
    case_copy(l->small, k->smallest);
    if (learn_apply(&k->change, &with) && asked_differs(l, l->small)) {
        struct outcome *old = l->answer[0];
        l->answer[0] = l->answer[1];
        l->answer[1] = old;
        free(k->board_outcome);
        k->board_outcome = NULL;
        for (unsigned i = 0; i < RELATED_ROLES; i++)
            related_case_free(&k->related[i]);
        find_cases(l, k, &with);
    }
    l->r->profile = now;
}

/* Replaces a learned change by one of its alternatives if with that the model agrees with the board in
 * l->small, and if experiments confirm it. Returns true if it replaced one. */
static bool replace(struct learner *l)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < r->learned[i].alternatives && k < LEARN_ALTERNATIVES_MAX; k++) {
            struct learned *was = &r->learned[i];
            struct text old = {0}, new = {0};
            struct profile p, without;
            profile_without(l, i, &without);
            p = without;
            if (!learn_apply(&was->alternative[k], &p))
                continue;
            executor_run(l->x, l->small, &p, RUN_CHECKED, l->model);
            if (l->model->end == END_UNDEFINED || !outcomes_equal(l->model, l->answer[0], NULL, NULL) ||
                !learner_confirm(l, &without, &was->alternative[k]))
                continue;
            learn_print_change(l->o->unit, &was->change, &old);
            learn_print_change(l->o->unit, &was->alternative[k], &new);
            learner_say(l, "a case refutes %s; replaced by %s", text_chars(&old), text_chars(&new));
            text_free(&old);
            text_free(&new);
            r->profile = p;
            was->change = was->alternative[k];
            was->alternatives = 0; /* the case may refute these, too */
            p = *l->o->base;
            for (uint32_t n = 0; n < i; n++)
                (void)learn_apply(&r->learned[n].change, &p);
            find_cases_again(l, was, &p);
            return true;
        }
    return false;
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
        bool unexplained = asked_differs(l, a->smallest);
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
    (void)learn_apply(&best->change, &r->profile);
    r->learned[r->count++] = *best;
    learn_print_change(l->o->unit, &best->change, &t);
    learner_say(l, "learned %s: explains %u case%s, passed %u experiment%s", text_chars(&t), best->explained,
                plural(best->explained), best->experiments, plural(best->experiments));
    text_free(&t);
    review_asides(l);
    return true;
}

/* Reduces the case in l->small, which differs, and learns a change that explains it. If no change does, sets
 * the difference aside. */
static void study(struct learner *l)
{
    struct learned best;
    if (!reduce_small(l)) {
        l->r->flaky += !l->failed;
        return;
    }
    learner_say(l, "case %llu differs; reduced, looking for a reading or a rule",
                (unsigned long long)l->r->cases);
    if (l->r->taken_back < TAKEN_BACK_MAX && take_back(l)) {
        learner_save(l);
        if (!reduce_small(l))
            return;
    }
    if (replace(l)) {
        l->r->agreed = 0;
        review_asides(l);
        return;
    }
    if (!learner_explain(l, &best) || !believe(l, &best)) {
        differs(l, l->small, l->answer[0], &l->difference);
        l->r->set_aside++;
        aside_add(l, differences_signature(l->o->unit, l->model, l->answer[0], &l->difference));
    }
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
        if (r->cases - l->earlier_cases < 64 || random_one_in(&l->random, 64))
            keep(l, l->tc[i], &l->board[i], false);
        return;
    }
    r->differing++;
    if (aside_takes(l, l->tc[i], l->board[i], &sample) || *attempts == ATTEMPTS_MAX) {
        r->set_aside++;
        return;
    }
    uint32_t learned = r->count;
    case_copy(l->small, l->tc[i]);
    keep(l, l->tc[i], &l->board[i], true);
    study(l);
    *attempts = r->count > learned ? 0 : *attempts + !sample;
    r->agreed = r->count > learned ? 0 : r->agreed;
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
            keep(l, l->tc[i], &l->board[i], differs(l, l->tc[i], l->board[i], NULL));
    return l->generated = true;
}

/* Studies again the differences whose search the end of an earlier run cut short. */
static void finish_searches(struct learner *l)
{
    struct learn_result *r = l->r;
    for (uint32_t i = 0; i < r->asides && !learner_spent(l);) {
        if (!r->aside[i].unfinished) {
            i++;
            continue;
        }
        uint64_t more = r->aside[i].cases - 1;
        uint32_t learned = r->count;
        case_copy(l->small, r->aside[i].smallest);
        take_from_count(r, more + 1);
        aside_forget(r, i);
        uint64_t before = r->set_aside;
        study(l);
        r->agreed = r->count > learned ? 0 : r->agreed;
        if (r->set_aside > before && r->asides) { /* it counted one case; the new entry is the last one */
            r->set_aside += more;
            r->aside[r->asides - 1].cases += more;
        }
        learner_save(l);
    }
}

/* Finds the cases of what earlier runs learned, because learn.json has no outcomes. */
static void recall_cases(struct learner *l)
{
    struct learn_result *r = l->r;
    struct profile before = *l->o->base;
    for (uint32_t i = 0; i < r->count && !learner_spent(l); i++) {
        find_cases_again(l, &r->learned[i], &before);
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
    while (!is_finished(l) && run_batch(l, &attempts)) {}
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
        keep(l, c, &l->board[0], false);
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
    bool explained = steady && learner_explain(l, out) && keep_cases(l, out);
    if (explained && l->failed)
        learned_free(out);
    *lost = l->r->lost;
    return l->failed   ? LEARN_FAILED
           : !steady   ? LEARN_UNSTEADY
           : explained ? LEARN_EXPLAINED
                       : LEARN_UNEXPLAINED;
}
