/* SPDX-License-Identifier: MIT */
/* Unit amd-buffer: addresses, range checks and alignment, computed by hand from the guide's equations and
 * tables. */
#include "model/core/units.h"
#include "model/number/random.h"
#include "tests/model/amd/support_amd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- worked addresses ---- */

/* `guide`: the address by the text of "RDNA3" guide 9.4.2. `gfx1100`: the address by what is known of
 * gfx1100. Both are computed by hand. */
static const struct worked {
    const char *name;
    bool swizzle;
    uint32_t element, index_stride, stride;
    uint64_t base;
    uint32_t soffset;
    bool idxen, offen;
    uint32_t index, voffset, offset;
    bool add_tid;
    unsigned lane;
    uint64_t guide, gfx1100;
} worked[] = {
    {"L1 raw", false, 4, 8, 0, 0x10000, 0, false, true, 0, 0x40, 4, false, 0, 0x10044, 0x10044},
    {"L2 structured", false, 4, 8, 24, 0x10000, 0x100, true, false, 7, 0, 8, false, 0, 0x101B0, 0x101B0},
    {"L3 index and offset", false, 4, 8, 48, 0x7F0000001000, 0x10, true, true, 5, 0xC, 4095, false, 0,
     0x7F000000210B, 0x7F000000210B},
    {"L4 scratch, linear", false, 4, 64, 64, 0x20000, 0x1000, false, true, 0, 0x14, 4, true, 37, 0x21958,
     0x21958},
    {"S1", true, 4, 8, 16, 0x1000, 0, true, false, 0, 0, 0, false, 0, 0x1000, 0x1000},
    {"S2", true, 4, 8, 16, 0x1000, 0, true, false, 1, 0, 0, false, 0, 0x1004, 0x1004},
    {"S3", true, 4, 8, 16, 0x1000, 0, true, false, 0, 0, 4, false, 0, 0x1020, 0x1020},
    {"S4", true, 4, 8, 16, 0x1000, 0, true, false, 9, 0, 8, false, 0, 0x10C4, 0x10C4},
    {"S5", true, 4, 64, 16, 0x1000, 0, true, true, 65, 6, 0, false, 0, 0x1506, 0x1506},
    {"S6", true, 16, 32, 64, 0x100000, 0, true, false, 33, 0, 20, false, 0, 0x100A14, 0x100A14},
    {"S7", true, 16, 16, 48, 0x100000, 0x200, true, true, 100, 0x10, 24, false, 0, 0x101648, 0x101648},
    {"S8 scratch", true, 4, 64, 256, 0x200000, 0x8000, false, true, 0, 0x84, 4, true, 63, 0x20A2FC, 0x20A2FC},
    {"S9 scratch", true, 4, 32, 128, 0x200000, 0x400, false, false, 0, 0, 12, true, 31, 0x2005FC, 0x2005FC},
    {"S10 elements of 2", true, 2, 8, 12, 0x3000, 0, true, false, 11, 0, 5, false, 0, 0x3087, 0x3087},
    {"S11 elements of 8", true, 8, 16, 40, 0x3000, 4, true, true, 17, 9, 16, false, 0, 0x340D, 0x340D},
    {"S12 offset wraps", true, 4, 8, 32, 0x4000, 0, true, true, 3, 0xFFFFFFF8, 12, false, 0, 0x402C, 0x402C},
    {"S13 offset beyond stride", true, 4, 8, 16, 0x4000, 0, true, false, 3, 0, 20, false, 0, 0x40AC, 0x40AC},
    {"S14 index and lane", true, 4, 8, 32, 0, 4, true, false, 1, 0, 4, true, 5, 0x3C, 0x28},
    {"S15 no source of an index", true, 4, 8, 32, 0, 4, false, false, 0, 0, 4, false, 5, 0x24, 0x8},
    {"S16", true, 16, 8, 32, 0, 4, true, false, 1, 0, 4, false, 5, 0x18, 0x18},
    {"S17", true, 4, 8, 32, 0, 0, false, false, 0, 0, 0, true, 63, 0x71C, 0x71C},
    {"S18 stride no multiple", true, 16, 8, 20, 0x5000, 0, true, false, 9, 0, 16, false, 0, 0x5130, 0x5130},
    {"S19 soffset", true, 4, 8, 32, 0x6000, 8, true, true, 10, 0xC, 0, false, 0, 0x6170, 0x6170},
};

static void worked_case(const struct worked *k, struct test_case *c)
{
    /* Elements of 2 and 8 bytes exist only on GFX8. */
    enum amd_generation g = k->element == 2 || k->element == 8 ? AMD_GFX8 : AMD_GFX11;
    struct amd_descriptor d = amd_raw_view(UINT32_MAX);
    amd_case_begin(c, g);
    d.base = k->base;
    d.stride = k->stride;
    d.swizzle_enable = !k->swizzle ? 0 : g == AMD_GFX11 && k->element == 16 ? 3 : 1;
    d.element_size = g == AMD_GFX8 ? (uint32_t)__builtin_ctz(k->element) - 1 : 0;
    d.index_stride = (uint32_t)__builtin_ctz(k->index_stride) - 3;
    d.add_tid_enable = k->add_tid;
    d.oob_select = g == AMD_GFX11 ? AMD_OOB_NUM_RECORDS_0 : 0;
    d.format = g == AMD_GFX8 ? 0x74 : 22;
    amd_case_descriptor(c, &d);
    amd_case_sgpr(c, AMD_TEST_SOFFSET, k->soffset);
    amd_case_vgpr(c, AMD_TEST_INDEX, k->index);
    amd_case_vgpr(c, AMD_TEST_OFFSET, k->voffset);
    /* By its guide, GFX8 aligns the addresses of all accesses except byte accesses. */
    struct amd_insn i = amd_test_insn(g, g == AMD_GFX8 ? "buffer_load_u8" : "buffer_load_b32");
    i.idxen = k->idxen;
    i.offen = k->offen;
    i.vaddr = k->idxen ? AMD_TEST_INDEX : AMD_TEST_OFFSET;
    i.offset = k->offset;
    amd_case_add(c, &i);
}

static void expect_address(struct amd_place *s, const struct worked *k, const char *profile, uint64_t address)
{
    amd_run(s, profile);
    uint64_t got = amd_out_address(s->o, 0, 0, k->lane);
    if (got != address)
        fail_msg("%s under %s: lane %u accesses %llX, not %llX", k->name, profile, k->lane,
                 (unsigned long long)got, (unsigned long long)address);
}

static void worked_addresses(void **state)
{
    struct amd_place *s = *state;
    static const struct {
        const char *name;
        uint64_t address;
    } inside[] = {{"S7", 0x103448},
                  {"S8 scratch", 0x4022FC},
                  {"S11 elements of 8", 0x340D},
                  {"S19 soffset", 0x61A8}};
    for (unsigned i = 0; i < sizeof worked / sizeof *worked; i++) {
        worked_case(&worked[i], s->c);
        expect_address(s, &worked[i], "manual", worked[i].guide);
        if (amd_support_case(s->c)->generation == AMD_GFX11)
            expect_address(s, &worked[i], "gfx1100", worked[i].gfx1100);
        for (unsigned k = 0; k < sizeof inside / sizeof *inside; k++)
            if (!strcmp(worked[i].name, inside[k].name)) /* by the equation of the "RDNA4" guide */
                expect_address(s, &worked[i], "manual,offset-soffset-in-swizzle=inside", inside[k].address);
    }
}

/* The figure of the "RDNA3" guide: with stride 24, elements of 4 and index stride 8, dword j of record i is
 * at 32 * j + 4 * i, and record 8 begins at 192. */
static void swizzle_figure(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(UINT32_MAX);
    d.stride = 24;
    d.swizzle_enable = 1;
    d.oob_select = AMD_OOB_NUM_RECORDS_0;
    for (uint32_t j = 0; j < 6; j++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        for (unsigned n = 0; n < AMD_LANES; n++)
            image_own_row(s->c, schema_field(&amd_buffer_unit.schema, "vgpr"), AMD_TEST_INDEX, true)[n] = n;
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_b32");
        i.idxen = 1;
        i.vaddr = AMD_TEST_INDEX;
        i.offset = 4 * j;
        amd_case_add(s->c, &i);
        amd_run(s, "gfx1100");
        for (uint32_t n = 0; n < AMD_LANES; n++) {
            uint32_t at = n / 8 * 192 + 32 * j + 4 * (n % 8);
            assert_int_equal(amd_out_address(s->o, 0, 0, n), at);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, n), at / 4 + 1);
        }
    }
}

/* ---- range checks ---- */

/* "RDNA3" guide table 46. For each OOB_SELECT, a lane's index and offset just inside and just outside the
 * range. */
static const struct edge {
    uint32_t mode, stride, records, index, offset;
    bool swizzle, out;
} edges[] = {
    {0, 16, 4, 3, 12, false, false},   {0, 16, 4, 4, 12, false, true},
    {0, 16, 4, 3, 13, false, true},    {0, 0, 4, 0, 0, false, true},
    {0, 16, 0, 0, 0, false, true},     {1, 16, 4, 3, 4000, false, false},
    {1, 16, 4, 4, 0, false, true},     {1, 16, 0xFFFFFFFF, 0, 0, false, false},
    {2, 16, 0, 0, 0, false, true},     {2, 16, 1, 99, 4000, false, false},
    {3, 0, 16, 0, 12, false, false},   {3, 0, 16, 0, 13, false, true},
    {3, 0, 3, 0, 0, false, true},      {3, 16, 4, 3, 12, true, false},
    {3, 16, 4, 4, 12, true, true},     {3, 16, 4, 3, 13, true, true},
    {3, 16, 16, 50, 12, false, false}, {3, 16, 16, 0, 0xFFFFFFFD, false, true},
};

static void range_edges(void **state)
{
    struct amd_place *s = *state;
    for (unsigned n = 0; n < sizeof edges / sizeof *edges; n++) {
        const struct edge *k = &edges[n];
        struct amd_descriptor d = amd_raw_view(k->records);
        d.stride = k->stride;
        d.oob_select = k->mode;
        d.swizzle_enable = k->swizzle;
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        amd_case_vgpr(s->c, AMD_TEST_INDEX, k->index);
        amd_case_vgpr(s->c, AMD_TEST_OFFSET, k->offset);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_b32");
        i.idxen = i.offen = 1;
        i.vaddr = AMD_TEST_INDEX;
        amd_case_add(s->c, &i);
        static const char *const profiles[] = {"manual", "gfx1100"};
        for (unsigned p = 0; p < 2; p++) {
            amd_run(s, profiles[p]);
            if ((amd_out_decision(s->o, 0, 0, 9) == AMD_OUT_OF_RANGE) != k->out)
                fail_msg("edge %u under %s: mode %u, stride %u, %u records, index %u, offset %X", n,
                         profiles[p], k->mode, k->stride, k->records, k->index, k->offset);
        }
    }
}

/* "RDNA3" guide 8.4.1: each dword by itself is out of range if offset >= (stride ? stride : 1) *
 * NUM_RECORDS. */
static void scalar_loads(void **state)
{
    struct amd_place *s = *state;
    for (uint32_t stride = 0; stride <= 4; stride += 4) {
        struct amd_descriptor d = amd_raw_view(stride ? 3 : 12);
        d.stride = stride;
        d.base = 6; /* a scalar load ignores the low two bits */
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "s_buffer_load_b128");
        i.srsrc = 4;
        i.vdata = 20;
        i.soffset = 124;
        i.offset = 4;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        /* The base is 4 and the offset is 4, so the load begins at byte 8. Bytes 4 to 15 are in range. */
        static const uint32_t expected[] = {3, 4, 0, 0};
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(s->o->value[AMD_VGPRS * AMD_LANES + 20 + n], expected[n]);
    }
}

/* ---- alignment: "RDNA3" guide 9.5 ---- */

static const struct aligned {
    enum amd_alignment mode;
    const char *op;
    uint32_t offset;
    bool violates;
    uint32_t address;
} alignments[] = {
    {AMD_ALIGN_DWORD, "buffer_load_b32", 7, false, 4},
    {AMD_ALIGN_DWORD, "buffer_load_b128", 6, false, 4},
    {AMD_ALIGN_DWORD, "buffer_load_u16", 5, false, 4},
    {AMD_ALIGN_DWORD, "buffer_load_u8", 5, false, 5},
    {AMD_ALIGN_DWORD_STRICT, "buffer_load_b32", 7, true, 7},
    {AMD_ALIGN_DWORD_STRICT, "buffer_load_b64", 4, false, 4},
    {AMD_ALIGN_DWORD_STRICT, "buffer_load_u16", 5, true, 5},
    {AMD_ALIGN_STRICT, "buffer_load_b64", 4, true, 4},
    {AMD_ALIGN_STRICT, "buffer_load_b64", 8, false, 8},
    {AMD_ALIGN_STRICT, "buffer_load_b128", 8, true, 8},
    {AMD_ALIGN_STRICT, "buffer_load_u8", 3, false, 3},
    {AMD_ALIGN_UNALIGNED, "buffer_load_b128", 3, false, 3},
    {AMD_ALIGN_UNALIGNED, "buffer_atomic_add_u32", 2, true, 2},
    {AMD_ALIGN_DWORD, "buffer_atomic_add_u32", 2, true, 2},
    {AMD_ALIGN_STRICT, "buffer_atomic_add_u64", 12, true, 12},
};

static void alignment_modes(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(4096);
    for (unsigned n = 0; n < sizeof alignments / sizeof *alignments; n++) {
        const struct aligned *k = &alignments[n];
        amd_case_begin(s->c, AMD_GFX11);
        amd_support_case(s->c)->alignment = k->mode;
        amd_support_case(s->c)->exec[0] = 1;
        amd_support_case(s->c)->exec[1] = 0;
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, k->op);
        i.offset = k->offset;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        if (amd_out_decision(s->o, 0, 0, 0) != (k->violates ? AMD_VIOLATION : AMD_DONE) ||
            amd_out_address(s->o, 0, 0, 0) != k->address)
            fail_msg("alignment mode %d, %s at %u: decision %u, address %llu", k->mode, k->op, k->offset,
                     amd_out_decision(s->o, 0, 0, 0), (unsigned long long)amd_out_address(s->o, 0, 0, 0));
        const struct region *status = layout_region_named(&amd_buffer_unit.layout, "status");
        assert_int_equal(s->o->value[status->first_row * AMD_LANES + AMD_STATUS_MEM_VIOL], k->violates);
        if (k->violates) /* the memory keeps its content */
            assert_int_equal(amd_out_memory(s->o, k->offset & ~3U), k->offset / 4 + 1);
    }
}

/* An access that is aligned down begins below 2^48, but its later dwords had wrapped to 0 before: its dwords
 * are those of the 16 bytes before 2^48. */
static void aligned_down_over_the_wrap(void **state)
{
    static const char text[] = "misprint-case 1 amd-buffer\n"
                               "descriptor = raw base=0xfffffffffffc num_records=64 format=32_32_32_32_float "
                               "dst_sel=xyzw\n"
                               "code {\n  buffer_load_format_xyzw v[1:4], v0, s[8:11], 0 offen\n}\n";
    struct amd_place *s = *state;
    struct error e = {0};
    assert_true(case_parse(s->c, text, strlen(text), &e));
    assert_true(profile_resolve(&amd_buffer_unit,
                                "manual,format-component-align=full,format-misalign=align-down", &s->p, &e));
    executor_run(s->x, s->c, &s->p, RUN_CHECKED, s->o);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            assert_int_equal(amd_out_address(s->o, 0, k, n), UINT64_C(0xFFFFFFFFFFF0) + 4 * k);
}

/* ---- the generator ---- */

static bool reaches(const struct outcome *o, unsigned insn, unsigned dword, unsigned lane)
{
    uint32_t d = amd_out_decision(o, insn, dword, lane);
    return d == AMD_DONE || d == AMD_NOT_RESIDENT;
}

/* Does a lane access a later dword at a lower address than its first dword? Then the address wrapped at
 * 2^48. */
static bool passes_48_bits(const struct outcome *o)
{
    for (unsigned i = 0; i < AMD_INSNS_MAX; i++)
        for (unsigned k = 1; k < AMD_UNITS; k++)
            for (unsigned n = 0; n < AMD_LANES && outcome_touched(o, AMD_ROW_DECISION + i * AMD_UNITS + k);
                 n++)
                if (reaches(o, i, 0, n) && reaches(o, i, k, n) &&
                    amd_out_address(o, i, k, n) < amd_out_address(o, i, 0, n))
                    return true;
    return false;
}

/* Generated cases must reach the edges of sums often enough for a short campaign. Between the dwords of an
 * access, an offset must pass 2^32, or an address must pass 2^48. */
static void generator_reaches_edges(void **state)
{
    enum { CASES = 40000, ENOUGH = CASES / 2000 };
    struct amd_place *s = *state;
    struct error e = {0};
    struct random r;
    unsigned offsets = 0, addresses = 0;
    int wrap = unit_clause_index(&amd_buffer_unit, "swizzled-offset-wrap");
    assert_true(wrap >= 0 && profile_resolve(&amd_buffer_unit, "gfx1100", &s->p, &e));
    random_seed(&r, 1);
    for (unsigned n = 0; n < CASES; n++) {
        case_init(s->c, &amd_buffer_unit);
        amd_buffer_unit.generate(&r, s->c);
        case_sanitise(s->c);
        executor_run(s->x, s->c, &s->p, RUN_PLAIN, s->o);
        offsets += covered(&s->x->last, (unsigned)wrap);
        addresses += passes_48_bits(s->o);
    }
    print_message("  of %u cases, %u pass 2^32 in an offset, %u pass 2^48 in an address\n", CASES, offsets,
                  addresses);
    assert_true(offsets > ENOUGH && addresses > ENOUGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_addresses),
        cmocka_unit_test(swizzle_figure),
        cmocka_unit_test(range_edges),
        cmocka_unit_test(scalar_loads),
        cmocka_unit_test(alignment_modes),
        cmocka_unit_test(generator_reaches_edges),
        cmocka_unit_test(aligned_down_over_the_wrap),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
