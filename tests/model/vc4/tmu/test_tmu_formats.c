/* SPDX-License-Identifier: MIT */
/* The results for texels of every type (p42-43 T18 of VideoCoreIV-AG100-R, and public drivers as each test
 * says). */
#include "tests/model/vc4/tmu/support_tmu.h"

/* ---- Formats ---- */

static uint32_t repeat(uint32_t v, uint32_t bits)
{ /* the bits repeated as a binary fraction and cut after eight bits */
    double f = 0;
    for (int k = 1; k <= 8; k++)
        f += ldexp((double)v, -(int)bits * k);
    return (uint32_t)floor(f * 256);
}
static uint32_t pack(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return r + g * 256 + b * 65536 + a * 16777216;
}
static void expansion_of(unsigned r, uint32_t v, uint32_t bits, uint32_t *out)
{
    uint32_t most = (uint32_t)pow(2, bits) - 1;
    *out = r == TMU_EXPANSION_SHIFT   ? v * (uint32_t)pow(2, 8 - bits)
           : r == TMU_EXPANSION_SCALE ? (uint32_t)lround((double)v * 255 / most)
                                      : repeat(v, bits);
}

/* Converts a 16-bit texel. With `red_high`, red is the highest channel, as in Mesa's formats. Otherwise the
 * format's name counts from the lowest bit. */
static uint32_t slow_16_bit(uint32_t type, uint32_t v, bool red_high, unsigned expansion)
{
    static const uint32_t widths[5][4] = {[2] = {4, 4, 4, 4}, [3] = {5, 5, 5, 1}, [4] = {5, 6, 5, 0}};
    uint32_t c[4] = {0, 0, 0, 255}, place = red_high ? 16 : 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t w = widths[type][i];
        if (red_high)
            place -= w;
        if (w)
            expansion_of(expansion, v / (uint32_t)pow(2, place) % (uint32_t)pow(2, w), w, &c[i]);
        if (!red_high)
            place += w;
    }
    return pack(c[0], c[1], c[2], c[3]);
}

static void sixteen_bit_formats_at_every_value(void **state)
{
    (void)state;
    for (unsigned expansion = 0; expansion < 3; expansion++)
        for (unsigned high = 0; high < 2; high++) {
            struct texture_rules rules = {.expansion = (uint8_t)expansion, .channel_order = (uint8_t)high};
            for (uint32_t type = 2; type <= 4; type++)
                for (uint32_t v = 0; v < 65536; v++)
                    if (texture_types[type].decode(&rules, v, 0, 0) != slow_16_bit(type, v, high, expansion))
                        fail_msg("%s %04x: %08x instead of %08x", texture_types[type].name, v,
                                 (unsigned)texture_types[type].decode(&rules, v, 0, 0),
                                 slow_16_bit(type, v, high, expansion));
        }
}

/* Stores one unit of memory, and looks up texel (0, 0). */
static uint32_t result_of(uint32_t type, uint64_t unit)
{
    fresh(NULL);
    memcpy(byte_at(PAGE), &unit, sizeof unit);
    struct setup x = {.type = type, .width = 4, .height = 4, POINTS};
    assert_int_equal(look_up(&x, splat(bits_of(0.125F)), splat(bits_of(0.125F))), VC4_GO);
    return load().lane[0];
}

static void results_of_each_type(void **state)
{
    (void)state;
    assert_int_equal(result_of(0, 0x44332211), 0x44332211);
    assert_int_equal(result_of(1, 0x44332211), 0xFF002211); /* T18: "RGA" */
    assert_int_equal(result_of(5, 0x9A), 0xFF9A9A9A);
    assert_int_equal(result_of(6, 0x9A), 0x9A000000);
    assert_int_equal(result_of(7, 0x319A), 0x319A9A9A);
    assert_int_equal(result_of(9, 0x3C01), 0x00003C01);
    assert_int_equal(result_of(10, 0x9A), 0x0000009A);
    assert_int_equal(result_of(11, 0xFEDC), 0x0000FEDC);
    assert_int_equal(result_of(12, 0x01), 0xFFFFFFFF);
    assert_int_equal(result_of(12, 0x02), 0xFF000000);
    assert_int_equal(result_of(13, 0x2A), 0xAA000000);
    assert_int_equal(result_of(14, 0x01), 0xFF000000);
    assert_int_equal(result_of(14, 0xFE), 0x00000000);
    assert_int_equal(result_of(16, 0x44332211), 0x44332211);
    assert_int_equal(result_of(17, 0x44332211), 0x44332211);
}

static void readings_of_formats(void **state)
{
    (void)state;
    struct texture_rules rgb = {.type_rga = TMU_TYPE_RGB}, yuv = {.yuyv = TMU_YUYV_RGB};
    assert_int_equal(texture_types[1].decode(&rgb, 0x44332211, 0, 0), 0xFF332211);
    for (uint32_t y = 0; y < 256; y += 5)
        for (uint32_t u = 0; u < 256; u += 7)
            for (uint32_t v = 0; v < 256; v += 11) {
                double l = 255.0 / 219 * (y - 16.0), cb = 255.0 / 224 * (u - 128.0),
                       cr = 255.0 / 224 * (v - 128.0);
                double want[3] = {l + 1.402 * cr, l - 0.344136 * cb - 0.714136 * cr, l + 1.772 * cb};
                uint32_t got = (uint32_t)texture_types[17].decode(&yuv, y << 16 | u << 8 | v << 24, 1, 0);
                for (unsigned c = 0; c < 3; c++) {
                    double w = want[c] < 0 ? 0 : want[c] > 255 ? 255 : want[c];
                    assert_true(fabs(w - (got >> 8 * c & 255)) <= 1.01);
                }
                assert_int_equal(got >> 24, 255);
            }
}

/* Decodes ETC1 by the extension's tables, independently of the model. */
static uint32_t slow_etc1(const uint8_t b[8], uint32_t x, uint32_t y)
{
    static const int modifiers[8][4] = {{2, 8, -2, -8},       {5, 17, -5, -17},    {9, 29, -9, -29},
                                        {13, 42, -13, -42},   {18, 60, -18, -60},  {24, 80, -24, -80},
                                        {33, 106, -33, -106}, {47, 183, -47, -183}};
    bool diff = b[3] & 2, flip = b[3] & 1;
    int half = flip ? y / 2 != 0 : x / 2 != 0, c[3];
    unsigned table = half ? b[3] >> 2 & 7 : b[3] >> 5, n = x * 4 + y;
    unsigned msb = (n < 8 ? b[5] : b[4]) >> n % 8 & 1, lsb = (n < 8 ? b[7] : b[6]) >> n % 8 & 1;
    for (unsigned i = 0; i < 3; i++) {
        int base;
        if (diff) {
            int five = b[i] >> 3, delta = b[i] & 7;
            if (delta > 3)
                delta -= 8;
            if (half)
                five = (five + delta + 32) % 32;
            base = five * 8 + five / 4;
        } else {
            base = (half ? b[i] & 15 : b[i] >> 4) * 17;
        }
        c[i] = base + modifiers[table][msb * 2 + lsb];
        c[i] = c[i] < 0 ? 0 : c[i] > 255 ? 255 : c[i];
    }
    return pack((uint32_t)c[0], (uint32_t)c[1], (uint32_t)c[2], 255);
}

static void etc1_blocks(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 5);
    for (unsigned n = 0; n < 200000; n++) {
        uint64_t block = random_u64(&r);
        uint32_t x = random_below(&r, 4), y = random_below(&r, 4);
        uint8_t b[8];
        for (unsigned i = 0; i < 8; i++)
            b[i] = (uint8_t)(block >> 8 * i);
        assert_int_equal(texture_etc1(block, x, y), slow_etc1(b, x, y));
    }
}

static void etc1_rows_by_flip_and_reading(void **state)
{
    (void)state;
    uint8_t block[8] = {0x88, 0x88, 0x88, 0x00, 0x00, 0x00, 0x00, 0x00};
    /* the texels of the first row are 8 lighter than the base, all others 2 */
    block[6] = 0x11, block[7] = 0x11;
    for (unsigned top_down = 0; top_down < 2; top_down++)
        for (unsigned flip = 0; flip < 2; flip++) {
            fresh(NULL);
            memcpy(byte_at(PAGE), block, 8);
            reading(TMU_CLAUSE_ETCFLIP, top_down);
            struct setup x = {
                .type = 8, .width = 4, .height = 4, .flags1 = TMU_PUT(P1_ETCFLIP, flip), POINTS};
            assert_int_equal(look_up(&x, splat(bits_of(0.125F)), splat(bits_of(0.125F))), VC4_GO);
            uint32_t lowest = load().lane[0];
            assert_int_equal(lowest, flip == top_down ? 0xFF909090 : 0xFF8A8A8A);
        }
}

static void bit_order_readings(void **state)
{
    (void)state;
    for (unsigned high = 0; high < 2; high++) {
        fresh(NULL);
        reading(TMU_CLAUSE_BIT_ORDER, high);
        *byte_at(PAGE) = 0x35;
        struct setup x = {.type = 12, .width = 16, .height = 1, POINTS};
        assert_int_equal(look_up(&x, floats(0.5F / 16, 1.0F / 16), splat(0)), VC4_GO);
        struct vc4_vector v = load();
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(v.lane[i] == 0xFFFFFFFF, 0x35 >> (high ? 7 - i : i) & 1);
        x.type = 13;
        assert_int_equal(look_up(&x, floats(0.5F / 16, 1.0F / 16), splat(0)), VC4_GO);
        v = load();
        assert_int_equal(v.lane[0], high ? 0x33000000 : 0x55000000);
        assert_int_equal(v.lane[1], high ? 0x55000000 : 0x33000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sixteen_bit_formats_at_every_value),
        TEST(results_of_each_type),
        TEST(readings_of_formats),
        TEST(etc1_blocks),
        TEST(etc1_rows_by_flip_and_reading),
        TEST(bit_order_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
