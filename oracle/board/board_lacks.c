/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_lacks.h"

#include "model/core/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 256, MEMO = 1024 };

enum item_kind { ITEM_FIELD, ITEM_VALUE, ITEM_MOST, ITEM_WORD };

struct item {
    char *text;
    enum item_kind kind;
    const struct field *field;
    uint32_t value; /* ITEM_VALUE: the index of the name; ITEM_MOST: the most */
};

struct board_lacks {
    const struct unit *unit;
    char *text;
    struct item item[ITEMS_MAX];
    unsigned items;
    bool has_words;
    /* The instructions looked at last, because to print one takes longer than to run it. */
    struct memo {
        const struct code *code;
        uint32_t words[CODE_WORDS_MAX];
        const struct item *found;
    } memo[MEMO];
};

static bool is_word(int c)
{
    return isalnum(c) || c == '_';
}

/* Has a text of instructions this word, or one that begins with it, if it ends in "*"? */
static bool has_word(const char *text, const char *word)
{
    size_t length = strcspn(word, "*");
    for (const char *at = text; *at; at++)
        if ((at == text || !is_word((unsigned char)at[-1])) && !strncmp(at, word, length) &&
            (word[length] || !is_word((unsigned char)at[length])))
            return true;
    return false;
}

static bool is_name_of(const struct code *code, const char *word)
{
    for (const struct code_names *n = code->names; n && n->title; n++)
        for (unsigned i = 0; n->name(i); i++)
            if (has_word(n->name(i), word))
                return true;
    return has_word(code->syntax, word);
}

/* Is this a word of any of the unit's instruction sets? */
static bool is_known_word(const struct unit *u, const char *word)
{
    const struct code *code = u->code;
    const struct field *set = code && code->chosen_by ? schema_field(&u->schema, code->chosen_by) : NULL;
    if (!code)
        return false;
    for (uint32_t i = 0; set && i < set->max; i++)
        if (is_name_of(code->sets[i], word))
            return true;
    return is_name_of(code, word);
}

static const struct field *field_of(const struct unit *u, const char *name, size_t length)
{
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        if (strlen(f->name) == length && !memcmp(f->name, name, length))
            return f;
    }
    return NULL;
}

static bool read_value(struct item *n, const char *value, struct error *e)
{
    const struct field *f = n->field;
    n->kind = ITEM_VALUE;
    for (n->value = 0; f->kind == FIELD_ENUM && n->value < f->max; n->value++)
        if (!strcmp(f->names[n->value], value))
            return true;
    return error_set(e, "it lacks '%.60s', but %s has no such name", n->text, f->name);
}

static bool read_most(struct item *n, const char *digits, struct error *e)
{
    char *end;
    unsigned long most = strtoul(digits, &end, 10);
    n->kind = ITEM_MOST;
    n->value = (uint32_t)most;
    if (end == digits || *end || n->field->kind == FIELD_ENUM || most > UINT32_MAX)
        return error_set(e, "it lacks '%.60s', which is not FIELD>NUMBER of a word or a list", n->text);
    return n->field->kind != FIELD_WORD || most >= n->field->min_value ||
           error_set(e, "it lacks '%.60s', but %s is at least %lu", n->text, n->field->name,
                     (unsigned long)n->field->min_value);
}

static bool read_item(struct board_lacks *l, struct item *n, struct error *e)
{
    size_t length = strcspn(n->text, "=>");
    n->field = field_of(l->unit, n->text, length);
    if (n->field && n->text[length])
        return (n->text[length] == '=' ? read_value : read_most)(n, n->text + length + 1, e);
    n->kind = n->field ? ITEM_FIELD : ITEM_WORD;
    l->has_words |= !n->field;
    if (n->text[0] == '*' || (strchr(n->text, '*') && strchr(n->text, '*')[1]))
        return error_set(e, "it lacks '%.60s'; a * can only end a word", n->text);
    return n->field || is_known_word(l->unit, n->text) ||
           error_set(e, "it lacks '%.60s', which is no field and no word of an instruction of %s", n->text,
                     l->unit->name);
}

static uint32_t allowed(const struct board_lacks *l, const struct field *f, uint32_t value);

static bool has_values(const struct board_lacks *l, struct error *e)
{
    for (unsigned i = 0; i < l->items; i++) {
        const struct field *f = l->item[i].field;
        if (l->item[i].kind == ITEM_VALUE && allowed(l, f, 0) == f->max)
            return error_set(e, "\"lacks\" excludes every value of %s, so no case can run; remove one",
                             f->name);
    }
    return true;
}

struct board_lacks *board_lacks_new(const struct unit *u, const char *text, struct error *e)
{
    struct board_lacks *l = memory_new(1, sizeof *l);
    l->unit = u;
    l->text = memory_string(text);
    bool good = true;
    for (const char *at = text; good && *at;) {
        size_t length = strcspn(at, " ,");
        if (length && l->items == ITEMS_MAX)
            good = error_set(e, "it lacks more than %d parts", ITEMS_MAX);
        if (good && length) {
            struct item *n = &l->item[l->items++];
            n->text = memory_string(at);
            n->text[length] = 0;
            good = read_item(l, n, e);
        }
        at += length + (at[length] != 0);
    }
    if (good && has_values(l, e))
        return l;
    board_lacks_free(l);
    return NULL;
}

void board_lacks_free(struct board_lacks *l)
{
    if (!l)
        return;
    for (unsigned i = 0; i < l->items; i++)
        free(l->item[i].text);
    free(l->text);
    free(l);
}

const char *board_lacks_text(const struct board_lacks *l)
{
    return l ? l->text : "";
}

/* ---- cases ---- */

/* Returns the first value from `value` on, around the end, that no item excludes; max if there is none. */
static uint32_t allowed(const struct board_lacks *l, const struct field *f, uint32_t value)
{
    for (uint32_t tried = 0; tried < f->max; tried++, value = (value + 1) % f->max) {
        bool lacks = false;
        for (unsigned i = 0; i < l->items; i++)
            lacks |= l->item[i].kind == ITEM_VALUE && l->item[i].field == f && l->item[i].value == value;
        if (!lacks)
            return value;
    }
    return f->max;
}

static uint32_t *count_of(struct test_case *c, const struct field *f)
{
    uint32_t *count;
    (void)case_items(c, f, &count);
    return count;
}

/* Does a field have what the item says that the board lacks? */
static bool field_has(const struct item *n, struct test_case *c)
{
    const struct field *f = n->field;
    const uint32_t *words = case_field(c, f), *count = count_of(c, f);
    switch (n->kind) {
    case ITEM_FIELD:
        return count ? *count || (f->kind == FIELD_IMAGE && words[0] != FILL_ZERO) : *words != f->initial;
    case ITEM_VALUE:
        return *words == n->value;
    case ITEM_MOST:
        return (count ? *count : *words) > n->value;
    default:
        return false;
    }
}

static void mend_field(const struct board_lacks *l, const struct item *n, struct test_case *c)
{
    const struct field *f = n->field;
    uint32_t *words = case_field(c, f), *count = count_of(c, f);
    if (n->kind == ITEM_VALUE)
        *words = allowed(l, f, *words);
    else if (n->kind == ITEM_MOST)
        *(count ? count : words) = n->value;
    else if (!count)
        *words = f->initial;
    else
        *count = 0;
    if (n->kind == ITEM_FIELD && f->kind == FIELD_IMAGE)
        words[0] = words[1] = 0;
}

static const struct item *search_words(const struct board_lacks *l, const struct code *code,
                                       const uint32_t *words)
{
    const struct item *found = NULL;
    struct text t = {0};
    code->print(words, &t);
    for (unsigned i = 0; i < l->items && !found; i++)
        if (l->item[i].kind == ITEM_WORD && has_word(text_chars(&t), l->item[i].text))
            found = &l->item[i];
    text_free(&t);
    return found;
}

/* Returns the item that an instruction has; NULL: none. */
static const struct item *item_of(struct board_lacks *l, const struct code *code, const uint32_t *words)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < code->words; i++)
        hash = random_mix64(hash ^ words[i]);
    struct memo *m = &l->memo[hash % MEMO];
    size_t bytes = code->words * sizeof *words;
    if (m->code != code || memcmp(m->words, words, bytes) != 0) {
        m->found = search_words(l, code, words);
        m->code = code;
        memcpy(m->words, words, bytes);
    }
    return m->found;
}

/* Returns the first item that the case has; NULL: none. With `mend`, mends all of them. */
static const struct item *look(const struct board_lacks *l, struct test_case *c, bool mend)
{
    for (unsigned i = 0; i < l->items; i++)
        if (l->item[i].field && field_has(&l->item[i], c)) {
            if (!mend)
                return &l->item[i];
            mend_field(l, &l->item[i], c);
        }
    static const uint32_t zeros[CODE_WORDS_MAX];
    const struct code *code = l->has_words ? case_code(c) : NULL;
    for (unsigned i = 0; code && i < l->unit->schema.field_count; i++) {
        const struct field *f = &l->unit->schema.fields[i];
        uint32_t *count, *items = case_items(c, f, &count);
        for (uint32_t n = 0; f->kind == FIELD_CODE && n < *count; n++) {
            /* the memo is no part of what the board lacks */
            const struct item *found =
                item_of((struct board_lacks *)(uintptr_t)l, code, items + n * code->words);
            if (found && !mend)
                return found;
            if (found)
                memcpy(items + n * code->words, code->nop ? code->nop : zeros, code->words * sizeof *items);
        }
    }
    return NULL;
}

const char *board_lacks_of(const struct board_lacks *l, const struct test_case *c)
{
    const struct item *found = look(l, (struct test_case *)(uintptr_t)c, false); /* only reads it */
    return found ? found->text : NULL;
}

void board_lacks_mend(const struct board_lacks *l, struct test_case *c)
{
    (void)look(l, c, true);
}
