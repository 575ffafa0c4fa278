/* SPDX-License-Identifier: MIT */
/* Generated, mutated and crossed cases are in range, depend only on the seed, and reach every part of the
 * schema. */
#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct test_case *a, *b, *c;
static uint8_t bytes[CASE_BYTES_MAX];

static int begin(void **state)
{
    (void)state;
    a = malloc(sizeof *a);
    b = malloc(sizeof *b);
    c = malloc(sizeof *c);
    return a && b && c ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    free(a);
    free(b);
    free(c);
    return 0;
}

/* The puzzle, then every real unit. */
static const struct unit *any_unit(unsigned i)
{
    return i ? unit_at(i - 1) : &puzzle_unit;
}

/* Checks that no field has a value beyond those that are generated. */
static void must_be_generated(const struct test_case *tc)
{
    const struct schema *s = &tc->unit->schema;
    for (unsigned i = 0; i < s->field_count; i++)
        if (s->fields[i].generated_max && case_field_const(tc, &s->fields[i])[0] > s->fields[i].generated_max)
            support_fail_case(tc, "a field is beyond what is generated");
}

/* Checks that a case is in range: encoding and decoding, and case_sanitise, leave it unchanged. */
static void must_be_in_range(const struct test_case *tc)
{
    case_decode(c, tc->unit, bytes, case_encode(tc, bytes));
    if (!case_equal(c, tc))
        support_fail_case(tc, "the case is not what its own bytes say");
    case_copy(c, tc);
    case_sanitise(c);
    if (!case_equal(c, tc))
        support_fail_case(tc, "the case was not in range");
}

static void everything_made_is_in_range(void **state)
{
    (void)state;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        struct random r;
        random_seed(&r, 11);
        if (!u->schema.field_count)
            continue;
        for (unsigned round = 0; round < support_scaled(4000); round++) {
            case_generate(&r, u, a);
            must_be_in_range(a);
            case_generate(&r, u, b);
            for (unsigned step = 0; step < 4; step++) {
                case_mutate(&r, a);
                must_be_in_range(a);
                case_cross(&r, b, a);
                must_be_in_range(a);
            }
            must_be_generated(a);
        }
    }
}

/* What a case sets: fields with another value than a new case, and numbers of items and rows. */
static uint32_t what_is_set(const struct test_case *tc, uint32_t set[FIELDS_MAX])
{
    const struct schema *s = &tc->unit->schema;
    case_init(c, tc->unit);
    for (unsigned i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        const uint32_t *word = case_field_const(tc, f);
        bool scalar = f->kind == FIELD_ENUM || f->kind == FIELD_WORD;
        set[i] = scalar ? word[0] != case_field_const(c, f)[0] : word[f->kind == FIELD_IMAGE ? 2 : 0];
    }
    return s->field_count;
}

/* A nudge changes what a case sets, and sets nothing else. (A unit's `mend` may change more, to keep a case
 * legal. Most cases need none.) */
static void nudges_set_nothing_new(void **state)
{
    (void)state;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        struct random r;
        uint32_t before[FIELDS_MAX], after[FIELDS_MAX];
        unsigned more = 0, changed = 0, rounds = support_scaled(2000);
        random_seed(&r, 12);
        for (unsigned round = 0; round < rounds && u->schema.field_count; round++) {
            bool same = true;
            case_generate(&r, u, a);
            case_copy(b, a);
            case_nudge(&r, b);
            must_be_in_range(b);
            uint32_t fields = what_is_set(a, before);
            what_is_set(b, after);
            for (uint32_t k = 0; k < fields; k++)
                same &= before[k] ? after[k] <= before[k] : !after[k];
            more += !same;
            changed += !case_equal(a, b);
        }
        if (more * 50 > rounds || changed * 2 < rounds)
            if (u->schema.field_count)
                fail_msg("%s: of %u nudges %u set more, %u changed the case", u->name, rounds, more, changed);
    }
}

static void variations_keep_the_code(void **state)
{
    (void)state;
    unsigned units = 0;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        unsigned changed = 0, rounds = support_scaled(2000);
        struct random r;
        if (!u->vary)
            continue;
        random_seed(&r, 12);
        units++;
        for (unsigned round = 0; round < rounds; round++) {
            case_generate(&r, u, a);
            if (round % 2)
                case_mutate(&r, a);
            case_copy(b, a);
            u->vary(&r, b);
            must_be_in_range(b);
            changed += !case_equal(a, b);
            for (unsigned k = 0; k < u->schema.field_count; k++) {
                uint32_t *before, *after, *items = case_items(a, &u->schema.fields[k], &before),
                                          *other = case_items(b, &u->schema.fields[k], &after);
                if (u->schema.fields[k].kind == FIELD_CODE)
                    assert_true(*before == *after &&
                                !memcmp(items, other,
                                        *before * field_item_words(u, &u->schema.fields[k]) * sizeof *items));
            }
        }
        assert_true(changed > rounds / 2);
    }
    assert_true(units > 0);
}

static void the_seed_decides(void **state)
{
    (void)state;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        struct random r, s;
        random_seed(&r, 3);
        random_seed(&s, 3);
        memset(b, 0xA5, sizeof *b); /* the old content of the memory must not matter */
        for (unsigned round = 0; round < 200 && u->schema.field_count; round++) {
            case_generate(&r, u, a);
            case_generate(&s, u, b);
            case_mutate(&r, a);
            case_mutate(&s, b);
            assert_true(case_equal(a, b));
        }
    }
}

static void mutation_reaches_every_field(void **state)
{
    (void)state;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        bool changed[FIELDS_MAX] = {false}, longer[FIELDS_MAX] = {false}, shorter[FIELDS_MAX] = {false};
        struct random r;
        random_seed(&r, 5);
        for (unsigned round = 0; round < 5000 && u->schema.field_count; round++) {
            case_generate(&r, u, a);
            case_copy(b, a);
            case_mutate(&r, b);
            for (unsigned k = 0; k < u->schema.field_count; k++) {
                const struct field *f = &u->schema.fields[k];
                uint32_t *before, *after, *items = case_items(a, f, &before),
                                          *other = case_items(b, f, &after);
                if (!items) {
                    changed[k] |= *case_field(a, f) != *case_field(b, f);
                    continue;
                }
                longer[k] |= *after > *before;
                shorter[k] |= *after < *before;
                changed[k] |= *after == *before &&
                              memcmp(items, other, *after * field_item_words(u, f) * sizeof *items) != 0;
            }
        }
        for (unsigned k = 0; k < u->schema.field_count; k++) {
            const struct field *f = &u->schema.fields[k];
            bool list = f->kind != FIELD_ENUM && f->kind != FIELD_WORD;
            if (!changed[k] || (list && f->max > 1 && !u->mend && (!longer[k] || !shorter[k])))
                fail_msg("%s: mutation never %s field %s", u->name, !changed[k] ? "changed" : "resized",
                         f->name);
        }
    }
}

static void words_worth_trying(void **state)
{
    (void)state;
    static const uint32_t interesting[] = {0xCAFE0001, 0xCAFE0002};
    static const uint32_t wanted[] = {0,          1,          0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x3F800000,
                                      0x7F800000, 0x7FC00000, 0x00800000, 0x10000,    0xCAFE0001, 0xCAFE0002};
    unsigned seen[sizeof wanted / sizeof *wanted] = {0};
    struct random r;
    random_seed(&r, 1);
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t word = random_word(&r, interesting, 2);
        for (unsigned k = 0; k < sizeof wanted / sizeof *wanted; k++)
            seen[k] += word == wanted[k];
    }
    for (unsigned k = 0; k < sizeof wanted / sizeof *wanted; k++)
        assert_true(seen[k] > 5);
    assert_true(seen[10] > 1000); /* the generator often chooses a value that the schema calls interesting */
}

/* The generator as a campaign uses it. The same seed gives the same cases, also if the campaign reports new
 * coverage between them. */
static void sources_repeat_themselves(void **state)
{
    (void)state;
    for (unsigned i = 0; any_unit(i); i++) {
        const struct unit *u = any_unit(i);
        if (!u->schema.field_count)
            continue;
        struct generator_source *g = generator_new(u, 42), *h = generator_new(u, 42),
                                *other = generator_new(u, 43);
        struct case_source s = generator_as_source(g), t = generator_as_source(h),
                           o = generator_as_source(other);
        struct error e = {0};
        unsigned equal = 0;
        for (unsigned n = 0; n < 1000; n++) {
            const char *one = NULL, *two = NULL;
            bool has_outcome = true;
            assert_true(s.next(s.context, a, NULL, &has_outcome, &one, &e));
            assert_false(has_outcome);
            assert_true(t.next(t.context, b, NULL, &has_outcome, &two, &e));
            assert_string_equal(one, two);
            assert_true(case_equal(a, b));
            assert_true(o.next(o.context, b, NULL, &has_outcome, &two, &e));
            equal += case_equal(a, b);
            if (n % 10 == 3) {
                s.fresh(s.context, a, 1);
                t.fresh(t.context, a, 1);
            }
            if (n == 11)
                assert_string_equal(one, "seed 42 case 12");
        }
        assert_true(equal < 500);
        generator_free(g);
        generator_free(h);
        generator_free(other);
    }
}

/* A generator with a corpus first gives each of its cases, unchanged, in an order that the seed decides. In a
 * continued campaign it gives none of them. */
static void a_corpus_comes_first(void **state)
{
    (void)state;
    struct error e = {0};
    struct corpus *c = corpus_open(unit_at(0), MISPRINT_SOURCE_DIR "/corpus", &e);
    assert_non_null(c);
    assert_true(c->count > 10 && c->count <= 512);
    struct generator_source *g[3];
    bool given[512] = {false}, has_outcome;
    const char *label = NULL;
    unsigned in_order = 0;
    for (unsigned i = 0; i < 3; i++) {
        g[i] = generator_new(unit_at(0), 42);
        generator_take_corpus(g[i], c, i < 2);
    }
    struct case_source s = generator_as_source(g[0]), t = generator_as_source(g[1]),
                       later = generator_as_source(g[2]);
    for (unsigned n = 0; n < c->count + 500; n++) {
        assert_true(s.next(s.context, a, NULL, &has_outcome, &label, &e) &&
                    t.next(t.context, b, NULL, &has_outcome, &label, &e));
        assert_true(case_equal(a, b));
        assert_int_equal(strncmp(label, "corpus ", 7) == 0, n < c->count);
        for (unsigned i = 0; n < c->count && i < c->count; i++)
            if (!strcmp(label + 7, c->entry[i].name)) {
                assert_true(case_equal(a, c->entry[i].tc) && !given[i]);
                given[i] = true;
                in_order += i == n;
            }
    }
    for (unsigned i = 0; i < c->count; i++)
        assert_true(given[i]);
    assert_true(in_order < c->count / 2);
    assert_true(later.next(later.context, a, NULL, &has_outcome, &label, &e));
    assert_string_equal(label, "seed 42 case 1");
    for (unsigned i = 0; i < 3; i++)
        generator_free(g[i]);
    corpus_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variations_keep_the_code),     cmocka_unit_test(everything_made_is_in_range),
        cmocka_unit_test(nudges_set_nothing_new),       cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(mutation_reaches_every_field), cmocka_unit_test(words_worth_trying),
        cmocka_unit_test(sources_repeat_themselves),    cmocka_unit_test(a_corpus_comes_first),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
