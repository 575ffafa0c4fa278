/* SPDX-License-Identifier: MIT */
/*
 * Positions on the axes of a texture, the faces of cube maps, and the level of detail. A template of
 * tmu_sample.c, which includes it once.
 */

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

/* The same, with each part of the float shown to the observer. */
static int64_t observed_position(const struct sampler *s, uint32_t axis, uint32_t coordinate, uint32_t size)
{
    const unsigned how = OBSERVED;
    uint32_t exponent = coordinate >> 23 & 255, mantissa = (coordinate & 0x7FFFFF) | 0x800000;
    if (!is_position(coordinate))
        return 0;
    exponent = SEEN(s, POSITION_EXPONENT, exponent, axis, coordinate);
    if (SEEN(s, POSITION_ZERO, exponent == 0, axis, exponent, coordinate))
        return 0;
    mantissa = SEEN(s, POSITION_MANTISSA, mantissa, axis, coordinate);
    int64_t v = (int64_t)(mantissa * (uint64_t)size);
    v = SEEN_WIDE(s, POSITION_PRODUCT, v, axis, mantissa, size);
    if (SEEN(s, POSITION_MINUS, coordinate >> 31, axis, coordinate))
        v = -v;
    int32_t shift = (int32_t)SEEN(s, POSITION_SHIFT, 134 - exponent, axis, exponent, coordinate);
    if (shift <= 0)
        return v * (int64_t)(UINT64_C(1) << (shift < -24 ? 24 : -shift));
    return shift > 61 ? (v < 0 ? -1 : 0) : floor_shift(v, (unsigned)shift);
}

/* position, or observed_position if an observer wants it. */
static int64_t position_of(const struct sampler *s, uint32_t axis, uint32_t coordinate, uint32_t size)
{
    static const uint16_t points[] = {TMU_POINT_POSITION_MANTISSA, TMU_POINT_POSITION_SHIFT,
                                      TMU_POINT_POSITION_PRODUCT,  TMU_POINT_POSITION_ZERO,
                                      TMU_POINT_POSITION_EXPONENT, TMU_POINT_POSITION_MINUS};
    if (observer_wants_any(s->observer, points, sizeof points / sizeof *points))
        return observed_position(s, axis, coordinate, size);
    return position(coordinate, size);
}

/* The position on an axis of the texture. Coordinates on a cube map's face run from -1 to 1. */
static int64_t axis_position(const struct sampler *s, uint32_t axis, uint32_t coordinate, uint32_t size)
{
    const unsigned how = OBSERVED;
    int64_t scaled = position_of(s, axis, coordinate, size), p = scaled;
    if (s->x->cube)
        p = floor_shift(p + (int64_t)size * ONE_TEXEL, 1);
    return observer_wants(s->observer, TMU_POINT_POSITION_AXIS)
               ? SEEN_WIDE(s, POSITION_AXIS, p, axis, size, s->x->cube, (uint32_t)scaled, coordinate)
               : p;
}

/* Finds the face that the direction points to, and the point on it (OpenGL ES 2.0 table 3.21). */
static struct coordinates cube_point(uint32_t rx, uint32_t ry, uint32_t rz)
{
    const uint32_t minus = 0x80000000U;
    uint32_t ax = rx & ~minus, ay = ry & ~minus, az = rz & ~minus;
    if (ax >= ay && ax >= az)
        return (struct coordinates){.face = rx >> 31, .s = rx >> 31 ? rz : rz ^ minus, .t = ry ^ minus};
    if (ay >= az)
        return (struct coordinates){.face = 2 + (ry >> 31), .s = rx, .t = ry >> 31 ? rz ^ minus : rz};
    return (struct coordinates){.face = 4 + (rz >> 31), .s = rz >> 31 ? rx ^ minus : rx, .t = ry ^ minus};
}

/* The point on the side of the cube that the observer's rules choose. `p`: the model's. */
static struct coordinates observed_side(const struct sampler *s, struct coordinates p, const uint32_t r[3],
                                        uint32_t lane)
{
    const unsigned how = OBSERVED;
    const uint32_t minus = 0x80000000U, own = p.face;
    uint32_t side =
        SEEN(s, CUBE_SIDE, own, r[0], r[1], r[2], r[0] & ~minus, r[1] & ~minus, r[2] & ~minus, lane);
    side = side < TMU_CUBE_FACES ? side : TMU_CUBE_FACES - 1;
    if (side == own)
        return p;
    if (side < 2)
        return (struct coordinates){.face = side, .s = side & 1 ? r[2] : r[2] ^ minus, .t = r[1] ^ minus};
    if (side < 4)
        return (struct coordinates){.face = side, .s = r[0], .t = side & 1 ? r[2] ^ minus : r[2]};
    return (struct coordinates){.face = side, .s = side & 1 ? r[0] ^ minus : r[0], .t = r[1] ^ minus};
}

INLINE struct coordinates point_of(const struct sampler *s, unsigned i, const unsigned how)
{
    const struct tmu_request *q = s->q;
    uint32_t a = q->value[TMU_S].lane[i], b = q->value[TMU_T].lane[i], c = q->value[TMU_R].lane[i];
    bool cube = s->x->cube, known = is_position(a) && is_position(b) && (!cube || is_position(c));
    if (how & CHECKED)
        known &= (q->defined[TMU_S].lane[i] & q->defined[TMU_T].lane[i] &
                  (cube ? q->defined[TMU_R].lane[i] : UINT32_MAX)) == UINT32_MAX;
    if (!known)
        return (struct coordinates){0};
    if (!SEEN(s, SAMPLE_TAKEN, true, a, b, c, cube, i, s->x->min, s->x->mag, s->x->needs_lod))
        a = b = c = 0;
    struct coordinates p = cube ? cube_point(a, b, c) : (struct coordinates){.s = a, .t = b};
    if (cube) {
        if (how & OBSERVED)
            p = observed_side(s, p, (const uint32_t[]){a, b, c}, i);
        p.face = SEEN(s, CUBE_FACE, p.face ^ s->x->face_flip, a, b, c, i) ^ s->x->face_flip;
        p.s = SEEN(s, CUBE_COORDINATE, p.s, 0, p.face, a, b, c, i);
        p.t = SEEN(s, CUBE_COORDINATE, p.t, 1, p.face, a, b, c, i);
    }
    p.known = true;
    return p;
}

/* ---- Level of detail, in units of 1/256 level ---- */

/* log2 of a mantissa, of which 1.0 is 2^31. */
static inline uint32_t log2_of_mantissa(uint64_t m)
{
    uint32_t fraction = 0;
    for (unsigned i = 0; i < 8; i++) {
        m = m * m >> 31;
        uint32_t bit = (uint32_t)(m >> 32);
        m >>= bit;
        fraction = fraction << 1 | bit;
    }
    return fraction;
}

static int32_t log2_of(uint64_t v)
{
    unsigned n = 63U - (unsigned)__builtin_clzll(v);
    uint64_t m = v << (63 - n) >> 32;
    return (int32_t)(n << 8 | log2_of_mantissa(m));
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

/* Returns log2 of a difference in texels. `twice`: log2 of its square, which is in units of 2^-32. */
static int32_t half_of_log2(int32_t twice)
{
    return twice / 2 - 16 * LOD_ONE;
}
/* The same. `square`: the square of the difference. */
static int32_t half_log2(uint64_t square)
{
    return square ? half_of_log2(log2_of(square)) : -LOD_LIMIT;
}

static int32_t signed_larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns log2 of the step along one axis of the quad, as rules of the observer leave it. `du`, `dv`: the
 * parts of the step in S and in T. */
static int32_t observed_gradient(const struct sampler *s, uint32_t along, uint64_t du, uint64_t dv,
                                 bool largest)
{
    const unsigned how = OBSERVED;
    int32_t u = half_log2(du * du), v = half_log2(dv * dv);
    uint64_t square = largest ? larger(du, dv) * larger(du, dv) : du * du + dv * dv;
    uint32_t twice = 0;
    int32_t step = -LOD_LIMIT;
    if (square) {
        uint32_t whole = (uint32_t)log2_of(square) / LOD_ONE,
                 mantissa = (uint32_t)(square << (63 - whole) >> 32);
        mantissa = SEEN(s, LOD_MANTISSA, mantissa, along, whole, s->lane);
        uint32_t fraction = log2_of_mantissa(mantissa) % LOD_ONE;
        fraction = SEEN(s, LOD_FRACTION, fraction, along, whole, s->lane, mantissa);
        twice = SEEN(s, LOD_WHOLE, whole, along, fraction, s->lane) << 8 | fraction;
        step = half_of_log2((int32_t)twice);
    }
    return (int32_t)SEEN(s, LOD_GRADIENT, (uint32_t)step, along, (uint32_t)u, (uint32_t)v, s->lane, twice);
}

/* Returns the step along one axis of the quad, on one axis of the texture, as rules leave it. `p`: positions
 * of the first element and of its neighbours in x and y. */
static uint64_t observed_step(const struct sampler *s, uint32_t axis, uint32_t along, uint64_t step,
                              const int64_t p[3])
{
    const unsigned how = OBSERVED;
    return SEEN(s, LOD_STEP, (uint32_t)step, axis, along, (uint32_t)p[0], (uint32_t)p[1], (uint32_t)p[2],
                s->lane);
}

static int32_t quad_lod(struct sampler *s, struct quad *q)
{
    static const uint16_t points[] = {TMU_POINT_LOD_STEP,      TMU_POINT_LOD_WHOLE,
                                      TMU_POINT_LOD_FRACTION,  TMU_POINT_LOD_GRADIENT,
                                      TMU_POINT_LOD_AUTOMATIC, TMU_POINT_LOD_MANTISSA};
    const struct tmu_texture *x = s->x;
    int64_t u[3], v[3];
    if (q->lod_made)
        return q->lod;
    q->lod_made = true;
    for (unsigned i = 0; i < 3; i++) {
        u[i] = axis_position(s, 0, q->p[i].s, x->width);
        v[i] = axis_position(s, 1, q->p[i].t, x->height);
    }
    uint64_t ux = difference(u[1], u[0]), vx = difference(v[1], v[0]), uy = difference(u[2], u[0]),
             vy = difference(v[2], v[0]), square;
    bool largest = tmu_consult(s, TMU_CLAUSE_LOD) == TMU_LOD_LARGEST;
    if (observer_wants_any(s->observer, points, sizeof points / sizeof *points)) {
        const unsigned how = OBSERVED;
        ux = observed_step(s, 0, 0, ux, u);
        vx = observed_step(s, 1, 0, vx, v);
        uy = observed_step(s, 0, 1, uy, u);
        vy = observed_step(s, 1, 1, vy, v);
        int32_t along_x = observed_gradient(s, 0, ux, vx, largest),
                along_y = observed_gradient(s, 1, uy, vy, largest);
        q->lod = (int32_t)SEEN(s, LOD_AUTOMATIC, (uint32_t)signed_larger(along_x, along_y), (uint32_t)along_x,
                               (uint32_t)along_y, s->lane);
        return q->lod;
    }
    if (largest) {
        uint64_t most = larger(larger(ux, vx), larger(uy, vy));
        square = most * most;
    } else {
        square = larger(ux * ux + vx * vx, uy * uy + vy * vy);
    }
    q->lod = half_log2(square);
    return q->lod;
}

/* Chooses levels and filter at a level of detail. As in OpenGL, exactly half a level chooses the larger
 * image. */
static inline struct choice choose_from(const struct tmu_texture *x, int32_t lod, bool magnified,
                                        uint32_t last)
{
    if (magnified)
        return (struct choice){.linear = x->mag == TMU_MAG_LINEAR};
    uint32_t level = lod > 0 ? (uint32_t)lod : 0; /* a rule can deny magnification */
    const struct tmu_minification *min = &x->minify;
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
static struct choice choose(const struct tmu_texture *x, int32_t lod)
{
    return choose_from(x, lod, !x->needs_lod || lod <= 0, x->levels - 1);
}

static bool same_choice(struct choice a, struct choice b)
{
    return a.first == b.first && a.second == b.second && a.share == b.share && a.linear == b.linear;
}

/* Chooses as `choose` does, and shows each step to the observer. The levels are always ones that exist. */
static struct choice observed_choice(const struct sampler *s, int32_t lod)
{
    const unsigned how = OBSERVED;
    const struct tmu_texture *x = s->x;
    uint32_t most = x->levels - 1, last = most, level = (uint32_t)lod;
    bool magnified = true;
    if (x->needs_lod) {
        last = SEEN(s, LOD_LAST, last, x->levels, s->lane);
        last = last < most ? last : most;
        magnified = SEEN(s, LOD_MAGNIFIED, lod <= 0, level, x->min, x->mag, s->lane);
    }
    struct choice c = choose_from(x, lod, magnified, last);
    c.linear = SEEN(s, FILTER_LINEAR, c.linear, level, x->min, x->mag, s->lane);
    c.first = SEEN(s, LOD_FIRST, c.first, level, last, x->min, s->lane);
    c.first = c.first < last ? c.first : last;
    c.share = SEEN(s, LOD_SHARE, c.share, level, c.first, last, x->min, s->lane);
    c.second = c.share && c.first < last ? c.first + 1 : c.first;
    if (c.share)
        c.second = SEEN(s, LOD_SECOND, c.second, c.first, c.share, last, s->lane);
    c.second = c.second < most ? c.second : most;
    return c;
}

/* Chooses levels and filter for element i. Returns false if the choice depends on undefined bits. */
INLINE bool choice_of(struct sampler *s, unsigned i, struct quad *q, struct choice *c, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    uint32_t b = s->q->value[TMU_B].lane[i];
    bool lod_known = x->explicit_lod || (q->p[0].known && q->p[1].known && q->p[2].known);
    *c = (struct choice){.linear = x->mag == TMU_MAG_LINEAR};
    if (!x->needs_lod) {
        if (how & OBSERVED)
            *c = observed_choice(s, 0);
        return true;
    }
    if (!lod_known || !is_position(b) || ((how & CHECKED) && s->q->defined[TMU_B].lane[i] != UINT32_MAX))
        return false;
    int64_t bias = floor_shift(position_of(s, 0, b, 1), 8);
    bias = SEEN_WIDE(s, LOD_BIAS, bias, b, x->explicit_lod, s->lane);
    int32_t automatic = x->explicit_lod ? 0 : quad_lod(s, q);
    int64_t sum = bias + automatic;
    int32_t level = sum > LOD_LIMIT ? LOD_LIMIT : sum < -LOD_LIMIT ? -LOD_LIMIT : (int32_t)sum;
    level = (int32_t)SEEN(s, LOD_LEVEL, (uint32_t)level, (uint32_t)automatic, (uint32_t)bias, x->explicit_lod,
                          s->lane);
    *c = how & OBSERVED ? observed_choice(s, level) : choose(x, level);
    return x->explicit_lod || tmu_consult(s, TMU_CLAUSE_LOD) != TMU_LOD_UNKNOWN ||
           same_choice(choose(x, level - LOD_TOLERANCE), choose(x, level + LOD_TOLERANCE));
}
