/* SPDX-License-Identifier: MIT */
/*
 * The texture data types (p42-43 T18): the table of types, and how a stored texel is decoded, ETC1 included.
 * texture_layout.h says where a texel is stored, tmu_filter.h how texels are blended.
 *
 * A decoded texel is a uint64_t: four bytes R, G, B, A from bit 0 up, or four halves in the same order, or
 * one half or integer in the lowest bits.
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
    TEXTURE_INTEGER,  /* one integer of 16 bits, which cannot be blended */
};

/* The readings of the clauses about decoding. */
struct texture_rules {
    uint8_t type_rga, channel_order, expansion, yuyv;
    bool etc_lowest_first; /* the first row of an ETC1 block is its lowest (ETCFLIP and clause tex-etcflip) */
};

/* The number of bits of R, G, B and A in a texel, the lowest bit of each under the two readings of
 * tex-channel-order, and the value of channels that the texel does not have. */
struct texture_packing {
    uint8_t bits[4], low_first[4], red_high[4], missing;
};

struct texture_type {
    const char *name;
    uint8_t channels;  /* enum texture_channels */
    uint8_t bits_log2; /* of a unit of storage: a texel, an ETC1 block or a YUYV pair */
    uint8_t block_width_log2, block_height_log2; /* texels in such a unit */
    bool raster;                                 /* raster order; otherwise T or LT */
    uint32_t clauses; /* bits 1 << enum tmu_clause: the clauses that decoding depends on */
    /* For R, G, B, A: the byte of the border word that has the channel in the format's order (clause
     * tmu-border-order), or TEXTURE_BORDER_... */
    uint8_t border[4];
    /* Returns texel (x, y) of a unit; NULL: the unit is the texel. */
    uint64_t (*decode)(const struct texture_rules *rules, uint64_t unit, uint32_t x, uint32_t y);
    const struct texture_packing *packing; /* NULL: no channel is widened to 8 bits */
};
enum { TEXTURE_BORDER_ONE = 4, TEXTURE_BORDER_ZERO = 5, TEXTURE_BORDER_UNKNOWN = 6 };

extern const struct texture_type texture_types[TEXTURE_TYPES];

struct observer;

/* Decodes as `decode` of struct texture_type does, and shows the channels to the observer (tmu_points.h). */
uint64_t texture_decode_observed(const struct texture_type *t, const struct observer *o,
                                 const struct texture_rules *rules, uint64_t unit, uint32_t x, uint32_t y);

static inline uint32_t texture_result_words(const struct texture_type *t)
{
    return t->channels == TEXTURE_HALVES ? 2 : 1;
}

/* Decodes a texel of an ETC1 block (its 8 bytes as stored, lowest first) to bytes R, G, B, A. (0, 0) is the
 * upper left texel. */
uint32_t texture_etc1(uint64_t stored, uint32_t x, uint32_t y);

#endif
