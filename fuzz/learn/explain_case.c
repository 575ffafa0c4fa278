/* SPDX-License-Identifier: MIT */
/* From a reduced case to the one change that explains it: candidates, kept cases, experiments. */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/learner.h"
#include "fuzz/learn/synthesis.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    PER_POINT = 32, /* candidates taken from a point in one class of sizes */
    RUNS_PER_POINT = 4000,
    EXPERIMENTS_MAX = 2000, /* cases put to the board for one difference */
    QUIET_ENOUGH = 192,     /* experiments in a row that refute nobody */
    MAKE_MAX = 40000,       /* cases made in search of experiments */
    GUARDED_MAX = 160,
    REFUSED_MAX = 3000, /* expressions at a point that fit the reduced case only */
};

/* ---- does a change reproduce an outcome? ---- */

/* Is the run equal to the board's in something that was compared? A run that ends where the specification
 * says nothing equals everything. */
static bool agrees_in_something(const struct outcome *model, const struct outcome *board)
{
    return model->end != END_UNDEFINED && outcomes_equal(model, board, NULL, NULL);
}

bool learner_reproduces(struct learner *l, const struct test_case *c, const struct profile *p,
                        const struct outcome *board, const struct differences *without)
{
    executor_run(l->x, c, p, RUN_CHECKED, l->model);
    if (!agrees_in_something(l->model, board))
        return false;
    if (without->end_differs)
        return l->model->end == board->end;
    return differences_decided(without, l->model) == DECIDED_ALL;
}

/* The profile so far, with a change. False if there is no room for it. */
static bool changed_profile(const struct learner *l, const struct learn_change *c, struct profile *p)
{
    *p = l->r->profile;
    return learn_apply(c, p);
}

static bool fits_small(struct learner *l, const struct learn_change *c)
{
    struct profile p;
    return changed_profile(l, c, &p) && learner_reproduces(l, l->small, &p, l->answer[0], &l->difference);
}

/* Nodes count most, then the bits of numbers: "value - 1" is smaller than "value + 0xf". */
static uint32_t size_of(const struct expression *e)
{
    uint32_t size = 64 * e->count;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->node[i].op == EXPRESSION_CONSTANT && e->node[i].operand)
            size += 32U - (uint32_t)__builtin_clz(e->node[i].operand);
    return size;
}

static void add_candidate(struct learner *l, const struct learn_change *c)
{
    uint32_t size = c->is_rule ? size_of(&c->rule.guard) + size_of(&c->rule.result) : 0;
    if (l->candidates < LEARN_CANDIDATES_MAX)
        l->candidate[l->candidates++] = (struct learn_candidate){.change = *c, .size = size, .alive = true};
}

/* ---- candidates: readings ---- */

static void add_readings(struct learner *l, const struct coverage *covered_clauses)
{
    const struct unit *u = l->o->unit;
    for (unsigned i = 0; i < unit_clauses(u); i++) {
        if (!covered(covered_clauses, i) || (l->o->hidden && l->o->hidden[i]))
            continue;
        for (unsigned k = 0; k < clause_readings(unit_clause(u, i)); k++) {
            struct learn_change c = {.clause = (uint16_t)i, .reading = (uint8_t)k};
            if (k != l->r->profile.reading[i] && fits_small(l, &c))
                add_candidate(l, &c);
        }
    }
}

/* ---- candidates: rules ---- */

struct search {
    struct learner *l;
    uint32_t taken, refused; /* at this point */
};

static bool rule_fits(void *context, const struct rule *r)
{
    struct search *s = context;
    const struct learn_change c = {.is_rule = true, .rule = *r};
    return fits_small(s->l, &c);
}

/* Does a change explain most of the first few near cases that differ? */
static bool explains_near(struct learner *l, const struct learn_change *c)
{
    enum { LOOK_AT = 16 };
    struct profile p;
    unsigned good = 0, seen = 0;
    if (!changed_profile(l, c, &p))
        return false;
    for (uint32_t i = 0; i < l->nears && seen < LOOK_AT; i++) {
        struct differences d;
        executor_run(l->x, l->near[i].tc, &l->r->profile, RUN_CHECKED, l->base);
        if (outcomes_equal(l->base, l->near[i].board, NULL, &d))
            continue;
        seen++;
        good += learner_reproduces(l, l->near[i].tc, &p, l->near[i].board, &d);
    }
    return good * 4 >= seen * 3;
}

static bool take_rule(void *context, const struct rule *r)
{
    struct search *s = context;
    const struct learn_change c = {.is_rule = true, .rule = *r};
    if (!explains_near(s->l, &c))
        return ++s->refused < REFUSED_MAX;
    add_candidate(s->l, &c);
    return ++s->taken < PER_POINT && s->l->candidates < LEARN_CANDIDATES_MAX;
}

/* A rule that always acts leaves nothing to another rule at its point. */
static bool point_is_taken(const struct learner *l, unsigned point)
{
    const struct rules *r = &l->r->profile.rules;
    bool taken = false;
    for (uint32_t i = 0; i < r->count; i++)
        taken |= r->rule[i].point == point && !r->rule[i].guard;
    return taken;
}

/* Adds the rules of one class of sizes at all points that the case passes. */
static void add_rules(struct learner *l, unsigned size_class)
{
    uint64_t done[POINTS_MAX / 64] = {0};
    for (uint32_t i = 0; i < l->visits.count && !learner_spent(l); i++) {
        unsigned point = l->visits.visit[i].point;
        struct search s = {.l = l};
        struct synthesis y = {.visits = &l->visits,
                              .point = point,
                              .runs_max = RUNS_PER_POINT,
                              .fits = rule_fits,
                              .found = take_rule,
                              .context = &s};
        if (done[point / 64] >> (point % 64) & 1)
            continue;
        done[point / 64] |= UINT64_C(1) << (point % 64);
        if (!point_is_taken(l, point))
            synthesis_run(&y, size_class);
    }
}

/* ---- kept cases ---- */

/* Smaller is better, but to explain more is better still. */
static bool is_better(const struct learn_candidate *a, const struct learn_candidate *b)
{
    return a->explained != b->explained ? a->explained > b->explained : a->size < b->size;
}

/* Notes a rule that spoils other cases; of each point only the best. A guard may mend it. */
static void note_broken(struct learner *l, const struct learn_candidate *c)
{
    struct learn_candidate *worst = NULL;
    uint32_t here = 0;
    for (uint32_t i = 0; i < l->brokens; i++)
        if (l->broken[i].change.rule.point == c->change.rule.point) {
            here++;
            if (!worst || is_better(worst, &l->broken[i]))
                worst = &l->broken[i];
        }
    if (here < LEARN_BROKEN_PER_POINT && l->brokens < LEARN_BROKEN_MAX)
        l->broken[l->brokens++] = *c;
    else if (worst && is_better(c, worst))
        *worst = *c;
}

static void drop(struct learner *l, struct learn_candidate *c)
{
    c->alive = false;
    if (c->change.is_rule && !c->change.rule.guard.count)
        note_broken(l, c);
}

/* Can the change make a difference to a run that passed these points? */
static bool matters(const struct learner *l, const struct learn_change *c, const struct visits *v)
{
    return c->is_rule ? visits_changed(v, &c->rule) : covered(&l->x->last, c->clause);
}

/* Does the run pass the rule's point where the guard holds, or consult the clause? */
static bool acts_in(const struct learner *l, const struct learn_change *c, const struct visits *v)
{
    bool acts = false;
    if (!c->is_rule)
        return covered(&l->x->last, c->clause);
    for (uint32_t i = 0; i < v->count && !acts; i++) {
        const struct visit *at = &v->visit[i];
        struct expression_context x = visit_context(v->unit, at);
        acts = at->point == c->rule.point &&
               (!c->rule.guard.count || expression_evaluate(c->rule.guard.node, c->rule.guard.count, &x));
    }
    return acts;
}

/* Looks at the candidates from `begin` on under one kept case. */
static void sift_by(struct learner *l, const struct learn_kept *k, struct visits *v, uint32_t begin)
{
    struct differences d;
    visits_run(l->x, k->tc, &l->r->profile, l->base, v);
    const struct coverage touched = l->x->last;
    bool agrees = outcomes_equal(l->base, k->board, NULL, &d);
    if (l->base->end == END_UNDEFINED)
        return;
    for (uint32_t i = begin; i < l->candidates; i++) {
        struct learn_candidate *c = &l->candidate[i];
        struct profile p;
        l->x->last = touched;
        if (!c->alive || !matters(l, &c->change, v) || !changed_profile(l, &c->change, &p))
            continue;
        if (!agrees) {
            c->explained += learner_reproduces(l, k->tc, &p, k->board, &d);
            continue;
        }
        executor_run(l->x, k->tc, &p, RUN_CHECKED, l->model);
        c->spoiled += !agrees_in_something(l->model, k->board);
    }
}

static int compare_candidates(const void *a, const void *b)
{
    const struct learn_candidate *x = a, *y = b;
    return is_better(x, y) ? -1 : is_better(y, x) ? 1 : 0;
}

void learner_sift(struct learner *l, uint32_t begin)
{
    struct visits *v = memory_new(1, sizeof *v);
    uint32_t best = 0;
    for (uint32_t i = 0; i < l->nears && !learner_spent(l); i++)
        sift_by(l, &l->near[i], v, begin);
    for (uint32_t i = 0; i < LEARN_KEPT_MAX / 2 && i < l->kept_count[0] && !learner_spent(l); i++)
        sift_by(l, &l->kept[i], v, begin);
    free(v);
    for (uint32_t i = begin; i < l->candidates; i++)
        if (l->candidate[i].spoiled)
            drop(l, &l->candidate[i]);
        else if (l->candidate[i].explained > best)
            best = l->candidate[i].explained;
    qsort(l->candidate + begin, l->candidates - begin, sizeof *l->candidate, compare_candidates);
    l->alive = 0;
    for (uint32_t i = begin; i < l->candidates; i++) {
        struct learn_candidate *c = &l->candidate[i];
        c->alive &= c->explained * 2 >= best && l->alive < LEARN_ALIVE_MAX;
        l->alive += c->alive;
    }
}

/* Changes the reduced case a little, many times, and asks the board what it does. */
static void explore(struct learner *l)
{
    struct test_case *cases[LEARN_NEAR_MAX];
    struct outcome *outcomes[LEARN_NEAR_MAX];
    enum answer answers[LEARN_NEAR_MAX];
    l->nears = l->near_differing = 0;
    for (unsigned i = 0; i < LEARN_NEAR_MAX; i++) {
        cases[i] = l->near[i].tc;
        outcomes[i] = l->near[i].board;
        case_copy(cases[i], l->small);
        for (unsigned k = 0; k <= i % 3 && i; k++)
            case_mutate(&l->random, cases[i]);
    }
    if (!learner_ask(l, cases, LEARN_NEAR_MAX, outcomes, answers))
        return;
    for (unsigned i = 0; i < LEARN_NEAR_MAX; i++) {
        struct learn_kept k = l->near[i];
        executor_run(l->x, k.tc, &l->r->profile, RUN_CHECKED, l->model);
        if (answers[i] != ANSWER_OUTCOME || l->model->end == END_UNDEFINED)
            continue;
        l->near_differing += !outcomes_equal(l->model, k.board, NULL, NULL);
        l->near[i] = l->near[l->nears];
        l->near[l->nears++] = k;
    }
}

/* ---- experiments ---- */

/* A hash of how a run ended and of what it touched. */
static uint64_t outcome_hash(const struct outcome *o)
{
    uint32_t words = o->unit->layout.row_words;
    uint64_t hash = random_mix64(o->end * 64U + 1);
    for (uint32_t row = 0; row < o->unit->layout.rows; row++)
        for (uint32_t i = 0; outcome_touched(o, row) && i < words; i++)
            hash = random_mix64(hash ^ o->value[row * words + i]) + row;
    return hash;
}

/* Do the candidates, or a candidate and the profile without any, leave different outcomes? */
static bool tells_apart(struct learner *l, const struct test_case *c, struct visits *v)
{
    visits_run(l->x, c, &l->r->profile, l->base, v);
    const struct coverage touched = l->x->last;
    uint64_t base = outcome_hash(l->base), first = 0;
    bool any = false, different = false;
    if (l->base->end == END_UNDEFINED)
        return false;
    for (uint32_t i = 0; i < l->candidates && !different; i++) {
        struct profile p;
        l->x->last = touched;
        if (!l->candidate[i].alive)
            continue;
        uint64_t hash = base;
        if (matters(l, &l->candidate[i].change, v) && changed_profile(l, &l->candidate[i].change, &p)) {
            executor_run(l->x, c, &p, RUN_CHECKED, l->model);
            hash = outcome_hash(l->model);
        }
        different = any && hash != first;
        first = hash;
        any = true;
    }
    return any && (different || first != base);
}

/* Makes a case near one that is known to differ, or a new one. */
static void make_case(struct learner *l, struct test_case *c)
{
    uint32_t differing = l->kept_count[1] < LEARN_KEPT_MAX / 2 ? l->kept_count[1] : LEARN_KEPT_MAX / 2;
    uint32_t draw = random_below(&l->random, 10);
    if (draw < 3 || !differing) {
        case_generate(&l->random, l->o->unit, c);
    } else {
        const struct learn_kept *k = &l->kept[LEARN_KEPT_MAX / 2 + random_below(&l->random, differing)];
        case_copy(c, draw < 8 ? l->small : k->tc);
        case_mutate(&l->random, c);
    }
}

/* What an experiment says of each candidate. */
struct trial {
    bool base, any; /* the profile alone, or anything, does what the board did */
    /* Of a candidate: it fits; its outcome is not the profile's; the run passes its point or its clause. */
    bool good[LEARN_CANDIDATES_MAX], other[LEARN_CANDIDATES_MAX], acts[LEARN_CANDIDATES_MAX];
};

static void try_all(struct learner *l, const struct test_case *c, const struct outcome *board,
                    struct visits *v, struct trial *t)
{
    struct differences d;
    visits_run(l->x, c, &l->r->profile, l->base, v);
    const struct coverage touched = l->x->last;
    uint64_t base = outcome_hash(l->base);
    t->any = t->base = outcomes_equal(l->base, board, NULL, &d);
    for (uint32_t i = 0; i < l->candidates; i++) {
        struct profile p;
        l->x->last = touched;
        t->good[i] = t->base;
        t->other[i] = false;
        t->acts[i] = acts_in(l, &l->candidate[i].change, v);
        if (!l->candidate[i].alive || !matters(l, &l->candidate[i].change, v) ||
            !changed_profile(l, &l->candidate[i].change, &p))
            continue;
        executor_run(l->x, c, &p, RUN_CHECKED, l->model);
        t->good[i] = agrees_in_something(l->model, board) &&
                     (t->base || d.end_differs || differences_decided(&d, l->model) == DECIDED_ALL);
        t->other[i] = outcome_hash(l->model) != base;
        t->any |= t->good[i];
    }
}

/* Drops what one experiment refutes. A case in which nothing fits may have another cause, so it refutes
 * nobody at once; but a candidate that misses many such cases is not chosen. Returns whether a candidate was
 * dropped. */
static bool judge(struct learner *l, const struct trial *t)
{
    bool dropped = false, apart = false;
    for (uint32_t i = 0; i < l->candidates; i++) {
        struct learn_candidate *c = &l->candidate[i];
        apart |= c->alive && t->other[i] && t->any;
        c->reproduced += !t->base && t->good[i];
        c->missed += !t->base && t->acts[i] && !t->good[i];
    }
    for (uint32_t i = 0; i < l->candidates && apart; i++) {
        struct learn_candidate *c = &l->candidate[i];
        if (!c->alive)
            continue;
        if (t->good[i]) {
            c->passed++;
            continue;
        }
        drop(l, c);
        l->alive--;
        dropped = true;
    }
    return dropped;
}

/* Runs a batch of experiments; returns how many were answered, 0 if no more can be made. */
static unsigned run_experiments(struct learner *l, struct visits *v, struct trial *t, uint32_t *made,
                                unsigned *quiet)
{
    struct test_case *cases[LEARN_BATCH / 4];
    struct outcome *outcomes[LEARN_BATCH / 4];
    enum answer answers[LEARN_BATCH / 4];
    unsigned count = 0, most = LEARN_BATCH / 4;
    for (unsigned i = 0; i < most; i++) {
        cases[i] = memory_new(1, sizeof *cases[i]);
        outcomes[i] = outcome_new(l->o->unit);
    }
    for (; count < most && *made < MAKE_MAX && !learner_spent(l); ++*made) {
        make_case(l, cases[count]);
        count += tells_apart(l, cases[count], v);
    }
    if (count && learner_ask(l, cases, count, outcomes, answers))
        for (unsigned i = 0; i < count; i++)
            if (answers[i] == ANSWER_OUTCOME) {
                try_all(l, cases[i], outcomes[i], v, t);
                *quiet = judge(l, t) ? 0 : *quiet + 1;
            }
    for (unsigned i = 0; i < most; i++) {
        free(cases[i]);
        outcome_free(outcomes[i]);
    }
    l->r->experiments += count;
    return count;
}

void learner_refute(struct learner *l)
{
    struct visits *v = memory_new(1, sizeof *v);
    struct trial *t = memory_new(1, sizeof *t);
    uint32_t made = 0, count, asked = 0;
    unsigned quiet = 0;
    for (uint32_t i = 0; i < l->candidates; i++)
        l->candidate[i].passed = l->candidate[i].reproduced = l->candidate[i].missed = 0;
    while (l->alive && quiet < QUIET_ENOUGH && asked < EXPERIMENTS_MAX && !learner_spent(l) &&
           (count = run_experiments(l, v, t, &made, &quiet)) > 0)
        asked += count;
    free(t);
    free(v);
}

/* ---- guards ---- */

struct guarding {
    struct learner *l;
    const struct learn_change *change;
    uint32_t tried;
};

static bool try_guard(void *context, const struct expression *guard)
{
    struct guarding *g = context;
    struct learn_change c = *g->change;
    c.rule.guard = *guard;
    if (fits_small(g->l, &c))
        add_candidate(g->l, &c);
    return ++g->tried < GUARDED_MAX && g->l->candidates < LEARN_CANDIDATES_MAX;
}

/* Adds the visits of a case at which a rule changes something. */
static void add_visits(const struct visits *from, const struct rule *r, struct visit *to, uint32_t most,
                       uint32_t *count)
{
    uint32_t ignored[POINT_LANES_MAX];
    for (uint32_t i = 0; i < from->count && *count < most; i++)
        if (from->visit[i].point == r->point && visit_rule(from->unit, &from->visit[i], r, ignored))
            to[(*count)++] = from->visit[i];
}

/* Looks for a guard under which a rule explains the reduced case and spoils no kept one. */
static void add_guarded(struct learner *l, const struct learn_change *change)
{
    enum { MOST = 256 };
    struct visit *hold = memory_new(MOST, sizeof *hold), *fail = memory_new(MOST, sizeof *fail);
    struct visits *v = memory_new(1, sizeof *v);
    struct guarding g = {.l = l, .change = change};
    struct guard_search s = {
        .unit = l->o->unit, .hold = hold, .fail = fail, .each = try_guard, .context = &g};
    struct profile p;
    add_visits(&l->visits, &change->rule, hold, 1, &s.holds);
    for (uint32_t i = 0; i < l->nears && changed_profile(l, change, &p); i++) {
        const struct learn_kept *k = &l->near[i];
        struct differences d;
        visits_run(l->x, k->tc, &l->r->profile, l->base, v);
        bool agreed = outcomes_equal(l->base, k->board, NULL, &d);
        if (!visits_changed(v, &change->rule))
            continue;
        if (!agreed && learner_reproduces(l, k->tc, &p, k->board, &d))
            add_visits(v, &change->rule, hold, 32, &s.holds);
        executor_run(l->x, k->tc, &p, RUN_CHECKED, l->model);
        if (agreed && !agrees_in_something(l->model, k->board))
            add_visits(v, &change->rule, fail, MOST, &s.fails);
    }
    guard_search_run(&s);
    free(v);
    free(fail);
    free(hold);
}

/* ---- the whole ---- */

/* Is the candidate believed? It must have passed experiments, and explain most of what differs near the
 * reduced case: a rule for one number only is no cause. */
static bool is_believed(const struct learner *l, const struct learn_candidate *c)
{
    return c->alive && c->passed && c->missed * 2 <= c->reproduced && c->explained * 2 >= l->near_differing;
}

/* The best candidate that is believed; the others are its alternatives. */
static bool choose(struct learner *l, struct learned *best)
{
    const struct learn_candidate *found = NULL;
    for (uint32_t i = 0; i < l->candidates; i++)
        if (is_believed(l, &l->candidate[i]) && (!found || is_better(&l->candidate[i], found)))
            found = &l->candidate[i];
    if (!found)
        return false;
    *best = (struct learned){.change = found->change,
                             .explained = found->explained,
                             .experiments = found->passed};
    for (uint32_t i = 0; i < l->candidates; i++) {
        const struct learn_candidate *c = &l->candidate[i];
        if (!c->alive || c == found)
            continue;
        if (best->alternatives < LEARN_ALTERNATIVES_MAX)
            best->alternative[best->alternatives] = c->change;
        best->alternatives++;
    }
    return true;
}

/* Sifts and refutes the candidates from `begin` on. */
static bool settle(struct learner *l, uint32_t begin, struct learned *best)
{
    if (l->candidates == begin)
        return false;
    learner_sift(l, begin);
    learner_refute(l);
    return choose(l, best);
}

/* Looks for guards for the rules that spoil other cases. */
static bool settle_guarded(struct learner *l, struct learned *best)
{
    uint32_t begin = l->candidates;
    for (uint32_t i = 0, end = l->brokens; i < end && !learner_spent(l); i++) {
        const struct learn_change broken = l->broken[i].change;
        add_guarded(l, &broken);
    }
    l->brokens = 0;
    return settle(l, begin, best);
}

bool learner_explain(struct learner *l, struct learned *best)
{
    l->candidates = l->alive = l->brokens = 0;
    explore(l);
    visits_run(l->x, l->small, &l->r->profile, l->base, &l->visits);
    const struct coverage touched = l->x->last;
    add_readings(l, &touched);
    if (settle(l, 0, best))
        return true;
    for (unsigned size_class = 0; size_class < SYNTHESIS_CLASSES && !learner_spent(l); size_class++) {
        if (size_class != 1)
            l->candidates = 0; /* numbers and sums are looked at together */
        add_rules(l, size_class);
        if (size_class && (settle(l, 0, best) || settle_guarded(l, best)))
            return true;
    }
    return false;
}
