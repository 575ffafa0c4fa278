/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_harness.h"

#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHECK_EVERY = 8, /* differing cases whose explanation is tried out: one in so many, for it takes one more run or several */
    PROBE_EVERY = 4, /* cases that are tried with a reading more */
};

struct trial {
    const struct unit *unit;
    struct executor *executor;
    struct profile profile, board;
    struct outcome *model, *answer, *other;
    struct coverage touched;
    unsigned clauses, separated; /* how many clauses; the first counter of separated readings */
    enum trial_feedback feedback;
    unsigned different; /* clauses that profile and board read differently: */
    uint16_t differs[CLAUSES_MAX];
    struct {
        uint16_t first; /* counter */
        uint8_t readings, modes;
    } clause[CLAUSES_MAX];
};

unsigned trial_counters(const struct unit *u)
{
    unsigned n = 0;
    for (unsigned i = 0; i < unit_clauses(u); i++)
        n += clause_readings(unit_clause(u, i)) * clause_modes(unit_clause(u, i));
    return 2 * n;
}

struct trial *trial_new(const struct unit *u, const char *profile, const char *board, struct error *e)
{
    struct trial *t = memory_new(1, sizeof *t);
    t->unit = u;
    t->clauses = unit_clauses(u);
    t->feedback = FEEDBACK_ALL;
    t->executor = executor_new(u);
    t->model = outcome_new(u);
    t->answer = outcome_new(u);
    t->other = outcome_new(u);
    unsigned at = 0;
    for (unsigned i = 0; i < t->clauses; i++) {
        t->clause[i].first = (uint16_t)at;
        t->clause[i].readings = (uint8_t)clause_readings(unit_clause(u, i));
        t->clause[i].modes = (uint8_t)clause_modes(unit_clause(u, i));
        at += (unsigned)t->clause[i].readings * t->clause[i].modes;
    }
    t->separated = at;
    if (2 * at > TRIAL_COUNTERS_MAX)
        error_set(e, "unit %s needs %u counters; raise TRIAL_COUNTERS_MAX in fuzz/engines/engine_harness.h", u->name, 2 * at);
    else if (profile_load(u, profile ? profile : "manual", &t->profile, e) &&
             profile_load(u, board ? board : u->profiles[u->best_profile].name, &t->board, e)) {
        for (unsigned i = 0; i < t->clauses; i++)
            if (t->profile.reading[i] != t->board.reading[i])
                t->differs[t->different++] = (uint16_t)i;
        return t;
    }
    trial_free(t);
    return NULL;
}

void trial_free(struct trial *t)
{
    if (!t)
        return;
    executor_free(t->executor);
    outcome_free(t->model);
    outcome_free(t->answer);
    outcome_free(t->other);
    free(t);
}

void trial_set_feedback(struct trial *t, enum trial_feedback f)
{
    t->feedback = f;
}

const struct coverage *trial_touched(const struct trial *t)
{
    return &t->touched;
}

/* Sets the counters of a clause's reading in the modes of `modes`. */
static void count(const struct trial *t, unsigned clause, unsigned reading, bool separated, unsigned modes, volatile uint8_t *counters)
{
    volatile uint8_t *first = counters + (separated ? t->separated : 0) + t->clause[clause].first + reading * t->clause[clause].modes;
    modes &= (1U << t->clause[clause].modes) - 1;
    for (; modes; modes &= modes - 1)
        first[__builtin_ctz(modes)] = 1;
}

static void count_run(const struct trial *t, const struct profile *p, volatile uint8_t *counters)
{
    const struct coverage *last = &t->executor->last;
    for (unsigned i = 0; i < t->clauses; i++) {
        unsigned modes = last->modes[i];
        if (!modes)
            continue;
        if (t->feedback != FEEDBACK_NONE)
            count(t, i, p->reading[i], false, modes, counters);
    }
}

/* One of the (clause, reading) pairs that could have been in force instead; false if there is none. */
static bool choose_probe(const struct trial *t, const struct coverage *touched, uint64_t draw, unsigned *clause, unsigned *reading)
{
    unsigned pairs = 0;
    for (unsigned i = 0; i < t->clauses; i++)
        pairs += touched->modes[i] ? t->clause[i].readings - 1U : 0;
    if (!pairs)
        return false;
    unsigned left = (unsigned)((draw >> 32) * pairs >> 32);
    for (unsigned i = 0;; i++) {
        unsigned others = touched->modes[i] ? t->clause[i].readings - 1U : 0;
        if (left < others) {
            *clause = i;
            *reading = left + (left >= t->profile.reading[i]);
            return true;
        }
        left -= others;
    }
}

static void probe(struct trial *t, const struct test_case *c, const struct coverage *touched, uint64_t draw, volatile uint8_t *counters)
{
    unsigned clause, reading;
    if (!choose_probe(t, touched, draw, &clause, &reading))
        return;
    struct profile p = t->profile;
    p.reading[clause] = (uint8_t)reading;
    executor_run(t->executor, c, &p, RUN_PLAIN, t->other);
    count_run(t, &p, counters);
    if (!outcomes_equal(t->model, t->other, NULL, NULL))
        count(t, clause, reading, true, touched->modes[clause], counters);
}

/* Takes over the board's readings of touched clauses; how many changed. */
static unsigned take_over(struct profile *p, const struct trial *t, const struct coverage *touched)
{
    unsigned changed = 0;
    for (unsigned k = 0; k < t->different; k++) {
        unsigned i = t->differs[k];
        if (touched->modes[i] && p->reading[i] != t->board.reading[i]) {
            p->reading[i] = t->board.reading[i];
            changed++;
        }
    }
    return changed;
}

/* Do the board's readings of what the case touches, and of what it touches then, give the board's outcome? */
static bool is_explained(struct trial *t, const struct test_case *c, struct profile *taken, uint64_t draw)
{
    if (draw % CHECK_EVERY)
        return true;
    do
        executor_run(t->executor, c, taken, RUN_PLAIN, t->other);
    while (take_over(taken, t, &t->executor->last));
    return outcomes_equal(t->other, t->answer, NULL, NULL);
}

/* Where nothing that the case touches is read differently, the board's outcome is the model's: only now and then that is tried. */
static enum trial_result ask_board(struct trial *t, const struct test_case *c, uint64_t draw, volatile uint8_t *counters)
{
    struct profile taken = t->profile;
    bool read_differently = take_over(&taken, t, &t->touched) != 0;
    if (!t->different || (!read_differently && draw % CHECK_EVERY))
        return TRIAL_EQUAL;
    executor_run(t->executor, c, &t->board, RUN_PLAIN, t->answer);
    count_run(t, &t->board, counters);
    if (outcomes_equal(t->model, t->answer, NULL, NULL))
        return TRIAL_EQUAL;
    return read_differently && is_explained(t, c, &taken, draw) ? TRIAL_DIFFERENT : TRIAL_UNEXPLAINED;
}

enum trial_result trial_run(struct trial *t, const struct test_case *c, uint64_t draw, volatile uint8_t *counters)
{
    executor_run(t->executor, c, &t->profile, RUN_PLAIN, t->model);
    t->touched = t->executor->last;
    count_run(t, &t->profile, counters);
    enum trial_result result = ask_board(t, c, draw, counters);
    if (draw / CHECK_EVERY % PROBE_EVERY == 0 && t->feedback == FEEDBACK_ALL)
        probe(t, c, &t->touched, draw, counters);
    return result;
}
