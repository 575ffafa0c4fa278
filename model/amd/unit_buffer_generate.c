/* SPDX-License-Identifier: MIT */
/* Generates cases for amd-buffer: a V# whose fields are at the boundaries of range checks and swizzling,
 * indices and offsets around them, and one or two instructions that use them. */
#include "model/amd/unit_buffer.h"

#define PICK(r, table) (table)[random_below(r, sizeof(table) / sizeof *(table))]

/* Most cases share the content of their images, because filling all rows anew costs more than running a
 * case. */
enum { VGPR_SEED = 1, SEEDS = 2, OTHER_CONTENT_ONE_IN = 1024, EDGES_ONE_IN = 8 };
/* v0 holds indices, v1 offsets, v4 on data; s0 to s7 hold values for SOFFSET, s8 to s11 the V#. */
enum { VGPR_INDEX, VGPR_OFFSET, VGPR_DATA = 4, SGPR_DESCRIPTOR_GROUP = 2, SOFFSET_ZERO = 128 };

static const uint32_t some_strides[] = {0,  0,  1,  2,  3,  4,  4,  5,  7,  8,   8,   12,  15,    16,
                                        16, 17, 20, 24, 32, 32, 48, 63, 64, 100, 128, 256, 16380, 16383};
static const uint32_t some_bases[] = {0, 0, 0, 0x100, 0x1000, 4, 16, 2, 0x3FF0, 0x2001};
static const uint32_t some_soffsets[] = {0,  4,     4,  8,      16,         3,          1,
                                         64, 0x100, 17, 0x1000, 0xFFFFFFFF, 0xFFFFFFFC, 0x80000000};
static const uint32_t some_offsets[] = {0, 0, 4, 4, 8, 12, 16, 20, 1, 2, 3, 5, 28, 60, 64, 252, 4095, 4092};
static const uint32_t some_indices[] = {0, 1, 2, 5, 7, 8, 9, 31, 32, 33, 63, 64, 100, 0x40000000, 0xFFFFFFFF};

/* ---- the V# ---- */

/* Picks NUM_RECORDS: 0, 1, the maximum, or a number of bytes or records that the lanes can reach. */
static uint32_t some_records(struct random *r, uint32_t stride)
{
    uint32_t near = random_below(r, 3) - 1U;
    switch (random_below(r, 8)) {
    case 0:
        return random_below(r, 2);
    case 1:
        return UINT32_MAX;
    case 2:
    case 3:
        return (stride ? stride : 16) * (1 + random_below(r, 64)) + near;
    case 4:
        return random_below(r, 80);
    case 5:
        return (4U << random_below(r, 8)) + near;
    default:
        return 0x4000;
    }
}

static uint32_t some_format(struct random *r, enum amd_generation g)
{
    if (random_one_in(r, 16))
        return random_below(r, 128);
    if (amd_is_gcn(g)) {
        uint32_t layout = 1 + random_below(r, 14);
        return layout | random_below(r, 8) << 4;
    }
    return 1 + random_below(r, amd_is_gfx11(g) ? 63 : 77);
}

static void some_selects(struct random *r, uint32_t select[4])
{
    bool usual = random_below(r, 4) != 0;
    for (uint32_t i = 0; i < 4; i++)
        select[i] = usual ? AMD_SEL_X + i : random_below(r, 8);
}

static void some_descriptor(struct random *r, enum amd_generation g, uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    struct amd_descriptor d = {0};
    d.stride = random_one_in(r, 8) ? random_below(r, 0x4000) : PICK(r, some_strides);
    d.base = PICK(r, some_bases);
    if (random_one_in(r, 64))
        d.base = 0xFFFFFFFFFFFF - random_below(r, 4096);
    if (random_one_in(r, 2))
        d.swizzle_enable = amd_is_gfx11(g) ? 1 + random_below(r, 3) : 1;
    d.num_records = some_records(r, d.stride);
    some_selects(r, d.dst_sel);
    d.format = some_format(r, g);
    d.stride_scale = random_one_in(r, 4) ? random_below(r, 4) : 0;
    d.element_size = random_below(r, 4);
    d.index_stride = random_below(r, 4);
    d.add_tid_enable = random_one_in(r, 3);
    d.resource_level = g == AMD_GFX10;
    d.oob_select = random_below(r, 4);
    d.user_vm_enable = random_one_in(r, 16);
    d.user_vm_mode = random_one_in(r, 16);
    d.reserved = random_one_in(r, 32) ? random_below(r, 4) : 0;
    if (random_one_in(r, 64))
        d.format = 0;
    if (random_one_in(r, 64))
        d.type = 1 + random_below(r, 3);
    amd_descriptor_encode(g, &d, words);
}

/* ---- registers ---- */

static uint32_t *own_row(struct image_head *head, struct amd_image_row *rows, uint32_t index)
{
    rows[head->count].index = index;
    return rows[head->count++].word;
}

static void some_vgprs(struct random *r, struct amd_case *c)
{
    uint32_t *index = own_row(&c->vgpr, c->vgpr_row, VGPR_INDEX),
             *offset = own_row(&c->vgpr, c->vgpr_row, VGPR_OFFSET);
    uint32_t first = PICK(r, some_indices), step = random_below(r, 3), spread = 4U << random_below(r, 6),
             unit = random_one_in(r, 3) ? 1 : 4;
    uint32_t start = PICK(r, some_offsets), pace = PICK(r, some_offsets);
    bool ordered = random_one_in(r, 2);
    if (random_one_in(r, 16))
        start = 0U - start;
    for (uint32_t n = 0; n < AMD_LANES; n++) {
        uint64_t bits = random_u64(r);
        index[n] = first + n * step;
        offset[n] = ordered ? start + n * pace : start + (uint32_t)(bits >> 32) % spread * unit;
        if ((bits & 31) == 0)
            index[n] = some_indices[(bits >> 8) % (sizeof some_indices / sizeof *some_indices)];
    }
}

static void some_sgprs(struct random *r, struct amd_case *c)
{
    uint32_t *row = own_row(&c->sgpr, c->sgpr_row, 0);
    for (uint32_t i = 0; i < AMD_LANES; i++)
        row[i] = 0;
    for (uint32_t i = 0; i < 8; i++)
        row[i] = some_soffsets[(i + random_below(r, 3)) % (sizeof some_soffsets / sizeof *some_soffsets)];
    c->m0 = 4 * random_below(r, 64);
}

/* ---- instructions ---- */

static void place_vector(struct random *r, enum amd_generation g, struct amd_insn *i)
{
    i->srsrc = SGPR_DESCRIPTOR_GROUP;
    i->vaddr = i->idxen ? VGPR_INDEX : VGPR_OFFSET;
    uint32_t acc = random_one_in(r, 4) ? i->vdata & AMD_ACC : 0;
    i->vdata = amd_to_lds(i) ? 0 : acc | (VGPR_DATA + random_below(r, 20));
    if (amd_is_cdna(g) && !random_one_in(r, 16))
        i->vdata &= ~1U;
    i->offset = random_one_in(r, 8) ? random_below(r, 4096) : PICK(r, some_offsets);
    i->tfe = i->tfe && random_one_in(r, 2);
    if (!random_one_in(r, 32))
        i->soffset = !random_one_in(r, 2) ? random_below(r, 8) : g == AMD_GFX12 ? amd_null(g) : SOFFSET_ZERO;
    if (i->op->encoding == AMD_MTBUF)
        i->format = some_format(r, g);
}

static void place_scalar(struct random *r, struct amd_insn *i)
{
    if (!random_one_in(r, 16))
        i->srsrc = 2 * SGPR_DESCRIPTOR_GROUP;
    i->offset = random_one_in(r, 4) ? i->offset : random_below(r, 128);
}

static void add_insn(struct random *r, struct amd_case *c, bool aligned)
{
    enum amd_generation g = (enum amd_generation)c->generation;
    uint32_t *words = c->insn[c->insn_count++];
    struct amd_insn i;
    amd_code[g].generate(r, words);
    if (random_one_in(r, 64) || !amd_decode_words(g, words, &i) || i.op->kind == AMD_CACHE)
        return;
    if (i.op->encoding == AMD_SMEM)
        place_scalar(r, &i);
    else
        place_vector(r, g, &i);
    if (aligned && i.op->encoding != AMD_SMEM && i.op->bytes != 1 && i.op->bytes != 2)
        i.offset &= ~3U;
    amd_encode_words(g, &i, words);
    if (random_one_in(r, 128)) /* perhaps a reserved opcode */
        words[0] ^= random_below(r, 256) << (g == AMD_GFX12 ? 14 : 18);
}

/* Makes all parts of an address multiples of a dword, for most cases. */
static void align_parts(struct amd_case *c)
{
    enum { STRIDE_LOW = 3 << 16 };
    c->descriptor[0] &= ~3U;
    c->descriptor[1] &= ~(uint32_t)STRIDE_LOW;
    for (uint32_t i = 0; i < 8; i++)
        c->sgpr_row[0].word[i] &= ~3U;
    for (uint32_t n = 0; n < AMD_LANES; n++)
        c->vgpr_row[VGPR_OFFSET].word[n] &= ~3U;
}

/* ---- the edges of sums ---- */

/* The parts of an address. The aim_at functions change them so that their sum is near an edge. */
struct parts {
    enum amd_generation g;
    struct amd_descriptor d;
    struct amd_insn i;
    uint32_t soffset, bytes, step; /* `step`: between the values around an edge */
    uint32_t *index, *offset;      /* the lanes' words of v0 and v1 */
};

/* Returns false if the instruction is no buffer instruction with this V#. */
static bool take_parts(struct amd_case *c, bool aligned, struct parts *p)
{
    p->g = (enum amd_generation)c->generation;
    if (!amd_decode_words(p->g, c->insn[0], &p->i) || p->i.op->kind == AMD_CACHE ||
        p->i.op->encoding == AMD_SMEM || p->i.srsrc != SGPR_DESCRIPTOR_GROUP)
        return false;
    amd_descriptor_decode(p->g, c->descriptor, &p->d);
    p->index = c->vgpr_row[VGPR_INDEX].word;
    p->offset = c->vgpr_row[VGPR_OFFSET].word;
    p->soffset = p->i.soffset < 8 ? c->sgpr_row[0].word[p->i.soffset] : 0;
    p->bytes = p->i.op->bytes ? p->i.op->bytes : 4;
    p->step = aligned ? 4 : 1;
    return true;
}

/* Replaces the instruction by one without a format that moves 8, 12 or 16 bytes a lane, so that an edge can
 * lie between its dwords. */
static void make_wide(struct random *r, struct parts *p)
{
    struct amd_insn wide;
    do {
        const struct amd_op *op = &amd_ops[random_below(r, amd_op_count)];
        amd_insn_canonical(p->g, op, &wide);
    } while (wide.op->code[p->g] == AMD_NO_CODE || wide.op->encoding != AMD_MUBUF || wide.op->bytes < 8);
    wide.srsrc = p->i.srsrc;
    wide.vaddr = p->i.vaddr;
    wide.vdata = VGPR_DATA + random_below(r, 20);
    wide.soffset = p->i.soffset;
    wide.idxen = p->i.idxen;
    wide.offen = p->i.offen;
    wide.offset = p->i.offset;
    p->i = wide;
    p->bytes = wide.op->bytes;
}

static uint32_t around(struct random *r, const struct parts *p)
{
    return (random_below(r, 9) - 4) * p->step;
}

/* Makes range checks let nearly everything through. */
static void open_range(struct random *r, struct parts *p)
{
    p->d.oob_select = random_one_in(r, 2) ? AMD_OOB_INDEX_ONLY : AMD_OOB_NUM_RECORDS_0;
    p->d.num_records = UINT32_MAX - random_below(r, 2);
}

/* Puts offset + OFFSET of the first or a later dword around 2^32. */
static void aim_at_32_bits(struct random *r, struct parts *p)
{
    p->i.offen = 1;
    for (uint32_t n = 0; n < AMD_LANES; n++)
        p->offset[n] = 0U - p->i.offset - p->bytes + around(r, p);
    open_range(r, p);
}

/* Puts BASE + SOFFSET + the place of a lane's first or later dword around 2^48. */
static void aim_at_48_bits(struct random *r, struct parts *p)
{
    uint32_t lane = random_below(r, AMD_LANES);
    if (random_one_in(r, 2))
        p->d.swizzle_enable = p->d.add_tid_enable = 0;
    if (!random_one_in(r, 4))
        open_range(r, p);
    uint64_t place = p->i.offset + (p->i.offen ? p->offset[lane] : 0) +
                     (p->i.idxen ? (uint64_t)p->index[lane] * p->d.stride : 0);
    p->d.base =
        (0U - p->soffset - place - p->bytes + (uint64_t)(int64_t)(int32_t)around(r, p)) & 0xFFFFFFFFFFFF;
}

/* Puts index * STRIDE, or index + lane, around 2^32. */
static void aim_at_product(struct random *r, struct parts *p)
{
    uint32_t first = random_one_in(r, 4) || !p->d.stride ? 0 : UINT32_MAX / p->d.stride;
    p->i.idxen = 1;
    for (uint32_t n = 0; n < AMD_LANES; n++)
        p->index[n] = first + random_below(r, 5) - 2U;
}

/* Puts NUM_RECORDS around the end of a lane's access, or around its index. */
static void aim_at_records(struct random *r, struct parts *p)
{
    uint32_t lane = random_below(r, AMD_LANES), end = p->i.offset + (p->i.offen ? p->offset[lane] : 0);
    p->d.num_records = random_one_in(r, 4) ? p->index[lane] + random_below(r, 3) - 1U
                                           : end + p->bytes + around(r, p) + random_below(r, 2) * p->soffset;
}

/* Puts STRIDE around the end of a lane's access. */
static void aim_at_stride(struct random *r, struct parts *p)
{
    uint32_t lane = random_below(r, AMD_LANES), end = p->i.offset + (p->i.offen ? p->offset[lane] : 0);
    p->d.stride = (end + p->bytes + around(r, p)) & 0x3FFF;
}

static void aim_at_edge(struct random *r, struct amd_case *c, bool aligned)
{
    static void (*const aims[])(struct random * r, struct parts * p) = {aim_at_32_bits, aim_at_48_bits,
                                                                        aim_at_product, aim_at_records,
                                                                        aim_at_stride};
    struct parts p;
    if (!take_parts(c, aligned, &p))
        return;
    if (!random_one_in(r, 4))
        make_wide(r, &p);
    PICK(r, aims)(r, &p);
    p.i.vaddr = p.i.idxen ? VGPR_INDEX : VGPR_OFFSET;
    amd_descriptor_encode(p.g, &p.d, c->descriptor);
    amd_encode_words(p.g, &p.i, c->insn[0]);
}

void amd_case_generate(struct random *r, struct test_case *tc)
{
    struct amd_case *c = (struct amd_case *)(void *)tc->words;
    bool aligned = random_below(r, 4) != 0;
    c->generation = random_one_in(r, 4) ? random_below(r, AMD_GENERATIONS) : AMD_GFX11;
    c->wave_size = random_one_in(r, 4);
    c->alignment = random_one_in(r, 2) ? AMD_ALIGN_UNALIGNED : random_below(r, 4);
    if (random_one_in(r, 8)) {
        c->exec[0] = random_u32(r);
        c->exec[1] = random_one_in(r, 4) ? 0 : random_u32(r);
    }
    if (random_one_in(r, 32))
        c->vgprs = 1 + random_below(r, AMD_VGPRS);
    some_descriptor(r, (enum amd_generation)c->generation, c->descriptor);
    some_sgprs(r, c);
    some_vgprs(r, c);
    if (aligned)
        align_parts(c);
    c->vgpr.fill = FILL_RANDOM;
    c->vgpr.seed = VGPR_SEED;
    c->memory.fill = FILL_INDEX;
    c->lds.fill = FILL_INDEX;
    if (random_one_in(r, OTHER_CONTENT_ONE_IN)) {
        c->memory.fill = FILL_RANDOM;
        c->memory.seed = random_u32(r);
        c->vgpr.seed = 2;
    }
    for (uint32_t n = 1 + random_one_in(r, 4); n; n--)
        add_insn(r, c, aligned);
    if (random_one_in(r, EDGES_ONE_IN))
        aim_at_edge(r, c, aligned);
}

static void mend_content(struct image_head *image)
{
    image->seed = image->fill == FILL_RANDOM ? 1 + (image->seed + SEEDS - 1) % SEEDS : 0;
}

/* Limits VGPR numbers to those of a wave and as many beyond. Replaces SGPRs that hold no V# by the case's
 * V#. */
static void mend_insn(enum amd_generation g, uint32_t *words)
{
    enum { FAR = 2 * AMD_VGPRS };
    struct amd_insn i;
    if (amd_insn_words(g, words[0]) < AMD_INSN_WORDS)
        words[AMD_INSN_WORDS - 1] = 0;
    if (!amd_decode_words(g, words, &i) || i.op->kind == AMD_CACHE || i.op->encoding == AMD_SMEM)
        return;
    i.vaddr = i.vaddr < FAR ? i.vaddr : i.vaddr % AMD_VGPRS;
    uint32_t acc = i.vdata & AMD_ACC;
    i.vdata -= acc;
    i.vdata = acc | (i.vdata < FAR ? i.vdata : i.vdata % AMD_VGPRS);
    if (i.srsrc > SGPR_DESCRIPTOR_GROUP && i.srsrc < 25)
        i.srsrc = SGPR_DESCRIPTOR_GROUP;
    amd_encode_words(g, &i, words);
}

void amd_case_mend(struct test_case *tc)
{
    struct amd_case *c = (struct amd_case *)(void *)tc->words;
    mend_content(&c->sgpr);
    mend_content(&c->vgpr);
    mend_content(&c->memory);
    mend_content(&c->lds);
    for (uint32_t i = 0; i < c->insn_count; i++)
        mend_insn((enum amd_generation)c->generation, c->insn[i]);
}
