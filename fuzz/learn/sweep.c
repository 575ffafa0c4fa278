/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/sweep.h"

#include "fuzz/learn/places.h"
#include "fuzz/learn/search/visits.h"
#include "model/core/memory.h"
#include "oracle/describe/rule_text.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MAX = 256, /* limit of numbers tried in one place */
    PROBES = 4,       /* numbers tried in a place to see whether it decides the value at the point */
    FEW = 4,          /* a sweep of fewer different values shows nothing */
    RUNS_MAX = 8000,  /* limit of model runs */
};

/* A number in the place, the value at the point that it leads to, and what the rule makes of that value. */
struct step {
    uint32_t number, value, result;
    bool chosen;
};

struct search {
    const struct nearest *n;
    const struct test_case *tc;
    struct test_case *changed;
    struct outcome *out;
    struct visits *visits;
    uint32_t visit, lane; /* the first visit of the point, and the first lane there, that the rule changes */
    struct place place;
    struct step step[VALUES_MAX];
    uint32_t steps, runs;
};

/* Finds visit number s->visit of the rule's point in s->visits; NULL if there are fewer visits. */
static const struct visit *find_visit(const struct search *s)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < s->visits->count; i++)
        if (s->visits->visit[i].point == s->n->rule->point && number++ == s->visit)
            return &s->visits->visit[i];
    return NULL;
}

/* Sets s->visit and s->lane. Returns false if the rule changes no value in the case. */
static bool find_changed_visit(struct search *s)
{
    uint32_t result[POINT_LANES_MAX];
    visits_run(s->n->executor, s->tc, s->n->without, s->out, s->visits);
    for (const struct visit *v; (v = find_visit(s)); s->visit++)
        if (visit_rule(s->visits->unit, v, s->n->rule, result)) {
            while (result[s->lane] == v->now[s->lane])
                s->lane++;
            return true;
        }
    return false;
}

/* Runs the case with a number in a place on the model. Sets the step. Returns false if the run does not reach
 * the visit, or if the case cannot have that number. */
static bool run_step(struct search *s, const struct place *p, uint32_t number, struct step *step)
{
    uint32_t result[POINT_LANES_MAX];
    s->runs++;
    case_copy(s->changed, s->tc);
    place_set(s->changed, p, number);
    if (s->tc->unit->mend)
        s->tc->unit->mend(s->changed);
    if (place_get(s->changed, p) != number)
        return false;
    visits_run(s->n->executor, s->changed, s->n->without, s->out, s->visits);
    const struct visit *v = find_visit(s);
    if (!v || s->out->end == END_UNDEFINED)
        return false;
    (void)visit_rule(s->visits->unit, v, s->n->rule, result);
    *step = (struct step){.number = number, .value = v->value[s->lane], .result = result[s->lane]};
    return true;
}

/* Returns number `i` of those to try in a place: all of a small place; of others, the numbers near the old
 * one and numbers spread over the range. */
static uint32_t number_to_try(const struct place *p, uint32_t old, uint32_t i)
{
    const uint64_t range = (uint64_t)p->most - p->least;
    if (range < VALUES_MAX)
        return p->least + i;
    if (i < 64) /* flips each bit of the old number, and of its neighbour */
        return (i % 2 ? old ^ 1 : old) ^ (UINT32_C(1) << i / 2 % p->bits);
    return p->least + (uint32_t)(range * (i - 64) / (VALUES_MAX - 65));
}

static bool has_value(const struct search *s, uint32_t value)
{
    for (uint32_t i = 0; i < s->steps; i++)
        if (s->step[i].value == value)
            return true;
    return false;
}

/* Collects steps with different values at the point. Returns how many. */
static uint32_t collect(struct search *s, const struct place *p)
{
    const uint32_t old = place_get(s->tc, p);
    const uint64_t range = (uint64_t)p->most - p->least + 1;
    s->steps = 0;
    s->place = *p;
    for (uint32_t i = 0; i < VALUES_MAX && i < range; i++) {
        const uint32_t number = number_to_try(p, old, i);
        if (number >= p->least && number <= p->most && run_step(s, p, number, &s->step[s->steps]) &&
            !has_value(s, s->step[s->steps].value))
            s->steps++;
    }
    return s->steps;
}

/* Does another number in the place lead to another value at the point? */
static bool decides(struct search *s, const struct place *p)
{
    const uint32_t old = place_get(s->tc, p);
    struct step first, other;
    if (!run_step(s, p, old, &first))
        return false;
    for (uint32_t i = 0; i < PROBES; i++) {
        const uint32_t number = old ^ (UINT32_C(1) << i * (p->bits - 1U) / (PROBES - 1));
        if (number >= p->least && number <= p->most && run_step(s, p, number, &other) &&
            other.value != first.value)
            return true;
    }
    return false;
}

/* Finds the place with the most different values at the point, and collects its steps. */
static bool find_place(struct search *s)
{
    struct place *list = memory_new(PLACES_MAX, sizeof *list), best = {0};
    const uint32_t count = places_list(s->tc, list);
    uint32_t most = FEW - 1;
    for (uint32_t i = 0; i < count && most < VALUES_MAX && s->runs < RUNS_MAX; i++)
        if (decides(s, &list[i]) && collect(s, &list[i]) > most) {
            most = s->steps;
            best = list[i];
        }
    free(list);
    return most >= FEW && collect(s, &best) >= FEW;
}

static int compare_steps(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Chooses SWEEP_MAX steps: the values on both sides of each border between changed and unchanged ones first,
 * then values spread over the range. */
static void choose(struct search *s)
{
    uint32_t chosen = 0;
    qsort(s->step, s->steps, sizeof *s->step, compare_steps);
    for (uint32_t i = 1; i < s->steps && chosen + 2 <= SWEEP_MAX / 2; i++) {
        struct step *x = &s->step[i - 1], *y = &s->step[i];
        if ((x->value == x->result) == (y->value == y->result))
            continue;
        chosen += 2U - x->chosen;
        x->chosen = y->chosen = true;
    }
    for (uint32_t parts = SWEEP_MAX; parts > 1 && chosen < SWEEP_MAX; parts--)
        for (uint32_t i = 0; i < parts && chosen < SWEEP_MAX; i++) {
            struct step *x = &s->step[(uint64_t)i * (s->steps - 1) / (parts - 1)];
            chosen += !x->chosen;
            x->chosen = true;
        }
}

/* Runs the chosen steps on the board. */
static bool ask(struct search *s, struct related_case swept[SWEEP_MAX], struct error *e)
{
    struct outcome *board = outcome_new(s->tc->unit);
    bool works = true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->steps && works && kept < SWEEP_MAX; i++) {
        enum answer answer;
        size_t size;
        if (!s->step[i].chosen || !run_step(s, &s->place, s->step[i].number, &s->step[i]))
            continue;
        works = board_run_one(s->n->board, s->changed, board, &answer, e);
        if (!works || answer != ANSWER_OUTCOME)
            continue;
        uint8_t *bytes = finding_encode_outcome(board, &size);
        related_case_set(&swept[kept++], s->changed, "", bytes, size);
        free(bytes);
    }
    outcome_free(board);
    return works;
}

static struct search *search_new(const struct nearest *n, const struct test_case *c)
{
    struct search *s = memory_new(1, sizeof *s);
    s->n = n;
    s->tc = c;
    s->changed = memory_new(1, sizeof *s->changed);
    s->out = outcome_new(c->unit);
    s->visits = memory_new(1, sizeof *s->visits);
    return s;
}

static void search_free(struct search *s)
{
    free(s->changed);
    outcome_free(s->out);
    free(s->visits);
    free(s);
}

bool sweep_find(const struct nearest *n, const struct test_case *c, struct related_case swept[SWEEP_MAX],
                struct error *e)
{
    struct search *s = search_new(n, c);
    bool works = true;
    if (rule_is_swept(c->unit, n->rule) && find_changed_visit(s) && find_place(s)) {
        choose(s);
        works = ask(s, swept, e);
    }
    search_free(s);
    return works;
}

uint32_t sweep_cases(const struct nearest *n, const struct test_case *c, struct test_case *const *to,
                     uint32_t most)
{
    struct search *s = search_new(n, c);
    struct place *list = memory_new(PLACES_MAX, sizeof *list);
    const uint32_t places = places_list(c, list);
    const bool found = find_changed_visit(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < places && found && s->runs < RUNS_MAX; i++) {
        if (!decides(s, &list[i]) || collect(s, &list[i]) < FEW)
            continue;
        for (uint32_t k = 0; k < s->steps && count < most; k++)
            if (run_step(s, &s->place, s->step[k].number, &s->step[k]))
                case_copy(to[count++], s->changed);
    }
    free(list);
    search_free(s);
    return count;
}
