/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/attribute.h"

#include "model/core/memory.h"
#include "oracle/attribution/solver.h"

#include <stdlib.h>
#include <string.h>

enum {
    STUCK_MAX = 200, /* differing cases in a row that no credible change explains, before the rest is taken to
                        be like them */
    CASE_BUDGET =
        20000, /* model runs to explain one case that is kept; others are explained by single changes alone */
    HARM_LOOKS = 16,       /* cases that speak against a change, looked at closely */
    HARM_CHANGES = 2,      /* further changes that may be the reason instead */
    HARM_BUDGET = 5000,    /* model runs to find them */
    ROUNDS = 3,            /* of building, each without what the last one refuted */
    RESCUE_BUDGET = 60000, /* the same where the evidence mostly has no explanation at all */
    EXACT_BUDGET = 400000, /* model runs of the exact search */
    BETTER_LEAST = 2, /* cases that come nearer by a change for each that gets further off, or the case it
                         explains is a coincidence */
};

/* --- single items
 * -------------------------------------------------------------------------------------------------------------
 */

/* The checked run of the item in hand. */
static void measure_checked(struct solver *s, const struct profile *p, struct cached_run *run)
{
    run->runs = 2;
    if (model_match(s->x, s->tc, p, s->board, s->model, NULL, NULL) == MATCH_DIFFERENT)
        run->distance = outcomes_distance(s->model, s->board, UINT64_MAX);
    touched_by(&s->x->last, unit_clauses(s->x->unit), run->touched);
}

/*
 * Runs item i; false if it was lost. What differed under the set so far mostly differs still: then the
 * checked run comes first, and mostly spares the plain one.
 */
static bool measure(struct solver *s, unsigned i, const struct profile *p, struct cached_run *run)
{
    uint64_t before = s->x->runs, plain[TOUCHED_WORDS];
    if (!solver_load(s, i))
        return false;
    *run = (struct cached_run){0};
    if (s->item[i].distance)
        measure_checked(s, p, run);
    if (!run->distance) {
        bool checked = run->runs;
        executor_run(s->x, s->tc, p, RUN_PLAIN, s->model);
        touched_by(&s->x->last, unit_clauses(s->x->unit), plain);
        if (outcomes_equal(s->model, s->board, NULL, NULL)) {
            run->runs = 1;
            memcpy(run->touched, plain, sizeof plain);
        } else if (!checked) {
            measure_checked(s, p, run);
        }
    }
    if (run->distance || !memcmp(plain, run->touched, sizeof plain))
        run_cache_put(s->run_cache, evidence_set_id(s->v, i), p, run);
    s->x->runs = before + run->runs; /* as if the plain one always came first */
    return true;
}

/* How many bits of item i the model gets wrong under a profile, and what the run touched (may be NULL).
 * Undefined is not wrong. */
static uint64_t distance_of(struct solver *s, unsigned i, const struct profile *p,
                            uint64_t touched[TOUCHED_WORDS])
{
    struct cached_run run;
    if (run_cache_find(s->run_cache, evidence_set_id(s->v, i), p, &run))
        s->x->runs += run.runs;
    else if (!measure(s, i, p, &run))
        return 0;
    if (touched)
        memcpy(touched, run.touched, sizeof run.touched);
    return run.distance;
}

static bool spent(struct solver *s)
{
    if (s->limits->budget && s->x->runs - s->start >= s->limits->budget)
        s->out->cut = true;
    return s->out->cut;
}

/* --- the consistent set
 * ------------------------------------------------------------------------------------------------------- */

/* What a change does to the evidence that touches it: cases that come out right by it, that come nearer
 * (those too), and further off. */
struct weight {
    uint64_t fixed, better, worse;
};

/*
 * Cases that come out wrong so far are weighed first: only they can gain. As soon as the most that can still
 * come of it is `settled`, because more harm would not change what the caller decides, the weighing ends.
 * Most causes that a single case suggests are coincidences, and a few of the many cases that agreed show it.
 */
static struct weight weigh(struct solver *s, const struct cause *c,
                           bool (*settled)(const struct weight *w, const struct weight *best),
                           const struct weight *best)
{
    struct weight w = {0};
    struct profile with = s->now;
    uint64_t agreeing = 0, differing = 0, seen[2] = {0, 0};
    cause_apply(c, &with);
    s->weighings++;
    for (unsigned i = 0; i < s->count; i++)
        if (touches(&s->item[i], c))
            s->item[i].distance ? differing++ : agreeing++;
    uint64_t most = s->limits->sampled ? s->limits->sampled : UINT64_MAX;
    uint64_t stride[2] = {agreeing / most + 1, differing / most + 1};
    for (unsigned kind = 2; kind-- > 0;)
        for (unsigned i = 0; i < s->count; i++) {
            const struct item *item = &s->item[i];
            if (kind != (item->distance != 0) || !touches(item, c) || seen[kind]++ % stride[kind])
                continue;
            uint64_t hope = kind ? differing - seen[kind] + stride[kind] : 0;
            if (settled(&(struct weight){w.fixed + hope, w.better + hope, w.worse}, best))
                return w;
            uint64_t distance = distance_of(s, i, &with, s->weighed[i].touched);
            s->weighed[i].distance = distance;
            s->weighed[i].of = s->weighings;
            w.fixed += stride[kind] * (item->distance && !distance);
            w.better += stride[kind] * (distance < item->distance);
            w.worse += stride[kind] * (distance > item->distance);
        }
    return w;
}

static bool credible(const struct weight *w)
{
    return w->fixed && w->better > BETTER_LEAST * w->worse;
}

static bool is_better(const struct weight *a, const struct weight *b)
{
    int64_t x = (int64_t)a->better - (int64_t)a->worse, y = (int64_t)b->better - (int64_t)b->worse;
    return x != y ? x > y : a->fixed > b->fixed;
}

/* More harm cannot make a cause credible, nor better than the best so far. */
static bool is_rejected(const struct weight *w, const struct weight *best)
{
    return !credible(w) || (best && !is_better(w, best));
}

/* More harm can only confirm that going back on a change does harm, whatever harm_of would say. */
static bool is_needed(const struct weight *w, const struct weight *best)
{
    (void)best;
    return w->worse > w->better && w->worse > (w->fixed ? (uint64_t)NEEDED_LEAST * HARM_LOOKS : 0);
}

/* Takes a cause into the set. What that weighing ran of it, and no later one ran again, is known. */
static void accept(struct solver *s, const struct cause *c, unsigned weighing)
{
    cause_apply(c, &s->now);
    s->version++;
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        if (!touches(item, c))
            continue;
        if (s->weighed[i].of == weighing) {
            item->distance = s->weighed[i].distance;
            memcpy(item->touched, s->weighed[i].touched, sizeof item->touched);
        } else {
            item->distance = distance_of(s, i, &s->now, item->touched);
        }
    }
}

/* Explains a differing item on top of the set so far, and takes the best credible rival into it. */
static bool explain_item(struct solver *s, unsigned i)
{
    struct explanation x;
    struct cause best = {0};
    struct weight most = {0};
    unsigned weighing = 0;
    bool kept = evidence_set_is_kept(s->v, i);
    solver_explain(s, i, &s->now, 1, 0, &x);
    for (unsigned size = 2; kept && !x.candidates && size <= s->limits->most && !spent(s); size++)
        solver_explain(s, i, &s->now, size, CASE_BUDGET, &x);
    for (unsigned k = 0; k < x.candidates; k++) {
        struct weight w;
        if (x.candidate[k].masks)
            continue;
        w = weigh(s, &x.candidate[k], is_rejected, best.count ? &most : NULL);
        if (credible(&w) && (!best.count || is_better(&w, &most))) {
            best = x.candidate[k];
            most = w;
            weighing = s->weighings;
        }
    }
    if (best.count)
        accept(s, &best, weighing);
    return best.count != 0;
}

static unsigned popcount(const uint64_t touched[TOUCHED_WORDS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < TOUCHED_WORDS; i++)
        n += (unsigned)__builtin_popcountll(touched[i]);
    return n;
}

static _Thread_local const struct solver *sorted; /* qsort hands no context on */

/* Kept cases first (they are reduced), then by how many clauses they touch, then in the order of the
 * evidence. */
static int by_simplicity(const void *a, const void *b)
{
    unsigned i = *(const unsigned *)a, k = *(const unsigned *)b;
    int kept = (int)evidence_set_is_kept(sorted->v, k) - (int)evidence_set_is_kept(sorted->v, i);
    if (kept)
        return kept;
    unsigned x = popcount(sorted->item[i].touched), y = popcount(sorted->item[k].touched);
    return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

static void look_at_all(struct solver *s)
{
    bool any = false, some = false;
    for (unsigned i = 0; i < s->count; i++) {
        struct item *item = &s->item[i];
        item->distance = distance_of(s, i, &s->now, item->touched);
        item->differed = item->distance != 0;
        item->stuck_at = UINT32_MAX;
        solver_count(s, i, &s->out->cases, &some);
        if (!item->differed)
            continue;
        s->order[s->ordered++] = i;
        solver_count(s, i, &s->out->different, &any);
    }
    s->out->cases = at_least_one(s->out->cases, some);
    s->out->different = at_least_one(s->out->different, any);
    sorted = s;
    qsort(s->order, s->ordered, sizeof *s->order, by_simplicity);
}

/* Cases that agreed at first may differ since: they come last. */
static void note_new_differences(struct solver *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance && !s->item[i].differed) {
            s->item[i].differed = true;
            s->order[s->ordered++] = i;
        }
}

static void build(struct solver *s)
{
    for (bool progress = true; progress && !spent(s);) {
        unsigned stuck = 0;
        progress = false;
        for (unsigned k = 0; k < s->ordered && !spent(s); k++) {
            struct item *item = &s->item[s->order[k]];
            if (!item->distance || item->stuck_at == s->version ||
                (stuck >= STUCK_MAX && !evidence_set_is_kept(s->v, s->order[k])))
                continue;
            if (explain_item(s, s->order[k])) {
                progress = true;
                stuck = 0;
            } else {
                item->stuck_at = s->version;
                stuck++;
            }
        }
        note_new_differences(s);
    }
}

/* A change that does harm, now that the others are there, is wrong: the next round must do without it. */
static bool refute(struct solver *s, unsigned clause)
{
    if (s->refuted_count == REFUTED_MAX)
        return false;
    s->refuted[s->refuted_count++] = single(clause, s->now.reading[clause]);
    explainer_refute(s->explainer, s->refuted, s->refuted_count);
    s->version++;
    return true;
}

/* Is there another explanation than a reading of the clause in question? */
static bool explained_otherwise(const struct explanation *x, unsigned clause)
{
    for (unsigned i = 0; i < x->candidates; i++) {
        bool same = false;
        for (unsigned k = 0; k < x->candidate[i].count; k++)
            same |= x->candidate[i].change[k].clause == clause;
        if (!same)
            return true;
    }
    return false;
}

/* Cases that would come out right without the change, and that nothing else on top of the set explains: two
 * true changes can hide each other. */
static uint64_t harm_of(struct solver *s, const struct cause *back)
{
    struct profile without = s->now;
    uint64_t harm = 0, looked = 0;
    cause_apply(back, &without);
    for (unsigned i = 0; i < s->count && looked < HARM_LOOKS; i++) {
        struct explanation x = {0};
        if (!s->item[i].distance || !touches(&s->item[i], back) || distance_of(s, i, &without, NULL))
            continue;
        looked++;
        solver_explain(s, i, &s->now, 1, 0, &x);
        for (unsigned size = 2; size <= HARM_CHANGES && !x.candidates; size++)
            solver_explain(s, i, &s->now, size, HARM_BUDGET, &x);
        harm += !explained_otherwise(&x, back->change[0].clause);
    }
    return harm;
}

/* Changes that the others have made needless go, and such as do harm: a true one does none. Says whether any
 * was refuted. */
static bool prune(struct solver *s)
{
    bool refuted = false;
    for (bool changed = true; changed && !spent(s);) {
        changed = false;
        for (unsigned c = 0; c < unit_clauses(s->x->unit); c++) {
            struct cause back = single(c, s->base.reading[c]);
            if (s->now.reading[c] == s->base.reading[c])
                continue;
            struct weight w = weigh(s, &back, is_needed, NULL);
            if (is_needed(&w, NULL))
                continue;
            uint64_t harm = w.worse > w.better && w.fixed ? harm_of(s, &back) : w.fixed;
            if (w.worse > w.better && w.worse > NEEDED_LEAST * harm)
                continue;
            if (w.fixed)
                refuted |= refute(s, c);
            accept(s, &back, s->weighings);
            changed = true;
        }
    }
    return refuted;
}

/* --- rivals of single changes
 * ------------------------------------------------------------------------------------------------- */

/* Does the evidence that the change touches come out just as well with it as with the set? Counts the cases
 * that it decides. */
static bool is_as_good(struct solver *s, const struct profile *p, const struct cause *touching)
{
    for (unsigned k = 0; k < s->cores; k++) /* what refuted the last */
        if (!s->item[s->core[k]].distance && distance_of(s, s->core[k], p, NULL))
            return false;
    for (unsigned i = 0; i < s->count; i++)
        if (!s->item[i].distance && touches(&s->item[i], touching) && distance_of(s, i, p, NULL)) {
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

/* The item of fewest touched clauses that needs the change; UINT32_MAX: none does. */
static unsigned smallest_needing(struct solver *s, const struct profile *without, const struct cause *c,
                                 uint64_t *needing)
{
    unsigned at = UINT32_MAX, least = UINT32_MAX;
    bool any = false;
    *needing = 0;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->item[i].distance || !touches(&s->item[i], c) || !distance_of(s, i, without, NULL))
            continue;
        solver_count(s, i, needing, &any);
        unsigned size = popcount(s->item[i].touched);
        if (size < least) {
            least = size;
            at = i;
        }
    }
    *needing = at_least_one(*needing, any);
    return at;
}

/* Is a set of changes that stands in this one's place as good? Where it is not, `failing` is an item that
 * says so. */
static bool stands_in(struct solver *s, const struct profile *without, const struct cause *own,
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
        if (!s->item[i].distance && touches(&s->item[i], &all) && distance_of(s, i, &with, NULL))
            *failing = i;
    return false;
}

/* Does it leave undefined what another single reproduces? */
static bool is_outdone(const struct explanation *singles, const struct cause *own)
{
    bool masks = false, reproduced = false;
    for (unsigned k = 0; k < singles->candidates; k++) {
        masks |= cause_equal(&singles->candidate[k], own) && singles->candidate[k].masks;
        reproduced |= !singles->candidate[k].masks;
    }
    return masks && reproduced;
}

/* Could one of these singles, with a second change for what it leaves, stand in this one's place? */
static bool pairs_with_single(struct solver *s, const struct profile *without, const struct cause *own,
                              const struct explanation *singles)
{
    for (unsigned k = 0; k < singles->candidates; k++) {
        struct explanation second;
        struct profile with = *without;
        unsigned failing;
        if (cause_equal(&singles->candidate[k], own) || singles->candidate[k].masks ||
            stands_in(s, without, own, &singles->candidate[k], &failing) || failing == UINT32_MAX)
            continue;
        cause_apply(&singles->candidate[k], &with);
        solver_explain(s, failing, &with, 1, 0, &second);
        for (unsigned i = 0; i < second.candidates; i++) {
            struct cause pair = singles->candidate[k];
            if (!cause_equal(&second.candidate[i], own) &&
                cause_add(&pair, second.candidate[i].change[0].clause,
                          second.candidate[i].change[0].reading) &&
                stands_in(s, without, own, &pair, &failing))
                return true;
        }
    }
    return false;
}

/* Every other single change that could stand in this one's place explains the smallest case that needs it. */
static void find_candidates(struct solver *s, struct attributed_change *a)
{
    struct profile without = s->now;
    struct explanation x;
    struct cause own = single(a->clause, a->reading);
    without.reading[a->clause] = s->base.reading[a->clause];
    unsigned at = smallest_needing(s, &without, &own, &a->needed_by);
    if (at == UINT32_MAX)
        return;
    solver_explain(s, at, &without, 1, 0, &x);
    a->more_candidates = x.more_candidates;
    for (unsigned k = 0; k < x.candidates; k++) {
        struct profile with = without;
        struct cause both = own;
        if (cause_equal(&x.candidate[k], &own) || (x.candidate[k].masks && a->needed_by >= PREDICTIONS_LEAST))
            continue;
        cause_apply(&x.candidate[k], &with);
        (void)cause_add(&both, x.candidate[k].change[0].clause, x.candidate[k].change[0].reading);
        if (is_as_good(s, &with, &both))
            add_candidate(a, &x.candidate[k]);
    }
    if (a->needed_by < PREDICTIONS_LEAST && !a->candidates)
        a->more_candidates |= is_outdone(&x, &own) || pairs_with_single(s, &without, &own, &x);
}

static void note_changes(struct solver *s)
{
    struct attribution *out = s->out;
    for (unsigned c = 0; c < unit_clauses(s->x->unit); c++)
        if (s->now.reading[c] != s->base.reading[c]) {
            struct attributed_change *a = &out->change[out->changes++];
            *a = (struct attributed_change){.clause = (uint16_t)c, .reading = s->now.reading[c]};
        }
    out->profile = s->now;
    s->cores = 0;
    for (unsigned i = 0; i < out->changes && !spent(s); i++)
        find_candidates(s, &out->change[i]);
}

/* --- every smallest set
 * ------------------------------------------------------------------------------------------------------- */

/* A set under trial: its profile, what it may not change any more, and a differing item. */
struct weighed {
    struct cause set;
    struct profile profile;
    uint64_t closed[TOUCHED_WORDS]; /* clauses of the set */
};

/* Sets that contain one of these were all tried. */
struct tried {
    unsigned count;
    struct cause *single;
};

/*
 * The clauses that a set must change one of: those that the first differing case of the core touches, or, for
 * a last change, those that all of them touch. False if nothing differs.
 */
static bool open_clauses(struct solver *s, const struct weighed *t, unsigned left,
                         uint64_t open[TOUCHED_WORDS])
{
    uint64_t touched[TOUCHED_WORDS];
    bool any = false;
    memset(open, 0xFF, TOUCHED_WORDS * sizeof *open);
    for (unsigned k = 0; k < s->cores; k++) {
        if (!distance_of(s, s->core[k], &t->profile, touched))
            continue;
        for (unsigned w = 0; w < TOUCHED_WORDS; w++)
            open[w] &= touched[w];
        any = true;
        if (left != 1) /* the first is the simplest */
            break;
    }
    for (unsigned i = 0; !any && i < s->count; i++) {
        if (s->item[i].aside || !distance_of(s, i, &t->profile, touched))
            continue;
        s->core[s->cores < CORE_MAX ? s->cores++ : i % CORE_MAX] = i;
        memcpy(open, touched, sizeof touched);
        any = true;
    }
    for (unsigned w = 0; w < TOUCHED_WORDS; w++)
        open[w] &= ~t->closed[w];
    return any;
}

static bool was_tried(const struct tried *tried, unsigned clause, unsigned reading)
{
    for (unsigned i = 0; i < tried->count; i++)
        if (tried->single[i].change[0].clause == clause && tried->single[i].change[0].reading == reading)
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

/* All sets of exactly so many more changes, in the order in which the tree is walked; the budget may end it.
 */
static void descend(struct solver *s, const struct weighed *t, unsigned left, struct tried *tried)
{
    uint64_t open[TOUCHED_WORDS];
    if (s->x->runs >= s->exact_end || spent(s)) {
        s->out->exact = false;
        return;
    }
    if (!open_clauses(s, t, left, open)) {
        if (!left)
            add_set(s->out, s->x->unit, &t->set);
        return; /* a smaller set reproduces all: found before */
    }
    unsigned before = tried->count;
    for (unsigned c = 0; left && c < unit_clauses(s->x->unit); c++) {
        if (!has(open, c))
            continue;
        for (unsigned r = 0; r < clause_readings(unit_clause(s->x->unit, c)); r++) {
            struct weighed next = *t;
            if (r == s->base.reading[c] || was_tried(tried, c, r))
                continue;
            (void)cause_add(&next.set, c, r);
            next.profile.reading[c] = (uint8_t)r;
            next.closed[c / 64] |= UINT64_C(1) << (c % 64);
            descend(s, &next, left - 1, tried);
            tried->single[tried->count++] = single(c, r);
        }
    }
    tried->count = before;
}

/* Every smallest set of up to `most` changes under which all evidence comes out, but what is set aside. */
static void search_all(struct solver *s, unsigned most, uint64_t budget)
{
    struct attribution *out = s->out;
    struct tried tried = {
        .single = memory_new((size_t)CLAUSES_MAX * READINGS_MAX * CHANGES_MAX, sizeof *tried.single)};
    s->cores = 0;
    for (unsigned k = 0; k < s->ordered && s->cores < CORE_MAX / 2; k++)
        if (!s->item[s->order[k]].aside)
            s->core[s->cores++] = s->order[k];
    out->exact = true;
    s->exact_end = s->x->runs + budget;
    for (unsigned size = 1; size <= most && !out->sets && out->exact; size++) {
        struct weighed root = {.profile = s->base};
        descend(s, &root, size, &tried);
    }
    out->exact &= out->sets != 0;
    free(tried.single);
}

/* Case by case something remained unexplained, yet a small set may explain all of it: changes that are only
 * together an explanation. */
static void rescue(struct solver *s)
{
    search_all(s, CHANGES_MAX, RESCUE_BUDGET);
    if (!s->out->sets)
        return;
    s->now = s->base;
    cause_apply(&s->out->set[0], &s->now);
    for (unsigned i = 0; i < s->count; i++)
        s->item[i].distance = distance_of(s, i, &s->now, s->item[i].touched);
}

/* Goes back on what is doubtful, all by the same light: what one of them leaves unexplained says nothing
 * about the next. */
static void go_back(struct solver *s)
{
    struct cause back[CLAUSES_MAX];
    unsigned count = solver_low_confidence(s, back);
    for (unsigned i = 0; i < count; i++) {
        s->weighings++;
        accept(s, &back[i], s->weighings);
    }
}

/* Finds the sets, all of them where they are small. */
static void search_sets(struct solver *s)
{
    if (solver_leaves_any(s))
        rescue(s);
    go_back(s);
    note_changes(s);
    if (s->out->sets || !s->out->changes || s->out->changes > CHANGES_MAX || spent(s))
        return;
    for (unsigned i = 0; i < s->count; i++)
        s->item[i].aside = s->item[i].distance != 0;
    search_all(s, s->out->changes, EXACT_BUDGET);
}

/* --- the whole
 * ----------------------------------------------------------------------------------------------------------------
 */

static void note_unexplained(struct solver *s)
{
    size_t least = SIZE_MAX;
    bool any = false;
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance) {
            solver_count(s, i, &s->out->unexplained, &any);
            if (evidence_set_case_size(s->v, i) < least) {
                least = evidence_set_case_size(s->v, i);
                s->out->first_unexplained = i;
            }
        }
    s->out->unexplained = at_least_one(s->out->unexplained, any);
}

static void solver_open(struct solver *s)
{
    s->explainer = explainer_new(s->x);
    s->run_cache = s->limits->run_cache ? s->limits->run_cache : run_cache_new(unit_clauses(s->x->unit));
    s->model = outcome_new(s->x->unit);
    s->board = outcome_new(s->x->unit);
    s->tc = memory_new(1, sizeof *s->tc);
    s->item = memory_new(s->count + 1U, sizeof *s->item);
    s->weighed = memory_new(s->count + 1U, sizeof *s->weighed);
    s->order = memory_new(s->count + 1U, sizeof *s->order);
}

static void solver_close(struct solver *s)
{
    explainer_free(s->explainer);
    if (s->run_cache != s->limits->run_cache)
        run_cache_free(s->run_cache);
    outcome_free(s->model);
    outcome_free(s->board);
    free(s->tc);
    free(s->item);
    free(s->weighed);
    free(s->order);
}

void attribute(struct executor *x, const struct evidence_set *v, const struct profile *base,
               const struct attribution_limits *limits, struct attribution *out)
{
    struct solver s = {.x = x,
                       .v = v,
                       .limits = limits,
                       .loaded = UINT32_MAX,
                       .count = evidence_set_count(v),
                       .base = *base,
                       .now = *base,
                       .start = x->runs,
                       .out = out};
    memset(out, 0, sizeof *out);
    out->profile = *base;
    solver_open(&s);
    look_at_all(&s);
    for (unsigned round = 0; round < ROUNDS; round++) {
        build(&s);
        if (!prune(&s))
            break;
    }
    search_sets(&s);
    note_unexplained(&s);
    out->runs = x->runs - s.start;
    solver_close(&s);
}

static bool allows(const struct attribution *a, unsigned clause, unsigned reading)
{
    if (a->profile.reading[clause] == reading)
        return true;
    for (unsigned i = 0; i < a->changes; i++)
        for (unsigned k = 0; k < a->change[i].candidates; k++)
            if (a->change[i].candidate[k].clause == clause && a->change[i].candidate[k].reading == reading)
                return true;
    return false;
}

bool attribution_allows(const struct attribution *a, const struct cause *c)
{
    for (unsigned i = 0; i < a->sets; i++)
        if (cause_within(c, &a->set[i]))
            return true;
    for (unsigned i = 0; i < c->count; i++)
        if (!allows(a, c->change[i].clause, c->change[i].reading))
            return false;
    return true;
}
