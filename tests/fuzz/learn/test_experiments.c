/* SPDX-License-Identifier: MIT */
/*
 * Steps of the search for a change (fuzz/learn/search), each alone: what the board is asked at most, which
 * suspected point comes first, which candidates experiments refute, and which differences are merged.
 * docs/rules.md says the same, "Learning rules from a board".
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/aside.h"
#include "fuzz/learn/search/bearing.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "oracle/board/board_kind.h"
#include "tests/support/support_study.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The board agrees, so no new case differs: it runs 320 near cases, all of which can be compared, and then
 * 1,536 new ones. */
static void new_cases_are_limited(void **state)
{
    (void)state;
    struct bench b;
    open_study(&b, "vc4-vpm", "manual", 1);
    case_generate(&b.l->random, b.o.unit, b.l->small);
    assert_false(near_explore(b.s));
    assert_int_equal(b.s->differing, 0);
    assert_true(b.s->nears >= 320);
    assert_int_equal(b.o.board->answered, (b.s->nears + LEARN_BATCH - 1) / LEARN_BATCH * LEARN_BATCH + 1536);
    close_bench(&b);
}

static void points_that_explain_most_come_first(void **state)
{
    (void)state;
    static const uint32_t solved[] = {0, 3, 1, 3, 0, 6, 1};
    static const uint16_t order[] = {5, 1, 3, 2, 6, 0, 4};
    enum { SUSPECTS = sizeof solved / sizeof *solved };
    for (unsigned turn = 0; turn < SUSPECTS; turn++) {
        struct suspect list[SUSPECTS] = {0};
        for (unsigned n = 0; n < SUSPECTS; n++) {
            unsigned point = (n + turn) % SUSPECTS;
            list[n].point = (uint16_t)point;
            list[n].solved = solved[point];
        }
        qsort(list, SUSPECTS, sizeof *list, suspect_order);
        for (unsigned n = 0; n < SUSPECTS; n++) {
            assert_int_equal(list[n].point, order[n]);
            for (unsigned k = 0; k < n; k++)
                assert_true(suspect_order(&list[k], &list[n]) < 0 && suspect_order(&list[n], &list[k]) > 0);
        }
    }
}

static void differences_merge_from_nine_of_ten_on(void **state)
{
    (void)state;
    assert_true(aside_is_same(9, 10));
    assert_false(aside_is_same(8, 9));
    assert_true(aside_is_same(900, 1000));
    assert_false(aside_is_same(899, 1000));
    assert_false(aside_is_same(0, 0));
    assert_true(aside_is_same(1, 1));
}

static void add_candidate(struct study *s, const char *rule)
{
    struct profile p;
    char spec[128];
    (void)snprintf(spec, sizeof spec, "manual;%s %s", s->l->o->unit->name, rule);
    resolve(s->l->o->unit, spec, &p);
    struct candidate *c = &s->candidate[s->candidates++];
    c->change = (struct learn_change){.is_rule = true, .rule = rules_get(&p.rules, 0)};
    c->alive = c->fits = true;
}

/* Adds a case in which the board differs. */
static void add_differing(struct bench *b)
{
    struct outcome *board[1] = {outcome_new(b->o.unit)};
    struct test_case *c[1] = {memory_new(1, sizeof *c[0])};
    enum answer answer[1];
    while (!b->s->differing) {
        case_generate(&b->l->random, b->o.unit, c[0]);
        assert_true(learner_ask(b->l, c, 1, board, answer));
        near_add(b->s, c[0], board);
        b->s->nears = b->s->differing;
    }
    free(c[0]);
    outcome_free(board[0]);
}

/* Of three candidates the first is what the board does. A case refutes each that gives another outcome than
 * the board, wherever it stands in the list. */
static void experiments_refute_what_the_board_does_not(void **state)
{
    (void)state;
    static const char *const rules[] = {"block.stride = value & 31", "block.stride = value & 15",
                                        "block.stride = value & 7"};
    for (unsigned first = 0; first < 3; first++) {
        struct bench b;
        open_study(&b, "vc4-vpm", "manual;vc4-vpm block.stride = value & 31", 1);
        add_differing(&b);
        for (unsigned n = 0; n < 3; n++)
            add_candidate(b.s, rules[(first + n) % 3]);
        b.s->candidate[2].alive = false; /* refuted before */
        experiments_run(b.s);
        for (unsigned n = 0; n < 2; n++) {
            bool is_right = (first + n) % 3 == 0;
            if (b.s->candidate[n].alive != is_right)
                fail_msg("'%s' was %s", rules[(first + n) % 3], is_right ? "refuted" : "not refuted");
        }
        assert_false(b.s->candidate[2].alive);
        close_bench(&b);
    }
}

/* The second candidate makes units idle, whose results are undefined. The model alone has these right. It
 * gives no wrong bit, so only what it leaves undefined speaks against it. */
static void a_candidate_that_loses_right_values_is_refuted(void **state)
{
    (void)state;
    struct bench b;
    open_study(&b, "utgard-gp", "manual;utgard-gp unit.action when negates > 1 && second == 22 = 1", 1);
    add_differing(&b);
    add_candidate(b.s, "unit.action when negates > 1 && second == 22 = 1");
    add_candidate(b.s, "unit.action when negates > 1 = second == 22");
    experiments_run(b.s);
    assert_true(b.s->candidate[0].alive);
    assert_false(b.s->candidate[1].alive);
    close_bench(&b);
}

/* With the rule the store covers some words twice, so the model leaves them undefined. If they held the
 * stored value before, the board's word says nothing against the rule. */
static void words_that_stay_speak_against_nothing(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-vpm\nops {\n"
                               "  wr_setup store-v units=127 depth=64 y=1 x=1 modew=4\n  st_addr 0x0\n}\n";
    struct bench b;
    struct error e = {0};
    struct profile without, with;
    open_study(&b, "vc4-vpm", "manual", 1);
    resolve(b.o.unit, "bcm2835", &without);
    resolve(b.o.unit, "bcm2835;vc4-vpm setup.word when reading == 0 = value & 0xffbfffff", &with);
    struct outcome *board = outcome_new(b.o.unit), *start = outcome_new(b.o.unit);
    struct test_case *c = memory_new(1, sizeof *c);
    assert_true(case_parse(c, text, sizeof text - 1, &e));
    executor_run(b.l->x, c, &without, RUN_CHECKED, b.l->base);
    executor_run(b.l->x, c, &with, RUN_CHECKED, b.l->model);
    executor_run(b.l->x, c, &without, RUN_PLAIN, board);
    outcome_reset(start, c);
    assert_false(bearing_loses(b.l->base, b.l->model, board, start));
    for (size_t i = 0; i < (size_t)b.o.unit->layout.rows * b.o.unit->layout.row_words; i++)
        start->value[i] = ~board->value[i];
    assert_true(bearing_loses(b.l->base, b.l->model, board, start));
    outcome_free(board);
    outcome_free(start);
    free(c);
    close_bench(&b);
}

/* Board's values with one word changed. Do the model's values fit them where a checked run defines them? */
static bool values_fit(struct bench *b, const struct test_case *c, struct outcome *board, size_t word,
                       uint32_t change)
{
    executor_run(b->l->x, c, &b->manual, RUN_PLAIN, board);
    executor_run(b->l->x, c, &b->manual, RUN_PLAIN, b->l->values);
    board->value[word] ^= change;
    return bearing_values_fit(b->l->defining, b->l->values, board);
}

/* 1 / 3 has a tolerance. Nobody stores the other components of the varyings. */
static void values_fit_within_masks_and_tolerances(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 utgard-gp\nmemory row 0 = 40400000 40400000 00000000 00000000\nprogram {\n"
        "  load u[0] ; mul0 complex2 load.y, load.y ; complex rcp load.y ; pass mov load.y\n"
        "  mul0 complex1 complex@1, mul0@1 ; mul1 complex1 complex@1, pass@1\n  nop\n"
        "  pass mov mul0@2 ; store0 v0 pass, none\n"
        "  load u[0] ; pass mov load.y ; store0 v1 pass, none\n}\n";
    struct bench b;
    struct error e = {0};
    uint32_t tolerant = 0, undefined = 0, exact = 0;
    open_study(&b, "utgard-gp", "manual", 1);
    const uint32_t words = b.o.unit->layout.row_words;
    struct outcome *board = outcome_new(b.o.unit);
    struct test_case *c = memory_new(1, sizeof *c);
    if (!case_parse(c, text, sizeof text - 1, &e))
        fail_msg("%s", e.text);
    executor_run(b.l->x, c, &b.manual, RUN_CHECKED, b.l->defining);
    for (uint32_t row = 0; row < b.o.unit->layout.rows; row++) {
        if (!outcome_touched(b.l->defining, row))
            continue;
        for (size_t word = row * words; word < (row + 1) * (size_t)words; word++) {
            if (!b.l->defining->defined[word]) {
                assert_true(values_fit(&b, c, board, word, 0x400000));
                undefined++;
            } else if (outcome_tolerant(b.l->defining, row) && b.l->defining->tolerance[word]) {
                assert_true(values_fit(&b, c, board, word, 1));
                assert_false(values_fit(&b, c, board, word, 0x400000));
                tolerant++;
            } else {
                assert_true(values_fit(&b, c, board, word, 0));
                assert_false(values_fit(&b, c, board, word, 1));
                exact++;
            }
        }
    }
    assert_true(tolerant && undefined && exact);
    outcome_free(board);
    free(c);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_cases_are_limited),
        cmocka_unit_test(points_that_explain_most_come_first),
        cmocka_unit_test(differences_merge_from_nine_of_ten_on),
        cmocka_unit_test(experiments_refute_what_the_board_does_not),
        cmocka_unit_test(a_candidate_that_loses_right_values_is_refuted),
        cmocka_unit_test(words_that_stay_speak_against_nothing),
        cmocka_unit_test(values_fit_within_masks_and_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
