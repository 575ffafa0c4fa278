/* SPDX-License-Identifier: MIT */
/*
 * The look-up unit, driven directly. Expectations come from pages 39 to 45 of
 * VideoCoreIV-AG100-R, from public drivers as each test says, and from the slow
 * computations below, which work in long double and share nothing with the model.
 * Longer than most files: each statement is a test by name, and all drive one machine.
 */
#include "model/random.h"
#include "model/vc4/tmu.h"
#include "model/vc4/tmu_clauses.h"
#include "model/vc4/tmu_filter.h"
#include "tests/support_bits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x40000000, CLAUSE_BASE = 37, PAGE = 4096, ROWS = VC4_MEMORY_ROWS };

static struct machine {
    struct profile profile;
    struct coverage coverage;
    struct vc4_vector memory[ROWS], memory_defined[ROWS];
    struct vc4_env env;
    struct tmu t;
} m;
static const struct vc4_vector all_defined = {.lane = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}};

static void reading(enum tmu_clause clause, unsigned value)
{
    m.profile.reading[CLAUSE_BASE + clause] = (uint8_t)value;
}

/* Clauses as Mesa has them where it needs them to work; memory bytes that differ from their neighbours. */
static int fresh(void **state)
{
    (void)state;
    memset(&m, 0, sizeof m);
    memset(m.memory_defined, 0xFF, sizeof m.memory_defined);
    for (uint32_t i = 0; i < ROWS * 16; i++)
        m.memory[i / 16].lane[i % 16] = i * 0x9E3779B9U ^ i << 7;
    reading(TMU_CLAUSE_PARAM_ORDER, TMU_PARAM_EVERY_WRITE);
    reading(TMU_CLAUSE_EXPLICIT_LOD, TMU_EXPLICIT_LOD_ANY);
    reading(TMU_CLAUSE_T17_TEXT, TMU_T17_CHILD_SIZE);
    reading(TMU_CLAUSE_LT_THRESHOLD, TMU_LT_SUBTILE);
    m.env = (struct vc4_env){.profile = &m.profile,
                             .coverage = &m.coverage,
                             .checked = true,
                             .filler = 0xDEADBEEF,
                             .memory_base = BASE,
                             .memory = {.value = m.memory, .defined = m.memory_defined, .rows = ROWS}};
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
    return 0;
}

static struct vc4_vector splat(uint32_t word)
{
    struct vc4_vector v;
    for (unsigned i = 0; i < 16; i++)
        v.lane[i] = word;
    return v;
}
static struct vc4_vector floats(float first, float step)
{
    struct vc4_vector v;
    for (unsigned i = 0; i < 16; i++)
        v.lane[i] = bits_of(first + step * (float)i);
    return v;
}

/* A write that takes its uniform, if any, from `*stream`. */
static enum vc4_stop put(enum tmu_register reg, struct vc4_vector v, const uint32_t **stream)
{
    uint32_t uniform = tmu_takes_uniform(&m.t, reg) ? *(*stream)++ : 0;
    return tmu_write(&m.t, reg, &v, &all_defined, uniform, UINT32_MAX);
}
static enum vc4_stop direct(uint32_t address)
{
    static const uint32_t none[1];
    const uint32_t *stream = none;
    enum vc4_stop stop = put(TMU_S, splat(address), &stream);
    assert_ptr_equal(stream, none);
    return stop;
}
static struct vc4_vector load_masked(struct vc4_vector *defined)
{
    struct vc4_vector v;
    assert_int_equal(tmu_load(&m.t, &v, defined), VC4_GO);
    return v;
}
static struct vc4_vector load(void)
{
    struct vc4_vector defined, v = load_masked(&defined);
    assert_memory_equal(&defined, &all_defined, sizeof defined);
    return v;
}

/* A texture in page 1 of the memory, points sampled. */
struct setup {
    uint32_t type, width, height, levels, min, mag, wrap_s, wrap_t, flags0, flags1, p2, p3, page;
};
static void words_of(const struct setup *s, uint32_t word[4])
{
    word[0] = TMU_PUT(P0_BASE, BASE / PAGE + (s->page ? s->page : 1)) | TMU_PUT(P0_TYPE, s->type) |
              TMU_PUT(P0_MIPLVLS, s->levels ? s->levels - 1 : 0) | s->flags0;
    word[1] = TMU_PUT(P1_TYPE4, s->type >> 4) | TMU_PUT(P1_WIDTH, s->width) | TMU_PUT(P1_HEIGHT, s->height) | TMU_PUT(P1_MINFILT, s->min) |
              TMU_PUT(P1_MAGFILT, s->mag) | TMU_PUT(P1_WRAP_S, s->wrap_s) | TMU_PUT(P1_WRAP_T, s->wrap_t) | s->flags1;
    word[2] = s->p2;
    word[3] = s->p3;
}
#define POINTS .min = TMU_MIN_NEAREST, .mag = TMU_MAG_NEAREST

static enum vc4_stop look_up(const struct setup *x, struct vc4_vector s, struct vc4_vector t)
{
    uint32_t word[4];
    const uint32_t *stream = word;
    words_of(x, word);
    if (x->p3)
        assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    if (x->p2)
        assert_int_equal(put(TMU_R, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, t, &stream), VC4_GO);
    return put(TMU_S, s, &stream);
}

/* The stored unit of a type at (x, y) of level 0 in page 1, LT format, addressed by the sheet's formula. */
static uint8_t *byte_at(uint32_t offset)
{
    return (uint8_t *)m.memory + offset; /* the tests run on little-endian machines */
}
static void store(uint32_t bytes, uint32_t uw, uint32_t uh, uint32_t width, uint32_t x, uint32_t y, uint64_t unit)
{
    uint32_t across = (width + uw - 1) / uw;
    uint32_t offset = PAGE + 64 * (y / uh * across + x / uw) + y % uh * uw * bytes + x % uw * bytes;
    memcpy(byte_at(offset), &unit, bytes);
}

/* ---- Look-ups, parameters, FIFOs ---- */

static void general_memory_lookup_returns_the_raw_word_and_ignores_low_address_bits(void **state)
{
    (void)state;
    for (uint32_t low = 0; low < 4; low++) {
        assert_int_equal(direct(BASE + 0x123C + low), VC4_GO);
        assert_int_equal(load().lane[9], m.memory[0x123C / 64].lane[0x3C / 4]);
    }
    struct vc4_vector s;
    const uint32_t *none = NULL;
    for (uint32_t i = 0; i < 16; i++)
        s.lane[i] = BASE + (i * 0x3F0) % (ROWS * 64);
    assert_int_equal(put(TMU_S, s, &none), VC4_GO);
    struct vc4_vector v = load();
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(v.lane[i], ((uint32_t *)m.memory)[(s.lane[i] - BASE) / 4]);
}

/* Uniforms by kind of look-up: none, two, three, three, four (p40, and the kernel's shader validator). */
static void one_parameter_a_write_none_for_memory(void **state)
{
    (void)state;
    static const struct {
        const char *writes;
        unsigned uniforms;
    } kinds[] = {{"S", 0}, {"TS", 2}, {"TBS", 3}, {"RTS", 3}, {"RTBS", 4}, {"BTRS", 4}};
    static const char names[] = "STRB";
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t word[4];
        const uint32_t *stream = word;
        words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
        for (const char *c = kinds[k].writes; *c; c++)
            assert_int_equal(put((enum tmu_register)(strchr(names, *c) - names), splat(k ? 0x3F000000 : BASE), &stream), VC4_GO);
        assert_int_equal(stream - word, kinds[k].uniforms);
        (void)load();
    }
}

static void the_manual_ties_parameters_to_the_first_two_writes(void **state)
{
    (void)state;
    uint32_t word[4];
    const uint32_t *stream = word;
    reading(TMU_CLAUSE_PARAM_ORDER, READING_MANUAL);
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_R, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
    assert_int_equal(stream - word, 2);
    assert_true(covered(&m.coverage, CLAUSE_BASE + TMU_CLAUSE_PARAM_ORDER));
}

/* p39: eight requests of s, four of (s, t), two of all four. */
static void the_request_fifo_has_eight_slots(void **state)
{
    static const struct {
        unsigned extra, requests;
    } kinds[] = {{0, 8}, {1, 4}, {3, 2}};
    for (unsigned k = 0; k < 3; k++) {
        fresh(state);
        uint32_t word[4];
        words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
        for (unsigned n = 0; n < kinds[k].requests; n++) {
            const uint32_t *stream = word;
            for (unsigned e = kinds[k].extra; e; e--)
                assert_int_equal(put((enum tmu_register)e, splat(0), &stream), VC4_GO);
            assert_int_equal(put(TMU_S, splat(kinds[k].extra ? 0 : BASE), &stream), VC4_GO);
        }
        assert_int_equal(tmu_slots_taken(&m.t), 8);
        assert_int_equal(tmu_results_waiting(&m.t), kinds[k].requests);
        const uint32_t *stream = word;
        assert_int_equal(put(kinds[k].extra ? TMU_T : TMU_S, splat(BASE), &stream), VC4_HANG_TMU_FULL);
        fresh(state);
        for (unsigned n = 0; n < 100; n++) { /* loads make room */
            assert_int_equal(direct(BASE + 4 * n), VC4_GO);
            assert_int_equal(load().lane[0], ((uint32_t *)m.memory)[n]);
        }
    }
}

static void two_threads_have_half_the_slots_each(void **state)
{
    (void)state;
    m.t.slots = TMU_FIFO_SLOTS / 2;
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(direct(BASE), VC4_GO);
    assert_int_equal(direct(BASE), VC4_HANG_TMU_FULL);
}

static void a_load_without_a_request_hangs(void **state)
{
    (void)state;
    struct vc4_vector v, d;
    assert_int_equal(tmu_load(&m.t, &v, &d), VC4_HANG_TMU_LOAD);
    assert_int_equal(direct(BASE), VC4_GO);
    (void)load();
    assert_int_equal(tmu_load(&m.t, &v, &d), VC4_HANG_TMU_LOAD);
}

static void results_come_in_request_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(direct(BASE + 4 * n), VC4_GO);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(load().lane[3], m.memory[0].lane[n]);
}

static void more_than_four_lookups_by_reading(void **state)
{
    struct vc4_vector d, v;
    for (unsigned r = 0; r <= TMU_FIFO_BOTH; r++) {
        fresh(state);
        reading(TMU_CLAUSE_FIFO_8, r);
        for (uint32_t n = 0; n < 5; n++)
            assert_int_equal(direct(BASE + 4 * n), VC4_GO);
        v = load_masked(&d);
        assert_int_equal(d.lane[0], r == TMU_FIFO_UNRELIABLE ? 0 : UINT32_MAX);
        assert_int_equal(v.lane[0], r == TMU_FIFO_UNRELIABLE ? 0xDEADBEEF : m.memory[0].lane[r == TMU_FIFO_SLOT_FOUR_AHEAD ? 4 : 0]);
        if (r != TMU_FIFO_UNRELIABLE)
            assert_int_equal(v.lane[4], m.memory[0].lane[0]);
        for (uint32_t n = 1; n < 5; n++)
            assert_int_equal(load().lane[0], m.memory[0].lane[n]);
        unsigned most = 0;
        while (direct(BASE) == VC4_GO)
            most++;
        assert_int_equal(most, r == TMU_FIFO_BOTH ? 16 : 8);
    }
}

/* p40: two words, RG then BA; the FIFO then holds four look-ups. */
static void rgba64_returns_two_words(void **state)
{
    (void)state;
    struct setup x = {.type = 15, .width = 2, .height = 4, POINTS};
    store(8, 2, 4, 2, 1, 2, UINT64_C(0x4444333322221111));
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(look_up(&x, splat(bits_of(0.75F)), splat(bits_of(2.5F / 4))), VC4_GO);
    assert_int_equal(tmu_results_waiting(&m.t), 8);
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(load().lane[0], 0x22221111);
        assert_int_equal(load().lane[15], 0x44443333);
    }
}

static void registers_that_were_not_written_count_as_0(void **state)
{
    (void)state;
    uint32_t word[4];
    const uint32_t *stream = word;
    store(4, 4, 4, 4, 0, 0, 0x11223344);
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
    assert_int_equal(load().lane[0], 0x11223344);
}

/* ---- Formats ---- */

static uint32_t repeat(uint32_t v, uint32_t bits)
{ /* the bits as a fraction that goes on for ever, cut after eight */
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

/* Channels by Mesa's formats: red highest. By the other reading the name counts from the lowest bit. */
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
                        fail_msg("%s %04x: %08x instead of %08x", texture_types[type].name, v, (unsigned)texture_types[type].decode(&rules, v, 0, 0),
                                 slow_16_bit(type, v, high, expansion));
        }
}

/* Looks one stored unit up, at texel (0, 0). */
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
                double l = 255.0 / 219 * (y - 16.0), cb = 255.0 / 224 * (u - 128.0), cr = 255.0 / 224 * (v - 128.0);
                double want[3] = {l + 1.402 * cr, l - 0.344136 * cb - 0.714136 * cr, l + 1.772 * cb};
                uint32_t got = (uint32_t)texture_types[17].decode(&yuv, y << 16 | u << 8 | v << 24, 1, 0);
                for (unsigned c = 0; c < 3; c++) {
                    double w = want[c] < 0 ? 0 : want[c] > 255 ? 255 : want[c];
                    assert_true(fabs(w - (got >> 8 * c & 255)) <= 1.01);
                }
                assert_int_equal(got >> 24, 255);
            }
}

/* ETC1 read off the extension's tables, from a big-endian number in decimal arithmetic. */
static uint32_t slow_etc1(const uint8_t b[8], uint32_t x, uint32_t y)
{
    static const int modifiers[8][4] = {{2, 8, -2, -8},     {5, 17, -5, -17},   {9, 29, -9, -29},     {13, 42, -13, -42},
                                        {18, 60, -18, -60}, {24, 80, -24, -80}, {33, 106, -33, -106}, {47, 183, -47, -183}};
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
    block[6] = 0x11, block[7] = 0x11; /* the first row's texels are 8 lighter than the base, all others 2 */
    for (unsigned top_down = 0; top_down < 2; top_down++)
        for (unsigned flip = 0; flip < 2; flip++) {
            fresh(NULL);
            memcpy(byte_at(PAGE), block, 8);
            reading(TMU_CLAUSE_ETCFLIP, top_down);
            struct setup x = {.type = 8, .width = 4, .height = 4, .flags1 = TMU_PUT(P1_ETCFLIP, flip), POINTS};
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

/* ---- Coordinates ---- */

/* Texel numbers -5 to 8 of four, by mode, by hand. */
static void wrap_modes(void **state)
{
    (void)state;
    static const int8_t expected[3][14] = {
        {3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0},
        {0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3},
        {3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0},
    };
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            store(4, 4, 4, 4, i, j, i | j << 8);
    for (uint32_t mode = 0; mode < 3; mode++) {
        struct setup x = {.width = 4, .height = 4, .wrap_s = mode, .wrap_t = mode, POINTS};
        for (int i = -5; i <= 8; i++) {
            assert_int_equal(look_up(&x, splat(bits_of(((float)i + 0.5F) / 4)), splat(bits_of(((float)(3 - i) + 0.5F) / 4))), VC4_GO);
            assert_int_equal(load().lane[0], expected[mode][i + 5] | expected[mode][3 - i + 5] << 8);
        }
    }
}

static void flip_y_turns_the_image(void **state)
{
    (void)state;
    for (uint32_t j = 0; j < 3; j++)
        store(4, 4, 4, 4, 0, j, j);
    struct setup x = {.width = 4, .height = 3, .flags0 = TMU_PUT(P0_FLIPY, 1), POINTS};
    for (uint32_t j = 0; j < 3; j++) {
        assert_int_equal(look_up(&x, splat(0), splat(bits_of(((float)j + 0.5F) / 3))), VC4_GO);
        assert_int_equal(load().lane[0], 2 - j);
    }
}

/* Mesa vc4_uniforms.c: the order of bytes in the border's word by format. R = 0x44332211. */
static void border_colours(void **state)
{
    static const struct {
        uint32_t type, plain, ordered;
    } kinds[] = {{0, 0x44332211, 0x44332211}, {1, 0x44332211, 0xFF332211}, {2, 0x44332211, 0x11223344}, {3, 0x44332211, 0x11223344},
                 {4, 0x44332211, 0xFF112233}, {6, 0x44332211, 0x44000000}, {7, 0x44332211, 0x44111111}};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned ordered = 0; ordered < 2; ordered++) {
            fresh(state);
            reading(TMU_CLAUSE_BORDER_ORDER, ordered);
            uint32_t word[4];
            const uint32_t *stream = word;
            words_of(&(struct setup){.type = kinds[k].type, .width = 4, .height = 4, .wrap_t = TMU_WRAP_BORDER, POINTS}, word);
            struct vc4_vector r = splat(0x99999999);
            r.lane[0] = 0x44332211; /* element 0 counts */
            assert_int_equal(put(TMU_R, r, &stream), VC4_GO);
            assert_int_equal(put(TMU_T, splat(bits_of(-0.5F)), &stream), VC4_GO);
            assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
            assert_int_equal(load().lane[7], ordered ? kinds[k].ordered : kinds[k].plain);
        }
    fresh(state);
    struct setup x = {.width = 4, .height = 4, .wrap_t = TMU_WRAP_BORDER, POINTS};
    assert_int_equal(look_up(&x, splat(0), splat(bits_of(-0.5F))), VC4_GO);
    assert_int_equal(load().lane[0], 0); /* R not written */
    reading(TMU_CLAUSE_BORDER_SOURCE, TMU_BORDER_EXTRA_LEVEL);
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
    assert_int_equal(look_up(&x, splat(0), splat(bits_of(-0.5F))), VC4_GO);
    assert_int_equal(load().lane[0], m.memory[PAGE / 64 - 1].lane[0]);
}

/* OpenGL ES 2.0 table 3.21: the face, and where on it. Faces 0 to 3 of 8 x 8 texels in pages 0 to 3. */
static void cube_faces(void **state)
{
    (void)state;
    static const struct {
        float s, t, r;
        uint32_t face, x, y;
    } rays[] = {{1, 0.3F, -0.6F, 0, 6, 2},  {-1, 0.3F, -0.6F, 1, 1, 2}, {0.3F, 1, -0.6F, 2, 5, 1},
                {0.3F, -1, -0.6F, 3, 5, 6}, {1, -0.9F, 0.9F, 0, 0, 7},  {-1, -0.9F, 0.9F, 1, 7, 7}};
    for (uint32_t face = 0; face < 4; face++)
        for (uint32_t n = 0; n < 64; n++) /* 8 x 8 texels of 32 bits: LT, two utiles a row */
            ((uint32_t *)m.memory)[face * 1024 + (n / 32 * 2 + n % 8 / 4) * 16 + n / 8 % 4 * 4 + n % 4] = face << 16 | n % 8 << 8 | n / 8;
    for (unsigned i = 0; i < sizeof rays / sizeof *rays; i++) {
        uint32_t word[4];
        const uint32_t *stream = word;
        words_of(&(struct setup){.width = 8,
                                 .height = 8,
                                 .flags0 = TMU_PUT(P0_CMMODE, 1),
                                 .p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_CMST, 1),
                                 POINTS},
                 word);
        word[0] -= PAGE; /* face 0 in page 0 */
        assert_int_equal(put(TMU_R, splat(bits_of(rays[i].r)), &stream), VC4_GO);
        assert_int_equal(put(TMU_T, splat(bits_of(rays[i].t)), &stream), VC4_GO);
        assert_int_equal(put(TMU_S, splat(bits_of(rays[i].s)), &stream), VC4_GO);
        assert_int_equal(load().lane[0], rays[i].face << 16 | rays[i].x << 8 | rays[i].y);
    }
}

static void child_images(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 256; n++)
        store(4, 4, 4, 16, n % 16, n / 16, n);
    struct setup x = {.width = 16,
                      .height = 16,
                      .p2 = TMU_PUT(CHILD_SIZE_PTYPE, TMU_PTYPE_CHILD_SIZE) | TMU_PUT(CHILD_SIZE_CWIDTH, 4) | TMU_PUT(CHILD_SIZE_CHEIGHT, 2),
                      .p3 = TMU_PUT(CHILD_OFFSET_PTYPE, TMU_PTYPE_CHILD_OFFSET) | TMU_PUT(CHILD_OFFSET_CXOFF, 5) | TMU_PUT(CHILD_OFFSET_CYOFF, 7),
                      POINTS};
    assert_int_equal(look_up(&x, floats(0.125F, 0.25F), splat(bits_of(0.75F))), VC4_GO);
    struct vc4_vector v = load();
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(v.lane[i], (7 + 1) * 16 + 5 + i % 4);
    x.p2 = TMU_PUT(CHILD_SIZE_PTYPE, TMU_PTYPE_CHILD_SIZE) | TMU_PUT(CHILD_SIZE_CWIDTH, 12) | TMU_PUT(CHILD_SIZE_CHEIGHT, 2);
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_FAULT_RESERVED); /* leaves its parent */
}

/* ---- Filters ---- */

/* The exact bilinear blend of channel c at (u, v) texels, repeat. */
static long double slow_bilinear(const uint32_t *texel, uint32_t size, long double u, long double v, unsigned c)
{
    long double fu = floorl(u - 0.5L), fv = floorl(v - 0.5L), a = u - 0.5L - fu, b = v - 0.5L - fv, sum = 0;
    for (int k = 0; k < 4; k++) {
        int x = (int)fu + (k & 1), y = (int)fv + (k >> 1);
        x = (x % (int)size + (int)size) % (int)size;
        y = (y % (int)size + (int)size) % (int)size;
        sum += (k & 1 ? a : 1 - a) * (k & 2 ? b : 1 - b) * (long double)(texel[y * (int)size + x] >> 8 * c & 255);
    }
    return sum;
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
            for (unsigned i = 0; i < 16; i++)
                for (unsigned c = 0; c < 4; c++) {
                    float fs, ft;
                    memcpy(&fs, &s.lane[i], 4);
                    memcpy(&ft, &t.lane[i], 4);
                    long double exact = slow_bilinear(texel, 8, (long double)fs * 8, (long double)ft * 8, c);
                    uint32_t got = v.lane[i] >> 8 * c & 255, known = d.lane[i] >> 8 * c & 255;
                    defined_bits += (unsigned)__builtin_popcount(known);
                    if (rule == TMU_FILTER_UNKNOWN) { /* any value within the tolerance agrees in the defined bits */
                        for (int e = -3; e <= 3; e++)
                            assert_int_equal((uint32_t)fminl(fmaxl(roundl(exact + e), 0), 255) & known, got & known);
                    } else {
                        assert_int_equal(known, 255);
                        assert_true(fabsl(exact - got) <= (rule ? 3.0L : 0.5001L));
                    }
                }
        }
        if (rule == TMU_FILTER_UNKNOWN) /* most bits stay defined: nearly half of all */
            assert_true(defined_bits > 500 * 16 * 32 / 4);
    }
}

static long double half_value(uint32_t h)
{
    long double v = (h & 0x7C00) ? ldexpl(1024 + (h & 1023), (int)(h >> 10 & 31) - 25) : ldexpl(h & 1023, -24);
    return h & 0x8000 ? -v : v;
}

/* The half nearest to v, ties to even, by search. */
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
            uint32_t h = random_one_in(&r, 3) ? (base + random_below(&r, 64)) % 0x7C00 : random_below(&r, 0x7C00);
            uint64_t weight = i == 3 ? left : 1 + random_u64(&r) % (left / 2);
            tap[i] = (struct tmu_tap){.texel = h | (random_u32(&r) & 0x8000), .weight = weight};
            left -= weight;
            exact += ldexpl(half_value((uint32_t)tap[i].texel) * (long double)weight, -TMU_WEIGHT_BITS);
        }
        uint32_t got = (uint32_t)tmu_blend(&b, tap, 4, &clauses), want = nearest_half(exact);
        if ((got & 0x7FFF) == 0)
            got = 0;
        assert_int_equal(got, want);
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
        assert_int_equal(tmu_blend(&b, &tap, 1, &clauses), power ? h - 32768 : h);
        assert_int_equal(clauses != 0, power);
        b.linear = false; /* points do not pass the filter */
        assert_int_equal(tmu_blend(&b, &tap, 1, &clauses), h);
    }
}

static void hw_2645_infinity_and_a_negative_value_blend_to_a_negative_one(void **state)
{
    (void)state;
    const struct tmu_tap tap[2] = {{0x7C00, ~UINT64_C(0), UINT64_C(1) << 39}, {0xC000, ~UINT64_C(0), UINT64_C(1) << 39}};
    uint32_t clauses = 0;
    uint64_t defined;
    struct tmu_blend b = {.channels = TEXTURE_HALF, .linear = true, .levels = true};
    assert_int_equal(tmu_blend_checked(&b, tap, 2, &clauses, &defined), 0x7C00);
    b.inf = TMU_BLEND_INF_NEGATIVE;
    assert_true(tmu_blend_checked(&b, tap, 2, &clauses, &defined) & 0x8000);
    assert_int_equal(defined & 0xFFFF, 0x8000); /* nobody says which negative value */
    assert_true(clauses >> TMU_CLAUSE_BLEND_INF & 1);
}

/* ---- Levels of detail ---- */

/* Levels 0 to 4 of a 16 x 16 image, each of one colour: its number. */
static void fill_levels(void)
{
    uint32_t at = 2 * PAGE, bytes[] = {1024, 256, 64, 64, 64};
    for (uint32_t n = 0; n < 5; n++) {
        at -= n ? bytes[n] : 0;
        for (uint32_t k = 0; k < bytes[n]; k += 4)
            ((uint32_t *)m.memory)[(at + k) / 4] = 100 * n * 0x01010101U / 2;
    }
}

static uint32_t at_lod(uint32_t min, float lod)
{
    uint32_t word[4];
    const uint32_t *stream = word;
    words_of(&(struct setup){.width = 16,
                             .height = 16,
                             .levels = 5,
                             .page = 2,
                             .min = min,
                             .mag = TMU_MAG_NEAREST,
                             .p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_BSLOD, 1)},
             word);
    assert_int_equal(put(TMU_B, splat(bits_of(lod)), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, splat(bits_of(0.53F)), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(bits_of(0.53F)), &stream), VC4_GO);
    return load().lane[5] & 255;
}

static void explicit_levels_of_detail(void **state)
{
    (void)state;
    static const struct {
        uint32_t min;
        float lod;
        uint32_t level50; /* 50 a level */
    } kinds[] = {
        {TMU_MIN_NEAREST, 3, 0},
        {TMU_MIN_LINEAR, 3, 0},
        {TMU_MIN_NEAREST_MIP_NEAREST, -1, 0},
        {TMU_MIN_NEAREST_MIP_NEAREST, 0.5F, 0},
        {TMU_MIN_NEAREST_MIP_NEAREST, 0.53125F, 50},
        {TMU_MIN_NEAREST_MIP_NEAREST, 2, 100},
        {TMU_MIN_NEAREST_MIP_NEAREST, 9, 200},
        {TMU_MIN_NEAREST_MIP_LINEAR, 1.5F, 75},
        {TMU_MIN_NEAREST_MIP_LINEAR, 3.25F, 163}, /* 162.5 */
        {TMU_MIN_NEAREST_MIP_LINEAR, 4.75F, 200},
        {TMU_MIN_LINEAR_MIP_NEAREST, 1.25F, 50},
        {TMU_MIN_LINEAR_MIP_LINEAR, 2.75F, 138}, /* 137.5 */
    };
    fill_levels();
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(at_lod(kinds[i].min, kinds[i].lod), kinds[i].level50);
}

/* Elements of a quad 2^n texels apart: level n. */
static void automatic_level_of_detail(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule <= TMU_LOD_UNKNOWN; rule++)
        for (unsigned n = 0; n < 5; n++) {
            struct vc4_vector s = splat(bits_of(0.1F)), t = s;
            fresh(NULL);
            reading(TMU_CLAUSE_LOD, rule);
            fill_levels();
            for (unsigned i = 0; i < 16; i++) {
                s.lane[i] = bits_of(0.1F + (i & 1 ? ldexpf(1.0F / 16, (int)n) : 0));
                t.lane[i] = bits_of(0.1F + (i & 2 ? ldexpf(0.5F / 16, (int)n) : 0));
            }
            struct setup x = {.width = 16, .height = 16, .levels = 5, .page = 2, .min = TMU_MIN_NEAREST_MIP_NEAREST, .mag = TMU_MAG_NEAREST};
            assert_int_equal(look_up(&x, s, t), VC4_GO);
            assert_int_equal(load().lane[0] & 255, 50 * n);
        }
}

static void texel_edge_readings(void **state)
{
    static const uint32_t expected[] = {[READING_MANUAL] = 3, [TMU_EDGE_ROUNDED] = 4, [TMU_EDGE_UNKNOWN] = 0xDEADBEEF};
    for (unsigned rule = 0; rule <= TMU_EDGE_UNKNOWN; rule++) {
        fresh(state);
        reading(TMU_CLAUSE_TEXEL_EDGE, rule);
        for (uint32_t n = 0; n < 8; n++)
            store(4, 4, 4, 8, n, 0, n);
        struct setup x = {.width = 8, .height = 1, .wrap_t = TMU_WRAP_CLAMP, POINTS};
        struct vc4_vector d;
        assert_int_equal(look_up(&x, splat(bits_of((4 - 1.0F / 1024) / 8)), splat(bits_of(0.5F))), VC4_GO);
        assert_int_equal(load_masked(&d).lane[0], expected[rule]);
        assert_int_equal(d.lane[0], rule == TMU_EDGE_UNKNOWN ? 0 : UINT32_MAX);
        assert_int_equal(look_up(&x, splat(bits_of(3.5F / 8)), splat(bits_of(0.5F))), VC4_GO);
        assert_int_equal(load().lane[0], 3); /* a centre is a centre under every reading */
    }
}

/* ---- What goes wrong ---- */

static void parameters_that_no_document_defines(void **state)
{
    static const struct setup bad[] = {
        {.type = 18, .width = 4, .height = 4, POINTS},
        {.type = 31, .width = 4, .height = 4, POINTS},
        {.width = 4, .height = 4, .min = 6, .mag = TMU_MAG_NEAREST},
        {.width = 4, .height = 4, .min = 7, .mag = TMU_MAG_NEAREST},
        {.width = 4, .height = 4, .levels = 4, POINTS}, /* 4, 2, 1 */
        {.width = 2047, .height = 1, .levels = 16, POINTS},
        {.type = 11, .width = 4, .height = 4, .min = TMU_MIN_LINEAR, .mag = TMU_MAG_NEAREST}, /* point sampling only */
        {.width = 4, .height = 4, .wrap_s = TMU_WRAP_BORDER, .flags0 = TMU_PUT(P0_CMMODE, 1), POINTS},
        {.width = 4, .height = 4, .p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE), .p3 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE), POINTS},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        fresh(state);
        if (look_up(&bad[i], splat(0), splat(0)) != VC4_FAULT_RESERVED)
            fail_msg("parameters %u were accepted", i);
    }
}

static void a_fifth_parameter_is_not_defined(void **state)
{
    (void)state;
    static const uint32_t word[8];
    const uint32_t *stream = word;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(put(TMU_T, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_FAULT_RESERVED);
}

static void textures_and_addresses_outside_the_memory(void **state)
{
    (void)state;
    struct setup x = {.width = 64, .height = 64, .page = 3, POINTS}; /* 16 KB from 12 KB on: two tiles lie in, two out */
    reading(TMU_CLAUSE_T_ROW_DIRECTION, TMU_T_EVEN_ROWS_FORWARD);
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO);
    (void)load();
    assert_int_equal(look_up(&x, splat(bits_of(0.9F)), splat(0)), VC4_FAULT_MEMORY);
    fresh(state);
    x = (struct setup){.width = 0, .height = 0, POINTS};
    assert_int_equal(look_up(&x, splat(bits_of(0.99F)), splat(bits_of(0.99F))), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE + ROWS * 64), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE - 1), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE + ROWS * 64 - 1), VC4_GO);
    fresh(state);
    x = (struct setup){.width = 64, .height = 64, .levels = 7, POINTS, .page = 1};
    x.min = TMU_MIN_NEAREST_MIP_NEAREST;
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO); /* level 1 would lie below the memory; nobody asks for it */
}

/* ---- Definedness ---- */

static void undefined_coordinates_make_undefined_results(void **state)
{
    (void)state;
    uint32_t word[4];
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    struct vc4_vector s = splat(bits_of(0.6F)), d = all_defined, value;
    d.lane[6] = ~1U;
    assert_true(tmu_takes_uniform(&m.t, TMU_T));
    assert_int_equal(tmu_write(&m.t, TMU_T, &s, &all_defined, word[0], UINT32_MAX), VC4_GO);
    assert_true(tmu_takes_uniform(&m.t, TMU_S));
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, word[1], UINT32_MAX), VC4_GO);
    assert_int_equal(tmu_load(&m.t, &value, &d), VC4_GO);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(d.lane[i], i == 6 ? 0 : UINT32_MAX);
    assert_int_equal(value.lane[6], 0xDEADBEEF);
}

static void no_number_as_a_coordinate_is_undefined(void **state)
{
    (void)state;
    static const uint32_t odd[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x4F800000};
    struct setup x = {.width = 4, .height = 4, POINTS};
    for (unsigned i = 0; i < 4; i++) {
        struct vc4_vector d;
        assert_int_equal(look_up(&x, splat(odd[i]), splat(0)), VC4_GO);
        (void)load_masked(&d);
        assert_int_equal(d.lane[0], 0);
    }
}

static void an_undefined_address_or_parameter_is_reported(void **state)
{
    (void)state;
    struct vc4_vector s = splat(BASE), d = all_defined;
    d.lane[15] = ~4U;
    assert_false(tmu_takes_uniform(&m.t, TMU_S));
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, 0, 0), VC4_FAULT_UNDEFINED);
    fresh(state);
    d.lane[15] = ~3U; /* address bits 1:0 do not count */
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, 0, 0), VC4_GO);
    assert_true(tmu_takes_uniform(&m.t, TMU_T));
    assert_int_equal(tmu_write(&m.t, TMU_T, &s, &all_defined, 0, ~1U), VC4_FAULT_UNDEFINED);
}

static void undefined_memory_makes_undefined_results(void **state)
{
    (void)state;
    m.memory_defined[PAGE / 64].lane[1] = 0x00FFFFFF;
    assert_int_equal(direct(BASE + PAGE + 4), VC4_GO);
    struct vc4_vector d;
    (void)load_masked(&d);
    assert_int_equal(d.lane[0], 0x00FFFFFF);
    struct setup x = {.width = 4, .height = 4, POINTS};
    assert_int_equal(look_up(&x, floats(0.125F, 0.25F), splat(0)), VC4_GO);
    (void)load_masked(&d);
    assert_int_equal(d.lane[0], UINT32_MAX);
    assert_int_equal(d.lane[1], 0);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(general_memory_lookup_returns_the_raw_word_and_ignores_low_address_bits),
        TEST(one_parameter_a_write_none_for_memory),
        TEST(the_manual_ties_parameters_to_the_first_two_writes),
        TEST(the_request_fifo_has_eight_slots),
        TEST(two_threads_have_half_the_slots_each),
        TEST(a_load_without_a_request_hangs),
        TEST(results_come_in_request_order),
        TEST(more_than_four_lookups_by_reading),
        TEST(rgba64_returns_two_words),
        TEST(registers_that_were_not_written_count_as_0),
        TEST(sixteen_bit_formats_at_every_value),
        TEST(results_of_each_type),
        TEST(readings_of_formats),
        TEST(etc1_blocks),
        TEST(etc1_rows_by_flip_and_reading),
        TEST(bit_order_readings),
        TEST(wrap_modes),
        TEST(flip_y_turns_the_image),
        TEST(border_colours),
        TEST(cube_faces),
        TEST(child_images),
        TEST(linear_filter_of_bytes),
        TEST(blends_of_halves_are_rounded_once),
        TEST(hw_2619_loses_the_sign_of_negative_powers_of_two),
        TEST(hw_2645_infinity_and_a_negative_value_blend_to_a_negative_one),
        TEST(explicit_levels_of_detail),
        TEST(automatic_level_of_detail),
        TEST(texel_edge_readings),
        TEST(parameters_that_no_document_defines),
        TEST(a_fifth_parameter_is_not_defined),
        TEST(textures_and_addresses_outside_the_memory),
        TEST(undefined_coordinates_make_undefined_results),
        TEST(no_number_as_a_coordinate_is_undefined),
        TEST(an_undefined_address_or_parameter_is_reported),
        TEST(undefined_memory_makes_undefined_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
