/* SPDX-License-Identifier: MIT */
#include "oracle/describe/rule_condition.h"

#include <inttypes.h>
#include <string.h>

enum {
    FEW_BITS = 6,   /* combinations of operands with so many bits together are listed */
    SMALL_BITS = 3, /* the numbers of one operand with so many bits are always listed */
    TABLE_BITS = 8, /* the numbers of one operand with so many bits are listed if no phrase is simpler */
    COMBINATIONS = 1 << TABLE_BITS,
};

/* ---- what a condition reads ---- */

static void add_reads(const struct expression_node *n, uint32_t *reads, bool *lanes)
{
    if (n->op == EXPRESSION_VALUE)
        *reads |= UINT32_C(1) << WORDS_OF_VALUE;
    else if (n->op == EXPRESSION_INPUT)
        *reads |= UINT32_C(1) << n->operand;
    *lanes |= n->op == EXPRESSION_LANE || n->op == EXPRESSION_AT || n->op == EXPRESSION_AT_INPUT;
}

/* Returns the index of the first node of the operand that ends before node `end`. */
static uint32_t operand_start(const struct expression *e, uint32_t end)
{
    for (uint32_t needed = 1; needed && end;) {
        const struct expression_node *n = &e->node[--end];
        needed += expression_arity((enum expression_operator)n->op) - 1;
        end -= n->op == EXPRESSION_TABLE ? n->operand : 0; /* its cells, which are no operands */
    }
    return end;
}

/* Calls add_reads for the nodes that are no cells of a table. */
static uint32_t reads_of(const struct expression *e, uint32_t from, uint32_t to, bool *lanes)
{
    uint32_t reads = 0;
    *lanes = false;
    for (uint32_t at = to; at > from;) {
        const struct expression_node *n = &e->node[--at];
        add_reads(n, &reads, lanes);
        at -= n->op == EXPRESSION_TABLE ? n->operand : 0;
    }
    return reads;
}

uint32_t expression_reads(const struct expression *e, bool *lanes)
{
    return reads_of(e, 0, e->count, lanes);
}

static void split(struct condition *c, uint32_t from, uint32_t to)
{
    const uint32_t middle =
        c->e->node[to - 1].op == EXPRESSION_LOGICAL_AND ? operand_start(c->e, to - 1) : from;
    if (middle > from && c->count + 1 < CONJUNCTS_MAX) {
        split(c, from, middle);
        split(c, middle, to - 1);
        return;
    }
    struct conjunct *k = &c->part[c->count++];
    *k = (struct conjunct){.from = from, .to = to};
    k->reads = reads_of(c->e, from, to, &k->lanes);
}

void condition_split(const struct expression *e, struct condition *c)
{
    c->e = e;
    c->count = 0;
    if (e->count)
        split(c, 0, e->count);
}

static uint32_t evaluate(const struct expression_node *node, uint32_t count, const struct point *p,
                         const uint32_t number[OPERANDS_MAX])
{
    uint32_t input[POINT_INPUT_WORDS_MAX] = {0}, value[POINT_LANES_MAX] = {number[WORDS_OF_VALUE]};
    const unsigned vectors = point_vectors(p);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        input[point_input_at(vectors, i)] = number[i];
    const struct expression_context x = {.value = value, .input = input, .vectors = vectors, .lanes = 1};
    return expression_evaluate(node, count, &x);
}

bool conjunct_fixes(const struct condition *c, unsigned n, unsigned *operand, uint32_t *number)
{
    const struct conjunct *k = &c->part[n];
    const struct expression_node *node = c->e->node + k->from;
    const uint32_t count = k->to - k->from;
    if (node[0].op != EXPRESSION_VALUE && node[0].op != EXPRESSION_INPUT)
        return false;
    *operand = node[0].op == EXPRESSION_VALUE ? (unsigned)WORDS_OF_VALUE : node[0].operand;
    *number = count == 3 ? node[1].operand : 0;
    return (count == 3 && node[1].op == EXPRESSION_CONSTANT && node[2].op == EXPRESSION_EQUAL) ||
           (count == 2 && node[1].op == EXPRESSION_LOGICAL_NOT);
}

/* ---- the numbers of one operand ---- */

static unsigned width_of(const struct rule_words *w, unsigned operand)
{
    return operand == WORDS_OF_VALUE ? w->p->width : w->p->input[operand].width;
}

/* Adds the words of a yes or no that has one of its two numbers. */
static void add_answer(const struct rule_words *w, unsigned operand, uint32_t number)
{
    size_t length;
    const char *about = words_about(w, operand), *says = words_statement(about, number, &length);
    if (operand == WORDS_OF_VALUE && words_is_statement(about)) {
        text_add(w->t, number ? "the document says yes" : "the document says no");
    } else if (says) {
        text_add_chars(w->t, says, length);
    } else {
        words_add_name(w, operand);
        text_add(w->t, " is ");
        words_add_number(w, operand, number);
    }
}

/* Adds "is 1 (halves) or 2 (words)", or "is neither ... nor ...": the numbers up to `most` for which `holds`
 * is `which`. */
static void add_list(const struct rule_words *w, unsigned operand, const bool *holds, uint32_t most,
                     bool which, unsigned count)
{
    unsigned listed = 0;
    text_add(w->t, which ? " is " : count > 1 ? " is neither " : " is not ");
    for (uint32_t n = 0; n <= most; n++)
        if (holds[n] == which) {
            text_add(w->t, "%s", !listed ? "" : !which ? " nor " : listed + 1 < count ? ", " : " or ");
            words_add_number(w, operand, n);
            listed++;
        }
}

/* Adds that the operand has one of the numbers for which `holds` is true. False if there is no short list. */
static bool add_numbers(const struct rule_words *w, unsigned operand, const bool *holds)
{
    enum { LIST = 6, BUT = 3 };
    const uint32_t most = (UINT32_C(1) << width_of(w, operand)) - 1;
    unsigned count = 0, runs = 0;
    uint32_t first = 0, last = 0;
    for (uint32_t n = 0; n <= most; n++) {
        count += holds[n];
        runs += holds[n] && (!n || !holds[n - 1]);
        first = holds[n] && count == 1 ? n : first;
        last = holds[n] ? n : last;
    }
    const bool range = runs == 1 && count > 2, few = count && count <= LIST, but = most + 1 - count <= BUT;
    if (most == 1 && count == 1) {
        add_answer(w, operand, first);
        return true;
    }
    if (!range && !few && !but)
        return false;
    words_add_name(w, operand);
    if (range && (first || last < most) && (count > BUT || !words_has_meaning(w, operand, first)) &&
        !(but && words_has_meaning(w, operand, first ? 0 : most)))
        text_add(w->t,
                 !first         ? " is at most %" PRIu32
                 : last == most ? " is at least %" PRIu32
                                : " is from %" PRIu32 " to %" PRIu32,
                 !first ? last : first, last);
    else
        add_list(w, operand, holds, most, !but || count <= BUT,
                 but && count > BUT ? most + 1 - count : count);
    return true;
}

/* ---- combinations of few numbers ---- */

/* The combinations of the numbers of some operands under which a condition holds. */
struct combinations {
    unsigned operand[OPERANDS_MAX], shift[OPERANDS_MAX], bits[OPERANDS_MAX], operands;
    bool holds[COMBINATIONS];
    uint32_t count; /* of combinations */
};

/* Marks the numbers of operand `k` that occur in a combination which holds. Returns how many they are. */
static unsigned project(const struct combinations *c, unsigned k, bool *numbers)
{
    const uint32_t mask = (UINT32_C(1) << c->bits[k]) - 1;
    unsigned count = 0;
    memset(numbers, 0, COMBINATIONS * sizeof *numbers);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->holds[i] && !numbers[i >> c->shift[k] & mask]) {
            numbers[i >> c->shift[k] & mask] = true;
            count++;
        }
    return count;
}

/* Adds the words of combinations that hold whenever each operand for itself has a suitable number: "A and B".
 * False if they are no such combinations, or if there is no short list. */
static bool add_product(const struct rule_words *w, const struct combinations *c)
{
    bool numbers[COMBINATIONS];
    unsigned listed = 0;
    uint32_t product = 1, holding = 0;
    for (uint32_t i = 0; i < c->count; i++)
        holding += c->holds[i];
    for (unsigned k = 0; k < c->operands; k++)
        product *= project(c, k, numbers);
    if (product != holding || !holding || holding == c->count)
        return false;
    for (unsigned k = 0; k < c->operands; k++) {
        if (project(c, k, numbers) == UINT32_C(1) << c->bits[k])
            continue;
        text_add(w->t, "%s", listed++ ? " and " : "");
        if (!add_numbers(w, c->operand[k], numbers))
            return false;
    }
    return true;
}

/* Are the combinations with two numbers of operand `k` the same ones? */
static bool same_rest(const struct combinations *c, unsigned k, uint32_t a, uint32_t b)
{
    const uint32_t mask = ((UINT32_C(1) << c->bits[k]) - 1) << c->shift[k];
    for (uint32_t i = 0; i < c->count; i++)
        if ((i & mask) == a << c->shift[k] && c->holds[i] != c->holds[(i & ~mask) | b << c->shift[k]])
            return false;
    return true;
}

/* Adds "either A and B, or C and D": for each number of operand `k`, what must hold of the others. */
static bool add_choice(const struct rule_words *w, const struct combinations *c, unsigned k)
{
    enum { ALTERNATIVES = 4 };
    const uint32_t most = (UINT32_C(1) << c->bits[k]) - 1;
    struct text alternative[ALTERNATIVES] = {{0}};
    unsigned listed = 0;
    bool good = true, done[COMBINATIONS] = {false};
    for (uint32_t n = 0; n <= most && good; n++) {
        struct combinations part = *c;
        bool any = false;
        if (done[n])
            continue;
        for (uint32_t other = n; other <= most; other++)
            done[other] |= same_rest(c, k, n, other);
        for (uint32_t i = 0; i < c->count; i++) {
            const uint32_t number = i >> c->shift[k] & most;
            part.holds[i] &= same_rest(c, k, n, number);
            any |= part.holds[i];
        }
        if (!any)
            continue;
        struct rule_words words = *w;
        good = listed < ALTERNATIVES;
        words.t = &alternative[good ? listed++ : 0];
        good = good && add_product(&words, &part);
    }
    for (unsigned i = 0; i < listed; i++) {
        if (good)
            text_add(w->t, "%s%s", i ? ", or " : "either ", text_chars(&alternative[i]));
        text_free(&alternative[i]);
    }
    return good && listed > 1;
}

/* Adds the combinations in words. False if there is no short list. */
static bool add_combinations(const struct rule_words *w, const struct combinations *c)
{
    struct text t = {0};
    struct rule_words words = *w;
    words.t = &t;
    bool good = add_product(&words, c);
    for (unsigned k = 0; k < c->operands && !good; k++) {
        text_clear(&t);
        good = add_choice(&words, c, k);
    }
    if (good)
        text_add(w->t, "%s", text_chars(&t));
    text_free(&t);
    return good;
}

static unsigned bits_of(const struct rule_words *w, uint32_t reads)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < OPERANDS_MAX; i++)
        bits += reads >> i & 1 ? width_of(w, i) : 0;
    return bits;
}

/* Prepares combinations of all numbers of the operands, none of which holds. */
static void prepare(const struct rule_words *w, uint32_t reads, struct combinations *c)
{
    unsigned shift = 0;
    c->operands = 0;
    for (unsigned i = 0; i < OPERANDS_MAX; i++)
        if (reads >> i & 1) {
            const unsigned k = c->operands++;
            c->operand[k] = i;
            c->bits[k] = width_of(w, i);
            c->shift[k] = shift;
            shift += c->bits[k];
        }
    c->count = UINT32_C(1) << shift;
    memset(c->holds, 0, sizeof c->holds);
}

/* Returns the numbers of the operands in combination `i`. */
static void numbers_of(const struct combinations *c, uint32_t i, uint32_t number[OPERANDS_MAX])
{
    memset(number, 0, OPERANDS_MAX * sizeof *number);
    for (unsigned k = 0; k < c->operands; k++)
        number[c->operand[k]] = i >> c->shift[k] & ((UINT32_C(1) << c->bits[k]) - 1);
}

/* Lists the combinations under which all parts of the set hold. */
static void combine(const struct rule_words *w, const struct condition *c, uint32_t parts, uint32_t reads,
                    struct combinations *found)
{
    prepare(w, reads, found);
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t number[OPERANDS_MAX];
        numbers_of(found, i, number);
        found->holds[i] = true;
        for (unsigned n = 0; n < c->count; n++)
            if (parts >> n & 1)
                found->holds[i] &= evaluate(c->e->node + c->part[n].from, c->part[n].to - c->part[n].from,
                                            w->p, number) != 0;
    }
}

/* ---- phrases by form ---- */

/* Adds the name of nodes `from` to `to`: of the value, of an input, of their low bits; or else the code. */
static void add_operand(const struct rule_words *w, const struct expression *e, uint32_t from, uint32_t to)
{
    const struct expression_node *n = e->node + from;
    const bool low = to - from == 3 && n[1].op == EXPRESSION_CONSTANT && n[2].op == EXPRESSION_AND &&
                     n[1].operand && !(n[1].operand & (n[1].operand + 1));
    if ((to - from == 1 || low) && (n->op == EXPRESSION_VALUE || n->op == EXPRESSION_INPUT)) {
        const unsigned bits = low ? (unsigned)__builtin_popcount(n[1].operand) : 0;
        if (bits == 1)
            text_add(w->t, "bit 0 of ");
        else if (bits)
            text_add(w->t, "the number in the lowest %u bits of ", bits);
        words_add_name(w, n->op == EXPRESSION_VALUE ? (unsigned)WORDS_OF_VALUE : n->operand);
        return;
    }
    struct expression part = {.count = to - from};
    memcpy(part.node, n, part.count * sizeof *part.node);
    text_add(w->t, "`");
    expression_print(&part, w->p, w->t);
    text_add(w->t, "`");
}

/* Adds that bits of nodes `from` to `to` are 1 or, with `none`, all 0. */
static void add_bits(const struct rule_words *w, const struct expression *e, uint32_t from, uint32_t to,
                     uint32_t bits, bool none)
{
    const unsigned count = (unsigned)__builtin_popcount(bits);
    unsigned listed = 0;
    text_add(w->t, count == 1 ? "bit " : none ? "none of the bits " : "at least one of the bits ");
    for (unsigned i = 0; i < 32; i++)
        if (bits >> i & 1) {
            text_add(w->t, "%s%u", !listed ? "" : listed + 1 == count ? " and " : ", ", i);
            listed++;
        }
    text_add(w->t, " of ");
    add_operand(w, e, from, to);
    text_add(w->t, none && count == 1 ? " is 0" : " is 1");
}

static const char *words_of_comparison(enum expression_operator op)
{
    return op == EXPRESSION_EQUAL           ? "is"
           : op == EXPRESSION_DIFFERENT     ? "is not"
           : op == EXPRESSION_LESS          ? "is below"
           : op == EXPRESSION_LESS_EQUAL    ? "is at most"
           : op == EXPRESSION_GREATER       ? "is above"
           : op == EXPRESSION_GREATER_EQUAL ? "is at least"
                                            : NULL;
}

/* Adds a comparison: "the value is at least 9", "the value is a multiple of 4". */
static void add_comparison(const struct rule_words *w, const struct expression *e, const struct conjunct *k,
                           uint32_t middle, const char *is)
{
    const uint32_t from = k->from, to = k->to;
    const struct expression_node *left = e->node + from, *right = e->node + middle;
    const enum expression_operator op = (enum expression_operator)e->node[to - 1].op;
    const bool number = middle + 2 == to && right->op == EXPRESSION_CONSTANT, one = middle == from + 1;
    if (number && middle == from + 3 && left[2].op == EXPRESSION_REMAINDER && !right->operand &&
        left[1].op == EXPRESSION_CONSTANT && (op == EXPRESSION_EQUAL || op == EXPRESSION_DIFFERENT)) {
        add_operand(w, e, from, from + 1);
        text_add(w->t, " %s a multiple of %" PRIu32, is, left[1].operand);
        return;
    }
    if (number && middle == from + 3 && left[2].op == EXPRESSION_AND && !right->operand &&
        left[1].op == EXPRESSION_CONSTANT && (op == EXPRESSION_EQUAL || op == EXPRESSION_DIFFERENT)) {
        add_bits(w, e, from, from + 1, left[1].operand, op == EXPRESSION_EQUAL);
        return;
    }
    add_operand(w, e, from, middle);
    text_add(w->t, " %s ", is);
    if (!number)
        add_operand(w, e, middle, to - 1);
    else if (one && (left->op == EXPRESSION_VALUE || left->op == EXPRESSION_INPUT))
        words_add_number(w, left->op == EXPRESSION_VALUE ? (unsigned)WORDS_OF_VALUE : left->operand,
                         right->operand);
    else
        text_add(w->t, right->operand < 4096 ? "%" PRIu32 : "0x%" PRIx32, right->operand);
}

/* Adds a part of a condition by its form. */
static void add_form(const struct rule_words *w, const struct expression *e, const struct conjunct *k)
{
    const enum expression_operator op = (enum expression_operator)e->node[k->to - 1].op;
    const bool pair = expression_arity(op) == 2 && op != EXPRESSION_TABLE; /* a table has no phrase */
    const uint32_t middle = pair ? operand_start(e, k->to - 1) : k->from;
    const struct expression_node *right = e->node + middle;
    const char *is = pair ? words_of_comparison(op) : NULL;
    if (is) {
        add_comparison(w, e, k, middle, is);
    } else if (op == EXPRESSION_AND && middle + 2 == k->to && right->op == EXPRESSION_CONSTANT &&
               right->operand) {
        add_bits(w, e, k->from, middle, right->operand, false);
    } else if (op == EXPRESSION_LOGICAL_NOT) {
        add_operand(w, e, k->from, k->to - 1);
        text_add(w->t, " is 0");
    } else {
        add_operand(w, e, k->from, k->to);
        text_add(w->t, op == EXPRESSION_LOGICAL_OR ? " holds" : " is not 0");
    }
}

/* ---- conditions ---- */

/* Is part `k` a phrase by itself: a comparison with a number, or the test of one bit? */
static bool is_simple(const struct condition *c, const struct conjunct *k)
{
    const struct expression_node *n = c->e->node + k->from;
    const uint32_t count = k->to - k->from;
    return count == 1 || (count == 2 && n[1].op == EXPRESSION_LOGICAL_NOT) ||
           (count == 3 && n[1].op == EXPRESSION_CONSTANT &&
            (words_of_comparison((enum expression_operator)n[2].op) || n[2].op == EXPRESSION_AND));
}

/* Returns the parts that need words together with part `n`, because they read the same operands, and sets
 * what they read. */
static uint32_t related_parts(const struct rule_words *w, const struct condition *c, unsigned n,
                              uint32_t *reads)
{
    uint32_t parts = UINT32_C(1) << n, before = 0;
    *reads = c->part[n].reads;
    while (parts != before) {
        before = parts;
        for (unsigned i = 0; i < c->count; i++) {
            const struct conjunct *k = &c->part[i];
            if (k->done || k->lanes || !(k->reads & *reads) || bits_of(w, *reads | k->reads) > FEW_BITS)
                continue;
            parts |= UINT32_C(1) << i;
            *reads |= k->reads;
        }
    }
    return parts;
}

void condition_add(const struct rule_words *w, struct condition *c)
{
    bool any = false;
    for (unsigned n = 0; n < c->count; n++) {
        struct conjunct *k = &c->part[n];
        struct combinations few;
        uint32_t reads = k->reads, parts = UINT32_C(1) << n;
        if (k->done)
            continue;
        const size_t length = w->t->length;
        text_add(w->t, "%s", any ? " and " : "");
        if (!k->lanes && bits_of(w, reads) <= FEW_BITS)
            parts = related_parts(w, c, n, &reads);
        const unsigned bits = bits_of(w, reads);
        const bool alone = parts == UINT32_C(1) << n, one = !(reads & (reads - 1));
        bool listed = false;
        if (!k->lanes && reads && bits <= (one ? TABLE_BITS : FEW_BITS) &&
            !(alone && is_simple(c, k) && bits > SMALL_BITS)) {
            combine(w, c, parts, reads, &few);
            listed = add_combinations(w, &few);
        }
        if (!listed) {
            parts = UINT32_C(1) << n;
            add_form(w, c->e, k);
        }
        for (unsigned i = 0; i < c->count; i++)
            c->part[i].done |= parts >> i & 1;
        any |= w->t->length > length;
    }
}

/* ---- results over few numbers ---- */

bool results_add(const struct rule_words *w, const struct expression *result, const struct expression *guard)
{
    enum { OPERAND_BITS = 4, RESULTS = 8 };
    bool lanes, good = true;
    struct combinations c;
    uint32_t value[COMBINATIONS], to[RESULTS];
    bool possible[COMBINATIONS];
    unsigned results = 0;
    const uint32_t reads = expression_reads(result, &lanes);
    if (lanes || !reads || reads >> WORDS_OF_VALUE || bits_of(w, reads) > OPERAND_BITS)
        return false;
    prepare(w, reads, &c);
    for (uint32_t i = 0; i < c.count && good; i++) {
        uint32_t number[OPERANDS_MAX];
        unsigned known = 0;
        numbers_of(&c, i, number);
        possible[i] = !guard->count || expression_can_hold(guard->node, guard->count, number, reads);
        value[i] = evaluate(result->node, result->count, w->p, number) & point_mask(w->p);
        while (known < results && to[known] != value[i])
            known++;
        if (possible[i] && known == results && results < RESULTS)
            to[results++] = value[i];
        good = !possible[i] || known < RESULTS;
    }
    if (!good || results < 2)
        return false;
    struct text t = {0};
    struct rule_words words = *w;
    words.t = &t;
    for (unsigned k = 0; k < results && good; k++) {
        for (uint32_t i = 0; i < c.count; i++)
            c.holds[i] = possible[i] && value[i] == to[k];
        text_add(&t, "%s", !k ? " is " : k + 1 < results ? ", " : ", and ");
        words_add_number(&words, WORDS_OF_VALUE, to[k]);
        text_add(&t, " where ");
        good = add_combinations(&words, &c);
    }
    if (good)
        text_add(w->t, "%s", text_chars(&t));
    text_free(&t);
    return good;
}

bool result_bit_add(const struct rule_words *w, const struct expression *result)
{
    bool lanes;
    struct combinations c;
    const uint32_t reads = expression_reads(result, &lanes);
    const enum expression_operator op = (enum expression_operator)result->node[result->count - 1].op;
    if (!lanes && reads && bits_of(w, reads) <= FEW_BITS) {
        prepare(w, reads, &c);
        for (uint32_t i = 0; i < c.count; i++) {
            uint32_t number[OPERANDS_MAX];
            numbers_of(&c, i, number);
            c.holds[i] = evaluate(result->node, result->count, w->p, number) & 1;
        }
        if (add_combinations(w, &c))
            return true;
    }
    if (op != EXPRESSION_LOGICAL_AND && op != EXPRESSION_LOGICAL_NOT && !words_of_comparison(op))
        return false;
    struct condition condition;
    condition_split(result, &condition);
    condition_add(w, &condition);
    return true;
}
