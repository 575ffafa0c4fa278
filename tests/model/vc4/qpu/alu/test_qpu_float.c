/* SPDX-License-Identifier: MIT */
/*
 * The QPU's float arithmetic against exact values (MPFR) and the host's float unit. Profile `manual` must
 * follow IEEE 754. Profile `bcm2835` must follow the rules worked out from recorded values. Every variant of
 * the kernels must give the same words.
 */
#include "model/number/tolerance.h"
#include "tests/model/vc4/qpu/alu/support_alu.h"
#include "tests/model/vc4/qpu/alu/support_slow_float.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef HAVE_MPFR

static const char *const host_names[ALU_HOSTS] = {"plain", "AVX2", "AVX-512"};

/* Makes the rules for each variant that this host can run. Returns their number. */
static unsigned all_hosts(const struct profile *p, struct alu_rules rules[ALU_HOSTS])
{
    unsigned n = 0;
    for (unsigned host = 0; host < ALU_HOSTS; host++)
        if (alu_resolve_for(p, (enum alu_host)host, &rules[n]))
            n++;
    return n;
}

/* Returns the number of random cases. In the long tier (MISPRINT_TEST_LONG) callers choose it by the time
 * that a case takes. */
static uint64_t random_cases(unsigned tier_short, uint64_t tier_long)
{
    return getenv("MISPRINT_TEST_LONG") ? tier_long : support_scaled(tier_short);
}

typedef uint32_t slow_operation(uint32_t a, uint32_t b);

/* Compares an operation in all variants with `slow`, on a vector of operands. */
static void check_vector(const struct alu_rules *rules, unsigned hosts, const char *name,
                         slow_operation *slow, const struct vc4_vector *a, const struct vc4_vector *b)
{
    uint32_t expected[VC4_LANES];
    for (unsigned i = 0; i < VC4_LANES; i++)
        expected[i] = slow(a->lane[i], b->lane[i]);
    for (unsigned h = 0; h < hosts; h++) {
        alu_kernel *kernel = NULL;
        struct vc4_vector result;
        support_alu_op(&rules[h], name, &kernel);
        kernel(&rules[h], a, b, &result, NULL);
        for (unsigned i = 0; i < VC4_LANES; i++)
            if (result.lane[i] != expected[i])
                fail_msg("%s(%08X, %08X) is %08X (%s), expected %08X", name, a->lane[i], b->lane[i],
                         result.lane[i], host_names[h], expected[i]);
    }
}

static void check_operation(const struct profile *p, const char *name, slow_operation *slow, uint64_t random)
{
    struct alu_rules rules[ALU_HOSTS];
    unsigned hosts = all_hosts(p, rules);
    struct slow_random r = {0x5EED};
    struct vc4_vector a, b;
    uint64_t pairs = (uint64_t)slow_boundary_count * slow_boundary_count;
    for (uint64_t n = 0; n < pairs + random; n += VC4_LANES) {
        for (unsigned i = 0; i < VC4_LANES; i++) {
            uint64_t pair = n + i;
            if (pair < pairs) {
                a.lane[i] = slow_boundary[pair / slow_boundary_count];
                b.lane[i] = slow_boundary[pair % slow_boundary_count];
            } else {
                slow_random_operands(&r, &a.lane[i], &b.lane[i]);
            }
        }
        check_vector(rules, hosts, name, slow, &a, &b);
    }
    print_message("%s: %llu boundary pairs, %llu random pairs, %u variants\n", name,
                  (unsigned long long)pairs, (unsigned long long)random, hosts);
}

static uint32_t slow_ieee_subtract(uint32_t a, uint32_t b)
{
    return slow_ieee_add(a, b ^ 0x80000000);
}

static uint32_t slow_silicon_subtract(uint32_t a, uint32_t b)
{
    return slow_silicon_add(a, b ^ 0x80000000);
}

static uint32_t slow_ieee_itof(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_ieee_from_int(a);
}

static uint32_t slow_silicon_itof(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_silicon_from_int(a);
}

static void test_manual_is_ieee(void **state)
{
    (void)state;
    struct profile p = support_alu_profile(PROFILE_MANUAL);
    check_operation(&p, "fadd", slow_ieee_add, random_cases(600000, 100000000));
    check_operation(&p, "fsub", slow_ieee_subtract, random_cases(200000, 100000000));
    check_operation(&p, "fmul", slow_ieee_multiply, random_cases(600000, 100000000));
    check_operation(&p, "itof", slow_ieee_itof, random_cases(200000, 100000000));
}

static void test_silicon_truncates(void **state)
{
    (void)state;
    struct profile p = support_alu_profile(PROFILE_SILICON);
    check_operation(&p, "fadd", slow_silicon_add, random_cases(600000, 100000000));
    check_operation(&p, "fsub", slow_silicon_subtract, random_cases(200000, 100000000));
    check_operation(&p, "fmul", slow_silicon_multiply, random_cases(600000, 100000000));
    check_operation(&p, "itof", slow_silicon_itof, random_cases(200000, 100000000));
}

/* No built-in profile has this rule: fmul with ties away from zero. */
static void test_other_rules(void **state)
{
    (void)state;
    struct profile p = support_alu_profile(PROFILE_MANUAL);
    p.reading[ALU_FMUL_ROUNDING] = FMUL_ROUND_HALF_AWAY;
    check_operation(&p, "fmul", slow_away_multiply, random_cases(200000, 100000000));
}

/* Computes a sum or product with the host's float unit. */
static uint32_t host_binary(bool multiply, uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    volatile float z = multiply ? x * y : x + y;
    float result = z;
    uint32_t bits;
    memcpy(&bits, &result, sizeof bits);
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000 : bits;
}

static uint32_t host_add(uint32_t a, uint32_t b)
{
    return host_binary(false, a, b);
}

static uint32_t host_multiply(uint32_t a, uint32_t b)
{
    return host_binary(true, a, b);
}

static void test_manual_is_the_host_float_unit(void **state)
{
    (void)state;
    struct profile p = support_alu_profile(PROFILE_MANUAL);
    check_operation(&p, "fadd", host_add, random_cases(3000000, 100000000));
    check_operation(&p, "fmul", host_multiply, random_cases(3000000, 100000000));
}

/* Returns the exact value, truncated. The profile decides the results for Inf, NaN and numbers out of range
 * (clauses ftoi-mode, ftoi-out-of-range). */
static uint32_t slow_ftoi(uint32_t x, bool silicon)
{
    uint32_t magnitude = x & 0x7FFFFFFF;
    if (magnitude > 0x7F800000)
        return 0;
    if (magnitude == 0x7F800000)
        return silicon ? 0 : x >> 31 ? 0x80000000 : 0x7FFFFFFF;
    double v = slow_value(x);
    if (v >= 2147483648.0 || v < -2147483648.0) {
        bool end = v == 2147483648.0 || magnitude == 0x7F7FFFFF;
        return silicon ? (end ? 0x80000000 : 0) : v < 0 ? 0x80000000 : 0x7FFFFFFF;
    }
    return (uint32_t)(int32_t)v;
}

static uint32_t slow_manual_ftoi(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_ftoi(a, false);
}

static uint32_t slow_silicon_ftoi(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_ftoi(a, true);
}

static void test_ftoi(void **state)
{
    (void)state;
    struct profile manual = support_alu_profile(PROFILE_MANUAL),
                   silicon = support_alu_profile(PROFILE_SILICON);
    check_operation(&manual, "ftoi", slow_manual_ftoi, random_cases(1000000, 100000000));
    check_operation(&silicon, "ftoi", slow_silicon_ftoi, random_cases(1000000, 100000000));
}

static void test_unpack_every_half(void **state)
{
    (void)state;
    struct alu_rules rules = support_alu_rules(PROFILE_MANUAL);
    for (uint32_t half = 0; half < 0x10000; half++) {
        struct vc4_vector in = {{half}}, out;
        if ((half & 0x7C00) == 0x7C00)
            continue;
        alu_unpack_a(&rules, UNPACK_16A, true, &in, &out);
        assert_true(slow_value(out.lane[0]) == slow_half_value(half));
        assert_int_equal(out.lane[0] >> 31, half >> 15);
    }
}

static void test_pack_half(void **state)
{
    (void)state;
    struct alu_rules rules = support_alu_rules(PROFILE_MANUAL);
    struct slow_random r = {77};
    uint64_t count = 0x80000 + slow_boundary_count + support_scaled(100000);
    for (uint64_t n = 0; n < count; n++) {
        /* around every half: its value, the tie above it, and a value beside the tie */
        uint32_t x, other;
        if (n < 0x80000)
            x = (uint32_t)(0x33000000 + n * 0xE00);
        else if (n - 0x80000 < slow_boundary_count)
            x = slow_boundary[n - 0x80000];
        else
            slow_random_operands(&r, &x, &other);
        struct vc4_vector in = {{x}}, out;
        alu_pack_a(&rules, PACK_16A, true, &in, NULL, NULL, &out);
        if ((x & 0x7FFFFFFF) > 0x7F800000)
            assert_true((out.lane[0] & 0x7FFF) > 0x7C00);
        else if (out.lane[0] != slow_ieee_to_half(x))
            fail_msg("half(%08X) is %04X, expected %04X", x, out.lane[0], slow_ieee_to_half(x));
    }
}

static void test_colours(void **state)
{
    (void)state;
    struct alu_rules manual = support_alu_rules(PROFILE_MANUAL), silicon = support_alu_rules(PROFILE_SILICON);
    for (uint32_t v = 0; v < 256; v++) {
        struct vc4_vector in = {{v}}, out;
        alu_unpack_a(&manual, UNPACK_8A, true, &in, &out);
        assert_int_equal(out.lane[0], slow_colour(v, 0));
        alu_unpack_r4(&silicon, UNPACK_8A, &in, &out);
        assert_int_equal(out.lane[0], slow_colour(v, 1));
    }
}

/* Colour packs of the MUL pipe. A double holds f * 255 exactly. */
static void test_mul_colours(void **state)
{
    (void)state;
    struct alu_rules rules[3];
    struct slow_random r = {78};
    for (unsigned i = 0; i < 3; i++) {
        struct profile p = support_alu_profile(PROFILE_SILICON);
        p.reading[ALU_MUL_PACK_ROUNDING] = (uint8_t)i;
        alu_resolve(&p, &rules[i]);
    }
    for (uint64_t n = support_scaled(300000); n-- > 0;) {
        uint32_t x, other;
        slow_random_operands(&r, &x, &other);
        if (n & 1)
            x = (x & 0x87FFFFFF) | 0x38000000; /* 2^-15 .. 2 */
        double v = (x & 0x7FFFFFFF) > 0x7F800000 ? 0 : slow_value(x) * 255;
        double clamped = v > 255 ? 255 : v < 0 ? 0 : v;
        uint32_t expected[3] = {(uint32_t)(clamped + 0.5), (uint32_t)clamped,
                                v > -1e9 && v < 1e9 ? (uint32_t)(int32_t)v & 255 : 256};
        for (unsigned i = 0; i < 3; i++) {
            struct vc4_vector in = {{x}}, out;
            alu_pack_mul(&rules[i], PACK_8A, 1, &in, NULL, &out);
            if (expected[i] < 256 && out.lane[0] != expected[i])
                fail_msg("colour(%08X) is %02X under reading %u, expected %02X", x, out.lane[0], i,
                         expected[i]);
        }
    }
}

/* Under `manual` SFU results are correctly rounded. */
static void test_sfu_manual(void **state)
{
    (void)state;
    static const char which[SFU_FUNCTIONS] = {
        [SFU_RECIP] = 'r', [SFU_RECIPSQRT] = 'q', [SFU_EXP] = 'e', [SFU_LOG] = 'l', [SFU_SQRT] = 's'};
    struct alu_rules rules = support_alu_rules(PROFILE_MANUAL);
    struct slow_random r = {79};
    uint64_t random = random_cases(100000, 2000000), count = slow_boundary_count + random;
    for (uint64_t n = 0; n < count; n++) {
        uint32_t x, other, defined;
        if (n < slow_boundary_count)
            x = slow_boundary[n];
        else
            slow_random_operands(&r, &x, &other);
        if (n & 1 && n >= slow_boundary_count)
            x = (x & 0x87FFFFFF) | 0x38000000; /* around 1, where the results of 2^x and log2 x vary most */
        bool finite = ((x >> 23) & 255) != 255, zero = (x & 0x7FFFFFFF) == 0;
        for (unsigned f = 0; f < SFU_FUNCTIONS && finite; f++) {
            bool root = f == SFU_RECIPSQRT || f == SFU_LOG || f == SFU_SQRT;
            if ((root && x >> 31) || (zero && f != SFU_EXP))
                continue;
            uint32_t got = support_alu_sfu(&rules, (enum sfu_function)f, x, &defined),
                     expected = slow_function(which[f], x);
            if (got != expected || defined != UINT32_MAX)
                fail_msg("SFU %c(%08X) is %08X, expected %08X", which[f], x, got, expected);
        }
    }
}

static void test_sfu_corners(void **state)
{
    (void)state;
    struct alu_rules manual = support_alu_rules(PROFILE_MANUAL), silicon = support_alu_rules(PROFILE_SILICON);
    uint32_t defined;
    assert_int_equal(support_alu_sfu(&manual, SFU_RECIP, 0x80000000, &defined), 0xFF800000);
    assert_int_equal(support_alu_sfu(&manual, SFU_LOG, 0, &defined), 0xFF800000);
    assert_int_equal(support_alu_sfu(&manual, SFU_LOG, 0xBF800000, &defined), 0x7FC00000);
    assert_int_equal(support_alu_sfu(&manual, SFU_EXP, 0xFF800000, &defined), 0);
    /* Idein/py-videocore tests/test_sfu: 1/0 and 1/sqrt(0) are Inf, and log of 0 is -Inf. rsqrt and log
     * ignore the sign. */
    assert_int_equal(support_alu_sfu(&silicon, SFU_RECIP, 0, &defined), 0x7F800000);
    assert_int_equal(support_alu_sfu(&silicon, SFU_RECIPSQRT, 0, &defined), 0x7F800000);
    assert_int_equal(support_alu_sfu(&silicon, SFU_LOG, 0, &defined), 0xFF800000);
    uint32_t plus = support_alu_sfu(&silicon, SFU_LOG, 0x40490FDB, &defined),
             minus = support_alu_sfu(&silicon, SFU_LOG, 0xC0490FDB, &defined);
    assert_int_equal(plus, minus);
}

/* Published results of a Pi 2: words (Terminus-IMRC/qpu-sfu-accuracy-correction) and decimals (VC4C
 * doc/sfu_accuracy.txt). They may not differ in a defined bit. */
static void test_sfu_published(void **state)
{
    (void)state;
    static const uint32_t recip[][2] = {
        {0x71AE7E4B, 0x0D3BCB00}, {0x6ADE3B69, 0x14137400}, {0x77C35720, 0x0727C000},
        {0x1129289C, 0x6DC1B800}, {0x391C8CD0, 0x45D15100}, {0x55B1D5A5, 0x29384400},
        {0x47384718, 0x37B1D200}, {0x5B09A410, 0x23EE1200}, {0x311BC955, 0x4DD25700},
        {0x2BD53D28, 0x5319AC00}, {0x3C492AC2, 0x42A2E500},
    };
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    uint32_t defined, least = 32;
    for (unsigned i = 0; i < sizeof recip / sizeof recip[0]; i++) {
        uint32_t got = support_alu_sfu(&rules, SFU_RECIP, recip[i][0], &defined);
        assert_int_equal(got & defined, recip[i][1] & defined);
        uint32_t bits = (uint32_t)__builtin_popcount(defined);
        least = bits < least ? bits : least;
    }
    print_message("recip: 11 published words, at least %u defined bits each\n", least);
    static const struct {
        enum sfu_function f;
        uint32_t x;
        double printed;
    } decimals[] = {{SFU_EXP, 0x00000000, 1.000031},   {SFU_EXP, 0x3F800000, 2.000061},
                    {SFU_EXP, 0x3F000000, 1.414246},   {SFU_EXP, 0xBF800000, 0.4999847},
                    {SFU_LOG, 0x3F000000, -0.9999847}, {SFU_LOG, 0x3F800000, 0.0},
                    {SFU_LOG, 0x40000000, 1.0}};
    for (unsigned i = 0; i < sizeof decimals / sizeof decimals[0]; i++) {
        float printed = (float)decimals[i].printed;
        uint32_t bits, got = support_alu_sfu(&rules, decimals[i].f, decimals[i].x, &defined);
        memcpy(&bits, &printed, sizeof bits);
        if (decimals[i].f == SFU_EXP) { /* all bits are defined; printed, the word is the published decimal */
            double difference = slow_value(got) - decimals[i].printed,
                   unit = decimals[i].printed < 1 ? 5e-8 : 5e-7;
            assert_true(difference < unit && difference > -unit);
            assert_int_equal(defined, UINT32_MAX);
        } else {
            assert_int_equal(got & defined, bits & defined);
        }
    }
}

/* Results within the tolerance (the ends of the interval, and random values inside) must agree in the defined
 * bits and be within the distance. Results more than four times as far away must not. (The factor is needed
 * because above a power of two the same number of ulps reaches twice as far.) */
static void test_sfu_tolerance(void **state)
{
    (void)state;
    static const char which[SFU_FUNCTIONS] = {
        [SFU_RECIP] = 'r', [SFU_RECIPSQRT] = 'q', [SFU_EXP] = 'e', [SFU_LOG] = 'l', [SFU_SQRT] = 's'};
    static const double relative[SFU_FUNCTIONS] = {0x1p-14, 0x1p-13, 0x1p-11, 0x1p-11, 0x1p-13};
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    struct slow_random r = {80};
    uint64_t bits_defined[SFU_FUNCTIONS] = {0}, lanes = 0;
    unsigned none[SFU_FUNCTIONS] = {0};
    for (uint64_t n = support_scaled(50000); n-- > 0; lanes++) {
        uint32_t x = ((uint32_t)slow_random_next(&r) & 0x07FFFFFF) | 0x38000000;
        for (unsigned f = 0; f < SFU_FUNCTIONS; f++) {
            uint32_t defined, got = support_alu_sfu(&rules, (enum sfu_function)f, x, &defined);
            double v = slow_value(slow_function(which[f], x)), slack = (v < 0 ? -v : v) * relative[f];
            if (f == SFU_LOG && slack < 0x1p-12)
                slack = 0x1p-12;
            /* the position in the interval, from -1 to 1; a little inside its ends, because v itself is
             * rounded */
            double at = n % 3 == 0   ? 0.999
                        : n % 3 == 1 ? -0.999
                                     : (double)(int32_t)slow_random_next(&r) * 0x1p-31 * 0.999;
            float answer = (float)(v + at * slack);
            uint32_t bits;
            memcpy(&bits, &answer, sizeof bits);
            if (f == SFU_RECIP) /* every published reciprocal ends in eight zeros */
                bits &= ~255U;
            if ((bits ^ got) & defined)
                fail_msg("SFU %c(%08X): %08X lies within the tolerance, model says %08X, defined %08X",
                         which[f], x, bits, got, defined);
            uint32_t tolerance = support_alu_sfu_tolerance(&rules, (enum sfu_function)f, x);
            if (!tolerance) { /* a logarithm near 0, or an exact power of two */
                none[f]++;
            } else {
                float far = (float)(v + (at < 0 ? -4.2 : 4.2) * slack);
                uint32_t far_bits;
                memcpy(&far_bits, &far, sizeof far_bits);
                far_bits &= f == SFU_RECIP ? ~255U : ~0U;
                if (tolerance_difference(tolerance, defined, got, bits))
                    fail_msg("SFU %c(%08X): %08X is within the tolerance, but %u ulps from %08X", which[f], x,
                             bits, tolerance, got);
                if (!tolerance_difference(tolerance, defined, got, far_bits))
                    fail_msg("SFU %c(%08X): %08X counts as right for %08X (%u ulps)", which[f], x, far_bits,
                             got, tolerance);
            }
            bits_defined[f] += (unsigned)__builtin_popcount(tolerance_compared_bits(tolerance, defined));
        }
    }
    for (unsigned f = 0; f < SFU_FUNCTIONS; f++)
        print_message("SFU %c: %.1f of 32 bits compared on average, %u results without a distance\n",
                      which[f], (double)bits_defined[f] / (double)lanes, none[f]);
}

static int done(void **state)
{
    (void)state;
    slow_done();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manual_is_ieee), cmocka_unit_test(test_silicon_truncates),
        cmocka_unit_test(test_other_rules),    cmocka_unit_test(test_manual_is_the_host_float_unit),
        cmocka_unit_test(test_ftoi),           cmocka_unit_test(test_unpack_every_half),
        cmocka_unit_test(test_pack_half),      cmocka_unit_test(test_colours),
        cmocka_unit_test(test_mul_colours),    cmocka_unit_test(test_sfu_manual),
        cmocka_unit_test(test_sfu_corners),    cmocka_unit_test(test_sfu_published),
        cmocka_unit_test(test_sfu_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, done);
}

#else

static void test_needs_mpfr(void **state)
{
    (void)state;
    print_message("built without MPFR: the float tests are skipped\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_needs_mpfr)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
