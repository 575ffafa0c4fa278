/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_code.h"

enum format { SOP1, SOPC, SOPP, SOPK, VOP1, VOP2, VOP3, DS, FORMATS };

struct place {
    uint8_t low, width;
};

struct word_format {
    uint32_t mask, value; /* of the first word */
    struct place op, dst, src0, src1, imm;
    unsigned words;
};

#define TOP(bits, code) (UINT32_MAX << (32 - (bits))), ((uint32_t)(code) << (32 - (bits)))

/* gcn_decode tries the formats in this order. SOP1, SOPC and SOPP come before SOPK, and VOP1 before VOP2,
 * because their encodings look like opcodes of the latter. */
#define SAME_IN_ALL                                                                                          \
    [SOP1] = {TOP(9, 0x17D), .op = {8, 8}, .dst = {16, 7}, .src0 = {0, 8}, .words = 1},                      \
    [SOPC] = {TOP(9, 0x17E), .op = {16, 7}, .src0 = {0, 8}, .src1 = {8, 8}, .words = 1},                     \
    [SOPP] = {TOP(9, 0x17F), .op = {16, 7}, .imm = {0, 16}, .words = 1},                                     \
    [SOPK] = {TOP(4, 0xB), .op = {23, 5}, .dst = {16, 7}, .imm = {0, 16}, .words = 1},                       \
    [VOP1] = {TOP(7, 0x3F), .op = {9, 8}, .dst = {17, 8}, .src0 = {0, 9}, .words = 1},                       \
    [VOP2] = {TOP(1, 0), .op = {25, 6}, .dst = {17, 8}, .src0 = {0, 9}, .src1 = {9, 8}, .words = 1}

static const struct word_format gcn_formats[FORMATS] = {
    /* GFX8, GFX9 */
    SAME_IN_ALL,
    [VOP3] = {TOP(6, 0x34), .op = {16, 10}, .dst = {0, 8}, .src0 = {32, 9}, .src1 = {41, 9}, .words = 2},
    [DS] = {TOP(6, 0x36), .op = {17, 8}, .dst = {56, 8}, .src0 = {32, 8}, .src1 = {40, 8}, .imm = {0, 16},
            .words = 2},
};
static const struct word_format rdna_formats[FORMATS] = {
    /* GFX10, GFX11 */
    SAME_IN_ALL,
    [VOP3] = {TOP(6, 0x35), .op = {16, 10}, .dst = {0, 8}, .src0 = {32, 9}, .src1 = {41, 9}, .words = 2},
    [DS] = {TOP(6, 0x36), .op = {18, 8}, .dst = {56, 8}, .src0 = {32, 8}, .src1 = {40, 8}, .imm = {0, 16},
            .words = 2},
};

enum { NONE = 0xFFFF };
static const struct {
    enum format format;
    uint16_t code[AMD_BOARD_GENERATIONS];
} ops[GCN_OPS] = {
    /*                          GFX11  GFX10  GFX9   GFX8 */
    [GCN_S_MOV_B32] = {SOP1, {0x00, 0x03, 0x00, 0x00}},
    [GCN_S_MOV_B64] = {SOP1, {0x01, 0x04, 0x01, 0x01}},
    [GCN_S_CMP_LG_U32] = {SOPC, {0x07, 0x07, 0x07, 0x07}},
    [GCN_S_GETREG_B32] = {SOPK, {0x11, 0x12, 0x11, 0x11}},
    [GCN_S_WAITCNT_VSCNT] = {SOPK, {0x18, 0x17, NONE, NONE}},
    [GCN_S_NOP] = {SOPP, {0x00, 0x00, 0x00, 0x00}},
    [GCN_S_ENDPGM] = {SOPP, {0x30, 0x01, 0x01, 0x01}},
    [GCN_S_WAITCNT] = {SOPP, {0x09, 0x0C, 0x0C, 0x0C}},
    [GCN_V_MOV_B32] = {VOP1, {0x01, 0x01, 0x01, 0x01}},
    [GCN_V_LSHLREV_B32] = {VOP2, {0x18, 0x1A, 0x12, 0x12}},
    [GCN_V_READLANE_B32] = {VOP3, {0x360, 0x360, 0x289, 0x289}},
    [GCN_V_WRITELANE_B32] = {VOP3, {0x361, 0x361, 0x28A, 0x28A}},
    [GCN_DS_WRITE_B32] = {DS, {0x0D, 0x0D, 0x0D, 0x0D}},
    [GCN_DS_READ_B32] = {DS, {0x36, 0x36, 0x36, 0x36}},
};

static const struct word_format *format_of(enum amd_generation g, enum format f)
{
    return amd_is_gcn(g) ? &gcn_formats[f] : &rdna_formats[f];
}

static uint64_t put(struct place p, uint32_t value)
{
    return ((uint64_t)value & ((UINT64_C(1) << p.width) - 1)) << p.low;
}

static uint32_t get(struct place p, uint64_t word)
{
    return (uint32_t)(word >> p.low & ((UINT64_C(1) << p.width) - 1));
}

unsigned gcn_encode(enum amd_generation g, const struct gcn_insn *i, uint32_t words[2])
{
    const struct word_format *f = format_of(g, ops[i->op].format);
    uint64_t word = f->value | put(f->op, ops[i->op].code[g]) | put(f->dst, i->dst) | put(f->src0, i->src0) |
                    put(f->src1, i->src1) | put(f->imm, i->imm);
    words[0] = (uint32_t)word;
    if (f->words == 2)
        words[1] = (uint32_t)(word >> 32);
    else if (f->src0.width && i->src0 == GCN_LITERAL)
        words[1] = i->literal;
    else
        return 1;
    return 2;
}

static bool find_op(enum amd_generation g, enum format format, uint32_t code, enum gcn_op *op)
{
    for (unsigned n = 0; n < GCN_OPS; n++)
        if (ops[n].format == format && ops[n].code[g] == code) {
            *op = (enum gcn_op)n;
            return true;
        }
    return false;
}

unsigned gcn_decode(enum amd_generation g, const uint32_t words[2], struct gcn_insn *i)
{
    uint64_t word = (uint64_t)words[1] << 32 | words[0];
    for (unsigned n = 0; n < FORMATS; n++) {
        const struct word_format *f = format_of(g, (enum format)n);
        if ((words[0] & f->mask) != f->value)
            continue;
        *i = (struct gcn_insn){.dst = get(f->dst, word),
                               .src0 = get(f->src0, word),
                               .src1 = get(f->src1, word),
                               .imm = get(f->imm, word),
                               .literal = words[1]};
        if (!find_op(g, (enum format)n, get(f->op, word), &i->op))
            return 0;
        return f->words == 1 && f->src0.width && i->src0 == GCN_LITERAL ? 2 : f->words;
    }
    return 0;
}
