/* SPDX-License-Identifier: MIT */
#include "oracle/describe/rule_text.h"

#include "model/rule/point.h"

#include <inttypes.h>
#include <string.h>

/* ---- the form of an expression ---- */

/* Is it `value OP number`? */
static bool is_of_value(const struct expression *e, enum expression_operator op, uint32_t *number)
{
    const struct expression_node *n = e->node;
    if (e->count != 3 || n[2].op != op || n[0].op != EXPRESSION_VALUE || n[1].op != EXPRESSION_CONSTANT)
        return false;
    *number = n[1].operand;
    return true;
}

static uint32_t ones(unsigned bits)
{
    return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

/* Returns how many low bits of the value the expression keeps, if it does nothing else; else 0. */
static unsigned kept_bits(const struct expression *e, unsigned width)
{
    uint32_t number;
    for (unsigned bits = 1; bits < width; bits++)
        if ((is_of_value(e, EXPRESSION_AND, &number) && (number & ones(width)) == ones(bits)) ||
            (is_of_value(e, EXPRESSION_REMAINDER, &number) && number == ones(bits) + 1) ||
            (is_of_value(e, EXPRESSION_LOW_BITS, &number) && number == bits))
            return bits;
    return 0;
}

/* ---- sentences ---- */

/* Adds the first part of the point's description, up to ";", ":" or ",". It names the quantity; the rest
 * explains its numbers. */
static void add_name(const struct point *p, struct text *t)
{
    size_t length = strcspn(p->about, ";:,"), first = strcspn(p->about, " ");
    bool lower = p->about[0] >= 'a' && p->about[0] <= 'z';
    bool article = (first == 3 && !strncmp(p->about, "the", 3)) || (first == 1 && p->about[0] == 'a');
    if (article)
        text_add(t, "%c", p->about[0] - 'a' + 'A');
    else if (lower)
        text_add(t, "The ");
    text_add_chars(t, p->about + article, length - article);
}

/* Writes "bit 5 is" or "bits 5 to 7 are", or a list. */
static void add_bits(uint32_t bits, struct text *t)
{
    unsigned count = (unsigned)__builtin_popcount(bits), low = (unsigned)__builtin_ctz(bits),
             high = 31U - (unsigned)__builtin_clz(bits), listed = 0;
    text_add(t, "bit%s ", plural(count));
    if (count > 2 && high - low + 1 == count)
        text_add(t, "%u to %u", low, high);
    else
        for (unsigned i = 0; i < 32; i++)
            if (bits >> i & 1)
                text_add(t, "%s%u", !listed++ ? "" : listed == count ? " and " : ", ", i);
    text_add(t, count == 1 ? " is" : " are");
}

/* Writes what the expression does ("counts modulo 32: bit 5 is ignored"). False if there is no phrase for an
 * expression of this form. */
static bool add_phrase(const struct point *p, const struct expression *e, struct text *t)
{
    uint32_t number = 0, all = ones(p->width);
    unsigned kept = kept_bits(e, p->width);
    if (kept) {
        text_add(t, " counts modulo %" PRIu64 ": ", UINT64_C(1) << kept);
        add_bits(all & ~ones(kept), t);
        text_add(t, " ignored");
    } else if (is_of_value(e, EXPRESSION_AND, &number) && (all & ~number)) {
        text_add(t, ": ");
        add_bits(all & ~number, t);
        text_add(t, " taken as 0");
    } else if (is_of_value(e, EXPRESSION_OR, &number) && (number & all)) {
        text_add(t, ": ");
        add_bits(number & all, t);
        text_add(t, " taken as 1");
    } else if (is_of_value(e, EXPRESSION_XOR, &number) && (number & all)) {
        text_add(t, ": ");
        add_bits(number & all, t);
        text_add(t, " inverted");
    } else if (is_of_value(e, EXPRESSION_ADD, &number)) {
        text_add(t, " is taken %" PRIu32 " too high", number);
    } else if (is_of_value(e, EXPRESSION_SUBTRACT, &number)) {
        text_add(t, " is taken %" PRIu32 " too low", number);
    } else if (is_of_value(e, EXPRESSION_MULTIPLY, &number)) {
        text_add(t, " counts %" PRIu32 " times", number);
    } else if (is_of_value(e, EXPRESSION_ROTATE_LEFT, &number)) {
        text_add(t, " is rotated left by %" PRIu32 " bits", number);
    } else if (e->count == 1 && e->node[0].op == EXPRESSION_CONSTANT) {
        text_add(t, " is always %" PRIu32, e->node[0].operand);
    } else {
        return false;
    }
    return true;
}

void rule_describe(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    add_name(p, t);
    if (!add_phrase(p, &r->result, t)) {
        text_add(t, " is `");
        expression_print_result(&r->result, p, t);
        text_add(t, "` instead of what the document says (`value`)");
    }
    if (r->guard.count) {
        text_add(t, ", where `");
        expression_print(&r->guard, p, t);
        text_add(t, "`");
    }
}

void rule_document(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    text_add(t, "The document has %u bit%s%s (%s).", p->width, plural(p->width),
             p->lanes > 1 ? " in each of 16 lanes" : "", p->where);
}

bool rule_next(const struct unit *u, const char **line, struct rule *r)
{
    const struct unit *of;
    struct error ignored;
    size_t length = strcspn(*line, "\n");
    if (!length || !rule_parse(*line, length, &of, r, &ignored) || of != u)
        return false;
    *line += length + ((*line)[length] == '\n');
    return true;
}

bool rule_of_value(const struct rule *r)
{
    bool alone = true;
    for (uint32_t i = 0; i < r->result.count; i++)
        alone &= r->result.node[i].op != EXPRESSION_INPUT && r->result.node[i].op != EXPRESSION_LANE &&
                 r->result.node[i].op != EXPRESSION_AT;
    return alone;
}

/* ---- sweeps ---- */

void rule_sweep(const struct unit *u, const struct rule *r, const uint32_t *input, struct rule_sweep *s)
{
    const struct point *p = &u->points[r->point];
    uint32_t all = ones(p->width), lanes[POINT_LANES_MAX];
    enum { STEPS = 64 };
    s->whole = p->width <= 8;
    s->count = s->whole ? all + 1 : STEPS;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t value = s->whole ? i : (uint32_t)((uint64_t)all * i / (STEPS - 1));
        for (unsigned lane = 0; lane < POINT_LANES_MAX; lane++)
            lanes[lane] = value;
        const struct expression_context x = {.value = lanes,
                                             .input = input,
                                             .vectors = point_vectors(p),
                                             .lanes = p->lanes};
        bool acts = !r->guard.count || expression_evaluate(r->guard.node, r->guard.count, &x);
        s->value[i] = value;
        s->result[i] = acts ? expression_evaluate(r->result.node, r->result.count, &x) & all : value;
    }
}

void rule_sweep_print(const struct rule_sweep *s, struct text *t)
{
    enum { SHOWN = 4 };
    uint32_t changed = 0, shown = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        bool changes = s->value[i] != s->result[i];
        bool border = !changes && i + 1 < s->count && s->value[i + 1] != s->result[i + 1];
        changed += changes;
        if ((!changes && !border) || shown == SHOWN)
            continue;
        text_add(t, s->whole ? "%s%" PRIu32 " %s %" PRIu32 : "%s0x%" PRIx32 " %s 0x%" PRIx32,
                 shown++ ? ", " : "", s->value[i], changes ? "becomes" : "stays", s->result[i]);
    }
    text_add(t, "%s%" PRIu32 " of %" PRIu32 " values%s change", shown ? "; " : "", changed, s->count,
             s->whole ? "" : " that were looked at");
}
