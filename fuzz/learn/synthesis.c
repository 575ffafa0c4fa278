/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/synthesis.h"

#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLE_SIZE = 1 << 14, /* results that are told apart, at most half of it */
    CONSTANTS_MAX = 512,
    ATOMS_MAX = 12,
};

/* Results of expressions at all visits, by hash. */
struct seen {
    uint64_t hash;
    bool used, fits;
};

struct enumeration {
    struct synthesis *s;
    struct seen *table;
    uint32_t used;
    struct visit at[VISITS_MAX]; /* of the point */
    uint32_t visits;
    uint32_t constant[CONSTANTS_MAX];
    uint32_t constants, few;           /* the first `few` are the most usual ones */
    struct expression atom[ATOMS_MAX]; /* value, inputs, lanes */
    uint32_t atoms;
    bool done;
};

static struct expression leaf(enum expression_operator op, uint32_t operand)
{
    return (struct expression){.count = 1, .node = {{(uint32_t)op, operand}}};
}

/* Appends an operator to its operands. */
static struct expression join(enum expression_operator op, const struct expression *a,
                              const struct expression *b)
{
    struct expression e = *a;
    if (b) {
        memcpy(e.node + e.count, b->node, b->count * sizeof *b->node);
        e.count += b->count;
    }
    e.node[e.count++] = (struct expression_node){(uint32_t)op, 0};
    return e;
}

/* ---- what expressions are made of ---- */

static void add_constant(struct enumeration *n, uint32_t c)
{
    for (uint32_t i = 0; i < n->constants; i++)
        if (n->constant[i] == c)
            return;
    if (n->constants < CONSTANTS_MAX)
        n->constant[n->constants++] = c;
}

/* The usual numbers first: small ones, powers of two, masks. */
static void list_constants(struct enumeration *n, uint32_t width)
{
    uint32_t most = width < 32 ? (1U << width) - 1 : UINT32_MAX;
    for (uint32_t c = 0; c <= 8; c++)
        add_constant(n, c);
    for (uint32_t k = 4; k < 8; k++) {
        add_constant(n, 1U << k);
        add_constant(n, (1U << k) - 1);
    }
    n->few = n->constants;
    for (uint32_t k = 0; k < width; k++) {
        add_constant(n, 1U << k);
        add_constant(n, (1U << k) - 1);
        add_constant(n, most & ~(1U << k));
        add_constant(n, most & ~((1U << k) - 1));
    }
    add_constant(n, most);
    for (uint32_t c = 9; c < 40; c++)
        add_constant(n, c);
    for (uint32_t c = 0; width <= 8 && c <= most; c++)
        add_constant(n, c);
}

static void list_atoms(struct enumeration *n, const struct point *p)
{
    n->atom[n->atoms++] = leaf(EXPRESSION_VALUE, 0);
    for (uint32_t i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        n->atom[n->atoms++] = leaf(EXPRESSION_INPUT, i);
    if (p->lanes == 1)
        return;
    static const uint32_t moves[] = {1, 15, 4, 8};
    const struct expression lane = leaf(EXPRESSION_LANE, 0);
    n->atom[n->atoms++] = lane;
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++) {
        const struct expression by = leaf(EXPRESSION_CONSTANT, moves[i]);
        const struct expression moved = join(i < 2 ? EXPRESSION_ADD : EXPRESSION_XOR, &lane, &by);
        n->atom[n->atoms++] = join(EXPRESSION_AT, &moved, NULL);
    }
    const struct expression zero = leaf(EXPRESSION_CONSTANT, 0);
    n->atom[n->atoms++] = join(EXPRESSION_AT, &zero, NULL);
}

/* ---- trying one ---- */

static struct seen *find(struct enumeration *n, uint64_t hash)
{
    uint32_t i = (uint32_t)hash & (TABLE_SIZE - 1);
    while (n->table[i].used && n->table[i].hash != hash)
        i = (i + 1) & (TABLE_SIZE - 1);
    return &n->table[i];
}

/* The hash of a rule's results at the visits; 0 if it changes nothing. */
static uint64_t hash_results(const struct enumeration *n, const struct rule *r)
{
    const struct unit *u = n->s->visits->unit;
    uint64_t hash = 1;
    bool changed = false;
    uint32_t result[POINT_LANES_MAX];
    for (uint32_t i = 0; i < n->visits; i++) {
        changed |= visit_rule(u, &n->at[i], r, result);
        for (unsigned lane = 0; lane < u->points[r->point].lanes; lane++)
            hash = random_mix64(hash ^ result[lane]);
    }
    return changed ? hash | 1 : 0;
}

static void try_expression(struct enumeration *n, const struct expression *e)
{
    struct synthesis *s = n->s;
    const struct rule r = {.point = (uint16_t)s->point, .result = *e};
    if (n->done)
        return;
    s->tried++;
    uint64_t hash = hash_results(n, &r);
    if (!hash)
        return;
    struct seen *at = find(n, hash);
    if (!at->used) {
        if (n->used == TABLE_SIZE / 2 || s->runs == s->runs_max)
            return;
        n->used++;
        s->runs++;
        *at = (struct seen){.hash = hash, .used = true, .fits = s->fits(s->context, &r)};
    }
    if (at->fits)
        n->done = !s->found(s->context, &r);
}

/* ---- expressions by size ---- */

static const uint8_t all_operators[] = {EXPRESSION_ADD,
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
                                        EXPRESSION_ROTATE_LEFT,
                                        EXPRESSION_SIGN_EXTEND,
                                        EXPRESSION_ARITHMETIC_SHIFT,
                                        EXPRESSION_EQUAL,
                                        EXPRESSION_LESS,
                                        EXPRESSION_SIGNED_MINIMUM,
                                        EXPRESSION_SIGNED_MAXIMUM};
enum { OPERATORS = sizeof all_operators, FEW_OPERATORS = 8 };

static bool commutes(unsigned op)
{
    return op == EXPRESSION_ADD || op == EXPRESSION_AND || op == EXPRESSION_OR || op == EXPRESSION_XOR ||
           op == EXPRESSION_MULTIPLY || op == EXPRESSION_MINIMUM || op == EXPRESSION_MAXIMUM ||
           op == EXPRESSION_EQUAL;
}

static void try_leaves(struct enumeration *n)
{
    static const uint8_t unary[] = {EXPRESSION_NOT, EXPRESSION_NEGATE, EXPRESSION_LOGICAL_NOT,
                                    EXPRESSION_SWAP_BYTES, EXPRESSION_REVERSE_BITS};
    for (uint32_t i = 1; i < n->atoms; i++)
        try_expression(n, &n->atom[i]);
    for (uint32_t i = 0; i < n->constants; i++) {
        const struct expression c = leaf(EXPRESSION_CONSTANT, n->constant[i]);
        try_expression(n, &c);
    }
    for (uint32_t i = 0; i < n->atoms; i++)
        for (unsigned k = 0; k < sizeof unary; k++) {
            const struct expression e = join(unary[k], &n->atom[i], NULL);
            try_expression(n, &e);
        }
}

/* `a` OP constant, and constant OP `a` where that is another thing. */
static void try_with_constants(struct enumeration *n, const struct expression *a, unsigned operators,
                               uint32_t constants)
{
    for (unsigned k = 0; k < operators && !n->done; k++)
        for (uint32_t i = 0; i < constants; i++) {
            const struct expression c = leaf(EXPRESSION_CONSTANT, n->constant[i]);
            const struct expression e = join(all_operators[k], a, &c), turned = join(all_operators[k], &c, a);
            try_expression(n, &e);
            if (!commutes(all_operators[k]) && all_operators[k] != EXPRESSION_SIGN_EXTEND)
                try_expression(n, &turned);
        }
}

static void try_with_atoms(struct enumeration *n, const struct expression *a, unsigned operators)
{
    for (unsigned k = 0; k < operators && !n->done; k++)
        for (uint32_t i = 0; i < n->atoms; i++) {
            const struct expression e = join(all_operators[k], a, &n->atom[i]);
            const struct expression turned = join(all_operators[k], &n->atom[i], a);
            try_expression(n, &e);
            if (!commutes(all_operators[k]))
                try_expression(n, &turned);
        }
}

/* Two operators: (a OP c) OP d, (a OP c) OP b. */
static void try_pairs(struct enumeration *n)
{
    for (uint32_t i = 0; i < n->atoms; i++)
        for (unsigned k = 0; k < FEW_OPERATORS && !n->done; k++) {
            for (uint32_t c = 0; c < n->few; c++) {
                const struct expression by = leaf(EXPRESSION_CONSTANT, n->constant[c]);
                const struct expression inner = join(all_operators[k], &n->atom[i], &by);
                try_with_atoms(n, &inner, FEW_OPERATORS);
                try_with_constants(n, &inner, FEW_OPERATORS, n->few);
            }
            for (uint32_t b = 0; b < n->atoms; b++) {
                const struct expression inner = join(all_operators[k], &n->atom[i], &n->atom[b]);
                try_with_constants(n, &inner, FEW_OPERATORS, n->few);
            }
        }
}

static void try_class(struct enumeration *n, unsigned size_class)
{
    if (size_class == 0)
        try_leaves(n);
    for (uint32_t i = 0; size_class == 1 && i < n->atoms; i++)
        try_with_constants(n, &n->atom[i], OPERATORS, n->constants);
    for (uint32_t i = 0; size_class == 2 && i < n->atoms; i++)
        try_with_atoms(n, &n->atom[i], OPERATORS);
    if (size_class == 3)
        try_pairs(n);
}

void synthesis_run(struct synthesis *s, unsigned size_class)
{
    struct enumeration *n = memory_new(1, sizeof *n);
    const struct point *p = &s->visits->unit->points[s->point];
    n->s = s;
    n->table = memory_new(TABLE_SIZE, sizeof *n->table);
    s->runs = s->tried = 0;
    for (uint32_t i = 0; i < s->visits->count; i++)
        if (s->visits->visit[i].point == s->point)
            n->at[n->visits++] = s->visits->visit[i];
    list_constants(n, p->width);
    list_atoms(n, p);
    if (n->visits)
        try_class(n, size_class);
    free(n->table);
    free(n);
}

/* ---- guards ---- */

enum { GUARDS_MAX = 256 };

struct guards {
    const struct guard_search *s;
    struct expression guard[GUARDS_MAX];
    uint32_t wrong[GUARDS_MAX]; /* visits of s->fail at which it holds */
    uint32_t count;
};

/* At how many visits does a guard hold, in any lane? */
static uint32_t holds_at(const struct guard_search *s, const struct visit *v, uint32_t count,
                         const struct expression *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct expression_context c = visit_context(s->unit, &v[i]);
        n += expression_evaluate(g->node, g->count, &c) != 0;
    }
    return n;
}

static void add_guard(struct guards *g, const struct expression *e)
{
    const struct guard_search *s = g->s;
    if (g->count == GUARDS_MAX || holds_at(s, s->hold, s->holds, e) != s->holds)
        return;
    uint32_t wrong = holds_at(s, s->fail, s->fails, e);
    if (wrong == s->fails && s->fails)
        return;
    g->guard[g->count] = *e;
    g->wrong[g->count++] = wrong;
}

static struct expression compared(const struct expression *a, enum expression_operator op, uint32_t c)
{
    const struct expression b = leaf(EXPRESSION_CONSTANT, c);
    return join(op, a, &b);
}

/* Guards over one quantity: its value at a visit, its bits, and its range. */
static void add_guards_over(struct guards *g, const struct expression *a, uint32_t width, uint32_t example,
                            uint32_t low, uint32_t high)
{
    static const uint8_t operators[] = {EXPRESSION_EQUAL, EXPRESSION_DIFFERENT};
    struct expression e;
    e = compared(a, EXPRESSION_EQUAL, example);
    add_guard(g, &e);
    for (uint32_t c = 0; c < 8; c++) {
        e = compared(a, EXPRESSION_DIFFERENT, c);
        add_guard(g, &e);
    }
    for (uint32_t bit = 0; bit < width && width > 1; bit++) {
        const struct expression masked = compared(a, EXPRESSION_AND, 1U << bit);
        for (unsigned k = 0; k < 2; k++) {
            e = compared(&masked, operators[k], 0);
            add_guard(g, &e);
        }
    }
    for (uint32_t bit = 1; bit < width; bit++) {
        const struct expression masked = compared(a, EXPRESSION_AND, (1U << bit) - 1);
        for (unsigned k = 0; k < 2; k++) {
            e = compared(&masked, operators[k], 0);
            add_guard(g, &e);
        }
    }
    e = compared(a, EXPRESSION_GREATER_EQUAL, low);
    add_guard(g, &e);
    e = compared(a, EXPRESSION_LESS_EQUAL, high);
    add_guard(g, &e);
    for (uint32_t bit = 1; bit < width; bit++) {
        e = compared(a, EXPRESSION_GREATER_EQUAL, 1U << bit);
        add_guard(g, &e);
        e = compared(a, EXPRESSION_LESS, 1U << bit);
        add_guard(g, &e);
    }
}

static uint32_t quantity(const struct point *p, const struct visit *v, unsigned i)
{
    return i ? v->input[point_input_at(point_vectors(p), i - 1)] : v->value[0];
}

static void list_guards(struct guards *g)
{
    const struct guard_search *s = g->s;
    const struct point *p = &s->unit->points[s->hold[0].point];
    for (unsigned i = 0; i == 0 || (i <= POINT_INPUTS_MAX && p->input[i - 1].name); i++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (uint32_t k = 0; k < s->holds; k++) {
            uint32_t x = quantity(p, &s->hold[k], i);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        const struct expression a = i ? leaf(EXPRESSION_INPUT, i - 1) : leaf(EXPRESSION_VALUE, 0);
        add_guards_over(g, &a, i ? p->input[i - 1].width : p->width, quantity(p, &s->hold[0], i), low, high);
    }
}

void guard_search_run(const struct guard_search *s)
{
    struct guards *g = memory_new(1, sizeof *g);
    g->s = s;
    if (s->holds)
        list_guards(g);
    bool more = true;
    for (uint32_t i = 0; i < g->count && more; i++) /* those that hold nowhere else */
        if (!g->wrong[i])
            more = s->each(s->context, &g->guard[i]);
    for (uint32_t i = 0; i < g->count && more; i++)
        for (uint32_t k = 0; k < i && more; k++) {
            if (!g->wrong[i] || !g->wrong[k] ||
                g->guard[i].count + g->guard[k].count + 1 > EXPRESSION_NODES_MAX)
                continue;
            const struct expression both = join(EXPRESSION_LOGICAL_AND, &g->guard[k], &g->guard[i]);
            if (!holds_at(s, s->fail, s->fails, &both))
                more = s->each(s->context, &both);
        }
    free(g);
}
