/* SPDX-License-Identifier: MIT */
/*
 * Unit amd-buffer: addresses worked by hand from the guide's equations,
 * values stated to match physical parts, the guide's tables of alignment and
 * component selection. Atomics: test_amd_atomics.c.
 */
#include "oracle/attribution/explain.h"
#include "oracle/compare/compare.h"
#include "oracle/files/trace.h"
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- worked addresses ---- */

/* Computed by hand from "RDNA3" guide 9.4.2: as it stands, and as gfx1100 is known to differ. */
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
    enum amd_generation g =
        k->element == 2 || k->element == 8 ? AMD_GFX8 : AMD_GFX11; /* only GFX8 has such elements */
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
    struct amd_insn i =
        amd_test_insn(g, g == AMD_GFX8 ? "buffer_load_u8"
                                       : "buffer_load_b32"); /* GFX8's guide aligns all but bytes */
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
        fail_msg("%s under %s: lane %u reaches %llX, not %llX", k->name, profile, k->lane,
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
            if (!strcmp(worked[i].name, inside[k].name)) /* the "RDNA4" guide's equation */
                expect_address(s, &worked[i], "manual,offset-soffset-in-swizzle=inside", inside[k].address);
    }
}

/* "RDNA3" guide's figure: stride 24, elements of 4, index stride 8: dword j of record i lies at 32 * j + 4 *
 * i, record 8 begins at 192. */
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

/* ---- hardware witnesses ---- */

static void witnesses_reproduce(void **state)
{
    struct amd_place *s = *state;
    struct outcome *board = outcome_new(&amd_buffer_unit);
    for (unsigned i = 0; i < amd_witness_count; i++) {
        const struct amd_witness *k = &amd_witnesses[i];
        amd_witness_case(k, s->c);
        amd_witness_outcome(k, s->c, board);
        struct tally t = {0};
        amd_run(s, "gfx1100");
        if (!outcomes_equal(s->o, board, &t, NULL) || t.vacuous)
            support_fail_case(s->c, "%s: the model under gfx1100 does not do what the part did", k->name);
        amd_run(s, "rdna3-guide");
        if (outcomes_equal(s->o, board, NULL, NULL) != !k->erratum)
            support_fail_case(s->c, "%s: the guide's text %s what the part did", k->name,
                              k->erratum ? "predicts" : "does not predict");
        if (!k->erratum)
            continue;
        struct explanation x;
        struct cause want;
        struct error e = {0};
        assert_true(cause_parse(&amd_buffer_unit, k->erratum, &want, &e));
        explain_case(s->x, s->c, &s->p, board, 3, 0, &x);
        bool named = false;
        for (unsigned r = 0; r < x.candidates; r++)
            named = named || cause_equal(&x.candidate[r], &want);
        if (!named)
            support_fail_case(s->c, "%s: %s is not among the %u explanations", k->name, k->erratum,
                              x.candidates);
    }
    outcome_free(board);
}

/* The trace in the corpus is what support_amd.c makes; MISPRINT_WITNESSES=FILE writes it anew. */
static void witnesses_are_in_the_corpus(void **state)
{
    struct amd_place *s = *state;
    struct error e = {0};
    const char *to = getenv("MISPRINT_WITNESSES");
    if (to && !amd_write_witnesses(to, &e))
        fail_msg("%s", e.text);
    struct trace_reader *r = trace_open(MISPRINT_SOURCE_DIR "/corpus/amd-buffer/silicon/witnesses.trace", &e);
    if (!r)
        fail_msg("%s", e.text);
    assert_true(trace_identity(r)->silicon);
    struct outcome *got = outcome_new(&amd_buffer_unit);
    struct test_case *c = malloc(sizeof *c);
    const char *label;
    unsigned count = 0;
    while (trace_next(r, c, got, &label, &e) == 1) {
        assert_in_range(count, 0, amd_witness_count - 1);
        amd_witness_case(&amd_witnesses[count], s->c);
        amd_witness_outcome(&amd_witnesses[count], s->c, s->o);
        assert_string_equal(label, amd_witnesses[count].name);
        assert_true(case_equal(c, s->c));
        assert_true(outcomes_equal(s->o, got, NULL, NULL));
        count++;
    }
    assert_int_equal(count, amd_witness_count);
    free(c);
    outcome_free(got);
    trace_close(r);
}

/* ---- range checks ---- */

/* A 12-byte format of which 8 bytes are in range: nothing is loaded or stored (rocjitsu's test). */
static void formats_are_all_or_nothing(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(8);
    d.format = 60; /* 32_32_32_FLOAT */
    for (unsigned store = 0; store < 2; store++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        for (unsigned n = 0; n < 4; n++)
            amd_case_vgpr(s->c, AMD_TEST_DATA + n, 0xAAAA0000 + n);
        struct amd_insn i =
            amd_test_insn(AMD_GFX11, store ? "buffer_store_format_xyz" : "buffer_load_format_xyz");
        amd_case_add(s->c, &i);
        amd_run(s, "gfx1100");
        for (unsigned n = 0; n < 3; n++) {
            assert_int_equal(amd_out_memory(s->o, 4 * n), n + 1);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 0), store ? 0xAAAA0000 + n : 0);
        }
        assert_int_equal(amd_out_decision(s->o, 0, 0, 0), AMD_OUT_OF_RANGE);
    }
}

/* One lane's index and offset against OOB_SELECT and NUM_RECORDS: "RDNA3" guide table 46, each mode beside
 * its edge. */
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

/* "RDNA3" guide 8.4.1: per dword, out of range if offset >= (stride ? stride : 1) * NUM_RECORDS. */
static void scalar_loads(void **state)
{
    struct amd_place *s = *state;
    for (uint32_t stride = 0; stride <= 4; stride += 4) {
        struct amd_descriptor d = amd_raw_view(stride ? 3 : 12);
        d.stride = stride;
        d.base = 6; /* the low bits do not count */
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "s_buffer_load_b128");
        i.srsrc = 4;
        i.vdata = 20;
        i.soffset = 124;
        i.offset = 4;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        static const uint32_t expected[] = {
            3, 4, 0, 0}; /* dwords from byte 4 + 4 on; the range ends behind 12 bytes */
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(s->o->value[AMD_VGPRS * AMD_LANES + 20 + n], expected[n]);
    }
}

/* ---- special descriptors ---- */

static void run_special(struct amd_place *s, const struct amd_descriptor *d, const char *op,
                        const char *profile)
{
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, d);
    amd_case_vgpr(s->c, AMD_TEST_DATA, 0x1234);
    struct amd_insn i = amd_test_insn(AMD_GFX11, op);
    amd_case_add(s->c, &i);
    amd_run(s, profile);
    assert_int_equal(s->o->end, END_DONE);
}

static void special_descriptors(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor zero = {0}, image = amd_raw_view(64);
    image.type = 2;
    run_special(s, &zero, "buffer_load_b32", "manual"); /* unbound: 0, also without a format of its own */
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 3), 0);
    run_special(s, &zero, "buffer_store_b32", "manual");
    assert_int_equal(amd_out_memory(s->o, 0), 1);
    run_special(s, &image, "buffer_load_b32", "manual"); /* not a buffer: nothing */
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 3), 0x1234);
    run_special(s, &image, "buffer_store_b32", "manual");
    assert_int_equal(amd_out_memory(s->o, 0), 1);
    for (uint32_t format = 0; format < 64; format++)
        for (uint32_t mode = 0; mode < 4; mode++) { /* no records: nothing is in range */
            struct amd_descriptor none = {.oob_select = mode,
                                          .stride = 4,
                                          .format = format,
                                          .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
            run_special(s, &none, "buffer_load_format_x", "gfx1100");
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), 0);
        }
}

static void lanes_that_are_off(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(4096);
    for (unsigned wave32 = 0; wave32 < 2; wave32++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_support_case(s->c)->wave_size = wave32 ? AMD_WAVE32 : AMD_WAVE64;
        amd_support_case(s->c)->exec[0] = 0x0000FFF0;
        amd_case_descriptor(s->c, &d);
        amd_case_vgpr(s->c, AMD_TEST_DATA, 0x55);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_b32");
        amd_case_add(s->c, &i);
        amd_run(s, "gfx1100");
        for (unsigned n = 0; n < AMD_LANES; n++) {
            bool on = (n >= 4 && n < 16) || (n >= 32 && !wave32);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, n), on ? 1 : 0x55);
            assert_int_equal(amd_out_decision(s->o, 0, 0, n), on ? AMD_DONE : AMD_INACTIVE);
        }
    }
}

/* ---- components ---- */

static void component_selection(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(64);
    d.format = 48; /* 32_32_UINT */
    d.dst_sel[0] = AMD_SEL_Y;
    d.dst_sel[1] = AMD_SEL_1;
    d.dst_sel[2] = AMD_SEL_W;
    d.dst_sel[3] = AMD_SEL_0;
    static const uint32_t in[] = {2, 1, 0, 0}, out[] = {0, 1, 0, 0};
    for (unsigned far = 0; far < 2; far++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_format_xyzw");
        i.offset = far ? 60 : 0;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 7), far ? out[n] : in[n]);
    }
    d.format = 50; /* 32_32_FLOAT: the constant is 1.0 */
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, &d);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_format_xy");
    amd_case_add(s->c, &i);
    amd_run(s, "manual");
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 1, 0), 0x3F800000);
}

/* "RDNA3" guide 9.3: TBUFFER loads give X000, XY00, XYZ0, XYZW, whatever the V# selects. */
static void identity_selection(void **state)
{
    struct amd_place *s = *state;
    static const uint32_t formats[] = {20, 48, 58, 61}; /* 32_UINT, 32_32_UINT, ... */
    struct amd_descriptor d = amd_raw_view(64);
    d.dst_sel[0] = d.dst_sel[3] = AMD_SEL_1;
    for (unsigned components = 1; components <= 4; components++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "tbuffer_load_format_xyzw");
        i.format = formats[components - 1];
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 0), n < components ? n + 1 : 0);
    }
}

/* Packed halves: X and Y in one register, Z in the next, whose other half stays; D16_HI writes the high half.
 */
static void d16_packing(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(64);
    d.format = 55; /* 16_16_16_16_UINT */
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, &d);
    amd_case_memory(s->c, 0, 0x22221111);
    amd_case_memory(s->c, 4, 0x44443333);
    amd_case_vgpr(s->c, AMD_TEST_DATA + 1, 0xABCDABCD);
    amd_case_vgpr(s->c, AMD_TEST_DATA + 8, 0x12345678);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_d16_format_xyz"),
                    hi = amd_test_insn(AMD_GFX11, "buffer_load_d16_hi_b16"),
                    store = amd_test_insn(AMD_GFX11, "buffer_store_d16_hi_b16");
    hi.vdata = store.vdata = AMD_TEST_DATA + 8;
    hi.offset = 6;
    store.offset = 32;
    amd_case_add(s->c, &i);
    amd_case_add(s->c, &hi);
    amd_case_add(s->c, &store);
    amd_run(s, "manual");
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), 0x22221111);
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 1, 0), 0xABCD3333);
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 8, 0), 0x44445678);
    assert_int_equal(amd_out_memory(s->o, 32), 0x00004444); /* dword 8 was 9 */
}

/* What a format's store makes of what its load returned is what was there, for every format that loses
 * nothing. */
static void formats_round_trip(void **state)
{
    struct amd_place *s = *state;
    struct random r;
    random_seed(&r, 5);
    unsigned formats = 0;
    for (uint32_t code = 1; code < 64; code++) {
        struct amd_format f;
        assert_true(amd_format_of(AMD_GFX11, code, &f));
        struct amd_descriptor d = amd_raw_view(1024);
        d.format = code;
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        uint32_t words[4];
        for (unsigned n = 0; n < 4;
             n++) { /* no field at its most negative value, no float with all exponent bits */
            words[n] = random_u32(&r) & 0x3BDF3BDF;
            amd_case_memory(s->c, 4 * n, words[n]);
        }
        struct amd_insn load = amd_test_insn(AMD_GFX11, "buffer_load_format_xyzw"),
                        store = amd_test_insn(AMD_GFX11, "buffer_store_format_xyzw");
        store.offset = 64;
        amd_case_add(s->c, &load);
        amd_case_add(s->c, &store);
        amd_run(s, "manual");
        unsigned bytes = amd_layouts[f.layout].bytes;
        for (unsigned n = 0; n < bytes; n++) {
            uint32_t got = amd_out_memory(s->o, 64 + n / 4 * 4) >> 8 * (n % 4) & 0xFF,
                     want = words[n / 4] >> 8 * (n % 4) & 0xFF;
            if (f.number == AMD_SNORM ||
                f.number == AMD_SSCALED) /* 2-bit fields can be at their most negative */
                continue;
            if (got != want)
                fail_msg("format %s, byte %u: %02X came back as %02X", amd_gfx11_format_names[code], n, want,
                         got);
        }
        formats++;
    }
    assert_int_equal(formats, 63);
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
        if (k->violates) /* nothing was written */
            assert_int_equal(amd_out_memory(s->o, k->offset & ~3U), k->offset / 4 + 1);
    }
}

/* ---- host instructions ---- */

/* One instruction's lanes by one variant of the loops, from the case's beginning. */
static void run_variant(struct amd_place *s, const struct buffer_kernels *k, const struct amd_insn *i,
                        struct buffer_lanes *l)
{
    struct amd_wave *w = s->x->state; /* as the last run set it up */
    struct coverage seen = {0};
    struct buffer_plan plan;
    outcome_reset(s->o, s->c);
    memcpy(w->descriptor, amd_support_case(s->c)->descriptor, sizeof w->descriptor);
    w->profile = &s->p;
    w->coverage = &seen;
    w->trace_row = 0;
    memset(l, 0, sizeof *l);
    if (buffer_prepare(w, i, &plan) || plan.effect != BUFFER_MOVES || k->operands(w, &plan, l))
        return;
    k->resolve(w, &plan, l);
    if (i->op->kind == AMD_STORE)
        k->store(w, &plan, l);
    else
        k->load(w, &plan, l);
    for (unsigned unit = 0; unit < plan.units; unit++)
        k->note(w, l, unit, plan.unit_bytes);
}

static void host_variants_agree(void **state)
{
    struct amd_place *s = *state;
    const struct buffer_kernels *const variants[] = {
        &buffer_kernels_plain,
#if BUFFER_HAS_X86
        __builtin_cpu_supports("avx2") ? &buffer_kernels_avx2 : NULL,
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? &buffer_kernels_avx512
                                                                                 : NULL,
#endif
    };
    struct random r;
    unsigned compared = 0;
    struct outcome *first = outcome_new(&amd_buffer_unit);
    size_t bytes = (size_t)amd_buffer_unit.layout.rows * AMD_LANES * sizeof(uint32_t);
    random_seed(&r, 6);
    for (unsigned n = support_scaled(5000); n; n--) {
        struct amd_insn i;
        case_init(s->c, &amd_buffer_unit);
        amd_case_generate(&r, s->c);
        struct amd_case *a = amd_support_case(s->c);
        if (!amd_decode((enum amd_generation)a->generation, (uint64_t)a->insn[0][1] << 32 | a->insn[0][0],
                        &i) ||
            (i.op->kind != AMD_LOAD && i.op->kind != AMD_STORE) || i.op->encoding == AMD_SMEM)
            continue;
        profile_builtin(&amd_buffer_unit, random_below(&r, AMD_PROFILE_GFX803 + 1), &s->p);
        executor_run(s->x, s->c, &s->p, RUN_PLAIN, s->o);
        struct buffer_lanes one, other;
        run_variant(s, variants[0], &i, &one);
        memcpy(first->value, s->o->value, bytes);
        for (unsigned v = 1; v < sizeof variants / sizeof *variants; v++) {
            if (!variants[v])
                continue;
            run_variant(s, variants[v], &i, &other);
            if (memcmp(first->value, s->o->value, bytes) != 0 ||
                memcmp(one.decision, other.decision, sizeof one.decision) != 0)
                support_fail_case(s->c, "variant %u of the loops does not do what the plain one does", v);
            compared++;
        }
    }
    print_message("  %u comparisons\n", compared);
    outcome_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_addresses),    cmocka_unit_test(swizzle_figure),
        cmocka_unit_test(witnesses_reproduce), cmocka_unit_test(witnesses_are_in_the_corpus),
        cmocka_unit_test(range_edges),         cmocka_unit_test(formats_are_all_or_nothing),
        cmocka_unit_test(scalar_loads),        cmocka_unit_test(special_descriptors),
        cmocka_unit_test(lanes_that_are_off),  cmocka_unit_test(component_selection),
        cmocka_unit_test(identity_selection),  cmocka_unit_test(d16_packing),
        cmocka_unit_test(formats_round_trip),  cmocka_unit_test(alignment_modes),
        cmocka_unit_test(host_variants_agree),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
