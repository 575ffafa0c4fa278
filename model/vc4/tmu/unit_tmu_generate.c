/* SPDX-License-Identifier: MIT */
/*
 * Generates cases for vc4-tmu that are worth running. A case has one or two scenes (look up a texture; look
 * up memory). Most textures fit the memory. Coordinates are near the edges and centres of texels, in and
 * around the image.
 */
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/tmu/unit_tmu.h"

#include "model/vc4/tmu/texture_format.h"
#include "model/vc4/tmu/texture_layout.h"
#include "model/vc4/tmu/tmu_texture.h"

#include <string.h>

enum { PAGES = DIRECT_MEMORY_BYTES / 4096 };

/* Memories of most cases have the same content. For another content the outcome fills all rows again, which
 * costs more than running a case. */
enum { MEMORY_SEED = 1, OTHER_CONTENT_ONE_IN = 256 };

/* Cases rarely use odd_types, the types on which the built-in profiles differ, because a case whose outcomes
 * differ takes as long as four whose outcomes agree. */
static const uint8_t some_types[] = {0, 0,  0,  0,  0,  0,  0,  0,  5,  5,  5,  6,  6,  6,  7, 7,
                                     7, 10, 10, 11, 12, 12, 13, 14, 15, 16, 16, 16, 17, 17, 9};
static const uint8_t odd_types[] = {1, 2, 3, 4, 8};
static const uint8_t small_sizes[] = {1, 2, 3, 4, 4, 5, 7, 8, 8, 8, 9, 12, 15, 16, 16, 16};
static const uint8_t large_sizes[] = {17, 20, 24, 31, 32, 32, 32, 33, 40, 48, 63, 64, 64, 64, 65, 96, 128};
static const uint32_t some_words[] = {0x00000000, 0x3F800000, 0x3F000000, 0x3E800000, 0xBF800000,
                                      0x40000000, 0x3F7FFFFF, 0x33800000, 0x80000000, 0x7F800000,
                                      0x7FC00000, 0x4F800000, 0x4E000000, 0xFF8040C0};

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- Parameters ---- */

/* These functions build a word in several statements, because C does not define the order of calls within an
 * expression, and a seed must give the same case with every compiler. */
static uint32_t some_size(struct random *r)
{
    if (random_one_in(r, 64))
        return random_below(r, 2048);
    return random_one_in(r, 3) ? PICK(r, large_sizes) : PICK(r, small_sizes);
}

struct texture_words {
    uint32_t p0, p1, p2, p3, words, width, height;
    uint32_t first_face, faces; /* of a cube map: the faces inside the memory */
    bool explicit_lod;
};

static uint32_t size_log2(uint32_t width, uint32_t height)
{
    uint32_t n = 0;
    while (width >> n > 1 || height >> n > 1)
        n++;
    return n;
}

/* The approximate size of level 0. */
static uint32_t bytes_of(uint32_t type, uint32_t width, uint32_t height)
{
    const struct texture_type *t = &texture_types[type];
    return (width >> t->block_width_log2) * (height >> t->block_height_log2) * (1U << t->bits_log2) / 8;
}

/* Makes level 0 of four tiles of 4 KB and level 1 of one tile, with the base at page 1. So level 1 begins at
 * address 0, and smaller levels begin before the memory. */
static void put_levels_at_0(struct random *r, struct texture_words *w, uint32_t type)
{
    const struct texture_type *t = &texture_types[type];
    struct texture_utile utile = texture_utiles[t->bits_log2];
    w->width = 2U * TEXTURE_TILE_UTILES << utile.width_log2 << t->block_width_log2;
    w->height = 2U * TEXTURE_TILE_UTILES << utile.height_log2 << t->block_height_log2;
    w->p0 = (w->p0 & ~(TMU_MASK(P0_BASE) | TMU_MASK(P0_MIPLVLS))) | TMU_PUT(P0_BASE, 1) |
            TMU_PUT(P0_MIPLVLS, 1 + random_below(r, 2));
}

static void make_base(struct random *r, struct texture_words *w, uint32_t type)
{
    w->width = some_size(r);
    w->height = some_size(r);
    for (unsigned i = 0;
         i < 3 && bytes_of(type, w->width, w->height) > DIRECT_MEMORY_BYTES / 2 && !random_one_in(r, 16);
         i++) {
        w->width = 1 + w->width / 2;
        w->height = 1 + w->height / 2;
    }
    uint32_t page = bytes_of(type, w->width, w->height) > 4096 ? 1 : 1 + random_below(r, PAGES - 1);
    uint32_t levels = !random_one_in(r, 4) ? 0 : random_below(r, size_log2(w->width, w->height) + 1);
    if (random_one_in(r, 64)) {
        page = random_below(r, 2 * PAGES);
        levels = random_below(r, 16);
    }
    if (random_one_in(r, 64)) /* smaller levels, and the border, come before the base */
        page = 0;
    w->p0 = TMU_PUT(P0_BASE, page) | TMU_PUT(P0_TYPE, type) | TMU_PUT(P0_MIPLVLS, levels);
    w->p0 |= TMU_PUT(P0_FLIPY, random_one_in(r, 16));
    w->p0 |= TMU_PUT(P0_CSWIZ, random_one_in(r, 64) ? random_below(r, 4) : 0);
    if (random_one_in(r, 64))
        put_levels_at_0(r, w, type);
}

static void make_p1(struct random *r, struct texture_words *w, uint32_t type)
{
    bool integer = type < TEXTURE_TYPES && texture_types[type].channels == TEXTURE_INTEGER;
    uint32_t min = random_below(r, 6), mag = random_below(r, 2);
    if (!random_one_in(r, 3)) { /* point sampling is cheap, and enough for everything but filters */
        min = TMU_MIN_NEAREST;
        mag = TMU_MAG_NEAREST;
    }
    w->p1 = TMU_PUT(P1_TYPE4, type >> 4) | TMU_PUT(P1_WIDTH, w->width) | TMU_PUT(P1_HEIGHT, w->height);
    w->p1 |= TMU_PUT(P1_ETCFLIP, random_below(r, 2));
    w->p1 |= TMU_PUT(P1_MAGFILT, integer ? TMU_MAG_NEAREST : mag);
    if (integer)
        min = random_one_in(r, 2) ? TMU_MIN_NEAREST : TMU_MIN_NEAREST_MIP_NEAREST;
    if (random_one_in(r, 128))
        min = random_below(r, 8);
    w->p1 |= TMU_PUT(P1_MINFILT, min);
    w->p1 |= TMU_PUT(P1_WRAP_T, random_below(r, 4));
    w->p1 |= TMU_PUT(P1_WRAP_S, random_below(r, 4));
}

static uint32_t child_word(struct random *r, const struct texture_words *w, bool offset)
{
    uint32_t half_width = w->width / 2, half_height = w->height / 2, word;
    if (offset) {
        word = TMU_PUT(CHILD_OFFSET_PTYPE, TMU_PTYPE_CHILD_OFFSET);
        word |= TMU_PUT(CHILD_OFFSET_CXOFF, random_below(r, half_width + 1));
        word |= TMU_PUT(CHILD_OFFSET_CYOFF, random_below(r, half_height + 1));
    } else {
        word = TMU_PUT(CHILD_SIZE_PTYPE, TMU_PTYPE_CHILD_SIZE);
        word |= TMU_PUT(CHILD_SIZE_CWIDTH, random_one_in(r, 8) ? 0 : 1 + random_below(r, half_width + 1));
        word |= TMU_PUT(CHILD_SIZE_CHEIGHT, random_one_in(r, 8) ? 0 : 1 + random_below(r, half_height + 1));
    }
    return word;
}

/*
 * Makes a cube map whose faces overlap or are one page apart. The memory has room for only four faces that
 * are one page apart. So the base of some cube maps is two or four pages before the memory, and the
 * directions point to the faces inside the memory.
 */
static void make_cube(struct random *r, struct texture_words *w, uint32_t type)
{
    bool apart = !random_one_in(r, 4);
    w->words = 3;
    w->p0 |= TMU_PUT(P0_CMMODE, 1);
    w->p1 &= ~(TMU_PUT(P1_WRAP_S, 2) | TMU_PUT(P1_WRAP_T, 2));
    w->p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_CMST, apart);
    w->faces = TMU_CUBE_FACES;
    if (!apart)
        return;
    while (bytes_of(type, w->width, w->height) > 4096) {
        w->width = 1 + w->width / 2;
        w->height = 1 + w->height / 2;
    }
    w->p1 &= ~(TMU_MASK(P1_WIDTH) | TMU_MASK(P1_HEIGHT));
    w->p1 |= TMU_PUT(P1_WIDTH, w->width) | TMU_PUT(P1_HEIGHT, w->height);
    w->first_face = 2 * random_below(r, TMU_CUBE_FACES / 2);
    w->faces = w->first_face + PAGES < TMU_CUBE_FACES ? PAGES : TMU_CUBE_FACES - w->first_face;
    w->p0 &= ~(TMU_MASK(P0_BASE) | (random_one_in(r, 8) ? 0 : TMU_MASK(P0_MIPLVLS)));
    w->p0 |= TMU_PUT(P0_BASE, 0 - w->first_face);
}

static void make_texture(struct random *r, struct texture_words *w)
{
    uint32_t type = random_one_in(r, 128)  ? random_below(r, TEXTURE_TYPES)
                    : random_one_in(r, 12) ? PICK(r, odd_types)
                                           : PICK(r, some_types);
    *w = (struct texture_words){.words = 2};
    make_base(r, w, type);
    make_p1(r, w, type);
    switch (random_below(r, 48)) {
    case 0:
        make_cube(r, w, type);
        break;
    case 1:
    case 2:
        w->words = 3;
        w->explicit_lod = true;
        w->p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE) | TMU_PUT(CUBE_BSLOD, 1);
        break;
    case 3:
        w->words = 4;
        w->p2 = child_word(r, w, random_below(r, 2));
        w->p3 = child_word(r, w, TMU_FIELD(w->p2, CUBE_PTYPE) == TMU_PTYPE_CHILD_SIZE);
        break;
    case 4:
        w->words = 3 + random_below(r, 2);
        w->p2 = random_one_in(r, 8) ? random_u32(r) : 0;
        w->p3 = random_one_in(r, 8) ? random_u32(r) : 0;
        break;
    default:
        break;
    }
}

/* ---- Vectors ---- */

/* A coordinate at or near a texel's edge or centre, sometimes outside the image. */
static uint32_t some_coordinate(struct random *r, uint32_t size)
{
    int32_t texel = (int32_t)random_below(r, size + size / 2 + 2) - (int32_t)(size / 4 + 1);
    static const int16_t fractions[] = {0, 128, 128, 128, 64, 192, 32, 1, 255, 127};
    return float_bits((float)(texel * 256 + PICK(r, fractions)) / (float)(256 * size));
}

/* Makes coordinates of four quads. Each has a base and steps in texels along its two sides. */
static void make_coordinates(struct random *r, uint32_t size, bool along_x, uint32_t *lane)
{
    bool quads = random_one_in(r, 2);
    static const uint8_t steps[] = {0, 1, 1, 2, 3, 4, 6, 8, 16};
    float step = (float)PICK(r, steps) / (float)size;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        if (!quads || i % 4 == 0) {
            lane[i] = some_coordinate(r, size);
            continue;
        }
        float base;
        memcpy(&base, &lane[i & ~3U], sizeof base);
        lane[i] = float_bits(base + ((along_x ? i & 1 : i >> 1 & 1) ? step : 0.0F));
    }
    if (random_one_in(r, 32)) {
        uint32_t word = PICK(r, some_words);
        lane[random_below(r, VC4_LANES)] = word;
    }
}

static void make_offsets(struct random *r, uint32_t *lane)
{
    uint32_t first = random_below(r, DIRECT_MEMORY_BYTES / 4) * 4, step = random_below(r, 32) * 4;
    for (unsigned i = 0; i < VC4_LANES; i++)
        lane[i] = (first + step * i) % DIRECT_MEMORY_BYTES + (random_one_in(r, 16) ? random_below(r, 4) : 0);
    static const uint32_t edges[] = {DIRECT_MEMORY_BYTES - 4, DIRECT_MEMORY_BYTES, 0xFFFFFFFC, 0};
    uint32_t place = random_below(r, VC4_LANES);
    if (random_one_in(r, 64))
        lane[place] = random_u32(r);
    else if (random_one_in(r, 12))
        lane[place] = PICK(r, edges) + (random_one_in(r, 4) ? random_below(r, 4) : 0);
}

/* Makes directions to faces of a cube map, mostly to faces inside the memory. The largest component is 1. */
static void make_directions(struct random *r, const struct texture_words *w, uint32_t *s, uint32_t *t,
                            uint32_t *u)
{
    bool any = random_one_in(r, 16);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t face = any ? random_below(r, TMU_CUBE_FACES) : w->first_face + random_below(r, w->faces);
        uint32_t *axis[3] = {&s[i], &t[i], &u[i]}, large = face / 2; /* +X, -X, +Y, -Y, +Z, -Z */
        for (unsigned k = 0; k < 3; k++)
            *axis[k] = float_bits((float)((int32_t)random_below(r, 255) - 127) / 128.0F);
        *axis[large] = face & 1 ? 0xBF800000 : 0x3F800000;
    }
}

static struct direct_image_row *add_row(struct tmu_case *c)
{
    if (c->data.count == TMU_DATA_ROWS)
        return NULL;
    struct direct_image_row *row = &c->data_row[c->data.count];
    row->index = c->data.count++;
    return row;
}

/* ---- Scenes ---- */

static void add(struct tmu_case *c, enum tmu_op_code code, uint32_t operand)
{
    if (c->op_count == TMU_OPS_MAX)
        return;
    uint32_t *op = c->op[c->op_count++];
    op[0] = operand;
    op[1] = code;
}

static void add_all(struct tmu_case *c, enum tmu_op_code code, uint32_t word)
{
    add(c, (enum tmu_op_code)((uint32_t)code | TMU_OP_ALL), word);
}

static void add_uniforms(struct tmu_case *c, const struct texture_words *w)
{
    add(c, TMU_OP_P0, w->p0);
    add(c, TMU_OP_P1, w->p1);
    if (w->words > 2)
        add(c, TMU_OP_P2, w->p2);
    if (w->words > 3)
        add(c, TMU_OP_P2, w->p3);
}

static uint32_t some_lod(struct random *r)
{
    return float_bits((float)((int32_t)random_below(r, 64) - 12) / 8.0F);
}

/* Overwrites the first row of a texture of halves, and the row before it, where a small next level is. The
 * new halves include those that the hardware is known to blend wrong. */
static void add_halves(struct random *r, struct tmu_case *c, uint32_t page)
{
    static const uint16_t halves[] = {0x7C00, 0xBC00, 0xC000, 0xB800, 0x3C00, 0xFC00, 0xBE00, 0x0000};
    if (c->memory.count || page == 0 || page >= PAGES)
        return;
    for (uint32_t n = 0; n < 2; n++) {
        struct direct_image_row *row = &c->memory_row[c->memory.count++];
        row->index = page * 4096 / (4 * VC4_LANES) - 1 + n;
        uint32_t low = PICK(r, halves), high = PICK(r, halves);
        for (unsigned i = 0; i < VC4_LANES; i++)
            row->word[i] = (i & 1 ? low : high) << 16 | low;
    }
}

static void add_texture(struct random *r, struct tmu_case *c)
{
    struct texture_words w;
    struct direct_image_row *s = add_row(c), *t = add_row(c), *u = NULL;
    if (!s || !t)
        return;
    make_texture(r, &w);
    bool cube = TMU_FIELD(w.p0, P0_CMMODE);
    if (cube && (u = add_row(c)))
        make_directions(r, &w, s->word, t->word, u->word);
    if (!cube) {
        make_coordinates(r, w.width, true, s->word);
        make_coordinates(r, w.height, false, t->word);
    }
    uint32_t look_ups = 1 + random_one_in(r, 10), left = w.words - 2;
    for (uint32_t n = 0; n < look_ups; n++) {
        add_uniforms(c, &w);
        bool r_first = left > 0 && !w.explicit_lod;
        if (r_first && u)
            add(c, TMU_OP_R, u->index);
        else if (r_first)
            add_all(c, TMU_OP_R, random_u32(r));
        add(c, TMU_OP_T, t->index);
        if (w.explicit_lod || left > 1)
            add_all(c, TMU_OP_B, some_lod(r));
        add(c, TMU_OP_S, s->index);
    }
    uint32_t type = TMU_FIELD(w.p1, P1_TYPE4) << 4 | TMU_FIELD(w.p0, P0_TYPE);
    uint32_t loads = look_ups * texture_result_words(&texture_types[type]);
    uint32_t kind = texture_types[type].channels;
    if (kind == TEXTURE_HALF || kind == TEXTURE_HALVES)
        add_halves(r, c, TMU_FIELD(w.p0, P0_BASE));
    if (random_one_in(r, 32))
        loads += random_below(r, 3) - 1;
    for (; loads && loads < 16; loads--)
        add(c, TMU_OP_LOAD, 0);
}

static void add_memory(struct random *r, struct tmu_case *c)
{
    struct direct_image_row *row = add_row(c);
    if (!row)
        return;
    make_offsets(r, row->word);
    uint32_t count = random_one_in(r, 12) ? 1 + random_below(r, 10) : 1 + random_below(r, 3);
    for (uint32_t n = 0; n < count; n++) {
        if (random_one_in(r, 4))
            add_all(c, TMU_OP_S_ADDRESS, random_below(r, DIRECT_MEMORY_BYTES));
        else
            add(c, TMU_OP_S_ADDRESS, row->index);
    }
    if (random_one_in(r, 32))
        count += random_below(r, 3) - 1;
    for (; count && count < 16; count--)
        add(c, TMU_OP_LOAD, 0);
}

void tmu_case_generate(struct random *r, struct test_case *tc)
{
    struct tmu_case *c = (struct tmu_case *)(void *)tc->words;
    c->memory.fill = FILL_RANDOM;
    c->memory.seed = MEMORY_SEED;
    if (random_one_in(r, OTHER_CONTENT_ONE_IN)) {
        c->memory.fill = random_below(r, FILL_KINDS);
        c->memory.seed = c->memory.fill == FILL_RANDOM ? random_u32(r) : 0;
    }
    for (uint32_t scenes = 1 + random_one_in(r, 8); scenes; scenes--)
        if (random_one_in(r, 3))
            add_memory(r, c);
        else
            add_texture(r, c);
}

void tmu_op_generate(struct random *r, uint32_t *words)
{
    struct texture_words w;
    uint32_t code = random_below(r, TMU_OP_CODES);
    words[0] = 0;
    words[1] = code;
    make_texture(r, &w);
    switch (tmu_ops[code].operand) {
    case TMU_OPERAND_P0:
        words[0] = w.p0;
        break;
    case TMU_OPERAND_P1:
        words[0] = w.p1;
        break;
    case TMU_OPERAND_P2:
        words[0] = random_one_in(r, 2) ? child_word(r, &w, random_below(r, 2)) : w.p2;
        break;
    case TMU_OPERAND_WORD:
        words[0] = random_u32(r);
        break;
    case TMU_OPERAND_VECTOR:
        words[0] = random_below(r, TMU_DATA_ROWS);
        if (random_one_in(r, 2)) {
            words[1] |= TMU_OP_ALL;
            words[0] = code == TMU_OP_S_ADDRESS ? random_below(r, DIRECT_MEMORY_BYTES) : PICK(r, some_words);
        }
        break;
    case TMU_OPERAND_NONE:
        break;
    }
}

void tmu_op_mutate(struct random *r, uint32_t *words)
{
    uint32_t code = words[1] & OP_CODE_MASK;
    if (code >= TMU_OP_CODES || random_one_in(r, 8)) {
        tmu_op_generate(r, words);
    } else if (tmu_op_bits(words)) {
        direct_mutate_field(r, tmu_op_bits(words), words);
    } else if (tmu_ops[code].operand == TMU_OPERAND_VECTOR && random_one_in(r, 4)) {
        words[1] ^= TMU_OP_ALL;
    } else {
        uint32_t bit = 1U << random_below(r, 32);
        const uint32_t choices[] = {words[0] + 1, words[0] - 1, words[0] + 64, words[0] ^ bit,
                                    PICK(r, some_words)};
        words[0] = PICK(r, choices);
    }
}

void tmu_case_mend(struct test_case *tc)
{
    struct tmu_case *c = (struct tmu_case *)(void *)tc->words;
    direct_mend_content(&c->memory);
    direct_mend_content(&c->data);
    for (uint32_t i = 0; i < c->op_count; i++) {
        uint32_t *op = c->op[i], code = (op[1] & OP_CODE_MASK) % TMU_OP_CODES;
        enum tmu_operand operand = tmu_ops[code].operand;
        op[1] = code | (operand == TMU_OPERAND_VECTOR ? op[1] & TMU_OP_ALL : 0);
        if (operand == TMU_OPERAND_NONE)
            op[0] = 0;
        if (operand == TMU_OPERAND_VECTOR && !(op[1] & TMU_OP_ALL))
            op[0] %= TMU_DATA_ROWS;
        if (operand == TMU_OPERAND_P0)
            op[0] = (op[0] & ~TMU_MASK(P0_BASE)) |
                    TMU_PUT(P0_BASE, TMU_FIELD(op[0], P0_BASE) % (2 * PAGES)); /* half of them are outside */
    }
}
