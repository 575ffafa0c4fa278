/* SPDX-License-Identifier: MIT */
/*
 * Fractions, unpacked operands and special functions of the V3D ALU, against exact arithmetic and libm. A
 * fraction of n bits is v / (2^n - 1), or v / (2^(n-1) - 1) with a sign, as OpenGL and Mesa's v3d compiler
 * define unorm and snorm. The host's double divides and multiplies such numbers so exactly that rounding its
 * result to a float, or to an integer, is right.
 */
#include "model/number/random.h"
#include "model/number/tolerance.h"
#include "model/v3d/alu/v3d_alu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static uint32_t run_by(struct v3d_alu_rules rules, enum v3d_op op, uint32_t a)
{
    struct v3d_alu x = {.active = V3D_ALL_LANES, .rules = rules};
    struct v3d_vector v, result = {{0}};
    for (unsigned i = 0; i < V3D_LANES; i++)
        v.lane[i] = a;
    v3d_operation[op].kernel(&x, &v, &v, &result, NULL);
    for (unsigned i = 1; i < V3D_LANES; i++)
        assert_int_equal(result.lane[i], result.lane[0]);
    return result.lane[0];
}

static uint32_t run(enum v3d_op op, uint32_t a)
{
    return run_by((struct v3d_alu_rules){0}, op, a);
}

static uint32_t bits_of(double d)
{
    float f = (float)d;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static double number_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void fractions_become_the_nearest_floats(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 65536; v++) {
        uint32_t other = ~v << 16, whole = v | other; /* the other half must not matter */
        double is_signed = (int16_t)v < -32767 ? -1 : (int16_t)v / 32767.0;
        assert_int_equal(run(V3D_M_FUNPACKUNORMLO, whole), bits_of(v / 65535.0));
        assert_int_equal(run(V3D_M_FUNPACKUNORMHI, v << 16 | (~v & 0xFFFF)), bits_of(v / 65535.0));
        assert_int_equal(run(V3D_M_FUNPACKSNORMLO, whole), bits_of(is_signed));
        assert_int_equal(run(V3D_M_FUNPACKSNORMHI, v << 16 | (~v & 0xFFFF)), bits_of(is_signed));
    }
}

/* Rounds to nearest even, as rint does. */
static void floats_become_the_nearest_fractions(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 12);
    for (unsigned n = 0; n < 100000; n++) {
        uint32_t f = (random_u32(&r) & 0x807FFFFF) | (100 + random_below(&r, 30)) << 23;
        if (random_one_in(&r, 8)) /* near a half, where two fractions are equally near */
            f = bits_of((random_below(&r, 65536) + 0.5) / 65536);
        double d = number_of(f), low = d < 0 ? 0 : d > 1 ? 1 : d, both = d < -1 ? -1 : d > 1 ? 1 : d;
        assert_int_equal(run(V3D_M_FTOUNORM16, f), (uint32_t)rint(low * 65535));
        assert_int_equal(run(V3D_M_FTOSNORM16, f), (uint32_t)(int32_t)rint(both * 32767) & 0xFFFF);
    }
}

/* GL_EXT_packed_float: five bits of exponent as in a half, six or five of mantissa, no sign. 65024 and 64512
 * are the greatest numbers; greater ones become these, and negative ones 0. Mesa rounds a tie to even. */
static void halves_become_small_floats(void **state)
{
    (void)state;
    static const struct {
        uint16_t half, of_11, of_10;
    } rows[] = {
        {0x3C00, 0x3C0, 0x1E0}, {0x7BFF, 0x7BF, 0x3DF}, {0x7C00, 0x7C0, 0x3E0}, {0x7D23, 0x7C1, 0x3E1},
        {0xFD23, 0x7C1, 0x3E1}, {0xBC00, 0, 0},         {0xFC00, 0, 0},         {0x3C08, 0x3C0, 0x1E0},
        {0x3C18, 0x3C2, 0x1E1}, {0x3C10, 0x3C1, 0x1E0}, {0x3C11, 0x3C1, 0x1E1}, {0x3C30, 0x3C3, 0x1E2},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t expected = rows[n].of_11 | (uint32_t)rows[n].of_11 << 11 | (uint32_t)rows[n].of_10 << 22;
        assert_int_equal(run(V3D_A_V11FPACK, rows[n].half * 0x10001U), expected);
    }
    assert_int_equal(run_by((struct v3d_alu_rules){.v11_range = V3D_V11_INFINITE}, V3D_A_V11FPACK, 0x7BFF) &
                         0x7FF,
                     0x7C0);
    assert_int_equal(run_by((struct v3d_alu_rules){.v11_round = 1}, V3D_A_V11FPACK, 0x3C1F) & 0x7FF, 0x3C1);
}

/* Returns the float that is nearest to d and not farther from zero. */
static double toward_zero(double d)
{
    uint32_t bits = bits_of(d);
    return fabs(number_of(bits)) > fabs(d) ? number_of(bits - 1) : number_of(bits);
}

static uint32_t binary(enum v3d_op op, struct v3d_alu_rules rules, uint32_t a, uint32_t b)
{
    struct v3d_alu x = {.active = V3D_ALL_LANES, .rules = rules};
    struct v3d_vector left = {{a}}, right = {{b}}, result;
    v3d_operation[op].kernel(&x, &left, &right, &result, NULL);
    return result.lane[0];
}

/* A double holds the product of two floats exactly, and the sum of two whose exponents are near. */
static void sums_and_products_are_rounded_by_the_reading(void **state)
{
    (void)state;
    const struct v3d_alu_rules nearest = {0}, truncates = {.float_round = 1};
    struct random r;
    random_seed(&r, 31);
    for (unsigned n = 0; n < 100000; n++) {
        uint32_t a = (random_u32(&r) & 0x807FFFFF) | (115 + random_below(&r, 24)) << 23,
                 b = (random_u32(&r) & 0x807FFFFF) | (115 + random_below(&r, 24)) << 23;
        double x = number_of(a), y = number_of(b);
        assert_int_equal(binary(V3D_A_FADD, nearest, a, b), bits_of(x + y));
        assert_true(number_of(binary(V3D_A_FADD, truncates, a, b)) == toward_zero(x + y));
        assert_true(number_of(binary(V3D_A_FSUB, truncates, a, b)) == toward_zero(x - y));
        assert_true(number_of(binary(V3D_M_FMUL, truncates, a, b)) == toward_zero(x * y));
    }
    assert_int_equal(binary(V3D_M_FMUL, truncates, 0x7F000000, 0xFF000000), 0xFF7FFFFF);
    assert_int_equal(binary(V3D_A_FADD, truncates, 0x7F7FFFFF, 0x7F7FFFFF), 0x7F7FFFFF);
    assert_int_equal(binary(V3D_M_FMUL, truncates, 0x7F800000, 0xC0000000), 0xFF800000);
}

static uint32_t unpacked(enum v3d_unpack mode, uint32_t word)
{
    struct v3d_vector v;
    for (unsigned i = 0; i < V3D_LANES; i++)
        v.lane[i] = word;
    v3d_unpack((struct v3d_alu_rules){0}, mode, &v);
    return v.lane[V3D_LANES - 1];
}

/* The names are Mesa's: L and H are the halves, UL and UH without a sign, LL and HH one half twice. 1.0 is
 * 0x3C00 as a half, -2.0 is 0xC000. */
static void operands_are_unpacked_by_halves(void **state)
{
    (void)state;
    assert_int_equal(unpacked(V3D_UNPACK_L, 0xC0003C00), bits_of(1));
    assert_int_equal(unpacked(V3D_UNPACK_H, 0xC0003C00), bits_of(-2));
    assert_int_equal(unpacked(V3D_UNPACK_LL, 0x9234ABCD), 0xABCDABCD);
    assert_int_equal(unpacked(V3D_UNPACK_HH, 0x9234ABCD), 0x92349234);
    assert_int_equal(unpacked(V3D_UNPACK_SWP, 0x9234ABCD), 0xABCD9234);
    assert_int_equal(unpacked(V3D_UNPACK_UL, 0x9234ABCD), 0xABCD);
    assert_int_equal(unpacked(V3D_UNPACK_UH, 0x9234ABCD), 0x9234);
    assert_int_equal(unpacked(V3D_UNPACK_ABS, bits_of(-2)), bits_of(2));
    assert_int_equal(unpacked(V3D_UNPACK_FF, bits_of(-2)), 0xC000C000);
    assert_int_equal(unpacked(V3D_UNPACK_SAT, bits_of(7)), bits_of(1));
    assert_int_equal(unpacked(V3D_UNPACK_SAT, bits_of(-7)), bits_of(0));
    assert_int_equal(unpacked(V3D_UNPACK_NSAT, bits_of(-7)), bits_of(-1));
    assert_int_equal(unpacked(V3D_UNPACK_MAX0, bits_of(-7)), bits_of(0));
    assert_int_equal(unpacked(V3D_UNPACK_MAX0, bits_of(7)), bits_of(7));
}

static uint32_t sfu(enum v3d_function f, uint32_t x)
{
    return v3d_sfu((struct v3d_alu_rules){0}, f, x);
}

/* py-videocore6 holds the SFU to 10^-4 of the value; V3DLib measures an absolute error of sin below 10^-6.
 * The operand of sin counts in units of pi, and Mesa reduces it to half a unit. */
static void special_functions_are_near(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 13);
    for (unsigned n = 0; n < 20000; n++) {
        double x = random_u32(&r) / 4294967296.0 * 100 + 0.01, small = random_u32(&r) / 4294967296.0 - 0.5;
        double value = number_of(bits_of(x)), near_0 = number_of(bits_of(small));
        assert_true(fabs(number_of(sfu(V3D_RECIP, bits_of(x))) * value - 1) < 1e-4);
        assert_true(fabs(number_of(sfu(V3D_RSQRT, bits_of(x))) * sqrt(value) - 1) < 1e-4);
        assert_true(fabs(number_of(sfu(V3D_EXP, bits_of(small))) / exp2(near_0) - 1) < 1e-4);
        assert_true(fabs(number_of(sfu(V3D_LOG, bits_of(x))) - log2(value)) < 1e-4);
        assert_true(fabs(number_of(sfu(V3D_SINE, bits_of(small))) - sin(acos(-1) * near_0)) < 1e-6);
    }
}

/* IEEE 754 has no logarithm and no root of a negative number: only a reading states a result. */
static void negative_operands_of_the_sfu(void **state)
{
    (void)state;
    const struct v3d_alu_rules nan = {.negative = V3D_NEGATIVE_NAN},
                               plain = {.negative = V3D_NEGATIVE_MAGNITUDE};
    const uint32_t minus_four = bits_of(-4), four = bits_of(4), minus_zero = 0x80000000;
    assert_true(v3d_sfu_is_unstated((struct v3d_alu_rules){0}, V3D_LOG, minus_four));
    assert_true(v3d_sfu_is_unstated((struct v3d_alu_rules){0}, V3D_RSQRT, 0xFF800000));
    assert_false(v3d_sfu_is_unstated((struct v3d_alu_rules){0}, V3D_LOG, four));
    assert_false(v3d_sfu_is_unstated((struct v3d_alu_rules){0}, V3D_LOG, minus_zero));
    assert_false(v3d_sfu_is_unstated((struct v3d_alu_rules){0}, V3D_RECIP, minus_four));
    assert_false(v3d_sfu_is_unstated(nan, V3D_LOG, minus_four));
    assert_int_equal(v3d_sfu(nan, V3D_RSQRT, minus_four), 0x7FC00000);
    assert_int_equal(v3d_sfu(plain, V3D_RSQRT, minus_four), bits_of(0.5));
    assert_int_equal(v3d_sfu(plain, V3D_LOG, minus_four), bits_of(2));
    assert_int_equal(v3d_sfu(plain, V3D_RECIP, minus_four), bits_of(-0.25));
}

/* The readings of sin agree with libm's sine of pi x and of 2 pi x. The host reduces the operand exactly. */
static void sines_beyond_half_a_turn(void **state)
{
    (void)state;
    const struct v3d_alu_rules half_turns = {.sine = V3D_SINE_HALF_TURNS}, turns = {.sine = V3D_SINE_TURNS};
    struct random r;
    random_seed(&r, 17);
    for (unsigned n = 0; n < 20000; n++) {
        double x = number_of(bits_of((random_u32(&r) / 4294967296.0 - 0.5) * (n % 2 ? 8 : 30000)));
        double once = number_of(v3d_sfu(half_turns, V3D_SINE, bits_of(x)));
        assert_true(fabs(once - sin(acos(-1) * fmod(x, 2))) < 1e-6);
        assert_true(fabs(number_of(v3d_sfu(turns, V3D_SINE, bits_of(x))) - sin(acos(-1) * fmod(2 * x, 2))) <
                    1e-6);
        assert_true(number_of(sfu(V3D_SINE, bits_of(x))) == (x >= 0.5 ? 1 : x <= -0.5 ? -1 : once));
    }
    assert_int_equal(sfu(V3D_SINE, 0x7F800000), 0x3F800000);
    assert_int_equal(v3d_sfu(half_turns, V3D_SINE, 0x7F800000), 0x7FC00000);
    assert_int_equal(v3d_sfu(half_turns, V3D_SINE, bits_of(0x1p30)), 0);
}

static bool within(enum v3d_generation g, double value, bool absolute, double other)
{
    uint32_t mask, tolerance = v3d_sfu_tolerance(g, bits_of(value), absolute, &mask);
    return !tolerance_difference(tolerance, mask, bits_of(value), bits_of(other));
}

/* Tests of boards allow 1/10,000 of a value on V3D 4.2 and 1/100 on 7.1; log and sin may be 10^-6 off. */
static void results_of_the_sfu_have_a_tolerance(void **state)
{
    (void)state;
    static const double values[] = {1, -1, 1.25, -1.99, 1e-20, 3.4e38, 0.5000001, 1e-3};
    for (unsigned n = 0; n < sizeof values / sizeof *values; n++) {
        double v = values[n];
        assert_true(within(V3D_42, v, false, v * 1.00009) && within(V3D_42, v, false, v * 0.99991));
        assert_false(within(V3D_42, v, false, v * 1.0003) || within(V3D_42, v, false, v * 0.9997));
        if (v < 3e38)
            assert_true(within(V3D_71, v, false, v * 1.009));
        assert_true(within(V3D_71, v, false, v * 0.991));
        assert_false(within(V3D_71, v, false, v * 0.97));
    }
    assert_true(within(V3D_42, 0, true, 9e-7) && within(V3D_42, 0, true, -9e-7));
    assert_false(within(V3D_42, 0, true, 2e-6));
    assert_true(within(V3D_42, 1e-4, true, 1.009e-4));
    assert_false(within(V3D_42, 1e-4, false, 1.009e-4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_become_the_nearest_floats),
        cmocka_unit_test(floats_become_the_nearest_fractions),
        cmocka_unit_test(sums_and_products_are_rounded_by_the_reading),
        cmocka_unit_test(halves_become_small_floats),
        cmocka_unit_test(operands_are_unpacked_by_halves),
        cmocka_unit_test(special_functions_are_near),
        cmocka_unit_test(sines_beyond_half_a_turn),
        cmocka_unit_test(negative_operands_of_the_sfu),
        cmocka_unit_test(results_of_the_sfu_have_a_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
