/* SPDX-License-Identifier: MIT */
#include "fuzz/measure/unknown.h"

#include "fuzz/generate/generate.h"
#include "fuzz/learn/search/bearing.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 64,        /* cases that the board gets at once */
    RATE_BATCHES = 32, /* batches whose comparison is timed */
    REFUTE_CASES =
        2000, /* only so many of the cases that still differ are tried to refute a learned change */
};

/* ---- the budget ---- */

struct spending {
    const struct unknown_budget *o;
    const struct board *board;
    double began;
    bool stopped;
};

static double seconds_spent(const struct spending *s)
{
    return clock_thread_seconds() - s->began + (double)s->board->answered / s->o->rate;
}

static bool is_spent(void *context)
{
    struct spending *s = context;
    s->stopped = s->stopped || (s->o->stopped && s->o->stopped(s->o->context));
    return s->stopped || seconds_spent(s) >= s->o->seconds;
}

static void say(void *context, const char *line)
{
    struct spending *s = context;
    if (s->o->say)
        s->o->say(s->o->context, line);
}

/* ---- the board's outcomes ---- */

struct judge {
    const struct unknown_board *b;
    struct board *board, *masks; /* `masks`: the board that also says which bits it defines; or NULL */
    struct executor *x;
    struct random random; /* makes the cases */
    struct profile base;
    struct profile truth;                /* the base with the hidden readings */
    struct test_case *batch[BATCH], *tc; /* `tc`: the case of the batch that is judged */
    /* `defining`: those that say which bits the board defines. `true_one`: the board's outcome of `tc`.
     * Others: the model's under the base profile, under the learned profile, and under the learned profile
     * less one change. */
    struct outcome *of_board[BATCH], *of_masks[BATCH], *again[BATCH], *defining[BATCH], *true_one, *of_base,
        *of_learned, *of_less;
};

/* Gets the board's outcomes of j->batch. If the board has hidden readings, the model with these readings
 * gives the outcomes, because it also says which bits they define. */
static bool run_truth(struct judge *j, enum answer *answers, struct error *e)
{
    if (!j->b->hidden.count)
        return board_run(j->board, (const struct test_case *const *)j->batch, BATCH, j->of_board, answers, e);
    for (unsigned i = 0; i < BATCH; i++) {
        executor_run(j->x, j->batch[i], &j->truth, RUN_CHECKED, j->of_board[i]);
        answers[i] = ANSWER_OUTCOME;
    }
    return true;
}

/* Does the board with masks give the values of the board in all bits that it defines? */
static bool masks_fit(const struct outcome *masks, const struct outcome *board)
{
    const uint32_t words = board->unit->layout.rows * board->unit->layout.row_words;
    bool fit = masks->end == board->end;
    for (uint32_t i = 0; i < words && fit; i++)
        fit = !((masks->value[i] ^ board->value[i]) & (masks->checked ? masks->defined[i] : ~0U));
    return fit;
}

/* Sets j->defining to the outcomes that say which bits the board defines: those of the board with masks, or
 * j->of_board. The board with masks refuses a case of which it does not even define the end. If it gives
 * other values, or none, all bits count as defined. */
static bool run_masks(struct judge *j, struct error *e)
{
    enum answer answers[BATCH];
    if (j->masks &&
        !board_run(j->masks, (const struct test_case *const *)j->batch, BATCH, j->of_masks, answers, e))
        return false;
    for (unsigned i = 0; i < BATCH; i++) {
        j->defining[i] = j->of_board[i];
        if (j->masks && answers[i] == ANSWER_REFUSED)
            j->of_masks[i]->end = END_UNDEFINED;
        else if (!j->masks || answers[i] != ANSWER_OUTCOME || !masks_fit(j->of_masks[i], j->of_board[i]))
            continue;
        j->defining[i] = j->of_masks[i];
    }
    return true;
}

/* ---- which changes a case refutes ---- */

/* Sets `p` to the profile with all learned changes except number `but`. Returns false if the profile has no
 * room for one of them. */
static bool without_change(const struct judge *j, const struct learn_result *l, uint32_t but,
                           struct profile *p)
{
    *p = j->base;
    for (uint32_t i = 0; i < l->count; i++)
        if (i != but && !learn_apply(&l->learned[i].change, p))
            return false;
    return true;
}

/*
 * Does the case refute a change? `less` is the learned profile without that change. The case refutes the
 * change if the board follows `less` in all bits in which the outcomes under the two profiles differ. Only
 * bits that both outcomes and the board's outcome define count.
 */
static bool refutes(struct judge *j, const struct profile *less)
{
    const struct outcome *t = j->true_one;
    uint32_t row_words = j->b->unit->layout.row_words;
    struct differences d;
    bool seen = false;
    executor_run(j->x, j->tc, less, RUN_CHECKED, j->of_less);
    if (outcomes_equal(j->of_learned, j->of_less, NULL, &d) || t->end == END_UNDEFINED)
        return false;
    if (d.end_differs)
        return t->end == j->of_less->end;
    if (t->end != END_DONE || j->of_less->end != END_DONE)
        return false;
    for (uint32_t i = 0; i < d.listed; i++) {
        const struct word_difference *w = &d.word[i];
        uint32_t at = w->row * row_words + w->col, mask = w->differ & (t->checked ? t->defined[at] : ~0U);
        if (w->tolerance)
            continue;
        if ((t->value[at] ^ w->board) & mask)
            return false;
        seen |= mask != 0;
    }
    return seen;
}

/* Marks the learned changes that the case refutes. The learned profile differs from the board in the case. */
static void refute_changes(struct judge *j, struct unknown_result *r)
{
    for (uint32_t i = 0; i < r->learned.count; i++) {
        struct profile less;
        if (r->refuted[i] || !without_change(j, &r->learned, i, &less) || !refutes(j, &less))
            continue;
        r->refuted[i] = true;
        if (r->learned.learned[i].change.is_rule)
            r->false_rules++;
        else
            r->wrong++;
    }
}

/* ---- fresh cases ---- */

/* The bits of a word that an outcome defines. */
static uint32_t defined_bits(const struct outcome *o, const struct word_difference *w)
{
    return o->checked ? o->defined[w->row * o->unit->layout.row_words + w->col] : ~0U;
}

/* Counts a case in which the learned profile agrees with the board, although the base profile does not. Bits
 * that the learned profile leaves undefined count unless a run for values only has the board's. */
static void count_excuses(struct judge *j, const struct differences *d, const struct outcome *defining,
                          struct unknown_result *r)
{
    const bool all = j->of_learned->end == END_UNDEFINED;
    uint32_t unstated = 0, lost = 0;
    for (uint32_t i = 0; i < d->listed && !d->end_differs; i++) {
        const struct word_difference *w = &d->word[i];
        const uint32_t bits = w->differ & ~defined_bits(j->of_learned, w);
        unstated |= bits;
        lost |= bits & defined_bits(defining, w);
    }
    if (!all && !unstated)
        return;
    executor_run(j->x, j->tc, &r->learned.profile, RUN_PLAIN, j->of_less);
    if (bearing_values_fit(j->of_base, j->of_less, j->true_one))
        return;
    r->unstated++;
    r->excused += defining->end != END_UNDEFINED && (all || lost);
}

static void judge_case(struct judge *j, const struct outcome *defining, struct unknown_result *r)
{
    struct differences d;
    executor_run(j->x, j->tc, &j->base, RUN_CHECKED, j->of_base);
    bool shown = !outcomes_equal(j->of_base, j->true_one, NULL, &d);
    executor_run(j->x, j->tc, &r->learned.profile, RUN_CHECKED, j->of_learned);
    r->fresh++;
    r->shown += shown;
    if (!outcomes_equal(j->of_learned, j->true_one, NULL, NULL)) {
        if (r->left++ < REFUTE_CASES)
            refute_changes(j, r);
    } else if (shown) {
        count_excuses(j, &d, defining, r);
    }
}

/* Are two outcomes of the board the same in all bits that the base profile defines? */
static bool same_answers(struct judge *j, const struct test_case *c, const struct outcome *a,
                         const struct outcome *b)
{
    const uint32_t words = j->b->unit->layout.rows * j->b->unit->layout.row_words;
    executor_run(j->x, c, &j->base, RUN_CHECKED, j->of_base);
    bool same = a->end == b->end;
    for (uint32_t i = 0; i < words && same && j->of_base->end != END_UNDEFINED; i++)
        same = !((a->value[i] ^ b->value[i]) & j->of_base->defined[i]);
    return same;
}

/* Runs j->batch once more, the last case first. Counts those of its first `count` cases that the board
 * answers in another way now. */
static bool judge_again(struct judge *j, const enum answer *answers, uint32_t count, struct unknown_result *r,
                        struct error *e)
{
    const struct test_case *backward[BATCH];
    enum answer now[BATCH];
    if (j->b->hidden.count)
        return true;
    for (unsigned i = 0; i < BATCH; i++)
        backward[i] = j->batch[BATCH - 1 - i];
    if (!board_run(j->board, backward, BATCH, j->again, now, e))
        return false;
    for (unsigned i = 0; i < BATCH && i < count; i++) {
        const unsigned k = BATCH - 1 - i;
        r->unsteady += answers[i] != now[k] || (answers[i] == ANSWER_OUTCOME &&
                                                !same_answers(j, j->batch[i], j->of_board[i], j->again[k]));
    }
    return true;
}

static bool judge_fresh(struct judge *j, uint32_t fresh, struct unknown_result *r, struct error *e)
{
    for (uint32_t done = 0; done < fresh; done += BATCH) {
        enum answer answers[BATCH];
        for (unsigned i = 0; i < BATCH; i++)
            case_generate(&j->random, j->b->unit, j->batch[i]);
        if (!run_truth(j, answers, e) || !run_masks(j, e))
            return false;
        for (unsigned i = 0; i < BATCH && i < fresh - done; i++) {
            j->tc = j->batch[i];
            j->true_one = j->of_board[i];
            if (answers[i] == ANSWER_OUTCOME)
                judge_case(j, j->defining[i], r);
        }
        if (!judge_again(j, answers, fresh - done, r, e))
            return false;
    }
    r->is_excused = r->excused && (j->b->hidden.count || j->b->masks[0] || r->excused * 2 > r->shown);
    r->stated = r->shown && !r->left && !r->is_excused;
    return true;
}

/* ---- the rate of a campaign with the learned profile ---- */

/* Returns the time that a campaign takes to compare a batch of answered cases. It runs each case in plain
 * mode, and in checked mode if the outcome differs. */
static double compare_batch(struct judge *j, struct test_case *const *cases, struct outcome *const *outcomes,
                            const struct profile *p)
{
    double began = clock_thread_seconds();
    for (unsigned i = 0; i < BATCH; i++) {
        executor_run(j->x, cases[i], p, RUN_PLAIN, j->of_learned);
        if (outcomes_equal(j->of_learned, outcomes[i], NULL, NULL))
            continue;
        executor_run(j->x, cases[i], p, RUN_CHECKED, j->of_learned);
        (void)outcomes_equal(j->of_learned, outcomes[i], NULL, NULL);
    }
    return clock_thread_seconds() - began;
}

/* Compares the speed of a campaign with the learned profile on this board with the speed of a campaign on a
 * board that agrees, on the same cases. The board's own time counts in neither. */
static bool measure_rate(struct judge *j, struct unknown_result *r, struct error *e)
{
    struct outcome *equal[BATCH];
    enum answer answers[BATCH];
    double made = 0, on_equal = 0, on_board = 0;
    bool good = true;
    for (unsigned i = 0; i < BATCH; i++)
        equal[i] = outcome_new(j->b->unit);
    for (unsigned n = 0; good && n < RATE_BATCHES; n++) {
        double began = clock_thread_seconds();
        for (unsigned i = 0; i < BATCH; i++)
            case_generate(&j->random, j->b->unit, j->batch[i]);
        made += clock_thread_seconds() - began;
        for (unsigned i = 0; i < BATCH; i++)
            executor_run(j->x, j->batch[i], &j->base, RUN_PLAIN, equal[i]);
        good = board_run(j->board, (const struct test_case *const *)j->batch, BATCH, j->of_board, answers, e);
        for (unsigned k = 0; k < 2 && good; k++) /* alternates, because the second one has warm caches */
            if (k ^ (n & 1))
                on_board += compare_batch(j, j->batch, j->of_board, &r->learned.profile);
            else
                on_equal += compare_batch(j, j->batch, equal, &j->base);
    }
    for (unsigned i = 0; i < BATCH; i++)
        outcome_free(equal[i]);
    r->rate = (made + on_equal) / (made + on_board); /* making the cases takes some time */
    return good;
}

/* ---- learn and judge ---- */

static bool judge_with(struct board *board, struct board *masks, const struct unknown_board *b,
                       const struct profile *base, uint64_t seed, uint32_t fresh, struct unknown_result *r,
                       struct error *e)
{
    struct judge j = {.b = b, .board = board, .masks = masks, .base = *base, .truth = *base};
    j.x = executor_new(b->unit);
    for (unsigned i = 0; i < BATCH; i++) {
        j.batch[i] = memory_new(1, sizeof *j.batch[i]);
        j.of_board[i] = outcome_new(b->unit);
        j.of_masks[i] = outcome_new(b->unit);
        j.again[i] = outcome_new(b->unit);
    }
    j.of_base = outcome_new(b->unit);
    j.of_learned = outcome_new(b->unit);
    j.of_less = outcome_new(b->unit);
    executor_place(j.x, &board->identity);
    cause_apply(&b->hidden, &j.truth);
    random_seed(&j.random, random_mix64(seed ^ UINT64_C(0x667265736863)));
    bool good = judge_fresh(&j, fresh, r, e) && measure_rate(&j, r, e);
    outcome_free(j.of_less);
    outcome_free(j.of_learned);
    outcome_free(j.of_base);
    for (unsigned i = 0; i < BATCH; i++) {
        free(j.batch[i]);
        outcome_free(j.of_board[i]);
        outcome_free(j.of_masks[i]);
        outcome_free(j.again[i]);
    }
    executor_free(j.x);
    return good;
}

static bool judge_on(struct board *board, const struct unknown_board *b, const struct profile *base,
                     uint64_t seed, uint32_t fresh, struct unknown_result *r, struct error *e)
{
    struct board *masks = b->masks[0] ? board_open(b->masks, b->unit, e) : NULL;
    const bool good = (masks || !b->masks[0]) && judge_with(board, masks, b, base, seed, fresh, r, e);
    board_close(masks);
    return good;
}

bool unknown_judge(const struct unknown_board *b, const struct profile *base, uint64_t seed, uint32_t fresh,
                   struct unknown_result *r, struct error *e)
{
    struct board *board = board_open(b->spec, b->unit, e);
    bool good = board && judge_on(board, b, base, seed, fresh, r, e);
    board_close(board);
    return good;
}

bool unknown_run(const struct unknown_board *b, const struct unknown_budget *o, struct unknown_result *r,
                 struct error *e)
{
    bool hidden[CLAUSES_MAX] = {0};
    struct profile base;
    memset(r, 0, sizeof *r);
    profile_builtin(b->unit, 0, &base);
    for (unsigned i = 0; i < b->hidden.count; i++)
        hidden[b->hidden.change[i].clause] = true;
    struct board *board = board_open(b->spec, b->unit, e);
    if (!board)
        return false;
    struct spending s = {.o = o, .board = board, .began = clock_thread_seconds()};
    struct learn_options options = {.unit = b->unit,
                                    .board = board,
                                    .base = &base,
                                    .seed = o->seed,
                                    .fresh = o->fresh,
                                    .hidden = hidden,
                                    .stopped = is_spent,
                                    .say = say,
                                    .context = &s};
    bool good = learn(&options, &r->learned, e);
    r->processor = clock_thread_seconds() - s.began;
    r->answered = board->answered;
    r->seconds = seconds_spent(&s);
    r->stopped = s.stopped;
    good = good && (s.stopped || judge_on(board, b, &base, o->seed, o->judged, r, e));
    board_close(board);
    return good;
}

void unknown_free(struct unknown_result *r)
{
    learn_free(&r->learned);
}
