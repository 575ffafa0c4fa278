/* SPDX-License-Identifier: MIT */
/* Makes cases on which the candidates disagree, and runs them on the board. */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/search/novelty.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    EXPERIMENTS_MAX = 2000, /* cases that the board runs for one difference */
    QUIET_ENOUGH = 160,     /* experiments end after so many in a row that refute no candidate */
    MAKE_MAX = 20000,       /* cases made in search of experiments */
    AT_ONCE = 16,
    MISSED_MAX = 32,    /* limit of cases in a study that become near cases though they refute no candidate */
    CONFIRM_NEW = 300,  /* new cases in which a change must act before it is believed, */
    CONFIRM_NEAR = 150, /* and changed near cases, */
    CONFIRM_MADE = 12000, /* or as many as there are among so many */
    /* Experiments that may speak against a change, because another cause acts in them, too: so many, and one
     * for so many that speak for it. Readings are known from hardware and software, so a reading is seldom
     * believed by chance. */
    AGAINST_MOST = 2,
    AGAINST_SHARE = 48,
    AGAINST_SHARE_READING = 2,
    EVADES_MOST = 12,      /* experiments that agree without a reading, and are undefined with it */
    PASSED_OVER_NEW = 3,   /* limit of cases passed over for one that acts in a new way: new cases, */
    PASSED_OVER_NEAR = 31, /* changed near cases */
};

/* Returns a hash of how a run ended and of the rows that it touched. */
static uint64_t outcome_hash(const struct outcome *o)
{
    uint32_t words = o->unit->layout.row_words;
    uint64_t hash = random_mix64(o->end * 64U + 1);
    for (uint32_t row = 0; row < o->unit->layout.rows; row++)
        for (uint32_t i = 0; outcome_touched(o, row) && i < words; i++)
            hash = random_mix64(hash ^ o->value[row * words + i]) + row;
    return hash;
}

/* A case, and the model's run of it under the profile so far, without any candidate. */
struct trial {
    struct near_case k;
    uint64_t hash; /* outcome_hash of that run */
    bool any;      /* that run or a candidate gives the board's outcome */
};

/* Runs it. Records the visits of the points at which remaining candidates act. */
static void run_alone(struct study *s, struct trial *t)
{
    struct learner *l = s->l;
    uint64_t points[POINTS_MAX / 64] = {0};
    for (uint32_t i = 0; i < s->candidates; i++) {
        const struct candidate *c = &s->candidate[i];
        if (c->alive && c->change.is_rule)
            points[c->change.rule.point / 64] |= UINT64_C(1) << (c->change.rule.point % 64);
    }
    visits_run_some(l->x, t->k.tc, &l->r->profile, points, l->base, t->k.visits);
    t->k.covered = l->x->last;
    t->hash = outcome_hash(l->base);
}

/* Runs the model with a candidate into l->model. Returns false, without a run, if the candidate cannot affect
 * the case. */
static bool run_with(struct study *s, const struct trial *t, const struct candidate *c)
{
    struct profile p = s->l->r->profile;
    if (!judge_matters(&t->k, &c->change) || !learn_apply(&c->change, &p))
        return false;
    executor_run(s->l->x, t->k.tc, &p, RUN_CHECKED, s->l->model);
    return true;
}

/* Which cases become experiments: those on which the remaining candidates disagree, or those in which one
 * candidate acts. */
struct making {
    struct candidate *only;  /* or NULL */
    uint32_t most;           /* limit of cases made */
    uint32_t new;            /* of ten */
    struct novelty *novelty; /* of `only`, or NULL */
    uint32_t passed_over;    /* cases in a row that were left out because they bring nothing new */
    uint32_t answered;       /* experiments of which the board gave an outcome */
};

/* Does the one candidate give another outcome of the case than the profile alone? Passes over some cases in
 * which it acts as it has acted before. */
static bool acts_on_outcome(struct study *s, struct trial *t, struct making *m)
{
    run_alone(s, t);
    if (s->l->base->end == END_UNDEFINED || !judge_matters(&t->k, &m->only->change))
        return false;
    const bool new = novelty_note(m->novelty, t->k.visits, &m->only->change, false);
    if (!new && m->passed_over < (m->new ? PASSED_OVER_NEW : PASSED_OVER_NEAR)) {
        m->passed_over++;
        return false;
    }
    const bool acts = run_with(s, t, m->only) && outcome_hash(s->l->model) != t->hash;
    m->passed_over = acts ? 0 : m->passed_over;
    return acts;
}

/* Do two remaining candidates give different outcomes of the case, or do the candidates give another outcome
 * than the profile alone? */
static bool tells_apart(struct study *s, struct trial *t)
{
    bool any = false, different = false;
    uint64_t first = 0;
    run_alone(s, t);
    if (s->l->base->end == END_UNDEFINED)
        return false;
    for (uint32_t i = 0; i < s->candidates && !different; i++) {
        if (!s->candidate[i].alive)
            continue;
        uint64_t hash = run_with(s, t, &s->candidate[i]) ? outcome_hash(s->l->model) : t->hash;
        different = any && hash != first;
        first = hash;
        any = true;
    }
    return any && (different || first != t->hash);
}

/* How many of ten cases are new. The others are near cases with changes. */
enum { NEW_NONE = 0, NEW_SOME = 4, NEW_ALL = 10 };

/* Makes a new case, or changes the reduced case or a near case. */
static void make_case(struct study *s, uint32_t new, struct test_case *c)
{
    struct learner *l = s->l;
    uint32_t draw = random_below(&l->random, 10);
    if (draw < new) {
        case_generate(&l->random, l->o->unit, c);
        return;
    }
    const struct near_case *k =
        draw < new + (NEW_ALL - new) / 2 ? &s->near[0] : &s->near[random_below(&l->random, s->nears)];
    case_copy(c, k->tc);
    (new == NEW_NONE || draw % 2 ? case_nudge : case_mutate)(&l->random, c);
}

/* Does the change act in the run, even without an effect on the outcome? A reading acts if the run consults
 * its clause, a rule if its guard holds at a visit. */
static bool acts_in(const struct trial *t, const struct learn_change *c)
{
    bool acts = false;
    if (!c->is_rule)
        return covered(&t->k.covered, c->clause);
    const struct visits *v = t->k.visits;
    for (const struct visit *at = visits_first(v, c->rule.point); at && !acts; at = visits_next(v, at))
        for (uint32_t lane = 0; lane < v->unit->points[c->rule.point].lanes && !acts; lane++) {
            const struct expression_context x = visit_context(v->unit, at, lane);
            acts = !c->rule.guard.count || expression_evaluate(c->rule.guard.node, c->rule.guard.count, &x);
        }
    return acts;
}

/* Notes a hash of the values and inputs at the rule's point, in lanes where the rule, with this part of its
 * guard, changes the value, unless the candidate has this hash already. */
static void note_acts_of(struct candidate *c, const struct near_case *k, const struct rule *r, unsigned part)
{
    const struct visits *v = k->visits;
    uint32_t result[POINT_LANES_MAX];
    uint64_t hash = 1;
    bool any = false;
    for (const struct visit *at = visits_first(v, r->point); at; at = visits_next(v, at)) {
        if (!visit_rule(v->unit, at, r, result))
            continue;
        const struct point *p = &v->unit->points[at->point];
        for (uint32_t lane = 0; lane < p->lanes; lane++) {
            if (result[lane] == at->now[lane])
                continue;
            c->acted_varied |= (any || c->acts[part]) && c->acted_on != at->value[lane];
            c->acted_on = at->value[lane];
            any = true;
            hash = random_mix64(hash ^ at->value[lane]);
            for (unsigned n = 0; n < POINT_INPUTS_MAX && p->input[n].name; n++)
                hash = random_mix64(hash + visit_input(v->unit, at, n, lane));
        }
    }
    for (uint32_t i = 0; i < c->acts[part]; i++)
        if (c->acted[part][i] == hash)
            return;
    if (any && c->acts[part] < CANDIDATE_ACTED_MAX)
        c->acted[part][c->acts[part]++] = hash;
}

/* Notes on what the rule acted. If its guard is "a || b", does so for each of both parts: where only this
 * part holds. */
static void note_acts(struct candidate *c, const struct near_case *k)
{
    struct rule r = c->change.rule;
    struct expression part[2];
    if (!guard_split(&r.guard, part)) {
        note_acts_of(c, k, &r, 0);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        r.guard = part[i];
        note_acts_of(c, k, &r, i);
    }
}

/* Counts an experiment, whose outcomes are in l->base and l->model, for or against a candidate. If another
 * cause gives a word a third value, it may have the bits of the model without the change by chance. A change
 * that leaves undefined what the model had right says less than the model alone. */
static void note_bearing(const struct study *s, struct candidate *c, const struct near_case *k)
{
    enum { BY_CHANCE = 4 }; /* one word for so many */
    const struct bearing b = bearing_of(s->l->base, s->l->model, k->board);
    const bool loses = k->agrees && bearing_loses(s->l->base, s->l->model, k->board, s->l->start),
               against = b.words_against * BY_CHANCE > b.words_for || loses;
    c->speaks_against += against;
    c->speaks_for += b.words_for && !against;
    c->evades += k->agrees && !c->change.is_rule && s->l->model->end == END_UNDEFINED;
}

/* Do too many experiments speak against the candidate, compared to those that speak for it? */
static bool is_refuted(const struct candidate *c)
{
    const uint32_t against = c->change.is_rule ? AGAINST_SHARE : AGAINST_SHARE_READING;
    return (c->speaks_against > AGAINST_MOST && c->speaks_against * against > c->speaks_for) ||
           (c->evades > EVADES_MOST && c->evades > c->speaks_for);
}

/* Drops the candidates that the board's outcome of one experiment refutes: those that change the model's
 * outcome to another one than the board's. Returns how many. If neither the model alone nor any candidate
 * gives the outcome, the case may have another cause, too, so one such case refutes no candidate. Several do
 * in which the board has, in words that the candidate changes, what the model gives without it. */
static unsigned take_outcome(struct study *s, struct trial *t)
{
    bool good[CANDIDATES_MAX], undefined[CANDIDATES_MAX], other[CANDIDATES_MAX], any, apart = false;
    struct near_case *k = &t->k;
    unsigned dropped = 0;
    run_alone(s, t);
    k->agrees = any = outcomes_equal(s->l->base, k->board, NULL, &k->difference);
    if (k->agrees)
        outcome_reset(s->l->start, k->tc);
    for (uint32_t i = 0; i < s->candidates; i++) {
        struct candidate *c = &s->candidate[i];
        good[i] = k->agrees;
        other[i] = undefined[i] = false;
        if (!c->alive || !judge_matters(k, &c->change))
            continue;
        const enum judged judged = judge_case(s, k, &c->change);
        good[i] = judged == JUDGED_REPRODUCES;
        undefined[i] = judged == JUDGED_UNDEFINED;
        other[i] = outcome_hash(s->l->model) != t->hash;
        any |= good[i];
        note_bearing(s, c, k);
        c->reproduced += !k->agrees && good[i];
        if (!k->agrees && good[i] && c->change.is_rule)
            note_acts(c, k);
    }
    t->any = any;
    for (uint32_t i = 0; i < s->candidates; i++) {
        struct candidate *c = &s->candidate[i];
        apart |= c->alive && other[i] && any;
        c->missed += c->alive && !k->agrees && !good[i] && !undefined[i] && acts_in(t, &c->change);
    }
    for (uint32_t i = 0; i < s->candidates; i++) {
        struct candidate *c = &s->candidate[i];
        const bool refuted = apart && !good[i] && !undefined[i] && other[i];
        c->passed += apart && c->alive && good[i];
        if (!c->alive || !(refuted || is_refuted(c)))
            continue;
        c->alive = false;
        dropped++;
    }
    return dropped;
}

static bool any_alive(const struct study *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->candidates; i++)
        any |= s->candidate[i].alive;
    return any;
}

/* Does a remaining candidate act in the case, although none explains it? */
static bool is_missed(const struct study *s, const struct trial *t)
{
    bool acts = false;
    for (uint32_t i = 0; i < s->candidates && !acts; i++)
        acts = s->candidate[i].alive && acts_in(t, &s->candidate[i].change);
    return acts;
}

/* Runs a batch of experiments. Adds cases that refute a candidate to the near cases, so that the next round
 * uses them, and some that no candidate explains. Returns how many experiments it ran; 0 if it could make
 * none or the board failed. */
static unsigned run_batch(struct study *s, struct trial *trials, struct making *m, uint32_t *made,
                          unsigned *quiet)
{
    struct test_case *cases[AT_ONCE];
    struct outcome *outcomes[AT_ONCE];
    enum answer answers[AT_ONCE];
    unsigned count = 0;
    for (; count < AT_ONCE && *made < m->most && !learner_spent(s->l); ++*made) {
        make_case(s, m->new, trials[count].k.tc);
        count += m->only ? acts_on_outcome(s, &trials[count], m) : tells_apart(s, &trials[count]);
    }
    for (unsigned i = 0; i < count; i++) {
        cases[i] = trials[i].k.tc;
        outcomes[i] = trials[i].k.own;
    }
    if (!count || !learner_ask(s->l, cases, count, outcomes, answers))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        const bool answered = answers[i] == ANSWER_OUTCOME;
        if (m->only)
            untested_note(m->only, trials[i].k.visits, answered);
        if (!answered)
            continue;
        m->answered++;
        if (m->only)
            (void)novelty_note(m->novelty, trials[i].k.visits, &m->only->change, true);
        unsigned dropped = take_outcome(s, &trials[i]);
        *quiet = dropped ? 0 : *quiet + 1;
        const bool missed = !trials[i].any && s->missed < MISSED_MAX && is_missed(s, &trials[i]);
        s->missed += missed;
        if (dropped || missed)
            near_add(s, trials[i].k.tc, &trials[i].k.own);
        trials[i].k.board = trials[i].k.own;
    }
    s->l->r->experiments += count;
    return count;
}

static struct trial *trials_new(const struct unit *u)
{
    struct trial *trials = memory_new(AT_ONCE, sizeof *trials);
    for (unsigned i = 0; i < AT_ONCE; i++) {
        trials[i].k.tc = memory_new(1, sizeof *trials[i].k.tc);
        trials[i].k.board = trials[i].k.own = outcome_new(u);
        trials[i].k.visits = memory_new(1, sizeof *trials[i].k.visits);
    }
    return trials;
}

static void trials_free(struct trial *trials)
{
    for (unsigned i = 0; i < AT_ONCE; i++) {
        free(trials[i].k.tc);
        outcome_free(trials[i].k.own);
        free(trials[i].k.visits);
    }
    free(trials);
}

void experiments_run(struct study *s)
{
    struct making m = {.most = MAKE_MAX, .new = NEW_SOME};
    struct trial *trials = trials_new(s->l->o->unit);
    uint32_t made = 0, count, asked = 0;
    unsigned quiet = 0;
    while (any_alive(s) && quiet < QUIET_ENOUGH && asked < EXPERIMENTS_MAX && !learner_spent(s->l) &&
           (count = run_batch(s, trials, &m, &made, &quiet)) > 0)
        asked += count;
    trials_free(trials);
}

/* Runs cases in which the candidate acts until `enough` of them, of which the board gave an outcome, did not
 * refute it. A board may refuse most cases. */
static void confirm(struct study *s, struct candidate *c, uint32_t new, uint32_t enough, struct novelty *n)
{
    struct making m = {.only = c, .most = CONFIRM_MADE, .new = new, .novelty = n};
    struct trial *trials = trials_new(s->l->o->unit);
    uint32_t made = 0;
    unsigned quiet = 0;
    while (c->alive && m.answered < enough && !learner_spent(s->l) &&
           run_batch(s, trials, &m, &made, &quiet) > 0) {}
    trials_free(trials);
}

void experiments_confirm(struct study *s, struct candidate *c)
{
    struct novelty n = {.seen = {{0}}};
    confirm(s, c, NEW_NONE, CONFIRM_NEAR, &n);
    confirm(s, c, NEW_ALL, CONFIRM_NEW, &n);
}
