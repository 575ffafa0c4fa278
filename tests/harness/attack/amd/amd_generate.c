/* SPDX-License-Identifier: MIT */
/*
 * Generates cases that try to leave their memory. (The unit's own generator makes cases that are worth
 * comparing.) This generator aims the parts of an address at boundaries: of memory, of half the guard, of the
 * guard, of 31, 32 and 48 bits, of NUM_RECORDS and stride. It puts dangerous values where a proof may not
 * look, such as inactive lanes and registers that the program loads later. It also uses registers, fields and
 * words that a case should not use.
 */
#include "tests/harness/attack/amd/amd_attack.h"

#include <string.h>

#define PICK(r, table) (table)[random_below(r, sizeof(table) / sizeof *(table))]

enum { VGPRS_GIVEN = 6, SGPRS_GIVEN = 40, S_DESCRIPTOR = 8 };

/* The boundary at which all parts of a case aim. */
struct aim {
    uint64_t target; /* the sum of the parts of the address */
    uint32_t stride, factor;
    bool calm; /* registers get only small values, so that only values from memory are dangerous */
    bool aligned;
};

struct amd_case *amd_attack_case(struct test_case *tc)
{
    return (struct amd_case *)(void *)tc->words;
}

/* ---- numbers ---- */

static uint32_t jitter(struct random *r)
{
    static const uint32_t steps[] = {1, 1, 2, 4, 4, 16, 256, 1024};
    uint32_t aside = random_below(r, 33), step = PICK(r, steps);
    return random_one_in(r, 4) ? 0 : (aside - 16) * step;
}

static uint64_t some_target(struct random *r)
{
    static const uint64_t ends[] = {0,
                                    AMD_MEMORY_BYTES,
                                    AMD_MEMORY_BYTES,
                                    AMDGPU_GUARD / 2,
                                    AMDGPU_GUARD / 2,
                                    AMDGPU_GUARD,
                                    AMDGPU_GUARD,
                                    AMDGPU_GUARD,
                                    AMDGPU_GUARD - 4096,
                                    AMDGPU_GUARD - 8192,
                                    2 * AMDGPU_GUARD,
                                    UINT64_C(1) << 31,
                                    (UINT64_C(1) << 32) - AMDGPU_GUARD,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 47,
                                    (UINT64_C(1) << 48) - AMDGPU_GUARD,
                                    UINT64_C(1) << 48};
    uint64_t end = PICK(r, ends), aside = (uint64_t)(int64_t)(int32_t)jitter(r);
    return end + aside;
}

static uint32_t some_word(struct random *r)
{
    switch (random_below(r, 8)) {
    case 0:
        return random_u32(r);
    case 1:
        return UINT32_C(1) << random_below(r, 32);
    case 2:
        return random_below(r, 256);
    case 3: /* small negative numbers, so that a wide access or a sum wraps at 32 bits */
    case 4:
        return 0U - 4 * random_below(r, 9);
    default:
        return (uint32_t)some_target(r);
    }
}

static uint32_t some_small(struct random *r)
{
    return random_one_in(r, 2) ? 4 * random_below(r, 64) : random_below(r, AMD_MEMORY_BYTES);
}

/* Subtracts a random part from the remaining sum. Returns it in units of `factor`. */
static uint32_t take_part(struct random *r, uint64_t *left, uint64_t factor)
{
    uint64_t part = random_one_in(r, 2) ? *left : random_one_in(r, 2) ? *left / 2 : random_below(r, 4096);
    uint64_t count = factor ? part / factor : 0;
    if (count > UINT32_MAX)
        count = UINT32_MAX - random_below(r, 3);
    *left -= count * factor < *left ? count * factor : *left;
    return (uint32_t)count;
}

/* ---- the V# ---- */

static uint32_t some_records(struct random *r, const struct aim *a)
{
    switch (random_below(r, 8)) {
    case 0:
        return random_below(r, 8);
    case 1:
    case 2:
        return UINT32_MAX - (random_one_in(r, 2) ? 0 : random_below(r, 16));
    case 3:
        return a->stride + jitter(r);
    case 4:
        return (uint32_t)a->target + jitter(r);
    case 5:
        return (uint32_t)(a->target / (a->stride ? a->stride : 1)) + jitter(r);
    default:
        return AMD_MEMORY_BYTES + jitter(r);
    }
}

static uint32_t some_format(struct random *r, enum amd_generation g)
{
    static const uint8_t wide[] = {AMD_32,          AMD_32_32, AMD_32_32_32, AMD_32_32_32_32,
                                   AMD_16_16_16_16, AMD_8,     AMD_16};
    int code = amd_format_code(g, (enum amd_layout)PICK(r, wide), random_one_in(r, 2) ? AMD_UINT : AMD_FLOAT);
    return code < 0 || random_one_in(r, 4) ? random_below(r, AMD_FORMAT_CODES) : (uint32_t)code;
}

static void some_descriptor(struct random *r, enum amd_generation g, const struct aim *a, uint64_t *left,
                            uint32_t words[AMD_DESCRIPTOR_WORDS])
{
    struct amd_descriptor d = {.stride = a->stride,
                               .num_records = some_records(r, a),
                               .format = some_format(r, g)};
    bool old = g == AMD_GFX8 || g == AMD_GFX9;
    for (uint32_t i = 0; i < 4; i++)
        d.dst_sel[i] = random_one_in(r, 8) ? random_below(r, 8) : AMD_SEL_X + i;
    if (random_one_in(r, 2) && !a->calm) {
        uint64_t most = (UINT64_C(1) << 48) - 1;
        d.base = random_one_in(r, 2) ? *left & most : random_below(r, 4096);
        *left -= d.base < *left ? d.base : *left;
    }
    d.base &= a->aligned ? ~UINT64_C(15) : ~UINT64_C(0);
    d.swizzle_enable = random_one_in(r, 2) ? 0 : g == AMD_GFX11 ? random_below(r, 4) : 1;
    d.index_stride = random_below(r, 4);
    d.element_size = random_below(r, 4);
    d.add_tid_enable = random_one_in(r, 4);
    if (old && d.add_tid_enable && random_one_in(r, 2))
        d.format = (d.format & ~15U) | random_below(r, 2); /* bits 17:14 of the stride */
    d.resource_level = g == AMD_GFX10;
    d.oob_select = random_below(r, 4);
    d.user_vm_enable = random_one_in(r, 64);
    d.user_vm_mode = random_one_in(r, 64);
    d.reserved = random_one_in(r, 64) ? random_below(r, 16) : 0;
    d.mtype = random_one_in(r, 64) ? random_below(r, 8) : 0;
    d.atc = random_one_in(r, 64);
    d.type = random_one_in(r, 64) ? random_below(r, 4) : 0;
    d.format = random_one_in(r, 64) ? 0 : d.format;
    amd_descriptor_encode(g, &d, words);
    if (random_one_in(r, 64))
        words[random_below(r, 4)] ^= UINT32_C(1) << random_below(r, 32);
}

/* ---- registers ---- */

static uint32_t *own_row(struct image_head *head, struct amd_image_row *rows, uint32_t index)
{
    rows[head->count].index = index;
    return rows[head->count++].word;
}

/* Writes a value to all lanes, or numbers that rise from lane to lane, or a value only to lanes that a proof
 * may overlook. */
static void spread(struct random *r, const struct amd_case *c, uint32_t value, uint32_t step, uint32_t *word)
{
    static const uint8_t lanes[] = {0, 1, 31, 32, 33, 62, 63};
    uint64_t exec = (uint64_t)c->exec[1] << 32 | c->exec[0];
    uint32_t how = random_below(r, 8), lane = PICK(r, lanes), calm = 4 * random_below(r, 8);
    for (uint32_t n = 0; n < AMD_LANES; n++)
        switch (how) {
        case 0: /* only the inactive lanes */
            word[n] = exec >> n & 1 ? calm : value;
            break;
        case 1: /* only the upper half of the wave */
            word[n] = n >= 32 ? value : calm;
            break;
        case 2:
            word[n] = value + n * step;
            break;
        case 3:
        case 4:
        case 5:
            word[n] = n == lane ? value : calm;
            break;
        default:
            word[n] = value;
            break;
        }
}

static void some_vgprs(struct random *r, struct amd_case *c, const struct aim *a, uint64_t *left)
{
    static const uint32_t steps[] = {0, 1, 4, 16, 0xFFFFFFFC};
    bool index_first = random_one_in(r, 2);
    uint32_t wraps = random_below(r, 8); /* if 0 or 1, this register does not get its part of the target */
    for (uint32_t n = 0; n < VGPRS_GIVEN; n++) {
        bool index = (n + index_first) % 2 == 0;
        uint32_t value = a->calm                        ? some_small(r)
                         : n < 2 && wraps != n          ? take_part(r, left, index ? a->stride : a->factor)
                         : n < 2 || random_one_in(r, 4) ? some_word(r)
                                                        : some_small(r);
        uint32_t step = PICK(r, steps);
        if (a->aligned)
            value &= ~3U;
        if (index && a->calm)
            value %= 64;
        spread(r, c, value, step, own_row(&c->vgpr, c->vgpr_row, n));
    }
    if (random_one_in(r, 8)) /* the last register before those of the wrapper */
        spread(r, c, some_word(r), 0, own_row(&c->vgpr, c->vgpr_row, 31));
}

/* Sets scalar registers: offsets in s0 to s7, V#s that are not the case's own in s12 to s19, and M0. */
static void some_sgprs(struct random *r, struct amd_case *c, const struct aim *a, uint64_t *left)
{
    enum amd_generation g = (enum amd_generation)c->generation;
    uint32_t *low = own_row(&c->sgpr, c->sgpr_row, 0);
    memset(low, 0, AMD_ROW_BYTES);
    for (uint32_t n = 0; n < SGPRS_GIVEN; n++) {
        low[n] = a->calm ? some_small(r)
                 : n < 4 ? take_part(r, left, 1)
                 : n < 8 ? some_word(r)
                         : some_small(r);
        low[n] &= a->aligned ? ~3U : ~0U;
    }
    for (uint32_t n = 12; n < 20; n += 4) {
        struct amd_descriptor d =
            amd_descriptor_raw(g, some_target(r), random_one_in(r, 2) ? 0 : some_word(r));
        d.stride = random_one_in(r, 2) ? 0 : a->stride;
        d.type = random_one_in(r, 4) ? random_below(r, 4) : 0;
        d.format = random_one_in(r, 4) ? 0 : d.format;
        d.oob_select = random_below(r, 4);
        amd_descriptor_encode(g, &d, low + n);
    }
    uint32_t *high = own_row(&c->sgpr, c->sgpr_row, 1);
    for (uint32_t n = 0; n < AMD_LANES; n++)
        high[n] = random_one_in(r, 4) ? some_word(r) : some_small(r) & ~3U;
    c->m0 = a->calm ? some_small(r) & ~3U : random_one_in(r, 2) ? take_part(r, left, 1) : some_word(r);
}

/* Fills memory. A program can load words and use them as addresses, so one row sometimes holds dangerous
 * words. */
static void some_memory(struct random *r, struct amd_case *c)
{
    static const uint8_t fills[] = {FILL_ZERO, FILL_INDEX, FILL_INDEX, FILL_RANDOM};
    c->memory.fill = PICK(r, fills);
    c->memory.seed = c->memory.fill == FILL_RANDOM;
    c->lds.fill = FILL_INDEX;
    c->vgpr.fill = random_one_in(r, 8) ? FILL_RANDOM : FILL_ZERO;
    c->vgpr.seed = c->vgpr.fill == FILL_RANDOM;
    if (!random_one_in(r, 4))
        return;
    uint32_t *row = own_row(&c->memory, c->memory_row, random_below(r, 4));
    for (uint32_t n = 0; n < AMD_LANES; n++)
        row[n] = some_word(r);
}

/* ---- instructions ---- */

static const struct amd_op *some_op(struct random *r, enum amd_generation g)
{
    const struct amd_op *op;
    bool scalar = random_one_in(r, 6);
    bool wide = random_one_in(r, 4); /* several dwords for each lane, of which each is checked separately */
    do {
        op = &amd_ops[random_below(r, amd_op_count)];
    } while (op->code[g] == AMD_NO_CODE || (op->kind == AMD_ATOMIC && (wide || !random_one_in(r, 3))) ||
             (op->encoding == AMD_SMEM) != scalar || (wide && op->bytes < 8 && !scalar));
    return op;
}

static uint32_t some_soffset(struct random *r)
{
    static const uint8_t specials[] = {8,   9,   10,  11,  12,  101, 102, 105, 106, 107,
                                       108, 123, 124, 125, 126, 127, 129, 192, 193, 194,
                                       208, 209, 235, 240, 242, 251, 252, 253, 255};
    switch (random_below(r, 8)) {
    case 0:
        return PICK(r, specials);
    case 1:
        return random_one_in(r, 8) ? random_below(r, 256) : 124 + random_below(r, 2);
    case 2:
    case 3:
    case 4:
        return 128;
    default:
        return random_below(r, 6);
    }
}

static void some_vector(struct random *r, const struct amd_case *c, const struct aim *a, struct amd_insn *i)
{
    static const uint16_t offsets[] = {0, 0, 0, 4, 8, 4095, 4094, 4092, 4080, 2048, 1, 2, 3, 16};
    i->offset = random_one_in(r, 4) ? random_below(r, 4096) : PICK(r, offsets);
    i->offset &= a->aligned ? ~15U : ~0U;
    i->idxen = random_one_in(r, 2);
    i->offen = random_one_in(r, 2);
    i->vaddr = random_one_in(r, 32) ? random_below(r, 34) : random_below(r, VGPRS_GIVEN - 1);
    i->vdata = random_one_in(r, 4)   ? random_below(r, VGPRS_GIVEN)
               : random_one_in(r, 8) ? c->vgprs - random_below(r, 5)
                                     : 8 + random_below(r, 16);
    i->srsrc = random_one_in(r, 16) ? random_below(r, 28) : S_DESCRIPTOR / 4;
    i->soffset = some_soffset(r);
    i->tfe = random_one_in(r, 8);
    i->format = some_format(r, (enum amd_generation)c->generation);
    if (i->op->lds_bit && i->op->code[AMD_GFX11] == AMD_NO_CODE)
        i->lds = !random_one_in(r, 16);
    else if (c->generation != AMD_GFX11)
        i->lds = random_one_in(r, i->op->lds_bit ? 4 : 256);
    if ((amd_to_lds(i) || i->op->kind == AMD_STORE_LDS) && !random_one_in(r, 16)) {
        i->vdata = i->tfe = 0;
        if (i->op->kind == AMD_STORE_LDS)
            i->vaddr = i->idxen = i->offen = 0;
    }
}

static void some_scalar(struct random *r, const struct amd_case *c, struct amd_insn *i)
{
    static const uint8_t to[] = {0, 4, 8, 12, 16, 20, 24, 32, 88, 96, 100, 104, 106};
    bool old = c->generation == AMD_GFX8 || c->generation == AMD_GFX9;
    uint32_t dwords = i->op->bytes / 4U;
    i->srsrc = random_one_in(r, 8) ? 2 * random_below(r, 28) + random_one_in(r, 16) : S_DESCRIPTOR / 2;
    i->vdata = random_one_in(r, 8) ? random_below(r, 128) : PICK(r, to);
    if (dwords < 4 && random_one_in(r, 2))
        i->vdata = random_below(r, 8); /* registers that other instructions use as offsets */
    if (!random_one_in(r, 16))
        i->vdata -= i->vdata % (dwords < 4 ? dwords : 4);
    i->imm = old && random_below(r, 4);
    i->soffset_en = c->generation == AMD_GFX9 && random_one_in(r, 4);
    uint32_t null = c->generation == AMD_GFX11 ? 124 : 125;
    i->soffset = random_one_in(r, 2) ? null : some_soffset(r) & 127;
    if (old && !i->soffset_en && !random_one_in(r, 16))
        i->soffset = 0;
    i->offset = random_one_in(r, 2)   ? 4 * random_below(r, 4096)
                : random_one_in(r, 2) ? AMD_MEMORY_BYTES - 64 + jitter(r)
                : random_one_in(r, 2) ? random_u32(r)
                                      : random_below(r, 64);
    if (old && !i->imm && !random_one_in(r, 16))
        i->offset &= 127;
}

static void some_insn(struct random *r, struct amd_case *c, const struct aim *a)
{
    enum amd_generation g = (enum amd_generation)c->generation;
    struct amd_insn i;
    amd_insn_canonical(g, some_op(r, g), &i);
    i.glc = random_one_in(r, 2) || i.op->atomic == AMD_ATOMIC_CSUB;
    i.slc = random_one_in(r, 8);
    i.dlc = random_one_in(r, 8);
    if (i.op->kind == AMD_CACHE)
        i.glc = i.slc = i.dlc = 0;
    else if (i.op->encoding == AMD_SMEM)
        some_scalar(r, c, &i);
    else
        some_vector(r, c, a, &i);
    if (random_one_in(r, 128))
        i.unused = 1U << random_below(r, 6);
    uint64_t word = amd_encode(g, &i);
    if (random_one_in(r, 64))
        word ^= UINT64_C(1) << random_below(r, 64);
    c->insn[c->insn_count][0] = (uint32_t)word;
    c->insn[c->insn_count++][1] = (uint32_t)(word >> 32);
}

/* ---- the case ---- */

static void some_wave(struct random *r, struct amd_case *c)
{
    static const uint32_t lanes[] = {0, 1, 0x80000000, 0x7FFFFFFF, 0xAAAAAAAA, 0x10};
    bool old = c->generation == AMD_GFX8 || c->generation == AMD_GFX9;
    c->wave_size = random_one_in(r, old ? 64 : 3) ? AMD_WAVE32 : AMD_WAVE64;
    c->alignment = random_one_in(r, 8) ? random_below(r, 4) : AMD_ALIGN_UNALIGNED;
    for (unsigned n = 0; n < 2 && random_one_in(r, 2); n++)
        c->exec[n] = random_one_in(r, 4) ? random_u32(r) : PICK(r, lanes);
    if (random_one_in(r, 8))
        c->vgprs = 1 + random_below(r, AMD_VGPRS);
}

void amd_attack_generate(struct random *r, struct test_case *tc)
{
    static const uint16_t strides[] = {0,  0,  1,  2,   4,    4,    5,    8,     12,
                                       16, 20, 64, 255, 1024, 4096, 8192, 16380, 16383};
    struct amd_case *c = amd_attack_case(tc);
    struct aim a = {.target = some_target(r), .stride = PICK(r, strides)};
    c->generation = random_below(r, AMD_BOARD_GENERATIONS);
    some_wave(r, c);
    a.calm = random_one_in(r, 4);
    a.aligned = random_below(r, 3) != 0;
    a.factor = random_one_in(r, 2) ? 1 : 8U << random_below(r, 4);
    if (a.calm && a.stride > 256)
        a.stride = 16;
    if (a.aligned)
        a.stride &= ~3U;
    uint64_t left = a.target;
    some_descriptor(r, (enum amd_generation)c->generation, &a, &left, c->descriptor);
    bool vectors_first = random_one_in(r, 2);
    if (vectors_first)
        some_vgprs(r, c, &a, &left);
    some_sgprs(r, c, &a, &left);
    if (!vectors_first)
        some_vgprs(r, c, &a, &left);
    some_memory(r, c);
    uint32_t insns = a.calm || random_one_in(r, 4) ? 1 + random_below(r, AMD_INSNS_MAX) : 1;
    while (insns--)
        some_insn(r, c, &a);
}
