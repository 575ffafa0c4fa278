/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/places.h"

#include "model/core/unit.h"

struct places {
    const struct test_case *tc;
    struct place *list;
    uint32_t count;
};

static void add(struct places *l, uint32_t at, unsigned low, unsigned bits, uint32_t least, uint32_t most)
{
    if (l->count < PLACES_MAX && bits && bits <= 32)
        l->list[l->count++] = (struct place){at, (uint8_t)low, (uint8_t)bits, least, most};
}

static uint32_t ones(unsigned bits)
{
    return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

/* Adds a place for each bit field. Returns false if there are none. */
static bool add_fields(struct places *l, uint32_t at, const struct bit_field *b)
{
    bool any = b && b->name;
    for (; b && b->name; b++)
        add(l, at, b->low, b->width, 0, ones(b->width));
    return any;
}

static void add_word(struct places *l, uint32_t at)
{
    add(l, at, 0, 32, 0, UINT32_MAX);
}

static void add_items(struct places *l, const struct field *f)
{
    const struct code *code = case_code(l->tc);
    uint32_t *count, size = field_item_words(l->tc->unit, f);
    const uint32_t *items = case_items((struct test_case *)(uintptr_t)l->tc, f, &count);
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t at = (uint32_t)(items - l->tc->words) + i * size;
        if (f->kind == FIELD_CODE && code->bits && add_fields(l, at, code->bits(l->tc->words + at)))
            continue;
        if (f->kind == FIELD_UNIFORMS)
            add(l, at, 0, 32, 0, 1);
        for (uint32_t k = f->kind == FIELD_UNIFORMS || f->kind == FIELD_IMAGE; k < size; k++)
            add_word(l, at + k); /* not the index of an image's row, which comes first */
    }
}

uint32_t places_list(const struct test_case *c, struct place list[PLACES_MAX])
{
    struct places l = {.tc = c, .list = list};
    const struct schema *s = &c->unit->schema;
    for (unsigned i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        if (f->kind == FIELD_ENUM)
            add(&l, f->offset, 0, 32, 0, f->max - 1);
        else if (f->kind != FIELD_WORD)
            add_items(&l, f);
        else if (!add_fields(&l, f->offset, case_bits(c, f)))
            add(&l, f->offset, 0, 32, f->min_value, f->min_value || f->max_value ? f->max_value : UINT32_MAX);
    }
    return l.count;
}

uint32_t place_get(const struct test_case *c, const struct place *p)
{
    uint64_t word = c->words[p->at + p->low / 32];
    if (p->low % 32 + p->bits > 32)
        word |= (uint64_t)c->words[p->at + p->low / 32 + 1] << 32;
    return (uint32_t)(word >> p->low % 32) & ones(p->bits);
}

void place_set(struct test_case *c, const struct place *p, uint32_t value)
{
    uint32_t *word = &c->words[p->at + p->low / 32];
    const uint64_t mask = (uint64_t)ones(p->bits) << p->low % 32, bits = (uint64_t)value << p->low % 32;
    word[0] = (word[0] & ~(uint32_t)mask) | ((uint32_t)bits & (uint32_t)mask);
    if (p->low % 32 + p->bits > 32)
        word[1] = (word[1] & ~(uint32_t)(mask >> 32)) | (uint32_t)((bits & mask) >> 32);
}
