/* SPDX-License-Identifier: MIT */
/*
 * Attribution compared with the truth. The test knows the readings of a virtual board. Each cause that a
 * campaign calls established must be one of these readings. Nothing should stay unexplained, because some set
 * of readings explains every difference. The campaigns are short and have many seeds, because little evidence
 * makes wrong causes look right.
 */
#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS_BEST = 40,   /* campaigns of each unit against its best-known silicon profile; the short tier
                        * runs a quarter of them */
    SEEDS_RANDOM = 30, /* campaigns against random profiles */
    CHANGES_LEAST = 4, /* readings that a random profile changes */
    CHANGES_MOST = 24,
    EFFECT_CASES = 20000,
    /*
     * Limit of unexplained findings if up to 24 readings changed at once: one finding in UNFOUND, plus FEW.
     * FEW is needed because a short run has only hundreds of findings, and one campaign often has several
     * unexplained ones. Measured with these seeds: 3 of 1505.
     */
    UNFOUND = 250,
    FEW = 4,
    /*
     * Limit of open findings that do not name the true cause, because little evidence had ruled it out: one
     * finding in HIDDEN, plus FEW_HIDDEN. Measured with the shorter list of seeds: 2 of 1998 on the
     * best-known silicon (cases with two and three changes at once), 0 of 756 on random profiles.
     */
    HIDDEN = 1000,
    FEW_HIDDEN = 1,
};

/* Counts of findings of all campaigns, compared with the truth. */
struct truth {
    uint64_t findings, established, open, undefined, falsehoods, unexplained, wrong_first, without_truth;
};

static bool is_true(const struct cause *c, const struct profile *board)
{
    for (unsigned i = 0; i < c->count; i++)
        if (reading_of(board, c->change[i].clause) != c->change[i].reading)
            return false;
    return true;
}

/*
 * Does the board behave as if it followed these readings? Where a reading leaves bits undefined, the board
 * may follow another reading.
 */
static bool is_true_in_effect(const struct unit *u, const struct cause *c, const struct profile *board)
{
    struct executor *x = executor_new(u);
    struct outcome *as_it_is = outcome_new(u), *as_said = outcome_new(u);
    struct test_case *tc = malloc(sizeof *tc);
    struct profile said = *board;
    struct random r;
    bool same = true;
    random_seed(&r, 1);
    cause_apply(c, &said);
    for (unsigned i = 0; i < EFFECT_CASES && same; i++) {
        case_generate(&r, u, tc);
        executor_run(x, tc, board, RUN_PLAIN, as_it_is);
        executor_run(x, tc, &said, RUN_PLAIN, as_said);
        same = outcomes_equal(as_said, as_it_is, NULL, NULL);
    }
    free(tc);
    outcome_free(as_it_is);
    outcome_free(as_said);
    executor_free(x);
    return same;
}

static bool holds_truth(const struct explanation *x, const struct profile *board)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (is_true(&x->candidate[i], board))
            return true;
    return false;
}

static void complain(const struct campaign_options *o, const struct finding *f, const char *what)
{
    struct text t = {0};
    text_add(&t, "%s seed %" PRIu64 " -n %" PRIu64 " --profile %s --board %s: %s %s", o->unit->name, o->seed,
             o->max_cases, o->profile_name, o->board->identity.spec, f->id, what);
    for (unsigned i = 0; i < f->explanation.candidates; i++) {
        text_add(&t, " | ");
        cause_print(f->unit, &f->explanation.candidate[i], &t);
    }
    print_message("%s\n", text_chars(&t));
    text_free(&t);
}

static void judge(struct truth *t, const struct campaign_options *o, const struct finding *f,
                  const struct profile *board)
{
    const struct explanation *x = &f->explanation;
    t->findings++;
    if (!x->candidates) {
        t->unexplained++;
        complain(o, f, "unexplained");
    } else if (x->masked) {
        t->undefined++;
    } else if (x->candidates == 1 && !x->more_candidates) {
        t->established++;
        if (is_true(&x->candidate[0], board) || is_true_in_effect(o->unit, &x->candidate[0], board))
            return;
        t->falsehoods++;
        complain(o, f, "false");
    } else {
        t->open++;
        t->wrong_first += !is_true(&x->candidate[0], board);
        if (x->more_candidates || holds_truth(x, board))
            return;
        t->without_truth++;
        complain(o, f, "open without the truth");
    }
}

static void campaign(struct truth *t, const struct unit *u, uint64_t seed, uint64_t cases,
                     const char *profile, const char *board)
{
    struct error e = {0};
    struct profile base, truth;
    struct campaign_result result;
    struct campaign_options o = {.unit = u,
                                 .profile = &base,
                                 .profile_name = profile,
                                 .seed = seed,
                                 .max_cases = cases,
                                 .reduce = true};
    struct run_facts facts = {.command = "fuzz", .seed = seed};
    assert_true(profile_resolve(u, profile, &base, &e));
    assert_true(profile_resolve(u, strchr(board, ':') + 1, &truth, &e));
    o.board = board_open(board, u, &e);
    assert_non_null(o.board);
    snprintf(facts.unit, sizeof facts.unit, "%s", u->name);
    snprintf(facts.profile, sizeof facts.profile, "%s", profile);
    facts.board = o.board->identity;
    struct generator_source *g = generator_new(u, seed);
    assert_non_null(g);
    struct case_source source = generator_as_source(g);
    assert_true(campaign_run(&o, &source, &facts, &result, &e));
    for (unsigned i = 0; i < result.findings; i++)
        judge(t, &o, &result.finding[i], &truth);
    campaign_free(&result);
    generator_free(g);
    board_close(o.board);
}

/* Writes the spec of a board with a few random readings. */
static void random_board(const struct unit *u, uint64_t seed, char *spec, size_t room)
{
    struct random r;
    random_seed(&r, seed * 2 + 1);
    size_t at = (size_t)snprintf(spec, room, "virtual:%s", u->profiles[seed % 2 ? u->best_profile : 0].name);
    for (unsigned n = CHANGES_LEAST + random_below(&r, CHANGES_MOST - CHANGES_LEAST + 1); n; n--) {
        const struct clause *c = unit_clause(u, random_below(&r, unit_clauses(u)));
        const char *reading = c->readings[random_below(&r, clause_readings(c))].id;
        if (at + strlen(c->id) + strlen(reading) + 3 < room)
            at += (size_t)snprintf(spec + at, room - at, ",%s=%s", c->id, reading);
    }
}

static uint64_t cases_of(const struct unit *u)
{
    return strcmp(u->name, "vc4-vpm") ? 2000 : 300;
}

static void expect_truth(const char *what, const struct truth *t)
{
    print_message("%s: %" PRIu64 " findings, %" PRIu64 " established, %" PRIu64 " open (%" PRIu64
                  " with a wrong one first), %" PRIu64 " undefined; false: %" PRIu64 ", unexplained: %" PRIu64
                  ", open without the truth: %" PRIu64 "\n",
                  what, t->findings, t->established, t->open, t->wrong_first, t->undefined, t->falsehoods,
                  t->unexplained, t->without_truth);
    assert_true(t->established > 0);
    assert_int_equal(t->falsehoods, 0);
    assert_true(t->unexplained <= FEW + t->findings / UNFOUND);
    assert_true(t->without_truth <= FEW_HIDDEN + t->findings / HIDDEN);
}

static unsigned seeds_of(unsigned all)
{
    return getenv("MISPRINT_TEST_LONG") ? all : support_scaled(all / 4);
}

static void best_known_silicon(void **state)
{
    (void)state;
    struct truth t = {0};
    const struct unit *u;
    char board[256];
    for (unsigned i = 0; (u = unit_at(i)); i++)
        for (uint64_t seed = 0; seed < seeds_of(SEEDS_BEST); seed++) {
            snprintf(board, sizeof board, "virtual:%s", u->profiles[u->best_profile].name);
            campaign(&t, u, 200 + seed, cases_of(u), "manual", board);
        }
    expect_truth("best-known silicon", &t);
    assert_int_equal(t.unexplained, 0);
}

static void random_profiles(void **state)
{
    (void)state;
    struct truth t = {0};
    const struct unit *u;
    char board[1000];
    for (unsigned i = 0; (u = unit_at(i)); i++)
        for (uint64_t seed = 0; seed < seeds_of(SEEDS_RANDOM); seed++) {
            random_board(u, seed, board, sizeof board);
            campaign(&t, u, seed, cases_of(u), seed % 4 == 3 ? u->profiles[u->best_profile].name : "manual",
                     board);
        }
    expect_truth("random profiles", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_known_silicon),
                                       cmocka_unit_test(random_profiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
