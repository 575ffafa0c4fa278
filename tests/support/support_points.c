/* SPDX-License-Identifier: MIT */
#include "tests/support/support_points.h"

#include "fuzz/generate/generate.h"
#include "model/rule/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILE_TEXT = 600, PAIR_CASES = 3000, CHANGES_WANTED = 3, MATTER_CASES = 8000 };

/* ---- running ---- */

struct points_bench *points_open(const struct unit *u)
{
    struct points_bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    size_t bytes = (u->state_size + 63) / 64 * 64;
    b->run.state = aligned_alloc(64, bytes);
    assert_non_null(b->run.state);
    memset(b->run.state, 0, bytes);
    b->unit = u;
    b->run.coverage = &b->coverage;
    b->run.mode = RUN_CHECKED;
    b->run.memory_base = MEMORY_BASE_DEFAULT;
    b->run.code_base = CODE_BASE_DEFAULT;
    b->out = outcome_new(u);
    b->other = outcome_new(u);
    random_seed(&b->random, 1);
    return b;
}

struct points_seen points_seen_at(const struct unit *u, const char *point)
{
    for (unsigned n = 0; u->points[n].name; n++)
        if (!strcmp(u->points[n].name, point))
            return (struct points_seen){.point = n};
    fail_msg("no point %s", point);
    return (struct points_seen){.point = 0};
}

void points_see(void *seen, const struct observation *passes)
{
    struct points_seen *s = seen;
    if (passes->point != s->point)
        return;
    if (s->count < POINTS_SEEN_MAX)
        s->value[s->count] = *passes->value;
    s->count++;
}

void points_close(struct points_bench *b)
{
    free(b->run.state);
    outcome_free(b->out);
    outcome_free(b->other);
    free(b);
}

struct profile points_profile(const struct points_bench *b, const char *profile, const char *rules)
{
    struct profile p;
    struct error e = {0};
    char spec[PROFILE_TEXT];
    snprintf(spec, sizeof spec, "%s%s%s%s%s", profile, rules ? ";" : "", rules ? b->unit->name : "",
             rules ? " " : "", rules ? rules : "");
    if (!profile_resolve(b->unit, spec, &p, &e))
        fail_msg("%s: %s", spec, e.text);
    return p;
}

void points_run(struct points_bench *b, const struct test_case *c, const struct profile *p, struct outcome *o)
{
    b->run.tc = c;
    b->run.profile = p;
    b->run.out = o;
    b->unit->run(&b->run);
}

static size_t bytes_of(const struct points_bench *b)
{
    const struct layout *l = &b->unit->layout;
    return (size_t)l->rows * l->row_words * sizeof *b->out->value;
}

static bool same_values(const struct points_bench *b, const struct outcome *a, const struct outcome *o)
{
    return a->end == o->end && a->reason == o->reason && !memcmp(a->value, o->value, bytes_of(b));
}

bool points_same(const struct points_bench *b, const struct outcome *a, const struct outcome *o)
{
    return same_values(b, a, o) && !memcmp(a->defined, o->defined, bytes_of(b)) &&
           !memcmp(a->tolerance, o->tolerance, bytes_of(b));
}

/* Is `o` equal to a checked outcome in all bits that the checked outcome defines? */
static bool same_where_defined(const struct points_bench *b, const struct outcome *checked,
                               const struct outcome *o)
{
    if (checked->end != o->end || checked->reason != o->reason)
        return false;
    for (size_t n = 0; n < bytes_of(b) / sizeof *o->value; n++)
        if ((checked->value[n] ^ o->value[n]) & checked->defined[n])
            return false;
    return true;
}

/* Do two outcomes differ in a bit that both define? */
static bool differs_defined(const struct points_bench *b, const struct outcome *a, const struct outcome *o)
{
    if (a->end == END_UNDEFINED || o->end == END_UNDEFINED)
        return false;
    if (a->end != o->end || a->reason != o->reason)
        return true;
    for (size_t n = 0; n < bytes_of(b) / sizeof *a->value; n++)
        if ((a->value[n] ^ o->value[n]) & a->defined[n] & o->defined[n] && !a->tolerance[n] &&
            !o->tolerance[n])
            return true;
    return false;
}

/* ---- pairs ---- */

static struct profile with_rules(const struct points_bench *b, const struct points_pair *pair)
{
    char rules[PROFILE_TEXT] = "";
    for (unsigned n = 0; n < POINTS_RULES_MAX && pair->rules[n]; n++) {
        size_t used = strlen(rules);
        snprintf(rules + used, sizeof rules - used, "%s%s%s%s", n ? ";" : "", n ? b->unit->name : "",
                 n ? " " : "", pair->rules[n]);
    }
    return points_profile(b, pair->base, rules);
}

static void try_pair(struct points_bench *b, const struct points_pair *pair)
{
    char spec[PROFILE_TEXT];
    snprintf(spec, sizeof spec, "%s,%s", pair->base, pair->reading);
    const struct profile base = points_profile(b, pair->base, NULL), read = points_profile(b, spec, NULL),
                         ruled = with_rules(b, pair);
    unsigned changed = 0, cases = 0;
    for (; cases < PAIR_CASES || (changed < CHANGES_WANTED && cases < 20 * PAIR_CASES); cases++) {
        case_generate(&b->random, b->unit, &b->tc);
        points_run(b, &b->tc, &base, b->out);
        points_run(b, &b->tc, &read, b->other);
        changed += differs_defined(b, b->out, b->other);
        points_run(b, &b->tc, &ruled, b->out);
        if (same_values(b, b->out, b->other))
            continue;
        if (differs_defined(b, b->out, b->other))
            support_fail_case(&b->tc, "%s: '%s' is not what %s does", pair->base, pair->rules[0],
                              pair->reading);
    }
    if (!changed)
        fail_msg("%s: %s changed no defined bit of %u cases", pair->base, pair->reading, cases);
}

/* Does the table have a pair for this reading? */
static bool has_pair(const struct points_pair *pairs, unsigned count, const struct clause *c,
                     unsigned reading)
{
    char name[PROFILE_TEXT];
    snprintf(name, sizeof name, "%s=%s", c->id, c->readings[reading].id);
    for (unsigned n = 0; n < count; n++)
        if (!strcmp(pairs[n].reading, name))
            return true;
    return false;
}

void points_try_pairs(struct points_bench *b, const struct points_pair *pairs, unsigned count)
{
    unsigned all = 0, stated = 0;
    for (unsigned n = 0; n < count; n++)
        try_pair(b, &pairs[n]);
    for (unsigned c = 0; c < unit_clauses(b->unit); c++) {
        const struct clause *clause = unit_clause(b->unit, c);
        for (unsigned r = 1; r < clause_readings(clause); r++) {
            all++;
            stated += has_pair(pairs, count, clause, r);
            if (!has_pair(pairs, count, clause, r))
                print_message("without rules: %s=%s\n", clause->id, clause->readings[r].id);
        }
    }
    print_message("rules state %u of %u readings other than manual\n", stated, all);
}

/* ---- all points ---- */

static void count(void *context, const struct observation *seen)
{
    struct points_bench *b = context;
    b->seen[seen->point]++;
}

void points_observe(struct points_bench *b, const struct profile *p, struct outcome *o)
{
    b->run.see = count;
    b->run.see_context = b;
    points_run(b, &b->tc, p, o);
    b->run.see = NULL;
}

void points_every_point_matters(struct points_bench *b, const char *profile, const char *except)
{
    const struct profile plain = points_profile(b, profile, NULL);
    for (unsigned i = 0; i < b->unit->point_count; i++) {
        const struct point *p = &b->unit->points[i];
        char rule[96];
        bool changes = except && !strcmp(p->name, except);
        for (unsigned n = 0; n < MATTER_CASES && (!changes || !b->seen[i]); n++) {
            snprintf(rule, sizeof rule, "%s = value ^ %u", p->name, 1U << n % p->width);
            struct profile ruled = points_profile(b, profile, rule);
            case_generate(&b->random, b->unit, &b->tc);
            points_observe(b, &plain, b->out);
            points_run(b, &b->tc, &ruled, b->other);
            changes |= !points_same(b, b->out, b->other);
        }
        if (!changes || !b->seen[i])
            fail_msg("%s: seen %llu times, no case shows its rule", p->name, (unsigned long long)b->seen[i]);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(p->name, b->unit->points[k].name);
    }
}

void points_observing_changes_nothing(struct points_bench *b, const char *const *profiles)
{
    for (; *profiles; profiles++) {
        const struct profile p = points_profile(b, *profiles, NULL);
        for (unsigned n = 0; n < support_scaled(3000); n++) {
            case_generate(&b->random, b->unit, &b->tc);
            b->run.mode = n % 2 ? RUN_CHECKED : RUN_PLAIN;
            memset(&b->coverage, 0, sizeof b->coverage);
            points_run(b, &b->tc, &p, b->out);
            const struct coverage before = b->coverage;
            memset(&b->coverage, 0, sizeof b->coverage);
            points_observe(b, &p, b->other);
            if (!same_values(b, b->out, b->other) || (n % 2 && !points_same(b, b->out, b->other)) ||
                memcmp(&before, &b->coverage, sizeof before) != 0)
                support_fail_case(&b->tc, "%s: the observed run of case %u differs", *profiles, n);
        }
    }
    b->run.mode = RUN_CHECKED;
}

/* ---- modes ---- */

/* Writes a rule at a random point: an expression of the value, sometimes guarded by an input. */
static void some_rule(struct points_bench *b, char *rule, size_t size)
{
    const struct point *p = &b->unit->points[random_below(&b->random, b->unit->point_count)];
    static const char *const forms[] = {"value ^ %u", "value + %u", "value & %u", "%u"};
    char result[40];
    unsigned number = random_u32(&b->random) >> (32 - p->width);
    snprintf(result, sizeof result, forms[random_below(&b->random, 4)], number);
    unsigned inputs = 0;
    while (inputs < POINT_INPUTS_MAX && p->input[inputs].name)
        inputs++;
    if (inputs && random_one_in(&b->random, 2))
        snprintf(rule, size, "%s when %s & 1 = %s", p->name, p->input[random_below(&b->random, inputs)].name,
                 result);
    else
        snprintf(rule, size, "%s = %s", p->name, result);
}

static void ignore(void *context, const char *line)
{
    (void)context;
    (void)line;
}

void points_modes_agree(struct points_bench *b, const char *profile)
{
    unsigned changed = 0, compared = 0;
    b->run.trace = ignore;
    for (unsigned n = 0; n < support_scaled(6000); n++) {
        char rule[200];
        some_rule(b, rule, sizeof rule);
        const struct profile plain = points_profile(b, profile, NULL),
                             ruled = points_profile(b, profile, rule);
        case_generate(&b->random, b->unit, &b->tc);
        b->run.mode = RUN_CHECKED;
        points_run(b, &b->tc, &plain, b->other);
        points_run(b, &b->tc, &ruled, b->out);
        changed += !points_same(b, b->out, b->other);
        b->run.mode = RUN_TRACED;
        points_run(b, &b->tc, &ruled, b->other);
        if (!points_same(b, b->out, b->other))
            support_fail_case(&b->tc, "'%s': the traced run differs from the checked one", rule);
        if (b->out->end == END_UNDEFINED) /* a checked run stops at an undefined branch, but a plain run
                                           * continues */
            continue;
        b->run.mode = RUN_PLAIN;
        points_run(b, &b->tc, &ruled, b->other);
        compared++;
        if (!same_where_defined(b, b->out, b->other))
            support_fail_case(&b->tc, "'%s': the plain run differs from the checked one", rule);
    }
    b->run.mode = RUN_CHECKED;
    b->run.trace = NULL;
    print_message("%u of %u rules changed an outcome\n", changed, compared);
    assert_true(changed > 0);
}

void points_rules_act_alike_when_seen(struct points_bench *b, const char *profile)
{
    unsigned changed = 0;
    for (unsigned n = 0; n < 2000 + support_scaled(8000); n++) {
        char rule[200];
        some_rule(b, rule, sizeof rule);
        const struct profile ruled = points_profile(b, profile, rule);
        b->run.mode = n % 2 ? RUN_CHECKED : RUN_PLAIN;
        case_generate(&b->random, b->unit, &b->tc);
        points_run(b, &b->tc, &ruled, b->out);
        points_observe(b, &ruled, b->other);
        if (!same_values(b, b->out, b->other) || (n % 2 && !points_same(b, b->out, b->other)))
            support_fail_case(&b->tc, "'%s': the outcome depends on whether all points are seen", rule);
        const struct profile none = points_profile(b, profile, NULL);
        points_run(b, &b->tc, &none, b->other);
        changed += !same_values(b, b->out, b->other);
    }
    b->run.mode = RUN_CHECKED;
    assert_true(changed > 0);
}
