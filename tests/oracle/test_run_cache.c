/* SPDX-License-Identifier: MIT */
/*
 * The cache of model runs keeps the promise of run_cache.h: what it gives for an item and a profile is what a
 * run would give. An invented model decides that: it consults clauses one after the other, and which ones
 * depends on the readings so far.
 */
#include "oracle/attribution/run_cache.h"

#include "model/number/random.h"
#include "oracle/attribution/evidence.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct invented {
    uint64_t hash;
    struct coverage coverage;
};

/* FNV-1a over what the model has seen. */
static void see(struct invented *m, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        m->hash = (m->hash ^ (value >> (8 * i) & 0xFF)) * UINT64_C(0x100000001B3);
}

static unsigned ask(struct invented *m, const struct profile *p, unsigned clause)
{
    cover(&m->coverage, clause, 0);
    see(m, clause);
    see(m, p->reading[clause]);
    return p->reading[clause];
}

/* Runs the model. Its answers depend on the item and on the readings of the clauses that it consulted. */
static struct cached_run run_invented(uint64_t item, const struct profile *p)
{
    static const uint64_t rare[] = {UINT64_MAX, UINT64_C(0x100000007), UINT32_MAX, UINT32_MAX - 1, 0};
    struct invented m = {.hash = UINT64_C(0xCBF29CE484222325)};
    struct cached_run run;
    see(&m, item);
    unsigned first = ask(&m, p, 70);
    unsigned second = ask(&m, p, 63 + first % 2 * 64 + first / 2);
    if (second % 2)
        ask(&m, p, CLAUSES_MAX - 1 - first);
    for (unsigned i = 0; second == 5 && i < 44; i++) /* more readings of three bits than two words hold */
        ask(&m, p, 10 + i);
    unsigned kind = (unsigned)(m.hash >> 32) % 16;
    run.distance = kind < 5 ? rare[kind] : (m.hash >> 40) % 100000;
    run.runs = 1 + (m.hash >> 20) % 2;
    touched_by(&m.coverage, CLAUSES_MAX, run.touched);
    return run;
}

static void make_profile(struct random *r, struct profile *p, unsigned firsts)
{
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        p->reading[i] = (uint8_t)random_below(r, READINGS_MAX);
    for (unsigned i = 10; i < 54; i++)
        p->reading[i] = (uint8_t)(random_below(r, 64) ? 3 : 4); /* so that some profiles meet again */
    p->reading[70] = (uint8_t)random_below(r, firsts);
}

/* Asks for runs, and puts those that are not found. Returns how many were found. */
static unsigned ask_and_put(struct run_cache *c, struct random *r, const uint64_t *item, unsigned items,
                            unsigned firsts, unsigned times)
{
    static struct profile p;
    unsigned found = 0;
    for (unsigned n = 0; n < times; n++) {
        struct cached_run run;
        uint64_t at = item[random_below(r, items)];
        make_profile(r, &p, firsts);
        struct cached_run expected = run_invented(at, &p);
        if (!run_cache_find(c, at, &p, &run)) {
            run_cache_put(c, at, &p, &expected);
            continue;
        }
        found++;
        assert_int_equal(run.distance, expected.distance);
        assert_int_equal(run.runs, expected.runs);
        assert_memory_equal(run.touched, expected.touched, sizeof run.touched);
    }
    return found;
}

/* A fresh item takes the place of one that is EVIDENCE_ITEMS_MAX older. One reading of clause 70 makes two or
 * three sets of consulted clauses, six make more than an item may have. */
static void what_is_found_is_what_a_run_gives(void **state)
{
    (void)state;
    static const uint64_t item[] = {0, 5, EVIDENCE_ITEMS_MAX - 1, EVIDENCE_ITEMS_MAX + 5};
    struct random r;
    random_seed(&r, 9);
    for (unsigned firsts = 1; firsts <= READINGS_MAX; firsts++) {
        struct run_cache *c = run_cache_new();
        unsigned times = 200 + support_scaled(4000), found = ask_and_put(c, &r, item, 4, firsts, times);
        print_message("%u of %u found\n", found, times);
        assert_true(found > 0);
        run_cache_free(c);
    }
}

/* Only the readings of consulted clauses are in the key, so most runs are known soon. */
static void other_clauses_do_not_matter(void **state)
{
    (void)state;
    static const uint64_t item[] = {EVIDENCE_ITEMS_MAX - 1};
    static struct profile p;
    struct random r;
    struct run_cache *c = run_cache_new();
    random_seed(&r, 10);
    memset(&p, 0, sizeof p);
    struct cached_run run = run_invented(item[0], &p), kept;
    run.distance = 77; /* a distance that is certainly kept */
    assert_false(run_cache_find(c, item[0], &p, &kept));
    run_cache_put(c, item[0], &p, &run);
    for (unsigned clause = 0; clause < CLAUSES_MAX; clause++) {
        bool consulted = run.touched[clause / 64] >> clause % 64 & 1;
        p.reading[clause] = 1;
        assert_int_equal(run_cache_find(c, item[0], &p, &kept), !consulted);
        p.reading[clause] = 0;
    }
    assert_false(run_cache_find(c, item[0] - 1, &p, &kept));
    run_cache_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_is_what_a_run_gives),
        cmocka_unit_test(other_clauses_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
