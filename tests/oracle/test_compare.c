/* SPDX-License-Identifier: MIT */
/* Comparison: which bits count, what each mask removes, and when nothing was compared. All numbers are
 * computed by hand. */
#include "oracle/compare/compare.h"
#include "tests/support/support_puzzle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void reset(void)
{
    outcome_reset(model, &tc);
    outcome_reset(board, &tc);
}

static void put(struct outcome *o, unsigned row, unsigned col, uint32_t value)
{
    outcome_row(o, row, 4)[col] = value;
    outcome_touch(o, row);
}

static void rows_that_either_side_touched_count(void **state)
{
    (void)state;
    struct tally t = {0};
    struct differences d;
    reset();
    put(model, 0, 1, 5);
    put(board, 0, 1, 5);
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.compared, 1);
    assert_int_equal(t.equal, 1);
    assert_int_equal(t.lanes, 4);
    assert_int_equal(t.bits, 128);
    put(board, 2, 3, 0x80000001);
    memset(&t, 0, sizeof t);
    assert_false(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.different, 1);
    assert_int_equal(t.lanes, 8);
    assert_int_equal(t.bits, 256);
    assert_int_equal(d.words, 1);
    assert_int_equal(d.bits, 2);
    assert_int_equal(d.word[0].row, 2);
    assert_int_equal(d.word[0].col, 3);
    assert_int_equal(d.word[0].model, 0);
    assert_int_equal(d.word[0].board, 0x80000001);
    assert_int_equal(outcomes_distance(model, board, UINT64_MAX), 2);
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

static void only_a_regions_columns_and_bits_count(void **state)
{
    (void)state;
    struct tally t = {0};
    reset();
    put(model, PUZZLE_FLAG_ROW, 0, 0xFFFFFFF3); /* a row of flags has four meaningful bits */
    put(board, PUZZLE_FLAG_ROW, 0, 0x00000003);
    put(model, PUZZLE_FLAG_ROW, 2, 1); /* a row of flags has no such column */
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.lanes, 2);
    assert_int_equal(t.bits, 8);
    put(board, PUZZLE_FLAG_ROW, 1, 8);
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

static void masks_are_counted_by_cause(void **state)
{
    (void)state;
    struct tally t = {0};
    reset();
    put(model, 0, 0, 0x0F);
    put(board, 0, 0, 0xF0);
    model->checked = true;
    model->defined[0] = 0xFFFFFF0F; /* 4 bits are undefined */
    assert_false(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.masked_model, 4);
    assert_int_equal(t.masked_board, 0);
    assert_int_equal(t.bits, 124);
    board->checked = true;
    board->defined[0] = 0xFFFF00F0; /* 12 other bits are not recorded */
    board->defined[1] = 0;
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.masked_board, 12 + 32);
    assert_int_equal(t.masked_model, 4);
    assert_int_equal(t.bits, 128 - 12 - 32 - 4);
    assert_int_equal(t.lanes, 3);   /* one lane has no recorded bit */
    board->defined[0] = 0xFFFF000F; /* a bit that is neither recorded nor defined counts as not recorded */
    memset(&t, 0, sizeof t);
    outcomes_equal(model, board, &t, NULL);
    assert_int_equal(t.masked_board, 12 + 32);
    assert_int_equal(t.masked_model, 0);
}

static void an_incomplete_board_outcome_counts_what_it_recorded(void **state)
{
    (void)state;
    struct tally t = {0};
    reset();
    board->complete = false;
    put(model, 0, 0, 7);
    put(model, 1, 0, 7);
    put(board, 1, 0, 7);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.lanes, 4);
    board->touched[0] = 0;
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.vacuous, 1); /* the board recorded nothing, so nothing was compared */
    assert_int_equal(t.compared + t.equal + t.bits, 0);
}

static void unchanged_rows_count_as_compared(void **state)
{
    (void)state;
    struct tally t = {0};
    struct differences d;
    reset();
    board->complete = false;
    outcome_touch_unchanged(board, 0);
    outcome_touch_unchanged(board, 1);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.lanes, 8);
    assert_int_equal(t.bits, 256);
    put(model, 1, 2, 9); /* the model changed row 1, the board did not */
    memset(&t, 0, sizeof t);
    assert_false(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.bits, 256);
    assert_int_equal(d.word[0].row, 1);
    assert_int_equal(d.word[0].model, 9);
    assert_int_equal(d.word[0].board, 0);
    assert_int_equal(outcomes_distance(model, board, UINT64_MAX), 2);
    reset(); /* a reset forgets which rows are unchanged */
    put(board, 1, 2, 9);
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

/* The board recorded two of the four words of each row, and both were unchanged. So 2 lanes and 64 bits are
 * compared, and 64 bits are not recorded. */
static void rows_recorded_in_part_count_in_part(void **state)
{
    (void)state;
    struct tally t = {0};
    struct differences d;
    reset();
    board->complete = false;
    board->checked = true;
    board->partial[1] = (struct outcome_partial){.region = 0, .lanes = (const uint64_t[]){3}, .period = 1};
    outcome_touch_unchanged(board, 0);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.lanes, 2);
    assert_int_equal(t.bits, 64);
    assert_int_equal(t.masked_board, 64);
    assert_int_equal(t.masked_model, 0);
    memset(&t, 0, sizeof t);
    /* The recording is in the model's place, so its mask counts as the model's. */
    assert_true(outcomes_equal(board, model, &t, NULL));
    assert_int_equal(t.lanes, 2);
    assert_int_equal(t.masked_model, 64);
    assert_int_equal(t.masked_board, 0);
    put(model, 0, 3, 9);
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t, NULL)); /* they differ where nothing was recorded */
    assert_int_equal(t.bits, 64);
    put(model, 0, 1, 9);
    assert_false(outcomes_equal(model, board, &t, &d));
    assert_int_equal(d.words, 1);
    assert_int_equal(d.word[0].col, 1);
    reset(); /* a reset removes the mask */
    board->checked = true;
    put(board, 0, 3, 9);
    assert_false(outcomes_equal(model, board, NULL, NULL));
}

static void masks_that_leave_nothing_are_vacuous(void **state)
{
    (void)state;
    struct tally t = {0};
    reset();
    put(model, 0, 0, 7);
    model->checked = true;
    memset(model->defined, 0, 16);
    assert_true(outcomes_equal(model, board, &t, NULL));
    assert_int_equal(t.vacuous, 1);
    assert_int_equal(t.compared, 0);
    assert_int_equal(t.masked_model, 128);
}

static void ends_count_before_values(void **state)
{
    (void)state;
    struct tally t = {0};
    struct differences d;
    reset();
    put(model, 0, 0, 7);
    model->end = END_HANG;
    assert_false(outcomes_equal(model, board, &t, &d));
    assert_true(d.end_differs);
    assert_int_equal(d.words, 0);
    assert_int_equal(t.different, 1);
    assert_int_equal(t.ends_only, 1);
    assert_int_equal(t.bits, 0);
    assert_true(outcomes_distance(model, board, 0) == DISTANCE_ENDS);
    board->end = END_HANG;
    assert_true(outcomes_equal(model, board, &t, &d));
    assert_int_equal(t.equal, 1);
    reset();
    memset(&t, 0, sizeof t);
    assert_true(outcomes_equal(model, board, &t,
                               NULL)); /* the board recorded everything, and neither side changed anything */
    assert_int_equal(t.untouched, 1);
    assert_int_equal(t.compared, 1);
    assert_int_equal(t.vacuous, 0);
}

static void long_lists_are_cut_but_counted(void **state)
{
    (void)state;
    struct differences d;
    struct text t = {0};
    reset();
    for (unsigned row = 0; row < 3; row++)
        for (unsigned col = 0; col < 4; col++)
            put(board, row, col, 1);
    assert_false(outcomes_equal(model, board, NULL, &d));
    assert_int_equal(d.words, 12);
    differences_print(&puzzle_unit, &d, 2, &t);
    assert_string_equal(text_chars(&t), "out 0 lanes 0 to 3: model 00000000, board 00000001\nout 1 lanes 0 "
                                        "to 3: model 00000000, board 00000001\nand 4 more words\n");
    text_free(&t);
}

/* Neighbours share a line only if they are in one row and differ in the same way. */
static void lines_join_equal_neighbours_of_one_row(void **state)
{
    (void)state;
    struct differences d;
    struct text t = {0};
    reset();
    put(board, 0, 1, 1);
    put(board, 1, 2, 1); /* the next column, but in another row */
    put(board, 1, 3, 2); /* another value of the board */
    put(board, 2, 0, 2);
    put(board, 2, 1, 2);
    put(board, 2, 3, 2); /* not beside them */
    assert_false(outcomes_equal(model, board, NULL, &d));
    differences_print(&puzzle_unit, &d, 9, &t);
    assert_string_equal(text_chars(&t), "out 0 lane 1: model 00000000, board 00000001\n"
                                        "out 1 lane 2: model 00000000, board 00000001\n"
                                        "out 1 lane 3: model 00000000, board 00000002\n"
                                        "out 2 lanes 0 to 1: model 00000000, board 00000002\n"
                                        "out 2 lane 3: model 00000000, board 00000002\n");
    text_clear(&t);
    reset();
    put(model, 0, 1, 7);
    put(board, 0, 1, 1);
    put(model, 0, 2, 3); /* another value of the model */
    put(board, 0, 2, 1);
    assert_false(outcomes_equal(model, board, NULL, &d));
    differences_print(&puzzle_unit, &d, 9, &t);
    assert_string_equal(text_chars(&t), "out 0 lane 1: model 00000007, board 00000001\n"
                                        "out 0 lane 2: model 00000003, board 00000001\n");
    text_free(&t);
}

static void signatures_ignore_values(void **state)
{
    (void)state;
    struct differences d;
    reset();
    put(board, 0, 1, 0x00000100);
    outcomes_equal(model, board, NULL, &d);
    uint64_t one = differences_signature(&puzzle_unit, model, board, &d);
    reset();
    put(board, 1, 2, 0x00008000); /* another row, a bit of the same byte */
    outcomes_equal(model, board, NULL, &d);
    assert_true(one == differences_signature(&puzzle_unit, model, board, &d));
    reset();
    put(board, 1, 2, 0x00010000); /* another byte */
    outcomes_equal(model, board, NULL, &d);
    assert_true(one != differences_signature(&puzzle_unit, model, board, &d));
    reset();
    put(board, PUZZLE_FLAG_ROW, 1, 1); /* another region */
    outcomes_equal(model, board, NULL, &d);
    assert_true(one != differences_signature(&puzzle_unit, model, board, &d));
}

static void tallies_add_up(void **state)
{
    (void)state;
    struct tally a = {.cases = 1, .unattributed = 3},
                 b = {.cases = 10, .answers = {[ANSWER_NOTHING] = 5}, .unattributed = 4};
    tally_merge(&a, &b);
    tally_answer(&a, ANSWER_NOTHING);
    assert_int_equal(a.cases, 12);
    assert_int_equal(a.answers[ANSWER_NOTHING], 6);
    assert_int_equal(a.unattributed, 7);
}

/* The biggest unit, with few rows touched, so that the comparison takes the fast path. The bound allows for
 * slow and busy machines. */
static void a_comparison_is_cheap(void **state)
{
    (void)state;
    enum { TIMES = 200000 };
    const struct unit *u = unit_at(0);
    struct outcome *a = outcome_new(u), *b = outcome_new(u);
    struct test_case *c = malloc(sizeof *c);
    struct tally t = {0};
    struct timespec from, to;
    if (!a || !b || !c)
        fail_msg("out of memory");
    case_init(c, u);
    outcome_reset(a, c);
    outcome_reset(b, c);
    for (unsigned row = 0; row < 5; row++)
        outcome_touch(a, row * 3);
    clock_gettime(CLOCK_MONOTONIC, &from);
    bool equal = true;
    for (unsigned i = 0; i < TIMES; i++)
        equal &= outcomes_equal(a, b, &t, NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double ns = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / TIMES;
    print_message("comparison of 5 touched rows of %s, tally included: %.0f ns\n", u->name, ns);
    assert_true(equal);
    assert_int_equal(t.compared, TIMES);
    assert_true(ns < 20000);
    outcome_free(a);
    outcome_free(b);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_either_side_touched_count),
        cmocka_unit_test(only_a_regions_columns_and_bits_count),
        cmocka_unit_test(masks_are_counted_by_cause),
        cmocka_unit_test(unchanged_rows_count_as_compared),
        cmocka_unit_test(rows_recorded_in_part_count_in_part),
        cmocka_unit_test(an_incomplete_board_outcome_counts_what_it_recorded),
        cmocka_unit_test(masks_that_leave_nothing_are_vacuous),
        cmocka_unit_test(ends_count_before_values),
        cmocka_unit_test(long_lists_are_cut_but_counted),
        cmocka_unit_test(lines_join_equal_neighbours_of_one_row),
        cmocka_unit_test(signatures_ignore_values),
        cmocka_unit_test(tallies_add_up),
        cmocka_unit_test(a_comparison_is_cheap),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
