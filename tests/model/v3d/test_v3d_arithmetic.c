/* SPDX-License-Identifier: MIT */
/*
 * Fractions, unpacked operands and special functions of the V3D ALU, against exact arithmetic and libm. A
 * fraction of n bits is v / (2^n - 1), or v / (2^(n-1) - 1) with a sign, as OpenGL and Mesa's v3d compiler
 * define unorm and snorm. The host's double divides and multiplies such numbers so exactly that rounding its
 * result to a float, or to an integer, is right.
 */
#include "model/number/random.h"
#include "model/v3d/alu/v3d_alu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static uint32_t run(enum v3d_op op, uint32_t a)
{
    struct v3d_alu x = {.active = V3D_ALL_LANES};
    struct v3d_vector v, result = {{0}};
    for (unsigned i = 0; i < V3D_LANES; i++)
        v.lane[i] = a;
    v3d_operation[op].kernel(&x, &v, &v, &result, NULL);
    for (unsigned i = 1; i < V3D_LANES; i++)
        assert_int_equal(result.lane[i], result.lane[0]);
    return result.lane[0];
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
        assert_true(fabs(number_of(v3d_sfu(V3D_RECIP, bits_of(x))) * value - 1) < 1e-4);
        assert_true(fabs(number_of(v3d_sfu(V3D_RSQRT, bits_of(x))) * sqrt(value) - 1) < 1e-4);
        assert_true(fabs(number_of(v3d_sfu(V3D_EXP, bits_of(small))) / exp2(near_0) - 1) < 1e-4);
        assert_true(fabs(number_of(v3d_sfu(V3D_LOG, bits_of(x))) - log2(value)) < 1e-4);
        assert_true(fabs(number_of(v3d_sfu(V3D_SINE, bits_of(small))) - sin(acos(-1) * near_0)) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_become_the_nearest_floats),
        cmocka_unit_test(floats_become_the_nearest_fractions),
        cmocka_unit_test(operands_are_unpacked_by_halves),
        cmocka_unit_test(special_functions_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
