/* SPDX-License-Identifier: MIT */
/*
 * Texels: wrapping, addresses, decoding, and the border. A template of tmu_sample.c, which includes it once.
 */

/* ---- Texels ---- */

/* Reads a unit of storage (struct texture_type). Returns false if the run may not read the address. `inside`:
 * the address needs no check. */
INLINE bool read_unit(struct sampler *s, uint32_t address, uint32_t bit_in_byte, bool inside, uint64_t *unit,
                      uint64_t *defined, const unsigned how)
{
    const struct vc4_rows *m = &s->env->memory;
    uint32_t bits_log2 = s->x->bits_log2, bytes = bits_log2 > 3 ? 1U << (bits_log2 - 3) : 1;
    uint32_t offset = address - s->env->memory_base;
    if (!inside && !vc4_reach(s->env, address, bytes, VC4_LOADS, &offset))
        return false;
    uint32_t at = offset / 4, shift = offset % 4 * 8 + bit_in_byte;
    if (how & OBSERVED) {
        const uint32_t words = m->rows * VC4_LANES - (bytes == 8), number = 1U << bits_log2;
        at = SEEN(s, WORD_PLACE, at, offset, number, s->lane) % words;
        shift = SEEN(s, WORD_LOW, shift, offset, bit_in_byte, number, s->lane);
        s->word = m->value[at / VC4_LANES].lane[at % VC4_LANES];
        s->low = shift;
    }
    const uint32_t *word = (const uint32_t *)(const void *)m->value,
                   *mask = (const uint32_t *)(const void *)m->defined;
    if (bytes == 8) {
        *unit = word[at] | (uint64_t)word[at + 1] << 32;
        *defined = (how & CHECKED) && (mask[at] & mask[at + 1]) != UINT32_MAX ? 0 : ~UINT64_C(0);
        return true;
    }
    uint32_t wanted = (uint32_t)((UINT64_C(1) << (1U << bits_log2)) - 1U);
    *unit = word[at] >> shift & wanted;
    /* One undefined bit makes the texel undefined. */
    *defined = (how & CHECKED) && (mask[at] >> shift & wanted) != wanted ? 0 : ~UINT64_C(0);
    return true;
}

enum { STORED_OTHER = 8 }; /* index of an input of TEXEL_STORED: the other half */

/* Shows a unit of storage or a decoded texel to the observer: its lower 32 bits and, if `both`, its upper 32
 * bits. input[0] gets the number of the half. */
static uint64_t observed_halves(const struct sampler *s, unsigned point, uint64_t v, uint32_t *input,
                                bool both)
{
    uint64_t out = 0;
    for (uint32_t half = 0; half < (both ? 2U : 1U); half++) {
        input[0] = half;
        if (point == TMU_POINT_TEXEL_STORED)
            input[STORED_OTHER] = half ? (uint32_t)v : (uint32_t)(v >> 32);
        out |= (uint64_t)observe(s->observer, point, (uint32_t)(v >> 32 * half), input) << 32 * half;
    }
    return out;
}

/* Decodes a unit of storage as read_texel does. Shows the stored unit and the texel to the observer. */
static uint64_t observed_decode(const struct sampler *s, uint64_t unit, uint32_t x, uint32_t y, uint32_t word,
                                uint32_t low)
{
    const unsigned how = OBSERVED;
    const struct texture_type *type = s->x->type;
    uint32_t number = (uint32_t)(type - texture_types), bits = 1U << s->x->bits_log2,
             inner_x = x & ((1U << s->x->block_log2[0]) - 1U),
             inner_y = y & ((1U << s->x->block_log2[1]) - 1U);
    if (observer_wants(s->observer, TMU_POINT_TEXEL_STORED))
        unit = observed_halves(s, TMU_POINT_TEXEL_STORED, unit,
                               (uint32_t[]){0, number, x, y, s->lane, word, low, bits, 0, word >> low % 32},
                               bits == 64);
    inner_x = SEEN(s, TEXEL_INNER, inner_x, 0, x, number, s->lane);
    inner_y = SEEN(s, TEXEL_INNER, inner_y, 1, y, number, s->lane);
    uint64_t texel = texture_decode_observed(type, s->observer, &s->x->rules, unit, inner_x, inner_y);
    if (observer_wants(s->observer, TMU_POINT_TEXEL_VALUE))
        texel = observed_halves(s, TMU_POINT_TEXEL_VALUE, texel,
                                (uint32_t[]){0, (uint32_t)unit, number, x, y, s->lane},
                                type->channels == TEXTURE_HALVES);
    return texel;
}

/* Where a texel is: the bus address of the face of its level, and the texel's bit address in the face. */
struct where {
    uint32_t level, face, address, bit;
};

/* Decodes texel (x, y) of the unit of storage at this place. */
INLINE bool read_texel(struct sampler *s, struct where at, bool inside, uint32_t x, uint32_t y,
                       struct tmu_tap *tap, const unsigned how)
{
    const struct texture_type *type = s->x->type;
    uint64_t unit;
    uint32_t bit = at.bit ^ s->x->bit_flip, address = at.address + bit / 8, shift = bit % 8;
    if (how & OBSERVED) {
        uint32_t memory = s->env->memory_base, bits = 1U << s->x->bits_log2;
        bit = SEEN(s, TEXEL_BIT, bit, at.bit, s->x->bit_flip, bits, s->lane);
        address = at.address + bit / 8;
        address = memory + SEEN(s, TEXEL_ADDRESS, address - memory, at.level, at.face, at.address - memory,
                                at.bit, (uint32_t)(type - texture_types), s->lane, bit);
        shift = SEEN(s, TEXEL_SHIFT, bit % 8, bits, at.bit, s->lane, bit);
    }
    if (!read_unit(s, address, shift, inside, &unit, &tap->defined, how))
        return false;
    if (how & OBSERVED) {
        tap->texel = observed_decode(s, unit, x, y, s->word, s->low);
        return true;
    }
    if (!type->decode) {
        tap->texel = unit;
        return true;
    }
    tap->texel = type->decode(&s->x->rules, unit, x & ((1U << s->x->block_log2[0]) - 1U),
                              y & ((1U << s->x->block_log2[1]) - 1U));
    return true;
}

/* The border texel: R of element 0, or a texel of an extra level (clauses tmu-border-source,
 * tmu-border-order). */
static __attribute__((noinline)) bool make_border(struct sampler *s, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    if (tmu_consult(s, TMU_CLAUSE_BORDER_SOURCE) == TMU_BORDER_EXTRA_LEVEL) {
        s->border_made =
            read_texel(s, (struct where){.address = x->border_address}, false, 0, 0, &s->border, how);
        return s->border_made;
    }
    s->border_made = true;
    uint32_t word = s->q->value[TMU_R].lane[0];
    bool known = (!(how & CHECKED) || s->q->defined[TMU_R].lane[0] == UINT32_MAX) &&
                 x->type->channels == TEXTURE_BYTES;
    if (tmu_consult(s, TMU_CLAUSE_BORDER_ORDER) == TMU_BORDER_FORMAT_ORDER) {
        uint32_t out = 0;
        for (unsigned i = 0; i < 4; i++) {
            uint8_t from = x->type->border[i];
            known &= from != TEXTURE_BORDER_UNKNOWN;
            out |= (from == TEXTURE_BORDER_ONE ? 255U : from < 4 ? word >> 8 * from & 255U : 0U) << 8 * i;
        }
        word = out;
    }
    s->border.texel =
        SEEN(s, BORDER_VALUE, word, (uint32_t)(x->type - texture_types), s->q->value[TMU_R].lane[0]);
    s->border.defined = known ? ~UINT64_C(0) : 0;
    return true;
}

/* The number of texels after which an axis of `size` texels repeats itself. */
static uint32_t period_of(uint32_t mode, uint32_t size)
{
    return mode == TMU_WRAP_MIRROR ? 2 * size : size;
}
static uint32_t rest_of(int64_t i, uint32_t period)
{
    int64_t r = period ? i % (int64_t)period : 0; /* no image is empty, so the period is not 0 */
    return (uint32_t)(r < 0 ? r + (int64_t)period : r);
}
static uint32_t turned(uint32_t rest, uint32_t period, uint32_t size)
{
    return rest < size ? rest : period - 1 - rest;
}

/* Wraps the index of a texel that is outside of an axis of `size` texels: below 0, or behind the last (p42
 * T16). Returns IN_BORDER if it is in the border. */
static uint32_t wrap_outside(uint32_t mode, int64_t i, uint32_t size, bool below)
{
    switch (mode) {
    case TMU_WRAP_CLAMP:
        return below ? 0 : size - 1;
    case TMU_WRAP_BORDER:
        return IN_BORDER;
    default:
        return turned(rest_of(i, period_of(mode, size)), period_of(mode, size), size);
    }
}

/* The axis, mip level and place in the filter that an index of a texel is for. For the observer. */
struct tap_of {
    uint32_t axis, level;
    int64_t position;
    bool linear, far;
};

/* Does the same, and shows each step to the observer. `rest`: gets the index within the period. */
static uint32_t observed_wrap(const struct sampler *s, uint32_t mode, int64_t i, uint32_t size,
                              struct tap_of of, uint32_t *rest)
{
    const unsigned how = OBSERVED;
    const bool below = SEEN(s, TEXEL_BELOW, i < 0, of.axis, (uint32_t)i, size, mode, of.level, s->lane);
    if (mode == TMU_WRAP_CLAMP || mode == TMU_WRAP_BORDER)
        return wrap_outside(mode, i, size, below);
    uint32_t period = SEEN(s, TEXEL_PERIOD, period_of(mode, size), of.axis, size, mode, of.level, s->lane);
    *rest =
        SEEN(s, TEXEL_REST, rest_of(i, period), of.axis, (uint32_t)i, size, mode, period, of.level, s->lane);
    return turned(*rest, period, size);
}

static uint32_t width_of(const struct tmu_texture *x, uint32_t level)
{
    return x->child ? x->width : x->level[level].width;
}
static uint32_t height_of(const struct tmu_texture *x, uint32_t level)
{
    return x->child ? x->height : x->level[level].height;
}

/* Wraps and flips the index `i` of a texel. Returns its column (axis 0) or row (axis 1) in the level or
 * child, or IN_BORDER. */
INLINE uint32_t place(const struct sampler *s, int64_t i, struct tap_of of, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    const uint32_t axis = of.axis, level = of.level, mode = x->wrap[axis];
    uint32_t size = axis ? height_of(x, level) : width_of(x, level), rest = 0;
    i = SEEN_WIDE(s, TEXEL_INDEX, i, axis, size, mode, level, s->lane, of.linear, of.far,
                  (uint32_t)of.position);
    uint32_t at = (uint32_t)i;
    if ((uint64_t)i >= size)
        at = how & OBSERVED ? observed_wrap(s, mode, i, size, of, &rest) : wrap_outside(mode, i, size, i < 0);
    at = SEEN(s, TEXEL_WRAPPED, at, axis, (uint32_t)i, size, mode, level, s->lane, rest);
    uint32_t flipped = axis && x->flip_y && at != IN_BORDER ? size - 1 - at : at;
    return SEEN(s, TEXEL_PLACE, flipped, axis, at, size, x->flip_y, level, s->lane);
}

/* The column or row of the texel at a position. */
INLINE uint32_t column_at(const struct sampler *s, uint32_t level, int64_t u, const unsigned how)
{
    return place(s, floor_shift(u, 16), (struct tap_of){.axis = 0, .level = level, .position = u}, how);
}
INLINE uint32_t row_at(const struct sampler *s, uint32_t level, int64_t v, const unsigned how)
{
    return place(s, floor_shift(v, 16), (struct tap_of){.axis = 1, .level = level, .position = v}, how);
}

/* The columns or rows of the near and the far texel of a linear filter. `i`: index of the near one. */
INLINE void places(const struct sampler *s, uint32_t axis, uint32_t level, int64_t i, int64_t position,
                   uint32_t at[2], const unsigned how)
{
    const struct tap_of near = {.axis = axis, .level = level, .position = position, .linear = true};
    struct tap_of far = near;
    far.far = true;
    at[0] = place(s, i, near, how);
    at[1] = place(s, i + 1, far, how);
}

/* Computes the same as texture_bit_in_utile for microtile 0, and shows each step to the observer. */
static uint32_t observed_bit_in_utile(const struct sampler *s, const struct texture_grid *g, uint32_t x,
                                      uint32_t y)
{
    const unsigned how = OBSERVED;
    const uint32_t bits = 1U << g->texel_bits_log2, x_mask = (1U << g->utile.width_log2) - 1U,
                   y_mask = (1U << g->utile.height_log2) - 1U;
    const uint32_t column = SEEN(s, UTILE_TEXEL, x & x_mask, 0, x, x_mask, g->order, s->lane),
                   row = SEEN(s, UTILE_TEXEL, y & y_mask, 1, y, y_mask, g->order, s->lane);
    const uint32_t bit = row << g->row_bits_log2 | column << g->texel_bits_log2;
    return SEEN(s, UTILE_BIT, bit, x, y, g->row_bits_log2, bits, s->lane, column, row);
}

/* Computes the same as texture_utile_t, and shows each step to the observer. */
static uint32_t observed_utile_t(const struct sampler *s, const struct texture_grid *g, uint32_t ux,
                                 uint32_t uy)
{
    const unsigned how = OBSERVED;
    const uint32_t tx = SEEN(s, TILE_PLACE, ux >> 3, 0, ux, s->lane),
                   ty = SEEN(s, TILE_PLACE, uy >> 3, 1, uy, s->lane),
                   column = SEEN(s, TILE_COLUMN, texture_tile_column(g, tx, ty), tx, ty, g->across, s->lane),
                   right = SEEN(s, TILE_HALF, ux >> 2 & 1U, 0, ux, s->lane),
                   above = SEEN(s, TILE_HALF, uy >> 2 & 1U, 1, uy, s->lane),
                   odd = SEEN(s, TILE_ODD, uy >> 3 & 1U, uy, s->lane),
                   subtile = SEEN(s, TILE_SUBTILE, texture_subtile_in(right, above, odd), ux, uy, s->lane,
                                  right, above, odd),
                   row = SEEN(s, TILE_ROW, ty, uy, s->lane),
                   tile = SEEN(s, TILE_NUMBER, row * g->across + column, row, column, g->across, s->lane),
                   x = SEEN(s, SUBTILE_PLACE, ux & 3U, 0, ux, s->lane),
                   y = SEEN(s, SUBTILE_PLACE, uy & 3U, 1, uy, s->lane),
                   utile = tile << 6 | subtile << 4 | y << 2 | x;
    return SEEN(s, TEXEL_UTILE, utile, g->order, ux, uy, g->across, s->lane, tile, subtile, x, y);
}

/* Computes the same as texture_bit, and shows each step to the observer. */
static uint32_t observed_bit(const struct sampler *s, const struct texture_grid *g, uint32_t x, uint32_t y)
{
    const unsigned how = OBSERVED;
    uint32_t ux = x >> g->utile.width_log2, uy = y >> g->utile.height_log2, bits = 1U << g->texel_bits_log2;
    uint32_t utile = 0, within = 0, bit;
    if (g->order == TEXTURE_RASTER) {
        uint32_t number = y * g->across + x;
        bit = SEEN(s, TEXEL_NUMBER, number, x, y, g->across, s->lane) << g->texel_bits_log2;
    } else {
        ux = SEEN(s, UTILE_PLACE, ux, 0, x, g->order, bits, s->lane);
        uy = SEEN(s, UTILE_PLACE, uy, 1, y, g->order, bits, s->lane);
        if (g->order == TEXTURE_T)
            utile = observed_utile_t(s, g, ux, uy);
        else
            utile =
                SEEN(s, TEXEL_UTILE, uy * g->across + ux, g->order, ux, uy, g->across, s->lane, 0, 0, 0, 0);
        within = observed_bit_in_utile(s, g, x, y);
        bit = utile << 9 | within;
    }
    return SEEN(s, TEXEL_OFFSET, bit, g->order, x, y, utile, g->across, bits, s->lane, within);
}

INLINE bool fetch(struct sampler *s, uint32_t level, uint32_t face, uint32_t tx, uint32_t ty,
                  struct tmu_tap *tap, const unsigned how)
{
    const struct tmu_texture *x = s->x;
    const struct tmu_level *l = &x->level[level];
    if (tx == IN_BORDER || ty == IN_BORDER) {
        if (!s->border_made && !make_border(s, how))
            return false;
        tap->texel = s->border.texel;
        tap->defined = s->border.defined;
        return true;
    }
    tx = SEEN(s, TEXEL_PARENT, tx + x->child_x, 0, tx, x->child_x, s->lane);
    ty = SEEN(s, TEXEL_PARENT, ty + x->child_y, 1, ty, x->child_y, s->lane);
    uint32_t unit_x = tx >> x->block_log2[0], unit_y = ty >> x->block_log2[1];
    face ^= x->face_flip;
    uint32_t address = l->address + face * x->face_stride;
    if (how & OBSERVED) {
        uint32_t memory = s->env->memory_base, number = (uint32_t)(x->type - texture_types);
        unit_x = SEEN(s, TEXEL_UNIT, unit_x, 0, tx, number, s->lane);
        unit_y = SEEN(s, TEXEL_UNIT, unit_y, 1, ty, number, s->lane);
        address = memory + SEEN(s, FACE_ADDRESS, address - memory, level, face, l->address - memory,
                                x->face_stride, s->lane);
    }
    struct where at = {.level = level,
                       .face = face,
                       .address = address,
                       .bit = how & OBSERVED ? observed_bit(s, &l->grid, unit_x, unit_y)
                                             : texture_bit(&l->grid, unit_x, unit_y)};
    bool inside = x->inside && !(how & OBSERVED); /* a rule can have moved the address */
    return read_texel(s, at, inside, tx, ty, tap, how);
}
