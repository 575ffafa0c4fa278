/* SPDX-License-Identifier: MIT */
#include "fuzz/generate/features.h"

#include "model/core/memory.h"
#include "oracle/compare/compare.h"

#include <stdlib.h>
#include <string.h>

struct feature_finder {
    struct executor *executor;
    unsigned readings;        /* the most readings of a clause of this unit */
    struct outcome **outcome; /* under each reading of a clause */
    feature *found;
    size_t count, room;
    bool failed; /* memory ran out */
};

struct feature_finder *feature_finder_new(const struct unit *u)
{
    struct feature_finder *f = memory_one(sizeof *f);
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (clause_readings(unit_clause(u, i)) > f->readings)
            f->readings = clause_readings(unit_clause(u, i));
    f->executor = executor_new(u);
    if (!f->readings) /* there is no clause; the case still has an outcome */
        f->readings = 1;
    f->outcome = memory_new(f->readings, sizeof(struct outcome *));
    for (unsigned i = 0; i < f->readings; i++)
        f->outcome[i] = outcome_new(u);
    return f;
}

void feature_finder_free(struct feature_finder *f)
{
    if (!f)
        return;
    for (unsigned i = 0; i < f->readings; i++)
        outcome_free(f->outcome[i]);
    free(f->outcome);
    free(f->found);
    executor_free(f->executor);
    free(f);
}

static void add(struct feature_finder *f, enum feature_kind kind, unsigned clause, unsigned a, unsigned b)
{
    _Static_assert(CLAUSES_MAX <= 1 << 12 && MODES_MAX <= 1 << 8 && FEATURE_KINDS <= 1 << 4,
                   "a feature fits into its number");
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 256;
        feature *more = realloc(f->found, room * sizeof *more);
        if (!more) {
            f->failed = true;
            return;
        }
        f->found = more;
        f->room = room;
    }
    f->found[f->count++] = (feature)kind << 28 | clause << 16 | a << 8 | b;
}

static void compare_readings(struct feature_finder *f, unsigned clause, unsigned one, unsigned other)
{
    const struct outcome *a = f->outcome[one], *b = f->outcome[other];
    if (!outcomes_equal(a, b, NULL, NULL))
        add(f, FEATURE_SEPARATES, clause, one, other);
    else if (a->end == END_UNDEFINED || b->end == END_UNDEFINED
                 ? a->end != b->end
                 : a->end == END_DONE && !outcome_same_masks(a, b))
        add(f, FEATURE_DEFINES, clause, one, other);
}

static void compare_all_readings(struct feature_finder *f, const struct test_case *c,
                                 const struct profile *base, unsigned clause)
{
    unsigned readings = clause_readings(unit_clause(c->unit, clause));
    for (unsigned r = 0; r < readings; r++) {
        struct profile p = *base;
        p.reading[clause] = (uint8_t)r;
        executor_run(f->executor, c, &p, RUN_CHECKED, f->outcome[r]);
        for (unsigned mode = 0; mode < MODES_MAX; mode++)
            if (f->executor->last.modes[clause] >> mode & 1)
                add(f, FEATURE_TOUCHES, clause, r, mode);
    }
    for (unsigned one = 0; one < readings; one++)
        for (unsigned other = one + 1; other < readings; other++)
            compare_readings(f, clause, one, other);
}

int feature_order(const void *a, const void *b)
{
    feature x = *(const feature *)a, y = *(const feature *)b;
    return (x > y) - (x < y);
}

bool features_of(struct feature_finder *f, const struct test_case *c, struct features *out)
{
    const struct unit *u = c->unit;
    f->count = 0;
    f->failed = false;
    *out = (struct features){0};
    for (unsigned base = 0; u->profiles[base].name; base++) {
        struct profile p;
        profile_builtin(u, base, &p);
        executor_run(f->executor, c, &p, RUN_CHECKED, f->outcome[0]);
        const struct coverage touched = f->executor->last;
        for (unsigned clause = 0; clause < unit_clauses(u); clause++)
            if (covered(&touched, clause))
                compare_all_readings(f, c, &p, clause);
    }
    if (f->failed || !(out->item = malloc((f->count + 1) * sizeof *out->item)))
        return false;
    if (f->count)
        qsort(f->found, f->count, sizeof *f->found, feature_order);
    for (size_t i = 0; i < f->count; i++)
        if (!i || f->found[i] != f->found[i - 1])
            out->item[out->count++] = f->found[i];
    return true;
}

void features_free(struct features *f)
{
    free(f->item);
    *f = (struct features){0};
}
