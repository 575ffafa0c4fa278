/* SPDX-License-Identifier: MIT */
/*
 * The search for expressions (synthesis.c of fuzz/learn/search/study.h), without a board. The examples follow
 * functions of C, of one or two operators over the value, an input and a number. The search must find an
 * expression that gives the function's values, also for values that were no example.
 */
#include "fuzz/learn/search/study.h"
#include "model/core/unit.h"
#include "model/number/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { EXAMPLES = 40, FRESH = 200, ALL = EXAMPLES + FRESH };

static const struct unit *unit;
/* The further lanes of a visit have the values of the next visits. */
static uint32_t values[ALL + POINT_LANES_MAX], inputs[ALL][POINT_INPUTS_MAX * POINT_LANES_MAX];
static struct visit visits[ALL];
static struct example examples[EXAMPLES];
static struct expression found[SYNTHESIS_MAX];

static unsigned point_named(const char *name)
{
    for (unsigned i = 0; unit->points[i].name; i++)
        if (!strcmp(unit->points[i].name, name))
            return i;
    fail_msg("no point %s", name);
    return 0;
}

static unsigned input_named(const struct point *p, const char *name)
{
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (!strcmp(p->input[i].name, name))
            return i;
    fail_msg("no input %s", name);
    return 0;
}

static uint32_t cut(const struct point *p, uint32_t value)
{
    return p->width < 32 ? value & ((1U << p->width) - 1) : value;
}

/* Makes visits of a point whose inputs have random values of their widths. */
static void visit_point(const char *name, uint64_t seed)
{
    unsigned number = point_named(name);
    const struct point *p = &unit->points[number];
    struct random r;
    const unsigned vectors = point_vectors(p);
    random_seed(&r, seed);
    for (unsigned n = 0; n < ALL; n++) {
        values[n] = cut(p, random_u32(&r));
        for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
            for (unsigned k = point_input_at(vectors, i); k < point_input_at(vectors, i + 1); k++)
                inputs[n][k] =
                    random_u32(&r) & (p->input[i].width < 32 ? (1U << p->input[i].width) - 1 : UINT32_MAX);
        visits[n] = (struct visit){.point = (uint16_t)number,
                                   .value = &values[n],
                                   .now = &values[n],
                                   .input = inputs[n]};
    }
}

/* Returns the place in the list of the first expression that gives the function's values at all visits. */
static unsigned found_at(const char *point, uint32_t (*f)(uint32_t value, uint32_t input), const char *input)
{
    visit_point(point, 11);
    const struct point *p = &unit->points[visits[0].point];
    unsigned in = input_named(p, input), count = 0;
    for (int differs = 1; differs >= 0; differs--) /* those that differ come first */
        for (unsigned n = 0; n < EXAMPLES; n++) {
            uint32_t wanted = cut(p, f(values[n], inputs[n][in]));
            struct example e = example_of(&visits[n], p, 0, wanted);
            e.differs = wanted != values[n];
            if (e.differs == differs)
                examples[count++] = e;
        }
    assert_int_equal(count, EXAMPLES);
    uint64_t effort = 0;
    uint32_t expressions = synthesis_run(unit, examples, EXAMPLES, found, &effort);
    assert_in_range(expressions, 1, SYNTHESIS_MAX);
    for (unsigned k = 0; k < expressions; k++) {
        unsigned right = 0;
        for (unsigned n = 0; n < ALL; n++) {
            struct expression_context c = visit_context(unit, &visits[n], 0);
            uint32_t got = expression_evaluate(found[k].node, found[k].count, &c);
            right += cut(p, got) == cut(p, f(values[n], inputs[n][in]));
        }
        if (right == ALL)
            return k;
    }
    return SYNTHESIS_MAX;
}

static uint32_t masks(uint32_t value, uint32_t input)
{
    (void)input;
    return value & 31;
}

static uint32_t adds(uint32_t value, uint32_t input)
{
    return value + input;
}

static uint32_t shifts_and_adds(uint32_t value, uint32_t input)
{
    return (value << 2) + input;
}

static uint32_t flips_and_subtracts(uint32_t value, uint32_t input)
{
    return input - (value ^ 8);
}

static void expressions_of_one_and_of_two_operators_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *point, *input;
        uint32_t (*f)(uint32_t value, uint32_t input);
    } rows[] = {
        {"block.stride", "word", masks},
        {"block.address", "stride", adds},
        {"block.address", "stride", shifts_and_adds},
        {"block.address", "stride", flips_and_subtracts},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned at = found_at(rows[i].point, rows[i].f, rows[i].input);
        if (at >= 2) /* the list has the best fit and the smallest expression in turn */
            fail_msg("row %u: the expression is at %u", i, at);
    }
}

/* Is the expression in the list? */
static bool has(uint32_t count, const char *text)
{
    struct expression e = {.count = 0};
    struct error error = {0};
    size_t at = 0;
    bool any = false;
    if (!expression_parse(&unit->points[visits[0].point], text, strlen(text), &at, &e, &error))
        fail_msg("%s", error.text);
    for (uint32_t i = 0; i < count; i++)
        any |= expression_equal(&found[i], &e);
    return any;
}

/* In all examples the result is 0, and so is an input. Only visits at which any value is allowed tell the
 * number from the input. */
static void contexts_keep_expressions_apart(void **state)
{
    (void)state;
    struct example all[EXAMPLES + SYNTHESIS_CONTEXTS];
    uint64_t effort = 0;
    visit_point("block.address", 12);
    const struct point *p = &unit->points[visits[0].point];
    const unsigned stride = input_named(p, "stride");
    for (unsigned n = 0; n < EXAMPLES; n++) {
        inputs[n][stride] = 0;
        all[n] = example_of(&visits[n], p, 0, 0);
    }
    for (unsigned n = 0; n < SYNTHESIS_CONTEXTS; n++)
        all[EXAMPLES + n] = (struct example){.at = &visits[EXAMPLES + n], .open = true};
    assert_true(example_allows(&all[EXAMPLES], 77));
    const uint32_t count = synthesis_run(unit, all, EXAMPLES + SYNTHESIS_CONTEXTS, found, &effort);
    assert_true(has(count, "0"));
    assert_true(has(count, "stride"));
}

/* What differs by one, differs so only for some values of inputs that the expression need not know. The list
 * has the small expression, too, for a guard, although larger ones fit more examples by chance. */
static void a_small_expression_that_needs_a_guard_is_found(void **state)
{
    (void)state;
    uint64_t effort = 0;
    unsigned count = 0, small = 0;
    unit = unit_named("vc4-qpu");
    visit_point("float.result", 7);
    const struct point *p = &unit->points[visits[0].point];
    for (unsigned n = 0; n < EXAMPLES; n++) {
        examples[count] = example_of(&visits[n], p, 0, n < 8 ? values[n] - 1 : values[n]);
        examples[count++].differs = n < 8;
    }
    const uint32_t expressions = synthesis_run(unit, examples, EXAMPLES, found, &effort);
    for (unsigned k = 0; k < expressions && k < 8; k++) {
        unsigned right = 0;
        for (unsigned n = 0; n < ALL; n++) {
            const struct expression_context c = visit_context(unit, &visits[n], 0);
            right += expression_evaluate(found[k].node, found[k].count, &c) == values[n] - 1;
        }
        small += right == ALL;
    }
    unit = unit_named("vc4-vpm");
    assert_true(small > 0);
}

/* Examples of block.address: what the expression gives. `zero`: input `stride` is 0 in every second one. */
static uint32_t count_found(const char *text, bool zero)
{
    struct expression e = {.count = 0};
    struct error error = {0};
    size_t at = 0;
    uint64_t effort = 0;
    visit_point("block.address", 13);
    const struct point *p = &unit->points[visits[0].point];
    if (!expression_parse(p, text, strlen(text), &at, &e, &error))
        fail_msg("%s", error.text);
    for (unsigned n = 0; n < EXAMPLES; n++) {
        inputs[n][input_named(p, "stride")] *= !zero || n % 2;
        const struct expression_context c = visit_context(unit, &visits[n], 0);
        examples[n] = example_of(&visits[n], p, 0, cut(p, expression_evaluate(e.node, e.count, &c)));
        examples[n].differs = examples[n].value[0] != values[n];
    }
    return synthesis_run(unit, examples, EXAMPLES, found, &effort);
}

/* Of a mode that no example has, for instance. */
static void no_examples_give_no_expressions(void **state)
{
    (void)state;
    struct expression found[SYNTHESIS_MAX];
    uint64_t effort = 0;
    assert_int_equal(synthesis_run(unit, NULL, 0, found, &effort), 0);
}

static void a_bit_chooses_between_inputs(void **state)
{
    (void)state;
    assert_true(has(count_found("if(horizontal, stride, value)", false), "if(horizontal, stride, value)"));
    assert_true(has(count_found("if(size & 2, laned, value)", false), "if(size & 2, laned, value)"));
}

/* "value - !stride" is "value - 1" with a guard, which leaves the other values to other rules. */
static void conditions_are_left_to_guards(void **state)
{
    (void)state;
    const uint32_t count = count_found("value - !stride", true);
    assert_true(has(count, "value - 1"));
    assert_false(has(count, "value - !stride"));
}

static uint32_t size_of(const char *text)
{
    struct expression e = {.count = 0};
    struct error error = {0};
    size_t at = 0;
    if (!expression_parse(&unit->points[point_named("block.stride")], text, strlen(text), &at, &e, &error))
        fail_msg("%s", error.text);
    return expression_size(&e);
}

/* Each is smaller than the next: hardware seldom saturates bytes, and a number with one run of ones is a
 * mask. A number of few bits is small even with several runs. */
static void usual_expressions_are_smaller(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"value & 0x1f", "v8subs(value, word)"},   {"value & 0xffff0000", "value & 0xa5c30000"},
        {"value & 5", "value & 0x50005"},          {"value", "value + word"},
        {"value + word", "value * word"},          {"value * word", "fmul(value, word)"},
        {"value & 0x1f", "(value & 0x1f) + word"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (size_of(rows[i][0]) >= size_of(rows[i][1]))
            fail_msg("'%s' is not smaller than '%s'", rows[i][0], rows[i][1]);
}

int main(void)
{
    unit = unit_named("vc4-vpm");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_of_one_and_of_two_operators_are_found),
        cmocka_unit_test(contexts_keep_expressions_apart),
        cmocka_unit_test(a_small_expression_that_needs_a_guard_is_found),
        cmocka_unit_test(no_examples_give_no_expressions),
        cmocka_unit_test(a_bit_chooses_between_inputs),
        cmocka_unit_test(conditions_are_left_to_guards),
        cmocka_unit_test(usual_expressions_are_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
