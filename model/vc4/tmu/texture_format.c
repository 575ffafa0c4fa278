/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/texture_format.h"

#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_points.h"

#include <stddef.h>

#define BIT(clause) (1U << TMU_CLAUSE_##clause)

static uint64_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return r | g << 8 | b << 16 | a << 24;
}

/* Puts the channels of a texel of type `type` together, and shows each to the observer. `field`, `bits`: of
 * the channels as stored. */
static inline uint64_t place_channels(const uint32_t c[4], const struct observer *o, uint32_t type,
                                      const uint32_t field[4], const uint8_t bits[4])
{
    uint64_t texel = 0;
    if (!observer_wants(o, TMU_POINT_CHANNEL_PLACED))
        return rgba(c[0], c[1], c[2], c[3]);
    for (uint32_t i = 0; i < 4; i++)
        texel |= observe(o, TMU_POINT_CHANNEL_PLACED, c[i] << 8 * i,
                         (uint32_t[]){c[i] & 0xFF, i, type, bits[i], field[i]});
    return texel;
}

/* Expands a channel of 1 to 7 bits to 8 bits (clause tex-expansion). `i`: number of the channel, and `type`
 * of the type; only the observer uses them. */
static inline uint32_t expand(const struct texture_rules *rules, uint32_t value, uint32_t bits,
                              const struct observer *o, uint32_t i, uint32_t type)
{
    if (rules->expansion == TMU_EXPANSION_SHIFT)
        return value << (8 - bits);
    uint32_t most = (1U << bits) - 1U;
    if (rules->expansion == TMU_EXPANSION_SCALE)
        return (value * 255U + most / 2U) / most;
    uint32_t out = 0; /* the bits, repeated from the top down */
    for (uint32_t filled = 0; filled < 8; filled += bits) {
        uint32_t left = 8 - filled, part = left >= bits ? value << (left - bits) : value >> (bits - left);
        out |= OBSERVE(o, TMU_POINT_CHANNEL_PART, part, value, left, bits, i, type);
    }
    return out;
}

static const struct texture_packing packing_4444 = {{4, 4, 4, 4}, {0, 4, 8, 12}, {12, 8, 4, 0}, 255};
static const struct texture_packing packing_5551 = {{5, 5, 5, 1}, {0, 5, 10, 15}, {11, 6, 1, 0}, 255};
static const struct texture_packing packing_565 = {{5, 6, 5, 0}, {0, 5, 11, 0}, {11, 5, 0, 0}, 255};
static const struct texture_packing packing_a4 = {{0, 0, 0, 4}, {0}, {0}, 0};
static const struct texture_packing packing_a1 = {{0, 0, 0, 1}, {0}, {0}, 0};

/* `type`: number of the type; only the observer uses it. */
static inline uint64_t unpack(const struct texture_rules *rules, const struct texture_packing *p,
                              uint64_t unit, const struct observer *o, uint32_t type)
{
    const uint8_t *lowest = rules->channel_order == TMU_CHANNELS_RED_HIGH ? p->red_high : p->low_first;
    uint32_t c[4], fields[4] = {0, 0, 0, 0};
    uint8_t sizes[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bits = p->bits[i], low;
        if (o) {
            bits = OBSERVE(o, TMU_POINT_CHANNEL_BITS, bits, i, type);
            bits = bits < 8 ? bits : 8;
        }
        sizes[i] = (uint8_t)bits;
        c[i] = p->missing;
        if (bits == 0)
            continue;
        low = OBSERVE(o, TMU_POINT_CHANNEL_LOW, lowest[i], i, bits, type);
        uint32_t field = (uint32_t)(unit >> low) & ((1U << bits) - 1U);
        field = OBSERVE(o, TMU_POINT_CHANNEL_FIELD, field, (uint32_t)(unit >> low), (1U << bits) - 1U, i,
                        bits, type);
        fields[i] = field;
        /* a rule can give a field of more than `bits` bits */
        c[i] = expand(rules, field, bits, o, i, type) & 0xFF;
        c[i] = OBSERVE(o, TMU_POINT_CHANNEL_VALUE, c[i], field, i, bits, type);
    }
    return place_channels(c, o, type, fields, sizes);
}

/* clang-format off */
#define DECODE(name) \
    static uint64_t decode_##name(const struct texture_rules *rules, uint64_t unit, uint32_t x, uint32_t y)
#define DECODE_ALONE(name, value) DECODE(name) { (void)rules, (void)x, (void)y; return value; }
DECODE_ALONE(rgbx, (unit & (rules->type_rga == TMU_TYPE_RGB ? 0x00FFFFFFU : 0x0000FFFFU)) | 0xFF000000U)
DECODE_ALONE(4444, unpack(rules, &packing_4444, unit, NULL, 0))
DECODE_ALONE(5551, unpack(rules, &packing_5551, unit, NULL, 0))
DECODE_ALONE(565, unpack(rules, &packing_565, unit, NULL, 0))
DECODE_ALONE(luminance, unit * 0x010101U | 0xFF000000U)
DECODE_ALONE(alpha, unit << 24)
DECODE_ALONE(lumalpha, (unit & 0xFF) * 0x010101U | (unit >> 8) << 24)
DECODE_ALONE(bw1, unit ? 0xFFFFFFFFU : 0xFF000000U)
DECODE_ALONE(a4, unpack(rules, &packing_a4, unit, NULL, 0))
DECODE_ALONE(a1, unpack(rules, &packing_a1, unit, NULL, 0))
/* clang-format on */

static inline uint32_t etc_row(const struct texture_rules *rules, uint32_t y)
{
    return rules->etc_lowest_first ? y : 3 - y;
}

DECODE(etc1)
{
    return texture_etc1(unit, x, etc_row(rules, y));
}

static uint32_t clamp_byte(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v;
}

/* ITU-R BT.601 in integers, with the constants of its usual 8-bit form. The offset keeps sums positive before
 * they are shifted. */
DECODE(yuyv)
{
    (void)y;
    if (rules->yuyv == READING_MANUAL)
        return unit;
    int32_t luma = 298 * ((int32_t)(unit >> (x ? 16 : 0) & 0xFF) - 16);
    int32_t u = (int32_t)(unit >> 8 & 0xFF) - 128, v = (int32_t)(unit >> 24 & 0xFF) - 128, half = 128,
            offset = 1024 * 256;
    int32_t r = (luma + 409 * v + half + offset) / 256 - 1024;
    int32_t g = (luma - 100 * u - 208 * v + half + offset) / 256 - 1024;
    int32_t b = (luma + 516 * u + half + offset) / 256 - 1024;
    return rgba(clamp_byte(r), clamp_byte(g), clamp_byte(b), 255);
}

#define ONE     TEXTURE_BORDER_ONE
#define ZERO    TEXTURE_BORDER_ZERO
#define UNKNOWN TEXTURE_BORDER_UNKNOWN
/* clang-format off */
#define NOT_KNOWN {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}
#define EXPANDED(clause) BIT(clause) | BIT(EXPANSION)
const struct texture_type texture_types[TEXTURE_TYPES] = {
    [0] = {"RGBA8888", TEXTURE_BYTES, 5, 0, 0, false, 0, {0, 1, 2, 3}, NULL, NULL},
    [1] = {"RGBX8888", TEXTURE_BYTES, 5, 0, 0, false, BIT(TYPE_RGA), {0, 1, 2, ONE}, decode_rgbx, NULL},
    [2] = {"RGBA4444", TEXTURE_BYTES, 4, 0, 0, false, EXPANDED(CHANNEL_ORDER), {3, 2, 1, 0},
     decode_4444, &packing_4444},
    [3] = {"RGBA5551", TEXTURE_BYTES, 4, 0, 0, false, EXPANDED(CHANNEL_ORDER), {3, 2, 1, 0},
     decode_5551, &packing_5551},
    [4] = {"RGB565", TEXTURE_BYTES, 4, 0, 0, false, EXPANDED(CHANNEL_ORDER), {2, 1, 0, ONE},
     decode_565, &packing_565},
    [5] = {"LUMINANCE", TEXTURE_BYTES, 3, 0, 0, false, 0, {0, 0, 0, ONE}, decode_luminance, NULL},
    [6] = {"ALPHA", TEXTURE_BYTES, 3, 0, 0, false, 0, {ZERO, ZERO, ZERO, 3}, decode_alpha, NULL},
    [7] = {"LUMALPHA", TEXTURE_BYTES, 4, 0, 0, false, 0, {0, 0, 0, 3}, decode_lumalpha, NULL},
    [8] = {"ETC1", TEXTURE_BYTES, 6, 2, 2, false, BIT(ETCFLIP), NOT_KNOWN, decode_etc1, NULL},
    [9] = {"S16F", TEXTURE_HALF, 4, 0, 0, false, BIT(SINGLE_PACKING), NOT_KNOWN, NULL, NULL},
    [10] = {"S8", TEXTURE_BYTE, 3, 0, 0, false, BIT(SINGLE_PACKING), NOT_KNOWN, NULL, NULL},
    [11] = {"S16", TEXTURE_INTEGER, 4, 0, 0, false, BIT(SINGLE_PACKING), NOT_KNOWN, NULL, NULL},
    [12] = {"BW1", TEXTURE_BYTES, 0, 0, 0, false, BIT(BIT_ORDER), NOT_KNOWN, decode_bw1, NULL},
    [13] = {"A4", TEXTURE_BYTES, 2, 0, 0, false, EXPANDED(BIT_ORDER), NOT_KNOWN, decode_a4, &packing_a4},
    [14] = {"A1", TEXTURE_BYTES, 0, 0, 0, false, EXPANDED(BIT_ORDER), NOT_KNOWN, decode_a1, &packing_a1},
    [15] = {"RGBA64", TEXTURE_HALVES, 6, 0, 0, false, 0, NOT_KNOWN, NULL, NULL},
    [16] = {"RGBA32R", TEXTURE_BYTES, 5, 0, 0, true, 0, {0, 1, 2, 3}, NULL, NULL},
    [17] = {"YUYV422R", TEXTURE_BYTES, 5, 1, 0, true, BIT(YUYV), NOT_KNOWN, decode_yuyv, NULL},
};
/* clang-format on */

/*
 * ETC1 (OES_compressed_ETC1_RGB8_texture): two sub-blocks of 2 x 4 or 4 x 2 texels. Each has a base colour
 * and selects a row of a table of modifiers. Two bits for each texel select one of the row's four modifiers.
 * The extension numbers the 64 bits from the last byte: bit 63 is the highest bit of the first byte.
 */
static const uint8_t etc_modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};

static inline uint32_t etc_field(const struct observer *o, uint64_t block, uint32_t high, uint32_t bits)
{
    uint32_t lowest = high + 1 - bits;
    lowest = OBSERVE(o, TMU_POINT_ETC_FIELD_LOW, lowest, high, bits) & 63U;
    uint32_t moved = (uint32_t)(block >> lowest), mask = (1U << bits) - 1U;
    return OBSERVE(o, TMU_POINT_ETC_FIELD, moved & mask, moved, bits, high, mask);
}

/* A colour of a byte of an ETC1 block as stored: five bits with a change behind them, or four bits for each
 * sub-block. */
static inline uint32_t etc_stored(const struct observer *o, uint32_t i, uint32_t byte, bool five, bool second)
{
    uint32_t v = five ? byte >> 3 : second ? byte & 15U : byte >> 4;
    return OBSERVE(o, TMU_POINT_ETC_STORED, v, i, five, second, byte);
}

/* The colour of channel `i` in a sub-block, before it is extended to eight bits. `byte`: of the channel. */
static inline uint32_t etc_colour(const struct observer *o, uint32_t i, uint32_t byte, bool differential,
                                  bool second)
{
    bool five = OBSERVE(o, TMU_POINT_ETC_FIVE_BITS, differential, i, differential, second, byte);
    uint32_t v = etc_stored(o, i, byte, five, second), sum = v;
    if (five && OBSERVE(o, TMU_POINT_ETC_CHANGES, second, i, second, byte)) {
        uint32_t change = byte & 7U, moved = (change ^ 4U) - 4U; /* signed */
        moved = OBSERVE(o, TMU_POINT_ETC_CHANGE, moved, i, change, byte);
        sum += moved;
        v = sum & 31U; /* ETC1 does not define sums outside 0..31, which wrap here */
    }
    return OBSERVE(o, TMU_POINT_ETC_COLOUR, v, i, differential, second, byte, sum);
}

/* The colour, extended to eight bits: its copy in the highest bits, and the highest bits of it below. */
static inline uint32_t etc_base(const struct observer *o, uint32_t i, uint32_t v, uint32_t byte,
                                bool differential, bool second)
{
    uint32_t upper = differential ? v << 3 : v << 4, lower = differential ? v >> 2 : v;
    upper = OBSERVE(o, TMU_POINT_ETC_PART, upper, i, differential, second, v, true);
    lower = OBSERVE(o, TMU_POINT_ETC_PART, lower, i, differential, second, v, false);
    return OBSERVE(o, TMU_POINT_ETC_BASE, upper | lower, i, differential, second, byte, v, upper, lower);
}

/* The bits of R, G, B and A in a block with two colours, and in one in differential mode. */
static const uint8_t etc_bits[2][4] = {{4, 4, 4, 0}, {5, 5, 5, 0}};
enum { ETC_ROWS = 4 };

static inline uint32_t etc1(uint64_t stored, uint32_t x, uint32_t y, const struct observer *o, uint32_t type)
{
    uint64_t block = __builtin_bswap64(stored);
    const uint32_t high = (uint32_t)(block >> 32), low = (uint32_t)block;
    bool differential = etc_field(o, block, 33, 1), flipped = etc_field(o, block, 32, 1);
    differential = OBSERVE(o, TMU_POINT_ETC_DIFFERENTIAL, differential, high);
    flipped = OBSERVE(o, TMU_POINT_ETC_FLIPPED, flipped, high);
    bool second = flipped ? y >= 2 : x >= 2;
    second = OBSERVE(o, TMU_POINT_ETC_SECOND, second, flipped, x, y);
    uint32_t table = second ? etc_field(o, block, 36, 3) : etc_field(o, block, 39, 3), texel = x * 4 + y;
    table = OBSERVE(o, TMU_POINT_ETC_TABLE, table, second, high);
    if (o) /* a rule at another point can give more than three bits */
        table &= 7U;
    texel = OBSERVE(o, TMU_POINT_ETC_TEXEL, texel, x, y);
    bool large = etc_field(o, block, texel, 1), minus = etc_field(o, block, 16 + texel, 1);
    large = OBSERVE(o, TMU_POINT_ETC_LARGE, large, texel, low);
    minus = OBSERVE(o, TMU_POINT_ETC_MINUS, minus, texel, low);
    int32_t modifier = etc_modifiers[table][large];
    modifier = (int32_t)OBSERVE(o, TMU_POINT_ETC_MODIFIER, (uint32_t)modifier, table, large);
    uint32_t c[4] = {0, 0, 0, 255}, colour[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t place = 63 - 8 * i;
        place = OBSERVE(o, TMU_POINT_ETC_PLACE, place, i, differential, second);
        uint32_t byte = etc_field(o, block, place < 7 ? 7 : place, 8),
                 v = etc_colour(o, i, byte, differential, second);
        colour[i] = v;
        int32_t base = (int32_t)etc_base(o, i, v, byte, differential, second);
        int32_t sum = minus ? base - modifier : base + modifier;
        sum = (int32_t)OBSERVE(o, TMU_POINT_ETC_SUM, (uint32_t)sum, i, (uint32_t)base, (uint32_t)modifier,
                               minus);
        c[i] = clamp_byte(sum);
        c[i] = OBSERVE(o, TMU_POINT_ETC_CHANNEL, c[i], i, (uint32_t)base, (uint32_t)modifier, minus, v,
                       differential, (uint32_t)sum);
    }
    return (uint32_t)place_channels(c, o, type, colour, differential ? etc_bits[1] : etc_bits[0]);
}

uint32_t texture_etc1(uint64_t stored, uint32_t x, uint32_t y)
{
    return etc1(stored, x, y, NULL, 0);
}

/* The bits of a texel that become its channels, in types of four bytes that unpack and etc1 do not decode.
 * Only the observer uses them. */
static const struct texture_packing alone[] = {
    [0] = {{8, 8, 8, 8}, {0, 8, 16, 24}, {0}, 0},
    [1] = {{8, 8, 0, 0}, {0, 8}, {0}, 0},
    [5] = {{8, 8, 8, 0}, {0}, {0}, 0},
    [6] = {{0, 0, 0, 8}, {0}, {0}, 0},
    [7] = {{8, 8, 8, 8}, {0, 0, 0, 8}, {0}, 0},
    [12] = {{1, 1, 1, 0}, {0}, {0}, 0},
    [16] = {{8, 8, 8, 8}, {0, 8, 16, 24}, {0}, 0},
    [17] = {{8, 8, 8, 8}, {0, 8, 16, 24}, {0}, 0},
};
/* Type 1, if clause tex-type-rga says that it is RGB. */
static const struct texture_packing alone_rgb = {{8, 8, 8, 0}, {0, 8, 16}, {0}, 0};

/* Shows the channels of such a texel to the observer. */
static uint64_t place_alone(uint64_t texel, const struct observer *o, const struct texture_rules *rules,
                            uint64_t unit, uint32_t type)
{
    const struct texture_packing *p =
        type == 1 && rules->type_rga == TMU_TYPE_RGB ? &alone_rgb : &alone[type];
    uint32_t c[4], fields[4];
    if (!observer_wants(o, TMU_POINT_CHANNEL_PLACED))
        return texel;
    for (uint32_t i = 0; i < 4; i++) {
        c[i] = (uint32_t)(texel >> 8 * i) & 0xFF;
        fields[i] = (uint32_t)(unit >> p->low_first[i]) & ((1U << p->bits[i]) - 1U);
    }
    /* a rule can make the unit longer; what is behind the channels stays */
    return place_channels(c, o, type, fields, p->bits) | texel >> 32 << 32;
}

uint64_t texture_decode_observed(const struct texture_type *t, const struct observer *o,
                                 const struct texture_rules *rules, uint64_t unit, uint32_t x, uint32_t y)
{
    const uint32_t type = (uint32_t)(t - texture_types);
    if (t->packing)
        return unpack(rules, t->packing, unit, o, type);
    if (t->decode == decode_etc1) {
        y &= ETC_ROWS - 1; /* a rule can give a row outside of the block */
        return etc1(unit, x, OBSERVE(o, TMU_POINT_ETC_ROW, etc_row(rules, y), y, rules->etc_lowest_first), o,
                    type);
    }
    const uint64_t texel = t->decode ? t->decode(rules, unit, x, y) : unit;
    return t->channels == TEXTURE_BYTES ? place_alone(texel, o, rules, unit, type) : texel;
}
