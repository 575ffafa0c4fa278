/* SPDX-License-Identifier: MIT */
/*
 * Minimized corpora: what is kept shows all that was offered, none of it can be
 * spared, and the order does not matter. And batches: what goes in comes out, and any bytes are a batch.
 */
#include "fuzz/batch.h"
#include "fuzz/generate.h"
#include "fuzz/minimize.h"
#include "model/memory.h"
#include "oracle/finding.h"
#include "tests/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 24 };

struct kept {
    struct features shows[CASES];
    uint64_t hash[CASES];
    unsigned count;
    struct feature_finder *finder;
};

static bool keep(void *context, const struct test_case *c, uint32_t tag, struct error *e)
{
    struct kept *k = context;
    (void)tag;
    (void)e;
    k->hash[k->count] = case_hash(c);
    return features_of(k->finder, c, &k->shows[k->count++]);
}

static bool shows(const struct features *f, feature wanted)
{
    for (unsigned i = 0; i < f->count; i++)
        if (f->item[i] == wanted)
            return true;
    return false;
}

/* Does any of the kept, other than `except`, show it? */
static bool is_shown(const struct kept *k, feature wanted, unsigned except)
{
    for (unsigned i = 0; i < k->count; i++)
        if (i != except && shows(&k->shows[i], wanted))
            return true;
    return false;
}

static void minimize(const struct unit *u, const struct test_case *cases, const unsigned *order, struct kept *k, struct minimized *what)
{
    struct error e = {0};
    struct minimizer *m = minimizer_new(u);
    for (unsigned i = 0; i < CASES; i++)
        assert_true(minimizer_add(m, &cases[order[i]], order[i], &e));
    k->count = 0;
    assert_true(minimizer_choose(m, keep, k, what, &e));
    minimizer_free(m);
}

static void forget(struct kept *k)
{
    for (unsigned i = 0; i < k->count; i++)
        features_free(&k->shows[i]);
}

static void what_is_kept_shows_all_and_none_can_be_spared(void **state)
{
    (void)state;
    struct test_case *cases = memory_new(CASES, sizeof *cases);
    for (unsigned at = 0; unit_at(at); at++) {
        const struct unit *u = unit_at(at);
        struct random r;
        struct kept first = {.finder = feature_finder_new(u)}, second = {.finder = first.finder};
        struct minimized what;
        unsigned order[CASES], total = 0;
        random_seed(&r, at);
        for (unsigned i = 0; i < CASES; i++) {
            order[i] = i;
            case_generate(&r, u, &cases[i]);
        }
        case_copy(&cases[CASES - 1], &cases[0]); /* a twin */
        minimize(u, cases, order, &first, &what);
        assert_int_equal(what.cases, CASES);
        assert_true(what.twins >= 1);
        assert_int_equal(what.kept, first.count);
        for (unsigned i = 0; i < CASES; i++) {
            struct features f;
            assert_true(features_of(first.finder, &cases[i], &f));
            for (unsigned k = 0; k < f.count; k++)
                assert_true(is_shown(&first, f.item[k], CASES));
            features_free(&f);
        }
        for (unsigned i = 0; i < first.count; i++) {
            bool needed = false;
            for (unsigned k = 0; k < first.shows[i].count; k++)
                needed |= !is_shown(&first, first.shows[i].item[k], i);
            assert_true(needed);
        }
        for (unsigned i = 0; i < FEATURE_KINDS; i++)
            total += what.features[i];
        assert_true(total > 0);
        for (unsigned i = CASES - 1; i > 0; i--) { /* another order */
            unsigned k = random_below(&r, i + 1), old = order[i];
            order[i] = order[k];
            order[k] = old;
        }
        minimize(u, cases, order, &second, &what);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.hash, second.hash, first.count * sizeof *first.hash);
        print_message("%s: %u of %u cases show all %u features\n", u->name, first.count, CASES, total);
        forget(&first);
        forget(&second);
        feature_finder_free(first.finder);
    }
    free(cases);
}

static void batches_come_out_as_they_went_in(void **state)
{
    (void)state;
    uint8_t bytes[256];
    const uint8_t one[] = {1, 2, 3}, long_one[200] = {9};
    size_t used = batch_add(bytes, sizeof bytes, 0, one, sizeof one), count;
    used = batch_add(bytes, sizeof bytes, used, NULL, 0);
    used = batch_add(bytes, sizeof bytes, used, long_one, sizeof long_one);
    assert_int_equal(batch_add(bytes, sizeof bytes, used, long_one, sizeof long_one), used); /* no room: nothing is added */
    struct batch b;
    const uint8_t *part;
    batch_open(&b, bytes, used);
    assert_false(b.single);
    assert_true(batch_next(&b, &part, &count) && count == sizeof one && !memcmp(part, one, count));
    assert_true(batch_next(&b, &part, &count) && count == 0);
    assert_true(batch_next(&b, &part, &count) && count == sizeof long_one && !memcmp(part, long_one, count));
    assert_false(batch_next(&b, &part, &count));
    batch_open(&b, one, sizeof one); /* no magic: one case */
    assert_true(b.single && batch_next(&b, &part, &count) && part == one && count == sizeof one);
    assert_false(batch_next(&b, &part, &count));
    batch_open(&b, NULL, 0);
    assert_true(batch_next(&b, &part, &count) && count == 0);
    assert_false(batch_next(&b, &part, &count));
}

/* All parts lie in the input, and there are not more of them than it has bytes. */
static void any_bytes_are_a_batch(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 3);
    for (unsigned round = 0; round < support_scaled(20000); round++) {
        size_t size = random_below(&r, 40), count, seen = 0;
        uint8_t *bytes = malloc(size + 1); /* of its own size, so that a sanitizer sees what is read behind it */
        for (size_t i = 0; i < size; i++)
            bytes[i] = i < BATCH_MAGIC_BYTES && round % 2 ? batch_magic[i] : (uint8_t)random_below(&r, 12);
        struct batch b;
        const uint8_t *part;
        batch_open(&b, bytes, size);
        while (batch_next(&b, &part, &count)) {
            assert_true(part >= bytes && count <= (size_t)(bytes + size - part));
            assert_true(seen++ <= size);
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_shows_all_and_none_can_be_spared),
        cmocka_unit_test(batches_come_out_as_they_went_in),
        cmocka_unit_test(any_bytes_are_a_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
