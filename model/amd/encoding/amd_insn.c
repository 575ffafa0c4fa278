/* SPDX-License-Identifier: MIT */
#include "model/amd/encoding/amd_insn.h"

#include <stddef.h>
#include <string.h>

const char *const amd_generation_names[AMD_GENERATIONS + 1] = {"gfx1100", "gfx1030", "gfx900",  "gfx803",
                                                               "gfx90a",  "gfx942",  "gfx1200", NULL};

/* ---- operations ---- */

/* The properties in amd_ops.inc. */
enum { FORMAT = 1, SIGN = 2, D16 = 4, HI = 8, LDS = 16, NO = AMD_NO_CODE };

#define OP(name, old, gfx11, gfx10, gfx9, gfx8, gfx90a, gfx942, gfx12, encoding, kind, bytes, components,    \
           atomic, flags)                                                                                    \
    {#name,                                                                                                  \
     #old,                                                                                                   \
     {gfx11, gfx10, gfx9, gfx8, gfx90a, gfx942, gfx12},                                                      \
     AMD_##encoding,                                                                                         \
     AMD_##kind,                                                                                             \
     bytes,                                                                                                  \
     components,                                                                                             \
     AMD_ATOMIC_##atomic,                                                                                    \
     ((flags)&FORMAT) != 0,                                                                                  \
     ((flags)&SIGN) != 0,                                                                                    \
     ((flags)&D16) != 0,                                                                                     \
     ((flags)&HI) != 0,                                                                                      \
     ((flags)&LDS) != 0},
const struct amd_op amd_ops[] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP

#define OP(name, old, ...) OP_##name##_##old,
enum {
#include "model/amd/encoding/amd_ops.inc"
    OP_COUNT
};
#undef OP

const unsigned amd_op_count = OP_COUNT;

/* The row + 1 of each opcode, by generation, encoding and code. The slots from SLOTS on belong to rows that
 * the generation lacks; nobody reads them. */
enum { CODES = 256, SLOTS = AMD_ENCODINGS * CODES };
#define SLOT(generation, code, encoding, row)                                                                \
    [AMD_##generation][(code) == NO ? SLOTS + (row) : AMD_##encoding * CODES + (code)] = (row) + 1,
#define OP(name, old, gfx11, gfx10, gfx9, gfx8, gfx90a, gfx942, gfx12, encoding, ...)                        \
    SLOT(GFX11, gfx11, encoding, OP_##name##_##old)                                                          \
    SLOT(GFX10, gfx10, encoding, OP_##name##_##old)                                                          \
    SLOT(GFX9, gfx9, encoding, OP_##name##_##old)                                                            \
    SLOT(GFX8, gfx8, encoding, OP_##name##_##old)                                                            \
    SLOT(GFX90A, gfx90a, encoding, OP_##name##_##old)                                                        \
    SLOT(GFX942, gfx942, encoding, OP_##name##_##old)                                                        \
    SLOT(GFX12, gfx12, encoding, OP_##name##_##old)
static const uint8_t slots[AMD_GENERATIONS][SLOTS + OP_COUNT] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP

const struct amd_op *amd_op_of(enum amd_generation g, enum amd_encoding encoding, uint32_t code)
{
    unsigned row = code < CODES ? slots[g][encoding * CODES + code] : 0;
    return row ? &amd_ops[row - 1] : NULL;
}

const char *amd_op_name(enum amd_generation g, const struct amd_op *op)
{
    if (op->code[g] == AMD_NO_CODE)
        return NULL;
    return amd_is_gfx11(g) ? op->name : op->old_name;
}

/* ---- fields ---- */

/*
 * F(name in the manual, member of struct amd_insn, bit of the member that the field begins at, lowest bit in
 * the word, width). Every bit of the word is in exactly one row. A field in two parts has two rows.
 */
/* clang-format off */
#define ENCODING(F) F(ENCODING, encoding, 0, 26, 6)
#define ENCODING_TO_SRSRC(F) \
    ENCODING(F) F(VADDR, vaddr, 0, 32, 8) F(VDATA, vdata, 0, 40, 8) F(SRSRC, srsrc, 0, 48, 5)
#define SOFFSET(F) F(SOFFSET, soffset, 0, 56, 8)
#define GFX11_BEGIN(F) \
    F(OFFSET, offset, 0, 0, 12) F(SLC, slc, 0, 12, 1) F(DLC, dlc, 0, 13, 1) F(GLC, glc, 0, 14, 1)
#define GFX11_END(F) \
    ENCODING_TO_SRSRC(F) F(TFE, tfe, 0, 53, 1) F(OFFEN, offen, 0, 54, 1) F(IDXEN, idxen, 0, 55, 1) \
    SOFFSET(F)
#define MUBUF_GFX11(F) GFX11_BEGIN(F) F(UNUSED, unused, 0, 15, 3) F(OP, code, 0, 18, 8) GFX11_END(F)
#define MTBUF_GFX11(F) GFX11_BEGIN(F) F(OP, code, 0, 15, 4) F(FORMAT, format, 0, 19, 7) GFX11_END(F)
#define BEGIN(F) \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(GLC, glc, 0, 14, 1)
#define MUBUF_GFX10(F) \
    BEGIN(F) F(DLC, dlc, 0, 15, 1) F(LDS, lds, 0, 16, 1) F(UNUSED, unused, 0, 17, 1) F(OP, code, 0, 18, 7) \
    F(OPM, code, 7, 25, 1) ENCODING_TO_SRSRC(F) F(UNUSED_53, unused, 1, 53, 1) F(SLC, slc, 0, 54, 1) \
    F(TFE, tfe, 0, 55, 1) SOFFSET(F)
#define MTBUF_GFX10(F) \
    BEGIN(F) F(DLC, dlc, 0, 15, 1) F(OP, code, 0, 16, 3) F(FORMAT, format, 0, 19, 7) ENCODING_TO_SRSRC(F) \
    F(OPM, code, 3, 53, 1) F(SLC, slc, 0, 54, 1) F(TFE, tfe, 0, 55, 1) SOFFSET(F)
#define MUBUF_GFX9(F) /* GFX8 too */ \
    BEGIN(F) F(UNUSED, unused, 0, 15, 1) F(LDS, lds, 0, 16, 1) F(SLC, slc, 0, 17, 1) F(OP, code, 0, 18, 7) \
    F(UNUSED_25, unused, 1, 25, 1) ENCODING_TO_SRSRC(F) F(UNUSED_53, unused, 2, 53, 2) F(TFE, tfe, 0, 55, 1) \
    SOFFSET(F)
#define MTBUF_GFX9(F) /* GFX8 too */ \
    BEGIN(F) F(OP, code, 0, 15, 4) F(DFMT, format, 0, 19, 4) F(NFMT, format, 4, 23, 3) ENCODING_TO_SRSRC(F) \
    F(UNUSED, unused, 0, 53, 1) F(SLC, slc, 0, 54, 1) F(TFE, tfe, 0, 55, 1) SOFFSET(F)
/* CDNA: SCC, called SC1 on gfx942, and ACC in the place of TFE */
#define CDNA_BEGIN(F, glc_name) \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(glc_name, glc, 0, 14, 1)
#define MUBUF_CDNA(F, glc_name, slc_name, scc_name) \
    CDNA_BEGIN(F, glc_name) F(scc_name, scc, 0, 15, 1) F(LDS, lds, 0, 16, 1) F(slc_name, slc, 0, 17, 1) \
    F(OP, code, 0, 18, 7) F(UNUSED, unused, 0, 25, 1) ENCODING_TO_SRSRC(F) F(UNUSED_53, unused, 1, 53, 2) \
    F(ACC, vdata, 8, 55, 1) SOFFSET(F)
#define MTBUF_CDNA(F, glc_name, slc_name, scc_name) \
    CDNA_BEGIN(F, glc_name) F(OP, code, 0, 15, 4) F(DFMT, format, 0, 19, 4) F(NFMT, format, 4, 23, 3) \
    ENCODING_TO_SRSRC(F) F(scc_name, scc, 0, 53, 1) F(slc_name, slc, 0, 54, 1) F(ACC, vdata, 8, 55, 1) \
    SOFFSET(F)
#define MUBUF_GFX90A(F) MUBUF_CDNA(F, GLC, SLC, SCC)
#define MTBUF_GFX90A(F) MTBUF_CDNA(F, GLC, SLC, SCC)
#define MUBUF_GFX942(F) MUBUF_CDNA(F, SC0, NT, SC1)
#define MTBUF_GFX942(F) MTBUF_CDNA(F, SC0, NT, SC1)
/* VBUFFER. RSRC is an SGPR's number, a multiple of 4 below 128, so only its middle bits are `srsrc`. LLVM
 * sets FORMAT of MUBUF to 1. */
#define VBUFFER(F) \
    F(SOFFSET, soffset, 0, 0, 7) F(UNUSED, unused, 0, 7, 7) F(OP, code, 0, 14, 8) F(TFE, tfe, 0, 22, 1) \
    F(UNUSED_23, unused, 7, 23, 3) ENCODING(F) F(VDATA, vdata, 0, 32, 8) F(UNUSED_40, unused, 10, 40, 1) \
    F(RSRC_LOW, unused, 11, 41, 2) F(RSRC, srsrc, 0, 43, 5) F(RSRC_HIGH, unused, 13, 48, 2) \
    F(SCOPE, scope, 0, 50, 2) F(TH_LOW, glc, 0, 52, 1) F(TH, th, 0, 53, 2) F(FORMAT, format, 0, 55, 7) \
    F(OFFEN, offen, 0, 62, 1) F(IDXEN, idxen, 0, 63, 1) F(VADDR, vaddr, 0, 64, 8) \
    F(IOFFSET, offset, 0, 72, 24)
#define SMEM_BEGIN(F) F(SBASE, srsrc, 0, 0, 6) F(SDATA, vdata, 0, 6, 7)
#define SMEM_OP(F) F(OP, code, 0, 18, 8) ENCODING(F)
#define SMEM_GFX11(F) \
    SMEM_BEGIN(F) F(DLC, dlc, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(UNUSED, unused, 0, 15, 3) SMEM_OP(F) \
    F(OFFSET, offset, 0, 32, 21) F(UNUSED_53, unused, 3, 53, 4) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX12(F) \
    SMEM_BEGIN(F) F(OP, code, 0, 13, 6) F(UNUSED, unused, 0, 19, 2) F(SCOPE, scope, 0, 21, 2) \
    F(TH_LOW, glc, 0, 23, 1) F(TH, th, 0, 24, 1) F(UNUSED_25, unused, 2, 25, 1) ENCODING(F) \
    F(IOFFSET, offset, 0, 32, 24) F(UNUSED_56, unused, 3, 56, 1) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX10(F) \
    SMEM_BEGIN(F) F(UNUSED, unused, 0, 13, 1) F(DLC, dlc, 0, 14, 1) F(UNUSED_15, unused, 1, 15, 1) \
    F(GLC, glc, 0, 16, 1) F(UNUSED_17, unused, 2, 17, 1) SMEM_OP(F) F(OFFSET, offset, 0, 32, 21) \
    F(UNUSED_53, unused, 3, 53, 4) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX9(F) /* CDNA too */ \
    SMEM_BEGIN(F) F(UNUSED, unused, 0, 13, 1) F(SOFFSET_EN, soffset_en, 0, 14, 1) F(NV, nv, 0, 15, 1) \
    F(GLC, glc, 0, 16, 1) F(IMM, imm, 0, 17, 1) SMEM_OP(F) F(OFFSET, offset, 0, 32, 21) \
    F(UNUSED_53, unused, 1, 53, 4) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX8(F) \
    SMEM_BEGIN(F) F(UNUSED, unused, 0, 13, 3) F(GLC, glc, 0, 16, 1) F(IMM, imm, 0, 17, 1) SMEM_OP(F) \
    F(OFFSET, offset, 0, 32, 20) F(UNUSED_52, unused, 3, 52, 12)
/* clang-format on */

struct word_layout {
    uint32_t encoding; /* bits 31:26 */
    const struct bit_field *bits;
    const struct amd_field_part *places;
};

#define BITS(name, member, shift, low, width)  {#name, low, width, NULL},
#define PLACE(name, member, shift, low, width) {offsetof(struct amd_insn, member), shift, low, width},
#define LAYOUT(encoding, table)                                                                              \
    {                                                                                                        \
        encoding, (const struct bit_field[]){table(BITS){NULL, 0, 0, NULL}}, (const struct amd_field_part[]) \
        {                                                                                                    \
            table(PLACE)                                                                                     \
            {                                                                                                \
                0, 0, 0, 0                                                                                   \
            }                                                                                                \
        }                                                                                                    \
    }

static const struct word_layout layouts[AMD_GENERATIONS][AMD_ENCODINGS] = {
    [AMD_GFX11] = {LAYOUT(0x38, MUBUF_GFX11), LAYOUT(0x3A, MTBUF_GFX11), LAYOUT(0x3D, SMEM_GFX11)},
    [AMD_GFX10] = {LAYOUT(0x38, MUBUF_GFX10), LAYOUT(0x3A, MTBUF_GFX10), LAYOUT(0x3D, SMEM_GFX10)},
    [AMD_GFX9] = {LAYOUT(0x38, MUBUF_GFX9), LAYOUT(0x3A, MTBUF_GFX9), LAYOUT(0x30, SMEM_GFX9)},
    [AMD_GFX8] = {LAYOUT(0x38, MUBUF_GFX9), LAYOUT(0x3A, MTBUF_GFX9), LAYOUT(0x30, SMEM_GFX8)},
    [AMD_GFX90A] = {LAYOUT(0x38, MUBUF_GFX90A), LAYOUT(0x3A, MTBUF_GFX90A), LAYOUT(0x30, SMEM_GFX9)},
    [AMD_GFX942] = {LAYOUT(0x38, MUBUF_GFX942), LAYOUT(0x3A, MTBUF_GFX942), LAYOUT(0x30, SMEM_GFX9)},
    [AMD_GFX12] = {LAYOUT(0x31, VBUFFER), LAYOUT(0x31, VBUFFER), LAYOUT(0x3D, SMEM_GFX12)},
};

/* On GFX12, bit 7 of the opcode distinguishes MTBUF from MUBUF. */
static const struct word_layout *layout_of(enum amd_generation g, uint32_t first, enum amd_encoding *encoding)
{
    enum { TYPED = 1 << 21 };
    for (unsigned e = 0; e < AMD_ENCODINGS; e++)
        if (layouts[g][e].encoding == first >> 26) {
            *encoding = g == AMD_GFX12 && e == AMD_MUBUF && first & TYPED ? AMD_MTBUF : (enum amd_encoding)e;
            return &layouts[g][e];
        }
    return NULL;
}

unsigned amd_insn_words(enum amd_generation g, uint32_t first)
{
    return g == AMD_GFX12 && first >> 26 == layouts[g][AMD_MUBUF].encoding ? 3 : 2;
}

/* No field crosses a word. */
static inline uint32_t place_mask(const struct amd_field_part *p)
{
    return UINT32_MAX >> (32 - p->width);
}

const struct amd_field_part *amd_parts_of(enum amd_generation g, enum amd_encoding encoding)
{
    return layouts[g][encoding].places;
}

bool amd_decode_as(enum amd_generation g, enum amd_encoding encoding, const uint32_t *words,
                   struct amd_insn *i)
{
    const struct word_layout *l = &layouts[g][encoding];
    memset(i, 0, sizeof *i);
    for (const struct amd_field_part *p = l->places; p->width; p++) {
        uint32_t value;
        memcpy(&value, (const char *)i + p->member, sizeof value);
        value |= (words[p->low / 32] >> p->low % 32 & place_mask(p)) << p->shift;
        memcpy((char *)i + p->member, &value, sizeof value);
    }
    i->op = amd_op_of(g, encoding, i->code);
    return i->op != NULL;
}

bool amd_decode_words(enum amd_generation g, const uint32_t *words, struct amd_insn *i)
{
    enum amd_encoding encoding;
    if (layout_of(g, words[0], &encoding))
        return amd_decode_as(g, encoding, words, i);
    memset(i, 0, sizeof *i);
    return false;
}

void amd_encode_words(enum amd_generation g, const struct amd_insn *i, uint32_t *words)
{
    const struct word_layout *l = &layouts[g][i->op->encoding];
    struct amd_insn made = *i;
    memset(words, 0, AMD_INSN_WORDS * sizeof *words);
    made.code = i->op->code[g];
    made.encoding = l->encoding;
    for (const struct amd_field_part *p = l->places; p->width; p++) {
        uint32_t value;
        memcpy(&value, (const char *)&made + p->member, sizeof value);
        words[p->low / 32] |= (value >> p->shift & place_mask(p)) << p->low % 32;
    }
}

bool amd_encoding_of(enum amd_generation g, unsigned i, struct code_encoding *e)
{
    static const char *const names[AMD_ENCODINGS][2] = {
        [AMD_MUBUF] =
            {"MUBUF (gfx1200: VBUFFER)",
             "Untyped buffer instructions. VADDR and VDATA are VGPRs; SRSRC is the V#'s first SGPR / 4 "
             "(RSRC on\ngfx1200). ENCODING is 0x38 (gfx1200: 0x31, and bit 7 of OP is 0)."},
        [AMD_MTBUF] = {"MTBUF (gfx1200: VBUFFER)",
                       "Typed buffer instructions, with their own format. ENCODING is\n0x3A (gfx1200: 0x31, "
                       "and bit 7 of OP is 1)."},
        [AMD_SMEM] = {"SMEM",
                      "Scalar buffer instructions. SBASE is the V#'s first SGPR / 2. ENCODING is 0x3D "
                      "(gfx900, gfx803,\ngfx90a, gfx942: 0x30)."}};
    if (i >= AMD_ENCODINGS)
        return false;
    *e = (struct code_encoding){names[i][0], names[i][1], layouts[g][i].bits};
    return true;
}

bool amd_operation_of(enum amd_generation g, unsigned i, struct code_operation *o)
{
    if (i >= amd_op_count)
        return false;
    const struct amd_op *op = &amd_ops[i];
    *o = (struct code_operation){amd_op_name(g, op), op->encoding, op->code[g]};
    return true;
}

const struct bit_field *amd_fields_of(enum amd_generation g, const uint32_t *words)
{
    enum amd_encoding encoding;
    struct amd_insn i;
    const struct word_layout *l = layout_of(g, words[0], &encoding);
    return l && amd_decode_words(g, words, &i) ? l->bits : NULL;
}

/* ---- instructions of 64 bits ---- */

bool amd_decode(enum amd_generation g, uint64_t word, struct amd_insn *i)
{
    uint32_t words[AMD_INSN_WORDS];
    amd_set_word(words, word);
    return amd_decode_words(g, words, i);
}

uint64_t amd_encode(enum amd_generation g, const struct amd_insn *i)
{
    uint32_t words[AMD_INSN_WORDS];
    amd_encode_words(g, i, words);
    return amd_word(words);
}

const struct bit_field *amd_bit_fields(enum amd_generation g, uint64_t word)
{
    uint32_t words[AMD_INSN_WORDS];
    amd_set_word(words, word);
    return amd_fields_of(g, words);
}

void amd_insn_canonical(enum amd_generation g, const struct amd_op *op, struct amd_insn *i)
{
    memset(i, 0, sizeof *i);
    i->op = op;
    i->code = op->code[g];
    i->encoding = layouts[g][op->encoding].encoding;
    i->format =
        op->encoding == AMD_MTBUF || (g == AMD_GFX12 && op->encoding == AMD_MUBUF) ? AMD_FORMAT_DEFAULT : 0;
    if (g == AMD_GFX12)
        i->soffset = amd_null(g);
    i->lds = op->kind == AMD_STORE_LDS;
}

/* ---- what the fields mean ---- */

bool amd_to_lds(const struct amd_insn *i)
{
    return i->op->kind == AMD_LOAD_LDS || (i->lds && i->op->lds_bit && i->op->kind == AMD_LOAD);
}

bool amd_compares(const struct amd_op *op)
{
    return op->kind == AMD_ATOMIC && (op->atomic == AMD_ATOMIC_CMPSWAP || op->atomic == AMD_ATOMIC_FCMPSWAP);
}

unsigned amd_data_registers(enum amd_generation g, const struct amd_insn *i)
{
    const struct amd_op *op = i->op;
    if (op->kind == AMD_CACHE || op->kind == AMD_STORE_LDS || amd_to_lds(i))
        return 0;
    if (op->format && op->d16 && g != AMD_GFX8) /* GFX8.0 does not pack them (LLVM: unpacked-d16-vmem) */
        return (op->components + 1U) / 2;
    return op->components * (amd_compares(op) ? 2U : 1U);
}

int32_t amd_smem_offset(enum amd_generation g, const struct amd_insn *i)
{
    const int32_t sign_bit = g == AMD_GFX12 ? 1 << 23 : 1 << 20;
    if (amd_is_gcn(g) && !i->imm)
        return 0; /* OFFSET then holds the code of a register */
    return g == AMD_GFX8 ? (int32_t)i->offset : ((int32_t)i->offset ^ sign_bit) - sign_bit;
}

int amd_smem_soffset(enum amd_generation g, const struct amd_insn *i)
{
    if (amd_is_gfx9(g) && i->soffset_en)
        return (int)i->soffset;
    if (amd_is_gcn(g))
        return i->imm ? -1 : (int)(i->offset & 127);
    return i->soffset == amd_null(g) ? -1 : (int)i->soffset;
}

enum amd_source amd_soffset_source(enum amd_generation g, uint32_t code, uint32_t *value)
{
    static const uint32_t floats[] = {0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000,
                                      0xC0000000, 0x40800000, 0xC0800000, 0x3E22F983};
    *value = code;
    if (code < amd_sgprs(g))
        return AMD_SOURCE_SGPR;
    if (code == 124 || code == 125) {
        *value = 0;
        return code == amd_m0(g) ? AMD_SOURCE_M0 : AMD_SOURCE_NULL;
    }
    if (code >= 128 && code <= 208) {
        *value = code <= 192 ? code - 128 : 192 - code;
        return AMD_SOURCE_CONSTANT;
    }
    if (code >= 240 && code <= 248) {
        *value = floats[code - 240];
        return AMD_SOURCE_CONSTANT;
    }
    bool special = code < 128 || (code >= 235 && code <= 239) || (code >= 251 && code <= 253);
    return special ? AMD_SOURCE_SPECIAL : AMD_SOURCE_RESERVED;
}
