/* SPDX-License-Identifier: MIT */
#include "fuzz/generate/pool.h"

#include "fuzz/engines/engine_harness.h"
#include "fuzz/generate/generate.h"
#include "model/core/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* These values were chosen on all units with `misprint bench coverage`. */
enum {
    KEPT_MAX = 2048,
    DRAWN = 6, /* the pool draws so many random counters, and uses the one that the fewest cases set */
    ANY = 4,   /* of so many changes, one starts from a random kept case */
    /* Of so many changes, one starts from a case that represents a `separated` counter. The others start from
     * a case that represents a `touched` counter (engine_harness.h). */
    SEPARATES = 2,
    CROSSED = 8,   /* of so many cases, one gets a part of another case */
    EQUALLY = 256, /* weight of a field, whatever its changes gained */
    LEARNED = 4,   /* average weight for what a field's changes gained, in units of EQUALLY */
};

/* The two halves of the counters: of touched and of separated readings. */
enum kind { TOUCHED, SEPARATED, KINDS };
static const double worth[KINDS] = {1, 0.1};
/* Each change of a field multiplies the field's record by this factor, because changes that set new counters
 * at first may set none later. */
static const double forgetting = 0.999;

struct counter {
    uint32_t hits;   /* number of cases that set it */
    uint32_t size;   /* size of the case that represents it */
    uint16_t holder; /* index of the case that represents it; 0: none */
};

struct pool {
    const struct unit *unit;
    unsigned counters, count;
    unsigned spare; /* index for the next kept case; KEPT_MAX: none is free */
    struct kept {
        struct test_case *tc;
        unsigned counters; /* number of counters that it represents; the default case has one more */
    } kept[KEPT_MAX];
    struct counter counter[ENGINE_HARNESS_COUNTERS_MAX];
    struct set {
        unsigned count;
        /* Indices of the counters of this kind that were ever set. */
        uint16_t index[ENGINE_HARNESS_COUNTERS_MAX / 2];
    } set[KINDS];
    struct mutation mutation; /* the weights of the fields, and the fields that the last mutation changed */
    struct field_record {
        double changed, gained;
    } field[FIELDS_MAX];
};

/* Updates the fields' weights with the gain of the last mutation, which is the worth of its best new
 * counter. */
static void learn(struct pool *p, double gain)
{
    double sum = 0.003; /* not 0, so that all fields have the same weight if changes gain hardly anything */
    unsigned fields = p->unit->schema.field_count;
    for (unsigned i = 0; i < fields; i++) {
        struct field_record *f = &p->field[i];
        if (p->mutation.changed >> i & 1) {
            f->changed = f->changed * forgetting + 1;
            f->gained = f->gained * forgetting + gain;
        }
        sum += f->gained / (f->changed + 10);
    }
    for (unsigned i = 0; i < fields; i++) {
        const struct field_record *f = &p->field[i];
        double part = f->gained / (f->changed + 10) / sum;
        p->mutation.weight[i] = EQUALLY + (uint32_t)(part * EQUALLY * LEARNED * fields);
    }
    p->mutation.changed = 0;
}

/* Keeps a case at index `spare`, with as many words as cases of this unit have. */
static void keep(struct pool *p, const struct test_case *c)
{
    struct kept *k = &p->kept[p->spare];
    if (p->spare == p->count) {
        p->count++;
        k->tc = memory_one(offsetof(struct test_case, words) + p->unit->schema.words * sizeof c->words[0]);
    }
    case_copy(k->tc, c);
    p->spare = 0;
    while (p->spare < p->count && p->kept[p->spare].counters)
        p->spare++;
}

struct pool *pool_new(const struct unit *u)
{
    struct pool *p = memory_one(sizeof *p);
    p->unit = u;
    p->counters = engine_harness_counters(u);
    struct test_case *first = memory_one(sizeof *first);
    case_init(first, u);
    p->kept[0].counters = 1;
    keep(p, first);
    free(first);
    learn(p, 0);
    return p;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    while (p->count)
        free(p->kept[--p->count].tc);
    free(p);
}

/* The number of items in all lists and of rows in all images. */
static uint32_t size_of(const struct test_case *c)
{
    const struct schema *s = &c->unit->schema;
    uint32_t size = 0;
    for (unsigned i = 0; i < s->field_count; i++) {
        const uint32_t *words = case_field_const(c, &s->fields[i]);
        size += s->fields[i].kind == FIELD_ENUM || s->fields[i].kind == FIELD_WORD
                    ? 0
                    : words[s->fields[i].kind == FIELD_IMAGE ? 2 : 0];
    }
    return size;
}

/*
 * Does a case of this size replace the case that represents a counter? A smaller case does. A case of the
 * same size does if it is the 2nd, 4th, 8th, ... case that sets the counter.
 */
static bool replaces(const struct counter *c, uint32_t size)
{
    return size < c->size || (size == c->size && !(c->hits & (c->hits - 1)));
}

/* Counts that a case of this size set a counter. Returns true if the case represents the counter from now
 * on. */
static bool count(struct pool *p, unsigned i, uint32_t size, double *gain)
{
    struct counter *c = &p->counter[i];
    enum kind kind = i < p->counters / 2 ? TOUCHED : SEPARATED;
    bool first = !c->hits++;
    if (p->spare == KEPT_MAX || (!first && !replaces(c, size)))
        return false;
    if (first) {
        p->set[kind].index[p->set[kind].count++] = (uint16_t)i;
        *gain = *gain > worth[kind] ? *gain : worth[kind];
    } else {
        p->kept[c->holder].counters--;
    }
    p->kept[p->spare].counters++;
    c->size = size;
    c->holder = (uint16_t)p->spare;
    return true;
}

bool pool_ran(struct pool *p, const struct test_case *c, volatile uint8_t *counters)
{
    uint8_t *at = (uint8_t *)(uintptr_t)counters; /* no other thread or process writes them now */
    uint32_t size = size_of(c);
    double gain = 0;
    bool kept = false;
    for (unsigned i = 0; i < p->counters; i += 8) { /* blocks of counters are mostly all zero */
        uint64_t eight;
        memcpy(&eight, at + i, 8);
        for (unsigned k = i; eight && k < i + 8 && k < p->counters; k++)
            kept |= at[k] && count(p, k, size, &gain);
        if (eight)
            memset(at + i, 0, 8);
    }
    learn(p, gain);
    if (kept)
        keep(p, c);
    return kept;
}

static const struct test_case *pick(const struct pool *p, struct random *r)
{
    const struct set *set =
        &p->set[p->set[SEPARATED].count && random_one_in(r, SEPARATES) ? SEPARATED : TOUCHED];
    if (!set->count || random_one_in(r, ANY))
        return p->kept[random_below(r, p->count)].tc;
    const struct counter *rarest = NULL;
    for (unsigned i = 0; i < DRAWN; i++) {
        const struct counter *c = &p->counter[set->index[random_below(r, set->count)]];
        rarest = rarest && rarest->hits <= c->hits ? rarest : c;
    }
    return p->kept[rarest->holder].tc;
}

void pool_make(struct pool *p, struct random *r, const struct test_case *from, struct test_case *c)
{
    case_copy(c, from ? from : pick(p, r));
    if (p->count > 1 && random_one_in(r, CROSSED))
        case_cross(r, pick(p, r), c);
    case_mutate_by(r, c, &p->mutation);
}
