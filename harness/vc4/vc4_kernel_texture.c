/* SPDX-License-Identifier: MIT */
/* The rules by which Linux's vc4 driver checks at submission that look-ups stay in their buffers (reloc_tex
 * in drivers/gpu/drm/vc4/vc4_validate.c). */
#include "harness/vc4/vc4_kernel.h"

#include "model/vc4/tmu/tmu_config.h"

enum { SIZE_OF_ZERO = 2048, TILE_MICROTILES = 8, SMALL_MICROTILES = 4, ETC1_BLOCK = 4, FACES = 6 };

/* Bytes of a texel, or of a block for ETC1, by type (p42 T18). 0: the driver does not accept the type. */
static const uint8_t texel_bytes[32] = {[0] = 4, [1] = 4, [2] = 2, [3] = 2,  [4] = 2,  [5] = 1, [6] = 1,
                                        [7] = 2, [8] = 8, [9] = 2, [10] = 1, [11] = 2, [16] = 4};
enum { TYPE_ETC1 = 8, TYPE_RASTER = 16 };

enum layout { LAYOUT_RASTER, LAYOUT_SMALL, LAYOUT_TILES };

struct level {
    uint32_t width, height, bytes; /* in texels; of a texel */
    enum layout layout;
};

static uint32_t up_to(uint32_t n, uint32_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

static uint32_t microtile_width(const struct level *l)
{
    return l->bytes == 8 ? 2 : l->bytes == 4 ? 4 : 8;
}

static uint32_t microtile_height(const struct level *l)
{
    return l->bytes == 1 ? 8 : 4;
}

static bool is_small(const struct level *l)
{
    return l->width <= SMALL_MICROTILES * microtile_width(l) ||
           l->height <= SMALL_MICROTILES * microtile_height(l);
}

static uint32_t level_bytes(const struct level *l)
{
    uint32_t across = l->layout == LAYOUT_TILES ? TILE_MICROTILES : 1,
             down = l->layout == LAYOUT_RASTER ? 0 : across;
    return up_to(l->width, across * microtile_width(l)) * l->bytes *
           (down ? up_to(l->height, down * microtile_height(l)) : l->height);
}

static bool takes_memory(const struct vc4_kernel_sample *s, const uint32_t *stream, uint32_t bytes,
                         struct error *e)
{
    uint32_t base = stream[s->parameter[0]], limit = stream[s->parameter[1]];
    if (base > bytes - 4 || limit > bytes - base - 4)
        return error_set(e, "a look-up in memory may reach beyond its buffer");
    return true;
}

/* Finds the distance in bytes between a cube map's faces; 0 for other textures. False: the cube map specifies
 * no distance, or two. */
static bool find_cube(uint32_t p0, const uint32_t other[2], uint32_t *stride, struct error *e)
{
    *stride = 0;
    if (!TMU_FIELD(p0, P0_CMMODE))
        return true;
    for (unsigned i = 0; i < 2; i++) {
        if (tmu_form_of(other[i]) != TMU_FORM_CUBE)
            continue;
        if (*stride)
            return error_set(e, "a cube map has two strides");
        *stride = other[i] & TMU_MASK(CUBE_CMST);
    }
    return *stride || error_set(e, "a cube map has no stride");
}

bool vc4_kernel_takes_lookup(const struct vc4_kernel_sample *s, const uint32_t *stream, uint32_t bytes,
                             struct error *e)
{
    uint32_t p[VC4_KERNEL_PARAMETERS], cube;
    if (s->direct)
        return takes_memory(s, stream, bytes, e);
    for (unsigned i = 0; i < VC4_KERNEL_PARAMETERS; i++)
        p[i] = s->parameter[i] == VC4_KERNEL_NO_WORD ? 0 : stream[s->parameter[i]];
    uint32_t type = TMU_FIELD(p[0], P0_TYPE) | TMU_FIELD(p[1], P1_TYPE4) << 4,
             base = p[0] & TMU_MASK(P0_BASE);
    struct level l = {.width = TMU_FIELD(p[1], P1_WIDTH),
                      .height = TMU_FIELD(p[1], P1_HEIGHT),
                      .bytes = texel_bytes[type]};
    if (!l.bytes)
        return error_set(e, "a texture has type %lu, which the driver does not know", (unsigned long)type);
    if (!find_cube(p[0], p + 2, &cube, e))
        return false;
    l.width = l.width ? l.width : SIZE_OF_ZERO;
    l.height = l.height ? l.height : SIZE_OF_ZERO;
    if (type == TYPE_ETC1) {
        l.width = (l.width + ETC1_BLOCK - 1) / ETC1_BLOCK;
        l.height = (l.height + ETC1_BLOCK - 1) / ETC1_BLOCK;
    }
    l.layout = type == TYPE_RASTER ? LAYOUT_RASTER : is_small(&l) ? LAYOUT_SMALL : LAYOUT_TILES;
    if ((uint64_t)base + (FACES - 1) * (uint64_t)cube + level_bytes(&l) > bytes)
        return error_set(e, "a texture reaches beyond the end of its buffer");
    for (uint32_t i = 1, below = base; i <= TMU_FIELD(p[0], P0_MIPLVLS);
         i++) { /* smaller levels lie below the first */
        struct level small = {.width = l.width >> i, .height = l.height >> i, .bytes = l.bytes};
        small.width = small.width ? small.width : 1;
        small.height = small.height ? small.height : 1;
        if (l.layout == LAYOUT_TILES && is_small(&small))
            l.layout = LAYOUT_SMALL;
        small.layout = l.layout;
        if (below < level_bytes(&small))
            return error_set(e, "a texture's level %lu begins before its buffer", (unsigned long)i);
        below -= level_bytes(&small);
    }
    return true;
}
