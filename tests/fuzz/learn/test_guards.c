/* SPDX-License-Identifier: MIT */
/*
 * The search for guards and the groups of visits (guard.c and visits.c of fuzz/learn/search), without a
 * board. The visits are random, and a predicate of C says where a rule must act.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "model/core/unit.h"
#include "model/number/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { LABELLED = 240, FRESH = 400, ALL = LABELLED + FRESH, SLOT = 0, COMPONENT, ROW, ATTRIBUTE, COMPONENTS };

static const struct unit *unit;
static unsigned point;
static uint32_t values[ALL], inputs[ALL][POINT_INPUTS_MAX];
static struct visit visits[ALL];
static struct guarded_visit labelled[LABELLED];
static struct expression found[GUARDS_MAX];

/* Components that an attribute does not have. */
static bool is_missing(const uint32_t *input)
{
    return input[COMPONENT] >= input[COMPONENTS];
}

static bool is_of_a_high_row(const uint32_t *input)
{
    return input[ATTRIBUTE] && input[ROW] >= 64;
}

/* Component counts that no comparison and no bit divides from the others. */
static bool is_of_a_set(const uint32_t *input)
{
    return input[COMPONENTS] == 1 || input[COMPONENTS] == 4 || input[COMPONENTS] == 6;
}

static bool is_of_a_set_in_a_slot(const uint32_t *input)
{
    return is_of_a_set(input) && input[SLOT] == 2;
}

static void make_visits(bool (*acts)(const uint32_t *input), uint64_t seed)
{
    const struct point *p = &unit->points[point];
    struct random r;
    random_seed(&r, seed);
    for (unsigned n = 0; n < ALL; n++) {
        values[n] = random_u32(&r);
        for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
            inputs[n][i] =
                p->input[i].width < 32 ? random_below(&r, 1U << p->input[i].width) : random_u32(&r);
        visits[n] = (struct visit){.point = (uint16_t)point,
                                   .value = &values[n],
                                   .now = &values[n],
                                   .input = inputs[n]};
    }
    for (unsigned n = 0; n < LABELLED; n++)
        labelled[n] = (struct guarded_visit){.at = &visits[n], .acts = acts(inputs[n])};
}

/* How many of the new visits a guard judges as the predicate does. */
static unsigned right(const struct expression *guard, bool (*acts)(const uint32_t *input))
{
    unsigned count = 0;
    for (unsigned n = LABELLED; n < ALL; n++) {
        const struct expression_context c = visit_context(unit, &visits[n], 0);
        count += (expression_evaluate(guard->node, guard->count, &c) != 0) == acts(inputs[n]);
    }
    return count;
}

static unsigned best(bool (*acts)(const uint32_t *input))
{
    unsigned most = 0, count = guard_run(unit, labelled, LABELLED, found);
    for (unsigned i = 0; i < count; i++)
        most = right(&found[i], acts) > most ? right(&found[i], acts) : most;
    return most;
}

static void guards_follow_predicates(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        make_visits(is_missing, seed);
        assert_int_equal(best(is_missing), FRESH);
        make_visits(is_of_a_high_row, seed);
        assert_in_range(best(is_of_a_high_row), FRESH - FRESH / 20, FRESH); /* 64 is near some visit's row */
    }
}

static bool is_in_slot_0(const uint32_t *input)
{
    return !input[SLOT];
}

/* "slot <= 0" and "slot < 1" say the same as "slot == 0". */
static void a_guard_for_0_is_an_equality(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        unsigned equal = 0;
        make_visits(is_in_slot_0, seed);
        const unsigned count = guard_run(unit, labelled, LABELLED, found);
        for (unsigned i = 0; i < count; i++) {
            const struct expression *e = &found[i];
            const bool plain = e->count == 3 && e->node[0].op == EXPRESSION_INPUT &&
                               e->node[0].operand == SLOT && e->node[1].op == EXPRESSION_CONSTANT;
            equal += plain && e->node[1].operand == 0 && e->node[2].op == EXPRESSION_EQUAL;
            assert_false(plain && e->node[2].op != EXPRESSION_EQUAL);
        }
        assert_true(equal > 0);
    }
}

static void guards_are_sets_of_numbers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        make_visits(is_of_a_set, seed);
        assert_int_equal(best(is_of_a_set), FRESH);
        make_visits(is_of_a_set_in_a_slot, seed);
        assert_int_equal(best(is_of_a_set_in_a_slot), FRESH);
    }
}

/* One in fifty of the visits where the rule must act is labelled otherwise, and one in twenty of the others.
 */
static void a_few_wrong_labels_do_no_harm(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        unsigned acting = 0, others = 0;
        make_visits(is_missing, seed);
        for (unsigned n = 0; n < LABELLED; n++)
            if (is_missing(inputs[n]) ? ++acting % 50 == 0 : ++others % 20 == 0)
                labelled[n].acts = !labelled[n].acts;
        assert_int_equal(best(is_missing), FRESH);
    }
}

/* Does a guard compare something with this number for equality? */
static bool names(const struct expression *guard, uint32_t number)
{
    bool any = false;
    for (uint32_t i = 1; i < guard->count; i++)
        any |= guard->node[i].op == EXPRESSION_EQUAL && guard->node[i - 1].op == EXPRESSION_CONSTANT &&
               guard->node[i - 1].operand == number;
    return any;
}

/* Is there a guard that names the number, if the rule must act on this value of 32 bits only? */
static bool is_named(uint32_t number)
{
    bool any = false;
    make_visits(is_missing, 1);
    for (unsigned n = 0; n < LABELLED; n++) {
        labelled[n].acts = n % 8 == 0;
        values[n] = labelled[n].acts ? number : values[n];
    }
    const unsigned count = guard_run(unit, labelled, LABELLED, found);
    for (unsigned i = 0; i < count; i++)
        any |= names(&found[i], number);
    return any;
}

/* Zeros, infinities, the NaN, one, the largest number of IEEE 754, and the limits of integers are named;
 * numbers of no meaning are not. */
static void guards_name_no_arbitrary_number(void **state)
{
    (void)state;
    static const uint32_t named[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000,
                                     0x7F7FFFFF, 0x00800000, 0x7FFFFFFF, UINT32_MAX, 0x0000FFFF},
                          arbitrary[] = {0x40200B01, 0x5B341807, 0xC3025CC4, 0x805B3611};
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
        if (!is_named(named[i]))
            fail_msg("no guard for %08x", named[i]);
    for (unsigned i = 0; i < sizeof arbitrary / sizeof *arbitrary; i++)
        if (is_named(arbitrary[i]))
            fail_msg("a guard for %08x", arbitrary[i]);
}

/* Visits with the same value and inputs are one group; others are not, however little they differ. */
static void equal_visits_are_one_group(void **state)
{
    (void)state;
    struct visits *v = memory_new(1, sizeof *v);
    struct forced *f = memory_new(1, sizeof *f);
    make_visits(is_missing, 1);
    for (unsigned n = 0; n < 12; n++) {
        v->visit[n] = visits[n % 3];
        v->visit[n].next = n < 11 ? (uint16_t)(n + 2) : 0;
    }
    values[3] = values[0];
    memcpy(inputs[3], inputs[0], sizeof *inputs);
    inputs[3][COMPONENTS] ^= 1;
    v->visit[7].value = visits[3].value;
    v->visit[7].input = visits[3].input;
    v->unit = unit;
    v->first[point] = 1;
    visits_group(v, point, f);
    static const uint8_t expected[] = {0, 1, 2, 0, 1, 2, 0, 3, 2, 0, 1, 2};
    assert_int_equal(f->visits, 12);
    assert_int_equal(f->groups, 4);
    assert_memory_equal(f->group_of, expected, sizeof expected);
    free(v);
    free(f);
}

/* Forcing other values in all lanes gives the outcome of a rule that computes them, and forcing them in the
 * even lanes gives the outcome of a rule for even lanes. */
static void forced_values_act_as_a_rule(void **state)
{
    (void)state;
    static const char *const profiles[2] = {
        "manual;vc4-vpm block.value = value ^ (165 + lane)",
        "manual;vc4-vpm block.value when (lane & 1) == 0 = value ^ (165 + lane)"};
    const struct unit *u = unit_named("vc4-vpm");
    struct executor *x = executor_new(u);
    struct outcome *forced = outcome_new(u), *ruled = outcome_new(u);
    struct visits *v = memory_new(1, sizeof *v);
    struct forced *f = memory_new(1, sizeof *f);
    struct test_case *c = memory_new(1, sizeof *c);
    struct profile manual = {0}, with_rule;
    struct error e = {0};
    struct random r;
    unsigned at = 0, changed = 0;
    while (strcmp(u->points[at].name, "block.value") != 0)
        at++;
    random_seed(&r, 3);
    for (unsigned n = 0; n < 400; n++) {
        if (!profile_resolve(u, profiles[n % 2], &with_rule, &e))
            fail_msg("%s", e.text);
        case_generate(&r, u, c);
        visits_run(x, c, &manual, forced, v);
        visits_group(v, at, f);
        if (f->visits != 1) /* a later read may meet what an earlier write left */
            continue;
        f->group[0].lanes = n % 2 ? 0x5555 : 0xFFFF;
        for (unsigned i = 0; i < 16; i++)
            f->group[0].value[i] = f->group[0].first->value[i] ^ (165 + i);
        visits_force(x, c, &manual, f, forced);
        executor_run(x, c, &with_rule, RUN_CHECKED, ruled);
        assert_true(outcomes_equal(forced, ruled, NULL, NULL));
        executor_run(x, c, &manual, RUN_CHECKED, ruled);
        changed += !outcomes_equal(forced, ruled, NULL, NULL);
    }
    assert_true(changed > 20);
    free(c);
    free(f);
    free(v);
    outcome_free(forced);
    outcome_free(ruled);
    executor_free(x);
}

static bool is_below_the_last_row(const uint32_t *input)
{
    return input[ROW] < 127;
}

/* The rule must act in rows 0 to 23 and not in row 127; nothing is known of the others. */
static void a_guard_can_reach_as_far_as_the_visits_allow(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct expression wide;
        unsigned most = 0;
        make_visits(is_below_the_last_row, seed);
        for (unsigned n = 0; n < LABELLED; n++) {
            inputs[n][ROW] = n % 3 ? inputs[n][ROW] % 24 : 127;
            labelled[n].acts = n % 3;
        }
        const unsigned count = guard_run(unit, labelled, LABELLED, found);
        for (unsigned i = 0; i < count; i++)
            if (guard_widen(unit, labelled, LABELLED, &found[i], &wide) &&
                right(&wide, is_below_the_last_row) > most)
                most = right(&wide, is_below_the_last_row);
        assert_int_equal(most, FRESH);
    }
}

/* Whatever the labels, a wider guard holds at the same known visits, holds wherever the guard does if it has
 * no negation, and cannot be made wider still. */
static void a_wider_guard_is_the_same_at_known_visits(void **state)
{
    (void)state;
    bool (*const predicates[])(const uint32_t *) = {is_missing, is_of_a_high_row, is_of_a_set_in_a_slot,
                                                    is_in_slot_0, is_below_the_last_row};
    unsigned wider = 0, more = 0;
    for (unsigned k = 0; k < 5 * sizeof predicates / sizeof *predicates; k++) {
        struct expression wide, again;
        make_visits(predicates[k / 5], k);
        for (unsigned n = 0; n < LABELLED; n += 1 + k % 5 * 8)
            labelled[n].acts = !labelled[n].acts;
        const unsigned count = guard_run(unit, labelled, LABELLED, found);
        for (unsigned i = 0; i < count; i++) {
            if (!guard_widen(unit, labelled, LABELLED, &found[i], &wide))
                continue;
            wider++;
            assert_false(guard_widen(unit, labelled, LABELLED, &wide, &again));
            for (unsigned n = 0; n < ALL; n++) {
                const struct expression_context c = visit_context(unit, &visits[n], 0);
                const bool before = expression_evaluate(found[i].node, found[i].count, &c),
                           now = expression_evaluate(wide.node, wide.count, &c);
                assert_true(n < LABELLED ? now == before : now >= before);
                more += now > before;
            }
        }
    }
    assert_true(wider > 20);
    assert_true(more > 100);
}

int main(void)
{
    unit = unit_named("utgard-gp");
    while (strcmp(unit->points[point].name, "fetch.value") != 0)
        point++;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_follow_predicates),
        cmocka_unit_test(a_guard_for_0_is_an_equality),
        cmocka_unit_test(guards_are_sets_of_numbers),
        cmocka_unit_test(a_few_wrong_labels_do_no_harm),
        cmocka_unit_test(equal_visits_are_one_group),
        cmocka_unit_test(forced_values_act_as_a_rule),
        cmocka_unit_test(guards_name_no_arbitrary_number),
        cmocka_unit_test(a_guard_can_reach_as_far_as_the_visits_allow),
        cmocka_unit_test(a_wider_guard_is_the_same_at_known_visits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
