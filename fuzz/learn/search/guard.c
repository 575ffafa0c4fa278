/* SPDX-License-Identifier: MIT */
/*
 * Finds guards. A guard is a small predicate over the value, the inputs and the lane of an observation point.
 * It holds at the visits where the rule must act, and at none where it must not. It is one comparison,
 * test of bits or set of numbers, or two of these joined with && or ||, or up to four joined with &&.
 *
 * Where a rule must act, and where it must not, is not quite certain: in some cases the difference goes away
 * by chance although the rule acts in the wrong place, or comes because the rule acts in one of two places.
 * So if no guard fits all visits, a guard may miss a few.
 */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    PREDICATES_MAX = 3000,
    TABLE_SIZE = 8192,
    SET_WORDS = GUARDED_MAX / 64,
    TABLE_CELLS_MAX = 16, /* limit of runs of numbers in one set */
    /* A guard may miss one in so many of the visits where the rule must act, and of the others. */
    LEFT_OUT_SHARE = 6,
    WRONG_SHARE = 24,
};

struct predicate {
    struct expression e;
    uint64_t set[SET_WORDS]; /* visits at which the predicate holds */
    uint32_t size;
    uint32_t wrong;    /* visits at which it holds though the rule must not act */
    uint32_t left_out; /* visits at which it does not hold though the rule must act */
    bool is_set;       /* "the number is one of these": a guard has at most one of these */
    bool is_equality;  /* "a == b" */
};

/* How many visits a guard may miss. */
struct slack {
    uint32_t left_out, wrong;
};

struct guards {
    const struct unit *u;
    const struct guarded_visit *visit;
    uint32_t count;
    uint64_t acts[SET_WORDS];
    struct predicate predicate[PREDICATES_MAX];
    uint32_t predicates;
    uint16_t table[TABLE_SIZE]; /* number of a predicate + 1 */
    struct expression *found;
    uint32_t founds;
};

static struct expression leaf(enum expression_operator op, uint32_t operand)
{
    return (struct expression){.count = 1, .node = {{(uint32_t)op, operand}}};
}

struct expression expression_join(enum expression_operator op, const struct expression *a,
                                  const struct expression *b)
{
    struct expression e = *a;
    memcpy(e.node + e.count, b->node, b->count * sizeof *b->node);
    e.count += b->count;
    e.node[e.count++] = (struct expression_node){(uint32_t)op, 0};
    return e;
}

struct expression expression_compared(const struct expression *a, enum expression_operator op, uint32_t c)
{
    const struct expression b = leaf(EXPRESSION_CONSTANT, c);
    return expression_join(op, a, &b);
}

/* An expression that guards compare, and its value at each visit. */
struct quantity {
    struct expression e;
    uint32_t width, value[GUARDED_MAX];
};

static struct quantity quantity_of(const struct guards *g, const struct expression *e, uint32_t width)
{
    struct quantity q = {.e = *e, .width = width};
    for (uint32_t i = 0; i < g->count; i++) {
        const struct expression_context c = visit_context(g->u, g->visit[i].at, g->visit[i].lane);
        q.value[i] = expression_evaluate(e->node, e->count, &c);
    }
    return q;
}

/* Returns the predicate that holds at the same visits, or a new entry; NULL: no room. Equalities are apart:
 * "a == 128" claims less than "a > 16" where it holds as often. If that is false, it is the better guard. */
static struct predicate *find(struct guards *g, const uint64_t set[SET_WORDS], bool is_equality)
{
    uint64_t hash = is_equality;
    for (unsigned w = 0; w < SET_WORDS; w++)
        hash = random_mix64(hash ^ set[w]);
    uint32_t slot = (uint32_t)hash & (TABLE_SIZE - 1);
    for (; g->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1)) {
        struct predicate *p = &g->predicate[g->table[slot] - 1];
        if (p->is_equality == is_equality && !memcmp(p->set, set, sizeof p->set))
            return p;
    }
    if (g->predicates == PREDICATES_MAX)
        return NULL;
    g->table[slot] = (uint16_t)++g->predicates;
    g->predicate[g->predicates - 1].size = UINT32_MAX;
    g->predicate[g->predicates - 1].is_equality = is_equality;
    return &g->predicate[g->predicates - 1];
}

/* Counts the bits of a word. The compiler's own function is a call on machines without an instruction. */
static uint32_t ones(uint64_t w)
{
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(w * UINT64_C(0x0101010101010101) >> 56);
}

/* Adds a predicate. Of two that hold at the same visits, keeps the smaller one. */
static void add(struct guards *g, const struct expression *e, const bool *holds)
{
    const bool is_equality = e->node[e->count - 1].op == EXPRESSION_EQUAL;
    uint64_t set[SET_WORDS] = {0}, useful = 0;
    for (uint32_t i = 0; i < g->count; i++)
        set[i / 64] |= (uint64_t)holds[i] << (i % 64);
    for (unsigned w = 0; w < SET_WORDS; w++)
        useful |= set[w] & g->acts[w];
    struct predicate *p = useful ? find(g, set, is_equality) : NULL;
    const uint32_t size = p ? expression_size(e) : 0;
    if (!p || size >= p->size)
        return;
    p->e = *e;
    p->size = size;
    p->is_set = e->node[e->count - 1].op == EXPRESSION_TABLE;
    p->is_equality = is_equality;
    memcpy(p->set, set, sizeof set);
    p->wrong = p->left_out = 0;
    for (unsigned w = 0; w < SET_WORDS; w++) {
        p->wrong += ones(set[w] & ~g->acts[w]);
        p->left_out += ones(g->acts[w] & ~set[w]);
    }
}

static bool tests_equality(unsigned op)
{
    return op == EXPRESSION_EQUAL || op == EXPRESSION_DIFFERENT;
}

/* Is a comparison with a number always the same, or is it "== 0" or "!= 0" in other words ("<= 0", "< 1")? */
static bool is_roundabout(unsigned op, uint32_t number)
{
    return !tests_equality(op) &&
           (number == 0 || (number == 1 && (op == EXPRESSION_LESS || op == EXPRESSION_GREATER_EQUAL)));
}

/* Adds the predicate `a OP b`; if b is NULL, `a OP number`. */
static void add_compared(struct guards *g, const struct quantity *a, enum expression_operator op,
                         const struct quantity *b, uint32_t number)
{
    bool holds[GUARDED_MAX];
    if (!b && is_roundabout(op, number))
        return;
    const struct expression right = b ? b->e : leaf(EXPRESSION_CONSTANT, number);
    const struct expression e = expression_join(op, &a->e, &right);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t x = a->value[i], y = b ? b->value[i] : number;
        holds[i] = op == EXPRESSION_EQUAL        ? x == y
                   : op == EXPRESSION_DIFFERENT  ? x != y
                   : op == EXPRESSION_LESS       ? x < y
                   : op == EXPRESSION_LESS_EQUAL ? x <= y
                   : op == EXPRESSION_GREATER    ? x > y
                                                 : x >= y;
    }
    add(g, &e, holds);
}

static const uint8_t comparisons[] = {EXPRESSION_EQUAL,         EXPRESSION_DIFFERENT, EXPRESSION_LESS,
                                      EXPRESSION_GREATER_EQUAL, EXPRESSION_GREATER,   EXPRESSION_LESS_EQUAL};

/* Adds comparisons of a quantity with the values that it has at the visits, at most `most` of them. Not
 * whether it is one arbitrary number: such a guard holds in one case, and says nothing about others. */
static void add_numbers(struct guards *g, const struct quantity *a, uint32_t most)
{
    uint32_t number[64], numbers = 0;
    for (uint32_t i = 0; i < g->count && numbers < most; i++) {
        uint32_t k = 0;
        while (k < numbers && number[k] != a->value[i])
            k++;
        if (k < numbers)
            continue;
        number[numbers++] = a->value[i];
        const bool arbitrary = number_is_arbitrary(a->value[i]);
        for (unsigned op = 0; op < sizeof comparisons; op++)
            if (!arbitrary || !tests_equality(comparisons[op]))
                add_compared(g, a, comparisons[op], NULL, a->value[i]);
    }
}

/* Adds tests of single bits and of the low bits, and comparisons with powers of two. */
static void add_bits(struct guards *g, const struct quantity *a)
{
    for (uint32_t bit = 0; bit < a->width; bit++) {
        const uint32_t mask[2] = {1U << bit, (1U << bit) - 1};
        for (unsigned k = 0; k < 2; k++) {
            struct quantity masked = *a;
            masked.e = expression_compared(&a->e, EXPRESSION_AND, mask[k]);
            for (uint32_t i = 0; i < g->count; i++)
                masked.value[i] &= mask[k];
            add_compared(g, &masked, EXPRESSION_EQUAL, NULL, 0);
            add_compared(g, &masked, EXPRESSION_DIFFERENT, NULL, 0);
        }
        add_compared(g, a, EXPRESSION_GREATER_EQUAL, NULL, 1U << bit);
        add_compared(g, a, EXPRESSION_LESS, NULL, 1U << bit);
    }
}

/* Adds tests of runs of bits, because a word has fields. */
static void add_fields(struct guards *g, const struct quantity *a)
{
    enum { SHORTEST = 2, LONGEST = 7 };
    struct quantity *masked = memory_new(1, sizeof *masked);
    for (uint32_t bits = SHORTEST; bits <= LONGEST; bits++)
        for (uint32_t low = 1; low + bits <= a->width; low++) {
            const uint32_t mask = ((1U << bits) - 1) << low;
            *masked = *a;
            masked->e = expression_compared(&a->e, EXPRESSION_AND, mask);
            for (uint32_t i = 0; i < g->count; i++)
                masked->value[i] &= mask;
            add_compared(g, masked, EXPRESSION_EQUAL, NULL, 0);
            add_compared(g, masked, EXPRESSION_DIFFERENT, NULL, 0);
        }
    free(masked);
}

/* Adds the predicate `OP(a)`. */
static void add_test(struct guards *g, const struct quantity *a, enum expression_operator op)
{
    bool holds[GUARDED_MAX];
    struct expression e = a->e;
    e.node[e.count++] = (struct expression_node){(uint32_t)op, 0};
    for (uint32_t i = 0; i < g->count; i++) {
        const struct expression_node test[] = {{EXPRESSION_CONSTANT, a->value[i]}, {(uint32_t)op, 0}};
        holds[i] = expression_evaluate(test, 2, NULL);
    }
    add(g, &e, holds);
}

/* Adds tests of the low half of a word as a float, and of its high half. */
static void add_half(struct guards *g, const struct quantity *a)
{
    struct quantity *high = memory_new(1, sizeof *high);
    add_test(g, a, EXPRESSION_HALF_IS_NAN);
    add_test(g, a, EXPRESSION_HALF_IS_DENORMAL);
    if (a->width == 32) {
        *high = *a;
        high->e = expression_compared(&a->e, EXPRESSION_SHIFT_RIGHT, 16);
        for (uint32_t i = 0; i < g->count; i++)
            high->value[i] >>= 16;
        add_test(g, high, EXPRESSION_HALF_IS_NAN);
        add_test(g, high, EXPRESSION_HALF_IS_DENORMAL);
    }
    free(high);
}

/* Adds tests of a float: zero, denormal, infinite, or not a number. */
static void add_float(struct guards *g, const struct quantity *a)
{
    static const uint32_t limits[] = {0, 0x00800000, 0x7F800000};
    add_test(g, a, EXPRESSION_IS_NAN);
    add_test(g, a, EXPRESSION_IS_DENORMAL);
    struct quantity *magnitude = memory_new(1, sizeof *magnitude);
    *magnitude = *a;
    magnitude->e = expression_compared(&a->e, EXPRESSION_AND, 0x7FFFFFFF);
    for (uint32_t i = 0; i < g->count; i++)
        magnitude->value[i] &= 0x7FFFFFFF;
    for (unsigned k = 0; k < sizeof limits / sizeof *limits; k++)
        for (unsigned op = 0; op < sizeof comparisons; op++)
            add_compared(g, magnitude, comparisons[op], NULL, limits[k]);
    free(magnitude);
}

/* Adds "the number is one of these" as a table that gives `inside` for the listed numbers and else the other.
 */
static void add_table(struct guards *g, const struct quantity *a, const struct expression_table *t,
                      bool inside)
{
    bool holds[GUARDED_MAX];
    const struct expression other = leaf(EXPRESSION_CONSTANT, !inside);
    struct expression e = a->e;
    e.node[e.count++] = other.node[0];
    if (expression_cells(t, NULL, 0) > TABLE_CELLS_MAX || !expression_add_table(&e, t))
        return;
    for (uint32_t i = 0; i < g->count; i++)
        holds[i] = t->listed[a->value[i] % TABLE_ENTRIES] == inside;
    add(g, &e, holds);
}

/* Adds the set of numbers with which the rule must act, and that of those with which it must not. Opcodes and
 * generations often belong together though their numbers are not neighbours. */
static void add_sets(struct guards *g, const struct quantity *a)
{
    struct expression_table *t = memory_new(2, sizeof *t);
    uint32_t listed[2] = {0};
    bool seen[2][TABLE_ENTRIES] = {{false}};
    for (uint32_t i = 0; i < g->count; i++)
        seen[g->visit[i].acts][a->value[i] % TABLE_ENTRIES] = true;
    for (unsigned acts = 0; acts < 2; acts++)
        for (uint32_t x = 0; x < TABLE_ENTRIES; x++) {
            t[acts].listed[x] = seen[acts][x] && (acts || !seen[1][x]);
            t[acts].value[x] = acts;
            listed[acts] += t[acts].listed[x];
        }
    for (unsigned acts = 0; acts < 2; acts++)
        if (listed[acts] > 1)
            add_table(g, a, &t[acts], acts);
    free(t);
}

static void list(struct guards *g)
{
    const struct point *p = &g->u->points[g->visit[0].at->point];
    struct quantity *atom = memory_new(POINT_INPUTS_MAX + 2, sizeof *atom);
    uint32_t atoms = 0;
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++) {
        const struct expression e = leaf(EXPRESSION_INPUT, i);
        atom[atoms++] = quantity_of(g, &e, p->input[i].width);
    }
    const struct expression value = leaf(EXPRESSION_VALUE, 0), lane = leaf(EXPRESSION_LANE, 0);
    atom[atoms++] = quantity_of(g, &value, p->width);
    if (p->lanes > 1)
        atom[atoms++] = quantity_of(g, &lane, 4);
    for (uint32_t i = 0; i < atoms; i++) {
        add_numbers(g, &atom[i], 64);
        add_bits(g, &atom[i]);
        if (atom[i].width > 1 && atom[i].width <= 8)
            add_sets(g, &atom[i]);
        if (atom[i].width == 32)
            add_float(g, &atom[i]);
        if (atom[i].width == 16 || atom[i].width == 32)
            add_half(g, &atom[i]);
        if (atom[i].width == 32 && p->lanes == 1)
            add_fields(g, &atom[i]);
    }
    for (uint32_t i = 0; i < atoms; i++)
        for (uint32_t k = 0; k < i; k++) {
            for (unsigned op = 0; op < sizeof comparisons; op++)
                add_compared(g, &atom[i], comparisons[op], &atom[k], 0);
        }
    free(atom);
}

/* Orders by size. Of the same size, the order is the same in each search, so that "a && b" is not found as
 * "b && a", too. */
static int compare(const void *a, const void *b)
{
    const struct predicate *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(&x->e, &y->e, sizeof x->e);
}

static void take(struct guards *g, const struct expression *e)
{
    if (g->founds < GUARDS_MAX)
        g->found[g->founds++] = *e;
}

/* Do two predicates, joined, make a guard? */
static bool fits(const struct guards *g, const struct predicate *a, const struct predicate *b, bool either,
                 const struct slack *k)
{
    uint32_t left_out = 0, wrong = 0;
    for (unsigned w = 0; w * 64 < g->count; w++) {
        uint64_t holds = either ? a->set[w] | b->set[w] : a->set[w] & b->set[w];
        left_out += ones(g->acts[w] & ~holds);
        wrong += ones(holds & ~g->acts[w]);
    }
    return left_out <= k->left_out && wrong <= k->wrong;
}

/* Takes joined pairs of predicates that make a guard. Joins with && predicates that hold nearly wherever the
 * rule must act, and with || predicates that hold nearly nowhere else. */
static void take_pairs(struct guards *g, const struct slack *k)
{
    enum { NONE, BOTH, EITHER };
    uint8_t how[PREDICATES_MAX];
    for (uint32_t i = 0; i < g->predicates; i++) {
        const struct predicate *p = &g->predicate[i];
        how[i] = p->left_out <= k->left_out && p->wrong > k->wrong   ? BOTH
                 : p->left_out > k->left_out && p->wrong <= k->wrong ? EITHER
                                                                     : NONE;
    }
    for (uint32_t i = 0; i < g->predicates && g->founds < GUARDS_MAX; i++)
        for (uint32_t n = 0; how[i] != NONE && n < i && g->founds < GUARDS_MAX; n++) {
            const struct predicate *a = &g->predicate[n], *b = &g->predicate[i];
            if (how[n] != how[i] || (a->is_set && b->is_set) || !fits(g, a, b, how[i] == EITHER, k))
                continue;
            const struct expression e =
                expression_join(how[i] == BOTH ? EXPRESSION_LOGICAL_AND : EXPRESSION_LOGICAL_OR, &a->e,
                                &b->e);
            take(g, &e);
        }
}

/* Joins up to four predicates with &&. Adds in each step the one that leaves the fewest visits at which the
 * rule must not act. */
static void take_greedily(struct guards *g, const struct slack *k)
{
    uint64_t left[SET_WORDS];
    struct expression e = {.count = 0};
    uint64_t wrong = UINT64_MAX;
    bool has_set = false;
    memset(left, 0xff, sizeof left);
    for (unsigned turn = 0; turn < 4 && wrong > k->wrong; turn++) {
        const struct predicate *best = NULL;
        uint64_t fewest = UINT64_MAX;
        for (uint32_t i = 0; i < g->predicates; i++) {
            const struct predicate *p = &g->predicate[i];
            uint64_t n = 0;
            if (has_set && p->is_set)
                continue;
            for (unsigned w = 0; w * 64 < g->count && p->left_out <= k->left_out; w++)
                n += ones(p->set[w] & left[w] & ~g->acts[w]);
            if (p->left_out <= k->left_out && n < fewest) {
                best = p;
                fewest = n;
            }
        }
        if (!best || e.count + best->e.count + 1 > EXPRESSION_NODES_MAX)
            return;
        e = e.count ? expression_join(EXPRESSION_LOGICAL_AND, &e, &best->e) : best->e;
        wrong = fewest;
        has_set |= best->is_set;
        for (unsigned w = 0; w < SET_WORDS; w++)
            left[w] &= best->set[w];
    }
    if (wrong <= k->wrong)
        take(g, &e);
}

static void take_all(struct guards *g, const struct slack *k)
{
    for (uint32_t i = 0; i < g->predicates && g->founds < GUARDS_MAX / 2; i++)
        if (g->predicate[i].left_out <= k->left_out && g->predicate[i].wrong <= k->wrong)
            take(g, &g->predicate[i].e);
    take_greedily(g, k);
    take_pairs(g, k);
}

uint32_t guard_run(const struct unit *u, const struct guarded_visit *visits, uint32_t count,
                   struct expression found[GUARDS_MAX])
{
    struct guards *g = memory_new(1, sizeof *g);
    uint32_t acts = 0;
    g->u = u;
    g->visit = visits;
    g->count = count < GUARDED_MAX ? count : GUARDED_MAX;
    g->found = found;
    for (uint32_t i = 0; i < g->count; i++) {
        g->acts[i / 64] |= (uint64_t)visits[i].acts << (i % 64);
        acts += visits[i].acts;
    }
    if (count)
        list(g);
    qsort(g->predicate, g->predicates, sizeof *g->predicate, compare);
    take_all(g, &(struct slack){0});
    if (!g->founds)
        take_all(g, &(struct slack){acts / LEFT_OUT_SHARE, (g->count - acts) / WRONG_SHARE});
    uint32_t result = g->founds;
    free(g);
    return result;
}
