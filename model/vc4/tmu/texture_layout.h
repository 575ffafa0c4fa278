/* SPDX-License-Identifier: MIT */
/*
 * Where the texels of one image lie: T format, LT format and raster order, as
 * functions of texel to bit address and of bit address to texel (p105-107).
 * Addresses count from the image's first byte, in bits, because texels of 1 and
 * 4 bits share bytes: the byte is address / 8. An image has at most 2048 x 2048
 * texels of 64 bits, so an address has 29 bits.
 *
 * Row 0 is the image's lowest (p105). Compressed and paired formats are images
 * of their blocks: what a texel is, texture_format.h knows. Which format a mip
 * level has and where it begins: tmu_texture.h.
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
    TEXTURE_UTILE_BYTES = 64,
    TEXTURE_TILE_UTILES = 8,    /* a 4K tile is 8 x 8 utiles */
    TEXTURE_SUBTILE_UTILES = 4, /* a sub-tile of 1 KB is 4 x 4 */
};

/* A microtile ("utile"): 64 bytes of texels in raster order (p105). By log2 of a texel's bits; there is no
 * 2-bit texel. */
struct texture_utile {
    uint8_t width_log2, height_log2;
};
extern const struct texture_utile texture_utiles[TEXTURE_TEXEL_BITS_LOG2_MAX + 1];

/* How one image lies in memory. Made by texture_grid_set. */
struct texture_grid {
    uint8_t order; /* enum texture_order */
    uint8_t texel_bits_log2;
    struct texture_utile utile;
    uint8_t row_bits_log2;   /* bits of a utile's row */
    uint8_t reversed_parity; /* T: rows of 4K tiles with this parity run from right to left */
    uint32_t width, height;  /* in texels */
    uint32_t across, down; /* T: 4K tiles; LT: utiles; raster: texels of a row, with its padding, and rows */
    uint32_t bytes; /* with the padding: addresses are defined for all its texels, and fill them without gap
                       or overlap */
};

/*
 * `width` and `height` 1..2048; `pitch`, for raster order only, is the texels
 * from one row to the next. `odd_rows_forward`: the literal reading of clause t-row-direction.
 */
void texture_grid_set(struct texture_grid *g, enum texture_order order, unsigned texel_bits_log2,
                      uint32_t width, uint32_t height, uint32_t pitch, bool odd_rows_forward);

/*
 * T format: 4K tiles row by row, every other row backwards; in each four
 * sub-tiles of 1 KB, whose winding depends on the row's parity: bottom left, top
 * left, top right, bottom right in even rows; top right, bottom right, bottom
 * left, top left in odd ones. In each 4 x 4 utiles in raster order.
 */
static inline uint32_t texture_bit_t(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    uint32_t w = g->utile.width_log2, h = g->utile.height_log2;
    uint32_t ux = x >> w, uy = y >> h, tx = ux >> 3, ty = uy >> 3;
    uint32_t odd = ty & 1U, backwards = 0U - (uint32_t)(odd == g->reversed_parity);
    tx = (tx ^ backwards) + (g->across & backwards); /* across - 1 - tx */
    uint32_t subtile = (3U * (ux >> 2 & 1U)) ^ (uy >> 2 & 1U) ^ 2U * odd;
    uint32_t utile = (ty * g->across + tx) << 6 | subtile << 4 | (uy & 3U) << 2 | (ux & 3U);
    return utile << 9 | (y & ((1U << h) - 1U)) << g->row_bits_log2 |
           (x & ((1U << w) - 1U)) << g->texel_bits_log2;
}

/* LT format: utiles row by row (p107). */
static inline uint32_t texture_bit_lt(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    uint32_t w = g->utile.width_log2, h = g->utile.height_log2;
    uint32_t utile = (y >> h) * g->across + (x >> w);
    return utile << 9 | (y & ((1U << h) - 1U)) << g->row_bits_log2 |
           (x & ((1U << w) - 1U)) << g->texel_bits_log2;
}

/* The bit address of a texel; x and y below the padded size. */
static inline uint32_t texture_bit(const struct texture_grid *g, uint32_t x, uint32_t y)
{
    if (g->order == TEXTURE_T)
        return texture_bit_t(g, x, y);
    if (g->order == TEXTURE_LT)
        return texture_bit_lt(g, x, y);
    return (y * g->across + x) << g->texel_bits_log2;
}

/* Many at once, texels in any order. */
void texture_bits(const struct texture_grid *from, const uint32_t *x, const uint32_t *y, uint32_t *bit,
                  size_t count);

/* The texel whose bits `bit` is among, perhaps one of the padding. False: it lies behind the image. */
bool texture_texel(const struct texture_grid *g, uint32_t bit, uint32_t *x, uint32_t *y);

/* The smallest power of two that is at least n (n 1..2048). */
uint32_t texture_power_of_two(uint32_t n);

#endif
