/* SPDX-License-Identifier: MIT */
/* Cases in memory: defaults, copying, comparison, ranges, images. case_binary.c and case_text.c read and
 * write cases in files. */
#include "model/core/case.h"

#include "model/core/unit.h"

#include <string.h>

const struct field *schema_field(const struct schema *s, const char *name)
{
    for (unsigned i = 0; i < s->field_count; i++)
        if (!strcmp(s->fields[i].name, name))
            return &s->fields[i];
    return NULL;
}

uint32_t field_item_words(const struct unit *u, const struct field *f)
{
    switch (f->kind) {
    case FIELD_CODE:
        return u->code->words;
    case FIELD_UNIFORMS:
        return sizeof(struct case_uniform) / sizeof(uint32_t);
    case FIELD_IMAGE:
        return 1 + f->row_words;
    default:
        return 1;
    }
}

/* Returns the number of words that precede a field's items: 1 for a list (its count), 3 for an image (fill,
 * seed, count), 0 for other fields. */
static uint32_t head_words(const struct field *f)
{
    return f->kind == FIELD_IMAGE ? 3 : f->kind == FIELD_ENUM || f->kind == FIELD_WORD ? 0 : 1;
}

uint32_t *case_items(struct test_case *c, const struct field *f, uint32_t **count)
{
    uint32_t head = head_words(f), *words = case_field(c, f);
    *count = head ? words + head - 1 : NULL;
    return head ? words + head : NULL;
}

/* Returns how many of a field's words are in use. */
static uint32_t used_words(const struct unit *u, const struct field *f, const uint32_t *words)
{
    uint32_t head = head_words(f);
    return head ? head + words[head - 1] * field_item_words(u, f) : 1;
}

/* Copies the words of a field that are in use, and returns their number. */
static uint32_t copy_field(const struct unit *u, const struct field *f, uint32_t *to, const uint32_t *from)
{
    uint32_t used = used_words(u, f, from);
    if (used == 1)
        *to = *from;
    else
        memcpy(to, from, used * sizeof *to);
    return used;
}

void case_init(struct test_case *c, const struct unit *u)
{
    c->unit = u;
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        uint32_t head = head_words(f), *words = case_field(c, f);
        if (head)
            memset(words, 0, head * sizeof *words);
        else
            *words = f->initial;
    }
}

void case_copy(struct test_case *to, const struct test_case *from)
{
    case_take(to, from->unit, from->words);
}

void case_take(struct test_case *c, const struct unit *u, const uint32_t *words)
{
    c->unit = u;
    for (const struct field *f = u->schema.fields; f < u->schema.fields + u->schema.field_count; f++)
        copy_field(u, f, case_field(c, f), words + f->offset);
}

uint32_t case_pack(const struct test_case *c, uint32_t *words)
{
    const struct schema *s = &c->unit->schema;
    uint32_t *to = words;
    for (const struct field *f = s->fields; f < s->fields + s->field_count; f++)
        to += copy_field(c->unit, f, to, case_field_const(c, f));
    return (uint32_t)(to - words);
}

uint32_t case_unpack(struct test_case *c, const struct unit *u, const uint32_t *words)
{
    const uint32_t *from = words;
    c->unit = u;
    for (const struct field *f = u->schema.fields; f < u->schema.fields + u->schema.field_count; f++)
        from += copy_field(u, f, case_field(c, f), from);
    return (uint32_t)(from - words);
}

bool case_equal(const struct test_case *a, const struct test_case *b)
{
    if (a->unit != b->unit)
        return false;
    for (unsigned i = 0; i < a->unit->schema.field_count; i++) {
        const struct field *f = &a->unit->schema.fields[i];
        const uint32_t *words = case_field_const(a, f), *others = case_field_const(b, f);
        uint32_t used = used_words(a->unit, f, words);
        if (used != used_words(a->unit, f, others) || memcmp(words, others, used * sizeof *words) != 0)
            return false;
    }
    return true;
}

uint32_t field_clamp(const struct field *f, uint32_t v)
{
    if (f->kind == FIELD_ENUM)
        return v % f->max;
    if (!f->max_value || (v >= f->min_value && v <= f->max_value))
        return v;
    return f->min_value + v % (f->max_value - f->min_value + 1);
}

/* Sorts the rows that the case lists by index. If several rows have the same index, keeps the last. Uses
 * insertion sort, because the rows are nearly sorted already. */
static void sort_rows(uint32_t *rows, uint32_t *count, uint32_t item)
{
    uint32_t kept = 0, row[1 + ROW_WORDS_MAX];
    while (kept < *count && (!kept || rows[(kept - 1) * item] < rows[kept * item]))
        kept++; /* these are in order already */
    for (uint32_t i = kept; i < *count; i++) {
        memcpy(row, rows + i * item, item * sizeof *rows);
        uint32_t at = kept;
        while (at && rows[(at - 1) * item] > row[0])
            at--;
        bool replaces = at && rows[(at - 1) * item] == row[0];
        if (replaces)
            at--;
        else
            memmove(rows + (at + 1) * item, rows + at * item, (kept++ - at) * item * sizeof *rows);
        memcpy(rows + at * item, row, item * sizeof *rows);
    }
    *count = kept;
}

static void sanitise_field(struct test_case *c, const struct field *f)
{
    uint32_t *words = case_field(c, f), *count, *items = case_items(c, f, &count);
    if (!items) {
        *words = field_clamp(f, *words);
        return;
    }
    if (*count > f->max)
        *count = f->max;
    uint32_t item = field_item_words(c->unit, f);
    if (f->kind == FIELD_UNIFORMS)
        for (uint32_t i = 0; i < *count; i++)
            items[i * item] &= 1;
    if (f->kind == FIELD_IMAGE) {
        words[0] %= FILL_KINDS;
        if (words[0] != FILL_RANDOM)
            words[1] = 0;
        for (uint32_t i = 0; i < *count; i++)
            items[i * item] %= f->max;
        sort_rows(items, count, item);
    }
}

void case_sanitise(struct test_case *c)
{
    for (unsigned i = 0; i < c->unit->schema.field_count; i++)
        sanitise_field(c, &c->unit->schema.fields[i]);
}

static uint32_t index_byte(uint32_t n)
{
    return (n * 37 + n / 251 + 17) & 0xFF;
}

/* Each fill rule has its own loop, so that compilers vectorise the loops. Campaigns that often change the
 * seed spent 5 % of their time in this function. */
void image_fill_row(enum image_fill fill, uint32_t seed, uint32_t row, uint32_t row_words, uint32_t *words)
{
    uint32_t first = row * row_words;
    if (fill == FILL_ZERO)
        memset(words, 0, row_words * sizeof *words);
    else if (fill == FILL_RANDOM)
        for (uint32_t i = 0; i < row_words; i++)
            words[i] = (uint32_t)(random_mix64((uint64_t)seed << 32 | (first + i)) >> 32);
    else
        for (uint32_t i = 0; i < row_words; i++) {
            uint32_t at = 4 * (first + i);
            words[i] = index_byte(at) | index_byte(at + 1) << 8 | index_byte(at + 2) << 16 |
                       index_byte(at + 3) << 24;
        }
}

/* Returns the position of the listed row with this index, or the position at which to insert it. Uses binary
 * search. */
static uint32_t find_row(const uint32_t *rows, uint32_t count, uint32_t item, uint32_t row)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rows[middle * item] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void image_row(const struct test_case *c, const struct field *f, uint32_t row, uint32_t *words)
{
    const uint32_t *head = case_field_const(c, f), *rows = head + 3;
    uint32_t item = 1 + f->row_words, at = find_row(rows, head[2], item, row);
    if (at < head[2] && rows[at * item] == row)
        memcpy(words, rows + at * item + 1, f->row_words * sizeof *words);
    else
        image_fill_row((enum image_fill)head[0], head[1], row, f->row_words, words);
}

uint32_t *image_own_row(struct test_case *c, const struct field *f, uint32_t row, bool add)
{
    uint32_t *head = case_field(c, f), *rows = head + 3;
    uint32_t item = 1 + f->row_words, at = find_row(rows, head[2], item, row);
    if (at < head[2] && rows[at * item] == row)
        return rows + at * item + 1;
    if (!add || head[2] == f->max || row >= f->max)
        return NULL;
    memmove(rows + (at + 1) * item, rows + at * item, (head[2] - at) * item * sizeof *rows);
    head[2]++;
    rows[at * item] = row;
    image_fill_row((enum image_fill)head[0], head[1], row, f->row_words, rows + at * item + 1);
    return rows + at * item + 1;
}
