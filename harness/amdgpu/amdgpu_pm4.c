/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_pm4.h"

enum { IB_MULTIPLE = 8 };

static void put(struct pm4 *p, uint32_t word)
{
    p->word[p->count++] = word;
}

/* The head of a type-3 packet with `words` words behind it, for the compute pipe. */
static void head(struct pm4 *p, unsigned opcode, unsigned words)
{
    enum { COMPUTE = 1 << 1 };
    put(p, UINT32_C(3) << 30 | (words - 1) << 16 | opcode << 8 | COMPUTE);
}

static void set(struct pm4 *p, unsigned reg, uint32_t value)
{
    head(p, PM4_SET_SH_REG, 2);
    put(p, reg);
    put(p, value);
}

static void set_two(struct pm4 *p, unsigned reg, uint32_t first, uint32_t second)
{
    head(p, PM4_SET_SH_REG, 3);
    put(p, reg);
    put(p, first);
    put(p, second);
}

/* Lets waves run on all compute units that the kernel allows to this process. From GFX10 on, index 3 applies
 * the kernel's mask. */
static void set_units(struct pm4 *p, unsigned reg)
{
    enum { INDEX_UNDER_KERNELS_MASK = 3 };
    bool old = amd_is_gcn(p->generation);
    head(p, old ? PM4_SET_SH_REG : PM4_SET_SH_REG_INDEX, 3);
    put(p, reg | (old ? 0 : (uint32_t)INDEX_UNDER_KERNELS_MASK << 28));
    put(p, UINT32_MAX);
    put(p, UINT32_MAX);
}

/* ---- caches ---- */

/* GFX8, GFX9: CP_COHER_CNTL */
enum {
    COHER_TC_WB = 1 << 18,
    COHER_TCL1 = 1 << 22,
    COHER_TC = 1 << 23,
    COHER_SCALAR = 1 << 27,
    COHER_CODE = 1 << 29
};
/* GFX10, GFX11: GCR_CNTL */
enum {
    GCR_CODE_INV = 1,
    GCR_METADATA_WB = 1 << 4, /* always together with the next, as the kernel (gfx_v10_0.c) and Mesa do */
    GCR_METADATA_INV = 1 << 5,
    GCR_SCALAR_INV = 1 << 7,
    GCR_L0_INV = 1 << 8,
    GCR_L1_INV = 1 << 9,
    GCR_L2_INV = 1 << 14,
    GCR_L2_WB = 1 << 15
};

/* Writes all caches back and invalidates them. */
static void flush_caches(struct pm4 *p)
{
    enum { POLL = 10 };
    bool old = amd_is_gcn(p->generation);
    head(p, PM4_ACQUIRE_MEM, old ? 6 : 7);
    put(p, old ? COHER_TC_WB | COHER_TCL1 | COHER_TC | COHER_SCALAR | COHER_CODE : 0);
    put(p, UINT32_MAX);
    put(p, 0xFF); /* the size's high bits: 40 bits of units of 256 bytes */
    put(p, 0);
    put(p, 0);
    put(p, POLL);
    if (!old)
        put(p, GCR_CODE_INV | GCR_METADATA_WB | GCR_METADATA_INV | GCR_SCALAR_INV | GCR_L0_INV | GCR_L1_INV |
                   GCR_L2_INV | GCR_L2_WB);
}

void pm4_begin(struct pm4 *p)
{
    flush_caches(p);
    set(p, PM4_COMPUTE_RESOURCE_LIMITS, 0);
    set(p, PM4_COMPUTE_TMPRING_SIZE, 0);
    set_units(p, PM4_COMPUTE_STATIC_THREAD_MGMT_SE0);
    set_units(p, PM4_COMPUTE_STATIC_THREAD_MGMT_SE2);
    if (p->generation == AMD_GFX11) { /* Navi 31 has six shader engines; Mesa sets these without index */
        set_two(p, PM4_COMPUTE_STATIC_THREAD_MGMT_SE4, UINT32_MAX, UINT32_MAX);
        set_two(p, PM4_COMPUTE_STATIC_THREAD_MGMT_SE4 + 2, UINT32_MAX, UINT32_MAX);
    }
    if (amd_is_gcn(p->generation))
        return;
    set(p, PM4_COMPUTE_PGM_RSRC3, 0); /* no shared registers; GFX11: no prefetch */
    set(p, PM4_COMPUTE_REQ_CTRL, 0);  /* from here on: resets what other programs' launches may have set */
    set_two(p, PM4_COMPUTE_USER_ACCUM_0, 0, 0);
    set_two(p, PM4_COMPUTE_USER_ACCUM_0 + 2, 0, 0);
    set(p, PM4_COMPUTE_SHADER_CHKSUM, 0);
}

/* ---- launches ---- */

/* COMPUTE_PGM_RSRC1 counts vector registers in groups of 4, or 8 in a wave32; scalar ones in groups of 8
 * (GFX9: 16, counted double), from GFX10 on not at all. MODE: round to nearest, keep denormals, DX10_CLAMP.
 */
static uint32_t rsrc1(enum amd_generation g, const struct pm4_launch *l)
{
    enum {
        SGPRS_SHIFT = 6,
        FLOAT_MODE_SHIFT = 12,
        ALL_DENORMALS = 0xF0,
        DX10_CLAMP = 1 << 21,
        MEM_ORDERED = 1 << 30
    };
    static const uint8_t sgprs[AMD_BOARD_GENERATIONS] = {
        [AMD_GFX9] = 12, [AMD_GFX8] = 13}; /* 102, and VCC, FLAT_SCRATCH, XNACK_MASK */
    unsigned group = l->lanes == 32 ? 8 : 4;
    return (l->vgprs / group - 1) | (uint32_t)sgprs[g] << SGPRS_SHIFT |
           (uint32_t)ALL_DENORMALS << FLOAT_MODE_SHIFT | DX10_CLAMP | (amd_is_gcn(g) ? 0 : MEM_ORDERED);
}

/* Returns how many SGPRs the launch sets. If it sets fewer than 16 in a compute wave32, Navi 31 and 33 set
 * wrong values (LLVM: user-sgpr-init16-bug; LLPC: waUserSgprInitBug). */
static unsigned user_sgprs(enum amd_generation g, const struct pm4_launch *l)
{
    return g == AMD_GFX11 && l->lanes == 32 ? PM4_USER_SGPRS_MAX : 2;
}

/* COMPUTE_PGM_RSRC2: no group numbers, thread X in v0, no traps. */
static uint32_t rsrc2(enum amd_generation g, const struct pm4_launch *l)
{
    return user_sgprs(g, l) << PM4_RSRC2_USER_SGPRS_SHIFT | (l->lds_bytes + PM4_LDS_UNIT - 1) / PM4_LDS_UNIT
                                                                << PM4_RSRC2_LDS_SHIFT;
}

void pm4_launch(struct pm4 *p, const struct pm4_launch *l)
{
    head(p, PM4_SET_SH_REG, 7);
    put(p, PM4_COMPUTE_START_X);
    for (unsigned i = 0; i < 3; i++)
        put(p, 0);
    put(p, l->lanes);
    put(p, 1);
    put(p, 1);
    set_two(p, PM4_COMPUTE_PGM_LO, (uint32_t)(l->code >> 8), (uint32_t)(l->code >> 40));
    set_two(p, PM4_COMPUTE_PGM_RSRC1, rsrc1(p->generation, l), rsrc2(p->generation, l));
    head(p, PM4_SET_SH_REG, 1 + user_sgprs(p->generation, l));
    put(p, PM4_COMPUTE_USER_DATA_0);
    put(p, (uint32_t)l->user_data);
    put(p, (uint32_t)(l->user_data >> 32));
    for (unsigned i = 2; i < user_sgprs(p->generation, l); i++)
        put(p, 0);
    head(p, PM4_DISPATCH_DIRECT, 4);
    for (unsigned i = 0; i < 3; i++)
        put(p, 1);
    bool wave32 = l->lanes == 32;
    put(p, PM4_INITIATOR_COMPUTE | PM4_INITIATOR_START_AT_000 | (wave32 ? PM4_INITIATOR_WAVE32 : 0));
}

void pm4_end(struct pm4 *p)
{
    enum { CS_PARTIAL_FLUSH = 7 | 4 << 8 }; /* event, and its index */
    head(p, PM4_EVENT_WRITE, 1);
    put(p, CS_PARTIAL_FLUSH);
    flush_caches(p);
    while (p->count % IB_MULTIPLE)
        put(p, PM4_FILLER);
}
