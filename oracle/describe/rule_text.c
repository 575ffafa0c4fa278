/* SPDX-License-Identifier: MIT */
#include "oracle/describe/rule_text.h"

#include "model/rule/point.h"

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

/* ---- names ---- */

/* Returns the length of a point's group with its dot: of "block." in "block.size". Some points have none. */
static size_t group_length(const struct point *p)
{
    const char *dot = strrchr(p->name, '.');
    return dot ? (size_t)(dot - p->name) + 1 : 0;
}

/* Returns the description of a point in the group of `p` or, if there is none, in any group, whose last part
 * is `name`; NULL if there is none. */
static const char *about_point(const struct unit *u, const struct point *p, const char *name)
{
    const size_t group = group_length(p);
    const char *any = NULL;
    for (unsigned i = 0; i < u->point_count; i++) {
        const struct point *other = &u->points[i];
        const size_t length = group_length(other);
        if (strcmp(other->name + length, name) != 0)
            continue;
        if (length == group && !strncmp(other->name, p->name, group))
            return other->about;
        any = any ? any : other->about;
    }
    return any;
}

/* Returns what an input is, and the length of that text: from the notes of the unit, from the description of
 * the point ("kind: 0 write"), or from another point of this name. NULL if nobody says it. */
static const char *about_input(const struct unit *u, const struct point *p, const char *name, size_t *length)
{
    const size_t letters = strlen(name);
    const char *about = NULL;
    for (const struct input_note *n = u->input_notes; n && n->name && !about; n++)
        about = !strcmp(n->name, name) ? n->about : NULL;
    for (const char *at = p->about; !about && (at = strstr(at, name)); at += letters)
        if ((at == p->about || at[-1] == ' ') && at[letters] == ':')
            about = at + letters + 2;
    const char *other = about ? NULL : about_point(u, p, name);
    *length = other ? strlen(other) : about ? strcspn(about, ";.") : 0;
    return about ? about : other;
}

/* Adds what a value of an input means, " (a write)", if its description lists it: "1 a read, 0 a write". */
static void add_meaning(const struct unit *u, const struct point *p, uint32_t input, uint32_t value,
                        struct text *t)
{
    size_t length;
    const char *about = about_input(u, p, p->input[input].name, &length);
    char number[12];
    const size_t digits = (size_t)snprintf(number, sizeof number, "%" PRIu32, value);
    for (size_t at = 0; about && at + digits + 1 < length; at++) {
        const bool begins = !at || (about[at - 1] == ' ' && at > 1 && strchr(",:;", about[at - 2]));
        if (!begins || strncmp(about + at, number, digits) != 0 || about[at + digits] != ' ')
            continue;
        const char *words = about + at + digits + 1;
        const size_t rest = length - (size_t)(words - about), count = strcspn(words, ",;:.");
        if (isdigit((unsigned char)words[0]) || !strncmp(words, "to ", 3))
            continue; /* a range, or numbers in a row */
        text_add(t, " (");
        text_add_chars(t, words, count < rest ? count : rest);
        text_add(t, ")");
        return;
    }
}

/* ---- guards ---- */

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

/* Adds the name of a part of a guard: "the value", or its code. */
static void add_part(const struct expression *e, uint32_t from, uint32_t to, const struct point *p,
                     struct text *t)
{
    struct expression part = {.count = to - from};
    memcpy(part.node, e->node + from, part.count * sizeof *part.node);
    if (part.count == 1 && part.node[0].op == EXPRESSION_VALUE) {
        text_add(t, "the value");
        return;
    }
    text_add(t, "`");
    expression_print(&part, p, t);
    text_add(t, "`");
}

/* Adds nodes `from` to `to` of a guard as words: "`size` is 2 and the value is at least 9". */
static void add_condition(const struct unit *u, const struct expression *e, uint32_t from, uint32_t to,
                          const struct point *p, struct text *t)
{
    const enum expression_operator op = (enum expression_operator)e->node[to - 1].op;
    const bool pair = expression_arity(op) == 2 && op != EXPRESSION_TABLE; /* a table has no phrase */
    const uint32_t middle = pair ? operand_start(e, to - 1) : from;
    const bool number = middle > from && middle + 2 == to && e->node[middle].op == EXPRESSION_CONSTANT;
    const uint32_t n = e->node[middle].operand;
    const char *is = op == EXPRESSION_EQUAL           ? "is"
                     : op == EXPRESSION_DIFFERENT     ? "is not"
                     : op == EXPRESSION_LESS          ? "is below"
                     : op == EXPRESSION_LESS_EQUAL    ? "is at most"
                     : op == EXPRESSION_GREATER       ? "is above"
                     : op == EXPRESSION_GREATER_EQUAL ? "is at least"
                                                      : NULL;
    if (op == EXPRESSION_LOGICAL_AND && middle > from) {
        add_condition(u, e, from, middle, p, t);
        text_add(t, " and ");
        add_condition(u, e, middle, to - 1, p, t);
    } else if (number && is) {
        add_part(e, from, middle, p, t);
        text_add(t, n < 4096 ? " %s %" PRIu32 : " %s 0x%" PRIx32, is, n);
        if (op == EXPRESSION_EQUAL && middle == from + 1 && e->node[from].op == EXPRESSION_INPUT)
            add_meaning(u, p, e->node[from].operand, n, t);
    } else if (number && op == EXPRESSION_AND && n && !(n & (n - 1))) {
        text_add(t, "bit %d of ", __builtin_ctz(n));
        add_part(e, from, middle, p, t);
        text_add(t, " is 1");
    } else if (op == EXPRESSION_LOGICAL_NOT) {
        add_part(e, from, to - 1, p, t);
        text_add(t, " is 0");
    } else {
        const bool flag = op == EXPRESSION_INPUT && p->input[e->node[from].operand].width == 1;
        add_part(e, from, to, p, t);
        text_add(t, is || op == EXPRESSION_LOGICAL_OR ? " holds" : flag ? " is 1" : " is not 0");
    }
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
        text_add(t, " is rotated left by %" PRIu32 " bit%s", number, plural(number));
    } else if (is_of_value(e, EXPRESSION_MINIMUM, &number)) {
        text_add(t, " is at most %" PRIu32 ": larger numbers are taken as it", number);
    } else if (is_of_value(e, EXPRESSION_MAXIMUM, &number)) {
        text_add(t, " is at least %" PRIu32 ": smaller numbers are taken as it", number);
    } else if (is_of_value(e, EXPRESSION_SHIFT_LEFT, &number)) {
        text_add(t, " is shifted left by %" PRIu32 " bit%s", number, plural(number));
    } else if (is_of_value(e, EXPRESSION_SHIFT_RIGHT, &number)) {
        text_add(t, " is shifted right by %" PRIu32 " bit%s", number, plural(number));
    } else if (e->count == 1 && e->node[0].op == EXPRESSION_INPUT) {
        text_add(t, " is taken from `%s`", p->input[e->node[0].operand].name);
    } else if (e->count == 1 && e->node[0].op == EXPRESSION_CONSTANT) {
        text_add(t, " is always %" PRIu32, e->node[0].operand);
    } else {
        return false;
    }
    return true;
}

/* Adds what the expression does to a yes or no. Its point's description says what one of the two numbers
 * means ("1: the write takes place"). Returns false for other points. */
static bool add_answer(const struct point *p, const struct expression *e, struct text *t)
{
    const bool constant = e->count == 1 && e->node[0].op == EXPRESSION_CONSTANT;
    uint32_t number;
    if (p->width != 1 || (p->about[0] != '0' && p->about[0] != '1') || p->about[1] != ':')
        return false;
    const bool inverts =
        is_of_value(e, EXPRESSION_XOR, &number) || (e->count == 2 && e->node[1].op == EXPRESSION_LOGICAL_NOT);
    const char *says = p->about + 3;
    text_add(t, !constant ? "Whether " : "It %s happens that ",
             constant && (e->node[0].operand & 1) == (uint32_t)(p->about[0] - '0') ? "always" : "never");
    text_add_chars(t, says, strcspn(says, ";:,."));
    text_add(t, inverts ? " is inverted" : "");
    if (!constant && !inverts) {
        text_add(t, " is `");
        expression_print_result(e, p, t);
        text_add(t, "` instead of what the document says (`value`)");
    }
    return true;
}

/* Adds ": 3 is taken as 0", if the result depends on the value alone, and differs from it for few values. */
static bool add_few(const struct point *p, const struct rule *r, struct text *t)
{
    enum { FEW = 3, WIDTH = 8 };
    static const uint32_t no_input[POINT_INPUT_WORDS_MAX];
    uint32_t from[FEW], to[FEW], changed = 0;
    if (p->width > WIDTH || p->lanes > 1 || !rule_of_value(r))
        return false;
    for (uint32_t value = 0; value <= ones(p->width); value++) {
        const struct expression_context x = {.value = &value, .input = no_input, .lanes = 1};
        const uint32_t result = expression_evaluate(r->result.node, r->result.count, &x) & ones(p->width);
        if (result == value)
            continue;
        if (changed == FEW)
            return false;
        from[changed] = value;
        to[changed++] = result;
    }
    for (uint32_t i = 0; i < changed; i++)
        text_add(t, "%s %" PRIu32 " is taken as %" PRIu32,
                 i == 0            ? ":"
                 : i + 1 < changed ? ","
                                   : " and",
                 from[i], to[i]);
    return changed;
}

void rule_describe(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    const bool answered = add_answer(p, &r->result, t);
    if (!answered)
        add_name(p, t);
    if (!answered && !add_phrase(p, &r->result, t) && !add_few(p, r, t)) {
        text_add(t, " is `");
        expression_print_result(&r->result, p, t);
        text_add(t, "` instead of what the document says (`value`)");
    }
    if (r->guard.count) {
        text_add(t, "; this is so only where ");
        add_condition(u, &r->guard, 0, r->guard.count, p, t);
    }
}

static void explain_input(const struct unit *u, const struct point *p, const char *name, struct text *t)
{
    size_t length;
    const char *about = about_input(u, p, name, &length);
    if (!about)
        return;
    text_add(t, " `%s`: ", name);
    text_add_chars(t, about, length);
    text_add(t, ".");
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
