/* SPDX-License-Identifier: MIT */
/*
 * Counting the cases that speak for a cause. The cases are separating cases of the corpus;
 * tests/oracle/test_corpus.c proves which readings they separate. The board is the model under the reading
 * that each test chooses.
 */
#include "oracle/attribution/trials.h"
#include "oracle/files/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

struct setting {
    const struct unit *unit;
    struct executor *executor;
    struct corpus *corpus;
    struct evidence_set *evidence;
    struct outcome *board;
    struct profile base, with;
    struct cause cause;
};

/* Begins with a board that follows one reading of a clause, and else the manual. */
static void begin(struct setting *s, const char *cause)
{
    struct error e = {0};
    memset(s, 0, sizeof *s);
    s->unit = unit_named("vc4-vpm");
    s->executor = executor_new(s->unit);
    s->corpus = corpus_open(s->unit, MISPRINT_SOURCE_DIR "/corpus", &e);
    s->evidence = evidence_set_new(s->unit);
    s->board = outcome_new(s->unit);
    assert_non_null(s->corpus);
    assert_true(cause_parse(s->unit, cause, &s->cause, &e));
    s->with = s->base;
    cause_apply(&s->cause, &s->with);
}

static void end(struct setting *s)
{
    evidence_set_free(s->evidence);
    outcome_free(s->board);
    corpus_close(s->corpus);
    executor_free(s->executor);
}

/* Adds the first separating case of a clause, with the board's outcome. */
static void add(struct setting *s, const char *clause, bool counted)
{
    const struct corpus_entry *n = corpus_separating(s->corpus, clause, 0);
    assert_non_null(n);
    executor_run(s->executor, n->tc, &s->with, RUN_PLAIN, s->board);
    if (counted)
        evidence_set_add(s->evidence, n->tc, s->board, true);
    else
        evidence_set_add_uncounted(s->evidence, n->tc, s->board);
}

static void count(struct setting *s, struct trials *t)
{
    struct trials *each[] = {t};
    trials_begin(t, s->unit, &s->cause);
    trials_count(s->executor, s->evidence, &s->base, &s->with, each, 1);
    assert_true(t->counted);
}

/* One case separates the two readings. So each of its three runs could have refuted the cause. A case of
 * another clause could not. */
static void separating_cases_are_trials(void **state)
{
    struct setting s;
    struct trials t;
    (void)state;
    begin(&s, "vpm-addr-h8=row-div-4");
    count(&s, &t);
    assert_int_equal(t.rivals, 1);
    assert_int_equal(t.needed + t.passed + t.rival[0].cases, 0);
    assert_ptr_equal(trials_missing(&t), &t.rival[0]);
    add(&s, "vpm-addr-v8", true);
    count(&s, &t);
    assert_int_equal(t.needed + t.passed + t.rival[0].cases, 0);
    add(&s, "vpm-addr-h8", false); /* another form of a case that the evidence lacks counts as one case */
    count(&s, &t);
    assert_int_equal(t.passed, 1);
    for (unsigned i = 0; i < 3; i++)
        add(&s, "vpm-addr-h8", true);
    count(&s, &t);
    assert_int_equal(t.needed, 3);
    assert_int_equal(t.masked, 0);
    assert_int_equal(t.passed, 3);
    assert_int_equal(t.rival[0].cases, 3);
    assert_null(trials_missing(&t));
    end(&s);
}

/* The difference between a thousand and ten thousand cases for a cause has no use, so the count ends early
 * and says so. */
static void counting_ends_where_enough_is_known(void **state)
{
    struct setting s;
    struct trials t;
    (void)state;
    begin(&s, "vpm-addr-h8=row-div-4");
    for (unsigned i = 0; i < 900; i++)
        add(&s, "vpm-addr-h8", true);
    count(&s, &t);
    assert_int_equal(t.passed, 900);
    assert_int_equal(t.cut, 0);
    for (unsigned i = 0; i < 900; i++)
        add(&s, "vpm-addr-h8", true);
    count(&s, &t);
    assert_true(t.cut && t.passed >= 1000 && t.passed < 1800 && t.needed == t.passed);
    end(&s);
}

/* The reading `undefined` of vpm-concurrent leaves the outcome undefined. Whatever the board does fits this
 * reading, so no case is a trial of it. */
static void a_reading_that_says_undefined_is_never_tried(void **state)
{
    struct setting s;
    struct trials t;
    (void)state;
    begin(&s, "vpm-concurrent=undefined");
    for (unsigned i = 0; i < 5; i++)
        add(&s, "vpm-concurrent", true);
    count(&s, &t);
    assert_int_equal(t.passed, 0);
    assert_int_equal(t.masked, t.needed);
    assert_non_null(trials_missing(&t));
    end(&s);
    /* `setup-lost` defines the outcome. So the board could have refuted it in favour of the manual's reading,
     * but never in favour of `undefined`. */
    begin(&s, "vpm-concurrent=setup-lost");
    add(&s, "vpm-concurrent", true);
    count(&s, &t);
    assert_int_equal(t.rivals, 2);
    assert_int_equal(t.passed, 1);
    const struct rival *missing = trials_missing(&t);
    assert_non_null(missing);
    assert_string_equal(unit_clause(s.unit, missing->clause)->readings[missing->reading].id, "undefined");
    end(&s);
}

/* If the board contradicts the cause, the case does not count as a trial that the cause passed. */
static void what_contradicts_is_not_counted(void **state)
{
    struct setting s;
    struct trials t;
    (void)state;
    begin(&s, "vpm-addr-h8=row-div-4");
    s.with = s.base;
    add(&s, "vpm-addr-h8", true);
    count(&s, &t);
    assert_int_equal(t.needed + t.passed + t.rival[0].cases, 0);
    end(&s);
}

/* Two runs may have counted the same cases, so the higher count remains. A count for another cause has no
 * effect. */
static void counts_of_two_runs_are_joined(void **state)
{
    struct setting s;
    struct trials one, two, other;
    (void)state;
    begin(&s, "vpm-addr-h8=row-div-4");
    add(&s, "vpm-addr-h8", true);
    count(&s, &one);
    add(&s, "vpm-addr-h8", true);
    count(&s, &two);
    trials_join(&one, &two);
    assert_int_equal(one.passed, 2);
    trials_join(&two, &one);
    assert_int_equal(two.passed, 2);
    other = two;
    other.of.change[0].reading = 0;
    count(&s, &one);
    one.passed = 0;
    trials_join(&one, &other);
    assert_int_equal(one.passed, 0);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separating_cases_are_trials),
        cmocka_unit_test(a_reading_that_says_undefined_is_never_tried),
        cmocka_unit_test(counting_ends_where_enough_is_known),
        cmocka_unit_test(what_contradicts_is_not_counted),
        cmocka_unit_test(counts_of_two_runs_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
