/* SPDX-License-Identifier: MIT */
/*
 * Attribution over all evidence. It gives the same sets as a search by brute force (the puzzle), finds
 * injected sets among 150 clauses (a unit made for this test), and is fast on a real unit.
 */
#include "fuzz/generate/generate.h"
#include "oracle/attribution/attribute.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PUZZLES = 120, CASES_EACH = 10, DIFFERING = 10000, FRESH = 20000 };

static struct attribution a; /* static, because it is large */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- the puzzle, by brute force */

struct bench {
    struct executor *x;
    struct evidence_set *v;
    struct outcome *board, *model;
    struct test_case *tc;
};

static struct bench bench_open(const struct unit *u)
{
    struct bench b = {executor_new(u), evidence_set_new(u), outcome_new(u), outcome_new(u),
                      malloc(sizeof *b.tc)};
    return b;
}

static void bench_close(struct bench *b)
{
    executor_free(b->x);
    evidence_set_free(b->v);
    outcome_free(b->board);
    outcome_free(b->model);
    free(b->tc);
}

static bool reproduces_all(struct bench *b, const struct profile *p)
{
    for (unsigned i = 0; i < evidence_set_count(b->v); i++)
        if (evidence_set_load(b->v, i, b->tc, b->board) &&
            model_match(b->x, b->tc, p, b->board, b->model, NULL, NULL) == MATCH_DIFFERENT)
            return false;
    return true;
}

struct found {
    unsigned count;
    struct cause cause[512];
};

/* Tries every set of `size` changes that consists of `set` and changes of clauses from `from` on. */
static void try_all(struct bench *b, const struct cause *set, unsigned from, unsigned size, struct found *f)
{
    const struct profile manual = {0};
    if (set->count == size) {
        struct profile p = manual;
        cause_apply(set, &p);
        if (reproduces_all(b, &p) && f->count < 512)
            f->cause[f->count++] = *set;
        return;
    }
    for (unsigned c = from; c < PUZZLE_CLAUSES; c++)
        for (unsigned r = 1; r < 3; r++) {
            struct cause next = *set;
            cause_add(&next, c, r);
            try_all(b, &next, c + 1, size, f);
        }
}

static void random_items(struct random *r, uint32_t *items, unsigned count)
{
    static const enum puzzle_kind kinds[] = {PUZZLE_SOLO,     PUZZLE_EITHER, PUZZLE_BOTH, PUZZLE_THREE,
                                             PUZZLE_MAJORITY, PUZZLE_PARITY, PUZZLE_DOUBT};
    for (unsigned i = 0; i < count; i++) {
        enum puzzle_kind kind = kinds[random_below(r, sizeof kinds / sizeof *kinds)];
        items[i] = puzzle_random_item(r, kind, PUZZLE_CLAUSES);
    }
}

static void add_random_cases(struct bench *b, struct random *r, const struct profile *truth, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t items[4];
        unsigned n = 1 + random_below(r, 4);
        random_items(r, items, n);
        puzzle_make(b->tc, items, n);
        executor_run(b->x, b->tc, truth, RUN_PLAIN, b->board);
        evidence_set_add(b->v, b->tc, b->board, true);
    }
}

static bool in_sets(const struct cause *c)
{
    for (unsigned i = 0; i < a.sets; i++)
        if (cause_equal(c, &a.set[i]))
            return true;
    return false;
}

static void every_smallest_set_is_found(void **state)
{
    (void)state;
    const struct attribution_limits limits = {.most = 4};
    const struct profile manual = {0};
    static struct found f;
    struct random r;
    unsigned sizes[CHANGES_MAX + 1] = {0}, with_candidates = 0;
    random_seed(&r, 1);
    for (unsigned round = 0; round < support_scaled(PUZZLES) || (!with_candidates && round < PUZZLES);
         round++) { /* a short run may have met no other candidates */
        struct bench b = bench_open(&puzzle_unit);
        struct profile truth = {0};
        for (unsigned n = 1 + random_below(&r, 4); n; n--)
            truth.reading[random_below(&r, PUZZLE_CLAUSES)] = 1;
        add_random_cases(&b, &r, &truth, CASES_EACH);
        attribute(b.x, b.v, &manual, &limits, &a);
        assert_false(a.cut);
        assert_int_equal(a.unexplained, 0); /* the board's own readings explain every case */
        f.count = 0;
        unsigned size = 0;
        while (!f.count && size <= CHANGES_MAX) {
            const struct cause none = {0};
            try_all(&b, &none, 0, size, &f);
            size += !f.count;
        }
        sizes[size]++;
        assert_int_equal(a.changes, size);
        assert_true(size == 0 || a.exact);
        if (size)
            assert_int_equal(a.sets, f.count > CANDIDATES_MAX ? CANDIDATES_MAX : f.count);
        assert_true(a.more_sets == (f.count > CANDIDATES_MAX));
        with_candidates += f.count > 1;
        for (unsigned i = 0; size && !a.more_sets && i < f.count; i++)
            assert_true(in_sets(&f.cause[i]));
        bench_close(&b);
    }
    print_message("smallest sets of 0 to 4 changes: %u %u %u %u %u; with rivals %u\n", sizes[0], sizes[1],
                  sizes[2], sizes[3], sizes[4], with_candidates);
    assert_true(with_candidates > 0);
}

static void unexplained_cases_are_set_aside(void **state)
{
    (void)state;
    const struct attribution_limits limits = {.most = 3};
    struct bench b = bench_open(&puzzle_unit);
    struct profile truth = {0}, manual = {0};
    struct random r;
    truth.reading[2] = truth.reading[5] = 1;
    random_seed(&r, 5);
    add_random_cases(&b, &r, &truth, 30);
    uint32_t item = puzzle_item(PUZZLE_SOLO, 2, 0, 0);
    puzzle_make(b.tc, &item, 1);
    executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
    outcome_row(b.board, 0, 4)[3] ^= 0x40; /* a bit that no clause reaches */
    evidence_set_add(b.v, b.tc, b.board, true);
    attribute(b.x, b.v, &manual, &limits, &a);
    assert_int_equal(a.unexplained, 1);
    assert_int_equal(a.changes, 2); /* attribution still explains the other cases */
    assert_int_equal(a.profile.reading[2], 1);
    assert_int_equal(a.profile.reading[5], 1);
    bench_close(&b);
}

/* Adds cases of one item. Each case also has an item without effect, so that no two cases are equal. With
 * `strange`, the board also differs in a bit that no clause changes. */
static void add_cases(struct bench *b, enum puzzle_kind kind, unsigned clause, const struct profile *truth,
                      unsigned count, bool strange)
{
    static unsigned made;
    for (unsigned i = 0; i < count; i++) {
        uint32_t item[2] = {puzzle_item(kind, clause, 0, 0),
                            puzzle_item(PUZZLE_SOLO, 9, made & 15, made >> 4 & 15)};
        made++;
        puzzle_make(b->tc, item, 2);
        executor_run(b->x, b->tc, truth, RUN_PLAIN, b->board);
        if (strange) {
            outcome_row(b->board, 0, 4)[3] ^= 0x40;
            outcome_touch(b->board, 0);
        }
        evidence_set_add(b->v, b->tc, b->board, true);
    }
}

/* Does attribution believe reading 1 of clause 2 if the reading explains this many cases, and this many
 * similar cases are unexplained? */
static bool is_believed(enum puzzle_kind kind, unsigned explained, unsigned unexplained)
{
    const struct attribution_limits limits = {.most = 3};
    struct bench b = bench_open(&puzzle_unit);
    struct profile manual = {0}, truth = {0};
    truth.reading[2] = 1;
    add_cases(&b, kind, 2, &truth, explained, false);
    if (kind == PUZZLE_END) { /* the unexplained cases end in the same way, but do not consult the clause */
        add_cases(&b, PUZZLE_SOLO, 4, &manual, 40, false);
        for (unsigned i = 0; i < unexplained; i++) {
            uint32_t item = puzzle_item(PUZZLE_SOLO, 4, i, 0);
            puzzle_make(b.tc, &item, 1);
            executor_run(b.x, b.tc, &manual, RUN_PLAIN, b.board);
            b.board->end = END_HANG;
            evidence_set_add(b.v, b.tc, b.board, true);
        }
    } else {
        add_cases(&b, kind, 4, &manual, unexplained, true);
    }
    attribute(b.x, b.v, &manual, &limits, &a);
    bench_close(&b);
    assert_int_equal(a.unexplained, unexplained + (a.profile.reading[2] == 1 ? 0 : explained));
    return a.profile.reading[2] == 1;
}

static void a_cause_that_may_be_something_unknown_is_not_believed(void **state)
{
    (void)state;
    assert_true(is_believed(PUZZLE_END, 6, 0));
    assert_true(is_believed(PUZZLE_END, 40, 5));
    assert_false(is_believed(PUZZLE_END, 39,
                             5)); /* a hang says little, so 5 unexplained hangs require 40 explained ones */
    assert_true(is_believed(PUZZLE_SOLO, 20, 0));
    assert_true(is_believed(PUZZLE_SOLO, 20, 3));
    assert_true(is_believed(PUZZLE_SOLO, 20, 30)); /* so many bits do not agree by chance */
    assert_false(is_believed(PUZZLE_SOLO, 2, 10));
    assert_false(is_believed(PUZZLE_SOLO, 20, 161)); /* more than eight times as many */
}

static void agreeing_cases_refute(void **state)
{
    (void)state;
    const struct attribution_limits limits = {.most = 3};
    const struct profile manual = {0};
    struct bench b = bench_open(&puzzle_unit);
    struct profile truth = {0};
    const uint32_t either = puzzle_item(PUZZLE_EITHER, 3, 5, 0), solo = puzzle_item(PUZZLE_SOLO, 3, 0, 0);
    struct cause first = {0}, both = {0};
    cause_add(&first, 3, 1);
    cause_add(&both, 3, 1);
    cause_add(&both, 5, 1);
    truth.reading[5] = 1;
    puzzle_make(b.tc, &either, 1);
    executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
    evidence_set_add(b.v, b.tc, b.board, true);
    attribute(b.x, b.v, &manual, &limits, &a);
    assert_int_equal(a.sets, 2); /* clause 3 or clause 5 */
    assert_int_equal(a.change[0].candidates, 1);
    assert_true(attribution_allows(&a, &first));
    assert_true(attribution_allows(&a, &both)); /* each is a candidate */
    puzzle_make(b.tc, &solo, 1);                /* the board agrees here, so clause 3 is not the cause */
    executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
    evidence_set_add(b.v, b.tc, b.board, false);
    attribute(b.x, b.v, &manual, &limits, &a);
    assert_int_equal(a.sets, 1);
    assert_int_equal(a.set[0].change[0].clause, 5);
    assert_int_equal(a.change[0].candidates, 0);
    assert_false(attribution_allows(&a, &first));
    assert_false(attribution_allows(&a, &both));
    bench_close(&b);
}

/* --- 150 clauses */

enum { WIDE_CLAUSES = 150, WIDE_ITEMS = 120, WIDE_ROWS = 8 };
struct wide_case {
    uint32_t count, item[WIDE_ITEMS];
};
static const struct field wide_fields[] = {{.name = "item",
                                            .kind = FIELD_WORDS,
                                            .offset = CASE_AT(struct wide_case, count),
                                            .max = WIDE_ITEMS,
                                            .about = "clauses looked at"}};
static const struct region wide_regions[] = {
    {.name = "out", .rows = WIDE_ROWS, .cols = 16, .bits = 32, .drawing = DRAW_LANES}};
static const struct builtin_profile wide_profiles[] = {{.name = "manual"}, {0}};
static const char *const wide_reasons[] = {"", NULL};
static struct clause wide_clauses[WIDE_CLAUSES];
static char wide_names[WIDE_CLAUSES][16];

/* Item i puts the readings of its own clause and of the next item's clause into word i. So most words have
 * two possible causes. */
static void wide_run(struct run *r)
{
    const struct wide_case *c = (const struct wide_case *)(const void *)r->tc->words;
    outcome_reset(r->out, r->tc);
    r->out->checked = r->mode != RUN_PLAIN;
    for (unsigned i = 0; i < c->count; i++) {
        unsigned one = c->item[i] % WIDE_CLAUSES, other = c->item[(i + 1) % c->count] % WIDE_CLAUSES;
        cover(r->coverage, one, 0);
        cover(r->coverage, other, 0);
        outcome_row(r->out, i / 16, 16)[i % 16] = reading_of(r->profile, one) | reading_of(r->profile, other);
        outcome_touch(r->out, i / 16);
    }
}

static struct unit wide_unit = {.name = "wide",
                                .family = "test",
                                .schema = {.fields = wide_fields,
                                           .field_count = 1,
                                           .words = sizeof(struct wide_case) / 4},
                                .layout = {wide_regions, 1, WIDE_ROWS, 16},
                                .clauses = {{wide_clauses, WIDE_CLAUSES}},
                                .profiles = wide_profiles,
                                .reasons = wide_reasons,
                                .run = wide_run};

static void make_wide_clauses(void)
{
    for (unsigned i = 0; i < WIDE_CLAUSES; i++) {
        snprintf(wide_names[i], sizeof wide_names[i], "wide-%u", i);
        wide_clauses[i] = (struct clause){.id = wide_names[i],
                                          .title = "a bit",
                                          .where = "nowhere",
                                          .readings = {{.id = "manual"}, {.id = "one"}}};
    }
}

static void wide_case_of(struct random *r, struct test_case *tc, unsigned items)
{
    struct wide_case *c = (struct wide_case *)(void *)tc->words;
    case_init(tc, &wide_unit);
    c->count = items;
    for (unsigned i = 0; i < items; i++)
        c->item[i] = random_below(r, WIDE_CLAUSES);
}

static void four_of_150(void **state)
{
    (void)state;
    const struct attribution_limits limits = {.most = 4};
    const struct profile manual = {0};
    struct random r;
    random_seed(&r, 1);
    make_wide_clauses();
    double start = processor_seconds();
    for (unsigned round = 0; round < 5; round++) {
        struct bench b = bench_open(&wide_unit);
        struct profile truth = {0};
        for (unsigned n = 0; n < 4; n++)
            truth.reading[random_below(&r, WIDE_CLAUSES)] = 1;
        unsigned planted = 0;
        for (unsigned i = 0; i < WIDE_CLAUSES; i++)
            planted += truth.reading[i];
        for (unsigned i = 0; i < 2000; i++) {
            wide_case_of(&r, b.tc, 20);
            executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
            evidence_set_add(b.v, b.tc, b.board, false);
        }
        attribute(b.x, b.v, &manual, &limits, &a);
        assert_true(a.exact);
        assert_int_equal(a.sets, 1);
        assert_int_equal(a.changes, planted);
        assert_memory_equal(&a.profile, &truth, sizeof truth);
        bench_close(&b);
    }
    print_message("4 of 150 clauses over 2000 cases: %.2f s each\n", (processor_seconds() - start) / 5);
}

/* The search for pairs among 100 clauses that one case touches must take less than a second. */
static void pairs_over_100_clauses(void **state)
{
    (void)state;
    struct bench b = bench_open(&wide_unit);
    struct explainer *s = explainer_new(b.x);
    struct profile truth = {0}, manual = {0};
    struct explanation e;
    make_wide_clauses();
    case_init(b.tc, &wide_unit);
    struct wide_case *c = (struct wide_case *)(void *)b.tc->words;
    c->count = 100;
    for (unsigned i = 0; i < 100; i++)
        c->item[i] = i;
    truth.reading[17] = truth.reading[71] = 1;
    executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
    double start = processor_seconds();
    explainer_run(s, b.tc, &manual, b.board, 2, 0, &e);
    double seconds = processor_seconds() - start;
    print_message("singles and pairs over 100 clauses: %.3f s, %llu runs\n", seconds,
                  (unsigned long long)e.runs);
    assert_int_equal(e.candidates, 1);
    assert_int_equal(e.runs, 1 + 100 + 4950);
    assert_true(seconds < 1);
    explainer_free(s);
    bench_close(&b);
}

/* --- a real unit */

static void ten_thousand_differing_cases(void **state)
{
    (void)state;
    const struct attribution_limits limits = {.most = 3};
    const struct unit *u = unit_named("vc4-vpm");
    struct bench b = bench_open(u);
    struct profile truth, manual = {0};
    struct random r;
    unsigned wrong = 0, differing = 0, wanted = support_scaled(DIFFERING);
    profile_builtin(u, u->best_profile, &truth);
    random_seed(&r, 1);
    while (differing < wanted) {
        case_generate(&r, u, b.tc);
        executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
        enum match match = model_match(b.x, b.tc, &manual, b.board, b.model, NULL, NULL);
        differing += match == MATCH_DIFFERENT;
        if (match != MATCH_UNDEFINED)
            evidence_set_add(b.v, b.tc, b.board, false);
    }
    double start = processor_seconds();
    attribute(b.x, b.v, &manual, &limits, &a);
    double seconds = processor_seconds() - start;
    print_message(
        "%llu cases, %llu of them differing, attributed in %.2f s: %u changes, %llu unexplained, %llu runs\n",
        (unsigned long long)a.cases, (unsigned long long)a.different, seconds, a.changes,
        (unsigned long long)a.unexplained, (unsigned long long)a.runs);
    assert_true(seconds < 60);
    assert_int_equal(a.unexplained, 0);
    for (unsigned i = 0; i < FRESH; i++) { /* the result must also explain new cases */
        case_generate(&r, u, b.tc);
        executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
        if (model_match(b.x, b.tc, &a.profile, b.board, b.model, NULL, NULL) == MATCH_DIFFERENT)
            wrong++;
    }
    print_message("of %d fresh cases %u are not predicted\n", FRESH, wrong);
    assert_true(wrong * 1000 < FRESH); /* one case in a thousand may show a new cause */
    bench_close(&b);
}

enum { STAGES = 4, STAGE_CASES = 250 };

/* The run cache makes attribution faster. It changes neither the answer nor the number of runs that count
 * against the budget. */
static void the_run_cache_changes_only_the_time(void **state)
{
    (void)state;
    static struct attribution fresh;
    const struct unit *u = unit_named("vc4-vpm");
    struct bench b = bench_open(u);
    struct attribution_limits limits = {.most = 3, .budget = 40000}, cached = limits;
    struct profile truth, manual = {0};
    struct random r;
    cached.run_cache = run_cache_new();
    profile_builtin(u, u->best_profile, &truth);
    random_seed(&r, 2);
    for (unsigned stage = 0; stage < STAGES; stage++) {
        for (unsigned i = 0; i < STAGE_CASES; i++) {
            case_generate(&r, u, b.tc);
            executor_run(b.x, b.tc, &truth, RUN_PLAIN, b.board);
            if (i % 50 == 0 && b.board->end == END_DONE) { /* no reading explains these cases */
                outcome_row(b.board, 0, 7)[3] ^= 0x40;
                outcome_touch(b.board, 0);
            }
            evidence_set_add(b.v, b.tc, b.board, i % 10 == 0);
        }
        uint64_t steps = b.x->steps;
        attribute(b.x, b.v, &manual, &limits, &fresh);
        uint64_t all = b.x->steps - steps;
        attribute(b.x, b.v, &manual, &cached, &a);
        uint64_t made = b.x->steps - steps - all;
        print_message("%llu runs: %llu steps, and %llu with what was known\n", (unsigned long long)a.runs,
                      (unsigned long long)all, (unsigned long long)made);
        assert_int_equal(a.runs, fresh.runs);
        assert_int_equal(a.cut, fresh.cut);
        assert_memory_equal(&a.profile, &fresh.profile, sizeof a.profile);
        assert_int_equal(a.changes, fresh.changes);
        assert_memory_equal(a.change, fresh.change, sizeof a.change);
        assert_int_equal(a.exact, fresh.exact);
        assert_int_equal(a.sets, fresh.sets);
        assert_memory_equal(a.set, fresh.set, sizeof a.set);
        assert_int_equal(a.different, fresh.different);
        assert_int_equal(a.unexplained, fresh.unexplained);
        assert_true(a.changes > 0 && a.unexplained > 0);
        assert_true(made <= (stage ? all * 3 / 4 : all)); /* the cache already knows most of the evidence */
    }
    run_cache_free(cached.run_cache);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_smallest_set_is_found),
        cmocka_unit_test(unexplained_cases_are_set_aside),
        cmocka_unit_test(a_cause_that_may_be_something_unknown_is_not_believed),
        cmocka_unit_test(agreeing_cases_refute),
        cmocka_unit_test(four_of_150),
        cmocka_unit_test(pairs_over_100_clauses),
        cmocka_unit_test(ten_thousand_differing_cases),
        cmocka_unit_test(the_run_cache_changes_only_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
