/* SPDX-License-Identifier: MIT */
/* The text of expressions: printing and parsing. */
#include "model/rule/expression.h"
#include "model/text/character.h"

#include <string.h>

#define TEXT_UNARY(name, text, value)           [EXPRESSION_##name] = {(text), 11},
#define TEXT_BINARY(name, text, rank, value)    [EXPRESSION_##name] = {(text), (rank)},
#define TEXT_FUNCTION(name, text, count, value) [EXPRESSION_##name] = {(text), 0},
static const struct {
    const char *text;
    uint8_t rank; /* 1 to 10: infix, larger binds tighter; 11: prefix; 0: none */
} symbols[EXPRESSION_OPERATORS] = {EXPRESSION_UNARY(TEXT_UNARY) EXPRESSION_BINARY(TEXT_BINARY)
                                       EXPRESSION_FUNCTION(TEXT_FUNCTION)};

enum { RANK_ANY = 1, RANK_PREFIX = 11 };
#define FIRST_BINARY   EXPRESSION_LOGICAL_OR
#define FIRST_FUNCTION EXPRESSION_MINIMUM

/* ---- printing ---- */

/* The index of the first node of the operand that ends at node `last`. */
static unsigned first_of(const struct expression *e, unsigned last)
{
    unsigned wanted = 1;
    for (unsigned i = last;; i--) {
        wanted += expression_arity(e->node[i].op);
        if (--wanted == 0)
            return i;
    }
}

static void print_leaf(const struct expression_node *n, const struct point *p, struct text *t)
{
    if (n->op == EXPRESSION_VALUE)
        text_add(t, "value");
    else if (n->op == EXPRESSION_LANE)
        text_add(t, "lane");
    else if (n->op == EXPRESSION_INPUT)
        text_add(t, "%s", p->input[n->operand].name);
    else
        text_add(t, n->operand < 10 ? "%u" : "0x%x", n->operand);
}

/* Prints the subexpression that ends at node `last`; in parentheses if it binds less than `rank`. */
static void print_node(const struct expression *e, unsigned last, unsigned rank, const struct point *p,
                       struct text *t)
{
    const struct expression_node *n = &e->node[last];
    unsigned arity = expression_arity(n->op), operand[3], own = symbols[n->op].rank;
    for (unsigned i = arity, end = last; i > 0; i--) {
        operand[i - 1] = end - 1;
        end = first_of(e, end - 1);
    }
    if (!arity) {
        print_leaf(n, p, t);
    } else if (n->op == EXPRESSION_AT) {
        text_add(t, "value[");
        print_node(e, operand[0], RANK_ANY, p, t);
        text_add(t, "]");
    } else if (own == RANK_PREFIX) {
        text_add(t, "%s", symbols[n->op].text);
        print_node(e, operand[0], RANK_PREFIX, p, t);
    } else if (own) {
        text_add(t, "%s", own < rank ? "(" : "");
        print_node(e, operand[0], own, p, t);
        text_add(t, " %s ", symbols[n->op].text);
        print_node(e, operand[1], own + 1, p, t);
        text_add(t, "%s", own < rank ? ")" : "");
    } else {
        for (unsigned i = 0; i < arity; i++) {
            text_add(t, "%s%s", i ? ", " : symbols[n->op].text, i ? "" : "(");
            print_node(e, operand[i], RANK_ANY, p, t);
        }
        text_add(t, ")");
    }
}

void expression_print(const struct expression *e, const struct point *p, struct text *t)
{
    if (e->count)
        print_node(e, e->count - 1U, RANK_ANY, p, t);
}

/* ---- parsing ---- */

enum { DEPTH_MAX = 64, WORD_MAX = 48 };

struct parser {
    const struct point *p;
    const char *text;
    size_t at, count;
    unsigned depth;
    struct expression *to;
    struct error *e;
};

static void skip_blanks(struct parser *s)
{
    while (s->at < s->count && char_is_space(s->text[s->at]))
        s->at++;
}

static bool fail(struct parser *s, const char *what)
{
    return error_set(s->e, "column %zu: %s", s->at + 1, what);
}

static bool add(struct parser *s, unsigned op, uint32_t operand)
{
    if (s->to->count == EXPRESSION_NODES_MAX)
        return fail(s, "the expression is too long; use at most 32 numbers, names and operators");
    s->to->node[s->to->count++] = (struct expression_node){op, operand};
    return true;
}

/* Takes these characters if they come next. */
static bool take(struct parser *s, const char *symbol)
{
    size_t length = strlen(symbol);
    skip_blanks(s);
    if (s->count - s->at < length || memcmp(s->text + s->at, symbol, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool parse_binary(struct parser *s, unsigned rank);

static bool parse_number(struct parser *s)
{
    uint64_t n = 0;
    unsigned base = 10;
    if (s->count - s->at > 2 && s->text[s->at] == '0' && char_lower(s->text[s->at + 1]) == 'x') {
        base = 16;
        s->at += 2;
    }
    size_t first = s->at;
    for (; s->at < s->count && char_is_hex_digit(s->text[s->at]); s->at++) {
        char c = char_lower(s->text[s->at]);
        unsigned digit = char_is_digit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
        if (digit >= base)
            break;
        n = n * base + digit;
        if (n > UINT32_MAX)
            return fail(s, "the number has more than 32 bits");
    }
    bool ends = s->at == s->count || !(char_is_alphanumeric(s->text[s->at]) || s->text[s->at] == '_');
    if (s->at == first || !ends)
        return fail(s, "expected a number, such as 31 or 0x1f");
    return add(s, EXPRESSION_CONSTANT, (uint32_t)n);
}

static const char *known_name(const void *point, unsigned i)
{
    const struct point *p = point;
    unsigned inputs = 0, functions = EXPRESSION_OPERATORS - FIRST_FUNCTION;
    while (inputs < POINT_INPUTS_MAX && p->input[inputs].name)
        inputs++;
    if (i < inputs)
        return p->input[i].name;
    i -= inputs;
    return i < functions        ? symbols[FIRST_FUNCTION + i].text
           : i == functions     ? "value"
           : i == functions + 1 ? "lane"
                                : NULL;
}

static bool unknown_name(struct parser *s, size_t first, const char *word)
{
    struct text known = {0};
    for (unsigned i = 0; i < POINT_INPUTS_MAX && s->p->input[i].name; i++)
        text_add(&known, ", %s", s->p->input[i].name);
    struct text advice = {0};
    text_add(&advice, "here are value, lane%s, and the functions of docs/rules.md", text_chars(&known));
    error_unknown(s->e, "name", word, known_name, s->p, text_chars(&advice));
    text_free(&known);
    text_free(&advice);
    return error_where(s->e, "column %zu", first + 1);
}

static bool parse_call(struct parser *s, unsigned function)
{
    unsigned wanted = expression_arity(function);
    if (!take(s, "("))
        return fail(s, "expected '(' after the function's name");
    for (unsigned i = 0; i < wanted; i++) {
        if (i && !take(s, ","))
            return fail(s, "expected ',': the function has more operands");
        if (!parse_binary(s, RANK_ANY))
            return false;
    }
    return take(s, ")") ? add(s, function, 0) : fail(s, "expected ')' after the function's operands");
}

static bool parse_name(struct parser *s)
{
    char word[WORD_MAX];
    size_t first = s->at, length = 0;
    while (s->at < s->count && (char_is_alphanumeric(s->text[s->at]) || s->text[s->at] == '_')) {
        if (length + 1 < sizeof word)
            word[length++] = s->text[s->at];
        s->at++;
    }
    word[length] = 0;
    if (!strcmp(word, "value")) {
        if (!take(s, "["))
            return add(s, EXPRESSION_VALUE, 0);
        return parse_binary(s, RANK_ANY) &&
               (take(s, "]") ? add(s, EXPRESSION_AT, 0) : fail(s, "expected ']' after the lane"));
    }
    if (!strcmp(word, "lane"))
        return add(s, EXPRESSION_LANE, 0);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && s->p->input[i].name; i++)
        if (!strcmp(word, s->p->input[i].name))
            return add(s, EXPRESSION_INPUT, i);
    for (unsigned f = FIRST_FUNCTION; f < EXPRESSION_OPERATORS; f++)
        if (!strcmp(word, symbols[f].text))
            return parse_call(s, f);
    return unknown_name(s, first, word);
}

static bool parse_unary(struct parser *s)
{
    if (++s->depth > DEPTH_MAX)
        return fail(s, "the expression is nested too deeply");
    skip_blanks(s);
    bool good;
    if (s->at == s->count) {
        good = fail(s, "the expression ends here; expected a number or a name");
    } else if (take(s, "(")) {
        good = parse_binary(s, RANK_ANY) && (take(s, ")") || fail(s, "expected ')'"));
    } else if (char_is_digit(s->text[s->at])) {
        good = parse_number(s);
    } else if (char_is_alphanumeric(s->text[s->at])) {
        good = parse_name(s);
    } else {
        unsigned op = EXPRESSION_NOT;
        while (op < FIRST_BINARY && !take(s, symbols[op].text))
            op++;
        good = op < FIRST_BINARY ? parse_unary(s) && add(s, op, 0)
                                 : fail(s, "expected a number, a name, '(' or one of ~ - !");
    }
    s->depth--;
    return good;
}

/* The infix operator that comes next, or 0. Takes it if it binds at least as tightly as `rank`. */
static unsigned take_infix(struct parser *s, unsigned rank)
{
    unsigned longest = 0;
    skip_blanks(s);
    for (unsigned op = FIRST_BINARY; op < FIRST_FUNCTION; op++) {
        size_t length = strlen(symbols[op].text);
        if (s->count - s->at >= length && !memcmp(s->text + s->at, symbols[op].text, length) &&
            (!longest || length > strlen(symbols[longest].text)))
            longest = op;
    }
    if (!longest || symbols[longest].rank < rank)
        return 0;
    s->at += strlen(symbols[longest].text);
    return longest;
}

static bool parse_binary(struct parser *s, unsigned rank)
{
    if (!parse_unary(s))
        return false;
    for (unsigned op; (op = take_infix(s, rank));)
        if (!parse_binary(s, symbols[op].rank + 1U) || !add(s, op, 0))
            return false;
    return true;
}

bool expression_parse(const struct point *p, const char *text, size_t count, size_t *at, struct expression *e,
                      struct error *error)
{
    struct parser s = {.p = p, .text = text, .at = *at, .count = count, .to = e, .e = error};
    e->count = 0;
    bool good = parse_binary(&s, RANK_ANY);
    skip_blanks(&s);
    *at = s.at;
    return good;
}
