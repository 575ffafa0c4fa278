/* SPDX-License-Identifier: MIT */
#include "model/amd/encoding/amd_descriptor.h"
#include "model/amd/encoding/amd_descriptor_bits.h"

#include <string.h>

/* ---- fields ---- */

static const char *const sel_names[] = {"0", "1", "n_bc_1", "reserved", "x", "y", "z", "w", NULL};
static const char *const index_stride_names[] = {"8", "16", "32", "64", NULL};
static const char *const element_size_names[] = {"2", "4", "8", "16", NULL};
static const char *const swizzle_names[] = {"off", "on", NULL};
static const char *const swizzle_gfx11_names[] = {"off", "element4", "reserved", "element16", NULL};
static const char *const oob_names[] = {"index_and_offset", "index_only", "num_records_0", "complete", NULL};

/*
 * F(word, name in the guides, member of struct amd_descriptor, bit of the member that the field begins at,
 * lowest bit in the word, width, names of values or NULL), a table for each word. No field crosses a word but
 * BASE, which has two names and is decoded by hand.
 */
/* clang-format off */
#define BASE(F) F(0, BASE, base, 0, 0, 32, NULL)
#define BASE_HIGH(F) F(1, BASE_HIGH, base, 32, 0, 16, NULL)
#define STRIDE(F) F(1, STRIDE, stride, 0, 16, 14, NULL)
#define WORD_2(F) F(2, NUM_RECORDS, num_records, 0, 0, 32, NULL)
#define SELECT(F) \
    F(3, DST_SEL_X, dst_sel[0], 0, 0, 3, sel_names) F(3, DST_SEL_Y, dst_sel[1], 0, 3, 3, sel_names) \
    F(3, DST_SEL_Z, dst_sel[2], 0, 6, 3, sel_names) F(3, DST_SEL_W, dst_sel[3], 0, 9, 3, sel_names)
#define TWO_FORMATS(F) \
    F(3, NUM_FORMAT, format, 4, 12, 3, amd_number_names) \
    F(3, DATA_FORMAT, format, 0, 15, 4, amd_layout_names)
#define INDEX(F) \
    F(3, INDEX_STRIDE, index_stride, 0, 21, 2, index_stride_names) \
    F(3, ADD_TID_ENABLE, add_tid_enable, 0, 23, 1, NULL)
#define TYPE(F) F(3, TYPE, type, 0, 30, 2, NULL)
#define LAST_GFX10(F) \
    F(3, LLC_NOALLOC, llc_noalloc, 0, 26, 2, NULL) F(3, OOB_SELECT, oob_select, 0, 28, 2, oob_names) TYPE(F)

/* "RDNA3" guide table 44 */
#define GFX11_WORD_1(F) STRIDE(F) F(1, SWIZZLE_ENABLE, swizzle_enable, 0, 30, 2, swizzle_gfx11_names)
#define GFX11_WORD_3(F) \
    SELECT(F) F(3, FORMAT, format, 0, 12, 6, amd_gfx11_format_names) \
    F(3, RESERVED, reserved, 0, 18, 3, NULL) INDEX(F) F(3, RESERVED_120, reserved, 3, 24, 2, NULL) \
    LAST_GFX10(F)
/* "RDNA4" guide: STRIDE_SCALE, and bits for compressed memory */
static const char *const scale_names[] = {"1", "4", "8", "32", NULL};
#define GFX12_WORD_3(F) \
    SELECT(F) F(3, FORMAT, format, 0, 12, 6, amd_gfx11_format_names) \
    F(3, STRIDE_SCALE, stride_scale, 0, 18, 2, scale_names) F(3, RESERVED, reserved, 0, 20, 1, NULL) \
    INDEX(F) F(3, COMPRESSION, compression, 0, 24, 4, NULL) \
    F(3, OOB_SELECT, oob_select, 0, 28, 2, oob_names) TYPE(F)
/* GFX10: "RDNA2" guide; GFX9: "CDNA3" guide; GFX8: CLRX documentation; all: headers of PAL and ROCR */
#define GFX10_WORD_1(F) /* GFX8, GFX9 too */ \
    STRIDE(F) F(1, CACHE_SWIZZLE, cache_swizzle, 0, 30, 1, NULL) \
    F(1, SWIZZLE_ENABLE, swizzle_enable, 0, 31, 1, swizzle_names)
#define GFX10_WORD_3(F) \
    SELECT(F) F(3, FORMAT, format, 0, 12, 7, amd_gfx10_format_names) \
    F(3, RESERVED, reserved, 0, 19, 2, NULL) INDEX(F) F(3, RESOURCE_LEVEL, resource_level, 0, 24, 1, NULL) \
    F(3, RESERVED_121, reserved, 2, 25, 1, NULL) LAST_GFX10(F)
#define GFX9_WORD_3(F) \
    SELECT(F) TWO_FORMATS(F) F(3, USER_VM_ENABLE, user_vm_enable, 0, 19, 1, NULL) \
    F(3, USER_VM_MODE, user_vm_mode, 0, 20, 1, NULL) INDEX(F) F(3, RESERVED, reserved, 0, 24, 3, NULL) \
    F(3, NV, nv, 0, 27, 1, NULL) F(3, RESERVED_124, reserved, 3, 28, 2, NULL) TYPE(F)
#define GFX8_WORD_3(F) \
    SELECT(F) TWO_FORMATS(F) F(3, ELEMENT_SIZE, element_size, 0, 19, 2, element_size_names) INDEX(F) \
    F(3, ATC, atc, 0, 24, 1, NULL) F(3, HASH_ENABLE, hash_enable, 0, 25, 1, NULL) \
    F(3, HEAP, heap, 0, 26, 1, NULL) F(3, MTYPE, mtype, 0, 27, 3, NULL) TYPE(F)
/* clang-format on */

#define MASK(width) (UINT32_MAX >> (32 - (width)))
#define TAKE(word, name, member, shift, low, width, values)                                                  \
    d->member |= (words[word] >> (low)&MASK(width)) << (shift);
#define PUT(word, name, member, shift, low, width, values)                                                   \
    words[word] |= (d->member >> (shift)&MASK(width)) << (low);
#define BITS(word, name, member, shift, low, width, values)      {#name, 32 * (word) + (low), width, values},
#define WORD_BITS(word, name, member, shift, low, width, values) {#name, low, width, values},
#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, NULL                                                                                     \
    }
#define LAYOUT(generation, word_1, word_3)                                                                   \
    static const struct bit_field generation##_bits[] = {BASE(BITS) BASE_HIGH(BITS) word_1(BITS)             \
                                                             WORD_2(BITS) word_3(BITS) END},                 \
                                  generation##_word_1[] = {BASE_HIGH(WORD_BITS) word_1(WORD_BITS) END},      \
                                  generation##_word_3[] = {word_3(WORD_BITS) END};                           \
    static void generation##_decode(const uint32_t *words, struct amd_descriptor *d)                         \
    {                                                                                                        \
        word_1(TAKE) WORD_2(TAKE) word_3(TAKE)                                                               \
    }                                                                                                        \
    static void generation##_encode(const struct amd_descriptor *d, uint32_t *words)                         \
    {                                                                                                        \
        word_1(PUT) WORD_2(PUT) word_3(PUT)                                                                  \
    }
LAYOUT(gfx11, GFX11_WORD_1, GFX11_WORD_3)
LAYOUT(gfx12, GFX11_WORD_1, GFX12_WORD_3)
LAYOUT(gfx10, GFX10_WORD_1, GFX10_WORD_3)
LAYOUT(gfx9, GFX10_WORD_1, GFX9_WORD_3)
LAYOUT(gfx8, GFX10_WORD_1, GFX8_WORD_3)
static const struct bit_field word_0[] = {BASE(WORD_BITS) END}, word_2[] = {WORD_2(WORD_BITS) END};

/* In the order of enum amd_generation. */
const struct bit_field *const amd_descriptor_word_bits[AMD_DESCRIPTOR_WORDS][AMD_GENERATIONS] = {
    {word_0, word_0, word_0, word_0, word_0, word_0, word_0},
    {gfx11_word_1, gfx10_word_1, gfx9_word_1, gfx8_word_1, gfx9_word_1, gfx9_word_1, gfx12_word_1},
    {word_2, word_2, word_2, word_2, word_2, word_2, word_2},
    {gfx11_word_3, gfx10_word_3, gfx9_word_3, gfx8_word_3, gfx9_word_3, gfx9_word_3, gfx12_word_3},
};

static const struct descriptor_layout {
    const struct bit_field *bits;
    void (*decode)(const uint32_t *words, struct amd_descriptor *d); /* all but BASE, into zeros */
    void (*encode)(const struct amd_descriptor *d, uint32_t *words);
} layouts[AMD_GENERATIONS] = {
    [AMD_GFX11] = {gfx11_bits, gfx11_decode, gfx11_encode},
    [AMD_GFX10] = {gfx10_bits, gfx10_decode, gfx10_encode},
    [AMD_GFX9] = {gfx9_bits, gfx9_decode, gfx9_encode},
    [AMD_GFX8] = {gfx8_bits, gfx8_decode, gfx8_encode},
    [AMD_GFX90A] = {gfx9_bits, gfx9_decode, gfx9_encode},
    [AMD_GFX942] = {gfx9_bits, gfx9_decode, gfx9_encode},
    [AMD_GFX12] = {gfx12_bits, gfx12_decode, gfx12_encode},
};

const struct bit_field *amd_descriptor_bits(enum amd_generation g)
{
    return layouts[g].bits;
}

void amd_descriptor_decode(enum amd_generation g, const uint32_t words[AMD_DESCRIPTOR_WORDS],
                           struct amd_descriptor *d)
{
    memset(d, 0, sizeof *d);
    d->base = (uint64_t)(words[1] & 0xFFFF) << 32 | words[0];
    layouts[g].decode(words, d);
}

void amd_descriptor_encode(enum amd_generation g, const struct amd_descriptor *d,
                           uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    memset(words, 0, AMD_DESCRIPTOR_WORDS * sizeof *words);
    words[0] = (uint32_t)d->base;
    words[1] = (uint32_t)(d->base >> 32) & 0xFFFF;
    layouts[g].encode(d, words);
}

/* ---- builders ---- */

struct amd_descriptor amd_descriptor_typed(enum amd_generation g, uint64_t base, uint32_t stride,
                                           uint32_t records, uint32_t code)
{
    struct amd_descriptor d = {
        .base = base & 0xFFFFFFFFFFFF,
        .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
        .stride = stride & 0x3FFF,
        .num_records = records,
        .format = code,
        .resource_level = g == AMD_GFX10,
        .oob_select = AMD_OOB_INDEX_AND_OFFSET,
    };
    if (g == AMD_GFX8 && stride) /* NUM_RECORDS counts bytes unless swizzled */
        d.num_records = (uint64_t)records * stride > UINT32_MAX ? UINT32_MAX : records * stride;
    return d;
}

struct amd_descriptor amd_descriptor_raw(enum amd_generation g, uint64_t base, uint32_t bytes)
{
    struct amd_descriptor d =
        amd_descriptor_typed(g, base, 0, bytes, (uint32_t)amd_format_code(g, AMD_32, AMD_FLOAT));
    d.oob_select = amd_is_gcn(g) ? 0 : AMD_OOB_COMPLETE;
    return d;
}

struct amd_descriptor amd_descriptor_scratch(enum amd_generation g, uint64_t base, uint32_t bytes_per_lane,
                                             uint32_t lanes)
{
    struct amd_descriptor d =
        amd_descriptor_typed(g, base, bytes_per_lane, 0, (uint32_t)amd_format_code(g, AMD_32, AMD_FLOAT));
    d.num_records = UINT32_MAX;
    d.swizzle_enable = 1;
    d.element_size = g == AMD_GFX8 ? 1 : 0; /* 4 bytes, as always on the others (GFX11: by swizzle_enable) */
    d.index_stride = lanes > 32 ? 3 : 2;
    d.add_tid_enable = 1;
    d.oob_select = amd_is_gcn(g) ? 0 : AMD_OOB_NUM_RECORDS_0;
    if (amd_is_gcn(g)) /* with ADD_TID, DATA_FORMAT is STRIDE[17:14] */
        d.format = (d.format & 0x70) | ((bytes_per_lane >> 14) & 15);
    return d;
}
