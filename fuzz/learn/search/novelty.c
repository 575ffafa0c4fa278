/* SPDX-License-Identifier: MIT */
/*
 * Says whether a change acts in a case in a way in which it has not acted before. Random cases meet most
 * often what the change was made from; its exceptions are elsewhere: at another opcode, or at the border of a
 * guard. Each such way is a feature, and a case is new if it has a new feature.
 */
#include "fuzz/learn/search/novelty.h"
#include "model/number/random.h"

enum {
    VISITS_MOST = 16,
    NARROW = 8, /* each value of an input of at most so many bits is a feature */
    PAIRED = 4, /* each pair of values of two such inputs is one, too */
};

enum kind { KIND_VALUE, KIND_INPUT, KIND_PAIR, KIND_BORDER };

struct noting {
    struct novelty *n;
    bool mark, fresh;
};

static void note(struct noting *to, enum kind kind, uint32_t which, uint32_t what)
{
    const uint64_t hash = random_mix64(((uint64_t)kind << 60) ^ ((uint64_t)which << 32) ^ what);
    const uint64_t word = hash / 64 % NOVELTY_WORDS, bit = UINT64_C(1) << (hash % 64);
    unsigned times = 0;
    while (times < NOVELTY_TIMES && to->n->seen[times][word] & bit)
        times++;
    to->fresh |= times < NOVELTY_TIMES;
    if (to->mark && times < NOVELTY_TIMES)
        to->n->seen[times][word] |= bit;
}

static uint32_t bits_of(uint32_t x)
{
    return x ? 32U - (uint32_t)__builtin_clz(x) : 0;
}

/* A narrow value is a class of its own. Wide values of one length are one class: if there were more, nearly
 * every case would be new. */
static uint32_t class_of(uint32_t x, uint32_t width)
{
    return width <= NARROW ? x : 256 + bits_of(x);
}

/* Notes how far the operands of the guard's comparisons with numbers are from these numbers. */
static void note_borders(struct noting *to, const struct expression *guard,
                         const struct expression_context *c)
{
    for (uint32_t i = 0; i + 2 < guard->count; i++) {
        const struct expression_node *n = guard->node + i;
        if ((n[0].op != EXPRESSION_VALUE && n[0].op != EXPRESSION_INPUT) || n[1].op != EXPRESSION_CONSTANT)
            continue;
        const uint32_t x = expression_evaluate(n, 1, c), below = n[1].operand - x, above = x - n[1].operand;
        note(to, KIND_BORDER, i, below < above ? bits_of(below) : 64 + bits_of(above));
    }
}

static void note_lane(struct noting *to, const struct unit *u, const struct visit *at, const struct rule *r,
                      uint32_t lane)
{
    const struct point *p = &u->points[at->point];
    const struct expression_context c = visit_context(u, at, lane);
    uint32_t x[POINT_INPUTS_MAX];
    note(to, KIND_VALUE, 0, class_of(at->value[lane], p->width));
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++) {
        x[i] = visit_input(u, at, i, lane);
        note(to, KIND_INPUT, i, class_of(x[i], p->input[i].width));
        for (unsigned k = 0; k < i; k++)
            if (p->input[i].width <= PAIRED && p->input[k].width <= PAIRED)
                note(to, KIND_PAIR, i * POINT_INPUTS_MAX + k, x[i] << PAIRED | x[k]);
    }
    note_borders(to, &r->guard, &c);
}

static void note_rule(struct noting *to, const struct visits *v, const struct rule *r)
{
    uint32_t result[POINT_LANES_MAX], visits = 0;
    for (const struct visit *at = visits_first(v, r->point); at && visits < VISITS_MOST;
         at = visits_next(v, at), visits++) {
        if (!visit_rule(v->unit, at, r, result))
            continue;
        for (uint32_t lane = 0; lane < v->unit->points[r->point].lanes; lane++)
            if (result[lane] != at->now[lane])
                note_lane(to, v->unit, at, r, lane);
    }
}

/* It is not known at which points a reading acts. */
static void note_all(struct noting *to, const struct visits *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const struct point *p = &v->unit->points[v->visit[i].point];
        if (p->lanes == 1)
            note(to, KIND_VALUE, v->visit[i].point, class_of(v->visit[i].value[0], p->width));
    }
}

bool novelty_note(struct novelty *n, const struct visits *v, const struct learn_change *c, bool mark)
{
    struct noting to = {.n = n, .mark = mark};
    if (c->is_rule)
        note_rule(&to, v, &c->rule);
    else
        note_all(&to, v);
    return to.fresh;
}
