/* SPDX-License-Identifier: MIT */
/*
 * DMA between VPM and memory: tables 34 to 37 of VideoCoreIV-AG100-R and public
 * programs, as each test says.
 */
#include "tests/model/vc4/vpm/support_vpm.h"

/* ---- DMA store, p58-59 ---- */

static void store(const char *text, uint32_t offset)
{
    wr_text(text);
    assert_int_equal(vpm_dma_store(&m.v, BASE + offset, ~0U, m.now++), VC4_GO);
}

/* doe300/VC4C VPM.h: rows 00.., 10.., 20.., 30.., depth 4, units 3. The last item of VC4C's vertical line is
 * misprinted. */
static void store_order_example_of_vc4c(void **state)
{
    (void)state;
    static const uint32_t horizontal[12] = {0x00, 0x01, 0x02, 0x03, 0x10, 0x11,
                                            0x12, 0x13, 0x20, 0x21, 0x22, 0x23};
    static const uint32_t vertical[12] = {0x00, 0x10, 0x20, 0x30, 0x01, 0x11,
                                          0x21, 0x31, 0x02, 0x12, 0x22, 0x32};
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

/* py-videocore tests/test_dma horizontal_32bit_stride_store: 64-byte rows, STRIDE 64, pitch 128: STRIDE
 * counts from the row's end. */
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

/* VC4C VPM.h: up to 64 bytes of one VPM row are stored as one row of DEPTH 64, from the MODEW offset on. */
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
    store("store-v units=2 depth=6 modew=5 y=4 x=2",
          3000); /* down the column: bytes 1 2 3 of row 4, 0 1 2 of row 5 */
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(memory_byte(3000 + i),
                         vpm_byte(4 + (i % 6 + 1) / 4, 4 * (2 + i / 6) + (i % 6 + 1) % 4));
}

/* Clause vdw-laned, reading `laned`: byte 2 of columns 4, 5, 6; halves 1 of rows 1, 2. */
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

/* p59 T35, which clause vdw-blockmode has as reading `manual`. */
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

static void take_silicon_profile(void)
{
    for (unsigned i = 0; i < VPM_CLAUSE_COUNT; i++)
        m.profile.reading[i] = vpm_clauses[i].in_profile[VC4_PROFILE_BCM2835];
}

/* QPULib's LoadStore.cpp compiles every store in this way: QPU n writes its vector to column n from row 32 on
 * (00100220 + n). Then it stores 16 horizontal rows of one word (88015000 + 8n) with BLOCKMODE set. Each row
 * lies STRIDE bytes after the one before. Word i of memory gets element i. */
static void stores_of_qpulib(void **state)
{
    (void)state;
    for (uint32_t qpu = 0; qpu < 12; qpu++)
        for (uint32_t stride = 0; stride <= 12; stride += 4) {
            fresh(NULL);
            take_silicon_profile();
            fill_vpm();
            struct vc4_vector x = ramp(0x1234567 * (qpu + 1));
            assert_int_equal(wr(0x00100220 + qpu), VC4_GO);
            put(&x);
            assert_int_equal(wr(0xC0010000 + stride), VC4_GO);
            assert_int_equal(wr(0x88015000 + 8 * qpu), VC4_GO);
            assert_int_equal(vpm_dma_store(&m.v, BASE + 64, ~0U, m.now++), VC4_GO);
            for (uint32_t i = 0; i < 16; i++)
                assert_int_equal(memory_word(64 + i * (4 + stride)), x.lane[i]);
        }
}

/* VC4C's VPM.cpp stores a vector of 64-bit elements as vertical rows of two words. The low words are in one
 * VPM row, and the high words are in the next. VC4C's VPM.h sets BLOCKMODE in each stride setup. Memory gets
 * low, high, low, high. */
static void store_of_64_bit_vectors_of_vc4c(void **state)
{
    (void)state;
    take_silicon_profile();
    fill_vpm();
    assert_int_equal(wr(0xC0010000), VC4_GO);
    store("store-v units=8 depth=2 y=5", 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(memory_word(8 * i), m.vpm[5].lane[i]);
        assert_int_equal(memory_word(8 * i + 4), m.vpm[6].lane[i]);
    }
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

static uint32_t memory_known(uint32_t at)
{
    return m.memory_defined[at / 64].lane[at / 4 % 16];
}

/* p97 T80: the VPM has 8, 12 or 16 KB: 128, 192 or 256 rows of 64 bytes. A case has 128 rows. */
static const uint32_t rows_of_sizes[] = {
    [READING_MANUAL] = 128, [VPM_SIZE_12_KB] = 192, [VPM_SIZE_16_KB] = 256};

static void stores_past_row_127(void **state)
{
    (void)state;
    for (unsigned size = 0; size < 3; size++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_SIZE] = (uint8_t)size;
        fill_vpm();
        store("store-h units=0 depth=1 x=7 y=113", 0); /* rows 113 to 240 */
        store("store-v units=2 depth=0 x=3 y=97", 1024);
        for (uint32_t i = 0; i < 128; i++) {
            uint32_t h = (113 + i) % rows_of_sizes[size], v = (97 + i) % rows_of_sizes[size];
            assert_int_equal(memory_known(4 * i), h < 128 ? UINT32_MAX : 0);
            if (h < 128)
                assert_int_equal(memory_word(4 * i), m.vpm[h].lane[7]);
            for (uint32_t unit = 0; unit < 2; unit++) {
                uint32_t at = 1024 + 512 * unit + 4 * i;
                assert_int_equal(memory_known(at), v < 128 ? UINT32_MAX : 0);
                if (v < 128)
                    assert_int_equal(memory_word(at), m.vpm[v].lane[3 + unit]);
            }
        }
        assert_int_equal(m.coverage.modes[VPM_CLAUSE_SIZE], 1);
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
        m.memory[i / 16].lane[i % 16] =
            0x01000000U * (i % 199 + 1) | 0x10000U * (i % 241 + 1) | 0x100U * (i % 251 + 1) | (i % 253 + 1);
}

/* VC4C VPM.h: 8-bit, VPITCH 2: rows of 16 bytes go to row 0 columns 0-3, row 0 columns 8-11, row 1 columns
 * 0-3, ... */
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

/* The unit adds VPITCH to {Y, B} and {Y, H}. So a VPITCH of 4 or 2 is one row in a column too. */
static void load_of_bytes_down_a_column(void **state)
{
    (void)state;
    fill_memory();
    load("load-v modew=4 mpitch=1 nrows=2 rowlen=3 vpitch=4 x=5", 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(vpm_byte(0, 20 + i), memory_byte(i));
        assert_int_equal(vpm_byte(1, 20 + i), memory_byte(16 + i));
    }
    load("load-v modew=3 mpitch=1 nrows=2 rowlen=1 vpitch=3 x=6",
         0); /* half 1 of row 0, then three halves further: half 0 of row 2 */
    assert_int_equal(m.vpm[0].lane[6], memory_word(0) << 16);
    assert_int_equal(m.vpm[2].lane[6], memory_word(16) & 0xFFFF);
}

/* QPULib LoadStore.cpp: setup 80101800 loads sixteen words of any pitch into one column. */
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

/* py-videocore tests/test_dma vertical_32bit_load: VPITCH 0 moves by 16 rows, so the blocks start at Y = 0,
 * 16, 32, 48. */
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
    load("load-v mpitch=3 nrows=4 rowlen=0 vpitch=0", 0); /* manual: four bits of place, so rows 0 to 15 */
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

static void loads_past_row_127(void **state)
{
    (void)state;
    for (unsigned size = 0; size < 3; size++) {
        uint32_t wanted[128] = {0};
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_SIZE] = (uint8_t)size;
        m.profile.reading[VPM_CLAUSE_VDR_VPITCH_CARRY] = VPM_VPITCH_CARRIES;
        fill_memory();
        load("load-h mpitch=3 nrows=0 rowlen=3 vpitch=15 x=5 y=5", 0); /* rows 5, 20, ... 230 */
        for (uint32_t i = 0; i < 16; i++)
            if ((5 + 15 * i) % rows_of_sizes[size] < 128)
                wanted[(5 + 15 * i) % rows_of_sizes[size]] = memory_word(64 * i + 8);
        for (uint32_t y = 0; y < 128; y++) {
            assert_int_equal(m.vpm[y].lane[7], wanted[y]);
            assert_int_equal(m.vpm[y].lane[8], 0);
        }
        assert_int_equal(m.coverage.modes[VPM_CLAUSE_SIZE], 2);
    }
}

/* py-videocore tests/test_dma horizontal_32bit_stride_load: an extended pitch of 128 counts from the start of
 * one row to the start of the next. */
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
        (void)snprintf(text, sizeof text, "load-h rowlen=1 nrows=2 vpitch=1 y=20 mpitch=%u",
                       (unsigned)mpitch);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(store_order_example_of_vc4c),
        TEST(store_stride_counts_from_the_end),
        TEST(store_stride_width),
        TEST(store_of_bytes_and_halves),
        TEST(store_laned),
        TEST(store_blockmode_leaves_no_gap),
        TEST(stores_of_qpulib),
        TEST(store_of_64_bit_vectors_of_vc4c),
        TEST(counts_of_zero_mean_128_and_16),
        TEST(rows_past_the_edge),
        TEST(stores_past_row_127),
        TEST(loads_past_row_127),
        TEST(load_of_bytes_counts_quarter_rows),
        TEST(load_of_bytes_down_a_column),
        TEST(scatter_load_of_qpulib),
        TEST(vertical_load_of_py_videocore),
        TEST(load_pitches),
        TEST(load_orientation_and_rows),
        TEST(starts_without_waiting),
        TEST(transfers_outside_the_memory_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
