/* SPDX-License-Identifier: MIT */
/*
 * Computes results from coordinates. Positions are exact: a coordinate times a size, in units of 1/65536
 * texel, rounded down. Clauses tmu-texel-edge, tmu-filter and tmu-lod cover what the documents do not say
 * about edges, fractions and levels of detail. No document defines the result for a coordinate that is NaN,
 * infinite, or at least 2^32.
 *
 * Functions with a parameter `checked` are compiled twice: without and with definedness.
 */
#include "model/number/tolerance.h"
#include "model/vc4/tmu/tmu_filter.h"
#include "model/vc4/tmu/tmu_texture.h"

#include <stddef.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    ONE_TEXEL = 65536,
    HALF_TEXEL = ONE_TEXEL / 2,
    EDGE = ONE_TEXEL / 256, /* a position closer to an edge counts as near it (tmu-texel-edge) */
    LOD_ONE = 256,          /* one level */
    LOD_TOLERANCE = LOD_ONE / 4,
    LOD_LIMIT = 1 << 20,
    DIFFERENCE_LIMIT = 1 << 30, /* 2^14 texels; a larger difference does not change the level of detail */
    QUAD = 4,
    IN_BORDER = INT32_MAX,
};

/* A point on the texture: coordinates as floats; for a cube map, on its face. */
struct point {
    uint32_t s, t, face;
    bool known; /* the coordinates are defined, and are numbers */
};

/* Four neighbouring elements, numbered 0 1 / 2 3 (p38, p44). */
struct quad {
    struct point p[QUAD];
    bool lod_made;
    int32_t lod; /* the automatic level of detail */
};

/* The levels to sample, the share of the second (of LOD_ONE), and the filter within a level. */
struct choice {
    uint32_t first, second, share;
    bool linear;
};

struct sampler {
    const struct tmu_texture *x;
    const struct vc4_env *env;
    const struct tmu_request *q;
    uint32_t clauses; /* consulted clauses, as bits 1 << enum tmu_clause */
    enum vc4_stop stop;
    bool border_made;
    struct tmu_tap border;
};

/* Returns the reading of a clause, and marks the clause as covered. */
static unsigned tmu_consult(struct sampler *s, enum tmu_clause clause)
{
    s->clauses |= 1U << clause;
    return s->x->reading[clause];
}

/* ---- Positions ---- */

/* v / 2^k rounded down, k at most 61. */
static int64_t floor_shift(int64_t v, unsigned k)
{
    const uint64_t bias = UINT64_C(1) << 62;
    return (int64_t)(((uint64_t)v + bias) >> k) - (int64_t)(bias >> k);
}

static bool is_position(uint32_t coordinate)
{
    return (coordinate >> 23 & 255) < 127 + 32;
}

/* coordinate * size in units of 1/65536, rounded down. Denormals count as 0. */
static int64_t position(uint32_t coordinate, uint32_t size)
{
    uint32_t exponent = coordinate >> 23 & 255;
    if (exponent == 0 || !is_position(coordinate))
        return 0;
    int64_t v = (int64_t)(((coordinate & 0x7FFFFF) | 0x800000) * (uint64_t)size); /* below 2^36 */
    if (coordinate >> 31)
        v = -v;
    if (exponent >= 134)
        return v * (int64_t)(UINT64_C(1) << (exponent - 134)); /* at most 2^24 */
    unsigned shift = 134 - exponent;
    return shift > 61 ? (v < 0 ? -1 : 0) : floor_shift(v, shift);
}

/* The position on an axis of the texture. Coordinates on a cube map's face run from -1 to 1. */
static int64_t axis_position(const struct tmu_texture *x, uint32_t coordinate, uint32_t size)
{
    int64_t p = position(coordinate, size);
    return x->cube ? floor_shift(p + (int64_t)size * ONE_TEXEL, 1) : p;
}

/* Finds the face that the direction points to, and the point on it (OpenGL ES 2.0 table 3.21). */
static struct point cube_point(uint32_t rx, uint32_t ry, uint32_t rz)
{
    const uint32_t minus = 0x80000000U;
    uint32_t ax = rx & ~minus, ay = ry & ~minus, az = rz & ~minus;
    if (ax >= ay && ax >= az)
        return (struct point){.face = rx >> 31, .s = rx >> 31 ? rz : rz ^ minus, .t = ry ^ minus};
    if (ay >= az)
        return (struct point){.face = 2 + (ry >> 31), .s = rx, .t = ry >> 31 ? rz ^ minus : rz};
    return (struct point){.face = 4 + (rz >> 31), .s = rz >> 31 ? rx ^ minus : rx, .t = ry ^ minus};
}

INLINE struct point point_of(const struct sampler *s, unsigned i, const bool checked)
{
    const struct tmu_request *q = s->q;
    uint32_t a = q->value[TMU_S].lane[i], b = q->value[TMU_T].lane[i], c = q->value[TMU_R].lane[i];
    bool cube = s->x->cube, known = is_position(a) && is_position(b) && (!cube || is_position(c));
    if (checked)
        known &= (q->defined[TMU_S].lane[i] & q->defined[TMU_T].lane[i] &
                  (cube ? q->defined[TMU_R].lane[i] : UINT32_MAX)) == UINT32_MAX;
    if (!known)
        return (struct point){0};
    struct point p = cube ? cube_point(a, b, c) : (struct point){.s = a, .t = b};
    p.known = true;
    return p;
}

/* ---- Level of detail, in units of 1/256 level ---- */

static int32_t log2_of(uint64_t v)
{
    unsigned n = 63U - (unsigned)__builtin_clzll(v);
    uint64_t m = v << (63 - n) >> 32; /* 1.0 is 2^31 */
    uint32_t fraction = 0;
    for (unsigned i = 0; i < 8; i++) {
        m = m * m >> 31;
        uint32_t bit = (uint32_t)(m >> 32);
        m >>= bit;
        fraction = fraction << 1 | bit;
    }
    return (int32_t)(n << 8 | fraction);
}

static uint64_t difference(int64_t a, int64_t b)
{
    int64_t d = a - b;
    uint64_t m = d < 0 ? (uint64_t)-d : (uint64_t)d;
    return m < DIFFERENCE_LIMIT ? m : DIFFERENCE_LIMIT;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static int32_t quad_lod(struct sampler *s, struct quad *q)
{
    const struct tmu_texture *x = s->x;
    int64_t u[3], v[3];
    if (q->lod_made)
        return q->lod;
    for (unsigned i = 0; i < 3; i++) {
        u[i] = axis_position(x, q->p[i].s, x->width);
        v[i] = axis_position(x, q->p[i].t, x->height);
    }
    uint64_t ux = difference(u[1], u[0]), vx = difference(v[1], v[0]), uy = difference(u[2], u[0]),
             vy = difference(v[2], v[0]), square;
    if (tmu_consult(s, TMU_CLAUSE_LOD) == TMU_LOD_LARGEST) {
        uint64_t most = larger(larger(ux, vx), larger(uy, vy));
        square = most * most;
    } else {
        square = larger(ux * ux + vx * vx, uy * uy + vy * vy);
    }
    q->lod = square ? log2_of(square) / 2 - 16 * LOD_ONE : -LOD_LIMIT;
    q->lod_made = true;
    return q->lod;
}

/* Chooses levels and filter at a level of detail. As in OpenGL, exactly half a level chooses the larger
 * image. */
static struct choice choose(const struct tmu_texture *x, int32_t lod)
{
    if (!x->needs_lod || lod <= 0)
        return (struct choice){.linear = x->mag == TMU_MAG_LINEAR};
    uint32_t last = x->levels - 1, level = (uint32_t)lod;
    const struct tmu_minification *min = &tmu_minifications[x->min];
    struct choice c = {.linear = min->linear};
    if (!min->mips)
        return c;
    c.first = min->blends ? level / LOD_ONE : (level + LOD_ONE / 2 - 1) / LOD_ONE;
    c.share = min->blends ? level % LOD_ONE : 0;
    if (c.first >= last) {
        c.first = last;
        c.share = 0;
    }
    c.second = c.share ? c.first + 1 : c.first;
    return c;
}

static bool same_choice(struct choice a, struct choice b)
{
    return a.first == b.first && a.second == b.second && a.share == b.share && a.linear == b.linear;
}

/* The choice for element i of the quad. False if it depends on undefined bits. */
INLINE bool choice_of(struct sampler *s, unsigned i, struct quad *q, struct choice *c, const bool checked)
{
    const struct tmu_texture *x = s->x;
    uint32_t b = s->q->value[TMU_B].lane[i];
    bool lod_known = x->explicit_lod || (q->p[0].known && q->p[1].known && q->p[2].known);
    *c = (struct choice){.linear = x->mag == TMU_MAG_LINEAR};
    if (!x->needs_lod)
        return true;
    if (!lod_known || !is_position(b) || (checked && s->q->defined[TMU_B].lane[i] != UINT32_MAX))
        return false;
    int64_t bias = floor_shift(position(b, 1), 8), sum = bias + (x->explicit_lod ? 0 : quad_lod(s, q));
    int32_t level = sum > LOD_LIMIT ? LOD_LIMIT : sum < -LOD_LIMIT ? -LOD_LIMIT : (int32_t)sum;
    *c = choose(x, level);
    return x->explicit_lod || tmu_consult(s, TMU_CLAUSE_LOD) != TMU_LOD_UNKNOWN ||
           same_choice(choose(x, level - LOD_TOLERANCE), choose(x, level + LOD_TOLERANCE));
}

/* ---- Texels ---- */

/* Reads return false if the address is outside the memory. `inside`: the address needs no check. */
INLINE bool read_unit(struct sampler *s, uint32_t address, uint32_t bit_in_byte, bool inside, uint64_t *unit,
                      uint64_t *defined, const bool checked)
{
    const struct vc4_rows *m = &s->env->memory;
    uint32_t bits_log2 = s->x->type->bits_log2, bytes = bits_log2 > 3 ? 1U << (bits_log2 - 3) : 1;
    uint32_t offset = address - s->env->memory_base;
    if (!inside && !vc4_reach(s->env, address, bytes, VC4_LOADS, &offset))
        return false;
    uint32_t at = offset / 4, shift = offset % 4 * 8 + bit_in_byte;
    const uint32_t *word = (const uint32_t *)(const void *)m->value,
                   *mask = (const uint32_t *)(const void *)m->defined;
    if (bytes == 8) {
        *unit = word[at] | (uint64_t)word[at + 1] << 32;
        *defined = checked && (mask[at] & mask[at + 1]) != UINT32_MAX ? 0 : ~UINT64_C(0);
        return true;
    }
    uint32_t wanted = (uint32_t)((UINT64_C(1) << (1U << bits_log2)) - 1U);
    *unit = word[at] >> shift & wanted;
    /* One undefined bit makes the texel undefined. */
    *defined = checked && (mask[at] >> shift & wanted) != wanted ? 0 : ~UINT64_C(0);
    return true;
}

/* Decodes texel (x, y) of the unit of storage at this bit address of a level's face. */
INLINE bool read_texel(struct sampler *s, uint32_t address, uint32_t bit, bool inside, uint32_t x, uint32_t y,
                       struct tmu_tap *tap, const bool checked)
{
    const struct texture_type *type = s->x->type;
    uint64_t unit;
    bit ^= s->x->bit_flip;
    if (!read_unit(s, address + bit / 8, bit % 8, inside, &unit, &tap->defined, checked))
        return false;
    if (!type->decode) {
        tap->texel = unit;
        return true;
    }
    tap->texel = type->decode(&s->x->rules, unit, x & ((1U << type->block_width_log2) - 1U),
                              y & ((1U << type->block_height_log2) - 1U));
    return true;
}

/* The border texel: R of element 0, or a texel of an extra level (clauses tmu-border-source,
 * tmu-border-order). */
static __attribute__((noinline)) bool make_border(struct sampler *s, const bool checked)
{
    const struct tmu_texture *x = s->x;
    if (tmu_consult(s, TMU_CLAUSE_BORDER_SOURCE) == TMU_BORDER_EXTRA_LEVEL) {
        s->border_made = read_texel(s, x->border_address, 0, false, 0, 0, &s->border, checked);
        return s->border_made;
    }
    s->border_made = true;
    uint32_t word = s->q->value[TMU_R].lane[0];
    bool known =
        (!checked || s->q->defined[TMU_R].lane[0] == UINT32_MAX) && x->type->channels == TEXTURE_BYTES;
    if (tmu_consult(s, TMU_CLAUSE_BORDER_ORDER) == TMU_BORDER_FORMAT_ORDER) {
        uint32_t out = 0;
        for (unsigned i = 0; i < 4; i++) {
            uint8_t from = x->type->border[i];
            known &= from != TEXTURE_BORDER_UNKNOWN;
            out |= (from == TEXTURE_BORDER_ONE ? 255U : from < 4 ? word >> 8 * from & 255U : 0U) << 8 * i;
        }
        word = out;
    }
    s->border.texel = word;
    s->border.defined = known ? ~UINT64_C(0) : 0;
    return true;
}

/* Wraps the index of a texel on an axis of `size` texels (p42 T16). Returns IN_BORDER if it is in the
 * border. */
static uint32_t wrap_outside(uint32_t mode, int64_t i, uint32_t size)
{
    int64_t period = mode == TMU_WRAP_MIRROR ? 2 * (int64_t)size : (int64_t)size, r;
    switch (mode) {
    case TMU_WRAP_CLAMP:
        return i < 0 ? 0 : size - 1;
    case TMU_WRAP_BORDER:
        return IN_BORDER;
    default:
        r = period ? i % period : 0; /* no image is empty, so the period is not 0 */
        r = r < 0 ? r + period : r;
        return (uint32_t)(r < (int64_t)size ? r : period - 1 - r);
    }
}

INLINE uint32_t wrap(uint32_t mode, int64_t i, uint32_t size)
{
    return (uint64_t)i < size ? (uint32_t)i : wrap_outside(mode, i, size);
}

static uint32_t width_of(const struct tmu_texture *x, uint32_t level)
{
    return x->child ? x->width : x->level[level].width;
}
static uint32_t height_of(const struct tmu_texture *x, uint32_t level)
{
    return x->child ? x->height : x->level[level].height;
}

/* Column and row of a texel in its level, without the child's offset, from its indices before wrapping. */
INLINE uint32_t column(const struct sampler *s, uint32_t level, int64_t i)
{
    return wrap(s->x->wrap[0], i, width_of(s->x, level));
}
INLINE uint32_t row(const struct sampler *s, uint32_t level, int64_t j)
{
    uint32_t height = height_of(s->x, level), y = wrap(s->x->wrap[1], j, height);
    return s->x->flip_y && y != IN_BORDER ? height - 1 - y : y;
}

INLINE bool fetch(struct sampler *s, uint32_t level, uint32_t face, uint32_t tx, uint32_t ty,
                  struct tmu_tap *tap, const bool checked)
{
    const struct tmu_texture *x = s->x;
    const struct tmu_level *l = &x->level[level];
    if (tx == IN_BORDER || ty == IN_BORDER) {
        if (!s->border_made && !make_border(s, checked))
            return false;
        tap->texel = s->border.texel;
        tap->defined = s->border.defined;
        return true;
    }
    tx += x->child_x;
    ty += x->child_y;
    uint32_t bit = texture_bit(&l->grid, tx >> x->type->block_width_log2, ty >> x->type->block_height_log2);
    return read_texel(s, l->address + (face ^ x->face_flip) * x->face_stride, bit, x->inside, tx, ty, tap,
                      checked);
}

/* ---- Within a level ---- */

static bool near_edge(int64_t p)
{
    uint32_t fraction = (uint32_t)p & (ONE_TEXEL - 1);
    return fraction <= EDGE || fraction >= ONE_TEXEL - EDGE;
}

/* The texel on the other side of the edge, if the position is near one; otherwise the texel at the
 * position. */
static int64_t neighbour(int64_t p)
{
    int64_t i = floor_shift(p, 16);
    return !near_edge(p) ? i : ((uint32_t)p & (ONE_TEXEL - 1)) <= EDGE ? i - 1 : i + 1;
}

/* Rounds the position of a point sample, if clause tmu-texel-edge says so. */
INLINE int64_t point_position(struct sampler *s, int64_t p)
{
    return near_edge(p) && tmu_consult(s, TMU_CLAUSE_TEXEL_EDGE) == TMU_EDGE_ROUNDED
               ? floor_shift(p + EDGE / 2, 8) * EDGE
               : p;
}

INLINE bool nearest(struct sampler *s, uint32_t level, uint32_t face, int64_t u, int64_t v,
                    struct tmu_tap *tap, const bool checked)
{
    bool edge = near_edge(u) || near_edge(v);
    u = point_position(s, u);
    v = point_position(s, v);
    uint32_t x = column(s, level, floor_shift(u, 16)), y = row(s, level, floor_shift(v, 16));
    if (!fetch(s, level, face, x, y, tap, checked))
        return false;
    if (!checked || !edge || tmu_consult(s, TMU_CLAUSE_TEXEL_EDGE) != TMU_EDGE_UNKNOWN)
        return true;
    uint32_t other_x = column(s, level, neighbour(u)), other_y = row(s, level, neighbour(v));
    for (unsigned k = 1; k < 4; k++) {
        struct tmu_tap other;
        bool there = fetch(s, level, face, k & 1 ? other_x : x, k & 2 ? other_y : y, &other, checked);
        if (!there || other.texel != tap->texel || !other.defined)
            tap->defined = 0;
    }
    return true;
}

/* Adds 2 x 2 texels, whose centres are at half positions. */
INLINE bool bilinear(struct sampler *s, uint32_t level, uint32_t face, int64_t u, int64_t v, uint64_t share,
                     struct tmu_tap *tap, unsigned *taps, const bool checked)
{
    int64_t i = floor_shift(u - HALF_TEXEL, 16), j = floor_shift(v - HALF_TEXEL, 16);
    uint32_t fx = (uint32_t)(u - HALF_TEXEL) & (ONE_TEXEL - 1),
             fy = (uint32_t)(v - HALF_TEXEL) & (ONE_TEXEL - 1);
    if ((fx | fy) && tmu_consult(s, TMU_CLAUSE_FILTER) == TMU_FILTER_EIGHT_BITS) {
        fx &= 0xFF00;
        fy &= 0xFF00;
    }
    const uint64_t wx[2] = {ONE_TEXEL - fx, fx}, wy[2] = {ONE_TEXEL - fy, fy};
    const uint32_t x[2] = {column(s, level, i), column(s, level, i + 1)},
                   y[2] = {row(s, level, j), row(s, level, j + 1)};
    for (unsigned k = 0; k < 4; k++) {
        uint64_t weight = wx[k & 1] * wy[k >> 1] * share;
        if (!weight)
            continue;
        struct tmu_tap *to = &tap[(*taps)++];
        to->weight = weight;
        if (!fetch(s, level, face, x[k & 1], y[k >> 1], to, checked))
            return false;
    }
    return true;
}

INLINE bool add_level(struct sampler *s, uint32_t level, const struct point *p, bool linear, uint32_t share,
                      struct tmu_tap *tap, unsigned *taps, const bool checked)
{
    const struct tmu_texture *x = s->x;
    int64_t u = axis_position(x, p->s, width_of(x, level));
    int64_t v = axis_position(x, p->t, height_of(x, level));
    if (linear)
        return bilinear(s, level, p->face, u, v, share, tap, taps, checked);
    struct tmu_tap *to = &tap[(*taps)++];
    to->weight = (uint64_t)share << 32;
    return nearest(s, level, p->face, u, v, to, checked);
}

INLINE bool texel_at(struct sampler *s, const struct point *p, const struct choice *c, uint64_t *value,
                     struct tmu_known *known, const bool checked)
{
    const struct tmu_texture *x = s->x;
    struct tmu_tap tap[TMU_TAPS_MAX];
    unsigned taps = 0;
    if (!add_level(s, c->first, p, c->linear, LOD_ONE - c->share, tap, &taps, checked))
        return false;
    if (c->share && !add_level(s, c->second, p, c->linear, c->share, tap, &taps, checked))
        return false;
    struct tmu_blend b = {.channels = x->type->channels,
                          .filter = x->reading[TMU_CLAUSE_FILTER],
                          .neg_pow2 = x->reading[TMU_CLAUSE_BLEND_NEG_POW2],
                          .inf = x->reading[TMU_CLAUSE_BLEND_INF],
                          .linear = c->linear,
                          .levels = c->share != 0};
    *value = tmu_blend(&b, tap, taps, &s->clauses, checked ? known : NULL);
    return true;
}

/* The result words for a blended texel. A single channel is in the lowest bits, or repeated (clause
 * tex-single-packing). */
static uint64_t as_result(const struct tmu_texture *x, uint64_t texel, bool mask)
{
    uint32_t bits = x->type->channels == TEXTURE_BYTE ? 8 : 16, low = (uint32_t)texel & ((1U << bits) - 1U);
    if (x->type->channels == TEXTURE_BYTES || x->type->channels == TEXTURE_HALVES)
        return texel;
    if (x->single_repeated)
        return low * (bits == 8 ? 0x01010101U : 0x00010001U);
    return mask ? low | ~((1U << bits) - 1U) : low;
}

/* The tolerance of the result's low word. */
static uint32_t tolerance_of(const struct tmu_texture *x, const struct tmu_known *known)
{
    uint8_t distance[4] = {known->distance[0], known->distance[1], known->distance[2], known->distance[3]};
    for (unsigned k = 1; x->type->channels == TEXTURE_BYTE && x->single_repeated && k < 4; k++)
        distance[k] = distance[0];
    return tolerance_of_bytes(distance);
}

INLINE void put(const struct sampler *s, unsigned i, uint64_t texel, const struct tmu_known *known,
                const struct tmu_words *out, const bool checked)
{
    uint64_t v = as_result(s->x, texel, false), d = ~UINT64_C(0);
    if (checked) {
        d = known->defined ? as_result(s->x, known->defined, true) : 0;
        out->tolerance->lane[i] = tolerance_of(s->x, known);
        uint64_t filler = s->env->filler | (uint64_t)s->env->filler << 32;
        if (!out->tolerance->lane[i])
            v = (v & d) | (filler & ~d);
    }
    for (unsigned w = 0; w < texture_result_words(s->x->type); w++) {
        out->value[w].lane[i] = (uint32_t)(v >> 32 * w);
        if (checked)
            out->defined[w].lane[i] = (uint32_t)(d >> 32 * w);
    }
}

INLINE void sample_element(struct sampler *s, unsigned i, struct quad *q, const struct tmu_words *out,
                           const bool checked)
{
    const struct tmu_texture *x = s->x;
    const struct point *p = &q->p[i % QUAD];
    struct choice c;
    uint64_t texel = 0;
    struct tmu_known texel_known = {0};
    bool known = choice_of(s, i, q, &c, checked) && p->known && !x->undefined;
    if (checked && !known) {
        if (x->wrap[0] == TMU_WRAP_BORDER || x->wrap[1] == TMU_WRAP_BORDER)
            (void)tmu_consult(s, TMU_CLAUSE_BORDER_SOURCE); /* the reading was already part of x->inside */
        if (!x->inside && !x->undefined) {
            s->stop = VC4_FAULT_UNDEFINED; /* whether the access leaves the memory is undefined */
            return;
        }
    }
    if ((!checked || known) && !x->undefined && !texel_at(s, p, &c, &texel, &texel_known, checked)) {
        s->stop = VC4_FAULT_MEMORY;
        return;
    }
    if (!known)
        texel_known = (struct tmu_known){0};
    put(s, i, texel, &texel_known, out, checked);
}

INLINE enum vc4_stop sample(struct sampler *s, const struct tmu_words *out, const bool checked)
{
    for (unsigned first = 0; first < VC4_LANES && !s->stop; first += QUAD) {
        struct quad q = {.lod_made = false};
        for (unsigned k = 0; k < QUAD; k++)
            q.p[k] = point_of(s, first + k, checked);
        for (unsigned k = 0; k < QUAD && !s->stop; k++)
            sample_element(s, first + k, &q, out, checked);
    }
    return s->stop;
}

/* Point samples of level 0 without definedness. This most frequent look-up is twice as fast here as in the
 * general function. */
static enum vc4_stop sample_points(struct sampler *s, const struct tmu_words *out)
{
    const struct tmu_texture *x = s->x;
    uint32_t width = width_of(x, 0), height = height_of(x, 0);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t a = s->q->value[TMU_S].lane[i], b = s->q->value[TMU_T].lane[i];
        bool known = is_position(a) && is_position(b);
        int64_t u = point_position(s, known ? position(a, width) : 0),
                v = point_position(s, known ? position(b, height) : 0);
        struct tmu_tap tap;
        if (!fetch(s, 0, 0, column(s, 0, floor_shift(u, 16)), row(s, 0, floor_shift(v, 16)), &tap, false))
            return VC4_FAULT_MEMORY;
        put(s, i, tap.texel, NULL, out, false);
    }
    return VC4_GO;
}

static enum vc4_stop sample_plain(struct sampler *s, const struct tmu_words *out)
{
    const struct tmu_texture *x = s->x;
    if (!x->needs_lod && x->mag == TMU_MAG_NEAREST && !x->cube && !x->undefined)
        return sample_points(s, out);
    return sample(s, out, false);
}

enum vc4_stop tmu_sample(const struct tmu_texture *x, const struct vc4_env *env, unsigned clause_base,
                         const struct tmu_request *q, const struct tmu_words *out)
{
    struct sampler s = {.x = x, .env = env, .q = q};
    enum vc4_stop stop = env->checked ? sample(&s, out, true) : sample_plain(&s, out);
    for (uint32_t bits = s.clauses; bits; bits &= bits - 1)
        cover(env->coverage, clause_base + (unsigned)__builtin_ctz(bits), 0);
    return stop;
}
