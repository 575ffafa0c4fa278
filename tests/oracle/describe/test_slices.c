/* SPDX-License-Identifier: MIT */
/* Pictures of slices. Expectations are drawn by hand from the formulas: VideoCore IV guide, p57 table 32. */
#include "oracle/describe/slices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void slices_are_drawn(void **state)
{
    (void)state;
    struct text t = {0};
    assert_true(slices_draw("ADDR = {Y[5:4], X[3:0], H[0]}, Y being the row number.", 2, &t));
    assert_string_equal(text_chars(&t), "           6    5    4    3    2    1    0\n"
                                        "        ┌────┬────┬────┬────┬────┬────┬────┐\n"
                                        "  ADDR  │ Y5 │ Y4 │ X3 │ X2 │ X1 │ X0 │ H0 │\n"
                                        "        └────┴────┴────┴────┴────┴────┴────┘\n");
    text_free(&t);
}

static void other_sentences_are_not(void **state)
{
    (void)state;
    static const char *const says[] = {"",
                                       "STRIDE is bits 15:0.",
                                       "ADDR = {",
                                       "ADDR = {Y[5:0], B[1:0]",
                                       "ADDR = {Y[5:0]; B[1:0]}",
                                       "ADDR = {Y[0:5]}",
                                       "ADDR = {Y[9:0], B[9:0]}",
                                       "ADDR = {y[5:0]}",
                                       "A_LONG_NAME = {Y[5:0]}",
                                       " = {Y[5:0]}"};
    struct text t = {0};
    for (unsigned i = 0; i < sizeof says / sizeof *says; i++)
        assert_false(slices_draw(says[i], 0, &t));
    assert_int_equal(t.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_drawn),
        cmocka_unit_test(other_sentences_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
