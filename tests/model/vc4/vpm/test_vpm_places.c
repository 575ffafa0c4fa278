/* SPDX-License-Identifier: MIT */
/*
 * Where the VPM's modes read and write (figures 8 and 9 and tables 32 and 33 of VideoCoreIV-AG100-R), strides
 * and wraps. place_of follows the figures, mode by mode, and shares nothing with the model's address
 * function.
 */
#include "tests/model/vc4/vpm/support_vpm.h"

/* ---- Places: figures 8 and 9, p54-55 ---- */

enum kind { H32, H16P, H16L, H8P, H8L, V32, V16P, V16L, V8P, V8L, KINDS };
/* Bits 11:8 of each kind's setup, by table 32. */
static const uint32_t kind_bits[KINDS] = {0xA00, 0x900, 0xD00, 0x800, 0xC00,
                                          0x200, 0x100, 0x500, 0x000, 0x400};

static uint32_t address_of(enum kind k, uint32_t y, uint32_t x, uint32_t sub)
{
    switch (k) {
    case H32:
        return y;
    case H16P:
    case H16L:
        return y << 1 | sub;
    case H8P:
    case H8L:
        return y << 2 | sub;
    case V32:
        return (y & 0x30) | x;
    case V16P:
    case V16L:
        return (y & 0x30) << 1 | x << 1 | sub;
    default:
        return (y & 0x30) << 2 | x << 2 | sub;
    }
}

struct place {
    uint32_t row, col, byte, bytes;
};

static struct place place_of(enum kind k, uint32_t y, uint32_t x, uint32_t sub, uint32_t i)
{
    uint32_t top = y / 16 * 16;
    switch (k) {
    case H32:
        return (struct place){y, i, 0, 4};
    case H16P:
        return (struct place){y, 8 * sub + i / 2, i % 2 * 2, 2};
    case H16L:
        return (struct place){y, i, sub * 2, 2};
    case H8P:
        return (struct place){y, 4 * sub + i / 4, i % 4, 1};
    case H8L:
        return (struct place){y, i, sub, 1};
    case V32:
        return (struct place){top + i, x, 0, 4};
    case V16P:
        return (struct place){top + 8 * sub + i / 2, x, i % 2 * 2, 2};
    case V16L:
        return (struct place){top + i, x, sub * 2, 2};
    case V8P:
        return (struct place){top + 4 * sub + i / 4, x, i % 4, 1};
    default:
        return (struct place){top + i, x, sub, 1};
    }
}

static uint32_t subs(enum kind k)
{
    return k == H32 || k == V32 ? 1 : k == H16P || k == H16L || k == V16P || k == V16L ? 2 : 4;
}

static uint32_t low_mask(uint32_t bytes)
{
    return bytes == 4 ? ~0U : (1U << 8 * bytes) - 1;
}

static void check_place(enum kind k, uint32_t y, uint32_t x, uint32_t sub)
{
    struct vc4_vector before[VC4_VPM_ROWS], value;
    start_again();
    fill_vpm();
    memcpy(before, m.vpm, sizeof before);
    for (unsigned i = 0; i < 16; i++)
        value.lane[i] = 0xA1B2C300U + 0x01010111U * i;
    for (unsigned i = 0; i < 16; i++) {
        struct place p = place_of(k, y, x, sub, i);
        uint32_t mask = low_mask(p.bytes) << 8 * p.byte;
        before[p.row].lane[p.col] =
            (before[p.row].lane[p.col] & ~mask) | (value.lane[i] << 8 * p.byte & mask);
    }
    uint32_t word = kind_bits[k] | 1 << 12 | address_of(k, y, x, sub);
    assert_int_equal(wr(word), VC4_GO);
    put(&value);
    assert_memory_equal(m.vpm, before, sizeof before);
    assert_int_equal(rd(word | 1 << 20), VC4_GO);
    m.now += LATE;
    struct vc4_vector back = get();
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(back.lane[i],
                         value.lane[i] & low_mask(place_of(k, y, x, sub, i).bytes)); /* zero-extended */
}

static void every_mode_touches_the_places_of_the_figures(void **state)
{
    (void)state;
    for (enum kind k = 0; k < KINDS; k++)
        for (uint32_t y = 0; y < 64; y += k >= V32 ? 16 : 1)
            for (uint32_t x = 0; x < (k >= V32 ? 16U : 1U); x++)
                for (uint32_t sub = 0; sub < subs(k); sub++)
                    check_place(k, y, x, sub);
}

/* Writes ones to all bytes that the setup selects. Expects the bits of `mask` to be set in these rows and
 * columns, and all other bits to be 0. */
static void check_figure(const char *text, uint32_t row, uint32_t rows, uint32_t col, uint32_t cols,
                         uint32_t mask)
{
    start_again();
    wr_text(text);
    put_splat(~0U);
    for (uint32_t y = 0; y < VC4_VPM_ROWS; y++)
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(m.vpm[y].lane[x],
                             y >= row && y < row + rows && x >= col && x < col + cols ? mask : 0);
}

static void examples_of_figures_8_and_9(void **state)
{
    (void)state;
    check_figure("h8 y=0 b=2", 0, 1, 8, 4, ~0U);
    check_figure("h8-laned y=1 b=1", 1, 1, 0, 16, 0xFF00);
    check_figure("h16-laned y=2 h=0", 2, 1, 0, 16, 0xFFFF);
    check_figure("h16 y=3 h=1", 3, 1, 8, 8, ~0U);
    check_figure("h32 y=63", 63, 1, 0, 16, ~0U);
    check_figure("v8 yblock=0 x=0 b=1", 4, 4, 0, 1, ~0U);
    check_figure("v8-laned x=1 b=2", 0, 16, 1, 1, 0xFF0000);
    check_figure("v16-laned x=2 h=0", 0, 16, 2, 1, 0xFFFF);
    check_figure("v16 x=15 h=1", 8, 8, 15, 1, ~0U);
    check_figure("v32 yblock=1 x=1", 16, 16, 1, 1, ~0U);
}

static void figure_8a_as_printed(void **state)
{
    (void)state;
    m.profile.reading[VPM_CLAUSE_FIG8A] = READING_MANUAL;
    wr_text("h8");
    struct vc4_vector x = ramp(0x10);
    put(&x);
    assert_int_equal(m.vpm[0].lane[0] & 0xFF, 0x10);
    assert_int_equal(m.vpm[0].lane[1], 0x17161513); /* element 3 replaces element 4 */
    assert_int_equal(m.vpm[0].lane[2] & 0xFF, 0x18);
    assert_int_equal(m.vpm[0].lane[3] & 0xFF, 0x1C);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_FIG8A], 1);
    rd_text("h8 num=1"); /* element 4 has no place, so a read leaves it undefined */
    m.now += LATE;
    struct vc4_vector defined, back = get_masked(&defined);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(defined.lane[i], i == 4 ? 0 : ~0U);
        if (i != 4)
            assert_int_equal(back.lane[i], 0x10 + i);
    }
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_FIG8A], 3);
}

static void other_readings_of_addr(void **state)
{
    (void)state;
    for (unsigned c = VPM_CLAUSE_ADDR_H8; c <= VPM_CLAUSE_ADDR_VERTICAL; c++)
        m.profile.reading[c] = VPM_ADDR_ROW_DIV_4;
    check_figure("h8-laned y=3 b=1", 12, 1, 0, 16, 0xFF00); /* ADDR 0D = {Y[7:2] = 3, B = 1}: row 12 */
    check_figure("h16-laned y=3 h=1", 12, 1, 0, 16, 0xFFFF0000);
    check_figure("h32 y=3", 3, 1, 0, 16, ~0U); /* the sources agree about 32-bit rows */
    check_figure("v8-laned yblock=1 x=3", 0, 16, 3, 1, 0xFF);
    check_figure("v32 yblock=3 x=3", 0, 16, 3, 1, ~0U);
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_ADDR_H16] = m.profile.reading[VPM_CLAUSE_ADDR_V16] = VPM_ADDR_ROW_DIV_2;
    check_figure("h16-laned y=11 h=1", 22, 1, 0, 16, 0xFFFF0000); /* ADDR 17 = {Y[6:1] = 11, H = 1} */
    check_figure("h16 y=37 h=1", 10, 1, 8, 8, ~0U);               /* row 74 of 64, that is row 10 */
    check_figure("v16-laned yblock=3 x=3", 32, 16, 3, 1,
                 0xFFFF); /* {Y[6:5] = 3, X = 3, H = 0}: row 96 of 64, that is row 32 */
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_ADDR_LS4] = VPM_ADDR_LS4_LITERAL;
    check_figure("h32 y=20", 4, 1, 0, 16, ~0U);
    check_figure("v32 yblock=2 x=1", 32, 16, 1, 1, ~0U);
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_ADDR_HIGH_BITS] = VPM_ADDR_HIGH_ROW_BITS;
    check_figure("h32 y=2 addr-high=1", 66, 1, 0, 16, ~0U);
    check_figure("h16-laned y=2 addr-high=1", 66, 1, 0, 16, 0xFFFF);
    check_figure("v16-laned x=2 addr-high=1", 64, 16, 2, 1, 0xFFFF);
    start_again();
    wr_text("h32 stride=1 y=63"); /* the stride carries into Y[6] and, 64 rows later, out of ADDR */
    for (uint32_t i = 0; i < 66; i++)
        put_splat(i + 1);
    assert_int_equal(m.vpm[63].lane[0], 1);
    assert_int_equal(m.vpm[64].lane[0], 2);
    assert_int_equal(m.vpm[127].lane[0], 65);
    assert_int_equal(m.vpm[0].lane[0], 66);
    start_again();
    wr_text("h32 stride=0 y=7"); /* the row 64 further is another row here, so vpm-stride-zero decides */
    put_splat(1);
    put_splat(2);
    assert_int_equal(m.vpm[7].lane[0], 1);
    assert_int_equal(m.vpm[71].lane[0], 2);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_STRIDE_ZERO], 4);
}

/* A stride that carries into the bits above Y consults the clause of these bits, even if its reading ignores
 * them: row 0 comes after row 63 (p55). */
static void strides_that_carry_above_y(void **state)
{
    (void)state;
    wr_text("h32 stride=1 y=63");
    put_splat(1);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_ADDR_HIGH_BITS], 0);
    put_splat(2);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_ADDR_HIGH_BITS], 1);
    assert_int_equal(m.vpm[0].lane[0], 2);
    assert_int_equal(m.vpm[64].lane[0], 0);
}

/* Setup words of the coordinate shader of the blog post: C2 acts as row 2, and the unused bits are 5EF. */
static void setups_of_the_published_shader(void **state)
{
    (void)state;
    assert_int_equal(wr(0x17BC1AC2), VC4_GO);
    put_splat(1);
    put_splat(2);
    assert_int_equal(m.vpm[2].lane[0], 1);
    assert_int_equal(m.vpm[3].lane[15], 2);
    assert_int_equal(wr(0x83904000), VC4_GO); /* 7 units, depth 16, horizontal, (0, 0), 32-bit */
    assert_int_equal(vpm_dma_store(&m.v, BASE, ~0U, m.now++), VC4_GO);
    assert_memory_equal(m.memory, m.vpm, 7 * 64);
    for (unsigned row = 0; row < VC4_MEMORY_ROWS; row++) { /* only seven rows were written */
        unsigned bit = VC4_VPM_ROWS + row;
        assert_int_equal(m.touched[bit / 64] >> bit % 64 & 1, row < 7);
    }
}

/* ---- Strides and wraps, sheet of p55-57 ---- */

static void strides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t row, col, shift; /* the place of element 0 of the second vector */
    } rows[] = {
        {"h8 stride=1 y=5 b=0", 5, 4, 0},
        {"h8 stride=1 y=5 b=3", 6, 0, 0},
        {"h8 stride=4 y=5 b=1", 6, 4, 0},
        {"h16 stride=2 y=5 h=1", 6, 8, 0},
        {"h32 stride=1 y=5", 6, 0, 0},
        {"h32 stride=1 y=63", 0, 0, 0},
        {"h8-laned stride=1 y=5 b=3", 6, 0, 0},
        {"h8-laned stride=1 y=63 b=3", 0, 0, 0},
        {"h16-laned stride=1 y=5 h=0", 5, 0, 16},
        {"v32 stride=1 x=15", 16, 0, 0},
        {"v32 stride=16 yblock=0 x=15", 16, 15, 0},
        {"v32 stride=1 yblock=3 x=15", 0, 0, 0},
        {"v8 stride=1 x=2 b=3", 0, 3, 0},
        {"v16 stride=1 x=2 h=0", 8, 2, 0},
        {"h32 stride=0 y=7", 7, 0, 0},
        {"v32 stride=0 yblock=1 x=7", 16, 7, 0},
        {"h16 stride=0 y=7 h=1", 39, 8, 0},
        {"h8 stride=0 y=7 b=2", 23, 8, 0},
        {"h16 stride=0 y=40", 8, 0, 0},
        {"h8-laned stride=0 y=60 b=1", 12, 0, 8},
        {"h32 stride=63 y=7", 6, 0, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start_again();
        wr_text(rows[i].text);
        put_splat(0);
        put_splat(0xFF);
        uint32_t row = rows[i].row, col = rows[i].col;
        if ((m.vpm[row].lane[col] >> rows[i].shift & 0xFF) != 0xFF)
            fail_msg("%s: the second vector is not at row %u column %u", rows[i].text, row, col);
        unsigned words = 0;
        for (unsigned w = 0; w < VC4_VPM_ROWS * 16; w++)
            words += m.vpm[w / 16].lane[w % 16] != 0;
        assert_true(words <= 16);
    }
    start_again();
    m.profile.reading[VPM_CLAUSE_STRIDE_ZERO] = VPM_STRIDE_ZERO_STAYS;
    wr_text("h16 stride=0 y=7");
    put_splat(1);
    put_splat(2);
    assert_int_equal(m.vpm[7].lane[0], 0x00020002);
    assert_int_equal(m.vpm[39].lane[0], 0);
}

/* asurati.github.io: 41020F reads four vectors of column 15, from rows 0, 16, 32, 48. */
static void column_reads_of_the_asurati_demo(void **state)
{
    (void)state;
    fill_vpm();
    assert_int_equal(rd(0x0041020F), VC4_GO);
    m.now += LATE;
    for (uint32_t block = 0; block < 4; block++) {
        struct vc4_vector x = get();
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(x.lane[i], m.vpm[16 * block + i].lane[15]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_mode_touches_the_places_of_the_figures),
        TEST(examples_of_figures_8_and_9),
        TEST(figure_8a_as_printed),
        TEST(other_readings_of_addr),
        TEST(strides_that_carry_above_y),
        TEST(setups_of_the_published_shader),
        TEST(strides),
        TEST(column_reads_of_the_asurati_demo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
