/* SPDX-License-Identifier: MIT */
/*
 * Which clauses a run consults depends on the readings of the clauses that it consulted before. So an item
 * can have several sets of consulted clauses, and a look-up tries each. The key of the table is a hash of the
 * item, the set, and the readings of its clauses. Collisions (one in 2^64) are ignored.
 */
#include "oracle/attribution/run_cache.h"

#include "model/core/memory.h"
#include "model/number/random.h"
#include "oracle/attribution/evidence.h"

#include <stdlib.h>
#include <string.h>

enum {
    SETS_MAX = 6,      /* sets of one item; further ones are not cached */
    ENTRIES = 1 << 20, /* a power of two; takes 16 MB; a full table is cleared */
};

struct sets {
    uint64_t item; /* the item's number + 1; 0: free */
    uint64_t count;
    uint64_t touched[SETS_MAX][TOUCHED_WORDS];
};

struct entry {
    uint64_t key; /* 0: empty */
    uint32_t distance;
    uint32_t runs;
};

struct run_cache {
    /* The system allocates pages on first use. If there is no memory, nothing is cached. */
    struct sets *sets; /* EVIDENCE_ITEMS_MAX entries, one for each item */
    struct entry *entry;
    uint32_t used;
};

void touched_by(const struct coverage *c, unsigned clauses, uint64_t touched[TOUCHED_WORDS])
{
    memset(touched, 0, TOUCHED_WORDS * sizeof *touched);
    for (unsigned i = 0; i < clauses; i++)
        touched[i / 64] |= (uint64_t)covered(c, i) << (i % 64);
}

struct run_cache *run_cache_new(void)
{
    struct run_cache *r = memory_new(1, sizeof *r);
    r->sets = calloc(EVIDENCE_ITEMS_MAX, sizeof *r->sets);
    r->entry = calloc(ENTRIES, sizeof *r->entry);
    return r;
}

void run_cache_free(struct run_cache *r)
{
    if (!r)
        return;
    free(r->sets);
    free(r->entry);
    free(r);
}

static uint64_t key_of(uint64_t item, const uint64_t touched[TOUCHED_WORDS], const struct profile *p)
{
    uint64_t key = random_mix64(item + 1);
    for (unsigned w = 0; w < TOUCHED_WORDS; w++) {
        uint64_t readings = 0;
        unsigned held = 0;
        for (uint64_t left = touched[w]; left; left &= left - 1) {
            readings = readings << 3 | p->reading[64 * w + (unsigned)__builtin_ctzll(left)];
            if (++held % 21 == 0) {
                key = random_mix64(key ^ readings);
                readings = 0;
            }
        }
        key = random_mix64(random_mix64(key ^ touched[w]) ^ readings);
    }
    return key ? key : 1;
}

_Static_assert(READINGS_MAX <= 8 && 21 * 3 < 64, "21 readings of three bits each go into a word");

/* The entry with this key, or the empty entry where it would go. */
static struct entry *place_of(const struct run_cache *r, uint64_t key)
{
    uint32_t at = (uint32_t)key & (ENTRIES - 1);
    while (r->entry[at].key && r->entry[at].key != key)
        at = (at + 1) & (ENTRIES - 1);
    return &r->entry[at];
}

static struct sets *sets_of(const struct run_cache *r, uint64_t item)
{
    return &r->sets[item % EVIDENCE_ITEMS_MAX];
}

bool run_cache_find(const struct run_cache *r, uint64_t item, const struct profile *p, struct cached_run *run)
{
    const struct sets *s = r->sets && r->entry ? sets_of(r, item) : NULL;
    for (unsigned i = 0; s && s->item == item + 1 && i < s->count; i++) {
        const struct entry *e = place_of(r, key_of(item, s->touched[i], p));
        if (!e->key)
            continue;
        run->distance = e->distance == UINT32_MAX ? UINT64_MAX : e->distance;
        run->runs = e->runs;
        memcpy(run->touched, s->touched[i], sizeof run->touched);
        return true;
    }
    return false;
}

/* Adds the set of clauses, unless the item has it. False if there is no room. */
static bool keep_set(const struct run_cache *r, uint64_t item, const uint64_t touched[TOUCHED_WORDS])
{
    struct sets *s = sets_of(r, item);
    if (s->item != item + 1) { /* the entry belonged to an item that was replaced */
        s->item = item + 1;
        s->count = 0;
    }
    for (unsigned i = 0; i < s->count; i++)
        if (!memcmp(s->touched[i], touched, sizeof s->touched[i]))
            return true;
    if (s->count == SETS_MAX)
        return false;
    memcpy(s->touched[s->count++], touched, sizeof s->touched[0]);
    return true;
}

void run_cache_put(struct run_cache *r, uint64_t item, const struct profile *p, const struct cached_run *run)
{
    if (!r->sets || !r->entry || (run->distance >= UINT32_MAX && run->distance != UINT64_MAX) ||
        !keep_set(r, item, run->touched))
        return;
    if (r->used == ENTRIES / 4 * 3) {
        memset(r->entry, 0, ENTRIES * sizeof *r->entry);
        r->used = 0;
    }
    struct entry *e = place_of(r, key_of(item, run->touched, p));
    r->used += !e->key;
    *e = (struct entry){key_of(item, run->touched, p),
                        run->distance == UINT64_MAX ? UINT32_MAX : (uint32_t)run->distance, run->runs};
}
