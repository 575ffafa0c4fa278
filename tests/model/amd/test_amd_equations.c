/* SPDX-License-Identifier: MIT */
/*
 * Unit amd-buffer: compares addresses and range checks with a second calculation, lane by lane. The test's
 * own generator aims at the edges of every sum. A "rival" below is one source (a guide or an emulator),
 * written down as literally as possible, in 64-bit arithmetic in which nothing wraps by itself. Rivals share
 * no code with the model and know no clauses. Each names the profile whose readings it stands for.
 */
#include "model/core/units.h"
#include "tests/model/amd/support_amd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BIT(n) (UINT64_C(1) << (n))

enum { CASES = 16384, DWORDS_MAX = 4 };

/* An instruction and its V#, which are the same for all lanes. */
struct access {
    uint64_t base, stride, records, soffset, imm;
    unsigned swizzle, add_tid, index_stride, element_field, stride_high; /* `stride_high`: bits 17:14 */
    unsigned oob, idxen, offen, dwords, bytes;                           /* `bytes` in a dword: 1, 2 or 4 */
};

/* The results for the dwords of one lane. */
struct verdict {
    bool out[DWORDS_MAX];
    uint64_t address[DWORDS_MAX];
};

/* ---- what all sources agree on ---- */

static uint64_t low32(uint64_t x)
{
    return x % BIT(32);
}

static uint64_t low48(uint64_t x)
{
    return x % BIT(48);
}

static uint64_t offset_of(const struct access *a, uint64_t voffset)
{
    return low32((a->offen ? voffset : 0) + a->imm);
}

static uint64_t swizzle(uint64_t index, uint64_t offset, uint64_t stride, uint64_t element, uint64_t indices)
{
    uint64_t index_msb = index / indices, index_lsb = index % indices, offset_msb = offset / element,
             offset_lsb = offset % element;
    return (index_msb * stride + offset_msb * element) * indices + index_lsb * element + offset_lsb;
}

/* ---- "RDNA3" guide 9.4.2 and table 46, taken literally ---- */

/* Is the dword at `offset` out of range by table 46? `swizzled`: what the table's row for mode 3 calls
 * swizzled. */
static bool table_46(const struct access *a, bool swizzled, uint64_t index, uint64_t offset)
{
    uint64_t records = a->records, payload = a->bytes;
    switch (a->oob) {
    case 0:
        return index >= records || offset + payload > a->stride;
    case 1:
        return index >= records;
    case 2:
        return records == 0;
    default:
        records = records > a->soffset ? records - a->soffset : 0;
        return swizzled && a->stride ? index >= records || offset + payload > a->stride
                                     : offset + payload > records;
    }
}

static void guide(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane, struct verdict *v)
{
    uint64_t index = low32((a->idxen ? vindex : 0) + (a->add_tid ? lane : 0)), offset = offset_of(a, voffset);
    bool swizzled = a->swizzle == 1 || a->swizzle == 3;
    uint64_t buffer_offset =
        swizzled ? swizzle(index, offset, a->stride, a->swizzle == 3 ? 16 : 4, UINT64_C(8) << a->index_stride)
                 : index * a->stride + offset;
    for (unsigned k = 0; k < a->dwords; k++) {
        v->out[k] = table_46(a, swizzled, index, offset + 4 * k);
        v->address[k] = low48(a->base + a->soffset + buffer_offset + 4 * k);
    }
}

/* ---- rocjitsu on RDNA 3: values stated to match gfx1100, and its walk over the elements of an access ----
 */

/* Returns the address of the dword `more` bytes after the first byte of an access. The first byte is `lsb`
 * bytes into its element. Each element is `step` bytes after the previous one. (rocjitsu computes lsb from
 * the address. The result differs only if elements of 16 bytes meet an odd STRIDE, which the guide
 * forbids.) */
static uint64_t walk(uint64_t first, uint64_t lsb, uint64_t element, uint64_t step, uint64_t more)
{
    return first - lsb + (lsb + more) / element * step + (lsb + more) % element;
}

static void rocjitsu_rdna3(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane,
                           struct verdict *v)
{
    uint64_t index = a->idxen ? vindex : a->add_tid ? lane : 0, offset = offset_of(a, voffset);
    bool swizzled = a->swizzle && (a->idxen || a->add_tid);
    uint64_t element = a->swizzle == 3 ? 16 : 4, indices = UINT64_C(8) << a->index_stride,
             fixed = a->base + a->soffset;
    uint64_t first =
        fixed + (swizzled ? swizzle(index, offset, a->stride, element, indices) : index * a->stride + offset);
    for (unsigned k = 0; k < a->dwords; k++) {
        v->out[k] = table_46(a, swizzled, index, offset + 4 * k);
        v->address[k] = low48(swizzled ? walk(first, offset % element, element, element * indices, 4 * k)
                                       : first + 4 * k);
    }
}

/* ---- rocjitsu on CDNA, which matches gfx950. The profiles gfx900, gfx90a and gfx942 have readings from it
 * ---- */

static void rocjitsu_cdna(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane,
                          struct verdict *v)
{
    uint64_t own = a->idxen ? vindex : 0, offset = offset_of(a, voffset),
             indices = UINT64_C(8) << a->index_stride;
    bool add_lane = a->add_tid && (a->swizzle || !a->idxen), swizzled = a->swizzle && a->add_tid;
    uint64_t index = low32(own + (add_lane ? lane : 0)),
             stride = add_lane ? (uint64_t)a->stride_high * BIT(14) + a->stride : a->stride,
             fixed = a->base + a->soffset;
    uint64_t first =
        fixed + (swizzled ? swizzle(index, offset, stride, 4, indices) : index * stride + offset);
    for (unsigned k = 0; k < a->dwords; k++) {
        if (a->add_tid && !a->idxen)
            v->out[k] = false;
        else if (a->idxen && a->stride)
            v->out[k] = own >= a->records;
        else
            v->out[k] = offset + a->soffset + 4 * k + a->bytes > a->records;
        v->address[k] = low48(swizzled ? walk(first, offset % 4, 4, 4 * indices, 4 * k) : first + 4 * k);
    }
}

/* ---- gem5's Vega, which decides a lane by its first byte ---- */

static void gem5_vega(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane,
                      struct verdict *v)
{
    uint64_t index = low32((a->idxen ? vindex : 0) + (a->add_tid ? lane : 0)), offset = offset_of(a, voffset);
    uint64_t stride = a->add_tid ? (uint64_t)a->stride_high * BIT(14) + a->stride : a->stride,
             at = a->swizzle ? swizzle(index, offset, stride, UINT64_C(2) << a->element_field,
                                       UINT64_C(8) << a->index_stride)
                             : offset + stride * index;
    bool out = !a->stride || !a->swizzle ? at >= low32(a->records - a->soffset)
                                         : index >= a->records || offset >= stride;
    v->out[0] = out;
    v->address[0] = low48(a->base + a->soffset + at);
}

/* ---- Mesa's comment on GFX10's modes ---- */

static void mesa_gfx10(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane,
                       struct verdict *v)
{
    uint64_t index = low32((a->idxen ? vindex : 0) + (a->add_tid ? lane : 0)), offset = offset_of(a, voffset);
    uint64_t at = a->swizzle ? swizzle(index, offset, a->stride, 4, UINT64_C(8) << a->index_stride)
                             : index * a->stride + offset;
    const bool rules[] = {index >= a->records || offset >= a->stride, index >= a->records, a->records == 0,
                          (a->swizzle ? at : offset) >= a->records};
    v->out[0] = rules[a->oob];
    v->address[0] = low48(a->base + a->soffset + at);
}

/* ---- rivals ---- */

static const struct rival {
    const char *name, *profile;
    enum amd_generation generation;
    void (*judge)(const struct access *a, uint64_t vindex, uint64_t voffset, unsigned lane,
                  struct verdict *v);
    bool one_dword; /* the source describes only the first dword */
} rivals[] = {
    {"the RDNA3 guide", "manual", AMD_GFX11, guide, false},
    {"rocjitsu, RDNA 3", "gfx1100", AMD_GFX11, rocjitsu_rdna3, false},
    {"rocjitsu, CDNA", "gfx900", AMD_GFX9, rocjitsu_cdna, false},
    {"rocjitsu, RDNA 4", "gfx1200", AMD_GFX12, rocjitsu_rdna3, false},
    {"rocjitsu, CDNA", "gfx90a", AMD_GFX90A, rocjitsu_cdna, false},
    {"rocjitsu, CDNA", "gfx942", AMD_GFX942, rocjitsu_cdna, false},
    {"gem5, Vega", "gfx803,gfx8-soffset-limit=underflow", AMD_GFX8, gem5_vega, true},
    {"Mesa, GFX10", "manual,gfx10-oob3=mesa,gfx10-oob0-payload=first-byte", AMD_GFX10, mesa_gfx10, true},
};

/* ---- the generator ---- */

static uint64_t random_state;

static uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t below(uint64_t n)
{
    return (draw() >> 16) % n;
}

/* Returns a value near `edge`, on either side, in steps of 1 or 4. */
static uint64_t near(uint64_t edge)
{
    uint64_t aside = below(9) * (below(3) ? 4 : 1);
    return below(2) ? edge + aside : edge - aside;
}

static void some_access(const struct rival *r, struct access *a)
{
    bool gfx11 = r->generation == AMD_GFX11 || r->generation == AMD_GFX12,
         gcn = !gfx11 && r->generation != AMD_GFX10;
    memset(a, 0, sizeof *a);
    a->stride = below(4) ? below(70) * (below(3) ? 4 : 1) : below(3) ? below(0x4000) : 0;
    a->swizzle = below(2) ? 0 : gfx11 ? (unsigned)below(4) : 1;
    a->add_tid = !below(3);
    a->index_stride = (unsigned)below(4);
    a->element_field = r->generation == AMD_GFX8 ? (unsigned)below(4) : 0;
    a->stride_high = gcn ? (unsigned)below(15) + 1 : 0; /* not 0, so that the V# does not count as unbound */
    a->oob = gcn ? 0 : (unsigned)below(4);
    a->idxen = (unsigned)below(2);
    a->offen = (unsigned)below(4) != 0;
    a->imm = below(2) ? below(4096) : below(9) * 4;
    a->soffset = below(3) ? 0 : below(3) ? below(5000) : below(2) ? draw() % BIT(32) : low32(near(0));
    a->base = below(2) ? below(3000) : below(2) ? low48(near(0) - a->soffset - below(40)) : low48(draw());
    a->records = below(8) == 0   ? below(2)
                 : below(8) == 0 ? BIT(32) - 1 - below(3)
                 : below(2)      ? below(100)
                                 : (a->stride ? a->stride : 16) * below(64) + below(3);
    static const uint8_t sizes[] = {1, 2, 3, 4};
    a->dwords = sizes[below(4)];
    a->bytes = a->dwords == 1 && !below(3) ? 1U << below(2) : 4;
}

static uint64_t some_index(const struct access *a)
{
    switch (below(8)) {
    case 0:
        return draw() % BIT(32);
    case 1:
        return low32(near(0));
    case 2:
        return low32(near(a->records));
    case 3: /* index * stride reaches 32 bits */
        return low32(near(BIT(32) / (a->stride ? a->stride : 1)));
    default:
        return below(80);
    }
}

static uint64_t some_offset(const struct access *a)
{
    switch (below(8)) {
    case 0:
        return draw() % BIT(32);
    case 1: /* offset + OFFSET reaches 32 bits, or a later dword does */
        return low32(near(0) - a->imm - 4 * below(4));
    case 2:
        return low32(near(a->stride) - a->imm);
    case 3:
        return low32(near(a->records) - a->imm - (below(2) ? a->soffset : 0));
    default:
        return below(200);
    }
}

static const char *operation(const struct access *a)
{
    static const char *const dwords[] = {"buffer_load_b32", "buffer_load_b64", "buffer_load_b96",
                                         "buffer_load_b128"};
    return a->bytes == 1 ? "buffer_load_u8" : a->bytes == 2 ? "buffer_load_u16" : dwords[a->dwords - 1];
}

static void build_case(const struct rival *r, const struct access *a, struct test_case *c)
{
    struct amd_descriptor d = {.base = a->base,
                               .stride = (uint32_t)a->stride,
                               .swizzle_enable = a->swizzle,
                               .num_records = (uint32_t)a->records,
                               .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
                               .format = a->stride_high ? a->stride_high : 22,
                               .element_size = a->element_field,
                               .index_stride = a->index_stride,
                               .add_tid_enable = a->add_tid,
                               .resource_level = r->generation == AMD_GFX10,
                               .oob_select = a->oob};
    const struct schema *schema = &amd_buffer_unit.schema;
    struct amd_insn i = amd_test_insn(r->generation, operation(a));
    amd_case_begin(c, r->generation);
    amd_case_descriptor(c, &d);
    amd_case_sgpr(c, AMD_TEST_SOFFSET, (uint32_t)a->soffset);
    for (unsigned n = 0; n < AMD_LANES; n++) {
        image_own_row(c, schema_field(schema, "vgpr"), AMD_TEST_INDEX, true)[n] = (uint32_t)some_index(a);
        image_own_row(c, schema_field(schema, "vgpr"), AMD_TEST_OFFSET, true)[n] = (uint32_t)some_offset(a);
    }
    i.idxen = a->idxen;
    i.offen = a->offen;
    i.offset = (uint32_t)a->imm;
    i.vaddr = a->idxen ? AMD_TEST_INDEX : AMD_TEST_OFFSET;
    amd_case_add(c, &i);
}

/* ---- the comparison ---- */

struct counts {
    unsigned long accesses, dwords, out, moved, offset_edges, address_edges;
};

/* Returns a byte of the memory that amd_case_begin fills. */
static uint32_t byte_at(uint64_t address)
{
    return address / 4 < 8 * AMD_LANES ? (uint32_t)((address / 4 + 1) >> 8 * (address % 4)) & 0xFF : 0;
}

static void compare_dword(const struct rival *r, const struct access *a, struct amd_place *s, unsigned lane,
                          unsigned k, const struct verdict *v, struct counts *n)
{
    uint32_t decision = amd_out_decision(s->o, 0, k, lane);
    uint64_t address = amd_out_address(s->o, 0, k, lane);
    bool out = decision == AMD_OUT_OF_RANGE;
    if (out != v->out[k] || (!out && address != v->address[k]))
        fail_msg(
            "%s: %s under %s, dword %u of lane %u: %s %llX, not %s %llX; base %llX stride %llu (+%u) "
            "records %llu soffset %llX offset %llu swizzle %u add_tid %u indices %u oob %u idxen %u offen %u "
            "index %X voffset %X",
            r->name, operation(a), r->profile, k, lane, out ? "out of range" : "reaches",
            (unsigned long long)address, v->out[k] ? "out of range" : "reaches",
            (unsigned long long)v->address[k], (unsigned long long)a->base, (unsigned long long)a->stride,
            a->stride_high, (unsigned long long)a->records, (unsigned long long)a->soffset,
            (unsigned long long)a->imm, a->swizzle, a->add_tid, 8U << a->index_stride, a->oob, a->idxen,
            a->offen, amd_support_case(s->c)->vgpr_row[0].word[lane],
            amd_support_case(s->c)->vgpr_row[1].word[lane]);
    n->dwords++;
    n->out += out;
    n->address_edges += !out && k && v->address[k] < v->address[0];
    if (decision != AMD_DONE || a->bytes != 4 || address % 4) /* tested elsewhere */
        return;
    uint32_t value = 0;
    for (unsigned b = 0; b < 4; b++)
        value |= byte_at(address + b) << 8 * b;
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + k, lane), value);
    n->moved++;
}

static void compare_case(const struct rival *r, struct amd_place *s, struct counts *n)
{
    struct access a;
    some_access(r, &a);
    build_case(r, &a, s->c);
    executor_run(s->x, s->c, &s->p, RUN_PLAIN, s->o);
    const struct amd_case *c = amd_support_case(s->c);
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        struct verdict v;
        r->judge(&a, c->vgpr_row[0].word[lane], c->vgpr_row[1].word[lane], lane, &v);
        for (unsigned k = 0; k < (r->one_dword ? 1 : a.dwords); k++)
            compare_dword(r, &a, s, lane, k, &v, n);
        uint64_t offset = offset_of(&a, c->vgpr_row[1].word[lane]);
        n->offset_edges += !v.out[a.dwords - 1] && offset + 4 * (a.dwords - 1) >= BIT(32);
        n->accesses++;
    }
}

static void agrees_with_every_rival(void **state)
{
    struct amd_place *s = *state;
    for (const struct rival *r = rivals; r < rivals + sizeof rivals / sizeof *rivals; r++) {
        struct counts n = {0};
        struct error e = {0};
        if (!profile_resolve(&amd_buffer_unit, r->profile, &s->p, &e))
            fail_msg("%s", e.text);
        random_state = 0x9E3779B97F4A7C15;
        for (unsigned i = 0; i < CASES; i++)
            compare_case(r, s, &n);
        print_message(
            "  %s (%s): %lu accesses, %lu dwords, %lu of them out of range, %lu with data; offset beyond "
            "32 bits %lu times, address beyond 48 bits %lu times\n",
            r->name, amd_generation_names[r->generation], n.accesses, n.dwords, n.out, n.moved,
            n.offset_edges, n.address_edges);
        assert_true(n.out > n.dwords / 20 && n.out < n.dwords * 19 / 20);
        assert_true(n.moved > n.dwords / 50);
        assert_true(r->one_dword || (n.offset_edges > 100 && n.address_edges > 100));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_every_rival)};
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
