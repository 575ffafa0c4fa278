/* SPDX-License-Identifier: MIT */
/*
 * The values that pass the observation points of a TMU, in look-ups whose steps are computed by hand or given
 * by VideoCoreIV-AG100-R and by OES_compressed_ETC1_RGB8_texture.
 */
#include "model/core/units.h"
#include "model/vc4/tmu/unit_tmu.h"
#include "tests/model/vc4/tmu/support_visits.h"
#include "tests/support/support_points.h"

/* ---- Positions, wrapping, filters ---- */

static void look_at(const struct setup *x, float s, float s_step, float t)
{
    observe_tmu();
    assert_int_equal(look_up(x, floats(s, s_step), splat(bits_of(t))), VC4_GO);
}

/* Position 2.75 of 8 texels is 1/4 behind the centre of texel 2. */
static void a_linear_filter(void **state)
{
    (void)state;
    const struct setup x = {.width = 8, .height = 8, .min = TMU_MIN_LINEAR, .mag = TMU_MAG_LINEAR};
    store(4, 4, 4, 8, 2, 0, 0x04030210);
    store(4, 4, 4, 8, 3, 0, 0x08070630);
    look_at(&x, 2.75F / 8, 0, 0.5F / 8);
    SHOWS(SAMPLE_TAKEN, "lane=0 cube=0 r_r=0 minfilt=0 magfilt=0 lod_matters=0", 1);
    SHOWS(POSITION_AXIS, "axis=0 extent=8 cube=0 scaled=180224", 180224); /* 2.75 * 65536 */
    SHOWS(POSITION_EXPONENT, "axis=0 coordinate=0x3eb00000", 125);
    SHOWS(POSITION_PRODUCT, "axis=0 mantissa=0xb00000 extent=8", 0xB00000 * 8); /* 0.34375 is 1.375 / 4 */
    SHOWS(TEXEL_INDEX, "axis=0 linear=1 far=0 position=180224 lane=0", 2);
    SHOWS(TEXEL_INDEX, "axis=0 linear=1 far=1 position=180224 lane=0", 3);
    SHOWS(FILTER_FRACTION, "axis=0 lane=0", 16384);
    SHOWS(FILTER_SHARE, "smaller=0 share=0", 256);
    SHOWS(FILTER_ACROSS, "axis=0 tap=0 near=49152 far=16384", 49152);
    SHOWS(FILTER_ACROSS, "axis=0 tap=1 near=49152 far=16384", 16384);
    SHOWS(FILTER_ACROSS, "axis=1 tap=2 near=65536 far=0", 0);
    SHOWS(FILTER_WEIGHT, "tap=1 across_x=16384 across_y=65536 share=256", 16384);
    SHOWS(FILTER_BYTE, "channel=0 tap=0 first=0x10", 0x10);
    SHOWS(FILTER_BYTE, "channel=0 tap=1 first=0x10", 0x30);
    SHOWS(FILTER_BYTE, "channel=3 tap=1 first=4", 8);
    SHOWS(FILTER_CHANNEL, "channel=0 bits=8 taps=2 lane=0 first=0x10", 0x18); /* 16 * 3/4 + 48 * 1/4 */
    SHOWS(TEXEL_STORED, "half=0 bits=32 other=0 x=2", 0x04030210);
}

static void wrap_modes(void **state)
{
    (void)state;
    struct setup x = {.width = 8, .height = 8, POINTS, .wrap_s = TMU_WRAP_MIRROR};
    look_at(&x, -0.5F / 8, 0, 0.5F / 8); /* texel -1 */
    SHOWS(TEXEL_PERIOD, "axis=0 size=8 wrap=2 level=0", 16);
    SHOWS(TEXEL_REST, "axis=0 index=0xffffffff period=16", 15);
    SHOWS(TEXEL_WRAPPED, "axis=0 index=0xffffffff rest=15", 0);
    SHOWS(TEXEL_INDEX, "axis=0 linear=0 far=0 position=0xffff8000", 0xFFFFFFFF);
    SHOWS(TEXEL_WRAPPED, "axis=1 index=0 rest=0", 0);
    look_at(&x, 9.5F / 8, 0, 0.5F / 8);
    SHOWS(TEXEL_REST, "axis=0 index=9 period=16", 9);
    SHOWS(TEXEL_WRAPPED, "axis=0 rest=9", 6);
    x.wrap_s = TMU_WRAP_REPEAT;
    look_at(&x, -0.5F / 8, 0, 0.5F / 8);
    SHOWS(TEXEL_PERIOD, "axis=0 size=8 wrap=0", 8);
    SHOWS(TEXEL_REST, "axis=0 period=8", 7);
    x.wrap_s = TMU_WRAP_CLAMP;
    look_at(&x, -0.5F / 8, 0, 0.5F / 8);
    assert_int_equal(visits_of(TMU_POINT_TEXEL_PERIOD), 0);
    SHOWS(TEXEL_WRAPPED, "axis=0 index=0xffffffff rest=0", 0);
}

/* The coordinate 0.5 on a face of 8 texels, from -1 to 1, is position 6. */
static void a_position_on_a_face(void **state)
{
    (void)state;
    const struct setup x = {.width = 8, .height = 8, POINTS, .flags0 = TMU_MASK(P0_CMMODE), .p2 = 1U << 30};
    uint32_t word[4];
    const uint32_t *stream = word;
    words_of(&x, word);
    observe_tmu();
    assert_int_equal(put(TMU_R, splat(bits_of(1)), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(bits_of(0.5F)), &stream), VC4_GO);
    SHOWS(POSITION_AXIS, "axis=0 extent=8 cube=1 scaled=262144", 6 << 16);
    SHOWS(SAMPLE_TAKEN, "cube=1 r_r=0x3f800000 lane=0", 1);
    SHOWS(LOOKUP_RESERVED, "direct=0 cube=1 levels=1 most=4 minfilt=1 magfilt=1 type=0", 0);
}

/* A step of 1.5 texels in x and of 3 in y. log2(3) is 1.585, so the level is 1 with 149/256 of level 2. */
static void a_level_of_detail(void **state)
{
    (void)state;
    const struct setup x = {
        .width = 8, .height = 8, .levels = 4, .min = TMU_MIN_LINEAR_MIP_LINEAR, .mag = TMU_MAG_NEAREST};
    look_at(&x, 0, 1.5F / 8, 0);
    SHOWS(LOD_MATTERS, "mips=1 blends=1 min_linear=1 mag_linear=0 levels=4", 1);
    SHOWS(LOD_STEP, "axis=0 along=0 here=0 next_x=98304 next_y=196608", 98304);
    SHOWS(LOD_STEP, "axis=0 along=1 here=0", 196608);
    SHOWS(LOD_STEP, "axis=1 along=0 here=0 next_x=0", 0);
    SHOWS(LOD_MANTISSA, "along=1 whole=35", 0x90000000); /* 9 * 2^32 is 1.125 * 2^35 */
    SHOWS(LOD_FRACTION, "along=1 whole=35 mantissa=0x90000000", 43);
    SHOWS(LOD_WHOLE, "along=1 fraction=43", 35);
    SHOWS(LOD_GRADIENT, "along=1 square=9003", 405); /* log2 of 9 is 3.1699, and 32 places are 8192 */
    SHOWS(LOD_GRADIENT, "along=0 square=8491", 149);
    SHOWS(LOD_AUTOMATIC, "along_x=149 along_y=405", 405);
    SHOWS(LOD_LAST, "levels=4 lane=0", 3);
    SHOWS(LOD_MAGNIFIED, "lod=405 minfilt=5 magfilt=1", 0);
    SHOWS(LOD_SECOND, "first=1 share=149 last=3", 2);
    SHOWS(FILTER_SHARE, "smaller=0 share=149 lane=0", 107);
    SHOWS(FILTER_SHARE, "smaller=1 share=149 lane=0", 149);
    look_at(&x, 0, 0.5F / 8, 0);
    SHOWS(LOD_MAGNIFIED, "lod=0", 1); /* the step in y is one texel */
    assert_int_equal(visits_of(TMU_POINT_LOD_SECOND), 0);
}

/* ---- Formats ---- */

/* A block of OES_compressed_ETC1_RGB8_texture in differential mode: base colours 10, 20, 31 and changes -3,
 * 2, 0; tables 3 and 6. Texel (3, 1), number 13, has index 2: minus the small modifier, which is 33. */
static void an_etc1_block(void **state)
{
    (void)state;
    static const uint8_t block[8] = {10 << 3 | 5, 20 << 3 | 2, 31 << 3, 3 << 5 | 6 << 2 | 2, 1 << 5, 0, 0, 0};
    const struct setup x = {.type = 8, .width = 4, .height = 4, POINTS};
    memcpy(byte_at(PAGE), block, sizeof block);
    look_at(&x, 3.5F / 4, 0, 1.5F / 4);
    SHOWS(TEXEL_INNER, "axis=0 place=3", 3);
    SHOWS(TEXEL_STORED, "half=0 bits=64 other=0x20", 0x7AF8A255);
    SHOWS(TEXEL_STORED, "half=1 bits=64 other=0x7af8a255", 0x20);
    SHOWS(ETC_FIELD, "bits=1 highest=33", 1);        /* differential */
    SHOWS(ETC_FIELD, "bits=1 highest=32", 0);        /* not flipped */
    SHOWS(ETC_FIELD, "bits=3 highest=36 mask=7", 6); /* the second table */
    SHOWS(ETC_FIELD_LOW, "bits=3 highest=36", 34);
    SHOWS(ETC_FIELD_LOW, "bits=8 highest=63", 56);
    SHOWS(ETC_FIVE_BITS, "channel=0 differential=1 second=1 byte=0x55", 1);
    SHOWS(ETC_STORED, "channel=0 five_bits=1 second=1 byte=0x55", 10);
    SHOWS(ETC_STORED, "channel=1 five_bits=1", 20);
    SHOWS(ETC_CHANGES, "channel=2 second=1", 1);
    SHOWS(ETC_FIELD, "bits=1 highest=13", 0); /* the small modifier */
    SHOWS(ETC_FIELD, "bits=1 highest=29", 1); /* negative */
    SHOWS(ETC_FIELD, "bits=8 highest=63 moved=0x55", 0x55);
    SHOWS(ETC_FIELD, "bits=8 highest=55 moved=0x55a2", 0xA2);
    SHOWS(ETC_TEXEL, "x=3 y=1", 13);
    SHOWS(ETC_SECOND, "flipped=0 x=3", 1);
    SHOWS(ETC_MODIFIER, "table=6 large=0", 33);
    SHOWS(ETC_CHANGE, "channel=0 field=5 byte=0x55", 0xFFFFFFFD);
    SHOWS(ETC_CHANGE, "channel=1 field=2 byte=0xa2", 2);
    SHOWS(ETC_CHANGE, "channel=2 field=0", 0);
    SHOWS(ETC_COLOUR, "channel=0 second=1 differential=1 sum=7", 7);
    SHOWS(ETC_COLOUR, "channel=1", 22);
    SHOWS(ETC_PART, "channel=0 colour=7 upper=1 differential=1", 56); /* 00111 000 */
    SHOWS(ETC_PART, "channel=0 colour=7 upper=0", 1);                 /* 001 */
    SHOWS(ETC_BASE, "channel=0 colour=7 upper=56 lower=1", 57);
    SHOWS(ETC_CHANNEL, "channel=0 base=57 modifier=33 minus=1 colour=7 differential=1", 24);
    SHOWS(ETC_SUM, "channel=0 base=57 modifier=33 minus=1", 24);
    SHOWS(ETC_CHANNEL, "channel=1 colour=22 sum=148", 148);
    SHOWS(ETC_CHANNEL, "channel=2 colour=31", 222);
    SHOWS(CHANNEL_PLACED, "channel=1 bits=5 field=22 byte=148", 148 << 8);
    SHOWS(CHANNEL_PLACED, "channel=3 bits=0 field=0", 255U << 24);
    SHOWS(TEXEL_VALUE, "type=8", 0xFFDE9418);
}

/* A block with two colours: 10, 4, 15 and 3, 0, 1. The texels have index 0: plus the small modifier of table
 * 0, which is 2. */
static void an_etc1_block_with_two_colours(void **state)
{
    (void)state;
    static const uint8_t block[8] = {0xA3, 0x40, 0xF1};
    const struct setup x = {.type = 8, .width = 4, .height = 4, POINTS};
    memcpy(byte_at(PAGE), block, sizeof block);
    look_at(&x, 0.5F / 4, 0, 0.5F / 4);
    SHOWS(ETC_FIVE_BITS, "channel=0 differential=0 second=0 byte=0xa3", 0);
    SHOWS(ETC_STORED, "channel=0 five_bits=0 second=0", 10);
    SHOWS(ETC_STORED, "channel=2 five_bits=0 second=0 byte=0xf1", 15);
    SHOWS(ETC_COLOUR, "channel=0 sum=10", 10);
    SHOWS(ETC_PART, "channel=0 colour=10 upper=1 differential=0", 160);
    SHOWS(ETC_PART, "channel=0 colour=10 upper=0", 10);
    SHOWS(TEXEL_VALUE, "type=8", 0xFFFF46AC); /* 255 + 2 is 255 */
    look_at(&x, 2.5F / 4, 0, 0.5F / 4);
    SHOWS(ETC_STORED, "channel=0 five_bits=0 second=1", 3);
    SHOWS(ETC_STORED, "channel=1 five_bits=0 second=1", 0);
    assert_int_equal(visits_of(TMU_POINT_ETC_CHANGES), 0);
}

/* RGB565 with R 3, G 63 and B 0. The manual lists the channels from the lowest bit up. */
static void a_packed_texel(void **state)
{
    (void)state;
    const struct setup x = {.type = 4, .width = 8, .height = 4, POINTS};
    store(2, 8, 4, 8, 0, 0, 63 << 5 | 3);
    look_at(&x, 0.5F / 8, 0, 0.5F / 4);
    SHOWS(CHANNEL_FIELD, "channel=0 bits=5 mask=31", 3);
    SHOWS(CHANNEL_BITS, "channel=1", 6);
    SHOWS(CHANNEL_PART, "field=3 left=8 bits=5 channel=0", 24); /* 00011 in bits 7:3, 000 below */
    SHOWS(CHANNEL_PART, "field=3 left=3 bits=5 channel=0", 0);
    SHOWS(CHANNEL_PLACED, "channel=0 bits=5 field=3", 24); /* 00011 000 */
    SHOWS(CHANNEL_PLACED, "channel=1 bits=6 field=63", 255 << 8);
    SHOWS(CHANNEL_PLACED, "channel=2 bits=5 field=0", 0);
    SHOWS(CHANNEL_PLACED, "channel=3 bits=0 field=0", 255U << 24);
}

/* The third byte of RGBX8888 is a channel only under tex-type-rga=rgb. RGBA8888 has four channels. */
static void texels_of_four_bytes(void **state)
{
    (void)state;
    struct setup x = {.type = 1, .width = 8, .height = 4, POINTS};
    store(4, 4, 4, 8, 0, 0, 0x78563412);
    look_at(&x, 0.5F / 8, 0, 0.5F / 4);
    SHOWS(CHANNEL_PLACED, "channel=1 type=1 bits=8 field=0x34", 0x3400);
    SHOWS(CHANNEL_PLACED, "channel=2 type=1 bits=0 field=0", 0);
    reading(TMU_CLAUSE_TYPE_RGA, TMU_TYPE_RGB);
    look_at(&x, 0.5F / 8, 0, 0.5F / 4);
    SHOWS(CHANNEL_PLACED, "channel=2 type=1 bits=8 field=0x56", 0x560000);
    SHOWS(CHANNEL_PLACED, "channel=3 type=1 bits=0 field=0", 255U << 24);
    x.type = 0;
    look_at(&x, 0.5F / 8, 0, 0.5F / 4);
    SHOWS(CHANNEL_PLACED, "channel=0 type=0 bits=8 field=0x12", 0x12);
    SHOWS(CHANNEL_PLACED, "channel=3 type=0 bits=8 field=0x78", 0x78000000);
}

/* RGBA64 has two result words; each sees the other one. */
static void two_result_words(void **state)
{
    (void)state;
    const struct setup x = {.type = 15, .width = 2, .height = 4, POINTS};
    store(8, 2, 4, 2, 0, 0, UINT64_C(0x4400420040003C00));
    look_at(&x, 0.25F, 0, 0.5F / 4);
    SHOWS(RESULT_WORD, "word=0 other=0x44004200", 0x40003C00);
    SHOWS(RESULT_WORD, "word=1 other=0x40003c00", 0x44004200);
    SHOWS(RESULT_ENTRY, "word=1 earlier=1", 1);
    assert_int_equal(load().lane[0], 0x40003C00);
    assert_int_equal(load().lane[0], 0x44004200);
    SHOWS(LOAD_ENTRY, "word=0 first_entry=0", 0);
    SHOWS(LOAD_ENTRY, "word=1 first_entry=0", 1);
    assert_int_equal(visits_of(TMU_POINT_FIFO_OLDEST), 1);
}

/* ---- Textures ---- */

/* p42 T16: what each MINFILT asks for. */
static void meanings_of_minfilt(void **state)
{
    static const struct {
        bool linear, mips, blends;
    } meaning[] = {{true, false, false}, {false, false, false}, {false, true, false},
                   {false, true, true},  {true, true, false},   {true, true, true}};
    for (uint32_t n = 0; n < 6; n++) {
        const struct setup x = {.width = 8, .height = 8, .levels = 4, .min = n, .mag = TMU_MAG_NEAREST};
        char inputs[ROOM];
        fresh(state);
        look_at(&x, 0, 0, 0);
        snprintf(inputs, sizeof inputs, "minfilt=%u", (unsigned)n);
        SHOWS(MIN_LINEAR, inputs, meaning[n].linear);
        SHOWS(MIN_MIPS, inputs, meaning[n].mips);
        SHOWS(MIN_BLENDS, inputs, meaning[n].blends);
        SHOWS(LOD_MATTERS, "levels=4 mag_linear=0", n != 1);
        SHOWS(REQUEST_VALUE, "register=0 magfilt=1", 0);
        assert_int_equal(input_of(visit_of(TMU_POINT_REQUEST_VALUE, 0, "register=1"), "lod_matters"), n != 1);
        assert_int_equal(input_of(visit_of(TMU_POINT_REQUEST_VALUE, 0, "register=1"), "points"), n == 1);
    }
}

/* 96 x 64 texels of 32 bits are 3 x 2 tiles. Level 1 is 64 x 32: 2 x 1 tiles. Level 2 of 32 x 16 is in LT
 * format under Mesa's rule: 8 x 4 microtiles. */
static void sizes_of_levels(void **state)
{
    (void)state;
    const struct setup x = {.width = 96, .height = 64, .levels = 3, POINTS, .page = 3};
    reading(TMU_CLAUSE_MIP_POT, TMU_MIP_FROM_POT);
    observe_tmu();
    (void)look_up(&x, splat(0), splat(0));
    SHOWS(SIZE_PADDED, "axis=0 own=96", 128);
    SHOWS(SIZE_PADDED, "axis=1 own=64", 64);
    SHOWS(LEVEL_TILES, "axis=0 level=0 order=2 extent=96 tile_log2=5", 3);
    SHOWS(LEVEL_TILE_LOG2, "axis=1 level=0 order=2 utile_log2=2", 5);
    SHOWS(LEVEL_TILE_LOG2, "axis=0 level=2 order=1 utile_log2=2", 2);
    SHOWS(SIZE_TO_DIVIDE, "extent=64 log2=5 unit=32", 64 + 31);
    SHOWS(LEVEL_TILES, "axis=1 level=0 order=2 extent=64 tile_log2=5", 2);
    SHOWS(LEVEL_TILES, "axis=0 level=1 order=2 extent=64", 2);
    SHOWS(LEVEL_TILES, "axis=0 level=2 order=1 extent=32 tile_log2=2", 8);
    SHOWS(LEVEL_TILES, "axis=1 level=2 order=1 extent=16 tile_log2=2", 4);
    SHOWS(SIZE_UNITS, "extent=96 log2=5 unit=32 to_divide=127", 3);
    SHOWS(LEVEL_TILE_COUNT, "level=0 order=2 tiles_x=3 tiles_y=2", 6);
    SHOWS(LEVEL_TILE_COUNT, "level=2 order=1 tiles_x=8 tiles_y=4", 32);
    SHOWS(LEVEL_ACROSS, "level=0 order=2 down=2", 3);
    SHOWS(LEVEL_ACROSS, "level=2 order=1 down=4", 8);
    SHOWS(LEVEL_BYTES, "level=0", 24576);
    SHOWS(LEVEL_BYTES, "level=2", 32 * 64);
    SHOWS(LEVEL_ORDER, "level=0 width=96 height=64 tile_width=32 tile_height=32", 2);
    SHOWS(UTILE_ROW_BITS, "level=0 utile_width=2 bits_log2=5", 7); /* 16 bytes */
}

/* ---- Registers and FIFOs ---- */

static void memory_look_ups_in_the_fifos(void **state)
{
    (void)state;
    observe_tmu();
    assert_int_equal(direct(BASE + 0x40), VC4_GO);
    SHOWS(WRITE_WRITTEN, "register=0 written=0 direct=1", 1);
    SHOWS(WRITE_COUNT, "register=0 writes=0", 1);
    SHOWS(LOOKUP_STARTS, "register=0", 1);
    SHOWS(LOOKUP_WRITES, "count=1 direct=1", 0);
    SHOWS(UNIFORM_PARAMETER, "register=0 direct=1 taken=0", 0);
    SHOWS(RESULT_ENTRY, "earlier=0 word=0", 0);
    SHOWS(FIFO_LOOKUPS, "load=0", 1);
    SHOWS(REQUEST_HELD, "writes=0 lookups=0", 0);
    SHOWS(RESULT_HELD, "lookups=0", 0);
    assert_int_equal(direct(BASE + 0x80), VC4_GO);
    SHOWS(REQUEST_HELD, "writes=0 lookups=1", 1);
    SHOWS(RESULT_HELD, "lookups=1 loaded=0", 1);
    SHOWS(RESULT_ENTRY, "earlier=1", 1);
    assert_int_equal(VALUE(FIFO_LOOKUPS, 1, "load=0"), 2);
    assert_int_equal(load().lane[0], m.memory[1].lane[0]);
    SHOWS(LOAD_ENTRY, "first_entry=0", 0);
    SHOWS(FIFO_OLDEST, "before=0", 1);
    SHOWS(FIFO_LOOKUPS, "load=1", 1);
    assert_int_equal(load().lane[0], m.memory[2].lane[0]);
    SHOWS(LOAD_ENTRY, "first_entry=1", 1);
    SHOWS(FIFO_OLDEST, "before=1", 2);
}

static void texture_look_ups_and_their_writes(void **state)
{
    (void)state;
    const struct setup x = {.width = 8, .height = 8, POINTS}, y = {.width = 4, .height = 8, POINTS};
    uint32_t a[4], b[4];
    words_of(&x, a);
    words_of(&y, b);
    observe_tmu();
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO);
    SHOWS(WRITE_WRITTEN, "register=1 written=0", 2);
    SHOWS(WRITE_WRITTEN, "register=0 written=2", 3);
    SHOWS(WRITE_COUNT, "register=0 writes=1", 2);
    SHOWS(LOOKUP_STARTS, "register=1", 0);
    SHOWS(LOOKUP_STARTS, "register=0 written=2", 1);
    SHOWS(LOOKUP_WRITES, "count=2 direct=0", 0);
    SHOWS(UNIFORM_PARAMETER, "register=1 taken=1 direct=0", 1);
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO);
    assert_int_equal(look_up(&y, splat(0), splat(0)), VC4_GO);
    char inputs[ROOM];
    assert_int_equal(visits_of(TMU_POINT_LOOKUP_REPEATS), 2); /* of the second and the third */
    snprintf(inputs, sizeof inputs, "p1=0x%x before_p1=0x%x", (unsigned)a[1], (unsigned)a[1]);
    SHOWS(LOOKUP_REPEATS, inputs, 1);
    snprintf(inputs, sizeof inputs, "p1=0x%x before_p1=0x%x", (unsigned)b[1], (unsigned)a[1]);
    SHOWS(LOOKUP_REPEATS, inputs, 0);
}

/* ---- What rules can force ---- */

/* A step of a quarter of a texel: the level of detail is -2. */
static void a_negative_level_without_magnification_is_level_0(void **state)
{
    (void)state;
    const struct setup x = {
        .width = 8, .height = 8, .levels = 4, .min = TMU_MIN_NEAREST_MIP_NEAREST, .mag = TMU_MAG_NEAREST};
    force(TMU_POINT_LOD_MAGNIFIED, 0);
    look_at(&x, 0, 0.125F / 8, 0);
    watch.force = NULL;
    assert_true((int32_t)input_of(visit_of(TMU_POINT_LOD_MAGNIFIED, 0, "lane=0"), "lod") < 0);
    SHOWS(LOD_FIRST, "lane=0", 0);
}

/* 64 x 64 texels of 32 bits are 2 x 2 tiles. The text of p105 lets even rows run from right to left. */
static void a_tile_in_another_row(void **state)
{
    (void)state;
    const struct setup x = {.width = 64, .height = 64, POINTS};
    look_at(&x, 0, 0, 0);
    SHOWS(TILE_ROW, "utile_y=0", 0);
    SHOWS(TILE_NUMBER, "row=0 column=1 across=2", 1);
    look_at(&x, 20.5F / 64, 0, 36.5F / 64); /* microtile (5, 9): bottom right of its tile */
    SHOWS(TILE_HALF, "axis=0 utile=5 lane=0", 1);
    SHOWS(TILE_HALF, "axis=1 utile=9", 0);
    SHOWS(TILE_ODD, "utile_y=9", 1);
    SHOWS(TILE_SUBTILE, "right=1 above=0 odd=1", 1);
    force(TMU_POINT_TILE_PLACE, 1); /* of both axes; this tile is outside of the memory */
    observe_tmu();
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_FAULT_MEMORY);
    watch.force = NULL;
    SHOWS(TILE_ROW, "utile_y=0", 1);
    SHOWS(TILE_COLUMN, "column=1 row=1 across=2", 1);
    SHOWS(TILE_NUMBER, "row=1 column=1 across=2", 3);
}

/* A look-up without parameters does not compare those of the look-up before it. */
static void parameters_that_are_not_there_are_0(void **state)
{
    (void)state;
    const struct setup x = {.width = 8, .height = 8, POINTS};
    observe_tmu();
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO);
    force(TMU_POINT_UNIFORM_PARAMETER, 0);
    (void)look_up(&x, splat(0), splat(0));
    watch.force = NULL;
    SHOWS(LOOKUP_REPEATS, "p0=0 p1=0", 0);
}

/* Whatever number of waiting words a rule gives, the result FIFO holds no more than it has room for. */
static void a_result_fifo_has_an_end(void **state)
{
    (void)state;
    observe_tmu();
    m.t.slots = 31; /* so that the request FIFO has room */
    force(TMU_POINT_RESULT_WAITING, 0);
    enum vc4_stop stop = VC4_GO;
    unsigned made = 0;
    for (; made < 40 && !stop; made++)
        stop = direct(BASE + 0x40);
    watch.force = NULL;
    assert_int_equal(stop, VC4_HANG_TMU_FULL);
    assert_int_equal(made, TMU_RESULTS_MAX + 1);
}

/* ---- The unit's operations ---- */

/* The two writes take the uniforms in places 1 and 3. */
static void uniforms_and_results(void **state)
{
    (void)state;
    static const char *const ops[] = {"nop",     "p0 base=1",
                                      "t all 0", "p1 width=4 height=4 minfilt=1 magfilt=1",
                                      "s all 0", "load"};
    struct points_bench *b = points_open(&vc4_tmu_unit);
    struct tmu_case *c = (struct tmu_case *)(void *)b->tc.words;
    const struct profile p = points_profile(b, "manual", NULL);
    b->tc.unit = &vc4_tmu_unit;
    c->op_count = sizeof ops / sizeof *ops;
    for (uint32_t i = 0; i < c->op_count; i++) {
        struct error e = {0};
        if (!tmu_op_parse(ops[i], strlen(ops[i]), c->op[i], &e))
            fail_msg("%s: %s", ops[i], e.text);
    }
    visit_count = 0;
    b->run.see = note;
    points_run(b, &b->tc, &p, b->out);
    SHOWS(OPERATION_UNIFORM, "taken=0 next=0", 1);
    SHOWS(OPERATION_UNIFORM, "taken=1 next=2", 3);
    SHOWS(OPERATION_RESULT, "loads=0", 0);
    SHOWS(STATE_WORD, "which=0", 2);
    SHOWS(STATE_WORD, "which=2", 0);
    points_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_linear_filter),
        TEST(wrap_modes),
        TEST(a_position_on_a_face),
        TEST(a_level_of_detail),
        TEST(an_etc1_block),
        TEST(an_etc1_block_with_two_colours),
        TEST(a_packed_texel),
        TEST(texels_of_four_bytes),
        TEST(two_result_words),
        TEST(meanings_of_minfilt),
        TEST(sizes_of_levels),
        TEST(memory_look_ups_in_the_fifos),
        TEST(texture_look_ups_and_their_writes),
        TEST(a_negative_level_without_magnification_is_level_0),
        TEST(a_tile_in_another_row),
        TEST(parameters_that_are_not_there_are_0),
        TEST(a_result_fifo_has_an_end),
        TEST(uniforms_and_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
