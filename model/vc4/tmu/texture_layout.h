/* SPDX-License-Identifier: MIT */
/*
 * Where the texels of one image are stored: T format, LT format and raster order (p105-107). A texel's
 * address counts bits from the first byte of the image, because texels of 1 and 4 bits share bytes. An image
 * has at most 2048 x 2048 texels of 64 bits, so an address has 29 bits.
 *
 * Row 0 is the lowest row of the image (p105). An image in a compressed or paired format is stored as an
 * image of its blocks; texture_format.h decodes these. tmu_texture.h says which format a mip level has and
 * where it starts.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TEXTURE_LAYOUT_H
#define MISPRINT_MODEL_VC4_TMU_TEXTURE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum texture_order { TEXTURE_RASTER, TEXTURE_LT, TEXTURE_T };

enum {
    TEXTURE_SIZE_MAX = 2048,
    TEXTURE_TEXEL_BITS_LOG2_MAX = 6, /* 64-bit texels */
    TEXTURE_BLOCK_LOG2_MAX = 2,      /* blocks of 4 x 4 texels */
    TEXTURE_UTILE_BYTES = 64,
    TEXTURE_TILE_UTILES = 8,    /* a 4K tile is 8 x 8 utiles */
    TEXTURE_SUBTILE_UTILES = 4, /* a sub-tile of 1 KB is 4 x 4 */
};

/* A microtile ("utile"): 64 bytes of texels in raster order (p105). Indexed by log2 of a texel's bits; 2-bit
 * texels do not exist. */
struct texture_utile {
    uint8_t width_log2, height_log2;
};
extern const struct texture_utile texture_utiles[TEXTURE_TEXEL_BITS_LOG2_MAX + 1];

/* The layout of one image in memory. Made by texture_grid_set. */
struct texture_grid {
    uint8_t order; /* enum texture_order */
    uint8_t texel_bits_log2;
    struct texture_utile utile;
    uint8_t row_bits_log2;   /* bits of a utile's row */
    uint8_t reversed_parity; /* T: rows of 4K tiles with this parity run from right to left */
    uint32_t width, height;  /* in texels */
    uint32_t across;         /* T: 4K tiles in a row; LT: utiles in a row; raster: texels from row to row */
    uint32_t bytes;          /* with padding; the padding also has addresses, without gap or overlap */
};

/* The number of units of 1 << log2 texels that hold `texels` texels. */
static inline uint32_t texture_units(uint32_t texels, uint32_t log2)
{
    return (texels + (1U << log2) - 1U) >> log2;
}

/*
 * `u`: the size of a microtile. `width` and `height` are 1 to 2048 texels. `pitch`, for
 * raster order only: texels from one row to the next. `odd_rows_forward`: the literal reading of clause
 * t-row-direction.
 */
void texture_grid_set(struct texture_grid *g, enum texture_order order, unsigned texel_bits_log2,
                      struct texture_utile u, uint32_t width, uint32_t height, uint32_t pitch,
                      bool odd_rows_forward);

/* Sets the size of an image in T or LT format: its width and height in tiles (T) or utiles (LT). */
void texture_grid_fill(struct texture_grid *g, uint32_t across, uint32_t down);

/* The bit address of a texel in a utile, whose texels are in raster order. */
static inline uint32_t texture_bit_in_utile(const struct texture_grid *g, uint32_t utile, uint32_t x,
                                            uint32_t y)
{
    uint32_t x_mask = (1U << g->utile.width_log2) - 1U, y_mask = (1U << g->utile.height_log2) - 1U;
    return utile << 9 | (y & y_mask) << g->row_bits_log2 | (x & x_mask) << g->texel_bits_log2;
}

/* T format has rows of 4K tiles, and every other row runs backwards. The number of tile (tx, ty) in its row,
 * in the order of memory. */
static inline uint32_t texture_tile_column(const struct texture_grid *g, uint32_t tx, uint32_t ty)
{
    uint32_t backwards = 0U - (uint32_t)((ty & 1U) == g->reversed_parity);
    return (tx ^ backwards) + (g->across & backwards); /* across - 1 - tx */
}

/* The number of the sub-tile in the right or left and upper or lower half of a tile in an odd or even row. */
static inline uint32_t texture_subtile_in(uint32_t right, uint32_t above, uint32_t odd)
{
    return (3U * right) ^ above ^ 2U * odd;
}

/*
 * A tile has four sub-tiles of 1 KB, whose order depends on the parity of the row of tiles. Even rows: bottom
 * left, top left, top right, bottom right. Odd rows: top right, bottom right, bottom left, top left. The
 * number of the sub-tile of utile (ux, uy).
 */
static inline uint32_t texture_subtile(uint32_t ux, uint32_t uy)
{
    return texture_subtile_in(ux >> 2 & 1U, uy >> 2 & 1U, uy >> 3 & 1U);
}

/* The number of utile (ux, uy) in T format. A sub-tile has 4 x 4 utiles in raster order. */
static inline uint32_t texture_utile_t(const struct texture_grid *g, uint32_t column, uint32_t subtile,
                                       uint32_t ux, uint32_t uy)
{
    return ((uy >> 3) * g->across + column) << 6 | subtile << 4 | (uy & 3U) << 2 | (ux & 3U);
}

static inline uint32_t texture_bit_t(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    uint32_t ux = x >> g->utile.width_log2, uy = y >> g->utile.height_log2;
    uint32_t column = texture_tile_column(g, ux >> 3, uy >> 3);
    return texture_bit_in_utile(g, texture_utile_t(g, column, texture_subtile(ux, uy), ux, uy), x, y);
}

/* LT format: utiles row by row (p107). */
static inline uint32_t texture_bit_lt(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    uint32_t utile = (y >> g->utile.height_log2) * g->across + (x >> g->utile.width_log2);
    return texture_bit_in_utile(g, utile, x, y);
}

/* The bit address of a texel; x and y must be inside the padded size. */
static inline uint32_t texture_bit(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    if (g->order == TEXTURE_T)
        return texture_bit_t(g, x, y);
    if (g->order == TEXTURE_LT)
        return texture_bit_lt(g, x, y);
    return (y * g->across + x) << g->texel_bits_log2;
}

/* The bit addresses of many texels. */
void texture_bits(const struct texture_grid *from, const uint32_t *x, const uint32_t *y, uint32_t *bit,
                  size_t count);

/* The smallest power of two that is at least n (n 1..2048). */
uint32_t texture_power_of_two(uint32_t n);

#endif
