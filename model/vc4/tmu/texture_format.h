/* SPDX-License-Identifier: MIT */
/*
 * The texture data types (p42-43 T18): what a stored texel says. Owns the
 * table of types and their decoding, ETC1 included; where a texel is stored is
 * texture_layout.h's, how texels blend is tmu_filter.h's.
 *
 * A decoded texel is a uint64_t: four bytes R, G, B, A from bit 0 up, or four
 * halves likewise, or one half or integer in its lowest bits.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TEXTURE_FORMAT_H
#define MISPRINT_MODEL_VC4_TMU_TEXTURE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXTURE_TYPES = 32 }; /* numbers that parameters 0 and 1 can hold */

enum texture_channels {
    TEXTURE_RESERVED, /* no such type */
    TEXTURE_BYTES,    /* four channels of 8 bits */
    TEXTURE_HALVES,   /* four halves: two result words */
    TEXTURE_HALF,     /* one half */
    TEXTURE_BYTE,     /* one integer of 8 bits */
    TEXTURE_INTEGER,  /* one integer of 16 bits, which does not blend */
};

/* What the clauses leave open about decoding, by clause readings. */
struct texture_rules {
    uint8_t type_rga, channel_order, expansion, yuyv; /* readings of these clauses */
    bool etc_lowest_first; /* the first row of an ETC1 block is its lowest: by ETCFLIP and clause tex-etcflip
                            */
};

/* Which rules a type's decoding looks at: bits 1 << clause. */
struct texture_type {
    const char *name;
    uint8_t channels;                            /* enum texture_channels */
    uint8_t bits_log2;                           /* of what is stored as one unit: a texel, a block, a pair */
    uint8_t block_width_log2, block_height_log2; /* texels in such a unit */
    bool raster;                                 /* raster order, else T or LT */
    bool bit_order;                              /* units share bytes: clause tex-bit-order */
    uint32_t clauses;                            /* bits 1 << enum tmu_clause that decode looks at */
    uint8_t border[4]; /* byte of the border word for R, G, B, A, in the format's order (clause
                          tmu-border-order), or one of these: */
    /* The unit's texel (x, y); NULL: the unit itself. */
    uint64_t (*decode)(const struct texture_rules *rules, uint64_t unit, uint32_t x, uint32_t y);
};
enum { TEXTURE_BORDER_ONE = 4, TEXTURE_BORDER_ZERO = 5, TEXTURE_BORDER_UNKNOWN = 6 };

extern const struct texture_type texture_types[TEXTURE_TYPES];

static inline uint32_t texture_result_words(const struct texture_type *t)
{
    return t->channels == TEXTURE_HALVES ? 2 : 1;
}

/* One texel of an ETC1 block (its 8 bytes as stored, lowest first), x and y from its upper left one: R, G, B,
 * A as bytes. */
uint32_t texture_etc1(uint64_t stored, uint32_t x, uint32_t y);

#endif
