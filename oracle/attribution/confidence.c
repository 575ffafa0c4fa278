/* SPDX-License-Identifier: MIT */
/* Finds the changes that are doubtful, because they may only imitate a cause that no reading describes. */
#include "oracle/attribution/solver.h"

#include <string.h>

#define CHANCE_MAX 0.01 /* a change is doubtful if chance explains as much with a higher probability */

enum { LOOKS_MAX = 256 }; /* unexplained cases that are examined; the rest count as unknown */

/* The cases that speak for and against a change, when some cases are unexplained. */
struct context {
    uint64_t predicted; /* cases that need the change, and whose bits the change decides */
    bool bits;          /* without the change, some of these cases differ in more than how they end */
    /* [0]: all cases, [1]: those that touch the change's clause */
    uint64_t unlike[2]; /* unexplained cases with the symptom of the change's own cases */
    uint64_t agree[2];  /* cases that are equal without the change */
};

/*
 * Counts a change's context. `mostly`: more cases are unexplained than explained. If not, is_doubtful accepts
 * the change for one case that differs in more than its end. Then the counting stops at that case, which
 * saves a quarter of the time of an attribution.
 */
static void measure_context(struct solver *s, const struct cause *own, bool mostly, struct context *k)
{
    unsigned clause = own->change[0].clause;
    struct profile without = s->now;
    struct differences d;
    struct item_count predicted = {0};
    uint32_t symptoms = 0;
    memset(k, 0, sizeof *k);
    without.reading[clause] = s->base.reading[clause];
    for (unsigned i = 0; i < s->count; i++) {
        const struct item *item = &s->item[i];
        if (item->distance)
            continue;
        uint32_t symptom = touches(item, own) ? solver_symptom(s, i, &without, &d) : 0;
        if (!symptom) {
            k->agree[0]++;
            k->agree[1] += touches(item, own);
            continue;
        }
        symptoms |= symptom;
        if (model_match(s->x, s->tc, &s->now, s->board, s->model, NULL, NULL) == MATCH_EQUAL &&
            differences_decided(&d, s->model) == DECIDED_ALL) {
            solver_count(s, i, &predicted);
            k->bits |= !d.end_differs;
            if (k->bits && !mostly)
                break;
        }
    }
    k->predicted = item_count_cases(&predicted);
    for (unsigned i = 0; i < s->count && (mostly || !k->bits); i++)
        if (s->item[i].unknown && (solver_symptom(s, i, &s->now, &d) & symptoms)) {
            k->unlike[0]++;
            k->unlike[1] += touches(&s->item[i], own);
        }
}

/*
 * A change may be doubtful if unexplained cases have the same symptom as the change's own cases: their
 * unknown cause may then be the cause of the change's cases too. One of these must also hold:
 * - The change explains only how cases ended, which says little, and there are more than an eighth as many
 *   unexplained cases as it explains.
 * - More cases are unexplained than explained, and those that touch the change's clause are more than an
 *   eighth as many as it explains.
 * - More cases are unexplained than explained, and with a probability above CHANCE_MAX one of the unit's
 *   readings explains as many cases by chance. A reading explains one case by chance with a probability equal
 *   to the share of unexplained cases.
 */
static bool is_doubtful(const struct solver *s, const struct context *k, bool mostly)
{
    double chance = 0, common = 0;
    if (k->predicted && !k->bits && k->unlike[0] * NEEDED_RATIO > k->predicted)
        return true;
    if (!mostly || !k->unlike[0])
        return false;
    if (k->unlike[1] * NEEDED_RATIO > k->predicted)
        return true;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++)
        chance += clause_readings(unit_clause(s->x->unit, c)) - 1;
    for (unsigned i = 0; i < 2; i++) {
        double rate =
            k->unlike[i] ? (double)k->unlike[i] / (double)(k->unlike[i] + k->agree[i] + k->predicted) : 0;
        common = rate > common ? rate : common;
    }
    for (uint64_t n = 0; n < k->predicted && chance > CHANCE_MAX; n++)
        chance *= common;
    return chance > CHANCE_MAX;
}

/* Marks the unexplained items that must have an unknown cause. Does not mark an item if a further reading
 * that is not outpredicted explains or masks it, and only other items contradict that reading. Most often,
 * such an item shows true changes that hide each other. */
static void mark_unknown(struct solver *s)
{
    unsigned looked = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        struct explanation x;
        item->unknown = item->distance && !evidence_set_is_uncounted(s->v, i);
        if (!item->unknown || looked == LOOKS_MAX)
            continue;
        solver_explain(s, i, &s->now, 1, 0, &x);
        for (unsigned k = 0; k < x.candidates && item->unknown; k++)
            item->unknown = x.candidate[k].masks && solver_outpredicts(s, &x.candidate[k]);
        looked++;
    }
}

unsigned solver_low_confidence(struct solver *s, struct cause back[CLAUSES_MAX])
{
    unsigned count = 0;
    uint64_t explained = 0, unexplained = 0;
    if (!solver_leaves_any(s))
        return 0;
    mark_unknown(s);
    for (unsigned i = 0; i < s->count; i++) {
        unexplained += s->item[i].unknown;
        explained += s->item[i].differed && !s->item[i].distance && !evidence_set_is_uncounted(s->v, i);
    }
    bool mostly = unexplained > explained;
    s->out->many_unknown = unexplained * NEEDED_RATIO > explained;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++) {
        struct cause own = single_change(c, s->now.reading[c]);
        struct context k;
        if (s->now.reading[c] == s->base.reading[c])
            continue;
        if (unexplained <= NEEDED_RATIO * explained) { /* beyond that ratio, no change is accepted */
            measure_context(s, &own, mostly, &k);
            if (!is_doubtful(s, &k, mostly))
                continue;
        }
        back[count++] = single_change(c, s->base.reading[c]);
    }
    return count;
}
