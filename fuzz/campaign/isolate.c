/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/isolate.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/attribution/explain.h"
#include "oracle/compare/compare.h"

#include <stdlib.h>

enum {
    NEW_ONE_IN = 4,  /* one in so many cases is new; the others are changes of the nearest case */
    PATIENCE = 2000, /* the search starts again after so many cases without a nearer one */
};

struct search {
    const struct isolation *s;
    struct profile alone; /* the base profile with the one change */
    struct random random;
    /* The model's outcomes under the base, under the one change, and under all known changes. */
    struct outcome *base, *one, *all;
    struct test_case *nearest, *made;
    uint64_t distance; /* distance of `nearest` */
};

/*
 * Returns in how many bits the outcome under the one change differs from the outcome under all changes.
 * DISTANCE_ENDS: the runs ended differently, or the change has no effect. Only a case that is as near as the
 * nearest one, or nearer, is also run under the base. This saves a run in most cases.
 */
static uint64_t distance(struct search *w, const struct test_case *c)
{
    struct executor *x = w->s->executor;
    executor_run(x, c, &w->alone, RUN_PLAIN, w->one);
    if (!covered(&x->last, w->s->clause))
        return DISTANCE_ENDS;
    executor_run(x, c, w->s->known, RUN_PLAIN, w->all);
    uint64_t bits = outcomes_distance(w->one, w->all, DISTANCE_ENDS - 1);
    if (bits > w->distance)
        return bits;
    executor_run(x, c, w->s->base, RUN_PLAIN, w->base);
    return outcomes_equal(w->base, w->one, NULL, NULL) ? DISTANCE_ENDS : bits;
}

/*
 * Does the change alone give the outcome that all changes give, and does this outcome differ from the base's
 * in defined bits? Refuses a case that differs only in how the run ended, because it says little. The outcome
 * under all changes takes the place of the board's.
 */
static bool is_isolated(struct search *w, const struct test_case *c)
{
    struct executor *x = w->s->executor;
    return w->base->end == w->one->end &&
           model_match(x, c, w->s->base, w->all, w->base, NULL, NULL) == MATCH_DIFFERENT &&
           model_match(x, c, &w->alone, w->all, w->one, NULL, NULL) == MATCH_EQUAL;
}

static void make(struct search *w)
{
    if (random_one_in(&w->random, NEW_ONE_IN)) {
        case_generate(&w->random, w->s->from->unit, w->made);
    } else {
        case_copy(w->made, w->nearest);
        case_mutate(&w->random, w->made);
    }
}

static void begin(struct search *w)
{
    case_copy(w->nearest, w->s->from);
    w->distance = DISTANCE_ENDS;
}

static bool search(struct search *w)
{
    unsigned patience = PATIENCE;
    begin(w);
    for (unsigned n = 0; n < w->s->tries; n++) {
        make(w);
        uint64_t now = distance(w, w->made);
        if (!now && is_isolated(w, w->made))
            return true;
        if (now < w->distance)
            patience = PATIENCE;
        /* Takes a case of the same distance too, so that parts of the case that do not matter can vary. */
        if (now && now <= w->distance) {
            struct test_case *spare = w->nearest;
            w->nearest = w->made;
            w->made = spare;
            w->distance = now;
        }
        if (!--patience) {
            patience = PATIENCE;
            begin(w);
        }
    }
    return false;
}

bool isolate(const struct isolation *s, struct test_case *out)
{
    const struct unit *u = s->from->unit;
    struct search w = {.s = s,
                       .alone = *s->base,
                       .base = outcome_new(u),
                       .one = outcome_new(u),
                       .all = outcome_new(u),
                       .nearest = memory_new(1, sizeof *w.nearest),
                       .made = memory_new(1, sizeof *w.made)};
    w.alone.reading[s->clause] = s->reading;
    random_seed(&w.random, s->draw << 32 | s->clause << 8 | s->reading);
    bool found = search(&w);
    if (found)
        case_copy(out, w.made);
    free(w.made);
    free(w.nearest);
    outcome_free(w.all);
    outcome_free(w.one);
    outcome_free(w.base);
    return found;
}

bool isolate_is_done(struct findings *fs, unsigned clause, uint8_t reading)
{
    for (unsigned i = 0; i < findings_count(fs); i++) {
        const struct explanation *x = &findings_at(fs, i)->explanation;
        const struct cause *cause = &x->candidate[0];
        if (x->candidates == 1 && !x->masked && cause->count == 1 && cause->change[0].clause == clause &&
            cause->change[0].reading == reading)
            return true;
    }
    return false;
}
