/* SPDX-License-Identifier: MIT */
/* The values that pass observation points of amd-buffer, in instructions of one lane. The expected values are
 * worked by hand from the "RDNA3" guide's equations (9.4.2), its tables of formats, and IEEE 754. */
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { VISITS_MAX = 8 };

/* The values of lane 0 at one point, in the order of the run. */
struct expected {
    const char *point;
    unsigned count;
    uint32_t value[VISITS_MAX];
};

static struct points_bench *bench;

static struct visits {
    unsigned count;
    uint32_t value[VISITS_MAX];
} visits[AMD_POINT_COUNT];

static int begin(void **state)
{
    (void)state;
    bench = points_open(&amd_buffer_unit);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    points_close(bench);
    return 0;
}

static void see(void *context, const struct observation *seen)
{
    (void)context;
    struct visits *v = &visits[seen->point];
    if (v->count < VISITS_MAX)
        v->value[v->count] = seen->value[0];
    v->count++;
}

/* Runs the bench's case with the rules, and compares what passes the points. */
static void expect_as(const char *profile, const char *rules, const struct expected *list, size_t count)
{
    const struct profile p = points_profile(bench, profile, rules);
    memset(visits, 0, sizeof visits);
    bench->run.see = see;
    points_run(bench, &bench->tc, &p, bench->out);
    assert_int_equal(bench->out->end, END_DONE);
    for (size_t i = 0; i < count; i++) {
        unsigned point = 0;
        while (point < AMD_POINT_COUNT && strcmp(amd_points[point].name, list[i].point) != 0)
            point++;
        assert_true(point < AMD_POINT_COUNT);
        if (visits[point].count != list[i].count)
            fail_msg("%s: %u visits, not %u", list[i].point, visits[point].count, list[i].count);
        for (unsigned n = 0; n < list[i].count; n++)
            if (visits[point].value[n] != list[i].value[n])
                fail_msg("%s, visit %u: 0x%x, not 0x%x", list[i].point, n, visits[point].value[n],
                         list[i].value[n]);
    }
}
#define EXPECT_AS(profile, rules, ...)                                                                       \
    do {                                                                                                     \
        const struct expected list_[] = {__VA_ARGS__};                                                       \
        expect_as(profile, rules, list_, sizeof list_ / sizeof *list_);                                      \
    } while (0)
#define EXPECT_WITH(rules, ...) EXPECT_AS("manual", rules, __VA_ARGS__)
#define EXPECT(...)             EXPECT_WITH(NULL, __VA_ARGS__)

/* Begins a case of one lane with a raw V# of 256 bytes from address 0x100 on. */
static struct amd_descriptor begin_case(enum amd_generation g)
{
    amd_case_begin(&bench->tc, g);
    amd_support_case(&bench->tc)->exec[0] = 1;
    amd_support_case(&bench->tc)->exec[1] = 0;
    struct amd_descriptor d = amd_descriptor_raw(g, 0x100, 256);
    amd_case_descriptor(&bench->tc, &d);
    return d;
}

/* ---- sums of floats ---- */

/* Adds `source` to the float `old` in memory. */
static void begin_sum(enum amd_generation g, const char *name, uint32_t old, uint32_t source)
{
    (void)begin_case(g);
    amd_case_memory(&bench->tc, 0x108, old);
    amd_case_vgpr(&bench->tc, AMD_TEST_DATA, source);
    struct amd_insn i = amd_test_insn(g, name);
    i.offset = 8;
    i.glc = 1;
    amd_case_add(&bench->tc, &i);
}

/* 1.5 + (2^-2 + 2^-25): the exponents 127 and 125 are 2 places apart. With 9 more digits the mantissas are
 * 0x180000000 and 0x100000200 >> 2 = 0x40000080. Their sum 0x1c0000080 loses 9 digits again: 0x80 is less
 * than the half, 0x100. */
static void a_sum_is_rounded_down(void **state)
{
    (void)state;
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x3FC00000, 0x3E800001);
    EXPECT({"sum.operand", 2, {0x3FC00000, 0x3E800001}}, {"sum.swapped", 1, {0}},
           {"float.exponent", 2, {127, 125}}, {"float.mantissa", 2, {0xC00000, 0x800001}},
           {"sum.places", 1, {2}}, {"sum.aligned", 1, {0x40000080}}, {"sum.subtracts", 1, {0}},
           {"sum.value", 1, {0xC0000080}}, {"sum.negative", 1, {0}}, {"sum.last", 1, {127}},
           {"sum.up", 1, {0}}, {"sum.mantissa", 1, {0xE00000}}, {"sum.exponent", 1, {127}},
           {"sum.result-low", 1, {0x3FE00000}}, {"sum.result-high", 0, {0}},
           {"atomic.result", 1, {0x3FE00000}}, {"atomic.vgpr", 1, {4}}, {"atomic.destination", 1, {4}},
           {"vgpr.value", 1, {0x3FC00000}}, {"vgpr.lanes-low", 1, {1}});
    /* the sum 0x1c0000080 has 33 digits: 4032 + 32 - 23 is beyond infinity; 1 + 4032 digits leave nothing */
    EXPECT_WITH("sum.digit-exponent = 0x7fffffff", {"sum.last", 1, {4041}}, {"sum.shift", 1, {9}},
                {"sum.result-low", 1, {0x7F800000}});
    EXPECT_WITH("sum.digit-exponent = 0x80000000", {"sum.last", 1, {1}}, {"sum.shift", 1, {4033}},
                {"sum.result-low", 1, {0}});
}

/* 1 - 3 * 2^-26: 25 places apart. 0x100000000 - 0xc0 = 0xffffff40 begins one digit lower, so it loses 8
 * digits: 0x40 is less than the half, 0x80. */
static void a_difference_is_normalized(void **state)
{
    (void)state;
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x3F800000, 0xB3400000);
    EXPECT({"float.exponent", 2, {127, 102}}, {"sum.places", 1, {25}}, {"sum.aligned", 1, {0xC0}},
           {"sum.subtracts", 1, {1}}, {"sum.value", 1, {0xFFFFFF40}}, {"sum.last", 1, {126}},
           {"sum.up", 1, {0}}, {"sum.mantissa", 1, {0xFFFFFF}}, {"sum.exponent", 1, {126}},
           {"sum.result-low", 1, {0x3F7FFFFF}});
}

/* 1 + -2 = -1: the operands change places, and the result has the sign of the larger one. A NaN becomes
 * quiet, and its payload stays. */
static void sums_of_special_operands(void **state)
{
    (void)state;
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x3F800000, 0xC0000000);
    EXPECT({"sum.swapped", 1, {1}}, {"float.exponent", 2, {128, 127}}, {"sum.places", 1, {1}},
           {"sum.negative", 1, {1}}, {"sum.result-low", 1, {0xBF800000}});
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x7F800001, 0x3F800000);
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x7F800000, 0xFF800000); /* no sum: a NaN */
    EXPECT({"sum.infinite", 1, {1}}, {"sum.undefined", 1, {1}}, {"sum.result-low", 1, {0x7FC00000}});
    EXPECT_WITH("sum.undefined = 0", {"sum.result-low", 1, {0x7F800000}});
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x3F800000, 0xC0000000);
    EXPECT_WITH("sum.infinite = 1", {"sum.undefined", 1, {0}}, {"sum.result-low", 1, {0xC0000000}});
    begin_sum(AMD_GFX11, "buffer_atomic_add_f32", 0x7F800001, 0x3F800000);
    EXPECT({"float.nan", 2, {1, 0}}, {"sum.swapped", 0, {0}}, {"sum.result-low", 1, {0x7FC00001}});
}

/* Halves: 2 + 1 below, 1 + 0.5 above. */
static void a_sum_of_halves_has_two_sums(void **state)
{
    (void)state;
    begin_sum(AMD_GFX942, "buffer_atomic_pk_add_f16", 0x3C004000, 0x38003C00);
    EXPECT({"sum.operand", 4, {0x4000, 0x3C00, 0x3C00, 0x3800}}, {"float.exponent", 4, {16, 15, 15, 14}},
           {"sum.mantissa", 2, {0x600, 0x600}}, {"sum.exponent", 2, {16, 15}},
           {"sum.result-low", 2, {0x4200, 0x3E00}}, {"atomic.result", 1, {0x3E004200}});
    /* a rule of the lower sum leaves the upper one as it is */
    EXPECT_WITH("sum.result-low when first_low == 0x4000 = 0x10001", {"atomic.result", 1, {0x3E000001}});
}

/* 1 + 1 as doubles: the leading 1 is bit 52, bit 20 of the upper half. */
static void a_sum_of_doubles_has_upper_halves(void **state)
{
    (void)state;
    (void)begin_case(AMD_GFX90A);
    struct amd_case *c = amd_support_case(&bench->tc);
    c->insn[0][0] = 0xE13C0008; /* buffer_atomic_add_f64 v[4:5], off, s[8:11], 0 offset:8 */
    c->insn[0][1] = 0x80020400;
    c->insn_count = 1;
    amd_case_memory(&bench->tc, 0x108, 0);
    amd_case_vgpr(&bench->tc, AMD_TEST_DATA, 0);
    amd_case_memory(&bench->tc, 0x10C, 0x3FF00000);
    amd_case_vgpr(&bench->tc, AMD_TEST_DATA + 1, 0x3FF00000);
    EXPECT({"float.exponent", 2, {1023, 1023}}, {"float.mantissa", 2, {0, 0}},
           {"float.mantissa-high", 2, {0x100000, 0x100000}}, {"sum.result-low", 1, {0}},
           {"sum.result-high", 1, {0x40000000}});
    EXPECT_WITH("float.mantissa-high = 0x180000", {"sum.result-high", 1, {0x40080000}}); /* 1.5 + 1.5 */
}

/* ---- other atomics ---- */

static void comparisons_of_atomics(void **state)
{
    (void)state;
    begin_sum(AMD_GFX11, "buffer_atomic_min_u32", 5, 3);
    EXPECT({"atomic.condition", 1, {1}}, {"atomic.result", 1, {3}}, {"atomic.done", 1, {1}});
    begin_sum(AMD_GFX11, "buffer_atomic_min_u32", 3, 5);
    EXPECT({"atomic.condition", 1, {0}}, {"atomic.result", 1, {3}});
    begin_sum(AMD_GFX11, "buffer_atomic_dec_u32", 0, 5); /* 0 counts down to the operand */
    EXPECT({"atomic.condition", 1, {1}}, {"atomic.result", 1, {5}});
    begin_sum(AMD_GFX11, "buffer_atomic_cmpswap_b32", 7, 9);
    amd_case_vgpr(&bench->tc, AMD_TEST_DATA + 1, 7); /* the compared operand follows the new value */
    EXPECT({"atomic.vgpr", 2, {4, 5}}, {"atomic.compare", 1, {7}}, {"atomic.condition", 1, {1}},
           {"atomic.result", 1, {9}}, {"data.registers", 1, {2}});
    begin_sum(AMD_GFX11, "buffer_atomic_min_f32", 0x40000000, 0xBF800000); /* 2, -1 */
    EXPECT({"float.before", 1, {1}}, {"atomic.condition", 1, {1}}, {"atomic.result", 1, {0xBF800000}});
}

/* ---- the trace ---- */

static void load_at(uint64_t base, uint32_t offset)
{
    struct amd_descriptor d = begin_case(AMD_GFX11);
    d.base = base;
    amd_case_descriptor(&bench->tc, &d);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_b32");
    i.offset = offset;
    amd_case_add(&bench->tc, &i);
}

/* The low digit is the decision, the high one the bytes. A lane out of range shows no address. */
static void the_trace_of_a_load(void **state)
{
    (void)state;
    load_at(0x100, 16);
    EXPECT({"trace.decision", 1, {0x41}}, {"trace.address", 1, {0x110}}, {"trace.high", 1, {0}},
           {"load.dword", 1, {0x45}}, {"vgpr.value", 1, {0x45}}, {"status.buffer-oob", 1, {0}});
    load_at(0x100, 256);
    EXPECT({"trace.decision", 1, {2}}, {"trace.address", 1, {0}}, {"status.buffer-oob", 1, {1}});
    load_at(UINT64_C(0x300000100), 16); /* not in the case's memory */
    EXPECT({"trace.decision", 1, {4}}, {"trace.address", 1, {0x110}}, {"trace.high", 1, {3}});
}

/* A misaligned address of mode DWORD is rounded down. In mode DWORD_STRICT it is a violation. */
static void the_step_of_a_misaligned_address(void **state)
{
    (void)state;
    load_at(0x100, 18);
    amd_support_case(&bench->tc)->alignment = AMD_ALIGN_DWORD;
    EXPECT({"align.step", 1, {2}}, {"trace.dwords", 1, {1}}, {"trace.decision", 1, {0x41}},
           {"trace.address", 1, {0x110}});
    EXPECT_WITH("trace.dwords = 0", {"trace.decision", 0, {0}});
    amd_support_case(&bench->tc)->alignment = AMD_ALIGN_DWORD_STRICT;
    EXPECT({"align.step", 1, {0}}, {"trace.decision", 1, {3}}, {"trace.address", 1, {0x112}});
    EXPECT_WITH("align.step = address % align - value", {"trace.decision", 1, {3}},
                {"trace.address", 1, {0x110}});
}

/* ---- places ---- */

/* Element size 4, INDEX_STRIDE 8, stride 16: index 11 is member 3 of group 1, and offset 6 is byte 2 of the
 * element at 4. Group 1 begins at 1 * 16 * 8, the element at 4 * 8 in it, the member at 3 * 4 in that. */
static void the_terms_of_a_swizzled_place(void **state)
{
    (void)state;
    struct amd_descriptor d = begin_case(AMD_GFX11);
    d.stride = 16;
    d.swizzle_enable = 1;
    d.index_stride = 0;
    d.oob_select = AMD_OOB_NUM_RECORDS_0;
    amd_case_descriptor(&bench->tc, &d);
    amd_case_vgpr(&bench->tc, AMD_TEST_INDEX, 11);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_u8");
    i.idxen = i.offen = 1; /* index in v0, offset in v1 */
    i.vaddr = AMD_TEST_INDEX;
    amd_case_vgpr(&bench->tc, AMD_TEST_OFFSET, 4);
    i.offset = 2;
    amd_case_add(&bench->tc, &i);
    EXPECT({"index.vgpr", 1, {0}}, {"offset.vgpr", 1, {1}}, {"lane.index", 1, {11}}, {"lane.offset", 1, {6}},
           {"stride.bytes", 1, {16}}, {"swizzle.group", 1, {1}}, {"swizzle.member", 1, {3}},
           {"swizzle.element", 1, {4}}, {"swizzle.within", 1, {2}}, {"swizzle.element-bytes", 1, {32}},
           {"swizzle.member-bytes", 1, {12}}, {"rest.low", 1, {46}}, {"product.low", 1, {128}},
           {"place.low", 1, {174}}, {"address.low", 1, {0x100 + 174}}, {"access.dwords", 1, {1}},
           {"access.unit", 1, {1}}, {"resource.sgpr", 1, {8}}, {"operand.source", 1, {0}});
}

/* STRIDE_SCALE 2 counts 8 bytes ("RDNA4" guide, buffer resource). */
static void the_stride_of_gfx12_is_scaled(void **state)
{
    (void)state;
    struct amd_descriptor d = begin_case(AMD_GFX12);
    d.stride = 5;
    d.stride_scale = 2;
    amd_case_descriptor(&bench->tc, &d);
    struct amd_insn i = amd_test_insn(AMD_GFX12, "buffer_load_b128");
    i.soffset = amd_null(AMD_GFX12);
    amd_case_add(&bench->tc, &i);
    EXPECT({"stride.bytes", 1, {40}}, {"access.dwords", 1, {4}}, {"access.unit", 1, {4}},
           {"data.registers", 1, {4}}, {"operand.source", 1, {3}});
}

/* ---- conversions ---- */

static void load_format(enum amd_layout layout, enum amd_number number, uint32_t word)
{
    struct amd_descriptor d = begin_case(AMD_GFX11);
    d.format = (uint32_t)amd_format_code(AMD_GFX11, layout, number);
    amd_case_descriptor(&bench->tc, &d);
    amd_case_memory(&bench->tc, 0x100, word);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_format_x");
    amd_case_add(&bench->tc, &i);
}

static void the_steps_of_loaded_numbers(void **state)
{
    (void)state;
    load_format(AMD_16, AMD_FLOAT, 0x3555); /* 0 01101 0101010101 */
    EXPECT({"narrow.sign", 1, {0}}, {"narrow.exponent", 1, {13}}, {"narrow.mantissa", 1, {0x155}},
           {"narrow.special", 1, {0}}, {"narrow.normal", 1, {1}}, {"narrow.biased", 1, {125}},
           {"narrow.single", 1, {0x3EAAA000}}, {"load.value", 1, {0x3EAAA000}});
    load_format(AMD_16_16, AMD_UINT, 0x00050003);
    EXPECT({"load.field-dword", 1, {0}}, {"load.field-low", 1, {0}}, {"load.value", 1, {3}});
    EXPECT_WITH("load.field-low = 16", {"load.value", 1, {5}});
    EXPECT_WITH("load.field-dword = 1", {"load.value", 1, {0}});
    load_format(AMD_8, AMD_SNORM, 0x81); /* -127 of 127 */
    EXPECT({"norm.bits", 1, {7}}, {"loaded.extended", 1, {0xFFFFFF81}}, {"loaded.magnitude", 1, {127}},
           {"loaded.least", 1, {0}}, {"load.value", 1, {0xBF800000}});
    load_format(AMD_8, AMD_SNORM, 1); /* a rule of the magnitude leaves the sign */
    EXPECT_WITH("loaded.magnitude = 128", {"load.value", 1, {0x3F800000}});
    load_format(AMD_8, AMD_UNORM, 1); /* 1 of 3 */
    EXPECT_WITH("norm.bits = 2", {"load.value", 1, {0x3EAAAAAB}});
    EXPECT_AS("manual,unorm-exactness=reciprocal", "norm.bits = 2", {"load.value", 1, {0x3EAAAAAB}});
    load_format(AMD_16, AMD_FLOAT, 0xC003); /* a normal number: no exponent is made */
    EXPECT({"narrow.normal", 1, {1}}, {"made.exponent", 0, {0}});
    load_format(AMD_16, AMD_FLOAT, 0x8003); /* -3 * 2^-24 = -1.5 * 2^-23, a denormal */
    EXPECT({"narrow.sign", 1, {0x80000000}}, {"narrow.normal", 1, {0}}, {"made.exponent", 1, {0xE9}},
           {"made.rounds-up", 1, {0}}, {"made.mantissa", 1, {0xC00000}}, {"load.value", 1, {0xB4400000}});
    EXPECT_WITH("single.exponent = 0;amd-buffer single.mantissa = 0",
                {"load.value", 1, {0xB4400000}}); /* old names */
    load_format(AMD_8, AMD_SSCALED, 0xFB);        /* -5 = -1.25 * 4 */
    EXPECT({"loaded.magnitude", 1, {5}}, {"made.exponent", 1, {2}}, {"made.mantissa", 1, {0xA00000}});
    EXPECT_WITH("single.exponent = 3", {"load.value", 1, {0xC1200000}});
}

static void store_format(enum amd_layout layout, enum amd_number number, uint32_t single)
{
    struct amd_descriptor d = begin_case(AMD_GFX11);
    d.format = (uint32_t)amd_format_code(AMD_GFX11, layout, number);
    amd_case_descriptor(&bench->tc, &d);
    amd_case_vgpr(&bench->tc, AMD_TEST_DATA, single);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_store_format_x");
    amd_case_add(&bench->tc, &i);
}

static void the_steps_of_stored_numbers(void **state)
{
    (void)state;
    store_format(AMD_8, AMD_SNORM, 0xBF000000); /* -0.5 * 127 = -63.5, to even: -64 */
    EXPECT({"store.register", 1, {0xBF000000}}, {"norm.bits", 1, {7}}, {"stored.magnitude", 1, {64}},
           {"store.field", 1, {0xC0}}, {"store.dword", 1, {0xC0}}, {"store.vgpr", 1, {4}},
           {"converted.nan", 1, {0}}, {"stored.most", 1, {127}}, {"stored.limits", 1, {0}},
           {"converted.exponent", 1, {0x1E8}}, {"converted.mantissa", 1, {0x800000}},
           {"stored.product", 1, {127U << 23}}, {"round.shift", 1, {24}}, {"round.up", 1, {1}},
           {"stored.integer", 1, {64}});
    store_format(AMD_16, AMD_UINT, 5);
    EXPECT({"store.field-dword", 1, {0}}, {"store.field-low", 1, {0}}, {"store.dword", 1, {5}});
    EXPECT_WITH("store.field-low = 4", {"store.dword", 1, {0x50}});
    EXPECT_WITH("store.field-dword = 1", {"store.dword", 1, {0}});
    store_format(AMD_8, AMD_UNORM, 0x40000000); /* 2.0 = 0x800000 * 2^-22 */
    EXPECT({"converted.exponent", 1, {0x1EA}}, {"stored.limits", 1, {1}}, {"round.shift", 0, {0}},
           {"stored.integer", 1, {255}});
    EXPECT_WITH("stored.limits when exponent == 0x1ea = 0", {"round.shift", 1, {22}},
                {"stored.integer", 1, {510}});
    store_format(AMD_8, AMD_UNORM, 0x7F800000); /* infinity has no exponent */
    EXPECT({"converted.exponent", 0, {0}}, {"stored.limits", 0, {0}}, {"stored.integer", 1, {255}});
}

/* 2^-149, the least denormal single. With one digit dropped, 255 becomes 127.5, to even: 128. */
static void the_exponent_of_a_stored_denormal(void **state)
{
    (void)state;
    store_format(AMD_8, AMD_UNORM, 1);
    EXPECT({"converted.exponent", 1, {0x16B}}, {"round.shift", 1, {64}}, {"store.field", 1, {0}});
    EXPECT_WITH("round.shift when exponent == 0x16b = 1", {"store.field", 1, {128}});
}

/* Rules at steps that a lane passes only because of a rule before them. */
static void rules_of_stored_numbers_follow_each_other(void **state)
{
    (void)state;
    store_format(AMD_8, AMD_UNORM, 0xBF000000);
    EXPECT({"stored.zero", 1, {1}}, {"norm.bits", 0, {0}}, {"store.field", 1, {0}});
    EXPECT_WITH("stored.zero = 0;amd-buffer norm.bits = 4", /* 0.5 * 15 = 7.5, to even: 8 */
                {"norm.bits", 1, {8}}, {"stored.most", 1, {15}}, {"store.field", 1, {8}});
    store_format(AMD_8, AMD_SNORM, 0x7FC00000);
    EXPECT({"converted.nan", 1, {1}}, {"norm.bits", 0, {0}}, {"store.field", 1, {0}});
    EXPECT_WITH("converted.nan = 0;amd-buffer norm.bits = 3", {"norm.bits", 1, {7}}, {"store.field", 1, {7}});
    store_format(AMD_8, AMD_UNORM, 0x40000000); /* 0x800000 * 2^-24 * 255 = 127.5, to even: 128 */
    EXPECT_WITH("stored.limits = 0;amd-buffer converted.exponent = 0x1e8", {"round.shift", 1, {24}},
                {"store.field", 1, {128}});
}

/* 1.5 * 2^-16, a denormal half: 0.375 of 2^-14, which is 0x180 of 0x400. */
static void the_steps_of_a_stored_half(void **state)
{
    (void)state;
    store_format(AMD_16, AMD_FLOAT, 0xB7C00000);
    EXPECT({"small.sign", 1, {0x8000}}, {"small.nearest", 1, {1}}, {"small.infinite", 1, {0}},
           {"small.exponent", 1, {0xF0}}, {"small.overflows", 1, {0}}, {"small.denormal", 1, {1}},
           {"small.dropped", 1, {15}}, {"round.digits", 1, {0x180}}, {"small.sum", 0, {0}},
           {"small.limited", 1, {0}}, {"small.result", 1, {0x8180}}, {"store.field", 1, {0x8180}});
    EXPECT_WITH("small.denormal = 0", {"small.sum", 1, {0xFFFFFE00}}); /* (-16 + 14) * 0x400 + 0x600 */
    EXPECT_WITH("round.shift when exponent == 0x1d9 = 64", {"small.result", 1, {0x8000}}); /* -16 - 23 */
    store_format(AMD_16, AMD_FLOAT, 0x47800000);                                           /* 65536, 2^16 */
    EXPECT({"small.overflows", 1, {1}}, {"small.beyond", 1, {0x7C00}}, {"small.sum", 0, {0}});
    EXPECT_WITH("small.beyond = step + exponent", {"small.result", 1, {0x410}}, {"store.field", 1, {0x410}});
}

/* ---- scalar accesses ---- */

static void a_scalar_load(void **state)
{
    (void)state;
    (void)begin_case(AMD_GFX11);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "s_buffer_load_b64");
    i.srsrc = 4; /* s8 / 2 */
    i.vdata = 20;
    i.offset = 4;
    i.soffset = amd_null(AMD_GFX11);
    amd_case_add(&bench->tc, &i);
    EXPECT({"scalar.sbase", 1, {8}}, {"scalar.fault", 1, {0}}, {"scalar.dwords", 1, {2}},
           {"scalar.part", 1, {4}}, {"scalar.register", 1, {0}}, {"scalar.immediate", 1, {4}},
           {"scalar.violates", 1, {0}}, {"scalar.limit", 1, {256}}, {"scalar.offset-high", 1, {0}},
           {"sgpr.value", 4, {0x100, 0, 256, 0x30016FAC}}, {"scalar.decision", 2, {1, 1}},
           {"scalar.sgpr", 2, {20, 21}}, {"scalar.value", 2, {0x42, 0x43}},
           {"scalar.trace-decision", 2, {0x41, 0x41}}, {"scalar.trace-address", 2, {0x104, 0x108}},
           {"scalar.trace-high", 2, {0, 0}}, {"scalar.mem-viol", 2, {0, 0}});
}

/* -8 is a violation ("RDNA3" guide 8.1.2). */
static void a_negative_scalar_offset(void **state)
{
    (void)state;
    (void)begin_case(AMD_GFX11);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "s_buffer_load_b32");
    i.srsrc = 4;
    i.vdata = 20;
    i.offset = 0x1FFFF8;
    i.soffset = amd_null(AMD_GFX11);
    amd_case_add(&bench->tc, &i);
    EXPECT({"scalar.immediate", 1, {0xFFFFFFF8}}, {"scalar.violates", 1, {1}}, {"scalar.decision", 1, {3}},
           {"scalar.trace-decision", 1, {3}}, {"scalar.mem-viol", 1, {1}});
}

/* s_buffer_load_b32 of gfx1100: word 0 is 0xF4000000 | OP 8 << 18 | SDATA << 6 | SBASE, word 1 has OFFSET
 * and, from bit 25 on, SOFFSET. The SGPR held 7 before. */
static void the_steps_of_a_decoding(void **state)
{
    (void)state;
    (void)begin_case(AMD_GFX11);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "s_buffer_load_b32");
    i.srsrc = 4;
    i.vdata = 20;
    i.offset = 8;
    i.soffset = amd_null(AMD_GFX11);
    amd_case_add(&bench->tc, &i);
    amd_case_sgpr(&bench->tc, 20, 7);
    EXPECT({"run.instruction", 1, {0}}, {"insn.srsrc", 1, {4}}, {"insn.vdata", 1, {20}},
           {"sgpr.exec", 4, {0, 0, 0, 0}}, {"scalar.checked", 1, {8}}, {"scalar.checked-high", 1, {0}},
           {"scalar.step", 1, {8}}, {"scalar.step-high", 1, {0}}, {"sgpr.written", 1, {0x43}});
    EXPECT_WITH("field.word when bit == 6 = 1", {"insn.vdata", 1, {0}}); /* bits 44:38 */
    EXPECT_WITH("field.word when bit == 32 = 0", {"insn.offset", 1, {0x0504 & 0x1FFFFF}});
    EXPECT_WITH("field.low when bit == 6 = 4", {"insn.vdata", 1, {20 << 2}});
    EXPECT_WITH("field.width when bit == 6 = 4", {"insn.vdata", 1, {4}});
    EXPECT_WITH("field.bits when bit == 6 = word << low & mask", {"insn.vdata", 1, {0}});
    EXPECT_WITH("field.joined when bit == 6 = 21", {"scalar.sgpr", 1, {21}});
    amd_support_case(&bench->tc)->exec[1] = 5;
    EXPECT_WITH("sgpr.exec = 1", {"sgpr.value", 4, {5, 5, 5, 5}}); /* only register 126 gets the lower half */
    i.vdata = 21;
    i.soffset = 20;
    amd_case_add(&bench->tc, &i);
    EXPECT({"run.instruction", 2, {0, 1}}, {"operand.soffset", 1, {0x43}});
    EXPECT_WITH("sgpr.written = old", {"operand.soffset", 1, {7}});
    EXPECT_WITH("run.instruction = 0", {"scalar.sgpr", 2, {20, 20}}, {"operand.soffset", 0, {0}});
}

/* A wave of 32 lanes has no upper half of EXEC. */
static void the_size_of_the_wave(void **state)
{
    (void)state;
    load_at(0x100, 16);
    EXPECT({"wave.size", 1, {0}}, {"exec.low", 1, {1}}, {"exec.high", 1, {0}});
    amd_support_case(&bench->tc)->wave_size = AMD_WAVE32;
    EXPECT({"wave.size", 1, {1}}, {"exec.low", 1, {1}}, {"exec.high", 0, {0}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sum_is_rounded_down, begin, finish),
        cmocka_unit_test_setup_teardown(a_difference_is_normalized, begin, finish),
        cmocka_unit_test_setup_teardown(sums_of_special_operands, begin, finish),
        cmocka_unit_test_setup_teardown(a_sum_of_halves_has_two_sums, begin, finish),
        cmocka_unit_test_setup_teardown(a_sum_of_doubles_has_upper_halves, begin, finish),
        cmocka_unit_test_setup_teardown(comparisons_of_atomics, begin, finish),
        cmocka_unit_test_setup_teardown(the_trace_of_a_load, begin, finish),
        cmocka_unit_test_setup_teardown(the_step_of_a_misaligned_address, begin, finish),
        cmocka_unit_test_setup_teardown(the_terms_of_a_swizzled_place, begin, finish),
        cmocka_unit_test_setup_teardown(the_stride_of_gfx12_is_scaled, begin, finish),
        cmocka_unit_test_setup_teardown(the_steps_of_loaded_numbers, begin, finish),
        cmocka_unit_test_setup_teardown(the_steps_of_stored_numbers, begin, finish),
        cmocka_unit_test_setup_teardown(the_exponent_of_a_stored_denormal, begin, finish),
        cmocka_unit_test_setup_teardown(rules_of_stored_numbers_follow_each_other, begin, finish),
        cmocka_unit_test_setup_teardown(the_steps_of_a_stored_half, begin, finish),
        cmocka_unit_test_setup_teardown(a_scalar_load, begin, finish),
        cmocka_unit_test_setup_teardown(a_negative_scalar_offset, begin, finish),
        cmocka_unit_test_setup_teardown(the_steps_of_a_decoding, begin, finish),
        cmocka_unit_test_setup_teardown(the_size_of_the_wave, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
