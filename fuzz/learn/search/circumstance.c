/* SPDX-License-Identifier: MIT */
/*
 * Finds the circumstance of a difference that nothing explains.
 *
 * The search takes the near cases of the study (study.h), labelled by whether they differ. At each
 * observation point of the reduced case it lists conditions over the value, the inputs and the lane, and
 * pairs of the best ones. It chooses the predicate that holds in the reduced case and predicts the labels
 * best. Then it measures the predicate on new generated cases. If they fit the predicate less well than the
 * near cases, they join the labelled cases, and the search begins again.
 */
#include "fuzz/learn/search/circumstance.h"
#include "fuzz/generate/generate.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 3,
    FRESH_LEAST = 320, /* new cases on which a circumstance is measured */
    FRESH_MOST = 1280, /* limit if few of the new cases differ */
    FRESH_DIFFER = 24, /* enough differing ones */
    CASES_MAX = 2048,  /* labelled cases */
    CASE_WORDS = CASES_MAX / 64,
    PLACES_MAX = 8192, /* visits of one point, in one lane each */
    PLACE_WORDS = PLACES_MAX / 64,
    BEST_MAX = 64,    /* conditions of one point that the search joins in pairs */
    NUMBERS_MAX = 12, /* values of a quantity that conditions compare it with */
};

/* A predicate must reach this score (F1) on the near cases and on new cases. A larger predicate must be
 * better by one hundredth for each 160 units of size. */
static const double score_least = 0.5, size_price = 1.0 / 16000;

/* ---- the predicate ---- */

bool circumstance_holds(const struct circumstance *c, const struct visits *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->visit[i].point != c->point)
            continue;
        for (uint32_t lane = 0; lane < v->unit->points[c->point].lanes; lane++) {
            const struct expression_context x = visit_context(v->unit, &v->visit[i], lane);
            if (!c->guard.count || expression_evaluate(c->guard.node, c->guard.count, &x))
                return true;
        }
    }
    return false;
}

double circumstance_precision(const struct circumstance *c)
{
    return c->holds ? (double)c->both / c->holds : 0;
}

double circumstance_recall(const struct circumstance *c)
{
    return c->differing ? (double)c->both / c->differing : 0;
}

double circumstance_score(const struct circumstance *c)
{
    uint32_t all = c->holds + c->differing - c->elsewhere;
    return all ? 2.0 * c->both / all : 0;
}

void circumstance_print(const struct unit *u, const struct circumstance *c, struct text *t)
{
    const struct point *p = &u->points[c->point];
    text_add(t, "%s %s", u->name, p->name);
    if (!c->guard.count)
        return;
    text_add(t, " when ");
    expression_print(&c->guard, p, t);
}

/* ---- the labelled cases ---- */

struct labelled {
    const struct visit *visit;
    struct visit *own; /* `visit`, if it must be freed, */
    uint32_t *words;   /* and the values and inputs, which it points to */
    uint32_t count;
    bool differs;
};

/* One lane of a visit of the point that the search looks at. */
struct place {
    const struct visit *at;
    uint16_t number; /* of the case */
    uint8_t lane;
};

struct condition {
    struct expression e;
    uint64_t at[PLACE_WORDS]; /* places where it holds */
    uint64_t in[CASE_WORDS];  /* cases in which it holds */
    double worth;             /* its score less the price of its size */
    uint32_t size;
};

struct finding_search {
    struct learner *l;
    struct labelled labelled[CASES_MAX];
    uint32_t count;
    /* The point that the search looks at, and the cases whose visits of it fit into `place`. */
    unsigned point;
    struct place place[PLACES_MAX];
    uint32_t places, cases, differing;
    uint32_t end[CASES_MAX];      /* the first place after those of a case */
    uint64_t differs[CASE_WORDS]; /* cases that differ */
    struct condition best[BEST_MAX];
    uint32_t bests;
    struct condition trial;
    /* The best predicate of all points. */
    struct circumstance found;
    double worth;
};

static void add_labelled(struct finding_search *f, const struct visits *v, bool differs, bool copy)
{
    if (f->count == CASES_MAX)
        return;
    struct labelled *k = &f->labelled[f->count++];
    *k = (struct labelled){.visit = v->visit, .count = v->count, .differs = differs};
    if (!copy)
        return;
    k->visit = k->own = memory_new(v->count + 1, sizeof *k->own);
    k->words = memory_new(v->words + 1, sizeof *k->words);
    memcpy(k->words, v->word, v->words * sizeof *k->words);
    for (uint32_t i = 0; i < v->count; i++)
        k->own[i] = (struct visit){.point = v->visit[i].point,
                                   .value = k->words + (v->visit[i].value - v->word),
                                   .input = k->words + (v->visit[i].input - v->word)};
}

/* Is the case one of an earlier difference that nothing explained? */
static bool has_known_circumstance(const struct learner *l, const struct visits *v)
{
    bool known = false;
    for (uint32_t i = 0; i < l->r->asides && !known; i++)
        known = l->r->aside[i].circumstance.found && circumstance_holds(&l->r->aside[i].circumstance, v);
    return known;
}

/* Lists the near cases. Leaves out those with a known circumstance, because another cause may have made them
 * differ, unless the reduced case has one too. */
static void list_near(struct finding_search *f, const struct study *s)
{
    bool all = has_known_circumstance(f->l, s->near[0].visits);
    for (uint32_t i = 0; i < s->nears; i++)
        if (all || !has_known_circumstance(f->l, s->near[i].visits))
            add_labelled(f, s->near[i].visits, !s->near[i].agrees, false);
}

/* ---- one point ---- */

/* Lists the visits of the point, one lane each, as long as all visits of a case fit. */
static void list_places(struct finding_search *f)
{
    const uint32_t lanes = f->l->o->unit->points[f->point].lanes;
    f->places = f->cases = f->differing = 0;
    memset(f->differs, 0, sizeof f->differs);
    for (uint32_t i = 0; i < f->count; i++) {
        const struct labelled *k = &f->labelled[i];
        uint32_t places = f->places;
        for (uint32_t n = 0; n < k->count; n++) {
            if (k->visit[n].point != f->point)
                continue;
            if (places + lanes > PLACES_MAX)
                return;
            for (uint32_t lane = 0; lane < lanes; lane++)
                f->place[places++] =
                    (struct place){.at = &k->visit[n], .number = (uint16_t)i, .lane = (uint8_t)lane};
        }
        f->places = f->end[i] = places;
        f->cases++;
        f->differing += k->differs;
        f->differs[i / 64] |= (uint64_t)k->differs << (i % 64);
    }
}

static double score_of(const struct finding_search *f, const uint64_t *in)
{
    uint32_t holds = 0, both = 0;
    for (uint32_t w = 0; w * 64 < f->cases; w++) {
        holds += (uint32_t)__builtin_popcountll(in[w]);
        both += (uint32_t)__builtin_popcountll(in[w] & f->differs[w]);
    }
    return holds + f->differing ? 2.0 * both / (holds + f->differing) : 0;
}

/* Sets c->in: a case is in it if the condition holds at one of its places. */
static void find_cases(const struct finding_search *f, struct condition *c)
{
    memset(c->in, 0, sizeof c->in);
    for (uint32_t i = 0; i < f->places;) {
        uint64_t left = c->at[i / 64] >> (i % 64);
        if (!left) {
            i = (i / 64 + 1) * 64;
            continue;
        }
        i += (uint32_t)__builtin_ctzll(left);
        uint32_t k = f->place[i].number;
        c->in[k / 64] |= UINT64_C(1) << (k % 64);
        i = f->end[k];
    }
}

/* Takes the condition as the circumstance if it is the best so far. It must hold in the reduced case. */
static void take(struct finding_search *f, const struct condition *c)
{
    if (!(c->in[0] & 1) || c->worth <= f->worth)
        return;
    f->worth = c->worth;
    f->found = (struct circumstance){.found = true, .point = (uint16_t)f->point, .guard = c->e};
}

/* Keeps f->trial among the best conditions of the point. Of conditions that hold at the same places it keeps
 * the smallest. */
static void keep(struct finding_search *f)
{
    const struct condition *c = &f->trial;
    struct condition *worst = NULL;
    for (uint32_t i = 0; i < f->bests; i++) {
        struct condition *k = &f->best[i];
        if (!memcmp(k->at, c->at, sizeof k->at)) {
            if (c->size < k->size)
                *k = *c;
            return;
        }
        if (!worst || k->worth < worst->worth)
            worst = k;
    }
    if (f->bests < BEST_MAX)
        f->best[f->bests++] = *c;
    else if (c->worth > worst->worth)
        *worst = *c;
}

/* Weighs f->trial, whose expression and cases are set. */
static void weigh_cases(struct finding_search *f)
{
    struct condition *c = &f->trial;
    c->size = expression_size(&c->e);
    c->worth = score_of(f, c->in) - c->size * size_price;
    take(f, c);
}

/* The same if its places are set, not its cases. */
static void weigh(struct finding_search *f)
{
    find_cases(f, &f->trial);
    weigh_cases(f);
}

/* ---- conditions ---- */

/* An expression that conditions test, and its value at each place. */
struct quantity {
    struct expression e;
    uint32_t width, value[PLACES_MAX];
};

static void add_node(struct expression *e, enum expression_operator op, uint32_t operand)
{
    e->node[e->count++] = (struct expression_node){(uint32_t)op, operand};
}

static void add_nodes(struct expression *to, const struct expression *e)
{
    memcpy(to->node + to->count, e->node, e->count * sizeof *e->node);
    to->count += e->count;
}

static bool compare(uint32_t x, enum expression_operator op, uint32_t y)
{
    return op == EXPRESSION_EQUAL           ? x == y
           : op == EXPRESSION_DIFFERENT     ? x != y
           : op == EXPRESSION_LESS          ? x < y
           : op == EXPRESSION_GREATER_EQUAL ? x >= y
                                            : x > y;
}

/* Weighs and keeps the condition `(a & mask) op b`; if b is NULL, `(a & mask) op number`. */
static void add(struct finding_search *f, const struct quantity *a, uint32_t mask,
                enum expression_operator op, const struct quantity *b, uint32_t number)
{
    struct condition *c = &f->trial;
    c->e = a->e;
    memset(c->at, 0, sizeof c->at);
    for (uint32_t i = 0; i < f->places; i++)
        c->at[i / 64] |= (uint64_t)compare(a->value[i] & mask, op, b ? b->value[i] : number) << (i % 64);
    if (mask != UINT32_MAX) {
        add_node(&c->e, EXPRESSION_CONSTANT, mask);
        add_node(&c->e, EXPRESSION_AND, 0);
    }
    if (b)
        add_nodes(&c->e, &b->e);
    else
        add_node(&c->e, EXPRESSION_CONSTANT, number);
    add_node(&c->e, op, 0);
    weigh(f);
    keep(f);
}

/* Returns the number above `low`, up to `high`, whose low bits are 0 as far as possible. */
static uint32_t roundest(uint32_t low, uint32_t high)
{
    for (unsigned bits = 31; bits; bits--)
        if (high >> bits << bits > low)
            return high >> bits << bits;
    return high;
}

/* The largest value of a quantity in a case (or the smallest, negated bit by bit). */
struct extreme {
    uint32_t value;
    bool differs;
};

static int compare_extremes(const void *a, const void *b)
{
    const struct extreme *x = a, *y = b;
    return x->value < y->value ? 1 : -(x->value > y->value); /* descending */
}

/* Adds the best condition `a >= number`; if `below`, the best `a < number`. */
static void add_threshold(struct finding_search *f, const struct quantity *a, bool below)
{
    struct extreme *list = memory_new(f->cases + 1, sizeof *list);
    uint32_t count = 0, both = 0, flip = below ? UINT32_MAX : 0;
    double best = -1;
    uint32_t low = 0, high = 0;
    for (uint32_t i = 0, at = 0; i < f->cases; i++) {
        if (at == f->end[i])
            continue;
        list[count].differs = f->labelled[i].differs;
        for (list[count].value = 0; at < f->end[i]; at++)
            if ((a->value[at] ^ flip) > list[count].value)
                list[count].value = a->value[at] ^ flip;
        count++;
    }
    qsort(list, count, sizeof *list, compare_extremes);
    for (uint32_t i = 0; i + 1 < count; i++) {
        both += list[i].differs;
        double score = 2.0 * both / (i + 1 + f->differing);
        if (list[i].value == list[i + 1].value || score <= best)
            continue;
        best = score;
        high = list[i].value;
        low = list[i + 1].value;
    }
    free(list);
    if (best < 0)
        return;
    if (below) /* the values from ~high to ~low - 1 separate the same cases */
        add(f, a, UINT32_MAX, EXPRESSION_LESS, NULL, roundest(~high, ~low));
    else
        add(f, a, UINT32_MAX, EXPRESSION_GREATER_EQUAL, NULL, roundest(low, high));
}

/* Adds comparisons of a quantity with some of its values. The reduced case comes first, so its values do. */
static void add_numbers(struct finding_search *f, const struct quantity *a)
{
    uint32_t number[NUMBERS_MAX], numbers = 0;
    for (uint32_t i = 0; i < f->places && numbers < NUMBERS_MAX; i++) {
        uint32_t k = 0;
        while (k < numbers && number[k] != a->value[i])
            k++;
        if (k < numbers)
            continue;
        number[numbers++] = a->value[i];
        add(f, a, UINT32_MAX, EXPRESSION_EQUAL, NULL, a->value[i]);
        add(f, a, UINT32_MAX, EXPRESSION_DIFFERENT, NULL, a->value[i]);
    }
}

/* Adds tests of single bits and of the low bits. */
static void add_bits(struct finding_search *f, const struct quantity *a)
{
    for (uint32_t bit = 0; bit < a->width && a->width > 1; bit++) {
        const uint32_t mask[2] = {1U << bit, (1U << bit) - 1};
        for (unsigned k = 0; k < 2; k++) {
            add(f, a, mask[k], EXPRESSION_EQUAL, NULL, 0);
            add(f, a, mask[k], EXPRESSION_DIFFERENT, NULL, 0);
        }
    }
}

static void set_quantity(const struct finding_search *f, struct quantity *q, enum expression_operator op,
                         uint32_t operand, uint32_t width)
{
    q->e.count = 0;
    q->width = width;
    add_node(&q->e, op, operand);
    for (uint32_t i = 0; i < f->places; i++) {
        const struct expression_context c = visit_context(f->l->o->unit, f->place[i].at, f->place[i].lane);
        q->value[i] = expression_evaluate(q->e.node, q->e.count, &c);
    }
}

/* Lists the conditions of the point. */
static void list_conditions(struct finding_search *f)
{
    static const enum expression_operator compared[] = {EXPRESSION_EQUAL, EXPRESSION_DIFFERENT,
                                                        EXPRESSION_LESS, EXPRESSION_GREATER_EQUAL,
                                                        EXPRESSION_GREATER};
    const struct point *p = &f->l->o->unit->points[f->point];
    struct quantity *q = memory_new(POINT_INPUTS_MAX + 2, sizeof *q);
    uint32_t count = 0;
    set_quantity(f, &q[count++], EXPRESSION_VALUE, 0, p->width);
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        set_quantity(f, &q[count++], EXPRESSION_INPUT, i, p->input[i].width);
    if (p->lanes > 1)
        set_quantity(f, &q[count++], EXPRESSION_LANE, 0, 4);
    for (uint32_t i = 0; i < count; i++) {
        add_numbers(f, &q[i]);
        add_threshold(f, &q[i], false);
        add_threshold(f, &q[i], true);
        add_bits(f, &q[i]);
        for (uint32_t k = 0; k < i; k++)
            for (unsigned op = 0; op < sizeof compared / sizeof *compared; op++)
                add(f, &q[k], UINT32_MAX, compared[op], &q[i], 0);
    }
    free(q);
}

/* Joins two conditions to f->trial.e. */
static void join(struct finding_search *f, const struct condition *a, const struct condition *b,
                 enum expression_operator op)
{
    f->trial.e = a->e;
    add_nodes(&f->trial.e, &b->e);
    add_node(&f->trial.e, op, 0);
}

/* Weighs `a || b`. It holds in the cases in which one of them does. */
static void weigh_either(struct finding_search *f, const struct condition *a, const struct condition *b)
{
    join(f, a, b, EXPRESSION_LOGICAL_OR);
    for (uint32_t w = 0; w < CASE_WORDS; w++)
        f->trial.in[w] = a->in[w] | b->in[w];
    weigh_cases(f);
}

/* Weighs `a && b`. It holds in fewer cases than both do, because they may hold at different visits. If even
 * all these cases would not make it the best so far, the visits need not be looked at. */
static void weigh_both(struct finding_search *f, const struct condition *a, const struct condition *b)
{
    uint32_t most = 0;
    for (uint32_t w = 0; w < CASE_WORDS; w++)
        most += (uint32_t)__builtin_popcountll(a->in[w] & b->in[w] & f->differs[w]);
    if (2.0 * most / (most + f->differing) - a->size * size_price <= f->worth)
        return;
    join(f, a, b, EXPRESSION_LOGICAL_AND);
    for (uint32_t w = 0; w < PLACE_WORDS; w++)
        f->trial.at[w] = a->at[w] & b->at[w];
    weigh(f);
}

/* Weighs pairs of the best conditions. */
static void list_pairs(struct finding_search *f)
{
    for (uint32_t i = 0; i < f->bests; i++)
        for (uint32_t k = 0; k < i; k++) {
            weigh_both(f, &f->best[k], &f->best[i]);
            weigh_either(f, &f->best[k], &f->best[i]);
        }
}

static void search_point(struct finding_search *f)
{
    list_places(f);
    f->bests = 0;
    f->trial.e.count = 0;
    memset(f->trial.at, 0, sizeof f->trial.at);
    for (uint32_t i = 0; i < f->places; i++)
        f->trial.at[i / 64] |= UINT64_C(1) << (i % 64);
    weigh(f); /* no condition: the case passes the point */
    list_conditions(f);
    list_pairs(f);
}

/* Searches all points that the reduced case passes. */
static void search(struct finding_search *f)
{
    uint64_t done[POINTS_MAX / 64] = {0};
    const struct labelled *reduced = &f->labelled[0];
    f->found.found = false;
    f->worth = score_least - 256 * size_price;
    for (uint32_t i = 0; i < reduced->count && !learner_spent(f->l); i++) {
        f->point = reduced->visit[i].point;
        if (done[f->point / 64] >> (f->point % 64) & 1)
            continue;
        done[f->point / 64] |= UINT64_C(1) << (f->point % 64);
        search_point(f);
    }
}

/* ---- new cases ---- */

/* Counts a new case, and adds it to the labelled cases if `f` is not NULL. */
static void count_case(struct learner *l, const struct test_case *c, const struct outcome *board,
                       struct circumstance *k, struct finding_search *f)
{
    visits_run(l->x, c, &l->r->profile, l->base, l->visits);
    if (l->base->end == END_UNDEFINED)
        return;
    bool different = !outcomes_equal(l->base, board, NULL, NULL), holds = circumstance_holds(k, l->visits);
    bool known = has_known_circumstance(l, l->visits);
    k->cases++;
    k->holds += holds;
    k->differing += different;
    k->both += holds && different;
    k->elsewhere += different && !holds && known;
    if (f && !known)
        add_labelled(f, l->visits, different, true);
}

/* Measures a circumstance on new cases. Returns false if the board failed or the budget ended. */
static bool measure(struct learner *l, struct circumstance *k, struct finding_search *f)
{
    struct test_case *cases[LEARN_BATCH];
    struct outcome *outcomes[LEARN_BATCH];
    enum answer answers[LEARN_BATCH];
    bool good = true;
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        cases[i] = memory_new(1, sizeof *cases[i]);
        outcomes[i] = outcome_new(l->o->unit);
    }
    k->cases = k->holds = k->differing = k->both = k->elsewhere = 0;
    for (uint32_t asked = 0;
         good && (asked < FRESH_LEAST || (asked < FRESH_MOST && k->differing - k->elsewhere < FRESH_DIFFER));
         asked += LEARN_BATCH) {
        for (unsigned i = 0; i < LEARN_BATCH; i++)
            case_generate(&l->random, l->o->unit, cases[i]);
        good = !learner_spent(l) && learner_ask(l, cases, LEARN_BATCH, outcomes, answers);
        for (unsigned i = 0; i < LEARN_BATCH && good; i++)
            if (answers[i] == ANSWER_OUTCOME)
                count_case(l, cases[i], outcomes[i], k, f);
    }
    for (unsigned i = 0; i < LEARN_BATCH; i++) {
        free(cases[i]);
        outcome_free(outcomes[i]);
    }
    return good;
}

bool circumstance_measure(struct learner *l, struct circumstance *c)
{
    c->found = measure(l, c, NULL) && circumstance_score(c) >= score_least;
    return c->found;
}

void circumstance_find(struct study *s)
{
    struct finding_search *f = memory_new(1, sizeof *f);
    struct circumstance *c = &s->l->circumstance;
    bool again = true;
    f->l = s->l;
    c->found = false;
    list_near(f, s);
    for (unsigned round = 0; round < ROUNDS && again && !learner_spent(s->l); round++) {
        search(f);
        *c = f->found;
        if (!c->found)
            break;
        c->found = measure(s->l, c, f);
        again = circumstance_score(c) < f->worth;
    }
    c->found = c->found && circumstance_score(c) >= score_least;
    for (uint32_t i = 0; i < f->count; i++) {
        free(f->labelled[i].own);
        free(f->labelled[i].words);
    }
    free(f);
}
