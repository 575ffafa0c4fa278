/* SPDX-License-Identifier: MIT */
/* Programs for an AMD GPU. Their words are those that LLVM assembles from the listing in this file. Each
 * launch refreshes its slot correctly. The PM4 packets have the documented words. */
#include "harness/amdgpu/amdgpu_pm4.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "model/core/units.h"
#include "tests/harness/support_amdgpu.h"
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_llvm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct test_case tc;
static struct outcome *initial;

/* ---- programs ---- */

struct listing {
    struct text t;
    enum amd_generation g;
    const char *load, *store;
    unsigned lanes, offset; /* `offset`: the value in s2 */
};

static void row(struct listing *l, const char *op, unsigned vgpr, unsigned at)
{
    unsigned high = at & ~4095U;
    if (high && high != l->offset)
        text_add(&l->t, "s_mov_b32 s2, 0x%x\n", l->offset = high);
    text_add(&l->t, "%s v%u, v32, s[4:7], %s offen offset:%u\n", op, vgpr, high ? "s2" : "0", at & 4095);
}

static void wait(struct listing *l)
{
    bool separate_store_counter = l->g == AMD_GFX10 || l->g == AMD_GFX11;
    text_add(&l->t, "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n%s",
             separate_store_counter ? "s_waitcnt_vscnt null, 0\n" : "");
}

static void lds(struct listing *l, bool in)
{
    unsigned bytes = 4 * l->lanes, count = 2048 / bytes, at = 256 * (in ? 35 : 36);
    text_add(&l->t, "s_mov_b32 m0, -1\n");
    for (unsigned i = 0; in && i < count; i++)
        row(l, l->load, i, at + i * bytes);
    wait(l);
    text_add(&l->t, "s_nop 7\n");
    for (unsigned i = 0; i < count; i++)
        if (in)
            text_add(&l->t, "ds_write_b32 v32, v%u offset:%u\n", i, i * bytes);
        else
            text_add(&l->t, "ds_read_b32 v%u, v32 offset:%u\n", i, i * bytes);
    wait(l);
    for (unsigned i = 0; !in && i < count; i++)
        row(l, l->store, i, at + i * bytes);
    wait(l);
}

/* Adds the instructions that the wrapper's comments say it puts before a case. */
static void expect_begin(struct listing *l, bool has_lds)
{
    /* The last word of a raw V# in AMD's drivers (reference values of Mesa's and LLVM's builders). */
    static const uint32_t word_3[AMD_BOARD_GENERATIONS] = {
        [AMD_GFX11] = 0x30016FAC, [AMD_GFX10] = 0x31016FAC, [AMD_GFX9] = 0x00027FAC, [AMD_GFX8] = 0x00027FAC};
    bool old = l->g == AMD_GFX8 || l->g == AMD_GFX9;
    text_add(&l->t,
             "s_mov_b64 s[4:5], s[0:1]\ns_mov_b32 s6, 0x4000\ns_mov_b32 s7, 0x%x\nv_lshlrev_b32 v32, 2, v0\n",
             word_3[l->g]);
    row(l, l->load, 33, 0);
    if (has_lds)
        lds(l, true);
    for (unsigned i = 0; i < 32; i++)
        row(l, l->load, i, 256 * (3 + i));
    wait(l);
    text_add(&l->t, "s_mov_b64 vcc, s[0:1]\n");
    for (unsigned i = 0; i < 96; i += 16)
        text_add(&l->t, "s_load_dwordx16 s[%u:%u], vcc, 0x%x\n", i, i + 15, 256 + 4 * i);
    text_add(&l->t, "s_load_dwordx4 s[96:99], vcc, 0x280\n");
    text_add(&l->t, old ? "s_load_dwordx2 s[100:101], vcc, 0x290\n"
                        : "s_load_dwordx4 s[100:103], vcc, 0x290\ns_load_dwordx2 s[104:105], vcc, 0x2a0\n");
    wait(l);
    text_add(&l->t,
             "s_getreg_b32 vcc_lo, hwreg(HW_REG_TRAPSTS)\nv_writelane_b32 v37, vcc_lo, 14\n"
             "v_readlane_b32 vcc_lo, v33, 2\ns_nop 7\ns_mov_b32 m0, vcc_lo\n"
             "v_readlane_b32 vcc_lo, v33, 0\nv_readlane_b32 vcc_hi, v33, 1\ns_nop 7\ns_mov_b64 exec, vcc\n"
             "v_readlane_b32 vcc_lo, v33, 3\nv_readlane_b32 vcc_hi, v33, 4\ns_cmp_lg_u32 s0, s0\ns_nop 7\n");
}

static void expect_end(struct listing *l, bool has_lds)
{
    text_add(&l->t, "s_mov_b64 exec, -1\ns_nop 7\n");
    for (unsigned i = 0; i < (l->g == AMD_GFX8 || l->g == AMD_GFX9 ? 102 : 106); i++)
        text_add(&l->t, "v_writelane_b32 v%u, s%u, %u\n", 34 + i / 32, i, i % 32);
    text_add(&l->t, "v_writelane_b32 v37, vcc_lo, 10\nv_writelane_b32 v37, vcc_hi, 11\ns_mov_b32 s0, "
                    "m0\nv_writelane_b32 v37, s0, 13\n"
                    "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)\nv_writelane_b32 v37, s0, 12\n"
                    "v_readlane_b32 s4, v33, 8\nv_readlane_b32 s5, v33, 9\nv_readlane_b32 s6, v33, "
                    "10\nv_readlane_b32 s7, v33, 11\ns_nop 7\n");
    l->offset = 0;
    for (unsigned i = 0; i < 32; i++)
        row(l, l->store, i, 256 * i);
    for (unsigned i = 0; i < 4; i++)
        row(l, l->store, 34 + i, 256 * (32 + i));
    wait(l);
    if (has_lds)
        lds(l, false);
    text_add(&l->t, "v_readlane_b32 s0, v33, 5\nv_mov_b32 v34, s0\n");
    row(l, l->store, 34, 256 * 44);
    wait(l);
    text_add(&l->t, "s_endpgm\n");
}

static uint8_t arena[4][AMDGPU_BLOCK_BYTES] __attribute__((aligned(256))),
    other_code[AMDGPU_BLOCK_BYTES] __attribute__((aligned(256)));

/* Returns a slot with unknown content, except for `kept`. */
static struct amdgpu_slot some_slot(struct amdgpu_kept *kept)
{
    return (struct amdgpu_slot){.code = {arena[0], 0x100000},
                                .in = {arena[1], 0x110000},
                                .out = {arena[2], 0x120000},
                                .window = {arena[3], 0x130000},
                                .kept = kept};
}

static void check_program(enum amd_generation g, const char *cpu, unsigned lanes, bool has_lds)
{
    static uint32_t expected[AMDGPU_PROGRAM_WORDS];
    struct listing l = {.g = g,
                        .load = g == AMD_GFX11 ? "buffer_load_b32" : "buffer_load_dword",
                        .store = g == AMD_GFX11 ? "buffer_store_b32" : "buffer_store_dword",
                        .lanes = lanes};
    const char *body = !has_lds         ? "buffer_load_format_x v7, off, s[8:11], 0"
                       : g == AMD_GFX11 ? "buffer_load_lds_b32 off, s[8:11], 0"
                                        : "buffer_load_dword off, s[8:11], 0 lds";
    struct error e = {0};
    uint64_t word;
    size_t count;
    amd_case_begin(&tc, g);
    struct amd_case *c = amd_support_case(&tc);
    c->wave_size = lanes == 32 ? AMD_WAVE32 : AMD_WAVE64;
    if (!amd_parse(g, body, strlen(body), &word, &e))
        fail_msg("%s: %s", body, e.text);
    c->insn[0][0] = (uint32_t)word;
    c->insn[0][1] = (uint32_t)(word >> 32);
    c->insn_count = 1;
    expect_begin(&l, has_lds);
    text_add(&l.t, "%s\n", body);
    wait(&l);
    expect_end(&l, has_lds);
    if (!llvm_program(cpu,
                      lanes == 32 ? "-mattr=+wavefrontsize32,-wavefrontsize64"
                                  : "-mattr=-wavefrontsize32,+wavefrontsize64",
                      text_chars(&l.t), expected, AMDGPU_PROGRAM_WORDS, &count))
        fail_msg("LLVM refuses the listing for %s", cpu);
    static struct amdgpu_frames frames;
    struct amdgpu_program program;
    struct outcome *o = outcome_new(tc.unit);
    struct amdgpu_kept kept = {0};
    struct amdgpu_slot slot = some_slot(&kept);
    amdgpu_frames_make(g, &frames);
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, o);
    amdgpu_wrapper_build(&frames, &tc, &clean, 1, &slot, &program);
    assert_true(count > 200 && 4 * count <= 4 * AMDGPU_PROGRAM_WORDS);
    for (size_t n = 0; n < count; n++) {
        uint32_t is;
        memcpy(&is, slot.code.at + 4 * n, sizeof is);
        if (is != expected[n])
            fail_msg("%s, %u lanes%s: word %zu of the program is %08x, LLVM's is %08x", cpu, lanes,
                     has_lds ? ", LDS" : "", n, is, expected[n]);
    }
    outcome_free(o);
    text_free(&l.t);
}

static void programs_match_llvm(void **state)
{
    (void)state;
    if (!llvm_mc()) {
        print_message("no llvm-mc-19: skipped\n");
        skip();
    }
    for (unsigned g = 0; g < AMD_BOARD_GENERATIONS; g++)
        for (unsigned n = 0; n < 4; n++)
            if (n < 2 || g == AMD_GFX10 || g == AMD_GFX11)
                check_program((enum amd_generation)g, amd_generation_names[g], n < 2 ? 64 : 32, n & 1);
}

/* ---- slots from launch to launch ---- */

enum {
    MEMORY_ROW = 256,
    LOADED_VGPRS = 3 * 256,  /* offset in the input, after one row of state and two rows of SGPRs */
    OUTPUT_LDS = 36 * 256,   /* offset in the output, as in expect_end */
    SCALAR_STAMP = 44 * 256, /* offset in the output, too */
    VGPRS = 32,
};

/* Fails unless row `own` holds the case's byte `given`, and all other rows the bytes of fill rule `index`
 * (case.h). */
static void check_image(const uint8_t *at, uint32_t bytes, uint32_t own, uint8_t given)
{
    for (uint32_t n = 0; n < bytes; n++)
        assert_int_equal(at[n], n / MEMORY_ROW == own ? given : (n * 37 + n / 251 + 17) % 256);
}

/* Fails unless the slot holds the case's memory and vector registers, and a poisoned output. */
static void check_slot(uint32_t own)
{
    check_image(arena[3], sizeof arena[3], own, 0xAB);
    check_image(arena[1] + LOADED_VGPRS, VGPRS * MEMORY_ROW, own + 1, 0xCD);
    for (uint32_t n = 0; n < SCALAR_STAMP + MEMORY_ROW; n++)
        if (n < OUTPUT_LDS || n >= SCALAR_STAMP)
            assert_int_equal(arena[2][n], 0x7B);
}

static void build_with(const struct amdgpu_frames *f, const struct amdgpu_slot *slot, struct outcome *o,
                       uint32_t own, struct amdgpu_program *p)
{
    struct amd_case *c = amd_support_case(&tc);
    amd_case_begin(&tc, AMD_GFX11);
    c->memory.fill = c->vgpr.fill = FILL_INDEX;
    c->memory.count = c->vgpr.count = 1;
    c->memory_row[0].index = own;
    c->vgpr_row[0].index = own + 1;
    for (unsigned i = 0; i < 64; i++) {
        c->memory_row[0].word[i] = 0xABABABAB;
        c->vgpr_row[0].word[i] = 0xCDCDCDCD;
    }
    outcome_reset(o, &tc);
    c->insn_count = own % 3;
    for (unsigned n = 0; n < c->insn_count; n++)
        c->insn[n][0] = c->insn[n][1] = own;
    c->wave_size = own % 2;
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    amdgpu_wrapper_build(f, &tc, &clean, 1, slot, p);
}

/* Fails unless the slot's program equals the program that a slot with unknown content gets. */
static void check_code(const struct amdgpu_frames *f)
{
    struct amdgpu_program program;
    struct amdgpu_kept kept = {0};
    struct amdgpu_slot slot = some_slot(&kept);
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    uint8_t *const aside[] = {arena[1], arena[2], arena[3]};
    static uint8_t saved[3][AMDGPU_BLOCK_BYTES];
    for (unsigned i = 0; i < 3; i++)
        memcpy(saved[i], aside[i], sizeof saved[i]);
    memset(other_code, 0, sizeof other_code);
    slot.code.at = other_code;
    amdgpu_wrapper_build(f, &tc, &clean, 1, &slot, &program);
    unsigned bytes = sizeof other_code;
    while (!other_code[bytes - 1])
        bytes--;
    assert_true(bytes > 800);
    assert_memory_equal(arena[0], other_code, bytes);
    for (unsigned i = 0; i < 3; i++)
        memcpy(aside[i], saved[i], sizeof saved[i]);
}

/* Writes the output of a program that ends: unchanged vector registers, scalars 0, and the stamp. */
static void write_output(void)
{
    memcpy(arena[2], arena[1] + LOADED_VGPRS, VGPRS * MEMORY_ROW);
    memset(arena[2] + VGPRS * MEMORY_ROW, 0, OUTPUT_LDS - VGPRS * MEMORY_ROW);
    for (unsigned i = 0; i < 64; i++)
        memcpy(arena[2] + SCALAR_STAMP + 4 * i, &(uint32_t){1}, 4);
}

static bool read_output(const struct amdgpu_program *p, struct outcome *o)
{
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    return amdgpu_wrapper_collect(p, &clean, o);
}

/* Each case finds its own memory and registers, and a poisoned output. It does not matter what the previous
 * case left, nor whether anyone read its output. */
static void slots_are_refreshed_for_each_case(void **state)
{
    static struct amdgpu_frames frames;
    struct amdgpu_program program;
    struct amdgpu_kept kept = {0};
    struct amdgpu_slot slot = some_slot(&kept);
    struct outcome *o = outcome_new(unit_named("amd-buffer"));
    (void)state;
    amdgpu_frames_make(AMD_GFX11, &frames);
    memset(arena[2], 0x22, sizeof arena[2]);
    build_with(&frames, &slot, o, 3, &program);
    check_slot(3);
    memset(arena[3] + 5 * MEMORY_ROW + 8, 0xEE, 40); /* the program stores to memory, and ends */
    write_output();
    memset(arena[2] + 6 * MEMORY_ROW + 4, 0xDD, 4);
    assert_true(read_output(&program, o));
    const struct region *memory = layout_region_named(&o->unit->layout, "memory"),
                        *vgpr = layout_region_named(&o->unit->layout, "vgpr");
    assert_int_equal(outcome_row(o, memory->first_row + 5U, 64)[2], 0xEEEEEEEE);
    assert_int_equal(outcome_row(o, vgpr->first_row + 6U, 64)[1], 0xDDDDDDDD);
    assert_int_equal(outcome_row(o, vgpr->first_row + 4U, 64)[1], 0xCDCDCDCD);
    for (uint32_t own = 6; own < 20; own++) { /* both cases with equal and with other code */
        build_with(&frames, &slot, o, own * own % 23, &program);
        check_slot(own * own % 23);
        check_code(&frames);
        write_output();
        assert_true(read_output(&program, o));
    }
    build_with(&frames, &slot, o, 7, &program);
    check_slot(7);
    memset(arena[0], 0x11, sizeof arena[0]); /* the program stores everywhere, and writes no stamp */
    memset(arena[3], 0x11, sizeof arena[3]);
    memset(arena[2], 0x11, OUTPUT_LDS);
    assert_false(read_output(&program, o));
    build_with(&frames, &slot, o, 7, &program);
    check_slot(7);
    check_code(&frames);
    outcome_free(o);
}

/* Of a wave32's vector registers the outcome records 32 lanes, whether they changed or not. It ignores the
 * rest of each row. */
static void wave32_records_lower_half_of_rows(void **state)
{
    static struct amdgpu_frames frames;
    struct amdgpu_program program;
    struct amdgpu_kept kept = {0};
    struct amdgpu_slot slot = some_slot(&kept);
    struct outcome *o = outcome_new(unit_named("amd-buffer"));
    unsigned first = layout_region_named(&o->unit->layout, "vgpr")->first_row;
    (void)state;
    amdgpu_frames_make(AMD_GFX11, &frames);
    amd_case_begin(&tc, AMD_GFX11);
    amd_support_case(&tc)->wave_size = AMD_WAVE32;
    amd_support_case(&tc)->vgpr.fill = FILL_INDEX;
    outcome_reset(o, &tc);
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    amdgpu_wrapper_build(&frames, &tc, &clean, 1, &slot, &program);
    write_output();
    for (unsigned r = 0; r < VGPRS; r++)
        memset(arena[2] + r * MEMORY_ROW + 128, 0x7B, 128);
    memset(arena[2] + 5 * MEMORY_ROW + 64, 0xEE, 4);
    assert_true(read_output(&program, o));
    for (unsigned r = 0; r < VGPRS; r++) {
        uint32_t room[ROW_WORDS_MAX];
        const uint32_t *value = outcome_row(o, first + r, 64), *defined = outcome_masks(o, first + r, room);
        assert_true(outcome_touched(o, first + r));
        assert_int_equal(o->unchanged[(first + r) / 64] >> (first + r) % 64 & 1, r != 5);
        for (unsigned n = 0; n < 64; n++)
            assert_int_equal(defined[n], n < 32 ? UINT32_MAX : 0);
        assert_int_equal(value[16], r == 5 ? 0xEEEEEEEE : clean.vgprs[r * 64 + 16]);
        assert_int_equal(value[40], clean.vgprs[r * 64 + 40]);
    }
    outcome_reset(o, &tc); /* restores the masks for the next case */
    for (unsigned n = 0; n < VGPRS * 64; n++)
        assert_int_equal(o->defined[(size_t)first * 64 + n], UINT32_MAX);
    outcome_free(o);
}

/* ---- packets ---- */

/* Do the words enable all compute units of two shader engines, in the registers from `reg` on? */
static bool has_units(const uint32_t *words, unsigned count, uint32_t packet, uint32_t reg)
{
    for (unsigned n = 0; n + 4 <= count; n++)
        if (words[n] == packet && words[n + 1] == reg && words[n + 2] == UINT32_MAX &&
            words[n + 3] == UINT32_MAX)
            return true;
    return false;
}

/* The expected words are those of libdrm's compute test for Vega (tests/amdgpu, shader_test_util.c), as far
 * as it sends the same packets. */
static void packets_match_documents(void **state)
{
    (void)state;
    uint32_t words[PM4_BEGIN_WORDS + 2 * PM4_LAUNCH_WORDS + PM4_END_WORDS];
    struct pm4 p = {.generation = AMD_GFX9, .word = words};
    struct pm4_launch l = {
        .code = 0x1234567800, .user_data = 0x7F0012345000, .lanes = 64, .vgprs = 40, .lds_bytes = 2048};
    pm4_begin(&p);
    assert_int_equal(words[0], 0xC0055802); /* ACQUIRE_MEM, 6 words */
    assert_int_equal(words[1] & ~0x00040000U,
                     0x28C00000); /* the same caches, except for the write-back of L2 */
    assert_true(p.count <= PM4_BEGIN_WORDS);
    unsigned at = p.count;
    pm4_launch(&p, &l);
    assert_true(p.count - at <= PM4_LAUNCH_WORDS);
    const uint32_t start[] = {0xC0067602, 0x204, 0, 0, 0, 64, 1, 1},
                   program[] = {0xC0027602, 0x20C, 0x12345678, 0};
    const uint32_t data[] = {0xC0027602, 0x240, 0x12345000, 0x7F00}, go[] = {0xC0031502, 1, 1, 1, 5};
    assert_memory_equal(words + at, start, sizeof start);
    assert_memory_equal(words + at + 8, program, sizeof program);
    assert_int_equal(words[at + 12], 0xC0027602);
    assert_int_equal(words[at + 13], 0x212);
    assert_int_equal(words[at + 14], 9 | 12 << 6 | 0xF0 << 12 | 1 << 21); /* for 40 VGPRs, 112 SGPRs */
    assert_int_equal(words[at + 15], 2 << 1 | 4 << 15);
    assert_memory_equal(words + at + 16, data, sizeof data);
    assert_memory_equal(words + at + 20, go, sizeof go);
    at = p.count;
    pm4_end(&p);
    assert_true(p.count - at <= PM4_END_WORDS && p.count % 8 == 0);
    p = (struct pm4){.generation = AMD_GFX11, .word = words};
    l.lanes = 32;
    pm4_begin(&p);
    assert_int_equal(words[0], 0xC0065802); /* ACQUIRE_MEM has GCR_CNTL in its seventh word */
    assert_int_equal(words[7], 0xC3B1);     /* the word with which Mesa flushes all caches: GLI_INV,
                                             * GLM_WB, GLM_INV, GLK_INV, GLV_INV, GL1_INV, GL2_INV, GL2_WB */
    const uint32_t indexed = 0xC0029B02, plain = 0xC0027602, index = 3U << 28;
    assert_true(has_units(words, p.count, indexed, 0x216 | index) &&
                has_units(words, p.count, indexed, 0x219 | index)); /* SE0 to SE3 */
    assert_true(has_units(words, p.count, plain, 0x22B) &&
                has_units(words, p.count, plain, 0x22D)); /* SE4 to SE7 (0xB8AC on) */
    assert_true(p.count <= PM4_BEGIN_WORDS);
    at = p.count;
    pm4_launch(&p, &l);
    assert_true(p.count - at <= PM4_LAUNCH_WORDS);
    assert_int_equal(words[at + 14] & 63, 4); /* 40 / 8 - 1 for VGPRs */
    /* LLVM's user-sgpr-init16-bug: at least 16 user SGPRs */
    const uint32_t sixteen[] = {0xC0107602, 0x240, 0x12345000, 0x7F00, 0, 0, 0, 0, 0,
                                0,          0,     0,          0,      0, 0, 0, 0, 0};
    assert_int_equal(words[at + 15], 16 << 1 | 4 << 15);
    assert_memory_equal(words + at + 16, sixteen, sizeof sixteen);
    assert_int_equal(words[at + 38], 0x8005); /* a wave of 32 lanes */
    at = p.count;
    l.lanes = 64;
    pm4_launch(&p, &l);
    assert_int_equal(words[at + 15], 2 << 1 | 4 << 15);
    assert_memory_equal(words + at + 16, data, sizeof data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_match_llvm),
        cmocka_unit_test(slots_are_refreshed_for_each_case),
        cmocka_unit_test(wave32_records_lower_half_of_rows),
        cmocka_unit_test(packets_match_documents),
    };
    initial = outcome_new(unit_named("amd-buffer"));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    outcome_free(initial);
    return failed;
}
