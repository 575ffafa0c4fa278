/* SPDX-License-Identifier: MIT */
/*
 * The picture of which lane reached which memory. Lanes 2n and 2n + 1 of a buffer load have the offset
 * 0x10 + 4n, and the buffer ends at 0x40. So lanes 0 to 23 share the words from 0x10 to 0x3C in pairs, and
 * the others are out of range. The board's buffer ends at 0x3C, so lanes 22 and 23 are out of range there.
 */
#include "oracle/compare/executor.h"
#include "oracle/report/picture/report_svg.h"
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit *unit;
static struct test_case tc;

static void make_case(unsigned records)
{
    struct text t = {0};
    struct error e = {0};
    text_add(&t,
             "misprint-case 1 amd-buffer\ngeneration = gfx900\ndescriptor = num_records=0x%X "
             "dst_sel=xyzw num_format=uint data_format=32\nvgpr row 1 =",
             records);
    for (unsigned n = 0; n < 64; n++)
        text_add(&t, " %08x", 0x10 + 4 * (n / 2));
    text_add(&t, "\ncode {\n  buffer_load_dword v4, v1, s[8:11], 0 offen\n}\n");
    if (!case_parse(&tc, text_chars(&t), t.length, &e))
        fail_msg("%s", e.text);
    text_free(&t);
}

static struct outcome *run_case(unsigned records)
{
    struct executor *x = executor_new(unit);
    struct outcome *o = outcome_new(unit);
    struct profile manual;
    make_case(records);
    profile_builtin(unit, 0, &manual);
    executor_run(x, &tc, &manual, RUN_PLAIN, o);
    executor_free(x);
    return o;
}

static void each_lane_and_each_word_is_named(void **state)
{
    (void)state;
    struct text t = {0};
    struct outcome *initial = outcome_new(unit), *model = run_case(0x40), *board = run_case(0x3C);
    outcome_reset(initial, &tc);
    const struct picture p = {.unit = unit, .tc = &tc, .initial = initial, .side = {model, board}};
    svg_reach(&p, (const char *const[]){"one", "two"}, &t);
    assert_has(text_chars(&t), "in memory, access 0.");
    assert_int_equal(occurrences(text_chars(&t), "<title>lane "), 128);
    for (unsigned n = 0; n < 64; n++) {
        char moved[64], out[64];
        (void)snprintf(moved, sizeof moved, "<title>lane %u: moved 0x%X;</title>", n, 0x10 + 4 * (n / 2));
        (void)snprintf(out, sizeof out, "<title>lane %u: out of range;</title>", n);
        assert_int_equal(occurrences(text_chars(&t), moved), n < 22 ? 2 : n < 24 ? 1 : 0);
        assert_int_equal(occurrences(text_chars(&t), out), n < 22 ? 0 : n < 24 ? 1 : 2);
    }
    for (unsigned n = 0; n < 12; n++) {
        char word[64], name[64];
        (void)snprintf(word, sizeof word, "<title>0x%X: lane %u, lane %u</title>", 0x10 + 4 * n, 2 * n,
                       2 * n + 1);
        (void)snprintf(name, sizeof name, ">%u+</text>", 2 * n); /* + means more than one */
        assert_int_equal(occurrences(text_chars(&t), word), n < 11 ? 2 : 1);
        assert_int_equal(occurrences(text_chars(&t), name), n < 11 ? 2 : 1);
    }
    text_clear(&t);
    const struct picture alike = {.unit = unit, .tc = &tc, .initial = initial, .side = {model, model}};
    svg_reach(&alike, (const char *const[]){"one", "two"}, &t);
    assert_has(text_chars(&t), "both sides alike");
    assert_int_equal(occurrences(text_chars(&t), "<title>lane "), 64);
    text_free(&t);
    outcome_free(initial);
    outcome_free(model);
    outcome_free(board);
}

/* The number behind `name` in the text, which moves on. */
static unsigned number_behind(const char **text, const char *name)
{
    const char *at = strstr(*text, name);
    assert_non_null(at);
    *text = at + strlen(name);
    return (unsigned)strtoul(*text, NULL, 10);
}

/*
 * A grid of a region has lines between its words, evenly spaced over the whole width of its frame. Its data
 * have the values that changed: "AT:VALUE" each, with "*N" behind a value that N words in a row have.
 */
static void grids_have_lines_and_values(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    const struct layout *l = &u->layout;
    struct text t = {0};
    case_init(&tc, u);
    struct outcome *initial = outcome_new(u), *side[2] = {outcome_new(u), outcome_new(u)};
    const struct region *g = NULL;
    for (unsigned i = 0; i < l->region_count && !g; i++)
        g = l->regions[i].drawing == DRAW_GRID ? &l->regions[i] : NULL;
    assert_non_null(g);
    outcome_reset(initial, &tc);
    for (unsigned n = 0; n < 2; n++) {
        outcome_reset(side[n], &tc);
        uint32_t *row = side[n]->value + (g->first_row + 2) * l->row_words;
        outcome_touch(side[n], g->first_row + 2);
        row[1] = 0xABCD0000 + n;
        row[3] = 0x1234;
        for (unsigned k = 5; k < 9; k++)
            row[k] = 0x5678;
    }
    const struct picture p = {.unit = u, .tc = &tc, .initial = initial, .side = {side[0], side[1]}};
    svg_outcomes(&p, (const char *const[]){"one", "two"}, &t);
    const char *at = text_chars(&t), *values = at;
    unsigned x = number_behind(&at, "<rect class=\"k\" x=\""), width = number_behind(&at, "width=\"");
    for (unsigned i = 0; i <= g->cols; i++)
        assert_int_equal(number_behind(&at, i ? "M" : "class=\"l\" d=\"M"), x + width / g->cols * i);
    unsigned first = 2 * g->cols;
    assert_null(strstr(values, "*1 ")); /* a value of one word has no number behind it */
    assert_int_equal(number_behind(&values, "data-v=\""), first + 1);
    assert_int_equal(number_behind(&values, " "), first + 3);
    assert_int_equal(number_behind(&values, " "), first + 5);
    assert_int_equal(number_behind(&values, "*"), 4);
    assert_true(values[1] == '"');
    text_free(&t);
    outcome_free(initial);
    outcome_free(side[0]);
    outcome_free(side[1]);
}

int main(void)
{
    unit = unit_named("amd-buffer");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lane_and_each_word_is_named),
        cmocka_unit_test(grids_have_lines_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
