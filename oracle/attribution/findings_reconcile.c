/* SPDX-License-Identifier: MIT */
/* What other evidence makes clear: findings go up in others, get another explanation, or are refuted
 * (findings.h). */
#include "oracle/attribution/findings_entry.h"

#include <stdlib.h>
#include <string.h>

enum {
    MASKS_MOST = 2,      /* changes that may excuse a case on top of the attributed set */
    MASKS_BUDGET = 5000, /* model runs to find them */
};

/*
 * Lets page `from` go up in these pages. They keep their own cases, also where its case is smaller: that one
 * shows several causes at once, or leaves open which; theirs establish what they are filed under.
 */
static bool dissolve(struct entry *from, struct entry *const to[], unsigned n, findings_moved moved,
                     void *context)
{
    from->gone = true;
    for (unsigned i = 0; i < n; i++) {
        to[i]->f->cases += from->f->cases;
        to[i]->f->inherited += from->f->inherited;
        if (moved && !moved(context, from->f, to[i]->f, i + 1 == n))
            return false;
    }
    return true;
}

/* Established causes that turned out to be unions of smaller ones. */
static bool settle_unions(struct findings *b, findings_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; i < b->count; i++) {
        struct entry *parts[PARTS_MAX];
        if (!entry_established(&b->entry[i]))
            continue;
        unsigned n = parts_of(b, &b->entry[i].f->explanation.candidate[0], parts, PARTS_MAX);
        if (!n)
            continue;
        *changed = true;
        if (!dissolve(&b->entry[i], parts, n, moved, context))
            return false;
    }
    return true;
}

/* Open questions that an established cause answers, and excuses that it makes needless. */
static bool settle_candidates(struct findings *b, findings_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; i < b->count; i++) {
        struct entry *p = &b->entry[i], *to[PARTS_MAX];
        enum rank rank = entry_rank(p);
        if (rank != RANK_CANDIDATES && rank != RANK_MASKED)
            continue;
        unsigned n = 0;
        for (unsigned k = 0; k < p->f->explanation.candidates && !n; k++) {
            to[0] = entry_of_cause(b, &p->f->explanation.candidate[k]);
            n = to[0] ? 1 : parts_of(b, &p->f->explanation.candidate[k], to, PARTS_MAX);
        }
        if (!n)
            continue;
        *changed = true;
        if (!dissolve(p, to, n, moved, context))
            return false;
    }
    return true;
}

static void swap_cases(struct finding *a, struct finding *b)
{
    struct finding old = *a;
    a->smallest = b->smallest;
    a->size = b->size;
    a->signature = b->signature;
    a->board_outcome = b->board_outcome;
    a->board_outcome_size = b->board_outcome_size;
    memcpy(a->label, b->label, sizeof a->label);
    b->smallest = old.smallest;
    b->size = old.size;
    b->signature = old.signature;
    b->board_outcome = old.board_outcome;
    b->board_outcome_size = old.board_outcome_size;
    memcpy(b->label, old.label, sizeof b->label);
}

static bool only_masks(const struct explanation *x)
{
    return x->candidates && first_exact(x)->masks;
}

/* Gives a finding another explanation, and so another verdict and id; if there is one of that id already, it
 * goes up in that. */
static bool rename_entry(struct findings *b, struct entry *p, const struct explanation *x,
                         findings_moved moved, void *context)
{
    struct finding before = *p->f; /* its name in the store */
    p->f->explanation = *x;
    p->f->explanation.masked = only_masks(x);
    p->f->verdict = verdict_of(b->unit, &p->f->explanation, true);
    finding_name(p->f);
    for (unsigned i = 0; i < b->count; i++) {
        struct entry *same = &b->entry[i];
        if (same == p || same->gone || strcmp(same->f->id, p->f->id) != 0)
            continue;
        p->gone = true;
        same->f->cases += p->f->cases;
        same->f->inherited += p->f->inherited;
        same->predicted += p->predicted;
        if (p->alone > same->alone ||
            (p->alone == same->alone && finding_is_smaller(same->f, p->f->smallest, p->f->label))) {
            swap_cases(same->f, p->f);
            same->alone = p->alone;
        }
        return !moved || moved(context, &before, same->f, true);
    }
    return !strcmp(before.id, p->f->id) || !moved || moved(context, &before, p->f, true);
}

/* --- by the attribution over all evidence
 * ------------------------------------------------------------------------------------- */

/* What asking the model about a finding's case takes. */
struct court {
    struct executor *x;
    const struct attribution *a;
    uint64_t compared; /* cases, by this run */
    struct explainer *explainer;
    struct outcome *model, *board;
};

static bool reproduced(struct court *k, const struct finding *f, const struct profile *p)
{
    return model_match(k->x, f->smallest, p, k->board, k->model, NULL, NULL) != MATCH_DIFFERENT;
}

/* The attributed set without the changes that the finding's case can do without; how many are left. */
static unsigned needed_of(struct court *k, const struct finding *f, const struct profile *base,
                          struct profile *needed)
{
    unsigned count = 0;
    *needed = k->a->profile;
    for (unsigned i = k->a->changes; i-- > 0;) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = *needed;
        without.reading[c->clause] = base->reading[c->clause];
        if (reproduced(k, f, &without))
            *needed = without;
        else
            count++;
    }
    return count;
}

/* The changes of a profile, but those that established findings report; false if they are none, or more than
 * a cause can hold. */
static bool changes_of(const struct findings *b, const struct profile *p, bool unreported, struct cause *c)
{
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < unit_clauses(b->unit); i++) {
        struct cause one = {0};
        bool reported = false;
        if (p->reading[i] == b->base.reading[i])
            continue;
        (void)cause_add(&one, i, p->reading[i]);
        for (unsigned k = 0; unreported && k < b->count && !reported; k++)
            reported = entry_established(&b->entry[k]) &&
                       cause_within(&one, &b->entry[k].f->explanation.candidate[0]);
        if (!reported && !cause_add(c, i, p->reading[i]))
            return false;
    }
    return c->count != 0;
}

/* A reading that could never be wrong, beside one that foretold many of the finding's cases: also such as the
 * attribution did not keep. */
static bool is_beaten(const struct entry *p, const struct attributed_change *c, unsigned candidate)
{
    return c->candidate[candidate].masks && p->predicted >= PREDICTIONS_MIN;
}

/* A change of the attributed set and, as rivals, what could stand in its place: the same for every finding of
 * that cause. */
static void take_change(const struct court *k, const struct entry *p, const struct cause *change,
                        struct explanation *x)
{
    x->candidate[x->candidates++] = *change;
    for (unsigned i = 0; i < k->a->changes; i++) {
        const struct attributed_change *c = &k->a->change[i];
        if (c->clause != change->change[0].clause)
            continue;
        x->more_candidates = c->more_candidates;
        for (unsigned r = 0; r < c->candidates; r++) {
            struct cause candidate = {0};
            if (is_beaten(p, c, r))
                continue;
            (void)cause_add(&candidate, c->candidate[r].clause, c->candidate[r].reading);
            x->candidate[x->candidates++] = candidate;
        }
    }
}

/* With each change of the cause exchanged for what could stand in its place: then it is open which of them
 * holds. */
static void take_exchanges(const struct court *k, const struct entry *p, const struct cause *cause,
                           struct explanation *x)
{
    for (unsigned i = 0; i < cause->count; i++)
        for (unsigned c = 0; c < k->a->changes; c++) {
            const struct attributed_change *a = &k->a->change[c];
            if (a->clause != cause->change[i].clause || a->reading != cause->change[i].reading)
                continue;
            x->more_candidates |= a->more_candidates;
            for (unsigned r = 0; r < a->candidates; r++) {
                struct cause other = {0};
                bool fits = !is_beaten(p, a, r);
                for (unsigned n = 0; n < cause->count; n++)
                    fits = fits &&
                           (n == i ? cause_add(&other, a->candidate[r].clause, a->candidate[r].reading)
                                   : cause_add(&other, cause->change[n].clause, cause->change[n].reading));
                if (fits && x->candidates < CANDIDATES_MAX)
                    x->candidate[x->candidates++] = other;
                else
                    x->more_candidates |= fits;
            }
        }
}

/* What explains the finding's case as far as all evidence goes: its part of the attributed set, or those of
 * its rivals that the evidence allows. */
static struct explanation allowed_of(const struct findings *b, struct court *k, const struct entry *p,
                                     const struct profile *needed)
{
    const struct finding *f = p->f;
    struct explanation x = f->explanation;
    struct cause part;
    bool has_part = changes_of(b, needed, false, &part);
    x.candidates = 0;
    x.more_candidates = x.masked = false;
    if (has_part && part.count == 1) {
        take_change(k, p, &part, &x);
        return x;
    }
    for (unsigned i = 0; i < f->explanation.candidates; i++)
        if (!f->explanation.candidate[i].masks && attribution_allows(k->a, &f->explanation.candidate[i]))
            x.candidate[x.candidates++] = f->explanation.candidate[i];
    if (!x.candidates && has_part)
        x.candidate[x.candidates++] = part;
    if (x.candidates == 1 && x.candidate[0].count > 1) {
        struct cause whole = x.candidate[0];
        take_exchanges(k, p, &whole, &x);
    }
    return x;
}

/* More changes at once than a cause can hold: evidence for each finding that reports some of them. */
static bool share_out(struct findings *b, struct entry *p, const struct profile *needed, findings_moved moved,
                      void *context)
{
    struct entry *to[PARTS_MAX];
    struct explanation x = {.candidates = 1};
    unsigned n = 0;
    if (changes_of(b, needed, true, &x.candidate[0]))
        return rename_entry(b, p, &x, moved, context);
    for (unsigned i = 0; i < b->count && n < PARTS_MAX; i++) {
        struct profile with = *needed;
        if (&b->entry[i] == p || !entry_established(&b->entry[i]))
            continue;
        cause_apply(&b->entry[i].f->explanation.candidate[0], &with);
        if (!memcmp(&with, needed, sizeof with))
            to[n++] = &b->entry[i];
    }
    return !n || dissolve(p, to, n, moved, context);
}

/* Is there a reading that, on top of the attributed set, leaves what still differs undefined? Then the case
 * shows nothing but that. */
static bool masked_on_top(const struct findings *b, struct court *k, const struct finding *f,
                          struct explanation *x)
{
    struct explanation top;
    struct profile p = k->a->profile;
    explainer_run(k->explainer, f->smallest, &p, k->board, MASKS_MOST, MASKS_BUDGET, &top);
    if (!top.candidates || !top.candidate[0].masks)
        return false;
    struct cause part = top.candidate[0];
    for (unsigned i = 0; i < k->a->changes; i++) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = k->a->profile;
        cause_apply(&top.candidate[0], &without);
        without.reading[c->clause] = b->base.reading[c->clause];
        if (!reproduced(k, f, &without) && !cause_add(&part, c->clause, c->reading))
            part = top.candidate[0];
    }
    part.masks = true;
    *x = (struct explanation){.candidates = 1, .candidate = {part}, .masked = true};
    return true;
}

/* The attributed set does not explain the case: what explained it is refuted, unless it only excused it. */
static struct explanation refuted_of(const struct findings *b, struct court *k, const struct finding *f)
{
    const struct explanation *old = &f->explanation;
    struct explanation x = *old;
    x.candidates = 0;
    for (unsigned i = 0; i < old->candidates; i++)
        if (old->candidate[i].masks)
            x.candidate[x.candidates++] = old->candidate[i];
    if (!x.candidates && !masked_on_top(b, k, f, &x) && old->candidates)
        x = (struct explanation){.cut = old->cut, .runs = old->runs, .nearest = old->candidate[0]};
    return x;
}

/* Does the changed model reproduce what the finding's case showed, rather than leave it undefined? Only then
 * the case shows the cause. */
static bool shows(struct court *k, const struct finding *f, const struct profile *base,
                  const struct profile *changed)
{
    struct differences d;
    return model_match(k->x, f->smallest, base, k->board, k->model, NULL, &d) == MATCH_DIFFERENT &&
           model_match(k->x, f->smallest, changed, k->board, k->model, NULL, NULL) == MATCH_EQUAL &&
           differences_decided(&d, k->model) != DECIDED_NONE;
}

/* Fewer explanations, all among the old ones. */
static bool is_narrower(const struct explanation *x, const struct explanation *old)
{
    for (unsigned i = 0; i < x->candidates; i++) {
        unsigned at = 0;
        while (at < old->candidates && !cause_equal(&x->candidate[i], &old->candidate[at]))
            at++;
        if (at == old->candidates)
            return false;
    }
    return x->candidates && !x->more_candidates;
}

static bool reconcile_entry(struct findings *b, struct entry *p, struct court *k, findings_moved moved,
                            void *context, bool *changed)
{
    struct finding *f = p->f;
    enum explained how = explained_by(&f->explanation, p->flaky);
    struct explanation x = f->explanation;
    struct profile needed;
    struct error ignored; /* a finding whose outcome cannot be read stays as it is */
    if (p->gone || p->flaky ||
        !outcome_decode(k->board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
        return true;
    if (reproduced(k, f, &k->a->profile)) {
        if (!needed_of(k, f, &b->base, &needed))
            return true; /* an attributed change leaves it undefined */
        if (how == MASKED && !shows(k, f, &b->base, &needed))
            return true;
        x = allowed_of(b, k, p, &needed);
        if (p->earlier > k->compared && !is_narrower(&x, &f->explanation))
            return true;
        *changed |= !x.candidates;
        if (!x.candidates)
            return share_out(b, p, &needed, moved, context);
    } else if (how != MASKED && p->earlier <= k->compared) {
        x = refuted_of(b, k, f);
    }
    if (same_candidates(&x, &f->explanation) && x.more_candidates == f->explanation.more_candidates)
        return true;
    *changed = true;
    return rename_entry(b, p, &x, moved, context);
}

static bool reconcile_entries(struct findings *b, struct executor *x, const struct attribution *a,
                              uint64_t compared, findings_moved moved, void *context, bool *changed)
{
    struct court k = {x, a, compared, explainer_new(x), outcome_new(b->unit), outcome_new(b->unit)};
    bool good = true;
    for (unsigned i = 0; good && i < b->count; i++)
        good = reconcile_entry(b, &b->entry[i], &k, moved, context, changed);
    explainer_free(k.explainer);
    outcome_free(k.model);
    outcome_free(k.board);
    return good;
}

/* Frees what went up in others. */
static void close_up(struct findings *b)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < b->count; i++)
        if (b->entry[i].gone)
            entry_free(&b->entry[i]);
        else
            b->entry[kept++] = b->entry[i];
    b->count = kept;
    findings_update_known(b);
}

bool findings_reconcile(struct findings *b, struct executor *x, const struct attribution *a,
                        uint64_t compared, findings_moved moved, void *context)
{
    bool changed = true, good = reconcile_entries(b, x, a, compared, moved, context, &changed);
    while (changed && good) {
        changed = false;
        good = settle_unions(b, moved, context, &changed) && settle_candidates(b, moved, context, &changed);
    }
    b->attributed = a->profile;
    close_up(b);
    return good;
}
