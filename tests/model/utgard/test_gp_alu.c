/* SPDX-License-Identifier: MIT */
/*
 * The GP's arithmetic against independent implementations (MPFR, the host's float and double). What the model
 * knows of a result must hold for every value that the operands may have.
 */
#include "model/utgard/gp_alu.h"
#include "tests/model/vc4/qpu/alu/support_slow_float.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static const struct gp_rules ieee = {.ordinary = true, .nan = GP_NAN_DEFAULT};

static void expect(const char *what, uint32_t a, uint32_t b, uint32_t got, uint32_t expected)
{
    if (got != expected && !(bits_are_nan(got) && bits_are_nan(expected)))
        fail_msg("%s of %08x and %08x is %08x, should be %08x", what, a, b, got, expected);
}

static void sums_and_products(void **state)
{
    (void)state;
    struct slow_random r = {20};
    uint64_t covered = 0;
    for (unsigned n = 0; n < support_scaled(2000000); n++) {
        uint32_t a, b;
        slow_random_operands(&r, &a, &b);
        volatile float x = float_of(a),
                       y = float_of(b); /* the host's IEEE arithmetic, on x86 by SSE (CMakeLists.txt) */
        expect("the sum", a, b, gp_add(&ieee, a, b, &covered), bits_of(x + y));
        expect("the product", a, b, gp_multiply(&ieee, a, b, &covered), bits_of(x * y));
#ifdef HAVE_MPFR
        if (n % 16 == 0) {
            expect("the sum", a, b, gp_add(&ieee, a, b, &covered), slow_ieee_add(a, b));
            expect("the product", a, b, gp_multiply(&ieee, a, b, &covered), slow_ieee_multiply(a, b));
        }
#endif
    }
}

/* If an operation does not cover the rounding clause, rounding the other way must give the same bits. */
static void coverage_of_rounding_is_sound(void **state)
{
    (void)state;
    const struct gp_rules cut = {.f = {.rounding = ROUND_TRUNCATE}, .nan = GP_NAN_DEFAULT},
                          flush = {.f = {.flush = true}, .nan = GP_NAN_DEFAULT};
    struct slow_random r = {21};
    unsigned exact = 0;
    for (unsigned n = 0; n < support_scaled(1000000); n++) {
        uint32_t a, b;
        slow_random_operands(&r, &a, &b);
        if (n % 4 == 0)
            b &= 0xFFF80000; /* few mantissa bits, so that results are often exact */
        for (unsigned op = GP_DO_ADD; op <= GP_DO_MOVE; op++) {
            uint64_t covered = 0, ignored = 0;
            uint32_t result = gp_compute(&ieee, (enum gp_action)op, a, b, &covered);
            if (!(covered & GP_CLAUSE_BIT(GP_CLAUSE_ROUNDING))) {
                expect("without rounding, the result", a, b,
                       gp_compute(&cut, (enum gp_action)op, a, b, &ignored), result);
                exact++;
            }
            if (!(covered & GP_CLAUSE_BIT(GP_CLAUSE_DENORMAL)))
                expect("without denormals, the result", a, b,
                       gp_compute(&flush, (enum gp_action)op, a, b, &ignored), result);
            covered = 0; /* now from `flush`: a denormal * Inf becomes 0 * Inf, a NaN */
            result = gp_compute(&flush, (enum gp_action)op, a, b, &covered);
            if (!(covered & GP_CLAUSE_BIT(GP_CLAUSE_DENORMAL)))
                expect("with denormals, the result", a, b,
                       gp_compute(&ieee, (enum gp_action)op, a, b, &ignored), result);
        }
    }
    assert_true(exact > support_scaled(1000000));
}

static void other_operations(void **state)
{
    (void)state;
    struct slow_random r = {22};
    uint64_t covered = 0;
    for (unsigned n = 0; n < support_scaled(1000000); n++) {
        uint32_t a, b;
        slow_random_operands(&r, &a, &b);
        float x = float_of(a), y = float_of(b);
        expect("floor", a, a, gp_compute(&ieee, GP_DO_FLOOR, a, 0, &covered), bits_of(floorf(x)));
        expect("ge", a, b, gp_compute(&ieee, GP_DO_GE, a, b, &covered), bits_of(x >= y ? 1.0F : 0.0F));
        expect("lt", a, b, gp_compute(&ieee, GP_DO_LT, a, b, &covered), bits_of(x < y ? 1.0F : 0.0F));
        expect("sign", a, a, gp_compute(&ieee, GP_DO_SIGN, a, 0, &covered),
               bits_of(x > 0   ? 1.0F
                       : x < 0 ? -1.0F
                               : 0.0F));
        if (!(x == 0 && y == 0) && !isnan(x) && !isnan(y)) {
            expect("min", a, b, gp_compute(&ieee, GP_DO_MIN, a, b, &covered), bits_of(fminf(x, y)));
            expect("max", a, b, gp_compute(&ieee, GP_DO_MAX, a, b, &covered), bits_of(fmaxf(x, y)));
        }
    }
}

/* ---- what the model knows of results ---- */

/* Returns a float's place in the order of values: 0 for both zeros, up and down from there. */
static int64_t place_of(uint32_t x)
{
    return x >> 31 ? -(int64_t)(x & 0x7FFFFFFF) : (int64_t)x;
}

static uint32_t float_near(uint32_t x, int64_t steps)
{
    int64_t place = place_of(x) + steps;
    place = place > 0x7F800000 ? 0x7F800000 : place < -0x7F800000 ? -0x7F800000 : place;
    return place < 0 ? 0x80000000U | (uint32_t)-place : (uint32_t)place;
}

/* May the result be `other`, if the model says `value` and knows `known` of it? */
static bool admits(struct gp_known known, uint32_t value, uint32_t other)
{
    bool bits = !((value ^ other) & known.defined);
    if (!known.tolerance)
        return bits;
    return bits && !bits_are_nan(value) && !bits_are_nan(other) &&
           llabs(place_of(value) - place_of(other)) <= known.tolerance;
}

/* Returns an operand with a random tolerance, often with none. */
static struct gp_operand blur(struct slow_random *r, uint32_t value)
{
    uint64_t dice = slow_random_next(r);
    uint32_t ulps =
        dice % 3 && !bits_are_nan(value) ? 1 + ((uint32_t)(dice >> 32 & 0x3FFFFFF) >> dice / 8 % 26) : 0;
    return (struct gp_operand){value, {ulps ? 0 : UINT32_MAX, ulps}};
}

/* Returns one of the values that an operand may have, often an end. Of zero returns either sign. */
static struct gp_operand settle(struct slow_random *r, const struct gp_operand *o)
{
    int64_t n = o->known.tolerance, by = (int64_t)(slow_random_next(r) % (uint64_t)(2 * n + 1)) - n;
    if (slow_random_next(r) % 3 == 0)
        by = slow_random_next(r) % 2 ? n : -n;
    uint32_t x = n ? float_near(o->value, by) : o->value;
    return (struct gp_operand){n && !x && slow_random_next(r) % 2 ? 0x80000000 : x, {UINT32_MAX, 0}};
}

/* Returns a second operand that often gives results near 0 or 1, or at the ends of the range. */
static uint32_t partner(struct slow_random *r, uint32_t a, uint32_t b)
{
    switch (slow_random_next(r) % 6) {
    case 0:
        return a ^ 0x80000000;
    case 1:
        return float_near(a ^ 0x80000000, (int64_t)(slow_random_next(r) % 64) - 32);
    case 2:
        return (uint32_t)(slow_random_next(r) % 8) | (uint32_t)slow_random_next(r) << 31;
    default:
        return b;
    }
}

/* Whatever values the operands have within their tolerances, the model must allow the result. */
static void results_stay_within_what_is_known(void **state)
{
    (void)state;
    struct slow_random r = {23};
    static const enum gp_action actions[] = {GP_DO_ADD, GP_DO_FLOOR, GP_DO_SIGN, GP_DO_GE,   GP_DO_LT,
                                             GP_DO_MIN, GP_DO_MAX,   GP_DO_MUL,  GP_DO_MOVE, GP_DO_CLAMP};
    static const struct gp_rules flush = {.f = {.flush = true}, .nan = GP_NAN_DEFAULT},
                                 cut = {.f = {.rounding = ROUND_TRUNCATE}, .nan = GP_NAN_DEFAULT};
    const struct gp_rules *const rules[] = {&ieee, &flush, &cut};
    uint64_t covered = 0;
    unsigned count = support_scaled(600000), known = 0, tolerances = 0;
    for (unsigned n = 0; n < count; n++) {
        uint32_t a, b, c, d, value, other;
        slow_random_operands(&r, &a, &b);
        slow_random_operands(&r, &c, &d);
        enum gp_action action = actions[slow_random_next(&r) % (sizeof actions / sizeof *actions)];
        const struct gp_rules *rule = rules[slow_random_next(&r) % 3];
        const struct gp_operand o[3] = {blur(&r, a), blur(&r, partner(&r, a, b)), blur(&r, c)};
        struct gp_known k = gp_compute_known(rule, action, o, &value, &covered);
        known += k.defined || k.tolerance;
        tolerances += k.tolerance != 0;
        for (unsigned time = 0; time < 8; time++) {
            const struct gp_operand full[3] = {settle(&r, &o[0]), settle(&r, &o[1]), settle(&r, &o[2])};
            gp_compute_known(rule, action, full, &other, &covered);
            if (!admits(k, value, other))
                fail_msg("action %u: %08x (%u), %08x (%u), %08x (%u) gives %08x (%08x, %u ulps); with %08x, "
                         "%08x, %08x it is %08x",
                         action, o[0].value, o[0].known.tolerance, o[1].value, o[1].known.tolerance,
                         o[2].value, o[2].known.tolerance, value, k.defined, k.tolerance, full[0].value,
                         full[1].value, full[2].value, other);
        }
    }
    print_message("  something is known of %u of %u results, a distance of %u\n", known, count, tolerances);
    assert_true(known > count / 10 * 8 && tolerances > count / 5);
}

/* An undefined operand gives an undefined result. So does the sum of a NaN and an operand with a
 * tolerance. */
static void undefined_operands_give_undefined_results(void **state)
{
    (void)state;
    uint64_t covered = 0;
    uint32_t value;
    const struct gp_operand half[3] = {{0x3F800000, {0xFFFF0000, 0}}, {0x40000000, {UINT32_MAX, 0}}},
                            nan[3] = {{0x7FC00000, {UINT32_MAX, 0}}, {0x40000000, {0, 4}}};
    for (unsigned action = GP_DO_ADD; action <= GP_DO_MOVE; action++)
        assert_int_equal(gp_compute_known(&ieee, (enum gp_action)action, half, &value, &covered).defined, 0);
    assert_int_equal(gp_compute_known(&ieee, GP_DO_ADD, nan, &value, &covered).defined, 0);
    /* The first operand can be 0, so the product can be 0 * Inf. */
    const struct gp_operand zero[3] = {{0x00000002, {0, 4}}, {0x7F800000, {UINT32_MAX, 0}}};
    struct gp_known k = gp_compute_known(&ieee, GP_DO_MUL, zero, &value, &covered);
    assert_true(!k.defined && !k.tolerance);
}

/* If sign returns a NaN unchanged, all its bits are defined, whatever gp-nan-payload says. A move of a partly
 * defined value covers gp-identity. */
static void unchanged_operands_keep_defined_bits(void **state)
{
    (void)state;
    const struct gp_rules keeps = {.ordinary = true, .sign_edge = GP_SIGN_KEEPS},
                          passes = {.identity = GP_IDENTITY_BYPASS}, moves = {0};
    const struct gp_operand nan[3] = {{0xFFC00001, {UINT32_MAX, 0}}},
                            part[3] = {{0x3E9A0000, {0x80000000, 0}}};
    uint64_t covered = 0;
    uint32_t value;
    assert_int_equal(gp_compute_known(&keeps, GP_DO_SIGN, nan, &value, &covered).defined, UINT32_MAX);
    assert_int_equal(value, 0xFFC00001);
    for (unsigned i = 0; i < 2; i++) {
        covered = 0;
        assert_int_equal(gp_compute_known(i ? &passes : &moves, GP_DO_MOVE, part, &value, &covered).defined,
                         i ? 0x80000000 : 0);
        assert_true(covered & GP_CLAUSE_BIT(GP_CLAUSE_IDENTITY));
    }
}

#ifdef HAVE_MPFR
static const struct {
    enum gp_complex_op op;
    char which;
} functions[] = {{GP_COMPLEX_RCP, 'r'},
                 {GP_COMPLEX_RSQRT, 'q'},
                 {GP_COMPLEX_EXP2, 'e'},
                 {GP_COMPLEX_LOG2, 'l'}};

/* Returns a positive normal operand, often a power of two or a neighbour of one. */
static uint32_t function_operand(struct slow_random *r, unsigned f)
{
    uint32_t x = (uint32_t)slow_random_next(r) & 0x7FFFFFFF;
    if (functions[f].op == GP_COMPLEX_EXP2)
        x = (x & 0x007FFFFF) | (uint32_t)(110 + slow_random_next(r) % 23) << 23;
    if (slow_random_next(r) % 4 == 0)
        x = (x & 0x7F800000) + (uint32_t)(slow_random_next(r) % 5) - 2;
    return x;
}

/* For any operand within its tolerance, a result is right if it is within four units in the last place of the
 * correct one. If the operand is exact, a result five units away is wrong. */
static void check_tolerance(struct slow_random *r, unsigned f, uint32_t x, unsigned *checked)
{
    uint64_t covered = 0;
    struct gp_known known;
    struct gp_operand o = blur(r, x);
    if (o.known.tolerance > 1000)
        o.known.tolerance %= 1000;
    o.known.defined = o.known.tolerance ? 0 : UINT32_MAX;
    uint32_t value = gp_function(&ieee, functions[f].op, o, &known, &covered);
    for (unsigned time = 0; time < 4; time++) {
        uint32_t operand = settle(r, &o).value;
        if (operand < 0x00800000 || operand >= 0x7F800000)
            continue;
        uint32_t right = slow_function(functions[f].which, operand);
        for (int64_t ulps = -4; ulps <= 4; ulps += 4)
            if (!admits(known, value, float_near(right, ulps)))
                fail_msg("function %u of %08x (%u ulps) is %08x (%u ulps), but %08x may give %08x", f, x,
                         o.known.tolerance, value, known.tolerance, operand, float_near(right, ulps));
    }
    bool special = known.defined == UINT32_MAX;
    if (o.known.tolerance || special)
        return;
    for (int64_t ulps = -5; ulps <= 5; ulps += 10)
        if (admits(known, value, float_near(value, ulps)) && float_near(value, ulps) != value &&
            (float_near(value, ulps) & 0x7FFFFFFF) != 0x7F800000)
            fail_msg("function %u of %08x is %08x, and %08x counts as right", f, x, value,
                     float_near(value, ulps));
    (*checked)++;
}
#endif

/* A NaN with unknown sign and payload gives a NaN, even if its known bits look like those of an infinity.
 * IEEE 754-2019 6.2: operations on a NaN give a NaN. */
static void a_nan_without_payload_stays_a_nan(void **state)
{
    (void)state;
    static const enum gp_complex_op ops[] = {GP_COMPLEX_RCP, GP_COMPLEX_RSQRT, GP_COMPLEX_EXP2,
                                             GP_COMPLEX_LOG2};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        for (uint32_t sign = 0; sign < 2; sign++) {
            uint64_t covered = 0;
            struct gp_known known;
            struct gp_operand o = {.value = 0x7F800000 | sign << 31, .known = {.defined = 0x7F800000}};
            uint32_t value = gp_function(&ieee, ops[i], o, &known, &covered);
            assert_true((value & 0x7FFFFFFF) > 0x7F800000);
            assert_true(known.defined & 0x7F800000);
        }
}

/* No document states an accuracy, so any result within four units in the last place is right. Under reading
 * `exact` results are correctly rounded. */
static void functions_of_the_complex_unit(void **state)
{
    (void)state;
#ifdef HAVE_MPFR
    const struct gp_rules exact = {.ordinary = true, .accuracy = GP_ACCURACY_EXACT, .nan = GP_NAN_DEFAULT};
    struct slow_random r = {24};
    uint64_t covered = 0;
    unsigned checked = 0;
    for (unsigned n = 0; n < support_scaled(60000); n++)
        for (unsigned f = 0; f < 4; f++) {
            struct gp_known known;
            const struct gp_operand x = {function_operand(&r, f), {UINT32_MAX, 0}};
            if (x.value < 0x00800000 || x.value >= 0x7F800000)
                continue;
            uint32_t value = gp_function(&exact, functions[f].op, x, &known, &covered);
            assert_int_equal(known.defined, UINT32_MAX);
            assert_int_equal(known.tolerance, 0);
            expect("the function", x.value, functions[f].op, value,
                   slow_function(functions[f].which, x.value));
            check_tolerance(&r, f, x.value, &checked);
        }
    assert_true(checked > support_scaled(60000));
    slow_done();
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(coverage_of_rounding_is_sound),
        cmocka_unit_test(other_operations),
        cmocka_unit_test(results_stay_within_what_is_known),
        cmocka_unit_test(undefined_operands_give_undefined_results),
        cmocka_unit_test(unchanged_operands_keep_defined_bits),
        cmocka_unit_test(a_nan_without_payload_stays_a_nan),
        cmocka_unit_test(functions_of_the_complex_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
