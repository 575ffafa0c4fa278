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
                                       EXPRESSION_FUNCTION(TEXT_FUNCTION)[EXPRESSION_TABLE] = {"table", 0}};

enum { RANK_ANY = 1, RANK_PREFIX = 11 };
#define FIRST_BINARY   EXPRESSION_LOGICAL_OR
#define FIRST_FUNCTION EXPRESSION_MINIMUM

/* ---- printing ---- */

/* Returns the number of cells that belong to a node. They precede it. */
static unsigned cells_before(const struct expression_node *n)
{
    return n->op == EXPRESSION_TABLE ? n->operand : 0;
}

/* Returns the index of the first node of the operand that ends at node `last`. */
static unsigned first_of(const struct expression *e, unsigned last)
{
    unsigned wanted = 1;
    for (unsigned i = last;; i--) {
        wanted += expression_arity(e->node[i].op);
        i -= cells_before(&e->node[i]);
        if (--wanted == 0)
            return i;
    }
}

static void print_number(uint32_t n, struct text *t)
{
    text_add(t, n < 10 ? "%u" : "0x%x", n);
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
        print_number(n->operand, t);
}

/* Prints ", V, V" for entries that follow each other, ", N: V" after a gap, and ", N..M: V" for a longer run
 * of one value. */
static void print_entries(const struct expression_table *from, struct text *t)
{
    unsigned expected = 0, run;
    for (unsigned x = 0; x < TABLE_ENTRIES; x += run) {
        for (run = 1; from->listed[x] && x + run < TABLE_ENTRIES && from->listed[x + run] &&
                      from->value[x + run] == from->value[x];)
            run++;
        run = run < 3 ? 1 : run;
        if (!from->listed[x])
            continue;
        text_add(t, ", ");
        if (run > 1)
            text_add(t, "%u..%u: ", x, x + run - 1);
        else if (x != expected)
            text_add(t, "%u: ", x);
        print_number(from->value[x], t);
        expected = x + run;
    }
}

static void print_node(const struct expression *e, unsigned last, unsigned rank, const struct point *p,
                       struct text *t);

/* Prints a call of a function. operand[]: the last nodes of its operands. */
static void print_call(const struct expression *e, const struct expression_node *n, const unsigned *operand,
                       const struct point *p, struct text *t)
{
    bool is_table = n->op == EXPRESSION_TABLE;
    unsigned arity = expression_arity(n->op), shown = is_table ? 1 : arity;
    text_add(t, "%s(", symbols[n->op].text);
    for (unsigned i = 0; i < shown; i++) {
        text_add(t, "%s", i ? ", " : "");
        print_node(e, operand[i], RANK_ANY, p, t);
    }
    if (is_table) {
        struct expression_table table;
        expression_cells_read(n - n->operand, n->operand, &table);
        print_entries(&table, t);
        if (e->node[operand[1]].op != EXPRESSION_VALUE) {
            text_add(t, ", else: ");
            print_node(e, operand[1], RANK_ANY, p, t);
        }
    }
    text_add(t, ")");
}

/* Prints the subexpression that ends at node `last`; in parentheses if its operator binds less tightly than
 * `rank`. */
static void print_node(const struct expression *e, unsigned last, unsigned rank, const struct point *p,
                       struct text *t)
{
    const struct expression_node *n = &e->node[last];
    unsigned arity = expression_arity(n->op), operand[3], own = symbols[n->op].rank;
    for (unsigned i = arity, end = last - cells_before(n); i > 0; i--) {
        operand[i - 1] = end - 1;
        end = first_of(e, end - 1);
    }
    if (!arity) {
        print_leaf(n, p, t);
    } else if (n->op == EXPRESSION_AT || n->op == EXPRESSION_AT_INPUT) {
        text_add(t, "%s[", n->op == EXPRESSION_AT ? "value" : p->input[n->operand].name);
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
        print_call(e, n, operand, p, t);
    }
}

void expression_print(const struct expression *e, const struct point *p, struct text *t)
{
    if (e->count)
        print_node(e, e->count - 1U, RANK_ANY, p, t);
}

static bool point_ends(const struct point *p, const char *ending)
{
    size_t name = strlen(p->name), length = strlen(ending);
    return name > length && !strcmp(p->name + name - length, ending);
}

void expression_print_result(const struct expression *e, const struct point *p, struct text *t)
{
    const struct expression_node *n = e->node;
    bool number = e->count == 1 && n->op == EXPRESSION_CONSTANT && (n->operand == 0 || n->operand == 2);
    bool sum = e->count == 3 && n[0].op == EXPRESSION_VALUE && n[1].op == EXPRESSION_CONSTANT &&
               n[2].op == EXPRESSION_ADD;
    if (number && point_ends(p, ".done") && p->width > 1)
        text_add(t, n->operand ? "twice" : "skip");
    else if (number && !n->operand && point_ends(p, ".done"))
        text_add(t, "skip");
    else if (sum && point_ends(p, ".latency")) {
        text_add(t, "late ");
        print_number(n[1].operand, t);
    } else
        expression_print(e, p, t);
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

static bool too_long(struct parser *s)
{
    return error_set(s->e,
                     "column %zu: the expression is too long; it can have %d numbers, names and "
                     "operators, and each 1 to 4 entries of a table count as one",
                     s->at + 1, EXPRESSION_NODES_MAX);
}

static bool add(struct parser *s, unsigned op, uint32_t operand)
{
    if (s->to->count == EXPRESSION_NODES_MAX)
        return too_long(s);
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
static bool parse_unary(struct parser *s);

static bool read_number(struct parser *s, uint32_t *number)
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
    *number = (uint32_t)n;
    return true;
}

static bool parse_number(struct parser *s)
{
    uint32_t n;
    return read_number(s, &n) && add(s, EXPRESSION_CONSTANT, n);
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
    static const char *const others[] = {"value", "lane", "skip", "twice", "late"};
    return i < functions                                    ? symbols[FIRST_FUNCTION + i].text
           : i - functions < sizeof others / sizeof *others ? others[i - functions]
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

/* Parses a number in a table, with an optional minus sign. */
static bool read_entry(struct parser *s, uint32_t *number)
{
    bool negative = take(s, "-");
    skip_blanks(s);
    if (!read_number(s, number))
        return false;
    *number = negative ? 0U - *number : *number;
    return true;
}

/* Parses "V", "N: V" or "N..M: V". *next: the number for which an entry "V" gives the value. */
static bool parse_entry(struct parser *s, struct expression_table *t, uint32_t *next)
{
    uint32_t first, last, value;
    skip_blanks(s);
    size_t begin = s->at;
    if (!read_entry(s, &first))
        return false;
    bool range = take(s, "..");
    last = first;
    if (range && !read_entry(s, &last))
        return false;
    if (take(s, ":")) {
        if (!read_entry(s, &value))
            return false;
    } else if (range) {
        return fail(s, "expected ':' and what these numbers become");
    } else {
        value = first;
        first = last = *next;
    }
    if (first > last || last >= TABLE_ENTRIES)
        return error_set(s->e, "column %zu: a table lists numbers from 0 to 255, the lower one first",
                         begin + 1);
    for (uint32_t x = first; x <= last; x++) {
        if (t->listed[x])
            return error_set(s->e, "column %zu: the table lists %u twice", begin + 1, x);
        t->listed[x] = true;
        t->value[x] = value;
    }
    *next = last + 1;
    return true;
}

static bool take_else(struct parser *s)
{
    size_t at = s->at;
    if (take(s, "else") && take(s, ":"))
        return true;
    s->at = at;
    return false;
}

static bool parse_table(struct parser *s)
{
    struct expression_table t = {0};
    uint32_t next = 0;
    bool has_else = false;
    if (!take(s, "("))
        return fail(s, "expected '(' after the function's name");
    if (!parse_binary(s, RANK_ANY))
        return false;
    while (!has_else && take(s, ",")) {
        if ((has_else = take_else(s)) ? !parse_binary(s, RANK_ANY) : !parse_entry(s, &t, &next))
            return false;
    }
    if (!take(s, ")"))
        return fail(s, has_else ? "expected ')': what stands after 'else' comes last"
                                : "expected ',' or ')' in the table");
    if (!has_else && !add(s, EXPRESSION_VALUE, 0))
        return false;
    return expression_add_table(s->to, &t) || too_long(s);
}

/* Parses "skip", "twice" or "late N", which points named .done or .latency have. *is_word: is `word` one of
 * these words? */
static bool parse_effect(struct parser *s, const char *word, size_t first, bool *is_word)
{
    bool skip = !strcmp(word, "skip"), twice = !strcmp(word, "twice"), late = !strcmp(word, "late");
    *is_word = skip || twice || late;
    if (late && point_ends(s->p, ".latency"))
        return add(s, EXPRESSION_VALUE, 0) && parse_unary(s) && add(s, EXPRESSION_ADD, 0);
    if (late)
        return error_set(s->e, "column %zu: 'late' is for points named .latency", first + 1);
    if (*is_word && !point_ends(s->p, ".done"))
        return error_set(s->e, "column %zu: '%s' is for points named .done", first + 1, word);
    if (twice && s->p->width < 2)
        return error_set(s->e, "column %zu: '%s' has one bit, so it cannot happen twice", first + 1,
                         s->p->name);
    return *is_word && add(s, EXPRESSION_CONSTANT, skip ? 0 : 2);
}

/* Parses the lane in "value[LANE]", from the first character after the bracket. */
static bool parse_lane(struct parser *s, unsigned op, uint32_t operand)
{
    return parse_binary(s, RANK_ANY) &&
           (take(s, "]") ? add(s, op, operand) : fail(s, "expected ']' after the lane"));
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
    if (!strcmp(word, "value"))
        return take(s, "[") ? parse_lane(s, EXPRESSION_AT, 0) : add(s, EXPRESSION_VALUE, 0);
    if (!strcmp(word, "lane"))
        return add(s, EXPRESSION_LANE, 0);
    for (unsigned i = 0; i < POINT_INPUTS_MAX && s->p->input[i].name; i++)
        if (!strcmp(word, s->p->input[i].name))
            return s->p->input[i].lanes && take(s, "[") ? parse_lane(s, EXPRESSION_AT_INPUT, i)
                                                        : add(s, EXPRESSION_INPUT, i);
    for (unsigned f = FIRST_FUNCTION; f < EXPRESSION_OPERATORS; f++)
        if (!strcmp(word, symbols[f].text))
            return f == EXPRESSION_TABLE ? parse_table(s) : parse_call(s, f);
    bool is_word, good = parse_effect(s, word, first, &is_word);
    return is_word ? good : unknown_name(s, first, word);
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

/* Returns the infix operator that comes next if it binds at least as tightly as `rank`, and moves past it.
 * Otherwise returns 0. */
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
