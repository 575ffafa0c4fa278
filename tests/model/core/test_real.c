/* SPDX-License-Identifier: MIT */
/* Compares the functions of model/number/real.h with MPFR: the relative error of each result, and the float
 * to which it is rounded. */
#include "model/number/random.h"
#include "model/number/real.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#ifdef HAVE_MPFR
#include <mpfr.h>

/* The correct bits that real.h states, minus three, because the last steps may lose some. */
enum { OF_RECIPROCAL = 37, OF_ROOT = 28, OF_SERIES = 51 };

/* Sets an MPFR number to exactly the float with these bits. */
static void set_float(mpfr_t to, uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    mpfr_set_flt(to, f, MPFR_RNDN);
}

static void set_real(mpfr_t to, struct real r)
{
    mpfr_set_uj(to, r.m, MPFR_RNDN);
    mpfr_mul_2si(to, to, r.e, MPFR_RNDN);
}

static void check(const char *name, uint32_t x, int bits, struct real got, mpfr_t exact)
{
    mpfr_t value, error;
    mpfr_inits2(200, value, error, (mpfr_ptr)NULL);
    mpfr_abs(exact, exact, MPFR_RNDN);
    set_real(value, got);
    if (mpfr_zero_p(exact)) {
        assert_int_equal(got.m, 0);
    } else {
        assert_true(got.m >> 63); /* normalised */
        mpfr_sub(error, value, exact, MPFR_RNDN);
        mpfr_div(error, error, exact, MPFR_RNDN);
        if (!mpfr_zero_p(error) && mpfr_get_exp(error) > -bits)
            fail_msg("%s(%08x) is wrong in bit %ld", name, x, (long)-mpfr_get_exp(error));
    }
    const struct float_rules ieee = {0};
    assert_int_equal(real_round(ieee, got), bits_of(mpfr_get_flt(exact, MPFR_RNDN)));
    mpfr_clears(value, error, (mpfr_ptr)NULL);
}

static void check_all(uint32_t x)
{
    mpfr_t v, exact;
    uint32_t sign;
    mpfr_inits2(200, v, exact, (mpfr_ptr)NULL);
    set_float(v, x);
    mpfr_ui_div(exact, 1, v, MPFR_RNDN);
    check("1/", x, OF_RECIPROCAL, real_reciprocal(x), exact);
    mpfr_rec_sqrt(exact, v, MPFR_RNDN);
    check("rsqrt", x, OF_ROOT, real_reciprocal_root(x), exact);
    mpfr_sqrt(exact, v, MPFR_RNDN);
    check("sqrt", x, OF_ROOT, real_root(x), exact);
    mpfr_log2(exact, v, MPFR_RNDN);
    bool negative = mpfr_sgn(exact) < 0;
    struct real log = real_log2(x, &sign);
    assert_int_equal(sign, negative ? 0x80000000 : 0);
    check("log2", x, OF_SERIES, log, exact);
    mpfr_clears(v, exact, (mpfr_ptr)NULL);
}

static void check_exp2(uint32_t x)
{
    mpfr_t v, exact;
    mpfr_inits2(200, v, exact, (mpfr_ptr)NULL);
    set_float(v, x);
    mpfr_exp2(exact, v, MPFR_RNDN);
    check("exp2", x, OF_SERIES, real_exp2(x), exact);
    mpfr_clears(v, exact, (mpfr_ptr)NULL);
}

static void functions_are_exact_to_their_bits(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 21);
    for (unsigned n = support_scaled(60000); n; n--) {
        uint32_t any = 1 + random_below(&r, 0x7F7FFFFF); /* any positive finite number */
        uint32_t near_1 =
            0x3F800000 + (random_below(&r, 2) ? random_u32(&r) >> (9 + random_below(&r, 23))
                                              : 0U - (random_u32(&r) >> (9 + random_below(&r, 23))));
        check_all(n & 1 ? any : near_1);
        /* |x| < 2^8, so that some results are denormal or too large */
        uint32_t small = random_one_in(&r, 2) ? 0x43800000 - 1 - random_below(&r, 0x04000000)
                                              : 1 + random_below(&r, 0x43800000 - 1);
        check_exp2(small | (random_u32(&r) & 0x80000000));
    }
}

/* Ends of ranges, numbers whose results are exact, and numbers whose log2 is near 0. */
static void edges_are_exact_to_their_bits(void **state)
{
    (void)state;
    static const uint32_t edges[] = {1,          2,          3,          0x7FFFFF,   0x800000,
                                     0x800001,   0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FB504F2,
                                     0x3FB504F3, 0x3FB504F4, 0x3F3504F3, 0x3F3504F4, 0x40000000,
                                     0x40800000, 0x7F7FFFFF, 0x7F000000, 0x7E800000, 0x7E800001};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
        check_all(edges[i]);
        if (edges[i] < 0x43800000) {
            check_exp2(edges[i]);
            check_exp2(edges[i] | 0x80000000);
        }
    }
    for (uint32_t shift = 0; shift < 23; shift++) {
        check_all(0x3F800000 + (1U << shift));
        check_all(0x3F800000 - (1U << shift));
    }
    for (uint32_t x = 0xC2FC0000 - 64; x < 0xC2FC0000 + 64; x++) /* around 2^-126, the least normal */
        check_exp2(x);
    for (uint32_t x = 0x42FFFFC0; x < 0x43000040; x++) /* results around 2^128, which is too large */
        check_exp2(x);
}
#endif

int main(void)
{
#ifdef HAVE_MPFR
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_exact_to_their_bits),
        cmocka_unit_test(edges_are_exact_to_their_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 77;
#endif
}
