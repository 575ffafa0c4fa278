/* SPDX-License-Identifier: MIT */
/* The rows of v3d_operations.h as a table, for decode and encode. v3d_operations.h explains keys. */
#ifndef MISPRINT_MODEL_V3D_V3D_ROWS_H
#define MISPRINT_MODEL_V3D_V3D_ROWS_H

#include "model/v3d/v3d_insn.h"

/* Which unpacks a field of the key can express, and by which codes. */
enum v3d_unpack_kind {
    V3D_CODES_NONE,
    V3D_CODES_FLOAT,         /* 2 bits: 0 abs, 1 none, 2 l, 3 h */
    V3D_CODES_FLOAT_NO_ABS,  /* the same from 1 on */
    V3D_CODES_HALF,          /* 0 none, 1 ff, 2 ll, 3 hh, 4 swp; greater codes are other operations */
    V3D_CODES_HALF_RESERVED, /* 3 bits: the same, 5 to 7 reserved */
    V3D_CODES_FMOV,          /* 3 bits: as V3D_CODES_FLOAT, 4 sat, 5 nsat, 6 max0, 7 reserved */
    V3D_CODES_MOV,           /* 3 bits: 0 none, 1 ul, 2 uh, 3 il, 4 ih, 5 to 7 reserved */
    V3D_CODE_KINDS
};

struct v3d_codes {
    uint8_t first, last;
    uint8_t unpack[8]; /* enum v3d_unpack of each code */
};
extern const struct v3d_codes v3d_codes[V3D_CODE_KINDS];

enum { V3D_NOWHERE = 0xFF };

/* The encoding of an operation in one generation. */
struct v3d_encoding {
    bool exists;
    uint16_t fixed;       /* the bits of the key that are the same in all words of the operation */
    uint16_t key;         /* with pack, unpacks and operands 0 */
    uint8_t operand_bits; /* the low bits of the key that are operands */
    uint8_t pack_at;      /* the pack's lowest bit in the key, or V3D_NOWHERE */
    struct {
        uint8_t kind; /* enum v3d_unpack_kind */
        uint8_t at;   /* lowest bit in the key */
    } unpack[2];
    uint8_t magic; /* 0, 1: what bit 44 must be, as a part of the opcode; V3D_NOWHERE: free */
    uint8_t waddr; /* what the write address must be, as a part of the opcode; V3D_NOWHERE: free */
};

struct v3d_row {
    const char *name;
    bool writes;
    uint8_t sources;
    bool graphics; /* reaches parts of the chip that compute programs do not have */
    bool shares;   /* this row and the next have one encoding; the order of operands tells them apart */
    struct v3d_encoding encoding[V3D_GENERATIONS];
};

extern const struct v3d_row v3d_rows[V3D_OPS];

/* The bits of a key that give the opcode alone. */
enum { V3D_KEY_SUB_BITS = 6, V3D_KEY_SUB = (1 << V3D_KEY_SUB_BITS) - 1 };

/* The lowest bit of the key's low part in a word. */
static inline unsigned v3d_sub_at(enum v3d_generation g, unsigned half)
{
    return g == V3D_42 ? (half == V3D_ADD ? 12 : 18) : (half == V3D_ADD ? 0 : 12);
}

/* Reads the key of a word. */
static inline uint32_t v3d_key(enum v3d_generation g, unsigned half, uint64_t word)
{
    unsigned op_at = half == V3D_ADD ? 24 : 58, op_mask = half == V3D_ADD ? 0xFF : 0x3F;
    return ((uint32_t)(word >> op_at) & op_mask) << V3D_KEY_SUB_BITS |
           ((uint32_t)(word >> v3d_sub_at(g, half)) & V3D_KEY_SUB);
}

/* The lowest bit of each operand's field: ADD a, ADD b, MUL a, MUL b. 4.2 has muxes, 7.1 register addresses.
 */
extern const uint8_t v3d_mux_at[4], v3d_raddr_at[4];

/* The signals of each number; V3D_NO_SIGNAL: reserved. */
enum { V3D_SIGNALS = 32, V3D_NO_SIGNAL = 0xFFFF };
extern const uint16_t v3d_signal_sets[V3D_GENERATIONS][V3D_SIGNALS];

/* v3d_encode, and says why there is no such word. */
bool v3d_encode_or(enum v3d_generation g, const struct v3d_insn *i, uint64_t *word, const char **why);

/* Bits 45 and 44 say that the write address is magic. */
enum { V3D_MAGIC_AT_ADD = 44, V3D_MAGIC_AT_MUL = 45 };

/* 4.2: muxes beyond the accumulators. */
enum { V3D_MUX_A = 6, V3D_MUX_B = 7 };

/* Small immediates that can count a rotation. */
enum { V3D_ROTATIONS = 32 };

/* Returns the place of an operand in the order that tells two operations of one encoding apart. `number` is
 * the mux (4.2) or the register or immediate (7.1). */
static inline unsigned v3d_order_key(enum v3d_generation g, unsigned unpack, bool immediate, unsigned number)
{
    unsigned code = unpack == V3D_UNPACK_ABS    ? 0
                    : unpack == V3D_UNPACK_NONE ? 1
                    : unpack == V3D_UNPACK_L    ? 2
                                                : 3;
    return g == V3D_42 ? code * 8 + number : immediate * 256U + code * 64 + number;
}

#endif
