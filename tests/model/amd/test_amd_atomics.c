/* SPDX-License-Identifier: MIT */
/* Unit amd-buffer: atomics compared with the guide's pseudo-code and with the host's arithmetic. If several
 * lanes access one address: which bits of the results are defined. */
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Computes the result of an atomic by the pseudo-code of the "RDNA3" guide. */
static uint64_t atomic_expected(const char *name, uint64_t old, uint64_t src, uint64_t cmp, unsigned bits)
{
    uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
    int64_t so = bits == 64 ? (int64_t)old : (int32_t)(uint32_t)old,
            ss = bits == 64 ? (int64_t)src : (int32_t)(uint32_t)src;
#define IS(what) (strstr(name, "atomic_" what) != NULL)
    uint64_t r = IS("swap")      ? src
                 : IS("cmpswap") ? (old == cmp ? src : old)
                 : IS("add")     ? old + src
                 : IS("sub")     ? old - src
                 : IS("csub")    ? (old < src ? 0 : old - src)
                 : IS("min_i")   ? (uint64_t)(ss < so ? ss : so)
                 : IS("max_i")   ? (uint64_t)(ss > so ? ss : so)
                 : IS("min_u")   ? (src < old ? src : old)
                 : IS("max_u")   ? (src > old ? src : old)
                 : IS("and")     ? (old & src)
                 : IS("or")      ? (old | src)
                 : IS("xor")     ? (old ^ src)
                 : IS("inc")     ? (old >= src ? 0 : old + 1)
                                 : (old == 0 || old > src ? src : old - 1);
#undef IS
    return r & mask;
}

static const char *const atomics[] = {
    "buffer_atomic_swap_b32",    "buffer_atomic_cmpswap_b32", "buffer_atomic_add_u32",
    "buffer_atomic_sub_u32",     "buffer_atomic_csub_u32",    "buffer_atomic_min_i32",
    "buffer_atomic_min_u32",     "buffer_atomic_max_i32",     "buffer_atomic_max_u32",
    "buffer_atomic_and_b32",     "buffer_atomic_or_b32",      "buffer_atomic_xor_b32",
    "buffer_atomic_inc_u32",     "buffer_atomic_dec_u32",     "buffer_atomic_swap_b64",
    "buffer_atomic_cmpswap_b64", "buffer_atomic_add_u64",     "buffer_atomic_sub_u64",
    "buffer_atomic_min_i64",     "buffer_atomic_min_u64",     "buffer_atomic_max_i64",
    "buffer_atomic_max_u64",     "buffer_atomic_and_b64",     "buffer_atomic_or_b64",
    "buffer_atomic_xor_b64",     "buffer_atomic_inc_u64",     "buffer_atomic_dec_u64",
};

static uint64_t some_operand(struct random *r)
{
    static const uint64_t ends[] = {
        0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, UINT64_MAX};
    return random_one_in(r, 2) ? ends[random_below(r, sizeof ends / sizeof *ends)] : random_u64(r);
}

static void run_atomic(struct amd_place *s, const char *name, bool returns, uint64_t old, uint64_t src,
                       uint64_t cmp)
{
    struct amd_descriptor d = amd_raw_view(64);
    bool wide = strstr(name, "64") != NULL;
    amd_case_begin(s->c, AMD_GFX11);
    amd_support_case(s->c)->exec[0] = 1;
    amd_support_case(s->c)->exec[1] = 0;
    amd_case_descriptor(s->c, &d);
    amd_case_memory(s->c, 8, (uint32_t)old);
    amd_case_memory(s->c, 12, (uint32_t)(old >> 32));
    const uint32_t words[] = {(uint32_t)src, wide ? (uint32_t)(src >> 32) : (uint32_t)cmp, (uint32_t)cmp,
                              (uint32_t)(cmp >> 32)};
    for (unsigned n = 0; n < 4; n++)
        amd_case_vgpr(s->c, AMD_TEST_DATA + n, words[n]);
    struct amd_insn i = amd_test_insn(AMD_GFX11, name);
    i.glc = returns;
    i.offset = 8;
    amd_case_add(s->c, &i);
    amd_run(s, "manual");
    assert_int_equal(s->o->end, END_DONE);
}

static void atomic_operations(void **state)
{
    struct amd_place *s = *state;
    struct random r;
    random_seed(&r, 3);
    for (unsigned n = 0; n < sizeof atomics / sizeof *atomics; n++)
        for (unsigned k = 0; k < 200; k++) {
            bool wide = strstr(atomics[n], "64") != NULL, returns = k % 2 || strstr(atomics[n], "csub");
            uint64_t mask = wide ? UINT64_MAX : UINT32_MAX, old = some_operand(&r) & mask,
                     src = some_operand(&r) & mask;
            uint64_t cmp = random_one_in(&r, 2) ? old : some_operand(&r) & mask;
            run_atomic(s, atomics[n], returns, old, src, cmp);
            uint64_t got = amd_out_memory(s->o, 8) | (wide ? (uint64_t)amd_out_memory(s->o, 12) << 32 : 0),
                     want = atomic_expected(atomics[n], old, src, cmp, wide ? 64 : 32);
            if (got != want)
                fail_msg("%s of %llX, %llX, %llX is %llX, not %llX", atomics[n], (unsigned long long)old,
                         (unsigned long long)src, (unsigned long long)cmp, (unsigned long long)got,
                         (unsigned long long)want);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), returns ? (uint32_t)old : (uint32_t)src);
        }
}

/* Compares float atomics with the host's addition, which rounds to nearest and keeps denormals. Skips
 * NaNs. */
static void float_atomics(void **state)
{
    struct amd_place *s = *state;
    struct random r;
    random_seed(&r, 4);
    for (unsigned k = 0; k < 20000; k++) {
        uint32_t a = random_u32(&r), b = random_u32(&r);
        if (random_one_in(&r, 2)) /* a number of similar size */
            b = (a & 0xFF800000) + ((random_below(&r, 64) - 32) << 23) + random_below(&r, 1 << 23);
        if (random_one_in(&r, 8))
            a &= 0x80FFFFFF, b &= 0x80FFFFFF;
        float x = float_of(a), y = float_of(b);
        if (x != x || y != y)
            continue;
        volatile float sum = x + y;
        uint64_t got = 0;
        struct amd_wave *w = s->x->state; /* amd_atomic_result uses only its profile and coverage */
        struct coverage seen = {0};
        profile_builtin(&amd_buffer_unit, 0, &s->p);
        w->profile = &s->p;
        w->coverage = &seen;
        got = amd_atomic_result(w, AMD_ATOMIC_FADD, 32, a, b, 0);
        if (sum != sum)
            assert_true((got & 0x7FFFFFFF) > 0x7F800000);
        else
            assert_int_equal(got, bits_of(sum));
        assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_FMIN, 32, a, b, 0), y < x ? b : a);
        assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_FMAX, 32, a, b, 0), y > x ? b : a);
        assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_FCMPSWAP, 32, a, b, a), b);
    }
}

static uint64_t bits_of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* Compares GFX10's atomics of doubles with the host's arithmetic. The numbers differ in either half, in sign,
 * and in the sign of zero. */
static void double_atomics(void **state)
{
    static const double numbers[] = {0.0,       -0.0,       1.0,   -1.0,   1.0 + 0x1p-52, -1.0 - 0x1p-52,
                                     0x1p-1074, -0x1p-1074, 1e300, -1e300, 3.0,           0x1p-40};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    struct amd_place *s = *state;
    for (unsigned k = 0; k < 3 * COUNT * COUNT; k++) {
        static const char *const names[] = {"buffer_atomic_fmin_x2", "buffer_atomic_fmax_x2",
                                            "buffer_atomic_fcmpswap_x2"};
        double old = numbers[k / 3 % COUNT], source = numbers[k / 3 / COUNT], to = 42.0;
        bool swaps = k % 3 == 2 ? old == source : k % 3 ? source > old : source < old;
        uint64_t want = bits_of_double(!swaps ? old : k % 3 == 2 ? to : source), a = bits_of_double(old);
        uint64_t data = bits_of_double(k % 3 == 2 ? to : source), compare = bits_of_double(source);
        struct amd_descriptor d = amd_descriptor_raw(AMD_GFX10, 0, 64);
        struct amd_insn i;
        uint64_t word = 0;
        struct error e = {0};
        char line[80];
        (void)snprintf(line, sizeof line, "%s v[4:%u], off, s[8:11], 0 offset:8 glc", names[k % 3],
                       k % 3 == 2 ? 7U : 5U);
        assert_true(amd_parse(AMD_GFX10, line, strlen(line), &word, &e) && amd_decode(AMD_GFX10, word, &i));
        amd_case_begin(s->c, AMD_GFX10);
        amd_support_case(s->c)->exec[0] = 1;
        amd_support_case(s->c)->exec[1] = 0;
        amd_case_descriptor(s->c, &d);
        amd_case_memory(s->c, 8, (uint32_t)a);
        amd_case_memory(s->c, 12, (uint32_t)(a >> 32));
        const uint32_t words[] = {(uint32_t)data, (uint32_t)(data >> 32), (uint32_t)compare,
                                  (uint32_t)(compare >> 32)};
        for (unsigned n = 0; n < 4; n++)
            amd_case_vgpr(s->c, AMD_TEST_DATA + n, words[n]);
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        uint64_t got = amd_out_memory(s->o, 8) | (uint64_t)amd_out_memory(s->o, 12) << 32;
        if (got != want)
            fail_msg("%s of %a and %a is %llX, not %llX", names[k % 3], old, source, (unsigned long long)got,
                     (unsigned long long)want);
        assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), (uint32_t)a);
        assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 1, 0), (uint32_t)(a >> 32));
    }
}

/* If all lanes access one address, the bits in which their stores differ are undefined, and so are the values
 * that atomics return. A sum is defined. */
static void lanes_at_one_address(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(64);
    const struct region *memory = layout_region_named(&amd_buffer_unit.layout, "memory");
    for (unsigned atomic = 0; atomic < 2; atomic++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        for (unsigned n = 0; n < AMD_LANES; n++)
            image_own_row(s->c, schema_field(&amd_buffer_unit.schema, "vgpr"), AMD_TEST_DATA, true)[n] = n;
        struct amd_insn i = amd_test_insn(AMD_GFX11, atomic ? "buffer_atomic_add_u32" : "buffer_store_b32");
        i.glc = atomic;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        assert_int_equal(s->o->defined[memory->first_row * AMD_LANES], atomic ? UINT32_MAX : 0xFFFFFF00);
        if (atomic) {
            assert_int_equal(amd_out_memory(s->o, 0), 1 + 63 * 64 / 2);
            assert_int_equal(s->o->defined[AMD_TEST_DATA * AMD_LANES + 5], 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomic_operations),
        cmocka_unit_test(float_atomics),
        cmocka_unit_test(double_atomics),
        cmocka_unit_test(lanes_at_one_address),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
