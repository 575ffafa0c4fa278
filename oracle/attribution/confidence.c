/* SPDX-License-Identifier: MIT */
/* Which attributed changes could as well be a part of something that is in no ledger. */
#include "oracle/attribution/solver.h"

#include <string.h>

#define DOUBT 0.01 /* the chance at which a change is doubted */

enum { LOOKS_MAX = 256 }; /* unexplained cases that are looked at closely; further ones count as unknown */

/* What an item shows that differs: bit r, region r differs; bit REGIONS_MAX + e, the board ended as `e` and
 * the model otherwise; 0: nothing. */
static uint32_t symptom_of(struct solver *s, unsigned i, const struct profile *p, struct differences *d)
{
    uint32_t symptom = 0;
    struct cached_run run;
    if (run_cache_find(s->run_cache, evidence_set_id(s->v, i), p, &run) && !run.distance) {
        s->x->runs++;
        return 0;
    }
    if (!solver_load(s, i) || model_match(s->x, s->tc, p, s->board, s->model, NULL, d) != MATCH_DIFFERENT)
        return 0;
    if (d->end_differs)
        return UINT32_C(1) << (REGIONS_MAX + s->board->end);
    const struct layout *l = &s->x->unit->layout;
    for (uint32_t k = 0; k < d->listed; k++)
        symptom |= UINT32_C(1) << (layout_region(l, d->word[k].row) - l->regions);
    return symptom;
}

/* How a change stands beside the cases that nothing explains. */
struct context {
    uint64_t predicted;           /* cases that need the change, and whose bits it decides */
    bool bits;                    /* not all of these are only about how the case ended */
    uint64_t unlike[2], agree[2]; /* cases of the same symptom that it does not explain, and cases right
                                     without it: all, and those that touch it */
};

/*
 * `mostly`: more cases stay unexplained than are explained. Else a case that is about more than how it ended
 * settles it: nothing that the others show makes the change doubtful (is_doubtful). Of most changes the first
 * case is one, which spares a quarter of an attribution.
 */
static void measure_context(struct solver *s, const struct cause *own, bool mostly, struct context *k)
{
    struct profile without = s->now;
    struct differences d;
    uint32_t symptom = 0;
    bool any = false;
    memset(k, 0, sizeof *k);
    cause_apply(&(struct cause){.count = 1,
                                .change = {{own->change[0].clause, s->base.reading[own->change[0].clause]}}},
                &without);
    for (unsigned i = 0; i < s->count; i++) {
        const struct item *item = &s->item[i];
        if (item->distance)
            continue;
        uint32_t shown = touches(item, own) ? symptom_of(s, i, &without, &d) : 0;
        if (!shown) {
            k->agree[0]++;
            k->agree[1] += touches(item, own);
            continue;
        }
        symptom |= shown;
        if (model_match(s->x, s->tc, &s->now, s->board, s->model, NULL, NULL) == MATCH_EQUAL &&
            differences_decided(&d, s->model) == DECIDED_ALL) {
            solver_count(s, i, &k->predicted, &any);
            k->bits |= !d.end_differs;
            if (k->bits && !mostly)
                return;
        }
    }
    k->predicted = at_least_one(k->predicted, any);
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].unknown && (symptom_of(s, i, &s->now, &d) & symptom)) {
            k->unlike[0]++;
            k->unlike[1] += touches(&s->item[i], own);
        }
}

/*
 * A change is doubted where cases stay unexplained that show the same, since what makes those could make its
 * cases too:
 * - where all that it explains is how cases ended, which says little, and they are more than an eighth as
 * many;
 * - where more cases stay unexplained than are explained, and of these more than an eighth as many as it
 * explains touch it;
 * - there too, if chance could have explained as many cases, each as likely as it is to be one of those that
 * stay, by one of all the readings there are.
 */
static bool is_doubtful(const struct solver *s, const struct context *k, bool mostly)
{
    double chance = 0, common = 0;
    if (k->predicted && !k->bits && k->unlike[0] * NEEDED_LEAST > k->predicted)
        return true;
    if (!mostly || !k->unlike[0])
        return false;
    if (k->unlike[1] * NEEDED_LEAST > k->predicted)
        return true;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++)
        chance += clause_readings(unit_clause(s->x->unit, c)) - 1;
    for (unsigned i = 0; i < 2; i++) {
        double rate =
            k->unlike[i] ? (double)k->unlike[i] / (double)(k->unlike[i] + k->agree[i] + k->predicted) : 0;
        common = rate > common ? rate : common;
    }
    for (uint64_t n = 0; n < k->predicted && chance > DOUBT; n++)
        chance *= common;
    return chance > DOUBT;
}

/*
 * Which of the unexplained cases show something unknown? Not those that a reading on top of the set would
 * explain or excuse, if other cases did not speak against it: they are most often of true changes that hide
 * each other.
 */
static void look_for_unknown(struct solver *s)
{
    unsigned looked = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        item->unknown = item->distance && !evidence_set_is_uncounted(s->v, i);
        struct explanation x;
        if (!item->unknown || looked == LOOKS_MAX)
            continue;
        solver_explain(s, i, &s->now, 1, 0, &x);
        item->unknown = !x.candidates;
        looked++;
    }
}

unsigned solver_low_confidence(struct solver *s, struct cause back[CLAUSES_MAX])
{
    unsigned count = 0;
    uint64_t explained = 0, unexplained = 0;
    bool mostly;
    if (!solver_leaves_any(s))
        return 0;
    look_for_unknown(s);
    for (unsigned i = 0; i < s->count; i++) {
        unexplained += s->item[i].unknown;
        explained += s->item[i].differed && !s->item[i].distance && !evidence_set_is_uncounted(s->v, i);
    }
    mostly = unexplained > explained;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++) {
        struct cause own = single(c, s->now.reading[c]);
        struct context k;
        if (s->now.reading[c] == s->base.reading[c])
            continue;
        if (unexplained <= NEEDED_LEAST * explained) { /* else nothing is believed */
            measure_context(s, &own, mostly, &k);
            if (!is_doubtful(s, &k, mostly))
                continue;
        }
        back[count++] = single(c, s->base.reading[c]);
    }
    return count;
}
