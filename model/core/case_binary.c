/* SPDX-License-Identifier: MIT */
/*
 * The binary form of a case, which fuzzers mutate and boards receive. The fields
 * follow each other in the schema's order. All numbers are little-endian:
 *
 *   enumeration   1 byte, modulo the number of names
 *   word          4 bytes, brought into the field's range
 *   list          count (1 byte if the list's maximum is below 256, else 2), modulo maximum + 1; then items:
 *                   word         4 bytes
 *                   uniform      1 byte (bit 0: address), 4 bytes
 *                   instruction  4 bytes for each word
 *   image         fill 1 byte (0 zero, 1 index, 2 random), modulo 3; only for random: seed 4 bytes;
 *                 count as for lists; then rows: index (as wide as the count), form 1 byte, words of 4 bytes:
 *                 the whole row if bit 0 of the form is set, else one word for all
 *
 * A list ends where the bytes end. All other missing bytes read as 0.
 */
#include "model/core/unit.h"
#include "model/number/bytes.h"

#include <string.h>

struct reader {
    const uint8_t *bytes;
    size_t left;
};

static uint32_t get(struct reader *r, unsigned count)
{
    unsigned there = r->left < count ? (unsigned)r->left : count;
    uint32_t v = (uint32_t)bytes_get(r->bytes, there);
    r->bytes += there;
    r->left -= there;
    return v;
}

/* Reads words. If bytes are missing, the words end as `get` reads them. */
static void get_list(struct reader *r, uint32_t *words, uint32_t count)
{
    if (r->left < (size_t)4 * count) {
        for (uint32_t i = 0; i < count; i++)
            words[i] = get(r, 4);
        return;
    }
    get_words(words, r->bytes, count);
    r->bytes += (size_t)4 * count;
    r->left -= (size_t)4 * count;
}

static unsigned count_bytes(const struct field *f)
{
    return f->max < 256 ? 1 : 2;
}

static void get_item(struct reader *r, const struct field *f, uint32_t *item, uint32_t words)
{
    if (f->kind == FIELD_UNIFORMS) {
        item[0] = get(r, 1);
        item[1] = get(r, 4);
    } else if (f->kind == FIELD_IMAGE) {
        item[0] = get(r, count_bytes(f));
        bool full = get(r, 1) & 1;
        get_list(r, item + 1, full ? words - 1 : 1);
        for (uint32_t i = 2; !full && i < words; i++)
            item[i] = item[1];
    } else {
        get_list(r, item, words);
    }
}

static void get_field(struct reader *r, struct test_case *c, const struct field *f)
{
    uint32_t *words = case_field(c, f), *count, *items = case_items(c, f, &count);
    if (!items) {
        *words = get(r, f->kind == FIELD_ENUM ? 1 : 4);
        return;
    }
    if (f->kind == FIELD_IMAGE) {
        words[0] = get(r, 1) % FILL_KINDS;
        words[1] = words[0] == FILL_RANDOM ? get(r, 4) : 0;
    }
    uint32_t wanted = get(r, count_bytes(f)) % (f->max + 1), item = field_item_words(c->unit, f);
    for (*count = 0; *count < wanted && r->left; ++*count)
        get_item(r, f, items + *count * item, item);
}

void case_decode(struct test_case *c, const struct unit *u, const uint8_t *bytes, size_t count)
{
    struct reader r = {bytes, count};
    c->unit = u;
    for (unsigned i = 0; i < u->schema.field_count; i++)
        get_field(&r, c, &u->schema.fields[i]);
    case_sanitise(c);
}

bool row_is_constant(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (words[i] != words[0])
            return false;
    return true;
}

static uint8_t *put_item(uint8_t *to, const struct field *f, const uint32_t *item, uint32_t words)
{
    if (f->kind == FIELD_UNIFORMS)
        return bytes_put(bytes_put(to, item[0], 1), item[1], 4);
    uint32_t first = 0;
    if (f->kind == FIELD_IMAGE) {
        bool one = row_is_constant(item + 1, words - 1);
        to = bytes_put(bytes_put(to, item[0], count_bytes(f)), !one, 1);
        first = 1;
        words = one ? 2 : words;
    }
    return put_words(to, item + first, words - first);
}

static uint8_t *put_field(uint8_t *to, struct test_case *c, const struct field *f)
{
    uint32_t *words = case_field(c, f), *count, *items = case_items(c, f, &count);
    if (!items)
        return bytes_put(to, *words, f->kind == FIELD_ENUM ? 1 : 4);
    if (f->kind == FIELD_IMAGE) {
        to = bytes_put(to, words[0], 1);
        if (words[0] == FILL_RANDOM)
            to = bytes_put(to, words[1], 4);
    }
    to = bytes_put(to, *count, count_bytes(f));
    uint32_t item = field_item_words(c->unit, f);
    for (uint32_t i = 0; i < *count; i++)
        to = put_item(to, f, items + i * item, item);
    return to;
}

size_t case_encode(const struct test_case *c, uint8_t bytes[CASE_BYTES_MAX])
{
    /* case_items takes a writable case; this function only reads it */
    struct test_case *readable = (struct test_case *)(uintptr_t)c;
    uint8_t *to = bytes;
    for (unsigned i = 0; i < c->unit->schema.field_count; i++)
        to = put_field(to, readable, &c->unit->schema.fields[i]);
    return (size_t)(to - bytes);
}
