/* SPDX-License-Identifier: MIT */
/*
 * A set that reproduces a differing case must change a clause that the case's run touched. So the search
 * branches over the clauses of one differing case. If the set may get only one more change, the search
 * branches over the clauses that all differing cases touch.
 */
#include "model/core/memory.h"
#include "oracle/attribution/solver.h"

#include <stdlib.h>
#include <string.h>

/* A set on one path of the search tree. */
struct node {
    struct cause set;
    struct profile profile;         /* the base with the set applied */
    uint64_t closed[TOUCHED_WORDS]; /* clauses that the set changes */
};

struct search {
    struct solver *s;
    uint64_t end; /* stop when the executor has counted this many runs */
    unsigned tried_count;
    struct cause *tried; /* single changes for which every set that contains them was tried */
};

/* Finds clauses one of which every larger set that reproduces all cases must change. Returns false if no case
 * differs. */
static bool open_clauses(struct solver *s, const struct node *n, unsigned left, uint64_t open[TOUCHED_WORDS])
{
    uint64_t touched[TOUCHED_WORDS];
    bool any = false;
    memset(open, 0xFF, TOUCHED_WORDS * sizeof *open);
    for (unsigned k = 0; k < s->cores; k++) {
        if (!solver_distance(s, s->core[k], &n->profile, touched))
            continue;
        for (unsigned w = 0; w < TOUCHED_WORDS; w++)
            open[w] &= touched[w];
        any = true;
        if (left != 1) /* one case is enough; the first one touches the fewest clauses */
            break;
    }
    for (unsigned i = 0; !any && i < s->count; i++) {
        if (s->item[i].aside || !solver_distance(s, i, &n->profile, touched))
            continue;
        s->core[s->cores < CORE_MAX ? s->cores++ : i % CORE_MAX] = i;
        memcpy(open, touched, sizeof touched);
        any = true;
    }
    for (unsigned w = 0; w < TOUCHED_WORDS; w++)
        open[w] &= ~n->closed[w];
    return any;
}

static bool was_tried(const struct search *q, unsigned clause, unsigned reading)
{
    for (unsigned i = 0; i < q->tried_count; i++)
        if (q->tried[i].change[0].clause == clause && q->tried[i].change[0].reading == reading)
            return true;
    return false;
}

static void add_set(struct attribution *out, const struct unit *u, const struct cause *c)
{
    if (out->sets == CANDIDATES_MAX) {
        out->more_sets = true;
        return;
    }
    unsigned at = out->sets++;
    for (; at && candidate_order(u, &out->set[at - 1], c) > 0; at--)
        out->set[at] = out->set[at - 1];
    out->set[at] = *c;
}

/* Tries all sets with exactly `left` more changes. */
static void descend(struct search *q, const struct node *n, unsigned left)
{
    struct solver *s = q->s;
    uint64_t open[TOUCHED_WORDS];
    if (s->x->runs >= q->end || solver_spent(s)) {
        s->out->exact = false;
        return;
    }
    if (!open_clauses(s, n, left, open)) {
        if (!left)
            add_set(s->out, s->x->unit, &n->set);
        return; /* a smaller set than allowed reproduces everything; it was found before */
    }
    unsigned before = q->tried_count;
    for (unsigned c = 0; left && c < unit_clauses(s->x->unit); c++) {
        if (!has(open, c))
            continue;
        for (unsigned r = 0; r < clause_readings(unit_clause(s->x->unit, c)); r++) {
            struct node next = *n;
            if (r == s->base.reading[c] || was_tried(q, c, r))
                continue;
            (void)cause_add(&next.set, c, r);
            next.profile.reading[c] = (uint8_t)r;
            next.closed[c / 64] |= UINT64_C(1) << (c % 64);
            descend(q, &next, left - 1);
            q->tried[q->tried_count++] = single_change(c, r);
        }
    }
    q->tried_count = before;
}

void solver_search(struct solver *s, unsigned most, uint64_t budget)
{
    struct attribution *out = s->out;
    struct search q = {.s = s, .end = s->x->runs + budget};
    q.tried = memory_new((size_t)CLAUSES_MAX * READINGS_MAX * CHANGES_MAX, sizeof *q.tried);
    s->cores = 0;
    for (unsigned k = 0; k < s->ordered && s->cores < CORE_MAX / 2; k++)
        if (!s->item[s->order[k]].aside)
            s->core[s->cores++] = s->order[k];
    out->exact = true;
    for (unsigned size = 1; size <= most && !out->sets && out->exact; size++) {
        struct node root = {.profile = s->base};
        descend(&q, &root, size);
    }
    out->exact &= out->sets != 0;
    free(q.tried);
}
