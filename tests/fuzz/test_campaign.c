/* SPDX-License-Identifier: MIT */
/*
 * Campaigns on the puzzle. Some of its boards fail. A campaign finds every injected cause, equal campaigns
 * have equal findings, no finding is lost when a board dies, and each case is in exactly one count.
 */
#include "fuzz/campaign/campaign.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct puzzle_board board;
static struct profile base;
static struct campaign_options options;
static struct campaign_result result;
static struct run_facts facts;
static struct error e;

static int begin(void **state)
{
    (void)state;
    puzzle_board_open(&board);
    memset(&base, 0, sizeof base);
    memset(&result, 0, sizeof result);
    e.text[0] = 0;
    options = (struct campaign_options){.unit = &puzzle_unit,
                                        .profile = &base,
                                        .profile_name = "manual",
                                        .board = &board.board,
                                        .max_cases = 3000,
                                        .reduce = true};
    facts = (struct run_facts){.command = "fuzz", .unit = "puzzle", .profile = "manual", .seed = 1};
    facts.board = board.board.identity;
    return 0;
}

static int end(void **state)
{
    (void)state;
    campaign_free(&result);
    puzzle_board_close(&board);
    return 0;
}

/* Each case is in exactly one count. */
static void assert_all_accounted_for(const struct tally *t)
{
    assert_int_equal(t->cases, t->answers[0] + t->answers[1] + t->answers[2] + t->answers[3]);
    assert_int_equal(t->answers[ANSWER_OUTCOME], t->compared + t->vacuous);
    assert_int_equal(t->compared, t->equal + t->different + t->predicted);
    assert_int_equal(t->different, t->attributed + t->unfiled + t->known + t->unattributed);
}

/* Makes the campaign's cases, because the puzzle has no `generate` hook. */
struct maker {
    struct random random;
    uint64_t made;
    char label[32];
    uint64_t most;
    unsigned kinds;
    uint64_t turns_at; /* before this case, items use only the first eight clauses */
};

static bool make_case(void *context, struct test_case *c, struct outcome *outcome, bool *has_outcome,
                      const char **label, struct error *error)
{
    struct maker *m = context;
    uint32_t items[8];
    (void)outcome;
    (void)error;
    if (m->most && m->made == m->most)
        return false;
    unsigned count = 1 + random_below(&m->random, 8);
    for (unsigned i = 0; i < count; i++)
        items[i] = puzzle_random_item(&m->random, (enum puzzle_kind)random_below(&m->random, m->kinds),
                                      m->made < m->turns_at ? 8 : PUZZLE_CLAUSES);
    puzzle_make(c, items, count);
    *has_outcome = false;
    snprintf(m->label, sizeof m->label, "case %u", (unsigned)++m->made);
    *label = m->label;
    return true;
}

static bool run(uint64_t seed, unsigned kinds, uint64_t most)
{
    struct maker m = {.most = most, .kinds = kinds};
    struct case_source source = {.next = make_case, .context = &m};
    random_seed(&m.random, seed);
    return campaign_run(&options, &source, &facts, &result, &e);
}

static void print_findings(struct text *t)
{
    for (unsigned i = 0; i < result.findings; i++) {
        const struct finding *f = &result.finding[i];
        text_add(t, "%s %s ", f->id, verdict_name(f->verdict));
        for (unsigned k = 0; k < f->explanation.candidates; k++) {
            text_add(t, "%s", k ? "|" : "");
            cause_print(f->unit, &f->explanation.candidate[k], t);
        }
        text_add(t, " cases %llu signature %llx %s\n", (unsigned long long)f->cases,
                 (unsigned long long)f->signature, f->label);
        case_print(f->smallest, t);
    }
}

/* Checks the causes of all findings, in the order of the findings. */
static void expect_causes(const char *want)
{
    struct text t = {0};
    for (unsigned i = 0; i < result.findings; i++) {
        text_add(&t, "%s", i ? "; " : "");
        if (!result.finding[i].explanation.candidates)
            text_add(&t, "%s", verdict_name(result.finding[i].verdict));
        else
            cause_print(&puzzle_unit, &result.finding[i].explanation.candidate[0], &t);
    }
    assert_string_equal(text_chars(&t), want);
    text_free(&t);
}

static void injected_causes_are_found(void **state)
{
    (void)state;
    board.profile.reading[2] = board.profile.reading[5] = board.profile.reading[8] = 1;
    assert_true(run(1, PUZZLE_MAJORITY + 1, 0));
    /* The order is errata, then gaps. No finding blames two clauses. */
    expect_causes("puzzle-2=one; puzzle-8=one; puzzle-5=one");
    assert_int_equal(result.tally.cases, 3000);
    assert_int_equal(result.findings, 3);
    print_message("%u different, %u known, %u predicted\n", (unsigned)result.tally.different,
                  (unsigned)result.tally.known, (unsigned)result.tally.predicted);
    assert_true(result.tally.known + result.tally.predicted >
                500); /* for these, the campaign needed no search */
    assert_all_accounted_for(&result.tally);
    for (unsigned i = 0; i < 3; i++) {
        const struct puzzle_case *c =
            (const struct puzzle_case *)(const void *)result.finding[i].smallest->words;
        assert_int_equal(c->count, 1);
        assert_true(strstr(result.finding[i].label, "reduced"));
        assert_true(result.finding[i].board_outcome_size > 0);
    }
}

/* A campaign finds a new cause even after known causes have predicted thousands of cases. */
static void prediction_hides_no_new_cause(void **state)
{
    (void)state;
    struct maker m = {.kinds = PUZZLE_SOLO + 1, .turns_at = 8000};
    struct case_source source = {.next = make_case, .context = &m};
    board.profile.reading[2] = board.profile.reading[5] = board.profile.reading[8] = 1;
    options.max_cases = 12000;
    random_seed(&m.random, 4);
    assert_true(campaign_run(&options, &source, &facts, &result, &e));
    bool found = false;
    for (unsigned i = 0; i < result.findings; i++) {
        const struct explanation *x = &result.finding[i].explanation;
        found |= x->candidates == 1 && x->candidate[0].count == 1 && x->candidate[0].change[0].clause == 8;
    }
    assert_true(found);
    assert_true(result.tally.predicted > 4000);
    assert_true(result.tally.equal > 0 && result.tally.known > 0); /* the campaign compares a sample of the
                                                                    * predicted cases */
    assert_all_accounted_for(&result.tally);
}

/* Most cases here have more causes than a search tries at once. */
static void cases_of_many_causes_are_split(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PUZZLE_CLAUSES; i++)
        board.profile.reading[i] = 1;
    assert_true(run(2, PUZZLE_SOLO + 1, 0));
    assert_int_equal(result.findings, PUZZLE_CLAUSES);
    for (unsigned i = 0; i < result.findings; i++)
        assert_int_equal(result.finding[i].explanation.candidate[0].count, 1);
    assert_int_equal(result.tally.unattributed, 0);
    assert_all_accounted_for(&result.tally);
}

static void finite_sources_are_explained_case_by_case(void **state)
{
    (void)state;
    board.profile.reading[2] = board.profile.reading[5] = 1;
    options.exact = true;
    options.max_cases = 0;
    assert_true(run(3, PUZZLE_MAJORITY + 1, 700));
    expect_causes("puzzle-2=one; puzzle-5=one");
    assert_int_equal(result.tally.cases, 700);
    assert_int_equal(result.tally.known, 0);
    assert_int_equal(result.tally.attributed, result.tally.different);
    assert_all_accounted_for(&result.tally);
    assert_true(result.finding[0].cases + result.finding[1].cases >= result.tally.different);
}

static void equal_runs_give_equal_findings(void **state)
{
    (void)state;
    struct text first = {0}, second = {0};
    board.profile.reading[0] = board.profile.reading[7] = board.profile.reading[9] = 1;
    board.own_bug = 0x100;
    assert_true(run(4, PUZZLE_KINDS - 1, 0));
    print_findings(&first);
    campaign_free(&result);
    board.answers = 0;
    assert_true(run(4, PUZZLE_KINDS - 1, 0));
    print_findings(&second);
    assert_string_equal(text_chars(&first), text_chars(&second));
    assert_true(first.length > 100);
    text_free(&first);
    text_free(&second);
}

static void unknown_differences_are_unexplained(void **state)
{
    (void)state;
    board.own_bug = 0x100;
    assert_true(run(5, 1, 0)); /* no finding: the bug shows only where a bit is set, and reading 0 sets
                                * none */
    assert_int_equal(result.findings, 0);
    campaign_free(&result);
    board.profile.reading[0] = 1;
    base.reading[0] = 1; /* now clause 0 sets bits on both sides, so only the bug makes a difference */
    assert_true(run(5, 1, 0));
    assert_int_equal(result.findings, 1);
    assert_int_equal(result.finding[0].verdict, VERDICT_UNEXPLAINED);
    assert_true(result.finding[0].cases > 1);
    assert_int_equal(((const struct puzzle_case *)(const void *)result.finding[0].smallest->words)->count, 1);
}

static void undefined_differences_are_no_findings(void **state)
{
    (void)state;
    board.profile.reading[3] = 1;
    assert_true(run(6, PUZZLE_VAGUE + 1, 400));
    expect_causes("puzzle-3=one");
    assert_true(result.tally.undefined_only > 0);
    assert_true(result.tally.masked_model > 0);
    assert_all_accounted_for(&result.tally);
}

static void flaky_boards_are_reported(void **state)
{
    (void)state;
    board.flaky = 7;
    assert_true(run(7, PUZZLE_MAJORITY + 1, 300));
    assert_int_equal(result.findings, 1);
    assert_int_equal(result.finding[0].verdict, VERDICT_FLAKY);
    assert_all_accounted_for(&result.tally);
    assert_true(result.tally.different > 20);
    assert_int_equal(result.tally.unattributed, 0); /* no flood of differences, so none is skipped */
}

static void a_dying_board_loses_nothing(void **state)
{
    (void)state;
    board.profile.reading[2] = 1;
    board.dies = 1200;
    options.batch = 10;
    assert_false(run(8, PUZZLE_MAJORITY + 1, 0));
    assert_string_equal(e.text, "the puzzle board died");
    expect_causes("puzzle-2=one");
    assert_all_accounted_for(&result.tally);
    campaign_free(&result);
    board.answers = 0; /* now the board dies while the campaign reduces a case, after it opened the finding */
    for (board.dies = 2; board.dies < 60; board.dies++) {
        board.answers = 0;
        assert_false(run(8, PUZZLE_SOLO + 1, 0));
        campaign_free(&result);
    }
}

/* A source that fails after 1205 cases. The test's board dies at about the same time. */
static bool make_case_then_fail(void *context, struct test_case *c, struct outcome *outcome,
                                bool *has_outcome, const char **label, struct error *error)
{
    struct maker *m = context;
    return m->made < 1205 ? make_case(context, c, outcome, has_outcome, label, error)
                          : error_set(error, "the source is torn");
}

static void a_failing_source_and_a_dying_board_at_once(void **state)
{
    (void)state;
    struct maker m = {.kinds = PUZZLE_MAJORITY + 1};
    struct case_source source = {.next = make_case_then_fail, .context = &m};
    board.profile.reading[2] = 1;
    options.batch = 10;
    for (board.dies = 1190; board.dies < 1215; board.dies++) {
        random_seed(&m.random, 8);
        m.made = 0;
        board.answers = 0;
        e = (struct error){0};
        assert_false(campaign_run(&options, &source, &facts, &result, &e));
        assert_true(!strcmp(e.text, "the source is torn") || !strcmp(e.text, "the puzzle board died"));
        assert_all_accounted_for(&result.tally);
        expect_causes("puzzle-2=one");
        campaign_free(&result);
    }
}

static void dropped_cases_are_counted(void **state)
{
    (void)state;
    board.refuses = 5;
    board.silent = 7;
    assert_true(run(9, PUZZLE_MAJORITY + 1, 350));
    assert_int_equal(result.tally.answers[ANSWER_REFUSED], 70);
    assert_int_equal(result.tally.answers[ANSWER_NOTHING],
                     50 - 10); /* every 35th case is refused and silent, and counts as refused */
    assert_int_equal(result.dropped, 110);
    assert_int_equal(result.reasons, 2);
    assert_string_equal(result.reason[0].reason, "refused");
    assert_true(result.reason[0].cases == 70 && result.reason[1].cases == 40);
    assert_int_equal(result.tally.answers[ANSWER_OUTCOME], 240);
    assert_all_accounted_for(&result.tally);
}

static void a_stop_keeps_everything(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    options.stop = &stop;
    assert_true(run(1, PUZZLE_MAJORITY + 1, 350));
    assert_true(result.interrupted);
    assert_int_equal(result.tally.cases, 0);
    campaign_free(&result);
    options.stop = NULL;
    assert_true(run(1, PUZZLE_MAJORITY + 1, 350));
    assert_false(result.interrupted);
}

/* A board with more causes than `max_findings`. Cases without a finding count as unfiled. */
static void cases_beyond_the_last_finding_are_counted(void **state)
{
    (void)state;
    enum { ROOM = 2 };
    for (unsigned i = 0; i < PUZZLE_CLAUSES; i++)
        board.profile.reading[i] = 1;
    options.max_findings = ROOM;
    assert_true(run(2, PUZZLE_SOLO + 1, 0));
    assert_int_equal(result.findings, ROOM);
    assert_true(result.tally.unfiled > 0);
    assert_all_accounted_for(&result.tally);
    campaign_free(&result);
    options.exact = true; /* with `exact` the findings have exactly the attributed cases */
    options.max_changes = 1;
    assert_true(run(2, PUZZLE_SOLO + 1, 300));
    assert_int_equal(result.findings, ROOM);
    assert_int_equal(result.finding[0].cases + result.finding[1].cases, result.tally.attributed);
    assert_true(result.tally.unfiled > 0);
    assert_all_accounted_for(&result.tally);
}

static void the_search_budget_is_kept(void **state)
{
    (void)state;
    options.search_budget = 100;
    options.max_changes = 3;
    board.own_bug = 0x10000;
    base.reading[0] = board.profile.reading[0] = 1;
    for (unsigned i = 1; i < 6; i++)
        board.profile.reading[i] = 1;
    assert_true(run(10, PUZZLE_PARITY + 1, 0));
    assert_true(result.tally.unattributed > 0);
    assert_all_accounted_for(&result.tally);
}

/* ---- with a store, on a real unit ---- */

static bool resume;

static void fuzz_unit(const struct unit *u, const char *directory, uint64_t cases)
{
    struct board *b = board_open(NULL, u, &e);
    struct generator_source *g = generator_new(u, 1);
    if (!b)
        fail_msg("%s", e.text);
    struct case_source source = generator_as_source(g);
    struct store *s = store_open(directory, true, &e);
    if (!s)
        fail_msg("%s", e.text);
    struct profile manual;
    assert_true(profile_resolve(u, "manual", &manual, &e));
    struct campaign_options o = {.unit = u,
                                 .profile = &manual,
                                 .profile_name = "manual",
                                 .board = b,
                                 .store = s,
                                 .max_cases = cases,
                                 .reduce = true,
                                 .resume = resume};
    struct run_facts f = {.command = "fuzz", .profile = "manual", .seed = 1};
    snprintf(f.unit, sizeof f.unit, "%s", u->name);
    f.board = b->identity;
    if (!campaign_run(&o, &source, &f, &result, &e))
        fail_msg("%s", e.text);
    generator_free(g);
    board_close(b);
    store_close(s);
}

/* The campaign's directory holds the findings. A second run with the same seed doubles their numbers of
 * cases. */
static void a_campaign_directory_holds_what_was_found(void **state)
{
    (void)state;
    char root[64] = "/tmp/misprint-test-campaign-XXXXXX";
    assert_non_null(mkdtemp(root));
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        char directory[128];
        unsigned count, runs;
        if (!u->run || !u->schema.field_count)
            continue;
        snprintf(directory, sizeof directory, "%s/%s", root, u->name);
        for (unsigned round = 1; round <= 2; round++) {
            struct text found = {0}, kept = {0};
            fuzz_unit(u, directory, support_scaled(20000));
            print_message("%s: %llu cases in %.2f s, %.0f k/s, %u findings, %llu different, %llu known, %llu "
                          "unattributed\n",
                          u->name, (unsigned long long)result.tally.cases, result.seconds,
                          (double)result.tally.cases / result.seconds / 1000, result.findings,
                          (unsigned long long)result.tally.different, (unsigned long long)result.tally.known,
                          (unsigned long long)result.tally.unattributed);
            assert_all_accounted_for(&result.tally);
            struct store *s = store_open(directory, false, &e);
            assert_non_null(s);
            struct finding *all = store_findings(s, &count, &e);
            assert_int_equal(count, result.findings);
            for (unsigned k = 0; k < count; k++) {
                text_add(&found, "%s %llu\n", result.finding[k].id,
                         (unsigned long long)result.finding[k].cases * round);
                text_add(&kept, "%s %llu\n", all[k].id, (unsigned long long)all[k].cases);
                bool same = case_equal(result.finding[k].smallest, all[k].smallest) &&
                            !strcmp(result.finding[k].label, all[k].label);
                /* the second run may keep a simpler case */
                assert_true(same || (round > 1 &&
                                     finding_is_smaller(&result.finding[k], all[k].smallest, all[k].label)));
            }
            assert_string_equal(text_chars(&found), text_chars(&kept));
            struct run_facts *r = store_runs(s, &runs, &e);
            assert_int_equal(runs, round);
            assert_memory_equal(&r[round - 1].tally, &result.tally, sizeof result.tally);
            free(r);
            store_free_findings(all, count);
            store_close(s);
            campaign_free(&result);
            text_free(&found);
            text_free(&kept);
        }
    }
    support_remove_all(root);
}

/* A second run starts with the causes of the first one, and keeps its findings. */
static void a_campaign_goes_on(void **state)
{
    (void)state;
    char root[64] = "/tmp/misprint-test-campaign-XXXXXX", directory[128];
    const struct unit *u = unit_at(0);
    unsigned first, second;
    assert_non_null(mkdtemp(root));
    snprintf(directory, sizeof directory, "%s/c", root);
    fuzz_unit(u, directory, 3000);
    uint64_t searched = result.tally.attributed;
    unsigned clauses = coverage_clauses(&result.coverage);
    campaign_free(&result);
    struct store *s = store_open(directory, false, &e);
    struct finding *before = store_findings(s, &first, &e);
    store_close(s);
    resume = true;
    fuzz_unit(u, directory, 10);
    resume = false;
    assert_int_equal(result.tally.cases, 10);
    assert_int_equal(coverage_clauses(&result.coverage), clauses); /* the second run executes the kept
                                                                    * cases, so they cover the same clauses */
    assert_true(!result.findings || result.tally.different);       /* a case may have several causes */
    campaign_free(&result);
    s = store_open(directory, false, &e);
    struct finding *after = store_findings(s, &second, &e);
    assert_true(second >= first);
    for (unsigned i = 0; i < first; i++) { /* ten cases are too few to refute a finding */
        unsigned k = 0;
        while (k < second && strcmp(before[i].id, after[k].id) != 0)
            k++;
        assert_true(k < second && after[k].cases >= before[i].cases);
    }
    print_message("%u findings after %u cases searched one by one, %u after 10 more cases\n", first,
                  (unsigned)searched, second);
    store_free_findings(before, first);
    store_free_findings(after, second);
    store_close(s);
    support_remove_all(root);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(injected_causes_are_found),
        TEST(prediction_hides_no_new_cause),
        TEST(cases_of_many_causes_are_split),
        TEST(finite_sources_are_explained_case_by_case),
        TEST(equal_runs_give_equal_findings),
        TEST(unknown_differences_are_unexplained),
        TEST(undefined_differences_are_no_findings),
        TEST(flaky_boards_are_reported),
        TEST(a_dying_board_loses_nothing),
        TEST(dropped_cases_are_counted),
        TEST(a_failing_source_and_a_dying_board_at_once),
        TEST(a_campaign_goes_on),
        TEST(a_stop_keeps_everything),
        TEST(cases_beyond_the_last_finding_are_counted),
        TEST(the_search_budget_is_kept),
        TEST(a_campaign_directory_holds_what_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
