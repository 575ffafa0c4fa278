/* SPDX-License-Identifier: MIT */
/* Applies the attribution over all evidence to the findings: merges, re-explains and refutes them
 * (findings.h). */
#include "oracle/attribution/findings_entry.h"

#include <stdlib.h>
#include <string.h>

enum {
    MASKS_MOST = 2,      /* most changes on top of the attributed set that may mask a case */
    MASKS_BUDGET = 5000, /* limit of model runs to find them */
};

struct reconciler {
    struct findings *fs;
    const struct attribution *a;
    uint64_t compared; /* cases that this run compared */
    findings_moved moved;
    void *context;
    bool changed;
    struct executor *x;
    struct explainer *explainer;
    struct outcome *model, *board;
};

static bool report_move(const struct reconciler *k, const struct finding *from, const struct finding *to,
                        bool last)
{
    return !k->moved || k->moved(k->context, from, to, last);
}

/* --- merging by causes */

/*
 * Merges an entry into others. The others keep their own cases even if the entry's case is smaller, because
 * their cases establish their causes. The entry's case shows several causes at once, or does not decide
 * between them.
 */
static bool merge_into(struct reconciler *k, struct entry *from, struct entry *const to[], unsigned n)
{
    from->merged = true;
    for (unsigned i = 0; i < n; i++) {
        to[i]->f->cases += from->f->cases;
        to[i]->f->inherited += from->f->inherited;
        if (!report_move(k, from->f, to[i]->f, i + 1 == n))
            return false;
    }
    return true;
}

/* Merges established causes that are now unions of smaller ones. */
static bool merge_unions(struct reconciler *k)
{
    for (unsigned i = 0; i < k->fs->count; i++) {
        struct entry *p = &k->fs->entry[i], *parts[PARTS_MAX];
        unsigned n = entry_established(p) ? parts_of(k->fs, &p->f->explanation.candidate[0], parts) : 0;
        k->changed |= n != 0;
        if (n && !merge_into(k, p, parts, n))
            return false;
    }
    return true;
}

/* Merges findings with several candidates, and masked ones, if one of their candidates is now established. */
static bool merge_answered(struct reconciler *k)
{
    for (unsigned i = 0; i < k->fs->count; i++) {
        struct entry *p = &k->fs->entry[i], *to[PARTS_MAX];
        const struct explanation *x = &p->f->explanation;
        enum rank rank = entry_rank(p);
        unsigned n = 0;
        if (rank != RANK_CANDIDATES && rank != RANK_MASKED)
            continue;
        for (unsigned c = 0; c < x->candidates && !n; c++) {
            to[0] = entry_of_cause(k->fs, &x->candidate[c]);
            n = to[0] ? 1 : parts_of(k->fs, &x->candidate[c], to);
        }
        k->changed |= n != 0;
        if (n && !merge_into(k, p, to, n))
            return false;
    }
    return true;
}

/* Sets `all` to those changes of `whole` that candidates of some entries make. A candidate counts only if all
 * its changes are in `whole`. Returns how many entries have such a candidate. */
static unsigned part_changes(const struct cause *whole, struct entry *const from[], unsigned n,
                             struct cause *all)
{
    unsigned parts = 0;
    memset(all, 0, sizeof *all);
    for (unsigned i = 0; i < n; i++) {
        const struct explanation *x = &from[i]->f->explanation;
        bool within = false;
        for (unsigned c = 0; c < x->candidates; c++) {
            const struct cause *part = &x->candidate[c];
            if (!cause_within(part, whole))
                continue;
            within = true;
            for (unsigned k = 0; k < part->count; k++)
                (void)cause_add(all, part->change[k].clause, part->change[k].reading);
        }
        parts += within;
    }
    return parts;
}

/* Finds the smaller findings whose candidates together make each candidate of `p`. Returns their number; 0 if
 * there are none. */
static unsigned parts_of_candidates(const struct reconciler *k, const struct entry *p,
                                    struct entry *parts[PARTS_MAX])
{
    const struct explanation *x = &p->f->explanation;
    struct cause all;
    unsigned n = 0;
    for (unsigned i = 0; i < k->fs->count && n < PARTS_MAX; i++) {
        struct entry *q = &k->fs->entry[i];
        if (q == p || entry_rank(q) > RANK_CANDIDATES ||
            q->f->explanation.candidate[0].count >= x->candidate[0].count)
            continue;
        parts[n] = q;
        n += part_changes(&x->candidate[0], &parts[n], 1, &all);
    }
    for (unsigned c = 0; c < x->candidates; c++)
        if (part_changes(&x->candidate[c], parts, n, &all) < n || !cause_equal(&all, &x->candidate[c]))
            return 0;
    return n;
}

/* Merges findings of several causes at once into those of the single causes. These may have several
 * candidates each: "a and b, or a and c" goes into "a" and "b, or c". */
static bool merge_products(struct reconciler *k)
{
    for (unsigned i = 0; i < k->fs->count; i++) {
        struct entry *p = &k->fs->entry[i], *parts[PARTS_MAX];
        unsigned n = entry_rank(p) <= RANK_CANDIDATES ? parts_of_candidates(k, p, parts) : 0;
        k->changed |= n != 0;
        if (n && !merge_into(k, p, parts, n))
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
    a->related[RELATED_AGREES] = b->related[RELATED_AGREES];
    b->related[RELATED_AGREES] = old.related[RELATED_AGREES];
}

/* Names a finding that changed; `before` has the id that the store knows. If another finding already has the
 * new id, merges the two. */
static bool name_anew(struct reconciler *k, struct entry *p, struct finding before)
{
    finding_name(p->f);
    for (unsigned i = 0; i < k->fs->count; i++) {
        struct entry *same = &k->fs->entry[i];
        if (same == p || same->merged || strcmp(same->f->id, p->f->id) != 0)
            continue;
        p->merged = true;
        same->f->cases += p->f->cases;
        same->f->inherited += p->f->inherited;
        same->predicted += p->predicted;
        if (p->alone > same->alone ||
            (p->alone == same->alone && finding_is_smaller(same->f, p->f->smallest, p->f->label))) {
            swap_cases(same->f, p->f);
            same->alone = p->alone;
        }
        return report_move(k, &before, same->f, true);
    }
    return !strcmp(before.id, p->f->id) || report_move(k, &before, p->f, true);
}

/* Gives a finding another explanation, and so another verdict and id. */
static bool explain_anew(struct reconciler *k, struct entry *p, const struct explanation *x)
{
    struct finding before = *p->f;
    p->f->explanation = *x;
    p->f->explanation.masked = x->candidates && first_exact(x)->masks;
    p->f->verdict = verdict_of(k->fs->unit, &p->f->explanation, true, board_class(&p->f->board));
    return name_anew(k, p, before);
}

/* --- applying the attribution over all evidence */

static enum match match_finding(struct reconciler *k, const struct finding *f, const struct profile *p,
                                struct differences *d)
{
    return model_match(k->x, f->smallest, p, k->board, k->model, NULL, d);
}

static bool reproduced(struct reconciler *k, const struct finding *f, const struct profile *p)
{
    return match_finding(k, f, p, NULL) != MATCH_DIFFERENT;
}

/* Sets `needed` to the part of the attributed set that the finding's case needs. Returns how many changes
 * that is. */
static unsigned needed_of(struct reconciler *k, const struct finding *f, struct profile *needed)
{
    unsigned count = 0;
    *needed = k->a->profile;
    for (unsigned i = k->a->changes; i-- > 0;) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = *needed;
        without.reading[c->clause] = k->fs->base.reading[c->clause];
        if (reproduced(k, f, &without))
            *needed = without;
        else
            count++;
    }
    return count;
}

/* Sets `c` to the changes of a profile. `unreported`: only those that no established finding reports. False
 * if there are none, or more than a cause can hold. */
static bool changes_of(const struct findings *fs, const struct profile *p, bool unreported, struct cause *c)
{
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < unit_clauses(fs->unit); i++) {
        struct cause one = {0};
        bool reported = false;
        if (p->reading[i] == fs->base.reading[i])
            continue;
        (void)cause_add(&one, i, p->reading[i]);
        for (unsigned k = 0; unreported && k < fs->count && !reported; k++)
            reported = entry_established(&fs->entry[k]) &&
                       cause_within(&one, &fs->entry[k].f->explanation.candidate[0]);
        if (!reported && !cause_add(c, i, p->reading[i]))
            return false;
    }
    return c->count != 0;
}

/* Is this candidate beaten by the attributed change `c`? It is if the candidate only masks bits, which no
 * board can contradict, while the change predicted the bits of many cases. */
static bool is_beaten(const struct entry *p, const struct attributed_change *c, unsigned candidate)
{
    return c->candidate[candidate].masks && p->predicted >= PREDICTIONS_MIN;
}

/* Adds a cause. Also adds, as further candidates, the cause with one change replaced by each candidate that
 * the attribution lists for that change. */
static void add_exchanges(const struct reconciler *k, const struct entry *p, const struct cause *cause,
                          struct explanation *x)
{
    x->candidate[x->candidates++] = *cause;
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

/* Explains the finding's case by all evidence: by the candidates that the evidence allows, or else by the
 * part of the attributed set that the case needs. */
static struct explanation allowed_of(const struct reconciler *k, const struct entry *p,
                                     const struct profile *needed)
{
    const struct explanation *old = &p->f->explanation;
    struct explanation x = *old;
    struct cause part;
    bool has_part = changes_of(k->fs, needed, false, &part);
    x.candidates = 0;
    x.more_candidates = x.masked = false;
    if (has_part && part.count == 1) {
        add_exchanges(k, p, &part, &x);
        return x;
    }
    for (unsigned i = 0; i < old->candidates; i++)
        if (!old->candidate[i].masks && attribution_allows(k->a, &old->candidate[i]))
            x.candidate[x.candidates++] = old->candidate[i];
    if (!x.candidates && has_part)
        x.candidate[x.candidates++] = part;
    if (x.candidates == 1 && x.candidate[0].count > 1) {
        struct cause whole = x.candidate[0];
        x.candidates = 0;
        add_exchanges(k, p, &whole, &x);
    }
    return x;
}

/* Handles a case that needs more changes than a cause can hold: counts it for each finding that reports some
 * of these changes. */
static bool share_out(struct reconciler *k, struct entry *p, const struct profile *needed)
{
    struct entry *to[PARTS_MAX];
    struct explanation x = {.candidates = 1};
    unsigned n = 0;
    if (changes_of(k->fs, needed, true, &x.candidate[0]))
        return explain_anew(k, p, &x);
    for (unsigned i = 0; i < k->fs->count && n < PARTS_MAX; i++) {
        struct entry *other = &k->fs->entry[i];
        struct profile with = *needed;
        if (other == p || !entry_established(other))
            continue;
        cause_apply(&other->f->explanation.candidate[0], &with);
        if (!memcmp(&with, needed, sizeof with))
            to[n++] = other;
    }
    return !n || merge_into(k, p, to, n);
}

/* Do a few further changes on top of the attributed set mask the remaining difference? Then the case shows no
 * other cause. */
static bool masked_on_top(struct reconciler *k, const struct finding *f, struct explanation *x)
{
    struct explanation top;
    struct profile p = k->a->profile;
    explainer_run(k->explainer, f->smallest, &p, k->board, MASKS_MOST, MASKS_BUDGET, &top);
    if (!top.candidates || !top.candidate[0].masks || !attribution_allows_mask(k->a, &top.candidate[0]))
        return false;
    struct cause part = top.candidate[0];
    for (unsigned i = 0; i < k->a->changes; i++) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = k->a->profile;
        cause_apply(&top.candidate[0], &without);
        without.reading[c->clause] = k->fs->base.reading[c->clause];
        if (!reproduced(k, f, &without) && !cause_add(&part, c->clause, c->reading))
            part = top.candidate[0];
    }
    part.masks = true;
    *x = (struct explanation){.candidates = 1, .candidate = {part}, .masked = true};
    return true;
}

/* Returns the explanation of a case that the attributed set does not explain. The evidence refutes the case's
 * candidates, except those that mask the difference and are not outpredicted. */
static struct explanation refuted_of(struct reconciler *k, const struct finding *f)
{
    const struct explanation *old = &f->explanation;
    struct explanation x = *old;
    x.candidates = 0;
    for (unsigned i = 0; i < old->candidates; i++)
        if (old->candidate[i].masks && attribution_allows_mask(k->a, &old->candidate[i]))
            x.candidate[x.candidates++] = old->candidate[i];
    if (!x.candidates && !masked_on_top(k, f, &x) && old->candidates)
        x = (struct explanation){.cut = old->cut, .runs = old->runs, .nearest = old->candidate[0]};
    return x;
}

/* Does the changed model reproduce the difference of the finding's case, rather than mask it? */
static bool shows(struct reconciler *k, const struct finding *f, const struct profile *changed)
{
    struct differences d;
    return match_finding(k, f, &k->fs->base, &d) == MATCH_DIFFERENT &&
           match_finding(k, f, changed, NULL) == MATCH_EQUAL &&
           differences_decided(&d, k->model) != DECIDED_NONE;
}

/* Are there fewer candidates than before, and all of them old ones? */
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

static bool reconcile_entry(struct reconciler *k, struct entry *p)
{
    struct finding *f = p->f;
    enum explained how = entry_explained(p);
    struct explanation x = f->explanation;
    struct profile needed;
    struct error ignored; /* a finding whose stored outcome cannot be read stays as it is */
    if (p->merged || p->flaky || how == LEARNED ||
        !outcome_decode(k->board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
        return true;
    if (reproduced(k, f, &k->a->profile)) {
        if (!needed_of(k, f, &needed))
            return true; /* an attributed change masks the difference */
        if (how == MASKED && !shows(k, f, &needed))
            return true;
        x = allowed_of(k, p, &needed);
        if (p->earlier > k->compared && !is_narrower(&x, &f->explanation))
            return true;
        if (!x.candidates)
            return share_out(k, p, &needed);
    } else if (p->earlier <= k->compared) {
        x = refuted_of(k, f);
    }
    if (same_candidates(&x, &f->explanation) && x.more_candidates == f->explanation.more_candidates)
        return true;
    return explain_anew(k, p, &x);
}

static void free_merged(struct findings *fs)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < fs->count; i++)
        if (fs->entry[i].merged)
            entry_free(&fs->entry[i]);
        else
            fs->entry[kept++] = fs->entry[i];
    fs->count = kept;
    findings_update_known(fs);
}

bool findings_reconcile(struct findings *fs, struct executor *x, const struct attribution *a,
                        uint64_t compared, findings_moved moved, void *context)
{
    struct reconciler k = {
        .fs = fs, .a = a, .compared = compared, .moved = moved, .context = context, .x = x};
    bool good = true;
    k.explainer = explainer_new(x);
    k.model = outcome_new(fs->unit);
    k.board = outcome_new(fs->unit);
    for (unsigned i = 0; good && i < fs->count; i++)
        good = reconcile_entry(&k, &fs->entry[i]);
    for (k.changed = true; k.changed && good;) {
        k.changed = false;
        good = merge_unions(&k) && merge_answered(&k) && merge_products(&k);
    }
    fs->attributed = a->profile;
    free_merged(fs);
    explainer_free(k.explainer);
    outcome_free(k.model);
    outcome_free(k.board);
    return good;
}

/* --- rules that were learned */

static struct entry *entry_of_rules(struct findings *fs, const struct finding_learned *by)
{
    for (unsigned i = 0; i < fs->count; i++)
        if (!fs->entry[i].merged && !strcmp(fs->entry[i].f->learned.rules, by->rules))
            return &fs->entry[i];
    return NULL;
}

/* Compares a finding's case with the model under the new base. */
static bool hold_against(struct reconciler *k, struct entry *p, struct entry *into)
{
    struct finding before = *p->f;
    struct differences d;
    struct error ignored;
    if (p == into || p->merged || p->flaky || entry_explained(p) == LEARNED ||
        !outcome_decode(k->board, p->f->smallest, p->f->board_outcome, p->f->board_outcome_size, &ignored))
        return true;
    enum match match = match_finding(k, p->f, &k->fs->base, &d);
    if (match == MATCH_EQUAL)
        return merge_into(k, p, &into, 1);
    if (match != MATCH_DIFFERENT)
        return true;
    p->f->signature = differences_signature(k->fs->unit, k->model, k->board, &d);
    return p->f->signature == before.signature || name_anew(k, p, before);
}

bool findings_learn(struct findings *fs, struct executor *x, const struct profile *base,
                    const struct finding_learned *by, findings_moved moved, void *context)
{
    struct reconciler k = {.fs = fs, .moved = moved, .context = context, .x = x};
    struct entry *into = entry_of_rules(fs, by);
    bool good = true;
    fs->base = *base;
    fs->attributed.rules = base->rules;
    k.model = outcome_new(fs->unit);
    k.board = outcome_new(fs->unit);
    for (unsigned i = 0; into && good && i < fs->count; i++)
        good = hold_against(&k, &fs->entry[i], into);
    free_merged(fs);
    outcome_free(k.model);
    outcome_free(k.board);
    return good;
}

bool findings_withdraw(struct findings *fs, struct executor *x, const struct profile *base, struct finding *f,
                       const struct test_case *c, const struct outcome *board, const char *label,
                       findings_moved moved, void *context)
{
    size_t size;
    uint8_t *outcome = finding_encode_outcome(board, &size);
    const struct finding_learned by = f->learned;
    finding_set_related(f, RELATED_REFUTES, c, label, outcome, size);
    free(outcome);
    f->learned.withdrawn = true;
    f->verdict = VERDICT_WITHDRAWN;
    return findings_learn(fs, x, base, &by, moved, context);
}

bool findings_learn_again(struct findings *fs, struct executor *x, findings_moved moved, void *context)
{
    const struct profile base = fs->base;
    bool good = true;
    for (unsigned i = 0; good && i < fs->count; i++) {
        const struct finding_learned by = fs->entry[i].f->learned;
        good = !by.rules[0] || by.withdrawn || findings_learn(fs, x, &base, &by, moved, context);
    }
    return good;
}
