/* SPDX-License-Identifier: MIT */
/*
 * Finds expressions that fit examples, by enumeration in order of size. Of expressions that give the same
 * values in all examples, it stores only the first and makes larger ones from it ("observational
 * equivalence": Udupa and others, PLDI 2013).
 */
#include "fuzz/learn/search/study.h"
#include "fuzz/learn/synthesis/kinds.h"
#include "model/core/memory.h"
#include "model/rule/operations.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    TERMS_MAX = 12000,  /* limit of stored expressions, which have no or one operator; */
    TERMS_FEW = 3000,   /* of SYNTHESIS_FEW */
    TABLE_SIZE = 32768, /* a power of two above TERMS_MAX */
    CONSTANTS_MAX = 160,
    USUAL_MAX = 40,         /* limit of numbers that are tried in expressions with two operators */
    SELECTS_MAX = 48,       /* limit of the expressions that "if" chooses from */
    KINDS_EACH = 4,         /* list_found: after so many further kinds comes the next expression of one */
    DEEP_MAX = 6000000,     /* budget for expressions with two operators, in glances */
    CHECK_COST = 64,        /* a check of all examples costs as much as so many glances */
    WANTED_LEAST = 3,       /* expressions with two operators need at least so many examples that differ */
    GLANCE = 8,             /* is_promising evaluates an expression on so many examples: a glance */
    GLANCES_OF_EFFORT = 64, /* as much work as one unit of effort (learner.h) */
    EFFORT_OF_ALL = 10000,  /* the effort for all expressions with at most one operator */
};

struct enumeration {
    const struct unit *u;
    const struct example *example;
    uint32_t count, wanted;
    uint32_t mask; /* the bits of the point's width */
    struct term term[TERMS_MAX];
    uint32_t *value; /* value[i * SYNTHESIS_EXAMPLES + k] is the value of term i in example k */
    uint32_t terms, most, leaves, atoms; /* `most`: limit of terms */
    uint16_t table[TABLE_SIZE];          /* number of a term + 1 */
    uint16_t usual[USUAL_MAX];
    uint32_t usuals;
    struct kinds kinds;
    uint32_t evaluations;
};

static const uint8_t binary[] = {
    EXPRESSION_ADD,          EXPRESSION_SUBTRACT,       EXPRESSION_AND,           EXPRESSION_OR,
    EXPRESSION_XOR,          EXPRESSION_SHIFT_LEFT,     EXPRESSION_SHIFT_RIGHT,   EXPRESSION_MULTIPLY,
    EXPRESSION_MINIMUM,      EXPRESSION_MAXIMUM,        EXPRESSION_REMAINDER,     EXPRESSION_DIVIDE,
    EXPRESSION_ROTATE_RIGHT, EXPRESSION_ROTATE_LEFT,    EXPRESSION_SIGN_EXTEND,   EXPRESSION_ARITHMETIC_SHIFT,
    EXPRESSION_EQUAL,        EXPRESSION_DIFFERENT,      EXPRESSION_LESS,          EXPRESSION_GREATER_EQUAL,
    EXPRESSION_SIGNED_LESS,  EXPRESSION_SIGNED_MINIMUM, EXPRESSION_SIGNED_MAXIMUM};
enum { BINARY = sizeof binary, USUAL_BINARY = 10 };

/* ---- terms ---- */

/* Applies an operator in `count` examples at once. An operator with one operand does not use `y`. */
static void apply_some(unsigned op, const uint32_t *x, const uint32_t *y, uint32_t count, uint32_t *to)
{
#define APPLY_3(name, text, value)                                                                           \
    case EXPRESSION_##name:                                                                                  \
        for (uint32_t i = 0; i < count; i++) {                                                               \
            const uint32_t a = x[i], b = y[i], c = 0;                                                        \
            (void)b, (void)c;                                                                                \
            to[i] = (uint32_t)(value);                                                                       \
        }                                                                                                    \
        return;
#define APPLY_4(name, text, rank, value) APPLY_3(name, text, value)
    switch (op) {
        EXPRESSION_UNARY(APPLY_3)
        EXPRESSION_BINARY(APPLY_4)
        EXPRESSION_FUNCTION(APPLY_4)
    default:
        memset(to, 0, count * sizeof *to);
    }
#undef APPLY_4
#undef APPLY_3
}

static struct expression expand(const struct enumeration *n, const struct term *t)
{
    struct expression e = {.count = 0};
    const bool selects = t->op == EXPRESSION_SELECT;
    const uint32_t operand[] = {t->a, t->b, selects ? t->operand : NONE};
    for (unsigned i = 0; i < 3 && operand[i] != NONE; i++) {
        const struct expression part = expand(n, &n->term[operand[i]]);
        memcpy(e.node + e.count, part.node, part.count * sizeof *part.node);
        e.count += part.count;
    }
    e.node[e.count++] = (struct expression_node){t->op, selects ? 0 : t->operand};
    return e;
}

static uint32_t size_of(const struct enumeration *n, const struct term *t)
{
    uint32_t size = node_size(t->op, t->operand);
    if (t->a != NONE)
        size += size_of(n, &n->term[t->a]);
    if (t->b != NONE)
        size += size_of(n, &n->term[t->b]);
    if (t->op == EXPRESSION_SELECT)
        size += size_of(n, &n->term[t->operand]);
    return size;
}

/* Finds the set of examples that an expression satisfies, and adds the expression to the kind of this set. */
static void check(struct enumeration *n, const struct term *t, const uint32_t *value)
{
    uint64_t set[2] = {0};
    uint32_t wanted = 0, all = 0, cut[SYNTHESIS_EXAMPLES];
    for (uint32_t i = 0; i < n->count; i++) {
        cut[i] = value[i] & n->mask;
        wanted += n->example[i].differs && example_allows(&n->example[i], cut[i]);
    }
    if (!wanted || wanted * 4 < n->wanted || wanted < n->kinds.least)
        return;
    for (uint32_t i = 0; i < n->count; i++) {
        const bool good = example_allows(&n->example[i], cut[i]);
        set[i / 64] |= (uint64_t)good << (i % 64);
        all += good;
    }
    const struct kind k = {.set = {set[0], set[1]},
                           .wanted = wanted,
                           .all = all,
                           .term = {*t},
                           .size = {size_of(n, t)},
                           .hash = {XXH3_64bits(cut, n->count * sizeof *cut)}};
    kinds_add(&n->kinds, &k);
}

/* Stores an expression, unless a stored one gives the same values in all examples. */
static void add_term(struct enumeration *n, const struct term *t)
{
    if (n->terms == n->most)
        return;
    uint32_t *value = n->value + n->terms * SYNTHESIS_EXAMPLES;
    if (t->op == EXPRESSION_AT)
        for (uint32_t i = 0; i < n->count; i++) {
            const struct visit *at = n->example[i].at;
            value[i] = at->value[n->value[t->a * SYNTHESIS_EXAMPLES + i] % n->u->points[at->point].lanes];
        }
    else if (t->a == NONE)
        for (uint32_t i = 0; i < n->count; i++) {
            const struct expression e = {.count = 1, .node = {{t->op, t->operand}}};
            const struct expression_context c = visit_context(n->u, n->example[i].at, n->example[i].lane);
            value[i] = expression_evaluate(e.node, e.count, &c);
        }
    else
        apply_some(t->op, n->value + t->a * SYNTHESIS_EXAMPLES,
                   n->value + (t->b == NONE ? t->a : t->b) * SYNTHESIS_EXAMPLES, n->count, value);
    uint32_t slot = (uint32_t)XXH3_64bits(value, n->count * sizeof *value) & (TABLE_SIZE - 1);
    for (; n->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1))
        if (!memcmp(n->value + (n->table[slot] - 1U) * SYNTHESIS_EXAMPLES, value, n->count * sizeof *value))
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

/* Does the expression divide or multiply by a power of two? An expression with &, << or >> does the same. */
static bool is_roundabout(const struct enumeration *n, unsigned op, uint32_t b)
{
    const struct term *t = &n->term[b];
    return t->op == EXPRESSION_CONSTANT && !(t->operand & (t->operand - 1)) &&
           (op == EXPRESSION_REMAINDER || op == EXPRESSION_DIVIDE || op == EXPRESSION_MULTIPLY);
}

static void add_operator(struct enumeration *n, unsigned op, uint32_t a, uint32_t b)
{
    if (b != NONE && is_roundabout(n, op, b))
        return;
    const struct term t = {.op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b};
    add_term(n, &t);
}

/* ---- leaves ---- */

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

/* Adds numbers as leaves: first the most usual ones, then numbers that the examples suggest, then powers of
 * two, masks and further small numbers. */
static void add_numbers(struct enumeration *n)
{
    uint32_t width = n->u->points[n->example->at->point].width;
    static const uint8_t usual[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 24};
    for (unsigned i = 0; i < sizeof usual; i++)
        add_leaf(n, EXPRESSION_CONSTANT, usual[i]);
    if (width == 32) { /* factors that repeat a byte or a half */
        add_leaf(n, EXPRESSION_CONSTANT, 0x01010101);
        add_leaf(n, EXPRESSION_CONSTANT, 0x00010001);
    }
    for (uint32_t i = 0; i < n->count; i++) {
        const struct example *e = &n->example[i];
        uint32_t value = e->at->value[e->lane];
        for (uint32_t k = 0; e->differs && !e->narrow && k < e->count && k < 2; k++) {
            add_leaf(n, EXPRESSION_CONSTANT, e->value[k]);
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

/* Adds the values of other lanes: of a fixed lane, of lane + N, and of lane ^ N. */
static void add_lanes(struct enumeration *n)
{
    uint32_t lane = n->atoms - 1; /* add_atoms adds the lane's number last */
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

/* Is leaf `i` the value or an input of 32 bits? */
static bool is_word(const struct enumeration *n, uint32_t i)
{
    const struct point *p = &n->u->points[n->example->at->point];
    const struct term *t = &n->term[i];
    return t->op == EXPRESSION_VALUE ? p->width == 32
                                     : t->op == EXPRESSION_INPUT && p->input[t->operand].width == 32;
}

/* Operations of whole words. The two operands are the value or inputs of 32 bits, no numbers. */
static void add_word_operations(struct enumeration *n)
{
    static const uint8_t one[] = {
        EXPRESSION_FLOAT_OF_INT,       EXPRESSION_FLOAT_OF_INT_RTZ,     EXPRESSION_INT_OF_FLOAT,
        EXPRESSION_INT_OF_FLOAT_FLOOR, EXPRESSION_INT_OF_FLOAT_NEAREST, EXPRESSION_FLOAT_OF_HALF,
        EXPRESSION_HALF_OF_FLOAT,      EXPRESSION_LEADING_ZEROS,        EXPRESSION_ONES};
    static const uint8_t two[] = {EXPRESSION_FLOAT_ADD,          EXPRESSION_FLOAT_SUBTRACT,
                                  EXPRESSION_FLOAT_MULTIPLY,     EXPRESSION_FLOAT_ADD_RTZ,
                                  EXPRESSION_FLOAT_SUBTRACT_RTZ, EXPRESSION_FLOAT_MULTIPLY_RTZ,
                                  EXPRESSION_FLOAT_MINIMUM,      EXPRESSION_FLOAT_MAXIMUM,
                                  EXPRESSION_MULTIPLY_24,        EXPRESSION_MULTIPLY_HIGH,
                                  EXPRESSION_SIGNED_HIGH,        EXPRESSION_BYTES_ADD,
                                  EXPRESSION_BYTES_SUBTRACT,     EXPRESSION_BYTES_MINIMUM,
                                  EXPRESSION_BYTES_MAXIMUM,      EXPRESSION_BYTES_MULTIPLY};
    for (uint32_t i = 0; i < n->atoms; i++) {
        const bool word = is_word(n, i);
        for (unsigned k = 0; word && k < sizeof one; k++)
            add_operator(n, one[k], i, NONE);
        for (uint32_t other = 0; word && other < n->atoms; other++)
            for (unsigned k = 0; k < sizeof two; k++)
                add_operator(n, two[k], i, other);
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
    if (p->width >= 16)
        add_word_operations(n);
    for (uint32_t c = 0; c < n->leaves; c++) /* the leaves are ordered: the usual operands come first */
        for (uint32_t i = 0; i < n->atoms; i++)
            for (unsigned k = 0; k < BINARY; k++) {
                add_operator(n, binary[k], i, c);
                if (c >= n->atoms && !commutes(binary[k]) && binary[k] != EXPRESSION_SIGN_EXTEND)
                    add_operator(n, binary[k], c, i);
            }
}

/* Adds only the value, inputs, few numbers, and the usual operators on the value and one of these. */
static void add_few(struct enumeration *n)
{
    static const uint8_t usual[] = {0, 1, 2, 3, 4, 8, 16}, unary[] = {EXPRESSION_NOT, EXPRESSION_LOGICAL_NOT};
    const uint32_t width = n->u->points[n->example->at->point].width, value = 0; /* add_atoms adds it first */
    for (unsigned i = 0; i < sizeof usual; i++)
        add_leaf(n, EXPRESSION_CONSTANT, usual[i]);
    for (uint32_t k = 0; k < width; k++) {
        add_leaf(n, EXPRESSION_CONSTANT, 1U << k);
        add_leaf(n, EXPRESSION_CONSTANT, (1U << k) - 1);
    }
    n->leaves = n->terms;
    for (uint32_t i = 0; i < n->atoms; i++)
        for (unsigned k = 0; k < sizeof unary; k++)
            add_operator(n, unary[k], i, NONE);
    const struct term *not = &n->term[n->leaves];
    for (uint32_t i = 1; i < n->atoms && not ->op == EXPRESSION_NOT && not ->a == value; i++)
        add_operator(n, EXPRESSION_ADD, i, n->leaves); /* input - 1 - value: an index from the other end */
    for (uint32_t i = 0; i < n->leaves; i++)
        for (unsigned k = 0; k < USUAL_BINARY; k++) {
            add_operator(n, binary[k], value, i);
            if (i < n->atoms && !commutes(binary[k]))
                add_operator(n, binary[k], i, value);
        }
}

/* Does an expression satisfy enough of the first examples to be worth a check of all? This is fast, because
 * the first examples are those that differ, and most expressions satisfy none of them. */
static bool is_promising(const struct enumeration *n, const struct term *t, uint32_t *value)
{
    uint32_t good = 0, few = n->wanted < GLANCE ? n->wanted : GLANCE;
    apply_some(t->op, n->value + t->a * SYNTHESIS_EXAMPLES, n->value + t->b * SYNTHESIS_EXAMPLES, few, value);
    for (uint32_t i = 0; i < few; i++)
        good += example_allows(&n->example[i], value[i] & n->mask);
    return good * 4 >= few;
}

/* Tries an expression without storing it. */
static void try_term(struct enumeration *n, const struct term *t)
{
    uint32_t value[SYNTHESIS_EXAMPLES];
    n->evaluations++;
    if (!is_promising(n, t, value))
        return;
    apply_some(t->op, n->value + t->a * SYNTHESIS_EXAMPLES, n->value + t->b * SYNTHESIS_EXAMPLES, n->count,
               value);
    n->evaluations += CHECK_COST;
    check(n, t, value);
}

/* Tries the usual operators on a stored expression and a leaf. */
static void try_over(struct enumeration *n, uint32_t a, uint32_t b)
{
    for (unsigned k = 0; k < USUAL_BINARY; k++)
        for (unsigned turned = 0; turned < (commutes(binary[k]) ? 1U : 2U); turned++)
            try_term(n, &(struct term){.op = binary[k],
                                       .a = (uint16_t)(turned ? b : a),
                                       .b = (uint16_t)(turned ? a : b)});
}

/* Tries the minimum or maximum of a minimum or maximum and a leaf: units clamp and sort so. */
static void try_bounds(struct enumeration *n)
{
    static const uint8_t bounds[] = {EXPRESSION_FLOAT_MINIMUM, EXPRESSION_FLOAT_MAXIMUM,
                                     EXPRESSION_SIGNED_MINIMUM, EXPRESSION_SIGNED_MAXIMUM};
    for (uint32_t a = n->leaves; a < n->terms; a++)
        for (uint32_t b = 0; memchr(bounds, n->term[a].op, sizeof bounds) && b < n->atoms; b++)
            for (unsigned k = 0; k < sizeof bounds && is_word(n, b); k++)
                try_term(n, &(struct term){.op = bounds[k], .a = (uint16_t)a, .b = (uint16_t)b});
}

/* Is a stored expression 0 or the value in one fixed lane? */
static bool is_zero_or_fixed(const struct enumeration *n, uint32_t i)
{
    const struct term *t = &n->term[i];
    return t->op == EXPRESSION_CONSTANT ? !t->operand
                                        : t->op == EXPRESSION_AT && n->term[t->a].op == EXPRESSION_CONSTANT;
}

/* Tries "if(c, a, b)". `from`: the expressions that a and b are among. */
static void try_select(struct enumeration *n, uint32_t c, const uint16_t *from, uint32_t count)
{
    const uint32_t *chooses = n->value + c * SYNTHESIS_EXAMPLES;
    for (uint32_t i = 0; i < count * count; i++) {
        const uint16_t a = from[i / count], b = from[i % count];
        uint32_t value[SYNTHESIS_EXAMPLES];
        for (uint32_t k = 0; k < n->count; k++)
            value[k] = n->value[(uint32_t)(chooses[k] ? a : b) * SYNTHESIS_EXAMPLES + k];
        n->evaluations += CHECK_COST;
        if (a != b && a != c && b != c)
            check(n, &(struct term){EXPRESSION_SELECT, (uint16_t)c, a, b}, value);
    }
}

/* Is a stored expression an input of one bit, or one bit of a short input? */
static bool is_bit(const struct enumeration *n, uint32_t i)
{
    enum { SHORT = 4 };
    const struct point *p = &n->u->points[n->example->at->point];
    const struct term *t = &n->term[i];
    if (t->op == EXPRESSION_INPUT)
        return p->input[t->operand].width == 1;
    if (t->op != EXPRESSION_AND || n->term[t->a].op != EXPRESSION_INPUT ||
        n->term[t->b].op != EXPRESSION_CONSTANT)
        return false;
    const uint32_t mask = n->term[t->b].operand, width = p->input[n->term[t->a].operand].width;
    return width <= SHORT && mask && !(mask & (mask - 1)) && mask < 1U << width;
}

/* Units choose between operands by one bit, and treat lane 0 in another way than the others. */
static void try_selects(struct enumeration *n)
{
    uint16_t from[SELECTS_MAX];
    uint32_t count = 0;
    for (; count < n->atoms; count++)
        from[count] = (uint16_t)count;
    for (uint32_t c = 0; c < n->terms; c++)
        if (is_bit(n, c))
            try_select(n, c, from, count);
    if (n->term[n->atoms - 1].op != EXPRESSION_LANE) /* add_atoms adds the lane's number last */
        return;
    for (uint32_t i = n->atoms; i < n->terms && count < SELECTS_MAX; i++)
        if (is_zero_or_fixed(n, i))
            from[count++] = (uint16_t)i;
    try_select(n, n->atoms - 1, from, count);
}

/* At points of more than one bit, makes no expressions of truths: "value - !x" is "value - 1" with a guard,
 * and the guard leaves the other values to other rules. */
static void try_two_operators(struct enumeration *n)
{
    static const uint8_t truths[] = {EXPRESSION_LOGICAL_NOT,   EXPRESSION_EQUAL,
                                     EXPRESSION_DIFFERENT,     EXPRESSION_LESS,
                                     EXPRESSION_GREATER_EQUAL, EXPRESSION_SIGNED_LESS};
    try_selects(n);
    try_bounds(n);
    for (uint32_t a = n->leaves; a < n->terms && n->evaluations < DEEP_MAX; a++) {
        const bool good = n->mask == 1 || !memchr(truths, n->term[a].op, sizeof truths);
        for (uint32_t b = 0; good && b < n->atoms + n->usuals; b++)
            try_over(n, a, b < n->atoms ? b : n->usual[b - n->atoms]);
    }
}

/* ---- the enumeration ---- */

static struct enumeration *enumeration_new(const struct unit *u, const struct example *examples,
                                           uint32_t count, enum synthesis_extent extent)
{
    struct enumeration *n = memory_new(1, sizeof *n);
    uint32_t width = u->points[examples->at->point].width;
    n->most = extent == SYNTHESIS_FEW ? TERMS_FEW : TERMS_MAX;
    n->value = memory_new(n->most, SYNTHESIS_EXAMPLES * sizeof *n->value);
    n->u = u;
    n->example = examples;
    n->count = n->kinds.examples = count;
    n->mask = width < 32 ? (1U << width) - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        n->wanted += examples[i].differs;
    add_atoms(n);
    if (extent == SYNTHESIS_FEW) {
        add_few(n);
    } else {
        add_numbers(n);
        add_one_operator(n);
    }
    return n;
}

/* Lists one expression of a kind, if it has so many. */
static void list_term(const struct enumeration *n, const struct kind *from, uint32_t number,
                      struct expression found[SYNTHESIS_MAX], uint32_t *count)
{
    uint32_t known = 0;
    if (number >= from->terms)
        return;
    const struct expression e = expand(n, &from->term[number]);
    while (known < *count && !expression_equal(&found[known], &e))
        known++;
    if (known == *count && known < SYNTHESIS_MAX)
        found[(*count)++] = e;
}

/* Lists the smallest expressions of each kind, more of the first kinds than of the others. Kinds with many
 * satisfied examples and kinds with small expressions come in turn: the first need no guard, and the others
 * are often right where a guard limits them. */
static void list_found(struct enumeration *n, struct expression found[SYNTHESIS_MAX], uint32_t *count)
{
    struct kinds *simple = memory_new(1, sizeof *simple);
    kinds_sort(&n->kinds, false);
    *simple = n->kinds;
    kinds_sort(simple, true);
    for (uint32_t turn = 0; turn < simple->count + KINDS_EACH * TERMS_OF_KIND; turn++)
        for (uint32_t k = 0; k < TERMS_OF_KIND && k * KINDS_EACH <= turn; k++) {
            const uint32_t i = turn - k * KINDS_EACH;
            if (i < simple->count) {
                list_term(n, &n->kinds.kind[i], k, found, count);
                list_term(n, &simple->kind[i], k, found, count);
            }
        }
    free(simple);
}

uint32_t synthesis_run(const struct unit *u, const struct example *examples, uint32_t count,
                       struct expression found[SYNTHESIS_MAX], uint64_t *effort)
{
    uint32_t result = 0, seen = count < SYNTHESIS_EXAMPLES ? count : SYNTHESIS_EXAMPLES;
    if (!count)
        return 0;
    struct enumeration *n = enumeration_new(u, examples, seen, SYNTHESIS_ONE_OPERATOR);
    if (!kinds_satisfy_all(&n->kinds) && n->wanted >= WANTED_LEAST && n->mask > 1)
        try_two_operators(n);
    list_found(n, found, &result);
    *effort += EFFORT_OF_ALL + n->evaluations / GLANCES_OF_EFFORT;
    free(n->value);
    free(n);
    return result;
}

/* Lists visits of the point in several runs as examples: half from the first run, the others from the rest.
 */
static uint32_t list_visits(const struct visits *const *runs, uint32_t count, unsigned point,
                            struct example all[SYNTHESIS_EXAMPLES])
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t most = count == 1 ? SYNTHESIS_EXAMPLES : SYNTHESIS_EXAMPLES / 2;
        if (i)
            most += SYNTHESIS_EXAMPLES / 2 * i / (count - 1);
        for (const struct visit *at = visits_first(runs[i], point); at; at = visits_next(runs[i], at))
            for (uint32_t lane = 0; lane < runs[i]->unit->points[point].lanes && listed < most; lane++)
                all[listed++] = (struct example){.at = at, .lane = (uint8_t)lane};
    }
    return listed;
}

/* Puts the hash of a term's values, cut to the point's width, into the table of those seen. Returns false if
 * it is there already, or if the term changes no value. */
static bool is_new_change(const struct enumeration *n, uint32_t term, uint64_t seen[TABLE_SIZE])
{
    const uint32_t *value = n->value + term * SYNTHESIS_EXAMPLES;
    uint32_t cut[SYNTHESIS_EXAMPLES];
    bool changes = false;
    for (uint32_t k = 0; k < n->count; k++) {
        cut[k] = value[k] & n->mask;
        changes |= cut[k] != n->example[k].at->now[n->example[k].lane];
    }
    const uint64_t hash = XXH3_64bits(cut, n->count * sizeof *cut) | 1; /* 0: an empty entry */
    uint32_t slot = (uint32_t)(hash >> 1) & (TABLE_SIZE - 1);
    while (seen[slot] && seen[slot] != hash)
        slot = (slot + 1) & (TABLE_SIZE - 1);
    const bool unseen = !seen[slot];
    seen[slot] = hash;
    return unseen && changes;
}

void synthesis_small(const struct visits *const *runs, uint32_t count, unsigned point,
                     enum synthesis_extent extent, bool (*each)(void *context, const struct expression *e),
                     void *context)
{
    struct example all[SYNTHESIS_EXAMPLES];
    const uint32_t listed = list_visits(runs, count, point, all);
    bool more = true;
    if (!listed)
        return;
    struct enumeration *n = enumeration_new(runs[0]->unit, all, listed, extent);
    uint64_t *seen = memory_new(TABLE_SIZE, sizeof *seen);
    for (uint32_t i = 1; i < n->terms && more; i++) { /* term 0 is the value itself */
        if (!is_new_change(n, i, seen))
            continue;
        const struct expression e = expand(n, &n->term[i]);
        more = each(context, &e);
    }
    free(seen);
    free(n->value);
    free(n);
}
