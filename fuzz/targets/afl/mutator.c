/* SPDX-License-Identifier: MIT */
/*
 * A custom mutator library for AFL++. It makes batches of cases of the unit in MISPRINT_UNIT by the mutations
 * of fuzz/generate/mutator.h, and trims batches by leaving out cases.
 */
#include "fuzz/generate/mutator.h"
#include "fuzz/engines/engine_status.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 64,            /* cases in a batch: enough that AFL++'s own time is a small part */
    BATCH_BYTES = 1 << 17, /* limit of a batch: fewer long cases fit, but always one */
    CROSSED = 8,           /* one in so many cases is made of parts of two cases */
};

/* AFL++ looks these up by name. */
void *afl_custom_init(void *afl, unsigned seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t count, uint8_t **out, uint8_t *other,
                       size_t other_count, size_t room);
const char *afl_custom_describe(void *data, size_t room);
int32_t afl_custom_init_trim(void *data, uint8_t *bytes, size_t count);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, uint8_t success);

struct part {
    const uint8_t *bytes;
    size_t count;
};

struct batches {
    struct mutator *mutator;
    struct random random;
    struct part mine[CASES], theirs[CASES];
    uint8_t out[BATCH_BYTES];
    /* Trimming leaves the cases from `at` to `at + step` out of a copy of the batch. */
    uint8_t *copy;
    struct part kept[CASES];
    unsigned kept_count, at, step;
};

void *afl_custom_init(void *afl, unsigned seed)
{
    struct error e = {0};
    const char *name = getenv(ENV_UNIT);
    const struct unit *u = unit_find(name ? name : "", &e);
    (void)afl;
    if (!u) {
        (void)fprintf(stderr, "%s: %s\n", ENV_UNIT, e.text);
        return NULL;
    }
    struct batches *b = memory_new(1, sizeof *b);
    b->mutator = mutator_new(u);
    random_seed(&b->random, seed);
    return b;
}

void afl_custom_deinit(void *data)
{
    struct batches *b = data;
    mutator_free(b->mutator);
    free(b->copy);
    free(b);
}

static unsigned split(const uint8_t *bytes, size_t count, struct part part[CASES])
{
    struct pack_reader r;
    unsigned n = 0;
    pack_open(&r, bytes, count);
    while (n < CASES && pack_next(&r, &part[n].bytes, &part[n].count))
        n++;
    return n;
}

size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t count, uint8_t **out, uint8_t *other,
                       size_t other_count, size_t room)
{
    struct batches *b = data;
    struct pack_writer w;
    unsigned mine = split(bytes, count, b->mine), theirs = other ? split(other, other_count, b->theirs) : 0;
    static const struct part empty;
    pack_begin(&w, b->out, room < sizeof b->out ? room : sizeof b->out);
    for (unsigned i = 0; i < CASES; i++) {
        size_t left, made;
        uint8_t *to = pack_place(&w, &left);
        if (!to)
            break;
        const struct part *one = mine ? &b->mine[random_below(&b->random, mine)] : &empty;
        uint64_t seed = random_u64(&b->random);
        if (theirs && random_one_in(&b->random, CROSSED)) {
            const struct part *two = &b->theirs[random_below(&b->random, theirs)];
            made = mutator_cross(b->mutator, seed, one->bytes, one->count, two->bytes, two->count, to, left);
        } else {
            made = mutator_change(b->mutator, seed, one->bytes, one->count, to, left);
        }
        if (made)
            pack_added(&w, made);
    }
    *out = b->out;
    return w.used;
}

const char *afl_custom_describe(void *data, size_t room)
{
    (void)data;
    (void)room;
    return "batch";
}

/* ---- trimming leaves out halves, quarters, ... single cases while AFL++'s map stays the same ---- */

int32_t afl_custom_init_trim(void *data, uint8_t *bytes, size_t count)
{
    struct batches *b = data;
    b->copy = memory_grow(b->copy, count ? count : 1, 1);
    memcpy(b->copy, bytes, count);
    b->kept_count = split(b->copy, count, b->kept);
    b->at = 0;
    b->step = b->kept_count / 2;
    return b->step ? 1 : 0; /* the number of steps is unknown: post_trim returns 0 until the last one */
}

size_t afl_custom_trim(void *data, uint8_t **out)
{
    struct batches *b = data;
    struct pack_writer w;
    pack_begin(&w, b->out, sizeof b->out);
    for (unsigned i = 0; i < b->kept_count; i++) {
        size_t left;
        uint8_t *to = i >= b->at && i < b->at + b->step ? NULL : pack_place(&w, &left);
        if (!to || left < b->kept[i].count)
            continue;
        memcpy(to, b->kept[i].bytes, b->kept[i].count);
        pack_added(&w, b->kept[i].count);
    }
    *out = b->out;
    return w.used;
}

int32_t afl_custom_post_trim(void *data, uint8_t success)
{
    struct batches *b = data;
    if (success) {
        unsigned end = b->at + b->step < b->kept_count ? b->at + b->step : b->kept_count;
        memmove(b->kept + b->at, b->kept + end, (b->kept_count - end) * sizeof *b->kept);
        b->kept_count -= end - b->at;
    } else {
        b->at += b->step;
    }
    if (b->at >= b->kept_count || (b->step == b->kept_count)) {
        b->at = 0;
        b->step /= 2;
    }
    return b->step && b->kept_count > 1 ? 0 : 1;
}
