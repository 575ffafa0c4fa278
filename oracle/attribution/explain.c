/* SPDX-License-Identifier: MIT */
/*
 * The search goes level by level. Level k holds sets of k changes, each with the clauses that its run
 * touched. Each set of level k - 1 is extended only by clauses that its own run touched. This finds every
 * smallest set. Proof: let S' be the largest part of a set S that can be built in this way. The run under S'
 * consults no clause that S changes in addition, so S behaves exactly like S'. Hence S is a smallest set only
 * if S' is all of S.
 */
#include "oracle/attribution/explain.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_MAX = 4 << 20,  /* sets in one level (160 MB); beyond it the search is cut short */
    DEEPER_BUDGET = 4000, /* explainer_deepen: model runs of each of its two searches */
    DEEPER_MAX = 2,       /* explainer_deepen: changes that the second search adds to the nearest set */
};

struct node {
    uint64_t key; /* the changes in order, 16 bits each, the first in the highest bits */
    uint64_t touched[TOUCHED_WORDS];
};

struct level {
    struct node *node;
    size_t count, capacity;
};

struct candidates {
    unsigned count;
    bool more;
    bool exact; /* some candidate reproduces the differing bits; else all leave them undefined */
    struct cause cause[CANDIDATES_MAX];
};

struct explainer {
    struct executor *x;
    struct outcome *out;
    struct level level[2];
    struct differences base; /* differences under the base profile */
    struct candidates found;
    const struct cause *refuted;
    unsigned refuted_count;
    struct run_cache *run_cache; /* or NULL */
    uint64_t item;               /* index of the case in the evidence */
};

struct search {
    struct explainer *s;
    const struct test_case *c;
    const struct profile *base;
    const struct outcome *board;
    uint64_t budget;
    bool keep; /* store this level's sets, because the next level extends them */
    struct explanation *result;
};

static uint64_t change_key(unsigned clause, unsigned reading)
{
    return (uint64_t)clause << 3 | reading; /* READINGS_MAX < 8, CLAUSES_MAX < 2^13 */
}

static uint64_t cause_key(const struct cause *c)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < CHANGES_MAX; i++)
        key = key << 16 | (i < c->count ? change_key(c->change[i].clause, c->change[i].reading) + 1 : 0);
    return key;
}

static struct cause cause_of_key(uint64_t key)
{
    struct cause c = {0};
    for (; key && c.count < CHANGES_MAX; key <<= 16) {
        uint64_t change = (key >> 48) - 1;
        c.change[c.count].clause = (uint16_t)(change >> 3);
        c.change[c.count++].reading = (uint8_t)(change & 7);
    }
    return c;
}

bool cause_equal(const struct cause *a, const struct cause *b)
{
    return cause_order(a, b) == 0;
}

int cause_order(const struct cause *a, const struct cause *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    uint64_t ka = cause_key(a), kb = cause_key(b);
    return (ka > kb) - (ka < kb);
}

/* The weakest evidence among the readings of a cause. */
static int evidence_of_cause(const struct unit *u, const struct cause *c)
{
    int weakest = EVIDENCE_SILICON;
    for (unsigned i = 0; i < c->count; i++) {
        int evidence = (int)unit_clause(u, c->change[i].clause)->readings[c->change[i].reading].evidence;
        weakest = evidence < weakest ? evidence : weakest;
    }
    return weakest;
}

int candidate_order(const struct unit *u, const struct cause *a, const struct cause *b)
{
    int better = evidence_of_cause(u, b) - evidence_of_cause(u, a);
    if (better)
        return better;
    if (a->masks != b->masks)
        return a->masks ? 1 : -1;
    return cause_order(a, b);
}

bool cause_within(const struct cause *part, const struct cause *whole)
{
    for (unsigned i = 0; i < part->count; i++) {
        bool found = false;
        for (unsigned j = 0; j < whole->count; j++)
            found |= part->change[i].clause == whole->change[j].clause &&
                     part->change[i].reading == whole->change[j].reading;
        if (!found)
            return false;
    }
    return true;
}

void cause_apply(const struct cause *c, struct profile *p)
{
    for (unsigned i = 0; i < c->count; i++)
        p->reading[c->change[i].clause] = c->change[i].reading;
}

void cause_print(const struct unit *u, const struct cause *c, struct text *t)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(u, c->change[i].clause);
        text_add(t, "%s%s=%s", i ? "," : "", clause->id, clause->readings[c->change[i].reading].id);
    }
}

bool cause_add(struct cause *c, unsigned clause, unsigned reading)
{
    unsigned at = c->count;
    while (at && c->change[at - 1].clause >= clause)
        at--;
    if (c->count == CHANGES_MAX || (at < c->count && c->change[at].clause == clause))
        return false;
    memmove(&c->change[at + 1], &c->change[at], (c->count - at) * sizeof c->change[0]);
    c->change[at].clause = (uint16_t)clause;
    c->change[at].reading = (uint8_t)reading;
    c->count++;
    return true;
}

bool cause_parse(const struct unit *u, const char *text, struct cause *c, struct error *e)
{
    struct profile checked;
    memset(c, 0, sizeof *c);
    if (!*text)
        return true;
    if (!profile_resolve(u, text, &checked, e)) /* only checks; its error names the nearest name */
        return false;
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, ","), name = strcspn(p, "=");
        char id[128];
        if (name >= length || name >= sizeof id)
            return error_set(e, "'%.*s' is not a reading change; write clause=reading", (int)length, p);
        memcpy(id, p, name);
        id[name] = 0;
        int clause = unit_clause_index(u, id);
        if (clause < 0)
            return error_set(e, "unit %s has no clause '%s'; `misprint clauses %s` lists them", u->name, id,
                             u->name);
        if (!cause_add(c, (unsigned)clause, checked.reading[clause]))
            return error_set(e, "'%s': at most %d changes, each of another clause", text, CHANGES_MAX);
        p += length;
        p += *p == ',';
    }
    return true;
}

enum match model_match(struct executor *x, const struct test_case *c, const struct profile *p,
                       const struct outcome *board, struct outcome *out, struct tally *t,
                       struct differences *d)
{
    executor_run(x, c, p, RUN_CHECKED, out);
    struct tally own = {0};
    bool equal = outcomes_equal(out, board, &own, d);
    if (t)
        tally_merge(t, &own);
    return own.vacuous ? MATCH_UNDEFINED : equal ? MATCH_EQUAL : MATCH_DIFFERENT;
}

bool cause_explains(struct executor *x, const struct test_case *c, const struct profile *base,
                    const struct cause *cause, const struct outcome *board, struct outcome *out)
{
    struct profile with = *base;
    cause_apply(cause, &with);
    if (!cause->count || model_match(x, c, &with, board, out, NULL, NULL) == MATCH_DIFFERENT)
        return false;
    for (unsigned i = 0; i < cause->count; i++) {
        unsigned clause = cause->change[i].clause;
        struct profile without = with;
        without.reading[clause] = base->reading[clause];
        if (model_match(x, c, &without, board, out, NULL, NULL) != MATCH_DIFFERENT)
            return false;
    }
    return true;
}

struct explainer *explainer_new(struct executor *x)
{
    struct explainer *s = memory_new(1, sizeof *s);
    s->x = x;
    s->out = outcome_new(x->unit);
    return s;
}

void explainer_free(struct explainer *s)
{
    if (!s)
        return;
    outcome_free(s->out);
    free(s->level[0].node);
    free(s->level[1].node);
    free(s);
}

static struct node *level_add(struct level *l)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 256;
        struct node *grown = capacity > NODES_MAX ? NULL : realloc(l->node, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        l->node = grown;
        l->capacity = capacity;
    }
    return &l->node[l->count++];
}

static int order_nodes(const void *a, const void *b)
{
    uint64_t ka = ((const struct node *)a)->key, kb = ((const struct node *)b)->key;
    return (ka > kb) - (ka < kb);
}

static bool touches(const struct node *n, unsigned clause)
{
    return (n->touched[clause / 64] >> (clause % 64)) & 1;
}

/* A set can be built from several parents. Only one counts as the first, so that the set is tried once: the
 * parent without the set's highest clause, or if that is not in the level, without the next lower clause, and
 * so on. */
static bool is_first_parent(const struct level *parents, const struct cause *set, unsigned added)
{
    for (unsigned i = set->count; i-- > 0;) {
        unsigned clause = set->change[i].clause;
        if (clause == added)
            return true;
        struct cause rest = *set;
        memmove(&rest.change[i], &rest.change[i + 1], (size_t)(set->count - i - 1U) * sizeof rest.change[0]);
        rest.count--;
        struct node wanted = {.key = cause_key(&rest)};
        const struct node *parent =
            bsearch(&wanted, parents->node, parents->count, sizeof wanted, order_nodes);
        if (parent && touches(parent, clause))
            return false;
    }
    return true;
}

static void candidates_add(struct candidates *k, const struct unit *u, const struct cause *set, bool masks)
{
    struct cause c = *set;
    c.masks = masks;
    k->exact |= !masks;
    if (k->count == CANDIDATES_MAX) {
        k->more = true;
        if (candidate_order(u, &c, &k->cause[CANDIDATES_MAX - 1]) > 0)
            return;
        k->count--;
    }
    unsigned at = k->count++;
    for (; at && candidate_order(u, &k->cause[at - 1], &c) > 0; at--)
        k->cause[at] = k->cause[at - 1];
    k->cause[at] = c;
}

static bool is_refuted(const struct explainer *s, const struct cause *set)
{
    for (unsigned i = 0; i < s->refuted_count; i++)
        if (cause_within(&s->refuted[i], set))
            return true;
    return false;
}

/* Runs the model under one set. Skips the run if the cache says that the result still differs. */
static enum match run_set(struct search *q, const struct cause *set, struct cached_run *run)
{
    struct explainer *s = q->s;
    struct profile p = *q->base;
    uint64_t before = s->x->runs;
    cause_apply(set, &p);
    if (s->run_cache && run_cache_find(s->run_cache, s->item, &p, run) && run->distance) {
        s->x->runs++;
        q->result->runs++;
        return MATCH_DIFFERENT;
    }
    enum match match = model_match(s->x, q->c, &p, q->board, s->out, NULL, NULL);
    q->result->runs += s->x->runs - before;
    *run = (struct cached_run){.runs = 2};
    touched_by(&s->x->last, unit_clauses(s->x->unit), run->touched);
    if (match != MATCH_DIFFERENT)
        return match;
    run->distance = outcomes_distance(s->out, q->board, s->run_cache ? UINT64_MAX : q->result->nearest_bits);
    if (s->run_cache)
        run_cache_put(s->run_cache, s->item, &p, run);
    return match;
}

/* Tries one set. Adds it to the candidates or to the level. False once the search must stop. */
static bool try_set(struct search *q, const struct cause *set, struct level *level)
{
    struct explainer *s = q->s;
    if (q->budget && q->result->runs >= q->budget) {
        q->result->cut = true;
        return false;
    }
    if (is_refuted(s, set))
        return true; /* larger sets that contain it are refuted, too */
    struct cached_run run;
    enum match match = run_set(q, set, &run);
    if (match != MATCH_DIFFERENT) {
        candidates_add(&s->found, s->x->unit, set,
                       match != MATCH_EQUAL || differences_decided(&s->base, s->out) == DECIDED_NONE);
    } else if (run.distance < q->result->nearest_bits) {
        q->result->nearest_bits = run.distance;
        q->result->nearest = *set;
    }
    if (!q->keep)
        return true;
    struct node *n = level_add(level);
    if (!n) {
        q->result->cut = true;
        return false;
    }
    n->key = cause_key(set);
    memcpy(n->touched, run.touched, sizeof n->touched);
    return true;
}

/* Tries all sets that add one change to this parent. */
static bool extend(struct search *q, const struct level *parents, const struct node *parent,
                   struct level *level)
{
    const struct unit *u = q->s->x->unit;
    struct cause from = cause_of_key(parent->key);
    for (unsigned clause = 0; clause < unit_clauses(u); clause++) {
        if (!touches(parent, clause))
            continue;
        unsigned readings = clause_readings(unit_clause(u, clause));
        for (unsigned reading = 0; reading < readings; reading++) {
            struct cause set = from;
            if (reading == reading_of(q->base, clause) || !cause_add(&set, clause, reading) ||
                !is_first_parent(parents, &set, clause))
                continue;
            if (!try_set(q, &set, level))
                return false;
        }
    }
    return true;
}

static void take_candidates(struct explanation *out, const struct candidates *from)
{
    out->candidates = from->count;
    out->more_candidates = from->more;
    out->masked = from->count && !from->exact;
    memcpy(out->candidate, from->cause, from->count * sizeof out->candidate[0]);
}

void explainer_run(struct explainer *s, const struct test_case *c, const struct profile *base,
                   const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out)
{
    memset(out, 0, sizeof *out);
    memset(&s->found, 0, sizeof s->found);
    struct search q = {.s = s, .c = c, .base = base, .board = board, .budget = budget, .result = out};
    struct level *parents = &s->level[0], *children = &s->level[1];
    parents->count = 0;
    uint64_t before = s->x->runs;
    enum match match = model_match(s->x, c, base, board, s->out, NULL, &s->base);
    out->runs = s->x->runs - before;
    if (match != MATCH_DIFFERENT)
        return;
    out->nearest_bits = outcomes_distance(s->out, board, UINT64_MAX);
    out->unspecified = unit_is_unspecified(s->x->unit, s->out->reason);
    struct node *root = level_add(parents);
    if (!root) {
        out->cut = true;
        return;
    }
    root->key = 0;
    touched_by(&s->x->last, unit_clauses(s->x->unit), root->touched);
    if (most > CHANGES_MAX)
        most = CHANGES_MAX;
    for (unsigned size = 1; size <= most && !s->found.count && !out->cut; size++) {
        q.keep = size < most;
        children->count = 0;
        size_t i = 0;
        while (i < parents->count && extend(&q, parents, &parents->node[i], children))
            i++;
        if (children->count)
            qsort(children->node, children->count, sizeof *children->node, order_nodes);
        struct level *spare = parents;
        parents = children;
        children = spare;
    }
    take_candidates(out, &s->found);
    out->unspecified &= !out->candidates;
}

void explainer_refute(struct explainer *s, const struct cause *refuted, unsigned count)
{
    s->refuted = refuted;
    s->refuted_count = count;
}

void explainer_use_run_cache(struct explainer *s, struct run_cache *r, uint64_t item)
{
    s->run_cache = r;
    s->item = item;
}

void explainer_deepen(struct explainer *s, const struct test_case *c, const struct profile *base,
                      const struct outcome *board, struct explanation *out)
{
    struct explanation more;
    struct profile p = *base;
    if (out->candidates)
        return;
    uint64_t before = out->runs;
    explainer_run(s, c, base, board, CHANGES_MAX, DEEPER_BUDGET, &more);
    more.runs += before;
    *out = more;
    unsigned room = CHANGES_MAX - out->nearest.count;
    if (out->candidates || !out->cut || !out->nearest.count || !room)
        return;
    cause_apply(&out->nearest, &p);
    explainer_run(s, c, &p, board, room < DEEPER_MAX ? room : DEEPER_MAX, DEEPER_BUDGET, &more);
    out->runs += more.runs;
    for (unsigned i = 0; i < more.candidates; i++) {
        struct cause set = out->nearest;
        bool fits = true;
        for (unsigned k = 0; k < more.candidate[i].count; k++)
            fits = fits &&
                   cause_add(&set, more.candidate[i].change[k].clause, more.candidate[i].change[k].reading);
        set.masks = more.candidate[i].masks;
        if (fits && !is_refuted(s, &set))
            out->candidate[out->candidates++] = set;
    }
    out->more_candidates = out->candidates != 0;
    out->masked = out->candidates && more.masked;
    out->unspecified &= !out->candidates;
}

void explain_case(struct executor *x, const struct test_case *c, const struct profile *base,
                  const struct outcome *board, unsigned most, uint64_t budget, struct explanation *out)
{
    struct explainer *s = explainer_new(x);
    explainer_run(s, c, base, board, most, budget, out);
    explainer_free(s);
}
