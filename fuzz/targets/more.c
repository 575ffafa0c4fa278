/* SPDX-License-Identifier: MIT */
/*
 * Runs more cases for each input of libFuzzer, because libFuzzer spends about 10 us on an input, as long as a
 * case takes. Before the input's own case, this runs mutations of that case, cases of the pool
 * (fuzz/generate/pool.h), and new ones. libFuzzer sees only the coverage of the input's own case.
 *
 * If one of these cases is the first to show an edge, a class of counts of an edge, or a counter of the
 * ledger, libFuzzer gets the case in place of its next mutation, so that the case becomes an input of the
 * corpus.
 *
 * If a process stops, libFuzzer's input does not show which case stopped it. So the status file holds the
 * case that runs. Without a status file (ClusterFuzz, or a target started by hand) this runs no more cases.
 */
#include "fuzz/targets/target.h"

#include "fuzz/engines/engine_harness.h"
#include "fuzz/generate/generate.h"
#include "fuzz/generate/mutator.h"
#include "fuzz/generate/pool.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    MORE = 31,        /* cases for each input: enough that libFuzzer's own time is a small part */
    WAITING_MAX = 64, /* cases that wait to be given to libFuzzer; others are dropped */
    NEW = 8,          /* one in so many cases is new */
    OF_INPUT = 2,     /* one in so many of the others is a mutation of the input's case */
    BLOCK = 32,       /* edges that note_block compares at once */
    LEAKS = 4096,     /* inputs between two searches for leaks */
};

/* The beginning and the end of the edges' counters (-fsanitize-coverage=inline-8bit-counters). */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak));

static struct {
    struct pool *pool;
    struct random random;
    uint8_t *seen; /* for each edge, one bit for each class of counts */
    size_t edges;
    struct waiting {
        uint8_t *bytes;
        size_t count;
    } waiting[WAITING_MAX];
    unsigned waits;
} more;

static void begin(const struct unit *u, uint64_t seed)
{
    more.pool = pool_new(u);
    more.edges = (size_t)((uintptr_t)__stop___sancov_cntrs - (uintptr_t)__start___sancov_cntrs);
    more.seen = memory_new(more.edges + BLOCK, 1);
    random_seed(&more.random, seed);
}

/* Returns libFuzzer's class of a count, as a bit: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, 128 and
 * more. The code has no branches, so that the compiler vectorises it. */
static inline uint8_t class_of(uint8_t count)
{
    uint8_t low = count < 3 ? count : count < 4 ? 4 : count < 8 ? 8 : 16;
    return count < 16 ? low : count < 32 ? 32 : count < 128 ? 64 : 128;
}

/*
 * Notes the classes of counts in one block of edges. Returns true if one is new. The function is not
 * sanitized, because its checks took a quarter of a sanitized target's time.
 */
__attribute__((no_sanitize("address", "undefined"))) static bool note_block(const uint8_t counts[BLOCK],
                                                                            uint8_t seen[BLOCK])
{
    uint64_t any[BLOCK / 8];
    uint8_t new = 0;
    memcpy(any, counts, sizeof any);
    if (!(any[0] | any[1] | any[2] | any[3])) /* most blocks are all zero */
        return false;
    for (unsigned i = 0; i < BLOCK; i++) {
        uint8_t class = class_of(counts[i]);
        new |= (uint8_t)(class & ~seen[i]);
        seen[i] |= class;
    }
    return new != 0;
}

/* Notes the classes of counts of all edges. Returns true if one is new. */
static bool note_edges(void)
{
    const uint8_t *counts = __start___sancov_cntrs;
    uint8_t rest[BLOCK] = {0};
    size_t at = 0;
    bool new = false;
    for (; more.edges - at >= BLOCK; at += BLOCK)
        new |= note_block(counts + at, more.seen + at);
    for (size_t i = at; i < more.edges; i++)
        rest[i - at] = counts[i];
    return note_block(rest, more.seen + at) || new;
}

static void forget_edges(void)
{
    memset(__start___sancov_cntrs, 0, more.edges); /* making a case also ran code of the unit */
}

static void wait_with(const uint8_t *bytes, size_t count)
{
    if (more.waits == WAITING_MAX)
        return;
    struct waiting *w = &more.waiting[more.waits++];
    w->bytes = memcpy(memory_new(count + 1, 1), bytes, count);
    w->count = count;
}

size_t target_waiting(uint8_t *bytes, size_t room)
{
    while (more.waits) {
        struct waiting *w = &more.waiting[--more.waits];
        size_t count = w->count <= room ? w->count : 0;
        memcpy(bytes, w->bytes, count);
        free(w->bytes);
        if (count)
            return count;
    }
    return 0;
}

static void make(const struct test_case *of, struct test_case *c)
{
    struct random *r = &more.random;
    if (random_one_in(r, NEW))
        case_generate(r, c->unit, c);
    else
        pool_make(more.pool, r, random_one_in(r, OF_INPUT) ? of : NULL, c);
}

/* A function of the sanitizer's run-time library; NULL in other builds. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/*
 * Searches for leaks in place of libFuzzer. libFuzzer would take the cases that the pool keeps for leaks, and
 * would search all memory after each input, which took three fifths of a sanitized target's time.
 */
static void look_for_leaks(void)
{
    static unsigned inputs;
    if (__lsan_do_recoverable_leak_check && ++inputs % LEAKS == 0 && __lsan_do_recoverable_leak_check())
        target_violated("the last %d inputs leaked memory", LEAKS);
}

void target_more(const struct test_case *of, uint64_t draw)
{
    static struct test_case c;
    struct engine_status *s = target_status;
    if (!s)
        return;
    if (!more.pool)
        begin(of->unit, draw);
    c.unit = of->unit;
    for (unsigned i = 0; i < MORE; i++) {
        make(of, &c);
        s->in_hand = 0;
        size_t count = case_encode(&c, s->hand);
        s->in_hand = (uint32_t)count;
        forget_edges();
        target_compare(&c, XXH3_64bits(s->hand, count));
        bool new = pool_ran(more.pool, &c, target_counters);
        if (note_edges() || new)
            wait_with(s->hand, count);
    }
    s->in_hand = 0;
    look_for_leaks();
    forget_edges();
}

void target_own(const struct test_case *c)
{
    static uint8_t copy[ENGINE_HARNESS_COUNTERS_MAX];
    if (!more.pool)
        return;
    (void)note_edges();
    memcpy(copy, (const uint8_t *)(uintptr_t)target_counters, target_counter_count);
    (void)pool_ran(more.pool, c, copy);
}
