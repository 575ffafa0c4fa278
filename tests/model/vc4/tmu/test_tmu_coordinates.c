/* SPDX-License-Identifier: MIT */
/* From coordinates to texels: wrapping, borders, cube maps, child images, levels of detail (p39-45 of
 * VideoCoreIV-AG100-R). */
#include "tests/model/vc4/tmu/support_tmu.h"

/* ---- Coordinates ---- */

/* Where texels -5 to 8 of an axis of four texels fall, for each wrap mode. The table is written by hand. */
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
            assert_int_equal(look_up(&x, splat(bits_of(((float)i + 0.5F) / 4)),
                                     splat(bits_of(((float)(3 - i) + 0.5F) / 4))),
                             VC4_GO);
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

/* The order of the bytes in the border colour's word, for each format, from Mesa's vc4_uniforms.c. R =
 * 0x44332211. */
static void border_colours(void **state)
{
    static const struct {
        uint32_t type, plain, ordered;
    } kinds[] = {{0, 0x44332211, 0x44332211}, {1, 0x44332211, 0xFF332211}, {2, 0x44332211, 0x11223344},
                 {3, 0x44332211, 0x11223344}, {4, 0x44332211, 0xFF112233}, {6, 0x44332211, 0x44000000},
                 {7, 0x44332211, 0x44111111}};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned ordered = 0; ordered < 2; ordered++) {
            fresh(state);
            reading(TMU_CLAUSE_BORDER_ORDER, ordered);
            uint32_t word[4];
            const uint32_t *stream = word;
            words_of(&(struct setup){.type = kinds[k].type,
                                     .width = 4,
                                     .height = 4,
                                     .wrap_t = TMU_WRAP_BORDER,
                                     POINTS},
                     word);
            struct vc4_vector r = splat(0x99999999);
            r.lane[0] = 0x44332211; /* the unit takes the colour from element 0 */
            assert_int_equal(put(TMU_R, r, &stream), VC4_GO);
            assert_int_equal(put(TMU_T, splat(bits_of(-0.5F)), &stream), VC4_GO);
            assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
            assert_int_equal(load().lane[7], ordered ? kinds[k].ordered : kinds[k].plain);
        }
    fresh(state);
    struct setup x = {.width = 4, .height = 4, .wrap_t = TMU_WRAP_BORDER, POINTS};
    assert_int_equal(look_up(&x, splat(0), splat(bits_of(-0.5F))), VC4_GO);
    assert_int_equal(load().lane[0], 0); /* R was not written */
    reading(TMU_CLAUSE_BORDER_SOURCE, TMU_BORDER_EXTRA_LEVEL);
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
    assert_int_equal(look_up(&x, splat(0), splat(bits_of(-0.5F))), VC4_GO);
    assert_int_equal(load().lane[0], m.memory[PAGE / 64 - 1].lane[0]);
}

/* A border level that is below the memory. A look-up at the image's edge may read the border only to compare
 * its value with the texel's. After that, a look-up in the border must still fail. */
static void a_border_outside_the_memory_stays_there(void **state)
{
    (void)state;
    reading(TMU_CLAUSE_BORDER_SOURCE, TMU_BORDER_EXTRA_LEVEL);
    reading(TMU_CLAUSE_TEXEL_EDGE, TMU_EDGE_UNKNOWN);
    tmu_reset(&m.t, &m.env, CLAUSE_BASE);
    uint32_t word[4];
    const uint32_t *stream = word;
    words_of(&(struct setup){.width = 4, .height = 4, .wrap_s = TMU_WRAP_BORDER, POINTS}, word);
    word[0] -= PAGE;                /* level 0 in page 0: the extra level would lie before the memory */
    struct vc4_vector s = splat(0); /* at an edge of the image */
    s.lane[1] = bits_of(-0.125F);   /* in the border */
    assert_int_equal(put(TMU_T, splat(bits_of(0.125F)), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, s, &stream), VC4_FAULT_MEMORY);
}

/* OpenGL ES 2.0 table 3.21: which face a direction meets, and where. The memory has four pages, each with a
 * face of 8 x 8 texels: faces 0 to 3, or faces 2 to 5 if the base is two pages before the memory. */
static void cube_faces(void **state)
{
    (void)state;
    static const struct {
        float s, t, r;
        uint32_t face, x, y;
    } rays[] = {{1, 0.3F, -0.6F, 0, 6, 2},  {-1, 0.3F, -0.6F, 1, 1, 2}, {0.3F, 1, -0.6F, 2, 5, 1},
                {0.3F, -1, -0.6F, 3, 5, 6}, {1, -0.9F, 0.9F, 0, 0, 7},  {-1, -0.9F, 0.9F, 1, 7, 7},
                {0.3F, -0.6F, 1, 4, 5, 6},  {0.3F, -0.6F, -1, 5, 2, 6}, {-0.9F, 0.3F, 1, 4, 0, 2},
                {-0.9F, 0.3F, -1, 5, 7, 2}};
    for (unsigned i = 0; i < sizeof rays / sizeof *rays; i++) {
        uint32_t first = rays[i].face > 3 ? 2 : 0; /* the face in page 0 */
        for (uint32_t page = 0; page < 4; page++)
            for (uint32_t n = 0; n < 64; n++) /* 8 x 8 texels of 32 bits: LT, two utiles a row */
                ((uint32_t *)m.memory)[page * 1024 + (n / 32 * 2 + n % 8 / 4) * 16 + n / 8 % 4 * 4 + n % 4] =
                    (first + page) << 16 | n % 8 << 8 | n / 8;
        uint32_t word[4];
        const uint32_t *stream = word;
        words_of(&(struct setup){.width = 8,
                                 .height = 8,
                                 .flags0 = TMU_PUT(P0_CMMODE, 1),
                                 .p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_CMST, 1),
                                 POINTS},
                 word);
        word[0] -= (1 + first) * PAGE;
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
                      .p2 = TMU_PUT(CHILD_SIZE_PTYPE, TMU_PTYPE_CHILD_SIZE) | TMU_PUT(CHILD_SIZE_CWIDTH, 4) |
                            TMU_PUT(CHILD_SIZE_CHEIGHT, 2),
                      .p3 = TMU_PUT(CHILD_OFFSET_PTYPE, TMU_PTYPE_CHILD_OFFSET) |
                            TMU_PUT(CHILD_OFFSET_CXOFF, 5) | TMU_PUT(CHILD_OFFSET_CYOFF, 7),
                      POINTS};
    assert_int_equal(look_up(&x, floats(0.125F, 0.25F), splat(bits_of(0.75F))), VC4_GO);
    struct vc4_vector v = load();
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(v.lane[i], (7 + 1) * 16 + 5 + i % 4);
    x.p2 = TMU_PUT(CHILD_SIZE_PTYPE, TMU_PTYPE_CHILD_SIZE) | TMU_PUT(CHILD_SIZE_CWIDTH, 12) |
           TMU_PUT(CHILD_SIZE_CHEIGHT, 2);
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_FAULT_RESERVED); /* leaves its parent */
}

/* ---- Levels of detail ---- */

/* Fills levels 0 to 4 of a 16 x 16 image. Every byte of level n is 50 n. */
static void fill_levels(void)
{
    uint32_t at = 2 * PAGE, bytes[] = {1024, 256, 64, 64, 64};
    for (uint32_t n = 0; n < 5; n++) {
        at -= n ? bytes[n] : 0;
        for (uint32_t k = 0; k < bytes[n]; k += 4)
            ((uint32_t *)m.memory)[(at + k) / 4] = 50 * n * 0x01010101U;
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
        uint32_t level50; /* 50 times the level */
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

/* Elements of a quad that are 2^n texels apart choose level n. */
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
            struct setup x = {.width = 16,
                              .height = 16,
                              .levels = 5,
                              .page = 2,
                              .min = TMU_MIN_NEAREST_MIP_NEAREST,
                              .mag = TMU_MAG_NEAREST};
            assert_int_equal(look_up(&x, s, t), VC4_GO);
            assert_int_equal(load().lane[0] & 255, 50 * n);
        }
}

static void texel_edge_readings(void **state)
{
    static const uint32_t expected[] = {
        [READING_MANUAL] = 3, [TMU_EDGE_ROUNDED] = 4, [TMU_EDGE_UNKNOWN] = 0xDEADBEEF};
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
        assert_int_equal(load().lane[0], 3); /* at a texel's centre all readings agree */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wrap_modes),
        TEST(flip_y_turns_the_image),
        TEST(border_colours),
        TEST(a_border_outside_the_memory_stays_there),
        TEST(cube_faces),
        TEST(child_images),
        TEST(explicit_levels_of_detail),
        TEST(automatic_level_of_detail),
        TEST(texel_edge_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
