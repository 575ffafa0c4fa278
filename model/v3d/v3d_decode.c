/* SPDX-License-Identifier: MIT */
/* Decodes words. v3d_insn.h says what comes out, v3d_rows.h what the tables hold. */
#include "model/v3d/v3d_points.h"
#include "model/v3d/v3d_rows.h"

#include <stddef.h>
#include <string.h>

/* The sub-opcodes of vfmov and vfabs on 7.1. */
enum { MUX_VFMOV = 0, MUX_VFABS = 5 };

/* Of functions that observers see: those that nobody observes must not ask for one. */
#define DECODES static inline __attribute__((always_inline))

static inline unsigned bits(uint64_t word, unsigned low, unsigned width)
{
    return (unsigned)(word >> low) & ((1U << width) - 1);
}

/* Numbers of the fields that have no point of their own. */
enum field_number {
    BRANCH_COND,
    BRANCH_MSFIGN,
    BRANCH_BDI,
    BRANCH_UB,
    BRANCH_BDU,
    BRANCH_SET_LINK,
    BRANCH_RADDR,
    BRANCH_OFFSET_HIGH,
    BRANCH_OFFSET_LOW,
    FIELD_SIG_ADDR,
    FIELD_SIG_MAGIC,
    FIELD_ROTATE,
};

/* Returns a field of a word. `number`: the input `field` of its point. */
DECODES unsigned field_of(const struct observer *o, enum v3d_generation g, uint64_t word,
                          enum field_number number, unsigned low, unsigned width)
{
    return OBSERVE(o, V3D_POINT_WORD_FIELD, bits(word, low, width), (uint32_t)number, (uint32_t)word,
                   (uint32_t)(word >> 32), g == V3D_71) &
           ((1U << width) - 1);
}

/* Notes the first reason in the order of enum v3d_reserved. */
static inline void reserve(struct v3d_insn *i, enum v3d_reserved why)
{
    i->reasons = (uint16_t)(i->reasons | 1U << why);
    if (!i->reserved || why < i->reserved)
        i->reserved = (uint8_t)why;
}

/* ---- operations ---- */

/* Reads a field of the key that holds an unpack. Clears its bits. */
static inline bool take_unpack(const struct v3d_encoding *e, unsigned operand, uint32_t *rest,
                               uint8_t *unpack)
{
    const struct v3d_codes *codes = &v3d_codes[e->unpack[operand].kind];
    unsigned code = *rest >> e->unpack[operand].at & (codes->last > 3 ? 7 : 3);
    *unpack = V3D_UNPACK_NONE;
    if (e->unpack[operand].kind == V3D_CODES_NONE)
        return true;
    *rest -= code << e->unpack[operand].at;
    *unpack = codes->unpack[code];
    return code >= codes->first && code <= codes->last;
}

/* Is the word this operation? Sets pack and unpacks. */
static bool row_matches(const struct v3d_encoding *e, uint32_t key, bool magic, unsigned waddr,
                        struct v3d_half *h)
{
    uint32_t rest = (key & ~(uint32_t)e->operand_bits) - e->key;
    if ((e->magic != V3D_NOWHERE && e->magic != magic) || (e->waddr != V3D_NOWHERE && e->waddr != waddr))
        return false;
    h->pack = V3D_PACK_NONE;
    if (e->pack_at != V3D_NOWHERE) {
        h->pack = rest >> e->pack_at & 3;
        rest -= (uint32_t)h->pack << e->pack_at;
    }
    return take_unpack(e, 0, &rest, &h->src[0].unpack) && take_unpack(e, 1, &rest, &h->src[1].unpack) &&
           rest == 0 && h->pack <= V3D_PACK_H;
}

/* clang-format off */
/* For each opcode the first row of v3d_rows that can have it, so that find_op need not look at all rows. This
 * took an eighth of the time of fuzzing off. */
static const uint8_t first_add[V3D_GENERATIONS][256] = {
    [V3D_42] = {
        [0 ... 47] = V3D_A_FADD, [48 ... 63] = V3D_A_VFPACK, [64 ... 119] = V3D_A_FSUB,
        [120 ... 127] = V3D_A_MIN,
        [128 ... 175] = V3D_A_FMIN, [176 ... 180] = V3D_A_VFMIN, [181 ... 185] = V3D_A_AND,
        [186] = V3D_A_NOT, [187] = V3D_A_NOP, [188] = V3D_A_LDVPMV_IN, [189 ... 191] = V3D_A_LDVPMG_IN,
        [192 ... 239] = V3D_A_FCMP, [240 ... 244] = V3D_A_VFMAX, [245 ... 247] = V3D_A_FROUND,
        [248] = V3D_A_STVPMV, [249 ... 251] = V3D_A_FROUND, [252] = V3D_A_CLZ, [253 ... 255] = V3D_A_FROUND,
    },
    [V3D_71] = {
        [0 ... 47] = V3D_A_FADD, [48 ... 63] = V3D_A_VFPACK, [64 ... 111] = V3D_A_FSUB,
        [112 ... 119] = V3D_A_VFSUB, [120 ... 127] = V3D_A_MIN, [128 ... 175] = V3D_A_FMIN,
        [176 ... 180] = V3D_A_VFMIN, [181 ... 185] = V3D_A_AND, [186] = V3D_A_NOT, [187] = V3D_A_NOP,
        [188] = V3D_A_LDVPMV_IN, [189] = V3D_A_LDVPMG_IN, [190] = V3D_A_STVPMV, [191] = V3D_A_VFMOV,
        [192 ... 207] = V3D_A_FCMP, [208 ... 239] = V3D_A_VFCMP, [240 ... 244] = V3D_A_VFMAX,
        [245] = V3D_A_FROUND, [246] = V3D_A_FDX, [247 ... 255] = V3D_A_VPACK,
    },
};
static const uint8_t first_mul[64] = {
    [0] = V3D_M_ADD, [1] = V3D_M_ADD, [2] = V3D_M_SUB, [3] = V3D_M_UMUL24, [4 ... 8] = V3D_M_VFMUL,
    [9] = V3D_M_SMUL24, [10] = V3D_M_MULTOP, [11 ... 13] = V3D_M_V8DOT, [14 ... 15] = V3D_M_FMOV,
    [16 ... 63] = V3D_M_FMUL,
};
/* clang-format on */

/* Returns the operation of a half; V3D_OPS if it has none. */
static unsigned find_op(enum v3d_generation g, unsigned half, uint64_t word, struct v3d_half *h)
{
    uint32_t key = v3d_key(g, half, word);
    unsigned op =
                 half == V3D_ADD ? first_add[g][key >> V3D_KEY_SUB_BITS] : first_mul[key >> V3D_KEY_SUB_BITS],
             end = half == V3D_ADD ? V3D_ADD_OPS : V3D_OPS;
    bool magic = bits(word, half == V3D_ADD ? V3D_MAGIC_AT_ADD : V3D_MAGIC_AT_MUL, 1);
    unsigned waddr = bits(word, half == V3D_ADD ? 32 : 38, 6);
    for (; op < end; op++) {
        const struct v3d_encoding *e = &v3d_rows[op].encoding[g];
        if ((key & e->fixed) == (e->key & e->fixed) && row_matches(e, key, magic, waddr, h))
            return op;
    }
    return V3D_OPS;
}

/* ---- operands ---- */

/* Returns the unpack of an operand. */
DECODES uint8_t unpack_of(const struct observer *o, enum v3d_generation g, const struct v3d_half *h,
                          unsigned slot, unsigned op, uint64_t word)
{
    const uint8_t unpack = h->src[slot % 2].unpack;
    const uint32_t now =
        OBSERVE(o, V3D_POINT_WORD_UNPACK, unpack, slot, op, slot < 2 ? bits(word, 24, 8) : bits(word, 58, 6),
                bits(word, 12, 12), h->pack, g == V3D_71);
    return now < V3D_UNPACKS ? (uint8_t)now : unpack;
}

/* Returns the field of an operand: a mux (4.2) or a read address (7.1). */
DECODES unsigned operand_field(const struct observer *o, enum v3d_generation g, const struct v3d_insn *i,
                               unsigned op, unsigned slot, uint64_t word)
{
    const unsigned field = g == V3D_71 ? bits(word, v3d_raddr_at[slot], 6) : bits(word, v3d_mux_at[slot], 3);
    return OBSERVE(o, V3D_POINT_WORD_OPERAND, field, slot, op, bits(word, 12, 12), bits(word, 6, 6),
                   bits(word, 0, 6), i->signals, i->half[slot / 2].src[slot % 2].unpack, g == V3D_71);
}

/* `field`: of the operand, without its unpack. */
static void decode_operand(enum v3d_generation g, const struct v3d_insn *i, unsigned slot, unsigned field,
                           uint64_t word, struct v3d_operand *o)
{
    if (g == V3D_71) {
        o->kind = i->signals & V3D_SIG_SMIMM_A << slot ? V3D_IMMEDIATE : V3D_RF;
        o->index = (uint8_t)field;
    } else if (field < V3D_ACCUMULATORS) {
        o->kind = V3D_ACCUMULATOR;
        o->index = (uint8_t)field;
    } else if (field == V3D_MUX_A) {
        o->kind = V3D_RF;
        o->index = (uint8_t)bits(word, 6, 6);
    } else {
        o->kind = i->signals & (V3D_SIG_SMIMM_B | V3D_SIG_ROT) ? V3D_IMMEDIATE : V3D_RF;
        o->index = (uint8_t)bits(word, 0, 6);
    }
}

/* Returns the kind of an operand: a register of the register file may be a small immediate, and the reverse.
 */
DECODES uint8_t kind_of(const struct observer *o, enum v3d_generation g, const struct v3d_insn *i,
                        unsigned op, unsigned slot, const struct v3d_operand *operand)
{
    const uint8_t kind = operand->kind;
    if (kind == V3D_ACCUMULATOR)
        return kind;
    const uint32_t now = OBSERVE(o, V3D_POINT_WORD_IMMEDIATE, kind == V3D_IMMEDIATE, slot, op, i->signals,
                                 operand->index, g == V3D_71);
    return now ? V3D_IMMEDIATE : V3D_RF;
}

/* Of two operations that share an encoding, the first has its operands in ascending order. */
DECODES bool is_descending(const struct observer *o, enum v3d_generation g, uint64_t word,
                           const struct v3d_half *h, unsigned op)
{
    unsigned key[2];
    for (unsigned n = 0; n < 2; n++)
        key[n] = v3d_order_key(g, h->src[n].unpack, h->src[n].kind == V3D_IMMEDIATE,
                               g == V3D_42 ? bits(word, n ? 15 : 12, 3) : h->src[n].index);
    const struct v3d_operand *a = &h->src[0], *b = &h->src[1];
    return OBSERVE(o, V3D_POINT_WORD_DESCENDING, key[0] > key[1], key[0], key[1], op, a->unpack, b->unpack,
                   a->kind, b->kind, a->index, b->index, g == V3D_71);
}

/* Returns what a reserved operation decodes to. Opcode 191 of 4.2 may be that of 7.1. */
static unsigned reserved_op(enum v3d_generation g, unsigned half, uint64_t word)
{
    bool is_191 = g == V3D_42 && half == V3D_ADD && bits(word, 24, 8) == 191;
    unsigned mux_b = bits(word, v3d_mux_at[1], 3);
    return half == V3D_MUL                ? V3D_M_NOP
           : is_191 && mux_b == MUX_VFMOV ? V3D_A_VFMOV
           : is_191 && mux_b == MUX_VFABS ? V3D_A_VFABS
                                          : V3D_A_NOP;
}

DECODES void decode_half(const struct observer *o, enum v3d_generation g, unsigned half, uint64_t word,
                         struct v3d_insn *i)
{
    struct v3d_half *h = &i->half[half];
    unsigned op = find_op(g, half, word, h);
    if (op == V3D_OPS) {
        reserve(i, half == V3D_ADD ? V3D_RESERVED_ADD : V3D_RESERVED_MUL);
        op = reserved_op(g, half, word);
        h->pack = V3D_PACK_NONE;
        h->src[0].unpack = h->src[1].unpack = V3D_UNPACK_NONE;
    }
    const struct v3d_row *row = &v3d_rows[op];
    for (unsigned n = 0; n < row->sources; n++) {
        const unsigned slot = half * 2 + n;
        if (!OBSERVE(o, V3D_POINT_WORD_READS, 1, slot, op, row->sources, g == V3D_71))
            continue;
        h->src[n].unpack = unpack_of(o, g, h, slot, op, word);
        decode_operand(g, i, slot, operand_field(o, g, i, op, slot, word), word, &h->src[n]);
        h->src[n].kind = kind_of(o, g, i, op, slot, &h->src[n]);
        const struct v3d_operand *a = &h->src[0], *at = &h->src[n];
        bool no_unpack = false, no_immediate = false;
        if (h->src[n].unpack >= V3D_UNPACK_RESERVED5)
            no_unpack = true;
        if (h->src[n].kind == V3D_IMMEDIATE && h->src[n].index >= V3D_IMMEDIATES)
            no_immediate = true;
        const uint32_t lacks =
            OBSERVE(o, V3D_POINT_WORD_MEANINGLESS, no_unpack | (unsigned)no_immediate << 1, slot, op,
                    at->kind, at->index, at->unpack, a->kind, a->index, a->unpack, g == V3D_71);
        if (lacks & 1)
            reserve(i, V3D_RESERVED_UNPACK);
        if (lacks & 2)
            reserve(i, V3D_RESERVED_IMMEDIATE);
    }
    h->op = (uint8_t)(row->shares && is_descending(o, g, word, h, op) ? op + 1 : op);
    h->magic = true;
    h->waddr = V3D_W_NOP;
    if (row->writes) {
        h->waddr = (uint8_t)bits(word, half == V3D_ADD ? 32 : 38, 6);
        h->magic = (row->encoding[g].magic == V3D_NOWHERE || !row->encoding[g].exists) &&
                   bits(word, half == V3D_ADD ? V3D_MAGIC_AT_ADD : V3D_MAGIC_AT_MUL, 1);
        if (h->magic && !v3d_waddr_name(g, h->waddr))
            reserve(i, V3D_RESERVED_WADDR);
    }
}

/* ---- conditions and signals ---- */

/* Splits the condition field: conditions and flags of both halves. */
DECODES void decode_cond(const struct observer *o, enum v3d_generation g, unsigned sig, unsigned field,
                         struct v3d_insn *i)
{
    struct v3d_half *add = &i->half[V3D_ADD], *mul = &i->half[V3D_MUL];
    const unsigned of_71 = g == V3D_71;
    const unsigned low = OBSERVE(o, V3D_POINT_WORD_COND_LOW, field & 15, field, sig, of_71),
                   high = OBSERVE(o, V3D_POINT_WORD_COND_HIGH, field >> 4 & 3, field, sig, of_71);
    if (OBSERVE(o, V3D_POINT_WORD_COND_OF_MUL, (field & 0x40) != 0, field, sig, of_71)) {
        mul->cond = (uint8_t)(V3D_COND_IFA + high);
        if (low < V3D_FLAGS_ANDZ)
            add->cond = (uint8_t)(V3D_COND_IFA + low);
        else
            add->flags = (uint8_t)low;
    } else if (high >= 2) {
        unsigned conditional = high - 2;
        i->half[conditional].cond = (uint8_t)(V3D_COND_IFA + (low >> 2));
        i->half[!conditional].flags = (uint8_t)(low & 3);
    } else {
        i->half[high].flags = (uint8_t)low;
        if (high == 1 && !low)
            reserve(i, V3D_RESERVED_COND);
    }
}

DECODES void decode_signals(const struct observer *o, enum v3d_generation g, uint64_t word,
                            struct v3d_insn *i)
{
    const unsigned sig = bits(word, 53, 5);
    unsigned set = OBSERVE(o, V3D_POINT_WORD_SIGNALS, v3d_signal_sets[g][sig], sig, g == V3D_71);
    if (set == V3D_NO_SIGNAL) {
        reserve(i, V3D_RESERVED_SIGNAL);
        set = 0;
    }
    i->signals = (uint16_t)set;
    if (set & V3D_SIG_ROT) {
        i->rotate = (uint8_t)field_of(o, g, word, FIELD_ROTATE, 0, 6);
        if (i->rotate >= V3D_ROTATIONS)
            reserve(i, V3D_RESERVED_IMMEDIATE);
    }
    if (!(set & V3D_SIG_WRITES)) {
        decode_cond(o, g, sig, bits(word, 46, 7), i);
        return;
    }
    i->sig_magic = field_of(o, g, word, FIELD_SIG_MAGIC, 52, 1);
    i->sig_addr = (uint8_t)field_of(o, g, word, FIELD_SIG_ADDR, 46, 6);
    if (i->sig_magic && !v3d_waddr_name(g, i->sig_addr))
        reserve(i, V3D_RESERVED_WADDR);
}

DECODES void decode_branch(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    struct v3d_branch *b = &i->branch;
    i->is_branch = true;
    b->cond = (uint8_t)field_of(o, g, word, BRANCH_COND, 32, 3);
    b->msfign = (uint8_t)field_of(o, g, word, BRANCH_MSFIGN, 21, 2);
    b->bdi = (uint8_t)field_of(o, g, word, BRANCH_BDI, 12, 2);
    b->ub = field_of(o, g, word, BRANCH_UB, 14, 1);
    b->bdu = b->ub ? (uint8_t)field_of(o, g, word, BRANCH_BDU, 15, 3) : 0;
    b->set_link = field_of(o, g, word, BRANCH_SET_LINK, 23, 1);
    if (b->bdi == V3D_TO_REGISTER || (b->ub && b->bdu == V3D_TO_REGISTER))
        b->raddr = (uint8_t)field_of(o, g, word, BRANCH_RADDR, 6, 6);
    if (b->bdi == V3D_TO_ABSOLUTE || b->bdi == V3D_TO_RELATIVE)
        b->offset = (uint32_t)field_of(o, g, word, BRANCH_OFFSET_HIGH, 24, 8) << 24 |
                    (uint32_t)field_of(o, g, word, BRANCH_OFFSET_LOW, 35, 21) << 3;
    if (b->cond == V3D_BRANCH_UNASSIGNED)
        reserve(i, V3D_RESERVED_BRANCH_COND);
    if (b->msfign == V3D_MSFIGN_RESERVED)
        reserve(i, V3D_RESERVED_MSFIGN);
    if (b->bdu > V3D_TO_REGISTER)
        reserve(i, V3D_RESERVED_BDU);
}

DECODES bool decode(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    memset(i, 0, sizeof *i);
    if (bits(word, 58, 6) == 0) {
        if (bits(word, 56, 2) == 2)
            decode_branch(o, g, word, i);
        else
            reserve(i, V3D_RESERVED_CLASS);
        return !i->reserved;
    }
    decode_signals(o, g, word, i);
    decode_half(o, g, V3D_ADD, word, i);
    decode_half(o, g, V3D_MUL, word, i);
    return !i->reserved;
}

bool v3d_decode(enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    return decode(NULL, g, word, i);
}

bool v3d_decode_by(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i)
{
    return decode(o, g, word, i);
}
