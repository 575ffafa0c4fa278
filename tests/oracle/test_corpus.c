/* SPDX-License-Identifier: MIT */
/*
 * Every clause has separating cases: corpus/UNIT/CLAUSE.case and, if one case is
 * not enough, CLAUSE-2.case, CLAUSE-3.case ... For every two readings of a clause,
 * one of its cases must give different defined bits or different ends, while a
 * built-in profile decides all other clauses.
 *
 * If one reading leaves undefined what the other defines, no case can show a
 * difference. Then a case must leave bits undefined, or end undefined, under only
 * one of the two readings.
 */
#include "oracle/attribution/distinguish.h"
#include "oracle/files/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASES_MAX = 16 };

static enum distinction best_of(struct executor *x, const struct test_case *cases, unsigned count,
                                unsigned clause, unsigned one, unsigned other)
{
    enum distinction best = DISTINCT_NOT;
    for (unsigned base = 0; x->unit->profiles[base].name; base++)
        for (unsigned i = 0; i < count && best < DISTINCT_DEFINED; i++) {
            struct profile p;
            profile_builtin(x->unit, base, &p);
            enum distinction d = case_distinguishes(x, &cases[i], &p, clause, one, other);
            best = d > best ? d : best;
        }
    return best;
}

/* Loads the clause's cases of this unit. Returns how many there are. */
static unsigned load_cases(const struct unit *u, const char *id, struct test_case *cases)
{
    unsigned count = 0;
    for (; count < CASES_MAX; count++) {
        char path[4096], number[16] = "";
        struct error e = {0};
        if (count)
            (void)snprintf(number, sizeof number, "-%u", count + 1);
        (void)snprintf(path, sizeof path, MISPRINT_SOURCE_DIR "/corpus/%s/%s%s.case", u->name, id, number);
        if (access(path, F_OK) != 0)
            break;
        if (!case_load(path, NULL, &cases[count], &e))
            fail_msg("%s", e.text);
        assert_ptr_equal(cases[count].unit, u);
    }
    return count;
}

struct counts {
    unsigned clauses, without, separated, undefined, same;
};

static void judge_pairs(const struct unit *u, unsigned clause, const struct test_case *cases, unsigned count,
                        struct counts *n)
{
    const struct clause *c = unit_clause(u, clause);
    struct executor *x = executor_new(u);
    unsigned readings = clause_readings(c), separated = 0;
    for (unsigned one = 0; one < readings; one++)
        for (unsigned other = one + 1; other < readings; other++) {
            enum distinction d = best_of(x, cases, count, clause, one, other);
            separated += d == DISTINCT_DEFINED;
            n->undefined += d == DISTINCT_UNDEFINED;
            n->same += d == DISTINCT_NOT;
            if (d == DISTINCT_NOT)
                print_message("  %s: no case tells %s=%s from %s\n", u->name, c->id, c->readings[one].id,
                              c->readings[other].id);
        }
    if (!separated) { /* then no board can give evidence about the clause */
        print_message("  %s: the cases of %s separate no two of its readings\n", u->name, c->id);
        n->same++;
    }
    n->separated += separated;
    executor_free(x);
}

static void every_two_readings_of_a_clause_have_a_separating_case(void **state)
{
    (void)state;
    struct test_case *cases = malloc(CASES_MAX * sizeof *cases);
    assert_non_null(cases);
    struct counts n = {0};
    for (unsigned i = 0; unit_at(i); i++)
        for (unsigned k = 0; k < unit_clauses(unit_at(i)); k++) {
            const char *id = unit_clause(unit_at(i), k)->id;
            unsigned found = 0;
            for (unsigned j = 0; unit_at(j);
                 j++) { /* a clause that several units share needs cases in one of them */
                const struct unit *u = unit_at(j);
                int clause = unit_clause_index(u, id);
                unsigned count = clause < 0 ? 0 : load_cases(u, id, cases);
                if (count && u == unit_at(i))
                    judge_pairs(u, (unsigned)clause, cases, count, &n);
                found += count;
            }
            n.clauses++;
            n.without += !found;
            if (!found)
                print_message("  %s: clause %s has no case in the corpus\n", unit_at(i)->name, id);
        }
    print_message("  %u clauses; pairs of readings: %u separated, %u of which one leaves undefined what the "
                  "other defines\n",
                  n.clauses, n.separated, n.undefined);
    free(cases);
    assert_true(n.separated > n.clauses / 2);
    assert_int_equal(n.without, 0);
    assert_int_equal(n.same, 0);
}

/* If the first case of a clause does not separate two readings, the next ones are tried. */
static void all_cases_of_a_clause_are_tried(void **state)
{
    (void)state;
    struct test_case *cases = malloc(CASES_MAX * sizeof *cases);
    assert_non_null(cases);
    unsigned needed_a_later_one = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct error e = {0};
        struct profile p;
        struct corpus *corpus = corpus_open(u, MISPRINT_SOURCE_DIR "/corpus", &e);
        struct executor *x = executor_new(u);
        assert_non_null(corpus);
        profile_builtin(u, 0, &p);
        for (unsigned k = 0; k < unit_clauses(u); k++) {
            unsigned count = load_cases(u, unit_clause(u, k)->id, cases);
            for (unsigned other = 1; other < clause_readings(unit_clause(u, k)); other++) {
                enum distinction best = DISTINCT_NOT, d;
                for (unsigned n = 0; n < count; n++) {
                    d = case_distinguishes(x, &cases[n], &p, k, 0, other);
                    needed_a_later_one += n && d > best;
                    best = d > best ? d : best;
                }
                assert_int_equal(corpus_distinguishes(x, corpus, &p, k, 0, other), best);
            }
        }
        executor_free(x);
        corpus_close(corpus);
    }
    free(cases);
    assert_true(needed_a_later_one > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_two_readings_of_a_clause_have_a_separating_case),
        cmocka_unit_test(all_cases_of_a_clause_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
