/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/isolate.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/attribution/explain.h"
#include "oracle/compare/compare.h"

#include <stdlib.h>

enum {
    NEW_ONE_IN = 4,  /* cases made anew; the others are changes of the nearest one */
    PATIENCE = 2000, /* cases without progress, after which the search begins anew */
};

struct search {
    const struct isolation *s;
    struct profile alone; /* the base with the one change */
    struct random random;
    struct outcome *base, *one, *all; /* under the base, the one change, all known changes */
    struct test_case *nearest, *made;
    uint64_t distance; /* of `nearest` */
};

/*
 * In how many bits the one change differs from all changes together; DISTANCE_ENDS: the ends differ, or the
 * change does nothing. A case further off than the nearest needs no run under the base: most are, and
 * whether the change does something there does not matter.
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
 * Does the change act alone in defined bits, too, and not only in how the case ends, which says little? The
 * run under all changes stands in for the board.
 */
static bool is_isolated(struct search *w, const struct test_case *c)
{
    struct executor *x = w->s->executor;
    return w->base->end == w->one->end &&
           model_standing(x, c, w->s->base, w->all, w->base, NULL, NULL) == STANDS_DIFFERENT &&
           model_standing(x, c, &w->alone, w->all, w->one, NULL, NULL) == STANDS_EQUAL;
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
        if (now && now <= w->distance) { /* also one as near: it varies what does not matter */
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
