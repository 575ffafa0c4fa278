/* SPDX-License-Identifier: MIT */
/*
 * The candidates for a board's profile, on an invented unit of which the test knows every outcome. A case
 * with length N asks for clauses 0 to N - 1 in turn, stops at the first one that has not the reading
 * `manual`, and leaves its number, counted from 1; 0 if there is none. A case with length 0 leaves whether
 * clauses 0 and 1 have the same reading.
 */
#include "fuzz/campaign/candidates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CLAUSES = 64, MOST = 40 /* clauses that one case may consult (candidates.c) */ };

static struct clause clauses[CLAUSES];
static const struct field fields[] = {{.name = "length", .kind = FIELD_WORD, .max_value = CLAUSES}};
static const struct region regions[] = {{.name = "stop", .rows = 1, .cols = 1, .bits = 32}};
static const struct builtin_profile profiles[] = {{"manual", "all literal", NULL}, {NULL, NULL, NULL}};
static const char *const reasons[] = {"", NULL};

static void run(struct run *r)
{
    uint32_t length = r->tc->words[0], stop = 0;
    outcome_reset(r->out, r->tc);
    if (length == 0)
        stop = consult(r->profile, r->coverage, 0, 0) == consult(r->profile, r->coverage, 1, 0);
    for (uint32_t i = 0; i < length && !stop; i++)
        if (consult(r->profile, r->coverage, i, 0) != READING_MANUAL)
            stop = i + 1;
    *outcome_row(r->out, 0, 1) = stop;
    outcome_touch(r->out, 0);
}

static const struct unit unit = {
    .name = "toy-chain",
    .family = "toy",
    .about = "an invented unit",
    .schema = {.fields = fields, .field_count = 1, .words = 1},
    .layout = {regions, 1, 1, 1},
    .clauses = {{clauses, CLAUSES}},
    .profiles = profiles,
    .reasons = reasons,
    .run = run,
};

static struct executor *executor;
static struct candidates *left;
static struct test_case tc;

static int begin(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CLAUSES; i++)
        clauses[i] = (struct clause){.id = "toy",
                                     .readings = {{"manual", "", "", EVIDENCE_ARGUMENT},
                                                  {"other", "", "", EVIDENCE_ARGUMENT}}};
    case_init(&tc, &unit);
    executor = executor_new(&unit);
    left = candidates_new(executor);
    return 0;
}

static int end(void **state)
{
    (void)state;
    candidates_free(left);
    executor_free(executor);
    return 0;
}

static enum ruling take(uint32_t length, uint32_t answer)
{
    struct outcome *board = outcome_new(&unit);
    tc.words[0] = length;
    outcome_reset(board, &tc);
    *outcome_row(board, 0, 1) = answer;
    outcome_touch(board, 0);
    enum ruling r = candidates_take(left, &tc, board);
    outcome_free(board);
    return r;
}

enum { MANUAL = 1, OTHER = 2, BOTH = 3 };

/* The board stopped at clause 17: those before it have the reading `manual`, and nothing is known of those
 * behind. */
static void an_answer_rules_out_what_predicts_another(void **state)
{
    (void)state;
    assert_int_equal(take(MOST, 18), RULING_TAKEN);
    for (unsigned i = 0; i < CLAUSES; i++) {
        assert_int_equal(candidates_left(left, i), i < 17 ? MANUAL : i == 17 ? OTHER : BOTH);
        assert_int_equal(candidates_count(left, i), i < 18 ? 1 : 2);
        assert_int_equal(candidates_all(left, i), BOTH);
    }
    assert_int_equal(take(MOST, 3), RULING_CONFLICT); /* the same board cannot stop there */
    assert_int_equal(candidates_left(left, 17), OTHER);
}

static void a_case_that_consults_too_many_clauses_is_no_evidence(void **state)
{
    (void)state;
    assert_int_equal(take(MOST + 1, 18), RULING_TOO_LARGE);
    for (unsigned i = 0; i < CLAUSES; i++)
        assert_int_equal(candidates_left(left, i), BOTH);
    candidates_fix(left, 0, 0); /* a known clause does not count */
    assert_int_equal(take(MOST + 1, MOST + 1), RULING_TAKEN);
    assert_int_equal(candidates_left(left, MOST), OTHER);
    assert_int_equal(candidates_left(left, MOST - 1), MANUAL);
}

/* Only together do the clauses decide: each keeps both readings, but one reading of the one goes with one of
 * the other. */
static void clauses_that_decide_together_are_tied(void **state)
{
    (void)state;
    struct profile p = {.reading = {1, 0}};
    unsigned with;
    assert_false(candidates_tied(left, 0, &with));
    assert_int_equal(take(0, 1), RULING_TAKEN); /* the same reading */
    assert_int_equal(candidates_left(left, 0), BOTH);
    assert_int_equal(candidates_left(left, 1), BOTH);
    assert_true(candidates_tied(left, 0, &with));
    assert_int_equal(with, 1);
    assert_false(candidates_tied(left, 2, &with));
    assert_true(candidates_choose(left, &p));
    assert_int_equal(p.reading[0], p.reading[1]);
    assert_int_equal(take(1, 1), RULING_TAKEN); /* clause 0 has the other reading, so clause 1 has it, too */
    assert_int_equal(candidates_left(left, 0), OTHER);
    assert_true(candidates_choose(left, &p));
    assert_int_equal(p.reading[0], 1);
    assert_int_equal(p.reading[1], 1);
}

/* Before any evidence each of the N + 1 outcomes of a chain is likely by half the one before it, but the
 * last: 2 - 2^(1 - N) bits are expected. */
static void a_case_is_weighed_by_the_bits_that_it_gives(void **state)
{
    (void)state;
    bool wanted[CLAUSES_MAX] = {true, true, true};
    struct prospect p;
    tc.words[0] = 3;
    candidates_weigh(left, &tc, wanted, false, 1000, &p);
    assert_false(p.too_large);
    assert_float_equal(p.bits, 1.75, 1e-9);
    for (unsigned i = 0; i < CLAUSES; i++)
        assert_int_equal(p.asks[i], i < 3);
    tc.words[0] = MOST + 1;
    candidates_weigh(left, &tc, wanted, false, 1000, &p);
    assert_true(p.too_large);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_answer_rules_out_what_predicts_another),
        TEST(a_case_that_consults_too_many_clauses_is_no_evidence),
        TEST(clauses_that_decide_together_are_tied),
        TEST(a_case_is_weighed_by_the_bits_that_it_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
