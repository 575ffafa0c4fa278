/* SPDX-License-Identifier: MIT */
/*
 * Makes a texture from its parameters. VC4_FAULT_RESERVED at the look-up, if they are something that no
 * document defines: a reserved type or filter, more levels than the size has, a cube map with a border, a
 * child that leaves its parent, or a linear filter on an integer type.
 */
#include "model/vc4/tmu/tmu_texture.h"

#include <string.h>

struct maker {
    struct tmu_texture *x;
    const struct vc4_env *env;
    unsigned clause_base;
    uint32_t p0, p1;
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

static uint32_t size_of(uint32_t field)
{
    return field ? field : TEXTURE_SIZE_MAX;
}

static bool set_cube_stride(struct maker *m, uint32_t stride, bool explicit_lod)
{
    struct tmu_texture *x = m->x;
    if (m->stride_seen)
        return refuse(m); /* Linux's vc4_validate.c allows only one */
    m->stride_seen = true;
    x->face_stride = stride;
    x->explicit_lod = explicit_lod;
    if (explicit_lod && !x->cube)
        x->explicit_lod = tmu_consult(m, TMU_CLAUSE_EXPLICIT_LOD, 0) == TMU_EXPLICIT_LOD_ANY;
    return true;
}

static bool set_child_size(struct maker *m, uint32_t word)
{
    /* T17 describes CHEIGHT as the cube map stride, and CWIDTH as a field that disables automatic LOD. */
    if (tmu_consult(m, TMU_CLAUSE_T17_TEXT, 0) == READING_MANUAL)
        return set_cube_stride(m, TMU_FIELD(word, CHILD_SIZE_CHEIGHT) << 12,
                               TMU_FIELD(word, CHILD_SIZE_CWIDTH) != 0);
    if (m->child_size_seen)
        return refuse(m);
    m->child_size_seen = m->x->child = true;
    m->child_width = TMU_FIELD(word, CHILD_SIZE_CWIDTH);
    m->child_height = TMU_FIELD(word, CHILD_SIZE_CHEIGHT);
    return true;
}

static bool set_child_offset(struct maker *m, uint32_t word)
{
    if (m->child_offset_seen)
        return refuse(m);
    m->child_offset_seen = m->x->child = true;
    m->x->child_x = TMU_FIELD(word, CHILD_OFFSET_CXOFF);
    m->x->child_y = TMU_FIELD(word, CHILD_OFFSET_CYOFF);
    return true;
}

static bool set_parameter(struct maker *m, uint32_t word)
{
    switch (TMU_FIELD(word, CUBE_PTYPE)) {
    case TMU_PTYPE_CUBE:
        return set_cube_stride(m, TMU_FIELD(word, CUBE_CMST) << 12, TMU_FIELD(word, CUBE_BSLOD));
    case TMU_PTYPE_CHILD_SIZE:
        return set_child_size(m, word);
    case TMU_PTYPE_CHILD_OFFSET:
        return set_child_offset(m, word);
    default:
        return true;
    }
}

/* The width or height of a level, from that of level 0 (clause mip-pot). */
static uint32_t level_size(unsigned reading, uint32_t size, uint32_t level)
{
    uint32_t own = size >> level ? size >> level : 1, pot = texture_power_of_two(size) >> level;
    if (level == 0 || reading == TMU_MIP_UNPADDED)
        return own;
    return reading == TMU_MIP_FROM_POT ? (pot ? pot : 1) : texture_power_of_two(own);
}

static enum texture_order order_of(struct maker *m, uint32_t width, uint32_t height)
{
    const struct texture_type *type = m->x->type;
    if (type->raster)
        return TEXTURE_RASTER;
    struct texture_utile u = texture_utiles[type->bits_log2];
    bool below_tile = width < (uint32_t)TEXTURE_TILE_UTILES << u.width_log2 ||
                      height < (uint32_t)TEXTURE_TILE_UTILES << u.height_log2;
    bool in_subtile = width <= (uint32_t)TEXTURE_SUBTILE_UTILES << u.width_log2 ||
                      height <= (uint32_t)TEXTURE_SUBTILE_UTILES << u.height_log2;
    bool lt = below_tile;
    if (below_tile != in_subtile && tmu_consult(m, TMU_CLAUSE_LT_THRESHOLD, 0) == TMU_LT_SUBTILE)
        lt = in_subtile;
    return lt ? TEXTURE_LT : TEXTURE_T;
}

static void set_level(struct maker *m, uint32_t n, unsigned mip_reading)
{
    struct tmu_texture *x = m->x;
    const struct texture_type *type = x->type;
    struct tmu_level *l = &x->level[n];
    l->width = level_size(mip_reading, size_of(TMU_FIELD(m->p1, P1_WIDTH)), n);
    l->height = level_size(mip_reading, size_of(TMU_FIELD(m->p1, P1_HEIGHT)), n);
    uint32_t width = texture_units(l->width, type->block_width_log2),
             height = texture_units(l->height, type->block_height_log2), pitch = width;
    enum texture_order order = order_of(m, width, height);
    if (order == TEXTURE_RASTER && texture_power_of_two(l->width) != l->width &&
        tmu_consult(m, TMU_CLAUSE_RASTER_NPOT, 0) == READING_MANUAL)
        pitch = texture_units(texture_power_of_two(l->width), type->block_width_log2);
    bool odd_forward = false;
    uint32_t tile = (uint32_t)TEXTURE_TILE_UTILES << texture_utiles[type->bits_log2].width_log2;
    if (order == TEXTURE_T && width > tile)
        odd_forward = tmu_consult(m, TMU_CLAUSE_T_ROW_DIRECTION, 0) == READING_MANUAL;
    texture_grid_set(&l->grid, order, type->bits_log2, width, height, pitch, odd_forward);
    l->address =
        n == 0 ? TMU_FIELD(m->p0, P0_BASE) << TMU_P0_BASE_LOW : x->level[n - 1].address - l->grid.bytes;
}

static bool set_levels(struct maker *m)
{
    struct tmu_texture *x = m->x;
    uint32_t width = size_of(TMU_FIELD(m->p1, P1_WIDTH)), height = size_of(TMU_FIELD(m->p1, P1_HEIGHT));
    uint32_t pot_width = texture_power_of_two(width), pot_height = texture_power_of_two(height);
    uint32_t most = 0;
    while (pot_width >> most || pot_height >> most)
        most++;
    x->levels = x->child ? 1 : TMU_FIELD(m->p0, P0_MIPLVLS) + 1;
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

/* The width or height of a child. `rest`: of the parent, from the child's offset on. */
static uint32_t child_size(struct maker *m, uint32_t field, uint32_t rest)
{
    if (field)
        return field;
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
    /* By the literal text, no parameter gives the size of a child. */
    bool sized = m->child_size_seen || tmu_consult(m, TMU_CLAUSE_T17_TEXT, 0) != READING_MANUAL;
    x->width = sized ? child_size(m, m->child_width, width) : width;
    x->height = sized ? child_size(m, m->child_height, height) : height;
    return (x->width <= width && x->height <= height) || refuse(m);
}

static bool set_type(struct maker *m)
{
    struct tmu_texture *x = m->x;
    uint8_t own[TMU_CLAUSE_COUNT] = {0}; /* readings of the clauses that decoding this type depends on */
    x->type = &texture_types[TMU_FIELD(m->p1, P1_TYPE4) << 4 | TMU_FIELD(m->p0, P0_TYPE)];
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
        .etc_lowest_first = TMU_FIELD(m->p1, P1_ETCFLIP) == (own[TMU_CLAUSE_ETCFLIP] == TMU_ETCFLIP_TOP_DOWN),
    };
    if (own[TMU_CLAUSE_BIT_ORDER] == TMU_BITS_HIGH_FIRST)
        x->bit_flip = 8U - (1U << x->type->bits_log2);
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

static bool set_sampling(struct maker *m)
{
    struct tmu_texture *x = m->x;
    x->mag = (uint8_t)TMU_FIELD(m->p1, P1_MAGFILT);
    x->min = (uint8_t)TMU_FIELD(m->p1, P1_MINFILT);
    x->wrap[0] = (uint8_t)TMU_FIELD(m->p1, P1_WRAP_S);
    x->wrap[1] = (uint8_t)TMU_FIELD(m->p1, P1_WRAP_T);
    x->flip_y = TMU_FIELD(m->p0, P0_FLIPY);
    if (x->min >= TMU_MIN_RESERVED)
        return refuse(m);
    if (x->cube && (x->wrap[0] == TMU_WRAP_BORDER || x->wrap[1] == TMU_WRAP_BORDER))
        return refuse(m);
    const struct tmu_minification *min = &tmu_minifications[x->min];
    bool mag_linear = x->mag == TMU_MAG_LINEAR, mips = min->mips && x->levels > 1;
    if (x->type->channels == TEXTURE_INTEGER && (min->linear || mag_linear || (mips && min->blends)))
        return refuse(m);
    x->needs_lod = mips || min->linear != mag_linear;
    if (TMU_FIELD(m->p0, P0_CSWIZ) && tmu_consult(m, TMU_CLAUSE_CSWIZ, 0) == TMU_CSWIZ_REFUSED)
        return refuse(m);
    return true;
}

static bool make(struct maker *m)
{
    struct tmu_texture *x = m->x;
    x->cube = TMU_FIELD(m->p0, P0_CMMODE);
    if (!set_type(m))
        return false;
    for (uint32_t i = 2; i < x->words; i++)
        if (!set_parameter(m, x->word[i]))
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
    /* everything except the levels */
    memset(&x->face_stride, 0, sizeof *x - offsetof(struct tmu_texture, face_stride));
    x->words = words;
    for (uint32_t i = 0; i < 4; i++)
        x->word[i] = i < words ? word[i] : 0;
    struct maker m = {.x = x, .env = env, .clause_base = clause_base, .p0 = x->word[0], .p1 = x->word[1]};
    (void)make(&m);
}
