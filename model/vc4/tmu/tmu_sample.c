/* SPDX-License-Identifier: MIT */
/*
 * Computes results from coordinates. Positions are exact: a coordinate times a size, in units of 1/65536
 * texel, rounded down. Clauses tmu-texel-edge, tmu-filter and tmu-lod cover what the documents do not say
 * about edges, fractions and levels of detail. No document defines the result for a coordinate that is NaN,
 * infinite, or at least 2^32.
 *
 * Functions with a parameter `how` are compiled for each combination of its bits: with or without
 * definedness, and with or without an observer.
 */
#include "model/number/tolerance.h"
#include "model/vc4/tmu/tmu_filter.h"
#include "model/vc4/tmu/tmu_points.h"
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

/* The coordinates of an element, as floats. For a cube map, s and t are on the face. */
struct coordinates {
    uint32_t s, t, face;
    bool known; /* the coordinates are defined, and are numbers */
};

/* Four neighbouring elements, numbered 0 1 / 2 3 (p38, p44). */
struct quad {
    struct coordinates p[QUAD];
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
    const struct observer *observer; /* NULL: none */
    bool moves;                      /* the observer can move texels, so x->inside is void */
    /* For the observer: the element that is sampled; the first word of memory that was read last, and the
     * lowest bit of the texel in it. */
    uint32_t lane, word, low;
};

/* Bits of `how`. */
enum { CHECKED = 1, OBSERVED = 2 };

/* Shows a value to the observer at a point, and gives what rules make of it. `how` is a constant, so code
 * without an observer pays nothing for points. */
#define SEEN(s, point, value, ...)                                                                           \
    ((how & OBSERVED) && observer_wants((s)->observer, TMU_POINT_##point)                                    \
         ? observe((s)->observer, TMU_POINT_##point, (value), (const uint32_t[]){__VA_ARGS__})               \
         : (value))

/* The same for a signed value that may have more than 32 bits. The observer sees the lowest 32 bits. If
 * the value has more bits, a rule's change of the lowest 32 is added to the value. */
static int64_t wide(int64_t before, uint32_t after)
{
    return before == (int32_t)before ? (int32_t)after : before + (int32_t)(after - (uint32_t)before);
}
#define SEEN_WIDE(s, point, value, ...)                                                                      \
    ((how & OBSERVED) ? wide((value), SEEN(s, point, (uint32_t)(value), __VA_ARGS__)) : (value))

/* Returns the reading of a clause, and marks the clause as covered. */
static unsigned tmu_consult(struct sampler *s, enum tmu_clause clause)
{
    s->clauses |= 1U << clause;
    return s->x->reading[clause];
}

#include "model/vc4/tmu/tmu_lod.inc.h"
#include "model/vc4/tmu/tmu_texel.inc.h"

/* ---- Within a level ---- */

static bool near_edge(int64_t p)
{
    uint32_t fraction = (uint32_t)p & (ONE_TEXEL - 1);
    return fraction <= EDGE || fraction >= ONE_TEXEL - EDGE;
}

/* A position in the texel on the other side of the edge, if this one is near one; otherwise the position. */
static int64_t neighbour(int64_t p)
{
    return !near_edge(p) ? p : ((uint32_t)p & (ONE_TEXEL - 1)) <= EDGE ? p - ONE_TEXEL : p + ONE_TEXEL;
}

/* Rounds the position of a point sample, if clause tmu-texel-edge says so. */
INLINE int64_t point_position(struct sampler *s, int64_t p)
{
    return near_edge(p) && tmu_consult(s, TMU_CLAUSE_TEXEL_EDGE) == TMU_EDGE_ROUNDED
               ? floor_shift(p + EDGE / 2, 8) * EDGE
               : p;
}

INLINE bool nearest(struct sampler *s, uint32_t level, uint32_t face, int64_t u, int64_t v,
                    struct tmu_tap *tap, const unsigned how)
{
    bool edge = near_edge(u) || near_edge(v);
    u = point_position(s, u);
    v = point_position(s, v);
    uint32_t x = column_at(s, level, u, how), y = row_at(s, level, v, how);
    if (!fetch(s, level, face, x, y, tap, how))
        return false;
    if (!(how & CHECKED) || !edge || tmu_consult(s, TMU_CLAUSE_TEXEL_EDGE) != TMU_EDGE_UNKNOWN)
        return true;
    uint32_t other_x = column_at(s, level, neighbour(u), how), other_y = row_at(s, level, neighbour(v), how);
    for (unsigned k = 1; k < 4; k++) {
        struct tmu_tap other;
        bool there = fetch(s, level, face, k & 1 ? other_x : x, k & 2 ? other_y : y, &other, how);
        if (!there || other.texel != tap->texel || !other.defined)
            tap->defined = 0;
    }
    return true;
}

/* The weight of a texel, as rules left it. The observer sees it without its lowest 24 bits. */
INLINE uint64_t weight_of(const struct sampler *s, uint64_t weight, const uint32_t input[6],
                          const unsigned how)
{
    uint32_t before = (uint32_t)(weight >> 24), after = before;
    if ((how & OBSERVED) && observer_wants(s->observer, TMU_POINT_FILTER_WEIGHT))
        after = observe(s->observer, TMU_POINT_FILTER_WEIGHT, before, input);
    return after == before ? weight : (uint64_t)after << 24;
}

/* Adds 2 x 2 texels, whose centres are at half positions. */
INLINE bool bilinear(struct sampler *s, uint32_t level, uint32_t face, int64_t u, int64_t v, uint64_t share,
                     struct tmu_tap *tap, unsigned *taps, const unsigned how)
{
    int64_t i = floor_shift(u - HALF_TEXEL, 16), j = floor_shift(v - HALF_TEXEL, 16);
    i = SEEN_WIDE(s, TEXEL_NEAR, i, 0, (uint32_t)u, (uint32_t)(u - HALF_TEXEL), level, s->lane);
    j = SEEN_WIDE(s, TEXEL_NEAR, j, 1, (uint32_t)v, (uint32_t)(v - HALF_TEXEL), level, s->lane);
    uint32_t fx = (uint32_t)(u - HALF_TEXEL) & (ONE_TEXEL - 1),
             fy = (uint32_t)(v - HALF_TEXEL) & (ONE_TEXEL - 1);
    if ((fx | fy) && tmu_consult(s, TMU_CLAUSE_FILTER) == TMU_FILTER_EIGHT_BITS) {
        fx &= 0xFF00;
        fy &= 0xFF00;
    }
    fx = SEEN(s, FILTER_FRACTION, fx, 0, level, s->lane, (uint32_t)u, (uint32_t)(u - HALF_TEXEL));
    fy = SEEN(s, FILTER_FRACTION, fy, 1, level, s->lane, (uint32_t)v, (uint32_t)(v - HALF_TEXEL));
    const uint32_t wx[2] = {ONE_TEXEL - fx, fx}, wy[2] = {ONE_TEXEL - fy, fy};
    uint32_t x[2], y[2];
    places(s, 0, level, i, u, x, how);
    places(s, 1, level, j, v, y, how);
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t across_x = SEEN(s, FILTER_ACROSS, wx[k & 1], 0, k, wx[0], wx[1], s->lane),
                       across_y = SEEN(s, FILTER_ACROSS, wy[k >> 1], 1, k, wy[0], wy[1], s->lane);
        uint64_t weight = (uint64_t)across_x * across_y * share;
        weight =
            weight_of(s, weight, (uint32_t[]){k, true, across_x, across_y, (uint32_t)share, s->lane}, how);
        if (!weight)
            continue;
        struct tmu_tap *to = &tap[(*taps)++];
        uint32_t tx = SEEN(s, TAP_PLACE, x[k & 1], 0, k, x[0], x[1], s->lane),
                 ty = SEEN(s, TAP_PLACE, y[k >> 1], 1, k, y[0], y[1], s->lane);
        to->weight = weight;
        if (!fetch(s, level, face, tx, ty, to, how))
            return false;
    }
    return true;
}

INLINE bool add_level(struct sampler *s, uint32_t level, const struct coordinates *p, bool linear,
                      uint32_t share, struct tmu_tap *tap, unsigned *taps, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    int64_t u = axis_position(s, 0, p->s, width_of(x, level));
    int64_t v = axis_position(s, 1, p->t, height_of(x, level));
    u = SEEN_WIDE(s, SAMPLE_POSITION, u, 0, width_of(x, level), level, linear, p->s, s->lane);
    v = SEEN_WIDE(s, SAMPLE_POSITION, v, 1, height_of(x, level), level, linear, p->t, s->lane);
    if (linear)
        return bilinear(s, level, p->face, u, v, share, tap, taps, how);
    struct tmu_tap *to = &tap[(*taps)++];
    to->weight = weight_of(s, (uint64_t)share << 32,
                           (uint32_t[]){0, false, ONE_TEXEL, ONE_TEXEL, share, s->lane}, how);
    return nearest(s, level, p->face, u, v, to, how);
}

INLINE bool texel_at(struct sampler *s, const struct coordinates *p, const struct choice *c, uint64_t *value,
                     struct tmu_known *known, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    struct tmu_tap tap[TMU_TAPS_MAX];
    unsigned taps = 0;
    uint32_t share = SEEN(s, FILTER_SHARE, LOD_ONE - c->share, false, c->share, s->lane);
    if (!add_level(s, c->first, p, c->linear, share, tap, &taps, how))
        return false;
    share = c->share ? SEEN(s, FILTER_SHARE, c->share, true, c->share, s->lane) : 0;
    if (c->share && !add_level(s, c->second, p, c->linear, share, tap, &taps, how))
        return false;
    if ((how & OBSERVED) && !taps) /* rules made every weight 0 */
        tap[taps++] = (struct tmu_tap){.texel = 0, .defined = ~UINT64_C(0), .weight = 1};
    struct tmu_blend b = {.channels = x->type->channels,
                          .filter = x->reading[TMU_CLAUSE_FILTER],
                          .neg_pow2 = x->reading[TMU_CLAUSE_BLEND_NEG_POW2],
                          .inf = x->reading[TMU_CLAUSE_BLEND_INF],
                          .linear = c->linear,
                          .levels = c->share != 0,
                          .observer = how & OBSERVED ? s->observer : NULL,
                          .lane = s->lane,
                          .type = how & OBSERVED ? (uint32_t)(x->type - texture_types) : 0,
                          .points = (how & OBSERVED) && tmu_only_points(x)};
    *value = tmu_blend(&b, tap, taps, &s->clauses, (how & CHECKED) ? known : NULL);
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
                const struct tmu_words *out, const unsigned how)
{
    uint64_t v = as_result(s->x, texel, false), d = ~UINT64_C(0);
    if (how & CHECKED) {
        d = known->defined ? as_result(s->x, known->defined, true) : 0;
        out->tolerance->lane[i] = tolerance_of(s->x, known);
        uint64_t filler = s->env->filler | (uint64_t)s->env->filler << 32;
        /* rules see the same number in checked and in other runs; show_load fills it then */
        if (!out->tolerance->lane[i] && !s->env->tmu_observer)
            v = (v & d) | (filler & ~d);
    }
    for (unsigned w = 0; w < texture_result_words(s->x->type); w++) {
        out->value[w].lane[i] = (uint32_t)(v >> 32 * w);
        if (how & CHECKED)
            out->defined[w].lane[i] = (uint32_t)(d >> 32 * w);
    }
}

/* Is a bit undefined from which the place of element i's texels is computed? */
static bool is_undefined(const struct sampler *s, unsigned i)
{
    uint32_t all = s->q->defined[TMU_B].lane[i];
    for (unsigned k = i / QUAD * QUAD; k < i / QUAD * QUAD + QUAD; k++)
        for (unsigned reg = TMU_S; reg <= TMU_R; reg++)
            all &= s->q->defined[reg].lane[k];
    return all != UINT32_MAX;
}

INLINE void sample_element(struct sampler *s, unsigned i, struct quad *q, const struct tmu_words *out,
                           const unsigned how)
{
    const struct tmu_texture *x = s->x;
    const struct coordinates *p = &q->p[i % QUAD];
    struct choice c;
    uint64_t texel = 0;
    struct tmu_known texel_known = {0};
    s->lane = i;
    bool known = choice_of(s, i, q, &c, how) && p->known && !x->undefined;
    if ((how & CHECKED) && !known) {
        if (x->wrap[0] == TMU_WRAP_BORDER || x->wrap[1] == TMU_WRAP_BORDER)
            (void)tmu_consult(s, TMU_CLAUSE_BORDER_SOURCE); /* x->inside depends on this reading */
        bool inside = x->inside && !(s->moves && is_undefined(s, i));
        if (!inside && !x->undefined) {
            s->stop = VC4_FAULT_UNDEFINED; /* whether the access leaves the memory is undefined */
            return;
        }
    }
    bool skips = ((how & CHECKED) || s->moves) && !known;
    if (!skips && !x->undefined && !texel_at(s, p, &c, &texel, &texel_known, how)) {
        s->stop = VC4_FAULT_MEMORY;
        return;
    }
    if (!known)
        texel_known = (struct tmu_known){0};
    put(s, i, texel, &texel_known, out, how);
}

INLINE enum vc4_stop sample(struct sampler *s, const struct tmu_words *out, const unsigned how)
{
    for (unsigned first = 0; first < VC4_LANES && !s->stop; first += QUAD) {
        struct quad q = {.lod_made = false};
        for (unsigned k = 0; k < QUAD; k++)
            q.p[k] = point_of(s, SEEN(s, SAMPLE_SOURCE, first + k, first + k), how);
        for (unsigned k = 0; k < QUAD && !s->stop; k++)
            sample_element(s, first + k, &q, out, how);
    }
    return s->stop;
}

/* Point samples of level 0 without definedness. This most frequent look-up is twice as fast here as in the
 * general function. */
INLINE enum vc4_stop sample_points(struct sampler *s, const struct tmu_words *out, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    uint32_t width = width_of(x, 0), height = height_of(x, 0);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t a = s->q->value[TMU_S].lane[i], b = s->q->value[TMU_T].lane[i];
        bool known = is_position(a) && is_position(b);
        int64_t u = point_position(s, known ? position(a, width) : 0),
                v = point_position(s, known ? position(b, height) : 0);
        struct tmu_tap tap = {0};
        s->lane = i;
        bool skips = (how & OBSERVED) && s->moves && !known;
        if (!skips && !fetch(s, 0, 0, column_at(s, 0, u, how), row_at(s, 0, v, how), &tap, how))
            return VC4_FAULT_MEMORY;
        put(s, i, tap.texel, NULL, out, how);
    }
    return VC4_GO;
}

/* Are these look-ups point samples of level 0, whose steps sample_points has? */
static bool is_points(const struct sampler *s)
{
    static const uint16_t others[] = {TMU_POINT_FILTER_LINEAR,     TMU_POINT_LOD_FIRST,
                                      TMU_POINT_LOD_SHARE,         TMU_POINT_SAMPLE_POSITION,
                                      TMU_POINT_SAMPLE_SOURCE,     TMU_POINT_FILTER_WEIGHT,
                                      TMU_POINT_POSITION_MANTISSA, TMU_POINT_POSITION_SHIFT,
                                      TMU_POINT_POSITION_PRODUCT,  TMU_POINT_POSITION_EXPONENT,
                                      TMU_POINT_POSITION_ZERO,     TMU_POINT_POSITION_MINUS,
                                      TMU_POINT_POSITION_AXIS,     TMU_POINT_SAMPLE_TAKEN,
                                      TMU_POINT_FILTER_SHARE,      TMU_POINT_FILTER_ALONE,
                                      TMU_POINT_FILTER_CHANNEL,    TMU_POINT_FILTER_BITS,
                                      TMU_POINT_FILTER_RESULT};
    const struct tmu_texture *x = s->x;
    return tmu_only_points(x) && !x->undefined &&
           !observer_wants_any(s->observer, others, sizeof others / sizeof *others);
}

static enum vc4_stop sample_plain(struct sampler *s, const struct tmu_words *out)
{
    return is_points(s) ? sample_points(s, out, 0) : sample(s, out, 0);
}

static enum vc4_stop sample_observed(struct sampler *s, const struct tmu_words *out)
{
    if (s->env->checked)
        return sample(s, out, CHECKED | OBSERVED);
    return is_points(s) ? sample_points(s, out, OBSERVED) : sample(s, out, OBSERVED);
}

/* Can the observer move a texel out of its texture? Values at other points choose among places inside. */
static bool can_move(const struct observer *o)
{
    static const uint8_t points[] = {
        TMU_POINT_LEVEL_PITCH,     TMU_POINT_LEVEL_ACROSS,   TMU_POINT_LEVEL_BYTES,  TMU_POINT_LEVEL_ADDRESS,
        TMU_POINT_CUBE_FACE,       TMU_POINT_TEXEL_PLACE,    TMU_POINT_TILE_COLUMN,  TMU_POINT_TEXEL_WRAPPED,
        TMU_POINT_TILE_SUBTILE,    TMU_POINT_TEXEL_UTILE,    TMU_POINT_TEXEL_OFFSET, TMU_POINT_TEXEL_ADDRESS,
        TMU_POINT_LEVEL_PARITY,    TMU_POINT_UTILE_ROW_BITS, TMU_POINT_TAP_PLACE,    TMU_POINT_TEXEL_UNIT,
        TMU_POINT_FACE_ADDRESS,    TMU_POINT_UTILE_PLACE,    TMU_POINT_UTILE_BIT,    TMU_POINT_FORMAT_BITS,
        TMU_POINT_FORMAT_BLOCK,    TMU_POINT_UTILE_SIZE,     TMU_POINT_LEVEL_TILES,  TMU_POINT_SIZE_PADDED,
        TMU_POINT_TEXEL_PERIOD,    TMU_POINT_TEXEL_REST,     TMU_POINT_SIZE_LOG2,    TMU_POINT_SIZE_TO_DIVIDE,
        TMU_POINT_LEVEL_TILE_LOG2, TMU_POINT_UTILE_TEXEL,    TMU_POINT_TILE_PLACE,   TMU_POINT_TILE_ROW,
        TMU_POINT_TILE_NUMBER,     TMU_POINT_SUBTILE_PLACE,  TMU_POINT_TEXEL_NUMBER, TMU_POINT_TEXEL_BIT,
        TMU_POINT_TEXEL_PARENT,    TMU_POINT_SIZE_UNITS,     TMU_POINT_TILE_HALF,    TMU_POINT_TILE_ODD,
        TMU_POINT_LEVEL_TILE_COUNT};
    bool can = false;
    for (unsigned i = 0; i < sizeof points && !can; i++) {
        const unsigned point = o->first + points[i];
        can = o->rules->points[point / 64] >> (point % 64) & 1 || (o->force && observer_watches(o, point));
    }
    return can;
}

/* Does the observer want a value of a sample, or can it move a texel? */
static bool is_observed(struct sampler *s)
{
    bool any = s->moves = s->observer && can_move(s->observer);
    for (unsigned point = TMU_POINT_SAMPLE_SOURCE; s->observer && !any && point < TMU_POINT_COUNT; point++)
        any = observer_wants(s->observer, point);
    return any;
}

enum vc4_stop tmu_sample(const struct tmu_texture *x, const struct vc4_env *env, unsigned clause_base,
                         const struct tmu_request *q, const struct tmu_words *out)
{
    struct sampler s = {.x = x, .env = env, .q = q, .observer = env->tmu_observer};
    enum vc4_stop stop = is_observed(&s) ? sample_observed(&s, out)
                         : env->checked  ? sample(&s, out, CHECKED)
                                         : sample_plain(&s, out);
    for (uint32_t bits = s.clauses; bits; bits &= bits - 1)
        cover(env->coverage, clause_base + (unsigned)__builtin_ctz(bits), 0);
    return stop;
}
