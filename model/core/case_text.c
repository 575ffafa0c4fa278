/* SPDX-License-Identifier: MIT */
/*
 * The text form of a case (.case files), made from the schema:
 *
 *   misprint-case 1 vc4-vpm             first line: version of the form, unit
 *   # a comment, anywhere
 *   limit = 1000                        a word with a range: decimal, or 0x hexadecimal
 *   setup = 0x00001a00                  any other word
 *   setup = { STRIDE 1, HORIZ 1 }       the same by its bit fields; fields not named are 0
 *   descriptor = raw base=0x100         words that have a common text (struct phrase), in the unit's syntax
 *   mode = laned                        an enumeration
 *   uniforms { 3f800000 @40 }           a list of hexadecimal words over any number of lines; @: a byte
 *                                       offset into the case's memory, also hexadecimal
 *   ops {                               a list of instructions, one a line, in the unit's syntax
 *     write 0
 *   }
 *   vpm fill index                      fill of an image: zero (the default), index, random SEED
 *   vpm row 3 = 00000000 ...            a row of the image: its words, hexadecimal; those left out are 0;
 *   vpm row 3 = all 3f800000            or one word for all
 *
 * A field that is not mentioned has its default. Printing omits fields that have it.
 */
#include "model/core/unit.h"
#include "model/text/character.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };
static const char *const fill_names[FILL_KINDS] = {"zero", "index", "random"};

/* ---- printing ---- */

static void print_word(const struct field *f, uint32_t v, struct text *t)
{
    if (v == f->initial)
        return;
    if (f->kind == FIELD_ENUM)
        text_add(t, "%s = %s\n", f->name, f->names[v]);
    else
        text_add(t, f->max_value ? "%s = %u\n" : "%s = 0x%08x\n", f->name, v);
}

static void print_words(const struct field *f, const uint32_t *item, uint32_t count, struct text *t)
{
    text_add(t, "%s {", f->name);
    for (uint32_t i = 0; i < count; i++) {
        text_add(t, i % 8 ? " " : "\n  ");
        if (f->kind == FIELD_WORDS)
            text_add(t, "%08x", item[i]);
        else
            text_add(t, item[2 * i] ? "@%x" : "%08x", item[2 * i + 1]);
    }
    text_add(t, "\n}\n");
}

static void print_code(const struct code *code, const struct field *f, const uint32_t *item, uint32_t count,
                       struct text *t)
{
    text_add(t, "%s {\n", f->name);
    for (uint32_t i = 0; i < count; i++) {
        text_add(t, "  ");
        code->print(item + i * code->words, t);
        text_add(t, "\n");
    }
    text_add(t, "}\n");
}

static void print_image(const struct field *f, const uint32_t *head, struct text *t)
{
    if (head[0] == FILL_RANDOM)
        text_add(t, "%s fill random %08x\n", f->name, head[1]);
    else if (head[0])
        text_add(t, "%s fill %s\n", f->name, fill_names[head[0]]);
    const uint32_t *item = head + 3;
    for (uint32_t i = 0; i < head[2]; i++, item += 1 + f->row_words) {
        bool one = row_is_constant(item + 1, f->row_words);
        text_add(t, "%s row %u =%s", f->name, item[0], one && f->row_words > 1 ? " all" : "");
        for (uint32_t w = 0; w < (one ? 1 : f->row_words); w++)
            text_add(t, " %08x", item[1 + w]);
        text_add(t, "\n");
    }
}

static bool is_of_phrase(const struct phrase *p, const struct field *f)
{
    return p && f->offset - p->first < p->words;
}

/* Prints nothing if all words of the phrase have their defaults. */
static void print_phrase(const struct test_case *c, const struct phrase *p, struct text *t)
{
    bool usual = true;
    for (unsigned i = 0; i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        if (is_of_phrase(p, f))
            usual = usual && *case_field_const(c, f) == f->initial;
    }
    if (usual)
        return;
    text_add(t, "%s = ", p->name);
    p->print(c, c->words + p->first, t);
    text_add(t, "\n");
}

void case_describe_phrase(const struct test_case *c, struct text *t)
{
    const struct phrase *p = c->unit->schema.phrase;
    if (!p)
        return;
    if (p->describe) {
        p->describe(c, t);
        return;
    }
    text_add(t, "%s", p->name);
    for (uint32_t i = 0; i < p->words; i++)
        text_add(t, " %08x", c->words[p->first + i]);
    text_add(t, ": ");
    p->print(c, c->words + p->first, t);
    text_add(t, "\n");
    p->judge(c, c->words + p->first, t);
}

void case_print(const struct test_case *c, struct text *t)
{
    const struct phrase *phrase = c->unit->schema.phrase;
    /* case_items takes a writable case; this function only reads it */
    struct test_case *readable = (struct test_case *)(uintptr_t)c;
    text_add(t, "misprint-case %d %s\n", VERSION, c->unit->name);
    for (unsigned i = 0; i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        uint32_t *count, *item = case_items(readable, f, &count);
        if (is_of_phrase(phrase, f)) {
            if (f->offset == phrase->first)
                print_phrase(c, phrase, t);
        } else if (!item)
            print_word(f, *case_field_const(c, f), t);
        else if (f->kind == FIELD_IMAGE)
            print_image(f, case_field_const(c, f), t);
        else if (*count && f->kind == FIELD_CODE)
            print_code(case_code(c), f, item, *count, t);
        else if (*count)
            print_words(f, item, *count, t);
    }
}

/* ---- parsing ---- */

struct parser {
    const char *at, *end;   /* the rest of the text */
    const char *line_start; /* of the current line */
    unsigned line;
    struct error *e;
};

static bool fail(struct parser *p, const char *at, const char *expected)
{
    size_t rest = (size_t)(p->end - at), shown = 0;
    while (shown < rest && shown < 24 && at[shown] != '\n')
        shown++;
    error_set(p->e, "expected %s, got %s%.*s%s", expected, shown ? "'" : "the end of the line", (int)shown,
              at, shown ? "'" : "");
    return error_where(p->e, "line %u, column %u", p->line, (unsigned)(at - p->line_start) + 1);
}

static bool fail_unknown(struct parser *p, const char *at, const char *what, const char *word,
                         const char *(*name)(const void *context, unsigned i), const void *context)
{
    (void)error_unknown(p->e, what, word, name, context, NULL);
    return error_where(p->e, "line %u, column %u", p->line, (unsigned)(at - p->line_start) + 1);
}

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

/* Skips blanks, comments and ends of lines. */
static void skip_lines(struct parser *p)
{
    for (;;) {
        skip_blanks(p);
        if (p->at < p->end && *p->at == '#')
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        if (p->at == p->end || *p->at != '\n')
            return;
        p->line_start = ++p->at;
        p->line++;
    }
}

static bool expect_end_of_line(struct parser *p)
{
    skip_blanks(p);
    return p->at == p->end || *p->at == '\n' || *p->at == '#' || fail(p, p->at, "the end of the line");
}

static bool is_word_char(char c)
{
    return char_is_alphanumeric(c) || c == '-' || c == '_';
}

/* Reads a word of letters, digits, '-' and '_' into `word`; "" if there is none. */
static const char *get_word(struct parser *p, char *word, size_t room)
{
    skip_blanks(p);
    const char *start = p->at;
    while (p->at < p->end && is_word_char(*p->at))
        p->at++;
    size_t count = (size_t)(p->at - start);
    if (count >= room) { /* no known word is so long, so return an unknown one */
        word[0] = '?';
        count = 1;
    } else {
        memcpy(word, start, count);
    }
    word[count] = 0;
    return start;
}

static bool accept(struct parser *p, char c)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool get_number(struct parser *p, int base, uint32_t *v, const char *expected)
{
    char word[32], *rest;
    const char *start = get_word(p, word, sizeof word);
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    unsigned long long value = strtoull(word, &rest, hex ? 16 : base);
    *v = (uint32_t)value;
    if (!char_is_hex_digit(word[0]) || *rest || value > UINT32_MAX)
        return fail(p, start, expected);
    return true;
}

static bool parse_bits(struct parser *p, const struct bit_field *bits, uint32_t *v)
{
    *v = 0;
    while (!accept(p, '}')) {
        char name[64] = "";
        const char *start = get_word(p, name, sizeof name);
        const struct bit_field *b = bits;
        while (b->name && !names_equal(b->name, name))
            b++;
        uint32_t part;
        if (!b->name)
            return fail(p, start, "the name of a bit field of this word, or '}'");
        start = p->at;
        if (!get_number(p, 10, &part, "the bit field's value"))
            return false;
        if (b->width < 32 && part >> b->width)
            return fail(p, start, "a value that fits into the bit field");
        *v |= part << b->low;
        accept(p, ',');
    }
    return true;
}

static const char *name_of_value(const void *field, unsigned i)
{
    const struct field *f = field;
    return i < f->max ? f->names[i] : NULL;
}

static bool parse_enum(struct parser *p, const struct unit *u, const struct field *f, uint32_t *v)
{
    char word[64];
    const char *start = get_word(p, word, sizeof word);
    for (*v = 0; *v < f->max; ++*v)
        if (!strcmp(f->names[*v], unit_chip(u, word)))
            return true;
    return text_hint(word, name_of_value, f).chars[0]
               ? fail_unknown(p, start, "value", word, name_of_value, f)
               : fail(p, start, f->names[0]);
}

/* Does a decimal number look like a hexadecimal word? Lists contain such words without 0x (00001000). A
 * number with a leading zero looks like one. So does a number of eight digits, if the field takes any
 * word. */
static bool could_be_hexadecimal(const char *start, const char *end, bool any_word)
{
    size_t digits = 0;
    while (start + digits < end && char_is_digit(start[digits]))
        digits++;
    return start + digits == end && ((digits > 1 && *start == '0') || (digits == 8 && any_word));
}

static bool parse_value(struct parser *p, const struct unit *u, const struct field *f,
                        const struct bit_field *bits, uint32_t *v)
{
    if (!accept(p, '='))
        return fail(p, p->at, "'='");
    skip_blanks(p);
    const char *start = p->at;
    if (f->kind == FIELD_ENUM)
        return parse_enum(p, u, f, v);
    if (bits && accept(p, '{'))
        return parse_bits(p, bits, v);
    if (!get_number(p, 10, v, "a number (decimal, or hexadecimal with 0x)"))
        return false;
    if (could_be_hexadecimal(start, p->at, !f->max_value))
        return fail(p, start, "0x before a hexadecimal number, or a decimal one without leading zeros");
    if (f->max_value && (*v < f->min_value || *v > f->max_value)) {
        fail(p, start, "a number in this field's range");
        return error_where(p->e, "%s (%u to %u)", f->name, f->min_value, f->max_value);
    }
    return true;
}

static bool parse_words(struct parser *p, const struct field *f, uint32_t *item, uint32_t *count)
{
    if (!accept(p, '{'))
        return fail(p, p->at, "'{'");
    for (skip_lines(p); !accept(p, '}'); skip_lines(p)) {
        bool address = f->kind == FIELD_UNIFORMS && accept(p, '@');
        uint32_t v;
        if (*count == f->max)
            return fail(p, p->at, "'}': the list is full");
        if (!get_number(p, 16, &v, "a hexadecimal word or '}'"))
            return false;
        if (f->kind == FIELD_WORDS) {
            item[*count] = v;
        } else {
            item[2 * *count] = address;
            item[2 * *count + 1] = v;
        }
        ++*count;
    }
    return true;
}

/* Returns the number of characters in the current line up to a comment, without trailing blanks. `*stop` is
 * the end of the line. */
static size_t rest_of_line(const struct parser *p, const char **stop)
{
    *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
    if (!*stop)
        *stop = p->end;
    const char *comment = memchr(p->line_start, '#', (size_t)(*stop - p->line_start));
    size_t count = (size_t)((comment ? comment : *stop) - p->line_start);
    while (count && char_is_space(p->line_start[count - 1]))
        count--;
    return count;
}

/* Sets `blank` if the line has only a comment of the unit's syntax. */
static bool parse_instruction(struct parser *p, const struct code *code, uint32_t *words, bool *blank)
{
    const char *stop;
    size_t count = rest_of_line(p, &stop);
    *blank = code->is_blank && code->is_blank(p->line_start, count);
    if (!*blank && !code->parse(p->line_start, count, words, p->e))
        return error_where(p->e, "line %u", p->line);
    p->at = stop;
    return true;
}

enum words_found { NO_WORDS, WORDS, UNCLEAR_WORDS };

/* Could a word without 0x be decimal or hexadecimal? Eight digits are hexadecimal; one digit is the same in
 * both. */
static bool unclear_word(const char *start, const char *end)
{
    size_t digits = 0;
    while (start + digits < end && char_is_digit(start[digits]))
        digits++;
    return start + digits == end && digits != 8 && digits != 1;
}

/* Reads the phrase's words as hexadecimal numbers, if the line has nothing else. Sets `*at` to the first word
 * that could also be decimal. */
static enum words_found parse_bare_words(const struct parser *p, const char *end, uint32_t count,
                                         uint32_t *words, const char **at)
{
    struct error ignored = {0};
    struct parser rest = *p;
    uint32_t value[PHRASE_WORDS_MAX];
    rest.end = end;
    rest.e = &ignored;
    *at = NULL;
    for (uint32_t i = 0; i < count; i++) {
        skip_blanks(&rest);
        const char *start = rest.at;
        if (!get_number(&rest, 16, &value[i], ""))
            return NO_WORDS;
        if (!*at && unclear_word(start, rest.at))
            *at = start;
    }
    skip_blanks(&rest);
    if (rest.at != rest.end)
        return NO_WORDS;
    if (*at)
        return UNCLEAR_WORDS;
    memcpy(words, value, count * sizeof *value);
    return WORDS;
}

static bool parse_phrase(struct parser *p, struct test_case *c, const struct phrase *phrase)
{
    const char *stop, *at;
    if (!accept(p, '='))
        return fail(p, p->at, "'='");
    size_t count = rest_of_line(p, &stop), from = (size_t)(p->at - p->line_start);
    enum words_found found = from < count ? parse_bare_words(p, p->line_start + count, phrase->words,
                                                             c->words + phrase->first, &at)
                                          : NO_WORDS;
    if (found == UNCLEAR_WORDS)
        return fail(p, at, "a hexadecimal word: all eight digits, or 0x before fewer");
    if (found == NO_WORDS &&
        !phrase->parse(c, p->line_start, from < count ? from : count, count, c->words + phrase->first, p->e))
        return error_where(p->e, "line %u", p->line);
    p->at = stop;
    return true;
}

static bool parse_code(struct parser *p, const struct code *code, const struct field *f, uint32_t *item,
                       uint32_t *count)
{
    if (!accept(p, '{') || !expect_end_of_line(p))
        return fail(p, p->at, "'{' and the end of the line");
    for (skip_lines(p); !accept(p, '}'); skip_lines(p)) {
        if (p->at == p->end)
            return fail(p, p->at, "an instruction or '}'");
        uint32_t words[CODE_WORDS_MAX];
        bool blank;
        const char *at = p->at;
        if (!parse_instruction(p, code, words, &blank))
            return false;
        if (blank)
            continue;
        if (*count == f->max)
            return fail(p, at, "'}': the program is full");
        memcpy(item + *count * code->words, words, code->words * sizeof *words);
        ++*count;
    }
    return true;
}

static bool parse_fill(struct parser *p, uint32_t *head)
{
    char word[32];
    const char *start = get_word(p, word, sizeof word);
    for (uint32_t i = 0; i < FILL_KINDS; i++)
        if (!strcmp(word, fill_names[i])) {
            head[0] = i;
            head[1] = 0;
            return i != FILL_RANDOM || get_number(p, 16, &head[1], "the seed, hexadecimal");
        }
    return fail(p, start, "zero, index or random");
}

static bool parse_row(struct parser *p, struct test_case *c, const struct field *f)
{
    uint32_t row;
    skip_blanks(p);
    const char *start = p->at;
    if (!get_number(p, 10, &row, "the row's number"))
        return false;
    if (row >= f->max)
        return fail(p, start, "a row within the image");
    uint32_t *words = image_own_row(c, f, row, true);
    if (!words || !accept(p, '='))
        return fail(p, p->at, "'='");
    char word[32];
    struct parser before = *p;
    get_word(p, word, sizeof word);
    bool all = !strcmp(word, "all");
    if (!all)
        *p = before;
    for (uint32_t i = 0; i < f->row_words; i++) {
        skip_blanks(p);
        bool ends = p->at == p->end || *p->at == '\n' || *p->at == '#';
        if (all && i)
            words[i] = words[0];
        else if (ends && i)
            words[i] = 0;
        else if (!get_number(p, 16, &words[i],
                             all ? "a hexadecimal word"
                                 : "the row's words (hexadecimal), or 'all' and one word"))
            return false;
    }
    return true;
}

static bool parse_image(struct parser *p, struct test_case *c, const struct field *f)
{
    char word[32];
    const char *start = get_word(p, word, sizeof word);
    if (!strcmp(word, "fill"))
        return parse_fill(p, case_field(c, f));
    if (!strcmp(word, "row"))
        return parse_row(p, c, f);
    return fail(p, start, "'fill' or 'row' after the image's name");
}

static const char *name_of_field(const void *schema, unsigned i)
{
    const struct schema *s = schema;
    return i < s->field_count ? s->fields[i].name : NULL;
}

static bool parse_field(struct parser *p, struct test_case *c)
{
    char name[64];
    const char *start = get_word(p, name, sizeof name);
    const struct schema *s = &c->unit->schema;
    const struct field *f = schema_field(s, name);
    if (!f && s->phrase && !strcmp(name, s->phrase->name))
        return parse_phrase(p, c, s->phrase);
    if (!f)
        return name[0] ? fail_unknown(p, start, "field", name, name_of_field, s)
                       : fail(p, start, "a field's name");
    uint32_t *count, *item = case_items(c, f, &count);
    bool good = !item                    ? parse_value(p, c->unit, f, case_bits(c, f), case_field(c, f))
                : f->kind == FIELD_IMAGE ? parse_image(p, c, f)
                : f->kind == FIELD_CODE  ? parse_code(p, case_code(c), f, item, count)
                                         : parse_words(p, f, item, count);
    return good && expect_end_of_line(p);
}

/* Parses the first line and returns the unit that it names. If `u` is given, the line must name `u`. NULL
 * with an error. */
static const struct unit *parse_head(struct parser *p, const struct unit *u)
{
    char word[64];
    uint32_t version;
    skip_lines(p);
    const char *start = get_word(p, word, sizeof word);
    if (strcmp(word, "misprint-case") != 0) {
        fail(p, start, "'misprint-case 1 UNIT' in the first line");
        return NULL;
    }
    start = p->at;
    if (!get_number(p, 10, &version, "the version of the form, 1"))
        return NULL;
    if (version != VERSION) {
        fail(p, start, "version 1 of the form (a newer misprint may have written this)");
        return NULL;
    }
    start = get_word(p, word, sizeof word);
    if (u && strcmp(word, u->name) != 0) {
        fail(p, start, u->name);
        return NULL;
    }
    if (!u && !(u = unit_find(word, p->e))) {
        error_where(p->e, "line %u", p->line);
        return NULL;
    }
    return expect_end_of_line(p) ? u : NULL;
}

static struct parser parser_of(const char *chars, size_t count, struct error *e)
{
    return (struct parser){.at = chars, .end = chars + count, .line_start = chars, .line = 1, .e = e};
}

const struct unit *case_text_unit(const char *chars, size_t count, struct error *e)
{
    struct parser p = parser_of(chars, count, e);
    return parse_head(&p, NULL);
}

bool case_parse_as(struct test_case *c, const struct unit *u, const char *chars, size_t count,
                   struct error *e)
{
    struct parser p = parser_of(chars, count, e);
    if (!(u = parse_head(&p, u)))
        return false;
    case_init(c, u);
    for (skip_lines(&p); p.at < p.end; skip_lines(&p))
        if (!parse_field(&p, c))
            return false;
    case_sanitise(c);
    return true;
}

bool case_parse(struct test_case *c, const char *chars, size_t count, struct error *e)
{
    return case_parse_as(c, NULL, chars, count, e);
}
