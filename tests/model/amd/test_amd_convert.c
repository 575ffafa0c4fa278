/* SPDX-License-Identifier: MIT */
/*
 * Conversion between data formats and registers. Expected values come from published vectors (exact
 * arithmetic, and the tests of AMD's rocjitsu, MIT licence), from MPFR for quotients and roundings, and from
 * tables of all floats of up to 16 bits.
 */
#include "model/amd/amd_convert.h"
#include "model/number/random.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef HAVE_MPFR
#include <mpfr.h>
#endif

static const struct amd_rules manual;

struct vector {
    enum amd_number number;
    unsigned bits;
    uint32_t field, value;
};

/* ---- published vectors ---- */

static const struct vector loads[] = {
    {AMD_UNORM, 2, 0, 0x00000000},       {AMD_UNORM, 2, 1, 0x3EAAAAAB},
    {AMD_UNORM, 2, 2, 0x3F2AAAAB},       {AMD_UNORM, 2, 3, 0x3F800000},
    {AMD_UNORM, 8, 0x01, 0x3B808081},    {AMD_UNORM, 8, 0x55, 0x3EAAAAAB},
    {AMD_UNORM, 8, 0x7F, 0x3EFEFEFF},    {AMD_UNORM, 8, 0x80, 0x3F008081},
    {AMD_UNORM, 8, 0xFE, 0x3F7EFEFF},    {AMD_UNORM, 8, 0xFF, 0x3F800000},
    {AMD_SNORM, 8, 0x01, 0x3C010204},    {AMD_SNORM, 8, 0x7F, 0x3F800000},
    {AMD_SNORM, 8, 0x80, 0xBF800000},    {AMD_SNORM, 8, 0x81, 0xBF800000},
    {AMD_SNORM, 8, 0xFF, 0xBC010204},    {AMD_UNORM, 10, 0x001, 0x3A802008},
    {AMD_UNORM, 10, 0x155, 0x3EAAAAAB},  {AMD_UNORM, 10, 0x1FF, 0x3EFFBFF0},
    {AMD_UNORM, 10, 0x200, 0x3F002008},  {AMD_UNORM, 10, 0x3FE, 0x3F7FBFF0},
    {AMD_UNORM, 10, 0x3FF, 0x3F800000},  {AMD_SNORM, 10, 0x001, 0x3B004020},
    {AMD_SNORM, 10, 0x1FF, 0x3F800000},  {AMD_SNORM, 10, 0x200, 0xBF800000},
    {AMD_SNORM, 10, 0x201, 0xBF800000},  {AMD_SNORM, 10, 0x3FF, 0xBB004020},
    {AMD_UNORM, 16, 0x0001, 0x37800080}, {AMD_UNORM, 16, 0x5555, 0x3EAAAAAB},
    {AMD_UNORM, 16, 0x7FFF, 0x3EFFFF00}, {AMD_UNORM, 16, 0x8000, 0x3F000080},
    {AMD_UNORM, 16, 0xFFFF, 0x3F800000}, {AMD_SNORM, 16, 0x0001, 0x38000100},
    {AMD_SNORM, 16, 0x7FFF, 0x3F800000}, {AMD_SNORM, 16, 0x8000, 0xBF800000},
    {AMD_SNORM, 16, 0x8001, 0xBF800000}, {AMD_SNORM, 16, 0xFFFF, 0xB8000100},
    {AMD_FLOAT, 11, 0x001, 0x35800000},  {AMD_FLOAT, 11, 0x03F, 0x387C0000},
    {AMD_FLOAT, 11, 0x040, 0x38800000},  {AMD_FLOAT, 11, 0x3C0, 0x3F800000},
    {AMD_FLOAT, 11, 0x3C1, 0x3F820000},  {AMD_FLOAT, 11, 0x400, 0x40000000},
    {AMD_FLOAT, 11, 0x7BF, 0x477E0000},  {AMD_FLOAT, 11, 0x7C0, 0x7F800000},
    {AMD_FLOAT, 11, 0x7C1, 0x7F820000},  {AMD_FLOAT, 10, 0x001, 0x36000000},
    {AMD_FLOAT, 10, 0x01F, 0x38780000},  {AMD_FLOAT, 10, 0x020, 0x38800000},
    {AMD_FLOAT, 10, 0x1E0, 0x3F800000},  {AMD_FLOAT, 10, 0x200, 0x40000000},
    {AMD_FLOAT, 10, 0x3DF, 0x477C0000},  {AMD_FLOAT, 10, 0x3E0, 0x7F800000},
};

static const struct vector stores[] = {
    {AMD_UNORM, 8, 0x40, 0x3E800000},    {AMD_UNORM, 10, 0x100, 0x3E800000},
    {AMD_UNORM, 16, 0x4000, 0x3E800000}, {AMD_UNORM, 8, 0x80, 0x3F000000},
    {AMD_UNORM, 10, 0x200, 0x3F000000},  {AMD_UNORM, 16, 0x8000, 0x3F000000},
    {AMD_UNORM, 8, 0xBF, 0x3F400000},    {AMD_UNORM, 10, 0x2FF, 0x3F400000},
    {AMD_UNORM, 16, 0xBFFF, 0x3F400000}, {AMD_UNORM, 8, 0xFF, 0x3F800000},
    {AMD_UNORM, 10, 0x3FF, 0x40000000},  {AMD_UNORM, 16, 0xFFFF, 0x40000000},
    {AMD_UNORM, 8, 0x00, 0xBF800000},    {AMD_UNORM, 16, 0x0000, 0xBF800000},
};

static uint32_t load(enum amd_number number, unsigned bits, uint32_t field, const struct amd_rules *rules)
{
    amd_load_values(number, bits, rules, &field, 1);
    return field;
}

static uint32_t store(enum amd_number number, unsigned bits, uint32_t value, const struct amd_rules *rules)
{
    amd_store_values(number, bits, rules, &value, 1);
    return value;
}

static void published_vectors(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        uint32_t got = load(loads[i].number, loads[i].bits, loads[i].field, &manual);
        if (got != loads[i].value)
            fail_msg("load %s%u %X gives %08X, not %08X", amd_number_names[loads[i].number], loads[i].bits,
                     loads[i].field, got, loads[i].value);
    }
    for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++) {
        uint32_t got = store(stores[i].number, stores[i].bits, stores[i].value, &manual);
        if (got != stores[i].field)
            fail_msg("store %s%u %08X gives %X, not %X", amd_number_names[stores[i].number], stores[i].bits,
                     stores[i].value, got, stores[i].field);
    }
}

/* A D16 load of 32-bit floats rounds toward zero: 1.0008 and -2.0 become the halves C0003C00. */
static void rocjitsu_vectors(void **state)
{
    (void)state;
    assert_int_equal(amd_load_half(AMD_FLOAT, 32, bits_of(1.0008F), &manual), 0x3C00);
    assert_int_equal(amd_load_half(AMD_FLOAT, 32, bits_of(-2.0F), &manual), 0xC000);
    uint32_t bytes[] = {0x00, 0x80, 0xFF, 0x7F};
    amd_load_values(AMD_UNORM, 8, &manual, bytes, 4);
    assert_int_equal(bytes[0], 0);
    assert_int_equal(bytes[1], bits_of(128.0F / 255.0F));
    assert_int_equal(bytes[2], bits_of(1.0F));
    assert_int_equal(bytes[3], bits_of(127.0F / 255.0F));
    uint32_t word = 15U << 6 | 16U << 17 | 14U << 27;
    assert_int_equal(load(AMD_FLOAT, 11, word & 0x7FF, &manual), bits_of(1.0F));
    assert_int_equal(load(AMD_FLOAT, 11, word >> 11 & 0x7FF, &manual), bits_of(2.0F));
    assert_int_equal(load(AMD_FLOAT, 10, word >> 22, &manual), bits_of(0.5F));
}

/* ---- compared with MPFR ---- */

#ifdef HAVE_MPFR
static const unsigned widths[] = {2, 8, 10, 11, 16, 32};

/* Calls `check` for all fields of up to 16 bits. Of 32 bits, calls it for extremes and random fields. */
static void for_each_field(unsigned bits, void (*check)(unsigned bits, uint32_t field))
{
    struct random r;
    random_seed(&r, bits);
    for (uint32_t f = 0; bits <= 16 && f < UINT32_C(1) << bits; f++)
        check(bits, f);
    for (unsigned i = 0; bits > 16 && i < 50000; i++)
        check(bits, i < 64    ? i
                    : i < 128 ? 0x80000020 - i
                    : i < 192 ? 0U - (i - 127)
                              : random_u32(&r) >> random_below(&r, 32));
}

static int64_t signed_field(unsigned bits, uint32_t field)
{
    int64_t sign = INT64_C(1) << (bits - 1);
    return ((int64_t)field ^ sign) - sign;
}

/* Returns numerator / denominator as a single, rounded by MPFR. All quotients are in the range of normal
 * floats. */
static uint32_t exact_quotient(int64_t numerator, int64_t denominator)
{
    mpfr_t a, q;
    mpfr_init2(a, 128);
    mpfr_init2(q, 24);
    mpfr_set_sj(a, numerator, MPFR_RNDN);
    mpfr_div_ui(q, a, (unsigned long)denominator, MPFR_RNDN);
    uint32_t bits = bits_of(mpfr_get_flt(q, MPFR_RNDN));
    mpfr_clears(a, q, (mpfr_ptr)0);
    return numerator ? bits : 0;
}

static void check_load(unsigned bits, uint32_t field)
{
    int64_t s = signed_field(bits, field), one = (INT64_C(1) << bits) - 1,
            most = (INT64_C(1) << (bits - 1)) - 1;
    struct amd_rules below = {.snorm_unclamped = 1};
    assert_int_equal(load(AMD_UNORM, bits, field, &manual), exact_quotient(field, one));
    assert_int_equal(load(AMD_SNORM, bits, field, &manual), exact_quotient(s < -most ? -most : s, most));
    assert_int_equal(load(AMD_SNORM, bits, field, &below), exact_quotient(s, most));
    assert_int_equal(load(AMD_USCALED, bits, field, &manual), exact_quotient(field, 1));
    assert_int_equal(load(AMD_SSCALED, bits, field, &manual), exact_quotient(s, 1));
    assert_int_equal(load(AMD_UINT, bits, field, &manual), field);
    assert_int_equal(load(AMD_SINT, bits, field, &manual), (uint32_t)s);
}

static void check_reciprocal(unsigned bits, uint32_t field)
{
    struct amd_rules rules = {.unorm_reciprocal = 1};
    mpfr_t r, q;
    mpfr_init2(r, 24);
    mpfr_init2(q, 24);
    mpfr_set_uj(q, (UINT64_C(1) << bits) - 1, MPFR_RNDN);
    mpfr_t d;
    mpfr_init2(d, 64);
    mpfr_set_uj(d, (UINT64_C(1) << bits) - 1, MPFR_RNDN);
    mpfr_ui_div(r, 1, d, MPFR_RNDN);
    mpfr_mul_ui(q, r, field, MPFR_RNDN);
    assert_int_equal(load(AMD_UNORM, bits, field, &rules), field ? bits_of(mpfr_get_flt(q, MPFR_RNDN)) : 0);
    mpfr_clears(r, q, d, (mpfr_ptr)0);
}

static uint64_t rounded(double value, double factor, mpfr_rnd_t how)
{
    mpfr_t x;
    mpfr_init2(x, 200);
    mpfr_set_d(x, value, MPFR_RNDN);
    mpfr_mul_d(x, x, factor, MPFR_RNDN);
    uint64_t n = mpfr_get_uj(x, how);
    mpfr_clear(x);
    return n;
}

static void check_store(unsigned bits, uint32_t value)
{
    double f = (double)float_of(value), m = fabs(f), one = ldexp(1, (int)bits) - 1,
           most = ldexp(1, (int)bits - 1) - 1;
    uint32_t mask = UINT32_MAX >> (32 - bits), unorm = 0, snorm = 0, uscaled = 0, sscaled = 0;
    if (!isnan(f)) {
        unorm = f <= 0 ? 0 : (uint32_t)rounded(f > 1 ? 1 : f, one, MPFR_RNDN);
        snorm = (uint32_t)rounded(m > 1 ? 1 : m, most, MPFR_RNDN);
        uscaled = f <= 0 ? 0 : (uint32_t)rounded(f > one ? one : f, 1, MPFR_RNDZ);
        sscaled =
            (uint32_t)rounded(f < 0 ? (m > most + 1 ? most + 1 : m) : (m > most ? most : m), 1, MPFR_RNDZ);
        snorm = (f < 0 ? 0U - snorm : snorm) & mask;
        sscaled = (f < 0 ? 0U - sscaled : sscaled) & mask;
    }
    assert_int_equal(store(AMD_UNORM, bits, value, &manual), unorm);
    assert_int_equal(store(AMD_SNORM, bits, value, &manual), snorm);
    assert_int_equal(store(AMD_USCALED, bits, value, &manual), uscaled);
    assert_int_equal(store(AMD_SSCALED, bits, value, &manual), sscaled);
}
#endif

/* Returns a single near the steps of a format: a multiple of half a step or a neighbour, a boundary, or
 * any. */
static uint32_t some_single(struct random *r, unsigned bits)
{
    static const uint32_t ends[] = {0,          0x80000000, 1,          0x807FFFFF, 0x3F800000,
                                    0x3F7FFFFF, 0x3F800001, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
                                    0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x477FE000,
                                    0x477FEFFF, 0x477FF000, 0x4F800000, 0xCF000000};
    switch (random_below(r, 4)) {
    case 0:
        return ends[random_below(r, sizeof ends / sizeof *ends)];
    case 1: {
        double steps = ldexp(1, (int)bits) - 1,
               at = (double)(random_u32(r) >> (32 - bits)) + (random_one_in(r, 2) ? 0.5 : 0);
        return bits_of((float)(at / steps)) + random_below(r, 3) - 1U;
    }
    case 2: {
        double at = (double)(random_u32(r) >> random_below(r, 32)) / (1U << random_below(r, 4));
        return bits_of((float)(random_one_in(r, 2) ? at : -at));
    }
    default:
        return random_u32(r);
    }
}

static void loads_are_rounded_exactly(void **state)
{
    (void)state;
#ifdef HAVE_MPFR
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
        for_each_field(widths[i], check_load);
        for_each_field(widths[i], check_reciprocal);
    }
#else
    print_message("  SKIPPED: built without MPFR\n");
    skip();
#endif
}

static void stores_are_rounded_exactly(void **state)
{
    (void)state;
#ifdef HAVE_MPFR
    struct random r;
    random_seed(&r, 1);
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
        for (unsigned n = support_scaled(100000); n; n--)
            check_store(widths[i], some_single(&r, widths[i]));
#else
    print_message("  SKIPPED: built without MPFR\n");
    skip();
#endif
}

/* ---- floats of 16, 11 and 10 bits, compared with tables of all values ---- */

/* Returns the value of a float with 5 exponent bits. A double holds it exactly. */
static double value_of(uint32_t code, unsigned width)
{
    uint32_t exponent = code >> width & 31, mantissa = code & ((1U << width) - 1);
    if (exponent == 31)
        return mantissa ? (double)NAN : (double)INFINITY;
    return exponent ? ldexp((double)(mantissa | 1U << width), (int)exponent - 15 - (int)width)
                    : ldexp((double)mantissa, -14 - (int)width);
}

static void small_floats_load_exactly(void **state)
{
    (void)state;
    struct amd_rules flush = {.half_flush = 1};
    for (unsigned bits = 10; bits <= 16; bits += bits == 11 ? 5 : 1)
        for (uint32_t code = 0; code < 1U << bits; code++) {
            unsigned width = bits == 16 ? 10 : bits - 5;
            double value = value_of(code & ((1U << (width + 5)) - 1), width);
            uint32_t got = load(AMD_FLOAT, bits, code, &manual),
                     sign = bits == 16 && code >> 15 ? 0x80000000 : 0;
            if (isnan(value)) /* loads keep the payload of a NaN */
                assert_int_equal(got, sign | 0x7F800000 | (code & ((1U << width) - 1)) << (23 - width));
            else
                assert_int_equal(got, sign | bits_of((float)value));
            bool denormal = bits == 16 && !(code & 0x7C00);
            assert_int_equal(load(AMD_FLOAT, bits, code, &flush), denormal ? sign : got);
        }
}

/* Returns the code of the value nearest to `m` (ties to even codes), or, without `nearest`, of the largest
 * value not above `m`. Beyond the largest finite value, returns that value's code or infinity. */
static uint32_t search(double m, unsigned width, bool nearest)
{
    uint32_t low = 0, high = 31U << width; /* the value of `low` is not above m */
    if (m >= value_of(high - 1, width)) {
        double step = value_of(high - 1, width) - value_of(high - 2, width);
        return nearest && m >= value_of(high - 1, width) + step / 2 ? high : high - 1;
    }
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (value_of(middle, width) <= m)
            low = middle;
        else
            high = middle;
    }
    double half = (value_of(low, width) + value_of(high, width)) / 2;
    return nearest && (m > half || (m == half && (low & 1))) ? high : low;
}

static uint32_t expected_half(uint32_t f, bool nearest, bool to_infinity)
{
    uint32_t sign = f >> 16 & 0x8000, code;
    if (isnan(float_of(f)))
        return sign | 0x7E00 | (f >> 13 & 0x3FF);
    if (isinf(float_of(f)))
        return sign | 0x7C00;
    code = search(fabs((double)float_of(f)), 10, nearest);
    if (to_infinity && !nearest && fabs((double)float_of(f)) >= 65536)
        code = 0x7C00;
    return sign | code;
}

static void small_floats_store_exactly(void **state)
{
    (void)state;
    struct random r;
    struct amd_rules truncate = {.f16_store_truncate = 1, .small_truncate = 1},
                     infinity = {.d16_float = AMD_D16_TRUNCATE_TO_INFINITY},
                     nearest = {.d16_float = AMD_D16_NEAREST};
    random_seed(&r, 2);
    for (unsigned n = support_scaled(400000); n; n--) {
        uint32_t f = some_single(&r, 16);
        if (random_one_in(&r, 2)) /* puts it near the ends of the half format's range */
            f = (f & 0x807FFFFF) | (100 + random_below(&r, 46)) << 23;
        if (random_one_in(&r, 4)) /* puts it on or beside a tie */
            f = (f & 0xFFFFF000) + random_below(&r, 3) - 1U;
        assert_int_equal(store(AMD_FLOAT, 16, f, &manual), expected_half(f, true, true));
        assert_int_equal(store(AMD_FLOAT, 16, f, &truncate), expected_half(f, false, false));
        assert_int_equal(amd_load_half(AMD_FLOAT, 32, f, &manual), expected_half(f, false, false));
        assert_int_equal(amd_load_half(AMD_FLOAT, 32, f, &infinity), expected_half(f, false, true));
        assert_int_equal(amd_load_half(AMD_FLOAT, 32, f, &nearest), expected_half(f, true, true));
        assert_int_equal(amd_load_half(AMD_UNORM, 8, f, &manual), expected_half(f, true, true));
        assert_int_equal(store(AMD_FLOAT, 32, f, &manual), f);
        for (unsigned bits = 10; bits <= 11; bits++) {
            uint32_t top = 31U << (bits - 5), code = search(fabs((double)float_of(f)), bits - 5, true),
                     cut = search(fabs((double)float_of(f)), bits - 5, false);
            code = code >= top ? top - 1 : code;
            if (isnan(float_of(f)))
                code = cut = top | 1U << (bits - 6);
            else if (f >> 31)
                code = cut = 0;
            else if (isinf(float_of(f)))
                code = cut = top;
            assert_int_equal(store(AMD_FLOAT, bits, f, &manual), code);
            assert_int_equal(store(AMD_FLOAT, bits, f, &truncate), cut);
        }
    }
}

/* ---- integers ---- */

static void integers_are_cut_or_clamped(void **state)
{
    (void)state;
    struct amd_rules clamp = {.int_store_clamp = 1, .d16_int_saturate = 1};
    assert_int_equal(store(AMD_UINT, 8, 0x12345, &manual), 0x45);
    assert_int_equal(store(AMD_UINT, 8, 0x12345, &clamp), 0xFF);
    assert_int_equal(store(AMD_SINT, 8, 200, &manual), 200);
    assert_int_equal(store(AMD_SINT, 8, 200, &clamp), 127);
    assert_int_equal(store(AMD_SINT, 8, 0U - 200, &clamp), 0x80);
    assert_int_equal(store(AMD_SINT, 8, 0U - 5, &clamp), 0xFB);
    assert_int_equal(store(AMD_SINT, 2, 0x80000000, &clamp), 2);
    assert_int_equal(store(AMD_SINT, 32, 0x80000000, &clamp), 0x80000000);
    assert_int_equal(amd_load_half(AMD_UINT, 32, 0x12345, &manual), 0x2345);
    assert_int_equal(amd_load_half(AMD_UINT, 32, 0x12345, &clamp), 0xFFFF);
    assert_int_equal(amd_load_half(AMD_SINT, 32, 0x80000000, &clamp), 0x8000);
    assert_int_equal(amd_store_half(AMD_SINT, 0x8000, &manual), 0xFFFF8000);
    assert_int_equal(amd_store_half(AMD_UINT, 0x8000, &manual), 0x8000);
    assert_int_equal(amd_store_half(AMD_UNORM, 0x3C00, &manual), 0x3F800000);
}

/* The host's rounding mode does not affect results. */
static void host_rounding_does_not_matter(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    for (unsigned m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++)
            assert_int_equal(load(loads[i].number, loads[i].bits, loads[i].field, &manual), loads[i].value);
        for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++)
            assert_int_equal(store(stores[i].number, stores[i].bits, stores[i].value, &manual),
                             stores[i].field);
    }
    fesetround(FE_TONEAREST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),           cmocka_unit_test(rocjitsu_vectors),
        cmocka_unit_test(loads_are_rounded_exactly),   cmocka_unit_test(stores_are_rounded_exactly),
        cmocka_unit_test(small_floats_load_exactly),   cmocka_unit_test(small_floats_store_exactly),
        cmocka_unit_test(integers_are_cut_or_clamped), cmocka_unit_test(host_rounding_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
