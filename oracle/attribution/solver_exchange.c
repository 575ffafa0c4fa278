/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/solver.h"

/* Does a profile reproduce every explained item that touches the cause's clauses? Tries the items first that
 * refuted the last profiles. */
static bool is_as_good(struct solver *s, const struct profile *p, const struct cause *touching)
{
    for (unsigned k = 0; k < s->cores; k++)
        if (!s->item[s->core[k]].distance && solver_distance(s, s->core[k], p, NULL))
            return false;
    for (unsigned i = 0; i < s->count; i++)
        if (!s->item[i].distance && touches(&s->item[i], touching) && solver_distance(s, i, p, NULL)) {
            s->core[s->cores < CORE_MAX ? s->cores++ : i % CORE_MAX] = i;
            return false;
        }
    return true;
}

static void add_candidate(struct attributed_change *a, const struct cause *candidate)
{
    if (a->candidates == EXCHANGES_MAX) {
        a->more_candidates = true;
        return;
    }
    a->candidate[a->candidates].clause = candidate->change[0].clause;
    a->candidate[a->candidates].masks = candidate->masks;
    a->candidate[a->candidates++].reading = candidate->change[0].reading;
}

/* `without` is the set without one of its changes. Item i differs from the board under it. Does the whole set
 * only leave those bits undefined, instead of giving the board's values? */
static bool is_masked(struct solver *s, unsigned i, const struct profile *without)
{
    struct differences d;
    return solver_symptom(s, i, without, &d) &&
           (model_match(s->x, s->tc, &s->now, s->board, s->model, NULL, NULL) == MATCH_UNDEFINED ||
            differences_decided(&d, s->model) == DECIDED_NONE);
}

/* Returns the item that needs the change and touches the fewest clauses; UINT32_MAX if none needs it. Counts
 * the cases that need it in `a`. */
static unsigned simplest_needing(struct solver *s, const struct profile *without, const struct cause *c,
                                 struct attributed_change *a)
{
    unsigned at = UINT32_MAX, fewest = UINT32_MAX;
    struct item_count count = {0}, masked = {0};
    for (unsigned i = 0; i < s->count; i++) {
        if (s->item[i].distance || !touches(&s->item[i], c) || !solver_distance(s, i, without, NULL))
            continue;
        solver_count(s, i, &count);
        if (is_masked(s, i, without))
            solver_count(s, i, &masked);
        unsigned clauses = clauses_touched(&s->item[i]);
        if (clauses < fewest) {
            fewest = clauses;
            at = i;
        }
    }
    a->needed_by = item_count_cases(&count);
    a->masked = item_count_cases(&masked);
    if (a->masked > a->needed_by)
        a->masked = a->needed_by;
    return at;
}

/* Can `set` replace the change `own`? If not, `failing` is an item that `set` does not reproduce. */
static bool can_replace(struct solver *s, const struct profile *without, const struct cause *own,
                        const struct cause *set, unsigned *failing)
{
    struct profile with = *without;
    struct cause all = *own;
    cause_apply(set, &with);
    for (unsigned i = 0; i < set->count; i++)
        (void)cause_add(&all, set->change[i].clause, set->change[i].reading);
    if (is_as_good(s, &with, &all))
        return true;
    *failing = UINT32_MAX;
    for (unsigned i = 0; i < s->count && *failing == UINT32_MAX; i++)
        if (!s->item[i].distance && touches(&s->item[i], &all) && solver_distance(s, i, &with, NULL))
            *failing = i;
    return false;
}

/* Does the change only mask bits that another single change reproduces? */
static bool is_outdone(const struct explanation *singles, const struct cause *own)
{
    bool masks = false, reproduced = false;
    for (unsigned k = 0; k < singles->candidates; k++) {
        masks |= cause_equal(&singles->candidate[k], own) && singles->candidate[k].masks;
        reproduced |= !singles->candidate[k].masks;
    }
    return masks && reproduced;
}

/* Could two changes replace this one? Tries each of the singles with a second change that explains an item on
 * which the single one fails. */
static bool pair_replaces(struct solver *s, const struct profile *without, const struct cause *own,
                          const struct explanation *singles)
{
    for (unsigned k = 0; k < singles->candidates; k++) {
        const struct cause *first = &singles->candidate[k];
        struct explanation second;
        struct profile with = *without;
        unsigned failing;
        if (cause_equal(first, own) || first->masks || can_replace(s, without, own, first, &failing) ||
            failing == UINT32_MAX)
            continue;
        cause_apply(first, &with);
        solver_explain(s, failing, &with, 1, 0, &second);
        for (unsigned i = 0; i < second.candidates; i++) {
            struct cause pair = *first;
            if (!cause_equal(&second.candidate[i], own) &&
                cause_add(&pair, second.candidate[i].change[0].clause,
                          second.candidate[i].change[0].reading) &&
                can_replace(s, without, own, &pair, &failing))
                return true;
        }
    }
    return false;
}

/* Finds the single changes that could replace this one. Each must explain the simplest item that needs the
 * change. */
static void find_candidates(struct solver *s, struct attributed_change *a)
{
    struct profile without = s->now;
    struct explanation x;
    struct cause own = single_change(a->clause, a->reading);
    without.reading[a->clause] = s->base.reading[a->clause];
    unsigned at = simplest_needing(s, &without, &own, a);
    if (at == UINT32_MAX)
        return;
    uint64_t predicted = a->needed_by - a->masked;
    solver_explain(s, at, &without, 1, 0, &x);
    a->more_candidates = x.more_candidates;
    for (unsigned k = 0; k < x.candidates; k++) {
        struct profile with = without;
        struct cause both = own;
        if (cause_equal(&x.candidate[k], &own) || (x.candidate[k].masks && predicted >= PREDICTIONS_MIN))
            continue;
        cause_apply(&x.candidate[k], &with);
        (void)cause_add(&both, x.candidate[k].change[0].clause, x.candidate[k].change[0].reading);
        if (is_as_good(s, &with, &both))
            add_candidate(a, &x.candidate[k]);
    }
    if (predicted < PREDICTIONS_MIN && !a->candidates)
        a->more_candidates |= is_outdone(&x, &own) || pair_replaces(s, &without, &own, &x);
}

void solver_list_changes(struct solver *s)
{
    struct attribution *out = s->out;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++)
        if (s->now.reading[c] != s->base.reading[c])
            out->change[out->changes++] =
                (struct attributed_change){.clause = (uint16_t)c, .reading = s->now.reading[c]};
    out->profile = s->now;
    s->cores = 0;
    for (unsigned i = 0; i < out->changes && !solver_spent(s); i++)
        find_candidates(s, &out->change[i]);
}
