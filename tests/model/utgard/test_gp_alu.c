/* SPDX-License-Identifier: MIT */
/*
 * The GP's arithmetic against independent implementations (MPFR, the host's float and double), and
 * definedness: no value of the operands' undefined bits changes a defined bit of the result.
 */
#include "model/utgard/gp_alu.h"
#include "tests/model/vc4/qpu/support_slow_float.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

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
                       y = float_of(b); /* the host's IEEE arithmetic; SSE on x86 (CMakeLists.txt) */
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

/* Where the rounding clause is not covered, rounding the other way gives the same bits. */
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
            b &= 0xFFF80000; /* few bits: often exact */
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
            covered = 0; /* the same from the other reading: 0 times an infinity is a NaN, a denormal times it
                            is not */
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

/* A value with `bits` undefined low bits, and the same with other low bits. */
static struct gp_operand blur(uint32_t value, uint64_t bits)
{
    return (struct gp_operand){value, bits ? ~(UINT32_MAX >> (32 - bits)) : UINT32_MAX};
}

static void undefined_bits_stay_undefined(void **state)
{
    (void)state;
    struct slow_random r = {23};
    static const enum gp_action actions[] = {GP_DO_ADD, GP_DO_FLOOR, GP_DO_SIGN, GP_DO_GE,   GP_DO_LT,
                                             GP_DO_MIN, GP_DO_MAX,   GP_DO_MUL,  GP_DO_MOVE, GP_DO_CLAMP};
    uint64_t covered = 0, bits = 0;
    unsigned count = support_scaled(400000);
    for (unsigned n = 0; n < count; n++) {
        uint32_t a, b, c, d;
        slow_random_operands(&r, &a, &b);
        slow_random_operands(&r, &c, &d);
        enum gp_action action = actions[slow_random_next(&r) % (sizeof actions / sizeof *actions)];
        const struct gp_operand o[3] = {blur(a, slow_random_next(&r) % 28),
                                        blur(b, slow_random_next(&r) % 2 * (slow_random_next(&r) % 20)),
                                        blur(c, 0)};
        uint32_t value, other, defined = gp_compute_defined(&ieee, action, o, &value, &covered);
        bits += (unsigned)__builtin_popcount(defined);
        for (unsigned k = 0; k < 8; k++) {
            const struct gp_operand full[3] = {
                {(a & o[0].defined) | ((uint32_t)slow_random_next(&r) & ~o[0].defined), UINT32_MAX},
                {(b & o[1].defined) | ((uint32_t)slow_random_next(&r) & ~o[1].defined), UINT32_MAX},
                {c, UINT32_MAX}};
            gp_compute_defined(&ieee, action, full, &other, &covered);
            if ((value ^ other) & defined)
                fail_msg(
                    "action %u: %08x (%08x), %08x (%08x), %08x gives %08x (%08x); with %08x, %08x it is %08x",
                    action, a, o[0].defined, b, o[1].defined, c, value, defined, full[0].value, full[1].value,
                    other);
        }
    }
    assert_true(bits > (uint64_t)count * 6); /* and some bits are defined */
}

/* Where sign keeps a NaN all its bits are defined, whatever gp-nan-payload says. A move of a partly defined
 * value covers gp-identity. */
static void unchanged_operands_keep_defined_bits(void **state)
{
    (void)state;
    const struct gp_rules keeps = {.ordinary = true, .sign_edge = GP_SIGN_KEEPS},
                          passes = {.identity = GP_IDENTITY_BYPASS}, moves = {0};
    const struct gp_operand nan[3] = {{0xFFC00001, UINT32_MAX}}, part[3] = {{0x3E9A0000, 0x80000000}};
    uint64_t covered = 0;
    uint32_t value;
    assert_int_equal(gp_compute_defined(&keeps, GP_DO_SIGN, nan, &value, &covered), UINT32_MAX);
    assert_int_equal(value, 0xFFC00001);
    for (unsigned i = 0; i < 2; i++) {
        covered = 0;
        assert_int_equal(gp_compute_defined(i ? &passes : &moves, GP_DO_MOVE, part, &value, &covered),
                         i ? 0x80000000 : 0);
        assert_true(covered & GP_CLAUSE_BIT(GP_CLAUSE_IDENTITY));
    }
}

/* Without a documented accuracy, results are within four units in the last place; exact ones are correctly
 * rounded. */
static void functions_of_the_complex_unit(void **state)
{
    (void)state;
#ifdef HAVE_MPFR
    static const struct {
        enum gp_complex_op op;
        char which;
    } functions[] = {{GP_COMPLEX_RCP, 'r'},
                     {GP_COMPLEX_RSQRT, 'q'},
                     {GP_COMPLEX_EXP2, 'e'},
                     {GP_COMPLEX_LOG2, 'l'}};
    const struct gp_rules exact = {.ordinary = true, .accuracy = GP_ACCURACY_EXACT, .nan = GP_NAN_DEFAULT};
    struct slow_random r = {24};
    uint64_t covered = 0;
    for (unsigned n = 0; n < support_scaled(60000); n++)
        for (unsigned f = 0; f < 4; f++) {
            uint32_t x = (uint32_t)slow_random_next(&r) & 0x7FFFFFFF, defined, loose;
            x = functions[f].op == GP_COMPLEX_EXP2
                    ? (x & 0x007FFFFF) | (uint32_t)(110 + slow_random_next(&r) % 23) << 23
                    : x;
            if (x < 0x00800000 || x >= 0x7F800000)
                continue;
            uint32_t value = gp_function(&exact, functions[f].op, x, UINT32_MAX, &defined, &covered),
                     expected = slow_function(functions[f].which, x);
            assert_int_equal(defined, UINT32_MAX);
            expect("the function", x, functions[f].op, value, expected);
            (void)gp_function(&ieee, functions[f].op, x, UINT32_MAX, &loose, &covered);
            for (int ulp = -4;
                 ulp <= 4 && (expected & 0x7FFFFFFF) > 0x00800010 && (expected & 0x7FFFFFFF) < 0x7F7FFFF0;
                 ulp++)
                assert_int_equal((expected + (uint32_t)ulp) & loose, value & loose);
        }
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
        cmocka_unit_test(undefined_bits_stay_undefined),
        cmocka_unit_test(unchanged_operands_keep_defined_bits),
        cmocka_unit_test(functions_of_the_complex_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
