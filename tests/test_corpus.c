/* SPDX-License-Identifier: MIT */
/*
 * Every clause has a separating case: corpus/UNIT/CLAUSE.case, on which two of
 * its readings give different defined bits, or end differently, with all other
 * clauses as some built-in profile has them.
 */
#include "oracle/compare.h"
#include "oracle/executor.h"
#include "oracle/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static bool readings_differ(struct executor *x, const struct test_case *c, struct profile p, unsigned clause, unsigned one, unsigned other)
{
    struct outcome *a = outcome_new(x->unit), *b = outcome_new(x->unit);
    p.reading[clause] = (uint8_t)one;
    executor_run(x, c, &p, RUN_CHECKED, a);
    p.reading[clause] = (uint8_t)other;
    executor_run(x, c, &p, RUN_CHECKED, b);
    bool differ = !outcomes_equal(a, b, NULL, NULL);
    outcome_free(a);
    outcome_free(b);
    return differ;
}

static bool separates(const struct unit *u, const struct test_case *c, unsigned clause)
{
    struct executor *x = executor_new(u);
    bool found = false;
    unsigned readings = clause_readings(unit_clause(u, clause));
    for (unsigned base = 0; u->profiles[base].name && !found; base++) {
        struct profile p;
        profile_builtin(u, base, &p);
        for (unsigned one = 0; one < readings && !found; one++)
            for (unsigned other = one + 1; other < readings && !found; other++)
                found = readings_differ(x, c, p, clause, one, other);
    }
    executor_free(x);
    return found;
}

/* A clause that several units share needs a case in one of them. */
static const char *judge(const char *id, struct test_case *c)
{
    const char *verdict = "has no case in the corpus";
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        int clause = unit_clause_index(u, id);
        char path[4096];
        (void)snprintf(path, sizeof path, MISPRINT_SOURCE_DIR "/corpus/%s/%s.case", u->name, id);
        if (clause < 0 || access(path, F_OK) != 0)
            continue;
        struct error e = {0};
        if (!case_load(path, NULL, c, &e))
            fail_msg("%s", e.text);
        assert_ptr_equal(c->unit, u);
        if (separates(u, c, (unsigned)clause))
            return NULL;
        verdict = "has a case that separates no two of its readings";
    }
    return verdict;
}

static void every_clause_has_a_separating_case(void **state)
{
    (void)state;
    struct test_case *c = malloc(sizeof *c);
    assert_non_null(c);
    unsigned clauses = 0, missing = 0;
    for (unsigned i = 0; unit_at(i); i++)
        for (unsigned k = 0; k < unit_clauses(unit_at(i)); k++) {
            const char *id = unit_clause(unit_at(i), k)->id, *problem = judge(id, c);
            clauses++;
            if (problem) {
                print_message("  %s: clause %s %s\n", unit_at(i)->name, id, problem);
                missing++;
            }
        }
    print_message("  %u clauses looked at\n", clauses);
    assert_true(clauses > 0);
    assert_int_equal(missing, 0);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_clause_has_a_separating_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
