/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_harness.h"

#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* The explanation of one in so many differing cases is checked, because a check takes more runs. */
    CHECK_EVERY = 8,
    PROBE_EVERY = 4, /* of so many cases, one runs under a further reading */
};

struct engine_harness {
    const struct unit *unit;
    struct executor *executor;
    struct profile profile, board;
    struct outcome *model, *answer, *other;
    struct coverage touched;
    unsigned clauses, separated; /* number of clauses; index of the first counter of separated readings */
    enum engine_harness_feedback feedback;
    uint16_t differs[CLAUSES_MAX]; /* clauses that profile and board read differently */
    unsigned different;            /* number of these clauses */
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
    struct engine_harness *h = memory_new(1, sizeof *h);
    h->unit = u;
    h->clauses = unit_clauses(u);
    h->feedback = FEEDBACK_ALL;
    h->executor = executor_new(u);
    h->model = outcome_new(u);
    h->answer = outcome_new(u);
    h->other = outcome_new(u);
    unsigned at = 0;
    for (unsigned i = 0; i < h->clauses; i++) {
        h->clause[i].first = (uint16_t)at;
        h->clause[i].readings = (uint8_t)clause_readings(unit_clause(u, i));
        h->clause[i].modes = (uint8_t)clause_modes(unit_clause(u, i));
        at += (unsigned)h->clause[i].readings * h->clause[i].modes;
    }
    h->separated = at;
    if (2 * at > ENGINE_HARNESS_COUNTERS_MAX)
        error_set(
            e,
            "unit %s needs %u counters; raise ENGINE_HARNESS_COUNTERS_MAX in fuzz/engines/engine_harness.h",
            u->name, 2 * at);
    else if (profile_load(u, profile ? profile : "manual", &h->profile, e) &&
             profile_load(u, board ? board : u->profiles[u->best_profile].name, &h->board, e)) {
        for (unsigned i = 0; i < h->clauses; i++)
            if (h->profile.reading[i] != h->board.reading[i])
                h->differs[h->different++] = (uint16_t)i;
        return h;
    }
    engine_harness_free(h);
    return NULL;
}

void engine_harness_free(struct engine_harness *h)
{
    if (!h)
        return;
    executor_free(h->executor);
    outcome_free(h->model);
    outcome_free(h->answer);
    outcome_free(h->other);
    free(h);
}

void engine_harness_set_feedback(struct engine_harness *h, enum engine_harness_feedback f)
{
    h->feedback = f;
}

const struct coverage *engine_harness_touched(const struct engine_harness *h)
{
    return &h->touched;
}

/* Sets the counters of a reading. The bits of `modes` are its modes. */
static void count(const struct engine_harness *h, unsigned clause, unsigned reading, bool separated,
                  unsigned modes, volatile uint8_t *counters)
{
    volatile uint8_t *first = counters + (separated ? h->separated : 0) + h->clause[clause].first +
                              reading * h->clause[clause].modes;
    modes &= (1U << h->clause[clause].modes) - 1;
    for (; modes; modes &= modes - 1)
        first[__builtin_ctz(modes)] = 1;
}

static void count_run(const struct engine_harness *h, const struct profile *p, volatile uint8_t *counters)
{
    const struct coverage *last = &h->executor->last;
    for (unsigned i = 0; i < h->clauses; i++) {
        if (last->modes[i] && h->feedback != FEEDBACK_NONE)
            count(h, i, p->reading[i], false, last->modes[i], counters);
    }
}

/* Chooses one of the readings of touched clauses that are not in force. Returns false if there is none. */
static bool choose_probe(const struct engine_harness *h, const struct coverage *touched, uint64_t draw,
                         unsigned *clause, unsigned *reading)
{
    unsigned pairs = 0;
    for (unsigned i = 0; i < h->clauses; i++)
        pairs += touched->modes[i] ? h->clause[i].readings - 1U : 0;
    if (!pairs)
        return false;
    unsigned left = (unsigned)((draw >> 32) * pairs >> 32);
    for (unsigned i = 0;; i++) {
        unsigned others = touched->modes[i] ? h->clause[i].readings - 1U : 0;
        if (left < others) {
            *clause = i;
            *reading = left + (left >= h->profile.reading[i]);
            return true;
        }
        left -= others;
    }
}

static void probe(struct engine_harness *h, const struct test_case *c, const struct coverage *touched,
                  uint64_t draw, volatile uint8_t *counters)
{
    unsigned clause, reading;
    if (!choose_probe(h, touched, draw, &clause, &reading))
        return;
    struct profile p = h->profile;
    p.reading[clause] = (uint8_t)reading;
    executor_run(h->executor, c, &p, RUN_PLAIN, h->other);
    count_run(h, &p, counters);
    if (!outcomes_equal(h->model, h->other, NULL, NULL))
        count(h, clause, reading, true, touched->modes[clause], counters);
}

/* Sets the board's readings of touched clauses. Returns how many changed. */
static unsigned take_over(struct profile *p, const struct engine_harness *h, const struct coverage *touched)
{
    unsigned changed = 0;
    for (unsigned k = 0; k < h->different; k++) {
        unsigned i = h->differs[k];
        if (touched->modes[i] && p->reading[i] != h->board.reading[i]) {
            p->reading[i] = h->board.reading[i];
            changed++;
        }
    }
    return changed;
}

/* Gives the model the board's readings of all touched clauses, and runs it until it touches no further ones.
 * Does it then give the board's outcome? */
static bool is_explained(struct engine_harness *h, const struct test_case *c, struct profile *taken,
                         uint64_t draw)
{
    if (draw % CHECK_EVERY)
        return true;
    do
        executor_run(h->executor, c, taken, RUN_PLAIN, h->other);
    while (take_over(taken, h, &h->executor->last));
    return outcomes_equal(h->other, h->answer, NULL, NULL);
}

/* Runs the virtual board, and judges the result. If the board reads no touched clause differently, its
 * outcome must be the model's. Of such cases only a part is run. */
static enum engine_harness_result ask_board(struct engine_harness *h, const struct test_case *c,
                                            uint64_t draw, volatile uint8_t *counters)
{
    struct profile taken = h->profile;
    bool read_differently = take_over(&taken, h, &h->touched) != 0;
    if (!h->different || (!read_differently && draw % CHECK_EVERY))
        return ENGINE_HARNESS_EQUAL;
    executor_run(h->executor, c, &h->board, RUN_PLAIN, h->answer);
    count_run(h, &h->board, counters);
    if (outcomes_equal(h->model, h->answer, NULL, NULL))
        return ENGINE_HARNESS_EQUAL;
    return read_differently && is_explained(h, c, &taken, draw) ? ENGINE_HARNESS_DIFFERENT
                                                                : ENGINE_HARNESS_UNEXPLAINED;
}

enum engine_harness_result engine_harness_run(struct engine_harness *h, const struct test_case *c,
                                              uint64_t draw, volatile uint8_t *counters)
{
    executor_run(h->executor, c, &h->profile, RUN_PLAIN, h->model);
    h->touched = h->executor->last;
    count_run(h, &h->profile, counters);
    enum engine_harness_result result = ask_board(h, c, draw, counters);
    if (draw / CHECK_EVERY % PROBE_EVERY == 0 && h->feedback == FEEDBACK_ALL)
        probe(h, c, &h->touched, draw, counters);
    return result;
}
