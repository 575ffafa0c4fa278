/* SPDX-License-Identifier: MIT */
#include "model/core/measure.h"

#include <string.h>

void measure_simplest(const struct code *code, const uint32_t *words, uint32_t simplest[CODE_WORDS_MAX])
{
    if (code->simplest)
        code->simplest(words, simplest);
    else if (code->nop)
        memcpy(simplest, code->nop, code->words * sizeof *simplest);
    else
        memset(simplest, 0, code->words * sizeof *simplest);
}

static void add_word(struct measure *m, uint32_t word, uint32_t usual)
{
    m->words += word != usual;
    m->bits += (uint64_t)__builtin_popcount(word ^ usual);
}

static void add_instruction(struct measure *m, const struct code *code, const uint32_t *words)
{
    uint32_t simplest[CODE_WORDS_MAX];
    measure_simplest(code, words, simplest);
    for (unsigned i = 0; i < code->words; i++) {
        uint32_t nop = code->nop ? code->nop[i] : 0;
        m->words += words[i] != nop;
        m->bits +=
            (uint64_t)(__builtin_popcount(words[i] ^ simplest[i]) + __builtin_popcount(simplest[i] ^ nop));
    }
}

static void add_image(struct measure *m, const struct field *f, const uint32_t *head, const uint32_t *rows,
                      uint32_t count)
{
    m->fills += head[0] != FILL_ZERO;
    add_word(m, head[1], 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *words = rows + i * (1 + f->row_words) + 1;
        uint32_t count_words = row_is_constant(words, f->row_words) ? 1 : f->row_words;
        for (uint32_t k = 0; k < count_words; k++)
            add_word(m, words[k], 0);
    }
}

struct measure case_measure(const struct test_case *c)
{
    /* case_items takes a writable case; this function only reads it */
    struct test_case *readable = (struct test_case *)(uintptr_t)c;
    struct measure m = {0};
    for (unsigned i = 0; i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        uint32_t *count, *items = case_items(readable, f, &count);
        if (!items) {
            add_word(&m, *case_field_const(c, f), f->initial);
            continue;
        }
        const struct code *code = f->kind == FIELD_CODE ? case_code(c) : NULL;
        *(code ? &m.code : &m.items) += *count;
        if (f->kind == FIELD_IMAGE) {
            add_image(&m, f, case_field_const(c, f), items, *count);
            continue;
        }
        uint32_t size = field_item_words(c->unit, f);
        for (uint32_t k = 0; code && k < *count; k++)
            add_instruction(&m, code, items + k * size);
        for (uint32_t k = 0; !code && k < *count * size; k++)
            add_word(&m, items[k], 0);
    }
    return m;
}

int measure_order(const struct measure *a, const struct measure *b)
{
    const uint64_t pairs[][2] = {{a->code, b->code},
                                 {a->items, b->items},
                                 {a->fills, b->fills},
                                 {a->words, b->words},
                                 {a->bits, b->bits}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] != pairs[i][1])
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return 0;
}
