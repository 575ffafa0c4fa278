/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_harness.h"

#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHECK_EVERY = 8, /* differing cases whose explanation is tried out: one in so many, for it takes one more
                        run or several */
    PROBE_EVERY = 4, /* cases that are tried with a reading more */
};

struct engine_harness {
    const struct unit *unit;
    struct executor *executor;
    struct profile profile, board;
    struct outcome *model, *answer, *other;
    struct coverage touched;
    unsigned clauses, separated; /* how many clauses; the first counter of separated readings */
    enum engine_harness_feedback feedback;
    unsigned different; /* clauses that profile and board read differently: */
    uint16_t differs[CLAUSES_MAX];
    struct {
        uint16_t first; /* counter */
        uint8_t readings, modes;
    } clause[CLAUSES_MAX];
};

unsigned engine_harness_counters(const struct unit *u)
{
    unsigned n = 0;
    for (unsigned i = 0; i < unit_clauses(u); i++)
        n += clause_readings(unit_clause(u, i)) * clause_modes(unit_clause(u, i));
    return 2 * n;
}

struct engine_harness *engine_harness_new(const struct unit *u, const char *profile, const char *board,
                                          struct error *e)
{
    struct engine_harness *t = memory_new(1, sizeof *t);
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
    if (2 * at > ENGINE_HARNESS_COUNTERS_MAX)
        error_set(e, "unit %s needs %u counters; raise TRIAL_COUNTERS_MAX in fuzz/engines/engine_harness.h",
                  u->name, 2 * at);
    else if (profile_load(u, profile ? profile : "manual", &t->profile, e) &&
             profile_load(u, board ? board : u->profiles[u->best_profile].name, &t->board, e)) {
        for (unsigned i = 0; i < t->clauses; i++)
            if (t->profile.reading[i] != t->board.reading[i])
                t->differs[t->different++] = (uint16_t)i;
        return t;
    }
    engine_harness_free(t);
    return NULL;
}

void engine_harness_free(struct engine_harness *t)
{
    if (!t)
        return;
    executor_free(t->executor);
    outcome_free(t->model);
    outcome_free(t->answer);
    outcome_free(t->other);
    free(t);
}

void engine_harness_set_feedback(struct engine_harness *t, enum engine_harness_feedback f)
{
    t->feedback = f;
}

const struct coverage *engine_harness_touched(const struct engine_harness *t)
{
    return &t->touched;
}

/* Sets the counters of a clause's reading in the modes of `modes`. */
static void count(const struct engine_harness *t, unsigned clause, unsigned reading, bool separated,
                  unsigned modes, volatile uint8_t *counters)
{
    volatile uint8_t *first = counters + (separated ? t->separated : 0) + t->clause[clause].first +
                              reading * t->clause[clause].modes;
    modes &= (1U << t->clause[clause].modes) - 1;
    for (; modes; modes &= modes - 1)
        first[__builtin_ctz(modes)] = 1;
}

static void count_run(const struct engine_harness *t, const struct profile *p, volatile uint8_t *counters)
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
static bool choose_probe(const struct engine_harness *t, const struct coverage *touched, uint64_t draw,
                         unsigned *clause, unsigned *reading)
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

static void probe(struct engine_harness *t, const struct test_case *c, const struct coverage *touched,
                  uint64_t draw, volatile uint8_t *counters)
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
static unsigned take_over(struct profile *p, const struct engine_harness *t, const struct coverage *touched)
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
static bool is_explained(struct engine_harness *t, const struct test_case *c, struct profile *taken,
                         uint64_t draw)
{
    if (draw % CHECK_EVERY)
        return true;
    do
        executor_run(t->executor, c, taken, RUN_PLAIN, t->other);
    while (take_over(taken, t, &t->executor->last));
    return outcomes_equal(t->other, t->answer, NULL, NULL);
}

/* Where nothing that the case touches is read differently, the board's outcome is the model's: only now and
 * then that is tried. */
static enum engine_harness_result ask_board(struct engine_harness *t, const struct test_case *c,
                                            uint64_t draw, volatile uint8_t *counters)
{
    struct profile taken = t->profile;
    bool read_differently = take_over(&taken, t, &t->touched) != 0;
    if (!t->different || (!read_differently && draw % CHECK_EVERY))
        return ENGINE_HARNESS_EQUAL;
    executor_run(t->executor, c, &t->board, RUN_PLAIN, t->answer);
    count_run(t, &t->board, counters);
    if (outcomes_equal(t->model, t->answer, NULL, NULL))
        return ENGINE_HARNESS_EQUAL;
    return read_differently && is_explained(t, c, &taken, draw) ? ENGINE_HARNESS_DIFFERENT
                                                                : ENGINE_HARNESS_UNEXPLAINED;
}

enum engine_harness_result engine_harness_run(struct engine_harness *t, const struct test_case *c,
                                              uint64_t draw, volatile uint8_t *counters)
{
    executor_run(t->executor, c, &t->profile, RUN_PLAIN, t->model);
    t->touched = t->executor->last;
    count_run(t, &t->profile, counters);
    enum engine_harness_result result = ask_board(t, c, draw, counters);
    if (draw / CHECK_EVERY % PROBE_EVERY == 0 && t->feedback == FEEDBACK_ALL)
        probe(t, c, &t->touched, draw, counters);
    return result;
}
