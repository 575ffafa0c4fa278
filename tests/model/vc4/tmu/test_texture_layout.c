/* SPDX-License-Identifier: MIT */
/*
 * Where texels are. The tests walk an image in memory order as the manual (p105-
 * 107) and the texturing post describe it in words: rows of 4K tiles, sub-tiles,
 * utiles, texels. Nothing here computes an address from a coordinate.
 */
#include "model/vc4/tmu/texture_layout.h"

#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_texture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Utiles by bits per texel (p105): width, height. */
static const struct {
    uint32_t bits, log2, width, height;
} utiles[] = {{64, 6, 2, 4}, {32, 5, 4, 4}, {16, 4, 8, 4}, {8, 3, 8, 8}, {4, 2, 16, 8}, {1, 0, 32, 16}};
enum { SIZES = sizeof utiles / sizeof *utiles };

/* Returns the place of a utile among the 8 x 8 utiles of a 4K tile. */
static void utile_in_tile(uint32_t number, uint32_t odd, uint32_t *ux, uint32_t *uy)
{
    /* the sub-tile as in even rows: 0 bottom left, 1 top left, 2 top right, 3 bottom right */
    uint32_t s = (number >> 4 & 3U) ^ 2U * odd;
    *ux = (s >> 1) << 2 | (number & 3U);
    *uy = ((s ^ s >> 1) & 1U) << 2 | (number >> 2 & 3U);
}

/* The inverse of texture_bit: finds the texel that contains a bit. Returns false if the bit is after the
 * image. */
static bool texel_of(const struct texture_grid *g, uint32_t bit, uint32_t *x, uint32_t *y)
{
    if (bit / 8 >= g->bytes)
        return false;
    if (g->order == TEXTURE_RASTER) {
        uint32_t texel = bit >> g->texel_bits_log2;
        *x = texel % g->across;
        *y = texel / g->across;
        return true;
    }
    uint32_t utile = bit >> 9, ux, uy;
    if (g->order == TEXTURE_LT) {
        ux = utile % g->across;
        uy = utile / g->across;
    } else {
        uint32_t tile = utile >> 6, ty = tile / g->across, tx = tile % g->across, odd = ty & 1U;
        if (odd == g->reversed_parity)
            tx = g->across - 1U - tx;
        utile_in_tile(utile & 63U, odd, &ux, &uy);
        ux += 8U * tx;
        uy += 8U * ty;
    }
    uint32_t inside = bit & 511U, row_mask = (1U << g->row_bits_log2) - 1U;
    *x = ux << g->utile.width_log2 | (inside & row_mask) >> g->texel_bits_log2;
    *y = uy << g->utile.height_log2 | inside >> g->row_bits_log2;
    return true;
}

/* A walk through an image in memory order. */
struct walk {
    const struct texture_grid *g;
    uint32_t bits, width, height; /* bits of a texel; size of a utile */
    uint32_t bit;                 /* where the walk is */
    uint64_t seen;
};

static void at_texel(struct walk *w, uint32_t x, uint32_t y)
{
    uint32_t gx = ~0U, gy = ~0U;
    if (texture_bit(w->g, x, y) != w->bit)
        fail_msg("%u-bit texel (%u, %u) of %u x %u: bit %u instead of %u", w->bits, x, y, w->g->width,
                 w->g->height, texture_bit(w->g, x, y), w->bit);
    if (!texel_of(w->g, w->bit, &gx, &gy) || gx != x || gy != y)
        fail_msg("bit %u of %u x %u %u-bit texels: (%u, %u) instead of (%u, %u)", w->bit, w->g->width,
                 w->g->height, w->bits, gx, gy, x, y);
    w->bit += w->bits;
    w->seen++;
}

/* Visits the texels of a utile. The manual: "Raster order inside" */
static void walk_utile(struct walk *w, uint32_t x0, uint32_t y0)
{
    for (uint32_t y = 0; y < w->height; y++)
        for (uint32_t x = 0; x < w->width; x++)
            at_texel(w, x0 + x, y0 + y);
}

/* Visits the four by four utiles of a sub-tile in raster order. */
static void walk_subtile(struct walk *w, uint32_t x0, uint32_t y0)
{
    for (uint32_t uy = 0; uy < 4; uy++)
        for (uint32_t ux = 0; ux < 4; ux++)
            walk_utile(w, x0 + ux * w->width, y0 + uy * w->height);
}

static void walk_tile(struct walk *w, uint32_t x0, uint32_t y0, const char *winding)
{
    for (unsigned i = 0; i < 4; i++, winding += 3) { /* "BL " */
        bool top = winding[0] == 'T', right = winding[1] == 'R';
        walk_subtile(w, x0 + (right ? 4 * w->width : 0), y0 + (top ? 4 * w->height : 0));
    }
}

static void walk_t(struct walk *w, bool odd_rows_forward)
{
    uint32_t across = (w->g->width + 8 * w->width - 1) / (8 * w->width),
             down = (w->g->height + 8 * w->height - 1) / (8 * w->height);
    for (uint32_t ty = 0; ty < down; ty++) {
        bool odd = ty % 2, forward = odd == odd_rows_forward;
        for (uint32_t i = 0; i < across; i++)
            walk_tile(w, (forward ? i : across - 1 - i) * 8 * w->width, ty * 8 * w->height,
                      odd ? "TR BR BL TL" : "BL TL TR BR");
    }
}

static void walk_lt(struct walk *w)
{
    for (uint32_t y = 0; y < w->g->height; y += w->height)
        for (uint32_t x = 0; x < w->g->width; x += w->width)
            walk_utile(w, x, y);
}

/* Returns the size that an image has in memory, in texels: whole utiles in LT, whole tiles of eight by eight
 * utiles in T. */
static uint32_t padded(uint32_t size, uint32_t utile, enum texture_order order)
{
    uint32_t quantum = order == TEXTURE_T ? 8 * utile : utile;
    return (size + quantum - 1) / quantum * quantum;
}

static uint64_t check_image(unsigned u, enum texture_order order, uint32_t width, uint32_t height,
                            bool odd_rows_forward)
{
    struct texture_grid g;
    uint32_t x, y;
    texture_grid_set(&g, order, utiles[u].log2, texture_utiles[utiles[u].log2], width, height, width,
                     odd_rows_forward);
    struct walk w = {&g, utiles[u].bits, utiles[u].width, utiles[u].height, 0, 0};
    if (order == TEXTURE_T)
        walk_t(&w, odd_rows_forward);
    else
        walk_lt(&w);
    assert_int_equal(w.bit, g.bytes * 8); /* the walk met every bit once, and the inverse agrees */
    assert_int_equal(w.seen, (uint64_t)padded(width, w.width, order) * padded(height, w.height, order));
    assert_false(texel_of(&g, w.bit, &x, &y));
    return w.seen;
}

static const uint32_t sizes[] = {1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  31,
                                 33, 63, 64, 65, 96, 100, 127, 129, 255, 256, 257, 300};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

static void check_order(enum texture_order order, const char *name)
{
    uint64_t texels = 0;
    for (unsigned u = 0; u < SIZES; u++) {
        for (unsigned i = 0; i < SIZE_COUNT; i++)
            for (unsigned k = 0; k < SIZE_COUNT; k += 1 + i % 3)
                texels += check_image(u, order, sizes[i], sizes[k], (i + k) % 5 == 0);
        texels += check_image(u, order, 2048, 2048, false);
        texels += check_image(u, order, 2048, 2047, true);
        texels += check_image(u, order, 2047, 1, false);
        texels += check_image(u, order, 3, 2048, false);
        texels += check_image(u, order, 1000, 750, false);
    }
    print_message("  %s: %llu texels\n", name, (unsigned long long)texels);
}

static void t_format_is_a_bijection_over_whole_images(void **state)
{
    (void)state;
    check_order(TEXTURE_T, "T");
}

static void lt_format_is_a_bijection_over_whole_images(void **state)
{
    (void)state;
    check_order(TEXTURE_LT, "LT");
}

static void raster_order_is_rows_at_the_pitch(void **state)
{
    (void)state;
    struct texture_grid g;
    uint32_t x, y;
    texture_grid_set(&g, TEXTURE_RASTER, 5, texture_utiles[5], 5, 7, 8, false);
    assert_int_equal(g.bytes, 8 * 7 * 4);
    for (uint32_t j = 0; j < 7; j++)
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(texture_bit(&g, i, j), (j * 8 + i) * 32);
            assert_true(texel_of(&g, (j * 8 + i) * 32 + 31, &x, &y));
            assert_int_equal(x, i);
            assert_int_equal(y, j);
        }
    assert_false(texel_of(&g, 8 * 7 * 32, &x, &y));
}

static void texture_bits_equals_texture_bit(void **state)
{
    (void)state;
    enum { COUNT = 1003 };
    static uint32_t x[COUNT], y[COUNT], bit[COUNT];
    for (unsigned order = TEXTURE_RASTER; order <= TEXTURE_T; order++)
        for (unsigned u = 0; u < SIZES; u++) {
            struct texture_grid g;
            texture_grid_set(&g, (enum texture_order)order, utiles[u].log2, texture_utiles[utiles[u].log2],
                             700, 333, 700, u & 1);
            for (unsigned i = 0; i < COUNT; i++) {
                x[i] = i * 7919U % 700;
                y[i] = i * 104729U % 333;
            }
            texture_bits(&g, x, y, bit, COUNT);
            for (unsigned i = 0; i < COUNT; i++)
                assert_int_equal(bit[i], texture_bit(&g, x[i], y[i]));
        }
}

/* ---- The statements of the texturing post and of p105, one by one ---- */

/* Checks that this rectangle contains the texels of the first 64 bytes, and no others. */
static void check_microtile(uint32_t bits, uint32_t log2, uint32_t width, uint32_t height)
{
    struct texture_grid g;
    texture_grid_set(&g, TEXTURE_T, log2, texture_utiles[log2], 512, 512, 0, false);
    assert_int_equal(width * height * bits, 64 * 8);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            assert_int_equal(texture_bit(&g, x, y) < 64 * 8, x < width && y < height);
}
static void microtiles_are_4x4_at_32_bits(void **state)
{
    (void)state;
    check_microtile(32, 5, 4, 4);
}
static void microtiles_are_2x4_at_64_bits(void **state)
{
    (void)state;
    check_microtile(64, 6, 2, 4);
}
static void microtiles_are_32x16_at_1_bit(void **state)
{
    (void)state;
    check_microtile(1, 0, 32, 16);
}
static void microtiles_of_the_other_sizes(void **state)
{
    (void)state;
    check_microtile(16, 4, 8, 4);
    check_microtile(8, 3, 8, 8);
    check_microtile(4, 2, 16, 8);
}

/* The order of the sub-tiles of a 4K tile of 32-bit texels, 16 x 16 texels each. */
static void subtile_order_depends_on_row_parity(void **state)
{
    (void)state;
    struct texture_grid g;
    texture_grid_set(&g, TEXTURE_T, 5, texture_utiles[5], 32, 64, 0, false);
    /* even rows: bottom left, top left, top right, bottom right */
    assert_int_equal(texture_bit(&g, 0, 0) / 8, 0);
    assert_int_equal(texture_bit(&g, 0, 16) / 8, 1024);
    assert_int_equal(texture_bit(&g, 16, 16) / 8, 2048);
    assert_int_equal(texture_bit(&g, 16, 0) / 8, 3072);
    /* odd rows: top right, bottom right, bottom left, top left */
    assert_int_equal(texture_bit(&g, 16, 48) / 8, 4096);
    assert_int_equal(texture_bit(&g, 16, 32) / 8, 4096 + 1024);
    assert_int_equal(texture_bit(&g, 0, 32) / 8, 4096 + 2048);
    assert_int_equal(texture_bit(&g, 0, 48) / 8, 4096 + 3072);
}

static void tile_direction_depends_on_row_parity(void **state)
{
    (void)state;
    struct texture_grid g;
    texture_grid_set(&g, TEXTURE_T, 5, texture_utiles[5], 96, 96, 0, false);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(texture_bit(&g, 32 * i, 0) / 8 / 4096, i);
        assert_int_equal(texture_bit(&g, 32 * i, 32) / 8 / 4096, 3 + (2 - i));
        assert_int_equal(texture_bit(&g, 32 * i, 64) / 8 / 4096, 6 + i);
    }
    texture_grid_set(&g, TEXTURE_T, 5, texture_utiles[5], 96, 96, 0, true); /* p105: odd rows left to right */
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(texture_bit(&g, 32 * i, 0) / 8 / 4096, 2 - i);
        assert_int_equal(texture_bit(&g, 32 * i, 32) / 8 / 4096, 3 + i);
    }
}

/* Computed with Mesa's tiling code for 96 x 64 texels of 32 bits. */
static void known_addresses(void **state)
{
    (void)state;
    static const uint32_t known[][3] = {{0, 0, 0},      {16, 0, 3072},   {0, 16, 1024},   {16, 16, 2048},
                                        {0, 32, 22528}, {95, 32, 13516}, {80, 48, 12288}, {5, 37, 22868}};
    struct texture_grid g;
    texture_grid_set(&g, TEXTURE_T, 5, texture_utiles[5], 96, 64, 0, false);
    assert_int_equal(g.bytes, 24576);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(texture_bit(&g, known[i][0], known[i][1]) / 8, known[i][2]);
}

/* ---- Levels ---- */

enum { MEMORY_BASE = 0x40000000, BASE_PAGE = 0x40100 };

static struct profile profile;
static struct coverage coverage;

static struct tmu_texture texture(uint32_t type, uint32_t width, uint32_t height, uint32_t levels)
{
    static struct vc4_vector memory[VC4_MEMORY_ROWS];
    const struct vc4_env env = {.profile = &profile,
                                .coverage = &coverage,
                                .memory_base = MEMORY_BASE,
                                .memory = {.value = memory, .rows = VC4_MEMORY_ROWS}};
    struct tmu_texture x;
    uint32_t word[2] = {TMU_PUT(P0_BASE, BASE_PAGE) | TMU_PUT(P0_TYPE, type) |
                            TMU_PUT(P0_MIPLVLS, levels - 1),
                        TMU_PUT(P1_WIDTH, width) | TMU_PUT(P1_HEIGHT, height) | TMU_PUT(P1_TYPE4, type >> 4) |
                            TMU_PUT(P1_MINFILT, TMU_MIN_NEAREST) | TMU_PUT(P1_MAGFILT, TMU_MAG_NEAREST)};
    tmu_texture_set(&x, &env, 0, word, 2);
    assert_int_equal(x.stop, VC4_GO);
    return x;
}

static enum texture_order order_at(uint32_t width, uint32_t height, unsigned reading)
{
    profile.reading[TMU_CLAUSE_LT_THRESHOLD] = (uint8_t)reading;
    struct tmu_texture x = texture(0, width, height, 1);
    profile.reading[TMU_CLAUSE_LT_THRESHOLD] = READING_MANUAL;
    return (enum texture_order)x.level[0].grid.order;
}

/* From which size on are 32-bit images in T format? Mesa and the kernel: 17 x 17 texels. p40: 32 x 32. */
static void lt_threshold_readings(void **state)
{
    (void)state;
    assert_int_equal(order_at(16, 64, TMU_LT_SUBTILE), TEXTURE_LT);
    assert_int_equal(order_at(64, 16, TMU_LT_SUBTILE), TEXTURE_LT);
    assert_int_equal(order_at(17, 17, TMU_LT_SUBTILE), TEXTURE_T);
    assert_int_equal(order_at(17, 17, READING_MANUAL), TEXTURE_LT);
    assert_int_equal(order_at(31, 64, READING_MANUAL), TEXTURE_LT);
    assert_int_equal(order_at(32, 31, READING_MANUAL), TEXTURE_LT);
    assert_int_equal(order_at(32, 32, READING_MANUAL), TEXTURE_T);
}

/* A 64 x 32 image of 32-bit texels in Mesa's layout. Level 0 is in T format and has 8 KB. Every other level
 * lies directly below the level before it. */
static void levels_lie_below_each_other(void **state)
{
    (void)state;
    profile.reading[TMU_CLAUSE_LT_THRESHOLD] = TMU_LT_SUBTILE;
    struct tmu_texture x = texture(0, 64, 32, 7);
    profile.reading[TMU_CLAUSE_LT_THRESHOLD] = READING_MANUAL;
    static const uint32_t bytes[] = {
        8192, 2048, 512, 128, 64, 64, 64}; /* 64x32 T; 32x16, 16x8, 8x4 LT; 4x2, 2x1, 1x1: one utile */
    static const uint32_t order[] = {TEXTURE_T,  TEXTURE_LT, TEXTURE_LT, TEXTURE_LT,
                                     TEXTURE_LT, TEXTURE_LT, TEXTURE_LT};
    uint32_t at = BASE_PAGE * 4096U;
    for (unsigned n = 0; n < 7; n++) {
        if (n)
            at -= bytes[n];
        assert_int_equal(x.level[n].address, at);
        assert_int_equal(x.level[n].grid.bytes, bytes[n]);
        assert_int_equal(x.level[n].grid.order, order[n]);
    }
}

static void mip_pot_readings(void **state)
{
    (void)state;
    static const struct {
        unsigned reading;
        uint32_t width, height;
    } level1[] = {{READING_MANUAL, 8, 2}, {TMU_MIP_FROM_POT, 16, 4}, {TMU_MIP_UNPADDED, 8, 2}},
      level2[] = {{READING_MANUAL, 4, 1}, {TMU_MIP_FROM_POT, 8, 2}, {TMU_MIP_UNPADDED, 4, 1}};
    for (unsigned i = 0; i < 3; i++) {
        profile.reading[TMU_CLAUSE_MIP_POT] = (uint8_t)level1[i].reading;
        struct tmu_texture x = texture(0, 17, 5, 3);
        assert_int_equal(x.level[0].width, 17);
        assert_int_equal(x.level[0].height, 5);
        assert_int_equal(x.level[1].width, level1[i].width);
        assert_int_equal(x.level[1].height, level1[i].height);
        assert_int_equal(x.level[2].width, level2[i].width);
        assert_int_equal(x.level[2].height, level2[i].height);
        x = texture(0, 22, 5, 2);
        assert_int_equal(x.level[1].width, level1[i].reading == TMU_MIP_UNPADDED ? 11 : 16);
    }
    profile.reading[TMU_CLAUSE_MIP_POT] = READING_MANUAL;
}

/* The unit handles ETC1 images as images of 64-bit texels, with a quarter of the size in each direction. It
 * handles raster types as rows. */
static void blocks_and_rows(void **state)
{
    (void)state;
    struct tmu_texture x = texture(8, 70, 33, 1);
    assert_int_equal(x.level[0].grid.texel_bits_log2, 6);
    assert_int_equal(x.level[0].grid.width, 18);
    assert_int_equal(x.level[0].grid.height, 9);
    x = texture(16, 70, 33, 1);
    assert_int_equal(x.level[0].grid.order, TEXTURE_RASTER);
    assert_int_equal(x.level[0].grid.across, 128); /* HW-2898 */
    x = texture(17, 64, 2, 1);
    assert_int_equal(x.level[0].grid.across, 32);
    assert_int_equal(x.level[0].grid.bytes, 2 * 128);
}

static void size_zero_means_2048(void **state)
{
    (void)state;
    struct tmu_texture x = texture(12, 0, 0, 12);
    assert_int_equal(x.level[0].width, 2048);
    assert_int_equal(x.level[0].height, 2048);
    assert_int_equal(x.level[0].grid.bytes, 2048 * 2048 / 8);
    assert_int_equal(x.level[11].width, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_format_is_a_bijection_over_whole_images),
        cmocka_unit_test(lt_format_is_a_bijection_over_whole_images),
        cmocka_unit_test(raster_order_is_rows_at_the_pitch),
        cmocka_unit_test(texture_bits_equals_texture_bit),
        cmocka_unit_test(microtiles_are_4x4_at_32_bits),
        cmocka_unit_test(microtiles_are_2x4_at_64_bits),
        cmocka_unit_test(microtiles_are_32x16_at_1_bit),
        cmocka_unit_test(microtiles_of_the_other_sizes),
        cmocka_unit_test(subtile_order_depends_on_row_parity),
        cmocka_unit_test(tile_direction_depends_on_row_parity),
        cmocka_unit_test(known_addresses),
        cmocka_unit_test(lt_threshold_readings),
        cmocka_unit_test(levels_lie_below_each_other),
        cmocka_unit_test(mip_pot_readings),
        cmocka_unit_test(blocks_and_rows),
        cmocka_unit_test(size_zero_means_2048),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
