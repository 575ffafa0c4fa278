/* SPDX-License-Identifier: MIT */
/* Runs the steps of the search (study.h) in order, from a reduced case to the one change that explains it. */
#include "fuzz/learn/search/study.h"
#include "fuzz/learn/same.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

static const double misses_few = 0.05;

enum {
    ROUNDS = 4,         /* limit of rounds; each round finds rules and runs experiments */
    RUNS_MAX = 1000000, /* limit of short model runs in the search for values at all points in one round */
    SHARE = 4,          /* a point may take so many times its part of the runs that are left */
    ACTS_LEAST = 3,     /* a rule must have acted on so many different sets of values and inputs; */
    ACTS_NARROW = 3,    /* at points of at most so many bits, which have few sets, on one, */
    REPRODUCED = 12,    /* if it explains so many experiments */
    SIMPLE = 700,       /* size of a rule that is likely to be the cause if it explains nearly all */
    REPAIRS = 5,        /* limit of refuted rules that are repaired before other points are looked at */
    SIMPLIFY_TURNS = 2,
    CHOSEN_MAX = 16, /* limit of candidates that are confirmed and swept in search of one that holds */
    RULE_TURNS = 8,
    STALE_TURNS = 2,         /* turns end after so many in a row that find no better candidate */
    REFERENCES = 3,          /* limit of cases from which the search begins */
    COUNTEREXAMPLES = 4,     /* of one turn */
    GUARDED_RULES = 8,       /* limit of expressions of a point for which the search tries guards */
    SETTLE_EFFORT = 1000000, /* effort for experiments (learner.h) */
};

/* ---- candidates: readings ---- */

static void add_readings(struct study *s)
{
    const struct learner *l = s->l;
    const struct unit *u = l->o->unit;
    for (unsigned i = 0; i < unit_clauses(u); i++) {
        if (!covered(&s->near[0].covered, i) || (l->o->hidden && l->o->hidden[i]))
            continue;
        for (unsigned k = 0; k < clause_readings(unit_clause(u, i)); k++) {
            const struct learn_change c = {.clause = (uint16_t)i, .reading = (uint8_t)k};
            if (k == l->r->profile.reading[i])
                continue;
            const enum judged judged = judge_case(s, s->near, &c);
            if (judged != JUDGED_DIFFERS && (judged == JUDGED_REPRODUCES || near_decide(s, &c)))
                judge_add(s, &c);
        }
    }
}

/* ---- candidates: rules ---- */

/* Lists the examples from which guard_run makes guards for an expression. The rule must act where the
 * expression's value is allowed and the value that passed is not. It must not act where the value that passed
 * is allowed and the expression's value is not. */
static uint32_t label_examples(const struct study *s, const struct expression *e, struct guarded_visit *to)
{
    const struct unit *u = s->l->o->unit;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->examples; i++) {
        const struct example *x = &s->example[i];
        const struct expression_context c = visit_context(u, x->at, x->lane);
        uint32_t value = expression_evaluate(e->node, e->count, &c) & point_mask(&u->points[x->at->point]);
        bool allowed = example_allows(x, value);
        if (allowed == x->differs)
            to[count++] = (struct guarded_visit){.at = x->at, .lane = x->lane, .acts = allowed};
    }
    return count;
}

/* Judges the rule without a guard; if `guarded`, also with guards that the examples suggest. Returns a near
 * case that the rule without a guard spoils; NULL: none. */
static const struct near_case *add_rule(struct study *s, struct learn_change *c, bool guarded)
{
    struct guarded_visit visits[GUARDED_MAX];
    c->rule.guard.count = 0;
    const struct near_case *spoiled = judge_add(s, c);
    uint32_t count = guarded ? label_examples(s, &c->rule.result, visits) : 0, refused = 0;
    for (uint32_t i = 0; i < count; i++)
        refused += !visits[i].acts;
    if (refused && refused < count)
        judge_guarded(s, c, visits, count);
    return spoiled;
}

/* Does some candidate of at most this size explain nine tenths of the near cases that differ? A rule at a
 * point early in the run can explain much of what happens later, but not simply. */
static bool explains_nearly_all(const struct study *s, uint32_t size)
{
    bool found = false;
    for (uint32_t i = 0; i < s->candidates; i++)
        found |= s->candidate[i].size <= size && candidate_excuses_few(&s->candidate[i]) &&
                 candidate_allows_nearly_all(s, &s->candidate[i]);
    return found;
}

/* Adds the rules that the examples of a point suggest. Cases that spoil these rules give further examples, so
 * another turn may find better ones ("counterexample-guided inductive synthesis", as in judge_guarded). */
static void add_rules(struct study *s, struct suspect *at, bool guarded)
{
    struct expression *found = memory_new(SYNTHESIS_MAX, sizeof *found);
    s->example = at->example;
    s->examples = at->examples;
    s->lane_by_lane = at->lane_by_lane;
    at->more = false;
    struct example *with = memory_new(SYNTHESIS_EXAMPLES, sizeof *with);
    const uint32_t examples = contexts_add(s, s->example, s->examples, &(struct expression){0}, with),
                   count = synthesis_run(s->l->o->unit, with, examples, found, &s->l->effort);
    uint32_t counterexamples = 0;
    free(with);
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++) {
        struct learn_change c = {.is_rule = true, .rule = {.point = at->point, .result = found[i]}};
        const struct near_case *spoiled = add_rule(s, &c, guarded && i < GUARDED_RULES);
        if (spoiled && counterexamples < COUNTEREXAMPLES)
            counterexamples += where_counterexample(s, spoiled, &c.rule);
    }
    at->examples = s->examples;
    at->more = counterexamples;
    s->example = s->scratch;
    s->examples = 0;
    free(found);
}

/* Holds back runs for other points: leaves one of `points` points SHARE times its part. Returns how many. */
static uint64_t hold_back(struct study *s, uint32_t points)
{
    const uint64_t all = s->runs_left, share = SHARE * all / points;
    s->runs_left = share < all ? share : all;
    return all - s->runs_left;
}

/* Adds the first rules at a point, from examples of values that explain the difference. A point of more than
 * eight bits has too many values to try. There it also tries small expressions, if some value that was tried
 * brings the outcome nearer to the board's. */
static void add_first_rules(struct study *s, struct suspect *at)
{
    const uint64_t held = at->solved ? hold_back(s, s->unsearched--) : 0;
    at->example = memory_new(EXAMPLES_MAX, sizeof *at->example);
    s->example = at->example;
    bool explained = at->solved && where_examples(s, at->point);
    s->runs_left += held;
    at->examples = explained ? s->examples : 0;
    at->lane_by_lane = s->lane_by_lane;
    s->suspects |= at->solved > 0;
    if (explained && !learner_spent(s->l)) {
        add_rules(s, at, true);
        s->example = at->example;
        s->examples = at->examples;
        modes_add(s, at->point);
    }
    s->example = s->scratch;
    s->examples = 0;
    if (s->l->o->unit->points[at->point].width > 8 && (at->solved || (at->nearer && !at->tried)))
        small_add(s, at->point, at->by, at->solved);
    at->tried = true;
}

int suspect_order(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    return x->solved != y->solved ? (x->solved > y->solved ? -1 : 1) : x->point - y->point;
}

/* Lists the points that the reduced case passes, those first whose values explain most. */
static uint32_t list_suspects(struct study *s, struct suspect list[POINTS_MAX])
{
    const struct visits *v = s->near[0].visits;
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++)
        if (visits_first(v, v->visit[i].point) == &v->visit[i])
            list[count++] = (struct suspect){.point = v->visit[i].point};
    s->runs_left = RUNS_MAX;
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++) {
        const uint64_t held = hold_back(s, count - i);
        list[i].solved = where_solved(s, list[i].point, list[i].by);
        list[i].nearer = s->nearer;
        s->runs_left += held;
    }
    qsort(list, count, sizeof *list, suspect_order);
    return count;
}

/* ---- the search ---- */

/* Has the rule acted on several different values? A rule that was seen on one value may fit by coincidence.
 * One that acts on one arbitrary number only has learned a case by heart, whatever the inputs were. Each part
 * of a guard "a || b" must have acted so. Otherwise one part may join the reduced case to a rule for another
 * cause. */
static bool has_acted(const struct study *s, const struct candidate *c)
{
    struct expression part[2];
    const bool narrow = s->l->o->unit->points[c->change.rule.point].width <= ACTS_NARROW;
    if (!c->acted_varied && number_is_arbitrary(c->acted_on))
        return false;
    const uint32_t least = narrow && c->reproduced >= REPRODUCED ? 1 : ACTS_LEAST;
    return c->acts[0] >= least && (c->acts[1] >= least || !guard_split(&c->change.rule.guard, part));
}

/* Does the candidate explain the cases of the changes that it is to replace? */
static bool explains_musts(const struct study *s, const struct candidate *c)
{
    bool all = true;
    for (uint32_t i = 0; i < s->nears && all; i++)
        all = !s->near[i].must || c->explains[i / 64] >> (i % 64) & 1;
    return all;
}

/* May the candidate be learned? It must fit the reduced case, explain those of the changes it replaces, have
 * passed experiments, and reproduce at least two thirds of the differing experiments in which it acts. */
static bool is_believed(const struct study *s, const struct candidate *c)
{
    return c->alive && c->fits && explains_musts(s, c) && candidate_excuses_few(c) && c->passed &&
           c->missed * 2 <= c->reproduced && (!c->change.is_rule || has_acted(s, c));
}

static bool is_same(const struct study *s, const struct learn_change *a, const struct learn_change *b)
{
    return a->is_rule && b->is_rule && rules_are_same(s->l->o->unit, &a->rule, &b->rule);
}

/* Lists the remaining candidates that explain as many cases as `found`, the best first, except those that are
 * the same rule in other words. */
static void list_alternatives(const struct study *s, const struct candidate *found, struct learned *best)
{
    const struct candidate *list[LEARN_ALTERNATIVES_MAX + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->candidates; i++) {
        const struct candidate *c = &s->candidate[i];
        if (!c->alive || c == found || c->explained != found->explained ||
            c->reproduced != found->reproduced || is_same(s, &c->change, &found->change))
            continue;
        uint32_t at = count;
        for (; at && candidate_is_better(c, list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = c;
        count += count < LEARN_ALTERNATIVES_MAX;
        best->alternatives++;
    }
    for (uint32_t i = 0; i < count; i++)
        best->alternative[i] = list[i]->change;
}

static struct candidate *best_believed(struct study *s)
{
    struct candidate *found = NULL;
    for (uint32_t i = 0; i < s->candidates; i++)
        if (is_believed(s, &s->candidate[i]) && (!found || candidate_is_better(&s->candidate[i], found)))
            found = &s->candidate[i];
    return found;
}

/* Does a case that the learner keeps refute the candidate? It may have refuted a change like this before. */
static bool kept_refutes(struct study *s, const struct candidate *c)
{
    enum { HALF = LEARN_KEPT_MAX / 2 };
    struct learner *l = s->l;
    struct profile with = l->r->profile;
    bool refutes = !learn_apply(&c->change, &with);
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < l->kept_count[half] && i < HALF && !refutes; i++) {
            const struct learn_kept *k = &l->kept[half * HALF + i];
            executor_run(l->x, k->tc, &l->r->profile, RUN_CHECKED, l->base);
            executor_run(l->x, k->tc, &with, RUN_CHECKED, l->model);
            refutes = bearing_refutes(l->base, l->model, k->board);
        }
    return refutes;
}

/* Chooses the best candidate that may be learned and that holds for all values of a sweep. Keeps the first
 * one that leaves doubts in s->doubtful. */
static bool choose(struct study *s, struct learned *best)
{
    for (unsigned i = 0; i < CHOSEN_MAX; i++) {
        struct candidate *found = best_believed(s);
        if (!found)
            return false;
        if (kept_refutes(s, found)) {
            found->alive = false;
            continue;
        }
        experiments_confirm(s, found);
        if (!is_believed(s, found) && !learner_spent(s->l))
            continue;
        struct learn_change tested = found->change;
        if (untested_exclude(found, &tested.rule)) {
            found->alive = false;
            judge_add_like(s, &tested, found);
            continue;
        }
        const enum rule_swept swept = exceptions_find(s, found);
        if (learner_spent(s->l))
            return false;
        if (swept == RULE_CONTRADICTED || (swept == RULE_DOUBTFUL && s->has_doubtful)) {
            found->alive = false;
            continue;
        }
        s->misses = (double)found->missed / (found->missed + found->reproduced + 1);
        *best = (struct learned){.change = found->change,
                                 .explained = found->explained,
                                 .experiments = found->passed};
        list_alternatives(s, found, best);
        if (swept == RULE_HOLDS)
            return true;
        s->doubtful = *best;
        s->has_doubtful = true;
        found->alive = false;
    }
    return false;
}

/* Drops candidates that allow less than half of the near cases that one of them allows. */
static void keep_best(struct study *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->candidates; i++) {
        const uint32_t these = candidate_allows(&s->candidate[i]);
        most = these > most ? these : most;
    }
    for (uint32_t i = 0; i < s->candidates; i++)
        s->candidate[i].alive = candidate_allows(&s->candidate[i]) * 2 >= most;
}

static void forget_experiments(struct candidate *c)
{
    c->passed = c->reproduced = c->missed = c->speaks_for = c->speaks_against = c->evades = 0;
}

/* Puts the candidates to experiments. */
static void try_candidates(struct study *s, bool only_best)
{
    for (uint32_t i = 0; i < s->candidates; i++)
        forget_experiments(&s->candidate[i]);
    if (only_best)
        keep_best(s);
    experiments_run(s);
}

/* Puts the candidates to experiments, and chooses one. If simpler rules do the same as the best ones that
 * remain, the experiments begin again with these. If experiments refute all, repairs the best ones. */
static bool settle(struct study *s, struct learned *best)
{
    bool more = s->candidates;
    for (unsigned turn = 0; turn < SIMPLIFY_TURNS && more && !learner_spent(s->l); turn++) {
        uint32_t before = s->added;
        refine_simplify(s);
        more = turn == 0 || s->added > before;
        if (!more)
            break;
        try_candidates(s, turn == 0);
    }
    bool found = choose(s, best);
    for (unsigned i = 0; i < REPAIRS && !found && !learner_spent(s->l) && refine_repair(s); i++) {
        try_candidates(s, true);
        found = choose(s, best);
    }
    return found;
}

/* If some rules of at most this size explain nearly all, raises the limit of the search's effort, once, so
 * that it does not end their experiments. */
static void allow_experiments(struct study *s, uint32_t size)
{
    struct learner *l = s->l;
    const uint64_t wanted = learner_effort(l) - l->effort_before + SETTLE_EFFORT;
    if (l->search_effort && l->search_effort < wanted && !s->allowed && explains_nearly_all(s, size)) {
        l->search_effort = wanted;
        s->allowed = true;
    }
}

/* Adds rules at a group of points: in the first turn the first rules, then better ones. Puts the candidates
 * to experiments if one explains nearly all, or if `last`. */
static bool search_group(struct study *s, struct suspect *list, uint32_t count, unsigned turn, bool last,
                         struct learned *best)
{
    for (uint32_t i = 0; i < count && !learner_spent(s->l); i++)
        if (turn == 0)
            add_first_rules(s, &list[i]);
        else if (list[i].more)
            add_rules(s, &list[i], false);
    judge_guard(s);
    s->brokens = 0;
    if (!last && !explains_nearly_all(s, SIMPLE))
        return false;
    allow_experiments(s, UINT32_MAX);
    bool found = settle(s, best);
    if (!found)
        s->candidates = 0;
    return found;
}

/* Puts the best candidate's cost into *best. Returns false if it is not below the one of before. */
static bool has_better(const struct study *s, int64_t *best)
{
    int64_t least = *best;
    for (uint32_t i = 0; i < s->candidates; i++)
        if (candidate_cost(&s->candidate[i]) < least)
            least = candidate_cost(&s->candidate[i]);
    const bool better = least < *best;
    *best = least;
    return better;
}

/* Adds rules at the suspected points, in turns: first at each of them, then better ones at each. In a turn,
 * the points whose values explain equally many cases are one group. */
static bool search_rules(struct study *s, struct suspect *list, uint32_t count, struct learned *best)
{
    bool found = false, more = true;
    int64_t cost = INT64_MAX;
    s->candidates = s->brokens = 0;
    s->runs_left = RUNS_MAX;
    s->unsearched = 0;
    for (uint32_t i = 0; i < count; i++)
        s->unsearched += list[i].solved > 0;
    for (unsigned turn = 0, stale = 0;
         turn < RULE_TURNS && stale < STALE_TURNS && more && !found && !learner_spent(s->l); turn++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < count && !found && !learner_spent(s->l); i = next) {
            while (next < count && list[next].solved == list[i].solved)
                next++;
            found = search_group(s, list + i, next - i, turn, false, best);
        }
        more = false;
        for (uint32_t i = 0; i < count; i++)
            more |= list[i].more;
        stale = has_better(s, &cost) || turn == 0 ? 0 : stale + 1;
    }
    found = found || search_group(s, list, 0, 0, true, best);
    for (uint32_t i = 0; i < count; i++) {
        free(list[i].example);
        list[i].example = NULL;
    }
    return found;
}

/* May another round find a better rule than the one at hand, with the near cases that experiments added? Yes
 * if the rule acts in many experiments that it does not explain. Also if it is large: then experiments often
 * have refuted all simple rules, because the near cases of before gave no better guards. */
static bool wants_better(const struct learned *found, double misses)
{
    const struct rule *r = &found->change.rule;
    return misses > misses_few || expression_size(&r->guard) + expression_size(&r->result) > SIMPLE;
}

/* Is a rule better than one of a round before, which left `misses`? */
static bool is_improved(const struct study *s, const struct learned *new, const struct learned *old,
                        double misses)
{
    const uint32_t size[2] = {expression_size(&new->change.rule.guard) +
                                  expression_size(&new->change.rule.result),
                              expression_size(&old->change.rule.guard) +
                                  expression_size(&old->change.rule.result)};
    return misses > misses_few ? s->misses < misses : s->misses <= misses_few && size[0] < size[1];
}

/* Tries the smallest rules at all points. Chooses one if some explain nearly all. */
static bool search_smallest(struct study *s, struct learned *best)
{
    s->candidates = s->brokens = 0;
    small_everywhere(s);
    allow_experiments(s, SIMPLE);
    return explains_nearly_all(s, SIMPLE) && settle(s, best);
}

/* Searches for rules that fit near[0]: first the smallest at all points, then in rounds. */
static bool search_from(struct study *s, struct learned *best)
{
    struct suspect list[POINTS_MAX];
    struct learned found;
    double misses = search_smallest(s, best) ? s->misses : 1;
    if (misses < 1 && !wants_better(best, misses))
        return true;
    const bool small_is_doubtful = s->has_doubtful;
    const struct learned doubtful = s->doubtful;
    s->has_doubtful = false; /* a better rule may leave doubts, too */
    uint32_t count = list_suspects(s, list);
    for (unsigned round = 0; round < ROUNDS && !learner_spent(s->l); round++) {
        uint32_t before = s->nears;
        if (misses < 1 && !wants_better(best, misses))
            break;
        if (search_rules(s, list, count, &found) && (misses == 1 || is_improved(s, &found, best, misses))) {
            misses = s->misses;
            *best = found;
        }
        if (s->nears == before || s->has_doubtful)
            break; /* without a new near case, another round would find the same candidates */
    }
    if (misses < 1)
        return true;
    if (!s->has_doubtful && small_is_doubtful)
        s->doubtful = doubtful;
    s->has_doubtful |= small_is_doubtful;
    if (s->has_doubtful)
        *best = s->doubtful;
    return s->has_doubtful;
}

/* If nothing explains the reduced case, begins again from others. The reduction may have led to a case whose
 * outcome the true change leaves undefined, or in which it shows at few points. */
static bool search(struct study *s, struct learned *best)
{
    add_readings(s);
    bool found = settle(s, best);
    if (!found && !learner_spent(s->l) && near_begin_shorter(s)) {
        found = search_from(s, best);
        if (!found)
            near_begin_again(s);
    }
    for (unsigned i = 0;
         i < REFERENCES && !found && !learner_spent(s->l) && (i == 0 || near_begin_elsewhere(s)); i++)
        found = search_from(s, best);
    return found;
}

/* Adds the smallest cases of the changes that the new one replaces, which it must explain. Returns false if
 * one of them cannot be compared. */
static bool add_musts(struct study *s, const struct instead_of *list)
{
    bool good = true;
    for (uint32_t i = 0; i < list->count && good; i++) {
        const struct learned *k = list->change[i];
        struct outcome *o = outcome_new(s->l->o->unit);
        struct error none;
        const uint32_t before = s->nears;
        if (outcome_decode(o, k->smallest, k->board_outcome, k->board_outcome_size, &none))
            near_add(s, k->smallest, &o);
        outcome_free(o);
        good = s->nears > before && !s->near[before].agrees;
        if (good)
            s->near[before].must = true;
    }
    return good;
}

/* Adds rules with the expressions of earlier ones: with the guard of before, without one, and with new ones.
 */
static void add_hints(struct study *s, const struct revision *v)
{
    for (uint32_t i = 0; i < v->hints && !learner_spent(s->l); i++) {
        struct learn_change c = v->hint[i];
        judge_add(s, &c);
        c.rule.guard.count = 0;
        judge_add(s, &c);
    }
    judge_guard(s);
    s->brokens = 0;
}

bool learner_revise(struct learner *l, const struct revision *v, struct learned *best)
{
    struct study *s = memory_new(1, sizeof *s);
    s->l = l;
    s->example = s->scratch;
    bool found = near_explore(s);
    if (found) {
        (void)add_musts(s, &v->instead_of);
        add_hints(s, v);
        found = settle(s, best);
    }
    l->vain_repairs += !found;
    near_free(s);
    judgements_free(s);
    free(s);
    return found;
}

bool learner_explain(struct learner *l, const struct instead_of *those, struct learned *best)
{
    struct study *s = memory_new(1, sizeof *s);
    s->l = l;
    s->example = s->scratch;
    bool found = near_explore(s);
    if (found && those) {
        s->near[0].must = true;
        found = add_musts(s, those);
    }
    found = found && search(s, best);
    if (!found)
        l->r->lost = learner_spent(l) ? LEARN_LOST_BUDGET
                     : !s->suspects   ? LEARN_LOST_NO_POINT
                     : !s->fitted     ? LEARN_LOST_NO_EXPRESSION
                     : !s->judged     ? LEARN_LOST_NO_GUARD
                                      : LEARN_LOST_REFUTED;
    l->elsewhere = found && s->began_from;
    if (l->elsewhere)
        case_copy(l->small, s->near[0].tc);
    l->circumstance.found = false;
    if (!found && s->nears && l->wants_circumstance)
        circumstance_find(s);
    near_free(s);
    judgements_free(s);
    free(s);
    return found;
}
