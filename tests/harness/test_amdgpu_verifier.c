/* SPDX-License-Identifier: MIT */
/* The verifier of amd-buffer: which cases it refuses, and why. It promises that no accepted case leaves its
 * memory and guard in the model, under any reading of any clause. */
#include "harness/amdgpu/amdgpu_verifier.h"
#include "oracle/compare/executor.h"
#include "tests/harness/support_amdgpu.h"
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct test_case tc;
static struct outcome *initial;

/* ---- refusals ---- */

static struct amdgpu_verifier *verifier;

static bool prove(const char *generation, const char *fields, const char *code, struct error *e)
{
    char text[2048];
    struct error parse = {0};
    int g = 0;
    while (strcmp(amd_generation_names[g], generation) != 0)
        g++;
    struct amdgpu_limits limits = {.generation = (enum amd_generation)g, .alignment = AMD_ALIGN_UNALIGNED};
    snprintf(text, sizeof text, "misprint-case 1 amd-buffer\ngeneration = %s\n%scode {\n%s}\n", generation,
             fields, code);
    if (!case_parse(&tc, text, strlen(text), &parse))
        fail_msg("%s in\n%s", parse.text, text);
    memset(e, 0, sizeof *e);
    amdgpu_verifier_free(verifier);
    verifier = amdgpu_verifier_new(&limits);
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    return amdgpu_verifier_prove(verifier, &tc, &clean, e);
}

#define RAW        "descriptor = raw num_records=16384\n"
#define EVERYWHERE "descriptor = raw num_records=0xffffffff\n"

static const struct {
    const char *generation, *fields, *code, *why; /* `why` is NULL for accepted cases */
} judged[] = {
    {"gfx1100", RAW, "  buffer_load_b32 v4, v1, s[8:11], 0 offen\n", NULL},
    {"gfx900", RAW,
     "  buffer_load_dword v4, v1, s[8:11], 0 offen\n  buffer_store_dword v4, off, s[8:11], s3\n", NULL},
    {"gfx1100", RAW "alignment = strict\n", "  buffer_load_b32 v4, off, s[8:11], 0\n",
     "alignment mode strict"},
    {"gfx900", RAW "wave-size = wave32\n", "  buffer_load_dword v4, off, s[8:11], 0\n", "32 lanes"},
    {"gfx1100", RAW, "  buffer_load_b32 v32, off, s[8:11], 0\n", "vector registers"},
    {"gfx1100", RAW, "  buffer_load_b128 v[29:32], off, s[8:11], 0\n", "vector registers"},
    {"gfx1100", RAW "vgprs = 8\n", "  buffer_load_b32 v8, off, s[8:11], 0\n", "vector registers"},
    {"gfx803", RAW, "  buffer_load_format_d16_xyzw v[30:33], off, s[8:11], 0\n", "vector registers"},
    {"gfx1100", RAW, "  buffer_load_b32 v1, off, s[8:11], 0\n  buffer_load_b32 v4, v1, s[8:11], 0 offen\n",
     "an earlier one loads"},
    {"gfx1100", RAW, "  s_buffer_load_b32 s3, s[8:11], 0x0\n  buffer_load_b32 v4, off, s[8:11], s3\n",
     "an earlier one loads"},
    {"gfx1100", RAW, "  s_buffer_load_b128 s[8:11], s[8:11], 0x0\n  buffer_load_b32 v4, off, s[8:11], 0\n",
     "an earlier one loads"},
    {"gfx1100", RAW, "  buffer_load_b32 v4, off, s[8:11], s8\n", "the V#'s base"},
    {"gfx1100", RAW, "  buffer_load_b32 v4, off, s[8:11], ttmp3\n", "reserved in some document"},
    {"gfx1100", RAW, "  buffer_load_b32 v4, off, s[8:11], src_vccz\n", "reserved in some document"},
    {"gfx803", RAW, "  buffer_load_dword v4, off, s[8:11], m0\n", NULL},
    {"gfx1100",
     "sgpr row 0 = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ffff 30016fac" /* s12 to s15: a raw view of address 0 */
     " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
     "0\n" RAW,
     "  buffer_load_b32 v4, off, s[12:15], 0\n", "other than s[8:11]"},
    {"gfx1100", "descriptor = base=0xffff00000000 num_records=16384 format=32_float\n",
     "  buffer_load_b32 v4, off, s[8:11], 0\n", "too near the end"},
    /* OOB_SELECT num_records_0 checks only that NUM_RECORDS is not 0. */
    {"gfx1100",
     "descriptor = num_records=1 format=32_float oob_select=num_records_0\nsgpr row 0 = 80000000" /* s0 */
     " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
     "0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
     "  buffer_load_b32 v4, off, s[8:11], s0\n", "beyond the guard"},
    {"gfx1100", RAW, "  buffer_atomic_add_u32 v4, off, s[8:11], 0 offset:2\n", "misaligned"},
    {"gfx1100", RAW, "  buffer_load_format_xyzw v[4:7], off, s[8:11], 0 offset:2\n",
     "misaligned, which can halt a wave forever, by a reading other than the manual's"},
    {"gfx1100", RAW, "  s_buffer_load_b32 s104, s[8:11], 0x4\n", NULL},
    {"gfx1100", RAW, "  s_buffer_load_b32 ttmp0, s[8:11], 0x4\n", "does not load into SGPRs of a program"},
    {"gfx1100", RAW, "  .quad 0x80020400e3200000\n", "is reserved and could halt"},
    /* Scalar loads from partially resident pages fault on some GPUs (Mesa, ac_gpu_info.c). */
    {"gfx1100", EVERYWHERE, "  s_buffer_load_b32 s3, s[8:11], 0x8000\n", "where this GPU faults"},
    {"gfx1030", EVERYWHERE, "  s_buffer_load_dword s3, s[8:11], 0x8000\n", "where this GPU faults"},
    {"gfx900", EVERYWHERE, "  s_buffer_load_dword s3, s[8:11], 0x8000\n", NULL},
    {"gfx803", EVERYWHERE, "  s_buffer_load_dword s3, s[8:11], 0x8000\n", NULL},
    {"gfx1100", EVERYWHERE, "  s_buffer_load_b512 s[16:31], s[8:11], 0x3fc0\n", NULL}, /* the last 64 bytes */
    {"gfx1100", EVERYWHERE, "  s_buffer_load_b512 s[16:31], s[8:11], 0x3fc4\n", "where this GPU faults"},
    {"gfx1100", EVERYWHERE "wave-size = wave32\nexec-high = 0x7ffffff0\n",
     "  buffer_store_b32 v4, off, s[8:11], exec_hi\n", "ignore it"},
    {"gfx1100", RAW "exec-high = 0x40\n", "  buffer_store_b32 v4, off, s[8:11], exec_hi\n", NULL},
    /* With USER_VM_MODE, unmapped pages are an error ("CDNA3" guide). ATC chooses another address translation
     * (CLRX). RESERVED must be zero ("RDNA3" guide). */
    {"gfx900", "descriptor = raw num_records=16384 user_vm_mode=1\n",
     "  buffer_load_dword v4, off, s[8:11], 0\n", "USER_VM_MODE set"},
    {"gfx803", "descriptor = raw num_records=16384 atc=1\n", "  buffer_load_dword v4, off, s[8:11], 0\n",
     "ATC set"},
    {"gfx803", "descriptor = raw num_records=16384 mtype=7\n", "  s_buffer_load_dword s3, s[8:11], 0x0\n",
     "MTYPE set"},
    {"gfx1100", "descriptor = raw num_records=16384 reserved=1\n", "  buffer_load_b32 v4, off, s[8:11], 0\n",
     "RESERVED set"},
    /* A V# with another TYPE, or with format 0, can still let an instruction access memory. */
    {"gfx1100",
     "sgpr row 0 = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ffff 70016fac"
     " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
     "0\n" RAW,
     "  buffer_load_b32 v4, off, s[12:15], 0\n", "other than s[8:11]"},
    {"gfx1100",
     "sgpr row 0 = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ffff 30000fac"
     " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
     "0\n" RAW,
     "  buffer_load_b32 v4, off, s[12:15], 0\n", "other than s[8:11]"},
    {"gfx1100", RAW,
     "  buffer_store_b32 v[4:5], off, s[8:11], 0 tfe\n  buffer_load_b32 v6, v5, s[8:11], 0 offen\n",
     "an earlier one loads"},
    {"gfx1100", RAW,
     "  s_buffer_load_b32 s3, s[8:11], 0x0\n  buffer_store_b32 v4, off, s[8:11], 0\n  s_buffer_load_b32 "
     "s4, s[8:11], 0x0\n",
     "the scalar cache"},
    {"gfx1100", RAW, "  buffer_store_b32 v4, off, s[8:11], 0\n  s_buffer_load_b32 s4, s[8:11], 0x0\n", NULL},
    {"gfx900", RAW, "  buffer_store_lds_dword s[8:11], 0 lds\n", NULL},
    {"gfx900", RAW, "  .quad 0x8002c800e0510000\n",
     "sets vector operands that it does not have"}, /* a load to LDS, with VDATA 200 */
    {"gfx900", RAW, "  .quad 0x80020001e0f51000\n",
     "sets vector operands that it does not have"}, /* a store from LDS, with OFFEN and v1 */
    /* tests/harness/attack/amd/attack_amd.c found these: fields that have no meaning in the instruction, and
     * formats that are an error under rocjitsu's reading. */
    {"gfx900", RAW, "  s_buffer_load_dword s3, s[8:11], 0x10 {SOFFSET=5}\n",
     "sets scalar operands that it does not have"},
    {"gfx900", RAW, "  s_buffer_load_dword s3, s[8:11], s5 {SOFFSET_EN=1, OFFSET=80}\n",
     "sets scalar operands that it does not have"},
    {"gfx900", RAW, "  s_buffer_load_dword s3, s[8:11], s5 {OFFSET=133}\n",
     "sets scalar operands that it does not have"},
    {"gfx803", RAW, "  s_buffer_load_dword s3, s[8:11], s5 {OFFSET=133}\n",
     "sets scalar operands that it does not have"},
    {"gfx900", RAW, "  s_buffer_load_dword s3, s[8:11], s5\n", NULL},
    {"gfx900", RAW, "  s_buffer_load_dword s3, s[8:11], s5 offset:0x10\n", NULL},
    {"gfx803", RAW, "  s_buffer_load_dword s3, s[8:11], 0x10\n", NULL},
    {"gfx900", RAW, "  buffer_store_lds_dword s[8:11], 0\n", "lacks the LDS bit"},
    {"gfx1100", RAW, "  tbuffer_load_format_x v4, off, s[8:11], 0 format:100\n",
     "a format that is an error under some reading"},
    {"gfx1030", RAW, "  tbuffer_store_format_x v4, off, s[8:11], 0 format:104\n",
     "a format that is an error under some reading"},
    {"gfx1100", RAW, "  tbuffer_load_format_x v4, off, s[8:11], 0 format:0\n", NULL},
    /* attack_amd.c found this as case 5,256,150. Reading dword-mode-swizzled=offset subtracts 2 from the
     * offset alone, and offset-soffset-in-swizzle=inside then swizzles -2. */
    {"gfx803", "descriptor = swizzle_enable=on num_records=0xffffffff element_size=4 index_stride=16\n",
     "  buffer_store_dwordx4 v[4:7], off, s[8:11], -2 offset:2\n", "beyond the guard"},
};

static void cases_are_accepted_or_refused(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof judged / sizeof *judged; n++) {
        struct error e;
        bool passes = prove(judged[n].generation, judged[n].fields, judged[n].code, &e);
        if (passes != !judged[n].why)
            fail_msg("%s, %s %s: %s", judged[n].generation, judged[n].code,
                     passes ? "was accepted" : "was refused", e.text);
        if (!passes && !strstr(e.text, judged[n].why))
            fail_msg("%s, %s expected '%s': %s", judged[n].generation, judged[n].code, judged[n].why, e.text);
    }
}

/* ---- the property ---- */

/* Fails unless all lanes that access memory stay within the case's memory and guard. Addresses below the
 * memory wrap around to the top of 48 or of 64 bits. */
static void check_addresses(const struct outcome *o, uint32_t seed)
{
    const struct layout *l = &o->unit->layout;
    unsigned low = layout_region_named(l, "address")->first_row,
             high = layout_region_named(l, "address-high")->first_row;
    const struct region *decisions = layout_region_named(l, "decision");
    for (unsigned r = 0; r < decisions->rows; r++)
        for (unsigned n = 0; n < AMD_LANES; n++) {
            uint32_t d = o->value[(decisions->first_row + r) * AMD_LANES + n] & 15;
            uint64_t a =
                (uint64_t)o->value[(high + r) * AMD_LANES + n] << 32 | o->value[(low + r) * AMD_LANES + n];
            if (d == AMD_VIOLATION)
                fail_msg("case %u was accepted, but a lane is misaligned", seed);
            if (d != AMD_DONE && d != AMD_NOT_RESIDENT)
                continue;
            uint64_t signed_48 = (a ^ UINT64_C(1) << 47) - (UINT64_C(1) << 47);
            if (a >> 48 == 0 ? signed_48 + AMDGPU_GUARD + 16 > 2 * (uint64_t)AMDGPU_GUARD
                             : a + AMDGPU_GUARD > 2 * (uint64_t)AMDGPU_GUARD)
                fail_msg("case %u was accepted, but a lane accesses address %llx", seed,
                         (unsigned long long)a);
        }
}

/* Fails unless the verifier decides the same without its shortcuts. Without them it may also refuse a case
 * because of too many combinations of readings. */
static void check_without_shortcuts(const struct amdgpu_limits *limits, bool good, uint32_t seed)
{
    struct error why = {0};
    struct amdgpu_verifier *v = amdgpu_verifier_new(limits);
    struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
    amdgpu_verifier_always_try(v);
    if (amdgpu_verifier_prove(v, &tc, &clean, &why) != good && !strstr(why.text, "too many combinations"))
        fail_msg("case %u %s, but without shortcuts it is not: %s", seed,
                 good ? "was accepted" : "was refused", why.text);
    amdgpu_verifier_free(v);
}

/* Returns a number near an end. The end is 0, a power of two, or the guard divided by a factor that some part
 * of an address may have. */
static uint32_t some_boundary(struct random *r, uint32_t stride)
{
    static const uint32_t steps[] = {1, 4, 16, 512};
    uint32_t factor = random_one_in(r, 2) ? 1U << random_below(r, 7) : stride + random_below(r, 17);
    uint32_t end = random_one_in(r, 8)   ? 1U << random_below(r, 32)
                   : random_one_in(r, 4) ? 0
                                         : AMDGPU_GUARD / (factor ? factor : 1);
    uint32_t aside = random_below(r, 33), step = steps[random_below(r, 4)];
    return end + (aside - 16) * step;
}

/* Moves parts of the case's addresses to boundaries of the proof and of the guard. Often raises NUM_RECORDS,
 * because otherwise range checks hide accesses beyond a boundary. */
static void move_to_boundary(struct random *r, struct amd_case *c)
{
    enum amd_generation g = (enum amd_generation)c->generation;
    struct amd_descriptor d;
    amd_descriptor_decode(g, c->descriptor, &d);
    uint32_t index = some_boundary(r, d.stride), offset = some_boundary(r, d.stride),
             alike = random_below(r, 3);
    if (random_one_in(r, 4))
        d.base = some_boundary(r, 0);
    if (random_one_in(r, 2))
        d.num_records = random_one_in(r, 2) ? UINT32_MAX : offset + random_below(r, 8);
    amd_descriptor_encode(g, &d, c->descriptor);
    for (unsigned n = 0; n < 8 && random_one_in(r, 2); n++)
        c->sgpr_row[0].word[n] = some_boundary(r, 0);
    for (unsigned n = 0; n < AMD_LANES && alike < 2; n++) { /* row 0: indices, row 1: offsets */
        c->vgpr_row[0].word[n] = alike ? index + n : some_boundary(r, d.stride) % (index | 1);
        c->vgpr_row[1].word[n] = alike ? offset : some_boundary(r, d.stride) % (offset | 1);
    }
}

static void accepted_cases_stay_within_their_guard(void **state)
{
    (void)state;
    unsigned cases = support_scaled(6000), passed[2] = {0};
    struct executor *x = executor_new(initial->unit);
    struct outcome *o = outcome_new(initial->unit);
    struct random r;
    for (uint32_t seed = 0; seed < cases; seed++) {
        struct error why = {0};
        random_seed(&r, seed);
        case_init(&tc, initial->unit);
        amd_case_generate(&r, &tc);
        amd_support_case(&tc)->alignment = AMD_ALIGN_UNALIGNED;
        if (seed % 2)
            move_to_boundary(&r, amd_support_case(&tc));
        struct amdgpu_limits limits = {.generation = (enum amd_generation)amd_support_case(&tc)->generation,
                                       .alignment = AMD_ALIGN_UNALIGNED};
        struct amdgpu_verifier *v = amdgpu_verifier_new(&limits);
        struct amdgpu_clean clean = amdgpu_support_clean(&tc, initial);
        bool good = amdgpu_verifier_prove(v, &tc, &clean, &why);
        amdgpu_verifier_free(v);
        passed[seed % 2] += good;
        check_without_shortcuts(&limits, good, seed);
        for (unsigned n = 0; good && n < 16; n++) {
            struct profile p = {0};
            for (unsigned i = 0; n && i < unit_clauses(initial->unit); i++)
                if (random_one_in(&r, 1 + n % 3))
                    p.reading[i] = (uint8_t)random_below(&r, clause_readings(unit_clause(initial->unit, i)));
            executor_run(x, &tc, &p, RUN_PLAIN, o);
            check_addresses(o, seed);
        }
    }
    print_message("accepted: %u plain cases and %u with addresses at boundaries, of %u in all\n", passed[0],
                  passed[1], cases);
    assert_true(passed[0] > cases / 8 && passed[1] > cases / 16);
    outcome_free(o);
    executor_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_accepted_or_refused),
        cmocka_unit_test(accepted_cases_stay_within_their_guard),
    };
    initial = outcome_new(unit_named("amd-buffer"));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    outcome_free(initial);
    amdgpu_verifier_free(verifier);
    return failed;
}
