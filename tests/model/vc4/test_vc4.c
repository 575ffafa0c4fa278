/* SPDX-License-Identifier: MIT */
/* Shared parts of the VideoCore IV machine: printed vectors, counts of exact steps, limits. The expectations
 * are the sentences of model/vc4/vc4.h and model/core/fidelity.h. */
#include "model/text/text.h"
#include "model/vc4/vc4.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void check_print(const struct vc4_vector *v, const struct vc4_vector *defined, unsigned count,
                        unsigned bits, const char *expected)
{
    struct text t = {0};
    vector_print(v, defined, count, bits, &t);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

static void each_element_has_its_own_mark(void **state)
{
    (void)state;
    struct vc4_vector v = {{0x3F800000, 1, 2, 3}}, all = {{~0U, ~0U, ~0U, ~0U}};
    check_print(&v, &all, 4, 32, " 3f800000 00000001 00000002 00000003");
    struct vc4_vector some = {{~0U, 0xFFFF, 0, ~0U}};
    check_print(&v, &some, 4, 32, " 3f800000 00000001~ ???????? 00000003");
    some = (struct vc4_vector){{0, 0, ~0U, 0x80000000}};
    check_print(&v, &some, 4, 32, " ???????? ???????? 00000002 00000003~");
    some = (struct vc4_vector){{0x7, 0xF, 0, ~0U}};
    check_print(&(struct vc4_vector){{0x5, 0xA, 2, 3}}, &some, 4, 4, " 5~ a ? 3");
}

static void equal_elements_are_printed_once(void **state)
{
    (void)state;
    struct vc4_vector v = {{7, 7, 7, 7}}, all = {{~0U, ~0U, ~0U, ~0U}};
    check_print(&v, &all, 4, 32, " all 00000007");
    check_print(&v, &all, 1, 32, " 00000007");
    check_print(&v, &(struct vc4_vector){{0}}, 4, 32, " all ????????");
    check_print(&v, &(struct vc4_vector){{1, 1, 1, 1}}, 4, 32, " all 00000007~");
    struct vc4_vector last = {{~0U, ~0U, ~0U, 0}};
    check_print(&v, &last, 4, 32, " 00000007 00000007 00000007 ????????");
    v.lane[3] = 8;
    check_print(&v, &all, 4, 32, " 00000007 00000007 00000007 00000008");
    check_print(&v, &all, 3, 32, " all 00000007"); /* elements from `count` on do not matter */
}

static void a_step_is_counted_once(void **state)
{
    (void)state;
    struct vc4_vector all, partly, missing;
    memset(&all, 0xFF, sizeof all);
    missing = partly = all;
    partly.lane[15] = 0xFFFFF000;
    missing.lane[15] = 0;
    const struct {
        enum vc4_stop stop;
        const struct vc4_vector *defined;
        struct fidelity counts;
    } rows[] = {
        {VC4_GO, &all, {.exact = 1}},
        {VC4_GO, NULL, {.exact = 1}}, /* the step has no result */
        {VC4_GO, &partly, {.tolerance = 1}},
        {VC4_GO, &missing, {.undefined = 1}},
        {VC4_FAULT_UNDEFINED, NULL, {.undefined = 1, .to_address = true}},
        {VC4_FAULT_UNSUPPORTED, NULL, {.unsupported = 1}},
        {VC4_FAULT_RESERVED, NULL, {.unsupported = 1}},
    };
    struct fidelity sum = {0};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fidelity f = {0};
        vc4_account(&f, rows[i].stop, rows[i].defined);
        vc4_account(&sum, rows[i].stop, rows[i].defined);
        assert_int_equal(f.exact, rows[i].counts.exact);
        assert_int_equal(f.tolerance, rows[i].counts.tolerance);
        assert_int_equal(f.undefined, rows[i].counts.undefined);
        assert_int_equal(f.unsupported, rows[i].counts.unsupported);
        assert_int_equal(f.to_address, rows[i].counts.to_address);
    }
    assert_int_equal(sum.exact + sum.tolerance + sum.undefined + sum.unsupported, sizeof rows / sizeof *rows);
    assert_true(sum.to_address);
}

static void a_limited_run_reaches_its_areas_alone(void **state)
{
    (void)state;
    const struct vc4_area areas[] = {{0x1000, 64, 128, 1U << VC4_LOADS}, {0x1040, 64, 512, 1U << VC4_STORES}};
    static const struct {
        uint32_t address, bytes;
        enum vc4_access how;
        bool allowed;
        uint32_t offset;
    } rows[] = {
        {0x1000, 4, VC4_LOADS, true, 128},          {0x103C, 4, VC4_LOADS, true, 188},
        {0x1000, 64, VC4_LOADS, true, 128},         {0x1000, 65, VC4_LOADS, false, 0},
        {0x103D, 4, VC4_LOADS, false, 0},           {0x0FFF, 1, VC4_LOADS, false, 0},
        {0x1000, 4, VC4_STORES, false, 0},          {0x1040, 4, VC4_STORES, true, 512},
        {0x1040, 4, VC4_LOADS, false, 0},           {0x1080, 1, VC4_STORES, false, 0},
        {0x1000, 4, VC4_TAKES_UNIFORM, false, 0},   {0x107F, 1, VC4_STORES, true, 575},
        {0x1040, UINT32_MAX, VC4_STORES, false, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const enum vc4_breach_kind kinds[] = {VC4_BREACH_LOAD, VC4_BREACH_STORE, VC4_BREACH_UNIFORM};
        struct vc4_limits l = {areas, 2, 0, {VC4_NO_BREACH, 0, 0}};
        uint32_t offset = 0;
        assert_int_equal(vc4_reach_limited(&l, rows[i].address, rows[i].bytes, rows[i].how, &offset),
                         rows[i].allowed);
        assert_int_equal(offset, rows[i].offset);
        assert_int_equal(l.breach.kind, rows[i].allowed ? VC4_NO_BREACH : kinds[rows[i].how]);
        assert_int_equal(l.breach.at, rows[i].allowed ? 0 : rows[i].address);
        assert_int_equal(l.breach.count, rows[i].allowed ? 0 : rows[i].bytes);
        struct vc4_breach first = l.breach;
        (void)vc4_reach_limited(&l, 0, 1, VC4_LOADS, &offset);
        if (!rows[i].allowed) /* the first breach stays */
            assert_memory_equal(&l.breach, &first, sizeof first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_has_its_own_mark),
        cmocka_unit_test(equal_elements_are_printed_once),
        cmocka_unit_test(a_step_is_counted_once),
        cmocka_unit_test(a_limited_run_reaches_its_areas_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
