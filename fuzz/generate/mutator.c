/* SPDX-License-Identifier: MIT */
#include "fuzz/generate/mutator.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "model/number/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { ANEW = 32 /* of so many changes, one makes a new case */ };

struct mutator {
    const struct unit *unit;
    struct test_case mine, other;
    uint8_t bytes[CASE_BYTES_MAX];
};

struct mutator *mutator_new(const struct unit *u)
{
    struct mutator *m = memory_one(sizeof *m);
    m->unit = u;
    return m;
}

void mutator_free(struct mutator *m)
{
    free(m);
}

static size_t give(struct mutator *m, uint8_t *out, size_t room)
{
    if (room >= CASE_BYTES_MAX)
        return case_encode(&m->mine, out);
    size_t count = case_encode(&m->mine, m->bytes);
    if (count > room)
        return 0;
    memcpy(out, m->bytes, count);
    return count;
}

size_t mutator_change(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count, uint8_t *out,
                      size_t room)
{
    struct random r;
    random_seed(&r, seed);
    if (random_one_in(&r, ANEW)) {
        case_generate(&r, m->unit, &m->mine);
    } else {
        case_decode(&m->mine, m->unit, bytes, count);
        case_mutate(&r, &m->mine);
    }
    return give(m, out, room);
}

size_t mutator_cross(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count,
                     const uint8_t *other, size_t other_count, uint8_t *out, size_t room)
{
    struct random r;
    random_seed(&r, seed);
    case_decode(&m->mine, m->unit, bytes, count);
    case_decode(&m->other, m->unit, other, other_count);
    case_cross(&r, &m->other, &m->mine);
    if (!random_one_in(&r, 4))
        case_mutate(&r, &m->mine);
    return give(m, out, room);
}

/* ---- packed inputs ---- */

static const uint8_t magic[PACK_HEAD] = {0xB5, 'M', 'B', 1};

void pack_open(struct pack_reader *b, const uint8_t *bytes, size_t count)
{
    bool is_packed = count >= PACK_HEAD && !memcmp(bytes, magic, PACK_HEAD);
    *b = (struct pack_reader){bytes, count, !is_packed};
    if (is_packed) {
        b->at += PACK_HEAD;
        b->left -= PACK_HEAD;
    }
}

bool pack_next(struct pack_reader *b, const uint8_t **bytes, size_t *count)
{
    if (b->bare) {
        *bytes = b->at;
        *count = b->left;
        b->bare = false;
        b->left = 0;
        return true;
    }
    if (b->left < PACK_LENGTH)
        return false;
    size_t size = get_u32(b->at);
    b->left -= PACK_LENGTH;
    *bytes = b->at + PACK_LENGTH;
    *count = size < b->left ? size : b->left;
    b->at = *bytes + *count;
    b->left -= *count;
    return true;
}

bool pack_begin(struct pack_writer *b, uint8_t *to, size_t room)
{
    *b = (struct pack_writer){to, PACK_HEAD, room};
    if (room < PACK_HEAD)
        return false;
    memcpy(to, magic, PACK_HEAD);
    return true;
}

uint8_t *pack_place(struct pack_writer *b, size_t *room)
{
    if (b->room - b->used <= PACK_LENGTH)
        return NULL;
    *room = b->room - b->used - PACK_LENGTH;
    return b->at + b->used + PACK_LENGTH;
}

void pack_added(struct pack_writer *b, size_t count)
{
    put_u32(b->at + b->used, (uint32_t)count);
    b->used += PACK_LENGTH + count;
}
