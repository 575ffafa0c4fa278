/* SPDX-License-Identifier: MIT */
/* The QPU's operations, packing and unpacking, compared with values recorded on a Raspberry Pi (profile
 * bcm2835). */
#include "tests/model/vc4/qpu/alu/support_alu.h"
#include "tests/model/vc4/qpu/alu/support_alu_vectors.h"
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

/* Are exactly these flags set in one lane? `letters`: the letters of flags, as the tables write them. */
static bool has_flags(const char *letters, uint32_t result, uint32_t carry)
{
    bool z = strchr(letters, 'z') != NULL, n = strchr(letters, 'n') != NULL, c = strchr(letters, 'c') != NULL;
    struct vc4_vector v = {{result}}, zeros, negatives;
    support_alu_zero_negative(&v, &zeros, &negatives);
    return z == (zeros.lane[0] != 0) && n == (negatives.lane[0] != 0) && c == (carry != 0);
}

/* Returns the regfile-A pack of an operation's result in one lane. The destination holds zero before. */
static uint32_t pack_one(const struct alu_rules *rules, const struct alu_op *op, unsigned code, uint32_t a,
                         uint32_t b, uint32_t result)
{
    struct vc4_vector x = {{a}}, y = {{b}}, r = {{result}}, old = {{0}}, overflow, out;
    if (op->overflow)
        op->overflow(rules, &x, &y, &r, &overflow);
    alu_pack_a(rules, code, op->float_out, &r, op->overflow ? &overflow : NULL, &old, &out);
    return out.lane[0];
}

static uint32_t unpack_one(const struct alu_rules *rules, unsigned code, bool float_view, uint32_t word)
{
    struct vc4_vector in = {{word}}, out;
    alu_unpack_a(rules, code, float_view, &in, &out);
    return out.lane[0];
}

static void test_vectors(void **state)
{
    (void)state;
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    for (unsigned i = 0; i < COUNT(alu_vectors); i++) {
        alu_kernel *kernel = NULL;
        uint32_t carry, a = alu_vectors[i].a, b = alu_vectors[i].b;
        assert_non_null(support_alu_op(&rules, alu_vectors[i].op, &kernel));
        uint32_t result = support_alu_one(&rules, kernel, a, b, &carry);
        if (result != alu_vectors[i].result ||
            (alu_vectors[i].flags[0] != '?' && !has_flags(alu_vectors[i].flags, result, carry)))
            fail_msg("%s(%08X, %08X) is %08X, C %u; recorded %08X, flags \"%s\"", alu_vectors[i].op, a, b,
                     result, carry & 1, alu_vectors[i].result, alu_vectors[i].flags);
    }
}

static void test_pack_vectors(void **state)
{
    (void)state;
    static const unsigned codes[5] = {PACK_32S, PACK_16AS, PACK_16A, PACK_8AS, PACK_8A};
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    for (unsigned i = 0; i < COUNT(alu_pack_vectors); i++) {
        alu_kernel *kernel = NULL;
        const struct alu_op *op = support_alu_op(&rules, alu_pack_vectors[i].op, &kernel);
        uint32_t result = support_alu_one(&rules, kernel, alu_pack_vectors[i].a, alu_pack_vectors[i].b, NULL);
        assert_int_equal(result, alu_pack_vectors[i].result);
        for (unsigned k = 0; k < 5; k++)
            assert_int_equal(pack_one(&rules, op, codes[k], alu_pack_vectors[i].a, alu_pack_vectors[i].b,
                                      result),
                             alu_pack_vectors[i].packed[k]);
    }
}

static void test_unpack_vectors(void **state)
{
    (void)state;
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    for (unsigned i = 0; i < COUNT(alu_unpack_vectors); i++)
        for (unsigned code = 1; code < 8; code++) {
            assert_int_equal(unpack_one(&rules, code, false, alu_unpack_vectors[i].word),
                             alu_unpack_vectors[i].as_int[code - 1]);
            assert_int_equal(unpack_one(&rules, code, true, alu_unpack_vectors[i].word),
                             alu_unpack_vectors[i].as_float[code - 1]);
        }
}

/* Compares every pair of bytes, in every place, with formulas from the manual (p36) and with the recorded
 * values. */
static void test_every_pair_of_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"v8muld", "v8min", "v8max", "v8adds", "v8subs"};
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            unsigned expected[] = {(a * b + 127) / 255, a < b ? a : b, a > b ? a : b,
                                   a + b > 255 ? 255 : a + b, a > b ? a - b : 0};
            for (unsigned i = 0; i < COUNT(names); i++) {
                alu_kernel *kernel = NULL;
                unsigned place = 8 * ((a + b) & 3);
                support_alu_op(&rules, names[i], &kernel);
                assert_int_equal(support_alu_one(&rules, kernel, a << place, b << place, NULL),
                                 expected[i] << place);
            }
        }
}

/* ---- the full tables ---- */
enum { COLUMNS_MAX = 24, LINE_MAX_BYTES = 1024 };

struct table {
    FILE *file;
    char line[LINE_MAX_BYTES];
    char *column[COLUMNS_MAX];
    unsigned columns;
};

/* Opens a table. If the file does not exist, skips the test with a message. */
static void table_open(struct table *t, const char *name)
{
    const char *path = support_data("vc4-silicon/%s", name);
    t->file = fopen(path, "r");
    if (!t->file) {
        print_message("skipped: %s is absent (MISPRINT_TEST_DATA)\n", path);
        skip();
    }
}

/* Reads the next row of values, without comments and the line of names. Returns false at the end. */
static bool table_next(struct table *t)
{
    while (fgets(t->line, sizeof t->line, t->file)) {
        t->line[strcspn(t->line, "\r\n")] = 0;
        if (t->line[0] == '#' || !strncmp(t->line, "op,", 3) || !strncmp(t->line, "word,", 5))
            continue;
        t->columns = 0;
        for (char *at = t->line; at && t->columns < COLUMNS_MAX; t->columns++) {
            t->column[t->columns] = at;
            at = strchr(at, ',');
            if (at)
                *at++ = 0;
        }
        return true;
    }
    fclose(t->file);
    return false;
}

static uint32_t table_word(const struct table *t, unsigned column)
{
    assert_true(column < t->columns);
    return (uint32_t)strtoul(t->column[column], NULL, 16);
}

/* Is this an operation of the ADD pipe? The tables have flags only for this pipe. */
static bool on_add_pipe(const char *name)
{
    for (unsigned op = 0; op < 32; op++)
        if (alu_add_ops[op].name && !strcmp(alu_add_ops[op].name, name))
            return true;
    return false;
}

static void test_silicon_alu(void **state)
{
    (void)state;
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    struct table t;
    unsigned rows = 0, flags = 0;
    table_open(&t, "alu.csv");
    while (table_next(&t)) {
        alu_kernel *kernel = NULL;
        uint32_t carry, a = table_word(&t, 1), b = table_word(&t, 2);
        const struct alu_op *op = support_alu_op(&rules, t.column[0], &kernel);
        assert_non_null(op);
        uint32_t result = support_alu_one(&rules, kernel, a, b, &carry);
        if (result != table_word(&t, 3))
            fail_msg("%s(%08X, %08X) is %08X, recorded %s", op->name, a, b, result, t.column[3]);
        assert_int_equal(pack_one(&rules, op, PACK_32S, a, b, result), table_word(&t, 4));
        if (on_add_pipe(op->name)) {
            if (!has_flags(t.column[5], result, carry))
                fail_msg("%s(%08X, %08X) is %08X with C %u, recorded flags \"%s\"", op->name, a, b, result,
                         carry & 1, t.column[5]);
            flags++;
        }
        rows++;
    }
    print_message("alu.csv: %u results, %u 32s results, %u flags\n", rows, rows, flags);
    assert_true(rows > 0);
}

static void test_silicon_pack(void **state)
{
    (void)state;
    static const unsigned codes[] = {PACK_32,  PACK_32S, PACK_16AS,  PACK_16A, PACK_16BS, PACK_16B,
                                     PACK_8AS, PACK_8A,  PACK_8BS,   PACK_8B,  PACK_8CS,  PACK_8C,
                                     PACK_8DS, PACK_8D,  PACK_8888S, PACK_8888};
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    struct table t;
    unsigned packs = 0;
    table_open(&t, "pack.csv");
    while (table_next(&t)) {
        alu_kernel *kernel = NULL;
        uint32_t a = table_word(&t, 1), b = table_word(&t, 2);
        const struct alu_op *op = support_alu_op(&rules, t.column[0], &kernel);
        uint32_t result = support_alu_one(&rules, kernel, a, b, NULL);
        for (unsigned k = 0; k < COUNT(codes); k++) {
            uint32_t packed = pack_one(&rules, op, codes[k], a, b, result);
            if (packed != table_word(&t, 3 + k))
                fail_msg("pack %u of %s(%08X, %08X) is %08X, recorded %s", codes[k], op->name, a, b, packed,
                         t.column[3 + k]);
            packs++;
        }
    }
    print_message("pack.csv: %u packs\n", packs);
    assert_true(packs > 0);
}

static void test_silicon_unpack(void **state)
{
    (void)state;
    static const struct {
        unsigned code;
        bool float_view;
    } columns[] = {{UNPACK_32, false}, {UNPACK_16A, false}, {UNPACK_16B, false},   {UNPACK_8D_REP, false},
                   {UNPACK_8A, false}, {UNPACK_8B, false},  {UNPACK_8C, false},    {UNPACK_8D, false},
                   {UNPACK_16A, true}, {UNPACK_16B, true},  {UNPACK_8D_REP, true}, {UNPACK_8A, true},
                   {UNPACK_8B, true},  {UNPACK_8C, true},   {UNPACK_8D, true}};
    struct alu_rules rules = support_alu_rules(PROFILE_SILICON);
    struct table t;
    unsigned unpacks = 0;
    table_open(&t, "unpack.csv");
    while (table_next(&t))
        for (unsigned k = 0; k < COUNT(columns); k++, unpacks++)
            assert_int_equal(unpack_one(&rules, columns[k].code, columns[k].float_view, table_word(&t, 0)),
                             table_word(&t, 1 + k));
    print_message("unpack.csv: %u unpacks\n", unpacks);
    assert_true(unpacks > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),        cmocka_unit_test(test_pack_vectors),
        cmocka_unit_test(test_unpack_vectors), cmocka_unit_test(test_every_pair_of_bytes),
        cmocka_unit_test(test_silicon_alu),    cmocka_unit_test(test_silicon_pack),
        cmocka_unit_test(test_silicon_unpack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
