/* SPDX-License-Identifier: MIT */
#include "tests/support/support_readings.h"

#include "fuzz/generate/generate.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trial {
    const struct unit *unit;
    const char *base;
    struct executor *executor;
    struct test_case *tc;
    struct outcome *out, *other;
    unsigned cases;
};

static struct profile resolve(const struct unit *u, const char *spec)
{
    struct profile p;
    struct error e = {0};
    if (!profile_resolve(u, spec, &p, &e))
        fail_msg("%s: %s", spec, e.text);
    return p;
}

/* Returns `base` with rules. Semicolons separate the rules. */
static struct profile with_rules(const struct unit *u, const char *base, const char *rules)
{
    struct text t = {0};
    text_add(&t, "%s", base);
    for (const char *at = rules, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ";");
        text_add(&t, ";%s %.*s", u->name, (int)(end - at), at);
    }
    struct profile p = resolve(u, text_chars(&t));
    text_free(&t);
    return p;
}

/* In how many cases do `p` and `q` leave different values in a bit that both define? */
static unsigned differing(struct trial *t, const struct profile *p, const struct profile *q, bool show)
{
    struct random r;
    unsigned found = 0;
    random_seed(&r, 1);
    for (unsigned i = 0; i < t->cases; i++) {
        case_generate(&r, t->unit, t->tc);
        executor_run(t->executor, t->tc, p, RUN_CHECKED, t->out);
        executor_run(t->executor, t->tc, q, RUN_CHECKED, t->other);
        bool equal = outcomes_equal(t->out, t->other, NULL, NULL);
        if (!equal && !found && show) {
            struct text text = {0};
            case_print(t->tc, &text);
            print_message("%s\n", text_chars(&text));
            text_free(&text);
        }
        found += !equal;
    }
    return found;
}

static const struct support_reading *row_of(const struct support_reading *rows, unsigned count,
                                            const char *reading)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(rows[i].reading, reading))
            return &rows[i];
    return NULL;
}

/* Tries one reading. Returns true if it changes a defined bit. */
static bool try_reading(struct trial *t, const char *reading, const struct support_reading *row,
                        unsigned *failed)
{
    struct text spec = {0};
    text_add(&spec, "%s,%s", t->base, reading);
    struct profile base = resolve(t->unit, t->base), wanted = resolve(t->unit, text_chars(&spec));
    text_free(&spec);
    unsigned changed = differing(t, &base, &wanted, false);
    if (!row && changed) {
        print_message("%s changes %u of %u cases and has no row\n", reading, changed, t->cases);
        ++*failed;
    } else if (row && row->rules) {
        struct profile ruled = with_rules(t->unit, t->base, row->rules);
        unsigned wrong = differing(t, &ruled, &wanted, getenv("MISPRINT_TEST_LONG") != NULL);
        if (wrong)
            print_message("%s changes %u of %u cases, and '%s' differs in %u\n", reading, changed, t->cases,
                          row->rules, wrong);
        *failed += wrong != 0;
    }
    return changed;
}

void support_readings_as_rules(const struct unit *u, const char *base, const struct support_reading *rows,
                               unsigned count, unsigned cases, unsigned percent)
{
    struct trial t = {.unit = u,
                      .base = base,
                      .executor = executor_new(u),
                      .tc = calloc(1, sizeof *t.tc),
                      .out = outcome_new(u),
                      .other = outcome_new(u),
                      .cases = cases};
    unsigned failed = 0, changing = 0, stated = 0, seen = 0;
    for (unsigned i = 0; i < unit_clauses(u); i++)
        for (unsigned k = 1; k < clause_readings(unit_clause(u, i)); k++) {
            char reading[160];
            (void)snprintf(reading, sizeof reading, "%s=%s", unit_clause(u, i)->id,
                           unit_clause(u, i)->readings[k].id);
            const struct support_reading *row = row_of(rows, count, reading);
            bool changes = try_reading(&t, reading, row, &failed);
            changing += changes;
            stated += changes && row && row->rules;
            seen += row != NULL;
        }
    outcome_free(t.out);
    outcome_free(t.other);
    executor_free(t.executor);
    free(t.tc);
    print_message("%s: rules state %u of %u readings that change a defined bit of %s\n", u->name, stated,
                  changing, base);
    assert_int_equal(failed, 0);
    assert_int_equal(seen, count); /* every row names a reading of the unit */
    assert_true(stated * 100 >= percent * changing);
}
