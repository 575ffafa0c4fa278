/* SPDX-License-Identifier: MIT */
/* The rows of v3d_operations.h as a table, and the numbers of signals. */
#include "model/v3d/v3d_rows.h"

#define CODES(kind, where)                                                                                   \
    {                                                                                                        \
        V3D_CODES_##kind, where                                                                              \
    }
#define NO_UNPACK CODES(NONE, 0)

/* An encoding: opcode, low part, bits of operands, bits of pack and unpacks, the pack's place, bit 44, write
 * address, unpacks. */
#define ENCODING(op, sub, bits, varying, pack, is_magic, to, ...)                                            \
    {                                                                                                        \
        .exists = true, .fixed = (uint16_t) ~((varying) | (bits)), .key = (op) << V3D_KEY_SUB_BITS | (sub),  \
        .operand_bits = (bits), .pack_at = (pack), .unpack = {__VA_ARGS__}, .magic = (is_magic),             \
        .waddr = (to)                                                                                        \
    }
#define PACKED(op, sub, bits, varying, pack, ...)                                                            \
    ENCODING(op, sub, bits, varying, pack, V3D_NOWHERE, V3D_NOWHERE, __VA_ARGS__)
#define PLAIN(op, sub, bits) PACKED(op, sub, bits, 0, V3D_NOWHERE, NO_UNPACK)

/* Generation 4.2 has a in bits 2:0 and b in bits 5:3 of the key; 7.1 has b in all six bits. */
enum { BITS_A = 7, BITS_AB = V3D_KEY_SUB };

/* No key is all ones. */
#define E42_NONE                                                                                             \
    {                                                                                                        \
        .exists = false, .fixed = UINT16_MAX, .key = UINT16_MAX                                              \
    }
#define E71_NONE E42_NONE

#define E42_TWO(op)               PLAIN(op, 0, BITS_AB)
#define E71_TWO(op)               PLAIN(op, 0, BITS_AB)
#define E42_ONE(op, sub)          PLAIN(op, (sub) << 3, BITS_A)
#define E71_ONE(op, sub)          PLAIN(op, sub, 0)
#define E42_NUL(op, b, a)         PLAIN(op, (b) << 3 | (a), 0)
#define E71_SUB(op, sub)          PLAIN(op, sub, 0)
#define E42_NUL_PACK(op, b, a)    PACKED(op, (b) << 3 | (a), 0, 3, 0, NO_UNPACK)
#define E71_SUB_PACK(op, sub)     PACKED(op, sub, 0, 3, 0, NO_UNPACK)
#define E42_ONE_PACK_MUX(op, sub) PACKED(op, (sub) << 3, BITS_A, 3 << 3, 3, NO_UNPACK)
#define E71_ONE_PACK(op, sub)     PACKED(op, sub, 0, 3, 0, NO_UNPACK)

/* op + pack * 16 + unpack_a * 4 + unpack_b */
#define FP2(op)         PACKED(op, 0, BITS_AB, 63 << 6, 10, CODES(FLOAT, 8), CODES(FLOAT, 6))
#define FP2_NO_PACK(op) PACKED(op, 0, BITS_AB, 15 << 6, V3D_NOWHERE, CODES(FLOAT, 8), CODES(FLOAT, 6))
#define FP2_NO_ABS(op)                                                                                       \
    PACKED(op, 0, BITS_AB, 15 << 6, V3D_NOWHERE, CODES(FLOAT_NO_ABS, 8), CODES(FLOAT_NO_ABS, 6))
#define E42_FP2(op)         FP2(op)
#define E71_FP2(op)         FP2(op)
#define E71_FP2_NO_PACK(op) FP2_NO_PACK(op)
#define E42_FP2_NO_ABS(op)  FP2_NO_ABS(op)
#define E71_FP2_NO_ABS(op)  FP2_NO_ABS(op)
#define E42_HALF(op)        PACKED(op, 0, BITS_AB, 15 << 6, V3D_NOWHERE, CODES(HALF, 6), NO_UNPACK)
#define E71_HALF(op)        E42_HALF(op)
#define E71_HALF_OPEN(op)   PACKED(op, 0, BITS_AB, 7 << 6, V3D_NOWHERE, CODES(HALF_RESERVED, 6), NO_UNPACK)

/* Floats with one operand. 4.2: op + unpack * 4, mux_b is sub + pack. 7.1: raddr_b is sub + unpack * 4 +
 * pack. */
#define E42_FP1_MUX(op, sub)                                                                                 \
    PACKED(op, (sub) << 3, BITS_A, 3 << 8 | 3 << 3, 3, CODES(FLOAT_NO_ABS, 8), NO_UNPACK)
#define E42_FP1_MUX_NO_PACK(op, sub)                                                                         \
    PACKED(op, (sub) << 3, BITS_A, 3 << 8, V3D_NOWHERE, CODES(FLOAT_NO_ABS, 8), NO_UNPACK)
#define E71_FP1(op, sub)         PACKED(op, sub, 0, 15, 0, CODES(FLOAT, 2), NO_UNPACK)
#define E71_FP1_NO_PACK(op, sub) PACKED(op, sub, 0, 12, V3D_NOWHERE, CODES(FLOAT, 2), NO_UNPACK)

/* Moves. 4.2: unpack in mux_b[1:0]; the pack is mux_b[2] and the opcode's lowest bit. 7.1: the sub-opcode is
 * unpack * 4 + pack, or unpack * 4 + 3 for integers. */
#define E42_FMOV_MUX(op) PACKED(op, 0, BITS_A, 15 << 3, 5, CODES(FLOAT, 3), NO_UNPACK)
#define E71_FMOV(op)     PACKED(op, 0, 0, 31, 0, CODES(FMOV, 2), NO_UNPACK)
#define E71_MOV(op)      PACKED(op, 3, 0, 28, V3D_NOWHERE, CODES(MOV, 2), NO_UNPACK)

/* VPM. Bit 44 tells the forms in and out apart; a store has its kind in the write address. */
#define VPM(op, sub, bits, is_magic, to) ENCODING(op, sub, bits, 0, V3D_NOWHERE, is_magic, to, NO_UNPACK)
#define E42_ONE_IN(op, sub)              VPM(op, (sub) << 3, BITS_A, 0, V3D_NOWHERE)
#define E42_ONE_OUT(op, sub)             VPM(op, (sub) << 3, BITS_A, 1, V3D_NOWHERE)
#define E71_ONE_IN(op, sub)              VPM(op, sub, 0, 0, V3D_NOWHERE)
#define E71_ONE_OUT(op, sub)             VPM(op, sub, 0, 1, V3D_NOWHERE)
#define E42_TWO_IN(op)                   VPM(op, 0, BITS_AB, 0, V3D_NOWHERE)
#define E71_TWO_IN(op)                   E42_TWO_IN(op)
#define E42_TWO_OUT(op)                  VPM(op, 0, BITS_AB, 1, V3D_NOWHERE)
#define E71_TWO_OUT(op)                  E42_TWO_OUT(op)
#define E42_TWO_TO(op, to)               VPM(op, 0, BITS_AB, 0, to)
#define E71_TWO_TO(op, to)               E42_TWO_TO(op, to)

#define ROW_DAB   .writes = true, .sources = 2
#define ROW_DA    .writes = true, .sources = 1
#define ROW_D     .writes = true, .sources = 0
#define ROW_AB    .writes = false, .sources = 2
#define ROW_O     .writes = false, .sources = 0
#define ROW_DAB_G ROW_DAB, .graphics = true
#define ROW_DA_G  ROW_DA, .graphics = true
#define ROW_D_G   ROW_D, .graphics = true
#define ROW_AB_G  ROW_AB, .graphics = true

/* TWO(56) in a row is E42_TWO(56) and E71_TWO(56). */
#define ROW(id, text, operands, e42, e71)                                                                    \
    [V3D_##id] = {text, ROW_##operands, .shares = V3D_##id == V3D_A_FADD || V3D_##id == V3D_A_FMIN,          \
                  .encoding = {[V3D_42] = E42_##e42, [V3D_71] = E71_##e71}},

const struct v3d_row v3d_rows[V3D_OPS] = {V3D_ADD_OPERATIONS(ROW) V3D_MUL_OPERATIONS(ROW)};

const uint8_t v3d_mux_at[4] = {12, 15, 18, 21}, v3d_raddr_at[4] = {6, 0, 18, 12};

const struct v3d_codes v3d_codes[V3D_CODE_KINDS] = {
    [V3D_CODES_NONE] = {0, 0, {V3D_UNPACK_NONE}},
    [V3D_CODES_FLOAT] = {0, 3, {V3D_UNPACK_ABS, V3D_UNPACK_NONE, V3D_UNPACK_L, V3D_UNPACK_H}},
    [V3D_CODES_FLOAT_NO_ABS] = {1, 3, {V3D_UNPACK_ABS, V3D_UNPACK_NONE, V3D_UNPACK_L, V3D_UNPACK_H}},
    [V3D_CODES_HALF] = {0, 4, {V3D_UNPACK_NONE, V3D_UNPACK_FF, V3D_UNPACK_LL, V3D_UNPACK_HH, V3D_UNPACK_SWP}},
    [V3D_CODES_HALF_RESERVED] = {0,
                                 7,
                                 {V3D_UNPACK_NONE, V3D_UNPACK_FF, V3D_UNPACK_LL, V3D_UNPACK_HH,
                                  V3D_UNPACK_SWP, V3D_UNPACK_RESERVED5, V3D_UNPACK_RESERVED6,
                                  V3D_UNPACK_RESERVED7}},
    [V3D_CODES_FMOV] = {0,
                        7,
                        {V3D_UNPACK_ABS, V3D_UNPACK_NONE, V3D_UNPACK_L, V3D_UNPACK_H, V3D_UNPACK_SAT,
                         V3D_UNPACK_NSAT, V3D_UNPACK_MAX0, V3D_UNPACK_RESERVED7}},
    [V3D_CODES_MOV] = {0,
                       7,
                       {V3D_UNPACK_NONE, V3D_UNPACK_UL, V3D_UNPACK_UH, V3D_UNPACK_IL, V3D_UNPACK_IH,
                        V3D_UNPACK_RESERVED5, V3D_UNPACK_RESERVED6, V3D_UNPACK_RESERVED7}},
};

#define SIG(name) V3D_SIG_##name
const uint16_t v3d_signal_sets[V3D_GENERATIONS][V3D_SIGNALS] =
    {
        [V3D_42] =
            {
                [1] = SIG(THRSW),
                [2] = SIG(LDUNIF),
                [3] = SIG(THRSW) | SIG(LDUNIF),
                [4] = SIG(LDTMU),
                [5] = SIG(THRSW) | SIG(LDTMU),
                [6] = SIG(LDTMU) | SIG(LDUNIF),
                [7] = SIG(THRSW) | SIG(LDTMU) | SIG(LDUNIF),
                [8] = SIG(LDVARY),
                [9] = SIG(THRSW) | SIG(LDVARY),
                [10] = SIG(LDVARY) | SIG(LDUNIF),
                [11] = SIG(THRSW) | SIG(LDVARY) | SIG(LDUNIF),
                [12] = SIG(LDUNIFRF),
                [13] = SIG(THRSW) | SIG(LDUNIFRF),
                [14] = SIG(SMIMM_B) | SIG(LDVARY),
                [15] = SIG(SMIMM_B),
                [16] = SIG(LDTLB),
                [17] = SIG(LDTLBU),
                [18] = SIG(WRTMUC),
                [19] = SIG(THRSW) | SIG(WRTMUC),
                [20] = SIG(LDVARY) | SIG(WRTMUC),
                [21] = SIG(THRSW) | SIG(LDVARY) | SIG(WRTMUC),
                [22] = SIG(UCB),
                [23] = SIG(ROT),
                [24] = SIG(LDUNIFA),
                [25] = SIG(LDUNIFARF),
                [26] = V3D_NO_SIGNAL,
                [27] = V3D_NO_SIGNAL,
                [28] = V3D_NO_SIGNAL,
                [29] = V3D_NO_SIGNAL,
                [30] = V3D_NO_SIGNAL,
                [31] = SIG(SMIMM_B) | SIG(LDTMU),
            },
        [V3D_71] =
            {
                [1] = SIG(THRSW),
                [2] = SIG(LDUNIF),
                [3] = SIG(THRSW) | SIG(LDUNIF),
                [4] = SIG(LDTMU),
                [5] = SIG(THRSW) | SIG(LDTMU),
                [6] = SIG(LDTMU) | SIG(LDUNIF),
                [7] = SIG(THRSW) | SIG(LDTMU) | SIG(LDUNIF),
                [8] = SIG(LDVARY),
                [9] = SIG(THRSW) | SIG(LDVARY),
                [10] = SIG(LDVARY) | SIG(LDUNIF),
                [11] = SIG(THRSW) | SIG(LDVARY) | SIG(LDUNIF),
                [12] = SIG(LDUNIFRF),
                [13] = SIG(THRSW) | SIG(LDUNIFRF),
                [14] = SIG(SMIMM_A),
                [15] = SIG(SMIMM_B),
                [16] = SIG(LDTLB),
                [17] = SIG(LDTLBU),
                [18] = SIG(WRTMUC),
                [19] = SIG(THRSW) | SIG(WRTMUC),
                [20] = SIG(LDVARY) | SIG(WRTMUC),
                [21] = SIG(THRSW) | SIG(LDVARY) | SIG(WRTMUC),
                [22] = SIG(UCB),
                [23] = V3D_NO_SIGNAL,
                [24] = SIG(LDUNIFA),
                [25] = SIG(LDUNIFARF),
                [26] = SIG(LDTMU) | SIG(WRTMUC),
                [27] = SIG(THRSW) | SIG(LDTMU) | SIG(WRTMUC),
                [28] = V3D_NO_SIGNAL,
                [29] = V3D_NO_SIGNAL,
                [30] = SIG(SMIMM_C),
                [31] = SIG(SMIMM_D),
            },
};
