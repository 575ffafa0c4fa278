/* SPDX-License-Identifier: MIT */
#include "oracle/describe/rule_text.h"

#include "model/rule/point.h"
#include "oracle/describe/rule_condition.h"
#include "oracle/describe/rule_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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

/* Adds how far the result is from the value. `up`: what is added, modulo the numbers of the point. */
static void add_distance(const struct point *p, uint32_t up, struct text *t)
{
    const uint32_t all = point_mask(p), down = (0U - up) & all;
    text_add(t, " is taken %" PRIu32 " too %s", (up & all) > down ? down : up & all,
             (up & all) > down ? "low" : "high");
}

/* Writes what the expression does ("counts modulo 32: bit 5 is ignored"). False if there is no phrase for an
 * expression of this form. */
static bool add_phrase(const struct rule_words *w, const struct expression *e)
{
    const struct point *p = w->p;
    struct text *t = w->t;
    uint32_t number = 0, all = point_mask(p);
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
    } else if (is_of_value(e, EXPRESSION_ADD, &number) && number & all) {
        add_distance(p, number, t);
    } else if (is_of_value(e, EXPRESSION_SUBTRACT, &number) && number & all) {
        add_distance(p, 0U - number, t);
    } else if (is_of_value(e, EXPRESSION_MULTIPLY, &number)) {
        text_add(t, " counts %" PRIu32 " times", number);
    } else if (is_of_value(e, EXPRESSION_ROTATE_LEFT, &number)) {
        text_add(t, " is rotated left by %" PRIu32 " bit%s", number, plural(number));
    } else if (is_of_value(e, EXPRESSION_MINIMUM, &number)) {
        text_add(t, " is at most %" PRIu32 ": larger numbers are taken as it", number);
    } else if (is_of_value(e, EXPRESSION_MAXIMUM, &number)) {
        text_add(t, " is at least %" PRIu32 ": smaller numbers are taken as it", number);
    } else if (is_of_value(e, EXPRESSION_SHIFT_LEFT, &number)) {
        text_add(t, " is shifted left by %" PRIu32 " bit%s", number, plural(number));
    } else if (is_of_value(e, EXPRESSION_SHIFT_RIGHT, &number)) {
        text_add(t, " is shifted right by %" PRIu32 " bit%s", number, plural(number));
    } else if (e->count == 1 && e->node[0].op == EXPRESSION_CONSTANT) {
        text_add(t, " is always ");
        words_add_number(w, WORDS_OF_VALUE, e->node[0].operand & all);
    } else if (e->count == 1 && e->node[0].op == EXPRESSION_INPUT && p->input[e->node[0].operand].width > 1) {
        text_add(t, " is taken from ");
        words_add_name(w, e->node[0].operand);
    } else {
        return false;
    }
    return true;
}

/* Adds the code of a result. */
static void add_code(const struct rule_words *w, const struct expression *e)
{
    text_add(w->t, "`");
    expression_print_result(e, w->p, w->t);
    text_add(w->t, "`");
}

/* Adds a statement as the beginning of a sentence. */
static void add_statement(const char *about, struct text *t)
{
    size_t length;
    const char *says = words_statement(about, 1, &length);
    text_add(t, "%c", toupper((unsigned char)says[0]));
    text_add_chars(t, says + 1, length - 1);
}

/* Does the expression turn 1 into 0 and 0 into 1, whatever the inputs are? */
static bool is_opposite(const struct expression *e)
{
    uint32_t value, result[2];
    const struct expression_context x = {.value = &value, .lanes = 1};
    for (uint32_t i = 0; i < e->count; i++)
        if (e->node[i].op == EXPRESSION_INPUT || e->node[i].op == EXPRESSION_AT_INPUT ||
            e->node[i].op == EXPRESSION_LANE)
            return false;
    for (value = 0; value < 2; value++)
        result[value] = expression_evaluate(e->node, e->count, &x) & 1;
    return result[0] && !result[1];
}

/* Does the rule only keep other rules away? */
static bool takes_value(const struct expression *e)
{
    return e->count == 1 && e->node[0].op == EXPRESSION_VALUE;
}

/* Adds what the expression does to a yes or no: "The DMA takes place where ..., and nowhere else". */
static void add_answer(const struct rule_words *w, const struct expression *e)
{
    const char *about = w->p->about;
    size_t length;
    if (e->count == 1 && e->node[0].op == EXPRESSION_CONSTANT) {
        const char *says = words_statement(about, 1, &length);
        text_add(w->t, "It %s happens that ", e->node[0].operand & 1 ? "always" : "never");
        text_add_chars(w->t, says, length);
        return;
    }
    struct text where = {0};
    struct rule_words words = *w;
    words.t = &where;
    add_statement(about, w->t);
    if (takes_value(e)) {
        text_add(w->t, " where the document says so, whatever other rules say");
    } else if (is_opposite(e)) {
        text_add(w->t, " exactly where the document says no");
    } else if (result_bit_add(&words, e)) {
        text_add(w->t, " where %s, and nowhere else", text_chars(&where));
    } else {
        text_add(w->t, " where bit 0 of ");
        add_code(w, e);
        text_add(w->t, " is 1, and nowhere else");
    }
    text_free(&where);
}

/* Returns what a rule makes of a value, at a point with one lane, if it depends on the value alone. */
static uint32_t result_of(const struct point *p, const struct rule *r, uint32_t value)
{
    static const uint32_t no_input[POINT_INPUT_WORDS_MAX];
    const struct expression_context x = {.value = &value, .input = no_input, .lanes = 1};
    return expression_evaluate(r->result.node, r->result.count, &x) & point_mask(p);
}

static void add_change(const struct rule_words *w, const struct rule *r, uint32_t value)
{
    words_add_number(w, WORDS_OF_VALUE, value);
    text_add(w->t, " is taken as ");
    words_add_number(w, WORDS_OF_VALUE, result_of(w->p, r, value));
}

/* Adds ": 3 is taken as 0", if the result depends on the value alone, and differs from it for few
 * values. */
static bool add_few(const struct rule_words *w, const struct rule *r)
{
    enum { FEW = 3, WIDTH = 8, SMALL_WIDTH = 3 };
    const struct point *p = w->p;
    uint32_t from[1 << SMALL_WIDTH], changed = 0;
    if (p->width > WIDTH || p->lanes > 1 || !rule_of_value(r))
        return false;
    for (uint32_t value = 0; value <= point_mask(p); value++) {
        if (result_of(p, r, value) == value)
            continue;
        if (changed == (p->width <= SMALL_WIDTH ? sizeof from / sizeof *from : FEW))
            return false;
        from[changed++] = value;
    }
    for (uint32_t i = 0; i < changed; i++) {
        text_add(w->t, "%s", i == 0 ? ": " : i + 1 < changed ? ", " : " and ");
        add_change(w, r, from[i]);
    }
    return changed;
}

/* Adds an example with names, if the values of the point have names: "for example, 13 (fmin) is taken as 12
 * (fmax)". */
static void add_example(const struct rule_words *w, const struct rule *r)
{
    enum { WIDTH = 8 };
    const struct point *p = w->p;
    if (!w->u->name_value || p->width > WIDTH || p->lanes > 1 || !rule_of_value(r) || r->result.count < 2)
        return;
    for (uint32_t value = 0; value <= point_mask(p); value++) {
        const uint32_t to = result_of(p, r, value);
        if (to == value || !words_has_meaning(w, WORDS_OF_VALUE, value) ||
            !words_has_meaning(w, WORDS_OF_VALUE, to))
            continue;
        text_add(w->t, "; for example, ");
        add_change(w, r, value);
        return;
    }
}

/* Adds what the rule makes of the value. `c`: the parts of the guard; those that the words cover become
 * done. */
static void add_result(const struct rule_words *w, const struct rule *r, struct condition *c)
{
    const struct expression *e = &r->result;
    bool lanes;
    if (words_is_statement(w->p->about)) {
        add_answer(w, e);
        return;
    }
    words_add_noun(w->p->about, true, w->t);
    if (takes_value(e)) {
        text_add(w->t, " is what the document says, whatever other rules say");
        return;
    }
    const bool of_value = !(expression_reads(e, &lanes) & ~(UINT32_C(1) << WORDS_OF_VALUE)) && !lanes;
    for (unsigned n = 0; n < c->count; n++) {
        unsigned operand;
        uint32_t value;
        if (!of_value || !conjunct_fixes(c, n, &operand, &value) || operand != WORDS_OF_VALUE)
            continue;
        text_add(w->t, ": ");
        add_change(w, r, value);
        c->part[n].done = true;
        return;
    }
    if (add_phrase(w, e)) {
        add_example(w, r);
    } else if (!add_few(w, r) && !results_add(w, e, &r->guard)) {
        text_add(w->t, " is ");
        add_code(w, e);
        text_add(w->t, " instead of what the document says (`value`)");
    }
}

/* Notes which inputs have one number wherever the guard holds. */
static void note_known(const struct condition *c, struct known_inputs *known)
{
    for (unsigned n = 0; n < c->count; n++) {
        unsigned operand;
        uint32_t number;
        if (!conjunct_fixes(c, n, &operand, &number) || operand == WORDS_OF_VALUE)
            continue;
        known->given |= UINT32_C(1) << operand;
        known->number[operand] = number;
    }
}

void rule_describe(const struct unit *u, const struct rule *r, struct text *t)
{
    struct rule_words w = {.u = u, .p = &u->points[r->point], .t = t};
    struct condition c;
    struct text where = {0};
    condition_split(&r->guard, &c);
    note_known(&c, &w.known);
    add_result(&w, r, &c);
    w.t = &where;
    condition_add(&w, &c);
    if (where.length)
        text_add(t, "; this is so only where %s", text_chars(&where));
    text_free(&where);
}

static void explain_input(const struct unit *u, const struct point *p, const char *name, struct text *t)
{
    const char *about = words_about_input(u, p, name);
    if (about)
        text_add(t, " `%s`: %s.", name, about);
}

void rule_explain_names(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    uint32_t used = 0;
    text_add(t, "`value`: %s.", p->about);
    for (unsigned part = 0; part < 2; part++) {
        const struct expression *e = part ? &r->result : &r->guard;
        for (uint32_t i = 0; i < e->count; i++)
            if (e->node[i].op == EXPRESSION_INPUT || e->node[i].op == EXPRESSION_AT_INPUT)
                used |= UINT32_C(1) << e->node[i].operand;
    }
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (used >> i & 1)
            explain_input(u, p, p->input[i].name, t);
}

void rule_document(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    text_add(t, "The model has %u bit%s%s here (%s).", p->width, plural(p->width),
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

bool rule_is_swept(const struct unit *u, const struct rule *r)
{
    bool depends = false;
    for (uint32_t i = 0; i < r->result.count; i++)
        depends |= r->result.node[i].op == EXPRESSION_VALUE;
    return u->points[r->point].lanes == 1 && (depends || r->result.count == 1);
}

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
