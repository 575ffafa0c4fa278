/* SPDX-License-Identifier: MIT */
/*
 * Makes a texture from its parameters. If no document defines what the parameters ask for, look-ups stop with
 * VC4_FAULT_RESERVED. Such parameters have a reserved type or filter, more levels than the size has, a cube
 * map with a border, a child that leaves its parent, or a linear filter on an integer type.
 */
#include "model/vc4/tmu/tmu_texture.h"
#include "model/vc4/tmu/tmu_points.h"

#include <string.h>

/* The fields of parameters 0 and 1, as rules (model/rule) left them. */
struct config {
    uint32_t type, base, cswiz, miplvls;
    bool etcflip;
    uint32_t size[2]; /* width, height: 1 to 2048 */
};

struct maker {
    struct tmu_texture *x;
    const struct vc4_env *env;
    unsigned clause_base;
    struct config config;
    bool stride_seen, child_size_seen, child_offset_seen;
    uint32_t child_width, child_height;
};

static unsigned tmu_consult(const struct maker *m, enum tmu_clause clause, unsigned mode)
{
    return consult(m->env->profile, m->env->coverage, m->clause_base + clause, mode);
}

static bool refuse(struct maker *m)
{
    m->x->stop = VC4_FAULT_RESERVED;
    return false;
}

static uint32_t between(uint32_t v, uint32_t least, uint32_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* ---- Fields ---- */

/* The values of TMU_WORDS_INPUTS (tmu_points.h). */
#define WORDS(x) (uint32_t)((x)->type - texture_types), (x)->word[0], (x)->word[1]

static uint32_t config(const struct maker *m, unsigned point, uint32_t value)
{
    return OBSERVE(m->env->tmu_observer, point, value, WORDS(m->x));
}

/* A field of parameter 0 or 1, as rules at its point left it. `field`: as in TMU_FIELD. */
#define CONFIG(m, point, value)    config((m), TMU_POINT_CONFIG_##point, (value))
#define CONFIG_OF(m, point, field) CONFIG(m, point, TMU_FIELD((m)->x->word[TMU_WORD_##field], field))
enum {
    TMU_WORD_P0_CSWIZ = 0,
    TMU_WORD_P0_CMMODE = 0,
    TMU_WORD_P0_FLIPY = 0,
    TMU_WORD_P0_MIPLVLS = 0,
    TMU_WORD_P1_ETCFLIP = 1,
    TMU_WORD_P1_MAGFILT = 1,
    TMU_WORD_P1_MINFILT = 1,
};

static void decode_axis(struct maker *m, uint32_t axis, uint32_t size, uint32_t wrap)
{
    struct tmu_texture *x = m->x;
    const struct observer *o = m->env->tmu_observer;
    m->config.size[axis] = OBSERVE(o, TMU_POINT_CONFIG_SIZE, size ? size : TEXTURE_SIZE_MAX, axis, WORDS(x));
    x->wrap[axis] = (uint8_t)OBSERVE(o, TMU_POINT_CONFIG_WRAP, wrap, axis, WORDS(x));
    if (o)
        m->config.size[axis] = between(m->config.size[axis], 1, TEXTURE_SIZE_MAX);
}

/* Sets the sizes of the type's units of storage and of its microtiles. */
static void set_units(struct tmu_texture *x, const struct observer *o, uint32_t type)
{
    x->bits_log2 = (uint8_t)OBSERVE(o, TMU_POINT_FORMAT_BITS, x->type->bits_log2, type);
    x->block_log2[0] = (uint8_t)OBSERVE(o, TMU_POINT_FORMAT_BLOCK, x->type->block_width_log2, 0, type);
    x->block_log2[1] = (uint8_t)OBSERVE(o, TMU_POINT_FORMAT_BLOCK, x->type->block_height_log2, 1, type);
    if (o) { /* the decoders know texels of up to 64 bits, and blocks of up to 4 x 4 */
        x->bits_log2 = (uint8_t)between(x->bits_log2, 0, TEXTURE_TEXEL_BITS_LOG2_MAX);
        x->block_log2[0] = (uint8_t)between(x->block_log2[0], 0, TEXTURE_BLOCK_LOG2_MAX);
        x->block_log2[1] = (uint8_t)between(x->block_log2[1], 0, TEXTURE_BLOCK_LOG2_MAX);
    }
    const struct texture_utile u = texture_utiles[x->bits_log2];
    x->utile.width_log2 = (uint8_t)OBSERVE(o, TMU_POINT_UTILE_SIZE, u.width_log2, 0, x->bits_log2);
    x->utile.height_log2 = (uint8_t)OBSERVE(o, TMU_POINT_UTILE_SIZE, u.height_log2, 1, x->bits_log2);
}

static void decode(struct maker *m)
{
    struct tmu_texture *x = m->x;
    uint32_t p0 = x->word[0], p1 = x->word[1], type = TMU_FIELD(p1, P1_TYPE4) << 4 | TMU_FIELD(p0, P0_TYPE);
    type = OBSERVE(m->env->tmu_observer, TMU_POINT_CONFIG_TYPE, type, p0, p1);
    x->type = &texture_types[type];
    set_units(x, m->env->tmu_observer, type);
    uint32_t base = TMU_FIELD(p0, P0_BASE) << TMU_P0_BASE_LOW, memory = m->env->memory_base;
    m->config = (struct config){.type = type,
                                .base = memory + CONFIG(m, BASE, base - memory),
                                .cswiz = CONFIG_OF(m, CSWIZ, P0_CSWIZ),
                                .miplvls = CONFIG_OF(m, MIPLVLS, P0_MIPLVLS),
                                .etcflip = CONFIG_OF(m, ETCFLIP, P1_ETCFLIP)};
    x->cube = CONFIG_OF(m, CMMODE, P0_CMMODE);
    x->flip_y = CONFIG_OF(m, FLIPY, P0_FLIPY);
    x->mag = (uint8_t)CONFIG_OF(m, MAGFILT, P1_MAGFILT);
    x->min = (uint8_t)CONFIG_OF(m, MINFILT, P1_MINFILT);
    decode_axis(m, 0, TMU_FIELD(p1, P1_WIDTH), TMU_FIELD(p1, P1_WRAP_S));
    decode_axis(m, 1, TMU_FIELD(p1, P1_HEIGHT), TMU_FIELD(p1, P1_WRAP_T));
}

static bool set_cube_stride(struct maker *m, uint32_t ptype, uint32_t word, uint32_t stride, bool bslod)
{
    struct tmu_texture *x = m->x;
    const struct observer *o = m->env->tmu_observer;
    if (m->stride_seen)
        return refuse(m); /* Linux's vc4_validate.c allows only one stride */
    m->stride_seen = true;
    x->face_stride = OBSERVE(o, TMU_POINT_CONFIG_CUBE_STRIDE, stride, ptype, word);
    bslod = OBSERVE(o, TMU_POINT_CONFIG_BSLOD, bslod, ptype, word);
    x->explicit_lod = bslod;
    if (bslod && !x->cube)
        x->explicit_lod = tmu_consult(m, TMU_CLAUSE_EXPLICIT_LOD, 0) == TMU_EXPLICIT_LOD_ANY;
    x->explicit_lod = OBSERVE(o, TMU_POINT_LOD_EXPLICIT, x->explicit_lod, bslod, x->cube);
    return true;
}

static bool set_child_size(struct maker *m, uint32_t word)
{
    /* T17 describes CHEIGHT as the cube map stride, and CWIDTH as a field that disables automatic LOD. */
    if (tmu_consult(m, TMU_CLAUSE_T17_TEXT, 0) == READING_MANUAL)
        return set_cube_stride(m, TMU_PTYPE_CHILD_SIZE, word, TMU_FIELD(word, CHILD_SIZE_CHEIGHT) << 12,
                               TMU_FIELD(word, CHILD_SIZE_CWIDTH) != 0);
    if (m->child_size_seen)
        return refuse(m);
    m->child_size_seen = m->x->child = true;
    const struct observer *o = m->env->tmu_observer;
    m->child_width = OBSERVE(o, TMU_POINT_CONFIG_CHILD_SIZE, TMU_FIELD(word, CHILD_SIZE_CWIDTH), 0, word);
    m->child_height = OBSERVE(o, TMU_POINT_CONFIG_CHILD_SIZE, TMU_FIELD(word, CHILD_SIZE_CHEIGHT), 1, word);
    return true;
}

static bool set_child_offset(struct maker *m, uint32_t word)
{
    if (m->child_offset_seen)
        return refuse(m);
    m->child_offset_seen = m->x->child = true;
    const struct observer *o = m->env->tmu_observer;
    m->x->child_x = OBSERVE(o, TMU_POINT_CONFIG_CHILD_OFFSET, TMU_FIELD(word, CHILD_OFFSET_CXOFF), 0, word);
    m->x->child_y = OBSERVE(o, TMU_POINT_CONFIG_CHILD_OFFSET, TMU_FIELD(word, CHILD_OFFSET_CYOFF), 1, word);
    return true;
}

static bool set_parameter(struct maker *m, uint32_t number)
{
    uint32_t word = m->x->word[number], ptype = TMU_FIELD(word, CUBE_PTYPE);
    switch (OBSERVE(m->env->tmu_observer, TMU_POINT_CONFIG_PTYPE, ptype, word, number)) {
    case TMU_PTYPE_CUBE:
        return set_cube_stride(m, TMU_PTYPE_CUBE, word, TMU_FIELD(word, CUBE_CMST) << 12,
                               TMU_FIELD(word, CUBE_BSLOD));
    case TMU_PTYPE_CHILD_SIZE:
        return set_child_size(m, word);
    case TMU_PTYPE_CHILD_OFFSET:
        return set_child_offset(m, word);
    default:
        return true;
    }
}

/* ---- Levels ---- */

/* A width or height as a power of two, as rules left it. */
static uint32_t padded(const struct maker *m, uint32_t axis, uint32_t size)
{
    const struct observer *o = m->env->tmu_observer;
    uint32_t pot = texture_power_of_two(size);
    if (!o)
        return pot;
    if (observer_wants(o, TMU_POINT_SIZE_LOG2)) {
        const uint32_t bits = size ? 32 - (uint32_t)__builtin_clz(size) : 0;
        pot = 1U << observe(o, TMU_POINT_SIZE_LOG2, (uint32_t)__builtin_ctz(pot),
                            (uint32_t[]){axis, size, bits});
    }
    return between(OBSERVE(o, TMU_POINT_SIZE_PADDED, pot, axis, size), 1, TEXTURE_SIZE_MAX);
}

/* The number of units of 1 << log2 texels that hold `texels` texels, as rules left it. */
static uint32_t units_of(const struct maker *m, uint32_t texels, uint32_t log2)
{
    static const uint16_t points[] = {TMU_POINT_SIZE_TO_DIVIDE, TMU_POINT_SIZE_UNITS};
    const struct observer *o = m->env->tmu_observer;
    if (!observer_wants_any(o, points, sizeof points / sizeof *points))
        return texture_units(texels, log2);
    const uint32_t size = 1U << log2,
                   whole = OBSERVE(o, TMU_POINT_SIZE_TO_DIVIDE, texels + size - 1, texels, log2, size);
    return OBSERVE(o, TMU_POINT_SIZE_UNITS, whole >> log2, texels, log2, size, whole);
}

/* The width or height of a level, from that of level 0 (clause mip-pot). */
static uint32_t level_size(const struct maker *m, unsigned reading, uint32_t axis, uint32_t level)
{
    uint32_t size = m->config.size[axis], own = size >> level ? size >> level : 1;
    if (level == 0 || reading == TMU_MIP_UNPADDED)
        return own;
    if (reading != TMU_MIP_FROM_POT)
        return padded(m, axis, own);
    uint32_t pot = padded(m, axis, size) >> level;
    return pot ? pot : 1;
}

/* The width or height of a level, as rules left it, limited to 1 to 2048. */
static uint32_t size_of_level(const struct maker *m, unsigned reading, uint32_t axis, uint32_t level)
{
    const struct observer *o = m->env->tmu_observer;
    uint32_t size = m->config.size[axis], other = m->config.size[!axis],
             own = level_size(m, reading, axis, level);
    if (!o)
        return own;
    own = observe(o, TMU_POINT_LEVEL_SIZE, own,
                  (uint32_t[]){axis, level, size, texture_power_of_two(size), other,
                               texture_power_of_two(other), m->config.type});
    return between(own, 1, TEXTURE_SIZE_MAX);
}

static enum texture_order order_of(struct maker *m, uint32_t width, uint32_t height)
{
    if (m->x->type->raster)
        return TEXTURE_RASTER;
    struct texture_utile u = m->x->utile;
    bool below_tile = width < (uint32_t)TEXTURE_TILE_UTILES << u.width_log2 ||
                      height < (uint32_t)TEXTURE_TILE_UTILES << u.height_log2;
    bool in_subtile = width <= (uint32_t)TEXTURE_SUBTILE_UTILES << u.width_log2 ||
                      height <= (uint32_t)TEXTURE_SUBTILE_UTILES << u.height_log2;
    bool lt = below_tile;
    if (below_tile != in_subtile && tmu_consult(m, TMU_CLAUSE_LT_THRESHOLD, 0) == TMU_LT_SUBTILE)
        lt = in_subtile;
    return lt ? TEXTURE_LT : TEXTURE_T;
}

static enum texture_order observe_order(const struct maker *m, uint32_t level, enum texture_order order,
                                        uint32_t width, uint32_t height)
{
    struct texture_utile u = m->x->utile;
    uint32_t got = OBSERVE(m->env->tmu_observer, TMU_POINT_LEVEL_ORDER, (uint32_t)order, level,
                           texture_units(width, u.width_log2), texture_units(height, u.height_log2),
                           m->config.type, width, height, (uint32_t)TEXTURE_TILE_UTILES << u.width_log2,
                           (uint32_t)TEXTURE_TILE_UTILES << u.height_log2);
    return got < TEXTURE_T ? (enum texture_order)got : TEXTURE_T;
}

/* The size of a tile (T) or microtile (LT); 0 in raster order. */
static uint32_t tile_bytes(const struct texture_grid *g)
{
    return g->order == TEXTURE_T    ? TEXTURE_UTILE_BYTES * 64U
           : g->order == TEXTURE_LT ? TEXTURE_UTILE_BYTES
                                    : 0;
}

/* Shows the number of tiles or microtiles on each axis, and of all, to the observer. Returns the height of
 * the level in tiles, microtiles or texels. */
static uint32_t observe_tiles(const struct maker *m, uint32_t level, struct texture_grid *g)
{
    static const uint16_t points[] = {TMU_POINT_LEVEL_TILES,    TMU_POINT_LEVEL_TILE_LOG2,
                                      TMU_POINT_SIZE_TO_DIVIDE, TMU_POINT_SIZE_UNITS,
                                      TMU_POINT_LEVEL_ACROSS,   TMU_POINT_LEVEL_TILE_COUNT};
    const struct observer *o = m->env->tmu_observer;
    if (g->order == TEXTURE_RASTER || !observer_wants_any(o, points, sizeof points / sizeof *points))
        return g->height;
    const uint32_t more = g->order == TEXTURE_T ? 3 : 0, size[2] = {g->width, g->height},
                   utile[2] = {g->utile.width_log2, g->utile.height_log2};
    uint32_t tiles[2];
    for (uint32_t axis = 0; axis < 2; axis++) {
        const uint32_t log2 = OBSERVE(o, TMU_POINT_LEVEL_TILE_LOG2, utile[axis] + more, axis, level, g->order,
                                      utile[axis], m->config.type);
        tiles[axis] = OBSERVE(o, TMU_POINT_LEVEL_TILES, units_of(m, size[axis], log2), axis, level, g->order,
                              size[axis], log2, m->config.type);
    }
    texture_grid_fill(g, tiles[0], tiles[1]);
    if (observer_wants(o, TMU_POINT_LEVEL_TILE_COUNT))
        g->bytes = observe(o, TMU_POINT_LEVEL_TILE_COUNT, tiles[0] * tiles[1],
                           (uint32_t[]){level, g->order, tiles[0], tiles[1], m->config.type}) *
                   tile_bytes(g);
    return tiles[1];
}

static void observe_grid(const struct maker *m, uint32_t level, struct texture_grid *g)
{
    const struct observer *o = m->env->tmu_observer;
    const uint32_t type = m->config.type;
    g->reversed_parity =
        (uint8_t)OBSERVE(o, TMU_POINT_LEVEL_PARITY, g->reversed_parity, level, g->order, type);
    g->row_bits_log2 = (uint8_t)OBSERVE(o, TMU_POINT_UTILE_ROW_BITS, g->row_bits_log2, level, g->order, type,
                                        g->utile.width_log2, g->texel_bits_log2);
    const uint32_t down = observe_tiles(m, level, g), in_bytes = tile_bytes(g),
                   tiles = in_bytes ? g->bytes / in_bytes : 0;
    g->across = OBSERVE(o, TMU_POINT_LEVEL_ACROSS, g->across, level, g->order, g->width, type, down);
    g->bytes = OBSERVE(o, TMU_POINT_LEVEL_BYTES, g->bytes, level, g->order, g->width, g->height, g->across,
                       type, tiles);
}

static void set_level(struct maker *m, uint32_t n, unsigned mip_reading)
{
    struct tmu_texture *x = m->x;
    const struct observer *o = m->env->tmu_observer;
    struct tmu_level *l = &x->level[n];
    l->width = size_of_level(m, mip_reading, 0, n);
    l->height = size_of_level(m, mip_reading, 1, n);
    uint32_t width = units_of(m, l->width, x->block_log2[0]),
             height = units_of(m, l->height, x->block_log2[1]), pitch = width;
    enum texture_order order = observe_order(m, n, order_of(m, width, height), width, height);
    if (order == TEXTURE_RASTER) {
        uint32_t pot = padded(m, 0, l->width);
        if (pot != l->width && tmu_consult(m, TMU_CLAUSE_RASTER_NPOT, 0) == READING_MANUAL)
            pitch = units_of(m, pot, x->block_log2[0]);
    }
    if (order == TEXTURE_RASTER)
        pitch = OBSERVE(o, TMU_POINT_LEVEL_PITCH, pitch, n, width, order, m->config.type);
    bool odd_forward = false;
    uint32_t tile = (uint32_t)TEXTURE_TILE_UTILES << x->utile.width_log2;
    if (order == TEXTURE_T && width > tile)
        odd_forward = tmu_consult(m, TMU_CLAUSE_T_ROW_DIRECTION, 0) == READING_MANUAL;
    texture_grid_set(&l->grid, order, x->bits_log2, x->utile, width, height, pitch, odd_forward);
    if (o)
        observe_grid(m, n, &l->grid);
    uint32_t larger = n ? x->level[n - 1].address : m->config.base, memory = m->env->memory_base;
    l->address = n == 0 ? larger : larger - l->grid.bytes;
    l->address = memory + OBSERVE(o, TMU_POINT_LEVEL_ADDRESS, l->address - memory, n, l->grid.bytes,
                                  larger - memory, m->config.type);
}

static bool set_levels(struct maker *m)
{
    struct tmu_texture *x = m->x;
    uint32_t width = m->config.size[0], height = m->config.size[1];
    uint32_t pot_width = padded(m, 0, width), pot_height = padded(m, 1, height);
    uint32_t most = 0;
    while (pot_width >> most || pot_height >> most)
        most++;
    x->most = most;
    x->levels = x->child ? 1 : m->config.miplvls + 1;
    if (m->env->tmu_observer)
        x->levels = between(observe(m->env->tmu_observer, TMU_POINT_LEVEL_COUNT, x->levels,
                                    (uint32_t[]){m->config.miplvls, most, x->child}),
                            1, TMU_LEVELS_MAX + 1);
    if (x->levels > most)
        return refuse(m);
    unsigned mip_reading = READING_MANUAL;
    if (x->levels > 1 && (pot_width != width || pot_height != height))
        mip_reading = tmu_consult(m, TMU_CLAUSE_MIP_POT, 0);
    for (uint32_t n = 0; n < x->levels; n++)
        set_level(m, n, mip_reading);
    x->border_address = x->level[x->levels - 1].address - TEXTURE_UTILE_BYTES;
    return true;
}

/* Is all of the texture inside the memory, under the profile's readings? */
static bool all_inside(const struct maker *m)
{
    const struct tmu_texture *x = m->x;
    int64_t first = (int64_t)(x->level[0].address - m->env->memory_base),
            last = first + x->level[0].grid.bytes;
    for (uint32_t n = 1; n < x->levels; n++)
        first -= x->level[n].grid.bytes;
    if (x->cube)
        last += (int64_t)(TMU_CUBE_FACES - 1) * x->face_stride;
    bool border = x->reading[TMU_CLAUSE_BORDER_SOURCE] == TMU_BORDER_EXTRA_LEVEL &&
                  (x->wrap[0] == TMU_WRAP_BORDER || x->wrap[1] == TMU_WRAP_BORDER);
    if (border) /* the border precedes the smallest level */
        first -= TEXTURE_UTILE_BYTES;
    return !m->env->limits && first >= 0 && last <= (int64_t)m->env->memory.rows * VC4_LANES * 4;
}

/* The width or height of a child whose field is 0. `rest`: of the parent, from the child's offset on. */
static uint32_t child_of_2048(struct maker *m, uint32_t rest)
{
    switch (tmu_consult(m, TMU_CLAUSE_CHILD_2048, 0)) {
    case TMU_CHILD_2048_WORKS:
        return TEXTURE_SIZE_MAX;
    case TMU_CHILD_2048_EMPTY:
        return 1;
    default:
        m->x->undefined = true;
        return rest;
    }
}

/* The width or height of a child. `sized`: a parameter gives the size. */
static uint32_t child_size(struct maker *m, uint32_t axis, bool sized, uint32_t rest)
{
    uint32_t field = axis ? m->child_height : m->child_width, size = rest;
    if (sized)
        size = field ? field : child_of_2048(m, rest);
    size = OBSERVE(m->env->tmu_observer, TMU_POINT_CHILD_SIZE, size, axis, field, rest);
    return size ? size : 1;
}

static bool set_child(struct maker *m)
{
    struct tmu_texture *x = m->x;
    x->width = x->level[0].width;
    x->height = x->level[0].height;
    if (!x->child)
        return true;
    if (x->cube || x->child_x >= x->width || x->child_y >= x->height)
        return refuse(m);
    uint32_t width = x->width - x->child_x, height = x->height - x->child_y;
    /* By the literal text of T17, no parameter gives the size of a child. */
    bool sized = m->child_size_seen || tmu_consult(m, TMU_CLAUSE_T17_TEXT, 0) != READING_MANUAL;
    x->width = child_size(m, 0, sized, width);
    x->height = child_size(m, 1, sized, height);
    return (x->width <= width && x->height <= height) || refuse(m);
}

static bool set_type(struct maker *m)
{
    struct tmu_texture *x = m->x;
    uint8_t own[TMU_CLAUSE_COUNT] = {0}; /* readings of the clauses that decoding this type depends on */
    if (x->type->channels == TEXTURE_RESERVED)
        return refuse(m);
    for (uint32_t bits = x->type->clauses; bits; bits &= bits - 1) {
        enum tmu_clause clause = (enum tmu_clause)__builtin_ctz(bits);
        unsigned mode = clause == TMU_CLAUSE_SINGLE_PACKING ? x->type->channels - TEXTURE_HALF : 0;
        own[clause] = (uint8_t)tmu_consult(m, clause, mode);
    }
    x->rules = (struct texture_rules){
        .type_rga = own[TMU_CLAUSE_TYPE_RGA],
        .channel_order = own[TMU_CLAUSE_CHANNEL_ORDER],
        .expansion = own[TMU_CLAUSE_EXPANSION],
        .yuyv = own[TMU_CLAUSE_YUYV],
        .etc_lowest_first = m->config.etcflip == (own[TMU_CLAUSE_ETCFLIP] == TMU_ETCFLIP_TOP_DOWN),
    };
    if (own[TMU_CLAUSE_BIT_ORDER] == TMU_BITS_HIGH_FIRST && x->bits_log2 < 3)
        x->bit_flip = 8U - (1U << x->bits_log2);
    x->single_repeated = own[TMU_CLAUSE_SINGLE_PACKING] == TMU_SINGLE_REPEATED;
    memcpy(x->reading, m->env->profile->reading + m->clause_base, sizeof x->reading);
    return true;
}

const struct tmu_minification tmu_minifications[TMU_MIN_RESERVED] = {
    [TMU_MIN_LINEAR] = {true, false, false},
    [TMU_MIN_NEAREST] = {false, false, false},
    [TMU_MIN_NEAREST_MIP_NEAREST] = {false, true, false},
    [TMU_MIN_NEAREST_MIP_LINEAR] = {false, true, true},
    [TMU_MIN_LINEAR_MIP_NEAREST] = {true, true, false},
    [TMU_MIN_LINEAR_MIP_LINEAR] = {true, true, true},
};

/* What MINFILT asks for, as rules left it. */
static struct tmu_minification minification(const struct maker *m)
{
    const struct observer *o = m->env->tmu_observer;
    const uint32_t number = m->x->min;
    struct tmu_minification min = tmu_minifications[number];
    min.linear = OBSERVE(o, TMU_POINT_MIN_LINEAR, min.linear, number);
    min.mips = OBSERVE(o, TMU_POINT_MIN_MIPS, min.mips, number);
    min.blends = OBSERVE(o, TMU_POINT_MIN_BLENDS, min.blends, number);
    return min;
}

static bool set_sampling(struct maker *m)
{
    struct tmu_texture *x = m->x;
    if (x->min >= TMU_MIN_RESERVED)
        return refuse(m);
    if (x->cube && (x->wrap[0] == TMU_WRAP_BORDER || x->wrap[1] == TMU_WRAP_BORDER))
        return refuse(m);
    const struct tmu_minification *min = &x->minify;
    x->minify = minification(m);
    bool mag_linear = x->mag == TMU_MAG_LINEAR, mips = min->mips && x->levels > 1;
    if (x->type->channels == TEXTURE_INTEGER && (min->linear || mag_linear || (mips && min->blends)))
        return refuse(m);
    x->needs_lod = mips || min->linear != mag_linear;
    x->needs_lod = OBSERVE(m->env->tmu_observer, TMU_POINT_LOD_MATTERS, x->needs_lod, min->mips, min->blends,
                           min->linear, mag_linear, x->levels);
    if (m->config.cswiz && tmu_consult(m, TMU_CLAUSE_CSWIZ, 0) == TMU_CSWIZ_REFUSED)
        return refuse(m);
    return true;
}

static bool make(struct maker *m)
{
    struct tmu_texture *x = m->x;
    decode(m);
    if (!set_type(m))
        return false;
    for (uint32_t i = 2; i < x->words; i++)
        if (!set_parameter(m, i))
            return false;
    if (!set_levels(m) || !set_child(m) || !set_sampling(m))
        return false;
    if (x->cube)
        x->face_flip = tmu_consult(m, TMU_CLAUSE_CUBE_FACES, 0) == TMU_CUBE_NEGATIVE_FIRST;
    x->inside = all_inside(m);
    return true;
}

void tmu_texture_set(struct tmu_texture *x, const struct vc4_env *env, unsigned clause_base,
                     const uint32_t *word, uint32_t words)
{
    memset(x, 0, offsetof(struct tmu_texture, level));
    /* together: clears everything except `level`, which set_levels fills */
    memset(&x->face_stride, 0, sizeof *x - offsetof(struct tmu_texture, face_stride));
    x->words = words;
    for (uint32_t i = 0; i < 4; i++)
        x->word[i] = i < words ? word[i] : 0;
    struct maker m = {.x = x, .env = env, .clause_base = clause_base};
    (void)make(&m);
}
