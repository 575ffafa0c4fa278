/* SPDX-License-Identifier: MIT */
/* Minimized corpora: the kept cases have all features of the offered cases, each kept case is needed, and the
 * order in which the cases are offered does not matter. */
#include "fuzz/generate/generate.h"
#include "fuzz/minimize.h"
#include "model/core/memory.h"
#include "oracle/store/finding.h"

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

/* Does a kept case other than `except` have the feature? */
static bool is_shown(const struct kept *k, feature wanted, unsigned except)
{
    for (unsigned i = 0; i < k->count; i++)
        if (i != except && shows(&k->shows[i], wanted))
            return true;
    return false;
}

static void minimize(const struct unit *u, const struct test_case *cases, const unsigned *order,
                     struct kept *k, struct minimized *what)
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

static void kept_cases_have_all_features_and_each_is_needed(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_cases_have_all_features_and_each_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
