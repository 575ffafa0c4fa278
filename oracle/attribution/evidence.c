/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/evidence.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint64_t id;
    uint32_t case_size, outcome_size;
    bool keep, uncounted;
    uint8_t bytes[];
};

struct evidence_set {
    const struct unit *unit;
    uint8_t *bytes; /* scratch space of CASE_BYTES_MAX + OUTCOME_BYTES_MAX */
    struct item **item;
    unsigned count, room;
    uint64_t ids;         /* ids assigned so far */
    uint64_t offered;     /* items added without `keep` */
    struct random random; /* chooses the item that a new one replaces */
    size_t used;
};

struct evidence_set *evidence_set_new(const struct unit *u)
{
    struct evidence_set *v = memory_new(1, sizeof *v);
    v->unit = u;
    random_seed(&v->random, 1);
    v->bytes = memory_new(1, (size_t)CASE_BYTES_MAX + OUTCOME_BYTES_MAX);
    return v;
}

void evidence_set_free(struct evidence_set *v)
{
    if (!v)
        return;
    for (unsigned i = 0; i < v->count; i++)
        free(v->item[i]);
    free(v->item);
    free(v->bytes);
    free(v);
}

static struct item **append(struct evidence_set *v)
{
    if (v->count == v->room) {
        unsigned room = v->room ? 2 * v->room : 1024;
        struct item **grown = realloc(v->item, room * sizeof *grown);
        if (!grown)
            return NULL;
        v->item = grown;
        v->room = room;
    }
    v->item[v->count] = NULL;
    return &v->item[v->count++];
}

/* Returns where to store the next item; NULL: discard it. While there is room, it is appended. Then it
 * replaces a random item, so that each item has the same chance of being kept (reservoir sampling). */
static struct item **place_next(struct evidence_set *v, bool keep)
{
    if (keep)
        return append(v);
    v->offered++;
    if (v->count < EVIDENCE_ITEMS_MAX && v->used < EVIDENCE_BYTES_MAX)
        return append(v);
    uint64_t at = random_u64(&v->random) % v->offered;
    return at < v->count && !(v->item[at] && v->item[at]->keep) ? &v->item[at] : NULL;
}

/* Stores a copy of an item. `bytes` has case_size bytes of case, then outcome_size bytes of outcome. */
static void store(struct evidence_set *v, struct item **place, const struct item *item, const uint8_t *bytes)
{
    size_t size = (size_t)item->case_size + item->outcome_size;
    if (*place)
        v->used -= (*place)->case_size + (*place)->outcome_size;
    free(*place);
    struct item *own = *place = item->outcome_size ? malloc(sizeof *own + size) : NULL;
    if (!own)
        return;
    memcpy(own, item, sizeof *own);
    own->id = v->ids++;
    memcpy(own->bytes, bytes, size);
    v->used += size;
}

static void add(struct evidence_set *v, const struct test_case *c, const struct outcome *board, bool keep,
                bool uncounted)
{
    struct item **place = place_next(v, keep), item = {.keep = keep, .uncounted = uncounted};
    if (!place)
        return;
    item.case_size = (uint32_t)case_encode(c, v->bytes);
    item.outcome_size = (uint32_t)outcome_encode(board, v->bytes + item.case_size, OUTCOME_BYTES_MAX);
    store(v, place, &item, v->bytes);
}

void evidence_set_add(struct evidence_set *v, const struct test_case *c, const struct outcome *board,
                      bool keep)
{
    add(v, c, board, keep, false);
}

void evidence_set_add_uncounted(struct evidence_set *v, const struct test_case *c,
                                const struct outcome *board)
{
    add(v, c, board, true, true);
}

void evidence_set_add_all(struct evidence_set *v, const struct evidence_set *other)
{
    for (unsigned i = 0; i < other->count; i++) {
        const struct item *item = other->item[i];
        struct item **place = item ? place_next(v, item->keep) : NULL;
        if (place)
            store(v, place, item, item->bytes);
    }
}

unsigned evidence_set_count(const struct evidence_set *v)
{
    return v->count;
}

bool evidence_set_is_kept(const struct evidence_set *v, unsigned i)
{
    return v->item[i] && v->item[i]->keep;
}

bool evidence_set_is_uncounted(const struct evidence_set *v, unsigned i)
{
    return v->item[i] && v->item[i]->uncounted;
}

uint64_t evidence_set_id(const struct evidence_set *v, unsigned i)
{
    return v->item[i] ? v->item[i]->id : UINT64_MAX - 1;
}

bool evidence_set_load(const struct evidence_set *v, unsigned i, struct test_case *c, struct outcome *board)
{
    const struct item *item = v->item[i];
    struct error ignored; /* decoding cannot fail, because this file encoded it */
    if (!item)
        return false;
    case_decode(c, v->unit, item->bytes, item->case_size);
    return outcome_decode(board, c, item->bytes + item->case_size, item->outcome_size, &ignored);
}
