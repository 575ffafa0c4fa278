/* SPDX-License-Identifier: MIT */
/* Judges a change: counts the near cases that it explains, and those that it spoils. */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_AT = 12,
    DECIDED_LEAST = 6, /* a reading that leaves most near cases undefined must explain so many others */
    SPOILED_ENOUGH = 64,
    LABELLED_MAX = 256, /* visits of the cases that a rule without a guard explains or spoils */
    GUARD_TURNS = 10,
    GUARDS_AT_ONCE = 6,  /* guards that are tried in one turn */
    GUARD_EFFORT = 1500, /* the effort of one search for guards (learner.h) */
};

/* Sets `p` to the profile so far with one more change. Returns false if the profile has no room for it. */
static bool changed_profile(const struct study *s, const struct learn_change *c, struct profile *p)
{
    *p = s->l->r->profile;
    return learn_apply(c, p);
}

/* Judges the model's outcome of a near case, in l->model, by the bits that it defines. */
static enum judged judge_masks(struct study *s, const struct near_case *k)
{
    const struct outcome *model = s->l->model;
    if (model->end == END_UNDEFINED)
        return JUDGED_UNDEFINED;
    if (!outcomes_equal(model, k->board, NULL, NULL))
        return JUDGED_DIFFERS;
    const bool decided = k->difference.end_differs
                             ? model->end == k->board->end
                             : differences_decided(&k->difference, model) >= DECIDED_EACH;
    return k->agrees || decided ? JUDGED_REPRODUCES : JUDGED_UNDEFINED;
}

/* Can the values in l->values fit? They must have the board's bits wherever it differs without the change.
 * This needs no further run of the model. */
static bool values_may_fit(const struct study *s, const struct near_case *k)
{
    const struct differences *d = &k->difference;
    const struct outcome *values = s->l->values;
    bool fit = values->end == k->board->end;
    for (uint32_t i = 0; i < d->listed && fit && !d->end_differs && !k->agrees; i++) {
        const struct word_difference *w = &d->word[i];
        const uint32_t value = values->value[w->row * values->unit->layout.row_words + w->col];
        fit = w->tolerance || !((value ^ w->board) & w->differ);
    }
    return fit;
}

/* Judges a case of which the run in l->model leaves undefined what it must decide, by runs for values only:
 * with `p`, and with forced values if `f` is not NULL. What undefined bits are is not known, so two runs have
 * other ones. If one fits, it becomes l->model, with the masks of the run without the change. If the model
 * without the change is right and neither run fits, the change is wrong. */
static enum judged judge_values(struct study *s, const struct near_case *k, const struct profile *p,
                                const struct forced *f)
{
    static const uint32_t fillers[] = {0, UINT32_MAX};
    struct learner *l = s->l;
    bool fit = false;
    for (unsigned i = 0; i < sizeof fillers / sizeof *fillers && !fit; i++) {
        if (f)
            visits_force_values(l->x, k->tc, p, f, fillers[i], l->values);
        else
            executor_run_with(l->x, &(struct run){.tc = k->tc,
                                                  .profile = p,
                                                  .out = l->values,
                                                  .mode = RUN_PLAIN,
                                                  .filler = fillers[i]});
        if (!values_may_fit(s, k))
            continue;
        executor_run(l->x, k->tc, &l->r->profile, RUN_CHECKED, l->defining);
        fit = bearing_values_fit(l->defining, l->values, k->board);
    }
    if (!fit)
        return k->agrees ? JUDGED_DIFFERS : JUDGED_UNDEFINED;
    struct outcome *values = l->values;
    l->values = l->model;
    l->model = values;
    return JUDGED_REPRODUCES;
}

enum judged judge_case(struct study *s, const struct near_case *k, const struct learn_change *c)
{
    struct learner *l = s->l;
    struct profile p;
    if (!changed_profile(s, c, &p))
        return JUDGED_DIFFERS;
    executor_run(l->x, k->tc, &p, RUN_CHECKED, l->model);
    const enum judged judged = judge_masks(s, k);
    return judged == JUDGED_UNDEFINED && c->is_rule ? judge_values(s, k, &p, NULL) : judged;
}

enum judged judge_forced_values(struct study *s, const struct near_case *k, const struct forced *f)
{
    return judge_values(s, k, &s->l->r->profile, f);
}

enum judged judge_forced(struct study *s, const struct near_case *k, const struct forced *f)
{
    visits_force(s->l->x, k->tc, &s->l->r->profile, f, s->l->model);
    const enum judged judged = judge_masks(s, k);
    return judged == JUDGED_UNDEFINED ? judge_forced_values(s, k, f) : judged;
}

bool judge_matters(const struct near_case *k, const struct learn_change *c)
{
    return c->is_rule ? visits_changed(k->visits, &c->rule) : covered(&k->covered, c->clause);
}

static bool same_change(const struct learn_change *a, const struct learn_change *b)
{
    if (a->is_rule != b->is_rule)
        return false;
    if (!a->is_rule)
        return a->clause == b->clause && a->reading == b->reading;
    return a->rule.point == b->rule.point && expression_equal(&a->rule.guard, &b->rule.guard) &&
           expression_equal(&a->rule.result, &b->rule.result);
}

uint32_t candidate_allows(const struct candidate *c)
{
    return c->explained + c->excused;
}

bool candidate_allows_nearly_all(const struct study *s, const struct candidate *c)
{
    return candidate_allows(c) * 10 >= s->differing * 9;
}

bool candidate_excuses_few(const struct candidate *c)
{
    return (c->excused <= 16 * c->explained || (!c->change.is_rule && c->explained >= DECIDED_LEAST)) &&
           c->vague <= 2 * c->explained;
}

int64_t candidate_cost(const struct candidate *c)
{
    enum { PRICE = 8 };
    const uint32_t net = c->excused > c->vague ? c->excused - c->vague : 0,
                   half = net < c->explained ? net / 2 : c->explained / 2;
    return (int64_t)c->size - PRICE * ((int64_t)c->explained + half + c->reproduced);
}

bool candidate_is_better(const struct candidate *a, const struct candidate *b)
{
    return candidate_cost(a) < candidate_cost(b);
}

/* Adds a candidate to a list. In a full list, the candidate replaces the worst entry if it is better. Returns
 * whether the list has changed. */
static bool put(struct candidate *list, uint32_t *count, uint32_t most, const struct candidate *c)
{
    struct candidate *worst = NULL;
    for (uint32_t i = 0; i < *count; i++) {
        if (same_change(&list[i].change, &c->change))
            return false;
        if (!worst || candidate_is_better(worst, &list[i]))
            worst = &list[i];
    }
    if (*count == most && !(worst && candidate_is_better(c, worst)))
        return false;
    *(*count < most ? &list[(*count)++] : worst) = *c;
    return true;
}

/* What a rule costs that needs a guard: the more cases it spoils, the less likely is the expression. */
static int64_t broken_cost(const struct candidate *c)
{
    enum { PRICE = 8 };
    return candidate_cost(c) + PRICE * (int64_t)c->spoiled;
}

/* Adds a rule to s->broken. Keeps only the best few rules of each point, so that rules of other points have
 * room. */
static void put_broken(struct study *s, const struct candidate *c)
{
    enum { PER_POINT = 8 };
    uint32_t here = 0;
    struct candidate *worst = NULL;
    for (uint32_t i = 0; i < s->brokens; i++) {
        struct candidate *b = &s->broken[i];
        if (same_change(&b->change, &c->change))
            return;
        if (b->change.rule.point != c->change.rule.point)
            continue;
        here++;
        if (!worst || broken_cost(b) > broken_cost(worst))
            worst = b;
    }
    if (here < PER_POINT)
        (void)put(s->broken, &s->brokens, BROKEN_MAX, c);
    else if (broken_cost(c) < broken_cost(worst))
        *worst = *c;
}

/* The most near cases that a candidate allows. */
static uint32_t most_allowed(const struct study *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->candidates; i++) {
        const uint32_t these = candidate_allows(&s->candidate[i]);
        most = these > most ? these : most;
    }
    return most;
}

/* Has the search no use for a change, after so many near cases? Either it explains too little: less than
 * s->nearly_all asks for, or so little that keep_best in study.c would drop it. Or it spoils a case and is a
 * reading or a rule with a guard. */
static bool is_useless(const struct study *s, const struct judgement *v, bool may_spoil, uint32_t most)
{
    return (v->spoiled && !may_spoil) ||
           (s->nearly_all && (v->seen - v->explained - v->excused) * 10 > s->differing) ||
           (v->seen >= LOOK_AT + v->excused && v->explained < 2 && v->judged < s->nears) ||
           (v->explained + v->excused + s->differing - v->seen) * 2 < most;
}

/* Judges a change by the next near case. Of a rule without a guard, SPOILED_ENOUGH spoiled cases tell what a
 * guard must prevent. */
static void judge_next(struct study *s, const struct learn_change *c, struct judgement *v)
{
    const uint32_t i = v->judged++;
    const struct near_case *n = &s->near[i];
    v->seen += !n->agrees;
    if ((n->agrees && v->spoiled == SPOILED_ENOUGH) || !judge_matters(n, c))
        return;
    const enum judged judged = judge_case(s, n, c);
    const bool explained = judged == JUDGED_REPRODUCES && !n->agrees,
               spoiled = judged == JUDGED_DIFFERS && n->agrees;
    v->explained += explained;
    v->spoiled += spoiled;
    v->excused += judged == JUDGED_UNDEFINED && !n->agrees;
    v->vague += judged == JUDGED_UNDEFINED && n->agrees;
    v->fits |= i == 0 && judged != JUDGED_DIFFERS;
    v->explains[i / 64] |= (uint64_t)explained << (i % 64);
    v->spoils[i / 64] |= (uint64_t)spoiled << (i % 64);
}

/* Judges a candidate by the near cases that it was not judged by yet. Returns false if the search has no use
 * for it. */
static bool judge(struct study *s, struct candidate *k, bool may_spoil)
{
    const uint32_t most = most_allowed(s);
    struct judgement *v = judgement_of(s, &k->change);
    bool useless = v->judged && is_useless(s, v, may_spoil, most);
    while (v->judged < s->nears && !useless) {
        judge_next(s, &k->change, v);
        useless = is_useless(s, v, may_spoil, most);
    }
    s->fitted |= v->explained > 0;
    k->explained = v->explained;
    k->spoiled = v->spoiled;
    k->excused = v->excused;
    k->vague = v->vague;
    k->fits = v->fits;
    memcpy(k->explains, v->explains, sizeof k->explains);
    memcpy(k->spoils, v->spoils, sizeof k->spoils);
    return !useless && k->explained;
}

/* May another guard take the place of this one? True for none and for "INPUT == NUMBER". */
static bool is_simple(const struct expression *guard)
{
    return guard->count <= 3;
}

/* judge_add. If the rule spoils a near case, *spoiled is this case. */
static bool add(struct study *s, const struct learn_change *c, bool may_spoil,
                const struct near_case **spoiled)
{
    struct candidate k = {.change = *c, .alive = true};
    if (c->is_rule)
        k.size = expression_size(&c->rule.guard) + expression_size(&c->rule.result);
    bool useful = judge(s, &k, may_spoil);
    for (uint32_t i = 0; i < NEAR_MAX / 64 && spoiled; i++)
        if (k.spoils[i])
            *spoiled = &s->near[i * 64 + (uint32_t)__builtin_ctzll(k.spoils[i])];
    if (!useful)
        return false;
    if (k.spoiled) {
        put_broken(s, &k);
        return false;
    }
    s->judged = true;
    s->added += put(s->candidate, &s->candidates, CANDIDATES_MAX, &k);
    return true;
}

const struct near_case *judge_add(struct study *s, const struct learn_change *c)
{
    const struct near_case *spoiled = NULL;
    (void)add(s, c, c->is_rule && is_simple(&c->rule.guard), &spoiled);
    return spoiled;
}

void judge_add_like(struct study *s, const struct learn_change *c, const struct candidate *like)
{
    const struct candidate old = *like; /* judge_add may move it */
    judge_add(s, c);
    for (uint32_t i = 0; i < s->candidates; i++) {
        struct candidate *new = &s->candidate[i];
        if (!same_change(&new->change, c))
            continue;
        new->passed = old.passed;
        new->reproduced = old.reproduced;
        new->missed = old.missed;
        new->speaks_for = old.speaks_for;
        new->speaks_against = old.speaks_against;
        new->evades = old.evades;
        memcpy(new->acted, old.acted, sizeof new->acted);
        memcpy(new->acts, old.acts, sizeof new->acts);
        new->acted_on = old.acted_on;
        new->acted_varied = old.acted_varied;
    }
}

/* ---- guards ---- */

/* Lists what a rule changes in one near case, as values to force. */
static void list_acts(const struct near_case *k, const struct rule *r, struct forced *f)
{
    uint32_t result[POINT_LANES_MAX];
    const struct unit *u = k->visits->unit;
    visits_group(k->visits, r->point, f);
    for (uint32_t i = 0; i < f->groups; i++) {
        const struct visit *at = f->group[i].first;
        bool changes = visit_rule(u, at, r, result);
        for (uint32_t lane = 0; changes && lane < u->points[r->point].lanes; lane++) {
            f->group[i].value[lane] = result[lane];
            f->group[i].lanes |= (uint16_t)((result[lane] != at->now[lane]) << lane);
        }
    }
}

/* Does the model give the board's outcome with these values? */
static bool gives_board(struct study *s, const struct near_case *k, const struct forced *f)
{
    const enum judged judged = judge_forced(s, k, f);
    return judged != JUDGED_DIFFERS && s->l->model->end != END_UNDEFINED;
}

enum blame { WITHOUT, ALONE };

/* Is the rule's change at one place, a lane of a group of visits, to blame for what the rule does in a case?
 * WITHOUT: is it otherwise without this change? ALONE: does this change alone make the model differ? */
static bool is_to_blame(struct study *s, const struct near_case *k, const struct forced *acts, uint32_t group,
                        uint32_t lane, enum blame how, bool explains)
{
    struct forced f = *acts;
    for (uint32_t i = 0; i < f.groups && how == ALONE; i++)
        f.group[i].lanes = 0;
    f.group[group].lanes ^= (uint16_t)(1U << lane);
    return gives_board(s, k, &f) != (how == ALONE || explains);
}

/* Adds the places of a near case that are to blame for the rule's effect. `acts`: the rule explains the case,
 * and must act there. Otherwise it spoils the case; if no place does so without the others, takes those that
 * do so alone. */
static void add_visits(struct study *s, const struct near_case *k, const struct rule *r, bool acts,
                       struct guarded_visit *to, uint32_t most, uint32_t *count)
{
    struct forced *f = memory_new(1, sizeof *f);
    const uint32_t before = *count;
    list_acts(k, r, f);
    for (unsigned how = WITHOUT; how <= (acts ? WITHOUT : ALONE) && *count == before; how++)
        for (uint32_t i = 0; i < f->groups; i++)
            for (uint32_t lane = 0; lane < POINT_LANES_MAX && *count < most; lane++)
                if (f->group[i].lanes >> lane & 1 && is_to_blame(s, k, f, i, lane, (enum blame)how, acts))
                    to[(*count)++] =
                        (struct guarded_visit){.at = f->group[i].first, .lane = (uint8_t)lane, .acts = acts};
    free(f);
}

/* Lists the visits from which guard_run makes a guard. The rule must act in cases that it explains, and must
 * not act in cases that it spoils. The explained cases come first and get at most half of the room. */
static uint32_t label_visits(struct study *s, const struct candidate *b, struct guarded_visit *to)
{
    uint32_t count = 0;
    for (unsigned spoils = 0; spoils < 2; spoils++) {
        const uint64_t *set = spoils ? b->spoils : b->explains;
        uint32_t most = spoils ? LABELLED_MAX : LABELLED_MAX / 2;
        for (uint32_t i = 0; i < s->nears; i++)
            if (set[i / 64] >> (i % 64) & 1)
                add_visits(s, &s->near[i], &b->change.rule, !spoils, to, most, &count);
    }
    return count;
}

/* Adds a rule with its guard. If a near case shows that the rule must not act there, adds the case's visits.
 */
static bool add_guarded(struct study *s, const struct learn_change *c, struct guarded_visit *visits,
                        uint32_t *count)
{
    const struct near_case *spoiled = NULL;
    const bool good = add(s, c, false, &spoiled);
    if (spoiled)
        add_visits(s, spoiled, &c->rule, false, visits, *count + 4 < GUARDED_MAX ? *count + 4 : GUARDED_MAX,
                   count);
    return good;
}

/* A guard that fits the visits so far may let the rule spoil a near case. Then the rule must not act at this
 * case's visits either, and the search for guards begins again ("counterexample-guided inductive synthesis":
 * Solar-Lezama and others, ASPLOS 2006).
 * A comparison ends somewhere between two visits. The widest guard is tried, too, because experiments tell it
 * from a narrow one (Mitchell, "Generalization as search", Artificial Intelligence 18, 1982). */
void judge_guarded(struct study *s, const struct learn_change *rule, struct guarded_visit *visits,
                   uint32_t count)
{
    struct expression *guards = memory_new(GUARDS_MAX, sizeof *guards);
    struct learn_change c = *rule;
    bool good = false, more = true;
    for (unsigned turn = 0; turn < GUARD_TURNS && more && !good && !learner_spent(s->l); turn++) {
        s->l->effort += GUARD_EFFORT;
        const uint32_t found = guard_run(s->l->o->unit, visits, count, guards), before = count;
        for (uint32_t i = 0; i < found && i < GUARDS_AT_ONCE; i++) {
            const uint32_t known = count;
            c.rule.guard = guards[i];
            good |= add_guarded(s, &c, visits, &count);
            if (count == known && guard_widen(s->l->o->unit, visits, before, &guards[i], &c.rule.guard))
                good |= add_guarded(s, &c, visits, &count);
        }
        more = count > before;
    }
    free(guards);
}

void judge_guard(struct study *s)
{
    struct guarded_visit *visits = memory_new(GUARDED_MAX, sizeof *visits);
    for (uint32_t i = 0; i < s->brokens && !learner_spent(s->l); i++) {
        const struct candidate broken = s->broken[i];
        struct judgement *v = judgement_of(s, &broken.change);
        if (v->guards_from == s->nears)
            continue; /* it would find the same guards as before */
        v->guards_from = s->nears;
        judge_guarded(s, &broken.change, visits, label_visits(s, &broken, visits));
    }
    free(visits);
}
