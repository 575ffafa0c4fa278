/* SPDX-License-Identifier: MIT */
/* The values that pass the observation points of the TMU's filter for halves, in blends worked by hand. */
#include "tests/model/vc4/tmu/support_visits.h"

/* Blends two halves, the first with a weight in units of 2^-40. */
static uint32_t blend_finely(uint32_t a, uint32_t b, uint64_t weight)
{
    const struct tmu_tap tap[2] = {{a, ~UINT64_C(0), weight},
                                   {b, ~UINT64_C(0), (UINT64_C(1) << TMU_WEIGHT_BITS) - weight}};
    const struct tmu_blend how = {.channels = TEXTURE_HALF, .linear = true, .observer = &watch, .lane = 3};
    uint32_t clauses = 0;
    observe_tmu();
    return (uint32_t)tmu_blend(&how, tap, 2, &clauses, NULL);
}

/* The same, with a weight in quarters. */
static uint32_t blend(uint32_t a, uint32_t b, uint64_t quarters)
{
    return blend_finely(a, b, quarters << (TMU_WEIGHT_BITS - 2));
}

/* 1.0 * 3/4 + 2.0 * 1/4 = 1.25. The sum counts units of 2^-44, so it is 5 * 2^42; its highest bit is 44. */
static void a_blend_of_halves(void **state)
{
    (void)state;
    assert_int_equal(blend(0x3C00, 0x4000, 3), 0x3D00);
    SHOWS(FILTER_HALF, "tap=0 channel=0 levels=0 lane=3 first=0x3c00", 0x3C00);
    SHOWS(FILTER_HALF, "tap=1 first=0x3c00", 0x4000);
    SHOWS(FILTER_PART, "tap=0 upper=1 other_word=0 first=192", 192); /* 3/4 of 2^40 */
    SHOWS(FILTER_PART, "tap=1 upper=1 first=192 lane=3", 64);
    SHOWS(FILTER_PART, "tap=1 upper=0 other_word=64 first=0", 0);
    SHOWS(HALF_SIGNIFICAND, "half=0x3c00", 1024);
    SHOWS(HALF_SIGNIFICAND, "half=0x4000", 1024);
    SHOWS(HALF_PLACES, "half=0x3c00", 14); /* 2^10 * 2^14 units of 2^-24 */
    SHOWS(HALF_PLACES, "half=0x4000", 15);
    SHOWS(HALF_MINUS, "half=0x3c00", 0);
    SHOWS(HALF_PART, "upper=1 half=0x3c00 units=0x1000000", 16); /* 2^24 units */
    SHOWS(HALF_PART, "upper=0 half=0x3c00 units=0x1000000", 0);
    SHOWS(HALF_MINUS_LARGER, "upper_equal=0 lower_larger=0 any_minus=0 any_plus=1", 0);
    SHOWS(HALF_BORROW, "larger=0 smaller=0", 0);
    SHOWS(HALF_DENORMAL, "top=44 lane=3", 0);
    SHOWS(HALF_UNLIMITED, "exponent=14 mantissa=1280", 0x3D00);
    SHOWS(HALF_SUM, "minus=0 upper=0 other_word=5120", 0);
    SHOWS(HALF_SUM, "minus=0 upper=1 other_word=0", 5 << 10);
    SHOWS(HALF_SUM, "minus=1 upper=1", 0);
    SHOWS(HALF_TESTED, "tap=1 moved=0x4000 channel=0", 0x4000);
    SHOWS(HALF_NAN, "tap=0 half=0x3c00 magnitude=0x3c00 taps=2", 0);
    SHOWS(HALF_PLUS_INF, "tap=1 half=0x4000", 0);
    SHOWS(HALF_MINUS_INF, "tap=1 half=0x4000", 0);
    SHOWS(HALF_BELOW_ZERO, "any_minus=0 any_plus=1", 0);
    SHOWS(FILTER_BITS, "type=0", 16);
    SHOWS(FILTER_RESULT, "channel=0 bits=16 taps=2 moved=0x3c00", 0x3D00);
    SHOWS(HALF_SHIFT, "top=44 lane=3", 34);
    SHOWS(HALF_MANTISSA, "shift=34 fraction=0 more=0 down=1280", 1280); /* 1.25 * 1024 */
    SHOWS(HALF_EXPONENT, "shift=34", 14);                               /* 15 is 2^0 */
    SHOWS(HALF_MAGNITUDE, "exponent=14 mantissa=1280 unlimited=0x3d00", 0x3D00);
    SHOWS(FILTER_CHANNEL,
          "bits=16 taps=2 floor=0x3d00 fraction=0 infinite=0 minus_infinite=0 nan=0 negative=0", 0x3D00);
}

/* A value halfway between two halves becomes the even one. */
static void a_blend_of_halves_is_rounded(void **state)
{
    (void)state;
    assert_int_equal(blend(0x3C00, 0x3C01, 2), 0x3C00);
    SHOWS(HALF_MANTISSA, "fraction=0x80000000 more=0 down=1024", 1024);
    assert_int_equal(blend(0x3C01, 0x3C02, 2), 0x3C02);
    SHOWS(HALF_MANTISSA, "fraction=0x80000000 more=0 down=1025", 1026);
    assert_int_equal(blend(0x3C00, 0x3C01, 1), 0x3C01); /* 3/4 of the last bit */
    SHOWS(HALF_MANTISSA, "fraction=0xc0000000 down=1024", 1025);
    /* the mantissa overflows: 1.9990 and 2.0 give 2.0, whose exponent is one more */
    assert_int_equal(blend(0x3FFF, 0x4000, 1), 0x4000);
    SHOWS(HALF_MANTISSA, "down=2047", 2048);
    SHOWS(HALF_EXPONENT, "shift=34", 14);
    SHOWS(HALF_MAGNITUDE, "exponent=14 mantissa=2048", 0x4000);
}

/* Denormals have no leading 1, and are not moved: 1 and 3 units of 2^-24 give 2. */
static void a_blend_of_denormal_halves(void **state)
{
    (void)state;
    assert_int_equal(blend(0x0001, 0x0003, 2), 0x0002);
    SHOWS(HALF_SIGNIFICAND, "half=1", 1);
    SHOWS(HALF_SIGNIFICAND, "half=3", 3);
    SHOWS(HALF_PLACES, "half=3", 0);
    SHOWS(HALF_PART, "upper=0 half=3 units=3", 3);
    SHOWS(HALF_CARRY, "minus=0 upper=0 other_word=0", 2 << 20); /* 2 * 2^-24 */
    SHOWS(HALF_CARRY, "minus=1 upper=0", 0);
    SHOWS(HALF_PART, "upper=1 half=3", 0);
    SHOWS(HALF_DENORMAL, "top=21", 1);
    SHOWS(HALF_SHIFT, "top=21", 20);
    SHOWS(HALF_MANTISSA, "shift=20 fraction=0", 2);
    SHOWS(HALF_EXPONENT, "shift=20", 0);
    SHOWS(HALF_MAGNITUDE, "exponent=0 mantissa=2", 2);
}

/* -1.0 * 3/4 + 1.0 * 1/4 = -0.5. */
static void a_blend_of_halves_of_both_signs(void **state)
{
    (void)state;
    assert_int_equal(blend(0xBC00, 0x3C00, 3), 0xB800);
    SHOWS(HALF_MINUS, "half=0xbc00", 1);
    SHOWS(HALF_MINUS, "half=0x3c00", 0);
    SHOWS(HALF_SUM, "minus=1 upper=1", 3 << 10);
    SHOWS(HALF_SUM, "minus=0 upper=1", 1 << 10);
    SHOWS(HALF_MINUS_LARGER, "upper_equal=0 any_minus=1 any_plus=1", 1);
    SHOWS(HALF_SHIFT, "top=43", 33);
    SHOWS(HALF_EXPONENT, "shift=33", 13);
    SHOWS(HALF_MAGNITUDE, "exponent=13 mantissa=1024", 0x3800);
    SHOWS(FILTER_CHANNEL, "negative=1 minus_infinite=0", 0xB800);
    assert_int_equal(blend(0xFC00, 0x3C00, 2), 0xFC00);
    SHOWS(FILTER_CHANNEL, "minus_infinite=1 infinite=0 nan=0", 0xFC00);
    (void)blend(0x7E00, 0x7C00, 2);
    assert_int_equal(visits_of(TMU_POINT_HALF_SHIFT), 0);
    (void)VALUE(FILTER_CHANNEL, 0, "nan=1 infinite=1");
}

/* 1.0 less 2^-24 * 2^-40: the negative sum has only what is below a unit of 2^-44. So does the sum of two
 * such numbers, of which the negative one is larger. */
static void a_difference_of_halves_borrows(void **state)
{
    (void)state;
    assert_int_equal(blend_finely(0x3C00, 0x8001, (UINT64_C(1) << TMU_WEIGHT_BITS) - 1), 0x3C00);
    SHOWS(HALF_BORROW, "larger=0 smaller=1 lane=3", 1);
    SHOWS(HALF_MINUS_LARGER, "upper_equal=0 lower_larger=1 any_minus=1 any_plus=1", 0);
    SHOWS(HALF_MANTISSA, "more=1 down=2047", 2048);
    (void)blend_finely(0x8003, 0x0000, 1);
    SHOWS(HALF_MINUS_LARGER, "upper_equal=1 lower_larger=1 any_minus=1 any_plus=0", 1);
    SHOWS(HALF_BORROW, "larger=3 smaller=0", 0);
}

/* -1.0 * 3/4 + 1.0 * 1/4 = -0.5, and 1.25 is above 0. Only the sign follows the point. */
static void a_sign_without_its_half(void **state)
{
    (void)state;
    force(TMU_POINT_HALF_BELOW_ZERO, 0);
    assert_int_equal(blend(0xBC00, 0x3C00, 3), 0x3800);
    force(TMU_POINT_HALF_BELOW_ZERO, 1);
    assert_int_equal(blend(0x3C00, 0x4000, 3), 0xBD00);
    watch.force = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_blend_of_halves),
        TEST(a_blend_of_halves_is_rounded),
        TEST(a_blend_of_denormal_halves),
        TEST(a_blend_of_halves_of_both_signs),
        TEST(a_difference_of_halves_borrows),
        TEST(a_sign_without_its_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
