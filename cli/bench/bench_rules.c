/* SPDX-License-Identifier: MIT */
/*
 * `misprint bench rules`: what rules in a profile cost the model, for all units. The rules of the bench
 * change no value, but have a guard and an operator as learned rules do. So all runs of a case do the same
 * work otherwise, and must give the same outcome.
 */
#include "cli/bench/bench.h"
#include "fuzz/generate/generate.h"
#include "harness/system/clock.h"
#include "harness/system/machine.h"
#include "harness/system/pages.h"
#include "model/core/memory.h"
#include "model/rule/rule.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 1000, ROUNDS = 5 };

/* The profiles that are compared. RARE has one rule at the point that the cases pass least often, so it shows
 * the cost of a model that can have rules. USUAL has one at the point in the middle of those that they pass.
 * The rules of the others are at the points that they pass most often. */
enum { VALUES_ONLY, RARE, USUAL, ONE_RULE, EIGHT_RULES, WAYS };
static const char *const titles[WAYS] = {"values only", "rare rule", "usual rule", "one rule", "eight rules"};
static const unsigned rules_of[WAYS] = {[ONE_RULE] = 1, [EIGHT_RULES] = 8};

struct row {
    const struct unit *unit;
    struct profile profile[WAYS];
    double rate[WAYS];         /* median cases a second */
    uint64_t seen[POINTS_MAX]; /* values that pass each point in all cases */
    unsigned order[POINTS_MAX];
};

static void count_value(void *context, const struct observation *seen)
{
    struct row *row = context;
    row->seen[seen->point]++;
}

/* Counts the values that pass each point, and orders the points by this count, the largest first. */
static void count_points(struct row *row, struct executor *x, struct outcome *out,
                         const struct test_case *const *cases)
{
    for (unsigned i = 0; i < CASES; i++) {
        struct run r = {.tc = cases[i],
                        .profile = &row->profile[VALUES_ONLY],
                        .out = out,
                        .mode = RUN_PLAIN,
                        .see = count_value,
                        .see_context = row};
        executor_run_with(x, &r);
    }
    for (unsigned p = 0; p < row->unit->point_count; p++) {
        unsigned at = p;
        for (; at && row->seen[row->order[at - 1]] < row->seen[p]; at--)
            row->order[at] = row->order[at - 1];
        row->order[at] = p;
    }
}

/* Adds the rule "POINT when value == value = value ^ 0". */
static void add_rule(struct profile *p, unsigned point)
{
    struct rule r = {.point = (uint16_t)point,
                     .guard = {3, {{EXPRESSION_VALUE, 0}, {EXPRESSION_VALUE, 0}, {EXPRESSION_EQUAL, 0}}},
                     .result = {3, {{EXPRESSION_VALUE, 0}, {EXPRESSION_CONSTANT, 0}, {EXPRESSION_XOR, 0}}}};
    (void)rules_add(&p->rules, &r);
}

static void make_profiles(struct row *row)
{
    unsigned passed = 0;
    while (passed < row->unit->point_count && row->seen[row->order[passed]])
        passed++;
    for (unsigned k = VALUES_ONLY + 1; k < WAYS; k++) {
        row->profile[k] = row->profile[VALUES_ONLY];
        for (unsigned i = 0; i < rules_of[k]; i++)
            add_rule(&row->profile[k], row->order[i]);
    }
    add_rule(&row->profile[RARE], row->order[row->unit->point_count - 1]);
    add_rule(&row->profile[USUAL], row->order[passed / 2]);
}

/* True if all profiles give each case the same values in the bits that it defines. */
static bool check_equal(const struct row *row, struct executor *x, struct outcome *const *out,
                        const struct test_case *const *cases, struct error *e)
{
    struct tally tally = {0};
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned k = 0; k < WAYS; k++) {
            executor_run(x, cases[i], &row->profile[k], k == VALUES_ONLY ? RUN_CHECKED : RUN_PLAIN,
                         out[k != VALUES_ONLY]);
            if (k != VALUES_ONLY && !outcomes_equal(out[0], out[1], &tally, NULL))
                return error_set(e, "a rule that changes no value changes case %u of unit %s", i,
                                 row->unit->name);
        }
    return true;
}

/* Returns the cases a second that the model runs under a profile. */
static double measure(struct executor *x, const struct profile *p, struct outcome *out,
                      const struct test_case *const *cases, double seconds)
{
    double start = clock_thread_seconds(), now = start, done = 0;
    for (; now - start < seconds; now = clock_thread_seconds(), done += CASES)
        for (unsigned i = 0; i < CASES; i++)
            executor_run(x, cases[i], p, RUN_PLAIN, out);
    return done / (now - start);
}

static bool measure_unit(struct row *row, double seconds, struct error *e)
{
    struct test_case **cases = memory_new(CASES, sizeof *cases);
    struct outcome *out[2] = {outcome_new(row->unit), outcome_new(row->unit)};
    struct executor *x = executor_new(row->unit);
    double rates[WAYS][ROUNDS];
    struct random random;
    random_seed(&random, 1);
    for (unsigned i = 0; i < CASES; i++) {
        cases[i] = memory_new(1, sizeof *cases[i]);
        case_generate(&random, row->unit, cases[i]);
    }
    const struct test_case *const *list = (const struct test_case *const *)cases;
    profile_builtin(row->unit, row->unit->best_profile, &row->profile[VALUES_ONLY]);
    count_points(row, x, out[0], list);
    make_profiles(row);
    bool good = check_equal(row, x, out, list, e);
    /* In turns, so that the machine's other load hits all profiles alike. */
    for (unsigned round = 0; good && round < ROUNDS; round++)
        for (unsigned k = 0; good && k < WAYS; k++) {
            rates[k][round] = measure(x, &row->profile[k], out[0], list, seconds);
            good = !interrupted || error_set(e, "interrupted");
        }
    for (unsigned k = 0; good && k < WAYS; k++) {
        qsort(rates[k], ROUNDS, sizeof *rates[k], by_value);
        row->rate[k] = rates[k][ROUNDS / 2];
    }
    for (unsigned i = 0; i < CASES; i++)
        free(cases[i]);
    free(cases);
    outcome_free(out[0]);
    outcome_free(out[1]);
    executor_free(x);
    return good;
}

static void print_row(const struct row *row, struct text *t, json_t *list)
{
    const unsigned *order = row->order;
    json_t *j = json_pack("{s:s, s:s}", "unit", row->unit->name, "point", row->unit->points[order[0]].name);
    text_add(t, "  %-14s", row->unit->name);
    for (unsigned k = 0; k < WAYS; k++) {
        json_object_set_new(j, titles[k], json_real(row->rate[k]));
        text_add(t, k ? " %10.0f (%3.0f %%)" : " %11.0f", row->rate[k], 100 * row->rate[k] / row->rate[0]);
    }
    text_add(t, "  %s, %.1f values a case; the eighth %.1f\n", row->unit->points[order[0]].name,
             (double)row->seen[order[0]] / CASES,
             (double)row->seen[order[rules_of[EIGHT_RULES] - 1]] / CASES);
    json_array_append_new(list, j);
}

int bench_rules(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    double seconds;
    char machine[256];
    json_t *list = json_array();
    const char *unit = a->option[OPTION_UNIT];
    if ((unit && !unit_find(unit, &e)) || !argument_seconds(a, OPTION_TIME, &seconds, &e))
        return fail(STATUS_USAGE, &e);
    catch_interrupts();
    machine_describe(machine, sizeof machine);
    text_add(&t, "%s\ncases a second of the model alone; medians of %d\n  %-14s %11s", machine, ROUNDS, "",
             titles[VALUES_ONLY]);
    for (unsigned k = VALUES_ONLY + 1; k < WAYS; k++)
        text_add(&t, " %18s", titles[k]);
    text_add(&t, "  the point of one rule\n");
    bool good = true;
    for (unsigned i = 0; good && unit_at(i); i++) {
        if (unit && strcmp(unit, unit_at(i)->name) != 0)
            continue;
        struct row *row = memory_new(1, sizeof *row);
        row->unit = unit_at(i);
        good = measure_unit(row, seconds > 0 ? seconds / (WAYS * ROUNDS) : 0.1, &e);
        if (good)
            print_row(row, &t, list);
        free(row);
    }
    if (good)
        return print_result(a, &t, json_pack("{s:s, s:o}", "machine", machine, "units", list), STATUS_EQUAL);
    text_free(&t);
    json_decref(list);
    return fail(STATUS_BROKEN, &e);
}
