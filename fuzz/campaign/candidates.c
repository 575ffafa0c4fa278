/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/candidates.h"

#include "model/core/memory.h"
#include "oracle/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    SLOTS_MAX = 40,      /* limit of undecided clauses that one case consults */
    LEAVES_MAX = 16384,  /* limit of leaves of one case */
    OUTCOMES_MAX = 48,   /* limit of different outcomes of one case */
    ANY = 255,           /* in place of a reading: the leaf's run did not consult the clause */
    PAIR_LEAVES = 256,   /* ties of at most so many leaves are compared with each other */
    CHOICES_MAX = 50000, /* limit of steps in candidates_choose */
};

/* A partial profile: readings of some of the clauses that a case consults. Each such clause has a slot. */
struct leaf {
    uint8_t reading[SLOTS_MAX]; /* the reading of each slot's clause, or ANY */
    uint16_t outcome;
};

/* Evidence of one case: the board follows one of the leaves that are not dead. */
struct tie {
    unsigned slots, leaves;
    uint8_t clause[SLOTS_MAX]; /* the clause of each slot */
    bool *dead;                /* for each leaf: later evidence ruled it out */
    uint8_t (*leaf)[SLOTS_MAX];
};

_Static_assert(CLAUSES_MAX <= 256, "clause indices of ties are bytes");

struct tree {
    const struct test_case *tc;
    unsigned slots, leaves, outcomes, runs, runs_max;
    bool too_large;
    uint8_t clause[SLOTS_MAX];
    int16_t slot[CLAUSES_MAX];   /* the slot of each clause; -1: none */
    uint8_t current[SLOTS_MAX];  /* readings that this branch has fixed, else ANY */
    struct leaf *leaf;           /* LEAVES_MAX */
    uint64_t hash[OUTCOMES_MAX]; /* hash of each outcome */
    struct outcome *outcome[OUTCOMES_MAX], *scratch;
};

struct candidates {
    struct executor *x;
    const struct unit *unit;
    uint8_t start[CLAUSES_MAX], left[CLAUSES_MAX];
    struct tie *tie;
    unsigned ties, room;
    struct tree tree;
};

struct candidates *candidates_new(struct executor *x)
{
    struct candidates *r = memory_new(1, sizeof *r);
    r->x = x;
    r->unit = x->unit;
    for (unsigned i = 0; i < unit_clauses(r->unit); i++)
        r->start[i] = r->left[i] = (uint8_t)((1U << clause_readings(unit_clause(r->unit, i))) - 1);
    r->tree.leaf = memory_new(LEAVES_MAX, sizeof *r->tree.leaf);
    r->tree.scratch = outcome_new(r->unit);
    return r;
}

static void tie_free(struct tie *t)
{
    free(t->dead);
    free(t->leaf);
}

void candidates_free(struct candidates *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < r->ties; i++)
        tie_free(&r->tie[i]);
    for (unsigned i = 0; i < OUTCOMES_MAX; i++)
        outcome_free(r->tree.outcome[i]);
    outcome_free(r->tree.scratch);
    free(r->tree.leaf);
    free(r->tie);
    free(r);
}

uint8_t candidates_all(const struct candidates *r, unsigned clause)
{
    return r->start[clause];
}

uint8_t candidates_left(const struct candidates *r, unsigned clause)
{
    return r->left[clause];
}

static unsigned bits_of(unsigned set)
{
    return (unsigned)__builtin_popcount(set);
}

unsigned candidates_count(const struct candidates *r, unsigned clause)
{
    return bits_of(r->left[clause]);
}

void candidates_fix(struct candidates *r, unsigned clause, unsigned reading)
{
    r->start[clause] = r->left[clause] = (uint8_t)(1U << reading);
}

/* ---- the tree of one case ---- */

/* Returns a hash that is equal for outcomes with equal values, masks, tolerances and end. */
static uint64_t outcome_hash(const struct outcome *o)
{
    uint64_t h = random_mix64(o->end);
    if (o->end != END_DONE)
        return h;
    size_t words = o->unit->layout.row_words;
    for (uint32_t row = 0; row < o->unit->layout.rows; row++) {
        if (!outcome_touched(o, row))
            continue;
        h = XXH3_64bits_withSeed(o->value + row * words, words * sizeof *o->value, h ^ row);
        if (o->checked)
            h = XXH3_64bits_withSeed(o->defined + row * words, words * sizeof *o->defined, h);
        if (outcome_tolerant(o, row))
            h = XXH3_64bits_withSeed(o->tolerance + row * words, words * sizeof *o->tolerance, h);
    }
    return h;
}

/* Runs the tree's case under a profile. Returns the index of the outcome, which may be a new one. */
static unsigned tree_run(struct candidates *r, const struct profile *p)
{
    struct tree *t = &r->tree;
    unsigned i = 0;
    if (++t->runs > t->runs_max)
        t->too_large = true;
    executor_run(r->x, t->tc, p, RUN_CHECKED, t->scratch);
    uint64_t h = outcome_hash(t->scratch);
    while (i < t->outcomes && t->hash[i] != h)
        i++;
    if (i < t->outcomes)
        return i;
    if (i == OUTCOMES_MAX) {
        t->too_large = true;
        return 0;
    }
    struct outcome *spare = t->outcome[i] ? t->outcome[i] : outcome_new(r->unit);
    t->outcome[i] = t->scratch;
    t->scratch = spare;
    t->hash[i] = h;
    t->outcomes++;
    return i;
}

/* Does the tie have a leaf that agrees with these readings? `reading` is indexed by slot, `slot` by clause.
 */
static bool tie_allows(const struct tie *t, const int16_t *slot, const uint8_t *reading)
{
    unsigned shared[SLOTS_MAX], at[SLOTS_MAX], n = 0;
    for (unsigned s = 0; s < t->slots; s++)
        if (slot[t->clause[s]] >= 0 && reading[slot[t->clause[s]]] != ANY) {
            shared[n] = s;
            at[n++] = reading[slot[t->clause[s]]];
        }
    if (n < 2) /* for a single clause, candidates_left decides */
        return true;
    for (unsigned i = 0; i < t->leaves; i++) {
        bool fits = !t->dead[i];
        for (unsigned k = 0; fits && k < n; k++)
            fits = t->leaf[i][shared[k]] == ANY || t->leaf[i][shared[k]] == at[k];
        if (fits)
            return true;
    }
    return false;
}

static void tree_add_leaf(struct candidates *r, unsigned outcome)
{
    struct tree *t = &r->tree;
    for (unsigned i = 0; i < r->ties; i++)
        if (!tie_allows(&r->tie[i], t->slot, t->current))
            return;
    if (t->leaves == LEAVES_MAX) {
        t->too_large = true;
        return;
    }
    struct leaf *l = &t->leaf[t->leaves++];
    memcpy(l->reading, t->current, sizeof l->reading);
    l->outcome = (uint16_t)outcome;
}

/* Returns the slot of a clause, a new one if the clause has none; -1 if there is no room for a new one. */
static int tree_slot(struct tree *t, unsigned clause)
{
    if (t->slot[clause] < 0) {
        if (t->slots == SLOTS_MAX) {
            t->too_large = true;
            return -1;
        }
        t->clause[t->slots] = (uint8_t)clause;
        t->slot[clause] = (int16_t)t->slots++;
    }
    return t->slot[clause];
}

/* Grows the tree from a run under `p`. Branches on the first undecided clause that the run consulted and that
 * this branch has not fixed; if there is none, adds a leaf. */
static void tree_grow(struct candidates *r, struct profile *p, const struct coverage *consulted,
                      unsigned outcome)
{
    struct tree *t = &r->tree;
    unsigned clauses = unit_clauses(r->unit), c = 0;
    while (c < clauses && (!covered(consulted, c) || candidates_count(r, c) < 2 ||
                           (t->slot[c] >= 0 && t->current[t->slot[c]] != ANY)))
        c++;
    if (c == clauses || t->too_large) {
        if (!t->too_large)
            tree_add_leaf(r, outcome);
        return;
    }
    int slot = tree_slot(t, c);
    if (slot < 0)
        return;
    uint8_t own = p->reading[c];
    for (unsigned reading = 0; reading < READINGS_MAX && !t->too_large; reading++) {
        if (!(r->left[c] >> reading & 1))
            continue;
        t->current[slot] = (uint8_t)reading;
        if (reading == own) {
            tree_grow(r, p, consulted, outcome);
            continue;
        }
        p->reading[c] = (uint8_t)reading;
        unsigned other = tree_run(r, p);
        struct coverage last = r->x->last;
        tree_grow(r, p, &last, other);
    }
    p->reading[c] = own;
    t->current[slot] = ANY;
}

/* Makes the tree of a case. Returns false if the tree is too large or has no leaf. */
static bool tree_make(struct candidates *r, const struct test_case *c, unsigned runs)
{
    struct tree *t = &r->tree;
    struct profile p = {0};
    t->tc = c;
    t->slots = t->leaves = t->outcomes = t->runs = 0;
    t->runs_max = runs;
    t->too_large = false;
    memset(t->slot, -1, sizeof t->slot);
    memset(t->current, ANY, sizeof t->current);
    for (unsigned i = 0; i < unit_clauses(r->unit); i++)
        p.reading[i] = (uint8_t)__builtin_ctz(r->left[i]);
    unsigned outcome = tree_run(r, &p);
    struct coverage last = r->x->last;
    tree_grow(r, &p, &last, outcome);
    return !t->too_large && t->leaves;
}

/* ---- weighing a case ---- */

/* If the board follows a profile with outcome `a`, do profiles with outcome `b` remain? */
static bool survives(struct outcome *a, const struct outcome *b, bool one_way)
{
    if (!one_way)
        return outcomes_equal(b, a, NULL, NULL);
    if (a->end == END_UNDEFINED || b->end == END_UNDEFINED)
        return b->end == END_UNDEFINED;
    bool checked = a->checked;
    a->checked = false; /* a board has no masks */
    bool equal = outcomes_equal(b, a, NULL, NULL);
    a->checked = checked;
    return equal;
}

/* Computes each outcome's share of the remaining profiles (`weight`), and the readings of each slot that lead
 * to the outcome (`leads`). */
static void weigh_outcomes(const struct candidates *r, double *weight, uint8_t (*leads)[SLOTS_MAX])
{
    const struct tree *t = &r->tree;
    double sum = 0;
    memset(weight, 0, OUTCOMES_MAX * sizeof *weight);
    memset(leads, 0, OUTCOMES_MAX * sizeof *leads);
    for (unsigned i = 0; i < t->leaves; i++) {
        const struct leaf *l = &t->leaf[i];
        double w = 1;
        for (unsigned s = 0; s < t->slots; s++) {
            bool any = l->reading[s] == ANY;
            w /= any ? 1 : candidates_count(r, t->clause[s]);
            unsigned these = any ? r->left[t->clause[s]] : 1U << l->reading[s];
            leads[l->outcome][s] = (uint8_t)(leads[l->outcome][s] | these);
        }
        weight[l->outcome] += w;
        sum += w;
    }
    for (unsigned i = 0; i < t->outcomes; i++)
        weight[i] /= sum;
}

/* Adds the information of one possible answer of the board to the prospect. `share`: the share of the
 * remaining profiles that predict this answer. `surviving`: the share that remains after it. `remain`: the
 * readings of each slot that remain. */
static void weigh_answer(const struct candidates *r, double share, double surviving, const uint8_t *remain,
                         const bool *wanted, struct prospect *p)
{
    const struct tree *t = &r->tree;
    p->bits -= share * log2(surviving);
    for (unsigned s = 0; s < t->slots; s++) {
        unsigned before = candidates_count(r, t->clause[s]), after = bits_of(remain[s]);
        if (after >= before)
            continue;
        p->asks[t->clause[s]] = 1;
        if (wanted[t->clause[s]])
            p->score += share * log2((double)before / after);
    }
}

void candidates_weigh(struct candidates *r, const struct test_case *c, const bool *wanted, bool one_way,
                      unsigned runs, struct prospect *p)
{
    enum { UNWANTED = 64 }; /* so many bits about unwanted clauses or ties count as one wanted bit */
    struct tree *t = &r->tree;
    uint8_t leads[OUTCOMES_MAX][SLOTS_MAX];
    double weight[OUTCOMES_MAX];
    bool wants = false;
    *p = (struct prospect){.one_way = one_way};
    if (!tree_make(r, c, runs)) {
        p->too_large = t->too_large;
        return;
    }
    for (unsigned s = 0; s < t->slots; s++)
        wants |= wanted[t->clause[s]];
    if (t->outcomes < 2 || !wants)
        return;
    weigh_outcomes(r, weight, leads);
    for (unsigned a = 0; a < t->outcomes; a++) {
        double surviving = 0;
        uint8_t remain[SLOTS_MAX] = {0};
        if (weight[a] <= 0)
            continue;
        for (unsigned b = 0; b < t->outcomes; b++) {
            if (weight[b] <= 0 || (a != b && !survives(t->outcome[a], t->outcome[b], one_way)))
                continue;
            surviving += weight[b];
            for (unsigned s = 0; s < t->slots; s++)
                remain[s] |= leads[b][s];
        }
        weigh_answer(r, weight[a], surviving < 1 ? surviving : 1, remain, wanted, p);
    }
    p->bits = p->bits < 1e-9 ? 0 : p->bits;
    if (!one_way || p->score > 0) /* a one-way case that could decide only ties seldom decides any */
        p->score += p->bits / UNWANTED;
}

/* ---- evidence ---- */

static bool tie_allows_leaf(const struct tie *t, const struct tie *of, unsigned leaf)
{
    int16_t slot[CLAUSES_MAX];
    memset(slot, -1, sizeof slot);
    for (unsigned s = 0; s < of->slots; s++)
        slot[of->clause[s]] = (int16_t)s;
    return tie_allows(t, slot, of->leaf[leaf]);
}

static unsigned tie_alive(const struct tie *t)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->leaves; i++)
        n += !t->dead[i];
    return n;
}

/* Marks leaves as dead if they have a reading that is ruled out, or if another tie does not allow them.
 * Returns true if it marked any. */
static bool tie_prune(struct candidates *r, struct tie *t)
{
    bool changed = false;
    for (unsigned i = 0; i < t->leaves; i++) {
        bool fits = true;
        for (unsigned s = 0; fits && s < t->slots; s++)
            fits = t->leaf[i][s] == ANY || (r->left[t->clause[s]] >> t->leaf[i][s] & 1);
        if (t->dead[i] || fits)
            continue;
        t->dead[i] = changed = true;
    }
    if (tie_alive(t) > PAIR_LEAVES)
        return changed;
    for (unsigned k = 0; k < r->ties; k++)
        for (unsigned i = 0; &r->tie[k] != t && r->tie[k].leaves <= PAIR_LEAVES && i < t->leaves; i++)
            if (!t->dead[i] && !tie_allows_leaf(&r->tie[k], t, i))
                t->dead[i] = changed = true;
    return changed;
}

/* Rules out the readings of the tie's clauses that none of its leaves has. Returns true if it ruled out any.
 */
static bool tie_project(struct candidates *r, const struct tie *t)
{
    bool changed = false;
    for (unsigned s = 0; s < t->slots; s++) {
        unsigned seen = 0, c = t->clause[s];
        for (unsigned i = 0; i < t->leaves; i++)
            if (!t->dead[i])
                seen |= t->leaf[i][s] == ANY ? r->left[c] : 1U << t->leaf[i][s];
        changed |= (r->left[c] & ~seen) != 0;
        r->left[c] = (uint8_t)(r->left[c] & seen);
    }
    return changed;
}

/* Applies all ties until they rule out nothing more. Returns false if they contradict each other. */
static bool candidates_settle(struct candidates *r)
{
    memcpy(r->left, r->start, sizeof r->left);
    for (unsigned i = 0; i < r->ties; i++)
        memset(r->tie[i].dead, 0, r->tie[i].leaves);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < r->ties; i++) {
            changed |= tie_prune(r, &r->tie[i]);
            if (!tie_alive(&r->tie[i]))
                return false;
            changed |= tie_project(r, &r->tie[i]);
        }
    }
    return true;
}

enum ruling candidates_take(struct candidates *r, const struct test_case *c, const struct outcome *board)
{
    struct tree *t = &r->tree;
    bool fits[OUTCOMES_MAX];
    if (!tree_make(r, c, LEAVES_MAX))
        return t->too_large ? RULING_TOO_LARGE : RULING_CONFLICT;
    for (unsigned i = 0; i < t->outcomes; i++)
        fits[i] = outcomes_equal(t->outcome[i], board, NULL, NULL);
    if (r->ties == r->room)
        r->tie = memory_grow(r->tie, r->room = r->room ? 2 * r->room : 32, sizeof *r->tie);
    struct tie *to = &r->tie[r->ties];
    *to = (struct tie){.slots = t->slots,
                       .dead = memory_new(t->leaves, sizeof *to->dead),
                       .leaf = memory_new(t->leaves, sizeof *to->leaf)};
    memcpy(to->clause, t->clause, sizeof to->clause);
    for (unsigned i = 0; i < t->leaves; i++)
        if (fits[t->leaf[i].outcome])
            memcpy(to->leaf[to->leaves++], t->leaf[i].reading, sizeof *to->leaf);
    r->ties++;
    if (to->leaves && candidates_settle(r))
        return RULING_TAKEN;
    tie_free(&r->tie[--r->ties]);
    candidates_settle(r);
    return RULING_CONFLICT;
}

/* ---- what remains ---- */

bool candidates_tied(const struct candidates *r, unsigned clause, unsigned *with)
{
    for (unsigned i = 0; i < r->ties; i++) {
        const struct tie *t = &r->tie[i];
        unsigned own = 0;
        while (own < t->slots && t->clause[own] != clause)
            own++;
        for (unsigned s = 0; own < t->slots && s < t->slots; s++) {
            unsigned seen[READINGS_MAX] = {0}, all = r->left[t->clause[s]];
            if (s == own || bits_of(all) < 2)
                continue;
            for (unsigned k = 0; k < t->leaves; k++)
                for (unsigned v = 0; !t->dead[k] && v < READINGS_MAX; v++)
                    if (t->leaf[k][own] == ANY || t->leaf[k][own] == v)
                        seen[v] |= t->leaf[k][s] == ANY ? all : 1U << t->leaf[k][s];
            for (unsigned v = 0; v < READINGS_MAX; v++)
                if ((r->left[clause] >> v & 1) && (seen[v] & all) != all) {
                    *with = t->clause[s];
                    return true;
                }
        }
    }
    return false;
}

struct choosing {
    const struct candidates *r;
    struct profile *p;
    int16_t slot[CLAUSES_MAX]; /* for tie_allows: a clause's own index if its reading is chosen, else -1 */
    unsigned steps;
};

static bool choose_from(struct choosing *s, unsigned clause)
{
    const struct candidates *r = s->r;
    if (clause == unit_clauses(r->unit))
        return true;
    uint8_t wish = s->p->reading[clause];
    for (unsigned k = 0; k <= READINGS_MAX; k++) { /* tries the profile's own reading first */
        unsigned reading = k ? k - 1 : wish;
        if (!(r->left[clause] >> reading & 1) || (k && reading == wish))
            continue;
        if (++s->steps > CHOICES_MAX)
            return false;
        bool allowed = true;
        s->p->reading[clause] = (uint8_t)reading;
        s->slot[clause] = (int16_t)clause;
        for (unsigned i = 0; allowed && i < r->ties; i++)
            allowed = tie_allows(&r->tie[i], s->slot, s->p->reading);
        if (allowed && choose_from(s, clause + 1))
            return true;
    }
    s->slot[clause] = -1;
    s->p->reading[clause] = wish;
    return false;
}

bool candidates_choose(const struct candidates *r, struct profile *p)
{
    struct choosing s = {.r = r, .p = p};
    memset(s.slot, -1, sizeof s.slot);
    return choose_from(&s, 0);
}

void candidates_draw(const struct candidates *r, struct random *random, struct profile *p)
{
    *p = (struct profile){0};
    for (unsigned i = 0; i < unit_clauses(r->unit); i++) {
        unsigned skip = random_below(random, candidates_count(r, i)), reading = 0;
        while (!(r->left[i] >> reading & 1) || skip--)
            reading++;
        p->reading[i] = (uint8_t)reading;
    }
}
