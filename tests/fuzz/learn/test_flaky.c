/* SPDX-License-Identifier: MIT */
/*
 * A board of every unit gives one wrong answer in a thousand. Learning calls these answers flaky. It learns
 * nothing false from them, also while it learns what the board really does.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/measure/unknown.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_EVERY = 1000, FRESH = 8000, FRESH_LONG = 20000 };

/* ---- a board that passes cases on to another one, and spoils some of its answers ---- */

struct spoiled {
    struct board *inner;
    struct random chance;
    uint64_t wrong;
};

/* Flips one bit of the first row that the case touched. */
static void spoil(struct spoiled *s, struct outcome *o)
{
    const struct layout *layout = &s->inner->unit->layout;
    for (uint32_t row = 0; row < layout->rows; row++)
        if (outcome_touched(o, row)) {
            o->value[row * layout->row_words + random_below(&s->chance, layout->row_words)] ^=
                1U << random_below(&s->chance, 32);
            s->wrong++;
            return;
        }
}

static bool run_spoiled(struct board *b, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct spoiled *s = b->state;
    if (!board_run(s->inner, cases, count, outcomes, answers, e))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (answers[i] == ANSWER_OUTCOME && random_one_in(&s->chance, WRONG_EVERY))
            spoil(s, outcomes[i]);
    return true;
}

/* ---- learn it, and hold the result against the board without the wrong answers ---- */

static void learn_spoiled(const struct unknown_board *b, bool hide, uint32_t fresh, double seconds)
{
    static const struct board_kind kind = {.name = "spoiled", .run = run_spoiled};
    struct unknown_result *r = calloc(1, sizeof *r);
    struct error e = {0};
    struct profile base;
    bool hidden[CLAUSES_MAX] = {0};
    struct spoiled s = {.inner = board_open(b->spec, b->unit, &e)};
    assert_non_null(r);
    if (!s.inner)
        fail_msg("%s: %s", b->spec, e.text);
    random_seed(&s.chance, 11);
    struct board board = {.kind = &kind, .unit = b->unit, .identity = s.inner->identity, .state = &s};
    profile_builtin(b->unit, 0, &base);
    for (unsigned i = 0; i < b->hidden.count; i++)
        hidden[b->hidden.change[i].clause] = hide;
    struct learn_options o = {.unit = b->unit,
                              .board = &board,
                              .base = &base,
                              .seed = 1,
                              .max_seconds = seconds,
                              .fresh = fresh,
                              .hidden = hidden};
    if (!learn(&o, &r->learned, &e) || !unknown_judge(b, &base, 3, fresh, r, &e))
        fail_msg("%s: %s", b->spec, e.text);
    print_message("%s %s: %llu wrong answers, %llu called flaky; %u learned, %u set aside, %u cases left\n",
                  b->unit->name, b->name, (unsigned long long)s.wrong, (unsigned long long)r->learned.flaky,
                  r->learned.count, r->learned.asides, r->left);
    assert_true(s.wrong > 0);
    assert_true(r->learned.flaky > 0);
    assert_int_equal(r->false_rules, 0);
    assert_int_equal(r->wrong, 0);
    if (!hide) {
        assert_int_equal(r->learned.count, b->hidden.count);
        assert_int_equal(r->learned.asides + r->left, 0);
    }
    unknown_free(r);
    free(r);
    board_close(s.inner);
}

static void nothing_is_learned_from_wrong_answers(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++) {
        struct unknown_board b = {.unit = unit_at(i), .name = "manual", .spec = "virtual:manual"};
        learn_spoiled(&b, false, FRESH, 0);
    }
}

/* Learns boards that deviate: `each` of every unit, drawn by a seed. */
static void learn_deviations(unsigned each, bool hide, uint32_t fresh, double seconds)
{
    for (unsigned i = 0; unit_at(i); i++) {
        unsigned count, left_out;
        struct random r;
        struct unknown_board *boards = unknown_boards_of(unit_at(i), 5, 0, 0, &count, &left_out);
        random_seed(&r, 5);
        assert_true(count > 0);
        for (unsigned k = 0; k < each; k++)
            learn_spoiled(&boards[random_below(&r, count)], hide, fresh, seconds);
        free(boards);
    }
}

static void a_known_reading_is_learned_beside_wrong_answers(void **state)
{
    (void)state;
    learn_deviations(1, false, FRESH, 0);
}

static void a_hidden_reading_is_learned_beside_wrong_answers(void **state)
{
    (void)state;
    if (!getenv("MISPRINT_TEST_LONG"))
        skip();
    learn_deviations(2, true, FRESH_LONG, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_learned_from_wrong_answers),
        cmocka_unit_test(a_known_reading_is_learned_beside_wrong_answers),
        cmocka_unit_test(a_hidden_reading_is_learned_beside_wrong_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
