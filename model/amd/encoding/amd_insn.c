/* SPDX-License-Identifier: MIT */
#include "model/amd/encoding/amd_insn.h"

#include <stddef.h>
#include <string.h>

const char *const amd_generation_names[AMD_GENERATIONS + 1] = {"gfx1100", "gfx1030", "gfx900", "gfx803",
                                                               NULL};

/* ---- operations ---- */

enum {
    FORMAT = 1,
    SIGN = 2,
    D16 = 4,
    HI = 8,
    LDS = 16,
    NO = AMD_NO_CODE
}; /* the properties in amd_ops.inc */

#define OP(id, new_name, old, gfx11, gfx10, gfx9, gfx8, encoding, kind, bytes, components, atomic, flags)    \
    {new_name,                                                                                               \
     old,                                                                                                    \
     {gfx11, gfx10, gfx9, gfx8},                                                                             \
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
    {.name = NULL},
};
#undef OP

#define OP(id, ...) OP_##id,
enum {
#include "model/amd/encoding/amd_ops.inc"
    OP_COUNT
};
#undef OP

const unsigned amd_op_count = OP_COUNT;

/* The row + 1 of a code, behind each other for the encodings; the rows that a generation does not have lie
 * behind all of them. */
enum { CODES = 256, SLOTS = AMD_ENCODINGS * CODES };
#define SLOT(code, encoding, row)                                                                            \
    [(code) == NO ? SLOTS + (row) : AMD_##encoding * CODES + (code)] = (row) + 1,
#define OP(id, new_name, old, gfx11, gfx10, gfx9, gfx8, encoding, ...) SLOT(gfx11, encoding, OP_##id)
static const uint8_t gfx11_slots[SLOTS + OP_COUNT] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP
#define OP(id, new_name, old, gfx11, gfx10, gfx9, gfx8, encoding, ...) SLOT(gfx10, encoding, OP_##id)
static const uint8_t gfx10_slots[SLOTS + OP_COUNT] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP
#define OP(id, new_name, old, gfx11, gfx10, gfx9, gfx8, encoding, ...) SLOT(gfx9, encoding, OP_##id)
static const uint8_t gfx9_slots[SLOTS + OP_COUNT] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP
#define OP(id, new_name, old, gfx11, gfx10, gfx9, gfx8, encoding, ...) SLOT(gfx8, encoding, OP_##id)
static const uint8_t gfx8_slots[SLOTS + OP_COUNT] = {
#include "model/amd/encoding/amd_ops.inc"
};
#undef OP
static const uint8_t *const slots[AMD_GENERATIONS] = {gfx11_slots, gfx10_slots, gfx9_slots, gfx8_slots};

const struct amd_op *amd_op_of(enum amd_generation g, enum amd_encoding encoding, uint32_t code)
{
    unsigned row = code < CODES ? slots[g][encoding * CODES + code] : 0;
    return row ? &amd_ops[row - 1] : NULL;
}

const char *amd_op_name(enum amd_generation g, const struct amd_op *op)
{
    if (op->code[g] == AMD_NO_CODE)
        return NULL;
    return g == AMD_GFX11 ? op->name : op->old_name;
}

/* ---- fields ---- */

/*
 * F(name as the manual spells it, member of struct amd_insn, what its lowest bit is worth there, lowest bit
 * in the word, width). Every bit of the word is in exactly one row. A field in two parts (GFX10's opcode) has
 * two rows.
 */
/* clang-format off */
#define ADDRESS_AND_DATA(F) F(VADDR, vaddr, 0, 32, 8) F(VDATA, vdata, 0, 40, 8) F(SRSRC, srsrc, 0, 48, 5)
#define MUBUF_GFX11(F)                                                                                                                               \
    F(OFFSET, offset, 0, 0, 12) F(SLC, slc, 0, 12, 1) F(DLC, dlc, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(UNUSED, unused, 0, 15, 3)                        \
    F(OP, code, 0, 18, 8) F(ENCODING, encoding, 0, 26, 6) ADDRESS_AND_DATA(F) F(TFE, tfe, 0, 53, 1) F(OFFEN, offen, 0, 54, 1)                        \
    F(IDXEN, idxen, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define MTBUF_GFX11(F)                                                                                                                               \
    F(OFFSET, offset, 0, 0, 12) F(SLC, slc, 0, 12, 1) F(DLC, dlc, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(OP, code, 0, 15, 4)                              \
    F(FORMAT, format, 0, 19, 7) F(ENCODING, encoding, 0, 26, 6) ADDRESS_AND_DATA(F) F(TFE, tfe, 0, 53, 1) F(OFFEN, offen, 0, 54, 1)                  \
    F(IDXEN, idxen, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define MUBUF_GFX10(F)                                                                                                                               \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(DLC, dlc, 0, 15, 1)                      \
    F(LDS, lds, 0, 16, 1) F(UNUSED, unused, 0, 17, 1) F(OP, code, 0, 18, 7) F(OPM, code, 7, 25, 1) F(ENCODING, encoding, 0, 26, 6)                   \
    ADDRESS_AND_DATA(F) F(UNUSED_53, unused, 1, 53, 1) F(SLC, slc, 0, 54, 1) F(TFE, tfe, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define MTBUF_GFX10(F)                                                                                                                               \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(DLC, dlc, 0, 15, 1)                      \
    F(OP, code, 0, 16, 3) F(FORMAT, format, 0, 19, 7) F(ENCODING, encoding, 0, 26, 6) ADDRESS_AND_DATA(F) F(OPM, code, 3, 53, 1)                     \
    F(SLC, slc, 0, 54, 1) F(TFE, tfe, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define MUBUF_GFX9(F) /* GFX8 too */                                                                                                                 \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(UNUSED, unused, 0, 15, 1)                \
    F(LDS, lds, 0, 16, 1) F(SLC, slc, 0, 17, 1) F(OP, code, 0, 18, 7) F(UNUSED_25, unused, 1, 25, 1) F(ENCODING, encoding, 0, 26, 6)                 \
    ADDRESS_AND_DATA(F) F(UNUSED_53, unused, 2, 53, 2) F(TFE, tfe, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define MTBUF_GFX9(F) /* GFX8 too */                                                                                                                 \
    F(OFFSET, offset, 0, 0, 12) F(OFFEN, offen, 0, 12, 1) F(IDXEN, idxen, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(OP, code, 0, 15, 4)                      \
    F(DFMT, format, 0, 19, 4) F(NFMT, format, 4, 23, 3) F(ENCODING, encoding, 0, 26, 6) ADDRESS_AND_DATA(F) F(UNUSED, unused, 0, 53, 1)              \
    F(SLC, slc, 0, 54, 1) F(TFE, tfe, 0, 55, 1) F(SOFFSET, soffset, 0, 56, 8)
#define SMEM_GFX11(F)                                                                                                                                \
    F(SBASE, srsrc, 0, 0, 6) F(SDATA, vdata, 0, 6, 7) F(DLC, dlc, 0, 13, 1) F(GLC, glc, 0, 14, 1) F(UNUSED, unused, 0, 15, 3)                        \
    F(OP, code, 0, 18, 8) F(ENCODING, encoding, 0, 26, 6) F(OFFSET, offset, 0, 32, 21) F(UNUSED_53, unused, 3, 53, 4)                                \
    F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX10(F)                                                                                                                                \
    F(SBASE, srsrc, 0, 0, 6) F(SDATA, vdata, 0, 6, 7) F(UNUSED, unused, 0, 13, 1) F(DLC, dlc, 0, 14, 1) F(UNUSED_15, unused, 1, 15, 1)               \
    F(GLC, glc, 0, 16, 1) F(UNUSED_17, unused, 2, 17, 1) F(OP, code, 0, 18, 8) F(ENCODING, encoding, 0, 26, 6) F(OFFSET, offset, 0, 32, 21)          \
    F(UNUSED_53, unused, 3, 53, 4) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX9(F)                                                                                                                                 \
    F(SBASE, srsrc, 0, 0, 6) F(SDATA, vdata, 0, 6, 7) F(UNUSED, unused, 0, 13, 1) F(SOFFSET_EN, soffset_en, 0, 14, 1) F(NV, nv, 0, 15, 1)            \
    F(GLC, glc, 0, 16, 1) F(IMM, imm, 0, 17, 1) F(OP, code, 0, 18, 8) F(ENCODING, encoding, 0, 26, 6) F(OFFSET, offset, 0, 32, 21)                   \
    F(UNUSED_53, unused, 1, 53, 4) F(SOFFSET, soffset, 0, 57, 7)
#define SMEM_GFX8(F)                                                                                                                                 \
    F(SBASE, srsrc, 0, 0, 6) F(SDATA, vdata, 0, 6, 7) F(UNUSED, unused, 0, 13, 3) F(GLC, glc, 0, 16, 1) F(IMM, imm, 0, 17, 1)                        \
    F(OP, code, 0, 18, 8) F(ENCODING, encoding, 0, 26, 6) F(OFFSET, offset, 0, 32, 20) F(UNUSED_52, unused, 3, 52, 12)
/* clang-format on */

struct place {
    uint16_t member; /* byte offset of a uint32_t in struct amd_insn */
    uint8_t shift, low, width;
};

#define BITS(name, member, shift, low, width)  {#name, low, width, NULL},
#define PLACE(name, member, shift, low, width) {offsetof(struct amd_insn, member), shift, low, width},
#define LAYOUT(name, table)                                                                                  \
    static const struct bit_field name##_bits[] = {table(BITS){NULL, 0, 0, NULL}};                           \
    static const struct place name##_places[] = {table(PLACE){0, 0, 0, 0}};
LAYOUT(mubuf_gfx11, MUBUF_GFX11)
LAYOUT(mubuf_gfx10, MUBUF_GFX10)
LAYOUT(mubuf_gfx9, MUBUF_GFX9)
LAYOUT(mtbuf_gfx11, MTBUF_GFX11)
LAYOUT(mtbuf_gfx10, MTBUF_GFX10)
LAYOUT(mtbuf_gfx9, MTBUF_GFX9)
LAYOUT(smem_gfx11, SMEM_GFX11)
LAYOUT(smem_gfx10, SMEM_GFX10)
LAYOUT(smem_gfx9, SMEM_GFX9)
LAYOUT(smem_gfx8, SMEM_GFX8)

struct word_layout {
    uint32_t encoding; /* bits 31:26 */
    const struct bit_field *bits;
    const struct place *places;
};

static const struct word_layout layouts[AMD_GENERATIONS][AMD_ENCODINGS] = {
    [AMD_GFX11] = {{0x38, mubuf_gfx11_bits, mubuf_gfx11_places},
                   {0x3A, mtbuf_gfx11_bits, mtbuf_gfx11_places},
                   {0x3D, smem_gfx11_bits, smem_gfx11_places}},
    [AMD_GFX10] = {{0x38, mubuf_gfx10_bits, mubuf_gfx10_places},
                   {0x3A, mtbuf_gfx10_bits, mtbuf_gfx10_places},
                   {0x3D, smem_gfx10_bits, smem_gfx10_places}},
    [AMD_GFX9] = {{0x38, mubuf_gfx9_bits, mubuf_gfx9_places},
                  {0x3A, mtbuf_gfx9_bits, mtbuf_gfx9_places},
                  {0x30, smem_gfx9_bits, smem_gfx9_places}},
    [AMD_GFX8] = {{0x38, mubuf_gfx9_bits, mubuf_gfx9_places},
                  {0x3A, mtbuf_gfx9_bits, mtbuf_gfx9_places},
                  {0x30, smem_gfx8_bits, smem_gfx8_places}},
};

static const struct word_layout *layout_of(enum amd_generation g, uint64_t word, enum amd_encoding *encoding)
{
    for (unsigned e = 0; e < AMD_ENCODINGS; e++)
        if (layouts[g][e].encoding == ((word >> 26) & 63)) {
            *encoding = (enum amd_encoding)e;
            return &layouts[g][e];
        }
    return NULL;
}

static inline uint64_t place_mask(const struct place *p)
{
    return (UINT64_C(1) << p->width) - 1;
}

bool amd_decode(enum amd_generation g, uint64_t word, struct amd_insn *i)
{
    enum amd_encoding encoding;
    const struct word_layout *l = layout_of(g, word, &encoding);
    memset(i, 0, sizeof *i);
    if (!l)
        return false;
    for (const struct place *p = l->places; p->width; p++) {
        uint32_t value;
        memcpy(&value, (const char *)i + p->member, sizeof value);
        value |= (uint32_t)((word >> p->low) & place_mask(p)) << p->shift;
        memcpy((char *)i + p->member, &value, sizeof value);
    }
    i->op = amd_op_of(g, encoding, i->code);
    return i->op != NULL;
}

uint64_t amd_encode(enum amd_generation g, const struct amd_insn *i)
{
    const struct word_layout *l = &layouts[g][i->op->encoding];
    struct amd_insn made = *i;
    uint64_t word = 0;
    made.code = i->op->code[g];
    made.encoding = l->encoding;
    for (const struct place *p = l->places; p->width; p++) {
        uint32_t value;
        memcpy(&value, (const char *)&made + p->member, sizeof value);
        word |= ((uint64_t)(value >> p->shift) & place_mask(p)) << p->low;
    }
    return word;
}

const struct bit_field *amd_bit_fields(enum amd_generation g, uint64_t word)
{
    enum amd_encoding encoding;
    struct amd_insn i;
    const struct word_layout *l = layout_of(g, word, &encoding);
    return l && amd_decode(g, word, &i) ? l->bits : NULL;
}

void amd_insn_canonical(enum amd_generation g, const struct amd_op *op, struct amd_insn *i)
{
    memset(i, 0, sizeof *i);
    i->op = op;
    i->code = op->code[g];
    i->encoding = layouts[g][op->encoding].encoding;
    i->format = op->encoding == AMD_MTBUF; /* 8_UNORM: LLVM's text leaves it out */
    i->lds = op->kind == AMD_STORE_LDS;
}

/* ---- what the fields mean ---- */

bool amd_to_lds(const struct amd_insn *i)
{
    return i->op->kind == AMD_LOAD_LDS || (i->lds && i->op->lds_bit && i->op->kind == AMD_LOAD);
}

unsigned amd_data_registers(enum amd_generation g, const struct amd_insn *i)
{
    const struct amd_op *op = i->op;
    if (op->kind == AMD_CACHE || op->kind == AMD_STORE_LDS || amd_to_lds(i))
        return 0;
    if (op->format && op->d16 && !amd_d16_unpacked(g))
        return (op->components + 1U) / 2;
    bool two =
        op->kind == AMD_ATOMIC && (op->atomic == AMD_ATOMIC_CMPSWAP || op->atomic == AMD_ATOMIC_FCMPSWAP);
    return op->components * (two ? 2U : 1U);
}

static uint32_t sign_extended(uint32_t value, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << (bits - 1);
    return (value ^ sign) - sign;
}

int32_t amd_smem_offset(enum amd_generation g, const struct amd_insn *i)
{
    if ((g == AMD_GFX8 || g == AMD_GFX9) && !i->imm)
        return 0; /* OFFSET then holds the code of a register */
    uint32_t value = g == AMD_GFX8 ? i->offset : sign_extended(i->offset, 21);
    return value >> 31 ? -(int32_t)(0U - value) : (int32_t)value;
}

int amd_smem_soffset(enum amd_generation g, const struct amd_insn *i)
{
    if (g == AMD_GFX9 && i->soffset_en)
        return (int)i->soffset;
    if (g == AMD_GFX8 || g == AMD_GFX9)
        return i->imm ? -1 : (int)(i->offset & 127);
    return i->soffset == (g == AMD_GFX11 ? 124U : 125U) ? -1 : (int)i->soffset; /* NULL: none */
}

enum amd_source amd_soffset_source(enum amd_generation g, uint32_t code, uint32_t *value)
{
    static const uint32_t floats[] = {0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000,
                                      0xC0000000, 0x40800000, 0xC0800000, 0x3E22F983};
    uint32_t m0 = g == AMD_GFX11 ? 125 : 124, sgprs = g == AMD_GFX8 || g == AMD_GFX9 ? 102 : 106;
    *value = code;
    if (code < sgprs)
        return AMD_SOURCE_SGPR;
    if (code == 124 || code == 125) { /* M0 and NULL changed places with GFX11 */
        *value = 0;
        return code == m0 ? AMD_SOURCE_M0 : AMD_SOURCE_NULL;
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
