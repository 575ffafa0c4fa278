/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/same.h"

#include "model/number/random.h"

enum { TRIES = 20000, NUMBERS_MAX = 4 * EXPRESSION_NODES_MAX };

/* The numbers in the two rules. */
struct numbers {
    uint32_t count, number[NUMBERS_MAX];
};

static void add_numbers(const struct expression *e, struct numbers *n)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->node[i].op == EXPRESSION_CONSTANT)
            n->number[n->count++] = e->node[i].operand;
}

static uint32_t draw(struct random *r, const struct numbers *n, unsigned width)
{
    const uint32_t all = width < 32 ? (UINT32_C(1) << width) - 1 : UINT32_MAX, kind = random_below(r, 8);
    uint32_t value = random_u32(r);
    if (kind == 0)
        value = random_one_in(r, 2) ? 0 : all;
    else if (kind <= 3 && n->count)
        value = n->number[random_below(r, n->count)] + random_below(r, 3) - 1;
    return value & all;
}

static uint32_t apply(const struct point *p, const struct rule *r, const struct expression_context *x)
{
    const uint32_t all = point_mask(p);
    if (r->guard.count && !expression_evaluate(r->guard.node, r->guard.count, x))
        return x->value[x->lane];
    return expression_evaluate(r->result.node, r->result.count, x) & all;
}

bool rules_are_same(const struct unit *u, const struct rule *a, const struct rule *b)
{
    const struct point *p = &u->points[a->point];
    struct numbers n = {0};
    struct random r;
    if (a->point != b->point)
        return false;
    add_numbers(&a->guard, &n);
    add_numbers(&a->result, &n);
    add_numbers(&b->guard, &n);
    add_numbers(&b->result, &n);
    random_seed(&r, 1);
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t value[POINT_LANES_MAX], input[POINT_INPUT_WORDS_MAX];
        const unsigned vectors = point_vectors(p);
        for (unsigned lane = 0; lane < p->lanes; lane++)
            value[lane] = draw(&r, &n, p->width);
        for (unsigned k = 0; k < POINT_INPUTS_MAX && p->input[k].name; k++)
            for (unsigned lane = 0; lane < (k < vectors ? POINT_LANES_MAX : 1U); lane++)
                input[point_input_at(vectors, k) + lane] = draw(&r, &n, p->input[k].width);
        const struct expression_context x = {.value = value,
                                             .input = input,
                                             .vectors = vectors,
                                             .lane = random_below(&r, p->lanes),
                                             .lanes = p->lanes};
        if (apply(p, a, &x) != apply(p, b, &x))
            return false;
    }
    return true;
}
