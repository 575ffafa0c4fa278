/* SPDX-License-Identifier: MIT */
/*
 * Expressions from examples, by enumeration in order of size. Expressions that give the same values in all
 * examples count as one, so only the smallest of them is built on ("observational equivalence": Udupa and
 * others, PLDI 2013).
 */
#include "fuzz/learn/study.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    TERMS_MAX = 12000,  /* stored expressions: leaves and those with one operator */
    TABLE_SIZE = 32768, /* a power of two above TERMS_MAX */
    CONSTANTS_MAX = 160,
    USUAL_MAX = 40,    /* numbers that two operators are tried with */
    NONE = UINT16_MAX, /* no operand */
    KINDS_MAX = 128,   /* sets of examples that expressions satisfy */
    TERMS_OF_KIND = 8,
    DEEP_MAX = 60000000U, /* evaluations in the search for two operators */
};

/* An expression: a leaf, or an operator and the numbers of its operands. */
struct term {
    uint16_t op, a, b;
    uint32_t operand;
};

/* The smallest expressions that satisfy one set of examples. */
struct kind {
    uint64_t set[2];
    uint32_t wanted, all; /* satisfied examples that differ, satisfied examples */
    uint32_t terms;
    struct term term[TERMS_OF_KIND]; /* ordered by size */
    uint32_t size[TERMS_OF_KIND];
};

struct enumeration {
    const struct unit *u;
    const struct example *example;
    uint32_t count, wanted;
    uint32_t mask; /* of the point's width */
    struct term term[TERMS_MAX];
    uint32_t *value; /* of term i in example k: value[i * EXAMPLES_MAX + k] */
    uint32_t terms, leaves, atoms;
    uint16_t table[TABLE_SIZE]; /* number of a term + 1 */
    uint16_t usual[USUAL_MAX];
    uint32_t usuals;
    struct kind kind[KINDS_MAX];
    uint32_t kinds, evaluations;
};

static const uint8_t binary[] = {EXPRESSION_ADD,
                                 EXPRESSION_SUBTRACT,
                                 EXPRESSION_AND,
                                 EXPRESSION_OR,
                                 EXPRESSION_XOR,
                                 EXPRESSION_SHIFT_LEFT,
                                 EXPRESSION_SHIFT_RIGHT,
                                 EXPRESSION_MULTIPLY,
                                 EXPRESSION_MINIMUM,
                                 EXPRESSION_MAXIMUM,
                                 EXPRESSION_REMAINDER,
                                 EXPRESSION_DIVIDE,
                                 EXPRESSION_ROTATE_RIGHT,
                                 EXPRESSION_ROTATE_LEFT,
                                 EXPRESSION_SIGN_EXTEND,
                                 EXPRESSION_ARITHMETIC_SHIFT,
                                 EXPRESSION_EQUAL,
                                 EXPRESSION_DIFFERENT,
                                 EXPRESSION_LESS,
                                 EXPRESSION_GREATER_EQUAL,
                                 EXPRESSION_SIGNED_MINIMUM,
                                 EXPRESSION_SIGNED_MAXIMUM};
enum { BINARY = sizeof binary, USUAL_BINARY = 10 };

/* ---- terms ---- */

static uint32_t apply(unsigned op, uint32_t a, uint32_t b)
{
    const struct expression_node node[] = {{EXPRESSION_CONSTANT, a},
                                           {EXPRESSION_CONSTANT, b},
                                           {(uint32_t)op, 0}};
    static const uint32_t nothing;
    const struct expression_context c = {.value = &nothing, .input = &nothing, .lanes = 1};
    return expression_arity(op) == 1
               ? expression_evaluate((const struct expression_node[]){node[0], node[2]}, 2, &c)
               : expression_evaluate(node, 3, &c);
}

/* The frequent operators, for all examples at once. */
static void apply_all(const struct enumeration *n, unsigned op, const uint32_t *a, const uint32_t *b,
                      uint32_t *to)
{
#define ALL(name, value)                                                                                     \
    case EXPRESSION_##name:                                                                                  \
        for (uint32_t i = 0; i < n->count; i++)                                                              \
            to[i] = (value);                                                                                 \
        return;
    switch (op) {
        ALL(ADD, a[i] + b[i])
        ALL(SUBTRACT, a[i] - b[i])
        ALL(AND, a[i] & b[i])
        ALL(OR, a[i] | b[i])
        ALL(XOR, a[i] ^ b[i])
        ALL(SHIFT_LEFT, b[i] < 32 ? a[i] << (b[i] & 31) : 0)
        ALL(SHIFT_RIGHT, b[i] < 32 ? a[i] >> (b[i] & 31) : 0)
        ALL(MULTIPLY, a[i] * b[i])
        ALL(MINIMUM, a[i] < b[i] ? a[i] : b[i])
        ALL(MAXIMUM, a[i] > b[i] ? a[i] : b[i])
    default:
        for (uint32_t i = 0; i < n->count; i++)
            to[i] = apply(op, a[i], b ? b[i] : 0);
    }
#undef ALL
}

static struct expression expand(const struct enumeration *n, const struct term *t)
{
    struct expression e = {.count = 0};
    const uint16_t operand[2] = {t->a, t->b};
    for (unsigned i = 0; i < 2 && operand[i] != NONE; i++) {
        const struct expression part = expand(n, &n->term[operand[i]]);
        memcpy(e.node + e.count, part.node, part.count * sizeof *part.node);
        e.count += part.count;
    }
    e.node[e.count++] = (struct expression_node){t->op, t->operand};
    return e;
}

static uint32_t size_of(const struct enumeration *n, const struct term *t)
{
    uint32_t size = 64;
    if (t->op == EXPRESSION_CONSTANT && t->operand)
        size += 32U - (uint32_t)__builtin_clz(t->operand);
    if (t->a != NONE)
        size += size_of(n, &n->term[t->a]);
    if (t->b != NONE)
        size += size_of(n, &n->term[t->b]);
    return size;
}

/* More examples that differ first, then more examples, then the smaller one. */
static int compare_kinds(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->wanted != y->wanted)
        return x->wanted > y->wanted ? -1 : 1;
    if (x->all != y->all)
        return x->all > y->all ? -1 : 1;
    return x->size[0] < y->size[0] ? -1 : x->size[0] > y->size[0];
}

static void add_to_kind(struct kind *k, const struct term *t, uint32_t size)
{
    uint32_t at = k->terms;
    while (at && k->size[at - 1] > size)
        at--;
    if (at == TERMS_OF_KIND)
        return;
    uint32_t moved = k->terms < TERMS_OF_KIND ? k->terms - at : TERMS_OF_KIND - 1 - at;
    memmove(&k->term[at + 1], &k->term[at], moved * sizeof *k->term);
    memmove(&k->size[at + 1], &k->size[at], moved * sizeof *k->size);
    k->term[at] = *t;
    k->size[at] = size;
    k->terms += k->terms < TERMS_OF_KIND;
}

/* Notes which examples the expression satisfies. */
static void check(struct enumeration *n, const struct term *t, const uint32_t *value)
{
    struct kind k = {.terms = 0};
    for (uint32_t i = 0; i < n->count; i++)
        if (example_allows(&n->example[i], value[i] & n->mask)) {
            k.set[i / 64] |= UINT64_C(1) << (i % 64);
            k.wanted += n->example[i].differs;
            k.all++;
        }
    if (!k.wanted || k.wanted * 4 < n->wanted)
        return;
    add_to_kind(&k, t, size_of(n, t));
    uint32_t at = 0, worst = 0;
    while (at < n->kinds && (n->kind[at].set[0] != k.set[0] || n->kind[at].set[1] != k.set[1])) {
        if (compare_kinds(&n->kind[at], &n->kind[worst]) > 0)
            worst = at;
        at++;
    }
    if (at < n->kinds)
        add_to_kind(&n->kind[at], t, k.size[0]);
    else if (n->kinds < KINDS_MAX)
        n->kind[n->kinds++] = k;
    else if (compare_kinds(&k, &n->kind[worst]) < 0)
        n->kind[worst] = k;
}

/* Stores an expression if no smaller one gives the same values. */
static void add_term(struct enumeration *n, const struct term *t)
{
    if (n->terms == TERMS_MAX)
        return;
    uint32_t *value = n->value + n->terms * EXAMPLES_MAX;
    uint64_t hash = 0;
    if (t->op == EXPRESSION_AT)
        for (uint32_t i = 0; i < n->count; i++) {
            const struct visit *at = n->example[i].at;
            value[i] = at->value[n->value[t->a * EXAMPLES_MAX + i] % n->u->points[at->point].lanes];
        }
    else if (t->a == NONE)
        for (uint32_t i = 0; i < n->count; i++) {
            const struct expression e = {.count = 1, .node = {{t->op, t->operand}}};
            const struct expression_context c = visit_context(n->u, n->example[i].at, n->example[i].lane);
            value[i] = expression_evaluate(e.node, e.count, &c);
        }
    else
        apply_all(n, t->op, n->value + t->a * EXAMPLES_MAX,
                  t->b == NONE ? NULL : n->value + t->b * EXAMPLES_MAX, value);
    for (uint32_t i = 0; i < n->count; i++)
        hash = random_mix64(hash ^ value[i]);
    uint32_t slot = (uint32_t)hash & (TABLE_SIZE - 1);
    for (; n->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1))
        if (!memcmp(n->value + (n->table[slot] - 1U) * EXAMPLES_MAX, value, n->count * sizeof *value))
            return;
    n->term[n->terms++] = *t;
    n->table[slot] = (uint16_t)n->terms;
    check(n, t, value);
}

static void add_leaf(struct enumeration *n, enum expression_operator op, uint32_t operand)
{
    const struct term t = {.op = (uint16_t)op, .a = NONE, .b = NONE, .operand = operand};
    if (n->terms < CONSTANTS_MAX + 64)
        add_term(n, &t);
}

static void add_operator(struct enumeration *n, unsigned op, uint32_t a, uint32_t b)
{
    const struct term t = {.op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b};
    add_term(n, &t);
}

/* ---- what expressions are made of ---- */

static void add_atoms(struct enumeration *n)
{
    const struct point *p = &n->u->points[n->example->at->point];
    add_leaf(n, EXPRESSION_VALUE, 0);
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        add_leaf(n, EXPRESSION_INPUT, i);
    if (p->lanes > 1)
        add_leaf(n, EXPRESSION_LANE, 0);
    n->atoms = n->terms;
}

/* Numbers: small ones, powers of two and masks first; then those that the examples suggest. */
static void add_numbers(struct enumeration *n)
{
    uint32_t width = n->u->points[n->example->at->point].width;
    static const uint8_t usual[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 24};
    for (unsigned i = 0; i < sizeof usual; i++)
        add_leaf(n, EXPRESSION_CONSTANT, usual[i]);
    for (uint32_t i = 0; i < n->count; i++) {
        const struct example *e = &n->example[i];
        uint32_t value = e->at->value[e->lane];
        for (uint32_t k = 0; e->differs && !e->narrow && k < e->count && k < 2; k++) {
            add_leaf(n, EXPRESSION_CONSTANT, e->value[k] - value);
            add_leaf(n, EXPRESSION_CONSTANT, e->value[k] ^ value);
        }
    }
    for (uint32_t i = n->atoms; i < n->terms && n->usuals < USUAL_MAX; i++)
        n->usual[n->usuals++] = (uint16_t)i;
    for (uint32_t k = 0; k < width; k++) {
        add_leaf(n, EXPRESSION_CONSTANT, (1U << k) - 1);
        add_leaf(n, EXPRESSION_CONSTANT, 1U << k);
        add_leaf(n, EXPRESSION_CONSTANT, n->mask & ~(1U << k));
        add_leaf(n, EXPRESSION_CONSTANT, n->mask & ~((1U << k) - 1));
    }
    add_leaf(n, EXPRESSION_CONSTANT, n->mask);
    for (uint32_t c = 9; c < 40; c++)
        add_leaf(n, EXPRESSION_CONSTANT, c);
    n->leaves = n->terms;
}

/* ---- expressions by size ---- */

static bool commutes(unsigned op)
{
    return op == EXPRESSION_ADD || op == EXPRESSION_AND || op == EXPRESSION_OR || op == EXPRESSION_XOR ||
           op == EXPRESSION_MULTIPLY || op == EXPRESSION_MINIMUM || op == EXPRESSION_MAXIMUM ||
           op == EXPRESSION_EQUAL || op == EXPRESSION_DIFFERENT;
}

/* Values of other lanes: a fixed one, and lane + N, lane ^ N. */
static void add_lanes(struct enumeration *n)
{
    uint32_t lane = n->atoms - 1; /* the last atom is the lane's number */
    for (uint32_t i = lane + 1; i < n->leaves; i++) {
        if (n->term[i].op != EXPRESSION_CONSTANT || n->term[i].operand >= POINT_LANES_MAX)
            continue;
        add_operator(n, EXPRESSION_AT, i, NONE);
        for (unsigned k = 0; k < 2; k++) {
            uint32_t before = n->terms;
            add_operator(n, k ? EXPRESSION_XOR : EXPRESSION_ADD, lane, i);
            if (n->terms > before)
                add_operator(n, EXPRESSION_AT, before, NONE);
        }
    }
}

static void add_one_operator(struct enumeration *n)
{
    static const uint8_t unary[] = {EXPRESSION_NOT, EXPRESSION_NEGATE, EXPRESSION_LOGICAL_NOT,
                                    EXPRESSION_SWAP_BYTES, EXPRESSION_REVERSE_BITS};
    const struct point *p = &n->u->points[n->example->at->point];
    for (uint32_t i = 0; i < n->atoms; i++)
        for (unsigned k = 0; k < sizeof unary; k++)
            add_operator(n, unary[k], i, NONE);
    if (p->lanes > 1)
        add_lanes(n);
    for (uint32_t c = 0; c < n->leaves; c++) /* simple operands first */
        for (uint32_t i = 0; i < n->atoms; i++)
            for (unsigned k = 0; k < BINARY; k++) {
                add_operator(n, binary[k], i, c);
                if (c >= n->atoms && !commutes(binary[k]) && binary[k] != EXPRESSION_SIGN_EXTEND)
                    add_operator(n, binary[k], c, i);
            }
}

/* One more operator over a stored expression and a leaf; not stored. */
static void try_over(struct enumeration *n, uint32_t a, uint32_t b)
{
    uint32_t value[EXAMPLES_MAX];
    for (unsigned k = 0; k < USUAL_BINARY; k++)
        for (unsigned turned = 0; turned <= !commutes(binary[k]); turned++) {
            const struct term t = {.op = binary[k],
                                   .a = (uint16_t)(turned ? b : a),
                                   .b = (uint16_t)(turned ? a : b)};
            apply_all(n, t.op, n->value + t.a * EXAMPLES_MAX, n->value + t.b * EXAMPLES_MAX, value);
            n->evaluations += n->count;
            uint32_t good = 0, i = 0;
            for (; i < n->count && good + n->count - i > n->count / 2; i++)
                good += example_allows(&n->example[i], value[i] & n->mask);
            if (i == n->count)
                check(n, &t, value);
        }
}

static void try_two_operators(struct enumeration *n)
{
    for (uint32_t a = n->leaves; a < n->terms && n->evaluations < DEEP_MAX; a++) {
        for (uint32_t b = 0; b < n->atoms; b++)
            try_over(n, a, b);
        for (uint32_t b = 0; b < n->usuals; b++)
            try_over(n, a, n->usual[b]);
    }
}

/* ---- the whole ---- */

static struct enumeration *enumeration_new(const struct unit *u, const struct example *examples,
                                           uint32_t count)
{
    struct enumeration *n = memory_new(1, sizeof *n);
    uint32_t width = u->points[examples->at->point].width;
    n->value = memory_new(TERMS_MAX, EXAMPLES_MAX * sizeof *n->value);
    n->u = u;
    n->example = examples;
    n->count = count;
    n->mask = width < 32 ? (1U << width) - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        n->wanted += examples[i].differs;
    add_atoms(n);
    add_numbers(n);
    add_one_operator(n);
    return n;
}

static void enumeration_free(struct enumeration *n)
{
    free(n->value);
    free(n);
}

static bool satisfies_all(const struct enumeration *n)
{
    bool found = false;
    for (uint32_t i = 0; i < n->kinds; i++)
        found |= n->kind[i].all == n->count;
    return found;
}

uint32_t synthesis_run(const struct unit *u, const struct example *examples, uint32_t count,
                       struct expression found[SYNTHESIS_MAX])
{
    struct enumeration *n = enumeration_new(u, examples, count);
    uint32_t result = 0;
    if (!satisfies_all(n))
        try_two_operators(n);
    qsort(n->kind, n->kinds, sizeof *n->kind, compare_kinds);
    for (uint32_t i = 0; i < n->kinds; i++)
        for (uint32_t k = 0; k < n->kind[i].terms && result < SYNTHESIS_MAX; k++)
            found[result++] = expand(n, &n->kind[i].term[k]);
    enumeration_free(n);
    return result;
}

void synthesis_small(const struct visits *v, unsigned point,
                     bool (*each)(void *context, const struct expression *e), void *context)
{
    struct example all[EXAMPLES_MAX];
    uint32_t count = 0;
    bool more = true;
    for (uint32_t i = 0; i < v->count; i++)
        for (uint32_t lane = 0; lane < v->unit->points[point].lanes && count < EXAMPLES_MAX; lane++)
            if (v->visit[i].point == point)
                all[count++] = (struct example){.at = &v->visit[i], .lane = (uint8_t)lane};
    if (!count)
        return;
    struct enumeration *n = enumeration_new(v->unit, all, count);
    for (uint32_t i = 1; i < n->terms && more; i++) { /* term 0 is the value itself */
        const uint32_t *value = n->value + i * EXAMPLES_MAX;
        bool changes = false;
        for (uint32_t k = 0; k < count; k++)
            changes |= (value[k] & n->mask) != all[k].at->value[all[k].lane];
        if (!changes)
            continue;
        const struct expression e = expand(n, &n->term[i]);
        more = each(context, &e);
    }
    enumeration_free(n);
}
