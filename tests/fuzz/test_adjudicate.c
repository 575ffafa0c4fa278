/* SPDX-License-Identifier: MIT */
/*
 * Adjudication of boards that follow random profiles. The boards are the model under a profile that the
 * adjudication does not know. Every reading that it calls certain must be the board's own. For each other
 * clause, it must not rule out the board's reading.
 */
#include "fuzz/campaign/adjudicate.h"
#include "oracle/files/corpus.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A virtual board under any profile. The test opens it without a spec, because a spec has no room for a
 * hundred overrides. */
struct secret {
    struct board board;
    struct executor *executor;
    struct profile profile;
};

static bool secret_run(struct board *b, const struct test_case *const *cases, unsigned count,
                       struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct secret *s = b->state;
    (void)e;
    for (unsigned i = 0; i < count; i++) {
        executor_run(s->executor, cases[i], &s->profile, RUN_PLAIN, outcomes[i]);
        answers[i] = ANSWER_OUTCOME;
    }
    return true;
}

static const struct board_kind secret_kind = {.name = "secret",
                                              .form = "secret",
                                              .about = "a profile nobody knows",
                                              .run = secret_run};

static void secret_open(struct secret *s, const struct unit *u, uint64_t seed)
{
    struct random r;
    memset(s, 0, sizeof *s);
    s->executor = executor_new(u);
    s->board = (struct board){.kind = &secret_kind, .unit = u, .state = s};
    s->board.identity.memory_base = MEMORY_BASE_DEFAULT;
    s->board.identity.code_base = CODE_BASE_DEFAULT;
    random_seed(&r, seed);
    for (unsigned i = 0; i < unit_clauses(u); i++)
        s->profile.reading[i] = (uint8_t)random_below(&r, clause_readings(unit_clause(u, i)));
}

static const bool all[CLAUSES_MAX] = {[0 ... CLAUSES_MAX - 1] = true};
static const struct profile manual;

static struct corpus *corpus;

static void options(struct adjudicate_options *o, struct board *b)
{
    struct error e = {0};
    corpus = corpus_open(b->unit, MISPRINT_SOURCE_DIR "/corpus", &e);
    if (!corpus)
        fail_msg("%s", e.text);
    *o = (struct adjudicate_options){.board = b, .profile = &manual, .wanted = all, .random_seed = 1};
    struct adjudicate_seed *seed = calloc(corpus->count, sizeof *seed);
    assert_non_null(seed);
    for (unsigned i = 0; i < corpus->count; i++)
        seed[i] = (struct adjudicate_seed){.tc = corpus->entry[i].tc, .name = corpus->entry[i].name};
    o->seed = seed;
    o->seeds = corpus->count;
}

static void options_free(struct adjudicate_options *o)
{
    free((void *)(uintptr_t)o->seed);
    corpus_close(corpus);
}

/* Adjudicates a random profile of a unit. Fails if it uses more than `most` cases for each bit of
 * information, or calls fewer than `least` percent of the clauses certain. */
static void recover(const char *unit, uint64_t seed, double most, unsigned least, uint64_t tries)
{
    const struct unit *u = unit_named(unit);
    struct secret s;
    struct adjudicate_options o;
    struct adjudication a;
    struct error e = {0};
    unsigned certain = 0, likely = 0, right = 0, clauses = unit_clauses(u);
    secret_open(&s, u, seed);
    options(&o, &s.board);
    o.tries = tries;
    assert_true(adjudicate(&o, &a, &e));
    for (unsigned i = 0; i < clauses; i++) {
        const struct judgement *g = &a.clause[i];
        if (!(g->left >> s.profile.reading[i] & 1))
            fail_msg("seed %llu: %s: the board's reading was ruled out", (unsigned long long)seed,
                     unit_clause(u, i)->id);
        if (g->certainty == CERTAIN)
            assert_int_equal(a.profile.reading[i], s.profile.reading[i]);
        else
            print_message("    %s: %s, why %d%s\n", unit_clause(u, i)->id,
                          g->certainty == LIKELY ? "likely" : "open", g->why,
                          a.profile.reading[i] == s.profile.reading[i] ? "" : " (not the board's)");
        certain += g->certainty == CERTAIN;
        likely += g->certainty == LIKELY;
        right += a.profile.reading[i] == s.profile.reading[i];
    }
    print_message("  %s, seed %llu: %u cases for %.1f bits; of %u clauses %u certain, %u likely, %u as the "
                  "board has them\n",
                  unit, (unsigned long long)seed, a.cases, a.bits, clauses, certain, likely, right);
    assert_true(a.verified);
    assert_false(a.cut);
    assert_true(a.cases <= most * a.bits);
    assert_true(certain * 100 >= clauses * least);
    adjudication_free(&a);
    options_free(&o);
    executor_free(s.executor);
}

static void random_profiles_of_the_vpm(void **state)
{
    (void)state;
    unsigned n = support_scaled(6);
    for (unsigned i = 1; i <= n; i++)
        recover("vc4-vpm", i, 3, 80, 500);
}

static void random_profiles_of_other_units(void **state)
{
    (void)state;
    recover("vc4-tmu", 1, 3, 60, 200);     /* under a random profile, a reading can hide the effect of
                                            * another clause */
    recover("amd-buffer", 1, 3, 80, 1000); /* many clauses concern one generation only */
    recover("vc4-qpu", 1, 3, 60, 100);
}

/* Adjudicates the puzzle on a board with faults. `most`: the limit of cases; 0: none. */
static void ask_puzzle(struct puzzle_board *b, const struct adjudicate_seed *seed, unsigned seeds,
                       uint64_t most, struct adjudication *a, bool good)
{
    struct error e = {0};
    struct adjudicate_options o = {.board = &b->board,
                                   .profile = &manual,
                                   .wanted = all,
                                   .seed = seed,
                                   .seeds = seeds,
                                   .random_seed = 7,
                                   .tries = 2000,
                                   .max_cases = most};
    assert_int_equal(adjudicate(&o, a, &e), good);
    if (!good)
        assert_string_equal(e.text, "the puzzle board died");
    for (unsigned i = 0; i < PUZZLE_CLAUSES; i++)
        assert_true(a->clause[i].left >> b->profile.reading[i] & 1);
}

static void made_cases_alone_are_enough(void **state)
{
    (void)state;
    struct puzzle_board b;
    struct adjudication a;
    puzzle_board_open(&b);
    b.profile.reading[1] = b.profile.reading[6] = b.profile.reading[9] = 1;
    ask_puzzle(&b, NULL, 0, 0, &a, true);
    /* Only few kinds of items distinguish readings 0 and 2, so the test checks reading 1 alone. */
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(a.profile.reading[i] == 1, b.profile.reading[i] == 1);
    assert_true(a.verified);
    assert_true(a.cases > 0 && a.cases <= 3 * a.bits);
    adjudication_free(&a);
    puzzle_board_close(&b);
}

/* The case shows that one of two clauses has reading 1, but not which one. Both clauses must stay open. */
static void clauses_that_only_decide_together_stay_tied(void **state)
{
    (void)state;
    struct puzzle_board b;
    struct adjudication a;
    static struct test_case tc;
    const struct adjudicate_seed seed = {.tc = &tc, .name = "parity"};
    puzzle_board_open(&b);
    b.profile.reading[4] = 1;
    puzzle_make(&tc, (const uint32_t[]){puzzle_item(PUZZLE_PARITY, 4, 8, 0)}, 1);
    ask_puzzle(&b, &seed, 1, 1, &a, true);
    assert_int_equal(a.cases, 1);
    assert_int_equal(a.clause[4].left, 7);
    assert_int_equal(a.clause[8].left, 7);
    assert_int_equal(a.clause[4].why, OPEN_TIED);
    assert_int_equal(a.clause[4].with, 8);
    assert_true((a.profile.reading[4] == 1) !=
                (a.profile.reading[8] == 1)); /* the chosen profile reproduces the board's answer */
    assert_true(a.verified);
    assert_true(a.cut);
    adjudication_free(&a);
    puzzle_board_close(&b);
}

static void boards_with_faults(void **state)
{
    (void)state;
    struct puzzle_board b;
    struct adjudication a;
    unsigned conflicts = 0, flaky = 0;
    puzzle_board_open(&b);
    b.refuses = 1; /* all cases */
    ask_puzzle(&b, NULL, 0, 0, &a, true);
    assert_in_range(a.cases, 1, 50);
    for (unsigned i = 0; i < a.cases; i++)
        assert_int_equal(a.asked[i].answer, ANSWER_REFUSED);
    assert_int_equal(a.clause[0].why, OPEN_NO_ANSWER);
    adjudication_free(&a);
    b.refuses = 0;
    b.answers = 0;
    b.dies = 3;
    ask_puzzle(&b, NULL, 0, 0, &a, false);
    assert_true(a.cut);
    adjudication_free(&a);
    b.dies = 0;
    b.own_bug = 4; /* a bug of the board that no clause explains, so cases that show it are no evidence */
    b.profile.reading[2] = 1;
    ask_puzzle(&b, NULL, 0, 0, &a, true);
    for (unsigned i = 0; i < a.cases; i++)
        conflicts += a.asked[i].conflict && !a.asked[i].flaky;
    assert_true(conflicts > 0);
    adjudication_free(&a);
    b.own_bug = 0;
    b.flaky = 2;
    ask_puzzle(&b, NULL, 0, 0, &a, true);
    for (unsigned i = 0; i < a.cases; i++)
        flaky += a.asked[i].flaky;
    assert_true(flaky > 0);
    adjudication_free(&a);
    puzzle_board_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_of_the_vpm),
        cmocka_unit_test(random_profiles_of_other_units),
        cmocka_unit_test(made_cases_alone_are_enough),
        cmocka_unit_test(clauses_that_only_decide_together_stay_tied),
        cmocka_unit_test(boards_with_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
