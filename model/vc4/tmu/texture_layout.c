/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/texture_layout.h"

const struct texture_utile texture_utiles[TEXTURE_TEXEL_BITS_LOG2_MAX + 1] = {
    [0] = {5, 4}, /*  1 bit:  32 x 16 */
    [2] = {4, 3}, /*  4 bits: 16 x 8 */
    [3] = {3, 3}, /*  8 bits:  8 x 8 */
    [4] = {3, 2}, /* 16 bits:  8 x 4 */
    [5] = {2, 2}, /* 32 bits:  4 x 4 */
    [6] = {1, 2}, /* 64 bits:  2 x 4 */
};

uint32_t texture_power_of_two(uint32_t n)
{
    return n <= 1 ? 1 : 1U << (32 - __builtin_clz(n - 1));
}

void texture_grid_fill(struct texture_grid *g, uint32_t across, uint32_t down)
{
    g->across = across;
    g->bytes = across * down * TEXTURE_UTILE_BYTES;
    if (g->order == TEXTURE_T)
        g->bytes *= 64U;
}

void texture_grid_set(struct texture_grid *g, enum texture_order order, unsigned texel_bits_log2,
                      struct texture_utile u, uint32_t width, uint32_t height, uint32_t pitch,
                      bool odd_rows_forward)
{
    *g = (struct texture_grid){
        .order = (uint8_t)order,
        .texel_bits_log2 = (uint8_t)texel_bits_log2,
        .utile = u,
        .row_bits_log2 = (uint8_t)(u.width_log2 + texel_bits_log2),
        .reversed_parity = odd_rows_forward ? 0 : 1,
        .width = width,
        .height = height,
    };
    switch (order) {
    case TEXTURE_T:
        texture_grid_fill(g, texture_units(width, u.width_log2 + 3U),
                          texture_units(height, u.height_log2 + 3U));
        break;
    case TEXTURE_LT:
        texture_grid_fill(g, texture_units(width, u.width_log2), texture_units(height, u.height_log2));
        break;
    case TEXTURE_RASTER:
        g->across = pitch;
        g->bytes = ((pitch * height << texel_bits_log2) + 7U) / 8U;
        break;
    }
}

/* Copies the grid, so that the compiler sees that the loops do not change it, and vectorises them. */
void texture_bits(const struct texture_grid *from, const uint32_t *restrict x, const uint32_t *restrict y,
                  uint32_t *restrict bit, size_t count)
{
    const struct texture_grid g = *from;
    if (g.order == TEXTURE_T)
        for (size_t i = 0; i < count; i++)
            bit[i] = texture_bit_t(&g, x[i], y[i]);
    else if (g.order == TEXTURE_LT)
        for (size_t i = 0; i < count; i++)
            bit[i] = texture_bit_lt(&g, x[i], y[i]);
    else
        for (size_t i = 0; i < count; i++)
            bit[i] = (y[i] * g.across + x[i]) << g.texel_bits_log2;
}
