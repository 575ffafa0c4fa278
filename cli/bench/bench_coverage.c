/* SPDX-License-Identifier: MIT */
/*
 * `misprint bench coverage` shows how much clause counters help a fuzzer. It runs a simple fuzzer that starts
 * from the unit's default case and mutates cases by the schema alone. The counters that a case sets decide
 * whether the fuzzer keeps the case (fuzz/generate/pool.h). The bench compares three kinds of counters: none;
 * clauses touched; clauses touched and readings that gave different bits.
 *
 * Few runs touch all clauses before the limit. So the bench counts how many cases each fuzzer needs to touch
 * as many clauses as the median run without counters touched.
 */
#include "cli/bench/bench.h"
#include "fuzz/engines/engine_harness.h"
#include "fuzz/generate/pool.h"
#include "harness/system/machine.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 10,
    CASES_MAX = 40000,
    FEEDBACKS = 3,
};

static const char *const feedback_names[FEEDBACKS] = {"without", "touched", "touched and separated"};

struct guided_run {
    unsigned first[CLAUSES_MAX]; /* the first case that touched the clause; 0: none did */
};

static bool run_guided(const struct unit *u, enum engine_harness_feedback feedback, uint64_t seed,
                       struct guided_run *out, struct error *e)
{
    static uint8_t now[ENGINE_HARNESS_COUNTERS_MAX];
    struct engine_harness *t = engine_harness_new(u, NULL, NULL, e);
    if (!t)
        return false;
    struct pool *pool = pool_new(u);
    struct test_case *c = memory_new(1, sizeof *c);
    struct random r;
    random_seed(&r, seed);
    engine_harness_set_feedback(t, feedback);
    memset(now, 0, sizeof now);
    memset(out, 0, sizeof *out);
    for (unsigned n = 1; n <= CASES_MAX && !interrupted; n++) {
        pool_make(pool, &r, NULL, c);
        (void)engine_harness_run(t, c, random_u64(&r), now);
        for (unsigned i = 0; i < unit_clauses(u); i++)
            if (!out->first[i] && covered(engine_harness_touched(t), i))
                out->first[i] = n;
        (void)pool_ran(pool, c, now);
    }
    pool_free(pool);
    free(c);
    engine_harness_free(t);
    return true;
}

/* Returns how many cases the median run needed to touch `clauses` clauses; CASES_MAX if it touched fewer. */
static double median_cases(const struct guided_run run[SEEDS], unsigned clauses)
{
    double cases[SEEDS];
    for (unsigned s = 0; s < SEEDS; s++) {
        double first[CLAUSES_MAX];
        unsigned touched = 0;
        for (unsigned i = 0; i < CLAUSES_MAX; i++)
            if (run[s].first[i])
                first[touched++] = run[s].first[i];
        qsort(first, touched, sizeof *first, by_value);
        cases[s] = clauses && clauses <= touched ? first[clauses - 1] : CASES_MAX;
    }
    qsort(cases, SEEDS, sizeof *cases, by_value);
    return (cases[SEEDS / 2 - 1] + cases[SEEDS / 2]) / 2;
}

static unsigned touched_by_median(const struct guided_run run[SEEDS])
{
    double touched[SEEDS] = {0};
    for (unsigned s = 0; s < SEEDS; s++)
        for (unsigned i = 0; i < CLAUSES_MAX; i++)
            touched[s] += run[s].first[i] != 0;
    qsort(touched, SEEDS, sizeof *touched, by_value);
    return (unsigned)touched[SEEDS / 2];
}

static bool measure_unit(const struct unit *u, struct text *t, json_t *list, struct error *e)
{
    struct guided_run(*run)[SEEDS] = memory_new(FEEDBACKS, sizeof *run);
    bool good = true;
    for (unsigned w = 0; w < FEEDBACKS; w++)
        for (unsigned s = 0; good && s < SEEDS; s++)
            good = run_guided(u, (enum engine_harness_feedback)w, 1 + s, &run[w][s], e);
    unsigned level = touched_by_median(run[FEEDBACK_NONE]);
    double without = median_cases(run[FEEDBACK_NONE], level);
    text_add(t, "%s: cases until %u of %u clauses are touched\n", u->name, level, unit_clauses(u));
    for (unsigned w = 0; good && w < FEEDBACKS; w++) {
        unsigned touched = touched_by_median(run[w]);
        double cases = median_cases(run[w], level);
        text_add(t, "  %-22s %8.0f, %5.1f times as fast; %u clauses at the limit\n", feedback_names[w], cases,
                 without / cases, touched);
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:i, s:f, s:f, s:i}", "unit", u->name, "feedback",
                                        feedback_names[w], "clauses", (int)level, "median_cases", cases,
                                        "times_as_fast", without / cases, "median_clauses", (int)touched));
    }
    free(run);
    return good;
}

int bench_coverage(const struct arguments *a)
{
    struct error e = {0};
    const char *name = a->option[OPTION_UNIT];
    const struct unit *one = name ? unit_find(name, &e) : NULL;
    if (name && !one)
        return fail(STATUS_USAGE, &e);
    struct text t = {0};
    json_t *list = json_array();
    char machine[256];
    machine_describe(machine, sizeof machine);
    text_add(&t, "%s\nfrom the default case, schema changes only, %d seeds, at most %d cases each\n", machine,
             SEEDS, CASES_MAX);
    catch_interrupts();
    bool good = true;
    for (unsigned i = 0; good && unit_at(i) && !interrupted; i++)
        good = (one && unit_at(i) != one) || measure_unit(unit_at(i), &t, list, &e);
    if (good)
        return print_result(a, &t, json_pack("{s:s, s:o}", "machine", machine, "coverage", list),
                            STATUS_EQUAL);
    json_decref(list);
    text_free(&t);
    return fail(STATUS_BROKEN, &e);
}
