/* SPDX-License-Identifier: MIT */
/* The VPM's FIFOs: when reads and writes succeed, wait, or are undefined (p55-57 of VideoCoreIV-AG100-R, and
 * observations). */
#include "tests/model/vc4/vpm/support_vpm.h"

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
    (void)get_masked(&d); /* reading `manual`: the read returns at once, and its result is undefined */
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
            bool early = between < 2; /* p56: a read must come at least three instructions after the setup */
            struct vc4_vector d, x = get_masked(&d);
            assert_int_equal(d.lane[3], early && rule != VPM_EARLY_BLOCKS ? 0 : ~0U);
            if (d.lane[3])
                assert_int_equal(x.lane[3], 100);
            m.now += LATE;
            x = get();
            assert_int_equal(x.lane[3], early && rule == VPM_EARLY_NOT_TAKEN ? 100 : 101);
        }
}

/* Writes a read setup for each digit of `setups`, which is the setup's number of vectors. Then reads until a
 * read blocks. Expects these rows: a0 is the first row of the first setup, b1 the second row of the second
 * setup. */
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
    check_queue(READING_MANUAL, "221", "a0a1b0b1");           /* p56: the VPM ignores a third setup */
    check_queue(VPM_QUEUE_ONE_OUTSTANDING, "22", "a0a1");     /* vc4asm addendum: the second setup is lost */
    check_queue(VPM_QUEUE_ONE_OUTSTANDING, "13", "a0b0b1b2"); /* 1 + 3 vectors work */
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
        rd_text("load-h nrows=1 y=20"); /* a DMA transfer changes the VPM, too */
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
        assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 stride=1 y=8"), ~0U, m.now),
                         VC4_GO); /* setup, then write */
        assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
        assert_int_equal(m.vpm[lands].lane[0], 9);
        assert_int_equal(m.vpm[old_row + new_row - lands].lane[0], 0);
        m.now++;
        wr_text("h32 stride=1 y=16");
        assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 y=20"), ~0U, m.now - 1),
                         VC4_GO); /* two setups */
        put_splat(3);
        assert_int_equal(m.vpm[20].lane[0], rule ? 0 : 3);
        /* the VPM has lost both setups: the write continues after row 4 */
        assert_int_equal(m.vpm[5].lane[0], rule ? 3 : 0);
    }
}

/* Reading `undefined`: a checked run stops at an access that needs the lost setup, until the program writes
 * the setup again. Other accesses continue. */
static void unreliable_setups(void **state)
{
    (void)state;
    struct vc4_vector x = splat(9), defined;
    m.profile.reading[VPM_CLAUSE_CONCURRENT] = VPM_CONCURRENT_UNDEFINED;
    wr_text("h32 stride=1 y=4");
    assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 stride=1 y=8"), ~0U, m.now), VC4_GO);
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++), VC4_GO);
    assert_int_equal(m.vpm[4].lane[0], 9); /* the previous setup is still in force */
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++), VC4_FAULT_UNDEFINED);
    wr_text("h32 stride=1 y=8");
    put_splat(3);
    assert_int_equal(m.vpm[8].lane[0], 3);
    /* after a setup and a write, the transfer's word is not known, but the place of the next write is */
    wr_text("store-h units=1 depth=1");
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now), VC4_GO);
    assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "store-h units=2 depth=1"), ~0U, m.now++),
                     VC4_GO);
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
    rd_text("h32 num=1"); /* the number of unread vectors decides whether the VPM accepts this setup */
    m.now += LATE;
    assert_int_equal(vpm_read(&m.v, &x, &defined, m.now++), VC4_FAULT_UNDEFINED);
    m.env.checked = false;
    assert_int_equal(vpm_read(&m.v, &x, &defined, m.now++), VC4_GO);
}

/* PROTOCOL.md: a setup that is lost may be an invalid word (SIZE 3, which p57 table 32 reserves). The first
 * setup of an instruction is not lost yet when its word is looked at. */
static void invalid_setups_that_are_lost(void **state)
{
    (void)state;
    enum { SIZE_3 = 0x300 };
    static const unsigned rules[] = {READING_MANUAL, VPM_CONCURRENT_SETUP_LOST, VPM_CONCURRENT_UNDEFINED};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        fresh(NULL);
        m.profile.reading[VPM_CLAUSE_CONCURRENT] = (uint8_t)rules[i];
        assert_int_equal(vpm_write_setup(&m.v, setup(SETUP_WRITE, "h32 stride=1 y=8"), ~0U, m.now), VC4_GO);
        assert_int_equal(vpm_write_setup(&m.v, SIZE_3, ~0U, m.now),
                         rules[i] == READING_MANUAL ? VC4_FAULT_RESERVED : VC4_GO);
        m.now++;
        assert_int_equal(vpm_write_setup(&m.v, SIZE_3, ~0U, m.now), VC4_FAULT_RESERVED);
    }
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
    static const uint32_t expected[3][2] = {{0x83, 0x8483},
                                            {0xFFFFFF83, 0xFFFF8483},
                                            {0x83838383, 0x84838483}};
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

static void definedness_follows_values(void **state)
{
    (void)state;
    struct vc4_vector x = splat(0x12345678), mask = splat(0xF0), d;
    wr_text("h8-laned stride=4 b=1");
    assert_int_equal(vpm_write(&m.v, &x, &mask, 0xFFFF, m.now++), VC4_GO);
    assert_int_equal(m.vpm_defined[0].lane[5], 0xFFFFF0FF);
    rd_text("h8-laned num=1 b=1");
    m.now += LATE;
    (void)get_masked(&d);
    assert_int_equal(d.lane[5], 0xFFFFFFF0); /* the bits above are defined: they extend the data */
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
    assert_int_equal(vpm_write(&m.v, &x, &all_defined, 0xFFFF, m.now++),
                     VC4_FAULT_UNDEFINED); /* without any setup */
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
    assert_int_equal(d.lane[2], 0); /* no document says how long the transfer takes */
    m.profile.reading[VPM_CLAUSE_BUSY] = m.profile.reading[VPM_CLAUSE_WAIT_DATA] = VPM_STATUS_UNMAPPED;
    for (enum vpm_status s = VPM_LOAD_BUSY; s <= VPM_STORE_WAIT; s++) {
        assert_int_equal(vpm_read_status(&m.v, s, &stale, &x, &d, m.now++), VC4_GO);
        assert_int_equal(x.lane[2], 0x77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(num_counts_vectors_and_zero_means_16),
        TEST(excess_reads),
        TEST(early_reads),
        TEST(read_queue),
        TEST(fetched_ahead),
        TEST(conditional_writes),
        TEST(accesses_in_one_instruction),
        TEST(unreliable_setups),
        TEST(invalid_setups_that_are_lost),
        TEST(read_and_write_in_one_instruction),
        TEST(subword_reads),
        TEST(definedness_follows_values),
        TEST(undefined_words_stop_checked_runs),
        TEST(reserved_setups),
        TEST(status_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
