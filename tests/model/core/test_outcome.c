/* SPDX-License-Identifier: MIT */
/*
 * Tests outcome_reset of outcomes that share their image rules, and that still hold what earlier cases,
 * boards and records left. After the reset every row must equal image_row, which reads only the case, and
 * every mask must be all ones.
 */
#include "fuzz/generate/generate.h"
#include "harness/system/pages.h"
#include "model/core/image_rules.h"
#include "model/core/memory.h"
#include "model/core/outcome.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOMES = IMAGE_RULES_KEPT + 3, SEEDS = 2 * IMAGE_RULES_KEPT };

/* Generates a case. Its images have few different fill rules, so that the cache replaces rules and needs them
 * again. */
static void make_case(struct random *r, const struct unit *u, struct test_case *c)
{
    case_generate(r, u, c);
    for (unsigned i = 0; i < u->schema.field_count; i++)
        if (u->schema.fields[i].kind == FIELD_IMAGE && random_one_in(r, 2)) {
            case_field(c, &u->schema.fields[i])[0] = random_one_in(r, 4) ? FILL_ZERO : FILL_RANDOM;
            case_field(c, &u->schema.fields[i])[1] = random_below(r, SEEDS);
        }
}

static void check_region(const struct outcome *o, const struct test_case *c, const struct region *r,
                         unsigned time)
{
    uint32_t width = o->unit->layout.row_words;
    for (uint32_t n = 0; n < r->rows; n++) {
        uint32_t expected[ROW_WORDS_MAX] = {0}, row = r->first_row + n;
        if (r->image)
            image_row(c, schema_field(&o->unit->schema, r->image), n, expected);
        if (memcmp(o->value + (size_t)row * width, expected, width * sizeof *expected) != 0)
            support_fail_case(c, "time %u: %s %u is not what the case puts there", time, r->name, n);
        for (uint32_t k = 0; k < width; k++)
            if (o->defined[(size_t)row * width + k] != UINT32_MAX)
                support_fail_case(c, "time %u: the mask of word %u of %s %u is not whole", time, k, r->name,
                                  n);
    }
}

static void check_masks(const struct outcome *o, uint32_t row, uint64_t lanes)
{
    uint32_t room[ROW_WORDS_MAX];
    const uint32_t *masks = outcome_masks(o, row, room);
    for (uint32_t k = 0; k < o->unit->layout.row_words; k++)
        assert_int_equal(masks[k], lanes >> k & 1 ? UINT32_MAX : 0);
}

static void record_lanes(struct outcome *o, uint32_t row, uint64_t lanes)
{
    outcome_record_lanes(o, row, lanes);
    check_masks(o, row, lanes);
}

/* Leaves a row in one of the states that outcome.h documents. */
static void leave_row(struct random *r, struct outcome *o, uint32_t row, const uint64_t *lanes)
{
    uint32_t width = o->unit->layout.row_words, *value = outcome_row(o, row, width);
    switch (random_below(r, 4)) {
    case 0:
        outcome_touch_unchanged(o, row);
        if (lanes)
            check_masks(o, row, *lanes);
        return;
    case 1:
        outcome_touch_fully_defined(o, row);
        break;
    case 2:
        if (o->checked)
            record_lanes(o, row, random_u64(r));
        outcome_touch(o, row);
        break;
    default:
        if (o->checked)
            o->defined[(size_t)row * width + random_below(r, width)] = random_u32(r);
        outcome_touch(o, row);
        break;
    }
    for (uint32_t k = 0; k < width; k++)
        value[k] = random_u32(r);
}

static void leave_something(struct random *r, struct outcome *o)
{
    static const uint64_t some_lanes[] = {0, 3, UINT32_MAX, UINT64_C(0xFFFFFFFFFFFFF0FF),
                                          UINT64_C(0x8000000000000001)};
    const struct layout *l = &o->unit->layout;
    o->checked = random_one_in(r, 2);
    for (unsigned i = 0; i < l->region_count; i++) {
        const uint64_t *lanes = NULL;
        if (o->checked && i < OUTCOME_PARTIAL_MAX && random_one_in(r, 2)) {
            lanes = &some_lanes[random_below(r, sizeof some_lanes / sizeof *some_lanes)];
            o->partial[i] = (struct outcome_partial){.lanes = lanes, .region = (uint8_t)i, .period = 1};
        }
        for (uint32_t n = 0; n < l->regions[i].rows; n++)
            if (random_one_in(r, 4))
                leave_row(r, o, l->regions[i].first_row + n, lanes);
    }
}

static void a_reset_leaves_what_the_case_says(void **state)
{
    (void)state;
    struct test_case *c = malloc(sizeof *c);
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct outcome *list[OUTCOMES];
        void *memory = pages_of_outcomes(u, OUTCOMES, list);
        struct random r;
        random_seed(&r, 11 + i);
        assert_non_null(memory);
        for (unsigned time = 0, times = support_scaled(4000); time < times; time++) {
            struct outcome *o = list[random_below(&r, OUTCOMES)];
            make_case(&r, u, c);
            outcome_reset(o, c);
            for (unsigned g = 0; g < u->layout.region_count; g++)
                check_region(o, c, &u->layout.regions[g], time);
            for (unsigned n = 0; n < OUTCOME_PARTIAL_MAX; n++)
                assert_null(o->partial[n].lanes);
            leave_something(&r, o);
        }
        free(memory);
    }
    free(c);
}

/* The model runs in rows that somebody else prepared, and leaves what it leaves in rows of its own. */
static void a_run_in_adopted_rows_leaves_the_same(void **state)
{
    (void)state;
    struct test_case *c = malloc(sizeof *c);
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct executor *x = executor_new(u);
        struct outcome *own = outcome_new(u), *host = outcome_new(u),
                       *adopted = memory_new(1, sizeof *adopted);
        struct profile p;
        struct random r;
        random_seed(&r, 31 + i);
        profile_builtin(u, u->best_profile, &p);
        outcome_make_plain(u, NULL, adopted, NULL);
        for (unsigned time = 0, times = support_scaled(500); time < times; time++) {
            make_case(&r, u, c);
            executor_run(x, c, &p, RUN_PLAIN, own);
            outcome_reset(host, c);
            outcome_adopt(adopted, host->value);
            executor_run(x, c, &p, RUN_PLAIN, adopted);
            assert_int_equal(adopted->end, own->end);
            assert_int_equal(adopted->reason, own->reason);
            assert_memory_equal(adopted->touched, own->touched, sizeof own->touched);
            assert_memory_equal(host->value, own->value,
                                (size_t)u->layout.rows * u->layout.row_words * sizeof *own->value);
            memcpy(host->touched, adopted->touched, sizeof host->touched);
        }
        executor_free(x);
        outcome_free(own);
        outcome_free(host);
        free(adopted);
    }
    free(c);
}

/* What a reset of adopted rows leaves is what somebody else put there. */
static void a_reset_of_adopted_rows_writes_none(void **state)
{
    (void)state;
    const struct unit *u = unit_at(0);
    size_t words = (size_t)u->layout.rows * u->layout.row_words;
    struct outcome *o = memory_new(1, sizeof *o);
    struct test_case *c = calloc(1, sizeof *c);
    uint32_t *value = malloc(words * sizeof *value);
    case_init(c, u);
    outcome_make_plain(u, NULL, o, NULL);
    outcome_adopt(o, value);
    memset(value, 0xA5, words * sizeof *value);
    o->end = END_HANG;
    outcome_touch(o, u->layout.rows - 1U);
    outcome_reset(o, c);
    for (size_t i = 0; i < words; i++)
        assert_int_equal(value[i], 0xA5A5A5A5);
    assert_int_equal(o->end, END_DONE);
    assert_false(outcome_touched(o, u->layout.rows - 1U));
    free(value);
    free(c);
    free(o);
}

/* Touches only this row. Does the outcome's text then say "all"? */
static bool prints_all(struct outcome *o, uint32_t row)
{
    struct text t = {0};
    memset(o->touched, 0, sizeof o->touched);
    outcome_touch(o, row);
    outcome_print(o, &t);
    bool all = strstr(text_chars(&t), " = all ");
    text_free(&t);
    return all;
}

/* The text "all WORD" is printed only if every word of the row is WORD, with the same mask. */
static void all_is_printed_of_equal_words_only(void **state)
{
    (void)state;
    struct test_case *c = calloc(1, sizeof *c);
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct outcome *o = outcome_new(u);
        case_init(c, u);
        outcome_reset(o, c);
        o->checked = true;
        for (unsigned g = 0; g < u->layout.region_count; g++) {
            const struct region *r = &u->layout.regions[g];
            size_t at = (size_t)r->first_row * u->layout.row_words;
            memset(o->value + at, 0, u->layout.row_words * sizeof *o->value);
            for (unsigned odd = 0; odd < 2U * r->cols && r->cols > 1; odd++) {
                uint32_t *other = (odd % 2 ? o->defined : o->value) + at + odd / 2, kept = *other;
                assert_true(prints_all(o, r->first_row));
                *other ^= 1;
                if (prints_all(o, r->first_row))
                    fail_msg("%s %s: word %u differs", u->name, r->name, odd / 2);
                *other = kept;
            }
        }
        outcome_free(o);
    }
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_reset_leaves_what_the_case_says),
                                       cmocka_unit_test(a_run_in_adopted_rows_leaves_the_same),
                                       cmocka_unit_test(a_reset_of_adopted_rows_writes_none),
                                       cmocka_unit_test(all_is_printed_of_equal_words_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
