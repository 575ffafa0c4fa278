/* SPDX-License-Identifier: MIT */
/* Which differences a campaign searches for a rule. */
#include "fuzz/campaign/learning.c" /* NOLINT(bugprone-suspicious-include): its own functions */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The sentences of learning.h: a difference that was searched twice in vain is not searched again, and after
 * twelve searches in vain none is. */
static void a_search_in_vain_is_repeated_once(void **state)
{
    (void)state;
    struct learning l = {.tried = {{.signature = 5, .times = 1}, {.signature = 9, .times = 2}},
                         .tried_count = 2,
                         .futile = 11};
    assert_true(learning_is_worth(&l, 5));
    assert_false(learning_is_worth(&l, 9));
    assert_true(learning_is_worth(&l, 7));
    l.tried[0].times = 2;
    assert_false(learning_is_worth(&l, 5));
    l.futile = 12;
    assert_false(learning_is_worth(&l, 7));
    l.futile = 0;
    for (l.tried_count = 0; l.tried_count < LEARNING_TRIED_MAX; l.tried_count++) {
        assert_true(learning_is_worth(&l, 1000));
        l.tried[l.tried_count].signature = l.tried_count;
        l.tried[l.tried_count].times = 1;
    }
    assert_false(learning_is_worth(&l, 1000)); /* there is no room to remember it */
    assert_true(learning_is_worth(&l, LEARNING_TRIED_MAX - 1));
}

/* The same through the function that notes a search: two in vain are enough. */
static void searches_in_vain_are_counted(void **state)
{
    (void)state;
    struct learning l = {.tried_count = 0};
    note_in_vain(&l, 5);
    assert_true(learning_is_worth(&l, 5));
    note_in_vain(&l, 9);
    assert_true(learning_is_worth(&l, 5));
    note_in_vain(&l, 5);
    assert_false(learning_is_worth(&l, 5));
    assert_true(learning_is_worth(&l, 9));
    assert_int_equal(l.tried_count, 2);
    assert_int_equal(l.futile, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_in_vain_is_repeated_once),
        cmocka_unit_test(searches_in_vain_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
