/* SPDX-License-Identifier: MIT */
/*
 * Properties of the QPU's operations, packing and unpacking under any profile. The hosts' variants give equal
 * results, defined bits do not depend on undefined ones, a clause that is not covered cannot change a result,
 * and every clause can change one.
 */
#include "tests/model/vc4/qpu/alu/support_alu.h"
#include "tests/model/vc4/qpu/alu/support_slow_float.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns a built-in profile in which a quarter of the arithmetic clauses have random readings. */
static struct profile random_profile(struct slow_random *r)
{
    struct profile p = support_alu_profile((unsigned)(slow_random_next(r) & 1));
    for (unsigned i = 0; i < ALU_CLAUSES; i++)
        if ((slow_random_next(r) & 3) == 0) {
            unsigned readings = 0;
            while (readings < READINGS_MAX && alu_clauses[i].readings[readings].id)
                readings++;
            p.reading[ALU_CLAUSE_FIRST + i] = (uint8_t)(slow_random_next(r) % readings);
        }
    return p;
}

static void random_operands(struct slow_random *r, struct vc4_vector *a, struct vc4_vector *b)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        slow_random_operands(r, &a->lane[i], &b->lane[i]);
        if ((slow_random_next(r) & 3) == 0)
            b->lane[i] &= 63; /* a shift amount */
    }
}

/* Makes floats of ordinary size, with at most one pair near an edge of the format. Kernels that handle edges
 * separately must notice this pair. */
static void mostly_ordinary_operands(struct slow_random *r, struct vc4_vector *a, struct vc4_vector *b)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint64_t bits = slow_random_next(r);
        a->lane[i] = ((uint32_t)bits & 0x807FFFFF) | (uint32_t)(100 + (bits >> 23) % 56) << 23;
        b->lane[i] = ((uint32_t)(bits >> 32) & 0x807FFFFF) | (uint32_t)(100 + (bits >> 55) % 56) << 23;
    }
    uint64_t dice = slow_random_next(r);
    unsigned at = dice & 15, kind = dice >> 4 & 7;
    if (kind < 4)
        slow_random_operands(r, &a->lane[at], &b->lane[at]);
    else if (kind < 6) { /* an exponent at an end of its range, so that sums and products are just at
                          * overflow or underflow */
        a->lane[at] = (a->lane[at] & 0x807FFFFF) |
                      (uint32_t)(kind == 4 ? 254 - (dice >> 8) % 3 : 1 + (dice >> 8) % 3) << 23;
        b->lane[at] = dice >> 16 & 1 ? b->lane[at] : (b->lane[at] & 0x807FFFFF) | (a->lane[at] & FLOAT_INF);
    }
}

static const struct alu_op *op_at(unsigned n)
{
    return n < 32 ? &alu_add_ops[n] : &alu_mul_ops[n - 32];
}

static alu_kernel *kernel_at(const struct alu_rules *rules, unsigned n)
{
    return n < 32 ? rules->add[n] : rules->mul[n - 32];
}

static bool same_vector(const struct vc4_vector *a, const struct vc4_vector *b)
{
    return !memcmp(a, b, sizeof *a);
}

enum { OPS = 40 };

/* Returns the number of an operation that is not reserved. */
static unsigned random_operation(struct slow_random *r)
{
    unsigned n = 0;
    do
        n = (unsigned)(slow_random_next(r) % OPS);
    while (!op_at(n)->name);
    return n;
}

/* Every opcode has a complete row. Under every reading each row has a kernel on every host. */
static void every_row_is_complete(void **state)
{
    (void)state;
    struct alu_rules rules;
    for (unsigned n = 0; n < OPS; n++) {
        const struct alu_op *op = op_at(n);
        if (!op->clauses || !op->flag_clauses || (op->name && (!op->choose_kernel || !op->defined)))
            fail_msg("the row of %s operation %u is missing, or lacks a part", n < 32 ? "ADD" : "MUL",
                     n % 32);
    }
    for (unsigned clause = 0; clause < ALU_CLAUSES; clause++)
        for (unsigned reading = 0; reading < clause_readings(&alu_clauses[clause]); reading++)
            for (unsigned host = 0; host < ALU_HOSTS; host++) {
                struct profile p = support_alu_profile(host % 2 ? PROFILE_SILICON : PROFILE_MANUAL);
                p.reading[ALU_CLAUSE_FIRST + clause] = (uint8_t)reading;
                if (!alu_resolve_for(&p, (enum alu_host)host,
                                     &rules)) /* alu_resolve_for asserts that each row has a kernel */
                    continue;
                for (unsigned n = 0; n < OPS; n++)
                    assert_true((kernel_at(&rules, n) != NULL) == (op_at(n)->name != NULL));
            }
}

static void test_hosts_agree(void **state)
{
    (void)state;
    struct slow_random r = {1};
    unsigned compared = 0;
    for (unsigned n = support_scaled(30000); n-- > 0;) {
        struct profile p = random_profile(&r);
        struct alu_rules plain, other;
        struct vc4_vector a, b, results[2], carries[2];
        (n % 2 ? random_operands : mostly_ordinary_operands)(&r, &a, &b);
        assert_true(alu_resolve_for(&p, ALU_HOST_PLAIN, &plain));
        for (unsigned host = ALU_HOST_PLAIN + 1; host < ALU_HOSTS; host++) {
            if (!alu_resolve_for(&p, (enum alu_host)host, &other))
                continue;
            for (unsigned op = 0; op < OPS; op++, compared++) {
                if (!op_at(op)->name)
                    continue;
                kernel_at(&plain, op)(&plain, &a, &b, &results[0], &carries[0]);
                kernel_at(&other, op)(&other, &a, &b, &results[1], &carries[1]);
                assert_true(same_vector(&results[0], &results[1]) && same_vector(&carries[0], &carries[1]));
                results[1] = a; /* in this call the result overwrites the operand */
                kernel_at(&other, op)(&other, &results[1], &b, &results[1], &carries[1]);
                assert_true(same_vector(&results[0], &results[1]) && same_vector(&carries[0], &carries[1]));
            }
        }
    }
    print_message("%u vectors compared between variants (0: this host has one)\n", compared);
}

/* Makes masks of defined bits. In most, only few bits or bytes are undefined. */
static void random_masks(struct slow_random *r, struct vc4_vector *mask)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint64_t n = slow_random_next(r);
        uint32_t word = (uint32_t)(n >> 32);
        static const uint32_t none = UINT32_MAX;
        switch (n & 3) {
        case 0:
            mask->lane[i] = none;
            break;
        case 1:
            mask->lane[i] = ~(UINT32_C(1) << (word & 31));
            break;
        case 2:
            mask->lane[i] = word | (uint32_t)slow_random_next(r) | (uint32_t)slow_random_next(r);
            break;
        default:
            mask->lane[i] = ~(UINT32_C(0xFF) << (word & 24));
        }
    }
}

static void refill(struct slow_random *r, const struct vc4_vector *value, const struct vc4_vector *mask,
                   struct vc4_vector *out)
{
    bool opposite = slow_random_next(r) & 1;
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] =
            value->lane[i] ^ (~mask->lane[i] & (opposite ? UINT32_MAX : (uint32_t)slow_random_next(r)));
}

static void check_defined(const char *what, const struct vc4_vector *one, const struct vc4_vector *two,
                          const struct vc4_vector *defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        if ((one->lane[i] ^ two->lane[i]) & defined->lane[i])
            fail_msg("%s: %08X or %08X, depending on undefined bits, but %08X are called defined", what,
                     one->lane[i], two->lane[i], defined->lane[i]);
}

struct filled {
    struct vc4_vector a, b, a2, b2, da, db;
};

static void fill(struct slow_random *r, struct filled *f)
{
    random_operands(r, &f->a, &f->b);
    random_masks(r, &f->da);
    random_masks(r, &f->db);
    refill(r, &f->a, &f->da, &f->a2);
    refill(r, &f->b, &f->db, &f->b2);
}

static void test_definedness(void **state)
{
    (void)state;
    struct slow_random r = {2};
    uint64_t defined_bits = 0, bits = 0;
    for (unsigned n = support_scaled(100000); n-- > 0;) {
        struct profile p = random_profile(&r);
        struct alu_rules rules;
        struct filled f;
        struct vc4_vector r1, r2, c1, c2, defined, carry_defined, from_a, z1, z2, n1, n2, dz, dn;
        alu_resolve(&p, &rules);
        fill(&r, &f);
        unsigned op = random_operation(&r);
        const struct alu_op *row = op_at(op);
        bool move = slow_random_next(&r) % 8 == 0; /* both operands are one register */
        const struct vc4_vector *b = move ? &f.a : &f.b, *b2 = move ? &f.a2 : &f.b2,
                                *db = move ? &f.da : &f.db;
        kernel_at(&rules, op)(&rules, &f.a, b, &r1, &c1);
        kernel_at(&rules, op)(&rules, &f.a2, b2, &r2, &c2);
        row->defined(&rules, &f.a, b, &f.da, db, &defined, &carry_defined);
        row->defined(&rules, &f.a2, b2, &f.da, db, &from_a, NULL);
        check_defined(row->name, &r1, &r2, &defined);
        check_defined("C", &c1, &c2, &carry_defined);
        assert_true(same_vector(&defined, &from_a)); /* undefined bits must not change the mask */
        support_alu_zero_negative(&r1, &z1, &n1);
        support_alu_zero_negative(&r2, &z2, &n2);
        alu_zero_negative_defined(&r1, &defined, &dz, &dn);
        check_defined("Z", &z1, &z2, &dz);
        check_defined("N", &n1, &n2, &dn);
        for (unsigned i = 0; i < VC4_LANES; i++, bits += 32)
            defined_bits += (unsigned)__builtin_popcount(defined.lane[i]);
    }
    print_message("%.1f %% of result bits defined\n", 100.0 * (double)defined_bits / (double)bits);
    assert_true(defined_bits > bits / 10);
}

static void test_pack_definedness(void **state)
{
    (void)state;
    struct slow_random r = {3};
    for (unsigned n = support_scaled(100000); n-- > 0;) {
        struct profile p = random_profile(&r);
        struct alu_rules rules;
        struct filled f;
        struct vc4_vector one, two, defined, r1, r2, dr, o1, o2, overflow_defined;
        alu_resolve(&p, &rules);
        fill(&r, &f);
        unsigned code = (unsigned)slow_random_next(&r) & 15, unpack = code & 7;
        for (unsigned view = 0; view < 2; view++) {
            alu_unpack_a(&rules, unpack, view, &f.a, &one);
            alu_unpack_a(&rules, unpack, view, &f.a2, &two);
            alu_unpack_defined(unpack, view, &f.da, &defined);
            check_defined("unpack", &one, &two, &defined);
        }
        alu_unpack_r4(&rules, unpack, &f.a, &one);
        alu_unpack_r4(&rules, unpack, &f.a2, &two);
        alu_unpack_defined(unpack, true, &f.da, &defined);
        check_defined("r4 unpack", &one, &two, &defined);

        unsigned op = random_operation(&r);
        const struct alu_op *row = op_at(op);
        kernel_at(&rules, op)(&rules, &f.a, &f.b, &r1, NULL);
        kernel_at(&rules, op)(&rules, &f.a2, &f.b2, &r2, NULL);
        row->defined(&rules, &f.a, &f.b, &f.da, &f.db, &dr, NULL);
        if (row->overflow) {
            row->overflow(&rules, &f.a, &f.b, &r1, &o1);
            row->overflow(&rules, &f.a2, &f.b2, &r2, &o2);
        }
        alu_overflow_defined(&f.da, &f.db, &overflow_defined);
        alu_pack_a(&rules, code, row->float_out, &r1, row->overflow ? &o1 : NULL, &f.b, &one);
        alu_pack_a(&rules, code, row->float_out, &r2, row->overflow ? &o2 : NULL, &f.b2, &two);
        alu_pack_a_defined(&rules, code, row->float_out, &dr, row->overflow ? &overflow_defined : NULL, &f.db,
                           &defined);
        check_defined("pack", &one, &two, &defined);
        alu_pack_mul(&rules, code, op & 7, &f.a, &f.b, &one);
        alu_pack_mul(&rules, code, op & 7, &f.a2, &f.b2, &two);
        alu_pack_mul_defined(&rules, code, op & 7, &f.da, &f.db, &defined);
        check_defined("MUL pack", &one, &two, &defined);
    }
}

/* All results of the arithmetic for one pair of operand vectors under one profile. */
struct everything {
    struct vc4_vector v[300];
    unsigned count;
};

static struct vc4_vector *next(struct everything *e)
{
    assert_true(e->count < COUNT(e->v));
    return &e->v[e->count++];
}

static void everything_of(const struct alu_rules *rules, const struct vc4_vector *a,
                          const struct vc4_vector *b, struct everything *e)
{
    memset(e, 0, sizeof *e);
    for (unsigned op = 0; op < OPS; op++) {
        /* Reserved opcodes take two vectors, too, so that the result of `op` is v[2 * op]. */
        struct vc4_vector *result = next(e), *flag = next(e);
        if (op_at(op)->name)
            kernel_at(rules, op)(rules, a, b, result, flag);
    }
    for (unsigned code = 0; code < 8; code++) {
        alu_unpack_a(rules, code, true, a, next(e));
        alu_unpack_r4(rules, code, a, next(e));
        alu_pack_mul(rules, code, 1, a, b, next(e));
        alu_pack_mul(rules, code, 4, a, b, next(e));
    }
    static const unsigned ops[] = {1, 12, 13, 17, 34};
    for (unsigned i = 0; i < COUNT(ops); i++)
        for (unsigned code = 0; code < 16; code++) {
            const struct alu_op *row = op_at(ops[i]);
            struct vc4_vector result = e->v[2 * ops[i]], overflow;
            if (row->overflow)
                row->overflow(rules, a, b, &result, &overflow);
            alu_pack_a(rules, code, row->float_out, &result, row->overflow ? &overflow : NULL, a, next(e));
            struct vc4_vector packed;
            alu_pack_a(rules, code, row->float_out, &result, row->overflow ? &overflow : NULL, NULL, &packed);
            struct vc4_vector *z = next(e), n;
            support_alu_zero_negative(alu_reading(rules, ALU_FLAGS_VS_PACK) == FLAGS_VS_PACK_PACKED ? &packed
                                                                                                    : &result,
                                      z, &n);
        }
    for (unsigned f = 0; f < SFU_FUNCTIONS; f++) {
        struct vc4_vector *value = next(e), *defined = next(e);
        struct vc4_vector tolerance;
        alu_sfu(rules, (enum sfu_function)f, a, value, defined, &tolerance);
        for (unsigned i = 0; i < VC4_LANES; i++)
            value->lane[i] &= defined->lane[i];
    }
}

/* Do two readings of a clause give different results if the other clauses follow a built-in profile? */
static bool separable(unsigned clause, unsigned one, unsigned two)
{
    struct slow_random r = {clause};
    for (unsigned n = 0; n < 3000; n++) {
        struct vc4_vector a, b;
        static struct everything e1, e2;
        random_operands(&r, &a, &b);
        a.lane[0] = slow_boundary[n % slow_boundary_count];
        b.lane[0] = slow_boundary[n / 3 % slow_boundary_count];
        a.lane[1] = (n & 1) << 31; /* both zeros, in either order */
        b.lane[1] = ~a.lane[1] & 0x80000000;
        for (unsigned base = 0; base < 2; base++) {
            struct profile p = support_alu_profile(base);
            struct alu_rules r1, r2;
            p.reading[clause] = (uint8_t)one;
            alu_resolve(&p, &r1);
            p.reading[clause] = (uint8_t)two;
            alu_resolve(&p, &r2);
            everything_of(&r1, &a, &b, &e1);
            everything_of(&r2, &a, &b, &e2);
            if (memcmp(e1.v, e2.v, sizeof e1.v))
                return true;
        }
    }
    return false;
}

static void test_every_reading_matters(void **state)
{
    (void)state;
    unsigned pairs = 0;
    for (unsigned i = 0; i < ALU_CLAUSES; i++) {
        const struct reading *readings = alu_clauses[i].readings;
        assert_non_null(alu_clauses[i].id);
        assert_string_equal(readings[0].id, "manual");
        assert_non_null(readings[1].id);
        for (unsigned one = 0; one < READINGS_MAX && readings[one].id; one++) {
            assert_non_null(readings[one].says);
            assert_non_null(readings[one].source);
            for (unsigned two = one + 1; two < READINGS_MAX && readings[two].id; two++, pairs++)
                if (!separable(ALU_CLAUSE_FIRST + i, one, two))
                    fail_msg("clause %s: no operands on which %s and %s differ", alu_clauses[i].id,
                             readings[one].id, readings[two].id);
        }
    }
    print_message("%u clauses, %u pairs of readings separated\n", (unsigned)ALU_CLAUSES, pairs);
}

/* If an operation does not cover a clause, the clause cannot change the result or the C flag, whatever the
 * readings of the other clauses are. */
static void test_cover_is_sound(void **state)
{
    (void)state;
    struct slow_random r = {4};
    unsigned checked = 0;
    for (unsigned n = support_scaled(40000); n-- > 0;) {
        struct profile p = random_profile(&r), q = p;
        struct alu_rules one, two;
        struct vc4_vector a, b, r1, r2, c1, c2;
        struct coverage cov = {{0}};
        random_operands(&r, &a, &b);
        alu_resolve(&p, &one);
        unsigned op = random_operation(&r);
        alu_cover(&one, op < 32 ? &alu_add_ops[op] : &alu_mul_ops[op - 32], op >= 32, &a, &b, true, &cov);
        /* changes all uncovered clauses at the same time */
        struct profile other = random_profile(&r);
        for (unsigned c = ALU_CLAUSE_FIRST; c < ALU_CLAUSE_END; c++)
            if (!covered(&cov, c))
                q.reading[c] = other.reading[c];
        alu_resolve(&q, &two);
        kernel_at(&one, op)(&one, &a, &b, &r1, &c1);
        kernel_at(&two, op)(&two, &a, &b, &r2, &c2);
        for (unsigned i = 0; i < VC4_LANES; i++)
            if (r1.lane[i] != r2.lane[i] || c1.lane[i] != c2.lane[i])
                fail_msg("%s(%08X, %08X): %08X or %08X, C %u or %u, by a clause that is not covered",
                         op_at(op)->name, a.lane[i], b.lane[i], r1.lane[i], r2.lane[i], c1.lane[i] & 1,
                         c2.lane[i] & 1);
        checked++;
    }
    assert_true(checked > 0);
}

/* The clauses that packing, unpacking and the SFU cover are in static lists. A clause that is not in the list
 * cannot change the result. */
static void test_lists_are_sound(void **state)
{
    (void)state;
    struct slow_random r = {5};
    for (unsigned n = support_scaled(40000); n-- > 0;) {
        struct profile p = random_profile(&r), other = random_profile(&r);
        struct vc4_vector a, b, out[2], defined[2];
        unsigned code = (unsigned)slow_random_next(&r) & 15, kind = (unsigned)(slow_random_next(&r) % 5),
                 sum = (unsigned)slow_random_next(&r) & 1;
        unsigned f = (unsigned)(slow_random_next(&r) % SFU_FUNCTIONS), flag = code & 1;
        const uint8_t *lists[] = {alu_unpack_a_clauses(code & 7, flag), alu_unpack_r4_clauses(code & 7),
                                  alu_pack_a_clauses(code, !sum, sum), alu_pack_mul_clauses(code),
                                  alu_sfu_clauses[f]};
        struct coverage cov = {{0}};
        random_operands(&r, &a, &b);
        alu_cover_list(lists[kind], &cov);
        for (unsigned i = 0; i < 2; i++) {
            struct alu_rules rules;
            struct vc4_vector result, overflow;
            memset(&defined[i], 0, sizeof defined[i]);
            alu_resolve(&p, &rules);
            if (kind == 0)
                alu_unpack_a(&rules, code & 7, flag, &a, &out[i]);
            if (kind == 1)
                alu_unpack_r4(&rules, code & 7, &a, &out[i]);
            if (kind == 2) {
                rules.add[13](&rules, &a, &b, &result, NULL);
                alu_add_ops[13].overflow(&rules, &a, &b, &result, &overflow);
                alu_pack_a(&rules, code, !sum, &result, sum ? &overflow : NULL, &b, &out[i]);
            }
            if (kind == 3)
                alu_pack_mul(&rules, code, 4, &a, &b, &out[i]);
            if (kind == 4)
                alu_sfu(&rules, (enum sfu_function)f, &a, &out[i], &defined[i], &result);
            for (unsigned c = ALU_CLAUSE_FIRST; c < ALU_CLAUSE_END; c++)
                if (!covered(&cov, c))
                    p.reading[c] = other.reading[c];
        }
        assert_true(same_vector(&out[0], &out[1]) && same_vector(&defined[0], &defined[1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),      cmocka_unit_test(test_hosts_agree),
        cmocka_unit_test(test_definedness),           cmocka_unit_test(test_pack_definedness),
        cmocka_unit_test(test_every_reading_matters), cmocka_unit_test(test_cover_is_sound),
        cmocka_unit_test(test_lists_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
