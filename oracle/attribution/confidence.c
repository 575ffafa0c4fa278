/* SPDX-License-Identifier: MIT */
/* Which attributed changes could be part of something that no ledger has. */
#include "oracle/attribution/solver.h"

#include <string.h>

#define CHANCE_MAX 0.01 /* a change that chance explains with more than this probability is doubtful */

enum { LOOKS_MAX = 256 }; /* unexplained cases that are looked at closely; further ones count as unknown */

/* A change beside the cases that nothing explains. */
struct context {
    uint64_t predicted; /* cases that need the change, and whose bits it decides */
    bool bits;          /* some of these differ in more than how they end */
    /* [0]: all, [1]: those that touch the change */
    uint64_t unlike[2]; /* cases of the same symptom that it does not explain */
    uint64_t agree[2];  /* cases right without it */
};

/*
 * Counts a change's context. `mostly`: more cases stay unexplained than are explained. If not, one case that
 * differs in more than its end makes the change sure (is_doubtful), so the counting ends there; this saves a
 * quarter of an attribution.
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
 * A change is doubtful where cases with the same symptom stay unexplained, since their cause could be the
 * cause of its cases too:
 * - all that it explains is how cases ended, which says little, and the unexplained are more than an eighth
 * as many;
 * - more cases stay unexplained than are explained, and those that touch it are more than an eighth as many
 * as it explains;
 * - more stay unexplained than are explained, and chance could have explained as many cases by one of all the
 *   readings there are, if each case is as likely explained as it is to be among the unexplained.
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

/* Marks the unexplained items that show something unknown. An item that a reading on top of the set would
 * explain or mask, if other items did not contradict it, most often shows true changes that hide each other.
 */
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
        item->unknown = !x.candidates;
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
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++) {
        struct cause own = single_change(c, s->now.reading[c]);
        struct context k;
        if (s->now.reading[c] == s->base.reading[c])
            continue;
        if (unexplained <= NEEDED_RATIO * explained) { /* with more, no change is believed */
            measure_context(s, &own, mostly, &k);
            if (!is_doubtful(s, &k, mostly))
                continue;
        }
        back[count++] = single_change(c, s->base.reading[c]);
    }
    return count;
}
