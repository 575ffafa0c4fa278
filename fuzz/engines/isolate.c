/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/isolate.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/attribution/explain.h"
#include "oracle/compare/compare.h"

#include <stdlib.h>

enum {
    NEW_ONE_IN = 4,  /* cases made anew; the others are changes of the nearest one */
    PATIENCE = 2000, /* cases that bring nothing nearer, until the search begins anew */
};

/* What a search works with. */
struct searcher {
    const struct single_search *s;
    struct profile alone; /* the base with the one change */
    struct random random;
    struct outcome *base, *part, *all;
    struct test_case *nearest, *made;
    uint64_t distance; /* of `nearest` */
};

/*
 * In how many bits the part alone is from all changes together; DISTANCE_ENDS: too far to tell, or the part
 * does nothing there. Further off than the nearest it does not matter how far, nor whether the part does
 * anything: most cases are, and that is one run less.
 */
static uint64_t distance(struct searcher *w, const struct test_case *c)
{
    struct executor *x = w->s->executor;
    executor_run(x, c, &w->alone, RUN_PLAIN, w->part);
    if (!covered(&x->last, w->s->clause)) /* so it cannot matter */
        return DISTANCE_ENDS;
    executor_run(x, c, w->s->known, RUN_PLAIN, w->all);
    uint64_t bits = outcomes_distance(w->part, w->all, DISTANCE_ENDS - 1);
    if (bits > w->distance)
        return bits;
    executor_run(x, c, w->s->base, RUN_PLAIN, w->base);
    return outcomes_equal(w->base, w->part, NULL, NULL) ? DISTANCE_ENDS : bits;
}

/* Does that hold in the bits that the documents define, too, and not only in how the case ends, which says
 * little? All changes stand for the board.
 */
static bool promises(struct searcher *w, const struct test_case *c)
{
    struct executor *x = w->s->executor;
    return w->base->end == w->part->end &&
           model_match(x, c, w->s->base, w->all, w->base, NULL, NULL) == MATCH_DIFFERENT &&
           model_match(x, c, &w->alone, w->all, w->part, NULL, NULL) == MATCH_EQUAL;
}

static void make(struct searcher *w)
{
    if (random_one_in(&w->random, NEW_ONE_IN)) {
        case_generate(&w->random, w->s->from->unit, w->made);
    } else {
        case_copy(w->made, w->nearest);
        case_mutate(&w->random, w->made);
    }
}

static void begin(struct searcher *w)
{
    case_copy(w->nearest, w->s->from);
    w->distance = DISTANCE_ENDS;
}

static bool search(struct searcher *w)
{
    unsigned patience = PATIENCE;
    begin(w);
    for (unsigned n = 0; n < w->s->tries; n++) {
        make(w);
        uint64_t now = distance(w, w->made);
        if (!now && promises(w, w->made))
            return true;
        if (now < w->distance)
            patience = PATIENCE;
        if (now && now <= w->distance) { /* also what is as near: it varies what does not matter */
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

bool single_find(const struct single_search *s, struct test_case *out)
{
    const struct unit *u = s->from->unit;
    struct searcher w = {.s = s, .alone = *s->base};
    w.alone.reading[s->clause] = s->reading;
    random_seed(&w.random, s->draw << 32 | s->clause << 8 | s->reading);
    w.base = outcome_new(u);
    w.part = outcome_new(u);
    w.all = outcome_new(u);
    w.nearest = memory_new(1, sizeof *w.nearest);
    w.made = memory_new(1, sizeof *w.made);
    bool found = search(&w);
    if (found)
        case_copy(out, w.made);
    free(w.made);
    free(w.nearest);
    outcome_free(w.all);
    outcome_free(w.part);
    outcome_free(w.base);
    return found;
}
