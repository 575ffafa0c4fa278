/* SPDX-License-Identifier: MIT */
#include "oracle/describe/case_bytes.h"

#include "model/core/memory.h"
#include "model/number/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 2 /* words of a row in a line */ };

/* Reads the bytes as a board would: by the schema alone. */
struct cursor {
    const struct test_case *tc;
    uint8_t *bytes;
    size_t at, count;
    struct text *to;
};

static uint32_t peek(const struct cursor *c, unsigned size)
{
    return c->at + size <= c->count ? (uint32_t)bytes_get(c->bytes + c->at, size) : 0;
}

/* Prints the next `size` bytes, at most 8, and moves on. The caller adds what they are and a line end. */
static void print_bytes(struct cursor *c, unsigned size)
{
    struct text hex = {0};
    for (unsigned i = 0; i < size; i++)
        text_add(&hex, "%s%02X", i ? i % 4 ? " " : "  " : "", c->bytes[c->at + i]);
    text_add(c->to, "%6zu  %-23s  ", c->at, text_chars(&hex));
    text_free(&hex);
    c->at += size;
}

static void no_bytes(struct cursor *c)
{
    text_add(c->to, "%6s  %-23s    ", "", "");
}

/* Prints bit fields of up to CODE_WORDS_MAX words, the first word lowest. */
static void print_bits(struct cursor *c, const struct bit_field *b, const uint32_t *words)
{
    for (; b && b->name; b++) {
        uint64_t two = words[b->low / 32];
        if (b->low % 32 + b->width > 32)
            two |= (uint64_t)words[b->low / 32 + 1] << 32;
        uint32_t value = (uint32_t)(two >> b->low % 32 & ((UINT64_C(1) << b->width) - 1));
        no_bytes(c);
        text_add(c->to, "bit%s %u", b->width > 1 ? "s" : "", b->low + b->width - 1U);
        if (b->width > 1)
            text_add(c->to, ":%u", b->low);
        text_add(c->to, " %s = %" PRIu32, b->name, value);
        for (unsigned i = 0; b->values && b->values[i]; i++)
            if (i == value)
                text_add(c->to, " (%s)", b->values[i]);
        text_add(c->to, "\n");
    }
}

static unsigned count_size(const struct field *f)
{
    return f->max < 256 ? 1 : 2;
}

static uint32_t print_count(struct cursor *c, const struct field *f, const char *what)
{
    uint32_t n = peek(c, count_size(f));
    print_bytes(c, count_size(f));
    text_add(c->to, "%s: %" PRIu32 " %s%s\n", f->name, n, what, plural(n));
    return n;
}

static void print_one(struct cursor *c, const struct field *f)
{
    unsigned size = f->kind == FIELD_ENUM ? 1 : 4;
    uint32_t v = peek(c, size);
    print_bytes(c, size);
    if (f->kind == FIELD_ENUM)
        text_add(c->to, "%s = %" PRIu32 " (%s)\n", f->name, v, f->names[v]);
    else
        text_add(c->to, "%s = 0x%" PRIX32 " (%" PRIu32 ")\n", f->name, v, v);
    if (f->kind == FIELD_WORD)
        print_bits(c, case_bits(c->tc, f), &v);
}

static void print_uniform(struct cursor *c, const struct field *f, uint32_t i)
{
    uint32_t address = peek(c, 1);
    print_bytes(c, 1);
    text_add(c->to, "%s[%" PRIu32 "]: %s\n", f->name, i,
             address & 1 ? "1, an address: the board adds memory-base" : "0, a number");
    uint32_t v = peek(c, 4);
    print_bytes(c, 4);
    text_add(c->to, "  = 0x%" PRIX32 "\n", v);
}

static void print_instruction(struct cursor *c, const struct field *f, uint32_t i)
{
    const struct code *code = case_code(c->tc);
    uint32_t words[CODE_WORDS_MAX] = {0};
    struct text t = {0};
    size_t start = c->at;
    for (unsigned w = 0; w < code->words; w++, c->at += 4)
        words[w] = peek(c, 4);
    c->at = start;
    code->print(words, &t);
    const struct bit_field *bits = code->bits ? code->bits(words) : NULL;
    for (unsigned w = 0; w < code->words; w++) {
        print_bytes(c, 4);
        if (w == 0)
            text_add(c->to, "%s[%" PRIu32 "] = %s\n", f->name, i, text_chars(&t));
        else if (code->second_bits)
            text_add(c->to, "  second word\n");
        else
            text_add(c->to, "  word %u (bits %u:%u)\n", w, 32 * w + 31, 32 * w);
        if (code->second_bits)
            print_bits(c, w ? code->second_bits(words) : bits, words + w);
    }
    text_free(&t);
    if (!code->second_bits)
        print_bits(c, bits, words);
}

static void print_row(struct cursor *c, const struct field *f)
{
    uint32_t row = peek(c, count_size(f));
    print_bytes(c, count_size(f));
    text_add(c->to, "%s row %" PRIu32 "\n", f->name, row);
    bool full = peek(c, 1) & 1;
    print_bytes(c, 1);
    text_add(c->to,
             full ? "  form 1: %" PRIu32 " words follow\n" : "  form 0: one word for all %" PRIu32 "\n",
             f->row_words);
    uint32_t words = full ? f->row_words : 1;
    for (uint32_t w = 0; w < words; w += WORDS) {
        uint32_t n = words - w < WORDS ? words - w : WORDS, first = peek(c, 4);
        print_bytes(c, 4 * n);
        text_add(c->to, full ? "  word %" PRIu32 " on:" : "  all:", w);
        text_add(c->to, " %08" PRIX32, first);
        if (n > 1)
            text_add(c->to, " %08" PRIX32, (uint32_t)bytes_get(c->bytes + c->at - 4, 4));
        text_add(c->to, "\n");
    }
}

static void print_image(struct cursor *c, const struct field *f)
{
    static const char *const fills[FILL_KINDS] = {"zero", "index", "random"};
    uint32_t fill = peek(c, 1);
    print_bytes(c, 1);
    text_add(c->to, "%s: fill %" PRIu32 " (%s)\n", f->name, fill, fills[fill % FILL_KINDS]);
    if (fill == FILL_RANDOM) {
        uint32_t seed = peek(c, 4);
        print_bytes(c, 4);
        text_add(c->to, "%s: seed 0x%" PRIX32 "\n", f->name, seed);
    }
    for (uint32_t n = print_count(c, f, "row"); n > 0; n--)
        print_row(c, f);
}

static void print_field(struct cursor *c, const struct field *f)
{
    if (f->kind == FIELD_ENUM || f->kind == FIELD_WORD) {
        print_one(c, f);
    } else if (f->kind == FIELD_IMAGE) {
        print_image(c, f);
    } else {
        const char *what = f->kind == FIELD_CODE    ? "instruction"
                           : f->kind == FIELD_WORDS ? "word"
                                                    : "uniform";
        uint32_t n = print_count(c, f, what);
        for (uint32_t i = 0; i < n; i++)
            if (f->kind == FIELD_CODE) {
                print_instruction(c, f, i);
            } else if (f->kind == FIELD_UNIFORMS) {
                print_uniform(c, f, i);
            } else {
                print_bytes(c, 4);
                text_add(c->to, "%s[%" PRIu32 "]\n", f->name, i);
            }
    }
}

void case_explain_bytes(const struct test_case *c, struct text *t)
{
    const struct schema *s = &c->unit->schema;
    struct cursor r = {.tc = c, .bytes = memory_new(CASE_BYTES_MAX, 1), .to = t};
    r.count = case_encode(c, r.bytes);
    text_add(t, "offset  bytes                    what (%s, form %016" PRIx64 ", %zu bytes)\n", c->unit->name,
             unit_form(c->unit), r.count);
    for (unsigned i = 0; i < s->field_count; i++)
        print_field(&r, &s->fields[i]);
    text_add(t, "%6zu  %-23s  end\n", r.at, "");
    free(r.bytes);
}
