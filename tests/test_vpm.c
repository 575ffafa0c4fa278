/* SPDX-License-Identifier: MIT */
/*
 * The VPM and its DMA, driven directly. Expected places come from figures 8
 * and 9 and tables 32 to 37 of VideoCoreIV-AG100-R and from public programs, as
 * each test says; place_of below is typed from the figures, mode by mode,
 * and shares nothing with the model's address function.
 */
#include "model/vc4/vpm.h"
#include "model/vc4/vpm_clauses.h"
#include "model/vc4/vpm_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x40000000, LATE = 1000 };

/* ---- A machine with everything in it known ---- */

static struct machine {
    struct profile profile;
    struct coverage coverage;
    struct vc4_vector vpm[VC4_VPM_ROWS], vpm_defined[VC4_VPM_ROWS], memory[VC4_MEMORY_ROWS], memory_defined[VC4_MEMORY_ROWS];
    uint64_t touched[8];
    struct vc4_env env;
    struct vpm v;
    uint64_t now;
} m;
static const struct vc4_vector all_defined = {.lane = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}};

/* All clauses as the manual has them, but bytes packed in order: what the tests of places want. */
static int fresh(void **state)
{
    (void)state;
    memset(&m, 0, sizeof m);
    memset(m.vpm_defined, 0xFF, sizeof m.vpm_defined);
    memset(m.memory_defined, 0xFF, sizeof m.memory_defined);
    m.profile.reading[VPM_CLAUSE_FIG8A] = VPM_FIG8A_IN_ORDER;
    m.env = (struct vc4_env){.profile = &m.profile,
                             .coverage = &m.coverage,
                             .checked = true,
                             .filler = 0xDEADBEEF,
                             .memory_base = BASE,
                             .memory = {m.memory, m.memory_defined, m.touched, VC4_VPM_ROWS, VC4_MEMORY_ROWS}};
    vpm_reset(&m.v, &m.env, (struct vc4_rows){m.vpm, m.vpm_defined, m.touched, 0, VC4_VPM_ROWS});
    return 0;
}

static void start_again(void)
{
    uint8_t readings[CLAUSES_MAX];
    memcpy(readings, m.profile.reading, sizeof readings);
    fresh(NULL);
    memcpy(m.profile.reading, readings, sizeof readings);
}

static enum vc4_stop wr(uint32_t word)
{
    return vpm_write_setup(&m.v, word, ~0U, m.now++);
}
static enum vc4_stop rd(uint32_t word)
{
    return vpm_read_setup(&m.v, word, ~0U, m.now++);
}
static void put(const struct vc4_vector *x)
{
    assert_int_equal(vpm_write(&m.v, x, &all_defined, 0xFFFF, m.now++), VC4_GO);
}
static struct vc4_vector get_masked(struct vc4_vector *defined)
{
    struct vc4_vector x;
    assert_int_equal(vpm_read(&m.v, &x, defined, m.now++), VC4_GO);
    return x;
}
/* A read that must be fully defined. */
static struct vc4_vector get(void)
{
    struct vc4_vector defined, x = get_masked(&defined);
    assert_memory_equal(&defined, &all_defined, sizeof defined);
    return x;
}
static struct vc4_vector splat(uint32_t word)
{
    struct vc4_vector x;
    for (unsigned i = 0; i < 16; i++)
        x.lane[i] = word;
    return x;
}
static struct vc4_vector ramp(uint32_t first)
{
    struct vc4_vector x;
    for (unsigned i = 0; i < 16; i++)
        x.lane[i] = first + i;
    return x;
}
static void put_splat(uint32_t word)
{
    struct vc4_vector x = splat(word);
    put(&x);
}
static void fill_vpm(void)
{ /* bytes differ from their neighbours */
    for (uint32_t y = 0; y < VC4_VPM_ROWS; y++)
        for (uint32_t x = 0; x < 16; x++)
            m.vpm[y].lane[x] = 0x80800000U ^ (y << 24 | x << 16 | (y * 7 + x * 3) % 251 << 8 | (y * 13 + x * 5 + 1) % 253);
}
static uint8_t vpm_byte(uint32_t y, uint32_t column_byte)
{
    return (uint8_t)(m.vpm[y].lane[column_byte / 4] >> column_byte % 4 * 8);
}
static uint8_t memory_byte(uint32_t at)
{
    return (uint8_t)(m.memory[at / 64].lane[at / 4 % 16] >> at % 4 * 8);
}
static uint32_t memory_word(uint32_t at)
{
    return m.memory[at / 64].lane[at / 4 % 16];
}
static uint32_t setup(enum setup_register which, const char *text)
{
    uint32_t word = 0;
    struct error e = {0};
    if (!setup_parse(which, text, strlen(text), 1, &word, &e))
        fail_msg("%s", e.text);
    return word;
}
static void wr_text(const char *text)
{
    assert_int_equal(wr(setup(SETUP_WRITE, text)), VC4_GO);
}
static void rd_text(const char *text)
{
    assert_int_equal(rd(setup(SETUP_READ, text)), VC4_GO);
}

/* ---- Places: figures 8 and 9, p54-55 ---- */

enum kind { H32, H16P, H16L, H8P, H8L, V32, V16P, V16L, V8P, V8L, KINDS };
/* The setup's bits 11:8 and its ADDR, by table 32. */
static const uint32_t kind_bits[KINDS] = {0xA00, 0x900, 0xD00, 0x800, 0xC00, 0x200, 0x100, 0x500, 0x000, 0x400};

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
        before[p.row].lane[p.col] = (before[p.row].lane[p.col] & ~mask) | (value.lane[i] << 8 * p.byte & mask);
    }
    uint32_t word = kind_bits[k] | 1 << 12 | address_of(k, y, x, sub);
    assert_int_equal(wr(word), VC4_GO);
    put(&value);
    assert_memory_equal(m.vpm, before, sizeof before);
    assert_int_equal(rd(word | 1 << 20), VC4_GO);
    m.now += LATE;
    struct vc4_vector back = get();
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(back.lane[i], value.lane[i] & low_mask(place_of(k, y, x, sub, i).bytes)); /* zero-extended */
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

/* Writes FF in every byte at the setup and checks that just these columns, rows and bytes have changed. */
static void check_figure(const char *text, uint32_t row, uint32_t rows, uint32_t col, uint32_t cols, uint32_t mask)
{
    start_again();
    wr_text(text);
    put_splat(~0U);
    for (uint32_t y = 0; y < VC4_VPM_ROWS; y++)
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(m.vpm[y].lane[x], y >= row && y < row + rows && x >= col && x < col + cols ? mask : 0);
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
    assert_int_equal(m.vpm[0].lane[1], 0x17161513); /* 3 stands where 4 belongs */
    assert_int_equal(m.vpm[0].lane[2] & 0xFF, 0x18);
    assert_int_equal(m.vpm[0].lane[3] & 0xFF, 0x1C);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_FIG8A], 1);
    rd_text("h8 num=1"); /* element 4 stands nowhere, so no read finds it */
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
    check_figure("h32 y=3", 3, 1, 0, 16, ~0U); /* nobody doubts it */
    check_figure("v8-laned yblock=1 x=3", 0, 16, 3, 1, 0xFF);
    check_figure("v32 yblock=3 x=3", 0, 16, 3, 1, ~0U);
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_ADDR_LS4] = VPM_ADDR_LS4_LITERAL;
    check_figure("h32 y=20", 4, 1, 0, 16, ~0U);
    check_figure("v32 yblock=2 x=1", 32, 16, 1, 1, ~0U);
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_ADDR_HIGH_BITS] = VPM_ADDR_HIGH_ROW_BITS;
    check_figure("h32 y=2 addr_high=1", 66, 1, 0, 16, ~0U);
    check_figure("h16-laned y=2 addr_high=1", 66, 1, 0, 16, 0xFFFF);
    check_figure("v16-laned x=2 addr_high=1", 64, 16, 2, 1, 0xFFFF);
    start_again();
    wr_text("h32 stride=1 y=63"); /* the stride carries into Y[6] and, 64 rows later, out of ADDR */
    for (uint32_t i = 0; i < 66; i++)
        put_splat(i + 1);
    assert_int_equal(m.vpm[63].lane[0], 1);
    assert_int_equal(m.vpm[64].lane[0], 2);
    assert_int_equal(m.vpm[127].lane[0], 65);
    assert_int_equal(m.vpm[0].lane[0], 66);
    start_again();
    wr_text("h32 stride=0 y=7"); /* 64 further is another row here: the clause about STRIDE 0 has a say */
    put_splat(1);
    put_splat(2);
    assert_int_equal(m.vpm[7].lane[0], 1);
    assert_int_equal(m.vpm[71].lane[0], 2);
    assert_int_equal(m.coverage.modes[VPM_CLAUSE_STRIDE_ZERO], 4);
}

/* Stepping into the bits above Y asks the clause about them, also where they are ignored: past row 63 comes row 0 (p55). */
static void strides_meet_the_bits_above_y(void **state)
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

/* Words of the coordinate shader of the blog post: C2 acts as row 2, and 5EF stands in the unused bits. */
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
    for (unsigned row = 0; row < VC4_MEMORY_ROWS; row++) { /* just seven rows were written */
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
        uint32_t row, col, shift; /* of element 0 of the second vector */
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
static void column_reads_of_asurati(void **state)
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

/* ---- FIFO rules, p55-56 ---- */

static void num_counts_vectors_and_zero_means_16(void **state)
{
    (void)state;
    struct vc4_vector x, d;
    m.profile.reading[VPM_CLAUSE_READ_EXCESS] = VPM_EXCESS_BLOCKS;
    for (uint32_t num = 0; num < 16; num++) {
        start_again();
        assert_int_equal(rd(0x1A00 | num << 20), VC4_GO);
        m.now += LATE;
        for (uint32_t i = 0; i < (num ? num : 16); i++)
            (void)get();
        assert_int_equal(vpm_read(&m.v, &x, &d, m.now), VC4_HANG_VPM_READ);
    }
}

static void excess_reads(void **state)
{
    (void)state;
    struct vc4_vector d;
    (void)get_masked(&d); /* manual: at once, undefined */
    assert_int_equal(d.lane[0] | d.lane[15], 0);
    m.profile.reading[VPM_CLAUSE_READ_EXCESS] = VPM_EXCESS_BLOCKS;
    struct vc4_vector x;
    assert_int_equal(vpm_read(&m.v, &x, &d, m.now), VC4_HANG_VPM_READ);
}

static void early_reads(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < 3; rule++)
        for (uint64_t between = 0; between < 4; between++) {
            fresh(NULL);
            m.profile.reading[VPM_CLAUSE_READ_EARLY] = (uint8_t)rule;
            m.vpm[0] = splat(100);
            m.vpm[1] = splat(101);
            rd_text("h32 num=2 stride=1");
            m.now += between;
            bool early = between < 2; /* p56: at least three instructions after the setup */
            struct vc4_vector d, x = get_masked(&d);
            assert_int_equal(d.lane[3], early && rule != VPM_EARLY_BLOCKS ? 0 : ~0U);
            if (d.lane[3])
                assert_int_equal(x.lane[3], 100);
            m.now += LATE;
            x = get();
            assert_int_equal(x.lane[3], early && rule == VPM_EARLY_NOT_TAKEN ? 100 : 101);
        }
}

/* Two setups of `first` and `second` vectors one after the other; what `reads` reads then return, as a string of rows. */
static void check_queue(unsigned rule, const char *setups, const char *expected)
{
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_READ_QUEUE] = (uint8_t)rule;
    m.profile.reading[VPM_CLAUSE_READ_EXCESS] = VPM_EXCESS_BLOCKS;
    for (uint32_t y = 0; y < 64; y++)
        m.vpm[y] = splat(y);
    for (uint32_t i = 0; setups[i]; i++)
        assert_int_equal(rd(0x1A00 | (uint32_t)(setups[i] - '0') << 20 | 10 * i), VC4_GO);
    m.now += LATE;
    struct vc4_vector x, d;
    for (; vpm_read(&m.v, &x, &d, m.now++) == VC4_GO; expected++)
        assert_int_equal(x.lane[0], (expected[0] - 'a') * 10 + expected[1] - '0'), expected++;
    assert_int_equal(*expected, 0);
}

static void read_queue(void **state)
{
    (void)state;
    check_queue(READING_MANUAL, "22", "a0a1b0b1");
    check_queue(READING_MANUAL, "221", "a0a1b0b1");           /* p56: a third is ignored */
    check_queue(VPM_QUEUE_ONE_OUTSTANDING, "22", "a0a1");     /* vc4asm addendum: 2 + 2 loses the second */
    check_queue(VPM_QUEUE_ONE_OUTSTANDING, "13", "a0b0b1b2"); /* 1 + 3 works */
    check_queue(VPM_QUEUE_REDIRECTS, "22", "b0b1");
}

static void fetched_ahead(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_FIFO_DEPTH] = (uint8_t)rule;
        rd_text("h32 num=6 stride=1");
        wr_text("h32 stride=1");
        m.now += LATE;
        for (unsigned i = 0; i < 6; i++)
            put_splat(7);
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(get().lane[0], rule == VPM_FIFO_FOUR && i < 4 ? 0 : 7);
        m.memory[0] = splat(8);
        rd_text("h32 num=1 y=20");
        rd_text("load-h nrows=1 y=20"); /* a transfer changes the VPM, too */
        assert_int_equal(vpm_dma_load(&m.v, BASE, ~0U, m.now++), VC4_GO);
        m.now += LATE;
        assert_int_equal(get().lane[0], rule == VPM_FIFO_FOUR ? 0 : 8);
    }
}

static void conditional_writes(void **state)
{
    (void)state;
    struct vc4_vector x = splat(9);
    wr_text("h32 stride=1");
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0x00F0, m.now++), VC4_GO);
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0, m.now++), VC4_GO);
    put_splat(5);
    assert_int_equal(m.vpm[0].lane[3], 0);
    assert_int_equal(m.vpm[0].lane[4], 9);
    assert_int_equal(m.vpm[0].lane[8], 0);
    assert_int_equal(m.vpm[1].lane[0], 5);
    start_again();
    m.profile.reading[VPM_CLAUSE_COND_VPM_WRITE] = VPM_COND_PUSHES;
    wr_text("h32 stride=1");
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0x00F0, m.now++), VC4_GO);
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0, m.now++), VC4_GO);
    put_splat(5);
    assert_int_equal(m.vpm_defined[0].lane[3], 0);
    assert_int_equal(m.vpm_defined[0].lane[4], ~0U);
    assert_int_equal(m.vpm_defined[1].lane[4], 0);
    assert_int_equal(m.vpm[2].lane[0], 5);
}

static void accesses_in_one_instruction(void **state)
{
    (void)state;
    struct vc4_vector x = splat(9);
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_CONCURRENT] = (uint8_t)rule;
        uint32_t old_row = 4, new_row = 8, lands = rule ? old_row : new_row;
        wr_text("h32 stride=1 y=4");
        m.now += LATE;
        assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 stride=1 y=8"), ~0U, m.now), VC4_GO); /* setup, then write */
        assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
        assert_int_equal(m.vpm[lands].lane[0], 9);
        assert_int_equal(m.vpm[old_row + new_row - lands].lane[0], 0);
        m.now++;
        wr_text("h32 stride=1 y=16");
        assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 y=20"), ~0U, m.now - 1), VC4_GO); /* two setups */
        put_splat(3);
        assert_int_equal(m.vpm[20].lane[0], rule ? 0 : 3);
        assert_int_equal(m.vpm[5].lane[0], rule ? 3 : 0); /* both were lost: the write goes on after row 4 */
    }
}

/* Reading `undefined`: what needs the setup cannot be followed in a checked run until it is made again; what does not goes on. */
static void unreliable_setups(void **state)
{
    (void)state;
    struct vc4_vector x = splat(9), defined;
    m.profile.reading[VPM_CLAUSE_CONCURRENT] = VPM_CONCURRENT_UNDEFINED;
    wr_text("h32 stride=1 y=4");
    assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 stride=1 y=8"), ~0U, m.now), VC4_GO);
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++), VC4_GO);
    assert_int_equal(m.vpm[4].lane[0], 9); /* by the setup before */
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++), VC4_FAULT_UNDEFINED);
    wr_text("h32 stride=1 y=8");
    put_splat(3);
    assert_int_equal(m.vpm[8].lane[0], 3);
    wr_text("store-h units=1 depth=1"); /* a setup and a write: the transfer's word is not known, the next write's place is */
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
    assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "store-h units=2 depth=1"), ~0U, m.now++), VC4_GO);
    put_splat(5);
    assert_int_equal(m.vpm[10].lane[0], 5);
    assert_int_equal(vpm_dma_store(&m.v, BASE, ~0U, m.now++), VC4_FAULT_UNDEFINED);
    wr_text("store-h units=1 depth=1");
    assert_int_equal(vpm_dma_store(&m.v, BASE, ~0U, m.now++), VC4_GO);
    m.now += LATE;
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
    assert_int_equal(vpm_read_setup(&m.v, setup(SETUP_READ, "h32 num=1"), ~0U, m.now++), VC4_GO);
    m.now += LATE;
    assert_int_equal(vpm_read(&m.v, &x, &defined, m.now++), VC4_FAULT_UNDEFINED);
    rd_text("h32 num=1"); /* whether it is taken hangs on how many vectors are outstanding */
    m.now += LATE;
    assert_int_equal(vpm_read(&m.v, &x, &defined, m.now++), VC4_FAULT_UNDEFINED);
    m.env.checked = false;
    assert_int_equal(vpm_read(&m.v, &x, &defined, m.now++), VC4_GO);
}

static void read_and_write_in_one_instruction(void **state)
{
    (void)state;
    struct vc4_vector x = splat(9), got, d;
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_READ_WRITE_SAME] = (uint8_t)rule;
        rd_text("h32 num=1 y=1");
        wr_text("h32 y=2");
        m.now += LATE;
        assert_int_equal(vpm_read(&m.v, &got, &d, m.now), VC4_GO);
        assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
        assert_int_equal(m.vpm[2].lane[0], rule ? 0 : 9);
    }
}

static void subword_reads(void **state)
{
    (void)state;
    static const uint32_t expected[3][2] = {{0x83, 0x8483}, {0xFFFFFF83, 0xFFFF8483}, {0x83838383, 0x84838483}};
    for (unsigned rule = 0; rule < 3; rule++)
        for (unsigned half = 0; half < 2; half++) {
            fresh(NULL);
            m.profile.reading[VPM_CLAUSE_SUBWORD_READ] = (uint8_t)rule;
            m.vpm[0] = splat(0x86858483);
            rd_text(half ? "h16-laned num=1" : "h8-laned num=1");
            m.now += LATE;
            assert_int_equal(get().lane[7], expected[rule][half]);
        }
}

static void definedness_travels(void **state)
{
    (void)state;
    struct vc4_vector x = splat(0x12345678), mask = splat(0xF0), d;
    wr_text("h8-laned stride=4 b=1");
    assert_int_equal(vpm_write(&m.v, &x, &mask, 0xFFFF, m.now++), VC4_GO);
    assert_int_equal(m.vpm_defined[0].lane[5], 0xFFFFF0FF);
    rd_text("h8-laned num=1 b=1");
    m.now += LATE;
    (void)get_masked(&d);
    assert_int_equal(d.lane[5], 0xFFFFFFF0); /* what stands above was put there by the extension */
    assert_int_equal(wr(setup(SETUP_WRITE, "store-h units=1 depth=16")), VC4_GO);
    assert_int_equal(vpm_dma_store(&m.v, BASE + 64, ~0U, m.now++), VC4_GO);
    assert_int_equal(m.memory_defined[1].lane[5], 0xFFFFF0FF);
    rd_text("load-h modew=4 nrows=1 rowlen=4 y=9");
    assert_int_equal(vpm_dma_load(&m.v, BASE + 64, ~0U, m.now++), VC4_GO);
    assert_int_equal(m.vpm_defined[9].lane[0], 0xFFFFF0FF);
}

static void undefined_words_stop_checked_runs(void **state)
{
    (void)state;
    assert_int_equal(vpm_write_setup(&m.v, 0x1A00, ~0x100U, m.now++), VC4_FAULT_UNDEFINED);
    assert_int_equal(vpm_write_setup(&m.v, 0x1A00, ~0x20000000U, m.now++), VC4_GO); /* an unused bit */
    assert_int_equal(vpm_read_setup(&m.v, 0x1A00, ~1U, m.now++), VC4_FAULT_UNDEFINED);
    wr_text("store-h units=1 depth=1");
    assert_int_equal(vpm_dma_store(&m.v, BASE, ~4U, m.now++), VC4_FAULT_UNDEFINED);
    fresh(NULL);
    struct vc4_vector x = splat(1);
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++), VC4_FAULT_UNDEFINED); /* without any setup */
    assert_int_equal(vpm_dma_load(&m.v, BASE, ~0U, m.now++), VC4_FAULT_UNDEFINED);
    fresh(NULL);
    m.env.checked = false;
    assert_int_equal(vpm_write_setup(&m.v, 0x1A00, 0, m.now++), VC4_GO);
}

static void reserved_setups(void **state)
{
    (void)state;
    assert_int_equal(wr(0x40000000), VC4_FAULT_RESERVED);
    assert_int_equal(rd(0x40000000), VC4_FAULT_RESERVED);
    assert_int_equal(wr(0x1B00), VC4_FAULT_RESERVED); /* SIZE 3 */
    assert_int_equal(rd(0x1B00), VC4_FAULT_RESERVED);
    assert_int_equal(wr(0x80000001), VC4_FAULT_RESERVED); /* store, MODEW 1 */
    m.profile.reading[VPM_CLAUSE_VCD_BASE_SETUP] = VPM_BASE_SETUP_IGNORED;
    assert_int_equal(wr(0x40000000), VC4_GO);
    m.profile.reading[VPM_CLAUSE_SETUP_UNUSED] = VPM_UNUSED_REFUSED;
    assert_int_equal(wr(0x17BC1AC2), VC4_FAULT_RESERVED);
    assert_int_equal(wr(0x00001AC2), VC4_GO);
}

static void status_registers(void **state)
{
    (void)state;
    struct vc4_vector stale = splat(0x77), x, d;
    for (enum vpm_status s = VPM_LOAD_BUSY; s <= VPM_STORE_WAIT; s++) {
        assert_int_equal(vpm_read_status(&m.v, s, &stale, &x, &d, m.now++), VC4_GO);
        assert_int_equal(x.lane[2], 0);
        assert_int_equal(d.lane[2], ~0U);
    }
    wr_text("store-h units=1 depth=1");
    assert_int_equal(vpm_dma_store(&m.v, BASE, ~0U, m.now++), VC4_GO);
    assert_int_equal(vpm_read_status(&m.v, VPM_STORE_BUSY, &stale, &x, &d, m.now++), VC4_GO);
    assert_int_equal(d.lane[2], 0); /* how long it takes is not said */
    m.profile.reading[VPM_CLAUSE_BUSY] = m.profile.reading[VPM_CLAUSE_WAIT_DATA] = VPM_STATUS_UNMAPPED;
    for (enum vpm_status s = VPM_LOAD_BUSY; s <= VPM_STORE_WAIT; s++) {
        assert_int_equal(vpm_read_status(&m.v, s, &stale, &x, &d, m.now++), VC4_GO);
        assert_int_equal(x.lane[2], 0x77);
    }
}

/* ---- DMA store, p58-59 ---- */

static void store(const char *text, uint32_t offset)
{
    wr_text(text);
    assert_int_equal(vpm_dma_store(&m.v, BASE + offset, ~0U, m.now++), VC4_GO);
}

/* doe300/VC4C VPM.h: rows 00.., 10.., 20.., 30.., depth 4, units 3 (the last item of its vertical line is misprinted). */
static void store_order_example_of_vc4c(void **state)
{
    (void)state;
    static const uint32_t horizontal[12] = {0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x13, 0x20, 0x21, 0x22, 0x23};
    static const uint32_t vertical[12] = {0x00, 0x10, 0x20, 0x30, 0x01, 0x11, 0x21, 0x31, 0x02, 0x12, 0x22, 0x32};
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++)
            m.vpm[y].lane[x] = y << 4 | x;
    store("store-h units=3 depth=4", 0);
    store("store-v units=3 depth=4", 256);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(memory_word(4 * i), horizontal[i]);
        assert_int_equal(memory_word(256 + 4 * i), vertical[i]);
    }
}

/* py-videocore tests/test_dma horizontal_32bit_stride_store: 64-byte rows, STRIDE 64, pitch 128: STRIDE counts from the row's end. */
static void store_stride_counts_from_the_end(void **state)
{
    (void)state;
    fill_vpm();
    wr_text("store-stride stride=64");
    store("store-h units=64 depth=16", 0);
    for (uint32_t y = 0; y < 64; y++) {
        assert_memory_equal(&m.memory[2 * y], &m.vpm[y], 64);
        assert_int_equal(m.memory[2 * y + 1].lane[0], 0);
    }
    start_again();
    m.profile.reading[VPM_CLAUSE_VDW_STRIDE_MEANING] = VPM_VDW_START_TO_START;
    fill_vpm();
    wr_text("store-stride stride=64");
    store("store-h units=4 depth=16", 0);
    assert_memory_equal(m.memory, m.vpm, 4 * 64);
}

static void store_stride_width(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_VDW_STRIDE_WIDTH] = (uint8_t)rule;
        m.vpm[1] = splat(5);
        wr_text("store-stride stride=0x2004");
        store("store-h units=2 depth=1", 0);
        assert_int_equal(memory_word(rule ? 0x2008 : 8), 5);
    }
}

/* Up to 64 bytes of one row as one row of DEPTH 64 (VC4C VPM.h), starting at the MODEW offset. */
static void store_of_bytes_and_halves(void **state)
{
    (void)state;
    fill_vpm();
    store("store-h units=2 depth=64 modew=4 y=3", 0);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(memory_byte(i), vpm_byte(3 + i / 64, i % 64));
    store("store-h units=1 depth=5 modew=7 y=4 x=2", 1003);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(memory_byte(1003 + i), vpm_byte(4, 11 + i));
    store("store-h units=1 depth=3 modew=3 y=4 x=2", 2001);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(memory_byte(2001 + i), vpm_byte(4, 10 + i));
    store("store-v units=2 depth=6 modew=5 y=4 x=2", 3000); /* down the column: bytes 1 2 3 of row 4, 0 1 2 of row 5 */
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(memory_byte(3000 + i), vpm_byte(4 + (i % 6 + 1) / 4, 4 * (2 + i / 6) + (i % 6 + 1) % 4));
}

/* Clause vdw-laned, its reading `laned`: byte 2 of columns 4, 5, 6; halves 1 of rows 1, 2. */
static void store_laned(void **state)
{
    (void)state;
    m.profile.reading[VPM_CLAUSE_VDW_LANED] = VPM_VDW_LANED_OBEYED;
    fill_vpm();
    store("store-h units=1 depth=3 modew=6 laned=1 x=4 y=1", 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(memory_byte(i), vpm_byte(1, 4 * (4 + i) + 2));
    store("store-v units=1 depth=2 modew=3 laned=1 x=4 y=1", 64);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(memory_byte(64 + i), vpm_byte(1 + i / 2, 18 + i % 2));
}

static void store_blockmode_leaves_no_gap(void **state)
{
    (void)state;
    fill_vpm();
    wr_text("store-stride blockmode=1");
    store("store-h units=3 depth=8 y=2", 0);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(memory_word(4 * i), m.vpm[2 + i / 16].lane[i % 16]);
    store("store-v units=2 depth=4 x=9 y=2", 512);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(memory_word(512 + 4 * i), m.vpm[2 + i].lane[9]);
}

static void counts_of_zero_mean_128_and_16(void **state)
{
    (void)state;
    fill_vpm();
    store("store-h units=0 depth=1 x=3", 0); /* 128 rows */
    for (uint32_t y = 0; y < 128; y++)
        assert_int_equal(memory_word(4 * y), m.vpm[y].lane[3]);
    store("store-h units=1 depth=0 modew=4 y=3", 1024); /* 128 bytes: two rows of the VPM */
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(memory_byte(1024 + i), vpm_byte(3 + i / 64, i % 64));
    memcpy(m.memory, m.vpm, sizeof m.vpm);
    memset(m.vpm, 0, sizeof m.vpm);
    rd_text("load-h rowlen=0 nrows=0 vpitch=1 mpitch=3");
    assert_int_equal(vpm_dma_load(&m.v, BASE, ~0U, m.now++), VC4_GO);
    assert_memory_equal(m.vpm, m.memory, 16 * 64);
    assert_int_equal(m.vpm[16].lane[0], 0);
}

static void rows_past_the_edge(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_VCD_ROW_OVERRUN] = (uint8_t)rule;
        fill_vpm();
        store("store-h units=1 depth=4 x=14 y=3", 0);
        assert_int_equal(memory_word(4), m.vpm[3].lane[15]);
        assert_int_equal(memory_word(8), m.vpm[rule ? 3 : 4].lane[0]);
        store("store-v units=1 depth=4 x=1 y=62", 64);
        assert_int_equal(memory_word(64 + 4), m.vpm[63].lane[1]);
        assert_int_equal(memory_word(64 + 8), m.vpm[rule ? 0 : 64].lane[1]);
        store("store-v units=2 depth=1 x=15 y=2", 128);
        assert_int_equal(memory_word(128 + 4), m.vpm[rule ? 2 : 18].lane[0]);
        store("store-v units=1 depth=2 x=1 y=127", 192);
        assert_int_equal(memory_word(192 + 4), m.vpm[rule ? 64 : 0].lane[1]);
    }
}

/* ---- DMA load, p59-60 ---- */

static void load(const char *text, uint32_t offset)
{
    rd_text(text);
    assert_int_equal(vpm_dma_load(&m.v, BASE + offset, ~0U, m.now++), VC4_GO);
}

static void fill_memory(void)
{
    for (uint32_t i = 0; i < VC4_MEMORY_ROWS * 16; i++)
        m.memory[i / 16].lane[i % 16] = 0x01000000U * (i % 199 + 1) | 0x10000U * (i % 241 + 1) | 0x100U * (i % 251 + 1) | (i % 253 + 1);
}

/* VC4C VPM.h: 8-bit, VPITCH 2: rows of 16 bytes go to row 0 columns 0-3, row 0 columns 8-11, row 1 columns 0-3, ... */
static void load_of_bytes_counts_quarter_rows(void **state)
{
    (void)state;
    fill_memory();
    load("load-h modew=4 mpitch=1 nrows=4 rowlen=0 vpitch=2", 0);
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(vpm_byte(r / 2, r % 2 * 32 + i), memory_byte(16 * r + i));
    start_again();
    fill_memory();
    load("load-h modew=4 mpitch=1 nrows=3 rowlen=0 vpitch=4 y=5", 0); /* VPITCH 4 is one row */
    for (uint32_t r = 0; r < 3; r++)
        assert_int_equal(vpm_byte(5 + r, 3), memory_byte(16 * r + 3));
    start_again();
    fill_memory();
    load("load-h modew=2 mpitch=2 nrows=3 rowlen=0 vpitch=1", 0); /* halves: half rows */
    for (uint32_t r = 0; r < 3; r++)
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(vpm_byte(r / 2, r % 2 * 32 + i), memory_byte(32 * r + i));
}

/* VPITCH is added to {Y, B} and {Y, H}: down a column, 4 or 2 of it are one row as well. */
static void load_of_bytes_down_a_column(void **state)
{
    (void)state;
    fill_memory();
    load("load-v modew=4 mpitch=1 nrows=2 rowlen=3 vpitch=4 x=5", 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(vpm_byte(0, 20 + i), memory_byte(i));
        assert_int_equal(vpm_byte(1, 20 + i), memory_byte(16 + i));
    }
    load("load-v modew=3 mpitch=1 nrows=2 rowlen=1 vpitch=3 x=6", 0); /* half 1 of row 0, then three halves on: half 0 of row 2 */
    assert_int_equal(m.vpm[0].lane[6], memory_word(0) << 16);
    assert_int_equal(m.vpm[2].lane[6], memory_word(16) & 0xFFFF);
}

/* QPULib LoadStore.cpp: 80101800: sixteen words of any pitch into one column. */
static void scatter_load_of_qpulib(void **state)
{
    (void)state;
    fill_memory();
    rd_text("load-pitch mpitchb=68");
    assert_int_equal(rd(0x80101800), VC4_GO);
    assert_int_equal(vpm_dma_load(&m.v, BASE, ~0U, m.now++), VC4_GO);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(m.vpm[i].lane[0], memory_word(68 * i));
    assert_int_equal(m.vpm[0].lane[1] | m.vpm[16].lane[0], 0);
}

/* py-videocore tests/test_dma vertical_32bit_load: VPITCH 0 moves by 16 rows, blocks at Y = 0, 16, 32, 48. */
static void vertical_load_of_py_videocore(void **state)
{
    (void)state;
    m.profile.reading[VPM_CLAUSE_VDR_VPITCH_CARRY] = VPM_VPITCH_CARRIES;
    fill_memory();
    load("load-v mpitch=3 nrows=4 rowlen=0 vpitch=0", 0);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(m.vpm[i].lane[0], memory_word(4 * i));
    fresh(NULL);
    fill_memory();
    load("load-v mpitch=3 nrows=4 rowlen=0 vpitch=0", 0); /* literally: four bits, so all into rows 0 to 15 */
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(m.vpm[i].lane[0], memory_word(192 + 4 * i));
    assert_int_equal(m.vpm[16].lane[0], 0);
    fresh(NULL);
    m.profile.reading[VPM_CLAUSE_VDR_VPITCH_CARRY] = VPM_VPITCH_CARRIES_16_ONLY;
    fill_memory();
    load("load-h mpitch=3 nrows=2 rowlen=1 vpitch=4 y=14", 0);
    assert_int_equal(m.vpm[2].lane[0], memory_word(64));
    load("load-h mpitch=3 nrows=2 rowlen=1 vpitch=0 y=14", 0);
    assert_int_equal(m.vpm[30].lane[0], memory_word(64));
}

/* py-videocore tests/test_dma horizontal_32bit_stride_load: an extended pitch of 128 counts from start to start. */
static void load_pitches(void **state)
{
    (void)state;
    fill_memory();
    rd_text("load-pitch mpitchb=128");
    load("load-h rowlen=0 nrows=0 vpitch=1", 0);
    for (uint32_t y = 0; y < 16; y++)
        assert_memory_equal(&m.vpm[y], &m.memory[2 * y], 64);
    for (uint32_t mpitch = 1; mpitch <= 10; mpitch++) { /* 8 * 2^MPITCH */
        char text[64];
        (void)snprintf(text, sizeof text, "load-h rowlen=1 nrows=2 vpitch=1 y=20 mpitch=%u", (unsigned)mpitch);
        load(text, 0);
        assert_int_equal(m.vpm[21].lane[0], memory_word(8U << mpitch));
    }
}

static void load_orientation_and_rows(void **state)
{
    (void)state;
    fill_memory();
    load("load-v nrows=1 rowlen=3 y=10 x=7", 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(m.vpm[10 + i].lane[7], memory_word(4 * i));
    load("load-h nrows=1 rowlen=3 y=66 x=7", 64); /* bit 10 of ADDRXY */
    assert_int_equal(m.vpm[2].lane[9], memory_word(64 + 8));
    start_again();
    fill_memory();
    m.profile.reading[VPM_CLAUSE_VDR_ADDRXY_WIDTH] = VPM_VDR_SEVEN_BIT_Y;
    load("load-h nrows=1 rowlen=3 y=66 x=7", 64);
    assert_int_equal(m.vpm[66].lane[9], memory_word(64 + 8));
    m.profile.reading[VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT] = VPM_VDR_SAME_POLARITY;
    load("load-v nrows=1 rowlen=3 y=20 x=0", 0);
    assert_int_equal(m.vpm[20].lane[2], memory_word(8));
}

static void starts_without_waiting(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < 2; rule++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_VCD_START_WHILE_BUSY] = (uint8_t)rule;
        fill_memory();
        for (uint32_t i = 0; i < 4; i++) { /* py-videocore tests/test_dma: four loads, one wait */
            char text[64];
            (void)snprintf(text, sizeof text, "load-h nrows=1 y=%u", (unsigned)i);
            load(text, 64 * i);
        }
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(m.vpm[i].lane[0], rule && i ? 0 : memory_word(64 * i));
    }
}

static void transfers_outside_the_memory_fault(void **state)
{
    (void)state;
    uint32_t end = BASE + 64 * VC4_MEMORY_ROWS;
    wr_text("store-h units=1 depth=4");
    assert_int_equal(vpm_dma_store(&m.v, end - 16, ~0U, m.now++), VC4_GO);
    assert_int_equal(vpm_dma_store(&m.v, end - 15, ~0U, m.now++), VC4_FAULT_MEMORY);
    assert_int_equal(vpm_dma_store(&m.v, BASE - 1, ~0U, m.now++), VC4_FAULT_MEMORY);
    assert_int_equal(vpm_dma_store(&m.v, 0, ~0U, m.now++), VC4_FAULT_MEMORY);
    rd_text("load-h nrows=2 rowlen=1 mpitch=15");
    assert_int_equal(vpm_dma_load(&m.v, BASE, ~0U, m.now++), VC4_FAULT_MEMORY);
}

/* ---- Text of setup words ---- */

static void setup_text_examples(void **state)
{
    (void)state;
    static const struct {
        enum setup_register which;
        uint32_t word;
        const char *text;
    } rows[] = {
        {SETUP_WRITE, 0x00001A02, "h32 stride=1 y=2"},
        {SETUP_WRITE, 0x17BC1AC2, "h32 unused=1519 stride=1 addr_high=3 y=2"},
        {SETUP_WRITE, 0x83904000, "store-h units=7 depth=16"},
        {SETUP_WRITE, 0xC0010040, "store-stride blockmode=1 stride=64"},
        {SETUP_WRITE, 0x40000000, "0x40000000"},
        {SETUP_WRITE, 0x00001B00, "0x00001B00"},
        {SETUP_READ, 0x0041020F, "v32 num=4 stride=16 x=15"},
        {SETUP_READ, 0x80101800, "load-v rowlen=1 vpitch=1"},
        {SETUP_READ, 0x90000080, "load-pitch mpitchb=128"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        setup_print(rows[i].which, rows[i].word, &t);
        assert_string_equal(text_chars(&t), rows[i].text);
        assert_int_equal(setup(rows[i].which, rows[i].text), rows[i].word);
        text_free(&t);
    }
}

static void setup_text_is_loss_free(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    random_seed(&r, 5);
    for (unsigned i = 0; i < 200000; i++) {
        enum setup_register which = i & 1;
        uint32_t word = random_u32(&r), back = ~word;
        struct error e = {0};
        text_clear(&t);
        setup_print(which, word, &t);
        if (!setup_parse(which, text_chars(&t), t.length, 1, &back, &e) || back != word)
            fail_msg("%08x prints as \"%s\", which reads as %08x (%s)", (unsigned)word, text_chars(&t), (unsigned)back, e.text);
    }
    text_free(&t);
}

static void formats_cover_every_bit_once(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++)
        for (unsigned i = 0; setup_format_at(which, i); i++) {
            uint64_t seen = 0;
            for (const struct bit_field *f = setup_format_at(which, i)->fields; f->name; f++) {
                uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
                assert_int_equal(seen & mask, 0);
                seen |= mask;
            }
            assert_int_equal(seen, UINT32_MAX);
        }
}

static void setup_text_errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"h33 y=1", "column 10: \"h33\" is no kind of write setup (did you mean \"h32\"?)"},
        {"h32 y=64", "column 16: y is at most 63"},
        {"h32 yy=1", "column 14: a h32 setup has no field \"yy\""},
        {"h32 y=", "column 16: expected a decimal or 0x number"},
        {"h32 y", "column 15: expected \"=\""},
        {"h32 y=1 y=1", "column 18: \"y\" stands twice"},
        {"0x123456789", "column 10: \"0x123456789\" is no 32-bit number"},
        {"17 y=3", "column 13: nothing may follow"},
        {"", "column 10: expected a setup"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        uint32_t word;
        assert_false(setup_parse(SETUP_WRITE, rows[i].text, strlen(rows[i].text), 10, &word, &e));
        if (!strstr(e.text, rows[i].part))
            fail_msg("\"%s\" gives \"%s\", not \"%s\"", rows[i].text, e.text, rows[i].part);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_mode_touches_the_places_of_the_figures),
        TEST(examples_of_figures_8_and_9),
        TEST(figure_8a_as_printed),
        TEST(other_readings_of_addr),
        TEST(strides_meet_the_bits_above_y),
        TEST(setups_of_the_published_shader),
        TEST(strides),
        TEST(column_reads_of_asurati),
        TEST(num_counts_vectors_and_zero_means_16),
        TEST(excess_reads),
        TEST(early_reads),
        TEST(read_queue),
        TEST(fetched_ahead),
        TEST(conditional_writes),
        TEST(accesses_in_one_instruction),
        TEST(unreliable_setups),
        TEST(read_and_write_in_one_instruction),
        TEST(subword_reads),
        TEST(definedness_travels),
        TEST(undefined_words_stop_checked_runs),
        TEST(reserved_setups),
        TEST(status_registers),
        TEST(store_order_example_of_vc4c),
        TEST(store_stride_counts_from_the_end),
        TEST(store_stride_width),
        TEST(store_of_bytes_and_halves),
        TEST(store_laned),
        TEST(store_blockmode_leaves_no_gap),
        TEST(counts_of_zero_mean_128_and_16),
        TEST(rows_past_the_edge),
        TEST(load_of_bytes_counts_quarter_rows),
        TEST(load_of_bytes_down_a_column),
        TEST(scatter_load_of_qpulib),
        TEST(vertical_load_of_py_videocore),
        TEST(load_pitches),
        TEST(load_orientation_and_rows),
        TEST(starts_without_waiting),
        TEST(transfers_outside_the_memory_fault),
        TEST(setup_text_examples),
        TEST(setup_text_is_loss_free),
        TEST(formats_cover_every_bit_once),
        TEST(setup_text_errors_name_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
