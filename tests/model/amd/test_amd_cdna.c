/* SPDX-License-Identifier: MIT */
/* Unit amd-buffer: what CDNA (gfx90a, gfx942) has beyond Vega. The tests compare atomics of doubles and of
 * packed halves with the host's arithmetic and with exact sums, and words and text with LLVM 19's. */
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* ---- text ---- */

/* llvm-mc 19.1.7 assembles and prints these. */
static const struct {
    enum amd_generation g;
    uint32_t low, high;
    const char *text;
} known[] = {
    {AMD_GFX90A, 0xE0500000, 0x80820500, "buffer_load_dword a5, off, s[8:11], 0"},
    {AMD_GFX90A, 0xE0540000, 0x80820400, "buffer_load_dwordx2 a[4:5], off, s[8:11], 0"},
    {AMD_GFX90A, 0xE052C004, 0x80020500, "buffer_load_dword v5, off, s[8:11], 0 offset:4 glc slc scc"},
    {AMD_GFX90A, 0xE8280000, 0x80A20500,
     "tbuffer_load_format_x a5, off, s[8:11], 0 format:[BUF_DATA_FORMAT_16_16] scc"},
    {AMD_GFX90A, 0xE13C0000, 0x80020400, "buffer_atomic_add_f64 v[4:5], off, s[8:11], 0"},
    {AMD_GFX90A, 0xE1340000, 0x80020500, "buffer_atomic_add_f32 v5, off, s[8:11], 0"},
    {AMD_GFX90A, 0xE0A00000, 0x00000000, "buffer_wbl2"},
    {AMD_GFX90A, 0xE0A40000, 0x00000000, "buffer_invl2"},
    {AMD_GFX942, 0xE052C000, 0x80020500, "buffer_load_dword v5, off, s[8:11], 0 sc0 nt sc1"},
    {AMD_GFX942, 0xE1084000, 0x80820500, "buffer_atomic_add a5, off, s[8:11], 0 sc0"},
    {AMD_GFX942, 0xE0A0C000, 0x00000000, "buffer_wbl2 sc0 sc1"},
    {AMD_GFX942, 0xE0A48000, 0x00000000, "buffer_inv sc1"},
    {AMD_GFX942, 0xC0230142, 0x00000064, "s_buffer_load_dword s5, s[4:7], 0x64 glc"},
};

static void words_and_text(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint64_t word = (uint64_t)known[n].high << 32 | known[n].low;
        assert_string_equal(amd_test_print(known[n].g, word, &t), known[n].text);
        assert_int_equal(amd_test_parse(known[n].g, known[n].text), word);
    }
    text_free(&t);
}

static bool read_line(enum amd_generation g, const char *line, size_t count, struct error *e)
{
    uint64_t word;
    return amd_parse(g, line, count, &word, e);
}

/* LLVM refuses these lines, too. */
static void wrong_lines(void **state)
{
    static const struct amd_wrong_line wrong[] = {
        {AMD_GFX942, "buffer_load_dword v5, off, s[8:11], 0 glc",
         "column 39: buffer_load_dword takes no 'glc'"},
        {AMD_GFX90A, "buffer_load_dword v5, off, s[8:11], 0 sc0",
         "column 39: expected a modifier or the end of the line, found 'sc0'; did you mean 'scc'?"},
        {AMD_GFX90A, "buffer_load_dword v5, off, s[8:11], 0 tfe",
         "column 39: expected a modifier or the end of the line, found 'tfe'"},
        {AMD_GFX9, "buffer_load_dword a5, off, s[8:11], 0", "column 19: expected VGPRs: v0, v[0:3], or off"},
        {AMD_GFX90A, "buffer_load_dword a256, off, s[8:11], 0",
         "column 19: accumulation registers are a0 to a255"},
        {AMD_GFX90A, "buffer_wbl2 sc0", "column 13: expected the end of the line"},
    };
    (void)state;
    amd_expect_errors(wrong, sizeof wrong / sizeof *wrong, read_line);
}

/* ---- atomics ---- */

static uint64_t result_of(struct amd_place *s, enum amd_atomic op, unsigned bits, uint64_t a, uint64_t b)
{
    static struct coverage seen;
    struct amd_wave *w = s->x->state; /* amd_atomic_result uses only its profile and coverage */
    profile_builtin(&amd_buffer_unit, AMD_PROFILE_GFX942, &s->p);
    w->profile = &s->p;
    w->coverage = &seen;
    return amd_atomic_result(w, op, bits, a, b, 0);
}

static uint64_t bits_of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* The host's addition rounds to nearest and keeps denormals. */
static void sums_of_doubles(void **state)
{
    const uint64_t exponent = UINT64_C(0x7FF) << 52;
    struct random r;
    random_seed(&r, 6);
    for (unsigned k = 0; k < 200000; k++) {
        uint64_t a = random_u64(&r), b = random_u64(&r);
        if (random_one_in(&r, 2)) /* a number of about the same size */
            b = (b & ~exponent) | ((a & exponent) + ((uint64_t)random_below(&r, 110) << 52)) % exponent;
        if (random_one_in(&r, 8))
            a &= ~(UINT64_C(0x7FC) << 52), b &= ~(UINT64_C(0x7FC) << 52);
        if (random_one_in(&r, 16))
            b = a ^ (uint64_t)random_below(&r, 2) << 63;
        if (isnan(double_of(a)) || isnan(double_of(b)))
            continue;
        volatile double sum = double_of(a) + double_of(b);
        uint64_t got = result_of(*state, AMD_ATOMIC_FADD, 64, a, b);
        if (isnan(sum))
            assert_true(isnan(double_of(got)));
        else if (got != bits_of_double(sum))
            fail_msg("%a + %a is %a, not %a", double_of(a), double_of(b), double_of(got), (double)sum);
    }
}

static double half_value(uint32_t half)
{
    int exponent = (int)(half >> 10 & 31);
    double m = half & 0x3FF;
    double magnitude = exponent ? ldexp(1024 + m, exponent - 25) : ldexp(m, -24);
    return half & 0x8000 ? -magnitude : magnitude;
}

/* Finds the half nearest to a number by search. Ties go to the even half. From halfway between the largest
 * half and 2^16 on, the result is infinity. */
static uint32_t nearest_half(double exact)
{
    double magnitude = fabs(exact);
    uint32_t low = 0, high = 0x7C00; /* the code 0x7C00 (infinity) counts as 2^16 */
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (half_value(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    double below = magnitude - half_value(low), above = half_value(high) - magnitude;
    uint32_t found = below < above || (below == above && low % 2 == 0) ? low : high;
    return found | (signbit(exact) ? 0x8000U : 0);
}

/* The sum of two halves has at most 42 bits, so a double holds it. */
static void sums_of_halves(void **state)
{
    struct random r;
    random_seed(&r, 7);
    for (unsigned k = 0; k < 200000; k++) {
        uint32_t a = random_u32(&r), b = random_u32(&r), want = 0;
        if (random_one_in(&r, 4))
            b = a ^ (random_u32(&r) & 0x80038003);
        bool finite = true;
        for (unsigned n = 0; n < 32; n += 16) {
            finite = finite && (a >> n & 0x7C00) != 0x7C00 && (b >> n & 0x7C00) != 0x7C00;
            want |= nearest_half(half_value(a >> n & 0xFFFF) + half_value(b >> n & 0xFFFF)) << n;
        }
        if (finite)
            assert_int_equal(result_of(*state, AMD_ATOMIC_PK_FADD, 32, a, b), want);
    }
    assert_int_equal(result_of(*state, AMD_ATOMIC_PK_FADD, 32, 0x7C00FC00, 0x3C00BC00), 0x7C00FC00);
    assert_int_equal(result_of(*state, AMD_ATOMIC_PK_FADD, 32, 0x7C003C00, 0xFC003C00), 0x7E004000);
}

/* "CDNA3" guide 9.2.3: minimum and maximum prefer a number to a NaN, and -0 is below +0. */
static void extremes_of_doubles(void **state)
{
    const uint64_t nan = UINT64_C(0x7FF8000000000001), one = bits_of_double(1.0), zero = 0,
                   minus_zero = UINT64_C(1) << 63;
    assert_int_equal(result_of(*state, AMD_ATOMIC_FMIN, 64, nan, one), one);
    assert_int_equal(result_of(*state, AMD_ATOMIC_FMAX, 64, one, nan), one);
    assert_int_equal(result_of(*state, AMD_ATOMIC_FMIN, 64, zero, minus_zero), minus_zero);
    assert_int_equal(result_of(*state, AMD_ATOMIC_FMAX, 64, minus_zero, zero), zero);
}

/* ---- registers ---- */

static void run_line(struct amd_place *s, const char *line, const char *profile)
{
    struct amd_descriptor d = amd_descriptor_raw(AMD_GFX942, 0, 1024);
    struct amd_insn i;
    amd_case_begin(s->c, AMD_GFX942);
    amd_case_descriptor(s->c, &d);
    assert_true(amd_decode(AMD_GFX942, amd_test_parse(AMD_GFX942, line), &i));
    amd_case_add(s->c, &i);
    amd_run(s, profile);
}

/* A case has no accumulation registers. A load to one changes nothing, and a store from one stores undefined
 * bits. Both have the same addresses as with a vector register. */
static void accumulation_registers(void **state)
{
    struct amd_place *s = *state;
    run_line(s, "buffer_load_dword v4, off, s[8:11], 0", "gfx942");
    assert_int_equal(amd_out_vgpr(s->o, 4, 0), 1);
    run_line(s, "buffer_load_dword a4, off, s[8:11], 0", "gfx942");
    assert_int_equal(s->o->end, END_DONE);
    assert_int_equal(amd_out_vgpr(s->o, 4, 0), 0);
    run_line(s, "buffer_store_dword a4, off, s[8:11], 0", "gfx942");
    assert_int_equal(s->o->defined[AMD_ROW_MEMORY * AMD_LANES], 0);
}

/* A group of registers must begin at an even register (LLVM: "vgpr tuples must be 64 bit aligned"). */
static void odd_groups(void **state)
{
    struct amd_place *s = *state;
    run_line(s, "buffer_load_dwordx2 v[4:5], off, s[8:11], 0", "manual");
    assert_int_equal(s->o->end, END_DONE);
    run_line(s, "buffer_load_dwordx2 v[5:6], off, s[8:11], 0", "manual");
    assert_int_equal(s->o->end, END_FAULT);
    run_line(s, "buffer_load_dword v5, v[1:2], s[8:11], 0 idxen offen", "manual");
    assert_int_equal(s->o->end, END_FAULT);
    run_line(s, "buffer_load_dwordx2 v[5:6], off, s[8:11], 0", "manual,vgpr-group-align=as-is");
    assert_int_equal(s->o->end, END_DONE);
    assert_int_equal(amd_out_vgpr(s->o, 6, 0), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_text),      cmocka_unit_test(wrong_lines),
        cmocka_unit_test(sums_of_doubles),     cmocka_unit_test(sums_of_halves),
        cmocka_unit_test(extremes_of_doubles), cmocka_unit_test(accumulation_registers),
        cmocka_unit_test(odd_groups),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
