/* SPDX-License-Identifier: MIT */
/*
 * Pack code 8, "32-bit saturate" (p31 T7), after each integer operation. By the manual the packed result is
 * the exact signed value, clamped to 32 bits. Recorded values show that silicon saturates only add and sub
 * (clause pack-32s-ops). The test computes the exact values with 64 bits.
 */
#include "model/number/random.h"
#include "tests/model/vc4/qpu/alu/support_alu.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int64_t exact_add(uint32_t a, uint32_t b)
{
    return (int64_t)(int32_t)a + (int32_t)b;
}

static int64_t exact_sub(uint32_t a, uint32_t b)
{
    return (int64_t)(int32_t)a - (int32_t)b;
}

/* Amounts above 31 move all bits out (clause shift-amount, reading manual). Unless the operand is 0, the
 * exact value is then too large. */
static int64_t exact_shl(uint32_t a, uint32_t b)
{
    int64_t x = (int32_t)a;
    return b < 32 ? x * (INT64_C(1) << b) : x * (INT64_C(1) << 32);
}

static int64_t exact_mul24(uint32_t a, uint32_t b) /* below 2^48 */
{
    return (int64_t)((uint64_t)(a % 0x1000000) * (b % 0x1000000));
}

/* The result has no carry, so the exact value always fits. */
static int64_t exact_and(uint32_t a, uint32_t b)
{
    return (int32_t)(a & b);
}

static uint32_t clamp(int64_t v)
{
    return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

/* Returns a value near the ends of 8, 16, 24 or 32 bits, or any value. */
static uint32_t operand(struct random *r)
{
    static const unsigned ends[] = {0, 7, 8, 15, 16, 23, 24, 31};
    uint32_t near = (1U << ends[random_below(r, 8)]) + random_below(r, 5) - 2;
    switch (random_below(r, 4)) {
    case 0:
        return near;
    case 1:
        return 0U - near;
    case 2:
        return random_u32(r) >> random_below(r, 32);
    default:
        return random_u32(r);
    }
}

static void saturated_results_are_clamped_exact_values(void **state)
{
    (void)state;
    enum { SATURATE_32 = 8 };
    static const struct {
        const char *name;
        int64_t (*exact)(uint32_t a, uint32_t b);
        bool silicon; /* does silicon saturate it? */
    } ops[] = {{"add", exact_add, true},
               {"sub", exact_sub, true},
               {"shl", exact_shl, false},
               {"mul24", exact_mul24, false},
               {"and", exact_and, false}};
    struct profile p = support_alu_profile(PROFILE_MANUAL);
    struct random r;
    random_seed(&r, 11);
    for (unsigned silicon = 0; silicon < 2; silicon++) {
        struct alu_rules rules;
        p.reading[ALU_PACK_32S_OPS] = silicon ? PACK_32S_OPS_ADD_SUB : READING_MANUAL;
        alu_resolve(&p, &rules);
        for (unsigned n = support_scaled(200000); n; n--) {
            unsigned i = random_below(&r, sizeof ops / sizeof *ops);
            alu_kernel *kernel = NULL;
            const struct alu_op *op = support_alu_op(&rules, ops[i].name, &kernel);
            uint32_t a = operand(&r), b = i == 2 ? random_below(&r, 34) : operand(&r);
            struct vc4_vector x = {{0}}, y = {{0}}, result = {{0}}, overflow, old = {{0}}, out;
            unsigned lane = random_below(&r, VC4_LANES);
            x.lane[lane] = a;
            y.lane[lane] = b;
            kernel(&rules, &x, &y, &result, NULL);
            if (op->overflow)
                op->overflow(&rules, &x, &y, &result, &overflow);
            alu_pack_a(&rules, SATURATE_32, op->float_out, &result, op->overflow ? &overflow : NULL, &old,
                       &out);
            int64_t exact = ops[i].exact(a, b);
            uint32_t expected = silicon && !ops[i].silicon ? result.lane[lane] : clamp(exact);
            if (out.lane[lane] != expected)
                fail_msg("%s(%08x, %08x) is %08x, expected %08x", ops[i].name, a, b, out.lane[lane],
                         expected);
            assert_int_equal(out.lane[(lane + 1) % VC4_LANES], 0); /* other elements do not change */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saturated_results_are_clamped_exact_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
