/* SPDX-License-Identifier: MIT */
/*
 * Words with a tolerance: distances of floats and bytes, and how such words are compared, counted and
 * printed. The distances come from the host's nextafterf. The numbers of bits are computed by hand.
 */
#include "oracle/compare/compare.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct outcome *model, *board;
static struct test_case tc;

static int begin(void **state)
{
    (void)state;
    model = outcome_new(&puzzle_unit);
    board = outcome_new(&puzzle_unit);
    puzzle_make(&tc, NULL, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    outcome_free(model);
    outcome_free(board);
    return 0;
}

/* Gives word 0 of row 0 a value and a tolerance in the model, and another value on the board. */
static void put(uint32_t value, uint32_t tolerance, uint32_t mask, uint32_t other)
{
    outcome_reset(model, &tc);
    outcome_reset(board, &tc);
    model->checked = true;
    outcome_touch(model, 0);
    outcome_tolerate(model, 0);
    model->value[0] = value;
    model->tolerance[0] = tolerance;
    model->defined[0] = mask;
    board->value[0] = other;
    outcome_touch(board, 0);
}

static bool right(uint32_t value, uint32_t ulps, uint32_t other)
{
    put(value, ulps, 0, other);
    bool equal = outcomes_equal(model, board, NULL, NULL);
    struct tally t = {0};
    struct differences d;
    assert_int_equal(outcomes_equal(model, board, &t, &d), equal);
    assert_int_equal(d.words, !equal);
    assert_int_equal(d.bits > 0, !equal);
    assert_int_equal(outcomes_distance(model, board, UINT64_MAX), d.bits);
    assert_int_equal(t.compared, 1);
    return equal;
}

static float moved(float x, int ulps)
{
    for (; ulps > 0; ulps--)
        x = nextafterf(x, INFINITY);
    for (; ulps < 0; ulps++)
        x = nextafterf(x, -INFINITY);
    return x;
}

/* A word as far away as the tolerance is right, and a word one unit farther is wrong. This holds on both
 * sides of powers of two, of zero and of the smallest normal number, and at infinity. */
static void distances_of_floats(void **state)
{
    (void)state;
    static const float values[] = {1,
                                   -1,
                                   0.5F,
                                   2,
                                   3.1F,
                                   0x1p-126F,
                                   -0x1p-126F,
                                   0x1p-149F,
                                   0x1p-148F,
                                   0x1.fffffcp-127F,
                                   0x1.fffffep127F,
                                   0x1p127F,
                                   1e-3F,
                                   -1e30F};
    for (unsigned n = 0; n < sizeof values / sizeof *values; n++)
        for (int ulps = 1; ulps <= 9; ulps++)
            for (int by = -12; by <= 12; by++) {
                float other = moved(values[n], by);
                bool beyond = isinf(other) && !isinf(moved(values[n], by - (by > 0) + (by < 0)));
                if (isinf(other) && !beyond)
                    continue; /* no float is farther away than Inf */
                bool is_right = right(bits_of(values[n]), (uint32_t)ulps, bits_of(other));
                if (is_right != (abs(by) <= ulps))
                    fail_msg("%a is %d units from %a; within %d: %d", (double)other, by, (double)values[n],
                             ulps, is_right);
            }
}

static void zeros_infinities_and_nans(void **state)
{
    (void)state;
    assert_true(right(0, 1, 0x80000000)); /* both zeros have the same place */
    assert_true(right(0x80000000, 1, 0));
    assert_true(right(0, 1, 0x80000001));
    assert_false(right(0, 1, 0x80000002));
    assert_true(right(1, 2, 0x80000001));
    assert_false(right(1, 2, 0x80000002));
    assert_true(right(0x7F7FFFFE, 2, 0x7F800000));
    assert_false(right(0x7F7FFFFE, 1, 0x7F800000));
    assert_false(right(0x7F7FFFFE, TOLERANCE_ULPS_MAX, 0x7F800001)); /* a NaN */
    assert_false(right(0x7F7FFFFE, TOLERANCE_ULPS_MAX, 0x7FC00000));
    assert_false(right(0x7F7FFFFE, TOLERANCE_ULPS_MAX, 0xFF800001));
    assert_false(right(0x7F7FFFFE, 4, 0xFF7FFFFE)); /* -FLT_MAX is at the other end */
}

static void ranges_of_floats(void **state)
{
    (void)state;
    uint32_t mask;
    assert_int_equal(tolerance_of_floats(0x3F800000, 0x3F7FFFFC, 0x3F800004, &mask), 4);
    assert_int_equal(mask, 0xFF000000); /* 3F7FFFFC and 3F800004 differ in bits 23 and below */
    assert_int_equal(tolerance_of_floats(0x3FC00000, 0x3FBFFFFF, 0x3FC00005, &mask), 5); /* the farther end */
    assert_int_equal(mask, 0xFF800000);
    assert_int_equal(tolerance_of_floats(0x3FC00008, 0x3FC00007, 0x3FC00009, &mask), 1);
    assert_int_equal(mask, 0xFFFFFFF0);
    assert_int_equal(tolerance_of_floats(0x12345678, 0x12345678, 0x12345678, &mask), 0);
    assert_int_equal(mask, UINT32_MAX);
    assert_int_equal(tolerance_of_floats(0, 0x80000000, 0, &mask), 1);
    assert_int_equal(mask, 0);
    assert_int_equal(tolerance_of_floats(1, 0x80000002, 1, &mask), 3);
    assert_int_equal(mask, 0);
    assert_int_equal(tolerance_of_floats(0, 0xFF800000, 0x7F800000, &mask), 0); /* -Inf to Inf says nothing */
    assert_int_equal(mask, 0);
    assert_int_equal(tolerance_of_floats(0x7F800000, 0x7F7FFFFF, 0x7FC00000, &mask), 0);
    assert_int_equal(mask, 0);
    assert_int_equal(tolerance_float_at(-1), 0x80000001);
    assert_int_equal(tolerance_float_at(INT64_C(0x7F800005)), 0x7F800000);
}

/* A tolerance of 4 admits 9 words. It takes 4 bits to number them, so 4 of the 32 bits do not count as
 * compared. */
static void compared_bits_are_counted(void **state)
{
    (void)state;
    struct tally t = {0};
    struct differences d;
    put(0x3F800000, 4, 0xFF000000, 0x3F7FFFFC);
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.bits, 4 * 32 - 4);
    assert_int_equal(t.masked_model, 4);
    assert_int_equal(t.masked_board, 0);
    assert_int_equal(t.lanes, 4);
    put(0x3F800000, 1, 0, 0x3F800000);
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.masked_model, 2); /* three words are right: 2 bits */
    /* if the board recorded only some bits, the mask replaces the tolerance */
    put(0x3F800000, 4, 0xFF000000, 0x3F000000);
    board->checked = true;
    board->defined[0] = 0xFF0000FF;
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.masked_board, 16);
    assert_int_equal(t.masked_model, 8);
    board->value[0] = 0x3D800000;
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

/* Two models with a tolerance each agree if some word is right for both. */
static void two_tolerances_add_up(void **state)
{
    (void)state;
    put(0x3F800000, 4, 0, 0x3F800006);
    assert_false(outcomes_equal(model, board, NULL, NULL));
    board->checked = true;
    outcome_tolerate(board, 0);
    board->tolerance[0] = 2;
    board->defined[0] = 0;
    assert_true(outcomes_equal(model, board, NULL, NULL));
    board->tolerance[0] = 1;
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

static void distances_of_bytes(void **state)
{
    (void)state;
    const uint8_t distance[4] = {4, 0, 1, 0};
    uint32_t tolerance = tolerance_of_bytes(distance);
    struct tally t = {0};
    struct differences d;
    put(0x80107F80, tolerance, 0xFF00FF00, 0x80117F84);
    model->defined[0] =
        0xFF000000 | tolerance_mask_of_byte(0x10, 1) << 16 | 0xFF00 | tolerance_mask_of_byte(0x80, 4);
    assert_int_equal(model->defined[0], 0xFFE0FF00); /* 0F..11 have three common bits, 7C..84 have none */
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.masked_model, 4 + 2); /* nine values of one byte, three of another */
    static const struct {
        uint32_t word;
        bool right;
    } others[] = {{0x80107F7C, true},  {0x80107F7B, false}, {0x80107F85, false}, {0x800F7F80, true},
                  {0x800E7F80, false}, {0x80107E80, false}, {0x81107F80, false}, {0x80107F80, true}};
    for (unsigned n = 0; n < sizeof others / sizeof *others; n++) {
        board->value[0] = others[n].word;
        assert_int_equal(outcomes_equal(model, board, NULL, &d), others[n].right);
        assert_int_equal(d.bits > 0, !others[n].right);
    }
    assert_int_equal(tolerance_mask_of_byte(0xFF, 4), 0xF8);
    assert_int_equal(tolerance_mask_of_byte(0x02, 4), 0xF8);
}

static void a_reset_removes_tolerances(void **state)
{
    (void)state;
    put(0x3F800000, 4, 0, 0x3F800000);
    outcome_reset(model, &tc);
    assert_int_equal(model->tolerance[0], 0);
    assert_false(outcome_tolerant(model, 0));
    assert_int_equal(model->defined[0], UINT32_MAX);
}

static void printed(void (*print)(struct text *), const char *expected)
{
    struct text t = {0};
    print(&t);
    if (!strstr(text_chars(&t), expected))
        fail_msg("'%s' does not contain '%s'", text_chars(&t), expected);
    text_free(&t);
}

static void print_differences(struct text *t)
{
    struct differences d;
    outcomes_equal(model, board, NULL, &d);
    differences_print(&puzzle_unit, &d, 4, t);
}

static void print_model(struct text *t)
{
    outcome_print(model, t);
}

static void texts(void **state)
{
    (void)state;
    put(0x3F800000, 4, 0xFF000000, 0x3F7FFFFB);
    printed(print_differences, "model 3F800000, board 3F7FFFFB (not within 4 ulps)");
    printed(print_model, "3f800000(within 4 ulps)");
    const uint8_t distance[4] = {4, 0, 1, 0};
    put(0x80107F80, tolerance_of_bytes(distance), 0xFF00FF00, 0x80117F85);
    printed(print_differences, "(not within 4, 0, 1, 0 of each byte)");
}

/* Similar differences have the same signature, wherever the words are. */
static void signatures(void **state)
{
    (void)state;
    struct differences d;
    put(0x3F800000, 4, 0xFF000000, 0x3F800005);
    outcomes_equal(model, board, NULL, &d);
    uint64_t one = differences_signature(&puzzle_unit, model, board, &d);
    put(0x40490FDB, 4, 0xFFFFFF00, 0x12345678);
    outcomes_equal(model, board, NULL, &d);
    assert_true(one == differences_signature(&puzzle_unit, model, board, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_of_floats),
        cmocka_unit_test(zeros_infinities_and_nans),
        cmocka_unit_test(ranges_of_floats),
        cmocka_unit_test(compared_bits_are_counted),
        cmocka_unit_test(two_tolerances_add_up),
        cmocka_unit_test(distances_of_bytes),
        cmocka_unit_test(a_reset_removes_tolerances),
        cmocka_unit_test(texts),
        cmocka_unit_test(signatures),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
