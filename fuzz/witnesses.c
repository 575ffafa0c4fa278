/* SPDX-License-Identifier: MIT */
#include "fuzz/witnesses.h"

#include "model/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOUCHED_WORDS = (CLAUSES_MAX + 63) / 64,
    EXPLAIN_BUDGET = 500000, /* model runs to explain one finding's case once more */
};

struct witness {
    uint64_t touched[TOUCHED_WORDS];
    uint32_t case_size, outcome_size;
    uint8_t bytes[];
};

struct witnesses {
    struct executor *executor;
    struct explainer *explainer;
    unsigned max_changes;
    struct outcome *model, *board;
    struct test_case *tc;
    uint8_t *bytes; /* scratch: CASE_BYTES_MAX + OUTCOME_BYTES_MAX */
    struct witness **witness;
    unsigned count, room;
    uint64_t offered;     /* witnesses_add was called so often */
    struct random random; /* which to forget */
    size_t used;
};

struct witnesses *witnesses_new(struct executor *x)
{
    struct witnesses *w = memory_new(1, sizeof *w);
    w->executor = x;
    random_seed(&w->random, 1);
    w->explainer = explainer_new(x);
    w->model = outcome_new(x->unit);
    w->board = outcome_new(x->unit);
    w->tc = memory_new(1, sizeof *w->tc);
    w->bytes = memory_new(1, (size_t)CASE_BYTES_MAX + OUTCOME_BYTES_MAX);
    return w;
}

void witnesses_free(struct witnesses *w)
{
    if (!w)
        return;
    for (unsigned i = 0; i < w->count; i++)
        free(w->witness[i]);
    free(w->witness);
    explainer_free(w->explainer);
    outcome_free(w->model);
    outcome_free(w->board);
    free(w->tc);
    free(w->bytes);
    free(w);
}

/* Where the next one goes: behind the others while there is room, then in place of a random one, or nowhere; each offered so far is kept with the
 * same chance. */
static struct witness **place_of_next(struct witnesses *w)
{
    w->offered++;
    if (w->count == WITNESSES_MAX || w->used >= WITNESS_BYTES_MAX) {
        uint64_t at = random_u64(&w->random) % w->offered;
        return at < w->count ? &w->witness[at] : NULL;
    }
    if (w->count == w->room) {
        unsigned room = w->room ? 2 * w->room : 1024;
        struct witness **grown = realloc(w->witness, room * sizeof *grown);
        if (!grown)
            return NULL;
        w->witness = grown;
        w->room = room;
    }
    w->witness[w->count] = NULL;
    return &w->witness[w->count++];
}

static void forget(struct witnesses *w, struct witness **place)
{
    if (*place)
        w->used -= (*place)->case_size + (*place)->outcome_size;
    free(*place);
    *place = NULL;
}

void witnesses_add(struct witnesses *w, const struct test_case *c, const struct outcome *board, const struct coverage *touched)
{
    struct witness **place = place_of_next(w);
    if (!place)
        return;
    forget(w, place);
    size_t case_size = case_encode(c, w->bytes);
    size_t outcome_size = outcome_encode(board, w->bytes + case_size, OUTCOME_BYTES_MAX);
    struct witness *one = outcome_size ? malloc(sizeof *one + case_size + outcome_size) : NULL;
    if (!one)
        return;
    memset(one->touched, 0, sizeof one->touched);
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        one->touched[i / 64] |= (uint64_t)covered(touched, i) << (i % 64);
    one->case_size = (uint32_t)case_size;
    one->outcome_size = (uint32_t)outcome_size;
    memcpy(one->bytes, w->bytes, case_size + outcome_size);
    *place = one;
    w->used += case_size + outcome_size;
}

/* Under the defined mask. Leaving it undefined is no disagreement. */
static bool agrees(struct witnesses *w, const struct profile *p)
{
    executor_run(w->executor, w->tc, p, RUN_PLAIN, w->model);
    return outcomes_equal(w->model, w->board, NULL, NULL) ||
           model_standing(w->executor, w->tc, p, w->board, w->model, NULL, NULL) != STANDS_DIFFERENT;
}

static bool touches_any(const struct witness *one, const struct cause *c)
{
    if (!one) /* memory ran out for this one */
        return false;
    for (unsigned i = 0; i < c->count; i++)
        if ((one->touched[c->change[i].clause / 64] >> (c->change[i].clause % 64)) & 1)
            return true;
    return false;
}

static void weigh_one(struct witnesses *w, const struct witness *one, const struct profile *without, const struct profile *with, uint64_t *gain,
                      uint64_t *harm)
{
    struct error ignored;
    case_decode(w->tc, w->executor->unit, one->bytes, one->case_size);
    if (!outcome_decode(w->board, w->tc, one->bytes + one->case_size, one->outcome_size, &ignored))
        return;
    bool one_way = agrees(w, with), other_way = agrees(w, without);
    *gain += one_way && !other_way;
    *harm += other_way && !one_way;
}

/* Enough on one side that the rest would not turn it. */
static bool is_clear(uint64_t gain, uint64_t harm)
{
    return gain + harm >= 24 && (gain > 16 * harm || harm > 16 * gain);
}

static void weigh(void *context, const struct cause *c, const struct profile *without, const struct profile *with, uint64_t *gain, uint64_t *harm)
{
    struct witnesses *w = context;
    unsigned touching = 0;
    *gain = *harm = 0;
    for (unsigned i = 0; i < w->count; i++)
        touching += touches_any(w->witness[i], c);
    unsigned stride = touching / WEIGHED_MAX + 1;
    for (unsigned i = 0, seen = 0; i < w->count && !is_clear(*gain, *harm); i++)
        if (touches_any(w->witness[i], c) && seen++ % stride == 0)
            weigh_one(w, w->witness[i], without, with, gain, harm);
}

static bool agrees_with_finding(void *context, const struct profile *p, const struct finding *f)
{
    struct witnesses *w = context;
    struct error ignored;
    case_copy(w->tc, f->smallest);
    return outcome_decode(w->board, w->tc, f->board_outcome, f->board_outcome_size, &ignored) && agrees(w, p);
}

static void explain_finding(void *context, const struct profile *base, const struct finding *f, const struct cause *refuted, unsigned count,
                            struct explanation *x)
{
    struct witnesses *w = context;
    struct error ignored;
    case_copy(w->tc, f->smallest);
    if (!outcome_decode(w->board, w->tc, f->board_outcome, f->board_outcome_size, &ignored))
        return;
    explainer_refute(w->explainer, refuted, count);
    explainer_run(w->explainer, w->tc, base, w->board, w->max_changes, EXPLAIN_BUDGET, x);
    explainer_deepen(w->explainer, w->tc, base, w->board, x);
    explainer_refute(w->explainer, NULL, 0);
}

struct book_jury witnesses_jury(struct witnesses *w, unsigned max_changes)
{
    w->max_changes = max_changes;
    return (struct book_jury){.context = w, .weigh = weigh, .agrees = agrees_with_finding, .explain = explain_finding};
}
