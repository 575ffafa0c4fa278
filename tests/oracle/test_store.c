/* SPDX-License-Identifier: MIT */
/* The store of a campaign: findings, evidence, runs, cases and the log are read back as they were written. */
#include "fuzz/generate/generate.h"
#include "harness/verify/dry_run.h"
#include "tests/support/support_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void findings_come_back(void **state)
{
    (void)state;
    enum { FINDINGS = 9 };
    struct finding f[FINDINGS];
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < FINDINGS; i++) {
        make_finding(&f[i], i, i + 1);
        must(store_put_finding(s, &f[i], &store_error));
    }
    must(store_put_finding(s, &f[3], &store_error)); /* a known finding: the cases add up */
    store_close(s);
    s = must_open(false);
    unsigned count;
    struct finding *got = store_findings(s, &count, &store_error);
    assert_non_null(got);
    assert_int_equal(count, FINDINGS);
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < FINDINGS && strcmp(got[i].id, f[k].id) != 0)
            k++;
        assert_true(k < FINDINGS);
        assert_same_finding(&got[i], &f[k]);
        assert_int_equal(got[i].cases, k == 3 ? 8 : k + 1);
        assert_true(i == 0 || finding_order(&got[i - 1], &got[i]) < 0);
        char path[256];
        struct test_case *c = malloc(sizeof *c); /* the file has the same smallest case */
        snprintf(path, sizeof path, "%s/cases/%s.case", store_directory, got[i].id);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        char *chars = malloc(1 << 20);
        size_t size = fread(chars, 1, 1 << 20, file);
        fclose(file);
        must(case_parse(c, chars, size, &store_error));
        assert_true(case_equal(c, got[i].smallest));
        free(chars);
        free(c);
    }
    store_free_findings(got, count);
    for (unsigned i = 0; i < FINDINGS; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

/* Campaigns of version 0.2.0 do not say of each candidate whether it masks. They say it of all of them. */
static void older_campaigns_say_less(void **state)
{
    (void)state;
    struct finding f;
    sqlite3 *db;
    unsigned count;
    char path[256];
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 3, 1);
    assert_true(f.explanation.masked);
    must(store_put_finding(s, &f, &store_error));
    store_close(s);
    snprintf(path, sizeof path, "%s/misprint.db", store_directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE findings SET rivals = replace(rivals, ' (masks)', '')", NULL,
                                  NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    sqlite3_close(db);
    s = must_open(false);
    struct finding *got = store_findings(s, &count, &store_error);
    assert_int_equal(count, 1);
    assert_same_finding(got, &f);
    store_free_findings(got, count);
    finding_free_contents(&f);
    store_close(s);
}

/* Each rival of the cause has its own count. */
static void trials_come_back(void **state)
{
    (void)state;
    struct finding f;
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 0, 1);
    struct error e = {0};
    f.explanation = (struct explanation){.candidates = 1};
    assert_true(cause_parse(f.unit, "vpm-addr-v16=row-div-4", &f.explanation.candidate[0], &e));
    trials_begin(&f.trials, f.unit, &f.explanation.candidate[0]);
    f.trials.counted = true;
    f.trials.needed = 97;
    f.trials.passed = 45;
    assert_int_equal(f.trials.rivals, 2); /* manual and row-div-2 */
    for (unsigned i = 0; i < 2; i++)
        f.trials.rival[i].cases = 11 + 12 * i;
    must(store_put_finding(s, &f, &store_error));
    unsigned count;
    struct finding *got = store_findings(s, &count, &store_error);
    assert_int_equal(count, 1);
    const struct trials *t = &got->trials;
    assert_true(t->counted && t->needed == 97 && t->passed == 45 && t->rivals == 2);
    assert_int_equal(t->rival[0].cases, 11);
    assert_int_equal(t->rival[1].cases, 23);
    store_free_findings(got, count);
    finding_free_contents(&f);
    store_close(s);
}

static void the_smaller_case_is_kept(void **state)
{
    (void)state;
    struct finding big, small;
    struct test_case *c = malloc(sizeof *c);
    unsigned count;
    new_directory();
    struct store *s = must_open(true);
    make_finding(&big, 5, 1);
    make_finding(&small, 5, 1);
    case_init(c, store_unit);
    struct outcome *o = outcome_new(store_unit);
    outcome_reset(o, c);
    assert_true(finding_set_case(&small, c, o, "smaller"));
    assert_true(small.size < big.size);
    must(store_put_finding(s, &big, &store_error));
    must(store_put_finding(s, &small, &store_error));
    must(store_put_finding(s, &big, &store_error));
    struct finding *got = store_findings(s, &count, &store_error);
    assert_int_equal(count, 1);
    assert_int_equal(got[0].cases, 3);
    assert_string_equal(got[0].label, "smaller");
    assert_true(case_equal(got[0].smallest, c));
    store_free_findings(got, count);
    struct board_evidence *evidence = store_evidence(s, big.id, &count, &store_error);
    assert_int_equal(count, 1);
    assert_int_equal(evidence[0].cases, 3);
    free(evidence);
    finding_free_contents(&big);
    finding_free_contents(&small);
    outcome_free(o);
    free(c);
    store_close(s);
}

static void findings_are_merged(void **state)
{
    (void)state;
    struct finding f[3];
    unsigned count;
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < 3; i++) {
        make_finding(&f[i], i, 10 + i);
        must(store_put_finding(s, &f[i], &store_error));
    }
    must(store_move_finding(s, f[0].id, f[1].id, STORE_ALL_CASES, false, &store_error));
    must(store_move_finding(s, f[0].id, f[2].id, STORE_ALL_CASES, true, &store_error));
    struct finding *got = store_findings(s, &count, &store_error);
    assert_int_equal(count, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(got[i].cases, strcmp(got[i].id, f[1].id) == 0 ? 21 : 22);
    store_free_findings(got, count);
    for (unsigned i = 0; i < 3; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

/* Returns how many cases of a finding the store has, or 0 if there is no such finding. Expects the finding's
 * evidence to have as many. */
static uint64_t cases_in(struct store *s, const char *id)
{
    unsigned count;
    uint64_t cases = 0;
    struct finding *got = store_findings(s, &count, &store_error);
    for (unsigned i = 0; i < count; i++)
        cases += strcmp(got[i].id, id) ? 0 : got[i].cases;
    store_free_findings(got, count);
    struct board_evidence *evidence = store_evidence(s, id, &count, &store_error);
    assert_int_equal(count, cases != 0);
    if (count)
        assert_int_equal(evidence[0].cases, cases);
    free(evidence);
    return cases;
}

/* Two runs found the same finding. If one run withdraws it, the other run's cases stay. */
static void a_part_of_a_finding_is_merged(void **state)
{
    (void)state;
    struct finding f[3];
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < 3; i++) {
        make_finding(&f[i], i, 10 + i);
        must(store_put_finding(s, &f[i], &store_error));
    }
    must(store_put_finding(s, &f[0], &store_error)); /* the other run found 10 cases */
    must(store_move_finding(s, f[0].id, f[1].id, 10, true, &store_error));
    assert_int_equal(cases_in(s, f[0].id), 10);
    assert_int_equal(cases_in(s, f[1].id), 21);
    /* The finding has two causes. Its cases go to both, and the second move removes them from the finding. */
    must(store_move_finding(s, f[0].id, f[1].id, 4, false, &store_error));
    must(store_move_finding(s, f[0].id, f[2].id, 4, true, &store_error));
    assert_int_equal(cases_in(s, f[0].id), 6);
    assert_int_equal(cases_in(s, f[1].id), 25);
    assert_int_equal(cases_in(s, f[2].id), 16);
    /* The call asks for more cases than the finding has. */
    must(store_move_finding(s, f[0].id, f[2].id, 7, true, &store_error));
    assert_int_equal(cases_in(s, f[0].id), 0);
    assert_int_equal(cases_in(s, f[2].id), 22);
    for (unsigned i = 0; i < 3; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

/* The store has one finding, which is withdrawn, with the case that refuted its rule. */
static void must_be_withdrawn(struct store *s, const struct finding *f)
{
    unsigned count;
    struct finding *got = store_findings(s, &count, &store_error);
    must(got != NULL);
    assert_int_equal(count, 1);
    assert_int_equal(got->verdict, VERDICT_WITHDRAWN);
    assert_true(got->learned.withdrawn);
    assert_string_equal(got->learned.rules, f->learned.rules);
    assert_int_equal(got->learned.experiments, 17);
    assert_string_equal(got->related[RELATED_REFUTES].label, "seed 9 case 8, reduced");
    assert_true(case_equal(got->related[RELATED_REFUTES].tc, f->related[RELATED_REFUTES].tc));
    assert_int_equal(got->related[RELATED_REFUTES].board_outcome_size, f->board_outcome_size);
    assert_memory_equal(got->related[RELATED_REFUTES].board_outcome, f->board_outcome, f->board_outcome_size);
    store_free_findings(got, count);
}

/* A run withdraws a rule that another run, and another campaign, still believe. It stays withdrawn. */
static void a_withdrawn_rule_stays_withdrawn(void **state)
{
    (void)state;
    struct finding believed, refuted, other;
    char first[sizeof store_directory];
    new_directory();
    struct store *s = must_open(true);
    make_finding(&believed, 1, 3);
    make_finding(&refuted, 1, 1);
    make_finding(&other, 2, 1);
    memset(&believed.explanation, 0, sizeof believed.explanation);
    (void)snprintf(believed.learned.rules, sizeof believed.learned.rules, "vc4-vpm block.stride = value + 1");
    believed.learned.experiments = 17;
    believed.verdict = VERDICT_IMPLEMENTATION_DIFFERS;
    finding_name(&believed);
    must(store_put_finding(s, &believed, &store_error));
    refuted.explanation = believed.explanation;
    refuted.learned = believed.learned;
    refuted.learned.withdrawn = true;
    refuted.verdict = VERDICT_WITHDRAWN;
    finding_name(&refuted);
    assert_string_equal(refuted.id, believed.id);
    finding_set_related(&refuted, RELATED_REFUTES, other.smallest, "seed 9 case 8, reduced",
                        refuted.board_outcome, refuted.board_outcome_size);
    must(store_put_finding(s, &refuted, &store_error));
    must(store_update_finding(s, &believed, &store_error));
    must_be_withdrawn(s, &refuted);
    store_close(s);
    memcpy(first, store_directory, sizeof first);
    new_directory();
    s = must_open(true);
    must(store_put_finding(s, &believed, &store_error));
    must(store_merge(s, first, &store_error));
    must_be_withdrawn(s, &refuted);
    store_close(s);
    finding_free_contents(&believed);
    finding_free_contents(&refuted);
    finding_free_contents(&other);
}

/* The store has one finding. Its nearest agreeing case is `near`, or it has none. */
static void must_be_near(struct store *s, const struct test_case *near)
{
    unsigned count;
    struct finding *got = store_findings(s, &count, &store_error);
    must(got != NULL);
    assert_int_equal(count, 1);
    const struct test_case *has = got->related[RELATED_AGREES].tc;
    assert_int_equal(has != NULL, near != NULL);
    assert_true(!near || case_equal(has, near));
    store_free_findings(got, count);
}

/* The nearest agreeing case belongs to a smallest case. It stays with it, and goes with it, also in a merge.
 */
static void the_nearest_case_belongs_to_the_smallest(void **state)
{
    (void)state;
    struct finding big, small;
    struct test_case *c = malloc(sizeof *c);
    struct outcome *o = outcome_new(store_unit);
    char first[sizeof store_directory];
    new_directory();
    struct store *s = must_open(true);
    make_finding(&big, 5, 1);
    make_finding(&small, 5, 1);
    case_init(c, store_unit);
    outcome_reset(o, c);
    assert_true(finding_set_case(&small, c, o, "smaller"));
    case_generate(&(struct random){{1, 2, 3, 4}}, store_unit, c);
    finding_set_related(&big, RELATED_AGREES, c, "", big.board_outcome, big.board_outcome_size);
    must(store_put_finding(s, &big, &store_error));
    must_be_near(s, c);
    must(store_put_finding(s, &big, &store_error));
    must_be_near(s, c);
    store_close(s);
    memcpy(first, store_directory, sizeof first);
    new_directory();
    s = must_open(true);
    must(store_put_finding(s, &small, &store_error));
    must(store_merge(s, first, &store_error)); /* the smaller case is kept */
    must_be_near(s, NULL);
    must(store_put_finding(s, &big, &store_error));
    must_be_near(s, NULL);
    finding_set_related(&small, RELATED_AGREES, c, "", big.board_outcome, big.board_outcome_size);
    must(store_put_finding(s, &small, &store_error));
    must_be_near(s, c);
    assert_true(finding_set_case(&small, c, o, "another"));
    assert_null(small.related[RELATED_AGREES].tc);
    store_close(s);
    finding_free_contents(&big);
    finding_free_contents(&small);
    outcome_free(o);
    free(c);
}

static void runs_and_dropped_cases(void **state)
{
    (void)state;
    struct run_facts facts = {
        .command = "fuzz", .profile = "manual", .seed = UINT64_MAX, .seconds = 1.5, .machine = "a machine"};
    struct test_case *c = malloc(sizeof *c);
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", store_unit->name);
    snprintf(facts.board.spec, sizeof facts.board.spec, "virtual:x");
    new_directory();
    struct store *s = must_open(true);
    int64_t id = store_begin_run(s, &facts, &store_error);
    must(id > 0);
    uint64_t *counters = (uint64_t *)(void *)&facts.tally; /* gives each counter a different number */
    for (unsigned i = 0; i < sizeof facts.tally / 8; i++)
        counters[i] = (i + UINT64_C(1)) << 33;
    facts.coverage.modes[0] = 0xFFFF;
    facts.coverage.modes[unit_clauses(store_unit) - 1] = 5;
    must(store_update_run(s, id, &facts, &store_error));
    facts.interrupted = true;
    must(store_update_run(s, id, &facts, &store_error));
    case_init(c, store_unit);
    must(store_put_dropped(s, c, "x:1", "refused", "refused", &store_error));
    must(store_put_dropped(s, c, "x:2", "no answer", "no answer", &store_error));
    must(store_count_dropped(s, "refused", 40, &store_error));
    store_close(s);
    s = must_open(false);
    struct run_facts *got = store_runs(s, &count, &store_error);
    assert_int_equal(count, 1);
    assert_memory_equal(&got->tally, &facts.tally, sizeof facts.tally);
    assert_memory_equal(&got->coverage, &facts.coverage, sizeof facts.coverage);
    assert_true(got->seed == UINT64_MAX);
    assert_true(got->interrupted);
    char place[4096], here[4096];
    store_place(s, "virtual:x", place, sizeof place);
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(place, here);
    store_place(s, "virtual:y", place, sizeof place);
    assert_string_equal(place, "");
    assert_string_equal(got->board.spec, "virtual:x");
    free(got);
    assert_int_equal(store_dropped(s), 42);
    struct dropped_reason *reasons = store_dropped_reasons(s, &count, &store_error);
    assert_int_equal(count, 2);
    assert_string_equal(reasons[0].reason, "refused");
    assert_int_equal(reasons[0].cases, 41);
    free(reasons);
    free(c);
    store_close(s);
}

static unsigned put_dropped(struct store *s, const struct test_case *c, const char *reason, unsigned cases)
{
    unsigned kept;
    for (unsigned i = 0; i < cases; i++)
        must(store_put_dropped(s, c, "x", reason, reason, &store_error));
    free(store_dropped_cases(s, &kept, &store_error));
    return kept;
}

/* The last places are kept for programs on which the two proofs disagree. These programs may take all places.
 * Then the store only counts other programs. */
static void some_places_are_for_disagreements(void **state)
{
    (void)state;
    enum { OTHERS = STORE_DROPPED_MAX - STORE_DISAGREEMENTS };
    struct test_case *c = malloc(sizeof *c);
    case_init(c, store_unit);
    new_directory();
    struct store *s = must_open(true);
    must(store_begin(s, &store_error));
    assert_int_equal(put_dropped(s, c, "refused", OTHERS - 1), OTHERS - 1);
    assert_int_equal(put_dropped(s, c, "refused", 3), OTHERS);
    assert_int_equal(put_dropped(s, c, "it " DRY_RUN_DISAGREES, 2), OTHERS + 2);
    assert_int_equal(put_dropped(s, c, "refused", 1), OTHERS + 2);
    assert_int_equal(put_dropped(s, c, "it " DRY_RUN_DISAGREES, STORE_DISAGREEMENTS), STORE_DROPPED_MAX);
    assert_int_equal(store_dropped(s), OTHERS + 2 + 2 + 1 + STORE_DISAGREEMENTS);
    must(store_end(s, true, &store_error));
    store_close(s);
    free(c);
}

/* If a case has no outcome of the board, its finding has no bytes of an outcome. */
static void a_finding_may_have_no_outcome(void **state)
{
    (void)state;
    struct finding f;
    struct test_case *c = malloc(sizeof *c);
    make_finding(&f, 5, 1);
    case_init(c, store_unit);
    assert_true(f.board_outcome && f.board_outcome_size > 0);
    assert_true(finding_set_case(&f, c, NULL, "no outcome"));
    assert_true(!f.board_outcome && f.board_outcome_size == 0);
    finding_free_contents(&f);
    free(c);
}

struct kept_seen {
    unsigned count, with_outcome;
    uint64_t hash[4];
};

static bool see_kept(void *context, const struct test_case *c, const struct kept_case *k, struct error *error)
{
    struct kept_seen *seen = context;
    (void)error;
    assert_true(k->hash == case_hash(c));
    assert_int_equal(k->pairs, 5);
    seen->hash[seen->count++] = k->hash;
    seen->with_outcome += k->outcome_size > 0;
    return true;
}

static void kept_cases_seeds_and_progress(void **state)
{
    (void)state;
    struct run_facts facts = {.command = "fuzz", .profile = "manual", .seed = 7, .engine = "builtin"};
    struct kept_case kept[2];
    struct finding f;
    uint64_t seed;
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", store_unit->name);
    snprintf(facts.board.spec, sizeof facts.board.spec, "virtual:x");
    new_directory();
    struct store *s = must_open(true);
    must(store_next_seed(s, store_unit, 7, &seed, &store_error));
    assert_true(seed == 7);
    int64_t run = store_begin_run(s, &facts, &store_error);
    must(run > 0);
    must(store_next_seed(s, store_unit, 7, &seed, &store_error));
    assert_true(seed == 8);
    must(store_next_seed(s, store_unit, 3, &seed, &store_error)); /* no run has used this seed */
    assert_true(seed == 3);
    struct outcome *o = outcome_new(store_unit);
    for (unsigned n = 0; n < 2; n++) {
        make_finding(&f, n, 1);
        outcome_reset(o, f.smallest);
        assert_true(kept_case_make(&kept[n], f.smallest, n ? o : NULL, "x", 5));
        finding_free_contents(&f);
    }
    must(store_put_cases(s, run, store_unit->name, kept, 2, &store_error));
    must(store_put_cases(s, run, store_unit->name, kept, 2, &store_error)); /* kept once */
    struct progress_point p = {.seconds = 1.5, .cases = 100, .clauses = 3, .pairs = 4, .findings = 2};
    must(store_put_progress(s, run, &p, &store_error));
    p.cases = 50;
    must(store_put_progress(s, run, &p, &store_error));
    store_close(s);
    s = must_open(false);
    struct kept_seen seen = {0};
    must(store_each_case(s, store_unit, &facts.board, see_kept, &seen, &store_error));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.with_outcome, 1);
    assert_true(seen.hash[0] == kept[0].hash && seen.hash[1] == kept[1].hash);
    struct board_identity other = {.spec = "virtual:y"}; /* outcomes belong to one board only */
    seen = (struct kept_seen){0};
    must(store_each_case(s, store_unit, &other, see_kept, &seen, &store_error));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.with_outcome, 0);
    struct progress_point *points = store_progress(s, 0, &count, &store_error);
    assert_int_equal(count, 2);
    assert_true(points[0].cases == 50 && points[1].cases == 100 && points[1].seconds == 1.5 &&
                points[1].pairs == 4 && points[1].findings == 2);
    free(points);
    struct run_facts *runs = store_runs(s, &count, &store_error);
    assert_string_equal(runs[0].engine, "builtin");
    free(runs);
    for (unsigned n = 0; n < 4; n++) /* each is freed twice: the first time clears it */
        kept_case_free(&kept[n % 2]);
    for (unsigned n = 0; n < 2; n++)
        assert_true(!kept[n].bytes && !kept[n].outcome && !kept[n].size && !kept[n].hash);
    outcome_free(o);
    store_close(s);
}

/* Another process holds the lock for a moment, as a second campaign does. */
static void *hold_lock(void *context)
{
    sqlite3 *db = context;
    usleep(60000);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    return NULL;
}

static void another_lock_is_waited_for(void **state)
{
    (void)state;
    char path[256];
    pthread_t thread;
    sqlite3 *db;
    new_directory();
    struct store *s = must_open(true);
    (void)snprintf(path, sizeof path, "%s/misprint.db", store_directory);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(pthread_create(&thread, NULL, hold_lock, db), 0);
    must(store_begin(s, &store_error));
    must(store_end(s, true, &store_error));
    assert_int_equal(pthread_join(thread, NULL), 0);
    sqlite3_close(db);
    store_close(s);
}

static void logs_are_appended(void **state)
{
    (void)state;
    char path[256], chars[64] = "";
    new_directory();
    struct store *s = must_open(true);
    must(store_log(s, "one", &store_error));
    must(store_log(s, "two", &store_error));
    store_close(s);
    snprintf(path, sizeof path, "%s/log.txt", store_directory);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(chars, 1, sizeof chars - 1, f), 8);
    fclose(f);
    assert_string_equal(chars, "one\ntwo\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_come_back),
        cmocka_unit_test(older_campaigns_say_less),
        cmocka_unit_test(trials_come_back),
        cmocka_unit_test(the_smaller_case_is_kept),
        cmocka_unit_test(findings_are_merged),
        cmocka_unit_test(a_part_of_a_finding_is_merged),
        cmocka_unit_test(the_nearest_case_belongs_to_the_smallest),
        cmocka_unit_test(a_withdrawn_rule_stays_withdrawn),
        cmocka_unit_test(runs_and_dropped_cases),
        cmocka_unit_test(some_places_are_for_disagreements),
        cmocka_unit_test(a_finding_may_have_no_outcome),
        cmocka_unit_test(logs_are_appended),
        cmocka_unit_test(another_lock_is_waited_for),
        cmocka_unit_test(kept_cases_seeds_and_progress),
    };
    return cmocka_run_group_tests(tests, store_tests_begin, store_tests_end);
}
