/* SPDX-License-Identifier: MIT */
/* Linear filters against slow computations in long double, and the two errata about blends of 16-bit floats
 * (p108). */
#include "model/number/tolerance.h"
#include "tests/model/vc4/tmu/support_tmu.h"

/* ---- Filters ---- */

/* The exact bilinear blend of channel c, `u` and `v` texels from the corner, with wrap mode repeat. */
static long double slow_bilinear(const uint32_t *texel, uint32_t size, long double u, long double v,
                                 unsigned c)
{
    long double fu = floorl(u - 0.5L), fv = floorl(v - 0.5L), a = u - 0.5L - fu, b = v - 0.5L - fv, sum = 0;
    for (int k = 0; k < 4; k++) {
        int x = (int)fu + (k & 1), y = (int)fv + (k >> 1);
        x = (x % (int)size + (int)size) % (int)size;
        y = (y % (int)size + (int)size) % (int)size;
        sum += (k & 1 ? a : 1 - a) * (k & 2 ? b : 1 - b) *
               (long double)(texel[y * (int)size + x] >> 8 * c & 255);
    }
    return sum;
}

/* Replaces one byte of `word` by `other`. Returns the compared bits in which the new word differs. */
static uint32_t difference(uint32_t word, uint32_t mask, uint32_t tolerance, unsigned byte, uint32_t other)
{
    uint32_t changed = (word & ~(255U << 8 * byte)) | other << 8 * byte;
    return tolerance ? tolerance_difference(tolerance, mask, word, changed) : (word ^ changed) & mask;
}

static void linear_filter_of_bytes(void **state)
{
    struct random r;
    random_seed(&r, 9);
    for (unsigned rule = 0; rule <= TMU_FILTER_UNKNOWN; rule++) {
        fresh(state);
        reading(TMU_CLAUSE_FILTER, rule);
        uint32_t texel[64];
        struct setup x = {.width = 8, .height = 8, .min = TMU_MIN_LINEAR, .mag = TMU_MAG_LINEAR};
        for (uint32_t n = 0; n < 64; n++)
            store(4, 4, 4, 8, n % 8, n / 8, texel[n] = random_u32(&r));
        uint64_t defined_bits = 0;
        for (unsigned n = 0; n < 500; n++) {
            struct vc4_vector s, t, d;
            for (unsigned i = 0; i < 16; i++) {
                s.lane[i] = bits_of((float)((int)random_below(&r, 65536) - 16384) / 32768);
                t.lane[i] = bits_of((float)((int)random_below(&r, 65536) - 16384) / 32768);
            }
            assert_int_equal(look_up(&x, s, t), VC4_GO);
            struct vc4_vector v = load_masked(&d);
            const struct vc4_vector *tolerance = tmu_loaded_tolerance(&m.t);
            for (unsigned i = 0; i < 16; i++)
                for (unsigned c = 0; c < 4; c++) {
                    float fs, ft;
                    memcpy(&fs, &s.lane[i], 4);
                    memcpy(&ft, &t.lane[i], 4);
                    long double exact = slow_bilinear(texel, 8, (long double)fs * 8, (long double)ft * 8, c);
                    uint32_t got = v.lane[i] >> 8 * c & 255, known = d.lane[i] >> 8 * c & 255;
                    defined_bits += (unsigned)__builtin_popcount(known);
                    if (rule == TMU_FILTER_UNKNOWN) {
                        /* Each value within the tolerance must agree in the defined bits. A value farther
                         * away is wrong, even if it agrees there. */
                        for (int e = -3; e <= 3; e++) {
                            uint32_t byte = (uint32_t)fminl(fmaxl(roundl(exact + e), 0), 255);
                            assert_int_equal(byte & known, got & known);
                            assert_int_equal(difference(v.lane[i], d.lane[i], tolerance->lane[i], c, byte),
                                             0);
                        }
                        for (uint32_t byte = 0; byte < 256; byte++)
                            if (fabsl(exact - byte) > 4.5L)
                                assert_true(difference(v.lane[i], d.lane[i], tolerance->lane[i], c, byte));
                    } else {
                        assert_int_equal(known, 255);
                        assert_int_equal(tolerance->lane[i], 0);
                        assert_true(fabsl(exact - got) <= (rule ? 3.0L : 0.5001L));
                    }
                }
        }
        if (rule == TMU_FILTER_UNKNOWN) /* at least a quarter of all bits must stay defined */
            assert_true(defined_bits > 500 * 16 * 32 / 4);
    }
}

static long double half_value(uint32_t h)
{
    long double v =
        (h & 0x7C00) ? ldexpl(1024 + (h & 1023), (int)(h >> 10 & 31) - 25) : ldexpl(h & 1023, -24);
    return h & 0x8000 ? -v : v;
}

/* Searches for the half nearest to v, ties to even. */
static uint32_t nearest_half(long double v)
{
    uint32_t low = 0, high = 0x7BFF, sign = v < 0 ? 0x8000 : 0;
    long double a = fabsl(v);
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (half_value(middle) <= a)
            low = middle;
        else
            high = middle;
    }
    long double below = a - half_value(low), above = half_value(high) - a;
    uint32_t h = below < above || (below == above && !(low & 1)) ? low : high;
    return h | (h ? sign : 0);
}

static void blends_of_halves_are_rounded_once(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 3);
    const struct tmu_blend b = {.channels = TEXTURE_HALF, .linear = true};
    for (unsigned n = 0; n < 200000; n++) {
        struct tmu_tap tap[4];
        uint64_t left = UINT64_C(1) << TMU_WEIGHT_BITS;
        uint32_t clauses = 0, base = random_below(&r, 0x7C00);
        long double exact = 0;
        for (unsigned i = 0; i < 4; i++) {
            uint32_t h =
                random_one_in(&r, 3) ? (base + random_below(&r, 64)) % 0x7C00 : random_below(&r, 0x7C00);
            uint64_t weight = i == 3 ? left : 1 + random_u64(&r) % (left / 2);
            tap[i] = (struct tmu_tap){.texel = h | (random_u32(&r) & 0x8000), .weight = weight};
            left -= weight;
            exact += ldexpl(half_value((uint32_t)tap[i].texel) * (long double)weight, -TMU_WEIGHT_BITS);
        }
        uint32_t got = (uint32_t)tmu_blend(&b, tap, 4, &clauses, NULL), want = nearest_half(exact);
        if ((got & 0x7FFF) == 0)
            got = 0;
        assert_int_equal(got, want);
    }
}

/* Each of the four channels is blended alone, so each follows IEEE 754's rules for infinities and NaNs. */
static void channels_of_halves_are_apart(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 4);
    static const uint32_t specials[] = {0x7C00, 0xFC00, 0x7E00, 0xFE00, 0, 0x8000};
    const struct tmu_blend b = {.channels = TEXTURE_HALVES, .linear = true};
    for (unsigned n = 0; n < 50000; n++) {
        struct tmu_tap tap[2] = {{0, ~UINT64_C(0), UINT64_C(3) << (TMU_WEIGHT_BITS - 2)},
                                 {0, ~UINT64_C(0), UINT64_C(1) << (TMU_WEIGHT_BITS - 2)}};
        uint32_t clauses = 0;
        struct tmu_known texel;
        for (unsigned i = 0; i < 8; i++) {
            uint32_t h = random_one_in(&r, 6) ? specials[random_below(&r, 6)]
                                              : random_below(&r, 0x7C00) | (random_u32(&r) & 0x8000);
            tap[i / 4].texel |= (uint64_t)h << 16 * (i % 4);
        }
        uint64_t got = tmu_blend(&b, tap, 2, &clauses, &texel);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t x = tap[0].texel >> 16 * c & 0xFFFF, y = tap[1].texel >> 16 * c & 0xFFFF,
                     is = got >> 16 * c & 0xFFFF, known = texel.defined >> 16 * c & 0xFFFF;
            bool inf_x = (x & 0x7FFF) == 0x7C00, inf_y = (y & 0x7FFF) == 0x7C00,
                 nan = (x & 0x7FFF) > 0x7C00 || (y & 0x7FFF) > 0x7C00 || (inf_x && inf_y && x != y);
            if (nan) {
                assert_int_equal(known, 0); /* no document says which NaN results */
                continue;
            }
            assert_int_equal(known, 0xFFFF);
            if (inf_x || inf_y) {
                assert_int_equal(is, inf_x ? x : y);
            } else {
                uint32_t want = nearest_half((3 * half_value(x) + half_value(y)) / 4);
                assert_int_equal(is & 0x7FFF ? is : 0, want);
            }
        }
    }
}

static void hw_2619_loses_the_sign_of_negative_powers_of_two(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        struct tmu_tap tap = {.texel = h, .weight = UINT64_C(1) << TMU_WEIGHT_BITS};
        uint32_t clauses = 0, exponent = h >> 10 & 31;
        bool power = h >> 15 && h % 1024 == 0 && exponent != 0 && exponent != 31;
        struct tmu_blend b = {.channels = TEXTURE_HALF, .linear = true, .neg_pow2 = TMU_BLEND_SIGN_LOST};
        assert_int_equal(tmu_blend(&b, &tap, 1, &clauses, NULL), power ? h - 32768 : h);
        assert_int_equal(clauses != 0, power);
        b.linear = false; /* the erratum does not apply to point sampling */
        assert_int_equal(tmu_blend(&b, &tap, 1, &clauses, NULL), h);
    }
}

static void hw_2645_infinity_and_a_negative_value_blend_to_a_negative_one(void **state)
{
    (void)state;
    const struct tmu_tap tap[2] = {{0x7C00, ~UINT64_C(0), UINT64_C(1) << 39},
                                   {0xC000, ~UINT64_C(0), UINT64_C(1) << 39}};
    uint32_t clauses = 0;
    struct tmu_known known;
    struct tmu_blend b = {.channels = TEXTURE_HALF, .linear = true, .levels = true};
    assert_int_equal(tmu_blend(&b, tap, 2, &clauses, &known), 0x7C00);
    b.inf = TMU_BLEND_INF_NEGATIVE;
    assert_true(tmu_blend(&b, tap, 2, &clauses, &known) & 0x8000);
    assert_int_equal(known.defined & 0xFFFF, 0x8000); /* the manual does not say which negative value */
    assert_true(clauses >> TMU_CLAUSE_BLEND_INF & 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(linear_filter_of_bytes),
        TEST(blends_of_halves_are_rounded_once),
        TEST(channels_of_halves_are_apart),
        TEST(hw_2619_loses_the_sign_of_negative_powers_of_two),
        TEST(hw_2645_infinity_and_a_negative_value_blend_to_a_negative_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
