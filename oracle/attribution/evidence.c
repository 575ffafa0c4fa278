/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/evidence.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint64_t name;
    uint32_t case_size, outcome_size;
    bool keep, called;
    uint8_t bytes[];
};

struct evidence_set {
    const struct unit *unit;
    uint8_t *bytes; /* scratch: CASE_BYTES_MAX + OUTCOME_BYTES_MAX */
    struct item **item;
    unsigned count, room;
    uint64_t named;       /* names given */
    uint64_t offered;     /* evidence_set_add was called so often without `keep` */
    struct random random; /* which to forget */
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

static struct item **place_behind(struct evidence_set *v)
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

/* Where the next one goes: behind the others while there is room, then in place of a random one, or nowhere;
 * each offered so far is kept with the same chance. */
static struct item **place_of_next(struct evidence_set *v)
{
    v->offered++;
    if (v->count < EVIDENCE_ITEMS_MAX && v->used < EVIDENCE_BYTES_MAX)
        return place_behind(v);
    uint64_t at = random_u64(&v->random) % v->offered;
    return at < v->count && !(v->item[at] && v->item[at]->keep) ? &v->item[at] : NULL;
}

static void forget(struct evidence_set *v, struct item **place)
{
    if (*place)
        v->used -= (*place)->case_size + (*place)->outcome_size;
    free(*place);
    *place = NULL;
}

/* `one` says how much of `bytes` is the case, and how much the outcome. */
static void put_bytes(struct evidence_set *v, struct item **place, const struct item *one,
                      const uint8_t *bytes)
{
    size_t size = (size_t)one->case_size + one->outcome_size;
    struct item *own = one->outcome_size ? malloc(sizeof *own + size) : NULL;
    forget(v, place);
    if (!own)
        return;
    memcpy(own, one, sizeof *own);
    own->name = v->named++;
    memcpy(own->bytes, bytes, size);
    *place = own;
    v->used += size;
}

static void put(struct evidence_set *v, const struct test_case *c, const struct outcome *board, bool keep,
                bool called)
{
    struct item **place = keep ? place_behind(v) : place_of_next(v), one = {.keep = keep, .called = called};
    if (!place)
        return;
    one.case_size = (uint32_t)case_encode(c, v->bytes);
    one.outcome_size = (uint32_t)outcome_encode(board, v->bytes + one.case_size, OUTCOME_BYTES_MAX);
    put_bytes(v, place, &one, v->bytes);
}

void evidence_set_add(struct evidence_set *v, const struct test_case *c, const struct outcome *board,
                      bool keep)
{
    put(v, c, board, keep, false);
}

void evidence_set_add_uncounted(struct evidence_set *v, const struct test_case *c,
                                const struct outcome *board)
{
    put(v, c, board, true, true);
}

void evidence_set_add_all(struct evidence_set *v, const struct evidence_set *other)
{
    for (unsigned i = 0; i < other->count; i++) {
        const struct item *one = other->item[i];
        struct item **place = !one ? NULL : one->keep ? place_behind(v) : place_of_next(v);
        if (place)
            put_bytes(v, place, one, one->bytes);
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
    return v->item[i] && v->item[i]->called;
}

uint64_t evidence_set_id(const struct evidence_set *v, unsigned i)
{
    return v->item[i] ? v->item[i]->name : UINT64_MAX - 1;
}

size_t evidence_set_case_size(const struct evidence_set *v, unsigned i)
{
    return v->item[i] ? v->item[i]->case_size : 0;
}

bool evidence_set_load(const struct evidence_set *v, unsigned i, struct test_case *c, struct outcome *board)
{
    const struct item *one = v->item[i];
    struct error ignored; /* what was encoded here can be decoded */
    if (!one)
        return false;
    case_decode(c, v->unit, one->bytes, one->case_size);
    return outcome_decode(board, c, one->bytes + one->case_size, one->outcome_size, &ignored);
}
