/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/synthesis/kinds.h"

#include <stdlib.h>

/* Sorts kinds: first those with more satisfied examples that differ, then those with more satisfied examples.
 */
static int compare_fit(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->wanted != y->wanted)
        return x->wanted > y->wanted ? -1 : 1;
    return x->all > y->all ? -1 : x->all < y->all;
}

/* Adds an expression to a kind, ordered by size. Of expressions that give the same values, cut to the point's
 * width, keeps only the smallest. */
static void add_to_kind(struct kind *k, const struct term *t, uint32_t size, uint64_t hash)
{
    uint32_t at = 0;
    while (at < k->terms && k->hash[at] != hash)
        at++;
    if (at == TERMS_OF_KIND)
        at--; /* no room: replace the largest */
    if (at < k->terms && k->size[at] <= size)
        return;
    k->terms += at == k->terms;
    for (; at && k->size[at - 1] > size; at--) {
        k->term[at] = k->term[at - 1];
        k->size[at] = k->size[at - 1];
        k->hash[at] = k->hash[at - 1];
    }
    k->term[at] = *t;
    k->size[at] = size;
    k->hash[at] = hash;
}

/* Which of two kinds is the worse one in a full list: the one with fewer satisfied examples that differ, or
 * else the one whose smallest expression is larger, with a guard for the other examples. That takes about as
 * many bits as the number of these examples. */
static bool is_worse(const struct kinds *l, const struct kind *a, const struct kind *b)
{
    enum { GUARD_BIT = 40 };
    if (a->wanted != b->wanted)
        return a->wanted < b->wanted;
    const uint32_t cost_a =
                       a->size[0] + GUARD_BIT * (32U - (uint32_t)__builtin_clz(l->examples - a->all + 1)),
                   cost_b =
                       b->size[0] + GUARD_BIT * (32U - (uint32_t)__builtin_clz(l->examples - b->all + 1));
    return cost_a > cost_b;
}

/* Returns the kind with the same set of examples, or adds it. In a full list, it replaces the worst kind.
 * Returns NULL if it is no better than the worst kind. */
static struct kind *find_kind(struct kinds *l, const struct kind *k)
{
    uint32_t at = 0, worst = 0;
    while (at < l->count && (l->kind[at].set[0] != k->set[0] || l->kind[at].set[1] != k->set[1]))
        at++;
    if (at < l->count)
        return &l->kind[at];
    if (at == KINDS_MAX) {
        for (uint32_t i = 1; i < l->count; i++)
            worst = is_worse(l, &l->kind[i], &l->kind[worst]) ? i : worst;
        if (!is_worse(l, &l->kind[worst], k))
            return NULL;
        at = worst;
        l->least = l->kind[worst].wanted;
    } else {
        l->count++;
    }
    l->kind[at] = (struct kind){.set = {k->set[0], k->set[1]}, .wanted = k->wanted, .all = k->all};
    return &l->kind[at];
}

void kinds_add(struct kinds *l, const struct kind *k)
{
    struct kind *at = find_kind(l, k);
    if (at)
        add_to_kind(at, k->term, k->size[0], k->hash[0]);
}

bool kinds_satisfy_all(const struct kinds *l)
{
    uint32_t i = 0;
    while (i < l->count && l->kind[i].all != l->examples)
        i++;
    return i < l->count;
}

/* Sorts kinds: first those with more satisfied examples that differ, then those with smaller expressions. */
static int compare_sizes(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->wanted != y->wanted)
        return x->wanted > y->wanted ? -1 : 1;
    return x->size[0] < y->size[0] ? -1 : x->size[0] > y->size[0];
}

void kinds_sort(struct kinds *l, bool by_size)
{
    qsort(l->kind, l->count, sizeof *l->kind, by_size ? compare_sizes : compare_fit);
}
