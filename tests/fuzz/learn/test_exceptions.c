/* SPDX-License-Identifier: MIT */
/*
 * A short expression fits what a board does with a field, except at one or a few values. Few generated cases
 * have these values. What is learned must be the board's rule with its exceptions, and must not be the short
 * expression alone: the sweep of the field contradicts it.
 */
#include "fuzz/learn/learn.h"
#include "oracle/board/board_kind.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *board, *learned; /* rules without the unit's name */
} boards[] = {
    {"block.stride = table(value, 45: 7, else: value & 31)",
     "block.stride = table(value, 45: 7, else: value & 0x1f)"},
    {"block.stride when value != 45 = value & 31", "block.stride when value != 0x2d = value & 0x1f"},
    {"block.stride = table(value, 17: 2, 40: 5, else: value & 31)",
     "block.stride = table(value, 17: 2, 40: 5, else: value & 0x1f)"},
    {"dma.x = table(value, 5: 9, else: value + 1)", "dma.x = table(value, 5: 9, else: value + 1)"},
};

/* A search of 300 cases learns each board's rule, and nothing else. */
static void the_exceptions_are_stated(void **state)
{
    const struct unit *u = unit_named("vc4-vpm");
    struct learn_result *r = calloc(1, sizeof *r);
    struct profile manual;
    struct error e = {0};
    (void)state;
    assert_true(profile_resolve(u, "manual", &manual, &e));
    for (unsigned i = 0; i < sizeof boards / sizeof *boards; i++) {
        char spec[256], wanted[256];
        struct text learned = {0};
        (void)snprintf(spec, sizeof spec, "virtual:manual;vc4-vpm %s", boards[i].board);
        (void)snprintf(wanted, sizeof wanted, "vc4-vpm %s\n", boards[i].learned);
        struct learn_options o = {.unit = u, .base = &manual, .seed = 1, .max_cases = 300, .fresh = 300};
        o.board = board_open(spec, u, &e);
        if (!o.board || !learn(&o, r, &e))
            fail_msg("%s: %s", spec, e.text);
        for (uint32_t k = 0; k < r->count; k++) {
            learn_print_change(u, &r->learned[k].change, &learned);
            text_add(&learned, "\n");
        }
        assert_string_equal(text_chars(&learned), wanted);
        text_free(&learned);
        learn_free(r);
        board_close(o.board);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_exceptions_are_stated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
